//! Which ELF files are loaded where, at this moment of the recording.
//!
//! The auxiliary vector tells the program, its interpreter and the vdso (under rr: rr's page, which stands in for
//! it); the dynamic linker's `r_debug` list tells the libraries. Both are read again after each movement, because
//! going back unloads what going forward had loaded, and because `exec` replaces everything.

use super::error::Error;
use super::image_files::ImageFiles;
use super::process::Process;
use crate::arch::{Bias, LinkAddr, RunAddr};
use crate::dwarf::Image;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// No recorded process has more libraries than this; a longer list is a loop or garbage.
const MAX_LIBRARIES: usize = 4096;
const MAX_DYNAMIC_ENTRIES: u64 = 1024;
const MAX_PATH: usize = 4096;
/// What is read of the page at AT_SYSINFO_EHDR: the vdso, or rr's page, which spans four pages.
const MAX_VDSO: usize = 0x8000;

/// `d_tag` of the dynamic section entry whose value the dynamic linker sets to its `r_debug`.
const DT_NULL: u64 = 0;
const DT_DEBUG: u64 = 21;

/// What a module is to the process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// The program itself.
    Program,
    /// The dynamic linker.
    Interpreter,
    /// A shared library.
    Library,
    /// Code that rr put into the process and that the user's program knows nothing of.
    Rr,
}

/// A loaded ELF file.
pub(super) struct Module {
    pub(super) image: Arc<Image>,
    pub(super) bias: Bias,
    pub(super) role: Role,
    /// File name for people: `libc.so.6`.
    pub(super) name: String,
    /// First address and one past the last.
    pub(super) span: (RunAddr, RunAddr),
    /// The number that the dynamic linker gives to its thread-local storage; `None` if it has none.
    pub(super) tls_number: Option<u64>,
}

impl fmt::Debug for Module {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at {}", self.name, self.span.0)
    }
}

impl Module {
    pub(super) fn contains(&self, at: RunAddr) -> bool {
        self.span.0 <= at && at < self.span.1
    }

    /// Whether code may be at this address.
    pub(super) fn is_code(&self, at: RunAddr) -> bool {
        let at = at.linked(self.bias);
        self.image.segments().iter().any(|s| s.executable && s.address <= at && at.0 - s.address.0 < s.size)
    }

    pub(super) fn link(&self, at: RunAddr) -> LinkAddr {
        at.linked(self.bias)
    }
}

/// The dynamic linker's rendezvous structure (`struct r_debug` of `<link.h>`), where it is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Rendezvous {
    /// Address of the structure.
    pub(super) address: u64,
    /// The function that it calls before and after each change of the list.
    pub(super) on_change: RunAddr,
}

/// All modules of the process.
#[derive(Default)]
pub(super) struct Modules {
    list: Vec<Arc<Module>>,
    /// Modules that are loaded but whose file could not be used, and why.
    missing: Vec<(String, String)>,
    /// What the list was made from, to see cheaply that nothing has changed.
    seen: Seen,
    rendezvous: Option<Rendezvous>,
    epoch: Option<u64>,
}

#[derive(Default, PartialEq, Eq)]
struct Seen {
    exec_file: String,
    auxv: Vec<u8>,
    links: Vec<Link>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Link {
    bias: u64,
    name: String,
}

/// The entries of the auxiliary vector that say what is loaded (`<elf.h>`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Auxv {
    program_headers: Option<u64>,
    base: Option<u64>,
    entry: Option<u64>,
    vdso: Option<u64>,
}

impl Auxv {
    fn parse(bytes: &[u8]) -> Self {
        let mut found = Self::default();
        for pair in bytes.chunks_exact(16) {
            let (tag, value) = pair.split_at(8);
            let number = |b: &[u8]| b.try_into().map(u64::from_le_bytes).unwrap_or(0);
            let value = Some(number(value)).filter(|v| *v != 0);
            match number(tag) {
                0 => break,
                3 => found.program_headers = value,
                7 => found.base = value,
                9 => found.entry = value,
                33 => found.vdso = value,
                _ => {}
            }
        }
        found
    }
}

impl Modules {
    /// The module that an address lies in.
    pub(super) fn at(&self, address: RunAddr) -> Option<&Arc<Module>> {
        self.list.iter().find(|m| m.contains(address))
    }

    /// The module whose code an address lies in.
    pub(super) fn code_at(&self, address: RunAddr) -> Option<&Arc<Module>> {
        self.at(address).filter(|m| m.is_code(address))
    }

