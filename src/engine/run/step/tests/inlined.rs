//! Steps into inlined functions, out of them, and over them.

use super::*;

/// 30 main { 31 call outer; 32 ret }   10 outer { 11 line with code of its own, then middle { 21 innermost { 25 } 22 }
/// inlined; 12 innermost { 25 } inlined }
fn inlined_program() -> Sim {
    let mut code = Code::new();
    let rows: &[(u32, &[Op])] = &[
        (10, &[Enter(16)]),
        (11, &[Nop]),
        (25, &[Nop, Nop]),
        (22, &[Nop]),
        (11, &[Nop]),
        (25, &[Nop]),
        (13, &[Leave(16), Ret]),
    ];
    let outer = code.function(rows);
    code.inlined = vec![(outer + 2, outer + 5, 11), (outer + 2, outer + 4, 21), (outer + 6, outer + 7, 12)];
    let main = code.function(&[(30, &[Nop]), (31, &[Call(outer)]), (32, &[Nop]), (33, &[Ret])]);
    code.run(main, &[])
}

#[test]
fn step_goes_into_an_inlined_function_without_moving() {
    let mut sim = inlined_program();
    sim.seek(11);
    // The call of `middle` is in the line that the step began in, so it is entered at once.
    assert_eq!(walked(&mut sim, Fwd, Into, 1), [(21, 1)]);
    let at = sim.at;
    assert_eq!(walked(&mut sim, Fwd, Into, 1), [(25, 2)]);
    assert_eq!(sim.at, at);
    assert_eq!(walked(&mut sim, Fwd, Into, 4), [(22, 1), (11, 0), (12, 0), (25, 1)]);
}

#[test]
fn next_passes_inlined_functions_and_stops_at_calls_in_other_lines() {
    let mut sim = inlined_program();
    assert_eq!(walked(sim.seek(11), Fwd, Over, 2), [(12, 0), (13, 0)]);
    // From the call itself, and inside of a function that calls another one.
    sim.seek(25).hide(2);
    assert_eq!(shown(&mut sim), (11, 0));
    assert_eq!(walked(&mut sim, Fwd, Over, 1), [(12, 0)]);
    sim.seek(25).hide(1);
    assert_eq!(shown(&mut sim), (21, 1));
    assert_eq!(walked(&mut sim, Fwd, Over, 1), [(22, 1)]);
}

#[test]
fn reverse_next_passes_inlined_functions_to_the_beginning_of_the_line_that_calls_them() {
    let mut sim = inlined_program();
    assert_eq!(walked(sim.seek(13), Rev, Over, 3), [(12, 0), (11, 0), (11, 0)]);
    assert_eq!(sim.pc(), sim.code.rows[1].0);
}

#[test]
fn reverse_step_goes_into_inlined_functions_at_their_last_line() {
    let mut sim = inlined_program();
    assert_eq!(walked(sim.seek(13), Rev, Into, 2), [(12, 0), (11, 0)]);
    assert_eq!(walked(&mut sim, Rev, Into, 2), [(22, 1), (11, 0)]);
}
