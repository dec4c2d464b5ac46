//! Call sites of optimized code.

use crate::testing::{Frame, Program, build};
use crate::{CallTarget, Location, TailCallSite};
use arch::LinkAddr;

const RDI: u16 = 5;
const RSI: u16 = 4;
const RBX: u16 = 3;

/// Return addresses of the calls of `function` that have a call site: tried one by one.
fn call_sites(program: &Program, function: &str) -> Vec<LinkAddr> {
    let function = &program.image.functions_named(function)[0];
    let (start, end) = function.ranges[0];
    let known = |ret: &LinkAddr| program.image.call_site_target(*ret, &mut Frame::at(*ret)).is_some();
    (start.0 + 1..=end.0).map(LinkAddr).filter(known).collect()
}

#[test]
fn a_caller_tells_what_it_passed() {
    for compiler in ["gcc", "clang"] {
        for flags in ["-gdwarf-4 -O2", "-gdwarf-5 -O2"] {
            let program = build(compiler, flags, &["entry_values.c"]);
            let site = call_sites(&program, "outer")[0];
            let mut caller = Frame::at(LinkAddr(site.0 - 1));
            // Both compilers keep `kept` in rbx across the call.
            caller.registers.insert(RBX, 41);
            let value = |register, caller: &mut Frame| program.image.call_site_value(site, register, caller);
            assert_eq!(value(RSI, &mut caller), Some(1234), "{compiler} {flags}");
            assert_eq!(value(0, &mut caller), None);
            assert_eq!(
                program.image.call_site_target(site, &mut caller),
                Some(CallTarget::Entry(program.entry("forget"))),
                "{compiler} {flags}"
            );
        }
    }
}

#[test]
fn a_value_that_the_caller_preserved_is_computed_from_its_register() {
    let program = build("gcc", "-g -O2", &["entry_values.c"]);
    let site = call_sites(&program, "outer")[0];
    let mut caller = Frame::at(LinkAddr(site.0 - 1));
    assert_eq!(program.image.call_site_value(site, RDI, &mut caller), None);
    caller.registers.insert(RBX, 41);
    assert_eq!(program.image.call_site_value(site, RDI, &mut caller), Some(42));
}

#[test]
fn a_function_with_a_cold_part_is_called_at_its_entry() {
    let program = build("gcc", "-g -O2", &["cold_part.c"]);
    let callee = &program.image.functions_named("risky")[0];
    assert!(callee.ranges.len() > 1, "{:?}", callee.ranges);
    let site = call_sites(&program, "main")[0];
    let target = program.image.call_site_target(site, &mut Frame::at(LinkAddr(site.0 - 1)));
    assert_eq!(target, Some(CallTarget::Entry(callee.entry)));
}

#[test]
fn an_address_that_no_call_returns_to_has_no_call_site() {
    let program = build("gcc", "-g -O2", &["entry_values.c"]);
    for ret in [LinkAddr(0), program.entry("outer"), LinkAddr(u64::MAX)] {
        assert_eq!(program.image.call_site_value(ret, RSI, &mut Frame::default()), None);
        assert_eq!(program.image.call_site_target(ret, &mut Frame::default()), None);
    }
}

#[test]
fn a_parameter_that_a_copy_does_without_is_known_to_the_caller() {
    let program = build("gcc", "-g -O2", &["specialized.c"]);
    let [copy] = program.image.functions_named("scale").try_into().unwrap();
    let pc = LinkAddr(copy.ranges[0].1.0 - 1);
    let variables = program.image.variables_at(pc, 0);
    let unused = variables.iter().find(|v| v.name == "unused").unwrap();
    // Which parameter the copy wants to be told, and what is told to it.
    let mut frame = Frame::at(pc);
    assert_eq!(frame.locate(&program.image, unused), Location::OptimizedOut);
    frame.entry_parameters = Some(5);
    assert_eq!(frame.locate(&program.image, unused), Location::Bytes(vec![5, 0, 0, 0]));
    let wanted = frame.asked_parameter.unwrap();
    let site = call_sites(&program, "caller")[0];
    let mut caller = Frame::at(LinkAddr(site.0 - 1));
    assert_eq!(program.image.call_site_parameter(site, wanted, &mut caller), Some(77));
    assert_eq!(program.image.call_site_parameter(site, unused.die, &mut caller), None);
}

#[test]
fn functions_tell_where_they_may_go_on() {
    let program = build("gcc", "-g -O2 -fno-builtin", &["tail_calls.c"]);
    let called = |name| program.image.tail_called(program.entry(name));
    let entry = |name| CallTarget::Entry(program.entry(name));
    let both = |mut targets: Vec<CallTarget>| {
        targets.sort_by_key(|target| *target != entry("ping"));
        targets
    };
    assert_eq!(called("leaf"), Some(Vec::new()));
    assert_eq!(called("straight"), Some(vec![entry("leaf")]));
    assert_eq!(called("ping").map(both), Some(vec![entry("ping"), entry("pong")]));
    assert_eq!(called("pong").map(both), Some(vec![entry("ping"), entry("pong")]));
    assert_eq!(called("anywhere"), None);
    assert_eq!(called("outside"), Some(vec![CallTarget::Symbol("abs".to_owned())]));
    assert_eq!(program.image.tail_called(LinkAddr(0)), None);
}

/// Clang describes no calls of code that it does not optimise, GCC its tail calls, of which there are none.
#[test]
fn a_function_whose_calls_are_not_described_may_go_on_anywhere() {
    let called = |compiler, name| {
        let program = build(compiler, "-g -O0", &["tail_calls.c"]);
        program.image.tail_called(program.entry(name))
    };
    assert_eq!(called("clang", "leaf"), None);
    assert_eq!(called("clang", "straight"), None);
    assert_eq!(called("gcc", "straight"), Some(Vec::new()));
}

#[test]
fn tail_calls_lead_from_function_to_function() {
    for (compiler, flags) in
        [("gcc", "-g -O2"), ("gcc", "-gdwarf-4 -O2"), ("clang", "-g -O2"), ("clang", "-gdwarf-4 -O2")]
    {
        let program = build(compiler, flags, &["optimised.c"]);
        let chain = |from, to| program.image.tail_call_chain(program.entry(from), program.entry(to));
        let inside = |site: &TailCallSite| {
            let (TailCallSite::BeginsAt(at) | TailCallSite::EndsAt(at)) = *site;
            program.image.function_at(LinkAddr(at.0 - 1)).map(|f| f.name).unwrap_or_default()
        };
        let functions = |from, to| chain(from, to).iter().map(inside).collect::<Vec<_>>();
        assert_eq!(functions("tail_start", "tail_leaf"), ["tail_start", "tail_middle"], "{compiler} {flags}");
        assert_eq!(functions("tail_middle", "tail_leaf"), ["tail_middle"], "{compiler} {flags}");
        assert_eq!(chain("tail_leaf", "tail_start"), []);
        assert_eq!(chain("main", "recursive"), []);
    }
    // A function that may have been anywhere.
    let program = build("gcc", "-g -O2 -fno-builtin", &["tail_calls.c"]);
    let chain = |from, to| program.image.tail_call_chain(program.entry(from), program.entry(to)).len();
    assert_eq!(chain("straight", "leaf"), 1);
    assert_eq!(chain("anywhere", "leaf"), 0);
    // However often they have taken turns, it began and ended in the same way.
    assert_eq!(chain("ping", "pong"), 1);
}
