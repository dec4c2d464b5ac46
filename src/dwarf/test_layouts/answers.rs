//! Everything that an image says about the functions of a program, its variables and types, as text.

use super::build::{Build, Storage};
use crate::testing::Frame;
use crate::{DieId, Image, Variable};
use arch::{Bias, LinkAddr};
use ctype::{Dialect, Type, TypeRef, type_name};
use object::{Object, ObjectSymbol};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// Addresses of a function that are asked about are this far apart.
const STEP: usize = 5;

/// What is asked of every variant of a program.
pub(super) struct Asked {
    /// Functions that its sources define: entry and size.
    functions: BTreeMap<u64, u64>,
    names: BTreeSet<String>,
    files: Vec<String>,
    lines: u32,
}

impl Asked {
    /// Asks for all that is in the plain program: its functions and every name in its debug info.
    pub(super) fn about(build: &Build) -> Self {
        let placed = build.place(Storage::Plain);
        let image = placed.image();
        let bytes = std::fs::read(placed.program()).unwrap();
        let file = object::File::parse(&*bytes).unwrap();
        let mut functions = BTreeMap::new();
        for symbol in file.symbols().filter(|s| s.kind() == object::SymbolKind::Text && s.size() > 0) {
            let line = image.line_at(LinkAddr(symbol.address()));
            if line.is_some_and(|line| build.sources().contains(&line.file.path)) {
                functions.insert(symbol.address(), symbol.size());
            }
        }
        let all = image.with_debug(|debug| debug.index().names());
        // Of Rust's, those of the program: the library has far more of them.
        let is_own =
            |name: &String| build.sources()[0].extension().is_none_or(|e| e != "rs") || name.contains("program");
        let names = all.into_iter().filter(is_own).collect();
        let file = |path: &std::path::PathBuf| path.file_name().unwrap().to_str().unwrap().to_owned();
        Self { functions, names, files: build.sources().iter().map(file).collect(), lines: 120 }
    }
}

impl Asked {
    /// Asks for a part of that: enough to look into everything once.
    pub(super) fn some(build: &Build) -> Self {
        let mut asked = Self::about(build);
        asked.lines = 3;
        for size in asked.functions.values_mut() {
            *size = (*size).min(3 * STEP as u64);
        }
        asked.names = asked.names.into_iter().step_by(4).collect();
        asked
    }
}

/// The answers, by what was asked.
pub(super) struct Answers(BTreeMap<String, String>);

impl Answers {
    pub(super) fn of(image: &Image, asked: &Asked) -> Self {
        let mut answers = Self(BTreeMap::new());
        for (entry, size) in &asked.functions {
            for pc in (*entry..entry + size).step_by(STEP) {
                answers.0.insert(format!("{pc:#x}"), at(image, LinkAddr(pc)));
            }
        }
        for name in &asked.names {
            answers.0.insert(name.clone(), named(image, name));
        }
        for file in &asked.files {
            for line in 1..asked.lines {
                answers.0.insert(format!("{file}:{line}"), format!("{:?}", image.addresses_of_line(file, line)));
            }
        }
        let names: BTreeSet<String> = image.with_debug(|debug| debug.index().names()).into_iter().collect();
        let unknown: Vec<&String> = asked.names.difference(&names).collect();
        answers.0.insert("names that are not known".to_owned(), format!("{unknown:?}"));
        answers
    }

    /// Checks that something was said at all: two empty answers are equal, too.
    pub(super) fn assert_rich(&self, build: &Build) {
        let count = |word: &str| self.0.values().filter(|text| text.contains(word)).count();
        for word in ["function ", "line ", "variable ", "type "] {
            assert!(count(word) > 0, "{build}: the plain program has no {word}");
        }
    }

    #[track_caller]
    pub(super) fn assert_equal(&self, other: &Self, which: &str) {
        for (question, plain) in &self.0 {
            let answer = other.0.get(question).map_or("", String::as_str);
            if answer == plain {
                continue;
            }
            let differing = plain.lines().zip(answer.lines()).find(|(a, b)| a != b);
            let (a, b) = differing.unwrap_or((plain, answer));
            panic!("{which}, about {question}:\n  plain: {a}\n   this: {b}\nplain:\n{plain}\nthis:\n{answer}");
        }
        assert_eq!(self.0.len(), other.0.len(), "{which}");
    }
}

