//! What is loaded, from which files, and what of their debug info is missing.

use crate::api::error::Error;
use crate::api::{DebugInfoState, ModuleInfo, ModuleRole};
use crate::modules::loaded::Module;
use crate::run::session::Session;
use dwarf::SymbolSource;
use program::debuginfod::{Fetch, hex};
use program::module::Role;

impl Session {
    /// Lists all loaded modules by rising address, then those whose file could not be used.
    pub(crate) fn modules(&mut self) -> Result<Vec<ModuleInfo>, Error> {
        self.debuggee.catch_up()?;
        let mut list: Vec<ModuleInfo> =
            self.debuggee.inferior.modules.all().iter().map(|module| self.described(module)).collect();
        list.sort_by_key(|module| module.range);
        let unused = self.debuggee.inferior.modules.missing().iter().map(|(name, why)| ModuleInfo {
            name: name.clone(),
            role: ModuleRole::Unknown,
            range: None,
            build_id: None,
            file: None,
            debug_info: DebugInfoState::None { why: why.clone() },
            supplement: None,
            package: None,
            symbols: None,
            notes: Vec::new(),
        });
        list.extend(unused);
        Ok(list)
    }

    fn described(&self, module: &Module) -> ModuleInfo {
        let image = &module.image;
        let sources = image.debug_sources();
        let debug_info = match (sources.file, sources.why_none) {
            (Some(file), _) if file == image.path() => DebugInfoState::InFile,
            (Some(file), _) => DebugInfoState::Separate { file: file.to_string_lossy().into_owned() },
            (None, why) => {
                let why = why.unwrap_or_default();
                match self.debuggee.inferior.files().fetch_of(image) {
                    Some(Fetch::Underway) => DebugInfoState::Fetching { why },
                    Some(Fetch::Failed(reason)) => DebugInfoState::None { why: format!("{why}; servers: {reason}") },
                    Some(Fetch::Arrived) => {
                        DebugInfoState::None { why: format!("{why}; what a server sent is of no use") }
                    }
                    None => DebugInfoState::None { why },
                }
            }
        };
        ModuleInfo {
            name: module.name.clone(),
            role: match module.role {
                Role::Program => ModuleRole::Program,
                Role::Interpreter => ModuleRole::Interpreter,
                Role::Library => ModuleRole::Library,
                Role::Rr => ModuleRole::Rr,
            },
            range: Some(module.span),
            build_id: image.build_id().map(hex),
            file: image.path().is_absolute().then(|| image.path().to_string_lossy().into_owned()),
            debug_info,
            supplement: sources.supplement.map(|path| path.to_string_lossy().into_owned()),
            package: sources.package.map(|path| path.to_string_lossy().into_owned()),
            symbols: match sources.symbols {
                SymbolSource::Full => Some(".symtab"),
                SymbolSource::Mini => Some(".gnu_debugdata"),
                SymbolSource::Dynamic => Some(".dynsym"),
                SymbolSource::None => None,
            },
            notes: sources.problems,
        }
    }

    /// Takes what is missing of the debug info of the loaded modules, as far as somebody suffered from it and was not
    /// told.
    pub(crate) fn missing_debug_info(&self) -> Vec<String> {
        let told = |module: &Module| {
            let problems = module.image.take_problems();
            problems.into_iter().map(|problem| format!("{}: {problem}", module.name)).collect::<Vec<_>>()
        };
        self.debuggee.inferior.modules.user().flat_map(|module| told(module)).collect()
    }

    /// Blames the missing debug info: something could not be found, of which it may be the cause.
    pub(crate) fn blame_missing_debug_info(&self, error: &Error) {
        let is_about_names = matches!(
            error,
            Error::NoLocation { .. } | Error::NoSymbol { .. } | Error::NoType { .. } | Error::Expression(_)
        );
        if is_about_names {
            self.debuggee.inferior.modules.user().for_each(|module| module.image.blame_problems());
        }
    }
}
