//! What rr answers, decoded by what was asked. A reply means nothing without its request: `E01` is an error after `m`
//! and data after an old rr's `x`.

use super::hex;
use super::{StopCause, StopReply};
use arch::{RunAddr, ThreadId};

/// Most threads that a list may have.
const MOST_THREADS: usize = 1 << 14;

/// Why a reply could not be decoded. The client adds the request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// `Exx`
    Refused(u8),
    /// The empty reply: the server does not know the request.
    Unknown,
    /// Not what this request is answered with.
    Malformed(String),
}

/// What a request's reply decodes to.
pub(super) type Decoded<T> = Result<T, Fault>;

/// Returns the fault that is in a reply that is not in the expected form.
fn unexpected(reply: &[u8]) -> Fault {
    match reply {
        [] => Fault::Unknown,
        [b'E', high, low] => hex::byte(*high, *low).map_or_else(|| malformed(reply), Fault::Refused),
        _ => malformed(reply),
    }
}

fn malformed(reply: &[u8]) -> Fault {
    Fault::Malformed(format!("`{}`", excerpt(reply)))
}

/// Returns the start of a packet as text, for messages and the trace.
pub(super) fn excerpt(payload: &[u8]) -> String {
    const SHOWN: usize = 60;
    let head = payload.get(..SHOWN).unwrap_or(payload);
    let dots = if payload.len() > SHOWN { "…" } else { "" };
    format!("{}{dots}", head.escape_ascii())
}

/// Parses `OK`.
pub(super) fn ok(reply: &[u8]) -> Decoded<()> {
    if reply == b"OK" { Ok(()) } else { Err(unexpected(reply)) }
}

/// What a server says about itself in reply to `qSupported`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Features {
    /// Thread ids are `pPID.TID`.
    pub(super) multiprocess: bool,
    /// `bc` and `bs` work. Without them this is the reduced server of an rr that has failed an assertion.
    pub(super) reverse: bool,
    /// `QPassSignals` works.
    pub(super) pass_signals: bool,
    /// `PacketSize`: the longest request or reply, in bytes.
    pub(super) packet_size: Option<usize>,
}

/// Parses the reply to `qSupported`.
pub(super) fn features(reply: &[u8]) -> Decoded<Features> {
    if reply.is_empty() {
        return Err(Fault::Unknown);
    }
    let has = |name: &[u8]| reply.split(|b| *b == b';').any(|f| f == name);
    Ok(Features {
        multiprocess: has(b"multiprocess+"),
        reverse: has(b"ReverseContinue+") && has(b"ReverseStep+"),
        pass_signals: has(b"QPassSignals+"),
        packet_size: reply
            .split(|b| *b == b';')
            .find_map(|f| usize::try_from(hex::number(f.strip_prefix(b"PacketSize=")?)?).ok()),
    })
}

/// A thread id as spelled: the plain form leaves the process open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SpelledThread {
    pid: Option<u32>,
    tid: u32,
}

impl SpelledThread {
    /// Returns the thread, given the process that a plain id belongs to. The first thread a server names is taken to be
    /// its process's main thread (`pid` `None`).
    pub(super) fn of(self, pid: Option<u32>) -> ThreadId {
        ThreadId { pid: self.pid.or(pid).unwrap_or(self.tid), tid: self.tid }
    }
}

/// Parses `pPID.TID` or `TID`.
fn thread(text: &[u8]) -> Option<SpelledThread> {
    let id = |digits: &[u8]| u32::try_from(hex::number(digits)?).ok();
    match text.strip_prefix(b"p") {
        None => Some(SpelledThread { pid: None, tid: id(text)? }),
        Some(both) => {
            let dot = both.iter().position(|b| *b == b'.')?;
            Some(SpelledThread { pid: Some(id(&both[..dot])?), tid: id(&both[dot + 1..])? })
        }
    }
}

