//! The hits of a pass, as far as they are asked about, and where they are in the execution.

use super::error::Error;
use super::frame::{GENERAL, register_name};
use super::program::Program;
use arch::{RunAddr, ThreadId};
use engine::model::{self, Fingerprint, Waypoint, hash_of_registers};
use rr::{HitAt, ProbePass};
use softcounters::probes::{Access, CollectedValue, Register, Value};
use std::collections::HashMap;

/// Most places of a tick that are told apart.
const MOST_PLACES: usize = 4096;

/// Which hits are asked about. Everything that is given must hold.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Filter {
    /// Of this process.
    pub pid: Option<u32>,
    /// Of this thread.
    pub tid: Option<u32>,
    /// At or behind this event. Where a thread has several events in a tick, what lies between them may be told as
    /// well.
    pub from: Option<u64>,
    /// Not behind this one.
    pub to: Option<u64>,
}

/// When and where something happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moment {
    /// How many events, of whatever threads, are completed by then; the least that can be, where the thread has events
    /// in the same tick. `None`: that is not known.
    pub event: Option<u64>,
    /// The most that can be completed by then, if that is more.
    pub latest: Option<u64>,
    /// Which time in its tick it is that the thread comes by, from 1 on; with these registers, if they are known.
    /// `None`: that is not known.
    pub visit: Option<u32>,
    /// Branches that the thread had executed.
    pub ticks: u64,
    /// The process.
    pub pid: u32,
    /// The thread.
    pub tid: u32,
    /// The instruction that comes next. `None`: where its file was mapped is not known.
    pub pc: Option<u64>,
    /// The hash of the thread's general registers then, where these were collected.
    pub registers: Option<u64>,
}

/// Returns the values by which the hash of registers is known, in the order of their numbers.
pub(super) fn registers() -> Vec<Value> {
    (0..GENERAL).filter_map(|number| Register::named(register_name(number))).map(Value::Register).collect()
}

/// Returns the hash of registers that were collected as [`registers`] asks for them.
pub(super) fn hash_of(found: &[CollectedValue]) -> Option<u64> {
    let value = |found: &CollectedValue| match found {
        CollectedValue::Register(value) => Some(*value),
        _ => None,
    };
    let values: Vec<u64> = found.iter().map_while(value).collect();
    values.first_chunk().map(hash_of_registers)
}

impl Filter {
    /// Returns whether all hits are asked about.
    fn is_all(&self) -> bool {
        *self == Self::default()
    }

    /// Returns whether a hit is asked about.
    pub(super) fn has(&self, program: &Program, pass: &ProbePass, hit: &HitAt) -> bool {
        if self.is_all() {
            return true;
        }
        if self.tid.is_some_and(|tid| tid != hit.tid)
            || self.pid.is_some_and(|pid| pid != program.mappings.process_of(hit.tid))
        {
            return false;
        }
        if self.from.is_none() && self.to.is_none() {
            return true;
        }
        self.covers(pass.completed_between(hit.thread, hit.ticks))
    }

    /// Returns whether a moment is asked about, which is behind the least and at most the greatest of two events.
    pub(super) fn holds(&self, at: &Moment, completed: (u64, u64)) -> bool {
        self.tid.is_none_or(|tid| tid == at.tid) && self.pid.is_none_or(|pid| pid == at.pid) && self.covers(completed)
    }

    /// Returns whether something may be in the range: what lies in one tick with several events is not left out.
    fn covers(&self, (least, most): (u64, u64)) -> bool {
        self.from.is_none_or(|from| from <= most) && self.to.is_none_or(|to| least <= to)
    }

    /// Refuses a range that has nothing in it.
    pub(super) fn check(&self, events: u64) -> Result<(), Error> {
        match (self.from, self.to) {
            (Some(from), Some(to)) if from > to => {
                Err(Error::question(format!("the range of events is empty: it begins at {from} and ends at {to}")))
            }
            (Some(from), _) if from > events => {
                Err(Error::question(format!("event {from} is behind the recording's end: its last one is {events}")))
            }
            _ => Ok(()),
        }
    }
}

/// Returns up to which event the mappings count that a hit sees.
pub(super) fn event_of(pass: &ProbePass, hit: &HitAt) -> u64 {
    match pass.around(hit) {
        (_, Some(after)) => after.saturating_sub(1),
        (_, None) => u64::MAX,
    }
}

/// Returns how many events are completed at a moment, and the most that can be if that is more.
pub(super) fn between((least, most): (u64, u64)) -> (Option<u64>, Option<u64>) {
    (Some(least), Some(most).filter(|most| *most > least))
}

