//! What a recorded program has printed, in texts: so that no line of it can be taken for one of the answer's own.

use rr::Stream;
use std::fmt;

/// Returns what stands before each line that a program printed.
pub(crate) fn mark(stream: Stream) -> &'static str {
    match stream {
        Stream::Out => "out| ",
        Stream::Err => "err| ",
    }
}

/// Lines, each behind a mark; but for the first where that stands behind something of ours.
pub(crate) struct Quoted<'t> {
    pub(crate) mark: &'static str,
    pub(crate) text: &'t str,
    pub(crate) is_first_marked: bool,
}

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, line) in self.text.split_inclusive('\n').enumerate() {
            if number > 0 || self.is_first_marked {
                f.write_str(self.mark)?;
            }
            f.write_str(line)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_line_is_marked() {
        let quoted = |text, is_first_marked| Quoted { mark: mark(Stream::Err), text, is_first_marked }.to_string();
        assert_eq!(quoted("a\nnote: b\n\nc", true), "err| a\nerr| note: b\nerr| \nerr| c");
        assert_eq!(quoted("a\nnote: b\n", false), "a\nerr| note: b\n");
        assert_eq!(quoted("", true), "");
    }
}
