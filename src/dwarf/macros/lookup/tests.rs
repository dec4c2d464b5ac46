//! Macros of `macros.c`, as gcc and clang write them in every version.

use crate::testing::{Program, build, marked};
use crate::{Image, MacroScope};

/// How compilers write macros: `.debug_macro` of DWARF 5 and the GNU extension, `.debug_macinfo`.
const BUILDS: [(&str, &str); 7] = [
    ("gcc", "-g3 -gdwarf-5 -DCOMMAND=42"),
    ("gcc", "-g3 -gdwarf-4 -DCOMMAND=42"),
    ("gcc", "-g3 -gdwarf-4 -gstrict-dwarf -DCOMMAND=42"),
    ("gcc", "-g3 -gdwarf64 -gdwarf-5 -DCOMMAND=42"),
    ("clang", "-g -gdwarf-5 -fdebug-macro -DCOMMAND=42"),
    ("clang", "-g -gdwarf-4 -fdebug-macro -DCOMMAND=42"),
    ("clang", "-g -gdwarf-3 -fdebug-macro -DCOMMAND=42"),
];

fn at(program: &Program, file: &str, mark: &str) -> MacroScope {
    let line = program.line(file, marked(file, mark));
    program.image.macro_scope(line, 0).unwrap()
}

fn text(image: &Image, scope: &MacroScope, name: &str) -> Option<String> {
    image.macro_named(scope, name).map(|found| found.text)
}

#[test]
fn a_macro_is_what_it_is_at_the_line() {
    for (compiler, flags) in BUILDS {
        let program = build(compiler, flags, &["macros.c"]);
        let is = |scope: &MacroScope, name: &str, expected: Option<&str>| {
            assert_eq!(text(&program.image, scope, name).as_deref(), expected, "{compiler} {flags}: {name}");
        };
        let helper = at(&program, "macros.c", "helper");
        let [before, within, after] = ["before", "within", "after"].map(|mark| at(&program, "macros.c", mark));
        let header = at(&program, "macros.h", "in header");
        is(&helper, "INSIDE", Some("INSIDE 10"));
        is(&before, "INSIDE", None);
        is(&before, "shadow", None);
        is(&within, "shadow", Some("shadow 1000"));
        is(&after, "shadow", None);
        is(&before, "FIRST", Some("FIRST 1"));
        is(&after, "FIRST", Some("FIRST 2"));
        is(&before, "GONE", None);
        is(&before, "SEVERAL", Some("SEVERAL 2"));
        is(&header, "SEVERAL", Some("SEVERAL 1"));
        is(&header, "IN_FUNCTION", Some("IN_FUNCTION 3"));
        is(&before, "IN_FUNCTION", None);
        is(&header, "SEEN_LATE", None);
        is(&header, "FIRST", None);
        is(&before, "SEEN_LATE", Some("SEEN_LATE (ONCE + 2)"));
        is(&before, "COMMAND", Some("COMMAND 42"));
        is(&header, "COMMAND", Some("COMMAND 42"));
        is(&before, "__STDC__", Some("__STDC__ 1"));
        is(&before, "MAX", Some("MAX(a,b) ((a) > (b) ? (a) : (b))"));
        is(&before, "nosuch", None);
        is(&before, "", None);
    }
}

#[test]
fn a_definition_says_where_it_is() {
    for (compiler, flags) in BUILDS {
        let program = build(compiler, flags, &["macros.c"]);
        let scope = at(&program, "macros.c", "within");
        let place = |name: &str| {
            let found = program.image.macro_named(&scope, name).unwrap();
            let file = found.file.unwrap().path.file_name().unwrap().to_string_lossy().into_owned();
            let included: Vec<u64> = found.included.iter().map(|(_, line)| *line).collect();
            (file, found.line, included)
        };
        assert_eq!(place("SEEN_LATE"), ("macros.h".to_owned(), 11, vec![4]), "{compiler} {flags}");
        assert_eq!(place("ONCE"), ("macros.h".to_owned(), 3, vec![2]), "{compiler} {flags}");
        assert_eq!(place("LATE"), ("macros.c".to_owned(), 3, vec![]), "{compiler} {flags}");
        assert_eq!(place("COMMAND"), ("macros.c".to_owned(), 0, vec![]), "{compiler} {flags}");
        let all: Vec<u64> = program.image.macros_named(&scope, "FIRST").iter().map(|found| found.line).collect();
        let second = u64::from(marked("macros.c", "within")) - 1;
        assert_eq!(all, [6, second], "{compiler} {flags}");
        assert_eq!(scope.line, marked("macros.c", "within"));
    }
}

#[test]
fn a_list_that_is_not_whole_says_nothing() {
    use object::{Object, ObjectSection};
    let program = build("gcc", "-g3 -gdwarf-5 -DCOMMAND=42", &["macros.c"]);
    let (start, _) = object::File::parse(&*program.bytes)
        .unwrap()
        .section_by_name(".debug_macro")
        .and_then(|section| section.file_range())
        .unwrap();
    // Behind version, flags and the offset of the line table: an opcode that there is not, and an import of the list
    // itself.
    let damages: [(&[u8], &str); 2] =
        [(&[0x7f], "are not known: "), (&[7, 0, 0, 0, 0], "are not known: their list includes itself")];
    for (damage, why) in damages {
        let mut bytes = program.bytes.to_vec();
        bytes[start as usize + 7..][..damage.len()].copy_from_slice(damage);
        let image = Image::from_bytes("damaged", bytes).unwrap();
        assert_eq!(image.macro_scope(program.entry("main"), 0), None);
        let problems = image.take_problems();
        assert!(problems.len() == 1 && problems[0].contains(why), "{problems:?}");
    }
}

#[test]
fn without_macros_there_is_no_scope() {
    let program = build("gcc", "-g", &["macros.c"]);
    assert_eq!(program.image.macro_scope(program.entry("main"), 0), None);
}
