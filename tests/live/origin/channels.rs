//! Values that another process or thread has sent: the call that wrote them is the one that the program itself names.

use crate::support::fixtures::{built_by, built_from, scratch};
use crate::support::mcp::Server;
use crate::support::recordings::record;
use serde_json::{Value, json};
use std::path::Path;

/// Stops where a function is met, and returns the session.
fn stopped(program: &Path, arguments: &[&str], place: &str) -> Server {
    let server = Server::start();
    server.replay(&record(program, arguments, scratch()).trace);
    server.run_to(place);
    server
}

/// Returns the hops of an origin.
fn hops(server: &Server, expression: &str) -> Vec<Value> {
    let origin = server.call("rr_origin", json!({"expression": expression}));
    origin["rows"].as_array().unwrap_or_else(|| panic!("{origin}")).clone()
}

fn text(hop: &Value, field: &str) -> String {
    hop[field].as_str().unwrap_or_else(|| panic!("{hop}")).to_owned()
}

/// Children that write numbers which say whose they are, of which call and where in it, in calls of random lengths; a
/// parent that reads them in calls of other random lengths.
const NUMBERED: &str = "#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
static unsigned long state;
static int up_to(int most) { state = state * 6364136223846793005ul + 1442695040888963407ul; return 1 + (state >> 40) % most; }
enum { CHILDREN = 3, TOTAL = 40 };
long got[CHILDREN][TOTAL]; int lengths[CHILDREN][TOTAL]; pid_t pids[CHILDREN];
void all_read(void) {}
static void child(long number, int fd) {
    long out[8];
    for (long call = 0, sent = 0; sent < TOTAL; call++) {
        int count = up_to(8);
        if (count > TOTAL - sent) count = TOTAL - sent;
        for (long i = 0; i < count; i++) out[i] = number << 32 | call << 16 | count << 8 | i;
        if (write(fd, out, count * 8) != count * 8) _exit(1);
        sent += count;
    }
    _exit(0);
}
int main(int argc, char **argv) {
    state = strtoul(argv[1], 0, 10);
    for (int number = 0; number < CHILDREN; number++) {
        int ends[2];
        if (number == 1 ? socketpair(AF_UNIX, SOCK_STREAM, 0, ends) : pipe(ends)) return 1;
        int kept = dup(ends[0]);
        if ((pids[number] = fork()) == 0) { close(kept); dup2(ends[1], 7 + number); close(ends[1]); child(number, 7 + number); }
        close(ends[0]); close(ends[1]);
        for (int read_so_far = 0; read_so_far < TOTAL;) {
            int count = up_to(11);
            if (count > TOTAL - read_so_far) count = TOTAL - read_so_far;
            ssize_t length = read(kept, got[number] + read_so_far, count * 8);
            if (length <= 0 || length % 8) return 2;
            read_so_far += length / 8;
        }
    }
    all_read();
    while (wait(0) > 0) {}
    return 0;
}
";

#[test]
fn each_number_leads_to_the_call_that_it_names() {
    let program = built_from("numbered", NUMBERED, &["-g", "-O0"]);
    for seed in ["1", "29"] {
        let server = stopped(&program, &[seed], "all_read");
        for child in 0..3 {
            let pid = server.evaluate(&format!("pids[{child}]"));
            for index in [0, 17, 39] {
                let expression = format!("got[{child}][{index}]");
                let number: i64 = server.evaluate(&expression).parse().unwrap();
                assert_eq!(number >> 32, child, "{expression}");
                let (count, offset) = (number >> 8 & 0xff, number & 0xff);
                let hops = hops(&server, &expression);
                assert_eq!(text(&hops[0], "kind"), "sent", "{hops:?}");
                let from = text(&hops[0], "from");
                let by = if child == 1 { "a socket" } else { "a pipe" };
                let expected = format!(
                    "{by}: out[{offset}] of process {pid}, bytes {} on of {} that write wrote to its descriptor {}",
                    8 * offset,
                    8 * count,
                    7 + child
                );
                assert!(from.ends_with(&expected), "{expression}: {from}\n{expected}");
                // There it is computed, of the loop's own variables.
                assert_eq!((text(&hops[1], "kind"), text(&hops[1], "function")), ("computed".into(), "child".into()));
                assert_eq!(text(&hops[1], "value"), number.to_string(), "{hops:?}");
            }
        }
    }
}

