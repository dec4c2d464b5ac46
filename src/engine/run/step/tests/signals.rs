//! Steps into handlers of signals, and past them.

use super::*;

fn signal_program() -> Sim {
    let mut code = Code::new();
    let trampoline = code.function(&[(0, &[SigReturn])]);
    code.trampoline = Some(trampoline);
    let handler = code.function(&[(10, &[Nop]), (11, &[Nop]), (12, &[Ret])]);
    let main = code.function(&[(30, &[Nop]), (31, &[Nop, Nop]), (32, &[Nop]), (33, &[Ret])]);
    code.run(main, &[(main + 2, handler)])
}

#[test]
fn a_handler_that_runs_in_the_middle_of_a_step_is_passed() {
    for calls in [Into, Over] {
        assert_eq!(signal_program().seek(31).lines(Fwd, calls, 2), [32, 33]);
        assert_eq!(signal_program().seek(33).lines(Rev, calls, 2), [32, 31]);
    }
}

#[test]
fn a_step_from_a_signal_stop_goes_into_its_handler() {
    for calls in [Into, Over] {
        let mut sim = signal_program();
        let interrupted = sim.code.rows[4].0 + 1;
        sim.at = sim.states.iter().position(|s| s.pc == interrupted).unwrap();
        assert_eq!(line(&mut sim, Fwd, calls, true).unwrap(), None);
        assert_eq!(sim.line(), 11);
        assert_eq!(sim.lines(Fwd, calls, 2), [12, 32]);
    }
}

#[test]
fn a_step_from_a_signal_stop_in_code_without_lines_goes_into_the_handler() {
    for calls in [Into, Over] {
        let mut code = Code::new();
        let trampoline = code.function(&[(0, &[SigReturn])]);
        code.trampoline = Some(trampoline);
        let handler = code.function(&[(10, &[Nop]), (11, &[Nop]), (12, &[Ret])]);
        let kill = code.function(&[(0, &[Nop, Nop, Ret])]);
        let main = code.function(&[(30, &[Nop]), (31, &[Call(kill)]), (32, &[Nop]), (33, &[Ret])]);
        let mut sim = code.run(main, &[(kill + 1, handler)]);
        sim.at = sim.states.iter().position(|s| s.pc == kill + 1).unwrap();
        assert_eq!(line(&mut sim, Fwd, calls, true).unwrap(), None);
        assert_eq!(sim.line(), 11);
        // Without having been told of the signal, its handler is passed.
        sim.at = sim.states.iter().position(|s| s.pc == kill + 1).unwrap();
        assert_eq!(line(&mut sim, Fwd, calls, false).unwrap(), None);
        assert_eq!(sim.line(), 32);
    }
}
