//! How exceptions of C++ came to where a thread is: where each was thrown first and thrown again, and which one was being
//! handled meanwhile.
//!
//! A pass writes down the calls of the C++ runtime by which exceptions are thrown, and handled (Itanium C++ ABI, "Exception
//! Handling", level II); which exception `throw;` means follows from those that are being handled.

use super::answer::{ASKED, DEADLINE, LIMIT};
use super::biases::{Biases, Instructions};
use super::callers::{Begun, Frames, callers};
use super::error::Error;
use super::hits::{Moment, Visits};
use super::place::Spot;
use super::program::Program;
use base::cancel::Cancel;
use base::qualified::bare_last;
use engine::model::Position;
use rr::{Rr, UpTo};
use softcounters::probes::{Asked, Place, Probe, Register, Value};
use std::collections::HashMap;
use std::path::Path;

/// The functions of the runtime, in the order of [`Call`].
const FUNCTIONS: [&str; 4] = ["__cxa_throw", "__cxa_rethrow", "__cxa_begin_catch", "__cxa_end_catch"];
/// What the runtimes call where nothing catches an exception.
const ENDS: [&str; 4] = ["terminate", "__terminate", "__verbose_terminate_handler", "demangling_terminate_handler"];
/// Bytes of the `_Unwind_Exception` that is before the object that is thrown.
const HEADER: u64 = 32;
/// Most throws of one exception that are kept: the first, and the last ones.
const MOST_RAISES: usize = 8;
/// Most exceptions of an answer, each of which was being handled when the one before was thrown.
const MOST_EXCEPTIONS: usize = 4;
/// Most exceptions that a thread handles at once, and most that are alive.
const MOST_ALIVE: usize = 1 << 16;

/// A call of the runtime.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Call {
    Throw,
    ThrowAgain,
    BeginCatch,
    EndCatch,
}

/// A throw.
#[derive(Clone, Debug, PartialEq)]
pub struct Raise {
    /// When: where the function of the runtime begins.
    pub at: Moment,
    /// It was thrown again, by `throw;`.
    pub is_again: bool,
    /// Who threw it.
    pub callers: Frames,
}

/// An exception.
#[derive(Clone, Debug, PartialEq)]
pub struct Raised {
    /// The address of the object.
    pub object: u64,
    /// Its class, by the symbol of its `std::type_info`.
    pub class: Option<String>,
    /// All its throws, the first first; those in the middle may be left out.
    pub raises: Vec<Raise>,
    /// How many throws are left out behind the first.
    pub left_out: usize,
}

/// A throw as the pass has it.
#[derive(Clone, Debug)]
struct Thrown {
    at: Moment,
    is_again: bool,
    argument: u64,
}

/// An exception that has been thrown.
#[derive(Clone, Debug)]
struct Alive {
    class: Option<String>,
    raises: Vec<Thrown>,
    left_out: usize,
    /// The one that was being handled when it was thrown first.
    during: Option<u64>,
}

/// The exceptions of a thread, as its runtime has them.
#[derive(Debug, Default)]
struct Thread {
    alive: HashMap<u64, Alive>,
    /// Those that are being handled, the innermost last, and by how many handlers: below zero, it has been thrown again.
    handled: Vec<(u64, i64)>,
    /// The one that was thrown last.
    last: Option<u64>,
}

impl Thread {
    fn throw(&mut self, object: u64, class: Option<String>, thrown: Thrown) {
        let during = self.handled.last().map(|(object, _)| *object);
        if self.alive.len() >= MOST_ALIVE {
            self.alive.clear();
        }
        self.alive.insert(object, Alive { class, raises: vec![thrown], left_out: 0, during });
        self.last = Some(object);
    }

    fn throw_again(&mut self, thrown: Thrown) {
        let Some((object, count)) = self.handled.last_mut() else { return };
        *count = -*count;
        self.last = Some(*object);
        let Some(alive) = self.alive.get_mut(object) else { return };
        alive.raises.push(thrown);
        if alive.raises.len() > MOST_RAISES {
            alive.raises.remove(1);
            alive.left_out += 1;
        }
    }

    fn begin_catch(&mut self, object: u64) {
        let has_room = self.handled.len() < MOST_ALIVE;
        match self.handled.last_mut() {
            Some((top, count)) if *top == object => *count = count.abs() + 1,
            _ if has_room => self.handled.push((object, 1)),
            _ => {}
        }
    }

