//! Reading the list of a unit's macros.

use super::table::{Change, Inclusion, MacroTable};
use crate::sections::missing_debug_info::Subject;
use crate::sections::slice::{Slice, UnitRef};
use crate::units::collection::Units;
use crate::units::entry::UnitEntry;
use crate::units::file_number::FileNumber;
use gimli::{
    AttributeValue, DebugMacinfo, DebugMacinfoOffset, DebugMacro, DebugMacroOffset, MacroEntry, MacroIter, MacroString,
    SectionId,
};

/// The most entries that are read of a unit. A unit of C++ has some 10,000 macros.
const MAX_ENTRIES: u32 = 1 << 20;
/// How deep lists may include each other: gcc's do so once.
const MAX_IMPORTS: usize = 16;
/// How deep files may include each other: what compilers allow (gcc 200), and more.
const MAX_INCLUDED: u32 = 1000;

/// Reads a unit's macros; `None` if it has none, or not all of them can be read.
pub(crate) fn read<'a>(units: &Units<'a>, entry: &UnitEntry<'a>) -> Option<MacroTable<'a>> {
    let unit = entry.unit(units)?;
    let root = unit.entry(unit.header.root_offset()).ok()?;
    let offset = |name| match root.attr_value(name)? {
        AttributeValue::DebugMacroRef(DebugMacroOffset(at))
        | AttributeValue::DebugMacinfoRef(DebugMacinfoOffset(at))
        | AttributeValue::SecOffset(at) => Some(at),
        AttributeValue::Data4(at) => Some(at as usize),
        _ => None,
    };
    let is_main = entry.file() == FileNumber::MAIN;
    let section = |id, other| if is_main { units.sections.macro_section(id) } else { other };
    let mut reader = Reader { units, unit, macros: DebugMacro::from(Slice::default()), table: MacroTable::default() };
    let begun = if let Some(at) = offset(gimli::DW_AT_macros).or_else(|| offset(gimli::DW_AT_GNU_macros)) {
        let other = *gimli::Section::reader(&unit.dwarf.debug_macro);
        reader.macros = DebugMacro::from(section(SectionId::DebugMacro, other));
        reader.macros.get_macros(DebugMacroOffset(at))
    } else {
        let at = offset(gimli::DW_AT_macro_info)?;
        let other = *gimli::Section::reader(&unit.dwarf.debug_macinfo);
        DebugMacinfo::from(section(SectionId::DebugMacinfo, other)).get_macinfo(DebugMacinfoOffset(at))
    };
    let read = begun.map_err(|error| error.to_string()).and_then(|list| reader.read(list));
    let Err(why) = read else { return Some(reader.table) };
    // What was read until then may be undefined, or something else, in what was not.
    let unit = unit.name.map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    units.sections.problems.add(Subject::DebugFile, format!("the macros of {unit} are not known: {why}"));
    units.sections.problems.suffer(|subject| subject == Subject::DebugFile);
    None
}

struct Reader<'d, 'a> {
    units: &'d Units<'a>,
    unit: UnitRef<'d, 'a>,
    macros: DebugMacro<Slice<'a>>,
    table: MacroTable<'a>,
}

/// A list being read, and whether it is the supplementary file's.
type List<'a> = (MacroIter<Slice<'a>>, bool);

