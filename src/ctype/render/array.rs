//! Arrays: as text if they hold characters, otherwise element by element.

use super::*;
use crate::layout::is_vector;
use crate::{Indexing, Stride, indexing};
use std::sync::Arc;

/// What is read of an array at a time.
const CHUNK: usize = 1024;

/// The bytes of an array from its start, as far as they were needed yet.
struct Window<'v> {
    value: &'v Value,
    bytes: Vec<u8>,
    /// No more than this may be read.
    limit: usize,
}

impl Window<'_> {
    /// Makes the first `len` bytes available.
    fn fill(&mut self, memory: &mut dyn Memory, len: usize) -> Result<(), Unavailable> {
        let have = self.bytes.len();
        if len <= have {
            return Ok(());
        }
        let wanted = len.max(have.saturating_mul(2)).max(CHUNK).min(self.limit).max(len);
        let more = match self.value.read(memory, have as u64, wanted - have) {
            Ok(more) => more,
            // The rest of what was read ahead may be missing, not what is needed.
            Err(_) => self.value.read(memory, have as u64, len - have)?,
        };
        self.bytes.extend(more);
        Ok(())
    }

    /// Returns whether two stretches of `size` bytes are the same. What cannot be read is like nothing else, but bytes
    /// that were optimized out are alike.
    fn same(&mut self, memory: &mut dyn Memory, a: usize, b: usize, size: usize) -> bool {
        if let Some(bytes) = self.value.place.plain_bytes() {
            let part = |at: usize| bytes.get(at..at + size);
            return part(a).is_some() && part(a) == part(b);
        }
        self.fill(memory, b.max(a) + size).is_ok() && self.bytes[a..a + size] == self.bytes[b..b + size]
    }
}

/// Returns the type of numbers of the size of characters for a type of those; any other type stays as it is.
fn as_number(ty: TypeRef) -> TypeRef {
    let encoding = match &*strip(&ty) {
        Type::Base { encoding: Encoding::SignedChar, .. } => Encoding::Signed,
        Type::Base { encoding: Encoding::UnsignedChar, .. } => Encoding::Unsigned,
        _ => return ty,
    };
    let size = size_of(&ty).unwrap_or(1);
    Arc::new(Type::Base { name: "number".to_owned(), encoding, size })
}

