//! From a stop inside the cache to a state of the program.
//!
//! At a [`Point`](super::block::Point) the thread's state is the program's. A fault is taken back to the point before
//! it and happens again at the program's own instruction. Any other stop is carried forward, by single steps inside the
//! cache, to the next point or to the exit.

use super::block::{Exit, Point, Spill};
use super::index::Index;
use super::layout::{COMMON_EXIT, DISPATCHER, REGION, RETURNED, RR_PAGE, SIZE, slot};
use super::piece::Left;
use super::placed::Block;
use super::region::Slots;
use super::space::Space;
use super::{count, stubs};
use crate::drive::Outcome;
use crate::flags::{self, TRAP_FLAG};
use crate::inject::{self, SYNCHRONOUS};
use crate::memory;
use crate::probe::PendingEntries;
use crate::resume::{Phase, Stand};
use crate::state::State;
use crate::stop::{self, DR6_MATCHES};
use crate::sys::{self, Errno, SigInfo, UserRegs};

/// More steps than the longest way from inside a block or the dispatcher to a point.
const MOST_STEPS: u32 = 10_000;
/// `si_code` of a general protection fault, among others.
const SI_KERNEL: i32 = 0x80;

/// A stop carried forward.
struct Rolled {
    /// The program's registers.
    registers: UserRegs,
    /// Branches the count was lowered for too early, or, negative, was not lowered for yet.
    owed: i32,
    /// What probes have told of the next instruction.
    told: Option<PendingEntries>,
    /// What is executed of a piece.
    left: Left,
    /// Steps were made, so that the tracee is not in its original stop any more.
    stepped: bool,
    /// An answer to `PTRACE_INTERRUPT` came by meanwhile.
    interrupted: bool,
    /// Debug registers that matched.
    matched: u64,
    /// The thread ended up in this stop of its own instead.
    instead: Option<SigInfo>,
}

/// Where a thread of the cache is in the program.
struct Spot {
    /// The program's registers.
    registers: UserRegs,
    /// As of a stop that is carried forward.
    owed: i32,
    /// What probes have told of the next instruction.
    told: Option<PendingEntries>,
    /// What is executed of a piece.
    left: Left,
    /// A probe looks at memory for it.
    is_probe: bool,
}

impl Spot {
    fn of(registers: UserRegs, owed: i32) -> Spot {
        Spot { registers, owed, told: None, left: Left::default(), is_probe: false }
    }

    fn at(block: &Block, point: &Point, registers: UserRegs) -> Spot {
        let told = (point.told > 0).then_some(PendingEntries { address: point.address, entries: point.told, is_undone: false });
        let is_probe = point.spill == Some(Spill::Probe);
        Spot { registers, owed: point.owed, told, left: block.left(point.run), is_probe }
    }
}

impl Rolled {
    fn end(&mut self, spot: Spot) {
        (self.registers, self.owed, self.told, self.left) = (spot.registers, spot.owed, spot.told, spot.left);
    }
}

