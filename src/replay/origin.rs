//! Where a value comes from.

use super::error::Result;
use super::location::Location;
use super::position::Position;
use super::session::Replay;
pub use questions::HopKind;
use questions::{LONGEST_VALUE, OriginQuery};
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
    /// How it came there.
    pub kind: HopKind,
    /// Where the value came to be.
    pub to: String,
    /// What it came from; of the last hop, what the value is, or why it cannot be followed.
    pub from: String,
    /// The value.
    pub value: String,
    /// What else there is to know, in words.
    pub notes: Vec<String>,
}

impl Origin {
    /// Returns whether the last hop is the origin of the value, rather than where it could not be followed any more.
    pub fn is_found(&self) -> bool {
        self.hops.last().is_some_and(|hop| hop.kind != HopKind::Stopped)
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
            kind: hop.kind,
            to: hop.to,
            from: hop.from,
            value: hop.value,
            notes: hop.notes,
        }
    }
}

/// A question about where a value comes from, which [`ask`](OriginBuilder::ask) answers.
#[must_use = "nothing is asked until `ask` is called"]
pub struct OriginBuilder<'r> {
    replay: &'r Replay,
    expression: String,
    through_arithmetic: bool,
    max_hops: usize,
}

impl Replay {
    /// Asks where the value comes from that an expression names, in memory or a register: followed back from where the
    /// replay is, through copies, arguments and results of functions, to the constant, input, allocation or computation
    /// that made it.
    ///
    /// The replay does not move. Each hop takes a replay of the recording or two, by other means.
    ///
    /// ```
    /// # fn main() -> retrograde::Result<()> {
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/example.rs"));
    /// use retrograde::HopKind;
    ///
    /// # let mut replay = retrograde::Replay::open("app-0")?;
    /// replay.run()?;
    /// let origin = replay.origin("station->calibration").ask()?;
    /// // The table's value that was stored behind its end is what the sensor's function has returned.
    /// assert_eq!((origin.hops[0].function.as_deref(), origin.hops[0].value.as_str()), (Some("store"), "0x3e8"));
    /// assert!(origin.hops.iter().any(|hop| hop.kind == HopKind::Return));
    /// println!("{origin}");
    /// # Ok(())
    /// # }
    /// ```
    pub fn origin(&self, expression: impl Into<String>) -> OriginBuilder<'_> {
        let (expression, max_hops) = (expression.into(), MOST_HOPS);
        OriginBuilder { replay: self, expression, through_arithmetic: false, max_hops }
    }
}

impl OriginBuilder<'_> {
    /// Continues through a computation from one other value, as an increment, instead of ending there.
    pub fn through_arithmetic(self) -> Self {
        Self { through_arithmetic: true, ..self }
    }

    /// Makes at most so many hops, instead of fifty.
    pub fn max_hops(self, max_hops: usize) -> Self {
        Self { max_hops, ..self }
    }

    /// Follows the value back.
    ///
    /// # Errors
    /// [`ErrorKind::Unknown`](crate::ErrorKind::Unknown) for what is nowhere, as what is optimised out, or is larger
    /// than 16 bytes. That it is [cancelled](crate::Cancel) is an error, too.
    pub fn ask(self) -> Result<Origin> {
        let Self { replay, expression, through_arithmetic, max_hops } = self;
        replay.check_cancel()?;
        let held = replay.core.ask().held_or_characters(&expression, LONGEST_VALUE)?;
        let asks = replay.questions();
        let left = |deadline: Instant| deadline.saturating_duration_since(Instant::now());
        let patience = replay.deadline().map_or(PATIENCE, left);
        let query = OriginQuery { held, expression, through_arithmetic, max_hops, patience };
        let found = questions::Origin::ask(&asks.rr, &asks.recording, &query, &asks.cancel)?;
        Ok(Origin { hops: found.hops.into_iter().map(Hop::from).collect() })
    }
}
