//! What the descriptors of processes lead to: through `dup`, `fork` and `exec`.

use super::channel::{Channel, Kind};
use super::connections::{Connections, Name};
use super::files::{Files, Over};
use super::paths::{Paths, keeps_content};
use super::streams::Moved;
use std::collections::BTreeMap;

/// One end of a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct End {
    pub(super) channel: usize,
    /// Which of its two ends. The first one of a pipe is read from, the second one written to.
    pub(super) side: usize,
}

/// What a descriptor leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum On {
    End(End),
    /// A file that was opened.
    File(usize),
}

/// A descriptor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Slot {
    on: Option<On>,
    /// It keeps messages apart, once it is connected.
    keeps_messages: bool,
    /// It is closed where another program is executed.
    closes: bool,
}

/// Which way bytes go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    Written,
    Read,
}

/// A path as a process gives it, and the descriptor of the directory from which it goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Given {
    pub(super) directory: i32,
    pub(super) path: Vec<u8>,
}

/// What a process does with its descriptors, and with paths.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Act {
    /// Makes two that are connected.
    Connects {
        descriptors: [i32; 2],
        kind: Kind,
        keeps_messages: bool,
        closes: bool,
    },
    /// Makes one that is not connected, or to something else.
    Opens {
        descriptor: i32,
        keeps_messages: bool,
        closes: bool,
    },
    /// Opens what a path leads to; `None`: that is not known.
    OpensPath {
        descriptor: i32,
        path: Option<Given>,
        flags: i32,
    },
    /// Opens a new file that no path leads to.
    OpensNew {
        descriptor: i32,
        name: Vec<u8>,
        closes: bool,
    },
    /// Gives a socket an address.
    Binds {
        descriptor: i32,
        address: Vec<u8>,
    },
    /// Connects a socket to an address; or tries to.
    Reaches {
        descriptor: i32,
        address: Vec<u8>,
        is_done: bool,
    },
    /// Takes a connection, from this address.
    Accepts {
        listener: i32,
        descriptor: i32,
        from: Option<Vec<u8>>,
        closes: bool,
    },
    /// Asks for an address of a socket.
    Asks {
        descriptor: i32,
        name: Name,
        address: Vec<u8>,
    },
    /// Has another descriptor for the same.
    Copies {
        from: i32,
        to: i32,
        closes: bool,
    },
    /// Decides whether it is closed where another program is executed.
    Marks {
        descriptor: i32,
        closes: bool,
    },
    /// Closes one.
    Ends {
        descriptor: i32,
    },
    /// Makes a process that has the same.
    Forks {
        child: u32,
    },
    /// Executes another program.
    Executes,
    /// Writes or reads; at its own offset, or where it goes on.
    Moves {
        descriptor: i32,
        way: Way,
        at: Option<u64>,
        moved: Moved,
    },
    /// Decides where in a file it goes on; `from_end`: so far from its end.
    Seeks {
        descriptor: i32,
        to: u64,
        from_end: Option<i64>,
    },
    /// Gives a file another length.
    Cuts {
        descriptor: i32,
        length: u64,
    },
    /// The same, by its path.
    CutsPath {
        path: Given,
        length: u64,
    },
    /// Maps a file of this device and inode.
    Maps {
        descriptor: i32,
        inode: (u64, u64),
    },
    /// Removes a path.
    Removes {
        path: Given,
    },
    /// Renames what a path leads to; or gives each the other's name.
    Renames {
        from: Given,
        to: Given,
        exchanges: bool,
    },
    /// Gives what a path leads to a second one.
    Links {
        from: Given,
        to: Given,
    },
    /// Makes a symbolic link.
    PointsTo {
        link: Given,
        target: Vec<u8>,
    },
    /// Makes a pipe with a name.
    MakesPipe {
        path: Given,
    },
    /// Goes to another directory.
    Goes {
        path: Given,
    },
    GoesTo {
        descriptor: i32,
    },
    /// Does what is not followed.
    Obscures {
        descriptor: i32,
        by: &'static str,
    },
}

