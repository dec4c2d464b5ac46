//! Catchpoints: waiting for what happens rather than for where.
//!
//! rr's server tells of signals and stops before an `exec` by itself; it has nothing for system calls, forks,
//! exceptions and panics. Those are caught where they have to pass: at the entry of the function that does them. A
//! system call that is made other than through the C library's function is not seen.

use crate::api::error::Error;
use crate::api::{CatchEvent, CatchSpec};
use crate::target::signals;
use base::untrusted;
use regex_lite::Regex;

/// Most names of one catchpoint.
const MAX_NAMES: usize = 64;
/// What begins an exception and what its handler calls first (Itanium C++ ABI, sections 2.4.3 and 2.5.3).
pub(crate) const THROW: &str = "__cxa_throw";
const BEGIN_CATCH: &str = "__cxa_begin_catch";
/// What the C library makes processes with.
const FORKS: [&str; 4] = ["fork", "vfork", "posix_spawn", "posix_spawnp"];
/// What all panics of Rust programs pass by, the best first: the standard library's, else what a program without it
/// has.
const PANICS: [&str; 3] = ["std::panicking::rust_panic_with_hook", "rust_begin_unwind", "core::panicking::panic_fmt"];

/// What a catchpoint waits for.
#[derive(Clone, Debug)]
pub(crate) struct Catch {
    pub(crate) event: CatchEvent,
    /// Of signals and system calls. None: any signal.
    pub(crate) names: Vec<String>,
    /// Names of exceptions' types, of which any matches. None: any type.
    pub(crate) types: Vec<Regex>,
}

impl Catch {
    /// Reads what is asked for.
    pub(crate) fn new(spec: &CatchSpec) -> Result<Self, Error> {
        let bad = |reason: String| Error::BadLocation { text: spec.event.word().to_owned(), reason };
        let names: Vec<&str> = spec.names.iter().map(|name| name.trim()).filter(|name| !name.is_empty()).collect();
        if names.len() > MAX_NAMES {
            return Err(bad(format!("{} names are too many, {MAX_NAMES} are possible", names.len())));
        }
        let mut catch = Self { event: spec.event, names: Vec::new(), types: Vec::new() };
        match spec.event {
            CatchEvent::Signal => {
                for name in names {
                    catch.names.push(signal_name(name).ok_or_else(|| bad(format!("there is no signal `{name}`")))?);
                }
            }
            CatchEvent::Syscall => {
                if names.is_empty() {
                    return Err(bad("rr cannot stop at every system call: give names".to_owned()));
                }
                let is_name = |name: &str| name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
                if let Some(name) = names.iter().find(|name| !is_name(name) || name.bytes().all(|b| b.is_ascii_digit()))
                {
                    return Err(bad(format!("`{name}` is not the name of a system call")));
                }
                catch.names = names.into_iter().map(str::to_owned).collect();
            }
            CatchEvent::Throw | CatchEvent::Catch => {
                for name in names {
                    catch.types.push(untrusted::regex(name).map_err(|refused| bad(format!("`{name}` {refused}")))?);
                }
            }
            CatchEvent::Exec | CatchEvent::Fork | CatchEvent::Panic => {
                if let Some(name) = names.first() {
                    return Err(bad(format!("all are caught, `{name}` cannot be chosen")));
                }
            }
        }
        Ok(catch)
    }

    /// Returns the functions at whose entries it waits: of each list, those of the first name that a module has.
    pub(crate) fn functions(&self) -> Vec<Vec<String>> {
        let each = |names: &[&str]| names.iter().map(|name| vec![(*name).to_owned()]).collect();
        match self.event {
            CatchEvent::Signal | CatchEvent::Exec => Vec::new(),
            CatchEvent::Syscall => self
                .names
                .iter()
                .map(|name| vec![name.clone(), format!("__{name}"), format!("__libc_{name}")])
                .collect(),
            CatchEvent::Fork => each(&FORKS),
            CatchEvent::Throw => each(&[THROW]),
            CatchEvent::Catch => each(&[BEGIN_CATCH]),
            CatchEvent::Panic => vec![PANICS.iter().map(|name| (*name).to_owned()).collect()],
        }
    }

