//! The sections by which one file names another: `.gnu_debuglink`, `.gnu_debugaltlink`, `.debug_sup`.

use crate::elf::file::ElfFile;

/// How a file names its separate debug file (GDB manual, "Debugging Information in Separate Files").
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DebugLink {
    /// A file name without directories.
    pub(crate) name: String,
    /// CRC-32 of the whole debug file.
    pub(crate) checksum: u32,
}

/// How debug info names the supplementary file that it shares with other files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SupplementLink {
    /// A path; a relative one counts from the directory of the file that has the link.
    pub(crate) name: String,
    /// By what the supplementary file is known to be the right one.
    pub(crate) identity: Identity,
}

/// By what a supplementary file is known to be the right one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Identity {
    /// Its NT_GNU_BUILD_ID, for `.gnu_debugaltlink`.
    BuildId(Vec<u8>),
    /// The checksum in its own `.debug_sup` (DWARF 5 section 7.3.6).
    Checksum(Vec<u8>),
}

impl DebugLink {
    /// Reads the link of a file; `None` if it has none, or no usable one.
    pub(crate) fn of(file: &ElfFile) -> Option<Self> {
        Self::parse(file.raw_section(file.section(".gnu_debuglink")?)?)
    }

    /// Parses `.gnu_debuglink`: a file name, NUL, padding to 4 bytes, then the file's CRC.
    fn parse(contents: &[u8]) -> Option<Self> {
        let length = memchr::memchr(0, contents)?;
        let name = std::str::from_utf8(contents.get(..length)?).ok()?;
        let at = (length + 1).next_multiple_of(4);
        let checksum = contents.get(at..)?.first_chunk::<4>()?;
        // A name with directories would reach out of the places that are searched.
        let plain = !name.is_empty() && !name.contains('/') && name != "..";
        plain.then(|| Self { name: name.to_owned(), checksum: u32::from_le_bytes(*checksum) })
    }
}

impl SupplementLink {
    /// Reads the link of a file; `None` if it has none, or no usable one.
    pub(crate) fn of(file: &ElfFile) -> Option<Self> {
        let contents = |name| file.raw_section(file.section(name)?);
        contents(".gnu_debugaltlink")
            .and_then(Self::parse_alt)
            .or_else(|| contents(".debug_sup").and_then(Supplementary::parse)?.link())
    }

    /// Parses `.gnu_debugaltlink`: a path, NUL, then the build-id to the end of the section.
    fn parse_alt(contents: &[u8]) -> Option<Self> {
        let length = memchr::memchr(0, contents)?;
        let name = std::str::from_utf8(contents.get(..length)?).ok().filter(|name| !name.is_empty())?;
        let id = contents.get(length + 1..).filter(|id| !id.is_empty())?;
        Some(Self { name: name.to_owned(), identity: Identity::BuildId(id.to_owned()) })
    }
}

impl Identity {
    /// Returns whether a supplementary file is this one.
    pub(crate) fn is_of(&self, file: &ElfFile) -> bool {
        match self {
            Self::BuildId(id) => file.build_id.as_ref() == Some(id),
            Self::Checksum(checksum) => file
                .section(".debug_sup")
                .and_then(|section| Supplementary::parse(file.raw_section(section)?))
                .is_some_and(|own| own.is_supplementary && own.checksum == *checksum),
        }
    }
}

/// `.debug_sup` (DWARF 5 section 7.3.6).
#[derive(Clone, Debug, PartialEq, Eq)]
struct Supplementary {
    /// This is the supplementary file itself, rather than one that refers to it.
    is_supplementary: bool,
    name: String,
    checksum: Vec<u8>,
}

