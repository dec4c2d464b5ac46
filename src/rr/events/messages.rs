//! The messages of a stream of a trace, one after the other, whatever chunks they lie in.

use super::chunks::{Chunk, Chunks};
use crate::error::Error;
use crate::message::Message;
use std::collections::VecDeque;
use std::path::Path;
use std::thread;

/// So many bytes are enough for the longest message; rr's have some hundred.
const LONGEST: usize = 16 << 20;

/// Bytes of text that are kept of a stream: of a few bytes, whoever makes a trace can make any number of names.
const MOST_TEXT: usize = 512 << 20;

/// The messages of a stream that are still to come.
pub(super) struct Messages {
    chunks: Chunks,
    /// Bytes of text that may still be kept.
    room: usize,
    /// Bytes of chunks that were decompressed, and where the next message begins among them.
    bytes: Vec<u8>,
    at: usize,
    /// What comes behind these, up to the first part that is damaged.
    ahead: VecDeque<Result<Vec<u8>, Error>>,
}

impl Messages {
    /// Opens one of the streams of a trace directory.
    pub(super) fn open(directory: &Path, name: &'static str) -> Result<Self, Error> {
        Ok(Self::of(Chunks::open(directory, name)?))
    }

    /// Reads the messages in these chunks.
    pub(super) fn of(chunks: Chunks) -> Self {
        Self { chunks, room: MOST_TEXT, bytes: Vec::new(), at: 0, ahead: VecDeque::new() }
    }

    /// Reads the next message. `None`: that was all.
    pub(super) fn next(&mut self) -> Result<Option<Message>, Error> {
        loop {
            let rest = self.bytes.get(self.at..).unwrap_or_default();
            if let Some((message, length)) = Message::take(rest) {
                self.at += length;
                return Ok(Some(message));
            }
            let left = rest.len();
            if left > LONGEST {
                return Err(self.chunks.damage("contains something other than a message"));
            }
            self.bytes.drain(..self.at);
            self.at = 0;
            // Twice as much, so that a message in many small chunks is not begun to be read with each of them.
            while self.bytes.len() <= 2 * left {
                match self.more()? {
                    Some(more) => self.bytes.extend_from_slice(&more),
                    None if self.bytes.is_empty() => return Ok(None),
                    None if self.bytes.len() == left => {
                        return Err(self.chunks.damage("ends in the middle of a message"));
                    }
                    None => break,
                }
            }
        }
    }

    /// Takes note that so many bytes of text are kept. Fails if that is more than any recording has.
    pub(super) fn keep(&mut self, bytes: usize) -> Result<(), Error> {
        let room = self.room.checked_sub(bytes);
        self.room = room.ok_or_else(|| self.damage("has more text than rr writes"))?;
        Ok(())
    }

    /// Returns the error for a stream that is not as rr writes them.
    pub(super) fn damage(&self, how: &str) -> Error {
        self.chunks.damage(how)
    }

    /// Reads the bytes of the next chunk. They are decompressed by as many threads as there are processors, some chunks
    /// ahead.
    fn more(&mut self) -> Result<Option<Vec<u8>>, Error> {
        if self.ahead.is_empty() {
            let most = thread::available_parallelism().map_or(1, |number| number.get().min(8));
            let (mut compressed, mut broken) = (Vec::<Chunk>::new(), None);
            while compressed.len() < most && broken.is_none() {
                match self.chunks.next() {
                    Ok(Some(chunk)) => compressed.push(chunk),
                    Ok(None) => break,
                    Err(error) => broken = Some(error),
                }
            }
            let chunks = &self.chunks;
            let decompressed: Vec<Result<Vec<u8>, Error>> = thread::scope(|scope| {
                let work: Vec<_> = compressed.iter().map(|chunk| scope.spawn(move || chunks.bytes(chunk))).collect();
                let unknown = || Err(chunks.damage("has a part that cannot be decompressed"));
                work.into_iter().map(|work| work.join().unwrap_or_else(|_| unknown())).collect()
            });
            self.ahead.extend(decompressed.into_iter().chain(broken.map(Err)));
        }
        self.ahead.pop_front().transpose()
    }
}