    /// All that the user's program consists of, the program first.
    pub(super) fn user(&self) -> impl Iterator<Item = &Arc<Module>> {
        self.list.iter().filter(|m| m.role != Role::Rr)
    }

    pub(super) fn program(&self) -> Option<&Arc<Module>> {
        self.list.iter().find(|m| m.role == Role::Program)
    }

    /// Loaded modules whose file could not be used, and why.
    pub(super) fn missing(&self) -> &[(String, String)] {
        &self.missing
    }

    pub(super) fn rendezvous(&self) -> Option<Rendezvous> {
        self.rendezvous
    }

    /// Brings the list up to date. `true` if it has changed.
    pub(super) fn refresh(&mut self, process: &mut Process, files: &mut ImageFiles) -> Result<bool, Error> {
        if self.epoch == Some(process.epoch()) {
            return Ok(false);
        }
        let mut changed = false;
        if process.take_image_doubt() {
            let auxv = process.auxv()?;
            let exec_file = process.exec_file()?;
            if auxv != self.seen.auxv || exec_file != self.seen.exec_file {
                *self = Self { seen: Seen { exec_file, auxv, links: Vec::new() }, ..Self::default() };
                self.load_fixed(process, files);
                changed = true;
            }
        }
        changed |= self.refresh_libraries(process, files);
        self.epoch = Some(process.epoch());
        Ok(changed)
    }

    /// The modules that the kernel loaded: program, interpreter, vdso.
    fn load_fixed(&mut self, process: &mut Process, files: &mut ImageFiles) {
        let auxv = Auxv::parse(&self.seen.auxv);
        let exe = PathBuf::from(&self.seen.exec_file);
        let locate = |image: &Image| match (auxv.entry, auxv.program_headers, image.program_headers()) {
            (_, Some(there), Some(linked)) => Some(Bias(there.wrapping_sub(linked.0))),
            (Some(entry), ..) => Some(Bias(entry.wrapping_sub(image.entry().0))),
            _ => None,
        };
        let name = files.display_name(&exe);
        match files.find(&exe, process, &locate) {
            Ok((image, bias)) => {
                let interpreter = image.interpreter().map(str::to_owned);
                self.push(image, bias, Role::Program, name);
                if let (Some(path), Some(base)) = (interpreter, auxv.base) {
                    self.load(Path::new(&path), Bias(base), Role::Interpreter, process, files);
                }
            }
            Err(reason) => self.missing.push((name, reason)),
        }
        if let Some(vdso) = auxv.vdso {
            let bytes = process.read_up_to(vdso, MAX_VDSO);
            if let Ok(image) = Image::from_bytes("rr page", bytes) {
                let first = image.segments().iter().map(|s| s.address.0).min().unwrap_or(0);
                self.push(image, Bias(vdso.wrapping_sub(first)), Role::Rr, "rr page".to_owned());
            }
        }
    }

    fn refresh_libraries(&mut self, process: &mut Process, files: &mut ImageFiles) -> bool {
        // It is where it is as soon as the dynamic linker has told the program, and going back may undo that.
        let address = self.rendezvous.and_then(|r| process.read_u64(r.address.wrapping_add(8)));
        if address.is_none_or(|first| first == 0) {
            self.rendezvous = self.find_rendezvous(process);
        }
        let links = self.rendezvous.map(|r| read_links(process, r)).unwrap_or_default();
        if links == self.seen.links {
            return false;
        }
        let gone = |m: &Module| {
            m.role == Role::Library && !links.iter().any(|l| l.bias == m.bias.0 && base_name(&l.name) == m.name)
        };
        self.list.retain(|m| !gone(m) && !(m.role == Role::Rr && m.name != "rr page"));
        self.missing.retain(|(name, _)| !links.iter().any(|l| base_name(&l.name) == *name));
        for link in &links {
            let known = self.list.iter().any(|m| m.bias.0 == link.bias && m.role != Role::Rr);
            if known || link.name.is_empty() {
                continue;
            }
            let role = if base_name(&link.name).starts_with("librr") { Role::Rr } else { Role::Library };
            self.load(Path::new(&link.name), Bias(link.bias), role, process, files);
        }
        self.number_tls(&links);
        self.seen.links = links;
        true
    }

