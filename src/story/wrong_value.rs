//! The value that a fault is about, and where it came from.

use super::failure::Arrival;
use super::paths::{paths, variable_of};
use base::cancel::Cancel;
use engine::model::{Explanation, Kind};
use engine::{Engine, HeldIn};
use questions::{LONGEST_VALUE, Origin, OriginQuery};
use rr::Rr;
use std::path::Path;
use std::time::Duration;

/// Most expressions that are tried.
const MOST_EXPRESSIONS: usize = 8;
/// The register in which `main` returns the exit code (System V ABI).
const RESULT: &str = "$eax";
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

/// Lists the expressions whose value a failure may be about, the likeliest first: the pointer that was followed, or the
/// register that it was in; what a division divides by; the variables of the condition that an assertion has found false;
/// the exit code that `main` returns.
pub(crate) fn suspicious(explanation: &Explanation, arrival: &Arrival) -> Vec<String> {
    match explanation.kind {
        Kind::Assertion => asserted(explanation),
        Kind::End if matches!(arrival, Arrival::Return(_)) => {
            // That of Rust returns something else.
            let is_code = explanation.frame.as_ref().is_some_and(|frame| frame.function.as_deref() == Some("main"));
            is_code.then(|| RESULT.to_owned()).into_iter().collect()
        }
        _ => of_fault(explanation).into_iter().collect(),
    }
}

fn of_fault(explanation: &Explanation) -> Option<String> {
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

/// Lists the local variables, and members of them, that the condition of an assertion names, as the C library quotes it:
/// ``Assertion `p != NULL' failed``.
fn asserted(explanation: &Explanation) -> Vec<String> {
    let quoted = explanation.summary.split_once("Assertion `").and_then(|(_, quoted)| quoted.rsplit_once("' failed"));
    let is_local = |path: &&str| explanation.locals.iter().any(|local| local.name == variable_of(path));
    quoted
        .map(|(condition, _)| paths(condition))
        .unwrap_or_default()
        .into_iter()
        .filter(is_local)
        .map(str::to_owned)
        .collect()
}

/// Follows the first of these values that is anywhere back from the stop of an engine, which stays there. `None`: none has
/// a value there. If none is in memory or in a register, the first is returned with the reason.
///
/// # Errors
/// If the replay has ended.
pub(crate) fn wrong_value(
    rr: &Rr,
    engine: &mut Engine,
    trace: &Path,
    expressions: Vec<String>,
    patience: Duration,
    cancel: &Cancel,
) -> Result<Option<WrongValue>, engine::Error> {
    let mut found: Option<(String, engine::Held)> = None;
    for expression in expressions.into_iter().take(MOST_EXPRESSIONS) {
        match engine.in_frame_that_knows(|engine| engine.held_or_characters(&expression, LONGEST_VALUE)) {
            Ok(held) if matches!(held.place, HeldIn::Nowhere(_)) => {
                found.get_or_insert((expression, held));
            }
            Ok(held) => {
                found = Some((expression, held));
                break;
            }
            Err(error @ engine::Error::Ended(_)) => return Err(error),
            Err(_) => {}
        }
    }
    let Some((expression, held)) = found else { return Ok(None) };
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
