//! Probes: what is written down of a replay as it goes by, without a stop.
//!
//! A *probe pass* is a replay for which rr's environment names a list of probes ([`list`]) and a file for what they
//! find ([`hits`]). The documentation of the crate's module `softcounters::probes` has both formats and what is
//! promised.
//!
//! A probe at an address is a piece of code before the translation of the instruction there
//! ([`site`](super::cache::site)): it stores what was asked for into a buffer of the region, without a flag or a branch
//! that counts. The buffer is emptied whenever the cache is left, and the cache is left when there is no room for
//! another entry ([`collect`]). It is memory that rr has, too ([`shared`]). An instruction that is stepped is looked at by the tracer ([`look`]), which reads the
//! registers and the memory itself. Which of the two it was does not show.
//!
//! *One entry for each time an instruction is executed*, or faults. A thread that is stopped between its entry and the
//! instruction gives the entry back, since it will come by again: the points of a translation say how many there are.
//! So does an exit that has the instruction stepped. What a repeated string instruction is to do is one entry, however
//! often it is interrupted: from the first stop inside it on it is stepped, and not looked at again.
//!
//! Memory may be watched, too ([`watches`]): translations look up where they write, and tell of what may be watched
//! ([`watch`](super::cache::watch)); of what is stepped the tracer tells ([`writing`]), and of what rr writes
//! ([`foreign`]). And a pass may count all that is executed ([`counts`]).
//!
//! Whoever waits for a pass can see how far it is ([`progress`]).
//!
//! Where a probe is depends on where its module is mapped, which is looked for whenever mappings have changed
//! ([`modules`]).

mod collect;
pub mod counts;
pub mod foreign;
pub mod frame;
pub mod hits;
mod last;
pub mod list;
mod look;
pub mod modules;
mod newest;
pub mod packed;
mod place;
pub mod progress;
mod shared;
mod system;
mod tail;
pub mod tally;
pub mod watches;
mod writing;

use std::sync::Arc;

use super::log::log;
use super::memory;
use super::sys;
pub use collect::PendingEntries;
use hits::Sink;
use list::List;
pub use look::Look;
use packed::Packer;
use progress::Progress;
use shared::Shared;
pub use writing::Writing;

/// Names the list of probes, in rr's environment.
pub const LIST: &str = "RETROGRADE_SOFT_PROBES";
/// Names the file for what they find.
pub const HITS: &str = "RETROGRADE_SOFT_HITS";
/// By `0`, entries are copied.
const SHARE: &str = "RETROGRADE_SOFT_SHARE";

/// A probe pass in progress.
#[derive(Debug)]
pub struct Pass {
    pub list: Arc<List>,
    pub sink: Sink,
    progress: Progress,
    /// The checksum of the headers and the build ID of modules that were told of.
    modules: Vec<(u64, Option<Vec<u8>>)>,
    /// What the buffers of regions are, if that can be.
    pub shared: Option<Arc<Shared>>,
    /// What a region's buffer is read into where it is not.
    buffer: Vec<u8>,
    packer: Packer,
    /// The process that makes it.
    process: i32,
    /// Threads seen so far.
    threads: u32,
    /// The recorded program is executed; before, rr's own code was.
    has_begun: bool,
    /// What rr has written since the program ran.
    foreign: Vec<foreign::Part>,
    /// The thread rr is busy with.
    pub current: i32,
    /// Its number and the branches that it had executed, if it is gone.
    gone: (u32, u64),
}

impl Pass {
    /// The pass that rr's environment asks for, if it asks for one. Nothing is replayed without what was asked for.
    pub fn from_environment(variable: impl Fn(&str) -> Option<String>) -> Option<Pass> {
        let (path, hits) = (variable(LIST)?, variable(HITS)?);
        let list =
            match std::str::from_utf8(&memory::read_file(&path)).map_err(|_| "it is not text").and_then(List::parse) {
                Ok(list) => list,
                Err(why) => sys::give_up(&format!("the list of probes `{path}` cannot be used: {why}")),
            };
        let mut sink = match Sink::create(&hits, list.limit) {
            Ok(sink) => sink,
            Err(error) => sys::give_up(&format!("`{hits}` cannot be written: {error}")),
        };
        log!(1, "{} probes, {} watches", list.probes.len(), list.writes.list.len());
        sink.keep_last(&list.writes.list.iter().map(|watch| watch.last).collect::<Vec<_>>());
        sink.end_after(&list.until);
        sink.begin_at(list.since);
        let process = memory::this_process();
        Some(Pass {
            packer: Packer::new(&list.entries),
            list: Arc::new(list),
            sink,
            progress: Progress::beside(&hits),
            modules: Vec::new(),
            shared: if variable(SHARE).is_some_and(|word| word == "0") { None } else { Shared::new().map(Arc::new) },
            buffer: Vec::new(),
            process,
            threads: 0,
            has_begun: false,
            foreign: Vec::new(),
            current: 0,
            gone: (0, 0),
        })
    }

    /// Whether it is made by this process, not by one that has forked it.
    pub fn is_own(&self) -> bool {
        self.process == memory::this_process()
    }

    /// The number of a module.
    pub fn module(&mut self, module: &modules::Module) -> u32 {
        let is_it = |known: &(u64, Option<Vec<u8>>)| known.0 == module.headers && known.1 == module.build_id;
        let known = self.modules.iter().position(is_it);
        let number = known.unwrap_or(self.modules.len());
        if known.is_none() {
            self.sink.module(number as u32, module.headers, module.build_id.as_deref().unwrap_or(&[]));
            self.modules.push((module.headers, module.build_id.clone()));
        }
        number as u32
    }

    /// The program goes on.
    pub fn tell_foreign(&mut self) {
        foreign::tell(&mut self.foreign, &mut self.sink);
    }

    /// The number of a thread that was not seen before.
    pub fn next_thread(&mut self, parent: u32, tid: i32) -> u32 {
        self.threads += 1;
        self.sink.thread(self.threads, parent, tid);
        self.threads
    }
}
