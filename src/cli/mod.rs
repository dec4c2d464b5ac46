//! The command line.
//!
//! Layer 5. Only here is anything written to stdout or stderr by ourselves; under `serve` stdout belongs to MCP.
//!
//! Exit status: 0 for success, 1 if something failed, 2 if the command line is wrong. `retrograde rr` ends as rr does.

/// Prints a line as the standard library's does, with what comes from outside [escaped](base::untrusted::shown), and
/// without a panic where [nobody reads it](streams).
macro_rules! println {
    () => { $crate::cli::streams::write_out("\n") };
    ($($text:tt)*) => { $crate::cli::streams::print(&(std::format!($($text)*) + "\n")) };
}

/// Prints a text in the same way.
macro_rules! print {
    ($($text:tt)*) => { $crate::cli::streams::print(&std::format!($($text)*)) };
}

/// Prints a line on stderr in the same way.
macro_rules! eprintln {
    () => { $crate::cli::streams::write_err("\n") };
    ($($text:tt)*) => { $crate::cli::streams::print_err(&(std::format!($($text)*) + "\n")) };
}

pub mod bench;
mod dap;
pub mod demo;
mod doctor;
#[expect(unsafe_code, reason = "polling stdin")]
mod gdb;
mod hook;
pub mod install;
#[expect(unsafe_code, reason = "the handler of SIGINT")]
mod interrupt;
mod query;
mod record;
mod recordings;
mod report;
#[expect(unsafe_code, reason = "ends by the signal that rr ended by")]
mod rr;
mod setup;
mod streams;
mod why;

use crate::mcp::{HttpAddress, HttpOptions, Offered};
use base::qualified::question_about;
use base::untrusted::one_line;
use lexopt::prelude::*;
use std::error::Error;
use std::ffi::OsStr;
use std::fmt;
use std::io::{self, IsTerminal, Write};
use std::os::unix::ffi::OsStrExt as _;
use std::path::PathBuf;
use std::process::ExitCode;
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::{Layer, layer::SubscriberExt, util::SubscriberInitExt};

const HELP: &str = "\
Reverse debugging of rr recordings, without a GDB process.

Usage: retrograde [COMMAND]

Commands:
  serve       Be an MCP server on stdin and stdout (the default), or over HTTP:
              serve [--tools core|all|NAME,...] [--http 127.0.0.1:PORT|unix:PATH [--shared]]
              (see `retrograde docs security` for the token, --no-token and --allow-remote)
  demo        Record a crashing program and trace the crash back to its cause
  setup       Install an rr where there is none, and tell an MCP client (see `retrograde setup --help`)
  doctor      Check what this machine can record and replay, and tell what to do about the rest
  record PROGRAM ARGS...
              Record a program (see `retrograde record --help`)
  replay [TRACE]
              Debug a recording with GDB's commands, forward and backward (see `retrograde replay --help`);
              `gdb` is the same
  why [TRACE] Say why a recorded program failed, and where the wrong value came from
  ls, rm      List recordings, delete them
  dap         Be a debug adapter for an editor on stdin and stdout (see `retrograde dap --help`)
  bench TRACE Measure how long steps take on a recording, here and in other debuggers
  query QUESTION TRACE...
              Ask whole recordings: calls, trace, first, diff, timeline (see `retrograde query --help`)
  report [TRACE] -o FILE.html
              Write a page about a recording: its end, the value that went wrong, threads, output, work
  rr ARGS...  Run rr itself with the counters that this machine or the recording needs
  docs TOPIC  Print a text of the documentation, or the list of its topics
  help TOPIC  Print the help of a command, or such a text
  hook        Answer a hook of Claude Code (JSON on stdin), as the plugin in .claude-plugin has it called

Options:
  -h, --help     Print this
  -V, --version  Print the version

