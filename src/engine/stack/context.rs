//! What debug info may ask about a frame, answered from the stopped process.

use crate::modules::loaded::{Module, Modules};
use crate::stack::physical::Physical;
use crate::target::process::Process;
use arch::{Arch, Bias, FrameAddress, LinkAddr};
use dwarf::{CallTarget, DieId, FrameContext, NoTls};
use program::module::Role;
use std::collections::HashSet;
use std::sync::Arc;

/// Entry values may be defined by the caller's entry values, and so on up the stack.
const MAX_ENTRY_VALUE_DEPTH: u32 = 8;

/// Functions of other modules that are looked at to follow chains of tail calls.
const MAX_TAIL_CALLED: usize = 64;

/// A frame of a stack, for [`dwarf`] to ask about.
pub(crate) struct Context<'a> {
    process: &'a mut Process,
    modules: &'a Modules,
    stack: &'a [Physical],
    index: usize,
    /// The module whose debug info asks: the frame's own, or that of a global variable.
    module: Option<Arc<Module>>,
    depth: u32,
    finding_cfa: bool,
}

impl<'a> Context<'a> {
    /// Creates the context of frame `index` of `stack`. For entry values its caller must be in `stack` too.
    pub(crate) fn for_frame(
        process: &'a mut Process,
        modules: &'a Modules,
        stack: &'a [Physical],
        index: usize,
    ) -> Self {
        let module = stack.get(index).and_then(|f| f.module.clone());
        Self { process, modules, stack, index, module, depth: 0, finding_cfa: false }
    }

    /// Creates the context of a frame, on behalf of a global variable of `module`.
    pub(crate) fn for_module(
        process: &'a mut Process,
        modules: &'a Modules,
        stack: &'a [Physical],
        index: usize,
        module: Arc<Module>,
    ) -> Self {
        Self { process, modules, stack, index, module: Some(module), depth: 0, finding_cfa: false }
    }

    fn frame(&self) -> Option<&'a Physical> {
        self.stack.get(self.index)
    }

    /// Returns the frame that still has a register as it was in this one: this frame, or one that it has called and
    /// that has not written to the register.
    fn holder(&mut self, number: u16) -> Option<&'a Physical> {
        let mut index = self.index;
        let mut frame = self.stack.get(index)?;
        while !frame.registers.has(number) {
            index = index.checked_sub(1)?;
            let callee = self.stack.get(index)?;
            if !callee.untouched(frame, self.process, self.modules).contains(number) {
                return None;
            }
            frame = callee;
        }
        Some(frame)
    }

    /// Finds the call that made this frame: the caller's module, the return address there, and the caller's frame.
    /// `None` unless it is sure that the function called there is this frame's, and not one that left by a tail call.
    fn call(&mut self) -> Option<(Arc<Module>, LinkAddr, Context<'_>)> {
        if self.depth >= MAX_ENTRY_VALUE_DEPTH {
            return None;
        }
        let frame = self.frame()?;
        let callee = frame.module.clone()?;
        let entry = callee.image.function_at(callee.link(frame.address.for_lookup()))?.entry;
        let caller = self.stack.get(self.index + 1)?;
        let FrameAddress::Return(ret) = caller.address else { return None };
        if !has_what_was_passed(self.modules, &callee, entry) {
            return None;
        }
        let module = caller.module.clone()?;
        let ret = module.link(ret);
        let mut context = Context {
            process: self.process,
            modules: self.modules,
            stack: self.stack,
            index: self.index + 1,
            module: Some(module.clone()),
            depth: self.depth + 1,
            finding_cfa: false,
        };
        let is_this = match module.image.call_site_target(ret, &mut context)? {
            CallTarget::Entry(target) => target.at(module.bias) == entry.at(callee.bias),
            CallTarget::Symbol(name) => {
                callee.image.symbols_spelled(&name).iter().any(|s| s.address == entry && !s.is_indirect)
            }
            CallTarget::Computed(target) => target == entry.at(callee.bias),
        };
        is_this.then_some((module, ret, context))
    }
}

