//! The value that a fault is about, and where it came from.

use crate::cancel::Cancel;
use crate::engine::model::{Explanation, Kind};
use crate::engine::{self, Engine};
use crate::questions::{LONGEST_VALUE, Origin, OriginQuery};
use crate::rr::Rr;
use std::path::Path;
use std::time::Duration;

/// Most hops of a value.
const MOST_HOPS: usize = 20;

/// A value that went wrong.
pub(crate) struct WrongValue {
    pub(crate) expression: String,
    /// What the debugger holds of it.
    pub(crate) held: engine::Held,
    /// Where it came from, or why that is unavailable.
    pub(crate) origin: Result<Origin, String>,
}

/// Returns the expression whose value a failure is about: the pointer that was followed, or the register that it was in;
/// what a division divides by; the first variable of the condition that an assertion has found false.
pub(crate) fn suspicious(explanation: &Explanation) -> Option<String> {
    if explanation.kind == Kind::Assertion {
        return asserted(explanation);
    }
    let fault = explanation.fault.as_ref().filter(|fault| !fault.is_stack_overflow())?;
    if let Some(divisor) = &fault.divisor {
        return Some(divisor.clone());
    }
    if let Some((variable, _)) = fault.member.as_deref().and_then(|member| member.split_once(" is ")) {
        return Some(variable.to_owned());
    }
    fault.access?;
    let (_, registers) = fault.operand.as_deref()?.split_once(", ")?;
    let (register, _) = registers.split_once(" = ")?;
    Some(format!("${register}"))
}

/// Returns the first local variable that the condition of an assertion names, as the C library quotes it: ``Assertion
/// `p != NULL' failed``.
fn asserted(explanation: &Explanation) -> Option<String> {
    let (_, quoted) = explanation.summary.split_once("Assertion `")?;
    let (condition, _) = quoted.rsplit_once("' failed")?;
    let mut names = condition.split(|c: char| !(c.is_alphanumeric() || c == '_'));
    let is_local = |name: &&str| explanation.locals.iter().any(|local| local.name == **name);
    names.find(is_local).map(str::to_owned)
}

/// Follows a value back from the stop of an engine, which stays there. `None`: it has no value there.
///
/// # Errors
/// If the replay has ended.
pub(crate) fn wrong_value(
    rr: &Rr,
    engine: &mut Engine,
    trace: &Path,
    expression: String,
    patience: Duration,
    cancel: &Cancel,
) -> Result<Option<WrongValue>, engine::Error> {
    let held = match engine.in_frame_that_knows(|engine| engine.held_or_characters(&expression, LONGEST_VALUE)) {
        Ok(held) => held,
        Err(error @ engine::Error::Ended(_)) => return Err(error),
        Err(_) => return Ok(None),
    };
    let query = OriginQuery {
        held: held.clone(),
        expression: expression.clone(),
        through_arithmetic: true,
        max_hops: MOST_HOPS,
        patience,
    };
    let origin = Origin::ask(rr, trace, &query, cancel).map_err(|error| error.to_string());
    Ok(Some(WrongValue { expression, held, origin }))
}
