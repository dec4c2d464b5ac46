//! Locks that are words in memory: what becomes of the word tells who has the lock.
//!
//! Code of Rust's library may be inlined, and a `pthread_rwlock_t` does not say who reads: the writes to the word do.

/// What kind of lock a word is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LockWord {
    /// A `Mutex` of Rust's library. 0: free; 1: taken; 2: taken, and others wait.
    RustMutex,
    /// An `RwLock` of Rust's library. In the lower 30 bits, how many read; if all are set, one writes.
    RustRwLock,
    /// The first word of a `pthread_rwlock_t` (`nptl/pthread_rwlock_common.c`). From bit 3 on, how many read or wait to
    /// read; bit 0: one writes.
    PthreadRwLock,
}

/// What has become of a lock, by what was written to its word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Change {
    /// Nothing that matters.
    None,
    /// The thread that has written has it, perhaps with others.
    Taken { is_shared: bool },
    /// It has let it go.
    Left,
    /// It has it with others instead of alone.
    Shared,
    /// It is no lock any more.
    Other,
}

/// The bits of a Rust lock for readers that are a number.
const READERS: u32 = (1 << 30) - 1;
/// The bits of a `pthread_rwlock_t`'s word that are none.
const FLAGS_OF_C: u32 = 3;

impl LockWord {
    /// Returns whether no thread has the lock. Of a `pthread_rwlock_t`: no thread reads.
    pub(super) fn is_free(self, word: u32) -> bool {
        match self {
            Self::RustMutex => word == 0,
            Self::RustRwLock => word & READERS == 0,
            Self::PthreadRwLock => word >> FLAGS_OF_C == 0,
        }
    }

    /// Returns what a write to the word means.
    pub(super) fn change(self, before: u32, after: u32, is_atomic: bool) -> Change {
        match self {
            _ if before == after => Change::None,
            _ if !is_atomic => Change::Other,
            Self::RustMutex => match (before, after) {
                (0, 1 | 2) => Change::Taken { is_shared: false },
                (1 | 2, 0) => Change::Left,
                (1, 2) | (2, 1) => Change::None,
                _ => Change::Other,
            },
            Self::RustRwLock => match (before & READERS, after & READERS) {
                (before, after) if before == after => Change::None,
                (0, READERS) => Change::Taken { is_shared: false },
                (READERS, 0) => Change::Left,
                (READERS, 1) => Change::Shared,
                (before, after) if before != READERS && after == before + 1 => Change::Taken { is_shared: true },
                (before, after) if before != READERS && after + 1 == before => Change::Left,
                _ => Change::Other,
            },
            Self::PthreadRwLock => match (before >> FLAGS_OF_C, after >> FLAGS_OF_C) {
                (before, after) if before == after => Change::None,
                (before, after) if after == before + 1 => Change::Taken { is_shared: true },
                (before, after) if after + 1 == before => Change::Left,
                _ => Change::Other,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_to_a_word_tells_who_has_the_lock() {
        let mutex = |before, after| LockWord::RustMutex.change(before, after, true);
        assert_eq!([mutex(0, 1), mutex(0, 2)], [Change::Taken { is_shared: false }; 2]);
        assert_eq!([mutex(1, 0), mutex(2, 0)], [Change::Left; 2]);
        assert_eq!([mutex(1, 2), mutex(2, 2)], [Change::None; 2]);
        assert_eq!([mutex(0, 7), LockWord::RustMutex.change(0, 1, false)], [Change::Other; 2]);
        let many = |before, after| LockWord::RustRwLock.change(before, after, true);
        let waiting = 1 << 30;
        assert_eq!([many(0, 1), many(1 | waiting, 2 | waiting)], [Change::Taken { is_shared: true }; 2]);
        assert_eq!([many(2, 1), many(READERS | waiting, waiting), many(1, 0)], [Change::Left; 3]);
        assert_eq!([many(0, READERS), many(waiting, READERS)], [Change::Taken { is_shared: false }; 2]);
        assert_eq!([many(READERS, 1), many(0, waiting), many(0, 5)], [Change::Shared, Change::None, Change::Other]);
        let of_c = |before, after| LockWord::PthreadRwLock.change(before, after, true);
        assert_eq!([of_c(0, 8), of_c(10, 18)], [Change::Taken { is_shared: true }; 2]);
        assert_eq!([of_c(8, 0), of_c(8, 10), of_c(0, 24)], [Change::Left, Change::None, Change::Other]);
        assert!(LockWord::PthreadRwLock.is_free(3) && !LockWord::PthreadRwLock.is_free(11));
    }
}
