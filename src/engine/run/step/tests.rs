//! Stepping on a simulated machine: a few functions made of one-byte instructions (five for a call), executed once
//! to the end; time travel is moving an index through the states.

mod inlined;
mod into_call;
mod loops;
mod signals;

use super::*;
use crate::api::Reason;
use crate::api::error::Error;
use crate::run::step::machine::{beginning, call_row};
use arch::{Instruction, RunAddr, WaysOut};
use dwarf::{DieId, SourcePath};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

const SP: u64 = 0x8000;

#[derive(Clone, Copy, Debug, PartialEq)]
enum Op {
    Nop,
    /// Pushes the return address and goes there. Five bytes.
    Call(u64),
    Ret,
    Jump(u64),
    /// Jumps the first `n` times it is executed, then falls through.
    Loop(u64, u32),
    /// Moves the stack pointer down.
    Enter(u64),
    /// Moves it back up.
    Leave(u64),
    /// Remembers the stack pointer; the state after it is where `LongJump` leads.
    SetJump,
    LongJump,
    /// rt_sigreturn.
    SigReturn,
}

#[derive(Clone, Debug)]
struct SimulatedThread {
    pc: u64,
    sp: u64,
    stack: BTreeMap<u64, u64>,
}

#[derive(Clone, Default)]
struct Code {
    ops: BTreeMap<u64, Op>,
    rows: Vec<(u64, u64, u32, bool)>,
    bodies: Vec<(u64, u64, Option<u64>)>,
    /// Inlined functions, outer ones first: start, end, line of the call.
    inlined: Vec<(u64, u64, u32)>,
    plt: Vec<u64>,
    trampoline: Option<u64>,
    at: u64,
}

impl Code {
    fn new() -> Self {
        Self { at: 0x1000, ..Self::default() }
    }

    /// A function: its lines with their instructions. Line 0: no line information.
    fn function(&mut self, lines: &[(u32, &[Op])]) -> u64 {
        self.function_with(lines, &[])
    }

    fn function_with(&mut self, lines: &[(u32, &[Op])], not_statements: &[usize]) -> u64 {
        let entry = self.at;
        let mut starts = Vec::new();
        for (i, (line, ops)) in lines.iter().enumerate() {
            let start = self.at;
            starts.push(start);
            for op in *ops {
                self.ops.insert(self.at, *op);
                self.at += length(*op);
            }
            if *line != 0 {
                self.rows.push((start, self.at, *line, !not_statements.contains(&i)));
            }
        }
        let lined = lines.first().is_some_and(|(line, _)| *line != 0);
        let after_prologue = lined.then(|| starts.get(1).copied().unwrap_or(entry));
        self.bodies.push((entry, self.at, after_prologue));
        self.at = (self.at + 0x100) & !0xff;
        entry
    }

    fn run(self, main: u64, signals: &[(u64, u64)]) -> Sim {
        let mut states = Vec::new();
        let mut loops: BTreeMap<u64, u32> = BTreeMap::new();
        let mut now = SimulatedThread { pc: main, sp: SP, stack: BTreeMap::from([(SP, 0)]) };
        let mut jump_buffer = None;
        let mut pending: Vec<(u64, u64)> = signals.to_vec();
        let mut interrupted = Vec::new();
        while now.pc != 0 && states.len() < 100_000 {
            states.push(now.clone());
            if let Some(i) = pending.iter().position(|(at, _)| *at == now.pc) {
                let (_, handler) = pending.remove(i);
                interrupted.push((now.pc, now.sp));
                now.sp -= 0x200;
                now.stack.insert(now.sp, self.trampoline.unwrap());
                now.pc = handler;
                continue;
            }
            let Some(op) = self.ops.get(&now.pc).copied() else { panic!("ran to {:#x}", now.pc) };
            let next = now.pc + length(op);
            now.pc = next;
            match op {
                Nop => {}
                Call(to) => {
                    now.sp -= 8;
                    now.stack.insert(now.sp, next);
                    now.pc = to;
                }
                Ret => {
                    now.pc = now.stack[&now.sp];
                    now.sp += 8;
                }
                Jump(to) => now.pc = to,
                Loop(to, times) => {
                    let done = loops.entry(next).or_default();
                    if *done < times {
                        *done += 1;
                        now.pc = to;
                    } else {
                        *done = 0;
                    }
                }
                Enter(n) => now.sp -= n,
                Leave(n) => now.sp += n,
                SetJump => jump_buffer = Some((next, now.sp)),
                LongJump => (now.pc, now.sp) = jump_buffer.unwrap(),
                SigReturn => (now.pc, now.sp) = interrupted.pop().unwrap(),
            }
        }
        Sim { code: self, states, at: 0, breakpoints: Vec::new(), file: file(), hidden: (0, 0), moves: 0 }
    }
}

