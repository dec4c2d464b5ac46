//! What happens in a recording, from several sources that must agree: a walk forward, a walk backward, passes that write
//! down all calls and writes, and the program's own counts.

use crate::look::Look;
use crate::program::{Built, Program};
use retrograde::{Breakpoint, Position, Replay, Stop, StopReason};
use std::fmt;
use std::time::Duration;

/// Why a journey fails: what sort of failure it is, and all about it.
#[derive(Clone, Debug)]
pub struct Failure {
    /// The sort, by which failures are counted.
    pub kind: &'static str,
    /// What was expected and what came.
    pub text: String,
}

/// Returns a failure of this sort.
pub fn failure<T>(kind: &'static str, text: impl Into<String>) -> Result<T, Failure> {
    Err(Failure { kind, text: text.into() })
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.kind, self.text)
    }
}

/// What can be waited for.
#[derive(Clone, Debug, PartialEq)]
pub enum Wait {
    /// A call of a function, and which counter counts its calls.
    Function(String, usize),
    /// A change of a counter, by its index.
    Counter(usize),
}

/// What a stop is for.
#[derive(Clone, Debug, PartialEq)]
pub enum What {
    /// One of what is waited for, by its index.
    Wait(usize),
    /// A signal that stops by itself.
    Signal(String),
}

/// Something that stops a replay which waits for everything.
#[derive(Clone, Debug)]
pub struct Element {
    /// What it is.
    pub what: What,
    /// Where it stops backward: a write has not been done yet.
    pub before: Position,
    /// Where it stops forward.
    pub after: Position,
    /// The counters' values after it.
    pub counters: Vec<Option<u64>>,
}

/// All of a recording.
pub struct Truth {
    /// The recorded program.
    pub built: Built,
    /// The expressions that count.
    pub counters: Vec<String>,
    /// What is waited for.
    pub waits: Vec<Wait>,
    /// What happens, in the order of the recording.
    pub elements: Vec<Element>,
    /// How many events the recording has.
    pub events: u64,
    /// The stops at all elements and on the way, to be met again.
    pub looks: Vec<Look>,
}

/// Most elements of a recording: a larger one is walked for too long.
const MOST: usize = 400;
/// Most that the processor watches at a time.
const WATCHED: usize = 4;
/// Within which a movement is done, also on a machine that does much else.
pub const LIMIT: Duration = Duration::from_secs(60);

/// Opens a session on a recording.
pub fn open(built: &Built) -> Result<Replay, Failure> {
    let options = Replay::options().time_limit(LIMIT).rr(crate::support::recordings::rr().program());
    options.open(&built.recording.trace).map_err(|e| Failure { kind: "open", text: e.to_string() })
}

/// Sets what is waited for.
pub fn set(replay: &mut Replay, wait: &Wait, counters: &[String]) -> Result<Breakpoint, Failure> {
    let made = match wait {
        // A library may not be loaded yet.
        Wait::Function(name, _) => replay.breakpoint(name.as_str()).pending().set(),
        Wait::Counter(counter) => replay.watchpoint(counters[*counter].as_str()).set(),
    };
    made.map_err(|e| Failure { kind: "set", text: format!("{wait:?}: {e}") })
}

/// Returns the number in a value as it is shown, which may have a character behind it.
pub fn number(text: &str) -> Option<u64> {
    text.split_whitespace().next()?.parse().ok()
}

/// A stop on a walk that stops for everything.
struct Met {
    stopped: Stopped,
    look: Look,
}

/// One thing that a stop on a walk was for.
type Single = (What, Option<(u64, u64)>, Look);

/// What a stop is for.
#[derive(Clone, Debug)]
pub struct Stopped {
    /// Its reason.
    pub what: What,
    /// The breakpoints that are hit at the same moment, by their indices.
    pub also: Vec<usize>,
    /// The values of a watched counter.
    pub change: Option<(u64, u64)>,
}

impl Truth {
    /// Walks through a recording in both directions, and has the sources agree.
    pub fn find(program: &Program) -> Result<Self, Failure> {
        let failure = |text| Failure { kind: "record", text };
        let built = match std::env::var("RETROGRADE_JOURNEY_KEPT") {
            Ok(kept) => {
                let (directory, trace) = kept.split_once(':').expect("a directory and a recording");
                Built::kept(directory.as_ref(), trace.as_ref())
            }
            Err(_) => Built::new(program),
        };
        let built = built.map_err(failure)?;
        let counters = program.counters();
        let watched = counters.iter().take(WATCHED).enumerate().map(|(index, _)| Wait::Counter(index));
        let of = |by: &String| counters.iter().position(|counter| counter == by).unwrap();
        let functions = program.functions().into_iter().map(|(name, by)| Wait::Function(name, of(&by)));
        let waits: Vec<_> = watched.chain(functions).collect();
        Self::of(built, counters, waits)
    }

    /// Does so with a recording of any program, in which this is waited for.
    pub fn of(built: Built, counters: Vec<String>, waits: Vec<Wait>) -> Result<Self, Failure> {
        let mut truth = Self { built, counters, waits, elements: Vec::new(), events: 0, looks: Vec::new() };
        truth.walk()?;
        truth.count()?;
        truth.ask()?;
        Ok(truth)
    }

