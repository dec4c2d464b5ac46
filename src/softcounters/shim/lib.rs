//! The object that is preloaded into rr: it supplies rr's ticks counter in software.
//!
//! See the documentation of the module `softcounters` of the crate that carries it. This is a crate of its own,
//! compiled to a shared object by the build script, with no dependency but the standard library.
//!
//! Exported are exactly the functions below; each takes the place of libc's function of that name in the rr process.

mod belief;
mod cache;
mod calls;
mod counter;
mod cpuid;
mod decode;
mod drive;
mod extended;
mod flags;
mod inject;
mod interrupt;
mod kernel;
mod log;
mod memory;
mod memory_calls;
mod numbers;
mod overflow;
mod perf;
mod preload;
mod privileges;
mod probe;
mod program;
mod random;
mod ranges;
mod refused;
mod resume;
mod skid;
mod slice;
mod state;
mod stop;
mod sys;
mod tracee;
mod trap;
mod wait;
mod way;

use std::ffi::{OsStr, c_int, c_long, c_ulong, c_void};
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

use resume::Request;
use state::state;
use sys::{SigInfo, raw, to_libc};

/// Interposes `ptrace`: resumes of tracees with a running counter are driven; the rest passes, some of it watched.
///
/// # Safety
/// As for libc's function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ptrace(request: c_long, tid: c_int, addr: c_long, data: c_long) -> c_long {
    const PEEKS: std::ops::RangeInclusive<c_long> = 1..=3;
    // The first parameter is an int; the upper half of its register is not defined.
    let request = c_long::from(request as c_int);
    let mut state = state();
    if let Some(seen) = state.known(tid).and_then(|tracee| tracee.seen) {
        if request == sys::PTRACE_GETREGS {
            // SAFETY: the caller's promise.
            unsafe { (data as *mut sys::UserRegs).write_unaligned(seen.registers) };
            return 0;
        }
        // The next resume that is driven takes it.
        if !leaves_registers(request, addr) && Request::from_ptrace(request).is_none() {
            state.tracee(tid).seen = None;
        }
    }
    if let Some(resume) = Request::from_ptrace(request) {
        cpuid::fault_again();
        state.before_call(tid);
        match state.prepare_delivery(tid, data) {
            Ok(true) => {}
            Ok(false) => return 0,
            Err(errno) => return to_libc(-i64::from(errno.0)),
        }
        if state.counters.running(tid).is_some() {
            cpuid::keep_faulting();
            return match state.drive(tid, resume, data) {
                Ok(()) => 0,
                Err(errno) => to_libc(-i64::from(errno.0)),
            };
        }
        state.statistics.passed += 1;
        state.tracee(tid).seen = None;
        state.note_passed(tid);
        state.note_delivery(tid, resume, data);
    }
    if PEEKS.contains(&request) {
        let mut word: c_long = 0;
        // SAFETY: the kernel stores the word; the rest is the caller's promise.
        let result = unsafe { raw(sys::SYS_PTRACE, request, i64::from(tid), addr, &raw mut word as i64, 0, 0) };
        if result < 0 {
            return to_libc(result);
        }
        sys::set_errno(0);
        return word;
    }
    let is_write = matches!(request, sys::PTRACE_POKETEXT | sys::PTRACE_POKEDATA);
    let place = addr as u64..(addr as u64).saturating_add(8);
    let foreign = if is_write { state.before_write(tid, &[place]) } else { None };
    // SAFETY: the caller's promise.
    let result = unsafe { raw(sys::SYS_PTRACE, request, i64::from(tid), addr, data, 0, 0) };
    state.after_write(foreign);
    if result >= 0 {
        match request {
            sys::PTRACE_SETSIGMASK if addr == 8 && data != 0 => {
                // SAFETY: the kernel has read it just now.
                state.tracee(tid).set_mask(unsafe { (data as *const u64).read_unaligned() });
            }
            sys::PTRACE_POKEUSER if addr == sys::USER_DR7 => state.note_debug_control(tid, data as u64),
            sys::PTRACE_POKETEXT | sys::PTRACE_POKEDATA => {
                state.note_write(tid, addr as u64..(addr as u64).saturating_add(8), &[]);
            }
            // What was known of another thread of this id is of no use.
            sys::PTRACE_SEIZE | sys::PTRACE_DETACH => state.forget(tid),
            sys::PTRACE_INTERRUPT => state.tracee(tid).interrupted = true,
            _ if Request::from_ptrace(request).is_some() => state.tracee(tid).pass(),
            _ => {}
        }
    }
    to_libc(result)
}

