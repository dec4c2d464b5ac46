//! One function that is asked about: where it begins and ends, where its arguments are.

use super::error::Error;
use super::frame::Frame;
use super::made_up::MadeUp;
use super::place::{Asked, Spot};
use super::plan::{Plan, PlanBuilder};
use super::program::{ARCH, Module, Program};
use super::scope::{Scope, collect};
use arch::{Exits, FrameAddress, LinkAddr, RunAddr, exits};
use ctype::layout::{UNSPECIFIED, strip};
use ctype::{Encoding, Type, TypeRef};
use dwarf::{FrameContext, Location, ReturnRules, Variable};
use program::made_up::LOOKS;
use std::sync::{Arc, OnceLock};

/// DWARF numbers of the registers that arguments are passed in (System V ABI for AMD64, section 3.2.3).
pub(super) const PASSED_IN: [usize; 6] = [5, 4, 1, 2, 8, 9];
/// Values of the probe at the beginning that are not the plan's: the stack pointer, and the return address.
pub(super) const AT_ENTRY: usize = 2;
/// Values of the probe behind the prologue that are not the plan's: what the frame is counted from.
pub(super) const AT_BODY: usize = 1;

/// A made-up canonical frame address, and how far from it nothing else is.
const CFA: u64 = 0x7700_0000_0000_0000;
const FAR: u64 = 1 << 30;

/// An argument of a function.
#[derive(Clone, Debug)]
pub(super) struct Parameter {
    pub(super) name: String,
    /// Where its value is collected, as a variable of the spot there.
    pub(super) from: From,
}

/// Where something is collected.
#[derive(Clone, Debug)]
pub(super) enum From {
    /// At the first instruction.
    Entry(usize),
    /// Behind the prologue.
    Body(usize),
    /// Nowhere, for this reason.
    Nowhere(String),
}

/// A function, as far as it is looked at.
pub(super) struct Subject {
    pub(super) asked: Asked,
    /// Only its returns are looked at, since others leave to it.
    pub(super) is_hidden: bool,
    pub(super) entry: Spot,
    pub(super) entry_plan: Plan,
    pub(super) body: Option<Body>,
    pub(super) parameters: Vec<Parameter>,
    /// What it returns, if it returns something.
    pub(super) result: Option<TypeRef>,
    /// No debug info says what it is given, and what it returns: `result` is what is in a register.
    pub(super) is_untyped: bool,
    /// An optimiser may have removed what it returns.
    pub(super) may_lack_result: bool,
    /// How it returns it.
    pub(super) return_rules: ReturnRules,
    /// The registers in which callers use it, once that was asked about.
    pub(super) used_results: OnceLock<Vec<&'static str>>,
    pub(super) exits: Exits,
}

/// Behind the prologue.
pub(super) struct Body {
    pub(super) spot: Spot,
    pub(super) plan: Plan,
    /// The return address is at this register, and so much more.
    pub(super) base: (u16, i64),
}

/// A function while it is found out what to collect.
pub(super) struct Draft {
    pub(super) subject: Subject,
    entry: PlanBuilder,
    body: Option<PlanBuilder>,
}

