//! A process to run code in: it has nothing but the memory it is given, and every stop of it is the test's.

use std::fs::File;
use std::io;
use std::os::fd::{AsRawFd, FromRawFd};
use std::ptr::null_mut;

use libc::{c_int, c_void, user_regs_struct};
use memmap2::MmapMut;

/// `NT_X86_XSTATE`: the extended state as `XSAVE` lays it out.
const XSTATE: usize = 0x202;
/// `offsetof(struct user, regs.rip)`.
const USER_RIP: usize = 16 * 8;
/// Processor seconds after which the kernel ends a child: whatever runs in circles.
const CPU_SECONDS: u64 = 200;

/// A part of a child's memory.
#[derive(Clone, Copy, Debug)]
pub struct Area {
    /// Address in the child, aligned to pages.
    pub address: u64,
    /// In bytes, a multiple of the page size.
    pub length: usize,
    pub writable: bool,
    pub executable: bool,
}

/// Why a child stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// A step is done.
    Stepped,
    /// At the entry of a system call, which will not be carried out.
    SystemCall,
    /// A signal, with `si_code` and `si_addr`.
    Signal { signal: i32, code: i32, address: u64 },
}

/// The instruction that raises the trap of a debug register.
const INT1: u8 = 0xf1;

/// A traced process whose memory the test shares.
pub struct Child {
    pub pid: c_int,
    areas: Vec<(Area, usize)>,
    memory: MmapMut,
    /// Stopped at the entry of a system call, so that the next step only leaves it.
    in_system_call: bool,
}

impl Child {
    /// A child with these areas, all zero.
    pub fn spawn(areas: &[Area]) -> Child {
        let mut offset = 0;
        let areas: Vec<(Area, usize)> = areas
            .iter()
            .map(|area| {
                offset += area.length;
                (*area, offset - area.length)
            })
            .collect();
        // SAFETY: the name is a C string.
        let descriptor = unsafe { libc::memfd_create(c"child".as_ptr(), libc::MFD_CLOEXEC) };
        assert!(descriptor >= 0, "memfd_create: {}", io::Error::last_os_error());
        // SAFETY: the descriptor is new and nobody else's.
        let file = unsafe { File::from_raw_fd(descriptor) };
        file.set_len(offset as u64).unwrap();
        // SAFETY: the file is ours alone; the child changes it while it runs, and then nobody looks.
        let memory = unsafe { MmapMut::map_mut(&file) }.unwrap();
        // SAFETY: the child makes system calls only, as is right in the copy of a process that had other threads.
        let pid = unsafe { libc::fork() };
        assert!(pid >= 0, "fork: {}", io::Error::last_os_error());
        if pid == 0 {
            // SAFETY: see above; nothing of the test's is alive in the child.
            unsafe { become_child(&areas, &file) }
        }
        let child = Child { pid, areas, memory, in_system_call: false };
        assert_eq!(child.wait(), libc::SIGSTOP, "the child did not get ready");
        child.request(libc::PTRACE_SETOPTIONS, 0, (libc::PTRACE_O_EXITKILL | libc::PTRACE_O_TRACESYSGOOD) as usize);
        child
    }

    /// The memory at an address, as far as its area goes.
    pub fn memory(&self, address: u64) -> &[u8] {
        let (start, end) = self.find(address).expect("an address of an area");
        &self.memory[start..end]
    }

    /// As [`Child::memory`], to be changed.
    pub fn memory_mut(&mut self, address: u64) -> &mut [u8] {
        let (start, end) = self.find(address).expect("an address of an area");
        &mut self.memory[start..end]
    }

    fn find(&self, address: u64) -> Option<(usize, usize)> {
        self.areas.iter().find_map(|(area, offset)| {
            let within = usize::try_from(address.checked_sub(area.address)?).ok()?;
            (within < area.length).then_some((offset + within, offset + area.length))
        })
    }

    /// The aligned word at an address.
    pub fn word(&self, address: u64) -> u64 {
        let bytes = self.memory(address).first_chunk().expect("a whole word");
        u64::from_le_bytes(*bytes)
    }

    /// Changes the word at an address.
    pub fn set_word(&mut self, address: u64, value: u64) {
        self.memory_mut(address)[..8].copy_from_slice(&value.to_le_bytes());
    }

    fn request(&self, request: libc::c_uint, address: usize, data: usize) {
        // SAFETY: `data` is a number or points to what the request needs, see the callers.
        let result = unsafe { libc::ptrace(request, self.pid, address, data) };
        assert!(result >= 0, "ptrace request {request}: {}", io::Error::last_os_error());
    }

    pub fn registers(&self) -> user_regs_struct {
        // SAFETY: a structure of integers.
        let mut registers: user_regs_struct = unsafe { std::mem::zeroed() };
        self.request(libc::PTRACE_GETREGS, 0, &raw mut registers as usize);
        registers
    }

    pub fn set_registers(&self, registers: &user_regs_struct) {
        self.request(libc::PTRACE_SETREGS, 0, std::ptr::from_ref(registers) as usize);
    }

