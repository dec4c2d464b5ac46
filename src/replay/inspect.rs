//! What is there at a stop: values, variables, registers, memory, code, frames, threads.

use super::core::Core;
use super::error::{Error, ErrorKind, Result};
use super::frame::{Backtrace, Frame, Thread};
use super::location::{Location, SourceLine, found_elsewhere};
use super::session::Replay;
use super::value::Value;
use arch::{RunAddr, Syntax};
use engine::model::{DebugInfoState, ModuleInfo};
use engine::{CodeLine, Typed, TypedVariable};
use std::fmt;
use std::ops::Range;

/// Most bytes that are read at once.
const MAX_MEMORY: usize = 16 << 20;

/// A variable of a frame.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Variable<'r> {
    /// Its name.
    pub name: String,
    /// Its value, which may be [not known](Value::unknown) where the program is.
    pub value: Value<'r>,
    /// Whether it is a parameter.
    pub is_argument: bool,
    /// Whether a variable of an inner block has the same name.
    pub is_shadowed: bool,
    /// The line that declares it.
    pub line: Option<u32>,
}

/// `slot = 8`
impl fmt::Display for Variable<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} = {}", self.name, self.value)
    }
}

/// A register of a frame.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Register<'r> {
    /// Its name: `rax`.
    pub name: String,
    /// Its value, which is [not known](Value::unknown) in a frame that has not preserved it.
    pub value: Value<'r>,
}

/// An instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Instruction {
    /// Where it is.
    pub address: u64,
    /// Its bytes, as the program's file has them.
    pub bytes: Vec<u8>,
    /// Mnemonic and operands in AT&T syntax, as GDB prints them.
    pub text: String,
    /// The function that it is in, and how many bytes from its beginning.
    pub function: Option<(String, u64)>,
    /// The line that it belongs to.
    pub location: Option<Location>,
}

impl From<CodeLine> for Instruction {
    fn from(line: CodeLine) -> Self {
        let span = line.line.as_ref();
        let location =
            span.and_then(|span| Location::new(Some(&span.file), Some(&span.fullname), Some(span.line), None));
        Self { address: line.address.0, bytes: line.bytes, text: line.text, function: line.symbol, location }
    }
}

/// A loaded program or library.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Module {
    /// File name: `libc.so.6`.
    pub name: String,
    /// The file that is read here: the recording's copy, or one that is the same.
    pub file: Option<String>,
    /// Where it is in memory.
    pub range: Option<Range<u64>>,
    /// NT_GNU_BUILD_ID in hexadecimal.
    pub build_id: Option<String>,
    /// Why there is no debug info, with where it was looked for; `None` if there is some.
    pub no_debug_info: Option<String>,
}

impl From<ModuleInfo> for Module {
    fn from(module: ModuleInfo) -> Self {
        let no_debug_info = match module.debug_info {
            DebugInfoState::InFile | DebugInfoState::Separate { .. } => None,
            DebugInfoState::Fetching { why } | DebugInfoState::None { why } => Some(why),
        };
        let range = module.range.map(|(start, end)| start.0..end.0);
        Self { name: module.name, file: module.file, range, build_id: module.build_id, no_debug_info }
    }
}

impl<'r> Variable<'r> {
    pub(super) fn of(core: &'r Core, found: TypedVariable) -> Self {
        Self {
            name: found.name,
            value: Value::new(core, found.value),
            is_argument: found.is_argument,
            is_shadowed: found.is_shadowed,
            line: found.line,
        }
    }
}

