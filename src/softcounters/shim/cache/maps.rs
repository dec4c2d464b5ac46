//! Which code of an address space may be translated, and what may change it.

use std::ops::Range;

use super::layout::{REGION, SIZE};

/// Code that is mapped without a gap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mapped {
    pub range: Range<u64>,
    /// The program can write to it as it runs, here or through another mapping. Other code can change by nothing but a
    /// system call or the tracer.
    pub is_writable: bool,
}

/// Code that can be read and executed.
///
/// What is known stays so until a system call names its addresses: a program may have tens of thousands of mappings,
/// and change them as often.
#[derive(Clone, Debug, Default)]
pub struct Maps {
    /// Sorted, disjoint, adjacent ones of a kind merged.
    ranges: Vec<Mapped>,
    /// There are no others.
    current: bool,
}

impl Maps {
    /// Records that a system call may have added mappings.
    pub fn outdate(&mut self) {
        self.current = false;
    }

    /// Records that a system call may have changed the mappings of these addresses.
    pub fn change(&mut self, changed: &Range<u64>) {
        self.outdate();
        if changed.is_empty() {
            return;
        }
        let from = self.ranges.partition_point(|mapped| mapped.range.end <= changed.start);
        let to = self.ranges.partition_point(|mapped| mapped.range.start < changed.end).max(from);
        let touched = &self.ranges[from..to];
        let before = touched.first().map(|first| (first.range.start..changed.start, first.is_writable));
        let after = touched.last().map(|last| (changed.end..last.range.end, last.is_writable));
        let rest = [before, after].into_iter().flatten().filter(|(range, _)| !range.is_empty());
        let rest: Vec<_> = rest.map(|(range, is_writable)| Mapped { range, is_writable }).collect();
        self.ranges.splice(from..to, rest);
    }

    /// Returns whether nothing can have changed since they were read.
    pub fn is_current(&self) -> bool {
        self.current
    }

    /// Renews what is known of them: it is now the content of `/proc/PID/maps`.
    pub fn renew(&mut self, text: &[u8]) {
        self.ranges = parse(text);
        self.current = true;
    }

    /// Returns the code around `address`. `read` returns the content of `/proc/PID/maps`, if that is needed.
    pub fn code_around(&mut self, address: u64, read: impl FnOnce() -> Vec<u8>) -> Option<&Mapped> {
        if self.known_around(address).is_none() && !self.current {
            self.renew(&read());
        }
        self.ranges.get(self.known_around(address)?)
    }

    /// Returns the index of what is around `address`, if that is known to be code.
    fn known_around(&self, address: u64) -> Option<usize> {
        let at = self.ranges.partition_point(|mapped| mapped.range.start <= address).checked_sub(1)?;
        (address < self.ranges[at].range.end).then_some(at)
    }
}

/// Reads `/proc/PID/maps`.
fn parse(text: &[u8]) -> Vec<Mapped> {
    let mut ranges: Vec<Mapped> = Vec::new();
    for mapped in text.split(|&byte| byte == b'\n').filter_map(translatable) {
        match ranges.last_mut() {
            Some(last) if last.range.end == mapped.range.start && last.is_writable == mapped.is_writable => {
                last.range.end = mapped.range.end;
            }
            _ => ranges.push(mapped),
        }
    }
    ranges
}

fn translatable(line: &[u8]) -> Option<Mapped> {
    let line = std::str::from_utf8(line).ok()?;
    let mut fields = line.split_ascii_whitespace();
    let (start, end) = fields.next()?.split_once('-')?;
    let &[b'r', write, b'x', sharing] = fields.next()?.as_bytes() else { return None };
    let range = u64::from_str_radix(start, 16).ok()?..u64::from_str_radix(end, 16).ok()?;
    // What is in the region is no code of the program's.
    let is_ours = range.start < REGION + SIZE && REGION < range.end;
    (!is_ours).then_some(Mapped { range, is_writable: write == b'w' || sharing == b's' })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_and_whether_it_can_be_written_to() {
        let text = b"\
00400000-00401000 r--p 00000000 fe:00 1 /bin/x
00401000-00402000 r-xp 00001000 fe:00 1 /bin/x
00402000-00404000 r-xp 00002000 fe:00 1 /bin/x
00404000-00405000 rwxp 00004000 fe:00 1 /bin/x
00405000-00406000 r-xs 00004000 fe:00 1 /bin/x
5c000000-5f000000 rwxp 00000000 00:00 0
7fff00000000-7fff00001000 r-xp 00000000 00:00 0                          [vdso]
ffffffffff600000-ffffffffff601000 --xp 00000000 00:00 0                  [vsyscall]
";
        let mapped = |range, is_writable| Mapped { range, is_writable };
        let vdso = mapped(0x7fff_0000_0000..0x7fff_0000_1000, false);
        assert_eq!(parse(text), [mapped(0x401000..0x404000, false), mapped(0x404000..0x406000, true), vdso]);
    }

    #[test]
    fn a_path_that_is_no_text_hides_nothing_but_itself() {
        let code = Mapped { range: 0x3000..0x4000, is_writable: false };
        assert_eq!(parse(b"1000-2000 r-xp 0 0 0 /\xff\n3000-4000 r-xp 0 0 0\n"), [code]);
    }

    #[test]
    fn what_no_system_call_has_named_is_not_read_again() {
        let mapped = |range, is_writable| Mapped { range, is_writable };
        let mut maps = Maps::default();
        maps.renew(b"1000-5000 r-xp 0 0 0\n7000-9000 rwxp 0 0 0\n");
        let never = || panic!("read");
        maps.change(&(0x5000..0x7000));
        maps.change(&(0x2000..0x3000));
        assert_eq!(maps.code_around(0x1fff, never), Some(&mapped(0x1000..0x2000, false)));
        assert_eq!(maps.code_around(0x3000, never), Some(&mapped(0x3000..0x5000, false)));
        assert_eq!(maps.code_around(0x8000, never), Some(&mapped(0x7000..0x9000, true)));
        maps.change(&(0x4000..0x8000));
        assert_eq!(
            maps.ranges,
            [mapped(0x1000..0x2000, false), mapped(0x3000..0x4000, false), mapped(0x8000..0x9000, true)]
        );
        // What was named, and what may be new, is asked for, once.
        assert!(!maps.is_current());
        assert_eq!(
            maps.code_around(0x2000, || b"1000-5000 r-xp 0 0 0\n".to_vec()),
            Some(&mapped(0x1000..0x5000, false))
        );
        assert_eq!(maps.code_around(0x8000, never), None);
        maps.change(&(0..u64::MAX));
        assert_eq!(maps.code_around(0x1000, Vec::new), None);
    }
}