    pub fn rip(&self) -> u64 {
        // SAFETY: libc's wrapper returns the word.
        let word = unsafe { libc::ptrace(libc::PTRACE_PEEKUSER, self.pid, USER_RIP, 0) };
        word as u64
    }

    /// The extended state, in the layout of `XSAVE` without compaction.
    pub fn extended_state(&self) -> Vec<u8> {
        let mut state = vec![0u8; 16384];
        let mut vector = libc::iovec { iov_base: state.as_mut_ptr().cast(), iov_len: state.len() };
        self.request(libc::PTRACE_GETREGSET, XSTATE, &raw mut vector as usize);
        state.truncate(vector.iov_len);
        state
    }

    pub fn set_extended_state(&self, state: &[u8]) {
        let vector = libc::iovec { iov_base: state.as_ptr().cast_mut().cast(), iov_len: state.len() };
        self.request(libc::PTRACE_SETREGSET, XSTATE, &raw const vector as usize);
    }

    /// Runs one instruction, or one iteration of a repeated one.
    pub fn step(&mut self) -> Stop {
        if std::mem::take(&mut self.in_system_call) {
            self.request(libc::PTRACE_SYSCALL, 0, 0);
            assert_eq!(self.wait(), libc::SIGTRAP | 0x80, "no exit stop");
        }
        self.request(libc::PTRACE_SINGLESTEP, 0, 0);
        self.stop()
    }

    /// Runs until a system call or a signal.
    pub fn run(&mut self) -> Stop {
        self.in_system_call = false;
        self.request(libc::PTRACE_SYSEMU, 0, 0);
        self.stop()
    }

    fn stop(&mut self) -> Stop {
        let signal = self.wait();
        if signal == libc::SIGTRAP | 0x80 {
            self.in_system_call = true;
            return Stop::SystemCall;
        }
        // SAFETY: a structure of integers.
        let mut info: libc::siginfo_t = unsafe { std::mem::zeroed() };
        self.request(libc::PTRACE_GETSIGINFO, 0, &raw mut info as usize);
        // SAFETY: the signals met here are made by faults and have an address.
        let (code, address) = (info.si_code, unsafe { info.si_addr() } as u64);
        let is_step = match code {
            libc::TRAP_TRACE => true,
            // A hypervisor may lose the bit of DR6 that tells a step, once in millions. The kernel then takes the trap
            // for that of an `int1`, which is not there.
            libc::TRAP_BRKPT => self.byte(address.wrapping_sub(1)) != INT1,
            _ => false,
        };
        if signal == libc::SIGTRAP && is_step {
            return Stop::Stepped;
        }
        Stop::Signal { signal, code, address }
    }

    /// A byte of its memory; 0 if there is none.
    fn byte(&self, address: u64) -> u8 {
        // SAFETY: libc's wrapper returns the word, or -1.
        let word = unsafe { libc::ptrace(libc::PTRACE_PEEKTEXT, self.pid, address, 0) };
        if word == -1 { 0 } else { word as u8 }
    }

    /// Waits for the next stop and returns its signal.
    fn wait(&self) -> c_int {
        let mut status = 0;
        // SAFETY: the kernel stores the status.
        let waited = unsafe { libc::waitpid(self.pid, &raw mut status, libc::__WALL) };
        assert_eq!(waited, self.pid, "waitpid: {}", io::Error::last_os_error());
        assert!(libc::WIFSTOPPED(status), "the child ended with status {status:#x}");
        libc::WSTOPSIG(status)
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        // SAFETY: our own child, not waited for yet.
        unsafe {
            libc::kill(self.pid, libc::SIGKILL);
            libc::waitpid(self.pid, null_mut(), libc::__WALL);
        }
    }
}

/// Maps the areas and stops for the tracer.
///
/// # Safety
/// To be called in a new process.
unsafe fn become_child(areas: &[(Area, usize)], file: &File) -> ! {
    // SAFETY: system calls on memory of this process, which is the caller's promise.
    unsafe {
        let limit = libc::rlimit { rlim_cur: CPU_SECONDS, rlim_max: CPU_SECONDS };
        libc::setrlimit(libc::RLIMIT_CPU, &raw const limit);
        for (area, offset) in areas {
            let mut protection = libc::PROT_READ;
            if area.writable {
                protection |= libc::PROT_WRITE;
            }
            if area.executable {
                protection |= libc::PROT_EXEC;
            }
            let wanted = area.address as *mut c_void;
            let flags = libc::MAP_SHARED | libc::MAP_FIXED_NOREPLACE;
            if libc::mmap(wanted, area.length, protection, flags, file.as_raw_fd(), *offset as i64) != wanted {
                libc::_exit(1);
            }
        }
        if libc::ptrace(libc::PTRACE_TRACEME, 0, 0, 0) != 0 {
            libc::_exit(1);
        }
        libc::kill(libc::getpid(), libc::SIGSTOP);
        libc::_exit(1)
    }
}