/// Parses `QC` and a thread id.
pub(super) fn current_thread(reply: &[u8]) -> Decoded<SpelledThread> {
    reply.strip_prefix(b"QC").and_then(thread).ok_or_else(|| unexpected(reply))
}

/// Parses one packet of a thread list: `m` and ids, or `l` for the end.
pub(super) fn thread_list(reply: &[u8]) -> Decoded<Option<Vec<SpelledThread>>> {
    match reply.split_first() {
        Some((b'l', [])) => Ok(None),
        Some((b'm', list)) if list.len() <= MOST_THREADS * 20 => {
            let ids: Option<Vec<_>> = list.split(|b| *b == b',').map(thread).collect();
            ids.map(Some).ok_or_else(|| malformed(reply))
        }
        _ => Err(unexpected(reply)),
    }
}

/// Parses a stop reply, in reply to a resume, a `vRun`, an interrupt or `?`. `pid` is the process that a plain thread
/// id belongs to.
pub(super) fn stop(reply: &[u8], pid: Option<u32>) -> Decoded<StopReply> {
    // gdbserver writes `W0;process:1a2b`, and knows no other way to spell a short code.
    if let [kind @ (b'W' | b'X'), rest @ ..] = reply {
        let digits = rest.split(|b| *b == b';').next().unwrap_or_default();
        let code = hex::number(digits).and_then(|code| u8::try_from(code).ok()).ok_or_else(|| malformed(reply))?;
        return Ok(if *kind == b'W' { StopReply::Exited(code) } else { StopReply::Killed(code) });
    }
    let (kind, code, fields) = match reply {
        [kind, high, low, fields @ ..] => (*kind, hex::byte(*high, *low).ok_or_else(|| malformed(reply))?, fields),
        _ => return Err(unexpected(reply)),
    };
    if kind != b'T' {
        return Err(unexpected(reply));
    }
    let mut stopped = None;
    let (mut software, mut hardware, mut watch, mut beginning) = (false, false, None, false);
    for field in fields.split(|b| *b == b';').filter(|f| !f.is_empty()) {
        let colon = field.iter().position(|b| *b == b':').ok_or_else(|| malformed(reply))?;
        let value = &field[colon + 1..];
        match &field[..colon] {
            b"thread" => stopped = Some(thread(value).ok_or_else(|| malformed(reply))?.of(pid)),
            b"swbreak" => software = true,
            b"hwbreak" => hardware = true,
            b"watch" | b"rwatch" | b"awatch" => {
                watch = Some(RunAddr(hex::number(value).ok_or_else(|| malformed(reply))?));
            }
            b"replaylog" => beginning = value == b"begin",
            // Registers and whatever else a server likes to add.
            _ => {}
        }
    }
    let cause = match watch {
        Some(address) => StopCause::Watch { address, and_break: software },
        None if software => StopCause::SoftwareBreak,
        None if hardware => StopCause::HardwareBreak,
        None if beginning => StopCause::Beginning,
        None => StopCause::Plain,
    };
    let thread = stopped.ok_or_else(|| malformed(reply))?;
    Ok(StopReply::Stopped { signal: code, thread, cause })
}

/// Parses register bytes: hex, or `xx` for a byte that the target cannot give.
pub(super) fn registers(reply: &[u8]) -> Decoded<Vec<Option<u8>>> {
    if reply.is_empty() || !reply.len().is_multiple_of(2) {
        return Err(unexpected(reply));
    }
    let byte = |pair: &[u8]| match pair {
        b"xx" => Some(None),
        _ => hex::byte(pair[0], pair[1]).map(Some),
    };
    reply.chunks_exact(2).map(byte).collect::<Option<_>>().ok_or_else(|| malformed(reply))
}

/// Parses bytes in hex. Nothing readable is no bytes.
pub(super) fn memory(reply: &[u8]) -> Decoded<Vec<u8>> {
    if reply == b"E01" {
        return Ok(Vec::new());
    }
    hex::decode(reply).ok_or_else(|| unexpected(reply))
}

