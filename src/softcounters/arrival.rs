//! Arriving at a branch: which processor rr is to believe in, and how late overflows come.
//!
//! See the [module](super), "Exact arrival".

use memchr::memmem;
use std::ffi::OsString;

/// Names of kinds of processor that all rr from 5.6 to 5.10 know with a skid of 100, the smallest there is, and with
/// nothing to be looked at on the machine that soft counters do not answer for. Best first.
const KINDS: [&str; 3] = ["Intel Skylake", "Intel Haswell", "Intel Nehalem"];
/// The option that tells rr a kind of processor.
const OPTION: &str = "--microarch";
/// The variable that says to the object how late overflows may come.
pub const LATENESS: &str = "RETROGRADE_SOFT_LATE";
/// As late as rr accepts, which is made as little as it may be.
const LEAST: &str = "least";
/// As late as rr accepts whatever the processor, where it was told no kind.
const ANY: &str = "any";
/// Not at all, and rr is left what it believes of the processor.
const NONE: &str = "0";

/// Returns the kind of processor to tell this rr, whose program these bytes are; `None` if it knows none of ours.
pub(super) fn kind(program: &[u8]) -> Option<&'static str> {
    let has = |text: &[u8]| memmem::find(program, text).is_some();
    // The option stands in rr's help. Its bare name, and any text that others end in, may be a part of those.
    let has_option = has(OPTION.as_bytes());
    KINDS.into_iter().find(|kind| has_option && has(&[b"\0", kind.as_bytes(), b"\0"].concat()))
}

/// What makes an rr arrive exactly.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Arrival {
    /// Options before the subcommand, by which rr believes in a kind of processor.
    pub globals: Vec<OsString>,
    /// Belongs into rr's environment, beside [`environment`](super::environment). An rr that records has nothing to
    /// arrive at.
    pub variable: Option<(OsString, OsString)>,
}

/// Returns what makes an rr arrive exactly that is to be told this kind of processor, if any, and does this. `wish`:
/// the value of [`LATENESS`] in our own environment, by which somebody may want it otherwise, to find out something.
pub fn arrival(kind: Option<&str>, is_replay: bool, wish: Option<OsString>) -> Arrival {
    let lateness = wish.unwrap_or_else(|| kind.map_or(ANY, |_| LEAST).into());
    let kind = kind.filter(|_| lateness != NONE);
    Arrival {
        globals: kind.into_iter().flat_map(|kind| [OPTION, kind]).map(OsString::from).collect(),
        variable: is_replay.then(|| (LATENESS.into(), lateness)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_kind_that_rr_knows_is_chosen() {
        let rr = |texts: &[&str]| format!("\x7fELF\0{}\0", texts.join("\0")).into_bytes();
        assert_eq!(
            kind(&rr(&["AMD Zen", "Intel Haswell", "Intel Skylake", " -A, --microarch=<NAME>  force"])),
            Some("Intel Skylake")
        );
        assert_eq!(
            kind(&rr(&[" -A, --microarch=<NAME>  force", "Intel Nehalem", "Intel Haswell"])),
            Some("Intel Haswell")
        );
    }

    #[test]
    fn an_rr_that_knows_none_of_them_is_told_none() {
        let rr = |texts: &[&str]| format!("\x7fELF\0{}\0", texts.join("\0")).into_bytes();
        // Part of another name, no such option, and a script.
        assert_eq!(kind(&rr(&[" -A, --microarch=<NAME>  force", "Intel Skylake-X", "AMD Zen"])), None);
        assert_eq!(kind(&rr(&["Intel Skylake"])), None);
        assert_eq!(kind(b"#!/bin/sh\nexec rr \"$@\"\n"), None);
        assert_eq!(kind(b""), None);
    }

    #[test]
    fn an_rr_is_told_the_kind_and_a_replay_also_to_be_late() {
        let told = |kind, is_replay, wish: Option<&str>| {
            let arrival = arrival(kind, is_replay, wish.map(OsString::from));
            let text = |word: OsString| word.into_string().unwrap();
            let value = arrival.variable.map(|(name, value)| (text(name), text(value)).1);
            (arrival.globals.into_iter().map(text).collect::<Vec<_>>().join(" "), value)
        };
        let both = "--microarch Intel Skylake".to_owned();
        let value = |text: &str| Some(text.to_owned());
        assert_eq!(told(Some("Intel Skylake"), true, None), (both.clone(), value("least")));
        assert_eq!(told(Some("Intel Skylake"), false, None), (both.clone(), None));
        assert_eq!(told(Some("Intel Skylake"), true, Some("7")), (both, value("7")));
        assert_eq!(told(None, true, None), (String::new(), value("any")));
        assert_eq!(told(Some("Intel Skylake"), true, Some("0")), (String::new(), value("0")));
    }

    #[test]
    fn the_object_knows_the_variable() {
        if crate::available() {
            assert!(memmem::find(crate::OBJECT, LATENESS.as_bytes()).is_some());
        }
    }
}
