//! Where probes are, and in which thread and address space they are come to.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::list::{List, Place};
use super::modules;
use super::watches::Watched;
use crate::cache::layout::{FILTERS, REGION, slot};
use crate::cache::site::{Probe, Sites};
use crate::cache::{Region, Space};
use crate::memory;
use crate::state::State;
use crate::sys::{Errno, UserRegs};

impl State {
    /// Sees to it that the probes are where they should be in the thread's address space.
    pub fn place_probes(&mut self, tid: i32) {
        if self.pass.is_none() {
            return;
        }
        let id = self.space_of(tid);
        let thread = self.thread_number(tid);
        let is_new = std::mem::replace(&mut self.tracee(tid).told_space, id) != id;
        let placed = self.spaces.get(id).map_or(Vec::new(), |space| space.place_probes(tid, id));
        let ticks = self.tracee(tid).ticks;
        let Some(pass) = &mut self.pass else { return };
        if pass.has_begun {
            pass.sink.reach(thread, ticks);
        }
        if is_new {
            pass.sink.space(thread, id);
        }
        for (address, probe) in placed {
            pass.sink.placed(id, probe, address);
        }
    }

    /// What is watched for writes, if anything is.
    pub fn watching(&self) -> Option<Arc<List>> {
        self.pass.as_ref().map(|pass| &pass.list).filter(|list| list.writes.told.is_some()).cloned()
    }

    /// Sees to it that the region has what translations look up before writes.
    pub fn place_filters(&mut self, tid: i32, registers: &UserRegs) -> Result<(), Errno> {
        if self.watching().is_none() {
            return Ok(());
        }
        let id = self.space_of(tid);
        let Some(space) = self.spaces.get(id) else { return Ok(()) };
        let segments = [registers.fs_base.to_le_bytes(), registers.gs_base.to_le_bytes()];
        memory::write(tid, &[(REGION + slot::SEGMENTS, segments.as_flattened())])?;
        if !space.is_filtered {
            let bounds = space.watched.bounds().map(u64::to_le_bytes);
            let bounds = (REGION + slot::WATCHED, bounds.as_flattened());
            memory::write(tid, &[(REGION + FILTERS, &space.watched.filters()), bounds])?;
            space.is_filtered = true;
        }
        Ok(())
    }

    /// The number of a thread.
    pub fn thread_number(&mut self, tid: i32) -> u32 {
        let known = self.tracee(tid).number;
        match (&mut self.pass, known) {
            (Some(pass), 0) => {
                let number = pass.next_thread(0, tid);
                self.tracee(tid).number = number;
                number
            }
            _ => known,
        }
    }

    /// The thread has made another one.
    pub fn number_child(&mut self, parent: i32, child: i32) {
        let made_by = self.thread_number(parent);
        if let Some(pass) = &mut self.pass {
            let number = pass.next_thread(made_by, child);
            self.tracee(child).number = number;
        }
    }

    /// The thread is about to execute a program, or may be. In a replay nothing tells that it has; rr begins to count
    /// with the first.
    pub fn note_program(&mut self, tid: i32) {
        let Some(pass) = &mut self.pass else { return };
        let is_first = !std::mem::replace(&mut pass.has_begun, true);
        if is_first {
            self.tracee(tid).ticks = 0;
        }
        if let Some(space) = self.known_space_of(tid).and_then(|id| self.spaces.get(id)) {
            space.maps.outdate();
        }
    }
}

impl Space {
    /// Looks where the probes are, if mappings have changed since it was looked last. Returns those that are in a new
    /// place. What was translated without a probe that is in it is not to be run any more.
    fn place_probes(&mut self, tid: i32, id: u32) -> Vec<(u64, u32)> {
        let Some(list) = self.list.clone().filter(|_| !self.maps.is_current()) else { return Vec::new() };
        let text = memory::read_file(&format!("/proc/{tid}/maps"));
        self.maps.renew(&text);
        let read = |address: u64, into: &mut [u8]| memory::read_exactly(tid, address, into).is_ok();
        let modules: Vec<_> = if list.modules.is_empty() {
            Vec::new()
        } else {
            modules::starts(&text).filter_map(|start| modules::at(start, read)).collect()
        };
        let mut sites: BTreeMap<u64, Vec<Arc<Probe>>> = BTreeMap::new();
        for (place, probe) in &list.probes {
            match *place {
                Place::Absolute { address, space } if space.is_none_or(|space| space == id) => {
                    sites.entry(address).or_default().push(Arc::clone(probe));
                }
                Place::Absolute { .. } => {}
                Place::Module { module, address } => {
                    let found = list.modules.get(module).into_iter();
                    for module in found.flat_map(|identity| modules.iter().filter(move |module| module.is(identity))) {
                        sites.entry(module.bias.wrapping_add(address)).or_default().push(Arc::clone(probe));
                    }
                }
            }
        }
        let mut watched = Vec::new();
        for (number, watch) in (0..).zip(&list.writes.list) {
            let mut add = |start: u64| watched.push((start..start.saturating_add(watch.length), number));
            match watch.place {
                Place::Absolute { address, space } if space.is_none_or(|space| space == id) => add(address),
                Place::Absolute { .. } => {}
                Place::Module { module, address } => {
                    let found = list.modules.get(module).into_iter();
                    let found = found.flat_map(|identity| modules.iter().filter(move |module| module.is(identity)));
                    found.for_each(|module| add(module.bias.wrapping_add(address)));
                }
            }
        }
        let watched = Watched::new(watched);
        if watched != self.watched {
            (self.watched, self.is_filtered) = (watched, false);
        }
        let sites = Sites::new(sites).watching(list.writes.told.clone()).reading(list.writes.reads);
        if sites == self.sites {
            return Vec::new();
        }
        let before = std::mem::replace(&mut self.sites, sites);
        let (old, new): (Vec<_>, Vec<_>) = (told(&before), told(&self.sites));
        let changed =
            old.iter().filter(|site| !new.contains(site)).chain(new.iter().filter(|site| !old.contains(site)));
        let is_translated = |address: u64| self.index.touches(&(address..address + 1));
        if self.region == Region::Ready && changed.clone().any(|&(address, _)| is_translated(address)) {
            if self.begin_anew(tid).is_err() {
                self.region = Region::Unknown;
            }
        }
        new.into_iter().filter(|site| !old.contains(site)).collect()
    }
}

/// The addresses of sites and the numbers of their probes.
fn told(sites: &Sites) -> Vec<(u64, u32)> {
    sites.iter().map(|(address, probe)| (address, probe.number)).collect()
}