    fn end_catch(&mut self) {
        let Some((object, count)) = self.handled.last_mut() else { return };
        let is_destroyed = *count == 1;
        *count -= count.signum();
        if *count == 0 {
            if is_destroyed {
                self.alive.remove(object);
            }
            self.handled.pop();
        }
    }

    /// Returns the exception that was thrown last, the one that was being handled then, and so on.
    fn chain(&self) -> Vec<(u64, &Alive)> {
        let found = |object: u64| Some((object, self.alive.get(&object)?));
        let first = self.last.and_then(found);
        let next = |(_, alive): &(u64, &Alive)| alive.during.and_then(found);
        std::iter::successors(first, next).take(MOST_EXCEPTIONS).collect()
    }
}

impl Raised {
    /// Returns the address of its `_Unwind_Exception`.
    pub const fn header(&self) -> u64 {
        self.object.wrapping_sub(HEADER)
    }

    /// Finds the exception that the thread at a position has thrown last, then the one that was being handled when that
    /// was thrown, and so on; empty if it has thrown none. Two replays, the second only up to the last throw.
    ///
    /// # Errors
    /// If the recording cannot be replayed; if it is cancelled.
    pub fn before(rr: &Rr, recording: &Path, now: &Position, cancel: &Cancel) -> Result<Vec<Self>, Error> {
        let trace = rr::resolve_trace(Some(recording))?;
        let program = Program::open(&trace, cancel)?;
        let mut places: Vec<(Call, Spot)> = Vec::new();
        for (number, module) in program.user() {
            let calls = [Call::Throw, Call::ThrowAgain, Call::BeginCatch, Call::EndCatch];
            for (name, call) in FUNCTIONS.iter().zip(calls) {
                let symbols = module.image.symbols_spelled(name);
                let symbol = symbols.iter().find(|symbol| symbol.is_code && symbol.address.0 != 0);
                if let Some(symbol) = symbol {
                    places.push((call, Spot::new(&program, number, symbol.address, |_| true)?));
                }
            }
        }
        if places.is_empty() {
            return Ok(Vec::new());
        }
        let value = |name: &str| Register::named(name).map(Value::Register);
        let probe = |(_, spot): &(Call, Spot)| {
            let module = program.module(spot.module)?.identity.clone();
            let values = ["rdi", "rsi"].iter().filter_map(|name| value(name)).collect();
            Some(Probe::new(Place::Module { module, address: spot.address.0 }, values))
        };
        let mut probes: Vec<Probe> = places.iter().filter_map(probe).collect();
        let instructions = Instructions::add_to(&mut probes, &program);
        let (tid, ticks, event) = (now.thread.tid, now.ticks().unwrap_or(u64::MAX), now.event());
        let up_to = UpTo { tid, thread: None, ticks, event, hits_from: None };
        let pass = rr.pass_up_to(&trace, &Asked { probes, ..Asked::default() }, &up_to, LIMIT, DEADLINE)?;
        let (mut thread, mut biases, mut visits) = (Thread::default(), Biases::default(), Visits::default());
        let (mut hits, mut number) = (pass.glimpses()?, 0_u64);
        while let Some(hit) = hits.next_hit() {
            let (hit, found) = hit?;
            number += 1;
            if number.is_multiple_of(ASKED) && cancel.is_cancelled() {
                return Err(Error::Cancelled);
            }
            let visit = visits.count(hit.thread, hit.ticks, instructions.place(&hit, &found));
            if hit.tid != tid || hit.ticks > ticks {
                continue;
            }
            let Some((call, spot)) = places.get(hit.probe) else { continue };
            let (first, second) = (found.word(0).unwrap_or_default(), found.word(1).unwrap_or_default());
            let thrown = |biases: &mut Biases| {
                let (at, when) = biases.at(&program, &pass, &hit, spot, instructions.of(&hit, &found));
                let is_again = *call == Call::ThrowAgain;
                (at, Thrown { at: Moment { visit, ..when }, is_again, argument: first })
            };
            match call {
                Call::Throw => {
                    let (at, thrown) = thrown(&mut biases);
                    let symbol = program.ask_with(cancel, || program.symbol(at.pid, at.event, second))?;
                    thread.throw(first, symbol.as_deref().and_then(class_of), thrown);
                }
                Call::ThrowAgain => thread.throw_again(thrown(&mut biases).1),
                Call::BeginCatch => thread.begin_catch(first.wrapping_add(HEADER)),
                Call::EndCatch => thread.end_catch(),
            }
        }
        let chain = thread.chain();
        let begun = |thrown: &Thrown| {
            let Moment { pid, tid, ticks, .. } = thrown.at;
            let event = thrown.at.latest.or(thrown.at.event)?;
            Some(Begun { pid, tid, ticks, event, pc: thrown.at.pc?, argument: Some(thrown.argument) })
        };
        let all: Vec<Begun> = chain.iter().flat_map(|(_, alive)| &alive.raises).filter_map(begun).collect();
        let mut found = callers(rr, &trace, &program, &all, cancel)?.into_iter();
        let mut raise = |thrown: &Thrown| {
            let callers = begun(thrown).and_then(|_| found.next().flatten());
            let callers = callers.unwrap_or_else(|| Frames { all: Vec::new() });
            Raise { at: thrown.at.clone(), is_again: thrown.is_again, callers }
        };
        let raised = |(object, alive): (u64, &Alive)| Self {
            object,
            class: alive.class.clone(),
            raises: alive.raises.iter().map(&mut raise).filter(|raise| !is_of_end(raise)).collect(),
            left_out: alive.left_out,
        };
        Ok(chain.into_iter().map(raised).collect())
    }
}