/// Returns whether a request changes neither the general registers nor the signal mask of a tracee.
fn leaves_registers(request: c_long, addr: c_long) -> bool {
    match request {
        sys::PTRACE_PEEKTEXT..=sys::PTRACE_PEEKUSER
        | sys::PTRACE_POKETEXT
        | sys::PTRACE_POKEDATA
        | sys::PTRACE_GETSIGINFO
        | sys::PTRACE_GETSIGMASK
        | sys::PTRACE_GETREGSET => true,
        sys::PTRACE_POKEUSER => addr >= sys::USER_DEBUG,
        _ => false,
    }
}

/// Interposes `waitid`, without our own stops.
///
/// # Safety
/// As for libc's function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn waitid(idtype: c_int, id: c_int, info: *mut SigInfo, options: c_int) -> c_int {
    let mut answer = SigInfo::zero();
    let result = wait::waitid(&mut state(), idtype, id, &mut answer, options);
    match result {
        Ok(()) => {
            if !info.is_null() {
                // SAFETY: the caller's promise.
                unsafe { info.write(answer) };
            }
            0
        }
        Err(errno) => to_libc(-i64::from(errno.0)) as c_int,
    }
}

/// Interposes `waitpid`, made of [`waitid`].
///
/// # Safety
/// As for libc's function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn waitpid(pid: c_int, status: *mut c_int, options: c_int) -> c_int {
    let (idtype, id) = match pid {
        -1 => (sys::P_ALL, 0),
        0 => (sys::P_PGID, 0),
        pid if pid < 0 => (sys::P_PGID, pid.wrapping_neg()),
        pid => (sys::P_PID, pid),
    };
    let mut answer = SigInfo::zero();
    match wait::waitid(&mut state(), idtype, id, &mut answer, options | sys::WEXITED) {
        Ok(()) => {
            if answer.pid() != 0 && !status.is_null() {
                // SAFETY: the caller's promise.
                unsafe { status.write(wait::wait_status(&answer)) };
            }
            answer.pid()
        }
        Err(errno) => to_libc(-i64::from(errno.0)) as c_int,
    }
}

/// Interposes `syscall`: the way rr opens performance counters, and asks for its privileges.
///
/// Any other call is made as libc's function makes it, with the return address on top of the stack. An rr that has
/// itself detached from an outer rr returns from that call by a lone `ret`: the outer one puts the rest of its
/// registers back too late.
///
/// # Safety
/// As for libc's function.
#[unsafe(naked)]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn syscall(
    number: c_long,
    a: c_long,
    b: c_long,
    c: c_long,
    d: c_long,
    e: c_long,
    f: c_long,
) -> c_long {
    std::arch::naked_asm!(
        "cmp rdi, {bpf}",
        "je {ours}",
        "cmp rdi, {open}",
        "je {ours}",
        "cmp rdi, {write}",
        "je {ours}",
        "cmp rdi, {capget}",
        "je {ours}",
        "mov rax, rdi",
        "mov rdi, rsi",
        "mov rsi, rdx",
        "mov rdx, rcx",
        "mov r10, r8",
        "mov r8, r9",
        "mov r9, [rsp + 8]",
        "syscall",
        "cmp rax, -4095",
        "jae 2f",
        "ret",
        "2:",
        "mov rdi, rax",
        "jmp {failed}",
        bpf = const sys::SYS_BPF,
        open = const sys::SYS_PERF_EVENT_OPEN,
        write = const sys::SYS_PROCESS_VM_WRITEV,
        capget = const sys::SYS_CAPGET,
        ours = sym our_syscall,
        failed = sym failed,
    )
}

