//! Which breakpoints are set in rr for a run, and of what kind.
//!
//! rr dies if it has to take a software breakpoint out of memory that is no longer mapped, which happens when a library
//! is unloaded, also while rr searches backward through a time when it was. So none are set in libraries while the
//! dynamic linker changes its list of them, when none of their code runs: forward the replay stops before it does. On the
//! way back rr does not, and breakpoints in libraries that may be unloaded are hardware breakpoints as far as there are
//! debug registers.
//!
//! Code that the program may write to loses a software breakpoint when it does. There, too, it is one in hardware as far
//! as there are debug registers, in both directions; and where the user asks for that.

use crate::breakpoints::debuggee::Debuggee;
use crate::breakpoints::temporary::Temporary;
use crate::eval::inferior::Inferior;
use crate::modules::code::SYSCALL;
use arch::{DEBUG_REGISTERS, Direction, RunAddr, ThreadId};
use program::module::Role;
use rsp::{Break, BreakKind};
use std::collections::{BTreeMap, BTreeSet};

impl Debuggee {
    /// Returns what is to be set for a run in this direction. `refused`: addresses where rr has just refused to set
    /// anything.
    pub(crate) fn wanted(
        &mut self,
        direction: Direction,
        temporary: &[Temporary],
        refused: &BTreeSet<RunAddr>,
    ) -> Vec<Break> {
        let kinds = self.kinds(direction, temporary, refused);
        let internal = self.library_breakpoint(direction, temporary);
        let how = |address: RunAddr| kinds.get(&address).copied().flatten();
        let layout = self.inferior.process.layout().clone();
        self.breakpoints.wanted(temporary, internal.as_slice(), &how, &layout)
    }

    /// Decides for each address what kind of breakpoint it gets, `None` for none.
    fn kinds(
        &mut self,
        direction: Direction,
        temporary: &[Temporary],
        refused: &BTreeSet<RunAddr>,
    ) -> BTreeMap<RunAddr, Option<BreakKind>> {
        let Self { inferior, breakpoints, thread, .. } = self;
        let asked = breakpoints.hardware_addresses();
        let taken = breakpoints.watch_registers().saturating_add(asked.len() as u64);
        let mut free = DEBUG_REGISTERS.saturating_sub(taken);
        let changing = is_list_changing(inferior, *thread, direction);
        let mut kinds = BTreeMap::new();
        let of_user: BTreeSet<RunAddr> = breakpoints.addresses().into_iter().collect();
        for address in temporary.iter().map(|t| t.address).chain(breakpoints.addresses()) {
            if kinds.contains_key(&address) {
                continue;
            }
            // One that is set for a movement only is gone before much is written.
            let stays = of_user.contains(&address);
            // In data it would change what the program reads: a guessed return address may be that.
            let is_data = inferior.modules.at(address).is_some_and(|module| !module.is_code(address));
            let is_safe = !is_data
                && (!stays || inferior.is_lasting_code(address))
                && !(inferior.modules.is_within_jump(&mut inferior.process, address)
                    && (stays || inferior.modules.writes_over_code(&mut inferior.process)));
            // There rr (5.10) sets one in memory itself, and fails behind a stop of one in hardware.
            let is_call = inferior.process.read_up_to(address.0, SYSCALL.len()) == SYSCALL;
            let kind = match inferior.modules.at(address) {
                _ if refused.contains(&address) => None,
                _ if asked.contains(&address) && !is_call => Some(BreakKind::Hardware),
                Some(module) if module.role == Role::Library && changing => None,
                Some(module) if module.unloadable && direction == Direction::Reverse && free > 0 => {
                    free -= 1;
                    Some(BreakKind::Hardware)
                }
                Some(_) if is_safe => Some(BreakKind::Software),
                None if inferior.process.read_up_to(address.0, 1).is_empty() => None,
                Some(_) | None if !is_safe && free > 0 => {
                    free -= 1;
                    Some(BreakKind::Hardware)
                }
                Some(_) if is_data => None,
                Some(_) | None => Some(BreakKind::Software),
            };
            kinds.insert(address, kind);
        }
        kinds
    }

    /// Returns whether a breakpoint at this address may be one in hardware.
    pub(crate) fn is_hardware(&self, address: RunAddr) -> bool {
        let module = self.inferior.modules.at(address);
        module.is_some_and(|m| m.unloadable)
            || !self.breakpoints.at(address).is_empty() && !self.inferior.is_lasting_code(address)
            || self.breakpoints.hardware_addresses().contains(&address)
    }

    /// Returns a breakpoint on the function that the dynamic linker calls before and after each change of its list, if
    /// there are breakpoints that could mean something else after it.
    ///
    /// Backward, rr searches from a moment at which a library may not be mapped yet: what is to be set in it is lost
    /// there, until a stop has rr set everything anew. So even a temporary one in a library needs this, too.
    fn library_breakpoint(&self, direction: Direction, temporary: &[Temporary]) -> Option<Break> {
        let is_in_library =
            |t: &Temporary| self.inferior.modules.at(t.address).is_some_and(|m| m.role == Role::Library);
        let may_be_lost = direction == Direction::Reverse && temporary.iter().any(is_in_library);
        if !self.breakpoints.any_in_code() && !may_be_lost {
            return None;
        }
        let rendezvous = self.inferior.modules.rendezvous()?;
        self.inferior.modules.code_at(rendezvous.on_change)?;
        let length = self.inferior.process.arch().trap_size();
        Some(Break { kind: BreakKind::Software, address: rendezvous.on_change, length, conditions: Vec::new() })
    }
}

impl Inferior {
    /// Returns whether nobody writes to the code at an address: it is rr's own, or a file's that is mapped so.
    pub(crate) fn is_lasting_code(&self, at: RunAddr) -> bool {
        let is_constant = |_| self.modules.code_at(at).is_none() || self.modules.is_constant(at);
        self.is_rr_code(at) || self.modules.at(at).is_some_and(is_constant)
    }
}

/// Returns whether the dynamic linker is in the middle of a change, or is about to be: its hook is called at both ends.
fn is_list_changing(inferior: &mut Inferior, thread: ThreadId, direction: Direction) -> bool {
    let Some(rendezvous) = inferior.modules.rendezvous() else {
        return false;
    };
    let consistent = rendezvous.is_consistent(&mut inferior.process);
    let at_hook = inferior.process.registers(thread).ok().and_then(|r| r.pc()) == Some(rendezvous.on_change);
    match (at_hook, direction) {
        (true, Direction::Reverse) => consistent,
        _ => !consistent,
    }
}
