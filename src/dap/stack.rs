//! Threads, stacks and scopes.

use super::arguments::{OfFrame, StackTrace};
use super::bodies::{Scope, StackFrame};
use super::handles::{FramePlace, Look, Part};
use super::message::{Refusal, body_of};
use super::session::Session;
use crate::replay::{ErrorKind, Frame};
use serde_json::{Value, json};

/// Most frames in one answer.
const MOST_FRAMES: u32 = 1000;

impl Session {
    pub(super) fn threads(&mut self) -> Result<Value, Refusal> {
        let threads = self.replay()?.threads()?;
        let named = threads.into_iter().map(|thread| {
            let name = match thread.name {
                Some(name) => format!("{} {name}", thread.id),
                None => thread.id.to_string(),
            };
            json!({"id": thread.id, "name": name})
        });
        let answer = json!({"threads": named.collect::<Vec<_>>()});
        self.calls.keep_threads(&answer);
        Ok(answer)
    }

    pub(super) fn stack_trace(&mut self, arguments: &StackTrace) -> Result<Value, Refusal> {
        let StackTrace { thread_id: thread, start_frame: start, levels } = *arguments;
        let asked = if levels == 0 { MOST_FRAMES } else { levels.min(MOST_FRAMES) };
        self.select(FramePlace { thread, level: 0 })?;
        let found = match self.replay()?.backtrace_from(start, asked) {
            Err(error) if error.kind() == ErrorKind::NoFrame => {
                return Ok(json!({"stackFrames": [], "totalFrames": start}));
            }
            found => found?,
        };
        let got = u32::try_from(found.frames.len()).unwrap_or(u32::MAX);
        let (is_page, is_last) = (got >= asked, found.truncated.is_none());
        let count = found.frames.len();
        let mut frames: Vec<StackFrame> = Vec::new();
        for (at, frame) in found.frames.into_iter().enumerate() {
            let is_outermost = is_last && at + 1 == count;
            frames.push(self.stack_frame(thread, frame, is_outermost));
        }
        if let (Some(why), false) = (&found.truncated, is_page) {
            let name = format!("({why})");
            frames.push(StackFrame { name, presentation_hint: Some("label"), ..StackFrame::default() });
        }
        // What is behind the page is not counted: it may be millions.
        let total = start.saturating_add(got).saturating_add(u32::from(!is_last));
        Ok(body_of(json!({"stackFrames": frames, "totalFrames": total})))
    }

    fn stack_frame(&mut self, thread: u32, frame: Frame, is_outermost: bool) -> StackFrame {
        let id = self.looks.hold(Look::Frame(FramePlace { thread, level: frame.level }));
        let mut name = match (&frame.function, frame.is_signal_trampoline) {
            (_, true) => "<signal handler called>".to_owned(),
            (Some(function), _) => function.clone(),
            (None, _) => format!("{:#x}", frame.pc),
        };
        let marks = [
            (frame.is_inlined, "inlined"),
            (frame.is_tail_call, "has left by a tail call"),
            (frame.is_guessed, "guessed"),
        ];
        for (_, mark) in marks.iter().filter(|(is_so, _)| *is_so) {
            name += &format!(" [{mark}]");
        }
        let location = frame.location.as_ref();
        StackFrame {
            id,
            name,
            source: location.map(|location| self.sources.source(location)),
            line: location.map_or(0, |location| self.editor.line(location.line)),
            column: location.map_or(0, |location| self.editor.line(location.column.unwrap_or(1))),
            can_restart: !is_outermost && !frame.is_signal_trampoline && !frame.is_tail_call,
            instruction_pointer_reference: Some(format!("{:#x}", frame.pc)),
            presentation_hint: location.is_none().then_some("subtle"),
            module_id: frame.module,
        }
    }

    pub(super) fn scopes(&mut self, arguments: &OfFrame) -> Result<Value, Refusal> {
        let place = self.looks.frame(arguments.frame_id)?;
        let mut scope = |name, part, presentation_hint, expensive| Scope {
            name,
            presentation_hint,
            variables_reference: self.looks.hold(Look::Scope(place, part)),
            expensive,
        };
        let scopes = [
            scope("Locals", Part::Locals, Some("locals"), false),
            scope("Arguments", Part::Arguments, Some("arguments"), false),
            scope("Globals", Part::Globals, None, true),
            scope("Registers", Part::Registers, Some("registers"), true),
        ];
        Ok(body_of(json!({"scopes": scopes})))
    }
}
