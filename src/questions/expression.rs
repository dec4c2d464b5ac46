//! An expression, and what it comes to at a hit.

use super::error::Error;
use super::frame::State;
use super::made_up::MadeUp;
use super::place::Spot;
use super::plan::{DEPENDS, Plan, PlanBuilder};
use super::program::{Module, Program};
use super::quick::{Quick, requirements};
use super::scope::{Collects, Scope, collect};
use super::shown::Shown;
use ctype::layout::{size_of, strip};
use ctype::{Encoding, Format, Memory, Options, Place, Type, TypeRef, Unavailable, Value, render, render_member};
use expr::{Env, ErrorKind, Parsed};
use program::made_up::LOOKS;
use softcounters::probes::{BriefHit, Requirement};

/// An expression that is evaluated at hits of a place.
pub(super) struct Expression {
    pub(super) text: String,
    format: Option<Format>,
    parsed: Parsed,
    /// For who asks whether it is true.
    quick: Option<Quick>,
    /// What must hold for it to be true.
    pub(super) requires: Vec<Requirement>,
}

/// Expressions that are evaluated at hits of one place.
pub(super) struct Several {
    pub(super) told: Vec<Result<Expression, NotCollected>>,
    /// Why the first one cannot be told there, if none of them can.
    pub(super) failed: Option<Error>,
}

/// Bytes of a value in a row.
const MOST_TEXT: usize = 200;

