//! The functions of the C library by which programs use descriptors, and what a call of one did.

use super::descriptors::{Act, Kind, Way, comparable};
use super::streams::Moved;
use crate::arch::{Bias, Onward, RunAddr, listing};
use crate::questions::program::{ARCH, Module};
use crate::softcounters::probes::{CollectedValue, Place, Probe, Register, Value};
use std::collections::BTreeSet;

/// Bytes of what was moved that are compared.
const COMPARED: u16 = 64;
/// Bytes of a list of buffers, of 16 each (`struct iovec`).
const BUFFERS: u16 = 512;
/// Bytes of the longest address of a socket (`struct sockaddr_un`).
const ADDRESS: u16 = 110;

/// What a function does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Read,
    Write,
    /// With flags in the fourth argument.
    Receive,
    /// Of a list of buffers.
    ReadList,
    WriteList,
    /// With flags in the second argument, or without.
    Pipe,
    PipeWith,
    Pair,
    Duplicate,
    /// With flags in the third argument, or without.
    DuplicateTo,
    DuplicateToWith,
    Close,
    Control,
    Socket,
    Bind,
    Connect,
    /// With flags in the fourth argument, or without.
    Accept,
    AcceptWith,
    /// Any system call: its number is the first argument.
    Any,
    /// Moves bytes in a way that is not followed, of the descriptors that these arguments are.
    Obscure(&'static str, &'static [usize]),
}

/// The functions, by the names of their symbols.
const FUNCTIONS: &[(&str, Role)] = &[
    ("read", Role::Read),
    ("__read", Role::Read),
    ("__libc_read", Role::Read),
    ("__read_nocancel", Role::Read),
    ("write", Role::Write),
    ("__write", Role::Write),
    ("__libc_write", Role::Write),
    ("__write_nocancel", Role::Write),
    ("recv", Role::Receive),
    ("__recv", Role::Receive),
    ("recvfrom", Role::Receive),
    ("__recvfrom", Role::Receive),
    ("send", Role::Write),
    ("__send", Role::Write),
    ("sendto", Role::Write),
    ("__sendto", Role::Write),
    ("readv", Role::ReadList),
    ("__readv", Role::ReadList),
    ("writev", Role::WriteList),
    ("__writev", Role::WriteList),
    ("pipe", Role::Pipe),
    ("__pipe", Role::Pipe),
    ("pipe2", Role::PipeWith),
    ("__pipe2", Role::PipeWith),
    ("socketpair", Role::Pair),
    ("__socketpair", Role::Pair),
    ("dup", Role::Duplicate),
    ("__dup", Role::Duplicate),
    ("dup2", Role::DuplicateTo),
    ("__dup2", Role::DuplicateTo),
    ("dup3", Role::DuplicateToWith),
    ("__dup3", Role::DuplicateToWith),
    ("close", Role::Close),
    ("__close", Role::Close),
    ("__libc_close", Role::Close),
    ("__close_nocancel", Role::Close),
    ("fcntl", Role::Control),
    ("fcntl64", Role::Control),
    ("__fcntl", Role::Control),
    ("__fcntl64_nocancel", Role::Control),
    ("socket", Role::Socket),
    ("__socket", Role::Socket),
    ("bind", Role::Bind),
    ("__bind", Role::Bind),
    ("connect", Role::Connect),
    ("__connect", Role::Connect),
    ("__libc_connect", Role::Connect),
    ("accept", Role::Accept),
    ("__libc_accept", Role::Accept),
    ("accept4", Role::AcceptWith),
    ("syscall", Role::Any),
    ("recvmsg", Role::Obscure("recvmsg", &[0])),
    ("recvmmsg", Role::Obscure("recvmmsg", &[0])),
    ("sendmsg", Role::Obscure("sendmsg", &[0])),
    ("sendmmsg", Role::Obscure("sendmmsg", &[0])),
    ("sendfile", Role::Obscure("sendfile", &[0, 1])),
    ("sendfile64", Role::Obscure("sendfile", &[0, 1])),
    ("splice", Role::Obscure("splice", &[0, 2])),
    ("tee", Role::Obscure("tee", &[0, 1])),
    ("vmsplice", Role::Obscure("vmsplice", &[0])),
    ("preadv2", Role::Obscure("preadv2", &[0])),
    ("pwritev2", Role::Obscure("pwritev2", &[0])),
];

