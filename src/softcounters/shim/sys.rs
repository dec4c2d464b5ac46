//! The kernel and libc surface the object needs: constants, plain structures and raw system calls.
//!
//! Calls go to the kernel directly. Going through libc would mean going through our own interposed functions, and
//! raw calls leave `errno` alone until an interposed function decides what its caller shall see.

use std::arch::asm;
use std::ffi::{c_char, c_int, c_long, c_void};

pub const SYS_READ: i64 = 0;
pub const SYS_WRITE: i64 = 1;
pub const SYS_CLOSE: i64 = 3;
pub const SYS_POLL: i64 = 7;
pub const SYS_MMAP: i64 = 9;
pub const SYS_MPROTECT: i64 = 10;
pub const SYS_MUNMAP: i64 = 11;
pub const SYS_RT_SIGACTION: i64 = 13;
pub const SYS_RT_SIGPROCMASK: i64 = 14;
pub const SYS_RT_SIGRETURN: i64 = 15;
pub const SYS_IOCTL: i64 = 16;
pub const SYS_PWRITE64: i64 = 18;
pub const SYS_WRITEV: i64 = 20;
pub const SYS_MREMAP: i64 = 25;
pub const SYS_MADVISE: i64 = 28;
pub const SYS_SHMGET: i64 = 29;
pub const SYS_SHMAT: i64 = 30;
pub const SYS_SHMCTL: i64 = 31;
pub const SYS_ALARM: i64 = 37;
pub const SYS_SETITIMER: i64 = 38;
pub const SYS_GETPID: i64 = 39;
pub const SYS_GETPEERNAME: i64 = 52;
pub const SYS_CLONE: i64 = 56;
pub const SYS_EXECVE: i64 = 59;
pub const SYS_WAIT4: i64 = 61;
pub const SYS_SHMDT: i64 = 67;
pub const SYS_FCNTL: i64 = 72;
pub const SYS_READLINK: i64 = 89;
pub const SYS_PTRACE: i64 = 101;
pub const SYS_GETEUID: i64 = 107;
pub const SYS_CAPGET: i64 = 125;
pub const SYS_PRCTL: i64 = 157;
pub const SYS_ARCH_PRCTL: i64 = 158;
pub const SYS_TKILL: i64 = 200;
pub const SYS_REMAP_FILE_PAGES: i64 = 216;
pub const SYS_EXIT_GROUP: i64 = 231;
pub const SYS_WAITID: i64 = 247;
pub const SYS_OPENAT: i64 = 257;
pub const SYS_EVENTFD2: i64 = 290;
pub const SYS_PIPE2: i64 = 293;
pub const SYS_PWRITEV: i64 = 296;
pub const SYS_PERF_EVENT_OPEN: i64 = 298;
pub const SYS_PROCESS_VM_READV: i64 = 310;
pub const SYS_PROCESS_VM_WRITEV: i64 = 311;
pub const SYS_KCMP: i64 = 312;
pub const SYS_SECCOMP: i64 = 317;
pub const SYS_BPF: i64 = 321;
pub const SYS_EXECVEAT: i64 = 322;
pub const SYS_PWRITEV2: i64 = 328;
pub const SYS_PKEY_MPROTECT: i64 = 329;

pub const PROT_READ_WRITE: u64 = 3;
pub const PROT_READ_WRITE_EXECUTE: u64 = 7;
/// Up to the beginning or the end of a mapping.
pub const PROT_GROWS: u64 = 0x0300_0000;
pub const MAP_PRIVATE: u64 = 0x02;
pub const MAP_FIXED: u64 = 0x10;
pub const MAP_ANONYMOUS: u64 = 0x20;
pub const MAP_NORESERVE: u64 = 0x4000;
pub const MAP_FIXED_NOREPLACE: u64 = 0x10_0000;
pub const MREMAP_FIXED: u64 = 2;

pub const IPC_PRIVATE: i64 = 0;
pub const IPC_RMID: i64 = 0;
/// Takes the place of what is mapped there.
pub const SHM_REMAP: u64 = 0o40000;

