//! Where a variable is, as a value has it.

use ctype::{Home, Place, SyntheticPointer, Unavailable};
use dwarf::{Image, Location};

/// The size in bytes of a register of the x87.
const X87_SIZE: usize = 10;
/// The size in bytes of a `long double` of x86-64.
const LONG_DOUBLE_SIZE: usize = 16;

/// How many implicit pointers lead to each other.
const MAX_POINTERS: u32 = 4;

/// Returns where debug info says that a value of a frame is, in terms of the value model.
pub fn place(location: Location, image: &Image, frame: &mut dyn dwarf::FrameContext) -> Place {
    place_behind(location, image, frame, MAX_POINTERS)
}

fn place_behind(location: Location, image: &Image, frame: &mut dyn dwarf::FrameContext, pointers: u32) -> Place {
    match location {
        Location::Memory(address) => Place::Memory(address),
        Location::Bytes(bytes) => Place::Bytes(bytes.into_iter().map(Some).collect()),
        Location::Pieces(bytes) => Place::Bytes(bytes),
        Location::Synthetic { bytes, pointers: found, partial, homes } => {
            // A home is memory or a register: nothing leads on from it.
            let homes = homes.into_iter().map(|home| {
                let place = place_behind(home.location, image, frame, 0);
                Home { at: home.at, length: home.length, place }
            });
            let homes = homes.collect();
            let Some(rest) = pointers.checked_sub(1) else {
                return Place::with_homes(bytes, Vec::new(), partial, homes);
            };
            let synthetic = found.into_iter().map(|pointer| {
                let object = image.object_location(pointer.object, frame);
                let object = place_behind(object, image, frame, rest);
                SyntheticPointer { at: pointer.at, object, offset: pointer.offset }
            });
            Place::with_homes(bytes, synthetic.collect(), partial, homes)
        }
        Location::OptimizedOut => Place::Unavailable(Unavailable::OptimizedOut),
        Location::Unavailable(reason) => Place::Unavailable(Unavailable::Other(reason)),
        Location::Register(number) => {
            let name = image.arch().dwarf_register(number).map_or_else(|| format!("register {number}"), str::to_owned);
            match frame.register_bytes(number) {
                // A `long double` is as large as it is in memory, where it has padding.
                Some(mut bytes) => {
                    if bytes.len() == X87_SIZE {
                        bytes.resize(LONG_DOUBLE_SIZE, 0);
                    }
                    Place::Register { name, bytes }
                }
                None => Place::Unavailable(Unavailable::Register(name)),
            }
        }
    }
}