impl Moment {
    /// Returns the position as a debugger goes to it, if all is known that tells it from others.
    pub fn position(&self) -> Option<Waypoint> {
        let (event, pc) = (self.event?, self.pc.filter(|_| self.visit.is_some() || self.registers.is_some())?);
        let moment = model::Moment { event, ticks: self.ticks };
        let thread = ThreadId { pid: self.pid, tid: self.tid };
        Some(Waypoint {
            moment,
            thread,
            pc: RunAddr(pc),
            fingerprint: self.registers.map(Fingerprint::Registers),
            visit: self.visit,
            is_end: false,
            entry: None,
        })
    }
}

/// Knows which places each thread has come by in its tick, as hits go by in their order.
#[derive(Debug, Default)]
pub(super) struct Visits {
    /// The thread that came by last.
    thread: u32,
    last: Tick,
    others: HashMap<u32, Tick>,
}

/// What is counted: a place, and what tells one visit of it from another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// Which place: an address, or the number of a probe.
    pub(super) at: u64,
    /// The hash of the registers, if they are told.
    pub(super) registers: Option<u64>,
    /// What it accesses, of an instruction of which each access is told.
    pub(super) what: Option<Operand>,
}

/// What an instruction accesses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Operand {
    pub(super) address: u64,
    pub(super) access: Access,
}

impl Place {
    pub(super) const fn at(at: u64) -> Self {
        Self { at, registers: None, what: None }
    }
}

/// The places that a thread has come by in a tick, and how often.
#[derive(Debug, Default)]
struct Tick {
    ticks: u64,
    places: Vec<(Place, u32)>,
}

impl Visits {
    /// Counts that a thread comes by this place. Returns which time it is in its tick, from 1 on; `None` if that is not
    /// known.
    pub(super) fn count(&mut self, thread: u32, ticks: u64, place: Place) -> Option<u32> {
        if thread != self.thread {
            let now = self.others.remove(&thread).unwrap_or_default();
            let before = std::mem::replace(&mut self.last, now);
            self.others.insert(std::mem::replace(&mut self.thread, thread), before);
        }
        let Tick { ticks: tick, places } = &mut self.last;
        if *tick != ticks {
            *tick = ticks;
            places.clear();
        }
        if let Some((_, visits)) = places.iter_mut().find(|(known, _)| *known == place) {
            *visits = visits.checked_add(1)?;
            return Some(*visits);
        }
        if places.len() == MOST_PLACES {
            return None;
        }
        places.push((place, 1));
        Some(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_is_spelled_as_the_debugger_spells_it() {
        let at = Moment {
            event: Some(9),
            latest: None,
            visit: Some(1),
            ticks: 20,
            pid: 5,
            tid: 6,
            pc: Some(0x401000),
            registers: None,
        };
        let spelled = at.position().map(|position| position.to_string());
        assert_eq!(spelled.as_deref(), Some("9/20/5.6/0x401000/1"));
        let told = Moment { visit: Some(2), registers: Some(0xab), ..at };
        let spelled = told.position().map(|position| position.to_string());
        assert_eq!(spelled.as_deref(), Some("9/20/5.6/0x401000/r00000000000000ab/2"));
        for unclear in
            [Moment { event: None, ..at.clone() }, Moment { pc: None, ..at.clone() }, Moment { visit: None, ..at }]
        {
            assert_eq!(unclear.position(), None);
        }
    }

    #[test]
    fn visits_of_a_place_are_counted_in_each_tick_of_each_thread() {
        let mut visits = Visits::default();
        let mut count = |thread, ticks, place| visits.count(thread, ticks, Place::at(place)).unwrap();
        assert_eq!([count(1, 0, 7), count(1, 0, 8), count(1, 0, 7), count(2, 0, 7)], [1, 1, 2, 1]);
        assert_eq!([count(1, 1, 7), count(1, 1, 7), count(2, 0, 7)], [1, 2, 2]);
        let mut count = |registers| visits.count(3, 5, Place { registers, ..Place::at(7) }).unwrap();
        assert_eq!([count(Some(1)), count(Some(2)), count(Some(1)), count(None)], [1, 1, 2, 1]);
    }

    #[test]
    fn of_places_for_which_there_is_no_room_the_visits_are_not_known() {
        let mut visits = Visits::default();
        let counted = |visits: &mut Visits, place| visits.count(1, 0, Place::at(place));
        assert!((0..MOST_PLACES as u64).all(|place| counted(&mut visits, place) == Some(1)));
        assert_eq!((counted(&mut visits, 5000), counted(&mut visits, 7)), (None, Some(2)));
    }
}
