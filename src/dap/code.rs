//! Machine code, memory, modules and the text of sources.

use super::arguments::{Disassemble, Modules, ReadMemory, SourceText};
use super::bodies;
use super::message::{Refusal, body_of};
use super::session::Session;
use crate::replay::{self, Instruction, Replay};
use arch::{RunAddr, Syntax};
use base::untrusted::{Refused, one_line};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use engine::Error;
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::io::Read;
use std::path::Path;

/// Most instructions in one answer, and between the address that is asked about and the first of them.
const MOST_INSTRUCTIONS: u64 = 5000;
/// Most bytes of memory in one answer.
const MOST_BYTES: u64 = 1 << 20;
/// Most instructions of a function or symbol that are read to find those at its end.
const LONGEST_WAY: usize = 20_000;
/// What can be read as a whole or not at all.
const PAGE: u64 = 4096;
/// Most source files in one answer.
const MOST_SOURCES: usize = 10_000;
/// Largest source file that is sent.
const LARGEST_SOURCE: u64 = 16 << 20;

/// Reads an address as editors give it back.
pub(super) fn address_of(reference: &str) -> Result<u64, Refusal> {
    let found = match reference.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => reference.parse().ok(),
    };
    found.ok_or_else(|| Refusal::new(format!("`{reference}` is not an address")))
}

/// Disassembles so many instructions before an address, as many as can be told: code is read forward, from the
/// beginning of a function or symbol.
fn before(replay: &mut Replay, address: u64, count: usize) -> Result<VecDeque<Instruction>, Refusal> {
    let (mut found, mut end) = (VecDeque::new(), address);
    while found.len() < count {
        let Some(start) = beginning(replay, end)? else { break };
        let block = replay
            .with_engine(|engine| engine.disassemble(RunAddr(start), Some(RunAddr(end)), LONGEST_WAY, Syntax::Att))?;
        let block = block.map(|lines| lines.into_iter().map(Instruction::from).collect::<Vec<_>>());
        let block = readable(block.map_err(replay::Error::from))?;
        let fits = block.last().is_some_and(|last| last.address + last.bytes.len() as u64 == end);
        if !fits {
            break;
        }
        block.into_iter().rev().for_each(|instruction| found.push_front(instruction));
        end = start;
    }
    found.drain(..found.len().saturating_sub(count));
    Ok(found)
}

/// Returns the instructions that were read; none where no code can be read.
fn readable(read: replay::Result<Vec<Instruction>>) -> Result<Vec<Instruction>, Refusal> {
    match read {
        Err(error) if error.is_fatal() || error.kind() == replay::ErrorKind::Cancelled => Err(error.into()),
        read => Ok(read.unwrap_or_default()),
    }
}

/// Finds where the function or symbol begins that has the byte before an address.
fn beginning(replay: &mut Replay, end: u64) -> Result<Option<u64>, Refusal> {
    let Some(last) = end.checked_sub(1) else { return Ok(None) };
    let known = replay.with_engine(|engine| {
        let function = engine.function_at(RunAddr(last))?;
        let range = function
            .and_then(|function| function.ranges.into_iter().find(|(start, end)| (start.0..end.0).contains(&last)));
        Ok::<_, Error>(match range {
            Some((start, _)) => Some(start.0),
            None => engine.symbol_at(RunAddr(last))?.and_then(|symbol| last.checked_sub(symbol.offset)),
        })
    })?;
    let start = known.map_err(replay::Error::from)?;
    // Where so much has no symbol, nothing tells where an instruction begins.
    Ok(start.filter(|start| *start < end && end - start <= 1 << 20))
}

impl Session {
    pub(super) fn disassemble(&mut self, arguments: &Disassemble) -> Result<Value, Refusal> {
        let count = within_limits(arguments.instruction_count)?;
        let away = within_limits(arguments.instruction_offset.unsigned_abs())?;
        let (back, skipped) = if arguments.instruction_offset < 0 { (away, 0) } else { (0, away) };
        let address = address_of(&arguments.memory_reference)?.wrapping_add_signed(arguments.offset);
        let replay = self.replay()?;
        let mut found = before(replay, address, back)?;
        // An editor counts on having as many as it has asked for: where nothing is known, each byte is one.
        let missing = back - found.len();
        let first = found.front().map_or(address, |instruction| instruction.address);
        let mut told: Vec<bodies::Instruction> =
            (1..=missing as u64).rev().map(|back| invalid(first.wrapping_sub(back))).collect();
        let behind = readable(replay.instructions(address, (skipped + count).saturating_sub(back)))?;
        let end = behind.last().map_or(address, |last| last.address.wrapping_add(last.bytes.len() as u64));
        let mut unknown = end.wrapping_add(skipped.saturating_sub(behind.len()) as u64);
        found.extend(behind.into_iter().skip(skipped));
        told.extend(found.into_iter().map(|instruction| self.instruction(&instruction)));
        told.truncate(count);
        while told.len() < count {
            told.push(invalid(unknown));
            unknown = unknown.wrapping_add(1);
        }
        Ok(body_of(json!({"instructions": told})))
    }

