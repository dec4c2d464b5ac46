//! Where the two show a value or a type differently and GDB is not right, or only writes it in another way: by name,
//! with the test for it.

use crate::support::mcp::Server;
use serde_json::json;
use std::cell::Cell;

/// Reasons that are not faults of GDB: it says nothing, or the same in other words.
const WORDS: [&str; 13] = [
    "a variable without a location, which GDB does not list",
    "an expression that GDB refuses",
    "how arguments of templates are spelled",
    "member functions, labels and arguments of templates of a class",
    "members one by one",
    "a synthetic pointer that is none",
    "the length of an array of variable length",
    "an array whose length is not known",
    "references of Rust, which GDB calls pointers",
    "the name of an address",
    "a tail call that GDB does not know",
    "the type that an enumeration is stored as",
    "a line that GDB does not find",
];

/// GDB reads the register that a frame base is, whatever is in it: we count from the canonical frame address.
pub const FRAME_BASE: &str =
    "a frame base in a register, before it is set up, after it is given back, or while arguments are passed";

/// What we say of a parameter that is not in its place yet.
pub const UNSTORED: &str = "the function's prologue may not have stored it yet";

thread_local! {
    /// Whether the replay is at an instruction that sets up a frame, or gives it back.
    static AT_SETUP: Cell<bool> = const { Cell::new(false) };
}

/// Looks at the instruction that a replay is at: the values compared from now on are of there.
pub fn look_at(server: &Server) {
    AT_SETUP.set(moves_stack(server, "$pc"));
}

/// Whether the instruction at an address sets up a frame, gives it back, or passes arguments on the stack.
pub fn moves_stack(server: &Server, address: &str) -> bool {
    let shown = server.attempt("rr_command", json!({"command": format!("x/i {address}")})).unwrap_or_default();
    let shown = shown["output"].as_str().unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ");
    let instruction = shown.rsplit_once(": ").map_or("", |(_, instruction)| instruction);
    ["push", "mov %rsp,%rbp", "pop", "ret", "leave", "call"].iter().any(|way| instruction.starts_with(way))
        || (["sub $", "add $"].iter().any(|way| instruction.starts_with(way)) && instruction.ends_with(",%rsp"))
}

/// Why the innermost frame of the code at hand may have other values.
pub fn of_setup(ours: &str) -> Option<&'static str> {
    (AT_SETUP.get() || ours.contains(UNSTORED)).then_some(FRAME_BASE)
}

/// Whether it is a reason because of which GDB shows something that is wrong.
pub fn is_fault(reason: &str) -> bool {
    !WORDS.contains(&reason)
}

/// A value as it is compared: the two words that GDB has for memory that cannot be read are one, and characters beyond
/// ASCII are escaped (which of them can be shown, of garbage on a stack, its C library's tables decide for GDB).
pub fn uniform(value: &str) -> String {
    let mut rest = &*ascii(value);
    let mut out = String::new();
    // `@0x28c1cd7e0: <error: …>`, of a reference that cannot be followed, is no more than its second half.
    while let Some((before, behind)) = rest.split_once("<error reading variable: ") {
        out += before;
        out += "<error: ";
        rest = behind;
    }
    out += rest;
    while let Some(end) = out.find(": <error: ") {
        let Some(start) = out[..end].rfind("@0x").filter(|start| !out[*start..end].contains(' ')) else { break };
        out.replace_range(start..end + 2, "");
    }
    out
}

/// Characters beyond ASCII as both debuggers escape those that they do not show.
fn ascii(value: &str) -> String {
    let escape = |byte: u8| if byte.is_ascii() { char::from(byte).to_string() } else { format!("\\{byte:03o}") };
    value.bytes().map(escape).collect()
}

/// Of an outer frame GDB shows what is in a register now, where we say that it is lost.
pub const CLOBBERED: &str = "a register that the callee may have changed";

