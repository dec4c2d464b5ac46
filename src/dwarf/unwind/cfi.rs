//! Call frame information (DWARF 5 section 6.4; `.eh_frame` and `.eh_frame_hdr`: Linux Standard Base, core,
//! section 10.6): which registers a caller had.

use crate::expressions::evaluate::{Failure, NoReferents};
use crate::expressions::run;
use crate::model::error::UnwindError;
use crate::model::frame::{FrameContext, Unwound};
use crate::sections::slice::Slice;
use crate::sections::store::Sections;
use arch::{Arch, LinkAddr};
use gimli::{
    BaseAddresses, CfaRule, CieOrFde, DebugFrame, EhFrame, EhFrameHdr, EhFrameOffset, FrameDescriptionEntry,
    ParsedEhFrameHdr, Register, RegisterRule, SectionId, UnwindContext, UnwindContextStorage, UnwindSection,
    UnwindTableRow,
};
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// How deep DW_CFA_remember_state may nest. Compilers nest it once; hand-written assembly seldom twice.
const MAX_REMEMBERED_STATES: usize = 16;

/// In bytes; both supported machines.
const ADDRESS_SIZE: u8 = 8;

/// Bits of an AArch64 user-space address; the ones above may hold a pointer authentication code.
const AARCH64_ADDRESS_BITS: u32 = 48;

/// An FDE's addresses and where it is in its section.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct IndexedFde {
    start: u64,
    end: u64,
    offset: usize,
}

/// FDEs by address, found by reading a whole section. Owned, so that it can outlive the view of the section.
#[derive(Debug, Default)]
pub(crate) struct FdeIndex {
    eh_frame: OnceLock<Vec<IndexedFde>>,
    debug_frame: OnceLock<Vec<IndexedFde>>,
}

/// The sections that have call frame information.
pub(crate) struct FrameSections<'a> {
    pub(super) eh_frame: EhFrame<Slice<'a>>,
    pub(super) eh_frame_hdr: Slice<'a>,
    pub(super) debug_frame: DebugFrame<Slice<'a>>,
    /// Link-time addresses that pc-relative, text-relative and data-relative pointers are based on.
    pub(super) bases: BaseAddresses,
    /// FDEs by address, where there is no usable `.eh_frame_hdr`.
    pub(super) index: FdeIndex,
}

impl<'a> FrameSections<'a> {
    /// Finds `.eh_frame`, `.eh_frame_hdr` and `.debug_frame` of an image; empty if absent.
    pub(crate) fn of(sections: &'a Sections) -> Self {
        let mut eh_frame = EhFrame::from(sections.unwind_section(SectionId::EhFrame));
        let mut debug_frame = DebugFrame::from(sections.unwind_section(SectionId::DebugFrame));
        eh_frame.set_address_size(ADDRESS_SIZE);
        debug_frame.set_address_size(ADDRESS_SIZE);
        Self {
            eh_frame,
            eh_frame_hdr: sections.unwind_section(SectionId::EhFrameHdr),
            debug_frame,
            bases: sections.bases().clone(),
            index: FdeIndex::default(),
        }
    }
}

/// The call frame information of an image.
pub(crate) struct CallFrames<'d, 'a> {
    arch: Arch,
    eh_frame: EhFrame<Slice<'a>>,
    /// Only if its search table can be used.
    header: Option<ParsedEhFrameHdr<Slice<'a>>>,
    debug_frame: DebugFrame<Slice<'a>>,
    bases: &'d BaseAddresses,
    index: &'d FdeIndex,
}

/// Room for the rows of an FDE.
struct Storage;

impl UnwindContextStorage<usize> for Storage {
    type Rules = [(Register, RegisterRule<usize>); 192];
    type Stack = Box<[UnwindTableRow<usize, Self>; MAX_REMEMBERED_STATES]>;
}

/// The row of an address, and what its CIE says.
struct Row<'a> {
    rules: UnwindTableRow<usize, Storage>,
    section: RowSection<'a>,
    encoding: gimli::Encoding,
    return_address: Register,
    signal_frame: bool,
}