/// When something was done: the places of its beginning and its end in the order of all hits, and when it was over.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Done {
    pub(super) begun: usize,
    pub(super) over: usize,
    pub(super) at: Over,
}

impl Done {
    /// Returns what it has moved: nothing.
    fn moved(&self) -> Moved {
        Moved { call: usize::MAX, begun: self.begun, over: self.over, ..Moved::default() }
    }
}

/// What a path leads to.
#[derive(Clone, Copy, Debug)]
enum Object {
    File(usize),
    Pipe(usize),
}

/// The descriptors of all processes of a recording, and what they are ends of.
#[derive(Debug, Default)]
pub(super) struct Descriptors {
    processes: BTreeMap<u32, BTreeMap<i32, Slot>>,
    pub(super) channels: Vec<Channel>,
    pub(super) files: Files,
    paths: Paths,
    objects: Vec<Object>,
    connections: Connections,
}

impl Descriptors {
    /// Notes what a process has done.
    pub(super) fn apply(&mut self, pid: u32, act: Act, done: &Done) {
        match act {
            Act::Connects { descriptors: [first, second], kind, keeps_messages, closes } => {
                let channel = self.channel(kind, keeps_messages);
                for (side, descriptor) in [first, second].into_iter().enumerate() {
                    let on = Some(On::End(End { channel, side }));
                    self.set(pid, descriptor, Slot { on, keeps_messages, closes });
                }
            }
            Act::Opens { descriptor, keeps_messages, closes } => {
                self.connections.close(pid, descriptor);
                self.set(pid, descriptor, Slot { on: None, keeps_messages, closes });
            }
            Act::OpensPath { descriptor, path, flags } => {
                let path = path.and_then(|path| self.meant(pid, &path)).filter(|path| keeps_content(path));
                let on = path.and_then(|path| self.open(&path, flags, done));
                self.connections.close(pid, descriptor);
                self.set(pid, descriptor, Slot { on, keeps_messages: false, closes: flags & libc::O_CLOEXEC != 0 });
            }
            Act::OpensNew { descriptor, name, closes } => {
                let file = self.files.add(Some(0));
                let on = Some(On::File(self.files.open(file, &name, false)));
                self.set(pid, descriptor, Slot { on, keeps_messages: false, closes });
            }
            Act::Binds { descriptor, address } => self.connections.bind(pid, descriptor, address),
            Act::Reaches { descriptor, address, is_done } => self.reach(pid, descriptor, &address, is_done),
            Act::Accepts { listener, descriptor, from, closes } => {
                let keeps_messages = self.slot(pid, listener).keeps_messages;
                let channel = self.channel(Kind::Socket, keeps_messages);
                self.set(pid, descriptor, Slot { on: Some(On::End(End { channel, side: 1 })), keeps_messages, closes });
                self.connections.accept(pid, listener, channel, from);
            }
            Act::Asks { descriptor, name, address } => {
                let channel = match self.slot(pid, descriptor).on {
                    Some(On::End(end)) => Some(end.channel),
                    _ => None,
                };
                self.connections.name(pid, descriptor, channel, name, address);
            }
            Act::Copies { from, to, closes } => {
                let slot = self.slot(pid, from);
                if from != to {
                    self.connections.copy(pid, from, to);
                    self.set(pid, to, Slot { closes, ..slot });
                }
            }
            Act::Marks { descriptor, closes } => {
                let slot = self.slot(pid, descriptor);
                self.set(pid, descriptor, Slot { closes, ..slot });
            }
            Act::Ends { descriptor } => {
                self.connections.close(pid, descriptor);
                if let Some(process) = self.processes.get_mut(&pid) {
                    process.remove(&descriptor);
                }
            }
            Act::Forks { child } => {
                let copy = self.processes.get(&pid).cloned().unwrap_or_default();
                self.processes.insert(child, copy);
                self.connections.fork(pid, child);
                self.paths.fork(pid, child);
            }
            Act::Executes => {
                if let Some(process) = self.processes.get_mut(&pid) {
                    process.retain(|_, slot| !slot.closes);
                }
            }
            Act::Moves { descriptor, way, at, moved } => match self.slot(pid, descriptor).on {
                Some(On::End(end)) => self.stream(end, way, moved),
                Some(On::File(opened)) => match way {
                    Way::Read => self.files.read(opened, at, moved),
                    Way::Written => self.files.write(opened, at, moved, done.at),
                },
                None => {}
            },
            Act::Seeks { descriptor, to, from_end } => {
                if let Some(On::File(opened)) = self.slot(pid, descriptor).on {
                    self.files.seek(opened, to, from_end);
                }
            }
            Act::Cuts { descriptor, length } => {
                if let Some(On::File(opened)) = self.slot(pid, descriptor).on
                    && let Some(file) = self.files.of(opened)
                {
                    self.files.cut(file, length, done.moved(), done.at);
                }
            }
            Act::Maps { descriptor, inode } => {
                if let Some(On::File(opened)) = self.slot(pid, descriptor).on {
                    self.files.identify(opened, inode);
                }
            }
            Act::Obscures { descriptor, by } => {
                let why = format!("{by} was called for it, which is not followed");
                match self.slot(pid, descriptor).on {
                    Some(On::End(End { channel, .. })) => self.obscure(channel, why),
                    Some(On::File(opened)) => self.files.obscure(opened, why, done.moved(), done.at),
                    None => {}
                }
            }
            Act::GoesTo { descriptor } => {
                if let Some(directory) = self.path_of(pid, descriptor) {
                    self.paths.go(pid, directory);
                }
            }
            Act::Goes { path } => {
                if let Some(path) = self.meant(pid, &path) {
                    self.paths.go(pid, path);
                }
            }
            act => {
                // A path that is not known leads to nothing that is followed.
                let _followed: Option<()> = self.change_paths(pid, act, done);
            }
        }
    }

