//! For tests: programs built from `dwarf-fixtures/src`, and a frame made of maps.

use crate::{DebugPaths, DieId, FrameContext, Image, Location, NoTls, Variable};
use arch::{Bias, LinkAddr};
use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::process::Command;
use std::sync::{Arc, Mutex, OnceLock};

pub(super) use crate::cache::test_pause::Gate;

/// A program that was compiled from fixtures.
#[derive(Clone)]
pub(super) struct Program {
    pub(super) image: Arc<Image>,
    /// The whole file.
    pub(super) bytes: Arc<[u8]>,
}

/// Compiles fixtures with one command, once for all tests: `build("gcc", "-g -O0", &["scopes.c"])`.
pub(super) fn build(compiler: &str, flags: &str, sources: &[&str]) -> Program {
    static BUILT: Mutex<BTreeMap<String, Arc<OnceLock<Program>>>> = Mutex::new(BTreeMap::new());
    let command = format!("{compiler} {flags} {}", sources.join(" "));
    let program = BUILT.lock().unwrap().entry(command).or_default().clone();
    program.get_or_init(|| compile(compiler, flags, sources)).clone()
}

fn compile(compiler: &str, flags: &str, sources: &[&str]) -> Program {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("program");
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../dwarf-fixtures/src");
    let output = Command::new(compiler)
        .args(flags.split_whitespace())
        .arg("-o")
        .arg(&path)
        .args(sources)
        .current_dir(fixtures)
        .output()
        .unwrap_or_else(|error| panic!("{compiler} is needed to build fixtures: {error}"));
    assert!(output.status.success(), "{compiler} {flags}: {}", String::from_utf8_lossy(&output.stderr));
    // The image maps the file, which therefore may go.
    let image = Image::open(&path, &DebugPaths::default()).unwrap();
    Program { image, bytes: std::fs::read(&path).unwrap().into() }
}

/// Returns a program with other debug sections, compressed as `.zdebug_` sections are.
pub(super) fn with_packed(program: &[u8], sections: &[(&str, &[u8])]) -> Vec<u8> {
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str| directory.path().join(name);
    std::fs::write(path("program"), program).unwrap();
    let mut objcopy = Command::new("objcopy");
    for (name, contents) in sections {
        let mut encoder = flate2::write::ZlibEncoder::new(b"ZLIB".to_vec(), flate2::Compression::best());
        encoder.get_mut().extend((contents.len() as u64).to_be_bytes());
        std::io::Write::write_all(&mut encoder, contents).unwrap();
        std::fs::write(path(name), encoder.finish().unwrap()).unwrap();
        let packed = name.replacen(".debug", ".zdebug", 1);
        let added = format!("{packed}={}", path(name).display());
        objcopy.args(["--remove-section", name, "--add-section", &added]);
    }
    let output = objcopy.arg(path("program")).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    std::fs::read(path("program")).unwrap()
}

/// Builds a fixture with both compilers and both versions of DWARF, without and with optimization.
pub(super) fn every_build(sources: &[&str]) -> Vec<(String, Program)> {
    let mut programs = Vec::new();
    for compiler in ["gcc", "clang"] {
        for flags in ["-gdwarf-4 -O0", "-gdwarf-5 -O0", "-gdwarf-4 -O2", "-gdwarf-5 -O2"] {
            programs.push((format!("{compiler} {flags}"), build(compiler, flags, sources)));
        }
    }
    programs
}

/// Returns the number of the line of a fixture that ends in `/* mark: … */` with this text.
pub(super) fn marked(source: &str, mark: &str) -> u32 {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../dwarf-fixtures/src").join(source);
    let text = std::fs::read_to_string(path).unwrap();
    let comment = format!("/* mark: {mark} */");
    let at = text.lines().position(|line| line.contains(&comment));
    at.unwrap_or_else(|| panic!("no mark {mark} in {source}")) as u32 + 1
}

impl Program {
    /// Returns the entry address of a function.
    pub(super) fn entry(&self, function: &str) -> LinkAddr {
        self.image.functions_named(function)[0].entry
    }

    /// Returns the only global with a name.
    pub(super) fn global(&self, name: &str) -> Variable {
        let found = self.image.globals_named(None, name);
        assert_eq!(found.len(), 1, "globals named {name}");
        found.into_iter().next().unwrap()
    }

    /// Returns the first address of the instructions that a line made, in the file of the function's.
    pub(super) fn line(&self, file: &str, line: u32) -> LinkAddr {
        self.image.addresses_of_line(file, line)[0].addresses[0]
    }
}

/// A frame that knows what it was told.
#[derive(Default)]
pub(super) struct Frame {
    pub(super) registers: HashMap<u16, u64>,
    pub(super) wide_registers: HashMap<u16, Vec<u8>>,
    pub(super) memory: HashMap<u64, u8>,
    pub(super) entry_values: HashMap<u16, u64>,
    /// The answer for every parameter.
    pub(super) entry_parameters: Option<u64>,
    /// The last parameter that was asked for.
    pub(super) asked_parameter: Option<DieId>,
    pub(super) cfa: Option<u64>,
    pub(super) tls: Option<u64>,
    pub(super) pc: LinkAddr,
    pub(super) bias: Bias,
}

impl Frame {
    pub(super) fn at(pc: LinkAddr) -> Self {
        Self { pc, ..Self::default() }
    }

    pub(super) fn write(&mut self, address: u64, bytes: &[u8]) {
        self.memory.extend((address..).zip(bytes.iter().copied()));
    }

    pub(super) fn locate(&mut self, image: &Image, variable: &Variable) -> Location {
        image.variable_location(variable, self)
    }
}

impl FrameContext for Frame {
    fn register(&mut self, number: u16) -> Option<u64> {
        self.registers.get(&number).copied()
    }

    fn register_bytes(&mut self, number: u16) -> Option<Vec<u8>> {
        let wide = self.wide_registers.get(&number).cloned();
        wide.or_else(|| Some(self.registers.get(&number)?.to_le_bytes().to_vec()))
    }

    fn read(&mut self, address: u64, buffer: &mut [u8]) -> bool {
        let mut addresses = address..;
        buffer.iter_mut().all(|byte| match addresses.next().and_then(|a| self.memory.get(&a)) {
            Some(found) => {
                *byte = *found;
                true
            }
            None => false,
        })
    }

    fn cfa(&mut self) -> Option<u64> {
        self.cfa
    }

    fn tls(&mut self, offset: u64) -> Result<u64, NoTls> {
        self.tls.map(|block| block + offset).ok_or(NoTls::Unknown)
    }

    fn entry_value(&mut self, register: u16) -> Option<u64> {
        self.entry_values.get(&register).copied()
    }

    fn entry_parameter(&mut self, parameter: DieId) -> Option<u64> {
        self.asked_parameter = Some(parameter);
        self.entry_parameters
    }

    fn pc(&self) -> LinkAddr {
        self.pc
    }

    fn bias(&self) -> Bias {
        self.bias
    }
}
