//! What is looked at to tell the calls of functions: where they begin and end, and what is evaluated there.

use super::CallsQuery;
use crate::error::Error;
use crate::expression::{Expression, NotCollected};
use crate::frame::{RSP, register_name};
use crate::function::{Draft, From, Subject, jumped_to};
use crate::place::Functions;
use crate::program::Program;
use crate::returned::Collecting;
use softcounters::probes::{Place, Probe, Register, Value};
use std::collections::BTreeSet;

/// Most functions whose returns are looked at because others leave to them.
const MOST_HIDDEN: usize = 64;
/// Most probes of a pass.
pub(crate) const MOST_PROBES: usize = 4096;

/// The registers that arguments are passed in (System V ABI for AMD64, section 3.2.3), as expressions.
const PASSED_IN: [&str; 6] = ["/x $rdi", "/x $rsi", "/x $rdx", "/x $rcx", "/x $r8", "/x $r9"];

/// What is evaluated at each call of one function.
#[derive(Default)]
pub(super) struct Expressions {
    pub(super) at_body: bool,
    /// The registers that arguments are passed in, of a function of which no debug info says what these are.
    pub(super) registers: Vec<Expression>,
    pub(super) values: Vec<Expression>,
    pub(super) condition: Option<Expression>,
}

/// What a probe is for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Role {
    Entry(u32),
    Body(u32),
    Return(u32),
    /// To this function, if it is looked at.
    Tail(Option<u32>),
    /// Where calls return to, at this address.
    Back(u64),
}

impl Role {
    /// Returns the address that calls return to, if it is looked at for that.
    pub(super) fn back(&self) -> Option<u64> {
        match self {
            Self::Back(address) => Some(*address),
            _ => None,
        }
    }
}

/// The functions that are asked about, those whose returns are looked at besides, what is evaluated, and notes.
pub(super) type Prepared = (Vec<Subject>, Vec<Option<Expressions>>, Vec<String>);

pub(super) fn prepare(program: &Program, found: Functions, query: &CallsQuery) -> Result<Prepared, Error> {
    let mut notes: Vec<String> = found.note.into_iter().collect();
    if found.copies.count() > 0 {
        notes.push(format!(
            "calls that are inlined are no instructions and are not told, at {}; rr_trace with the function as location \
             tells them",
            found.copies
        ));
    }
    let (mut subjects, mut values) = (Vec::new(), Vec::new());
    let mut untyped: Vec<String> = Vec::new();
    let (several, mut unsuited) = (found.all.len() > 1, Vec::new());
    let (mut untold, mut chosen) = (BTreeSet::<String>::new(), BTreeSet::<String>::new());
    for asked in found.all {
        let (name, module) = (asked.function.name.clone(), asked.module);
        let mut draft = Draft::new(program, asked)?;
        let (returned, is_untyped) = (draft.subject.result.clone(), draft.subject.is_untyped);
        let at_body = draft.subject.parameters.iter().any(|p| matches!(p.from, From::Body(_)));
        let (spot, wanted) = draft.main();
        let spot = spot.clone();
        let told = Expression::all(program, &spot, wanted, &query.values, returned.as_ref());
        let condition = |text: &String| Expression::condition(program, &spot, wanted, text, returned.as_ref());
        let condition = query.condition.as_ref().map(condition).transpose();
        let (told, condition) = match (told, condition) {
            (Ok(told), Ok(condition)) => (told, condition),
            // A library may have another function of this name, which has no such arguments.
            (Err(error), _) | (_, Err(error)) if several => {
                unsuited.push((name, module, error));
                continue;
            }
            (Err(error), _) | (_, Err(error)) => return Err(error),
        };
        let mut new = |text: &str| Expression::new(program, &spot, wanted, text, returned.as_ref());
        let registers = match is_untyped {
            true => PASSED_IN.iter().map(|text| new(text)).collect::<Result<_, _>>()?,
            false => Vec::new(),
        };
        untold.extend(told.iter().filter_map(|one| one.as_ref().err()).map(NotCollected::note));
        let told: Vec<Expression> = told.into_iter().filter_map(Result::ok).collect();
        chosen.extend(told.iter().chain(&condition).flat_map(|told| told.choices(program, &spot)));
        values.push(Some(Expressions { at_body, registers, values: told, condition }));
        if is_untyped {
            untyped.push(draft.subject.asked.function.name.clone());
        }
        subjects.push(draft.finish());
    }
    notes.extend(untold.into_iter().chain(chosen));
    if !unsuited.is_empty() {
        if subjects.is_empty() {
            return Err(unsuited.swap_remove(0).2);
        }
        notes.push(left_out(program, &unsuited));
    }
    if let Some(first) = untyped.first() {
        let more = if untyped.len() > 1 { format!(" and {} others", untyped.len() - 1) } else { String::new() };
        notes.push(format!(
            "no debug info says what `{first}`{more} is given and returns: told are the registers that whole numbers and \
             pointers are passed in, and `$return` is rax"
        ));
    }
    let mut looked = 0;
    while let Some(subject) = subjects.get(looked) {
        let jumps: Vec<_> = subject.exits.tails.iter().map(|tail| (subject.asked.module, tail.to)).collect();
        looked += 1;
        for (module, to) in jumps {
            let Some(asked) = jumped_to(program, module, to) else { continue };
            let is_known = subjects
                .iter()
                .any(|s: &Subject| (s.asked.module, s.asked.function.entry) == (module, asked.function.entry));
            let hidden = subjects.iter().filter(|s| s.is_hidden).count();
            if !is_known && hidden < MOST_HIDDEN {
                subjects.push(Draft::hidden(program, asked)?.finish());
                values.push(None);
            }
        }
    }
    Ok((subjects, values, notes))
}

