//! Steps over lines that are loops, which are not walked through turn by turn.

use super::*;

/// 30 main { 31 for; 32 goto into the loop; 33 ret }, entered at its beginning or from 32.
fn turning_program(times: u32, enters_in_the_middle: bool) -> Sim {
    let mut code = Code::new();
    let (first, body, second) = (0x1001, 0x1003, 0x1002);
    let way = if enters_in_the_middle { body } else { second };
    // 0x1000 enter, 0x1001 goes to 31 or into the loop, 0x1002 31 begins, 0x1003 its body, 0x1005 back to that.
    let lines: [(u32, &[Op]); 5] = [
        (30, &[Enter(16)]),
        (32, &[Jump(way)]),
        (31, &[Nop, Nop, Nop, Loop(body, times)]),
        (33, &[Nop]),
        (34, &[Leave(16), Ret]),
    ];
    let main = code.function(&lines);
    assert_eq!((main, code.rows[1].0, code.rows[2].0), (0x1000, first, second));
    code.run(main, &[])
}

#[test]
fn reverse_next_does_not_walk_through_all_turns_of_a_line() {
    for (enters_in_the_middle, line, state) in [(false, 31, 2), (true, 32, 1)] {
        for (times, most) in [(10, 50), (20_000, 150)] {
            for calls in [Over, Into] {
                let mut sim = turning_program(times, enters_in_the_middle);
                assert_eq!(sim.seek(33).lines(Rev, calls, 1), [line], "{times} {enters_in_the_middle}");
                assert_eq!(sim.at, state);
                assert!(sim.moves < most, "{}", sim.moves);
            }
        }
    }
}

#[test]
fn next_does_not_walk_through_all_turns_of_a_line() {
    for calls in [Over, Into] {
        for (times, most) in [(10, 50), (20_000, 150)] {
            let mut sim = turning_program(times, false);
            assert_eq!(sim.seek(31).lines(Fwd, calls, 2), [33, 34], "{times}");
            assert!(sim.moves < most, "{}", sim.moves);
        }
    }
}

/// 30 main { 31 for; 40 inlined code; 31 the body, no statement; 31 its end, a statement; 32 nop; 33 ret }
#[test]
fn reverse_next_ends_where_the_last_statement_of_a_line_begins() {
    let mut code = Code::new();
    let body = code.at + 2;
    let lines: [(u32, &[Op]); 7] = [
        (30, &[Enter(16)]),
        (31, &[Nop]),
        (40, &[Nop]),
        (31, &[Nop, Nop]),
        (31, &[Nop, Loop(body, 5_000)]),
        (32, &[Nop]),
        (33, &[Leave(16), Ret]),
    ];
    let main = code.function_with(&lines, &[3]);
    let statement = code.rows[4].0;
    code.inlined = vec![(body, body + 1, 31)];
    let mut sim = code.run(main, &[]);
    assert_eq!(sim.seek(32).lines(Rev, Over, 1), [31]);
    assert_eq!(sim.states[sim.at].pc, statement);
    assert!(sim.moves < 20, "{}", sim.moves);
}

/// 30 main { 31 before the loop; 31 where its end leads to, a statement of its own; 32 body; 33 ret }
#[test]
fn reverse_next_ends_at_the_statement_that_a_loop_has_led_to() {
    let mut code = Code::new();
    let head = code.at + 2;
    let lines: [(u32, &[Op]); 6] = [
        (30, &[Enter(16)]),
        (31, &[Nop]),
        (31, &[Nop, Nop]),
        (32, &[Nop, Loop(head, 2)]),
        (33, &[Nop]),
        (34, &[Leave(16), Ret]),
    ];
    let main = code.function(&lines);
    assert_eq!(code.rows[2].0, head);
    for calls in [Over, Into] {
        let mut sim = code.clone().run(main, &[]);
        assert_eq!(sim.seek(33).lines(Rev, calls, 6), [32, 31, 32, 31, 32, 31]);
        assert_eq!(sim.states[sim.at].pc, code.rows[1].0);
        sim.seek(33).lines(Rev, calls, 2);
        assert_eq!(sim.states[sim.at].pc, head);
    }
}

/// 30 main { 31 nop; 40 inlined: 41 a line with many turns, entered at its beginning, 42 its end; 32 nop; 33 ret }
#[test]
fn reverse_next_does_not_walk_through_the_turns_of_an_inlined_function_that_it_passes_over() {
    for (times, most, head) in [(10, 60, 2), (5_000, 150, 2), (5_000, 150, 1), (5_000, 150, 0)] {
        let mut code = Code::new();
        let first = code.at + 2;
        let body = first + head;
        let lines: [(u32, &[Op]); 7] = [
            (30, &[Enter(16)]),
            (31, &[Nop]),
            (40, &[Nop]),
            (41, &[Nop, Nop, Loop(body, times)]),
            (42, &[Nop]),
            (32, &[Nop]),
            (33, &[Leave(16), Ret]),
        ];
        let main = code.function(&lines);
        code.inlined = vec![(first, first + 5, 31)];
        let mut sim = code.run(main, &[]);
        assert_eq!(sim.seek(32).lines(Rev, Over, 1), [31], "{times} {head}");
        assert!(sim.moves < most, "{times} {head}: {}", sim.moves);
    }
}