/// A socket of the network, lists of buffers, messages between threads; and what is not followed.
const CONNECTED: &str = "#include <cstdio>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
struct Message { int kind; double level; };
double measure(int n) { return n * 1.5; }
void serve(int listener) {
    int one = accept(listener, nullptr, nullptr);
    for (int n = 1; n <= 3; n++) {
        int tag = 77 + n;
        Message sent{n, measure(n)};
        iovec parts[2] = {{&tag, sizeof tag}, {&sent, sizeof sent}};
        if (writev(one, parts, 2) < 0) _exit(3);
    }
    _exit(0);
}
void both(Message &m, long square, long hidden) { std::printf(\"%g %ld %ld\\n\", m.level, square, hidden); }
int main() {
    int pair[2], other[2];
    socketpair(AF_UNIX, SOCK_SEQPACKET, 0, pair);
    std::thread sender([&] { for (long n = 1; n < 4; n++) { long squares[2] = {n * n, n}; send(pair[1], squares, sizeof squares, 0); } });
    long square = 0, hidden = 0;
    for (int i = 0; i < 3; i++) recv(pair[0], &square, sizeof square, 0);
    sender.join();
    if (pipe(other)) return 1;
    long secret = 42; iovec part = {&secret, sizeof secret}; msghdr header{}; header.msg_iov = &part; header.msg_iovlen = 1;
    socketpair(AF_UNIX, SOCK_STREAM, 0, other);
    sendmsg(other[0], &header, 0);
    if (read(other[1], &hidden, sizeof hidden) != 8) return 2;
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{}; address.sin_family = AF_INET; address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    bind(listener, (sockaddr *)&address, sizeof address); listen(listener, 3);
    socklen_t length = sizeof address; getsockname(listener, (sockaddr *)&address, &length);
    if (fork() == 0) serve(listener);
    int client = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(client, (sockaddr *)&address, sizeof address)) return 4;
    int tag = 0; Message m{};
    for (int i = 0; i < 3; i++) if (read(client, &tag, sizeof tag) < 0 || read(client, &m, sizeof m) < 0) return 5;
    both(m, square, hidden);
    wait(nullptr);
}
";

#[test]
fn sockets_messages_and_what_is_not_followed() {
    let program = built_by("g++", "cc", "connected", CONNECTED, &["-g", "-O0", "-pthread"]);
    let server = stopped(&program, &[], "both");
    server.call("rr_select_frame", json!({"frame_level": 1}));
    let level = hops(&server, "m.level");
    let kinds: Vec<String> = level.iter().map(|hop| text(hop, "kind")).collect();
    assert_eq!(kinds, ["sent", "return", "computed"], "{level:?}");
    assert!(text(&level[0], "from").contains("a socket: sent.level of process "), "{level:?}");
    assert!(text(&level[0], "from").contains("bytes 12 on of 20 that writev wrote to its descriptor "), "{level:?}");
    assert_eq!((text(&level[1], "function"), text(&level[1], "value")), ("serve(int)".into(), "4.5".into()));
    // Of three messages of two numbers each, the second numbers were lost.
    let square = hops(&server, "square");
    assert_eq!(text(&square[0], "kind"), "sent", "{square:?}");
    assert!(text(&square[0], "from").contains("a socket: squares[0] of thread "), "{square:?}");
    assert!(text(&square[0], "from").contains("bytes 0 on of 16 that send wrote"), "{square:?}");
    assert_eq!((text(&square[1], "kind"), text(&square[1], "value")), ("computed".into(), "9".into()), "{square:?}");
    let hidden = hops(&server, "hidden");
    assert_eq!((hidden.len(), text(&hidden[0], "kind")), (1, "input".to_owned()), "{hidden:?}");
    let note = "who wrote it to the socket is not certain: sendmsg was called for it, which is not followed";
    assert_eq!(hidden[0]["remarks"], json!([note]), "{hidden:?}");
}

/// A child of the same program, by the library's own way to start one.
const ASKED: &str = "use std::io::{Read, Write};
use std::process::{Command, Stdio};
#[inline(never)]
fn weigh(length: u64) -> u64 { length + 41 }
fn child() {
    let mut asked = [0u8; 8];
    let (mut input, mut output) = (std::io::stdin().lock(), std::io::stdout().lock());
    while input.read_exact(&mut asked).is_ok() {
        let weight = weigh(u64::from_le_bytes(asked));
        output.write_all(&weight.to_le_bytes()).unwrap();
        output.flush().unwrap();
    }
}
#[inline(never)]
fn shown(weight: u64) { println!(\"{weight}\"); }
fn main() {
    if std::env::args().count() > 1 { return child(); }
    let program = std::env::current_exe().unwrap();
    let mut child = Command::new(program).arg(\"child\").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    for length in [5u64, 11, 20] {
        child.stdin.as_mut().unwrap().write_all(&length.to_le_bytes()).unwrap();
        let mut answer = [0u8; 8];
        child.stdout.as_mut().unwrap().read_exact(&mut answer).unwrap();
        if length == 20 { shown(u64::from_le_bytes(answer)); }
    }
    drop(child.stdin.take());
    child.wait().unwrap();
}
";

#[test]
fn an_answer_of_another_program_leads_to_what_it_was_asked() {
    let program = built_by("rustc", "rs", "asked", ASKED, &["-g"]);
    let server = stopped(&program, &[], "asked::shown");
    let query = json!({"expression": "weight", "through_arithmetic": true, "max_hops": 60});
    let origin = server.call("rr_origin", query);
    let hops = origin["rows"].as_array().unwrap();
    let sent: Vec<&Value> = hops.iter().filter(|hop| hop["kind"] == "sent").collect();
    let [answer, asked] = sent.as_slice() else { panic!("the answer, and what was asked: {origin}") };
    assert!(text(answer, "from").contains(" a pipe: ") && text(answer, "from").ends_with(" descriptor 1"), "{answer}");
    assert!(text(asked, "from").contains("descriptor 0, a pipe: "), "{asked}");
    let pids = [answer, asked].map(|hop| hop["tid"].as_u64().unwrap());
    assert_ne!(pids[0], pids[1], "{origin}");
    assert!(text(answer, "from").contains(&format!("of process {}, ", pids[1])), "{answer}");
    assert!(text(asked, "from").contains(&format!("of process {}, ", pids[0])), "{asked}");
    let functions: Vec<String> = hops.iter().filter_map(|hop| hop["function"].as_str()).map(str::to_owned).collect();
    assert!(functions.iter().any(|name| name == "asked::weigh"), "{functions:?}");
    assert_eq!(functions.last().map(String::as_str), Some("asked::main"), "{origin}");
}
