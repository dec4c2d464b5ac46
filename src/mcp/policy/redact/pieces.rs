//! Values that are known, and where pieces of them stand in a text.

use std::collections::BTreeSet;
use std::ops::Range;

/// A shorter value is not looked for: it would be found in what has nothing to do with it.
pub(super) const SHORTEST: usize = 6;
/// So many bytes of a longer value are enough to know it by.
pub(super) const PIECE: usize = 8;
/// A piece of fewer different bytes says nothing: `--------` is in many texts.
const VARIETY: usize = 4;

/// So many bytes of a value.
type Piece = [u8; PIECE];

/// The values that are known.
#[derive(Clone, Debug, Default)]
pub(super) struct Secrets {
    /// Whole, each as it is and as it is spelled in other places.
    values: BTreeSet<String>,
    pieces: BTreeSet<Piece>,
}

impl Secrets {
    /// Takes up a value in one spelling.
    pub(super) fn add(&mut self, value: String) {
        if value.len() >= SHORTEST && !self.values.contains(&value) {
            let pieces = value.as_bytes().windows(PIECE).filter_map(|window| Piece::try_from(window).ok());
            self.pieces.extend(pieces.filter(|piece| piece.iter().collect::<BTreeSet<_>>().len() >= VARIETY));
            self.values.insert(value);
        }
    }

    /// Returns whether nothing is known.
    pub(super) fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// Returns whether these bytes are a piece of a value.
    pub(super) fn has_piece(&self, bytes: &[u8]) -> bool {
        Piece::try_from(bytes).is_ok_and(|piece| self.pieces.contains(&piece))
    }

    /// Returns whether a piece of a value begins with these bytes.
    pub(super) fn begins_piece(&self, bytes: &[u8]) -> bool {
        let mut first = Piece::default();
        first.iter_mut().zip(bytes).for_each(|(first, byte)| *first = *byte);
        self.pieces.range(first..).next().is_some_and(|piece| piece.starts_with(bytes))
    }

    /// Finds where values and pieces of them are in a text: ranges between characters, in order, none touching the next.
    pub(super) fn places(&self, text: &str) -> Vec<Range<usize>> {
        let windows = text.as_bytes().windows(PIECE).enumerate();
        let mut found: Vec<Range<usize>> =
            windows.filter(|(_, window)| self.has_piece(window)).map(|(at, _)| at..at + PIECE).collect();
        for value in &self.values {
            found.extend(text.match_indices(value.as_str()).map(|(at, value)| at..at + value.len()));
        }
        found.sort_unstable_by_key(|range| range.start);
        let mut places: Vec<Range<usize>> = Vec::new();
        for range in found {
            match places.last_mut() {
                Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
                _ => places.push(range),
            }
        }
        for place in &mut places {
            while !text.is_char_boundary(place.start) {
                place.start -= 1;
            }
            while !text.is_char_boundary(place.end) {
                place.end += 1;
            }
        }
        places
    }
}
