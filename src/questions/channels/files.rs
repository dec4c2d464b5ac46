//! Regular files: which call wrote last to which bytes of one, before another one read them.

use super::streams::Moved;
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

/// When a call was over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Over {
    /// How many events were completed, at least.
    pub(crate) event: u64,
    /// The thread, and its ticks.
    pub(crate) tid: u32,
    pub(crate) ticks: u64,
}

/// What has become of some bytes of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
enum What {
    /// A call wrote them.
    Written,
    /// They were cut off, or are zero since.
    Cut,
    /// It is not known, for this reason.
    Unclear(String),
}

/// A change of a file.
#[derive(Clone, Debug)]
struct Change {
    range: Range<u64>,
    what: What,
    /// The call, with its place in the order of all hits.
    moved: Moved,
    over: Over,
}

/// A file.
#[derive(Debug, Default)]
struct File {
    /// In the order in which the calls returned.
    changes: Vec<Change>,
    /// How long it is, if that is known.
    length: Option<u64>,
}

/// A file as it was opened: what descriptors share that were copied.
#[derive(Clone, Debug)]
struct Opened {
    file: usize,
    /// By this path; from where the recording began, if it does not begin with a slash.
    path: Vec<u8>,
    /// Where it is read and written next, if that is known.
    offset: Option<u64>,
    /// It is written at its end.
    appends: bool,
}

/// A call that has read.
#[derive(Clone, Debug)]
struct Read {
    opened: usize,
    file: usize,
    at: Option<u64>,
    moved: Moved,
}

/// All files, and what was done to them.
#[derive(Debug, Default)]
pub(super) struct Files {
    all: Vec<File>,
    opened: Vec<Opened>,
    /// By the number of the call.
    reads: HashMap<usize, Read>,
    /// By device and inode, as mappings tell them.
    by_inode: BTreeMap<(u64, u64), usize>,
}

/// Which bytes of which call are some bytes of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Source {
    /// Where in the file the bytes are.
    pub(super) at: u64,
    /// The call, how many of its bytes come before, and how many it wrote.
    pub(super) call: usize,
    pub(super) offset: u64,
    pub(super) length: u64,
    /// When it was over.
    pub(super) over: Over,
}

/// On which side of a moment a change was.
enum Side {
    Before,
    Meanwhile,
    Behind,
}

impl Files {
    /// Begins a file, whose length is known if it is new.
    pub(super) fn add(&mut self, length: Option<u64>) -> usize {
        self.all.push(File { changes: Vec::new(), length });
        self.all.len() - 1
    }

    /// Opens a file by a path.
    pub(super) fn open(&mut self, file: usize, path: &[u8], appends: bool) -> usize {
        self.opened.push(Opened { file, path: path.to_vec(), offset: Some(0), appends });
        self.opened.len() - 1
    }

    /// Returns the path by which a file was opened.
    pub(super) fn path(&self, opened: usize) -> Option<&[u8]> {
        self.opened.get(opened).map(|opened| opened.path.as_slice())
    }

    /// Returns the file that was opened.
    pub(super) fn of(&self, opened: usize) -> Option<usize> {
        self.opened.get(opened).map(|opened| opened.file)
    }

    fn change(&mut self, file: usize, range: Range<u64>, what: What, (moved, over): (Moved, Over)) {
        if let Some(file) = self.all.get_mut(file) {
            file.changes.push(Change { range, what, moved, over });
        }
    }

    /// Takes note that a file has another length now: what was behind it is gone, and what comes new is zero.
    pub(super) fn cut(&mut self, file: usize, length: u64, moved: Moved, over: Over) {
        self.change(file, length..u64::MAX, What::Cut, (moved, over));
        if let Some(file) = self.all.get_mut(file) {
            file.length = Some(length);
        }
    }

    /// Takes note that something was done to a file that is not followed.
    pub(super) fn obscure(&mut self, opened: usize, why: String, moved: Moved, over: Over) {
        let Some(opened) = self.opened.get_mut(opened) else { return };
        opened.offset = None;
        let file = opened.file;
        self.change(file, 0..u64::MAX, What::Unclear(why), (moved, over));
        if let Some(file) = self.all.get_mut(file) {
            file.length = None;
        }
    }

    /// Takes note where a file is read and written next; `from_end`: how far from its end that is.
    pub(super) fn seek(&mut self, opened: usize, to: u64, from_end: Option<i64>) {
        let Some(opened) = self.opened.get_mut(opened) else { return };
        opened.offset = Some(to);
        if let (Some(file), Some(from_end)) = (self.all.get_mut(opened.file), from_end) {
            file.length = to.checked_add_signed(from_end.wrapping_neg());
        }
    }

    /// Takes note that a call has read, at its own offset or where the file is read next.
    pub(super) fn read(&mut self, number: usize, at: Option<u64>, moved: Moved) {
        let Some(opened) = self.opened.get_mut(number) else { return };
        let from = at.or(opened.offset);
        if at.is_none() {
            opened.offset = from.and_then(|from| from.checked_add(moved.length));
        }
        let file = opened.file;
        self.reads.insert(moved.call, Read { opened: number, file, at: from, moved });
    }

