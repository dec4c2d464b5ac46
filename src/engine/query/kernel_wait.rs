//! What a thread waits for in the kernel: the system call that it has not come back from, and what that is about.

use super::parts::part_at;
use crate::arch::{Arch, RunAddr, ThreadId};
use crate::ctype::layout::{pointer_target, reference_target, size_of, strip};
use crate::ctype::{Memory as _, Place, Type, TypeRef, Value};
use crate::engine::api::KernelWait;
use crate::engine::api::error::Error;
use crate::engine::breakpoints::debuggee::Debuggee;
use crate::engine::breakpoints::syscalls;
use crate::engine::eval::inferior::Inferior;

/// What is in the register of the result while a system call is carried out: `-ENOSYS`, and what has it done again
/// after a signal (`ERESTARTSYS`, `ERESTARTNOINTR`, `ERESTARTNOHAND`, `ERESTART_RESTARTBLOCK`).
const UNDER_WAY: [i64; 5] = [-38, -512, -513, -514, -516];
/// `syscall`
const SYSCALL: [u8; 2] = [0x0f, 0x05];
/// Operations of `futex` that wait, without their flags: `FUTEX_WAIT`, `LOCK_PI`, `WAIT_BITSET`, `WAIT_REQUEUE_PI`,
/// `LOCK_PI2`.
const WAITS: [u64; 5] = [0, 6, 9, 11, 13];
/// `FUTEX_PRIVATE_FLAG`, `FUTEX_CLOCK_REALTIME`
const FLAGS: u64 = 128 | 256;
/// System calls that are about a file that is open, by its number.
const OF_FILES: [&str; 20] = [
    "accept",
    "accept4",
    "connect",
    "epoll_pwait",
    "epoll_pwait2",
    "epoll_wait",
    "flock",
    "fsync",
    "pread64",
    "pwrite64",
    "read",
    "readv",
    "recvfrom",
    "recvmmsg",
    "recvmsg",
    "sendfile",
    "sendmsg",
    "sendto",
    "write",
    "writev",
];
/// System calls that do not come back.
const ENDS: [&str; 2] = ["exit", "exit_group"];
/// How many frames are looked through for a variable that leads to a lock.
const FRAMES: u32 = 12;
/// Members in each other that are looked through for pointers, and bytes of an object that is.
const DEPTH: usize = 4;
const LARGEST: u64 = 64;

impl Debuggee {
    /// Finds out what a thread waits for in the kernel; `None` if it is not there. `near`: the frame of the user's
    /// code, where names are looked for first.
    pub(in crate::engine) fn wait_of(
        &mut self,
        thread: ThreadId,
        near: Option<u32>,
    ) -> Result<Option<KernelWait>, Error> {
        let registers = self.inferior.process.registers(thread)?;
        let value = |name: &str| registers.value(name);
        let (Some(number), Some(result), Some(pc)) = (value("orig_rax"), value("rax"), registers.pc()) else {
            return Ok(None);
        };
        let is_under_way = number as i64 >= 0 && UNDER_WAY.contains(&(result as i64));
        let code = self.inferior.process.read_up_to(pc.0.wrapping_sub(SYSCALL.len() as u64), SYSCALL.len());
        if self.inferior.process.arch() != Arch::X86_64 || !is_under_way || code != SYSCALL {
            return Ok(None);
        }
        let Some(call) = syscalls::name_of(number).filter(|call| !ENDS.contains(call)) else { return Ok(None) };
        let what = match (call, value("rdi"), value("rsi")) {
            ("futex", Some(address), Some(operation)) if WAITS.contains(&(operation & !FLAGS)) => {
                Some(self.inferior.name_at(thread, address, near)?.unwrap_or_else(|| format!("{address:#x}")))
            }
            (call, Some(file), _) if OF_FILES.contains(&call) => Some(format!("fd {}", file as i32)),
            _ => None,
        };
        Ok(Some(KernelWait { call: call.to_owned(), what }))
    }
}

impl Inferior {
    /// Finds the name of what is at an address: a variable of fixed address, or what a variable of a frame contains or
    /// points to.
    fn name_at(&mut self, thread: ThreadId, address: u64, near: Option<u32>) -> Result<Option<String>, Error> {
        if let Some((name, offset)) = Self::symbol(self, RunAddr(address)) {
            let start = address.wrapping_sub(offset);
            let known = self.global(&name).filter(|value| matches!(value.place, Place::Memory(at) if at == start));
            let part = known.and_then(|value| part_at(&value.ty, offset, &is_of_library));
            return Ok(Some(match (part, offset) {
                (Some(part), _) => format!("{name}{part}"),
                (None, 0) => name,
                (None, _) => format!("{name}+{offset}"),
            }));
        }
        let near = near.unwrap_or(0);
        for number in (near..near.saturating_add(FRAMES)).chain(0..near) {
            let Some(level) = self.levels(thread, number as usize, 1)?.0.into_iter().next() else { continue };
            for found in self.variables(thread, level)? {
                let name = &found.variable.name;
                if found.shadowed || name.is_empty() {
                    continue;
                }
                if let Some(part) = self.leads_to(&found.value, address, 0) {
                    return Ok(Some(format!("{name}{part}")));
                }
            }
        }
        Ok(None)
    }

    /// Returns how a value leads to what is at an address: it contains that, or a pointer in it points to that.
    fn leads_to(&mut self, value: &Value, address: u64, depth: usize) -> Option<String> {
        if let Place::Memory(at) = value.place
            && let Some(part) = address.checked_sub(at).and_then(|offset| part_at(&value.ty, offset, &is_of_library))
        {
            return Some(part);
        }
        if let Some(target) = reference_target(&value.ty) {
            return part_at(&target, address.checked_sub(value.word(0, self).ok()?)?, &is_of_library);
        }
        if let Some(target) = pointer_target(&value.ty) {
            let part = part_at(&target, address.checked_sub(value.word(0, self).ok()?)?, &is_of_library)?;
            return Some(part.strip_prefix('.').map(|member| format!("->{member}")).unwrap_or(part));
        }
        let stripped = strip(&value.ty);
        let Type::Record(record) = &*stripped else { return None };
        if depth == DEPTH || size_of(&stripped).is_none_or(|size| size > LARGEST) {
            return None;
        }
        record.members.iter().find_map(|member| {
            let inner = self.leads_to(&value.part(member.ty.get(), member.offset, member.bits), address, depth + 1)?;
            // What a smart pointer is made of has no name that the user has given.
            let inside = || inner.find("->").and_then(|arrow| inner.get(arrow..)).unwrap_or_default().to_owned();
            Some(match &member.name {
                _ if is_of_library(&stripped) => inside(),
                Some(name) if !member.is_base => format!(".{name}{inner}"),
                _ => inner,
            })
        })
    }
}

/// Returns whether a type is of a library, so that what is in it has no name that the user has given.
fn is_of_library(ty: &TypeRef) -> bool {
    let name = match &**ty {
        Type::Typedef { name, .. } => name.as_str(),
        Type::Record(record) => record.name.as_deref().unwrap_or_default(),
        _ => return false,
    };
    name == "sem_t" || ["pthread_", "std::", "core::", "alloc::", "__"].iter().any(|start| name.starts_with(start))
}
