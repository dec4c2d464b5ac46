//! What a library promises: its surface, that it can grow, and that its README tells the truth.

use super::imports::without_tests;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn sources(directory: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { sources(&path) } else { vec![path] }).collect()
}

#[test]
fn what_the_library_gives_may_have_more_fields_and_variants_later() {
    let mut wrong = Vec::new();
    for file in sources(&root().join("src/replay")) {
        let text = fs::read_to_string(&file).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        for (number, line) in lines.iter().enumerate() {
            let is_open = match line.strip_prefix("pub struct ") {
                Some(_) => {
                    let body = lines[number + 1..].iter().take_while(|line| **line != "}");
                    line.ends_with('{') && body.clone().any(|line| line.starts_with("    pub "))
                }
                None => line.starts_with("pub enum "),
            };
            let attributes = lines[..number].iter().rev().take_while(|line| line.starts_with("#["));
            if is_open && !attributes.clone().any(|line| *line == "#[non_exhaustive]") {
                wrong.push(format!("{}:{}: {line}", file.display(), number + 1));
            }
        }
    }
    assert!(wrong.is_empty(), "not #[non_exhaustive]:\n{}", wrong.join("\n"));
}

/// The lines of the first example in Rust that a reader sees, without what stands in front of each.
fn first_example<'a>(text: &'a str, front: &str, fence: &str) -> Vec<&'a str> {
    let lines = text.lines().map(|line| line.strip_prefix(front).unwrap_or(line).trim_end());
    let example = lines.skip_while(|line| line.trim_start() != fence).skip(1);
    let example = example.take_while(|line| line.trim_start() != "```");
    example.map(|line| line.strip_prefix(' ').filter(|_| !front.is_empty()).unwrap_or(line)).collect()
}

#[test]
fn the_example_of_the_readme_is_one_that_is_run() {
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    let library = fs::read_to_string(root().join("src/lib.rs")).unwrap();
    let shown = first_example(&readme, "", "```rust,no_run");
    let run = first_example(&library, "//!", "```");
    let visible: Vec<&str> = run.iter().filter(|line| !line.trim_start().starts_with('#')).copied().collect();
    assert!(shown.len() > 5, "{shown:?}");
    assert_eq!(shown, visible);
}

/// Returns the public items of a file of the library, one a line: functions with their signatures, types, fields, variants.
fn public_items(file: &Path) -> Vec<String> {
    let text = fs::read_to_string(file).unwrap();
    let mut items = Vec::new();
    let mut lines = without_tests(&text).lines().peekable();
    let mut owner = String::new();
    let mut is_enum = false;
    while let Some(line) = lines.next() {
        let item = line.trim_start();
        let depth = line.len() - item.len();
        if depth == 0 && (item.starts_with("impl") || item.starts_with("pub ")) {
            let name = item.trim_end_matches(" {").split(" for ").last().unwrap_or_default();
            let name = name.split_whitespace().last().unwrap_or_default();
            owner = name.split('<').next().unwrap_or_default().to_owned();
            is_enum = item.starts_with("pub enum ");
        }
        let is_variant = is_enum && depth == 4 && item.starts_with(|c: char| c.is_ascii_uppercase());
        if !item.starts_with("pub ") && !is_variant {
            continue;
        }
        let mut whole = item.to_owned();
        while item.starts_with("pub fn ") && !whole.ends_with(['{', ';']) {
            let Some(next) = lines.next() else { break };
            whole = format!("{whole} {}", next.trim());
        }
        let whole = whole.trim_end_matches([' ', '{', ',', ';']).replace("( ", "(").replace(", )", ")");
        items.push(if depth == 0 { whole } else { format!("{owner}: {whole}") });
    }
    items
}

/// Whoever uses the library uses these: a change is made on purpose, by `RETROGRADE_WRITE_DOCS=1 cargo test --test it`.
#[test]
fn the_surface_of_the_library_is_this() {
    let directory = root().join("src/replay");
    let mut items: Vec<String> = sources(&directory).iter().flat_map(|file| public_items(file)).collect();
    items.retain(|item| !item.starts_with("pub mod ") && !item.starts_with("pub use "));
    items.sort();
    let now = items.join("\n") + "\n";
    let kept = root().join("tests/it/library.txt");
    if std::env::var_os("RETROGRADE_WRITE_DOCS").is_some() {
        fs::write(&kept, &now).unwrap();
    }
    let before = fs::read_to_string(&kept).unwrap();
    let (now, before): (BTreeSet<&str>, BTreeSet<&str>) = (now.lines().collect(), before.lines().collect());
    let gone: Vec<_> = before.difference(&now).collect();
    let new: Vec<_> = now.difference(&before).collect();
    assert!(gone.is_empty() && new.is_empty(), "no longer there: {gone:#?}\nnew: {new:#?}");
}
