//! Questions from wherever a journey is.

use super::Traveller;
use crate::truth::{Element, Failure, Wait, What, failure};

impl Traveller<'_> {
    /// Asks who wrote a counter last: the element before this moment.
    pub(super) fn last_write(&mut self, number: usize) -> Result<(), Failure> {
        if self.truth.counters.is_empty() || self.truth.built.counted.is_none() {
            return Ok(());
        }
        let counter = number % self.truth.counters.len();
        let name = &self.truth.counters[counter];
        let replay = &mut self.sessions[self.current].replay;
        let here = replay.position().clone();
        let value = replay.eval(name).ok().and_then(|value| crate::truth::number(&value.to_string()));
        let Some(value) = value else { return Ok(()) };
        let write = replay.last_write(name);
        let write = write
            .map_err(|e| Failure { kind: "last write fails", text: format!("{name} = {value} at {here}: {e}") })?;
        let wait = self.truth.waits.iter().position(|wait| *wait == Wait::Counter(counter));
        let is_it = |element: &&Element| {
            wait.is_some_and(|wait| element.what == What::Wait(wait)) && element.counters[counter] == Some(value)
        };
        let expected = self.truth.elements.iter().find(is_it).map(|element| element.before.clone());
        let found = write.as_ref().map(|write| write.at.clone());
        let is_right = match &write {
            None => value == 0,
            Some(write) => {
                let number = |value: &retrograde::Value<'_>| crate::truth::number(&value.to_string());
                (number(&write.old), number(&write.new)) == (value.checked_sub(1), Some(value))
                    && (wait.is_none() || expected == found)
            }
        };
        if !is_right || *replay.position() != here {
            let found = write.map(|write| format!("{write} at {}", write.at));
            return failure(
                "last write wrong",
                format!("{name} = {value} at {here}: {expected:?} expected, {found:?}"),
            );
        }
        let look = self.look()?;
        self.seen.meet(&look)
    }

    /// Asks for the first call of a function at which its counter is at least something.
    pub(super) fn first(&mut self, number: usize) -> Result<(), Failure> {
        let is_function = |(_, wait): &(usize, &Wait)| matches!(wait, Wait::Function(..));
        let functions: Vec<_> = self.truth.waits.iter().enumerate().filter(is_function).collect();
        if functions.is_empty() || self.truth.built.counted.is_none() {
            return Ok(());
        }
        let (wait, Wait::Function(name, counter)) = functions[number % functions.len()] else { return Ok(()) };
        let least = (number % 7) as u64;
        let has = |element: &&Element| element.what == What::Wait(wait) && element.counters[*counter] >= Some(least);
        let expected = self.truth.elements.iter().find(has).map(|element| &element.before);
        let condition = format!("(int){} >= {least}", self.truth.counters[*counter]);
        let found = self.sessions[self.current].replay.first(name, condition.as_str());
        let found =
            found.map_err(|e| Failure { kind: "first fails", text: format!("{name} where {condition}: {e}") })?;
        if expected.is_some() != found.is_some() {
            return failure("first wrong", format!("{name} where {condition}: {expected:?} expected, {found:?}"));
        }
        if let (Some(at), Some(expected)) = (found.and_then(|found| found.at), expected) {
            self.goto_what(&at, expected)?;
        }
        Ok(())
    }
}