pub const PR_SET_DUMPABLE: i64 = 4;
/// What `prctl` is asked for if it sets a filter of system calls.
pub const PR_SET_SECCOMP: u64 = 22;
pub const SECCOMP_FILTER_FLAG_TSYNC: u64 = 1;
pub const O_CLOEXEC: i64 = 0o2000000;
pub const AT_FDCWD: i64 = -100;
pub const KCMP_VM: i64 = 1;
pub const SIG_SETMASK: i64 = 2;

pub const EINTR: i32 = 4;

/// `si_code` of a signal that a descriptor sends.
pub const SI_SIGIO: i32 = -5;

pub const SIGTRAP: i32 = 5;
pub const SIGKILL: i32 = 9;
pub const SIGSEGV: i32 = 11;
pub const SIGSTOP: i32 = 19;

/// Bits or-ed into the signal number of a ptrace stop.
pub const SYSCALL_STOP: i32 = SIGTRAP | 0x80;

/// The stop made by a seccomp filter.
pub const SECCOMP_STOP: i32 = SIGTRAP | EVENT_SECCOMP << 8;

pub const PTRACE_PEEKTEXT: i64 = 1;
pub const PTRACE_PEEKUSER: i64 = 3;
pub const PTRACE_POKEDATA: i64 = 5;
pub const PTRACE_POKEUSER: i64 = 6;
pub const PTRACE_CONT: i64 = 7;
pub const PTRACE_SINGLESTEP: i64 = 9;
pub const PTRACE_GETREGS: i64 = 12;
pub const PTRACE_SETREGS: i64 = 13;
pub const PTRACE_GETFPREGS: i64 = 14;
pub const PTRACE_SETFPREGS: i64 = 15;
pub const PTRACE_POKETEXT: i64 = 4;
pub const PTRACE_DETACH: i64 = 17;
pub const PTRACE_SYSCALL: i64 = 24;
pub const PTRACE_SYSEMU: i64 = 31;
pub const PTRACE_SYSEMU_SINGLESTEP: i64 = 32;
pub const PTRACE_GETEVENTMSG: i64 = 0x4201;
pub const PTRACE_SEIZE: i64 = 0x4206;
pub const PTRACE_INTERRUPT: i64 = 0x4207;
pub const PTRACE_GETSIGINFO: i64 = 0x4202;
pub const PTRACE_GETREGSET: i64 = 0x4204;
pub const PTRACE_SETSIGINFO: i64 = 0x4203;
pub const PTRACE_PEEKSIGINFO: i64 = 0x4209;
pub const PTRACE_GETSIGMASK: i64 = 0x420a;
pub const PTRACE_SETSIGMASK: i64 = 0x420b;
pub const PTRACE_GET_SYSCALL_INFO: i64 = 0x420e;

pub const EVENT_FORK: i32 = 1;
pub const EVENT_VFORK: i32 = 2;
pub const EVENT_CLONE: i32 = 3;
pub const EVENT_EXEC: i32 = 4;
/// The stop of a thread that is about to end.
pub const EVENT_EXIT: i32 = 6;
pub const EVENT_SECCOMP: i32 = 7;
/// `PTRACE_EVENT_STOP`: a group stop or the answer to `PTRACE_INTERRUPT`.
pub const EVENT_STOP: i32 = 128;

/// `offsetof(struct user, u_debugreg)`: nothing that follows is a general register.
pub const USER_DEBUG: i64 = 848;
/// Offset of `orig_rax` in `struct user`.
pub const USER_ORIG_RAX: i64 = 15 * 8;
/// Offset of `r10`.
pub const USER_R10: i64 = 7 * 8;
/// `offsetof(struct user, u_debugreg[0])`.
pub const USER_DR0: i64 = 848;
/// `offsetof(struct user, u_debugreg[6])`.
pub const USER_DR6: i64 = 848 + 6 * 8;
/// `offsetof(struct user, u_debugreg[7])`.
pub const USER_DR7: i64 = 848 + 7 * 8;

pub const P_ALL: i32 = 0;
pub const P_PID: i32 = 1;
pub const P_PGID: i32 = 2;
pub const WNOHANG: i32 = 1;
pub const WSTOPPED: i32 = 2;
pub const WEXITED: i32 = 4;
pub const WNOWAIT: i32 = 0x0100_0000;
pub const WALL: i32 = 0x4000_0000;

