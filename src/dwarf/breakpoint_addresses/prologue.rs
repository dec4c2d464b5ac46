//! Where a breakpoint on a function goes: after its prologue, once its arguments are in their places.
//!
//! These are GDB's rules, because its users expect them: code of gcc that describes variables by location lists needs
//! no skipping (they are right from the first instruction on); LLVM marks the end of the prologue in the line table;
//! for anything else the instructions of a prologue are recognised, and the rest of the line that they end in is
//! skipped.

use crate::elf::file::ElfFile;
use crate::lines::table::Row;
use crate::model::code::Function;
use crate::names::lookup::Names;
use crate::units::blocks::BlockKind;
use crate::units::entry::UnitEntry;
use arch::{Arch, LinkAddr};

impl Names<'_> {
    /// Returns the first address after the prologue: where a breakpoint on the function goes (second line-table line,
    /// as GDB does, or prologue_end where the compiler marks it).
    pub(crate) fn after_prologue(&self, f: &Function) -> LinkAddr {
        self.breakpoint_address(f.entry)
    }

    /// Returns where a breakpoint goes that was asked for at an address: to the end of the prologue if it is inside
    /// one.
    pub(crate) fn breakpoint_address(&self, asked: LinkAddr) -> LinkAddr {
        let Some(unit) = self.unit_at(asked) else {
            return frame_set_up(self.symbols.file(), asked);
        };
        if unit.starts_at_entry(self) {
            return asked;
        }
        let function = self.function_range_at(asked);
        let entry = function.map_or(asked, |(entry, _)| entry);
        let by_lines = self.marked_prologue_end(unit, entry).or_else(|| match self.symbols.arch() {
            // LLVM has a row before the prologue and one behind it, marked or not.
            Arch::X86_64 => unit.is_llvm(self).then(|| second_row(self, unit, entry)).flatten(),
            Arch::Aarch64 => second_row(self, unit, entry),
        });
        let mut pc = by_lines.unwrap_or_else(|| frame_set_up(self.symbols.file(), entry));
        if let (Some((row, end)), Some((start, function_end))) = (unit.lines(self).covering(pc.0), function) {
            // In the middle of a line: on to the next one, if it is still the same function's.
            if row.address != pc.0 && start.0 <= end && end < function_end.0 {
                pc = LinkAddr(end);
            }
        }
        // Code elsewhere, as that of a function's cold part before it, stays where it is.
        if (entry..pc).contains(&asked) { pc } else { asked }
    }
}

impl<'a> Names<'a> {
    /// Returns the entry and end of the function at an address; the end of the farthest part if it has several.
    fn function_range_at(&self, a: LinkAddr) -> Option<(LinkAddr, LinkAddr)> {
        let tree = self.block_tree_at(a)?;
        let function = tree.around(a).into_iter().find(|b| b.kind == BlockKind::Function)?;
        let start = function.ranges.first()?.0;
        Some((start, function.ranges.iter().map(|(_, end)| *end).max()?))
    }

    fn is_inlined_at(&self, a: LinkAddr) -> bool {
        let tree = self.block_tree_at(a);
        tree.is_some_and(|t| t.around(a).iter().any(|b| b.kind == BlockKind::Inlined))
    }
}

/// Finds the end of the prologue as the line table shows it: where the first line of the function that is not before
/// the first one begins. `None` if the whole function is one line.
fn second_row<'a>(d: &Names<'a>, unit: &UnitEntry<'a>, entry: LinkAddr) -> Option<LinkAddr> {
    let lines = unit.lines(d);
    let function_end = d.end_of_part_at(entry)?;
    let (mut row, mut end) = lines.covering(entry.0)?;
    // Two rows at the first instruction: a prologue without instructions.
    let same_file: Vec<&Row> = lines.rows().iter().filter(|r| r.file == row.file && r.address == row.address).collect();
    if same_file.iter().filter(|r| r.line != 0).count() > 1 && row.address == entry.0 {
        return Some(entry);
    }
    if end >= function_end {
        return None;
    }
    while end < function_end {
        let Some((next, next_end)) = lines.covering(end) else {
            break;
        };
        // A smaller line: instructions moved into the prologue, or an inlined function.
        if next.line >= row.line || next.file != row.file || d.is_inlined_at(LinkAddr(end)) {
            break;
        }
        (row, end) = (next, next_end);
    }
    Some(LinkAddr(if end < function_end { end } else { row.address }))
}

/// Returns the address after the instructions that set up a frame pointer; the function's entry if it does not begin
/// with them. Only x86-64 code without usable line information gets here.
fn frame_set_up(file: &ElfFile, entry: LinkAddr) -> LinkAddr {
    const ENDBR64: &[u8] = &[0xf3, 0x0f, 0x1e, 0xfa];
    const PUSH_RBP: &[u8] = &[0x55];
    const MOV_RSP_RBP: [&[u8]; 2] = [&[0x48, 0x89, 0xe5], &[0x48, 0x8b, 0xec]];
    // As many bytes as there are, up to the longest sequence.
    let code = (0..=32).rev().find_map(|len| file.bytes_at(entry, len)).unwrap_or_default();
    if file.arch != Arch::X86_64 {
        return entry;
    }
    let rest = skip_stack_alignment(code);
    let rest = rest.strip_prefix(ENDBR64).unwrap_or(rest);
    let after_push = rest.strip_prefix(PUSH_RBP);
    let after_move = after_push.and_then(|rest| MOV_RSP_RBP.iter().find_map(|m| rest.strip_prefix(*m)));
    match after_move {
        Some(rest) => LinkAddr(entry.0.saturating_add((code.len() - rest.len()) as u64)),
        None => entry,
    }
}

/// Skips what aligns the stack for `main` or for over-aligned locals: `lea 8(%rsp),%r10; and $-N,%rsp; push -8(%r10)`,
/// with any register, which may have been pushed before.
fn skip_stack_alignment(code: &[u8]) -> &[u8] {
    let parse = || {
        let (pushed, rest) = match code {
            [0x41, 0x50..=0x57, rest @ ..] => (true, rest),
            [0x50..=0x57, rest @ ..] => (true, rest),
            _ => (false, code),
        };
        let displacement = if pushed { 0x10 } else { 0x08 };
        let [0x48 | 0x4c, 0x8d, modrm, 0x24, offset, rest @ ..] = rest else {
            return None;
        };
        if modrm & 0xc7 != 0x44 || *offset != displacement {
            return None;
        }
        let rest = match rest {
            [0x48, 0x83, 0xe4, _, rest @ ..] => rest,
            [0x48, 0x81, 0xe4, _, _, _, _, rest @ ..] => rest,
            _ => return None,
        };
        match rest {
            [0x41, 0xff, 0x70..=0x77, 0xf8, rest @ ..] | [0xff, 0x70..=0x77, 0xf8, rest @ ..] => Some(rest),
            _ => None,
        }
    };
    parse().unwrap_or(code)
}

#[cfg(test)]
mod tests;