    /// Takes note that a call has written, at its own offset or where the file is written next.
    pub(super) fn write(&mut self, opened: usize, at: Option<u64>, moved: Moved, over: Over) {
        let Some(opened) = self.opened.get_mut(opened) else { return };
        let number = opened.file;
        let Some(file) = self.all.get_mut(number) else { return };
        // What appends does so wherever it is told to write.
        let from = if opened.appends { file.length } else { at.or(opened.offset) };
        let end = from.and_then(|from| from.checked_add(moved.length));
        if at.is_none() {
            opened.offset = end;
        }
        if moved.length == 0 {
            return;
        }
        if let Some(end) = end {
            file.length = file.length.map(|length| length.max(end));
        }
        let (range, what) = match from.zip(end) {
            Some((from, end)) => (from..end, What::Written),
            None if opened.appends => {
                let why = "something was written at its end, and how long it was is not in the recording".to_owned();
                (0..u64::MAX, What::Unclear(why))
            }
            None => (0..u64::MAX, What::Unclear("where in the file something was written is not known".to_owned())),
        };
        self.change(number, range, what, (moved, over));
    }

    /// Takes note of the device and inode of a file.
    pub(super) fn identify(&mut self, opened: usize, inode: (u64, u64)) {
        if let Some(file) = self.of(opened) {
            self.by_inode.insert(inode, file);
        }
    }

    /// Returns the device and inode of the file that a call has read, if that was mapped, and where in it a byte is of what
    /// was read.
    pub(super) fn mapped_place(&self, call: usize, offset: u64) -> Option<((u64, u64), u64)> {
        let read = self.reads.get(&call)?;
        Some((self.inode(read.file)?, read.at?.checked_add(offset)?))
    }

    /// Returns the device and inode of a file, if it was mapped.
    fn inode(&self, file: usize) -> Option<(u64, u64)> {
        self.by_inode.iter().find(|(_, known)| **known == file).map(|(inode, _)| *inode)
    }

    /// Returns the path of the file that a call has read.
    pub(super) fn path_read(&self, call: usize) -> Option<&[u8]> {
        self.path(self.reads.get(&call)?.opened)
    }

    /// Finds who wrote last, of which `length` bytes from the byte `offset` of what a call read on. `None`: no call of the
    /// recording.
    ///
    /// # Errors
    /// In words, why that is not certain.
    pub(super) fn source(&self, call: usize, offset: u64, length: u64) -> Option<Result<Source, String>> {
        let read = self.reads.get(&call)?;
        let file = self.all.get(read.file)?;
        let Some(at) = read.at.and_then(|at| at.checked_add(offset)) else {
            let is_written = file.changes.iter().any(|change| change.what != What::Cut);
            return is_written.then(|| Err("where in the file it was read is not known".to_owned()));
        };
        let side = |change: &Change| match () {
            () if change.moved.over < read.moved.begun => Side::Before,
            () if change.moved.begun > read.moved.over => Side::Behind,
            () => Side::Meanwhile,
        };
        let found = file.last(&(at..at.checked_add(length)?), &side)?;
        Some(found.and_then(|change| {
            let into = at - change.range.start;
            if !are_same((&change.moved.first, into), (&read.moved.first, offset), length) {
                return Err(
                    "the bytes that were read differ from those written: not all writers are observed".to_owned()
                );
            }
            Ok(change.source(at))
        }))
    }

    /// Finds who wrote some bytes of a file last that is known by its device and inode, of what was over when this holds.
    /// `None`: no call of the recording.
    ///
    /// # Errors
    /// In words, why that is not certain.
    pub(super) fn source_of(
        &self,
        inode: (u64, u64),
        at: u64,
        bytes: &[u8],
        is_before: &dyn Fn(&Over) -> bool,
    ) -> Option<Result<Source, String>> {
        let number = *self.by_inode.get(&inode)?;
        let side = |change: &Change| if is_before(&change.over) { Side::Before } else { Side::Behind };
        let found = self.all.get(number)?.last(&(at..at.checked_add(bytes.len() as u64)?), &side)?;
        Some(found.and_then(|change| {
            if !are_same((&change.moved.first, at - change.range.start), (bytes, 0), bytes.len() as u64) {
                return Err("the bytes there differ from those written: not all writers are observed".to_owned());
            }
            Ok(change.source(at))
        }))
    }
}

