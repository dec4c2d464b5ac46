//! Memory, the auxiliary vector, and the path of the program's file.

use super::client::Client;
use super::command::{Command, Spelling};
use super::dialect::{Dialect, MemoryForm};
use super::error::Error;
use super::link::{Link, error_of};
use super::reply::{self, Fault};
use arch::RunAddr;

/// Bytes asked for in one `x` or `m`. A huge length makes rr run out of memory and abort.
pub(super) const PIECE: usize = 256 << 10;

/// Most bytes that one call reads.
const MOST: usize = 256 << 20;

impl Client {
    /// Reads memory of the debuggee; shorter than asked if it becomes unreadable, empty if nothing is readable. rr
    /// hides its own and the inserted breakpoints from it.
    pub fn read_memory(&mut self, at: RunAddr, length: usize) -> Result<Vec<u8>, Error> {
        if length > MOST {
            return Err(Error::TooLong { asked: length, most: MOST });
        }
        self.select_any()?;
        read(&mut self.link, self.spelling, self.dialect, at, length)
    }

    /// Reads the auxiliary vector, as the kernel wrote it: pairs of 8-byte words.
    pub fn auxv(&mut self) -> Result<Vec<u8>, Error> {
        self.select_any()?;
        Ok(self.ask(&Command::Auxv, reply::transfer)?.data)
    }

    /// Returns the path of the program's file, usually a copy in the trace directory. Another after an `exec`.
    pub fn exec_file(&mut self) -> Result<String, Error> {
        if let Some(program) = &self.program {
            return Ok(program.clone());
        }
        let piece = self.ask(&Command::ExecFile(self.state.pid), reply::transfer)?;
        Ok(String::from_utf8_lossy(&piece.data).into_owned())
    }

    /// Says what the server cannot: the path of the program's file.
    pub fn set_exec_file(&mut self, path: String) {
        self.program = Some(path);
    }
}

/// Reads from the address space that requests refer to. Stops at the first byte that is not readable: what a later
/// piece holds is not returned, because it would not be where the caller takes it to be.
pub(super) fn read(
    link: &mut Link,
    spelling: Spelling,
    dialect: Dialect,
    at: RunAddr,
    length: usize,
) -> Result<Vec<u8>, Error> {
    // The last byte of the address space ends the read: rr refuses a range that wraps around.
    let most = usize::try_from(u64::MAX - at.0).unwrap_or(usize::MAX);
    let length = length.min(most.saturating_add(1));
    let mut data = Vec::new();
    while data.len() < length {
        let asked = dialect.piece.min(length - data.len());
        let mut piece = read_piece(link, spelling, dialect, RunAddr(at.0.wrapping_add(data.len() as u64)), asked)?;
        let short = piece.len() < asked;
        data.append(&mut piece);
        if short {
            break;
        }
    }
    Ok(data)
}

fn read_piece(
    link: &mut Link,
    spelling: Spelling,
    dialect: Dialect,
    at: RunAddr,
    length: usize,
) -> Result<Vec<u8>, Error> {
    let in_hex = Command::Memory(at, length);
    let binary = Command::MemoryBinary(at, length);
    let (command, piece) = match dialect.memory {
        MemoryForm::Hex => (&in_hex, link.ask(&in_hex, spelling, reply::memory)?),
        MemoryForm::Binary => (&binary, link.ask(&binary, spelling, reply::memory_binary)?),
        MemoryForm::BareBinary => match link.ask(&binary, spelling, |data| Ok(data.to_vec()))? {
            // Without the prefix this may be an error or three bytes of data. The other packet tells.
            doubtful if doubtful == b"E01" => (&in_hex, link.ask(&in_hex, spelling, reply::memory)?),
            data => (&binary, data),
        },
    };
    if piece.len() > length {
        let what = format!("{} bytes where {length} were asked for", piece.len());
        return Err(error_of(&command.encode(spelling), Fault::Malformed(what)));
    }
    Ok(piece)
}
