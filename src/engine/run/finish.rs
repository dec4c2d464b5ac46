//! Leaving a function: forward to its return, with its value; backward to its call.

use crate::api::error::Error;
use crate::api::{Reason, Variable};
use crate::breakpoints::temporary::Temporary;
use crate::eval::locals::spelled;
use crate::modules::loaded::{Module, Modules};
use crate::run::finish_inlined::stack_pointer;
use crate::run::mover::Mover;
use crate::run::step::{Connector, FunctionEntry, Handler, Machine, Moved, Ran};
use crate::run::step::{back_into_handler, back_out_of_handler, call_before};
use crate::stack::guess::{gives_back_address, is_as_written, returns_in};
use crate::stack::physical::{End, Level, Physical};
use crate::target::process::Process;
use arch::{Arch, Direction, FrameAddress, RunAddr, ThreadId};
use ctype::{Options, Type, TypeRef, Value, layout::strip, render};
use program::returns::{Evidence, return_place, return_place_unless_removed, rust_return_place, used_results};

impl Mover<'_, '_> {
    /// Runs until the selected frame returns.
    pub(crate) fn finish(&mut self) -> Result<Reason, Error> {
        let thread = self.session.debuggee.thread;
        let level = self.session.debuggee.selected()?;
        let frame = self.session.debuggee.inferior.physical(thread, level.physical)?;
        if frame.chain.get(level.inline).is_some_and(|f| f.inlined) {
            let left = self.leave_inlined(&frame, level)?;
            return Ok(left.unwrap_or(Reason::FunctionFinished { return_value: None }));
        }
        let caller = self.caller_of(thread, level, &frame)?;
        let sp = stack_pointer(&caller)?;
        let place = Temporary::is(caller.address.address(), sp);
        let returned = self.run_to(Direction::Forward, &[place])?;
        match returned {
            Some(reason) => Ok(reason),
            // The run also ends where an exception or a longjmp lands.
            None if self.spot()?.pc != place.address => {
                self.session
                    .notes
                    .push("the function was left by an exception or longjmp: it returned nothing".to_owned());
                Ok(Reason::StepDone)
            }
            None => Ok(Reason::FunctionFinished { return_value: self.return_value(thread, &frame)? }),
        }
    }

    /// Goes to the call of the selected frame's function, which may be an inlined one.
    pub(crate) fn finish_backward(&mut self) -> Result<Reason, Error> {
        let thread = self.session.debuggee.thread;
        let level = self.session.debuggee.selected()?;
        let frame = self.session.debuggee.inferior.physical(thread, level.physical)?;
        if frame.chain.get(level.inline).is_some_and(|f| f.inlined) {
            let left = self.back_to_inlined_call(&frame, level)?;
            return Ok(left.unwrap_or(Reason::StepDone));
        }
        let caller = self.caller_of(thread, level, &frame)?;
        let FrameAddress::Return(ret) = caller.address else {
            return self.back_to_interruption(thread, level, &caller);
        };
        let sp = stack_pointer(&caller)?;
        let call = call_before(self, ret);
        let done = match call {
            Some(call) => self.run_to(Direction::Reverse, &[Temporary::is(call, sp)])?,
            None => self.back_over_entry(&frame, sp)?,
        };
        Ok(done.unwrap_or(Reason::StepDone))
    }

    /// Finds the frame that the selected level returns to.
    fn caller_of(&mut self, thread: ThreadId, level: Level, frame: &Physical) -> Result<Physical, Error> {
        let name = frame.chain.last().map_or_else(|| frame.address.address().to_string(), |f| f.name.clone());
        let outermost = Error::Outermost { function: name };
        if frame.is_main() {
            return Err(outermost);
        }
        match self.session.debuggee.inferior.caller(thread, level.physical)? {
            Ok(caller) => Ok(caller),
            Err(End::Outermost) => Err(outermost),
            Err(End::Lost(why)) => Err(Error::NoCaller(why)),
        }
    }

