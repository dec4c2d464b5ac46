//! A thread that ran on by itself when a signal came: how long, and what it may have run around in.

use base::cancel::Cancel;
use engine::Engine;
use engine::model::Explanation;
use rr::{Called, Happening, TimelineQuery, Topic, happenings};
use std::path::Path;

/// The shortest run without a system call that is mentioned, in seconds.
const SHORTEST: f64 = 0.2;

/// Lists what shows that the selected thread runs without end, at the stop of a signal: how long it has made no system
/// call, and the rings into which the pointers of the frame lead.
///
/// # Errors
/// If the replay has ended.
pub(super) fn running(
    engine: &mut Engine,
    trace: &Path,
    explanation: &Explanation,
    cancel: &Cancel,
) -> Result<Vec<String>, engine::Error> {
    let thread = engine.selected_thread();
    let Some(seconds) = silence(trace, (thread.pid, thread.tid), explanation, cancel) else { return Ok(Vec::new()) };
    let mut evidence = vec![format!("thread {} made no system call in its last {seconds:.1} s", thread.tid)];
    let level = explanation.frame.as_ref().map(|frame| frame.level);
    match engine.in_frame(level, Engine::rings) {
        Ok(rings) => evidence.extend(rings.iter().map(ToString::to_string)),
        Err(error @ engine::Error::Ended(_)) => return Err(error),
        Err(_) => {}
    }
    Ok(evidence)
}

/// Returns for how many seconds of the recording a thread has surely made no system call before a signal. `None`: it is in
/// one, or that is not long.
fn silence(trace: &Path, (pid, tid): (u32, u32), explanation: &Explanation, cancel: &Cancel) -> Option<f64> {
    let event = explanation.waypoint.as_ref()?.moment.event;
    let topics = [Topic::Process, Topic::Signal, Topic::Call];
    // A call that the signal has interrupted is told where it ends.
    let query = TimelineQuery { pid: Some(pid), tid: Some(tid), ..TimelineQuery::between(0, u64::MAX, topics) };
    let (mut last, mut signal, mut is_in_call) = (None, None, false);
    happenings(trace, &query, cancel, &mut |row| match row.what {
        Happening::Signal(_) if row.event == event => signal = Some(row.seconds),
        Happening::Call(Called { begun: Some(begun), .. }) if begun <= event && event < row.event => is_in_call = true,
        _ if row.event <= event => last = Some(row.seconds),
        _ => {}
    })
    .ok()?;
    let seconds = signal? - last?;
    (!is_in_call && seconds >= SHORTEST).then_some(seconds)
}