impl File {
    /// Finds the last change of bytes before a moment. `None`: no call of the recording wrote them.
    fn last(&self, range: &Range<u64>, side: &dyn Fn(&Change) -> Side) -> Option<Result<&Change, String>> {
        let touches = |change: &&Change| change.range.start < range.end && range.start < change.range.end;
        for change in self.changes.iter().rev().filter(touches) {
            match side(change) {
                Side::Behind => continue,
                Side::Meanwhile => return Some(Err("a call changed the file while another one read it".to_owned())),
                Side::Before => {}
            }
            match &change.what {
                What::Cut => return None,
                What::Unclear(why) => return Some(Err(why.clone())),
                What::Written => {}
            }
            if range.start < change.range.start || change.range.end < range.end {
                return Some(Err("it was written by more than one call".to_owned()));
            }
            let is_meanwhile = |other: &Change| {
                other.moved.call != change.moved.call
                    && other.moved.begun < change.moved.over
                    && change.moved.begun < other.moved.over
            };
            if self.changes.iter().filter(touches).any(is_meanwhile) {
                return Some(Err("calls that wrote overlap, so that their order is not certain".to_owned()));
            }
            return Some(Ok(change));
        }
        None
    }
}

impl Change {
    fn source(&self, at: u64) -> Source {
        let (offset, length) = (at - self.range.start, self.moved.length);
        Source { at, call: self.moved.call, offset, length, over: self.over }
    }
}

/// Returns whether so many bytes are the same of two calls, each from one on, as far as they are known. What is beside them
/// may have been written by others since.
fn are_same((one, at): (&[u8], u64), (other, offset): (&[u8], u64), length: u64) -> bool {
    let from = |bytes: &'_ [u8], start: u64| {
        let (start, length) = (usize::try_from(start).ok()?, usize::try_from(length).ok()?);
        Some(bytes.get(start..)?.iter().take(length).copied().collect::<Vec<u8>>())
    };
    match (from(one, at), from(other, offset)) {
        (Some(one), Some(other)) => one.iter().zip(&other).all(|(one, other)| one == other),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moved(call: usize, bytes: &[u8]) -> Moved {
        Moved { call, length: bytes.len() as u64, first: bytes.to_vec(), begun: 10 * call, over: 10 * call + 5 }
    }

    fn over(call: usize) -> Over {
        Over { event: call as u64, ..Over::default() }
    }

    #[test]
    fn bytes_are_of_the_last_call_before() {
        let mut files = Files::default();
        let file = files.add(Some(0));
        let (one, other) = (files.open(file, b"f", false), files.open(file, b"f", true));
        files.write(one, None, moved(1, b"abcdef"), over(1));
        files.write(one, Some(2), moved(2, b"CD"), over(2));
        files.write(other, None, moved(3, b"gh"), over(3));
        let reader = files.open(file, b"f", false);
        files.read(reader, None, moved(4, b"abCDefgh"));
        files.write(one, Some(0), moved(5, b"xx"), over(5));
        files.seek(reader, 6, Some(-2));
        files.read(reader, None, moved(6, b"gh"));
        let source =
            |call, offset, length| files.source(call, offset, length).map(|found| found.map(|s| (s.call, s.offset)));
        assert_eq!(source(4, 0, 2), Some(Ok((1, 0))));
        assert_eq!(source(4, 2, 2), Some(Ok((2, 0))));
        assert_eq!(source(4, 5, 1), Some(Ok((1, 5))));
        assert_eq!(source(4, 7, 1), Some(Ok((3, 1))));
        assert_eq!(source(6, 0, 2), Some(Ok((3, 0))));
        assert!(source(4, 1, 2).unwrap().unwrap_err().contains("more than one call"));
        assert_eq!(source(9, 0, 1), None);
        files.identify(one, (1, 2));
        let found = files.source_of((1, 2), 6, b"g", &|over| over.event < 9).unwrap().unwrap();
        assert_eq!((found.call, found.offset, files.inode(file)), (3, 0, Some((1, 2))));
        assert!(files.source_of((1, 2), 6, b"z", &|_| true).unwrap().is_err());
        assert_eq!(files.source_of((1, 2), 0, b"a", &|over| over.event < 1), None);
    }

    #[test]
    fn what_is_cut_off_or_unclear_is_of_nobody() {
        let mut files = Files::default();
        let file = files.add(None);
        let opened = files.open(file, b"f", false);
        files.write(opened, None, moved(1, b"abcd"), over(1));
        files.cut(file, 2, moved(2, b""), over(2));
        files.read(opened, Some(0), moved(3, b"ab\0\0"));
        assert_eq!(files.source(3, 2, 1), None);
        assert_eq!(files.source(3, 0, 1).unwrap().unwrap().call, 1);
        // Others are still writing.
        files.write(opened, Some(0), Moved { begun: 31, over: 60, ..moved(4, b"yz") }, over(4));
        files.read(opened, Some(0), Moved { begun: 50, over: 55, ..moved(5, b"ab") });
        assert!(files.source(5, 0, 1).unwrap().unwrap_err().contains("while another one read"));
        let appends = files.open(file, b"f", true);
        files.all[file].length = None;
        files.write(appends, None, moved(7, b"yz"), over(7));
        files.read(opened, Some(0), moved(8, b"ab"));
        assert!(files.source(8, 0, 1).unwrap().unwrap_err().contains("at its end"));
    }
}