/// Writes all that is known about an address.
fn at(image: &Image, pc: LinkAddr) -> String {
    let mut text = String::new();
    if let Some(line) = image.line_at(pc) {
        let _ = writeln!(text, "line {line:?}");
    }
    if let Some(function) = image.function_at(pc) {
        let ty = function.die.and_then(|die| image.function_type(die)).map(|ty| spelled(&ty));
        let _ = writeln!(text, "function {:?} {:?} {ty:?}", function.name, function.linkage_name);
        let _ = writeln!(text, "  {:?} {:?} {:?}", function.ranges, function.file, function.line);
        let _ = writeln!(text, "  body at {:?}", image.after_prologue(&function));
        let _ = writeln!(text, "  described {}", function.die.is_some());
    }
    let _ = writeln!(text, "language {:?}", image.language_at(pc));
    for (level, frame) in image.inline_chain(pc).into_iter().enumerate() {
        let die = frame.die.map(|_| DieId(0));
        let _ = writeln!(text, "level {:?}", crate::InlineFrame { die, ..frame });
        for variable in image.variables_at(pc, level) {
            let _ = writeln!(text, "{}", described(image, &variable, pc));
        }
    }
    let mut frame = frame(pc);
    let _ = writeln!(text, "calls {:?}", image.call_site_target(pc, &mut frame));
    for register in 0..16 {
        if let Some(value) = image.call_site_value(pc, register, &mut frame) {
            let _ = writeln!(text, "passes {value:#x} in {register}");
        }
    }
    let _ = writeln!(text, "unwinds to {:?}", image.unwind(pc, &mut frame).map_err(|e| e.to_string()));
    text
}

/// Writes all that a name stands for.
fn named(image: &Image, name: &str) -> String {
    let mut found = Vec::new();
    for function in image.functions_named(name) {
        found.push(format!("function {} {:?} {:?}", function.name, function.ranges, function.line));
    }
    for variable in image.globals_named(None, name) {
        found.push(described(image, &variable, LinkAddr(0)));
    }
    if let Some(ty) = image.type_named(None, name) {
        found.push(format!("type {}", expanded(&ty)));
    }
    if let Some((ty, value)) = image.enumerator_in(&[], name) {
        found.push(format!("enumerator {value} of {}", spelled(&ty)));
    }
    for (copy, _) in image.inlined_copies(name) {
        found.push(format!("copy at {copy:?}"));
    }
    found.sort();
    found.join("\n")
}

fn described(image: &Image, variable: &Variable, pc: LinkAddr) -> String {
    let Variable { name, ty, is_argument, depth, line, file, .. } = variable;
    let mut frame = frame(pc);
    let concrete = image.concrete_type(ty, &mut frame);
    let location = image.variable_location(variable, &mut frame);
    let file = file.as_ref().map(|f| f.path.display().to_string());
    format!(
        "variable {name} {is_argument} {depth} {line:?} {file:?} {location:?} {} = {}",
        spelled(&concrete),
        expanded(ty)
    )
}

fn spelled(ty: &TypeRef) -> String {
    type_name(ty, Dialect::default())
}

/// Writes a type and all types that it is made of.
fn expanded(ty: &TypeRef) -> String {
    let mut lines = BTreeSet::new();
    let mut open = vec![ty.clone()];
    while let Some(ty) = open.pop() {
        let mut line = spelled(&ty);
        let mut next = Vec::new();
        match &*ty {
            Type::Record(record) => {
                let _ = write!(line, " {:?} {:?} {:?}", record.kind, record.size, record.passing);
                for member in &record.members {
                    let ty = member.ty.get();
                    let _ = write!(
                        line,
                        "; {} {:?} at {} {:?} {}",
                        spelled(&ty),
                        member.name,
                        member.offset,
                        member.bits,
                        member.is_base
                    );
                    next.push(ty);
                }
            }
            Type::Enumeration(enumeration) => {
                let _ = write!(line, " {} {} {:?}", enumeration.size, enumeration.signed, enumeration.enumerators);
            }
            Type::Base { name, encoding, size } => {
                let _ = write!(line, " {name} {encoding:?} {size}");
            }
            Type::Pointer { target, size, .. } | Type::MemberPointer { target, size, .. } => {
                let _ = write!(line, " {size}");
                next.push(target.get());
            }
            Type::Typedef { target, .. } | Type::Qualified { target, .. } => next.push(target.get()),
            Type::Array { element, .. } | Type::Described { element, .. } => next.push(element.get()),
            Type::Function { result, parameters, variadic, prototyped } => {
                let _ = write!(line, " {variadic} {prototyped}");
                next.push(result.get());
                next.extend(parameters.iter().map(|p| p.get()));
            }
            Type::Void | Type::Opaque(_) | Type::Indirect => {}
        }
        if lines.insert(line) {
            open.extend(next);
        }
        assert!(lines.len() < 5000, "a type without end");
    }
    lines.into_iter().collect::<Vec<_>>().join(" | ")
}

/// Returns a frame in which every register and all memory has a value.
fn frame(pc: LinkAddr) -> Frame {
    let mut frame = Frame::at(pc);
    frame.registers.extend((0..17).map(|number| (number, 0x7000 + u64::from(number) * 8)));
    frame.cfa = Some(0x7100);
    frame.tls = Some(0x8000);
    frame.bias = Bias(0x1_0000);
    for address in 0x6f00..0x7200 {
        frame.write(address, &[address as u8]);
    }
    frame
}