Environment:
  RETROGRADE_RR        The rr to use (default: the first on PATH)
  RETROGRADE_COUNTERS  auto (default), hardware or soft
  RETROGRADE_TOOLS     The tools that the server shows: all (default), core (few, for models), or names
  RETROGRADE_LOG       What to log to stderr, e.g. `debug` or `retrograde::rsp=trace` (default: warn)
  _RR_TRACE_DIR        Where rr keeps recordings
";

/// The commands.
const COMMANDS: &[&str] = &[
    "serve", "demo", "setup", "doctor", "docs", "record", "replay", "why", "ls", "rm", "gdb", "dap", "query", "report",
    "bench", "rr", "hook",
];

/// How to serve.
#[derive(Debug, Default, PartialEq, Eq)]
struct Serve {
    /// On standard input and output if nowhere else.
    http: Option<HttpOptions>,
    /// The tools that are shown; those that the environment names if nothing is said.
    tools: Option<Offered>,
}

/// What the command line asks for.
#[derive(Debug, PartialEq, Eq)]
enum Task {
    Help,
    Version,
    Serve(Serve),
    Demo,
    Setup(Vec<std::ffi::OsString>),
    Doctor,
    Docs(Option<String>),
    Hook,
    Record(Vec<std::ffi::OsString>),
    List(Vec<std::ffi::OsString>),
    Remove(Vec<std::ffi::OsString>),
    Gdb(Vec<std::ffi::OsString>),
    Dap(Vec<std::ffi::OsString>),
    Bench(Vec<std::ffi::OsString>),
    Query(Vec<std::ffi::OsString>),
    Report(Vec<std::ffi::OsString>),
    Why(Vec<std::ffi::OsString>),
    Rr(Vec<std::ffi::OsString>),
}

/// A command line that means nothing. The message says what would be valid.
#[derive(Debug)]
struct Usage(String);

impl Error for Usage {}

impl fmt::Display for Usage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Does what the command line of this process says.
pub fn main() -> ExitCode {
    let task = match parse(lexopt::Parser::from_env()) {
        Ok(task) => task,
        Err(usage) => {
            eprintln!("retrograde: {usage}\ntry `retrograde --help`");
            return ExitCode::from(2);
        }
    };
    start_log();
    let done = match task {
        Task::Help => {
            print!("{HELP}");
            Ok(ExitCode::SUCCESS)
        }
        Task::Version => {
            println!("retrograde {}", env!("CARGO_PKG_VERSION"));
            Ok(ExitCode::SUCCESS)
        }
        Task::Serve(Serve { http, tools }) => {
            let tools = tools.unwrap_or_else(tools_of_environment);
            match http {
                None => serve(&tools),
                Some(http) => serve_http(&tools, &http),
            }
        }
        Task::Demo => demo::run().map(|()| ExitCode::SUCCESS).map_err(Into::into),
        Task::Setup(words) => Ok(setup::run(&words)),
        Task::Doctor => Ok(doctor::run()),
        Task::Docs(topic) => docs(topic.as_deref()).map_err(Into::into),
        Task::Hook => Ok(hook::run()),
        Task::Record(words) => record::run(&words),
        Task::List(words) => recordings::list(&words),
        Task::Remove(words) => recordings::remove(&words),
        Task::Gdb(words) => gdb::run(&words),
        Task::Dap(words) => dap::run(&words),
        Task::Bench(words) => bench::run(&words).map(|()| ExitCode::SUCCESS),
        Task::Query(words) => Ok(query::run(&words)),
        Task::Report(words) => report::run(&words),
        Task::Why(words) => why::run(&words),
        Task::Rr(words) => rr::run(&words).map_err(Into::into),
    };
    done.unwrap_or_else(|error| {
        eprintln!("retrograde: {error}");
        ExitCode::FAILURE
    })
}