pub const CLD_EXITED: i32 = 1;
pub const CLD_KILLED: i32 = 2;
pub const CLD_DUMPED: i32 = 3;
pub const CLD_TRAPPED: i32 = 4;
pub const CLD_STOPPED: i32 = 5;

pub const F_SETSIG: i32 = 10;

pub const POLLIN: i16 = 1;
pub const POLLNVAL: i16 = 0x20;
/// `POLLIN | POLLRDNORM`, what the kernel reports in `si_band` for a counter overflow.
pub const BAND_IN: i64 = 0x41;
/// `si_code` of a descriptor signal that says "input available".
pub const POLL_IN: i32 = 1;

pub const ITIMER_REAL: i32 = 0;

/// The fields of the kernel's `siginfo_t` used here, in the layouts of `SIGCHLD` and of `SIGIO`.
#[repr(C, align(8))]
#[derive(Clone, Copy, Debug)]
pub struct SigInfo {
    pub signo: i32,
    pub errno: i32,
    pub code: i32,
    pad: i32,
    /// `SIGCHLD`: pid and uid; `SIGIO`: band.
    pub word0: u64,
    /// `SIGCHLD`: status; `SIGIO`: descriptor.
    pub word1: i32,
    rest: [u8; 100],
}

impl SigInfo {
    /// Makes one with all fields zero.
    pub const fn zero() -> SigInfo {
        SigInfo { signo: 0, errno: 0, code: 0, pad: 0, word0: 0, word1: 0, rest: [0; 100] }
    }

    /// Returns the child a `SIGCHLD` information is about; 0 when a wait found nothing.
    pub fn pid(&self) -> i32 {
        self.word0 as u32 as i32
    }

    /// Returns the status of a `SIGCHLD` information: an exit code, or a signal with a ptrace event in bits 8 to 15.
    pub fn status(&self) -> i32 {
        self.word1
    }
}

/// `struct user_regs_struct` of x86-64.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct UserRegs {
    pub r15: u64,
    pub r14: u64,
    pub r13: u64,
    pub r12: u64,
    pub rbp: u64,
    pub rbx: u64,
    pub r11: u64,
    pub r10: u64,
    pub r9: u64,
    pub r8: u64,
    pub rax: u64,
    pub rcx: u64,
    pub rdx: u64,
    pub rsi: u64,
    pub rdi: u64,
    pub orig_rax: u64,
    pub rip: u64,
    pub cs: u64,
    pub eflags: u64,
    pub rsp: u64,
    pub ss: u64,
    pub fs_base: u64,
    pub gs_base: u64,
    pub ds: u64,
    pub es: u64,
    pub fs: u64,
    pub gs: u64,
}

#[repr(C)]
pub struct IoVec {
    pub base: *mut c_void,
    pub len: usize,
}

#[repr(C)]
pub struct PollFd {
    pub fd: c_int,
    pub events: i16,
    pub revents: i16,
}

/// `struct itimerval`: interval, then time to the first expiry, both as seconds and microseconds.
#[repr(C)]
pub struct ITimerVal {
    pub interval: [i64; 2],
    pub value: [i64; 2],
}

/// Argument of `PTRACE_PEEKSIGINFO`.
#[repr(C)]
struct PeekSigInfo {
    offset: u64,
    flags: u32,
    count: i32,
}

unsafe extern "C" {
    fn __errno_location() -> *mut c_int;
    fn dlsym(handle: *mut c_void, name: *const c_char) -> *mut c_void;
}

/// Finds the next definition of `name` after this object in the search order; null if there is none.
pub fn next_symbol(name: &std::ffi::CStr) -> *mut c_void {
    const RTLD_NEXT: *mut c_void = -1isize as *mut c_void;
    // SAFETY: `name` is a terminated string and RTLD_NEXT a valid handle.
    unsafe { dlsym(RTLD_NEXT, name.as_ptr()) }
}

/// Finds the definition of `name` that comes first in the search order, so that of the program itself if it has one;
/// null if there is none.
pub fn symbol(name: &std::ffi::CStr) -> *mut c_void {
    const RTLD_DEFAULT: *mut c_void = std::ptr::null_mut();
    // SAFETY: `name` is a terminated string and RTLD_DEFAULT a valid handle.
    unsafe { dlsym(RTLD_DEFAULT, name.as_ptr()) }
}

