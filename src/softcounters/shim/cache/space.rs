//! Address spaces: which threads share one, and what is known of each.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

use super::code::Code;
use super::index::Index;
use super::layout;
use super::maps::{Mapped, Maps};
use super::pages::Numbers;
use super::site::Sites;
use crate::memory;
use crate::probe::counts::Counting;
use crate::probe::list::List;
use crate::probe::watches::Watched;

/// The state of an address space's region.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Region {
    /// There may be none yet.
    Unknown,
    /// In use.
    Ready,
    /// The kernel or the program does not leave us the place: its threads are stepped.
    Refused,
}

/// An address space with driven threads.
#[derive(Clone, Debug)]
pub struct Space {
    members: BTreeSet<i32>,
    /// Threads that were members once: the tracer may still write under the name of one.
    former: BTreeSet<i32>,
    thread_group: i32,
    /// Its region.
    pub region: Region,
    /// What others have of the region's place: the program, or rr for it.
    pub given: Vec<Range<u64>>,
    /// Translations; shared with the parent of a fork until either changes.
    pub index: Arc<Index>,
    /// Where code is.
    pub maps: Maps,
    /// Program code that was read.
    pub code: Code,
    /// Pages about which the store was asked, and whether it knew them.
    pub asked: Numbers<bool>,
    /// Pages the tracer has written to, which are as nobody else will find them.
    pub written: Numbers<()>,
    /// The thread that runs translated code.
    pub running: Option<i32>,
    /// What is asked for by a probe pass.
    pub list: Option<Arc<List>>,
    /// Where that is.
    pub sites: Sites,
    /// Memory that is watched.
    pub watched: Watched,
    /// The region says so.
    pub is_filtered: bool,
    /// The buffer of the region is that of all.
    pub shares_buffer: bool,
    /// What was counted, if that is asked for.
    pub counting: Option<Counting>,
    /// Instructions at these addresses are not translated.
    pub left_out: Vec<u64>,
}

/// All address spaces.
#[derive(Debug)]
pub struct Spaces {
    spaces: BTreeMap<u32, Space>,
    next: u32,
    /// Bytes of each region that may be used for code.
    pub region_size: u64,
    list: Option<Arc<List>>,
}

impl Spaces {
    /// Begins with none.
    pub const fn new() -> Spaces {
        Spaces { spaces: BTreeMap::new(), next: 0, region_size: layout::SIZE, list: None }
    }

    /// Probes are to be in all of them.
    pub fn probe(&mut self, list: Arc<List>) {
        self.region_size = self.region_size.min(if list.counts { layout::COUNTERS } else { layout::FILTERS });
        self.list = Some(list);
    }

    /// Returns the address space of this number.
    pub fn get(&mut self, id: u32) -> Option<&mut Space> {
        self.spaces.get_mut(&id)
    }

    /// Returns the address spaces that a write under the name of thread `tid` may go to. The thread may be gone, or
    /// have had another address space when it was named.
    pub fn named(&self, tid: i32) -> Vec<u32> {
        let knows = |space: &Space| space.members.contains(&tid) || space.former.contains(&tid);
        let named: Vec<u32> = self.spaces.iter().filter(|(_, space)| knows(space)).map(|(&id, _)| id).collect();
        if named.is_empty() { self.spaces.keys().copied().collect() } else { named }
    }

    /// Returns the address space that a write under the name of thread `tid` certainly goes to.
    pub fn only_of(&mut self, tid: i32) -> Option<&mut Space> {
        let is_former = self.spaces.values().any(|space| space.former.contains(&tid));
        let mut having = self.spaces.values_mut().filter(|space| space.members.contains(&tid));
        having.next().filter(|_| !is_former && having.next().is_none())
    }

    /// Finds the address space that `tid` has, if it is known under another thread of it at least.
    pub fn find(&self, tid: i32) -> Option<u32> {
        let mut thread_group = None;
        self.spaces.iter().find_map(|(&id, space)| {
            for &member in &space.members {
                match memory::same_space(member, tid) {
                    Some(true) => return Some(id),
                    Some(false) => return None,
                    None => {}
                }
            }
            // No member could be compared: they are gone, or the kernel cannot.
            let group = *thread_group.get_or_insert_with(|| memory::thread_group(tid));
            (group != 0 && group == space.thread_group && !memory::can_compare()).then_some(id)
        })
    }

    /// Adds a thread to the address space it has, which may be a new one.
    pub fn join(&mut self, tid: i32) -> u32 {
        if let Some(id) = self.find(tid) {
            if let Some(space) = self.spaces.get_mut(&id) {
                space.members.insert(tid);
            }
            return id;
        }
        let index = Arc::new(Index::new(self.region_size));
        let space = Space {
            members: BTreeSet::new(),
            former: BTreeSet::new(),
            thread_group: 0,
            region: Region::Unknown,
            given: Vec::new(),
            index,
            maps: Maps::default(),
            code: Code::default(),
            asked: Numbers::default(),
            written: Numbers::default(),
            running: None,
            counting: Counting::new(self.list.as_ref()),
            list: self.list.clone(),
            sites: Sites::default(),
            watched: Watched::default(),
            is_filtered: false,
            shares_buffer: false,
            left_out: Vec::new(),
        };
        self.add(tid, space)
    }

    fn add(&mut self, tid: i32, space: Space) -> u32 {
        self.next += 1;
        let thread_group = memory::thread_group(tid);
        let members = BTreeSet::from([tid]);
        self.spaces.insert(self.next, Space { members, thread_group, running: None, ..space });
        self.next
    }

    /// Adds a thread just made by a thread of address space `parent`: it shares that, or has a copy of it as it is now.
    pub fn fork(&mut self, parent: u32, tid: i32) -> Option<u32> {
        let space = self.spaces.get(&parent)?;
        let member = space.member()?;
        match memory::same_space(member, tid) {
            Some(true) => {
                self.spaces.get_mut(&parent)?.members.insert(tid);
                Some(parent)
            }
            Some(false) => {
                let space = self.spaces.get_mut(&parent)?;
                space.harvest(member);
                let counting = space.counting.as_ref().map(Counting::copied);
                let mut copy = Space { former: BTreeSet::new(), counting, ..space.clone() };
                if copy.list.is_some() {
                    // Some probes are meant for one address space alone.
                    copy.maps.outdate();
                }
                Some(self.add(tid, copy))
            }
            None => None,
        }
    }

    /// Takes a thread out that is gone or has another address space now. Returns the space if this was its last thread.
    pub fn leave(&mut self, id: u32, tid: i32) -> Option<Space> {
        let space = self.spaces.get_mut(&id)?;
        space.members.remove(&tid);
        space.former.insert(tid);
        if space.running == Some(tid) {
            space.running = None;
        }
        if space.members.is_empty() { self.spaces.remove(&id) } else { None }
    }

    /// Takes all of them; none is left.
    pub fn take_all(&mut self) -> BTreeMap<u32, Space> {
        std::mem::take(&mut self.spaces)
    }

    /// Returns whether code of these addresses was read from any space, or translated.
    pub fn have_code(&self, range: &Range<u64>) -> bool {
        self.spaces.values().any(|space| space.code.overlaps(range) || space.index.touches(range))
    }
}

impl Space {
    /// Returns the translatable mapping around `address`.
    pub fn code_around(&mut self, tid: i32, address: u64) -> Option<&Mapped> {
        self.maps.code_around(address, || memory::read_file(&format!("/proc/{tid}/maps")))
    }

    /// Returns a thread that has it, as far as is known.
    pub fn member(&self) -> Option<i32> {
        self.members.first().copied()
    }
}
