use crate::naming::query::NameQuery;
use crate::testing::{Program, build, every_build, marked};
use proptest::prelude::*;

fn names(program: &Program, name: &str) -> Vec<String> {
    let mut names: Vec<_> = program.image.functions_named(name).into_iter().map(|f| f.name).collect();
    names.sort();
    names
}

#[test]
fn a_c_function_has_its_plain_name_and_its_declaration() {
    for (how, program) in every_build(&["lines.c"]) {
        let found = program.image.functions_named("loop");
        assert_eq!(found.len(), 1, "{how}");
        assert_eq!((&*found[0].name, &found[0].linkage_name), ("loop", &None), "{how}");
        assert_eq!(found[0].line, Some(marked("lines.c", "opening")), "{how}");
        assert_eq!(found[0].file.as_ref().unwrap().name, "lines.c", "{how}");
        assert_eq!(program.image.function_at(found[0].entry).as_ref(), Some(&found[0]), "{how}");
        // It has no overloads.
        assert_eq!(program.image.functions_named("loop(int)"), found, "{how}");
        assert_eq!(program.image.functions_named("no_such_function"), Vec::new(), "{how}");
    }
}

#[test]
fn a_long_name_is_shown_without_its_middle_and_found_by_all_of_it() {
    let long = format!("a{}z", "b".repeat(9000));
    let other = format!("a{}z", "b".repeat(9001));
    let shown = format!("a{}…{}z", "b".repeat(1999), "b".repeat(1998));
    let flags = ["", "-g "].map(|debug| format!("{debug}-O0 -Dvisit={long} -Dhelper={other}"));
    for program in flags.map(|flags| build("gcc", &flags, &["scopes.c"])) {
        for name in [&long, &other] {
            assert_eq!(names(&program, name), std::slice::from_ref(&shown));
            let entry = program.entry(name);
            assert_eq!(program.image.inline_chain(entry)[0].name, shown);
            assert_eq!(program.image.symbol_at(entry).unwrap().display, shown);
        }
        assert_ne!(program.entry(&long), program.entry(&other));
        assert_eq!(names(&program, &shown), Vec::<String>::new());
    }
}

#[test]
fn static_functions_of_the_same_name_are_all_found() {
    let program = build("gcc", "-g -O0", &["same_name_a.c", "same_name_b.c"]);
    let files: Vec<_> =
        program.image.functions_named("helper").iter().map(|f| f.file.as_ref().unwrap().name.clone()).collect();
    assert_eq!(files, ["same_name_a.c", "same_name_b.c"]);
}

#[test]
fn cpp_functions_are_found_by_any_part_of_their_name() {
    for compiler in ["g++", "clang++"] {
        for version in [4, 5] {
            let program = build(compiler, &format!("-O0 -gdwarf-{version}"), &["qualified_names.cpp"]);
            let area = ["outer::v1::Shape::area(int) const".to_owned()];
            for name in ["area", "Shape::area", "v1::Shape::area", "outer::v1::Shape::area", "::outer::v1::Shape::area"]
            {
                assert_eq!(names(&program, name), area, "{compiler} {version} {name}");
            }
            // An inline namespace need not be written.
            assert_eq!(names(&program, "outer::Shape::area"), area);
            assert_eq!(names(&program, "area(int) const"), area);
            assert_eq!(names(&program, "Shape::area( int )"), area);
            for name in ["::area", "inner::area", "area(long)", "Shape::are", "rea"] {
                assert_eq!(names(&program, name), Vec::<String>::new(), "{compiler} {version} {name}");
            }
        }
    }
}

#[test]
fn overloads_are_told_apart_by_their_parameters() {
    for compiler in ["g++", "clang++"] {
        let program = build(compiler, "-O0 -g", &["qualified_names.cpp"]);
        let all = ["outer::convert(double)", "outer::convert(int)", "outer::inner::convert(char)"];
        assert_eq!(names(&program, "convert"), all);
        assert_eq!(names(&program, "outer::convert"), all[..2]);
        assert_eq!(names(&program, "convert(int)"), all[1..2]);
        assert_eq!(names(&program, "inner::convert(char)"), all[2..]);
        // Compilers emit a constructor once or twice.
        let constructors = names(&program, "Shape::Shape");
        assert!(constructors.iter().all(|name| name == "outer::v1::Shape::Shape(int)"), "{constructors:?}");
        assert!(!constructors.is_empty());
    }
}

#[test]
fn an_overload_is_the_one_that_is_asked_for() {
    for compiler in ["g++", "clang++"] {
        let program = build(compiler, "-O0 -g", &["overloads.cpp"]);
        let lines = |name: &str| -> Vec<u32> {
            program.image.functions_named(name).iter().filter_map(|function| function.line).collect()
        };
        for (name, expected) in [
            ("S::f", &[7, 8, 9][..]),
            ("S::f()", &[7]),
            ("S::f() const", &[8]),
            ("S::f()const", &[8]),
            ("S::f() volatile", &[9]),
            ("S::f() const volatile", &[]),
            ("S::g", &[10, 11]),
            ("S::g() &", &[10]),
            ("S::g() &&", &[11]),
            ("S::only()", &[12]),
            ("S::only() const", &[12]),
            ("S::only() volatile", &[]),
            ("f(char)", &[16]),
            ("::f(char)", &[16]),
            ("::f()", &[18]),
            ("k(INT)", &[20]),
            ("k(int)", &[20]),
            ("k(char)", &[]),
            ("k()", &[21]),
            ("k(void)", &[21]),
            ("t<A::V>", &[33]),
            ("t<A::v1::V>", &[33]),
            ("t<A::V>(A::V)", &[33]),
            ("A::Box<A::V>::get", &[30]),
            ("t<V>", &[]),
        ] {
            let mut found = lines(name);
            found.sort_unstable();
            assert_eq!(found, expected, "{compiler} {name}");
        }
        let entries = |name: &str| program.image.inlined_copies(name).len();
        assert_eq!(
            [entries("in"), entries("in(INT)"), entries("in(char)"), entries("in(long)")],
            [2, 1, 1, 0],
            "{compiler}"
        );
    }
}

