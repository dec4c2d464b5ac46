//! From what follows `info` to what it tells.

use super::{depth, first_word, frame, text};
use crate::console::command::Info;
use crate::console::error::Error;
use crate::console::number_list::Numbers;
use crate::console::topic_names::{Topic, topic};

/// Parses a subcommand. `numbers`: parses numbers of breakpoints.
pub(super) fn parse(given: &str, numbers: &dyn Fn(&str) -> Result<Numbers, Error>) -> Result<Info, Error> {
    let (word, rest) = first_word(given);
    if word.is_empty() {
        return Err(Error::said("\"info\" must be followed by the name of an info command: see \"help info\"."));
    }
    let needed = |what: &str| text(rest).ok_or_else(|| Error::said(what));
    let names = || rest.split_whitespace().map(str::to_owned).collect();
    Ok(match topic(word)? {
        Topic::Breakpoints => Info::Breakpoints { numbers: numbers(rest)?, watchpoints: false },
        Topic::Watchpoints => Info::Breakpoints { numbers: numbers(rest)?, watchpoints: true },
        Topic::Locals => Info::Locals,
        Topic::Macro => crate::console::macros::topic(rest)?,
        Topic::Args => Info::Args,
        Topic::Registers => Info::Registers { names: names(), all: false },
        Topic::AllRegisters => Info::Registers { names: names(), all: true },
        Topic::Threads => Info::Threads(Numbers::parse(rest, "thread", None)?),
        Topic::Frame => Info::Frame(frame(rest)?),
        Topic::Stack => {
            let (full, count) = depth(rest)?;
            Info::Stack { full, count }
        }
        Topic::Sharedlibrary => Info::Sharedlibrary,
        Topic::Line => Info::Line(text(rest)),
        Topic::Symbol => Info::Symbol(needed("Argument required (address).")?),
        Topic::Address => Info::Address(needed("Argument required.")?),
        Topic::Source => Info::Source,
        Topic::Display => Info::Display,
        Topic::Checkpoints => Info::Checkpoints,
        Topic::Signals => Info::Signals(text(rest)),
        Topic::Inferiors => Info::Inferiors,
        Topic::Proc => Info::Process(crate::console::process_facts::parse(rest)?),
        Topic::Vtbl => Info::VirtualTables(needed("Argument required (a C++ object, or a pointer to one).")?),
        Topic::Float => Info::Registers { names: vec!["float".to_owned()], all: false },
        Topic::Vector => Info::Registers { names: vec!["vector".to_owned()], all: false },
        Topic::Program => Info::Program,
        Topic::Skip => Info::Skip,
        Topic::Functions => Info::Functions(text(rest)),
        Topic::Variables => Info::Variables(text(rest)),
        Topic::Types => Info::Types(text(rest)),
        Topic::Scope => Info::Scope(needed("requires an argument (an expression or variable): a linespec")?),
        Topic::Auxv => Info::Auxv,
        Topic::Recording => Info::Recording,
    })
}
