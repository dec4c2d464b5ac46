//! Who wrote to memory, as JSON and as text.

use crate::mcp::reply::address;
use crate::mcp::tools::questions::probed::{CountView, SearchedView, ends, next, placed};
use arch::RunAddr;
use engine::Object;
use questions::{Access, Author, Before, LastWrites, Moment, Moved, WriteRow, Writes, part_of};
use rmcp::schemars::{self, JsonSchema};
use serde::Serialize;
use std::fmt;

/// A write, or a read.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct WriteView {
    /// For rr_goto: before the instruction that writes or reads. `null`: not known to the instruction.
    pub(crate) position: Option<String>,
    /// The last event of its thread before.
    pub(crate) event: Option<u64>,
    /// The last that it can be, if several are in its tick.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) event_at_most: Option<u64>,
    pub(crate) tid: Option<u32>,
    pub(crate) function: Option<String>,
    pub(crate) file: Option<String>,
    pub(crate) line: Option<u32>,
    /// Who did, in words.
    pub(crate) by: String,
    /// What was written or read: the expression, or a part of it.
    pub(crate) part: String,
    pub(crate) old: String,
    pub(crate) new: String,
    /// `read`; or `read+write`, by one instruction, where both are asked about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) access: Option<&'static str>,
    /// By an instruction that other processors see done at once.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) atomic: bool,
}

impl WriteView {
    fn new(expression: &str, object: &Object, symbol: &dyn Fn(&Moment, u64) -> Option<String>, row: &WriteRow) -> Self {
        Self::of(expression, object, row, &mut |address| row.at.as_ref().and_then(|at| symbol(at, address)))
    }

    /// Creates the view of a row. `symbol` names what is at an address.
    pub(crate) fn of(
        expression: &str,
        object: &Object,
        row: &WriteRow,
        symbol: &mut dyn FnMut(u64) -> Option<String>,
    ) -> Self {
        let offset = row.address.saturating_sub(object.address);
        let part = part_of(&object.value.ty, object.value.bits, offset, row.length);
        let mut symbol = symbol;
        let mut shown = |bytes: &[u8]| part.shown(bytes, object.target, &mut symbol);
        let (old, new) = (shown(&row.before), shown(&row.after));
        let (function, line) = match &row.author {
            Author::Code { function, line } => (function.clone(), line.clone()),
            Author::Buffered | Author::System(_) | Author::SystemOfUnknown => (None, None),
        };
        Self {
            position: row.at.as_ref().and_then(|at| at.position()).map(|position| position.to_string()),
            event: row.at.as_ref().and_then(|at| at.event),
            event_at_most: row.at.as_ref().and_then(|at| at.latest),
            tid: row.at.as_ref().map(|at| at.tid),
            function,
            file: line.as_ref().map(|(file, _)| file.clone()),
            line: line.map(|(_, line)| line),
            by: match row.at.as_ref().map(|at| at.pid).filter(|pid| *pid != object.position.thread.pid) {
                Some(other) => format!("{} in process {other}", row.author),
                None => row.author.to_string(),
            },
            part: named(expression, &part.path),
            old,
            new,
            access: match row.access {
                Access::Write => None,
                Access::Read => Some("read"),
                Access::Both => Some("read+write"),
            },
            atomic: row.is_locked,
        }
    }
}

/// Joins an expression and a path: `p->list` and `[3]` are `p->list[3]`, `*p` and `.x` are `p->x`.
fn named(expression: &str, path: &str) -> String {
    let is_plain = |text: &str| text.chars().all(|c| c.is_alphanumeric() || "_.>-[]:$".contains(c));
    match (expression.strip_prefix('*').filter(|pointer| is_plain(pointer)), path.strip_prefix('.')) {
        _ if path.is_empty() => expression.to_owned(),
        (Some(pointer), Some(member)) => format!("{pointer}->{member}"),
        _ if is_plain(expression) => format!("{expression}{path}"),
        _ => format!("({expression}){path}"),
    }
}

