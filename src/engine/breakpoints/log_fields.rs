//! What the text of a log point can say about where it is met: `{$thread}`, `{$caller}`.

use crate::api::{Frame, LogLine, Position};
use readers::shortened_function;
use std::path::Path;

/// Something about the place at which a log point is hit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shown {
    /// The number that users know the thread by.
    Thread,
    /// The function of the innermost frame, of the one around it.
    Function,
    Caller,
    /// Without its directory.
    File,
    Line,
    Event,
    Ticks,
}

/// How they are written.
pub(crate) const NAMES: [(&str, Shown); 7] = [
    ("$thread", Shown::Thread),
    ("$function", Shown::Function),
    ("$caller", Shown::Caller),
    ("$file", Shown::File),
    ("$line", Shown::Line),
    ("$event", Shown::Event),
    ("$ticks", Shown::Ticks),
];

impl Shown {
    /// Returns how it is written, without the `$`.
    pub(crate) fn name(self) -> &'static str {
        let name = NAMES.iter().find(|(_, shown)| *shown == self).map(|(name, _)| *name);
        name.and_then(|name| name.strip_prefix('$')).unwrap_or_default()
    }

    /// Returns what a name means, written with its `$`.
    pub(crate) fn named(name: &str) -> Option<Self> {
        NAMES.iter().find(|(known, _)| *known == name).map(|(_, shown)| *shown)
    }
}

/// Where a log point is hit.
pub(crate) struct Here {
    pub(crate) position: Position,
    /// The number that users know the thread by.
    pub(crate) thread: u32,
    pub(crate) frame: Frame,
    /// The function around it, or why it is not known.
    pub(crate) caller: String,
}

impl Here {
    /// Returns what there is to say. What is not known says so.
    pub(crate) fn say(&self, shown: Shown) -> String {
        let number = |number: Option<u64>| number.map(|number| number.to_string());
        let known = match shown {
            Shown::Thread => Some(self.thread.to_string()),
            Shown::Function => self.frame.function.as_deref().map(shortened_function),
            Shown::Caller => Some(self.caller.clone()),
            Shown::File => self.frame.file.as_deref().map(|file| without_directory(file).to_owned()),
            Shown::Line => number(self.frame.line.map(u64::from)),
            Shown::Event => number(self.position.event()),
            Shown::Ticks => number(self.position.ticks()),
        };
        known.unwrap_or_else(|| "<not known>".to_owned())
    }
}

fn without_directory(file: &str) -> &str {
    Path::new(file).file_name().and_then(|name| name.to_str()).unwrap_or(file)
}

impl LogLine {
    /// Returns where it was written, in few words: `event 104/15268 thread 1 add stepping.c:17`.
    pub fn place(&self) -> String {
        let mut words = Vec::new();
        match (self.position.event(), self.position.ticks()) {
            (Some(event), Some(ticks)) => words.push(format!("event {event}/{ticks}")),
            (Some(event), None) => words.push(format!("event {event}")),
            (None, _) => {}
        }
        words.push(format!("thread {}", self.thread));
        let pc = || format!("{:#x}", self.position.pc.0);
        words.push(self.function.as_deref().map_or_else(pc, shortened_function));
        if let (Some(file), Some(line)) = (&self.file, self.line) {
            words.push(format!("{}:{line}", without_directory(file)));
        }
        words.join(" ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::Moment;
    use arch::RunAddr;
    use arch::ThreadId;

    #[test]
    fn each_name_is_found_again() {
        for (name, shown) in NAMES {
            assert_eq!(Shown::named(name), Some(shown));
            assert_eq!(format!("${}", shown.name()), name);
        }
    }

    #[test]
    fn a_line_says_where_it_was_written() {
        let id = ThreadId { pid: 1, tid: 2 };
        let moment = Some(Moment { event: 104, ticks: 15_268 });
        let mut line = LogLine {
            index: 1,
            number: 2,
            text: "x".to_owned(),
            values: Vec::new(),
            position: Position { moment, thread: id, pc: RunAddr(0x40_1136) },
            thread: 3,
            function: Some("add".to_owned()),
            file: Some("/src/a b/stepping.c".to_owned()),
            line: Some(17),
            old: None,
            new: None,
        };
        assert_eq!(line.place(), "event 104/15268 thread 3 add stepping.c:17");
        (line.position.moment, line.function, line.line) = (None, None, None);
        assert_eq!(line.place(), "thread 3 0x401136");
    }
}
