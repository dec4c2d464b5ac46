//! The files that were mapped in a recording: their code, debug info, and where they are in each process.

use super::error::Error;
use super::identity::{debug_identity, identity_of};
use arch::{Arch, Bias, LinkAddr, RunAddr};
use base::cancel::Cancel;
use base::qualified::question;
use base::untrusted::one_line;
use dwarf::{DebugPaths, Image, Segment, Work};
use program::base_name::base_name;
use program::debuginfod::debug_paths;
use program::location::gaps;
use program::module::{Loaded, Role};
use program::names::similar::functions_meant;
use program::needed::needed_by;
use rr::{Mapped, Mappings};
use softcounters::probes::{self};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::Read as _;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// Most files that are opened.
const MOST_FILES: usize = 4096;
/// Bytes of a page.
const PAGE: u64 = 4096;

/// A file with code.
pub(super) struct Module {
    pub(super) image: Arc<Image>,
    /// `libc.so.6`
    pub(super) name: String,
    /// How it is known again in memory.
    pub(super) identity: probes::Module,
    /// rr has put it there.
    pub(super) is_rr: bool,
    /// The dynamic linker, in which nothing is looked for by a pattern.
    pub(super) is_interpreter: bool,
    /// The first event that it was mapped at.
    pub(super) mapped: u64,
    /// What it was mapped as; copies of one file have several paths, and nothing in memory tells them apart.
    paths: Vec<String>,
    /// The files of the trace that have its content.
    files: BTreeSet<Option<PathBuf>>,
    /// No other file was mapped under its paths.
    is_only: bool,
    /// It is at several places in a process, one after the other or at the same time.
    pub(super) moves: bool,
}

/// All that was executed in a recording.
pub(super) struct Program {
    opened: Arc<Opened>,
    cancel: Cancel,
}

/// The open files of a recording.
pub(super) struct Opened {
    pub(super) modules: Vec<Module>,
    pub(super) mappings: Mappings,
    /// Files that could not be used, and why.
    pub(super) missing: Vec<(String, String)>,
    work: Work,
}

/// The open files of the recording that was asked last, by its identity: they have read names, lines and types. All questions
/// to that recording share them, one after the other and at the same time.
static LAST: Mutex<Option<(String, Arc<Opened>)>> = Mutex::new(None);

impl Deref for Program {
    type Target = Opened;

    fn deref(&self) -> &Opened {
        &self.opened
    }
}

impl Opened {
    /// Opens what a recording has mapped as code.
    fn open(trace: &Path, cancel: &Cancel) -> Result<Self, Error> {
        let (mappings, paths) = (rr::mappings(trace, cancel)?, debug_paths());
        let mut files: Vec<&Mapped> =
            mappings.all().filter(|mapped| mapped.executable && mapped.name.starts_with('/')).collect();
        // A program is mapped before its libraries, wherever their files are.
        files.sort_by(|a, b| (a.event, &a.name).cmp(&(b.event, &b.name)));
        let work = Work::default();
        let (mut modules, mut missing): (Vec<Module>, BTreeMap<String, String>) = (Vec::new(), BTreeMap::new());
        let mut seen: BTreeSet<(&str, Option<&Path>)> = BTreeSet::new();
        for mapped in files {
            if seen.len() == MOST_FILES {
                break;
            }
            if !seen.insert((&mapped.name, mapped.file.as_deref())) {
                continue;
            }
            match Module::open(mapped, trace, &mut modules, &paths, &work) {
                Ok(module) => modules.extend(module),
                Err(why) => drop(missing.insert(one_line(base_name(&mapped.name)).into_owned(), why)),
            }
        }
        // Of files that took each other's place, each has mappings of its own.
        let mut of_path: BTreeMap<&str, usize> = BTreeMap::new();
        modules.iter().flat_map(|module| &module.paths).for_each(|path| *of_path.entry(path).or_default() += 1);
        let is_only = |module: &Module| module.paths.iter().all(|path| of_path.get(&**path) == Some(&1));
        let only: Vec<bool> = modules.iter().map(is_only).collect();
        modules.iter_mut().zip(only).for_each(|(module, is_only)| module.is_only = is_only);
        let missing = missing.into_iter().collect();
        for module in &mut modules {
            module.moves = mappings.by_program().any(|mapped| module.is_moved_in(mapped));
        }
        let interpreters: Vec<String> = modules
            .iter()
            .filter_map(|m| m.image.interpreter().map(|path| one_line(base_name(path)).into_owned()))
            .collect();
        for module in &mut modules {
            module.is_interpreter = interpreters.contains(&module.name);
        }
        // Libraries may have an interpreter, too: libc has one. The dynamic linker has none.
        modules.sort_by_key(|module| (module.is_rr, module.image.interpreter().is_none()));
        Ok(Self { modules, mappings, missing, work })
    }
}

