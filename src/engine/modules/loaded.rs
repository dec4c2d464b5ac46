//! Which ELF files are loaded where, at this moment of the recording.
//!
//! The auxiliary vector tells the program, its interpreter and the vdso (under rr: rr's page, which stands in for
//! it); the dynamic linker's `r_debug` list tells the libraries. Both are read again after each movement, because
//! going back unloads what going forward had loaded, and because `exec` replaces everything.

use crate::api::error::Error;
use crate::modules::auxv::{Auxv, ProgramHeaders, debug_entry};
use crate::modules::find::{ImageFiles, is_copy, is_same_file, is_still_in_memory};
use crate::modules::links::{Link, Rendezvous, TlsNumber, tls_number_in_map};
use crate::modules::tls_slots::TlsSlots;
use crate::target::process::Process;
use arch::{Bias, LinkAddr, RunAddr};
use base::untrusted::one_line;
use dwarf::{Function, Image};
use program::base_name::base_name;
use program::module::{Loaded, Role, is_in_file};
use program::needed::needed_by;
use rr::original_of;
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// How much of libraries without a build-id is compared after a jump in time, all in all.
const COMPARED_AGAIN: u64 = 4 << 20;
/// What is read of the page at AT_SYSINFO_EHDR: the vdso, or rr's page, which spans four pages.
const MAX_VDSO: usize = 0x8000;
/// Name of what is mapped there.
const RR_PAGE: &str = "rr page";

/// A loaded ELF file.
#[derive(Clone)]
pub(crate) struct Module {
    pub(crate) image: Arc<Image>,
    pub(crate) bias: Bias,
    pub(crate) role: Role,
    /// File name for people, in one line: `libc.so.6`.
    pub(crate) name: String,
    /// First address and one past the last.
    pub(crate) span: (RunAddr, RunAddr),
    /// The number that the dynamic linker gives to its thread-local storage; `None` if it has none.
    pub(crate) tls_number: Option<TlsNumber>,
    /// It was loaded by the program while it ran, and may be unloaded again.
    pub(crate) unloadable: bool,
}

impl fmt::Debug for Module {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at {}", self.name, self.span.0)
    }
}

impl Module {
    pub(crate) fn contains(&self, at: RunAddr) -> bool {
        self.span.0 <= at && at < self.span.1
    }

    /// Returns whether code may be at this address.
    pub(crate) fn is_code(&self, at: RunAddr) -> bool {
        let at = at.linked(self.bias);
        self.image.segments().iter().any(|s| s.executable && s.address <= at && at.0 - s.address.0 < s.size)
    }

    /// Returns whether a function's code comes from a file of this name, compared from its last component on.
    pub(crate) fn is_in_file(&self, function: &Function, name: &str) -> bool {
        is_in_file(&self.image, function, name)
    }

    pub(crate) fn link(&self, at: RunAddr) -> LinkAddr {
        at.linked(self.bias)
    }
}

impl Loaded for Module {
    fn image(&self) -> &Image {
        &self.image
    }

    fn role(&self) -> Role {
        self.role
    }

    fn name(&self) -> &str {
        &self.name
    }
}

/// All modules of the process.
#[derive(Default)]
pub(crate) struct Modules {
    list: Vec<Arc<Module>>,
    /// Modules that are loaded but whose file could not be used, and why.
    missing: Vec<(String, String)>,
    /// What the list was made from, to see cheaply that nothing has changed.
    seen: Seen,
    /// Address of the program's dynamic section, if it has one.
    dynamic: Option<u64>,
    /// The directory that the program was started in, if it is known.
    directory: Option<String>,
    /// rr was to buffer the system calls of the program.
    is_buffered: bool,
    /// The program's file as it was executed, and without links.
    executed: Vec<PathBuf>,
    rendezvous: Option<Rendezvous>,
    tls_slots: Option<TlsSlots>,
    /// The first instruction of the program's image: of its interpreter, if it has one.
    start: Option<RunAddr>,
    /// See [`Modules::exit_hooks`]; forgotten when the list changes.
    exit_hooks: Option<Vec<RunAddr>>,
    epoch: Option<u64>,
    /// Since it was last told.
    changed: bool,
}

#[derive(Default, PartialEq, Eq)]
struct Seen {
    exec_file: String,
    auxv: Vec<u8>,
    links: Vec<Link>,
}

