//! The story of a failure: where a process of a recording failed, and where the value that went wrong came from.
//!
//! ```text
//! exceptions     where an exception was thrown before, and which one was being handled
//! failure        goes to where a process failed
//! wrong_value    the value that a fault is about, and its way back
//! memory         the blocks of the heap that it is about
//! overrun        who wrote past the end of a block, where the C library finds its heap damaged
//! paths          values that a line of source names
//! running        how long a thread ran on by itself, and around in what
//! waits          who waits for whom where it hangs
//! ```

mod exceptions;
mod failure;
mod memory;
mod overrun;
mod paths;
mod running;
mod waits;
mod wrong_value;

pub(crate) use failure::{Arrival, to_failure};
pub(crate) use memory::{Block, memory};
pub(crate) use paths::{paths, variable_of};
pub(crate) use waits::Blocked;
pub(crate) use wrong_value::{WrongValue, suspicious, wrong_value};

use base::cancel::Cancel;
use engine::Engine;
use engine::model::{Explanation, Kind};
use rr::Rr;
use std::path::Path;
use std::time::Duration;

/// The longest that following the value may have taken for the heap to be looked at, too.
const QUICK: Duration = Duration::from_secs(10);

/// What there is to tell of a failure.
pub(crate) struct Story {
    pub(crate) explanation: Explanation,
    /// The value that went wrong, if there is one.
    pub(crate) value: Option<WrongValue>,
    /// The blocks of the heap that it is about.
    pub(crate) blocks: Vec<Block>,
    /// Where an exception that nothing catches was thrown before, and those that were being handled.
    pub(crate) thrown: Vec<String>,
    /// Who waits for whom, if no thread can go on.
    pub(crate) blocked: Option<Blocked>,
}

impl Story {
    /// Explains the stop of an engine to which an arrival has led, and where the value that it is about came from, by
    /// passes that take so long together.
    ///
    /// # Errors
    /// If the replay fails.
    pub(crate) fn of_arrival(
        rr: &Rr,
        engine: &mut Engine,
        trace: &Path,
        arrival: &Arrival,
        patience: Duration,
        cancel: &Cancel,
    ) -> Result<Self, engine::Error> {
        let mut explanation = explained(engine, arrival)?;
        if explanation.kind == Kind::Signal {
            let running = running::running(engine, trace, &explanation, cancel)?;
            explanation.evidence.extend(running);
        }
        if explanation.kind == Kind::Blocked {
            let mut blocked = Blocked::now(engine)?;
            blocked.ask(rr, trace, cancel);
            return Ok(Self { blocked: Some(blocked), ..Self::of(explanation) });
        }
        let thrown = exceptions::thrown(rr, engine, trace, &explanation, cancel)?;
        if let Some(overrun) = overrun::overrun(rr, engine, trace, &explanation, patience, cancel)? {
            explanation.evidence.push(overrun.evidence);
            let (value, blocks) = (Some(overrun.value), overrun.block.into_iter().collect());
            return Ok(Self { explanation, value, blocks, thrown, blocked: None });
        }
        let value = wrong_value(rr, engine, trace, suspicious(&explanation, arrival), patience, cancel)?;
        // What a process returns is about no block.
        let is_about_memory = !matches!(arrival, Arrival::Return(_)) && is_worth_a_pass(value.as_ref());
        let blocks = match is_about_memory {
            true => memory(rr, engine, trace, &explanation, cancel)?,
            false => Vec::new(),
        };
        Ok(Self { explanation, value, blocks, thrown, blocked: None })
    }

    /// Creates the story that an explanation alone tells.
    pub(crate) fn of(explanation: Explanation) -> Self {
        Self { explanation, value: None, blocks: Vec::new(), thrown: Vec::new(), blocked: None }
    }
}

/// Explains the stop that an arrival has led to.
///
/// # Errors
/// If the replay fails.
pub(crate) fn explained(engine: &mut Engine, arrival: &Arrival) -> Result<Explanation, engine::Error> {
    let explanation = engine.explain()?;
    Ok(match arrival {
        Arrival::Return(code) => returned(explanation, *code),
        _ => explanation,
    })
}

/// Makes the explanation of the stop where `main` returns one of the end of the process.
fn returned(explanation: Explanation, code: i32) -> Explanation {
    Explanation {
        kind: Kind::End,
        summary: format!("main returns, and the process ends with exit code {code}"),
        evidence: vec![format!("the recording ends with exit code {code}")],
        ..explanation
    }
}

/// Returns whether passes over the calls of allocators are worth their time: they take as long as those before, and a null
/// pointer whose origin is clear is no matter of the heap.
fn is_worth_a_pass(value: Option<&WrongValue>) -> bool {
    let origin = value.and_then(|value| Some((&value.held, value.origin.as_ref().ok()?)));
    origin.is_none_or(|(held, origin)| {
        let is_null = held.content.iter().all(|byte| *byte == 0);
        origin.took <= QUICK && !(is_null && origin.is_found())
    })
}
