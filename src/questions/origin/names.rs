//! What memory is called, and values are shown as.

use super::snapshot::Snapshot;
use crate::frame::{Frame, XMM0};
use crate::part::{Part, part_of};
use crate::program::{ARCH, Program};
use arch::{LinkAddr, RunAddr};
use ctype::layout::size_of;
use ctype::{Dialect, Encoding, Target, Type, TypeRef};
use dwarf::{FrameContext, Image, Location, Variable};
use std::sync::Arc;

/// Farthest that a frame's variables are from its stack pointer.
const FAR: u64 = 1 << 20;

/// What some memory is called.
#[derive(Clone, Debug)]
pub(super) struct Name {
    pub(super) text: String,
    /// What part of which object it is.
    pub(super) part: Option<(Part, Target)>,
    /// It is a parameter, as a whole.
    pub(super) is_argument: bool,
}

impl Name {
    /// Returns the name as it is told where a value comes from: of a number whose high bytes are left out, so that
    /// nobody takes it for all of it.
    pub(super) fn told(self, length: usize) -> String {
        let is_low = self.part.as_ref().is_some_and(|(part, _)| part.number_around().is_some());
        match self.text.strip_suffix("+0").filter(|_| is_low) {
            Some(whole) => format!("the low {length} byte{} of {whole}", if length == 1 { "" } else { "s" }),
            None => self.text,
        }
    }
}

/// Returns the language of some code.
pub(super) fn target_at(image: &Image, at: LinkAddr) -> Target {
    let dialect = match image.language_at(at) {
        Some("rust") => Dialect::Rust,
        Some("c++") => Dialect::Cxx,
        _ => Dialect::C,
    };
    Target { arch: ARCH, dialect }
}

/// Returns what memory is called in the function that a thread was in.
pub(super) fn of_memory(program: &Program, state: &Snapshot, address: u64, length: u64) -> Name {
    local(program, state, address, length).or_else(|| global(program, state, address, length)).unwrap_or_else(|| {
        let text = format!("{length} byte{} at {address:#x}", if length == 1 { "" } else { "s" });
        Name { text, part: None, is_argument: false }
    })
}

fn local(program: &Program, state: &Snapshot, address: u64, length: u64) -> Option<Name> {
    let near = |register: Option<u64>| register.is_some_and(|value| address.abs_diff(value) < FAR);
    if !near(state.sp()) && !near(state.register(6)) && !near(state.frame) {
        return None;
    }
    let (module, bias) = program.at(state.pid, state.mapped(), state.pc)?;
    let (image, link) = (&module.image, RunAddr(state.pc).linked(bias));
    let mut known = state.clone();
    let mut frame = Frame::new(&mut known, image, link);
    frame.known_cfa = state.frame;
    let cfa = frame.cfa();
    frame.known_cfa = cfa;
    frame.for_places = true;
    let levels = image.inline_chain(link).len();
    let mut best: Option<(Variable, u64)> = None;
    for level in 0..levels {
        for variable in image.variables_at(link, level) {
            let Location::Memory(start) = image.variable_location(&variable, &mut frame) else { continue };
            let Some(size) = size_of(&variable.ty) else { continue };
            let holds = start <= address && address.saturating_add(length) <= start.saturating_add(size);
            let is_better = best.as_ref().is_none_or(|(known, _)| known.depth < variable.depth);
            if holds && is_better {
                best = Some((variable, start));
            }
        }
    }
    let (variable, start) = best?;
    let part = part_of(&variable.ty, None, address - start, length);
    let is_argument = variable.is_argument && part.path.is_empty();
    let text = format!("{}{}", variable.name, part.path);
    Some(Name { text, part: Some((part, target_at(image, link))), is_argument })
}

