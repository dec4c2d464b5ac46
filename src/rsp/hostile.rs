//! The client against servers that lie, babble, fall silent and die: whatever they do, it ends soon, with words.

use super::codec::{Decoder, Frame, INTERRUPT, LONGEST_PACKET, encode};
use super::*;
use base::cancel::Cancel;
use proptest::prelude::*;
use std::collections::VecDeque;
use std::io;
use std::sync::{Arc, Mutex};
use std::time::Instant;

const MAIN: ThreadId = ThreadId { pid: 0x10, tid: 0x10 };

const TARGET: &str = "l<target><architecture>i386:x86-64</architecture>\
    <reg name=\"rsp\" bitsize=\"64\" type=\"data_ptr\" regnum=\"7\"/>\
    <reg name=\"rip\" bitsize=\"64\" type=\"code_ptr\" regnum=\"16\"/></target>";

const FEATURES: &str = "PacketSize=100000;QStartNoAckMode+;multiprocess+;QPassSignals+;ReverseContinue+;ReverseStep+";

/// A time limit for what has to be short, and the longest that any session with a hostile server may take.
const SHORT: Duration = Duration::from_millis(20);
const LONG: Duration = Duration::from_secs(30);

/// What a server does instead of what it should.
#[derive(Clone, Debug)]
enum Fault {
    /// Nothing.
    None,
    /// The connection ends after so many bytes.
    EndAfter(usize),
    /// The n-th reply is another payload.
    Instead(usize, Vec<u8>),
    /// The n-th reply has a wrong checksum.
    Checksum(usize),
    /// Of the n-th reply only half comes, and then nothing.
    Half(usize),
    /// From the n-th reply on nothing comes.
    Silence(usize),
    /// From the n-th reply on these bytes come, without end.
    Flood(usize, &'static [u8]),
    /// These bytes come before the n-th reply.
    Before(usize, Vec<u8>),
    /// Each read gives one byte, and takes so long.
    Drip(Duration),
    /// The n-th reply comes twice.
    Twice(usize),
    /// The list of threads goes on, with so many in each reply.
    EndlessThreads(usize),
}

/// A server that knows its part, but for the fault.
struct Server {
    fault: Fault,
    requests: Decoder,
    /// Replies given.
    given: usize,
    sent: usize,
    wire: VecDeque<u8>,
    flood: Option<&'static [u8]>,
    silent: bool,
    /// All bytes ever sent, for the one who counts them.
    total: Arc<Mutex<(usize, usize)>>,
}

fn hexed(text: &str) -> Vec<u8> {
    hex::encode(format!("{text}\n").as_bytes()).into_bytes()
}

/// Returns what a well-behaved server answers.
fn reply(request: &str) -> Vec<u8> {
    let stop = "T05thread:p10.10;swbreak:;";
    let starts = |with: &str| request.starts_with(with);
    let text = match request {
        "QStartNoAckMode" => "OK",
        "?" => "T00thread:p10.10;",
        "x0,0" => "b",
        "qC" => "QCp10.10",
        "qfThreadInfo" => "mp10.10,p10.11",
        "qsThreadInfo" => "l",
        "g" => "00000000000000100000000000000010",
        "bc" | "bs" => stop,
        _ if starts("qSupported") => FEATURES,
        _ if starts("qXfer:features") => TARGET,
        _ if starts("qXfer:auxv") => "l",
        _ if starts("qXfer:exec-file") => "l/bin/true",
        _ if starts("vCont") || starts("vRun") => stop,
        _ if starts("qThreadExtraInfo") => "6d61696e00",
        _ if starts("qRRCmd:when:") => return hexed("Completed event: 15"),
        _ if starts("qRRCmd:when-ticks") => return hexed("Current tick: 7"),
        _ if starts("qRRCmd:checkpoint") => return hexed("Checkpoint 1 at main"),
        _ if starts("qRRCmd:delete") => return hexed("Deleted checkpoint 1."),
        _ if starts("x") => "bxxxxxxxxxxxxxxxx",
        _ if starts("m") => "78787878",
        _ if starts("p") => "0000000000000010",
        _ => "OK",
    };
    text.as_bytes().to_vec()
}

impl Server {
    fn new(fault: Fault) -> Self {
        Self {
            fault,
            requests: Decoder::default(),
            given: 0,
            sent: 0,
            wire: VecDeque::new(),
            flood: None,
            silent: false,
            total: Arc::default(),
        }
    }

