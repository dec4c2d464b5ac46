//! Where a value comes from.

use super::error::{Error, ErrorKind, Result};
use super::location::Location;
use super::position::Position;
use super::session::Replay;
use crate::questions::{self, HopKind, LONGEST_VALUE, OriginQuery};
use std::fmt;
use std::time::{Duration, Instant};

/// Most hops that are made.
const MOST_HOPS: usize = 50;
/// The longest that it takes where nothing else is said.
const PATIENCE: Duration = Duration::from_secs(300);

/// Where a value comes from: the hops that it made, from where it is back to where it was made.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Origin {
    /// The last one is the origin, if that was [found](Origin::is_found).
    pub hops: Vec<Hop>,
}

/// A step on a value's way.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Hop {
    /// Where in the recording: just before it; `None` if that is not known to the instruction.
    pub at: Option<Position>,
    /// In which function.
    pub function: Option<String>,
    /// At which line.
    pub location: Option<Location>,
    /// How, in a word: `copy`, `argument`, `return`, `computed`, `constant`, `address`, `allocation`, `library`,
    /// `input`, `initial`, or `stopped`, if the value cannot be followed.
    pub kind: &'static str,
    /// Where the value came to be.
    pub to: String,
    /// Where it came from, or what it is; why it cannot be followed.
    pub from: String,
    /// The value.
    pub value: String,
    /// What else there is to know, in words.
    pub notes: Vec<String>,
}

impl Origin {
    /// Returns whether the last hop is the origin of the value, rather than where it could not be followed any more.
    pub fn is_found(&self) -> bool {
        self.hops.last().is_some_and(|hop| hop.kind != HopKind::Stopped.word())
    }
}

/// One line a hop.
impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, hop) in self.hops.iter().enumerate() {
            write!(f, "{}{hop}", if number == 0 { "" } else { "\n" })?;
        }
        Ok(())
    }
}

/// `copy: total = 500 <- amount in add at table.c:33`
impl fmt::Display for Hop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} = {} <- {}", self.kind, self.to, self.value, self.from)?;
        if let Some(function) = &self.function {
            write!(f, " in {function}")?;
        }
        match &self.location {
            Some(location) => write!(f, " at {location}"),
            None => Ok(()),
        }
    }
}

impl From<questions::Hop> for Hop {
    fn from(hop: questions::Hop) -> Self {
        let location = hop.line.map(|(path, file, line)| Location { file, path: Some(path), line, column: None });
        Self {
            at: hop.at.and_then(|at| at.position()).map(Position::of),
            function: hop.function,
            location,
            kind: hop.kind.word(),
            to: hop.to,
            from: hop.from,
            value: hop.value,
            notes: hop.notes,
        }
    }
}

impl Replay {
    /// Finds where the value comes from that an expression names, in memory or a register: followed back from where the
    /// replay is, through copies, arguments and results of functions, to the constant, input, allocation or computation
    /// that made it. `through_arithmetic`: go on where it was computed of one other value, as by an increment.
    ///
    /// The replay does not move. Each hop takes a replay of the recording or two, by other means.
    ///
    /// ```
    /// # fn main() -> retrograde::Result<()> {
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/example.rs"));
    /// # let mut replay = retrograde::Replay::open("app-0")?;
    /// replay.run()?;
    /// let origin = replay.origin("station->calibration", false)?;
    /// // The table's value that was stored behind its end is what the sensor's function has returned.
    /// assert_eq!((origin.hops[0].function.as_deref(), origin.hops[0].value.as_str()), (Some("store"), "0x3e8"));
    /// println!("{origin}");
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`ErrorKind::Unknown`] for what is nowhere, as what is optimised out, or is larger than 16 bytes. That it is
    /// [cancelled](crate::Cancel) is an error, too.
    pub fn origin(&mut self, expression: &str, through_arithmetic: bool) -> Result<Origin> {
        self.check_cancel()?;
        let held = self.core.engine().held_or_characters(expression, LONGEST_VALUE)?;
        let cancel = self.canceller();
        let patience = self.deadline().map_or(PATIENCE, |deadline| deadline.saturating_duration_since(Instant::now()));
        let query =
            OriginQuery { held, expression: expression.to_owned(), through_arithmetic, max_hops: MOST_HOPS, patience };
        let rr = self.rr.clone().with_cancel(&cancel);
        let found = questions::Origin::ask(&rr, self.recording(), &query, &cancel)?;
        Ok(Origin { hops: found.hops.into_iter().map(Hop::from).collect() })
    }
}

impl From<questions::Error> for Error {
    fn from(error: questions::Error) -> Self {
        match error {
            questions::Error::Rr(error) => error.into(),
            questions::Error::Cancelled => Self::new(ErrorKind::Cancelled, "it was cancelled"),
            questions::Error::Question(why) => Self::new(ErrorKind::Unknown, why),
            other => Self::new(ErrorKind::Other, other.to_string()),
        }
    }
}
