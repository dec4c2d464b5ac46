//! The client against scripted servers: what is sent, byte for byte, and what is made of the answers.
//!
//! A script is a list of lines. `> x` is a packet that the client must send next, `> ^C` the interrupt byte; `< x` is a
//! packet that it then receives, `<= x` the same with `x` as a line of rr's command output (in hex); `~` is a moment of
//! silence. A packet that is not in the script fails the test, so the scripts also say what is *not* sent.

mod breakpoints;
mod cancelled_tests;
mod interrupts;
mod restarts;

use super::codec::{Decoder, Frame, INTERRUPT, encode};
use super::*;
use base::cancel::Cancel;
use std::collections::VecDeque;
use std::io;

const MAIN: ThreadId = ThreadId { pid: 0x10, tid: 0x10 };
const OTHER: ThreadId = ThreadId { pid: 0x10, tid: 0x11 };

/// Enough registers for a layout.
const TARGET: &str = "l<target><architecture>i386:x86-64</architecture>\
    <reg name=\"rsp\" bitsize=\"64\" type=\"data_ptr\" regnum=\"7\"/>\
    <reg name=\"rip\" bitsize=\"64\" type=\"code_ptr\" regnum=\"16\"/></target>";

/// What a `vRun` to event 90 looks like on the wire.
const TO_90: &str =
    "> vRun;;3930\n< T05thread:p10.10;\n> vCont;c\n< T00thread:p10.10;\n> qXfer:auxv:read::0,100000\n< l\n";

struct Script {
    lines: VecDeque<String>,
    sent: Decoder,
    /// Reads in a row that found nothing, so that a script that waits for the client ends.
    idle: u32,
}

impl Script {
    fn expect(&mut self, sent: &str) {
        let next = self.lines.pop_front().unwrap_or_else(|| "the end".into());
        assert_eq!(format!("> {sent}"), next);
    }
}