fn length(op: Op) -> u64 {
    if matches!(op, Call(_)) { 5 } else { 1 }
}

fn file() -> Arc<SourcePath> {
    Arc::new(SourcePath { name: "sim.c".into(), path: PathBuf::from("/src/sim.c") })
}

struct Sim {
    code: Code,
    states: Vec<SimulatedThread>,
    at: usize,
    breakpoints: Vec<u64>,
    file: Arc<SourcePath>,
    /// The state that so many inlined functions are hidden in.
    hidden: (usize, usize),
    /// How often it was asked to move.
    moves: usize,
}

impl Sim {
    fn pc(&self) -> u64 {
        self.states[self.at].pc
    }

    fn line(&mut self) -> u32 {
        let pc = RunAddr(self.pc());
        self.row(pc).map_or(0, |r| r.line)
    }

    fn shift(&mut self, direction: Direction) -> Option<Reason> {
        match direction {
            Direction::Forward if self.at + 1 == self.states.len() => {
                return Some(Reason::EndOfRecording { exit_code: Some(0), signal: None });
            }
            Direction::Reverse if self.at == 0 => return Some(Reason::StartOfRecording),
            Direction::Forward => self.at += 1,
            Direction::Reverse => self.at -= 1,
        }
        let hit = self.breakpoints.iter().position(|b| *b == self.pc())?;
        Some(Reason::Breakpoint { number: hit as u32 + 1, temporary: false })
    }

    /// Goes to the first state at this line's beginning.
    fn seek(&mut self, line: u32) -> &mut Self {
        let start = self.code.rows.iter().find(|r| r.2 == line).unwrap().0;
        self.at = self.states.iter().position(|s| s.pc == start).unwrap();
        self
    }

    fn seek_last(&mut self, line: u32) -> &mut Self {
        let start = self.code.rows.iter().find(|r| r.2 == line).unwrap().0;
        self.at = self.states.iter().rposition(|s| s.pc == start).unwrap();
        self
    }

    /// Lines reached by so many steps; 0 for none; stops at the first reason.
    fn lines(&mut self, direction: Direction, calls: Calls, count: usize) -> Vec<u32> {
        let mut found = Vec::new();
        for _ in 0..count {
            let reason = line(self, direction, calls, false).unwrap();
            found.push(self.line());
            if reason.is_some() {
                found.push(9999);
                break;
            }
        }
        found
    }
}

impl Machine for Sim {
    fn spot(&mut self) -> Result<Spot, Error> {
        let now = &self.states[self.at];
        Ok(Spot { pc: RunAddr(now.pc), sp: now.sp })
    }

    fn step(&mut self, direction: Direction) -> Moved {
        self.moves += 1;
        Ok(self.shift(direction))
    }

    fn run_to(&mut self, direction: Direction, places: &[Temporary]) -> Moved {
        self.moves += 1;
        loop {
            if let Some(reason) = self.shift(direction) {
                return Ok(Some(reason));
            }
            let here = self.spot()?;
            // Where a signal comes, nothing has been executed: rr knows no breakpoint there.
            let interrupted = self.states.get(self.at + 1).is_some_and(|next| {
                next.sp + 0x200 == here.sp && self.code.trampoline == next.stack.get(&next.sp).copied()
            });
            if !interrupted && places.iter().any(|p| p.address == here.pc && p.sp.allows(here.sp)) {
                return Ok(None);
            }
        }
    }

