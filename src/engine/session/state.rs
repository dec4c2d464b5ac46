//! One replay being debugged: the stopped process, the user's breakpoints, and what is selected.

use crate::arch::{RunAddr, ThreadId};
use crate::engine::api::error::Error;
use crate::engine::api::{Frame, Logged, Reason, SourceLine, Stop, Thread, Timeouts};
use crate::engine::breakpoints::log_book::LogBook;
use crate::engine::breakpoints::table::{Breakpoints, What};
use crate::engine::eval::inferior::Inferior;
use crate::engine::modules::debuginfod::DebugSettings;
use crate::engine::modules::sources::Sources;
use crate::engine::run::checkpoints::Checkpoints;
use crate::engine::run::exact_position::ExactPosition;
use crate::engine::run::images::Images;
use crate::engine::run::limit::RESTART;
use crate::engine::run::stop_state::StopState;
use crate::engine::run::time_spent::TimeSpent;
use crate::engine::stack::frames::Level;
use crate::engine::target::process::Process;
use crate::rr::signal_name;
use crate::rsp::{StopReply, Wanted};
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// Source lines shown before and after the line of a stop.
const CONTEXT: u32 = 3;

/// How the recorded process ended, as the trace tells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::engine) struct Ending(pub(in crate::engine) Option<i32>);

impl Ending {
    pub(in crate::engine) fn reason(self) -> Reason {
        match self.0 {
            Some(code) if code < 0 => {
                let number = code.saturating_neg();
                let name = signal_name(number).unwrap_or_else(|| format!("SIG{number}"));
                Reason::EndOfRecording { exit_code: None, signal: Some(name) }
            }
            exit_code => Reason::EndOfRecording { exit_code, signal: None },
        }
    }
}

/// One replay being debugged.
pub(in crate::engine) struct Session {
    pub(in crate::engine) inferior: Inferior,
    pub(in crate::engine) breakpoints: Breakpoints,
    /// Their places may be those of other modules than are loaded now.
    pub(in crate::engine) unbound: bool,
    /// Whether reading debug info for what is being asked is wanted.
    pub(in crate::engine) wanted: Wanted,
    pub(in crate::engine) checkpoints: Checkpoints,
    /// rr's numbers of checkpoints that are only made for the movement.
    pub(in crate::engine) marks: Vec<u64>,
    pub(in crate::engine) limits: Timeouts,
    /// The least time that a restart gets: longer where it takes long to come to where the session began.
    pub(in crate::engine) restart_limit: Duration,
    /// The event that it began at; 0 in the first process.
    pub(in crate::engine) beginning: u64,
    pub(in crate::engine) ending: Ending,
    /// The selected thread; after a movement the one that stopped.
    pub(in crate::engine) thread: ThreadId,
    /// The selected frame of it.
    pub(in crate::engine) level: u32,
    /// What is remembered of the last stop.
    pub(in crate::engine) state: StopState,
    /// Why it is where it is.
    pub(in crate::engine) reason: Reason,
    /// The event of the last stop.
    pub(in crate::engine) last_event: u64,
    /// Where the last stop was.
    pub(in crate::engine) last_place: Option<ExactPosition>,
    /// The last stop, if nothing was left out of it.
    pub(in crate::engine) last_stop: Option<Stop>,
    /// What the process has executed.
    pub(in crate::engine) images: Images,
    /// Why the last movement was given up, if it was.
    pub(in crate::engine) given_up: Option<Reason>,
    /// The thread that is at a breakpoint of which it is not known whether it stops: that was given up.
    pub(in crate::engine) undecided: Option<ThreadId>,
    /// What the movement has been busy with.
    pub(in crate::engine) time_spent: TimeSpent,
    /// Where an `advance` goes.
    pub(in crate::engine) destinations: Vec<RunAddr>,
    /// What is to be said at the next stop.
    pub(in crate::engine) notes: Vec<String>,
    /// What log points have written down.
    pub(in crate::engine) log: LogBook,
    /// Which frame may know what the last call asked for and the selected one does not.
    pub(in crate::engine) hint: Option<String>,
    /// Source files that are not there; each is told of once.
    unreadable: BTreeSet<String>,
    /// Known threads in the order in which they were met: their numbers.
    pub(in crate::engine) met: Vec<ThreadId>,
    pub(in crate::engine) sources: Sources,
}

