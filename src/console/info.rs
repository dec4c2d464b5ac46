//! `info`: which of the families answers.

use super::command::Info;
use super::error::Error;
use super::execution::Execution;

impl Execution<'_> {
    pub(super) fn info(&mut self, info: &Info) -> Result<(), Error> {
        match info {
            Info::Breakpoints { numbers, watchpoints } => self.info_breakpoints(numbers, *watchpoints),
            Info::Locals => self.info_locals(),
            Info::Macro { name, all } => self.info_macro(name, *all),
            Info::Args => self.info_args(),
            Info::Registers { names, all } => self.info_registers(names, *all),
            Info::Threads(numbers) => self.info_threads(numbers),
            Info::Frame(spec) => self.info_frame(spec),
            Info::Stack { full, count } => self.backtrace(*full, *count),
            Info::Sharedlibrary => self.info_sharedlibrary(),
            Info::Line(location) => self.info_line(location.as_deref()),
            Info::Symbol(expression) => self.info_symbol(expression),
            Info::Address(name) => self.info_address(name),
            Info::Source => self.info_source(),
            Info::Display => {
                self.info_display();
                Ok(())
            }
            Info::Process(facts) => self.info_process(*facts),
            Info::VirtualTables(expression) => self.info_virtual_tables(expression),
            Info::Checkpoints => self.info_checkpoints(),
            Info::Signals(name) => self.info_signals(name.as_deref()),
            Info::Inferiors => self.info_inferiors(),
            Info::Program => self.info_program(),
            Info::Functions(regex) => self.info_functions(regex.as_deref()),
            Info::Variables(regex) => self.info_variables(regex.as_deref()),
            Info::Types(regex) => self.info_types(regex.as_deref()),
            Info::Scope(location) => self.info_scope(location),
            Info::Auxv => self.info_auxv(),
            Info::Skip => {
                self.info_skip();
                Ok(())
            }
            Info::Recording => self.info_recording(),
        }
    }
}
