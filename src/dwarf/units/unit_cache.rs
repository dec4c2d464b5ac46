//! Keeps something of each unit that was asked for, where it is not known which units there are.

use std::sync::OnceLock;

/// So many lists of units there are.
const LISTS: usize = 256;

/// What is known of units so far. Reading it takes no lock.
pub(crate) struct PerUnit<T> {
    /// By where the unit begins. Whoever has found one keeps it, so they stay where they are.
    lists: Box<[List<(u64, T)>]>,
}

impl<T> Default for PerUnit<T> {
    fn default() -> Self {
        Self { lists: (0..LISTS).map(|_| List::default()).collect() }
    }
}

impl<T> PerUnit<T> {
    /// Returns what is known of the unit that begins at `base`, or else what is made. `None` if it cannot be made.
    pub(crate) fn get_or_make(&self, base: u64, make: impl FnOnce() -> Option<T>) -> Option<&T> {
        // Units do not begin at the same distance from each other: any bits are good.
        let list = self.lists.get((base ^ base >> 8 ^ base >> 16) as usize % LISTS)?;
        // Several threads may add the same one: the first is the one to find.
        let find = || list.iter().find(|(known, _)| *known == base).map(|(_, item)| item);
        if let Some(known) = find() {
            return Some(known);
        }
        list.add((base, make()?));
        find()
    }
}

/// What is only ever added to.
struct List<T>(OnceLock<Box<Link<T>>>);

struct Link<T> {
    item: T,
    next: List<T>,
}

impl<T> Default for List<T> {
    fn default() -> Self {
        Self(OnceLock::new())
    }
}

impl<T> Drop for List<T> {
    /// Drops the links one after the other: each in the one before it would need a stack for all.
    fn drop(&mut self) {
        let mut first = self.0.take();
        while let Some(mut link) = first {
            first = link.next.0.take();
        }
    }
}

impl<T> List<T> {
    fn iter(&self) -> impl Iterator<Item = &T> {
        std::iter::successors(self.0.get(), |link| link.next.0.get()).map(|link| &link.item)
    }

    /// Adds an item at the end.
    fn add(&self, item: T) {
        let mut end = self;
        let mut link = Box::new(Link { item, next: Self::default() });
        while let Err(back) = end.0.set(link) {
            let Some(taken) = end.0.get() else { return };
            (end, link) = (&taken.next, back);
        }
    }
}

#[cfg(test)]
mod tests;
