//! Macros: the C standard's examples, what GNU C and C++20 add, and texts that are no C at all.

use crate::macros::{Macro, expand};
use proptest::prelude::*;

/// An expansion with these definitions.
fn expanded(definitions: &[&str], text: &str) -> String {
    let mut find = |name: &str| {
        let is_of_name = |d: &&&str| Macro::parse(d).is_some_and(|m| m.name == name);
        Ok(definitions.iter().find(is_of_name).map(|d| (*d).to_owned()))
    };
    match expand(text, &mut find) {
        Ok(Some(expanded)) => expanded,
        Ok(None) => format!("unchanged {text}"),
        Err(error) => error.render(text),
    }
}

/// C17 6.10.3.5, example 3.
const RESCANNED: [&str; 15] = [
    "x 2",
    "f(a) f(x * (a))",
    "g f",
    "z z[0]",
    "h g(~",
    "m(a) a(w)",
    "w 0,1",
    "t(a) a",
    "p() int",
    "q(x) x",
    "r(x,y) x ## y",
    "str(x) # x",
    "unused",
    "unclosed(",
    "EMPTY ",
];

#[test]
fn the_examples_of_rescanning_in_the_standard() {
    let e = |text| expanded(&RESCANNED, text);
    assert_eq!(
        e("f(y+1) + f(f(z)) % t(t(g)(0) + t)(1);"),
        "f(2 * (y+1)) + f(2 * (f(2 * (z[0])))) % f(2 * (0)) + t(1);"
    );
    assert_eq!(e("g(x+(3,4)-w) | h 5) & m"), "f(2 * (2+(3,4)-0,1)) | f(2 * (~ 5)) & m");
    assert_eq!(e("m(f)^m(m);"), "f(2 * (0,1))^m(0,1);");
    assert_eq!(e("p() i[q()] = { q(1), r(2,3), r(4,), r(,5), r(,) };"), "int i[] = { 1, 23, 4, 5, };");
    assert_eq!(e("char c[2][6] = { str(hello), str() };"), "char c[2][6] = { \"hello\", \"\" };");
    assert_eq!(e("a + EMPTY b"), "a + b");
    assert_eq!(e("a.b + 'x' + \"x\" + 3x + $x"), "unchanged a.b + 'x' + \"x\" + 3x + $x");
}

#[test]
fn the_examples_of_strings_and_pasting_in_the_standard() {
    let definitions = [
        "str(s) # s",
        "xstr(s) str(s)",
        "debug(s, t) printf(\"x\" # s \"= %d, x\" # t \"= %s\", x ## s, x ## t)",
        "INCFILE(n) vers ## n",
        "glue(a, b) a ## b",
        "xglue(a, b) glue(a, b)",
        "HIGHLOW \"hello\"",
        "LOW LOW \", world\"",
        "t(x,y,z) x ## y ## z",
        "hash_hash # ## #",
        "mkstr(a) # a",
        "in_between(a) mkstr(a)",
        "join(c, d) in_between(c hash_hash d)",
    ];
    let e = |text| expanded(&definitions, text);
    assert_eq!(e("debug(1, 2);"), "printf(\"x\" \"1\" \"= %d, x\" \"2\" \"= %s\", x1, x2);");
    assert_eq!(
        e("fputs(str(strncmp(\"abc\\0d\", \"abc\", '\\4') /* sic */ == 0) str(: @\\n), s);"),
        "fputs(\"strncmp(\\\"abc\\\\0d\\\", \\\"abc\\\", '\\\\4') /* sic */ == 0\" \": @\\n\", s);"
    );
    assert_eq!(e("xstr(INCFILE(2).h)"), "\"vers2.h\"");
    assert_eq!(e("glue(HIGH, LOW);"), "\"hello\";");
    assert_eq!(e("xglue(HIGH, LOW)"), "\"hello\" \", world\"");
    assert_eq!(
        e("{ t(1,2,3), t(,4,5), t(6,,7), t(8,9,), t(10,,), t(,11,), t(,,12), t(,,) };"),
        "{ 123, 45, 67, 89, 10, 11, 12, };"
    );
    assert_eq!(e("join(x, y);"), "\"x ## y\";");
    assert_eq!(e("glue(+,-) glue(0x, ff) glue(<, <=)"), "+- 0xff <<=");
}