/// Where a probe is: at the entry of a function, or at one of its returns.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spot {
    /// The number of the function.
    pub(super) function: usize,
    pub(super) is_entry: bool,
}

/// A function that is followed.
#[derive(Clone, Debug)]
pub(super) struct Function {
    pub(super) name: &'static str,
    pub(super) role: Role,
    /// The number of its module, and its entry there.
    pub(super) module: usize,
    pub(super) entry: crate::arch::LinkAddr,
}

/// Adds the functions of a module, and the probes for them.
pub(super) fn prepare(
    number: usize,
    module: &Module,
    functions: &mut Vec<Function>,
    spots: &mut Vec<Spot>,
    probes: &mut Vec<Probe>,
) {
    let mut entries = BTreeSet::new();
    for &(name, role) in FUNCTIONS {
        for symbol in module.image.symbols_spelled(name).into_iter().filter(|s| s.is_code && s.address.0 != 0) {
            if !entries.insert(symbol.address) {
                continue;
            }
            let Some(range) = module.image.code_around(symbol.address).filter(|range| range.0 == symbol.address) else {
                continue;
            };
            let Some(bytes) = module.code(range) else { continue };
            let list = listing(ARCH, bytes, RunAddr(range.0.0));
            let returns = list.iter().filter(|listed| listed.onward == Onward::Return).map(|listed| listed.at);
            let function = functions.len();
            functions.push(Function { name: plain(name), role, module: number, entry: symbol.address });
            let place = |address: u64| Place::Module { module: module.identity.clone(), address };
            spots.push(Spot { function, is_entry: true });
            probes.push(Probe::new(place(symbol.address.0), at_entry(role)));
            for at in returns {
                spots.push(Spot { function, is_entry: false });
                probes.push(Probe::new(place(RunAddr(at).linked(Bias(0)).0), at_return(role)));
            }
        }
    }
}

