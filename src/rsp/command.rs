//! The requests this client can make, and how each is spelled.
//!
//! What is not here cannot be sent. That is deliberate: an rr that meets a malformed packet, a breakpoint of the wrong
//! size, an unknown annex, a checkpoint without a name or a register number that it does not know, exits, crashes or
//! answers with garbage. A `siginfo` read starts a diversion, which `files` ends at once, and `diversion` uses: what
//! writes is said there only.

use super::hex;
use super::{Break, BreakKind};
use arch::{Arch, RunAddr, ThreadId};
use std::fmt::Write as _;

/// Bytes of a file in one answer.
const FILE_PIECE: usize = 64 << 10;
/// Size of a `siginfo_t` (`<asm-generic/siginfo.h>`).
const SIGNAL_INFO: usize = 128;

/// Longest text that is sent as the name of a checkpoint.
const LONGEST_PLACE: usize = 200;

/// How one server wants things spelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Spelling {
    /// `pPID.TID` instead of `TID`.
    pub(super) multiprocess: bool,
    /// The form of `qRRCmd`.
    pub(super) rr_command: RrSpelling,
    /// Breakpoints may have conditions.
    pub(super) conditions: bool,
    /// Decides the size of a breakpoint instruction.
    pub(super) arch: Arch,
}

/// The two forms of `qRRCmd`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RrSpelling {
    /// 5.7 and earlier: `qRRCmd:<hex name>[:<hex argument>]`. Sent to a newer rr it is fatal.
    HexName,
    /// 5.8 and later: `qRRCmd:<name>:<tid or -1>[:<hex argument>]`.
    NameAndThread,
}

/// rr's own commands that are of use here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum RrCommand {
    /// The event.
    When,
    /// The tick count of a thread that is known to exist; of an unknown one rr would report some other thread's.
    WhenTicks(ThreadId),
    /// Makes a checkpoint. The text is for humans; rr crashes without one.
    Checkpoint(String),
    /// Forgets a checkpoint.
    DeleteCheckpoint(u64),
}

/// Which threads' stops end a backward run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Threads {
    /// All of the debuggee.
    Any,
    /// Only this one.
    One(ThreadId),
}

/// Where a `vRun` leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RunTarget {
    /// Just after this event, in rr's own numbering.
    Event(u64),
    /// A checkpoint.
    Checkpoint(u64),
    /// A tick of the current thread.
    Ticks(u64),
}

