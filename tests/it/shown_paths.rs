//! A path in a text is one line: how it is written there is decided in one place.

use super::imports::without_tests;
use std::fs;
use std::path::{Path, PathBuf};

/// What is compiled into another program, is only built with, or only for tests.
const ELSEWHERE: [&str; 6] = ["softcounters", "tests", "test_layouts", "tests.rs", "testing.rs", "reference.rs"];

fn sources(directory: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if ELSEWHERE.iter().any(|name| path.ends_with(name)) {
            continue;
        }
        match path.is_dir() {
            true => sources(&path, found),
            false => found.push(path),
        }
    }
}

#[test]
fn no_path_is_displayed_as_it_is() {
    let mut files = Vec::new();
    sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut files);
    for file in files.iter().filter(|file| file.extension().is_some_and(|ending| ending == "rs")) {
        let text = fs::read_to_string(file).unwrap();
        let lines = without_tests(&text).lines();
        let bad: Vec<&str> = lines.filter(|line| line.contains(".display()")).collect();
        assert!(bad.is_empty(), "{}: use `untrusted::PathText::in_text` in {bad:?}", file.display());
    }
}