impl Expression {
    /// Finds out what has to be collected for it. `returned` is the type of `$return`, if there is that.
    pub(super) fn new(
        program: &Program,
        spot: &Spot,
        wanted: &mut PlanBuilder,
        text: &str,
        returned: Option<&TypeRef>,
    ) -> Result<Self, Error> {
        let place = || where_is(program, spot);
        let failed =
            |error: &expr::Error, text: &str| Error::question(format!("{}\nat {}", error.render(text), place()));
        let (format, rest) = expr::split_format(text).map_err(|error| failed(&error, text))?;
        // `$return` is there when the call has returned; until then it is nothing that leads anywhere.
        let result = || {
            let ty = returned?;
            let size = usize::try_from(size_of(ty)?).ok().filter(|size| *size <= 1 << 16)?;
            Some(Value::new(ty.clone(), Place::Bytes(vec![Some(1); size])))
        };
        let mut state = MadeUp::new(LOOKS[0]);
        let mut scope = Scope::new(program, spot, &mut state, None);
        scope.returned = result();
        let parsed = expr::parse_in(rest, &mut scope).map_err(|error| failed(&error, rest))?;
        let refused = |why: String| {
            Error::question(format!(
                "`{text}` cannot be collected in advance at {}: {why}. A breakpoint there with a log, or with a condition \
                 (rr_breakpoint_set), stops at each hit and evaluates with the values of that moment",
                place()
            ))
        };
        let mut collected = |parsed: &Parsed| {
            let evaluate = |scope: &mut Scope<'_>| {
                scope.returned = result();
                expr::evaluate(parsed, scope).map_err(|error| error.render(rest))
            };
            if wanted.add(|state| collect(program, spot, state, evaluate))? == Collects::Objects {
                for name in parsed.names() {
                    let variable = |scope: &mut Scope<'_>| scope.variable(name).map_err(|_| String::new());
                    // One that is not to be had does not keep the others from being collected.
                    let _ = wanted.add(|state| collect(program, spot, state, variable));
                }
            }
            Ok(())
        };
        for part in std::iter::once(parsed.clone()).chain(parsed.conditional_parts()) {
            let operands = part.operands();
            match collected(&part) {
                // Whether an operand is evaluated is what depends on values: each is collected by itself.
                Err(why) if why == DEPENDS && operands.len() > 1 => {
                    operands.iter().try_for_each(&mut collected).map_err(refused)?;
                }
                collected => collected.map_err(refused)?,
            }
        }
        Ok(Self { text: text.to_owned(), format, parsed, quick: None, requires: Vec::new() })
    }

    /// Does as [`Expression::new`], for a condition.
    pub(super) fn condition(
        program: &Program,
        spot: &Spot,
        wanted: &mut PlanBuilder,
        text: &str,
        returned: Option<&TypeRef>,
    ) -> Result<Self, Error> {
        let found = Self::new(program, spot, wanted, text, returned)?;
        let mut state = MadeUp::new(LOOKS[0]);
        let mut scope = Scope::new(program, spot, &mut state, None);
        let quick = Quick::new(&mut scope, &found.parsed);
        let requires = requirements(&mut scope, &found.parsed);
        Ok(Self { quick, requires, ..found })
    }

    /// Does as [`Expression::new`], for several. Those that cannot be told there do not keep the others from being told.
    ///
    /// # Errors
    /// If none of them can be told there.
    pub(super) fn all(
        program: &Program,
        spot: &Spot,
        wanted: &mut PlanBuilder,
        texts: &[String],
        returned: Option<&TypeRef>,
    ) -> Result<Vec<Result<Self, NotCollected>>, Error> {
        let Several { told, failed } = Self::each(program, spot, wanted, texts, returned)?;
        failed.map_or(Ok(told), Err)
    }

    /// Does as [`Expression::all`], also where none of them can be told.
    pub(super) fn each(
        program: &Program,
        spot: &Spot,
        wanted: &mut PlanBuilder,
        texts: &[String],
        returned: Option<&TypeRef>,
    ) -> Result<Several, Error> {
        let (mut all, mut failed) = (Vec::new(), None);
        for text in texts {
            match Self::new(program, spot, wanted, text, returned) {
                Ok(told) => all.push(Ok(told)),
                Err(Error::Question(why)) => {
                    all.push(Err(NotCollected { why: why.clone() }));
                    failed.get_or_insert(Error::Question(why));
                }
                Err(other) => return Err(other),
            }
        }
        let failed = failed.filter(|_| all.iter().all(Result::is_err));
        Ok(Several { told: all, failed })
    }

    /// Returns which of several its names mean, as far as that does not go without saying: as a stop there notes it.
    pub(super) fn choices(&self, program: &Program, spot: &Spot) -> Vec<String> {
        let mut state = MadeUp::new(LOOKS[0]);
        let mut scope = Scope::new(program, spot, &mut state, None);
        let names = self.parsed.names().into_iter().filter_map(|name| scope.choice(name)).collect::<Vec<_>>();
        let types = self.parsed.type_names().into_iter();
        names.into_iter().chain(types.filter_map(|(tag, name)| scope.names().choice_of_type(tag, name))).collect()
    }

    /// Judges whether it is true at a hit, if that can be done without evaluating it: of what is collected, the values
    /// of the plan begin with that of this number.
    pub(super) fn judged(&self, plan: &Plan, hit: &BriefHit<'_>, first: usize, stack: &mut Vec<u64>) -> Option<bool> {
        self.quick.as_ref()?.holds(plan, hit, first, stack)
    }

    /// Evaluates it.
    pub(super) fn value(&self, scope: &mut Scope<'_>) -> Result<Value, String> {
        scope.lacks = false;
        expr::evaluate(&self.parsed, scope).map_err(|error| why_not(&error.kind, scope))
    }

    /// Evaluates it and returns the value as text, as where it is asked for at a stop; or in words why there is none.
    pub(super) fn shown(&self, scope: &mut Scope<'_>) -> Result<Shown, String> {
        let value = self.value(scope)?;
        let options = Options::new(scope.spot.target).with_format(self.format);
        let text = render(&value, scope, &options).text;
        Ok(Shown::new(text, &value, scope))
    }

    /// Evaluates it for a summary: the value as text and, if it is one, as a number.
    pub(super) fn summed(&self, scope: &mut Scope<'_>) -> Result<(String, Option<Number>), String> {
        let value = self.value(scope)?;
        let options = Options::new(scope.spot.target);
        let rendered = render_member(&value, scope, &options);
        match rendered.unavailable {
            Some(why) => Err(why.to_string()),
            None => Ok((rendered.text, number(&value, scope))),
        }
    }

    /// Evaluates whether it is true; the error says in words why that cannot be said.
    pub(super) fn holds(&self, scope: &mut Scope<'_>) -> Result<bool, String> {
        scope.lacks = false;
        match expr::truth(&self.parsed, scope) {
            Ok(Some(truth)) => Ok(truth),
            Ok(None) => Err("it has no truth value".to_owned()),
            Err(error) => Err(why_not(&error.kind, scope)),
        }
    }
}

