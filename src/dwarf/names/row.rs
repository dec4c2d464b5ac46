//! One name in the directory of names, as a few hashes.

/// What is not in a scope.
pub(crate) const NOWHERE: u32 = 0;
/// What may be meant by a name with any scope: demangled, its name may read differently.
pub(crate) const ANYWHERE: u32 = 1;

/// A name that a unit has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Row {
    /// Of the kind and the name without template arguments.
    pub(crate) bare: u32,
    /// Of the whole name.
    pub(crate) full: u32,
    /// Of the name, without template arguments, of a scope that a query may give for it.
    pub(crate) parent: u32,
    pub(crate) unit: u32,
}

pub(crate) const ROW: usize = 16;

impl Row {
    pub(crate) fn bytes(self) -> [u8; ROW] {
        let mut bytes = [0; ROW];
        let fields = [self.bare, self.full, self.parent, self.unit].map(u32::to_le_bytes);
        bytes.iter_mut().zip(fields.as_flattened()).for_each(|(to, from)| *to = *from);
        bytes
    }

    pub(crate) fn of(bytes: &[u8; ROW]) -> Self {
        let (fields, _) = bytes.as_chunks::<4>();
        let field = |i: usize| fields.get(i).map_or(0, |field| u32::from_le_bytes(*field));
        Self { bare: field(0), full: field(1), parent: field(2), unit: field(3) }
    }
}

/// Stands in the directory for all names that end so.
pub(crate) const VTABLES: &str = "{vtable}";

/// Returns the hash of a name without its white space; neither [`NOWHERE`] nor [`ANYWHERE`].
pub(crate) fn letters(name: &str) -> u32 {
    let step = |hash: u32, byte: u8| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193);
    name.bytes().filter(|byte| !byte.is_ascii_whitespace()).fold(0x811c_9dc5, step) | 2
}
