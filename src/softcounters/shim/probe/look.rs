//! What probes have to tell of an instruction that is stepped.

use super::super::cache::site::Item;
use super::counts::length_of;
use crate::cache::layout::{REGION, SIZE};
use crate::cache::{Region, Space};
use crate::decode::{self, BREAKPOINT};
use crate::inject::SYNCHRONOUS;
use crate::memory;
use crate::resume::Request;
use crate::state::State;
use crate::sys::{self, Errno, UserRegs};

/// Offset of the vector registers in what `PTRACE_GETFPREGS` tells.
const VECTORS: usize = 160;

/// What a probe tells, unless the instruction is not executed after all.
#[derive(Debug)]
pub struct Look {
    /// Where it is.
    address: u64,
    probe: u32,
    ticks: u64,
    payload: Vec<u8>,
}

impl State {
    /// Looks at what the thread is about to execute, of which `code` are the bytes in memory.
    pub fn look(&mut self, tid: i32, registers: &UserRegs, code: &[u8]) {
        if self.pass.is_none() {
            return;
        }
        self.tracee(tid).looked.clear();
        self.tracee(tid).counted = None;
        self.place_probes(tid);
        let address = registers.rip;
        let id = self.space_of(tid);
        let Some(space) = self.spaces.get(id) else { return };
        let counts = space.counting.is_some();
        let (probes, memory) = (space.sites.at(address).to_vec(), Memory::of(tid, space));
        // A breakpoint that rr has put in the place of the instruction is not the instruction, but for one: it runs to
        // the next system call by a breakpoint there, and then makes of the state what the entry would.
        let is_breakpoint = code.first() == Some(&BREAKPOINT);
        let is_entry = self.tracee(tid).drive.is_some_and(|drive| drive.request == Request::Sysemu);
        if probes.is_empty() && !counts || is_breakpoint && !is_entry || self.is_begun(tid, address) {
            return;
        }
        self.tracee(tid).counted = counts.then(|| address..address + length_of(code));
        let ticks = self.tracee(tid).ticks;
        let looks = probes.iter().map(|probe| {
            let payload = payload_of(&memory, registers, &probe.items);
            Look { address, probe: probe.number, ticks, payload }
        });
        self.tracee(tid).looked = looks.collect();
        if is_breakpoint {
            self.tell(tid, address);
        }
    }

    /// The instruction that was looked at has been executed, and the thread is at `rip` now; or it has begun.
    pub fn tell(&mut self, tid: i32, rip: u64) {
        if self.pass.is_none() {
            return;
        }
        let looked = std::mem::take(&mut self.tracee(tid).looked);
        let counted = self.tracee(tid).counted.take();
        let executed = looked.first().map(|look| look.address).or(counted.as_ref().map(|code| code.start));
        if let Some(address) = executed {
            let is_repeated = rip == address && is_repeated(tid, rip);
            self.tracee(tid).begun = is_repeated.then_some(rip);
        } else if self.tracee(tid).begun.is_some_and(|begun| begun != rip) {
            self.tracee(tid).begun = None;
        }
        if let Some(code) = counted {
            self.count_stepped(tid, code);
        }
        let thread = self.thread_number(tid);
        let Some(pass) = &mut self.pass else { return };
        for look in looked {
            let passed = pass.packer.passed().hits(thread, look.probe, look.ticks);
            pass.sink.hit((look.probe, passed), thread, look.ticks, &look.payload);
        }
    }

    /// A signal came instead of the step of the instruction at `rip`: if that is its own fault, it has been executed.
    pub fn tell_if_faulted(&mut self, tid: i32, signal: i32, rip: u64) -> Result<(), Errno> {
        let tracee = self.tracee(tid);
        let is_looked_at = !tracee.looked.is_empty() || tracee.counted.is_some();
        if self.pass.is_none() || !is_looked_at {
            return Ok(());
        }
        let is_fault = (1..64).contains(&signal) && SYNCHRONOUS & 1 << (signal - 1) != 0;
        if is_fault && sys::signal_info(tid)?.code > 0 {
            self.tell(tid, rip);
        }
        Ok(())
    }

    /// Whether the thread is inside the repeated string instruction at `rip`, of which the probes have told.
    pub fn is_begun(&mut self, tid: i32, rip: u64) -> bool {
        self.pass.is_some() && self.tracee(tid).begun == Some(rip)
    }
}

/// Whether the instruction at `rip` is a repeated string instruction.
pub fn is_repeated(tid: i32, rip: u64) -> bool {
    decode::is_repeated(&crate::drive::code_at(tid, rip))
}

/// The memory of a thread, as the program has it.
pub struct Memory {
    tid: i32,
    /// There is a region, which is not the program's.
    has_region: bool,
}

impl Memory {
    pub fn of(tid: i32, space: &Space) -> Memory {
        Memory { tid, has_region: space.region == Region::Ready }
    }

    /// Reads as many bytes as there are, up to the end of the buffer, and says how many.
    fn read(&self, address: u64, buffer: &mut [u8]) -> usize {
        let end = address.saturating_add(buffer.len() as u64);
        let most = match self.has_region && address < REGION + SIZE && REGION < end {
            true => REGION.saturating_sub(address) as usize,
            false => buffer.len(),
        };
        buffer.get_mut(..most).map_or(0, |buffer| memory::read_up_to(self.tid, address, buffer))
    }
}

/// What is told of a thread with these registers.
pub fn payload_of(memory: &Memory, registers: &UserRegs, items: &[Item]) -> Vec<u8> {
    let mut payload = Vec::new();
    let mut vectors = None;
    for item in items {
        match item {
            Item::Register(number) => payload.extend(general(registers, *number).to_le_bytes()),
            Item::Vector(number) => {
                let all = vectors.get_or_insert_with(|| sys::vector_registers(memory.tid).unwrap_or([0; 512]));
                let at = VECTORS + usize::from(*number) * 16;
                payload.extend(all.get(at..at + 16).unwrap_or(&[0; 16]));
            }
            Item::Memory { base, steps, length } => {
                let mut bytes = vec![0; usize::from(*length)];
                let read = address_of(memory, general(registers, *base), steps)
                    .map_or(0, |address| memory.read(address, &mut bytes));
                bytes.get_mut(read..).unwrap_or(&mut []).fill(0);
                payload.extend((read as u32).to_le_bytes());
                payload.extend(bytes);
            }
        }
    }
    payload
}

/// Follows the steps from the value of a register; `None` if what is on the way cannot be read.
fn address_of(memory: &Memory, base: u64, steps: &[i32]) -> Option<u64> {
    let (first, more) = steps.split_first()?;
    more.iter().try_fold(base.wrapping_add_signed(i64::from(*first)), |address, &step| {
        let mut word = [0; 8];
        let is_there = memory.read(address, &mut word) == word.len();
        is_there.then(|| u64::from_le_bytes(word).wrapping_add_signed(i64::from(step)))
    })
}

/// Returns the general register of this number in the encoding, the instruction's address, or the base of the segment
/// fs.
pub fn general(registers: &UserRegs, number: u8) -> u64 {
    let r = registers;
    let all = [
        r.rax, r.rcx, r.rdx, r.rbx, r.rsp, r.rbp, r.rsi, r.rdi, r.r8, r.r9, r.r10, r.r11, r.r12, r.r13, r.r14, r.r15,
        r.rip, r.fs_base,
    ];
    all.get(usize::from(number)).copied().unwrap_or(0)
}