    fn run_back_in_frame(&mut self, places: &[Temporary], entry: FunctionEntry) -> Result<Ran, Error> {
        let caller = self.caller(0).filter(|_| entry.leads_in);
        let entered = caller.map(|caller| Temporary::is(entry.at, caller.sp.wrapping_sub(8)));
        let places: Vec<Temporary> = places.iter().copied().chain(entered).collect();
        Ok(self.run_to(Direction::Reverse, &places)?.map_or(Ran::There, |reason| Ran::Stopped(Box::new(reason))))
    }

    fn instruction(&mut self, at: RunAddr) -> Option<Instruction> {
        let op = *self.code.ops.get(&at.0)?;
        let flow = match op {
            Call(_) => Flow::Call,
            Ret => Flow::Return,
            Jump(_) | Loop(..) => Flow::Jump,
            LongJump => Flow::IndirectJump,
            SigReturn => Flow::Syscall,
            _ => Flow::Next,
        };
        Some(Instruction { length: length(op), flow })
    }

    fn ways_out(&mut self, start: RunAddr, end: RunAddr) -> Option<WaysOut> {
        let mut ways = WaysOut::default();
        for (at, op) in self.code.ops.range(start.0..end.0) {
            let next = at + length(*op);
            let to = match *op {
                Nop => vec![next],
                Call(_) => {
                    ways.calls = true;
                    vec![next]
                }
                Jump(to) => vec![to],
                Loop(to, _) => vec![to, next],
                Ret => {
                    ways.returns = true;
                    Vec::new()
                }
                Enter(_) | Leave(_) | SetJump | LongJump | SigReturn => return None,
            };
            ways.instructions.push(RunAddr(*at));
            ways.targets.extend(to.into_iter().filter(|to| !(start.0..end.0).contains(to)).map(RunAddr));
        }
        Some(ways)
    }

    fn row(&mut self, at: RunAddr) -> Option<Row> {
        let (start, end, line, is_stmt) = *self.code.rows.iter().find(|r| r.0 <= at.0 && at.0 < r.1)?;
        Some(Row { start: RunAddr(start), end: RunAddr(end), file: self.file.clone(), line, is_stmt })
    }

    fn body(&mut self, at: RunAddr) -> Option<Body> {
        let (start, end, after) = *self.code.bodies.iter().find(|b| b.0 <= at.0 && at.0 < b.1)?;
        let entry = RunAddr(start);
        Some(Body { entry, ranges: vec![(entry, RunAddr(end))], after_prologue: after.map(RunAddr) })
    }

    fn code_start(&mut self, at: RunAddr) -> Option<RunAddr> {
        self.body(at).map(|body| body.entry)
    }

    fn inlined(&mut self, at: RunAddr) -> Vec<Inlined> {
        let around = self.code.inlined.iter().enumerate().filter(|(_, (start, end, _))| (*start..*end).contains(&at.0));
        let copy = |(i, (start, _, line)): (usize, &(u64, u64, u32))| Inlined {
            die: DieId(i as u64),
            begins: *start == at.0,
            call: Some((self.file.clone(), *line)),
        };
        around.map(copy).collect()
    }

    fn hidden(&mut self) -> usize {
        if self.hidden.0 == self.at { self.hidden.1 } else { 0 }
    }

    fn hide(&mut self, most: usize) {
        let path = self.inlined(RunAddr(self.pc()));
        self.hidden = (self.at, beginning(&path).min(most));
    }

    fn connector(&mut self, at: RunAddr) -> Option<Connector> {
        if self.code.trampoline == Some(at.0) {
            return Some(Connector::Trampoline);
        }
        self.code.plt.contains(&at.0).then_some(Connector::Plt)
    }

    fn resolver_exit(&mut self, _at: RunAddr) -> Option<RunAddr> {
        None
    }

    fn word(&mut self, address: u64) -> Option<u64> {
        self.states[self.at].stack.get(&address).copied()
    }

