//! A journey: moves through a recording, each of whose stops must be what the truth about the recording has there.

mod place;
mod questions;

use crate::look::Look;
use crate::moves::{Kind, Move};
use crate::truth::{Failure, Stopped, Truth, Wait, What, failure, open, set, stop_for};
use place::{Next, Place};
use retrograde::{Breakpoint, Checkpoint, Error, ErrorKind, Position, Replay, Stop, StopReason};
use std::cmp::Ordering;
use std::collections::HashMap;

/// All looks at moments of a recording, by position, whoever was there first.
#[derive(Default)]
pub struct Seen(HashMap<String, Look>);

impl Seen {
    /// Begins with what the walks have met.
    pub fn of(truth: &Truth) -> Result<Self, Failure> {
        let mut seen = Self::default();
        for look in &truth.looks {
            seen.meet(look)?;
        }
        Ok(seen)
    }

    fn meet(&mut self, look: &Look) -> Result<(), Failure> {
        match self.0.get(&look.position.to_string()) {
            None => drop(self.0.insert(look.position.to_string(), look.clone())),
            Some(known) if known != look => return failure("looks differ", known.difference(look)),
            Some(_) => {}
        }
        Ok(())
    }
}

/// Bytes of `syscall`.
const SYSCALL_LENGTH: u64 = 2;
/// Most bytes of an instruction, those behind a call that rr has written over included.
const LONGEST_INSTRUCTION: u64 = 15;
/// Most stops in one system call.
const MOST_IN_CALL: usize = 8;

/// How something is waited for.
#[derive(Clone, Debug)]
struct Waited {
    breakpoint: Breakpoint,
    is_enabled: bool,
    is_even: bool,
    ignored: u32,
    is_once: bool,
    thread: Option<u32>,
}

/// A session and what is known of it.
struct Session {
    replay: Replay,
    waited: Vec<Waited>,
    place: Place,
    kept: Vec<(Checkpoint, Place)>,
}

/// The sessions of a journey.
pub struct Traveller<'t> {
    truth: &'t Truth,
    seen: &'t mut Seen,
    sessions: Vec<Session>,
    current: usize,
    /// Where it was.
    visited: Vec<Position>,
}

/// Whether each stop is printed: of one journey that was named.
fn is_shown() -> bool {
    std::env::var_os("RETROGRADE_JOURNEY").is_some()
}

/// Goes on a journey in sessions of its own. What fails, and at which move.
pub fn travel(truth: &Truth, seen: &mut Seen, moves: &[Move]) -> Result<(), (usize, Failure)> {
    let mut traveller = Traveller::new(truth, seen).map_err(|failure| (0, failure))?;
    for (index, one) in moves.iter().enumerate() {
        traveller.go(*one).map_err(|failure| (index, failure))?;
    }
    Ok(())
}

impl<'t> Traveller<'t> {
    /// Begins at the start of the recording, waiting for everything.
    pub fn new(truth: &'t Truth, seen: &'t mut Seen) -> Result<Self, Failure> {
        let mut traveller = Self { truth, seen, sessions: Vec::new(), current: 0, visited: Vec::new() };
        traveller.begin()?;
        Ok(traveller)
    }

    fn begin(&mut self) -> Result<(), Failure> {
        let mut replay = open(&self.truth.built)?;
        let mut waited = Vec::new();
        for wait in &self.truth.waits {
            waited.push(Waited::new(set(&mut replay, wait, &self.truth.counters)?));
        }
        let place = Place { least: 0, most: 0, on: None, has_jumped: false, is_told: false };
        self.sessions.push(Session { replay, waited, place, kept: Vec::new() });
        Ok(())
    }

    fn session(&mut self) -> &mut Session {
        &mut self.sessions[self.current]
    }

    fn look(&self) -> Result<Look, Failure> {
        Look::at(&self.sessions[self.current].replay, &self.truth.counters)
    }