fn plain(name: &'static str) -> &'static str {
    let name = name.trim_start_matches('_');
    let name = name.strip_prefix("libc_").unwrap_or(name);
    name.strip_suffix("_nocancel").unwrap_or(name)
}

fn memory(base: &str, length: u16) -> Option<Value> {
    Some(Value::Memory { base: Register::named(base)?, steps: vec![0], length })
}

fn registers(names: &[&str]) -> Vec<Value> {
    names.iter().filter_map(|name| Register::named(name)).map(Value::Register).collect()
}

/// Returns what is collected where a function begins: its first four arguments, rsp and rbp, the return address.
fn at_entry(role: Role) -> Vec<Value> {
    let more = match role {
        Role::Write => memory("rsi", COMPARED),
        Role::ReadList | Role::WriteList => memory("rsi", BUFFERS),
        Role::Bind | Role::Connect => memory("rsi", ADDRESS),
        _ => None,
    };
    registers(&["rdi", "rsi", "rdx", "rcx", "rsp", "rbp"]).into_iter().chain(memory("rsp", 8)).chain(more).collect()
}

/// Returns what is collected where it returns.
fn at_return(role: Role) -> Vec<Value> {
    // The kernel leaves all registers but rcx and r11 as they were.
    let more = match role {
        Role::Pipe | Role::PipeWith => memory("rdi", 8),
        Role::Pair => memory("r10", 8),
        Role::Read | Role::Receive => memory("rsi", COMPARED),
        _ => None,
    };
    registers(&["rax", "rsp", "rdi", "rsi", "r10"]).into_iter().chain(more).collect()
}

/// Returns the registers and the memory that were collected, each in the order of asking.
fn sorted<const N: usize>(values: &[CollectedValue]) -> ([u64; N], Vec<Vec<u8>>) {
    let mut registers = [0; N];
    let mut fields = registers.iter_mut();
    let mut memory = Vec::new();
    for value in values {
        match value {
            CollectedValue::Register(value) => {
                if let Some(field) = fields.next() {
                    *field = *value;
                }
            }
            CollectedValue::Memory(bytes) => memory.push(bytes.clone()),
            CollectedValue::Vector(_) => {}
        }
    }
    (registers, memory)
}

/// What is known of a call where it begins.
#[derive(Clone, Debug, Default)]
pub(super) struct Begun {
    pub(super) arguments: [u64; 4],
    pub(super) sp: u64,
    pub(super) bp: u64,
    /// What is on the stack: the return address.
    pub(super) stack: Vec<u8>,
    more: Vec<u8>,
}

impl Begun {
    pub(super) fn of(values: &[CollectedValue]) -> Self {
        let (registers, memory) = sorted(values);
        let [first, second, third, fourth, sp, bp] = registers;
        let mut memory = memory.into_iter();
        let (stack, more) = (memory.next().unwrap_or_default(), memory.next().unwrap_or_default());
        Self { arguments: [first, second, third, fourth], sp, bp, stack, more }
    }

    /// Returns the descriptor that is its first argument.
    pub(super) fn descriptor(&self) -> i32 {
        self.arguments[0] as u32 as i32
    }

    /// Returns the address of a socket that it is given, as it is compared.
    fn address(&self) -> Option<Vec<u8>> {
        let length = usize::try_from(self.arguments[2]).unwrap_or(usize::MAX).min(self.more.len());
        comparable(self.more.get(..length)?)
    }

    /// Returns the memory that it is given, in parts: address and length.
    pub(super) fn parts(&self, role: Role) -> Vec<(u64, u64)> {
        let [_, buffer, length, _] = self.arguments;
        if !matches!(role, Role::ReadList | Role::WriteList) {
            return vec![(buffer, length)];
        }
        let word = |bytes: &[u8]| bytes.first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes));
        let all = self.more.chunks_exact(16).take(usize::try_from(length).unwrap_or(0));
        all.map(|part| (word(part), word(part.get(8..).unwrap_or_default()))).collect()
    }
}

/// What is known of a call where it returns.
#[derive(Clone, Debug, Default)]
pub(super) struct Returned {
    pub(super) result: i64,
    pub(super) sp: u64,
    /// rdi, rsi, r10.
    kept: [u64; 3],
    more: Vec<u8>,
}

impl Returned {
    pub(super) fn of(values: &[CollectedValue]) -> Self {
        let (registers, memory) = sorted::<5>(values);
        let [result, sp, kept @ ..] = registers;
        Self { result: result.cast_signed(), sp, kept, more: memory.into_iter().next().unwrap_or_default() }
    }
}

/// Which bytes a call has moved, without what tells it from other calls.
fn moved(length: u64, first: &[u8]) -> Moved {
    let first = first.get(..usize::try_from(length).unwrap_or(usize::MAX)).unwrap_or(first);
    Moved { length, first: first.to_vec(), ..Moved::default() }
}

