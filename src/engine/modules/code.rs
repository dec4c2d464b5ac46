//! The code of the process.

use super::loaded::Modules;
use crate::arch::{Instruction, MAX_INSTRUCTION, Registers, RunAddr, decode};
use crate::dwarf::Segment;
use crate::engine::target::process::Process;

/// `mov $15,%rax; syscall`: how x86-64 returns from a signal handler, whoever has written the code: glibc's
/// `__restore_rt`, musl's, Go's.
pub(in crate::engine) const SIGRETURN: [u8; 9] = [0x48, 0xc7, 0xc0, 0x0f, 0, 0, 0, 0x0f, 0x05];

/// The number of the system call in it.
const RT_SIGRETURN: u64 = 15;

impl Modules {
    /// Returns whether a thread has just made the system call of [`SIGRETURN`]: it is behind that code, where there may
    /// be nothing, or another function.
    pub(in crate::engine) fn is_returning_from_signal(&self, registers: &Registers) -> bool {
        let behind = registers.pc().filter(|_| registers.value("orig_rax") == Some(RT_SIGRETURN));
        behind.is_some_and(|pc| self.is_sigreturn(RunAddr(pc.0.wrapping_sub(SIGRETURN.len() as u64))))
    }

    /// Returns whether [`SIGRETURN`] is at this address.
    pub(in crate::engine) fn is_sigreturn(&self, at: RunAddr) -> bool {
        self.at(at).is_some_and(|module| module.image.file_bytes(module.link(at), SIGRETURN.len()) == Some(&SIGRETURN))
    }

    /// Reads the bytes of an instruction and some of those behind it, fewer where there are no more. They are a file's
    /// if it has them and nobody may write to them: rr patches the memory.
    pub(in crate::engine) fn code(&self, process: &mut Process, at: RunAddr) -> Vec<u8> {
        let of_file = self.at(at).and_then(|module| {
            let link = module.link(at);
            let holds = |s: &Segment| s.address <= link && link.0 - s.address.0 < s.size;
            let is_constant = module.image.segments().iter().any(|s| s.executable && !s.writable && holds(s));
            let longest = || (1..=MAX_INSTRUCTION).rev().find_map(|len| module.image.file_bytes(link, len));
            is_constant.then(longest)?
        });
        of_file.map_or_else(|| process.read_up_to(at.0, MAX_INSTRUCTION), <[u8]>::to_vec)
    }

    /// Decodes the instruction at an address.
    pub(in crate::engine) fn instruction(&self, process: &mut Process, at: RunAddr) -> Option<Instruction> {
        decode(process.arch(), &self.code(process, at), at)
    }
}
