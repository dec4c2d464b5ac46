//! What calls of the functions did by which programs use descriptors.

use super::channel::Kind;
use super::connections::{Name, comparable};
use super::descriptors::{Act, Given, Way};
use super::functions::{FUNCTIONS, Role};
use super::streams::Moved;
use crate::program::{ARCH, Module};
use arch::{Bias, Onward, RunAddr, listing};
use softcounters::probes::{CollectedValue, Place, Probe, Register, Value};
use std::collections::BTreeSet;

/// Bytes of what was moved that are compared.
const COMPARED: u16 = 64;
/// Bytes of a list of buffers, of 16 each (`struct iovec`).
const BUFFERS: u16 = 512;
/// Bytes of the longest address of a socket (`struct sockaddr_un`).
const ADDRESS: u16 = 110;
/// Bytes of a path; what is longer is not followed.
const PATH: u16 = 256;
/// Flag of `memfd_create`: it is closed where another program is executed.
const MFD_CLOEXEC: u64 = 1;

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
    pub(super) entry: arch::LinkAddr,
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

/// Returns what is collected where a function begins: its first six arguments, rsp and rbp, the return address.
fn at_entry(role: Role) -> Vec<Value> {
    let more: &[(&str, u16)] = match role {
        Role::Write | Role::WriteAt => &[("rsi", COMPARED)],
        _ if role.is_of_list() => &[("rsi", BUFFERS)],
        Role::Bind | Role::Connect => &[("rsi", ADDRESS)],
        Role::Open | Role::Create | Role::Memory | Role::CutPath | Role::Remove => &[("rdi", PATH)],
        Role::MakePipe | Role::MakeNode | Role::Go => &[("rdi", PATH)],
        Role::OpenAt | Role::RemoveAt | Role::MakePipeAt | Role::MakeNodeAt => &[("rsi", PATH)],
        Role::Rename | Role::Link | Role::PointTo => &[("rdi", PATH), ("rsi", PATH)],
        Role::RenameAt | Role::RenameWith | Role::LinkAt => &[("rsi", PATH), ("rcx", PATH)],
        Role::PointToAt => &[("rdi", PATH), ("rdx", PATH)],
        _ => &[],
    };
    let more = more.iter().filter_map(|(base, length)| memory(base, *length));
    let general = registers(&["rdi", "rsi", "rdx", "rcx", "r8", "r9", "rsp", "rbp"]);
    general.into_iter().chain(memory("rsp", 8)).chain(more).collect()
}

