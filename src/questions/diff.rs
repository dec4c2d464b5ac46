//! Where two recordings of a program part: what only one has executed, the first call that only one made, and values
//! that differ at the same call before.
//!
//! ```text
//! branch     the branch that decided where they part
//! side       one of the recordings: what it has called, in what order
//! told       when two values are told to be the same
//! ```
//!
//! Functions are the same by name, file and library; a program's own file counts as one library, whatever it is called.
//! Threads are compared in the order of their beginnings, each for itself: what a thread calls, in its order, is the
//! same up to where the two part.

mod branch;
mod same_value;
mod side;

use self::branch::branch_before;
pub(super) use self::side::{Chosen, Ran};
use self::side::{Key, Side};
use super::answer::Facts;
use super::calls::{CallRow, Ending};
use super::error::Error;
use super::hits::Moment;
use super::shown::Shown;
use super::why::FirstBranch;
use base::cancel::Cancel;
use rr::Rr;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::thread;

/// Most calls of which values are compared.
const MOST_COMPARED: usize = 100_000;
/// So many calls are compared at once.
const CHUNK: usize = 4096;
/// Most differing values that are told.
const MOST_VALUES: usize = 1000;
/// Most threads of which it is told where they part.
const MOST_THREADS: usize = 1000;
/// Most functions that are named in a note.
const NAMED: usize = 5;

/// What is asked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DiffQuery {
    /// A regular expression over the names of functions. Default: all that are not the system's or a library's.
    pub functions: Option<String>,
    /// Which calls are compared; `$return` is what they returned.
    pub condition: Option<String>,
}

/// What differs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Difference {
    /// The calls of a thread: up to here they are the same.
    Parting,
    /// An argument, or what was returned, at the same call.
    Value,
    /// Only the first recording has called the function.
    OnlyFirst,
    /// Only the second has.
    OnlySecond,
    /// Both have, not equally often.
    Count,
}

/// What one of the recordings has where they differ.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DiffSide {
    /// How often it has called the function.
    pub calls: Option<u64>,
    /// The call. `None` where they part: it calls nothing more.
    pub call: Option<CallRow>,
    /// What differs.
    pub value: Option<String>,
    /// When: where the call began or, of what it returned, where that was.
    pub at: Option<Moment>,
}

/// How many of a function's calls have such a difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    /// So many have it,
    pub calls: u64,
    /// of so many that are the same and were compared.
    pub of: u64,
    /// The values are the same but for large numbers, in all of them: as hashes, addresses and times differ.
    pub is_large: bool,
}

/// Something that differs.
#[derive(Clone, Debug, PartialEq)]
pub struct DiffRow {
    /// What.
    pub difference: Difference,
    /// The function. `None`: see the calls.
    pub function: Option<String>,
    /// Which thread, from 1 in the order of their beginnings.
    pub thread: Option<u32>,
    /// How many calls of the thread are the same before.
    pub same: Option<u64>,
    /// The argument; `$return`: what was returned.
    pub name: Option<String>,
    /// Of values: how many differ. The row is about the first.
    pub share: Option<Share>,
    /// In the first recording, and in the second.
    pub found: [DiffSide; 2],
}

/// The answer.
#[derive(Debug)]
pub struct Diff {
    /// What was searched in each.
    pub facts: [Facts; 2],
    /// The files of both are the same, by their build IDs.
    pub is_same_build: bool,
    /// How many calls of each were compared in their order.
    pub compared: [u64; 2],
    /// Of so many functions.
    pub functions: u64,
    /// Where they part, the first first; values; functions.
    pub rows: Vec<DiffRow>,
    /// The branch that decided where they part first, if it is in the functions around.
    pub first_branch: Option<FirstBranch>,
    /// What is to be known.
    pub notes: Vec<String>,
}

/// Does the same with both recordings at once.
fn both<T: Send>(work: impl Fn(usize) -> Result<T, Error> + Sync) -> Result<[T; 2], Error> {
    let (first, second) = thread::scope(|scope| {
        let other = thread::Builder::new().name("other recording".to_owned()).spawn_scoped(scope, || work(1));
        let first = work(0);
        // Where no thread can be had, one comes after the other.
        let second = other.map_or_else(|_| work(1), |other| other.join().unwrap_or(Err(Error::Cancelled)));
        (first, second)
    });
    Ok([first?, second?])
}

