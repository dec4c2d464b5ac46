//! MiniDebugInfo: the symbol table that some distributions leave in their stripped programs (GDB manual, "Debugging
//! information in a special section"): `.gnu_debugdata` is an ELF file, compressed with xz.

use crate::compressed::file_bytes::Bytes;
use crate::elf::file::ElfFile;
use std::sync::Arc;
use xz4rust::{XzDecoder, XzNextBlockResult};

/// Largest file that is decompressed. The tables of the largest programs have some ten megabytes.
const MAX_DECOMPRESSED: usize = 256 << 20;

/// Largest dictionary: that of `xz -9`.
const MAX_DICTIONARY: usize = xz4rust::DICT_SIZE_PROFILE_9;

const CHUNK: usize = 64 << 10;

/// Opens the file inside a file; `None` if there is none, or it is damaged.
pub(crate) fn open(file: &Arc<ElfFile>) -> Option<Arc<ElfFile>> {
    let compressed = file.section_bytes(".gnu_debugdata").ok()??;
    let inside = ElfFile::parse(file.path(), Bytes::Owned(decompress(&compressed, MAX_DECOMPRESSED)?)).ok()?;
    (inside.arch == file.arch).then(|| Arc::new(inside))
}

/// Decompresses to at most so many bytes; memory is taken only as it is filled.
fn decompress(compressed: &[u8], limit: usize) -> Option<Vec<u8>> {
    let mut decoder = XzDecoder::in_heap_with_alloc_dict_size(xz4rust::DICT_SIZE_MIN, MAX_DICTIONARY);
    let mut decompressed = Vec::new();
    let mut chunk = vec![0; CHUNK];
    let mut rest = compressed;
    loop {
        let (consumed, produced, ended) = match decoder.decode(rest, &mut chunk).ok()? {
            XzNextBlockResult::NeedMoreData(consumed, produced) => (consumed, produced, false),
            XzNextBlockResult::EndOfStream(consumed, produced) => (consumed, produced, true),
        };
        decompressed.extend_from_slice(chunk.get(..produced)?);
        rest = rest.get(consumed..)?;
        if ended {
            return Some(decompressed);
        }
        let stuck = consumed == 0 && produced == 0;
        if stuck || decompressed.len() > limit {
            return None;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::io::Write;
    use std::process::{Command, Stdio};

    fn compressed(bytes: &[u8], arguments: &[&str]) -> Vec<u8> {
        let mut xz = Command::new("xz").args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let mut input = xz.stdin.take().unwrap();
        let bytes = bytes.to_vec();
        let writer = std::thread::spawn(move || input.write_all(&bytes).unwrap());
        let output = xz.wait_with_output().unwrap();
        writer.join().unwrap();
        assert!(output.status.success());
        output.stdout
    }

    #[test]
    fn what_xz_packed_is_unpacked_up_to_the_limit() {
        let bytes: Vec<u8> = (0..300_000u32).flat_map(|n| (n / 7).to_le_bytes()).collect();
        for arguments in [&["-6"][..], &["-9e"], &["--check=crc32", "--x86", "--lzma2=preset=6"]] {
            let small = compressed(&bytes, arguments);
            assert!(small.len() < bytes.len() / 2);
            assert_eq!(decompress(&small, bytes.len()), Some(bytes.clone()), "{arguments:?}");
            assert_eq!(decompress(&small, bytes.len() - CHUNK - 1), None);
            assert_eq!(decompress(&small[..small.len() / 2], bytes.len()), None);
        }
    }

    #[test]
    fn a_dictionary_that_no_preset_of_xz_has_is_refused() {
        let small = compressed(b"content", &["--lzma2=preset=6,dict=512MiB"]);
        assert_eq!(decompress(&small, 1000), None);
    }

    proptest! {
        #[test]
        fn damaged_streams_never_panic(changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..4)) {
            static SOUND: std::sync::OnceLock<Vec<u8>> = std::sync::OnceLock::new();
            let mut bytes = SOUND.get_or_init(|| compressed(&[1, 2, 3, 4].repeat(500), &["-6"])).clone();
            for (at, byte) in changes {
                let at = at.index(bytes.len());
                bytes[at] = byte;
            }
            let _ = decompress(&bytes, 1 << 20);
        }
    }
}
