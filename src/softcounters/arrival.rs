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
/// Says to the object how late overflows may come: as late as rr accepts.
const LATE: (&str, &str) = ("RETROGRADE_SOFT_LATE", "most");

/// The kind of processor to tell this rr, whose program these bytes are; `None` if it knows none of ours.
pub(super) fn kind(program: &[u8]) -> Option<&'static str> {
    let has = |text: &[u8]| memmem::find(program, text).is_some();
    // The option stands in rr's help. Its bare name, and any text that others end in, may be a part of those.
    let has_option = has(OPTION.as_bytes());
    KINDS.into_iter().find(|kind| has_option && has(&[b"\0", kind.as_bytes(), b"\0"].concat()))
}

/// The global options, before the subcommand, by which rr believes in this kind of processor.
pub fn global_options(kind: Option<&str>) -> Vec<OsString> {
    kind.into_iter().flat_map(|kind| [OPTION, kind]).map(OsString::from).collect()
}

/// What to put into the environment of an rr that replays, beside [`environment`](super::environment). It must not be
/// in that of one that records: recorded programs would inherit it, and there is nothing to arrive at.
pub fn replaying() -> (OsString, OsString) {
    (LATE.0.into(), LATE.1.into())
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
        assert_eq!(global_options(None), Vec::<OsString>::new());
    }

    #[test]
    fn the_kind_is_told_by_a_global_option() {
        assert_eq!(global_options(Some("Intel Skylake")), ["--microarch", "Intel Skylake"]);
    }

    #[test]
    fn the_object_knows_the_variable() {
        if crate::softcounters::available() {
            assert!(memmem::find(crate::softcounters::OBJECT, LATE.0.as_bytes()).is_some());
        }
    }
}
