//! Framing: a header with `Content-Length`, an empty line, and so many bytes.
//!
//! On a port, anybody of this machine can say anything, and a web page can have the browser send an HTTP request with a
//! body of its choice. So a header has nothing but the protocol's own fields: what has others is no editor, and of what
//! comes after it nothing is read.

use std::io::{self, BufRead, Read, Write};

/// Longest message that is taken.
pub(super) const LONGEST_MESSAGE: u64 = 1 << 20;
/// Longest header.
const LONGEST_HEADER: u64 = 4096;
/// Most characters of a line that are shown.
const LONGEST_SHOWN: usize = 80;

/// What came from the editor.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Frame {
    /// The bytes of a message.
    Message(Vec<u8>),
    /// What is no message, and why. What comes after it is read all the same.
    Malformed(String),
    /// What no editor says, and why. Nothing is read any more.
    Foreign(String),
}

/// Reads messages off a stream.
pub(super) struct Frames<R> {
    input: R,
    /// Something else than an editor has spoken.
    is_foreign: bool,
}

impl<R: BufRead> Frames<R> {
    /// Creates a reader of a stream that begins with a header.
    pub(super) fn new(input: R) -> Self {
        Self { input, is_foreign: false }
    }

    /// Reads the next message; `None` at the end of the stream.
    pub(super) fn next(&mut self) -> io::Result<Option<Frame>> {
        if self.is_foreign {
            return Ok(None);
        }
        let length = match self.header()? {
            Header::End => return Ok(None),
            Header::Foreign(why) => {
                self.is_foreign = true;
                return Ok(Some(Frame::Foreign(why)));
            }
            Header::Malformed(why) => return Ok(Some(Frame::Malformed(why))),
            Header::Length(length) => length,
        };
        if length > LONGEST_MESSAGE {
            io::copy(&mut (&mut self.input).take(length), &mut io::sink())?;
            let why = format!("a message of {length} bytes is longer than {LONGEST_MESSAGE}, and was skipped");
            return Ok(Some(Frame::Malformed(why)));
        }
        let mut bytes = Vec::new();
        let read = (&mut self.input).take(length).read_to_end(&mut bytes)? as u64;
        Ok((read == length).then_some(Frame::Message(bytes)))
    }

    fn header(&mut self) -> io::Result<Header> {
        let (mut length, mut left) = (None, LONGEST_HEADER);
        loop {
            let mut line = Vec::new();
            let read = (&mut self.input).take(left).read_until(b'\n', &mut line)? as u64;
            left -= read;
            if read == 0 {
                return Ok(match left {
                    0 => Header::Foreign(format!("a header is longer than {LONGEST_HEADER} bytes")),
                    _ => Header::End,
                });
            }
            let text = String::from_utf8_lossy(&line);
            match text.trim() {
                // Between two messages there may be empty lines.
                "" if left + read == LONGEST_HEADER => left = LONGEST_HEADER,
                "" => return Ok(length.unwrap_or_else(|| Header::Malformed("a header has no Content-Length".into()))),
                // It breaks off in the middle of a line, or is too long.
                _ if !line.ends_with(b"\n") => {}
                field => match Field::of(field) {
                    Field::Length(said) => length = Some(said),
                    Field::Type => {}
                    Field::Foreign(why) => return Ok(Header::Foreign(why)),
                },
            }
        }
    }
}

/// What a header says.
enum Header {
    Length(u64),
    Malformed(String),
    Foreign(String),
    End,
}

/// What a line of a header says.
enum Field {
    /// How long the message is, or that this is not told.
    Length(Header),
    /// How it is written, which is always the same.
    Type,
    /// What is no field of the protocol.
    Foreign(String),
}

impl Field {
    fn of(line: &str) -> Self {
        let (name, value) = line.split_once(':').map_or((line, ""), |(name, value)| (name.trim(), value.trim()));
        if name.eq_ignore_ascii_case("Content-Type") {
            return Self::Type;
        }
        if !name.eq_ignore_ascii_case("Content-Length") {
            let shown: String = line.chars().take(LONGEST_SHOWN).collect();
            return Self::Foreign(format!("`{shown}` is in no header of an editor: nothing more is read"));
        }
        Self::Length(match value.parse() {
            Ok(length) => Header::Length(length),
            Err(_) => Header::Malformed(format!("Content-Length: `{value}` is not a number of bytes")),
        })
    }
}

