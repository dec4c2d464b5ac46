//! The machine: code as assembler, registers.

use super::command::{CodeSpec, Modes};
use super::error::Error;
use super::execution::Execution;
use super::frames::wide;
use arch::RunAddr;
use engine::{CodeLine, FunctionSpan};
use std::collections::{BTreeMap, BTreeSet};

/// Most bytes of code that one command shows.
const MAX_CODE: u64 = 1 << 20;
/// Most lines without code that are shown before one that has some.
const MAX_LINES_BETWEEN: u32 = 200;
/// Columns that the bytes of an instruction take at least.
const BYTES_WIDTH: usize = 19;

/// Bits of `eflags` (Intel SDM volume 1, figure 3-8) by their names; those without one are reserved.
const FLAGS: [(u32, &str); 16] = [
    (0, "CF"),
    (2, "PF"),
    (4, "AF"),
    (6, "ZF"),
    (7, "SF"),
    (8, "TF"),
    (9, "IF"),
    (10, "DF"),
    (11, "OF"),
    (14, "NT"),
    (16, "RF"),
    (17, "VM"),
    (18, "AC"),
    (19, "VIF"),
    (20, "VIP"),
    (21, "ID"),
];

/// Formats the flags that are set: `[ PF ZF IF ]`.
pub(super) fn flags(value: u64) -> String {
    let set = FLAGS.iter().filter(|(bit, _)| value >> bit & 1 == 1);
    let names: Vec<&str> = set.map(|(_, name)| *name).collect();
    if names.is_empty() { "[ ]".to_owned() } else { format!("[ {} ]", names.join(" ")) }
}

/// Returns the first of the lines to be shown with `line`, which may be `first` if that is not too far before it.
fn first_before(first: u32, line: u32) -> u32 {
    first.max(line.saturating_sub(MAX_LINES_BETWEEN))
}

/// Returns whether `info registers` lists a register without being asked for it: no floating point, no vectors.
fn is_general(name: &str) -> bool {
    let numbered = |prefix: &str| {
        name.strip_prefix(prefix).is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|b| b.is_ascii_digit()))
    };
    let vector = ["st", "xmm", "ymm", "zmm", "mm", "v"].iter().any(|prefix| numbered(prefix))
        || (name.starts_with("ymm") && name.ends_with('h'))
        || (name.starts_with("zmm") && name.ends_with('h'));
    let control = ["fctrl", "fstat", "ftag", "fiseg", "fioff", "foseg", "fooff", "fop", "mxcsr", "pkru", "orig_rax"];
    !vector && !control.contains(&name)
}

/// Registers that are named together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Group {
    General,
    Float,
    Vector,
}

impl Group {
    fn named(name: &str) -> Option<Self> {
        match name {
            "general" => Some(Self::General),
            "float" => Some(Self::Float),
            "vector" => Some(Self::Vector),
            _ => None,
        }
    }

    fn has(self, register: &str) -> bool {
        /// The control registers of floating point: x87's, and those of AArch64.
        const CONTROL: [&str; 10] =
            ["fctrl", "fstat", "ftag", "fiseg", "fioff", "foseg", "fooff", "fop", "fpsr", "fpcr"];
        let is_numbered = |prefix: &str| {
            let number = register.strip_prefix(prefix);
            number.is_some_and(|number| !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()))
        };
        match self {
            Self::General => is_general(register),
            Self::Float => is_numbered("st") || CONTROL.contains(&register),
            Self::Vector => ["xmm", "ymm", "zmm", "k", "v"].into_iter().any(is_numbered) || register == "mxcsr",
        }
    }
}

