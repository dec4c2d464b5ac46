//! Going to where a process failed.

use arch::Direction;
use engine::Engine;
use engine::model::{BreakpointSpec, CatchEvent, CatchSpec, EXIT_AFTER_PANIC, Motion, Reason};

/// An event that no recording has.
const BEHIND_ALL: u64 = i64::MAX as u64;

/// Where that has led.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Arrival {
    /// To the signal that has killed the process, or to its end.
    Failure,
    /// To where `main` has returned the exit code with which the process has ended.
    Return(i32),
    /// Elsewhere, and why.
    Short(String),
    /// It was cancelled.
    Cancelled,
}

/// Goes to the signal that has killed the process; to the panic after which a Rust program has exited; to where `main` has
/// returned an exit code that is not zero; or else to its end.
///
/// # Errors
/// If the replay fails.
pub(crate) fn to_failure(engine: &mut Engine) -> Result<Arrival, engine::Error> {
    let end = engine.go(Motion::RunToEvent(BEHIND_ALL))?;
    let Reason::EndOfRecording { signal, exit_code } = &end.reason else {
        return Ok(match end.reason {
            Reason::TimedOut { after } => {
                Arrival::Short(format!("replaying it to its end takes longer than {} s", after.as_secs()))
            }
            Reason::Cancelled => Arrival::Cancelled,
            _ => Arrival::Short("the replay has stopped before its end".to_owned()),
        });
    };
    let Some(signal) = signal.clone() else {
        if exit_code.is_none() {
            let why = if end.notes.is_empty() { "its end is not recorded".to_owned() } else { end.notes.join("; ") };
            return Ok(Arrival::Short(why));
        }
        return match *exit_code {
            Some(EXIT_AFTER_PANIC) => to_panic(engine),
            Some(code) if code != 0 => to_return(engine, code),
            _ => Ok(Arrival::Failure),
        };
    };
    // That of an alarm clock passes silently, elsewhere.
    let passes = engine.is_signal_passed(&signal);
    engine.set_signal_passed(&signal, false);
    let back = engine.go(Motion::Continue(Direction::Reverse));
    engine.set_signal_passed(&signal, passes);
    match back?.reason {
        Reason::Signal { name, .. } if name == signal => Ok(Arrival::Failure),
        Reason::Cancelled => Ok(Arrival::Cancelled),
        // The process was killed without a signal that it has met.
        _ => engine.go(Motion::RunToEvent(BEHIND_ALL)).map(|_| Arrival::Failure),
    }
}

/// Goes from the end of a process to the last panic, if there is one.
fn to_panic(engine: &mut Engine) -> Result<Arrival, engine::Error> {
    let spec = CatchSpec { event: CatchEvent::Panic, names: Vec::new(), temporary: false };
    let Ok(catch) = engine.set_catchpoint(&spec) else { return Ok(Arrival::Failure) };
    let moved = match catch.locations.is_empty() {
        true => None,
        false => Some(engine.go(Motion::Continue(Direction::Reverse))),
    };
    engine.remove_breakpoint(catch.number)?;
    match moved.transpose()?.map(|back| back.reason) {
        None | Some(Reason::Catch { .. }) => Ok(Arrival::Failure),
        Some(Reason::Cancelled) => Ok(Arrival::Cancelled),
        Some(_) => engine.go(Motion::RunToEvent(BEHIND_ALL)).map(|_| Arrival::Failure),
    }
}

/// Goes from the end of a process back to where `main` has returned, if that has ended it.
fn to_return(engine: &mut Engine, code: i32) -> Result<Arrival, engine::Error> {
    let returns = engine.returns_of_main()?;
    let mut numbers = Vec::new();
    for at in &returns {
        let spec = BreakpointSpec { location: format!("*{:#x}", at.0), ..BreakpointSpec::default() };
        numbers.extend(engine.set_breakpoint(&spec).ok().map(|set| set.number));
    }
    if numbers.is_empty() {
        return Ok(Arrival::Failure);
    }
    let back = engine.go(Motion::Continue(Direction::Reverse));
    for number in numbers {
        engine.remove_breakpoint(number)?;
    }
    let back = back?;
    match back.reason {
        Reason::Cancelled => Ok(Arrival::Cancelled),
        Reason::Breakpoint { .. } if returns.contains(&back.frame.address) => Ok(Arrival::Return(code)),
        _ => engine.go(Motion::RunToEvent(BEHIND_ALL)).map(|_| Arrival::Failure),
    }
}
