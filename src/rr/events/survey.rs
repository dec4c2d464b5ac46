//! What a user has to know of a recording as a whole: what rr did to the program that would not have happened without
//! it, and whether the program came to its end.

use super::frame::{Call, Frame, Kind, Set};
use super::handler_stacks::{Frames, Stacks};
use super::mapped::has_mapped;
use super::steps::{ASKED, Steps};
use super::task::{Change, Task};
use crate::error::Error;
use crate::interpreter;
use base::cancel::Cancel;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;
use std::time::{Duration, Instant};
use syscalls::x86_64::Sysno;

/// System calls that rr answers `ENOSYS` itself: `io_setup`, `userfaultfd`, `io_uring_setup`, `clone3`.
const REFUSED_BY_RR: [i32; 4] = [206, 323, 425, CLONE3];
const CLONE3: i32 = 435;
const CLONE: i32 = 56;
const SCHED_YIELD: i32 = 24;
const FUTEX: i32 = 202;
/// Those that make mappings: `mmap`, `mremap`, `shmat`.
const MAPPERS: [i32; 3] = [9, 25, 30];
/// The status of a process that exits with 127, as the linker of musl does where it cannot load a library.
const NOT_LOADED: i32 = 127 << 8;
/// Of the name of rr's preload library.
const PRELOAD: &str = "librrpreload";

/// What was found.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Survey {
    /// The number of the last event that was looked at.
    pub(crate) events: u64,
    /// The end of the first process is recorded.
    pub(crate) has_ended: bool,
    /// Processes that rr killed when the first one had ended.
    pub(crate) left: BTreeSet<u32>,
    /// System calls that were answered `ENOSYS` because rr cannot record them, and how often.
    pub(crate) refused: BTreeMap<String, u64>,
    /// How many signal handlers began on rr's own stack, and the event of the first, for each thread of a process that
    /// has several: a handler of the only thread is seldom there to look at a stack.
    pub(crate) handlers: BTreeMap<u32, (u64, u64)>,
    /// Signal handlers whose frame was put over that of another one, which they have interrupted: how many, and the event
    /// of the first.
    pub(crate) overlaid: Option<(u64, u64)>,
    /// Programs linked with musl that ended when its linker could not load rr's preload library.
    pub(crate) of_musl: BTreeSet<String>,
    /// Where soft counters have their code cache the program has mapped something: the event of the first.
    pub(crate) cache_taken: Option<u64>,
    /// What threads did at the end.
    pub(crate) tail: Tail,
    /// Not all events were looked at.
    pub(crate) is_partial: bool,
}

/// The last events in which threads made no system calls of their own but to yield and to wait for locks.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Tail {
    /// The number of the first one, and how many there are.
    pub(crate) first: u64,
    pub(crate) events: u64,
    /// When the first and the last was.
    began: f64,
    ended: f64,
    /// Calls that yield the processor.
    pub(crate) yields: u64,
    threads: BTreeSet<u32>,
    /// A signal came or a thread ended, perhaps because the recording was cut short: it is over if more follows.
    is_ending: bool,
}

impl Tail {
    /// Returns how long that went on, in seconds.
    pub(crate) fn seconds(&self) -> f64 {
        self.ended - self.began
    }

    /// Returns how many threads took part.
    pub(crate) fn threads(&self) -> usize {
        self.threads.len()
    }
}

/// What is known of a thread.
#[derive(Clone, Debug, Default)]
struct Thread {
    stacks: Stacks,
    /// Its last system call was a `clone3` that was refused.
    has_tried_clone3: bool,
}

/// Looks at the events of a finished recording, for so long at most.
pub(crate) fn survey(directory: &Path, patience: Duration, cancel: &Cancel) -> Result<Survey, Error> {
    let until = Instant::now() + patience;
    let mut steps = Steps::open(directory)?;
    let mut found = Survey::default();
    let mut threads: HashMap<u32, Thread> = HashMap::new();
    while let Some((event, frame)) = steps.next()? {
        found.events = event;
        found.add(event, &frame, threads.entry(frame.tid).or_default());
        if event.is_multiple_of(ASKED) && (cancel.is_cancelled() || Instant::now() >= until) {
            found.is_partial = true;
            found.tail = Tail::default();
            break;
        }
    }
    found.add_ends(directory)?;
    Ok(found)
}

/// Looks whether the end of a recording's first process was recorded.
pub(crate) fn has_ended(directory: &Path) -> Result<bool, Error> {
    let mut found = Survey::default();
    found.add_ends(directory)?;
    Ok(found.has_ended)
}

