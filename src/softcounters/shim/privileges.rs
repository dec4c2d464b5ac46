//! What rr believes of its own privileges, of which it makes the event that guards a buffered call.
//!
//! A privileged rr has each thread count its context switches. The kernel lets nobody else do so where
//! `kernel.perf_event_paranoid` is above 1, and rr's library in a process that has given its privileges up since ends
//! that process, as it cannot begin a buffer in a new thread. An rr without privileges has the switches recorded, from
//! Linux 6.10 on: that takes none. So that is what this has rr do wherever it makes a difference.

use std::ffi::c_int;
use std::sync::atomic::{AtomicI32, AtomicU32, Ordering};

use super::sys::{SYS_GETPID, raw};
use super::{kernel, memory};

/// `_LINUX_CAPABILITY_VERSION_3`, with two words of each set.
const VERSION_3: u32 = 0x2008_0522;
const CAP_SYS_ADMIN: u32 = 21;
const CAP_PERFMON: u32 = 38;
/// rr asks for the one, and if it has not that for the other. What it asks later is for other purposes.
const QUESTIONS: u32 = 2;
/// The highest `perf_event_paranoid` with which everybody may have events of their own threads in user mode.
const EVERYBODY: i64 = 2;

/// rr's process. What it forks has not begun to trace and asks for itself.
static RR: AtomicI32 = AtomicI32::new(0);
static ASKED: AtomicU32 = AtomicU32::new(0);

/// `struct __user_cap_header_struct`
#[repr(C)]
pub struct Header {
    version: u32,
    pid: c_int,
}

/// `struct __user_cap_data_struct`
#[repr(C)]
pub struct Sets {
    effective: u32,
    permitted: u32,
    inheritable: u32,
}

/// Notes that this is rr's process.
pub fn note_process() {
    RR.store(own_pid(), Ordering::Relaxed);
}

/// Hides what rr shall not believe in an answer of `capget`.
///
/// # Safety
/// As the kernel has answered: `header` is one, and `sets` has as many as its version says.
pub unsafe fn after_capget(header: *const Header, sets: *mut [Sets; 2]) {
    // SAFETY: the caller's promise.
    let is_ours = unsafe { header.as_ref() }.is_some_and(|header| header.version == VERSION_3 && header.pid == 0);
    if !is_ours || RR.load(Ordering::Relaxed) != own_pid() || ASKED.fetch_add(1, Ordering::Relaxed) >= QUESTIONS {
        return;
    }
    let (paranoid, release) =
        (memory::read_file("/proc/sys/kernel/perf_event_paranoid"), memory::read_file("/proc/sys/kernel/osrelease"));
    if makes_a_difference(&paranoid, &release) {
        // SAFETY: the caller's promise.
        if let Some([low, high]) = unsafe { sets.as_mut() } {
            low.effective &= !(1 << CAP_SYS_ADMIN);
            high.effective &= !(1 << (CAP_PERFMON - 32));
        }
    }
}

fn own_pid() -> i32 {
    // SAFETY: no memory involved.
    unsafe { raw(SYS_GETPID, 0, 0, 0, 0, 0, 0) as i32 }
}

/// Returns whether switches can be recorded without privileges, but not counted. Takes the contents of the kernel's
/// files.
fn makes_a_difference(paranoid: &[u8], release: &[u8]) -> bool {
    let text = |bytes| std::str::from_utf8(bytes).map(str::trim).unwrap_or_default();
    let level = text(paranoid).parse::<i64>();
    level.is_ok_and(|level| level > 1 && level <= EVERYBODY) && kernel::records_switches(text(release))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn privileges_are_hidden_where_others_have_only_the_other_event() {
        let hidden = |paranoid: &str, release: &str| makes_a_difference(paranoid.as_bytes(), release.as_bytes());
        assert!(hidden("2\n", "6.18.44-generic\n"));
        assert!(hidden("2\n", "6.10.0\n") && hidden("2", "7.0-rc1"));
        assert!(!hidden("2\n", "6.9.12\n") && !hidden("2\n", "5.19.0\n"));
        // Everybody may count; nobody may do anything.
        assert!(!hidden("1\n", "6.18.44\n") && !hidden("-1\n", "6.18.44\n"));
        assert!(!hidden("3\n", "6.18.44\n") && !hidden("4\n", "6.18.44\n"));
        assert!(!hidden("", "") && !hidden("2\n", "none"));
    }
}
