//! Frames in GDB's words.

use super::error::Error;
use super::execution::Execution;
use arch::RunAddr;
use engine::model::{Frame, SourceLine, Stop, Variable};

/// Formats an address as `0x` and 16 digits.
pub(super) fn wide(address: RunAddr) -> String {
    format!("{:#018x}", address.0)
}

/// Returns what GDB shows of an argument: structures and arrays are left out (`print frame-arguments scalars`).
fn argument(variable: &Variable) -> String {
    let value = variable.value.as_str();
    let is_whole = !(value.starts_with('{') || (value.starts_with('@') && value.contains('{')));
    format!("{}={}", variable.name, if is_whole { value } else { "..." })
}

impl Execution<'_> {
    /// Describes a frame: `main () at a.c:5`, or with the address if it is not where a line begins. `is_pc`: the
    /// frame's address is where execution goes on.
    pub(super) fn described(&mut self, frame: &Frame, is_pc: bool) -> Result<String, Error> {
        if frame.signal_frame {
            return Ok("<signal handler called>".to_owned());
        }
        let shown = self.shows_address(frame, is_pc)?;
        let mut text = match shown {
            true => format!("{} in ", wide(frame.address)),
            false => String::new(),
        };
        text.push_str(frame.function.as_deref().unwrap_or("??"));
        let arguments: Vec<String> = frame.args.iter().map(argument).collect();
        text.push_str(&format!(" ({})", arguments.join(", ")));
        match (&frame.file, frame.line) {
            (Some(file), Some(line)) => text.push_str(&format!(" at {file}:{line}")),
            _ => {
                if let Some(library) = self.engine.library_at(frame.address)? {
                    text.push_str(&format!(" from {library}"));
                }
            }
        }
        Ok(text)
    }

    /// Returns whether a frame is in the middle of a line, so that its address says more than the line.
    pub(super) fn shows_address(&mut self, frame: &Frame, is_pc: bool) -> Result<bool, Error> {
        if frame.line.is_none() {
            return Ok(true);
        }
        if !is_pc {
            return Ok(true);
        }
        Ok(self.engine.line_at(frame.address)?.is_none_or(|span| span.start != frame.address))
    }

    /// Describes a frame with its number: `#0  main () at a.c:5`.
    pub(super) fn numbered(&mut self, frame: &Frame, is_pc: bool) -> Result<String, Error> {
        let inlined_around = self.is_around_inlined(frame)?;
        let text = match inlined_around {
            true => self.without_address(frame)?,
            false => self.described(frame, is_pc)?,
        };
        Ok(format!("#{:<2} {text}", frame.level))
    }

    /// Returns whether the next inner frame is inlined into this one: then it has no address of its own.
    fn is_around_inlined(&mut self, frame: &Frame) -> Result<bool, Error> {
        match frame.level.checked_sub(1) {
            Some(inner) => {
                let inner = self.engine.backtrace(inner, 1, false)?;
                Ok(inner.frames.first().is_some_and(|f| f.inlined))
            }
            None => Ok(false),
        }
    }

    fn without_address(&mut self, frame: &Frame) -> Result<String, Error> {
        let text = self.described(frame, true)?;
        Ok(match text.split_once(" in ") {
            Some((address, rest)) if address.starts_with("0x") && frame.line.is_some() => rest.to_owned(),
            _ => text,
        })
    }

    /// Shows the frame and its source line: `#0  main () at a.c:5` and `5\t  int x = 1;`.
    pub(super) fn show_frame(&mut self, frame: &Frame, is_pc: bool) -> Result<(), Error> {
        let text = self.numbered(frame, is_pc)?;
        self.say(text);
        let source = match frame.line {
            Some(line) => self.engine.source(frame.fullname.as_deref(), Some(line), 1).map(|t| t.lines),
            None => return Ok(()),
        };
        self.state.listed = None;
        self.source_line(frame, &source.unwrap_or_default(), None)
    }

    /// Shows where a stop is, in full or, if it is a step within a function, by its line alone.
    pub(super) fn location(&mut self, stop: &Stop, full: bool) -> Result<(), Error> {
        self.state.listed = None;
        let frame = &stop.frame;
        if full || frame.line.is_none() {
            let text = match frame.line {
                Some(_) => self.described(frame, true)?,
                // Whether it is the trampoline of a signal handler is known when its caller is.
                None => {
                    let stack = self.engine.backtrace(0, 2, false)?;
                    let is_trampoline = stack.frames.first().is_some_and(|f| f.signal_frame);
                    self.described(&Frame { signal_frame: is_trampoline, ..frame.clone() }, true)?
                }
            };
            self.say(text);
            return self.source_line(frame, &stop.source, None);
        }
        let address = self.shows_address(frame, true)?.then_some(frame.address);
        self.source_line(frame, &stop.source, address)
    }

    /// Prints `5\t  int x = 1;`, or why that line cannot be shown.
    fn source_line(&mut self, frame: &Frame, source: &[SourceLine], address: Option<RunAddr>) -> Result<(), Error> {
        let Some(number) = frame.line else { return Ok(()) };
        let prefix = address.map(|a| format!("{}\t", wide(a))).unwrap_or_default();
        let line = source.iter().find(|l| l.number == number);
        let file = frame.file.clone().unwrap_or_default();
        match line {
            Some(line) => {
                self.state.unreadable = None;
                self.say(format!("{prefix}{number}\t{}", line.text));
            }
            None => {
                let text = self.unreadable(number, &file, frame.fullname.as_deref());
                self.say(format!("{prefix}{text}"));
            }
        }
        Ok(())
    }

    /// Returns what is said in place of a line that cannot be read: why, once for each file.
    pub(super) fn unreadable(&mut self, number: u32, file: &str, fullname: Option<&str>) -> String {
        if self.state.unreadable.as_deref() == Some(file) {
            return format!("{number}\tin {file}");
        }
        self.state.unreadable = Some(file.to_owned());
        if let Some(refused) = fullname.and_then(|path| self.engine.refused_source(std::path::Path::new(path))) {
            return format!("{number}\t{file}: {refused}");
        }
        let missing = fullname.is_none_or(|path| !std::path::Path::new(path).exists());
        let why = if missing { "No such file or directory." } else { "The line cannot be read." };
        format!("{number}\t{file}: {why}")
    }
}
