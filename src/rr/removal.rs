//! Whether a recording may be removed.

use super::error::Error;
use super::trace;
use base::untrusted::PathText as _;
use std::fs;
use std::path::{Path, PathBuf};

/// Returns the real path of a recording that was asked to be removed, if the way to it has no symbolic link and it is
/// below the directory where rr keeps recordings, or one of those that are `known`. `force` permits any place, if it is
/// named by an absolute path. What is there is looked at by [`Rr::remove`](super::Rr::remove).
pub fn removable(asked: &Path, known: impl Fn(&Path) -> bool, force: bool) -> Result<PathBuf, Error> {
    removable_below(asked, &trace::trace_base(), known, force)
}

fn removable_below(asked: &Path, base: &Path, known: impl Fn(&Path) -> bool, force: bool) -> Result<PathBuf, Error> {
    let real = trace::resolve_in(Some(asked), base.to_owned())?;
    let refused = |reason: String| Err(Error::NotRemoved { path: asked.to_owned(), reason });
    let base = base.canonicalize().unwrap_or_else(|_| base.to_owned());
    // A mere name may have been found among rr's recordings, which may be behind a link; it must not be one itself.
    let named = match asked.parent() {
        Some(parent) if parent.as_os_str().is_empty() && real.parent() == Some(&base) => base.join(asked),
        _ => std::path::absolute(asked).map_err(Error::io("read the working directory"))?,
    };
    if named.components().ne(real.components()) {
        let shown = real.in_text();
        return refused(format!("the way to it has a symbolic link or `..`; its real path is `{shown}`"));
    }
    if real.starts_with(&base) && real != base || known(&real) {
        return Ok(real);
    }
    if force && asked.is_absolute() {
        return Ok(real);
    }
    let shown = base.in_text();
    refused(format!(
        "it is not below `{shown}`, where rr keeps recordings, and was not recorded by this server; with force, an absolute \
         path is removed wherever it is"
    ))
}

/// Finds another process that has a file of the trace open: it replays it, packs it, or looks at it. Only those are
/// seen that may be looked at.
pub(super) fn user_of(trace: &Path) -> Option<u32> {
    let ours = std::process::id();
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    let numbers = processes.filter_map(|process| process.file_name().to_str()?.parse().ok());
    numbers.filter(|pid| *pid != ours).find(|pid| {
        let files = fs::read_dir(format!("/proc/{pid}/fd")).into_iter().flatten().flatten();
        files.filter_map(|file| fs::read_link(file.path()).ok()).any(|file| file.starts_with(trace))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::File;
    use std::os::unix::fs::symlink;

    #[test]
    fn only_what_is_where_recordings_are_is_removed_without_force() {
        let place = tempfile::tempdir().unwrap();
        let place = place.path().canonicalize().unwrap();
        let (base, other) = (place.join("base"), place.join("other"));
        for directory in [base.join("prog-0"), other.join("prog-1")] {
            fs::create_dir_all(directory).unwrap();
        }
        let ask = |asked: &Path, force| removable_below(asked, &base, |_| false, force).map_err(|e| e.to_string());
        assert_eq!(ask(&base.join("prog-0"), false), Ok(base.join("prog-0")));
        assert_eq!(ask(Path::new("prog-0"), false), Ok(base.join("prog-0")));
        let outside = other.join("prog-1");
        let refused = ask(&outside, false).unwrap_err();
        assert!(
            refused.starts_with(&format!("`{}` is not removed: it is not below `", outside.display())),
            "{refused}"
        );
        assert_eq!(ask(&outside, true), Ok(outside.clone()));
        assert_eq!(removable_below(&outside, &base, |path| path == outside, false).unwrap(), outside);
        assert!(ask(&base, false).is_err(), "the whole directory is no recording");
    }

    #[test]
    fn no_symbolic_link_is_followed_not_even_with_force() {
        let place = tempfile::tempdir().unwrap();
        let place = place.path().canonicalize().unwrap();
        let base = place.join("base");
        fs::create_dir_all(base.join("prog-0")).unwrap();
        symlink("prog-0", base.join("latest-trace")).unwrap();
        symlink(&base, place.join("way")).unwrap();
        let ways =
            [base.join("latest-trace"), "latest-trace".into(), place.join("way/prog-0"), base.join("prog-0/../prog-0")];
        for way in ways {
            let error = removable_below(&way, &base, |_| true, true).unwrap_err().to_string();
            let real = base.join("prog-0");
            assert!(error.ends_with(&format!("its real path is `{}`", real.display())), "{error}");
        }
        // The directory itself may be behind a link, as a home directory is.
        assert_eq!(
            removable_below(Path::new("prog-0"), &place.join("way"), |_| false, false).unwrap(),
            base.join("prog-0")
        );
    }

    #[test]
    fn who_has_a_file_open_is_found() {
        let place = tempfile::tempdir().unwrap();
        let trace = place.path().canonicalize().unwrap();
        fs::write(trace.join("events"), "").unwrap();
        assert_eq!(user_of(&trace), None);
        let file = File::open(trace.join("events")).unwrap();
        assert_eq!(user_of(&trace), None, "we do not count");
        let mut child = std::process::Command::new("sleep").arg("1000").stdin(file).spawn().unwrap();
        assert_eq!(user_of(&trace), Some(child.id()));
        child.kill().unwrap();
        child.wait().unwrap();
    }
}