    /// Makes a move, checks where it leads and how many hits are still ignored.
    pub fn go(&mut self, one: Move) -> Result<(), Failure> {
        if is_shown() {
            println!("{one}");
        }
        self.make(one)?;
        let Session { replay, waited, .. } = &self.sessions[self.current];
        for own in replay.breakpoints() {
            let ignored = waited.iter().find(|waited| waited.breakpoint.number == own.number).map(|one| one.ignored);
            if ignored.is_some_and(|ignored| ignored != own.ignore_count) {
                let text = format!("{ignored:?} hits of {} expected, {}; {one}", own.text, own.ignore_count);
                return failure("ignored hits differ", text);
            }
        }
        Ok(())
    }

    fn make(&mut self, one: Move) -> Result<(), Failure> {
        let times = one.number + 1;
        let elements = self.truth.elements.len();
        match one.kind {
            Kind::Run => self.times(times, |me| me.run(false)),
            Kind::Back => self.times(times, |me| me.run(true)),
            Kind::Stepi => self.times(times, |me| me.step(false, Replay::step_instruction)),
            Kind::Rstepi => self.times(times, |me| me.step(true, Replay::reverse_step_instruction)),
            Kind::Nexti => self.times(times, |me| me.step(false, Replay::next_instruction)),
            Kind::Rnexti => self.times(times, |me| me.step(true, Replay::reverse_next_instruction)),
            Kind::Step => self.times(times, |me| me.step(false, Replay::step)),
            Kind::Rstep => self.times(times, |me| me.step(true, Replay::reverse_step)),
            Kind::Next => self.times(times, |me| me.step(false, Replay::next)),
            Kind::Rnext => self.times(times, |me| me.step(true, Replay::reverse_next)),
            Kind::Finish => self.step(false, Replay::finish),
            Kind::Rfinish => self.step(true, Replay::reverse_finish),
            Kind::Until => self.step(false, Replay::until),
            Kind::There => self.there_and_back(times),
            Kind::Goto | Kind::After if elements == 0 => Ok(()),
            Kind::Goto => self.goto(&self.truth.elements[one.number % elements].before.clone()),
            Kind::After => self.goto(&self.truth.elements[one.number % elements].after.clone()),
            Kind::Return if self.visited.is_empty() => Ok(()),
            Kind::Return => self.goto(&self.visited[one.number % self.visited.len()].clone()),
            Kind::Event => self.event(self.truth.events * one.number as u64 / 1000),
            Kind::Start => self.end(Replay::goto_start),
            Kind::End => self.end(Replay::goto_end),
            Kind::Keep => self.keep(),
            Kind::Restore => self.restore(one.number),
            Kind::Last => self.last_write(one.number),
            Kind::First => self.first(one.number),
            Kind::Switch => self.switch(),
            Kind::All => (0..self.truth.waits.len()).try_for_each(|index| self.wait(index, |_| {})),
            Kind::Only => {
                let only = one.number % self.truth.waits.len().max(1);
                (0..self.truth.waits.len())
                    .try_for_each(|index| self.wait(index, |waited| waited.is_enabled = index == only))
            }
            _ if self.truth.waits.is_empty() => Ok(()),
            kind => self.change(kind, one.number),
        }
    }

    fn times(&mut self, times: usize, mut go: impl FnMut(&mut Self) -> Result<(), Failure>) -> Result<(), Failure> {
        (0..times).try_for_each(|_| go(self))
    }

    /// Waits for one of all anew, in another way.
    fn wait(&mut self, index: usize, change: impl FnOnce(&mut Waited)) -> Result<(), Failure> {
        let truth = self.truth;
        let session = self.session();
        let replay = &mut session.replay;
        let fails = |e: Error| Failure { kind: "set", text: e.to_string() };
        if replay.breakpoints().iter().any(|own| own.number == session.waited[index].breakpoint.number) {
            replay.remove(&session.waited[index].breakpoint.clone()).map_err(fails)?;
        }
        let mut waited = session.waited[index].clone();
        (waited.is_enabled, waited.is_even, waited.is_once, waited.ignored, waited.thread) =
            (true, false, false, 0, None);
        change(&mut waited);
        let Wait::Function(name, counter) = &truth.waits[index] else {
            let Wait::Counter(counter) = truth.waits[index] else { return Ok(()) };
            let counter = &truth.counters[counter];
            let mut builder = replay.watchpoint(counter.as_str());
            if waited.is_even {
                builder = builder.condition(format!("(int){counter} % 2 == 0"));
            }
            waited.breakpoint = builder.set().map_err(fails)?;
            // These are for breakpoints only.
            (waited.is_once, waited.thread) = (false, None);
            return self.waited(index, waited);
        };
        let counter = &truth.counters[*counter];
        let mut builder = replay.breakpoint(name.as_str()).pending();
        if waited.is_even {
            builder = builder.condition(format!("(int){counter} % 2 == 0"));
        }
        if waited.is_once {
            builder = builder.temporary();
        }
        if let Some(thread) = waited.thread {
            builder = builder.thread(thread);
        }
        waited.breakpoint = builder.set().map_err(fails)?;
        self.waited(index, waited)
    }