fn parse(mut parser: lexopt::Parser) -> Result<Task, Usage> {
    let (last, others) = COMMANDS.split_last().unwrap_or((&"", &[]));
    let commands = format!("{} and {last}", others.join(", "));
    let wrong = |error: lexopt::Error| {
        Usage(format!("{error}; valid commands are {commands}, valid options --help and --version"))
    };
    let task = match parser.next().map_err(wrong)? {
        None => Task::Serve(Serve::default()),
        Some(Long("tools")) => {
            let tools = Some(tools_of(&mut parser)?);
            return serve_task(parser, Serve { tools, ..Serve::default() });
        }
        Some(Short('h') | Long("help")) => Task::Help,
        Some(Short('V') | Long("version")) => Task::Version,
        Some(Value(command)) => match command.to_str() {
            Some("serve") => return serve_task(parser, Serve::default()),
            Some("demo") => Task::Demo,
            Some("doctor") => Task::Doctor,
            Some("docs") => match parser.next().map_err(wrong)? {
                Some(Value(topic)) => Task::Docs(Some(topic.to_string_lossy().into_owned())),
                Some(Short('h') | Long("help")) => return Ok(Task::Help),
                Some(Short('V') | Long("version")) => return Ok(Task::Version),
                Some(more) => return Err(wrong(more.unexpected())),
                None => Task::Docs(None),
            },
            Some("hook") => Task::Hook,
            Some("help") => return help_on(parser),
            Some(
                command @ ("setup" | "record" | "replay" | "why" | "ls" | "rm" | "dap" | "gdb" | "bench" | "query"
                | "report"),
            ) => {
                let task = match command {
                    "setup" => Task::Setup,
                    "record" => Task::Record,
                    "why" => Task::Why,
                    "ls" => Task::List,
                    "rm" => Task::Remove,
                    "dap" => Task::Dap,
                    "gdb" | "replay" => Task::Gdb,
                    "bench" => Task::Bench,
                    "query" => Task::Query,
                    _ => Task::Report,
                };
                let words: Vec<std::ffi::OsString> = parser.raw_args().map_err(wrong)?.collect();
                let asks_version = matches!(words.as_slice(), [only] if only == "--version" || only == "-V");
                return Ok(if asks_version { Task::Version } else { task(words) });
            }
            Some("rr") => {
                // Whatever follows is rr's, and not looked at here.
                return Ok(Task::Rr(parser.raw_args().map_err(wrong)?.collect()));
            }
            _ => {
                let command = command.to_string_lossy();
                let question = question_about(&command, COMMANDS.iter().copied().chain(["help"]));
                return Err(Usage(format!(
                    "unknown command `{}`{question}; valid ones are {commands}",
                    one_line(&command)
                )));
            }
        },
        Some(option) => return Err(wrong(option.unexpected())),
    };
    match parser.next().map_err(wrong)? {
        None => Ok(task),
        Some(Short('h') | Long("help")) => Ok(Task::Help),
        Some(Short('V') | Long("version")) => Ok(Task::Version),
        Some(more) => Err(Usage(format!("{}; nothing but --help may follow here", more.unexpected()))),
    }
}

/// Reads the words behind a command. `Err`: its help was asked for, or they are wrong; both are answered, and the command
/// ends so.
fn read_words<T>(
    words: &[std::ffi::OsString],
    help: &str,
    parse: impl FnOnce(lexopt::Parser) -> Result<T, Usage>,
) -> Result<T, ExitCode> {
    if words.iter().any(|word| word == "--help" || word == "-h") {
        print!("{help}");
        return Err(ExitCode::SUCCESS);
    }
    parse(lexopt::Parser::from_args(words)).map_err(|usage| {
        eprintln!("retrograde: {usage}");
        ExitCode::from(2)
    })
}

