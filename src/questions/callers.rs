//! Finds the callers of certain calls, outward, by unwinding the stack that a pass has collected at each.

use super::answer::{DEADLINE, LIMIT};
use super::calls::Source;
use super::error::Error;
use super::frame::{Frame, GENERAL, RSP, State, register_name};
use super::function::call_of;
use super::hits::registers;
use super::program::Program;
use arch::RunAddr;
use base::cancel::Cancel;
use ctype::Unavailable;
use dwarf::is_own_source;
use rr::{ProbePass, Rr};
use softcounters::probes::{CollectedValue, Operand, Place, Probe, Register, Requirement, Value};
use std::ops::ControlFlow;
use std::path::Path;

/// Bytes of the stack that are collected with one value of a probe, and so many values.
const PIECE: u16 = 512;
const PIECES: i32 = 16;
/// The DWARF number of rdi (System V ABI for AMD64, figure 3.36).
const RDI: u16 = 5;
/// Most frames of code that are unwound.
const DEEPEST: usize = 24;

/// A call, where it begins; or another moment of a thread.
#[derive(Clone, Debug)]
pub(super) struct Begun {
    pub(super) pid: u32,
    pub(super) tid: u32,
    pub(super) ticks: u64,
    /// Events that are completed by then.
    pub(super) event: u64,
    /// The address of the instruction that comes next: of a call the function's first.
    pub(super) pc: u64,
    /// The value of rdi. `None`: this is not where a call begins, and the function that the instruction is of is among
    /// the callers.
    pub(super) argument: Option<u64>,
}

/// The callers of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frames {
    /// The functions from the caller on outward, inlined ones among them, each with whether its code is the user's own:
    /// neither a library of the system nor a file of a language's library has it.
    pub all: Vec<(Source, bool)>,
}

impl Frames {
    /// Takes the caller alone.
    pub(super) fn of(caller: Source) -> Self {
        Self { all: vec![(caller, true)] }
    }

    /// Returns the innermost of the user's own, and who called these; the innermost of all if none is the user's own.
    pub fn shown(&self, most: usize) -> Vec<&Source> {
        let mut own: Vec<&Source> = self.all.iter().filter(|(_, is_own)| *is_own).map(|(source, _)| source).collect();
        if own.is_empty() {
            own = self.all.iter().map(|(source, _)| source).collect();
        }
        own.truncate(most);
        own
    }
}

/// Finds the callers of calls by a replay that ends when it has met them all; `None` for those that it has not met, or cannot unwind.
pub(super) fn callers(
    rr: &Rr,
    trace: &Path,
    program: &Program,
    calls: &[Begun],
    cancel: &Cancel,
) -> Result<Vec<Option<Frames>>, Error> {
    let (asked, probes): (Vec<u64>, Vec<Probe>) =
        calls.iter().filter_map(|call| Some((call.pc, probe(program, call)?))).unzip();
    let mut all: Vec<Option<Frames>> = vec![None; calls.len()];
    if probes.is_empty() {
        return Ok(all);
    }
    let look = |pass: &ProbePass| match met(pass, program, (calls, &asked), cancel) {
        Ok((met, false)) => ControlFlow::Continue(Ok(met)),
        Ok((met, true)) => ControlFlow::Break(Ok(met)),
        Err(error) => ControlFlow::Break(Err(error)),
    };
    let (_, met) = rr.probe_pass_with(trace, &probes, LIMIT, DEADLINE, look)?;
    for (number, stack) in met? {
        let call = calls.get(number);
        if let Some((call, frames)) = call.zip(all.get_mut(number)) {
            let unwound = program.ask_with(cancel, || unwound(program, call, stack))?;
            *frames = Some(unwound).filter(|frames| !frames.all.is_empty());
        }
    }
    Ok(all)
}

/// Returns what collects the stack at a call.
fn probe(program: &Program, call: &Begun) -> Option<Probe> {
    let (module, bias) = program.at(call.pid, call.event, call.pc)?;
    let address = call.pc.wrapping_sub(bias.0);
    let base = Register::named(register_name(RSP))?;
    let piece = |number: i32| Value::Memory { base, steps: vec![number * i32::from(PIECE)], length: PIECE };
    let values = registers().into_iter().chain((0..PIECES).map(piece)).collect();
    let first = Operand::Register(Register::named("rdi")?);
    let is_argument = |argument: i128| Requirement {
        operand: first,
        size: 8,
        is_signed: false,
        range: argument..=argument,
        is_other: false,
    };
    let requires = call.argument.map(i128::from).map(is_argument).into_iter().collect();
    Some(Probe { requires, ..Probe::new(Place::Module { module: module.identity.clone(), address }, values) })
}

/// Returns the stacks of the calls that a pass has met, by their numbers, and whether these are all. `probes`: the
/// addresses that its probes are at.
fn met(
    pass: &ProbePass,
    program: &Program,
    (calls, probes): (&[Begun], &[u64]),
    cancel: &Cancel,
) -> Result<(Vec<(usize, Collected)>, bool), Error> {
    let mut all: Vec<(usize, Collected)> = Vec::new();
    let mut hits = pass.glimpses()?;
    while let Some(hit) = hits.next_hit() {
        let (hit, values) = hit?;
        if cancel.is_cancelled() {
            return Err(Error::Cancelled);
        }
        let pc = probes.get(hit.probe).copied();
        let is_it = |call: &Begun| {
            (call.tid, call.ticks, Some(call.pc)) == (hit.tid, hit.ticks, pc)
                && program.mappings.process_of(hit.tid) == call.pid
        };
        if !calls.iter().any(is_it) {
            continue;
        }
        let mut collected = Collected::of(&values.values()?);
        let argument = collected.register(RDI);
        for (number, call) in calls.iter().enumerate().filter(|(_, call)| is_it(call)) {
            let is_it = call.argument.is_none_or(|expected| argument == Some(expected));
            if is_it && !all.iter().any(|(met, _)| *met == number) {
                all.push((number, collected.clone()));
            }
        }
        if all.len() == calls.len() {
            return Ok((all, true));
        }
    }
    Ok((all, false))
}

