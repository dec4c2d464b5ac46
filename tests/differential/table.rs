//! What is walked in each fixture, in the language of [`script`](super::script).

use super::pair::{Fixture, compare};

/// A test for each entry, and the list of all their names.
macro_rules! table {
    ($($test:ident: $name:literal $arguments:tt, $source:literal, $expressions:expr, $legs:expr;)*) => {
        $(#[test]
        fn $test() {
            compare(&Fixture {
                name: $name,
                arguments: &$arguments,
                source: $source,
                expressions: &$expressions,
                legs: &$legs,
                notation: if $name == "names-rust" { RUST } else { &[] },
                library_values: $name.starts_with("library_types"),
            });
        })*
        const COVERED: &[&str] = &[$($name),*];
    };
}

table! {
    stepping: "stepping" [], "stepping.c", ["total", "/x total"], STEPPING;
    stepping_dwarf4: "stepping-dwarf4" [], "stepping.c", ["total", "/x total"], STEPPING;
    stepping_clang: "stepping-clang" [], "stepping.c", ["total", "/x total"], [
        "to main; next; step *2; rstep; rnext; step; finish; rfinish; rstep !second-row; next *4; rnext !second-row; rnext; \
         rnext !second-row; stepi *5; rstepi *4; nexti *4; rnexti *4; to add; finish; rstep !second-row; rstep; rstep !second-row; rfinish; \
         to half; finish; rfinish",
        "break @body if i == 1; watch total; continue *3; rcontinue *3",
    ];
    watch: "watch" [], "watch.c", ["counter", "other"], [
        "to main; next *2; rnext *2; watch counter; continue *3; rcontinue *3; delete; \
         to @read; rwatch counter; awatch other; continue *3; rcontinue *3; delete; \
         to @local-first; watch local; continue *3; rcontinue *3",
    ];
    crash: "crash" [], "crash.c", ["*n", "total", "first", "&last", "n->next", "$pc"], [
        "to cut; step; rfinish; continue; frame 1; rstep !second-signal; rstep; rstep; rstep !second-row; rnext *2; \
         watch middle.next; rcontinue *2; continue *2; continue; rcontinue",
    ];
    crash_stripped: "crash-stripped" [], "crash.c", ["$pc", "*(int *)$sp"], [
        "stepi *4; rstepi *3; nexti *5; rnexti *4; continue; rstepi !second-signal; rstepi *2; step !no-bounds; rcontinue",
    ];
    corrupt_table: "corrupt_table" [], "corrupt_table.c", ["stations[1]", "coast", "sizeof stations"], [
        "to observe; step *5; next *4; finish; rfinish; rnext",
        "to report; watch stations[1].calibration; rcontinue *2; continue; delete; continue; frame 1; frame 2; \
         rstep !second-signal; rstep; rstep !loop-header; rfinish *3",
    ];
    abort: "abort" [], "abort.c", ["code"], [
        "to give_up; step; next; frame 4; rnext !second-signal; rnext *2; rstep *2",
    ];
    recursion: "recursion" [], "recursion.c", ["depth_reached"], [
        "to main; step *4; next *2; rnext; rstep *2; to @bottom; frame 2; finish *2; rfinish !recursion; next; rnext",
        "break down if n == 3; continue *2; rcontinue *2",
    ];
    signal_other: "signal_other" [], "signal_other.c", ["handled"], ["to main; next *2; to on_usr1"];
    signal_handler: "signal_handler" [], "signal_handler.c", ["handled", "children"], [
        "to on_child; frame 1; frame 2; step; step !after-handler; rstep !handler-backward",
        "to @ignored; next; to work; next *2; next !handler-entry; finish; rfinish !trampoline",
        "to work; step *2; step !handler-entry; rstep !late-signal; rstep !second-signal; rnext",
        "to @kill; next; rnext !second-signal; rnext; continue; continue; rcontinue",
    ];
    longjmp: "longjmp" [], "longjmp.c", ["tries"], [
        "to main; next *2; next !longjmp; next; next !longjmp; next; rnext; rnext !longjmp",
        "to leap; step; finish !longjmp",
    ];
    spin: "spin" [], "spin.c", ["turned"], [
        "break turn if n == 4; continue; finish; delete; step *3; rstep *2; watch turned; continue *2; rcontinue *2",
    ];
    threads: "threads" [], "threads.c", ["shared", "by", "i"], [
        "to main; next *3; rnext *2; to adder; step *4; next *3; rnext *3; rstep *2; rstep !loop-header",
        "break @add; watch shared; continue *6; thread 1; rcontinue *6",
    ];
    fork_exec: "fork_exec" [], "fork_exec.c", ["status", "forked"], [
        "to main; next *4; rnext *2; to @parent; next *3; rnext *2",
    ];
    late_child: "late_child" [], "late_child.c", ["turns", "status"], ["to main"];
    labels: "labels" [], "labels.s", ["$ecx"], ["to main; step *5; rstep *2; to again; to done; back again"];
    exec_self: "exec_self" [], "exec_self.c", ["argc", "*argv@argc"], ["to main; next *2; rnext !second-row; rnext"];
    dlopen: "dlopen" ["@libplugin.so"], "dlopen.c", ["argv[1]", "argc"], [
        "to main; next *3; rnext; rnext !second-row; to @call; to plugin_entry; finish; rfinish",
    ];
    chatty: "chatty" [], "chatty.c", ["written", "i", "sizeof block", "*block@3"], [
        "to @write; next *3; rnext *2; break @return; continue *2; rcontinue",
    ];
    limits: "limits" [], "limits.c", ["ring.next->value", "huge[1073741823]"], ["to here; next; next; rnext; continue"];
    exit_code: "exit_code" [], "exit_code.c", ["argc", "*argv"], ["to main; next *3; rnext *2; continue; rcontinue"];
    types: "types" [], "types.c", [
        "integer", "$_streq(text, \"hello\")", "$_streq(&text[1], \"ello\")", "$_streq(text, padded)", "$_strlen(padded)",
        "$_strlen(text + 1)", "$_regex(text, \"h.l+o$\")", "$_regex(text, \"ello\")", "$_memeq(text, padded, 1)",
        "$_memeq(&text[1], padded + 1, 1)",
    ], [
        "to @inner; next *2; rnext !second-row; to use !unborn-array; next !unborn-array; next *4; rnext *2; rnext !loop-header; \
         to @vla-ready; finish; step *3; rstep !second-row; rfinish; stepi *4; rstepi *4",
    ];
    types_clang: "types-clang" [], "types.c", ["integer"], [
        "to @inner; next *2; rnext !second-row; to use !unborn-array; next *5; rnext; rnext !second-row; rnext; \
         to @vla-ready; finish; step *3; rstep !second-row; rstep; rfinish; stepi *4; rstepi *4",
    ];
    inline_chain: "inline_chain" [], "inline_chain.c", ["sink", "value"], [
        "to main; step *6; rstep *3; rstep !down; rstep",
        "to outer; next *4; rnext *4; stepi *6; rstepi *4",
        "to innermost; finish; finish; to innermost; frame 1; finish",
        "to 17; step; rfinish; break innermost; continue *2; rcontinue *2; delete; break middle; continue *2; rcontinue",
        "to @innermost; step; rstep; rfinish; to @middle !line-of-call",
    ];
    inline_chain_clang: "inline_chain-clang" [], "inline_chain.c", ["sink", "value"], [
        "to main; step *6; rstep; rstep !second-row; rstep; rstep !down; rstep",
        "to outer; next *4; rnext; rnext !inlined-call; rnext *2; stepi *6; rstepi *4",
        "to innermost; finish; finish; to innermost; frame 1; finish",
        "to 17; step; rfinish; break innermost; continue *2; rcontinue *2; delete; break middle; continue *2; rcontinue",
        "to @innermost; step; rstep; rfinish; to @middle; step *2; rfinish",
    ];
    unrolled: "unrolled" [], "unrolled.c", ["last"], ["to main; to total; next *3"];
    unrolled_clang: "unrolled-clang" [], "unrolled.c", ["last"], ["to main; to total; next *3"];
    lazy_binding: "lazy_binding" [], "lazy_binding.c", ["digits", "number", "*kept"], ["to @call; next; rnext; next *2"];
    lto_array: "lto_array" [], "lto_array.c", ["table", "*grid", "sizeof(*grid)", "twice"], [
        "to @measured; next; rnext; finish",
    ];
    inline_fault: "inline_fault" [], "inline_fault.c", ["sink"], ["to main; next; rnext; to write_to; next"];
    inline_signal: "inline_signal" [], "inline_signal.c", ["before", "handled", "after"], ["to @before; next; stepi *3; rstepi *3"];
    owners: "owners" [], "owners.c", ["sum"], ["to first; next *2; rnext !second-row; finish; next; step; to @free"];
    shadowed_condition: "shadowed_condition" [], "shadowed_condition.c", ["watched", "i"], [
        "to scoped; next *5; rnext *3; finish; rfinish; to later; watch watched; continue; rcontinue *2",
    ];
    names_cpp: "names-cpp" [], "names.cpp", ["basket", "basket.items", "total"], [
        "to main; next *3; rnext !second-row; rnext; step *8; rstep !second-row; rstep !second-row; rstep",
        "to shop::Basket::add; finish; rfinish; to @largest; finish; rstep *3",
    ];
    stepping_id: "stepping-id" [], "stepping.c", ["total"], ["to add; next; finish; rfinish; rnext"];
    namespaces: "namespaces" [], "namespaces.cpp", SCOPED, SCOPES_WALK;
    namespaces_clang: "namespaces-clang" [], "namespaces.cpp", SCOPED, SCOPES_WALK;
    objects: "objects" [], "objects.cpp", OBJECTS, OBJECTS_WALK;
    objects_clang: "objects-clang" [], "objects.cpp", OBJECTS, OBJECTS_WALK;
    library_types: "library_types" [], "library_types.cpp", ["n", "captured", "sink", "&sink", "argc"], LIBRARY_WALK;
    library_types_libcxx: "library_types-libcxx" [], "library_types.cpp", ["n", "captured", "sink", "&sink", "argc"], LIBRARY_WALK;
    library_types_rust: "library_types-rust" [], "library_types.rs", ["captured", "sum", "&sum"], [
        "to @filled; frame 1; frame 0; rfinish; next; rnext; to @filled; finish",
    ];
    exceptions: "exceptions" [], "exceptions.cpp", ["sum", "&sum"], ["to main; next *2; rnext !second-row; to again; rfinish"];
    exceptions_libcxx: "exceptions-libcxx" [], "exceptions.cpp", ["sum"], ["to main; next *2; rnext !second-row; to again; rfinish"];
    panics_rust: "panics-rust" [], "panics.rs", [], ["to @caught; rnext"];
    optimised: "optimised" [], "optimised.c", ["total"], ["to @consume; finish; stepi *5; rstepi *3; to tail_leaf; stepi *2"];
    optimised_dwarf4: "optimised-dwarf4" [], "optimised.c", ["total"], ["to tail_leaf; stepi *2; rstepi *2"];
    optimised_clang: "optimised-clang" [], "optimised.c", ["total"], ["to floats; stepi *4; rstepi *2"];
    optimised_clang4: "optimised-clang4" [], "optimised.c", ["total"], ["to floats; stepi *4; rstepi *2"];
    optimised_cpp: "optimised-cpp" [], "optimised.cpp", MEMBERS, ["to Shape::area; stepi *4; rstepi *2"];
    optimised_cpp_clang: "optimised-cpp-clang" [], "optimised.cpp", MEMBERS, ["to Shape::area; stepi *3"];
    unwinding: "unwinding" [], "unwinding.c", ["sink"], [
        "to leaf; stepi *2; to framed; stepi *6; to aligned; stepi *10; finish; to vfork; stepi *5",
    ];
    tls: "tls" ["@libtls_plugin.so"], "tls.c", ["passed"], ["to here; finish; rfinish"];
    call_pieces: "call_pieces" [], "call_pieces.cpp", ["gone"], ["to Shelf::drop; next *9"];
    call_pieces_2: "call_pieces-2" [], "call_pieces.cpp", ["gone"], ["to Shelf::drop; next *9"];
    names_rust: "names-rust" [], "names.rs", ["basket.items", "total"], [
        "to names::main; next *2; rnext *2; to @add; step *3; rstep *3; finish; rfinish",
    ];
}