/// A request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Command<'a> {
    /// `qSupported`
    Features,
    /// `QStartNoAckMode`
    NoAck,
    /// `QPassSignals`: the signals that do not stop.
    PassSignals(&'a [u8]),
    /// `qXfer:features:read`: a piece of `target.xml` or of a file that it includes.
    Description {
        /// `target.xml`, or a name that rr itself gave.
        annex: &'a str,
        /// First byte.
        offset: usize,
    },
    /// `qXfer:auxv:read`
    Auxv,
    /// `vFile:open` of the list of mappings of a process, which rr makes up.
    OpenMappings(u32),
    /// `vFile:pread` of a file that was opened.
    ReadFile {
        /// The server's number of it.
        file: u64,
        /// First byte.
        offset: usize,
    },
    /// `vFile:close` of a file that was opened.
    CloseFile(u64),
    /// `qXfer:siginfo:read`. It starts a diversion, which any of rr's own commands ends.
    SignalInfo,
    /// `qXfer:exec-file:read`
    ExecFile(u32),
    /// `?`
    LastStop,
    /// `qC`
    CurrentThread,
    /// `qfThreadInfo`
    FirstThreads,
    /// `qsThreadInfo`
    MoreThreads,
    /// `qThreadExtraInfo` of a thread that is known to exist.
    ThreadName(ThreadId),
    /// `Hg`
    SelectQuery(ThreadId),
    /// `Hc`
    SelectResume(Threads, u32),
    /// `g`
    Registers,
    /// `p` of a register that the target described.
    Register(u32),
    /// `m`
    Memory(RunAddr, usize),
    /// `x`
    MemoryBinary(RunAddr, usize),
    /// `M`: in a diversion only.
    WriteMemory(RunAddr, &'a [u8]),
    /// `P`: in a diversion only.
    WriteRegister(u32, &'a [u8]),
    /// `Z`
    Insert(&'a Break),
    /// `z`
    Remove(&'a Break),
    /// `vCont;c`
    Continue,
    /// `vCont;c:ID`: in a diversion, where one thread runs.
    ContinueOne(ThreadId),
    /// `vCont;s:ID`, the others as recorded.
    Step(ThreadId),
    /// `vCont;C`: the others go on, this thread with a signal, one of them by one instruction if that is asked for.
    Deliver {
        /// In GDB's numbering.
        signal: u8,
        /// Who gets it.
        thread: ThreadId,
        /// Who executes one instruction only.
        step: Option<ThreadId>,
    },
    /// `bc`
    ReverseContinue,
    /// `bs`
    ReverseStep,
    /// `vRun`
    Run(RunTarget),
    /// `qRRCmd`
    Rr(RrCommand),
}

/// Bytes asked for in one `qXfer`.
const TRANSFER: usize = 1 << 20;

impl Command<'_> {
    /// Encodes the payload of the packet.
    pub(super) fn encode(&self, s: Spelling) -> Vec<u8> {
        match self {
            Self::Features => "qSupported:multiprocess+;swbreak+;hwbreak+;vContSupported+;xmlRegisters=i386".into(),
            Self::NoAck => "QStartNoAckMode".into(),
            Self::PassSignals(numbers) => {
                let list: Vec<String> = numbers.iter().map(|n| format!("{n:x}")).collect();
                format!("QPassSignals:{}", list.join(";"))
            }
            Self::Description { annex, offset } => format!("qXfer:features:read:{annex}:{offset:x},{TRANSFER:x}"),
            Self::Auxv => format!("qXfer:auxv:read::0,{TRANSFER:x}"),
            Self::OpenMappings(pid) => {
                let path: String = format!("/proc/{pid}/maps").bytes().map(|byte| format!("{byte:02x}")).collect();
                format!("vFile:open:{path},0,0")
            }
            Self::ReadFile { file, offset } => format!("vFile:pread:{file:x},{FILE_PIECE:x},{offset:x}"),
            Self::CloseFile(file) => format!("vFile:close:{file:x}"),
            Self::SignalInfo => format!("qXfer:siginfo:read::0,{SIGNAL_INFO:x}"),
            Self::ExecFile(pid) => format!("qXfer:exec-file:read:{pid:x}:0,{TRANSFER:x}"),
            Self::LastStop => "?".into(),
            Self::CurrentThread => "qC".into(),
            Self::FirstThreads => "qfThreadInfo".into(),
            Self::MoreThreads => "qsThreadInfo".into(),
            Self::ThreadName(t) => format!("qThreadExtraInfo,{}", s.thread(*t)),
            Self::SelectQuery(t) => format!("Hg{}", s.thread(*t)),
            Self::SelectResume(Threads::One(t), _) => format!("Hc{}", s.thread(*t)),
            Self::SelectResume(Threads::Any, pid) if s.multiprocess => format!("Hcp{pid:x}.0"),
            Self::SelectResume(Threads::Any, _) => "Hc0".into(),
            Self::Registers => "g".into(),
            Self::Register(n) => format!("p{n:x}"),
            Self::Memory(at, length) => format!("m{:x},{length:x}", at.0),
            Self::MemoryBinary(at, length) => format!("x{:x},{length:x}", at.0),
            Self::WriteMemory(at, bytes) => format!("M{:x},{:x}:{}", at.0, bytes.len(), hex::encode(bytes)),
            Self::WriteRegister(number, bytes) => format!("P{number:x}={}", hex::encode(bytes)),
            Self::Insert(entry) => s.insert(entry),
            Self::Remove(entry) => format!("z{}", s.place(entry)),
            Self::Continue => "vCont;c".into(),
            Self::ContinueOne(t) => format!("vCont;c:{}", s.thread(*t)),
            Self::Step(t) => s.step(*t),
            Self::Deliver { signal, thread, step } => s.deliver(*signal, *thread, *step),
            Self::ReverseContinue => "bc".into(),
            Self::ReverseStep => "bs".into(),
            Self::Run(target) => run(*target),
            Self::Rr(command) => s.rr(command),
        }
        .into_bytes()
    }
}

impl RrCommand {
    /// Returns the name as a user of GDB would type it.
    pub(super) fn name(&self) -> &'static str {
        match self {
            Self::When => "when",
            Self::WhenTicks(_) => "when-ticks",
            Self::Checkpoint(_) => "checkpoint",
            Self::DeleteCheckpoint(_) => "delete checkpoint",
        }
    }

    fn argument(&self) -> Option<String> {
        match self {
            Self::Checkpoint(place) => Some(plain_ascii(place)),
            Self::DeleteCheckpoint(id) => Some(id.to_string()),
            _ => None,
        }
    }
}

/// Reduces a text to what every rr version decodes alike: printable ASCII, not empty, not long.
fn plain_ascii(text: &str) -> String {
    let printable = |c: char| if c == ' ' || c.is_ascii_graphic() { c } else { '?' };
    let text: String = text.chars().take(LONGEST_PLACE).map(printable).collect();
    if text.is_empty() { "?".into() } else { text }
}

fn run(target: RunTarget) -> String {
    let argument = match target {
        RunTarget::Event(n) => n.to_string(),
        RunTarget::Checkpoint(n) => format!("c{n}"),
        RunTarget::Ticks(n) => format!("t{n}"),
    };
    // The program name is left empty: rr aborts if one is given.
    format!("vRun;;{}", hex::encode(argument.as_bytes()))
}

impl Spelling {
    fn thread(self, t: ThreadId) -> String {
        if self.multiprocess { format!("p{:x}.{:x}", t.pid, t.tid) } else { format!("{:x}", t.tid) }
    }

    fn step(self, t: ThreadId) -> String {
        format!("vCont;s:{};c:{}", self.thread(t), self.all_of(t))
    }

    fn deliver(self, signal: u8, t: ThreadId, step: Option<ThreadId>) -> String {
        let (thread, all) = (self.thread(t), self.all_of(t));
        match step {
            Some(stepped) if stepped == t => format!("vCont;S{signal:02x}:{thread};c:{all}"),
            // The first action that fits a thread is done.
            Some(stepped) => format!("vCont;s:{};C{signal:02x}:{thread};c:{all}", self.thread(stepped)),
            None => format!("vCont;C{signal:02x}:{thread};c:{all}"),
        }
    }

    /// Spells all threads of the process of this one.
    fn all_of(self, t: ThreadId) -> String {
        if self.multiprocess { format!("p{:x}.-1", t.pid) } else { "-1".into() }
    }

    /// Spells the type, address and size of an entry. The size of a breakpoint is that of the trap instruction whatever
    /// the entry says: rr asserts it.
    fn place(self, entry: &Break) -> String {
        let trap = self.arch.trap_size();
        let (kind, length) = match entry.kind {
            BreakKind::Software => (0, trap),
            BreakKind::Hardware => (1, trap),
            BreakKind::WatchWrite => (2, entry.length),
            BreakKind::WatchRead => (3, entry.length),
            BreakKind::WatchAccess => (4, entry.length),
        };
        format!("{kind},{:x},{length:x}", entry.address.0)
    }

    fn insert(self, entry: &Break) -> String {
        let mut text = format!("Z{}", self.place(entry));
        if !self.conditions || entry.conditions.is_empty() {
            return text;
        }
        text.push(';');
        for code in &entry.conditions {
            // Writing to a `String` cannot fail.
            let _ = write!(text, "X{:x},{}", code.len(), hex::encode(code));
        }
        text
    }

    fn rr(self, command: &RrCommand) -> String {
        let mut text = String::from("qRRCmd:");
        match self.rr_command {
            RrSpelling::HexName => text.push_str(&hex::encode(command.name().as_bytes())),
            RrSpelling::NameAndThread => {
                text.push_str(command.name());
                match command {
                    RrCommand::WhenTicks(t) => text.push_str(&format!(":{}", t.tid)),
                    _ => text.push_str(":-1"),
                }
            }
        }
        if let Some(argument) = command.argument() {
            text.push(':');
            text.push_str(&hex::encode(argument.as_bytes()));
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const THREAD: ThreadId = ThreadId { pid: 0x4b72, tid: 0x4b73 };
    const NEW: Spelling =
        Spelling { multiprocess: true, rr_command: RrSpelling::NameAndThread, conditions: true, arch: Arch::X86_64 };
    const OLD: Spelling = Spelling { rr_command: RrSpelling::HexName, ..NEW };

    #[track_caller]
    fn check(command: Command<'_>, spelling: Spelling, expected: &str) {
        assert_eq!(String::from_utf8_lossy(&command.encode(spelling)), expected);
    }

    #[test]
    fn handshake() {
        check(Command::Features, NEW, "qSupported:multiprocess+;swbreak+;hwbreak+;vContSupported+;xmlRegisters=i386");
        check(Command::PassSignals(&crate::PASSED_SIGNALS), NEW, "QPassSignals:e;10;14;17;1a;1b;1c;21;24;25;2c;4c;97");
        check(
            Command::Description { annex: "target.xml", offset: 0x40 },
            NEW,
            "qXfer:features:read:target.xml:40,100000",
        );
    }

    #[test]
    fn threads_in_both_forms() {
        let single = Spelling { multiprocess: false, ..NEW };
        check(Command::SelectQuery(THREAD), NEW, "Hgp4b72.4b73");
        check(Command::SelectQuery(THREAD), single, "Hg4b73");
        check(Command::SelectResume(Threads::One(THREAD), THREAD.pid), NEW, "Hcp4b72.4b73");
        check(Command::SelectResume(Threads::Any, THREAD.pid), NEW, "Hcp4b72.0");
        check(Command::SelectResume(Threads::Any, THREAD.pid), single, "Hc0");
        check(Command::Step(THREAD), NEW, "vCont;s:p4b72.4b73;c:p4b72.-1");
        check(Command::Step(THREAD), single, "vCont;s:4b73;c:-1");
        check(Command::Deliver { signal: 0xb, thread: THREAD, step: None }, NEW, "vCont;C0b:p4b72.4b73;c:p4b72.-1");
        check(Command::Deliver { signal: 0xe, thread: THREAD, step: Some(THREAD) }, single, "vCont;S0e:4b73;c:-1");
        let other = ThreadId { tid: 0x4b72, ..THREAD };
        check(
            Command::Deliver { signal: 0xe, thread: THREAD, step: Some(other) },
            single,
            "vCont;s:4b72;C0e:4b73;c:-1",
        );
    }

    #[test]
    fn rr_commands_in_both_spellings() {
        check(Command::Rr(RrCommand::When), NEW, "qRRCmd:when:-1");
        check(Command::Rr(RrCommand::When), OLD, "qRRCmd:7768656e");
        check(Command::Rr(RrCommand::WhenTicks(THREAD)), NEW, "qRRCmd:when-ticks:19315");
        check(Command::Rr(RrCommand::Checkpoint("here".into())), NEW, "qRRCmd:checkpoint:-1:68657265");
        check(Command::Rr(RrCommand::DeleteCheckpoint(12)), NEW, "qRRCmd:delete checkpoint:-1:3132");
        check(Command::Rr(RrCommand::DeleteCheckpoint(1)), OLD, "qRRCmd:64656c65746520636865636b706f696e74:31");
    }

    #[test]
    fn a_checkpoint_is_never_nameless_and_always_ascii() {
        check(Command::Rr(RrCommand::Checkpoint(String::new())), NEW, "qRRCmd:checkpoint:-1:3f");
        check(Command::Rr(RrCommand::Checkpoint("é\n".into())), NEW, "qRRCmd:checkpoint:-1:3f3f");
    }

    #[test]
    fn restarts() {
        check(Command::Run(RunTarget::Event(100)), NEW, "vRun;;313030");
        check(Command::Run(RunTarget::Checkpoint(2)), NEW, "vRun;;6332");
        check(Command::Run(RunTarget::Ticks(9999)), NEW, "vRun;;7439393939");
    }

    #[test]
    fn a_breakpoint_has_the_size_of_the_trap_instruction_whatever_is_asked() {
        let entry = |kind, length| Break { kind, address: RunAddr(0x40_161d), length, conditions: vec![] };
        let arm = Spelling { arch: Arch::Aarch64, ..NEW };
        check(Command::Insert(&entry(BreakKind::Software, 8)), NEW, "Z0,40161d,1");
        check(Command::Remove(&entry(BreakKind::Software, 0)), NEW, "z0,40161d,1");
        check(Command::Insert(&entry(BreakKind::Hardware, 8)), arm, "Z1,40161d,4");
        check(Command::Insert(&entry(BreakKind::WatchAccess, 8)), NEW, "Z4,40161d,8");
    }

    #[test]
    fn conditions_follow_in_hex() {
        let entry = Break {
            kind: BreakKind::Software,
            address: RunAddr(0x40_161d),
            length: 1,
            conditions: vec![vec![0x22, 1, 0x27], vec![0x22, 0, 0x27]],
        };
        check(Command::Insert(&entry), NEW, "Z0,40161d,1;X3,220127X3,220027");
        check(Command::Remove(&entry), NEW, "z0,40161d,1");
        check(Command::Insert(&entry), Spelling { conditions: false, ..NEW }, "Z0,40161d,1");
    }
}