/// Returns whether a frame of the function at `entry` is sure to have the parameters that its caller passed: the
/// function has not gone on in itself, by a chain of tail calls through functions of this module and of others.
fn has_what_was_passed(modules: &Modules, module: &Arc<Module>, entry: LinkAddr) -> bool {
    let start = entry.at(module.bias);
    let mut known = HashSet::new();
    let mut unread = vec![(module, entry)];
    while let Some((module, function)) = unread.pop() {
        let Some(called) = module.image.tail_called(function) else { return false };
        for target in called {
            match target {
                // What these lead to is among what is called.
                CallTarget::Entry(target) if target.at(module.bias) != start => {}
                CallTarget::Entry(_) | CallTarget::Computed(_) => return false,
                CallTarget::Symbol(name) => {
                    let places: Option<Vec<_>> =
                        modules.user().map(|m| Some((m, entries_spelled(m, &name)?))).collect();
                    let places = places.unwrap_or_default().into_iter();
                    let places: Vec<_> = places.flat_map(|(m, all)| all.into_iter().map(move |a| (m, a))).collect();
                    if places.is_empty() || known.len() > MAX_TAIL_CALLED {
                        return false;
                    }
                    unread.extend(places.into_iter().filter(|(m, entry)| known.insert(entry.at(m.bias))));
                }
            }
        }
    }
    !known.contains(&start)
}

/// Finds where a module has the code of a symbol. `None`: code that is run there chooses among functions.
fn entries_spelled(module: &Module, name: &str) -> Option<Vec<LinkAddr>> {
    let symbols = module.image.symbols_spelled(name).into_iter();
    let code = symbols.filter(|symbol| symbol.is_code && symbol.address.0 != 0);
    code.map(|symbol| (!symbol.is_indirect).then_some(symbol.address)).collect()
}

impl FrameContext for Context<'_> {
    fn register(&mut self, number: u16) -> Option<u64> {
        self.holder(number)?.registers.value(number)
    }

    fn register_bytes(&mut self, number: u16) -> Option<Vec<u8>> {
        self.holder(number)?.registers.bytes(number)
    }

    fn read(&mut self, address: u64, buffer: &mut [u8]) -> bool {
        self.process.read(address, buffer).is_ok()
    }

    fn has_left(&self) -> bool {
        self.frame().is_some_and(|frame| frame.tail_call)
    }

    fn cfa(&mut self) -> Option<u64> {
        let frame = self.frame()?;
        if frame.cfa.is_some() || frame.tail_call || self.finding_cfa {
            return frame.cfa;
        }
        let module = frame.module.clone()?;
        let pc = module.link(frame.address.for_lookup());
        self.finding_cfa = true;
        let found = module.image.cfa(pc, self).ok().flatten();
        self.finding_cfa = false;
        found
    }

    fn tls(&mut self, offset: u64) -> Result<u64, NoTls> {
        let module = self.module.clone().ok_or(NoTls::Unknown)?;
        let thread_pointer = self.frame().and_then(thread_pointer).ok_or(NoTls::Unknown)?;
        tls_block(self.process, self.modules, &module, thread_pointer)?.checked_add(offset).ok_or(NoTls::Unknown)
    }

    fn tls_of(&mut self, module: u64, offset: u64) -> Result<u64, NoTls> {
        let arch = self.module.as_ref().map(|module| module.image.arch()).ok_or(NoTls::Unknown)?;
        let thread_pointer = self.thread_pointer().ok_or(NoTls::Unknown)?;
        let block = dynamic_block(self.process, self.modules, arch, module, thread_pointer);
        let block = block.unwrap_or(Err(NoTls::Unknown))?;
        block.checked_add(offset).ok_or(NoTls::Unknown)
    }

    fn thread_pointer(&mut self) -> Option<u64> {
        self.frame().and_then(thread_pointer)
    }

    fn entry_value(&mut self, register: u16) -> Option<u64> {
        let (module, ret, mut caller) = self.call()?;
        module.image.call_site_value(ret, register, &mut caller)
    }

    fn entry_parameter(&mut self, parameter: DieId) -> Option<u64> {
        let own = self.frame()?.module.clone()?;
        let (module, ret, mut caller) = self.call()?;
        // A DIE means something in its own file only.
        if !Arc::ptr_eq(&own, &module) {
            return None;
        }
        module.image.call_site_parameter(ret, parameter, &mut caller)
    }

    fn pc(&self) -> LinkAddr {
        match (self.frame(), &self.module) {
            (Some(frame), Some(module)) => module.link(frame.address.for_lookup()),
            _ => LinkAddr::default(),
        }
    }

    fn bias(&self) -> Bias {
        self.module.as_ref().map(|m| m.bias).unwrap_or_default()
    }
}