impl Diff {
    /// Compares two recordings.
    ///
    /// # Errors
    /// If no function that is asked about was called; if one cannot be replayed; if it is cancelled.
    pub fn ask(rr: &Rr, recordings: [&Path; 2], query: &DiffQuery, cancel: &Cancel) -> Result<Self, Error> {
        if query.condition.is_some() && query.functions.is_none() {
            return Err(Error::question("a condition needs functions whose arguments it can name"));
        }
        let of = |side: usize| recordings.get(side).copied().unwrap_or(Path::new(""));
        let ran = both(|side| Ran::ask(rr, of(side), query.functions.as_deref(), cancel))?;
        let mut notes = Vec::new();
        let is_same_build = builds(&ran, &mut notes);
        let mut counts: BTreeMap<Key, [u64; 2]> = BTreeMap::new();
        for (side, ran) in ran.iter().enumerate() {
            for (key, calls) in &ran.called {
                if let Some(count) = counts.entry(key.clone()).or_default().get_mut(side) {
                    *count = *calls;
                }
            }
        }
        if counts.is_empty() {
            let why = "neither recording has called a function with debug info of its own that is asked about; give \
                       `function`, a regular expression";
            return Err(Error::question(why));
        }
        let chosen = Chosen::of(&counts);
        if !chosen.left_out.is_empty() {
            let first: Vec<&str> = chosen.left_out.iter().take(NAMED).map(|key| key.name.as_str()).collect();
            notes.push(format!(
                "too many calls: of {} functions, those called most, only the counts are compared, as of {}; `function` \
                 chooses others",
                chosen.left_out.len(),
                first.join(", ")
            ));
        }
        let sides = both(|side| Side::ask(rr, of(side), ran.get(side), &chosen, query, cancel))?;
        let mut answer = Self {
            facts: [Facts::default(), Facts::default()],
            is_same_build,
            compared: sides.each_ref().map(|side| side.calls()),
            functions: chosen.keys.len() as u64,
            rows: Vec::new(),
            first_branch: None,
            notes,
        };
        let partings = answer.partings(&sides, cancel)?;
        if let Some(DiffRow {
            difference: Difference::Parting, thread: Some(thread), same: Some(same), found, ..
        }) = answer.rows.first()
        {
            let at = (*thread, usize::try_from(*same).unwrap_or(usize::MAX));
            let next = found.each_ref().map(|found| found.call.as_ref());
            answer.first_branch = branch_before(rr, recordings, &sides, at, next, cancel)?;
        }
        answer.values(&sides, &partings, cancel)?;
        answer.counts(&counts);
        answer.facts = facts(&ran, &sides);
        for (name, facts) in ["first", "second"].iter().zip(&answer.facts) {
            let lines: BTreeSet<&String> = facts.notes.iter().collect();
            answer.notes.extend(lines.into_iter().map(|note| format!("{name}: {note}")));
        }
        Ok(answer)
    }

    /// Finds where each thread's calls part. Returns of each thread how many are the same, and behind which hits of
    /// each recording it is not the same any more.
    fn partings(&mut self, [a, b]: &[Side; 2], cancel: &Cancel) -> Result<Vec<Parting>, Error> {
        let threads: BTreeSet<u32> = a.streams.keys().chain(b.streams.keys()).copied().collect();
        let (mut partings, mut rows) = (Vec::new(), Vec::new());
        for thread in threads {
            let (of_a, of_b) = (a.stream(thread), b.stream(thread));
            let same = of_a.iter().zip(of_b).take_while(|(a, b)| a.0 == b.0).count();
            let (next_a, next_b) = (of_a.get(same), of_b.get(same));
            let until = [next_a.and_then(|next| a.began(next.1)), next_b.and_then(|next| b.began(next.1))];
            partings.push(Parting { thread, same, until });
            // What is not written down may be the same.
            let is_known = |next: Option<&(u32, usize)>, side: &Side| next.is_some() || !side.is_truncated();
            if (next_a, next_b) == (None, None) || !is_known(next_a, a) || !is_known(next_b, b) {
                continue;
            }
            if rows.len() >= MOST_THREADS {
                self.notes.push(format!("more than {MOST_THREADS} threads differ: not all are listed"));
                break;
            }
            let found = [found_call(a, next_a, cancel)?, found_call(b, next_b, cancel)?];
            let (thread, same) = (Some(thread), Some(same as u64));
            let difference = Difference::Parting;
            rows.push(DiffRow { difference, function: None, thread, same, name: None, share: None, found });
        }
        let first = |row: &DiffRow| row.found.iter().filter_map(|found| found.at.as_ref()?.event).min();
        rows.sort_by_key(|row| (first(row).unwrap_or(u64::MAX), row.thread));
        self.rows.append(&mut rows);
        Ok(partings)
    }

