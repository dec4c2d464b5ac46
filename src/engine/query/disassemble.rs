//! Code as assembler text, with the symbols and lines that belong to it.

use crate::api::error::Error;
use crate::query::lookup::LineSpan;
use crate::run::session::Session;
use crate::session::engine::Engine;
use arch::{RunAddr, Syntax, assembly};

/// Most instructions in one answer.
const MAX_INSTRUCTIONS: usize = 20_000;

/// An instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodeLine {
    /// Where it is.
    pub address: RunAddr,
    /// Its bytes, as the program's file has them.
    pub bytes: Vec<u8>,
    /// Mnemonic and operands, with the symbols of the addresses in them, as GDB prints them.
    pub text: String,
    /// The function or other symbol that it is in, and its offset there.
    pub symbol: Option<(String, u64)>,
    /// The line that it belongs to.
    pub line: Option<LineSpan>,
}

impl Engine {
    /// Disassembles the instructions from `start` on: to `end` if that is given, and at most `count`.
    ///
    /// They are read from the program's file where it has them, because rr patches the process's memory.
    pub fn disassemble(
        &mut self,
        start: RunAddr,
        end: Option<RunAddr>,
        count: usize,
        syntax: Syntax,
    ) -> Result<Vec<CodeLine>, Error> {
        self.with(|s| s.disassemble(start, end, count, syntax))
    }
}

impl Session {
    fn disassemble(
        &mut self,
        start: RunAddr,
        end: Option<RunAddr>,
        count: usize,
        syntax: Syntax,
    ) -> Result<Vec<CodeLine>, Error> {
        self.debuggee.catch_up()?;
        let arch = self.debuggee.inferior.process.arch();
        let mut lines: Vec<CodeLine> = Vec::new();
        let mut at = start;
        while lines.len() < count.min(MAX_INSTRUCTIONS) && end.is_none_or(|end| at < end) {
            let inferior = &mut self.debuggee.inferior;
            let bytes = inferior.modules.code(&mut inferior.process, at);
            let Some(found) = assembly(arch, &bytes, at, syntax) else {
                if lines.is_empty() {
                    return Err(Error::Expression(format!("Cannot access memory at address {at}")));
                }
                break;
            };
            let mut text = found.text;
            if let Some(target) = found.target
                && let Some(symbol) = self.named(target)?
            {
                text.push_str(&format!(" {symbol}"));
            }
            if let Some(operand) = found.operand {
                text.push_str(&format!("        # {operand}"));
                if let Some(symbol) = self.named(operand)? {
                    text.push_str(&format!(" {symbol}"));
                }
            }
            let length = usize::try_from(found.length).unwrap_or(1);
            lines.push(CodeLine {
                address: at,
                bytes: bytes.get(..length).unwrap_or(&bytes).to_vec(),
                text,
                symbol: self.symbol_at(at)?.map(|s| (s.name, s.offset)),
                line: self.line_at(at)?,
            });
            let Some(next) = at.0.checked_add(found.length) else { break };
            at = RunAddr(next);
        }
        Ok(lines)
    }

    /// Returns the name of an address: `<main+4>`.
    fn named(&mut self, address: RunAddr) -> Result<Option<String>, Error> {
        Ok(self.symbol_at(address)?.map(|s| match s.offset {
            0 => format!("<{}>", s.name),
            n => format!("<{}+{n}>", s.name),
        }))
    }
}
