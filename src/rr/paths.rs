//! Paths as users write them, with `~` for their home directory and with `..`; and files that somebody else has made.

use std::borrow::Cow;
use std::ffi::OsString;
use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Component, Path, PathBuf};

/// Returns a path with the home directory in place of a leading `~`, as a shell has it.
///
/// Where there is a file of that name, or no home directory, the path stays as it is.
pub fn at_home(path: &Path) -> Cow<'_, Path> {
    in_home(path, std::env::var_os("HOME"))
}

fn in_home(path: &Path, home: Option<OsString>) -> Cow<'_, Path> {
    match (path.strip_prefix("~"), home) {
        (Ok(rest), Some(home)) if !home.is_empty() && Path::new("~").symlink_metadata().is_err() => {
            let home = PathBuf::from(home);
            Cow::Owned(if rest.as_os_str().is_empty() { home } else { home.join(rest) })
        }
        _ => Cow::Borrowed(path),
    }
}

/// Resolves the links and the `..` of an absolute path, of which the last parts need not exist yet.
pub(super) fn real(path: &Path) -> PathBuf {
    let mut real = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => drop(real.pop()),
            part => {
                real.push(part);
                if let Ok(resolved) = real.canonicalize() {
                    real = resolved;
                }
            }
        }
    }
    real
}

/// Opens a file of a trace to read it. Whoever made the trace may have put something else there: opening a pipe would
/// wait for a writer for ever.
pub(super) fn open_regular(path: &Path) -> io::Result<File> {
    let file = OpenOptions::new().read(true).custom_flags(libc::O_NONBLOCK).open(path)?;
    if file.metadata()?.is_file() { Ok(file) } else { Err(io::Error::other("it is not a regular file")) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn a_tilde_is_the_home_directory_where_there_is_one() {
        let home = || Some(OsString::from("/home/me"));
        let at_home = |path: &str| in_home(Path::new(path), home()).into_owned();
        assert_eq!(at_home("~/traces/a"), Path::new("/home/me/traces/a"));
        assert_eq!(at_home("~"), Path::new("/home/me"));
        for path in ["~other/a", "/a/~", "a", "./~/a"] {
            assert_eq!(at_home(path), Path::new(path));
        }
        for home in [None, Some(OsString::new())] {
            assert_eq!(in_home(Path::new("~/a"), home), Path::new("~/a"));
        }
    }

    #[test]
    fn parents_are_those_of_the_real_directories() {
        let place = tempfile::tempdir().unwrap();
        let base = place.path().canonicalize().unwrap();
        std::fs::create_dir_all(base.join("a/b")).unwrap();
        symlink(base.join("a/b"), base.join("link")).unwrap();
        assert_eq!(real(&base.join("link/../c")), base.join("a/c"));
        assert_eq!(real(&base.join("new/more/../../c")), base.join("c"));
        assert_eq!(real(&base.join("./a/./d")), base.join("a/d"));
        assert_eq!(real(Path::new("/../..")), Path::new("/"));
    }

    #[test]
    fn pipes_and_devices_are_not_waited_for() {
        let place = tempfile::tempdir().unwrap();
        let pipe = place.path().join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status().unwrap();
        assert!(made.success());
        for path in [pipe.as_path(), place.path(), Path::new("/dev/zero")] {
            assert_eq!(open_regular(path).unwrap_err().to_string(), "it is not a regular file", "{}", path.display());
        }
        let file = place.path().join("file");
        std::fs::write(&file, "").unwrap();
        assert!(open_regular(&file).is_ok());
    }
}
