//! Variables in scope, and globals by name, of compiled programs.

use crate::testing::{Frame, Program, build, every_build, marked};
use crate::{Location, Variable};
use arch::LinkAddr;
use ctype::Type;

/// `name@depth` of each variable.
fn scoped(variables: &[Variable]) -> Vec<String> {
    variables.iter().map(|v| format!("{}@{}", v.name, v.depth)).collect()
}

fn names(variables: &[Variable]) -> Vec<&str> {
    variables.iter().map(|v| v.name.as_str()).collect()
}

/// Inline levels at an address: name of the function, names of its variables.
fn levels(program: &Program, pc: LinkAddr) -> Vec<(String, Vec<String>)> {
    let chain = program.image.inline_chain(pc);
    let variables = |level| program.image.variables_at(pc, level).into_iter().map(|v| v.name).collect();
    chain.into_iter().enumerate().map(|(level, frame)| (frame.name, variables(level))).collect()
}

#[test]
fn blocks_add_their_variables_after_those_around_them() {
    for flags in ["-gdwarf-4", "-gdwarf-5"] {
        let program = build("gcc", flags, &["scopes.c"]);
        let variables = program.image.variables_at(program.line("scopes.c", 15), 0);
        let expected =
            ["depth@0", "name@0", "visits@0", "result@0", "later@0", "result@1", "inner_static@1", "letter@2"];
        assert_eq!(scoped(&variables), expected, "{flags}");
        assert_eq!(variables.iter().filter(|v| v.is_argument).count(), 2);
        let result: Vec<_> = variables.iter().filter(|v| v.name == "result").map(|v| v.line).collect();
        assert_eq!(result, [Some(8), Some(11)]);
        assert_eq!(variables[0].file.as_ref().unwrap().name, "scopes.c");

        let variables = program.image.variables_at(program.line("scopes.c", 23), 0);
        assert_eq!(scoped(&variables), ["depth@0", "name@0", "visits@0", "result@0", "later@0"], "{flags}");
    }
}

#[test]
fn what_a_lambda_has_captured_is_among_its_variables() {
    for (compiler, variables) in [("g++", ["z", "y", "x"].as_slice()), ("clang++", &["this", "z"])] {
        let program = build(compiler, "-g -O0 -std=c++17", &["objects.cpp"]);
        let line = program.image.addresses_of_line("objects.cpp", marked("objects.cpp", "lambda"));
        let inside = |pc: &&LinkAddr| program.image.function_at(**pc).is_some_and(|f| f.name.ends_with("(int) const"));
        let pc = line[0].addresses.iter().find(inside).unwrap();
        assert_eq!(names(&program.image.variables_at(*pc, 0)), variables, "{compiler}");
    }
}

#[test]
fn an_extern_declaration_in_a_block_is_the_global() {
    let program = build("gcc", "-g", &["scopes.c"]);
    let pc = program.line("scopes.c", 23);
    let variables = program.image.variables_at(pc, 0);
    let later = variables.iter().find(|v| v.name == "later").unwrap();
    let symbol = program.image.symbols_named("later")[0].address.0;
    assert_eq!(later.die, program.global("later").die);
    assert_eq!(Frame::at(pc).locate(&program.image, later), Location::Memory(symbol));
}

#[test]
fn statics_of_functions_are_found_by_the_name_of_the_function() {
    for (build, program) in every_build(&["scopes.c"]) {
        let static_of = |name: &str| {
            let found = program.image.globals_named(None, name);
            assert_eq!(names(&found), [name], "{build}");
            found[0].line
        };
        assert_eq!(static_of("visit::visits"), Some(7));
        // Clang inlines `helper` and puts its static into a function without a name.
        assert_eq!(static_of("helper::visits"), Some(29));
        let found = program.image.globals_named(None, "visits");
        let mut found: Vec<_> = found.iter().map(|v| (v.name.as_str(), v.line)).collect();
        found.sort_unstable_by_key(|(_, line)| *line);
        assert_eq!(found, [("visit::visits", Some(7)), ("helper::visits", Some(29))], "{build}");
        assert!(program.image.globals_named(None, "nothing_of_the_kind").is_empty());
    }
}

#[test]
fn statics_of_functions_are_found_after_link_time_optimisation() {
    let program = build("gcc", "-g -O2 -flto -fno-inline", &["scopes.c"]);
    let found = program.image.globals_named(None, "helper::visits");
    assert_eq!((names(&found).as_slice(), found[0].line), (["helper::visits"].as_slice(), Some(29)));
    let shown = program.image.variables_at(program.entry("helper"), 0);
    assert_eq!(shown.iter().map(|v| v.die).collect::<Vec<_>>(), [found[0].die]);
}

