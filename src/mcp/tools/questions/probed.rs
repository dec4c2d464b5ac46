//! Answers of one replay without a debugger, as JSON and as text.

use crate::mcp::reply::address;
use arch::RunAddr;
use questions::{
    Argument, CallRow, Calls, Ending, Facts, Moment, Named, NoValue, Shown, Source, Summary, Trace, TraceRow,
};
use rmcp::schemars::{self, JsonSchema};
use serde::Serialize;
use std::fmt;

/// Something with a name, and how often it was.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct CountView {
    pub(crate) name: String,
    pub(crate) count: u64,
}

impl From<&Named> for CountView {
    fn from(named: &Named) -> Self {
        Self { name: named.name.clone(), count: named.count }
    }
}

/// What was searched.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct SearchedView {
    /// Events that were replayed.
    pub(crate) events: u64,
    /// That this took.
    pub(crate) seconds: f64,
    /// How often a place was come to.
    pub(crate) hits: u64,
    /// The execution was not searched to its end: there are more hits than are written down.
    pub(crate) truncated: bool,
}

impl From<&Facts> for SearchedView {
    fn from(facts: &Facts) -> Self {
        let seconds = (facts.took.as_secs_f64() * 1e3).round() / 1e3;
        Self { events: facts.events, seconds, hits: facts.hits, truncated: facts.is_truncated }
    }
}

impl fmt::Display for SearchedView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "replayed {} events in {:.3} s", self.events, self.seconds)
    }
}

/// An expression with its value.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct ValueView {
    pub(crate) name: String,
    pub(crate) value: Option<String>,
    /// Why it has none.
    pub(crate) unknown: Option<String>,
}

impl ValueView {
    fn new(name: &str, value: &Result<Shown, String>) -> Self {
        let (value, unknown) = match value {
            Ok(value) => (Some(value.text.clone()), None),
            Err(why) => (None, Some(why.clone())),
        };
        Self { name: name.to_owned(), value, unknown }
    }
}

impl From<&Argument> for ValueView {
    fn from(argument: &Argument) -> Self {
        Self::new(&argument.name, &argument.value)
    }
}

impl fmt::Display for ValueView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.value, &self.unknown) {
            (Some(value), _) => write!(f, "{}={value}", self.name),
            (None, Some(why)) => write!(f, "{}=<{why}>", self.name),
            (None, None) => f.write_str(&self.name),
        }
    }
}

/// Where a call comes from.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct CallerView {
    pub(crate) function: Option<String>,
    pub(crate) file: Option<String>,
    pub(crate) line: Option<u32>,
    /// Where it returns to.
    pub(crate) address: String,
}

impl From<&Source> for CallerView {
    fn from(source: &Source) -> Self {
        Self {
            function: source.function.clone(),
            file: source.file.clone(),
            line: source.line,
            address: address(RunAddr(source.address)),
        }
    }
}

/// A call.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct CallView {
    /// For rr_goto, where it began. `null`: not known to the instruction.
    pub(crate) position: Option<String>,
    /// The last event of its thread before.
    pub(crate) event: Option<u64>,
    /// The last that it can be, if several are in its tick.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) event_at_most: Option<u64>,
    pub(crate) ticks: u64,
    pub(crate) pid: u32,
    pub(crate) tid: u32,
    pub(crate) function: String,
    pub(crate) arguments: Vec<ValueView>,
    /// `returned`, `tail_call` or `unfinished`.
    pub(crate) ending: &'static str,
    /// The function that it left to by a tail call, whose return is not seen.
    pub(crate) left_to: Option<String>,
    pub(crate) result: Option<String>,
    /// Why the result is not known.
    pub(crate) result_unknown: Option<String>,
    /// Where it returned.
    pub(crate) returned_at: Option<String>,
    pub(crate) caller: CallerView,
    /// How many other calls of these functions it is in.
    pub(crate) depth: u32,
    /// One of these never returned: it may have been left before.
    #[serde(skip_serializing_if = "crate::mcp::reply::is_default")]
    #[schemars(default)]
    pub(crate) depth_doubtful: bool,
    /// By a tail call of the one before: caller is that one's.
    #[serde(skip_serializing_if = "crate::mcp::reply::is_default")]
    #[schemars(default)]
    pub(crate) tail_called: bool,
}

