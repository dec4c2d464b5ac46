//! The client against scripted servers: what is sent, byte for byte, and what is made of the answers.
//!
//! A script is a list of lines. `> x` is a packet that the client must send next, `> ^C` the interrupt byte; `< x` is a
//! packet that it then receives, `<= x` the same with `x` as a line of rr's command output (in hex); `~` is a moment of
//! silence. A packet that is not in the script fails the test, so the scripts also say what is *not* sent.

use super::codec::{Decoder, Frame, INTERRUPT, encode};
use super::*;
use crate::cancel::Cancel;
use std::collections::VecDeque;
use std::io;

const MAIN: ThreadId = ThreadId { pid: 0x10, tid: 0x10 };
const OTHER: ThreadId = ThreadId { pid: 0x10, tid: 0x11 };

/// Enough registers for a layout.
const TARGET: &str = "l<target><architecture>i386:x86-64</architecture>\
    <reg name=\"rsp\" bitsize=\"64\" type=\"data_ptr\" regnum=\"7\"/>\
    <reg name=\"rip\" bitsize=\"64\" type=\"code_ptr\" regnum=\"16\"/></target>";

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
fn an_interrupt_that_crosses_a_breakpoint_of_a_server_that_does_not_name_it() {
    let mut client = other_server(
        "> g\n< 00000000000000000020400000000000\n> Z0,401000,1\n< OK\n> vCont;c\n~\n> ^C\n< T05thread:p10.10;\n\
         > qC\n< QCp10.10\n> g\n< 00000000000000000010400000000000\n",
    );
    client.set_breaks(&[software(0x40_1000)]).unwrap();
    let outcome = client.resume(Resume::Continue, &cancelled()).unwrap();
    assert_eq!(outcome, Outcome::Stopped(stopped(5, MAIN, StopCause::SoftwareBreak)));
    finished(client);
}