/// Registers and the stack at a function's first instruction, and then at its callers'.
#[derive(Clone)]
struct Collected {
    registers: [Option<u64>; GENERAL as usize],
    /// The address where the stack begins.
    base: u64,
    stack: Vec<u8>,
}

impl Collected {
    fn of(values: &[CollectedValue]) -> Self {
        let (mut registers, mut stack) = ([None; GENERAL as usize], Vec::new());
        let mut next = registers.iter_mut();
        for value in values {
            match value {
                CollectedValue::Register(value) => {
                    if let Some(register) = next.next() {
                        *register = Some(*value);
                    }
                }
                // What is behind the stack's end is missing; nothing that was read comes after it.
                CollectedValue::Memory(bytes) if stack.len().is_multiple_of(usize::from(PIECE)) => stack.extend(bytes),
                CollectedValue::Memory(_) | CollectedValue::Vector(_) => {}
            }
        }
        let base = registers.get(usize::from(RSP)).copied().flatten().unwrap_or_default();
        Self { registers, base, stack }
    }
}

impl State for Collected {
    fn instruction(&mut self) -> Option<u64> {
        None
    }

    fn thread(&mut self) -> Option<u64> {
        None
    }

    fn register(&mut self, number: u16) -> Option<u64> {
        self.registers.get(usize::from(number)).copied().flatten()
    }

    fn vector(&mut self, _number: u16) -> Option<[u8; 16]> {
        None
    }

    fn read(&mut self, address: u64, buffer: &mut [u8]) -> Result<(), Unavailable> {
        let from = address.checked_sub(self.base).and_then(|from| usize::try_from(from).ok());
        let bytes = from.and_then(|from| self.stack.get(from..from.checked_add(buffer.len())?));
        match bytes {
            Some(bytes) => buffer.copy_from_slice(bytes),
            None => return Err(Unavailable::Other("it was not collected".to_owned())),
        }
        Ok(())
    }
}

impl Collected {
    fn word(&mut self, address: u64) -> Option<u64> {
        let mut bytes = [0; 8];
        self.read(address, &mut bytes).ok().map(|()| u64::from_le_bytes(bytes))
    }

    fn set(&mut self, number: u16, value: Option<u64>) {
        if let Some(register) = self.registers.get_mut(usize::from(number)) {
            *register = value;
        }
    }
}

/// Unwinds from the first instruction of a function, where the return address is what the stack begins with, or from the
/// middle of one, by the frame information, as far as the collected stack leads.
fn unwound(program: &Program, call: &Begun, mut state: Collected) -> Frames {
    let mut frames = Frames { all: Vec::new() };
    let mut returns = call.argument.is_some();
    let mut next = Some(call.pc);
    if returns {
        next = state.word(state.base);
        let sp = state.base.wrapping_add(8);
        state.set(RSP, Some(sp));
    }
    while let Some(address) = next.filter(|address| *address != 0 && frames.all.len() < DEEPEST) {
        let Some((module, bias)) = program.at(call.pid, call.event, address) else { break };
        let place = if returns { call_of(address) } else { RunAddr(address) };
        let link = place.linked(bias);
        let is_own_module = !module.is_of_system();
        let chain = module.image.inline_chain(link);
        for frame in &chain {
            let own = frame.file.as_ref().is_none_or(|file| is_own_source(&file.path.to_string_lossy()));
            let source = Source {
                function: Some(frame.name.clone()),
                file: frame.file.as_ref().map(|file| file.name.clone()),
                line: frame.line,
                address,
            };
            frames.all.push((source, is_own_module && own && !is_of_language(&frame.name)));
        }
        if chain.is_empty() {
            let function = module.image.symbol_at(link).map(|symbol| symbol.display);
            frames.all.push((Source { function, file: None, line: None, address }, false));
        }
        let before = state.register(RSP);
        let mut frame = Frame::in_module(&mut state, module, link, Some(bias));
        let Ok(Some(outer)) = module.image.unwind(link, &mut frame) else { break };
        if outer.signal_frame || before.is_some_and(|sp| outer.cfa <= sp) {
            break;
        }
        let of_caller =
            |number: u16| outer.registers.iter().find(|(saved, _)| *saved == number).map(|(_, value)| *value);
        for number in 0..GENERAL {
            state.set(number, of_caller(number));
        }
        state.set(RSP, Some(outer.cfa));
        next = outer.return_address;
        returns = true;
    }
    frames
}

/// Returns whether a function is of a language's own library, wherever it was compiled, or what calls `main`.
fn is_of_language(name: &str) -> bool {
    let name = name.trim_start_matches('<').trim_start_matches('&');
    name == "_start"
        || ["std::", "core::", "alloc::", "__gnu_cxx::", "__rustc", "operator new", "operator delete"]
            .iter()
            .any(|start| name.starts_with(start))
}
