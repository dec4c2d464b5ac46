//! Rust's values: GDB writes them with their types' paths and pointers as addresses, we as `{:?}` does, with what
//! references lead to.

/// Whether both texts show the same value.
pub fn is_same(ours: &str, theirs: &str) -> bool {
    if ours == theirs {
        return true;
    }
    let (ours, theirs) = (bare(&without_slices(ours)), bare(&without_slices(theirs)));
    // What GDB shows as an address may be anything here, up to where the text goes on.
    let mut pieces = theirs.split('\u{0}');
    let Some(mut rest) = pieces.next().and_then(|first| ours.strip_prefix(first)) else { return false };
    let mut is_open = false;
    for piece in pieces {
        is_open = piece.is_empty();
        match rest.find(piece) {
            Some(at) => rest = &rest[at + piece.len()..],
            None => return false,
        }
    }
    is_open || rest.is_empty()
}

/// What a slice is of, and that an enum is in none of its states.
fn without_slices(text: &str) -> String {
    let mut out = text.replace("<error: Could not find active enum variant>", "<no variant>");
    // A pointer to a constant that is not in memory: no address.
    out = out.replace("<synthetic pointer>", "<optimized out>").replace("&dyn ", "");
    while let Some(at) = out.find("<no variant of ") {
        let end = out[at..].find('>').map_or(out.len(), |end| at + end);
        out.replace_range(at + "<no variant".len()..end, "");
    }
    // `&[i32] [3, 5]`
    while let Some(at) = out.find("] [") {
        let start = out[..at].rfind("&[").unwrap_or(at);
        out.replace_range(start..at + 2, "&");
    }
    out
}

/// Without spaces, paths of types and codes of characters; addresses are replaced.
fn bare(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let word = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
        if rest.starts_with("(*") {
            // `(*mut program::Holder) 0x7ffd4f1d4608`
            rest = rest.split_once(") ").map_or("", |(_, behind)| behind);
        } else if rest.starts_with("0x") {
            out.push('\u{0}');
            rest = &rest[word..];
            if let Some(symbol) = rest.strip_prefix(" <") {
                rest = symbol.split_once('>').map_or("", |(_, behind)| behind);
            } else if let Some(behind) = rest.strip_prefix(" \"").and_then(|string| string.split_once('"')) {
                rest = behind.1;
            }
        } else if word > 0 && rest[word..].starts_with("::") {
            rest = &rest[word + 2..];
        } else if word > 0 && rest[word..].starts_with('<') && !rest.starts_with(|c: char| c.is_ascii_digit()) {
            out.push_str(&rest[..word]);
            let mut depth = 0;
            let end = rest[word..].find(|c| {
                depth += i32::from(c == '<') - i32::from(c == '>');
                depth == 0
            });
            rest = end.map_or("", |end| &rest[word + end + 1..]);
            rest = rest.strip_prefix("::").map_or(rest, |variant| {
                out.truncate(out.len() - word);
                variant
            });
        } else if word > 0 && rest[word..].starts_with(" '") {
            rest = &rest[word + 1..];
        } else if word > 0 {
            out.push_str(&rest[..word]);
            rest = &rest[word..];
        } else {
            if c != ' ' {
                out.push(c);
            }
            rest = &rest[c.len_utf8()..];
        }
    }
    out
}

#[test]
fn notations_of_rust() {
    for (ours, theirs) in [
        (
            "Holder { shape: Empty, maybe: Some(&7), letter: 'x', pair: (1, 2) }",
            "program::Holder {shape: program::Shape::Empty, maybe: core::option::Option<&u32>::Some(0x207048 <program::N>), letter: 120 'x', pair: (1, 2)}",
        ),
        ("&Holder { plain: Many }", "0x7ffd4f1d4608"),
        ("&Holder { plain: Many }", "(*mut program::Holder) 0x7ffd4f1d4608"),
        ("None", "core::option::Option<u32>::None"),
        ("&[3, 5]", "&[i32] [3, 5]"),
        ("L { last: <no variant of Option> }", "program::L {last: <error: Could not find active enum variant>}"),
        ("Point { x: 3, y: <optimized out> }", "program::Point {x: 3, y: <optimized out>}"),
    ] {
        assert!(is_same(ours, theirs), "{} {}", bare(ours), bare(theirs));
    }
    assert!(!is_same("Point { x: 3 }", "program::Point {x: 4}"));
    assert!(!is_same("5", "program::Point {x: 4}"));
}
