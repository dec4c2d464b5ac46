//! Both debuggers through one program, at every line and at instructions in between.

use super::cell::{Cell, Compiler, Container};
use super::notation;
use super::programs::Program;
use super::questions::Questions;
use crate::picture::our_value;
use crate::stacks::{Frame, Tally, gdbs, ours};
use crate::support::fixtures::scratch;
use crate::support::gdb::Gdb;
use crate::support::mcp::Server;
use crate::support::recordings::record;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;

/// Frames that are compared: all of most stacks.
const DEPTH: usize = 12;

/// A reproducible sequence of choices (a linear congruential generator).
struct Choices(u64);

impl Choices {
    fn next(&mut self, below: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % below
    }
}

/// Both debuggers, with what they wait for.
struct Walk {
    server: Server,
    gdb: Gdb,
    /// By address: the line, our number of the breakpoint, and GDB's.
    waiting: BTreeMap<u64, (u64, Value, String)>,
    is_rust: bool,
}

/// Compares what both show of a program that is built as the cell says.
pub fn compare(cell: &Cell, program: &Program, tally: &mut Tally) {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("dwarf-fixtures/src").join(program.source);
    let built = cell.build(&source);
    let trace = record(&built.program, &[], scratch()).trace;
    // GDB ends with packages of LLVM's DWARF 5, and does not find the location lists of its split units: it reads the
    // debug info of the same code elsewhere.
    let is_beyond_gdb = cell.version == 5 && cell.is_split() && cell.compiler != Compiler::Gcc;
    let plain = is_beyond_gdb.then(|| Cell { container: Container::Plain, ..*cell }.build(&source));
    let (package, aside) = (built.program.with_extension("dwp"), built.program.with_extension("aside"));
    let has_package = is_beyond_gdb && std::fs::rename(&package, &aside).is_ok();
    let mut gdb = Gdb::start(&trace, &built.program);
    if plain.is_some() || cell.container == Container::Separate {
        gdb.console(&format!("set debug-file-directory {}", built.debug_directory.display())).unwrap();
        gdb.console("set exec-file-mismatch off").unwrap();
        let file = &plain.as_ref().unwrap_or(&built).program;
        gdb.console(&format!("file {}", file.display())).unwrap();
    }
    if has_package {
        std::fs::rename(&aside, &package).unwrap();
    }
    if cell.compiler != Compiler::Rustc {
        // It takes all of a slice, however long garbage says that it is.
        gdb.console("set max-value-size unlimited").unwrap();
    }
    let server = Server::start_with(&[("RETROGRADE_DEBUG_DIRS", built.debug_directory.to_str().unwrap())]);
    server.replay(&trace);
    let is_rust = cell.compiler == Compiler::Rustc;
    let mut walk = Walk { server, gdb, waiting: BTreeMap::new(), is_rust };
    // The same code in another container is looked at less closely.
    walk.wait_for_lines(&source, if cell.container == Container::Plain { 1 } else { 4 });
    let mut questions = Questions::new(program.expressions, is_rust);
    let mut choices = Choices(u64::from(cell.optimisation) * 31 + u64::from(cell.version));
    while let Some(pc) = walk.go_on() {
        walk.forget_line_at(pc);
        walk.look(&mut questions, tally);
        if cell.optimisation > 0 && !walk.waiting.is_empty() {
            for _ in 0..1 + choices.next(2) {
                walk.step(1 + choices.next(4));
                walk.look(&mut questions, tally);
            }
        }
    }
}

fn address(hex: &Value) -> u64 {
    u64::from_str_radix(hex.as_str().unwrap_or_default().trim_start_matches("0x"), 16).unwrap_or(0)
}

