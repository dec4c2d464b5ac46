//! Frames with their arguments, backtraces and positions as users see them.

use crate::api::error::Error;
use crate::api::{Backtrace, Fold, Frame, Position, StackShape};
use crate::eval::inferior::Inferior;
use crate::stack::describe::{empty_frame, fill};
use crate::stack::physical::{End, Level, Physical};
use crate::stack::recursion::{Repeated, repeated};
use arch::{RunAddr, ThreadId};
use ctype::Answer;
use std::collections::HashMap;

impl Inferior {
    /// Describes one level of a thread's backtrace.
    pub(crate) fn frame(
        &mut self,
        thread: ThreadId,
        number: u32,
        level: Level,
        with_args: bool,
    ) -> Result<Frame, Error> {
        self.frame_within(thread, number, level, with_args.then(Answer::default).as_mut())
    }

    /// Describes the level as [`Self::frame`] does, as part of an answer; `None`: without arguments.
    fn frame_within(
        &mut self,
        thread: ThreadId,
        number: u32,
        level: Level,
        answer: Option<&mut Answer>,
    ) -> Result<Frame, Error> {
        let physical = self.physical(thread, level.physical)?;
        let mut frame = self.bare_frame(&physical, number, level);
        if let Some(answer) = answer {
            frame.args = self.rendered_variables(thread, level, true, answer)?;
        }
        Ok(frame)
    }

    /// Describes the frame of some code, without a process: what an instruction belongs to.
    pub(crate) fn frame_of_code(&self, at: RunAddr) -> Frame {
        let mut frame = empty_frame(at);
        if let Some(module) = self.modules.at(at) {
            frame.module = Some(module.name.clone());
            if let Some(inner) = module.image.inline_chain(module.link(at)).first() {
                fill(&mut frame, inner);
            }
        }
        self.name_by_symbol(&mut frame, at);
        frame
    }

    fn bare_frame(&self, physical: &Physical, number: u32, level: Level) -> Frame {
        let mut frame = empty_frame(physical.address.address());
        frame.level = number;
        frame.module = physical.module.as_ref().map(|m| m.name.clone());
        frame.signal_frame = physical.signal;
        frame.tail_call = physical.tail_call;
        frame.guessed = physical.guessed;
        if let Some(inline) = physical.chain.get(level.inline) {
            frame.inlined = inline.inlined;
            fill(&mut frame, inline);
        }
        self.name_by_symbol(&mut frame, physical.address.for_lookup());
        if physical.signal && frame.line.is_none() {
            frame.function = Some("<signal handler called>".to_owned());
        }
        frame
    }

    fn name_by_symbol(&self, frame: &mut Frame, at: RunAddr) {
        if frame.function.is_none() {
            frame.function = self.symbol(at).map(|(name, _)| name);
        }
    }

    /// Describes the levels `from..from + max` of a thread's backtrace.
    pub(crate) fn backtrace(
        &mut self,
        thread: ThreadId,
        from: u32,
        max: u32,
        with_args: bool,
    ) -> Result<Backtrace, Error> {
        let (levels, end) = self.levels(thread, from as usize, max as usize)?;
        let mut frames = Vec::with_capacity(levels.len());
        let mut answer = with_args.then(Answer::default);
        for (number, level) in (from..).zip(levels) {
            frames.push(self.frame_within(thread, number, level, answer.as_mut())?);
        }
        let truncated = match end {
            Some(End::Outermost) => None,
            Some(End::Lost(why)) => Some(why),
            None => {
                Some(format!("more frames follow; these are {from} to {}", from.saturating_add(max).saturating_sub(1)))
            }
        };
        Ok(Backtrace { frames, truncated })
    }

    /// Finds out what a thread's stack looks like as a whole.
    pub(crate) fn stack_shape(&mut self, thread: ThreadId) -> Result<StackShape, Error> {
        let (levels, end) = self.levels(thread, 0, usize::MAX)?;
        let functions = self.functions_of(thread, &levels)?;
        let mut folds = Vec::new();
        for Repeated { frames, cycle } in repeated(&functions) {
            let (from, to) = (number(frames.start), number(frames.end - 1));
            let mut names = Vec::with_capacity(cycle);
            for (level, index) in (from..).zip(frames.take(cycle)) {
                let Some(at) = levels.get(index) else { continue };
                let frame = self.frame(thread, level, *at, false)?;
                names.push(frame.function.unwrap_or_else(|| frame.address.to_string()));
            }
            folds.push(Fold { from, to, functions: names });
        }
        let broken = match end {
            Some(End::Lost(why)) => Some(why),
            Some(End::Outermost) | None => None,
        };
        Ok(StackShape { depth: number(levels.len()), folds, broken })
    }

    /// Tells the functions of levels apart: by numbers, or by addresses where none is known.
    fn functions_of(&mut self, thread: ThreadId, levels: &[Level]) -> Result<Vec<(usize, u64)>, Error> {
        self.with_stack(thread, |stack, _, _| {
            let mut known: HashMap<&str, usize> = HashMap::new();
            let function = |level: &Level| {
                let Some(frame) = stack.physical.get(level.physical) else { return (0, 0) };
                match frame.chain.get(level.inline) {
                    Some(inline) => {
                        let next = known.len() + 1;
                        (*known.entry(inline.name.as_str()).or_insert(next), 0)
                    }
                    None => (0, frame.address.address().0),
                }
            };
            levels.iter().map(function).collect()
        })
    }

    /// Finds out where a thread is in the recording.
    pub(crate) fn position(&mut self, thread: ThreadId) -> Result<Position, Error> {
        let pc = self.process.registers(thread)?.pc().unwrap_or_default();
        let has_time = self.process.abilities().time;
        let moment = has_time.then(|| self.process.moment(thread)).transpose()?;
        Ok(Position { moment, thread, pc })
    }

    /// Returns a position with the pc that a user sees: not one in rr's own code.
    pub(crate) fn shown(&mut self, position: Position) -> Result<Position, Error> {
        let pc = self.outside_of_rr(position.thread)?.map_or(position.pc, |frame| frame.address.address());
        Ok(Position { pc, ..position })
    }
}

fn number(level: usize) -> u32 {
    u32::try_from(level).unwrap_or(u32::MAX)
}
