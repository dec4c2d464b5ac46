//! Which ends of channels the descriptors of processes are: through `dup`, `fork` and `exec`.

use super::streams::{Flow, Moved};
use std::collections::BTreeMap;

/// One end of a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct End {
    pub(super) channel: usize,
    /// Which of its two ends. The first one of a pipe is read from, the second one written to.
    pub(super) side: usize,
}

/// A descriptor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Slot {
    end: Option<End>,
    /// It keeps messages apart, once it is connected.
    keeps_messages: bool,
    /// It is closed where another program is executed.
    closes: bool,
}

/// What a channel is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Pipe,
    Socket,
}

/// What two descriptors are ends of, perhaps of two processes.
#[derive(Debug)]
pub(super) struct Channel {
    pub(super) kind: Kind,
    /// What was written at each end, and read at each end.
    pub(super) written: [Flow; 2],
    pub(super) read: [Flow; 2],
    /// What goes by it is not all seen, for this reason.
    pub(super) obscured: Option<String>,
}

impl Channel {
    fn new(kind: Kind, keeps_messages: bool) -> Self {
        let flow = || Flow::new(keeps_messages);
        Self { kind, written: [flow(), flow()], read: [flow(), flow()], obscured: None }
    }
}

/// Which way bytes go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    Written,
    Read,
}

/// What a process does with its descriptors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Act {
    /// Makes two that are connected.
    Connects { descriptors: [i32; 2], kind: Kind, keeps_messages: bool, closes: bool },
    /// Makes one that is not connected, or to something else.
    Opens { descriptor: i32, keeps_messages: bool, closes: bool },
    /// Gives a socket an address.
    Binds { descriptor: i32, address: Vec<u8> },
    /// Connects a socket to an address; or tries to.
    Reaches { descriptor: i32, address: Vec<u8>, is_done: bool },
    /// Takes a connection.
    Accepts { listener: i32, descriptor: i32, closes: bool },
    /// Has another descriptor for the same.
    Copies { from: i32, to: i32, closes: bool },
    /// Decides whether it is closed where another program is executed.
    Marks { descriptor: i32, closes: bool },
    /// Closes one.
    Ends { descriptor: i32 },
    /// Makes a process that has the same.
    Forks { child: u32 },
    /// Executes another program.
    Executes,
    /// Writes or reads.
    Moves { descriptor: i32, way: Way, moved: Moved },
    /// Does what is not followed.
    Obscures { descriptor: i32, by: &'static str },
}

/// Connections to one address.
#[derive(Debug, Default)]
struct Listener {
    /// The channels of those who connect, in their order, and of those who accept.
    reaching: Vec<usize>,
    accepting: Vec<usize>,
    /// A connection was not made at once.
    is_doubtful: bool,
}

/// The descriptors of all processes of a recording, and what they are ends of.
#[derive(Debug, Default)]
pub(super) struct Descriptors {
    processes: BTreeMap<u32, BTreeMap<i32, Slot>>,
    pub(super) channels: Vec<Channel>,
    /// Addresses of sockets that listen, by process and descriptor.
    bound: BTreeMap<(u32, i32), Vec<u8>>,
    listeners: BTreeMap<Vec<u8>, Listener>,
}

impl Descriptors {
    /// Notes what a process has done.
    pub(super) fn apply(&mut self, pid: u32, act: Act) {
        match act {
            Act::Connects { descriptors: [first, second], kind, keeps_messages, closes } => {
                let channel = self.channel(kind, keeps_messages);
                for (side, descriptor) in [first, second].into_iter().enumerate() {
                    self.set(pid, descriptor, Slot { end: Some(End { channel, side }), keeps_messages, closes });
                }
            }
            Act::Opens { descriptor, keeps_messages, closes } => {
                self.bound.remove(&(pid, descriptor));
                self.set(pid, descriptor, Slot { end: None, keeps_messages, closes });
            }
            Act::Binds { descriptor, address } => {
                self.bound.insert((pid, descriptor), address);
            }
            Act::Reaches { descriptor, address, is_done } => self.reach(pid, descriptor, address, is_done),
            Act::Accepts { listener, descriptor, closes } => self.accept(pid, listener, descriptor, closes),
            Act::Copies { from, to, closes } => {
                let slot = self.slot(pid, from);
                if from != to {
                    self.set(pid, to, Slot { closes, ..slot });
                }
            }
            Act::Marks { descriptor, closes } => {
                let slot = self.slot(pid, descriptor);
                self.set(pid, descriptor, Slot { closes, ..slot });
            }
            Act::Ends { descriptor } => {
                self.bound.remove(&(pid, descriptor));
                if let Some(process) = self.processes.get_mut(&pid) {
                    process.remove(&descriptor);
                }
            }
            Act::Forks { child } => {
                let copy = self.processes.get(&pid).cloned().unwrap_or_default();
                self.processes.insert(child, copy);
                let bound = self.bound.range((pid, i32::MIN)..=(pid, i32::MAX));
                let bound: Vec<_> = bound.map(|((_, number), address)| ((child, *number), address.clone())).collect();
                self.bound.extend(bound);
            }
            Act::Executes => {
                if let Some(process) = self.processes.get_mut(&pid) {
                    process.retain(|_, slot| !slot.closes);
                }
            }
            Act::Moves { descriptor, way, moved } => {
                if let Some(End { channel, side }) = self.slot(pid, descriptor).end
                    && let Some(channel) = self.channels.get_mut(channel)
                {
                    let flows = match way {
                        Way::Written => &mut channel.written,
                        Way::Read => &mut channel.read,
                    };
                    if let Some(flow) = flows.get_mut(side) {
                        flow.add(moved);
                    }
                }
            }
            Act::Obscures { descriptor, by } => {
                if let Some(End { channel, .. }) = self.slot(pid, descriptor).end
                    && let Some(channel) = self.channels.get_mut(channel)
                {
                    channel.obscured.get_or_insert(format!("{by} was called for it, which is not followed"));
                }
            }
        }
    }