/// Members of `*this` by their names alone, own ones, of bases, static ones, and qualified.
const MEMBERS: [&str; 9] = [
    "width",
    "width + height",
    "&width",
    "base_member",
    "count",
    "made",
    "Shape::width",
    "Base::base_member",
    "sizeof(width)",
];

const STEPPING: [&str; 2] = [
    "to main; next; step *2; rstep; rnext; step; finish; rfinish; rstep; next *3; rnext !loop-header; rnext *2; \
     stepi *5; rstepi *4; nexti *4; rnexti *4; to add; finish; rstep *3; rfinish; to half; finish; rfinish",
    "break @body if i == 1; watch total; continue *3; rcontinue *3",
];

/// Rust's own notation is not GDB's.
const RUST: &[(&str, &str)] = &[("names::shop::Basket {items: ", "Basket { items: "), ("}", " }")];

/// Objects as they are in memory, behind pointers and references too; members, static ones, and what is behind an enum.
const OBJECTS: [&str; 35] = [
    "plain",
    "scoped",
    "flags",
    "inside",
    "global",
    "derived.d",
    "derived.b",
    "base->b",
    "itself.b",
    "&derived",
    "base",
    "v1->v1",
    "v1",
    "diamond.dd",
    "diamond.v2",
    "refs.r",
    "&refs.r",
    "bits",
    "arr",
    "arr.t",
    "u",
    "nested",
    "lists",
    "nested.inner.x",
    "empty",
    "Base::count",
    "Base::K",
    "Base::D",
    "nul",
    "null",
    "rr",
    "cr",
    "&cr",
    "Arr<char, 3>::zero",
    "sizeof(Diamond)",
];

