//! Which of the bytes that were written are the bytes that were read.

/// Bytes that a call wrote to a channel, or read from one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Moved {
    /// The number of the call.
    pub(super) call: usize,
    /// How many bytes.
    pub(super) length: u64,
    /// The first of them, as far as they are known.
    pub(super) first: Vec<u8>,
    /// The call began and returned at these places in the order of all hits.
    pub(super) begun: usize,
    pub(super) over: usize,
}

/// All that was moved at one end, one way.
#[derive(Clone, Debug, Default)]
pub(super) struct Flow {
    /// Messages stay apart: what is left of one is lost.
    keeps_messages: bool,
    /// In the order in which the calls returned.
    all: Vec<Moved>,
    /// How many bytes were moved before each.
    starts: Vec<u64>,
    length: u64,
    /// From this one on it is not certain in which order they were made.
    doubtful: Option<usize>,
}

/// A part of what was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Source {
    /// The number of the call.
    pub(super) call: usize,
    /// How many bytes of it come before.
    pub(super) offset: u64,
    /// How many it wrote.
    pub(super) length: u64,
}

impl Flow {
    /// Begins one by which nothing was moved.
    pub(super) fn new(keeps_messages: bool) -> Self {
        Self { keeps_messages, ..Self::default() }
    }

    /// Adds what was moved by a call that has returned.
    pub(super) fn add(&mut self, moved: Moved) {
        if moved.length == 0 && !self.keeps_messages {
            return;
        }
        if self.doubtful.is_none() && self.all.last().is_some_and(|last| moved.begun < last.over) {
            self.doubtful = Some(self.all.len() - 1);
        }
        self.starts.push(self.length);
        self.length = self.length.saturating_add(moved.length);
        self.all.push(moved);
    }

    /// Returns whether nothing was moved.
    pub(super) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Returns the call that moved first.
    #[cfg(test)]
    pub(super) fn first_call(&self) -> Option<usize> {
        self.all.first().map(|moved| moved.call)
    }

    /// Returns the number of what a call moved.
    fn number_of(&self, call: usize) -> Option<usize> {
        self.all.iter().position(|moved| moved.call == call)
    }

    fn is_certain(&self, number: usize) -> bool {
        self.doubtful.is_none_or(|doubtful| number < doubtful)
    }
}

/// Finds what was written of which `length` bytes from the byte `offset` of what a call read on.
///
/// # Errors
/// In words, why that is not certain.
pub(super) fn source(
    written: &Flow,
    read: &Flow,
    call: usize,
    offset: u64,
    length: u64,
) -> Result<Source, &'static str> {
    const NOT_SEEN: &str = "the call that wrote it is not seen";
    let number = read.number_of(call).ok_or("the call that read it did not return")?;
    let reader = read.all.get(number).ok_or(NOT_SEEN)?;
    let (writer, at) = if written.keeps_messages {
        (number, offset)
    } else {
        let from = read.starts.get(number).ok_or(NOT_SEEN)?.checked_add(offset).ok_or(NOT_SEEN)?;
        let writer = written.starts.partition_point(|start| *start <= from).checked_sub(1).ok_or(NOT_SEEN)?;
        (writer, from - written.starts.get(writer).ok_or(NOT_SEEN)?)
    };
    let of = written.all.get(writer).ok_or(NOT_SEEN)?;
    if at >= of.length {
        return Err(NOT_SEEN);
    }
    if at.checked_add(length).is_none_or(|end| end > of.length) {
        return Err("it came by more than one call");
    }
    if !read.is_certain(number) {
        return Err("calls that read overlap, so that their order is not certain");
    }
    if !written.is_certain(writer) {
        return Err("calls that wrote overlap, so that their order is not certain");
    }
    if of.begun > reader.over || !is_same(of, at, reader, offset) {
        return Err("the bytes that were read differ from those written: not all calls are observed");
    }
    Ok(Source { call: of.call, offset: at, length: of.length })
}

