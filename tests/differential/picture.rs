//! What a debugger shows where it has stopped, in the same form for both.

use crate::excuses;
use crate::support::gdb::Gdb;
use crate::support::mcp::Server;
use serde_json::{Value, json};
use std::fmt::Write as _;

/// Why a movement ended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stop {
    /// In the words of GDB's machine interface, where it has one.
    pub reason: String,
    /// Number of the breakpoint or watchpoint.
    pub number: Option<u64>,
    pub signal: Option<String>,
    /// Value of the watched expression earlier and later in time.
    pub change: Option<(String, String)>,
    pub returned: Option<String>,
}

/// What can be seen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Picture {
    /// Function, file, line, address and arguments of each frame, as text.
    pub stack: Vec<String>,
    /// Arguments and locals of the selected frame, as text, sorted.
    pub variables: Vec<String>,
    /// Values of expressions.
    pub values: Vec<String>,
}

impl Picture {
    /// Leaves of variables and arguments nothing but the names of the variables.
    pub fn forget_values(&mut self) {
        for frame in &mut self.stack {
            if let (Some(start), Some(end)) = (frame.find(" ("), frame.rfind(" at ")) {
                frame.replace_range(start..end, "");
            }
        }
        for variable in &mut self.variables {
            variable.truncate(variable.find('=').unwrap_or(variable.len()));
        }
    }

    /// Writes all of it differently.
    pub fn replace(&mut self, from: &str, to: &str) {
        let all = self.stack.iter_mut().chain(&mut self.variables).chain(&mut self.values);
        all.for_each(|text| *text = text.replace(from, to));
    }
}

/// Says what is different in two lists. `is_outer`: an entry is of an outer frame, of which registers may be lost.
pub fn differences(ours: &[String], theirs: &[String], what: &str, is_outer: impl Fn(usize) -> bool, out: &mut String) {
    let mut heading = format!("  {what}:\n");
    for i in 0..ours.len().max(theirs.len()) {
        let (a, b) = (ours.get(i), theirs.get(i));
        if !a.zip(b).is_some_and(|(a, b)| {
            a == b
                || is_same_but_for_references(a, b)
                || (is_outer(i) && is_same(a, b))
                || (!is_outer(i) && is_excused(a, b))
        }) {
            let show = |s: Option<&String>| s.map_or("-".to_owned(), String::clone);
            let _ = writeln!(out, "{}    ours {}\n    gdb  {}", std::mem::take(&mut heading), show(a), show(b));
        }
    }
}

/// Whether GDB shows arguments or variables of a frame that is being set up.
fn is_excused(ours: &str, theirs: &str) -> bool {
    let head = |text: &str| text.split_once(" (").map_or(String::new(), |(head, _)| head.to_owned());
    head(ours) == head(theirs) && excuses::of_setup(ours).is_some()
}

/// Whether two texts are the same but for references of Rust to objects, of which we show the object, GDB the address.
fn is_same_but_for_references(mut ours: &str, mut theirs: &str) -> bool {
    loop {
        let same = ours.bytes().zip(theirs.bytes()).take_while(|(a, b)| a == b).count();
        let (Some(ours_left), Some(theirs_left)) = (ours.get(same..), theirs.get(same..)) else { return false };
        if ours_left.is_empty() && theirs_left.is_empty() {
            return true;
        }
        let (Some(object), Some(address)) = (ours_left.strip_prefix('&'), theirs_left.strip_prefix("0x")) else {
            return false;
        };
        let Some(end) = object.strip_prefix(|c: char| c.is_ascii_uppercase()).and_then(|_| end_of_object(object))
        else {
            return false;
        };
        ours = &object[end..];
        theirs = address.trim_start_matches(|c: char| c.is_ascii_hexdigit());
    }
}