/// Parses raw bytes after a `b`. Nothing readable is no bytes.
pub(super) fn memory_binary(reply: &[u8]) -> Decoded<Vec<u8>> {
    match reply.split_first() {
        Some((b'b', data)) => Ok(data.to_vec()),
        _ if reply == b"E01" => Ok(Vec::new()),
        _ => Err(unexpected(reply)),
    }
}

/// Parses the number in the answer to an operation on files: of a file, or of bytes. Where it failed, that is a
/// refusal.
pub(super) fn file_number(reply: &[u8]) -> Decoded<u64> {
    let number = reply.strip_prefix(b"F").ok_or_else(|| unexpected(reply))?;
    let (number, _) = number.split_at(number.iter().position(|byte| *byte == b';').unwrap_or(number.len()));
    if number.starts_with(b"-") {
        return Err(Fault::Refused(1));
    }
    let text = std::str::from_utf8(number).map_err(|_| malformed(reply))?;
    u64::from_str_radix(text, 16).map_err(|_| malformed(reply))
}

/// Parses bytes of a file. None are its end.
pub(super) fn file_bytes(reply: &[u8]) -> Decoded<Vec<u8>> {
    let length = file_number(reply)?;
    let start = reply.iter().position(|byte| *byte == b';').ok_or_else(|| malformed(reply))?;
    let data = reply.get(start + 1..).unwrap_or_default();
    if data.len() as u64 != length {
        return Err(malformed(reply));
    }
    Ok(data.to_vec())
}

/// A piece of a `qXfer` object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Piece {
    /// The bytes.
    pub(super) data: Vec<u8>,
    /// Nothing follows.
    pub(super) last: bool,
}

/// Parses `l` or `m` and data.
pub(super) fn transfer(reply: &[u8]) -> Decoded<Piece> {
    match reply.split_first() {
        Some((b'l', data)) => Ok(Piece { data: data.to_vec(), last: true }),
        Some((b'm', data)) => Ok(Piece { data: data.to_vec(), last: false }),
        _ => Err(unexpected(reply)),
    }
}

