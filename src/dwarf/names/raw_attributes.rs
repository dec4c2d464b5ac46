//! The attributes of DIEs as bytes (DWARF 5 section 7.5.5), for whoever skips most of them.

use crate::naming::hash::mix;
use gimli::{DwForm, Encoding, Format};

/// A string attribute that is not looked up before it is needed.
#[derive(Clone, Copy, Default)]
pub(crate) enum Text<'a> {
    #[default]
    None,
    Here(&'a [u8]),
    /// Offset into `.debug_str`.
    Shared(usize),
    /// Offset into `.debug_line_str`.
    Line(usize),
    /// Number in the unit's table of offsets.
    Indexed(usize),
}

impl Text<'_> {
    pub(crate) fn is_some(self) -> bool {
        !matches!(self, Self::None)
    }

    /// Tells apart strings that differ; also some that do not.
    pub(crate) fn identity(self) -> u64 {
        match self {
            Self::None => 0,
            Self::Here(bytes) => bytes.iter().fold(1, |hash, byte| mix(hash, u64::from(*byte))),
            Self::Shared(offset) => mix(2, offset as u64),
            Self::Line(offset) => mix(3, offset as u64),
            Self::Indexed(number) => mix(4, number as u64),
        }
    }
}

/// The DIEs of a unit, and where reading them is. What ends early gives `None`.
pub(crate) struct Input<'a> {
    pub(crate) all: &'a [u8],
    pub(crate) at: usize,
}

impl<'a> Input<'a> {
    /// Passes over so many bytes.
    pub(crate) fn skip(&mut self, count: usize) -> Option<()> {
        self.at = self.at.checked_add(count).filter(|end| *end <= self.all.len())?;
        Some(())
    }

    pub(crate) fn bytes(&mut self, count: usize) -> Option<&'a [u8]> {
        let end = self.at.checked_add(count)?;
        let bytes = self.all.get(self.at..end)?;
        self.at = end;
        Some(bytes)
    }

    pub(crate) fn number(&mut self, size: usize) -> Option<u64> {
        if size == 4 {
            let number = u32::from_le_bytes(*self.all.get(self.at..)?.first_chunk()?);
            self.at += 4;
            return Some(u64::from(number));
        }
        let bytes = self.bytes(size)?;
        Some(bytes.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte)))
    }

    pub(crate) fn uleb(&mut self) -> Option<u64> {
        let first = *self.all.get(self.at)?;
        if first & 0x80 == 0 {
            self.at += 1;
            return Some(u64::from(first));
        }
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = *self.all.get(self.at)?;
            self.at += 1;
            number |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Some(number);
            }
        }
        None
    }

    pub(crate) fn word(&mut self, format: Format) -> Option<usize> {
        usize::try_from(self.number(usize::from(format.word_size()))?).ok()
    }

    pub(crate) fn string(&mut self) -> Option<&'a [u8]> {
        let length = memchr::memchr(0, self.all.get(self.at..)?)?;
        let text = self.bytes(length)?;
        self.skip(1)?;
        Some(text)
    }

    /// Reads a string attribute.
    pub(crate) fn text(&mut self, form: DwForm, format: Format) -> Option<Text<'a>> {
        Some(match form {
            gimli::DW_FORM_string => Text::Here(self.string()?),
            gimli::DW_FORM_strp => Text::Shared(self.word(format)?),
            gimli::DW_FORM_line_strp => Text::Line(self.word(format)?),
            _ => Text::Indexed(self.index(form)?),
        })
    }

    /// Reads the index of a string.
    pub(crate) fn index(&mut self, form: DwForm) -> Option<usize> {
        let index = match form {
            gimli::DW_FORM_strx | gimli::DW_FORM_GNU_str_index => self.uleb()?,
            gimli::DW_FORM_strx1 => self.number(1)?,
            gimli::DW_FORM_strx2 => self.number(2)?,
            gimli::DW_FORM_strx3 => self.number(3)?,
            gimli::DW_FORM_strx4 => self.number(4)?,
            _ => return None,
        };
        usize::try_from(index).ok()
    }

    pub(crate) fn flag(&mut self, form: DwForm) -> Option<bool> {
        match form {
            gimli::DW_FORM_flag_present => Some(true),
            gimli::DW_FORM_flag => Some(self.number(1)? != 0),
            _ => None,
        }
    }

    /// Reads a reference to any place in the section (DW_FORM_ref_addr).
    pub(crate) fn far_reference(&mut self, encoding: Encoding) -> Option<usize> {
        // Before DWARF 3, it was an address.
        if encoding.version > 2 {
            return self.word(encoding.format);
        }
        usize::try_from(self.number(usize::from(encoding.address_size))?).ok()
    }

    /// Reads a reference; `Some(None)` if it is not within the unit.
    pub(crate) fn reference(&mut self, form: DwForm) -> Option<Option<usize>> {
        let offset = match form {
            gimli::DW_FORM_ref1 => self.number(1)?,
            gimli::DW_FORM_ref2 => self.number(2)?,
            gimli::DW_FORM_ref4 => self.number(4)?,
            gimli::DW_FORM_ref8 => self.number(8)?,
            gimli::DW_FORM_ref_udata => self.uleb()?,
            _ => return Some(None),
        };
        usize::try_from(offset).ok().map(Some)
    }

    /// Reads an expression; `Some(None)` for what is not one, but a list of them.
    pub(crate) fn block(&mut self, form: DwForm, format: Format) -> Option<Option<&'a [u8]>> {
        let size = match form {
            gimli::DW_FORM_exprloc | gimli::DW_FORM_block => self.uleb()?,
            gimli::DW_FORM_block1 => self.number(1)?,
            gimli::DW_FORM_block2 => self.number(2)?,
            gimli::DW_FORM_block4 => self.number(4)?,
            gimli::DW_FORM_sec_offset => return self.word(format).map(|_| None),
            gimli::DW_FORM_data4 => return self.skip(4).map(|()| None),
            gimli::DW_FORM_loclistx => return self.uleb().map(|_| None),
            _ => return None,
        };
        self.bytes(usize::try_from(size).ok()?).map(Some)
    }

    /// Passes over an attribute of a form without a fixed size.
    pub(crate) fn skip_form(&mut self, form: DwForm) -> Option<()> {
        let size = match form {
            gimli::DW_FORM_string => return self.string().map(|_| ()),
            gimli::DW_FORM_exprloc | gimli::DW_FORM_block => self.uleb()?,
            gimli::DW_FORM_block1 => self.number(1)?,
            gimli::DW_FORM_block2 => self.number(2)?,
            gimli::DW_FORM_block4 => self.number(4)?,
            _ => return self.skip_leb(),
        };
        self.skip(usize::try_from(size).ok()?)
    }

    pub(crate) fn skip_leb(&mut self) -> Option<()> {
        let length = self.all.get(self.at..)?.iter().position(|byte| byte & 0x80 == 0)?;
        self.skip(length + 1)
    }
}
