//! What a program has raised, by its stack, its registers and its own words: an exception of C++, a panic of Rust.

use crate::api::Frame;
use crate::api::error::Error;
use crate::breakpoints::debuggee::Debuggee;
use crate::session::engine::Engine;
use arch::ThreadId;
use rr::Stream;
use std::time::Duration;

/// Where a `_Unwind_RaiseException` is called from keeps the exception's header in one of these, which calls preserve.
const PRESERVED: [&str; 6] = ["rbx", "rbp", "r12", "r13", "r14", "r15"];
/// In which of these Rust's function that calls the hook is given the place: it has changed from version to version.
const PLACES: [&str; 2] = ["rdx", "rcx"];
/// What calls that: it is given a `core::panic::PanicInfo`, in which a pointer to the place is.
const HANDLER: &str = "rust_begin_unwind";
/// Where that pointer can be.
const IN_INFO: [u64; 3] = [8, 0, 16];
/// Longest name of a source file.
const LONGEST_NAME: u64 = 1024;
/// Highest line and column that are believed.
const HIGHEST: u64 = 1 << 24;
/// The program's words may be waited for so long: they take a replay of their own.
const PATIENCE: Duration = Duration::from_secs(20);
/// So much of them is looked through.
const NEAR: usize = 64 << 10;
/// What Rust's library writes in front of the place of a panic.
const PANICKED: &str = " panicked at ";
/// Where its own sources are.
const OF_LIBRARY: [&str; 2] = ["library/", "/rustc/"];
/// What it may write behind the message.
const BEHIND: [&str; 3] = ["\nnote: run with `RUST_BACKTRACE", "\nstack backtrace:", "\nthread '"];
/// Longest message that is shown.
const MESSAGE: usize = 300;

impl Debuggee {
    /// Returns whether a thread is at the first instruction of a function.
    pub(super) fn is_at_entry(&mut self, thread: ThreadId) -> bool {
        let pc = self.inferior.process.registers(thread).ok().and_then(|registers| registers.pc());
        pc.and_then(|pc| self.inferior.symbol(pc)).is_some_and(|(_, offset)| offset == 0)
    }

    /// Reads where a panic is, by a thread at the entry of Rust's function that begins it: `src/main.rs:12:9`.
    fn place_of_panic(&mut self, thread: ThreadId) -> Option<String> {
        let registers = self.inferior.process.registers(thread).ok()?;
        let (function, _) = self.inferior.symbol(registers.pc()?)?;
        if !function.contains(HANDLER) {
            return PLACES.iter().find_map(|name| self.rust_location(registers.value(name)?));
        }
        let info = registers.value("rdi")?;
        IN_INFO.iter().find_map(|offset| {
            let location = self.inferior.process.read_u64(info.wrapping_add(*offset))?;
            self.rust_location(location)
        })
    }

    /// Reads a `core::panic::Location`: a text, a line, a column. `None` if there is nothing that looks like one.
    fn rust_location(&mut self, at: u64) -> Option<String> {
        let process = &mut self.inferior.process;
        let (text, length) = (process.read_u64(at)?, process.read_u64(at.wrapping_add(8))?);
        let numbers = process.read_u64(at.wrapping_add(16))?;
        let (line, column) = (numbers & u64::from(u32::MAX), numbers >> 32);
        let is_number = |number| (1..HIGHEST).contains(&number);
        if length == 0 || length > LONGEST_NAME || !is_number(line) || !is_number(column) {
            return None;
        }
        let length = usize::try_from(length).ok()?;
        let bytes = process.read_up_to(text, length);
        let name = String::from_utf8(bytes).ok().filter(|name| name.len() == length)?;
        // Some versions of the library count the zero at its end.
        let name = name.trim_end_matches('\0');
        let is_name = !name.is_empty() && !name.chars().any(char::is_control);
        is_name.then(|| format!("{name}:{line}:{column}"))
    }
}

impl Engine {
    /// Describes the exception that the selected thread is about to throw, or to handle, where it enters the function
    /// of the C++ runtime for that: `std::out_of_range "no such key"`.
    pub(super) fn entering_exception(&mut self, is_thrown: bool) -> Result<Option<String>, Error> {
        self.with(|s| {
            let thread = s.debuggee.thread;
            let thrown = match is_thrown {
                true => s.debuggee.about_to_be_thrown(thread),
                false => {
                    let [header, _] = s.debuggee.first_arguments(thread)?;
                    header.and_then(|header| s.debuggee.thrown_by_header(thread, 0, header))
                }
            };
            s.debuggee.inferior.check_answers()?;
            Ok(thrown.map(|thrown| thrown.to_string()))
        })
    }