impl State {
    /// Handles a stop of a tracee in the cache that is not its exit.
    pub fn on_cached_stop(&mut self, tid: i32, written: u64, info: SigInfo) -> Result<Outcome, Errno> {
        let registers = sys::registers(tid)?;
        let id = self.space_of(tid);
        let Some(space) = self.spaces.get(id) else { return Ok(Outcome::Report(info)) };
        space.running = None;
        let index = std::sync::Arc::clone(&space.index);
        let slots = Slots::read(tid)?;
        let status = info.status();
        put_back(tid, &index, &registers, &slots)?;
        if !(REGION..REGION + SIZE).contains(&registers.rip) {
            self.collect(tid, written, &slots, None)?;
            self.book(tid, written, left_in(&slots, 0));
            if status == sys::SECCOMP_STOP {
                self.statistics.calls += 1;
                self.note_system_call(tid, &registers);
            }
            return Ok(Outcome::Report(info));
        }
        let event = status >> 8;
        if event != 0 && event != sys::EVENT_STOP {
            // Being killed.
            return Ok(Outcome::Report(info));
        }
        let signal = if event == 0 { Some(sys::signal_info(tid)?) } else { None };
        let mut watched = 0;
        if let Some(signal) = signal
            && signal.code > 0
            && SYNCHRONOUS & 1 << (signal.signo - 1) != 0
        {
            if signal.signo != sys::SIGTRAP {
                self.statistics.faults += 1;
                let spot = self.back(id, &index, &registers, &slots);
                // A general protection fault says nothing of any address: CPUID and RDTSC end like this.
                let is_final = signal.code == SI_KERNEL && !spot.is_probe;
                match is_final {
                    true => self.book_executed(tid, spot.left, spot.registers.rip),
                    false => self.book_stopped(tid, spot.left, spot.registers.rip),
                }
                self.collect(tid, written, &slots, spot.told.filter(|_| !is_final))?;
                self.book(tid, written, left_in(&slots, spot.owed));
                if is_final {
                    sys::set_registers(tid, &spot.registers)?;
                    return Ok(Outcome::Report(info));
                }
                self.step(tid, Stand::at(spot.registers))?;
                return Ok(Outcome::Internal);
            }
            if registers.eflags & TRAP_FLAG != 0 {
                flags::give_up(tid);
            }
            watched = sys::peek_user(tid, sys::USER_DR6)? & DR6_MATCHES;
        }
        self.statistics.rolls += 1;
        let rolled = self.roll(tid, id, &index, registers)?;
        let slots = Slots::read(tid)?;
        self.book_stopped(tid, rolled.left, rolled.registers.rip);
        self.collect(tid, written, &slots, rolled.told)?;
        self.book(tid, written, left_in(&slots, rolled.owed));
        sys::set_registers(tid, &rolled.registers)?;
        self.set_phase(tid, Phase::Native);
        if let Some(instead) = rolled.instead {
            return Ok(Outcome::Report(instead));
        }
        watched |= rolled.matched;
        match signal {
            Some(mut signal) => {
                if rolled.interrupted {
                    sys::interrupt(tid)?;
                }
                if watched != 0 {
                    sys::poke_user(tid, sys::USER_DR6, watched)?;
                }
                if watched != 0 && signal.signo == sys::SIGTRAP {
                    signal.code = stop::TRAP_HWBKPT;
                }
                if rolled.stepped || watched != 0 {
                    sys::set_signal_info(tid, &signal)?;
                }
                Ok(Outcome::Report(info))
            }
            None if rolled.stepped => {
                // Only a stop of this kind may follow PTRACE_INTERRUPT; no instruction is run on the way to it.
                sys::interrupt(tid)?;
                sys::resume(tid, sys::PTRACE_CONT, 0)?;
                let again = inject::wait(tid)?;
                Ok(Outcome::Report(again))
            }
            None => Ok(Outcome::Report(info)),
        }
    }

    /// Takes a thread that is being killed out of the cache, wherever it is, even while we handled its last stop: makes
    /// its registers the program's and books what it executed.
    pub fn leave_killed(&mut self, tid: i32) -> Result<(), Errno> {
        let Some(id) = self.known_space_of(tid) else { return Ok(()) };
        let registers = sys::registers(tid)?;
        let is_in_region = (REGION..REGION + SIZE).contains(&registers.rip);
        let is_passing = RR_PAGE.contains(&registers.rip) && self.tracee(tid).lent.is_some();
        if !is_in_region && !is_passing {
            return Ok(());
        }
        let Some(space) = self.spaces.get(id) else { return Ok(()) };
        if space.running == Some(tid) {
            space.running = None;
        }
        let index = std::sync::Arc::clone(&space.index);
        let slots = Slots::read(tid)?;
        put_back(tid, &index, &registers, &slots)?;
        let spot = match is_in_region {
            true => self.back(id, &index, &registers, &slots),
            false => Spot::of(registers, 0),
        };
        if let Some(written) = self.tracee(tid).lent {
            self.book_stopped(tid, spot.left, spot.registers.rip);
            self.collect(tid, written, &slots, spot.told)?;
            self.book(tid, written, left_in(&slots, spot.owed));
        }
        sys::set_registers(tid, &spot.registers)
    }

    fn forward(&mut self, tid: i32, id: u32, index: &Index, registers: &UserRegs) -> Result<Option<Spot>, Errno> {
        forward(tid, self.spaces.get(id).map(|space| &*space), index, registers)
    }

    fn back(&mut self, id: u32, index: &Index, registers: &UserRegs, slots: &Slots) -> Spot {
        back(self.spaces.get(id).map(|space| &*space), index, registers, slots)
    }

