//! The moments that stops have led to: `back`, `forward`.

use super::error::Error;
use super::execution::Execution;
use super::flow::Flow;
use engine::model::{Motion, Waypoint};

/// Most moments that are remembered.
const MOST: usize = 10_000;

/// The moments that stops have led to, and which of them is the current one.
#[derive(Clone, Debug, Default)]
pub(super) struct Visited {
    /// The earlier ones, the last visited one last.
    back: Vec<Waypoint>,
    current: Option<Waypoint>,
    /// Those that were left by `back`, the last left one last.
    forward: Vec<Waypoint>,
    /// The stop that comes is one of them.
    revisits: bool,
}

impl Visited {
    /// Adds the moment that a stop has led to.
    fn add(&mut self, moment: Waypoint) {
        if std::mem::take(&mut self.revisits) {
            return;
        }
        self.forward.clear();
        if let Some(left) = self.current.replace(moment) {
            if self.back.len() >= MOST {
                self.back.remove(0);
            }
            self.back.push(left);
        }
    }

    /// Takes a step back or forward. `None`: there is nothing.
    fn step(&mut self, back: bool) -> Option<Waypoint> {
        let (from, to) = match back {
            true => (&mut self.back, &mut self.forward),
            false => (&mut self.forward, &mut self.back),
        };
        let next = from.pop()?;
        to.extend(self.current.replace(next));
        Some(next)
    }
}

impl Execution<'_> {
    /// Remembers the moment of a stop. A server that does not tell it has no such history.
    pub(super) fn visit(&mut self) {
        if let Ok(moment) = self.engine.waypoint() {
            self.state.visited.add(moment);
        }
    }

    /// Goes to the moment of the stop before, or of the one after it.
    pub(super) fn revisit(&mut self, back: bool) -> Result<Flow, Error> {
        let before = self.state.visited.clone();
        let Some(moment) = self.state.visited.step(back) else {
            let way = if back { "back" } else { "forward" };
            return Err(Error::said(format!("Can't go {way}. No more history entries.")));
        };
        self.state.visited.revisits = true;
        let done = self.jump(Motion::GoTo(moment));
        if done.is_err() {
            self.state.visited = before;
        }
        self.state.visited.revisits = false;
        done
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_goes_back_and_forward_again() {
        let at = |event: u64| format!("{event}/7/1.1/0x1000").parse::<Waypoint>();
        let moments: Vec<Waypoint> = (1..=4).filter_map(|event| at(event).ok()).collect();
        let [a, b, c, d] = moments[..] else { panic!("the spelling of positions has changed") };
        let mut visited = Visited::default();
        assert_eq!((visited.step(true), visited.step(false)), (None, None));
        [a, b, c].into_iter().for_each(|moment| visited.add(moment));
        assert_eq!((visited.step(true), visited.step(true), visited.step(true)), (Some(b), Some(a), None));
        assert_eq!((visited.step(false), visited.step(false), visited.step(false)), (Some(b), Some(c), None));
        visited.step(true);
        visited.add(d);
        assert_eq!((visited.step(false), visited.step(true)), (None, Some(b)));
    }
}