#[test]
fn a_block_may_declare_a_static_of_its_file() {
    for compiler in ["gcc", "clang"] {
        let program = build(compiler, "-g", &["scopes.c"]);
        let pc = program.line("scopes.c", 35);
        let shown = program.image.variables_at(pc, 0);
        let counted = shown.iter().find(|v| v.name == "counted");
        // Clang does not describe it.
        assert!(counted.map_or(compiler == "clang", |v| v.die == program.global("counted").die), "{compiler}");
    }
}

#[test]
fn globals_are_filtered_by_file() {
    let program = build("gcc", "-g", &["incomplete_user.c", "incomplete_definer.c"]);
    let lines = |file| -> Vec<_> {
        let found = program.image.globals_named(file, "defined_elsewhere");
        found.into_iter().map(|v| (v.file.unwrap().name.clone(), v.line)).collect()
    };
    let definition = vec![("incomplete_definer.c".to_owned(), Some(14))];
    assert_eq!(lines(None), definition);
    assert_eq!(lines(Some("incomplete_definer.c")), definition);
    assert_eq!(lines(Some("src/incomplete_definer.c")), definition);
    assert_eq!(lines(Some("definer.c")), []);
    assert_eq!(lines(Some("")), []);
}

#[test]
fn a_global_of_another_module_has_no_location_here() {
    // The declaration alone, in an object whose definition is linked later.
    let program = build("gcc", "-g -shared -fPIC", &["incomplete_user.c"]);
    assert!(program.image.globals_named(None, "defined_elsewhere").is_empty());
}

#[test]
fn globals_of_cpp_are_found_by_any_part_of_their_name() {
    for compiler in ["g++", "clang++"] {
        let program = build(compiler, "-g -std=c++17", &["classes.cpp"]);
        for (query, expected) in [
            ("count", "geometry::Point::count"),
            ("Point::count", "geometry::Point::count"),
            ("geometry::Point::count", "geometry::Point::count"),
            ("geometry::detail::hidden", "geometry::detail::hidden"),
            ("hidden", "geometry::detail::hidden"),
            ("private_to_the_file", "(anonymous namespace)::private_to_the_file"),
            ("::shape", "shape"),
        ] {
            assert_eq!(program.global(query).name, expected, "{compiler} {query}");
        }
        assert!(program.image.globals_named(None, "wrong::count").is_empty());
    }
}

#[test]
fn each_inline_level_has_its_own_variables() {
    for flags in ["-gdwarf-4", "-gdwarf-5"] {
        let program = build("gcc", &format!("{flags} -O2"), &["inlined.c"]);
        let pc = program.line("inlined.c", 4);
        let own = |names: &[&str]| names.iter().map(|n| (*n).to_owned()).collect::<Vec<_>>();
        let expected = [
            // `unused` is in the inlined copy's abstract origin only.
            ("clamp".to_owned(), own(&["value", "unused", "limit", "clipped"])),
            ("twice".to_owned(), own(&["input", "doubled", "result"])),
        ];
        assert_eq!(levels(&program, pc), expected, "{flags}");
        assert!(program.image.variables_at(pc, 2).is_empty());
        assert!(program.image.variables_at(pc, usize::MAX).is_empty());
    }
}

#[test]
fn a_parameter_that_was_propagated_is_a_constant() {
    let program = build("gcc", "-g -O2", &["inlined.c"]);
    let pc = program.line("inlined.c", 4);
    let variables = program.image.variables_at(pc, 0);
    let limit = variables.iter().find(|v| v.name == "limit").unwrap();
    assert_eq!(Frame::at(pc).locate(&program.image, limit), Location::Bytes(vec![100, 0, 0, 0]));
}

#[test]
fn this_is_the_only_variable_of_the_compilers_making() {
    let program = build("g++", "-g -O0", &["classes.cpp"]);
    let area = &program.image.functions_named("Shape::area")[0];
    let variables = program.image.variables_at(area.entry, 0);
    assert_eq!(names(&variables), ["this", "scale"]);
    assert!(variables[0].is_argument);
    assert!(matches!(*variables[0].ty, Type::Qualified { .. } | Type::Pointer { .. }));
}

#[test]
fn outside_of_any_function_there_are_no_variables() {
    let program = build("gcc", "-g", &["scopes.c"]);
    for pc in [0, 1, u64::MAX] {
        assert!(program.image.variables_at(LinkAddr(pc), 0).is_empty());
    }
}

#[test]
fn units_tell_their_language() {
    let c = build("clang", "-g", &["scopes.c"]);
    assert_eq!(c.image.language_at(c.entry("main")), Some("c"));
    let cpp = build("g++", "-g", &["classes.cpp"]);
    assert_eq!(cpp.image.language_at(cpp.entry("main")), Some("c++"));
    assert_eq!(cpp.image.language_at(LinkAddr(0)), None);
}
