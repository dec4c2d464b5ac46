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
        let start = ["&[", "*const [", "*mut ["].iter().filter_map(|head| out[..at].rfind(head)).max().unwrap_or(at);
        let is_pointer = out[start..].starts_with('*');
        out.replace_range(start..at + 2, if is_pointer { "" } else { "&" });
    }
    out
}

/// With slices as such: in an object shown as what it consists of, GDB shows the elements of a slice, we its pointer
/// and its length.
pub fn with_bare_slices(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    let begins = |rest: &str| {
        ["] [", "Global> [", " <error: value has been optimized out>", " { data_ptr: "]
            .iter()
            .filter_map(|sign| rest.find(sign).map(|at| (at, at + sign.len())))
            .min()
    };
    while let Some((_, behind)) = begins(rest) {
        let (before, inside) = rest.split_at(behind);
        let mut depth = i32::from(!before.ends_with('>'));
        let end = inside.find(|c| {
            depth += i32::from(matches!(c, '[' | '{')) - i32::from(matches!(c, ']' | '}'));
            depth == 0
        });
        rest = end.map_or("", |end| inside[end..].trim_start_matches([']', '}']));
        out += &before[..type_before(before)];
        out += "<slice>";
    }
    out + rest
}

/// Where the last type of a text begins, behind which a value begins: `&[u8]` of `{a: 1, b: &[u8] [`.
fn type_before(text: &str) -> usize {
    let text =
        text.strip_suffix(" <error: value has been optimized out>").unwrap_or(text).trim_end_matches(['[', '{', ' ']);
    let text = text.strip_suffix(" { data_ptr:").unwrap_or(text);
    let mut depth = 0;
    let start = text.rfind(|c| {
        depth += i32::from(matches!(c, '>' | ']')) - i32::from(matches!(c, '<' | '['));
        depth < 0 || depth == 0 && matches!(c, ' ' | '(' | '{')
    });
    let start = start.map_or(0, |at| at + 1);
    ["*const ", "*mut ", "&mut "].iter().find_map(|word| text[..start].strip_suffix(word)).map_or(start, str::len)
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
        ("[3, 5]", "*const [i32] [3, 5]"),
        ("L { last: <no variant of Option> }", "program::L {last: <error: Could not find active enum variant>}"),
        ("Point { x: 3, y: <optimized out> }", "program::Point {x: 3, y: <optimized out>}"),
    ] {
        assert!(is_same(ours, theirs), "{} {}", bare(ours), bare(theirs));
    }
    assert!(!is_same("Point { x: 3 }", "program::Point {x: 4}"));
    assert!(!is_same("5", "program::Point {x: 4}"));
}

#[test]
fn slices_of_what_an_object_consists_of() {
    for (text, bare) in [
        ("P { c: Some(&[u8] { data_ptr: 0x56, length: 5 }), n: 1 }", "P { c: Some(<slice>), n: 1 }"),
        ("B { buf: Box { data_ptr: 0x56, length: 5 }, n: 1 }", "B { buf: <slice>, n: 1 }"),
        ("b::P {c: o::Option<&[u8]>::Some(&[u8] [5, 6]), n: 1}", "b::P {c: o::Option<&[u8]>::Some(<slice>), n: 1}"),
        ("b::B {buf: Box<[U<u8>], a::Global> [U {u: ()}, U {u: (1)}], n: 1}", "b::B {buf: <slice>, n: 1}"),
        ("&[u8] <error: value has been optimized out>", "<slice>"),
        ("*const [u8] { data_ptr: <optimized out>, length: 16 }", "<slice>"),
        ("P { n: 1 }", "P { n: 1 }"),
    ] {
        assert_eq!(with_bare_slices(text), bare);
    }
}
