//! Which connections that were accepted are those that were made: by the port of the end that connects, or by their order.

use super::channel::Channel;
use base::untrusted::one_line;
use std::collections::BTreeMap;

/// Which address of a socket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Name {
    /// Its own.
    Own,
    /// That of the other end.
    Other,
}

/// A connection that a process has made, or tried to make.
#[derive(Debug)]
struct Made {
    channel: usize,
    /// It was made at once.
    is_done: bool,
}

/// A socket that listens.
#[derive(Debug, Default)]
struct Listener {
    address: Vec<u8>,
    /// The connections to it, in their order, and the channels of those who accept.
    made: Vec<Made>,
    accepted: Vec<usize>,
}

/// The sockets of all processes that listen or connect.
#[derive(Debug, Default)]
pub(super) struct Connections {
    listeners: Vec<Listener>,
    /// By process and descriptor.
    bound: BTreeMap<(u32, i32), usize>,
    /// The address of the end that connects, by channel.
    ends: BTreeMap<usize, Vec<u8>>,
    /// Channels of connections that were accepted by a socket of which nothing is known.
    strange: Vec<usize>,
}

impl Connections {
    pub(super) fn bind(&mut self, pid: u32, descriptor: i32, address: Vec<u8>) {
        self.listeners.push(Listener { address, ..Listener::default() });
        self.bound.insert((pid, descriptor), self.listeners.len() - 1);
    }

    pub(super) fn close(&mut self, pid: u32, descriptor: i32) {
        self.bound.remove(&(pid, descriptor));
    }

    pub(super) fn copy(&mut self, pid: u32, from: i32, to: i32) {
        match self.bound.get(&(pid, from)).copied() {
            Some(listener) => drop(self.bound.insert((pid, to), listener)),
            None => drop(self.bound.remove(&(pid, to))),
        }
    }

    pub(super) fn fork(&mut self, pid: u32, child: u32) {
        let bound = self.bound.range((pid, i32::MIN)..=(pid, i32::MAX));
        let bound: Vec<_> = bound.map(|((_, number), listener)| ((child, *number), *listener)).collect();
        self.bound.extend(bound);
    }

    /// Takes note of an address of a socket that was asked for; `channel`: what it is an end of.
    pub(super) fn name(&mut self, pid: u32, descriptor: i32, channel: Option<usize>, name: Name, address: Vec<u8>) {
        let bound = self.bound.get(&(pid, descriptor)).and_then(|bound| self.listeners.get_mut(*bound));
        match (bound, channel, name) {
            // The kernel has chosen the port.
            (Some(listener), None, Name::Own) => listener.address = address,
            (_, Some(channel), name) if is_of_network(&address) => {
                let is_accepted = self.listeners.iter().any(|listener| listener.accepted.contains(&channel));
                if is_accepted == (name == Name::Other) {
                    self.ends.entry(channel).or_insert(address);
                }
            }
            _ => {}
        }
    }

    /// Returns the socket that is reached by an address: of those that were given it the last one; or the only one whose
    /// port the kernel has chosen.
    pub(super) fn listener(&self, address: &[u8]) -> Option<usize> {
        if let Some(known) = self.listeners.iter().rposition(|listener| listener.address == address) {
            return Some(known);
        }
        let mut chosen = self.listeners.iter().enumerate().filter(|(_, one)| is_chosen_by_kernel(&one.address));
        let only = chosen.next().filter(|_| is_of_network(address))?.0;
        chosen.next().is_none().then_some(only)
    }

    /// Takes note of a connection to a socket that listens.
    pub(super) fn reach(&mut self, pid: u32, descriptor: i32, listener: usize, channel: usize, is_done: bool) {
        let own = self.bound.get(&(pid, descriptor)).and_then(|bound| self.listeners.get(*bound));
        if let Some(own) = own.map(|own| own.address.clone()).filter(|own| is_port(own)) {
            self.ends.insert(channel, own);
        }
        if let Some(listener) = self.listeners.get_mut(listener) {
            listener.made.push(Made { channel, is_done });
        }
    }

