//! Conditions that rr evaluates by itself, as agent-expression bytecode.
//!
//! Bytecode must hold in every activation that ever reaches the breakpoint, so a variable can be used if its place is
//! a fixed address, a register, or a register plus a constant. Which of these it is, is found out by asking the debug
//! info twice, about two made-up frames.

use crate::eval::expression::{Scope, ScopeEnv};
use crate::eval::globals::Outside;
use crate::eval::inferior::Inferior;
use crate::modules::loaded::Module;
use arch::{Arch, Bias, LinkAddr, RegisterLayout, RunAddr};
use ctype::layout::size_of;
use ctype::{Target, TypeRef};
use dwarf::{Elsewhere, FrameContext, Location, NoTls, Variable};
use expr::{Home, Located, Locator, Name, Placement, Tag, Term, Types};
use program::made_up::{LOOKS, Look};
use program::module::Role;
use program::names::{Named, function_value};
use std::sync::Arc;

impl Inferior {
    /// Compiles a condition for a breakpoint; `None` if rr cannot evaluate it there.
    pub(crate) fn compile_at(&mut self, place: Scope, condition: &str) -> Option<Vec<u8>> {
        self.compile(place, condition, Locals::AtPlace)
    }

    /// Compiles a condition for a watchpoint, which may be hit anywhere: only globals are fixed.
    pub(crate) fn compile_anywhere(&mut self, scope: Scope, condition: &str) -> Option<Vec<u8>> {
        self.compile(scope, condition, Locals::Nowhere)
    }

    fn compile(&mut self, scope: Scope, condition: &str, locals: Locals) -> Option<Vec<u8>> {
        let parsed = self.check(scope, condition).ok()?;
        let layout = self.process.layout().clone();
        let env = ScopeEnv::new(self, scope).ok()?;
        let at = env.pc();
        match expr::compile(&parsed, &mut ConditionVariables { env, at, layout, locals }) {
            Ok(code) => Some(code),
            Err(why) => {
                tracing::debug!(condition, %why, "condition is not compiled");
                None
            }
        }
    }
}

/// Where a condition's locals are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Locals {
    /// In the frame that is innermost at the place.
    AtPlace,
    /// Not known, because it can be evaluated in any function.
    Nowhere,
}

/// The locations of variables at some code.
struct ConditionVariables<'a> {
    env: ScopeEnv<'a>,
    at: RunAddr,
    layout: Arc<RegisterLayout>,
    locals: Locals,
}

impl ConditionVariables<'_> {
    fn number(&self, dwarf: u16) -> Option<u16> {
        let name = self.layout.arch.dwarf_register(dwarf)?;
        u16::try_from(self.layout.find(name)?.number).ok()
    }

    fn home(&mut self, variable: &Variable, module: &Arc<Module>) -> Option<Home> {
        // The dynamic linker fills the word once.
        if let Some(Elsewhere::Word(at)) = variable.elsewhere {
            let address = self.env.inferior.process.read_u64(at.at(module.bias).0).filter(|address| *address != 0)?;
            return Some(Home::Address(vec![Term::Constant(address)]));
        }
        let ask = |look: Look| {
            let mut frame = Probe { look, module, at: self.at, arch: self.layout.arch, read: false, in_cfa: false };
            let location = module.image.variable_location(variable, &mut frame);
            (!frame.read).then_some(location)
        };
        let [first, second] = LOOKS;
        match (ask(first)?, ask(second)?) {
            (Location::Register(a), Location::Register(b)) if a == b => Some(Home::Register(self.number(a)?)),
            (Location::Memory(a), Location::Memory(b)) if a == b => Some(Home::Address(vec![Term::Constant(a)])),
            (Location::Memory(a), Location::Memory(b)) => {
                let (register, offset) = recognise(first, a)?;
                if recognise(second, b)? != (register, offset) {
                    return None;
                }
                Some(Home::Address(vec![Term::Register { number: self.number(register)?, offset }]))
            }
            _ => None,
        }
    }
}

impl Types for ConditionVariables<'_> {
    fn target(&self) -> Target {
        self.env.target()
    }

    fn type_named(&mut self, tag: Option<Tag>, name: &str) -> Option<TypeRef> {
        self.env.type_named(tag, name)
    }

    fn enumerator(&mut self, name: &str) -> Option<(TypeRef, i128)> {
        self.env.enumerator(name)
    }

    fn has_operator(&mut self, name: &str, operands: &[TypeRef]) -> bool {
        self.env.has_operator(name, operands)
    }
}

