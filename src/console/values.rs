//! Values and types: `print`, `call`, `output`, `ptype`, `whatis`.

use super::error::{Error, sentence};
use super::execution::Execution;
use super::format_letters::Letters;
use super::state::Calls;
use engine::{
    self,
    model::{Contents, Evaluated, Show},
};

/// Convenience variables that GDB always has, and that have no value yet.
const VOID: [&str; 4] = ["$_", "$__", "$_exitcode", "$bpnum"];

impl Execution<'_> {
    /// Evaluates an expression, in a format.
    pub(super) fn value(&mut self, expression: &str, format: Option<char>) -> Result<Evaluated, Error> {
        Ok(self.engine.evaluate(expression, Show { format, ..Show::default() })?)
    }

    pub(super) fn print(&mut self, letters: Letters, expression: Option<&str>) -> Result<(), Error> {
        let expression = expression.unwrap_or("$");
        if let Some((name, value)) = assignment(expression) {
            self.set_convenience(name, value)?;
            return self.print(letters, Some(&format!("${name}")));
        }
        if expression == "$_exception" && !self.engine.has_variable("_exception") {
            let why = "it is known at a stop of `catch throw` or `catch catch`, if debug info describes its type";
            self.say(format!("{expression} is void: {why}."));
            return Ok(());
        }
        let history = expression.strip_prefix('$');
        if let Some(number) = history.filter(|rest| rest.is_empty() || rest.bytes().all(|b| b.is_ascii_digit()))
            && !self.engine.has_variable(number)
        {
            return Err(Error::said(match number {
                "" => "The value history is empty.".to_owned(),
                n => format!("History has not yet reached ${n}."),
            }));
        }
        if VOID.contains(&expression) && !self.engine.has_variable(expression.trim_start_matches('$')) {
            self.say(format!("{expression} is void: it has no value yet."));
            return Ok(());
        }
        let (number, shown) = match self.engine.print(expression, letters.format) {
            Err(engine::Error::NeedsCall { words }) => return self.print_called(letters, expression, &words),
            printed => printed?,
        };
        let value = match shown.value.parse() {
            Ok(value) if expression.trim() == "$eflags" && letters.format.is_none() => {
                super::machine_code::flags(value)
            }
            _ => shown.value,
        };
        self.say(format!("${number} = {value}"));
        Ok(())
    }

    pub(super) fn call(&mut self, letters: Letters, expression: &str) -> Result<(), Error> {
        // What is called for its effects is called; `(void)x` is nothing to show.
        let is_void = self.engine.type_of(expression, None).is_ok_and(|ty| ty.name == "void");
        let mut is_called =
            || matches!(self.engine.evaluate(expression, Show::default()), Err(engine::Error::NeedsCall { .. }));
        if is_void && !is_called() {
            return Ok(());
        }
        self.print(letters, Some(expression))
    }

    /// Evaluates an expression that calls functions, in a copy of the program. `words`: why it cannot be evaluated
    /// without.
    fn print_called(&mut self, letters: Letters, expression: &str, words: &str) -> Result<(), Error> {
        match self.state.calls {
            Calls::Allowed => {}
            Calls::Off => return Err(Error::said(sentence(words))),
            Calls::Refused(how) => return Err(Error::said(format!("{}\n{how}", sentence(words)))),
        }
        let called = self.engine.call(expression, letters.format)?;
        if !called.output.is_empty() {
            let line = if called.output.ends_with('\n') { "" } else { "\n" };
            self.terminal.say(&format!("{}{line}", called.output));
        }
        if let (Some(number), Some(shown)) = (called.number, called.value) {
            self.say(format!("${number} = {}", shown.value));
        }
        self.say("(called in a copy of the program, which is gone: nothing of it stays)");
        Ok(())
    }

    pub(super) fn output(&mut self, letters: Letters, expression: &str) -> Result<(), Error> {
        let shown = self.value(expression, letters.format)?;
        self.terminal.say(&shown.value);
        Ok(())
    }

    pub(super) fn type_of(&mut self, listed: Option<Contents>, raw: bool, of: Option<&str>) -> Result<(), Error> {
        let found = self.engine.type_of(of.unwrap_or("$"), listed)?;
        let real = of.and_then(|of| self.real_type(of)).map(|real| format!("/* real type = {real} */\n"));
        let real = real.unwrap_or_default();
        let has_offsets = listed.is_some_and(|listed| listed.offsets) && found.is_record;
        let heading = if has_offsets { "/* offset      |    size */  " } else { "" };
        let text = match listed {
            Some(_) if raw => found.definition,
            Some(_) => engine::shortened_types(&found.definition),
            None => found.name,
        };
        self.say(format!("{heading}type = {real}{text}"));
        Ok(())
    }

    /// Finds what a pointer or reference really leads to, if that is to be told: of a variable, as in GDB.
    fn real_type(&mut self, variable: &str) -> Option<String> {
        let is_name = variable.chars().all(|c| c.is_alphanumeric() || c == '_');
        if !is_name || !self.engine.printing().object {
            return None;
        }
        let shown = self.engine.evaluate(variable, Show::default()).ok()?;
        let sign = shown.ty.trim_end().trim_end_matches("const").trim_end().chars().last();
        let sign = sign.filter(|sign| matches!(sign, '*' | '&')).map(|sign| format!(" {sign}"));
        Some(format!("{}{}", shown.dynamic_type?, sign.unwrap_or_default()))
    }

    pub(super) fn set_convenience(&mut self, name: &str, expression: &str) -> Result<(), Error> {
        if name.bytes().all(|b| b.is_ascii_digit() || b == b'$') {
            return Err(Error::said(format!("${name} belongs to the value history and cannot be set.")));
        }
        if self.engine.registers(Some(&[name.to_owned()])).is_ok() {
            let why = "recordings are immutable: a replay cannot change a register";
            return Err(Error::said(format!("Cannot set ${name}: {why}.")));
        }
        Ok(self.engine.set_variable(name, expression)?)
    }
}

/// Parses `$name = value`, the one assignment that changes no program.
fn assignment(expression: &str) -> Option<(&str, &str)> {
    let rest = expression.trim().strip_prefix('$')?;
    let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_'))?;
    let (name, rest) = rest.split_at(end);
    let value = rest.trim_start().strip_prefix('=')?;
    (!name.is_empty() && !value.starts_with('=') && !value.trim().is_empty()).then(|| (name, value.trim()))
}

#[cfg(test)]
mod tests {
    use super::assignment;

    #[test]
    fn only_convenience_variables_are_assigned_to() {
        assert_eq!(assignment("$foo = 3"), Some(("foo", "3")));
        assert_eq!(assignment("$foo=x+1"), Some(("foo", "x+1")));
        for other in ["$foo == 3", "$foo", "x = 3", "$ = 3", "$foo =", "*$foo = 3", "$foo + 1"] {
            assert_eq!(assignment(other), None, "{other}");
        }
    }
}
