//! The list in `LD_PRELOAD`.

/// What remains of a list of objects without its first entry. Spaces and colons separate entries.
pub fn without_first(list: &[u8]) -> &[u8] {
    match list.iter().position(|byte| matches!(byte, b':' | b' ')) {
        Some(at) => &list[at + 1..],
        None => &[],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_first_entry_goes() {
        assert_eq!(without_first(b"/a/ours.so"), b"");
        assert_eq!(without_first(b"/a/ours.so:/b/other.so:third.so"), b"/b/other.so:third.so");
        assert_eq!(without_first(b"/a/ours.so other.so"), b"other.so");
        assert_eq!(without_first(b""), b"");
    }
}