    fn load(&mut self, path: &Path, bias: Bias, role: Role, process: &mut Process, files: &mut ImageFiles) {
        let name = base_name(&path.to_string_lossy()).to_owned();
        match files.find(path, process, &|_| Some(bias)) {
            Ok((image, bias)) => self.push(image, bias, role, name),
            Err(reason) => self.missing.push((name, reason)),
        }
    }

    fn push(&mut self, image: Arc<Image>, bias: Bias, role: Role, name: String) {
        let segments = image.segments();
        let start = segments.iter().map(|s| s.address).min().unwrap_or_default();
        let end = segments.iter().map(|s| LinkAddr(s.address.0.saturating_add(s.size))).max().unwrap_or_default();
        let tls_number = (role == Role::Program && image.tls_segment().is_some()).then_some(1);
        let span = (start.at(bias), end.at(bias));
        self.list.push(Arc::new(Module { image, bias, role, name, span, tls_number }));
    }

    /// The dynamic linker numbers the modules that have thread-local storage in the order of its list.
    fn number_tls(&mut self, links: &[Link]) {
        let mut next = 1;
        for link in links {
            let Some(module) = self.list.iter_mut().find(|m| m.bias.0 == link.bias) else { continue };
            if module.image.tls_segment().is_none() {
                continue;
            }
            let numbered = Module {
                image: module.image.clone(),
                bias: module.bias,
                role: module.role,
                name: module.name.clone(),
                span: module.span,
                tls_number: Some(next),
            };
            *module = Arc::new(numbered);
            next += 1;
        }
    }

    /// `DT_DEBUG` of the program; before the dynamic linker has filled it in, its own `_r_debug`.
    fn find_rendezvous(&self, process: &mut Process) -> Option<Rendezvous> {
        let program = self.program()?;
        let filled_in = program.image.dynamic().and_then(|d| debug_entry(process, d.at(program.bias).0));
        let interpreter = self.list.iter().find(|m| m.role == Role::Interpreter);
        let symbol = |name: &str| {
            let i = interpreter?;
            Some(i.image.symbols_named(name).first()?.address.at(i.bias))
        };
        let address = filled_in.or_else(|| symbol("_r_debug").map(|a| a.0))?;
        let on_change = process.read_u64(address.checked_add(16)?).filter(|a| *a != 0).map(RunAddr);
        Some(Rendezvous { address, on_change: on_change.or_else(|| symbol("_dl_debug_state"))? })
    }
}

fn debug_entry(process: &mut Process, dynamic: u64) -> Option<u64> {
    for i in 0..MAX_DYNAMIC_ENTRIES {
        let at = dynamic.checked_add(i * 16)?;
        match process.read_u64(at)? {
            DT_NULL => return None,
            DT_DEBUG => return process.read_u64(at.checked_add(8)?).filter(|v| *v != 0),
            _ => {}
        }
    }
    None
}

/// Walks `r_debug.r_map`: `l_addr`, `l_name`, `l_ld`, `l_next` are the public head of each entry.
fn read_links(process: &mut Process, rendezvous: Rendezvous) -> Vec<Link> {
    let mut links = Vec::new();
    let mut at = rendezvous.address.checked_add(8).and_then(|a| process.read_u64(a)).unwrap_or(0);
    while at != 0 && links.len() < MAX_LIBRARIES {
        let mut head = [0u8; 32];
        if process.read(at, &mut head).is_err() {
            break;
        }
        let word = |i: usize| head[i * 8..i * 8 + 8].try_into().map(u64::from_le_bytes).unwrap_or(0);
        let name = process.read_c_string(word(1), MAX_PATH).unwrap_or_default();
        links.push(Link { bias: word(0), name });
        at = word(3);
    }
    links
}

pub(super) fn base_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn auxv_is_read_up_to_its_terminator() {
        let mut bytes = Vec::new();
        for (tag, value) in [(3u64, 0x400040u64), (9, 0x401000), (7, 0), (33, 0x6fffd000), (0, 0), (9, 5)] {
            bytes.extend(tag.to_le_bytes());
            bytes.extend(value.to_le_bytes());
        }
        bytes.extend([1, 2, 3]);
        let expected =
            Auxv { program_headers: Some(0x400040), base: None, entry: Some(0x401000), vdso: Some(0x6fffd000) };
        assert_eq!(Auxv::parse(&bytes), expected);
    }

    #[test]
    fn base_names() {
        assert_eq!(base_name("/lib/x86_64-linux-gnu/libc.so.6"), "libc.so.6");
        assert_eq!(base_name("plain"), "plain");
    }
}
