//! Sessions on servers that somebody else has started.

use crate::server::wire::Wire;
use crate::support::fixtures::{line, program, scratch};
use crate::support::mcp::Server;
use crate::support::recordings::{recording, rr};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

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

/// A server for another debugger that runs a fixture, stopped at its first instruction.
struct Stub(Child, u16);

impl Stub {
    fn gdbserver(fixture: &str, arguments: &[&str]) -> Self {
        Self::gdbserver_of(&program(fixture), arguments)
    }

    fn gdbserver_of(program: &Path, arguments: &[&str]) -> Self {
        let mut child = Command::new("gdbserver")
            .args(["--once", "--no-startup-with-shell", "127.0.0.1:0"])
            .arg(program)
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("these tests need gdbserver (tests/run.sh installs it)");
        let mut said = BufReader::new(child.stderr.take().unwrap());
        let port = loop {
            let mut line = String::new();
            assert_ne!(said.read_line(&mut line).unwrap(), 0, "gdbserver ended");
            if let Some((_, port)) = line.split_once("Listening on port ") {
                break port.trim().parse().unwrap();
            }
        };
        std::thread::spawn(move || said.read_to_end(&mut Vec::new()));
        Self(child, port)
    }

    fn qemu(fixture: &str) -> Self {
        // It cannot choose a port and say which, but it can listen on a socket with a name that nobody else has.
        let socket = scratch().join(format!("qemu-{fixture}"));
        let child = Command::new("qemu-x86_64")
            .arg("-g")
            .arg(&socket)
            .arg(program(fixture))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .spawn()
            .expect("these tests need qemu-x86_64 (tests/run.sh installs it)");
        let begin = Instant::now();
        let upstream = loop {
            match UnixStream::connect(&socket) {
                Ok(connected) => break connected,
                Err(error) => assert!(begin.elapsed() < Duration::from_secs(120), "qemu does not listen: {error}"),
            }
        };
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        std::thread::spawn(move || {
            let (client, _) = listener.accept().unwrap();
            client.set_nodelay(true).unwrap();
            let (mut said, mut to_server) = (client.try_clone().unwrap(), upstream.try_clone().unwrap());
            std::thread::spawn(move || std::io::copy(&mut said, &mut to_server));
            let _ = std::io::copy(&mut &upstream, &mut &client);
            let _ = client.shutdown(Shutdown::Both);
        });
        Self(child, port)
    }
}