impl Session {
    /// A session on a process that has just been connected to.
    pub(in crate::engine) fn new(
        mut process: Process,
        trace: Option<&Path>,
        debug: DebugSettings,
        limits: Timeouts,
        ending: Ending,
    ) -> Result<Self, Error> {
        process.set_request_timeout(limits.eval.max(Duration::from_secs(1)));
        let thread = match process.last_stop()? {
            StopReply::Stopped { thread, .. } => thread,
            StopReply::Exited(_) | StopReply::Killed(_) => return Err(Error::Incomplete("living process")),
        };
        let images = Images::new(&mut process, thread)?;
        let mut session = Self {
            inferior: Inferior::new(process, trace, debug),
            breakpoints: Breakpoints::default(),
            unbound: false,
            wanted: Arc::new(|| true),
            checkpoints: Checkpoints::default(),
            marks: Vec::new(),
            limits,
            restart_limit: RESTART,
            beginning: 0,
            ending,
            thread,
            level: 0,
            state: StopState::default(),
            reason: Reason::StartOfRecording,
            last_event: 0,
            last_place: None,
            last_stop: None,
            images,
            given_up: None,
            undecided: None,
            time_spent: TimeSpent::default(),
            destinations: Vec::new(),
            notes: Vec::new(),
            log: LogBook::default(),
            hint: None,
            unreadable: BTreeSet::new(),
            met: Vec::new(),
            sources: Sources::default(),
        };
        session.inferior.refresh()?;
        session.meet_threads()?;
        Ok(session)
    }

    /// Brings modules, breakpoints and threads up to date with the process after it has moved.
    pub(in crate::engine) fn catch_up(&mut self) -> Result<(), Error> {
        self.inferior.refresh()?;
        self.unbound |= self.inferior.renew() | self.inferior.take_changed();
        if self.unbound {
            self.rebind();
            self.unbound = false;
        }
        Ok(())
    }

    /// Everything about where the process is now, as a stop.
    pub(in crate::engine) fn stop(&mut self) -> Result<Stop, Error> {
        self.attempt(self.limits.eval, Self::whole_stop).or_else(|error| self.bare_stop(error))
    }

    pub(in crate::engine) fn whole_stop(&mut self) -> Result<Stop, Error> {
        self.catch_up()?;
        self.meet_threads()?;
        let level = self.inferior.level(self.thread, 0)?;
        let frame = self.inferior.frame(self.thread, 0, level, true)?;
        let position = self.inferior.position(self.thread)?;
        self.last_event = position.event().unwrap_or(self.last_event);
        self.last_place = Some(ExactPosition { position, registers: self.inferior.process.registers(self.thread)? });
        let source = self.source_around(&frame);
        let mut notes = std::mem::take(&mut self.notes);
        if let (Some(_), Some(path), true) = (frame.line, &frame.fullname, source.is_empty())
            && self.unreadable.insert(path.clone())
        {
            notes.push(format!("the source cannot be read: there is no {path}"));
        }
        self.remember_watched_values();
        let (reason, logged) = (self.reason.clone(), Logged::default());
        let bare = Stop { reason, position, frame, source, notes: Vec::new(), logged };
        self.last_stop = Some(bare.clone());
        Ok(Stop { notes, ..bare })
    }

    fn source_around(&mut self, frame: &Frame) -> Vec<SourceLine> {
        let (Some(path), Some(line)) = (frame.fullname.as_deref(), frame.line) else {
            return Vec::new();
        };
        let text = self.sources.around(Path::new(path), line, 2 * CONTEXT + 1);
        text.map(|t| t.lines).unwrap_or_default()
    }

    /// What the watched objects contain now is what they will have contained before the next stop.
    pub(in crate::engine) fn remember_watched_values(&mut self) {
        let Self { inferior, breakpoints, .. } = self;
        for entry in breakpoints.select_mut(|entry| matches!(entry.what, What::Data { .. })) {
            if let What::Data { watch, .. } = &mut entry.what {
                watch.last = watch.read(&mut inferior.process);
            }
        }
    }

    pub(in crate::engine) fn meet_threads(&mut self) -> Result<Vec<ThreadId>, Error> {
        let threads = self.inferior.process.threads()?;
        for thread in &threads {
            if !self.met.contains(thread) {
                self.met.push(*thread);
            }
        }
        Ok(threads)
    }

    /// The number that users know a thread by.
    pub(in crate::engine) fn number(&self, thread: ThreadId) -> u32 {
        let index = self.met.iter().position(|t| *t == thread).unwrap_or(self.met.len());
        u32::try_from(index + 1).unwrap_or(u32::MAX)
    }

    pub(in crate::engine) fn threads(&mut self) -> Result<Vec<Thread>, Error> {
        let ids = self.meet_threads()?;
        let mut threads = Vec::with_capacity(ids.len());
        for id in ids {
            threads.push(self.describe_thread(id)?);
        }
        threads.sort_by_key(|t| t.number);
        Ok(threads)
    }

