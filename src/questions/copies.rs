//! Where a function is inlined: its copies, which have no calls.

use dwarf::{DieId, Image};
use std::collections::BTreeSet;
use std::fmt;

/// Copies of which the place is told.
const SHOWN: usize = 8;

/// The inlined copies of a function.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Copies {
    count: usize,
    /// Of some, where they are: `main at a.c:12`.
    places: Vec<String>,
}

impl Copies {
    /// Adds those that a file has.
    pub(super) fn add(&mut self, image: &Image, function: &str) {
        let mut seen: BTreeSet<DieId> = BTreeSet::new();
        for (address, copy) in image.inlined_copies(function) {
            if !seen.insert(copy) {
                continue;
            }
            self.count += 1;
            if self.places.len() >= SHOWN {
                continue;
            }
            let chain = image.inline_chain(address);
            let caller = chain.iter().skip_while(|frame| frame.die != Some(copy)).nth(1);
            let place = caller.map(|caller| match (&caller.file, caller.line) {
                (Some(file), Some(line)) => {
                    let name = file.name.rsplit('/').next().unwrap_or(&file.name);
                    format!("{} at {name}:{line}", caller.name)
                }
                _ => caller.name.clone(),
            });
            self.places.extend(place.filter(|place| !self.places.contains(place)));
        }
    }

    pub(super) const fn count(&self) -> usize {
        self.count
    }
}

/// As in `2 places: main at a.c:12, g at b.c:3`.
impl fmt::Display for Copies {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.count, if self.count == 1 { "place" } else { "places" })?;
        if !self.places.is_empty() {
            let more = if self.count > self.places.len() { ", …" } else { "" };
            write!(f, ": {}{more}", self.places.join(", "))?;
        }
        Ok(())
    }
}
