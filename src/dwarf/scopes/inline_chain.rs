//! Which functions, real and inlined, and which blocks an address is in (DWARF 5 section 3.3).
//!
//! The walk is our own rather than `addr2line`'s: its context is not `Sync`, and it gives names where the callers of
//! this module need DIEs (for variables) and entry addresses (for stepping).

use crate::model::code::{Function, InlineFrame};
use crate::names::display::display_name;
use crate::names::lookup::Names;
use crate::units::attributes::is_flag_set;
use crate::units::blocks::BlockKind;
use crate::units::ranges::entry_address;
use arch::LinkAddr;
use base::qualified::bounded;

impl Names<'_> {
    /// Finds the out-of-line function that contains the address; from the symbol table if there is no DWARF for it.
    pub(crate) fn function_at(&self, a: LinkAddr) -> Option<Function> {
        let described = || {
            let (entry, die) = self.function_die_at(a)?;
            self.described_function(entry.id_of(die)?)
        };
        described().or_else(|| self.symbols.symbol_function_at(a))
    }

    /// Returns the functions that are inlined at an address, innermost first; the last one is the real function. Empty
    /// if nothing is known.
    pub(crate) fn inline_chain(&self, a: LinkAddr) -> Vec<InlineFrame> {
        let mut chain = self.inline_frames(a).unwrap_or_default();
        if let Some(outermost) = chain.last_mut() {
            if let Some(function) = self.function_at(a).filter(|f| f.die == outermost.die) {
                outermost.name = function.name;
            }
            return chain;
        }
        let line = self.line_at(a);
        let from_symbol = |f: Function| InlineFrame {
            die: None,
            is_main: f.name == "main",
            name: f.name,
            file: line.as_ref().map(|l| l.file.clone()),
            line: line.as_ref().map(|l| l.line),
            column: line.as_ref().map(|l| l.column).filter(|c| *c != 0),
            inlined: false,
            entry: Some(f.entry),
            begins: false,
        };
        let stub = || {
            let stub = self.symbols.stub_at(a)?;
            let ranges = vec![(stub.start, stub.end)];
            Some(Function {
                die: None,
                name: stub.name,
                linkage_name: None,
                entry: stub.start,
                ranges,
                file: None,
                line: None,
            })
        };
        self.symbols.symbol_function_at(a).or_else(stub).map(from_symbol).into_iter().collect()
    }
}

impl<'a> Names<'a> {
    fn inline_frames(&self, a: LinkAddr) -> Option<Vec<InlineFrame>> {
        let (entry, function) = self.function_die_at(a)?;
        let unit = entry.unit(self)?;
        let tree = self.block_tree(entry, function)?;
        let (row, _) = entry.lines(self).covering(a.0).unzip();
        let mut file = row.and_then(|r| entry.files(self).files.get(r.file as usize).cloned());
        let mut line = row.map(|r| r.line);
        let mut column = row.map(|r| r.column).filter(|c| *c != 0);
        let mut chain = Vec::new();
        for block in tree.around(a).into_iter().rev() {
            if !matches!(block.kind, BlockKind::Function | BlockKind::Inlined) {
                continue;
            }
            let inlined = block.kind == BlockKind::Inlined;
            let die = entry.offset_of(block.die).and_then(|o| unit.entry(o).ok());
            let entered = die.as_ref().and_then(|die| entry_address(unit, die));
            chain.push(InlineFrame {
                die: Some(block.die),
                name: display_name(self, block.die).map(|name| bounded(&name).into_owned()).unwrap_or_default(),
                file: file.take(),
                line: line.take(),
                column: column.take(),
                inlined,
                is_main: false,
                entry: entered,
                begins: inlined && (entered == Some(a) || block.begins_piece(a)),
            });
            if !inlined && let Some(frame) = chain.last_mut() {
                frame.is_main =
                    frame.name == "main" || die.is_some_and(|die| is_flag_set(&die, gimli::DW_AT_main_subprogram));
            } else if let Some(die) = die {
                let number = |name| die.attr_value(name).and_then(|v| v.udata_value());
                file = entry.file_of(self, &die, gimli::DW_AT_call_file);
                let small = |name| number(name).and_then(|n| u32::try_from(n).ok()).filter(|n| *n != 0);
                line = small(gimli::DW_AT_call_line);
                column = small(gimli::DW_AT_call_column);
            }
        }
        Some(chain)
    }
}

#[cfg(test)]
mod tests;
