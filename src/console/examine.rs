//! Memory, unit by unit: `x`.

use super::error::Error;
use super::execution::Execution;
use super::format_letters::UnitLetters;
use arch::RunAddr;

/// Most units that one command shows.
const MAX_UNITS: u64 = 65_536;
/// Longest string that is shown whole (GDB's `print elements`).
const MAX_STRING: u64 = 200;

/// Where an `x` without an address goes on, and how.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Examined {
    next: Option<RunAddr>,
    format: Option<char>,
    size: Option<char>,
    count: Option<i64>,
}

/// How units are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Shape {
    count: i64,
    format: char,
    size: char,
}

impl Examined {
    /// Completes letters by what they leave out: as the last time, or what suits the format.
    fn shape(&self, letters: UnitLetters, again: bool) -> Shape {
        let last_format = self.format.unwrap_or('x');
        let last_size = self.size.unwrap_or('w');
        let given = letters.count.is_some() || letters.format.is_some() || letters.size.is_some();
        let count = letters.count.or(self.count.filter(|_| again && !given)).unwrap_or(1);
        let (format, size) = match (letters.format, letters.size) {
            (None, None) => (last_format, last_size),
            (None, Some(size)) => (if last_format == 'i' { 'x' } else { last_format }, size),
            (Some(format), Some(size)) => (format, size),
            (Some('a'), None) => ('a', 'g'),
            (Some('f'), None) => ('f', if matches!(last_size, 'w' | 'g') { last_size } else { 'g' }),
            (Some('c'), None) => ('c', 'b'),
            (Some('s'), None) => ('s', 'b'),
            (Some(format), None) => (format, last_size),
        };
        Shape { count, format, size }
    }
}

fn bytes_of(size: char) -> u64 {
    match size {
        'b' => 1,
        'h' => 2,
        'g' => 8,
        _ => 4,
    }
}

/// Returns the literal of a string of `char16_t` or `char32_t`, whose types not every program knows; `None` if units of
/// this size are no such characters.
fn wide_literal(units: &[&[u8]], size: char) -> Option<String> {
    let prefix = match size {
        'h' => "u",
        'w' => "U",
        _ => return None,
    };
    let code = |unit: &&[u8]| unit.iter().rev().fold(0u64, |n, byte| n << 8 | u64::from(*byte));
    let escapes: String = units.iter().map(|unit| format!("\\x{:x}", code(unit))).collect();
    Some(format!("{prefix}\"{escapes}\""))
}

/// Formats a unit as text; `None` for formats that need the program.
fn shown(bytes: &[u8], format: char) -> Option<String> {
    let value = bytes.iter().rev().fold(0u64, |n, b| n << 8 | u64::from(*b));
    let digits = bytes.len() * 2;
    let bits = bytes.len() * 8;
    Some(match format {
        'x' | 'z' => format!("0x{value:0digits$x}"),
        'o' if value == 0 => "0".to_owned(),
        'o' => format!("0{value:o}"),
        't' => format!("{value:0bits$b}"),
        'u' => value.to_string(),
        'd' => {
            let unused = 64 - bits;
            (((value << unused) as i64) >> unused).to_string()
        }
        _ => return None,
    })
}

