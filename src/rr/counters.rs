//! Which tick counter rr uses: the CPU's, rr's own software mode, or our preloaded object.

use super::error::Error;
use super::leftovers;
use super::perf::{self, Pmu};
use super::process::ask;
use super::program::{Identity, Rr};
use super::self_test::Tried;
use base::untrusted::PathText as _;
use softcounters::ProgramFacts;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Duration;

/// The environment variable that overrides the choice.
pub(super) const OVERRIDE: &str = "RETROGRADE_COUNTERS";

/// Said of counters that somebody else has.
const TAKEN: &str = "this machine's performance counters cannot be had now; another program may use them";

/// What else the dynamic linker loads into rr.
const PRELOAD: &str = "LD_PRELOAD";

/// Where the tick counter comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counters {
    /// The CPU's performance monitoring unit.
    Hardware,
    /// The software counters that the rr.soft fork has, option `-W`.
    RrSoftware,
    /// Our own software counters, preloaded into rr.
    Soft,
}

impl Counters {
    /// All there are.
    const ALL: [Self; 3] = [Self::Hardware, Self::RrSoftware, Self::Soft];

    /// Returns the name of the counters: one word, as a recording's manifest has it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Hardware => "hardware",
            Self::RrSoftware => "rr-software",
            Self::Soft => "soft",
        }
    }

    /// Looks up the counters of a name: the inverse of [`name`](Self::name).
    pub(super) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|counters| counters.name() == name)
    }

    /// Returns a description of the counters in words.
    pub(super) fn description(self) -> &'static str {
        match self {
            Self::Hardware => "hardware counters",
            Self::RrSoftware => "rr's own software counters (-W)",
            Self::Soft => "soft counters",
        }
    }

    /// Returns what they cost, for a user.
    pub fn cost(self) -> &'static str {
        match self {
            Self::Hardware => "hardware counters: usually less than 2x slower than native",
            Self::RrSoftware => {
                "rr's own software counters (-W): roughly 2x to 5x slower than native, more for short-lived processes"
            }
            Self::Soft => softcounters::slowdown_estimate(),
        }
    }
}

impl fmt::Display for Counters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The counters that will be used, and the reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selection {
    /// Which.
    pub counters: Counters,
    /// Why, in words.
    pub reason: String,
    /// What rr said when it turned down the hardware counters that would have been chosen.
    pub refusal: Option<String>,
    /// Hardware counters were not chosen as somebody else has them, which may soon be over.
    pub for_now: bool,
}

impl Selection {
    /// Returns a note that these are not the counters a user of this machine would expect, if so.
    pub(super) fn note(&self) -> Option<String> {
        let used = self.counters.description();
        if self.for_now {
            return Some(format!("{TAKEN}, so {used} are used this time"));
        }
        let refusal = self.refusal.as_ref()?;
        Some(format!("rr refused this machine's hardware counters, so {used} are used; rr said: {refusal}"))
    }
}

/// What the user asked for in `RETROGRADE_COUNTERS`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wish {
    Auto,
    Hardware,
    Soft,
}

pub(super) fn wish(value: Option<OsString>) -> Result<Wish, Error> {
    let value = value.unwrap_or_default();
    match value.to_str() {
        Some("" | "auto") => Ok(Wish::Auto),
        Some("hardware") => Ok(Wish::Hardware),
        Some("soft") => Ok(Wish::Soft),
        _ => Err(Error::UnknownCounters(value.to_string_lossy().into_owned())),
    }
}

/// What this machine's CPU offers rr.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Machine {
    /// As `/proc/cpuinfo` spells it; empty where it has no such line.
    pub(super) vendor: String,
    /// The CPU's counters.
    pub(super) pmu: Pmu,
    /// Whether it is an AMD Zen whose SpecLockMap optimisation would make rr refuse the CPU's counters. `None`: one of
    /// which that cannot be told.
    pub(super) speclockmap: Option<bool>,
}

