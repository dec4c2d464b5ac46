//! What an image says of frames: unwinding, and what callers passed.

use super::facade::Image;
use crate::location::call_sites::{CallTarget, TailCallSite};
use crate::model::code::Function;
use crate::model::die::DieId;
use crate::model::error::Error;
use crate::model::frame::{FrameContext, Unwound};
use crate::unwind::cfi::CallFrames;
use arch::LinkAddr;
use std::sync::PoisonError;

/// Most instructions of which the rule is kept: of 32 bytes each.
const MOST_RULES: usize = 1 << 14;

impl Image {
    /// Applies the CFI row for `pc` (.eh_frame via .eh_frame_hdr or scan, .debug_frame). `frame.register` gives this
    /// frame's registers. Ok(None): no CFI covers the address. Callee-saved registers with no rule keep their value;
    /// caller-saved ones without a rule become unavailable.
    pub fn unwind(&self, pc: LinkAddr, frame: &mut dyn FrameContext) -> Result<Option<Unwound>, Error> {
        self.ask(|debug| Ok(CallFrames::new(self.arch(), &debug.frames).unwind(pc, frame)?))
    }

    /// Computes the canonical frame address only: what the stack pointer was before the call. Ok(None): no CFI covers
    /// the address.
    pub fn cfa(&self, pc: LinkAddr, frame: &mut dyn FrameContext) -> Result<Option<u64>, Error> {
        // A question asks a thousand times about the moments of one instruction.
        let rule = self.cfa_rule(pc);
        if let Some(value) =
            rule.and_then(|(register, offset)| Some(frame.register(register)?.wrapping_add_signed(offset)))
        {
            return Ok(Some(value));
        }
        self.ask(|debug| Ok(CallFrames::new(self.arch(), &debug.frames).cfa(pc, frame)?))
    }

    /// Returns the register and the offset whose sum the canonical frame address is at an instruction, if it is one
    /// (DW_CFA_def_cfa).
    fn cfa_rule(&self, pc: LinkAddr) -> Option<(u16, i64)> {
        let kept = || self.cfa_rules.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(rule) = kept().get(&pc) {
            return *rule;
        }
        let rule = self.ask(|debug| CallFrames::new(self.arch(), &debug.frames).cfa_rule(pc));
        let mut rules = kept();
        if rules.len() >= MOST_RULES {
            rules.clear();
        }
        rules.insert(pc, rule);
        rule
    }

    /// Finds the code around an address that one description of frames covers: a function, or a part of one. It is
    /// known also of functions without a symbol.
    pub fn code_around(&self, pc: LinkAddr) -> Option<(LinkAddr, LinkAddr)> {
        self.ask(|debug| CallFrames::new(self.arch(), &debug.frames).code_around(pc))
    }

    /// Makes a function of the code that begins at an address and has neither a symbol nor debug info.
    pub fn unnamed_at(&self, entry: LinkAddr) -> Option<Function> {
        let range = self.code_around(entry).filter(|(start, _)| *start == entry)?;
        Some(Function {
            die: None,
            name: format!("{:#x}", entry.0),
            linkage_name: None,
            entry,
            ranges: vec![range],
            file: None,
            line: None,
        })
    }

    /// Finds the caller's registers that this frame has saved in memory: DWARF numbers and addresses; the return
    /// address is under the number of its column. Empty if no CFI covers the address.
    pub fn saved_registers(&self, pc: LinkAddr, frame: &mut dyn FrameContext) -> Result<Vec<(u16, u64)>, Error> {
        self.ask(|debug| Ok(CallFrames::new(self.arch(), &debug.frames).saved_registers(pc, frame)?))
    }

    /// Evaluates a DW_TAG_call_site_parameter: what the call that returns to `ret` put into `register`, evaluated in
    /// the caller.
    ///
    /// That is what the function that the *caller called* was given. A frame was given the same only if it is a frame
    /// of that function ([`Image::call_site_target`]), which moreover has not come back to its start by tail calls
    /// ([`Image::tail_called`]): check both before.
    pub fn call_site_value(&self, ret: LinkAddr, register: u16, caller: &mut dyn FrameContext) -> Option<u64> {
        self.ask(|debug| debug.call_site_value(ret, register, caller))
    }

    /// Evaluates what the call that returns to `ret` would have passed as a parameter that the called copy of the
    /// function does without (DW_AT_call_parameter). `parameter` is the abstract parameter's DIE. The same has to be
    /// checked before.
    pub fn call_site_parameter(&self, ret: LinkAddr, parameter: DieId, caller: &mut dyn FrameContext) -> Option<u64> {
        self.ask(|debug| debug.call_site_parameter(ret, parameter, caller))
    }

    /// Finds the function that is called by the call that returns to `ret`. `None` if the debug info does not say, or
    /// not in a way that can be evaluated in the caller's frame any more.
    pub fn call_site_target(&self, ret: LinkAddr, caller: &mut dyn FrameContext) -> Option<CallTarget> {
        self.ask(|debug| debug.call_site_target(ret, caller))
    }

    /// Finds the functions that the one at `entry` may go on in by a tail call, of this image and of others. `None` if
    /// the debug info does not tell them all.
    ///
    /// What they lead to in turn matters to whoever wants to know what a frame was called with: a function that may
    /// have gone on, by a chain of tail calls, in itself has other parameters, and the same return address.
    pub fn tail_called(&self, entry: LinkAddr) -> Option<Vec<CallTarget>> {
        self.ask(|debug| debug.tail_called(entry))
    }

    /// Finds the tail calls that have led from the function at `from`, which was called, to the one at `to`, which
    /// returns in its place: the outermost first. Of several ways that may have been taken, what all have in common at
    /// both ends.
    ///
    /// None if there may be more than the debug info tells: a target that is not known, or too many.
    pub fn tail_call_chain(&self, from: LinkAddr, to: LinkAddr) -> Vec<TailCallSite> {
        self.ask(|debug| debug.tail_call_chain(from, to))
    }
}
