//! The bytes of a stream of a trace.
//!
//! A stream is a file of chunks. Each begins with two 32-bit numbers, the length of its bytes compressed and as they
//! were; these follow, compressed by Brotli, each chunk by itself (rr's `CompressedWriter`).

use crate::error::Error;
use crate::paths::open_regular;
use base::untrusted::PathText as _;
use brotli_decompressor::{BrotliResult, brotli_decode};
use std::io::{BufReader, ErrorKind, Read};
use std::path::{Path, PathBuf};

/// Longest chunk, compressed or not. rr writes chunks of at most 1 MiB; several are in memory at a time.
const LONGEST: u32 = 8 << 20;

/// A stream that is read from its beginning.
pub(super) struct Chunks {
    directory: PathBuf,
    name: &'static str,
    file: BufReader<Box<dyn Read + Send + Sync>>,
}

/// What is ahead in a stream.
pub(super) struct Chunk {
    /// The bytes, compressed.
    compressed: Vec<u8>,
    /// How many there are when they are not.
    length: usize,
}

impl Chunks {
    /// Opens one of the streams of a trace directory.
    pub(super) fn open(directory: &Path, name: &'static str) -> Result<Self, Error> {
        let path = directory.join(name);
        let file = open_regular(&path).map_err(Error::io(format!("read `{}`", path.in_text())))?;
        Ok(Self::of(file, directory, name))
    }

    /// Reads the bytes of a stream of this name in a trace directory.
    pub(super) fn of(file: impl Read + Send + Sync + 'static, directory: &Path, name: &'static str) -> Self {
        Self { directory: directory.to_owned(), name, file: BufReader::new(Box::new(file)) }
    }

    /// Reads the next chunk, as it is in the file. `None`: that was all.
    pub(super) fn next(&mut self) -> Result<Option<Chunk>, Error> {
        let Some(compressed) = self.number()? else { return Ok(None) };
        let length = self.number()?.ok_or_else(|| self.damage("is cut off"))?;
        if compressed.max(length) > LONGEST {
            return Err(self.damage("has a part that is longer than rr writes any"));
        }
        let mut bytes = Vec::new();
        let limit = u64::from(compressed);
        self.file.by_ref().take(limit).read_to_end(&mut bytes).map_err(|error| self.failed(error))?;
        if bytes.len() as u64 != limit {
            return Err(self.damage("is cut off"));
        }
        Ok(Some(Chunk { compressed: bytes, length: length as usize }))
    }

    /// Decompresses a chunk.
    pub(super) fn bytes(&self, chunk: &Chunk) -> Result<Vec<u8>, Error> {
        let mut bytes = vec![0; chunk.length];
        let done = brotli_decode(&chunk.compressed, &mut bytes);
        match done.result {
            BrotliResult::ResultSuccess if done.decoded_size == chunk.length => Ok(bytes),
            _ => Err(self.damage("has a part that cannot be decompressed")),
        }
    }

    /// Returns the error for a stream that is not as rr writes them.
    pub(super) fn damage(&self, how: &str) -> Error {
        Error::Damaged { path: self.directory.clone(), reason: format!("its file `{}` {how}", self.name) }
    }

    fn failed(&self, error: std::io::Error) -> Error {
        Error::io(format!("read `{}`", self.directory.join(self.name).in_text()))(error)
    }

    /// Reads a number; `None` at the end of the file.
    fn number(&mut self) -> Result<Option<u32>, Error> {
        let mut bytes = [0; 4];
        match self.file.read_exact(&mut bytes) {
            Ok(()) => Ok(Some(u32::from_le_bytes(bytes))),
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => Ok(None),
            Err(error) => Err(self.failed(error)),
        }
    }
}

impl Chunk {
    /// Returns how many bytes it has when it is not compressed.
    pub(super) fn len(&self) -> usize {
        self.length
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    /// `hello`, compressed as bytes that are stored.
    const HELLO: [u8; 9] = [0x0b, 0x02, 0x80, b'h', b'e', b'l', b'l', b'o', 0x03];

    fn chunk(compressed: &[u8], length: u32) -> Vec<u8> {
        [&(compressed.len() as u32).to_le_bytes(), &length.to_le_bytes(), compressed].concat()
    }

    fn all(file: &[u8]) -> Result<Vec<u8>, String> {
        let directory = tempfile::tempdir().unwrap();
        fs::write(directory.path().join("events"), file).unwrap();
        let mut chunks = Chunks::open(directory.path(), "events").unwrap();
        let mut bytes = Vec::new();
        while let Some(chunk) = chunks.next().map_err(|error| error.to_string())? {
            bytes.extend(chunks.bytes(&chunk).map_err(|error| error.to_string())?);
        }
        Ok(bytes)
    }

    #[test]
    fn chunks_follow_each_other() {
        assert_eq!(all(&[chunk(&HELLO, 5), chunk(&HELLO, 5)].concat()).unwrap(), b"hellohello");
        assert_eq!(all(&[]).unwrap(), b"");
    }

    #[test]
    fn what_is_no_chunk_is_damage() {
        let whole = chunk(&HELLO, 5);
        for (file, how) in [
            (&whole[..whole.len() - 1], "its file `events` is cut off"),
            (&whole[..6], "its file `events` is cut off"),
            (&chunk(&HELLO, 6)[..], "its file `events` has a part that cannot be decompressed"),
            (&chunk(&HELLO, 4)[..], "its file `events` has a part that cannot be decompressed"),
            (&chunk(b"\xff\xff\xff", 5)[..], "its file `events` has a part that cannot be decompressed"),
            (&chunk(&HELLO, u32::MAX)[..], "its file `events` has a part that is longer than rr writes any"),
        ] {
            let error = all(file).unwrap_err();
            assert!(error.ends_with(how), "{error}");
        }
    }
}
