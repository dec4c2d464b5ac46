use super::{LONGEST_PATH, name_of_file};
use crate::Image;
use crate::testing::{build, every_build, marked, with_packed};
use arch::LinkAddr;
use object::{Object, ObjectSection};

#[test]
fn a_function_starts_on_the_line_of_its_name() {
    for compiler in ["gcc", "clang"] {
        let program = build(compiler, "-g -O0", &["lines.c"]);
        let row = program.image.line_at(program.entry("loop")).unwrap();
        assert_eq!(row.line, marked("lines.c", "opening"), "{compiler}");
        assert_eq!(row.file.name, "lines.c", "{compiler}");
        assert_eq!(row.start, program.entry("loop"), "{compiler}");
        assert!(row.is_stmt, "{compiler}");
    }
}

#[test]
fn rows_cover_a_function_without_gaps_and_all_have_lines() {
    for (how, program) in every_build(&["lines.c"]) {
        let function = &program.image.functions_named("loop")[0];
        let lines = marked("lines.c", "opening")..=marked("lines.c", "closing");
        let (mut at, end) = function.ranges[0];
        while at < end {
            let row = program.image.line_at(at).unwrap();
            assert_eq!(row.start, at, "{how}");
            assert!(lines.contains(&row.line), "{how}: {row:?}");
            let last = program.image.line_at(LinkAddr(row.end.0 - 1)).unwrap();
            assert_eq!((last.start, last.end), (row.start, row.end), "{how}");
            at = row.end;
        }
        // Padding after the function belongs to its last row.
        assert!(at.0 - end.0 < 16, "{how}");
    }
}

#[test]
fn an_address_outside_of_all_code_has_no_line() {
    let image = build("gcc", "-g -O0", &["lines.c"]).image;
    assert_eq!(image.line_at(LinkAddr(0)), None);
    assert_eq!(image.line_at(LinkAddr(1)), None);
    assert_eq!(image.line_at(LinkAddr(u64::MAX)), None);
    // Start-up code of the C library, built without debug information.
    assert_eq!(image.line_at(image.entry()), None);
}

#[test]
fn code_that_the_linker_discarded_has_no_lines() {
    let flags = "-g -O0 -ffunction-sections -Wl,--gc-sections";
    for compiler in ["gcc", "clang"] {
        let kept = build(compiler, "-g -O0", &["discarded.c"]).image;
        let discarded = build(compiler, flags, &["discarded.c"]).image;
        let line = marked("discarded.c", "unused");
        assert_eq!(kept.addresses_of_line("discarded.c", line)[0].line, line);
        assert_ne!(discarded.addresses_of_line("discarded.c", line)[0].line, line);
        assert_eq!(discarded.functions_named("unused"), Vec::new());
        assert_eq!(discarded.functions_named("used").len(), 1);
    }
}

#[test]
fn file_names_are_as_given_and_paths_absolute() {
    for (how, program) in every_build(&["./lines.c"]) {
        let file = program.image.line_at(program.entry("main")).unwrap().file;
        assert!(file.path.is_absolute(), "{how}: {file:?}");
        assert!(file.path.ends_with("dwarf-fixtures/src/lines.c"), "{how}: {file:?}");
        assert!(["lines.c", "./lines.c"].contains(&&*file.name), "{how}: {file:?}");
    }
}

#[test]
fn names_of_files_are_one_line_that_has_an_end() {
    assert_eq!(name_of_file("/a/b c.c"), "/a/b c.c");
    assert_eq!(name_of_file("a\nnote: b\x1b[2J.c"), "a\\nnote: b\\x1b[2J.c");
    assert_eq!(name_of_file(&"é".repeat(5000)).chars().count(), LONGEST_PATH + 1);
}

#[test]
fn a_program_that_repeats_one_row_is_cut_with_a_reason() {
    let sound = build("gcc", "-g -O0", &["lines.c"]);
    let object = object::File::parse(&*sound.bytes).unwrap();
    let mut program = object.section_by_name(".debug_line").unwrap().data().unwrap().to_vec();
    // Before the end of the sequence, a special opcode: the next byte of the code, and the next line.
    let end = program.len() - 3;
    program.splice(end..end, vec![33; 14 << 20]);
    let length = program.len() as u32 - 4;
    program[..4].copy_from_slice(&length.to_le_bytes());
    let image = Image::from_bytes("x", with_packed(&sound.bytes, &[(".debug_line", &program)])).unwrap();
    let rows = image.with_debug(|debug| debug.units().iter().map(|unit| unit.lines(debug).rows().len()).sum::<usize>());
    assert!((1 << 20..3 << 19).contains(&rows), "{rows}");
    // What comes before is there.
    assert_eq!(image.line_at(sound.entry("loop")).unwrap().line, marked("lines.c", "opening"));
    let problems = image.problems();
    assert!(problems[0].starts_with("x has more rows of lines than are read"), "{problems:?}");
}