    /// Describes the exception with this `_Unwind_Exception`, as the selected frame knows its type; `None` if it is none
    /// of C++.
    pub fn exception_with(&mut self, header: u64) -> Result<Option<String>, Error> {
        self.with(|s| {
            let (thread, level) = (s.debuggee.thread, s.debuggee.level);
            let thrown = s.debuggee.thrown_by_header(thread, level, header);
            s.debuggee.inferior.check_answers()?;
            Ok(thrown.map(|thrown| thrown.to_string()))
        })
    }

    /// Describes the exception that a frame of the C++ runtime on the stack of the selected thread has thrown. What is
    /// taken for its header says itself that it is one.
    pub(super) fn exception_thrown_by(&mut self, thrower: &Frame) -> Result<Option<String>, Error> {
        let number = thrower.level;
        self.with(|s| {
            let thread = s.debuggee.thread;
            let physical = s.debuggee.inferior.level(thread, number)?.physical;
            // Whose code throws it knows its type.
            let caller = s.debuggee.inferior.level(thread, number + 1).map_or(number, |_| number + 1);
            let mut thrown = None;
            for name in PRESERVED {
                let bytes = s.debuggee.inferior.register_bytes(thread, physical, name);
                let header = bytes.and_then(|bytes| Some(u64::from_le_bytes(bytes.try_into().ok()?)));
                thrown = thrown.or_else(|| s.debuggee.thrown_by_header(thread, caller, header?));
            }
            s.debuggee.inferior.check_answers()?;
            Ok(thrown.map(|thrown| thrown.to_string()))
        })
    }

    /// Finds the words of a panic that begins where the selected thread is: `thread 'main' panicked at …`, or without
    /// those, where it is.
    pub(super) fn panic_that_begins(&mut self) -> Result<Option<String>, Error> {
        let place = self.with(|s| {
            let thread = s.debuggee.thread;
            Ok(if s.debuggee.is_at_entry(thread) { s.debuggee.place_of_panic(thread) } else { None })
        })?;
        let Some(place) = place else { return Ok(None) };
        let said = self.said(true)?;
        Ok(Some(panic_in(&said, Some(&place), false).unwrap_or_else(|| format!("a Rust panic at {place}"))))
    }

    /// Finds the words of the last panic that the process wrote to its standard error up to here.
    pub(super) fn panic_said_before(&mut self) -> Result<Option<String>, Error> {
        Ok(panic_in(&self.said(false)?, None, true))
    }

    /// Reads what the process writes to its standard error from here on, or up to here: what is next to here, piece by
    /// piece. Nothing if that cannot be known.
    fn said(&mut self, is_after: bool) -> Result<Vec<String>, Error> {
        let event = match self.position() {
            Ok(position) => position.event(),
            Err(error) if error.ends_replay() => return Err(error),
            Err(_) => None,
        };
        let Some(event) = event else { return Ok(Vec::new()) };
        let pid = self.selected_thread().pid;
        let output = match self.output_within(PATIENCE) {
            Ok(output) => output,
            Err(error) if error.ends_replay() => return Err(error),
            Err(_) => return Ok(Vec::new()),
        };
        let of_it = output.pieces.iter().filter(|piece| piece.pid == pid && piece.stream == Stream::Err);
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let mut room = NEAR;
        let mut has_room = |length: usize| {
            let had = room > 0;
            room = room.saturating_sub(length);
            had
        };
        if is_after {
            let after = of_it.filter(|piece| piece.event >= event).take_while(|piece| has_room(piece.bytes.len()));
            return Ok(after.map(|piece| text(&piece.bytes)).collect());
        }
        let before = of_it.rev().filter(|piece| piece.event <= event).take_while(|piece| has_room(piece.bytes.len()));
        let mut before: Vec<String> = before.map(|piece| text(&piece.bytes)).collect();
        before.reverse();
        Ok(before)
    }
}

