//! Reading and writing tracees' memory, and the few files of `/proc` that tell about it.

use std::ffi::{CStr, CString, c_void};
use std::str::FromStr;
use std::sync::atomic::{AtomicI32, Ordering};

use super::sys::{
    self, AT_FDCWD, Errno, IoVec, KCMP_VM, O_CLOEXEC, SYS_GETEUID, SYS_GETPID, SYS_KCMP, SYS_OPENAT, SYS_READLINK, raw,
};

const EFAULT: i32 = 14;
/// Segments one vectored call takes (`UIO_MAXIOV`).
const SEGMENTS: usize = 1024;

/// Fills `buffer`, or fails.
pub fn read_exactly(tid: i32, address: u64, buffer: &mut [u8]) -> Result<(), Errno> {
    match sys::read_memory(tid, address, buffer)? {
        read if read == buffer.len() => Ok(()),
        _ => Err(Errno(EFAULT)),
    }
}

/// Reads as many bytes as there are, up to the end of the buffer, and says how many.
pub fn read_up_to(tid: i32, address: u64, buffer: &mut [u8]) -> usize {
    const PAGE: u64 = 0x1000;
    let mut done = 0;
    // Page by page: some kernels refuse the whole read where a mapping ends.
    while done < buffer.len() {
        let at = address.wrapping_add(done as u64);
        let end = buffer.len().min(done + (PAGE - at % PAGE) as usize);
        match sys::read_memory(tid, at, &mut buffer[done..end]) {
            Ok(read) if read > 0 => done += read,
            _ => break,
        }
    }
    done
}

/// Fills the pieces from their addresses, one after the other, and says how many bytes that came to.
pub fn read_pieces<const N: usize>(tid: i32, pieces: &mut [(u64, &mut [u8]); N]) -> Result<usize, Errno> {
    let remote = pieces.each_ref().map(|(address, bytes)| IoVec { base: *address as *mut c_void, len: bytes.len() });
    let local = pieces.each_mut().map(|(_, bytes)| IoVec { base: bytes.as_mut_ptr().cast(), len: bytes.len() });
    // SAFETY: the local vector covers the pieces; the remote one is checked by the kernel.
    let read = sys::checked(unsafe {
        raw(
            sys::SYS_PROCESS_VM_READV,
            i64::from(tid),
            local.as_ptr() as i64,
            N as i64,
            remote.as_ptr() as i64,
            N as i64,
            0,
        )
    })?;
    Ok(read as usize)
}

/// Writes each piece to its address, all or an error.
///
/// The memory must be writable for the tracee itself.
pub fn write(tid: i32, pieces: &[(u64, &[u8])]) -> Result<(), Errno> {
    for pieces in pieces.chunks(SEGMENTS) {
        let local: Vec<IoVec> =
            pieces.iter().map(|(_, bytes)| IoVec { base: bytes.as_ptr() as *mut c_void, len: bytes.len() }).collect();
        let remote: Vec<IoVec> =
            pieces.iter().map(|(address, bytes)| IoVec { base: *address as *mut c_void, len: bytes.len() }).collect();
        // SAFETY: the local vector covers the pieces, which are only read; the remote one is checked by the kernel.
        let written = sys::checked(unsafe {
            raw(
                sys::SYS_PROCESS_VM_WRITEV,
                i64::from(tid),
                local.as_ptr() as i64,
                local.len() as i64,
                remote.as_ptr() as i64,
                remote.len() as i64,
                0,
            )
        })?;
        if written as usize != pieces.iter().map(|(_, bytes)| bytes.len()).sum::<usize>() {
            return Err(Errno(EFAULT));
        }
    }
    Ok(())
}

/// Writes a word past page protections, as a debugger does.
pub fn poke(tid: i32, address: u64, word: u64) -> Result<(), Errno> {
    // SAFETY: writes the tracee's memory only.
    unsafe { sys::ptrace(sys::PTRACE_POKEDATA, tid, address as i64, word as i64) }.map(|_| ())
}

/// Returns whether two threads have the same address space; `None` if the kernel does not tell.
pub fn same_space(one: i32, other: i32) -> Option<bool> {
    // SAFETY: only asks.
    match unsafe { raw(SYS_KCMP, i64::from(one), i64::from(other), KCMP_VM, 0, 0, 0) } {
        0 => Some(true),
        1..=3 => Some(false),
        _ => None,
    }
}

