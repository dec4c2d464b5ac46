//! The list in `LD_PRELOAD`.

/// Returns the first entry of a list of objects.
pub fn first(list: &[u8]) -> &[u8] {
    list.split(|byte| matches!(byte, b':' | b' ')).next().unwrap_or_default()
}

/// Returns what remains of a list of objects without its first entry. Spaces and colons separate entries.
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

    #[test]
    fn the_first_entry() {
        assert_eq!(first(b"/a/ours.so"), b"/a/ours.so");
        assert_eq!(first(b"/a/ours.so:/b/other.so"), b"/a/ours.so");
        assert_eq!(first(b"/a/ours.so other.so"), b"/a/ours.so");
        assert_eq!(first(b""), b"");
    }
}
