//! Values in what is written as numbers: dumps of memory, words, registers, arrays of characters.

use super::pieces::{PIECE, Secrets};
use std::ops::Range;

/// Bytes between two numbers of one dump: a row's label, its text, its end.
const GAP: usize = 160;

/// Bytes of the longest name behind an address.
const LONGEST_NAME: usize = 4096;

/// Zeros between two bytes of a value: of wide characters, or padding.
const MOST_ZEROS: usize = 16;

/// The widths of numbers that may be negative.
const WIDTHS: [usize; 5] = [1, 2, 4, 8, 16];

/// How a number is written. Those that are written in the same way may be parts of a value together, whatever their
/// widths.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Spelling {
    /// Digits of two a byte: `6162`.
    Pairs,
    /// `0x6261`
    Prefixed,
    /// `6261`
    Bare,
    /// `25185`, `-61`
    Decimal,
    /// `061141`
    Octal,
    /// `1100010`
    Binary,
    /// `1.66e+218`
    Float,
    /// `'a'`
    Character,
    /// `"ab"`; which of the quotes of a text open is not known.
    Quoted(bool),
    /// `a.b.`, wide characters beside a dump, with so many bytes that cannot be seen behind each.
    Dotted(usize),
}

/// A byte of a number, with the digits to be masked for it.
type Byte = (u8, Range<usize>);

/// A number in a text.
#[derive(Clone, Debug)]
struct Number {
    spelling: Spelling,
    /// It stands in front of a colon or a symbol's name: an address, if nobody wanted it to look so.
    is_label: bool,
    /// Where it stands.
    place: Range<usize>,
    /// What it is in memory, without the bytes that are zero: a value has none, and a number not all that are there.
    bytes: Vec<Byte>,
    /// What else it may be: of another width, below zero.
    others: Vec<Vec<Byte>>,
}

impl Number {
    fn new(spelling: Spelling, place: Range<usize>, bytes: Vec<Byte>) -> Self {
        Self { spelling, is_label: false, place, bytes, others: Vec::new() }
    }

    fn readings(&self) -> impl Iterator<Item = &Vec<Byte>> {
        std::iter::once(&self.bytes).chain(&self.others)
    }
}

/// Returns the text with the digits of values masked; `None` if there are none.
pub(super) fn masked(text: &str, known: &Secrets) -> Option<String> {
    let mut numbers = numbers(text);
    numbers.extend(quoted(text));
    numbers.extend([1, 3].into_iter().flat_map(|dots| dotted(text, dots)));
    // A stable order: as they stand in the text.
    numbers.sort_by_key(|number| (number.spelling, number.is_label));
    let alike = numbers.chunk_by(|one, next| (one.spelling, one.is_label) == (next.spelling, next.is_label));
    let hidden: Vec<Range<usize>> = alike.flat_map(|alike| hidden_in(alike, known)).collect();
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
fn hidden_in(numbers: &[Number], known: &Secrets) -> Vec<Range<usize>> {
    let mut hidden = Vec::new();
    let mut taken = Vec::new();
    for (at, number) in numbers.iter().enumerate() {
        let rest = numbers.get(at..).unwrap_or_default();
        for reading in number.readings() {
            for start in 0..reading.len() {
                if is_continued(&mut taken, reading.get(start..).unwrap_or_default(), rest, known) {
                    hidden.extend(taken.drain(..).map(|(_, digits)| digits));
                }
            }
        }
    }
    hidden
}

/// Returns whether what was `taken`, these bytes, and what follows the first of the `numbers` make a piece of a value;
/// if so, all of it is taken.
fn is_continued(taken: &mut Vec<Byte>, bytes: &[Byte], numbers: &[Number], known: &Secrets) -> bool {
    let before = taken.len();
    taken.extend(bytes.iter().take(PIECE - before).cloned());
    let (mut piece, length) = ([0; PIECE], taken.len());
    piece.iter_mut().zip(&*taken).for_each(|(byte, (taken, _))| *byte = *taken);
    if length == PIECE && known.has_piece(&piece) {
        return true;
    }
    if length < PIECE && known.begins_piece(piece.get(..length).unwrap_or_default()) {
        let mut numbers = numbers;
        for _ in 0..=MOST_ZEROS {
            let Some(([last], rest @ [next, ..])) = numbers.split_at_checked(1) else { break };
            if next.place.start.saturating_sub(last.place.end) > GAP {
                break;
            }
            let mut readings = next.readings().filter(|reading| !reading.is_empty());
            if readings.any(|reading| is_continued(taken, reading, rest, known)) {
                return true;
            }
            if next.readings().any(|reading| !reading.is_empty()) {
                break;
            }
            numbers = rest;
        }
    }
    taken.truncate(before);
    false
}

/// Lists the numbers in a text.
fn numbers(text: &str) -> Vec<Number> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        if byte == b'\'' {
            if let (Some(&c @ 0x20..=0x7e), Some(b'\'')) = (bytes.get(at + 1), bytes.get(at + 2)) {
                let place = at + 1..at + 2;
                found.push(Number::new(Spelling::Character, place.clone(), vec![(c, place)]));
                at += 3;
                continue;
            }
            at += 1;
            continue;
        }
        if !is_of_word(byte) {
            at += 1;
            continue;
        }
        let rest = bytes.get(at..).unwrap_or_default();
        let is_inside = at.checked_sub(1).and_then(|before| bytes.get(before)) == Some(&b'.');
        if let Some(length) = float_length(rest).filter(|_| !is_inside) {
            let place = at..at + length;
            at = place.end;
            found.extend(float(text, place));
            continue;
        }
        let word = at..at + rest.iter().take_while(|byte| is_of_word(**byte)).count();
        at = word.end;
        let symbol = symbol_behind(bytes, &word);
        let is_label = symbol.is_some() || bytes.get(at) == Some(&b':');
        at = symbol.unwrap_or(at);
        found.extend(number(text, word).into_iter().map(|number| Number { is_label, ..number }));
    }
    found
}