impl From<&CallRow> for CallView {
    fn from(row: &CallRow) -> Self {
        let (ending, left_to, returned_at) = match &row.ending {
            Ending::Returned(moment) => ("returned", None, spelled(moment)),
            Ending::TailCall(to) => ("tail_call", to.clone(), None),
            Ending::Unfinished => ("unfinished", None, None),
        };
        let (result, result_unknown) = match &row.result {
            Some(Ok(value)) => (Some(value.text.clone()), None),
            Some(Err(why)) => (None, Some(why.clone())),
            None => (None, None),
        };
        let Moment { event, latest, ticks, pid, tid, .. } = row.at;
        Self {
            position: spelled(&row.at),
            event,
            event_at_most: latest,
            ticks,
            pid,
            tid,
            function: row.function.clone(),
            arguments: row.arguments.iter().map(Into::into).collect(),
            ending,
            left_to,
            result,
            result_unknown,
            returned_at,
            caller: (&row.caller).into(),
            depth: row.depth,
            depth_doubtful: row.depth_is_doubtful,
            tail_called: row.is_tail_called,
        }
    }
}

impl CallView {
    /// Writes a call as a row, with its caller unless the head of all rows has that.
    fn write(&self, f: &mut fmt::Formatter<'_>, has_caller: bool) -> fmt::Result {
        let arguments: Vec<String> = self.arguments.iter().map(ToString::to_string).collect();
        begins(f, self.position.as_deref(), self.event_at_most, (self.ticks, self.pid, self.tid))?;
        write!(f, "{}({})", self.function, arguments.join(", "))?;
        match (self.ending, &self.result, &self.result_unknown) {
            ("returned", Some(value), _) => write!(f, " = {value}")?,
            ("returned", None, Some(why)) => write!(f, " = <{why}>")?,
            ("returned", None, None) => {}
            ("tail_call", ..) => write!(f, " left by a tail call of {}", self.left_to.as_deref().unwrap_or("another"))?,
            _ => f.write_str(" unfinished")?,
        }
        if has_caller {
            let caller = &self.caller;
            write!(f, "  from {}", caller.function.as_deref().unwrap_or(&caller.address))?;
            if let (Some(file), Some(line)) = (&caller.file, caller.line) {
                write!(f, " at {file}:{line}")?;
            }
        }
        if self.depth > 0 {
            let doubt = if self.depth_doubtful { "at most " } else { "" };
            write!(f, "  depth {doubt}{}", self.depth)?;
        }
        Ok(())
    }
}

impl fmt::Display for CallView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, true)
    }
}

/// Result of `rr_calls`.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct CallsView {
    pub(crate) searched: SearchedView,
    /// Calls that match.
    pub(crate) matching: u64,
    pub(crate) returned: u64,
    /// Left by an exception, by longjmp, or by the end of their thread or of the recording.
    #[schemars(skip)]
    pub(crate) unfinished: u64,
    /// Calls of which it cannot be said whether they match.
    #[serde(skip_serializing_if = "crate::mcp::reply::is_default")]
    #[schemars(default)]
    pub(crate) unjudged: u64,
    /// The greatest depth.
    #[schemars(skip)]
    pub(crate) deepest: u32,
    /// How many of these calls each function has.
    pub(crate) functions: Vec<CountView>,
    /// Who called, the most frequent first.
    #[schemars(skip)]
    pub(crate) callers: Vec<CountView>,
    /// How many each process has that has such a function, if there are several processes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(skip)]
    pub(crate) processes: Vec<CountView>,
    pub(crate) rows: Vec<CallView>,
    /// The offset of what follows, if not all is shown.
    pub(crate) next_offset: Option<u64>,
    /// What may be missing.
    pub(crate) notes: Vec<String>,
}

/// Returns the offset of what follows.
pub(crate) fn next(offset: u64, shown: usize, all: u64) -> Option<u64> {
    let end = offset.saturating_add(shown as u64);
    (shown > 0 && end < all).then_some(end)
}

impl CallsView {
    pub(crate) fn new(calls: &Calls, rows: &[CallRow], offset: u64) -> Self {
        Self {
            searched: (&calls.facts).into(),
            matching: calls.matching,
            returned: calls.returned,
            unfinished: calls.unfinished,
            unjudged: calls.unjudged,
            deepest: calls.deepest,
            functions: calls.functions.iter().take(FUNCTIONS).map(Into::into).collect(),
            callers: calls.callers.iter().map(Into::into).collect(),
            processes: calls.processes.iter().map(Into::into).collect(),
            rows: rows.iter().map(Into::into).collect(),
            next_offset: next(offset, rows.len(), calls.rows()),
            notes: calls.facts.notes.clone(),
        }
    }
}

