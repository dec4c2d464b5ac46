//! Which programs a client may have recorded, that is: run.

use rr::RecordOptions;
use std::ffi::OsString;
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

    /// Has the program named by the file that was checked, where programs are listed. rr would look for it once more,
    /// from the working directory of the program, and for each of several runs: links might lead elsewhere then.
    ///
    /// # Errors
    /// Why this must not be recorded.
    pub(crate) fn admit(&self, options: &mut RecordOptions) -> Result<(), String> {
        if let Some(file) = self.check(options)?
            && let Some(program) = options.command.first_mut()
        {
            *program = file;
        }
        Ok(())
    }

    /// Returns the file that is to be run. `None`: as it is named.
    fn check(&self, options: &RecordOptions) -> Result<Option<String>, String> {
        let entries = match self {
            Self::Any => return Ok(None),
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
        let covers = |entry: &String, file: &Path| {
            let Some(listed) = Program::named(entry, None) else { return false };
            if entry.ends_with('/') { file.starts_with(listed.real) } else { file == listed.real }
        };
        let is_listed_link = |entry: &String, link: &Path| {
            let Some(listed) = Program::named(entry, None) else { return false };
            if entry.ends_with('/') { link.starts_with(listed.real) } else { link == listed.link }
        };
        let file = Program::named(program, directory)
            .filter(|named| entries.iter().any(|entry| covers(entry, &named.real)))
            // A link may say what a program does. Where it is itself listed, it is the user's word.
            .map(|named| match entries.iter().any(|entry| is_listed_link(entry, &named.link)) {
                true => named.link,
                false => named.real,
            });
        match file.map(PathBuf::into_os_string).map(OsString::into_string) {
            Some(Ok(file)) => return Ok(Some(file)),
            Some(Err(_)) => {
                return Err(format!("the path of `{program}` is no UTF-8 text, and cannot be recorded here"));
            }
            None => {}
        }
        let list = entries.join(", ");
        Err(format!("`{program}` is not among the programs that this server records (RR_MCP_ALLOW_RECORD): {list}"))
    }
}

/// The file that a word means as a program.
struct Program {
    /// Without symbolic links.
    real: PathBuf,
    /// Without symbolic links, but for the last part.
    link: PathBuf,
}

impl Program {
    /// Finds it. A bare word means nothing for certain if `PATH` has relative places: they are looked up from elsewhere.
    fn named(word: &str, directory: Option<&Path>) -> Option<Self> {
        if word.contains('/') {
            return Self::at(&directory.unwrap_or(Path::new("")).join(word));
        }
        let path = std::env::var_os("PATH")?;
        if !std::env::split_paths(&path).all(|place| place.is_absolute()) {
            return None;
        }
        let can_be_run =
            |file: &PathBuf| file.metadata().is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0);
        Self::at(&std::env::split_paths(&path).map(|place| place.join(word)).find(can_be_run)?)
    }

    fn at(path: &Path) -> Option<Self> {
        let real = path.canonicalize().ok()?;
        let link = match (path.parent(), path.file_name()) {
            (Some(parent), Some(name)) => std::path::absolute(parent).ok()?.canonicalize().ok()?.join(name),
            _ => real.clone(),
        };
        Some(Self { real, link })
    }
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
        let run = |file: &str| Ok(Some(file.to_owned()));
        assert!(listed("sh").check(&record("sh")).unwrap().unwrap().ends_with("/sh"));
        assert!(listed("sh").check(&record("/bin/sh")).unwrap().unwrap().ends_with("/sh"));
        let said =
            format!("`{own}` is not among the programs that this server records (RR_MCP_ALLOW_RECORD): sh, make");
        assert_eq!(listed("sh:make").check(&record(own)), Err(said));
        assert_eq!(listed(own).check(&record(own)), run(own));
        let below = format!("{}/", place.path().display());
        assert_eq!(listed(&below).check(&record(own)), run(own));
        assert!(listed(&below).check(&record("sh")).is_err());
        let here = RecordOptions { working_directory: Some(place.path().into()), ..record("./sh") };
        assert_eq!(listed(own).check(&here), run(own));
        assert!(listed("sh").check(&here).is_err());
        // A way out of the directory is no way.
        assert!(listed(&below).check(&record(&format!("{}/../../bin/sh", place.path().display()))).is_err());
    }

    #[test]
    fn the_file_that_was_checked_is_run() {
        let place = tempfile::tempdir().unwrap();
        let at = |name: &str| place.path().canonicalize().unwrap().join(name).into_os_string().into_string().unwrap();
        std::fs::create_dir(at("listed")).unwrap();
        std::fs::create_dir(at("other")).unwrap();
        std::fs::copy("/bin/true", at("listed/good")).unwrap();
        std::fs::copy("/bin/false", at("other/good")).unwrap();
        std::os::unix::fs::symlink(at("listed/good"), at("other/link")).unwrap();
        std::os::unix::fs::symlink("good", at("listed/as")).unwrap();
        let below = listed(&format!("{}/", at("listed")));
        let run = |program: &str| {
            let mut options = RecordOptions { working_directory: Some(at("other").into()), ..record(program) };
            below.admit(&mut options).map(|()| options.command[0].clone())
        };
        assert_eq!(run(&at("other/link")), Ok(at("listed/good")), "it could be exchanged");
        assert_eq!(run(&at("listed/as")), Ok(at("listed/as")), "it is among what is listed");
        assert_eq!(run("../listed/good"), Ok(at("listed/good")));
        assert!(run(&at("listed/../other/good")).is_err());
        assert!(run("./good").is_err());
        // The server has another directory than the program.
        let own = listed(concat!(env!("CARGO_MANIFEST_DIR"), "/"));
        let mut options = record("/proc/self/cwd/tests/run.sh");
        own.admit(&mut options).unwrap();
        assert_eq!(options.command, [concat!(env!("CARGO_MANIFEST_DIR"), "/tests/run.sh")]);
    }

    #[test]
    fn what_would_put_other_code_into_a_listed_program_is_refused() {
        for name in ["PATH", "LD_PRELOAD", "LD_LIBRARY_PATH"] {
            let env = BTreeMap::from([(name.to_owned(), "x".to_owned())]);
            let options = RecordOptions { env, ..record("sh") };
            let said = format!("`env` must not set {name}, because this server records listed programs only");
            assert_eq!(listed("sh").check(&options), Err(said));
            assert_eq!(Allowed::Any.check(&options), Ok(None));
        }
        assert!(Allowed::Nothing.check(&record("sh")).is_err());
    }
}
