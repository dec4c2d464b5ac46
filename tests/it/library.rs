//! What a library promises besides its names: that it can grow, and that its README tells the truth.

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
