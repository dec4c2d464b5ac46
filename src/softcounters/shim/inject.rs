//! Running a system call in a tracee, unseen by rr and by the program.

use super::log::log;
use super::memory;
use super::sys::{self, Errno, SigInfo, SyscallStop, UserRegs};

/// The signals an instruction raises by itself. Blocked, they would kill the program or reset its handler.
pub const SYNCHRONOUS: u64 = bit(4) | bit(5) | bit(7) | bit(8) | bit(11);

const fn bit(signal: u32) -> u64 {
    1 << (signal - 1)
}

const SYSCALL_INSTRUCTION: [u8; 2] = [0x0f, 0x05];
/// Where rr maps its page of system calls in every tracee.
const RR_PAGE: u64 = 0x7000_0000;

/// Why an injected system call has no result.
#[derive(Debug)]
pub enum Failure {
    /// The tracee refused to be handled, or is gone.
    Errno(Errno),
    /// It came to this stop or end instead, which is rr's to see.
    Stopped(SigInfo),
}

impl From<Errno> for Failure {
    fn from(errno: Errno) -> Failure {
        Failure::Errno(errno)
    }
}

/// Carries out a system call in `tid`, which stands in user code with `registers`; these are put back.
///
/// The tracee must not be inside a system call. Signals but the synchronous ones stay pending meanwhile.
pub fn system_call(tid: i32, registers: &UserRegs, number: i64, arguments: [u64; 6]) -> Result<i64, Failure> {
    let mask = sys::signal_mask(tid)?;
    sys::set_signal_mask(tid, !SYNCHRONOUS)?;
    let result = with_instruction(tid, registers, number, arguments);
    if !matches!(result, Err(Failure::Stopped(_))) {
        sys::set_registers(tid, registers)?;
        sys::set_signal_mask(tid, mask)?;
    }
    result
}

/// Finds a system call instruction to use, or puts one where the program stands.
fn with_instruction(tid: i32, registers: &UserRegs, number: i64, arguments: [u64; 6]) -> Result<i64, Failure> {
    let mut found = [0; 2];
    if memory::read_exactly(tid, RR_PAGE, &mut found).is_ok() && found == SYSCALL_INSTRUCTION {
        return call_at(tid, registers, RR_PAGE, number, arguments);
    }
    let at = registers.rip & !7;
    let mut word = [0; 8];
    memory::read_exactly(tid, at, &mut word)?;
    let mut changed = word;
    changed[..2].copy_from_slice(&SYSCALL_INSTRUCTION);
    memory::poke(tid, at, u64::from_le_bytes(changed))?;
    let result = call_at(tid, registers, at, number, arguments);
    memory::poke(tid, at, u64::from_le_bytes(word))?;
    result
}

fn call_at(tid: i32, registers: &UserRegs, rip: u64, number: i64, arguments: [u64; 6]) -> Result<i64, Failure> {
    let [rdi, rsi, rdx, r10, r8, r9] = arguments;
    let call = UserRegs { rip, rax: number as u64, orig_rax: u64::MAX, rdi, rsi, rdx, r10, r8, r9, ..*registers };
    sys::set_registers(tid, &call)?;
    loop {
        sys::resume(tid, sys::PTRACE_SYSCALL, 0)?;
        let stop = wait(tid)?;
        if stop.code != sys::CLD_TRAPPED {
            return Err(Failure::Stopped(stop));
        }
        match (stop.status(), stop.status() >> 8) {
            (sys::SYSCALL_STOP, _) if sys::syscall_stop(tid)? == SyscallStop::Exit => break,
            (sys::SYSCALL_STOP, _) | (_, sys::EVENT_SECCOMP) => {}
            // Pending when the call began; rr has not asked for it, or asks again.
            (_, sys::EVENT_STOP) => log!(1, "{tid}: an interrupt came during an injected system call"),
            _ => return Err(Failure::Stopped(stop)),
        }
    }
    Ok(sys::registers(tid)?.rax as i64)
}

/// Waits for the next stop or the end of one thread that runs for our own purposes and stops soon.
pub fn wait(tid: i32) -> Result<SigInfo, Errno> {
    let mut info = SigInfo::zero();
    loop {
        match sys::waitid(sys::P_PID, tid, &mut info, sys::WSTOPPED | sys::WEXITED | sys::WALL) {
            Ok(()) => return Ok(info),
            Err(Errno(sys::EINTR)) => {}
            Err(errno) => return Err(errno),
        }
    }
}
