//! Registers as values: of a frame, with the types that GDB shows them with.

use crate::eval::inferior::Inferior;
use arch::{RegisterKind, ThreadId};
use ctype::{Place, Unavailable, Value};
use dwarf::FrameContext;
use program::registers::{part_of, register_type, wide};

/// What registers are called that the target describes in two halves, with the lower one, which may be such a register
/// itself; the upper half has their own name and an `h`.
const WIDE: [(&str, &str, u64); 2] = [("ymm", "xmm", 32), ("zmm", "ymm", 64)];

impl Inferior {
    /// Finds what a register held in a physical frame, at its full width: as unwinding has found it, or as it still is,
    /// if nothing that the frame has called can have written to it.
    pub(crate) fn register_bytes(&mut self, thread: ThreadId, physical: usize, name: &str) -> Option<Vec<u8>> {
        let frame = self.physical(thread, physical).ok()?;
        frame.register(name).or_else(|| {
            let number = (0..128).find(|number| frame.registers.arch.dwarf_register(*number) == Some(name))?;
            self.with_frame(thread, physical, None, |context| context.register_bytes(number)).ok().flatten()
        })
    }

    /// Returns the value of a register in a frame of a thread, by the target's name or by one that GDB gives it or a
    /// part of it; without a frame it has a type, but no value. `None` if there is none of that name.
    pub(crate) fn register_value(&mut self, frame: Option<(ThreadId, usize)>, name: &str) -> Option<Value> {
        let arch = self.process.arch();
        if let Some(part) = arch.register_part(name) {
            return Some(part_of(self.register_value(frame, part.whole)?, part));
        }
        let layout = self.process.layout().clone();
        let wide_name = WIDE.iter().find_map(|(wide, low, size)| Some((name.strip_prefix(wide)?, low, *size)));
        if let Some((number, low, size)) = wide_name.filter(|(number, ..)| !number.ends_with('h'))
            && layout.find(name).is_none()
        {
            let [low, high] = [format!("{low}{number}"), format!("{name}h")];
            layout.find(&high)?;
            return Some(wide(name, size, self.register_value(frame, &low)?, self.register_value(frame, &high)?));
        }
        let real = arch.register_alias(name);
        let register = layout.find(real)?;
        let place = match frame {
            None => Place::Unavailable(Unavailable::Other("no frame".to_owned())),
            Some((thread, physical)) => match self.register_bytes(thread, physical, real) {
                Some(mut bytes) => {
                    // An x87 register has ten bytes, the type that C gives its value has sixteen.
                    if register.kind == RegisterKind::Float80 {
                        bytes.resize(16, 0);
                    }
                    Place::Register { name: real.to_owned(), bytes }
                }
                None => Place::Unavailable(Unavailable::Register(real.to_owned())),
            },
        };
        Some(Value { ty: register_type(&register.name, register.kind, register.size), place, bits: None })
    }
}