#[test]
fn anonymous_namespaces_operators_and_templates_have_names() {
    for compiler in ["g++", "clang++"] {
        let program = build(compiler, "-O0 -g", &["qualified_names.cpp"]);
        let hidden = ["outer::(anonymous namespace)::hidden(int)"];
        for name in ["hidden", "outer::hidden", "(anonymous namespace)::hidden", hidden[0]] {
            assert_eq!(names(&program, name), hidden, "{name}");
        }
        assert_eq!(names(&program, "Shape::operator()"), ["outer::v1::Shape::operator()(int) const"]);
        assert_eq!(names(&program, "operator<"), ["outer::v1::Shape::operator<(outer::v1::Shape const&) const"]);
        let scaled = ["outer::v1::Shape::scaled<double>(double) const", "outer::v1::Shape::scaled<int>(int) const"];
        assert_eq!(names(&program, "scaled"), scaled);
        assert_eq!(names(&program, "Shape::scaled<int>"), scaled[1..]);
        assert_eq!(names(&program, "main"), ["main"]);
        assert_eq!(names(&program, "_ZNK5outer2v15Shape4areaEi"), ["outer::v1::Shape::area(int) const"]);
    }
}

#[test]
fn rust_functions_are_found_by_any_part_of_their_path() {
    let program = build("rustc", "-g --edition 2021", &["rust_paths.rs"]);
    let doubled = ["rust_paths::geometry::Square::doubled"];
    for name in ["Square::doubled", "geometry::Square::doubled", doubled[0]] {
        assert_eq!(names(&program, name), doubled, "{name}");
    }
    let area = "<rust_paths::geometry::Square as rust_paths::geometry::Area>::area";
    assert_eq!(names(&program, area), [area]);
    let generic = names(&program, "geometry::generic");
    assert_eq!(generic.len(), 1);
    assert!(generic[0].starts_with("rust_paths::geometry::generic"), "{generic:?}");
    assert_eq!(names(&program, "rust_paths::main"), ["rust_paths::main"]);
}

#[test]
fn inlined_functions_have_names_even_if_nothing_is_left_of_them() {
    for (how, program) in every_build(&["inline_chain.c"]) {
        assert_eq!(program.image.functions_named("innermost"), Vec::new(), "{how}");
        assert_eq!(program.image.inlined_copies("innermost").len(), 2, "{how}");
    }
}

#[test]
fn queries_are_cut_at_scopes_outside_of_brackets() {
    let parts = |text| {
        let query = NameQuery::parse(text);
        let scopes: Vec<String> = query.scopes().iter().map(|s| (*s).to_owned()).collect();
        (scopes.join("|"), query.last().to_owned(), query.parameters.map(str::to_owned))
    };
    let expect = |scopes: &str, last: &str, parameters: Option<&str>| {
        (scopes.to_owned(), last.to_owned(), parameters.map(str::to_owned))
    };
    assert_eq!(parts("f"), expect("", "f", None));
    assert_eq!(parts("a::b::f(int, std::pair<x, y>)"), expect("a|b", "f", Some("int, std::pair<x, y>")));
    assert_eq!(parts("a<b::c>::f"), expect("a<b::c>", "f", None));
    assert_eq!(parts("(anonymous namespace)::f()"), expect("(anonymous namespace)", "f", Some("")));
    assert_eq!(parts("A::operator()(int)"), expect("A", "operator()", Some("int")));
    assert_eq!(parts("A::operator<(A const&)"), expect("A", "operator<", Some("A const&")));
    assert_eq!(parts("A::operator->()"), expect("A", "operator->", Some("")));
    assert_eq!(parts("<a::B as c::D>::f"), expect("<a::B as c::D>", "f", None));
    assert_eq!(parts("f[abi:cxx11](int)"), expect("", "f", Some("int")));
    assert!(NameQuery::parse("::f").absolute);
}

proptest! {
    #[test]
    fn any_text_is_a_query(text in "[a-z:<>()\\[\\]{} *&,~-]{0,40}", shown in "\\PC{0,40}") {
        let query = NameQuery::parse(&text);
        let _ = query.matches_shown(&shown);
        prop_assert!(query.scopes().len() <= text.len());
        prop_assert!(NameQuery::parse(&shown).last().len() <= shown.len());
    }

    #[test]
    fn a_qualified_name_is_matched_by_each_of_its_ends(parts in proptest::collection::vec("[a-z]{1,6}", 1..6)) {
        let whole = parts.join("::");
        for first in 0..parts.len() {
            let tail = parts[first..].join("::");
            prop_assert!(NameQuery::parse(&tail).matches_shown(&whole));
            let with_parameters = format!("{whole}(int)");
            prop_assert!(NameQuery::parse(&tail).matches_shown(&with_parameters));
            let absolute = format!("::{tail}");
            prop_assert_eq!(NameQuery::parse(&absolute).matches_shown(&whole), first == 0);
        }
    }
}