/// Why two values that are written differently are no fault of ours. `is_outer`: of a frame that has called another.
pub fn of_value(ours: &str, theirs: &str, is_outer: bool) -> Option<&'static str> {
    let is_lost = |text: &str| text.contains("<not saved: ") || text.contains("is not preserved in this frame");
    let cannot_be_read =
        |text: &str| text.starts_with("<error: Cannot access memory") || text.contains("<error: value requires");
    if is_outer && is_lost(ours) && !is_lost(theirs) {
        return Some(CLOBBERED);
    }
    if !is_outer && let Some(reason) = of_setup(ours) {
        return Some(reason);
    }
    if ours == theirs.replace("<synthetic pointer>", "<optimized out>") {
        return Some("a synthetic pointer that is none");
    }
    if ours == "<optimized out>" && has_only_lost_members(theirs) {
        return Some("members one by one");
    }
    if without_symbols(ours) == without_symbols(theirs) {
        // It decodes `visits.1` as a name of Ada's, shortens that of a lambda, and does not read the vdso's.
        return Some("the name of an address");
    }
    if without_lengths(ours) == without_lengths(theirs) {
        return Some("the length of an array of variable length");
    }
    if spelled(&without_symbols(ours)) == spelled(&without_symbols(theirs)) {
        return Some("how arguments of templates are spelled");
    }
    if ours == "<optimized out>" && theirs.starts_with("<error: access outside bounds of object") {
        return Some("an array of variable length that is nowhere");
    }
    if ours.starts_with(['{', '"', '[', '&']) && cannot_be_read(theirs) {
        // All that garbage says it has, where 200 are shown.
        return Some("an array before its declaration");
    }
    let low_address =
        theirs.strip_prefix("<error: Cannot access memory at address 0x").and_then(|rest| rest.strip_suffix('>'));
    if ours == "<optimized out>" && low_address.is_some_and(|digits| digits.len() < 4) {
        // It looks for the variant in an object at address 0.
        return Some("an enum that is nowhere");
    }
    if theirs.contains("<error: Dwarf Error") {
        // Of a pointer to what is in a split unit.
        return Some("debug info that GDB does not find");
    }
    if ours == "-0" && theirs == "0" {
        // It computes `0 - x`.
        return Some("minus zero");
    }
    None
}

/// Whether nothing of an object is there: `{x = <optimized out>, y = {<optimized out>}}`, `Point {x: <optimized out>}`.
fn has_only_lost_members(value: &str) -> bool {
    if value.ends_with(" (<optimized out>)") {
        return true;
    }
    let lost = value.matches("<optimized out>").count();
    let members = [" = ", ": "].map(|sign| value.matches(sign).count() - value.matches(&format!("{sign}{{")).count());
    lost > 0 && value.contains('{') && members.contains(&lost) && members.contains(&0)
}

/// Addresses without the names behind them.
fn without_symbols(value: &str) -> String {
    let mut out = String::new();
    let mut rest = value;
    while let Some(at) = rest.find("0x") {
        let digits = rest[at + 2..].find(|c: char| !c.is_ascii_hexdigit()).unwrap_or(rest.len() - at - 2);
        let (address, behind) = rest.split_at(at + 2 + digits);
        out += address;
        rest = behind;
        if let Some(symbol) = behind.strip_prefix(" <").filter(|symbol| !symbol.starts_with("error")) {
            let mut depth = 1;
            let end = symbol.find(|c| {
                depth += i32::from(c == '<') - i32::from(c == '>');
                depth == 0
            });
            rest = end.map_or("", |end| &symbol[end + 1..]);
        }
    }
    out + rest
}

/// The same for what `ptype` and `whatis` say.
pub fn of_type(ours: &str, theirs: &str) -> Option<&'static str> {
    if has_same_data(ours, theirs) {
        return Some("member functions, labels and arguments of templates of a class");
    }
    if ours == theirs.replace(" : unsigned int {", " {") {
        return Some("the type that an enumeration is stored as");
    }
    let (ours, theirs) = (without_lengths(ours), without_lengths(theirs));
    if spelled(&ours) == spelled(&theirs) {
        return Some("the length of an array of variable length");
    }
    (in_rust(&ours) == in_rust(&theirs)).then_some("references of Rust, which GDB calls pointers")
}

/// Rust's pointers as GDB writes them, of which it does not list what they lead to.
fn in_rust(text: &str) -> String {
    let pointers = |line: &str| {
        let line = line.trim().replace("&mut ", "*mut ").replace('&', "*mut ");
        match (line.strip_suffix(" *,"), line.split_once(": ")) {
            (Some(_), Some((name, ty))) => format!("{name}: *mut {},", ty.trim_end_matches(" *,")),
            // A tuple's.
            (None, Some((name, ty))) if name.starts_with("__") => ty.to_owned(),
            _ => line.replace('{', "(").replace('}', ")"),
        }
    };
    let behind = ["*mut struct ", "*mut enum "].into_iter().find(|words| text.contains(words));
    if let (Some(words), Some((head, _))) = (behind, text.split_once(" {")) {
        return head.replacen(words, "*mut ", 1);
    }
    match text.strip_suffix("} *").and_then(|rest| rest.split_once(" {")) {
        Some((head, _)) => head.replacen("struct ", "*mut ", 1).replacen("enum ", "*mut ", 1),
        None => text.lines().map(pointers).collect::<Vec<_>>().join("\n"),
    }
}

/// GDB writes `Box<char*, 0ul>` for `Box<char *, 0UL>`, `Box<unsigned long>` for `Box<long unsigned int>`, and
/// `pair<int const, int>` for `pair<const int, int>`.
fn spelled(text: &str) -> String {
    let mut text =
        text.replace(" *", "*").replace("* ", "*").replace(" &", "&").replace("> >", ">>").replace("UL", "ul");
    for size in ["long long", "long", "short"] {
        text = text.replace(&format!("{size} unsigned int"), &format!("unsigned {size}"));
        text = text.replace(&format!("{size} int"), size);
    }
    const_behind(&text)
}

