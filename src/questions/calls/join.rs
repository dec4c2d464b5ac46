//! Which hits are of which calls, found out while the hits are.

use super::CallsQuery;
use super::prepare::{Expressions, Role};
use super::row;
use crate::answer::ASKED;
use crate::biases::{Biases, Instructions};
use crate::error::Error;
use crate::expression::{Expression, scope_at};
use crate::function::{self, Subject};
use crate::hits::event_of;
use crate::matching::{Around, End, Matching};
use crate::plan::Collected;
use crate::program::Program;
use crate::returned::{Collecting, result};
use crate::scope::At;
use arch::Exits;
use base::cancel::Cancel;
use rr::{HitAt, ProbePass};
use softcounters::probes::BriefHit;
use std::collections::{BTreeSet, HashMap};

/// Most places of calls that are told apart.
const MOST_CALLERS: usize = 1 << 20;

/// A number below 2^32 - 1, or none: of a hit, a call, or a caller. A pass has fewer hits, by its limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Number(u32);

impl Number {
    const NONE: Self = Self(u32::MAX);

    fn of(number: u64) -> Self {
        u32::try_from(number).map_or(Self::NONE, Self)
    }

    pub(super) fn get(self) -> Option<u32> {
        (self != Self::NONE).then_some(self.0)
    }

    fn hit(self) -> Option<u64> {
        self.get().map(u64::from)
    }
}

/// A call, in few bytes: there may be millions.
#[derive(Clone, Copy, Debug)]
pub(super) struct Call {
    entry: Number,
    body: Number,
    exit: Number,
    around: Number,
    caller: Number,
    pub(super) subject: u32,
    pub(super) depth: u32,
    pub(super) tail: bool,
    pub(super) doubtful: bool,
    pub(super) end: End,
    pub(super) matches: Option<bool>,
}

impl Call {
    /// Returns the number of the hit with which it began.
    pub(super) fn entry(&self) -> Option<u64> {
        self.entry.hit()
    }

    /// Returns that of the hit where its arguments were looked at.
    pub(super) fn body(&self) -> Option<u64> {
        self.body.hit()
    }

    /// Returns that of the hit with which it returned.
    pub(super) fn exit(&self) -> Option<u64> {
        self.exit.hit()
    }

    /// Returns the number of the call around it.
    pub(super) fn around(&self) -> Option<usize> {
        self.around.get().map(|number| number as usize)
    }

    /// Returns the number of its caller.
    pub(super) fn caller(&self) -> Option<usize> {
        self.caller.get().map(|number| number as usize)
    }
}

/// Where calls return to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Caller {
    pub(super) pid: u32,
    pub(super) address: u64,
    /// An event at which it is mapped.
    pub(super) event: u64,
}

/// What the hits tell in all.
#[derive(Default)]
pub(super) struct Joined {
    pub(super) calls: Vec<Call>,
    pub(super) callers: Vec<Caller>,
    /// Returns of no known call.
    pub(super) strays: u64,
}

impl Joined {
    /// Returns the addresses to which calls return that may have returned without its being seen: they have gone on in
    /// code that is not looked at.
    pub(super) fn unseen(&self, subjects: &[Subject]) -> BTreeSet<u64> {
        let may_go_on = |subject: u32| {
            let exits = subjects.get(subject as usize).map(|subject| &subject.exits);
            exits.is_some_and(|exits| !exits.tails.is_empty() || may_leave_unseen(exits))
        };
        let is_unseen = |call: &&Call| match call.end {
            End::Returned => false,
            End::Left => call.matches != Some(false),
            End::Lost => call.matches != Some(false) && may_go_on(call.subject),
        };
        let unseen = self.calls.iter().filter(is_unseen);
        let callers = unseen.filter_map(|call| self.callers.get(call.caller()?));
        callers.map(|caller| caller.address).filter(|address| *address != 0).collect()
    }
}

/// What is asked about.
#[derive(Clone, Copy)]
pub(super) struct Joining<'a> {
    pub(super) program: &'a Program,
    pub(super) subjects: &'a [Subject],
    pub(super) roles: &'a [Role],
    pub(super) instructions: &'a Instructions,
    pub(super) collecting: Collecting,
    pub(super) values: &'a [Option<Expressions>],
    pub(super) query: &'a CallsQuery,
}

/// What has been found so far.
struct Progress<'a> {
    asked: Joining<'a>,
    pass: &'a ProbePass,
    joined: Joined,
    matching: Matching,
    /// Calls that have ended.
    ends: Vec<(u32, End)>,
    /// What is needed to judge a call when it ends.
    open: HashMap<u32, (Collected, At)>,
    numbers: HashMap<(u32, u64), u32>,
    /// The caller before, and its number.
    last: Option<((u32, u64), Number)>,
    /// The thread before, and its process.
    process: (u32, u32),
    /// Addresses that calls return to that are looked at.
    awaited: BTreeSet<u64>,
    biases: Biases,
    /// Room for compiled conditions.
    stack: Vec<u64>,
}