impl Modules {
    /// Returns the module that an address lies in.
    pub(crate) fn at(&self, address: RunAddr) -> Option<&Arc<Module>> {
        self.list.iter().find(|m| m.contains(address))
    }

    /// Returns the module whose code an address lies in.
    pub(crate) fn code_at(&self, address: RunAddr) -> Option<&Arc<Module>> {
        self.at(address).filter(|m| m.is_code(address))
    }

    /// Returns all loaded modules.
    pub(crate) fn all(&self) -> &[Arc<Module>] {
        &self.list
    }

    /// Takes up debug info that has arrived meanwhile. `true` if there is some.
    pub(crate) fn renew(&mut self, files: &mut ImageFiles) -> bool {
        let renewed = files.renewed();
        for module in &mut self.list {
            if let Some((_, new)) = renewed.iter().find(|(old, _)| Arc::ptr_eq(old, &module.image)) {
                *module = Arc::new(Module { image: new.clone(), name: module.name.clone(), ..**module });
            }
        }
        if !renewed.is_empty() {
            self.exit_hooks = None;
        }
        !renewed.is_empty()
    }

    /// Iterates over all that the user's program consists of, the program first.
    pub(crate) fn user(&self) -> impl Iterator<Item = &Arc<Module>> {
        self.list.iter().filter(|m| m.role != Role::Rr)
    }

    /// Returns what a module was loaded from, as the process knows it, in one line; of what no file is known, its name.
    pub(crate) fn path_of(&self, module: &Module) -> String {
        let known = match module.role {
            Role::Program => self.program_path(),
            _ => self.seen.links.iter().find(|l| l.bias == module.bias.0).map(|l| l.name.clone()),
        };
        known.filter(|path| !path.is_empty()).map_or_else(|| module.name.clone(), |path| one_line(&path).into_owned())
    }

    /// Returns the path of the program: where rr names its own copy of the file, the one that was executed.
    fn program_path(&self) -> Option<String> {
        match is_copy(&self.seen.exec_file) {
            true => self.executed.get(1).map(|path| path.to_string_lossy().into_owned()),
            false => Some(self.seen.exec_file.clone()),
        }
    }

    pub(crate) fn program(&self) -> Option<&Arc<Module>> {
        self.list.iter().find(|m| m.role == Role::Program)
    }

    /// Returns the directories that have the program's file, as it was recorded.
    pub(crate) fn program_directories(&self) -> Vec<PathBuf> {
        let Some(program) = self.program() else { return Vec::new() };
        let here = self.executed.iter().filter(|file| is_same_file(file, program.image.path()));
        here.filter_map(|file| file.parent().map(Path::to_owned)).collect()
    }

    /// Returns loaded modules whose file could not be used, and why.
    pub(crate) fn missing(&self) -> &[(String, String)] {
        &self.missing
    }

    /// Returns whether rr's library is in the process and buffers system calls, for which rr writes over their code.
    pub(crate) fn has_buffer(&self) -> bool {
        self.is_buffered && self.buffer().is_some()
    }

    /// Returns rr's library, which buffers system calls.
    pub(crate) fn buffer(&self) -> Option<&Module> {
        self.list.iter().map(|module| &**module).find(|m| m.role == Role::Rr && m.name != RR_PAGE)
    }

    /// Returns the dynamic linker's list of the modules that have thread-local storage, if the C library tells where.
    pub(crate) fn tls_slots(&self) -> Option<TlsSlots> {
        self.tls_slots
    }

    pub(crate) fn rendezvous(&self) -> Option<Rendezvous> {
        self.rendezvous
    }

    /// Returns the first instruction that is executed in the program's image.
    pub(crate) fn start(&self) -> Option<RunAddr> {
        self.start
    }

    /// Returns the addresses in all of the user's modules that `find` tells, asked once for each state of the list.
    pub(crate) fn exit_hooks(&mut self, find: impl Fn(&Image, Bias) -> Vec<RunAddr>) -> &[RunAddr] {
        let list = &self.list;
        self.exit_hooks.get_or_insert_with(|| {
            let all = list.iter().filter(|m| m.role != Role::Rr).flat_map(|m| find(&m.image, m.bias));
            all.collect::<BTreeSet<_>>().into_iter().collect()
        })
    }

    /// Looks for those addresses anew when they are needed again.
    pub(crate) fn forget_exit_hooks(&mut self) {
        self.exit_hooks = None;
    }

