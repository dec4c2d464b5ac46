//! The programs that are asked about, and what their sources tell of them.

use crate::random::Random;
use crate::support::fixtures::program;
use crate::support::recordings::{Recording, recording_of};
use std::path::Path;

/// The fixtures, each with the libraries whose paths are its arguments.
const FIXTURES: [(&str, &[&str]); 37] = [
    ("stepping", &[]),
    ("stepping-clang", &[]),
    ("origin", &[]),
    ("origin-O2", &[]),
    ("types", &[]),
    ("types-clang", &[]),
    ("calls-O1", &[]),
    ("calls-O2", &[]),
    ("calls-clang-O3", &[]),
    ("optimised", &[]),
    ("optimised-clang", &[]),
    ("inline_chain", &[]),
    ("inline_chain-clang", &[]),
    ("fixed_places", &[]),
    ("fixed_places-no-pie", &[]),
    ("fixed_places-O2", &[]),
    ("macros", &[]),
    ("shadowed_condition", &[]),
    ("untyped-O2", &[]),
    ("races", &[]),
    ("tls", &["libtls_plugin.so"]),
    ("same_names", &["libsame_names.so"]),
    ("dlopen", &["libplugin.so"]),
    ("names-cpp", &[]),
    ("namespaces", &[]),
    ("namespaces-clang", &[]),
    ("hiding", &[]),
    ("references", &[]),
    ("layouts", &[]),
    ("objects-clang", &[]),
    ("optimised-cpp", &[]),
    ("every_call-cxx-O2", &[]),
    ("origin-cxx", &[]),
    ("origin-rs", &[]),
    ("every_call-rust", &[]),
    ("every_call-rust-O2", &[]),
    ("names-rust", &[]),
];

/// A program.
pub struct Fixture {
    /// Its name in the manifest.
    pub name: String,
    /// The names and lines of its sources.
    pub sources: Vec<(String, Vec<String>)>,
}

impl Fixture {
    /// Picks one.
    pub fn random(random: &mut Random) -> Self {
        Self::named(random.pick(&FIXTURES).0)
    }

    /// Returns the one of this name.
    pub fn named(name: &str) -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("dwarf-fixtures");
        let manifest = std::fs::read_to_string(root.join("manifest.txt")).unwrap();
        let words = |line: &str| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        let lines: Vec<Vec<String>> = manifest.lines().map(words).collect();
        let used = std::iter::once(name).chain(libraries(name).iter().copied());
        let lines =
            used.map(|used| lines.iter().find(|words| words.first().is_some_and(|first| first == used)).unwrap());
        let is_source = |word: &&String| [".c", ".cpp", ".rs"].iter().any(|ending| word.ends_with(ending));
        let sources = lines.flat_map(|words| words.iter().filter(is_source)).map(|file| {
            let text = std::fs::read_to_string(root.join("src").join(file)).unwrap();
            (file.clone(), text.lines().map(str::to_owned).collect())
        });
        Self { name: name.to_owned(), sources: sources.collect() }
    }

    /// Returns its recording.
    pub fn recording(&self) -> Recording {
        let built: Vec<_> = libraries(&self.name).iter().map(|library| program(library)).collect();
        recording_of(&self.name, &built.iter().map(|path| path.to_str().unwrap()).collect::<Vec<_>>())
    }

    /// Returns the functions that seem to be defined in a source: names before a bracket, in lines that are not
    /// indented.
    pub fn functions(&self, source: usize) -> Vec<String> {
        let lines = self.sources[source].1.iter();
        let heads = lines.filter(|line| !line.starts_with([' ', '\t', '#', '/', '}']) && line.contains('('));
        let name = |line: &String| words(line.split('(').next().unwrap_or_default()).last().cloned();
        heads.filter_map(name).collect()
    }

    /// Returns the words of all sources that names may be.
    pub fn words(&self) -> Vec<String> {
        let code = |line: &String| line.split("//").next().unwrap_or_default().to_owned();
        let lines = self.sources.iter().flat_map(|(_, lines)| lines.iter().map(code));
        let mut all: Vec<String> = lines.flat_map(|line| words(&line)).collect();
        all.sort_unstable();
        all.dedup();
        all
    }
}

fn libraries(name: &str) -> &'static [&'static str] {
    FIXTURES.iter().find(|(fixture, _)| *fixture == name).map_or(&[], |(_, libraries)| libraries)
}

fn words(text: &str) -> Vec<String> {
    let split = text.split(|c: char| !c.is_alphanumeric() && c != '_');
    split.filter(|word| word.starts_with(|c: char| c.is_alphabetic() || c == '_')).map(str::to_owned).collect()
}
