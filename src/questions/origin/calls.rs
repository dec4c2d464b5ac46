//! Values that are passed to functions, and returned by them.

use super::HopKind;
use super::code::Code;
use super::look::{Ask, Seen};
use super::names::{Parameter, parameter};
use super::snapshot::Snapshot;
use super::trace::{MISMATCH, MOST_WRITERS, Next, Spot, Tracer, Tracked, register_part};
use crate::allocators::allocates;
use crate::error::Error;
use crate::frame::{XMM0, register_name};
use crate::program::{ARCH, Program};
use arch::{Onward, RunAddr, call_target};
use ctype::{Type, TypeRef};

/// DWARF numbers of the registers that functions return values in.
const RETURNED_IN: [u16; 4] = [0, 1, 17, 18];
/// Functions that go on in others that are looked at for returns.
const MOST_TAILS: usize = 16;

impl<'a> Tracer<'a> {
    /// Goes on from a register that has what it had when the function was entered.
    pub(super) fn entered(
        &mut self,
        code: &Code<'_>,
        state: Snapshot,
        number: u16,
        offset: usize,
        tracked: Tracked,
    ) -> Result<Next, Error> {
        let (name, function) =
            (register_name(number), code.name.clone().unwrap_or_else(|| format!("{:#x}", code.entry)));
        if register_part(&state, number, offset, tracked.bytes.len()).is_some_and(|known| known != tracked.bytes) {
            return self.stopped(MISMATCH, &tracked);
        }
        let entry = code.entry;
        let Some((caller, mut call)) = self.call_of(&state, 0) else {
            let at_entry = Tracked { before: state, ..tracked };
            let why = format!("{function} had it in {name} when it was entered, and not by a call that is known");
            return self.stopped(why, &at_entry);
        };
        let target = match caller.list.get(caller.index(call.pc).unwrap_or(usize::MAX)).map(|listed| listed.onward) {
            Some(Onward::Call(target)) => target,
            _ => None,
        };
        let is_through_stub = |target: u64| !caller.holds(target) && self.is_stub(&state, target);
        let is_direct = target == Some(entry);
        if let Some(target) = target.filter(|target| !is_direct && !is_through_stub(*target)) {
            // The function that was called went on in this one.
            let called = Code::around(self.program(), call.pid, call.mapped(), target);
            let jumps = called.as_ref().map(|code| code.jumps_to(entry)).unwrap_or_default();
            let is_its =
                |seen: &Seen| seen.written.is_none() && seen.state.tid == state.tid && seen.state.sp() == state.sp();
            let ask = Ask { before: &state, at: &jumps, memory: None, texts: Vec::new() };
            let jump = if jumps.is_empty() { None } else { self.looker.last(&ask, &is_its)?.last };
            let Some(jump) = jump else {
                let called = called.and_then(|code| code.name).unwrap_or_else(|| format!("{target:#x}"));
                let why = format!(
                    "{function} had it in {name} when it was entered, by a jump: {called} was called, and went on in others"
                );
                return self.stopped(why, &Tracked { before: state, ..tracked });
            };
            call = jump.state;
        } else if !is_direct {
            // A stub may have had the dynamic linker look for the function.
            call = self.called(call)?;
        }
        let known = parameter(self.program(), &state, number);
        let stored = self.open.as_ref().and_then(|open| open.parameter_of.clone()).filter(|(of, _)| *of == entry);
        let is_parameter = stored.is_some();
        let what = match (stored.and_then(|(_, name)| name), &known) {
            (Some(own), _) => format!("parameter {own} of {function}"),
            (None, Some(known)) if !known.name.is_empty() => format!("parameter {} of {function}", known.name),
            (None, Some(known)) if number >= XMM0 => {
                format!("floating-point argument {} of {function}", known.number)
            }
            (None, Some(known)) => format!("argument {} of {function}", known.number),
            (None, None) => format!("{name} of {function}"),
        };
        let is_unplaced = self.open.as_ref().is_some_and(|open| !open.is_placed);
        if is_parameter || is_unplaced {
            if let Some(open) = &mut self.open {
                if !(self.hops.is_empty() && is_unplaced) {
                    open.hop.to = what;
                }
                open.parameter_of = None;
            }
        } else {
            self.close(HopKind::Copy, what.clone());
            self.begin(what, &tracked.bytes, &state, None);
        }
        self.place(&call);
        if let Some(open) = &mut self.open {
            open.hop.kind = HopKind::Argument;
        }
        if let Some(Parameter { name, ty: Some(ty), .. }) = known.filter(|_| offset == 0) {
            self.narrowed_in(number, &format!("parameter {name}"), &ty, &state, &tracked.bytes);
        }
        Ok(Next::on(Tracked::at(Spot::Register { number, offset }, tracked.bytes, call)))
    }