    /// Notes what a process has done with paths.
    fn change_paths(&mut self, pid: u32, act: Act, done: &Done) -> Option<()> {
        match act {
            Act::CutsPath { path, length } => {
                let path = self.meant(pid, &path)?;
                if let Object::File(file) = *self.objects.get(self.paths.file(&path)?)? {
                    self.files.cut(file, length, done.moved(), done.at);
                }
            }
            Act::Removes { path } => {
                let path = self.meant(pid, &path)?;
                self.paths.remove(&path);
            }
            Act::Renames { from, to, exchanges } => {
                let (from, to) = (self.meant(pid, &from)?, self.meant(pid, &to)?);
                let other = self.paths.file(&to).filter(|_| exchanges);
                self.paths.rename(&from, &to);
                if let Some(other) = other {
                    self.paths.lead(&from, other);
                }
            }
            Act::Links { from, to } => {
                let (from, to) = (self.meant(pid, &from)?, self.meant(pid, &to)?);
                let object = self.object(&from, false);
                self.paths.lead(&to, object);
            }
            Act::PointsTo { link, target } => {
                let link = self.meant(pid, &link)?;
                let slash = link.iter().rposition(|byte| *byte == b'/');
                let directory = slash.and_then(|slash| link.get(..slash)).unwrap_or_default().to_vec();
                let directory = if slash == Some(0) { b"/".to_vec() } else { directory };
                let target = self.paths.meant(pid, Some(&directory), &target)?;
                self.paths.link(link, target);
            }
            Act::MakesPipe { path } => {
                let path = self.meant(pid, &path)?;
                let channel = self.channel(Kind::Pipe, false);
                self.channels.get_mut(channel)?.path = Some(path.clone());
                self.objects.push(Object::Pipe(channel));
                self.paths.lead(&path, self.objects.len() - 1);
            }
            _ => {}
        }
        Some(())
    }

    /// Returns what a descriptor of a process leads to.
    pub(super) fn on(&self, pid: u32, descriptor: i32) -> Option<On> {
        self.slot(pid, descriptor).on
    }

    /// Makes one of each two channels that are the two ends of one connection.
    pub(super) fn join(&mut self) {
        std::mem::take(&mut self.connections).join(&mut self.channels);
    }

    fn channel(&mut self, kind: Kind, keeps_messages: bool) -> usize {
        self.channels.push(Channel::new(kind, keeps_messages));
        self.channels.len() - 1
    }

