//! Where rr keeps what it believes of the processor's skid, found by trying.
//!
//! rr copies the skid of its kind of processor from a table to a place of its own, which the function reads that is
//! asked for it ([`skid`](super::skid)), and every place where it is inlined. Which place that is differs between
//! versions and builds. It is a word with that number, or somewhat less, as rr adds the least period of a counter; and
//! if another number is put there, the function's answer changes by the difference. What answers to two other numbers
//! is the place. It is looked for in a process of its own, since words that are something else are changed on the way.

use std::ops::Range;

use super::memory;

/// rr adds no more than this to the number (1).
const MOST_ADDED: u32 = 16;
/// More than rr's heap has when it opens its first counter (2 MiB).
const MOST_SEARCHED: u64 = 64 << 20;

/// A place in this process, and what is to be put there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Belief {
    place: u64,
    number: u32,
    /// What the function answers then.
    pub answer: u32,
}

impl Belief {
    /// Has rr believe it.
    ///
    /// # Safety
    /// What is at the place must be of use for nothing else.
    pub unsafe fn change(self) {
        // SAFETY: an aligned word of this process that can be written to, see `find`; the rest is the caller's promise.
        unsafe { (self.place as *mut u32).write_volatile(self.number) }
    }
}

/// Returns the memory of this process where such a number may be: the program's own variables, and its heap.
pub fn own_memory() -> Vec<Range<u64>> {
    parse(&memory::read_file("/proc/self/maps"), &memory::program())
}

/// Finds the private writable mappings among `maps` that are of `program`, right behind it, or the heap.
fn parse(maps: &[u8], program: &[u8]) -> Vec<Range<u64>> {
    let mut found: Vec<Range<u64>> = Vec::new();
    let mut end = None;
    let mut room = MOST_SEARCHED;
    for line in maps.split(|&byte| byte == b'\n') {
        let Some((range, is_variables, name)) = mapping(line) else { continue };
        let is_program = !program.is_empty() && name == program;
        let is_behind = name.is_empty() && end == Some(range.start);
        if is_program || is_behind {
            end = Some(range.end);
        }
        if !is_variables || !is_program && !is_behind && name != b"[heap]" {
            continue;
        }
        let length = range.end.saturating_sub(range.start).min(room) & !7;
        room -= length;
        found.push(range.start..range.start + length);
    }
    found
}

/// Reads a line's addresses, whether they are private and can be read and written, and its name.
fn mapping(line: &[u8]) -> Option<(Range<u64>, bool, &[u8])> {
    const FIELDS_BEFORE_NAME: usize = 5;
    let mut fields = line.split(|&byte| byte == b' ').filter(|field| !field.is_empty());
    let (start, end) = std::str::from_utf8(fields.next()?).ok()?.split_once('-')?;
    let address = |text| u64::from_str_radix(text, 16).ok();
    let is_variables = fields.next()? == b"rw-p";
    let name = fields.nth(FIELDS_BEFORE_NAME - 2).unwrap_or(&[]);
    Some((address(start)?..address(end)?, is_variables, name))
}