    fn walk(&mut self) -> Result<(), Failure> {
        let mut replay = open(&self.built)?;
        let mut numbers = Vec::new();
        for wait in &self.waits {
            numbers.push(set(&mut replay, wait, &self.counters)?.number);
        }
        let mut forward = Vec::new();
        while let Some(met) = self.meet(&mut replay, &numbers, false, forward.len())? {
            forward.push(met);
        }
        self.looks.push(Look::at(&replay, &self.counters)?);
        self.events = replay.position().event();
        let mut backward = Vec::new();
        while let Some(met) = self.meet(&mut replay, &numbers, true, backward.len())? {
            backward.push(met);
        }
        let forward: Vec<_> = forward.into_iter().flat_map(|met| self.single(met, false)).collect();
        let mut backward: Vec<_> = backward.into_iter().flat_map(|met| self.single(met, true)).collect();
        backward.reverse();
        let names = |list: &[Single]| list.iter().map(|met| self.name(met)).collect::<Vec<_>>().join(" ");
        if names(&forward) != names(&backward) {
            return failure("walks differ", format!("forward:  {}\nbackward: {}", names(&forward), names(&backward)));
        }
        for ((what, change, forth), (.., back)) in forward.into_iter().zip(backward) {
            if change.is_none() && forth != back {
                return failure("walks differ", forth.difference(&back));
            }
            let mut counters = forth.counters.clone();
            if let (Some((_, new)), What::Wait(wait)) = (change, &what)
                && let Wait::Counter(counter) = self.waits[*wait]
            {
                counters[counter] = Some(new);
            }
            let (before, after) = (back.position.clone(), forth.position.clone());
            self.looks.extend([forth, back]);
            self.elements.push(Element { what, before, after, counters });
        }
        Ok(())
    }

    /// Takes a stop apart that is for several things, in the order of its direction.
    fn single(&self, met: Met, reverse: bool) -> Vec<Single> {
        let Met { stopped: Stopped { what, mut also, change }, look } = met;
        also.sort_unstable();
        if reverse {
            also.reverse();
        }
        let also = also.into_iter().map(|wait| (What::Wait(wait), None, look.clone()));
        [(what, change, look.clone())].into_iter().chain(also.collect::<Vec<_>>()).collect()
    }

    /// Says what a stop was for: `v0=3`, `f1()`, `SIGUSR1`.
    fn name(&self, (what, change, _): &Single) -> String {
        match (what, change) {
            (What::Wait(index), Some((old, new))) => {
                let Wait::Counter(counter) = self.waits[*index] else { return "a change of a function".to_owned() };
                let jump = if *new == old + 1 { String::new() } else { format!("{old}->") };
                format!("{}={jump}{new}", self.counters[counter])
            }
            (what, _) => self.what(what),
        }
    }

    /// Says what an element is.
    pub fn what(&self, what: &What) -> String {
        match what {
            What::Signal(name) => name.clone(),
            What::Wait(index) => match &self.waits[*index] {
                Wait::Function(name, _) => format!("{name}()"),
                Wait::Counter(counter) => self.counters[*counter].clone(),
            },
        }
    }

    /// Says what an element is, and where.
    pub fn element(&self, index: usize) -> String {
        match self.elements.get(index) {
            None => format!("element {index}, behind the last"),
            Some(element) => {
                format!("element {index}, {} at {} to {}", self.what(&element.what), element.before, element.after)
            }
        }
    }

    fn meet(&self, replay: &mut Replay, numbers: &[u32], reverse: bool, count: usize) -> Result<Option<Met>, Failure> {
        if count > MOST {
            return failure("too many", format!("more than {MOST} elements"));
        }
        let way = if reverse { "backward" } else { "forward" };
        let stop = if reverse { replay.reverse_run() } else { replay.run() };
        let stop = stop.map_err(|e| Failure { kind: "walk fails", text: format!("{way}, stop {count}: {e}") })?;
        let Some(stopped) = stop_for(&stop, numbers)? else { return Ok(None) };
        Ok(Some(Met { stopped, look: Look::at(replay, &self.counters)? }))
    }

    /// Compares with what the program says itself.
    fn count(&self) -> Result<(), Failure> {
        for (index, wait) in self.waits.iter().enumerate() {
            let all = || self.elements.iter().filter(|element| element.what == What::Wait(index));
            match wait {
                // A program of the system has not counted.
                Wait::Function(..) if self.built.counted.is_none() => {}
                Wait::Function(name, counter) => {
                    let (expected, met) = (self.counted(*counter), all().count() as u64);
                    if expected != met {
                        return failure("calls missed", format!("{name}: {expected} calls, {met} stops"));
                    }
                }
                Wait::Counter(counter) => {
                    let met: Vec<_> = all().map(|element| element.counters[*counter]).collect();
                    let expected: Vec<_> = (1..=self.counted(*counter)).map(Some).collect();
                    if expected != met {
                        let name = &self.counters[*counter];
                        return failure("writes missed", format!("{name}: {expected:?} expected, stops at {met:?}"));
                    }
                }
            }
        }
        for (index, pair) in self.elements.windows(2).enumerate() {
            let is_same = pair[0].what == pair[1].what;
            if is_same && (pair[0].after == pair[1].after || pair[0].before == pair[1].before) {
                let text = format!("{} and {}", self.element(index), self.element(index + 1));
                return failure("positions equal", text);
            }
            if pair[1].before < pair[0].after || pair[1].after < pair[0].after {
                let text = format!("{} and {}", self.element(index), self.element(index + 1));
                return failure("positions out of order", text);
            }
        }
        Ok(())
    }

