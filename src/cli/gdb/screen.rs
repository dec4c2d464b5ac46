//! What is printed at the prompt: page by page, in colours, into a log; questions; and the files of whoever types.

use super::style;
use crate::cli::interrupt::INTERRUPTED;
use crate::cli::streams::{write_err, write_out};
use crate::console::{Answer, Host, Inquiry, Log, Terminal};
use crate::mcp;
use base::untrusted::{Passing, shown};
use engine::Engine;
use rr::Echo;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::Ordering;

/// What is asked at the end of a page.
const MORE: &str = "--Type <RET> for more, q to quit, c to continue without paging--";

/// Output as it is made, so that it stands in one order with what rr prints of the program.
pub(super) struct Screen {
    /// Whether somebody is there to be asked.
    asks: bool,
    /// Whether a terminal shows it that knows colours.
    is_colored: bool,
    pager: Pager,
    log: Option<(File, Log)>,
    /// What the program printed, which comes before what is said of it.
    echo: Echo,
    /// Where paths begin, if `cd` has led elsewhere. The program itself stays where it is: its other paths begin there.
    directory: Option<PathBuf>,
}

/// How much was printed since somebody has looked at it.
struct Pager {
    /// Whether there is a terminal whose lines can be counted.
    is_possible: bool,
    /// What was set; `None`: as many lines as the terminal has.
    height: Option<usize>,
    shown: usize,
    /// The rest of this command's output is not to be cut into pages.
    goes_on: bool,
    /// The rest of this command's output is not wanted.
    is_over: bool,
}

impl Pager {
    /// Returns how many lines a page has; 0: there are no pages.
    fn lines(&self) -> usize {
        match self.height {
            _ if !self.is_possible => 0,
            Some(height) => height,
            None => terminal_height(),
        }
    }
}

/// Returns how many lines the terminal has; 0 if that is not known.
fn terminal_height() -> usize {
    let mut size = libc::winsize { ws_row: 0, ws_col: 0, ws_xpixel: 0, ws_ypixel: 0 };
    // SAFETY: one structure, which the kernel fills in.
    let done = unsafe { libc::ioctl(libc::STDOUT_FILENO, libc::TIOCGWINSZ, &raw mut size) };
    if done == 0 { usize::from(size.ws_row) } else { 0 }
}

/// Returns whether a terminal is on both sides that can do more than print lines.
fn is_terminal() -> bool {
    let is_able = std::env::var_os("TERM").is_some_and(|term| term != "dumb");
    is_able && io::stdin().is_terminal() && io::stdout().is_terminal()
}

impl Screen {
    pub(super) fn new(echo: Echo) -> Self {
        let is_possible = is_terminal();
        let pager = Pager { is_possible, height: None, shown: 0, goes_on: false, is_over: false };
        let is_colored = is_possible && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
        Self { asks: false, is_colored, pager, log: None, echo, directory: None }
    }

    /// Returns a path as whoever types means it.
    fn resolved(&self, path: &str) -> PathBuf {
        let path = expanded(path);
        match &self.directory {
            Some(directory) => directory.join(path),
            None => path,
        }
    }

    /// Begins with the output of a command.
    pub(super) fn begin(&mut self, asks: bool) {
        self.asks = asks;
        (self.pager.shown, self.pager.goes_on, self.pager.is_over) = (0, false, false);
    }

    /// Says why a command was not carried out.
    pub(super) fn complain(&mut self, words: &str) {
        if let Some((file, _)) = &mut self.log {
            let _ = writeln!(file, "{}", shown(words));
        }
        self.echo.flush();
        let words = &shown(words);
        match self.is_colored && io::stderr().is_terminal() {
            true => write_err(&format!("{}\n", style::error(words))),
            false => write_err(&format!("{words}\n")),
        }
    }

    /// Prints all that the program has printed by now.
    pub(super) fn settle(&self) {
        self.echo.flush();
    }

    fn print(&mut self, text: &str) {
        self.echo.flush();
        let text = &shown(text);
        match self.is_colored {
            true => write_out(&style::output(text)),
            false => write_out(text),
        }
        let _ = io::stdout().flush();
    }

