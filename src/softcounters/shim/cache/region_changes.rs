//! What is to be written to the region of an address space, collected.

/// Where a jump is written over an anchor, and how long it is.
pub const JUMP: usize = 5;

/// What must be written to the region to bring it in line with the index.
#[derive(Debug, Default)]
pub struct Changes {
    /// New code, one piece from this address on.
    pub code_at: u64,
    pub code: Vec<u8>,
    /// Changes to code that is there.
    pub patches: Vec<(u64, [u8; JUMP], usize)>,
    /// Table entries: address in the region, key and value.
    pub table: Vec<(u64, [u8; 16])>,
}

impl Changes {
    /// Returns all pieces, in an order that is right even if a patch falls into new code.
    pub fn pieces(&self) -> Vec<(u64, &[u8])> {
        let mut pieces: Vec<(u64, &[u8])> = Vec::with_capacity(1 + self.patches.len() + self.table.len());
        if !self.code.is_empty() {
            pieces.push((self.code_at, &self.code));
        }
        pieces.extend(self.patches.iter().map(|(at, bytes, length)| (*at, &bytes[..*length])));
        pieces.extend(self.table.iter().map(|(at, entry)| (*at, entry.as_slice())));
        pieces
    }

    pub(super) fn patch(&mut self, at: u64, bytes: &[u8]) {
        if let Some(offset) = at.checked_sub(self.code_at).map(|offset| offset as usize)
            && let Some(place) = self.code.get_mut(offset..offset + bytes.len())
        {
            place.copy_from_slice(bytes);
            return;
        }
        let mut patch = [0; JUMP];
        patch[..bytes.len()].copy_from_slice(bytes);
        self.patches.push((at, patch, bytes.len()));
    }
}
