//! Who has written, or read: code, or the system.

use crate::error::Error;
use crate::hits::Moment;
use crate::program::Program;
use arch::RunAddr;
use base::cancel::Cancel;
use std::collections::BTreeMap;
use std::path::Path;

/// What rr's library in the program does is done for it: mostly, to buffer a system call; but it also takes the place
/// of functions, as of `pthread_mutex_lock`.
pub(crate) const BY_RR: &str = "rr's library, for a system call that it buffers or a function that it replaces";

/// Who has written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Author {
    /// Code of the program or of its libraries.
    Code {
        /// The function, or where in a symbol it is.
        function: Option<String>,
        /// The file and the line.
        line: Option<(String, u32)>,
    },
    /// rr's library in the program, for a system call that it buffers or a function that it replaces.
    Buffered,
    /// No code: a system call's results, a signal's frame, or what rr restores. With the name of the system call, if
    /// there is only one that it can be.
    System(Option<String>),
    /// The same, of a thread that is not known.
    SystemOfUnknown,
}

/// As in `store at table.c:33`.
impl std::fmt::Display for Author {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Code { function: Some(function), line: Some((file, line)) } => {
                write!(f, "{function} at {file}:{line}")
            }
            Self::Code { function: Some(function), line: None } => f.write_str(function),
            Self::Code { function: None, line: Some((file, line)) } => write!(f, "{file}:{line}"),
            Self::Code { function: None, line: None } => f.write_str("code of no known file"),
            Self::Buffered => f.write_str(BY_RR),
            Self::System(Some(name)) => write!(f, "the system call {name}"),
            Self::System(None) => f.write_str("a system call, or a signal that comes or returns"),
            Self::SystemOfUnknown => {
                f.write_str("a system call, or a signal that comes or returns, of a thread that is not known")
            }
        }
    }
}

/// Returns who has written at `pc`, or read.
pub(crate) fn author(program: &Program, pc: Option<u64>, at: &Moment) -> Result<Author, Error> {
    let Some(pc) = pc else { return Ok(Author::System(None)) };
    if rr::is_own_page(pc) {
        return Ok(Author::Buffered);
    }
    let event = at.event.map_or(u64::MAX, |event| event.saturating_add(1));
    let Some((module, bias)) = program.at(at.pid, event, pc) else {
        return Ok(Author::Code { function: None, line: None });
    };
    if module.is_rr {
        return Ok(Author::Buffered);
    }
    let link = RunAddr(pc).linked(bias);
    program.ask(|| {
        // Of the innermost of the functions that are inlined here, as the line is.
        let inlined = module.image.inline_chain(link).into_iter().next().map(|frame| frame.name);
        let function = inlined.or_else(|| module.image.function_at(link).map(|function| function.name));
        let function = function.or_else(|| program.symbol(at.pid, event, pc));
        let function = function.or_else(|| Some(format!("{}+{:#x}", module.name, link.0)));
        let line = module.line(link).map(|(_, file, line)| (file, line));
        Author::Code { function, line }
    })
}

/// The system calls that have written, which are looked for in one reading of the trace.
#[derive(Debug, Default)]
pub(super) struct Calls(BTreeMap<(u32, u64, u64), Sought>);

/// What happened to a thread between two events.
#[derive(Debug, Default)]
struct Sought {
    /// The rows of which it is asked.
    rows: Vec<usize>,
    /// How much: system calls, and signals.
    count: u64,
    name: Option<String>,
}

impl Calls {
    /// Takes note that a row asks what happened to a thread between these events.
    pub(super) fn ask(&mut self, row: usize, tid: u32, (from, to): (u64, u64)) {
        self.0.entry((tid, from, to)).or_default().rows.push(row);
    }

    /// Takes note that something happened.
    fn take(&mut self, tid: u32, event: u64, name: Option<&str>) {
        for (_, sought) in self.0.range_mut((tid, 0, 0)..=(tid, event, u64::MAX)).filter(|((.., to), _)| event <= *to) {
            sought.count += 1;
            sought.name = name.map(str::to_owned);
        }
    }

    /// Gives rows with the system call that has written, if there is only one that it can be.
    pub(super) fn names(mut self, trace: &Path, cancel: &Cancel) -> Result<Vec<(usize, String)>, Error> {
        let from = self.0.keys().map(|(_, from, _)| *from).min();
        let to = self.0.keys().map(|(.., to)| *to).max();
        let (Some(from), Some(to)) = (from, to) else { return Ok(Vec::new()) };
        let query = rr::TimelineQuery::between(from, to, [rr::Topic::Call, rr::Topic::Signal]);
        rr::happenings(trace, &query, cancel, &mut |row| {
            let name = match &row.what {
                rr::Happening::Call(call) => Some(call.name.as_str()),
                _ => None,
            };
            self.take(row.tid, row.event, name);
        })?;
        let only = self.0.into_values().filter(|sought| sought.count == 1);
        let named = only.filter_map(|sought| Some((sought.rows, sought.name?)));
        Ok(named.flat_map(|(rows, name)| rows.into_iter().map(move |row| (row, name.clone()))).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_system_call_is_named_where_nothing_else_happened_in_its_tick() {
        let mut calls = Calls::default();
        for (row, span) in [(0, (1, 5)), (1, (6, 9)), (2, (1, 5)), (3, (20, u64::MAX))].into_iter() {
            calls.ask(row, 7, span);
        }
        for (tid, event, name) in
            [(7, 5, Some("read")), (8, 5, Some("write")), (7, 6, Some("pipe")), (7, 9, None), (7, 15, Some("brk"))]
        {
            calls.take(tid, event, name);
        }
        let told: Vec<_> = calls.0.values().map(|sought| (sought.rows.clone(), sought.count)).collect();
        assert_eq!(told, [(vec![0, 2], 1), (vec![1], 2), (vec![3], 0)]);
        let nothing = Calls::default().names(Path::new("/nonexistent"), &Cancel::new());
        assert!(nothing.unwrap().is_empty(), "no trace is read for nothing");
    }
}
