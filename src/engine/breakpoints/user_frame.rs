//! The user's own code on a stack: what a stop in a library without source is about.

use crate::api::error::Error;
use crate::api::{Frame, SourceLine, UserFrame};
use crate::breakpoints::debuggee::Debuggee;
use arch::ThreadId;
use dwarf::is_own_source;
use std::path::Path;

/// How many frames are looked through.
const FRAMES: u32 = 40;

impl Debuggee {
    /// Finds the innermost frame of a thread whose source can be read, with so many of its lines. The user's code comes
    /// before that of libraries, such as headers.
    pub(crate) fn user_frame(&mut self, thread: ThreadId, lines: u32) -> Result<Option<UserFrame>, Error> {
        let mut of_library = None;
        for number in 0..FRAMES {
            let (levels, _) = self.inferior.levels(thread, number as usize, 1)?;
            let Some(level) = levels.into_iter().next() else { break };
            let frame = self.inferior.frame(thread, number, level, false)?;
            let is_library = frame.fullname.as_deref().is_some_and(|path| !is_own_source(path));
            if is_library && of_library.is_some() {
                continue;
            }
            let Some(source) = self.readable(&frame, lines) else { continue };
            let found = UserFrame { frame: self.inferior.frame(thread, number, level, true)?, source };
            if !is_library {
                return Ok(Some(found));
            }
            of_library = Some(found);
        }
        Ok(of_library)
    }

    /// Reads the lines around a frame's own; `None` if it has none that can be read.
    fn readable(&mut self, frame: &Frame, lines: u32) -> Option<Vec<SourceLine>> {
        let text = self.sources.around(Path::new(frame.fullname.as_deref()?), frame.line?, lines).ok()?;
        Some(text.lines).filter(|lines| !lines.is_empty())
    }
}
