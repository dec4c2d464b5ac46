use super::*;
use proptest::prelude::*;

fn names(text: &str) -> Vec<&str> {
    QualifiedName::split(text).components().iter().map(Component::name).collect()
}

#[test]
fn names_are_cut_outside_of_brackets() {
    for (name, components) in [
        ("main", &["main"][..]),
        ("a::b::f(int) const", &["a", "b", "f"]),
        ("::a::f", &["a", "f"]),
        ("a::T<b::U, (c::V)1>::f(d::W)", &["a", "T<b::U, (c::V)1>", "f"]),
        ("(anonymous namespace)::f(int)", &["(anonymous namespace)", "f"]),
        ("a::(anonymous namespace)::C::C()", &["a", "(anonymous namespace)", "C", "C"]),
        ("a::f(b::C)::{lambda(d::E)#1}::operator()(int) const", &["a", "f", "{lambda(d::E)#1}", "operator()"]),
        ("a::f(int)::x", &["a", "f", "x"]),
        ("<a::T as b::U<c::V>>::f", &["<a::T as b::U<c::V>>", "f"]),
        ("<dyn core::ops::Fn(u8) -> a::B as c::D>::call", &["<dyn core::ops::Fn(u8) -> a::B as c::D>", "call"]),
        ("a::f::{closure#0}", &["a", "f", "{closure#0}"]),
        ("a::f::<b::C>", &["a", "f::<b::C>"]),
        ("core::str::<impl str>::len", &["core", "str", "<impl str>", "len"]),
        ("shop::{impl#0}::total", &["shop", "{impl#0}", "total"]),
        ("f [clone .part.0]", &["f"]),
        ("a::f(int) [clone .cold]", &["a", "f"]),
        ("f<(1>2)>::g", &["f<(1>2)>", "g"]),
        ("f<(1<2)>::g", &["f<(1<2)>", "g"]),
        ("f<&a::operator<, &a::operator->>::g", &["f<&a::operator<, &a::operator->>", "g"]),
        ("", &[""]),
        ("::", &[""]),
        ("a::", &["a", ""]),
        ("größe::ß", &["größe", "ß"]),
    ] {
        assert_eq!(names(name), components, "{name}");
    }
}

#[test]
fn the_signs_of_operators_are_no_brackets() {
    for (name, end, bare) in [
        ("a::operator<(a::T, a::T)", "operator<", "operator<"),
        ("a::operator< <b::C>(a::T)", "operator< <b::C>", "operator<"),
        ("a::operator<< <b::C>(a::T)", "operator<< <b::C>", "operator<<"),
        ("a::operator<=><b::C>(a::T)", "operator<=><b::C>", "operator<=>"),
        ("a::operator>>=(int)", "operator>>=", "operator>>="),
        ("a::operator->", "operator->", "operator->"),
        ("a::operator->*()", "operator->*", "operator->*"),
        ("a::operator()", "operator()", "operator()"),
        ("a::operator()(int)", "operator()", "operator()"),
        ("a::operator()<int>(int)", "operator()<int>", "operator()"),
        ("a::operator[](int)", "operator[]", "operator[]"),
        ("a::operator,(int)", "operator,", "operator,"),
        ("operator new[](unsigned long)", "operator new[]", "operator new[]"),
        ("operator delete(void*)", "operator delete", "operator delete"),
        ("a::operator std::vector<b::C>() const", "operator std::vector<b::C>", "operator std::vector<b::C>"),
        ("a::operator (anonymous namespace)::T()", "operator (anonymous namespace)::T", {
            "operator (anonymous namespace)::T"
        }),
        ("a::operator int (*)(b::C)()", "operator int (*)(b::C)", "operator int (*)(b::C)"),
        ("a::operators<int>(b::C)", "operators<int>", "operators"),
        ("a::my_operator<b::C>", "my_operator<b::C>", "my_operator"),
        ("operator", "operator", "operator"),
        ("a::f[abi:cxx11](int)", "f[abi:cxx11]", "f"),
        ("a::f[abi:cxx11]<b::C>()", "f[abi:cxx11]<b::C>", "f"),
        ("core::option::Option<core::option::Option<i32>>", "Option<core::option::Option<i32>>", "Option"),
        ("main::{closure_env#0}", "{closure_env#0}", "{closure_env#0}"),
        ("<T as shop::Price>::Cost", "Cost", "Cost"),
    ] {
        assert_eq!((last(name), bare_last(name)), (end, bare), "{name}");
    }
}

