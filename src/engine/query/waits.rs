//! What threads wait for: in which system call, for which lock, and who has that.
//!
//! A thread that waits for another one is in the system call `futex`: its registers say for which word in memory. What
//! that word is part of, a function of the C library or of Rust's on its stack tells. Of a `pthread_mutex_t` and a
//! `pthread_rwlock_t` of the GNU C library the owner is a member (`nptl/bits/struct_mutex.h`, `struct_rwlock.h`, the
//! same on x86-64 since version 2.25), which is believed if the lock is locked and that thread exists. `pthread_join`
//! waits for the word that holds the id of the thread that is waited for. Other locks do not say who has them.

use crate::arch::{RunAddr, ThreadId};
use crate::ctype::layout::{pointer_target, size_of, strip};
use crate::ctype::{Place, Target, Type, TypeRef};
use crate::engine::api::error::Error;
use crate::engine::api::{Frame, Owner, Thread, Wait, WaitKind, Waiting, Waits};
use crate::engine::query::typed::spelled;
use crate::engine::session::engine::Engine;

/// Most threads that are looked at.
const MOST_THREADS: usize = 256;
/// How many frames are looked through.
const FRAMES: u32 = 24;
/// How many frames of the program are looked through for what leads to a lock.
const NAMING: usize = 3;
/// Deepest nesting of members that is named.
const DEEPEST: usize = 8;
/// What a register says in a system call that has not come to its end: ENOSYS.
const UNDER_WAY: u64 = (-38_i64).cast_unsigned();
/// Highest number of a system call.
const LAST_CALL: u64 = 1023;
const FUTEX: u64 = 202;
/// Where sources and libraries are that are not the program's own.
const NOT_OWN: [&str; 5] = ["/usr/", "/lib", "/rustc/", "./nptl/", "./signal/"];

/// System calls that wait, by number (`asm/unistd_64.h`).
const CALLS: [(u64, &str); 36] = [
    (0, "read"),
    (1, "write"),
    (7, "poll"),
    (23, "select"),
    (34, "pause"),
    (35, "nanosleep"),
    (42, "connect"),
    (43, "accept"),
    (44, "sendto"),
    (45, "recvfrom"),
    (46, "sendmsg"),
    (47, "recvmsg"),
    (60, "exit"),
    (61, "wait4"),
    (65, "semop"),
    (70, "msgrcv"),
    (72, "fcntl"),
    (73, "flock"),
    (128, "rt_sigtimedwait"),
    (130, "rt_sigsuspend"),
    (FUTEX, "futex"),
    (220, "semtimedop"),
    (230, "clock_nanosleep"),
    (231, "exit_group"),
    (232, "epoll_wait"),
    (243, "mq_timedreceive"),
    (247, "waitid"),
    (270, "pselect6"),
    (271, "ppoll"),
    (281, "epoll_pwait"),
    (288, "accept4"),
    (299, "recvmmsg"),
    (426, "io_uring_enter"),
    (441, "epoll_pwait2"),
    (449, "futex_waitv"),
    (455, "futex_wait"),
];

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

/// What is in the names of functions of Rust's library.
const OF_RUST: [(&str, WaitKind); 5] = [
    ("futex::Mutex::lock_contended", WaitKind::RustMutex),
    ("futex::RwLock::read_contended", WaitKind::RustRwLock),
    ("futex::RwLock::write_contended", WaitKind::RustRwLock),
    ("futex::Condvar::wait", WaitKind::RustCondvar),
    ("::Parker::park", WaitKind::RustPark),
];

/// Returns what a function waits for.
fn kind_of(function: &str) -> Option<WaitKind> {
    let found = OF_RUST.iter().find(|(part, _)| function.contains(part));
    let of_c = || {
        let end = function.find(['(', '@']).unwrap_or(function.len());
        let plain = function.get(..end)?.trim_start_matches("__GI_").trim_start_matches('_');
        OF_C.iter().find(|(name, _)| *name == plain)
    };
    found.or_else(of_c).map(|(_, kind)| *kind)
}