#[test]
fn any_number_of_arguments() {
    let definitions = [
        "debug(...) fprintf(stderr, __VA_ARGS__)",
        "showlist(...) puts(#__VA_ARGS__)",
        "report(test, ...) ((test)?puts(#test):printf(__VA_ARGS__))",
        "gnu(format, args...) printf(format, ##args)",
        "opt(f, ...) f(0 __VA_OPT__(,) __VA_ARGS__)",
        "sdef(name, ...) S name __VA_OPT__(= { __VA_ARGS__ })",
        "pasted(x, ...) a ## __VA_OPT__(x ## _b) ## c",
        "EMPTY",
        "count(...) nth(__VA_ARGS__, 3, 2, 1, 0)",
        "nth(a, b, c, n, ...) n",
    ];
    let e = |text| expanded(&definitions, text);
    assert_eq!(e("debug(\"Flag\");"), "fprintf(stderr, \"Flag\");");
    assert_eq!(e("debug(\"X = %d\\n\", x);"), "fprintf(stderr, \"X = %d\\n\", x);");
    assert_eq!(e("showlist(The first, second, and third items.);"), "puts(\"The first, second, and third items.\");");
    assert_eq!(e("report(x>y, \"%d %d\", x, y)"), "((x>y)?puts(\"x>y\"):printf(\"%d %d\", x, y))");
    assert_eq!(e("gnu(\"a\") gnu(\"b\", 1, EMPTY)"), "printf(\"a\") printf(\"b\",1,)");
    assert_eq!(e("opt(f) opt(g, 1) opt(h, EMPTY)"), "f(0 ) g(0 , 1) h(0 )");
    assert_eq!(e("sdef(foo) sdef(bar, 1, 2)"), "S foo S bar = { 1, 2 }");
    assert_eq!(e("pasted(p) pasted(q, 1)"), "ac aq_bc");
    assert_eq!(e("count(a) count(a, b) count(a, b, (c, d))"), "1 2 3");
}

#[test]
fn no_macro_is_expanded_within_itself() {
    let definitions = ["SELF SELF + 1", "a b", "b a", "id(x) x", "f(x) g(x)", "g(x) f(x) + x", "fold f"];
    let e = |text| expanded(&definitions, text);
    assert_eq!(e("SELF"), "SELF + 1");
    assert_eq!(e("a + b"), "a + b");
    // It stays unexpanded although it is scanned again outside of itself (GDB has SELF + 1 + 1).
    assert_eq!(e("id(SELF)"), "SELF + 1");
    assert_eq!(e("f(f(1))"), "f(f(1) + 1) + f(1) + 1");
    assert_eq!(e("fold (2)"), "f(2) + 2");
}

#[test]
fn tokens_stay_apart() {
    let definitions = ["NEG -1", "ONE 1", "DOT .x", "QUOTE \"a\"", "LITERAL L"];
    let e = |text| expanded(&definitions, text);
    assert_eq!(e("-NEG"), "- -1");
    assert_eq!(e("ONE.ONE"), "1 . 1");
    assert_eq!(e("a+ONE"), "a+1");
    assert_eq!(e("a DOT"), "a .x");
    assert_eq!(e("LITERAL QUOTE"), "L \"a\"");
    assert_eq!(e("ONE+ONE-NEG"), "1+1- -1");
}

#[test]
fn mistakes_say_what_they_are() {
    let definitions = ["MAX(a, b) ((a) > (b) ? (a) : (b))", "NONE() 5", "ANY(a, b, ...) a"];
    let e = |text| expanded(&definitions, text);
    assert_eq!(
        e("1 + MAX(2)"),
        "wrong number of arguments to macro `MAX' (expected 2, got 1)\n  1 + MAX(2)\n      ^^^"
    );
    assert_eq!(e("MAX(1, MAX(1, 2, 3))").lines().last(), Some("         ^^^"));
    assert!(e("MAX(1, 2").starts_with("malformed argument list for macro `MAX'\n"));
    assert!(e("NONE(1)").contains("(expected 0, got 1)"));
    assert!(e("ANY(1)").contains("(expected 3, got 1)"));
    assert_eq!(e("ANY(1, 2) + NONE( )"), "1 + 5");
    assert_eq!(e("MAX + NONE"), "unchanged MAX + NONE");
}