    /// Steps inside the cache until the registers are the program's.
    fn roll(&mut self, tid: i32, id: u32, index: &Index, registers: UserRegs) -> Result<Rolled, Errno> {
        let mut rolled = Rolled {
            registers,
            owed: 0,
            told: None,
            left: Left::default(),
            stepped: false,
            interrupted: false,
            matched: 0,
            instead: None,
        };
        let mut mask = None;
        for _ in 0..MOST_STEPS {
            if let Some(spot) = self.forward(tid, id, index, &rolled.registers)? {
                rolled.end(spot);
                if let Some(mask) = mask {
                    sys::set_signal_mask(tid, mask)?;
                }
                return Ok(rolled);
            }
            if mask.is_none() {
                mask = Some(sys::signal_mask(tid)?);
                sys::set_signal_mask(tid, !SYNCHRONOUS)?;
            }
            self.statistics.steps += 1;
            self.tracee(tid).unstepped = false;
            sys::resume(tid, sys::PTRACE_SINGLESTEP, 0)?;
            rolled.stepped = true;
            let stop = inject::wait(tid)?;
            if stop.code != sys::CLD_TRAPPED {
                rolled.instead = Some(stop);
                return Ok(rolled);
            }
            rolled.registers = sys::registers(tid)?;
            match (stop.status(), stop.status() >> 8) {
                (sys::SIGTRAP, _) => rolled.matched |= sys::peek_user(tid, sys::USER_DR6)? & DR6_MATCHES,
                (_, sys::EVENT_STOP) => rolled.interrupted = true,
                (signal, 0) if signal < 64 && SYNCHRONOUS & 1 << (signal - 1) != 0 => {
                    // The instruction faults; it will again when it is its turn.
                    let spot = self.back(id, index, &rolled.registers, &Slots::read(tid)?);
                    rolled.end(spot);
                    if let Some(mask) = mask {
                        sys::set_signal_mask(tid, mask)?;
                    }
                    return Ok(rolled);
                }
                // SIGSTOP cannot be held off; it comes again behind the stop rr is about to see.
                (signal, 0) => sys::send_signal(tid, signal)?,
                _ => {
                    let spot = self.back(id, index, &rolled.registers, &Slots::read(tid)?);
                    rolled.end(spot);
                    rolled.instead = Some(stop);
                    return Ok(rolled);
                }
            }
        }
        sys::give_up(&format!("thread {tid} does not find out of the code cache from {:#x}", registers.rip))
    }
}

/// Finds where the thread is in the program, if it stands at a point or at the exit.
fn forward(tid: i32, space: Option<&Space>, index: &Index, registers: &UserRegs) -> Result<Option<Spot>, Errno> {
    let at = registers.rip;
    if (REGION + COMMON_EXIT..REGION + stubs::AFTER_EXIT).contains(&at) {
        let slots = Slots::read(tid)?;
        let number = slots.get(slot::EXIT) as u32;
        let Some(exit) = index.exit(number) else { return Ok(None) };
        let (rip, owed) = (leads_to(exit, &slots), index.owed_at_exit(number));
        let rax = if at < REGION + stubs::EXIT_CALL { registers.rax } else { slots.get(slot::RAX) };
        let told = space.and_then(|space| space.told(exit));
        let left = left_by(index, &slots);
        return Ok(Some(Spot { told, left, ..Spot::of(UserRegs { rip, rax, ..*registers }, owed) }));
    }
    let Some(block) = index.block_at(at) else { return Ok(None) };
    if block.is_of_rr_page() {
        return Ok(Some(back(space, index, registers, &Slots::read(tid)?)));
    }
    let (point, true) = block.point(at) else { return Ok(None) };
    Ok(Some(Spot::at(block, &point, UserRegs { rip: point.address, ..*registers })))
}

/// Puts back the return address of a function of rr's page, if the thread is on its way through one.
fn put_back(tid: i32, index: &Index, registers: &UserRegs, slots: &Slots) -> Result<(), Errno> {
    let (at, rsp) = (registers.rip, registers.rsp);
    let is_returned = (REGION + RETURNED..REGION + RETURNED + stubs::RETURNED_LENGTH).contains(&at);
    if !is_returned && !RR_PAGE.contains(&at) && !index.block_at(at).is_some_and(Block::is_of_rr_page) {
        return Ok(());
    }
    let place = if is_returned { rsp.wrapping_sub(8) } else { rsp };
    let mut word = [0; 8];
    let is_there = memory::read_exactly(tid, place, &mut word).is_ok();
    if !is_there || u64::from_le_bytes(word) != REGION + RETURNED {
        return Ok(());
    }
    memory::write(tid, &[(place, &slots.get(slot::RETURN).to_le_bytes())])
}