fn is_own(frame: &Frame) -> bool {
    let is_own = |path: &String| {
        !NOT_OWN.iter().any(|place| path.starts_with(place) || path.contains("/rustlib/") || path.contains("/sysdeps/"))
    };
    frame.line.is_some() && frame.fullname.as_ref().or(frame.file.as_ref()).is_some_and(is_own)
}

/// What is at an address in the program's words.
struct Named {
    name: String,
    ty: Option<String>,
    /// Where the lock begins.
    start: u64,
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
        let frames = match self.backtrace(0, FRAMES, false) {
            Ok(found) => found.frames,
            Err(error) if error.ends_replay() => return Err(error),
            Err(_) => Vec::new(),
        };
        let names = ["orig_rax", "rax", "rdi", "rdx", "r10"];
        let [number, result, word, expected, timeout] = self.with(|s| {
            let registers = s.debuggee.inferior.process.registers(s.debuggee.thread)?;
            Ok(names.map(|name| registers.value(name)))
        })?;
        let number = number.filter(|number| *number <= LAST_CALL && result == Some(UNDER_WAY));
        let call = number.map(|number| {
            let known = CALLS.iter().find(|(known, _)| *known == number);
            known.map_or_else(|| format!("system call {number}"), |(_, name)| (*name).to_owned())
        });
        let wait = match (number, word) {
            (Some(FUTEX), Some(word)) => {
                let mut wait = self.wait(&thread, word, expected, &frames, ids)?;
                wait.is_timed = timeout != Some(0);
                Some(wait)
            }
            _ => None,
        };
        let frame = frames.into_iter().find(is_own);
        Ok(Waiting { thread, call, wait, frame })
    }

    fn wait(
        &mut self,
        thread: &Thread,
        word: u64,
        expected: Option<u64>,
        frames: &[Frame],
        ids: &[ThreadId],
    ) -> Result<Wait, Error> {
        let told = frames.iter().find_map(|frame| {
            let function = frame.function.as_deref()?;
            Some((frame.level, function.to_owned(), kind_of(function)?))
        });
        let content = self.number_at(word)?;
        let kind = told.as_ref().map_or(WaitKind::Futex, |(.., kind)| *kind);
        let named = match kind {
            // The word is in the description of the thread that is waited for.
            WaitKind::Join => None,
            _ => self.named(word, frames, told.as_ref().map_or(0, |(level, ..)| *level))?,
        };
        // Of these the word is the first member.
        let is_first = matches!(kind, WaitKind::Mutex | WaitKind::Semaphore | WaitKind::RustMutex);
        let lock = named.as_ref().map(|named| named.start).or(is_first.then_some(word));
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
            WaitKind::Join => match content.filter(|tid| expected.map(|value| value as u32) == Some(*tid)) {
                Some(tid) => thread_of(tid).map_or_else(|| unknown("that thread has ended"), Owner::Thread),
                None => unknown("the word that is waited for has changed: the thread has ended"),
            },
            WaitKind::Condition | WaitKind::Semaphore | WaitKind::Barrier => Owner::None,
            WaitKind::RustCondvar | WaitKind::RustPark => Owner::None,
            WaitKind::RustMutex | WaitKind::RustRwLock => unknown("the lock does not say who has it"),
            WaitKind::Futex => unknown("what the word belongs to is not known"),
        };
        let (name, ty) = named.map_or((None, None), |named| (Some(named.name), named.ty));
        let function = told.map(|(_, function, _)| function);
        Ok(Wait { kind, function, word, content, lock, name, ty, owner, is_timed: false })
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
                None => Owner::Unknown(format!("its owner is {owner}, which is no thread of the process now")),
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
                None => Owner::Unknown(format!("its writer is {writer}, which is no thread of the process now")),
            },
            (Some(state), _) if state & WRITING == 0 && state >> 3 > 0 => {
                Owner::Unknown(format!("{} threads have it for reading: which, it does not say", state >> 3))
            }
            (Some(_), _) => Owner::Unknown("it does not say".to_owned()),
            (None, _) => Owner::Unknown("it cannot be read".to_owned()),
        })
    }

    /// Finds a variable that the lock with this word is in, or that leads to it: a global, or one of the frames that
    /// wait for it. `from`: the frame that waits.
    fn named(&mut self, word: u64, frames: &[Frame], from: u32) -> Result<Option<Named>, Error> {
        if let Some(named) = self.named_by_symbol(word)? {
            return Ok(Some(named));
        }
        let own: Vec<u32> =
            frames.iter().filter(|f| f.level > from && is_own(f)).map(|f| f.level).take(NAMING).collect();
        for level in own {
            self.select_frame(level)?;
            let variables = match self.typed_variables() {
                Ok(variables) => variables,
                Err(error) if error.ends_replay() => return Err(error),
                Err(_) => continue,
            };
            for variable in variables.into_iter().filter(|variable| !variable.is_shadowed) {
                let (value, target) = (variable.value.value.clone(), variable.value.target);
                if let Place::Memory(start) = value.place
                    && let Some(found) = part_at(&value.ty, start, word, target)
                {
                    return Ok(Some(found.named(&variable.name, ".")));
                }
                let Some(pointee) = pointer_target(&value.ty) else { continue };
                let Some(start) = self.with_memory(|memory| value.word(0, memory).ok())? else { continue };
                if let Some(found) = part_at(&pointee, start, word, target) {
                    return Ok(Some(found.named(&variable.name, if found.path.is_empty() { "*" } else { "->" })));
                }
            }
        }
        Ok(None)
    }

    fn named_by_symbol(&mut self, word: u64) -> Result<Option<Named>, Error> {
        let Some(symbol) = self.symbol_at(RunAddr(word))? else { return Ok(None) };
        let start = word.wrapping_sub(symbol.offset);
        match self.typed(&symbol.name) {
            Ok(typed) if matches!(typed.value.place, Place::Memory(at) if at == start) => {
                let found = part_at(&typed.value.ty, start, word, typed.target);
                Ok(found.map(|found| found.named(&symbol.name, ".")))
            }
            Err(error) if error.ends_replay() => Err(error),
            // Another variable of that name is nearer, or there is no debug info.
            _ if symbol.offset == 0 => Ok(Some(Named { name: symbol.name, ty: None, start })),
            _ => Ok(None),
        }
    }
}

