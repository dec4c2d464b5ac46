//! Keeps on disk what takes long to make of large debug files.

pub(crate) mod disk;
#[cfg(test)]
pub(crate) mod test_pause;
