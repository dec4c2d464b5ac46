//! Whole stacks with all their variables, as both debuggers show them, and what may be different.

use crate::excuses;
use crate::picture::our_value;
use crate::support::gdb::Gdb;
use crate::support::mcp::Server;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt;

/// Where a frame is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spot {
    /// Last component of the function's name, without parameters and arguments of templates.
    pub function: String,
    /// The line, if there is debug info.
    pub line: String,
    pub address: u64,
}

impl Spot {
    /// As GDB shows it if the debug info's table of addresses is damaged: rustc's are.
    fn without_line(&self) -> Self {
        Self { line: String::new(), ..self.clone() }
    }
}

impl fmt::Display for Spot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#x} {}:{}", self.address, self.function, self.line)
    }
}

/// One frame.
pub struct Frame {
    pub spot: Spot,
    /// It has left by a tail call.
    pub tail_call: bool,
    /// The instruction that it is at moves the stack pointer.
    pub moves_stack: bool,
    /// Variables by name; of several with one name all values, sorted.
    pub variables: BTreeMap<String, Vec<String>>,
}

fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        other => other.to_string(),
    }
}

/// `operator()` of `lambda(int)::{lambda}::operator()(int)`: GDB shows inlined functions by their plain names.
pub fn plain_name(name: &str) -> &str {
    if let Some(at) = name.rfind("operator") {
        let end = name[at..].rfind('(').filter(|open| *open > "operator".len()).map_or(name.len(), |open| at + open);
        return &name[at..end];
    }
    let mut depth = 0_i32;
    let mut start = 0;
    let mut end = name.len();
    for (at, c) in name.char_indices() {
        match c {
            '<' | '(' | '{' => {
                if depth == 0 && at > start && end == name.len() {
                    end = at;
                }
                depth += 1;
            }
            // Not the arrow in front of what a function returns.
            '>' if name[..at].ends_with('-') => {}
            '>' | ')' | '}' => depth -= 1,
            ':' if depth == 0 && name[at..].starts_with("::") => {
                start = at + 2;
                end = name.len();
            }
            _ => {}
        }
    }
    let plain = &name[start.min(end)..end];
    // `{closure#0}`, which the symbol calls `{{closure}}`.
    if plain.starts_with("{closure") { "{{closure}}" } else { plain }
}

fn spot(frame: &Value, function: &str, address: &str) -> Spot {
    // The name inside the C library, by which it is linked, is not the one in its source.
    let name = frame[function].as_str().unwrap_or("??").trim_start_matches("__GI_");
    let digits = text(&frame[address]);
    Spot {
        function: plain_name(name).to_owned(),
        line: text(&frame["line"]),
        address: u64::from_str_radix(digits.trim_start_matches("0x"), 16).unwrap(),
    }
}

fn variables(list: &Value) -> BTreeMap<String, Vec<String>> {
    let mut all: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for variable in list.as_array().unwrap() {
        let name = text(&variable["name"]);
        // Made up by the compiler, and by GDB.
        if !name.starts_with("__") && !name.ends_with("@entry") && name != "vtt" {
            all.entry(name).or_default().push(excuses::uniform(&text(&variable["value"])));
        }
    }
    all.values_mut().for_each(|values| values.sort());
    all
}

/// Frames as we see them, innermost first. Afterwards the last one is selected.
pub fn ours(server: &Server, depth: usize) -> Vec<Frame> {
    excuses::look_at(server);
    // All of them: of a part, recursions are folded.
    let frames = server.call("rr_backtrace", json!({"max_depth": 0, "args": false}));
    let most = if depth == 0 { usize::MAX } else { depth };
    let frames = frames["result"].as_array().unwrap().iter().take(most).enumerate();
    frames
        .map(|(level, frame)| {
            server.call("rr_select_frame", json!({"frame_level": level}));
            let at = spot(frame, "function", "address");
            Frame {
                moves_stack: excuses::moves_stack(server, &text(&frame["address"])),
                spot: at,
                tail_call: frame["tail_call"] == true,
                variables: variables(&server.call("rr_locals", json!({}))["result"]),
            }
        })
        .collect()
}

