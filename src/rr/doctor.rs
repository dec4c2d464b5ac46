//! What this machine can do: one check per thing that recording and replaying need.

use super::compatibility::Here;
use super::counters::{Counters, Machine, Selection};
use super::error::{Error, HOW_TO_GET_RR};
use super::perf::{self, Pmu};
use super::program::Rr;
use super::self_test::Trial;
use base::cancel::Cancel;
use base::untrusted::PathText as _;
use std::fs;
use std::io;
use std::path::Path;

/// How good the news is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// As it should be.
    Ok,
    /// It works, with a limit.
    Warning,
    /// Recording or replaying does not work.
    Blocker,
}

/// One thing that was looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    /// What it is about, in a word or two.
    pub name: &'static str,
    /// How good the news is.
    pub verdict: Verdict,
    /// What was found.
    pub found: String,
    /// What to do about it. Always there unless the verdict is [`Verdict::Ok`].
    pub remedy: Option<String>,
}

impl Check {
    fn ok(name: &'static str, found: impl Into<String>) -> Self {
        Self { name, verdict: Verdict::Ok, found: found.into(), remedy: None }
    }

    fn warning(name: &'static str, found: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { name, verdict: Verdict::Warning, found: found.into(), remedy: Some(remedy.into()) }
    }

    fn blocker(name: &'static str, found: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { name, verdict: Verdict::Blocker, found: found.into(), remedy: Some(remedy.into()) }
    }
}

/// Looks at everything that recording and replaying depend on. It tries things out rather than trust settings, records
/// and replays a tiny program to measure what that costs, until that is cancelled, and leaves nothing changed.
pub fn doctor(cancel: &Cancel) -> Vec<Check> {
    let machine = &Machine::this();
    let rr = Rr::find().map(|rr| rr.with_cancel(cancel));
    let selection = rr.as_ref().ok().map(Rr::counters);
    // Without an rr, or with a choice that means nothing, one of those that can be had is assumed.
    let counters = match &selection {
        None | Some(Err(Error::UnknownCounters(_))) => Some(Counters::Soft),
        Some(selection) => selection.as_ref().ok().map(|selection| selection.counters),
    };
    let can_be_tried = cfg!(target_arch = "x86_64") && matches!(selection, Some(Ok(_)));
    let trial = rr.as_ref().ok().filter(|_| can_be_tried).map(Rr::trial);
    let paranoid = fs::read_to_string("/proc/sys/kernel/perf_event_paranoid").ok();
    vec![
        check_rr(&rr),
        check_architecture(std::env::consts::ARCH),
        check_counters(selection),
        check_pmu(machine, counters),
        check_zen(machine),
        check_paranoid(paranoid.as_deref().map(str::trim), counters, perf::kernel_events().is_ok()),
        check_software_events(perf::software_events(), counters, machine),
        check_cpuid(Here::this().cpuid_faulting),
        check_ptrace(try_ptrace(), yama_scope()),
        check_debug_files(Path::new("/usr/lib/debug")),
        check_trial(trial),
    ]
}

fn check_rr(rr: &Result<Rr, Error>) -> Check {
    match rr {
        Ok(rr) => {
            let (major, minor, patch) = rr.version();
            let found = format!("{major}.{minor}.{patch} at {}", rr.program().in_text());
            if rr.version() >= (5, 6, 0) {
                Check::ok("rr", found)
            } else {
                Check::warning(
                    "rr",
                    found,
                    "versions before 5.6 are not supported; get a newer one with `pip install karellen-rr`",
                )
            }
        }
        Err(error) => {
            // The error ends with the remedy, which has a place of its own here.
            let words = error.to_string();
            let found = words.strip_suffix(HOW_TO_GET_RR).map_or(&*words, |found| found.trim_end_matches("; "));
            Check::blocker("rr", found, HOW_TO_GET_RR)
        }
    }
}

fn check_architecture(architecture: &str) -> Check {
    let found = format!("{architecture} Linux");
    match architecture {
        "x86_64" => Check::ok("architecture", found),
        "aarch64" => Check::warning("architecture", found, "there are no soft counters for it; use hardware counters"),
        _ => Check::blocker("architecture", found, "record and replay on x86_64 or aarch64"),
    }
}

fn check_counters(selection: Option<Result<Selection, Error>>) -> Check {
    const NAME: &str = "counters";
    match selection {
        Some(Ok(Selection { counters, reason, refusal, for_now })) => {
            let found = format!("{}; chosen because {reason}", counters.cost());
            match refusal {
                None if for_now => Check::warning(NAME, found, "for full speed end what uses them, such as `perf`"),
                None => Check::ok(NAME, found),
                Some(_) => Check::warning(NAME, found, "for full speed do what rr says about its hardware counters"),
            }
        }
        Some(Err(error @ Error::UnknownCounters(_))) => {
            Check::blocker(NAME, error.to_string(), "unset RETROGRADE_COUNTERS, or set it to one of these")
        }
        Some(Err(error)) => Check::blocker(
            NAME,
            error.to_string(),
            "use a machine with a PMU that its hypervisor passes on, or an x86_64 machine for soft counters",
        ),
        None => Check::warning(NAME, "not known without an rr", "see above"),
    }
}

