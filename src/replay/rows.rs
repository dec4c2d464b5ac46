//! Rows of an answer, read as they are looked at.

use super::error::Result;
use std::fmt;
use std::iter::FusedIterator;
use std::vec;

/// Rows that are read at first, and at most, at once: each reading goes through the hits of the answer again.
const FIRST: usize = 64;
const MOST: usize = 16 << 10;

/// Reads so many rows from one on.
type Read<'a, T> = Box<dyn FnMut(u64, usize) -> Result<Vec<T>> + Send + 'a>;

/// The rows of an answer, in their order. They are read as the iterator comes to them, page by page; [`nth`](Iterator::nth) and [`skip`](Iterator::skip) read none of those that they pass over. After an
/// error there are no more.
pub struct Rows<'a, T> {
    read: Read<'a, T>,
    ready: vec::IntoIter<T>,
    /// The first row that is not read yet.
    next: u64,
    total: u64,
    page: usize,
}

impl<'a, T> Rows<'a, T> {
    pub(super) fn new(total: u64, read: impl FnMut(u64, usize) -> Result<Vec<T>> + Send + 'a) -> Self {
        Self { read: Box::new(read), ready: Vec::new().into_iter(), next: 0, total, page: FIRST }
    }

    fn remaining(&self) -> u64 {
        self.ready.len() as u64 + (self.total - self.next)
    }
}

impl<T> Iterator for Rows<'_, T> {
    type Item = Result<T>;

    fn next(&mut self) -> Option<Result<T>> {
        loop {
            if let Some(row) = self.ready.next() {
                return Some(Ok(row));
            }
            if self.next >= self.total {
                return None;
            }
            match (self.read)(self.next, self.page) {
                Ok(rows) => self.ready = rows.into_iter(),
                Err(error) => {
                    self.next = self.total;
                    return Some(Err(error));
                }
            }
            // A page leaves out rows that cannot be read.
            self.next = self.next.saturating_add(self.page as u64).min(self.total);
            self.page = (self.page * 2).min(MOST);
        }
    }

    fn nth(&mut self, skipped: usize) -> Option<Result<T>> {
        let ready = self.ready.len();
        match skipped.checked_sub(ready) {
            None => return self.ready.nth(skipped).map(Ok),
            Some(rest) => {
                self.ready = Vec::new().into_iter();
                self.next = self.next.saturating_add(rest as u64).min(self.total);
            }
        }
        self.next()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        // After an error there are no more.
        (0, usize::try_from(self.remaining()).ok())
    }
}

impl<T> FusedIterator for Rows<'_, T> {}

impl<T> fmt::Debug for Rows<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Rows").field("remaining", &self.remaining()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::replay::{Error, ErrorKind};

    fn numbers(total: u64) -> Rows<'static, u64> {
        Rows::new(total, move |first, most| Ok((first..total.min(first + most as u64)).collect()))
    }

    #[test]
    fn rows_come_in_their_order_over_all_pages() {
        let all: Vec<u64> = numbers(100_000).map(Result::unwrap).collect();
        assert_eq!(all, (0..100_000).collect::<Vec<_>>());
        assert_eq!(numbers(0).next().map(Result::unwrap), None);
    }

    #[test]
    fn rows_that_are_passed_over_are_not_read() {
        let mut asked = Vec::new();
        let mut rows = Rows::new(1_000_000, |first, most| {
            asked.push(first);
            Ok((first..first + most as u64).collect())
        });
        let row = |found: Option<Result<u64>>| found.unwrap().unwrap();
        assert_eq!((row(rows.next()), row(rows.nth(10)), row(rows.nth(500_000))), (0, 11, 500_012));
        assert_eq!(rows.nth(1_000_000).map(Result::unwrap), None);
        drop(rows);
        assert_eq!(asked, [0, 500_012]);
    }

    #[test]
    fn rows_that_a_page_leaves_out_do_not_come_and_no_other_comes_twice() {
        let read = |first: u64, most: usize| {
            Ok((first..1000.min(first + most as u64)).filter(|row| *row % 3 == 0 && *row > 300).collect())
        };
        let all: Vec<u64> = Rows::new(1000, read).map(Result::unwrap).collect();
        assert_eq!(all, (301..1000).filter(|row| row % 3 == 0).collect::<Vec<_>>());
    }

    #[test]
    fn an_error_is_the_last() {
        let mut rows = Rows::<u64>::new(10, |_, _| Err(Error::new(ErrorKind::Cancelled, "cancelled")));
        assert_eq!(rows.next().unwrap().unwrap_err().kind(), ErrorKind::Cancelled);
        assert!(rows.next().is_none());
    }
}
