//! Loaded modules.

use crate::mcp::reply::{address, lines};
use base::untrusted::one_line;
use engine::model::{DebugInfoState, Mapping, ModuleInfo, ModuleRole};
use rmcp::schemars::{self, JsonSchema};
use serde::Serialize;
use std::fmt;

/// A loaded module.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(inline)]
pub(crate) struct ModuleView {
    pub(crate) name: String,
    /// `program`, `interpreter`, `library`, `rr`; left out if its file could not be used.
    pub(crate) role: Option<String>,
    pub(crate) start: Option<String>,
    /// One past the last address.
    pub(crate) end: Option<String>,
    pub(crate) build_id: Option<String>,
    pub(crate) file: Option<String>,
    /// `own`, `separate`, `fetching`, `none`.
    pub(crate) debug_info: String,
    pub(crate) debug_file: Option<String>,
    /// Why there is none, or none yet, with where it was looked for.
    pub(crate) why: Option<String>,
    pub(crate) supplement: Option<String>,
    pub(crate) package: Option<String>,
    /// The best symbol table: `.symtab`, `.gnu_debugdata`, `.dynsym`.
    pub(crate) symbols: Option<String>,
    /// What is missing of the debug info, as far as it was needed by now.
    pub(crate) missing: Option<String>,
}

impl From<ModuleInfo> for ModuleView {
    fn from(module: ModuleInfo) -> Self {
        let role = match module.role {
            ModuleRole::Program => Some("program"),
            ModuleRole::Interpreter => Some("interpreter"),
            ModuleRole::Library => Some("library"),
            ModuleRole::Rr => Some("rr"),
            ModuleRole::Unknown => None,
        };
        let (word, debug_file, why) = match module.debug_info {
            DebugInfoState::InFile => ("own", None, None),
            DebugInfoState::Separate { file } => ("separate", Some(file), None),
            DebugInfoState::Fetching { why } => ("fetching", None, Some(why)),
            DebugInfoState::None { why } => ("none", None, Some(why)),
        };
        Self {
            name: module.name,
            role: role.map(str::to_owned),
            start: module.range.map(|(start, _)| address(start)),
            end: module.range.map(|(_, end)| address(end)),
            build_id: module.build_id,
            file: module.file,
            debug_info: word.to_owned(),
            debug_file,
            why,
            supplement: module.supplement,
            package: module.package,
            symbols: module.symbols.map(str::to_owned),
            missing: (!module.notes.is_empty()).then(|| module.notes.join("; ")),
        }
    }
}

impl fmt::Display for ModuleView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.start, &self.end) {
            (Some(start), Some(end)) => write!(f, "{start}-{end} ")?,
            _ => f.write_str("not used ")?,
        }
        f.write_str(&one_line(&self.name))?;
        if let Some(role) = &self.role {
            write!(f, " [{role}]")?;
        }
        for (label, value) in [("file", &self.file), ("build-id", &self.build_id)] {
            if let Some(value) = value {
                write!(f, "\n  {label} {}", one_line(value))?;
            }
        }
        let debug_info = match (self.debug_info.as_str(), &self.debug_file) {
            ("own", _) => "in the file",
            ("fetching", _) => "asked of a server",
            (_, Some(file)) => &one_line(file),
            (other, None) => other,
        };
        write!(f, "\n  debug info: {debug_info}")?;
        if let Some(why) = &self.why {
            write!(f, ": {}", one_line(why))?;
        }
        for (label, value) in
            [("with", &self.supplement), ("split units in", &self.package), ("symbols from", &self.symbols)]
        {
            if let Some(value) = value {
                write!(f, "\n  {label} {}", one_line(value))?;
            }
        }
        if let Some(problem) = &self.missing {
            write!(f, "\n  missing: {}", one_line(problem))?;
        }
        Ok(())
    }
}

/// Result of `rr_modules`.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct ModulesView {
    pub(crate) result: Vec<ModuleView>,
    /// `0x401000-0x402000 r-xp /usr/bin/cat`, if they were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) mappings: Option<Vec<String>>,
}