fn check_pmu(machine: &Machine, counters: Option<Counters>) -> Check {
    const NAME: &str = "pmu";
    let found = match machine.pmu {
        Pmu::Usable => return Check::ok(NAME, "conditional branches and cycles are counted"),
        Pmu::Silent => "its counters can be opened, but do not count",
        Pmu::Taken => "its counters can be opened, but cannot be had now; another program may use them",
        Pmu::Absent => "no counter for conditional branches, as in most virtual machines and containers",
        Pmu::Forbidden => "counters are not permitted here, so it is unknown whether the machine has any",
    };
    let remedy = "for full speed use a machine whose hypervisor passes the PMU on, or permit perf_event_open";
    match counters {
        Some(Counters::Hardware) | None => Check::blocker(NAME, found, remedy),
        Some(Counters::RrSoftware | Counters::Soft) => Check::warning(NAME, found, remedy),
    }
}

fn check_zen(machine: &Machine) -> Check {
    const NAME: &str = "zen";
    if machine.speclockmap == Some(true) {
        return Check::warning(
            NAME,
            "the SpecLockMap optimisation of this AMD Zen CPU is on, so rr refuses its counters",
            "for hardware counters turn it off with rr's script zen_workaround.py as root, see \
             https://github.com/rr-debugger/rr/wiki/Zen",
        );
    }
    match (machine.vendor.as_str(), &machine.pmu) {
        ("AuthenticAMD", Pmu::Usable) if machine.speclockmap.is_some() => {
            Check::ok(NAME, "the work-around is in place")
        }
        ("AuthenticAMD", _) => Check::ok(NAME, "no work-around is needed, as hardware counters are not used"),
        _ => Check::ok(NAME, "not an AMD CPU, no work-around is needed"),
    }
}

/// Checks the setting. `kernel_events`: whether those events can be opened that the setting restricts first.
fn check_paranoid(value: Option<&str>, counters: Option<Counters>, kernel_events: bool) -> Check {
    const NAME: &str = "perf_event_paranoid";
    let Some(value) = value else {
        return Check::warning(
            NAME,
            "this kernel has no such setting, so probably no performance events",
            "use a kernel with CONFIG_PERF_EVENTS",
        );
    };
    if kernel_events {
        return Check::ok(NAME, format!("{value}, and this user may use all events"));
    }
    let remedy = "sudo sysctl kernel.perf_event_paranoid=1";
    match (counters, value.parse::<i32>()) {
        (Some(Counters::RrSoftware | Counters::Soft), Ok(..=2)) => {
            Check::ok(NAME, format!("{value}, low enough for software counters"))
        }
        (_, Ok(..=2)) => Check::warning(NAME, format!("{value}, which rr may find too high"), remedy),
        _ => Check::blocker(NAME, format!("{value}, which is too high"), remedy),
    }
}

fn check_software_events(opened: io::Result<()>, counters: Option<Counters>, machine: &Machine) -> Check {
    const NAME: &str = "software events";
    let Err(error) = opened else {
        return Check::ok(NAME, "can be opened");
    };
    let found = format!("perf_event_open is refused: {error}");
    let remedy = "sudo sysctl kernel.perf_event_paranoid=1; in a container also permit the system call, e.g. with \
                  `--cap-add=PERFMON` or `--security-opt seccomp=unconfined`";
    match counters {
        Some(Counters::RrSoftware) => Check::warning(NAME, found, remedy),
        // On Intel's processors rr looks for a bug of a hypervisor by means that our counters cannot stand in for.
        Some(Counters::Soft) if machine.vendor != "GenuineIntel" => Check::warning(NAME, found, remedy),
        _ => Check::blocker(NAME, found, remedy),
    }
}

/// Checks recording and replaying. `tried`: what came of recording and replaying a program, if that could be tried.
fn check_trial(tried: Option<Result<Trial, Error>>) -> Check {
    const NAME: &str = "trial";
    match tried {
        Some(Ok(trial)) => Check::ok(NAME, trial.to_string()),
        Some(Err(error)) => Check::blocker(
            NAME,
            error.to_string(),
            "see the checks above; if all is well there, `retrograde rr record true` shows all that rr says",
        ),
        None => Check::warning(
            NAME,
            "nothing was recorded: there is no rr, no counters for it, or no program for this architecture",
            "see above",
        ),
    }
}

