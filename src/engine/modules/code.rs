//! The code of the process.

use super::loaded::{Module, Modules};
use crate::target::process::Process;
use arch::{Instruction, LinkAddr, MAX_INSTRUCTION, Registers, RunAddr, decode};
use dwarf::Segment;
use memchr::memmem;

/// `mov $15,%rax; syscall`: how x86-64 returns from a signal handler, whoever has written the code: glibc's
/// `__restore_rt`, musl's, Go's.
pub(crate) const SIGRETURN: [u8; 9] = [0x48, 0xc7, 0xc0, 0x0f, 0, 0, 0, 0x0f, 0x05];

/// `syscall`
pub(crate) const SYSCALL: [u8; 2] = [0x0f, 0x05];

/// `syscall; ret`
const RETURNING: [u8; 3] = [0x0f, 0x05, 0xc3];

/// Length of `jmp rel32`, which rr writes over a `syscall` and what follows.
pub(crate) const JUMP_LENGTH: u64 = 5;

/// Where rr's library keeps what it knows of a thread, and how much of that is looked at.
const OF_THREAD: u64 = 0x7000_1000;
const OF_THREAD_LENGTH: usize = 64;

/// Most bytes of its data that are looked at.
const MOST_ZEROED: u64 = 1 << 18;

/// The number of the system call in it.
const RT_SIGRETURN: u64 = 15;

impl Modules {
    /// Returns whether a thread has just made the system call of [`SIGRETURN`]: it is behind that code, where there may
    /// be nothing, or another function.
    pub(crate) fn is_returning_from_signal(&self, registers: &Registers) -> bool {
        let behind = registers.pc().filter(|_| registers.value("orig_rax") == Some(RT_SIGRETURN));
        behind.is_some_and(|pc| self.is_sigreturn(RunAddr(pc.0.wrapping_sub(SIGRETURN.len() as u64))))
    }

    /// Returns whether [`SIGRETURN`] is at this address.
    pub(crate) fn is_sigreturn(&self, at: RunAddr) -> bool {
        self.has(at, &SIGRETURN)
    }

    /// Finds the `syscall` that ends at an address, in a file.
    pub(crate) fn syscall_before(&self, at: RunAddr) -> Option<RunAddr> {
        let before = RunAddr(at.0.wrapping_sub(SYSCALL.len() as u64));
        self.has(before, &SYSCALL).then_some(before)
    }

    /// Returns whether an address is behind a `syscall` and within what rr writes over, when it meets that, with a jump:
    /// nothing is executed there from then on, and a breakpoint in memory would lead the jump astray.
    pub(crate) fn may_be_within_jump(&self, at: RunAddr) -> bool {
        self.syscalls_in_front(at).next().is_some()
    }

    /// Returns whether it is so now: nothing more is written over a `syscall` whose jump begins in front of it, at the
    /// instruction that loads its number.
    pub(crate) fn is_within_jump(&self, process: &mut Process, at: RunAddr) -> bool {
        self.syscalls_in_front(at).any(|call| {
            let begin = RunAddr(call.0.wrapping_sub(JUMP_LENGTH));
            let file = self.at(begin).and_then(|m| m.image.file_bytes(m.link(begin), JUMP_LENGTH as usize));
            let now = process.read_up_to(begin.0, JUMP_LENGTH as usize);
            file.is_none_or(|file| now.len() < file.len() || file == now)
        })
    }