fn global(program: &Program, state: &Snapshot, address: u64, length: u64) -> Option<Name> {
    let (module, bias) = program.at(state.pid, state.mapped(), address)?;
    let (image, link) = (&module.image, RunAddr(address).linked(bias));
    let symbol = image.symbol_at(link).filter(|symbol| !symbol.is_code)?;
    let offset = link.0.checked_sub(symbol.address.0)?;
    if symbol.size != 0 && offset.saturating_add(length) > symbol.size {
        return None;
    }
    let mut nothing = state.clone();
    let mut frame = Frame::new(&mut nothing, image, link);
    let is_it = |variable: &Variable, frame: &mut Frame<'_>| {
        image.variable_location(variable, frame) == Location::Memory(symbol.address.0)
    };
    // A variable of a function has its name behind that of the function.
    let bare = symbol.display.rsplit("::").next().unwrap_or(&symbol.display);
    let bare = bare.split('.').next().unwrap_or(bare);
    let mut named = image.globals_named(None, &symbol.display);
    named.extend(image.globals_named(None, bare));
    let found = named.into_iter().find(|variable| is_it(variable, &mut frame));
    let target = target_at(image, RunAddr(state.pc).linked(bias));
    Some(match found {
        Some(variable) => {
            let part = part_of(&variable.ty, None, offset, length);
            let text = format!("{}{}", variable.name, part.path);
            Name { text, part: Some((part, target)), is_argument: false }
        }
        None => {
            let text = if offset == 0 { symbol.display } else { format!("{}+{offset}", symbol.display) };
            Name { text, part: None, is_argument: false }
        }
    })
}

/// A parameter that a function is given in a register.
pub(super) struct Parameter {
    /// Empty if that is not known.
    pub(super) name: String,
    /// From 1, among those of its kind.
    pub(super) number: usize,
    pub(super) ty: Option<TypeRef>,
}

/// Returns the parameter that a function is given in a register.
pub(super) fn parameter(program: &Program, state: &Snapshot, number: u16) -> Option<Parameter> {
    /// DWARF numbers of the registers that arguments are passed in (System V ABI for AMD64, section 3.2.3).
    const PASSED_IN: [u16; 6] = [5, 4, 1, 2, 8, 9];
    /// And how many of the vector registers, from the first on.
    const PASSED_IN_VECTORS: u16 = 8;
    let place = match number.checked_sub(XMM0) {
        Some(place) if place < PASSED_IN_VECTORS => usize::from(place),
        Some(_) => return None,
        None => PASSED_IN.iter().position(|passed| *passed == number)?,
    };
    let (module, bias) = program.at(state.pid, state.mapped(), state.pc)?;
    let (image, link) = (&module.image, RunAddr(state.pc).linked(bias));
    let level = image.inline_chain(link).len().saturating_sub(1);
    let variables = image.variables_at(link, level);
    let mut known = state.clone();
    let mut frame = Frame::new(&mut known, image, link);
    let named = variables.iter().find(|variable| {
        variable.is_argument && image.variable_location(variable, &mut frame) == Location::Register(number)
    });
    Some(Parameter {
        name: named.map(|variable| variable.name.clone()).unwrap_or_default(),
        number: place + 1,
        ty: named.map(|variable| variable.ty.clone()),
    })
}

/// Returns a value as a floating-point number.
pub(super) fn float(bytes: &[u8]) -> String {
    let name = match bytes.len() {
        4 => "float",
        8 => "double",
        _ => return number(bytes),
    };
    let size = bytes.len() as u64;
    let ty = Arc::new(Type::Base { name: name.to_owned(), encoding: Encoding::Float, size });
    let target = Target { arch: ARCH, dialect: Dialect::C };
    part_of(&(ty as TypeRef), None, 0, size).shown(bytes, target, &mut |_| None)
}

/// Returns a value as a number.
pub(super) fn number(bytes: &[u8]) -> String {
    let mut wide = [0; 8];
    let Some(room) = wide.get_mut(..bytes.len()) else { return hexadecimal(bytes) };
    room.copy_from_slice(bytes);
    let unsigned = u64::from_le_bytes(wide);
    let bits = 64 - u32::try_from(bytes.len() * 8).unwrap_or(64);
    let signed = (unsigned << bits.min(63)).cast_signed() >> bits.min(63);
    let signed = if bits == 64 { 0 } else { signed };
    if (-9..=9).contains(&signed) { format!("{signed}") } else { format!("{signed} ({unsigned:#x})") }
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_signed_by_their_width() {
        assert_eq!(number(&[5, 0, 0, 0]), "5");
        assert_eq!(number(&[0xfe, 0xff]), "-2");
        assert_eq!(number(&[0xe8, 3, 0, 0, 0, 0, 0, 0]), "1000 (0x3e8)");
        assert_eq!(number(&[0x80]), "-128 (0x80)");
        assert_eq!(number(&[]), "0");
        assert_eq!((float(&2.5f64.to_le_bytes()).as_str(), float(&(-0.5f32).to_le_bytes()).as_str()), ("2.5", "-0.5"));
        assert_eq!(number(&[1; 9]), "01 01 01 01 01 01 01 01 01");
    }
}
