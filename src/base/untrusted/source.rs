//! Which files are shown as sources.
//!
//! Debug info names sources, and whoever made a program or a recording wrote it: `#line 3 "/etc/shadow"` is enough. So a
//! path alone opens nothing. With links resolved, a source is a file
//!
//! * below a directory that the user gave, whatever its name;
//! * below a directory of the recorded program or of the server, unless a name on the way is hidden;
//! * below where compilers, packages and the system keep sources and headers (headers of C++ have no extension);
//! * elsewhere, with the extension of a source language.

use super::file::{Refused, UnopenedFile};
use std::fs::File;
use std::path::{Component, Path, PathBuf};

/// Where compilers, packages and the system keep sources, readable for everybody.
const SYSTEM: [&str; 9] = [
    "/usr/include",
    "/usr/lib",
    "/usr/lib64",
    "/usr/local/include",
    "/usr/local/lib",
    "/usr/local/src",
    "/usr/share",
    "/usr/src",
    "/nix/store",
];

/// Extensions of sources, in small letters, of languages that debug info is made of.
const EXTENSIONS: &[&str] = &[
    "adb", "ads", "ada", "asm", "c", "c++", "cc", "ccm", "cl", "cob", "comp", "cp", "cpp", "cppm", "cpy", "cr", "cs",
    "cu", "cuh", "cxx", "cxxm", "d", "def", "di", "f", "f03", "f08", "f77", "f90", "f95", "for", "fpp", "frag", "fs",
    "ftn", "glsl", "go", "gperf", "h", "h++", "hh", "hip", "hpp", "hs", "hxx", "i", "ii", "inc", "inl", "ipp", "ispc",
    "ixx", "java", "jl", "kt", "l", "lex", "lhs", "ll", "m", "metal", "ml", "mli", "mll", "mly", "mm", "mod", "mpp",
    "nasm", "nim", "odin", "p", "pas", "pp", "pxd", "pxi", "pyx", "re", "rl", "rs", "s", "scala", "swift", "sx", "tcc",
    "tpp", "txx", "v", "vala", "vapi", "vert", "y", "yy", "ypp", "yxx", "zig",
];

/// Which files are shown as sources.
#[derive(Clone, Debug, Default)]
pub struct SourceAccess {
    /// Directories that the user gave, without links.
    given: Vec<PathBuf>,
    /// Directories of the recorded program and of the server, without links.
    own: Vec<PathBuf>,
}

impl SourceAccess {
    /// Creates an access for directories that the user gave, and for the working directory.
    pub fn new(given: impl IntoIterator<Item = PathBuf>) -> Self {
        let given = given.into_iter().filter_map(|directory| directory.canonicalize().ok()).collect();
        let own = std::env::current_dir().and_then(|directory| directory.canonicalize());
        Self { given, own: own.ok().filter(|directory| directory.parent().is_some()).into_iter().collect() }
    }

    /// Adds directories of the recorded program. The root is none: everything is below it.
    #[must_use]
    pub fn with_program(mut self, directories: impl IntoIterator<Item = PathBuf>) -> Self {
        let real = directories.into_iter().filter_map(|directory| directory.canonicalize().ok());
        self.own.extend(real.filter(|directory| directory.parent().is_some()));
        self
    }

    /// Opens a source.
    ///
    /// # Errors
    /// Why it is not opened.
    pub fn open(&self, path: &Path) -> Result<File, Refused> {
        self.find(path)?.open()
    }

    /// Checks that a source is there and may be opened.
    ///
    /// # Errors
    /// Why it would not be opened.
    pub fn check(&self, path: &Path) -> Result<(), Refused> {
        self.find(path).map(drop)
    }

    fn find(&self, path: &Path) -> Result<UnopenedFile, Refused> {
        let found = UnopenedFile::at(path)?;
        match self.permits(&found.real) {
            true => Ok(found),
            false => Err(Refused::NoSource(found.real)),
        }
    }

    fn permits(&self, real: &Path) -> bool {
        let is_below = |directory: &PathBuf| real.starts_with(directory);
        let is_own = |directory: &PathBuf| real.strip_prefix(directory).is_ok_and(|rest| !has_hidden(rest));
        self.given.iter().any(is_below)
            || self.own.iter().any(is_own)
            || SYSTEM.iter().any(|directory| real.starts_with(directory))
            || has_source_extension(real)
    }
}

fn has_hidden(path: &Path) -> bool {
    path.components().any(|part| matches!(part, Component::Normal(name) if name.as_encoded_bytes().starts_with(b".")))
}

fn has_source_extension(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str()).map(str::to_ascii_lowercase);
    extension.is_some_and(|extension| EXTENSIONS.contains(&extension.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::symlink;

    struct Tree(tempfile::TempDir);

    impl Tree {
        fn new(files: &[&str]) -> Self {
            let tree = Self(tempfile::tempdir().unwrap());
            for file in files {
                let path = tree.path(file);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, "text\n").unwrap();
            }
            tree
        }

        fn path(&self, name: &str) -> PathBuf {
            self.0.path().canonicalize().unwrap().join(name)
        }

        fn opens(&self, access: &SourceAccess, name: &str) -> bool {
            match access.open(&self.path(name)) {
                Ok(_) => true,
                Err(refused) => {
                    assert!(refused.is_by_rule(), "{name}: {refused}");
                    false
                }
            }
        }
    }

    #[test]
    fn elsewhere_the_name_decides_when_links_are_resolved() {
        let tree = Tree::new(&["a.c", "b.RS", "shadow", "id_rsa.key", ".env", "real"]);
        symlink(tree.path("shadow"), tree.path("link.c")).unwrap();
        symlink(tree.path("a.c"), tree.path("link")).unwrap();
        let access = SourceAccess::default();
        for (name, expected) in [
            ("a.c", true),
            ("b.RS", true),
            ("link", true),
            ("shadow", false),
            ("id_rsa.key", false),
            (".env", false),
            ("link.c", false),
        ] {
            assert_eq!(tree.opens(&access, name), expected, "{name}");
        }
        let refused = access.open(&tree.path("link.c")).unwrap_err().to_string();
        assert!(refused.contains(&format!("{} is not named as a source", tree.path("shadow").display())), "{refused}");
        assert!(refused.contains("`directory DIR`"), "{refused}");
    }

    #[test]
    fn directories_of_the_program_have_sources_of_any_name_that_is_not_hidden() {
        let tree = Tree::new(&["p/grammar", "p/.env", "p/.ssh/id", "q/x"]);
        symlink(tree.path("q/x"), tree.path("p/out")).unwrap();
        let access = SourceAccess::default().with_program([tree.path("p"), PathBuf::from("/"), tree.path("none")]);
        for (name, expected) in [
            ("p/grammar", true),
            ("p/.env", false),
            ("p/.ssh/id", false),
            ("q/x", false),
            ("p/out", false),
            ("p/../q/x", false),
        ] {
            assert_eq!(tree.opens(&access, name), expected, "{name}");
        }
    }

    #[test]
    fn what_the_user_gave_is_read_whatever_its_name() {
        let tree = Tree::new(&["p/.hidden/x", "q"]);
        let access = SourceAccess::new([tree.path("p")]);
        assert!(tree.opens(&access, "p/.hidden/x"));
        assert!(!tree.opens(&access, "q"));
    }

    #[test]
    fn headers_of_cxx_are_sources() {
        assert!(SourceAccess::default().permits(Path::new("/usr/include/c++/12/vector")));
        assert!(!SourceAccess::default().permits(Path::new("/etc/shadow")));
    }
}
