//! Values in what is written as numbers: dumps of memory, words, registers, arrays of characters.

use super::pieces::{Known, PIECE};
use std::ops::Range;

/// Bytes between two numbers of one dump: a row's label, its text, its end.
const GAP: usize = 160;

/// Bytes of the longest name behind an address.
const LONGEST_NAME: usize = 4096;

/// How a number is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    /// Digits of two a byte: `6162`.
    Digits,
    /// A number of so many bytes: `0x6261`.
    Prefixed(usize),
    /// `97`, a byte.
    Decimal,
    /// `4050765991979987505`, eight bytes.
    Wide,
    /// `'a'`
    Character,
}

/// A number in a text.
#[derive(Clone, Debug)]
struct Number {
    kind: Kind,
    /// Its digits, without the prefix.
    digits: Range<usize>,
    /// In the order in which they are in memory.
    bytes: Vec<u8>,
}

/// Returns the text with the digits of values masked; `None` if there are none.
pub(super) fn masked(text: &str, known: &Known) -> Option<String> {
    let numbers = numbers(text);
    let mut hidden: Vec<Range<usize>> = Vec::new();
    let mut kinds: Vec<Kind> = numbers.iter().map(|number| number.kind).collect();
    kinds.sort_unstable();
    kinds.dedup();
    for kind in kinds {
        let same: Vec<&Number> = numbers.iter().filter(|number| number.kind == kind).collect();
        for run in same.chunk_by(|one, next| next.digits.start.saturating_sub(one.digits.end) <= GAP) {
            hidden.extend(hidden_in(run, known));
        }
    }
    if hidden.is_empty() {
        return None;
    }
    // All of these are ASCII.
    let mut bytes = text.as_bytes().to_vec();
    for at in hidden.into_iter().flatten() {
        if let Some(byte) = bytes.get_mut(at) {
            *byte = b'*';
        }
    }
    String::from_utf8(bytes).ok()
}

/// Finds the digits of values in numbers that follow each other.
fn hidden_in(run: &[&Number], known: &Known) -> Vec<Range<usize>> {
    let stream: Vec<(u8, Range<usize>)> = run.iter().flat_map(|number| number.by_byte()).collect();
    let bytes: Vec<u8> = stream.iter().map(|(byte, _)| *byte).collect();
    let found = bytes.windows(PIECE).enumerate().filter(|(_, window)| known.has_piece(window));
    found
        .flat_map(|(at, _)| stream.get(at..at + PIECE).unwrap_or_default().iter().map(|(_, digits)| digits.clone()))
        .collect()
}

impl Number {
    /// Lists its bytes, each with the digits to be masked for it.
    fn by_byte(&self) -> Vec<(u8, Range<usize>)> {
        let digits = |at: usize| match self.kind {
            Kind::Digits => self.digits.start + 2 * at..self.digits.start + 2 * at + 2,
            _ => self.digits.clone(),
        };
        self.bytes.iter().enumerate().map(|(at, byte)| (*byte, digits(at))).collect()
    }
}

/// Lists the numbers in a text. Labels of rows, which end with a colon, are none.
fn numbers(text: &str) -> Vec<Number> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        if byte == b'\'' {
            if let (Some(&c @ 0x20..=0x7e), Some(b'\'')) = (bytes.get(at + 1), bytes.get(at + 2)) {
                found.push(Number { kind: Kind::Character, digits: at + 1..at + 2, bytes: vec![c] });
                at += 3;
                continue;
            }
            at += 1;
            continue;
        }
        if !byte.is_ascii_alphanumeric() && byte != b'_' {
            at += 1;
            continue;
        }
        let length =
            bytes.get(at..).unwrap_or_default().iter().take_while(|b| b.is_ascii_alphanumeric() || **b == b'_').count();
        let word = at..at + length;
        at = word.end;
        match symbol_behind(bytes, &word) {
            Some(end) => at = end,
            None if bytes.get(at) == Some(&b':') => {}
            None => found.extend(number(text, word)),
        }
    }
    found
}