    /// Returns a part of a list of threads, others each time.
    fn more_threads(&self, many: usize) -> Vec<u8> {
        let first = 0x1000 + self.given * many;
        let threads: Vec<String> = (first..first + many).map(|tid| format!("p10.{tid:x}")).collect();
        format!("m{}", threads.join(",")).into_bytes()
    }

    fn answer(&mut self, mut payload: Vec<u8>) {
        let n = self.given;
        self.given += 1;
        let is_now = |at: &usize| *at == n;
        match &self.fault {
            Fault::Silence(at) if is_now(at) => self.silent = true,
            Fault::Flood(at, bytes) if is_now(at) => self.flood = Some(bytes),
            Fault::Instead(at, other) if is_now(at) => payload = other.clone(),
            _ => {}
        }
        if self.silent || self.flood.is_some() {
            return;
        }
        let mut wire = Vec::new();
        encode(&payload, &mut wire);
        match &self.fault {
            Fault::Checksum(at) if is_now(at) => {
                let last = wire.last_mut().unwrap();
                *last = if *last == b'0' { b'1' } else { b'0' };
            }
            Fault::Half(at) if is_now(at) => {
                wire.truncate(wire.len() / 2);
                self.silent = true;
            }
            Fault::Before(at, bytes) if is_now(at) => self.wire.extend(bytes),
            Fault::Twice(at) if is_now(at) => self.wire.extend(&wire),
            _ => {}
        }
        self.wire.extend(wire);
    }
}

impl Transport for Server {
    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        if bytes == [INTERRUPT] {
            self.answer(b"T00thread:p10.10;".to_vec());
            return Ok(());
        }
        self.requests.feed(bytes);
        while let Some(frame) = self.requests.next_frame() {
            if let Frame::Packet(request) = frame.unwrap() {
                let payload = match self.fault {
                    Fault::EndlessThreads(many) if request == b"qsThreadInfo" => self.more_threads(many),
                    _ => reply(&String::from_utf8_lossy(&request)),
                };
                self.answer(payload);
            }
        }
        Ok(())
    }

    fn read(&mut self, into: &mut [u8]) -> io::Result<Received> {
        if let Some(flood) = self.flood {
            let whole = into.len() / flood.len() * flood.len();
            for (to, from) in into.iter_mut().zip(flood.iter().cycle()) {
                *to = *from;
            }
            return Ok(Received::Bytes(whole));
        }
        let left = match self.fault {
            Fault::EndAfter(bytes) => bytes.saturating_sub(self.sent),
            Fault::Drip(pause) => {
                std::thread::sleep(pause);
                1
            }
            _ => usize::MAX,
        };
        if left == 0 {
            return Ok(Received::End);
        }
        let count = self.wire.len().min(into.len()).min(left);
        for (to, from) in into.iter_mut().zip(self.wire.drain(..count)) {
            *to = from;
        }
        self.sent += count;
        *self.total.lock().unwrap() = (self.sent, self.given);
        match count {
            // As a socket does it.
            0 => {
                std::thread::sleep(Duration::from_millis(1));
                Ok(Received::Nothing)
            }
            n => Ok(Received::Bytes(n)),
        }
    }
}

/// Asks all that a debugger asks of a server.
fn session(client: &mut Client, limit: Duration) -> Result<(), Error> {
    client.set_request_timeout(limit);
    client.set_interrupt_timeout(limit);
    let run = |client: &mut Client, how| client.resume(how, &Cancel::default().with_deadline(limit)).map(drop);
    client.threads()?;
    client.thread_name(MAIN)?;
    client.registers(MAIN)?;
    client.read_memory(RunAddr(0x1000), 16)?;
    let at = |address, kind| Break { kind, address: RunAddr(address), length: 1, conditions: vec![vec![0x27]] };
    client.set_breaks(&[at(0x2000, BreakKind::Software), at(0x3000, BreakKind::WatchWrite)])?;
    client.insert_breaks()?;
    run(client, Resume::Continue)?;
    client.pass_signals(&[0x0e])?;
    run(client, Resume::Step(MAIN))?;
    run(client, Resume::ReverseContinue(None))?;
    run(client, Resume::ReverseStep(MAIN))?;
    client.moment(MAIN)?;
    client.checkpoint("here")?;
    client.restart(Restart::Checkpoint(1), limit)?;
    client.delete_checkpoint(1)?;
    client.restart(Restart::Event(3), limit)?;
    client.auxv()?;
    client.exec_file()?;
    client.last_stop()?;
    Ok(())
}

