//! Going to an instruction where the session has been, from anywhere, also in another session on the same recording.

use crate::arch::ThreadId;
use crate::engine::api::error::Error;
use crate::engine::api::{Reason, Waypoint};
use crate::engine::run::return_to::SearchLimit;
use crate::engine::run::session::Session;
use std::time::{Duration, Instant};

/// DWARF numbers of the general registers, of whatever architecture; the pc is compared by itself.
const GENERAL: std::ops::RangeInclusive<u16> = 0..=31;
/// Bytes of the stack that tell one visit of an instruction from another: return addresses and locals.
const STACK: usize = 4096;

/// FNV-1a, which gives the same number wherever it is computed.
struct Hash(u64);

impl Hash {
    fn add(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}

impl Session {
    /// Where the selected thread is, so that it can be found again.
    pub(in crate::engine) fn waypoint(&mut self) -> Result<Waypoint, Error> {
        let thread = self.debuggee.thread;
        let position = self.debuggee.inferior.position(thread)?;
        Ok(Waypoint { position, fingerprint: self.fingerprint(thread)?, is_end: self.state.at_end })
    }

    /// Goes to a waypoint. If the recording has no such place, back to where the session was, and this fails.
    pub(in crate::engine) fn go_to(&mut self, to: &Waypoint) -> Result<Reason, Error> {
        let (from, was_at_end) = (self.last_place.clone(), self.state.at_end);
        let (begun, limit) = (Instant::now(), self.limits.forward);
        if self.find_waypoint(to, limit)? {
            return Ok(if self.state.at_end { self.ending.reason() } else { Reason::Arrived });
        }
        if begun.elapsed() >= limit {
            return Ok(Reason::TimedOut { after: limit });
        }
        let cancel = self.cancel.clone();
        match from {
            Some(_) if was_at_end => {
                self.go_to_end()?;
            }
            Some(from) => drop(self.go_to_place(&from, &cancel)?),
            None => {}
        }
        let (event, ticks) = to.position.moment.map_or((0, 0), |moment| (moment.event, moment.ticks));
        Err(Error::NoSuchPlace { event, ticks, pc: to.position.pc.0 })
    }

    fn find_waypoint(&mut self, to: &Waypoint, time: Duration) -> Result<bool, Error> {
        let Some(event) = to.position.event() else { return Ok(false) };
        self.go_to_event(if to.is_end { i64::MAX as u64 } else { event })?;
        if to.is_end {
            self.leave_lost_stack()?;
            return Ok(self.state.at_end && self.debuggee.inferior.position(self.debuggee.thread)? == to.position);
        }
        let (cancel, pc, fingerprint) = (self.cancel.clone(), to.position.pc, to.fingerprint);
        // A tick of unrolled code, or with long copies in it, has any number of instructions.
        let limit = SearchLimit { steps: u32::MAX, time };
        self.find_in_event(&to.position, limit, &cancel, &mut |s, thread| {
            let is_pc = s.debuggee.inferior.process.registers(thread)?.pc() == Some(pc);
            Ok(is_pc && s.fingerprint(thread)? == fingerprint)
        })
    }

    fn fingerprint(&mut self, thread: ThreadId) -> Result<u64, Error> {
        let process = &mut self.debuggee.inferior.process;
        let registers = process.registers(thread)?;
        let mut hash = Hash(0xcbf2_9ce4_8422_2325);
        for value in GENERAL.filter_map(|number| registers.dwarf(number)) {
            hash.add(&value.to_le_bytes());
        }
        if let Some(sp) = registers.sp() {
            hash.add(&process.read_up_to(sp, STACK));
        }
        Ok(hash.0)
    }
}