impl Program {
    /// Opens what a recording has mapped as code, or shares what is open of it, if nothing has changed.
    pub(super) fn open(trace: &Path, cancel: &Cancel) -> Result<Self, Error> {
        let identity = identity_of(trace).map(|identity| format!("{identity}\n{}", debug_identity(trace)));
        let last = LAST.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some((_, opened)) = last.filter(|(kept, _)| Some(kept) == identity.as_ref()) {
            return Ok(Self { opened, cancel: cancel.clone() });
        }
        let opened = Arc::new(Opened::open(trace, cancel)?);
        if let Some(identity) = identity {
            let before = LAST.lock().unwrap_or_else(PoisonError::into_inner).replace((identity, opened.clone()));
            // It closes its files after the lock.
            drop(before);
        }
        Ok(Self { opened, cancel: cancel.clone() })
    }

    /// Asks debug info, until the call is cancelled.
    pub(super) fn ask<R>(&self, ask: impl FnOnce() -> R) -> Result<R, Error> {
        self.ask_with(&self.cancel, ask)
    }

    /// Asks debug info, until this is cancelled.
    pub(super) fn ask_with<R>(&self, cancel: &Cancel, ask: impl FnOnce() -> R) -> Result<R, Error> {
        self.work.attempt(cancel, ask).map_err(|_| Error::Cancelled)
    }

    /// Iterates over the modules that are not rr's own.
    pub(super) fn user(&self) -> impl Iterator<Item = (usize, &Module)> {
        self.modules.iter().enumerate().filter(|(_, module)| !module.is_rr)
    }

    /// Iterates over the modules that were loaded with a program, in the order of the dynamic linker's list.
    pub(super) fn shared(&self) -> impl Iterator<Item = (usize, &Module)> {
        let mut needed: BTreeSet<String> = BTreeSet::new();
        let mut open: Vec<&Module> = self.user().map(|(_, module)| module).filter(|m| m.is_program()).collect();
        while let Some(module) = open.pop() {
            for name in needed_by(&module.image) {
                let library = self.user().map(|(_, module)| module).find(|module| is_called(module, &name));
                if needed.insert(name) {
                    open.extend(library);
                }
            }
        }
        let is_needed = |module: &Module| needed.iter().any(|name| is_called(module, name));
        let mut shared: Vec<_> = self.user().filter(|(_, m)| m.is_program() || is_needed(m)).collect();
        shared.sort_by_key(|(_, module)| (!module.is_program(), module.mapped));
        shared.into_iter()
    }

    pub(super) fn module(&self, number: usize) -> Option<&Module> {
        self.modules.get(number)
    }

    /// Returns where a module is in a process, up to an event.
    pub(super) fn bias(&self, module: usize, pid: u32, event: u64) -> Option<Bias> {
        let module = self.modules.get(module)?;
        let mapped = self.mappings.last(pid, event, &|mapped| mapped.executable && module.is_its(mapped))?;
        module.bias(mapped)
    }