    /// Compares arguments and results of the calls that are the same. What differs in many calls of a function is told
    /// once.
    fn values(&mut self, [a, b]: &[Side; 2], partings: &[Parting], cancel: &Cancel) -> Result<(), Error> {
        let (mut left, mut has_more) = (MOST_COMPARED, false);
        let mut groups: BTreeMap<(u32, String), Group> = BTreeMap::new();
        let mut calls: BTreeMap<u32, u64> = BTreeMap::new();
        for Parting { thread, same, until } in partings {
            let compared = (*same).min(left);
            left -= compared;
            let pairs: Vec<_> = a.stream(*thread).iter().zip(b.stream(*thread)).take(compared).collect();
            for (chunk, pairs) in pairs.chunks(CHUNK).enumerate() {
                let (in_a, in_b): (Vec<usize>, Vec<usize>) = pairs.iter().map(|(a, b)| (a.1, b.1)).unzip();
                let (rows_a, rows_b) = (a.rows(&in_a, cancel)?, b.rows(&in_b, cancel)?);
                for (place, (((function, at_a), (_, at_b)), both)) in
                    pairs.iter().copied().zip(rows_a.iter().zip(&rows_b)).enumerate()
                {
                    let (Some(row_a), Some(row_b)) = both else { continue };
                    *calls.entry(*function).or_default() += 1;
                    // What returns behind the parting may differ by what came then.
                    let ends = [a.returned(*at_a, until[0]), b.returned(*at_b, until[1])];
                    for (order, name, values, is_result) in differences([row_a, row_b], a.began(*at_a), ends) {
                        let is_large = same_value::is_same_but_for_large_numbers(&values[0], &values[1]);
                        let key = (*function, name.clone());
                        let has_room = groups.len() < MOST_VALUES;
                        let share = match groups.get_mut(&key) {
                            Some(known) => {
                                let share = known.share.with(is_large);
                                if known.order <= order {
                                    known.share = share;
                                    continue;
                                }
                                share
                            }
                            None if has_room => Share { calls: 1, of: 0, is_large },
                            None => {
                                has_more = true;
                                continue;
                            }
                        };
                        let row = DiffRow {
                            difference: Difference::Value,
                            function: Some(row_a.function.clone()),
                            thread: Some(*thread),
                            same: Some((chunk * CHUNK + place) as u64),
                            name: Some(name),
                            share: None,
                            found: values_of([row_a, row_b], values, is_result),
                        };
                        groups.insert(key, Group { order, share, row });
                    }
                }
            }
        }
        if left == 0 {
            self.notes.push(format!("values of the first {MOST_COMPARED} calls are compared, not of those behind"));
        }
        if has_more {
            self.notes.push(format!("more than {MOST_VALUES} arguments and results differ: not all are listed"));
        }
        let mut groups: Vec<(u32, Group)> =
            groups.into_iter().map(|((function, _), group)| (function, group)).collect();
        groups.sort_by_key(|(_, group)| (group.share.is_large, group.order));
        self.rows.extend(groups.into_iter().map(|(function, Group { share, row, .. })| {
            let of = calls.get(&function).copied().unwrap_or_default();
            DiffRow { share: Some(Share { of, ..share }), ..row }
        }));
        Ok(())
    }

