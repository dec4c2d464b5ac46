//! Why code was executed, as JSON and as text.

use questions::{Decision, Moment, Source, Summary, Turned, Why};
use rmcp::schemars::{self, JsonSchema};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt;

/// Most different values of a variable that are listed.
const MOST_VALUES: usize = 4;

/// What decided.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct DecisionView {
    /// `branch`; `switch`; `call`: it did not return; `end`: the execution ended there; `never_called`; `handler`: an
    /// exception leads there.
    pub(crate) kind: &'static str,
    /// `list.c:42 (insert)`
    pub(crate) place: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) text: Option<String>,
    pub(crate) executed: u64,
    /// How often it went on toward the place.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) toward: Option<u64>,
    /// Of the time that decided, or the last time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) position: Option<String>,
    /// `5 with 16`
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) compared: Option<String>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) values: BTreeMap<String, String>,
    /// All values in the recording: `len was 3 (8 times), 5`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) all_values: Vec<String>,
    /// The function that did not return, or was never called.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) function: Option<String>,
    /// Where that is called from.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) callers: Vec<String>,
}

/// Result of `rr_why`.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct WhyView {
    pub(crate) place: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) text: Option<String>,
    /// How often, in all processes.
    pub(crate) executed: u64,
    /// The execution that is explained.
    pub(crate) position: Option<String>,
    pub(crate) tid: Option<u32>,
    /// The nearest first.
    pub(crate) decisions: Vec<DecisionView>,
    /// Where the function was called.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) caller: Option<String>,
    /// The function's entry.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) called: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) notes: Vec<String>,
}

impl DecisionView {
    fn new(decision: &Decision) -> Self {
        let (kind, function, callers) = match &decision.turned {
            Turned::Branch => ("branch", None, Vec::new()),
            Turned::Table => ("switch", None, Vec::new()),
            Turned::Call(function) => ("call", function.clone(), Vec::new()),
            Turned::Stopped => ("end", None, Vec::new()),
            Turned::NeverCalled(function, callers) => ("never_called", Some(function.clone()), callers.clone()),
            Turned::Handler => ("handler", None, Vec::new()),
        };
        let value = |value: &Result<String, String>| match value {
            Ok(value) => value.clone(),
            Err(why) => format!("<{why}>"),
        };
        let all_values = decision.summaries.iter().filter(|summary| summary.distinct > 1).map(all_values);
        Self {
            kind,
            place: decision.place.clone(),
            text: decision.text.clone(),
            executed: decision.executed,
            toward: decision.toward,
            position: position(decision.at.as_ref()),
            compared: decision.compared.clone(),
            values: decision.values.iter().map(|(name, shown)| (name.clone(), value(shown))).collect(),
            all_values: all_values.collect(),
            function,
            callers,
        }
    }
}

impl WhyView {
    pub(crate) fn new(why: &Why) -> Self {
        Self {
            place: why.place.clone(),
            text: why.text.clone(),
            executed: why.executed,
            position: position(why.at.as_ref()),
            tid: why.at.as_ref().map(|at| at.tid),
            decisions: why.decisions.iter().map(DecisionView::new).collect(),
            caller: why.caller.as_ref().map(Source::to_string),
            called: position(why.called.as_ref()),
            notes: why.facts.notes.clone(),
        }
    }
}

fn position(at: Option<&Moment>) -> Option<String> {
    at?.position().map(|position| position.to_string())
}

/// Says which values an expression had.
fn all_values(summary: &Summary) -> String {
    let times = |(value, count): &(String, u64)| match count {
        1 => value.clone(),
        _ => format!("{value} ({count} times)"),
    };
    let name = &summary.expression;
    let listed: Vec<String> = summary.frequent.iter().take(MOST_VALUES).map(times).collect();
    match &summary.range {
        Some(range) if summary.distinct > MOST_VALUES as u64 => {
            format!("{name} was {} to {}, {} different values", range.least, range.greatest, summary.distinct)
        }
        _ if summary.distinct > MOST_VALUES as u64 => {
            format!("{name} was {} and {} others", listed.join(", "), summary.distinct - MOST_VALUES as u64)
        }
        _ => format!("{name} was {}", listed.join(", ")),
    }
}

fn times(count: u64) -> String {
    match count {
        0 => "never".to_owned(),
        1 => "once".to_owned(),
        count => format!("{count} times"),
    }
}

impl fmt::Display for DecisionView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.text.as_ref().map(|text| format!(": {text}")).unwrap_or_default();
        let function = self.function.as_deref().unwrap_or("it");
        match self.kind {
            "never_called" => {
                write!(f, "\n{function} was never called")?;
                match self.callers.as_slice() {
                    [] => f.write_str("; no instruction calls it by name: only a pointer could lead there")?,
                    callers => write!(f, "; it is called at {}", callers.join(", "))?,
                }
            }
            "handler" => write!(f, "\nonly an exception leads there, in {}", self.place)?,
            "call" => {
                write!(
                    f,
                    "\nthe call of {} at {}{text}",
                    self.function.as_deref().unwrap_or("a function"),
                    self.place
                )?;
                write!(f, "\n  executed {}, and did not return", times(self.executed))?;
            }
            "end" => {
                write!(f, "\nthe execution ended at {}{text}", self.place)?;
                write!(f, "\n  executed {}", times(self.executed))?;
            }
            kind => {
                write!(f, "\ndecided at {}{text}", self.place)?;
                let what = if kind == "switch" { "the jump through a table" } else { "the branch" };
                write!(f, "\n  {what} was executed {}", times(self.executed))?;
                if let Some(toward) = self.toward {
                    write!(f, " and led there {}", times(toward))?;
                }
            }
        }
        let when = match self.toward {
            Some(0) => "the last time",
            _ => "this time",
        };
        let compared = self.compared.iter().map(|compared| format!("compared {compared}"));
        let values = self.values.iter().map(|(name, value)| format!("{name} = {value}"));
        let all: Vec<String> = values.chain(compared).collect();
        if !all.is_empty() {
            write!(f, "\n  {when}: {}", all.join(", "))?;
        }
        self.all_values.iter().try_for_each(|values| write!(f, "\n  {values}"))?;
        match &self.position {
            Some(position) => write!(f, "\n  position {position}"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for WhyView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.text.as_ref().map(|text| format!(": {text}")).unwrap_or_default();
        write!(f, "{}{text}\nexecuted {}", self.place, times(self.executed))?;
        if let (Some(position), Some(tid)) = (&self.position, self.tid) {
            write!(f, "; the last time by thread {tid}, position {position}")?;
        }
        if self.decisions.is_empty() && self.position.is_some() {
            write!(f, "\nno branch of the function decides: it is executed whenever that is called")?;
        }
        self.decisions.iter().try_for_each(|decision| write!(f, "{decision}"))?;
        if let Some(caller) = &self.caller {
            write!(f, "\ncalled from {caller}")?;
            if let Some(called) = &self.called {
                write!(f, ", position {called}")?;
            }
        }
        self.notes.iter().try_for_each(|note| write!(f, "\nnote: {note}"))
    }
}
