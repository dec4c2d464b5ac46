//! Values as text, as GDB's `print` writes them with its default settings.
//!
//! Memory is read while the text is made, so that only what is shown is read, and within
//! [`Limits`](crate::Limits).

mod array;
mod budget;
mod class;
mod meaning;
mod pointer;
mod rust;
#[cfg(test)]
mod tests;

pub use budget::Answer;

use super::arith::{NotANumber, Number};
use super::bid::decimal_text;
use super::float::Float;
use super::format::{Format, Options};
use super::layout::{Dialect, array_of, array_parts, size_of, strip};
use super::meaning::is_iterator;
use super::rust_text;
use super::scalar::{self, Raw};
use super::spelling::type_name;
use super::text::{CharKind, char_kind, quote_string};
use super::{Encoding, Meaning, Member, Memory, Place, PointerKind, Record, Type, TypeRef, Unavailable, Value};
use budget::Shown;
use std::collections::HashSet;

/// The largest value of an unknown encoding that is shown byte by byte.
const MAX_RAW_BYTES: u64 = 64;

/// A value as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rendered {
    /// The text. A value that is not to be had is shown as GDB shows it inside a structure: `<optimized out>`.
    pub text: String,
    /// Whether something was left out because of the limits: `...` or `{...}` stands for it.
    pub truncated: bool,
    /// The element or character of the value itself that would have come next, if it has such and they are left out.
    pub next: Option<u64>,
    /// Why the value as a whole is not to be had.
    pub unavailable: Option<Unavailable>,
}

/// Renders what `print` shows: pointers, functions and references are preceded by their type.
pub fn render(value: &Value, memory: &mut dyn Memory, options: &Options) -> Rendered {
    Renderer::new(memory, options).run(value, Renderer::top_level)
}

/// Renders what `info locals` and a member of a structure show: pointers without their type.
pub fn render_member(value: &Value, memory: &mut dyn Memory, options: &Options) -> Rendered {
    Renderer::new(memory, options).run(value, |renderer, value| renderer.value(value, 0))
}

/// The text made so far.
struct Sink {
    text: String,
    limit: usize,
    truncated: bool,
    full: bool,
}

impl Sink {
    /// Adds a text that may have numbers in it.
    fn push(&mut self, text: &str) {
        self.add(text, without_part_of_number);
    }

    /// Adds the characters of a string.
    fn push_characters(&mut self, text: &str) {
        self.add(text, |text, cut| &text[..cut]);
    }

    fn add(&mut self, text: &str, up_to: impl FnOnce(&str, usize) -> &str) {
        if self.full {
            return;
        }
        let room = self.limit.saturating_sub(self.text.len());
        if text.len() <= room {
            self.text.push_str(text);
            return;
        }
        let cut = (0..=room).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
        self.text.push_str(up_to(text, cut));
        self.text.push_str("...");
        self.truncated = true;
        self.full = true;
    }

    /// Puts `mark` in place of what is left out.
    fn elide(&mut self, mark: &str) {
        self.push(mark);
        self.truncated = true;
    }
}

/// Returns a text up to a place, or up to the number or the offset of a symbol that the place is in: the first digits of
/// a number are another one.
fn without_part_of_number(text: &str, cut: usize) -> &str {
    let (head, tail) = text.split_at_checked(cut).unwrap_or((text, ""));
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-' | '+');
    let start = head.char_indices().rev().take_while(|(_, c)| is_part(*c)).last().map_or(cut, |(at, _)| at);
    let is_number = |text: &str| text.starts_with(|c: char| c.is_ascii_digit());
    let run = &head[start..];
    let offset = run.rfind('+').filter(|at| is_number(&run[at + 1..]));
    match tail.starts_with(is_part) {
        true if is_number(run.trim_start_matches(['-', '+'])) => &head[..start],
        true => &head[..start + offset.unwrap_or(run.len())],
        false => head,
    }
}

struct Renderer<'a> {
    memory: &'a mut dyn Memory,
    options: &'a Options,
    out: Sink,
    /// See [`Rendered::next`].
    next: Option<u64>,
    /// Addresses of virtual base classes that were shown.
    virtual_bases: HashSet<u64>,
    /// Names of virtual base classes that were shown, or said to be nowhere.
    named_bases: HashSet<String>,
    /// Addresses of the static members that are being shown.
    statics: HashSet<u64>,
    /// Rust's objects that were shown.
    shown: Shown,
}

impl<'a> Renderer<'a> {
    fn new(memory: &'a mut dyn Memory, options: &'a Options) -> Self {
        let out = Sink { text: String::new(), limit: options.limits.text, truncated: false, full: false };
        Self {
            memory,
            options,
            out,
            next: None,
            virtual_bases: HashSet::new(),
            named_bases: HashSet::new(),
            statics: HashSet::new(),
            shown: Shown::default(),
        }
    }