    fn waited(&mut self, index: usize, waited: Waited) -> Result<(), Failure> {
        let session = self.session();
        let fails = |e: Error| Failure { kind: "set", text: e.to_string() };
        session.replay.set_enabled(&waited.breakpoint, waited.is_enabled).map_err(fails)?;
        session.replay.set_ignore(&waited.breakpoint, waited.ignored).map_err(fails)?;
        session.waited[index] = waited;
        // A watchpoint that is new has reported nothing yet.
        if matches!(self.truth.waits[index], Wait::Counter(_)) {
            let elements = &self.truth.elements;
            let session = &mut self.sessions[self.current];
            let places = session.kept.iter_mut().map(|(_, place)| place).chain([&mut session.place]);
            places.for_each(|place| place.leave(|element| elements[element].what == What::Wait(index)));
        }
        Ok(())
    }

    fn change(&mut self, kind: Kind, number: usize) -> Result<(), Failure> {
        let index = number % self.truth.waits.len();
        let is_enabled = self.session().waited[index].is_enabled;
        let thread = self.session().replay.position().thread();
        self.wait(index, |waited| match kind {
            Kind::Toggle => waited.is_enabled = !is_enabled,
            Kind::Even => waited.is_even = true,
            Kind::Ignore => waited.ignored = u32::try_from(number % 4).unwrap(),
            Kind::Once => waited.is_once = true,
            _ => waited.thread = Some(thread),
        })
    }

    /// Runs to the next hit, or the one before.
    fn run(&mut self, reverse: bool) -> Result<(), Failure> {
        let replay = &mut self.session().replay;
        let from = replay.position().clone();
        let stop = if reverse { replay.reverse_run() } else { replay.run() };
        let way = if reverse { "back" } else { "run" };
        let stop = stop.map_err(|e| Failure { kind: "movement fails", text: format!("{way} from {from}: {e}") })?;
        self.hit(&stop, reverse)
    }

    /// Checks a stop that is for something, or at an end.
    fn hit(&mut self, stop: &Stop, reverse: bool) -> Result<(), Failure> {
        let numbers: Vec<_> = self.session().waited.iter().map(|waited| waited.breakpoint.number).collect();
        let wrong = |me: &Self, text: String| {
            failure("hit wrong", format!("{stop} at {}; {}{text}", stop.position, me.shown(reverse)))
        };
        let Some(Stopped { what, also, change }) = stop_for(stop, &numbers)? else {
            let is_start = matches!(stop.reason, StopReason::Start);
            let ends = self.candidates(reverse).into_iter().filter(|(next, _)| next.is_empty()).collect::<Vec<_>>();
            let Some((_, ignored)) = self.as_ignored(&ends, |(_, ignored)| ignored) else {
                return wrong(self, String::new());
            };
            if is_start != reverse {
                return wrong(self, String::new());
            }
            let behind = if reverse { 0 } else { self.truth.elements.len() };
            self.ignore(&ignored);
            return self.arrive(Place { least: behind, most: behind, on: None, has_jumped: false, is_told: false });
        };
        let mut all: Vec<_> = also.into_iter().map(What::Wait).collect();
        all.push(what);
        let is_it = |(next, _): &Next| {
            let at = |index: usize| {
                if reverse { &self.truth.elements[index].before } else { &self.truth.elements[index].after }
            };
            next.len() == all.len()
                && next
                    .iter()
                    .all(|index| all.contains(&self.truth.elements[*index].what) && *at(*index) == stop.position)
        };
        // Where it has come from is not always known for certain: how many hits were ignored says more.
        let all = self.candidates(reverse).into_iter().filter(is_it).collect::<Vec<_>>();
        let Some((next, ignored)) = self.as_ignored(&all, |(_, ignored)| ignored) else {
            return wrong(self, String::new());
        };
        let mut is_written = false;
        for index in &next {
            let What::Wait(wait) = self.truth.elements[*index].what else { continue };
            if let (Some((old, new)), Wait::Counter(counter)) = (change, &self.truth.waits[wait]) {
                is_written = true;
                if Some(new) != self.truth.elements[*index].counters[*counter] || new != old + 1 {
                    return wrong(self, format!(", values {old} -> {new}"));
                }
            }
            let waited = &mut self.session().waited[wait];
            waited.is_enabled &= !waited.is_once;
        }
        self.ignore(&ignored);
        let (first, last) = (*next.iter().min().unwrap(), *next.iter().max().unwrap());
        let (least, most) = match (is_written, reverse) {
            (true, false) => (first + 1, last + 1),
            (true, true) => (first, last),
            (false, _) => (first, last + 1),
        };
        // What is at this moment, too, but does not stop, because its hits are ignored, is not met again.
        let on =
            self.standing_on(&stop.position).map_or((first, last), |(one, other)| (first.min(one), last.max(other)));
        self.arrive(Place { least, most, on: Some(on), has_jumped: false, is_told: false })
    }

