//! `$_siginfo`: what the kernel has told of the signal that a thread has stopped for, with the members that GDB gives
//! it.

use crate::api::error::Error;
use crate::eval::inferior::Inferior;
use arch::ThreadId;
use ctype::layout::{array_of, pointer_to};
use ctype::{Encoding, Link, Member, Record, RecordKind, Type, TypeRef, Value};
use std::sync::Arc;

/// Its name, without the `$`.
pub(crate) const NAME: &str = "_siginfo";

/// Bytes of a `siginfo_t` (`<asm-generic/siginfo.h>`).
const SIZE: usize = 128;
/// Where what differs from signal to signal begins, and how many numbers it is long at most.
const FIELDS: u64 = 16;
const PAD: u64 = 28;
/// What rr uses of a thread's stack at most when it has it do something.
const STACK_OF_RR: u64 = 8 << 10;

impl Inferior {
    /// Reads what the kernel has told a thread with the signal that it has stopped for. What a server does not tell is
    /// left out.
    pub(crate) fn signal_info(&mut self, thread: ThreadId) -> Result<Option<Vec<u8>>, Error> {
        let registers = self.process.registers(thread)?;
        let mappings = self.process.mappings().unwrap_or_default();
        // rr needs the stack to look up what the kernel has told, and ends where there is none.
        let has_stack = registers.sp().is_some_and(|sp| {
            let bottom = sp.wrapping_sub(STACK_OF_RR);
            mappings.iter().any(|mapping| mapping.allows('w') && mapping.contains(bottom) && mapping.contains(sp))
        });
        Ok(if has_stack { self.process.signal_info(thread).ok() } else { None })
    }

    /// Returns the same as a value; `None` where it is not told.
    pub(crate) fn signal_value(&mut self, thread: ThreadId) -> Option<Value> {
        let bytes = self.signal_info(thread).ok().flatten()?;
        Some(Value::computed(siginfo(), bytes.get(..SIZE)?))
    }
}

fn base(name: &str, size: u64, encoding: Encoding) -> TypeRef {
    Arc::new(Type::Base { name: name.to_owned(), size, encoding })
}

fn typedef(name: &str, target: TypeRef) -> TypeRef {
    Arc::new(Type::Typedef { name: name.to_owned(), target: Link::ready(target), alignment: None })
}

fn record(kind: RecordKind, name: Option<&str>, size: u64, members: &[(&str, u64, &TypeRef)]) -> TypeRef {
    let member = |(name, offset, ty): &(&str, u64, &TypeRef)| Member::new(Some(*name), TypeRef::clone(ty), *offset);
    let members = members.iter().map(member).collect();
    Arc::new(Type::Record(Record {
        kind,
        name: name.map(str::to_owned),
        size: Some(size),
        members,
        ..Record::default()
    }))
}

/// Makes the type as GDB describes it for x86-64.
fn siginfo() -> TypeRef {
    let of = |size, members: &[(&str, u64, &TypeRef)]| record(RecordKind::Struct, None, size, members);
    let (int, long) = (base("int", 4, Encoding::Signed), base("long", 8, Encoding::Signed));
    let short = base("short", 2, Encoding::Signed);
    let pointer = pointer_to(Arc::new(Type::Void), 8);
    let (pid, clock) = (typedef("__pid_t", int.clone()), typedef("__clock_t", long.clone()));
    let unsigned = base("unsigned int", 4, Encoding::Unsigned);
    let uid = typedef("__uid_t", unsigned.clone());
    let sigval = record(RecordKind::Union, Some("sigval_t"), 8, &[("sival_int", 0, &int), ("sival_ptr", 0, &pointer)]);
    let sender = [("si_pid", 0, &pid), ("si_uid", 4, &uid)];
    let kill = of(8, &sender);
    let timer = of(16, &[("si_tid", 0, &int), ("si_overrun", 4, &int), ("si_sigval", 8, &sigval)]);
    let queued = of(16, &[sender[0], sender[1], ("si_sigval", 8, &sigval)]);
    let times = [("si_status", 8, &int), ("si_utime", 16, &clock), ("si_stime", 24, &clock)];
    let child = of(32, &[sender[0], sender[1], times[0], times[1], times[2]]);
    let bounds = of(16, &[("_lower", 0, &pointer), ("_upper", 8, &pointer)]);
    let fault = of(32, &[("si_addr", 0, &pointer), ("_addr_lsb", 8, &short), ("_addr_bnd", 16, &bounds)]);
    let poll = of(16, &[("si_band", 0, &long), ("si_fd", 8, &int)]);
    let call = of(16, &[("_call_addr", 0, &pointer), ("_syscall", 8, &int), ("_arch", 12, &unsigned)]);
    let pad = array_of(int.clone(), PAD);
    let fields = [
        ("_pad", 0, &pad),
        ("_kill", 0, &kill),
        ("_timer", 0, &timer),
        ("_rt", 0, &queued),
        ("_sigchld", 0, &child),
        ("_sigfault", 0, &fault),
        ("_sigpoll", 0, &poll),
        ("_sigsys", 0, &call),
    ];
    let fields = record(RecordKind::Union, None, PAD * 4, &fields);
    let head = [("si_signo", 0, &int), ("si_errno", 4, &int), ("si_code", 8, &int), ("_sifields", FIELDS, &fields)];
    record(RecordKind::Struct, Some("siginfo"), SIZE as u64, &head)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ctype::layout::size_of;

    #[test]
    fn its_members_are_where_the_kernel_puts_them() {
        let ty = siginfo();
        assert_eq!(size_of(&ty), Some(SIZE as u64));
        let mut bytes = [0; SIZE];
        (bytes[0], bytes[8], bytes[16], bytes[20]) = (11, 1, 0x18, 0x2a);
        let value = Value::computed(ty, &bytes);
        let at = |path: &str| {
            let found = path.split('.').fold(value.clone(), |value, name| value.member(name).unwrap());
            match found.place {
                ctype::Place::Bytes(bytes) => bytes[0],
                _ => None,
            }
        };
        for (path, byte) in [
            ("si_signo", 11),
            ("si_code", 1),
            ("_sifields._sigfault.si_addr", 0x18),
            ("_sifields._kill.si_uid", 0x2a),
            ("_sifields._sigchld.si_uid", 0x2a),
            ("_sifields._timer.si_overrun", 0x2a),
        ] {
            assert_eq!(at(path), Some(byte), "{path}");
        }
    }
}