/// Checks what decides which recordings of other machines can be replayed here.
fn check_cpuid(faulting: bool) -> Check {
    const NAME: &str = "cpuid faulting";
    if faulting {
        return Check::ok(NAME, "available, so that recordings of other processors can be replayed");
    }
    Check::warning(
        NAME,
        "not available: of other machines' recordings only those can be replayed that were made without it, too, on \
         the same model of processor",
        "replay others where /proc/cpuinfo has the flag cpuid_fault; nothing is to be done for recordings made here",
    )
}

fn check_ptrace(attached: io::Result<()>, yama: Option<u32>) -> Check {
    const NAME: &str = "ptrace";
    let scope = yama.map_or_else(|| "no yama".to_owned(), |scope| format!("yama scope {scope}"));
    let Err(error) = attached else {
        return Check::ok(NAME, format!("permitted ({scope})"));
    };
    let found = format!("attaching to a child process is refused: {error} ({scope})");
    match yama {
        Some(2..) => Check::blocker(NAME, found, "sudo sysctl kernel.yama.ptrace_scope=1"),
        _ => Check::blocker(NAME, found, "in a container permit it, e.g. with `docker run --cap-add=SYS_PTRACE`"),
    }
}

fn yama_scope() -> Option<u32> {
    fs::read_to_string("/proc/sys/kernel/yama/ptrace_scope").ok()?.trim().parse().ok()
}

/// Attaches to a child in the way that rr does.
fn try_ptrace() -> io::Result<()> {
    // SAFETY: the child, a copy of a process that may have several threads, makes only async-signal-safe calls: it
    // waits for a signal until it is killed, which the kernel does by itself if this process dies first.
    let child = unsafe { libc::fork() };
    match child {
        -1 => Err(io::Error::last_os_error()),
        0 => loop {
            // SAFETY: plain system calls.
            unsafe {
                libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
                libc::pause();
            }
        },
        child => {
            let options = libc::PTRACE_O_EXITKILL | libc::PTRACE_O_TRACESYSGOOD;
            let none: *mut libc::c_void = std::ptr::null_mut();
            // SAFETY: the child is ours and not yet reaped; PTRACE_SEIZE takes no address, and its options by value.
            let refused = unsafe { libc::ptrace(libc::PTRACE_SEIZE, child, none, options as usize) } != 0;
            let result = if refused { Err(io::Error::last_os_error()) } else { Ok(()) };
            // SAFETY: as above; a killed child ends at once, and is reaped here.
            unsafe {
                libc::kill(child, libc::SIGKILL);
                libc::waitpid(child, std::ptr::null_mut(), libc::__WALL);
            }
            result
        }
    }
}

