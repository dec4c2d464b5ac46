//! Where lines come from: a terminal, with completion and history, or a file or pipe.

use super::Debugger;
use base::untrusted::one_line;
use rustyline::completion::{Completer, FilenameCompleter, Pair};
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::DefaultHistory;
use rustyline::validate::Validator;
use rustyline::{CompletionType, Config, Context, Editor, Helper};
use std::cell::RefCell;
use std::io::{self, BufRead, IsTerminal, Write};
use std::path::PathBuf;
use std::rc::Rc;

/// Most lines of history that are kept.
const MAX_HISTORY: usize = 10_000;

/// Completes what is typed, by asking the debugger.
pub(super) struct Completing {
    debugger: Rc<RefCell<Debugger>>,
    files: FilenameCompleter,
}

impl Completer for Completing {
    type Candidate = Pair;

    fn complete(&self, line: &str, at: usize, context: &Context<'_>) -> rustyline::Result<(usize, Vec<Pair>)> {
        let Some(typed) = line.get(..at) else { return Ok((at, Vec::new())) };
        let Ok(mut debugger) = self.debugger.try_borrow_mut() else { return Ok((at, Vec::new())) };
        let Debugger { engine, console } = &mut *debugger;
        match console.complete(engine, typed) {
            Some((begin, found)) => {
                let pair = |word: String| {
                    let word = one_line(&word).into_owned();
                    Pair { display: word.clone(), replacement: word }
                };
                Ok((begin, found.into_iter().map(pair).collect()))
            }
            None => {
                let (begin, found) = self.files.complete(line, at, context)?;
                let pair = |Pair { display, replacement }| {
                    let (display, replacement) = (one_line(&display), one_line(&replacement));
                    Pair { display: display.into_owned(), replacement: replacement.into_owned() }
                };
                Ok((begin, found.into_iter().map(pair).collect()))
            }
        }
    }
}

impl Hinter for Completing {
    type Hint = String;
}
impl Highlighter for Completing {}
impl Validator for Completing {}
impl Helper for Completing {}

/// Where lines come from.
pub(super) enum Prompt {
    /// Somebody types them.
    Typed { editor: Box<Editor<Completing, DefaultHistory>>, prompt: String, history: Option<PathBuf> },
    /// They are read; a prompt only if one was asked for.
    Read { prompt: Option<String> },
}

/// Returns the file that history is kept in; `None`: it is not kept.
fn history_file() -> Option<PathBuf> {
    match std::env::var_os("RETROGRADE_GDB_HISTORY") {
        Some(path) => (!path.is_empty()).then(|| PathBuf::from(path)),
        None => {
            let state = std::env::var_os("XDG_STATE_HOME").filter(|path| !path.is_empty()).map(PathBuf::from);
            let state = state.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".local/state")))?;
            Some(state.join("retrograde/gdb_history"))
        }
    }
}

impl Prompt {
    pub(super) fn new(prompt: Option<String>, debugger: &Rc<RefCell<Debugger>>) -> Result<Self, ReadlineError> {
        if !io::stdin().is_terminal() || !io::stdout().is_terminal() {
            return Ok(Self::Read { prompt });
        }
        let config = Config::builder()
            .auto_add_history(true)
            .max_history_size(MAX_HISTORY)?
            .completion_type(CompletionType::List)
            .completion_prompt_limit(200)
            .build();
        let mut editor = Box::new(Editor::with_config(config)?);
        editor.set_helper(Some(Completing { debugger: debugger.clone(), files: FilenameCompleter::new() }));
        let history = history_file();
        if let Some(file) = &history {
            // The first time there is none.
            let _ = editor.load_history(file);
        }
        Ok(Self::Typed { editor, prompt: prompt.unwrap_or_else(|| "(rr) ".to_owned()), history })
    }

    /// Keeps the lines that were typed, for the next time. That they cannot be kept is no reason to complain.
    pub(super) fn keep_history(&mut self) {
        if let Self::Typed { editor, history: Some(file), .. } = self {
            let made = file.parent().map(std::fs::create_dir_all);
            if made.is_some_and(|made| made.is_ok()) {
                let _ = editor.append_history(file);
            }
        }
    }

    pub(super) fn is_terminal(&self) -> bool {
        matches!(self, Self::Typed { .. })
    }

    /// Reads the next line; `None` at the end of input. `inner`: it belongs to a command that was begun.
    pub(super) fn line(&mut self, inner: bool) -> io::Result<Option<String>> {
        match self {
            Self::Typed { editor, prompt, .. } => loop {
                match editor.readline(if inner { ">" } else { prompt }) {
                    Ok(line) => return Ok(Some(line)),
                    Err(ReadlineError::Interrupted) => println!("Quit"),
                    Err(ReadlineError::Eof) => return Ok(None),
                    Err(ReadlineError::Io(error)) => return Err(error),
                    Err(other) => return Err(io::Error::other(other)),
                }
            },
            Self::Read { prompt } => {
                if let Some(prompt) = prompt {
                    print!("{}", if inner { ">" } else { prompt.as_str() });
                    io::stdout().flush()?;
                }
                let mut line = Vec::new();
                let count = io::stdin().lock().read_until(b'\n', &mut line)?;
                Ok((count > 0).then(|| String::from_utf8_lossy(&line).trim_end_matches('\n').to_owned()))
            }
        }
    }
}
