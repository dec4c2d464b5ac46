//! Sessions on servers that somebody else has started.

use crate::support::fixtures::line;
use crate::support::mcp::Server;
use crate::support::recordings::{recording, rr};
use serde_json::json;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::process::{Child, Command, Stdio};

/// An `rr replay` with a port of its own choice, which it tells.
pub struct Replay(Child, pub u16);

impl Replay {
    pub fn start(fixture: &str) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_retrograde"))
            .args(["rr", "replay", "-s", "0"])
            .arg(recording(fixture).trace)
            .env("RETROGRADE_RR", rr().program())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut said = BufReader::new(child.stderr.take().unwrap());
        let port = loop {
            let mut line = String::new();
            assert_ne!(said.read_line(&mut line).unwrap(), 0, "rr ended");
            if let Some((_, rest)) = line.split_once("127.0.0.1:") {
                break rest.split('\'').next().unwrap().parse().unwrap();
            }
        };
        std::thread::spawn(move || said.read_to_end(&mut Vec::new()));
        Self(child, port)
    }
}

impl Drop for Replay {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn a_replay_that_somebody_has_started_is_debugged_in_both_directions() {
    let mut replay = Replay::start("stepping");
    let server = Server::start();
    let attached = server.call("rr_attach", json!({"address": replay.1}));
    let trace = recording("stepping").trace.canonicalize().unwrap();
    assert_eq!((&attached["port"], attached["trace_dir"].as_str()), (&json!(replay.1), trace.to_str()));
    assert!(attached["message"].as_str().unwrap().starts_with("Attached; the program is paused at event "));
    server.call("rr_breakpoint_set", json!({"location": "half"}));
    let stop = server.call("rr_continue", json!({}));
    assert_eq!(
        (&stop["reason"], stop["line"].as_u64()),
        (&json!("breakpoint-hit"), Some(line("stepping.c", "half-return")))
    );
    assert_eq!(server.call("rr_continue", json!({}))["exit_code"], 0);
    assert_eq!(server.call("rr_continue", json!({"reverse": true}))["function"], "half");
    server.call("rr_replay_stop", json!({}));
    // rr ends when its only client leaves; nobody has killed it.
    assert_eq!(replay.0.wait().unwrap().code(), Some(0));
}

#[test]
fn what_a_server_lacks_is_named() {
    for (features, lacks) in [
        (
            "PacketSize=1000;multiprocess+;vContSupported+",
            "has no reverse execution (ReverseContinue+ and ReverseStep+ in",
        ),
        ("PacketSize=1000;ReverseContinue+;ReverseStep+", "has no rr's commands (qRRCmd), by which events, ticks and"),
    ] {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        // As much of a server as is asked until then: it knows its features and where it has stopped.
        let serving = std::thread::spawn(move || {
            let (mut peer, _) = listener.accept().unwrap();
            let mut heard = Vec::new();
            let mut buffer = [0; 1024];
            while let Ok(count @ 1..) = peer.read(&mut buffer) {
                heard.extend_from_slice(&buffer[..count]);
                while let Some(end) = heard.iter().position(|b| *b == b'#').filter(|end| heard.len() >= end + 3) {
                    let request = String::from_utf8_lossy(&heard[..end]).into_owned();
                    heard.drain(..end + 3);
                    let reply = match request {
                        request if request.contains("$qSupported") => features,
                        request if request.ends_with("$?") => "T05thread:1;",
                        _ => "",
                    };
                    let sum = reply.bytes().fold(0u8, u8::wrapping_add);
                    let _ = peer.write_all(format!("+${reply}#{sum:02x}").as_bytes());
                }
            }
        });
        let server = Server::start();
        let said = server.fail("rr_attach", json!({"address": format!("localhost:{port}")}));
        assert!(said.contains(&format!("the server at 127.0.0.1:{port} {lacks}")), "{said}");
        serving.join().unwrap();
        assert_eq!(server.call("rr_session_list", json!({}))["result"], json!([]));
    }
}

#[test]
fn addresses_that_are_refused() {
    let server = Server::start();
    for (address, reason) in [
        (json!("192.0.2.1:9999"), "it is not on this machine; if that is meant, say so with `remote`"),
        (json!("example.org:9999"), "it must be IP:PORT, localhost:PORT or PORT"),
        (json!(0), "there is no port 0"),
    ] {
        let said = server.fail("rr_attach", json!({"address": address}));
        assert!(said.contains(reason), "{said}");
    }
    let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let said = server.fail("rr_attach", json!({"address": free}));
    assert!(said.contains(&format!("cannot connect to rr at 127.0.0.1:{free}")), "{said}");
}
