//! The moves that journeys are made of, drawn at random, written and read.

use crate::random::Random;
use std::fmt;
use std::str::FromStr;

/// What a move does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Forward to the next hit, of the number's many.
    Run,
    /// Backward to the hit before.
    Back,
    /// Instructions forward, so many at a time.
    Stepi,
    /// Instructions backward.
    Rstepi,
    /// Instructions forward, over calls.
    Nexti,
    /// Instructions backward, over calls.
    Rnexti,
    /// Lines forward, into calls.
    Step,
    /// Lines backward, into calls.
    Rstep,
    /// Lines forward.
    Next,
    /// Lines backward.
    Rnext,
    /// To the return of the function.
    Finish,
    /// To the call of the function.
    Rfinish,
    /// Out of a loop.
    Until,
    /// So many instructions forward and as many backward: the same moments.
    There,
    /// To an element's moment before it.
    Goto,
    /// To an element's moment after it.
    After,
    /// To a moment that was looked at before.
    Return,
    /// To an event, by its share of all in thousandths.
    Event,
    /// To the start.
    Start,
    /// To the end.
    End,
    /// A checkpoint here.
    Keep,
    /// To a checkpoint.
    Restore,
    /// One of what is waited for is waited for no more, or again.
    Toggle,
    /// All but one of what is waited for is waited for no more.
    Only,
    /// All is waited for.
    All,
    /// A condition on one of what is waited for: its counter is even.
    Even,
    /// Some hits of one of what is waited for are ignored.
    Ignore,
    /// One of what is waited for is removed at its next stop.
    Once,
    /// One of what is waited for stops the thread only that is here.
    Bound,
    /// Who wrote a counter last.
    Last,
    /// The first call of a function at which its counter has reached something.
    First,
    /// To the other session.
    Switch,
}

use Kind::{
    After, All, Back, Bound, End, Even, Event, Finish, First, Goto, Ignore, Keep, Last, Next, Nexti, Once, Only,
    Restore, Return, Rfinish, Rnext, Rnexti, Rstep, Rstepi, Run, Start, Step, Stepi, Switch, There, Toggle, Until,
};

/// All kinds, with their names and how likely each is.
const KINDS: &[(Kind, &str, usize)] = &[
    (Run, "run", 24),
    (Back, "back", 24),
    (Stepi, "stepi", 6),
    (Rstepi, "rstepi", 6),
    (Nexti, "nexti", 3),
    (Rnexti, "rnexti", 3),
    (Step, "step", 6),
    (Rstep, "rstep", 6),
    (Next, "next", 6),
    (Rnext, "rnext", 6),
    (Finish, "finish", 5),
    (Rfinish, "rfinish", 5),
    (Until, "until", 2),
    (There, "there", 4),
    (Goto, "goto", 5),
    (After, "after", 4),
    (Return, "return", 5),
    (Event, "event", 4),
    (Start, "start", 1),
    (End, "end", 3),
    (Keep, "keep", 3),
    (Restore, "restore", 4),
    (Toggle, "toggle", 6),
    (Only, "only", 2),
    (All, "all", 2),
    (Even, "even", 2),
    (Ignore, "ignore", 2),
    (Once, "once", 2),
    (Bound, "bound", 1),
    (Last, "last", 5),
    (First, "first", 1),
    (Switch, "switch", 2),
];

/// One move of a journey, with a number that says which or how many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    /// What it does.
    pub kind: Kind,
    /// Which or how many, whatever there is.
    pub number: usize,
}

impl Move {
    /// Draws one.
    pub fn random(random: &mut Random) -> Self {
        let total: usize = KINDS.iter().map(|(_, _, weight)| weight).sum();
        let mut drawn = random.below(total);
        let mut kinds = KINDS.iter();
        let kind = loop {
            let (kind, _, weight) = kinds.next().unwrap();
            match drawn.checked_sub(*weight) {
                Some(rest) => drawn = rest,
                None => break *kind,
            }
        };
        let limit = match kind {
            Run | Back | Next | Rnext | Step | Rstep | Nexti | Rnexti | Ignore => 4,
            Stepi | Rstepi | There => 12,
            Finish | Rfinish | Until | Start | End | Keep | All | Switch => 1,
            _ => 1000,
        };
        Self { kind, number: random.below(limit) }
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = KINDS.iter().find(|(kind, ..)| *kind == self.kind).unwrap().1;
        if self.number == 0 { f.write_str(name) } else { write!(f, "{name}:{}", self.number) }
    }
}

impl FromStr for Move {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, number) = text.split_once(':').unwrap_or((text, "0"));
        let found =
            KINDS.iter().find(|(_, own, _)| *own == name).ok_or_else(|| format!("there is no move {name:?}"))?;
        Ok(Self { kind: found.0, number: number.parse().map_err(|_| format!("{text:?} has no number"))? })
    }
}

/// Writes a journey.
pub fn written(moves: &[Move]) -> String {
    moves.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

/// Reads a journey.
pub fn read(text: &str) -> Vec<Move> {
    text.split_whitespace().map(|word| word.parse().unwrap_or_else(|e| panic!("{e}"))).collect()
}

#[test]
fn a_journey_is_what_its_text_says() {
    let mut random = Random::of(1, 1);
    let moves: Vec<_> = (0..500).map(|_| Move::random(&mut random)).collect();
    assert_eq!(read(&written(&moves)), moves);
}
