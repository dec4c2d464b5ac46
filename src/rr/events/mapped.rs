//! Which files the processes of a recording have mapped, and where (`rr_trace.capnp`, `MMap`).
//!
//! A mapping says with which event it was made. Which process that concerned, the event says; what a process had from
//! the one that made it, and what it lost when it executed another program, the beginnings of threads say.

use super::frame::Frame;
use super::messages::Messages;
use super::steps::tasks;
use super::task::{Change, Task};
use crate::error::Error;
use crate::message::Message;
use crate::trace;
use base::cancel::Cancel;
use base::untrusted::PathText as _;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::ops::RangeInclusive;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// Most mappings that are kept.
const MOST: usize = 1 << 20;
/// Most generations of processes that are gone back.
const MOST_PARENTS: usize = 1000;
/// So often is cancellation looked at.
const ASKED: u64 = 4096;
/// How a mapping has its content: from a file.
const OF_FILE: u64 = 2;

/// Something that was mapped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mapped {
    /// With this event.
    pub event: u64,
    /// For this process.
    pub pid: u32,
    /// Its first address.
    pub start: u64,
    /// One past its last.
    pub end: u64,
    /// Where in the file it begins.
    pub offset: u64,
    /// What was mapped, as the recorded process knew it: a path, or a word in brackets.
    pub name: String,
    /// The file that rr replays it from, if it is one.
    pub file: Option<PathBuf>,
    /// Code may be executed there.
    pub executable: bool,
    /// Device and inode of what all who map it share, if they do: what one of them writes is there for the others.
    pub shared: Option<(u64, u64)>,
    /// Device and inode of the file.
    pub inode: (u64, u64),
    /// What the file's size and time of change were.
    size: u64,
    changed: i64,
}

/// All that was mapped in a recording.
#[derive(Clone, Debug, Default)]
pub struct Mappings {
    /// By process, in the order of events.
    by_process: BTreeMap<u32, Vec<Mapped>>,
    /// The process of each thread.
    processes: BTreeMap<u32, u32>,
    /// Who made a process, and with which event.
    parents: BTreeMap<u32, (u32, u64)>,
    /// When a process executed another program.
    programs: BTreeMap<u32, Vec<u64>>,
    /// How many events there are.
    pub events: u64,
}

impl Mapped {
    pub(super) fn read(message: &Message, trace: &Path) -> Option<Self> {
        let root = message.root()?;
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let is_of_file = root.number(68, 2) == OF_FILE;
        let file = Some(text(root.bytes(1))).filter(|path| is_of_file && !path.is_empty());
        let inode = (root.number(24, 8), root.number(32, 8));
        Some(Self {
            event: root.number(0, 8),
            pid: 0,
            start: root.number(8, 8),
            end: root.number(16, 8),
            offset: root.number(48, 8),
            name: text(root.bytes(0)),
            // What leaves the trace is not one of its files, whatever it is called.
            file: file.filter(|path| !path.split('/').any(|part| part == "..")).map(|path| trace.join(path)),
            executable: root.number(40, 4) as i32 & libc::PROT_EXEC != 0,
            shared: Some(inode).filter(|_| root.number(44, 4) as i32 & libc::MAP_SHARED != 0 && inode.1 != 0),
            inode,
            size: root.number(72, 8),
            changed: root.number(80, 8) as i64,
        })
    }

    /// Finds the file with its content: the trace's own, or the original if it has not changed.
    ///
    /// # Errors
    /// In words why there is none.
    pub fn content(&self, trace: &Path) -> Result<PathBuf, String> {
        if let Some(file) = self.file.as_ref().filter(|file| file.starts_with(trace)) {
            return Ok(file.clone());
        }
        let path = self.file.clone().unwrap_or_else(|| PathBuf::from(&self.name));
        let found = fs::metadata(&path).map_err(|error| format!("{} cannot be read: {error}", path.in_text()))?;
        if (found.size(), found.mtime()) == (self.size, self.changed) {
            Ok(path)
        } else {
            Err(format!("{} has changed since the recording", path.in_text()))
        }
    }
}

impl Mappings {
    /// Returns the process of a thread.
    pub fn process_of(&self, tid: u32) -> u32 {
        self.processes.get(&tid).copied().unwrap_or(tid)
    }

    /// Returns what a process has mapped itself, in the order of events.
    pub fn of(&self, pid: u32) -> &[Mapped] {
        self.by_process.get(&pid).map_or(&[], Vec::as_slice)
    }

    /// Returns the event with which a process was made by another one.
    pub fn first_event(&self, pid: u32) -> Option<u64> {
        self.parents.get(&pid).map(|(_, event)| *event)
    }