#[test]
fn an_interrupt_that_crosses_a_signal_may_be_answered_by_the_next_resume_and_the_signal_is_delivered() {
    let mut client = other_server(
        "> vCont;c\n~\n> ^C\n< T0bthread:p10.10;\n> qC\n< QCp10.10\n> Hgp10.11\n< OK\n\
         > vCont;s:p10.11;C0b:p10.10;c:p10.-1\n< T02thread:p10.10;\n> Hgp10.11\n< OK\n\
         > vCont;s:p10.11;c:p10.-1\n< T05thread:p10.11;\n> g\n< xx\n> vCont;c\n< T02thread:p10.11;\n",
    );
    let outcome = client.resume(Resume::Continue, &cancelled()).unwrap();
    assert_eq!(outcome, Outcome::Stopped(stopped(11, MAIN, StopCause::Plain)));
    let stepped = run(&mut client, Resume::Step(OTHER));
    assert!(matches!(stepped, Err(Error::Registers { .. })), "{stepped:?}");
    // Only once: the next one is the program's.
    let stop = run(&mut client, Resume::Continue).unwrap();
    assert_eq!(stop, Outcome::Stopped(stopped(2, OTHER, StopCause::Plain)));
    finished(client);
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
fn an_interrupt_that_stops_the_run() {
    let mut client = client(
        Version::V5_9,
        "> vCont;c\n~\n> ^C\n~\n< T00thread:p10.11;\n> qC\n< QCp10.10\n\
         > Hcp10.11\n< OK\n> Hcp10.0\n< OK\n> bc\n< T05thread:p10.11;\n",
    );
    let outcome = client.resume(Resume::Continue, &cancelled()).unwrap();
    assert_eq!(outcome, Outcome::Interrupted(stopped(0, OTHER, StopCause::Plain)));
    // After an interrupt rr may remember a dead thread, for which it would refuse "any".
    run(&mut client, Resume::ReverseContinue(None)).unwrap();
    finished(client);
}

#[test]
fn an_interrupt_that_crosses_a_stop() {
    let mut client = client(
        Version::V5_9,
        "> vCont;c\n~\n> ^C\n< T05thread:p10.10;swbreak:;\n> qC\n< T00thread:p10.10;\n< QCp10.10\n> g\n< xx\n",
    );
    let outcome = client.resume(Resume::Continue, &cancelled()).unwrap();
    assert_eq!(outcome, Outcome::Stopped(stopped(5, MAIN, StopCause::SoftwareBreak)));
    client.registers(MAIN).unwrap();
    finished(client);
}

#[test]
fn an_interrupt_that_crosses_a_backward_stop_may_be_answered_by_the_next_resume() {
    let mut client = client(
        Version::V5_9,
        "> Hcp10.0\n< OK\n> bc\n~\n> ^C\n< T05thread:p10.10;swbreak:;\n> qC\n< QCp10.10\n\
         > bs\n< T00thread:p10.10;\n> Hcp10.10\n< OK\n> Hcp10.0\n< OK\n> bs\n< T05thread:p10.10;\n\
         > Hcp10.0\n< OK\n> bc\n< T00thread:p10.10;\n",
    );
    let outcome = client.resume(Resume::ReverseContinue(None), &cancelled()).unwrap();
    assert_eq!(outcome, Outcome::Stopped(stopped(5, MAIN, StopCause::SoftwareBreak)));
    let stepped = run(&mut client, Resume::ReverseStep(MAIN)).unwrap();
    assert_eq!(stepped, Outcome::Stopped(stopped(5, MAIN, StopCause::Plain)));
    // Only once.
    let stop = run(&mut client, Resume::ReverseContinue(None)).unwrap();
    assert_eq!(stop, Outcome::Stopped(stopped(0, MAIN, StopCause::Plain)));
    finished(client);
}

#[test]
fn an_interrupt_that_crosses_the_step_off_a_breakpoint_ends_the_run_there() {
    let mut client = client(
        Version::V5_9,
        "> g\n< 00000000000000000010000000000000\n> vCont;s:p10.10;c:p10.-1\n~\n> ^C\n< T05thread:p10.10;\n> qC\n< QCp10.10\n\
         > p10\n< 0110000000000000\n> Z0,1000,1\n< OK\n> vCont;c\n< T00thread:p10.10;\n\
         > p10\n< 0110000000000000\n> vCont;c\n< T05thread:p10.10;swbreak:;\n",
    );
    client.set_breaks(&[software(0x1000)]).unwrap();
    client.registers(MAIN).unwrap();
    let outcome = client.resume(Resume::Continue, &cancelled()).unwrap();
    assert_eq!(outcome, Outcome::Interrupted(stopped(5, MAIN, StopCause::Plain)));
    // The answer to the interrupt is not taken for the stop before an exec.
    let stop = run(&mut client, Resume::Continue).unwrap();
    assert_eq!(stop, Outcome::Stopped(stopped(5, MAIN, StopCause::SoftwareBreak)));
    finished(client);
}

#[test]
fn a_restart_takes_the_place_of_an_interrupt_that_was_not_answered() {
    let script = format!(
        "> vCont;c\n~\n> ^C\n< T05thread:p10.10;swbreak:;\n> qC\n< QCp10.10\n{TO_90}> vCont;c\n< T00thread:p10.10;\n"
    );
    let mut client = client(Version::V5_9, &script);
    client.resume(Resume::Continue, &cancelled()).unwrap();
    client.restart(Restart::Event(90), Duration::from_secs(5)).unwrap();
    let stop = run(&mut client, Resume::Continue).unwrap();
    assert_eq!(stop, Outcome::Stopped(stopped(0, MAIN, StopCause::Plain)), "the stop before an exec");
    finished(client);
}

#[test]
fn an_interrupt_that_crosses_the_exit_gets_no_stop_of_its_own() {
    let mut client = client(Version::V5_9, "> vCont;c\n~\n> ^C\n< W00\n> qC\n< QCp10.10\n");
    let outcome = client.resume(Resume::Continue, &cancelled()).unwrap();
    assert_eq!(outcome, Outcome::Stopped(StopReply::Exited(0)));
    assert!(matches!(run(&mut client, Resume::Continue), Err(Error::Gone)));
    finished(client);
}

#[test]
fn an_interrupt_backward_is_not_the_beginning_of_an_old_rr() {
    let mut client = client(Version::V5_7, "> Hcp10.0\n< OK\n> bc\n~\n> ^C\n< T00thread:p10.10;\n> qC\n< QCp10.10\n");
    let outcome = client.resume(Resume::ReverseContinue(None), &cancelled()).unwrap();
    assert_eq!(outcome, Outcome::Interrupted(stopped(0, MAIN, StopCause::Plain)));
    finished(client);
}

/// Interrupts a run from the end of the recording, at an event of rr's choice.
fn interrupted_from_the_end(event: &str, then: &str) {
    let mut client = client(
        Version::V5_7,
        &format!(
            "> vCont;c\n< T09thread:p10.10;\n> qRRCmd:7768656e\n<= Current event: 16\n\
             > Hcp10.0\n< OK\n> bc\n~\n> ^C\n< T00thread:p10.10;\n> qC\n< QCp10.10\n\
             > qRRCmd:7768656e\n<= Current event: {event}\n{then}"
        ),
    );
    assert_eq!(run(&mut client, Resume::Continue).unwrap(), Outcome::Stopped(stopped(9, MAIN, StopCause::Plain)));
    let outcome = client.resume(Resume::ReverseContinue(None), &cancelled()).unwrap();
    assert_eq!(outcome, Outcome::Interrupted(stopped(0, MAIN, StopCause::Plain)));
    finished(client);
}

#[test]
fn an_interrupt_backward_at_the_end_leads_to_where_one_can_go_on() {
    interrupted_from_the_end(
        "16",
        "> vRun;;3135\n< T00thread:p10.10;\n> vCont;c\n< T00thread:p10.10;\n> qXfer:auxv:read::0,100000\n< l\n",
    );
}

#[test]
fn an_interrupt_backward_does_not_skip_what_is_left_of_its_event() {
    interrupted_from_the_end("15", "");
}

#[test]
fn an_interrupt_that_is_answered_before_the_end_comes_is_no_exec() {
    let script = "> vCont;c\n~\n> ^C\n< T00thread:p10.10;\n> qC\n< T09thread:p10.10;\n< QCp10.10\n";
    let mut client = client(Version::V5_9, script);
    let outcome = client.resume(Resume::Continue, &cancelled()).unwrap();
    assert_eq!(outcome, Outcome::Interrupted(stopped(9, MAIN, StopCause::Plain)));
    finished(client);
}

#[test]
fn a_run_that_ignores_the_interrupt_is_given_up() {
    let mut client =
        client(Version::V5_9, "> Hcp10.10\n< OK\n> Hcp10.0\n< OK\n> bs\n~\n> ^C\n~\n~\n~\n< T05thread:p10.10;\n");
    client.state.stopped(&stopped(5, OTHER, StopCause::Plain), crate::arch::Direction::Forward);
    client.set_interrupt_timeout(Duration::ZERO);
    let error = client.resume(Resume::ReverseStep(MAIN), &cancelled()).unwrap_err();
    assert_eq!(error.to_string(), "rr did not answer `bs` within 0ns");
    assert!(matches!(client.threads(), Err(Error::Unusable { .. })));
}

#[test]
fn nothing_is_resumed_after_the_exit_and_a_restart_revives() {
    let mut client = client(
        Version::V5_9,
        "> vCont;c\n< T09thread:p10.10;\n> vCont;c\n< W00\n\
         > vRun;;35\n< T09thread:p10.10;\n> vCont;c\n< T00thread:p10.10;\n> qXfer:auxv:read::0,100000\n< l\n\
         > vCont;c\n< T05thread:p10.10;\n",
    );
    assert_eq!(run(&mut client, Resume::Continue).unwrap(), Outcome::Stopped(stopped(9, MAIN, StopCause::Plain)));
    assert_eq!(run(&mut client, Resume::Continue).unwrap(), Outcome::Stopped(StopReply::Exited(0)));
    for how in [Resume::Continue, Resume::Step(MAIN), Resume::ReverseContinue(None), Resume::ReverseStep(MAIN)] {
        assert!(matches!(run(&mut client, how), Err(Error::Gone)));
    }
    client.restart(Restart::Event(5), Duration::from_secs(5)).unwrap();
    run(&mut client, Resume::Continue).unwrap();
    finished(client);
}

#[test]
fn breakpoints_are_sent_once_and_by_difference() {
    let mut client = client(
        Version::V5_9,
        "> p10\n< 0050000000000000\n> Z0,1000,1\n< OK\n> Z2,2000,8\n< OK\n> vCont;c\n< T05thread:p10.10;swbreak:;\n\
         > p10\n< 0050000000000000\n> vCont;c\n< T05thread:p10.10;swbreak:;\n\
         > p10\n< 0050000000000000\n> z2,2000,8\n< OK\n> Z0,3000,1\n< OK\n> vCont;c\n< T05thread:p10.10;swbreak:;\n",
    );
    client.set_breaks(&[software(0x1000), watch(0x2000)]).unwrap();
    run(&mut client, Resume::Continue).unwrap();
    run(&mut client, Resume::Continue).unwrap();
    client.set_breaks(&[software(0x1000), software(0x3000)]).unwrap();
    run(&mut client, Resume::Continue).unwrap();
    finished(client);
}

#[test]
fn a_refused_watchpoint_is_named_and_nothing_runs() {
    let mut client = client(
        Version::V5_9,
        "> Z2,1000,8\n< OK\n> Z2,2000,8\n< E01\n> z2,1000,8\n< OK\n> vCont;c\n< T05thread:p10.10;\n",
    );
    client.set_breaks(&[watch(0x1000), watch(0x2000)]).unwrap();
    match run(&mut client, Resume::Continue) {
        Err(Error::Rejected { refused, .. }) => assert_eq!(refused, watch(0x2000)),
        other => panic!("{other:?}"),
    }
    client.set_breaks(&[]).unwrap();
    run(&mut client, Resume::Continue).unwrap();
    finished(client);
}

#[test]
fn an_old_rr_is_not_asked_for_more_debug_registers_than_there_are() {
    let mut client = client(Version::V5_8, "");
    let list: Vec<Break> = (0..5).map(|i| watch(0x1000 + 8 * i)).collect();
    client.set_breaks(&list).unwrap();
    assert!(matches!(client.insert_breaks(), Err(Error::Rejected { refused, .. }) if refused == list[4]));
    finished(client);
}

#[test]
fn a_run_steps_off_the_breakpoint_under_the_pc() {
    let mut client = client(
        Version::V5_9,
        "> g\n< 00000000000000000010000000000000\n\
         > Z0,2000,1\n< OK\n> vCont;s:p10.10;c:p10.-1\n< T05thread:p10.10;\n> Z0,1000,1\n< OK\n\
         > vCont;c\n< T05thread:p10.10;swbreak:;\n\
         > p10\n< 0010000000000000\n> z0,1000,1\n< OK\n> vCont;s:p10.10;c:p10.-1\n< T05thread:p10.10;\n",
    );
    client.set_breaks(&[software(0x1000), software(0x2000)]).unwrap();
    assert_eq!(client.registers(MAIN).unwrap().pc(), Some(RunAddr(0x1000)));
    let hit = Outcome::Stopped(stopped(5, MAIN, StopCause::SoftwareBreak));
    assert_eq!(run(&mut client, Resume::Continue).unwrap(), hit);
    let done = Outcome::Stopped(stopped(5, MAIN, StopCause::Plain));
    assert_eq!(run(&mut client, Resume::Step(MAIN)).unwrap(), done);
    finished(client);
}

#[test]
fn what_happens_while_stepping_off_a_breakpoint_is_the_outcome() {
    for (reply, expected) in [
        ("T0bthread:p10.10;", stopped(0x0b, MAIN, StopCause::Plain)),
        ("T05thread:p10.11;swbreak:;", stopped(5, OTHER, StopCause::SoftwareBreak)),
        ("T05thread:p10.10;watch:30;", stopped(5, MAIN, StopCause::Watch { address: RunAddr(0x30), and_break: false })),
        ("T09thread:p10.10;", stopped(9, MAIN, StopCause::Plain)),
    ] {
        let script = format!("> p10\n< 0010000000000000\n> vCont;s:p10.10;c:p10.-1\n< {reply}\n");
        let mut client = client(Version::V5_9, &script);
        client.set_breaks(&[software(0x1000)]).unwrap();
        assert_eq!(run(&mut client, Resume::Continue).unwrap(), Outcome::Stopped(expected));
        finished(client);
    }
}

#[test]
fn a_step_of_another_thread_first_gets_the_current_one_off_its_breakpoint() {
    let mut client = client(
        Version::V5_9,
        "> Hgp10.11\n< OK\n> Hgp10.10\n< OK\n> p10\n< 0010000000000000\n\
         > vCont;s:p10.10;c:p10.-1\n< T05thread:p10.10;\n> Z0,1000,1\n< OK\n\
         > vCont;s:p10.11;c:p10.-1\n< T05thread:p10.11;\n",
    );
    client.set_breaks(&[software(0x1000)]).unwrap();
    let outcome = run(&mut client, Resume::Step(OTHER)).unwrap();
    assert_eq!(outcome, Outcome::Stopped(stopped(5, OTHER, StopCause::Plain)));
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
fn a_loop_of_backward_steps_sends_nothing_but_steps_and_register_reads() {
    let mut client = client(
        Version::V5_9,
        "> Z2,1000,8\n< OK\n> vCont;c\n< T05thread:p10.10;watch:1000;\n> Hcp10.0\n< OK\n\
         > bs\n< T05thread:p10.10;\n> g\n< xx\n> bs\n< T05thread:p10.10;\n> g\n< xx\n> bs\n< T05thread:p10.10;\n\
         > z2,1000,8\n< OK\n> Z2,1000,8\n< OK\n> vCont;c\n< T05thread:p10.10;watch:1000;\n",
    );
    client.set_breaks(&[watch(0x1000)]).unwrap();
    run(&mut client, Resume::Continue).unwrap();
    run(&mut client, Resume::ReverseStep(MAIN)).unwrap();
    client.registers(MAIN).unwrap();
    run(&mut client, Resume::ReverseStep(MAIN)).unwrap();
    client.registers(MAIN).unwrap();
    run(&mut client, Resume::ReverseStep(MAIN)).unwrap();
    // Only now is what may have been lost set again.
    run(&mut client, Resume::Continue).unwrap();
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
fn a_restart_makes_the_server_forget_its_breakpoints_so_none_is_removed() {
    let mut client = client(
        Version::V5_9,
        "> Z2,1000,8\n< OK\n> vCont;c\n< T05thread:p10.10;watch:1000;\n\
         > qRRCmd:checkpoint:-1:68657265\n<= Checkpoint 1 at here\n\
         > vRun;;6331\n< T05thread:p10.10;\n> vCont;c\n< T00thread:p10.10;\n> qXfer:auxv:read::0,100000\n< l\n\
         > Z2,2000,8\n< OK\n> vCont;c\n< T05thread:p10.10;watch:2000;\n\
         > qRRCmd:delete checkpoint:-1:31\n<= Deleted checkpoint 1.\n",
    );
    client.set_breaks(&[watch(0x1000)]).unwrap();
    run(&mut client, Resume::Continue).unwrap();
    assert_eq!(client.checkpoint("here").unwrap(), 1);
    client.restart(Restart::Checkpoint(1), Duration::from_secs(5)).unwrap();
    client.set_breaks(&[watch(0x2000)]).unwrap();
    run(&mut client, Resume::Continue).unwrap();
    client.delete_checkpoint(1).unwrap();
    assert!(matches!(client.restart(Restart::Checkpoint(1), Duration::ZERO), Err(Error::NoCheckpoint { id: 1, .. })));
    finished(client);
}

#[test]
fn a_tick_that_does_not_exist_leaves_the_position_as_it_was() {
    let mut client = client(
        Version::V5_9,
        "> qRRCmd:checkpoint:-1:6265666f726520676f696e6720746f2061207469636b\n<= Checkpoint 4 at before\n\
         > vRun;;7439\n< E01\n\
         > vRun;;6334\n< T05thread:p10.10;\n> vCont;c\n< T00thread:p10.10;\n> qXfer:auxv:read::0,100000\n< l\n\
         > qRRCmd:delete checkpoint:-1:34\n<= Deleted checkpoint 4.\n",
    );
    assert!(matches!(client.restart(Restart::Ticks(9), Duration::from_secs(5)), Err(Error::NoSuchTick { ticks: 9 })));
    finished(client);
}

#[test]
fn an_event_past_the_end_is_cut_to_the_end_where_rr_would_search_for_ever() {
    let mut client = client(
        Version::V5_9,
        "> vCont;c\n< T09thread:p10.10;\n> qRRCmd:when:-1\n<= Completed event: 80\n\
         > vRun;;3830\n< T09thread:p10.10;\n> vCont;c\n< T09thread:p10.10;\n> qXfer:auxv:read::0,100000\n< l\n",
    );
    run(&mut client, Resume::Continue).unwrap();
    let end = client.restart(Restart::Event(1000), Duration::from_secs(5)).unwrap();
    assert_eq!(end, stopped(9, MAIN, StopCause::Plain));
    finished(client);
}

#[test]
fn breakpoints_of_a_later_image_are_not_removed_in_an_earlier_one() {
    let mut client = client(
        Version::V5_9,
        "> vRun;;3930\n< T05thread:p10.10;\n> vCont;c\n< T00thread:p10.10;\n> qXfer:auxv:read::0,100000\n< lsecond\n\
         > Z2,1000,8\n< OK\n> Hcp10.10\n< OK\n> Hcp10.0\n< OK\n> bc\n< T05thread:p10.10;watch:1000;\n\
         > qXfer:auxv:read::0,100000\n< lsecond\n> z2,1000,8\n< OK\n> Z2,1000,8\n< OK\n\
         > Hcp10.0\n< OK\n> bc\n< T00thread:p10.10;replaylog:begin;\n\
         > qXfer:auxv:read::0,100000\n< l\n> Z2,1000,8\n< OK\n> vCont;c\n< T05thread:p10.10;watch:1000;\n",
    );
    client.restart(Restart::Event(90), Duration::from_secs(5)).unwrap();
    client.set_breaks(&[watch(0x1000)]).unwrap();
    run(&mut client, Resume::ReverseContinue(None)).unwrap();
    run(&mut client, Resume::ReverseContinue(None)).unwrap();
    run(&mut client, Resume::Continue).unwrap();
    finished(client);
}

/// What a `vRun` to event 90 looks like on the wire.
const TO_90: &str =
    "> vRun;;3930\n< T05thread:p10.10;\n> vCont;c\n< T00thread:p10.10;\n> qXfer:auxv:read::0,100000\n< l\n";

#[test]
fn a_restart_after_a_backward_exit_first_shows_rr_the_end_again() {
    let script = format!(
        "> Hcp10.0\n< OK\n> bs\n< W00\n{TO_90}> vCont;c\n< T0bthread:p10.10;\n> vCont;c\n< T09thread:p10.10;\n\
         > vCont;c\n< W00\n{TO_90}{TO_90}"
    );
    let mut client = client(Version::V5_9, &script);
    client.state.stopped(&stopped(5, MAIN, StopCause::Plain), crate::arch::Direction::Forward);
    run(&mut client, Resume::ReverseStep(MAIN)).unwrap();
    client.restart(Restart::Event(90), Duration::from_secs(5)).unwrap();
    client.restart(Restart::Event(90), Duration::from_secs(5)).unwrap();
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

mod cancelled_tests;
