//! Threads by their names, and the selected thread and frame.

use crate::api::error::Error;
use crate::api::{Frame, SourceText, Thread};
use crate::breakpoints::debuggee::Debuggee;
use crate::stack::physical::Level;
use arch::ThreadId;
use program::module::file_of_main;
use std::path::Path;

impl Debuggee {
    /// Numbers the threads that are new, as GDB does: the one that has stopped before the others that are there.
    pub(crate) fn meet_threads(&mut self) -> Result<Vec<ThreadId>, Error> {
        let threads = self.inferior.process.threads()?;
        let stopped = threads.iter().filter(|thread| **thread == self.thread);
        for thread in stopped.chain(&threads) {
            if !self.known_threads.contains(thread) {
                self.known_threads.push(*thread);
            }
        }
        Ok(threads)
    }

    /// Returns the number that users know a thread by.
    pub(crate) fn number(&self, thread: ThreadId) -> u32 {
        let index = self.known_threads.iter().position(|t| *t == thread).unwrap_or(self.known_threads.len());
        u32::try_from(index + 1).unwrap_or(u32::MAX)
    }

    pub(crate) fn threads(&mut self) -> Result<Vec<Thread>, Error> {
        let ids = self.meet_threads()?;
        let mut threads = Vec::with_capacity(ids.len());
        for id in ids {
            threads.push(match self.inferior.work().is_cancelled() {
                // There may be too many for the time there is: of the rest, only the numbers are listed.
                true => Thread { number: self.number(id), id, name: None, frame: None, current: id == self.thread },
                false => self.describe_thread(id)?,
            });
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

    /// Finds a thread by number (`2`), by rr's ids (`1234.1235`, `1235`), or by its name if it is the only one of that
    /// name.
    pub(crate) fn thread_named(&mut self, asked: &str) -> Result<ThreadId, Error> {
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

    pub(crate) fn select_thread(&mut self, asked: &str) -> Result<Thread, Error> {
        let id = self.thread_named(asked)?;
        self.thread = id;
        self.level = 0;
        self.describe_thread(id)
    }

    /// Returns the level that is selected.
    pub(crate) fn selected(&mut self) -> Result<Level, Error> {
        self.inferior.level(self.thread, self.level)
    }

    pub(crate) fn select_frame(&mut self, number: u32) -> Result<Frame, Error> {
        let level = self.inferior.level(self.thread, number)?;
        let frame = self.inferior.frame(self.thread, number, level, true)?;
        self.level = number;
        Ok(frame)
    }

    /// Returns the source file of the selected frame, by its absolute path; of `main` if that has none.
    pub(crate) fn current_file(&mut self) -> Option<String> {
        let level = self.selected().ok()?;
        let frame = self.inferior.frame(self.thread, self.level, level, false).ok()?;
        frame.fullname.or_else(|| file_of_main(&self.inferior.modules.program()?.image))
    }

    /// Reads lines of a source file: around a frame's line, or around a line of a file.
    pub(crate) fn source(&mut self, file: Option<&str>, line: Option<u32>, count: u32) -> Result<SourceText, Error> {
        let level = self.selected()?;
        let frame = self.inferior.frame(self.thread, self.level, level, false)?;
        let here = frame.fullname.clone();
        let path = match file {
            None => here.clone().ok_or_else(|| Error::NoSource {
                file: frame.function.clone().unwrap_or_else(|| frame.address.to_string()),
                reason: "it has no line information; give a file and line".to_owned(),
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

    /// Finds the path of a source file that is named by its last components. What no debug info names is not read.
    fn find_source(&self, file: &str, here: Option<&str>) -> Result<String, Error> {
        if here.is_some_and(|here| Path::new(here).ends_with(file)) {
            return Ok(here.unwrap_or_default().to_owned());
        }
        let known = self.inferior.modules.user().flat_map(|m| m.image.files_matching(file)).next();
        known.map(|f| f.path.to_string_lossy().into_owned()).ok_or_else(|| Error::NoSource {
            file: file.to_owned(),
            reason: "no debug info that is loaded names it".to_owned(),
        })
    }
}