/// Returns a position as rr_goto takes it, if it is known.
fn spelled(at: &Moment) -> Option<String> {
    at.position().map(|position| position.to_string())
}

/// Writes how a row begins: with its position, or with what else tells where it is.
fn begins(
    f: &mut fmt::Formatter<'_>,
    position: Option<&str>,
    latest: Option<u64>,
    (ticks, pid, tid): (u64, u32, u32),
) -> fmt::Result {
    match position {
        Some(position) => write!(f, "{position}  ")?,
        None => write!(f, "in tick {ticks} of {pid}.{tid}  ")?,
    }
    latest.map_or(Ok(()), |latest| write!(f, "(or an event up to {latest})  "))
}

/// Functions that are counted by name.
const FUNCTIONS: usize = 20;

pub(crate) fn counted(f: &mut fmt::Formatter<'_>, what: &str, counts: &[CountView]) -> fmt::Result {
    for count in counts {
        write!(f, "\n{:>9} {what} {}", count.count, count.name)?;
    }
    Ok(())
}

/// Says where some of all that matches are, if the rows do not: returns whether each row has to name its place.
pub(crate) fn placed(
    f: &mut fmt::Formatter<'_>,
    what: &str,
    counts: &[CountView],
    (rows, matching): (usize, u64),
) -> Result<bool, fmt::Error> {
    match counts {
        [only] if rows > 1 && only.count == matching => {
            write!(f, "\nall {what} {}", only.name)?;
            Ok(false)
        }
        _ if rows as u64 == matching => Ok(true),
        _ => counted(f, what, counts).map(|()| true),
    }
}

pub(crate) fn ends(f: &mut fmt::Formatter<'_>, next_offset: Option<u64>, notes: &[String]) -> fmt::Result {
    if let Some(next) = next_offset {
        write!(f, "\nmore: offset {next}")?;
    }
    notes.iter().try_for_each(|note| write!(f, "\n{note}"))
}

impl fmt::Display for CallsView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} calls match, {} returned, {} unfinished", self.matching, self.returned, self.unfinished)?;
        if self.unjudged > 0 {
            write!(f, ", of {} it cannot be said whether they match", self.unjudged)?;
        }
        write!(f, "; {}", self.searched)?;
        if self.functions.len() > 1 && (self.rows.len() as u64) < self.matching {
            counted(f, "of", &self.functions)?;
        }
        if self.processes.len() > 1 {
            counted(f, "in", &self.processes)?;
        }
        let has_caller = placed(f, "from", &self.callers, (self.rows.len(), self.matching))?;
        for row in &self.rows {
            f.write_str("\n")?;
            row.write(f, has_caller)?;
        }
        ends(f, self.next_offset, &self.notes)
    }
}

/// A hit.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct HitView {
    /// For rr_goto. `null`: not known to the instruction.
    pub(crate) position: Option<String>,
    /// The last event of its thread before.
    pub(crate) event: Option<u64>,
    /// The last that it can be, if several are in its tick.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) event_at_most: Option<u64>,
    pub(crate) ticks: u64,
    pub(crate) pid: u32,
    pub(crate) tid: u32,
    pub(crate) place: String,
    pub(crate) values: Vec<ValueView>,
}

impl HitView {
    fn new(row: &TraceRow, expressions: &[String]) -> Self {
        let Moment { event, latest, ticks, pid, tid, .. } = row.at;
        let value = |(name, value): (&String, &Result<Shown, NoValue>)| match value {
            // A note says it once.
            Err(NoValue { is_noted: true, .. }) => ValueView::new(name, &Err("see the notes".to_owned())),
            value => ValueView::new(name, &value.clone().map_err(|no| no.why)),
        };
        let values = expressions.iter().zip(&row.values).map(value);
        let (position, event_at_most, place) = (spelled(&row.at), latest, row.place.clone());
        Self { position, event, event_at_most, ticks, pid, tid, place, values: values.collect() }
    }
}

impl HitView {
    /// Writes a hit as a row, with its place unless the head of all rows has that.
    fn write(&self, f: &mut fmt::Formatter<'_>, has_place: bool) -> fmt::Result {
        begins(f, self.position.as_deref(), self.event_at_most, (self.ticks, self.pid, self.tid))?;
        let place = has_place.then(|| self.place.clone());
        let parts: Vec<String> = place.into_iter().chain(self.values.iter().map(ToString::to_string)).collect();
        f.write_str(&parts.join("  "))
    }
}