/// 30 main { 31 inlined: 40 nop, 41 call f; 32 inlined: 42 a line with many turns; 33 inlined: 43 nop; 34 ret }
#[test]
fn reverse_next_meets_the_call_of_an_inlined_function_where_all_code_is_inlined() {
    let mut code = Code::new();
    let f = code.function(&[(10, &[Nop]), (11, &[Ret])]);
    let first = code.at + 1;
    let second = first + 6;
    let body = second + 1;
    let lines: [(u32, &[Op]); 6] = [
        (30, &[Enter(16)]),
        (40, &[Nop]),
        (41, &[Call(f)]),
        (42, &[Nop, Nop, Loop(body, 5_000)]),
        (43, &[Nop]),
        (34, &[Leave(16), Ret]),
    ];
    let main = code.function(&lines);
    code.inlined = vec![(first, second, 31), (second, second + 3, 32), (second + 3, second + 4, 33)];
    let mut sim = code.run(main, &[]);
    assert_eq!(walked(sim.seek(34), Rev, Over, 3), [(33, 0), (32, 0), (31, 0)]);
    assert!(sim.moves < 150, "{}", sim.moves);
}

/// 30 main { 31 in turns: inlined 40 nop, call f, 41 nop, 42 a line with turns of its own, 31 the end; 32 nop; 33 ret }
#[test]
fn next_passes_the_turns_of_a_line_that_calls_inlined_functions() {
    for (times, within) in [(3, 2), (700, 2), (3, 700), (100, 100)] {
        let mut code = Code::new();
        let f = code.function(&[(10, &[Nop]), (11, &[Ret])]);
        let head = code.at + 1;
        let first = head + 1;
        let body = first + 7;
        let lines: [(u32, &[Op]); 8] = [
            (30, &[Enter(16)]),
            (31, &[Nop]),
            (40, &[Nop, Call(f)]),
            (41, &[Nop]),
            (42, &[Nop, Loop(body, within)]),
            (31, &[Nop, Loop(head, times)]),
            (32, &[Nop]),
            (33, &[Leave(16), Ret]),
        ];
        let main = code.function(&lines);
        code.inlined = vec![(first, first + 9, 31)];
        let mut sim = code.run(main, &[]);
        assert_eq!(walked(sim.seek(31), Fwd, Over, 1), [(32, 0)], "{times} {within}");
        assert!(sim.moves < 150, "{times} {within}: {}", sim.moves);
        // From inside of it, its own lines end the step in each turn.
        assert_eq!(walked(sim.seek(41), Fwd, Over, 1), [(42, 1)]);
        sim.moves = 0;
        assert_eq!(walked(&mut sim, Fwd, Over, 1), [(31, 0)], "{times} {within}");
        assert!(sim.moves < 150, "{times} {within}: {}", sim.moves);
    }
}

/// 10 f { 11 nop; 12 ret }   30 main { 31 a loop that calls f; 32 nop; 33 ret }
fn calling_program(times: u32) -> Sim {
    let mut code = Code::new();
    let f = code.function(&[(10, &[Nop]), (11, &[Nop]), (12, &[Ret])]);
    let body = code.at + 1;
    let lines: [(u32, &[Op]); 4] =
        [(30, &[Enter(16)]), (31, &[Nop, Call(f), Loop(body, times)]), (32, &[Nop]), (33, &[Leave(16), Ret])];
    let main = code.function(&lines);
    code.run(main, &[])
}

#[test]
fn next_passes_a_loop_that_calls_and_step_goes_into_what_it_calls() {
    let mut sim = calling_program(5_000);
    assert_eq!(sim.seek(31).lines(Fwd, Over, 1), [32]);
    assert!(sim.moves < 150, "{}", sim.moves);
    assert_eq!(sim.seek(31).lines(Fwd, Into, 3), [11, 12, 11]);
    // A breakpoint in what is called ends the step in each turn.
    let place = sim.code.rows[1].0;
    sim.breakpoints.push(place);
    let before = sim.seek(31).at;
    assert_eq!(sim.lines(Fwd, Over, 1), [11, 9999]);
    assert!(sim.at < before + 10);
}

/// 10 f { 11 a loop to the end of the function, with its return }   30 main { 31 call f; 32 nop; 33 ret }
#[test]
fn next_passes_a_loop_that_returns() {
    let mut code = Code::new();
    let body = code.at + 1;
    let f = code.function(&[(10, &[Nop]), (11, &[Nop, Loop(body, 5_000), Ret])]);
    let main = code.function(&[(30, &[Enter(32)]), (31, &[Nop, Call(f), Nop]), (32, &[Nop]), (33, &[Leave(32), Ret])]);
    let mut sim = code.run(main, &[]);
    assert_eq!(sim.seek(11).lines(Fwd, Over, 1), [32], "the line that called is returned into in its middle");
    assert!(sim.moves < 150, "{}", sim.moves);
}
