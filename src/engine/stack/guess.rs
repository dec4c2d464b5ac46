//! Finding a caller where no unwind table helps.

use crate::modules::code::SIGRETURN;
use crate::modules::loaded::{Module, Modules};
use crate::stack::physical::{End, Physical};
use crate::target::process::Process;
use arch::{
    Arch, Flow, FrameAddress, LinkAddr, Program, Reached, Returned, RunAddr, Untouched, direct_call, follow_to_return,
    gives_back_first, sets_for_return, stores_in_vain, untouched,
};
use dwarf::Unwound;

/// Frame pointers that are farther than this from the stack pointer lead nowhere, in bytes.
const MAX_FRAME: u64 = 1 << 30;

/// Parameters of a unit that are looked at to see whether it is optimised.
const MAX_PARAMETERS: usize = 64;

/// Finds the caller of a frame that no unwind table describes. After a call through a bad pointer the return address is
/// on top of the stack. Code is followed to its return. In code that keeps a frame pointer it is next to the saved one.
pub(crate) fn guess_caller(frame: &Physical, process: &mut Process, modules: &Modules) -> Result<Unwound, End> {
    let lost = |why: &str| End::Lost(format!("{}: {why}", frame.address.address()));
    let arch = frame.registers.arch;
    let sp = frame.registers.sp().ok_or_else(|| lost("no unwind information, and the stack pointer is not known"))?;
    let (FrameAddress::Pc(at) | FrameAddress::Return(at)) = frame.address;
    let mut program = Code { process, modules };
    let is_called_nowhere = matches!(frame.address, FrameAddress::Pc(_)) && modules.code_at(at).is_none();
    if is_called_nowhere
        && arch == Arch::X86_64
        && let Some(ret) = program.word(sp).filter(|ret| program.is_return_address(*ret))
    {
        let numbers = arch.callee_saved().iter();
        let registers = numbers.filter_map(|n| Some((*n, frame.registers.value(*n)?))).collect();
        return Ok(Unwound { cfa: sp.wrapping_add(8), registers, return_address: Some(ret), signal_frame: false });
    }
    let mut registers = |number| frame.registers.value(number);
    if let Some(Returned { address, sp, registers }) = follow_to_return(arch, at, &mut registers, &mut program) {
        return Ok(Unwound { cfa: sp, registers, return_address: Some(address), signal_frame: false });
    }
    let fp = frame.registers.value(arch.dwarf_fp());
    let fp = fp.filter(|fp| *fp >= sp && fp % 8 == 0 && fp - sp < MAX_FRAME);
    let fp = fp.ok_or_else(|| lost("no unwind information and no frame pointer"))?;
    let saved = program.word(fp);
    let ret = fp.checked_add(8).and_then(|a| program.word(a)).filter(|ret| program.is_return_address(*ret));
    let ret = ret.ok_or_else(|| lost("no unwind information, and the frame pointer leads nowhere"))?;
    Ok(Unwound {
        cfa: fp.wrapping_add(16),
        registers: saved.map(|value| (arch.dwarf_fp(), value)).into_iter().collect(),
        return_address: Some(ret),
        signal_frame: false,
    })
}

impl Physical {
    /// Finds the registers of the caller, the next frame, that are as they were when it called.
    pub(crate) fn untouched(&self, caller: &Self, process: &mut Process, modules: &Modules) -> Untouched {
        *self.untouched.get_or_init(|| untouched_by(self, caller, process, modules))
    }
}

/// Finds the registers of the caller that a frame has not written to so far. Sure only if the caller's call names the
/// function that the frame's way began in.
fn untouched_by(frame: &Physical, caller: &Physical, process: &mut Process, modules: &Modules) -> Untouched {
    if frame.tail_call || caller.tail_call || frame.guessed || caller.guessed {
        return Untouched::default();
    }
    let arch = frame.registers.arch;
    let FrameAddress::Return(ret) = caller.address else { return Untouched::default() };
    let mut program = Code { process, modules };
    let Some(entry) = direct_call(arch, ret, &mut program) else { return Untouched::default() };
    let reached = match frame.address {
        FrameAddress::Pc(pc) => Reached::Before(pc),
        FrameAddress::Return(ret) => Reached::Returning(ret),
    };
    untouched(arch, entry, reached, &mut program)
}

/// Returns whether the function with these bounds returns the address that it was given to put its value at.
pub(crate) fn gives_back_address(
    entry: RunAddr,
    is_own: &dyn Fn(RunAddr) -> bool,
    process: &mut Process,
    modules: &Modules,
) -> bool {
    let arch = process.arch();
    gives_back_first(arch, entry, is_own, &mut Code { process, modules })
}

/// Returns whether the function with these bounds sets each of these registers in order to return it.
pub(crate) fn returns_in(
    wanted: &[&str],
    entry: RunAddr,
    is_own: &dyn Fn(RunAddr) -> bool,
    process: &mut Process,
    modules: &Modules,
) -> bool {
    let arch = process.arch();
    sets_for_return(arch, entry, wanted, is_own, &mut Code { process, modules })
}

/// Returns whether the code of the unit at an address is certain to be as it was written: some function of it stores a
/// parameter for debuggers alone, and a unit is optimised as a whole or not at all.
pub(crate) fn is_as_written(module: &Module, at: RunAddr, process: &mut Process, modules: &Modules) -> bool {
    let arch = process.arch();
    let kept = module.image.kept_parameters(module.link(at), MAX_PARAMETERS);
    let run = |address: LinkAddr| address.at(module.bias);
    let mut program = Code { process, modules };
    kept.iter().any(|p| stores_in_vain(arch, (run(p.code.0), run(p.code.1)), p.slot, &mut program))
}

/// The process as far as it is code and stack.
pub(crate) struct Code<'p> {
    pub(crate) process: &'p mut Process,
    pub(crate) modules: &'p Modules,
}

impl Program for Code<'_> {
    fn code(&mut self, at: RunAddr) -> Vec<u8> {
        self.modules.code(self.process, at)
    }

    fn word(&mut self, address: u64) -> Option<u64> {
        self.process.read_u64(address)
    }

    /// Returns whether an address is behind a call of the program's code, or what a signal handler returns to.
    fn is_return_address(&mut self, address: u64) -> bool {
        let arch = self.process.arch();
        let in_code = |at: u64| self.modules.code_at(RunAddr(at)).is_some();
        if !address.checked_sub(1).is_some_and(in_code) {
            return false;
        }
        if arch != Arch::X86_64 {
            return true;
        }
        let is_call = |length: u64| {
            let at = RunAddr(address.wrapping_sub(length));
            let instruction = self.modules.instruction(self.process, at);
            instruction.is_some_and(|i| i.length == length && i.flow == Flow::Call)
        };
        (2..=8).any(is_call) || self.code(RunAddr(address)).starts_with(&SIGRETURN)
    }
}