#[test]
fn the_parts_of_a_component() {
    let last = |name| {
        let name = QualifiedName::split(name);
        let last = name.last().unwrap();
        (last.bare(), last.parameters(), last.behind(), name.path(), name.scope())
    };
    let f = last("a::f<int>(int (*)(char), b::C) const");
    assert_eq!(f, ("f", Some("int (*)(char), b::C"), " const", "a::f<int>", Some("a")));
    assert_eq!(last("f() [clone .x]"), ("f", Some(""), " [clone .x]", "f", None));
    assert_eq!(last("f [clone .x]"), ("f", None, " [clone .x]", "f", None));
    assert_eq!(last("x::operator()"), ("operator()", None, "", "x::operator()", Some("x")));
    assert_eq!(last("f(int"), ("f", Some("int"), "", "f", None));
    assert_eq!(last("::f"), ("f", None, "", "::f", None));
    assert_eq!(last("<signal handler called>"), {
        ("<signal handler called>", None, "", "<signal handler called>", None)
    });
    assert_eq!(last("odd)"), ("odd)", None, "", "odd)", None));
    assert_eq!(last("f::<u8>"), ("f", None, "", "f::<u8>", None));
}

#[test]
fn constructors_are_called_as_their_classes() {
    for (name, is_one) in [
        ("Class::Class(int)", true),
        ("(anonymous namespace)::Class::Class()", true),
        ("a::Box<b::C>::Box(b::C)", true),
        ("a::Box<b::C>::Box<int>(int)", true),
        ("Class::~Class()", false),
        ("Class::f(Class::Class)", false),
        ("Class", false),
        ("::", false),
        ("::::", false),
    ] {
        assert_eq!(QualifiedName::split(name).is_constructor(), is_one, "{name}");
    }
}

#[test]
fn names_end_with_their_last_components() {
    assert!(ends_with("a::b::C", "C") && ends_with("a::b::C", "b::C") && ends_with("a::C", "::a::C"));
    assert!(!ends_with("a::bC", "C") && !ends_with("a::C", "::C") && !ends_with("C", "a::C"));
    assert!(!ends_with("a<b::C>", "C>"));
}

#[test]
fn arguments_of_templates() {
    assert_eq!(template_arguments("t<int, a<b, c> >"), Some(("t", vec!["int", "a<b, c>"])));
    assert_eq!(template_arguments("a<b>::t<f(int, int)>"), Some(("a<b>::t", vec!["f(int, int)"])));
    let pointers = vec!["int (*)(char, int)", "(x)->y"];
    assert_eq!(template_arguments("t<int (*)(char, int), (x)->y>"), Some(("t", pointers)));
    assert_eq!(template_arguments("t<>"), Some(("t", vec![])));
    for none in ["t", "t<a>b", "operator<", "<a as b>", "t<a>>", "t<a)>", "f(t<a>)"] {
        assert_eq!(template_arguments(none), None, "{none}");
    }
    for (name, without) in [("std::vector<int>", "std::vector"), ("a<b>::f<int>(int)", "a<b>::f"), ("a", "a")] {
        assert_eq!(bare_path(name), without);
    }
}

/// Texts in which everything that means something to a name is frequent.
fn any_name() -> impl Strategy<Value = String> {
    let word = prop_oneof![
        Just("::"),
        Just("operator"),
        Just("(anonymous namespace)"),
        Just("->"),
        Just(" as "),
        Just("<impl "),
        Just("{closure#0}"),
        Just(" [clone .x]"),
        Just("a"),
        Just("ß"),
    ];
    proptest::collection::vec(prop_oneof![word.prop_map(str::to_owned), "[<>()\\[\\]{}:, *&~-]"], 0..24)
        .prop_map(|parts| parts.concat())
}

proptest! {
    #[test]
    fn the_components_joined_are_the_name(name in any_name()) {
        let split = QualifiedName::split(&name);
        prop_assert_eq!(split.to_string(), name.clone());
        prop_assert_eq!(split.prefixes().next_back(), Some(split.path()));
        prop_assert!(split.prefixes().all(|prefix| name.starts_with(prefix)));
        for component in split.components() {
            prop_assert!(component.name().starts_with(component.bare()));
            prop_assert_eq!(bare(component.text), bare_path(component.text));
            prop_assert!(component.text.ends_with(component.behind()));
        }
        prop_assert!(split.ends_with(&name));
    }

    #[test]
    fn any_text_has_parts(name in ".{0,40}", path in any_name()) {
        for text in [&name, &path] {
            prop_assert!(text.starts_with(bare_path(text)) && text.contains(last(text)));
            prop_assert!(text.contains(bare_last(text)));
            let _ = (template_arguments(text), list(text), ends_with(text, &path));
        }
    }
}
