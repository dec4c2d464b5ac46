//! Objects of library types: as GDB's printers write those of C++, and as Rust's `{:?}` writes its own.

use super::*;
use crate::{Body, Item, Items, Key, Style, Word};

/// What is written around elements, and between a key and what it leads to.
struct Brackets {
    open: &'static str,
    close: &'static str,
    key: (&'static str, &'static str),
}

impl Brackets {
    fn of(style: Style, rust: bool) -> Self {
        let (open, close, key) = match (style, rust) {
            (Style::Map, false) => ("{", "}", ("[", "] = ")),
            (_, false) => ("{", "}", ("", " = ")),
            (Style::Sequence, true) => ("[", "]", ("", ": ")),
            (Style::Fields, true) => (" { ", " }", ("", ": ")),
            (Style::Tuple, true) => ("(", ")", ("", ": ")),
            (Style::Map | Style::Indexed, true) => ("{", "}", ("", ": ")),
        };
        Self { open, close, key }
    }
}

impl Renderer<'_> {
    /// Finds out what a value means, if that is more than its bytes.
    pub(super) fn meaning_of(&mut self, value: &Value) -> Option<Meaning> {
        let may_mean = matches!(&*strip(&value.ty), Type::Record(_) | Type::Pointer { .. });
        if may_mean && self.options.format != Some(Format::Raw) { self.memory.meaning(value) } else { None }
    }

    pub(super) fn meaning(&mut self, meaning: Meaning, depth: usize) {
        let Meaning { title, body, rust, .. } = meaning;
        if !matches!(body, Body::Text(_)) && self.too_deep(depth) {
            return;
        }
        for word in &title {
            match word {
                Word::Text(text) => self.out.push(text),
                Word::Value(value) => self.value(value, depth + 1),
            }
        }
        match body {
            Body::Nothing => {}
            Body::Text(characters) => self.characters(&characters, depth),
            Body::Items(style, mut items) => self.items(style, &mut *items, !title.is_empty(), rust, depth),
        }
    }

    /// Writes a text that ends where it says, not at a NUL.
    fn characters(&mut self, value: &Value, depth: usize) {
        let Some((element, Some(mut count))) = array_parts(&value.ty) else {
            return;
        };
        let Some(kind) = char_kind(&element) else {
            let size = size_of(&element).unwrap_or(0);
            if size > 0 {
                self.elements(value, &element, size, count, depth);
            }
            return;
        };
        let rest;
        let mut value = value;
        if depth == 0 && self.options.limits.first > 0 {
            (rest, count) = self.rest(value, &element, kind.width as u64, count);
            value = &rest;
        }
        // GDB looks at no more characters of an object than it shows.
        let most = self.options.limits.at(depth).string as u64;
        // Rust's are counted by their characters.
        if count > most && !self.is_rust() {
            let shown = Value::new(array_of(element, most), value.place.clone());
            self.text(&shown, kind, most, depth, true);
            self.out.elide("...");
            return self.stopped_at(most, depth);
        }
        self.text(value, kind, count, depth, true);
    }

    fn items(&mut self, style: Style, items: &mut dyn Items, titled: bool, rust: bool, depth: usize) {
        let limits = self.options.limits.at(depth);
        let most = if style == Style::Map { limits.pairs } else { limits.elements };
        let first = if depth == 0 { limits.first } else { 0 };
        let brackets = Brackets::of(style, rust);
        // C++ does not open what is empty if there are words before it that say so.
        let mut opening = if rust || !titled { brackets.open } else { " = {" };
        let mut failure = if first > 0 { items.skip(first, self.memory).err() } else { None };
        if rust || !titled {
            self.out.push(std::mem::take(&mut opening));
        }
        let mut shown = 0;
        while failure.is_none() {
            let item = match items.next(self.memory) {
                Ok(Some(item)) => item,
                Ok(None) => break,
                Err(reason) => {
                    failure = Some(reason);
                    break;
                }
            };
            if shown >= most || self.out.full {
                self.out.push(std::mem::take(&mut opening));
                self.out.elide("...");
                if depth == 0 {
                    // What was cut off within the last element is worth another look, unless it fills the text alone.
                    let cut = u64::from(self.out.full && shown > 1);
                    self.next = Some(first + shown as u64 - cut);
                }
                break;
            }
            self.out.push(if shown > 0 { ", " } else { std::mem::take(&mut opening) });
            self.item(&item, style, &brackets, first + shown as u64, depth);
            shown += 1;
        }
        if let Some(reason) = failure {
            self.out.push(if shown > 0 { ", " } else { std::mem::take(&mut opening) });
            self.out.push(&reason.to_string());
            self.out.elide("...");
        }
        if opening.is_empty() {
            self.out.push(if rust && style == Style::Tuple && shown == 1 && !titled { ",)" } else { brackets.close });
        }
    }

    fn item(&mut self, item: &Item, style: Style, brackets: &Brackets, index: u64, depth: usize) {
        let (before, after) = brackets.key;
        match &item.key {
            Key::Place if style == Style::Indexed && !before.is_empty() => {}
            Key::Place if style == Style::Indexed && after == " = " => self.out.push(&format!("[{index}] = ")),
            Key::Place => {}
            Key::Name(_) if style == Style::Tuple && after == ": " => {}
            Key::Name(name) => self.out.push(&format!("{before}{name}{after}")),
            Key::Value(key) => {
                self.out.push(before);
                self.value(key, depth + 1);
                self.out.push(after);
            }
        }
        self.value(&item.value, depth + 1);
    }
}
