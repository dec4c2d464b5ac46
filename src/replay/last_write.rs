//! Who wrote a value last.

use super::error::{Error, ErrorKind, Result};
use super::frame::Frame;
use super::position::Position;
use super::questions::Questions;
use super::session::{Replay, stop_of};
use super::value::Value;
use ctype::Place;
use ctype::detached::resolved;
use engine::Typed;
use engine::model::Motion;
use questions::{Before, LastWrites, LastWritesQuery, WriteRow};
use std::fmt;

/// What is said where memory does not tell whether a write comes before this moment, either.
const SAME_TICK: &str = "another write was in the same tick as this moment, or between the same events, and memory is \
                         the same before and after it: whether it comes before is not known";

/// A change of a value. It is kept by itself, whatever the replay does later.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Write {
    /// The value before.
    pub old: Value<'static>,
    /// The value after.
    pub new: Value<'static>,
    /// Where in the recording: just before it is written.
    pub at: Position,
    /// Who wrote it.
    pub frame: Frame,
    /// What else there is to know, in words.
    pub notes: Vec<String>,
}

/// `(struct calibration *) 0x4a50d8 <valley> -> (struct calibration *) 0x3e8 in store () at table.c:33`
impl fmt::Display for Write {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} -> {} in {}", self.old, self.new, self.frame)
    }
}

impl Replay {
    /// Finds the last change of what an expression names in memory, before where the replay is; `None` if it has not
    /// changed since the process began.
    ///
    /// ```
    /// # fn main() -> retrograde::Result<()> {
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/example.rs"));
    /// # let mut replay = retrograde::Replay::open("app-0")?;
    /// let crash = replay.run()?;
    /// let write = replay.last_write("station->calibration")?.expect("it has changed");
    /// assert_eq!(write.new.as_pointer(), Some(1000));
    /// assert_eq!(write.frame.function.as_deref(), Some("store"));
    /// assert_eq!(replay.position(), &crash.position);
    /// replay.goto(&write.at)?;
    /// let hour: u32 = replay.eval("hour")?.try_into()?;
    /// assert_eq!(hour, 24);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// Another replay of the recording, with soft counters, finds who wrote it; then this one looks at the moment, and
    /// comes back.
    ///
    /// # Errors
    /// [`ErrorKind::Unwatchable`] for what is not in memory. That the time is up, or that it is
    /// [cancelled](crate::Cancel), is an error, too: what was not found need not be missing.
    pub fn last_write(&mut self, expression: &str) -> Result<Option<Write>> {
        self.check_cancel()?;
        let engine = self.core.engine();
        let watched = engine.typed(expression)?;
        let object = engine.object(expression)?;
        let new = Value::taken(engine, watched.clone(), None)?;
        let Questions { rr, recording, cancel } = self.questions();
        let query = LastWritesQuery::of(&recording, &object)?;
        let writes = LastWrites::ask(&rr, &recording, &query, &cancel)?;
        let mut notes = writes.facts.notes.clone();
        match writes.before {
            Some(Before::Known(_)) => {}
            Some(Before::Between(..)) => notes.push(SAME_TICK.to_owned()),
            None => return Err(Error::new(ErrorKind::Unknown, "it is not known which writes were before this moment")),
        }
        let changed = |row: &WriteRow| row.before != row.after;
        let row = match writes.last(&cancel)?.filter(changed) {
            None => writes.other_change(&cancel)?,
            last => last,
        };
        let Some(WriteRow { at: moment, author, .. }) = row else { return Ok(None) };
        let unknown = || Error::new(ErrorKind::Unknown, format!("{author} wrote it: it is not known when"));
        let moment = moment.ok_or_else(unknown)?;
        let motion = match moment.position() {
            Some(waypoint) => Motion::GoTo(waypoint),
            None => {
                let event = moment.event.ok_or_else(unknown)?;
                notes.push(format!(
                    "written by {author}, behind event {event}: the position, the frame and the value before are of when \
                     that event was completed"
                ));
                Motion::RunToEvent(event)
            }
        };
        self.journey(|replay| {
            replay.disable_all()?;
            replay.arrive(motion)?;
            let engine = replay.core.engine();
            let here = engine.here()?;
            let stop = stop_of(engine, here, u64::MAX)?;
            let old = replay.before_write(&watched)?;
            Ok(Some(Write { old, new, at: stop.position, frame: stop.frame, notes }))
        })
    }

    /// Reads the value that is now where another one was.
    fn before_write(&mut self, watched: &Typed) -> Result<Value<'static>> {
        let engine = self.core.engine();
        let Some(address) = engine.with_memory(|memory| resolved(&watched.value, memory).address())? else {
            return Err(Error::new(ErrorKind::Unwatchable, "it is not in memory"));
        };
        let value = ctype::Value::new(watched.value.ty.clone(), Place::Memory(address));
        Value::taken(engine, Typed { value, target: watched.target }, None)
    }
}