    /// Returns which of several ways has so many hits ignored as are; the first, if none has.
    fn as_ignored<T: Clone>(&self, ways: &[T], ignored: impl Fn(&T) -> &Vec<u32>) -> Option<T> {
        let Session { replay, waited, .. } = &self.sessions[self.current];
        let all = replay.breakpoints();
        let left = |waited: &Waited| {
            all.iter().find(|own| own.number == waited.breakpoint.number).map_or(waited.ignored, |own| own.ignore_count)
        };
        let now: Vec<_> = waited.iter().map(left).collect();
        ways.iter().find(|way| *ignored(way) == now).or(ways.first()).cloned()
    }

    fn ignore(&mut self, ignored: &[u32]) {
        for (waited, left) in self.session().waited.iter_mut().zip(ignored) {
            waited.ignored = *left;
        }
    }

    /// Looks at where it is now.
    fn arrive(&mut self, place: Place) -> Result<(), Failure> {
        let look = self.look()?;
        self.visited.push(look.position.clone());
        if is_shown() {
            println!("    {} by {}", look.position, self.sessions[self.current].replay.stop().reason);
        }
        self.seen.meet(&look)?;
        let found = self.locate(&look)?;
        if place.most < found.least || place.least > found.most {
            return failure(
                "place wrong",
                format!("{place:?} by its hit, {found:?} by its looks at {}", look.position),
            );
        }
        self.session().place = place;
        Ok(())
    }

    /// Makes a movement that ends at a hit, or where it has done what it is for.
    fn step(&mut self, reverse: bool, go: fn(&mut Replay) -> retrograde::Result<Stop>) -> Result<(), Failure> {
        let from = self.session().replay.position().clone();
        let stop = match go(&mut self.session().replay) {
            Ok(stop) => stop,
            Err(e) if e.kind() == ErrorKind::CannotMove && self.session().replay.position() == &from => return Ok(()),
            Err(e) => return failure("movement fails", format!("from {from}: {e}")),
        };
        if !matches!(stop.reason, StopReason::Step | StopReason::Returned { .. }) {
            // A step forward leaves what is where it begins, whether that was reported or not.
            let is_left = !reverse && stop.position != from;
            self.session().place.has_jumped &= !is_left;
            return self.hit(&stop, reverse);
        }
        // A step into an inlined function that begins here does not move.
        let wrong = if reverse { Ordering::Greater } else { Ordering::Less };
        if stop.position.partial_cmp(&from) == Some(wrong) {
            return failure("steps the wrong way", format!("from {from} to {}", stop.position));
        }
        let look = self.look()?;
        let (mut there, here) = (self.locate(&look)?, self.session().place.clone());
        if stop.position == from {
            // What was reported here is not reported again by who turns round.
            there = here.clone();
        }
        // Nothing that it waits for was passed.
        let ways = (here.least..=here.most).flat_map(|from| (there.least..=there.most).map(move |to| (from, to)));
        let all: Vec<_> = ways.filter_map(|(from, to)| self.passed(from, to, there.on, reverse)).collect();
        let Some(ignored) = self.as_ignored(&all, |ignored| ignored) else {
            return failure("passes a hit", format!("step to {} {there:?}; {}", look.position, self.shown(reverse)));
        };
        self.ignore(&ignored);
        self.arrive(there)
    }