    fn counts(&mut self, counts: &BTreeMap<Key, [u64; 2]>) {
        let row = |(key, count): (&Key, &[u64; 2])| {
            let difference = match count {
                [a, b] if a == b => return None,
                [_, 0] => Difference::OnlyFirst,
                [0, _] => Difference::OnlySecond,
                _ => Difference::Count,
            };
            let found = count.map(|calls| DiffSide { calls: Some(calls), ..DiffSide::default() });
            let function = Some(key.name.clone());
            Some(DiffRow { difference, function, thread: None, same: None, name: None, share: None, found })
        };
        let mut rows: Vec<DiffRow> = counts.iter().filter_map(row).collect();
        rows.sort_by_key(|row| row.difference);
        self.rows.append(&mut rows);
    }
}

impl Share {
    /// Counts another call.
    const fn with(self, is_large: bool) -> Self {
        Self { calls: self.calls + 1, is_large: self.is_large && is_large, ..self }
    }
}

/// An argument of a function, or its result, that differs.
struct Group {
    /// When the first was, among all hits.
    order: u64,
    share: Share,
    /// The first.
    row: DiffRow,
}

/// Where a thread's calls part.
struct Parting {
    thread: u32,
    /// So many are the same.
    same: usize,
    /// The hit of the first that is not, in each.
    until: [Option<u64>; 2],
}

fn found_call(side: &Side, next: Option<&(u32, usize)>, cancel: &Cancel) -> Result<DiffSide, Error> {
    let Some((_, row)) = next else { return Ok(DiffSide::default()) };
    let call = side.rows(&[*row], cancel)?.into_iter().next().flatten();
    Ok(DiffSide { at: call.as_ref().map(|call| call.at.clone()), call, ..DiffSide::default() })
}

/// When it was, what it is called, both values, and whether it was returned.
type Differing = (u64, String, [String; 2], bool);

/// Returns what differs at the same call. `ends`: where the calls returned, if that is to be compared.
fn differences([a, b]: [&CallRow; 2], began: Option<u64>, ends: [Option<u64>; 2]) -> Vec<Differing> {
    let mut found = Vec::new();
    let mut compare = |order: Option<u64>, name: &str, values: [Option<&Result<Shown, String>>; 2], is_result| {
        if let [Some(Ok(a)), Some(Ok(b))] = values
            && !same_value::is_same(a, b)
        {
            found.push((order.unwrap_or(u64::MAX), name.to_owned(), [a.text.clone(), b.text.clone()], is_result));
        }
    };
    for (in_a, in_b) in a.arguments.iter().zip(&b.arguments).filter(|(a, b)| a.name == b.name) {
        compare(began, &in_a.name, [Some(&in_a.value), Some(&in_b.value)], false);
    }
    if ends.iter().all(Option::is_some) {
        compare(ends[0], "$return", [a.result.as_ref(), b.result.as_ref()], true);
    }
    found
}

fn values_of(rows: [&CallRow; 2], values: [String; 2], is_result: bool) -> [DiffSide; 2] {
    let [a, b] = rows.map(|row| match &row.ending {
        Ending::Returned(at) if is_result => at.clone(),
        _ => row.at.clone(),
    });
    let [of_a, of_b] = values;
    let found = |value, at| DiffSide { value: Some(value), at: Some(at), ..DiffSide::default() };
    [found(of_a, a), found(of_b, b)]
}

/// Says which files differ. Returns whether none does.
fn builds([a, b]: &[Ran; 2], notes: &mut Vec<String>) -> bool {
    let (in_a, in_b) = (a.builds(), b.builds());
    let differing: Vec<&str> = in_a
        .iter()
        .filter(|(name, (_, build))| in_b.get(*name).is_some_and(|(_, other)| other != build))
        .map(|(_, (name, _))| name.as_str())
        .collect();
    if !differing.is_empty() {
        notes.push(format!(
            "the builds differ, of {}: functions are compared by their names, and values as they are shown",
            differing.join(", ")
        ));
    }
    differing.is_empty()
}

fn facts(ran: &[Ran; 2], sides: &[Side; 2]) -> [Facts; 2] {
    let [a, b] = [0, 1].map(|number| {
        let (Some(ran), Some(side)) = (ran.get(number), sides.get(number)) else { return Facts::default() };
        let mut facts = ran.facts().clone();
        if let Some(of_calls) = side.facts() {
            facts.took += of_calls.took;
            facts.hits = of_calls.hits;
            facts.is_truncated |= of_calls.is_truncated;
            facts.notes.extend(of_calls.notes.iter().cloned());
        }
        facts
    });
    [a, b]
}