impl Transport for Script {
    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.idle = 0;
        if bytes == [INTERRUPT] {
            self.expect("^C");
            return Ok(());
        }
        self.sent.feed(bytes);
        while let Some(frame) = self.sent.next_frame() {
            if let Frame::Packet(payload) = frame.unwrap() {
                self.expect(&String::from_utf8_lossy(&payload));
            }
        }
        Ok(())
    }

    fn read(&mut self, into: &mut [u8]) -> io::Result<Received> {
        self.idle += 1;
        let mut wire = Vec::new();
        match self.lines.front().map(|l| l.split_at(l.find(' ').map_or(l.len(), |i| i + 1))) {
            None => return Ok(Received::End),
            Some(("< ", payload)) => encode(payload.as_bytes(), &mut wire),
            Some(("<= ", text)) => encode(hex::encode(format!("{text}\n").as_bytes()).as_bytes(), &mut wire),
            Some(("~", _)) => {}
            // As long as a look at a silent wire takes.
            Some(("~~", _)) => std::thread::sleep(transport::POLL),
            Some(_) if self.idle > 100 => return Ok(Received::End),
            Some(_) => return Ok(Received::Nothing),
        }
        self.lines.pop_front();
        if wire.is_empty() {
            return Ok(Received::Nothing);
        }
        into[..wire.len()].copy_from_slice(&wire);
        Ok(Received::Bytes(wire.len()))
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Version {
    V5_6,
    V5_7,
    V5_8,
    V5_9,
}

fn handshake(version: Version) -> String {
    let (when, x) = match version {
        Version::V5_6 | Version::V5_7 => ("Command '' not found.", ""),
        Version::V5_8 => ("Completed event: 15", "OK"),
        Version::V5_9 => ("Completed event: 15", "b"),
    };
    format!(
        "> QStartNoAckMode\n< OK\n\
         > qSupported:multiprocess+;swbreak+;hwbreak+;vContSupported+;xmlRegisters=i386\n\
         < PacketSize=1048576;QStartNoAckMode+;multiprocess+;QPassSignals+;ReverseContinue+;ReverseStep+\n\
         > QPassSignals:e;10;14;17;1a;1b;1c;21;24;25;2c;4c;97\n< OK\n\
         > ?\n< T00thread:p10.10;\n\
         > qRRCmd:when:-1\n<= {when}\n\
         > x0,0\n< {x}\n\
         > qXfer:features:read:target.xml:0,100000\n< {TARGET}\n\
         > qXfer:auxv:read::0,100000\n< l\n"
    )
}

fn over(script: &str) -> Result<Client, Error> {
    // The last request, which `finished` makes, is never answered.
    let lines = script.lines().chain(["> ?"]).map(|l| l.trim_start().to_owned());
    let lines = lines.filter(|l| !l.is_empty()).collect();
    Client::over(Box::new(Script { lines, sent: Decoder::default(), idle: 0 }), Duration::from_secs(5))
}

/// Returns a client that has shaken hands and then meets `script`.
fn client(version: Version, script: &str) -> Client {
    over(&format!("{}{script}", handshake(version))).unwrap()
}

fn cancelled() -> Cancel {
    let cancel = Cancel::default();
    cancel.cancel();
    cancel
}

fn run(client: &mut Client, how: Resume) -> Result<Outcome, Error> {
    client.resume(how, &Cancel::default())
}

fn stopped(signal: u8, thread: ThreadId, cause: StopCause) -> StopReply {
    StopReply::Stopped { signal, thread, cause }
}

fn software(address: u64) -> Break {
    Break { kind: BreakKind::Software, address: RunAddr(address), length: 1, conditions: vec![] }
}

fn watch(address: u64) -> Break {
    Break { kind: BreakKind::WatchWrite, address: RunAddr(address), length: 8, conditions: vec![] }
}

/// Checks that all of the script has been played.
#[track_caller]
fn finished(mut client: Client) {
    // At the end of the script the server is gone.
    let error = client.last_stop();
    assert!(matches!(&error, Err(Error::Closed { .. } | Error::Unusable { .. })), "{error:?}");
}

/// Asks for position, memory, the beginning and a restart, which every version spells or answers in its own way.
fn tour(version: Version) -> Client {
    let old = matches!(version, Version::V5_6 | Version::V5_7);
    let when = if old { "> qRRCmd:7768656e\n<= Current event: 16" } else { "> qRRCmd:when:-1\n<= Completed event: 15" };
    let ticks = if old { "qRRCmd:7768656e2d7469636b73" } else { "qRRCmd:when-ticks:16" };
    let memory = match version {
        Version::V5_6 | Version::V5_7 => "> m1000,4\n< 61626364",
        Version::V5_8 => "> x1000,4\n< abcd",
        Version::V5_9 => "> x1000,4\n< babcd",
    };
    let begin = if version == Version::V5_9 { "replaylog:begin;" } else { "" };
    let mut client = client(
        version,
        &format!(
            "{when}\n> {ticks}\n<= Current tick: 77\n{memory}\n\
             > Hcp10.0\n< OK\n> bc\n< T00thread:p10.10;{begin}\n\
             > vRun;;3230\n< T0bthread:p10.10;\n> vCont;c\n< T00thread:p10.10;\n> qXfer:auxv:read::0,100000\n< l\n"
        ),
    );
    assert_eq!(client.moment(MAIN).unwrap(), Moment { event: 15, ticks: 77 });
    assert_eq!(client.read_memory(RunAddr(0x1000), 4).unwrap(), b"abcd");
    let beginning = Outcome::Stopped(stopped(0, MAIN, StopCause::Beginning));
    assert_eq!(run(&mut client, Resume::ReverseContinue(None)).unwrap(), beginning);
    let arrived = client.restart(Restart::Event(20), Duration::from_secs(5)).unwrap();
    assert_eq!(arrived, stopped(0, MAIN, StopCause::Plain));
    client
}

#[test]
fn rr_5_6() {
    finished(tour(Version::V5_6));
}

#[test]
fn rr_5_7() {
    finished(tour(Version::V5_7));
}

#[test]
fn rr_5_8() {
    finished(tour(Version::V5_8));
}

#[test]
fn rr_5_9_and_later() {
    finished(tour(Version::V5_9));
}

#[test]
fn an_emergency_server_is_refused() {
    let script = "> QStartNoAckMode\n< OK\n\
        > qSupported:multiprocess+;swbreak+;hwbreak+;vContSupported+;xmlRegisters=i386\n< PacketSize=100000;multiprocess+\n\
        > ?\n< T05thread:p10.10;\n> qRRCmd:when:-1\n<= Completed event: 15\n";
    assert!(matches!(over(script), Err(Error::Unsupported { request }) if request == "bc"));
}

#[test]
fn a_server_without_processes_in_its_ids_is_served_too() {
    let script = handshake(Version::V5_9).replace("multiprocess+;Q", "Q").replace("p10.10", "10");
    let mut client = over(&format!("{script}> Hc0\n< OK\n> bc\n< T05thread:11;\n> Hg10\n< OK\n> g\n< xx\n")).unwrap();
    let outcome = run(&mut client, Resume::ReverseContinue(None)).unwrap();
    assert_eq!(outcome, Outcome::Stopped(stopped(5, OTHER, StopCause::Plain)));
    assert_eq!(client.registers(MAIN).unwrap().pc(), None);
    finished(client);
}

/// Returns a client of a server that is no rr: it has neither reverse execution nor time.
fn other_server(script: &str) -> Client {
    let handshake = handshake(Version::V5_9)
        .replace(";ReverseContinue+;ReverseStep+", "")
        .replace("<= Completed event: 15", "< ")
        .replace("< b\n", "< \n");
    over(&format!("{handshake}{script}")).unwrap()
}

#[test]
fn three_bytes_that_look_like_an_error_are_asked_for_again_in_hex() {
    let mut client =
        client(Version::V5_8, "> x1000,3\n< E01\n> m1000,3\n< 453031\n> x2000,3\n< E01\n> m2000,3\n< E01\n");
    assert_eq!(client.read_memory(RunAddr(0x1000), 3).unwrap(), b"E01");
    assert_eq!(client.read_memory(RunAddr(0x2000), 3).unwrap(), b"");
    finished(client);
}

#[test]
fn a_long_read_ends_at_the_first_byte_that_cannot_be_read() {
    let mut client = client(Version::V5_9, "> x1000,40000\n< babc\n> x0,40000\n< E01\n> xfffffffffffffffe,2\n< bzz\n");
    assert_eq!(client.read_memory(RunAddr(0x1000), 1 << 20).unwrap(), b"abc");
    assert_eq!(client.read_memory(RunAddr(0), 1 << 20).unwrap(), b"");
    assert_eq!(client.read_memory(RunAddr(u64::MAX - 1), 100).unwrap(), b"zz");
    assert!(matches!(client.read_memory(RunAddr(0), usize::MAX), Err(Error::TooLong { .. })));
    finished(client);
}

#[test]
fn a_step_of_a_dead_thread_is_refused() {
    let mut client = client(Version::V5_9, "> Hgp10.11\n< E01\n> Hcp10.11\n< E01\n");
    assert!(matches!(run(&mut client, Resume::Step(OTHER)), Err(Error::NoThread { thread: OTHER })));
    assert!(matches!(run(&mut client, Resume::ReverseStep(OTHER)), Err(Error::NoThread { thread: OTHER })));
    finished(client);
}

#[test]
fn a_server_lets_none_pass_by_which_it_tells_of_stops() {
    let mut client = client(Version::V5_9, "> QPassSignals:1;e\n< OK\n");
    client.pass_signals(&[1, 2, 5, 9, 14]).unwrap();
    client.pass_signals(&[1, 14]).unwrap();
    finished(client);
}

#[test]
fn a_backward_run_of_one_thread_selects_it() {
    let mut client = client(
        Version::V5_9,
        "> Hcp10.11\n< OK\n> bc\n< T05thread:p10.11;\n> Hcp10.0\n< OK\n> bc\n< T05thread:p10.11;\n",
    );
    run(&mut client, Resume::ReverseContinue(Some(OTHER))).unwrap();
    run(&mut client, Resume::ReverseContinue(None)).unwrap();
    finished(client);
}

#[test]
fn a_thread_of_another_process_is_refused_without_a_packet() {
    let mut client = client(Version::V5_9, "");
    let foreign = ThreadId { pid: 0x99, tid: 0x99 };
    assert!(matches!(client.registers(foreign), Err(Error::ForeignThread { .. })));
    assert!(matches!(run(&mut client, Resume::Step(foreign)), Err(Error::ForeignThread { .. })));
    finished(client);
}

#[test]
fn the_name_of_a_dead_thread_is_not_asked_for() {
    let mut client = client(Version::V5_9, "> Hgp10.11\n< E01\n> qThreadExtraInfo,p10.10\n< 6d61696e00\n");
    assert!(matches!(client.thread_name(OTHER), Err(Error::NoThread { thread: OTHER })));
    assert_eq!(client.thread_name(MAIN).unwrap().as_deref(), Some("main"));
    finished(client);
}

#[test]
fn a_late_answer_makes_the_connection_unusable() {
    let mut client = client(Version::V5_9, "> qfThreadInfo\n~\n< mp10.10\n");
    client.set_request_timeout(Duration::ZERO);
    assert!(matches!(client.threads(), Err(Error::Timeout { .. })));
    assert!(matches!(client.threads(), Err(Error::Unusable { .. })));
}

#[test]
fn a_server_at_work_gets_ten_times_the_time() {
    for (moments, is_soon_enough) in [(9, true), (10, false)] {
        let silence = "~\n".repeat(moments);
        let mut client = client(Version::V5_9, &format!("> qfThreadInfo\n{silence}< mp10.10\n> qsThreadInfo\n< l\n"));
        client.set_request_timeout(Duration::ZERO);
        client.set_at_work(|| true);
        assert_eq!(client.threads().is_ok(), is_soon_enough, "{moments}");
    }
}

#[test]
fn a_dead_rr_is_named_with_the_request_in_flight() {
    let mut client = client(Version::V5_9, "> vCont;c\n");
    let error = run(&mut client, Resume::Continue).unwrap_err();
    assert_eq!(error.to_string(), "rr closed the connection at `vCont;c`");
    let error = client.threads().unwrap_err();
    assert_eq!(error.to_string(), "the connection to rr is unusable: rr closed the connection at `vCont;c`");
}

#[test]
fn traffic_is_counted() {
    let mut client = client(Version::V5_9, "> qfThreadInfo\n< mp10.10\n> qsThreadInfo\n< l\n");
    let before = client.traffic();
    assert_eq!(client.threads().unwrap(), [MAIN]);
    let after = client.traffic();
    assert_eq!(after.packets - before.packets, 2);
    let framing = 4 * 4;
    assert_eq!(after.bytes - before.bytes, framing + 12 + 7 + 12 + 1);
}