/// Sets this thread's `errno`.
pub fn set_errno(value: i32) {
    // SAFETY: libc returns the address of this thread's errno.
    unsafe { *__errno_location() = value }
}

/// Runs something that may use libc, without a trace in this thread's `errno`.
pub fn keeping_errno<T>(work: impl FnOnce() -> T) -> T {
    // SAFETY: libc returns the address of this thread's errno.
    let errno = unsafe { *__errno_location() };
    let result = work();
    set_errno(errno);
    result
}

/// Makes a system call with up to six arguments; negative results are errno values.
///
/// # Safety
/// As for the system call itself.
pub unsafe fn raw(number: i64, a: i64, b: i64, c: i64, d: i64, e: i64, f: i64) -> i64 {
    let result: i64;
    // SAFETY: the x86-64 system call convention; the kernel clobbers rcx and r11 only.
    unsafe {
        asm!(
            "syscall",
            inlateout("rax") number => result,
            in("rdi") a, in("rsi") b, in("rdx") c, in("r10") d, in("r8") e, in("r9") f,
            lateout("rcx") _, lateout("r11") _,
            options(nostack)
        );
    }
    result
}

/// Turns a raw result into libc's convention: -1 and errno, which success leaves alone.
pub fn to_libc(result: i64) -> c_long {
    if (-4095..0).contains(&result) {
        set_errno(-result as i32);
        -1
    } else {
        result
    }
}

/// The error of a refused system call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Errno(pub i32);

/// Turns a raw result into a `Result`.
pub fn checked(result: i64) -> Result<i64, Errno> {
    if (-4095..0).contains(&result) { Err(Errno(-result as i32)) } else { Ok(result) }
}

/// Makes a raw `ptrace` call; the PEEK requests store their word at `data`, unlike libc's function.
///
/// # Safety
/// `addr` and `data` must suit the request.
pub unsafe fn ptrace(request: i64, tid: i32, addr: i64, data: i64) -> Result<i64, Errno> {
    // SAFETY: passed on to the caller.
    checked(unsafe { raw(SYS_PTRACE, request, i64::from(tid), addr, data, 0, 0) })
}

/// Reads a word of a tracee's `struct user`, by its offset in bytes.
pub fn peek_user(tid: i32, offset: i64) -> Result<u64, Errno> {
    let mut word = 0u64;
    // SAFETY: the kernel writes one word.
    unsafe { ptrace(PTRACE_PEEKUSER, tid, offset, &raw mut word as i64) }?;
    Ok(word)
}

/// Writes a word of a tracee's `struct user`.
pub fn poke_user(tid: i32, offset: i64, word: u64) -> Result<(), Errno> {
    // SAFETY: no memory of ours is touched.
    unsafe { ptrace(PTRACE_POKEUSER, tid, offset, word as i64) }.map(|_| ())
}

/// Reads all general registers of a tracee.
pub fn registers(tid: i32) -> Result<UserRegs, Errno> {
    let mut regs = UserRegs::default();
    // SAFETY: the kernel fills a whole user_regs_struct.
    unsafe { ptrace(PTRACE_GETREGS, tid, 0, &raw mut regs as i64) }?;
    Ok(regs)
}

/// Returns what `fxsave` would write of a tracee.
pub fn vector_registers(tid: i32) -> Result<[u8; 512], Errno> {
    let mut area = [0; 512];
    // SAFETY: the kernel fills a whole user_fpregs_struct, of 512 bytes.
    unsafe { ptrace(PTRACE_GETFPREGS, tid, 0, area.as_mut_ptr() as i64) }?;
    Ok(area)
}

/// Returns what `xsave` would write of a tracee, up to behind its vector registers.
pub fn extended_state(tid: i32) -> Result<Vec<u8>, Errno> {
    const NT_X86_XSTATE: i64 = 0x202;
    const LENGTH: usize = 4096;
    let mut area = vec![0u8; LENGTH];
    let mut vector = IoVec { base: area.as_mut_ptr().cast(), len: area.len() };
    // SAFETY: the vector covers `area`; the kernel sets its length to what it has written.
    unsafe { ptrace(PTRACE_GETREGSET, tid, NT_X86_XSTATE, &raw mut vector as i64) }?;
    area.truncate(vector.len);
    Ok(area)
}