impl Machine {
    /// Returns the machine, as it was found once in this process. Counters that somebody else has are looked at again
    /// each time.
    pub(super) fn this() -> Self {
        static THIS: OnceLock<Machine> = OnceLock::new();
        if let Some(known) = THIS.get() {
            return known.clone();
        }
        let machine = Self::look();
        if machine.is_taken() { machine } else { THIS.get_or_init(|| machine).clone() }
    }

    /// Looks at the machine as it is now.
    pub(super) fn look() -> Self {
        let vendor = vendor(&std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default());
        let pmu = perf::probe_pmu(&vendor);
        let zen = pmu == Pmu::Usable && vendor == "AuthenticAMD";
        let speclockmap = if zen { perf::zen_speclockmap() } else { Some(false) };
        Self { vendor, pmu, speclockmap }
    }

    /// Returns whether somebody else has the counters, so that what can be told of them is true for the moment only.
    fn is_taken(&self) -> bool {
        matches!((&self.pmu, self.speclockmap), (Pmu::Taken, _) | (Pmu::Usable, None))
    }

    /// Returns whether its counters arrive late, as AMD's do: rr walks the last 10,000 branches to wherever it goes.
    pub(super) fn is_amd(&self) -> bool {
        matches!(self.vendor.as_str(), "AuthenticAMD" | "HygonGenuine")
    }

    /// Returns whether the SpecLockMap optimisation is on: rr refuses its counters then, unless it is forced.
    pub(super) fn has_speclockmap(&self) -> bool {
        (&self.pmu, self.speclockmap) == (&Pmu::Usable, Some(true))
    }

    /// Returns why the CPU's counters cannot be used, if they cannot.
    pub(super) fn obstacle(&self) -> Option<&'static str> {
        match self.pmu {
            Pmu::Usable => match self.speclockmap {
                Some(true) => Some("the SpecLockMap optimisation of this Zen CPU is on"),
                Some(false) => None,
                None => Some(TAKEN),
            },
            Pmu::Taken => Some(TAKEN),
            Pmu::Silent => Some("this machine's performance counters do not count"),
            Pmu::Absent => Some("this machine has no performance counter for conditional branches"),
            Pmu::Forbidden => Some("this system does not permit performance counters"),
        }
    }
}

/// Returns the vendor in the text of `/proc/cpuinfo`.
fn vendor(cpuinfo: &str) -> String {
    let line = cpuinfo.lines().find(|line| line.starts_with("vendor_id"));
    line.and_then(|line| line.split_once(':')).map(|(_, v)| v.trim().to_owned()).unwrap_or_default()
}

/// Chooses the counters, from all that it depends on.
fn select(wish: Wish, machine: &Machine, rr_software: bool, soft: bool) -> Result<Selection, Error> {
    let for_now = wish == Wish::Auto && machine.is_taken();
    let selection = |counters, reason: String| Ok(Selection { counters, reason, refusal: None, for_now });
    let because = match (wish, machine.obstacle()) {
        (Wish::Hardware, _) => return selection(Counters::Hardware, format!("{OVERRIDE}=hardware")),
        (Wish::Auto, None) => return selection(Counters::Hardware, "this machine's counters work".into()),
        (Wish::Auto, Some(obstacle)) => obstacle.to_owned(),
        (Wish::Soft, _) => format!("{OVERRIDE}=soft"),
    };
    match in_software(rr_software, soft) {
        Some(Counters::RrSoftware) => {
            selection(Counters::RrSoftware, format!("{because}, and this rr has software counters of its own"))
        }
        Some(counters) => selection(counters, because),
        None => Err(Error::NoCounters(format!(
            "{because}, soft counters are not available on this machine, and this rr has no software counters (-W)"
        ))),
    }
}

/// Returns the counters that need no hardware, if any can be had.
pub(super) fn in_software(rr_software: bool, soft: bool) -> Option<Counters> {
    match (rr_software, soft) {
        (true, _) => Some(Counters::RrSoftware),
        (false, true) => Some(Counters::Soft),
        (false, false) => None,
    }
}

