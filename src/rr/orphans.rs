//! Reaping processes that nobody else reaps.
//!
//! A killed rr leaves the processes that it recorded or replayed. They die with it, and become children of the system's
//! process 1, which reaps them. Where that is us, as in a container whose only program we are, it is our duty.

use std::collections::BTreeSet;
use std::io;
use std::process::{Child, Command};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

/// The children that somebody here waits for.
static OURS: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());

fn ours() -> MutexGuard<'static, BTreeSet<u32>> {
    OURS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Starts a child that is not taken for an orphan.
pub(super) fn spawn(command: &mut Command) -> io::Result<Child> {
    // While the lock is held nobody reaps, so that a child that ends at once is not taken for one either.
    let mut ours = ours();
    let child = command.spawn()?;
    ours.insert(child.id());
    Ok(child)
}

/// Forgets a child that has been waited for, or will be left to itself.
pub(super) fn no_longer_ours(child: u32) {
    ours().remove(&child);
}

/// Reaps dead orphans, if they are ours to reap. Those that die later are reaped the next time.
pub(super) fn reap() {
    static ADOPTED: OnceLock<bool> = OnceLock::new();
    if !*ADOPTED.get_or_init(adopts_orphans) {
        return;
    }
    let ours = ours();
    for orphan in children().filter(|child| !ours.contains(&child.unsigned_abs())) {
        // SAFETY: a plain system call without pointers; a process that lives is left alone.
        unsafe { libc::waitpid(orphan, std::ptr::null_mut(), libc::WNOHANG) };
    }
}

/// Returns whether processes whose parent has died become our children.
fn adopts_orphans() -> bool {
    let mut reaper: libc::c_int = 0;
    // SAFETY: the kernel writes an int.
    let known = unsafe { libc::prctl(libc::PR_GET_CHILD_SUBREAPER, &raw mut reaper) } == 0;
    std::process::id() == 1 || (known && reaper != 0)
}

/// Lists our children, whichever thread they belong to.
fn children() -> impl Iterator<Item = libc::pid_t> {
    let threads = std::fs::read_dir("/proc/self/task").into_iter().flatten().flatten();
    let lists = threads.filter_map(|thread| std::fs::read_to_string(thread.path().join("children")).ok());
    lists.flat_map(|list| list.split_whitespace().filter_map(|pid| pid.parse().ok()).collect::<Vec<_>>())
}
