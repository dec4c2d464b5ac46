//! A real rr behind somebody who changes what it says: memory, registers and lists that make no sense, packets that are
//! garbled, cut, doubled, flooded, or never come. Whatever the server concludes from them, each call ends in time with
//! an answer or an error, nothing panics, and other sessions do not notice.
//!
//! `RETROGRADE_HOSTILE=500 cargo test --test live hostile -- --nocapture` runs as many sessions and prints what came of
//! them; `RETROGRADE_HOSTILE_SEED` repeats a run's choices.

use crate::server::attach::Replay;
use crate::server::chaos::{Dice, SHORT, files, memory, until, wanted};
use crate::server::wire::Wire;
use crate::support::recordings::{recording, rr};
use serde_json::json;
use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Sessions if nothing else is said.
const SESSIONS: u64 = 14;
/// The longest a call may take: its time limits are three seconds each, and one call may meet a few of them.
const LONGEST: Duration = Duration::from_secs(30);
/// How far memory may grow after the first third, in KiB.
const GROWTH: u64 = 64 * 1024;

/// Programs, and where each is stopped before it is looked at.
const PROGRAMS: [(&str, &str); 4] =
    [("stepping", "half"), ("threads", "main"), ("dlopen", "main"), ("library_types", "main")];

/// What is done to the replies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Fault {
    /// One word in so many of memory and registers is another one.
    Words(u64),
    /// One reply in so many has another byte somewhere.
    Bytes(u64),
    /// The checksum is wrong.
    Checksum,
    /// Half of it comes, and then nothing.
    Cut,
    /// Nothing comes any more.
    Silence,
    /// It comes twice.
    Twice,
    /// The one before it comes again instead.
    Again,
    /// Bytes without end come instead.
    Flood,
    /// The connection ends.
    Close,
}

const FAULTS: [Fault; 11] = [
    Fault::Words(4),
    Fault::Words(40),
    Fault::Words(400),
    Fault::Bytes(30),
    Fault::Checksum,
    Fault::Cut,
    Fault::Silence,
    Fault::Twice,
    Fault::Again,
    Fault::Flood,
    Fault::Close,
];

/// Passes replies on, changed from the `from`th on (or, if that is enough, just this one).
struct Meddler {
    dice: Dice,
    fault: Fault,
    from: u64,
    seen: u64,
    last: Vec<u8>,
    /// Nothing is passed on any more.
    mute: bool,
}

fn framed(payload: &[u8]) -> Vec<u8> {
    let sum = payload.iter().fold(0u8, |sum, byte| sum.wrapping_add(*byte));
    [b"$", payload, format!("#{sum:02x}").as_bytes()].concat()
}

impl Meddler {
    /// Words that programs have: none, small ones, any, and those that stood elsewhere in the same reply.
    fn word(&mut self, payload: &[u8]) -> [u8; 16] {
        let other = usize::try_from(self.dice.roll(payload.len() as u64 / 16)).unwrap() * 16;
        match self.dice.roll(4) {
            0 => *b"0000000000000000",
            1 => format!("{:02x}00000000000000", self.dice.roll(256)).into_bytes().try_into().unwrap(),
            2 => format!("{:016x}", self.dice.roll(u64::MAX)).into_bytes().try_into().unwrap(),
            _ => payload[other..other + 16].try_into().unwrap(),
        }
    }