fn check_debug_files(directory: &Path) -> Check {
    const NAME: &str = "debug info";
    let has_build_ids = fs::read_dir(directory.join(".build-id")).is_ok_and(|mut entries| entries.next().is_some());
    if has_build_ids {
        Check::ok(NAME, format!("{} has files for system libraries", directory.in_text()))
    } else {
        Check::warning(
            NAME,
            format!("{} has no files for system libraries, so that their insides cannot be shown", directory.in_text()),
            "if needed: sudo apt-get install libc6-dbg, or similar",
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn machine(vendor: &str, pmu: Pmu, speclockmap: bool) -> Machine {
        Machine { vendor: vendor.into(), pmu, speclockmap: Some(speclockmap) }
    }

    #[test]
    fn all_checks_are_there_and_what_is_not_well_has_a_remedy() {
        let checks = doctor(&Cancel::default());
        let names: Vec<_> = checks.iter().map(|check| check.name).collect();
        assert_eq!(
            names,
            [
                "rr",
                "architecture",
                "counters",
                "pmu",
                "zen",
                "perf_event_paranoid",
                "software events",
                "cpuid faulting",
                "ptrace",
                "debug info",
                "trial"
            ]
        );
        for check in checks {
            assert_eq!(check.remedy.is_none(), check.verdict == Verdict::Ok, "{check:?}");
        }
    }

    #[test]
    fn the_remedy_for_a_missing_rr_is_told_once() {
        let looked = "PATH has no `rr`".to_owned();
        let check = check_rr(&Err(Error::NotFound { looked }));
        assert_eq!((check.verdict, check.found.as_str()), (Verdict::Blocker, "no rr found: PATH has no `rr`"));
        assert_eq!(check.remedy.as_deref(), Some(HOW_TO_GET_RR));
        assert_eq!(check_counters(None).remedy.as_deref(), Some("see above"));
        let broken = Error::NotRr { program: "/bin/true".into(), reason: "it says nothing".into() };
        assert_eq!(check_rr(&Err(broken)).found, "`/bin/true` is not a usable rr: it says nothing");
    }

    #[test]
    fn a_missing_pmu_blocks_only_hardware_counters() {
        let without = machine("GenuineIntel", Pmu::Absent, false);
        assert_eq!(check_pmu(&without, Some(Counters::Soft)).verdict, Verdict::Warning);
        assert_eq!(check_pmu(&without, Some(Counters::RrSoftware)).verdict, Verdict::Warning);
        assert_eq!(check_pmu(&without, Some(Counters::Hardware)).verdict, Verdict::Blocker);
        let with = machine("GenuineIntel", Pmu::Usable, false);
        assert_eq!(check_pmu(&with, Some(Counters::Hardware)).verdict, Verdict::Ok);
    }

    #[test]
    fn only_a_zen_with_speclockmap_needs_the_work_around() {
        let verdict = |vendor, pmu, speclockmap| check_zen(&machine(vendor, pmu, speclockmap)).verdict;
        assert_eq!(verdict("AuthenticAMD", Pmu::Usable, true), Verdict::Warning);
        assert_eq!(verdict("AuthenticAMD", Pmu::Usable, false), Verdict::Ok);
        assert_eq!(verdict("AuthenticAMD", Pmu::Absent, false), Verdict::Ok);
        assert_eq!(verdict("GenuineIntel", Pmu::Usable, false), Verdict::Ok);
    }

    #[test]
    fn a_paranoid_kernel_is_judged_by_what_it_forbids() {
        let verdict = |value, counters, kernel| check_paranoid(value, Some(counters), kernel).verdict;
        assert_eq!(verdict(Some("4"), Counters::Hardware, true), Verdict::Ok);
        assert_eq!(verdict(Some("2"), Counters::Hardware, false), Verdict::Warning);
        assert_eq!(verdict(Some("2"), Counters::Soft, false), Verdict::Ok);
        assert_eq!(verdict(Some("3"), Counters::Soft, false), Verdict::Blocker);
        assert_eq!(verdict(None, Counters::Soft, false), Verdict::Warning);
    }

    #[test]
    fn a_refused_ptrace_blocks_and_yama_is_told_from_a_container() {
        let refused = || Err(io::Error::from_raw_os_error(libc::EPERM));
        let remedy = |yama| check_ptrace(refused(), yama).remedy.unwrap();
        assert_eq!(remedy(Some(3)), "sudo sysctl kernel.yama.ptrace_scope=1");
        assert!(remedy(Some(1)).contains("docker"));
        assert!(remedy(None).contains("docker"));
        assert_eq!(check_ptrace(Ok(()), None), Check::ok("ptrace", "permitted (no yama)"));
    }

    #[test]
    fn refused_software_events_block_what_needs_them() {
        let refused = || Err(io::Error::from_raw_os_error(libc::EPERM));
        let verdict = |opened, counters, vendor| {
            check_software_events(opened, Some(counters), &machine(vendor, Pmu::Absent, false)).verdict
        };
        assert_eq!(verdict(refused(), Counters::Soft, "GenuineIntel"), Verdict::Blocker);
        assert_eq!(verdict(refused(), Counters::Soft, "AuthenticAMD"), Verdict::Warning);
        assert_eq!(verdict(refused(), Counters::RrSoftware, "GenuineIntel"), Verdict::Warning);
        assert_eq!(verdict(Ok(()), Counters::Soft, "GenuineIntel"), Verdict::Ok);
    }

    #[test]
    fn without_cpuid_faulting_there_is_a_limit() {
        assert_eq!(check_cpuid(true).verdict, Verdict::Ok);
        assert_eq!(check_cpuid(false).verdict, Verdict::Warning);
    }

    #[test]
    fn a_trial_that_fails_blocks_and_tells_why() {
        let failed = Error::Record { ended: "SIGABRT".into(), words: "words".into(), incomplete: None };
        let check = check_trial(Some(Err(failed)));
        assert_eq!((check.verdict, check.found.as_str()), (Verdict::Blocker, "rr failed to record (SIGABRT): words"));
        assert_eq!(check_trial(None).verdict, Verdict::Warning);
    }

    #[test]
    fn a_choice_of_counters_that_means_nothing_has_its_own_remedy() {
        let check = check_counters(Some(Err(Error::UnknownCounters("fast".into()))));
        assert_eq!(check.verdict, Verdict::Blocker);
        assert_eq!(check.found, "RETROGRADE_COUNTERS is `fast`; valid values are auto, hardware and soft");
        assert_eq!(check.remedy.as_deref(), Some("unset RETROGRADE_COUNTERS, or set it to one of these"));
        let check = check_counters(Some(Err(Error::NoCounters("none".into()))));
        assert!(check.remedy.unwrap().contains("PMU"));
    }
}