    /// Right at the entry of a function, and in the trampoline: all that stepping asks for.
    fn caller(&mut self, depth: usize) -> Option<Spot> {
        let here = self.spot().ok()?;
        let restored = |sim: &Self| {
            let later = sim.states[sim.at..].iter().position(|s| Some(s.pc) == sim.code.trampoline)?;
            let back = sim.states.get(sim.at + later + 1)?;
            Some(Spot { pc: RunAddr(back.pc), sp: back.sp })
        };
        if self.code.trampoline == Some(here.pc.0) {
            return restored(self);
        }
        let ret = self.word(here.sp)?;
        match depth {
            0 => Some(Spot { pc: RunAddr(ret), sp: here.sp + 8 }),
            _ if self.code.trampoline == Some(ret) => restored(self),
            _ => None,
        }
    }
}

use Calls::{Into, Over};
use Direction::{Forward as Fwd, Reverse as Rev};
use Op::{Call, Enter, Jump, Leave, LongJump, Loop, Nop, Ret, SetJump, SigReturn};

/// Line and how many inlined functions the thread is shown inside of.
fn shown(sim: &mut Sim) -> (u32, usize) {
    let pc = RunAddr(sim.pc());
    let path = sim.inlined(pc);
    let hidden = sim.hidden();
    let call = if hidden > 0 { call_row(&path, hidden, pc) } else { None };
    (call.map_or_else(|| sim.line(), |row| row.line), path.len() - hidden)
}

fn walked(sim: &mut Sim, direction: Direction, calls: Calls, count: usize) -> Vec<(u32, usize)> {
    let step = |_| {
        assert_eq!(line(sim, direction, calls, false).unwrap(), None);
        shown(sim)
    };
    (0..count).map(step).collect()
}

/// 30 main { 31 call f; 32 nop; 33 ret }   10 f { 11 nop; 12 nop; 13 ret }
fn call_program() -> Sim {
    let mut code = Code::new();
    let f = code.function(&[(10, &[Nop, Enter(16)]), (11, &[Nop, Nop]), (12, &[Nop]), (13, &[Leave(16), Ret])]);
    let main = code.function(&[(30, &[Enter(32)]), (31, &[Nop, Call(f), Nop]), (32, &[Nop]), (33, &[Leave(32), Ret])]);
    code.run(main, &[])
}

#[test]
fn next_steps_over_a_call() {
    assert_eq!(call_program().seek(31).lines(Fwd, Over, 2), [32, 33]);
}

#[test]
fn step_stops_after_the_prologue_and_returns_into_the_middle_of_a_line_without_stopping() {
    assert_eq!(call_program().seek(31).lines(Fwd, Into, 5), [11, 12, 13, 32, 33]);
}

#[test]
fn reverse_next_goes_to_the_beginning_of_the_line_with_the_call() {
    let mut sim = call_program();
    assert_eq!(sim.seek(33).lines(Rev, Over, 2), [32, 31]);
    assert_eq!(sim.pc(), sim.code.rows[5].0);
}

#[test]
fn reverse_step_enters_a_callee_at_its_last_line_and_leaves_it_by_the_call() {
    let mut sim = call_program();
    assert_eq!(sim.seek(32).lines(Rev, Into, 4), [13, 12, 11, 31]);
    assert_eq!(sim.pc(), sim.code.rows[5].0);
}

#[test]
fn reverse_next_from_the_first_line_of_a_callee_goes_to_its_caller() {
    assert_eq!(call_program().seek(11).lines(Rev, Over, 1), [31]);
}

#[test]
fn the_start_and_the_end_of_the_recording_end_a_step() {
    assert_eq!(call_program().seek(31).lines(Rev, Over, 1), [30, 9999]);
    assert_eq!(call_program().seek(33).lines(Fwd, Over, 1), [33, 9999]);
}

#[test]
fn a_breakpoint_in_a_callee_ends_next() {
    let mut sim = call_program();
    sim.breakpoints.push(sim.code.rows[2].0);
    assert_eq!(sim.seek(31).lines(Fwd, Over, 1), [12, 9999]);
    let mut sim = call_program();
    sim.breakpoints.push(sim.code.rows[2].0);
    assert_eq!(sim.seek(32).lines(Rev, Over, 1), [12, 9999]);
}