    /// What arrives of one reply. `None`: the connection ends.
    fn pass(&mut self, payload: &[u8]) -> Option<Vec<u8>> {
        self.seen += 1;
        let last = std::mem::replace(&mut self.last, payload.to_vec());
        if self.mute {
            return Some(Vec::new());
        }
        let now = self.seen == self.from;
        match self.fault {
            _ if self.seen < self.from => Some(framed(payload)),
            Fault::Words(one_in) => {
                let mut payload = payload.to_vec();
                if payload.len() >= 16 && payload.iter().all(u8::is_ascii_hexdigit) {
                    for at in (0..payload.len() - 15).step_by(16) {
                        if self.dice.one_in(one_in) {
                            let word = self.word(&payload);
                            payload[at..at + 16].copy_from_slice(&word);
                        }
                    }
                }
                Some(framed(&payload))
            }
            Fault::Bytes(one_in) => {
                let mut payload = payload.to_vec();
                if !payload.is_empty() && self.dice.one_in(one_in) {
                    let at = usize::try_from(self.dice.roll(payload.len() as u64)).unwrap();
                    payload[at] = b"0123456789abcdef;:,-lmTWE\xff"[usize::try_from(self.dice.roll(26)).unwrap()];
                }
                Some(framed(&payload))
            }
            _ if !now => Some(framed(payload)),
            Fault::Checksum => {
                let mut packet = framed(payload);
                *packet.last_mut().unwrap() ^= 1;
                Some(packet)
            }
            Fault::Cut => {
                self.mute = true;
                let packet = framed(payload);
                Some(packet[..packet.len() / 2].to_vec())
            }
            Fault::Silence => {
                self.mute = true;
                Some(Vec::new())
            }
            Fault::Twice => Some(framed(payload).repeat(2)),
            Fault::Again => Some(framed(&last)),
            Fault::Flood => {
                self.mute = true;
                Some([b"$".as_slice(), &vec![b'0'; 40 << 20]].concat())
            }
            Fault::Close => None,
        }
    }

    /// Reads packets from `from` and writes to `to` until one of them ends.
    fn serve(mut self, mut from: TcpStream, mut to: TcpStream) {
        let mut heard = Vec::new();
        let mut buffer = vec![0; 1 << 16];
        'connection: while let Ok(count @ 1..) = from.read(&mut buffer) {
            heard.extend_from_slice(&buffer[..count]);
            while let Some(&first) = heard.first() {
                let whole = match first {
                    b'$' => heard.iter().position(|b| *b == b'#').map(|end| end + 3).filter(|end| heard.len() >= *end),
                    _ => Some(1),
                };
                let Some(whole) = whole else { break };
                let packet: Vec<u8> = heard.drain(..whole).collect();
                let sent = if first == b'$' { self.pass(&packet[1..whole - 3]) } else { Some(packet) };
                let Some(sent) = sent else { break 'connection };
                if to.write_all(&sent).is_err() {
                    break 'connection;
                }
            }
        }
        let _ = from.shutdown(Shutdown::Both);
        let _ = to.shutdown(Shutdown::Both);
    }
}

/// Where the meddler listens, and what to wait for in the end.
fn between(replay: &Replay, meddler: Meddler) -> (u16, JoinHandle<()>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let rr = replay.1;
    let serving = std::thread::spawn(move || {
        let (client, _) = listener.accept().unwrap();
        let rr = TcpStream::connect(("127.0.0.1", rr)).unwrap();
        let (mut requests, mut onward) = (client.try_clone().unwrap(), rr.try_clone().unwrap());
        let passing = std::thread::spawn(move || {
            let _ = std::io::copy(&mut requests, &mut onward);
            let _ = onward.shutdown(Shutdown::Both);
        });
        meddler.serve(rr, client);
        passing.join().unwrap();
    });
    (port, serving)
}