/// Returns the program's registers after the indirect branch that came to this offset of the dispatcher.
fn in_dispatcher(registers: UserRegs, at: u64, slots: &Slots) -> UserRegs {
    let saved = |from: u64, slot: u64, register: u64| if at < from { register } else { slots.get(slot) };
    UserRegs {
        rip: saved(stubs::TARGET_SAVED, slot::TARGET, registers.rcx),
        rax: saved(stubs::RAX_SAVED, slot::RAX, registers.rax),
        rdx: saved(stubs::RDX_SAVED, slot::RDX, registers.rdx),
        rcx: slots.get(slot::RCX),
        ..registers
    }
}

/// Returns how many branches are left to a thread where so many are owed.
fn left_in(slots: &Slots, owed: i32) -> u64 {
    count::remaining_from_slot(slots.get(slot::COUNT)).wrapping_add_signed(i64::from(owed))
}

/// Returns where the program goes by an exit.
fn leads_to(exit: Exit, slots: &Slots) -> u64 {
    match exit {
        Exit::Direct { target, .. } => target,
        Exit::Native { address }
        | Exit::Step { address }
        | Exit::Repeat { address }
        | Exit::Repeated { address }
        | Exit::Full { address, .. }
        | Exit::Overflow { address }
        | Exit::Spent { address }
        | Exit::Stale { address } => address,
        Exit::Indirect { .. } => slots.get(slot::TARGET),
    }
}

/// Returns what is executed of a piece by a thread that is in the common exit.
fn left_by(index: &Index, slots: &Slots) -> Left {
    let number = slots.get(slot::EXIT) as u32;
    match index.exit(number) {
        // They are behind a piece.
        None | Some(Exit::Direct { .. } | Exit::Indirect { .. }) => Left::default(),
        Some(_) => index.left_at_exit(number),
    }
}

/// Returns where the thread was in the program at the point before.
fn back(space: Option<&Space>, index: &Index, registers: &UserRegs, slots: &Slots) -> Spot {
    let mut registers = *registers;
    let Some(block) = index.block_at(registers.rip) else {
        // Only a thread that is being killed ends outside the blocks.
        let at = registers.rip - REGION;
        if (DISPATCHER..COMMON_EXIT).contains(&at) {
            return Spot::of(in_dispatcher(registers, at - DISPATCHER, slots), 0);
        }
        if (RETURNED..RETURNED + stubs::RETURNED_LENGTH).contains(&at) {
            if at >= RETURNED + stubs::RETURNED_SAVED {
                registers.rcx = slots.get(slot::RCX);
            }
            return Spot::of(UserRegs { rip: slots.get(slot::RETURN), ..registers }, 0);
        }
        let number = slots.get(slot::EXIT) as u32;
        let exit = index.exit(number);
        let (rip, owed) = (exit.map_or(registers.rip, |exit| leads_to(exit, slots)), index.owed_at_exit(number));
        let told = exit.and_then(|exit| space?.told(exit));
        if at >= stubs::EXIT_CALL {
            registers.rax = slots.get(slot::RAX);
        }
        if at == stubs::AFTER_EXIT {
            registers.rcx = slots.get(slot::EXIT_RCX);
            registers.r11 = slots.get(slot::EXIT_R11);
            registers.orig_rax = u64::MAX;
        }
        registers.rip = rip;
        return Spot { told, left: left_by(index, slots), ..Spot::of(registers, owed) };
    };
    let (point, is_there) = block.point(registers.rip);
    if !is_there {
        match point.spill {
            Some(Spill::Rcx) => registers.rcx = slots.get(slot::RCX),
            Some(Spill::Rbx) => registers.rbx = slots.get(slot::SPILL),
            Some(Spill::Rsi) => registers.rsi = slots.get(slot::SPILL),
            Some(Spill::Rdi) => registers.rdi = slots.get(slot::SPILL),
            Some(Spill::RaxAndRcx | Spill::Probe) => {
                registers.rax = slots.get(slot::RAX);
                registers.rcx = slots.get(slot::RCX);
            }
            None => {}
        }
    }
    let turn = block.turn(registers.rip);
    registers.rip = point.address;
    let Some(turn) = turn else { return Spot::at(block, &point, registers) };
    registers.rip = turn.address;
    registers.rsp = registers.rsp.wrapping_add_signed(-i64::from(turn.popped));
    // Where the count was lowered the instruction is still to come.
    let told = Spot::at(block, &point, registers).told.filter(|told| told.address == turn.address);
    Spot { told, left: block.left(turn.run), ..Spot::of(registers, turn.owed) }
}