/// f calls itself once from line 11 by way of a loop instruction that decides.
fn recursive_program() -> Sim {
    let mut code = Code::new();
    let f = code.at;
    code.function(&[
        (10, &[Enter(16)]),
        (11, &[Loop(f + 3, 2), Jump(f + 8), Call(f)]),
        (12, &[Nop]),
        (13, &[Leave(16), Ret]),
    ]);
    let main = code.function(&[(30, &[Nop]), (31, &[Call(f)]), (32, &[Nop]), (33, &[Ret])]);
    code.run(main, &[])
}

#[test]
fn next_over_a_recursive_call_stays_in_its_activation() {
    let mut sim = recursive_program();
    sim.seek(11);
    let outer = sim.states[sim.at].sp;
    assert_eq!(sim.lines(Fwd, Over, 2), [12, 13]);
    assert_eq!(sim.states[sim.at].sp, outer);
}

#[test]
fn step_into_a_recursive_call_goes_one_level_deeper() {
    let mut sim = recursive_program();
    sim.seek(11);
    let outer = sim.states[sim.at].sp;
    assert_eq!(sim.lines(Fwd, Into, 1), [11]);
    assert_eq!(sim.states[sim.at].sp, outer - 24);
}

#[test]
fn reverse_next_over_a_recursive_call_stays_in_its_activation() {
    let mut sim = recursive_program();
    let last = sim.seek_last(12).at;
    let outer = sim.states[last].sp;
    assert_eq!(sim.lines(Rev, Over, 1), [11]);
    assert_eq!(sim.states[sim.at].sp, outer);
}

#[test]
fn next_out_of_a_recursive_activation_stops_in_the_caller_behind_the_call() {
    let mut sim = recursive_program();
    let inner = sim.states.iter().map(|s| s.sp).min().unwrap();
    sim.at = sim.states.iter().position(|s| s.sp == inner && s.pc == 0x1008).unwrap();
    assert_eq!(sim.lines(Fwd, Over, 2), [13, 12]);
    assert_eq!(sim.states[sim.at].sp, inner + 24);
}

#[test]
fn functions_without_lines_are_run_through_both_ways() {
    let mut code = Code::new();
    let leaf = code.function(&[(10, &[Nop]), (11, &[Nop]), (12, &[Ret])]);
    let bare = code.function(&[(0, &[Nop, Call(leaf), Nop, Ret])]);
    let main = code.function(&[(30, &[Nop]), (31, &[Call(bare)]), (32, &[Nop]), (33, &[Ret])]);
    let mut sim = code.run(main, &[]);
    assert_eq!(sim.seek(31).lines(Fwd, Into, 1), [32]);
    assert_eq!(sim.lines(Rev, Into, 1), [31]);
}

#[test]
fn before_the_outermost_function_the_recording_starts() {
    let mut code = Code::new();
    let leaf = code.function(&[(10, &[Nop]), (11, &[Nop]), (12, &[Ret])]);
    let start = code.function(&[(0, &[Enter(16), Call(leaf), Nop, Leave(16), Ret])]);
    let mut sim = code.run(start, &[]);
    sim.at = sim.states.iter().position(|s| s.pc == start + 6).unwrap();
    assert_eq!(line(&mut sim, Rev, Over, false).unwrap(), Some(Reason::StartOfRecording));
}

#[test]
fn returning_to_a_caller_without_lines_stops_there() {
    let mut code = Code::new();
    let leaf = code.function(&[(10, &[Nop]), (11, &[Nop]), (12, &[Ret])]);
    let bare = code.function(&[(0, &[Nop, Call(leaf), Nop, Ret])]);
    let main = code.function(&[(30, &[Nop]), (31, &[Call(bare)]), (32, &[Nop]), (33, &[Ret])]);
    let mut sim = code.run(main, &[]);
    assert_eq!(sim.seek(12).lines(Fwd, Over, 2), [0, 32]);
}