impl Survey {
    fn add(&mut self, event: u64, frame: &Frame, thread: &mut Thread) {
        match &frame.kind {
            Kind::Handler => match thread.stacks.begin_handler(frame.stands) {
                Frames::OnStackOfRr => self.handlers.entry(frame.tid).or_insert((0, event)).0 += 1,
                Frames::Overlaid => self.overlaid.get_or_insert((0, event)).0 += 1,
                Frames::Apart => {}
            },
            Kind::Call(call) => self.add_call(event, call, thread),
            Kind::Slice | Kind::Signal(_) | Kind::Exit | Kind::Flush | Kind::Other => {}
        }
        thread.stacks.add(frame);
        self.tail.add(event, frame);
    }

    fn add_call(&mut self, event: u64, call: &Call, thread: &mut Thread) {
        if call.set != Set::X86_64 {
            return;
        }
        if !call.returns {
            // A library that goes on with the older call does the same by it.
            if std::mem::take(&mut thread.has_tried_clone3) && call.number != CLONE {
                self.refuse(CLONE3);
            }
            return;
        }
        if MAPPERS.contains(&call.number)
            && call.result.is_some_and(|place| softcounters::CODE_CACHE.contains(&place.cast_unsigned()))
        {
            self.cache_taken.get_or_insert(event);
        }
        let is_refused = softcounters::is_refused(call.number) || REFUSED_BY_RR.contains(&call.number);
        if is_refused && call.result == Some(-i64::from(libc::ENOSYS)) {
            if call.number == CLONE3 {
                thread.has_tried_clone3 = true;
            } else {
                self.refuse(call.number);
            }
        }
    }

    fn refuse(&mut self, number: i32) {
        let known = usize::try_from(number).ok().and_then(Sysno::new);
        let name = known.map_or_else(|| format!("system call {number}"), |call| call.name().to_owned());
        *self.refused.entry(name).or_default() += 1;
    }

    /// Looks at how processes ended.
    fn add_ends(&mut self, directory: &Path) -> Result<(), Error> {
        let tasks = super::steps::tasks(directory)?;
        let Some(first) = tasks.first().map(|task| task.tid) else { return Ok(()) };
        let (mut is_thread, mut has_threads) = (BTreeSet::new(), BTreeSet::new());
        for task in &tasks {
            match task.what {
                Change::Made { by, is_thread: true, .. } => {
                    is_thread.insert(task.tid);
                    has_threads.extend([by, task.tid]);
                }
                Change::Exit { .. } if task.tid == first => self.has_ended = true,
                Change::Exit { status } if self.has_ended && status == libc::SIGKILL => {
                    if !is_thread.contains(&task.tid) {
                        self.left.insert(task.tid);
                    }
                }
                Change::Made { .. } | Change::Exec { .. } | Change::Exit { .. } | Change::Detached => {}
            }
        }
        self.handlers.retain(|tid, _| has_threads.contains(tid));
        self.add_of_musl(&tasks, directory)
    }

    /// Finds programs that rr's preload library has kept from starting.
    fn add_of_musl(&mut self, tasks: &[Task], directory: &Path) -> Result<(), Error> {
        let (mut programs, mut candidates) = (HashMap::new(), BTreeSet::new());
        for task in tasks {
            match &task.what {
                Change::Exec { program, .. } => _ = programs.insert(task.tid, program),
                Change::Exit { status: NOT_LOADED } => candidates.extend(programs.get(&task.tid)),
                Change::Exit { .. } | Change::Made { .. } | Change::Detached => {}
            }
        }
        candidates.retain(|program| interpreter::asks_for_musl(Path::new(program)));
        // A shell exits with 127 as well, and one of musl works where rr does without the library.
        if !candidates.is_empty() && has_mapped(directory, PRELOAD)? {
            self.of_musl = candidates.into_iter().cloned().collect();
        }
        Ok(())
    }
}

