//! What a thread waits for in the kernel: the system call that it has not come back from, and what that is about.

use crate::api::KernelWait;
use crate::api::error::Error;
use crate::breakpoints::debuggee::Debuggee;
use crate::breakpoints::syscalls;
use crate::modules::code::SYSCALL;
use arch::ThreadId;

/// What is in the register of the result while a system call is carried out: `-ENOSYS`, and what has it done again
/// after a signal (`ERESTARTSYS`, `ERESTARTNOINTR`, `ERESTARTNOHAND`, `ERESTART_RESTARTBLOCK`).
const UNDER_WAY: [i64; 5] = [-38, -512, -513, -514, -516];
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
/// A system call that a thread has not come back from.
pub(super) struct CallUnderWay {
    pub(super) name: &'static str,
    /// The first of its arguments.
    pub(super) arguments: [u64; 4],
}

impl CallUnderWay {
    /// Returns the word in memory that it waits for, if it is a `futex` that waits.
    pub(super) fn futex_word(&self) -> Option<u64> {
        let [word, operation, ..] = self.arguments;
        (self.name == "futex" && WAITS.contains(&(operation & !FLAGS))).then_some(word)
    }
}

impl Debuggee {
    /// Finds out which system call a thread is in; `None` if it is in none. Numbers and registers are those of x86-64.
    pub(super) fn call_under_way(&mut self, thread: ThreadId) -> Result<Option<CallUnderWay>, Error> {
        let registers = self.inferior.process.registers(thread)?;
        let values = ["orig_rax", "rax", "rdi", "rsi", "rdx", "r10"].map(|name| registers.value(name));
        let ([Some(number), Some(result), Some(rdi), Some(rsi), Some(rdx), Some(r10)], Some(pc)) =
            (values, registers.pc())
        else {
            return Ok(None);
        };
        let code = self.inferior.process.read_up_to(pc.0.wrapping_sub(SYSCALL.len() as u64), SYSCALL.len());
        if !UNDER_WAY.contains(&result.cast_signed()) || code != SYSCALL {
            return Ok(None);
        }
        let call = |name| CallUnderWay { name, arguments: [rdi, rsi, rdx, r10] };
        Ok(syscalls::name_of(number).map(call))
    }

    /// Finds out what a thread waits for in the kernel; `None` if it is not there. `near`: the frame of the user's
    /// code, where names are looked for first.
    pub(crate) fn wait_of(&mut self, thread: ThreadId, near: Option<u32>) -> Result<Option<KernelWait>, Error> {
        let call = self.call_under_way(thread)?.filter(|call| !syscalls::ENDS.contains(&call.name));
        let Some(call) = call else { return Ok(None) };
        let what = match call.futex_word() {
            Some(word) => {
                let lock = self.inferior.lock_at(thread, word, near.unwrap_or(0))?;
                Some(lock.map_or_else(|| format!("{word:#x}"), |lock| lock.name))
            }
            None => OF_FILES.contains(&call.name).then(|| format!("fd {}", call.arguments[0] as i32)),
        };
        Ok(Some(KernelWait { call: call.name.to_owned(), what }))
    }
}
