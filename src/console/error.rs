//! What a command says instead of an answer.

use super::inquiry::Inquiry;

/// Why a command was not carried out.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// In GDB's words where GDB has some.
    #[error("{0}")]
    Said(String),
    /// GDB has a command that is not here: what does the same depends on who asks, see [`Error::words`].
    #[error("\"{command}\" does not exist here")]
    Absent {
        /// With the command that it belongs to: `info proc`.
        command: String,
        /// What there is.
        elsewhere: Elsewhere,
    },
    /// rr is gone: no further command will work.
    #[error("{0}")]
    Ended(engine::Error),
}

/// What the console leaves to the program around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Elsewhere {
    /// Ending the session.
    Leaving,
    /// Reading much memory.
    Memory,
    /// Searching source text.
    SourceSearch,
    /// Making another recording.
    Recording,
    /// Listing the processes of a recording.
    Processes,
    /// Carrying out several commands.
    Script,
    /// Writing files.
    Files,
    /// Running other programs.
    Shell,
    /// Answering a question about the whole recording.
    WholeRecording(Inquiry),
}

impl Error {
    /// Returns the error in words for somebody who knows by what names things are done `elsewhere`.
    pub fn words(&self, elsewhere: impl Fn(Elsewhere) -> &'static str) -> String {
        match self {
            Self::Absent { elsewhere: wanted, .. } => format!("{self}: {}.", elsewhere(*wanted)),
            _ => self.to_string(),
        }
    }

    /// Creates an error with these words.
    pub(super) fn said(words: impl Into<String>) -> Self {
        Self::Said(words.into())
    }
}

impl From<engine::Error> for Error {
    fn from(error: engine::Error) -> Self {
        use engine::Error as E;
        Self::Said(match error {
            E::Ended(_) | E::Over(_) | E::Exited { .. } => return Self::Ended(error),
            E::NoFrame { asked, .. } => format!("No frame at level {asked}."),
            E::NoThread { asked, .. } => match asked.parse::<u32>() {
                Ok(number) => format!("Unknown thread {number}."),
                Err(_) => format!("Invalid thread ID: {asked}"),
            },
            E::NoBreakpoint { asked, .. } => format!("No breakpoint number {asked}."),
            E::NoCheckpoint { asked, .. } => format!("No checkpoint number {asked}."),
            E::Outermost { .. } => "\"finish\" not meaningful in the outermost frame.".to_owned(),
            E::NoFunction(_) => "Cannot find bounds of current function".to_owned(),
            E::NoRegister { asked, .. } => format!("Invalid register `{asked}'"),
            E::Expression(words) | E::NoSymbol { words, .. } | E::NoType { words, .. } | E::NeedsCall { words } => {
                sentence(&words)
            }
            E::BadCondition { reason, .. } => sentence(&reason),
            E::NoLocation { ref text, ref reason, .. } => location(text, reason),
            other => other.to_string(),
        })
    }
}

/// Puts the words of the expression evaluator as GDB does; where it points at the mistake is left out.
pub(super) fn sentence(text: &str) -> String {
    let mut lines = text.lines();
    let line = lines.next().unwrap_or_default();
    if line.starts_with("expected ") {
        // The line below shows the expression, the one below that points at the mistake.
        let (expression, marks) = (lines.next().unwrap_or_default(), lines.next().unwrap_or_default());
        let rest: String = expression.chars().skip(marks.chars().take_while(|c| *c == ' ').count()).collect();
        return format!("A syntax error in expression, near `{}'.", rest.trim_end());
    }
    if let Some(name) = line.strip_prefix("no type named \"").and_then(|rest| rest.strip_suffix('"'))
        && let Some((kind @ ("struct" | "union" | "enum"), name)) = name.split_once(' ')
    {
        return format!("No {kind} type named {name}.");
    }
    // They begin with a name of the program's.
    if [" is an incomplete type", " is not a structure or union", " cannot be converted to an integer"]
        .iter()
        .any(|end| line.ends_with(end))
    {
        return line.to_owned();
    }
    let mut letters = line.chars();
    let capital: String = letters.next().map(char::to_uppercase).into_iter().flatten().chain(letters).collect();
    let ends = ["No symbol", "There is no member", "Wrong number of arguments", "Malformed argument list"];
    let ends = ends.iter().any(|beginning| capital.starts_with(beginning));
    if ends && !capital.ends_with('.') { format!("{capital}.") } else { capital }
}

/// Returns what is said of a `location` that nothing loaded has.
fn location(text: &str, reason: &str) -> String {
    let (file, rest) = match text.rsplit_once(':') {
        Some((file, rest)) if !file.ends_with(':') => (Some(file), rest.trim()),
        _ => (None, text.trim()),
    };
    let is_line = rest.bytes().all(|b| b.is_ascii_digit());
    match file {
        Some(file) if reason.starts_with("no source file") => format!("No source file named {file}."),
        Some(file) if is_line => format!("No line {rest} in file \"{file}\"."),
        None if is_line => format!("No line {rest} in the current file."),
        Some(file) if reason.starts_with("no function") => format!("Function \"{rest}\" not defined in \"{file}\"."),
        None if reason.starts_with("no function") => format!("Function \"{rest}\" not defined."),
        _ => reason.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(error: engine::Error) -> String {
        Error::from(error).to_string()
    }

    #[test]
    fn errors_are_gdbs() {
        let expression = |text: &str| words(engine::Error::Expression(text.to_owned()));
        assert_eq!(
            expression("no symbol \"x\" in current context\n  x + 1\n  ^"),
            "No symbol \"x\" in current context."
        );
        assert_eq!(
            expression("expected an expression, found the end\n  1 +\n     ^"),
            "A syntax error in expression, near `'."
        );
        assert_eq!(
            expression("expected an expression, found \"@\"\n  1 + @ 2\n      ^"),
            "A syntax error in expression, near `@ 2'."
        );
        assert_eq!(expression("no type named \"struct s\"\n  struct s"), "No struct type named s.");
        assert_eq!(expression("cannot access memory at address 0x0"), "Cannot access memory at address 0x0");
        // Names are the program's.
        assert_eq!(expression("vt is an incomplete type\n  sizeof(vt)"), "vt is an incomplete type");
        let place = |text: &str, reason: &str| {
            words(engine::Error::NoLocation { text: text.to_owned(), reason: reason.to_owned(), later: true })
        };
        assert_eq!(place("nosuch", "no function `nosuch` in a"), "Function \"nosuch\" not defined.");
        assert_eq!(place("a::b", "no function `a::b` in a"), "Function \"a::b\" not defined.");
        assert_eq!(place("x.c:3", "no source file `x.c` in a"), "No source file named x.c.");
        assert_eq!(place("a.c:300", "no code for line 300 of `a.c`"), "No line 300 in file \"a.c\".");
        assert_eq!(place("999", "no code for line 999 of `a.c`"), "No line 999 in the current file.");
        assert_eq!(place("a.c:f", "no function `f` in a file `a.c`"), "Function \"f\" not defined in \"a.c\".");
        assert_eq!(words(engine::Error::NoFrame { asked: 7, count: 2 }), "No frame at level 7.");
        let ended = Error::from(engine::Error::Ended("it is gone".to_owned()));
        assert!(matches!(ended, Error::Ended(_)));
    }
}