impl Joining<'_> {
    /// Looks at all hits once, while the pass is under way: which are whose calls, and which match.
    pub(super) fn join(self, pass: &ProbePass, cancel: &Cancel) -> Result<Joined, Error> {
        let mut progress = Progress {
            asked: self,
            pass,
            joined: Joined::default(),
            matching: Matching::default(),
            ends: Vec::new(),
            open: HashMap::new(),
            numbers: HashMap::new(),
            last: None,
            process: (0, 0),
            awaited: self.roles.iter().filter_map(Role::back).collect(),
            biases: Biases::default(),
            stack: Vec::new(),
        };
        let (mut hits, mut numbers) = (pass.glimpses()?, 0u64..);
        while let (Some(hit), Some(number)) = (hits.next_hit(), numbers.next()) {
            let (hit, found) = hit?;
            if number.is_multiple_of(ASKED) && cancel.is_cancelled() {
                return Err(Error::Cancelled);
            }
            progress.take(number, &hit, &found)?;
        }
        let Progress { matching, ends, .. } = &mut progress;
        std::mem::take(matching).finish(|call, end| ends.push((call, end)));
        progress.end(None)?;
        Ok(progress.joined)
    }
}

impl Progress<'_> {
    fn take(&mut self, number: u64, hit: &HitAt, found: &BriefHit<'_>) -> Result<(), Error> {
        let Some(role) = self.asked.roles.get(hit.probe).copied() else { return Ok(()) };
        let sp = found.word(0).unwrap_or(0);
        match role {
            Role::Entry(subject) => return self.begin(number, hit, (subject, sp), found),
            Role::Body(subject) => return self.come_to_body(number, hit, (subject, sp), found),
            Role::Return(subject) => {
                let Self { matching, ends, .. } = self;
                let was_open = matching.leave_for_good(hit.thread, sp, |call, end| ends.push((call, end)));
                if !was_open {
                    let is_hidden = self.asked.subjects.get(subject as usize).is_none_or(|s| s.is_hidden);
                    self.joined.strays += u64::from(!is_hidden);
                }
            }
            Role::Tail(to) => {
                self.matching.leave(hit.thread, sp, to);
                return Ok(());
            }
            Role::Back(address) => {
                let Self { matching, ends, .. } = self;
                // The return address is no more on the stack.
                let place = sp.wrapping_sub(8);
                let has_returned = match matching.leaves_seen(hit.thread, place) {
                    // The code that catches what the call has thrown may go on there: a return would have been seen.
                    Some(Some(function)) => self
                        .asked
                        .subjects
                        .get(function as usize)
                        .is_none_or(|subject| may_leave_unseen(&subject.exits)),
                    _ => true,
                };
                // Whoever calls something else meanwhile has it where the return address was.
                let popped = found.word(1 + self.asked.collecting.values().len());
                if !has_returned || popped.is_some_and(|popped| popped != address) {
                    matching.lose(hit.thread, place, |call, end| ends.push((call, end)));
                    return self.end(None);
                }
                matching.leave_for_good(hit.thread, place, |call, end| ends.push((call, end)));
            }
        }
        self.end(Some((number, found)))
    }

    /// Takes note that a function begins.
    fn begin(
        &mut self,
        number: u64,
        hit: &HitAt,
        (subject, sp): (u32, u64),
        found: &BriefHit<'_>,
    ) -> Result<(), Error> {
        let Joining { program, subjects, values, query, .. } = self.asked;
        let Some(asked) = subjects.get(subject as usize) else { return Ok(()) };
        let id = u32::try_from(self.joined.calls.len()).ok().filter(|_| !asked.is_hidden);
        let back = found.word(1).unwrap_or(0);
        let is_awaited = !self.awaited.is_empty() && self.awaited.contains(&back);
        let Self { matching, ends, .. } = self;
        let ended = |call, end| ends.push((call, end));
        let around = matching.enter((hit.thread, sp), subject, id, is_awaited, ended);
        self.end(None)?;
        let Some(id) = id else { return Ok(()) };
        let call = |number: u32| self.joined.calls.get(number as usize);
        let (depth, around, tail) = match around {
            Around::Nothing => (0, Number::NONE, false),
            Around::Call(before) => (call(before).map_or(0, |call| call.depth + 1), Number(before), false),
            Around::Tail(before) => {
                (call(before).map_or(0, |call| call.depth), call(before).map_or(Number::NONE, |call| call.around), true)
            }
        };
        let is_asked = query.filter.has(program, self.pass, hit);
        let has_condition = query.condition.is_some();
        let matches = if is_asked && has_condition { None } else { Some(is_asked) };
        let caller = self.caller(hit, back);
        self.joined.calls.push(Call {
            entry: Number::of(number),
            body: Number::NONE,
            exit: Number::NONE,
            around,
            caller,
            subject,
            depth,
            tail,
            doubtful: false,
            end: End::Lost,
            matches,
        });
        let condition = if matches.is_none() { condition_of(values, subject, false) } else { None };
        if let Some(condition) = condition {
            // What is returned is no matter of it then.
            let quickly = condition.judged(&asked.entry_plan, found, function::AT_ENTRY, &mut self.stack);
            if let Some(call) = self.joined.calls.last_mut().filter(|_| quickly.is_some()) {
                call.matches = quickly;
                return Ok(());
            }
            let known = self.asked.instructions.of(hit, found);
            let (at, _) = self.biases.at(program, self.pass, hit, &asked.entry, known);
            let values = found.values()?;
            let values = values.get(function::AT_ENTRY..).unwrap_or_default();
            self.open.insert(id, (asked.entry_plan.moment(values), at));
        }
        Ok(())
    }

    /// Takes note that a function has come to where its arguments are.
    fn come_to_body(
        &mut self,
        number: u64,
        hit: &HitAt,
        (subject, sp): (u32, u64),
        found: &BriefHit<'_>,
    ) -> Result<(), Error> {
        let Joining { program, subjects, values, .. } = self.asked;
        let Some(body) = subjects.get(subject as usize).and_then(|asked| asked.body.as_ref()) else { return Ok(()) };
        let sp = sp.wrapping_add_signed(body.base.1);
        let Some(id) = self.matching.under_way(hit.thread, sp) else { return Ok(()) };
        let call = self.joined.calls.get_mut(id as usize);
        let Some(call) = call.filter(|call| call.subject == subject && call.body == Number::NONE) else {
            return Ok(());
        };
        call.body = Number::of(number);
        let condition = if call.matches.is_none() { condition_of(values, subject, true) } else { None };
        if let Some(condition) = condition {
            call.matches = condition.judged(&body.plan, found, function::AT_BODY, &mut self.stack);
            if call.matches.is_some() {
                return Ok(());
            }
            let known = self.asked.instructions.of(hit, found);
            let (at, _) = self.biases.at(program, self.pass, hit, &body.spot, known);
            let values = found.values()?;
            let values = values.get(function::AT_BODY..).unwrap_or_default();
            self.open.insert(id, (body.plan.moment(values), at));
        }
        Ok(())
    }

    /// Returns the number of a caller, by where the call returns to.
    fn caller(&mut self, hit: &HitAt, back: u64) -> Number {
        if self.process.0 != hit.tid {
            self.process = (hit.tid, self.asked.program.mappings.process_of(hit.tid));
        }
        let key = (self.process.1, back);
        // Most are called several times from the same place.
        if let Some((_, number)) = self.last.filter(|(last, _)| *last == key) {
            return number;
        }
        let known = self.numbers.get(&key).copied();
        let number = match known {
            Some(number) => Number(number),
            None if self.joined.callers.len() < MOST_CALLERS => {
                let number = Number::of(self.joined.callers.len() as u64);
                let event = event_of(self.pass, hit);
                self.joined.callers.push(Caller { pid: key.0, address: back, event });
                self.numbers.insert(key, number.0);
                number
            }
            None => Number::NONE,
        };
        self.last = Some((key, number));
        number
    }

    /// Ends calls that have ended, with this hit if they returned.
    #[inline]
    fn end(&mut self, returned: Option<(u64, &BriefHit<'_>)>) -> Result<(), Error> {
        let Joining { program, subjects, collecting, values, .. } = self.asked;
        while let Some((id, end)) = self.ends.pop() {
            let Some(call) = self.joined.calls.get_mut(id as usize) else { continue };
            call.end = end;
            call.exit = returned.map_or(Number::NONE, |(number, _)| Number::of(number));
            if call.matches.is_some() {
                continue;
            }
            let Some((mut moment, at)) = self.open.remove(&id) else { continue };
            let Some(subject) = subjects.get(call.subject as usize) else { continue };
            let Some(expressions) = values.get(call.subject as usize).and_then(Option::as_ref) else { continue };
            let Some(condition) = &expressions.condition else { continue };
            let spot = match &subject.body {
                Some(body) if expressions.at_body => &body.spot,
                _ => &subject.entry,
            };
            let mut scope = scope_at(program, spot, &mut moment, at);
            let values = returned.map(|(_, hit)| hit.values()).transpose()?;
            let found = values.and_then(|values| {
                let (value, _) = result(program, subject, collecting, values.get(1..)?)?;
                Some(value)
            });
            scope.returned = row::returned(subject, found.as_ref(), returned.is_some());
            call.matches = condition.holds(&mut scope).ok();
        }
        Ok(())
    }
}

/// Returns whether a function may go on in another one without a jump that is looked at, so that its return is not seen.
fn may_leave_unseen(exits: &Exits) -> bool {
    exits.jumps_anywhere || exits.tails.iter().any(|tail| tail.is_conditional) || exits.returns.is_empty()
}

/// Returns the condition of a function, if it is judged there: where its arguments are, or where it begins.
fn condition_of(values: &[Option<Expressions>], subject: u32, at_body: bool) -> Option<&Expression> {
    let expressions = values.get(subject as usize)?.as_ref().filter(|expressions| expressions.at_body == at_body)?;
    expressions.condition.as_ref()
}
