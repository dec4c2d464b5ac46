//! An `rr` on `PATH` that counts as ours does.

use std::ffi::OsString;
use std::fs::{DirBuilder, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Runs what the variables below name.
const SCRIPT: &str = "#!/bin/sh\nexec \"$RETROGRADE_BENCH_SERVER\" rr \"$@\"\n";

/// A private directory with a program `rr` in it, which is [`rr::Rr::pass_through`]. A debugger that starts the
/// `rr` it finds on `PATH` gets the rr of the bench that way, with the counters that the recording needs.
pub(super) struct StandIn {
    directory: PathBuf,
}

impl StandIn {
    /// Makes the directory, below the one for temporary files.
    pub(super) fn new() -> io::Result<Self> {
        let free = |number: u32| {
            let directory = std::env::temp_dir().join(format!("retrograde-bench-{}-{number}", std::process::id()));
            DirBuilder::new().mode(0o700).create(&directory).map(|()| directory)
        };
        let made = (0..100).map(free).find(|made| !matches!(made, Err(e) if e.kind() == io::ErrorKind::AlreadyExists));
        let directory = made.unwrap_or_else(|| Err(io::ErrorKind::AlreadyExists.into()))?;
        let stand_in = Self { directory };
        let mut file =
            OpenOptions::new().write(true).create_new(true).mode(0o700).open(stand_in.directory.join("rr"))?;
        file.write_all(SCRIPT.as_bytes())?;
        Ok(stand_in)
    }

    /// Makes `command` and what it starts see this `rr` first: `server` (a `retrograde`) with the program `rr`.
    pub(super) fn lead(&self, command: &mut Command, server: &Path, rr: &Path) -> io::Result<()> {
        let path: OsString = std::env::var_os("PATH").unwrap_or_default();
        let all = std::iter::once(self.directory.clone()).chain(std::env::split_paths(&path));
        command.env("PATH", std::env::join_paths(all).map_err(io::Error::other)?);
        command.env("RETROGRADE_BENCH_SERVER", server).env("RETROGRADE_RR", rr);
        Ok(())
    }
}

impl Drop for StandIn {
    fn drop(&mut self) {
        // What cannot be removed stays for whoever cleans the directory for temporary files.
        let _ = std::fs::remove_dir_all(&self.directory);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shell_finds_our_rr_first() {
        let stand_in = StandIn::new().unwrap();
        let mut command = Command::new("/bin/sh");
        command.args(["-c", "rr replay 'a b'"]);
        stand_in.lead(&mut command, Path::new("/bin/echo"), Path::new("/x/rr")).unwrap();
        let output = command.output().unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stdout), "rr replay a b\n");
        let directory = stand_in.directory.clone();
        drop(stand_in);
        assert!(!directory.exists());
    }
}
