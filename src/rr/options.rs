//! Reading a command line that is meant for rr, as far as needed to add to it.
//!
//! The rules are rr's own (`Command.cc`, `main.cc`, the option tables of `RecordCommand.cc`, `ReplayCommand.cc` and
//! `RerunCommand.cc`, rr 5.6 to 5.10): options come first, one per word; `-xVALUE`, `-x=VALUE`, `-x VALUE`,
//! `--name=VALUE` and `--name VALUE` are the same; global options may stand before and after the subcommand. An option
//! that no table has is taken for one without a value; rr will refuse it.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::Path;

/// What a subcommand means for tick counters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Subcommand {
    /// Runs a program and counts.
    Record,
    /// Runs a recording and counts.
    Replay,
    /// Likewise, and prints registers.
    Rerun,
    /// Counts nothing.
    Other,
}

/// An rr command line, taken apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct CommandLine {
    /// Global options before the subcommand.
    pub(super) globals: Vec<OsString>,
    /// What is to be done.
    pub(super) subcommand: Subcommand,
    /// The subcommand's word; made up if the user left it out, as rr permits.
    pub(super) word: OsString,
    /// All that follows.
    pub(super) rest: Vec<OsString>,
    /// Option `-W` is given.
    pub(super) software: bool,
    /// `record`: the value of the last option `-o`. `replay`, `rerun`: the trace.
    pub(super) trace: Option<OsString>,
    /// `record`: inside another recording, the program is not to be recorded by this rr.
    pub(super) leaves_it_to_outer: bool,
    /// `record`: the program and its arguments.
    pub(super) program: Vec<OsString>,
}

/// rr's subcommands that count nothing.
const OTHERS: [&str; 17] = [
    "buildid",
    "cpufeatures",
    "dump",
    "explicit-sources",
    "filename",
    "gdbinit",
    "gdbserver",
    "help",
    "lldbinit",
    "ls",
    "mv",
    "pack",
    "ps",
    "rm",
    "sources",
    "trace-events",
    "traceinfo",
];