/// Tells how a session goes with a server that keeps nobody waiting.
fn outcome(server: Server) -> Result<(), Error> {
    within(server, LONG)
}

/// Tells how a session goes if each request has a time limit. It may take as long as a few of them, whatever happens;
/// and afterwards the client can still be asked.
fn within(server: Server, limit: Duration) -> Result<(), Error> {
    let begun = Instant::now();
    let fault = server.fault.clone();
    let result = Client::over(Box::new(server), limit).and_then(|mut client| {
        let done = session(&mut client, limit);
        if done.is_err() {
            for error in [client.threads().err(), client.registers(MAIN).err(), client.auxv().err()] {
                drop(error.map(|e| e.to_string()));
            }
        }
        done
    });
    assert!(begun.elapsed() < LONG, "{fault:?} took {:?}", begun.elapsed());
    if let Err(error) = &result {
        let said = error.to_string();
        assert!(!said.is_empty() && said.len() < 1000, "{fault:?}: {said}");
    }
    result
}

/// Counts the bytes and replies of a session without a fault.
fn whole() -> (usize, usize) {
    let server = Server::new(Fault::None);
    let total = server.total.clone();
    outcome(server).unwrap();
    *total.lock().unwrap()
}

#[test]
fn without_a_fault_all_goes_well() {
    let (bytes, replies) = whole();
    assert!(bytes > 900 && replies > 30, "{bytes} bytes, {replies} replies");
}

#[test]
fn a_list_of_threads_without_an_end_is_cut() {
    for (many, expected) in [(500, 16_502), (1, 1001)] {
        let begun = Instant::now();
        let server = Server::new(Fault::EndlessThreads(many));
        let threads = Client::over(Box::new(server), LONG).unwrap().threads().unwrap();
        assert_eq!((threads.len(), threads[0]), (expected, MAIN), "{many} at a time");
        assert!(begun.elapsed() < LONG, "{:?}", begun.elapsed());
    }
}

#[test]
fn a_connection_may_end_at_any_byte() {
    let (bytes, _) = whole();
    for end in 0..bytes {
        let error = outcome(Server::new(Fault::EndAfter(end))).unwrap_err().to_string();
        assert!(error.starts_with("rr closed the connection at `"), "after {end} bytes: {error}");
    }
}

#[test]
fn wrong_checksums_and_half_packets() {
    let (_, replies) = whole();
    for n in 0..replies {
        let error = outcome(Server::new(Fault::Checksum(n))).unwrap_err().to_string();
        assert!(error.contains("checksum"), "reply {n}: {error}");
        for fault in [Fault::Half(n), Fault::Silence(n)] {
            let error = within(Server::new(fault.clone()), SHORT).unwrap_err().to_string();
            assert!(error.contains("did not answer"), "{fault:?}: {error}");
        }
    }
}

#[test]
fn floods_end_when_the_time_is_up() {
    let (_, replies) = whole();
    for n in (0..replies).step_by(5) {
        for bytes in [b"+".as_slice(), b"garbage ", b"%Stop:T05#99", b"\0"] {
            let error = within(Server::new(Fault::Flood(n, bytes)), SHORT).unwrap_err().to_string();
            assert!(error.contains("did not answer"), "{bytes:?} from reply {n} on: {error}");
        }
    }
    // Replies without end: each is taken for the answer to something.
    for n in (0..replies).step_by(5) {
        for bytes in [b"$OK#9a".as_slice(), b"$#00", b"$E01#a6", b"$T05thread:p10.10;#06", b"$mp10.10#cd", b"$l#6c"] {
            let _ = within(Server::new(Fault::Flood(n, bytes)), SHORT);
        }
    }
}