/// Returns whether the runtime has thrown an exception again that nothing catches, so as to print what it says.
fn is_of_end(raise: &Raise) -> bool {
    let mut functions = raise.callers.all.iter().filter_map(|(source, _)| source.function.as_deref());
    raise.is_again && functions.any(|function| ENDS.contains(&bare_last(function)))
}

/// Returns the class that a symbol says to describe: `std::out_of_range` of `<typeinfo for std::out_of_range>`.
fn class_of(symbol: &str) -> Option<String> {
    Some(symbol.strip_prefix("<typeinfo for ")?.strip_suffix('>')?.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn thrown(ticks: u64, is_again: bool) -> Thrown {
        let at = Moment {
            event: Some(1),
            latest: None,
            visit: Some(1),
            ticks,
            pid: 1,
            tid: 1,
            pc: Some(1),
            registers: None,
        };
        Thrown { at, is_again, argument: 0 }
    }

    fn chain(thread: &Thread) -> Vec<(u64, Vec<u64>)> {
        let ticks = |alive: &Alive| alive.raises.iter().map(|raise| raise.at.ticks).collect();
        thread.chain().into_iter().map(|(object, alive)| (object, ticks(alive))).collect()
    }

    #[test]
    fn an_exception_that_is_thrown_again_is_the_one_that_is_handled() {
        let mut thread = Thread::default();
        assert!(chain(&thread).is_empty());
        thread.throw(10, None, thrown(1, false));
        thread.begin_catch(10);
        // Another one is thrown and caught meanwhile.
        thread.throw(20, None, thrown(2, false));
        assert_eq!(chain(&thread), [(20, vec![2]), (10, vec![1])]);
        thread.begin_catch(20);
        thread.end_catch();
        thread.throw_again(thrown(3, true));
        thread.end_catch();
        thread.begin_catch(10);
        assert_eq!(chain(&thread), [(10, vec![1, 3])]);
        thread.throw(30, None, thrown(4, false));
        assert_eq!(chain(&thread), [(30, vec![4]), (10, vec![1, 3])]);
        thread.begin_catch(30);
        thread.end_catch();
        thread.end_catch();
        // The place of the first is another one's.
        thread.throw(10, None, thrown(5, false));
        assert_eq!(chain(&thread), [(10, vec![5])]);
    }

    #[test]
    fn of_many_throws_the_first_and_the_last_are_kept() {
        let mut thread = Thread::default();
        thread.throw(10, None, thrown(0, false));
        for ticks in 1..20 {
            thread.begin_catch(10);
            thread.throw_again(thrown(ticks, true));
            thread.end_catch();
        }
        assert_eq!(chain(&thread), [(10, vec![0, 13, 14, 15, 16, 17, 18, 19])]);
        assert_eq!(thread.alive[&10].left_out, 12);
    }
}
