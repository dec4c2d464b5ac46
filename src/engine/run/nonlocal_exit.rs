//! Leaving functions other than by returning: `longjmp` and C++ exceptions.
//!
//! A run to a return address would miss both, so such runs also stop where these go on, if that is in the frame that
//! is waited for or in one further out.

use crate::api::error::Error;
use crate::breakpoints::temporary::{StackPointer, Temporary};
use crate::run::mover::Mover;
use crate::run::step::{Machine, Spot};
use arch::{Arch, RunAddr};

/// `longjmp` under its exported names; with checks (`_FORTIFY_SOURCE`) it is a function of its own.
const LONGJMP: [&str; 4] = ["longjmp", "_longjmp", "siglongjmp", "__longjmp_chk"];
/// What a C++ handler calls first (Itanium C++ ABI, section 2.5.3).
const BEGIN_CATCH: &str = "__cxa_begin_catch";

/// Offsets of the saved stack pointer and program counter in glibc's `jmp_buf` for x86-64.
const SAVED_SP: u64 = 48;
const SAVED_PC: u64 = 56;
/// Where glibc keeps its pointer guard, from the thread pointer; and how far it rotates guarded pointers.
const POINTER_GUARD: u64 = 0x30;
const ROTATION: u32 = 17;

impl Mover<'_, '_> {
    /// Returns the locations where a thread is when it is about to leave functions without returning.
    pub(crate) fn exit_hooks(&mut self) -> Vec<Temporary> {
        let inferior = &mut self.session.debuggee.inferior;
        if inferior.process.arch() != Arch::X86_64 {
            return Vec::new();
        }
        let addresses = inferior.modules.exit_hooks(|image, bias| {
            let names = LONGJMP.iter().chain([&BEGIN_CATCH]);
            let symbols = names.flat_map(|name| image.symbols_named(name));
            symbols.filter(|s| s.is_code && s.address.0 != 0).map(|s| s.address.at(bias)).collect()
        });
        let hooks = addresses.iter().map(|address| Temporary { address: *address, sp: StackPointer::Any }).collect();
        if inferior.check_answers().is_err() {
            inferior.modules.forget_exit_hooks();
        }
        hooks
    }

    /// Finds, at such a location, where the thread goes on, if that is in the frame of one of `places` or further out.
    pub(crate) fn landing(&mut self, places: &[Temporary]) -> Result<Option<Temporary>, Error> {
        let here = self.spot()?;
        let is_catch = self.session.debuggee.inferior.symbol(here.pc).is_some_and(|(name, _)| name == BEGIN_CATCH);
        let landing = match is_catch {
            true => self.word(here.sp).map(|ret| Spot { pc: RunAddr(ret), sp: here.sp.wrapping_add(8) }),
            false => self.jump_target()?,
        };
        let inner = |sp: u64| {
            places.iter().any(|p| match p.sp {
                StackPointer::Is(wanted) => sp < wanted,
                StackPointer::JustBelow(_) | StackPointer::Any => true,
            })
        };
        let known = landing.filter(|l| self.session.debuggee.inferior.modules.code_at(l.pc).is_some());
        Ok(known.filter(|l| !inner(l.sp)).map(|l| Temporary::is(l.pc, l.sp)))
    }

    /// Reads, at the entry of `longjmp(env, value)`, the location saved in `env`.
    fn jump_target(&mut self) -> Result<Option<Spot>, Error> {
        let registers = self.session.debuggee.inferior.process.registers(self.session.debuggee.thread)?;
        let (Some(env), Some(thread)) = (registers.value("rdi"), registers.value("fs_base")) else {
            return Ok(None);
        };
        let guard = self.word(thread.wrapping_add(POINTER_GUARD));
        let saved = |this: &mut Self, offset: u64| {
            let guarded = this.word(env.wrapping_add(offset))?;
            Some(guarded.rotate_right(ROTATION) ^ guard?)
        };
        let (sp, pc) = (saved(self, SAVED_SP), saved(self, SAVED_PC));
        Ok(sp.zip(pc).map(|(sp, pc)| Spot { pc: RunAddr(pc), sp }))
    }
}