/// Returns in words why there is no value. An object that was not collected has no methods, whatever its type.
fn why_not(kind: &ErrorKind, scope: &Scope<'_>) -> String {
    match kind {
        ErrorKind::Operand { .. } | ErrorKind::NoMethod { .. } | ErrorKind::NoMember { .. } if scope.lacks => {
            ErrorKind::Unavailable(Unavailable::NotCollected).to_string()
        }
        kind => kind.to_string(),
    }
}

/// An expression that cannot be told at a place, whatever the hit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct NotCollected {
    why: String,
}

impl NotCollected {
    /// Returns the reason in a line.
    pub(super) fn reason(&self) -> String {
        self.why.lines().next().unwrap_or_default().to_owned()
    }

    /// Returns what there is to say of it once, for all rows.
    pub(super) fn note(&self) -> String {
        format!("unavailable: {}", self.why)
    }
}

/// Shows a value in a row, as arguments are shown in a backtrace.
pub(super) fn short(value: &Value, scope: &mut Scope<'_>) -> Shown {
    let mut options = Options::new(scope.spot.target);
    options.limits.text = MOST_TEXT;
    let text = render_member(value, scope, &options).text;
    Shown::new(text, value, scope)
}

/// A number that a value is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Number {
    Integer(i128),
    Float(f64),
}

/// Returns the number that a value is, if it is one.
pub(super) fn number(value: &Value, memory: &mut dyn Memory) -> Option<Number> {
    let ty = strip(&value.ty);
    if value.bits.is_some() {
        return None;
    }
    let bytes = value.scalar_bytes(memory).ok()??;
    let is_signed = match &*ty {
        Type::Base { encoding: Encoding::Float, .. } => {
            return match bytes.as_slice() {
                [a, b, c, d] => Some(Number::Float(f64::from(f32::from_le_bytes([*a, *b, *c, *d])))),
                _ => Some(Number::Float(f64::from_le_bytes(bytes.try_into().ok()?))),
            };
        }
        Type::Base { encoding: Encoding::Signed | Encoding::SignedChar, .. } => true,
        Type::Base {
            encoding: Encoding::Unsigned | Encoding::UnsignedChar | Encoding::Bool | Encoding::Utf, ..
        } => false,
        Type::Enumeration(_) | Type::Pointer { .. } => false,
        _ => return None,
    };
    let mut wide = [if is_signed && bytes.last()? & 0x80 != 0 { 0xff } else { 0 }; 16];
    wide.get_mut(..bytes.len().min(8))?.copy_from_slice(bytes.get(..bytes.len().min(8))?);
    (bytes.len() <= 8).then(|| Number::Integer(i128::from_le_bytes(wide)))
}

/// Returns where a place is, in words.
pub(super) fn where_is(program: &Program, spot: &Spot) -> String {
    let line_of = |module: &Module| {
        // Of a function around an inlined one, the line is where that is called.
        let chain = if spot.level > 0 { module.image.inline_chain(spot.address) } else { Vec::new() };
        let around = chain.get(spot.level).and_then(|frame| Some((frame.file.as_ref()?.name.clone(), frame.line?)));
        around.or_else(|| module.line(spot.address).map(|(_, name, line)| (name, line)))
    };
    let line = program.module(spot.module).and_then(line_of);
    let line = line.map(|(name, line)| format!("{name}:{line}"));
    match (line, &spot.function) {
        (Some(line), Some(function)) => format!("{line} ({function})"),
        (Some(line), None) => line,
        (None, Some(function)) => function.clone(),
        (None, None) => spot.generated.map_or_else(|| spot.address.to_string(), |address| address.to_string()),
    }
}

/// Returns the registers of a moment, so that a scope can be made of it.
pub(super) fn scope_at<'a>(
    program: &'a Program,
    spot: &'a Spot,
    state: &'a mut dyn State,
    at: super::scope::At,
) -> Scope<'a> {
    Scope::new(program, spot, state, Some(at))
}