    /// Returns where it is, and where it is shown: code of rr's own is shown as what it comes back to.
    fn both_places(&self) -> (Position, u64) {
        let replay = &self.sessions[self.current].replay;
        (replay.position().clone(), replay.stop().frame.pc)
    }

    /// Steps forward and as often backward: through the same moments.
    fn there_and_back(&mut self, times: usize) -> Result<(), Failure> {
        let mut way = vec![self.both_places()];
        if way[0].0.is_end() {
            return Ok(());
        }
        for _ in 0..times {
            self.step(false, Replay::step_instruction)?;
            let here = self.both_places();
            let is_hit = !matches!(self.session().replay.stop().reason, StopReason::Step | StopReason::Returned { .. });
            // A hit in another thread is in the midst of what that does: backward, its own instructions come first. So is
            // one in a handler that a signal led to within a system call of rr's, be it in the same tick: the step through
            // rr's code does not stop at the handler's first instruction, and back it does.
            let is_amid = |(last, shown): &(Position, u64)| {
                let is_behind = (1..=LONGEST_INSTRUCTION).contains(&here.0.pc().wrapping_sub(last.pc()));
                let was_rr = last.pc() != *shown;
                let is_elsewhere = was_rr && here.1 != *shown && here.0.event() != last.event();
                last.thread() != here.0.thread()
                    || is_hit && !is_behind && (here.0.ticks() > last.ticks() + 1 || is_elsewhere)
            };
            if way.last().is_some_and(is_amid) {
                way.clear();
            }
            way.push(here);
            if self.session().replay.position().is_end() {
                break;
            }
        }
        // A system call's entry is within its instruction, and a signal is delivered where its instruction was come to:
        // backward that is one moment.
        let is_within = |later: &Position, earlier: &Position| {
            !later.is_end()
                && later.event() != earlier.event()
                && (later.pc(), later.ticks(), later.thread()) == (earlier.pc(), earlier.ticks(), earlier.thread())
        };
        way.dedup_by(|later, earlier| {
            is_within(&later.0, &earlier.0) && {
                std::mem::swap(later, earlier);
                true
            }
        });
        let mut later = way.pop();
        for (expected, shown) in way.into_iter().rev() {
            // Each hit in rr's own code or within a system call is a stop, all of them in one instruction of the program's.
            // Behind that of the return from a handler is the interrupted code.
            let is_entered = |found: &Position| {
                found.pc() + SYSCALL_LENGTH == expected.pc()
                    && found.event() != expected.event()
                    && (found.ticks(), found.thread()) == (expected.ticks(), expected.thread())
            };
            // The write in rr's own code that the way began before has been met forward, and is not met again at once:
            // then the whole instruction of the program is taken back.
            let is_around = |found: &Position, now: u64| {
                let length = shown.wrapping_sub(found.pc());
                now == found.pc()
                    && (1..=LONGEST_INSTRUCTION).contains(&length)
                    && found.ticks() <= expected.ticks()
                    && found.thread() == expected.thread()
            };
            let is_it = |(found, now): &(Position, u64)| {
                let was_rr = shown != expected.pc();
                let is_rr = *now != found.pc() || was_rr;
                *found == expected
                    || is_within(found, &expected)
                    || is_entered(found)
                    || is_rr && *now == shown
                    || was_rr && is_around(found, *now)
            };
            for _ in 0..MOST_IN_CALL {
                let (was, _) = self.both_places();
                self.step(true, Replay::reverse_step_instruction)?;
                let found = self.both_places();
                let is_in_call = (found.0.pc(), found.0.ticks()) == (was.pc(), was.ticks());
                if is_it(&found) || found.0.pc() == found.1 && !is_in_call {
                    break;
                }
            }
            let found = self.both_places();
            if !is_it(&found) {
                // From a handler that a signal led to in the midst of rr's code, the way leads on there. From behind that,
                // all of it is taken back at once, with what the handler did, as it is gone through forward.
                let was_rr = later.as_ref().is_some_and(|(later, shown)| later.pc() != *shown);
                // So is what rr's library calls before the program's own code begins.
                let first = self.truth.elements.first();
                let is_before = first.is_none_or(|first| expected < first.before);
                let is_call = |(later, _): &(Position, u64)| {
                    (2..=LONGEST_INSTRUCTION).contains(&later.pc().wrapping_sub(found.0.pc()))
                };
                if was_rr || is_before && later.as_ref().is_some_and(is_call) {
                    return Ok(());
                }
                return failure("not back", format!("{expected} expected, {}", found.0));
            }
            later = Some((expected, shown));
        }
        Ok(())
    }

