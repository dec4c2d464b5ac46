//! How functions were called, in a whole recording.

use super::error::Result;
use super::filter::filtered;
use super::location::Location;
use super::position::Position;
use super::questions::{Questions, position};
use super::rows::Rows;
use super::value::{Unknown, Value};
use base::cancel::Cancel;
use questions::{CallRow, CallsQuery, Ending, Named};
use std::fmt;

/// A question about the calls of a function, which [`ask`](CallsBuilder::ask) answers.
#[derive(Clone, Debug)]
#[must_use = "nothing is asked until `ask` is called"]
pub struct CallsBuilder {
    asks: Questions,
    query: CallsQuery,
}

/// The calls of a function in a whole recording.
#[derive(Debug)]
pub struct Calls {
    answer: questions::Calls,
    cancel: Cancel,
}

/// A call of a function.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Call {
    /// The name of the function.
    pub function: String,
    /// Its parameters by their names, then the expressions that were asked for.
    pub arguments: Vec<(String, Result<Value<'static>, Unknown>)>,
    /// What it returned; `None` if that is nothing, or if the function did not return.
    pub result: Option<Result<Value<'static>, Unknown>>,
    /// How it ended.
    pub end: CallEnd,
    /// Where it was called.
    pub caller: Caller,
    /// Where in the recording it begins; `None` if that is not known to the instruction.
    pub at: Option<Position>,
    /// The process that called it, by the number that it had when it was recorded.
    pub process: u32,
    /// The thread that called it, by the number that it had when it was recorded.
    pub thread: u32,
    /// How many other calls of the requested functions enclose this one.
    pub depth: u32,
}

/// How a call ended.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum CallEnd {
    /// It returned: where, if that is known to the instruction.
    Returned(Option<Position>),
    /// It jumped to another function, which returned for it: which one, if that is known.
    TailCall(Option<String>),
    /// It did not return: an exception or `longjmp` left it, its thread or the recording ended.
    Unfinished,
}

/// The code that a call returns to.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Caller {
    /// Its function.
    pub function: Option<String>,
    /// Its line.
    pub location: Option<Location>,
    /// The return address.
    pub address: u64,
}

impl Call {
    /// Returns the value of the parameter, or of the expression, of this name; `None` if there is none, or its value is
    /// unknown.
    pub fn argument(&self, name: &str) -> Option<&Value<'static>> {
        self.arguments.iter().find(|(own, _)| own == name).and_then(|(_, value)| value.as_ref().ok())
    }
}

/// `store (slot=8, value=1000) = 7`
impl fmt::Display for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (", self.function)?;
        for (number, (name, value)) in self.arguments.iter().enumerate() {
            write!(f, "{}{name}=", if number == 0 { "" } else { ", " })?;
            write_value(f, value)?;
        }
        f.write_str(")")?;
        if let Some(result) = &self.result {
            f.write_str(" = ")?;
            write_value(f, result)?;
        }
        Ok(())
    }
}

fn write_value(f: &mut fmt::Formatter<'_>, value: &Result<Value<'static>, Unknown>) -> fmt::Result {
    match value {
        Ok(value) => write!(f, "{value}"),
        Err(why) => write!(f, "{why}"),
    }
}

impl From<CallRow> for Call {
    fn from(row: CallRow) -> Self {
        let value = |value: Result<_, String>| value.map(Value::of_row).map_err(Unknown::Other);
        let source = row.caller;
        Self {
            at: position(&row.at),
            process: row.at.pid,
            thread: row.at.tid,
            function: row.function,
            arguments: row.arguments.into_iter().map(|argument| (argument.name, value(argument.value))).collect(),
            result: row.result.map(value),
            end: match &row.ending {
                Ending::Returned(moment) => CallEnd::Returned(position(moment)),
                Ending::TailCall(to) => CallEnd::TailCall(to.clone()),
                Ending::Unfinished => CallEnd::Unfinished,
            },
            caller: Caller {
                location: Location::new(source.file.as_deref(), None, source.line, None),
                function: source.function,
                address: source.address,
            },
            depth: row.depth,
        }
    }
}