    /// Returns the call by which a function was entered whose return address is so far from the stack pointer, and the
    /// state before it, if the registers are those of the entry.
    pub(super) fn call_of(&self, state: &Snapshot, offset: u64) -> Option<(Code<'a>, Snapshot)> {
        let ret = state.stacked(offset)?;
        let caller = Code::around(self.program(), state.pid, state.mapped(), ret.checked_sub(1)?)?;
        let call = caller.call_before(ret)?;
        let mut before = state.clone();
        before.pc = call.at;
        if let Some(sp) = before.registers.get_mut(7) {
            *sp = sp.map(|sp| sp.wrapping_add(offset).wrapping_add(8));
        }
        let kept = usize::try_from(offset).ok().and_then(|offset| state.stack.get(offset.checked_add(8)?..));
        before.stack = kept.unwrap_or_default().to_vec();
        before.visit = Some(1);
        before.anchor = None;
        before.frame = None;
        Some((caller, before))
    }

    /// Returns the state at a moment of which the stack is known as well.
    pub(super) fn whole(&self, state: &Snapshot) -> Result<Snapshot, Error> {
        if state.stack.is_empty() { self.reached(state.clone()) } else { Ok(state.clone()) }
    }

    /// Returns the state before a call that was made last, of which the ticks may be some less.
    pub(super) fn called(&self, mut call: Snapshot) -> Result<Snapshot, Error> {
        call.is_exact = false;
        self.reached(call)
    }

    /// Returns the state at a moment.
    fn reached(&self, state: Snapshot) -> Result<Snapshot, Error> {
        let looked = self.looker.last(&Ask { before: &state, at: &[], memory: None, texts: Vec::new() }, &|_| false)?;
        Ok(match looked.reached {
            Some(reached) => Snapshot { pc: state.pc, ..reached },
            None => state,
        })
    }

    /// Returns whether code at an address jumps to where a table says.
    fn is_stub(&self, state: &Snapshot, at: u64) -> bool {
        let in_table = self.program().at(state.pid, state.mapped(), at);
        in_table.is_some_and(|(module, bias)| module.image.is_linkage_stub(RunAddr(at).linked(bias)))
            || self.stub_name(state, at).is_some()
    }

    /// Returns the name of the function that a stub leads to.
    pub(super) fn stub_name(&self, state: &Snapshot, at: u64) -> Option<String> {
        let (module, bias) = self.program().at(state.pid, state.mapped(), at)?;
        let stub = module.image.stub_at(RunAddr(at).linked(bias))?;
        Some(stub.name.strip_suffix("@plt").unwrap_or(&stub.name).to_owned())
    }