/// Parses what may follow `help`: a command, or a topic of the documentation.
fn help_on(mut parser: lexopt::Parser) -> Result<Task, Usage> {
    let wrong = |error: lexopt::Error| Usage(format!("{error}; help takes a command, or a topic as docs lists them"));
    let Some(argument) = parser.next().map_err(wrong)? else { return Ok(Task::Help) };
    let Value(topic) = argument else { return Err(wrong(argument.unexpected())) };
    if let Some(more) = parser.next().map_err(wrong)? {
        return Err(wrong(more.unexpected()));
    }
    let topic = topic.to_string_lossy().into_owned();
    // What is no command with help of its own is a topic.
    match topic.as_str() {
        "help" | "docs" | "hook" | "serve" | "demo" | "doctor" => Ok(Task::Help),
        "rr" | "setup" | "record" | "replay" | "why" | "ls" | "rm" | "dap" | "gdb" | "bench" | "query" | "report" => {
            parse(lexopt::Parser::from_args([topic.as_str(), "--help"]))
        }
        _ => Ok(Task::Docs(Some(topic))),
    }
}

/// Prints a text of the documentation, or without a topic, which there are.
fn docs(topic: Option<&str>) -> Result<ExitCode, Usage> {
    let all: Vec<_> = crate::mcp::topics().collect();
    let Some(topic) = topic else {
        for topic in all {
            println!("{:<14}{}", topic.name, topic.title);
        }
        return Ok(ExitCode::SUCCESS);
    };
    let Some(found) = all.iter().find(|known| known.name == topic) else {
        let names: Vec<_> = all.iter().map(|known| known.name).collect();
        return Err(Usage(format!("no topic {topic:?}; there are {}", names.join(", "))));
    };
    print!("{}", found.text);
    Ok(ExitCode::SUCCESS)
}

/// Parses what may follow `serve`.
fn serve_task(mut parser: lexopt::Parser, mut serve: Serve) -> Result<Task, Usage> {
    let wrong = |error: lexopt::Error| {
        Usage(format!(
            "{error}; serve takes --tools LIST, --http ADDRESS:PORT or unix:PATH, --shared, --no-token and --allow-remote"
        ))
    };
    let (mut address, mut remote, mut is_open, mut shared) = (None, false, false, false);
    while let Some(argument) = parser.next().map_err(wrong)? {
        match argument {
            Long("http") => address = Some(http_address(&parser.value().map_err(wrong)?)?),
            Long("allow-remote") => remote = true,
            Long("no-token") => is_open = true,
            Long("shared") => shared = true,
            Long("tools") => serve.tools = Some(tools_of(&mut parser)?),
            Short('h') | Long("help") => return Ok(Task::Help),
            Short('V') | Long("version") => return Ok(Task::Version),
            other => return Err(wrong(other.unexpected())),
        }
    }
    let of_tcp = [("--allow-remote", remote), ("--no-token", is_open)].into_iter().find(|(_, given)| *given);
    match (address, of_tcp) {
        (None | Some(HttpAddress::Unix(_)), Some((option, _))) => {
            Err(Usage(format!("{option} is for --http ADDRESS:PORT")))
        }
        (None, None) if shared => Err(Usage("--shared is for --http ADDRESS:PORT or unix:PATH".to_owned())),
        (None, None) => Ok(Task::Serve(serve)),
        (Some(address), _) => {
            Ok(Task::Serve(Serve { http: Some(HttpOptions { address, remote, is_open, shared }), ..serve }))
        }
    }
}

/// Parses where to serve over HTTP.
fn http_address(value: &OsStr) -> Result<HttpAddress, Usage> {
    if let Some(path) = value.as_bytes().strip_prefix(b"unix:").filter(|path| !path.is_empty()) {
        return Ok(HttpAddress::Unix(PathBuf::from(OsStr::from_bytes(path))));
    }
    let address = value.to_str().and_then(|text| text.parse().ok());
    address.map(HttpAddress::Tcp).ok_or_else(|| {
        let given = value.to_string_lossy();
        let given = one_line(&given);
        Usage(format!("--http takes an address and a port, such as 127.0.0.1:8080, or unix:PATH, not `{given}`"))
    })
}

/// Returns the tools that the value of `--tools` names.
fn tools_of(parser: &mut lexopt::Parser) -> Result<Offered, Usage> {
    let value =
        parser.value().map_err(|error| Usage(format!("{error}; --tools takes all, core, or names of tools")))?;
    Offered::parse(&value.to_string_lossy()).map_err(|why| Usage(format!("--tools: {why}")))
}