/// Arguments of templates that begin with `const`, with it behind the type's name.
fn const_behind(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, name)) = rest.split_once("const ") {
        out += before;
        let is_argument = out.matches('<').count() > out.matches('>').count();
        if !(is_argument && out.ends_with(['<', ' '])) {
            out += "const ";
            rest = name;
            continue;
        }
        let mut depth = 0;
        let end = name.find(|c| {
            depth += i32::from(c == '<') - i32::from(c == '>');
            depth < 0 || depth == 0 && [',', '*', '&'].contains(&c)
        });
        let (name, behind) = name.split_at(end.unwrap_or(name.len()));
        out += &const_behind(name);
        out += " const";
        rest = behind;
    }
    out + rest
}

fn without_lengths(text: &str) -> String {
    let pieces = text.split('[').enumerate().map(|(i, piece)| match piece.split_once(']') {
        Some((length, rest))
            if i > 0 && (length == "variable length" || length.bytes().all(|b| b.is_ascii_digit())) =>
        {
            rest
        }
        _ => piece,
    });
    pieces.collect::<Vec<_>>().join("[")
}

/// Whether two classes have the same bases and data members: all that we list.
fn has_same_data(ours: &str, theirs: &str) -> bool {
    let (Some(ours), Some(theirs)) = (data(ours), data(theirs)) else { return false };
    ours == theirs
}

/// What is around the braces, and the sorted data members between them.
fn data(text: &str) -> Option<(String, Vec<String>)> {
    let text = spelled(text);
    let (head, rest) = text.split_once(" {\n")?;
    let (body, tail) = rest.rsplit_once('}')?;
    let mut arguments = Vec::new();
    let mut head = head.to_owned();
    if let Some((before, behind)) = head.clone().split_once(" [with ") {
        let (list, behind) = behind.rsplit_once(']')?;
        arguments = list
            .split(", ")
            .filter_map(|one| one.split_once(" = "))
            .map(|(a, b)| (a.to_owned(), b.to_owned()))
            .collect();
        head = format!("{before}{behind}");
    }
    for word in ["public ", "private ", "protected ", "virtual "] {
        head = head.replace(word, "");
    }
    let is_data = |line: &&str| {
        let is_function = line.contains('(') && !line.contains("(*") && !line.contains("(&");
        !is_function
            && !line.is_empty()
            && !line.ends_with(':')
            && !line.contains("_vptr")
            && !line.starts_with("typedef ")
            && *line != "<no data fields>"
    };
    let meant = |line: &str| {
        let mut out = String::new();
        let mut rest = line;
        while !rest.is_empty() {
            let word = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
            let (word, behind) = rest.split_at(word.max(rest.chars().next().map_or(0, char::len_utf8)));
            let argument = arguments.iter().find(|(name, _)| name == word);
            out += argument.map_or(word, |(_, meant)| meant);
            rest = behind;
        }
        spelled(&out)
    };
    let mut members: Vec<String> = body.lines().map(str::trim).filter(is_data).map(meant).collect();
    members.sort();
    Some((head + tail, members))
}

#[test]
fn the_same_in_other_words() {
    assert_eq!(uniform("(int &) @0x28: <error: Cannot>"), "(int &) <error: Cannot>");
    assert_eq!(uniform("{a = <error reading variable: Cannot>}"), "{a = <error: Cannot>}");
    assert_eq!(uniform("0x28 \"\\001\u{f7fc}\\377\""), r#"0x28 "\001\357\237\274\377""#);
    assert_eq!(without_symbols("{p = 0x4a <visits.1>, q = 0x5 <f<int>(int)+4>}"), "{p = 0x4a, q = 0x5}");
    assert_eq!(spelled("<A<const P<const char *>, const Q>>"), "<A<P<char const*> const, Q const>>");
    assert_eq!(spelled("<long unsigned int, short int>"), "<unsigned long, short>");
    assert_eq!(spelled("const A<const B> x, const y"), "const A<B const> x, const y");
    assert!(has_only_lost_members("{x = <optimized out>, y = {z = <optimized out>}}"));
    assert!(has_only_lost_members("program::Point {x: <optimized out>, y: <optimized out>}"));
    assert!(!has_only_lost_members("{x = <optimized out>, y = 3}"));
    assert_eq!(of_value("5", "6", true), None);
    let theirs =
        "type = struct Box<int> [with T = int] : public Base {\n    T value;\n  public:\n    T get(void) const;\n}";
    assert!(of_type("type = struct Box<int> : Base {\n    int value;\n}", theirs).is_some());
    assert!(of_type("type = struct Box<int> : Base {\n    int other;\n}", theirs).is_none());
}
