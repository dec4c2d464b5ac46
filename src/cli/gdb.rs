//! `retrograde gdb TRACE`: GDB's commands at a prompt, for people; or from files and pipes, for scripts.

use super::interrupt::{INTERRUPTED, catch_interrupts};
use crate::cancel::Cancel;
use crate::console::{Answer, Console, Elsewhere, Error, Flow, Terminal};
use crate::engine::model::{ReplayOptions, Timeouts};
use crate::engine::{self, Engine};
use crate::rr::Rr;
use lexopt::prelude::*;
use rustyline::error::ReadlineError;
use rustyline::{Config, DefaultEditor};
use std::ffi::OsString;
use std::fs;
use std::io::{self, BufRead, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

pub(super) const HELP: &str = "\
GDB's commands on a recording, forward and backward in time, without a GDB.

Usage: retrograde gdb [TRACE] [OPTIONS]

TRACE is a trace directory; rr's latest by default. Without a terminal, commands are read from stdin, one a line.

Options:
  -p, --pid PID      The recorded process to debug (default: the first)
      --patience SECONDS  How long to replay up to that process at most (default: 3600)
  -x, --command FILE Carry out the commands of a file; several may be given
      --ex COMMAND   Carry out a command, in one order with the files
      --batch        Leave after those
      --prompt TEXT  What to print when a command is expected (default: `(rr) `; nothing without a terminal)
  -q, --quiet        Do not print what the program prints
  -h, --help         Print this

Ctrl-C stops a run where it is, and cancels a question.
The exit status is 1 if a command failed that was not typed at the prompt.
";

/// Most that is read of a file of commands.
const MAX_SCRIPT: u64 = 1 << 20;

/// What the command line asks for.
#[derive(Debug, Default, PartialEq, Eq)]
struct Wishes {
    trace: Option<PathBuf>,
    pid: Option<u32>,
    patience: Option<u32>,
    scripts: Vec<Script>,
    batch: bool,
    prompt: Option<String>,
    quiet: bool,
    help: bool,
}

#[derive(Debug, PartialEq, Eq)]
enum Script {
    File(PathBuf),
    Command(String),
}

/// Opens the recording, carries out commands, and ends with the last one.
pub(super) fn run(words: &[OsString]) -> Result<ExitCode, Box<dyn std::error::Error>> {
    let wishes = read(words)?;
    if wishes.help {
        print!("{HELP}");
        return Ok(ExitCode::SUCCESS);
    }
    catch_interrupts();
    let rr = Rr::find()?;
    let rr = if wishes.quiet { rr } else { rr.echoing() };
    let options = ReplayOptions { trace: wishes.trace, pid: wishes.pid };
    let mut engine = start(&rr, &options, wishes.patience)?;
    engine.set_cancel(&Cancel::on_flag(&INTERRUPTED));
    engine.take_said().iter().for_each(|note| eprintln!("warning: {note}"));
    let mut prompt = Prompt::new(wishes.prompt)?;
    let mut console = Console::new();
    console.allow_calls();
    let mut conversation = Conversation { engine: &mut engine, console, failed: false };
    conversation.greet();
    let mut flow = Flow::GoOn;
    for script in &wishes.scripts {
        flow = match script {
            Script::Command(line) => conversation.line(line),
            Script::File(path) => conversation.file(path),
        };
        if flow == Flow::Quit {
            break;
        }
    }
    if flow != Flow::Quit && !wishes.batch {
        conversation.talk(&mut prompt)?;
    }
    let failed = conversation.failed;
    engine.stop();
    Ok(if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// Starts the replay. To come to its process may take as long as it took to record what was before: that is told on a
/// terminal, and cancelled at Ctrl-C.
fn start(rr: &Rr, options: &ReplayOptions, patience: Option<u32>) -> Result<Engine, engine::Error> {
    let mut timeouts = Timeouts::default();
    timeouts.reach = patience.map_or(timeouts.reach, |seconds| Duration::from_secs(seconds.into()));
    let way = Arc::new(Way { pid: options.pid, since: Instant::now(), told: AtomicU64::new(0), is_over: false.into() });
    let told = way.clone();
    let teller = way.pid.is_some().then(|| std::thread::spawn(move || told.tell_on()));
    let started = Engine::start(&rr.with_cancel(&Cancel::on_flag(&INTERRUPTED)), options, timeouts);
    way.end();
    if let Some(teller) = teller {
        teller.thread().unpark();
        // All that it does is print.
        let _ = teller.join();
    }
    way.end_line();
    started
}

/// The way to the process that is to be debugged.
struct Way {
    pid: Option<u32>,
    since: Instant,
    /// The seconds that were told last.
    told: AtomicU64,
    is_over: AtomicBool,
}

impl Way {
    /// Short ones are not worth a word.
    const SHORT: u64 = 1;
    const LOOK: Duration = Duration::from_millis(200);

    /// Tells how long it has taken, until it is over.
    fn tell_on(&self) {
        while !self.is_over.load(Ordering::Relaxed) {
            self.tell();
            std::thread::park_timeout(Self::LOOK);
        }
    }

    fn tell(&self) {
        let Some(pid) = self.pid.filter(|_| io::stderr().is_terminal()) else { return };
        let seconds = self.since.elapsed().as_secs();
        if seconds >= Self::SHORT && self.told.swap(seconds, Ordering::Relaxed) != seconds {
            eprint!("\rReplaying up to process {pid}: {seconds} s (Ctrl-C gives it up) ");
        }
    }

    fn end(&self) {
        self.is_over.store(true, Ordering::Relaxed);
    }

    fn end_line(&self) {
        if self.told.load(Ordering::Relaxed) > 0 {
            eprintln!();
        }
    }
}

fn read(words: &[OsString]) -> Result<Wishes, Box<dyn std::error::Error>> {
    // GDB's own spelling of its long options has one dash.
    let gdb = |word: &OsString| match word.to_str() {
        Some("-ex") => "--ex".into(),
        Some("-batch") => "--batch".into(),
        Some("-quiet") => "--quiet".into(),
        Some("-nx" | "--nx" | "-n") => OsString::new(),
        _ => word.clone(),
    };
    let words: Vec<OsString> = words.iter().map(gdb).filter(|word| !word.is_empty()).collect();
    let mut parser = lexopt::Parser::from_args(words);
    let mut wishes = Wishes::default();
    while let Some(argument) = parser.next()? {
        match argument {
            Short('h') | Long("help") => wishes.help = true,
            Short('p') | Long("pid") => wishes.pid = Some(parser.value()?.parse()?),
            Long("patience") => wishes.patience = Some(parser.value()?.parse()?),
            Short('x') | Long("command") => wishes.scripts.push(Script::File(parser.value()?.into())),
            Long("ex") => wishes.scripts.push(Script::Command(parser.value()?.string()?)),
            Long("batch") => wishes.batch = true,
            Long("prompt") => wishes.prompt = Some(parser.value()?.string()?),
            Short('q') | Long("quiet") => wishes.quiet = true,
            Value(trace) if wishes.trace.is_none() => wishes.trace = Some(trace.into()),
            other => return Err(other.unexpected().into()),
        }
    }
    Ok(wishes)
}

/// Output as it is made, so that it stands in one order with what rr prints of the program.
struct Screen {
    /// Whether somebody is there to be asked.
    asks: bool,
}

impl Terminal for Screen {
    fn say(&mut self, text: &str) {
        print!("{text}");
        // A reader that has gone away is noticed at the end of input.
        let _ = io::stdout().flush();
    }

    fn asks(&self) -> bool {
        self.asks
    }

    fn ask(&mut self, question: &str, default: Option<Answer>) -> Answer {
        loop {
            self.say(question);
            let Some(answer) = typed() else {
                self.say("\n");
                return Answer::Cancelled;
            };
            match (answer.trim_start().chars().next().map(|c| c.to_ascii_lowercase()), default) {
                (Some('y'), _) => return Answer::Yes,
                (Some('n'), _) => return Answer::No,
                (None, _) if answer.is_empty() => {
                    let assumed = default.unwrap_or(Answer::Yes);
                    self.say(&format!("EOF [assumed {}]\n", if assumed == Answer::Yes { "Y" } else { "N" }));
                    return assumed;
                }
                (None, Some(default)) => return default,
                _ => self.say("Please answer y or n.\n"),
            }
        }
    }
}

/// Reads a line that is typed outside of the prompt; empty at the end of input, `None` at Ctrl-C.
fn typed() -> Option<String> {
    /// How often to look whether Ctrl-C was pressed, should the signal not end the waiting.
    const LOOK: libc::c_int = 100;
    loop {
        if INTERRUPTED.load(Ordering::Relaxed) {
            return None;
        }
        let mut stdin = libc::pollfd { fd: libc::STDIN_FILENO, events: libc::POLLIN, revents: 0 };
        // SAFETY: one structure, which the kernel fills in.
        if unsafe { libc::poll(&raw mut stdin, 1, LOOK) } > 0 {
            let mut line = String::new();
            // What cannot be read is the end of input.
            let _ = io::stdin().lock().read_line(&mut line);
            return Some(line);
        }
    }
}

/// Returns what is said of a command of GDB's that does not exist here: which of ours does it.
fn with_commands(elsewhere: Elsewhere) -> &'static str {
    match elsewhere {
        Elsewhere::Leaving => "`quit` ends the session",
        Elsewhere::Memory => "read memory with `x`",
        Elsewhere::MemorySearch => "read memory with `x` and search there",
        Elsewhere::SourceSearch => "read the source with `list` and search there",
        Elsewhere::Recording => "this is a recording already; `retrograde rr record PROGRAM` makes another",
        Elsewhere::Processes => "`retrograde rr ps TRACE` lists the processes of a recording",
        Elsewhere::Script => "`retrograde gdb -x FILE` carries out the commands of a file",
    }
}

/// The recording, and what was said about it.
struct Conversation<'e> {
    engine: &'e mut Engine,
    console: Console,
    /// Something failed that nobody was there to see.
    failed: bool,
}

impl Conversation<'_> {
    /// Makes Ctrl-C cancel from now on.
    fn heed_interrupts(&mut self) {
        INTERRUPTED.store(false, Ordering::Relaxed);
        self.engine.set_cancel(&Cancel::on_flag(&INTERRUPTED));
    }

    fn greet(&mut self) {
        if let Err(error) = self.console.greet(self.engine, &mut Screen { asks: false }) {
            self.complain(&error, false);
        }
    }

    fn complain(&mut self, error: &Error, is_seen: bool) -> Flow {
        eprintln!("{}", error.words(with_commands));
        self.failed |= !is_seen;
        match error {
            Error::Said(_) | Error::Absent { .. } => Flow::GoOn,
            Error::Ended(_) => {
                self.failed = true;
                Flow::Quit
            }
        }
    }

    /// Executes one line that nobody typed.
    fn line(&mut self, line: &str) -> Flow {
        self.heed_interrupts();
        match self.console.execute(self.engine, line, &mut Screen { asks: false }) {
            Ok(flow) => flow,
            Err(error) => self.complain(&error, false),
        }
    }

    /// Executes the lines of a file, up to the first line that fails.
    fn file(&mut self, path: &Path) -> Flow {
        self.heed_interrupts();
        let text = match read_script(path) {
            Ok(text) => text,
            Err(error) => {
                eprintln!("{}: {error}", path.display());
                self.failed = true;
                return Flow::GoOn;
            }
        };
        for (number, line) in (1..).zip(text.lines()) {
            match self.console.execute(self.engine, line, &mut Screen { asks: false }) {
                Ok(Flow::GoOn) => {}
                Ok(other) => return other,
                Err(error) => {
                    eprintln!("{}:{number}: Error in sourced command file:", path.display());
                    return self.complain(&error, false);
                }
            }
        }
        Flow::GoOn
    }

    /// Executes lines until the end of input or `quit`.
    fn talk(&mut self, prompt: &mut Prompt) -> io::Result<()> {
        let is_seen = prompt.is_terminal();
        loop {
            let Some(line) = prompt.line(self.console.is_collecting())? else { return Ok(()) };
            self.heed_interrupts();
            let repeats = is_seen && line.trim().is_empty() && !self.console.is_collecting();
            let line = if repeats { self.console.repeated().to_owned() } else { line };
            let done = self.console.execute(self.engine, &line, &mut Screen { asks: is_seen });
            let flow = match done {
                Ok(flow) => flow,
                Err(error) => self.complain(&error, is_seen),
            };
            if flow == Flow::Quit {
                return Ok(());
            }
        }
    }
}