impl Draft {
    /// Prepares a function that is asked about.
    pub(super) fn new(program: &Program, asked: Asked) -> Result<Self, Error> {
        let mut draft = Self::hidden(program, asked)?;
        draft.subject.is_hidden = false;
        let Draft { subject, entry, body } = &mut draft;
        let Some(module) = program.module(subject.asked.module) else { return Ok(draft) };
        if subject.asked.is_untyped {
            (subject.is_untyped, subject.result) = (true, Some(register_type()));
            return Ok(draft);
        }
        let behind = module.image.after_prologue(&subject.asked.function);
        let is_function = |f: &dwarf::InlineFrame| !f.inlined;
        if behind != subject.asked.function.entry {
            let spot = Spot::new(program, subject.asked.module, behind, is_function)?;
            if let Some(base) = frame_base(module, &spot) {
                subject.body = Some(Body { spot, plan: Plan::default(), base });
                *body = Some(PlanBuilder::new(AT_BODY, program.code_at(subject.asked.module, behind)));
            }
        }
        let parameters: Vec<(usize, Variable)> = subject.entry.variables.iter().cloned().enumerate().collect();
        for (number, variable) in parameters.into_iter().filter(|(_, v)| v.is_argument && !v.name.is_empty()) {
            let later = subject.body.as_ref().zip(body.as_mut()).and_then(|(body, wanted)| {
                let same = body.spot.variables.iter().position(|v| v.die == variable.die)?;
                Some((&body.spot, same, wanted))
            });
            let from = match (told_at_entry(module, &subject.entry, &variable), later) {
                (AtEntry::Later | AtEntry::Lost, Some((spot, same, wanted))) => {
                    let added = wanted.add(|state| wants(program, spot, state, same));
                    added.map(|()| From::Body(same))
                }
                (AtEntry::Later, None) => {
                    Err("where it is at the first instruction, debug info does not say".to_owned())
                }
                _ => entry.add(|state| wants(program, &subject.entry, state, number)).map(|()| From::Entry(number)),
            };
            subject.parameters.push(Parameter { name: variable.name, from: from.unwrap_or_else(From::Nowhere) });
        }
        // Assemblers describe where functions are, and no types.
        let entry_at = subject.asked.function.entry;
        subject.is_untyped = subject.asked.function.die.is_none() || module.image.language_at(entry_at) == Some("asm");
        subject.result = match subject.is_untyped {
            true => Some(register_type()),
            false => result_type(module, subject),
        };
        subject.return_rules = match subject.is_untyped {
            true => ReturnRules::default(),
            false => module.image.return_rules(entry_at),
        };
        subject.may_lack_result = !subject.is_untyped && module.image.may_lack_result(entry_at);
        Ok(draft)
    }

    /// Prepares a function of which only the returns are looked at.
    pub(super) fn hidden(program: &Program, asked: Asked) -> Result<Self, Error> {
        let function = &asked.function;
        let entry = Spot::new(program, asked.module, function.entry, |f| !f.inlined)?;
        let module = program.module(asked.module);
        let code: Vec<(RunAddr, &[u8])> =
            function.ranges.iter().filter_map(|range| Some((RunAddr(range.0.0), module?.code(*range)?))).collect();
        let exits = exits(ARCH, RunAddr(function.entry.0), &code).unwrap_or_default();
        let subject = Subject {
            asked,
            is_hidden: true,
            entry,
            entry_plan: Plan::default(),
            body: None,
            parameters: Vec::new(),
            result: None,
            is_untyped: false,
            may_lack_result: false,
            return_rules: ReturnRules::default(),
            used_results: OnceLock::new(),
            exits,
        };
        let code = program.code_at(subject.asked.module, subject.asked.function.entry);
        Ok(Self { subject, entry: PlanBuilder::new(AT_ENTRY, code), body: None })
    }

    /// Returns the place where expressions are evaluated: where all arguments are.
    pub(super) fn main(&mut self) -> (&Spot, &mut PlanBuilder) {
        let at_body = self.subject.parameters.iter().any(|p| matches!(p.from, From::Body(_)));
        match (&self.subject.body, &mut self.body) {
            (Some(body), Some(wanted)) if at_body => (&body.spot, wanted),
            _ => (&self.subject.entry, &mut self.entry),
        }
    }

    /// Ends the preparation and returns the subject.
    pub(super) fn finish(self) -> Subject {
        let Self { mut subject, entry, body } = self;
        subject.entry_plan = entry.plan();
        let is_used = subject.parameters.iter().any(|p| matches!(p.from, From::Body(_)));
        match body.filter(|_| is_used) {
            Some(wanted) => {
                if let Some(body) = &mut subject.body {
                    body.plan = wanted.plan();
                }
            }
            None => subject.body = None,
        }
        subject
    }
}

