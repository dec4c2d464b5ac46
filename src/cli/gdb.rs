//! `retrograde gdb TRACE`: GDB's commands at a prompt, for people; or from files and pipes, for scripts.

mod init_files;
mod options;
mod prompt;
mod reach_process;
mod screen;
mod style;

use self::options::{HELP, Script};
use self::prompt::Prompt;
use self::screen::Screen;
use super::interrupt::{INTERRUPTED, catch_interrupts};
use crate::console::{Console, Elsewhere, Error, Flow, Opening};
use base::cancel::Cancel;
use base::untrusted::PathText as _;
use engine::Engine;
use engine::model::ReplayOptions;
use rr::{Echo, Rr, process_at, process_named};
use std::cell::RefCell;
use std::ffi::OsString;
use std::fs;
use std::io::{self, IsTerminal};
use std::path::Path;
use std::process::ExitCode;
use std::rc::Rc;
use std::sync::atomic::Ordering;

/// Most that is read of a file of commands.
const MAX_SCRIPT: u64 = 1 << 20;

/// Opens the recording, carries out commands, and ends with the last one.
pub(super) fn run(words: &[OsString]) -> Result<ExitCode, Box<dyn std::error::Error>> {
    let wishes = options::read(words)?;
    if wishes.help {
        print!("{HELP}");
        return Ok(ExitCode::SUCCESS);
    }
    if wishes.version {
        println!("retrograde {}", env!("CARGO_PKG_VERSION"));
        return Ok(ExitCode::SUCCESS);
    }
    catch_interrupts();
    let rr = Rr::find()?;
    let echo = if io::stdout().is_terminal() { Echo::filtered() } else { Echo::direct() };
    let rr = if wishes.quiet { rr } else { rr.echoing(&echo) };
    let rr = if wishes.from_fork { rr.from_fork() } else { rr };
    let pid = match wishes.process.as_deref().map(|process| (process, process.parse())) {
        Some((_, Ok(pid))) => Some(pid),
        Some((name, Err(_))) => Some(process_named(wishes.trace.as_deref(), name)?),
        // An event that is named without a process means the one whose turn it is there.
        None => match wishes.opening {
            Some(Opening::Event(event)) => process_at(wishes.trace.as_deref(), event, &Cancel::on_flag(&INTERRUPTED))?,
            _ => None,
        },
    };
    let options = ReplayOptions { trace: wishes.trace, pid };
    let mut engine = reach_process::start(&rr, &options, wishes.patience)?;
    engine.set_cancel(&Cancel::on_flag(&INTERRUPTED));
    engine.take_said().iter().for_each(|note| eprintln!("warning: {note}"));
    let mut console = Console::new();
    console.allow_calls();
    engine.allow_calls();
    let debugger = Rc::new(RefCell::new(Debugger { engine, console }));
    let mut prompt = Prompt::new(wishes.prompt, &debugger)?;
    let mut conversation = Conversation { debugger, screen: Screen::new(echo), failed: false };
    if !wishes.without_init {
        conversation.start_up();
    }
    if let Some(opening) = wishes.opening {
        conversation.does(|debugger, _| debugger.console.open_at(&mut debugger.engine, opening).map(|()| Flow::GoOn));
    }
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
    prompt.keep_history();
    Ok(if conversation.failed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// Returns what is said of a command of GDB's that does not exist here: which of ours does it.
fn with_commands(elsewhere: Elsewhere) -> &'static str {
    match elsewhere {
        Elsewhere::Leaving => "`quit` ends the session",
        Elsewhere::Memory => "read memory with `x`",
        Elsewhere::SourceSearch => "read the source with `list` and search there",
        Elsewhere::Recording => "this is a recording already; `retrograde rr record PROGRAM` makes another",
        Elsewhere::Processes => "`retrograde rr ps TRACE` lists the processes of a recording",
        Elsewhere::Script => "`source FILE` carries out the commands of a file",
        Elsewhere::Files => "files are written at a prompt",
        Elsewhere::Shell => "programs are run at a prompt",
        Elsewhere::WholeRecording(_) => "questions about the whole recording are answered at a prompt",
    }
}

/// The recording, and what was said about it.
struct Debugger {
    engine: Engine,
    console: Console,
}

/// A debugger, and whom it talks to.
struct Conversation {
    /// Completions ask it, too.
    debugger: Rc<RefCell<Debugger>>,
    screen: Screen,
    /// Something failed that nobody was there to see.
    failed: bool,
}

impl Conversation {
    /// Does something that nobody typed, and that Ctrl-C cancels.
    fn does(&mut self, what: impl FnOnce(&mut Debugger, &mut Screen) -> Result<Flow, Error>) -> Flow {
        match self.tries(false, what) {
            Ok(flow) => flow,
            Err(error) => self.complain(&error, false),
        }
    }

    /// Does something that Ctrl-C cancels. `asks`: somebody is there to be asked.
    fn tries(
        &mut self,
        asks: bool,
        what: impl FnOnce(&mut Debugger, &mut Screen) -> Result<Flow, Error>,
    ) -> Result<Flow, Error> {
        INTERRUPTED.store(false, Ordering::Relaxed);
        let mut debugger = self.debugger.borrow_mut();
        debugger.engine.set_cancel(&Cancel::on_flag(&INTERRUPTED));
        self.screen.begin(asks);
        what(&mut debugger, &mut self.screen)
    }

    /// Carries out the files of commands that are the user's.
    fn start_up(&mut self) {
        let files = init_files::find(|name| std::env::var_os(name));
        INTERRUPTED.store(false, Ordering::Relaxed);
        let mut debugger = self.debugger.borrow_mut();
        let Debugger { engine, console } = &mut *debugger;
        self.screen.begin(false);
        init_files::carry_out(&files, (engine, console), &mut self.screen, &Cancel::on_flag(&INTERRUPTED));
    }

    fn greet(&mut self) {
        self.does(|debugger, screen| debugger.console.greet(&mut debugger.engine, screen).map(|()| Flow::GoOn));
    }

    fn complain(&mut self, error: &Error, is_seen: bool) -> Flow {
        self.screen.complain(&error.words(with_commands));
        let mut debugger = self.debugger.borrow_mut();
        let Debugger { engine, console } = &mut *debugger;
        if let Some(hint) = console.take_hint(engine).filter(|_| is_seen) {
            self.screen.complain(&format!("({hint})"));
        }
        drop(debugger);
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
        self.does(|debugger, screen| debugger.console.execute(&mut debugger.engine, line, screen))
    }

    /// Executes the lines of a file, up to the first line that fails.
    fn file(&mut self, path: &Path) -> Flow {
        let text = match read_script(path) {
            Ok(text) => text,
            Err(error) => {
                eprintln!("{}: {error}", path.in_text());
                self.failed = true;
                return Flow::GoOn;
            }
        };
        for (number, line) in (1..).zip(text.lines()) {
            match self.tries(false, |debugger, screen| debugger.console.execute(&mut debugger.engine, line, screen)) {
                Ok(Flow::GoOn) => {}
                Ok(other) => return other,
                Err(error) => {
                    eprintln!("{}:{number}: Error in sourced command file:", path.in_text());
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
            let inner = self.debugger.borrow().console.is_collecting();
            self.screen.settle();
            let Some(line) = prompt.line(inner)? else { return Ok(()) };
            let repeats = is_seen && line.trim().is_empty() && !inner;
            let line = if repeats { self.debugger.borrow().console.repeated().to_owned() } else { line };
            let done =
                self.tries(is_seen, |debugger, screen| debugger.console.execute(&mut debugger.engine, &line, screen));
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

/// Reads a file of commands.
fn read_script(path: &Path) -> io::Result<String> {
    // The length of a pipe, as that of a shell's `<(…)`, is known only afterwards.
    init_files::bounded(&fs::File::open(path)?, MAX_SCRIPT)
}
