//! System calls that rr's buffer answered: their numbers and results, as an event `SYSCALLBUF_FLUSH` has them in the
//! stream `data` (`preload_interface.h`, `struct syscallbuf_record`).

use super::chunks::Chunks;
use crate::error::Error;
use std::path::Path;

/// Bytes of a record without what the call wrote: the result, the number, two bytes of flags, the length.
const RECORD: usize = 16;
/// Longest buffer; rr's has at most some hundred KiB.
const LONGEST: u64 = 64 << 20;

/// The stream `data`, of which most is skipped.
pub(super) struct Data {
    chunks: Chunks,
    /// The chunk that was decompressed last, and how much of it is behind.
    chunk: Vec<u8>,
    at: usize,
    /// Bytes that are to be skipped before the next that are taken.
    skipped: u64,
}

impl Data {
    /// Opens that of a trace directory.
    pub(super) fn open(directory: &Path) -> Result<Self, Error> {
        Ok(Self { chunks: Chunks::open(directory, "data")?, chunk: Vec::new(), at: 0, skipped: 0 })
    }

    /// Passes over so many bytes. Chunks that lie among them are not decompressed.
    pub(super) fn skip(&mut self, length: u64) {
        self.skipped = self.skipped.saturating_add(length);
    }

    /// Takes the next bytes, so many.
    pub(super) fn take(&mut self, length: u64) -> Result<Vec<u8>, Error> {
        if length > LONGEST {
            return Err(self.chunks.damage("has a buffer that is longer than rr makes any"));
        }
        let mut bytes = Vec::new();
        loop {
            let left = (self.chunk.len() - self.at) as u64;
            let skipped = self.skipped.min(left);
            (self.at, self.skipped) = (self.at + skipped as usize, self.skipped - skipped);
            if self.skipped == 0 {
                let rest = self.chunk.get(self.at..).unwrap_or_default();
                let wanted = (length as usize - bytes.len()).min(rest.len());
                bytes.extend_from_slice(rest.get(..wanted).unwrap_or_default());
                self.at += wanted;
            }
            if bytes.len() as u64 == length {
                return Ok(bytes);
            }
            loop {
                let Some(chunk) = self.chunks.next()? else { return Err(self.chunks.damage("is cut off")) };
                if self.skipped >= chunk.len() as u64 {
                    self.skipped -= chunk.len() as u64;
                } else {
                    (self.chunk, self.at) = (self.chunks.bytes(&chunk)?, 0);
                    break;
                }
            }
        }
    }
}

/// Reads the records in a buffer behind its header of so many bytes: number and result of each. rr may have discarded
/// the rest of a buffer, so what is no record any more ends them.
pub(super) fn records(buffer: &[u8], header: usize) -> Vec<(i32, i64)> {
    let length = buffer.get(..4).and_then(|bytes| bytes.try_into().ok()).map_or(0, u32::from_le_bytes) as usize;
    let mut rest = buffer.get(header..).unwrap_or_default();
    rest = rest.get(..length).unwrap_or(rest);
    let mut records = Vec::new();
    while let Some((record, _)) = rest.split_at_checked(RECORD) {
        let number = |at: usize, size: usize| {
            let bytes = record.get(at..at + size).unwrap_or_default();
            bytes.iter().rev().fold(0u64, |number, byte| number << 8 | u64::from(*byte))
        };
        let size = number(12, 4) as usize;
        if size < RECORD {
            break;
        }
        records.push((number(8, 2) as i32, number(0, 8) as i64));
        rest = rest.get(size.next_multiple_of(8)..).unwrap_or_default();
    }
    records
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn record(number: u16, result: i64, extra: usize) -> Vec<u8> {
        let size = (RECORD + extra) as u32;
        let mut bytes =
            [&result.to_le_bytes()[..], &number.to_le_bytes(), &[0, 0], &size.to_le_bytes(), &vec![7; extra]].concat();
        bytes.resize(bytes.len().next_multiple_of(8), 0);
        bytes
    }

    #[test]
    fn each_record_has_a_number_and_a_result() {
        let records_of = [record(0, 5, 5), record(39, -9, 0), record(1, 1 << 40, 8)].concat();
        let buffer = [&(records_of.len() as u32).to_le_bytes()[..], &[0; 26], &records_of, &record(2, 2, 0)].concat();
        assert_eq!(records(&buffer, 30), [(0, 5), (39, -9), (1, 1 << 40)]);
        assert_eq!(records(&buffer[..60], 30), [(0, 5)], "cut off");
        assert_eq!(records(&[], 30), []);
    }

    proptest! {
        #[test]
        fn no_bytes_make_it_panic(bytes in prop::collection::vec(any::<u8>(), 0..99), header in 0usize..40) {
            drop(records(&bytes, header));
        }
    }
}
