//! Asking the kernel, by `perf_event_open(2)`, for the counters that rr needs.
//!
//! rr's ticks are retired conditional branches, a *raw* event whose number depends on the CPU model. It also wants a
//! cycle counter that counts. Virtual machines may refuse both, or grant them and then count nothing, so each is tried.

use softcounters::records_switches;
use std::fs::{self, File};
use std::io::{self, Read};
use std::os::fd::FromRawFd;

/// Number of conditional branches that the probe executes.
const BRANCHES: u64 = 2000;
/// Number of locked instructions that the probe executes.
const LOCKED: u32 = 100;

const TYPE_HARDWARE: u32 = 0;
const TYPE_SOFTWARE: u32 = 1;
const TYPE_RAW: u32 = 4;
const HARDWARE_CYCLES: u64 = 0;
const SOFTWARE_DUMMY: u64 = 9;
const SOFTWARE_CONTEXT_SWITCHES: u64 = 3;
const ATTR_PINNED: u64 = 1 << 2;
const ATTR_EXCLUDE_KERNEL: u64 = 1 << 5;
const ATTR_EXCLUDE_GUEST: u64 = 1 << 20;
/// `PERF_FLAG_FD_CLOEXEC`.
const CLOSE_ON_EXEC: libc::c_ulong = 8;

/// What the performance monitoring unit can do for rr.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Pmu {
    /// Conditional branches and cycles are counted.
    Usable,
    /// The events can be opened, but do not count what was executed, as on some virtual machines.
    Silent,
    /// The events can be opened, but somebody else has the counters.
    Taken,
    /// There is none, or it lacks the events.
    Absent,
    /// The kernel or a container does not let us look.
    Forbidden,
}

/// The start of the kernel's `struct perf_event_attr` (`PERF_ATTR_SIZE_VER0`, 64 bytes), which every kernel accepts.
#[repr(C)]
#[derive(Default)]
struct Attributes {
    kind: u32,
    size: u32,
    config: u64,
    sample_period: u64,
    sample_type: u64,
    read_format: u64,
    flags: u64,
    wakeup_events: u32,
    breakpoint_type: u32,
    config1: u64,
}

/// Opens a counter of this thread that starts at once.
fn open(kind: u32, config: u64, flags: u64) -> io::Result<File> {
    let size = size_of::<Attributes>() as u32;
    let attributes = Attributes { kind, size, config, flags, ..Attributes::default() };
    // SAFETY: the kernel reads `size` bytes at the pointer, which is what there is. pid 0 and cpu -1 mean this thread
    // on any CPU, and no group is named.
    let fd =
        unsafe { libc::syscall(libc::SYS_perf_event_open, &raw const attributes, 0i32, -1i32, -1i32, CLOSE_ON_EXEC) };
    match i32::try_from(fd) {
        // SAFETY: the kernel has just made this descriptor, and nobody else has it.
        Ok(fd) if fd >= 0 => Ok(unsafe { File::from_raw_fd(fd) }),
        _ => Err(io::Error::last_os_error()),
    }
}

/// Reads the counter's value. `None` if the kernel could not schedule it: other users have what counters there are.
fn value(counter: &mut File) -> Option<u64> {
    let mut bytes = [0; 8];
    counter.read_exact(&mut bytes).ok().map(|()| u64::from_ne_bytes(bytes))
}

/// Returns the raw events that rr uses as ticks on the CPU models of a vendor (rr 5.10).
fn tick_events(vendor: &str) -> &'static [u64] {
    match vendor {
        // Ice Lake and later; earlier Cores; Atoms.
        "GenuineIntel" => &[0x5111c4, 0x5101c4, 0x517ec4],
        "AuthenticAMD" | "HygonGenuine" => &[0x5100d1],
        _ if cfg!(target_arch = "aarch64") => &[0x21],
        _ => &[],
    }
}

/// Counts a loop, with the events of this vendor (as `/proc/cpuinfo` spells it).
///
/// On hybrid CPUs the events belong to the performance cores, and rr records there; so the loop runs there too, on a
/// thread that is gone afterwards.
pub(super) fn probe_pmu(vendor: &str) -> Pmu {
    let Ok(list) = fs::read_to_string("/sys/devices/cpu_core/cpus") else {
        return probe_here(vendor);
    };
    let probe = || {
        if let Some(cpu) = first_cpu(&list) {
            bind_this_thread(cpu);
        }
        probe_here(vendor)
    };
    std::thread::scope(|scope| scope.spawn(probe).join()).unwrap_or(Pmu::Absent)
}

/// Parses the first number of a list such as `0-7,16`.
fn first_cpu(list: &str) -> Option<usize> {
    list.trim().split([',', '-']).next()?.parse().ok()
}

/// Does nothing if it is not allowed.
fn bind_this_thread(cpu: usize) {
    if cpu < libc::CPU_SETSIZE as usize {
        // SAFETY: all zeros is a valid empty set, the number is within it, and the size is the set's own.
        unsafe {
            let mut set: libc::cpu_set_t = std::mem::zeroed();
            libc::CPU_SET(cpu, &mut set);
            libc::sched_setaffinity(0, size_of::<libc::cpu_set_t>(), &raw const set);
        }
    }
}