/// Returns where the name ends that stands behind an address: `0x4aa308 <copied+8>`. Such a word is no data.
fn symbol_behind(bytes: &[u8], word: &Range<usize>) -> Option<usize> {
    let is_address = bytes.get(word.clone()).is_some_and(|word| word.starts_with(b"0x"));
    let name = bytes.get(word.end..).and_then(|rest| rest.strip_prefix(b" <")).filter(|_| is_address)?;
    let length = name.iter().take(LONGEST_NAME).take_while(|byte| **byte != b'\n').position(|byte| *byte == b'>')?;
    Some(word.end + 2 + length + 1)
}

/// Reads a word as a number; one of decimal digits that could be a byte is also that.
fn number(text: &str, word: Range<usize>) -> Vec<Number> {
    let Some(letters) = text.get(word.clone()) else { return Vec::new() };
    if let Some(digits) = letters.strip_prefix("0x") {
        let width = match digits.len() {
            1 | 2 => 1,
            3 | 4 => 2,
            5..=8 => 4,
            9..=16 => 8,
            _ => return Vec::new(),
        };
        let Ok(value) = u64::from_str_radix(digits, 16) else { return Vec::new() };
        let bytes = value.to_le_bytes().get(..width).unwrap_or_default().to_vec();
        return vec![Number { kind: Kind::Prefixed(width), digits: word.start + 2..word.end, bytes }];
    }
    let mut read = Vec::new();
    if letters.len() % 2 == 0 && letters.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        let pairs = letters.as_bytes().chunks_exact(2).filter_map(|pair| std::str::from_utf8(pair).ok());
        let bytes = pairs.filter_map(|pair| u8::from_str_radix(pair, 16).ok()).collect();
        read.push(Number { kind: Kind::Digits, digits: word.clone(), bytes });
    }
    match letters.parse::<u64>() {
        Ok(byte @ 0..=0xff) => read.push(Number { kind: Kind::Decimal, digits: word, bytes: vec![byte as u8] }),
        Ok(wide) if wide > u64::from(u32::MAX) => {
            read.push(Number { kind: Kind::Wide, digits: word, bytes: wide.to_le_bytes().to_vec() });
        }
        _ => {}
    }
    read
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn shown(value: &str, text: &str) -> String {
        let mut known = Known::default();
        known.add(value.to_owned());
        masked(text, &known).unwrap_or_else(|| text.to_owned())
    }

    #[test]
    fn numbers_that_are_a_value_are_masked() {
        let value = "hunter2-secret";
        let hex = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
        let contents = format!("0000{}ff", hex(value.as_bytes()));
        assert_eq!(shown(value, &contents), format!("0000{}ff", "**".repeat(value.len())));
        let words = "0x7ffe10:\t0x746e7568\t0x2d327265\n0x7ffe18 <x+8>:\t0x72636573\t0x00007465";
        assert_eq!(shown(value, words), "0x7ffe10:\t0x********\t0x********\n0x7ffe18 <x+8>:\t0x********\t0x********");
        assert_eq!(shown(value, "rax 0x2d327265746e7568 1"), "rax 0x**************** 1");
        assert_eq!(shown(value, "word = 3256791260612949352!"), "word = *******************!");
        let bytes = "0x10 <x>: 104 117 110 116\n0x14 <x+4>: 101 114 50 45";
        assert_eq!(shown(value, bytes), "0x10 <x>: *** *** *** ***\n0x14 <x+4>: *** *** ** **");
        let listed: Vec<_> = value.bytes().map(|byte| format!("{byte} '{}'", char::from(byte))).collect();
        let text = format!("{{{}}}", listed.join(", "));
        assert!(!shown(value, &text).contains(|c: char| c.is_ascii_alphanumeric()), "{}", shown(value, &text));
        let dump = "0x10: 00 00 68 75 6e 74 65 72  ..hunter\n0x18: 32 2d 73 65 63 72 65 74  2-secret";
        let expected = "0x10: 00 00 ** ** ** ** ** **  ..hunter\n0x18: ** ** ** ** ** ** ** **  2-secret";
        assert_eq!(shown(value, dump), expected);
    }

    #[test]
    fn other_numbers_are_left_alone() {
        for text in ["0x68756e74 added 12 34", "a 97 'a' b", "hunter 0x1", ""] {
            assert_eq!(shown("hunter2-secret", text), text);
        }
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text in "[0-9a-fx': ,é\n]{0,80}", value in "[0-9a-z]{6,20}") {
            let _ = shown(&value, &text);
        }
    }
}