/// Frames as GDB sees them.
pub fn gdbs(gdb: &mut Gdb, depth: usize) -> Vec<Frame> {
    let range = if depth == 0 { String::new() } else { format!(" 0 {}", depth - 1) };
    let frames = gdb.command(&format!("-stack-list-frames{range}"));
    let frames = frames["stack"].as_array().unwrap().iter().enumerate();
    frames
        .map(|(level, frame)| {
            let list = gdb.command(&format!("-stack-list-variables --thread 1 --frame {level} --all-values"));
            Frame {
                spot: spot(frame, "func", "addr"),
                tail_call: false,
                moves_stack: false,
                variables: variables(&list["variables"]),
            }
        })
        .collect()
}

/// What is known about a variable of a function, or a question there: why the answers differ.
pub type Known = dyn Fn(&str, &str) -> Option<&'static str>;

/// A value in a register of an outer frame that GDB shows and we say is lost.
pub struct Disputed {
    /// Of the frame.
    pub level: usize,
    /// The variable, or expression.
    pub what: String,
    /// What GDB shows.
    pub theirs: String,
}

/// What was compared, and what was different.
pub struct Tally {
    pub compared: u32,
    /// By reason: where GDB 13 shows less than we do, or something that is wrong.
    pub excused: BTreeMap<&'static str, u32>,
    /// Of the variables among them, the first for each reason.
    pub examples: BTreeMap<&'static str, String>,
    /// Where GDB has shown something wrong, as the recording itself tells: these count as not compared.
    pub refuted: u32,
    /// Among what is excused since the last stop, what the recording can tell.
    pub disputed: Vec<Disputed>,
    /// What nothing excuses.
    pub different: Vec<String>,
    /// What is known about a variable of a function, or a question there.
    pub known: Box<Known>,
}

impl Default for Tally {
    fn default() -> Self {
        Self {
            compared: 0,
            excused: BTreeMap::new(),
            examples: BTreeMap::new(),
            refuted: 0,
            disputed: Vec::new(),
            different: Vec::new(),
            known: Box::new(|_, _| None),
        }
    }
}

impl Tally {
    pub fn excuse(&mut self, reason: &'static str) {
        *self.excused.entry(reason).or_default() += 1;
    }

    /// Where a callee may have overwritten a register, looks at what was in it when the frame called: if that is not
    /// what GDB shows, GDB is wrong. `stack` is ours, of the place where the replay is, and will be.
    pub fn settle(&mut self, server: &Server, stack: &[Frame]) {
        for disputed in std::mem::take(&mut self.disputed) {
            if at_the_call(server, stack, &disputed).is_some_and(|value| !is_same_start(&value, &disputed.theirs)) {
                *self.excused.get_mut(excuses::CLOBBERED).unwrap() -= 1;
                self.refuted += 1;
            }
        }
    }

    /// Compares two stacks. `false` if the frames are not the same ones.
    pub fn stacks(&mut self, ours: &[Frame], theirs: &[Frame]) -> bool {
        let mut theirs = theirs.iter().peekable();
        for (level, frame) in ours.iter().enumerate() {
            self.compared += 1;
            match theirs.next_if(|other| other.spot == frame.spot || other.spot == frame.spot.without_line()) {
                Some(other) if other.spot != frame.spot => self.excuse("a line that GDB does not find"),
                Some(other) => self.frame(level, frame, other, ours.get(level + 1).is_some_and(|next| next.tail_call)),
                // DW_AT_call_pc, which clang writes in DWARF 5, is nothing to GDB 13.
                None if frame.tail_call => self.excuse("a tail call that GDB does not know"),
                None => {
                    let other = theirs.peek().map_or("no frame".to_owned(), |f| f.spot.to_string());
                    self.different.push(format!("frame {level}: ours {}, GDB {other}", frame.spot));
                    return false;
                }
            }
        }
        if let Some(other) = theirs.next() {
            self.different.push(format!("after {} frames: GDB has {}", ours.len(), other.spot));
        }
        true
    }