    fn describe_thread(&mut self, id: ThreadId) -> Result<Thread, Error> {
        let level = self.inferior.level(id, 0)?;
        let frame = self.inferior.frame(id, 0, level, true)?;
        Ok(Thread {
            number: self.number(id),
            id,
            name: self.inferior.process.thread_name(id)?,
            frame: Some(frame),
            current: id == self.thread,
        })
    }

    /// A thread by number (`2`), by rr's ids (`1234.1235`, `1235`), or by its name if it is the only one of that name.
    pub(in crate::engine) fn thread_named(&mut self, asked: &str) -> Result<ThreadId, Error> {
        let ids = self.meet_threads()?;
        let text = asked.trim();
        let by_number = || {
            let number: u32 = text.parse().ok()?;
            ids.iter().find(|t| self.number(**t) == number).or_else(|| ids.iter().find(|t| t.tid == number))
        };
        if let Some(id) = ids.iter().find(|t| t.to_string() == text).or_else(by_number) {
            return Ok(*id);
        }
        let mut known = Vec::new();
        for id in ids {
            let name = self.inferior.process.thread_name(id)?.unwrap_or_default();
            known.push((self.number(id), id, name));
        }
        known.sort();
        let called: Vec<_> = known.iter().filter(|(_, _, name)| !name.is_empty() && name == text).collect();
        if let [(_, id, _)] = called[..] {
            return Ok(*id);
        }
        let shown = |(number, id, name): &(u32, ThreadId, String)| match name.is_empty() {
            true => format!("{number} ({id})"),
            false => format!("{number} ({id} {name})"),
        };
        let listed = if called.is_empty() {
            known.iter().map(shown).collect::<Vec<_>>()
        } else {
            called.into_iter().map(shown).collect()
        };
        Err(Error::NoThread { asked: asked.to_owned(), known: listed.join(", ") })
    }

    pub(in crate::engine) fn select_thread(&mut self, asked: &str) -> Result<Thread, Error> {
        let id = self.thread_named(asked)?;
        self.thread = id;
        self.level = 0;
        self.describe_thread(id)
    }

    /// The level that is selected.
    pub(in crate::engine) fn selected(&mut self) -> Result<Level, Error> {
        self.inferior.level(self.thread, self.level)
    }

    pub(in crate::engine) fn select_frame(&mut self, number: u32) -> Result<Frame, Error> {
        let level = self.inferior.level(self.thread, number)?;
        let frame = self.inferior.frame(self.thread, number, level, true)?;
        self.level = number;
        Ok(frame)
    }

    /// The source file of the selected frame, by its absolute path; of `main` if that has none.
    pub(in crate::engine) fn current_file(&mut self) -> Option<String> {
        let level = self.selected().ok()?;
        let frame = self.inferior.frame(self.thread, self.level, level, false).ok()?;
        frame.fullname.or_else(|| {
            let program = self.inferior.modules.program()?;
            // Not worth waiting for any other of that name.
            let early = program.image.functions_by_symbol("main").filter(|found| !found.is_empty());
            let main = early.unwrap_or_else(|| program.image.functions_named("main"));
            Some(program.file_of(main.first()?)?.path.display().to_string())
        })
    }

    /// Lines of a source file: around a frame's line, or around a line of a file.
    pub(in crate::engine) fn source(
        &mut self,
        file: Option<&str>,
        line: Option<u32>,
        count: u32,
    ) -> Result<crate::engine::api::SourceText, Error> {
        let level = self.selected()?;
        let frame = self.inferior.frame(self.thread, self.level, level, false)?;
        let here = frame.fullname.clone();
        let path = match file {
            None => here.clone().ok_or_else(|| Error::NoSource {
                file: frame.function.clone().unwrap_or_else(|| frame.address.to_string()),
                reason: "there is no line information for it; say which file and line".to_owned(),
            })?,
            Some(file) => self.find_source(file, here.as_deref())?,
        };
        let same = here.as_deref() == Some(path.as_str());
        let line = line.or(frame.line.filter(|_| same)).unwrap_or(1);
        let mut text = self.sources.around(Path::new(&path), line, count)?;
        for shown in &mut text.lines {
            shown.current = same && frame.line == Some(shown.number);
        }
        Ok(text)
    }

    /// The path of a source file that is named by its last components. What no debug info names is not read.
    fn find_source(&self, file: &str, here: Option<&str>) -> Result<String, Error> {
        if here.is_some_and(|here| Path::new(here).ends_with(file)) {
            return Ok(here.unwrap_or_default().to_owned());
        }
        let known = self.inferior.modules.user().flat_map(|m| m.image.files_matching(file)).next();
        known.map(|f| f.path.display().to_string()).ok_or_else(|| Error::NoSource {
            file: file.to_owned(),
            reason: "no debug info that is loaded names it".to_owned(),
        })
    }
}
