//! The programs that are written down in `programs.txt` and `languages.txt`.

use std::collections::BTreeMap;
use std::path::Path;

/// The lists of programs, as they are written down.
const LISTS: [&str; 2] = [include_str!("languages.txt"), include_str!("programs.txt")];

/// What can differ, in the order in which it is looked at.
pub const KINDS: [&str; 6] = ["native", "exit", "output", "replay", "steps", "explain"];

/// A program of the zoo.
pub struct Program {
    /// What it is called in the table.
    pub name: &'static str,
    /// Programs that must be there, each with its package.
    needs: Vec<(&'static str, &'static str)>,
    /// A word of the command line of the process that is looked at; `None`: the first of all.
    pub debug: Option<&'static str>,
    /// Differences that are known, by kind, with their reasons.
    pub differs: BTreeMap<&'static str, &'static str>,
    /// What bash runs.
    pub script: String,
}

impl Program {
    /// Reads a block.
    fn read(block: &'static str) -> Self {
        let mut lines = block.lines();
        let name = lines.next().and_then(|line| line.strip_prefix('[')?.strip_suffix(']'));
        let name = name.unwrap_or_else(|| panic!("a block of programs.txt does not begin with a [name]: {block}"));
        let (needs, differs, script) = (Vec::new(), BTreeMap::new(), String::new());
        let mut program = Self { name, needs, debug: None, differs, script };
        for line in lines {
            match line.split_once(": ") {
                Some(("needs", words)) => {
                    program.needs = words.split_whitespace().map(|w| w.split_once('=').unwrap_or((w, w))).collect();
                }
                Some(("debug", word)) => program.debug = Some(word),
                Some(("differs", known)) => {
                    let (kind, reason) = known.split_once(' ').unwrap_or_else(|| panic!("{name}: no reason: {known}"));
                    assert!(KINDS.contains(&kind), "{name}: {kind} is not one of {KINDS:?}");
                    program.differs.insert(kind, reason);
                }
                _ => program.script += &format!("{line}\n"),
            }
        }
        program
    }

    /// Returns all programs of both lists.
    fn all() -> Vec<Self> {
        let blocks = LISTS.into_iter().flat_map(|list| list.split("\n\n")).map(|block| block.trim_matches('\n'));
        blocks.filter(|block| !block.starts_with('#')).map(Self::read).collect()
    }

    /// Returns whether a word is one of the name, or all of it.
    fn is_called(&self, word: &str) -> bool {
        self.name == word || self.name.split(|c: char| !c.is_alphanumeric()).any(|part| part == word)
    }

    /// Returns the programs with one of these words in their names; `all` is in all names.
    pub fn chosen(words: &str) -> Vec<Self> {
        let words: Vec<&str> = words.split(',').map(str::trim).filter(|word| !word.is_empty()).collect();
        let all = Self::all();
        for word in words.iter().filter(|word| **word != "all") {
            assert!(all.iter().any(|program| program.is_called(word)), "no program is called {word:?}");
        }
        let is_chosen = |program: &Self| words.iter().any(|word| *word == "all" || program.is_called(word));
        all.into_iter().filter(is_chosen).collect()
    }

    /// Returns the packages of what is not on this path.
    pub fn missing_packages(&self, path: &str) -> Vec<&'static str> {
        // An absolute path stays what it is if it is joined to a directory.
        let is_there = |program: &str| path.split(':').any(|place| Path::new(place).join(program).exists());
        self.needs.iter().filter(|(program, _)| !is_there(program)).map(|(_, package)| *package).collect()
    }
}