/// Returns the tools that the environment names; all, with a warning, if it does not make sense.
fn tools_of_environment() -> Offered {
    let Some(value) = std::env::var_os("RETROGRADE_TOOLS").filter(|value| !value.is_empty()) else {
        return Offered::All;
    };
    Offered::parse(&value.to_string_lossy()).unwrap_or_else(|why| {
        tracing::warn!("RETROGRADE_TOOLS: {why}; showing all tools");
        Offered::All
    })
}

fn serve_http(tools: &Offered, http: &HttpOptions) -> Result<ExitCode, Box<dyn Error>> {
    crate::mcp::serve_http(tools, http, |address, token| {
        eprintln!("retrograde: MCP at {address}");
        match token {
            Some(token) => eprintln!("retrograde: requests need the header `Authorization: Bearer {token}`"),
            None if http.is_open => {
                eprintln!("retrograde: without a token, whoever can connect can run programs as this user");
            }
            None => eprintln!("retrograde: the socket's mode is 600: requests of this user need no token"),
        }
    })?;
    Ok(ExitCode::SUCCESS)
}

fn serve(tools: &Offered) -> Result<ExitCode, Box<dyn Error>> {
    if io::stdin().is_terminal() {
        eprintln!(
            "retrograde {}: an MCP server, waiting for a client's JSON-RPC messages on stdin.\n\
             It is usually started by an MCP client; `retrograde --help` tells what else there is. Ctrl-D ends it.",
            env!("CARGO_PKG_VERSION")
        );
    }
    crate::mcp::serve(tools)?;
    Ok(ExitCode::SUCCESS)
}

/// Our stderr, with what comes from outside escaped.
struct ShownOnStderr;

