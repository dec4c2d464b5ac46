//! Calls as they are told: arguments and results where they were, callers by name.

use super::Calls;
use super::join::Call;
use super::prepare::Role;
use crate::answer::ASKED;
use crate::biases::Biases;
use crate::error::Error;
use crate::expression::{scope_at, short};
use crate::function::{self, From, Subject, call_of};
use crate::hits::{Moment, Visits};
use crate::matching::End;
use crate::program::Program;
use crate::returned::result;
use crate::scope::Scope;
use crate::shown::Shown;
use arch::{LinkAddr, RunAddr};
use base::cancel::Cancel;
use base::qualified::bare_path;
use ctype::{Place, Unavailable, Value};
use rr::ProbeHit;
use softcounters::probes::CollectedValue;
use std::collections::BTreeMap;
use std::fmt;

/// A hit, and which time it is in its tick that its thread comes by there.
type Seen = (ProbeHit, Option<u32>);

/// An argument, or another expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Argument {
    /// Its name.
    pub name: String,
    /// Its value; in words why it is not known.
    pub value: Result<Shown, String>,
}

/// Where something is in the sources.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// The function.
    pub function: Option<String>,
    /// The file, as it is called in debug info.
    pub file: Option<String>,
    /// Its line.
    pub line: Option<u32>,
    /// The address.
    pub address: u64,
}

/// How a call came to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// It returned, at that moment.
    Returned(Moment),
    /// It left by a tail call of what is not looked at: this function, if that is known.
    TailCall(Option<String>),
    /// It did not return: it was left by an exception, by `longjmp`, by the end of its thread or of the recording.
    Unfinished,
}

impl Ending {
    /// Returns when it returned, if it did.
    pub(crate) const fn moment(&self) -> Option<&Moment> {
        match self {
            Self::Returned(at) => Some(at),
            Self::TailCall(_) | Self::Unfinished => None,
        }
    }
}

/// A call.
#[derive(Clone, Debug, PartialEq)]
pub struct CallRow {
    /// When it began.
    pub at: Moment,
    /// The function.
    pub function: String,
    /// Its arguments, and the other expressions.
    pub arguments: Vec<Argument>,
    /// What it returned; in words why that is not known. `None`: nothing, or it did not return.
    pub result: Option<Result<Shown, String>>,
    /// How it came to its end.
    pub ending: Ending,
    /// Where it returns to.
    pub caller: Source,
    /// How many calls of these functions it is in.
    pub depth: u32,
    /// One of those never returned: it may have been left before this call.
    pub depth_is_doubtful: bool,
    /// The call before left by a tail call of this function: the caller is that one's.
    pub is_tail_called: bool,
}

impl Calls {
    /// Returns so many rows from one on, in the order in which the calls began.
    ///
    /// # Errors
    /// If what was found cannot be read any more, and if it is cancelled.
    pub fn page(&self, offset: u64, limit: usize, cancel: &Cancel) -> Result<Vec<CallRow>, Error> {
        let first = usize::try_from(offset).unwrap_or(usize::MAX).min(self.calls.len());
        let calls = self.calls.get(first..first.saturating_add(limit).min(self.calls.len())).unwrap_or_default();
        Ok(self.rows_of(calls, cancel)?.into_iter().flatten().collect())
    }

    /// Returns the rows of calls; none of what cannot be told.
    pub(super) fn rows_of(&self, calls: &[Call], cancel: &Cancel) -> Result<Vec<Option<CallRow>>, Error> {
        let mut wanted: BTreeMap<u64, Option<Seen>> = BTreeMap::new();
        for call in calls {
            for number in [call.entry(), call.body(), call.exit()].into_iter().flatten() {
                wanted.insert(number, None);
            }
        }
        let (last, mut visits) = (wanted.keys().next_back().copied(), Visits::default());
        let mut rest = wanted.keys().copied().collect::<Vec<_>>().into_iter();
        let mut next = rest.next();
        let (mut hits, mut numbers) = (self.pass.glimpses()?, 0..=last.unwrap_or(0));
        while let (Some(number), Some(hit)) = (numbers.next(), hits.next_hit()) {
            let (hit, found) = hit?;
            if number.is_multiple_of(ASKED) && cancel.is_cancelled() {
                return Err(Error::Cancelled);
            }
            let visit = visits.count(hit.thread, hit.ticks, self.instructions.place(&hit, &found));
            if next.is_some_and(|next| next == number) {
                wanted.insert(number, Some((hit.with(found.values()?), visit)));
                next = rest.next();
            }
        }
        let mut biases = Biases::default();
        let hit = |number: Option<u64>| number.and_then(|number| wanted.get(&number)?.as_ref());
        let row = |call: &Call| {
            let entry = hit(call.entry())?;
            self.row(call, entry, hit(call.body()), hit(call.exit()), &mut biases)
        };
        self.program.ask_with(cancel, || calls.iter().map(row).collect())
    }