enum RowSection<'a> {
    Eh(EhFrame<Slice<'a>>),
    Debug(DebugFrame<Slice<'a>>),
}

impl<'d, 'a> CallFrames<'d, 'a> {
    /// Creates a view of the sections of a file. Absent ones are empty.
    pub(crate) fn new(arch: Arch, sections: &'d FrameSections<'a>) -> Self {
        let vendor = match arch {
            Arch::X86_64 => gimli::Vendor::Default,
            Arch::Aarch64 => gimli::Vendor::AArch64,
        };
        let mut eh_frame = sections.eh_frame;
        eh_frame.set_address_size(ADDRESS_SIZE);
        eh_frame.set_vendor(vendor);
        let mut debug_frame = sections.debug_frame;
        debug_frame.set_address_size(ADDRESS_SIZE);
        debug_frame.set_vendor(vendor);
        let header = EhFrameHdr::from(sections.eh_frame_hdr)
            .parse(&sections.bases, ADDRESS_SIZE)
            .ok()
            .filter(|header| usable(header, sections));
        Self { arch, eh_frame, header, debug_frame, bases: &sections.bases, index: &sections.index }
    }

    /// Reconstructs the caller's frame. `Ok(None)`: no CFI covers the address.
    pub(crate) fn unwind(&self, pc: LinkAddr, frame: &mut dyn FrameContext) -> Result<Option<Unwound>, UnwindError> {
        let Some(row) = self.row(pc)? else { return Ok(None) };
        let cfa = row.cfa(frame).map_err(|reason| UnwindError::Cfa { pc, reason: self.describe(&reason) })?;
        let mut registers = BTreeMap::new();
        for &number in self.arch.callee_saved() {
            if let Some(value) = frame.register(number) {
                registers.insert(number, value);
            }
        }
        registers.insert(self.arch.dwarf_sp(), cfa);
        for (register, rule) in row.rules.registers() {
            match row.restore(*register, rule, cfa, frame) {
                Ok(Some(value)) => registers.insert(register.0, value),
                // A saved register that cannot be read is unknown, as one without a rule is.
                Ok(None) | Err(_) => registers.remove(&register.0),
            };
        }
        let return_address = self
            .return_address(&row, cfa, frame)
            .map_err(|reason| UnwindError::ReturnAddress { pc, reason: self.describe(&reason) })?;
        registers.retain(|number, _| self.is_register_of_the_caller(*number));
        Ok(Some(Unwound {
            cfa,
            registers: registers.into_iter().collect(),
            return_address,
            signal_frame: row.signal_frame,
        }))
    }

    /// Computes the canonical frame address only.
    pub(crate) fn cfa(&self, pc: LinkAddr, frame: &mut dyn FrameContext) -> Result<Option<u64>, UnwindError> {
        let Some(row) = self.row(pc)? else { return Ok(None) };
        row.cfa(frame).map(Some).map_err(|reason| UnwindError::Cfa { pc, reason: self.describe(&reason) })
    }

    /// Returns the register and the offset whose sum the canonical frame address is, if it is one (DW_CFA_def_cfa).
    pub(crate) fn cfa_rule(&self, pc: LinkAddr) -> Option<(u16, i64)> {
        match self.row(pc).ok()??.rules.cfa() {
            CfaRule::RegisterAndOffset { register, offset } => Some((register.0, *offset)),
            CfaRule::Expression(_) => None,
        }
    }

    /// Finds the caller's registers that this frame has saved in memory: DWARF numbers and addresses.
    pub(crate) fn saved_registers(
        &self,
        pc: LinkAddr,
        frame: &mut dyn FrameContext,
    ) -> Result<Vec<(u16, u64)>, UnwindError> {
        let Some(row) = self.row(pc)? else { return Ok(Vec::new()) };
        let cfa = row.cfa(frame).map_err(|reason| UnwindError::Cfa { pc, reason: self.describe(&reason) })?;
        let mut saved = Vec::new();
        for (register, rule) in row.rules.registers() {
            let address = match rule {
                RegisterRule::Offset(offset) => Some(cfa.wrapping_add_signed(*offset)),
                RegisterRule::Expression(expression) => row.evaluate(expression, Some(cfa), frame).ok(),
                _ => None,
            };
            saved.extend(address.map(|address| (register.0, address)));
        }
        Ok(saved)
    }

    fn return_address(&self, row: &Row<'_>, cfa: u64, frame: &mut dyn FrameContext) -> Result<Option<u64>, Failure> {
        let rule = match row.rules.register(row.return_address) {
            Some(rule) => rule,
            // A leaf function that left the link register alone.
            None if self.arch.callee_saved().contains(&row.return_address.0) => RegisterRule::SameValue,
            None => return Err(Failure::Register(row.return_address.0)),
        };
        let value = row.restore(row.return_address, &rule, cfa, frame)?;
        let signed = matches!(
            row.rules.register(gimli::AArch64::RA_SIGN_STATE),
            Some(RegisterRule::Constant(state)) if state & 1 == 1
        );
        Ok(value.map(|address| if signed { address & ((1 << AARCH64_ADDRESS_BITS) - 1) } else { address }))
    }

    /// Returns whether a number is that of a register of the caller: not the pc, which is the return address, and not
    /// the bookkeeping of pointer authentication.
    fn is_register_of_the_caller(&self, number: u16) -> bool {
        match self.arch {
            Arch::X86_64 => number != 16,
            Arch::Aarch64 => number != 32 && number != gimli::AArch64::RA_SIGN_STATE.0,
        }
    }

    fn describe(&self, failure: &Failure) -> String {
        match failure {
            Failure::Register(number) => match self.arch.dwarf_register(*number) {
                Some(name) => format!("register {name} is not preserved in this frame"),
                None => failure.to_string(),
            },
            other => other.to_string(),
        }
    }

    fn row(&self, pc: LinkAddr) -> Result<Option<Row<'a>>, UnwindError> {
        let malformed = |reason| UnwindError::Malformed { pc, reason };
        let in_eh_frame = match &self.header {
            Some(header) => self.search(header, pc.0),
            None => {
                let fdes = self.index.eh_frame.get_or_init(|| read_index(&self.eh_frame, self.bases));
                covering(fdes, pc.0).map(|fde| EhFrameOffset(fde.offset))
            }
        };
        if let Some(offset) = in_eh_frame {
            let fde = self.eh_frame.fde_from_offset(self.bases, offset, EhFrame::cie_from_offset).map_err(malformed)?;
            return row_of(&self.eh_frame, self.bases, &fde, pc)
                .map(|row| row.map(|rules| Row::new(rules, &fde, RowSection::Eh(self.eh_frame))))
                .map_err(malformed);
        }
        let fdes = self.index.debug_frame.get_or_init(|| read_index(&self.debug_frame, self.bases));
        let Some(found) = covering(fdes, pc.0) else {
            return Ok(None);
        };
        let fde = self
            .debug_frame
            .fde_from_offset(self.bases, found.offset.into(), DebugFrame::cie_from_offset)
            .map_err(malformed)?;
        row_of(&self.debug_frame, self.bases, &fde, pc)
            .map(|row| row.map(|rules| Row::new(rules, &fde, RowSection::Debug(self.debug_frame))))
            .map_err(malformed)
    }

    /// Returns the code that one description covers, which is a function or a part of one, around an address.
    pub(crate) fn code_around(&self, pc: LinkAddr) -> Option<(LinkAddr, LinkAddr)> {
        let range = |start, end| (LinkAddr(start), LinkAddr(end));
        if let Some(offset) = self.header.as_ref().and_then(|header| self.search(header, pc.0)) {
            let fde = self.eh_frame.fde_from_offset(self.bases, offset, EhFrame::cie_from_offset).ok()?;
            return Some(range(fde.initial_address(), fde.end_address()));
        }
        let in_eh_frame = || self.index.eh_frame.get_or_init(|| read_index(&self.eh_frame, self.bases));
        let found = match self.header {
            Some(_) => None,
            None => covering(in_eh_frame(), pc.0),
        };
        let in_debug_frame = || self.index.debug_frame.get_or_init(|| read_index(&self.debug_frame, self.bases));
        found.or_else(|| covering(in_debug_frame(), pc.0)).map(|fde| range(fde.start, fde.end))
    }

    /// Looks an address up in the search table of `.eh_frame_hdr`.
    fn search(&self, header: &ParsedEhFrameHdr<Slice<'a>>, pc: u64) -> Option<EhFrameOffset> {
        let pointer = header.table()?.lookup(pc, self.bases).ok()?.direct().ok()?;
        let offset = EhFrameOffset(usize::try_from(pointer.checked_sub(self.bases.eh_frame.section?)?).ok()?);
        let fde = self.eh_frame.fde_from_offset(self.bases, offset, EhFrame::cie_from_offset).ok()?;
        fde.contains(pc).then_some(offset)
    }
}