    /// Brings the list up to date. `true` if it has changed.
    pub(crate) fn refresh(&mut self, process: &mut Process, files: &mut ImageFiles) -> Result<bool, Error> {
        if self.epoch == Some(process.epoch()) {
            return Ok(false);
        }
        if process.is_image_doubtful() {
            let auxv = process.auxv()?;
            let exec_file = process.exec_file()?;
            process.mark_image_known();
            if auxv != self.seen.auxv || exec_file != self.seen.exec_file {
                *self = Self { seen: Seen { exec_file, auxv, links: Vec::new() }, ..Self::default() };
                self.changed = true;
                self.load_fixed(process, files);
            }
        }
        self.changed |= self.refresh_libraries(process, files);
        // Symbols that are looked for may have been cancelled.
        process.check_answers()?;
        self.epoch = Some(process.epoch());
        let changed = std::mem::take(&mut self.changed);
        if changed {
            self.exit_hooks = None;
        }
        Ok(changed)
    }

    /// Loads the modules that the kernel loaded: program, interpreter, vdso.
    fn load_fixed(&mut self, process: &mut Process, files: &mut ImageFiles) {
        let auxv = Auxv::parse(&self.seen.auxv);
        let headers = ProgramHeaders::read(process, &auxv);
        self.dynamic = headers.dynamic;
        self.start = headers.start(process, &auxv);
        let exe = PathBuf::from(&self.seen.exec_file);
        let locate = |image: &Image| {
            let by_entry = auxv.entry.map(|entry| Bias(entry.wrapping_sub(image.entry().0)));
            headers.bias.or(by_entry)
        };
        let name = one_line(&files.display_name(&exe)).into_owned();
        let executed = headers.path.as_deref().and_then(|path| headers.absolute(path));
        // The directory that the environment names may be another one than the program was started in.
        let original = is_copy(&self.seen.exec_file).then(|| original_of(&exe)).flatten();
        let (executed, original) = match executed {
            Some(executed) if executed.exists() => (Some(executed), original),
            other => (original, other),
        };
        let known_as = executed.as_deref().unwrap_or(&exe);
        self.executed = [Some(exe.clone()), executed.clone(), original].into_iter().flatten().collect();
        let found = files.find(&exe, known_as, process, &locate).or_else(|reason| {
            let executed = executed.as_deref().ok_or(reason.clone())?;
            files.find(executed, executed, process, &locate).map_err(|_| reason)
        });
        self.directory = headers.directory.clone();
        self.is_buffered = headers.is_buffered;
        match found {
            Ok((image, bias)) => self.push(image, bias, Role::Program, name),
            Err(reason) => self.missing.push((name, reason)),
        }
        if let (Some(path), Some(base)) = (headers.interpreter, auxv.base) {
            self.load(Path::new(&path), Bias(base), Role::Interpreter, process, files);
        }
        if let Some(vdso) = auxv.vdso {
            let bytes = process.read_up_to(vdso, MAX_VDSO);
            if let Ok(image) = Image::from_bytes(RR_PAGE, bytes) {
                let first = image.segments().iter().map(|s| s.address.0).min().unwrap_or(0);
                self.push(image, Bias(vdso.wrapping_sub(first)), Role::Rr, RR_PAGE.to_owned());
            }
        }
    }

    fn refresh_libraries(&mut self, process: &mut Process, files: &mut ImageFiles) -> bool {
        // It is where it is as soon as the dynamic linker has told the program, and going back may undo that.
        let address = self.rendezvous.and_then(|r| process.read_u64(r.address.wrapping_add(8)));
        if address.is_none_or(|first| first == 0) {
            self.rendezvous = self.find_rendezvous(process);
        }
        process.stops_at_changes_of_libraries(self.rendezvous.map(|r| r.on_change));
        let links = self.rendezvous.map(|r| r.links(process)).unwrap_or_default();
        let replaced = if process.take_unseen_changes() { self.replaced(process) } else { Vec::new() };
        if links == self.seen.links && replaced.is_empty() {
            return false;
        }
        let gone = |m: &Module| {
            m.role == Role::Library && !links.iter().any(|l| l.bias == m.bias.0 && name_of(&l.name) == m.name)
        };
        let is_preloaded = |m: &Module| m.role == Role::Rr && m.name != RR_PAGE;
        let is_replaced = |m: &Arc<Module>| replaced.iter().any(|old| Arc::ptr_eq(old, m));
        self.list.retain(|m| !gone(m) && !is_preloaded(m) && !is_replaced(m));
        self.missing.retain(|(name, _)| !links.iter().any(|l| name_of(&l.name) == *name));
        for link in &links {
            // The kernel's page is in the dynamic linker's list, too, under a name that no file has.
            let known = self.list.iter().any(|m| m.bias.0 == link.bias && (m.role != Role::Rr || m.name == RR_PAGE));
            if known || link.name.is_empty() {
                continue;
            }
            let role = if base_name(&link.name).starts_with("librr") { Role::Rr } else { Role::Library };
            self.load(Path::new(&link.name), Bias(link.bias), role, process, files);
        }
        self.relate(&links);
        self.seen.links = links;
        true
    }