    fn row(
        &self,
        call: &Call,
        (entry, visit): &Seen,
        body: Option<&Seen>,
        exit: Option<&Seen>,
        biases: &mut Biases,
    ) -> Option<CallRow> {
        let subject = self.subjects.get(call.subject as usize)?;
        let (at, moment) =
            biases.at(&self.program, &self.pass, &entry.at(), &subject.entry, self.instructions.of_hit(entry));
        let moment = Moment { visit: *visit, ..moment };
        let mut at_entry = subject.entry_plan.moment(entry.values.get(function::AT_ENTRY..)?);
        let mut at_body = body.zip(subject.body.as_ref()).map(|((hit, _), body)| {
            let values = hit.values.get(function::AT_BODY..).unwrap_or_default();
            (&body.spot, body.plan.moment(values))
        });
        let mut arguments = Vec::new();
        for parameter in &subject.parameters {
            let value = match (&parameter.from, &mut at_body) {
                (From::Nowhere(why), _) => Err(why.clone()),
                (From::Body(_), None) => Err("the call ended before its arguments were in place".to_owned()),
                (From::Body(number), Some((spot, moment))) => {
                    let mut scope = scope_at(&self.program, spot, moment, at);
                    argument(*number, &mut scope)
                }
                (From::Entry(number), _) => {
                    argument(*number, &mut scope_at(&self.program, &subject.entry, &mut at_entry, at))
                }
            };
            arguments.push(Argument { name: parameter.name.clone(), value });
        }
        let found = exit.and_then(|(hit, _)| result(&self.program, subject, self.collecting, hit.values.get(1..)?));
        if let Some((_, memory)) = &found {
            // What was returned is there when an expression leads to it.
            at_entry.add_memory(memory);
            if let Some((_, moment)) = &mut at_body {
                moment.add_memory(memory);
            }
        }
        let returned = returned(subject, found.as_ref().map(|(value, _)| value), exit.is_some());
        let expressions = self.values.get(call.subject as usize)?.as_ref()?;
        let (registers, values) = (expressions.registers.iter(), expressions.values.iter());
        for (expression, is_register) in registers.map(|e| (e, true)).chain(values.map(|e| (e, false))) {
            let (spot, moment) = match (&mut at_body, expressions.at_body) {
                (Some((spot, moment)), true) => (*spot, moment),
                (None, true) => {
                    let value = Err("the call ended before its arguments were in place".to_owned());
                    arguments.push(Argument { name: expression.text.clone(), value });
                    continue;
                }
                (_, false) => (&subject.entry, &mut at_entry),
            };
            let mut scope = scope_at(&self.program, spot, moment, at);
            scope.returned.clone_from(&returned);
            let value = expression.shown(&mut scope);
            let name = if is_register { expression.text.trim_start_matches("/x ") } else { &expression.text };
            arguments.push(Argument { name: name.to_owned(), value });
        }
        let result = found.map(|(value, mut memory)| {
            let mut scope = scope_at(&self.program, &subject.entry, &mut memory, at);
            let shown = value.map(|value| short(&value, &mut scope))?;
            match subject.is_untyped {
                true => Err(format!("without debug info of its result; rax was {shown}")),
                false => Ok(shown),
            }
        });
        let ending = match (call.end, exit) {
            (End::Returned, Some(hit)) => Ending::Returned(self.return_of(hit, biases)?),
            (End::Left, _) => Ending::TailCall(self.left_to(subject)),
            _ => Ending::Unfinished,
        };
        let caller = source(&self.program, at.pid, at.event, word(entry, 1));
        Some(CallRow {
            at: moment,
            function: subject.asked.function.name.clone(),
            arguments,
            result,
            ending,
            caller,
            depth: call.depth,
            depth_is_doubtful: call.doubtful,
            is_tail_called: call.tail,
        })
    }