/// Numbers between two powers of two.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct BucketView {
    pub(crate) from: f64,
    /// Not this one itself.
    pub(crate) to: f64,
    pub(crate) count: u64,
}

/// What the values of an expression were.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct SummaryView {
    pub(crate) expression: String,
    /// How often it had a value.
    pub(crate) count: u64,
    /// How often it had none.
    pub(crate) without: u64,
    /// Different values.
    pub(crate) distinct: u64,
    /// There are more than are told apart.
    #[serde(skip_serializing_if = "crate::mcp::reply::is_default")]
    #[schemars(default)]
    pub(crate) more_distinct: bool,
    /// The most frequent.
    pub(crate) frequent: Vec<CountView>,
    /// Of numbers.
    pub(crate) least: Option<String>,
    pub(crate) greatest: Option<String>,
    pub(crate) histogram: Vec<BucketView>,
}

impl From<&Summary> for SummaryView {
    fn from(summary: &Summary) -> Self {
        let frequent = summary.frequent.iter().map(|(name, count)| CountView { name: name.clone(), count: *count });
        let bucket = |b: &questions::Bucket| BucketView { from: b.from, to: b.to, count: b.count };
        Self {
            expression: summary.expression.clone(),
            count: summary.count,
            without: summary.without,
            distinct: summary.distinct,
            more_distinct: summary.more,
            frequent: frequent.collect(),
            least: summary.range.as_ref().map(|range| range.least.clone()),
            greatest: summary.range.as_ref().map(|range| range.greatest.clone()),
            histogram: summary.histogram.iter().map(bucket).collect(),
        }
    }
}

impl fmt::Display for SummaryView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let more = if self.more_distinct { "more than " } else { "" };
        write!(f, "{}: {} values, {more}{} different", self.expression, self.count, self.distinct)?;
        if self.without > 0 {
            write!(f, ", {} times none", self.without)?;
        }
        if let (Some(least), Some(greatest)) = (&self.least, &self.greatest) {
            write!(f, ", {least} to {greatest}")?;
        }
        counted(f, "times", &self.frequent)?;
        self.histogram.iter().try_for_each(|b| {
            // Below zero a bucket goes away from it, too.
            let end = if b.to < b.from { "above" } else { "below" };
            write!(f, "\n{:>9} from {} to {end} {}", b.count, b.from, b.to)
        })
    }
}

/// Result of `rr_trace` and `rr_first`.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct TraceView {
    pub(crate) searched: SearchedView,
    /// Hits that match.
    pub(crate) matching: u64,
    /// Hits of which it cannot be said whether they match.
    #[serde(skip_serializing_if = "crate::mcp::reply::is_default")]
    #[schemars(default)]
    pub(crate) unjudged: u64,
    /// How many of these hits each place has.
    pub(crate) places: Vec<CountView>,
    pub(crate) summaries: Vec<SummaryView>,
    pub(crate) rows: Vec<HitView>,
    /// The offset of what follows, if not all is shown.
    pub(crate) next_offset: Option<u64>,
    /// What may be missing.
    pub(crate) notes: Vec<String>,
}

impl TraceView {
    pub(crate) fn new(trace: &Trace, rows: &[TraceRow], offset: u64) -> Self {
        Self {
            searched: (&trace.facts).into(),
            matching: trace.matching,
            unjudged: trace.unjudged,
            places: trace.places.iter().take(FUNCTIONS).map(Into::into).collect(),
            summaries: trace.summaries.iter().map(Into::into).collect(),
            rows: rows.iter().map(|row| HitView::new(row, &trace.expressions)).collect(),
            next_offset: next(offset, rows.len(), trace.rows()),
            notes: trace.facts.notes.clone(),
        }
    }
}

impl fmt::Display for TraceView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let verb = if self.matching == 1 { "matches" } else { "match" };
        write!(f, "{} of {} hits {verb}", self.matching, self.searched.hits)?;
        if self.unjudged > 0 {
            write!(f, ", of {} it cannot be said", self.unjudged)?;
        }
        write!(f, "; {}", self.searched)?;
        // A place alone is a row.
        let shown = if self.rows.iter().all(|row| row.values.is_empty()) { 0 } else { self.rows.len() };
        let has_place = placed(f, "at", &self.places, (shown, self.matching))?;
        self.summaries.iter().try_for_each(|summary| write!(f, "\n{summary}"))?;
        for row in &self.rows {
            f.write_str("\n")?;
            row.write(f, has_place)?;
        }
        ends(f, self.next_offset, &self.notes)
    }
}