fn thread_pointer(frame: &Physical) -> Option<u64> {
    let arch = frame.module.as_ref().map_or(Arch::X86_64, |m| m.image.arch());
    match arch {
        Arch::X86_64 => frame.registers.value(58),
        Arch::Aarch64 => {
            let bytes = frame.registers.named("tpidr")?;
            bytes.try_into().map(u64::from_le_bytes).ok()
        }
    }
}

/// Finds where the thread-local block of a module is (ELF Handling For Thread-Local Storage, variant II on x86-64 and
/// variant I on AArch64). The program's block is next to the thread pointer; others are found through the dynamic
/// thread vector, whose layout is glibc's.
fn tls_block(process: &mut Process, modules: &Modules, module: &Module, thread_pointer: u64) -> Result<u64, NoTls> {
    if module.role == Role::Program {
        return static_block(module, thread_pointer).ok_or(NoTls::Unknown);
    }
    let number = module.image.tls_segment().and(module.tls_number).ok_or(NoTls::Unknown)?;
    let number = number.read(process).ok_or(NoTls::Unused)?;
    dynamic_block(process, modules, module.image.arch(), number, thread_pointer).unwrap_or(Err(NoTls::Unknown))
}

fn static_block(module: &Module, thread_pointer: u64) -> Option<u64> {
    let (size, align) = module.image.tls_segment()?;
    let align = align.max(1);
    match module.image.arch() {
        Arch::X86_64 => thread_pointer.checked_sub(size.checked_next_multiple_of(align)?),
        Arch::Aarch64 => thread_pointer.checked_add(16u64.checked_next_multiple_of(align)?),
    }
}

/// Finds the block of the module with this number through the dynamic thread vector. `None` if the vector cannot be
/// read.
fn dynamic_block(
    process: &mut Process,
    modules: &Modules,
    arch: Arch,
    number: u64,
    thread_pointer: u64,
) -> Option<Result<u64, NoTls>> {
    /// What glibc puts into the vector for a block that this thread has not used yet.
    const UNALLOCATED: u64 = u64::MAX;
    /// In bytes: a pointer, and what to free.
    const ENTRY: u64 = 16;
    let slot = match arch {
        Arch::X86_64 => thread_pointer.checked_add(8)?,
        Arch::Aarch64 => thread_pointer,
    };
    let vector = process.read_u64(slot)?;
    // The entry before the first tells how many there are; a thread lengthens its vector when it needs to.
    if number > process.read_u64(vector.checked_sub(ENTRY)?)? {
        return Some(Err(NoTls::Unused));
    }
    // Its first entry tells of which generation of the dynamic linker's list it is: a younger number was another module's
    // when the thread used it.
    let known = process.read_u64(vector)?;
    let given = modules.tls_slots().and_then(|slots| slots.generation(process, number));
    if given.is_some_and(|given| given > known) {
        return Some(Err(NoTls::Unused));
    }
    match process.read_u64(vector.checked_add(number.checked_mul(ENTRY)?)?)? {
        0 | UNALLOCATED => Some(Err(NoTls::Unused)),
        block => Some(Ok(block)),
    }
}
