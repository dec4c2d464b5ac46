//! Source lines: `list`.

use super::command::ListSpec;
use super::error::Error;
use super::execution::Execution;
use super::location_spec::{moved, offset};

/// The lines that were listed last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Listed {
    /// Valid for this position and frame only: elsewhere `list` begins around the current line.
    epoch: u64,
    level: u32,
    pub(super) file: String,
    pub(super) fullname: String,
    first: u32,
    pub(super) last: u32,
}

/// A line of a file.
struct Spot {
    file: String,
    fullname: String,
    line: u32,
}

impl Execution<'_> {
    pub(super) fn list(&mut self, spec: &ListSpec) -> Result<(), Error> {
        let size = self.state.settings.list_size.max(1);
        let before = size / 2;
        match spec {
            ListSpec::More => match self.listed() {
                Some(listed) => {
                    let first = listed.last.saturating_add(1);
                    self.show_lines(&listed.file, &listed.fullname, first, first.saturating_add(size - 1))
                }
                None => {
                    let here = self.current()?;
                    self.around(&here, before, size)
                }
            },
            ListSpec::Back => {
                let Some(listed) = self.listed() else {
                    // As GDB: what is before something that was not listed yet begins with that.
                    let here = self.current()?;
                    return self.around(&here, before, size);
                };
                if listed.first <= 1 {
                    return Err(Error::said(format!("Already at the start of {}.", listed.file)));
                }
                let last = listed.first - 1;
                self.show_lines(&listed.file, &listed.fullname, last.saturating_sub(size - 1).max(1), last)
            }
            ListSpec::Around(place) => {
                let spot = self.spot(place)?;
                self.around(&spot, before, size)
            }
            ListSpec::From(place) => {
                let spot = self.spot(place)?;
                self.show_lines(&spot.file, &spot.fullname, spot.line, spot.line.saturating_add(size - 1))
            }
            ListSpec::UpTo(place) => {
                let spot = self.spot(place)?;
                self.show_lines(&spot.file, &spot.fullname, spot.line.saturating_sub(size - 1).max(1), spot.line)
            }
            ListSpec::Between(first, last) => {
                let first = self.spot(first)?;
                // A line number that ends a range is in the file that begins it, and counted from where it begins.
                let last = match (offset(last), last.trim().parse()) {
                    (Some(offset), _) => moved(first.line, offset),
                    (None, Ok(line)) => line,
                    (None, Err(_)) => {
                        let last = self.spot(last)?;
                        if last.fullname != first.fullname {
                            return Err(Error::said("Specified first and last lines are in different files."));
                        }
                        last.line
                    }
                };
                self.show_lines(&first.file, &first.fullname, first.line, last)
            }
        }
    }

    pub(super) fn listed(&mut self) -> Option<Listed> {
        let (epoch, level) = (self.engine.epoch(), self.engine.frame_level());
        self.state.listed.clone().filter(|l| (l.epoch, l.level) == (epoch, level))
    }

    /// Returns the line of the selected frame; of `main` if that has none.
    fn current(&mut self) -> Result<Spot, Error> {
        let level = self.engine.frame_level();
        let stack = self.engine.backtrace(level, 1, false)?;
        let frame = stack.frames.into_iter().next();
        match frame.map(|f| (f.file, f.fullname, f.line)) {
            Some((Some(file), Some(fullname), Some(line))) => Ok(Spot { file, fullname, line }),
            _ => self.spot("main").map_err(|_| Error::said("No symbol table is loaded.  Use the \"file\" command.")),
        }
    }

    fn spot(&mut self, place: &str) -> Result<Spot, Error> {
        if let Some(offset) = offset(place) {
            let from = match self.listed() {
                Some(listed) => {
                    Spot { line: listed.last.saturating_add(1), file: listed.file, fullname: listed.fullname }
                }
                None => self.current()?,
            };
            return Ok(Spot { line: moved(from.line, offset), ..from });
        }
        if let (Ok(line), Some(listed)) = (place.trim().parse(), self.listed()) {
            return Ok(Spot { file: listed.file, fullname: listed.fullname, line });
        }
        let meant = self.meant(place)?;
        let found = self.engine.source_position(&meant)?;
        Ok(Spot { file: found.file, fullname: found.fullname, line: found.line })
    }

    fn around(&mut self, spot: &Spot, before: u32, size: u32) -> Result<(), Error> {
        let first = spot.line.saturating_sub(before).max(1);
        self.show_lines(&spot.file, &spot.fullname, first, first.saturating_add(size - 1))
    }

    fn show_lines(&mut self, file: &str, fullname: &str, first: u32, last: u32) -> Result<(), Error> {
        if last < first {
            return Err(Error::said("Second line number is before the first."));
        }
        let count = (last - first).saturating_add(1);
        let found = self.engine.source(Some(fullname), Some(first.saturating_add(count / 2)), count);
        let lines = match found {
            Ok(text) => text.lines,
            // Around a line past the end there may still be lines to show.
            Err(engine::Error::OutOfRange { .. }) => {
                let all = self.engine.source(Some(fullname), Some(1), 1)?.last_line;
                if first > all {
                    return Err(Error::said(format!("Line number {first} out of range; {file} has {all} lines.")));
                }
                self.engine.source(Some(fullname), Some(all), all.saturating_sub(first).saturating_add(1) * 2)?.lines
            }
            Err(engine::Error::NoSource { .. }) => {
                let text = self.unreadable(first, file, Some(fullname));
                self.say(text);
                self.remember_listed(file, fullname, first, first);
                return Ok(());
            }
            Err(other) => return Err(other.into()),
        };
        let mut shown = first;
        for line in lines.iter().filter(|l| (first..=last).contains(&l.number)) {
            self.say(format!("{}\t{}", line.number, line.text));
            shown = line.number;
        }
        self.remember_listed(file, fullname, first, shown);
        Ok(())
    }

    pub(super) fn remember_listed(&mut self, file: &str, fullname: &str, first: u32, last: u32) {
        self.state.listed = Some(Listed {
            epoch: self.engine.epoch(),
            level: self.engine.frame_level(),
            file: file.to_owned(),
            fullname: fullname.to_owned(),
            first,
            last,
        });
    }
}
