//! `retrograde record PROGRAM…`: a recording, and what to do with it next.

use super::interrupt::{INTERRUPTED, catch_interrupts};
use super::{Usage, rr::end_as};
use base::cancel::Cancel;
use base::untrusted::PathText as _;
use lexopt::prelude::*;
use rr::{Listener, RUNS, RecordOptions, Recorded, Rr, Stream, Until, spelled};
use std::error::Error;
use std::ffi::{OsStr, OsString};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

const HELP: &str = "\
Record a program with rr, to replay it forward and backward.

Usage: retrograde record [OPTIONS] PROGRAM [ARGS...]

The options stand before the program. It runs on this terminal, and this ends as it does.

Options:
  -o, --output DIR       Where the recording goes (default: where rr keeps them; `retrograde ls` lists them)
  -c, --chaos            Run threads in random order and for random times: rare failures become frequent
  -n, --no-buffer        Stop at each system call: slower, and signal handlers run on the program's own stack
  -w, --wait             Record until all processes have ended, not just the first
      --until WHAT       Record again and again until it happens, and keep only that recording:
                         failure, signal, 'exit N' or 'output REGEX'
      --runs N           How often, at most (default: 100; without --until: until failure)
      --timeout SECONDS  End a run that takes longer
  -h, --help             Print this
  -V, --version          Print the version

With --until, --runs or --timeout the program reads nothing, and the exit status is 0 if it happened.
";

/// What the command line asks for.
#[derive(Debug, Default)]
struct Wishes {
    output: Option<PathBuf>,
    chaos: bool,
    without_buffer: bool,
    waits_for_all: bool,
    until: Option<Until>,
    runs: Option<u32>,
    timeout: Option<Duration>,
    program: Vec<OsString>,
}

/// Records a program.
pub(super) fn run(words: &[OsString]) -> Result<ExitCode, Box<dyn Error>> {
    let wishes = match parse(lexopt::Parser::from_args(words)) {
        Ok(Some(wishes)) => wishes,
        Ok(None) => {
            print!("{HELP}");
            return Ok(ExitCode::SUCCESS);
        }
        Err(usage) => {
            eprintln!("retrograde: {usage}\ntry `retrograde record --help`");
            return Ok(ExitCode::from(2));
        }
    };
    if wishes.until.is_some() || wishes.runs.is_some() || wishes.timeout.is_some() {
        return repeat(wishes);
    }
    let mut tell = |note: &str| eprintln!("retrograde: {note}");
    let rr = Rr::find()?;
    // With the buffer goes the library that has it: not every program can load that.
    let without_buffer = if wishes.without_buffer { rr.option_without_preload() } else { "-n" };
    let passed = rr.pass_through(&words_for_rr(&wishes, without_buffer), &mut tell)?;
    passed.notes.iter().for_each(|note| tell(note));
    if let Some(trace) = &passed.trace {
        say_what_is_next(trace, wishes.output.is_none());
    }
    Ok(end_as(passed.status))
}

/// Says where the recording is and what to do with it. `is_latest`: the other commands take it if none is named.
fn say_what_is_next(trace: &Path, is_latest: bool) {
    let trace = trace.in_text();
    let named = if is_latest { String::new() } else { format!(" {trace}") };
    eprintln!("retrograde: recorded in {trace}");
    eprintln!("retrograde: `retrograde replay{named}` debugs it, forward and backward: `c` runs to its end, `rc` back");
}

/// Returns the command line of rr, with its option that does without the buffer.
fn words_for_rr(wishes: &Wishes, without_buffer: &str) -> Vec<OsString> {
    let switches = [(wishes.chaos, "-h"), (wishes.without_buffer, without_buffer), (wishes.waits_for_all, "-w")];
    let mut words = vec![OsString::from("record")];
    words.extend(switches.iter().filter(|(is_set, _)| *is_set).map(|(_, switch)| OsString::from(switch)));
    if let Some(output) = &wishes.output {
        words.extend([OsString::from("-o"), output.clone().into_os_string()]);
    }
    words.extend(wishes.program.iter().cloned());
    words
}