fn is_of_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Returns where the name ends that stands behind an address: `0x4aa308 <copied+8>`. An error there has an address of its
/// own: `<error: Cannot access memory at address 0x4aa308>`.
fn symbol_behind(bytes: &[u8], word: &Range<usize>) -> Option<usize> {
    let is_address = bytes.get(word.clone()).is_some_and(|word| word.starts_with(b"0x"));
    let name = bytes.get(word.end..).and_then(|rest| rest.strip_prefix(b" <")).filter(|_| is_address)?;
    if name.starts_with(b"error: ") {
        return None;
    }
    let length = name.iter().take(LONGEST_NAME).take_while(|byte| **byte != b'\n').position(|byte| *byte == b'>')?;
    Some(word.end + 2 + length + 1)
}

/// Reads a word as a number, in each way in which it may be one.
fn number(text: &str, word: Range<usize>) -> Vec<Number> {
    let Some(letters) = text.get(word.clone()) else { return Vec::new() };
    if let Some(digits) = letters.strip_prefix("0x") {
        return hexadecimal(Spelling::Prefixed, digits, word.start + 2..word.end).into_iter().collect();
    }
    let mut read = Vec::new();
    let is_of_pairs = letters.len() % 2 == 0 && letters.bytes().all(|byte| byte.is_ascii_hexdigit());
    if is_of_pairs {
        let pairs = letters.as_bytes().chunks_exact(2).zip((word.start..).step_by(2));
        let byte = |(pair, at): (&[u8], usize)| {
            Some((u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()?, at..at + 2))
        };
        let bytes: Vec<Byte> = pairs.filter_map(byte).filter(|(byte, _)| *byte != 0).collect();
        read.push(Number::new(Spelling::Pairs, word.clone(), bytes));
    }
    read.extend(hexadecimal(Spelling::Bare, letters, word.clone()));
    let whole = |spelling, value: u128| Number::new(spelling, word.clone(), bytes_of(&value.to_le_bytes(), &word));
    if let Ok(value) = letters.parse::<u128>() {
        let is_negative = text.get(..word.start).is_some_and(|before| before.ends_with('-'));
        let negative = i128::try_from(value).ok().filter(|_| is_negative).map(|value| -value);
        let mut number = whole(Spelling::Decimal, value);
        if let Some(value) = negative {
            let fitting = WIDTHS.into_iter().filter(|width| value >> (8 * width - 1) == -1);
            let of_width = |width| bytes_of(value.to_le_bytes().get(..width).unwrap_or_default(), &word);
            number.others.extend(fitting.map(of_width));
        }
        read.push(number);
    }
    if let (true, Ok(value)) = (letters.starts_with('0'), u128::from_str_radix(letters, 8)) {
        read.push(whole(Spelling::Octal, value));
    }
    if let Ok(value) = u128::from_str_radix(letters, 2) {
        read.push(whole(Spelling::Binary, value));
    }
    read
}

