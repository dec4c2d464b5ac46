//! Checks of what watchpoints tell: whether the instruction can have written it, and whether all changes were told.

use crate::api::error::Error;
use crate::api::{Access, Reason};
use crate::breakpoints::table::Trigger;
use crate::breakpoints::watch::Watch;
use crate::run::exact_position::ExactPosition;
use crate::run::mover::Mover;
use crate::run::session::Session;
use arch::{Direction, Flow, Store, Syntax, ThreadId, assembly, decode, stores};
use ctype::{Options, render};
use program::module::Role;

type Bytes = Option<Vec<u8>>;

impl Mover<'_, '_> {
    /// Finds what speaks against a change by what a thread did between two places. `None` if nothing does, or if it
    /// cannot be told: what the kernel writes, or rr's own code, is not in an instruction.
    pub(crate) fn doubt(
        &mut self,
        before: &ExactPosition,
        after: &ExactPosition,
        watch: &Watch,
        (old, new): (&Bytes, &Bytes),
    ) -> Result<Option<String>, Error> {
        let (Some(old), Some(new)) = (old, new) else { return Ok(None) };
        let at = before.position.pc;
        if before.position.event() != after.position.event() {
            return Ok(None);
        }
        if self.session.debuggee.inferior.modules.at(at).is_none_or(|m| m.role == Role::Rr) {
            return Ok(None);
        }
        let inferior = &mut self.session.debuggee.inferior;
        let arch = inferior.process.arch();
        let code = inferior.modules.code(&mut inferior.process, at);
        // Behind a system call that blocks, the next instruction is not what writes. A signal on the way has the kernel
        // write its frame.
        let goes_on = decode(arch, &code, at).is_some_and(|i| match i.flow {
            Flow::Next => at.0.wrapping_add(i.length) == after.position.pc.0,
            Flow::Call => true,
            _ => false,
        });
        if !goes_on {
            return Ok(None);
        }
        let found = stores(arch, &code, at, &|name| before.registers.value(name));
        let own = |store: Store| Store { bytes: store.bytes.map(|bytes| watch.own(store.address, bytes)), ..store };
        let found: Option<Vec<Store>> = found.map(|found| found.into_iter().map(own).collect());
        if found.is_none_or(|found| explains(&found, watch.address, old, new)) {
            return Ok(None);
        }
        // Memory that is mapped twice can be written under another address.
        let maps = self.session.debuggee.inferior.process.mappings()?;
        if maps.iter().any(|mapping| mapping.contains(watch.address) && mapping.allows('s')) {
            return Ok(None);
        }
        let text = assembly(arch, &code, at, Syntax::Att).map(|found| found.text).unwrap_or_default();
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        Ok(Some(format!("internal check failed: the instruction at {at} ({text}) cannot have written this")))
    }
}

impl Mover<'_, '_> {
    /// Says that a watched object is written in part here, if rr's library writes more of it before or after: that
    /// copies what a system call has read byte by byte.
    pub(crate) fn note_of_piece(
        &mut self,
        thread: ThreadId,
        expression: &str,
        watch: &Watch,
        direction: Direction,
    ) -> Result<Option<String>, Error> {
        /// `rep movsb`
        const COPY: [u8; 2] = [0xf3, 0xa4];
        let inferior = &mut self.session.debuggee.inferior;
        let registers = inferior.process.registers(thread)?;
        let pc = registers.pc().unwrap_or_default();
        if !inferior.is_rr_code(pc) || inferior.process.read_up_to(pc.0, COPY.len()) != COPY {
            return Ok(None);
        }
        let next = registers.value("rdi").map(|next| next.wrapping_sub(watch.address));
        let is_part = next.is_some_and(|next| match direction {
            Direction::Forward => (1..watch.size).contains(&next),
            // Of the first byte, others come behind it.
            Direction::Reverse if next == 0 => watch.size > 1 && registers.value("rcx").is_some_and(|left| left > 1),
            Direction::Reverse => next < watch.size,
        });
        Ok(is_part.then(|| {
            format!("`{expression}` is written byte by byte, by rr for the system call: this is a part of it")
        }))
    }
}

