//! Which files the paths of processes lead to: through renaming, links and removal, as far as calls of the recording tell.
//!
//! Of what a path led to before the recording nothing is known: two paths are taken for two files, unless a call of the
//! recording has made them one.

use std::collections::BTreeMap;

/// Most links that are followed.
const MOST_LINKS: usize = 8;
/// Directories whose files are none that keep what is written to them.
const DEVICES: [&[u8]; 3] = [b"/dev/", b"/proc/", b"/sys/"];
/// A directory among these with files all the same.
const SHARED_MEMORY: &[u8] = b"/dev/shm/";

/// What the paths of all processes lead to.
#[derive(Debug, Default)]
pub(super) struct Paths {
    /// The numbers of files.
    files: BTreeMap<Vec<u8>, usize>,
    /// Where symbolic links lead to.
    links: BTreeMap<Vec<u8>, Vec<u8>>,
    /// The directories in which processes are, where these are not those in which the recording began.
    directories: BTreeMap<u32, Vec<u8>>,
}

impl Paths {
    /// Takes note that a process was made by another one.
    pub(super) fn fork(&mut self, pid: u32, child: u32) {
        match self.directories.get(&pid).cloned() {
            Some(directory) => drop(self.directories.insert(child, directory)),
            None => drop(self.directories.remove(&child)),
        }
    }

    /// Takes note that a process goes to another directory.
    pub(super) fn go(&mut self, pid: u32, directory: Vec<u8>) {
        self.directories.insert(pid, directory);
    }

    /// Returns the path that a process means; from `directory` on, if that is given. `None`: it is not known.
    pub(super) fn meant(&self, pid: u32, directory: Option<&[u8]>, path: &[u8]) -> Option<Vec<u8>> {
        let nothing = Vec::new();
        let own = self.directories.get(&pid).unwrap_or(&nothing);
        let all = match path {
            [] => return None,
            [b'/', ..] => path.to_vec(),
            _ => [directory.unwrap_or(own), b"/", path].concat(),
        };
        // A path that does not begin with a slash begins where the recording began.
        let is_absolute = path.first() == Some(&b'/') || directory.unwrap_or(own).first() == Some(&b'/');
        let parts: Vec<&[u8]> =
            all.split(|byte| *byte == b'/').filter(|part| !part.is_empty() && part != b".").collect();
        let joined = parts.join(&b'/');
        Some(if is_absolute { [b"/", joined.as_slice()].concat() } else { joined })
    }

    /// Returns the path that a path leads to by symbolic links.
    fn target(&self, path: &[u8]) -> Vec<u8> {
        let mut path = path.to_vec();
        for _ in 0..MOST_LINKS {
            match self.links.get(&path) {
                Some(target) => path.clone_from(target),
                None => break,
            }
        }
        path
    }

    /// Returns the number of the file that a path leads to.
    pub(super) fn file(&self, path: &[u8]) -> Option<usize> {
        self.files.get(&self.target(path)).copied()
    }

    /// Takes note that a path leads to a file.
    pub(super) fn lead(&mut self, path: &[u8], file: usize) {
        let target = self.target(path);
        self.files.insert(target, file);
    }

    /// Takes note that a path leads to nothing any more.
    pub(super) fn remove(&mut self, path: &[u8]) {
        self.files.remove(path);
        self.links.remove(path);
    }

    /// Takes note that a path is a symbolic link.
    pub(super) fn link(&mut self, path: Vec<u8>, target: Vec<u8>) {
        self.files.remove(&path);
        self.links.insert(path, target);
    }

    /// Takes note that what a path leads to has another name, and what is in it, if it is a directory.
    pub(super) fn rename(&mut self, from: &[u8], to: &[u8]) {
        fn moved<T>(all: &mut BTreeMap<Vec<u8>, T>, from: &[u8], to: &[u8]) {
            let is_in =
                |path: &[u8]| path.strip_prefix(from).is_some_and(|rest| rest.is_empty() || rest.starts_with(b"/"));
            let inside: Vec<Vec<u8>> = all.keys().filter(|path| is_in(path)).cloned().collect();
            all.remove(to);
            for path in inside {
                if let Some(value) = all.remove(&path) {
                    all.insert([to, path.get(from.len()..).unwrap_or_default()].concat(), value);
                }
            }
        }
        moved(&mut self.files, from, to);
        moved(&mut self.links, from, to);
    }
}

/// Returns whether what is at a path keeps what is written to it, as far as the path tells.
pub(super) fn keeps_content(path: &[u8]) -> bool {
    path.starts_with(SHARED_MEMORY) || !DEVICES.iter().any(|directory| path.starts_with(directory))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_meant_from_the_directory_of_its_process() {
        let mut paths = Paths::default();
        let meant = |paths: &Paths, pid, directory: Option<&str>, path: &str| {
            let meant = paths.meant(pid, directory.map(str::as_bytes), path.as_bytes());
            meant.map(|meant| String::from_utf8(meant).unwrap())
        };
        assert_eq!(meant(&paths, 1, None, "./a//b").as_deref(), Some("a/b"));
        assert_eq!(meant(&paths, 1, Some("/x"), "a").as_deref(), Some("/x/a"));
        assert_eq!(meant(&paths, 1, Some("/x"), "/a").as_deref(), Some("/a"));
        paths.go(1, b"/home".to_vec());
        paths.fork(1, 2);
        paths.go(1, b"d".to_vec());
        assert_eq!(meant(&paths, 2, None, "a").as_deref(), Some("/home/a"));
        assert_eq!(meant(&paths, 1, None, "a").as_deref(), Some("d/a"));
        assert_eq!(meant(&paths, 1, None, ""), None);
    }

    #[test]
    fn what_is_renamed_is_the_same_file() {
        let mut paths = Paths::default();
        for (path, file) in [("d/a", 0), ("d/b", 1), ("db", 2)] {
            paths.lead(path.as_bytes(), file);
        }
        paths.link(b"l".to_vec(), b"d/a".to_vec());
        assert_eq!(paths.file(b"l"), Some(0));
        paths.rename(b"d", b"e");
        assert_eq!([b"d/a", b"e/a", b"e/b"].map(|path| paths.file(path)), [None, Some(0), Some(1)]);
        paths.rename(b"db", b"e/b");
        assert_eq!((paths.file(b"e/b"), paths.file(b"db"), paths.file(b"l")), (Some(2), None, None));
        paths.remove(b"e/b");
        assert_eq!(paths.file(b"e/b"), None);
        assert!(keeps_content(b"/dev/shm/x") && !keeps_content(b"/dev/tty") && keeps_content(b"data"));
    }
}
