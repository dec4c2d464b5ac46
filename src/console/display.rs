//! Expressions that are shown at each stop.

use super::error::Error;
use super::execution::Execution;
use super::format_letters::UnitLetters;
use super::number_list::Numbers;

/// Most displays.
const MAX_DISPLAYS: usize = 100;

/// An expression that is shown at each stop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Display {
    number: u32,
    letters: UnitLetters,
    expression: String,
    /// The same with the macros of the place where it was set: in GDB, too, they mean the same everywhere.
    expanded: String,
    enabled: bool,
    /// The function whose variables it names: elsewhere it is not shown.
    home: Option<String>,
}

impl Display {
    /// Returns whether it is of `x/FMT`: memory rather than a value.
    fn is_memory(&self) -> bool {
        self.letters.size.is_some() || self.letters.count.is_some() || matches!(self.letters.format, Some('i' | 's'))
    }

    /// Returns the format, `/x `, as it is repeated in front of the expression.
    fn slash(&self) -> String {
        let UnitLetters { count, format, size } = self.letters;
        let count = count.filter(|n| *n != 1).map(|n| n.to_string()).unwrap_or_default();
        let letters: String = format.into_iter().chain(size).collect();
        if count.is_empty() && letters.is_empty() { String::new() } else { format!("/{count}{letters} ") }
    }
}

impl Execution<'_> {
    pub(super) fn display(&mut self, letters: UnitLetters, expression: Option<&str>) -> Result<(), Error> {
        let Some(expression) = expression else {
            return self.show_displays();
        };
        if self.state.displays.len() >= MAX_DISPLAYS {
            return Err(Error::said(format!("There are {MAX_DISPLAYS} displays already.")));
        }
        let expanded = self.engine.expand_macros(expression)?.unwrap_or_else(|| expression.to_owned());
        let home = self.names_a_local(&expanded)?;
        self.state.last_display += 1;
        let number = self.state.last_display;
        let display = Display { number, letters, expression: expression.to_owned(), expanded, enabled: true, home };
        // What cannot be shown now is a mistake.
        if !display.is_memory() {
            self.value(expression, letters.format)?;
        }
        self.state.displays.push(display.clone());
        self.show_display(&display)
    }

    /// Returns the function of the selected frame if the expression names one of its variables.
    fn names_a_local(&mut self, expression: &str) -> Result<Option<String>, Error> {
        let words = expression.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$'));
        let words: Vec<&str> = words.filter(|w| !w.is_empty()).collect();
        let locals = self.engine.variables()?;
        let named = locals.iter().any(|l| words.contains(&l.variable.name.as_str()));
        if !named {
            return Ok(None);
        }
        Ok(self.engine.frame_detail(self.engine.frame_level())?.frame.function)
    }

    pub(super) fn show_displays(&mut self) -> Result<(), Error> {
        for display in self.state.displays.clone() {
            if display.enabled {
                self.show_display(&display)?;
            }
        }
        Ok(())
    }

    fn show_display(&mut self, display: &Display) -> Result<(), Error> {
        if let Some(home) = &display.home {
            let here = self.engine.frame_detail(self.engine.frame_level())?.frame.function;
            if here.as_ref() != Some(home) {
                return Ok(());
            }
        }
        let Display { number, letters, expression, expanded, .. } = display;
        if display.is_memory() {
            self.say(format!("{number}: x{}{expression}", display.slash()));
            if let Err(error) = self.examine(*letters, Some(expanded)) {
                self.say(format!("<error: {error}>"));
            }
            return Ok(());
        }
        let value = match self.value(expanded, letters.format) {
            Ok(shown) => shown.value,
            Err(error) => format!("<error: {}>", error),
        };
        self.say(format!("{number}: {}{expression} = {value}", display.slash()));
        Ok(())
    }

    pub(super) fn undisplay(&mut self, numbers: &Numbers) -> Result<(), Error> {
        if numbers.is_empty() {
            if self.confirm("Delete all auto-display expressions? (y or n) ")? {
                self.state.displays.clear();
            }
            return Ok(());
        }
        self.each_display(numbers, |displays, number| displays.retain(|d| d.number != number))
    }

    pub(super) fn switch_displays(&mut self, on: bool, numbers: &Numbers) -> Result<(), Error> {
        if numbers.is_empty() {
            self.state.displays.iter_mut().for_each(|d| d.enabled = on);
            return Ok(());
        }
        self.each_display(numbers, |displays, number| {
            displays.iter_mut().filter(|d| d.number == number).for_each(|d| d.enabled = on);
        })
    }

    fn each_display(&mut self, numbers: &Numbers, change: impl Fn(&mut Vec<Display>, u32)) -> Result<(), Error> {
        let known: Vec<u32> = self.state.displays.iter().map(|d| d.number).collect();
        let (found, missing) = numbers.split(&known);
        found.iter().for_each(|number| change(&mut self.state.displays, *number));
        match missing.first() {
            Some(number) => Err(Error::said(format!("No display number {number}."))),
            None => Ok(()),
        }
    }

    pub(super) fn info_display(&mut self) {
        if self.state.displays.is_empty() {
            self.say("There are no auto-display expressions now.");
            return;
        }
        self.say("Auto-display expressions now in effect:\nNum Enb Expression");
        for display in self.state.displays.clone() {
            let enabled = if display.enabled { 'y' } else { 'n' };
            self.say(format!("{}:   {enabled}  {}{}", display.number, display.slash(), display.expression));
        }
    }
}
