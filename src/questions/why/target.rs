//! Where calls and jumps lead that leave a function.

use crate::program::{ARCH, Module};
use arch::{LinkAddr, Listed, Onward, RunAddr, call_target};
use dwarf::Slot;

/// Where a call leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Target {
    /// To code of the same module.
    Own(LinkAddr),
    /// To the function of this name, as the linker spells it: the dynamic linker finds it.
    Named(String),
}

/// Returns where a call or a jump leads, through a stub or a word that the dynamic linker fills, too.
pub(super) fn target(module: &Module, listed: &Listed) -> Option<Target> {
    match listed.onward {
        Onward::Call(Some(to)) | Onward::Jump(Some(to)) | Onward::Branch(Some(to)) => Some(at(module, LinkAddr(to))),
        Onward::Call(None) => {
            let code = module.code((LinkAddr(listed.at), LinkAddr(listed.next)))?;
            // A word at a place that is known without registers.
            let slot = call_target(ARCH, code, RunAddr(listed.at), &|_| None)?.err()?;
            match module.image.slot_at(LinkAddr(slot))? {
                Slot::Own(to) => Some(at(module, to)),
                Slot::Symbol(name) => Some(Target::Named(name)),
            }
        }
        _ => None,
    }
}

fn at(module: &Module, to: LinkAddr) -> Target {
    match module.image.stub_at(to) {
        Some(stub) => Target::Named(stub.name.trim_end_matches("@plt").to_owned()),
        None => Target::Own(to),
    }
}