    fn obscure(&mut self, channel: usize, why: String) {
        if let Some(channel) = self.channels.get_mut(channel) {
            channel.obscured.get_or_insert(why);
        }
    }

    fn stream(&mut self, End { channel, side }: End, way: Way, moved: Moved) {
        let Some(channel) = self.channels.get_mut(channel) else { return };
        // A descriptor for both ends of a pipe reads what is written to it.
        let (side, flows) = match (channel.kind, way) {
            (Kind::Pipe, Way::Written) => (1, &mut channel.written),
            (Kind::Pipe, Way::Read) => (0, &mut channel.read),
            (Kind::Socket, Way::Written) => (side, &mut channel.written),
            (Kind::Socket, Way::Read) => (side, &mut channel.read),
        };
        if let Some(flow) = flows.get_mut(side) {
            flow.add(moved);
        }
    }

    fn slot(&self, pid: u32, descriptor: i32) -> Slot {
        self.processes.get(&pid).and_then(|process| process.get(&descriptor)).copied().unwrap_or_default()
    }

    fn set(&mut self, pid: u32, descriptor: i32, slot: Slot) {
        self.processes.entry(pid).or_default().insert(descriptor, slot);
    }

    /// Returns the path by which a descriptor was opened.
    fn path_of(&self, pid: u32, descriptor: i32) -> Option<Vec<u8>> {
        match self.slot(pid, descriptor).on? {
            On::File(opened) => self.files.path(opened).map(<[u8]>::to_vec),
            On::End(_) => None,
        }
    }

    fn meant(&self, pid: u32, Given { directory, path }: &Given) -> Option<Vec<u8>> {
        if *directory == libc::AT_FDCWD || path.first() == Some(&b'/') {
            return self.paths.meant(pid, None, path);
        }
        self.paths.meant(pid, Some(&self.path_of(pid, *directory)?), path)
    }

    /// Returns what a path leads to: a file, if nothing is known of it, or if it is new.
    fn object(&mut self, path: &[u8], is_new: bool) -> usize {
        if let Some(object) = self.paths.file(path).filter(|_| !is_new) {
            return object;
        }
        let file = self.files.add(is_new.then_some(0));
        self.objects.push(Object::File(file));
        let object = self.objects.len() - 1;
        self.paths.lead(path, object);
        object
    }

    fn open(&mut self, path: &[u8], flags: i32, done: &Done) -> Option<On> {
        let has = |flag: i32| flags & flag == flag;
        let writes = flags & libc::O_ACCMODE != libc::O_RDONLY;
        if has(libc::O_TMPFILE) {
            let file = self.files.add(Some(0));
            return Some(On::File(self.files.open(file, path, has(libc::O_APPEND))));
        }
        let object = self.object(path, has(libc::O_CREAT | libc::O_EXCL));
        Some(match *self.objects.get(object)? {
            Object::Pipe(channel) => {
                On::End(End { channel, side: usize::from(flags & libc::O_ACCMODE == libc::O_WRONLY) })
            }
            Object::File(file) => {
                if has(libc::O_TRUNC) && writes {
                    self.files.cut(file, 0, done.moved(), done.at);
                }
                On::File(self.files.open(file, path, has(libc::O_APPEND)))
            }
        })
    }

    fn reach(&mut self, pid: u32, descriptor: i32, address: &[u8], is_done: bool) {
        let slot = self.slot(pid, descriptor);
        let Some(listener) = self.connections.listener(address) else {
            if is_done {
                let channel = self.channel(Kind::Socket, slot.keeps_messages);
                let to = Connections::words(address);
                self.obscure(
                    channel,
                    format!("no process of the recording listens at {to}, to which it was connected"),
                );
                self.set(pid, descriptor, Slot { on: Some(On::End(End { channel, side: 0 })), ..slot });
            }
            return;
        };
        let channel = self.channel(Kind::Socket, slot.keeps_messages);
        self.set(pid, descriptor, Slot { on: Some(On::End(End { channel, side: 0 })), ..slot });
        self.connections.reach(pid, descriptor, listener, channel, is_done);
    }
}