    fn run(mut self, value: &Value, show: impl FnOnce(&mut Self, &Value)) -> Rendered {
        self.show(value, show)
    }

    fn show(&mut self, value: &Value, show: impl FnOnce(&mut Self, &Value)) -> Rendered {
        let described = value.described(self.memory);
        let value = described.as_ref().unwrap_or(value);
        let unavailable = self.missing(value);
        match &unavailable {
            Some(reason) => self.out.push(&reason.to_string()),
            None => show(self, value),
        }
        let text = std::mem::take(&mut self.out.text);
        Rendered { text, truncated: self.out.truncated, next: self.next, unavailable }
    }

    /// Returns why nothing of a value can be shown. A value that is there in part is shown in part.
    fn missing(&mut self, value: &Value) -> Option<Unavailable> {
        match &value.place {
            Place::Unavailable(reason) => Some(reason.clone()),
            place if place.plain_bytes().is_some() && place.is_lost() => Some(Unavailable::OptimizedOut),
            Place::Memory(_) => {
                let is_aggregate = matches!(&*strip(&value.ty), Type::Record(_) | Type::Array { .. });
                let size = match value.bits {
                    Some(bits) => bits.bytes(),
                    None => size_of(&value.ty)?.min(if is_aggregate { 1 } else { MAX_RAW_BYTES }),
                };
                match size {
                    0 => None,
                    _ => value.read(self.memory, 0, size as usize).err(),
                }
            }
            _ => None,
        }
    }

    /// Returns the format, if it is another than one that leaves everything as it is.
    fn format(&self) -> Option<Format> {
        self.options.format.filter(|f| !matches!(f, Format::String | Format::Raw))
    }

    fn type_name(&self, ty: &TypeRef) -> String {
        type_name(ty, self.options.target.dialect)
    }

    fn top_level(&mut self, value: &Value) {
        if self.is_rust() {
            return self.rust_top_level(value);
        }
        if let Some(meaning) = self.referent_meaning(value) {
            return self.meaning(meaning, 0);
        }
        if let Some(real) = self.real_object(value) {
            let name = self.type_name(&real.ty);
            self.out.push(&format!("({name}) "));
            return self.value(&real, 0);
        }
        if let Type::Pointer { kind, .. } = &*strip(&value.ty) {
            let shows_type = match kind {
                PointerKind::Pointer if is_iterator(&value.ty) => false,
                PointerKind::Pointer => self.format().is_none() && !pointer::is_plain_string(&value.ty),
                PointerKind::Reference | PointerKind::RvalueReference => true,
            };
            if shows_type {
                let name = self.type_name(&value.ty);
                self.out.push(&format!("({name}) "));
            }
        }
        self.value(value, 0);
    }

    fn value(&mut self, value: &Value, depth: usize) {
        if self.out.full {
            return;
        }
        if self.memory.is_cancelled() {
            self.out.elide("<cut off: the time limit has passed, or the call was cancelled>...");
            self.out.full = true;
            return;
        }
        if let Some(array) = value.described(self.memory) {
            return self.value(&array, depth);
        }
        if let Place::Unavailable(reason) = &value.place {
            self.out.push(&reason.to_string());
            return;
        }
        let ty = strip(&value.ty);
        match &*ty {
            Type::Record(record) if self.is_rust() => self.once(value, record, depth),
            _ => match self.meaning_of(value) {
                Some(meaning) => self.meaning(meaning, depth),
                None => self.structure(value, &ty, depth),
            },
        }
    }

    /// Writes a value as the structure that it is.
    fn structure(&mut self, value: &Value, ty: &Type, depth: usize) {
        match ty {
            Type::Record(record) if self.is_rust() => self.rust_record(value, record, depth),
            Type::Record(record) => self.record(value, record, depth),
            Type::Array { .. } => self.array(value, depth),
            Type::Pointer { target, size, .. } if self.is_rust() => {
                self.rust_pointer(value, &target.get(), *size, depth);
            }
            Type::Pointer { kind: PointerKind::Pointer, target, size } => self.pointer(value, &target.get(), *size),
            Type::Pointer { target, size, .. } => self.reference(value, &target.get(), *size, depth),
            Type::MemberPointer { class, target, .. } => self.member_pointer(value, &class.get(), &target.get(), depth),
            Type::Function { .. } => self.function(value),
            Type::Void => self.out.push("void"),
            Type::Base { size: 0, .. } if self.is_rust() => self.out.push("()"),
            Type::Base { .. } | Type::Enumeration(_) => self.scalar(value, ty),
            Type::Described { .. } => self.out.push("<array without a descriptor>"),
            Type::Opaque(text) => self.out.push(&format!("<{text}>")),
            Type::Typedef { .. } | Type::Qualified { .. } | Type::Indirect => self.out.push("<incomplete type>"),
        }
    }

    fn is_rust(&self) -> bool {
        self.options.target.dialect == Dialect::Rust
    }