/// Returns whether two calls moved the same bytes, as far as these are known, where byte `at` of the one is byte `offset`
/// of the other.
fn is_same(writer: &Moved, at: u64, reader: &Moved, offset: u64) -> bool {
    let common = at.min(offset);
    let from = |moved: &Moved, start: u64| {
        let start = usize::try_from(start).ok()?;
        moved.first.get(start..).map(<[u8]>::to_vec)
    };
    match (from(writer, at - common), from(reader, offset - common)) {
        (Some(written), Some(read)) => written.iter().zip(&read).all(|(one, other)| one == other),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Cuts bytes into calls of these lengths, which follow each other.
    fn flow(bytes: &[u8], lengths: &[usize], keeps_messages: bool) -> Flow {
        let mut flow = Flow { keeps_messages, ..Flow::default() };
        let mut at = 0;
        for (call, length) in lengths.iter().enumerate() {
            let end = (at + length).min(bytes.len());
            let first = bytes[at..end].iter().copied().take(4).collect();
            flow.add(Moved { call, length: (end - at) as u64, first, begun: 2 * call, over: 2 * call + 1000 });
            flow.doubtful = None;
            at = end;
        }
        flow
    }

    fn write(call: usize, length: u64, first: &[u8], begun: usize, over: usize) -> Moved {
        Moved { call, length, first: first.to_vec(), begun, over }
    }

    #[test]
    fn calls_that_overlap_make_the_order_doubtful_from_there_on() {
        let mut written = Flow::default();
        written.add(write(0, 2, b"ab", 0, 1));
        written.add(write(1, 2, b"cd", 2, 5));
        written.add(write(2, 2, b"ef", 3, 6));
        let mut read = Flow::default();
        read.add(write(3, 2, b"ab", 7, 8));
        read.add(write(4, 2, b"cd", 9, 10));
        assert_eq!(source(&written, &read, 3, 0, 2), Ok(Source { call: 0, offset: 0, length: 2 }));
        assert!(source(&written, &read, 4, 0, 2).unwrap_err().contains("overlap"));
    }

    #[test]
    fn what_is_not_the_same_or_not_written_is_refused() {
        let mut written = Flow::default();
        written.add(write(0, 3, b"abc", 0, 1));
        let mut read = Flow::default();
        read.add(write(1, 2, b"ab", 2, 3));
        read.add(write(2, 2, b"xy", 4, 5));
        assert_eq!(source(&written, &read, 1, 1, 1), Ok(Source { call: 0, offset: 1, length: 3 }));
        assert!(source(&written, &read, 2, 0, 1).unwrap_err().contains("differ from those written"));
        assert!(source(&written, &read, 2, 1, 1).unwrap_err().contains("not seen"));
        assert!(source(&written, &read, 9, 0, 1).unwrap_err().contains("did not return"));
    }

    proptest! {
        #[test]
        fn each_byte_is_found_where_it_was_written(
            bytes in prop::collection::vec(any::<u8>(), 1..60),
            writes in prop::collection::vec(0usize..9, 1..30),
            reads in prop::collection::vec(0usize..9, 1..30),
        ) {
            let sent = writes.iter().sum::<usize>().min(bytes.len());
            let (written, read) = (flow(&bytes, &writes, false), flow(&bytes[..sent], &reads, false));
            let mut at = 0;
            for (call, length) in reads.iter().enumerate() {
                for offset in 0..(*length).min(sent.saturating_sub(at)) {
                    let found = source(&written, &read, call, offset as u64, 1).unwrap();
                    let before: usize = writes[..found.call].iter().sum();
                    prop_assert_eq!(before + found.offset as usize, at + offset);
                }
                at += length;
            }
        }

        #[test]
        fn a_message_is_that_of_the_same_number(
            bytes in prop::collection::vec(any::<u8>(), 40..60),
            writes in prop::collection::vec(1usize..9, 1..6),
            cut in 1usize..9,
        ) {
            let written = flow(&bytes, &writes, true);
            let mut read = Flow { keeps_messages: true, ..Flow::default() };
            let mut at = 0;
            for (call, length) in writes.iter().enumerate() {
                let first: Vec<u8> = bytes[at..at + length].iter().copied().take(4.min(cut)).collect();
                read.add(write(call, (*length).min(cut) as u64, &first, 2000 + 2 * call, 2001 + 2 * call));
                at += length;
            }
            for call in 0..writes.len() {
                prop_assert_eq!(source(&written, &read, call, 0, 1).unwrap().call, call);
            }
        }
    }
}