/// Finds the words of a panic among pieces of text, of the last one or the first: of the one at this place, if that is
/// given.
fn panic_in(pieces: &[String], place: Option<&str>, is_last: bool) -> Option<String> {
    let text = pieces.concat();
    let behind = |at: usize| text.get(at + PANICKED.len()..).unwrap_or_default();
    // Since Rust 1.73 the message is in the next line; before, it was in front of the place.
    let is_it = |at: &usize| {
        let line = behind(*at).lines().next().unwrap_or_default();
        place.is_none_or(|place| line.strip_suffix(':') == Some(place) || line.ends_with(&format!(", {place}")))
    };
    let mut all = text.match_indices(PANICKED).map(|(at, _)| at).filter(is_it);
    let at = match is_last {
        false => all.next()?,
        true => {
            // Where a panic cannot unwind, the library panics in its turn.
            let of_library = |at: &usize| OF_LIBRARY.iter().any(|place| behind(*at).starts_with(place));
            let all: Vec<usize> = all.collect();
            all.iter().rfind(|at| !of_library(at)).or(all.last()).copied()?
        }
    };
    let begin = text.get(..at)?.rfind('\n').map_or(0, |end| end + 1);
    let words = text.get(begin..)?;
    let first = words.find('\n').unwrap_or(words.len());
    // What is written at once is one message; what is written word by word ends with what is known to come next, else
    // with its line.
    let mut end = 0;
    let piece = pieces.iter().map(|piece| {
        end += piece.len();
        end
    });
    let written = piece.into_iter().find(|end| *end > at)?.saturating_sub(begin);
    let known = BEHIND.iter().filter_map(|behind| Some(first + words.get(first..)?.find(behind)?)).min();
    let line = || words.get(first + 1..).and_then(|rest| rest.find('\n')).map_or(words.len(), |more| first + 1 + more);
    let is_of_one_line = !words.get(..first)?.ends_with(':');
    let end = match known {
        _ if is_of_one_line => first,
        Some(known) if written > first + 1 => known.min(written),
        Some(known) => known,
        None if written > first + 1 => written,
        None => line(),
    };
    let words = words.get(..end)?.trim();
    Some(words.char_indices().nth(MESSAGE).map_or(words.to_owned(), |(cut, _)| format!("{}…", &words[..cut])))
}

#[cfg(test)]
mod tests {
    use super::panic_in;

    fn pieces(texts: &[&str]) -> Vec<String> {
        texts.iter().map(|text| (*text).to_owned()).collect()
    }

    #[test]
    fn a_panic_in_what_a_program_writes() {
        let said = pieces(&[
            "working\n",
            "\nthread 'worker' (12) panicked at src/main.rs:4:9:\nindex out of bounds: the len is 3 but the index is 7\n",
            "note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace\n",
            "\nthread 'main' (10) panicked at src/main.rs:20:5:\nassertion `left == right` failed\n  left: 1\n right: 2\n",
            "more\n",
        ]);
        let first =
            "thread 'worker' (12) panicked at src/main.rs:4:9:\nindex out of bounds: the len is 3 but the index is 7";
        let last =
            "thread 'main' (10) panicked at src/main.rs:20:5:\nassertion `left == right` failed\n  left: 1\n right: 2";
        assert_eq!(panic_in(&said, None, false).unwrap(), first);
        assert_eq!(panic_in(&said, None, true).unwrap(), last);
        assert_eq!(panic_in(&said, Some("src/main.rs:20:5"), false).unwrap(), last);
        assert_eq!(panic_in(&said, Some("src/main.rs:20"), false), None);
        assert_eq!(panic_in(&pieces(&["nothing\n"]), None, true), None);
    }

    #[test]
    fn the_librarys_own_panic_comes_second() {
        let said = pieces(&[
            "\nthread 'main' (10) panicked at src/main.rs:20:5:\nboom\n",
            "\nthread 'main' (10) panicked at library/core/src/panicking.rs:225:5:\npanic in a function that cannot unwind\n",
        ]);
        let words = |said: &[String]| panic_in(said, None, true).unwrap();
        assert_eq!(words(&said), "thread 'main' (10) panicked at src/main.rs:20:5:\nboom");
        assert!(words(&said[1..]).ends_with("cannot unwind"));
    }

    #[test]
    fn a_panic_that_is_written_word_by_word() {
        let said = pieces(&[
            "thread '",
            "main",
            "' panicked at ",
            "a.rs:2:1",
            ":\n",
            "two\nlines",
            "\n",
            "note: run with `RUST_BACKTRACE=1`",
        ]);
        assert_eq!(panic_in(&said, None, true).unwrap(), "thread 'main' panicked at a.rs:2:1:\ntwo\nlines");
        let said = pieces(&["thread '", "main", "' panicked at ", "a.rs:2:1", ":\n", "boom", "\n", "other\n"]);
        assert_eq!(panic_in(&said, None, true).unwrap(), "thread 'main' panicked at a.rs:2:1:\nboom");
    }

    #[test]
    fn a_panic_as_it_was_written_before() {
        let said =
            pieces(&["thread 'main' panicked at 'boom', src/main.rs:2:5\n", "note: run with `RUST_BACKTRACE=1`"]);
        let words = "thread 'main' panicked at 'boom', src/main.rs:2:5";
        assert_eq!(panic_in(&said, Some("src/main.rs:2:5"), false).unwrap(), words);
    }

    #[test]
    fn a_message_is_cut() {
        let said = pieces(&[&format!("thread 'main' panicked at a.rs:2:1:\n{}\n", "ä".repeat(1000))]);
        let words = panic_in(&said, None, true).unwrap();
        assert!(words.ends_with("ä…") && words.chars().count() == super::MESSAGE + 1, "{words}");
    }
}
