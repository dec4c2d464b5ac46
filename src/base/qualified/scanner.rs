//! Walks over the text of a name: knows brackets from operators.

use super::{ANONYMOUS_NAMESPACE, Component};

/// The signs of operators that hold brackets, or what looks like one; longer ones first.
const SIGNS: [&str; 13] = ["()", "[]", "->*", "<=>", "<<=", ">>=", "->", "<<", ">>", "<=", ">=", "<", ">"];
/// What follows `operator` and a space in the names of functions that convert to nothing.
const WORDS: [&str; 3] = ["new", "delete", "co_await"];

/// Brackets that are open.
#[derive(Default)]
struct Brackets {
    open: Vec<u8>,
    /// How many of `(`, `[` and `{` are among them.
    counts: [usize; 3],
}

impl Brackets {
    fn is_outside(&self) -> bool {
        self.open.is_empty()
    }

    /// Takes the sign at a place. `false`: it closes what is not open.
    fn take(&mut self, bytes: &[u8], at: usize) -> bool {
        let sign = bytes.get(at).copied().unwrap_or_default();
        match sign {
            b'<' => self.open.push(sign),
            // Not that of `->`.
            b'>' if at > 0 && bytes.get(at - 1) == Some(&b'-') => {}
            // Inside of others, it may be greater.
            b'>' => return self.open.pop_if(|open| *open == b'<').is_some() || !self.is_outside(),
            b'(' | b'[' | b'{' => {
                self.count(sign).into_iter().for_each(|count| *count += 1);
                self.open.push(sign);
            }
            b')' => return self.close(b'('),
            b']' => return self.close(b'['),
            b'}' => return self.close(b'{'),
            _ => {}
        }
        true
    }

    fn count(&mut self, sign: u8) -> Option<&mut usize> {
        self.counts.get_mut(b"([{".iter().position(|open| *open == sign)?)
    }

    /// Closes the innermost bracket of a kind, and whatever is open in it: `<` may be less.
    fn close(&mut self, sign: u8) -> bool {
        if self.count(sign).is_none_or(|count| *count == 0) {
            return false;
        }
        while let Some(open) = self.open.pop() {
            self.count(open).into_iter().for_each(|count| *count -= 1);
            if open == sign {
                break;
            }
        }
        true
    }
}

/// Returns where an operator's name ends that begins at a place, and whether it is a conversion: up to its sign, or its
/// word.
fn operator(text: &str, at: usize) -> Option<(usize, bool)> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let rest = text.get(at..)?.strip_prefix("operator")?;
    if rest.starts_with(is_part) || text.get(..at)?.ends_with(is_part) {
        return None;
    }
    let spaces = rest.len() - rest.trim_start_matches(' ').len();
    let (start, rest) = (text.len() - rest.len() + spaces, rest.get(spaces..)?);
    if let Some(sign) = SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
        return Some((start + sign.len(), false));
    }
    let word = WORDS.iter().find(|word| rest.strip_prefix(**word).is_some_and(|rest| !rest.starts_with(is_part)));
    match word {
        // `operator new[]`
        Some(word) => Some((start + word.len() + if rest[word.len()..].starts_with("[]") { 2 } else { 0 }, false)),
        None => Some((start, spaces > 0 && rest.starts_with(|c: char| is_part(c) || c == '('))),
    }
}

/// The components of a name, from a place on.
pub(super) struct Scanner<'n> {
    text: &'n str,
    /// Where the next one begins; `None` behind the last one.
    next: Option<usize>,
}

impl<'n> Scanner<'n> {
    pub(super) fn new(text: &'n str, start: usize) -> Self {
        Self { text, next: Some(start) }
    }

    /// Returns whether a component goes on behind `::`: before the arguments that Rust gives to a function, `f::<u8>`.
    /// An `impl` block is a component of its own.
    fn has_turbofish(&self, at: usize, start: usize) -> bool {
        let rest = self.text.get(at..).unwrap_or_default();
        at > start && rest.starts_with("::<") && !rest.starts_with("::<impl ")
    }
}

impl<'n> Iterator for Scanner<'n> {
    type Item = Component<'n>;

    fn next(&mut self) -> Option<Component<'n>> {
        let start = self.next.take()?;
        let bytes = self.text.as_bytes();
        let mut brackets = Brackets::default();
        let (mut name_end, mut arguments, mut parameters) = (None, None, None);
        let mut is_conversion = false;
        let mut at = start;
        while let Some(byte) = bytes.get(at) {
            if *byte == b'o'
                && let Some((end, converts)) = operator(self.text, at)
            {
                is_conversion |= converts && brackets.is_outside() && parameters.is_none();
                at = end;
                continue;
            }
            if !brackets.is_outside() {
                brackets.take(bytes, at);
                if *byte == b')' && brackets.is_outside() {
                    parameters = parameters.map(|list: std::ops::Range<usize>| match list.end {
                        usize::MAX => list.start..at - start,
                        _ => list,
                    });
                }
                at += 1;
                continue;
            }
            match byte {
                b'(' if self.text.get(at..).is_some_and(|rest| rest.starts_with(ANONYMOUS_NAMESPACE)) => {
                    at += ANONYMOUS_NAMESPACE.len();
                    continue;
                }
                b':' if bytes.get(at + 1) == Some(&b':') => {
                    let goes_on = is_conversion && parameters.is_none() || self.has_turbofish(at, start);
                    at += 2;
                    if goes_on {
                        continue;
                    }
                    self.next = Some(at);
                    at -= 2;
                    break;
                }
                // Of a conversion to a pointer to a function, the last list is its own.
                b'(' if at > start && (parameters.is_none() || is_conversion) => {
                    name_end = if is_conversion { Some(at) } else { name_end.or(Some(at)) };
                    parameters = Some(at + 1 - start..usize::MAX);
                }
                b'<' if at > start && !is_conversion && name_end.is_none() => {
                    arguments = arguments.or(Some(at - start));
                }
                // Demanglers show ABI tags, `f[abi:cxx11]<int>`.
                b'[' if name_end.is_none() && self.text.get(at..).is_some_and(|rest| rest.starts_with("[abi:")) => {
                    arguments = arguments.or(Some(at - start).filter(|at| *at > 0));
                }
                b'[' if at > start + 1 && bytes.get(at - 1) == Some(&b' ') => name_end = name_end.or(Some(at - 1)),
                _ => {}
            }
            brackets.take(bytes, at);
            at += 1;
        }
        let text = self.text.get(start..at).unwrap_or_default();
        let parameters = parameters.map(|list| list.start..list.end.min(text.len()));
        let name_end = name_end.map_or(text.len(), |end| end - start);
        Some(Component { text, end: at, name_end, arguments, parameters })
    }
}

/// Finds the commas of a list outside of brackets.
pub(super) fn commas(list: &str) -> Option<Vec<usize>> {
    let bytes = list.as_bytes();
    let mut brackets = Brackets::default();
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        if let Some((end, _)) = operator(list, at).filter(|_| *byte == b'o') {
            at = end;
            continue;
        }
        if *byte == b',' && brackets.is_outside() {
            found.push(at);
        } else if !brackets.take(bytes, at) {
            return None;
        }
        at += 1;
    }
    Some(found)
}