/// Returns the bytes that are not zero, all with the same digits.
fn bytes_of(bytes: &[u8], digits: &Range<usize>) -> Vec<Byte> {
    bytes.iter().filter(|byte| **byte != 0).map(|byte| (*byte, digits.clone())).collect()
}

/// Reads a number of any width, the last digits of which come first in memory.
fn hexadecimal(spelling: Spelling, digits: &str, place: Range<usize>) -> Option<Number> {
    let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
    let bytes: Vec<u8> = digits.as_bytes().rchunks(2).map(byte).collect::<Option<_>>()?;
    Some(Number::new(spelling, place.clone(), bytes_of(&bytes, &place)))
}

/// Returns the length of the number with a point or an exponent that a text begins with.
fn float_length(text: &[u8]) -> Option<usize> {
    let digits = |from: usize| {
        let rest = text.get(from..).unwrap_or_default();
        Some(rest.iter().take_while(|byte| byte.is_ascii_digit()).count()).filter(|count| *count > 0)
    };
    let mut end = digits(0)?;
    let whole = end;
    if text.get(end) == Some(&b'.') {
        end += 1 + digits(end + 1)?;
    }
    if text.get(end) == Some(&b'e') {
        let sign = usize::from(matches!(text.get(end + 1), Some(b'+' | b'-')));
        end += digits(end + 1 + sign).map_or(0, |count| 1 + sign + count);
    }
    let is_whole = text.get(end).is_none_or(|byte| !is_of_word(*byte) && *byte != b'.');
    (end > whole && is_whole).then_some(end)
}

/// Reads a number with a point or an exponent, of four or of eight bytes.
fn float(text: &str, place: Range<usize>) -> Option<Number> {
    let letters = text.get(place.clone())?;
    let (double, single) = (letters.parse::<f64>().ok()?, letters.parse::<f32>().ok()?);
    let sign = if text.get(..place.start).is_some_and(|before| before.ends_with('-')) { -1.0 } else { 1.0 };
    let double = bytes_of(&(double * f64::from(sign)).to_le_bytes(), &place);
    let single = bytes_of(&(single * sign).to_le_bytes(), &place);
    Some(Number { others: vec![single], ..Number::new(Spelling::Float, place, double) })
}

/// Lists the texts between two quotes that are shorter than a piece: in a longer one, pieces are found as they are.
fn quoted(text: &str) -> Vec<Number> {
    let quotes: Vec<usize> = text.match_indices('"').map(|(at, _)| at).collect();
    let between = quotes.windows(2).enumerate().filter_map(|(number, quotes)| {
        let [open, close] = quotes else { return None };
        let place = open + 1..*close;
        let part = text.get(place.clone()).filter(|part| part.len() < PIECE && part.is_ascii())?;
        let bytes = part.bytes().zip(place.clone()).map(|(byte, at)| (byte, at..at + 1)).collect();
        Some(Number::new(Spelling::Quoted(number % 2 == 0), place, bytes))
    });
    between.filter(|number| !number.place.is_empty()).collect()
}

