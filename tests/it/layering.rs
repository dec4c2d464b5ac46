//! `ls src` is the architecture; these tests keep it true.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Each module, bottom to top, and what it may name.
const LAYERS: &[(&str, &[&str])] = &[
    ("arch", &[]),
    ("ctype", &["arch"]),
    ("softcounters", &[]),
    ("rsp", &["arch"]),
    ("rr", &["softcounters"]),
    ("dwarf", &["arch", "ctype"]),
    ("expr", &["arch", "ctype"]),
    ("readers", &["ctype"]),
    ("engine", &["arch", "ctype", "rsp", "rr", "dwarf", "expr", "readers"]),
    ("console", &["arch", "engine"]),
    ("mcp", &["arch", "engine", "console", "rr"]),
    ("cli", &["arch", "softcounters", "rr", "engine", "console", "mcp"]),
];

/// Longest file, tests apart.
const LINE_LIMIT: usize = 700;

fn src() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

fn rust_files(module: &str) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut directories = vec![src().join(module)];
    while let Some(directory) = directories.pop() {
        for entry in fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                // The preloaded object is a crate of its own.
                if !path.ends_with("softcounters/shim") {
                    directories.push(path);
                }
            } else if path.extension().is_some_and(|e| e == "rs") {
                files.push(path);
            }
        }
    }
    assert!(!files.is_empty(), "no source for module `{module}`");
    files
}

fn without_comments(text: &str) -> String {
    text.lines().map(|line| line.split("//").next().unwrap_or("")).collect::<Vec<_>>().join("\n")
}

/// The part of a file before its inline test module.
fn without_tests(text: &str) -> &str {
    text.split("#[cfg(test)]").next().unwrap_or(text)
}

/// The first segments that follow `crate::`, through one level of braces.
fn crate_paths(text: &str) -> BTreeSet<String> {
    let identifier = |s: &str| s.trim_start().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
    let mut found = BTreeSet::new();
    for rest in text.split("crate::").skip(1) {
        let Some(group) = rest.strip_prefix('{') else {
            found.insert(identifier(rest));
            continue;
        };
        let mut depth = 0;
        let mut start = 0;
        for (i, c) in group.char_indices() {
            match c {
                '{' => depth += 1,
                '}' if depth == 0 => {
                    found.insert(identifier(&group[start..i]));
                    break;
                }
                '}' => depth -= 1,
                ',' if depth == 0 => {
                    found.insert(identifier(&group[start..i]));
                    start = i + 1;
                }
                _ => {}
            }
        }
    }
    found.remove("");
    found
}

#[test]
fn no_layer_names_one_beside_or_above_it() {
    let mut wrong = Vec::new();
    for (module, allowed) in LAYERS {
        for file in rust_files(module) {
            let text = without_comments(&fs::read_to_string(&file).unwrap());
            for used in crate_paths(&text) {
                let is_layer = LAYERS.iter().any(|(name, _)| *name == used);
                if is_layer && used != *module && !allowed.contains(&used.as_str()) {
                    wrong.push(format!("{}: `{module}` must not name `{used}`", file.display()));
                }
            }
            if text.contains("super::super") {
                wrong.push(format!("{}: `super::super` hides where a path leads", file.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn every_module_has_a_layer() {
    let lib = fs::read_to_string(src().join("lib.rs")).unwrap();
    let declared: BTreeSet<&str> =
        lib.lines().filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';')).collect();
    let known: BTreeSet<&str> = LAYERS.iter().map(|(module, _)| *module).collect();
    assert_eq!(declared, known);
}

#[test]
fn only_the_edge_knows_json() {
    for (module, _) in LAYERS.iter().filter(|(module, _)| !["mcp", "cli"].contains(module)) {
        for file in rust_files(module) {
            let text = without_comments(&fs::read_to_string(&file).unwrap());
            for word in ["rmcp", "serde", "schemars"] {
                assert!(!text.contains(word), "{}: `{word}` belongs to the edge", file.display());
            }
        }
    }
}

#[test]
fn files_stay_readable() {
    let mut wrong = Vec::new();
    for (module, _) in LAYERS {
        for file in rust_files(module) {
            let text = fs::read_to_string(&file).unwrap();
            let lines = without_tests(&text).lines().count();
            let is_test = file.file_stem().is_some_and(|s| s.to_string_lossy().ends_with("tests"));
            if lines > LINE_LIMIT && !is_test {
                wrong.push(format!("{}: {lines} lines", file.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "split along a concept:\n{}", wrong.join("\n"));
}

#[test]
fn every_fixture_is_explained() {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("dwarf-fixtures");
    let readme = fs::read_to_string(fixtures.join("README.md")).unwrap();
    for entry in fs::read_dir(fixtures.join("src")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(readme.contains(&format!("`{name}`")), "dwarf-fixtures/README.md does not say why {name} exists");
    }
}
