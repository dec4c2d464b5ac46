//! With what a recording is replayed here. The processor's counters and our soft ones count the same, so that a
//! recording that was made with one is replayed with the other where that is what there is, or is faster.

use super::compatibility::{self, Here};
use super::counters::{Counters, Counting, Machine, OVERRIDE, Wish, in_software, wish};
use super::error::Error;
use super::events::has_ended;
use super::fatal::divergence;
use super::manifest::Manifest;
use super::program::Rr;
use super::record_notes;
use super::trace_header::Header;
use std::path::Path;
use std::process::Command;

/// rr's option to do what it advises against, before the subcommand.
const FORCE: &str = "-F";
/// What rr prints when an assertion has failed, before it waits for a debugger, as it does if it is forced.
const EMERGENCY: &str = "Tail of trace dump:";

/// What rr says of a recording of a later rr.
const TOO_OLD: &str = "This rr build is too old";

/// What a recording is replayed with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Means {
    /// What counts.
    pub(super) counters: Counters,
    /// rr is told to do it although it advises against it.
    pub(super) force: bool,
    /// What is to be said of it.
    pub(super) notes: Vec<String>,
    /// What may make it fail.
    pub(super) doubt: Option<String>,
}

/// What the choice of counters depends on.
struct Case<'a> {
    /// What the recording was made with; `None` if it does not say so, as one of an rr without us.
    recorded: Option<Counters>,
    wish: Wish,
    machine: &'a Machine,
    /// This rr has software counters of its own.
    rr_software: bool,
    /// It can have ours. Finding that out runs it.
    soft: &'a dyn Fn() -> bool,
}

/// The counters that are chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Choice {
    counters: Counters,
    /// rr has to be forced to use them.
    force: bool,
    /// Why these, and not those of the recording.
    reason: String,
}

impl Choice {
    fn of(counters: Counters, reason: impl Into<String>) -> Self {
        Self { counters, force: false, reason: reason.into() }
    }
}

impl Case<'_> {
    /// Chooses the counters; the error says why there are none.
    fn choose(&self) -> Result<Choice, String> {
        match (self.wish, self.recorded) {
            (Wish::Hardware, _) => self.hardware(format!("{OVERRIDE}=hardware")).map_err(|why| {
                format!("{OVERRIDE} is `hardware`, and {why}; `auto` (or none) takes the counters that there are")
            }),
            (_, Some(Counters::RrSoftware)) if self.rr_software => Ok(Choice::of(Counters::RrSoftware, "")),
            (_, Some(Counters::RrSoftware)) => Err("it was recorded with rr's own software counters (-W), which \
                                                    this rr does not have; set RETROGRADE_RR to the rr that recorded it"
                .to_owned()),
            (Wish::Soft, _) => self.software(format!("{OVERRIDE}=soft")).ok_or_else(|| {
                format!(
                    "{OVERRIDE} is `soft`, and {} cannot be had here; `auto` takes what there is",
                    softcounters::NAME
                )
            }),
            (Wish::Auto, Some(Counters::Soft)) => self.any_but_hardware("soft counters cannot be had here"),
            (Wish::Auto, Some(Counters::Hardware) | None) => match self.machine.obstacle() {
                Some(obstacle) => self.any_but_hardware(obstacle),
                None if self.machine.is_amd() => self.any_but_hardware("they are faster on this AMD processor"),
                None => Ok(Choice::of(Counters::Hardware, "this machine's counters work")),
            },
        }
    }

    /// Chooses counters that need no hardware, or else hardware's.
    fn any_but_hardware(&self, reason: &str) -> Result<Choice, String> {
        match self.software(reason.to_owned()) {
            Some(choice) => Ok(choice),
            None => self
                .hardware("soft counters cannot be had here".to_owned())
                .map_err(|obstacle| format!("soft counters cannot be had here, and {obstacle}")),
        }
    }

    /// Chooses software counters. rr's own are known to count what ours do in those of its own only, among which may be
    /// one that says nothing.
    fn software(&self, reason: String) -> Option<Choice> {
        let counters = match self.recorded {
            None => in_software(self.rr_software, !self.rr_software && (self.soft)())?,
            Some(_) => (self.soft)().then_some(Counters::Soft)?,
        };
        Some(Choice::of(counters, reason))
    }

    fn hardware(&self, reason: String) -> Result<Choice, &'static str> {
        match self.machine.obstacle() {
            None => Ok(Choice::of(Counters::Hardware, reason)),
            // That is what rr can be made to put up with.
            Some(_) if self.machine.has_speclockmap() => {
                Ok(Choice { force: true, ..Choice::of(Counters::Hardware, reason) })
            }
            Some(obstacle) => Err(obstacle),
        }
    }

    /// Returns why this rr cannot have our counters, which would have been chosen: something can be done about that.
    fn soft_error(&self, rr: &Rr) -> Option<Error> {
        let would_do = self.wish != Wish::Hardware && self.recorded != Some(Counters::RrSoftware);
        rr.soft_counters().err().filter(|_| would_do && softcounters::available())
    }

    /// Returns what is to be said of a choice that is not the counters that it was recorded with.
    fn notes(&self, Choice { counters, force, reason }: &Choice) -> Vec<String> {
        let used = counters.description();
        let of_counters = match self.recorded {
            Some(recorded) if recorded == *counters => None,
            Some(recorded) => Some(format!("recorded with {}, replayed with {used}: {reason}", recorded.description())),
            None if *counters == Counters::Soft => {
                Some(format!("recorded by an rr without retrograde, replayed with {used}: {reason}"))
            }
            None => None,
        };
        let of_force = force.then(|| {
            format!(
                "the SpecLockMap optimisation of this Zen CPU is on, so rr may miscount; it gets the option {FORCE}"
            )
        });
        of_counters.into_iter().chain(of_force).collect()
    }
}