impl Rr {
    /// Chooses the counters for a new recording: `RETROGRADE_COUNTERS`, or else the first that work of hardware, rr's
    /// own `-W`, and ours. Whether hardware works is for rr to say, which looks at more than we do: it is asked, once,
    /// to record a tiny program.
    pub fn counters(&self) -> Result<Selection, Error> {
        let wish = wish(std::env::var_os(OVERRIDE))?;
        self.counters_on(wish, &Machine::this(), Machine::look)
    }

    /// Chooses the counters on a machine. `look`: at the machine as it is after rr was asked.
    fn counters_on(&self, wish: Wish, machine: &Machine, look: fn() -> Machine) -> Result<Selection, Error> {
        let selection = select(wish, machine, self.has_software_counters(), softcounters::available())?;
        if (wish, selection.counters) != (Wish::Auto, Counters::Hardware) {
            return Ok(selection);
        }
        let refusal = self.hardware_refusal(look)?;
        Ok(refusal.and_then(|words| self.instead_of_hardware(words)).unwrap_or(selection))
    }

    /// Finds out what rr says against this machine's hardware counters, which look usable.
    pub(super) fn hardware_refusal(&self, look: fn() -> Machine) -> Result<Option<String>, Error> {
        known_refusal(self.identity()).map_or_else(|| self.ask_about_hardware(look), Ok)
    }

    /// Has rr record a tiny program with hardware counters, and remembers what it says against it.
    fn ask_about_hardware(&self, look: fn() -> Machine) -> Result<Option<String>, Error> {
        let other = in_software(self.has_software_counters(), softcounters::available());
        let Some(refusal) = found_out(other, |counters| self.try_recording(counters))? else { return Ok(None) };
        // What it says of counters that somebody has taken meanwhile is true for the moment only.
        if refusal.is_none() || !look().is_taken() {
            remember_refusal(self.identity(), refusal.clone());
        }
        Ok(refusal)
    }

    /// Returns the counters to use if rr has just refused hardware and said this. `None` if there are no others, or if
    /// hardware was asked for.
    pub(super) fn after_refusal(&self, words: String) -> Option<Selection> {
        let wish = wish(std::env::var_os(OVERRIDE)).ok()?;
        (wish == Wish::Auto).then(|| self.instead_of_hardware(words)).flatten()
    }

    fn instead_of_hardware(&self, words: String) -> Option<Selection> {
        let counters = in_software(self.has_software_counters(), softcounters::available())?;
        let reason = format!("rr refused this machine's hardware counters: {words}");
        Some(Selection { counters, reason, refusal: Some(words), for_now: false })
    }

    /// Remembers that rr refused hardware: from now on hardware is not chosen any more for this rr, unless it cannot be
    /// had just now.
    pub(super) fn note_refused_hardware(&self, words: String) {
        if !Machine::look().is_taken() {
            remember_refusal(self.identity(), Some(words));
        }
    }

    /// Returns a command that runs a subcommand of this rr with these counters.
    pub(super) fn counting_command(&self, counters: Counters, subcommand: &str) -> Result<Command, Error> {
        let counting = self.counting(counters, subcommand)?;
        let mut command = Command::new(self.program());
        counting.add_to(&mut command, subcommand);
        Ok(command)
    }

    /// Returns whether the kernel lets this rr guard system calls that its buffer makes, should they block: else it can
    /// have no buffer.
    pub fn guards_buffered_calls(&self) -> bool {
        perf::kernel_events().is_ok() || self.version() >= (5, 9, 0) && perf::switch_records()
    }

