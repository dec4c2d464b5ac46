//! Keeps on disk what takes long to make of large debug files.

pub(in crate::dwarf) mod disk;
#[cfg(test)]
pub(in crate::dwarf) mod test_pause;