/// Returns whether the search table can be trusted: it is of this `.eh_frame`, and has as many entries as it claims.
fn usable(header: &ParsedEhFrameHdr<Slice<'_>>, sections: &FrameSections<'_>) -> bool {
    // The smallest entry is a pair of two-byte numbers.
    let most = sections.eh_frame_hdr.len() / 4;
    header.eh_frame_ptr().direct().ok() == sections.bases.eh_frame.section
        && header.table().is_some_and(|table| table.iter(&sections.bases).size_hint().0 <= most)
}

/// Reads all FDEs of a section by address. A malformed entry ends the list: where the next one starts is unknown then.
fn read_index<'a, S>(section: &S, bases: &BaseAddresses) -> Vec<IndexedFde>
where
    S: UnwindSection<Slice<'a>>,
{
    let mut fdes = Vec::new();
    let mut entries = section.entries(bases);
    while let Ok(Some(entry)) = entries.next() {
        let CieOrFde::Fde(partial) = entry else { continue };
        let Ok(fde) = partial.parse(S::cie_from_offset) else {
            continue;
        };
        // The linker leaves FDEs of discarded functions in .debug_frame, at address 0.
        if fde.initial_address() != 0 && fde.end_address() > fde.initial_address() {
            fdes.push(IndexedFde { start: fde.initial_address(), end: fde.end_address(), offset: fde.offset() });
        }
    }
    fdes.sort_by_key(|fde| fde.start);
    fdes
}

