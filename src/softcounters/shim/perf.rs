//! The performance counters rr believes it has.
//!
//! rr opens two kinds of hardware events: some on itself, at start-up, to find bugs of the machine's counters; and one
//! per tracee, the ticks counter. The former answer constants that pass every check; the latter counts for real, in
//! software. Events that are not hardware counters go to the kernel untouched.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};

use super::counter::Counter;
use super::skid::Lateness;
use super::sys::{self, Errno};

const TYPE_HARDWARE: u32 = 0;
const TYPE_SOFTWARE: u32 = 1;
const TYPE_TRACEPOINT: u32 = 2;
const TYPE_HW_CACHE: u32 = 3;
const TYPE_BREAKPOINT: u32 = 5;
/// `PERF_COUNT_SW_DUMMY`: an event that never happens.
const CONFIG_DUMMY: u64 = 9;
/// The hardware event by which rr asks whether it runs under another rr. Answering it would say yes.
const CONFIG_NESTED_RR: u64 = 0x7272_7272;
/// Intel's IN_TXCP bit: do not count in aborted transactions.
const CONFIG_IN_TXCP: u64 = 1 << 33;

const ATTR_DISABLED: u64 = 1;
const ATTR_EXCLUDE_KERNEL: u64 = 1 << 5;
/// Smallest attribute structure every kernel knows, in bytes.
const ATTR_SIZE: usize = 64;
const FLAG_CLOEXEC: i64 = 8;
const EFD_CLOEXEC: i64 = 0o2000000;

const IOC_ENABLE: u64 = 0x2400;
const IOC_DISABLE: u64 = 0x2401;
const IOC_RESET: u64 = 0x2403;
const IOC_PERIOD: u64 = 0x4008_2404;
const IOC_MODIFY_ATTRIBUTES: u64 = 0x4008_240b;

/// rr runs 500 conditional branches in its self-tests; this passes both "at least" and "at most".
const SELF_TEST_BRANCHES: u64 = 500;
/// The sample period of the self-test for a Xen bug. Its ioctls are inline system calls, so its descriptor must be one
/// that the kernel takes for a counter.
const XEN_TEST_PERIOD: u64 = SELF_TEST_BRANCHES - 1;
/// What rr itself uses for "no limit"; the kernel insists on a period where one will be set later.
const NO_LIMIT: u64 = 1 << 60;

/// Which descriptors below 4096 are ours, so that other reads and closes take no lock.
static DESCRIPTORS: [AtomicU64; 64] = [const { AtomicU64::new(0) }; 64];

/// Returns whether `descriptor` may be a counter of ours.
pub fn may_be_counter(descriptor: i32) -> bool {
    let Ok(index) = usize::try_from(descriptor) else {
        return false;
    };
    DESCRIPTORS.get(index / 64).is_none_or(|word| word.load(Ordering::Relaxed) & 1 << (index % 64) != 0)
}

fn mark(descriptor: i32, ours: bool) {
    let Some(word) = DESCRIPTORS.get(descriptor as usize / 64) else {
        return;
    };
    let bit = 1 << (descriptor as usize % 64);
    if ours {
        word.fetch_or(bit, Ordering::Relaxed);
    } else {
        word.fetch_and(!bit, Ordering::Relaxed);
    }
}

/// More branches than any tracee executes.
pub const WITHOUT_END: u64 = 1 << 62;

/// The ticks counter of one tracee.
#[derive(Debug)]
pub struct Ticks {
    pub tid: i32,
    pub counter: Counter,
    /// The overflow signal, 0 before `F_SETSIG`.
    pub signal: i32,
}

impl Ticks {
    /// Returns how many branches may be executed before the tracee must stop.
    pub fn remaining(&self) -> u64 {
        if self.signal == 0 { WITHOUT_END } else { self.counter.remaining().min(WITHOUT_END) }
    }
}

/// A breakpoint rr would have the processor watch for.
#[derive(Debug)]
struct Breakpoint {
    tid: i32,
    address: u64,
    enabled: bool,
}

#[derive(Debug)]
enum Event {
    /// Always reads this.
    Constant(u64),
    Ticks(Ticks),
    Breakpoint(Breakpoint),
}

/// All counters of ours that are open.
#[derive(Debug)]
pub struct Counters {
    events: BTreeMap<i32, Event>,
    ticks_of: BTreeMap<i32, i32>,
    breakpoint_of: BTreeMap<i32, i32>,
    /// How late tracees' overflows come.
    pub lateness: Lateness,
}

/// The fields of `struct perf_event_attr` that matter here.
#[derive(Clone, Copy, Debug)]
struct Attributes {
    kind: u32,
    config: u64,
    sample_period: u64,
    disabled: bool,
    /// Of a breakpoint.
    address: u64,
}

