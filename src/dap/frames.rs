//! Framing: a header with `Content-Length`, an empty line, and so many bytes.

use std::io::{self, BufRead, Read, Write};

/// Longest message that is taken.
pub(super) const LONGEST_MESSAGE: u64 = 1 << 20;
/// Longest header.
const LONGEST_HEADER: u64 = 4096;

/// What came from the editor.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Frame {
    /// The bytes of a message.
    Message(Vec<u8>),
    /// What is no message, and why. What comes after it is read all the same.
    Malformed(String),
}

/// Reads messages off a stream.
pub(super) struct Frames<R>(R);

impl<R: BufRead> Frames<R> {
    /// Creates a reader of a stream that begins with a header.
    pub(super) fn new(input: R) -> Self {
        Self(input)
    }

    /// Reads the next message; `None` at the end of the stream.
    pub(super) fn next(&mut self) -> io::Result<Option<Frame>> {
        let length = match self.header()? {
            Header::End => return Ok(None),
            Header::Malformed(why) => return Ok(Some(Frame::Malformed(why))),
            Header::Length(length) => length,
        };
        if length > LONGEST_MESSAGE {
            io::copy(&mut (&mut self.0).take(length), &mut io::sink())?;
            let why = format!("a message of {length} bytes is longer than {LONGEST_MESSAGE}, and was skipped");
            return Ok(Some(Frame::Malformed(why)));
        }
        let mut bytes = Vec::new();
        let read = (&mut self.0).take(length).read_to_end(&mut bytes)? as u64;
        Ok((read == length).then_some(Frame::Message(bytes)))
    }

    fn header(&mut self) -> io::Result<Header> {
        let (mut length, mut left) = (None, LONGEST_HEADER);
        loop {
            let mut line = Vec::new();
            let read = (&mut self.0).take(left).read_until(b'\n', &mut line)? as u64;
            left -= read;
            if read == 0 {
                return Ok(match left {
                    0 => Header::Malformed(format!("a header is longer than {LONGEST_HEADER} bytes")),
                    _ => Header::End,
                });
            }
            let text = String::from_utf8_lossy(&line);
            match text.trim() {
                // Between two messages there may be empty lines.
                "" if left + read == LONGEST_HEADER => left = LONGEST_HEADER,
                "" => return Ok(length.unwrap_or_else(|| Header::Malformed("a header has no Content-Length".into()))),
                field => length = field_length(field).or(length),
            }
        }
    }
}

/// What a header says.
enum Header {
    Length(u64),
    Malformed(String),
    End,
}

/// Returns what a line of a header says of the length; `None` if it is about something else.
fn field_length(field: &str) -> Option<Header> {
    let (name, value) = field.split_once(':')?;
    name.trim().eq_ignore_ascii_case("Content-Length").then(|| match value.trim().parse() {
        Ok(length) => Header::Length(length),
        Err(_) => Header::Malformed(format!("Content-Length: `{}` is no number of bytes", value.trim())),
    })
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
    fn headers_are_read_as_editors_write_them() {
        let bytes = b"Content-Length: 2\r\n\r\n{}\r\nContent-Type: x\r\ncontent-length:3\n\nabc";
        assert_eq!(all(bytes, 1), [message("{}"), message("abc")]);
    }

    #[test]
    fn what_is_no_message_is_told_and_the_next_one_read() {
        let next = "Content-Length: 1\r\n\r\nx";
        for (wrong, why) in [
            ("Content-Type: x\r\n\r\n", "a header has no Content-Length"),
            ("Content-Length: -1\r\n\r\n", "Content-Length: `-1` is no number of bytes"),
            ("Content-Length: 1e3\r\n\r\n", "Content-Length: `1e3` is no number of bytes"),
        ] {
            let found = all(format!("{wrong}{next}").as_bytes(), 64);
            assert_eq!(found, [Frame::Malformed(why.to_owned()), message("x")], "{wrong}");
        }
        let long = LONGEST_MESSAGE + 1;
        let found = all(format!("Content-Length: {long}\r\n\r\n{}{next}", " ".repeat(long as usize)).as_bytes(), 64);
        assert!(matches!(&found[..], [Frame::Malformed(why), Frame::Message(_)] if why.contains("longer")));
        let endless = all("a: b\r\n".repeat(2000).as_bytes(), 64);
        assert!(endless.iter().all(|frame| matches!(frame, Frame::Malformed(why) if why.contains("longer"))));
        assert_eq!(endless.len(), 2);
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