impl<'a> Reader<'_, 'a> {
    fn read(&mut self, list: MacroIter<Slice<'a>>) -> Result<(), String> {
        let mut lists: Vec<List<'a>> = vec![(list, false)];
        // The files that the place is in, the innermost last.
        let mut open: Vec<u32> = Vec::new();
        let mut at = 0;
        let read = loop {
            let Some((list, is_shared)) = lists.last_mut() else { break Ok(()) };
            let is_shared = *is_shared;
            if at >= MAX_ENTRIES {
                break Err(format!("there are more than {MAX_ENTRIES} entries"));
            }
            at += 1;
            let taken = match list.next() {
                Err(error) => Err(error.to_string()),
                Ok(None) => {
                    lists.pop();
                    Ok(())
                }
                Ok(Some(MacroEntry::Import { offset })) => self.import(&mut lists, offset, is_shared),
                Ok(Some(MacroEntry::ImportSup { offset })) => self.import(&mut lists, offset, true),
                Ok(Some(entry)) => self.take(entry, at, &mut open, is_shared),
            };
            if taken.is_err() {
                break taken;
            }
        };
        for number in open {
            self.close(number, u32::MAX);
        }
        read
    }

    /// Goes on in another list, and then here.
    fn import(&self, lists: &mut Vec<List<'a>>, offset: DebugMacroOffset, shared: bool) -> Result<(), String> {
        if lists.len() > MAX_IMPORTS {
            // There, they are in sections of their own, which nobody links.
            return Err("their list includes itself, as gcc writes it for split units".to_owned());
        }
        let section = match shared {
            false => self.macros,
            true => {
                self.units.need_supplement();
                self.units.dwarf.sup().ok_or("the supplementary file is missing")?.debug_macro
            }
        };
        lists.push((section.get_macros(offset).map_err(|error| error.to_string())?, shared));
        Ok(())
    }

    fn take(
        &mut self,
        entry: MacroEntry<Slice<'a>>,
        at: u32,
        open: &mut Vec<u32>,
        is_shared: bool,
    ) -> Result<(), String> {
        match entry {
            MacroEntry::Define { line, text } => self.change(line, at, open, &text, is_shared, true),
            MacroEntry::Undef { line, name } => self.change(line, at, open, &name, is_shared, false),
            MacroEntry::StartFile { line, file } => {
                let parent = open.last().map(|parent| (*parent, line));
                self.note(open, line, at);
                let depth = u32::try_from(open.len()).unwrap_or(u32::MAX);
                if depth >= MAX_INCLUDED {
                    return Err(format!("more than {MAX_INCLUDED} files include each other"));
                }
                open.push(u32::try_from(self.table.files.len()).unwrap_or(u32::MAX));
                self.table.files.push(Inclusion { file, parent, depth, entries: Vec::new(), end: u32::MAX });
                Ok(())
            }
            MacroEntry::EndFile => {
                if let Some(number) = open.pop() {
                    self.close(number, at);
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn change(
        &mut self,
        line: u64,
        at: u32,
        open: &[u32],
        text: &MacroString<Slice<'a>>,
        is_shared: bool,
        defines: bool,
    ) -> Result<(), String> {
        let text = self.string(text, is_shared)?;
        let name = text.split(|byte| matches!(byte, b'(' | b' ')).next().unwrap_or_default();
        self.note(open, line, at);
        // The compiler's and the command line's are before all others; clang lists them behind.
        let place = if open.is_empty() { 0 } else { at };
        let change = Change { at: place, inclusion: open.last().copied(), line, text: defines.then_some(text) };
        self.table.changes.entry(name).or_default().push(change);
        Ok(())
    }

    /// Notes where in the list a line of the innermost file is.
    fn note(&mut self, open: &[u32], line: u64, at: u32) {
        let innermost = open.last().and_then(|number| self.table.files.get_mut(*number as usize));
        if let Some(inclusion) = innermost {
            inclusion.entries.push((line, at));
        }
    }

    fn close(&mut self, number: u32, at: u32) {
        if let Some(inclusion) = self.table.files.get_mut(number as usize) {
            inclusion.end = at;
        }
    }

    fn string(&self, text: &MacroString<Slice<'a>>, is_shared: bool) -> Result<&'a [u8], String> {
        let shared = |offset| match self.units.dwarf.sup() {
            Some(supplement) => supplement.debug_str.get_str(offset).map_err(|error| error.to_string()),
            None => {
                self.units.need_supplement();
                Err("the supplementary file is missing".to_owned())
            }
        };
        let found = match text {
            MacroString::Supplementary(offset) => shared(*offset),
            MacroString::StringPointer(offset) if is_shared => shared(*offset),
            text => text.string(self.unit).map_err(|error| error.to_string()),
        };
        found.map(|found| found.slice())
    }
}
