//! Writes to watched memory by no instruction of the program: by rr, for the kernel of the recording.
//!
//! rr also writes for its own purposes, below the stack pointer above all, and puts back what was there before the
//! program goes on. So what it writes is told when the program goes on: what was written more than once, and is as it
//! was, is not.

use std::ops::Range;

use super::hits::{Origin, Sink, Write};

/// A write, or several to the same place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    pub space: u32,
    pub watch: u32,
    /// The thread that rr was busy with.
    pub thread: u32,
    pub ticks: u64,
    /// That thread has this memory.
    pub is_own: bool,
    pub range: Range<u64>,
    pub before: Vec<u8>,
    pub after: Vec<u8>,
    /// There was more than one.
    pub is_repeated: bool,
}

impl Part {
    /// Takes off what is at `end` and behind it, if nothing has changed there.
    pub fn cut_unchanged(&mut self, end: u64) {
        let all = self.range.end - self.range.start;
        let length = end.saturating_sub(self.range.start).min(all);
        let at = length as usize;
        let is_whole = self.before.len() as u64 == all;
        if is_whole && self.before.get(at..) == self.after.get(at..) {
            self.range.end = self.range.start + length;
            self.before.truncate(at);
            self.after.truncate(at);
        }
    }
}

/// Tells of what rr has written, which is over.
pub fn tell(parts: &mut Vec<Part>, sink: &mut Sink) {
    for part in parts.drain(..).filter(|part| !part.is_repeated || part.before != part.after) {
        let Part { space, watch, thread, ticks, is_own, range, before, after, .. } = part;
        let (before, after) = (&before[..], &after[..]);
        let origin = if is_own { Origin::System } else { Origin::Elsewhere };
        let instruction = u64::from(space);
        sink.write(&Write { watch, space, thread, ticks, origin, marks: 0, instruction, range, before, after }, &[]);
    }
}

/// Adds a write to those before; what it has in common with one of them becomes one with it.
pub fn add(parts: &mut Vec<Part>, mut part: Part) {
    let is_whole = |part: &Part| {
        let length = part.range.end - part.range.start;
        part.before.len() as u64 == length && part.after.len() as u64 == length
    };
    while is_whole(&part)
        && let Some(at) = parts.iter().position(|other| {
            let is_same = (other.space, other.watch) == (part.space, part.watch) && is_whole(other);
            is_same && other.range.start < part.range.end && part.range.start < other.range.end
        })
    {
        part = merged(parts.remove(at), &part);
    }
    parts.push(part);
}

/// One write and another behind it.
fn merged(first: Part, second: &Part) -> Part {
    let range = first.range.start.min(second.range.start)..first.range.end.max(second.range.end);
    let byte = |part: &Part, bytes: &[u8], at: u64| {
        at.checked_sub(part.range.start).and_then(|offset| bytes.get(offset as usize)).copied()
    };
    let of = |one: &Part, bytes: fn(&Part) -> &[u8], other: &Part| -> Vec<u8> {
        let pick = |at| byte(one, bytes(one), at).or_else(|| byte(other, bytes(other), at));
        range.clone().map(|at| pick(at).unwrap_or(0)).collect()
    };
    let before = of(&first, |part| &part.before, second);
    let after = of(second, |part| &part.after, &first);
    Part { range, before, after, is_repeated: true, ..first }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(start: u64, before: &[u8], after: &[u8]) -> Part {
        let range = start..start + before.len() as u64;
        let (before, after) = (before.to_vec(), after.to_vec());
        Part { space: 1, watch: 0, thread: 1, ticks: 9, is_own: true, range, before, after, is_repeated: false }
    }

    fn told(parts: &[Part]) -> Vec<Part> {
        let mut all = Vec::new();
        parts.iter().for_each(|part| add(&mut all, part.clone()));
        all
    }

    #[test]
    fn what_is_put_back_is_as_it_was() {
        let mut all = told(&[part(10, &[1, 2, 3], &[7, 8, 9]), part(11, &[8], &[5]), part(10, &[7, 5, 9], &[1, 2, 3])]);
        assert!(matches!(&all[..], [part] if part.is_repeated && part.before == part.after));
        let mut sink = Sink::in_memory(1000);
        let length = sink.kept().len();
        tell(&mut all, &mut sink);
        assert_eq!(sink.kept().len(), length);
        tell(&mut told(&[part(10, &[1], &[1])]), &mut sink);
        assert!(sink.kept().len() > length);
    }

    #[test]
    fn what_has_changed_is_not_taken_off() {
        let cut = |end| {
            let mut part = part(10, &[1, 2, 3], &[4, 5, 3]);
            part.cut_unchanged(end);
            (part.range, part.before, part.after)
        };
        assert_eq!(cut(12), (10..12, vec![1, 2], vec![4, 5]));
        assert_eq!(cut(11), (10..13, vec![1, 2, 3], vec![4, 5, 3]));
        assert_eq!(cut(20), (10..13, vec![1, 2, 3], vec![4, 5, 3]));
        let mut same = part(10, &[1, 2], &[1, 2]);
        same.cut_unchanged(10);
        assert!(same.range.is_empty());
        same.cut_unchanged(5);
        assert!(same.range.is_empty());
    }

    #[test]
    fn writes_that_overlap_become_one() {
        let all = told(&[part(10, &[1, 2], &[3, 4]), part(12, &[0], &[9]), part(11, &[4, 9, 5], &[6, 6, 6])]);
        assert_eq!(all.len(), 1);
        assert_eq!(
            (&all[0].range, &all[0].before[..], &all[0].after[..]),
            (&(10..14), &[1, 2, 0, 5][..], &[3, 6, 6, 6][..])
        );
        assert_eq!(told(&[part(10, &[1], &[2]), part(11, &[1], &[2])]).len(), 2);
    }
}