    /// Takes note of a connection that was accepted, from this address.
    pub(super) fn accept(&mut self, pid: u32, listener: i32, channel: usize, from: Option<Vec<u8>>) {
        let bound = self.bound.get(&(pid, listener)).copied();
        match bound.and_then(|bound| self.listeners.get_mut(bound)) {
            Some(listener) => listener.accepted.push(channel),
            None => self.strange.push(channel),
        }
        if let Some(from) = from.filter(|from| is_port(from)) {
            self.ends.insert(channel, from);
        }
    }

    /// Makes one channel of each two that are the two ends of one connection; of the others it is noted why they are not.
    pub(super) fn join(self, channels: &mut [Channel]) {
        let Self { listeners, ends, strange, .. } = self;
        for channel in strange {
            obscure(channels, channel, "the socket that accepted it was bound by no call that is seen");
        }
        for Listener { address, mut made, mut accepted } in listeners {
            // What failed, and was not used, was no connection.
            made.retain(|made| made.is_done || channels.get(made.channel).is_some_and(|channel| !channel.is_unused()));
            let mut pairs = Vec::new();
            accepted.retain(|accepted| {
                let Some(end) = ends.get(accepted) else { return true };
                let mut own = made.iter().enumerate().filter(|(_, made)| ends.get(&made.channel) == Some(end));
                let Some(first) = own.next().filter(|_| own.next().is_none()).map(|(number, _)| number) else {
                    return true;
                };
                pairs.push((*accepted, made.remove(first).channel));
                false
            });
            // What is left is accepted in the order in which it was made.
            let is_one = made.len() == 1 && accepted.len() == 1;
            let is_in_order = accepted.len() <= made.len() && made.iter().all(|made| made.is_done);
            let is_other = |(accepted, made): (&usize, &Made)| {
                ends.get(accepted).zip(ends.get(&made.channel)).is_some_and(|(one, other)| one != other)
            };
            let is_contrary = accepted.iter().zip(&made).any(is_other);
            if (is_one || is_in_order) && !is_contrary {
                pairs.extend(accepted.drain(..).zip(made.drain(..)).map(|(accepted, made)| (accepted, made.channel)));
            } else if !accepted.is_empty() {
                let late = made.iter().filter(|made| !made.is_done).count();
                let late = if late > 0 { format!(", {late} of them not at once") } else { String::new() };
                let why = format!(
                    "of the connections to {}, {} were accepted and {} made by processes of the recording{late}: which is \
                     which the addresses do not tell that accept, getpeername and getsockname have given",
                    Self::words(&address),
                    accepted.len(),
                    made.len(),
                );
                for channel in accepted.iter().copied().chain(made.iter().map(|made| made.channel)) {
                    obscure(channels, channel, &why);
                }
            }
            pairs.into_iter().for_each(|(accepted, made)| join(channels, accepted, made));
        }
    }

    /// Returns an address of a socket in words.
    pub(super) fn words(address: &[u8]) -> String {
        match address {
            [NETWORK, high, low] => format!("port {}", u16::from_be_bytes([*high, *low])),
            [_, 0, name @ ..] => format!("the socket @{}", one_line(&String::from_utf8_lossy(name))),
            [_, name @ ..] => format!("the socket {}", one_line(&String::from_utf8_lossy(name))),
            [] => "an address that is not known".to_owned(),
        }
    }
}

fn obscure(channels: &mut [Channel], channel: usize, why: &str) {
    if let Some(channel) = channels.get_mut(channel) {
        channel.obscured.get_or_insert_with(|| why.to_owned());
    }
}