impl Renderer<'_> {
    pub(super) fn array(&mut self, value: &Value, depth: usize) {
        let Some((element, count)) = array_parts(&value.ty) else {
            return;
        };
        // The elements of a vector are numbers, whatever they are called.
        let element = if is_vector(&value.ty) { as_number(element) } else { element };
        let size = size_of(&element).unwrap_or(0);
        // Elements of no size are values, too, in Rust.
        let Indexing { stride, bounded, .. } = indexing(&value.ty);
        let is_sized = size > 0 || (self.is_rust() && size_of(&element) == Some(0));
        // An array that runs backwards has no size, but elements.
        let has_elements = is_sized || stride != Stride::Element && array_parts(&element).is_some();
        let Some(positive @ 1..) = count.filter(|_| has_elements) else {
            // An array whose length nobody knows is shown as a pointer to its first element, in any format.
            match value.address() {
                _ if self.is_rust() => self.out.push("[]"),
                // In C, it may be the beginning of a longer one.
                _ if bounded && count == Some(0) => self.out.push("{}"),
                Some(address) => self.plain_pointer(address, &element),
                // Not that there were no elements.
                None if count.is_none() && depth == 0 => self.out.push(&Unavailable::OptimizedOut.to_string()),
                None => self.out.push("{}"),
            }
            return;
        };
        let count = positive;
        if stride != Stride::Element {
            return self.spread(value, count, depth);
        }
        let kind = char_kind(&element).filter(|_| self.format().is_none() && !self.is_rust());
        let rest = (depth == 0 && self.options.limits.first > 0).then(|| self.rest(value, &element, size, count));
        let (value, count) = rest.as_ref().map_or((value, count), |(rest, count)| (rest, *count));
        match kind {
            Some(kind) => self.text(value, kind, count, depth, false),
            None => self.elements(value, &element, size, count, depth),
        }
    }

    /// Writes an array whose elements do not follow each other, or are parts of bytes.
    fn spread(&mut self, value: &Value, count: u64, depth: usize) {
        if self.too_deep(depth) {
            return;
        }
        let first = if depth == 0 { self.options.limits.first.min(count) } else { 0 };
        let limits = self.options.limits.at(depth);
        // So many bytes of memory are looked at for each element.
        let apart = match indexing(&value.ty).stride {
            Stride::Bytes(bytes) => bytes.unsigned_abs().max(1),
            Stride::Bits(_) | Stride::Element => 1,
        };
        let (mut index, mut shown) = (first, 0);
        self.out.push("{");
        while index < count && shown < limits.elements && !self.out.full {
            if index > first {
                self.out.push(", ");
            }
            let Some(part) = value.element(i128::from(index)) else { break };
            self.value(&part, depth + 1);
            let most = (limits.array_bytes as u64 / apart).clamp(1, count - index);
            let run = (1..most).take_while(|next| self.is_alike(value, index, index + next)).count() + 1;
            let repeated = run > limits.repeats;
            if repeated {
                self.out.push(&format!(" <repeats {run} times>"));
            }
            index += if repeated { run as u64 } else { 1 };
            shown += if repeated { limits.repeats.max(1) } else { 1 };
        }
        if index < count {
            self.next = if depth == 0 { Some(index) } else { self.next };
            self.out.elide("...");
        }
        self.out.push("}");
    }

    /// Returns whether two elements have the same bits.
    fn is_alike(&mut self, array: &Value, a: u64, b: u64) -> bool {
        let mut bits = |index| {
            let element = array.element(i128::from(index))?;
            match element.bits {
                Some(bits) => element.field_bits(self.memory, bits).ok().map(|bits| bits.to_le_bytes().to_vec()),
                None => element.scalar_bytes(self.memory).ok()?,
            }
        };
        bits(a).is_some_and(|a| Some(a) == bits(b))
    }

    /// Returns the part of an array that follows the elements that are skipped.
    pub(super) fn rest(&self, value: &Value, element: &TypeRef, size: u64, count: u64) -> (Value, u64) {
        let first = self.options.limits.first.min(count);
        let ty = array_of(element.clone(), count - first);
        (value.part(ty, first.saturating_mul(size), None), count - first)
    }

    /// Notes which element of the value itself comes next.
    pub(super) fn stopped_at(&mut self, index: u64, depth: usize) {
        if depth == 0 {
            self.next = Some(self.options.limits.first.saturating_add(index));
        }
    }

    /// Writes characters. A NUL at the end belongs to the text only if `exact`.
    pub(super) fn text(&mut self, value: &Value, kind: CharKind, count: u64, depth: usize, exact: bool) {
        let limits = self.options.limits.at(depth);
        let whole = count.saturating_mul(kind.width as u64);
        let limit = whole.min(limits.array_bytes as u64) as usize;
        let mut window = Window { value, bytes: Vec::new(), limit };
        let mut len = limit.min(CHUNK);
        loop {
            match window.fill(self.memory, len) {
                Ok(()) => {}
                // Characters that are there in part are shown one by one.
                Err(_) if value.place.plain_bytes().is_some() => {
                    let Some((element, _)) = array_parts(&value.ty) else { return };
                    return self.elements(value, &element, kind.width as u64, count, depth);
                }
                Err(reason) => return self.out.push(&reason.to_string()),
            }
            let (bytes, more_follows) = (&window.bytes[..len], (len as u64) < whole);
            let quoted = match self.is_rust() && kind.width == 1 {
                true => rust_text::quoted(bytes, limits.string, more_follows),
                false => quote_string(kind, bytes, &limits, more_follows, exact),
            };
            if quoted.reached_end && len < limit {
                len = limit.min(len * 2);
                continue;
            }
            self.out.push_characters(&quoted.text);
            self.out.truncated |= quoted.truncated;
            if quoted.truncated {
                self.stopped_at((quoted.shown / kind.width) as u64, depth);
            }
            return;
        }
    }

    pub(super) fn elements(&mut self, value: &Value, element: &TypeRef, size: u64, count: u64, depth: usize) {
        if self.too_deep(depth) {
            return;
        }
        let limits = self.options.limits.at(depth);
        let visible = count.min((limits.array_bytes as u64 / size.max(1)).max(1)) as usize;
        let Ok(size) = usize::try_from(size) else {
            return self.out.elide("{...}");
        };
        let mut window = Window { value, bytes: Vec::new(), limit: visible.saturating_mul(size) };
        let (mut index, mut shown) = (0, 0);
        let (open, close) = if self.is_rust() { ("[", "]") } else { ("{", "}") };
        self.out.push(open);
        while index < visible && shown < limits.elements && !self.out.full {
            if index > 0 {
                self.out.push(", ");
            }
            let mut run = 1;
            while index + run < visible && window.same(self.memory, index * size, (index + run) * size, size) {
                run += 1;
            }
            let part = value.part(element.clone(), (index * size) as u64, None);
            if let (Place::Memory(_), Some(reason)) = (&part.place, self.missing(&part)) {
                // What follows in memory is not there either.
                self.out.push(&reason.to_string());
                index += 1;
                break;
            }
            self.value(&part, depth + 1);
            if run > limits.repeats {
                self.out.push(&format!(" <repeats {run} times>"));
                index += run;
                shown += limits.repeats.max(1);
            } else {
                index += 1;
                shown += 1;
            }
        }
        if (index as u64) < count {
            self.stopped_at(index as u64, depth);
            self.out.elide("...");
        }
        self.out.push(close);
    }
}
