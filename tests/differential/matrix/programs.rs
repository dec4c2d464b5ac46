//! What is compared in each cell.

use super::cell::Compiler;

/// One source file of `dwarf-fixtures/src`.
pub struct Program {
    pub source: &'static str,
    /// What is printed once in each function that is met, besides what is made up about its variables.
    pub expressions: &'static [&'static str],
}

const C: &[Program] = &[
    Program {
        source: "types.c",
        expressions: &[
            "integer",
            "text",
            "matrix",
            "bits",
            "outer",
            "outer.where",
            "*outer.self",
            "handlers",
            "number",
            "flags",
            "/x bits",
            "many",
            "repeated",
            "complex_value",
            "huge",
            "&outer.first",
            "colour == GREEN",
            "sizeof(outer)",
        ],
    },
    Program { source: "optimised.c", expressions: &["sink", "total", "&total"] },
    Program { source: "scopes.c", expressions: &["counter", "counted", "later", "visit::visits"] },
    Program { source: "vla.c", expressions: &["sum", "&main"] },
    Program { source: "inline_chain.c", expressions: &["sink"] },
    Program { source: "tail_calls.c", expressions: &[] },
];

const CXX: &[Program] = &[
    Program {
        source: "objects.cpp",
        expressions: &[
            "plain",
            "scoped",
            "flags",
            "derived",
            "*base",
            "base->b",
            "diamond",
            "v1->v1",
            "*v1",
            "refs",
            "bits",
            "arr",
            "u",
            "nested",
            "lists",
            "Base::count",
            "sizeof(Diamond)",
            "pm",
            "pd",
        ],
    },
    Program { source: "optimised.cpp", expressions: &["sink", "Shape::made", "sizeof(Shape)", "sizeof(Box<int>)"] },
    Program { source: "names.cpp", expressions: &[] },
];

const RUST: &[Program] = &[
    Program { source: "optimised.rs", expressions: &[] },
    Program { source: "names.rs", expressions: &[] },
    Program { source: "rust_paths.rs", expressions: &[] },
];

/// The programs that a compiler builds.
pub fn of(compiler: Compiler) -> impl Iterator<Item = &'static Program> {
    let (first, second) = match compiler {
        Compiler::Gcc | Compiler::Clang => (C, CXX),
        Compiler::Rustc => (RUST, &[][..]),
    };
    first.iter().chain(second)
}
