//! The file of what probes find. Little-endian; the crate's module of the format describes it.

use std::fs::File;
use std::io::{self, Write};

use super::super::sys;

/// What the file begins with.
pub const MAGIC: [u8; 8] = *b"softhit1";
/// Kinds of records.
pub const HIT: u32 = 1;
pub const THREAD: u32 = 2;
pub const SPACE: u32 = 3;
pub const PLACED: u32 = 4;
pub const TRUNCATED: u32 = 5;
pub const END: u32 = 6;
/// What is kept before it is written.
const CHUNK: usize = 1 << 20;

/// Writes the file, up to its limit.
#[derive(Debug)]
pub struct Sink {
    file: Option<File>,
    kept: Vec<u8>,
    /// How many bytes of hits may follow.
    left: u64,
    hits: u64,
}

impl Sink {
    /// Creates the file, for so many bytes of hits.
    pub fn create(path: &str, limit: u64) -> io::Result<Sink> {
        Ok(Sink { file: Some(File::create(path)?), ..Sink::in_memory(limit) })
    }

    /// Writes nothing.
    pub fn in_memory(limit: u64) -> Sink {
        Sink { file: None, kept: MAGIC.to_vec(), left: limit, hits: 0 }
    }

    /// Adds a hit. Where there is no room for it, this is told and rr ends: nobody wants what follows.
    pub fn hit(&mut self, probe: u32, thread: u32, ticks: u64, payload: &[u8]) {
        let length = payload.len() as u64 + 24;
        if self.left < length {
            self.end(TRUNCATED);
            self.flush();
            sys::exit(0);
        }
        self.left -= length;
        self.hits += 1;
        let mut head = [0; 24];
        for (at, word) in [payload.len() as u32 + 16, HIT, probe, thread].into_iter().enumerate() {
            head[at * 4..at * 4 + 4].copy_from_slice(&word.to_le_bytes());
        }
        head[16..].copy_from_slice(&ticks.to_le_bytes());
        self.kept.extend_from_slice(&head);
        self.kept.extend_from_slice(payload);
        if self.kept.len() >= CHUNK {
            self.flush();
        }
    }

    /// A thread is there, made by another one (0: by none that is known).
    pub fn thread(&mut self, thread: u32, parent: u32, tid: i32) {
        self.begin(THREAD, 12);
        self.words(&[thread, parent, tid as u32]);
    }

    /// A thread runs in this address space from now on.
    pub fn space(&mut self, thread: u32, space: u32) {
        self.begin(SPACE, 8);
        self.words(&[thread, space]);
    }

    /// A probe is at an address of an address space.
    pub fn placed(&mut self, space: u32, probe: u32, address: u64) {
        self.begin(PLACED, 16);
        self.words(&[space, probe]);
        self.kept.extend(address.to_le_bytes());
    }

    /// All is written.
    pub fn finish(&mut self) {
        self.end(END);
        self.flush();
    }

    /// What was not written yet.
    #[cfg(test)]
    pub fn kept(&self) -> &[u8] {
        &self.kept
    }

    fn end(&mut self, kind: u32) {
        self.begin(kind, 8);
        self.kept.extend(self.hits.to_le_bytes());
    }

    /// Begins a record of this kind, which `length` bytes follow.
    fn begin(&mut self, kind: u32, length: usize) {
        self.words(&[length as u32, kind]);
    }

    fn words(&mut self, words: &[u32]) {
        words.iter().for_each(|word| self.kept.extend(word.to_le_bytes()));
    }

    fn flush(&mut self) {
        let Some(file) = &mut self.file else { return };
        if let Err(error) = sys::keeping_errno(|| file.write_all(&self.kept)) {
            sys::give_up(&format!("what the probes found cannot be written: {error}"));
        }
        self.kept.clear();
    }
}
