//! C++ classes: what GDB prints of them, and what it would print with `set print object on`.

use crate::gdb;
use crate::program::Program;
use ctype::{Dialect, Memory, type_name};

/// Expressions over `objects.cpp` that GDB prints as we do.
const EXPRESSIONS: &[&str] = &[
    "plain",
    "scoped",
    "flags",
    "inside",
    "global",
    "derived",
    "base",
    "*base",
    "ref",
    "itself",
    "diamond",
    "v1",
    "*v1",
    "v2",
    "vb",
    "*vb",
    "pd",
    "nopd",
    "pm",
    "nopm",
    "rr",
    "cr",
    "refs",
    "bits",
    "arr",
    "u",
    "empty",
    "nested",
    "lambda",
    "&derived",
    "Base::count",
    "derived.count",
    "&Base::count",
    "diamond.b",
    "v1->b",
    "diamond.v2",
    "Base::K",
    "derived.D",
    "*derived.self",
    "ref.b",
    "&ref",
    "sizeof(ref)",
    "arr.zero",
    "(Derived *)base",
    "*(Derived *)base",
    "n::B",
    "n::Scoped::D",
    "scoped == n::Scoped::D",
    "bases",
    "null",
    "(Base *)&derived",
    "(V2 *)&diamond",
    "/x derived.b",
    "/x *v1",
    "sizeof(Diamond)",
    "owned",
];

fn compare(fixture: &str) {
    let mut program = Program::start(fixture, Dialect::Cxx);
    let theirs = gdb::print(program.id(), EXPRESSIONS);
    let mut different = Vec::new();
    for expression in EXPRESSIONS {
        let (ours, theirs) = (program.try_show(expression), &theirs[*expression]);
        if ours != *theirs {
            different.push(format!("{expression}\n    ours {ours}\n    gdb  {theirs}"));
        }
    }
    assert!(different.is_empty(), "{fixture}\n{}", different.join("\n"));
}

#[test]
fn gdb_prints_the_same() {
    compare("objects");
}

#[test]
fn gdb_prints_the_same_of_clang() {
    compare("objects-clang");
}

#[test]
fn objects_know_what_they_are() {
    for fixture in ["objects", "objects-clang"] {
        let mut program = Program::start(fixture, Dialect::Cxx);
        for (object, class) in [
            ("*base", Some("Derived")),
            ("ref", Some("Derived")),
            ("itself", Some("Base")),
            ("*v1", Some("Diamond")),
            ("v2", Some("Diamond")),
            ("*vb", Some("Diamond")),
            ("*owned", Some("Derived")),
            ("*bases[1]", Some("Diamond")),
            ("u", None),
            ("*null", None),
        ] {
            let mut value = program.value(object);
            if let Some(referent) = ctype::layout::reference_target(&value.ty) {
                let address = value.word(0, &mut program).unwrap();
                value = ctype::Value::new(referent, ctype::Place::Memory(address));
            }
            let whole = program.whole_object(&value);
            let name = whole.as_ref().map(|whole| type_name(&whole.ty, Dialect::Cxx));
            assert_eq!(name.as_deref(), class, "{fixture} {object}");
        }
        for (expression, value) in [
            // Members of the class that an object really is of, through any of its bases.
            ("base->d", "2"),
            ("vb->dd", "5"),
            ("v1->v2", "4"),
            ("owned->d", "2"),
            ("bases[0]->d", "2"),
            ("((Diamond *)v1)->dd", "5"),
            ("dynamic_cast<Diamond *>(vb)->dd", "5"),
            ("dynamic_cast<Derived *>(base) == &derived", "true"),
            ("dynamic_cast<Base *>(v1) == vb", "true"),
            ("dynamic_cast<V2 *>(v1) == (V2 *)&diamond", "true"),
            ("dynamic_cast<Diamond *>(base)", "(Diamond *) 0x0"),
            // A pointer of another kind to the same address, or to the whole object.
            ("dynamic_cast<void *>(&v2) == (void *)&diamond", "true"),
            ("dynamic_cast<const void *>(base) == (void *)&derived", "true"),
            ("dynamic_cast<void *>(null) == 0", "true"),
            ("((Both *)right_half)->both + static_cast<Both *>(right_half)->l", "64"),
            ("reinterpret_cast<Both *>(right_half)->l", "32"),
            ("reinterpret_cast<RightHalf *>(&both)->r", "31"),
            ("reinterpret_cast<RightHalf *>(left_half)->r", "31"),
            ("(void *)reinterpret_cast<V2 *>(&diamond) == (void *)&diamond", "true"),
            ("const_cast<const Both *>(&both)->both", "33"),
            ("const_cast<Both *>(right_half)", "cannot cast RightHalf * to Both *; const_cast changes qualifiers only"),
            // Enumerators that fit an int are promoted to it.
            ("-marks", "-5"),
            ("~marks", "-6"),
            ("marks > -1", "true"),
            ("marks - Eight", "-3"),
            ("(marks | Two) * -1", "-7"),
            ("widest + 1", "0"),
            ("n::A - 1", "-1"),
            ("sizeof(u8'a')", "1"),
            ("u8'\\xff' < 0", "true"),
            ("lambda.x", "n::B"),
            ("pv", "&virtual Base::kind()"),
            ("/x pd", "0x8"),
            ("nul", "0"),
        ] {
            // Compilers name captures differently.
            let name = expression.replace("lambda.x", if fixture == "objects" { "lambda.__x" } else { "lambda.x" });
            let ours = program.try_show(&name);
            let is_error = ours.contains('^');
            assert!(if is_error { ours.contains(value) } else { ours == value }, "{fixture} {expression}: {ours}");
        }
    }
}