impl Attributes {
    /// Reads what rr asks for.
    ///
    /// # Safety
    /// `attr` must point to a `perf_event_attr` of at least its first published size.
    unsafe fn read(attr: i64) -> Attributes {
        let words = attr as *const u64;
        // SAFETY: the first published size is 64 bytes.
        let word = |index: usize| unsafe { words.add(index).read_unaligned() };
        Attributes {
            kind: word(0) as u32,
            config: word(1),
            sample_period: word(2),
            disabled: word(5) & ATTR_DISABLED != 0,
            address: word(7),
        }
    }

    fn is_hardware_counter(&self) -> bool {
        match self.kind {
            TYPE_HARDWARE => self.config != CONFIG_NESTED_RR,
            TYPE_SOFTWARE | TYPE_TRACEPOINT | TYPE_HW_CACHE | TYPE_BREAKPOINT => false,
            // Raw events, also those of the several core types of hybrid processors.
            _ => true,
        }
    }
}

impl Counters {
    /// Begins with no counter open.
    pub const fn new() -> Counters {
        Counters {
            events: BTreeMap::new(),
            ticks_of: BTreeMap::new(),
            breakpoint_of: BTreeMap::new(),
            lateness: Lateness::Known(0),
        }
    }

    /// Does what `perf_event_open` does, with the arguments of the system call, and answers like it.
    ///
    /// # Safety
    /// `arguments[0]` must point to a `perf_event_attr`, as the system call demands.
    pub unsafe fn open(&mut self, arguments: [i64; 5]) -> i64 {
        let [attr, tid, _, group, flags] = arguments;
        // SAFETY: the caller's promise.
        let attributes = unsafe { Attributes::read(attr) };
        let tid = tid as i32;
        if attributes.kind == TYPE_BREAKPOINT && tid > 0 {
            // rr runs to a target in code that it does not want to change, such as generated code, by such an event. A
            // true one would fire in the middle of single steps.
            let descriptor = plain_descriptor();
            if descriptor >= 0 {
                let breakpoint = Breakpoint { tid, address: attributes.address, enabled: !attributes.disabled };
                self.breakpoint_of.insert(tid, descriptor as i32);
                self.events.insert(descriptor as i32, Event::Breakpoint(breakpoint));
                mark(descriptor as i32, true);
            }
            return descriptor;
        }
        if !attributes.is_hardware_counter() {
            // SAFETY: the caller's own system call.
            return unsafe { sys::raw(sys::SYS_PERF_EVENT_OPEN, attr, arguments[1], arguments[2], group, flags, 0) };
        }
        let descriptor = if tid == 0 { self_test_descriptor(&attributes, flags) } else { plain_descriptor() };
        if descriptor < 0 {
            return descriptor;
        }
        let event = if tid == 0 {
            let counts = attributes.config & CONFIG_IN_TXCP == 0;
            Event::Constant(if counts { SELF_TEST_BRANCHES } else { 0 })
        } else if group as i32 == -1 && attributes.kind != TYPE_HARDWARE {
            let period = attributes.sample_period.saturating_add(self.lateness.branches());
            let counter = Counter::new(period, !attributes.disabled);
            self.ticks_of.insert(tid, descriptor as i32);
            Event::Ticks(Ticks { tid, counter, signal: 0 })
        } else {
            // Group members correct the ticks for effects our counter does not have; cycles are only kept running.
            Event::Constant(0)
        };
        self.events.insert(descriptor as i32, event);
        mark(descriptor as i32, true);
        descriptor
    }

    /// Forgets a descriptor that is being closed.
    pub fn close(&mut self, descriptor: i32) {
        let (of, tid) = match self.events.remove(&descriptor) {
            Some(Event::Ticks(ticks)) => (&mut self.ticks_of, ticks.tid),
            Some(Event::Breakpoint(breakpoint)) => (&mut self.breakpoint_of, breakpoint.tid),
            Some(Event::Constant(_)) | None => return mark(descriptor, false),
        };
        if of.get(&tid) == Some(&descriptor) {
            of.remove(&tid);
        }
        mark(descriptor, false);
    }

    /// Returns the value of a counter of ours.
    pub fn value(&self, descriptor: i32) -> Option<u64> {
        self.events.get(&descriptor).map(|event| match event {
            Event::Constant(value) => *value,
            Event::Ticks(ticks) => ticks.counter.value(),
            Event::Breakpoint(_) => 0,
        })
    }