    /// Returns when and where a call returned.
    fn return_of(&self, (hit, visit): &Seen, biases: &mut Biases) -> Option<Moment> {
        let subject = match self.roles.get(hit.probe)? {
            Role::Return(subject) => self.subjects.get(*subject as usize)?,
            Role::Back(address) => {
                let (_, moment) = biases.at(&self.program, &self.pass, &hit.at(), &self.subjects.first()?.entry, None);
                return Some(Moment { visit: *visit, pc: Some(*address), ..moment });
            }
            _ => return None,
        };
        let (at, mut moment) =
            biases.at(&self.program, &self.pass, &hit.at(), &subject.entry, self.instructions.of_hit(hit));
        let of_subject = self.roles.iter().take(hit.probe).rev().take_while(|role| matches!(role, Role::Return(_)));
        let address = subject.exits.returns.get(of_subject.count());
        moment.visit = *visit;
        moment.pc = address.zip(at.bias).map(|(address, bias)| LinkAddr(address.0).at(bias).0);
        Some(moment)
    }

    /// Returns the function that a function leaves to, if that is one.
    fn left_to(&self, subject: &Subject) -> Option<String> {
        let module = self.program.module(subject.asked.module)?;
        let mut names = subject.exits.tails.iter().map(|tail| {
            let to = LinkAddr(tail.to.0);
            module.image.stub_at(to).map(|stub| stub.name).or_else(|| Some(module.image.symbol_at(to)?.display))
        });
        let first = names.next()??;
        names.all(|name| name.as_ref() == Some(&first)).then_some(first)
    }
}

/// Returns a word of memory that was collected.
fn word(hit: &ProbeHit, number: usize) -> u64 {
    match hit.values.get(number) {
        Some(CollectedValue::Memory(bytes)) => bytes.first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes)),
        _ => 0,
    }
}

/// Returns what `$return` is: what a call has returned, or that this is not known, and why.
pub(super) fn returned(subject: &Subject, found: Option<&Result<Value, String>>, has_returned: bool) -> Option<Value> {
    let ty = subject.result.clone()?;
    let why = match found {
        Some(Ok(value)) => return Some(value.clone()),
        Some(Err(why)) => why.clone(),
        None if has_returned => "its result is unknown".to_owned(),
        None => "the call did not return".to_owned(),
    };
    Some(Value::new(ty, Place::Unavailable(Unavailable::Other(why))))
}

fn argument(number: usize, scope: &mut Scope<'_>) -> Result<Shown, String> {
    let variable = scope.spot.variables.get(number).cloned().ok_or_else(|| "not collected".to_owned())?;
    let value = scope.value_of(&variable);
    Ok(short(&value, scope))
}

/// Returns where a return address is.
pub(crate) fn source(program: &Program, pid: u32, event: u64, address: u64) -> Source {
    let mut source = Source { function: None, file: None, line: None, address };
    let Some((module, bias)) = program.at(pid, event, address) else { return source };
    let link = call_of(address).linked(bias);
    match module.image.inline_chain(link).into_iter().next() {
        Some(frame) => {
            source.function = Some(frame.name);
            source.file = frame.file.map(|file| file.name.clone());
            source.line = frame.line;
        }
        None => source.function = module.image.symbol_at(link).map(|symbol| symbol.display),
    }
    if source.function.is_none() {
        let at = RunAddr(address).linked(bias);
        source.function = Some(format!("{}+{:#x}", module.name, at.0));
    }
    source
}

impl Source {
    /// Returns the same with the name of the function alone: without its parameters, and the arguments of its template.
    pub fn without_parameters(&self) -> Self {
        let function = self.function.as_deref().map(|function| bare_path(function).to_owned());
        Self { function, ..self.clone() }
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.function {
            Some(function) => f.write_str(function)?,
            None => write!(f, "{:#x}", self.address)?,
        }
        match (&self.file, self.line) {
            (Some(file), Some(line)) => write!(f, " at {file}:{line}"),
            _ => Ok(()),
        }
    }
}
