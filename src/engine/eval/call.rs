//! Calling a function of the program in a copy of the process, which rr throws away: System V ABI for AMD64, 3.2.

use crate::api::error::Error;
use crate::eval::convention::{Arrival, CHANGED, Mismatch, Passing, is_exported, mismatch};
use crate::eval::inferior::Inferior;
use crate::modules::loaded::Module;
use crate::stack::guess::{Code, is_as_written};
use crate::target::signals::{SIGTRAP, describe};
use arch::{Arch, LinkAddr, Registers, RunAddr, ThreadId, reads_unpassed};
use base::cancel::Cancel;
use ctype::layout::{size_of, strip};
use ctype::{Dialect, Encoding, Place, Type, TypeRef, Value};
use dwarf::Function;
use expr::Passed;
use rsp::{Outcome, StopCause, StopReply};
use std::sync::Arc;
use std::time::Duration;

/// Below the stack pointer a function may keep data without moving it.
const RED_ZONE: u64 = 128;
/// Most bytes that one expression may put on the stack, and how much room a function has to have below.
const MAX_PLACED: u64 = 64 << 10;
const ROOM: u64 = 16 << 10;
/// Registers for arguments.
const GENERAL: [&str; 6] = ["rdi", "rsi", "rdx", "rcx", "r8", "r9"];
const VECTORS: usize = 8;
/// Their DWARF numbers.
const GENERAL_NUMBERS: [u16; 6] = [5, 4, 1, 2, 8, 9];
const FIRST_VECTOR: u16 = 17;
/// How long an interrupted call may take to stop.
const PATIENCE: Duration = Duration::from_secs(1);
/// `eflags`: direction and trap.
const DIRECTION_AND_TRAP: u64 = 0x500;

/// Finds where the function at an address returns a value of a type, the registers being what they are then. The error
/// says why that is not known; it does not depend on what is in the registers.
pub(crate) type ResultPlace = fn(&mut Inferior, RunAddr, &TypeRef, &Registers) -> Result<ReturnedIn, String>;

/// Where a value is returned.
pub(crate) enum ReturnedIn {
    /// Here.
    Registers(Place),
    /// Where the caller has said.
    Memory,
}

/// Whether conditions call functions of the program.
#[derive(Clone, Copy, Default)]
pub(crate) enum CallPolicy {
    /// They do not.
    #[default]
    Off,
    /// They do not, and this is how to have that done.
    Refused(&'static str),
    /// They do.
    Allowed(ResultPlace),
}

/// What is needed to call functions, while that is allowed.
pub(crate) struct Calls {
    pub(crate) rules: ResultPlace,
    /// Where the functions return to: nothing comes there by itself.
    pub(crate) return_to: RunAddr,
    /// Whose thread calls.
    pub(crate) thread: ThreadId,
    /// What ends a call that takes too long, and how long that is.
    pub(crate) cancel: Cancel,
    pub(crate) limit: Duration,
    /// The part of the stack's mapping below its end, and how far down it is used.
    pub(crate) lowest: u64,
    pub(crate) used: Option<u64>,
    /// What has failed in talking to rr, or why the copy is not to be used any more.
    pub(crate) failed: Option<Error>,
    pub(crate) over: Option<String>,
}

/// Why a call has no result.
enum Failure {
    /// In words.
    Said(String),
    /// rr has not answered.
    Rr(Error),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Rr(error)
    }
}

/// What goes where before a call.
#[derive(Default)]
struct Frame {
    general: Vec<u64>,
    vectors: Vec<Vec<u8>>,
    stack: Vec<u64>,
}

impl Frame {
    /// Puts a word where the next one goes, and returns where that is.
    fn push(&mut self, ty: &TypeRef, bytes: &[u8]) -> Arrival {
        let is_float = matches!(&*strip(ty), Type::Base { encoding: Encoding::Float, .. });
        let word = bytes.iter().take(8).rev().fold(0, |word, byte| word << 8 | u64::from(*byte));
        match (is_float, GENERAL_NUMBERS.get(self.general.len()), self.vectors.len()) {
            (true, _, used) if used < VECTORS => {
                self.vectors.push(bytes.to_vec());
                Arrival::Register(FIRST_VECTOR + used as u16)
            }
            (false, Some(number), _) => {
                self.general.push(extended(ty, word, bytes.len()));
                Arrival::Register(*number)
            }
            _ => {
                self.stack.push(word);
                Arrival::Stack(8 * (self.stack.len() as u64 - 1))
            }
        }
    }
}

