//! The output of a recorded program on its way to a terminal.
//!
//! A terminal carries out what it is sent: it moves the cursor over what was printed before, sets titles and clipboards,
//! and answers questions by typing into the prompt. The filter follows ECMA-48: it knows where a control sequence ends,
//! also one that is cut in two by writes, and drops it. [`Passing::Styles`] lets those pass by which a program draws:
//! no other, so that no question reaches the terminal.

/// Longest control sequence that passes. What is longer is dropped.
const LONGEST: usize = 64;

/// Most bytes of a string for a device that are dropped. One that has no end ends there.
const LONGEST_STRING: usize = 64 << 10;

/// What passes besides text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Passing {
    /// Text, tabulators and the ends of lines.
    #[default]
    Text,
    /// Also colours, movements of the cursor and what is erased.
    Styles,
}

/// Where the filter is in a stream.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    /// In text.
    #[default]
    Text,
    /// Behind ESC, or in a sequence of intermediate bytes behind it.
    Escape,
    /// In a control sequence (CSI).
    Control,
    /// In a string for a device (OSC, DCS, APC, PM, SOS), which ends with ST or BEL.
    String,
    /// In such a string, behind ESC.
    StringEscape,
}

/// A filter for one stream of output.
#[derive(Debug, Default)]
pub struct TerminalFilter {
    passing: Passing,
    state: State,
    /// The control sequence so far.
    sequence: Vec<u8>,
    /// How much of a string for a device was dropped.
    dropped: usize,
    /// The bytes of a character of several that has begun.
    partial: Vec<u8>,
    /// The last byte was a carriage return, which has not passed yet.
    has_returned: bool,
}

impl TerminalFilter {
    /// Creates a filter.
    pub fn new(passing: Passing) -> Self {
        Self { passing, ..Self::default() }
    }

    /// Sets what passes from now on.
    pub fn set(&mut self, passing: Passing) {
        self.passing = passing;
    }

    /// Returns what a terminal is sent of the next bytes of the stream.
    pub fn filter(&mut self, bytes: &[u8]) -> Vec<u8> {
        let mut out = Vec::with_capacity(bytes.len());
        for &byte in bytes {
            self.take(byte, &mut out);
        }
        out
    }

    fn take(&mut self, byte: u8, out: &mut Vec<u8>) {
        match self.state {
            State::Text => self.text(byte, out),
            State::Escape => self.escape(byte, out),
            State::Control => self.control(byte, out),
            State::String => {
                self.dropped += 1;
                self.state = match byte {
                    0x07 | 0x18 | 0x1a => State::Text,
                    0x1b => State::StringEscape,
                    _ if self.dropped >= LONGEST_STRING => State::Text,
                    _ => State::String,
                };
            }
            State::StringEscape => match byte {
                b'\\' => self.state = State::Text,
                _ => {
                    self.state = State::Escape;
                    self.escape(byte, out);
                }
            },
        }
    }

    fn text(&mut self, byte: u8, out: &mut Vec<u8>) {
        if byte < 0x80 {
            self.give_up_partial(out);
        }
        // What returns to the beginning of a line would be written over it: that is another line.
        if self.passing == Passing::Text {
            let has_returned = std::mem::replace(&mut self.has_returned, byte == b'\r');
            match (has_returned, byte) {
                (_, b'\r') => return,
                (true, b'\n') => out.push(b'\r'),
                (true, _) => out.push(b'\n'),
                (false, _) => {}
            }
        }
        if byte >= 0x80 {
            self.partial.push(byte);
            return self.complete(out);
        }
        match byte {
            b'\n' | b'\t' | b'\r' | 0x20..=0x7e => out.push(byte),
            0x08 if self.passing == Passing::Styles => out.push(byte),
            0x1b => {
                self.sequence.clear();
                self.dropped = 0;
                self.state = State::Escape;
            }
            _ => {}
        }
    }

    /// Writes the character that has begun, once all of it is there.
    fn complete(&mut self, out: &mut Vec<u8>) {
        match std::str::from_utf8(&self.partial) {
            Ok(text) => {
                // C1 controls are sequences to some terminals; what cannot be seen is no harm to a terminal but for
                // what it does to the order of the line.
                match text.chars().next() {
                    Some('\u{9b}') => self.state = State::Control,
                    Some('\u{90}' | '\u{98}' | '\u{9d}'..='\u{9f}') => self.state = State::String,
                    Some(c) if super::is_escaped(c) => {}
                    _ => out.extend_from_slice(text.as_bytes()),
                }
                self.sequence.clear();
                self.dropped = 0;
                self.partial.clear();
            }
            Err(error) if error.error_len().is_some() || self.partial.len() >= 4 => self.give_up_partial(out),
            Err(_) => {}
        }
    }

    /// Replaces bytes that are no character: alone, they are controls to terminals of eight bits.
    fn give_up_partial(&mut self, out: &mut Vec<u8>) {
        if !self.partial.is_empty() {
            self.partial.clear();
            out.extend_from_slice("\u{fffd}".as_bytes());
        }
    }

    fn escape(&mut self, byte: u8, out: &mut Vec<u8>) {
        self.state = match byte {
            b'[' => State::Control,
            b']' | b'P' | b'X' | b'^' | b'_' => State::String,
            // Intermediate bytes, as of the choice of a character set.
            0x20..=0x2f => State::Escape,
            0x1b => State::Escape,
            // A control in mid-sequence ends it here, whatever it does elsewhere.
            0x00..=0x1f => {
                self.state = State::Text;
                return self.text(byte, out);
            }
            0x80..=0xff => {
                self.state = State::Text;
                return self.text(byte, out);
            }
            _ => State::Text,
        };
    }