impl Drop for Stub {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// What goes forward is done, and what needs time is refused by the name of what is missing.
#[track_caller]
fn goes_forward_only(server: &Server, attached: &Value, port: u16) {
    assert_eq!(attached["message"], "Attached to a server that knows no time: it only goes forward.", "{attached}");
    assert_eq!((attached.get("event"), attached.get("ticks"), attached.get("trace_dir")), (None, None, None));
    let list = server.call("rr_session_list", json!({}))["result"][0].take();
    assert_eq!((&list["reason"], list.get("event")), (&json!("attached"), None), "{list}");
    server.call("rr_breakpoint_set", json!({"location": "add", "condition": "a == 2 && b == 4"}));
    let stop = server.call("rr_continue", json!({}));
    assert_eq!((&stop["reason"], &stop["function"]), (&json!("breakpoint-hit"), &json!("add")), "{stop}");
    assert_eq!((stop.get("event"), stop["line"].as_u64()), (None, Some(line("stepping.c", "add-body"))), "{stop}");
    let frames = server.call("rr_backtrace", json!({}))["result"].take();
    let functions: Vec<_> = frames.as_array().unwrap().iter().map(|f| f["function"].as_str().unwrap()).collect();
    assert_eq!(functions[..2], ["add", "main"], "{frames}");
    assert_eq!((server.evaluate("a"), server.evaluate("b * 2")), ("2".to_owned(), "8".to_owned()));
    let next = server.call("rr_next", json!({}));
    assert_eq!(next["line"].as_u64(), Some(line("stepping.c", "add-return")), "{next}");
    let locals = server.call("rr_locals", json!({}))["result"].take();
    assert!(locals.as_array().unwrap().iter().any(|l| l["name"] == "sum" && l["value"] == "6"), "{locals}");
    let sp = server.call("rr_registers", json!({"register_names": ["rsp"]}))["registers"]["rsp"].clone();
    assert_eq!(
        server.call("rr_read_memory", json!({"address": sp, "count": 16}))["contents"].as_str().unwrap().len(),
        32
    );
    let done = server.call("rr_finish", json!({}));
    assert_eq!((&done["reason"], &done["return_value"]), (&json!("function-finished"), &json!("6")), "{done}");
    let step = server.call("rr_step", json!({"instruction": true}));
    assert_eq!(step["reason"], "end-stepping-range", "{step}");

    let lacks = |feature: &str| format!("the server at 127.0.0.1:{port} has no {feature}; an `rr replay` has it");
    let reverse = lacks("reverse execution (ReverseContinue+ and ReverseStep+ in its answer to qSupported)");
    for tool in ["rr_continue", "rr_step", "rr_next", "rr_finish"] {
        assert_eq!(server.fail(tool, json!({"reverse": true})), reverse, "{tool}");
    }
    let time = lacks("rr's commands (qRRCmd), by which events, ticks and checkpoints are asked for");
    for (tool, arguments) in [
        ("rr_when", json!({})),
        ("rr_run_to_event", json!({"event_number": 1})),
        ("rr_checkpoint_save", json!({})),
        ("rr_checkpoint_restore", json!({"checkpoint_id": 1})),
        ("rr_command", json!({"command": "when"})),
    ] {
        assert_eq!(server.fail(tool, arguments), time, "{tool}");
    }
    assert_eq!(server.fail("rr_output", json!({})), lacks("recording"));
    assert!(server.text("rr_command", json!({"command": "info registers rip"})).contains("<main"));
    let end = server.call("rr_continue", json!({}));
    let note = "the program has ended, and this session with it: a server that replays nothing cannot go back";
    assert_eq!(end, json!({"reason": "exited-normally", "exit_code": 0, "notes": [note]}));
    until_closed(server);
    let said = server.fail("rr_continue", json!({"session": "s1"}));
    let ended =
        "session s1 has ended: the program has exited with code 0; no session is open: call rr_replay_start first";
    assert_eq!(said, ended);
}

/// Waits until no session is open.
fn until_closed(server: &Server) {
    let begin = Instant::now();
    let open = |session: &Value| session.get("state").is_some();
    while server.call("rr_session_list", json!({}))["result"].as_array().unwrap().iter().any(open) {
        assert!(begin.elapsed() < Duration::from_secs(120), "a session is left");
    }
}

#[test]
fn a_gdbserver_is_used_forward() {
    let stub = Stub::gdbserver("stepping", &[]);
    let server = Server::start();
    let attached = server.call("rr_attach", json!({"address": stub.1}));
    goes_forward_only(&server, &attached, stub.1);
}

#[test]
fn what_a_gdbserver_runs_gets_its_signals() {
    let stub = Stub::gdbserver("signal_handler", &[]);
    let server = Server::start();
    server.call("rr_attach", json!({"address": stub.1}));
    let stop = server.call("rr_continue", json!({}));
    assert_eq!((&stop["reason"], &stop["signal_name"]), (&json!("signal-received"), &json!("SIGUSR1")), "{stop}");
    server.call("rr_breakpoint_set", json!({"location": "on_usr1"}));
    assert_eq!(server.call("rr_continue", json!({}))["function"], "on_usr1");
}

#[test]
fn a_signal_is_not_lost_when_another_thread_is_stepped() {
    let stub = Stub::gdbserver("signal_other", &[]);
    let server = Server::start();
    server.call("rr_attach", json!({"address": stub.1}));
    let stop = server.call("rr_continue", json!({}));
    assert_eq!((&stop["reason"], &stop["signal_name"]), (&json!("signal-received"), &json!("SIGUSR1")), "{stop}");
    let threads = server.call("rr_thread_list", json!({}))["result"].take();
    let others = threads.as_array().unwrap().iter().filter(|t| t["current"] != true);
    let other = others.map(|t| t["id"].clone()).next().unwrap_or_else(|| panic!("{threads}"));
    server.call("rr_thread_select", json!({"thread_id": other}));
    server.call("rr_step", json!({"instruction": true}));
    let end = server.call("rr_continue", json!({}));
    assert_eq!((&end["reason"], &end["exit_code"]), (&json!("exited"), &json!(3)), "the handler has run: {end}");
}

#[test]
fn a_program_that_a_signal_ends_is_told_as_that() {
    let stub = Stub::gdbserver("crash", &[]);
    let server = Server::start();
    server.call("rr_attach", json!({"address": stub.1}));
    assert_eq!(server.call("rr_continue", json!({}))["signal_name"], "SIGSEGV");
    let end = server.call("rr_continue", json!({}));
    let meaning = "Segmentation fault";
    assert_eq!(
        (&end["reason"], &end["signal_name"], &end["signal_meaning"]),
        (&json!("exited-signalled"), &json!("SIGSEGV"), &json!(meaning)),
        "{end}"
    );
    until_closed(&server);
}

#[test]
fn a_run_under_gdbserver_is_interrupted_and_goes_on() {
    let stub = Stub::gdbserver_of(Path::new("/bin/sleep"), &["1000"]);
    let mut wire = Wire::open(rr().program(), &[]);
    let attached = wire.call("rr_attach", json!({"address": stub.1}));
    assert_eq!(attached["isError"], false, "{attached}");
    for _ in 0..3 {
        let running = wire.start("rr_continue", json!({}));
        wire.until_running("rr_continue");
        wire.call("rr_interrupt", json!({}));
        let stop = wire.finish(running)["structuredContent"].take();
        assert_eq!(stop["reason"], "cancelled", "{stop}");
    }
}

#[test]
fn a_server_that_serves_somebody_else_is_soon_seen_to_do_so() {
    // It lets itself be connected to, and answers nobody.
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let server = Server::start();
    let begin = Instant::now();
    let said = server.fail("rr_attach", json!({"address": port}));
    let expected = format!(
        "the server did not answer `QStartNoAckMode` within 5s; is a server for GDB listening at 127.0.0.1:{port}, and \
         no other debugger attached to it? It serves one"
    );
    assert_eq!(said, expected);
    assert!(begin.elapsed() < Duration::from_secs(120), "{:?}", begin.elapsed());
}

#[test]
fn a_dynamic_program_under_gdbserver_has_its_libraries() {
    let plugin = program("libplugin.so");
    let stub = Stub::gdbserver("dlopen", &[plugin.to_str().unwrap()]);
    let server = Server::start();
    server.call("rr_attach", json!({"address": stub.1}));
    server.call("rr_breakpoint_set", json!({"location": "plugin_entry", "pending": true}));
    let stop = server.call("rr_continue", json!({}));
    assert_eq!((&stop["reason"], &stop["function"]), (&json!("breakpoint-hit"), &json!("plugin_entry")), "{stop}");
}

#[test]
fn a_qemu_is_used_forward() {
    let stub = Stub::qemu("stepping");
    let server = Server::start();
    let attached = server.call("rr_attach", json!({"address": stub.1, "program": program("stepping")}));
    goes_forward_only(&server, &attached, stub.1);
}

#[test]
fn a_server_that_dies_ends_its_session_with_a_reason() {
    let mut stub = Stub::gdbserver("stepping", &[]);
    let server = Server::start();
    server.call("rr_attach", json!({"address": stub.1}));
    stub.0.kill().unwrap();
    stub.0.wait().unwrap();
    let said = server.fail("rr_continue", json!({}));
    let address = format!("the server at 127.0.0.1:{} is not ours to be started again", stub.1);
    assert!(
        said.starts_with("the session has ended: the server closed the connection at `") && said.ends_with(&address),
        "{said}"
    );
}

/// Passes on what two sides say to each other, and breaks both connections after so many bytes of the server's. Gives
/// its port, and how many bytes it has passed on.
fn cut_after(server: u16, bytes: u64) -> (u16, Arc<AtomicU64>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let passed = Arc::new(AtomicU64::new(0));
    let counted = passed.clone();
    std::thread::spawn(move || {
        let (mut client, _) = listener.accept().unwrap();
        let upstream = TcpStream::connect(("127.0.0.1", server)).unwrap();
        let (mut said, mut to_server) = (client.try_clone().unwrap(), upstream.try_clone().unwrap());
        std::thread::spawn(move || std::io::copy(&mut said, &mut to_server));
        let mut answers = upstream.try_clone().unwrap().take(bytes);
        let mut buffer = [0; 4096];
        while let Ok(some @ 1..) = answers.read(&mut buffer) {
            counted.fetch_add(some as u64, Ordering::SeqCst);
            if client.write_all(&buffer[..some]).is_err() {
                break;
            }
        }
        for side in [client, upstream] {
            let _ = side.shutdown(Shutdown::Both);
        }
    });
    (port, passed)
}

#[test]
fn a_connection_that_breaks_anywhere_is_one_clear_error() {
    let server = Server::start();
    // How much is said depends on the processor, as registers are as wide as its own.
    let replay = Replay::start("stepping");
    let (port, passed) = cut_after(replay.1, u64::MAX);
    let attached = server.call("rr_attach", json!({"address": port}));
    let whole = passed.load(Ordering::SeqCst);
    server.call("rr_replay_stop", json!({"session": attached["session"]}));
    // In the handshake, while modules are read, and in the calls after that.
    let early = [0, 1, 40, 300, whole / 10, whole / 2, whole / 10 * 9];
    let late = [whole / 10 * 11, whole / 10 * 15, whole * 2];
    for bytes in early.into_iter().chain(late) {
        let replay = Replay::start("stepping");
        let (port, _) = cut_after(replay.1, bytes);
        let attached = server.attempt("rr_attach", json!({"address": port}));
        assert_eq!(attached.is_ok(), bytes > whole, "{bytes} of {whole}");
        let said = attached.map_or_else(
            |said| said,
            |attached| {
                let session = attached["session"].clone();
                server.attempt("rr_breakpoint_set", json!({"location": "half", "session": session})).ok();
                // Sooner or later in this loop, wherever it is.
                loop {
                    let asked = json!({"session": session, "instruction": true, "count": 50});
                    if let Err(said) = server.attempt("rr_step", asked) {
                        break said;
                    }
                }
            },
        );
        let known = ["rr closed the connection at `", "the server closed the connection at `", "has ended: "];
        assert!(known.iter().any(|known| said.contains(known)), "{bytes}: {said}");
    }
    until_closed(&server);
    assert_eq!(std::fs::read_dir(format!("/proc/{}/fd", server.pid)).unwrap().flatten().filter(is_tcp).count(), 0);
}

/// Whether a file descriptor is a socket of the internet.
fn is_tcp(fd: &std::fs::DirEntry) -> bool {
    let target = std::fs::read_link(fd.path()).unwrap_or_default();
    let inode = target.to_str().and_then(|t| t.strip_prefix("socket:[")?.strip_suffix(']').map(str::to_owned));
    let tables = || ["/proc/net/tcp", "/proc/net/tcp6"].map(|table| std::fs::read_to_string(table).unwrap_or_default());
    inode.is_some_and(|inode| tables().iter().any(|table| table.split_whitespace().any(|word| word == inode)))
}

#[test]
fn addresses_that_are_refused() {
    let server = Server::start();
    for (address, reason) in [
        (json!("192.0.2.1:9999"), "it is not on this machine; to permit it, set `remote`"),
        (json!("example.org:9999"), "it must be IP:PORT, localhost:PORT or PORT"),
        (json!(0), "there is no port 0"),
    ] {
        let said = server.fail("rr_attach", json!({"address": address}));
        assert!(said.contains(reason), "{said}");
    }
    let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let said = server.fail("rr_attach", json!({"address": free}));
    assert!(said.contains(&format!("cannot connect to 127.0.0.1:{free}")), "{said}");
}
