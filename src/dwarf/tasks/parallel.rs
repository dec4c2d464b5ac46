//! The same on several threads at a time.

use crate::tasks::work::Asker;
use std::any::Any;
use std::panic::resume_unwind;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::Builder;

/// Threads that read units; more hardly help, for they share the memory bus.
const MAX_THREADS: usize = 8;

/// Returns how many threads do so many things.
pub(crate) fn threads(things: usize) -> usize {
    std::thread::available_parallelism().map_or(2, |n| n.get()).min(MAX_THREADS).min(things)
}

/// Does something with several of a list at a time. The result is in the order of the list. Each thread has a state of
/// its own, and takes items in rising order.
pub(crate) fn in_parallel<T: Sync, S, R: Send>(
    items: &[T],
    state: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, usize, &T) -> R + Sync,
) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::with_capacity(items.len()));
    let thread = || {
        let mut state = state();
        while let Some((number, item)) = {
            let number = next.fetch_add(1, Ordering::Relaxed);
            items.get(number).map(|item| (number, item))
        } {
            let result = work(&mut state, number, item);
            done.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).push((number, result));
        }
    };
    at_once(threads(items.len()), &thread);
    // In their places rather than sorted: this is compiled for each kind of result.
    let mut results: Vec<Option<R>> = items.iter().map(|_| None).collect();
    for (number, result) in done.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner()) {
        results.get_mut(number).map(|place| place.insert(result));
    }
    results.into_iter().flatten().collect()
}

/// Runs the same on several threads, this one among them.
pub(crate) fn at_once(threads: usize, work: &(dyn Fn() + Sync)) {
    let asker = Asker::current();
    std::thread::scope(|scope| {
        // Where no more are to be had, fewer do it.
        let other = |_| Builder::new().spawn_scoped(scope, move || asker.help(work)).ok();
        let others: Vec<_> = (1..threads).map_while(other).collect();
        work();
        others.into_iter().for_each(|other| joined(other.join()));
    });
}

/// Returns the result of a thread. What it has thrown goes on in the one that waited for it.
fn joined<R>(result: Result<R, Box<dyn Any + Send>>) -> R {
    result.unwrap_or_else(|thrown| resume_unwind(thrown))
}