/// Returns the type of what is in a general register.
fn register_type() -> TypeRef {
    Arc::new(Type::Base { name: "long".to_owned(), encoding: Encoding::Signed, size: 8 })
}

fn wants(program: &Program, spot: &Spot, state: &mut MadeUp, variable: usize) -> Result<(), String> {
    let Some(variable) = spot.variables.get(variable).cloned() else { return Ok(()) };
    collect(program, spot, state, |scope: &mut Scope<'_>| Ok(scope.value_of(&variable))).map(drop)
}

/// What debug info says of a parameter at the first instruction.
enum AtEntry {
    /// Where the caller has put it.
    Truly,
    /// Where it comes later.
    Later,
    /// Nothing.
    Lost,
}

/// Returns whether what debug info says of a parameter at the first instruction is true: in registers, and behind the
/// return address, it is where the caller has put it. Elsewhere on the stack it comes with the prologue, and what is
/// said in terms of the stack pointer may mean that of the rest of the function.
fn told_at_entry(module: &Module, spot: &Spot, variable: &Variable) -> AtEntry {
    let mut state = MadeUp::new(LOOKS[0]);
    let mut frame = Frame::new(&mut state, &module.image, spot.address);
    frame.known_cfa = Some(CFA);
    let location = module.image.variable_location(variable, &mut frame);
    let is_true = match location {
        Location::Register(_) => true,
        Location::Memory(address) if address.abs_diff(CFA) < FAR => address >= CFA,
        Location::Memory(address) => state.recognise(address).is_some_and(|(number, _)| PASSED_IN.contains(&number)),
        Location::Bytes(_) | Location::Pieces(_) | Location::Synthetic { .. } => state.needs.is_empty(),
        Location::OptimizedOut | Location::Unavailable(_) => return AtEntry::Lost,
    };
    if is_true { AtEntry::Truly } else { AtEntry::Later }
}

/// Returns the register, and the distance from it, where the return address is.
fn frame_base(module: &Module, spot: &Spot) -> Option<(u16, i64)> {
    let ask = |look| {
        let mut state = MadeUp::new(look);
        let cfa = Frame::new(&mut state, &module.image, spot.address).cfa()?;
        state.recognise(cfa).filter(|(number, _)| *number < usize::from(super::frame::GENERAL))
    };
    let [first, second] = LOOKS.map(ask);
    let (number, offset) = first.filter(|_| first == second)?;
    Some((u16::try_from(number).ok()?, offset.checked_sub(8)?))
}

/// Returns what a function returns; `None` if nothing, or if that is not known.
fn result_type(module: &Module, subject: &Subject) -> Option<TypeRef> {
    let symbol = module.image.symbol_at(subject.asked.function.entry);
    // The parts of a coroutine are described as if they were all of it, but return nothing.
    if symbol.is_some_and(|s| [".resume", ".destroy", ".cleanup"].iter().any(|part| s.name.ends_with(part))) {
        return None;
    }
    let function = module.image.function_type(subject.asked.function.die?)?;
    match &*function {
        Type::Function { result, .. } => {
            let is_told =
                |ty: &Type| !matches!(ty, Type::Void) && !matches!(ty, Type::Opaque(name) if name == UNSPECIFIED);
            Some(result.get()).filter(|ty| is_told(&strip(ty)))
        }
        _ => None,
    }
}

/// Returns the code before a return address, for the line of the call.
pub(super) fn call_of(address: u64) -> RunAddr {
    FrameAddress::Return(RunAddr(address)).for_lookup()
}

/// Returns the function whose code is at an address, if it is not called through a stub there.
pub(super) fn jumped_to(program: &Program, module: usize, to: RunAddr) -> Option<Asked> {
    let image = &program.module(module)?.image;
    let to = LinkAddr(to.0);
    if image.stub_at(to).is_some() {
        return None;
    }
    image.function_at(to).or_else(|| image.unnamed_at(to)).map(|function| Asked {
        module,
        function,
        is_choice: false,
        is_untyped: false,
    })
}