impl Rr {
    /// Finds out what a finished recording is replayed with, checked against what there is.
    pub(super) fn means_of(&self, trace: &Path) -> Result<Means, Error> {
        let recorded = Manifest::read(trace)?.map(|manifest| manifest.counters);
        let soft = || self.soft_counters().is_ok();
        let (machine, rr_software) = (&Machine::this(), self.has_software_counters());
        let case = Case { recorded, wish: wish(std::env::var_os(OVERRIDE))?, machine, rr_software, soft: &soft };
        let refused = |reason: String| Error::NotReplayable { trace: trace.to_owned(), reason };
        let choice = case.choose().map_err(|reason| case.soft_error(self).unwrap_or_else(|| refused(reason)))?;
        let choice = self.after_trial(&case, choice)?;
        let mut means =
            Means { counters: choice.counters, force: choice.force, notes: case.notes(&choice), doubt: None };
        if has_ended(trace).is_ok_and(|has_ended| !has_ended) {
            means.notes.push(record_notes::NO_END.to_owned());
        }
        if let Some(header) = Header::read(trace) {
            let here = Here::this();
            if let Some(reason) = compatibility::obstacle(&header, &here, means.counters) {
                return Err(refused(reason));
            }
            means.heed(&header, compatibility::doubt(&header, &here));
        }
        Ok(means)
    }

    /// Replaces hardware counters that rr turns out to refuse, if there are others.
    fn after_trial(&self, case: &Case<'_>, choice: Choice) -> Result<Choice, Error> {
        if case.wish != Wish::Auto || choice.counters != Counters::Hardware || choice.force {
            return Ok(choice);
        }
        let refusal = self.hardware_refusal(Machine::look)?;
        let other = refusal.and_then(|words| case.software(format!("rr refused this machine's counters: {words}")));
        Ok(other.unwrap_or(choice))
    }

    /// Returns what these means take in a subcommand that replays.
    pub(super) fn replaying(&self, means: &Means, subcommand: &str) -> Result<Counting, Error> {
        let mut counting = self.counting(means.counters, subcommand)?;
        counting.globals.extend(means.force.then(|| FORCE.into()));
        Ok(counting)
    }

    /// Returns the command `replay` with these means.
    pub(super) fn replaying_command(&self, means: &Means) -> Result<Command, Error> {
        const REPLAY: &str = "replay";
        let mut command = Command::new(self.program());
        self.replaying(means, REPLAY)?.add_to(&mut command, REPLAY);
        // This one makes a failed rr wait for a human instead of ending.
        command.env_remove("RUNNING_UNDER_TEST_MONITOR");
        Ok(command)
    }
}

