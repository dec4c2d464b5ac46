//! Finding out before anything is recorded whether the object can work in an rr program.
//!
//! Where it cannot, rr runs as if there were no soft counters, and ends with an assertion about performance counters,
//! which says nothing about the reason. Two looks tell: one at the program's file, and one at a run of the program that
//! does nothing (`rr --version`), in which the object is asked to make itself heard. Together they take a few
//! milliseconds. Running is the caller's business.

use super::arrival;
use object::read::elf::{ElfFile64, FileHeader, ProgramHeader};
use object::{Architecture, Endianness, Object, ObjectSymbol, elf};
use std::collections::BTreeSet;
use std::ffi::{CString, OsString};
use std::fs;
use std::io::{self, Read};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// What rr must call through the dynamic linker, or its calls pass the object by. Of alternatives one is enough.
const INTERPOSED: [&[&str]; 6] =
    [&["ptrace"], &["waitid", "waitpid"], &["syscall"], &["ioctl"], &["fcntl64", "fcntl"], &["read"]];
/// Extended attribute with the capabilities that a file gives to who executes it.
const CAPABILITIES: &std::ffi::CStr = c"security.capability";
/// Set for the run that shows whether the object is loaded: it then prints its statistics when rr ends.
const SPEAK: (&str, &str) = ("RETROGRADE_SOFT_STATS", "1");
/// What each line of the object begins with.
const VOICE: &str = "retrograde soft counters: ";

/// Why soft counters cannot work in an rr program. The words follow "soft counters cannot work with this rr: ".
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Obstacle {
    /// There is no dynamic linker that would load the object.
    #[error("it is statically linked, so that nothing can be preloaded into it; use a dynamically linked build")]
    Static,
    /// It is for another processor.
    #[error("it is not a program for x86-64")]
    Foreign,
    /// It calls the kernel by other ways than through the dynamic linker.
    #[error("it does not call {0} through the dynamic linker; use a build that is not linked in an unusual way")]
    NotImported(String),
    /// The dynamic linker ignores `LD_PRELOAD` for it.
    #[error(
        "it {0}, and the dynamic linker preloads nothing into such programs; use a copy without that (`cp` makes one)"
    )]
    Privileged(&'static str),
    /// It ran without the object.
    #[error(
        "the object was not loaded when it ran, so something removes LD_PRELOAD on the way (a wrapper script, a sandbox); \
         name the rr program itself in RETROGRADE_RR"
    )]
    NotLoaded,
}

/// What an rr program's file tells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ProgramFacts {
    /// The kind of processor it is to believe in, see [`arrival`](super::arrival()); `None` if it knows
    /// none that would do.
    pub kind: Option<&'static str>,
}

/// Looks at an rr program's file. What is no ELF file, such as a script that starts rr, passes: its run will tell.
///
/// # Errors
/// If the file cannot be read.
pub fn inspect(program: &Path) -> io::Result<Result<ProgramFacts, Obstacle>> {
    let mut magic = [0; 4];
    let mut file = fs::File::open(program)?;
    if file.read_exact(&mut magic).is_err() || magic != elf::ELFMAG {
        return Ok(Ok(ProgramFacts::default()));
    }
    if let Some(privilege) = privilege(program, file.metadata()?.permissions().mode()) {
        return Ok(Err(Obstacle::Privileged(privilege)));
    }
    let mut bytes = magic.to_vec();
    file.read_to_end(&mut bytes)?;
    Ok(inspect_elf(&bytes).map(|()| ProgramFacts { kind: arrival::kind(&bytes) }))
}

fn inspect_elf(bytes: &[u8]) -> Result<(), Obstacle> {
    let file = ElfFile64::<Endianness>::parse(bytes).map_err(|_| Obstacle::Foreign)?;
    if file.architecture() != Architecture::X86_64 {
        return Err(Obstacle::Foreign);
    }
    let endian = file.endian();
    let headers = file.elf_header().program_headers(endian, bytes).unwrap_or_default();
    if !headers.iter().any(|header| header.p_type(endian) == elf::PT_INTERP) {
        return Err(Obstacle::Static);
    }
    let undefined = file.dynamic_symbols().filter(|symbol| symbol.is_undefined());
    let imports: BTreeSet<&[u8]> = undefined.filter_map(|symbol| symbol.name_bytes().ok()).collect();
    let imported = |name: &&str| imports.contains(name.as_bytes());
    match INTERPOSED.iter().find(|names| !names.iter().any(imported)) {
        Some(missing) => Err(Obstacle::NotImported(missing.join(" or "))),
        None => Ok(()),
    }
}

