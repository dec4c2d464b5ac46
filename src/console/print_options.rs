//! Options of one `print`: `print -pretty on -- EXPRESSION`. They hold instead of the settings until the value is shown.

use super::error::Error;
use super::execution::Execution;
use super::settings::{count, switch};

/// GDB's options of `print` that do not exist here.
const ABSENT: [&str; 14] = [
    "address",
    "array",
    "array-indexes",
    "characters",
    "max-depth",
    "memory-tag-violations",
    "nibbles",
    "null-stop",
    "raw-values",
    "repeats",
    "static-members",
    "symbol",
    "union",
    "vtbl",
];
/// Those that do.
const PRESENT: [&str; 3] = ["elements", "object", "pretty"];

/// How one value is shown, where that is given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct PrintOptions {
    pub(super) pretty: Option<bool>,
    pub(super) object: Option<bool>,
    /// As many as there are: `u32::MAX`.
    pub(super) elements: Option<u32>,
}

/// Separates the options from what follows them, with or without `--`. What is no option belongs to the expression:
/// `-x` is a negation.
pub(super) fn split(given: &str) -> Result<(PrintOptions, &str), Error> {
    let mut options = PrintOptions::default();
    let mut rest = given.trim_start();
    let has_end = given.split_whitespace().any(|word| word == "--");
    loop {
        let (word, behind) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        let behind = behind.trim_start();
        if word == "--" {
            return Ok((options, behind));
        }
        let Some(name) = word.strip_prefix('-').filter(|name| name.starts_with(|c: char| c.is_ascii_lowercase()))
        else {
            return Ok((options, rest));
        };
        // Abbreviations are options only where `--` says that there are options.
        let is_meant = |option: &&&str| if has_end { option.starts_with(name) } else { **option == name };
        let mut meant = PRESENT.iter().chain(&ABSENT).filter(is_meant);
        let option = match (meant.next(), meant.next()) {
            (Some(option), None) => *option,
            (Some(_), Some(_)) if PRESENT.contains(&name) || ABSENT.contains(&name) => name,
            (Some(_), Some(_)) => return Err(Error::said(format!("-{name}: Ambiguous option."))),
            (None, _) => return Ok((options, rest)),
        };
        let (value, after) = behind.split_once(char::is_whitespace).unwrap_or((behind, ""));
        rest = match option {
            "elements" => {
                options.elements = Some(match count(value)? {
                    None | Some(0) => u32::MAX,
                    Some(most) => most,
                });
                after.trim_start()
            }
            "pretty" | "object" => {
                let is_given = !value.is_empty() && switch(value).is_ok();
                let flag = Some(if is_given { switch(value)? } else { true });
                match option {
                    "pretty" => options.pretty = flag,
                    _ => options.object = flag,
                }
                if is_given { after.trim_start() } else { behind }
            }
            other => {
                let valid = "print takes -pretty [on|off], -object [on|off] and -elements N";
                return Err(Error::said(format!("\"-{other}\" does not exist here: {valid}.")));
            }
        };
    }
}

impl Execution<'_> {
    /// Does something with these options in place of the settings.
    pub(super) fn with_options(
        &mut self,
        options: PrintOptions,
        what: impl FnOnce(&mut Self) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let settings = self.engine.printing();
        let mut print = settings;
        print.pretty = options.pretty.unwrap_or(print.pretty);
        print.object = options.object.unwrap_or(print.object);
        print.elements = options.elements.or(print.elements);
        self.engine.set_printing(print);
        let done = what(self);
        self.engine.set_printing(settings);
        done
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_end_where_the_expression_begins() {
        let pretty = |flag| PrintOptions { pretty: Some(flag), ..PrintOptions::default() };
        for (given, expected, rest) in [
            ("x", PrintOptions::default(), "x"),
            ("-x", PrintOptions::default(), "-x"),
            ("-pretty_one", PrintOptions::default(), "-pretty_one"),
            ("- x", PrintOptions::default(), "- x"),
            ("-- -x", PrintOptions::default(), "-x"),
            ("-pretty on -- x", pretty(true), "x"),
            ("-pretty -- x", pretty(true), "x"),
            ("-pretty off x", pretty(false), "x"),
            ("-pr -- /x on", pretty(true), "/x on"),
            ("-elements 3 -- a", PrintOptions { elements: Some(3), ..PrintOptions::default() }, "a"),
            ("-elements unlimited a", PrintOptions { elements: Some(u32::MAX), ..PrintOptions::default() }, "a"),
        ] {
            assert_eq!(split(given).unwrap(), (expected, rest), "{given}");
        }
        for (given, why) in [
            ("-vtbl -- x", "\"-vtbl\" does not exist here"),
            ("-elements many -- x", "Invalid number \"many\"."),
            ("-e -- x", ""),
            ("-a -- x", "-a: Ambiguous option."),
        ] {
            match split(given) {
                Err(error) => assert!(error.to_string().starts_with(why), "{given}: {error}"),
                Ok(_) => panic!("{given}"),
            }
        }
    }
}