/// # What is there
///
/// Questions are about the selected frame of the selected thread: after a movement, the innermost frame of the thread
/// that stopped.
impl Replay {
    /// Evaluates an expression of C, C++ or Rust. It may use variables, members, casts, registers (`$rax`), elements of
    /// containers and methods that only read, as `v.size()`; nothing that changes the program.
    ///
    /// A value that is not known is no error, but [says why](Value::unknown).
    ///
    /// ```
    /// # fn main() -> retrograde::Result<()> {
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/example.rs"));
    /// # let mut replay = retrograde::Replay::open("app-0")?;
    /// # replay.run()?;
    /// let slot: u64 = replay.eval("slot")?.try_into()?;
    /// assert_eq!(slot, 0);
    /// assert_eq!(replay.eval("station - stations")?.as_i128(), Some(1));
    /// let address = replay.eval("&valley")?;
    /// assert!(address.to_string().ends_with("<valley>"));
    /// assert_eq!(address.pointee()?.field("percent")?.as_i128(), Some(100));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`ErrorKind::Expression`] or [`ErrorKind::NoSymbol`], with what would be right.
    pub fn eval(&self, expression: &str) -> Result<Value<'_>> {
        let typed = self.core.ask().typed(expression)?;
        Ok(Value::new(&self.core, typed))
    }

    /// Returns the arguments and local variables that are visible, the innermost block last.
    ///
    /// ```
    /// # fn main() -> retrograde::Result<()> {
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/example.rs"));
    /// # let mut replay = retrograde::Replay::open("app-0")?;
    /// # replay.run()?;
    /// replay.select_frame(1)?;
    /// let shown: Vec<String> = replay.variables()?.iter().map(|variable| variable.to_string()).collect();
    /// assert_eq!(shown[1..], ["sum = 0", "slot = 0"]);
    /// assert_eq!(replay.arguments()?[0].value.type_name(), "const struct station *");
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// The replay has ended.
    pub fn variables(&self) -> Result<Vec<Variable<'_>>> {
        let found = self.core.ask().typed_variables()?;
        Ok(found.into_iter().map(|variable| Variable::of(&self.core, variable)).collect())
    }

    /// Returns the arguments only.
    ///
    /// # Errors
    /// The replay has ended.
    pub fn arguments(&self) -> Result<Vec<Variable<'_>>> {
        Ok(self.variables()?.into_iter().filter(|variable| variable.is_argument).collect())
    }

    /// Returns the local variables only.
    ///
    /// # Errors
    /// The replay has ended.
    pub fn locals(&self) -> Result<Vec<Variable<'_>>> {
        Ok(self.variables()?.into_iter().filter(|variable| !variable.is_argument).collect())
    }

    /// Returns the global variables, and the static ones outside of functions, that are defined in the unit (in C and
    /// C++ the source file) that the selected frame's code is in. Their names are qualified.
    ///
    /// # Errors
    /// The replay has ended.
    pub fn globals(&self) -> Result<Vec<Variable<'_>>> {
        let found = self.core.ask().typed_globals()?;
        Ok(found.into_iter().map(|variable| Variable::of(&self.core, variable)).collect())
    }

    /// Returns a value of this moment that was [kept](Value::kept).
    pub(crate) fn revived(&self, kept: Typed) -> Value<'_> {
        Value::new(&self.core, kept)
    }

    /// Returns the registers, in the processor's order.
    ///
    /// # Errors
    /// The replay has ended.
    pub fn registers(&self) -> Result<Vec<Register<'_>>> {
        let found = self.core.ask().typed_registers()?;
        let register = |(name, typed)| Register { name, value: Value::new(&self.core, typed) };
        Ok(found.into_iter().map(register).collect())
    }

    /// Returns a register, by the processor's name of it, or `pc`, `sp` and `fp`.
    ///
    /// # Errors
    /// [`ErrorKind::NoRegister`] if there is none of that name.
    pub fn register(&self, name: &str) -> Result<Value<'_>> {
        let is_name = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        let none = || Error::new(ErrorKind::NoRegister, format!("no register `{name}`"));
        let found = is_name.then(|| self.core.ask().typed(&format!("${name}"))).ok_or_else(none)?;
        match found.map_err(Error::from) {
            Ok(typed) => Ok(Value::new(&self.core, typed)),
            // There is nothing else in it that could be wrong.
            Err(error) if error.kind() == ErrorKind::Expression => Err(none()),
            Err(error) => Err(error),
        }
    }

    /// Reads bytes of memory, all of them or none; at most 16 MiB.
    ///
    /// # Errors
    /// [`ErrorKind::Memory`] names the first byte that cannot be read.
    pub fn memory(&self, address: u64, length: usize) -> Result<Vec<u8>> {
        if length > MAX_MEMORY {
            let words = format!("{length} bytes are more than {MAX_MEMORY}, which are read at once");
            return Err(Error::new(ErrorKind::OutOfRange, words));
        }
        let mut bytes = vec![0; length];
        let read = self.core.ask().with_memory(|memory| memory.read(address, &mut bytes))?;
        read.map_err(|reason| Error::new(ErrorKind::Memory, format!("memory from {address:#x}: {reason}")))?;
        Ok(bytes)
    }

    /// Disassembles `count` instructions from an address on; fewer if the code ends before.
    ///
    /// ```
    /// # fn main() -> retrograde::Result<()> {
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/example.rs"));
    /// # let mut replay = retrograde::Replay::open("app-0")?;
    /// let crash = replay.run()?;
    /// let code = replay.instructions(crash.frame.pc, 2)?;
    /// assert_eq!(code[0].function.as_ref().map(|(name, _)| name.as_str()), Some("corrected"));
    /// assert_eq!(code[1].address, code[0].address + code[0].bytes.len() as u64);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// There is no code at the address.
    pub fn instructions(&self, address: u64, count: usize) -> Result<Vec<Instruction>> {
        let found = self.core.ask().disassemble(RunAddr(address), None, count, Syntax::Att)?;
        Ok(found.into_iter().map(Instruction::from).collect())
    }

    /// Returns the stack of the selected thread, at most so many frames.
    ///
    /// # Errors
    /// The replay has ended.
    pub fn backtrace(&self, limit: u32) -> Result<Backtrace> {
        Ok(self.core.ask().backtrace(0, limit, true)?.into())
    }

    /// Returns at most `limit` frames of the stack of the selected thread, from a level on.
    ///
    /// # Errors
    /// [`ErrorKind::NoFrame`] if the stack has no frame at that level.
    pub fn backtrace_from(&self, level: u32, limit: u32) -> Result<Backtrace> {
        Ok(self.core.ask().backtrace(level, limit, true)?.into())
    }

    /// Selects a frame of the selected thread, until the next movement.
    ///
    /// # Errors
    /// [`ErrorKind::NoFrame`] says how many there are.
    pub fn select_frame(&mut self, level: u32) -> Result<Frame> {
        Ok(self.core.engine().select_frame(level)?.into())
    }

    /// Returns the threads that exist now.
    ///
    /// # Errors
    /// The replay has ended.
    pub fn threads(&self) -> Result<Vec<Thread>> {
        Ok(self.core.ask().threads()?.into_iter().map(Thread::from).collect())
    }

    /// Selects a thread, and its innermost frame, until the next movement.
    ///
    /// # Errors
    /// [`ErrorKind::NoThread`] if it does not exist now.
    pub fn select_thread(&mut self, thread: &Thread) -> Result<Thread> {
        let id = format!("{}.{}", thread.process, thread.id);
        Ok(self.core.engine().select_thread(&id)?.into())
    }

    /// Selects the thread that had this number when it was recorded, and its innermost frame.
    pub(crate) fn select_thread_of(&mut self, id: u32) -> Result<Thread> {
        let id = format!("{}.{id}", self.position().process());
        Ok(self.core.engine().select_thread(&id)?.into())
    }

    /// Returns what is loaded now: the program, its libraries, the dynamic linker.
    ///
    /// # Errors
    /// The replay has ended.
    pub fn modules(&self) -> Result<Vec<Module>> {
        Ok(self.core.ask().modules()?.into_iter().map(Module::from).collect())
    }

    /// Reads the source around a location: so many lines before and behind it, if the file has them.
    ///
    /// # Errors
    /// [`ErrorKind::NoSource`] if the file cannot be read, neither where it was compiled nor below the
    /// [source paths](crate::Options::source_path).
    pub fn source(&self, location: &Location, context: u32) -> Result<Vec<SourceLine>> {
        let path =
            location.path.as_ref().map_or_else(|| location.file.clone(), |path| path.to_string_lossy().into_owned());
        let count = context.saturating_mul(2).saturating_add(1);
        let error = match self.core.ask().source(Some(&path), Some(location.line), count) {
            Ok(text) => {
                let line = |line| {
                    let line = SourceLine::from(line);
                    SourceLine { is_current: line.number == location.line, ..line }
                };
                return Ok(text.lines.into_iter().map(line).collect());
            }
            Err(error) => error,
        };
        found_elsewhere(&self.sources, location, context).ok_or_else(|| error.into())
    }
}