/// Where an object ends that a text begins with: `Basket { items: 1 }`.
fn end_of_object(text: &str) -> Option<usize> {
    let mut depth = 0;
    for (at, c) in text.char_indices() {
        match c {
            '{' | '(' => depth += 1,
            '}' | ')' if depth == 1 => return Some(at + 1),
            '}' | ')' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// Whether two texts are the same but for values that were in registers which a callee may have overwritten: we say so,
/// GDB shows what is in the register now.
fn is_same(ours: &str, theirs: &str) -> bool {
    let mut pieces = ours.split("<not saved: ");
    let Some(mut rest) = pieces.next().and_then(|first| theirs.strip_prefix(first)) else {
        return false;
    };
    for piece in pieces {
        let piece = piece.split_once('>').map_or("", |(_, piece)| piece);
        // The value ends where the text goes on, or at the end.
        let end = if piece.is_empty() { Some(rest.len()) } else { rest.find(piece) };
        let Some(at) = end else { return false };
        rest = &rest[at + piece.len()..];
    }
    rest.is_empty()
}

fn text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

/// A stop as our tools tell it.
pub fn our_stop(stop: &Value) -> Stop {
    let reason = stop["reason"].as_str().unwrap_or_default();
    let change = text(&stop["new_value"]).map(|new| (text(&stop["old_value"]).unwrap_or_default(), new));
    Stop {
        reason: reason.to_owned(),
        number: stop["breakpoint_number"].as_u64(),
        signal: text(&stop["signal_name"]).filter(|_| reason == "signal-received"),
        change,
        returned: text(&stop["return_value"]),
    }
}

/// A `*stopped` record. GDB's words for the ends of a recording are not what happens there: at the end it says SIGKILL,
/// at the start it gives no reason. Going back it calls the later value the old one.
pub fn gdb_stop(stop: &Value, reverse: bool) -> Stop {
    let reason = stop["reason"].as_str().unwrap_or("start-of-recording");
    let signal = text(&stop["signal-name"]);
    let ended = signal.as_deref() == Some("SIGKILL");
    let pair = |a: &str, b: &str| {
        let value = &stop["value"];
        text(&value[a]).zip(text(&value[b])).map(|(a, b)| if reverse { (b, a) } else { (a, b) })
    };
    let numbered = ["wpt", "hw-rwpt", "hw-awpt"].iter().find_map(|kind| stop[*kind]["number"].as_str());
    Stop {
        reason: if ended { "end-of-recording".to_owned() } else { reason.to_owned() },
        number: stop["bkptno"].as_str().or(numbered).and_then(|n| n.parse().ok()),
        signal: signal.filter(|_| !ended),
        change: pair("old", "new").or_else(|| text(&stop["value"]["value"]).map(|v| (String::new(), v))),
        returned: text(&stop["return-value"]),
    }
}

/// A frame as text. C++ names lose their parameters.
fn frame(frame: &Value, function: &str, address: &str, args: &[Value]) -> String {
    let args: Vec<String> = args.iter().filter(|v| !is_made_up(v)).map(variable).collect();
    let function = text(&frame[function]).unwrap_or_else(|| "??".to_owned());
    let place = match (text(&frame["fullname"]), text(&frame["line"])) {
        (Some(file), Some(line)) => format!(" at {file}:{line}"),
        _ => String::new(),
    };
    let function = function.split('(').next().unwrap_or_default();
    let address = frame[address].as_str().map(number).unwrap_or_default();
    format!("{address:#x} in {function} ({}){place}", args.join(", "))
}

fn number(hex: &str) -> u64 {
    u64::from_str_radix(hex.trim_start_matches("0x"), 16).unwrap_or_else(|_| panic!("an address: {hex:?}"))
}

fn variable(v: &Value) -> String {
    let part = |name: &str| v[name].as_str().unwrap_or_default().to_owned();
    format!("{}={}", part("name"), part("value"))
}

fn sorted(list: &Value) -> Vec<String> {
    let users = list.as_array().unwrap().iter().filter(|v| !is_made_up(v));
    let mut all: Vec<String> = users.map(variable).collect();
    all.sort();
    all
}

/// What we show.
pub fn ours(server: &Server, expressions: &[&str], depth: usize) -> Picture {
    excuses::look_at(server);
    // All of them: of a part, recursions are folded.
    let frames = server.call("rr_backtrace", json!({"max_depth": 0}));
    let none = Vec::new();
    let stack = frames["result"].as_array().unwrap().iter().take(depth);
    Picture {
        stack: stack.map(|f| frame(f, "function", "address", f["args"].as_array().unwrap_or(&none))).collect(),
        variables: sorted(&server.call("rr_locals", json!({}))["result"]),
        values: expressions.iter().map(|e| format!("{e} = {}", shown(our_value(server, e)))).collect(),
    }
}

/// What GDB shows.
pub fn gdbs(gdb: &mut Gdb, expressions: &[&str], depth: usize) -> Picture {
    let range = format!("0 {}", depth - 1);
    let Ok(frames) = gdb.attempt(&format!("-stack-list-frames {range}")) else {
        return Picture { stack: vec!["the program is gone".to_owned()], ..Picture::default() };
    };
    let args = gdb.command(&format!("-stack-list-arguments --all-values {range}"));
    let frames = frames["stack"].as_array().unwrap();
    let args = args["stack-args"].as_array().unwrap();
    let stack = frames.iter().zip(args).map(|(f, a)| frame(f, "func", "addr", a["args"].as_array().unwrap()));
    Picture {
        stack: stack.collect(),
        variables: sorted(&gdb.command("-stack-list-variables --all-values")["variables"]),
        values: expressions.iter().map(|e| format!("{e} = {}", shown(gdb_value(gdb, e)))).collect(),
    }
}

/// Names of variables that the compiler made up, which GDB lists among the user's own: the lengths of arrays, and what
/// a lambda has captured as one object.
const MADE_UP: [&str; 2] = ["__vla_expr", "__closure"];

/// Also what GDB makes up itself: `argument@entry`, the value that the caller has passed.
fn is_made_up(variable: &Value) -> bool {
    let is_made_up = |name: &str| name.ends_with("@entry") || MADE_UP.iter().any(|prefix| name.starts_with(prefix));
    variable["name"].as_str().is_some_and(is_made_up)
}

fn shown(value: Result<String, String>) -> String {
    value.unwrap_or_else(|_| "refused".to_owned())
}

/// The value of an expression, which may begin with a format.
pub fn our_value(server: &Server, expression: &str) -> Result<String, String> {
    let value = server.attempt("rr_evaluate", json!({"expression": expression}))?;
    // Of a name that the frame does not know we say what it is in the user's.
    let is_of_another = |note: &Value| note.as_str().is_some_and(|note| note.contains("does not know this"));
    if value["notes"].as_array().is_some_and(|notes| notes.iter().any(is_of_another)) {
        return Err("no such name in this frame".to_owned());
    }
    Ok(value["value"].as_str().unwrap_or_default().to_owned())
}

/// `print` or `print/x`, through the console: `-data-evaluate-expression` leaves out what a reader needs (the type in
/// front of a pointer) and knows no formats.
pub fn gdb_value(gdb: &mut Gdb, expression: &str) -> Result<String, String> {
    let (format, expression) = match expression.strip_prefix('/') {
        Some(rest) => rest.split_once(' ').unwrap(),
        None => ("", expression),
    };
    let slash = if format.is_empty() { String::new() } else { format!("/{format}") };
    gdb.console(&format!("print{slash} {expression}")).map(|text| {
        let text = text.trim_end();
        text.split_once(" = ").map_or(text, |(_, value)| value).to_owned()
    })
}