/// Decodes text in hex, without the line end or NUL that rr puts behind it.
pub(super) fn text(reply: &[u8]) -> Decoded<String> {
    let bytes = hex::decode(reply).ok_or_else(|| unexpected(reply))?;
    let text = String::from_utf8_lossy(&bytes);
    Ok(text.trim_end_matches(['\0', '\n']).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn answers_about_files() {
        assert_eq!((file_number(b"F0"), file_number(b"Fa;bc")), (Ok(0), Ok(10)));
        assert_eq!(file_number(b"F-1,2"), Err(Fault::Refused(1)));
        assert_eq!((file_bytes(b"F3;a;b"), file_bytes(b"F0;")), (Ok(b"a;b".to_vec()), Ok(Vec::new())));
        for wrong in [&b"F4;abc"[..], b"F3", b"Fx;", b"F"] {
            assert!(matches!(file_bytes(wrong), Err(Fault::Malformed(_))), "{wrong:?}");
        }
        assert_eq!(file_bytes(b""), Err(Fault::Unknown));
    }

    const THREAD: ThreadId = ThreadId { pid: 0x4b72, tid: 0x4b73 };

    fn stopped(signal: u8, cause: StopCause) -> Decoded<StopReply> {
        Ok(StopReply::Stopped { signal, thread: THREAD, cause })
    }

    #[test]
    fn stop_replies_as_rr_writes_them() {
        use StopCause::*;
        let cases: [(&[u8], u8, StopCause); 8] = [
            (b"T05thread:p4b72.4b73;swbreak:;", 5, SoftwareBreak),
            (b"T05thread:p4b72.4b73;hwbreak:;", 5, HardwareBreak),
            (
                b"T05thread:p4b72.4b73;watch:5649a9ebd2e0;",
                5,
                Watch { address: RunAddr(0x5649_a9eb_d2e0), and_break: false },
            ),
            (b"T05thread:p4b72.4b73;watch:10;swbreak:;", 5, Watch { address: RunAddr(0x10), and_break: true }),
            (b"T05thread:p4b72.4b73;", 5, Plain),
            (b"T0bthread:p4b72.4b73;", 11, Plain),
            (b"T00thread:p4b72.4b73;replaylog:begin;", 0, Beginning),
            (b"T05thread:p4b72.4b73;06:0*;core:1;", 5, Plain),
        ];
        for (reply, signal, cause) in cases {
            assert_eq!(stop(reply, None), stopped(signal, cause), "{}", excerpt(reply));
        }
        assert_eq!(stop(b"W00", None), Ok(StopReply::Exited(0)));
        assert_eq!(stop(b"X09", None), Ok(StopReply::Killed(9)));
        assert_eq!(stop(b"E01", None), Err(Fault::Refused(1)));
    }

    #[test]
    fn a_plain_thread_id_belongs_to_the_process_that_is_debugged() {
        assert_eq!(stop(b"T05thread:4b73;", Some(0x4b72)), stopped(5, StopCause::Plain));
        assert_eq!(thread(b"4b72").unwrap().of(None), ThreadId { pid: 0x4b72, tid: 0x4b72 });
    }

    #[test]
    fn a_stop_without_a_thread_is_malformed() {
        assert!(matches!(stop(b"T05", None), Err(Fault::Malformed(_))));
        assert!(matches!(stop(b"T05thread:zz;", None), Err(Fault::Malformed(_))));
        assert!(matches!(stop(b"S05", None), Err(Fault::Malformed(_))));
    }

    #[test]
    fn unavailable_register_bytes_are_none() {
        assert_eq!(registers(b"01xxff"), Ok(vec![Some(1), None, Some(0xff)]));
        assert_eq!(registers(b"E10"), Err(Fault::Refused(0x10)));
        assert_eq!(registers(b""), Err(Fault::Unknown));
    }

    #[test]
    fn memory_in_each_form() {
        assert_eq!(memory(b"00ff"), Ok(vec![0, 0xff]));
        assert_eq!(memory(b"E01"), Ok(vec![]));
        assert_eq!(memory_binary(b"bE01"), Ok(b"E01".to_vec()));
        assert_eq!(memory_binary(b"E01"), Ok(vec![]));
        assert_eq!(memory_binary(b""), Err(Fault::Unknown));
    }

    #[test]
    fn thread_lists() {
        let list = thread_list(b"mp4b72.4b72,p4b72.4b73").unwrap().unwrap();
        assert_eq!(list[1].of(None), THREAD);
        assert_eq!(thread_list(b"l"), Ok(None));
        assert_eq!(thread_list(b"E01"), Err(Fault::Refused(1)));
    }

    #[test]
    fn text_loses_its_terminator() {
        assert_eq!(text(b"6c6f6f7000"), Ok("loop".into()));
        assert_eq!(text(b"610a620a"), Ok("a\nb".into()));
    }

    #[test]
    fn features_of_a_full_and_of_an_emergency_server() {
        let full =
            features(b"PacketSize=100000;QStartNoAckMode+;multiprocess+;QPassSignals+;ReverseContinue+;ReverseStep+");
        assert_eq!(
            full,
            Ok(Features { multiprocess: true, reverse: true, pass_signals: true, packet_size: Some(1048576) })
        );
        assert!(!features(b"PacketSize=100000;QStartNoAckMode+").unwrap().reverse);
    }

    proptest! {
        #[test]
        fn no_reply_panics(reply in proptest::collection::vec(prop_oneof![any::<u8>(), Just(b':'), Just(b';'), Just(b'p'), Just(b'T'), Just(b'0'), Just(b'F'), Just(b'm'), Just(b',')], 0..80)) {
            let _ = (stop(&reply, None), registers(&reply), memory(&reply), memory_binary(&reply), thread_list(&reply));
            let _ = (text(&reply), features(&reply), current_thread(&reply));
            let _ = (ok(&reply), transfer(&reply));
        }
    }
}
