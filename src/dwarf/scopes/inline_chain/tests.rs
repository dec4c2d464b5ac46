use crate::testing::{build, every_build, marked};
use arch::LinkAddr;

#[test]
fn each_level_of_inlining_is_where_it_calls_the_next() {
    for (how, program) in every_build(&["inline_chain.c"]) {
        let source = "inline_chain.c";
        let line = |mark| Some(marked(source, mark));
        for ((copy, die), call) in
            program.image.inlined_copies("innermost").into_iter().zip(["first call", "second call"])
        {
            let chain = program.image.inline_chain(copy);
            assert_eq!(chain[0].die, Some(die), "{how}");
            let seen: Vec<_> = chain.iter().map(|f| (&*f.name, f.line, f.inlined)).collect();
            let expected = [("middle", line("middle"), true), ("outer", line(call), false)];
            assert_eq!(seen[1..], expected, "{how}");
            assert_eq!((seen[0].0, seen[0].2), ("innermost", true), "{how}");
            let line_of_pc = program.image.line_at(copy).unwrap();
            assert_eq!(chain[0].line, Some(line_of_pc.line), "{how}");
            assert!(chain.iter().all(|f| f.file.as_ref().unwrap().name == source), "{how}");
            assert_eq!(chain[2].entry, Some(program.entry("outer")), "{how}");
            assert!(chain[0].entry.unwrap() <= copy, "{how}");
            assert!(chain.iter().all(|f| f.die.is_some()), "{how}");
        }
    }
}

#[test]
fn the_cold_part_of_a_function_belongs_to_it() {
    let program = build("gcc", "-g -O2", &["cold_part.c"]);
    let function = &program.image.functions_named("risky")[0];
    assert_eq!(function.ranges.len(), 2);
    let found = program.image.addresses_of_line("cold_part.c", marked("cold_part.c", "cold"));
    let cold = found[0].addresses[0];
    let (hot_start, hot_end) = function.ranges[0];
    assert_eq!(function.entry, hot_start);
    assert!(cold < hot_start || hot_end <= cold);
    assert_eq!(program.image.function_at(cold).as_ref(), Some(function));
    assert_eq!(program.image.inline_chain(cold)[0].entry, Some(function.entry));
}

#[test]
fn a_program_begins_at_its_main_function() {
    let mains = |program: &crate::testing::Program, function: &str| {
        let chain = program.image.inline_chain(program.entry(function));
        chain.iter().map(|f| f.is_main).collect::<Vec<_>>()
    };
    let c = build("gcc", "-g -O0", &["inline_chain.c"]);
    assert_eq!((mains(&c, "main"), mains(&c, "outer")), (vec![true], vec![false]));
    let rust = build("rustc", "-g --edition 2021", &["rust_paths.rs"]);
    assert_eq!(mains(&rust, "rust_paths::main"), [true]);
}

#[test]
fn functions_without_debug_information_are_known_by_their_symbols() {
    let image = build("gcc", "-O0", &["symbols.c"]).image;
    let strong = image.symbols_named("strong")[0].clone();
    let function = image.function_at(LinkAddr(strong.address.0 + 1)).unwrap();
    assert_eq!((&*function.name, function.die, function.entry), ("strong_too", None, strong.address));
    let chain = image.inline_chain(strong.address);
    assert_eq!(chain.len(), 1);
    assert_eq!((&*chain[0].name, chain[0].line, chain[0].inlined), ("strong_too", None, false));
    assert_eq!(image.function_at(LinkAddr(8)), None);
    assert_eq!(image.inline_chain(LinkAddr(8)), Vec::new());
}
