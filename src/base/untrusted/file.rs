//! Opening files that data from outside names.

use super::text::PathText as _;
use std::fmt;
use std::fs::{File, Metadata, OpenOptions};
use std::io;
use std::os::fd::AsRawFd;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

/// Directories of the kernel's, with what their files are not: data that somebody has stored.
const KERNEL: [&str; 3] = ["/proc", "/sys", "/dev"];

/// File systems that have no stored data, wherever they are mounted: proc, sysfs, devpts, debugfs, tracefs, securityfs,
/// cgroup, cgroup2, bpf, efivarfs, pstore, configfs, nsfs, selinuxfs and mqueue.
const KERNEL_TYPES: [u32; 15] = [
    0x0000_9fa0,
    0x6265_6572,
    0x0000_1cd1,
    0x6462_6720,
    0x7472_6163,
    0x7363_6673,
    0x0027_e0eb,
    0x6367_7270,
    0xcafe_4a11,
    0xde5e_81e4,
    0x6165_676c,
    0x6265_6570,
    0x6e73_6673,
    0xf97c_ff8c,
    0x1980_0202,
];

/// Why a file is not opened.
#[derive(Debug)]
pub enum Refused {
    /// The system says so.
    Io(io::Error),
    /// It is a directory, a pipe, a socket or a device.
    NotRegular,
    /// It is one of the kernel's files, this one when links are resolved.
    OfKernel(PathBuf),
    /// It is no source of the program as far as its place and its name say; this one when links are resolved.
    NoSource(PathBuf),
}

impl Refused {
    /// Returns whether the file is there and a rule of ours forbids it, rather than the system.
    pub fn is_by_rule(&self) -> bool {
        !matches!(self, Self::Io(_))
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => error.fmt(f),
            Self::NotRegular => f.write_str("it is not a file"),
            Self::OfKernel(real) => write!(f, "refused: {} is a file of the kernel's", real.in_text()),
            Self::NoSource(real) => write!(
                f,
                "refused: {} is not named as a source, nor below a directory of the program or the server (the command \
                 `directory DIR` allows what is below DIR)",
                real.in_text()
            ),
        }
    }
}

/// A file that is known for what it is, and not open for reading yet.
pub(super) struct UnopenedFile {
    handle: File,
    /// Its path without links.
    pub(super) real: PathBuf,
    data: Metadata,
}

impl UnopenedFile {
    /// Finds a regular file that is none of the kernel's. Nothing waits for anybody, and no device notices.
    pub(super) fn at(path: &Path) -> Result<Self, Refused> {
        // Such a descriptor opens nothing: no pipe waits for its other end.
        let handle = OpenOptions::new().read(true).custom_flags(libc::O_PATH).open(path).map_err(Refused::Io)?;
        let data = handle.metadata().map_err(Refused::Io)?;
        if !data.is_file() {
            return Err(Refused::NotRegular);
        }
        let real = std::fs::read_link(name_of(&handle)).or_else(|_| path.canonicalize()).map_err(Refused::Io)?;
        if KERNEL.iter().any(|directory| real.starts_with(directory)) || is_of_kernel(&handle) {
            return Err(Refused::OfKernel(real));
        }
        Ok(Self { handle, real, data })
    }

    /// Opens the file itself for reading, whatever has taken its name meanwhile.
    pub(super) fn open(self) -> Result<File, Refused> {
        let file = match File::open(name_of(&self.handle)) {
            // There is no /proc.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                OpenOptions::new().read(true).custom_flags(libc::O_NONBLOCK | libc::O_NOFOLLOW).open(&self.real)
            }
            opened => opened,
        };
        let file = file.map_err(Refused::Io)?;
        let data = file.metadata().map_err(Refused::Io)?;
        match (data.dev(), data.ino()) == (self.data.dev(), self.data.ino()) {
            true => Ok(file),
            false => Err(Refused::Io(io::Error::other("it was replaced while it was opened"))),
        }
    }
}

/// Returns the name by which the kernel knows an open file.
fn name_of(file: &File) -> PathBuf {
    PathBuf::from(format!("/proc/self/fd/{}", file.as_raw_fd()))
}

/// Returns whether a file is on a file system that has no stored data.
fn is_of_kernel(file: &File) -> bool {
    // SAFETY: all zeros is a valid `statfs`, which the call fills in; the descriptor is open.
    let (result, found) = unsafe {
        let mut found: libc::statfs = std::mem::zeroed();
        (libc::fstatfs(file.as_raw_fd(), &raw mut found), found)
    };
    // The number has 32 bits, in a field whose sign and size differ between C libraries.
    result == 0 && KERNEL_TYPES.contains(&(found.f_type as u32))
}

/// Opens a file that data from outside names: a regular file, and nothing of `/proc`, `/sys` or `/dev`.
///
/// # Errors
/// Why it is not opened.
pub fn open_regular(path: &Path) -> Result<File, Refused> {
    UnopenedFile::at(path)?.open()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read as _;

    #[test]
    fn only_stored_files_are_opened() {
        let place = tempfile::tempdir().unwrap();
        let (file, pipe, link) = (place.path().join("a"), place.path().join("p"), place.path().join("l.c"));
        std::fs::write(&file, "text").unwrap();
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        std::os::unix::fs::symlink("/proc/self/environ", &link).unwrap();
        let mut text = String::new();
        open_regular(&file).unwrap().read_to_string(&mut text).unwrap();
        assert_eq!(text, "text");
        assert!(matches!(open_regular(&pipe), Err(Refused::NotRegular)));
        assert!(matches!(open_regular(place.path()), Err(Refused::NotRegular)));
        assert!(matches!(open_regular(Path::new("/dev/zero")), Err(Refused::NotRegular)));
        assert!(matches!(open_regular(&place.path().join("none")), Err(Refused::Io(_))));
        for kernels in [&*link, Path::new("/proc/self/../self/environ"), Path::new("/sys/kernel/uevent_seqnum")] {
            assert!(matches!(open_regular(kernels), Err(Refused::OfKernel(_))), "{}", kernels.display());
        }
    }
}
