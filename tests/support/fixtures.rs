//! Builds the programs of `dwarf-fixtures/manifest.txt` with the compilers that are there.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, LazyLock, Mutex, OnceLock};

/// Where a test process keeps what it builds and records.
pub fn scratch() -> &'static Path {
    static SCRATCH: LazyLock<PathBuf> = LazyLock::new(|| {
        let dir =
            Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{}-{}", env!("CARGO_CRATE_NAME"), std::process::id()));
        // A process that had the same number may have left something.
        let _ = std::fs::remove_dir_all(&dir);
        std::fs::create_dir_all(&dir).unwrap();
        dir
    });
    &SCRATCH
}

/// Builds a program, or a library, from a text, with gcc.
pub fn built_from(name: &str, text: &str, options: &[&str]) -> PathBuf {
    built_by("gcc", "c", name, text, options)
}

/// The same by a compiler, of a text in the language of files with this ending.
pub fn built_by(compiler: &str, ending: &str, name: &str, text: &str, options: &[&str]) -> PathBuf {
    let (source, made) = (scratch().join(format!("{name}.{ending}")), scratch().join(name));
    std::fs::write(&source, text).unwrap();
    let done = Command::new(compiler).arg(&source).arg("-o").arg(&made).args(options).output().unwrap();
    assert!(done.status.success(), "{name}: {}", String::from_utf8_lossy(&done.stderr));
    made
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("dwarf-fixtures")
}

/// The program of this name, built once per test process.
pub fn program(name: &str) -> PathBuf {
    type Slots = HashMap<String, Arc<OnceLock<PathBuf>>>;
    static BUILT: LazyLock<Mutex<Slots>> = LazyLock::new(Mutex::default);
    let slot = BUILT.lock().unwrap().entry(name.to_owned()).or_default().clone();
    slot.get_or_init(|| build(name)).clone()
}

fn build(name: &str) -> PathBuf {
    let manifest = std::fs::read_to_string(root().join("manifest.txt")).unwrap();
    let line = manifest
        .lines()
        .find(|l| l.split_whitespace().next() == Some(name))
        .unwrap_or_else(|| panic!("no fixture {name:?} in the manifest"));
    let words: Vec<&str> = line.split_whitespace().collect();
    let compiler = match words[1] {
        "cc" => "gcc",
        "c++" => "g++",
        other => other,
    };
    let output = scratch().join(name);
    let status = Command::new(compiler)
        .args(words[2..].iter().map(|w| match w.rsplit_once('.') {
            Some((_, "c" | "cpp" | "rs" | "s")) => root().join("src").join(w).into_os_string(),
            _ => (*w).into(),
        }))
        .arg("-o")
        .arg(&output)
        .status()
        .unwrap_or_else(|e| panic!("{compiler} is needed to build the fixture {name:?}: {e}"));
    assert!(status.success(), "{compiler} failed on the fixture {name:?}");
    output
}

/// The line of `file` (under `dwarf-fixtures/src`) that ends in the comment `@mark` or `mark: mark`.
pub fn line(file: &str, mark: &str) -> u64 {
    let text = std::fs::read_to_string(root().join("src").join(file)).unwrap();
    let marked = |line: &str| {
        ["@", "mark: "]
            .iter()
            .any(|sign| line.rsplit_once(sign).is_some_and(|(_, rest)| rest.split_whitespace().next() == Some(mark)))
    };
    let found: Vec<usize> = text.lines().enumerate().filter(|(_, l)| marked(l)).map(|(i, _)| i + 1).collect();
    assert_eq!(found.len(), 1, "mark @{mark} in {file}: {found:?}");
    found[0] as u64
}