impl Tail {
    fn add(&mut self, event: u64, frame: &Frame) {
        let yields = match &frame.kind {
            Kind::Call(call) if call.set == Set::X86_64 && call.number == SCHED_YIELD => u64::from(call.returns),
            // A thread's wait is broken off when its process ends.
            Kind::Call(call) if self.is_ending && call.number == FUTEX => return,
            Kind::Slice | Kind::Flush | Kind::Other if self.is_ending => return,
            Kind::Call(call) if call.set == Set::X86_64 && call.number == FUTEX => 0,
            Kind::Slice | Kind::Flush | Kind::Other => 0,
            Kind::Signal(_) | Kind::Exit => {
                self.is_ending = true;
                return;
            }
            Kind::Call(_) | Kind::Handler => {
                *self = Self::default();
                return;
            }
        };
        if self.is_ending {
            *self = Self::default();
        }
        if self.events == 0 {
            (self.first, self.began) = (event, frame.seconds);
        }
        self.events += 1;
        self.ended = frame.seconds;
        self.yields += yields;
        self.threads.insert(frame.tid);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::events::frame::{Disposition, Signal};

    fn frame(tid: u32, seconds: f64, kind: Kind, stands: Option<(u64, u64)>) -> Frame {
        Frame { tid, ticks: 0, seconds, kind, stands, writes: vec![] }
    }

    fn call(number: i32, result: Option<i64>) -> Kind {
        Kind::Call(Call {
            set: Set::X86_64,
            number,
            returns: result.is_some(),
            arguments: None,
            result,
            resumes_at: None,
            thread_pointer: None,
            opened: vec![],
        })
    }

    fn found(frames: Vec<Frame>) -> Survey {
        let (mut found, mut threads) = (Survey::default(), HashMap::<u32, Thread>::new());
        for (event, frame) in (1..).zip(&frames) {
            found.add(event, frame, threads.entry(frame.tid).or_default());
        }
        found
    }

    #[test]
    fn calls_that_rr_cannot_record_are_named() {
        let nosys = Some(-38);
        let all = [call(451, nosys), call(451, nosys), call(425, nosys), call(500, nosys), call(0, nosys)];
        let refused = found(all.into_iter().map(|kind| frame(1, 0.0, kind, None)).collect()).refused;
        let named = |name: &str| refused.get(name).copied();
        assert_eq!(
            (named("cachestat"), named("io_uring_setup"), named("system call 500")),
            (Some(2), Some(1), Some(1))
        );
        assert_eq!(refused.len(), 3);
        let made = found(vec![frame(1, 0.0, call(451, Some(0)), None)]);
        assert_eq!(made.refused, BTreeMap::new(), "a later rr may know it");
    }

    #[test]
    fn what_a_library_does_another_way_is_not_told() {
        let tried = |next: i32| {
            let frames = [call(435, Some(-38)), call(next, None)].into_iter().map(|kind| frame(1, 0.0, kind, None));
            found(frames.collect()).refused
        };
        assert_eq!(tried(56), BTreeMap::new());
        assert_eq!(tried(60), BTreeMap::from([("clone3".to_owned(), 1)]));
    }

    #[test]
    fn a_mapping_where_the_code_cache_is() {
        let taken = |number, result| found(vec![frame(1, 0.0, call(number, Some(result)), None)]).cache_taken;
        assert_eq!((taken(9, 0x5c00_0000), taken(9, 0x5eff_f000), taken(9, 0x5f00_0000)), (Some(1), Some(1), None));
        assert_eq!((taken(9, -12), taken(0, 0x5c00_0000)), (None, None));
    }

    #[test]
    fn handlers_on_the_stack_of_rrs_library() {
        let before = frame(1, 0.0, Kind::Other, Some((0x7000_0002, 0x681f_fdf0)));
        let handlers = found(vec![before, frame(1, 0.0, Kind::Handler, Some((0x40_1000, 0x681f_f4b8)))]).handlers;
        assert_eq!(handlers, BTreeMap::from([(1, (1, 2))]));
    }

    #[test]
    fn threads_that_only_yield() {
        let step = |tid, seconds, number| frame(tid, seconds, call(number, Some(0)), None);
        let tail = found(vec![step(1, 1.0, 1), step(1, 2.0, 24), step(2, 3.0, 202), step(1, 5.0, 24)]).tail;
        assert_eq!((tail.events, tail.yields, tail.threads(), tail.seconds()), (3, 2, 2, 3.0));
        assert_eq!(found(vec![step(1, 1.0, 24), step(2, 2.0, 0)]).tail.events, 0);
        let interrupt = Signal {
            number: libc::SIGINT,
            code: 0,
            address: None,
            sender: None,
            is_synchronous: false,
            disposition: Disposition::Fatal,
        };
        // The signal that ends a recording at its time limit is no part of it; one that the program goes on after is its end.
        let cut = [
            frame(1, 6.0, Kind::Signal(interrupt), None),
            frame(1, 6.0, Kind::Exit, None),
            step(2, 6.0, 202),
            frame(2, 6.0, Kind::Exit, None),
        ];
        let yields = [step(1, 1.0, 24), step(2, 3.0, 24)];
        let tail = found([yields.to_vec(), cut.to_vec()].concat()).tail;
        assert_eq!((tail.first, tail.events, tail.yields, tail.threads(), tail.seconds()), (1, 2, 2, 2, 2.0));
        let tail = found([yields.to_vec(), cut.to_vec(), vec![step(2, 7.0, 24)]].concat()).tail;
        assert_eq!((tail.events, tail.yields), (1, 1));
    }
}
