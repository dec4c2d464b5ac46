//! Keeping CPUID faulting on in the tracer, for speed.
//!
//! rr makes CPUID fault in its tracees. The setting is per thread, and the kernel writes a model-specific register when
//! it switches between a thread that has it and one that has not. Under a hypervisor that write leaves the virtual
//! machine, which can cost more than all else at a stop. With faulting on in the tracer as well the register never
//! changes. The few CPUID instructions rr runs then raise `SIGSEGV`. The handler here lifts the setting, up to the next
//! resume of a tracee: where rr runs one such instruction, it often runs many.

use std::ffi::{c_int, c_void};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use super::log::log;
use super::sys;

const ARCH_GET_CPUID: i64 = 0x1011;
const ARCH_SET_CPUID: i64 = 0x1012;

/// `si_code` of a general protection fault.
const SI_KERNEL: i32 = 0x80;
const SA_SIGINFO: c_int = 4;
const SA_ONSTACK: c_int = 0x0800_0000;

/// The position of rip in the general registers of `mcontext_t`, which follow 40 bytes of `ucontext_t`.
const CONTEXT_REGISTERS: usize = 40 / 8;
const RIP: usize = 16;

/// glibc's `struct sigaction`.
#[repr(C)]
struct SigAction {
    handler: usize,
    mask: [u64; 16],
    flags: c_int,
    restorer: usize,
}

impl SigAction {
    const fn default() -> SigAction {
        SigAction { handler: 0, mask: [0; 16], flags: 0, restorer: 0 }
    }
}

unsafe extern "C" {
    fn sigaction(signal: c_int, new: *const SigAction, old: *mut SigAction) -> c_int;
}

static WANTED: AtomicBool = AtomicBool::new(true);
static TRIED: AtomicBool = AtomicBool::new(false);
static FAULTING: AtomicBool = AtomicBool::new(false);
/// Off for the time being.
static LIFTED: AtomicBool = AtomicBool::new(false);
static INSTALLED: AtomicBool = AtomicBool::new(false);
/// The handler in place before ours.
static PREVIOUS: Mutex<SigAction> = Mutex::new(SigAction::default());

fn set_faulting(faulting: bool) -> bool {
    // SAFETY: changes a setting of this thread only.
    unsafe { sys::raw(sys::SYS_ARCH_PRCTL, ARCH_SET_CPUID, i64::from(!faulting), 0, 0, 0, 0) == 0 }
}

/// Leaves CPUID alone from now on.
pub fn disable() {
    WANTED.store(false, Ordering::Relaxed);
}

/// Turns faulting on again, if it was lifted, for a tracee that is about to be resumed.
pub fn fault_again() {
    if LIFTED.swap(false, Ordering::Relaxed) {
        set_faulting(true);
    }
}

/// Turns faulting on in this thread, the first time it is called. Does nothing where the machine cannot.
pub fn keep_faulting() {
    if TRIED.swap(true, Ordering::Relaxed) || !WANTED.load(Ordering::Relaxed) {
        return;
    }
    // SAFETY: only asks.
    if unsafe { sys::raw(sys::SYS_ARCH_PRCTL, ARCH_GET_CPUID, 0, 0, 0, 0, 0) } != 1 {
        return;
    }
    if !INSTALLED.load(Ordering::Relaxed) && !install_handler() {
        return;
    }
    if set_faulting(true) {
        FAULTING.store(true, Ordering::Relaxed);
        log!(1, "CPUID faulting kept on in the tracer");
    } else {
        remove_handler();
    }
}

fn install_handler() -> bool {
    let handler: extern "C" fn(c_int, *mut sys::SigInfo, *mut u64) = on_fault;
    let ours =
        SigAction { handler: handler as *const () as usize, flags: SA_SIGINFO | SA_ONSTACK, ..SigAction::default() };
    let Ok(mut previous) = PREVIOUS.lock() else {
        return false;
    };
    // SAFETY: both structures are glibc's.
    let installed = unsafe { sigaction(sys::SIGSEGV, &raw const ours, &raw mut *previous) } == 0;
    INSTALLED.store(installed, Ordering::Relaxed);
    installed
}

fn remove_handler() {
    let Ok(previous) = PREVIOUS.lock() else { return };
    // SAFETY: puts back what was there.
    unsafe { sigaction(sys::SIGSEGV, &raw const *previous, std::ptr::null_mut()) };
    INSTALLED.store(false, Ordering::Relaxed);
}

/// Runs `fork` with CPUID working, so that the child starts as rr means it to.
pub fn around_fork(fork: impl FnOnce() -> i32) -> i32 {
    fault_again();
    let faulting = FAULTING.load(Ordering::Relaxed);
    if faulting {
        set_faulting(false);
    }
    let child = fork();
    if child == 0 {
        // The child may become a tracer of its own, which then decides anew.
        FAULTING.store(false, Ordering::Relaxed);
        TRIED.store(false, Ordering::Relaxed);
    } else if faulting {
        set_faulting(true);
    }
    child
}

/// Lets a CPUID instruction that faulted be executed after all; hands any other fault to the handler that was there
/// before.
extern "C" fn on_fault(signal: c_int, info: *mut sys::SigInfo, context: *mut u64) {
    // SAFETY: the kernel passes a siginfo_t and a ucontext_t. A general protection fault comes from an instruction
    // that was fetched, so two bytes of it can be read: it has at least one, and a one-byte instruction at the very
    // end of a mapping that faults this way does not occur in rr.
    unsafe {
        let rip = *context.add(CONTEXT_REGISTERS + RIP);
        if (*info).code == SI_KERNEL && *(rip as *const [u8; 2]) == [0x0f, 0xa2] {
            LIFTED.store(set_faulting(false), Ordering::Relaxed);
            return;
        }
    }
    // Held only while the handler is put in place or removed.
    let Ok(previous) = PREVIOUS.try_lock() else { std::process::abort() };
    match previous.handler {
        // SIG_DFL or SIG_IGN, which means the same for a fault: let it happen again without a handler.
        0 | 1 => {
            let default = SigAction::default();
            // SAFETY: both structures are glibc's.
            unsafe { sigaction(signal, &raw const default, std::ptr::null_mut()) };
        }
        // SAFETY: the previous handler was installed with the convention its flags say; the longer one serves both.
        handler => unsafe {
            let handler: extern "C" fn(c_int, *mut c_void, *mut c_void) = std::mem::transmute(handler);
            drop(previous);
            handler(signal, info.cast(), context.cast());
        },
    }
}
