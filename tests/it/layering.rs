//! `ls src` is the architecture; these tests keep it true.

use super::imports::{Imports, Module, circles, without_tests};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use toml_edit::DocumentMut;

/// Each crate below the edges, bottom to top, and which others it may depend on.
const CRATES: &[(&str, &[&str])] = &[
    ("base", &[]),
    ("arch", &[]),
    ("ctype", &["arch", "base"]),
    ("softcounters", &[]),
    ("rsp", &["arch", "base"]),
    ("rr", &["base", "softcounters"]),
    ("dwarf", &["arch", "base", "ctype"]),
    ("expr", &["arch", "base", "ctype"]),
    ("readers", &["base", "ctype"]),
    ("program", &["arch", "base", "ctype", "dwarf", "expr"]),
    ("engine", &["arch", "base", "ctype", "rsp", "rr", "dwarf", "expr", "readers", "program"]),
    ("questions", &["arch", "base", "ctype", "softcounters", "rr", "dwarf", "expr", "readers", "program", "engine"]),
];

/// Each module of the package at the root, bottom to top, and which modules and crates it may name.
const MODULES: &[(&str, &[&str])] = &[
    ("console", &["arch", "base", "engine"]),
    ("replay", &["arch", "base", "ctype", "rr", "engine", "questions"]),
    ("story", &["arch", "base", "rr", "engine", "questions"]),
    ("report", &["arch", "base", "rr", "engine", "questions", "replay", "story"]),
    ("mcp", &["arch", "base", "engine", "questions", "console", "rr", "story"]),
    ("dap", &["arch", "base", "replay", "engine", "console"]),
    ("cli", &["arch", "base", "softcounters", "rr", "engine", "console", "report", "mcp", "dap"]),
];

/// A module that has rooms: each of them, bottom to top, and which others it may name.
type Rooms = (&'static str, &'static [(&'static str, &'static [&'static str])]);

/// The modules whose rooms are layers, too.
const ROOMS: &[Rooms] = &[
    (
        "dwarf",
        &[
            ("model", &[]),
            ("tasks", &[]),
            ("cache", &[]),
            ("naming", &[]),
            ("compressed", &["cache", "tasks"]),
            ("elf", &["model", "tasks", "cache", "compressed"]),
            ("symbols", &["model", "tasks", "naming", "elf"]),
            ("sections", &["tasks", "cache", "compressed", "elf"]),
            ("expressions", &["model", "sections"]),
            ("unwind", &["model", "sections", "expressions"]),
            ("lines", &["model", "tasks", "sections"]),
            ("units", &["model", "tasks", "sections", "unwind", "lines"]),
            ("names", &["model", "tasks", "cache", "naming", "compressed", "elf", "symbols", "sections", "units"]),
            ("types", &["model", "tasks", "naming", "sections", "units", "names"]),
            ("location", &["model", "naming", "sections", "expressions", "unwind", "units", "names", "types"]),
            ("scopes", &["model", "tasks", "naming", "sections", "units", "names", "types", "location"]),
            (
                "breakpoint_addresses",
                &["model", "tasks", "naming", "elf", "lines", "units", "names", "types", "scopes"],
            ),
            ("macros", &["model", "sections", "units", "names", "scopes"]),
            (
                "image",
                &[
                    "model",
                    "tasks",
                    "cache",
                    "compressed",
                    "elf",
                    "symbols",
                    "sections",
                    "unwind",
                    "units",
                    "names",
                    "types",
                    "location",
                    "macros",
                ],
            ),
        ],
    ),
    (
        "program",
        &[
            ("base_name", &[]),
            ("completion", &[]),
            ("debuginfod", &[]),
            ("macros", &[]),
            ("made_up", &[]),
            ("module", &[]),
            ("place", &[]),
            ("registers", &[]),
            ("transfers", &[]),
            ("returns", &["transfers"]),
            ("sources", &[]),
            ("needed", &["base_name"]),
            ("names", &["module", "needed"]),
            ("location", &["module", "sources"]),
        ],
    ),
    (
        "engine",
        &[
            ("api", &[]),
            ("target", &["api"]),
            ("modules", &["api", "target"]),
            ("stack", &["api", "modules", "target"]),
            ("eval", &["api", "modules", "stack", "target"]),
            ("breakpoints", &["api", "eval", "modules", "stack", "target"]),
            ("run", &["api", "breakpoints", "eval", "modules", "stack", "target"]),
            ("session", &["api", "breakpoints", "modules", "run", "stack", "target"]),
            ("query", &["api", "breakpoints", "eval", "modules", "run", "session", "stack"]),
            ("facade", &["api", "eval", "run", "session", "target"]),
        ],
    ),
    (
        "mcp",
        &[
            ("lock", &[]),
            ("plugin_hooks", &[]),
            ("prompts", &[]),
            ("resources", &[]),
            ("policy", &["lock"]),
            ("reply", &["lock"]),
            ("notify", &["lock", "policy"]),
            ("session", &["lock", "policy", "reply", "notify"]),
            ("job", &["lock", "reply", "notify", "session"]),
            ("call", &["lock", "policy", "reply", "notify", "session", "job"]),
            ("tools", &["lock", "reply", "notify", "session", "job", "call"]),
            ("query", &["policy", "reply", "call", "tools"]),
            (
                "serve",
                &["lock", "policy", "reply", "notify", "session", "job", "call", "tools", "resources", "prompts"],
            ),
        ],
    ),
];

/// Rooms that are there for tests only; they may name anything.
const TEST_ROOMS: &[&str] = &["testing", "robustness", "test_layouts", "test_nesting"];

/// The crate of the object that is preloaded into rr.
const OBJECT: &str = "softcounters/shim";
/// Longest file, tests apart.
const LINE_LIMIT: usize = 700;

fn src() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// Returns the sources of a crate or module.
fn rust_files(module: &str) -> Vec<PathBuf> {
    // The preloaded object is a crate of its own.
    let files = files_below(&src().join(module), &src().join(OBJECT));
    assert!(!files.is_empty(), "no source for `{module}`");
    files
}

/// Iterates over crates and modules.
fn layers() -> impl Iterator<Item = &'static str> {
    CRATES.iter().chain(MODULES).map(|(name, _)| *name)
}

fn is_crate(name: &str) -> bool {
    CRATES.iter().any(|(member, _)| *member == name)
}

fn files_below(root: &Path, but: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut directories = vec![root.to_owned()];
    while let Some(directory) = directories.pop() {
        for entry in fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                if path != but {
                    directories.push(path);
                }
            } else if path.extension().is_some_and(|e| e == "rs") {
                files.push(path);
            }
        }
    }
    files
}

fn without_comments(text: &str) -> String {
    text.lines().map(|line| line.split("//").next().unwrap_or("")).collect::<Vec<_>>().join("\n")
}

/// Returns the layers that paths of a text begin with, `crate::` apart.
fn layers_named(text: &str) -> BTreeSet<&'static str> {
    let names = |name: &&str| {
        text.match_indices(&format!("{name}::")).any(|(at, _)| {
            let before = text[..at].strip_suffix("crate::").unwrap_or(&text[..at]);
            !before.ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == ':')
        })
    };
    layers().filter(names).collect()
}