impl Session {
    /// Notes which watched objects are not as they were when they were last seen, though nothing has reported that. rr
    /// may drop a report: of what the kernel writes at the end of a thread, going back, once it has been near.
    pub(crate) fn note_unreported(&mut self, direction: Direction) {
        // Where a movement was cancelled, what was on the way may not have been told yet; and an `exec` changes all.
        if matches!(self.reason, Reason::TimedOut { .. } | Reason::Cancelled | Reason::Exec { .. }) {
            return;
        }
        let reported = self.debuggee.breakpoints.enabled().filter(|entry| entry.condition.is_none());
        let watched = reported.filter_map(|entry| match &entry.what {
            Trigger::Data { watch, .. } if watch.access != Access::Read => Some((entry.text.clone(), watch.clone())),
            _ => None,
        });
        for (expression, watch) in watched.collect::<Vec<_>>() {
            let now = watch.read(&mut self.debuggee.inferior.process);
            if now.is_some() && watch.last.is_some() && now != watch.last {
                let note = self.words_for_unreported(self.debuggee.thread, &expression, &watch, &now, direction);
                self.notes.push(note);
            }
        }
    }

    /// Says that a watched object contains something else than when it was last seen.
    pub(crate) fn words_for_unreported(
        &mut self,
        thread: ThreadId,
        expression: &str,
        watch: &Watch,
        now: &Bytes,
        direction: Direction,
    ) -> String {
        let mut show = |bytes: &Bytes| match bytes {
            Some(bytes) => self.show_watched(thread, watch, bytes),
            None => "unreadable".to_owned(),
        };
        let (seen, now) = (show(&watch.last), show(now));
        let (from, to) = match direction {
            Direction::Forward => (seen, now),
            Direction::Reverse => (now, seen),
        };
        format!("`{expression}` has also changed from {from} to {to} between the last stop and this one, unreported")
    }

    /// Shows what a watched object contains.
    pub(crate) fn show_watched(&mut self, thread: ThreadId, watch: &Watch, bytes: &[u8]) -> String {
        let inferior = &mut self.debuggee.inferior;
        let pc = inferior.process.registers(thread).ok().and_then(|r| r.pc()).unwrap_or_default();
        let options = Options::new(inferior.target_at(pc));
        render(&watch.value(bytes), inferior, &options).text
    }
}

/// Returns whether stores can have changed the bytes from `address` on as they have.
fn explains(stores: &[Store], address: u64, old: &[u8], new: &[u8]) -> bool {
    (address..).zip(old.iter().zip(new)).all(|(at, (old, new))| {
        let mut over = stores.iter().filter(|s| at.wrapping_sub(s.address) < s.length).peekable();
        match over.peek() {
            None => old == new,
            Some(_) => over.any(|store| match &store.bytes {
                Some(bytes) => usize::try_from(at.wrapping_sub(store.address)).is_ok_and(|i| bytes.get(i) == Some(new)),
                None => true,
            }),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn store(address: u64, length: u64, bytes: Option<&[u8]>) -> Store {
        Store { address, length, bytes: bytes.map(<[u8]>::to_vec) }
    }

    #[test]
    fn a_store_explains_what_it_writes() {
        let known = [store(0x100, 4, Some(&[1, 2, 3, 4]))];
        assert!(explains(&known, 0x100, &[0; 4], &[1, 2, 3, 4]));
        assert!(explains(&known, 0x102, &[0, 0, 7, 7], &[3, 4, 7, 7]), "the end of it");
        assert!(explains(&known, 0xfe, &[9, 9, 0, 0], &[9, 9, 1, 2]), "its beginning");
        assert!(!explains(&known, 0x100, &[0; 4], &[1, 2, 3, 5]), "another value");
        assert!(!explains(&known, 0x100, &[0; 4], &[1, 2, 0, 0]), "only a part");
        assert!(!explains(&known, 0x103, &[0, 0], &[4, 1]), "a byte behind it");
        assert!(!explains(&known, 0x200, &[0; 4], &[1, 2, 3, 4]), "elsewhere");
    }

    #[test]
    fn of_other_stores_only_the_place_is_known() {
        let unknown = [store(0x100, 4, None)];
        assert!(explains(&unknown, 0x100, &[0; 4], &[5; 4]));
        assert!(!explains(&unknown, 0x102, &[0; 4], &[5; 4]));
        assert!(!explains(&[], 0x100, &[0], &[1]));
        assert!(explains(&[], 0x100, &[1], &[1]));
    }
}
