//! What bounds a whole answer: how much text there is room for, and which objects it has shown.
//!
//! Values lead to each other, and to the same ones: a graph of five shared nodes is as a tree as large as one likes. So
//! an object is shown once within an answer, and then referred to.

use super::*;
use crate::Limits;
use std::collections::HashMap;

/// Text of an object that is not worth a reference to it.
const SHORT: usize = 80;
/// What a value has room for, however many there are.
const LEAST: usize = 64;

/// Rust's objects that were shown, or are being shown: by address and type, as one may begin with another.
pub(super) type Shown = HashMap<(u64, String), Progress>;

/// How far the text of an object is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Progress {
    /// This is inside of it.
    Begun,
    /// It was short: it may be shown again.
    Repeatable,
    /// It was shown, as far as limits allow.
    Done,
}

/// The values of one answer, one after the other.
#[derive(Debug)]
pub struct Answer {
    left: usize,
    shown: Shown,
}

impl Default for Answer {
    fn default() -> Self {
        Self { left: Limits::default().text, shown: Shown::new() }
    }
}

impl Answer {
    /// Renders what [`render_member`] shows, in the share of the room that one of so many values to come has.
    pub fn render_member(
        &mut self,
        value: &Value,
        memory: &mut dyn Memory,
        options: &Options,
        to_come: usize,
    ) -> Rendered {
        let mut options = *options;
        options.limits.text = options.limits.text.min((self.left / to_come.max(1)).max(LEAST));
        let mut renderer = Renderer::new(memory, &options);
        renderer.shown = std::mem::take(&mut self.shown);
        let rendered = renderer.show(value, |renderer, value| renderer.value(value, 0));
        self.shown = std::mem::take(&mut renderer.shown);
        self.left = self.left.saturating_sub(rendered.text.len());
        rendered
    }
}

impl Renderer<'_> {
    /// Writes an object of Rust, or where it is if it was shown already.
    pub(super) fn once(&mut self, value: &Value, record: &Record, depth: usize) {
        let key = match (&value.place, &record.name) {
            (Place::Memory(address), Some(name)) if record.size != Some(0) => (*address, name.clone()),
            _ => return self.object(value, record, depth),
        };
        let progress = self.shown.get(&key).copied();
        if depth > 0 && matches!(progress, Some(Progress::Begun | Progress::Done)) {
            return self.out.push(&format!("<shown above: {:#x}>", key.0));
        }
        self.shown.insert(key.clone(), Progress::Begun);
        let start = self.out.text.len();
        let was_truncated = std::mem::take(&mut self.out.truncated);
        self.object(value, record, depth);
        let is_long = self.out.text.len() - start > SHORT;
        self.out.truncated |= was_truncated;
        self.shown.insert(key, if is_long { Progress::Done } else { Progress::Repeatable });
    }

    fn object(&mut self, value: &Value, record: &Record, depth: usize) {
        match self.meaning_of(value) {
            Some(meaning) => self.meaning(meaning, depth),
            None => self.rust_record(value, record, depth),
        }
    }
}
