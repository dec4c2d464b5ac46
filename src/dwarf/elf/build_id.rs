//! Build-ids: NT_GNU_BUILD_ID, and how they are written.

use object::{LittleEndian, elf};
use std::fmt::Write;

type Header = elf::FileHeader64<LittleEndian>;

/// Formats bytes as lower-case hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// Returns the build-id that a note has.
pub(super) fn build_id_of(note: &object::read::elf::Note<'_, Header>) -> Option<Vec<u8>> {
    let is_id = note.name() == elf::ELF_NOTE_GNU && note.n_type(LittleEndian) == elf::NT_GNU_BUILD_ID;
    (is_id && !note.desc().is_empty()).then(|| note.desc().to_vec())
}