    fn instruction(&self, instruction: &Instruction) -> bodies::Instruction {
        let bytes: Vec<String> = instruction.bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        let symbol = instruction.function.as_ref().map(|(name, offset)| match offset {
            0 => name.clone(),
            offset => format!("{name}+{offset}"),
        });
        let location = instruction.location.as_ref();
        bodies::Instruction {
            address: format!("{:#x}", instruction.address),
            instruction_bytes: Some(bytes.join(" ")),
            instruction: instruction.text.clone(),
            symbol,
            location: location.map(|location| self.sources.source(location)),
            line: location.map(|location| self.editor.line(location.line)),
            presentation_hint: None,
        }
    }

    pub(super) fn read_memory(&mut self, arguments: &ReadMemory) -> Result<Value, Refusal> {
        let address = address_of(&arguments.memory_reference)?.wrapping_add_signed(arguments.offset);
        let count = arguments.count.min(MOST_BYTES).min(u64::MAX - address);
        let replay = self.replay()?;
        let mut bytes = Vec::new();
        while (bytes.len() as u64) < count {
            let at = address + bytes.len() as u64;
            let length = (PAGE - at % PAGE).min(count - bytes.len() as u64);
            match replay.memory(at, usize::try_from(length).unwrap_or_default()) {
                Ok(read) => bytes.extend(read),
                Err(error) if error.kind() == replay::ErrorKind::Memory => break,
                Err(error) => return Err(error.into()),
            }
        }
        let unreadable = (count - bytes.len() as u64 > 0).then_some(count - bytes.len() as u64);
        let data = (!bytes.is_empty()).then(|| STANDARD.encode(&bytes));
        Ok(body_of(json!({"address": format!("{address:#x}"), "unreadableBytes": unreadable, "data": data})))
    }

    /// Lists the source files of the program and its libraries.
    pub(super) fn loaded_sources(&mut self) -> Result<Value, Refusal> {
        let found = self.replay()?.with_engine(|engine| engine.sources(MOST_SOURCES))?;
        let found = found.map_err(replay::Error::from)?;
        let sources: Vec<bodies::Source> =
            found.iter().map(|(name, path)| self.sources.source_of(name, Some(path))).collect();
        Ok(body_of(json!({"sources": sources})))
    }

    pub(super) fn modules(&mut self, arguments: &Modules) -> Result<Value, Refusal> {
        let all = self.replay()?.modules()?;
        let total = all.len();
        let count = if arguments.module_count == 0 { total } else { arguments.module_count };
        let page = all.into_iter().skip(arguments.start_module).take(count).map(|module| bodies::Module {
            id: module.name.clone(),
            symbol_status: module.no_debug_info.unwrap_or_else(|| "debug info is there".to_owned()),
            address_range: module.range.map(|range| format!("{:#x}-{:#x}", range.start, range.end)),
            path: module.file.map(|path| one_line(&path).into_owned()),
            name: module.name,
        });
        Ok(body_of(json!({"modules": page.collect::<Vec<_>>(), "totalModules": total})))
    }

    pub(super) fn source_text(&mut self, arguments: &SourceText) -> Result<Value, Refusal> {
        let path = arguments.source.path.as_deref().ok_or_else(|| Refusal::new("the source has no path"))?;
        let path = self.sources.here(path);
        let unreadable = |why: String| Refusal::new(format!("{path}: {why}"));
        let file = self.sources.access().open(Path::new(&path)).map_err(|refused| match refused {
            Refused::Io(_) | Refused::NotRegular => unreadable("the file does not exist on this machine".to_owned()),
            refused => unreadable(refused.to_string()),
        })?;
        let mut bytes = Vec::new();
        file.take(LARGEST_SOURCE).read_to_end(&mut bytes).map_err(|error| unreadable(error.to_string()))?;
        Ok(json!({"content": String::from_utf8_lossy(&bytes)}))
    }
}

/// Returns a number of instructions, if it is not more than are told.
fn within_limits(count: u64) -> Result<usize, Refusal> {
    let small = usize::try_from(count).ok().filter(|_| count <= MOST_INSTRUCTIONS);
    small.ok_or_else(|| Refusal::new(format!("{count} instructions are more than {MOST_INSTRUCTIONS}")))
}

/// Returns what stands for an instruction where none is known.
fn invalid(address: u64) -> bodies::Instruction {
    bodies::Instruction {
        address: format!("{address:#x}"),
        instruction: "(not known)".to_owned(),
        presentation_hint: Some("invalid"),
        ..bodies::Instruction::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read_as_they_were_given() {
        assert_eq!(address_of("0x401136").ok(), Some(0x40_1136));
        assert_eq!(address_of("16").ok(), Some(16));
        assert_eq!((address_of("main").ok(), address_of("0x").ok()), (None, None));
    }
}