impl Questions {
    /// Asks for the calls of a function: their arguments, results, callers, and which never returned. A call of an
    /// inlined copy is none.
    ///
    /// ```
    /// # fn main() -> retrograde::Result<()> {
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/example.rs"));
    /// # let mut replay = retrograde::Replay::open("app-0")?;
    /// let calls = replay.calls("pressure").ask()?;
    /// let first: Vec<_> = calls.iter().take(3).collect::<Result<_, _>>()?;
    /// let results: Vec<i32> = first.iter().filter_map(|call| call.result.as_ref()?.as_ref().ok()?.try_into().ok()).collect();
    /// assert_eq!(results, [1000, 1000, 999]);
    /// let hours: Vec<String> = first.iter().filter_map(|call| Some(call.argument("hour")?.to_string())).collect();
    /// assert_eq!(hours, ["0", "3", "6"]);
    /// assert_eq!(calls.total(), calls.iter().count() as u64);
    /// # Ok(())
    /// # }
    /// ```
    pub fn calls(&self, function: impl Into<String>) -> CallsBuilder {
        CallsBuilder { asks: self.clone(), query: CallsQuery { function: function.into(), ..CallsQuery::default() } }
    }

    /// Asks for the calls of all functions whose readable names match a regular expression.
    pub fn calls_matching(&self, pattern: impl Into<String>) -> CallsBuilder {
        let query = CallsQuery { function: pattern.into(), is_pattern: true, ..CallsQuery::default() };
        CallsBuilder { asks: self.clone(), query }
    }
}

filtered!(CallsBuilder);

impl CallsBuilder {
    /// Evaluates an expression at each call, where its arguments are.
    pub fn value(mut self, expression: impl Into<String>) -> Self {
        self.query.values.push(expression.into());
        self
    }

    /// Asks only for calls for which a condition holds; `$return` in it is what the call returned.
    pub fn when(mut self, condition: impl Into<String>) -> Self {
        self.query.condition = Some(condition.into());
        self
    }

    /// Asks only for calls that did not return, neither themselves nor by a tail call.
    pub fn unfinished(mut self) -> Self {
        self.query.only_unfinished = true;
        self
    }

    /// Finds the calls, by a replay with soft counters.
    ///
    /// # Errors
    /// [`ErrorKind::NoLocation`](crate::ErrorKind::NoLocation) if there is no such function. Others if
    /// an expression makes no sense there, the recording cannot be replayed, or it is [cancelled](crate::Cancel).
    pub fn ask(self) -> Result<Calls> {
        let Self { asks, query } = self;
        asks.check_cancel()?;
        let answer = questions::Calls::ask(&asks.rr, &asks.recording, &query, &asks.cancel)?;
        Ok(Calls { answer, cancel: asks.cancel })
    }
}

impl Calls {
    /// Returns how many calls there are.
    pub fn total(&self) -> u64 {
        self.answer.matching
    }

    /// Returns how many of them returned.
    pub fn returned(&self) -> u64 {
        self.answer.returned
    }

    /// Returns how many of them did not.
    pub fn unfinished(&self) -> u64 {
        self.answer.unfinished
    }

    /// Returns for how many further calls, not in the total, it is not known whether the condition holds.
    pub fn undecided(&self) -> u64 {
        self.answer.unjudged
    }

    /// Returns the greatest [depth](Call::depth) of a call.
    pub fn deepest(&self) -> u32 {
        self.answer.deepest
    }

    /// Returns how often each function was called.
    pub fn functions(&self) -> impl Iterator<Item = (&str, u64)> {
        self.answer.functions.iter().map(counted)
    }

    /// Returns who called how often, the most frequent first, at most twenty.
    pub fn callers(&self) -> impl Iterator<Item = (&str, u64)> {
        self.answer.callers.iter().map(counted)
    }

    /// Returns what the answer may lack, in sentences.
    pub fn notes(&self) -> &[String] {
        &self.answer.facts.notes
    }

    /// Returns the calls, in the order in which they began.
    pub fn iter(&self) -> Rows<'_, Call> {
        Rows::new(self.answer.rows(), |first, most| {
            Ok(self.answer.page(first, most, &self.cancel)?.into_iter().map(Call::from).collect())
        })
    }
}

impl<'a> IntoIterator for &'a Calls {
    type Item = Result<Call>;
    type IntoIter = Rows<'a, Call>;

    fn into_iter(self) -> Rows<'a, Call> {
        self.iter()
    }
}

fn counted(named: &Named) -> (&str, u64) {
    (&named.name, named.count)
}