/// Replaces all general registers of a tracee.
pub fn set_registers(tid: i32, registers: &UserRegs) -> Result<(), Errno> {
    // SAFETY: the kernel reads a whole user_regs_struct.
    unsafe { ptrace(PTRACE_SETREGS, tid, 0, &raw const *registers as i64) }.map(|_| ())
}

/// Resumes a tracee, injecting `signal` unless it is 0.
pub fn resume(tid: i32, request: i64, signal: i64) -> Result<(), Errno> {
    // SAFETY: a resume request touches no memory of ours.
    unsafe { ptrace(request, tid, 0, signal) }.map(|_| ())
}

/// Makes a tracee stop at the next opportunity.
pub fn interrupt(tid: i32) -> Result<(), Errno> {
    // SAFETY: no memory involved.
    unsafe { ptrace(PTRACE_INTERRUPT, tid, 0, 0) }.map(|_| ())
}

/// Returns what the kernel says about a ptrace event: the new thread, or the former id after exec.
pub fn event_message(tid: i32) -> Result<u64, Errno> {
    let mut message = 0u64;
    // SAFETY: the kernel writes one word.
    unsafe { ptrace(PTRACE_GETEVENTMSG, tid, 0, &raw mut message as i64) }?;
    Ok(message)
}

/// Returns the signal information of a tracee's stop.
pub fn signal_info(tid: i32) -> Result<SigInfo, Errno> {
    let mut info = SigInfo::zero();
    // SAFETY: the kernel fills a whole siginfo_t.
    unsafe { ptrace(PTRACE_GETSIGINFO, tid, 0, &raw mut info as i64) }?;
    Ok(info)
}

/// Replaces the signal information of a tracee's stop.
pub fn set_signal_info(tid: i32, info: &SigInfo) -> Result<(), Errno> {
    // SAFETY: the kernel reads a whole siginfo_t.
    unsafe { ptrace(PTRACE_SETSIGINFO, tid, 0, &raw const *info as i64) }.map(|_| ())
}

/// Returns the signals a tracee blocks; bit `n - 1` stands for signal `n`.
pub fn signal_mask(tid: i32) -> Result<u64, Errno> {
    let mut mask = 0u64;
    // SAFETY: the kernel writes the eight bytes it was told of.
    unsafe { ptrace(PTRACE_GETSIGMASK, tid, 8, &raw mut mask as i64) }?;
    Ok(mask)
}

/// Replaces the set of signals a tracee blocks.
pub fn set_signal_mask(tid: i32, mask: u64) -> Result<(), Errno> {
    // SAFETY: the kernel reads the eight bytes it was told of.
    unsafe { ptrace(PTRACE_SETSIGMASK, tid, 8, &raw const mask as i64) }.map(|_| ())
}

/// Returns the pending signals sent to this very thread (not its process), oldest first, at most eight.
pub fn pending_signals(tid: i32) -> Result<Vec<SigInfo>, Errno> {
    let mut infos = [SigInfo::zero(); 8];
    let request = PeekSigInfo { offset: 0, flags: 0, count: infos.len() as i32 };
    // SAFETY: the kernel writes at most the eight entries it was told of.
    let count = unsafe { ptrace(PTRACE_PEEKSIGINFO, tid, &raw const request as i64, infos.as_mut_ptr() as i64) }?;
    Ok(infos.iter().take(count.max(0) as usize).copied().collect())
}

/// Sends a signal to one thread.
pub fn send_signal(tid: i32, signal: i32) -> Result<(), Errno> {
    // SAFETY: no memory involved.
    checked(unsafe { raw(SYS_TKILL, i64::from(tid), i64::from(signal), 0, 0, 0, 0) }).map(|_| ())
}

/// What kind of system-call stop a tracee is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SyscallStop {
    None,
    Entry,
    Exit,
    Seccomp,
}