#[test]
fn stubs_are_followed_into_the_function_and_back() {
    let mut code = Code::new();
    let leaf = code.function(&[(10, &[Nop]), (11, &[Nop]), (12, &[Ret])]);
    let stub = code.function(&[(0, &[Jump(leaf)])]);
    code.plt.push(stub);
    let main = code.function(&[(30, &[Nop]), (31, &[Call(stub)]), (32, &[Nop]), (33, &[Ret])]);
    let mut sim = code.run(main, &[]);
    assert_eq!(sim.seek(31).lines(Fwd, Into, 3), [11, 12, 32]);
    assert_eq!(sim.lines(Rev, Into, 3), [12, 11, 31]);
    assert_eq!(sim.lines(Fwd, Over, 1), [32]);
}

#[test]
fn a_loop_is_stepped_line_by_line() {
    let mut code = Code::new();
    let body = 0x1000 + 2;
    let main = code.function(&[
        (30, &[Nop]),
        (31, &[Jump(body + 2)]),
        (32, &[Nop, Nop]),
        (31, &[Nop, Loop(body, 2)]),
        (33, &[Ret]),
    ]);
    let mut sim = code.run(main, &[]);
    assert_eq!(sim.seek(31).lines(Fwd, Over, 4), [32, 31, 32, 31]);
    assert_eq!(sim.lines(Fwd, Over, 1), [33]);
    assert_eq!(sim.lines(Rev, Over, 6), [31, 32, 31, 32, 31, 31]);
}

#[test]
fn code_that_is_no_statement_is_passed() {
    let mut code = Code::new();
    let lines: &[(u32, &[Op])] = &[(30, &[Nop]), (31, &[Nop]), (40, &[Nop]), (31, &[Nop]), (32, &[Nop]), (33, &[Ret])];
    let main = code.function_with(lines, &[2]);
    let mut sim = code.run(main, &[]);
    assert_eq!(sim.seek(31).lines(Fwd, Over, 2), [32, 33]);
}

#[test]
fn a_tail_call_is_entered_by_step_and_passed_by_next() {
    let mut code = Code::new();
    let leaf = code.function(&[(10, &[Nop]), (11, &[Nop]), (12, &[Ret])]);
    let middle = code.function(&[(20, &[Nop]), (21, &[Nop]), (22, &[Jump(leaf)])]);
    let main = code.function(&[(30, &[Nop]), (31, &[Call(middle), Nop]), (32, &[Nop]), (33, &[Ret])]);
    let mut sim = code.run(main, &[]);
    assert_eq!(sim.seek(22).lines(Fwd, Over, 1), [32]);
    assert_eq!(sim.seek(22).lines(Fwd, Into, 1), [11]);
    assert_eq!(sim.seek(32).lines(Rev, Over, 1), [31]);
}

#[test]
fn a_return_into_code_that_is_no_statement_goes_on_to_the_next_statement_whatever_its_line() {
    let mut code = Code::new();
    let callee = code.function(&[(10, &[Enter(16)]), (11, &[Leave(16), Ret])]);
    let main = code.at;
    // The code behind the call belongs to the next line, whose statement comes after more code of the line before.
    let lines: &[(u32, &[Op])] = &[
        (30, &[Enter(16)]),
        (31, &[Call(callee)]),
        (32, &[Nop, Nop]),
        (31, &[Nop, Nop]),
        (32, &[Nop]),
        (33, &[Leave(16), Ret]),
    ];
    code.function_with(lines, &[2, 3]);
    let mut sim = code.run(main, &[]);
    for calls in [Into, Over] {
        assert_eq!(sim.seek(11).lines(Fwd, calls, 2), [32, 33], "{calls:?}");
        assert_eq!(sim.seek(31).lines(Fwd, Over, 2), [32, 33], "{calls:?}");
    }
    let statement = sim.code.rows.iter().rfind(|row| row.2 == 32).unwrap().0;
    assert_eq!(sim.seek(11).lines(Fwd, Into, 1), [32]);
    assert_eq!(sim.pc(), statement);
}