extern "C" fn failed(result: c_long) -> c_long {
    to_libc(result)
}

/// Makes the calls of [`syscall`] that do not simply pass.
///
/// # Safety
/// As for libc's function.
unsafe extern "C" fn our_syscall(
    number: c_long,
    a: c_long,
    b: c_long,
    c: c_long,
    d: c_long,
    e: c_long,
    f: c_long,
) -> c_long {
    // SAFETY: the caller's promise.
    to_libc(unsafe {
        match number {
            // rr would have a breakpoint event filtered by BPF, which a breakpoint event of ours cannot be. That it may
            // not load its filter makes it do without.
            sys::SYS_BPF => -1,
            sys::SYS_PERF_EVENT_OPEN => state().counters.open([a, b, c, d, e]),
            sys::SYS_CAPGET => {
                let result = raw(number, a, b, c, d, e, f);
                if result == 0 {
                    privileges::after_capget(a as *const privileges::Header, b as *mut [privileges::Sets; 2]);
                }
                result
            }
            sys::SYS_PROCESS_VM_WRITEV => {
                let pieces = std::slice::from_raw_parts(d as *const sys::IoVec, if d != 0 { e as usize } else { 0 });
                let range =
                    |piece: &sys::IoVec| (piece.base as u64)..(piece.base as u64).saturating_add(piece.len as u64);
                let mut state = state();
                let foreign = match &state.pass {
                    Some(_) => state.before_write(a as c_int, &pieces.iter().map(range).collect::<Vec<_>>()),
                    None => None,
                };
                let result = raw(number, a, b, c, d, e, f);
                state.after_write(foreign);
                for piece in pieces.iter().filter(|_| result > 0) {
                    state.note_write(a as c_int, range(piece), &[]);
                }
                result
            }
            _ => raw(number, a, b, c, d, e, f),
        }
    })
}

/// Interposes `pwrite64`: the way rr writes to tracees' memory.
///
/// # Safety
/// As for libc's function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pwrite64(descriptor: c_int, buffer: *const c_void, size: usize, offset: i64) -> isize {
    let mut watched = state();
    let range = offset as u64..(offset as u64).saturating_add(size as u64);
    let owner = if watched.pass.is_some() { memory::owner_of_memory(descriptor) } else { None };
    let foreign = owner.and_then(|tid| watched.before_write(tid, &[range]));
    drop(watched);
    // SAFETY: the caller's promise.
    let result = unsafe { raw(sys::SYS_PWRITE64, i64::from(descriptor), buffer as i64, size as i64, offset, 0, 0) };
    if foreign.is_some() {
        state().after_write(foreign);
    }
    if result > 0 {
        // SAFETY: the kernel has read this much of it just now.
        let written = unsafe { std::slice::from_raw_parts(buffer.cast(), result as usize) };
        state().note_file_write(descriptor, offset as u64, written);
    }
    to_libc(result) as isize
}

/// Interposes the name of [`pwrite64`] in programs not built for large files.
///
/// # Safety
/// As for libc's function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pwrite(descriptor: c_int, buffer: *const c_void, size: usize, offset: i64) -> isize {
    // SAFETY: the caller's promise.
    unsafe { pwrite64(descriptor, buffer, size, offset) }
}

/// Interposes `ioctl`: starting, stopping and programming a counter.
///
/// # Safety
/// As for libc's function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ioctl(descriptor: c_int, request: c_ulong, argument: c_long) -> c_int {
    if perf::may_be_counter(descriptor) {
        // SAFETY: the caller's promise.
        if let Some(result) = unsafe { state().counters.ioctl(descriptor, request, argument) } {
            return to_libc(result) as c_int;
        }
    }
    // SAFETY: the caller's promise.
    to_libc(unsafe { raw(sys::SYS_IOCTL, i64::from(descriptor), request as i64, argument, 0, 0, 0) }) as c_int
}

