//! Numbers as text: naturally by their type, or in one of the formats of [`Format`].

use super::arith::{Integer, Number};
use super::decimal::format_float;
use super::float::{Float, FloatFormat};
use super::format::Format;
use super::text::{CharKind, quote_char};
use super::{Encoding, Enumeration, Memory};

/// The bits of a scalar, as the formats that ignore its meaning see them.
#[derive(Clone, Copy)]
pub(super) struct Raw {
    /// The bits, zero-extended.
    pub bits: u128,
    /// Size of the type in bytes, 1–16.
    pub size: u32,
    /// Whether the type has negative values.
    pub signed: bool,
}

impl Raw {
    pub(super) fn new(bits: u128, size: u64, signed: bool) -> Self {
        let size = size.clamp(1, 16) as u32;
        let unused = 128 - 8 * size;
        Self { bits: bits << unused >> unused, size, signed }
    }

    /// Returns the bits of a number: of a float those that it is stored as.
    pub(super) fn of(number: Number) -> Self {
        match number {
            Number::Integer(i) => Self::new(i.bits(), i.ty().size(), i.ty().signed),
            Number::Float(f) | Number::Complex(f, _) => Self::new(f.bits, f.format.size() as u64, true),
        }
    }

    pub(super) fn as_signed(self) -> i128 {
        let unused = 128 - 8 * self.size;
        (self.bits << unused) as i128 >> unused
    }
}

/// Formats a scalar; `None` if it is to be shown naturally: for [`Format::String`] and [`Format::Raw`], and if it is too
/// large to be an address or a character.
pub(super) fn format_raw(format: Format, raw: Raw, memory: &mut dyn Memory) -> Option<String> {
    Some(match format {
        Format::Address | Format::Char if raw.size > 8 => return None,
        Format::Hex => format!("{:#x}", raw.bits),
        Format::ZeroHex => format!("{:#0width$x}", raw.bits, width = 2 + 2 * raw.size as usize),
        Format::Decimal => raw.as_signed().to_string(),
        Format::Unsigned => raw.bits.to_string(),
        Format::Octal if raw.bits == 0 => "0".to_owned(),
        Format::Octal => format!("0{:o}", raw.bits),
        Format::Binary => format!("{:b}", raw.bits),
        Format::Address => address(if raw.signed { raw.as_signed() as u64 } else { raw.bits as u64 }, memory),
        Format::Char => character(raw),
        Format::Float => match float_format(raw.size) {
            Some(format) => format_float(Float { format, bits: significant(format, raw.bits) }),
            None if raw.signed => raw.as_signed().to_string(),
            None => raw.bits.to_string(),
        },
        Format::String | Format::Raw => return None,
    })
}

/// Formats a float in a format that looks at its value, not its bits; `None` for the other formats.
pub(super) fn format_float_value(format: Format, value: Float, memory: &mut dyn Memory) -> Option<String> {
    match format {
        Format::Float => Some(format_float(value)),
        Format::Address | Format::Char => {
            // What no register holds is shown as it is.
            let whole = value.to_integer().filter(|(_, magnitude)| *magnitude <= u128::from(u64::MAX));
            let Some((negative, magnitude)) = whole else { return Some(format_float(value)) };
            let bits = if negative { magnitude.wrapping_neg() } else { magnitude };
            format_raw(format, Raw::new(bits, 8, true), memory)
        }
        _ => None,
    }
}

fn float_format(size: u32) -> Option<FloatFormat> {
    match size {
        4 => Some(FloatFormat::Single),
        8 => Some(FloatFormat::Double),
        16 => Some(FloatFormat::X87),
        _ => None,
    }
}

fn significant(format: FloatFormat, bits: u128) -> u128 {
    let unused = 128 - 8 * format.significant_bytes() as u32;
    bits << unused >> unused
}

/// Formats the lowest byte as a character.
fn character(raw: Raw) -> String {
    let byte = raw.bits as u8;
    let code = if raw.signed { i32::from(byte as i8) } else { i32::from(byte) };
    format!("{code} {}", quote_char(CharKind { prefix: "", width: 1 }, u32::from(byte)))
}

/// Formats an address and the symbol it lies in.
pub(super) fn address(address: u64, memory: &mut dyn Memory) -> String {
    match memory.symbol(address) {
        Some(symbol) => format!("{address:#x} {symbol}"),
        None => format!("{address:#x}"),
    }
}

/// Formats a number as its type suggests.
pub(super) fn natural(number: Number, encoding: Encoding, kind: Option<CharKind>, raw_bool: u128) -> String {
    match number {
        Number::Integer(_) if encoding == Encoding::Bool => match raw_bool {
            0 => "false".to_owned(),
            1 => "true".to_owned(),
            // Neither: the program wrote something else into it, and that is worth seeing.
            other => other.to_string(),
        },
        Number::Integer(i) => match kind {
            Some(kind) => format!("{} {}", decimal(i), quote_char(kind, i.bits() as u32)),
            None => decimal(i),
        },
        Number::Float(f) => format_float(f),
        Number::Complex(real, imaginary) => format!("{} + {}i", format_float(real), format_float(imaginary)),
    }
}

fn decimal(integer: Integer) -> String {
    if integer.ty().signed { integer.value().to_string() } else { integer.bits().to_string() }
}

/// Formats an enumeration's value by name; as `(A | B)` if every enumerator is at most one bit; as a number otherwise.
pub(super) fn enumerator(enumeration: &Enumeration, value: Integer) -> String {
    let number = if value.ty().signed { value.value() } else { value.bits() as i128 };
    if let Some((name, _)) = enumeration.enumerators.iter().find(|(_, v)| *v == number) {
        return format!("{}{name}", enumeration.scope);
    }
    let is_flags = enumeration.enumerators.iter().all(|(_, v)| *v >= 0 && v.count_ones() <= 1);
    if !is_flags || number <= 0 || enumeration.enumerators.is_empty() {
        return decimal(value);
    }
    let mut rest = number;
    let mut parts = Vec::new();
    for (name, bit) in &enumeration.enumerators {
        if *bit != 0 && rest & bit != 0 {
            parts.push(format!("{}{name}", enumeration.scope));
            rest &= !bit;
        }
    }
    if rest != 0 {
        parts.push(format!("unknown: {rest:#x}"));
    }
    format!("({})", parts.join(" | "))
}