impl Execution<'_> {
    pub(super) fn disassemble(&mut self, modes: Modes, at: &CodeSpec) -> Result<(), Error> {
        let (start, end, function) = match at {
            CodeSpec::Here => {
                self.alive("No frame selected.")?;
                let pc = self.selected_pc().ok_or_else(|| Error::said("No frame selected."))?;
                self.function(pc)?
            }
            CodeSpec::Around(place) => {
                let address = self.engine.address_of(place)?;
                self.function(address)?
            }
            CodeSpec::Between(first, last) => (self.engine.address_of(first)?, self.engine.address_of(last)?, None),
            CodeSpec::Bytes(first, length) => {
                let start = self.engine.address_of(first)?;
                let length = self.number(length)?.max(0).unsigned_abs();
                (start, RunAddr(start.0.saturating_add(length)), None)
            }
        };
        let pc = self.selected_pc();
        match function {
            Some(function) => {
                self.say(format!("Dump of assembler code for function {}:", function.name));
                let mut bytes = 0_u64;
                for (first, last) in &function.ranges {
                    bytes = bytes.saturating_add(last.0.saturating_sub(first.0));
                    if bytes > MAX_CODE {
                        return Err(Error::said(format!("At most {MAX_CODE} bytes of code are shown at once.")));
                    }
                    if self.engine.cancel().is_cancelled() {
                        return Err(Error::said("Quit"));
                    }
                    if self.terminal.is_full() {
                        break;
                    }
                    if function.ranges.len() > 1 {
                        self.say(format!("Address range {first} to {last}:"));
                    }
                    self.code(*first, *last, modes, pc, false)?;
                }
            }
            None => {
                self.say(format!("Dump of assembler code from {start} to {end}:"));
                self.code(start, end, modes, pc, true)?;
            }
        }
        self.say("End of assembler dump.");
        Ok(())
    }

    fn function(&mut self, at: RunAddr) -> Result<(RunAddr, RunAddr, Option<FunctionSpan>), Error> {
        let found = self.engine.function_at(at)?;
        let function = found.ok_or_else(|| Error::said("No function contains specified address."))?;
        Ok((function.entry, function.entry, Some(function)))
    }

    fn code(
        &mut self,
        start: RunAddr,
        end: RunAddr,
        modes: Modes,
        pc: Option<RunAddr>,
        named: bool,
    ) -> Result<(), Error> {
        if end.0.saturating_sub(start.0) > MAX_CODE {
            return Err(Error::said(format!("At most {MAX_CODE} bytes of code are shown at once.")));
        }
        let lines = self.engine.disassemble(start, Some(end), usize::MAX, self.state.settings.syntax)?;
        if modes.source {
            return self.with_source(&lines, modes, pc, named);
        }
        if modes.by_line {
            return self.by_line(&lines, modes, pc, named);
        }
        for line in &lines {
            self.instruction(line, modes, pc, named);
            if self.terminal.is_full() {
                break;
            }
        }
        Ok(())
    }

    /// Prints `=> 0x0000000000401136 <+4>:\tmov    %rsp,%rbp`
    fn instruction(&mut self, line: &CodeLine, modes: Modes, pc: Option<RunAddr>, named: bool) {
        let mark = if Some(line.address) == pc { "=> " } else { "   " };
        let place = match &line.symbol {
            Some((name, offset)) if named => format!(" <{name}+{offset}>"),
            Some((_, offset)) => format!(" <+{offset}>"),
            None => String::new(),
        };
        let bytes = match modes.raw {
            true => {
                let digits: Vec<String> = line.bytes.iter().map(|b| format!("{b:02x}")).collect();
                format!("{:<BYTES_WIDTH$}\t", digits.join(" "))
            }
            false => String::new(),
        };
        self.say(format!("{mark}{}{place}:\t{bytes}{}", wide(line.address), line.text));
    }

    /// Shows each stretch of code behind its line, in the order of addresses; lines without code stand before the next
    /// that has some.
    fn with_source(&mut self, lines: &[CodeLine], modes: Modes, pc: Option<RunAddr>, named: bool) -> Result<(), Error> {
        let has_code: BTreeSet<(String, u32)> =
            lines.iter().filter_map(|l| l.line.as_ref()).map(|s| (s.fullname.clone(), s.line)).collect();
        let mut last: Option<(String, u32)> = None;
        for (i, line) in lines.iter().enumerate() {
            let now = line.line.as_ref().map(|s| (s.fullname.clone(), s.line));
            if now != last {
                if i > 0 {
                    self.say("");
                }
                let same_file = matches!((&now, &last), (Some(a), Some(b)) if a.0 == b.0);
                match &line.line {
                    Some(span) => {
                        if !same_file {
                            self.say(format!("{}:", span.file));
                        }
                        let mut first = span.line;
                        if let Some((file, before)) = last.as_ref().filter(|_| same_file) {
                            let least = first_before(before.saturating_add(1), span.line);
                            while first > least && !has_code.contains(&(file.clone(), first - 1)) {
                                first -= 1;
                            }
                        }
                        self.source_lines(&span.file, &span.fullname, first, span.line);
                    }
                    None if last.is_some() || i == 0 => self.say("unknown:"),
                    None => {}
                }
                last = now;
            }
            self.instruction(line, modes, pc, named);
            if self.terminal.is_full() {
                break;
            }
        }
        Ok(())
    }

    /// Shows all code of a line together, in the order of lines.
    fn by_line(&mut self, lines: &[CodeLine], modes: Modes, pc: Option<RunAddr>, named: bool) -> Result<(), Error> {
        let mut groups: BTreeMap<(String, u32), Vec<&CodeLine>> = BTreeMap::new();
        for line in lines {
            if let Some(span) = &line.line {
                groups.entry((span.fullname.clone(), span.line)).or_default().push(line);
            }
        }
        let mut last: Option<(String, u32)> = None;
        for ((fullname, number), group) in groups {
            let file = group.first().and_then(|l| l.line.as_ref()).map(|s| s.file.clone()).unwrap_or_default();
            // Lines without code stand before the next that has some.
            let first =
                last.filter(|(file, _)| *file == fullname).map_or(number, |(_, before)| before.saturating_add(1));
            let first = first_before(first, number);
            self.source_lines(&file, &fullname, first, number);
            last = Some((fullname, number));
            for line in group {
                self.instruction(line, modes, pc, named);
            }
            self.say("");
            if self.terminal.is_full() {
                break;
            }
        }
        Ok(())
    }

    fn source_lines(&mut self, file: &str, fullname: &str, first: u32, last: u32) {
        for number in first..=last {
            let found = self.engine.source(Some(fullname), Some(number), 1).ok();
            let line = found.and_then(|t| t.lines.into_iter().find(|l| l.number == number));
            let text = match line {
                Some(line) => format!("{number}\t{}", line.text),
                None => self.unreadable(number, file, Some(fullname)),
            };
            self.say(text);
        }
        self.remember_listed(file, fullname, first, last);
    }

    pub(super) fn info_registers(&mut self, names: &[String], all: bool) -> Result<(), Error> {
        self.alive("The program has no registers now.")?;
        let wanted: Vec<String> = match names {
            [] => {
                let known = self.engine.registers(None)?;
                known.into_iter().map(|r| r.name).filter(|name| all || is_general(name)).collect()
            }
            some => {
                let mut all = Vec::new();
                for name in some.iter().map(|name| name.trim_start_matches('$')) {
                    match Group::named(name) {
                        Some(group) => {
                            let names = self.engine.registers(None)?.into_iter().map(|register| register.name);
                            all.extend(names.filter(|name| group.has(name)));
                        }
                        None => all.push(name.to_owned()),
                    }
                }
                all
            }
        };
        for name in wanted {
            // The name as it was given, and an error that lists no fifty others.
            self.engine.registers(Some(std::slice::from_ref(&name)))?;
            let raw = self.value(&format!("${name}"), Some('x'))?.value;
            let natural = self.natural(&name, &raw)?;
            self.say(format!("{name:<15}{raw:<19} {natural}"));
            if self.terminal.is_full() {
                break;
            }
        }
        Ok(())
    }

    fn natural(&mut self, name: &str, raw: &str) -> Result<String, Error> {
        let number = raw.strip_prefix("0x").and_then(|digits| u64::from_str_radix(digits, 16).ok());
        Ok(match (name, number) {
            ("eflags", Some(value)) => flags(value),
            ("rip" | "pc", Some(value)) => match self.engine.symbol_at(RunAddr(value))? {
                Some(symbol) if symbol.offset == 0 => format!("{raw} <{}>", symbol.name),
                Some(symbol) => format!("{raw} <{}+{}>", symbol.name, symbol.offset),
                None => raw.to_owned(),
            },
            ("rsp" | "rbp" | "sp" | "fp", Some(_)) => raw.to_owned(),
            ("fs_base" | "gs_base", Some(value)) => value.to_string(),
            _ => self.value(&format!("${name}"), None)?.value,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_by_name() {
        assert_eq!(flags(0x246), "[ PF ZF IF ]");
        assert_eq!(flags(0x202), "[ IF ]");
        assert_eq!(flags(2), "[ ]");
    }

    #[test]
    fn a_line_far_away_does_not_bring_all_before_it() {
        assert_eq!(first_before(7, 10), 7);
        assert_eq!(first_before(7, u32::MAX), u32::MAX - MAX_LINES_BETWEEN);
    }

    #[test]
    fn general_registers() {
        let general = ["rax", "r15", "rip", "eflags", "cs", "fs_base", "k0", "x29", "sp", "cpsr"];
        assert!(general.iter().all(|name| is_general(name)));
        let others = ["xmm0", "st7", "ymm3", "ymm3h", "zmm31h", "v12", "mxcsr", "fctrl", "orig_rax"];
        assert!(!others.iter().any(|name| is_general(name)));
    }
}