#[test]
fn no_crate_depends_on_one_beside_or_above_it() {
    let root = fs::read_to_string(src().join("../Cargo.toml")).unwrap().parse::<DocumentMut>().unwrap();
    let members: BTreeSet<String> =
        root["workspace"]["members"].as_array().unwrap().iter().map(|m| m.as_str().unwrap().to_owned()).collect();
    assert_eq!(members, CRATES.iter().map(|(name, _)| format!("src/{name}")).collect());
    for (number, (name, allowed)) in CRATES.iter().enumerate() {
        let manifest = fs::read_to_string(src().join(name).join("Cargo.toml")).unwrap();
        let manifest = manifest.parse::<DocumentMut>().unwrap();
        let dependencies: BTreeSet<&str> = manifest["dependencies"]
            .as_table()
            .unwrap()
            .iter()
            .map(|(key, _)| key)
            .filter(|key| is_crate(key))
            .collect();
        assert_eq!(dependencies, allowed.iter().copied().collect(), "of `{name}`");
        let below: Vec<&str> = CRATES[..number].iter().map(|(name, _)| *name).collect();
        assert!(dependencies.iter().all(|dependency| below.contains(dependency)), "`{name}` stands too low");
    }
}

#[test]
fn no_module_names_one_beside_or_above_it() {
    let mut wrong = Vec::new();
    for (module, allowed) in MODULES {
        for file in rust_files(module) {
            let text = fs::read_to_string(&file).unwrap();
            for named in layers_named(&without_comments(without_tests(&text))) {
                if named != *module && !allowed.contains(&named) {
                    wrong.push(format!("{}: `{module}` must not name `{named}`", file.display()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn no_path_hides_where_it_leads() {
    for file in layers().flat_map(rust_files) {
        let text = without_comments(&fs::read_to_string(&file).unwrap());
        assert!(!text.contains("super::super"), "{}: `super::super` hides where a path leads", file.display());
    }
}

/// Returns the module that has the rooms of a layer, unless they are the modules of a crate.
fn outer(root: &str) -> Option<&str> {
    Some(root).filter(|root| !is_crate(root))
}

/// The files of a module that has rooms, by their paths as modules, without tests.
fn modules(root: &str) -> Vec<(Module, String)> {
    let directory = if is_crate(root) { src().join(root) } else { src() };
    let module = |file: &Path| Module::of(file.strip_prefix(&directory).unwrap());
    let files = rust_files(root).into_iter().map(|file| (module(&file), fs::read_to_string(&file).unwrap()));
    let of_tests = |module: &Module| {
        module.last() == "tests" || TEST_ROOMS.iter().any(|room| module.room(outer(root)) == Some(room))
    };
    files.filter(|(module, _)| !of_tests(module)).collect()
}

#[test]
fn no_room_names_one_beside_or_above_it() {
    let mut wrong = Vec::new();
    for (root, rooms) in ROOMS {
        for (number, (room, allowed)) in rooms.iter().enumerate() {
            let below: Vec<&str> = rooms[..number].iter().map(|(name, _)| *name).collect();
            wrong.extend(allowed.iter().filter(|a| !below.contains(a)).map(|a| format!("`{a}` is not below `{room}`")));
        }
        for (module, text) in modules(root) {
            let Some(room) = module.room(outer(root)) else { continue };
            let Some((_, allowed)) = rooms.iter().find(|(name, _)| *name == room) else {
                wrong.push(format!("{module}: room `{room}` of `{root}` has no layer"));
                continue;
            };
            for path in Imports::of(&module, &text).paths() {
                let Some(("crate", rest)) = path.split_once("::") else { continue };
                let inside = match outer(root) {
                    Some(outer) => rest.strip_prefix(outer).and_then(|rest| rest.strip_prefix("::")),
                    None => Some(rest),
                };
                let Some(named) = inside else { continue };
                let named = named.split("::").next().unwrap_or_default();
                let is_room = rooms.iter().any(|(name, _)| *name == named);
                if named != room && !(is_room && allowed.contains(&named)) {
                    wrong.push(format!("{module}: `{room}` must not name `{path}`"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

/// Returns the files of a crate or module that name each other in circles, each circle as one line.
fn circles_of(root: &str) -> Vec<String> {
    let modules = modules(root);
    let all: BTreeSet<&Module> = modules.iter().map(|(module, _)| module).collect();
    let edges: BTreeMap<&Module, BTreeSet<&Module>> = modules
        .iter()
        .map(|(module, text)| {
            let imports = Imports::of(module, text);
            let files = imports.paths().filter_map(|path| all.iter().find(|other| other.is_file_of(path, &all)));
            (module, files.copied().filter(|other| *other != module).collect())
        })
        .collect();
    let name = |module: &&Module| if is_crate(root) { format!("{root}::{module}") } else { module.to_string() };
    let line = |circle: BTreeSet<&Module>| circle.iter().map(name).collect::<Vec<_>>().join(" ");
    circles(&edges).into_iter().map(line).collect()
}

/// The circles that are there, one a line: two halves of one thought, or a debt. They can only become fewer and smaller:
/// `RETROGRADE_WRITE_DOCS=1 cargo test --test it` writes them down.
#[test]
fn files_name_each_other_in_no_other_circles_than_these() {
    let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/circles.txt");
    let mut now: Vec<String> = layers().flat_map(circles_of).collect();
    now.sort();
    if std::env::var_os("RETROGRADE_WRITE_DOCS").is_some() {
        fs::write(&kept, now.join("\n") + "\n").unwrap();
    }
    let before = fs::read_to_string(&kept).unwrap();
    assert_eq!(now, before.lines().collect::<Vec<_>>());
}

#[test]
fn every_module_has_a_layer() {
    let lib = fs::read_to_string(src().join("lib.rs")).unwrap();
    let declared: BTreeSet<&str> =
        lib.lines().filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';')).collect();
    assert_eq!(declared, MODULES.iter().map(|(module, _)| *module).collect());
}

#[test]
fn only_the_edge_knows_json() {
    for module in layers().filter(|module| !["mcp", "dap", "cli"].contains(module)) {
        for file in rust_files(module) {
            let text = without_comments(&fs::read_to_string(&file).unwrap());
            for word in ["rmcp", "serde", "schemars"] {
                assert!(!text.contains(word), "{}: `{word}` belongs to the edge", file.display());
            }
        }
    }
}

#[test]
fn files_stay_readable() {
    let mut wrong = Vec::new();
    for module in layers() {
        for file in rust_files(module) {
            let text = fs::read_to_string(&file).unwrap();
            let lines = without_tests(&text).lines().count();
            let is_test = file.file_stem().is_some_and(|s| s.to_string_lossy().ends_with("tests"));
            if lines > LINE_LIMIT && !is_test {
                wrong.push(format!("{}: {lines} lines", file.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "split along a concept:\n{}", wrong.join("\n"));
}

#[test]
fn every_fixture_is_explained() {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("dwarf-fixtures");
    let readme = fs::read_to_string(fixtures.join("README.md")).unwrap();
    for entry in fs::read_dir(fixtures.join("src")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(readme.contains(&format!("`{name}`")), "dwarf-fixtures/README.md does not say why {name} exists");
    }
}

#[test]
fn every_test_of_the_object_is_compiled() {
    let room = fs::read_to_string(src().join("softcounters/lib.rs")).unwrap();
    let names = room.lines().filter_map(|line| line.trim().strip_suffix(';')?.rsplit_once("mod "));
    let named: BTreeSet<_> = names.map(|(_, name)| name).collect();
    let object = src().join(OBJECT);
    for file in files_below(&object, &object) {
        let name = file.file_stem().unwrap().to_string_lossy().into_owned();
        let has_tests = fs::read_to_string(&file).unwrap().contains("#[cfg(test)]");
        assert!(!has_tests || named.contains(name.as_str()), "nobody runs the tests of {}", file.display());
    }
}