    /// Returns the options and the environment that these counters take in a subcommand of this rr, after removing what
    /// would stop it: files that a killed rr left.
    pub(super) fn counting(&self, counters: Counters, subcommand: &str) -> Result<Counting, Error> {
        leftovers::remove();
        let mut counting = Counting::default();
        match counters {
            Counters::Hardware => {}
            Counters::RrSoftware => counting.options.push("-W".into()),
            Counters::Soft => {
                let object = softcounters::install().map_err(Error::io("install the soft counters"))?;
                let kind = self.test_soft_counters(&object)?.kind;
                counting.environment = softcounters::environment(&object, std::env::var_os(PRELOAD));
                // On processors of that kind rr makes a test that needs a software event.
                let kind = kind.filter(|_| perf::software_events().is_ok());
                let is_replay = subcommand != "record";
                let arrival = softcounters::arrival(kind, is_replay, std::env::var_os(softcounters::LATENESS));
                counting.globals = arrival.globals;
                counting.environment.extend(arrival.variable);
                if !is_replay {
                    counting.environment.push(softcounters::refused_calls(std::env::var_os(softcounters::REFUSED)));
                    let wanted = std::env::var_os(softcounters::BUFFER);
                    let guard = self.guards_buffered_calls();
                    counting
                        .options
                        .extend(softcounters::record_options(wanted.as_deref(), guard).iter().map(OsString::from));
                }
            }
        }
        Ok(counting)
    }
}

/// What counters take to be used in a command of rr.
#[derive(Debug, Default)]
pub(super) struct Counting {
    /// Added to rr's environment.
    pub(super) environment: Vec<(OsString, OsString)>,
    /// Options before the subcommand.
    pub(super) globals: Vec<OsString>,
    /// Options after it.
    pub(super) options: Vec<OsString>,
}

impl Counting {
    /// Makes a bare command of rr one with this subcommand.
    pub(super) fn add_to(self, command: &mut Command, subcommand: &str) {
        command.envs(self.environment);
        command.args(self.globals).arg(subcommand).args(self.options);
    }
}

/// Finds out what there is against hardware counters; `None` if that could not be found out. If no recording can be
/// made with the other counters, either, they are not to blame.
fn found_out(
    other: Option<Counters>,
    mut tried: impl FnMut(Counters) -> Result<Tried, Error>,
) -> Result<Option<Option<String>>, Error> {
    let (words, software) = match (tried(Counters::Hardware)?, other) {
        (Tried::NotKnown, _) => return Ok(None),
        (Tried::Works, _) | (Tried::Fails(_), None) => return Ok(Some(None)),
        (Tried::Fails(words), Some(other)) => (words, tried(other)?),
    };
    Ok(match software {
        Tried::Works => Some(Some(words)),
        Tried::Fails(_) => Some(None),
        Tried::NotKnown => None,
    })
}

/// What these programs were found to say against hardware counters in this process, if anything.
static REFUSALS: Mutex<BTreeMap<Identity, Option<String>>> = Mutex::new(BTreeMap::new());

fn known_refusal(rr: &Identity) -> Option<Option<String>> {
    REFUSALS.lock().unwrap_or_else(PoisonError::into_inner).get(rr).cloned()
}

fn remember_refusal(rr: &Identity, words: Option<String>) {
    REFUSALS.lock().unwrap_or_else(PoisonError::into_inner).insert(rr.clone(), words);
}

/// What rr does with our software counters was found out for these, in this process: the program and the object.
static TESTED: Mutex<BTreeMap<(Identity, PathBuf), ProgramFacts>> = Mutex::new(BTreeMap::new());
/// How long a run of rr that does nothing may take.
const PATIENCE: Duration = Duration::from_secs(10);

impl Rr {
    /// Checks that this rr can have our software counters.
    pub(super) fn soft_counters(&self) -> Result<(), Error> {
        let object = softcounters::install().map_err(Error::io("install the soft counters"))?;
        self.test_soft_counters(&object).map(drop)
    }

