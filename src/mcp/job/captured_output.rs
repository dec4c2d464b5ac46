//! What a program prints while nobody waits for it: kept in lines, within limits, and read by cursor.

use rr::Stream;
use std::collections::VecDeque;

/// Most lines that are kept.
const MAX_LINES: usize = 10_000;
/// Most bytes that are kept.
const MAX_BYTES: usize = 1 << 20;
/// A longer line is kept as several.
const MAX_LINE: usize = 4 << 10;
/// Most bytes in one reading.
const MAX_READ: usize = 32 << 10;

/// A line, without its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Line {
    pub(crate) stream: Stream,
    pub(crate) text: String,
}

/// The lines that were printed, the oldest dropped. Each has a number, from 0.
#[derive(Debug, Default)]
pub(crate) struct Printed {
    lines: VecDeque<Line>,
    /// The number of the first line that is kept, which is how many were dropped.
    first: u64,
    /// In the lines that are kept.
    bytes: usize,
    /// Lines that have not ended yet.
    open: [Vec<u8>; 2],
}

/// A part of the output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Reading {
    pub(crate) lines: Vec<Line>,
    /// Lines between the cursor and the first one here, which were dropped.
    pub(crate) dropped: u64,
    /// Where to go on.
    pub(crate) cursor: u64,
    /// Lines that are there behind these.
    pub(crate) left: u64,
}

impl Printed {
    /// Appends what has been printed.
    pub(crate) fn push(&mut self, stream: Stream, mut new: &[u8]) {
        while !new.is_empty() {
            let open = &mut self.open[stream as usize];
            let room = MAX_LINE - open.len();
            let within = new.get(..room).unwrap_or(new);
            match memchr(within) {
                Some(end) => {
                    open.extend_from_slice(&within[..end]);
                    new = &new[end + 1..];
                    self.end_line(stream);
                }
                None => {
                    open.extend_from_slice(within);
                    let is_full = within.len() == room;
                    new = &new[within.len()..];
                    if is_full {
                        self.end_line(stream);
                    }
                }
            }
        }
    }

    /// Ends the output: the last lines may lack their ends.
    pub(crate) fn finish(&mut self) {
        for stream in [Stream::Out, Stream::Err] {
            if !self.open[stream as usize].is_empty() {
                self.end_line(stream);
            }
        }
    }

    fn end_line(&mut self, stream: Stream) {
        let text = String::from_utf8_lossy(&std::mem::take(&mut self.open[stream as usize])).into_owned();
        self.bytes += text.len();
        self.lines.push_back(Line { stream, text });
        while self.lines.len() > MAX_LINES || self.bytes > MAX_BYTES {
            let Some(oldest) = self.lines.pop_front() else { break };
            self.bytes -= oldest.text.len();
            self.first += 1;
        }
    }

    /// Reads at most so many lines from a cursor on.
    pub(crate) fn read(&self, cursor: u64, most: usize) -> Reading {
        let end = self.first + self.lines.len() as u64;
        let from = cursor.clamp(self.first, end);
        let mut room = MAX_READ;
        let fits = |line: &&Line| {
            let fits = line.text.len() <= room;
            room = room.saturating_sub(line.text.len() + 1);
            fits
        };
        let skipped = usize::try_from(from - self.first).unwrap_or(usize::MAX);
        let lines: Vec<Line> = self.lines.iter().skip(skipped).take(most).take_while(fits).cloned().collect();
        let next = from + lines.len() as u64;
        Reading { lines, dropped: from.saturating_sub(cursor), cursor: next, left: end - next }
    }
}

/// Finds the first end of a line.
fn memchr(bytes: &[u8]) -> Option<usize> {
    bytes.iter().position(|byte| *byte == b'\n')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn line(stream: Stream, text: &str) -> Line {
        Line { stream, text: text.to_owned() }
    }

    #[test]
    fn lines_of_both_streams_are_in_the_order_of_their_ends() {
        let mut output = Printed::default();
        output.push(Stream::Out, b"a\nb");
        output.push(Stream::Err, b"warning\n");
        output.push(Stream::Out, b"c\n\nlast");
        let expected =
            vec![line(Stream::Out, "a"), line(Stream::Err, "warning"), line(Stream::Out, "bc"), line(Stream::Out, "")];
        assert_eq!(output.read(0, 100), Reading { lines: expected, dropped: 0, cursor: 4, left: 0 });
        output.finish();
        let last = vec![line(Stream::Out, "last")];
        assert_eq!(output.read(4, 100), Reading { lines: last, dropped: 0, cursor: 5, left: 0 });
        assert_eq!(output.read(99, 100), Reading { lines: vec![], dropped: 0, cursor: 5, left: 0 });
    }

    #[test]
    fn the_oldest_lines_are_dropped_and_counted() {
        let mut output = Printed::default();
        for number in 0..MAX_LINES + 5 {
            output.push(Stream::Out, format!("{number}\n").as_bytes());
        }
        let read = output.read(2, 1);
        assert_eq!((read.lines, read.dropped), (vec![line(Stream::Out, "5")], 3));
        assert_eq!((read.cursor, read.left), (6, MAX_LINES as u64 - 1));
        // Ten megabytes without an end of line.
        for _ in 0..10 {
            output.push(Stream::Err, &vec![b'x'; 1 << 20]);
        }
        assert!(output.bytes <= MAX_BYTES);
        let read = output.read(0, 1000);
        assert_eq!(read.lines.len(), MAX_READ / (MAX_LINE + 1));
        assert!(read.lines.iter().all(|line| line.text.len() == MAX_LINE));
        assert_eq!(read.dropped, MAX_LINES as u64 + 5 + 2560 - 256);
    }

    proptest! {
        #[test]
        fn nothing_is_lost_that_fits(pieces in prop::collection::vec("[a-z\n]{0,30}", 0..30), most in 1usize..9) {
            let mut output = Printed::default();
            for piece in &pieces {
                output.push(Stream::Out, piece.as_bytes());
            }
            output.finish();
            let (mut text, mut cursor) = (String::new(), 0);
            loop {
                let read = output.read(cursor, most);
                read.lines.iter().for_each(|line| text.extend([line.text.as_str(), "\n"]));
                cursor = read.cursor;
                if read.left == 0 {
                    break;
                }
            }
            let whole = pieces.concat();
            let end = if whole.is_empty() || whole.ends_with('\n') { "" } else { "\n" };
            prop_assert_eq!(text, whole + end);
        }
    }
}
