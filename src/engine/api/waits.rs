//! What threads wait for.

use super::frame::Frame;
use super::position::{Position, Thread};
use arch::ThreadId;
use std::collections::{HashMap, VecDeque};
use std::fmt;

/// What kind of thing a thread waits for, by the function that it waits in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WaitKind {
    /// `pthread_mutex_t`, and what is made of it.
    Mutex,
    /// `pthread_cond_t`, and what is made of it.
    Condition,
    /// `pthread_rwlock_t`, and what is made of it.
    RwLock,
    /// `sem_t`.
    Semaphore,
    /// `pthread_barrier_t`.
    Barrier,
    /// The end of another thread.
    Join,
    /// A `Mutex` of Rust's library.
    RustMutex,
    /// An `RwLock` of Rust's library.
    RustRwLock,
    /// A `Condvar` of Rust's library.
    RustCondvar,
    /// `std::thread::park` of Rust's library.
    RustPark,
    /// The value of a `std::future` of the GNU C++ library.
    Future,
    /// A message of a channel of Rust's library (`std::sync::mpsc`), or room for one.
    RustChannel,
    /// A word in memory: a futex of something else.
    Futex,
}

impl WaitKind {
    /// Returns the word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Mutex => "mutex",
            Self::Condition => "condition",
            Self::RwLock => "rwlock",
            Self::Semaphore => "semaphore",
            Self::Barrier => "barrier",
            Self::Join => "join",
            Self::RustMutex => "rust-mutex",
            Self::RustRwLock => "rust-rwlock",
            Self::RustCondvar => "rust-condvar",
            Self::RustPark => "rust-park",
            Self::Future => "future",
            Self::RustChannel => "rust-channel",
            Self::Futex => "futex",
        }
    }
}

/// Who has what a thread waits for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Owner {
    /// This thread.
    Thread(ThreadId),
    /// It is nothing that a thread has.
    None,
    /// That is not known, in words.
    Unknown(String),
}

/// What a thread waits for, in a `futex` system call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wait {
    /// What kind of thing.
    pub kind: WaitKind,
    /// The function that tells the kind; `None`: none does.
    pub function: Option<String>,
    /// The word that the kernel has been told to wait for.
    pub word: u64,
    /// What is in it.
    pub content: Option<u32>,
    /// Where the lock begins, if that is known.
    pub lock: Option<u64>,
    /// The variable, or what leads to it from a variable.
    pub name: Option<String>,
    /// Its type.
    pub ty: Option<String>,
    /// Who has it.
    pub owner: Owner,
    /// It ends by itself some time.
    pub is_timed: bool,
}

impl Wait {
    /// Returns the thread that has it, if it does not end by itself.
    pub fn owner_for_good(&self) -> Option<ThreadId> {
        match self.owner {
            Owner::Thread(owner) if !self.is_timed => Some(owner),
            _ => None,
        }
    }
}

/// What is waited for and who has it: `mutex account->lock of 100.101`.
impl fmt::Display for Wait {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.kind.word())?;
        match &self.name {
            Some(name) => write!(f, " {name}")?,
            None => write!(f, " at {:#x}", self.lock.unwrap_or(self.word))?,
        }
        match &self.owner {
            Owner::Thread(owner) => write!(f, " of {owner}"),
            Owner::None | Owner::Unknown(_) => Ok(()),
        }
    }
}

/// A thread, and what it does.
#[derive(Clone, Debug, PartialEq)]
pub struct Waiting {
    /// The thread.
    pub thread: Thread,
    /// The system call that it is in.
    pub call: Option<String>,
    /// What it waits for, if that is another thread's business.
    pub wait: Option<Wait>,
    /// The innermost frame of the program's own code.
    pub frame: Option<Frame>,
}

/// What all threads of the process wait for.
#[derive(Clone, Debug, PartialEq)]
pub struct Waits {
    /// All threads, in the order of their numbers.
    pub threads: Vec<Waiting>,
    /// There are so many more threads.
    pub more: usize,
    /// Where the session is.
    pub position: Position,
}

impl Waits {
    /// Finds the threads that wait for each other in a circle, by what locks say of their owners.
    pub fn deadlocks(&self) -> Vec<Vec<ThreadId>> {
        let owner = |waiting: &Waiting| waiting.wait.as_ref().and_then(Wait::owner_for_good).into_iter().collect();
        let owners: Vec<_> = self.threads.iter().map(|waiting| (waiting.thread.id, owner(waiting))).collect();
        circles(&owners)
    }
}

/// Finds threads that wait for each other in a circle, each for the next and the last for the first. Of each thread is
/// given for which ones it waits: for all of them. Of the circles that a thread is in, a shortest one is returned, and
/// none of which a thread is in one that has been returned.
pub fn circles(waits: &[(ThreadId, Vec<ThreadId>)]) -> Vec<Vec<ThreadId>> {
    let next: HashMap<ThreadId, &[ThreadId]> = waits.iter().map(|(id, owners)| (*id, owners.as_slice())).collect();
    let mut all: Vec<Vec<ThreadId>> = Vec::new();
    for (first, _) in waits {
        if let Some(circle) = circle(*first, &next)
            && !all.iter().flatten().any(|id| circle.contains(id))
        {
            all.push(circle);
        }
    }
    all
}

/// Finds a shortest way from a thread back to it.
fn circle(first: ThreadId, next: &HashMap<ThreadId, &[ThreadId]>) -> Option<Vec<ThreadId>> {
    let mut waiters: HashMap<ThreadId, ThreadId> = HashMap::new();
    let mut queue = VecDeque::from([first]);
    while let Some(id) = queue.pop_front() {
        for owner in next.get(&id).into_iter().copied().flatten() {
            if *owner == first {
                let mut way = vec![id];
                while let Some(waiter) = way.last().and_then(|last| waiters.get(last)) {
                    way.push(*waiter);
                }
                way.reverse();
                return Some(way);
            }
            if !waiters.contains_key(owner) {
                waiters.insert(*owner, id);
                queue.push_back(*owner);
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn circles_are_found_once_and_chains_are_none() {
        let id = |tid| ThreadId { pid: 1, tid };
        let found = |waits: &[(u32, &[u32])]| {
            let owners = |owners: &[u32]| owners.iter().copied().map(id).collect::<Vec<_>>();
            let waits: Vec<_> = waits.iter().map(|(tid, owned)| (id(*tid), owners(owned))).collect();
            let circles = circles(&waits);
            circles.iter().map(|circle| circle.iter().map(|id| id.tid).collect::<Vec<_>>()).collect::<Vec<_>>()
        };
        assert_eq!(found(&[(1, &[2]), (2, &[3]), (3, &[1]), (4, &[1])]), [[1, 2, 3]]);
        assert_eq!(found(&[(1, &[2]), (2, &[])]), Vec::<Vec<u32>>::new());
        assert_eq!(found(&[(1, &[1]), (2, &[1])]), [[1]]);
        assert_eq!(found(&[(1, &[2]), (2, &[1]), (3, &[4]), (4, &[3])]), [[1, 2], [3, 4]]);
        // Of several that have one lock, one is enough.
        assert_eq!(found(&[(1, &[3, 2]), (2, &[1])]), [[1, 2]]);
    }
}