impl WriteView {
    /// Writes it as a row, without what the head of all rows has: the expression of `head`, and who it is by.
    fn write(&self, f: &mut fmt::Formatter<'_>, head: Option<&str>, has_writer: bool) -> fmt::Result {
        match (&self.position, self.event) {
            (Some(position), _) => write!(f, "{position}  ")?,
            (None, Some(event)) => write!(f, "behind event {event}  ")?,
            (None, None) => {}
        }
        if let Some(latest) = self.event_at_most {
            write!(f, "(or an event up to {latest})  ")?;
        }
        if head != Some(&*self.part) {
            write!(f, "{}: ", self.part)?;
        }
        let is_read = self.access == Some("read");
        match is_read {
            true => f.write_str(&self.new),
            false => write!(f, "{} -> {}", self.old, self.new),
        }?;
        match (is_read, has_writer) {
            (true, true) => write!(f, "  read by {}", self.by),
            (true, false) => f.write_str("  read"),
            (false, true) => write!(f, "  by {}", self.by),
            (false, false) => Ok(()),
        }?;
        f.write_str(if self.atomic { ", atomic" } else { "" })
    }
}

impl fmt::Display for WriteView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, None, true)
    }
}

/// Result of `rr_last_write`.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct LastWriteView {
    pub(crate) expression: String,
    pub(crate) address: String,
    pub(crate) size: u64,
    /// `null`: nothing wrote it before.
    pub(crate) write: Option<WriteView>,
    /// The last write that changed something, if that is another one.
    pub(crate) last_change: Option<WriteView>,
    /// How many writes were before the current moment.
    pub(crate) earlier: u64,
    /// In all. `null`: what comes later was not searched.
    pub(crate) matching: Option<u64>,
    pub(crate) searched: SearchedView,
    pub(crate) notes: Vec<String>,
}

impl LastWriteView {
    pub(crate) fn new(
        expression: &str,
        object: &Object,
        writes: &LastWrites,
        (last, change, moved): (Option<WriteRow>, Option<WriteRow>, Option<Moved>),
    ) -> Self {
        let view = |row: &WriteRow| WriteView::new(expression, object, &|at, to| writes.symbol(at, to), row);
        let mut notes = writes.facts.notes.clone();
        let earlier = match writes.before {
            Some(Before::Known(count)) => count,
            Some(Before::Between(least, most)) => {
                notes.push(format!(
                    "{} more writes were in the same tick as the current moment, or between the same events, and memory \
                     is the same before and after them: whether they come before it is not known",
                    most - least
                ));
                least
            }
            None => {
                notes.push(
                    "the current moment is behind the last write that was found: the one before it is not known"
                        .to_owned(),
                );
                writes.matching.unwrap_or_default()
            }
        };
        let is_as_left = last.as_ref().is_none_or(|row| is_as_left(object, row));
        let unseen = match writes.left_out {
            0 => UNSEEN_CHANGES.to_owned(),
            _ => format!("one of the writes that are left out, {UNSEEN_CHANGES}"),
        };
        match &moved {
            Some(moved) => notes.push(format!(
                "{moved}{}",
                if last.is_none() { ": earlier writes were made there" } else { ", behind this write" }
            )),
            None if !is_as_left => notes.push(format!(
                "memory is not as this write has left it: something has changed it since that is not seen here, as \
                 {unseen}; rr_watchpoint_set and rr_continue with reverse may find it"
            )),
            None => {}
        }
        if object.content.is_empty() {
            notes.push("memory cannot be read there now".to_owned());
        } else if last.is_none() && writes.before.is_some() && moved.is_none() {
            let is_zero = object.content.iter().all(|byte| *byte == 0);
            let what = match writes.left_out == 0 && (is_zero || writes.is_of_file()) {
                true => "nothing wrote to it before the current moment: it has what was mapped there, as a file's content or \
                         zeros"
                    .to_owned(),
                false => format!(
                    "nothing that is seen wrote to it before the current moment: the kernel put it there when the program \
                     began, or something has changed it that is not seen here, as {unseen}"
                ),
            };
            let later = if writes.matching == Some(0) { "" } else { "; later writes: rr_history" };
            notes.push(what + later);
        }
        Self {
            expression: expression.to_owned(),
            address: address(RunAddr(object.address)),
            size: object.size,
            write: last.as_ref().map(view),
            last_change: change.as_ref().map(view),
            earlier,
            matching: writes.matching,
            searched: (&writes.facts).into(),
            notes,
        }
    }
}

/// What changes memory without a write that is seen.
const UNSEEN_CHANGES: &str = "mmap, munmap, mremap, madvise, brk, or a file that is mapped";

