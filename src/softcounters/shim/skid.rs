//! How late an overflow may come: what rr believes about the processor, asked of rr itself.
//!
//! A hardware counter interrupts some branches late, its *skid*. A replaying rr that wants to stop at a certain branch
//! therefore asks for an overflow that many branches before it, and goes the rest by single steps. It subtracts what
//! its function `rr::PerfCounters::skid_size()` says, so an overflow that comes just that much late comes at the very
//! branch rr wants to reach, and one that comes later is a divergence. rr exports its functions; this one reads a table
//! that rr has filled in by then. It is called in a forked child, since a future rr may need more for it than is given
//! here: if the child dies, or says something absurd, or there is no such function, overflows come when they were asked
//! for, which is right and slow.
//!
//! Nearer to its target than its skid rr asks for no overflow at all. So an rr that replays is made to believe in the
//! least skid there is ([`belief`](super::belief)).

use std::ffi::{CStr, c_void};
use std::mem::MaybeUninit;

use super::belief::{self, Belief};
use super::sys::{
    self, O_CLOEXEC, PR_SET_DUMPABLE, SIG_SETMASK, SYS_ALARM, SYS_CLONE, SYS_PIPE2, SYS_PRCTL, SYS_RT_SIGACTION,
    SYS_RT_SIGPROCMASK, SYS_WAIT4, raw,
};

/// `rr::PerfCounters::skid_size()`, as the C++ compiler spells it.
const SKID_SIZE: &CStr = c"_ZN2rr12PerfCounters9skid_sizeEv";
/// More than any rr believes of any processor (10,000), and less than what a stray register would hold.
const MOST: u32 = 1 << 16;

/// The last of the standard ones.
const SIGNALS: i64 = 31;
/// In seconds: how long the child may take, which needs microseconds.
const PATIENCE: i64 = 5;

/// The variable in rr's environment that says how late overflows may come.
pub const VARIABLE: &str = "RETROGRADE_SOFT_LATE";

/// How late overflows come.
#[derive(Clone, Copy, Debug)]
pub enum Lateness {
    /// As late as rr accepts, which is made as little as it may be; rr is asked when its first counter is opened.
    Least,
    /// As late as rr accepts, but at most this.
    AtMost(u64),
    /// As late as rr accepts on any of the processors that it may run on: it was told no kind.
    OnAny,
    /// This many branches.
    Known(u64),
}

impl Lateness {
    /// Returns what a value of `RETROGRADE_SOFT_LATE` means.
    pub fn read(value: &str) -> Lateness {
        match value {
            "least" => Lateness::Least,
            "most" => Lateness::AtMost(u64::MAX),
            "any" => Lateness::OnAny,
            _ => value.parse().map_or(Lateness::Known(0), Lateness::AtMost),
        }
    }

    /// Returns the number of branches. Only to be called when rr has its counters set up.
    pub fn branches(&mut self) -> u64 {
        let known = match *self {
            Lateness::Known(known) => known,
            Lateness::Least => u64::from(least().or_else(believed).unwrap_or(0)),
            Lateness::AtMost(0) => 0,
            Lateness::AtMost(most) => u64::from(believed().unwrap_or(0)).min(most),
            Lateness::OnAny => on_any(u64::from(believed().unwrap_or(0))),
        };
        *self = Lateness::Known(known);
        known
    }
}

impl Lateness {
    /// Returns the number of branches if it was needed, else 0.
    pub fn known(&self) -> u64 {
        match *self {
            Lateness::Known(known) => known,
            Lateness::Least | Lateness::AtMost(_) | Lateness::OnAny => 0,
        }
    }
}

/// Returns what is not too late on any processor of a machine, the first of which has this skid. Intel's may be of two
/// kinds: rr then believes in another skid for each, of which the smallest that it knows is 100. AMD's are alike.
fn on_any(first: u64) -> u64 {
    const INTELS_LEAST: u64 = 100;
    const INTELS_MOST: u64 = 1000;
    if first < INTELS_MOST { first.min(INTELS_LEAST) } else { first }
}

/// Returns the skid that rr counts on.
fn believed() -> Option<u32> {
    let function = function()?;
    in_child(function).filter(|skid| (1..=MOST).contains(skid))
}

/// Makes rr count on the least skid that it can; how much that is.
fn least() -> Option<u32> {
    let function = function()?;
    let memory = belief::own_memory();
    let (skid, belief) = in_child(|| {
        let skid = function();
        // SAFETY: a process of its own, which does nothing but this and ends.
        (skid, unsafe { belief::find(&memory, skid, &function) })
    })?;
    let belief: Belief = belief.filter(|_| (1..=MOST).contains(&skid))?;
    // SAFETY: this is where that function reads it, as was tried.
    unsafe { belief.change() };
    Some(belief.answer)
}

