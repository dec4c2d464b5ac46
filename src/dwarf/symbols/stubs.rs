//! Stubs of the procedure linkage table: code through which an image calls functions of other images.

use super::slots::Slots;
use crate::elf::file::{ElfFile, Section};
use crate::naming::demangle::demangle;
use crate::naming::query::NameQuery;
use arch::{Arch, LinkAddr};
use std::borrow::Cow;

/// What the names of stubs end with, as binutils writes them.
const SUFFIX: &str = "@plt";
/// No stub is longer.
const LONGEST: u64 = 16;

/// A stub, which jumps to wherever the dynamic linker has found its function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stub {
    /// `write@plt`
    pub name: String,
    /// First address.
    pub start: LinkAddr,
    /// One past the last.
    pub end: LinkAddr,
}

/// The stubs of an image, by rising address.
pub(crate) struct Stubs(Vec<Entry>);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Entry {
    start: u64,
    end: u64,
    /// Where the function's name is in `.dynstr`.
    name: u32,
}

impl Stubs {
    /// Finds the stubs by the slots that they jump through.
    pub(crate) fn of(file: &ElfFile) -> Self {
        let slots = Slots::of(file);
        let tables = file.sections.iter().filter(|section| section.name.starts_with(".plt"));
        let mut found: Vec<Entry> = tables.flat_map(|section| in_section(file, section, &slots)).collect();
        found.sort_unstable_by_key(|stub| stub.start);
        Self(found)
    }

    fn covering(&self, address: u64) -> Option<&Entry> {
        let after = self.0.partition_point(|stub| stub.start <= address);
        self.0.get(after.checked_sub(1)?).filter(|stub| address < stub.end)
    }
}

impl Stubs {
    /// Finds the stub that an address lies in.
    pub(super) fn at(&self, file: &ElfFile, a: LinkAddr) -> Option<Stub> {
        self.covering(a.0).and_then(|entry| stub(file, entry))
    }

    /// Finds the stubs that lead to a function of this name, which may also be written as theirs: `write@plt`.
    pub(super) fn named(&self, file: &ElfFile, name: &str) -> Vec<Stub> {
        let name = name.strip_suffix(SUFFIX).unwrap_or(name);
        let query = NameQuery::parse(name);
        let leads = |stub: &Stub| {
            let target = stub.name.strip_suffix(SUFFIX).unwrap_or(&stub.name);
            target == name || demangle(target).is_some_and(|shown| query.matches_shown(&shown))
        };
        self.0.iter().filter_map(|entry| stub(file, entry)).filter(leads).collect()
    }
}

fn stub(file: &ElfFile, entry: &Entry) -> Option<Stub> {
    let name = name_at(file, entry.name)?;
    Some(Stub { name: format!("{name}{SUFFIX}"), start: LinkAddr(entry.start), end: LinkAddr(entry.end) })
}

/// Reads a name of `.dynstr`.
pub(super) fn name_at(file: &ElfFile, offset: u32) -> Option<Cow<'_, str>> {
    /// Longer names are no names.
    const MAX_NAME: usize = 4096;
    let names = file.raw_section(file.section(".dynstr")?)?;
    let letters = names.get(offset as usize..)?;
    let length = letters.iter().take(MAX_NAME).position(|letter| *letter == 0)?;
    Some(String::from_utf8_lossy(letters.get(..length)?))
}

fn in_section(file: &ElfFile, section: &Section, slots: &Slots) -> Vec<Entry> {
    let code = file.raw_section(section).unwrap_or_default();
    let end = section.address.saturating_add(code.len() as u64);
    let step = match file.arch {
        Arch::X86_64 => 8,
        Arch::Aarch64 => 4,
    };
    let mut found: Vec<Entry> = Vec::new();
    for offset in (0..code.len()).step_by(step) {
        let start = section.address.saturating_add(offset as u64);
        let code = code.get(offset..).unwrap_or_default();
        let slot = match file.arch {
            Arch::X86_64 => slot_of_x86(code, start),
            Arch::Aarch64 => slot_of_arm(code, start),
        };
        let Some((name, length)) = slot.and_then(|(slot, length)| Some((slots.name(slot)?, length))) else { continue };
        match found.last_mut() {
            // The same jump, without the instruction before it.
            Some(last) if start < last.start.saturating_add(length) && last.name == name => continue,
            Some(last) => last.end = last.end.min(start),
            None => {}
        }
        found.push(Entry { start, end: end.min(start.saturating_add(LONGEST)), name });
    }
    found
}