    fn control(&mut self, byte: u8, out: &mut Vec<u8>) {
        match byte {
            0x20..=0x3f => {
                if self.sequence.len() < LONGEST {
                    self.sequence.push(byte);
                }
            }
            0x40..=0x7e => {
                self.state = State::Text;
                if self.passing == Passing::Styles && self.draws(byte) {
                    out.extend_from_slice(b"\x1b[");
                    out.append(&mut self.sequence);
                    out.push(byte);
                }
                self.sequence.clear();
            }
            0x1b => {
                self.sequence.clear();
                self.state = State::Escape;
            }
            // Anything else in a sequence makes it none.
            _ => {
                self.sequence.clear();
                self.state = State::Text;
                self.text(byte, out);
            }
        }
    }

    /// Returns whether a control sequence only draws: it has numbers alone, and a final byte of those that move the
    /// cursor, erase, scroll or choose colours. Modes are none: they would outlast the program, and some have the
    /// terminal type.
    fn draws(&self, last: u8) -> bool {
        let is_short = self.sequence.len() < LONGEST;
        let is_plain = self.sequence.iter().all(|byte| byte.is_ascii_digit() || matches!(byte, b';' | b':'));
        let draws = b"@ABCDEFGHJKLMPSTX`adefm".contains(&last);
        is_short && is_plain && draws
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn text(passing: Passing, bytes: &[u8]) -> String {
        String::from_utf8(TerminalFilter::new(passing).filter(bytes)).unwrap()
    }

    #[test]
    fn text_passes_and_sequences_do_not() {
        for (bytes, expected) in [
            (&b"a\tb\r\n"[..], "a\tb\r\n"),
            ("Ä 漢 🙂\n".as_bytes(), "Ä 漢 🙂\n"),
            (b"x\r=> over\r\x1b[K1%\r2%\r\r\n\xc3\r", "x\n=> over\n1%\n2%\r\n\u{fffd}"),
            // A character that is cut off by the end of a line belongs to that line.
            (b"\xc2\r\n\xe6\xbc\rx", "\u{fffd}\r\n\u{fffd}\nx"),
            (b"\x1b[31mred\x1b[0m", "red"),
            (b"\x1b[c\x1b[6n\x1b[?u\x05\x1bZ.", "."),
            (b"\x1b]0;title\x07a\x1b]52;c;eA==\x1b\\b", "ab"),
            (b"\x1bP$qm\x1b\\x\x1b_G\x1b\\y", "xy"),
            (b"\x1b(0q\x1b7\x1b8\x1bc", "q"),
            ("\u{9b}2J\u{90}x\u{202e}".as_bytes(), ""),
            (b"\x9b31mx\xff\xfe", "\u{fffd}31mx\u{fffd}\u{fffd}"),
            (b"\x1b[1\x18x", "x"),
            (b"\x1b[3\x1b[4mz", "z"),
            (b"\x07\x08\x0b\x0e\x7f", ""),
        ] {
            assert_eq!(text(Passing::Text, bytes), expected, "{}", bytes.escape_ascii());
        }
    }

    #[test]
    fn drawing_passes_if_it_is_chosen_and_questions_never() {
        let drawn = "\x1b[1;31mred\x1b[m\x1b[2J\x1b[10;3H";
        assert_eq!(text(Passing::Styles, drawn.as_bytes()), drawn);
        let asked = b"\x1b[c\x1b[>c\x1b[=c\x1b[5n\x1b[6n\x1b[?6n\x1b[18t\x1b[x\x1b[?2004h\x1b[?1000h\x1b[?1049h\x1b[?25l\x1b[?u\x1b[$p\x1b[>q\x05\x1bZ";
        assert_eq!(text(Passing::Styles, asked), "");
        assert_eq!(text(Passing::Styles, b"\x1b]10;?\x07\x1bP+q544e\x1b\\\x1b[21t"), "");
        let long = [&b"\x1b["[..], &[b'1'; 100], b"mx"].concat();
        assert_eq!(text(Passing::Styles, &long), "x");
    }

    #[test]
    fn a_sequence_or_a_character_that_is_cut_in_two_is_the_same() {
        let whole = "a\x1b[31mb\x1b]0;t\x07漢c\u{9b}1md".as_bytes();
        for at in 0..=whole.len() {
            let mut filter = TerminalFilter::default();
            let both = [filter.filter(&whole[..at]), filter.filter(&whole[at..])].concat();
            assert_eq!(String::from_utf8(both).unwrap(), "ab漢cd", "{at}");
        }
    }

    proptest! {
        #[test]
        fn no_control_is_left(bytes in prop::collection::vec(any::<u8>(), 0..64)) {
            let out = text(Passing::Text, &bytes);
            prop_assert!(out.chars().all(|c| matches!(c, '\n' | '\t' | '\r') || !crate::untrusted::is_escaped(c)));
            prop_assert!(!out.replace("\r\n", "").contains('\r'));
            let drawn = text(Passing::Styles, &bytes);
            let has_question = drawn.contains(['\x05', '\u{9b}']);
            prop_assert!(!has_question);
        }
    }
}
