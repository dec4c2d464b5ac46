//! The names of functions that have none, by the calls that have led to them.

use crate::api::Frame;
use crate::api::error::Error;
use crate::breakpoints::debuggee::Debuggee;
use crate::session::engine::Engine;
use arch::RunAddr;
use dwarf::Slot;

/// `call` with a displacement of 32 bits, and its length.
const CALL: u8 = 0xe8;
const CALL_LENGTH: u64 = 5;
/// `call` of what the word says that lies at a displacement from the next instruction, and its length.
const INDIRECT: [u8; 2] = [0xff, 0x15];
const INDIRECT_LENGTH: u64 = 6;

impl Engine {
    /// Gives frames without a function the name by which another module has called it: a stripped library exports it, but
    /// it has gone on to one that has no symbol.
    pub(super) fn name_by_calls(&mut self, frames: &mut [Frame]) -> Result<(), Error> {
        let outer: Vec<Option<RunAddr>> = frames.iter().skip(1).map(|frame| Some(frame.address)).collect();
        for (frame, outer) in frames.iter_mut().zip(outer) {
            if let (None, Some(ret)) = (&frame.function, outer) {
                frame.function = self.with(|s| Ok(called_at(&s.debuggee, ret)))?;
            }
        }
        Ok(())
    }
}

/// Returns the name by which another module's function was called that returns to an address.
fn called_at(debuggee: &Debuggee, ret: RunAddr) -> Option<String> {
    let modules = &debuggee.inferior.modules;
    let displaced = |length: u64| {
        let code = modules.constant_code(RunAddr(ret.0.checked_sub(length)?), ret)?;
        let (opcode, displacement) = code.split_last_chunk::<4>()?;
        Some((opcode, RunAddr(ret.0.wrapping_add_signed(i64::from(i32::from_le_bytes(*displacement))))))
    };
    if let Some((opcode, slot)) = displaced(INDIRECT_LENGTH)
        && *opcode == INDIRECT
    {
        let module = modules.at(slot)?;
        return match module.image.slot_at(module.link(slot))? {
            Slot::Symbol(name) => Some(name),
            Slot::Own(_) => None,
        };
    }
    let (opcode, target) = displaced(CALL_LENGTH)?;
    let module = modules.at(target).filter(|_| *opcode == [CALL])?;
    let stub = module.image.stub_at(module.link(target))?;
    Some(stub.name.strip_suffix("@plt").unwrap_or(&stub.name).to_owned())
}
