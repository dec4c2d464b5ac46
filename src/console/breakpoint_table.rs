//! The table of breakpoints.

use super::catchpoints::listed;
use super::error::Error;
use super::execution::Execution;
use super::frames::wide;
use super::number_list::Numbers;
use engine::model::{Access, BreakpointInfo, BreakpointLocation};

fn times(n: u32) -> String {
    if n == 1 { "1 time".to_owned() } else { format!("{n} times") }
}

impl Execution<'_> {
    pub(super) fn info_breakpoints(&mut self, numbers: &Numbers, watchpoints: bool) -> Result<(), Error> {
        let all = self.engine.breakpoints();
        let wanted = |b: &&BreakpointInfo| {
            (numbers.is_empty() || numbers.contains(b.number)) && (!watchpoints || b.watch.is_some())
        };
        let listed: Vec<BreakpointInfo> = all.iter().filter(wanted).cloned().collect();
        if listed.is_empty() {
            let what = if watchpoints { "watchpoint" } else { "breakpoint or watchpoint" };
            self.say(match numbers.is_empty() {
                true if watchpoints => "No watchpoints.".to_owned(),
                true => "No breakpoints or watchpoints.".to_owned(),
                false => format!("No {what} matching the numbers given."),
            });
            return Ok(());
        }
        let kinds: Vec<&str> = listed.iter().map(|b| self.kind(b)).collect();
        let width = kinds.iter().map(|k| k.len()).max().unwrap_or(0).max(14);
        let address = if all.iter().all(|b| b.watch.is_some()) { 10 } else { 18 };
        self.say(format!("{:<7} {:<width$} Disp Enb {:<address$} What", "Num", "Type", "Address"));
        for (info, kind) in listed.iter().zip(kinds) {
            self.row(info, kind, width, address)?;
        }
        Ok(())
    }

    fn kind(&self, info: &BreakpointInfo) -> &'static str {
        match info.watch {
            Some(Access::Write) => "hw watchpoint",
            Some(Access::Read) => "read watchpoint",
            Some(Access::Access) => "acc watchpoint",
            None if info.catch.is_some() => "catchpoint",
            None if self.state.hints.get(&info.number).is_some_and(|h| h.hardware) => "hw breakpoint",
            None if self.state.hints.get(&info.number).is_some_and(|h| h.prints.is_some()) => "dprintf",
            None => "breakpoint",
        }
    }

    fn row(&mut self, info: &BreakpointInfo, kind: &str, width: usize, column: usize) -> Result<(), Error> {
        let hint = self.state.hints.get(&info.number).cloned().unwrap_or_default();
        let (address, what) = match (info.watch, info.locations.as_slice()) {
            (Some(_), _) if hint.pinned => (String::new(), format!("-location {}", info.location)),
            (Some(_), _) => (String::new(), info.location.clone()),
            (None, _) if info.catch.is_some() => (String::new(), listed(info)),
            (None, []) => ("<PENDING>".to_owned(), info.location.clone()),
            (None, [one]) => (wide(one.address), self.place_text(one)?),
            (None, _) => ("<MULTIPLE>".to_owned(), String::new()),
        };
        let disposition = if info.temporary { "del" } else { "keep" };
        let enabled = if info.enabled { "y" } else { "n" };
        self.say(format!("{:<7} {kind:<width$} {disposition:<4} {enabled:<3} {address:<column$} {what}", info.number));
        if let Some(condition) = &info.condition {
            self.say(format!("\tstop only if {condition}"));
        }
        if let Some(thread) = info.thread {
            let number = self.engine.thread_number(thread);
            self.say(format!("\tstop only in thread {number}"));
        }
        if info.hits > 0 {
            self.say(format!("\tbreakpoint already hit {}", times(info.hits)));
        }
        if info.ignore_count > 0 {
            self.say(format!("\tignore next {} hits", info.ignore_count));
        }
        if let Some(prints) = &hint.prints {
            self.say(format!("        printf {prints}"));
        }
        for line in &hint.commands {
            self.say(format!("        {line}"));
        }
        if info.watch.is_none() && info.catch.is_none() && info.locations.len() > 1 {
            for (i, place) in (1..).zip(&info.locations) {
                let number = format!("{}.{i}", info.number);
                let what = self.place_text(place)?;
                self.say(format!("{number:<7} {:<width$} {:<4} y   {:<column$} {what}", "", "", wide(place.address)));
            }
        }
        Ok(())
    }

    /// Returns where a breakpoint is: `in main at a.c:5`, or the symbol.
    fn place_text(&mut self, place: &BreakpointLocation) -> Result<String, Error> {
        Ok(match (&place.function, &place.file, place.line) {
            (Some(function), Some(file), Some(line)) => format!("in {function} at {file}:{line}"),
            (None, Some(file), Some(line)) => format!("{file}:{line}"),
            _ => match self.engine.symbol_at(place.address)? {
                Some(symbol) if symbol.offset == 0 => format!("<{}>", symbol.name),
                Some(symbol) => format!("<{}+{}>", symbol.name, symbol.offset),
                None => String::new(),
            },
        })
    }
}