/// Returns what a call has done.
pub(super) fn acts(role: Role, begun: &Begun, returned: &Returned) -> Vec<Act> {
    let [first, second, third, fourth] = begun.arguments;
    let result = returned.result as i32;
    let descriptor = begun.descriptor();
    let is_done = returned.result >= 0 && result >= 0;
    let closes = |flags: u64| flags & libc::O_CLOEXEC as u64 != 0;
    let [rdi, rsi, r10] = returned.kept;
    let pair = |is_kept: bool| {
        let words = returned.more.first_chunk::<8>().filter(|_| is_kept)?;
        let [a, b, c, d, e, f, g, h] = *words;
        Some([i32::from_le_bytes([a, b, c, d]), i32::from_le_bytes([e, f, g, h])])
    };
    let connected = |descriptors: Option<[i32; 2]>, kind, keeps_messages, flags: u64| {
        descriptors.map(|descriptors| Act::Connects { descriptors, kind, keeps_messages, closes: closes(flags) })
    };
    let keeps_messages = |kind: u64| kind & 0xf != libc::SOCK_STREAM as u64;
    let act = match role {
        Role::Obscure(by, which) => {
            let descriptors = which.iter().filter_map(|number| begun.arguments.get(*number));
            return descriptors.map(|number| Act::Obscures { descriptor: *number as u32 as i32, by }).collect();
        }
        Role::Any => {
            let number = first.cast_signed();
            let moves = [libc::SYS_read, libc::SYS_write, libc::SYS_readv, libc::SYS_writev, libc::SYS_recvfrom];
            let others = [libc::SYS_sendto, libc::SYS_recvmsg, libc::SYS_sendmsg, libc::SYS_splice, libc::SYS_sendfile];
            let is_one = moves.contains(&number) || others.contains(&number);
            is_one.then_some(Act::Obscures { descriptor: second as u32 as i32, by: "syscall" })
        }
        _ if !is_done => match role {
            Role::Connect => begun.address().map(|address| Act::Reaches { descriptor, address, is_done: false }),
            // On Linux it is closed even where an error is reported, unless it was none.
            _ => None,
        },
        Role::Receive if fourth & libc::MSG_PEEK as u64 != 0 => None,
        Role::Read | Role::Receive => {
            let known = if rsi == second { returned.more.as_slice() } else { &[] };
            Some(Act::Moves { descriptor, way: Way::Read, moved: moved(result as u64, known) })
        }
        Role::ReadList => Some(Act::Moves { descriptor, way: Way::Read, moved: moved(result as u64, &[]) }),
        Role::Write => Some(Act::Moves { descriptor, way: Way::Written, moved: moved(result as u64, &begun.more) }),
        Role::WriteList => Some(Act::Moves { descriptor, way: Way::Written, moved: moved(result as u64, &[]) }),
        Role::Pipe => connected(pair(rdi == first), Kind::Pipe, false, 0),
        Role::PipeWith => connected(pair(rdi == first), Kind::Pipe, second & libc::O_DIRECT as u64 != 0, second),
        Role::Pair => connected(pair(r10 == fourth), Kind::Socket, keeps_messages(second), second),
        Role::Duplicate | Role::DuplicateTo => Some(Act::Copies { from: descriptor, to: result, closes: false }),
        Role::DuplicateToWith => Some(Act::Copies { from: descriptor, to: result, closes: closes(third) }),
        Role::Close => Some(Act::Ends { descriptor }),
        Role::Control => match second as u32 as i32 {
            libc::F_DUPFD => Some(Act::Copies { from: descriptor, to: result, closes: false }),
            libc::F_DUPFD_CLOEXEC => Some(Act::Copies { from: descriptor, to: result, closes: true }),
            libc::F_SETFD => Some(Act::Marks { descriptor, closes: third & libc::FD_CLOEXEC as u64 != 0 }),
            _ => None,
        },
        Role::Socket => {
            Some(Act::Opens { descriptor: result, keeps_messages: keeps_messages(second), closes: closes(second) })
        }
        Role::Bind => begun.address().map(|address| Act::Binds { descriptor, address }),
        Role::Connect => begun.address().map(|address| Act::Reaches { descriptor, address, is_done: true }),
        Role::Accept => Some(Act::Accepts { listener: descriptor, descriptor: result, closes: false }),
        Role::AcceptWith => Some(Act::Accepts { listener: descriptor, descriptor: result, closes: closes(fourth) }),
    };
    act.into_iter().collect()
}