    fn goto(&mut self, position: &Position) -> Result<(), Failure> {
        self.goto_what(position, position)
    }

    /// Goes to a position that may say less than what is there.
    fn goto_what(&mut self, position: &Position, expected: &Position) -> Result<(), Failure> {
        let stop = self.session().replay.goto(position);
        let stop = stop.map_err(|e| Failure { kind: "movement fails", text: format!("goto {position}: {e}") })?;
        if stop.position != *expected {
            return failure("goto elsewhere", format!("{expected} expected, {}", stop.position));
        }
        self.arrived()
    }

    /// Finds out where a movement has led that passes everything.
    fn arrived(&mut self) -> Result<(), Failure> {
        let look = self.look()?;
        let place = self.locate(&look)?;
        self.arrive(place)
    }

    fn event(&mut self, event: u64) -> Result<(), Failure> {
        let stop = self.session().replay.goto_event(event);
        let stop = stop.map_err(|e| Failure { kind: "movement fails", text: format!("to event {event}: {e}") })?;
        // What other processes do, and what rr does between instructions, is completed before this one goes on.
        if stop.position.event() < event && !stop.position.is_end() {
            return failure("goto elsewhere", format!("event {event} expected, {}", stop.position));
        }
        self.arrived()?;
        let place = &mut self.session().place;
        (place.has_jumped, place.is_told) = (true, matches!(stop.reason, StopReason::Signal { .. }));
        Ok(())
    }

    fn end(&mut self, go: fn(&mut Replay) -> retrograde::Result<Stop>) -> Result<(), Failure> {
        go(&mut self.session().replay)
            .map_err(|e| Failure { kind: "movement fails", text: format!("to an end: {e}") })?;
        self.arrived()
    }

    fn keep(&mut self) -> Result<(), Failure> {
        let session = self.session();
        match session.replay.checkpoint() {
            Ok(checkpoint) => session.kept.push((checkpoint, session.place.clone())),
            Err(e) if e.kind() == ErrorKind::CheckpointRefused => {}
            Err(e) => return failure("movement fails", format!("checkpoint: {e}")),
        }
        Ok(())
    }

    fn restore(&mut self, number: usize) -> Result<(), Failure> {
        let session = self.session();
        if session.kept.is_empty() {
            return Ok(());
        }
        let (checkpoint, place) = session.kept[number % session.kept.len()].clone();
        let stop = session.replay.restore(&checkpoint);
        let stop = stop.map_err(|e| Failure { kind: "movement fails", text: format!("{checkpoint}: {e}") })?;
        if stop.position != checkpoint.position {
            return failure("goto elsewhere", format!("{} expected, {}", checkpoint.position, stop.position));
        }
        self.arrive(place)
    }

    fn switch(&mut self) -> Result<(), Failure> {
        if self.sessions.len() == 1 {
            self.begin()?;
        }
        self.current = (self.current + 1) % self.sessions.len();
        Ok(())
    }
}

impl Waited {
    fn new(breakpoint: Breakpoint) -> Self {
        Self { breakpoint, is_enabled: true, is_even: false, ignored: 0, is_once: false, thread: None }
    }
}