/// Extends a number to a register, as compilers do it for the smaller ones.
fn extended(ty: &TypeRef, word: u64, size: usize) -> u64 {
    let is_signed = matches!(&*strip(ty), Type::Base { encoding: Encoding::Signed | Encoding::SignedChar, .. });
    let unused = 64u32.saturating_sub(8 * size as u32);
    match is_signed && (1..64).contains(&unused) {
        true => ((word << unused) as i64 >> unused) as u64,
        false => word,
    }
}

impl Inferior {
    /// Calls a function. The error says in words why it has no result; where rr is to blame, [`Calls::failed`] has it.
    pub(crate) fn call_function(&mut self, address: u64, result: &TypeRef, passed: &[Passed]) -> Result<Value, String> {
        let Some(calls) = &self.calls else { return Err("functions are not called here".to_owned()) };
        if let Some(why) = &calls.over {
            return Err(why.clone());
        }
        match self.try_call(address, result, passed) {
            Ok(value) => Ok(value),
            Err(Failure::Said(why)) => Err(why),
            Err(Failure::Rr(error)) => {
                let why = error.to_string();
                if let Some(calls) = &mut self.calls {
                    calls.over = Some(why.clone());
                    calls.failed = Some(error);
                }
                Err(why)
            }
        }
    }

    fn try_call(&mut self, address: u64, result: &TypeRef, passed: &[Passed]) -> Result<Value, Failure> {
        if self.process.arch() != Arch::X86_64 {
            return Err(Failure::Said("functions are called on x86-64 only".to_owned()));
        }
        let Some(calls) = &self.calls else { return Err(Failure::Said("functions are not called here".to_owned())) };
        let (thread, return_to, rules) = (calls.thread, calls.return_to, calls.rules);
        let (used, lowest) = (calls.used, calls.lowest);
        let before = self.process.registers(thread)?;
        let unknown = || Failure::Said("the stack pointer is not known".to_owned());
        let top = match used {
            Some(used) => used,
            None => before.sp().ok_or_else(unknown)?.wrapping_sub(RED_ZONE),
        };
        let mut stack = StackSpace { at: top & !15, lowest, placed: 0 };

        let mut frame = Frame::default();
        let size = size_of(result).unwrap_or(0);
        let is_void = matches!(&*strip(result), Type::Void);
        let find = |inferior: &mut Self, registers: &Registers| match is_void {
            true => Ok(ReturnedIn::Registers(Place::Bytes(Vec::new()))),
            false => rules(inferior, RunAddr(address), result, registers).map_err(Failure::Said),
        };
        let in_memory = match find(self, &before)? {
            ReturnedIn::Memory => Some(stack.take(size)?),
            ReturnedIn::Registers(_) => None,
        };
        frame.general.extend(in_memory);
        let mut placed = Vec::new();
        for argument in passed {
            placed.push(match argument {
                Passed::Scalar(ty, bytes) => vec![frame.push(ty, bytes)],
                Passed::Words(words) => words.iter().map(|word| frame.push(&pointer(), &word.to_le_bytes())).collect(),
                Passed::Copy(bytes, length) => {
                    let at = stack.take(bytes.len() as u64)?;
                    self.process.write_memory(RunAddr(at), bytes)?;
                    let words = [Some(at), *length].into_iter().flatten();
                    words.map(|word| frame.push(&pointer(), &word.to_le_bytes())).collect()
                }
            });
        }
        let passing = Passing { arguments: &placed, general: frame.general.len() };
        self.check_convention(RunAddr(address), &passing).map_err(Failure::Said)?;
        let arguments: Vec<u8> = frame.stack.iter().flat_map(|word| word.to_le_bytes()).collect();
        let at = stack.take(arguments.len() as u64)?;
        self.process.write_memory(RunAddr(at), &arguments)?;
        if let Some(calls) = &mut self.calls {
            calls.used = Some(stack.at.wrapping_sub(16));
        }
        stack.check_room()?;
        let sp = at.wrapping_sub(8);
        self.process.write_memory(RunAddr(sp), &return_to.0.to_le_bytes())?;
        self.set_registers(thread, &frame, address, sp, &before)?;
        let after = self.run_call(thread, return_to, at)?;
        let place = match (find(self, &after)?, in_memory) {
            (ReturnedIn::Registers(place), None) => place,
            (_, Some(at)) => Place::Memory(at),
            (ReturnedIn::Memory, None) => return Err(Failure::Said("its value is nowhere".to_owned())),
        };
        let value = Value::new(result.clone(), place);
        self.put_back(thread, &before, &after)?;
        Ok(value)
    }