/// Interposes `fcntl`: the overflow signal of a counter.
///
/// # Safety
/// As for libc's function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fcntl(descriptor: c_int, command: c_int, argument: c_long) -> c_int {
    if command == sys::F_SETSIG && perf::may_be_counter(descriptor) {
        state().counters.set_signal(descriptor, argument as c_int);
    }
    // SAFETY: the caller's promise.
    to_libc(unsafe { raw(sys::SYS_FCNTL, i64::from(descriptor), i64::from(command), argument, 0, 0, 0) }) as c_int
}

/// Interposes the name of [`fcntl`] in programs built for large files.
///
/// # Safety
/// As for libc's function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fcntl64(descriptor: c_int, command: c_int, argument: c_long) -> c_int {
    // SAFETY: the caller's promise.
    unsafe { fcntl(descriptor, command, argument) }
}

/// Interposes `read`: the value of a counter.
///
/// # Safety
/// As for libc's function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn read(descriptor: c_int, buffer: *mut c_void, size: usize) -> isize {
    if perf::may_be_counter(descriptor)
        && let Some(value) = state().counters.value(descriptor)
    {
        // SAFETY: the caller's promise.
        return match unsafe { perf::read_value(value, buffer.cast(), size) } {
            Ok(read) => read as isize,
            Err(errno) => to_libc(-i64::from(errno.0)) as isize,
        };
    }
    // SAFETY: the caller's promise.
    to_libc(unsafe { raw(sys::SYS_READ, i64::from(descriptor), buffer as i64, size as i64, 0, 0, 0) }) as isize
}

/// Interposes `poll`: a counter is always ready, which is how rr tells that the kernel honours a new sample period. What
/// else rr polls is its debugger's connection.
///
/// # Safety
/// As for libc's function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn poll(descriptors: *mut sys::PollFd, count: c_ulong, timeout: c_int) -> c_int {
    if count == 1 && !descriptors.is_null() {
        // SAFETY: the caller's promise.
        let polled = unsafe { &mut *descriptors };
        if perf::may_be_counter(polled.fd) && state().counters.is_counter(polled.fd) {
            polled.revents = sys::POLLIN;
            return 1;
        }
        interrupt::note_poll(polled);
    }
    // SAFETY: the caller's promise.
    to_libc(unsafe { raw(sys::SYS_POLL, descriptors as i64, count as i64, i64::from(timeout), 0, 0, 0) }) as c_int
}

/// Interposes `close`: forgets a counter, or whose memory the descriptor stands for.
#[unsafe(no_mangle)]
pub extern "C" fn close(descriptor: c_int) -> c_int {
    memory::forget_owner(descriptor);
    interrupt::note_close(descriptor);
    if perf::may_be_counter(descriptor) {
        state().counters.close(descriptor);
    }
    // SAFETY: no memory involved.
    to_libc(unsafe { raw(sys::SYS_CLOSE, i64::from(descriptor), 0, 0, 0, 0, 0) }) as c_int
}

/// Interposes `setitimer`: rr arms `ITIMER_REAL` to bound a wait.
///
/// # Safety
/// As for libc's function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn setitimer(which: c_int, new: *const sys::ITimerVal, old: *mut sys::ITimerVal) -> c_int {
    // SAFETY: the caller's promise.
    let result = unsafe { raw(sys::SYS_SETITIMER, i64::from(which), new as i64, old as i64, 0, 0, 0) };
    if result == 0 && which == sys::ITIMER_REAL && !new.is_null() {
        // SAFETY: the kernel has read it just now.
        let [seconds, microseconds] = unsafe { (*new).value };
        let total = (seconds as u64).saturating_mul(1_000_000).saturating_add(microseconds as u64);
        wait::timer_set(&mut state(), Some(total));
    }
    to_libc(result) as c_int
}

/// Interposes `fork`: a child of the tracer, which may become a tracee, starts with CPUID working.
#[unsafe(no_mangle)]
pub extern "C" fn fork() -> c_int {
    let next = sys::next_symbol(c"fork");
    if next.is_null() {
        sys::give_up("no fork function in libc");
    }
    // SAFETY: the symbol named fork is a function of this type.
    let fork: extern "C" fn() -> c_int = unsafe { std::mem::transmute(next) };
    cpuid::around_fork(|| fork())
}

