//! Changing and deleting breakpoints.

use super::error::Error;
use super::execution::Execution;
use super::number_list::Numbers;
use super::script::{Collected, Purpose};
use engine::model::BreakpointInfo;

/// Returns the words `Will ignore next 2 crossings of breakpoint 1.`
pub(super) fn will_ignore(number: u32, count: u32) -> String {
    match count {
        0 => format!("Will stop next time breakpoint {number} is reached."),
        1 => format!("Will ignore next crossing of breakpoint {number}."),
        n => format!("Will ignore next {n} crossings of breakpoint {number}."),
    }
}

impl Execution<'_> {
    /// Returns the breakpoints that were named, all if none was; and an error that tells which do not exist, for later.
    fn named(&mut self, numbers: &Numbers) -> (Vec<u32>, Result<(), Error>) {
        let known: Vec<u32> = self.engine.breakpoints().iter().map(|b| b.number).collect();
        if numbers.is_empty() {
            return (known, Ok(()));
        }
        let (found, missing) = numbers.split(&known);
        let told: Vec<String> = missing.iter().map(|n| format!("No breakpoint number {n}.")).collect();
        (found, if told.is_empty() { Ok(()) } else { Err(Error::said(told.join("\n"))) })
    }

    pub(super) fn delete(&mut self, numbers: &Numbers) -> Result<(), Error> {
        let (found, missing) = self.named(numbers);
        if numbers.is_empty() && !found.is_empty() && !self.confirm("Delete all breakpoints? (y or n) ")? {
            return Ok(());
        }
        for number in found {
            self.engine.remove_breakpoint(number)?;
            self.state.hints.remove(&number);
        }
        missing
    }

    pub(super) fn clear(&mut self, location: Option<&str>) -> Result<(), Error> {
        let wanted = match location {
            Some(location) => {
                let meant = self.meant(location)?;
                self.engine.locations(&meant).map_err(|error| self.nowhere(location, error))?
            }
            None => {
                let level = self.engine.frame_level();
                let stack = self.engine.backtrace(level, 1, false)?;
                let place = stack.frames.first().and_then(|f| Some(format!("{}:{}", f.fullname.as_ref()?, f.line?)));
                let place = place.ok_or_else(|| Error::said("No source file specified."))?;
                self.engine.locations(&place)?
            }
        };
        let is_there = |b: &&BreakpointInfo| {
            b.watch.is_none()
                && b.locations.iter().any(|p| {
                    wanted.iter().any(|w| {
                        w.address == p.address || (w.line.is_some() && w.line == p.line && w.fullname == p.fullname)
                    })
                })
        };
        let numbers: Vec<u32> = self.engine.breakpoints().iter().filter(is_there).map(|b| b.number).collect();
        if numbers.is_empty() {
            let place = location.unwrap_or("this line");
            return Err(Error::said(format!("No breakpoint at {place}.")));
        }
        for number in &numbers {
            self.engine.remove_breakpoint(*number)?;
            self.state.hints.remove(number);
        }
        let list: Vec<String> = numbers.iter().map(u32::to_string).collect();
        let plural = if numbers.len() == 1 { "" } else { "s" };
        self.say(format!("Deleted breakpoint{plural} {} ", list.join(" ")));
        Ok(())
    }

    pub(super) fn ignore(&mut self, number: u32, count: &str) -> Result<(), Error> {
        let count = u32::try_from(self.number(count)?.max(0)).unwrap_or(u32::MAX);
        self.engine.set_ignore_count(number, count)?;
        self.say(will_ignore(number, count));
        Ok(())
    }

    pub(super) fn condition(&mut self, number: u32, condition: Option<&str>) -> Result<(), Error> {
        self.engine.set_condition(number, condition)?;
        if condition.is_none() {
            self.say(format!("Breakpoint {number} now unconditional."));
        }
        Ok(())
    }

    pub(super) fn switch(&mut self, on: bool, numbers: &Numbers) -> Result<(), Error> {
        let (found, missing) = self.named(numbers);
        for number in found {
            self.engine.set_enabled(number, on)?;
        }
        missing
    }

    /// Has the lines that follow belong to a breakpoint.
    pub(super) fn begin_commands(&mut self, number: Option<u32>) -> Result<(), Error> {
        let number = self.commanded(number)?;
        self.state.collecting = Some(Collected::new(Purpose::Commands(number)));
        Ok(())
    }

    /// Returns the breakpoint that lines within others are for.
    pub(super) fn with_commands(&mut self, text: &str) -> Result<u32, Error> {
        let number = match text {
            "" => None,
            text => Some(u32::try_from(self.number(text)?).map_err(|_| Error::said("Bad breakpoint number."))?),
        };
        self.commanded(number)
    }

    fn commanded(&self, number: Option<u32>) -> Result<u32, Error> {
        let number = number.or(self.state.last_breakpoint).ok_or_else(|| Error::said("No breakpoints specified."))?;
        match self.engine.breakpoint(number) {
            Some(_) => Ok(number),
            None => Err(Error::said(format!("No breakpoint number {number}."))),
        }
    }
}