    /// Returns whether the nesting limit stops here; if so, writes that.
    fn too_deep(&mut self, depth: usize) -> bool {
        let stop = depth >= self.options.limits.depth;
        if stop {
            self.out.elide("{...}");
        }
        stop
    }

    fn scalar(&mut self, value: &Value, ty: &Type) {
        let text = match value.number(self.memory, self.options.target) {
            Ok(number) => self.number(value, ty, number),
            Err(NotANumber::Unavailable(reason)) => reason.to_string(),
            Err(NotANumber::Type) => self.uncomputed(value, ty),
        };
        self.out.push(&text);
    }

    fn number(&mut self, value: &Value, ty: &Type, number: Number) -> String {
        let raw = self.raw(value, ty, number);
        let formatted = self.format().and_then(|format| match number {
            Number::Complex(real, imaginary) => {
                Some(format!("{} + {}i", self.float(format, real), self.float(format, imaginary)))
            }
            Number::Float(float) => Some(self.float(format, float)),
            Number::Integer(_) => scalar::format_raw(format, raw, self.memory),
        });
        formatted.unwrap_or_else(|| match (number, ty) {
            (Number::Integer(integer), Type::Enumeration(e)) => scalar::enumerator(e, integer),
            (Number::Integer(integer), Type::Base { encoding: Encoding::Utf, .. }) if self.is_rust() => {
                rust_text::character(integer.bits() as u32)
            }
            (Number::Integer(integer), Type::Base { encoding: Encoding::UnsignedChar, .. }) if self.is_rust() => {
                format!("{} {}", integer.bits(), rust_text::byte(integer.bits() as u8))
            }
            (_, Type::Base { encoding, .. }) => scalar::natural(number, *encoding, char_kind(&value.ty), raw.bits),
            _ => scalar::natural(number, Encoding::Other, None, raw.bits),
        })
    }

    fn float(&mut self, format: Format, value: Float) -> String {
        scalar::format_float_value(format, value, self.memory)
            .or_else(|| scalar::format_raw(format, Raw::of(Number::Float(value)), self.memory))
            .unwrap_or_default()
    }

    /// Reads the bits of a number; of a `_Bool` those that are stored, which may be neither 0 nor 1.
    fn raw(&mut self, value: &Value, ty: &Type, number: Number) -> Raw {
        if let Type::Base { encoding: Encoding::Bool, size, .. } = ty {
            let bits =
                match value.bits {
                    Some(bits) => value.field_bits(self.memory, bits).ok(),
                    None => value.scalar_bytes(self.memory).ok().flatten().map(|bytes| {
                        bytes.iter().take(16).rev().fold(0u128, |bits, byte| bits << 8 | u128::from(*byte))
                    }),
                };
            return Raw::new(bits.unwrap_or_default(), *size, false);
        }
        Raw::of(number)
    }

    /// Writes a number that is not computed with: a decimal float, a pair of integers, or one in a notation that is not
    /// known here, by its bytes.
    fn uncomputed(&mut self, value: &Value, ty: &Type) -> String {
        let Some(size) = size_of(&value.ty).filter(|size| *size <= MAX_RAW_BYTES) else {
            return "<unknown encoding>".to_owned();
        };
        let encoding = if let Type::Base { encoding, .. } = ty { *encoding } else { Encoding::Other };
        let bytes = match encoding {
            Encoding::ComplexSigned | Encoding::Decimal => {
                value.scalar_bytes(self.memory).map(Option::unwrap_or_default)
            }
            _ => value.read(self.memory, 0, size as usize),
        };
        let bytes = match bytes {
            Ok(bytes) => bytes,
            Err(reason) => return reason.to_string(),
        };
        let natural = match (encoding, self.format()) {
            (Encoding::ComplexSigned, _) if size <= 32 => {
                let (real, imaginary) = bytes.split_at(bytes.len() / 2);
                Some(format!("{} + {}i", self.signed(real), self.signed(imaginary)))
            }
            (Encoding::Decimal, None | Some(Format::Float)) => decimal_text(&bytes),
            _ => None,
        };
        natural.unwrap_or_else(|| {
            let raw = bytes.iter().rev().fold("0x".to_owned(), |text, byte| text + &format!("{byte:02x}"));
            match self.format() {
                Some(_) => raw,
                None => format!("<unavailable: the debug info does not say what kind of number {raw} is>"),
            }
        })
    }

    /// Writes a signed integer.
    fn signed(&mut self, bytes: &[u8]) -> String {
        let bits = bytes.iter().rev().fold(0, |bits, byte| bits << 8 | u128::from(*byte));
        let raw = Raw::new(bits, bytes.len() as u64, true);
        let text = self.format().and_then(|format| scalar::format_raw(format, raw, self.memory));
        text.unwrap_or_else(|| raw.as_signed().to_string())
    }
}