#[test]
fn expansions_end() {
    let doubling: Vec<String> = (0..64).map(|i| format!("D{i} D{} D{}", i + 1, i + 1)).collect();
    let doubling: Vec<&str> = doubling.iter().map(String::as_str).collect();
    assert!(expanded(&doubling, "D0").starts_with("the expression is too long after the expansion of macro"));
    let strings = ["S(x) #x #x", "T(x) S(x)"];
    let nested = "T(".repeat(40) + "\\" + &")".repeat(40);
    assert!(expanded(&strings, &nested).starts_with("the expression is too long"));
    let deep = "I(".repeat(2000) + &")".repeat(2000);
    assert!(expanded(&["I(x) x"], &deep).starts_with("the expression is too long"));
    let options = format!("V(...) {}{}", "__VA_OPT__(".repeat(5000), ")".repeat(5000));
    assert!(expanded(&[&options], "V(1)").starts_with("the expression is too long"));
    let chain: Vec<String> = (0..3000).map(|i| format!("C{i} C{}", i + 1)).collect();
    let number = |name: &str| name.strip_prefix('C')?.parse::<usize>().ok();
    let mut find = |name: &str| Ok(number(name).and_then(|number| chain.get(number)).cloned());
    assert!(expand("C0", &mut find).is_err());
    assert_eq!(expand("C2900", &mut find).unwrap().as_deref(), Some("C3000"));
}

#[test]
fn definitions_as_debug_info_has_them() {
    let parsed = |text| Macro::parse(text).map(|m| (m.signature(), m.replacement));
    let is = |text, signature: &str, replacement: &str| {
        assert_eq!(parsed(text), Some((signature.to_owned(), replacement.to_owned())), "{text}");
    };
    is("A 1 + 2", "A", "1 + 2");
    is("A ", "A", "");
    is("A", "A", "");
    is("A (x) y", "A", "(x) y");
    is("f() 1", "f()", "1");
    is("f(a,b) a ##b", "f(a, b)", "a ##b");
    is("f(a,...) a", "f(a, ...)", "a");
    is("f(args...) args", "f(args...)", "args");
    for wrong in ["", "1", "f(", "f(a", "f(a b) x", "f(1) x", "f(...,a) x", "f(a,) x", "+ 1"] {
        assert_eq!(parsed(wrong), None, "{wrong}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn any_soup_of_tokens_ends(
        definitions in proptest::collection::vec(soup(), 0..8),
        text in soup(),
    ) {
        let heads = ["a", "b(x)", "c(x,y)", "d(...)", "e(x, y...)", "f()", "g", "h(z)"];
        let all: Vec<String> = heads.iter().zip(&definitions).map(|(head, body)| format!("{head} {body}")).collect();
        let all: Vec<&str> = all.iter().map(String::as_str).collect();
        let _ = expanded(&all, &text);
    }

    #[test]
    fn any_text_ends(definition in "\\PC{0,40}", text in "\\PC{0,60}") {
        let _ = expand(&text, &mut |_| Ok(Some(definition.clone())));
        let _ = expand(&text, &mut |name| Ok(Some(format!("{name}(x,...) {definition}"))));
    }
}

/// Tokens that matter to the preprocessor, in any order.
fn soup() -> impl Strategy<Value = String> {
    let token = proptest::sample::select(vec![
        "a",
        "b",
        "c",
        "d",
        "e",
        "f",
        "g",
        "h",
        "x",
        "y",
        "z",
        "(",
        ")",
        ",",
        "#",
        "##",
        "__VA_ARGS__",
        "__VA_OPT__",
        "\"s\"",
        "'",
        "\"",
        "1",
        "+",
        ".",
        " ",
        "L",
        "$",
        "ü",
    ]);
    proptest::collection::vec(token, 0..60).prop_map(|tokens| tokens.concat())
}