    /// Asks whether more is wanted, at the end of a page.
    fn turn_page(&mut self) {
        print!("{MORE}");
        let _ = io::stdout().flush();
        let answer = typed();
        let first = answer.as_deref().map(|line| line.trim().chars().next());
        match first {
            None => {
                println!();
                self.pager.is_over = true;
            }
            Some(Some('q')) => self.pager.is_over = true,
            Some(Some('c')) => self.pager.goes_on = true,
            // The end of input turns no pages.
            Some(None) if answer.is_some_and(|line| line.is_empty()) => self.pager.goes_on = true,
            Some(_) => {}
        }
        self.pager.shown = 0;
    }
}

impl Terminal for Screen {
    fn shows_lines(&self) -> bool {
        true
    }

    fn say(&mut self, text: &str) {
        if self.pager.is_over {
            return;
        }
        if let Some((file, log)) = &mut self.log {
            let written = file.write_all(shown(text).as_bytes());
            if written.is_ok() && log.redirects {
                return;
            }
        }
        let lines = self.pager.lines();
        if !self.asks || self.pager.goes_on || lines < 2 {
            return self.print(text);
        }
        for line in text.split_inclusive('\n') {
            if self.pager.shown + 1 >= lines && !self.pager.goes_on {
                self.turn_page();
            }
            if self.pager.is_over {
                return;
            }
            self.print(line);
            self.pager.shown += usize::from(line.ends_with('\n'));
        }
    }

    fn asks(&self) -> bool {
        self.asks
    }

    fn is_full(&self) -> bool {
        self.pager.is_over
    }

    fn inquire(&mut self, engine: &mut Engine, inquiry: Inquiry, expression: &str) -> Option<Result<String, String>> {
        // What the program has printed by now comes first: this takes its time.
        self.echo.flush();
        Some(mcp::inquire(engine, inquiry, expression))
    }

    fn host(&mut self) -> Option<&mut dyn Host> {
        Some(self)
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

impl Host for Screen {
    fn read(&mut self, path: &str) -> io::Result<String> {
        super::read_script(&self.resolved(path))
    }

    fn directory(&mut self) -> io::Result<PathBuf> {
        match &self.directory {
            Some(directory) => Ok(directory.clone()),
            None => std::env::current_dir(),
        }
    }

    fn change_directory(&mut self, path: &str) -> io::Result<()> {
        let directory = std::fs::canonicalize(self.resolved(path))?;
        // A directory that cannot be read is no place to begin in.
        std::fs::read_dir(&directory)?;
        self.directory = Some(directory);
        Ok(())
    }

    fn write(&mut self, path: &str, text: &str) -> io::Result<()> {
        std::fs::write(self.resolved(path), text)
    }

    fn shell(&mut self, command: &str) -> io::Result<()> {
        let shell = std::env::var_os("SHELL").filter(|shell| !shell.is_empty()).unwrap_or_else(|| "/bin/sh".into());
        let mut shell = Command::new(shell);
        if !command.is_empty() {
            shell.args(["-c", command]);
        }
        if let Some(directory) = &self.directory {
            shell.current_dir(directory);
        }
        shell.status().map(drop)
    }

    fn log(&mut self, to: Option<Log>) -> io::Result<()> {
        self.log = None;
        if let Some(log) = to {
            let mut options = OpenOptions::new();
            let path = self.resolved(&log.path);
            let file = match log.overwrites {
                true => options.write(true).create(true).truncate(true).open(path)?,
                false => options.append(true).create(true).open(path)?,
            };
            self.log = Some((file, log));
        }
        Ok(())
    }

    fn set_height(&mut self, lines: Option<usize>) {
        self.pager.height = Some(lines.unwrap_or(0));
    }

    fn set_raw_output(&mut self, is_raw: bool) {
        self.echo.set(if is_raw { Passing::Styles } else { Passing::Text });
    }
}

/// Returns a path with the home directory in place of `~`.
pub(super) fn expanded(path: &str) -> PathBuf {
    let rest = if path == "~" { Some("") } else { path.strip_prefix("~/") };
    match (rest, std::env::var_os("HOME")) {
        (Some(rest), Some(home)) => Path::new(&home).join(rest),
        _ => PathBuf::from(path),
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
