//! Types and expressions about the variables of a frame.

use super::notation;
use crate::picture::{gdb_value, our_value};
use crate::stacks::{Frame, Tally};
use crate::support::gdb::Gdb;
use crate::support::mcp::Server;
use serde_json::json;
use std::collections::BTreeSet;

/// Asks both debuggers about the variables of each function once, and about each state of a value that they are in once.
pub struct Questions {
    asked: BTreeSet<(String, String, bool)>,
    expressions: &'static [&'static str],
    is_rust: bool,
}

impl Questions {
    pub fn new(expressions: &'static [&'static str], is_rust: bool) -> Self {
        Self { asked: BTreeSet::new(), expressions, is_rust }
    }

    /// Asks about all frames of a stack, which is the same in both.
    pub fn ask(&mut self, server: &Server, gdb: &mut Gdb, stack: &[Frame], tally: &mut Tally) {
        // Levels are the same only up to the first frame that GDB does not know.
        let known = stack.iter().position(|frame| frame.tail_call).unwrap_or(stack.len());
        for (level, frame) in stack[..known].iter().enumerate() {
            let mut about = Vec::new();
            for (name, values) in &frame.variables {
                let is_there = !values.iter().any(|v| v.contains("optimized out") || v.contains("not saved"));
                if self.asked.insert((frame.spot.function.clone(), name.clone(), is_there)) {
                    about.extend(made_up(name, values, is_there));
                }
            }
            if self.asked.insert((frame.spot.function.clone(), String::new(), true)) {
                about.extend(self.expressions.iter().map(|e| (*e).to_owned()));
            }
            if about.is_empty() {
                continue;
            }
            server.call("rr_select_frame", json!({"frame_level": level}));
            gdb.command(&format!("-stack-select-frame {level}"));
            for question in about {
                self.one(server, gdb, level, &question, frame, tally);
            }
        }
        server.call("rr_select_frame", json!({"frame_level": 0}));
        gdb.command("-stack-select-frame 0");
    }

    fn one(&self, server: &Server, gdb: &mut Gdb, level: usize, question: &str, frame: &Frame, tally: &mut Tally) {
        tally.compared += 1;
        let is_type = question.starts_with("ptype ") || question.starts_with("whatis ");
        let (ours, theirs) = if is_type {
            let ours = server.attempt("rr_command", json!({"command": question}));
            (ours.map(|said| said["output"].as_str().unwrap_or_default().to_owned()), gdb.console(question))
        } else {
            (our_value(server, question), gdb_value(gdb, question))
        };
        let excuse = match (&ours, &theirs) {
            (Ok(a), Ok(b)) if a.trim_end() == b.trim_end() => return,
            (Ok(a), Ok(b)) if self.is_rust && !is_type && notation::is_same(a, b) => return,
            (Err(_), Err(_)) => return,
            // What is not there has no members, says GDB; we have them, each as not there.
            (Ok(a), Err(b)) if a.contains("<optimized out>") && b.contains("optimized out") => return,
            (Err(a), Ok(b)) if a.contains("optimized out") && b.contains("<optimized out>") => return,
            (Ok(a), Ok(_)) if level > 0 && a.contains("<not saved: ") => "a register that the callee may have changed",
            (Err(a), Ok(_)) if level > 0 && a.contains("not saved") => "a register that the callee may have changed",
            (Err(a), Ok(_)) if level > 0 && a.contains("not preserved") => {
                "a register that the callee may have changed"
            }
            (Ok(_), Err(_)) => "an expression that GDB refuses",
            (a, b) => {
                tally.different.push(format!("{level} {} {question}: ours {a:?}, GDB {b:?}", frame.spot));
                return;
            }
        };
        tally.excuse(excuse);
    }
}

/// Questions about a variable, by what its value looks like.
fn made_up(name: &str, values: &[String], is_there: bool) -> Vec<String> {
    let mut all =
        vec![format!("ptype {name}"), format!("whatis {name}"), format!("&{name}"), format!("sizeof({name})")];
    if !is_there || values.len() > 1 {
        all.push(name.to_owned());
        return all;
    }
    let value = &values[0];
    let is_number = value.parse::<f64>().is_ok();
    if is_number {
        all.extend([format!("/x {name}"), format!("{name} + 1"), format!("-{name} * 2"), format!("{name} == {name}")]);
    } else if value.starts_with("0x") || value.starts_with('(') {
        all.extend([format!("*{name}"), format!("{name}[0]"), format!("{name} + 1"), format!("*{name}@2")]);
    } else if let Some((member, _)) = value.strip_prefix('{').and_then(|rest| rest.split_once(" = ")) {
        all.extend([format!("{name}.{member}"), format!("&{name}.{member}"), format!("/x {name}")]);
    } else if value.starts_with('{') {
        all.extend([format!("{name}[1]"), format!("&{name}[1]"), format!("*{name}"), format!("sizeof {name}[0]")]);
    }
    all
}