/// Finds rr's function.
fn function() -> Option<impl Fn() -> u32> {
    let function = sys::symbol(SKID_SIZE);
    if function.is_null() {
        return None;
    }
    // SAFETY: a member function, or a static one in old versions, without parameters, that answers a number. Of its
    // object it needs the index of the kind of processor: number 0 is the only one if rr was told which, else the first
    // processor's. The zeros given here are far longer than the object. What else it may do, it does in a process of
    // its own.
    let function: extern "C" fn(*const c_void) -> u32 = unsafe { std::mem::transmute(function) };
    static OBJECT: [u64; 512] = [0; 512];
    Some(move || function(OBJECT.as_ptr().cast()))
}

/// Returns what `work` answers in a process of its own; `None` if that process ends before.
fn in_child<T: Copy>(work: impl FnOnce() -> T) -> Option<T> {
    let mut pipe = [0i32; 2];
    // SAFETY: the kernel stores two descriptors.
    if unsafe { raw(SYS_PIPE2, pipe.as_mut_ptr() as i64, O_CLOEXEC, 0, 0, 0, 0) } < 0 {
        return None;
    }
    // SAFETY: a fork whose child sends no signal when it ends. It allocates nothing and takes no lock.
    let child = unsafe { raw(SYS_CLONE, 0, 0, 0, 0, 0, 0) };
    if child == 0 {
        // SAFETY: changes this child only: that it dies of a fault at once, without a word and without a core dump.
        unsafe {
            raw(SYS_PRCTL, PR_SET_DUMPABLE, 0, 0, 0, 0, 0);
            let default = [0u64; 4];
            for signal in 1..=SIGNALS {
                raw(SYS_RT_SIGACTION, signal, default.as_ptr() as i64, 0, 8, 0, 0);
            }
            // It may come to a lock that another thread of rr's held, or this one: then nobody will answer.
            raw(SYS_RT_SIGPROCMASK, SIG_SETMASK, default.as_ptr() as i64, 0, 8, 0, 0);
            raw(SYS_ALARM, PATIENCE, 0, 0, 0, 0, 0);
            let answer = work();
            raw(sys::SYS_WRITE, i64::from(pipe[1]), &raw const answer as i64, size_of::<T>() as i64, 0, 0, 0);
            raw(sys::SYS_EXIT_GROUP, 0, 0, 0, 0, 0, 0);
        }
        std::process::abort();
    }
    let mut answer = MaybeUninit::<T>::uninit();
    // SAFETY: our own descriptors and our own child, a copy of this process, whose value is one here, too; the kernel
    // writes at most the bytes there are.
    unsafe {
        raw(sys::SYS_CLOSE, i64::from(pipe[1]), 0, 0, 0, 0, 0);
        let mut read = 0;
        if child > 0 {
            let (place, size) = (answer.as_mut_ptr() as i64, size_of::<T>() as i64);
            read = whatever_comes(|| raw(sys::SYS_READ, i64::from(pipe[0]), place, size, 0, 0, 0));
            // Left unreaped, it would come up in rr's own waits.
            whatever_comes(|| raw(SYS_WAIT4, child, 0, i64::from(sys::WALL), 0, 0, 0));
        }
        raw(sys::SYS_CLOSE, i64::from(pipe[0]), 0, 0, 0, 0, 0);
        (read == size_of::<T>() as i64).then(|| answer.assume_init())
    }
}

/// Makes a system call again that a signal has interrupted.
fn whatever_comes(mut call: impl FnMut() -> i64) -> i64 {
    loop {
        let result = call();
        if result != -i64::from(sys::EINTR) {
            return result;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_says_how_late_at_most() {
        for (value, branches) in [("0", 0), ("", 0), ("nonsense", 0), ("-1", 0)] {
            assert_eq!(Lateness::read(value).branches(), branches, "{value}");
        }
        assert!(matches!(Lateness::read("least"), Lateness::Least));
        assert!(matches!(Lateness::read("most"), Lateness::AtMost(u64::MAX)));
        assert!(matches!(Lateness::read("7"), Lateness::AtMost(7)));
        assert!(matches!(Lateness::read("any"), Lateness::OnAny));
    }

    #[test]
    fn without_a_kind_nothing_is_later_than_any_of_the_machines_processors_accepts() {
        assert_eq!([0, 100, 101, 125, 126, 10_000, 10_001].map(on_any), [0, 100, 100, 100, 100, 10_000, 10_001]);
    }

    #[test]
    fn where_nobody_says_what_skid_there_is_overflows_are_not_late() {
        // The test program is no rr.
        for mut lateness in [Lateness::Least, Lateness::AtMost(u64::MAX)] {
            assert_eq!((lateness.branches(), lateness.branches()), (0, 0));
        }
    }

    #[test]
    fn the_answer_comes_from_a_child_whose_death_is_no_answer() {
        assert_eq!(in_child(|| 101), Some(101));
        // SAFETY: a fault, on purpose, in the child.
        assert_eq!(in_child(|| unsafe { (8 as *const u32).read_volatile() }), None);
        assert_eq!(in_child(|| 7), Some(7));
        let never = std::sync::Mutex::new(());
        let held = never.lock().unwrap();
        assert_eq!(in_child(|| never.lock().map_or(1, |_| 2)), None);
        drop(held);
    }
}