#[test]
fn a_handshake_of_slow_answers_ends_when_the_time_is_up() {
    let server = Server::new(Fault::None);
    let total = server.total.clone();
    assert!(Client::over(Box::new(server), LONG).is_ok());
    let (bytes, _) = *total.lock().unwrap();
    // Each reply comes in time; all of them together do not.
    assert!(TARGET.len() < bytes * 2 / 3, "{bytes}");
    let pause = Duration::from_millis(1);
    let limit = pause * u32::try_from(bytes * 3 / 4).unwrap();
    let error = Client::over(Box::new(Server::new(Fault::Drip(pause))), limit).err().expect("time is up").to_string();
    assert!(error.contains("did not answer"), "{error}");
}

#[test]
fn a_packet_without_an_end_is_given_up() {
    // The most of it that is ever kept is the longest packet.
    let mut decoder = Decoder::default();
    let chunk = vec![b'a'; 1 << 20];
    decoder.feed(b"$");
    let mut fed = 0;
    let error = loop {
        decoder.feed(&chunk);
        fed += chunk.len();
        match decoder.next_frame() {
            None => assert!(fed <= LONGEST_PACKET + chunk.len()),
            Some(found) => break found.unwrap_err(),
        }
    };
    assert!(error.to_string().contains("a packet of more than"));
    let error = within(Server::new(Fault::Flood(9, b"$")), SHORT).unwrap_err().to_string();
    assert!(error.contains("did not answer") || error.contains("a packet of more than"), "{error}");
}

#[test]
fn replies_to_something_else() {
    let (_, replies) = whole();
    let others: [&[u8]; 16] = [
        b"",
        b"OK",
        b"E01",
        b"Eff",
        b"T05thread:p10.10;swbreak:;",
        b"T05thread:p99.99;",
        b"T0bthread:pffffffff.ffffffff;watch:ffffffffffffffff;",
        b"W00",
        b"X09",
        b"l",
        b"m",
        b"mp10.10",
        b"F40000000;",
        b"PacketSize=ffffffffffffffff;ReverseContinue+;ReverseStep+",
        b"b",
        b"\xff\xfe\x00}#$",
    ];
    for n in 0..replies {
        for other in others {
            let _ = within(Server::new(Fault::Instead(n, other.to_vec())), SHORT);
        }
        let _ = within(Server::new(Fault::Twice(n)), SHORT);
    }
}

#[test]
fn packet_sizes_that_are_lies() {
    for size in ["0", "1", "ffffffffffffffffffff", "-1", "x", "40000000"] {
        let features = FEATURES.replace("100000", size);
        outcome(Server::new(Fault::Instead(1, features.into_bytes()))).unwrap();
    }
}

#[test]
fn more_memory_than_was_asked_for() {
    let (_, replies) = whole();
    let much = [b"b".as_slice(), &vec![b'x'; 1 << 20]].concat();
    for n in 0..replies {
        let _ = within(Server::new(Fault::Instead(n, much.clone())), SHORT);
    }
    let mut client = Client::over(Box::new(Server::new(Fault::None)), LONG).unwrap();
    let error = client.read_memory(RunAddr(0), 1 << 30).unwrap_err().to_string();
    assert!(error.contains("cannot read 1073741824 bytes at once"), "{error}");
}

#[test]
fn stops_of_threads_that_nobody_knows() {
    let (_, replies) = whole();
    for n in 4..replies {
        for thread in ["p99.99", "p10.7fffffff", "0", "p0.0", "p-1.-1", ""] {
            let stop = format!("T05thread:{thread};swbreak:;");
            let _ = within(Server::new(Fault::Instead(n, stop.into_bytes())), SHORT);
        }
    }
}

proptest! {
    #[test]
    fn any_bytes_at_any_time(n in 0usize..45, bytes in prop::collection::vec(any::<u8>(), 0..60), instead: bool) {
        let fault = if instead { Fault::Instead(n, bytes) } else { Fault::Before(n, bytes) };
        let _ = within(Server::new(fault), SHORT);
    }
}
