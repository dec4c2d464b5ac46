//! Lists of names: functions, variables and types, and what is visible at a place.

use crate::api::error::Error;
use crate::modules::loaded::Module;
use crate::session::engine::Engine;
use arch::RunAddr;
use base::qualified::bare;
use base::untrusted;
use ctype::layout::{Dialect, size_of};
use ctype::{Type, declaration, type_name};
use dwarf::{NameSort, TypeTag, Variable};
use program::module::Role;
use regex_lite::Regex;
use std::sync::Arc;

/// What is in the linker's names of Free Pascal, which are not those of the functions.
const IN_PASCAL: &str = "_$$_";

/// Something of the program that has a name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Named {
    /// The file that declares it, as the compiler was given it; `None` if there is no debug info of it.
    pub file: Option<String>,
    /// Its name for people.
    pub name: String,
    /// The line that declares it.
    pub line: Option<u32>,
    /// Its declaration, in its language: `static int add(int, int)`; without debug info its name.
    pub declaration: String,
    /// Where it is, if it is code without debug info.
    pub address: Option<RunAddr>,
}

/// A variable that is visible at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Visible {
    /// Its name.
    pub name: String,
    /// The spelling of its type.
    pub ty: String,
    /// In bytes, if it has a size.
    pub size: Option<u64>,
}

fn pattern(regex: Option<&str>) -> Result<Option<Regex>, Error> {
    let build = |text: &str| untrusted::regex(text).map_err(|refused| Error::Expression(format!("`{text}` {refused}")));
    regex.map(build).transpose()
}

impl Engine {
    /// Lists the functions of the program and its libraries whose names match a regular expression: those with debug
    /// info by file and name, then the others by address.
    pub fn functions_listed(&mut self, regex: Option<&str>) -> Result<Vec<Named>, Error> {
        let regex = pattern(regex)?;
        self.with(|s| {
            s.debuggee.catch_up()?;
            let (mut described, mut bare) = (Vec::new(), Vec::new());
            let modules = &s.debuggee.inferior.modules;
            for module in modules.user().filter(|module| module.role != Role::Interpreter) {
                let is_wanted = |name: &str| regex.as_ref().is_none_or(|regex| regex.is_match(name));
                let found = module.image.functions_called(&mut |name| name.contains(IN_PASCAL) || is_wanted(name));
                for function in found {
                    let is_pascal = module.image.language_at(function.entry) == Some("pascal");
                    if (is_pascal || function.name.contains(IN_PASCAL)) && !is_wanted(&function.name) {
                        continue;
                    }
                    let entry = function.entry.at(module.bias);
                    let file = function.file.as_ref().map(|file| file.name.clone());
                    // Nor does every compiler say where a function is declared.
                    let file_of = |die| Some((die, file.or_else(|| module.image.primary_file(die))?));
                    let described_by = function.die.and_then(file_of);
                    let Some((die, file)) = described_by else {
                        bare.push((entry, function.name));
                        continue;
                    };
                    let dialect = s.debuggee.inferior.target_at(entry).dialect;
                    let spelled = match module.image.function_type(die).as_deref() {
                        // A name of C++ says itself what the function takes, and leaves `this` out.
                        Some(Type::Function { result, .. })
                            if dialect == Dialect::Cxx && function.name.contains('(') =>
                        {
                            declaration(&result.get(), &function.name, dialect)
                        }
                        Some(ty) => declaration(&Arc::new(ty.clone()), &function.name, dialect),
                        None => function.name.clone(),
                    };
                    let storage = if module.image.is_external(die) { "" } else { "static " };
                    described.push(Named {
                        file: Some(file),
                        name: function.name,
                        line: function.line,
                        declaration: format!("{storage}{spelled}"),
                        address: None,
                    });
                }
            }
            described.sort();
            described.dedup();
            bare.sort();
            bare.dedup();
            let bare = bare.into_iter().map(|(address, name)| Named {
                file: None,
                declaration: name.clone(),
                name,
                line: None,
                address: Some(address),
            });
            Ok(described.into_iter().chain(bare).collect())
        })
    }