impl Locator for ConditionVariables<'_> {
    fn locate(&mut self, name: &Name) -> Placement {
        let local = self.env.local_named(name);
        let (variable, module) = match (local, self.locals) {
            (Some(local), Locals::AtPlace) => local,
            (Some(_), Locals::Nowhere) => return Placement::Varying,
            // What it is a member of has to be read.
            (None, _) if self.env.implicit_member(name).is_some() => return Placement::Varying,
            (None, _) => match self.env.outside(name) {
                None => return Placement::Unknown,
                Some(Outside { named: Named::Variable(variable), .. }) if variable.unclear().is_some() => {
                    return Placement::Varying;
                }
                Some(Outside { named: Named::Variable(variable), module, .. }) => (variable, module),
                Some(Outside { named: Named::Function(function), module, .. }) => {
                    let ty = function_value(&function, &module.image, module.bias).ty;
                    let entry = function.entry.at(module.bias).0;
                    return Placement::Fixed(Located { ty, home: Home::Address(vec![Term::Constant(entry)]) });
                }
                Some(Outside { named: Named::Symbol(_) | Named::Stub(_), .. }) => return Placement::Varying,
            },
        };
        // An array whose size is only known in a frame has none here.
        let home = size_of(&variable.ty).and_then(|_| self.home(&variable, &module));
        home.map_or(Placement::Varying, |home| Placement::Fixed(Located { home, ty: variable.ty }))
    }

    fn register(&mut self, name: &str) -> Option<Located> {
        let value = expr::Env::register(&mut self.env, name)?;
        let real = self.layout.arch.register_alias(name);
        let number = u16::try_from(self.layout.find(real)?.number).ok()?;
        Some(Located { ty: value.ty, home: Home::Register(number) })
    }
}

/// Highest DWARF register number that is asked for (`gs_base` is 59, AArch64's vectors end at 95).
const MAX_REGISTER: u16 = 127;

/// Returns the DWARF number of the register and the offset that an address was made of.
fn recognise(look: Look, address: u64) -> Option<(u16, i64)> {
    let (number, offset) = look.recognise(address)?;
    Some((u16::try_from(number).ok().filter(|number| *number <= MAX_REGISTER)?, offset))
}

/// A made-up frame for debug info to ask about.
struct Probe<'a> {
    look: Look,
    module: &'a Arc<Module>,
    at: RunAddr,
    arch: Arch,
    /// Memory or a caller was asked for: then the answer is not a matter of registers.
    read: bool,
    in_cfa: bool,
}

impl FrameContext for Probe<'_> {
    fn register(&mut self, number: u16) -> Option<u64> {
        (number <= MAX_REGISTER).then(|| self.look.value(usize::from(number)))
    }

    fn register_bytes(&mut self, number: u16) -> Option<Vec<u8>> {
        self.register(number).map(|v| v.to_le_bytes().to_vec())
    }

    fn read(&mut self, _address: u64, _buffer: &mut [u8]) -> bool {
        self.read = true;
        false
    }

    fn cfa(&mut self) -> Option<u64> {
        if self.in_cfa {
            return None;
        }
        self.in_cfa = true;
        let found = self.module.image.cfa(self.pc(), self).ok().flatten();
        self.in_cfa = false;
        found
    }

    fn tls(&mut self, offset: u64) -> Result<u64, NoTls> {
        /// DWARF number of `fs_base`, the thread pointer of x86-64.
        const FS_BASE: usize = 58;
        if self.module.role != Role::Program || self.arch != Arch::X86_64 {
            self.read = true;
            return Err(NoTls::Unknown);
        }
        let size =
            self.module.image.tls_segment().and_then(|(size, align)| size.checked_next_multiple_of(align.max(1)));
        let block = size.and_then(|size| self.look.value(FS_BASE).checked_sub(size));
        block.and_then(|block| block.checked_add(offset)).ok_or(NoTls::Unknown)
    }

    fn entry_value(&mut self, _register: u16) -> Option<u64> {
        self.read = true;
        None
    }

    fn pc(&self) -> LinkAddr {
        self.module.link(self.at)
    }

    fn bias(&self) -> Bias {
        self.module.bias
    }
}