/// Reads the content of a file, which is empty if it cannot be read.
pub fn read_file(path: &str) -> Vec<u8> {
    let mut content = Vec::new();
    let Ok(path) = CString::new(path) else { return content };
    // SAFETY: the path is a terminated string.
    let file = unsafe { raw(SYS_OPENAT, AT_FDCWD, path.as_ptr() as i64, O_CLOEXEC, 0, 0, 0) };
    if file < 0 {
        return content;
    }
    const STEP: usize = 1 << 16;
    loop {
        let length = content.len();
        content.resize(length + STEP, 0);
        // SAFETY: the kernel writes at most the room there is.
        let read = unsafe { raw(sys::SYS_READ, file, content.as_mut_ptr().add(length) as i64, STEP as i64, 0, 0, 0) };
        content.truncate(length + read.max(0) as usize);
        if read <= 0 {
            break;
        }
    }
    // SAFETY: our own descriptor.
    unsafe { raw(sys::SYS_CLOSE, file, 0, 0, 0, 0, 0) };
    content
}

/// Whose memory the descriptors of low numbers stand for, where that was asked; else 0.
static OWNERS: [AtomicI32; 1024] = [const { AtomicI32::new(0) }; 1024];

fn known_owner(descriptor: i32) -> Option<&'static AtomicI32> {
    OWNERS.get(usize::try_from(descriptor).ok()?)
}

/// Forgets a descriptor that is closed, perhaps by a thread that is not the tracer.
pub fn forget_owner(descriptor: i32) {
    if let Some(known) = known_owner(descriptor) {
        known.store(0, Ordering::Relaxed);
    }
}

/// Returns whose memory a descriptor of ours stands for: the process id of the link `/proc/PID/mem`.
pub fn owner_of_memory(descriptor: i32) -> Option<i32> {
    let known = known_owner(descriptor);
    if let Some(owner) = known.map(|known| known.load(Ordering::Relaxed)).filter(|&owner| owner != 0) {
        return Some(owner);
    }
    let owner = linked_owner(&format!("/proc/self/fd/{descriptor}"))?;
    if let Some(known) = known {
        known.store(owner, Ordering::Relaxed);
    }
    Some(owner)
}

/// Returns the path of this process's program; empty if it cannot be told.
pub fn program() -> Vec<u8> {
    link_target(c"/proc/self/exe").unwrap_or_default()
}

/// Returns where a symbolic link leads to.
fn link_target(link: &CStr) -> Option<Vec<u8>> {
    let mut target = vec![0u8; 4096];
    // SAFETY: the path is a terminated string, the buffer as long as said.
    let length =
        unsafe { raw(SYS_READLINK, link.as_ptr() as i64, target.as_mut_ptr() as i64, target.len() as i64, 0, 0, 0) };
    target.truncate(usize::try_from(length).ok()?);
    Some(target)
}

/// Returns whose memory a descriptor of a thread stands for.
pub fn owner_of_memory_in(tid: i32, descriptor: i32) -> Option<i32> {
    linked_owner(&format!("/proc/{tid}/fd/{descriptor}"))
}

/// Returns where a thread goes on with reading or writing what a descriptor of it stands for.
pub fn position_in(tid: i32, descriptor: i32) -> Option<u64> {
    field(&format!("/proc/{tid}/fdinfo/{descriptor}"), b"pos:")
}

fn linked_owner(link: &str) -> Option<i32> {
    let target = link_target(&CString::new(link).ok()?)?;
    let target = std::str::from_utf8(&target).ok()?;
    target.strip_prefix("/proc/")?.strip_suffix("/mem")?.split('/').next_back()?.parse().ok()
}

/// Returns the thread group of a thread; 0 if it is gone.
pub fn thread_group(tid: i32) -> i32 {
    status(tid, b"Tgid:").unwrap_or(0)
}

/// Returns how many seccomp filters a thread has; `u32::MAX` if that cannot be told.
pub fn filters(tid: i32) -> u32 {
    match (status(tid, b"Seccomp:"), status(tid, b"Seccomp_filters:")) {
        (Some(0), _) => 0,
        (Some(2), Some(filters)) => filters as u32,
        _ => u32::MAX,
    }
}

/// Returns the user whose rights this process has.
pub fn effective_user() -> u32 {
    // SAFETY: only asks.
    unsafe { raw(SYS_GETEUID, 0, 0, 0, 0, 0, 0) as u32 }
}

/// Returns the id of this process.
pub fn this_process() -> i32 {
    // SAFETY: only asks.
    unsafe { raw(SYS_GETPID, 0, 0, 0, 0, 0, 0) as i32 }
}

/// Reads a number in `/proc/PID/status`.
fn status(tid: i32, name: &[u8]) -> Option<i32> {
    field(&format!("/proc/{tid}/status"), name)
}

/// Reads a number in a file of lines that begin with a name.
fn field<T: FromStr>(path: &str, name: &[u8]) -> Option<T> {
    let text = read_file(path);
    let value = text.split(|&byte| byte == b'\n').find_map(|line| line.strip_prefix(name))?;
    std::str::from_utf8(value).ok()?.trim().parse().ok()
}

/// Returns whether the kernel compares address spaces at all.
pub fn can_compare() -> bool {
    let this = this_process();
    same_space(this, this) == Some(true)
}
