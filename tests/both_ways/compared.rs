//! One question, asked both ways.

use crate::excuses::{excused, excused_value};
use crate::question::Question;
use crate::random::Random;
use crate::support::mcp::Server;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt;

/// Stops at which everything is evaluated.
const LOOKED_AT: usize = 3;
/// The hits among which these are chosen, besides the first.
const FARTHEST: usize = 8;
/// Expressions that are asked for at once: a place has so many values, and an expression may need several.
const TOGETHER: usize = 6;
/// Expressions without a value at a stop that a trace is asked for, too.
const MEANINGLESS: usize = 2;
/// Most rows that are asked for.
const ROWS: usize = 200;

/// What came of all comparisons.
#[derive(Default)]
pub struct Counts {
    /// Expressions that had one value.
    same: usize,
    /// Those that had none on both sides.
    neither: usize,
    /// By the reason, those that only a stop has.
    excused: BTreeMap<&'static str, usize>,
    /// Locations that no side knows.
    nowhere: usize,
    /// Hits that both have.
    hits: usize,
}

impl Counts {
    /// Returns whether there were hits, and all expressions had values that are the same.
    pub fn are_all_the_same(&self) -> bool {
        self.hits > 0 && self.same > 0 && self.neither == 0 && self.excused.is_empty()
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { same, neither, excused, nowhere, hits } = self;
        write!(f, "{hits} hits, {same} values the same, {neither} without a value, {nowhere} locations nowhere")?;
        excused.iter().try_for_each(|(why, count)| write!(f, "\n{count} not the same: {why}"))
    }
}

/// When and where something was hit.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Moment {
    thread: String,
    ticks: u64,
}

/// The reason in a row where a note has it for all rows.
const NOTED: &str = "see the notes";

/// A stop: which hit it is, and the values or why there are none.
struct Stop {
    nth: usize,
    moment: Moment,
    values: Vec<Result<String, String>>,
}

/// Asks both ways and returns what differs, each as what to paste with both answers.
pub fn compare(question: &Question, random: &mut Random, counts: &mut Counts) -> Vec<String> {
    let trace = question.fixture.recording().trace;
    let server = Server::start();
    server.replay(&trace);
    let mut failures = Vec::new();
    let mut differs = |expression: &str, stop: &str, traced: &str| {
        let pasted = [&question.fixture.name, &question.location, expression].join(" | ");
        failures.push(format!("RETROGRADE_BOTH_WAYS_ONE='{pasted}'\n    stop:  {stop}\n    trace: {traced}"));
    };
    let (expressions, mut stops, whole) = match stops(&server, question, random) {
        Ok(found) => found,
        Err(refused) => {
            match server.attempt("rr_trace", json!({"locations": [question.location], "limit": 1})) {
                Err(_) => counts.nowhere += 1,
                Ok(traced) if traced["matching"] == 0 => counts.nowhere += 1,
                Ok(traced) => differs("", &refused, &format!("{} hits", traced["matching"])),
            }
            return failures;
        }
    };
    let expressions = asked(expressions, &mut stops);
    let (mut rows, mut traced) = (Vec::new(), BTreeMap::new());
    for some in expressions.chunks(TOGETHER).chain(expressions.is_empty().then_some(&[][..])) {
        let mut values = some.to_vec();
        let answer = loop {
            let ask = json!({"locations": [question.location], "values": values, "limit": ROWS});
            match server.attempt("rr_trace", ask) {
                Ok(answer) => break answer,
                Err(why) => {
                    let named = values.iter().position(|value| names(&why, value));
                    let Some(one) =
                        named.or_else(|| values.iter().position(|value| is_refused(&server, question, value)))
                    else {
                        differs("", &format!("{} hits", stops.len()), &why);
                        return failures;
                    };
                    traced.insert(values.remove(one), Err(why));
                }
            }
        };
        rows = answer["rows"].as_array().unwrap().clone();
        for (at, name) in values.into_iter().enumerate() {
            let reason = |why: String| noted(&answer["notes"], &name).filter(|_| why == NOTED).unwrap_or(why);
            let values = rows.iter().map(|row| value(&row["values"][at]).map_err(reason)).collect::<Vec<_>>();
            traced.insert(name, Ok(values));
        }
    }
    let hits: Vec<Moment> = rows.iter().map(moment).collect();
    if stops.is_empty() {
        if whole && !rows.is_empty() {
            differs("", "no hit", &format!("{} hits, the first {:?}", hits.len(), hits[0]));
        }
        return failures;
    }
    for stop in &stops {
        if hits.get(stop.nth) != Some(&stop.moment) {
            if stop.nth < ROWS {
                differs("", &format!("hit {} is {:?}", stop.nth, stop.moment), &format!("{:?}", hits.get(stop.nth)));
            }
            break;
        }
        counts.hits += 1;
        for (expression, at_stop) in expressions.iter().zip(&stop.values) {
            let traced = match &traced[expression] {
                Ok(values) => values[stop.nth].clone(),
                Err(why) => Err(why.clone()),
            };
            match (at_stop, &traced) {
                (Ok(a), Ok(b)) if a == b => counts.same += 1,
                (Err(_), Err(_)) => counts.neither += 1,
                (Ok(_), Err(why)) if excused(why).is_some() => {
                    *counts.excused.entry(excused(why).unwrap()).or_default() += 1;
                }
                (Ok(a), Ok(b)) if excused_value(a, b).is_some() => {
                    *counts.excused.entry(excused_value(a, b).unwrap()).or_default() += 1;
                }
                (a, b) => differs(expression, &format!("{a:?}"), &format!("{b:?} (hit {})", stop.nth)),
            }
        }
    }
    failures
}

