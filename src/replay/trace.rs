//! The hits of a place in a whole recording, and what values were there.

use super::error::{Error, ErrorKind, Result};
use super::filter::filtered;
use super::position::Position;
use super::questions::{Questions, position};
use super::rows::Rows;
use super::value::{Unknown, Value};
use base::cancel::Cancel;
use questions::{TraceQuery, TraceRow, Which};

/// A question about the hits of a place, which [`ask`](TraceBuilder::ask) answers.
#[derive(Clone, Debug)]
#[must_use = "nothing is asked until `ask` is called"]
pub struct TraceBuilder {
    asks: Questions,
    query: TraceQuery,
}

/// The hits of a place in a whole recording.
#[derive(Debug)]
pub struct Trace {
    answer: questions::Trace,
    cancel: Cancel,
}

/// A hit of a place in the code.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Traced {
    /// Where in the recording; `None` if that is not known to the instruction.
    pub at: Option<Position>,
    /// The process, by the number that it had when it was recorded.
    pub process: u32,
    /// The thread, by the number that it had when it was recorded.
    pub thread: u32,
    /// The place: `FILE:LINE (FUNCTION)`, as far as these are known.
    pub place: String,
    /// The values of the expressions, in their order.
    pub values: Vec<Result<Value<'static>, Unknown>>,
}

impl From<TraceRow> for Traced {
    fn from(row: TraceRow) -> Self {
        let values = row.values.into_iter().map(|value| value.map(Value::of_row).map_err(|no| Unknown::Other(no.why)));
        Self {
            at: position(&row.at),
            process: row.at.pid,
            thread: row.at.tid,
            place: row.place,
            values: values.collect(),
        }
    }
}

impl Questions {
    /// Asks for the hits of a place, which is written as for a [breakpoint](crate::Replay::breakpoint), and for the
    /// values of expressions there: what log points would have written.
    ///
    /// ```
    /// # fn main() -> retrograde::Result<()> {
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/example.rs"));
    /// # let replay = retrograde::Replay::open("app-0")?;
    /// let trace = replay.trace("store").value("hour").value("value").when("hour > 20").ask()?;
    /// let first = trace.iter().next().expect("there are some")?;
    /// let hour: u32 = first.values[0].as_ref().expect("an argument").try_into()?;
    /// assert_eq!(hour, 21);
    /// # Ok(())
    /// # }
    /// ```
    pub fn trace(&self, place: impl Into<String>) -> TraceBuilder {
        let query = TraceQuery { locations: vec![place.into()], ..TraceQuery::default() };
        TraceBuilder { asks: self.clone(), query }
    }
}

filtered!(TraceBuilder);

impl TraceBuilder {
    /// Asks for the hits of this place, too.
    pub fn and(mut self, place: impl Into<String>) -> Self {
        self.query.locations.push(place.into());
        self
    }

    /// Evaluates an expression at each hit.
    pub fn value(mut self, expression: impl Into<String>) -> Self {
        self.query.values.push(expression.into());
        self
    }

    /// Asks only for hits at which a condition holds.
    pub fn when(mut self, condition: impl Into<String>) -> Self {
        self.query.condition = Some(condition.into());
        self
    }

    /// Finds the hits, by a replay with soft counters.
    ///
    /// # Errors
    /// [`ErrorKind::NoLocation`] if there is no such place. Others if the condition, or every expression, cannot be
    /// evaluated there, if the recording cannot be replayed, and if it is [cancelled](crate::Cancel).
    pub fn ask(self) -> Result<Trace> {
        let Self { asks, query } = self;
        asks.check_cancel()?;
        let answer = questions::Trace::ask(&asks.rr, &asks.recording, &query, &asks.cancel)?;
        Ok(Trace { answer, cancel: asks.cancel })
    }

    /// Finds the first hit, by a replay with soft counters that ends there.
    ///
    /// # Errors
    /// As [`ask`](Self::ask); [`ErrorKind::Unknown`] if the condition cannot be evaluated at a hit that may be the one.
    pub fn first(self) -> Result<Option<Traced>> {
        self.one(Which::First)
    }

    /// Finds the last hit.
    ///
    /// # Errors
    /// As [`ask`](Self::ask).
    pub fn last(self) -> Result<Option<Traced>> {
        self.one(Which::Last)
    }

    fn one(mut self, which: Which) -> Result<Option<Traced>> {
        self.query.which = which;
        let trace = self.ask()?;
        match trace.undecided() {
            0 => trace.iter().next().transpose(),
            count => Err(Error::new(
                ErrorKind::Unknown,
                format!(
                    "of {count} hits it is not known whether the condition holds: which one is the first or the last is not either"
                ),
            )),
        }
    }
}

impl Trace {
    /// Returns how many hits there are. Rows may be fewer: [notes](Self::notes) say so.
    pub fn total(&self) -> u64 {
        self.answer.matching
    }

    /// Returns for how many further hits, not in the total, it is not known whether the condition holds.
    pub fn undecided(&self) -> u64 {
        self.answer.unjudged
    }

    /// Returns how many hits each place has.
    pub fn places(&self) -> impl Iterator<Item = (&str, u64)> {
        self.answer.places.iter().map(|named| (named.name.as_str(), named.count))
    }

    /// Returns what the answer may lack, in sentences.
    pub fn notes(&self) -> &[String] {
        &self.answer.facts.notes
    }

    /// Returns the hits, in the order of the execution.
    pub fn iter(&self) -> Rows<'_, Traced> {
        Rows::new(self.answer.rows(), |first, most| {
            Ok(self.answer.page(first, most, &self.cancel)?.into_iter().map(Traced::from).collect())
        })
    }
}

impl<'a> IntoIterator for &'a Trace {
    type Item = Result<Traced>;
    type IntoIter = Rows<'a, Traced>;

    fn into_iter(self) -> Rows<'a, Traced> {
        self.iter()
    }
}
