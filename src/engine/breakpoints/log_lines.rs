//! What log points have written down.

use crate::api::{LogLine, Logged};
use std::collections::VecDeque;

/// Most lines that are kept; the oldest go first.
const MAX_LINES: usize = 10_000;
/// Most bytes of text that are kept.
const MAX_BYTES: usize = 4 << 20;
/// What log points have written down.
#[derive(Default)]
pub(crate) struct LogBook {
    lines: VecDeque<LogLine>,
    bytes: usize,
    /// How many lines there have been.
    count: u64,
}

impl LogBook {
    /// Returns how many lines there have been.
    pub(crate) fn count(&self) -> u64 {
        self.count
    }

    /// Takes back what was written after so many lines.
    pub(crate) fn forget_after(&mut self, count: u64) {
        while self.count > count {
            self.count -= 1;
            self.bytes -= self.lines.pop_back().map_or(0, |line| line.text.len());
        }
    }

    /// Adds a line under the next index.
    pub(crate) fn add(&mut self, mut line: LogLine) {
        self.count += 1;
        line.index = self.count;
        self.bytes += line.text.len();
        self.lines.push_back(line);
        while self.lines.len() > MAX_LINES || self.bytes > MAX_BYTES {
            let Some(gone) = self.lines.pop_front() else { break };
            self.bytes -= gone.text.len();
        }
    }

    /// Returns the lines from this index on (counted from 1), of one breakpoint or of all; at most so many.
    pub(crate) fn from(&self, index: u64, most: usize, of: Option<u32>) -> Logged {
        let first_kept = self.count - self.lines.len() as u64 + 1;
        let wanted = self.lines.iter().filter(|l| l.index >= index && of.is_none_or(|number| l.number == number));
        let mut lines: Vec<LogLine> = wanted.take(most.saturating_add(1)).cloned().collect();
        let next = lines.get(most).map(|line| line.index);
        lines.truncate(most);
        Logged { lines, next, count: self.count, forgotten: first_kept.saturating_sub(index.max(1)) }
    }

    /// Returns the last lines from this index on, at most so many.
    pub(crate) fn last_from(&self, index: u64, most: usize) -> Logged {
        let new = self.count.saturating_sub(index.saturating_sub(1));
        let skipped = new.saturating_sub(most as u64);
        Logged { forgotten: skipped, next: None, ..self.from(index + skipped, most, None) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::{Moment, Position};
    use arch::{RunAddr, ThreadId};

    const MAX_LINE: usize = 4096;

    fn line(number: u32, text: &str) -> LogLine {
        let thread = ThreadId { pid: 1, tid: 1 };
        let position = Position { moment: Some(Moment { event: 1, ticks: 1 }), thread, pc: RunAddr(1) };
        let (text, thread) = (text.to_owned(), 1);
        let (function, file, line, old, new) = (None, None, None, None, None);
        LogLine { index: 0, number, text, values: Vec::new(), position, thread, function, file, line, old, new }
    }

    fn indexes(logged: &Logged) -> Vec<u64> {
        logged.lines.iter().map(|line| line.index).collect()
    }

    #[test]
    fn lines_are_paged_by_their_index() {
        let mut book = LogBook::default();
        assert_eq!(book.from(1, 10, None), Logged::default());
        for number in [1, 2, 1, 2, 1] {
            book.add(line(number, "x"));
        }
        let first = book.from(1, 2, None);
        assert_eq!((indexes(&first), first.next, first.count, first.forgotten), (vec![1, 2], Some(3), 5, 0));
        let rest = book.from(3, 10, None);
        assert_eq!((indexes(&rest), rest.next), (vec![3, 4, 5], None));
        let of_one = book.from(1, 2, Some(1));
        assert_eq!((indexes(&of_one), of_one.next), (vec![1, 3], Some(5)));
        let last = book.last_from(2, 3);
        assert_eq!((indexes(&last), last.forgotten), (vec![3, 4, 5], 1));
        assert_eq!(indexes(&book.last_from(6, 3)), Vec::<u64>::new());
        assert_eq!(indexes(&book.from(u64::MAX, 3, None)), Vec::<u64>::new());
    }

    #[test]
    fn the_oldest_lines_are_forgotten_and_counted() {
        let mut book = LogBook::default();
        for _ in 0..MAX_LINES + 5 {
            book.add(line(1, "x"));
        }
        let kept = book.from(1, 1, None);
        assert_eq!((indexes(&kept), kept.forgotten, kept.count), (vec![6], 5, MAX_LINES as u64 + 5));
        for _ in 0..MAX_BYTES / MAX_LINE + 7 {
            book.add(line(1, &"y".repeat(MAX_LINE)));
        }
        assert_eq!(book.lines.len(), MAX_BYTES / MAX_LINE);
        book.forget_after(3);
        assert_eq!((book.count, book.lines.len(), book.bytes), (3, 0, 0));
    }
}
