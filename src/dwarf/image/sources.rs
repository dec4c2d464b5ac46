//! Which files an image's debug info and symbols come from, for whoever wonders why there are none.

use crate::image::facade::Image;
use base::untrusted::PathText as _;
use std::path::PathBuf;

/// Which files an image's debug info and symbols come from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DebugSources {
    /// The file that has `.debug_info`: the image's own, or another.
    pub file: Option<PathBuf>,
    /// Why there is no such file, with where it was looked for.
    pub why_none: Option<String>,
    /// The supplementary file that the debug info refers to.
    pub supplement: Option<PathBuf>,
    /// The package of split units, if one is in use by now.
    pub package: Option<PathBuf>,
    /// Where the symbols come from: the best table there is.
    pub symbols: SymbolSource,
    /// What is missing of the debug info or does not fit, as far as it was needed by now.
    pub problems: Vec<String>,
}

/// Where an image's symbols come from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SymbolSource {
    /// `.symtab` of the file or of its debug file.
    Full,
    /// `.gnu_debugdata`: the functions.
    Mini,
    /// `.dynsym`: what is exported and imported.
    Dynamic,
    /// There are none.
    #[default]
    None,
}

impl Image {
    /// Returns which files the debug info and the symbols come from. Parses no debug info.
    pub fn debug_sources(&self) -> DebugSources {
        let debug = self.debug_elf();
        let has_debug_info = self.has_debug_info();
        let why_none = (!has_debug_info).then(|| match (self.separate(), self.searched()) {
            (Some(file), _) => format!("{} has symbols only", file.path().in_text()),
            (None, Some(searched)) if searched.is_nowhere() => {
                "the file has none, and has neither a build-id nor a debug link to search with".to_owned()
            }
            (None, Some(searched)) => searched.to_string(),
            (None, None) => "it is code without a file".to_owned(),
        });
        let has = |name| self.elf().section(name).is_some();
        let symbols = match () {
            () if has(".symtab") || self.separate().is_some_and(|f| f.section(".symtab").is_some()) => {
                SymbolSource::Full
            }
            () if has(".gnu_debugdata") => SymbolSource::Mini,
            () if has(".dynsym") => SymbolSource::Dynamic,
            () => SymbolSource::None,
        };
        let loaded = self.sections();
        let supplement = match loaded {
            Some(sections) => sections.supplement.as_ref().map(|s| s.path.clone()),
            None => self.places().supplement(debug).and_then(Result::ok).map(|file| file.path().to_owned()),
        };
        DebugSources {
            file: has_debug_info.then(|| debug.path().to_owned()),
            why_none,
            supplement,
            package: loaded.and_then(|sections| sections.package_in_use()).map(|package| package.path.clone()),
            symbols,
            problems: self.problems(),
        }
    }
}