impl Supplementary {
    fn parse(contents: &[u8]) -> Option<Self> {
        let (version, rest) = contents.split_first_chunk::<2>()?;
        let (is_supplementary, rest) = rest.split_first()?;
        if u16::from_le_bytes(*version) != 5 || *is_supplementary > 1 {
            return None;
        }
        let length = memchr::memchr(0, rest)?;
        let name = std::str::from_utf8(rest.get(..length)?).ok()?;
        let (size, rest) = uleb128(rest.get(length + 1..)?)?;
        let checksum = rest.get(..usize::try_from(size).ok()?)?;
        Some(Self { is_supplementary: *is_supplementary == 1, name: name.to_owned(), checksum: checksum.to_owned() })
    }

    fn link(self) -> Option<SupplementLink> {
        let usable = !self.is_supplementary && !self.name.is_empty() && !self.checksum.is_empty();
        usable.then_some(SupplementLink { name: self.name, identity: Identity::Checksum(self.checksum) })
    }
}

/// Reads an unsigned LEB128 number and returns it with what follows it.
fn uleb128(bytes: &[u8]) -> Option<(u64, &[u8])> {
    let mut value = 0u64;
    for (i, byte) in bytes.iter().enumerate().take(10) {
        let bits = u64::from(byte & 0x7f);
        let shift = 7 * i as u32;
        if bits.leading_zeros() < shift {
            return None;
        }
        value |= bits << shift;
        if byte & 0x80 == 0 {
            return Some((value, bytes.get(i + 1..)?));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_debug_link_is_a_name_and_a_checksum() {
        let parse = |bytes: &[u8]| DebugLink::parse(bytes);
        let link = |name: &str| Some(DebugLink { name: name.to_owned(), checksum: 0x0403_0201 });
        assert_eq!(parse(b"abc\0\x01\x02\x03\x04"), link("abc"));
        assert_eq!(parse(b"abcd\0\0\0\0\x01\x02\x03\x04rest"), link("abcd"));
        for bad in [&b""[..], b"abc", b"abc\0\x01\x02\x03", b"\0\0\0\0\x01\x02\x03\x04", b"a/b\0\x01\x02\x03\x04"] {
            assert_eq!(parse(bad), None, "{bad:?}");
        }
        assert_eq!(parse(b"..\0\0\x01\x02\x03\x04"), None);
    }

    #[test]
    fn an_alternate_link_is_a_path_and_a_build_id() {
        let found = SupplementLink::parse_alt(b"../x.debug\0\xab\xcd").unwrap();
        assert_eq!(found.name, "../x.debug");
        assert_eq!(found.identity, Identity::BuildId(vec![0xab, 0xcd]));
        for bad in [&b""[..], b"x", b"x\0", b"\0\xab"] {
            assert_eq!(SupplementLink::parse_alt(bad), None, "{bad:?}");
        }
    }

    #[test]
    fn a_supplementary_section_tells_both_sides() {
        let user = Supplementary::parse(b"\x05\0\0x.sup\0\x02\xab\xcd").unwrap();
        let link = SupplementLink { name: "x.sup".to_owned(), identity: Identity::Checksum(vec![0xab, 0xcd]) };
        assert_eq!(user.link(), Some(link));
        let used = Supplementary::parse(b"\x05\0\x01\0\x02\xab\xcd").unwrap();
        assert!(used.is_supplementary);
        assert_eq!(used.link(), None);
        for bad in [&b""[..], b"\x04\0\0x\0\x01a", b"\x05\0\x02x\0\x01a", b"\x05\0\0x\0\x02a", b"\x05\0\0x"] {
            assert_eq!(Supplementary::parse(bad), None, "{bad:?}");
        }
        // Ten bytes of length whose value does not fit into 64 bits.
        assert_eq!(Supplementary::parse(b"\x05\0\0x\0\xff\xff\xff\xff\xff\xff\xff\xff\xff\x7fa"), None);
    }

    proptest! {
        #[test]
        fn any_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..64)) {
            let _ = DebugLink::parse(&bytes);
            let _ = SupplementLink::parse_alt(&bytes);
            let _ = Supplementary::parse(&bytes);
        }
    }
}