    /// Returns how many programs a process has executed up to an event.
    fn programs_until(&self, pid: u32, event: u64) -> usize {
        self.programs.get(&pid).map_or(0, |programs| programs.partition_point(|at| *at <= event))
    }

    /// Iterates over all mappings, by process.
    pub fn all(&self) -> impl Iterator<Item = &Mapped> {
        self.by_process.values().flatten()
    }

    /// Iterates over what each process has mapped while it executed one program.
    pub fn by_program(&self) -> impl Iterator<Item = &[Mapped]> {
        self.by_process.iter().flat_map(|(pid, mapped)| {
            let executed = self.programs.get(pid).map_or(&[][..], Vec::as_slice);
            let program = |mapped: &Mapped| executed.partition_point(|at| *at <= mapped.event);
            mapped.chunk_by(move |one, next| program(one) == program(next))
        })
    }

    /// Returns what a process has at an address, up to an event.
    pub fn at(&self, pid: u32, event: u64, address: u64) -> Option<&Mapped> {
        self.last(pid, event, &|mapped| (mapped.start..mapped.end).contains(&address))
    }

    /// Finds the last thing that is mapped in a process up to an event and is as wanted.
    pub fn last(&self, mut pid: u32, mut event: u64, is_wanted: &dyn Fn(&Mapped) -> bool) -> Option<&Mapped> {
        for _ in 0..MOST_PARENTS {
            let programs = self.programs.get(&pid).map_or(&[][..], Vec::as_slice);
            let from = programs.iter().rev().find(|at| **at <= event);
            let list = self.by_process.get(&pid).map_or(&[][..], Vec::as_slice);
            let list = list.get(..list.partition_point(|mapped| mapped.event <= event)).unwrap_or_default();
            let since = list.iter().rev().take_while(|mapped| from.is_none_or(|from| mapped.event >= *from));
            if let Some(found) = since.into_iter().find(|mapped| is_wanted(mapped)) {
                return Some(found);
            }
            if from.is_some() {
                return None;
            }
            (pid, event) = *self.parents.get(&pid)?;
        }
        None
    }

    /// Returns which processes have made what is in the memory of a process at an event, each with the events between
    /// which it did: the process since it last executed a program, and before that those that it is a copy of.
    pub fn makers(&self, mut pid: u32, mut event: u64) -> Vec<(u32, RangeInclusive<u64>)> {
        let mut makers = Vec::new();
        for _ in 0..MOST_PARENTS {
            let programs = self.programs.get(&pid).map_or(&[][..], Vec::as_slice);
            let from = programs.iter().rev().find(|at| **at <= event).copied();
            makers.push((pid, from.unwrap_or(0)..=event));
            match self.parents.get(&pid) {
                Some(made) if from.is_none() => (pid, event) = *made,
                _ => break,
            }
        }
        makers
    }

    /// Reads, of the processes of a trace, who made them, and what they executed.
    fn processes(directory: &Path) -> Result<Self, Error> {
        let mut all = Self::default();
        tasks(directory)?.iter().for_each(|task| all.change(task));
        Ok(all)
    }

    fn change(&mut self, task: &Task) {
        match task.what {
            Change::Made { by, is_thread, .. } => {
                let by = self.process_of(by);
                let pid = if is_thread { by } else { task.tid };
                self.processes.insert(task.tid, pid);
                if !is_thread {
                    self.parents.insert(pid, (by, task.event));
                }
            }
            Change::Exec { .. } => {
                // A thread that executes becomes its process.
                let pid = *self.processes.entry(task.tid).or_insert(task.tid);
                self.programs.entry(pid).or_default().push(task.event);
            }
            Change::Exit { .. } | Change::Detached => {}
        }
    }
}

/// Reads which files were mapped to be executed in a recording, of its trace directory, by the names that they had.
///
/// # Errors
/// What is wrong with the trace.
pub fn executed_files(directory: &Path) -> Result<BTreeSet<PathBuf>, Error> {
    let mut files = BTreeSet::new();
    let mut stream = Messages::open(directory, "mmaps")?;
    while let Some(message) = stream.next()? {
        let mapped = Mapped::read(&message, directory).filter(|mapped| mapped.executable && files.len() < MOST);
        let Some(mapped) = mapped else { continue };
        let length = mapped.name.len();
        if files.insert(PathBuf::from(mapped.name)) {
            stream.keep(length)?;
        }
    }
    Ok(files)
}

/// Returns the path that a file had which rr has copied into a trace directory, by the copy.
pub fn original_of(copy: &Path) -> Option<PathBuf> {
    let directory = copy.parent()?;
    let mut stream = Messages::open(directory, "mmaps").ok()?;
    while let Some(message) = stream.next().ok()? {
        let mapped = Mapped::read(&message, directory);
        if let Some(mapped) =
            mapped.filter(|mapped| mapped.file.as_deref().and_then(Path::file_name) == copy.file_name())
        {
            return Some(PathBuf::from(mapped.name)).filter(|path| path.is_absolute());
        }
    }
    None
}