    /// Returns whether a process has had a module at some time.
    pub(super) fn has_mapped(&self, module: usize, pid: u32) -> bool {
        let Some(module) = self.modules.get(module) else { return false };
        let is_its = |mapped: &Mapped| mapped.executable && module.is_its(mapped);
        // What it was made with, it has until it executes a program.
        let first = self.mappings.first_event(pid);
        self.mappings.of(pid).iter().any(is_its)
            || first.is_some_and(|first| self.mappings.last(pid, first, &is_its).is_some())
    }

    /// Returns how far a module is from where its file has it, if that is the same in all processes.
    pub(super) fn bias_everywhere(&self, module: usize) -> Option<Bias> {
        let module = self.modules.get(module)?;
        let is_its = |mapped: &&Mapped| mapped.executable && module.is_its(mapped);
        let mut biases = self.mappings.all().filter(is_its).map(|mapped| module.bias(mapped));
        let first = biases.next()??;
        biases.all(|bias| bias == Some(first)).then_some(first)
    }

    /// Returns where code of a module is, if it is at the same address in all processes.
    pub(super) fn code_at(&self, module: usize, address: LinkAddr) -> Option<u64> {
        self.bias_everywhere(module).map(|bias| address.at(bias).0)
    }

    /// Returns whether what is asked has been cancelled.
    pub(super) fn is_cancelled(&self) -> bool {
        self.cancel.is_cancelled()
    }

    /// Returns the module that an address lies in in a process, and its bias.
    pub(super) fn at(&self, pid: u32, event: u64, address: u64) -> Option<(&Module, Bias)> {
        let holds = |number: usize| {
            let bias = self.bias(number, pid, event)?;
            let at = RunAddr(address).linked(bias).0;
            let is_in = |s: &Segment| at.checked_sub(s.address.0).is_some_and(|into| into < s.size);
            let module = self.modules.get(number)?;
            module.image.segments().iter().any(is_in).then_some((module, bias))
        };
        let mapped = self.mappings.at(pid, event, address);
        let of_file = mapped.and_then(|mapped| self.modules.iter().position(|module| module.is_its(mapped)));
        // What is zero at first is in no file.
        of_file.and_then(holds).or_else(|| (0..self.modules.len()).find_map(holds))
    }

    /// Returns the symbol at an address: `<main+4>`.
    pub(super) fn symbol(&self, pid: u32, event: u64, address: u64) -> Option<String> {
        let (module, bias) = self.at(pid, event, address)?;
        let link = RunAddr(address).linked(bias);
        let of_symbol = module.image.symbol_at(link).and_then(|symbol| {
            let offset = link.0.checked_sub(symbol.address.0)?;
            (symbol.size == 0 || offset < symbol.size).then_some((symbol.display, offset))
        });
        let (name, offset) = of_symbol.or_else(|| {
            let function = module.image.function_at(link)?;
            Some((function.name, link.0.checked_sub(function.entry.0)?))
        })?;
        Some(if offset == 0 { format!("<{name}>") } else { format!("<{name}+{offset}>") })
    }

    /// Asks whether a function was meant that is called nearly so, one of the program's before those of libraries: the
    /// end of an error. Empty if there is none.
    pub(super) fn asks_for_similar(&self, name: &str) -> String {
        let modules: Vec<&Module> = self.modules.iter().collect();
        let found = functions_meant(name, &modules, true);
        question(&found).map(|question| format!("; {question}")).unwrap_or_default()
    }

    /// Returns the files that could not be used, and why, but for rr's own.
    pub(super) fn not_used(&self) -> Vec<(String, String)> {
        self.missing.iter().filter(|(name, _)| !is_of_rr(name)).cloned().collect()
    }

    /// Returns what to say where something is in none of the files.
    pub(super) fn searched(&self) -> String {
        let names: Vec<&str> = self.user().map(|(_, module)| module.name.as_str()).collect();
        let text = if names.is_empty() { "any usable file".to_owned() } else { names.join(", ") };
        let modules: Vec<&Module> = self.modules.iter().collect();
        text + &gaps(&modules, &self.not_used())
    }
}