/// Returns why the dynamic linker runs the program in its secure mode, if it does (`AT_SECURE`, see `ld.so(8)`).
fn privilege(program: &Path, mode: u32) -> Option<&'static str> {
    if mode & 0o4000 != 0 {
        return Some("is set-user-id");
    }
    if mode & 0o2010 == 0o2010 {
        return Some("is set-group-id");
    }
    let path = CString::new(program.as_os_str().as_bytes()).ok()?;
    // SAFETY: both strings end in NUL, and no buffer is given: only the size is asked for.
    let size = unsafe { libc::getxattr(path.as_ptr(), CAPABILITIES.as_ptr(), std::ptr::null_mut(), 0) };
    (size > 0).then_some("has file capabilities")
}

/// Returns the environment for a run of rr that shows whether the object is loaded, beside that of
/// [`environment`](super::environment).
pub fn handshake() -> (OsString, OsString) {
    (SPEAK.0.into(), SPEAK.1.into())
}

/// Returns whether the object was loaded in such a run, by what the run printed to standard error.
pub fn shook_hands(stderr: &str) -> Result<(), Obstacle> {
    if stderr.lines().any(|line| line.starts_with(VOICE)) { Ok(()) } else { Err(Obstacle::NotLoaded) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::Permissions;

    /// Makes an ELF header for this machine type with this program header, and nothing else.
    fn elf(machine: u16, header: u32) -> Vec<u8> {
        let mut bytes = vec![0; 120];
        bytes[..8].copy_from_slice(&[0x7f, b'E', b'L', b'F', 2, 1, 1, 0]);
        let mut put = |at: usize, value: &[u8]| bytes[at..at + value.len()].copy_from_slice(value);
        put(16, &2u16.to_le_bytes());
        put(18, &machine.to_le_bytes());
        put(20, &1u32.to_le_bytes());
        put(32, &64u64.to_le_bytes());
        put(52, &64u16.to_le_bytes());
        put(54, &56u16.to_le_bytes());
        put(56, &1u16.to_le_bytes());
        put(64, &header.to_le_bytes());
        bytes
    }

    #[test]
    fn a_static_program_and_one_of_another_machine_are_refused() {
        assert_eq!(inspect_elf(&elf(elf::EM_X86_64.0, elf::PT_LOAD.0)), Err(Obstacle::Static));
        assert_eq!(inspect_elf(&elf(elf::EM_AARCH64.0, elf::PT_INTERP.0)), Err(Obstacle::Foreign));
        assert_eq!(inspect_elf(b"\x7fELF"), Err(Obstacle::Foreign));
    }

    #[test]
    fn a_program_that_imports_nothing_of_it_is_refused() {
        let refused = inspect_elf(&elf(elf::EM_X86_64.0, elf::PT_INTERP.0)).unwrap_err();
        assert_eq!(refused, Obstacle::NotImported("ptrace".to_owned()));
        assert!(refused.to_string().starts_with("it does not call ptrace through the dynamic linker"));
    }

    #[test]
    fn what_is_no_elf_file_is_left_to_its_run() {
        let directory = tempfile::tempdir().unwrap();
        let script = directory.path().join("rr");
        for text in ["#!/bin/sh\n", ""] {
            fs::write(&script, text).unwrap();
            assert_eq!(inspect(&script).unwrap(), Ok(ProgramFacts { kind: None }));
        }
        assert!(inspect(&directory.path().join("none")).is_err());
    }

    #[test]
    fn a_program_that_the_dynamic_linker_trusts_less_is_refused() {
        let directory = tempfile::tempdir().unwrap();
        let program = directory.path().join("rr");
        fs::write(&program, elf(elf::EM_X86_64.0, elf::PT_INTERP.0)).unwrap();
        for (mode, words) in [(0o4755, "is set-user-id"), (0o2755, "is set-group-id")] {
            fs::set_permissions(&program, Permissions::from_mode(mode)).unwrap();
            assert_eq!(inspect(&program).unwrap(), Err(Obstacle::Privileged(words)));
        }
        fs::set_permissions(&program, Permissions::from_mode(0o755)).unwrap();
        assert_eq!(inspect(&program).unwrap(), Err(Obstacle::NotImported("ptrace".to_owned())));
    }

    #[test]
    fn the_object_is_heard_or_it_is_not_there() {
        assert_eq!(shook_hands("warning\nretrograde soft counters: Statistics { ticks: 0 }\n"), Ok(()));
        assert_eq!(shook_hands("rr version 5.10.0\n"), Err(Obstacle::NotLoaded));
        assert_eq!(shook_hands(""), Err(Obstacle::NotLoaded));
    }

    #[test]
    fn the_object_says_what_is_listened_for() {
        let has = |text: &str| memchr::memmem::find(crate::OBJECT, text.as_bytes()).is_some();
        if crate::available() {
            assert!(has(VOICE) && has(SPEAK.0));
        }
    }
}
