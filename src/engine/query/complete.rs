//! Names that begin as somebody has typed: for completions.

use crate::api::error::Error;
use crate::session::engine::Engine;
use ctype::{Type, layout::strip};
use dwarf::NameSort;
use program::module::Role;
use std::collections::BTreeSet;
use std::path::PathBuf;

/// How deep base classes and unnamed members are looked into.
const MAX_DEPTH: usize = 8;
/// How many classes are looked into for the names of members.
const MAX_CLASSES: usize = 1000;

impl Engine {
    /// Lists the functions of the program and its libraries, as breakpoints take them: those with line information,
    /// which is what somebody debugs, then the others, each in order. All of them if nothing is typed.
    pub fn functions_beginning(&mut self, typed: &str) -> Result<Vec<String>, Error> {
        self.with(|s| {
            s.debuggee.catch_up()?;
            let (mut lined, mut bare) = (BTreeSet::new(), BTreeSet::new());
            for module in s.debuggee.inferior.modules.user().filter(|module| module.role != Role::Interpreter) {
                let found = module.image.functions_called(&mut |name| name.starts_with(typed));
                for function in found {
                    let has_lines = module.image.line_at(function.entry).is_some_and(|row| row.line != 0);
                    if has_lines { &mut lined } else { &mut bare }.insert(function.name);
                }
            }
            bare.retain(|name| !lined.contains(name));
            Ok(lined.into_iter().chain(bare).collect())
        })
    }

    /// Lists the source files, without their directories, in order.
    pub fn files_beginning(&mut self, typed: &str) -> Result<Vec<String>, Error> {
        self.with(|s| {
            s.debuggee.catch_up()?;
            let names: BTreeSet<String> =
                s.debuggee.inferior.modules.user().flat_map(|module| module.image.files_beginning(typed)).collect();
            Ok(names.into_iter().collect())
        })
    }

    /// Lists the source files of the program, then of its libraries: so many at most, each once, as the compiler was
    /// given it and with its whole path.
    pub fn sources(&mut self, most: usize) -> Result<Vec<(String, PathBuf)>, Error> {
        self.with(|s| {
            s.debuggee.catch_up()?;
            let modules = &s.debuggee.inferior.modules;
            let others = modules.user().filter(|module| module.role != Role::Program);
            let mut known = BTreeSet::new();
            let mut found = Vec::new();
            for module in modules.program().into_iter().chain(others) {
                let files = module.image.source_files().into_iter();
                let new = files.filter(|file| known.insert(file.path.clone()));
                found.extend(new.map(|file| (file.name.clone(), file.path.clone())));
                if found.len() >= most {
                    break;
                }
            }
            found.truncate(most);
            Ok(found)
        })
    }

    /// Lists the variables that the selected frame sees: its own, those of its unit, then other globals of the program.
    pub fn variables_beginning(&mut self, typed: &str) -> Result<Vec<String>, Error> {
        let begins = |name: &String| name.starts_with(typed);
        let mut found: Vec<String> = Vec::new();
        // Without a frame, there are still globals.
        if let Ok(variables) = self.typed_variables() {
            found.extend(variables.into_iter().map(|variable| variable.name).filter(begins));
        }
        if let Ok(globals) = self.typed_globals() {
            found.extend(globals.into_iter().map(|variable| variable.name).filter(begins));
        }
        found.extend(self.names_beginning(typed, NameSort::Variable)?);
        let mut seen = BTreeSet::new();
        found.retain(|name| seen.insert(name.clone()));
        Ok(found)
    }

    /// Lists the types of the program, in order.
    pub fn types_beginning(&mut self, typed: &str) -> Result<Vec<String>, Error> {
        Ok(self.names_beginning(typed, NameSort::Type)?.into_iter().collect())
    }

    fn names_beginning(&mut self, typed: &str, sort: NameSort) -> Result<BTreeSet<String>, Error> {
        self.with(|s| {
            s.debuggee.catch_up()?;
            let names = s.debuggee.inferior.modules.program().map(|module| module.image.names_of(sort));
            let whole = names.into_iter().flatten().map(|(_, whole)| whole);
            Ok(whole.filter(|name| name.starts_with(typed)).collect())
        })
    }

    /// Lists the members of what an expression is, or points to: those of its class first, then those of its bases.
    pub fn members_beginning(&mut self, expression: &str, typed: &str) -> Result<Vec<String>, Error> {
        let mut ty = strip(&self.typed(expression)?.value.ty);
        if let Type::Pointer { target, .. } = &*ty.clone() {
            ty = strip(&target.get());
        }
        let mut found = Vec::new();
        members(&ty, MAX_DEPTH, &mut { MAX_CLASSES }, &mut found);
        found.retain(|name| name.starts_with(typed));
        Ok(found)
    }
}

/// Adds the names of the members of a class, and of what is in it without a name of its own.
fn members(ty: &Type, depth: usize, classes: &mut usize, found: &mut Vec<String>) {
    let (Type::Record(record), Some(left)) = (ty, classes.checked_sub(1)) else { return };
    *classes = left;
    let mut inner = Vec::new();
    for member in &record.members {
        match &member.name {
            Some(name) if !member.is_base => found.push(name.clone()),
            _ => inner.push(strip(&member.ty.get())),
        }
    }
    found.extend(record.statics.iter().map(|member| member.name.clone()));
    inner.extend(record.virtual_bases.iter().map(|base| strip(&base.ty.get())));
    if depth > 0 {
        inner.iter().for_each(|ty| members(ty, depth - 1, classes, found));
    }
}
