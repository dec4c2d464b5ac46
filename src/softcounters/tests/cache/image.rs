//! Programs and libraries of the machine, as sources of real code.

use std::path::{Path, PathBuf};

use object::{Object, ObjectSection, ObjectSegment, SegmentFlags, elf};

use super::child::Area;

const PAGE: u64 = 4096;

/// A program or library, laid out in memory but not relocated.
pub struct Image {
    /// What the loader would map, and the content.
    pub segments: Vec<(Area, Vec<u8>)>,
}

impl Image {
    /// Reads an ELF file and places it at `base`.
    pub fn load(path: &Path, base: u64) -> Image {
        let data = std::fs::read(path).unwrap();
        let file = object::File::parse(&*data).unwrap();
        let mut segments = Vec::new();
        for segment in file.segments() {
            let SegmentFlags::Elf { p_flags, .. } = segment.flags() else { panic!("not an ELF file") };
            let start = segment.address() / PAGE * PAGE;
            let end = (segment.address() + segment.size()).next_multiple_of(PAGE);
            let mut content = vec![0; (end - start) as usize];
            let bytes = segment.data().unwrap();
            let within = (segment.address() - start) as usize;
            content[within..within + bytes.len()].copy_from_slice(bytes);
            let area = Area {
                address: base + start,
                length: content.len(),
                writable: p_flags.contains(elf::PF_W),
                executable: p_flags.contains(elf::PF_X),
            };
            segments.push((area, content));
        }
        Image { segments }
    }

    /// A page of code and nothing else.
    pub fn of_code(code: &[u8], address: u64) -> Image {
        let mut content = code.to_vec();
        content.resize(code.len().next_multiple_of(PAGE as usize), 0xcc);
        let area = Area { address, length: content.len(), writable: false, executable: true };
        Image { segments: vec![(area, content)] }
    }

    /// The code from an address on.
    pub fn code(&self, address: u64) -> &[u8] {
        self.executable()
            .find_map(|(area, content)| {
                let within = usize::try_from(address.checked_sub(area.address)?).ok()?;
                content.get(within..)
            })
            .unwrap_or(&[])
    }

    /// The executable segments.
    pub fn executable(&self) -> impl Iterator<Item = &(Area, Vec<u8>)> {
        self.segments.iter().filter(|(area, _)| area.executable)
    }
}

/// The `.text` section of a file.
pub fn text(path: &Path) -> Vec<u8> {
    let data = std::fs::read(path).unwrap();
    let file = object::File::parse(&*data).unwrap();
    file.section_by_name(".text").unwrap().data().unwrap().to_vec()
}

/// The libraries and programs of this machine that are to be looked at, this test first.
pub fn files() -> Vec<PathBuf> {
    const NAMES: &[&str] =
        &["libc.so.6", "libm.so.6", "libstdc++.so.6", "libcrypto.so.3", "libpython3.11.so.1.0", "python3"];
    const DIRECTORIES: &[&str] =
        &["/lib/x86_64-linux-gnu", "/usr/lib/x86_64-linux-gnu", "/usr/lib64", "/lib64", "/usr/bin"];
    let mut files = vec![std::env::current_exe().unwrap()];
    for name in NAMES {
        files.extend(DIRECTORIES.iter().map(|directory| Path::new(directory).join(name)).find(|path| path.is_file()));
    }
    files
}
