//! Where values are held, for those who ask where they come from.

use super::typed::Typed;
use crate::api::Position;
use crate::api::error::Error;
use crate::run::session::Session;
use crate::session::engine::Engine;
use ctype::layout::{array_of, array_parts, size_of};
use ctype::{Body, Memory, Place, Target, Value};

/// General registers, by DWARF number.
const GENERAL: u16 = 16;

/// Where a value is held.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HeldIn {
    /// In memory, from this address on.
    Memory(u64),
    /// In a register, of this name, which no function has saved since.
    Register(String),
    /// Nowhere that could be asked about, in words.
    Nowhere(String),
}

/// A value that an expression names, where it is held, and the moment at which it is.
#[derive(Clone, Debug)]
pub struct Held {
    /// Its type.
    pub value: Value,
    /// The target, and the language of the code in whose scope it was named.
    pub target: Target,
    /// Where it is.
    pub place: HeldIn,
    /// Its bytes; none if they cannot be read.
    pub content: Vec<u8>,
    /// How many bytes it has.
    pub size: u64,
    /// Where the session is.
    pub position: Position,
    /// The general registers of the innermost frame, by DWARF number.
    pub registers: Vec<Option<u64>>,
    /// Where the thread keeps its thread-local storage.
    pub thread_base: Option<u64>,
    /// How many characters the text has of which these are the first; `None`: it is not the content of a text.
    pub text: Option<u64>,
}

impl Engine {
    /// Finds where the value is held that an expression names in the selected frame. Of values of more than `most`
    /// bytes the content is not read.
    ///
    /// # Errors
    /// If the expression makes no sense.
    pub fn held(&mut self, expression: &str, most: u64) -> Result<Held, Error> {
        let typed = self.typed(expression)?;
        self.held_of(typed, most, None)
    }

    /// Finds where the value is held that an expression names in the selected frame, as [`Self::held`] does; of a text of
    /// a library that is larger than `most` bytes, its first characters.
    ///
    /// # Errors
    /// If the expression makes no sense.
    pub fn held_or_characters(&mut self, expression: &str, most: u64) -> Result<Held, Error> {
        let typed = self.typed(expression)?;
        if size_of(&typed.value.ty).is_none_or(|size| size > most)
            && let Some((characters, count)) = self.with_memory(|memory| characters(&typed.value, memory, most))?
        {
            return self.held_of(Typed { value: characters, target: typed.target }, most, Some(count));
        }
        self.held_of(typed, most, None)
    }

    fn held_of(&mut self, typed: Typed, most: u64, text: Option<u64>) -> Result<Held, Error> {
        let position = self.position()?;
        self.ask(|s| {
            let value = s.debuggee.inferior.object_of(&typed.value);
            let size = match value.bits {
                Some(bits) => bits.bytes(),
                None => size_of(&value.ty).unwrap_or(0),
            };
            let length = usize::try_from(size.min(most)).unwrap_or(0);
            let (place, content) = match &value.place {
                Place::Memory(address) => {
                    let mut content = vec![0; length];
                    if s.debuggee.inferior.read(*address, &mut content).is_err() {
                        content.clear();
                    }
                    (HeldIn::Memory(*address), content)
                }
                Place::Register { name, bytes } => {
                    let content = bytes.get(..length).unwrap_or(bytes).to_vec();
                    (s.kept_in(name)?, content)
                }
                Place::Bytes(_) | Place::Synthetic { .. } => {
                    let why =
                        "it is a computed value, or a constant: debug info says what it is, but it is neither in \
                               memory nor in one register"
                            .to_owned();
                    (HeldIn::Nowhere(why), Vec::new())
                }
                Place::Unavailable(why) => (HeldIn::Nowhere(why.to_string()), Vec::new()),
            };
            let thread = s.debuggee.thread;
            let arch = s.debuggee.inferior.process.arch();
            let mut register = |name: &str| {
                let bytes = s.debuggee.inferior.register_bytes(thread, 0, name)?;
                Some(u64::from_le_bytes(bytes.get(..8)?.try_into().ok()?))
            };
            let registers = (0..GENERAL).map(|number| register(arch.dwarf_register(number)?)).collect();
            let thread_base = register("fs_base");
            let target = typed.target;
            Ok(Held { value, target, place, content, size, position, registers, thread_base, text })
        })
    }

    /// Reads the text of one line of a source file, if it can be read.
    pub fn source_line(&mut self, file: &str, line: u32) -> Result<Option<String>, Error> {
        match self.source(Some(file), Some(line), 1) {
            Ok(found) => Ok(found.lines.into_iter().find(|found| found.number == line).map(|found| found.text)),
            Err(error) if error.ends_replay() => Err(error),
            Err(_) => Ok(None),
        }
    }
}

/// Returns the first characters, of at most so many bytes, of a text that is in memory, and how many it has.
fn characters(text: &Value, memory: &mut dyn Memory, most: u64) -> Option<(Value, u64)> {
    let Body::Text(all) = readers::meaning(text, memory)?.body else { return None };
    let (element, count) = array_parts(&all.ty)?;
    let (count, size) = (count.filter(|count| *count > 0)?, size_of(&element).filter(|size| *size > 0)?);
    let Place::Memory(address) = all.place else { return None };
    let shown = count.min(most / size);
    Some((Value::new(array_of(element, shown), Place::Memory(address)), count))
}

impl Session {
    /// Finds where a register of the selected frame is: in memory, if a function that the frame has called has saved
    /// it.
    fn kept_in(&mut self, name: &str) -> Result<HeldIn, Error> {
        let level = self.debuggee.selected()?;
        for index in (0..level.physical).rev() {
            let physical = self.debuggee.inferior.physical(self.debuggee.thread, index)?;
            let saved = self.saved(index, &physical)?;
            if let Some((_, address)) = saved.into_iter().find(|(saved, _)| saved == name) {
                return Ok(HeldIn::Memory(address));
            }
        }
        Ok(HeldIn::Register(name.to_owned()))
    }
}
