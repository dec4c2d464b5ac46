//! Long work on debug info in the middle of a call: who wants it, how long it may take, and what is left if it is given
//! up.
//!
//! Such work ends by unwinding, from wherever in the engine the question was asked ([`Work`]). So it is caught where a
//! session is whole: around a call, which has then changed nothing; around a movement, which then ends where the
//! process is; and around the description of a stop, which then tells the address only.

use crate::dwarf::Work;
use crate::engine::Engine;
use crate::engine::api::error::Error;
use crate::engine::api::{Frame, Logged, Reason, Stop};
use crate::engine::run::exact_position::ExactPosition;
use crate::engine::session::state::Session;
use crate::engine::stack::describe::empty_frame;
use crate::rsp::StopReply;
use std::sync::Arc;
use std::time::{Duration, Instant};

impl Engine {
    /// From now on, what an [`Observer`](crate::engine::api::Observer) is not asked about is given up as soon as it is not
    /// `wanted` any more, which other threads may ask, too: reading debug info, the way to an event or checkpoint, and
    /// the way back in a new replay. A call that needs debug info fails with [`Error::GivenUp`], and the next one that
    /// does begins anew. A movement ends where it is, or where it began; the way back ([`Error::OnTheWay`]) is taken
    /// anew by the next call.
    pub fn while_wanted(&mut self, wanted: impl Fn() -> bool + Send + Sync + 'static) {
        let switch = self.switch.clone();
        self.session.wanted = Arc::new(move || wanted() && !switch.is_pulled());
        self.session.inferior.process.while_wanted(self.session.wanted.clone());
    }

    /// What is being read of debug info, and how far that is: for another thread to look at while a call takes long.
    pub fn work(&self) -> Work {
        self.session.inferior.work().clone()
    }
}

impl Session {
    /// Does something for which debug info may be read for so long.
    pub(in crate::engine) fn attempt<R>(
        &mut self,
        limit: Duration,
        ask: impl FnOnce(&mut Self) -> Result<R, Error>,
    ) -> Result<R, Error> {
        let (work, wanted, begun) = (self.inferior.work().clone(), self.wanted.clone(), Instant::now());
        let answer = work.attempt(move || begun.elapsed() < limit && wanted(), || ask(self));
        answer.unwrap_or_else(|given_up| {
            let after = Some(limit).filter(|limit| begun.elapsed() >= *limit);
            Err(Error::GivenUp { progress: given_up.0, after })
        })
    }

    /// A movement whose debug info was not read to the end has ended where the process is.
    pub(in crate::engine) fn broken_off(&mut self, error: Error) -> Result<Reason, Error> {
        let Error::GivenUp { progress, after } = error else { return Err(error) };
        let reason = after.map_or(Reason::Cancelled, |after| Reason::TimedOut { after });
        if let StopReply::Stopped { thread, .. } = self.inferior.process.last_stop()? {
            self.thread = thread;
        }
        self.notes.push(format!("given up {progress}, which the movement needed to go on"));
        let here = match self.undecided {
            Some(thread) => self.inferior.process.registers(thread)?.pc().map(|pc| self.breakpoints.at(pc)),
            None => None,
        };
        self.notes.extend(here.into_iter().flatten().map(|number| {
            format!(
                "breakpoint {number} is here; whether it stops is not known yet: the next movement, unless it is by \
                 instructions, to an event or to a checkpoint, asks again first"
            )
        }));
        Ok(reason)
    }

    /// Where the process is, as far as rr tells. `error`: why no more is known.
    pub(in crate::engine) fn bare_stop(&mut self, error: Error) -> Result<Stop, Error> {
        let Error::GivenUp { progress, .. } = error else { return Err(error) };
        let position = self.inferior.position(self.thread)?;
        let registers = self.inferior.process.registers(self.thread)?;
        self.last_event = position.event().unwrap_or(self.last_event);
        self.last_place = Some(ExactPosition { position, registers });
        self.remember_watched_values();
        let module = self.inferior.modules.at(position.pc).map(|module| module.name.clone());
        let mut notes = std::mem::take(&mut self.notes);
        notes
            .push(format!("given up {progress}, so that function and line are not known here yet: ask again for them"));
        let frame = Frame { module, ..empty_frame(position.pc) };
        self.last_stop = None;
        Ok(Stop { reason: self.reason.clone(), position, frame, source: Vec::new(), notes, logged: Logged::default() })
    }
}
