//! Separate debug files: where they are, and whether one belongs to an image.
//!
//! The places and their order are those of GDB's manual, "Debugging Information in Separate Files". A file found by
//! build-id has to carry that id; one found by `.gnu_debuglink` has to have its checksum, unless both have build-ids,
//! which then decide.

use super::image::DebugPaths;
use super::object::ElfFile;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// The debug file of an image, if it has none of its own debug information and one can be found.
pub(super) fn find_debug_file(file: &ElfFile, paths: &DebugPaths) -> Option<ElfFile> {
    if file.section(".debug_info").is_some() {
        return None;
    }
    by_build_id(file, paths).or_else(|| by_debug_link(file, paths))
}

fn by_build_id(file: &ElfFile, paths: &DebugPaths) -> Option<ElfFile> {
    let (first, rest) = file.build_id.as_ref()?.split_first()?;
    let hex = |bytes: &[u8]| {
        bytes.iter().fold(String::new(), |mut text, byte| {
            let _ = write!(text, "{byte:02x}");
            text
        })
    };
    let name = format!(".build-id/{}/{}.debug", hex(&[*first]), hex(rest));
    let candidates = paths.directories.iter().map(|directory| directory.join(&name));
    open_first(file, candidates, |candidate| candidate.build_id == file.build_id)
}

fn by_debug_link(file: &ElfFile, paths: &DebugPaths) -> Option<ElfFile> {
    let (name, checksum) = file.debug_link()?;
    // Debug files mirror the path of what they belong to, with links resolved.
    let real = file.path().canonicalize().ok()?;
    let mut directories: Vec<PathBuf> = Vec::new();
    for directory in [file.path().parent(), real.parent()].into_iter().flatten() {
        directories.extend([directory.to_owned(), directory.join(".debug")]);
        let below_root = directory.strip_prefix("/").unwrap_or(directory);
        directories.extend(paths.directories.iter().map(|debug| debug.join(below_root)));
    }
    let candidates = directories.into_iter().map(|directory| directory.join(&name));
    open_first(file, candidates, |candidate| match (&candidate.build_id, &file.build_id) {
        (Some(a), Some(b)) => a == b,
        _ => crc32(candidate.bytes()) == checksum,
    })
}

/// The first file that can be opened, is not the image itself, is for the same machine, has symbols or debug
/// information, and is accepted.
fn open_first(
    file: &ElfFile,
    candidates: impl Iterator<Item = PathBuf>,
    accept: impl Fn(&ElfFile) -> bool,
) -> Option<ElfFile> {
    let same = |path: &Path| path.canonicalize().ok() == file.path().canonicalize().ok();
    let opened = candidates.filter(|path| path.exists() && !same(path)).filter_map(|path| ElfFile::open(&path).ok());
    let useful = |f: &ElfFile| f.section(".debug_info").is_some() || f.section(".symtab").is_some();
    opened.into_iter().find(|candidate| candidate.arch == file.arch && useful(candidate) && accept(candidate))
}

/// The CRC of `.gnu_debuglink`: CRC-32 as in IEEE 802.3, bit-reversed, over the whole file.
fn crc32(bytes: &[u8]) -> u32 {
    const TABLE: [u32; 256] = {
        let mut table = [0; 256];
        let mut i = 0;
        while i < 256 {
            let mut crc = i as u32;
            let mut bit = 0;
            while bit < 8 {
                crc = if crc & 1 == 1 { (crc >> 1) ^ 0xedb8_8320 } else { crc >> 1 };
                bit += 1;
            }
            table[i] = crc;
            i += 1;
        }
        table
    };
    let step = |crc: u32, byte: &u8| TABLE[usize::from(crc as u8 ^ byte)] ^ (crc >> 8);
    !bytes.iter().fold(!0, step)
}

impl ElfFile {
    /// `.gnu_debuglink`: a file name, NUL, padding to 4 bytes, then the file's CRC.
    fn debug_link(&self) -> Option<(String, u32)> {
        let section = self.section(".gnu_debuglink")?;
        let contents = self.raw_section(section)?;
        let length = memchr::memchr(0, contents)?;
        let name = std::str::from_utf8(contents.get(..length)?).ok()?;
        let at = (length + 1).next_multiple_of(4);
        let checksum = contents.get(at..)?.first_chunk::<4>()?;
        // A name with directories would reach out of the places that are searched.
        let plain = !name.is_empty() && !name.contains('/') && name != "..";
        plain.then(|| (name.to_owned(), u32::from_le_bytes(*checksum)))
    }
}

#[cfg(test)]
mod tests;