    /// Returns the text by which it is listed.
    pub(crate) fn text(&self) -> String {
        let types = self.types.iter().map(|regex| regex.as_str().to_owned());
        let names = self.names.iter().cloned().chain(types);
        std::iter::once(self.event.word().to_owned()).chain(names).collect::<Vec<_>>().join(" ")
    }

    /// Returns what a user should know of it that has all its places.
    pub(crate) fn note(&self) -> Option<&'static str> {
        match self.event {
            CatchEvent::Exec => Some("a session stops at each exec, with or without a catchpoint"),
            CatchEvent::Syscall => Some("stops where the C library's function is entered"),
            _ => None,
        }
    }

    /// Returns whether it is for a signal.
    pub(crate) fn is_of_signal(&self, name: &str) -> bool {
        self.event == CatchEvent::Signal && (self.names.is_empty() || self.names.iter().any(|n| n == name))
    }

    /// Returns whether it is for exceptions of a type.
    pub(crate) fn is_of_type(&self, ty: Option<&str>) -> bool {
        // Clones, whose memory goes at once: there may be many, and exceptions are few.
        let is_match = |ty: &str| self.types.iter().any(|regex| regex.clone().is_match(ty));
        self.types.is_empty() || ty.is_some_and(is_match)
    }
}

/// Returns the name of a signal: `SIGUSR1` for `SIGUSR1`, `usr1` or its kernel number.
fn signal_name(asked: &str) -> Option<String> {
    let upper = asked.to_ascii_uppercase();
    let full = match asked.parse::<i32>() {
        Ok(number) => rr::signal_name(number)?,
        Err(_) if upper.starts_with("SIG") => upper,
        Err(_) => format!("SIG{upper}"),
    };
    signals::signal_meaning(&full).map(|_| full)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(event: CatchEvent, names: &[&str]) -> Result<Catch, String> {
        let names = names.iter().map(|name| (*name).to_owned()).collect();
        Catch::new(&CatchSpec { event, names, temporary: false }).map_err(|e| e.to_string())
    }

    #[test]
    fn signals_are_named_in_any_way() {
        let catch = made(CatchEvent::Signal, &["SIGUSR1", "chld", "11", "SIG34"]).unwrap();
        assert_eq!(catch.text(), "signal SIGUSR1 SIGCHLD SIGSEGV SIG34");
        assert!(catch.is_of_signal("SIGCHLD") && !catch.is_of_signal("SIGINT"));
        assert!(made(CatchEvent::Signal, &[]).unwrap().is_of_signal("SIGINT"));
        assert_eq!(
            made(CatchEvent::Signal, &["SIGNOSUCH"]).unwrap_err(),
            "location `signal`: there is no signal `SIGNOSUCH`"
        );
    }

    #[test]
    fn what_cannot_be_chosen_is_refused() {
        for (event, names, reason) in [
            (CatchEvent::Syscall, [].as_slice(), "rr cannot stop at every system call"),
            (CatchEvent::Syscall, &["1"], "`1` is not the name of a system call"),
            (CatchEvent::Syscall, &["a b"], "`a b` is not the name of a system call"),
            (CatchEvent::Fork, &["fork"], "all are caught, `fork` cannot be chosen"),
            (CatchEvent::Throw, &["a("], "`a(` is not a regular expression"),
            (
                CatchEvent::Throw,
                &["(((((((((((((((((((((((((((((((())))))))))))))))))))))))))))))))"],
                "32 groups, at most 31",
            ),
            (CatchEvent::Signal, &["1"; 65], "65 names are too many"),
        ] {
            let message = made(event, names).unwrap_err();
            assert!(message.contains(reason), "{message}");
        }
    }

    #[test]
    fn types_are_matched_by_their_names() {
        let catch = made(CatchEvent::Throw, &["^std::", "Oops$"]).unwrap();
        assert!(catch.is_of_type(Some("std::runtime_error")) && catch.is_of_type(Some("ns::Oops")));
        assert!(!catch.is_of_type(Some("int")) && !catch.is_of_type(None));
        assert!(made(CatchEvent::Throw, &[]).unwrap().is_of_type(None));
    }
}