/// Makes a `PTRACE_GET_SYSCALL_INFO` (Linux 5.3) and returns the operation byte alone.
pub fn syscall_stop(tid: i32) -> Result<SyscallStop, Errno> {
    let mut info = [0u64; 11];
    // SAFETY: the kernel writes at most the size it was told of.
    unsafe { ptrace(PTRACE_GET_SYSCALL_INFO, tid, size_of_val(&info) as i64, info.as_mut_ptr() as i64) }?;
    Ok(match info[0] as u8 {
        1 => SyscallStop::Entry,
        2 => SyscallStop::Exit,
        3 => SyscallStop::Seccomp,
        _ => SyscallStop::None,
    })
}

/// Reads up to `buffer.len()` bytes of a tracee's memory; the count is short at the end of a mapping.
pub fn read_memory(tid: i32, address: u64, buffer: &mut [u8]) -> Result<usize, Errno> {
    let local = IoVec { base: buffer.as_mut_ptr().cast(), len: buffer.len() };
    let remote = IoVec { base: address as *mut c_void, len: buffer.len() };
    // SAFETY: the local vector covers `buffer`; the remote one is checked by the kernel.
    let read = checked(unsafe {
        raw(SYS_PROCESS_VM_READV, i64::from(tid), &raw const local as i64, 1, &raw const remote as i64, 1, 0)
    })?;
    Ok(read as usize)
}

/// Clears one bit of a word of a tracee's memory.
pub fn clear_bit(tid: i32, address: u64, bit: u32) -> Result<(), Errno> {
    let mut bytes = [0u8; 8];
    // The word may end at the end of a mapping, where only the bytes up to there can be read.
    let aligned = address & !7;
    let shift = (address - aligned) as u32 * 8 + bit;
    let (word_address, word_bit) = if shift < 64 { (aligned, shift) } else { (aligned + 8, shift - 64) };
    if read_memory(tid, word_address, &mut bytes)? != bytes.len() {
        return Err(Errno(14));
    }
    let word = u64::from_le_bytes(bytes) & !(1 << word_bit);
    // SAFETY: writes the tracee's memory only; an aligned word lies within one page.
    unsafe { ptrace(PTRACE_POKEDATA, tid, word_address as i64, word as i64) }.map(|_| ())
}

/// Makes a raw `waitid`. On success with nothing to report `info.pid()` is 0.
pub fn waitid(idtype: i32, id: i32, info: &mut SigInfo, options: i32) -> Result<(), Errno> {
    *info = SigInfo::zero();
    // SAFETY: the kernel fills a whole siginfo_t.
    let result =
        unsafe { raw(SYS_WAITID, i64::from(idtype), i64::from(id), &raw mut *info as i64, i64::from(options), 0, 0) };
    checked(result).map(|_| ())
}

/// Nanoseconds of the monotonic clock.
pub fn monotonic_nanoseconds() -> u64 {
    unsafe extern "C" {
        fn clock_gettime(clock: c_int, time: *mut [i64; 2]) -> c_int;
    }
    const CLOCK_MONOTONIC: c_int = 1;
    let mut time = [0i64; 2];
    // SAFETY: libc's function (not interposed, no kernel entry) writes one timespec.
    unsafe { clock_gettime(CLOCK_MONOTONIC, &raw mut time) };
    time[0] as u64 * 1_000_000_000 + time[1] as u64
}

/// Writes a line to standard error, past every buffer and lock.
pub fn write_error(line: &str) {
    let text = format!("retrograde soft counters: {line}\n");
    // SAFETY: the buffer is valid for its length. A failed write has nowhere to be reported.
    unsafe { raw(SYS_WRITE, 2, text.as_ptr() as i64, text.len() as i64, 0, 0, 0) };
}

/// Ends the tracer, which takes its tracees along (`PTRACE_O_EXITKILL`).
pub fn exit(status: i32) -> ! {
    // SAFETY: does not return.
    unsafe { raw(SYS_EXIT_GROUP, i64::from(status), 0, 0, 0, 0, 0) };
    std::process::abort()
}

/// Says what makes it impossible to go on and ends the tracer, which takes its tracees along (`PTRACE_O_EXITKILL`).
///
/// The exit status is the one by which wrappers (`env`, `timeout`) tell their own failure from their command's.
pub fn give_up(why: &str) -> ! {
    write_error(why);
    exit(125)
}