/// Returns whether memory has now what a write has left there, as far as both are known.
pub(super) fn is_as_left(object: &Object, row: &WriteRow) -> bool {
    let offset = row.address.checked_sub(object.address).and_then(|offset| usize::try_from(offset).ok());
    let now = offset.and_then(|offset| object.content.get(offset..));
    now.is_none_or(|now| now.iter().zip(&row.after).all(|(now, left)| now == left))
}

impl fmt::Display for LastWriteView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.write {
            Some(write) => write!(f, "{write}")?,
            None => write!(f, "{} at {}: no write is known before the current moment", self.expression, self.address)?,
        }
        if let Some(change) = &self.last_change {
            write!(f, "\nthat changed nothing; the last change: {change}")?;
        }
        write!(f, "\n{} writes before the current moment", self.earlier)?;
        if let Some(all) = self.matching {
            write!(f, ", {all} in all")?;
        }
        write!(f, "; {}", self.searched)?;
        ends(f, None, &self.notes)
    }
}

/// What is not seen of reads.
pub(crate) const UNSEEN: &str = "what system calls read is not seen, unless rr has buffered them";

fn what(access: Access) -> &'static str {
    match access {
        Access::Write => "writes",
        Access::Read => "reads",
        Access::Both => "accesses",
    }
}

/// Result of `rr_history`.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct HistoryView {
    pub(crate) expression: String,
    pub(crate) address: String,
    #[schemars(skip)]
    pub(crate) size: u64,
    /// `reads`, or `accesses`, if these are told.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) what: Option<&'static str>,
    pub(crate) matching: u64,
    /// How many of them changed something.
    #[schemars(skip)]
    pub(crate) changes: u64,
    /// Who did so most.
    #[schemars(skip)]
    pub(crate) writers: Vec<CountView>,
    pub(crate) rows: Vec<WriteView>,
    /// The offset of what follows, if not all is shown.
    pub(crate) next_offset: Option<u64>,
    pub(crate) searched: SearchedView,
    pub(crate) notes: Vec<String>,
}

impl HistoryView {
    pub(crate) fn new(expression: &str, object: &Object, writes: &Writes, rows: Vec<WriteRow>, offset: u64) -> Self {
        let view = |row: &WriteRow| WriteView::new(expression, object, &|at, to| writes.symbol(at, to), row);
        let mut notes = writes.facts.notes.clone();
        if writes.writers.1 > 0 {
            notes.push(format!("{} {} were by others than those counted", writes.writers.1, what(writes.access())));
        }
        if writes.access().reads() {
            notes.push(UNSEEN.to_owned());
        }
        Self {
            expression: expression.to_owned(),
            address: address(RunAddr(object.address)),
            size: object.size,
            what: Some(what(writes.access())).filter(|what| *what != "writes"),
            matching: writes.matching,
            changes: writes.changes,
            writers: writes.writers.0.iter().map(Into::into).collect(),
            rows: rows.iter().map(view).collect(),
            next_offset: next(offset, rows.len(), writes.matching),
            searched: (&writes.facts).into(),
            notes,
        }
    }
}

impl fmt::Display for HistoryView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (what, to) = (self.what.unwrap_or("writes"), if self.what == Some("reads") { "of" } else { "to" });
        write!(f, "{} {what} {to} {} ({} bytes at {})", self.matching, self.expression, self.size, self.address)?;
        write!(f, ", {} changed it; {}", self.changes, self.searched)?;
        let has_writer = placed(f, "by", &self.writers, (self.rows.len(), self.matching))?;
        for row in &self.rows {
            f.write_str("\n")?;
            row.write(f, Some(&self.expression), has_writer)?;
        }
        ends(f, self.next_offset, &self.notes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_named_as_they_are_written() {
        let cases = [
            (("total", ""), "total"),
            (("p->list", "[3]"), "p->list[3]"),
            (("*p", ".x"), "p->x"),
            (("*p", "[3]"), "(*p)[3]"),
            (("*(struct s *) 0x1000", ".x"), "(*(struct s *) 0x1000).x"),
            (("a", "+3"), "a+3"),
        ];
        for ((expression, path), expected) in cases {
            assert_eq!(named(expression, path), expected);
        }
    }
}
