//! Which programs a client may have recorded, that is: run.

use crate::rr::RecordOptions;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

/// What `RR_MCP_ALLOW_RECORD` says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum Allowed {
    /// All programs.
    #[default]
    Any,
    /// None.
    Nothing,
    /// Those that an entry names: `make` is what is found on our `PATH` under that name, `/usr/bin/make` is that file,
    /// and `/home/me/project/` is whatever is below.
    Listed(Vec<String>),
}

impl Allowed {
    /// Reads `on`, `off`, or entries separated by colons. `None`: an entry is neither a name nor an absolute path.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        match text.trim() {
            "on" => return Some(Self::Any),
            "off" => return Some(Self::Nothing),
            _ => {}
        }
        let entries: Vec<String> = text.split(':').map(|entry| entry.trim().to_owned()).collect();
        let is_good = |entry: &String| !entry.is_empty() && (entry.starts_with('/') || !entry.contains('/'));
        entries.iter().all(is_good).then_some(Self::Listed(entries))
    }

    /// Fails, saying why, if this must not be recorded.
    pub(crate) fn check(&self, options: &RecordOptions) -> Result<(), String> {
        let entries = match self {
            Self::Any => return Ok(()),
            Self::Nothing => {
                let said = "recording is turned off on this server (RR_MCP_ALLOW_RECORD); recordings that there are can \
                            be replayed";
                return Err(said.to_owned());
            }
            Self::Listed(entries) => entries,
        };
        // With these, an allowed program would run code that is not.
        let is_risky = |name: &&String| *name == "PATH" || name.starts_with("LD_");
        if let Some(name) = options.env.keys().find(is_risky) {
            return Err(format!("`env` must not set {name}, because this server records listed programs only"));
        }
        let program = options.command.first().map(String::as_str).unwrap_or_default();
        let directory = options.working_directory.as_deref();
        let is_allowed = real(program, directory).is_some_and(|program| {
            entries.iter().any(|entry| {
                let Some(listed) = real(entry, None) else { return false };
                if entry.ends_with('/') { program.starts_with(listed) } else { program == listed }
            })
        });
        if is_allowed {
            return Ok(());
        }
        let list = entries.join(", ");
        Err(format!("`{program}` is not among the programs that this server records (RR_MCP_ALLOW_RECORD): {list}"))
    }
}

/// Finds the file that a word means as a program, without symbolic links. A bare word means nothing for certain if
/// `PATH` has relative places: they are looked up from elsewhere.
fn real(word: &str, directory: Option<&Path>) -> Option<PathBuf> {
    if word.contains('/') {
        return directory.unwrap_or(Path::new("")).join(word).canonicalize().ok();
    }
    let path = std::env::var_os("PATH")?;
    if !std::env::split_paths(&path).all(|place| place.is_absolute()) {
        return None;
    }
    let can_be_run =
        |file: &PathBuf| file.metadata().is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0);
    std::env::split_paths(&path).map(|place| place.join(word)).find(can_be_run)?.canonicalize().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    fn record(program: &str) -> RecordOptions {
        RecordOptions { command: vec![program.to_owned()], ..RecordOptions::default() }
    }

    fn listed(text: &str) -> Allowed {
        Allowed::parse(text).unwrap()
    }

    #[test]
    fn it_is_on_off_or_a_list() {
        assert_eq!(Allowed::parse("on"), Some(Allowed::Any));
        assert_eq!(Allowed::parse(" off "), Some(Allowed::Nothing));
        assert_eq!(listed("make: /bin/sh"), Allowed::Listed(vec!["make".into(), "/bin/sh".into()]));
        for bad in ["", "a::b", "bin/sh", "./x"] {
            assert_eq!(Allowed::parse(bad), None, "{bad:?}");
        }
    }

    #[test]
    fn a_program_is_the_file_that_is_run_and_not_its_name() {
        let place = tempfile::tempdir().unwrap();
        let own = place.path().join("sh");
        std::fs::copy("/bin/sh", &own).unwrap();
        let own = own.to_str().unwrap();
        assert_eq!(listed("sh").check(&record("sh")), Ok(()));
        assert_eq!(listed("sh").check(&record("/bin/sh")), Ok(()));
        let said =
            format!("`{own}` is not among the programs that this server records (RR_MCP_ALLOW_RECORD): sh, make");
        assert_eq!(listed("sh:make").check(&record(own)), Err(said));
        assert_eq!(listed(own).check(&record(own)), Ok(()));
        let below = format!("{}/", place.path().display());
        assert_eq!(listed(&below).check(&record(own)), Ok(()));
        assert!(listed(&below).check(&record("sh")).is_err());
        let here = RecordOptions { working_directory: Some(place.path().into()), ..record("./sh") };
        assert_eq!(listed(own).check(&here), Ok(()));
        assert!(listed("sh").check(&here).is_err());
        // A way out of the directory is no way.
        assert!(listed(&below).check(&record(&format!("{}/../../bin/sh", place.path().display()))).is_err());
    }

    #[test]
    fn what_would_put_other_code_into_a_listed_program_is_refused() {
        for name in ["PATH", "LD_PRELOAD", "LD_LIBRARY_PATH"] {
            let env = BTreeMap::from([(name.to_owned(), "x".to_owned())]);
            let options = RecordOptions { env, ..record("sh") };
            let said = format!("`env` must not set {name}, because this server records listed programs only");
            assert_eq!(listed("sh").check(&options), Err(said));
            assert_eq!(Allowed::Any.check(&options), Ok(()));
        }
        assert!(Allowed::Nothing.check(&record("sh")).is_err());
    }
}