    /// Sets the registers for the first instruction of a function.
    fn set_registers(
        &mut self,
        thread: ThreadId,
        frame: &Frame,
        function: u64,
        sp: u64,
        before: &Registers,
    ) -> Result<(), Failure> {
        let flags = before.value("eflags").unwrap_or(0) & !DIRECTION_AND_TRAP;
        let general = GENERAL.iter().copied().zip(frame.general.iter().copied());
        let others = [("rax", frame.vectors.len() as u64), ("rsp", sp), ("rip", function), ("eflags", flags)];
        // Otherwise the kernel may take what is interrupted for a system call to be made again.
        let none = ("orig_rax", u64::MAX);
        for (name, value) in general.chain(others).chain([none]) {
            self.set_register(thread, name, &value.to_le_bytes())?;
        }
        for (number, bytes) in frame.vectors.iter().enumerate() {
            self.set_register(thread, &format!("xmm{number}"), bytes)?;
        }
        Ok(())
    }

    fn set_register(&mut self, thread: ThreadId, name: &str, bytes: &[u8]) -> Result<(), Failure> {
        let layout = self.process.layout().clone();
        let missing = || Failure::Said(format!("there is no register {name}"));
        let register = layout.find(name).ok_or_else(missing)?;
        let mut whole = bytes.to_vec();
        whole.resize(register.size, 0);
        Ok(self.process.write_register(thread, register.number, &whole)?)
    }

    /// Has the function run until it returns, and reads the registers then.
    fn run_call(&mut self, thread: ThreadId, return_to: RunAddr, sp: u64) -> Result<Arc<Registers>, Failure> {
        let Some(calls) = &self.calls else { return Err(Failure::Said("functions are not called here".to_owned())) };
        let (cancel, limit) = (calls.cancel.with_deadline(calls.limit), calls.limit);
        let outcome = match self.process.run_diverted(thread, return_to, PATIENCE, &cancel)? {
            // In a copy rr shows the trap by which soft counters have it look at its connection.
            Outcome::Stopped(reply @ StopReply::Stopped { signal: SIGTRAP, cause: StopCause::Plain, .. })
                if cancel.is_cancelled() =>
            {
                Outcome::Interrupted(reply)
            }
            outcome => outcome,
        };
        let why = match outcome {
            Outcome::Stopped(StopReply::Stopped { signal: SIGTRAP, cause: StopCause::SoftwareBreak, .. }) => {
                let after = self.process.registers(thread)?;
                if after.pc() == Some(return_to) && after.sp() == Some(sp) {
                    return Ok(after);
                }
                format!("the function came to {}, where it should not", self.place_of(after.pc()))
            }
            Outcome::Stopped(StopReply::Stopped { signal, .. }) => {
                let pc = self.process.registers(thread).ok().and_then(|registers| registers.pc());
                let name = describe(signal).0;
                format!("the function received signal {name} at {}", self.place_of(pc))
            }
            Outcome::Stopped(_) | Outcome::Interrupted(StopReply::Exited(_) | StopReply::Killed(_)) => {
                "the function ended the program".to_owned()
            }
            Outcome::Interrupted(_) if self.calls.as_ref().is_some_and(|calls| calls.cancel.is_cancelled()) => {
                "the call was cancelled".to_owned()
            }
            Outcome::Interrupted(_) => format!("the function did not return within {limit:?}"),
        };
        if let Some(calls) = &mut self.calls {
            calls.over = Some(why.clone());
        }
        Err(Failure::Said(why))
    }

    fn place_of(&self, pc: Option<RunAddr>) -> String {
        match pc.map(|pc| (pc, self.symbol(pc))) {
            Some((pc, Some((name, offset)))) => format!("{:#x} <{name}+{offset}>", pc.0),
            Some((pc, None)) => format!("{:#x}", pc.0),
            None => "an unknown place".to_owned(),
        }
    }