/// Returns whether something with this in its name was mapped in a recording, of its trace directory.
///
/// # Errors
/// What is wrong with the trace.
pub(super) fn has_mapped(directory: &Path, part: &str) -> Result<bool, Error> {
    let mut stream = Messages::open(directory, "mmaps")?;
    while let Some(message) = stream.next()? {
        if Mapped::read(&message, directory).is_some_and(|mapped| mapped.name.contains(part)) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Reads what was mapped in a recording: of its trace directory, or what
/// [`resolve_trace`](crate::resolve_trace) makes one of.
///
/// # Errors
/// What is wrong with the trace, and that the call was cancelled.
pub fn mappings(recording: &Path, cancel: &Cancel) -> Result<Mappings, Error> {
    let directory = trace::resolve(Some(recording))?;
    trace::check(&directory)?;
    let mut all = Mappings::processes(&directory)?;
    let mut list = Vec::new();
    let mut stream = Messages::open(&directory, "mmaps")?;
    while let Some(message) = stream.next()? {
        let Some(mapped) = Mapped::read(&message, &directory).filter(|_| list.len() < MOST) else { continue };
        stream.keep(mapped.name.len() + mapped.file.as_ref().map_or(0, |file| file.as_os_str().len()))?;
        list.push(mapped);
    }
    let mut list = list.into_iter().peekable();
    let mut events = Messages::open(&directory, "events")?;
    while let Some(message) = events.next()? {
        if all.events.is_multiple_of(ASKED) && cancel.is_cancelled() {
            return Err(Error::Cancelled { command: "mappings" });
        }
        all.events += 1;
        while let Some(mut mapped) = list.next_if(|mapped| mapped.event <= all.events) {
            let Some(frame) = Frame::read(&message) else { break };
            mapped.pid = all.process_of(frame.tid);
            all.by_process.entry(mapped.pid).or_default().push(mapped);
        }
    }
    Ok(all)
}

/// Counts how many programs a process of a recording has executed up to an event; that it was made with another one's
/// counts for nothing.
///
/// # Errors
/// What is wrong with the trace.
pub fn programs_until(recording: &Path, pid: u32, event: u64) -> Result<usize, Error> {
    let directory = trace::resolve(Some(recording))?;
    trace::check(&directory)?;
    Ok(Mappings::processes(&directory)?.programs_until(pid, event))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mapped(event: u64, start: u64, name: &str) -> Mapped {
        let (name, end) = (name.to_owned(), start + 10);
        let (file, executable, shared, inode) = (None, true, None, (0, 0));
        Mapped { event, pid: 1, start, end, offset: 0, name, file, executable, shared, inode, size: 0, changed: 0 }
    }

    #[test]
    fn a_process_has_what_its_parent_had_when_it_was_made_and_loses_it_with_another_program() {
        let mut all = Mappings::default();
        let made =
            |event, tid, by, is_thread| Task { event, tid, what: Change::Made { by, is_thread, is_waited_for: false } };
        let exec = |event, tid| Task { event, tid, what: Change::Exec { program: String::new(), command: Vec::new() } };
        for task in [exec(1, 1), made(5, 2, 1, true), made(10, 3, 2, false), exec(20, 3)] {
            all.change(&task);
        }
        assert_eq!(all.makers(3, 15), [(3, 0..=15), (1, 1..=10)]);
        assert_eq!(all.makers(3, 25), [(3, 20..=25)]);
        all.by_process.insert(1, vec![mapped(1, 0, "a"), mapped(7, 0, "b"), mapped(12, 0, "c")]);
        all.by_process.insert(3, vec![mapped(15, 100, "d"), mapped(20, 200, "e")]);
        let at = |pid, event, address| all.at(pid, event, address).map(|mapped| mapped.name.as_str());
        assert_eq!((all.process_of(2), all.process_of(3)), (1, 3));
        assert_eq!(
            [(1, 0), (1, 1), (3, 19), (3, 20), (7, 9)].map(|(pid, at)| all.programs_until(pid, at)),
            [0, 1, 0, 1, 0]
        );
        assert_eq!((at(1, 1, 9), at(1, 7, 0), at(1, 99, 0), at(1, 99, 10)), (Some("a"), Some("b"), Some("c"), None));
        assert_eq!(
            (at(3, 12, 0), at(3, 15, 100), at(3, 25, 0), at(3, 25, 200)),
            (Some("b"), Some("d"), None, Some("e"))
        );
    }
}
