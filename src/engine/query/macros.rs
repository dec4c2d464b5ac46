//! Macros in the scope of the selected frame.

use crate::api::error::Error;
use crate::eval::expression::{Scope, ScopeEnv};
use crate::run::session::Session;
use crate::session::engine::Engine;
use dwarf::{MacroDefinition, SourcePath};
use expr::Macro;
use std::sync::Arc;

/// A macro, and where it was defined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DefinedMacro {
    /// The name, with its parameters if it takes arguments.
    pub signature: String,
    /// What it stands for.
    pub replacement: String,
    /// Where: at line 0 if the compiler or its command line has defined it.
    pub place: MacroLine,
}

/// A line of a file, which others may include.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MacroLine {
    /// The path of the file.
    pub file: String,
    /// The line there.
    pub line: u64,
    /// The files that include that one, and where, the innermost first.
    pub included: Vec<(String, u64)>,
}

/// What is known about a name as a macro.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Macros {
    /// The definition, or definitions.
    pub definitions: Vec<DefinedMacro>,
    /// From where that is looked at; `None`: the code there has no macros.
    pub scope: Option<MacroLine>,
}

impl Session {
    fn macros_named(&mut self, name: &str, all: bool) -> Result<Macros, Error> {
        self.debuggee.catch_up()?;
        let level = self.debuggee.selected()?;
        let mut env = ScopeEnv::new(&mut self.debuggee.inferior, Scope::Frame(self.debuggee.thread, level))?;
        let Some(place) = env.macro_place() else { return Ok(Macros::default()) };
        let found = match all {
            true => place.module.image.macros_named(&place.scope, name),
            false => place.definition(name).into_iter().collect(),
        };
        let scope = &place.scope;
        Ok(Macros {
            definitions: found.iter().filter_map(defined).collect(),
            scope: Some(macro_line(Some(&scope.file), u64::from(scope.line), &scope.included)),
        })
    }

    fn expand_macros(&mut self, text: &str) -> Result<Option<String>, Error> {
        self.debuggee.catch_up()?;
        let level = self.debuggee.selected()?;
        let mut env = ScopeEnv::new(&mut self.debuggee.inferior, Scope::Frame(self.debuggee.thread, level))?;
        expr::expand_in(text, &mut env).map_err(|error| Error::expression(&error, text))
    }
}

fn defined(found: &MacroDefinition) -> Option<DefinedMacro> {
    let parsed = Macro::parse(&found.text)?;
    Some(DefinedMacro {
        signature: parsed.signature(),
        replacement: parsed.replacement,
        place: macro_line(found.file.as_deref(), found.line, &found.included),
    })
}

fn macro_line(file: Option<&SourcePath>, line: u64, included: &[(Arc<SourcePath>, u64)]) -> MacroLine {
    let full = |file: &SourcePath| file.path.to_string_lossy().into_owned();
    let included = included.iter().map(|(file, line)| (full(file), *line)).collect();
    MacroLine { file: file.map(full).unwrap_or_default(), line, included }
}

impl Engine {
    /// Looks up what a name is defined as in the selected frame; `all`: everywhere in its unit.
    pub fn macros_named(&mut self, name: &str, all: bool) -> Result<Macros, Error> {
        self.ask(|s| s.macros_named(name, all))
    }

    /// Expands the macros in the text of an expression as in the selected frame; `None` if there are none in it.
    pub fn expand_macros(&mut self, text: &str) -> Result<Option<String>, Error> {
        self.ask(|s| s.expand_macros(text))
    }
}