impl Loaded for &Module {
    fn image(&self) -> &Image {
        &self.image
    }

    fn role(&self) -> Role {
        Module::role(self)
    }

    fn name(&self) -> &str {
        &self.name
    }
}

/// Returns whether a module has this name, or it is a link to it: `libz.so.1` to `libz.so.1.2`.
fn is_called(module: &Module, name: &str) -> bool {
    let is_it =
        |path: &String| base_name(path).strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
    module.paths.iter().any(is_it)
}

/// Returns whether two files have the same length, and begin alike: with the headers, and the build ID.
fn begin_alike(one: &Path, other: &Path) -> bool {
    const COMPARED: u64 = 64 << 10;
    let begin = |path: &Path| {
        let file = File::open(path).ok()?;
        let (length, mut bytes) = (file.metadata().ok()?.len(), Vec::new());
        file.take(COMPARED).read_to_end(&mut bytes).ok()?;
        Some((length, bytes))
    };
    one == other || begin(one).is_some_and(|one| begin(other) == Some(one))
}

/// Returns whether a file of this name is one that rr puts into the process, of which nobody asks.
fn is_of_rr(name: &str) -> bool {
    name.starts_with("librr") || name.starts_with("rr_page")
}

impl Module {
    /// Opens a file that was mapped, unless it is one of those that are open: rr may copy a file each time that it is
    /// mapped, another file may take its place, and a program may load copies of one file.
    fn open(
        mapped: &Mapped,
        trace: &Path,
        opened: &mut [Self],
        paths: &DebugPaths,
        work: &Work,
    ) -> Result<Option<Self>, String> {
        let file = mapped.content(trace)?;
        let is_same = |module: &&mut Self| begin_alike(&file, module.image.path());
        if let Some(same) = opened.iter_mut().filter(|module| module.paths.contains(&mapped.name)).find(is_same) {
            same.files.insert(mapped.file.clone());
            return Ok(None);
        }
        let image = Image::open_copy(&file, Path::new(&mapped.name), paths, work).map_err(|error| error.to_string())?;
        let name = one_line(base_name(&mapped.name)).into_owned();
        let identity = match image.build_id() {
            Some(id) if is_noted(&image, id) != Some(false) => probes::Module::BuildId(id.to_vec()),
            _ => probes::Module::Headers(headers(&image).ok_or("its headers are not in its first segment")?),
        };
        if let Some(same) = opened.iter_mut().filter(|module| module.identity == identity).find(is_same) {
            same.files.insert(mapped.file.clone());
            same.paths.push(mapped.name.clone());
            return Ok(None);
        }
        let is_rr = is_of_rr(&name);
        Ok(Some(Self {
            image,
            name,
            identity,
            is_rr,
            is_interpreter: false,
            mapped: mapped.event,
            paths: vec![mapped.name.clone()],
            files: BTreeSet::from([mapped.file.clone()]),
            is_only: true,
            moves: false,
        }))
    }

    /// Returns whether it is at several places in a process that has mapped this.
    fn is_moved_in(&self, mapped: &[Mapped]) -> bool {
        let mut biases = mapped.iter().filter(|m| m.executable && self.is_its(m)).map(|mapped| self.bias(mapped));
        let first = biases.next();
        biases.any(|bias| Some(bias) != first)
    }

    /// Returns whether this was mapped of it.
    fn is_its(&self, mapped: &Mapped) -> bool {
        self.paths.contains(&mapped.name) && (self.is_only || self.files.contains(&mapped.file))
    }

    /// Returns whether it is a program, and no library.
    pub(super) fn is_program(&self) -> bool {
        self.image.is_program()
    }