    /// `is_tail_called`: by a frame that is not there any more.
    fn frame(&mut self, level: usize, ours: &Frame, theirs: &Frame, is_tail_called: bool) {
        let names = ours.variables.keys().chain(theirs.variables.keys().filter(|n| !ours.variables.contains_key(*n)));
        for name in names {
            self.compared += 1;
            let excuse = match (ours.variables.get(name), theirs.variables.get(name)) {
                (Some(a), Some(b)) if a == b => continue,
                (Some(_), None) => Some("a variable without a location, which GDB does not list"),
                (Some(a), Some(b)) => {
                    excuse(a, b, level > 0, is_tail_called).or_else(|| ours.moves_stack.then_some(excuses::FRAME_BASE))
                }
                (None, _) => None,
            };
            let (a, b) = (ours.variables.get(name), theirs.variables.get(name));
            let difference = || format!("{level} {} {name}: ours {a:?}, GDB {b:?}", ours.spot);
            match excuse.or_else(|| (self.known)(&ours.spot.function, name)) {
                Some(reason) => {
                    self.excuse(reason);
                    self.examples.entry(reason).or_insert_with(difference);
                    if let (excuses::CLOBBERED, Some([theirs])) =
                        (reason, theirs.variables.get(name).map(Vec::as_slice))
                    {
                        let (what, theirs) = (name.clone(), theirs.clone());
                        self.disputed.push(Disputed { level, what, theirs });
                    }
                }
                None => self.different.push(difference()),
            }
        }
    }
}

/// The value at the call that a frame is in, where no callee has had anything to overwrite yet. `None`: it is not known
/// there either.
fn at_the_call(server: &Server, stack: &[Frame], disputed: &Disputed) -> Option<String> {
    // Inlined frames are in the same call.
    let address = stack.get(disputed.level)?.spot.address;
    let callee = stack[..disputed.level].iter().rposition(|frame| frame.spot.address != address)?;
    let here = server.call("rr_checkpoint_save", json!({}))["id"].clone();
    server.call("rr_select_frame", json!({"frame_level": callee}));
    let call = server.call("rr_finish", json!({"reverse": true}));
    let depth = stack.len() - callee - 1;
    let is_there = call["reason"] == "end-stepping-range"
        && server.call("rr_backtrace", json!({"max_depth": 0}))["result"].as_array().map(Vec::len) == Some(depth);
    let value = is_there
        .then(|| {
            server.call("rr_select_frame", json!({"frame_level": disputed.level - callee - 1}));
            our_value(server, &disputed.what).ok().map(|value| excuses::uniform(&value))
        })
        .flatten();
    server.call("rr_checkpoint_restore", json!({"checkpoint_id": here}));
    server.call("rr_checkpoint_delete", json!({"checkpoint_id": here}));
    value.filter(|value| !value.contains("not saved") && !value.contains("<optimized out>"))
}

/// Whether two values are the same number or pointer: what a pointer leads to may have changed since, and only an
/// expression's value has its type in front.
fn is_same_start(a: &str, b: &str) -> bool {
    let start = |value: &str| match value.find("0x").filter(|at| *at == 0 || value[..*at].ends_with(") ")) {
        Some(at) => value[at..].split(' ').next().unwrap_or_default().to_owned(),
        None => value.to_owned(),
    };
    start(a) == start(b)
}

/// Why different values of variables of one name are no fault of ours.
fn excuse(ours: &[String], theirs: &[String], is_outer: bool, is_tail_called: bool) -> Option<&'static str> {
    if is_tail_called && ours.iter().all(|value| value == "<optimized out>") {
        // It has taken the caller's registers for those that are gone: 214 instead of 10.
        return Some("a parameter that a frame passed which is gone");
    }
    if ours.len() > theirs.len() && theirs.iter().all(|value| ours.contains(value)) {
        return Some("a variable of an inner block that begins where an inlined function does");
    }
    let mut reasons = ours.iter().zip(theirs).filter(|(a, b)| a != b);
    let reason = reasons.next().and_then(|(a, b)| excuses::of_value(a, b, is_outer))?;
    let others = reasons.all(|(a, b)| excuses::of_value(a, b, is_outer).is_some());
    (ours.len() == theirs.len() && others).then_some(reason)
}

#[test]
fn names_without_what_is_around_them() {
    for (name, plain) in [
        ("main", "main"),
        ("Shape::area() const", "area"),
        ("core::ops::function::FnOnce::call_once<fn(), ()>", "call_once"),
        ("<alloc::vec::Vec<T> as core::ops::Deref>::deref", "deref"),
        ("lambda(int)::{lambda(int)#1}::operator()(int) const", "operator()"),
        ("operator()", "operator()"),
        ("rust::{impl#0}::area", "area"),
        ("rust::main::{closure#0}", "{{closure}}"),
    ] {
        assert_eq!(plain_name(name), plain);
    }
}
