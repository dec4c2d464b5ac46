//! Who waits for whom where a process hangs, and since when locks are held.

use base::cancel::Cancel;
use engine::Engine;
use engine::model::{Position, Wait, WaitKind, Waiting, Waits};
use questions::{HeldLock, LockKind, LockQuery, LockWord, Locks, LocksQuery, Now};
use rr::Rr;
use std::path::Path;

/// How far the owner is from the beginning of a `pthread_mutex_t`, and of a `pthread_rwlock_t`.
const OWNER_OF_MUTEX: u64 = 8;
const WRITER_OF_RWLOCK: u64 = 24;

/// What the threads of a process wait for, and the locks among that.
pub(crate) struct Blocked {
    pub(crate) waits: Waits,
    pub(crate) asked: Vec<LockQuery>,
    /// What the recording says of them.
    pub(crate) locks: Locks,
}

impl Blocked {
    /// Finds out what threads wait for, and which words in memory say that locks are held. The recording is not asked.
    ///
    /// # Errors
    /// If the process has ended, or cannot be asked.
    pub(crate) fn now(engine: &mut Engine) -> Result<Self, engine::Error> {
        let waits = engine.waits()?;
        let mut asked: Vec<LockQuery> = Vec::new();
        for waiting in &waits.threads {
            let Some((lock, word, kind)) = waiting.wait.as_ref().and_then(|wait| word_of(engine, wait)) else {
                continue;
            };
            let tid = waiting.thread.id.tid;
            match asked.iter_mut().find(|known| known.lock == lock) {
                Some(known) => known.waiting.push(tid),
                None => {
                    let content = bytes(engine, word);
                    asked.push(LockQuery { lock, word, content, kind, waiting: vec![tid] });
                }
            }
        }
        // Of many, those are asked about first that somebody has.
        asked.sort_by_key(|lock| matches!(lock.kind, LockKind::Condition | LockKind::RustCondvar));
        Ok(Self { waits, asked, locks: Locks::default() })
    }

    /// Returns what a recording is asked about the locks; `None` if nothing is.
    ///
    /// # Errors
    /// If the recording cannot be read.
    pub(crate) fn query(&self, trace: &Path) -> Result<Option<LocksQuery>, rr::Error> {
        if self.asked.is_empty() || self.waits.position.moment.is_none() {
            return Ok(None);
        }
        query(trace, self.waits.position, &self.asked).map(Some)
    }

    /// Asks a recording about the locks. If that fails, a note says why, and what the threads say themselves remains.
    pub(crate) fn ask(&mut self, rr: &Rr, trace: &Path, cancel: &Cancel) {
        let ask = |query: &LocksQuery| Locks::ask(rr, trace, query, cancel);
        let query = self.query(trace).map_err(questions::Error::from).transpose();
        match query.map(|query| query.and_then(|query| ask(&query))) {
            None => {}
            Some(Ok(locks)) => self.locks = locks,
            Some(Err(why)) => self.locks.notes.push(format!("since when locks are held is unavailable: {why}")),
        }
    }

    /// Returns what was asked about the lock that a thread waits for, and the answer.
    pub(crate) fn lock_of(&self, waiting: &Waiting) -> Option<(&LockQuery, &HeldLock)> {
        let wait = waiting.wait.as_ref()?;
        let is_it = |lock: &LockQuery| {
            lock.waiting.contains(&waiting.thread.id.tid) && [wait.lock, Some(wait.word)].contains(&Some(lock.lock))
        };
        self.asked.iter().zip(&self.locks.held).find(|(lock, _)| is_it(lock))
    }
}

/// Returns where a lock begins, the word that says who has it, and what that means; `None`: nothing says it.
fn word_of(engine: &mut Engine, wait: &Wait) -> Option<(u64, u64, LockKind)> {
    const WRITING: u32 = 1;
    match (wait.kind, wait.lock) {
        (WaitKind::Mutex, Some(lock)) => Some((lock, lock.wrapping_add(OWNER_OF_MUTEX), LockKind::Owner)),
        (WaitKind::RwLock, Some(lock)) => {
            let state = u32::from_le_bytes(bytes(engine, lock).try_into().ok()?);
            Some(match state & WRITING {
                0 => (lock, lock, LockKind::Word(LockWord::PthreadRwLock)),
                _ => (lock, lock.wrapping_add(WRITER_OF_RWLOCK), LockKind::Owner),
            })
        }
        (WaitKind::Condition, Some(lock)) => Some((lock, lock, LockKind::Condition)),
        (WaitKind::RustMutex, _) => Some((wait.word, wait.word, LockKind::Word(LockWord::RustMutex))),
        (WaitKind::RustRwLock, Some(state)) => Some((state, state, LockKind::Word(LockWord::RustRwLock))),
        (WaitKind::RustCondvar, _) => Some((wait.word, wait.word, LockKind::RustCondvar)),
        _ => None,
    }
}

/// Reads a word; nothing if it cannot be read.
fn bytes(engine: &mut Engine, address: u64) -> Vec<u8> {
    engine.read_memory(&format!("{address:#x}"), 4).map(|block| block.bytes).unwrap_or_default()
}

fn query(trace: &Path, position: Position, locks: &[LockQuery]) -> Result<LocksQuery, rr::Error> {
    let pid = position.thread.pid;
    let programs = rr::programs_until(trace, pid, position.event().unwrap_or(u64::MAX))?;
    let now = Now {
        event: position.event().unwrap_or_default(),
        ticks: position.ticks().unwrap_or_default(),
        tid: position.thread.tid,
        content: Vec::new(),
        place: None,
    };
    Ok(LocksQuery { locks: locks.to_vec(), pid, programs, now })
}