/// Leaves most of the expressions out that have no value at the first stop: most of them mean nothing, and each that is
/// refused is asked for again without it.
fn asked(expressions: Vec<String>, stops: &mut [Stop]) -> Vec<String> {
    let Some(first) = stops.first() else { return expressions };
    let mut left = MEANINGLESS;
    let mut is_kept =
        |value: &Result<String, String>| value.is_ok() || left.checked_sub(1).map(|less| left = less).is_some();
    let kept: Vec<bool> = first.values.iter().map(&mut is_kept).collect();
    for stop in stops {
        let mut kept = kept.iter();
        stop.values.retain(|_| *kept.next().unwrap());
    }
    expressions.into_iter().zip(kept).filter(|(_, kept)| *kept).map(|(expression, _)| expression).collect()
}

/// Returns whether a refusal shows an expression.
fn names(why: &str, value: &str) -> bool {
    let plain = value.strip_prefix('/').and_then(|rest| rest.split_once(' ')).map_or(value, |(_, plain)| plain);
    why.contains(&format!("`{value}`")) || why.contains(&format!("\n  {plain}\n"))
}

/// Returns the note that says why an expression has no value in any row.
fn noted(notes: &Value, name: &str) -> Option<String> {
    let notes = notes.as_array()?.iter().filter_map(Value::as_str);
    notes.filter(|note| names(note, name)).map(str::to_owned).next()
}

/// Returns whether a trace refuses an expression.
fn is_refused(server: &Server, question: &Question, value: &str) -> bool {
    let ask = json!({"locations": [question.location], "values": [value], "limit": 1});
    server.attempt("rr_trace", ask).is_err()
}

type Stops = (Vec<String>, Vec<Stop>, bool);

/// Runs to some hits and evaluates there: the expressions, the stops, and whether there is no other hit. Or why there is no
/// such location.
fn stops(server: &Server, question: &Question, random: &mut Random) -> Result<Stops, String> {
    let set = server.attempt("rr_breakpoint_set", json!({"location": question.location, "pending": true}))?;
    let mut expressions = question.expressions.clone();
    let (mut found, mut is_over) = (Vec::new(), false);
    let mut chosen: Vec<usize> = (0..LOOKED_AT).map(|_| random.below(FARTHEST)).collect();
    chosen.sort_unstable();
    chosen.dedup();
    let mut nth = 0;
    while chosen.last().is_some_and(|last| nth <= *last) {
        let stop = server.call("rr_continue", json!({}));
        match stop["reason"].as_str() {
            Some("breakpoint-hit") => nth += 1,
            Some("signal-received") => continue,
            _ => {
                is_over = true;
                break;
            }
        }
        if !chosen.contains(&(nth - 1)) && nth > 1 {
            continue;
        }
        let drawn = expressions.get_or_insert_with(|| {
            let locals = server.call("rr_locals", json!({}));
            question.draw(locals["result"].as_array().unwrap(), random)
        });
        let evaluate = |expression: &String| {
            let evaluated = server.attempt("rr_evaluate", json!({"expression": expression}));
            evaluated.and_then(|evaluated| text(evaluated["value"].as_str().unwrap()))
        };
        let values = drawn.iter().map(evaluate).collect();
        found.push(Stop { nth: nth - 1, moment: moment(&stop), values });
    }
    let is_pending = set["locations"].as_array().is_none_or(Vec::is_empty);
    if is_pending && found.is_empty() {
        return Err(format!("never found: {}", set["note"]));
    }
    Ok((expressions.unwrap_or_default(), found, is_over))
}

fn moment(of: &Value) -> Moment {
    // `p7.7`: process and thread; a row has these numbers.
    let thread = match of["thread"].as_str() {
        Some(name) => name.rsplit('.').next().unwrap().trim_start_matches('p').to_owned(),
        None => of["tid"].to_string(),
    };
    Moment { thread, ticks: of["ticks"].as_u64().unwrap() }
}

/// Returns a value of a row, or why it has none.
fn value(of: &Value) -> Result<String, String> {
    match (of["value"].as_str(), of["unknown"].as_str()) {
        (Some(shown), _) => text(shown),
        (None, why) => Err(why.map_or_else(|| of.to_string(), str::to_owned)),
    }
}

/// Returns a value as text; what is not there is none.
fn text(shown: &str) -> Result<String, String> {
    let is_lost =
        shown.starts_with('<') && ["optimized out", "not", "unavailable"].iter().any(|word| shown.contains(word));
    if is_lost { Err(shown.to_owned()) } else { Ok(shown.to_owned()) }
}