    /// Lists the variables of the program that are not local, whose names match a regular expression, by file and
    /// name: those with debug info.
    pub fn variables_listed(&mut self, regex: Option<&str>) -> Result<Vec<Named>, Error> {
        self.of_program(NameSort::Variable, regex, |module, dialect, names| {
            let mut found = Vec::new();
            for whole in names {
                // Debug info may leave out a function around it, and the arguments of a template.
                let is_it = |v: &Variable| {
                    v.name == whole || bare(&v.name) == whole || module.image.is_of_nameless_function(v.die)
                };
                for variable in module.image.globals_named(None, &whole).into_iter().filter(is_it) {
                    let last = whole.rsplit("::").next().unwrap_or(&whole).to_owned();
                    let name = if variable.of_function { last } else { variable.name.clone() };
                    let storage = if module.image.is_external(variable.die) { "" } else { "static " };
                    let spelled = declaration(&variable.ty, &name, dialect);
                    found.push(Named {
                        file: variable.file.map(|file| file.name.clone()),
                        name,
                        line: variable.line,
                        declaration: format!("{storage}{spelled}"),
                        address: None,
                    });
                }
            }
            found
        })
    }

    /// Lists the types of the program whose names match a regular expression, as they are declared, in order.
    pub fn types_listed(&mut self, regex: Option<&str>) -> Result<Vec<String>, Error> {
        self.of_program(NameSort::Type, regex, |module, dialect, names| {
            let mut found = Vec::new();
            for name in names {
                // A tag and a typedef may have one name.
                let tags = [None, Some(TypeTag::Struct), Some(TypeTag::Union), Some(TypeTag::Enum)];
                let types = tags.into_iter().filter_map(|tag| module.image.type_named(tag, &name));
                found.extend(types.map(|ty| match &*ty {
                    Type::Typedef { target, .. } => {
                        format!("typedef {};", declaration(&target.get(), &name, dialect))
                    }
                    Type::Base { .. } => type_name(&ty, dialect),
                    _ => format!("{};", type_name(&ty, dialect)),
                }));
            }
            found
        })
    }

    /// Lists what of the program matches a regular expression by its name, in the language of the selected frame, in
    /// order and once each.
    fn of_program<T: Ord>(
        &mut self,
        sort: NameSort,
        regex: Option<&str>,
        mut list: impl FnMut(&Module, Dialect, &mut dyn Iterator<Item = String>) -> Vec<T>,
    ) -> Result<Vec<T>, Error> {
        let regex = pattern(regex)?;
        self.with(|s| {
            s.debuggee.catch_up()?;
            let Some(module) = s.debuggee.inferior.modules.program().cloned() else { return Ok(Vec::new()) };
            let level = s.debuggee.selected()?;
            let dialect = s.debuggee.inferior.target_of(s.debuggee.thread, level)?.dialect;
            let names = module.image.names_of(sort).into_iter().map(|(_, name)| name);
            let mut matching = names.filter(|name| regex.as_ref().is_none_or(|regex| regex.is_match(name)));
            let mut found = list(&module, dialect, &mut matching);
            found.sort();
            found.dedup();
            Ok(found)
        })
    }

    /// Lists the variables that are visible where code is.
    pub fn visible_at(&mut self, address: RunAddr) -> Result<Vec<Visible>, Error> {
        self.with(|s| {
            s.debuggee.catch_up()?;
            let dialect = s.debuggee.inferior.target_at(address).dialect;
            let Some(module) = s.debuggee.inferior.modules.at(address) else { return Ok(Vec::new()) };
            let found = module.image.variables_at(module.link(address), 0);
            let visible = found.into_iter().filter(|variable| !variable.name.is_empty()).map(|variable| Visible {
                name: variable.name,
                ty: type_name(&variable.ty, dialect),
                size: size_of(&variable.ty),
            });
            Ok(visible.collect())
        })
    }

    /// Reads the auxiliary vector of the process: types of entries and their values.
    pub fn auxv(&mut self) -> Result<Vec<(u64, u64)>, Error> {
        self.with(|s| {
            let bytes = s.debuggee.inferior.process.auxv()?;
            let word = |bytes: &[u8]| bytes.try_into().map(u64::from_le_bytes).unwrap_or_default();
            Ok(bytes
                .chunks_exact(16)
                .map(|entry| entry.split_at(8))
                .map(|(ty, value)| (word(ty), word(value)))
                .collect())
        })
    }

    /// Takes what may have been meant by a name in the question that has failed, or which frame has it: once.
    pub fn take_hint(&mut self) -> Option<String> {
        self.session.hint.take()
    }
}