/// Decodes the slot that code jumps through: `[endbr64] [bnd] jmp *slot(%rip)`; and how long that is.
fn slot_of_x86(code: &[u8], at: u64) -> Option<(u64, u64)> {
    let bare = code.strip_prefix(&[0xf3, 0x0f, 0x1e, 0xfa]).unwrap_or(code);
    let bare = bare.strip_prefix(&[0xf2]).unwrap_or(bare);
    let operand = bare.strip_prefix(&[0xff, 0x25])?;
    let offset = i32::from_le_bytes(*operand.first_chunk()?);
    let length = (code.len() - operand.len() + 4) as u64;
    Some((at.wrapping_add(length).wrapping_add_signed(i64::from(offset)), length))
}

/// Decodes the slot that code jumps through, and how long that is: `[bti c]; adrp x16, page; ldr x17, [x16, #offset]`.
fn slot_of_arm(code: &[u8], at: u64) -> Option<(u64, u64)> {
    const BTI: u32 = 0xd503_245f;
    let word = |at: usize| Some(u32::from_le_bytes(*code.get(at..)?.first_chunk()?));
    let skipped = if word(0)? == BTI { 4 } else { 0 };
    let (page, load) = (word(skipped)?, word(skipped + 4)?);
    if page & 0x9f00_001f != 0x9000_0010 || load & 0xffc0_03ff != 0xf940_0211 {
        return None;
    }
    let pages = (page >> 5 & 0x7_ffff) << 2 | page >> 29 & 3;
    // 21 bits with a sign.
    let pages = i64::from((pages << 11) as i32 >> 11);
    let base = at.wrapping_add(skipped as u64) & !0xfff;
    let slot = base.wrapping_add_signed(pages << 12).wrapping_add(u64::from(load >> 10 & 0xfff) * 8);
    Some((slot, skipped as u64 + 8))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::build;

    #[test]
    fn jumps_through_slots() {
        assert_eq!(slot_of_x86(&[0xff, 0x25, 0x10, 0, 0, 0], 0x1000), Some((0x1016, 6)));
        assert_eq!(
            slot_of_x86(&[0xf3, 0x0f, 0x1e, 0xfa, 0xf2, 0xff, 0x25, 0xf0, 0xff, 0xff, 0xff], 0x1000),
            Some((0xffb, 11))
        );
        assert_eq!(slot_of_x86(&[0xff, 0x35, 0x10, 0, 0, 0], 0x1000), None);
        assert_eq!(slot_of_x86(&[0xff, 0x25, 0x10], 0x1000), None);
        // adrp x16, 0x11000; ldr x17, [x16, #8]
        let code: Vec<u8> = [0x9000_0090u32, 0xf940_0611].iter().flat_map(|word| word.to_le_bytes()).collect();
        assert_eq!(slot_of_arm(&code, 0x1234), Some((0x1_1008, 8)));
        let behind: Vec<u8> = 0xd503_245fu32.to_le_bytes().into_iter().chain(code.clone()).collect();
        assert_eq!(slot_of_arm(&behind, 0x1234), Some((0x1_1008, 12)));
        assert_eq!(slot_of_arm(&code[..7], 0x1234), None);
    }

    fn stubs(flags: &str) {
        let image = build("gcc", flags, &["lazy_binding.c"]).image;
        let found = image.stubs_named("atoi");
        let [stub] = &found[..] else { panic!("{flags}: {found:?}") };
        assert_eq!(stub.name, "atoi@plt");
        assert!(image.section_at(stub.start).unwrap().starts_with(".plt"), "{flags}");
        for at in [stub.start, LinkAddr(stub.end.0 - 1)] {
            assert_eq!(image.stub_at(at).as_ref(), Some(stub), "{flags}");
        }
        assert_eq!(image.stub_at(LinkAddr(stub.start.0 - 1)).filter(|other| other == stub), None, "{flags}");
        assert_eq!(image.stubs_named("atoi@plt"), found, "{flags}");
        assert_eq!(image.stubs_named("main"), []);
        assert!(image.imports("atoi") && !image.imports("atoi@plt") && !image.imports("main"), "{flags}");
    }

    #[test]
    fn functions_of_libraries_have_stubs() {
        for flags in ["-Wl,-z,lazy", "-Wl,-z,now", "-Wl,-z,lazy -fcf-protection -Wl,-z,ibtplt", "-no-pie"] {
            stubs(flags);
        }
    }
}