    /// Returns whether rr may write over code now: from when its library, which the dynamic linker has loaded by then,
    /// begins to write to its data, and not only from when it keeps something of the thread (`preload_interface.h`, rr
    /// 5.10; the first word there, the end of a stack, is there from the beginning).
    pub(crate) fn writes_over_code(&self, process: &mut Process) -> bool {
        let Some(library) = self.buffer().filter(|_| self.has_buffer()) else { return false };
        let kept = process.read_up_to(OF_THREAD, OF_THREAD_LENGTH);
        if kept.get(size_of::<u64>()..).is_none_or(|kept| kept.is_empty() || kept.iter().any(|byte| *byte != 0)) {
            return true;
        }
        library.image.segments().iter().filter(|segment| segment.writable).any(|segment| {
            let begin = segment.address.at(library.bias).0.wrapping_add(segment.file_size);
            let size = segment.size.saturating_sub(segment.file_size).min(MOST_ZEROED);
            process.read_up_to(begin, usize::try_from(size).unwrap_or_default()).iter().any(|byte| *byte != 0)
        })
    }

    /// Iterates over each `syscall` behind which an address is, as near as a jump is long that begins there.
    fn syscalls_in_front(&self, at: RunAddr) -> impl Iterator<Item = RunAddr> {
        let behind = if self.has_buffer() { SYSCALL.len() as u64..JUMP_LENGTH } else { 0..0 };
        behind.map(move |length| RunAddr(at.0.wrapping_sub(length))).filter(|call| self.has(*call, &SYSCALL))
    }

    /// Finds each `syscall` in the modules' code that a return is right behind, as in `getpid`.
    pub(crate) fn returning_syscalls(&self) -> Vec<RunAddr> {
        let finder = memmem::Finder::new(&RETURNING);
        let mut found = Vec::new();
        for module in self.all() {
            for segment in module.image.segments().iter().filter(|segment| segment.executable && !segment.writable) {
                let size = usize::try_from(segment.size).unwrap_or_default();
                let code = module.image.file_bytes(segment.address, size).unwrap_or_default();
                let addresses = finder.find_iter(code).map(|at| segment.address.at(module.bias).0 + at as u64);
                found.extend(addresses.map(RunAddr));
            }
        }
        found
    }

    /// Returns whether a file has this code at an address.
    fn has(&self, at: RunAddr, code: &[u8]) -> bool {
        self.at(at).is_some_and(|module| module.image.file_bytes(module.link(at), code.len()) == Some(code))
    }

    /// Reads the bytes of an instruction and some of those behind it, fewer where there are no more. They are a file's
    /// if it has them and nobody may write to them: rr patches the memory.
    pub(crate) fn code(&self, process: &mut Process, at: RunAddr) -> Vec<u8> {
        let of_file = self.constant(at).and_then(|(module, link, _)| {
            (1..=MAX_INSTRUCTION).rev().find_map(|len| module.image.file_bytes(link, len))
        });
        of_file.map_or_else(|| process.read_up_to(at.0, MAX_INSTRUCTION), <[u8]>::to_vec)
    }

    /// Returns a file's code that nobody may write to.
    pub(crate) fn constant_code(&self, start: RunAddr, end: RunAddr) -> Option<&[u8]> {
        let (module, link, left) = self.constant(start)?;
        let size = end.0.checked_sub(start.0).filter(|size| *size <= left)?;
        module.image.file_bytes(link, usize::try_from(size).ok()?)
    }

    /// Returns whether an address is in a file's code that nobody may write to.
    pub(crate) fn is_constant(&self, at: RunAddr) -> bool {
        self.constant(at).is_some()
    }

    /// Finds the module that has an address in code that nobody may write to, with the address as linked, and how many
    /// bytes there are to the segment's end.
    fn constant(&self, at: RunAddr) -> Option<(&Module, LinkAddr, u64)> {
        let module = self.at(at)?;
        let link = module.link(at);
        let left = |s: &Segment| s.size.checked_sub(link.0.checked_sub(s.address.0)?).filter(|left| *left > 0);
        let left = module.image.segments().iter().filter(|s| s.executable && !s.writable).find_map(left)?;
        Some((module, link, left))
    }

    /// Decodes the instruction at an address.
    pub(crate) fn instruction(&self, process: &mut Process, at: RunAddr) -> Option<Instruction> {
        decode(process.arch(), &self.code(process, at), at)
    }
}
