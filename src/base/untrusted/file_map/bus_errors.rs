//! The handler of SIGBUS, and the list of the mappings that it mends.
//!
//! A handler may take no lock and allocate nothing. The list is therefore one of entries that are never freed: an entry
//! whose mapping has gone is used for the next one. The handler looks for the address of the fault in the list, puts
//! zeros where the file has no bytes any more, and marks the entry. A fault elsewhere is not ours: it goes to the
//! handler that there was before (the standard library's, which explains overflows of the stack), or ends the process.

use std::ffi::{c_int, c_void};
use std::ops::Range;
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

/// A mapping in the list.
struct Entry {
    start: AtomicUsize,
    /// 0 while no mapping has the entry.
    end: AtomicUsize,
    damaged: AtomicBool,
    /// The entry that was added before this one.
    next: *const Entry,
}

// SAFETY: `next` is written before the entry is shared, and what it points to is never freed.
#[expect(unsafe_code, reason = "as said")]
unsafe impl Sync for Entry {}

// SAFETY: likewise.
#[expect(unsafe_code, reason = "as said")]
unsafe impl Send for Entry {}

/// The entry that was added last.
static LAST: AtomicPtr<Entry> = AtomicPtr::new(ptr::null_mut());
/// Entries without a mapping. The handler does not look here.
static FREE: Mutex<Vec<&'static Entry>> = Mutex::new(Vec::new());
static ANY_DAMAGED: AtomicBool = AtomicBool::new(false);
/// What was done about SIGBUS before; set once the handler is in place, or about to be.
static BEFORE: OnceLock<libc::sigaction> = OnceLock::new();
/// Bytes of a page.
static PAGE: AtomicUsize = AtomicUsize::new(4096);

/// A mapping that the handler mends, as long as this lives.
pub(super) struct Registration(&'static Entry);

impl Registration {
    /// Puts a mapping into the list. The first one installs the handler.
    pub(super) fn of(range: Range<usize>) -> Self {
        BEFORE.get_or_init(install);
        let free = FREE.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let entry = free.unwrap_or_else(add);
        entry.damaged.store(false, Ordering::Relaxed);
        entry.start.store(range.start, Ordering::Relaxed);
        // With this the handler sees the rest.
        entry.end.store(range.end, Ordering::Release);
        Self(entry)
    }

    /// Returns whether the handler has put zeros into the mapping.
    pub(super) fn is_damaged(&self) -> bool {
        self.0.damaged.load(Ordering::Acquire)
    }
}

impl Drop for Registration {
    fn drop(&mut self) {
        self.0.end.store(0, Ordering::Release);
        FREE.lock().unwrap_or_else(PoisonError::into_inner).push(self.0);
    }
}

/// Returns whether any mapping has ever been damaged.
pub(super) fn any_is_damaged() -> bool {
    ANY_DAMAGED.load(Ordering::Acquire)
}

/// Adds an entry to the list. There are as many as there ever were mappings at a time.
fn add() -> &'static Entry {
    let mut next = LAST.load(Ordering::Acquire);
    let new = Box::leak(Box::new(Entry {
        start: AtomicUsize::new(0),
        end: AtomicUsize::new(0),
        damaged: AtomicBool::new(false),
        next,
    }));
    loop {
        new.next = next;
        match LAST.compare_exchange(next, ptr::from_mut(new), Ordering::AcqRel, Ordering::Acquire) {
            Ok(_) => return new,
            Err(other) => next = other,
        }
    }
}

