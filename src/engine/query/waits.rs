//! What threads wait for: in which system call, for which lock, and who has that.
//!
//! A thread that waits for another one is in the system call `futex`: its registers say for which word in memory. What
//! that word is part of, a function of the C library or of Rust's on its stack tells. Of a `pthread_mutex_t` and a
//! `pthread_rwlock_t` of the GNU C library the owner is a member (`nptl/bits/struct_mutex.h`, `struct_rwlock.h`, the
//! same on x86-64 since version 2.25), which is believed if the lock is locked and that thread exists. `pthread_join`
//! waits for the word that holds the id of the thread that is waited for. Other locks do not say who has them.

use super::kernel_wait::CallUnderWay;
use super::lock_name::NamedLock;
use crate::api::error::Error;
use crate::api::{Frame, Owner, Thread, Wait, WaitKind, Waiting, Waits};
use crate::session::engine::Engine;
use arch::ThreadId;
use dwarf::is_own_source;

/// Most threads that are looked at.
const MOST_THREADS: usize = 256;
/// How many frames are looked through.
const FRAMES: u32 = 24;

/// Functions of the C library, without what is before `pthread_` in its own copies of them.
const OF_C: [(&str, WaitKind); 19] = [
    ("pthread_mutex_lock", WaitKind::Mutex),
    ("pthread_mutex_timedlock", WaitKind::Mutex),
    ("pthread_mutex_clocklock", WaitKind::Mutex),
    ("pthread_mutex_cond_lock", WaitKind::Mutex),
    ("pthread_cond_wait", WaitKind::Condition),
    ("pthread_cond_timedwait", WaitKind::Condition),
    ("pthread_cond_clockwait", WaitKind::Condition),
    ("pthread_rwlock_rdlock", WaitKind::RwLock),
    ("pthread_rwlock_wrlock", WaitKind::RwLock),
    ("pthread_rwlock_timedrdlock", WaitKind::RwLock),
    ("pthread_rwlock_timedwrlock", WaitKind::RwLock),
    ("pthread_rwlock_clockrdlock", WaitKind::RwLock),
    ("pthread_rwlock_clockwrlock", WaitKind::RwLock),
    ("pthread_join", WaitKind::Join),
    ("pthread_timedjoin_np", WaitKind::Join),
    ("pthread_clockjoin_ex", WaitKind::Join),
    ("pthread_barrier_wait", WaitKind::Barrier),
    ("sem_wait", WaitKind::Semaphore),
    ("sem_timedwait", WaitKind::Semaphore),
];

/// What is in the names of functions of the libraries of C++ and Rust.
const OF_LANGUAGES: [(&str, WaitKind); 6] = [
    ("std::__atomic_futex_unsigned_base::_M_futex_wait", WaitKind::Future),
    ("futex::Mutex::lock_contended", WaitKind::RustMutex),
    ("futex::RwLock::read_contended", WaitKind::RustRwLock),
    ("futex::RwLock::write_contended", WaitKind::RustRwLock),
    ("futex::Condvar::wait", WaitKind::RustCondvar),
    ("::Parker::park", WaitKind::RustPark),
];

/// How the names of functions of Rust's library begin that wait for the other end of a channel.
const CHANNELS: [&str; 2] = ["std::sync::mpmc::", "std::sync::mpsc::"];

/// Returns the function on the stack that tells what a thread waits for, and what that is.
fn kind_on(frames: &[Frame]) -> Option<(String, WaitKind)> {
    let functions = || frames.iter().filter_map(|frame| frame.function.as_deref());
    let (function, kind) = functions().find_map(|function| Some((function, kind_of(function)?)))?;
    let is_of_channel = |function: &&str| CHANNELS.iter().any(|start| function.starts_with(start));
    match functions().find(is_of_channel).filter(|_| kind == WaitKind::RustPark) {
        Some(channel) => Some((channel.to_owned(), WaitKind::RustChannel)),
        None => Some((function.to_owned(), kind)),
    }
}

/// Returns what a function waits for.
fn kind_of(function: &str) -> Option<WaitKind> {
    let found = OF_LANGUAGES.iter().find(|(part, _)| function.contains(part));
    let of_c = || {
        let end = function.find(['(', '@']).unwrap_or(function.len());
        let plain = function.get(..end)?.trim_start_matches("__GI_").trim_start_matches('_');
        OF_C.iter().find(|(name, _)| *name == plain)
    };
    found.or_else(of_c).map(|(_, kind)| *kind)
}