impl Write for ShownOnStderr {
    /// Writes a whole message, as the log makes it.
    fn write(&mut self, message: &[u8]) -> io::Result<usize> {
        let text = String::from_utf8_lossy(message);
        io::stderr().write_all(base::untrusted::shown(&text).as_bytes()).map(|()| message.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        io::stderr().flush()
    }
}

/// The default filter of the log. rmcp warns of each error that it answers to a client: the client reads that.
const DEFAULT_LOG: &str = "warn,rmcp=error";

/// Starts the log on stderr, because stdout may be the protocol.
fn start_log() {
    let wanted = std::env::var("RETROGRADE_LOG").ok().filter(|wanted| !wanted.is_empty());
    let wanted = wanted.unwrap_or_else(|| DEFAULT_LOG.to_owned());
    let filter = wanted.parse::<Targets>().unwrap_or_else(|error| {
        eprintln!(
            "retrograde: RETROGRADE_LOG={wanted:?} is not a valid log level ({error}); logging warnings and errors only."
        );
        Targets::new().with_default(LevelFilter::WARN)
    });
    let log = tracing_subscriber::fmt::layer().with_writer(|| ShownOnStderr).with_ansi(false);
    let log = tracing_subscriber::registry().with(log.with_filter(filter));
    // It fails only if a log was started before; then that one is used.
    let _ = log.try_init();
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(words: &[&str]) -> Result<Task, String> {
        parse(lexopt::Parser::from_args(words)).map_err(|usage| usage.0)
    }

    #[test]
    fn each_command_is_known() {
        assert_eq!(read(&[]), Ok(Task::Serve(Serve::default())));
        assert_eq!(read(&["serve"]), Ok(Task::Serve(Serve::default())));
        let core = || Ok(Task::Serve(Serve { tools: Some(Offered::parse("core").unwrap()), ..Serve::default() }));
        assert_eq!((read(&["serve", "--tools", "core"]), read(&["--tools=core"])), (core(), core()));
        assert_eq!(read(&["demo"]), Ok(Task::Demo));
        assert_eq!(read(&["doctor"]), Ok(Task::Doctor));
        assert_eq!(read(&["-h"]), Ok(Task::Help));
        assert_eq!(read(&["docs"]), Ok(Task::Docs(None)));
        assert_eq!(read(&["docs", "limits"]), Ok(Task::Docs(Some("limits".to_owned()))));
        assert_eq!(read(&["doctor", "--help"]), Ok(Task::Help));
        let http = |options: HttpOptions| Ok(Task::Serve(Serve { http: Some(options), ..Serve::default() }));
        let at = |address| HttpOptions { address, remote: false, is_open: false, shared: false };
        let tcp = || at(HttpAddress::Tcp(([127, 0, 0, 1], 8080).into()));
        assert_eq!(read(&["serve", "--http", "127.0.0.1:8080"]), http(tcp()));
        let remote = HttpOptions { remote: true, ..tcp() };
        assert_eq!(read(&["serve", "--allow-remote", "--http=127.0.0.1:8080"]), http(remote));
        let open = HttpOptions { is_open: true, shared: true, ..tcp() };
        assert_eq!(read(&["serve", "--no-token", "--shared", "--http=127.0.0.1:8080"]), http(open));
        assert_eq!(read(&["serve", "--http", "unix:/run/a b"]), http(at(HttpAddress::Unix("/run/a b".into()))));
        assert_eq!(read(&["--version"]), Ok(Task::Version));
        for command in [
            "setup", "record", "replay", "why", "ls", "rm", "dap", "gdb", "bench", "query", "report", "doctor", "docs",
            "demo", "serve",
        ] {
            assert_eq!(read(&[command, "--version"]), Ok(Task::Version), "{command}");
        }
        assert_eq!(read(&["help"]), Ok(Task::Help));
        assert_eq!(read(&["help", "gdb"]), Ok(Task::Gdb(vec!["--help".into()])));
        assert_eq!(read(&["help", "limits"]), Ok(Task::Docs(Some("limits".to_owned()))));
        assert!(read(&["help", "a", "b"]).is_err());
    }

    #[test]
    fn what_follows_rr_is_left_alone() {
        let words = ["record", "-n", "--", "./x", "--help", "-V"];
        let line = [&["rr"][..], &words].concat();
        assert_eq!(read(&line), Ok(Task::Rr(words.map(Into::into).to_vec())));
        assert_eq!(read(&["rr", "--help"]), Ok(Task::Rr(vec!["--help".into()])));
    }

    #[test]
    fn a_wrong_line_is_answered_with_what_is_valid() {
        assert_eq!(
            read(&["paint"]).unwrap_err(),
            "unknown command `paint`; valid ones are serve, demo, setup, doctor, docs, record, replay, why, ls, rm, gdb, dap, query, report, bench, rr and hook"
        );
        assert!(read(&["recrod"]).unwrap_err().starts_with("unknown command `recrod` (did you mean `record`?); valid"));
        assert_eq!(
            read(&["--loud"]).unwrap_err(),
            "invalid option '--loud'; valid commands are serve, demo, setup, doctor, docs, record, replay, why, ls, rm, gdb, dap, query, report, bench, rr and hook, valid options --help and --version"
        );
        assert_eq!(
            read(&["serve", "--http", "8080"]).unwrap_err(),
            "--http takes an address and a port, such as 127.0.0.1:8080, or unix:PATH, not `8080`"
        );
        assert!(read(&["serve", "--http", "unix:"]).is_err());
        assert_eq!(read(&["serve", "--allow-remote"]).unwrap_err(), "--allow-remote is for --http ADDRESS:PORT");
        let line = ["serve", "--http", "unix:/run/a", "--no-token"];
        assert_eq!(read(&line).unwrap_err(), "--no-token is for --http ADDRESS:PORT");
        let refusal = read(&["serve", "--shared"]).unwrap_err();
        assert_eq!(refusal, "--shared is for --http ADDRESS:PORT or unix:PATH");
        assert_eq!(
            read(&["demo", "fast"]).unwrap_err(),
            "unexpected argument \"fast\"; nothing but --help may follow here"
        );
    }
}
