//! Functions that have left by a tail call: what called them goes on where their callee returns, so they have no place
//! on the stack. Call sites tell of them (DWARF 5 section 3.4: DW_AT_call_tail_call).

use crate::modules::loaded::{Module, Modules};
use crate::stack::context::Context;
use crate::stack::frames::Stack;
use crate::stack::guess::Code;
use crate::stack::physical::Physical;
use crate::target::process::Process;
use arch::{FrameAddress, LinkAddr, direct_call};
use dwarf::{CallTarget, TailCallSite};
use std::sync::Arc;

impl Stack {
    /// Finds the functions between frame `index` and its caller, which is the last frame found, innermost first.
    ///
    /// Nothing of their registers or stack frames is left. What they were called with may still be known.
    pub(crate) fn left_by_tail_calls(&self, index: usize, process: &mut Process, modules: &Modules) -> Vec<Physical> {
        self.tail_call_chain(index, process, modules).unwrap_or_default()
    }

    fn tail_call_chain(&self, index: usize, process: &mut Process, modules: &Modules) -> Option<Vec<Physical>> {
        let (callee, caller) = (self.physical.get(index)?, self.physical.get(index + 1)?);
        let FrameAddress::Return(ret) = caller.address else { return None };
        let module = callee.module.clone()?;
        let entry = callee.chain.last()?.entry?;
        let arch = process.arch();
        if direct_call(arch, ret, &mut Code { process, modules }) == Some(entry.at(module.bias)) {
            return None;
        }
        let calls = caller.module.clone()?;
        let mut context = Context::for_frame(process, modules, &self.physical, index + 1);
        let called = match calls.image.call_site_target(calls.link(ret), &mut context)? {
            CallTarget::Entry(target) if Arc::ptr_eq(&calls.image, &module.image) => target,
            CallTarget::Entry(_) => return None,
            CallTarget::Symbol(name) => {
                let symbol = module.image.symbols_spelled(&name).into_iter().find(|s| s.is_code)?;
                (!symbol.is_indirect).then_some(symbol.address)?
            }
            CallTarget::Computed(target) => module.link(target),
        };
        if called == entry {
            return None;
        }
        let chain = module.image.tail_call_chain(called, entry);
        let thread = caller.registers.of_thread();
        let frame = |site: TailCallSite| {
            let address = FrameAddress::Return(end_of(site, &module, process, modules)?.at(module.bias));
            let mut frame = Physical::new(address, thread.clone(), modules, false);
            frame.tail_call = true;
            Some(frame)
        };
        chain.into_iter().rev().map(frame).collect()
    }
}

/// Returns the address one past the jump of a tail call.
fn end_of(site: TailCallSite, module: &Module, process: &mut Process, modules: &Modules) -> Option<LinkAddr> {
    match site {
        TailCallSite::EndsAt(end) => Some(end),
        TailCallSite::BeginsAt(jump) => {
            let length = modules.instruction(process, jump.at(module.bias))?.length;
            jump.0.checked_add(length).map(LinkAddr)
        }
    }
}