/// Judges what the values of two counters say after the loop.
fn judged(ticks: Option<u64>, cycles: Option<u64>) -> Pmu {
    match (ticks, cycles) {
        (Some(ticks), Some(cycles)) if ticks >= BRANCHES && cycles > 0 => Pmu::Usable,
        (Some(_), Some(_)) => Pmu::Silent,
        _ => Pmu::Taken,
    }
}

fn probe_here(vendor: &str) -> Pmu {
    let flags = ATTR_PINNED | ATTR_EXCLUDE_KERNEL | ATTR_EXCLUDE_GUEST;
    let mut found = Pmu::Absent;
    for &event in tick_events(vendor) {
        let opened = open(TYPE_RAW, event, flags).and_then(|t| Ok((t, open(TYPE_HARDWARE, HARDWARE_CYCLES, flags)?)));
        match opened {
            Ok((mut ticks, mut cycles)) => {
                execute_branches();
                found = match judged(value(&mut ticks), value(&mut cycles)) {
                    Pmu::Usable => return Pmu::Usable,
                    // What could not be tried may be the event that counts, whatever the others do.
                    _ if found == Pmu::Taken => Pmu::Taken,
                    other => other,
                };
            }
            Err(error) if is_refusal(&error) => return Pmu::Forbidden,
            Err(_) => {}
        }
    }
    found
}

/// Fails unless a software event of this thread can be opened, the least that any counting needs.
pub(super) fn software_events() -> io::Result<()> {
    open(TYPE_SOFTWARE, SOFTWARE_DUMMY, ATTR_EXCLUDE_KERNEL).map(drop)
}

/// Fails unless the event can be opened that rr's system call buffer waits for if it may, which counts in the kernel.
pub(super) fn kernel_events() -> io::Result<()> {
    open(TYPE_SOFTWARE, SOFTWARE_CONTEXT_SWITCHES, 0).map(drop)
}

/// Returns whether rr (from 5.9 on) can have recorded what it may not count for its system call buffer: that a thread
/// loses the processor. Before Linux 6.10 the records raise no signal.
pub(super) fn switch_records() -> bool {
    software_events().is_ok()
        && fs::read_to_string("/proc/sys/kernel/osrelease").is_ok_and(|name| records_switches(&name))
}

/// Finds out, on AMD Zen, whether the SpecLockMap optimisation is on, which makes tick counts unreliable. `None` if it
/// cannot be told, as somebody else has the counters. It is on if the event "SpecLockMapCommit" (PMC 0x25, unit 8)
/// counts locked instructions. (Where there is no such event, rr asks no more, either.)
pub(super) fn zen_speclockmap() -> Option<bool> {
    let Ok(mut commits) = open(TYPE_RAW, 0x51_0825, ATTR_PINNED | ATTR_EXCLUDE_KERNEL | ATTR_EXCLUDE_GUEST) else {
        return Some(false);
    };
    let before = value(&mut commits)?;
    let word = std::sync::atomic::AtomicU32::new(0);
    for _ in 0..LOCKED {
        std::hint::black_box(&word).fetch_add(1, std::sync::atomic::Ordering::SeqCst);
    }
    Some(value(&mut commits)? != before)
}

fn is_refusal(error: &io::Error) -> bool {
    matches!(error.raw_os_error(), Some(libc::EACCES | libc::EPERM | libc::ENOSYS))
}

#[cfg(target_arch = "x86_64")]
fn execute_branches() {
    // SAFETY: counts a register down to zero, nothing else.
    unsafe { std::arch::asm!("2: dec {n}", "jnz 2b", n = inout(reg) BRANCHES => _, options(nomem, nostack)) };
}

#[cfg(target_arch = "aarch64")]
fn execute_branches() {
    // SAFETY: counts a register down to zero, nothing else.
    unsafe {
        std::arch::asm!("2: subs {n}, {n}, #1", "b.ne 2b", n = inout(reg) BRANCHES => _, options(nomem, nostack))
    };
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
fn execute_branches() {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_attributes_have_the_size_of_the_kernels_first_version() {
        assert_eq!(size_of::<Attributes>(), 64);
    }

    #[test]
    fn a_counter_that_is_not_scheduled_has_no_value() {
        // What a pinned counter reads as that could not be scheduled, and one that was.
        assert_eq!(value(&mut File::open("/dev/null").unwrap()), None);
        assert_eq!(value(&mut File::open("/dev/zero").unwrap()), Some(0));
    }

    #[test]
    fn counters_that_have_no_value_are_somebody_elses() {
        assert_eq!(judged(Some(BRANCHES), Some(1)), Pmu::Usable);
        assert_eq!(judged(Some(0), Some(1)), Pmu::Silent);
        assert_eq!(judged(Some(BRANCHES), Some(0)), Pmu::Silent);
        assert_eq!(judged(None, Some(1)), Pmu::Taken);
        assert_eq!(judged(Some(BRANCHES), None), Pmu::Taken);
    }

    #[test]
    fn the_first_of_a_list_of_cpus_is_read() {
        assert_eq!(first_cpu("0-7,16\n"), Some(0));
        assert_eq!(first_cpu("4,6"), Some(4));
        assert_eq!(first_cpu("\n"), None);
    }

    #[test]
    fn a_vendor_without_known_events_has_no_usable_pmu() {
        if cfg!(target_arch = "x86_64") {
            assert_eq!(probe_pmu("NoSuchVendor"), Pmu::Absent);
        }
    }
}