/// Tells which functions were left out, as what was asked does not exist there.
fn left_out(program: &Program, unsuited: &[(String, usize, Error)]) -> String {
    const MOST_NAMED: usize = 3;
    let named = unsuited.iter().take(MOST_NAMED).map(|(name, module, _)| match program.module(*module) {
        Some(module) => format!("`{name}` of {}", module.name),
        None => format!("`{name}`"),
    });
    let more = unsuited.len().saturating_sub(MOST_NAMED);
    let more = if more == 0 { String::new() } else { format!(" and {more} more") };
    let why = unsuited.first().map(|(.., error)| error.to_string()).unwrap_or_default();
    format!("left out: {}{more}, where the values are unavailable ({why})", named.collect::<Vec<_>>().join(", "))
}

/// Returns the probes, and what each is for. `backs`: addresses that calls return to whose returns are not seen
/// otherwise.
pub(super) fn probes(
    program: &Program,
    subjects: &[Subject],
    collecting: Collecting,
    backs: &BTreeSet<u64>,
) -> Result<(Vec<Probe>, Vec<Role>), Error> {
    let (mut probes, mut roles) = (Vec::new(), Vec::new());
    let named = |number: u16| Register::named(register_name(number)).map(Value::Register);
    let sp: Vec<Value> = named(RSP).into_iter().collect();
    let word =
        |step| Register::named(register_name(RSP)).map(|base| Value::Memory { base, steps: vec![step], length: 8 });
    let (caller, popped) = (word(0), word(-8));
    for (number, subject) in subjects.iter().enumerate() {
        let Some(module) = program.module(subject.asked.module) else { continue };
        let number = number as u32;
        let mut add = |address: u64, values: Vec<Value>, role: Role| {
            probes.push(Probe::new(Place::Module { module: module.identity.clone(), address }, values));
            roles.push(role);
        };
        let mut at_entry = sp.clone();
        at_entry.extend(caller.clone());
        at_entry.extend(subject.entry_plan.values.clone());
        add(subject.asked.function.entry.0, at_entry, Role::Entry(number));
        if let Some(body) = &subject.body {
            let mut values: Vec<Value> = named(body.base.0).into_iter().collect();
            values.extend(body.plan.values.clone());
            add(body.spot.address.0, values, Role::Body(number));
        }
        for at in &subject.exits.returns {
            add(at.0, [sp.clone(), collecting.values()].concat(), Role::Return(number));
        }
        for tail in &subject.exits.tails {
            let to = jumped_to(program, subject.asked.module, tail.to).and_then(|asked| {
                let key = (asked.module, asked.function.entry);
                // What is jumped into the middle of does not begin with its first instruction.
                let is_it = |s: &Subject| (s.asked.module, s.asked.function.entry) == key && key.1.0 == tail.to.0;
                subjects.iter().position(is_it).map(|found| found as u32)
            });
            if to.is_some() || !tail.is_conditional {
                add(tail.at.0, sp.clone(), Role::Tail(to));
            }
        }
    }
    for back in backs.iter().take(MOST_PROBES.saturating_sub(probes.len())) {
        let values = [sp.clone(), collecting.values(), popped.iter().cloned().collect()].concat();
        probes.push(Probe::new(Place::Address { address: *back, space: None }, values));
        roles.push(Role::Back(*back));
    }
    if probes.len() > MOST_PROBES {
        let why = format!(
            "these functions begin and end at {} places, at most {MOST_PROBES} can be looked at: make it narrower",
            probes.len()
        );
        return Err(Error::question(why));
    }
    Ok((probes, roles))
}
