//! Makes a failure smaller: fewer moves, and less in the program.

use crate::journey::{Seen, travel};
use crate::moves::{Move, written};
use crate::program::Program;
use crate::truth::{Failure, Truth};
use std::time::{Duration, Instant};

/// A journey that fails.
pub struct Found {
    /// The program.
    pub program: Program,
    /// The moves; none if the sources of the truth do not agree.
    pub moves: Vec<Move>,
    /// What fails.
    pub failure: Failure,
}

impl Found {
    /// Writes it as a test to be pasted.
    pub fn as_test(&self) -> String {
        let (program, moves) = (&self.program, written(&self.moves));
        format!("// {}\n(\n    \"{program}\",\n    \"{moves}\",\n),\n", self.failure.to_string().replace('\n', "\n// "))
    }

    /// Makes it smaller, as long as there is time.
    pub fn shrink(mut self, limit: Duration) -> Self {
        let until = Instant::now() + limit;
        self.fewer_moves(until);
        while Instant::now() < until && self.smaller_program(until) {}
        self.fewer_moves(until);
        self
    }

    fn fewer_moves(&mut self, until: Instant) {
        let Ok(truth) = Truth::find(&self.program) else { return };
        fewer_moves(&truth, &mut self.moves, &mut self.failure, until);
    }

    /// Takes the first smaller program that fails in the same way.
    fn smaller_program(&mut self, until: Instant) -> bool {
        for program in self.program.smaller() {
            if Instant::now() > until {
                break;
            }
            let found = match Truth::find(&program) {
                Err(failure) => Some((Vec::new(), failure)),
                Ok(truth) => attempt(&truth, &self.moves),
            };
            if let Some((moves, failure)) = found
                && failure.kind == self.failure.kind
            {
                *self = Self { program, moves, failure };
                return true;
            }
        }
        false
    }
}

/// Leaves out moves without which a journey fails in the same way.
pub fn fewer_moves(truth: &Truth, all: &mut Vec<Move>, failure: &mut Failure, until: Instant) {
    let mut size = all.len().div_ceil(2);
    while size > 0 {
        let mut from = 0;
        while from < all.len() && Instant::now() < until {
            let mut fewer = all.clone();
            fewer.drain(from..(from + size).min(all.len()));
            match attempt(truth, &fewer) {
                Some((moves, same)) if same.kind == failure.kind => (*all, *failure) = (moves, same),
                _ => from += size,
            }
        }
        size /= 2;
    }
}

/// Goes on a journey in new sessions: the moves up to the failure, and that.
fn attempt(truth: &Truth, moves: &[Move]) -> Option<(Vec<Move>, Failure)> {
    let mut seen = match Seen::of(truth) {
        Ok(seen) => seen,
        Err(failure) => return Some((Vec::new(), failure)),
    };
    let (at, failure) = travel(truth, &mut seen, moves).err()?;
    Some((moves[..moves.len().min(at + 1)].to_vec(), failure))
}
