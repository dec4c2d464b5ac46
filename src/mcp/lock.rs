//! Locking what threads share.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Locks; a panic elsewhere does not make the data wrong, since every change of it is a single assignment.
pub(crate) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
