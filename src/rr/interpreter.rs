//! Which dynamic linker a program asks for.

use std::ffi::OsStr;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// How much of a file is read: its headers, and the name of the linker, which is right behind them.
const BEGINNING: u64 = 64 << 10;
/// `PT_INTERP`
const INTERPRETER: u32 = 3;
/// Bytes of a program header of a 64-bit file.
const HEADER: usize = 56;

/// Returns whether a program is linked with musl, whose linker cannot load rr's preload library.
pub(super) fn asks_for_musl(program: &Path) -> bool {
    let mut bytes = Vec::new();
    let read = File::open(program).and_then(|file| file.take(BEGINNING).read_to_end(&mut bytes));
    read.is_ok() && interpreter(&bytes).is_some_and(|path| is_musl(&path))
}

fn is_musl(path: &str) -> bool {
    path.rsplit('/').next().is_some_and(|name| name.starts_with("ld-musl"))
}

/// Finds the file of a command as it is looked up, for a program that is run in this directory.
pub(super) fn file_of(program: &str, directory: &Path, path: Option<&OsStr>) -> Option<PathBuf> {
    if program.contains('/') {
        return Some(directory.join(program));
    }
    let files = std::env::split_paths(path?).map(|place| directory.join(place).join(program));
    files.into_iter().find(|file| file.is_file())
}

/// Reads the name of the linker from the beginning of a 64-bit little-endian ELF file.
fn interpreter(bytes: &[u8]) -> Option<String> {
    bytes.starts_with(b"\x7fELF\x02\x01").then_some(())?;
    let number = |at: usize, length: usize| {
        let bytes = bytes.get(at..at.checked_add(length)?)?;
        Some(bytes.iter().rev().fold(0u64, |number, byte| number << 8 | u64::from(*byte)))
    };
    let (table, count) = (usize::try_from(number(32, 8)?).ok()?, number(56, 2)?);
    (0..usize::try_from(count).ok()?).find_map(|index| {
        let at = table.checked_add(index.checked_mul(HEADER)?)?;
        (number(at, 4)? == u64::from(INTERPRETER)).then_some(())?;
        let (from, length) = (usize::try_from(number(at + 8, 8)?).ok()?, usize::try_from(number(at + 32, 8)?).ok()?);
        let name = bytes.get(from..from.checked_add(length)?)?;
        Some(String::from_utf8_lossy(name.split(|byte| *byte == 0).next()?).into_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A file with one program header, of a linker of this name.
    fn file(name: &str) -> Vec<u8> {
        let mut bytes = b"\x7fELF\x02\x01".to_vec();
        bytes.resize(64, 0);
        bytes[32] = 64;
        bytes[56] = 1;
        let mut header = vec![0; HEADER];
        (header[0], header[8], header[32]) = (INTERPRETER as u8, 120, name.len() as u8 + 1);
        [bytes, header, name.as_bytes().to_vec(), vec![0, 7]].concat()
    }

    #[test]
    fn the_linker_of_a_program() {
        let musl = "/lib/ld-musl-x86_64.so.1";
        assert_eq!(interpreter(&file(musl)).as_deref(), Some(musl));
        assert!(is_musl(musl) && !is_musl("/lib64/ld-linux-x86-64.so.2") && !is_musl("/ld-musl/ld.so"));
        assert_eq!((interpreter(b"#!/bin/sh\n"), interpreter(&file(musl)[..100])), (None, None));
        assert!(!asks_for_musl(Path::new("/proc/self/exe")) && !asks_for_musl(Path::new("/no/such/file")));
    }

    #[test]
    fn a_command_is_looked_up_where_it_runs() {
        let place = tempfile::tempdir().unwrap();
        std::fs::create_dir(place.path().join("bin")).unwrap();
        std::fs::write(place.path().join("bin/prog"), "").unwrap();
        let found = Some(place.path().join("bin/prog"));
        assert_eq!(file_of("bin/prog", place.path(), None), found);
        assert_eq!(file_of("prog", place.path(), Some(OsStr::new("/no:bin"))), found);
        assert_eq!(file_of("prog", place.path(), Some(OsStr::new("/no"))), None);
    }

    proptest! {
        #[test]
        fn no_bytes_make_it_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let _ = interpreter(&[&b"\x7fELF\x02\x01"[..], &bytes].concat());
        }
    }
}