    /// Finds the libraries in whose place another file of the same path is, which may be so where they can be unloaded.
    fn replaced(&self, process: &mut Process) -> Vec<Arc<Module>> {
        let mut left = COMPARED_AGAIN;
        let unloadable = self.list.iter().filter(|m| m.unloadable);
        unloadable.filter(|m| !is_still_in_memory(&m.image, m.bias, process, &mut left)).cloned().collect()
    }

    fn load(&mut self, path: &Path, bias: Bias, role: Role, process: &mut Process, files: &mut ImageFiles) {
        let name = name_of(&path.to_string_lossy()).into_owned();
        let known_as = self.directory.as_ref().map_or_else(|| path.to_owned(), |d| Path::new(d).join(path));
        match files.find(path, &known_as, process, &|_| Some(bias)) {
            Ok((image, bias)) => self.push(image, bias, role, name),
            Err(reason) => self.missing.push((name, reason)),
        }
    }

    fn push(&mut self, image: Arc<Image>, bias: Bias, role: Role, name: String) {
        let segments = image.segments();
        let start = segments.iter().map(|s| s.address).min().unwrap_or_default();
        let end = segments.iter().map(|s| LinkAddr(s.address.0.saturating_add(s.size))).max().unwrap_or_default();
        let tls_number = (role == Role::Program && image.tls_segment().is_some()).then_some(TlsNumber::Known(1));
        let span = (start.at(bias), end.at(bias));
        self.list.push(Arc::new(Module { image, bias, role, name, span, tls_number, unloadable: false }));
    }

    /// Adds what can be said of a module only in view of all: where the dynamic linker has the number of its thread-local
    /// storage, and that it never unloads what the program needs. Where a dynamic linker does not say so, it numbers those
    /// that have such storage in the order of its list.
    fn relate(&mut self, links: &[Link]) {
        let needed = self.needed();
        let of_map = self.list.iter().find_map(|m| tls_number_in_map(&m.image));
        self.tls_slots = TlsSlots::of(self.list.iter().map(|module| (&*module.image, module.bias)));
        let mut next = 1;
        for link in links {
            let Some(module) = self.list.iter_mut().find(|m| m.bias.0 == link.bias) else {
                continue;
            };
            let has_tls = module.image.tls_segment().is_some();
            *module = Arc::new(Module {
                image: module.image.clone(),
                bias: module.bias,
                role: module.role,
                name: module.name.clone(),
                span: module.span,
                tls_number: has_tls.then(|| match of_map.and_then(|offset| link.map.checked_add(offset)) {
                    Some(at) => TlsNumber::At(at),
                    None => TlsNumber::Known(next),
                }),
                unloadable: module.role == Role::Library && !needed.contains(&module.name),
            });
            next += u64::from(has_tls);
        }
    }

    /// Returns the names of all libraries that the program depends on, directly or not.
    fn needed(&self) -> BTreeSet<String> {
        let mut found = BTreeSet::new();
        let mut open: Vec<&Arc<Module>> = self.program().into_iter().collect();
        while let Some(module) = open.pop() {
            for name in needed_by(&module.image) {
                let library = self.list.iter().find(|m| m.name == name);
                if found.insert(name) {
                    open.extend(library);
                }
            }
        }
        found
    }

    /// Finds where the list of the dynamic linker is: `DT_DEBUG` of the program; before the dynamic linker has filled
    /// it in, its own `_r_debug`.
    fn find_rendezvous(&self, process: &mut Process) -> Option<Rendezvous> {
        let filled_in = self.dynamic.and_then(|dynamic| debug_entry(process, dynamic));
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

/// Returns the name of a module for people.
fn name_of(path: &str) -> Cow<'_, str> {
    one_line(base_name(path))
}
