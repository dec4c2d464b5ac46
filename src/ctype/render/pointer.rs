//! Pointers, with the symbol and the text they point to; references; functions.

use super::*;

/// Reads stop at multiples of this, so that what precedes unreadable memory is still read.
const PAGE: u64 = 4096;
/// What is read of a string at a time, in bytes.
const STEP: u64 = 256;

/// Returns whether a pointer is shown without its type: a pointer that is no typedef to a type named as characters are.
pub(super) fn is_plain_string(ty: &TypeRef) -> bool {
    let Type::Pointer { target, .. } = &*without_qualifiers(ty) else {
        return false;
    };
    match &*without_qualifiers(&target.get()) {
        Type::Base { name, .. } | Type::Typedef { name, .. } => {
            matches!(name.as_str(), "char" | "wchar_t" | "char16_t" | "char32_t")
        }
        _ => false,
    }
}

fn without_qualifiers(ty: &TypeRef) -> TypeRef {
    let mut ty = ty.clone();
    // There are four qualifiers.
    for _ in 0..4 {
        let next = match &*ty {
            Type::Qualified { target, .. } => target.get(),
            _ => return ty,
        };
        ty = next;
    }
    ty
}

impl Renderer<'_> {
    pub(super) fn pointer(&mut self, value: &Value, target: &TypeRef, size: u64) {
        match self.address_in(value, size) {
            Ok(address) => self.pointer_text(address, size, target),
            Err(reason) => self.out.push(&reason.to_string()),
        }
    }

    fn address_in(&mut self, value: &Value, size: u64) -> Result<u64, Unavailable> {
        let bytes = value.read(self.memory, 0, size.min(8) as usize)?;
        Ok(bytes.iter().rev().fold(0, |address, byte| address << 8 | u64::from(*byte)))
    }

    /// Writes a pointer's value, and what can be said about where it points.
    pub(super) fn pointer_text(&mut self, address: u64, size: u64, target: &TypeRef) {
        let formatted = self
            .format()
            .and_then(|format| scalar::format_raw(format, Raw::new(u128::from(address), size, false), self.memory));
        if let Some(text) = formatted {
            self.out.push(&text);
            return;
        }
        self.plain_pointer(address, target);
    }

    /// Writes an address with its symbol, and the text that is there if it points to characters.
    pub(super) fn plain_pointer(&mut self, address: u64, target: &TypeRef) {
        let text = scalar::address(address, self.memory);
        self.out.push(&text);
        let is_text = self.format().is_none() && address != 0;
        if let Some(kind) = char_kind(target).filter(|_| is_text) {
            self.out.push(" ");
            self.string_at(address, kind);
        }
    }

    /// Writes the NUL-terminated string at an address.
    fn string_at(&mut self, start: u64, kind: CharKind) {
        let limits = self.options.limits;
        let width = kind.width as u64;
        let wanted = limits.string as u64 * width;
        let mut bytes: Vec<u8> = Vec::new();
        let mut failure = None;
        let mut terminated = false;
        while !terminated && (bytes.len() as u64) < wanted {
            let at = start.wrapping_add(bytes.len() as u64);
            let in_page = PAGE - at % PAGE;
            let len = (wanted - bytes.len() as u64).min(STEP).min(in_page).max(width) / width * width;
            let mut chunk = vec![0; len as usize];
            if let Err(reason) = self.memory.read(at, &mut chunk) {
                // What precedes the first unreadable byte is part of the string all the same.
                let readable = match reason {
                    Unavailable::Memory(first) => first.wrapping_sub(at) / width * width,
                    _ => 0,
                };
                chunk.truncate(if readable < len { readable as usize } else { 0 });
                if chunk.is_empty() || self.memory.read(at, &mut chunk).is_err() {
                    failure = Some(reason);
                    break;
                }
            }
            let end = chunk.chunks(kind.width).position(|unit| unit.iter().all(|b| *b == 0));
            if let Some(end) = end {
                chunk.truncate((end + 1) * kind.width);
                terminated = true;
            }
            bytes.extend(chunk);
        }
        if failure.is_none() || !bytes.is_empty() {
            let more = !terminated && failure.is_none() && !self.is_nul(start.wrapping_add(bytes.len() as u64), kind);
            let quoted = quote_string(kind, &bytes, &limits, more, false);
            self.out.push_characters(&quoted.text);
            self.out.truncated |= quoted.truncated;
        }
        if let Some(reason) = failure {
            self.out.push(&reason.to_string());
        }
    }

    /// Returns whether there is a NUL, or nothing, at an address.
    fn is_nul(&mut self, address: u64, kind: CharKind) -> bool {
        let mut unit = vec![0; kind.width];
        self.memory.read(address, &mut unit).is_err() || unit.iter().all(|b| *b == 0)
    }

    /// Finds out what the referent of a reference means, if that is more than its bytes.
    pub(super) fn referent_meaning(&mut self, value: &Value) -> Option<Meaning> {
        let referent = value.referent(self.memory)?;
        self.meaning_of(&referent)
    }

    pub(super) fn reference(&mut self, value: &Value, target: &TypeRef, size: u64, depth: usize) {
        let (referent, at) = match (value.synthetic_target(target), self.address_in(value, size)) {
            (Some(referent), _) => (referent, Unavailable::SyntheticPointer.to_string()),
            (None, Ok(address)) => (Value::new(target.clone(), Place::Memory(address)), format!("@{address:#x}")),
            (None, Err(reason)) => return self.out.push(&reason.to_string()),
        };
        // What means more than its bytes hides that it is referred to.
        if let Some(meaning) = self.meaning_of(&referent) {
            return self.meaning(meaning, depth);
        }
        if depth > 0 {
            return self.out.push(&at);
        }
        self.out.push(&format!("{at}: "));
        if self.too_deep(depth) {
            return;
        }
        match self.missing(&referent) {
            Some(reason) => self.out.push(&reason.to_string()),
            None => self.value(&referent, depth + 1),
        }
    }

    pub(super) fn function(&mut self, value: &Value) {
        let Some(address) = value.address() else {
            return self.out.push("<function>");
        };
        let name = self.type_name(&value.ty);
        let raw = Raw::new(u128::from(address), 8, false);
        match self.format().and_then(|format| scalar::format_raw(format, raw, self.memory)) {
            Some(text) => self.out.push(&text),
            None => {
                let address = scalar::address(address, self.memory);
                self.out.push(&format!("{{{name}}} {address}"));
            }
        }
    }
}