/// A part of an object.
struct Part {
    path: String,
    ty: String,
    start: u64,
}

impl Part {
    fn named(&self, variable: &str, by: &str) -> Named {
        let name = match (self.path.as_str(), by) {
            ("", "*") => format!("*{variable}"),
            ("", _) => variable.to_owned(),
            (path, by) => format!("{variable}{by}{path}"),
        };
        Named { name, ty: Some(self.ty.clone()), start: self.start }
    }
}

/// Returns whether a type is a lock as programs name it, into which nobody looks.
fn is_lock(ty: &str) -> bool {
    const LOCKS: [&str; 9] =
        ["mutex", "Mutex", "rwlock", "RwLock", "cond", "Condvar", "sem_t", "pthread_barrier_t", "semaphore"];
    LOCKS.iter().any(|lock| ty.contains(lock)) && !ty.starts_with("struct __pthread") && !ty.contains("MutexGuard")
}

/// Finds the lock in an object at `start` that a word is in.
fn part_at(ty: &TypeRef, start: u64, word: u64, target: Target) -> Option<Part> {
    let mut part = Part { path: String::new(), ty: spelled(ty, target), start };
    let mut ty = ty.clone();
    for _ in 0..DEEPEST {
        let stripped = strip(&ty);
        if word.checked_sub(part.start)? >= size_of(&stripped)? {
            return None;
        }
        if is_lock(&part.ty) {
            return Some(part);
        }
        let Type::Record(record) = &*stripped else { break };
        let holds = |offset: u64, inner: &TypeRef| {
            let into = word.checked_sub(part.start)?.checked_sub(offset)?;
            (into < size_of(&strip(inner))?).then_some(())
        };
        let member = record.members.iter().find(|member| holds(member.offset, &member.ty.get()).is_some())?;
        if let Some(name) = &member.name
            && !member.is_base
        {
            let dot = if part.path.is_empty() { "" } else { "." };
            part.path += &format!("{dot}{name}");
        }
        part.start += member.offset;
        ty = member.ty.get();
        part.ty = spelled(&ty, target);
    }
    // It is in no lock that has a name.
    (part.start == word).then_some(part)
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