/// Options with a value: the letters, and the names.
struct Table(&'static [u8], &'static [&'static str]);

const GLOBAL: Table = Table(b"ACDT", &["resource-path", "log", "microarch", "checksum", "dump-on", "dump-at"]);
const RECORD: Table = Table(
    b"cipotv",
    &[
        "syscall-buffer-size",
        "nested",
        "bind-to-cpu",
        "disable-cpuid-features",
        "disable-cpuid-features-ext",
        "disable-cpuid-features-xsave",
        "num-cores",
        "trace-id",
        "syscall-buffer-sig",
        "scs",
        "num-cpu-ticks",
        "ignore-signal",
        "print-trace-dir",
        OUTPUT,
        "continue-through-signal",
        "env",
    ],
);
const REPLAY: Table = Table(
    b"dfgiophstx",
    &[
        "debugger",
        "onfork",
        "goto",
        "interpreter",
        "debugger-option",
        "onprocess",
        "dbghost",
        "dbgport",
        "trace",
        "gdb-x",
        "stats",
        "tty",
        "intel-pt-start-checking-event",
    ],
);
const RERUN: Table = Table(
    b"efs",
    &["singlestep", "event-regs", "export-checkpoints", "import-checkpoint", "trace-end", "function", "trace-start"],
);
const NONE: Table = Table(b"", &[]);
/// The long form of `record -o`.
const OUTPUT: &str = "output-trace-dir";

/// One word, read as an option.
struct Opt {
    /// The letter or the name.
    name: Vec<u8>,
    /// With the value, if it takes one.
    value: Option<OsString>,
    /// How many words it is.
    words: usize,
}

impl Opt {
    /// Reads an option; `None` if the first word is none, or there is none.
    fn read(words: &[OsString], table: &Table) -> Option<Self> {
        let first = words.first()?.as_bytes();
        let valued = |name: &[u8]| {
            let listed = |Table(letters, names): &Table| match name {
                [letter] => letters.contains(letter),
                _ => names.iter().any(|n| n.as_bytes() == name),
            };
            listed(&GLOBAL) || listed(table)
        };
        let (name, attached) = match first {
            b"-" | b"--" => return None,
            [b'-', b'-', long @ ..] => match long.iter().position(|b| *b == b'=') {
                Some(equals) => (long.get(..equals)?, long.get(equals + 1..)),
                None => (long, None),
            },
            [b'-', letter, value @ ..] => {
                let value = value.strip_prefix(b"=").unwrap_or(value);
                // With nothing behind the letter the value is the next word.
                (std::slice::from_ref(letter), Some(value).filter(|_| first.len() > 2))
            }
            _ => return None,
        };
        let name = name.to_vec();
        Some(if !valued(&name) {
            Self { name, value: None, words: 1 }
        } else if let Some(value) = attached {
            Self { name, value: Some(OsString::from_vec(value.to_vec())), words: 1 }
        } else {
            Self { name, value: words.get(1).cloned(), words: 2 }
        })
    }

    fn is_software(&self) -> bool {
        self.name == b"W" || self.name == b"software-counters"
    }
}

impl CommandLine {
    /// Takes the words after `rr` apart. `None`: there is no subcommand, and nothing that would imply one.
    pub(super) fn read(words: &[OsString]) -> Option<Self> {
        let mut at = 0;
        let mut software = false;
        while let Some(option) = Opt::read(words.get(at..)?, &NONE) {
            software |= option.is_software();
            at = (at + option.words).min(words.len());
        }
        let globals = words.get(..at)?.to_vec();
        if words.get(at).is_some_and(|word| word == "--") {
            at += 1;
        }
        let word = words.get(at)?;
        let (subcommand, word, from) = match subcommand(word) {
            Some(subcommand) => (subcommand, word.clone(), at + 1),
            None if Path::new(word).is_dir() => (Subcommand::Replay, "replay".into(), at),
            None => (Subcommand::Record, "record".into(), at),
        };
        let rest = words.get(from..).unwrap_or_default().to_vec();
        let (trace, program) = (None, Vec::new());
        let mut line = Self { globals, subcommand, word, rest, software, trace, leaves_it_to_outer: false, program };
        match subcommand {
            Subcommand::Record => line.read_record(),
            Subcommand::Replay => line.read_replay(&REPLAY),
            Subcommand::Rerun => line.read_replay(&RERUN),
            Subcommand::Other => {}
        }
        Some(line)
    }

    fn read_record(&mut self) {
        let mut words = self.rest.as_slice();
        while let Some(option) = Opt::read(words, &RECORD) {
            self.software |= option.is_software();
            if option.name == b"nested" {
                self.leaves_it_to_outer =
                    option.value.as_ref().is_some_and(|value| value == "ignore" || value == "release");
            }
            if option.name == b"o" || option.name == OUTPUT.as_bytes() {
                self.trace = option.value;
            }
            words = words.get(option.words..).unwrap_or_default();
        }
        if let Some((first, program)) = words.split_first()
            && first == "--"
        {
            words = program;
        }
        self.program = words.to_vec();
    }

    /// Reads replay's options. Here options may follow the trace, and `--` begins the debugger's own.
    fn read_replay(&mut self, table: &Table) {
        let mut words = self.rest.as_slice();
        while let Some(first) = words.first() {
            let taken = match Opt::read(words, table) {
                Some(option) => {
                    self.software |= option.is_software();
                    option.words
                }
                None if first == "--" || self.trace.is_some() => return,
                None => {
                    self.trace = Some(first.clone());
                    1
                }
            };
            words = words.get(taken..).unwrap_or_default();
        }
    }
}

fn subcommand(word: &OsStr) -> Option<Subcommand> {
    match word.to_str()? {
        "record" => Some(Subcommand::Record),
        "replay" => Some(Subcommand::Replay),
        "rerun" => Some(Subcommand::Rerun),
        other => OTHERS.contains(&other).then_some(Subcommand::Other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn words(line: &str) -> Vec<OsString> {
        line.split_whitespace().map(OsString::from).collect()
    }

    fn read(line: &str) -> CommandLine {
        CommandLine::read(&words(line)).unwrap()
    }

    #[test]
    fn the_program_of_a_recording_is_found_behind_the_options() {
        for line in [
            "record ./prog -o x",
            "record -n -p 5 --num-cores 3 --env=A=B -vC=D -v E=F -- ./prog -o x",
            "-M --log all:warn record -h -t=11 ./prog -o x",
            "--resource-path=/x ./prog -o x",
            "-- record ./prog -o x",
        ] {
            let line = read(line);
            assert_eq!(line.subcommand, Subcommand::Record);
            assert_eq!(line.word, "record");
            assert_eq!(line.program, words("./prog -o x"));
            assert_eq!(line.trace, None);
        }
    }

    #[test]
    fn each_spelling_of_the_output_directory_is_read() {
        for option in ["-o dir", "-odir", "-o=dir", "--output-trace-dir dir", "--output-trace-dir=dir", "-o x -o dir"] {
            assert_eq!(read(&format!("record {option} ./prog")).trace, Some("dir".into()), "{option}");
        }
    }

    #[test]
    fn what_is_said_of_nesting_is_read_before_the_program() {
        let leaves = |line: &str| read(line).leaves_it_to_outer;
        assert!(leaves("record --nested=ignore ./prog") && leaves("record --nested release ./prog"));
        assert!(!leaves("record ./prog --nested=ignore") && !leaves("record --nested=ignore --nested=detach ./prog"));
    }

    #[test]
    fn the_trace_of_a_replay_may_stand_between_options() {
        for line in
            ["replay -g 100 dir -s 9000 -k", "replay -s 0 -q dir", "-M replay dir -- -x dir2", "rerun -s 5 dir -r"]
        {
            assert_eq!(read(line).trace, Some("dir".into()), "{line}");
        }
        assert_eq!(read("replay -d /usr/bin/gdb -- --tui").trace, None);
        assert_eq!(read("replay").trace, None);
        assert_eq!(read("rerun dir").subcommand, Subcommand::Rerun);
    }

    #[test]
    fn a_left_out_subcommand_is_made_up_as_rr_does() {
        assert_eq!((read("/").subcommand, read("/").trace), (Subcommand::Replay, Some("/".into())));
        assert_eq!(read("/no/such/dir").subcommand, Subcommand::Record);
        assert_eq!(read("ps /").subcommand, Subcommand::Other);
        assert_eq!(CommandLine::read(&words("--version")), None);
        assert_eq!(CommandLine::read(&[]), None);
    }

    #[test]
    fn software_counters_are_noticed_wherever_they_are_asked_for() {
        for line in ["-W record x", "record -W x", "replay -W", "replay dir -W", "replay --software-counters"] {
            assert!(read(line).software, "{line}");
        }
        assert!(!read("record ./x -W").software);
        assert!(!read("replay -o -W").software);
    }

    #[test]
    fn no_word_is_lost() {
        let line = read("-M -A=x record -n prog arg");
        assert_eq!(line.globals, words("-M -A=x"));
        assert_eq!(line.rest, words("-n prog arg"));
    }

    proptest! {
        #[test]
        fn no_words_make_it_panic(words in prop::collection::vec("(-{0,2}[a-zA-Z=]{0,6}|record|replay|--)", 0..8)) {
            let words: Vec<OsString> = words.into_iter().map(OsString::from).collect();
            if let Some(line) = CommandLine::read(&words) {
                prop_assert!(words.ends_with(&line.rest));
                prop_assert!(words.starts_with(&line.globals));
            }
        }
    }
}