    /// Does an ioctl on a counter of ours; `None` if the descriptor is not one.
    ///
    /// # Safety
    /// With `PERF_EVENT_IOC_PERIOD`, `argument` must point to eight bytes, with `PERF_EVENT_IOC_MODIFY_ATTRIBUTES` to a
    /// `perf_event_attr`.
    pub unsafe fn ioctl(&mut self, descriptor: i32, request: u64, argument: i64) -> Option<i64> {
        let event = self.events.get_mut(&descriptor)?;
        match (event, request & 0xffff_ffff) {
            (Event::Ticks(ticks), IOC_ENABLE) => ticks.counter.set_enabled(true),
            (Event::Ticks(ticks), IOC_DISABLE) => ticks.counter.set_enabled(false),
            (Event::Ticks(ticks), IOC_RESET) => ticks.counter.reset(),
            (Event::Ticks(ticks), IOC_PERIOD) => {
                // SAFETY: the caller's promise.
                let period = unsafe { (argument as *const u64).read_unaligned() };
                ticks.counter.set_period(period.saturating_add(self.lateness.branches()));
            }
            (Event::Breakpoint(breakpoint), IOC_ENABLE) => breakpoint.enabled = true,
            (Event::Breakpoint(breakpoint), IOC_DISABLE) => breakpoint.enabled = false,
            (Event::Breakpoint(breakpoint), IOC_MODIFY_ATTRIBUTES) => {
                // SAFETY: the caller's promise.
                let attributes = unsafe { Attributes::read(argument) };
                breakpoint.address = attributes.address;
                breakpoint.enabled = !attributes.disabled;
            }
            _ => {}
        }
        Some(0)
    }

    /// Learns the overflow signal from `F_SETSIG`.
    pub fn set_signal(&mut self, descriptor: i32, signal: i32) {
        if let Some(Event::Ticks(ticks)) = self.events.get_mut(&descriptor) {
            ticks.signal = signal;
        }
    }

    /// Returns whether the descriptor is a counter of ours.
    pub fn is_counter(&self, descriptor: i32) -> bool {
        self.events.contains_key(&descriptor)
    }

    /// Returns the address of the enabled breakpoint of a tracee, with its descriptor.
    pub fn breakpoint(&self, tid: i32) -> Option<(i32, u64)> {
        let descriptor = *self.breakpoint_of.get(&tid)?;
        match self.events.get(&descriptor) {
            Some(Event::Breakpoint(breakpoint)) if breakpoint.enabled => Some((descriptor, breakpoint.address)),
            _ => None,
        }
    }

    /// Returns the enabled ticks counter of a tracee with its descriptor.
    pub fn running(&mut self, tid: i32) -> Option<(i32, &mut Ticks)> {
        let descriptor = *self.ticks_of.get(&tid)?;
        match self.events.get_mut(&descriptor) {
            Some(Event::Ticks(ticks)) if ticks.counter.is_enabled() => Some((descriptor, ticks)),
            _ => None,
        }
    }
}

/// Opens a descriptor for an event of rr on itself.
///
/// It must be a true perf event, since one self-test enables, resets, sets the period of and disables its counter by
/// inline system calls. A dummy event will do if it has a sample period. Where the kernel allows no perf event at all
/// any descriptor serves the other tests.
fn self_test_descriptor(attributes: &Attributes, flags: i64) -> i64 {
    let mut dummy = [0u64; ATTR_SIZE / 8];
    dummy[0] = u64::from(TYPE_SOFTWARE) | (ATTR_SIZE as u64) << 32;
    dummy[1] = CONFIG_DUMMY;
    dummy[2] = if attributes.sample_period == 0 { NO_LIMIT } else { attributes.sample_period };
    dummy[5] = ATTR_DISABLED | ATTR_EXCLUDE_KERNEL;
    let attr = dummy.as_ptr() as i64;
    // SAFETY: the attribute structure says its own size.
    let descriptor = unsafe { sys::raw(sys::SYS_PERF_EVENT_OPEN, attr, 0, -1, -1, flags | FLAG_CLOEXEC, 0) };
    if descriptor >= 0 {
        return descriptor;
    }
    if attributes.sample_period == XEN_TEST_PERIOD && !things_are_forced() {
        sys::give_up(&format!(
            "the kernel refuses even a dummy software event (perf_event_open: errno {}), so rr's self-test would \
             fail; allow perf_event_open (kernel.perf_event_paranoid <= 2, and in a container the seccomp profile), \
             or give rr the option -F",
            -descriptor
        ));
    }
    plain_descriptor()
}

/// Opens a descriptor that takes the fcntl calls rr makes on a ticks counter, and nothing else. Unlike a perf event it
/// costs nothing when the kernel switches to the tracee.
fn plain_descriptor() -> i64 {
    // SAFETY: no memory involved.
    unsafe { sys::raw(sys::SYS_EVENTFD2, 0, EFD_CLOEXEC, 0, 0, 0, 0) }
}

/// Returns whether rr was given `-F`, which makes it go on after a failed self-test.
fn things_are_forced() -> bool {
    std::env::args_os().skip(1).any(|argument| argument == "-F" || argument == "--force-things")
}

/// Reads a counter into `buffer` as `read` does: eight bytes, or `ENOSPC` if there is no room.
///
/// # Safety
/// `buffer` must be valid for `size` bytes.
pub unsafe fn read_value(value: u64, buffer: *mut u8, size: usize) -> Result<usize, Errno> {
    const ENOSPC: i32 = 28;
    let bytes = value.to_ne_bytes();
    if size < bytes.len() {
        return Err(Errno(ENOSPC));
    }
    // SAFETY: room was checked; the caller's promise.
    unsafe { buffer.copy_from_nonoverlapping(bytes.as_ptr(), bytes.len()) };
    Ok(bytes.len())
}