    fn counted(&self, counter: usize) -> u64 {
        self.built.counted.as_ref().and_then(|all| all.get(&self.counters[counter])).copied().unwrap_or_default()
    }

    /// Compares with the passes that write down everything.
    fn ask(&self) -> Result<(), Failure> {
        let mut replay = open(&self.built)?;
        for (index, wait) in self.waits.iter().enumerate() {
            let met: Vec<_> = self.elements.iter().filter(|element| element.what == What::Wait(index)).collect();
            match wait {
                Wait::Function(name, _) => {
                    let rows = replay
                        .trace(name)
                        .ask()
                        .and_then(|trace| trace.iter().take(MOST).collect::<Result<Vec<_>, _>>());
                    let rows = rows.map_err(|e| Failure { kind: "trace fails", text: format!("{name}: {e}") })?;
                    // Other processes may call it, too.
                    let process = replay.process();
                    let is_here = |at: &Option<Position>| at.as_ref().is_none_or(|at| at.process() == process);
                    let moments: Vec<_> = rows.into_iter().map(|row| row.at).filter(is_here).collect();
                    self.same("trace differs", name, &met, &moments, &mut replay)?;
                }
                Wait::Counter(counter) => {
                    let name = &self.counters[*counter];
                    let rows =
                        replay.history(name).ask().and_then(|all| all.iter().take(MOST).collect::<Result<Vec<_>, _>>());
                    let rows = rows.map_err(|e| Failure { kind: "history fails", text: format!("{name}: {e}") })?;
                    let changes = rows.iter().filter(|access| access.old != access.new);
                    let (mut values, mut moments) = (Vec::new(), Vec::new());
                    for access in changes {
                        values.push((number(&access.old), number(&access.new)));
                        moments.push(access.at.clone());
                    }
                    let expected: Vec<_> = (0..met.len() as u64).map(|old| (Some(old), Some(old + 1))).collect();
                    if values != expected {
                        return failure("history differs", format!("{name}: {expected:?} expected, {values:?}"));
                    }
                    self.same("history differs", name, &met, &moments, &mut replay)?;
                }
            }
        }
        Ok(())
    }

    /// Compares what was met with what a pass has written down, by going to that.
    fn same(
        &self,
        kind: &'static str,
        name: &str,
        met: &[&Element],
        listed: &[Option<Position>],
        replay: &mut Replay,
    ) -> Result<(), Failure> {
        if met.len() != listed.len() {
            return failure(kind, format!("{name}: {} met, {} listed", met.len(), listed.len()));
        }
        for (element, listed) in met.iter().zip(listed) {
            let Some(position) = listed else { continue };
            let stop = replay.goto(position);
            let stop = stop.map_err(|e| Failure { kind, text: format!("{name}: goto {position}: {e}") })?;
            if stop.position != element.before {
                let text = format!("{name} was met at {}, {position} leads to {}", element.before, stop.position);
                return failure(kind, text);
            }
        }
        Ok(())
    }
}

/// Says what a stop is for; nothing at either end of the recording.
pub fn stop_for(stop: &Stop, numbers: &[u32]) -> Result<Option<Stopped>, Failure> {
    let wait = |number: u32| match numbers.iter().position(|own| *own == number) {
        Some(index) => Ok(index),
        None => failure("stop for nothing", stop.to_string()),
    };
    let mut also = Vec::new();
    for note in &stop.notes {
        if let Some(number) = note.strip_prefix("breakpoint ").and_then(|rest| rest.strip_suffix(" is hit here, too")) {
            also.push(wait(number.parse().unwrap())?);
        }
        if note.contains("unreported") {
            return failure("unreported", format!("{stop}: {note}"));
        }
    }
    let (what, change) = match &stop.reason {
        StopReason::Start | StopReason::End { .. } => return Ok(None),
        StopReason::Breakpoint { number, .. } => (What::Wait(wait(*number)?), None),
        StopReason::Watchpoint { number: own, old, new, .. } => {
            let change = (old.as_deref().and_then(number), new.as_deref().and_then(number));
            let (Some(old), Some(new)) = change else {
                return failure("change unknown", stop.to_string());
            };
            (What::Wait(wait(*own)?), Some((old, new)))
        }
        StopReason::Signal { name, .. } => (What::Signal(name.clone()), None),
        other => return failure("stop for nothing", other.to_string()),
    };
    Ok(Some(Stopped { what, also, change }))
}