/// Lists the characters with just so many dots behind each, or the end of their line.
fn dotted(text: &str, dots: usize) -> Vec<Number> {
    let bytes = text.as_bytes();
    let is_dotted = |at: &usize| {
        let behind = bytes.get(at + 1..).unwrap_or_default();
        let count = behind.iter().take_while(|byte| **byte == b'.').count();
        let is_last = behind.get(count).is_none_or(|byte| *byte == b'\n');
        let before = bytes.get(at.saturating_sub(dots)..*at).unwrap_or_default();
        let is_behind_dots = before.len() == dots && before.iter().all(|byte| *byte == b'.');
        count == dots || is_last && count < dots && is_behind_dots
    };
    let characters = (0..bytes.len()).filter(|at| bytes.get(*at).is_some_and(|byte| byte.is_ascii_graphic()));
    let number = |at: usize| {
        let byte = bytes.get(at).copied().unwrap_or_default();
        Number::new(Spelling::Dotted(dots), at..at + 1, vec![(byte, at..at + 1)])
    };
    characters.filter(|at| bytes.get(*at) != Some(&b'.')).filter(is_dotted).map(number).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn shown(value: &str, text: &str) -> String {
        let mut known = Secrets::default();
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
        let behind = "0x2d327265746e7568 <error: Cannot access memory at address 0x2d327265746e7568>";
        assert_eq!(shown(value, behind), behind.replace("2d327265746e7568", "****************"));
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

    /// Numbers of so many bytes each, in order.
    fn words<const N: usize>(value: &str) -> Vec<[u8; N]> {
        value.as_bytes().chunks_exact(N).map(|word| word.try_into().unwrap()).collect()
    }

    fn listed<T>(values: impl IntoIterator<Item = T>, write: impl Fn(T) -> String) -> String {
        format!("v = {{{}}}", values.into_iter().map(write).collect::<Vec<_>>().join(", "))
    }

    #[test]
    fn numbers_of_any_width_and_base_are_masked() {
        let value = "Zq7XvK2mLp9RtY4w";
        let wide = u128::from_le_bytes(words::<16>(value)[0]);
        let long: Vec<u64> = words::<8>(value).into_iter().map(u64::from_le_bytes).collect();
        let int: Vec<i32> = words::<4>(value).into_iter().map(i32::from_le_bytes).collect();
        let short: Vec<i16> = words::<2>(value).into_iter().map(i16::from_le_bytes).collect();
        let double: Vec<f64> = words::<8>(value).into_iter().map(f64::from_le_bytes).collect();
        let single: Vec<f32> = words::<4>(value).into_iter().map(f32::from_le_bytes).collect();
        for text in [
            format!("v = {wide:#x}"),
            format!("v = 0xffff{:x}", long[0]),
            format!("v = {wide}"),
            format!("v = {:x}", long[0]),
            format!("v = {:#x} <x>", long[0]),
            format!("{:#x}: v", long[0]),
            listed(&int, i32::to_string),
            listed(&short, i16::to_string),
            listed([&int[..1], &int[1..]].concat(), |int| int.to_string()),
            format!("{{a = {}, b = {}, c = {}}}", int[0], short[2], short[3]),
            listed(&double, |double| format!("{double:.16e}").replace('e', "e+")),
            listed(&single, |single| format!("{single:.8e}").replace('e', "e+")),
            listed(&long, |long| format!("0{long:o}")),
            listed(&long, |long| format!("{long:b}")),
            listed(value.bytes(), |byte| format!("0{byte:o}")),
            listed(value.bytes(), |byte| format!("{byte:08b}")),
            listed(value.chars(), |letter| format!("\"{letter}\"")),
            listed(words::<4>(value), |word| format!("{:?}", String::from_utf8_lossy(&word))),
            listed(value.bytes(), |byte| format!("{byte:#06x}")),
        ] {
            let shown = shown(value, &text);
            let left = shown.replace("0x", "").matches(|c: char| c.is_ascii_alphanumeric()).count();
            assert!(left <= 3, "{text}: {shown}");
        }
        let row = |letters: &str| {
            let bytes: Vec<String> = letters.bytes().map(|byte| format!("{byte:02x} 00")).collect();
            let letters: String = letters.chars().map(|letter| format!("{letter}.")).collect();
            format!("0x10: {}  {letters}", bytes.join(" "))
        };
        let shown = shown(value, &format!("{}\n{}", row("Zq7XvK2m"), row("Lp9RtY4w")));
        let masked = "** 00 ** 00 ** 00 ** 00 ** 00 ** 00 ** 00 ** 00  *.*.*.*.*.*.*.*.";
        assert_eq!(shown, format!("0x10: {masked}\n0x10: {masked}"));
    }

    #[test]
    fn bytes_that_are_no_ascii_are_masked_as_negative_numbers() {
        let value = "\u{e9}t\u{e9}-\u{fc}\u{e4}";
        let of_bytes = listed(value.bytes(), |byte| byte.cast_signed().to_string());
        assert_eq!(shown(value, &of_bytes).matches(|c: char| c.is_ascii_digit()).count(), 0, "{of_bytes}");
        let wide = i64::from_le_bytes(value.as_bytes()[..8].try_into().unwrap());
        assert!(wide < 0 && !shown(value, &wide.to_string()).contains(|c: char| c.is_ascii_digit()));
    }

    #[test]
    fn other_numbers_are_left_alone() {
        for text in ["0x68756e74 added 12 34", "a 97 'a' b", "hunter 0x1", ""] {
            assert_eq!(shown("hunter2-secret", text), text);
        }
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text in "[0-9a-fx'\"+.<>: ,é\n-]{0,80}", value in "[0-9a-z]{6,20}") {
            let _ = shown(&value, &text);
        }
    }
}
