//! How an exception that nothing catches came to where it is: its first throw, and what was being handled meanwhile.

use base::cancel::Cancel;
use engine::Engine;
use engine::model::{Explanation, Kind};
use questions::{Raise, Raised};
use rr::Rr;
use std::path::Path;

/// Tells where the exception that ends a process, at which an engine is, was thrown before, and where those were that were
/// being handled: a line for each exception. Nothing if it was thrown once, and no other one was handled.
///
/// # Errors
/// If the replay has ended.
pub(super) fn thrown(
    rr: &Rr,
    engine: &mut Engine,
    trace: &Path,
    explanation: &Explanation,
    cancel: &Cancel,
) -> Result<Vec<String>, engine::Error> {
    if explanation.kind != Kind::UncaughtException {
        return Ok(Vec::new());
    }
    let level = explanation.frame.as_ref().map(|frame| frame.level);
    let raised = Raised::before(rr, trace, &engine.position()?, cancel).unwrap_or_default();
    let mut lines = Vec::new();
    for (number, exception) in raised.iter().enumerate() {
        if number == 0 && exception.raises.len() < 2 {
            continue;
        }
        let described = match engine.in_frame(level, |engine| engine.exception_with(exception.header())) {
            Ok(described) => described,
            Err(error @ engine::Error::Ended(_)) => return Err(error),
            Err(_) => None,
        };
        let class = || exception.class.clone().unwrap_or_else(|| "an exception".to_owned());
        let what = described.unwrap_or_else(class);
        lines.push(match number {
            0 => format!("it was {}", throws(exception)),
            _ => format!("meanwhile {what} was being handled, {}", throws(exception)),
        });
    }
    Ok(lines)
}

/// Lists the throws of an exception: `thrown by lookup at a.cpp:8, position …; thrown again by …`.
fn throws(exception: &Raised) -> String {
    let throw = |raise: &Raise| {
        let again = if raise.is_again { "thrown again" } else { "thrown" };
        let by = raise
            .callers
            .shown(1)
            .first()
            .map(|source| format!(" by {}", source.without_parameters()))
            .unwrap_or_default();
        let at = raise.at.position().map(|position| format!(", position {position}")).unwrap_or_default();
        format!("{again}{by}{at}")
    };
    let mut all: Vec<String> = exception.raises.iter().map(throw).collect();
    if exception.left_out > 0 {
        all.insert(1.min(all.len()), format!("{} more times", exception.left_out));
    }
    all.join("; ")
}