/// Returns what is collected where it returns.
fn at_return(role: Role) -> Vec<Value> {
    // The kernel leaves all registers but rcx and r11 as they were.
    let more = match role {
        Role::Pipe | Role::PipeWith => memory("rdi", 8),
        Role::Pair => memory("r10", 8),
        Role::Read | Role::Receive | Role::ReadAt => memory("rsi", COMPARED),
        Role::Accept | Role::AcceptWith | Role::OwnName | Role::OtherName => memory("rsi", ADDRESS),
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
    pub(super) arguments: [u64; 6],
    pub(super) sp: u64,
    pub(super) bp: u64,
    /// What is on the stack: the return address.
    pub(super) stack: Vec<u8>,
    more: Vec<u8>,
    /// A second path.
    other: Vec<u8>,
}

impl Begun {
    pub(super) fn of(values: &[CollectedValue]) -> Self {
        let (registers, memory) = sorted(values);
        let [first, second, third, fourth, fifth, sixth, sp, bp] = registers;
        let mut memory = memory.into_iter();
        let mut next = || memory.next().unwrap_or_default();
        let (stack, more, other) = (next(), next(), next());
        Self { arguments: [first, second, third, fourth, fifth, sixth], sp, bp, stack, more, other }
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

    /// Returns the first path that it is given, from the directory on that an argument is, if that is one.
    fn path(&self, directory: Option<usize>) -> Option<Given> {
        self.given(&self.more, directory)
    }

    /// Returns the second one.
    fn other_path(&self, directory: Option<usize>) -> Option<Given> {
        self.given(&self.other, directory)
    }

    fn given(&self, path: &[u8], directory: Option<usize>) -> Option<Given> {
        let path = path.get(..path.iter().position(|byte| *byte == 0)?)?.to_vec();
        let directory = directory.and_then(|number| self.arguments.get(number));
        Some(Given { directory: directory.map_or(libc::AT_FDCWD, |number| *number as u32 as i32), path })
    }

    /// Returns the memory that it is given, in parts: address and length.
    pub(super) fn parts(&self, role: Role) -> Vec<(u64, u64)> {
        let [_, buffer, length, ..] = self.arguments;
        if !role.is_of_list() {
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

impl Returned {
    /// Returns the address of a socket that it was given in the memory that an argument names.
    fn address(&self, memory: u64) -> Option<Vec<u8>> {
        let [_, rsi, _] = self.kept;
        comparable(&self.more).filter(|_| memory != 0 && rsi == memory)
    }
}

/// Which bytes a call has moved, without what tells it from other calls.
fn moved(length: u64, first: &[u8]) -> Moved {
    let first = first.get(..usize::try_from(length).unwrap_or(usize::MAX)).unwrap_or(first);
    Moved { length, first: first.to_vec(), ..Moved::default() }
}

/// Returns what a call has done.
pub(super) fn acts(role: Role, begun: &Begun, returned: &Returned) -> Vec<Act> {
    let [first, second, third, fourth, fifth, _] = begun.arguments;
    let result = returned.result as i32;
    let descriptor = begun.descriptor();
    // What is no `int` may be more than one.
    let is_done = returned.result >= 0 && (result >= 0 || role == Role::Seek);
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
        Role::Read | Role::Receive | Role::ReadAt | Role::ReadList | Role::ReadListAt => {
            let at = Some(fourth).filter(|_| matches!(role, Role::ReadAt | Role::ReadListAt));
            let known = if rsi == second && !role.is_of_list() { returned.more.as_slice() } else { &[] };
            Some(Act::Moves { descriptor, way: Way::Read, at, moved: moved(returned.result as u64, known) })
        }
        Role::Write | Role::WriteAt | Role::WriteList | Role::WriteListAt => {
            let at = Some(fourth).filter(|_| matches!(role, Role::WriteAt | Role::WriteListAt));
            let known = if role.is_of_list() { &[] } else { begun.more.as_slice() };
            Some(Act::Moves { descriptor, way: Way::Written, at, moved: moved(returned.result as u64, known) })
        }
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
        Role::Accept | Role::AcceptWith => {
            let closes = role == Role::AcceptWith && closes(fourth);
            Some(Act::Accepts { listener: descriptor, descriptor: result, from: returned.address(second), closes })
        }
        Role::OwnName => returned.address(second).map(|address| Act::Asks { descriptor, name: Name::Own, address }),
        Role::OtherName => returned.address(second).map(|address| Act::Asks { descriptor, name: Name::Other, address }),
        Role::Open => Some(Act::OpensPath { descriptor: result, path: begun.path(None), flags: second as u32 as i32 }),
        Role::Create => {
            let flags = libc::O_CREAT | libc::O_WRONLY | libc::O_TRUNC;
            Some(Act::OpensPath { descriptor: result, path: begun.path(None), flags })
        }
        Role::OpenAt => {
            Some(Act::OpensPath { descriptor: result, path: begun.path(Some(0)), flags: third as u32 as i32 })
        }
        Role::Memory => {
            let name = begun.path(None).map(|given| given.path).unwrap_or_default();
            Some(Act::OpensNew { descriptor: result, name, closes: second & MFD_CLOEXEC != 0 })
        }
        Role::Seek => {
            let from_end = Some(second.cast_signed()).filter(|_| third == libc::SEEK_END as u64);
            Some(Act::Seeks { descriptor, to: returned.result as u64, from_end })
        }
        Role::Cut => Some(Act::Cuts { descriptor, length: second }),
        Role::CutPath => begun.path(None).map(|path| Act::CutsPath { path, length: second }),
        Role::Allocate => {
            let is_harmless = second & !(libc::FALLOC_FL_KEEP_SIZE as u64) == 0;
            (!is_harmless).then_some(Act::Obscures { descriptor, by: "fallocate" })
        }
        // Which file it is, the mapping tells.
        Role::Map => None,
        Role::Remove => begun.path(None).map(|path| Act::Removes { path }),
        Role::RemoveAt => begun.path(Some(0)).map(|path| Act::Removes { path }),
        Role::Rename => renames(begun.path(None), begun.other_path(None), false),
        Role::RenameAt => renames(begun.path(Some(0)), begun.other_path(Some(2)), false),
        Role::RenameWith => {
            let exchanges = fifth & u64::from(libc::RENAME_EXCHANGE) != 0;
            renames(begun.path(Some(0)), begun.other_path(Some(2)), exchanges)
        }
        Role::Link => links(begun.path(None), begun.other_path(None)),
        Role::LinkAt => links(begun.path(Some(0)), begun.other_path(Some(2))),
        Role::PointTo => points_to(begun.path(None), begun.other_path(None)),
        Role::PointToAt => points_to(begun.path(None), begun.other_path(Some(1))),
        Role::MakePipe => begun.path(None).map(|path| Act::MakesPipe { path }),
        Role::MakePipeAt => begun.path(Some(0)).map(|path| Act::MakesPipe { path }),
        Role::MakeNode => begun.path(None).filter(|_| is_pipe(second)).map(|path| Act::MakesPipe { path }),
        Role::MakeNodeAt => begun.path(Some(0)).filter(|_| is_pipe(third)).map(|path| Act::MakesPipe { path }),
        Role::Go => begun.path(None).map(|path| Act::Goes { path }),
        Role::GoTo => Some(Act::GoesTo { descriptor }),
    };
    act.into_iter().collect()
}

fn renames(from: Option<Given>, to: Option<Given>, exchanges: bool) -> Option<Act> {
    Some(Act::Renames { from: from?, to: to?, exchanges })
}

fn links(from: Option<Given>, to: Option<Given>) -> Option<Act> {
    Some(Act::Links { from: from?, to: to? })
}

fn points_to(target: Option<Given>, link: Option<Given>) -> Option<Act> {
    Some(Act::PointsTo { link: link?, target: target?.path })
}

/// Returns whether a mode is that of a pipe with a name.
fn is_pipe(mode: u64) -> bool {
    mode & u64::from(libc::S_IFMT) == u64::from(libc::S_IFIFO)
}