/// Writes a message.
pub(super) fn write(output: &mut dyn Write, message: &[u8]) -> io::Result<()> {
    write!(output, "Content-Length: {}\r\n\r\n", message.len())?;
    output.write_all(message)?;
    output.flush()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dap::message::Request;
    use crate::fuzz::{self, Target};
    use proptest::prelude::*;
    use std::io::BufReader;

    fn all(bytes: &[u8], buffer: usize) -> Vec<Frame> {
        let mut frames = Frames::new(BufReader::with_capacity(buffer, bytes));
        std::iter::from_fn(|| frames.next().unwrap()).collect()
    }

    fn message(text: &str) -> Frame {
        Frame::Message(text.as_bytes().to_vec())
    }

    #[test]
    fn fuzz_dap_frames() {
        let request = r#"{"seq":3,"type":"request","command":"setBreakpoints","arguments":{"source":{"path":"/a.c"},"breakpoints":[{"line":7}]}}"#;
        let framed = format!("Content-Length: {}\r\n\r\n{request}", request.len());
        let two = format!("{framed}\r\nContent-Type: x\r\ncontent-length:2\n\n{{}}");
        let target = Target {
            name: "DAP frames",
            seeds: fuzz::texts(&[&framed, &two, "Content-Length: 1048577\r\n\r\nx", request]),
            dictionary: &[
                b"Content-Length: ",
                b"\r\n",
                b"\r\n\r\n",
                b"\n",
                b":",
                b"-1",
                b"18446744073709551616",
                b"POST / HTTP/1.1\r\n",
                b"Host: x\r\n",
                b"\"type\":\"request\"",
                b"\"seq\":",
                b"\"command\":\"x\"",
                b"[[[[[[[[[[[[[[[[",
                b"{",
                b"}",
                b"null",
                b"\0",
                b"\xff",
            ],
        };
        target.run(|input, random| {
            let _ = Request::parse(input);
            for frame in all(input, 1 + random.below(64)) {
                if let Frame::Message(bytes) = frame {
                    let _ = Request::parse(&bytes);
                }
            }
        });
    }

    #[test]
    fn headers_are_read_as_editors_write_them() {
        let bytes = b"Content-Length: 2\r\n\r\n{}\r\nContent-Type: x\r\ncontent-length:3\n\nabc";
        assert_eq!(all(bytes, 1), [message("{}"), message("abc")]);
    }

    #[test]
    fn what_is_no_message_is_told_and_the_next_one_read() {
        let next = "Content-Length: 1\r\n\r\nx";
        for (wrong, why) in [
            ("Content-Type: x\r\n\r\n", "a header has no Content-Length"),
            ("Content-Length: -1\r\n\r\n", "Content-Length: `-1` is not a number of bytes"),
            ("Content-Length: 1e3\r\n\r\n", "Content-Length: `1e3` is not a number of bytes"),
        ] {
            let found = all(format!("{wrong}{next}").as_bytes(), 64);
            assert_eq!(found, [Frame::Malformed(why.to_owned()), message("x")], "{wrong}");
        }
        let long = LONGEST_MESSAGE + 1;
        let found = all(format!("Content-Length: {long}\r\n\r\n{}{next}", " ".repeat(long as usize)).as_bytes(), 64);
        assert!(matches!(&found[..], [Frame::Malformed(why), Frame::Message(_)] if why.contains("longer")));
        let endless = all("Content-Type: b\r\n".repeat(1000).as_bytes(), 64);
        assert!(matches!(&endless[..], [Frame::Foreign(why)] if why.contains("longer")), "{endless:?}");
    }

    #[test]
    fn what_is_no_editor_is_not_listened_to() {
        let launch = r#"{"seq":1,"type":"request","command":"launch","arguments":{"program":"touch"}}"#;
        let body = format!("Content-Length: {}\r\n\r\n{launch}", launch.len());
        let path = "a".repeat(2 * LONGEST_HEADER as usize);
        for foreign in [
            format!("POST / HTTP/1.1\r\nHost: localhost:4711\r\nContent-Type: text/plain\r\n{body}"),
            format!("POST / HTTP/1.1\r\nContent-Length: 3\r\n\r\nxxx{body}"),
            format!("POST /{path} HTTP/1.1\r\n{body}"),
            format!("\r\nGET / HTTP/1.1\r\n\r\n{body}"),
            format!("Content-Length: 3\r\nOrigin: null\r\n\r\nxxx{body}"),
            format!("\u{16}\u{3}\u{1}\n{body}"),
        ] {
            let found = all(foreign.as_bytes(), 64);
            assert!(matches!(&found[..], [Frame::Foreign(_)]), "{foreign:?}: {found:?}");
        }
    }

    #[test]
    fn what_breaks_off_is_the_end() {
        for bytes in ["", "\r\n", "Content-Length: 5", "Content-Length: 5\r\n\r\nab"] {
            assert_eq!(all(bytes.as_bytes(), 64), [], "{bytes:?}");
        }
        assert_eq!(all(format!("Content-Length: {}\r\n\r\n", u64::MAX).as_bytes(), 64).len(), 1);
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(messages: Vec<Vec<u8>>, buffer in 1usize..100) {
            let mut bytes = Vec::new();
            messages.iter().for_each(|message| write(&mut bytes, message).unwrap());
            let found = all(&bytes, buffer);
            prop_assert_eq!(found, messages.into_iter().map(Frame::Message).collect::<Vec<_>>());
        }

        #[test]
        fn no_bytes_make_it_panic_or_go_on_for_ever(bytes: Vec<u8>, buffer in 1usize..100) {
            prop_assert!(all(&bytes, buffer).len() <= bytes.len());
        }

        #[test]
        fn nothing_that_looks_like_a_header_does(text in "(Content-Length|[a-z]{0,3})?[: 0-9\r\n\\-]{0,40}[\r\n]{0,4}.{0,20}") {
            prop_assert!(all(text.as_bytes(), 7).len() <= text.len());
        }
    }
}
