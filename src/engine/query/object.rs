//! Objects in memory, for those who ask what happened to them.

use crate::api::error::Error;
use crate::api::{Position, Waypoint};
use crate::session::engine::Engine;
use ctype::{Memory, Target, Value};

/// Linux maps nothing below, but for who is allowed to (`vm.mmap_min_addr`).
const LOWEST: u64 = 64 << 10;
/// Bytes of an object's content that are told.
const MOST_CONTENT: u64 = 1 << 20;

/// What an expression names in memory, and the moment at which it does.
#[derive(Clone, Debug)]
pub struct Object {
    /// Its type.
    pub value: Value,
    /// The target, and the language of the code in whose scope it was named.
    pub target: Target,
    /// Where it begins.
    pub address: u64,
    /// How many bytes it has; not 0.
    pub size: u64,
    /// What is in it: as many bytes as can be read from its beginning, at most a MiB.
    pub content: Vec<u8>,
    /// Where the session is.
    pub position: Position,
    /// The same to the instruction, with the general registers there by DWARF number, if the thread is the one whose turn
    /// it is.
    pub moment: Option<(Waypoint, [u64; 16])>,
}

impl Engine {
    /// Evaluates what an expression names in memory, in the selected frame.
    ///
    /// # Errors
    /// If it names nothing there: a register, a computed value, what has no size.
    pub fn object(&mut self, expression: &str) -> Result<Object, Error> {
        let position = self.position()?;
        self.ask(|s| {
            let (thread, level) = (s.debuggee.thread, s.debuggee.selected()?);
            let (value, address, size) = s.debuggee.object_in_memory(expression)?;
            let target = s.debuggee.inferior.target_of(thread, level)?;
            if address < LOWEST {
                let reason = format!(
                    "it is at {address:#x} at this moment: a pointer on the way to it is null. Ask where it is not, or \
                     for the memory itself, as *(long *)0x7ffe1230"
                );
                return Err(Error::Unwatchable { expression: expression.to_owned(), reason });
            }
            let mut content = vec![0; usize::try_from(size.min(MOST_CONTENT)).unwrap_or(0)];
            if s.debuggee.inferior.read(address, &mut content).is_err() {
                content.clear();
            }
            let moment = s.named_moment()?.filter(|moment| moment.thread == thread);
            let registers = s.debuggee.inferior.process.registers(thread)?;
            let general: Vec<u64> = (0..16).map_while(|number| registers.dwarf(number)).collect();
            let moment = moment.zip(general.first_chunk().copied());
            Ok(Object { value, target, address, size, content, position, moment })
        })
    }
}