    /// Runs back to one of these locations in the innermost frame, or to its function's entry if that leads in. Else the
    /// entry is farther back than all of them: if that is reached, it has not been at any, and the thread is where it was.
    pub(crate) fn run_back_in(&mut self, locations: &[Temporary], entry: FunctionEntry) -> Result<Ran, Error> {
        /// Frames of the same function that come in between.
        const OTHERS: usize = 64;
        let thread = self.session.debuggee.thread;
        let Some(frame) = self.caller(0) else { return Ok(Ran::Stayed) };
        let pushed = match self.session.debuggee.inferior.process.arch() {
            Arch::X86_64 => 8,
            Arch::Aarch64 => 0,
        };
        let from = self.place(thread)?;
        // What is met on the way is met again if that does not help.
        let (breakpoints, logged) = (self.session.debuggee.breakpoints.clone(), self.session.debuggee.log.count());
        let entered = Temporary::is(entry.at, frame.sp.wrapping_sub(pushed));
        let all: Vec<Temporary> = locations.iter().copied().chain([entered]).collect();
        for _ in 0..OTHERS {
            if let Some(reason) = self.run_to(Direction::Reverse, &all)? {
                return Ok(Ran::Stopped(Box::new(reason)));
            }
            if self.spot()?.pc == entry.at {
                if entry.leads_in {
                    return Ok(Ran::There);
                }
                break;
            }
            if self.caller(0).is_some_and(|caller| caller.sp == frame.sp) {
                return Ok(Ran::There);
            }
        }
        self.arrive(thread, &from)?;
        self.session.debuggee.breakpoints = breakpoints;
        self.session.debuggee.log.forget_after(logged);
        Ok(Ran::Stayed)
    }

    /// Goes back to a function's entry and one instruction further, where the call instruction cannot be found.
    fn back_over_entry(&mut self, frame: &Physical, caller_sp: u64) -> Moved {
        let Some(entry) = self.body(frame.address.for_lookup()).map(|b| b.entry) else {
            return Err(Error::NoCaller("the call instruction cannot be found".to_owned()));
        };
        if self.spot()?.pc != entry {
            let entered = Temporary::is(entry, caller_sp.saturating_sub(8));
            if let Some(reason) = self.run_to(Direction::Reverse, &[entered])? {
                return Ok(Some(reason));
            }
        }
        self.step(Direction::Reverse)
    }

    /// Goes from a signal handler, or its trampoline, back to what the signal interrupted.
    fn back_to_interruption(&mut self, thread: ThreadId, level: Level, caller: &Physical) -> Result<Reason, Error> {
        let is_handler = self.connector(caller.address.address()) == Some(Connector::Trampoline);
        let inner = self.session.debuggee.inferior.callee(thread, level.physical)?;
        let handler = match (is_handler, inner) {
            (true, _) => level.physical,
            (false, Some(inner)) => inner,
            (false, None) => {
                let moved = match back_into_handler(self)? {
                    Handler::Stopped(reason) => Some(*reason),
                    Handler::Returning(entry, sp) => back_out_of_handler(self, entry, sp)?,
                    Handler::Unknown => return Err(Error::NoCaller("the signal handler cannot be found".to_owned())),
                };
                return Ok(moved.unwrap_or(Reason::StepDone));
            }
        };
        let handler = self.session.debuggee.inferior.physical(thread, handler)?;
        let trampoline = match is_handler {
            true => caller.clone(),
            false => self.session.debuggee.inferior.physical(thread, level.physical)?,
        };
        let entry = self.body(handler.address.for_lookup()).map(|b| b.entry);
        let sp = trampoline.registers.sp().and_then(|sp| sp.checked_sub(8));
        let unknown = || Error::NoCaller("the beginning of the signal handler cannot be found".to_owned());
        let (entry, sp) = entry.zip(sp).ok_or_else(unknown)?;
        Ok(back_out_of_handler(self, entry, sp)?.unwrap_or(Reason::StepDone))
    }

