use super::normal_components;
use crate::testing::{Program, build, every_build, marked};
use std::path::Path;

/// The lines of the rows at the addresses that a line resolves to.
fn lines_at(program: &Program, file: &str, line: u32) -> Vec<u32> {
    let matches = program.image.addresses_of_line(file, line);
    let addresses = matches.iter().flat_map(|m| &m.addresses);
    addresses.map(|a| program.image.line_at(*a).unwrap().line).collect()
}

#[test]
fn a_line_with_code_resolves_to_its_first_instruction() {
    for (how, program) in every_build(&["lines.c"]) {
        let line = marked("lines.c", "store");
        let found = program.image.addresses_of_line("lines.c", line);
        assert_eq!(found.len(), 1, "{how}");
        assert_eq!(found[0].line, line, "{how}");
        let row = program.image.line_at(found[0].addresses[0]).unwrap();
        assert_eq!(row.start, found[0].addresses[0], "{how}");
    }
}

#[test]
fn a_line_in_two_places_of_one_block_has_one_address() {
    for compiler in ["gcc", "clang"] {
        let program = build(compiler, "-g -O0", &["lines.c"]);
        let line = marked("lines.c", "for");
        assert_eq!(lines_at(&program, "lines.c", line), [line]);
    }
}

#[test]
fn a_line_without_code_resolves_to_the_next_that_has_some() {
    for compiler in ["gcc", "clang"] {
        let program = build(compiler, "-g -O0", &["lines.c"]);
        let (comment, body) = (marked("lines.c", "comment"), marked("lines.c", "body"));
        let found = program.image.addresses_of_line("lines.c", comment);
        assert_eq!(found, program.image.addresses_of_line("lines.c", body));
        assert_eq!(found[0].line, body);
    }
}

#[test]
fn there_is_nothing_after_the_last_line_and_no_line_0() {
    let image = build("gcc", "-g -O0", &["lines.c"]).image;
    assert_eq!(image.addresses_of_line("lines.c", 100_000), Vec::new());
    assert_eq!(image.addresses_of_line("lines.c", 0), Vec::new());
}

#[test]
fn the_opening_line_of_a_function_means_after_its_prologue() {
    for (how, program) in every_build(&["lines.c"]) {
        let function = &program.image.functions_named("loop")[0];
        let found = program.image.addresses_of_line("lines.c", marked("lines.c", "opening"));
        let expected = program.image.after_prologue(function);
        assert!(found[0].addresses.contains(&expected), "{how}: {found:?}");
    }
}

#[test]
fn a_line_that_is_in_the_cold_part_too_begins_where_the_function_is_entered() {
    let program = build("g++", "-g -O2", &["optimised.cpp"]);
    let function = &program.image.functions_named("thrower")[0];
    assert!(function.ranges.iter().any(|(_, end)| *end < function.entry), "{:?}", function.ranges);
    let found = program.image.addresses_of_line("optimised.cpp", function.line.unwrap());
    assert_eq!(found[0].addresses, [function.entry]);
}

#[test]
fn files_match_by_whole_path_or_trailing_components() {
    let image = build("gcc", "-g -O0", &["lines.c"]).image;
    let line = marked("lines.c", "body");
    let expected = image.addresses_of_line("lines.c", line);
    assert_eq!(expected.len(), 1);
    let absolute = expected[0].file.path.to_str().unwrap();
    for name in ["src/lines.c", "dwarf-fixtures/src/lines.c", "./lines.c", "src/../src/lines.c", absolute] {
        assert_eq!(image.addresses_of_line(name, line), expected, "{name}");
    }
    for name in ["nes.c", "/lines.c", "other/lines.c", "", "/", "..", "lines"] {
        assert_eq!(image.addresses_of_line(name, line), Vec::new(), "{name}");
    }
    assert_eq!(image.files_matching("src/lines.c"), [expected[0].file.clone()]);
}

#[test]
fn a_line_of_a_header_has_an_address_in_each_unit() {
    let program = build("gcc", "-g -O0", &["same_name_a.c", "same_name_b.c"]);
    let line = marked("same_name.h", "bump");
    assert_eq!(lines_at(&program, "same_name.h", line), [line, line]);
    let helper = marked("same_name_a.c", "helper a");
    assert_eq!(lines_at(&program, "same_name_a.c", helper), [helper]);
}

#[test]
fn a_line_of_an_inlined_function_has_an_address_in_each_copy() {
    for compiler in ["gcc", "clang"] {
        let program = build(compiler, "-g -O2", &["inline_chain.c"]);
        let line = marked("inline_chain.c", "innermost");
        assert_eq!(lines_at(&program, "inline_chain.c", line), [line, line], "{compiler}");
    }
}

#[test]
fn inlined_copies_have_entries_of_their_own() {
    for (how, program) in every_build(&["inline_chain.c"]) {
        let copies = program.image.inlined_copies("innermost");
        assert_eq!(copies.len(), 2, "{how}");
        for (copy, _) in copies {
            assert_eq!(program.image.inline_chain(copy)[0].name, "innermost", "{how}");
        }
        assert_eq!(program.image.inlined_copies("outer"), Vec::new(), "{how}");
    }
}

#[test]
fn paths_are_compared_without_detours() {
    let parts = |path: &str| normal_components(Path::new(path));
    assert_eq!(parts("/a/./b//c/../d.c"), ["a", "b", "d.c"]);
    assert_eq!(parts("../x.c"), ["x.c"]);
    assert_eq!(parts("/"), Vec::<String>::new());
}
