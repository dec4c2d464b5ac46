//! The stack: backtraces, selecting frames, their variables.

use super::command::FrameSpec;
use super::error::Error;
use super::execution::Execution;
use super::frames::wide;
use base::qualified::ends_with;
use engine::model::{Backtrace, Frame};

/// Frames that are asked for at a time.
const CHUNK: u32 = 64;

impl Execution<'_> {
    pub(super) fn backtrace(&mut self, full: bool, count: Option<i64>) -> Result<(), Error> {
        self.alive("No stack.")?;
        let (from, most) = match count {
            Some(n) if n < 0 => {
                let all = self.engine.backtrace(0, u32::MAX, false)?.frames.len();
                let all = u32::try_from(all).unwrap_or(u32::MAX);
                (all.saturating_sub(u32::try_from(n.unsigned_abs()).unwrap_or(u32::MAX)), u32::MAX)
            }
            Some(n) => (0, u32::try_from(n).unwrap_or(u32::MAX)),
            None => (0, u32::MAX),
        };
        let selected = self.engine.frame_level();
        let done = self.frames(full, from, most);
        if full {
            self.engine.select_frame(selected)?;
        }
        done
    }

    fn frames(&mut self, full: bool, from: u32, most: u32) -> Result<(), Error> {
        let (mut at, mut left) = (from, most);
        // Whether the frame that comes next is where execution goes on, or around an inlined one.
        let mut is_pc = at == 0;
        let mut around_inlined = false;
        loop {
            let wanted = left.min(CHUNK);
            let Backtrace { frames, truncated } = self.engine.backtrace(at, wanted, true)?;
            let count = u32::try_from(frames.len()).unwrap_or(CHUNK);
            for frame in &frames {
                let exact = is_pc || (around_inlined && frame.level == 0);
                let text = match around_inlined {
                    true => self.numbered(frame, exact)?,
                    false => format!("#{:<2} {}", frame.level, self.described(frame, exact)?),
                };
                self.say(text);
                if full {
                    self.engine.select_frame(frame.level)?;
                    self.show_locals("        ")?;
                }
                is_pc = frame.signal_frame || (frame.inlined && is_pc);
                around_inlined = frame.inlined;
                if self.terminal.is_full() {
                    return Ok(());
                }
            }
            (at, left) = (at.saturating_add(count), left.saturating_sub(count));
            match truncated {
                None => return Ok(()),
                Some(why) if count < wanted => {
                    self.say(format!("Backtrace stopped: {why}"));
                    return Ok(());
                }
                Some(_) if left == 0 => {
                    self.say("(More stack frames follow...)");
                    return Ok(());
                }
                Some(_) => {}
            }
        }
    }

    pub(super) fn frame(&mut self, spec: &FrameSpec) -> Result<(), Error> {
        self.alive("No stack.")?;
        self.select(spec)?;
        self.show_selected()
    }

    /// Selects a frame, and gives its level.
    fn select(&mut self, spec: &FrameSpec) -> Result<u32, Error> {
        let level = match spec {
            FrameSpec::Selected => return Ok(self.engine.frame_level()),
            FrameSpec::Level(text) => {
                let level = self.number(text)?;
                u32::try_from(level).map_err(|_| Error::said(format!("No frame at level {text}.")))?
            }
            FrameSpec::Function(name) => self.level_of(name)?,
        };
        self.engine.select_frame(level)?;
        Ok(level)
    }

    fn level_of(&mut self, name: &str) -> Result<u32, Error> {
        let mut at = 0;
        loop {
            let Backtrace { frames, truncated } = self.engine.backtrace(at, CHUNK, false)?;
            let is_it = |f: &&Frame| f.function.as_deref().is_some_and(|own| ends_with(own, name));
            if let Some(found) = frames.iter().find(is_it) {
                return Ok(found.level);
            }
            at = at.saturating_add(u32::try_from(frames.len()).unwrap_or(CHUNK));
            if truncated.is_none() || frames.is_empty() {
                return Err(Error::said(format!("No frame for function \"{name}\".")));
            }
        }
    }

    /// Shows the selected frame and its source line.
    pub(super) fn show_selected(&mut self) -> Result<(), Error> {
        let detail = self.engine.frame_detail(self.engine.frame_level())?;
        self.show_frame(&detail.frame, detail.is_pc)
    }

    pub(super) fn move_frame(&mut self, up: bool, count: Option<&str>) -> Result<(), Error> {
        self.alive("No stack.")?;
        let given = self.count(count)?;
        let count = given.unwrap_or(1);
        let count = if up { count } else { count.saturating_neg() };
        let now = i64::from(self.engine.frame_level());
        let wanted = now.saturating_add(count);
        let level = match u32::try_from(wanted.max(0)) {
            Ok(level) => match self.engine.select_frame(level) {
                Ok(_) => level,
                Err(engine::Error::NoFrame { count, .. }) => {
                    let last = count.saturating_sub(1);
                    self.engine.select_frame(last)?;
                    last
                }
                Err(other) => return Err(other.into()),
            },
            Err(_) => 0,
        };
        if i64::from(level) == now && given.is_none() {
            return Err(Error::said(match count > 0 {
                true => "Initial frame selected; you cannot go up.",
                false => "Bottom (innermost) frame selected; you cannot go down.",
            }));
        }
        self.show_selected()
    }

    pub(super) fn info_locals(&mut self) -> Result<(), Error> {
        self.alive("No frame selected.")?;
        self.show_locals("")
    }

    /// Shows the local variables, those of the innermost block first, as GDB lists them.
    fn show_locals(&mut self, indent: &str) -> Result<(), Error> {
        let mut locals = self.engine.variables()?;
        let known = self.engine.frame_detail(self.engine.frame_level())?.frame.line.is_some();
        locals.retain(|l| !l.variable.is_argument);
        locals.sort_by_key(|l| std::cmp::Reverse(l.depth));
        if locals.is_empty() {
            self.say(if known { "No locals." } else { "No symbol table info available." });
        }
        for local in locals {
            self.say(format!("{indent}{} = {}", local.variable.name, local.variable.value));
        }
        Ok(())
    }

    pub(super) fn info_args(&mut self) -> Result<(), Error> {
        self.alive("No frame selected.")?;
        let mut variables = self.engine.variables()?;
        let known = self.engine.frame_detail(self.engine.frame_level())?.frame.line.is_some();
        variables.retain(|l| l.variable.is_argument && !l.variable.name.is_empty());
        if variables.is_empty() {
            self.say(if known { "No arguments." } else { "No symbol table info available." });
        }
        for argument in variables {
            self.say(format!("{} = {}", argument.variable.name, argument.variable.value));
        }
        Ok(())
    }

    pub(super) fn info_frame(&mut self, spec: &FrameSpec) -> Result<(), Error> {
        self.alive("No stack.")?;
        let selected = self.engine.frame_level();
        let level = self.select(spec)?;
        let detail = self.engine.frame_detail(level);
        self.engine.select_frame(selected)?;
        let detail = detail?;
        let at = |cfa: Option<u64>| cfa.map_or("<unknown>".to_owned(), |cfa| format!("{cfa:#x}"));
        self.say(format!("Stack level {level}, frame at {}:", at(detail.cfa)));
        let frame = &detail.frame;
        let place = match (&frame.function, &frame.file, frame.line) {
            (Some(function), Some(file), Some(line)) => format!(" in {function} ({file}:{line})"),
            (Some(function), ..) => format!(" in {function}"),
            _ => String::new(),
        };
        let saved = detail.saved_pc.map_or("<not saved>".to_owned(), |pc| pc.to_string());
        self.say(format!(" rip = {}{place}; saved rip = {saved}", frame.address));
        let called = match detail.inlined_into {
            Some(outer) => Some(format!("inlined into frame {outer}")),
            None => detail.caller.map(|cfa| format!("called by frame at {cfa:#x}")),
        };
        let calls = detail.callee.map(|cfa| format!("caller of frame at {cfa:#x}"));
        let neighbours: Vec<String> = called.into_iter().chain(calls).collect();
        if !neighbours.is_empty() {
            self.say(format!(" {}", neighbours.join(", ")));
        }
        if let Some(language) = detail.language {
            self.say(format!(" source language {language}."));
        }
        let arguments: Vec<String> = frame.args.iter().map(|a| format!("{}={}", a.name, a.value)).collect();
        if detail.inlined_into.is_some() {
            let sp = match (detail.is_live, detail.sp) {
                (false, Some(sp)) => format!("is {sp:#x}"),
                _ => "in rsp".to_owned(),
            };
            self.say(format!(" Arglist at unknown address.\n Locals at unknown address, Previous frame's sp {sp}"));
        } else if let Some(cfa) = detail.cfa {
            // The psABI has a caller push the return address below its frame, and compilers keep the frame pointer
            // below that.
            let base = cfa.wrapping_sub(16);
            self.say(format!(" Arglist at {base:#x}, args: {}", arguments.join(", ")));
            self.say(format!(" Locals at {base:#x}, Previous frame's sp is {cfa:#x}"));
            let saved: Vec<String> = detail.saved.iter().map(|(name, at)| format!("{name} at {at:#x}")).collect();
            if !saved.is_empty() {
                self.say(format!(" Saved registers:\n  {}", saved.join(", ")));
            }
        }
        Ok(())
    }

    pub(super) fn info_program(&mut self) -> Result<(), Error> {
        self.running()?;
        let stop = self.engine.here()?;
        self.say(format!("Program stopped at {}.", stop.position.pc));
        let time = stop.position.moment.map(|at| format!(", at event {}, tick {}", at.event, at.ticks));
        let time = time.unwrap_or_default();
        self.say(format!(
            "It is in process {}, thread {}{time}: {}.",
            self.engine.pid(),
            stop.position.thread,
            wide(stop.position.pc)
        ));
        Ok(())
    }
}