    /// Puts the registers back that the call has changed: frames and their variables are what they were.
    fn put_back(&mut self, thread: ThreadId, before: &Registers, after: &Registers) -> Result<(), Failure> {
        let layout = self.process.layout().clone();
        let is_restored = |name: &str| {
            let is_general = name.starts_with('r') || matches!(name, "eflags" | "orig_rax");
            is_general || name.starts_with("xmm")
        };
        for register in layout.registers.iter().filter(|register| is_restored(&register.name)) {
            let (old, new) = (before.bytes(&register.name), after.bytes(&register.name));
            if let Some(old) = old.filter(|old| Some(*old) != new) {
                let old = old.to_vec();
                self.process.write_register(thread, register.number, &old)?;
            }
        }
        Ok(())
    }

    /// Fails if a function is known not to take its arguments where its type says, or if that is not known of one whose
    /// callers the compiler may all have known.
    fn check_convention(&mut self, address: RunAddr, passing: &Passing<'_>) -> Result<(), String> {
        let Some(module) = self.modules.at(address).cloned() else { return Ok(()) };
        let link = module.link(address);
        let why = |what: &str| Err(format!("the compiler has changed how it takes its arguments ({what})"));
        let symbol = module.image.symbol_at(link).filter(|symbol| symbol.address == link);
        if let Some(symbol) = &symbol
            && let Some(part) = CHANGED.iter().find(|part| symbol.name.contains(*part))
        {
            return why(&format!("{}, {part}", symbol.name));
        }
        let Some(function) = module.image.function_at(link).filter(|function| function.entry == link) else {
            return Ok(());
        };
        let Some(die) = function.die else { return Ok(()) };
        if module.image.is_called_otherwise(die) {
            return why("DW_CC_nocall");
        }
        if self.target_at(address).dialect == Dialect::Rust
            && let Some(register) = self.reads_unpassed(&module, &function, passing.general)
        {
            return Err(format!(
                "it takes more than its parameters: it reads register {register}, as functions with #[track_caller] do"
            ));
        }
        // Of what others can call, the convention is the platform's.
        let is_exported = symbol.is_some_and(|symbol| !symbol.is_local) || is_exported(&module, &function, link);
        if is_exported && matches!(module.image.language_at(link), Some("c" | "c++")) {
            return Ok(());
        }
        let parameters = module.image.entry_parameters(die, link);
        let declared = match module.image.function_type(die).as_deref() {
            Some(Type::Function { parameters, .. }) => parameters.len(),
            _ => 0,
        };
        let name = |n: usize| match parameters.get(n).and_then(|parameter| parameter.name.as_deref()) {
            Some(name) => format!("`{name}`"),
            None => format!("parameter {}", n + 1),
        };
        match mismatch(&parameters, declared, passing.arguments) {
            None => Ok(()),
            Some(Mismatch::Elsewhere(n)) => why(&format!("{} is elsewhere", name(n))),
            Some(Mismatch::Nowhere(_)) if is_as_written(&module, address, &mut self.process, &self.modules) => Ok(()),
            Some(Mismatch::Nowhere(n)) => Err(format!(
                "it is not known how it takes its arguments: the compiler may have changed that, and the debug info \
                 does not tell where {} is at its start",
                name(n)
            )),
        }
    }

    fn reads_unpassed(&mut self, module: &Module, function: &Function, passed: usize) -> Option<&'static str> {
        let run = |address: LinkAddr| address.at(module.bias);
        let is_own = |at: RunAddr| function.ranges.iter().any(|(start, end)| (run(*start)..run(*end)).contains(&at));
        let arch = self.process.arch();
        let mut program = Code { process: &mut self.process, modules: &self.modules };
        reads_unpassed(arch, run(function.entry), passed, &is_own, &mut program)
    }
}

/// The free part of the stack.
struct StackSpace {
    /// Where the used part ends.
    at: u64,
    lowest: u64,
    placed: u64,
}

impl StackSpace {
    /// Takes so many bytes, aligned as the start of arguments is.
    fn take(&mut self, size: u64) -> Result<u64, Failure> {
        let size = size.checked_next_multiple_of(16).filter(|size| *size <= MAX_PLACED - self.placed);
        let size = size.ok_or_else(|| Failure::Said("the arguments are too large".to_owned()))?;
        self.placed += size;
        self.at = self.at.wrapping_sub(size);
        self.check_room()?;
        Ok(self.at)
    }

    fn check_room(&self) -> Result<(), Failure> {
        match self.at.checked_sub(ROOM).is_some_and(|below| below >= self.lowest) {
            true => Ok(()),
            false => Err(Failure::Said("the thread's stack has no room for a call".to_owned())),
        }
    }
}

fn pointer() -> TypeRef {
    ctype::layout::pointer_to(Arc::new(Type::Void), 8)
}
