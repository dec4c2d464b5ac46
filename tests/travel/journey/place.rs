//! Where a session is among the elements of its recording, and what stops it next.

use super::Traveller;
use crate::look::Look;
use crate::truth::{Element, Failure, Wait, What, failure};
use retrograde::Position;
use std::cmp::Ordering;

/// Where a session is among the elements: so many are behind it, at least and at most.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    pub least: usize,
    pub most: usize,
    /// The elements at whose moment it stands, the first and the last.
    pub on: Option<(usize, usize)>,
    /// Whether it has jumped there: a breakpoint there is reported first by a run forward.
    pub has_jumped: bool,
    /// Whether it was told of the signal that is delivered there as it jumped.
    pub is_told: bool,
}

impl Place {
    /// Stands no more on some elements.
    pub fn leave(&mut self, leaves: impl Fn(usize) -> bool) {
        let Some((first, last)) = self.on else { return };
        let others: Vec<_> = (first..=last).filter(|element| !leaves(*element)).collect();
        self.on = others.first().copied().zip(others.last().copied());
    }
}

/// The elements that stop a session next, all at one moment, and the hits of each wait that are ignored then.
pub type Next = (Vec<usize>, Vec<u32>);

impl Traveller<'_> {
    /// Whether an element stops a session as it waits now, but for hits that are ignored.
    pub(super) fn stops(&self, index: usize) -> bool {
        let element = &self.truth.elements[index];
        let What::Wait(wait) = element.what else { return true };
        let waited = &self.sessions[self.current].waited[wait];
        let counter = match self.truth.waits[wait] {
            Wait::Counter(counter) | Wait::Function(_, counter) => element.counters[counter],
        };
        let is_of_thread = waited.thread.is_none_or(|thread| element.after.thread() == thread);
        waited.is_enabled && is_of_thread && (!waited.is_even || counter.is_some_and(|counter| counter % 2 == 0))
    }

    /// Returns which elements stop it next at one moment, seen from where so many are behind it, and how many hits of each
    /// wait are ignored then. No element for an end of the recording.
    pub(super) fn next(&self, behind: usize, reverse: bool) -> Next {
        let session = &self.sessions[self.current];
        let (place, elements) = (&session.place, &self.truth.elements);
        let mut ignored: Vec<_> = session.waited.iter().map(|waited| waited.ignored).collect();
        let mut meets = |index: usize| {
            if !self.stops(index) {
                return false;
            }
            let What::Wait(wait) = elements[index].what else { return true };
            ignored[wait] = match ignored[wait].checked_sub(1) {
                Some(rest) => rest,
                None => return true,
            };
            false
        };
        // A signal is behind who has jumped to the moment of its delivery, and breakpoints there are ahead.
        let is_ahead = place.has_jumped && !(reverse && place.is_told);
        let is_met = |index: &usize| is_ahead && matches!(elements[*index].what, What::Signal(_)) == reverse;
        let here = place.on.map_or(0..0, |(first, last)| first..last + 1).filter(is_met);
        let way: Vec<_> = if reverse {
            here.rev().chain((0..place.on.map_or(behind, |(first, _)| first)).rev()).collect()
        } else {
            here.chain(place.on.map_or(behind, |(_, last)| last + 1)..elements.len()).collect()
        };
        let at = |index: usize| if reverse { &elements[index].before } else { &elements[index].after };
        let mut found: Vec<usize> = Vec::new();
        for index in way {
            if found.first().is_some_and(|first| at(*first) != at(index)) {
                break;
            }
            if meets(index) {
                found.push(index);
            }
        }
        (found, ignored)
    }

    pub(super) fn candidates(&self, reverse: bool) -> Vec<Next> {
        let place = &self.sessions[self.current].place;
        let mut all: Vec<_> = (place.least..=place.most).map(|behind| self.next(behind, reverse)).collect();
        all.dedup();
        all
    }

    pub(super) fn shown(&self, reverse: bool) -> String {
        let place = &self.sessions[self.current].place;
        let all = self.candidates(reverse);
        let name = |next: &[usize]| match next {
            [] => "an end".to_owned(),
            all => all.iter().map(|index| self.truth.element(*index)).collect::<Vec<_>>().join(" with "),
        };
        let names: Vec<_> = all.iter().map(|(next, _)| name(next)).collect();
        format!("from {place:?}, {} expected", names.join(" or "))
    }

    /// Finds the place of a moment by its position and by the values of the counters.
    pub(super) fn locate(&self, look: &Look) -> Result<Place, Failure> {
        let elements = &self.truth.elements;
        // Whether an element is behind that moment, if its position says so.
        let behind = |element: &Element| match (
            look.position.partial_cmp(&element.before),
            look.position.partial_cmp(&element.after),
        ) {
            _ if element.before != element.after && look.position == element.before => Some(false),
            _ if element.before != element.after && look.position == element.after => Some(true),
            (Some(Ordering::Less), _) => Some(false),
            (_, Some(Ordering::Greater)) => Some(true),
            _ => None,
        };
        let zeros = vec![0; self.truth.counters.len()];
        let fits = |count: &usize| {
            let ordered = elements
                .iter()
                .enumerate()
                .all(|(index, element)| behind(element).is_none_or(|is| is == (index < *count)));
            let mut expected = zeros.clone();
            for element in &elements[..*count] {
                if let What::Wait(wait) = element.what
                    && let Wait::Counter(counter) = self.truth.waits[wait]
                {
                    expected[counter] = element.counters[counter].unwrap_or_default();
                }
            }
            let is_watched = |counter: usize| self.truth.waits.contains(&Wait::Counter(counter));
            let same = |(counter, value): (usize, &Option<u64>)| {
                !is_watched(counter) || value.is_none_or(|value| value == expected[counter])
            };
            ordered && look.counters.iter().enumerate().all(same)
        };
        let all: Vec<_> = (0..=elements.len()).filter(fits).collect();
        let on = self.standing_on(&look.position);
        match (all.first(), all.last()) {
            (Some(least), Some(most)) => {
                Ok(Place { least: *least, most: *most, on, has_jumped: false, is_told: false })
            }
            _ => failure("nowhere", format!("{} with {:?} is between no two elements", look.position, look.counters)),
        }
    }

    /// Returns the breakpoints and signals at whose moment a position is.
    pub(super) fn standing_on(&self, position: &Position) -> Option<(usize, usize)> {
        let is_here = |element: &Element| element.before == element.after && element.before == *position;
        let first = self.truth.elements.iter().position(is_here)?;
        Some((first, self.truth.elements.iter().rposition(is_here)?))
    }

    /// Passes what is between two places, and returns how many hits of each wait are still ignored; nothing if there is
    /// something that stops it. `end`: the elements at whose moment the way ends.
    pub(super) fn passed(
        &self,
        from: usize,
        to: usize,
        end: Option<(usize, usize)>,
        reverse: bool,
    ) -> Option<Vec<u32>> {
        let session = &self.sessions[self.current];
        let on = session.place.on;
        let way: Vec<_> = if reverse {
            (to..on.map_or(from, |(first, _)| first)).rev().collect()
        } else {
            (on.map_or(from, |(_, last)| last + 1)..to).collect()
        };
        if if reverse { to > from } else { to < from } {
            return None;
        }
        let mut ignored: Vec<_> = session.waited.iter().map(|waited| waited.ignored).collect();
        for index in way.into_iter().filter(|index| self.stops(*index)) {
            let left = match self.truth.elements[index].what {
                What::Wait(wait) => ignored[wait].checked_sub(1).map(|left| ignored[wait] = left),
                What::Signal(_) => None,
            };
            if left.is_none() && end.is_none_or(|(first, last)| !(first..=last).contains(&index)) {
                return None;
            }
        }
        Some(ignored)
    }
}