/// Returns whether a frame is of the program's own code.
fn is_own(frame: &Frame) -> bool {
    frame.line.is_some() && frame.fullname.as_ref().or(frame.file.as_ref()).is_some_and(|path| is_own_source(path))
}

impl Engine {
    /// Finds out what each thread waits for, and which wait for each other.
    ///
    /// # Errors
    /// If the process has ended, or cannot be asked.
    pub fn waits(&mut self) -> Result<Waits, Error> {
        let (selected, level) = (self.selected_thread(), self.frame_level());
        let found = self.all_waits();
        self.select_thread(&selected.to_string())?;
        self.select_frame(level)?;
        found
    }

    /// Returns whether any thread waits for a word in memory.
    pub(super) fn is_any_waiting(&mut self) -> Result<bool, Error> {
        for thread in self.threads()?.into_iter().take(MOST_THREADS) {
            let call = self.with(|s| s.debuggee.call_under_way(thread.id))?;
            if call.is_some_and(|call| call.futex_word().is_some()) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn all_waits(&mut self) -> Result<Waits, Error> {
        let position = self.position()?;
        let all = self.threads()?;
        let ids: Vec<ThreadId> = all.iter().map(|thread| thread.id).collect();
        let more = all.len().saturating_sub(MOST_THREADS);
        let mut threads = Vec::new();
        for thread in all.into_iter().take(MOST_THREADS) {
            threads.push(self.what_waits(thread, &ids)?);
        }
        Ok(Waits { threads, more, position })
    }

    fn what_waits(&mut self, thread: Thread, ids: &[ThreadId]) -> Result<Waiting, Error> {
        self.select_thread(&thread.id.to_string())?;
        let mut frames = match self.backtrace(0, FRAMES, false) {
            Ok(found) => found.frames,
            Err(error) if error.ends_replay() => return Err(error),
            Err(_) => Vec::new(),
        };
        self.name_by_calls(&mut frames)?;
        let call = self.with(|s| s.debuggee.call_under_way(thread.id))?;
        let wait = match call.as_ref().and_then(|call| Some((call, call.futex_word()?))) {
            Some((call, word)) => Some(self.wait(&thread, call, word, &frames, ids)?),
            None => None,
        };
        let call = call.map(|call| call.name.to_owned());
        let frame = frames.into_iter().find(is_own);
        Ok(Waiting { thread, call, wait, frame })
    }

    fn wait(
        &mut self,
        thread: &Thread,
        call: &CallUnderWay,
        word: u64,
        frames: &[Frame],
        ids: &[ThreadId],
    ) -> Result<Wait, Error> {
        let [_, _, expected, timeout] = call.arguments;
        let told = kind_on(frames);
        let content = self.number_at(word)?;
        let kind = told.as_ref().map_or(WaitKind::Futex, |(_, kind)| *kind);
        let named = match kind {
            // The word is in the description of the thread that is waited for.
            WaitKind::Join => None,
            _ => self.lock_of(thread.id, word, frames)?,
        };
        // Of these the word is the first member.
        let is_first = matches!(kind, WaitKind::Mutex | WaitKind::Semaphore | WaitKind::RustMutex);
        let lock = match kind {
            // Who waits to read waits for the word that tells who has it, who waits to write for another one.
            WaitKind::RustRwLock => named.as_ref().and_then(|named| named.state),
            _ => named.as_ref().and_then(|named| named.start).or(is_first.then_some(word)),
        };
        let process: Vec<ThreadId> = ids.iter().filter(|id| id.pid == thread.id.pid).copied().collect();
        let thread_of = |tid: u32| process.iter().find(|id| id.tid == tid).copied();
        let unknown = |why: &str| Owner::Unknown(why.to_owned());
        let owner = match kind {
            WaitKind::Mutex if lock == Some(word) => self.owner_of_mutex(word, &thread_of)?,
            WaitKind::Mutex => unknown("the word that is waited for is not the beginning of the lock"),
            WaitKind::RwLock => match lock {
                Some(lock) => self.owner_of_rwlock(lock, &thread_of)?,
                None => unknown("where the lock begins is not known"),
            },
            WaitKind::Join => match content.filter(|tid| expected as u32 == *tid) {
                Some(tid) => thread_of(tid).map_or_else(|| unknown("that thread has ended"), Owner::Thread),
                None => unknown("the word that is waited for has changed: the thread has ended"),
            },
            WaitKind::Condition | WaitKind::Semaphore | WaitKind::Barrier => Owner::None,
            WaitKind::RustCondvar | WaitKind::RustPark | WaitKind::RustChannel | WaitKind::Future => Owner::None,
            WaitKind::RustMutex | WaitKind::RustRwLock => unknown("the lock does not say who has it"),
            WaitKind::Futex => unknown("what the word belongs to is not known"),
        };
        let (name, ty) = named.map_or((None, None), |named| (Some(named.name), named.ty));
        let function = told.map(|(function, _)| function);
        Ok(Wait { kind, function, word, content, lock, name, ty, owner, is_timed: timeout != 0 })
    }

    fn number_at(&mut self, address: u64) -> Result<Option<u32>, Error> {
        self.with_memory(|memory| {
            let mut bytes = [0; 4];
            memory.read(address, &mut bytes).ok()?;
            Some(u32::from_le_bytes(bytes))
        })
    }

    /// Reads who has a `pthread_mutex_t`.
    fn owner_of_mutex(&mut self, lock: u64, thread_of: &dyn Fn(u32) -> Option<ThreadId>) -> Result<Owner, Error> {
        let (state, owner) = (self.number_at(lock)?, self.number_at(lock.wrapping_add(8))?);
        Ok(match (state, owner) {
            (Some(0), _) => Owner::Unknown("it is free at this moment".to_owned()),
            (Some(_), Some(0)) => Owner::Unknown("it is locked, and its owner is not written down".to_owned()),
            (Some(_), Some(owner)) => match thread_of(owner) {
                Some(thread) => Owner::Thread(thread),
                None => Owner::Unknown(format!("its owner is {owner}, which is not a thread of the process now")),
            },
            _ => Owner::Unknown("it cannot be read".to_owned()),
        })
    }

    /// Reads who has a `pthread_rwlock_t`.
    fn owner_of_rwlock(&mut self, lock: u64, thread_of: &dyn Fn(u32) -> Option<ThreadId>) -> Result<Owner, Error> {
        const WRITING: u32 = 1;
        const WRITE_LOCKED: u32 = 2;
        let (readers, writer) = (self.number_at(lock)?, self.number_at(lock.wrapping_add(24))?);
        Ok(match (readers, writer) {
            (Some(state), Some(writer)) if state & WRITE_LOCKED != 0 && writer != 0 => match thread_of(writer) {
                Some(thread) => Owner::Thread(thread),
                None => Owner::Unknown(format!("its writer is {writer}, which is not a thread of the process now")),
            },
            (Some(state), _) if state & WRITING == 0 && state >> 3 > 0 => {
                Owner::Unknown(format!("{} threads have it for reading: which, it does not say", state >> 3))
            }
            (Some(_), _) => Owner::Unknown("it does not say".to_owned()),
            (None, _) => Owner::Unknown("it cannot be read".to_owned()),
        })
    }

    /// Finds the lock that a word belongs to, if it has a name: in the frames of the program first.
    fn lock_of(&mut self, thread: ThreadId, word: u64, frames: &[Frame]) -> Result<Option<NamedLock>, Error> {
        let near = frames.iter().find(|frame| is_own(frame)).map_or(0, |frame| frame.level);
        match self.with(|s| s.debuggee.inferior.lock_at(thread, word, near)) {
            Err(error) if error.ends_replay() => Err(error),
            // Without it the rest is still true.
            found => Ok(found.unwrap_or_default()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_tell_what_is_waited_for() {
        assert_eq!(kind_of("___pthread_mutex_lock"), Some(WaitKind::Mutex));
        assert_eq!(kind_of("__GI___pthread_mutex_lock"), Some(WaitKind::Mutex));
        assert_eq!(kind_of("pthread_cond_wait@@GLIBC_2.3.2"), Some(WaitKind::Condition));
        assert_eq!(kind_of("__pthread_clockjoin_ex"), Some(WaitKind::Join));
        assert_eq!(kind_of("std::sys::sync::mutex::futex::Mutex::lock_contended"), Some(WaitKind::RustMutex));
        assert_eq!(kind_of("my_pthread_mutex_lock"), None);
        assert_eq!(kind_of("main"), None);
    }
}