/// Most mappings in one answer.
const MOST_MAPPINGS: usize = 500;

impl ModulesView {
    /// Adds all that is mapped, or the first of it.
    pub(crate) fn with_mappings(mut self, mappings: Option<Vec<Mapping>>) -> Self {
        self.mappings = mappings.map(|all| {
            let more = all.len().saturating_sub(MOST_MAPPINGS);
            let shown = all.iter().take(MOST_MAPPINGS).map(Mapping::to_string);
            shown.chain((more > 0).then(|| format!("truncated: {more} more"))).collect()
        });
        self
    }
}

impl From<Vec<ModuleInfo>> for ModulesView {
    fn from(list: Vec<ModuleInfo>) -> Self {
        Self { result: list.into_iter().map(ModuleView::from).collect(), mappings: None }
    }
}

impl fmt::Display for ModulesView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        lines(f, &self.result, "nothing is loaded")?;
        match &self.mappings {
            Some(mappings) => write!(f, "\nmappings:\n  {}", mappings.join("\n  ")),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mcp::reply::structured;
    use arch::RunAddr;
    use serde_json::json;

    fn module(debug_info: DebugInfoState) -> ModuleInfo {
        ModuleInfo {
            name: "libx.so".to_owned(),
            role: ModuleRole::Library,
            range: Some((RunAddr(0x1000), RunAddr(0x3000))),
            build_id: Some("abcd".to_owned()),
            file: Some("/lib/libx.so".to_owned()),
            debug_info,
            supplement: None,
            package: None,
            symbols: Some(".dynsym"),
            notes: Vec::new(),
        }
    }

    fn shown(module: ModuleInfo) -> (serde_json::Value, String) {
        let view = ModulesView::from(vec![module]);
        (structured(&view).unwrap()["result"][0].clone(), view.to_string())
    }

    #[test]
    fn a_module_tells_where_its_debug_info_comes_from() {
        let (json, text) = shown(ModuleInfo {
            supplement: Some("/d/x.sup".to_owned()),
            ..module(DebugInfoState::Separate { file: "/d/x.debug".to_owned() })
        });
        let expected = json!({
            "name": "libx.so", "role": "library", "start": "0x0000000000001000", "end": "0x0000000000003000",
            "build_id": "abcd", "file": "/lib/libx.so", "debug_info": "separate", "debug_file": "/d/x.debug",
            "supplement": "/d/x.sup", "symbols": ".dynsym"
        });
        assert_eq!(json, expected);
        let lines = "0x0000000000001000-0x0000000000003000 libx.so [library]\n  file /lib/libx.so\n  build-id abcd\n  \
                     debug info: /d/x.debug\n  with /d/x.sup\n  symbols from .dynsym";
        assert_eq!(text, lines);
    }

    #[test]
    fn a_module_without_debug_info_tells_why() {
        let (json, text) = shown(module(DebugInfoState::None { why: "not at /a".to_owned() }));
        assert_eq!((json["debug_info"].as_str(), json["why"].as_str()), (Some("none"), Some("not at /a")));
        assert!(text.contains("\n  debug info: none: not at /a"), "{text}");
        let (_, text) = shown(module(DebugInfoState::Fetching { why: "not at /a".to_owned() }));
        assert!(text.contains("\n  debug info: asked of a server: not at /a"), "{text}");
        let (_, text) = shown(ModuleInfo { notes: vec!["a.dwo".to_owned()], ..module(DebugInfoState::InFile) });
        assert!(text.ends_with("debug info: in the file\n  symbols from .dynsym\n  missing: a.dwo"), "{text}");
    }

    #[test]
    fn a_module_whose_file_cannot_be_used_is_listed_all_the_same() {
        let (json, text) = shown(ModuleInfo {
            role: ModuleRole::Unknown,
            range: None,
            build_id: None,
            file: None,
            symbols: None,
            ..module(DebugInfoState::None { why: "it has changed".to_owned() })
        });
        assert_eq!(json, json!({ "name": "libx.so", "debug_info": "none", "why": "it has changed" }));
        assert_eq!(text, "not used libx.so\n  debug info: none: it has changed");
    }
}
