//! MiniDebugInfo: the symbol table that some distributions leave in their stripped programs (GDB manual, "Debugging
//! information in a special section"): `.gnu_debugdata` is an ELF file, compressed with xz.

use super::object::{Bytes, ElfFile};
use std::sync::Arc;
use xz4rust::{XzDecoder, XzNextBlockResult};

/// Largest file that is unpacked. The tables of the largest programs have some ten megabytes.
const MAX_UNPACKED: usize = 256 << 20;

/// Largest dictionary: that of `xz -9`.
const MAX_DICTIONARY: usize = xz4rust::DICT_SIZE_PROFILE_9;

const CHUNK: usize = 64 << 10;

/// The file inside a file; `None` if there is none, or it is damaged.
pub(super) fn open(file: &Arc<ElfFile>) -> Option<Arc<ElfFile>> {
    let packed = file.section_bytes(".gnu_debugdata").ok()??;
    let inside = ElfFile::parse(file.path(), Bytes::Owned(unpack(&packed)?)).ok()?;
    (inside.arch == file.arch).then(|| Arc::new(inside))
}

/// Decompresses; memory is taken only as it is filled.
fn unpack(packed: &[u8]) -> Option<Vec<u8>> {
    let mut decoder = XzDecoder::in_heap_with_alloc_dict_size(xz4rust::DICT_SIZE_MIN, MAX_DICTIONARY);
    let mut unpacked = Vec::new();
    let mut chunk = vec![0; CHUNK];
    let mut rest = packed;
    loop {
        let (consumed, produced, ended) = match decoder.decode(rest, &mut chunk).ok()? {
            XzNextBlockResult::NeedMoreData(consumed, produced) => (consumed, produced, false),
            XzNextBlockResult::EndOfStream(consumed, produced) => (consumed, produced, true),
        };
        unpacked.extend_from_slice(chunk.get(..produced)?);
        rest = rest.get(consumed..)?;
        if ended {
            return Some(unpacked);
        }
        let stuck = consumed == 0 && produced == 0;
        if stuck || unpacked.len() > MAX_UNPACKED {
            return None;
        }
    }
}