/// Finds the place in this memory that `function` reads, which answers `skid` now.
///
/// # Safety
/// The memory must be this process's, and it must not matter what becomes of the process; `function` may fault.
pub unsafe fn find(memory: &[Range<u64>], skid: u32, function: impl Fn() -> u32) -> Option<Belief> {
    for range in memory {
        for place in range.clone().step_by(size_of::<u32>()) {
            let word = place as *mut u32;
            // SAFETY: mapped, aligned, and whatever it is, no reference of ours is to it.
            let number = unsafe { word.read_volatile() };
            let Some(added) = skid.checked_sub(number).filter(|&added| added <= MOST_ADDED) else { continue };
            // A skid of nothing would be a case that no rr has ever met.
            let least = u32::from(added == 0);
            let is_obeyed = [least, number.wrapping_add(1)].into_iter().all(|other| {
                // SAFETY: as above; that it may be a word of something else is the caller's promise.
                unsafe { word.write_volatile(other) };
                function() == other + added
            });
            // SAFETY: the same.
            unsafe { word.write_volatile(number) };
            if is_obeyed && number != least {
                return Some(Belief { place, number: least, answer: least + added });
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU32, Ordering};

    fn range_of(words: &[AtomicU32]) -> Range<u64> {
        let bytes = words.as_ptr_range();
        bytes.start as u64..bytes.end as u64
    }

    #[test]
    fn the_word_that_the_answer_follows_is_found_and_the_others_are_left() {
        let words: Vec<AtomicU32> = [100, 101, 7, 100, 99, 100].into_iter().map(AtomicU32::new).collect();
        let answer = || words[3].load(Ordering::Relaxed) + 1;
        // SAFETY: these words are ours, and have another value for a moment only.
        let found = unsafe { find(&[range_of(&words)], 101, answer) }.expect("it is found");
        assert_eq!(found, Belief { place: (&raw const words[3]) as u64, number: 0, answer: 1 });
        let values = || words.iter().map(|word| word.load(Ordering::Relaxed)).collect::<Vec<_>>();
        assert_eq!(values(), [100, 101, 7, 100, 99, 100]);
        // SAFETY: what is changed is a number of ours.
        unsafe { found.change() };
        assert_eq!((values(), answer()), (vec![100, 101, 7, 0, 99, 100], 1));
    }

    #[test]
    fn an_rr_that_adds_nothing_believes_in_one_branch() {
        let words = [AtomicU32::new(10_000)];
        // SAFETY: as above.
        let found = unsafe { find(&[range_of(&words)], 10_000, || words[0].load(Ordering::Relaxed)) };
        assert_eq!(found.map(|found| (found.number, found.answer)), Some((1, 1)));
    }

    #[test]
    fn an_answer_that_no_word_changes_has_no_place() {
        let words: Vec<AtomicU32> = (0..64).map(|_| AtomicU32::new(100)).collect();
        // SAFETY: as above.
        let find = |function: &dyn Fn() -> u32| unsafe { find(&[range_of(&words)], 101, function) };
        assert_eq!(find(&|| 101), None);
        // It does not follow as it is, twice as much of it, or only that it is less.
        assert_eq!(find(&|| words[5].load(Ordering::Relaxed).wrapping_mul(2).wrapping_sub(99)), None);
        assert_eq!(find(&|| if words[5].load(Ordering::Relaxed) == 0 { 1 } else { 101 }), None);
        assert!(words.iter().all(|word| word.load(Ordering::Relaxed) == 100));
    }

    #[test]
    fn variables_and_the_heap_are_searched() {
        let maps = b"\
400000-401000 r--p 00000000 08:01 17 /usr/bin/rr
838000-83a000 rw-p 00438000 08:01 17 /usr/bin/rr
83a000-83f000 rw-p 00000000 00:00 0 
840000-841000 rw-p 00000000 00:00 0 
1000000-1200000 rw-p 00000000 00:00 0 [heap]
7f0000000000-7f0000001000 rw-p 00000000 08:01 18 /lib/libc.so.6
7f0000001000-7f0000002000 rw-p 00000000 00:00 0
7ffc00000000-7ffc00001000 rw-p 00000000 00:00 0 [stack]
";
        let expected = [0x83_8000..0x83_a000, 0x83_a000..0x83_f000, 0x100_0000..0x120_0000];
        assert_eq!(parse(maps, b"/usr/bin/rr"), expected);
        assert_eq!(parse(maps, b""), expected[2..]);
        assert_eq!(parse(b"nonsense\n\n1-\n-1 rw-p\n", b"/usr/bin/rr"), []);
        let huge = b"0-ffffffffffffffff rw-p 00000000 00:00 0 [heap]\n10-20 rw-p 0 0 0 [heap]";
        assert_eq!(parse(huge, b""), [0..MOST_SEARCHED, 16..16]);
    }
}