/// Installs the handler, and returns what was done about SIGBUS before.
fn install() -> libc::sigaction {
    let handler: extern "C" fn(c_int, *mut libc::siginfo_t, *mut c_void) = on_bus_error;
    // SAFETY: all three calls are given what they expect: structures of the right type, of which all zeros is a valid
    // value, and null where nothing is to be set. The handler does only what a handler may do.
    #[expect(unsafe_code, reason = "as said")]
    let (page, before) = unsafe {
        let page = libc::sysconf(libc::_SC_PAGESIZE);
        let mut before: libc::sigaction = std::mem::zeroed();
        let mut ours: libc::sigaction = std::mem::zeroed();
        ours.sa_sigaction = handler as libc::sighandler_t;
        // On the stack for signals, where a thread has one: the fault may be that its own stack is at its end.
        ours.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK | libc::SA_RESTART;
        libc::sigemptyset(&raw mut ours.sa_mask);
        libc::sigaction(libc::SIGBUS, &raw const ours, &raw mut before);
        (page, before)
    };
    if let Ok(page) = usize::try_from(page) {
        PAGE.store(page.max(1), Ordering::Release);
    }
    before
}

/// Mends a mapping of the list, or else does what was done before.
extern "C" fn on_bus_error(signal: c_int, info: *mut libc::siginfo_t, context: *mut c_void) {
    // SAFETY: the kernel hands over a structure that is valid until the handler returns, in which SIGBUS of a fault has
    // the address.
    #[expect(unsafe_code, reason = "as said")]
    let address = unsafe { info.as_ref().filter(|info| info.si_code > 0).map(|info| info.si_addr() as usize) };
    if !address.is_some_and(mend) {
        pass_on(signal, info, context);
    }
}

/// Puts zeros into the mapping of the list that an address is in, from the page of the address on: behind it, the file
/// has nothing either. Returns whether there is one.
fn mend(address: usize) -> bool {
    let mut next = LAST.load(Ordering::Acquire).cast_const();
    // SAFETY: entries are never freed, and are whole before they are in the list.
    #[expect(unsafe_code, reason = "as said")]
    while let Some(entry) = unsafe { next.as_ref() } {
        next = entry.next;
        let end = entry.end.load(Ordering::Acquire);
        let start = entry.start.load(Ordering::Acquire);
        if !(start..end).contains(&address) || entry.end.load(Ordering::Acquire) != end {
            continue;
        }
        let page = PAGE.load(Ordering::Acquire);
        let from = address / page * page;
        // Before anybody reads a zero.
        entry.damaged.store(true, Ordering::Release);
        ANY_DAMAGED.store(true, Ordering::Release);
        // SAFETY: the thread that faults has borrowed the mapping, so that it is there until the handler returns; its
        // pages, and no others, become zeros that can be read as before. What mmap sets of the thread's error number
        // is put back.
        #[expect(unsafe_code, reason = "as said")]
        return unsafe {
            let number = *libc::__errno_location();
            let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_FIXED | libc::MAP_NORESERVE;
            let zeros = libc::mmap(from as *mut c_void, end - from, libc::PROT_READ, flags, -1, 0);
            *libc::__errno_location() = number;
            zeros != libc::MAP_FAILED
        };
    }
    false
}

/// Does what was done about SIGBUS before. By default that ends the process: the instruction faults again.
fn pass_on(signal: c_int, info: *mut libc::siginfo_t, context: *mut c_void) {
    let before = BEFORE.get();
    let handler = before.map_or(libc::SIG_DFL, |before| before.sa_sigaction);
    // SAFETY: what was installed before is called as its flags say that it is to be called, with what the kernel has
    // handed over; the structure for the default is valid.
    #[expect(unsafe_code, reason = "as said")]
    unsafe {
        if handler == libc::SIG_DFL || handler == libc::SIG_IGN {
            let mut default: libc::sigaction = std::mem::zeroed();
            default.sa_sigaction = libc::SIG_DFL;
            libc::sigaction(signal, &raw const default, ptr::null_mut());
            // One that somebody has sent comes but once.
            if info.as_ref().is_none_or(|info| info.si_code <= 0) {
                libc::raise(signal);
            }
        } else if before.is_some_and(|before| before.sa_flags & libc::SA_SIGINFO != 0) {
            let handler: extern "C" fn(c_int, *mut libc::siginfo_t, *mut c_void) = std::mem::transmute(handler);
            handler(signal, info, context);
        } else {
            let handler: extern "C" fn(c_int) = std::mem::transmute(handler);
            handler(signal);
        }
    }
}