    /// Returns what it is to the processes.
    pub(super) fn role(&self) -> Role {
        match () {
            () if self.is_rr => Role::Rr,
            () if self.is_program() => Role::Program,
            () if self.is_interpreter => Role::Interpreter,
            () => Role::Library,
        }
    }

    /// Returns whether it came with the system.
    pub(super) fn is_of_system(&self) -> bool {
        const SYSTEM: [&str; 3] = ["/lib", "/usr/lib", "/nix/store"];
        SYSTEM.iter().any(|place| self.paths.iter().any(|path| path.starts_with(place)))
    }

    /// Returns what is added to the addresses of the file, if this is a mapping of it.
    fn bias(&self, mapped: &Mapped) -> Option<Bias> {
        let down = |at: u64| at / PAGE * PAGE;
        let holds = |s: &&Segment| {
            let first = down(s.file_offset);
            s.executable == mapped.executable
                && first <= mapped.offset
                && mapped.offset < s.file_offset.saturating_add(s.file_size)
        };
        let segment = self.image.segments().iter().find(holds)?;
        let into = mapped.offset - down(segment.file_offset);
        Some(Bias(mapped.start.wrapping_sub(into).wrapping_sub(down(segment.address.0))))
    }

    /// Returns the source file and line of code.
    pub(super) fn line(&self, at: LinkAddr) -> Option<(PathBuf, String, u32)> {
        let row = self.image.line_at(at).filter(|row| row.line != 0)?;
        Some((row.file.path.clone(), row.file.name.clone(), row.line))
    }

    /// Returns the code between two addresses.
    pub(super) fn code(&self, (start, end): (LinkAddr, LinkAddr)) -> Option<&[u8]> {
        let length = usize::try_from(end.0.checked_sub(start.0)?).ok()?;
        self.image.file_bytes(start, length)
    }
}

/// Size of a program header.
const PROGRAM_HEADER: usize = 56;

/// Returns the checksum of a file's headers: FNV-1a, 64 bits, of the ELF header and the program headers.
fn headers(image: &Image) -> Option<u64> {
    let (header, table) = both_headers(image)?;
    let add = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    Some(header.iter().chain(table).fold(0xcbf2_9ce4_8422_2325, add))
}

/// Returns whether a note that a program header tells of has the build ID: in memory it is found by that alone. Go's
/// linker has it in a section only.
fn is_noted(image: &Image, id: &[u8]) -> Option<bool> {
    const PT_NOTE: u64 = 4;
    const MOST: u64 = 4096;
    let (_, table) = both_headers(image)?;
    let number = |header: &[u8], at: usize, size: usize| {
        let bytes = header.get(at..at.saturating_add(size)).unwrap_or_default();
        bytes.iter().rev().fold(0, |number: u64, byte| number << 8 | u64::from(*byte))
    };
    let mut notes = table.chunks_exact(PROGRAM_HEADER).filter(|header| number(header, 0, 4) == PT_NOTE);
    Some(notes.any(|header| {
        let length = number(header, 32, 8).min(MOST) as usize;
        let bytes = image.file_bytes(LinkAddr(number(header, 16, 8)), length);
        bytes.is_some_and(|bytes| bytes.windows(id.len().max(1)).any(|window| window == id))
    }))
}

/// Returns a file's ELF header and its program headers.
fn both_headers(image: &Image) -> Option<(&[u8], &[u8])> {
    const HEADER: usize = 64;
    let first = image.segments().iter().find(|s| s.file_offset == 0)?.address;
    let header = image.file_bytes(first, HEADER)?;
    let offset = u64::from_le_bytes(header.get(32..40)?.try_into().ok()?);
    let count = usize::from(u16::from_le_bytes(header.get(56..58)?.try_into().ok()?));
    let table = image.file_bytes(LinkAddr(first.0.checked_add(offset)?), count.checked_mul(PROGRAM_HEADER)?)?;
    Some((header, table))
}

/// The instruction set of all that is probed.
pub(super) const ARCH: Arch = Arch::X86_64;