fn covering(fdes: &[IndexedFde], pc: u64) -> Option<IndexedFde> {
    let after = fdes.partition_point(|fde| fde.start <= pc);
    let found = *fdes.get(after.checked_sub(1)?)?;
    (pc < found.end).then_some(found)
}

fn row_of<'a, S: UnwindSection<Slice<'a>>>(
    section: &S,
    bases: &BaseAddresses,
    fde: &FrameDescriptionEntry<Slice<'a>>,
    pc: LinkAddr,
) -> gimli::Result<Option<UnwindTableRow<usize, Storage>>> {
    let mut context = UnwindContext::<usize, Storage>::new_in();
    match fde.unwind_info_for_address(section, bases, &mut context, pc.0) {
        Ok(row) => Ok(Some(row.clone())),
        Err(gimli::Error::NoUnwindInfoForAddress) => Ok(None),
        Err(error) => Err(error),
    }
}

impl<'a> Row<'a> {
    fn new(
        rules: UnwindTableRow<usize, Storage>,
        fde: &FrameDescriptionEntry<Slice<'a>>,
        section: RowSection<'a>,
    ) -> Self {
        Self {
            rules,
            section,
            encoding: fde.cie().encoding(),
            return_address: fde.cie().return_address_register(),
            signal_frame: fde.is_signal_trampoline(),
        }
    }

    fn cfa(&self, frame: &mut dyn FrameContext) -> Result<u64, Failure> {
        match self.rules.cfa() {
            CfaRule::RegisterAndOffset { register, offset } => frame
                .register(register.0)
                .map(|value| value.wrapping_add_signed(*offset))
                .ok_or(Failure::Register(register.0)),
            CfaRule::Expression(expression) => self.evaluate(expression, None, frame),
        }
    }

    /// Finds what a register was in the caller; `None` if its rule says that it was lost.
    fn restore(
        &self,
        register: Register,
        rule: &RegisterRule<usize>,
        cfa: u64,
        frame: &mut dyn FrameContext,
    ) -> Result<Option<u64>, Failure> {
        let known = |frame: &mut dyn FrameContext, r: Register| frame.register(r.0).ok_or(Failure::Register(r.0));
        match rule {
            RegisterRule::SameValue => known(frame, register).map(Some),
            RegisterRule::Register(other) => known(frame, *other).map(Some),
            RegisterRule::Offset(offset) => read_word(cfa.wrapping_add_signed(*offset), frame).map(Some),
            RegisterRule::ValOffset(offset) => Ok(Some(cfa.wrapping_add_signed(*offset))),
            RegisterRule::Expression(expression) => {
                let address = self.evaluate(expression, Some(cfa), frame)?;
                read_word(address, frame).map(Some)
            }
            RegisterRule::ValExpression(expression) => self.evaluate(expression, Some(cfa), frame).map(Some),
            RegisterRule::Constant(value) => Ok(Some(*value)),
            RegisterRule::Undefined | RegisterRule::Architectural => Ok(None),
        }
    }

    fn evaluate(
        &self,
        expression: &gimli::UnwindExpression<usize>,
        initial: Option<u64>,
        frame: &mut dyn FrameContext,
    ) -> Result<u64, Failure> {
        let expression = match &self.section {
            RowSection::Eh(section) => expression.get(section)?,
            RowSection::Debug(section) => expression.get(section)?,
        };
        run::run_for_number(expression, self.encoding, &NoReferents, frame, initial)
    }
}

fn read_word(address: u64, frame: &mut dyn FrameContext) -> Result<u64, Failure> {
    let mut word = [0u8; 8];
    if frame.read(address, &mut word) {
        Ok(u64::from_le_bytes(word))
    } else {
        Err(Failure::Memory { address, size: 8 })
    }
}

#[cfg(test)]
mod tests;