/// Runs when the object is loaded, before rr's `main`.
///
/// Takes this object out of `LD_PRELOAD`, so that neither tracees nor a debugger started by rr inherit it, and reads
/// the switches for diagnosis.
extern "C" fn constructor() {
    if !program::is_tracer() {
        return;
    }
    privileges::note_process();
    let mut object = None;
    if let Some(preload) = std::env::var_os("LD_PRELOAD") {
        object = Some(PathBuf::from(OsStr::from_bytes(preload::first(preload.as_bytes()))));
        let rest = preload::without_first(preload.as_encoded_bytes());
        // SAFETY: no other thread exists yet.
        unsafe {
            if rest.is_empty() {
                std::env::remove_var("LD_PRELOAD");
            } else {
                std::env::set_var("LD_PRELOAD", OsStr::from_encoded_bytes_unchecked(rest));
            }
        }
    }
    if let Some(level) = std::env::var("RETROGRADE_SOFT_LOG").ok().and_then(|level| level.parse().ok()) {
        log::set_level(level);
    }
    let variable = |name: &str| std::env::var(name).ok();
    let mut state = state();
    state.store_file = match variable("RETROGRADE_SOFT_STORE").as_deref() {
        Some("0") => None,
        _ => object.and_then(|object| cache::keep::file_for(&object)),
    };
    if let Some(late) = variable(skid::VARIABLE) {
        state.counters.lateness = skid::Lateness::read(&late);
        // SAFETY: no other thread exists yet.
        unsafe { std::env::remove_var(skid::VARIABLE) };
    }
    if let Some(refused) = variable(refused::VARIABLE) {
        state.refused = numbers::read(&refused);
        // SAFETY: no other thread exists yet.
        unsafe { std::env::remove_var(refused::VARIABLE) };
    }
    state.pass = probe::Pass::from_environment(variable);
    if let Some(pass) = &state.pass {
        let list = pass.list.clone();
        state.spaces.probe(list);
        // SAFETY: no other thread exists yet.
        unsafe {
            std::env::remove_var(probe::LIST);
            std::env::remove_var(probe::HITS);
        }
    }
    match variable("RETROGRADE_SOFT_MODE").as_deref() {
        Some("step") => state.step_only = true,
        Some("branch") => state.by_branch = true,
        _ => {}
    }
    if let Some(batch) = variable("RETROGRADE_SOFT_BATCH").and_then(|batch| batch.parse().ok()) {
        state.batch = batch;
    }
    if let Some(most) = variable("RETROGRADE_SOFT_LEND").and_then(|most| most.parse::<u64>().ok()) {
        // The count is used up before a branch that is not executed then, so that one would lead nowhere.
        state.lending = most.clamp(2, cache::MOST_LENT);
    }
    if let Some(size) = variable("RETROGRADE_SOFT_REGION").and_then(|size| size.parse().ok()) {
        state.spaces.region_size = state.spaces.region_size.min(size);
    }
    if std::env::var_os("RETROGRADE_SOFT_CPUID").is_some_and(|value| value == "0") {
        cpuid::disable();
    }
}

/// Keeps what was learned, and prints the statistics if they are asked for.
extern "C" fn destructor() {
    if !program::is_tracer() {
        return;
    }
    state().save_store(1);
    state().finish_pass();
    if std::env::var_os("RETROGRADE_SOFT_STATS").is_some_and(|value| value == "1") {
        let mut state = state();
        state.statistics.lateness = state.counters.lateness.known();
        sys::write_error(&format!("{:?}", state.statistics));
    }
}

#[used]
#[unsafe(link_section = ".init_array")]
static CONSTRUCTOR: extern "C" fn() = constructor;

#[used]
#[unsafe(link_section = ".fini_array")]
static DESTRUCTOR: extern "C" fn() = destructor;
