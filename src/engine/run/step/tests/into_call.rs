//! Steps into one of the calls of a line.

use super::*;

/// Steps into the call at an address; returns how that has ended, and the line then.
fn stepped_into(sim: &mut Sim, call: u64) -> (IntoCall, u32) {
    let ended = into_call(sim, RunAddr(call), false).unwrap();
    (ended, sim.line())
}

/// 10 f { 11 nop; 12 ret }   20 g { 21 nop; 22 ret }   30 main { 31 a loop, calls of f and g; 32 nop; 33 ret }
///
/// Returns where the calls are, too.
fn waiting_program(times: u32) -> (Sim, [u64; 2]) {
    let mut code = Code::new();
    let f = code.function(&[(10, &[Nop]), (11, &[Nop]), (12, &[Ret])]);
    let g = code.function(&[(20, &[Nop]), (21, &[Nop]), (22, &[Ret])]);
    let body = code.at + 1;
    let line: &[Op] = &[Nop, Nop, Loop(body, times), Call(f), Call(g), Nop];
    let main = code.function(&[(30, &[Enter(16)]), (31, line), (32, &[Nop]), (33, &[Leave(16), Ret])]);
    (code.run(main, &[]), [body + 3, body + 8])
}

#[test]
fn the_turns_of_a_loop_before_a_call_are_not_walked_through() {
    for (times, most) in [(10, 60), (20_000, 150)] {
        let (mut sim, [f, g]) = waiting_program(times);
        assert_eq!(stepped_into(sim.seek(31), f), (IntoCall::Made, 11), "{times}");
        assert!(sim.moves < most, "{}", sim.moves);
        sim.moves = 0;
        assert_eq!(stepped_into(sim.seek(31), g), (IntoCall::Made, 21), "{times}");
        assert!(sim.moves < most, "{}", sim.moves);
    }
}

#[test]
fn a_call_that_is_here_is_stepped_into() {
    let (mut sim, [f, _]) = waiting_program(1);
    sim.at = sim.states.iter().position(|s| s.pc == f).unwrap();
    assert_eq!(stepped_into(&mut sim, f), (IntoCall::Made, 11));
}

#[test]
fn a_breakpoint_on_the_way_ends_it() {
    let (mut sim, [_, g]) = waiting_program(10);
    sim.breakpoints.push(sim.code.rows[1].0);
    let hit = Reason::Breakpoint { number: 1, temporary: false };
    assert_eq!(stepped_into(sim.seek(31), g), (IntoCall::Stopped(hit), 11));
}

/// The line is left by a jump over the call.
#[test]
fn a_line_may_end_before_it_comes_to_the_call() {
    let mut code = Code::new();
    let f = code.function(&[(10, &[Nop]), (11, &[Nop]), (12, &[Ret])]);
    let (call, behind) = (code.at + 3, code.at + 8);
    let line: &[Op] = &[Nop, Jump(behind), Call(f)];
    let main = code.function(&[(30, &[Enter(16)]), (31, line), (32, &[Nop]), (33, &[Leave(16), Ret])]);
    let mut sim = code.run(main, &[]);
    assert_eq!(stepped_into(sim.seek(31), call), (IntoCall::NotReached, 32));
}

/// 20 g { 21 nop; 22 ret }   10 f { 11 calls f the first time, then g; 12 ret }   30 main { 31 call f; 32 ret }
///
/// Returns where g is called, too.
fn recursive_program() -> (Sim, u64) {
    let mut code = Code::new();
    let g = code.function(&[(20, &[Nop]), (21, &[Nop]), (22, &[Ret])]);
    let f = code.at;
    let (again, call) = (f + 4, f + 9);
    let line: &[Op] = &[Nop, Loop(again, 1), Jump(call), Call(f), Call(g)];
    assert_eq!(code.function(&[(10, &[Enter(32)]), (11, line), (12, &[Leave(32), Ret])]), f);
    let main = code.function(&[(30, &[Enter(16)]), (31, &[Call(f)]), (32, &[Leave(16), Ret])]);
    (code.run(main, &[]), call)
}

#[test]
fn the_same_call_in_a_deeper_activation_is_passed() {
    let (mut sim, call) = recursive_program();
    let outer = sim.seek(11).spot().unwrap().sp;
    assert_eq!(stepped_into(&mut sim, call), (IntoCall::Made, 21));
    // The return address lies below what f has.
    assert_eq!(sim.states[sim.at].sp, outer - 8);
}

/// The inner activation is behind its call; in the line of its caller, into which it returns, that is still to come.
#[test]
fn the_same_call_in_the_caller_is_another() {
    let (mut sim, call) = recursive_program();
    let behind = call + 5;
    sim.at = sim.states.iter().position(|s| s.pc == behind).unwrap();
    let (ended, _) = stepped_into(&mut sim, call);
    assert_eq!(ended, IntoCall::NotReached);
}