impl Means {
    /// Takes into account what the header of the recording says.
    fn heed(&mut self, header: &Header, doubt: Option<String>) {
        if header.improper {
            self.force = true;
            self.notes.push(format!(
                "rr found the processor improperly configured that this was recorded on, and was made to go on: it is \
                 replayed with {FORCE}, and may fail where ticks were miscounted"
            ));
        }
        self.notes.extend(doubt.clone());
        self.doubt = doubt;
    }

    /// Explains what rr has said at its end by what may be the reason.
    pub(super) fn explained(&self, words: String) -> String {
        let too_old = words.contains(TOO_OLD).then_some("a newer rr replays it: set RETROGRADE_RR to its path");
        let text = divergence(&words).unwrap_or(words);
        match too_old.or(self.doubt.as_deref()) {
            Some(reason) => format!("{text} ({reason})"),
            None => text,
        }
    }

    /// Returns whether rr has failed and, as it is forced, waits for a debugger instead of ending.
    pub(super) fn is_emergency(&self, said: &str) -> bool {
        self.force && said.contains(EMERGENCY)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::perf::Pmu;
    use crate::trace_header::tests::example;

    const HARDWARE: Option<Counters> = Some(Counters::Hardware);
    const SOFT: Option<Counters> = Some(Counters::Soft);
    const OWN: Option<Counters> = Some(Counters::RrSoftware);

    fn machine(vendor: &str, pmu: Pmu, speclockmap: bool) -> Machine {
        Machine { vendor: vendor.into(), pmu, speclockmap: Some(speclockmap) }
    }

    /// Who has them chosen, and what is said; or why there are none.
    fn chosen(recorded: Option<Counters>, wish: Wish, machine: &Machine, (own, soft): (bool, bool)) -> String {
        let case = Case { recorded, wish, machine, rr_software: own, soft: &|| soft };
        match case.choose() {
            Ok(choice) => {
                let force = if choice.force { " by force" } else { "" };
                [format!("{}{force}", choice.counters.name())]
                    .into_iter()
                    .chain(case.notes(&choice))
                    .collect::<Vec<_>>()
                    .join("; ")
            }
            Err(why) => format!("none: {why}"),
        }
    }

    const BOTH: (bool, bool) = (false, true);

    #[test]
    fn a_recording_with_its_own_counters_needs_no_words() {
        let intel = machine("GenuineIntel", Pmu::Usable, false);
        let without = machine("GenuineIntel", Pmu::Absent, false);
        let auto = |recorded, machine| chosen(recorded, Wish::Auto, machine, BOTH);
        assert_eq!(auto(HARDWARE, &intel), "hardware");
        assert_eq!(auto(None, &intel), "hardware");
        assert_eq!(auto(SOFT, &intel), "soft", "where the machine could count, too");
        assert_eq!(auto(SOFT, &without), "soft");
        assert_eq!(chosen(OWN, Wish::Auto, &intel, (true, true)), "rr-software");
    }

    #[test]
    fn hardwares_recordings_are_replayed_with_soft_counters_where_those_are_what_there_is_or_faster() {
        let auto = |recorded, machine: &Machine| chosen(recorded, Wish::Auto, machine, BOTH);
        for (pmu, reason) in [
            (Pmu::Absent, "this machine has no performance counter for conditional branches"),
            (Pmu::Silent, "this machine's performance counters do not count"),
            (Pmu::Forbidden, "this system does not permit performance counters"),
            (Pmu::Taken, "this machine's performance counters cannot be had now; another program may use them"),
        ] {
            let machine = machine("GenuineIntel", pmu, false);
            let expected = format!("soft; recorded with hardware counters, replayed with soft counters: {reason}");
            assert_eq!(auto(HARDWARE, &machine), expected);
            let expected = format!("soft; recorded by an rr without retrograde, replayed with soft counters: {reason}");
            assert_eq!(auto(None, &machine), expected);
        }
        let zen = machine("AuthenticAMD", Pmu::Usable, false);
        let expected = "soft; recorded with hardware counters, replayed with soft counters: they are faster on this \
                        AMD processor";
        assert_eq!(auto(HARDWARE, &zen), expected);
        assert!(auto(HARDWARE, &machine("AuthenticAMD", Pmu::Usable, true)).contains("the SpecLockMap optimisation"));
    }

    #[test]
    fn hardware_is_used_where_there_are_no_soft_counters() {
        let none = (false, false);
        let auto = |recorded, machine: &Machine| chosen(recorded, Wish::Auto, machine, none);
        let zen = machine("AuthenticAMD", Pmu::Usable, false);
        assert_eq!(auto(HARDWARE, &zen), "hardware");
        assert_eq!(
            auto(SOFT, &zen),
            "hardware; recorded with soft counters, replayed with hardware counters: soft counters cannot be had here"
        );
        assert_eq!(
            auto(HARDWARE, &machine("AuthenticAMD", Pmu::Usable, true)),
            "hardware by force; the SpecLockMap optimisation of this Zen CPU is on, so rr may miscount; it gets the option \
             -F"
        );
        let expected = "none: soft counters cannot be had here, and this machine has no performance counter for \
                        conditional branches";
        for recorded in [SOFT, HARDWARE, None] {
            assert_eq!(auto(recorded, &machine("GenuineIntel", Pmu::Absent, false)), expected);
        }
    }

    #[test]
    fn the_variable_forces_and_what_cannot_be_has_a_reason() {
        let without = machine("GenuineIntel", Pmu::Absent, false);
        let intel = machine("GenuineIntel", Pmu::Usable, false);
        for recorded in [SOFT, HARDWARE, None] {
            assert_eq!(
                chosen(recorded, Wish::Hardware, &without, BOTH),
                "none: RETROGRADE_COUNTERS is `hardware`, and this machine has no performance counter for conditional \
                 branches; `auto` (or none) takes the counters that there are"
            );
            let said = chosen(recorded, Wish::Soft, &intel, (false, false));
            assert!(said.starts_with("none: RETROGRADE_COUNTERS is `soft`, and soft counters cannot be had"), "{said}");
            assert!(chosen(recorded, Wish::Soft, &intel, BOTH).starts_with("soft"));
            assert!(chosen(recorded, Wish::Hardware, &intel, BOTH).starts_with("hardware"));
        }
        assert_eq!(
            chosen(HARDWARE, Wish::Soft, &intel, BOTH),
            "soft; recorded with hardware counters, replayed with soft counters: RETROGRADE_COUNTERS=soft"
        );
    }

    #[test]
    fn rrs_own_counters_are_for_what_they_have_recorded() {
        let without = machine("GenuineIntel", Pmu::Absent, false);
        assert!(chosen(OWN, Wish::Auto, &without, BOTH).starts_with("none: it was recorded with rr's own software"));
        assert_eq!(chosen(None, Wish::Auto, &without, (true, true)), "rr-software");
        assert!(chosen(HARDWARE, Wish::Auto, &without, (true, true)).starts_with("soft; "));
    }

    #[test]
    fn what_the_header_says_is_heeded() {
        let mut means = Means { counters: Counters::Soft, force: false, notes: vec![], doubt: None };
        means.heed(&example(), None);
        assert_eq!(means, Means { counters: Counters::Soft, force: false, notes: vec![], doubt: None });
        assert_eq!(means.explained("it died".into()), "it died");
        assert!(!means.is_emergency(EMERGENCY));
        means.heed(&Header { improper: true, ..example() }, Some("no avx".into()));
        assert!(means.force && means.notes[0].contains("it is replayed with -F"), "{means:?}");
        assert_eq!(means.notes[1], "no avx");
        assert_eq!(means.explained("it died".into()), "it died (no avx)");
        assert_eq!(
            means.explained(format!("[FATAL] {TOO_OLD} to replay the trace")),
            "[FATAL] This rr build is too old to replay the trace (a newer rr replays it: set RETROGRADE_RR to its \
             path)"
        );
        assert!(means.is_emergency(&format!("x\n{EMERGENCY}\ny")));
    }
}
