//! The first packets of a connection, and what identifies a program image.

use super::client::Client;
use super::command::{Command, RrCommand, RrSpelling, Spelling};
use super::dialect::{self, Dialect};
use super::error::Error;
use super::link::Link;
use super::reply::{self, Features};
use super::signals::PASSED_SIGNALS;
use super::target_xml;
use super::{Abilities, StopReply, memory};
use arch::{Arch, RegisterLayout, RunAddr, ThreadId};
use std::collections::BTreeMap;

/// Longest file of a target description, in bytes.
const LONGEST_FILE: usize = 4 << 20;

/// `PacketSize` of a server that does not tell: GDB's least.
const SMALLEST_PACKET: usize = 400;
/// What a packet has around its content, with room to spare.
const FRAME: usize = 16;

/// `AT_RANDOM`: the address of 16 bytes that the kernel chose at `exec`.
const AT_RANDOM: u64 = 25;

/// What is found out about a server.
pub(super) struct ServerDescription {
    pub(super) spelling: Spelling,
    pub(super) dialect: Dialect,
    pub(super) layout: RegisterLayout,
    /// The thread that the server is stopped in.
    pub(super) thread: ThreadId,
    pub(super) image: Image,
    /// Whether `QPassSignals` works.
    pub(super) passes_signals: bool,
    pub(super) abilities: Abilities,
}

/// What tells one `exec` of a process from another: the auxiliary vector, and the random bytes that it points to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Image {
    auxv: Vec<u8>,
    random: Vec<u8>,
}

/// Spelling for the packets that are the same for every server.
const UNKNOWN: Spelling =
    Spelling { multiprocess: true, rr_command: RrSpelling::NameAndThread, conditions: true, arch: Arch::X86_64 };

/// Does the handshake on a fresh link.
pub(super) fn shake_hands(link: &mut Link) -> Result<ServerDescription, Error> {
    // Until it is known who answers.
    link.expect_runs(true);
    let features = features(link)?;
    let StopReply::Stopped { thread, .. } = link.ask(&Command::LastStop, UNKNOWN, |r| reply::stop(r, None))? else {
        return Err(Error::Gone);
    };
    // `UNKNOWN` has the new form: the old one would be fatal to a new server.
    let spelling = match link.ask(&Command::Rr(RrCommand::When), UNKNOWN, dialect::rr_spelling) {
        Ok(spelling) => {
            // rr's binary replies may have the character that stands for them.
            link.expect_runs(false);
            Some(spelling)
        }
        Err(Error::Unsupported { .. }) => None,
        Err(other) => return Err(other),
    };
    let abilities = Abilities { reverse: features.reverse, time: spelling.is_some() };
    // The server of an rr that has failed an assertion shows its state, and nothing more.
    if abilities.time && !abilities.reverse {
        return Err(Error::Unsupported { request: "bc".into() });
    }
    let dialect = Dialect {
        rr_command: spelling.unwrap_or(RrSpelling::NameAndThread),
        memory: link.ask(&Command::MemoryBinary(RunAddr(0), 0), UNKNOWN, dialect::memory_form)?,
        piece: match (abilities.time, features.packet_size) {
            (true, _) => memory::PIECE,
            (false, size) => (size.unwrap_or(SMALLEST_PACKET) / 2).saturating_sub(FRAME).clamp(1, memory::PIECE),
        },
    };
    let layout = description(link)?;
    let spelling = Spelling {
        multiprocess: features.multiprocess,
        rr_command: dialect.rr_command,
        conditions: abilities.time,
        arch: layout.arch,
    };
    let image = match image(link, spelling, dialect) {
        // Only going backward over an `exec` needs it.
        Err(Error::Unsupported { .. }) if !abilities.time => Image::default(),
        image => image?,
    };
    Ok(ServerDescription { spelling, dialect, layout, thread, image, passes_signals: features.pass_signals, abilities })
}

/// Negotiates no-acknowledgement mode, features, and signals that pass silently.
///
/// The mode comes first, unasked for: while it is off, rr writes `+` and the reply apart, and the kernel holds the
/// second back for 40 ms (but for the first packets of a connection).
fn features(link: &mut Link) -> Result<Features, Error> {
    match link.ask(&Command::NoAck, UNKNOWN, reply::ok) {
        Ok(()) => link.acknowledge = false,
        Err(Error::Unsupported { .. }) => {}
        Err(other) => return Err(other),
    }
    let features = link.ask(&Command::Features, UNKNOWN, reply::features)?;
    if features.pass_signals {
        link.ask(&Command::PassSignals(&PASSED_SIGNALS), UNKNOWN, reply::ok)?;
    }
    Ok(features)
}

/// Fetches the root of the description and the files that it includes, directly or not, and reads the layout.
fn description(link: &mut Link) -> Result<RegisterLayout, Error> {
    let unusable = |what| Error::Registers { what };
    let mut files = BTreeMap::new();
    let mut missing = vec![target_xml::ROOT.to_owned()];
    while let Some(name) = missing.pop() {
        if files.contains_key(&name) {
            continue;
        }
        if files.len() == target_xml::MOST_FILES {
            return Err(unusable(format!("it has more than {} files", target_xml::MOST_FILES)));
        }
        let text = file(link, &name)?;
        missing.extend(target_xml::includes(&text).into_iter().rev());
        files.insert(name, text);
    }
    target_xml::layout(&files).map_err(unusable)
}

/// Reads one file of the description.
fn file(link: &mut Link, annex: &str) -> Result<String, Error> {
    let mut data = Vec::new();
    loop {
        let command = Command::Description { annex, offset: data.len() };
        let piece = link.ask(&command, UNKNOWN, reply::transfer)?;
        data.extend_from_slice(&piece.data);
        if piece.last || piece.data.is_empty() {
            return Ok(String::from_utf8_lossy(&data).into_owned());
        }
        if data.len() > LONGEST_FILE {
            return Err(Error::Registers { what: format!("`{annex}` is longer than {LONGEST_FILE} bytes") });
        }
    }
}

/// Reads the image of the process that requests refer to.
fn image(link: &mut Link, spelling: Spelling, dialect: Dialect) -> Result<Image, Error> {
    let auxv = link.ask(&Command::Auxv, spelling, reply::transfer)?.data;
    let random = match random_address(&auxv) {
        Some(at) => memory::read(link, spelling, dialect, at, 16)?,
        None => Vec::new(),
    };
    Ok(Image { auxv, random })
}

fn random_address(auxv: &[u8]) -> Option<RunAddr> {
    let word = |bytes: &[u8]| bytes.try_into().ok().map(u64::from_le_bytes);
    let entry = auxv.chunks_exact(16).find(|e| word(&e[..8]) == Some(AT_RANDOM))?;
    word(&entry[8..]).map(RunAddr)
}

impl Client {
    /// Reads the present image of the debuggee.
    pub(super) fn read_image(&mut self) -> Result<Image, Error> {
        self.select_any()?;
        image(&mut self.link, self.spelling, self.dialect)
    }
}