/// Makes one of two channels: what was moved at the second end of the one is what was moved there of the other. Both have
/// all of it then, whichever of them a descriptor is an end of.
fn join(channels: &mut [Channel], accepted: usize, made: usize) {
    let (Some(one), Some(other)) = (channels.get(accepted), channels.get(made)) else { return };
    let ([_, written], [_, read]) = (one.written.clone(), one.read.clone());
    let ([first_written, _], [first_read, _]) = (other.written.clone(), other.read.clone());
    let obscured = other.obscured.clone().or_else(|| one.obscured.clone());
    for channel in [accepted, made] {
        if let Some(channel) = channels.get_mut(channel) {
            channel.written = [first_written.clone(), written.clone()];
            channel.read = [first_read.clone(), read.clone()];
            channel.obscured.clone_from(&obscured);
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

fn is_port(address: &[u8]) -> bool {
    is_of_network(address) && !is_chosen_by_kernel(address)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::channels::descriptors::{Act, Descriptors, Done, On, Way};
    use crate::channels::streams::Moved;

    fn port(number: u8) -> Vec<u8> {
        vec![NETWORK, 0, number]
    }

    /// Process 1 listens at port 80 and accepts; processes from 10 on connect, each by its descriptor 4.
    fn of(acts: &[(u32, Act)]) -> Descriptors {
        let mut all = Descriptors::default();
        all.apply(1, Act::Binds { descriptor: 3, address: port(80) }, &Done::default());
        acts.iter().for_each(|(pid, act)| all.apply(*pid, act.clone(), &Done::default()));
        all
    }

    fn connect(pid: u32, is_done: bool) -> (u32, Act) {
        (pid, Act::Reaches { descriptor: 4, address: port(80), is_done })
    }

    fn accept(descriptor: i32, from: Option<u8>) -> (u32, Act) {
        (1, Act::Accepts { listener: 3, descriptor, from: from.map(port), closes: false })
    }

    fn write(pid: u32, call: usize) -> (u32, Act) {
        let moved = Moved { call, length: 1, ..Moved::default() };
        (pid, Act::Moves { descriptor: 4, way: Way::Written, at: None, moved })
    }

    /// Returns which call wrote first to the other end of a descriptor of process 1; or why that is not known.
    fn writer(all: &mut Descriptors, descriptor: i32) -> Result<usize, String> {
        let Some(On::End(end)) = all.on(1, descriptor) else { return Err("no end".to_owned()) };
        let channel = &all.channels[end.channel];
        channel.obscured.clone().map_or_else(|| Ok(channel.written[0].first_call().unwrap()), Err)
    }

    #[test]
    fn connections_are_accepted_in_their_order() {
        let acts = [connect(10, true), connect(11, true), accept(5, None), accept(6, None), write(11, 1), write(10, 2)];
        let mut all = of(&acts);
        all.join();
        assert_eq!([5, 6].map(|descriptor| writer(&mut all, descriptor)), [Ok(2), Ok(1)]);
    }

    #[test]
    fn ports_tell_which_connection_was_accepted() {
        let named = |pid, number| (pid, Act::Asks { descriptor: 4, name: Name::Own, address: port(number) });
        let acts = [
            connect(10, false),
            connect(11, false),
            (12, Act::Reaches { descriptor: 4, address: port(80), is_done: false }),
            named(10, 200),
            named(11, 201),
            accept(5, Some(201)),
            accept(6, Some(200)),
            write(11, 1),
            write(10, 2),
        ];
        let mut all = of(&acts);
        all.join();
        assert_eq!([5, 6].map(|descriptor| writer(&mut all, descriptor)), [Ok(1), Ok(2)]);
    }

    #[test]
    fn what_cannot_be_told_apart_is_not_joined() {
        let acts =
            [connect(10, false), connect(11, true), accept(5, None), accept(6, None), write(11, 1), write(10, 2)];
        let mut all = of(&acts);
        all.join();
        let why = writer(&mut all, 5).unwrap_err();
        assert!(
            why.contains("port 80, 2 were accepted and 2 made by processes of the recording, 1 of them not at once")
        );
        // One that failed and was not used was none.
        let mut all = of(&[connect(10, false), connect(11, true), accept(5, None), write(11, 1)]);
        all.join();
        assert_eq!(writer(&mut all, 5), Ok(1));
        let mut all = of(&[accept(5, None), accept(6, None), connect(10, true)]);
        all.join();
        assert!(writer(&mut all, 5).unwrap_err().contains("2 were accepted and 1 made"));
    }
}