    /// Returns what a descriptor of a process is an end of.
    pub(super) fn end(&self, pid: u32, descriptor: i32) -> Option<End> {
        self.slot(pid, descriptor).end
    }

    /// Makes one of each two channels that are the two ends of one connection.
    pub(super) fn join(&mut self) {
        for listener in std::mem::take(&mut self.listeners).into_values() {
            let are_all = listener.accepting.len() <= listener.reaching.len() && !listener.is_doubtful;
            for (number, accepting) in listener.accepting.iter().enumerate() {
                let reaching = listener.reaching.get(number).copied().filter(|_| are_all);
                let Some(accepted) = self.channels.get_mut(*accepting) else { continue };
                let Some(reaching) = reaching else {
                    accepted.obscured.get_or_insert("which connection was accepted is not certain".to_owned());
                    continue;
                };
                let (written, read) = (std::mem::take(&mut accepted.written), std::mem::take(&mut accepted.read));
                let obscured = accepted.obscured.take();
                let Some(channel) = self.channels.get_mut(reaching) else { continue };
                let ([_, written], [_, read]) = (written, read);
                let ([_, into], [_, from]) = (&mut channel.written, &mut channel.read);
                (*into, *from) = (written, read);
                channel.obscured = channel.obscured.take().or(obscured);
            }
            if !are_all {
                for reaching in &listener.reaching {
                    if let Some(channel) = self.channels.get_mut(*reaching) {
                        channel.obscured.get_or_insert("which connection was accepted is not certain".to_owned());
                    }
                }
            }
        }
    }

    fn channel(&mut self, kind: Kind, keeps_messages: bool) -> usize {
        self.channels.push(Channel::new(kind, keeps_messages));
        self.channels.len() - 1
    }

    fn slot(&self, pid: u32, descriptor: i32) -> Slot {
        self.processes.get(&pid).and_then(|process| process.get(&descriptor)).copied().unwrap_or_default()
    }

    fn set(&mut self, pid: u32, descriptor: i32, slot: Slot) {
        self.processes.entry(pid).or_default().insert(descriptor, slot);
    }

    fn reach(&mut self, pid: u32, descriptor: i32, address: Vec<u8>, is_done: bool) {
        let Some(address) = self.listened(&address) else { return };
        let slot = self.slot(pid, descriptor);
        if !is_done {
            self.listeners.entry(address).or_default().is_doubtful = true;
            return;
        }
        let channel = self.channel(Kind::Socket, slot.keeps_messages);
        self.set(pid, descriptor, Slot { end: Some(End { channel, side: 0 }), ..slot });
        self.listeners.entry(address).or_default().reaching.push(channel);
    }

    fn accept(&mut self, pid: u32, listener: i32, descriptor: i32, closes: bool) {
        let keeps_messages = self.slot(pid, listener).keeps_messages;
        let Some(address) = self.bound.get(&(pid, listener)).cloned() else {
            return self.set(pid, descriptor, Slot { end: None, keeps_messages, closes });
        };
        let channel = self.channel(Kind::Socket, keeps_messages);
        self.set(pid, descriptor, Slot { end: Some(End { channel, side: 1 }), keeps_messages, closes });
        self.listeners.entry(address).or_default().accepting.push(channel);
    }

    /// Returns the address that a socket was bound to which is reached by an address: the only one whose port the kernel
    /// has chosen, if none has been given this one.
    fn listened(&self, address: &[u8]) -> Option<Vec<u8>> {
        if self.bound.values().any(|bound| bound == address) || self.listeners.contains_key(address) {
            return Some(address.to_vec());
        }
        let mut chosen: Vec<&Vec<u8>> = self.bound.values().filter(|bound| is_chosen_by_kernel(bound)).collect();
        chosen.dedup();
        match chosen.as_slice() {
            [only] if is_of_network(address) => Some((*only).clone()),
            _ => None,
        }
    }
}

/// What stands for a family in an address that is compared.
const NETWORK: u8 = b'n';

/// Returns an address of a socket (`struct sockaddr`, of so many bytes) such that those of one listener are the same: for
/// networks, the port alone. `None` for other families.
pub(super) fn comparable(address: &[u8]) -> Option<Vec<u8>> {
    let family = i32::from(u16::from_ne_bytes(*address.first_chunk()?));
    let rest = address.get(2..)?;
    match family {
        libc::AF_INET | libc::AF_INET6 => Some([&[NETWORK][..], rest.get(..2)?].concat()),
        libc::AF_UNIX => {
            // A name that begins with a zero is as long as the address says.
            let end = if rest.first() == Some(&0) {
                rest.len()
            } else {
                rest.iter().position(|byte| *byte == 0).unwrap_or(rest.len())
            };
            Some([&b"u"[..], rest.get(..end)?].concat())
        }
        _ => None,
    }
}

fn is_of_network(address: &[u8]) -> bool {
    address.first() == Some(&NETWORK)
}

fn is_chosen_by_kernel(address: &[u8]) -> bool {
    address == [NETWORK, 0, 0]
}
