//! Which code of an address space may be translated.

use std::ops::Range;

/// Ranges of code that can change by nothing but a system call or the tracer: readable, executable, not writable,
/// private.
#[derive(Clone, Debug, Default)]
pub struct Maps {
    /// Sorted, disjoint, adjacent ones merged.
    ranges: Vec<(u64, u64)>,
    current: bool,
}

impl Maps {
    /// A system call may have changed the mappings.
    pub fn outdate(&mut self) {
        self.current = false;
    }

    /// The translatable range around `address`. `read` returns the content of `/proc/PID/maps`, if that is needed.
    pub fn code_around(&mut self, address: u64, read: impl FnOnce() -> Vec<u8>) -> Option<Range<u64>> {
        if !self.current {
            self.ranges = parse(&read());
            self.current = true;
        }
        let after = self.ranges.partition_point(|&(start, _)| start <= address);
        let &(start, end) = self.ranges.get(after.checked_sub(1)?)?;
        (address < end).then_some(start..end)
    }
}

/// Reads `/proc/PID/maps`.
fn parse(text: &[u8]) -> Vec<(u64, u64)> {
    let mut ranges: Vec<(u64, u64)> = Vec::new();
    for line in text.split(|&byte| byte == b'\n') {
        let Some((start, end)) = translatable(line) else { continue };
        match ranges.last_mut() {
            Some(last) if last.1 == start => last.1 = end,
            _ => ranges.push((start, end)),
        }
    }
    ranges
}

fn translatable(line: &[u8]) -> Option<(u64, u64)> {
    let line = std::str::from_utf8(line).ok()?;
    let mut fields = line.split_ascii_whitespace();
    let (start, end) = fields.next()?.split_once('-')?;
    if fields.next()? != "r-xp" {
        return None;
    }
    Some((u64::from_str_radix(start, 16).ok()?, u64::from_str_radix(end, 16).ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_private_code_that_is_not_writable() {
        let text = b"\
00400000-00401000 r--p 00000000 fe:00 1 /bin/x
00401000-00402000 r-xp 00001000 fe:00 1 /bin/x
00402000-00404000 r-xp 00002000 fe:00 1 /bin/x
00404000-00405000 rwxp 00004000 fe:00 1 /bin/x
00405000-00406000 r-xs 00004000 fe:00 1 /bin/x
7fff00000000-7fff00001000 r-xp 00000000 00:00 0                          [vdso]
ffffffffff600000-ffffffffff601000 --xp 00000000 00:00 0                  [vsyscall]
";
        assert_eq!(parse(text), [(0x401000, 0x404000), (0x7fff_0000_0000, 0x7fff_0000_1000)]);
    }

    #[test]
    fn a_path_that_is_no_text_hides_nothing_but_itself() {
        assert_eq!(parse(b"1000-2000 r-xp 0 0 0 /\xff\n3000-4000 r-xp 0 0 0\n"), [(0x3000, 0x4000)]);
    }
}