fn read_script(path: &Path) -> io::Result<String> {
    let file = fs::File::open(path)?;
    if file.metadata()?.len() > MAX_SCRIPT {
        return Err(io::Error::other(format!("a file of commands of more than {MAX_SCRIPT} bytes")));
    }
    io::read_to_string(file)
}

/// Where lines come from.
enum Prompt {
    /// Somebody types them.
    Typed { editor: Box<DefaultEditor>, prompt: String },
    /// They are read; a prompt only if one was asked for.
    Read { prompt: Option<String> },
}

impl Prompt {
    fn new(prompt: Option<String>) -> Result<Self, ReadlineError> {
        if !io::stdin().is_terminal() || !io::stdout().is_terminal() {
            return Ok(Self::Read { prompt });
        }
        let config = Config::builder().auto_add_history(true).build();
        let editor = Box::new(DefaultEditor::with_config(config)?);
        Ok(Self::Typed { editor, prompt: prompt.unwrap_or_else(|| "(rr) ".to_owned()) })
    }

    fn is_terminal(&self) -> bool {
        matches!(self, Self::Typed { .. })
    }

    /// Reads the next line; `None` at the end of input. `inner`: it belongs to a command that was begun.
    fn line(&mut self, inner: bool) -> io::Result<Option<String>> {
        match self {
            Self::Typed { editor, prompt } => loop {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn wishes(words: &[&str]) -> Result<Wishes, String> {
        read(&words.iter().map(OsString::from).collect::<Vec<_>>()).map_err(|e| e.to_string())
    }

    #[test]
    fn options_may_be_spelled_as_gdbs() {
        let expected = Wishes {
            trace: Some("/t".into()),
            scripts: vec![Script::File("a".into()), Script::Command("bt full".into())],
            batch: true,
            ..Wishes::default()
        };
        assert_eq!(wishes(&["/t", "-x", "a", "--ex", "bt full", "--batch"]), Ok(expected));
        let single = wishes(&["-n", "-ex", "bt full", "-batch", "-quiet", "/t"]).unwrap();
        assert_eq!((single.scripts.len(), single.batch, single.quiet), (1, true, true));
        assert_eq!(wishes(&["-p", "12", "--prompt", "> "]).unwrap().prompt.as_deref(), Some("> "));
        assert!(wishes(&["a", "b"]).unwrap_err().contains("unexpected argument"));
        assert!(wishes(&["--pid", "x"]).is_err());
        assert_eq!(wishes(&["-p", "12", "--patience", "90"]).unwrap().patience, Some(90));
    }
}
