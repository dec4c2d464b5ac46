//! Where things are: `info line`, `info symbol`, `info address`, `info source`, `info sharedlibrary`.

use super::error::Error;
use super::execution::Execution;
use super::frames::wide;
use arch::RunAddr;
use base::untrusted::{PathText as _, one_line};
use engine::LineSpan;
use engine::model::{Mapping, ModuleRole};

impl Execution<'_> {
    /// Returns an address with its symbol: `0x401136 <main+4>`.
    fn address_text(&mut self, address: RunAddr) -> Result<String, Error> {
        Ok(match self.engine.symbol_at(address)? {
            Some(symbol) if symbol.offset == 0 => format!("{address} <{}>", symbol.name),
            Some(symbol) => format!("{address} <{}+{}>", symbol.name, symbol.offset),
            None => address.to_string(),
        })
    }

    pub(super) fn info_line(&mut self, location: Option<&str>) -> Result<(), Error> {
        let (asked, file, spans) = match location {
            None => {
                let (fullname, line, file) = match self.listed() {
                    Some(listed) => (listed.fullname, listed.last, listed.file),
                    None => {
                        let level = self.engine.frame_level();
                        let stack = self.engine.backtrace(level, 1, false)?;
                        let frame = stack.frames.into_iter().next();
                        let place = frame.and_then(|f| Some((f.fullname?, f.line?, f.file?)));
                        place.ok_or_else(|| Error::said("No line number information available."))?
                    }
                };
                (Some(line), file, self.engine.code_of_line(Some(&fullname), line)?)
            }
            Some(text) if text.starts_with('*') => {
                let address = self.engine.address_of(text.trim_start_matches('*'))?;
                let Some(span) = self.engine.line_at(address)? else {
                    let place = self.address_text(address)?;
                    self.say(format!("No line number information available for address {place}"));
                    return Ok(());
                };
                (Some(span.line), span.file.clone(), vec![span])
            }
            Some(text) => {
                let position = self.engine.source_position(text)?;
                let spans = match position.entry {
                    Some(entry) => self.engine.line_at(entry)?.into_iter().collect(),
                    None => self.first_of_line(&position.fullname, position.line)?,
                };
                (Some(position.line), position.file, spans)
            }
        };
        let asked = asked.unwrap_or_default();
        if spans.is_empty() {
            self.say(format!("Line number {asked} is out of range for \"{file}\"."));
        }
        for span in spans {
            self.span(asked, &file, &span)?;
        }
        Ok(())
    }

    /// Looks up the code of a line where it begins: of the first line of a function, with the prologue.
    fn first_of_line(&mut self, fullname: &str, line: u32) -> Result<Vec<LineSpan>, Error> {
        let mut spans = self.engine.code_of_line(Some(fullname), line)?;
        for span in &mut spans {
            let Some(function) = self.engine.function_at(span.start)? else { continue };
            if let Some(first) = self.engine.line_at(function.entry)?
                && (first.line, &first.fullname) == (span.line, &span.fullname)
            {
                *span = first;
            }
        }
        Ok(spans)
    }

    fn span(&mut self, asked: u32, file: &str, span: &LineSpan) -> Result<(), Error> {
        let start = self.address_text(span.start)?;
        if span.line != asked {
            self.say(format!("Line {asked} of \"{file}\" is at address {start} but contains no code."));
        } else {
            let end = self.address_text(span.end)?;
            self.say(format!("Line {asked} of \"{file}\" starts at address {start} and ends at {end}."));
        }
        self.examine_next(span.start)
    }

    pub(super) fn info_symbol(&mut self, expression: &str) -> Result<(), Error> {
        let address = self.engine.address_of(expression)?;
        match self.engine.symbol_at(address)? {
            Some(symbol) => {
                let offset = if symbol.offset == 0 { String::new() } else { format!(" + {}", symbol.offset) };
                let section = symbol.section.unwrap_or_else(|| "no section".to_owned());
                self.say(format!("{}{offset} in section {section} of {}", symbol.name, symbol.module));
            }
            None => self.say(format!("No symbol matches {expression}.")),
        }
        Ok(())
    }

    pub(super) fn info_address(&mut self, name: &str) -> Result<(), Error> {
        let local = self.engine.variables()?.into_iter().any(|l| l.variable.name == name);
        let shown = match self.value(&format!("&{name}"), Some('x')) {
            Ok(shown) => shown.value,
            Err(_) if local => {
                self.say(format!("Symbol \"{name}\" is a variable that is not in memory here."));
                return Ok(());
            }
            Err(_) => return Err(Error::said(format!("No symbol \"{name}\" in current context."))),
        };
        let is_function = self.engine.type_of(name, None).is_ok_and(|ty| ty.size.is_none() && ty.name.contains('('));
        self.say(match (is_function, local) {
            (true, _) => format!("Symbol \"{name}\" is a function at address {shown}."),
            (false, true) => format!("Symbol \"{name}\" is a variable at address {shown} here."),
            (false, false) => format!("Symbol \"{name}\" is static storage at address {shown}."),
        });
        Ok(())
    }

    pub(super) fn info_source(&mut self) -> Result<(), Error> {
        let Some(facts) = self.engine.source_facts()? else {
            self.say("No current source file.");
            return Ok(());
        };
        self.say(format!("Current source file is {}", facts.file));
        if let Some(directory) = facts.directory {
            self.say(format!("Compilation directory is {directory}"));
        }
        if let Ok(text) = self.engine.source(Some(&facts.fullname), Some(1), 1) {
            self.say(format!("Located in {}", facts.fullname));
            self.say(format!("Contains {} line{}.", text.last_line, if text.last_line == 1 { "" } else { "s" }));
        }
        self.say(format!("Source language is {}.", facts.language.unwrap_or("unknown")));
        self.say(format!("Producer is {}.", facts.producer.as_deref().unwrap_or("unknown")));
        self.say(format!("Compiled with DWARF {} debugging format.", facts.version));
        let includes = if facts.has_macros { "Includes" } else { "Does not include" };
        self.say(format!("{includes} preprocessor macro info."));
        Ok(())
    }

    pub(super) fn info_sharedlibrary(&mut self) -> Result<(), Error> {
        let libraries = self.engine.libraries()?;
        if libraries.is_empty() {
            self.say("No shared libraries loaded at this time.");
            return Ok(());
        }
        self.say("From                To                  Syms Read   Shared Object Library");
        let without = libraries.iter().any(|l| !l.has_debug_info);
        for library in libraries {
            let (from, to) = match library.text {
                Some((from, to)) => (wide(from), wide(to)),
                None => (String::new(), String::new()),
            };
            let read = if library.has_debug_info { "Yes" } else { "Yes (*)" };
            self.say(format!("{from:<18}  {to:<18}  {read:<10}  {}", library.path));
        }
        if without {
            self.say("(*): Shared library is missing debugging information.");
        }
        Ok(())
    }

    /// Shows what is mapped where.
    pub(super) fn info_mappings(&mut self) -> Result<(), Error> {
        self.running()?;
        let (pid, mappings) = (self.engine.pid(), self.engine.mappings()?);
        self.say(format!("process {pid}\nMapped address spaces:\n"));
        let head =
            format!("{:>18} {:>18} {:>10} {:>10}  {:<6} objfile", "Start Addr", "End Addr", "Size", "Offset", "Perms");
        self.say(format!("  {head}"));
        for Mapping { start, end, permissions, offset, name } in mappings {
            let size = format!("{:#x}", end.0.saturating_sub(start.0));
            let (start, end, offset) = (format!("{:#x}", start.0), format!("{:#x}", end.0), format!("{offset:#x}"));
            let line = format!("  {start:>18} {end:>18} {size:>10} {offset:>10}  {permissions:<6} {name}");
            self.say(line.trim_end());
        }
        Ok(())
    }

    /// Tells where the recording is, as rr does.
    pub(super) fn info_recording(&mut self) -> Result<(), Error> {
        let path = self.engine.recording()?.in_text();
        let escaped = path.replace('\\', "\\\\").replace('"', "\\\"");
        self.say(format!("Path of recording: \"{escaped}\""));
        Ok(())
    }

    /// Tells which process is debugged, and its program.
    pub(super) fn inferior(&mut self) -> Result<(), Error> {
        let alive = self.running().is_ok();
        let what = if alive { format!("process {}", self.engine.pid()) } else { "<null>".to_owned() };
        let program = self.engine.modules()?.into_iter().find(|module| module.role == ModuleRole::Program);
        let path = program.and_then(|module| module.file).unwrap_or_else(|| "<noexec>".to_owned());
        self.say(format!("[Current inferior is 1 [{what}] ({})]", one_line(&path)));
        Ok(())
    }

    pub(super) fn info_inferiors(&mut self) -> Result<(), Error> {
        let alive = self.running().is_ok();
        let what = if alive { format!("process {}", self.engine.pid()) } else { "<null>".to_owned() };
        let width = what.len().max(11);
        self.say(format!("  Num  {:<width$} Recording", "Description"));
        let trace = self.engine.trace().map(|trace| trace.in_text()).unwrap_or_default();
        self.say(format!("* 1    {what:<width$} {trace}"));
        Ok(())
    }
}