#[test]
fn a_return_to_the_call_of_an_inlined_function_stops_there() {
    let mut code = Code::new();
    let callee = code.function(&[(10, &[Enter(16)]), (11, &[Leave(16), Ret])]);
    let main = code.at;
    code.inlined = vec![(main + 6, main + 8, 32)];
    let lines: &[(u32, &[Op])] =
        &[(30, &[Enter(16)]), (31, &[Call(callee)]), (20, &[Nop, Nop]), (33, &[Leave(16), Ret])];
    code.function_with(lines, &[2]);
    let mut sim = code.run(main, &[]);
    for calls in [Into, Over] {
        assert_eq!(walked(sim.seek(11), Fwd, calls, 1), [(32, 0)], "{calls:?}");
        assert_eq!(sim.pc(), main + 6);
    }
}

#[test]
fn a_step_back_out_of_a_function_entered_by_a_tail_call_goes_to_the_jump() {
    let mut code = Code::new();
    let last = code.function(&[(10, &[Enter(16)]), (11, &[Nop]), (12, &[Leave(16), Ret])]);
    let first = code.function(&[(20, &[Nop]), (21, &[Nop, Jump(last)])]);
    let main = code.function(&[(30, &[Nop]), (31, &[Call(first)]), (32, &[Nop]), (33, &[Ret])]);
    let mut sim = code.run(main, &[]);
    for calls in [Into, Over] {
        assert_eq!(sim.seek(11).lines(Rev, calls, 2), [21, 31], "{calls:?}");
    }
}

#[test]
fn step_in_code_without_lines_goes_into_what_it_calls() {
    let program = || {
        let mut code = Code::new();
        let leaf = code.function(&[(10, &[Nop]), (11, &[Nop]), (12, &[Ret])]);
        let bare = code.function(&[(0, &[Nop, Call(leaf), Nop, Ret])]);
        let main = code.function(&[(30, &[Nop]), (31, &[Call(bare)]), (32, &[Nop]), (33, &[Ret])]);
        let mut sim = code.run(main, &[]);
        sim.at = sim.states.iter().position(|s| s.pc == bare).unwrap();
        sim
    };
    let mut sim = program();
    assert_eq!(sim.lines(Fwd, Into, 4), [11, 12, 0, 32]);
    assert_eq!(program().lines(Fwd, Over, 1), [32]);
    // Back, from behind the call of the leaf.
    for (calls, lines) in [(Into, [12, 11].as_slice()), (Over, &[31])] {
        let mut sim = program();
        sim.at = sim.states.iter().rposition(|s| s.pc == sim.code.bodies[1].0 + 6).unwrap();
        assert_eq!(sim.lines(Rev, calls, lines.len()), lines);
    }
}

#[test]
fn reverse_next_from_behind_a_longjmp_goes_to_the_call_that_ended_in_it() {
    let mut code = Code::new();
    let thrower = code.function(&[(0, &[Enter(64), LongJump])]);
    let main = code.at;
    let call = main + 4;
    code.function(&[
        (30, &[Enter(16)]),
        (31, &[SetJump, Loop(call, 1), Jump(call + 5)]),
        (32, &[Call(thrower)]),
        (33, &[Nop]),
        (34, &[Leave(16), Ret]),
    ]);
    let mut sim = code.run(main, &[]);
    assert_eq!(sim.seek(33).lines(Rev, Over, 2), [32, 31]);
}

#[test]
fn single_instructions_over_calls() {
    let mut sim = call_program();
    sim.seek(31).at += 1;
    let call = sim.pc();
    assert_eq!(instruction(&mut sim, Fwd, Over).unwrap(), None);
    assert_eq!(sim.pc(), call + 5);
    assert_eq!(instruction(&mut sim, Rev, Over).unwrap(), None);
    assert_eq!(sim.pc(), call);
    assert_eq!(instruction(&mut sim, Fwd, Into).unwrap(), None);
    assert_eq!(sim.line(), 10);
    assert_eq!(instruction(&mut sim, Rev, Into).unwrap(), None);
    assert_eq!(sim.pc(), call);
}
