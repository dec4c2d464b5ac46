//! System calls that rr does not know, which a recording answers as a kernel does that does not have them.
//!
//! rr gives up at such a call if the kernel carries it out. With soft counters the kernel is kept from it, so that the
//! program sees `ENOSYS` and goes on (`shim/refused.rs`).

use std::ffi::OsString;
use std::fmt::Write as _;
use std::ops::RangeInclusive;

/// The variable in rr's environment that has the numbers. In our own environment it replaces the usual ones.
pub const REFUSED: &str = "RETROGRADE_SOFT_REFUSED";

/// The calls of x86-64 at which rr 5.10 gives up, but for `uretprobe`, which the kernel makes for itself. Above the last
/// are those that kernels may have one day, up to where the numbers of another interface begin.
const CALLS: &[RangeInclusive<u16>] = &[
    136..=136, // ustat
    148..=148, // sched_rr_get_interval
    164..=164, // settimeofday
    167..=169, // swapon, swapoff, reboot
    207..=210, // io_destroy, io_getevents, io_submit, io_cancel
    216..=216, // remap_file_pages
    249..=249, // request_key
    256..=256, // migrate_pages
    261..=261, // futimesat
    276..=276, // tee
    278..=279, // vmsplice, move_pages
    325..=325, // mlock2
    333..=333, // io_pgetevents
    426..=427, // io_uring_enter, io_uring_register
    440..=440, // process_madvise
    443..=443, // quotactl_fd
    447..=448, // memfd_secret, process_mrelease
    450..=451, // set_mempolicy_home_node, cachestat
    454..=458, // futex_wake, futex_wait, futex_requeue, statmount, listmount
    462..=511, // mseal, setxattrat, getxattrat, listxattrat, removexattrat, open_tree_attr, file_getattr, file_setattr
];

/// Returns whether a recording refuses the system call of this number.
pub fn is_refused(number: i32) -> bool {
    u16::try_from(number).is_ok_and(|number| CALLS.iter().any(|calls| calls.contains(&number)))
}

/// Returns the variable for a recording rr, given its value in our own environment.
pub fn refused_calls(given: Option<OsString>) -> (OsString, OsString) {
    let list = given.unwrap_or_else(|| {
        let mut list = String::new();
        for number in CALLS.iter().cloned().flatten() {
            let comma = if list.is_empty() { "" } else { "," };
            // Writing to a string cannot fail.
            let _ = write!(list, "{comma}{number}");
        }
        list.into()
    });
    (REFUSED.into(), list)
}