/// Names that mean something else in each scope.
const SCOPED: [&str; 13] = [
    "counter",
    "kind",
    "node",
    "First",
    "kind == First",
    "sizeof(Node)",
    "(Kind)11",
    "twice",
    "*twice",
    "outer::counter",
    "::counter",
    "outer::inner::Cell::made",
    "sink",
];
const SCOPES_WALK: [&str; 1] =
    ["to @global; to @outer; frame 1; to @inner; to @method; frame 1; to @static-method; to @template; finish"];
const OBJECTS_WALK: [&str; 1] = ["to main; step; rstep; to filled; frame 1; finish; rfinish; step; rstep"];
const LIBRARY_WALK: [&str; 1] = ["to filled; frame 1; step; next; rnext !second-row"];

/// Programs whose answers are compared elsewhere: with GDB's about names and macros only, in this program; with the
/// program itself in the live tests, where GDB is wrong or counts otherwise. With all their variants (`NAME-…`).
const ELSEWHERE: [&str; 66] = [
    "hiding",
    "assembled",
    "reloaded",
    "libreloaded.so",
    "eventless",
    "long_run",
    "between_events",
    "repeated",
    "narrowed",
    "untyped",
    "origin",
    "fixed_places",
    "chosen",
    "written_by",
    "inherited",
    "partly_watched",
    "every_call",
    "macros",
    "references",
    "replaced",
    "qualified_names",
    "same_names",
    "libsame_names.so",
    "scoped_functions",
    "calls",
    "removed",
    "returns",
    "rust_returns",
    "waiting",
    "buffered_calls",
    "waiting_call",
    "privileges",
    "misses",
    "one_line_loops",
    "longest_line",
    "vforks",
    "generated",
    "hot_reload",
    "libhot1.so",
    "libhot2.so",
    "libhot1-id.so",
    "libhot2-id.so",
    "low_stack",
    "same_tick",
    "faults",
    "raised",
    "unmapped",
    "cleared",
    "turning",
    "exec_chain",
    "languages",
    "pascal",
    "parting",
    "waits",
    "races",
    "called",
    "layouts",
    "typed_expressions",
    "stranger",
    "ends",
    "dive",
    "given_up",
    "story",
    "outlives",
    "outside",
    "circle",
];

/// Whether nothing or the name of a variant follows a program's name.
fn is_variant(rest: &str) -> bool {
    rest.is_empty() || rest.starts_with('-')
}

#[test]
fn every_fixture_is_in_the_table() {
    // A library has no process of its own; it is walked in the program that loads it.
    let libraries = ["libplugin.so", "libtls_plugin.so"];
    let manifest = include_str!("../../dwarf-fixtures/manifest.txt");
    let names = manifest.lines().filter(|l| !l.starts_with('#')).filter_map(|l| l.split_whitespace().next());
    let is_elsewhere = |name: &str| ELSEWHERE.iter().any(|stem| name.strip_prefix(stem).is_some_and(is_variant));
    let missing: Vec<_> =
        names.filter(|n| !COVERED.contains(n) && !libraries.contains(n) && !is_elsewhere(n)).collect();
    assert!(missing.is_empty(), "{missing:?} are not in the table");
}