/// Records until it happens, or once with a limit.
fn repeat(wishes: Wishes) -> Result<ExitCode, Box<dyn Error>> {
    catch_interrupts();
    let rr = Rr::find()?.with_cancel(&Cancel::on_flag(&INTERRUPTED));
    let command = wishes.program.iter().map(|word| text_of(word)).collect::<Result<_, _>>()?;
    let options = RecordOptions {
        command,
        trace_dir: wishes.output.clone(),
        timeout: wishes.timeout,
        chaos: wishes.chaos,
        without_buffer: wishes.without_buffer,
        waits_for_all: wishes.waits_for_all,
        ..RecordOptions::default()
    };
    let listener: Listener = Arc::new(|stream, printed| {
        // Who does not read any more misses what is printed; the recording goes on.
        let _ = match stream {
            Stream::Out => io::stdout().write_all(printed).and_then(|()| io::stdout().flush()),
            Stream::Err => io::stderr().write_all(printed),
        };
    });
    let is_once = wishes.until.is_none() && wishes.runs.is_none();
    let (recorded, has_happened) = if is_once {
        let recorded = rr.record_heard(&options, &listener)?;
        let has_ended_well = recorded.exit_code == Some(0) && recorded.cut.is_none();
        (recorded, has_ended_well)
    } else {
        let most = wishes.runs.unwrap_or(RUNS);
        let repeated = rr.record_until(&options, &wishes.until.unwrap_or(Until::Failure), most, &listener)?;
        let runs = repeated.runs;
        match repeated.happened {
            true => eprintln!("retrograde: it happened in run {runs}"),
            false => eprintln!("retrograde: it did not happen in {runs} runs; --chaos makes rare failures frequent"),
        }
        if repeated.given_up > 0 {
            eprintln!("retrograde: rr gave up in {} of them; record once to see why", repeated.given_up);
        }
        (repeated.recorded, repeated.happened)
    };
    tell_end(&recorded);
    if let Some(trace) = &recorded.trace_dir {
        say_what_is_next(trace, wishes.output.is_none());
    }
    Ok(if has_happened { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Tells how the last run has ended.
fn tell_end(recorded: &Recorded) {
    recorded.notes.iter().for_each(|note| eprintln!("retrograde: {note}"));
    let end = match (&recorded.cut, &recorded.signal, recorded.exit_code) {
        (Some(cut), ..) => format!("was cut short: {cut}"),
        (None, Some(signal), _) => format!("was ended by {signal}"),
        (None, None, Some(code)) => format!("has ended: {}", spelled(code)),
        (None, None, None) => return,
    };
    eprintln!("retrograde: the program {end}");
}

fn text_of(word: &OsStr) -> Result<String, Usage> {
    word.to_str().map(str::to_owned).ok_or_else(|| {
        Usage(format!("`{}` is not UTF-8, which --until, --runs and --timeout need", word.to_string_lossy()))
    })
}

/// Returns what is asked for. `None`: the help.
fn parse(mut parser: lexopt::Parser) -> Result<Option<Wishes>, Usage> {
    let wrong = |error: lexopt::Error| {
        Usage(format!(
            "{error}; record takes -o DIR, --chaos, --no-buffer, --wait, --until WHAT, --runs N and --timeout SECONDS, \
             then the program"
        ))
    };
    let mut wishes = Wishes::default();
    while let Some(argument) = parser.next().map_err(wrong)? {
        match argument {
            Short('h') | Long("help") => return Ok(None),
            Short('o') | Long("output") => wishes.output = Some(parser.value().map_err(wrong)?.into()),
            Short('c') | Long("chaos") => wishes.chaos = true,
            Short('n') | Long("no-buffer") => wishes.without_buffer = true,
            Short('w') | Long("wait") => wishes.waits_for_all = true,
            Long("until") => {
                let until = parser.value().map_err(wrong)?;
                let until = until.to_string_lossy().parse().map_err(|why| Usage(format!("--until: {why}")))?;
                wishes.until = Some(until);
            }
            Long("runs") => match parser.value().and_then(|value| value.parse()).map_err(wrong)? {
                0 => return Err(Usage("--runs takes a number from 1".to_owned())),
                runs => wishes.runs = Some(runs),
            },
            Long("timeout") => match parser.value().and_then(|value| value.parse::<u32>()).map_err(wrong)? {
                0 => return Err(Usage("--timeout takes a number of seconds from 1".to_owned())),
                seconds => wishes.timeout = Some(Duration::from_secs(seconds.into())),
            },
            Value(program) => {
                wishes.program.push(program);
                wishes.program.extend(parser.raw_args().map_err(wrong)?);
            }
            other => return Err(wrong(other.unexpected())),
        }
    }
    match wishes.program.first() {
        None => Err(Usage("record needs a program, as `retrograde record ./program its arguments`".to_owned())),
        Some(program) if program.to_string_lossy().starts_with('-') => Err(Usage(format!(
            "a program whose name begins with `-` is named by its path, as ./{}",
            program.to_string_lossy()
        ))),
        Some(_) => Ok(Some(wishes)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(words: &[&str]) -> Result<Vec<String>, String> {
        let wishes = parse(lexopt::Parser::from_args(words)).map_err(|usage| usage.0)?;
        let text = |word: OsString| word.into_string().unwrap();
        Ok(wishes.map_or_else(
            || vec!["help".to_owned()],
            |wishes| words_for_rr(&wishes, "-n").into_iter().map(text).collect(),
        ))
    }

    #[test]
    fn options_are_in_front_and_the_rest_is_the_programs() {
        assert_eq!(read(&["ls", "-n", "--chaos"]).unwrap(), ["record", "ls", "-n", "--chaos"]);
        assert_eq!(
            read(&["-n", "--chaos", "-o", "to", "./a", "-h"]).unwrap(),
            ["record", "-h", "-n", "-o", "to", "./a", "-h"]
        );
        assert_eq!(read(&["--wait", "--", "./a", "b"]).unwrap(), ["record", "-w", "./a", "b"]);
        assert_eq!(read(&["--help", "./a"]).unwrap(), ["help"]);
    }

    #[test]
    fn what_is_wrong_is_answered_with_what_is_valid() {
        assert_eq!(read(&[]).unwrap_err(), "record needs a program, as `retrograde record ./program its arguments`");
        assert!(read(&["--cahos", "./a"]).unwrap_err().contains("--chaos"));
        assert!(
            read(&["--until", "never", "./a"]).unwrap_err().contains("valid are failure, signal, exit N, output REGEX")
        );
        assert_eq!(read(&["--runs", "0", "./a"]).unwrap_err(), "--runs takes a number from 1");
        assert!(read(&["--runs", "many", "./a"]).unwrap_err().contains("many"));
        assert!(read(&["--", "-x"]).unwrap_err().contains("./-x"));
    }
}
