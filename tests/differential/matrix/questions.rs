//! Types and expressions about the variables of a frame.

use super::notation;
use crate::excuses::{CLOBBERED, FRAME_BASE, UNSTORED, of_type, of_value, uniform};
use crate::picture::{gdb_value, our_value};
use crate::stacks::{Disputed, Frame, Tally};
use crate::support::gdb::Gdb;
use crate::support::mcp::Server;
use serde_json::json;
use std::collections::BTreeSet;

/// Asks both debuggers about the variables of each function once, and about each state of a value that they are in
/// once.
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
                    about.extend(made_up(name, values, is_there, self.is_rust));
                }
            }
            // Without debug info a frame has no language to read expressions in.
            let is_described = !frame.spot.line.is_empty();
            if is_described && self.asked.insert((frame.spot.function.clone(), String::new(), true)) {
                about.extend(self.expressions.iter().map(|e| (*e).to_owned()));
            }
            if about.is_empty() {
                continue;
            }
            server.call("rr_select_frame", json!({"frame_level": level}));
            gdb.command(&format!("-stack-select-frame {level}"));
            let is_tail_called = stack.get(level + 1).is_some_and(|next| next.tail_call);
            for question in about {
                self.one(server, gdb, (level, is_tail_called), &question, frame, tally);
            }
        }
        server.call("rr_select_frame", json!({"frame_level": 0}));
        gdb.command("-stack-select-frame 0");
    }

    /// `is_tail_called`: the frame was called by one that is gone.
    fn one(
        &self,
        server: &Server,
        gdb: &mut Gdb,
        (level, is_tail_called): (usize, bool),
        question: &str,
        frame: &Frame,
        tally: &mut Tally,
    ) {
        tally.compared += 1;
        let is_outer = level > 0;
        let is_type = question.starts_with("ptype ") || question.starts_with("whatis ");
        let (ours, theirs) = if is_type {
            // The names of templates in full, as GDB has them.
            let spelled = question.replacen("ptype ", "ptype/r ", 1);
            let ours = server.attempt("rr_command", json!({"command": spelled}));
            (ours.map(|said| said["output"].as_str().unwrap_or_default().to_owned()), gdb.console(question))
        } else {
            (our_value(server, question), gdb_value(gdb, question))
        };
        // One that has crashed has not refused.
        assert_ne!(theirs, Err("GDB does not answer".to_owned()), "{} {question}", frame.spot);
        let (ours, theirs) = (ours.map(|a| uniform(a.trim_end())), theirs.map(|b| uniform(b.trim_end())));
        let excuse = match (&ours, &theirs) {
            (Ok(a), Ok(b)) if a == b => return,
            (Ok(a), Ok(b)) if is_type => of_type(a, b),
            (Ok(a), Ok(b)) if self.is_rust && notation::is_same(a, b) => return,
            (Ok(a), Ok(_)) if is_tail_called && a == "<optimized out>" => {
                Some("a parameter that a frame passed which is gone")
            }
            // GDB has no printers here, and shows the structure behind an object of the library.
            (Ok(a), Ok(b)) if a.contains("std::") || self.is_rust => match our_value(server, &format!("/r {question}"))
            {
                Ok(raw) if raw == *b || self.is_rust && notation::is_same(&raw, b) => return,
                Ok(raw) => of_value(&raw, b, is_outer),
                Err(_) => None,
            },
            (Ok(a), Ok(b)) => of_value(a, b, is_outer),
            (Err(_), Err(_)) => return,
            // What is not there has no members, says GDB; we have them, each as not there.
            (Ok(a), Err(b)) if a.contains("<optimized out>") && b.contains("optimized out") => return,
            (Err(a), Ok(b)) if a.contains("optimized out") && b.contains("<optimized out>") => return,
            // Operators are about what a reference leads to.
            (Err(a), Ok(_)) if self.is_rust && a.starts_with("operator ") && a.contains(" does not apply to ") => {
                Some("references of Rust, which GDB calls pointers")
            }
            (Err(a), Ok(b)) if is_outer => of_value(a, b, true),
            // We have no address of what may not be there yet.
            (Err(a), Ok(_)) if a.contains(UNSTORED) => Some(FRAME_BASE),
            (Err(a), Ok(_)) if a.contains("is an incomplete type") => Some("an array whose length is not known"),
            (Ok(_), Err(_)) => Some("an expression that GDB refuses"),
            (Err(_), Ok(_)) => None,
        };
        match excuse.or_else(|| (tally.known)(&frame.spot.function, question)) {
            Some(reason) => {
                tally.excuse(reason);
                if let (CLOBBERED, Ok(theirs)) = (reason, theirs) {
                    tally.disputed.push(Disputed { level, what: question.to_owned(), theirs });
                }
            }
            None => tally.different.push(format!("{} {question}: ours {ours:?}, GDB {theirs:?}", frame.spot)),
        }
    }
}

/// Questions about a variable, by what its value looks like.
fn made_up(name: &str, values: &[String], is_there: bool, is_rust: bool) -> Vec<String> {
    let questions = |list: &[&str]| list.iter().map(|question| question.replace('$', name)).collect::<Vec<_>>();
    let mut all = questions(&["ptype $", "whatis $", "&$", "sizeof($)"]);
    if !is_there || values.len() > 1 {
        all.push(name.to_owned());
        return all;
    }
    let value = &values[0];
    if value.parse::<f64>().is_ok() {
        all.extend(questions(&["/x $", "$ + 1", "$ == $"]));
        // Rust has no minus for most of its numbers.
        all.extend(questions(if is_rust { &[] } else { &["-$ * 2"] }));
    } else if value.starts_with("0x") || value.starts_with('(') {
        all.extend(questions(&["*$", "$[0]", "$ + 1"]));
    } else if let Some((member, _)) = value.strip_prefix('{').and_then(|rest| rest.split_once(" = ")) {
        all.extend([format!("{name}.{member}"), format!("&{name}.{member}"), format!("/x {name}")]);
    } else if value.starts_with('{') {
        all.extend(questions(&["$[1]", "&$[1]", "*$", "sizeof $[0]"]));
    }
    all
}
