//! What is mapped where in a process.

use arch::RunAddr;
use std::fmt;

/// A stretch of the address space that is mapped in one piece.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mapping {
    /// First address.
    pub start: RunAddr,
    /// One past the last address.
    pub end: RunAddr,
    /// `r-xp`: may be read, written, executed; private or shared.
    pub permissions: String,
    /// Where it begins in the file.
    pub offset: u64,
    /// The file, as the recorded process had it, or a word as `[stack]`; empty if it is neither.
    pub name: String,
}

impl Mapping {
    /// Parses a line of `/proc/PID/maps`. `None` if it is none.
    pub(crate) fn parse(line: &str) -> Option<Self> {
        let mut words = line.splitn(6, ' ');
        let (start, end) = words.next()?.split_once('-')?;
        let number = |text| u64::from_str_radix(text, 16).ok();
        let permissions = words.next()?.to_owned();
        let offset = number(words.next()?)?;
        let name = words.nth(2).unwrap_or_default().trim().to_owned();
        Some(Self { start: RunAddr(number(start)?), end: RunAddr(number(end)?), permissions, offset, name })
    }

    /// Returns whether an address is in it.
    pub fn contains(&self, address: u64) -> bool {
        (self.start.0..self.end.0).contains(&address)
    }

    /// Returns whether it may be accessed as this letter says: `r`, `w`, `x`.
    pub fn allows(&self, letter: char) -> bool {
        self.permissions.contains(letter)
    }
}

/// `0x401000-0x402000 r-xp /usr/bin/cat`
impl fmt::Display for Mapping {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#x}-{:#x} {}", self.start.0, self.end.0, self.permissions)?;
        if self.name.is_empty() { Ok(()) } else { write!(f, " {}", self.name) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn lines_of_the_kernel_are_read() {
        let of_file = "00400000-00452000 r-xp 00001000 08:02 173521      /usr/bin/dbus daemon";
        let found = Mapping::parse(of_file).unwrap();
        assert_eq!((found.offset, found.to_string().as_str()), (0x1000, "0x400000-0x452000 r-xp /usr/bin/dbus daemon"));
        assert!(found.contains(0x40_0000) && !found.contains(0x45_2000) && found.allows('x') && !found.allows('w'));
        let bare = Mapping::parse("7f0000000000-7f0000001000 ---p 00000000 00:00 0").unwrap();
        assert_eq!(bare.to_string(), "0x7f0000000000-0x7f0000001000 ---p");
        assert_eq!(Mapping::parse("nothing"), None);
    }

    proptest! {
        #[test]
        fn no_line_makes_it_panic(line in "[0-9a-f -]{0,60}") {
            let _ = Mapping::parse(&line);
        }
    }
}