impl Walk {
    /// A breakpoint at each row of every `nth` line, by the table as GDB has read it.
    fn wait_for_lines(&mut self, source: &Path, nth: usize) {
        self.gdb.console("list main").unwrap();
        let rows = self.gdb.console(&format!("maint info line-table {}", source.display())).unwrap();
        let mut met: Vec<u64> = Vec::new();
        // `INDEX  LINE   ADDRESS            IS-STMT PROLOGUE-END`
        for row in rows.lines() {
            let words: Vec<&str> = row.split_whitespace().collect();
            let [_, line, at, .., "Y"] = words[..] else { continue };
            let (Ok(line), Some(digits)) = (line.parse::<u64>(), at.strip_prefix("0x")) else { continue };
            let at = u64::from_str_radix(digits, 16).unwrap();
            if line == 0 || self.waiting.contains_key(&at) {
                continue;
            }
            let index = met.iter().position(|known| *known == line).unwrap_or(met.len());
            if index == met.len() {
                met.push(line);
            }
            if index % nth != nth / 2 {
                continue;
            }
            let location = format!("*{at:#x}");
            let wanted = json!({"location": location, "temporary": true});
            let ours = self.server.call("rr_breakpoint_set", wanted)["number"].clone();
            let theirs = self.gdb.command(&format!("-break-insert -t {location}"));
            let number = theirs["bkpt"]["number"].as_str().unwrap().to_owned();
            self.waiting.insert(at, (line, ours, number));
        }
        assert!(!self.waiting.is_empty(), "GDB has no lines of {}:\n{rows}", source.display());
    }

    /// Runs both to the next place that is waited for. `None`: there is none.
    fn go_on(&mut self) -> Option<u64> {
        if self.waiting.is_empty() {
            return None;
        }
        let ours = self.server.call("rr_continue", json!({}));
        let theirs = self.gdb.run("-exec-continue").unwrap();
        if ours["reason"] == "end-of-recording" {
            return None;
        }
        assert_eq!(address(&ours["pc"]), address(&theirs["frame"]["addr"]), "ours {ours}, GDB {theirs}");
        Some(address(&ours["pc"]))
    }

    /// A line is looked at once. What is stopped at is gone already.
    fn forget_line_at(&mut self, pc: u64) {
        let Some((line, ..)) = self.waiting.remove(&pc) else { return };
        let again: Vec<u64> = self.waiting.iter().filter(|(_, w)| w.0 == line).map(|(at, _)| *at).collect();
        for at in again {
            let (_, ours, theirs) = self.waiting.remove(&at).unwrap();
            self.server.call("rr_breakpoint_remove", json!({"breakpoint_number": ours}));
            self.gdb.command(&format!("-break-delete {theirs}"));
        }
    }

    /// Some instructions in both.
    fn step(&mut self, count: u64) {
        for _ in 0..count {
            let ours = self.server.call("rr_step", json!({"instruction": true}));
            let theirs = self.gdb.run("-exec-step-instruction").unwrap();
            let pc = address(&ours["pc"]);
            assert_eq!(pc, address(&theirs["frame"]["addr"]), "ours {ours}, GDB {theirs}");
            // Arriving at a temporary breakpoint may remove it.
            if let Some((_, ours, theirs)) = self.waiting.remove(&pc) {
                let _ = self.server.attempt("rr_breakpoint_remove", json!({"breakpoint_number": ours}));
                let _ = self.gdb.attempt(&format!("-break-delete {theirs}"));
            }
        }
    }

    fn look(&mut self, questions: &mut Questions, tally: &mut Tally) {
        let stack = ours(&self.server, DEPTH);
        let mut theirs = gdbs(&mut self.gdb, DEPTH);
        if self.is_rust {
            // The stack goes on behind `main`, which GDB does not recognise.
            theirs.truncate(stack.len());
            for (level, (a, b)) in stack.iter().zip(&mut theirs).enumerate() {
                self.adopt(level, a, b);
            }
        }
        if tally.stacks(&stack, &theirs) {
            questions.ask(&self.server, &mut self.gdb, &stack, tally);
        }
        tally.settle(&self.server, &stack);
    }

    /// Writes GDB's values as ours, where they are the same but for the notation, or where ours are what a library's
    /// object means.
    fn adopt(&self, level: usize, ours: &Frame, theirs: &mut Frame) {
        for (name, values) in &mut theirs.variables {
            let Some(same) = ours.variables.get(name).filter(|same| same.len() == values.len()) else { continue };
            let is_same = values.iter().zip(same).all(|(b, a)| notation::is_same(a, b)) || {
                self.server.call("rr_select_frame", json!({"frame_level": level}));
                let raw = our_value(&self.server, &format!("/r {name}"));
                values.len() == 1 && raw.is_ok_and(|raw| notation::is_same(&raw, &values[0]))
            };
            if is_same {
                values.clone_from(same);
            }
        }
    }
}
