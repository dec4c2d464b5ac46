//! A command for one frame after the other: `frame apply`.

use super::command::{Command, Frames, NestedCommand};
use super::error::Error;
use super::execution::{Execution, Terminal};
use super::flow::Flow;
use super::number_list::Numbers;

/// Parses what follows `frame apply`.
pub(super) fn parse(given: &str) -> Result<Command, Error> {
    let (first, rest) = first_word(given);
    let (frames, rest) = match first {
        "" => return Err(Error::said("Missing COUNT argument.")),
        "all" => (Frames::All, rest.to_owned()),
        "level" => {
            let is_level = |word: &&str| word.chars().all(|c| c.is_ascii_digit() || c == '-') && !word.starts_with('-');
            let words: Vec<&str> = rest.split_whitespace().collect();
            let levels = words.iter().take_while(|word| is_level(word)).count();
            let (levels, rest) = words.split_at(levels);
            (Frames::Levels(Numbers::parse(&levels.join(" "), "frame", None)?), rest.join(" "))
        }
        count => match count.parse() {
            Ok(count) => (Frames::Count(count), rest.to_owned()),
            Err(_) => return Err(Error::said("Invalid COUNT argument.")),
        },
    };
    let command =
        nested(&rest).ok_or_else(|| Error::said("Please specify a command to apply on the selected frames"))?;
    Ok(Command::FrameApply { frames, command })
}

/// Parses options and the command behind them. `None`: there is no command.
pub(super) fn nested(given: &str) -> Option<NestedCommand> {
    let mut command = NestedCommand { line: String::new(), quiet: false, goes_on: false, silent: false };
    let mut rest = given.trim();
    loop {
        let (word, behind) = first_word(rest);
        match word {
            "-q" => command.quiet = true,
            "-c" => command.goes_on = true,
            "-s" => command.silent = true,
            "-ascending" | "--" => {}
            _ => break,
        }
        rest = behind;
    }
    command.line = rest.to_owned();
    (!rest.is_empty()).then_some(command)
}

/// Keeps what is said.
#[derive(Default)]
struct Captured(String);

impl Terminal for Captured {
    fn say(&mut self, text: &str) {
        self.0.push_str(text);
    }
}

fn first_word(given: &str) -> (&str, &str) {
    let given = given.trim();
    given.split_once(char::is_whitespace).map_or((given, ""), |(word, rest)| (word, rest.trim()))
}

impl Execution<'_> {
    pub(super) fn frame_apply(&mut self, frames: &Frames, command: &NestedCommand) -> Result<Flow, Error> {
        self.alive("No stack.")?;
        let selected = self.engine.frame_level();
        let count = u32::try_from(self.engine.backtrace(0, u32::MAX, false)?.frames.len()).unwrap_or(u32::MAX);
        let levels: Vec<u32> = match frames {
            Frames::All => (0..count).collect(),
            Frames::Count(n) if *n < 0 => {
                (count.saturating_sub(u32::try_from(n.unsigned_abs()).unwrap_or(u32::MAX))..count).collect()
            }
            Frames::Count(n) => (0..count.min(u32::try_from(*n).unwrap_or(u32::MAX))).collect(),
            Frames::Levels(numbers) => (0..count).filter(|level| numbers.contains(*level)).collect(),
        };
        let done = self.for_frames(&levels, command);
        self.engine.select_frame(selected)?;
        done
    }

    /// Carries out a command for a frame, of which nothing is told if it fails or says nothing.
    fn silently(&mut self, level: u32, command: &NestedCommand) -> Result<Flow, Error> {
        let mut said = Captured::default();
        let mut inner = Execution { state: &mut *self.state, engine: &mut *self.engine, terminal: &mut said };
        let flow = match inner.nested(&command.line) {
            Ok(flow) => flow,
            Err(Error::Said(_)) => return Ok(Flow::GoOn),
            Err(error) => return Err(error),
        };
        if !said.0.is_empty() {
            if !command.quiet {
                let detail = self.engine.frame_detail(level)?;
                let header = self.numbered(&detail.frame, detail.is_pc)?;
                self.say(header);
            }
            self.terminal.say(&said.0);
        }
        Ok(flow)
    }

    /// Carries out a command for a frame, behind what the frame is.
    fn loudly(&mut self, level: u32, command: &NestedCommand) -> Result<Flow, Error> {
        if !command.quiet {
            let detail = self.engine.frame_detail(level)?;
            let header = self.numbered(&detail.frame, detail.is_pc)?;
            self.say(header);
        }
        self.nested(&command.line)
    }

    fn for_frames(&mut self, levels: &[u32], command: &NestedCommand) -> Result<Flow, Error> {
        for level in levels {
            let epoch = self.engine.epoch();
            self.engine.select_frame(*level)?;
            let done = match command.silent {
                true => self.silently(*level, command),
                false => self.loudly(*level, command),
            };
            match done {
                Ok(Flow::GoOn) => {}
                Ok(other) => return Ok(other),
                Err(Error::Said(words)) if command.goes_on => self.say(words),
                Err(error) => return Err(error),
            }
            if self.engine.epoch() != epoch || self.terminal.is_full() {
                return Ok(Flow::GoOn);
            }
        }
        Ok(Flow::GoOn)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_and_options() {
        let Ok(Command::FrameApply { frames, command }) = parse("all -q -c p x") else { panic!() };
        assert_eq!((frames, command.quiet, command.goes_on, command.line.as_str()), (Frames::All, true, true, "p x"));
        assert!(matches!(parse("-2 bt"), Ok(Command::FrameApply { frames: Frames::Count(-2), .. })));
        let Ok(Command::FrameApply { frames: Frames::Levels(levels), command }) = parse("level 1 3-4 info locals")
        else {
            panic!()
        };
        assert_eq!((1..5).filter(|n| levels.contains(*n)).collect::<Vec<_>>(), [1, 3, 4]);
        assert_eq!(command.line, "info locals");
        assert!(parse("").is_err() && parse("all").is_err() && parse("x bt").is_err());
    }
}