    /// Goes on from a register that has what a function has returned that was called here.
    pub(super) fn returned(
        &mut self,
        code: &Code<'_>,
        call: Snapshot,
        (next, target): (u64, Option<u64>),
        number: u16,
        offset: usize,
        tracked: Tracked,
    ) -> Result<Next, Error> {
        let register = register_name(number);
        let kept = target.and_then(|target| Code::around(self.program(), call.pid, call.mapped(), target));
        if kept.is_some_and(|callee| callee.entry == target.unwrap_or_default() && callee.keeps(number))
            && register_part(&call, number, offset, tracked.bytes.len()).is_none_or(|known| known == tracked.bytes)
        {
            return Ok(Next::on(Tracked { before: call, ..tracked }));
        }
        if self.open.as_ref().is_some_and(|open| !open.is_placed) {
            self.place(&call);
        }
        if !RETURNED_IN.contains(&number) {
            return self.stopped(format!("it is what a called function has left in {register}"), &tracked);
        }
        let target = match target {
            Some(target) => Some(target),
            None => self.indirect_target(code, &call)?,
        };
        let Some(target) = target else {
            return self.stopped("it was returned by a function that was called through a pointer", &tracked);
        };
        let through = self.stub_name(&call, target);
        let entry = match &through {
            Some(name) => self.function_named(name, &call),
            None => Some(target),
        };
        let callee = entry.and_then(|entry| Code::around(self.program(), call.pid, call.mapped(), entry));
        let name = through.or_else(|| callee.as_ref().and_then(|callee| callee.name.clone()));
        let shown = name.unwrap_or_else(|| format!("{target:#x}"));
        let callee = match callee {
            Some(callee) if !callee.is_library && !allocates(&shown) => callee,
            other => return self.by_function(&shown, other.as_ref(), &call, number),
        };
        let mut returns = callee.returns();
        let mut tails = callee.leaves_to();
        tails.truncate(MOST_TAILS);
        for tail in tails {
            if let Some(other) = Code::around(self.program(), call.pid, call.mapped(), tail) {
                returns.extend(other.returns());
            }
        }
        returns.truncate(MOST_WRITERS);
        let sp = call.sp().map(|sp| sp.wrapping_sub(8));
        let before = &tracked.before;
        let is_its = |seen: &Seen| {
            let state = &seen.state;
            seen.written.is_none() && state.tid == before.tid && state.sp() == sp && state.stacked(0) == Some(next)
        };
        let looked = self.looker.last(&Ask { before, at: &returns, memory: None, texts: Vec::new() }, &is_its)?;
        let Some(seen) = looked.last else {
            return self
                .stopped(format!("{shown} returned it, but not by an instruction of its own that is known"), &tracked);
        };
        if register_part(&seen.state, number, offset, tracked.bytes.len()).is_some_and(|known| known != tracked.bytes) {
            return self.stopped(MISMATCH, &tracked);
        }
        if let Some(ty) = result_type(&callee, &seen.state, self.program()).filter(|_| offset == 0) {
            self.narrowed_in(number, &format!("what {shown} returned"), &ty, &seen.state, &tracked.bytes);
        }
        self.close(HopKind::Return, format!("what {shown} returned"));
        self.begin(format!("the result of {shown}"), &tracked.bytes, &seen.state, None);
        Ok(Next::on(Tracked::at(Spot::Register { number, offset }, tracked.bytes, seen.state)))
    }

    /// Returns where a call goes that names a register or memory.
    fn indirect_target(&self, code: &Code<'_>, call: &Snapshot) -> Result<Option<u64>, Error> {
        let Some(bytes) = code.bytes(call.pc) else { return Ok(None) };
        let base = self.thread_base(call);
        match call_target(ARCH, bytes, RunAddr(call.pc), &|name| call.named(name, base)) {
            Some(Ok(target)) => Ok(Some(target)),
            Some(Err(stored)) => {
                let found = self.looker.memory_before(stored, 8, call)?;
                Ok(found.and_then(|bytes| bytes.as_slice().try_into().ok().map(u64::from_le_bytes)))
            }
            None => Ok(None),
        }
    }

    /// Returns the function of this name, in the process.
    fn function_named(&self, name: &str, at: &Snapshot) -> Option<u64> {
        let program = self.program();
        program.user().find_map(|(module, found)| {
            let bias = program.bias(module, at.pid, at.mapped())?;
            let symbols = found.image.symbols_spelled(name);
            let symbol = symbols.into_iter().find(|symbol| symbol.is_code && symbol.address.0 != 0)?;
            Some(symbol.address.at(bias).0)
        })
    }
}

/// Returns what a function returns, if that is known.
fn result_type(code: &Code<'_>, state: &Snapshot, program: &Program) -> Option<TypeRef> {
    let (module, bias) = program.at(state.pid, state.mapped(), code.entry)?;
    let function = module.image.function_at(RunAddr(code.entry).linked(bias))?;
    match &*module.image.function_type(function.die?)? {
        Type::Function { result, .. } => Some(result.get()),
        _ => None,
    }
}