    /// Finds out, once per process and program, whether our software counters work in this rr: if they did not, rr
    /// would end with an assertion that does not say why.
    fn test_soft_counters(&self, object: &Path) -> Result<ProgramFacts, Error> {
        let key = (self.identity().clone(), object.to_owned());
        if let Some(&found) = TESTED.lock().unwrap_or_else(PoisonError::into_inner).get(&key) {
            return Ok(found);
        }
        let refused = |reason: String| Error::SoftCounters { program: self.program().to_owned(), reason };
        let reading = Error::io(format!("read `{}`", self.program().in_text()));
        let inspected = softcounters::inspect(self.program()).map_err(reading)?;
        let found = inspected.map_err(|obstacle| refused(obstacle.to_string()))?;
        let mut command = self.plain_command("--version");
        command.envs(softcounters::environment(object, std::env::var_os(PRELOAD))).envs([softcounters::handshake()]);
        let answer = ask(command, "--version", PATIENCE, &self.cancel)?;
        softcounters::shook_hands(&answer.stderr).map_err(|obstacle| refused(obstacle.to_string()))?;
        TESTED.lock().unwrap_or_else(PoisonError::into_inner).insert(key, found);
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::tests::script;

    fn machine(pmu: Pmu, speclockmap: bool) -> Machine {
        Machine { vendor: "x".into(), pmu, speclockmap: Some(speclockmap) }
    }

    fn chosen(wish: Wish, pmu: Pmu, rr_software: bool, soft: bool) -> Option<Counters> {
        select(wish, &machine(pmu, false), rr_software, soft).ok().map(|s| s.counters)
    }

    #[test]
    fn auto_prefers_hardware_then_rrs_own_then_ours() {
        assert_eq!(chosen(Wish::Auto, Pmu::Usable, true, true), Some(Counters::Hardware));
        assert_eq!(chosen(Wish::Auto, Pmu::Absent, true, true), Some(Counters::RrSoftware));
        assert_eq!(chosen(Wish::Auto, Pmu::Silent, false, true), Some(Counters::Soft));
        assert_eq!(chosen(Wish::Auto, Pmu::Forbidden, false, false), None);
    }

    #[test]
    fn an_override_is_obeyed() {
        assert_eq!(chosen(Wish::Hardware, Pmu::Absent, true, true), Some(Counters::Hardware));
        assert_eq!(chosen(Wish::Soft, Pmu::Usable, true, true), Some(Counters::RrSoftware));
        assert_eq!(chosen(Wish::Soft, Pmu::Usable, false, true), Some(Counters::Soft));
        assert_eq!(chosen(Wish::Soft, Pmu::Usable, false, false), None);
    }

    #[test]
    fn a_zen_that_rr_would_refuse_counts_in_software() {
        let selection = select(Wish::Auto, &machine(Pmu::Usable, true), false, true).unwrap();
        assert_eq!(selection.counters, Counters::Soft);
        assert_eq!(selection.reason, "the SpecLockMap optimisation of this Zen CPU is on");
    }

    #[test]
    fn counters_that_somebody_else_has_are_not_chosen() {
        let unknown = Machine { speclockmap: None, ..machine(Pmu::Usable, false) };
        for machine in [unknown, machine(Pmu::Taken, false)] {
            let selection = select(Wish::Auto, &machine, false, true).unwrap();
            assert_eq!(selection.counters, Counters::Soft);
            let taken = "this machine's performance counters cannot be had now; another program may use them";
            assert_eq!(selection.reason, taken);
            assert_eq!(selection.note(), Some(format!("{taken}, so soft counters are used this time")));
            assert!(machine.is_taken());
            assert_eq!(select(Wish::Soft, &machine, false, true).unwrap().note(), None);
        }
        assert!(!machine(Pmu::Usable, true).is_taken() && !machine(Pmu::Silent, false).is_taken());
    }

    #[test]
    fn a_trial_that_tells_nothing_is_no_refusal() {
        let found = |hardware: Tried, software: Tried| {
            let mut answers = vec![software, hardware];
            found_out(Some(Counters::Soft), |_| Ok(answers.pop().unwrap())).unwrap()
        };
        let fails = || Tried::Fails("no".into());
        assert_eq!(found(fails(), Tried::Works), Some(Some("no".into())));
        assert_eq!(found(fails(), fails()), Some(None));
        assert_eq!(found(Tried::Works, fails()), Some(None));
        assert_eq!(found(Tried::NotKnown, Tried::Works), None);
        assert_eq!(found(fails(), Tried::NotKnown), None);
    }

    /// An rr with `-W` that says something against hardware counters, and perhaps against all, and how often it was
    /// run.
    fn refusing(directory: &Path, with_software: &str) -> (Rr, PathBuf) {
        let log = directory.join("log");
        let text = format!(
            "#!/bin/sh\n[ \"$1\" = --version ] && echo 'rr version 5.9.0 '\n\
             [ \"$1\" = --help ] && echo ' -W --software-counters'\n\
             [ \"$1\" = record ] || exit 0\necho \"$2\" >> '{}'\n[ \"$2\" = -W ] && {with_software}\n\
             echo '[FATAL x.cc:9] On Zen CPUs, rr will not work reliably' >&2\nexit 1\n",
            log.display()
        );
        (Rr::at(&script(directory, "rr", &text)).unwrap(), log)
    }

    #[test]
    fn hardware_that_rr_refuses_is_not_chosen_and_what_it_says_is_remembered() {
        let directory = tempfile::tempdir().unwrap();
        let (rr, log) = refusing(directory.path(), "exit 0");
        let usable = machine(Pmu::Usable, false);
        // Somebody takes the counters: what rr says then is not remembered.
        let selection = rr.counters_on(Wish::Auto, &usable, || machine(Pmu::Taken, false)).unwrap();
        assert_eq!(selection.counters, Counters::RrSoftware);
        assert_eq!(rr.counters_on(Wish::Auto, &usable, || machine(Pmu::Usable, false)).unwrap(), selection);
        assert_eq!(
            selection.note().unwrap(),
            "rr refused this machine's hardware counters, so rr's own software counters (-W) are used; rr said: \
             [FATAL x.cc:9] On Zen CPUs, rr will not work reliably"
        );
        assert_eq!(rr.counters_on(Wish::Auto, &usable, || machine(Pmu::Usable, false)).unwrap(), selection);
        assert_eq!(std::fs::read_to_string(log).unwrap().lines().count(), 4);
        let asked_for = rr.counters_on(Wish::Hardware, &usable, || machine(Pmu::Usable, false)).unwrap();
        assert_eq!((asked_for.counters, asked_for.note()), (Counters::Hardware, None));
    }

    #[test]
    fn an_rr_that_records_nothing_at_all_says_nothing_about_counters() {
        let directory = tempfile::tempdir().unwrap();
        let (rr, _) = refusing(directory.path(), "exit 1");
        let usable = || machine(Pmu::Usable, false);
        let selection = rr.counters_on(Wish::Auto, &usable(), usable).unwrap();
        assert_eq!((selection.counters, selection.note()), (Counters::Hardware, None));
    }

    #[test]
    fn the_reason_is_told() {
        let reason = |wish, pmu| select(wish, &machine(pmu, false), false, true).unwrap().reason;
        assert_eq!(reason(Wish::Soft, Pmu::Usable), "RETROGRADE_COUNTERS=soft");
        assert_eq!(reason(Wish::Auto, Pmu::Usable), "this machine's counters work");
        assert_eq!(reason(Wish::Auto, Pmu::Silent), "this machine's performance counters do not count");
    }

    #[test]
    fn the_environment_variable_has_three_values() {
        assert_eq!(wish(None).unwrap(), Wish::Auto);
        assert_eq!(wish(Some("".into())).unwrap(), Wish::Auto);
        assert_eq!(wish(Some("auto".into())).unwrap(), Wish::Auto);
        assert_eq!(wish(Some("hardware".into())).unwrap(), Wish::Hardware);
        assert_eq!(wish(Some("soft".into())).unwrap(), Wish::Soft);
        assert_eq!(
            wish(Some("fast".into())).unwrap_err().to_string(),
            "RETROGRADE_COUNTERS is `fast`; valid values are auto, hardware and soft"
        );
    }

    #[test]
    fn names_can_be_read_back() {
        for counters in Counters::ALL {
            assert_eq!(Counters::named(counters.name()), Some(counters));
        }
        assert_eq!(Counters::named("quartz"), None);
    }

    #[test]
    fn the_vendor_is_read_from_cpuinfo() {
        assert_eq!(vendor("processor\t: 0\nvendor_id\t: GenuineIntel\ncpu family\t: 6\n"), "GenuineIntel");
        assert_eq!(vendor("processor\t: 0\nCPU implementer\t: 0x41\n"), "");
    }
}
