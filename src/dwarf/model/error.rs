//! What can go wrong when an ELF file is opened or its tables are read.

use arch::LinkAddr;
use std::io;
use std::path::PathBuf;

/// An image could not be opened, or one of its tables is unusable.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The file could not be opened or mapped.
    #[error("cannot read {path}: {source}")]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The bytes are no usable ELF file.
    #[error("{path} is not a usable ELF file: {reason}")]
    NotElf {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// An ELF file, but for a machine that is not supported.
    #[error("{path} is built for {found}; x86-64 and AArch64, 64-bit and little-endian, are supported")]
    UnsupportedMachine {
        /// The file.
        path: PathBuf,
        /// Machine, class and byte order found.
        found: String,
    },
    /// A section of debug or unwind information is malformed.
    #[error("malformed {section} in {path}: {reason}")]
    Malformed {
        /// The file.
        path: PathBuf,
        /// The section: `.eh_frame`.
        section: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A frame could not be unwound although call frame information covers it.
    #[error(transparent)]
    Unwind(#[from] UnwindError),
}

/// Why a frame could not be unwound although call frame information covers it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UnwindError {
    /// The CFI cannot be decoded.
    #[error("malformed call frame information for {pc}: {reason}")]
    Malformed {
        /// The address that was looked up.
        pc: LinkAddr,
        /// What the decoder says.
        reason: gimli::Error,
    },
    /// The canonical frame address is computed from something that is not known in this frame.
    #[error("the canonical frame address at {pc} cannot be computed: {reason}")]
    Cfa {
        /// The address that was looked up.
        pc: LinkAddr,
        /// What is not known.
        reason: String,
    },
    /// The return address was saved where it cannot be read.
    #[error("the return address at {pc} cannot be restored: {reason}")]
    ReturnAddress {
        /// The address that was looked up.
        pc: LinkAddr,
        /// What is not known.
        reason: String,
    },
}