#[test]
fn whatever_is_done_to_its_replies_each_call_ends() {
    let (sessions, seed) = wanted("RETROGRADE_HOSTILE", SESSIONS);
    let mut dice = Dice(seed);
    let limits = [&SHORT[..], &[("RR_MCP_TIMEOUT_CONNECT", "5")]].concat();
    let mut wire = Wire::open(rr().program(), &limits);
    let server = wire.server.pid();
    // One that nobody meddles with, and that answers all the time.
    let opened = wire.call("rr_replay_start", json!({"trace_dir": recording("stepping").trace}));
    let honest = opened["structuredContent"]["session"].as_str().expect("a session").to_owned();
    wire.call("rr_breakpoint_set", json!({"location": "half", "session": honest}));
    wire.call("rr_continue", json!({"session": honest}));
    let backtrace = wire.call("rr_backtrace", json!({"session": honest}));
    let files_before = files(server);
    let mut memory_before = None;
    let mut outcomes = BTreeMap::<Fault, [u64; 2]>::new();
    let mut longest = (Duration::ZERO, String::new());
    for n in 0..sessions {
        let (program, location) = PROGRAMS[usize::try_from(n % PROGRAMS.len() as u64).unwrap()];
        let fault = FAULTS[usize::try_from(n % FAULTS.len() as u64).unwrap()];
        // Some are met while the session opens, which takes a few dozen replies.
        let from = 1 + if dice.one_in(3) { dice.roll(40) } else { dice.roll(250) };
        let replay = Replay::start(program);
        let meddler = Meddler { dice: Dice(seed ^ n), fault, from, seen: 0, last: Vec::new(), mute: false };
        let (port, serving) = between(&replay, meddler);
        let mut session = String::new();
        let calls = [
            ("rr_attach", json!({"address": port, "trace_dir": recording(program).trace})),
            ("rr_breakpoint_set", json!({"location": location})),
            ("rr_continue", json!({})),
            ("rr_backtrace", json!({})),
            ("rr_next", json!({"count": 20})),
            ("rr_locals", json!({})),
            ("rr_modules", json!({})),
            ("rr_thread_list", json!({})),
            ("rr_registers", json!({})),
            ("rr_evaluate", json!({"expression": "*(char **)$rsp"})),
            ("rr_read_memory", json!({"address": "$rsp", "count": 4096})),
            ("rr_step", json!({"count": 3})),
            ("rr_finish", json!({})),
            ("rr_step", json!({"count": 3, "reverse": true})),
            ("rr_continue", json!({"reverse": true})),
            ("rr_command", json!({"command": "bt full\ninfo locals\nx/8i $pc\ninfo registers\nwhen"})),
            ("rr_backtrace", json!({"max_depth": 0})),
            ("rr_replay_stop", json!({})),
        ];
        for (tool, mut arguments) in calls {
            if !session.is_empty() {
                arguments["session"] = json!(session);
            }
            println!("session {n}, {program}, {fault:?} from reply {from}: {tool}");
            let begin = Instant::now();
            let result = wire.call(tool, arguments);
            let took = begin.elapsed();
            let text = result["content"][0]["text"].as_str().unwrap_or_else(|| panic!("{tool}: {result}"));
            let shown = format!("session {n}, {program}, {fault:?} from reply {from}: {tool}: {text}");
            assert!(took < LONGEST, "{took:?}: {shown}");
            assert!(!text.contains("internal error"), "{shown}");
            if took > longest.0 {
                longest = (took, shown.lines().next().unwrap().to_owned());
            }
            outcomes.entry(fault).or_default()[usize::from(result["isError"] == true)] += 1;
            if tool == "rr_attach" {
                let Some(opened) = result["structuredContent"]["session"].as_str() else { break };
                opened.clone_into(&mut session);
            }
        }
        drop(replay);
        serving.join().unwrap();
        // What the first use of each program leaves for good is not a leak.
        if memory_before.is_none() && n >= sessions / 3 {
            memory_before = Some(memory(server));
        }
        assert_eq!(wire.call("rr_backtrace", json!({"session": honest})), backtrace, "after session {n}, {fault:?}");
    }
    println!("{sessions} sessions, [answers, errors]: {outcomes:?}; the longest call took {longest:?}");
    until("files are left open", || files(server) <= files_before);
    let memory_after = memory(server);
    let memory_before = memory_before.expect("a third has passed");
    println!("{memory_before} KiB, then {memory_after}");
    assert!(memory_after < memory_before + GROWTH, "{memory_before} KiB became {memory_after}");
}