impl Execution<'_> {
    pub(super) fn examine(&mut self, letters: UnitLetters, expression: Option<&str>) -> Result<(), Error> {
        let shape = self.state.examined.shape(letters, expression.is_none());
        let start = match expression {
            Some(expression) => self.engine.address_of(expression)?,
            None => self.state.examined.next.unwrap_or_default(),
        };
        if shape.count.unsigned_abs() > MAX_UNITS {
            return Err(Error::said(format!("At most {MAX_UNITS} units are shown at once.")));
        }
        // A float of the size of its type, as `x/f &x` means.
        let shape = match (letters.format, letters.size, expression) {
            (Some('f'), None, Some(expression)) => Shape { size: self.float_size(expression, shape.size), ..shape },
            _ => shape,
        };
        let next = match shape.format {
            'i' => self.instructions(start, shape.count)?,
            's' => self.strings(start, shape)?,
            _ => self.units(start, shape)?,
        };
        self.state.examined = Examined {
            next: Some(next),
            format: Some(shape.format),
            size: Some(if shape.format == 's' { 'b' } else { shape.size }),
            count: Some(shape.count),
        };
        Ok(())
    }

    fn float_size(&mut self, expression: &str, otherwise: char) -> char {
        let pointed = self.engine.type_of(&format!("*({expression})"), None).map(|ty| ty.name);
        match pointed.as_deref() {
            Ok("float") => 'w',
            Ok("double") => 'g',
            _ => otherwise,
        }
    }

    /// Returns an address with its symbol: `0x401136 <main+4>`.
    pub(super) fn place(&mut self, address: RunAddr) -> Result<String, Error> {
        Ok(match self.engine.symbol_at(address)? {
            Some(symbol) if symbol.offset == 0 => format!("{address} <{}>", symbol.name),
            Some(symbol) => format!("{address} <{}+{}>", symbol.name, symbol.offset),
            None => address.to_string(),
        })
    }

    fn units(&mut self, start: RunAddr, shape: Shape) -> Result<RunAddr, Error> {
        let width = bytes_of(shape.size);
        let count = shape.count.unsigned_abs();
        let start = match shape.count {
            n if n < 0 => RunAddr(start.0.wrapping_sub(width.wrapping_mul(count))),
            _ => start,
        };
        let in_line = match shape.size {
            'w' => 4,
            'g' => 2,
            _ => 8,
        };
        let (mut at, mut last) = (start, start);
        let mut left = count;
        while left > 0 && !self.terminal.is_full() {
            let mut line = format!("{}:", self.place(at)?);
            for _ in 0..in_line.min(left) {
                match self.unit(at, shape, width) {
                    Ok(text) => line.push_str(&format!("\t{text}")),
                    Err(error) => {
                        self.terminal.say(&format!("{line}\t"));
                        return Err(error);
                    }
                }
                last = at;
                at = RunAddr(at.0.wrapping_add(width));
            }
            self.say(line);
            left = left.saturating_sub(in_line);
        }
        if count > 0 {
            self.remember(last, shape)?;
        }
        Ok(if shape.count < 0 { start } else { at })
    }

    /// Sets `$_` and `$__`: the last address that was looked at, and what is there.
    fn remember(&mut self, at: RunAddr, shape: Shape) -> Result<(), Error> {
        let ty = match shape.size {
            'b' => "char",
            'h' => "short",
            'g' => "long",
            _ => "int",
        };
        self.engine.set_variable("_", &format!("({ty} *){at}"))?;
        Ok(self.engine.set_variable("__", &format!("*({ty} *){at}"))?)
    }

    fn unit(&mut self, at: RunAddr, shape: Shape, width: u64) -> Result<String, Error> {
        let unreadable = || Error::said(format!("Cannot access memory at address {at}"));
        let block = self.engine.read_memory(&at.to_string(), width).map_err(|_| unreadable())?;
        if block.bytes.len() as u64 != width {
            return Err(unreadable());
        }
        if let Some(text) = shown(&block.bytes, shape.format) {
            return Ok(text);
        }
        let value = block.bytes.iter().rev().fold(0u64, |n, b| n << 8 | u64::from(*b));
        let read = |ty: &str| format!("*({ty} *){at}");
        Ok(match (shape.format, shape.size) {
            ('a', _) => self.place(RunAddr(value))?,
            ('f', 'w') => self.value(&read("float"), None)?.value,
            ('f', 'g') => self.value(&read("double"), None)?.value,
            ('c', 'b') => self.value(&read("char"), None)?.value,
            ('c', 'h') => self.value(&read("short"), Some('c'))?.value,
            ('c', 'w') => self.value(&read("int"), Some('c'))?.value,
            ('c', _) => self.value(&read("long"), Some('c'))?.value,
            _ => shown(&block.bytes, 'd').unwrap_or_default(),
        })
    }

    fn strings(&mut self, start: RunAddr, shape: Shape) -> Result<RunAddr, Error> {
        let mut at = start;
        let width = if matches!(shape.size, 'h' | 'w') { bytes_of(shape.size) } else { 1 };
        for _ in 0..shape.count.max(0) {
            let place = self.place(at)?;
            let block = self.engine.read_memory(&at.to_string(), MAX_STRING * width);
            let Some(block) = block.ok().filter(|block| block.bytes.len() as u64 >= width) else {
                self.say(format!("{place}:\t<error: Cannot access memory at address {at}>"));
                break;
            };
            let units: Vec<&[u8]> = block.bytes.chunks_exact(width as usize).collect();
            let nul = units.iter().position(|unit| unit.iter().all(|byte| *byte == 0));
            let length = nul.map_or(units.len(), |nul| nul + 1).max(1);
            let text = match wide_literal(units.get(..nul.unwrap_or(units.len())).unwrap_or_default(), shape.size) {
                Some(literal) => self.value(&literal, Some('s'))?.value,
                None => self.value(&format!("*(char (*)[{length}]){at}"), Some('s'))?.value,
            };
            let more = if nul.is_none() && !text.ends_with("...") { "..." } else { "" };
            self.say(format!("{place}:\t{text}{more}"));
            at = RunAddr(at.0.wrapping_add(length as u64 * width));
            if self.terminal.is_full() {
                break;
            }
        }
        Ok(at)
    }

    fn instructions(&mut self, start: RunAddr, count: i64) -> Result<RunAddr, Error> {
        let count = usize::try_from(count).map_err(|_| Error::said("Instructions are examined forward only."))?;
        let pc = self.selected_pc();
        let lines = match self.engine.disassemble(start, None, count, self.state.settings.syntax) {
            Ok(lines) => lines,
            Err(error) => {
                let place = self.place(start)?;
                self.terminal.say(&format!("   {place}:\t"));
                return Err(error.into());
            }
        };
        let mut next = start;
        for line in lines {
            let mark = if Some(line.address) == pc { "=> " } else { "   " };
            let place = self.place(line.address)?;
            self.say(format!("{mark}{place}:\t{}", line.text));
            next = RunAddr(line.address.0.wrapping_add(line.bytes.len() as u64));
        }
        Ok(next)
    }

    /// Returns the address of the selected frame.
    pub(super) fn selected_pc(&mut self) -> Option<RunAddr> {
        let level = self.engine.frame_level();
        self.engine.backtrace(level, 1, false).ok()?.frames.first().map(|f| f.address)
    }

    /// Has an `x` without an address begin there.
    pub(super) fn examine_next(&mut self, address: RunAddr) -> Result<(), Error> {
        self.state.examined.next = Some(address);
        Ok(self.engine.set_variable("_", &format!("(void *){address}"))?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(examined: Examined, letters: &str) -> (i64, char, char) {
        let shape = examined.shape(UnitLetters::parse(letters).unwrap(), letters.is_empty());
        (shape.count, shape.format, shape.size)
    }

    #[test]
    fn letters_that_are_left_out() {
        let fresh = Examined::default();
        let used = Examined { next: None, format: Some('d'), size: Some('h'), count: Some(3) };
        let code = Examined { format: Some('i'), ..used };
        for (examined, letters, expected) in [
            (fresh, "", (1, 'x', 'w')),
            (fresh, "4", (4, 'x', 'w')),
            (fresh, "2g", (2, 'x', 'g')),
            (used, "", (3, 'd', 'h')),
            (used, "2", (2, 'd', 'h')),
            (used, "x", (1, 'x', 'h')),
            (used, "a", (1, 'a', 'g')),
            (used, "c", (1, 'c', 'b')),
            (used, "f", (1, 'f', 'g')),
            (used, "s", (1, 's', 'b')),
            (code, "b", (1, 'x', 'b')),
        ] {
            assert_eq!(shape(examined, letters), expected, "{letters}");
        }
    }

    #[test]
    fn units_as_gdb_shows_them() {
        for (bytes, format, expected) in [
            (&[1, 0, 0, 0][..], 'x', "0x00000001"),
            (&[0x68], 'x', "0x68"),
            (&[0x90, 0xee], 'o', "0167220"),
            (&[0], 'o', "0"),
            (&[0x90, 0xee], 't', "1110111010010000"),
            (&[5], 't', "00000101"),
            (&[0xff, 0xff], 'd', "-1"),
            (&[0xff, 0xff], 'u', "65535"),
            (&[0, 0, 0, 0, 0, 0, 0, 0x80], 'd', "-9223372036854775808"),
        ] {
            assert_eq!(shown(bytes, format).as_deref(), Some(expected), "{bytes:?} /{format}");
        }
        assert_eq!(shown(&[1], 'c'), None);
    }

    #[test]
    fn strings_are_of_characters_of_the_size_that_is_said() {
        let units = [&[0x77, 0][..], &[0x69, 0x12]];
        assert_eq!(wide_literal(&units, 'h').as_deref(), Some(r#"u"\x77\x1269""#));
        assert_eq!(wide_literal(&units, 'w').as_deref(), Some(r#"U"\x77\x1269""#));
        assert_eq!(wide_literal(&units, 'b'), None);
    }
}
