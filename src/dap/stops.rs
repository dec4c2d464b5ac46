//! Telling where a movement has led.

use super::arguments::OfThread;
use super::bodies::Stopped;
use super::message::{Refusal, body_of};
use super::movement::Movement;
use super::session::Session;
use crate::replay::{Stop, StopReason};
use engine::model::CALL_NOT_REACHED;
use serde_json::{Value, json};

impl Session {
    /// Tells of a stop: what was written down and printed on the way, what breakpoints have become, why it is.
    pub(super) fn tell(&mut self, stop: &Stop, movement: Option<&Movement>) {
        self.looks.clear();
        self.selected = None;
        let thread = stop.position.thread();
        self.returned = match &stop.reason {
            StopReason::Returned { value: Some(value) } => Some((thread, value.kept())),
            _ => None,
        };
        self.tell_log(stop);
        self.output.tell_up_to(stop.position.event(), &self.client);
        if let StopReason::End { exit_code: Some(code), .. } = &stop.reason
            && !std::mem::replace(&mut self.is_exit_told, true)
        {
            self.client.event("exited", json!({"exitCode": code}));
        }
        self.tell_changed_breakpoints();
        let told = self.stopped(stop, movement);
        self.client.event("stopped", told);
    }

    /// Tells what log points have written down, and what else there is to know.
    pub(super) fn tell_log(&self, stop: &Stop) {
        for line in &stop.log {
            let source = line.location.as_ref().map(|location| self.sources.source(location));
            let at = line.location.as_ref().map(|location| self.editor.line(location.line));
            let output = format!("{}\n", line.text);
            self.client.event("output", json!({"category": "console", "output": output, "source": source, "line": at}));
        }
        stop.notes.iter().for_each(|note| self.client.say("console", note));
    }

    /// Tells that a movement has failed, and that the replay stands still.
    pub(super) fn tell_failure(&mut self, refusal: &Refusal) {
        self.client.say("stderr", refusal.words());
        let Some(replay) = self.replay.as_ref().filter(|_| !refusal.is_fatal) else {
            return self.terminate();
        };
        let thread_id = replay.position().thread();
        let description = Some(refusal.words().to_owned());
        self.client.event(
            "stopped",
            Stopped { reason: "pause", description, thread_id, all_threads_stopped: true, ..Stopped::default() },
        );
    }

    fn stopped(&self, stop: &Stop, movement: Option<&Movement>) -> Stopped {
        let hit = self.breakpoints.hit(stop);
        let description = match (&stop.reason, movement) {
            (StopReason::Step, Some(Movement::IntoCall(_))) => {
                stop.notes.iter().find(|note| *note == CALL_NOT_REACHED).cloned()
            }
            (StopReason::Step, _) => None,
            (StopReason::Start, _) => Some("start of the recording: nothing is earlier".to_owned()),
            (StopReason::End { .. }, _) => Some(format!("{}: the recording ends here", stop.reason)),
            (StopReason::Cancelled, _) => Some("paused".to_owned()),
            (StopReason::TimedOut, _) => Some("the time limit of a movement has passed".to_owned()),
            (StopReason::Breakpoint { .. }, _) => None,
            (reason, _) => Some(reason.to_string()),
        };
        let reason = match &stop.reason {
            StopReason::Start => "entry",
            StopReason::End { .. } => "end",
            StopReason::Breakpoint { .. } => hit.map_or("breakpoint", |(_, reason)| reason),
            StopReason::Watchpoint { .. } => "data breakpoint",
            StopReason::Catchpoint { .. } | StopReason::Signal { .. } => "exception",
            StopReason::Step if movement == Some(&Movement::RestartFrame) => "restart",
            StopReason::Step | StopReason::Returned { .. } => "step",
            StopReason::Exec { .. } => "exec",
            StopReason::Arrived => "goto",
            StopReason::TimedOut | StopReason::Cancelled => "pause",
        };
        let text = match &stop.reason {
            StopReason::Watchpoint { writer: Some(writer), .. } => Some(format!("written by {writer}")),
            StopReason::Signal { name, .. } => Some(name.clone()),
            StopReason::Catchpoint { caught, .. } => Some(caught.clone()),
            _ => None,
        };
        Stopped {
            reason,
            description,
            thread_id: stop.position.thread(),
            text,
            all_threads_stopped: true,
            hit_breakpoint_ids: hit.map(|(id, _)| id).into_iter().collect(),
        }
    }

    pub(super) fn exception_info(&mut self, arguments: &OfThread) -> Result<Value, Refusal> {
        let replay = self.replay()?;
        let stop = replay.stop().clone();
        let id = match &stop.reason {
            StopReason::Signal { name, .. } => name.clone(),
            StopReason::Catchpoint { caught, .. } => caught.clone(),
            other => return Err(Refusal::new(format!("no exception has stopped the replay, but: {other}"))),
        };
        if arguments.thread_id != stop.position.thread() {
            return Err(Refusal::new(format!("thread {} has no exception here", arguments.thread_id)));
        }
        replay.select_thread_of(stop.position.thread())?;
        let explained = replay.with_engine(engine::Engine::explain)?.map_err(crate::replay::Error::from)?;
        self.selected = None;
        let stack: Vec<String> = self.replay()?.backtrace(20)?.into_iter().map(|frame| frame.to_string()).collect();
        let details = json!({
            "message": explained.summary,
            "typeName": id,
            "stackTrace": stack.join("\n"),
        });
        let description = std::iter::once(explained.summary).chain(explained.evidence).collect::<Vec<_>>().join("\n");
        let body = json!({"exceptionId": id, "description": description, "breakMode": "always", "details": details});
        Ok(body_of(body))
    }
}