    /// Reads the value that a function has just returned.
    fn return_value(&mut self, thread: ThreadId, frame: &Physical) -> Result<Option<Variable>, Error> {
        let Some(ty) = result_type(frame) else { return Ok(None) };
        if matches!(*strip(&ty), Type::Void) {
            return Ok(None);
        }
        let registers = self.session.debuggee.inferior.process.registers(thread)?;
        let target = self.session.debuggee.inferior.target_at(frame.address.for_lookup());
        let options = Options::new(target);
        let link = |module: &Module| module.link(frame.address.for_lookup());
        let rules = frame.module.as_deref().map(|module| module.image.return_rules(link(module))).unwrap_or_default();
        let mut code = FunctionCode { mover: self, frame };
        let place = match is_rust(frame) {
            true => rust_return_place(&ty, &registers, &mut code),
            false if may_lack_result(frame) => return_place_unless_removed(&ty, &rules, &registers, &mut code),
            false => return_place(&ty, &rules, &registers),
        };
        self.session.debuggee.inferior.check_answers()?;
        let place = match place {
            Ok(place) => place,
            Err(why) => {
                self.session.notes.push(format!("the returned value cannot be shown: {why}"));
                return Ok(None);
            }
        };
        let value = Value { ty, place, bits: None };
        let rendered = render(&value, &mut self.session.debuggee.inferior, &options);
        self.session.debuggee.inferior.check_answers()?;
        self.session.debuggee.inferior.variables.returned = Some(value.clone());
        Ok(Some(Variable {
            name: "return value".to_owned(),
            value: rendered.text,
            ty: Some(spelled(&value.ty, &options)),
            is_argument: false,
            line: None,
            shadowed: false,
            truncated: rendered.truncated,
            dynamic_type: self.session.debuggee.inferior.dynamic_type(&value),
            missing: None,
        }))
    }
}

/// Returns whether a frame's function is in Rust.
fn is_rust(frame: &Physical) -> bool {
    let language = |module: &Module| module.image.language_at(module.link(frame.address.for_lookup()));
    frame.module.as_deref().and_then(language) == Some("rust")
}

/// Returns whether the result of a frame's function may have been removed.
fn may_lack_result(frame: &Physical) -> bool {
    let module = frame.module.as_deref();
    module.is_some_and(|module| module.image.may_lack_result(module.link(frame.address.for_lookup())))
}

/// The code of the function that a frame is of.
struct FunctionCode<'f, 'm, 's, 'h> {
    mover: &'f mut Mover<'s, 'h>,
    frame: &'m Physical,
}

impl FunctionCode<'_, '_, '_, '_> {
    fn look(&mut self, look: impl FnOnce(RunAddr, &dyn Fn(RunAddr) -> bool, &mut Process, &Modules) -> bool) -> bool {
        let Some(body) = self.mover.body(self.frame.address.for_lookup()) else { return false };
        let is_own = |at: RunAddr| body.ranges.iter().any(|(start, end)| (*start..*end).contains(&at));
        let inferior = &mut self.mover.session.debuggee.inferior;
        look(body.entry, &is_own, &mut inferior.process, &inferior.modules)
    }
}

impl Evidence for FunctionCode<'_, '_, '_, '_> {
    fn gives_address(&mut self) -> bool {
        self.look(gives_back_address)
    }

    fn returns_in(&mut self, registers: &[&str]) -> bool {
        if self.look(|entry, is_own, process, modules| returns_in(registers, entry, is_own, process, modules)) {
            return true;
        }
        let Some(module) = self.frame.module.as_deref() else { return false };
        let inferior = &mut self.mover.session.debuggee.inferior;
        is_as_written(module, self.frame.address.for_lookup(), &mut inferior.process, &inferior.modules)
    }

    fn used_in(&mut self) -> Vec<&'static str> {
        let Some(module) = self.frame.module.as_deref() else { return Vec::new() };
        let function = module.image.function_at(module.link(self.frame.address.for_lookup()));
        let arch = self.mover.session.debuggee.inferior.process.arch();
        function.map(|function| used_results(&module.image, arch, function.entry)).unwrap_or_default()
    }
}

/// Returns what the function of a frame returns.
fn result_type(frame: &Physical) -> Option<TypeRef> {
    let module = frame.module.as_ref()?;
    // The parts of a coroutine are described as if they were all of it, but return nothing.
    let symbol = module.image.symbol_at(module.link(frame.address.for_lookup()));
    if symbol.is_some_and(|s| [".resume", ".destroy", ".cleanup"].iter().any(|part| s.name.ends_with(part))) {
        return None;
    }
    let function = module.image.function_type(frame.chain.last()?.die?)?;
    match &*function {
        Type::Function { result, .. } => Some(result.get()),
        _ => None,
    }
}
