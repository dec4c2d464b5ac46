//! Memory that processes share: what one of them finds there leads to the store of another one.

use crate::support::fixtures::{built_by, scratch};
use crate::support::mcp::Server;
use crate::support::recordings::record;
use serde_json::{Value, json};

/// Memory that is inherited, opened by its name and of no name; each number says which process stored it, and as which one.
const SHARED: &str = "#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
struct Box { long turn, value, read, copied; };
Box *inherited, *named, *unnamed; pid_t pids[3]; char path[40];
__attribute__((noinline)) long made(long process, long number) { return process * 100 + number; }
void *mapped(int fd) { return mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0); }
void child(int process, int input) {
    Box *own = (Box *)mapped(shm_open(path, O_RDWR, 0));
    inherited->value = made(process, 1);
    own->value = made(process, 2);
    unnamed->turn = made(process, 3);
    if (process == 1) {
        unnamed->value = made(process, 4);
        if (read(input, &inherited->read, 8) != 8) _exit(1);
        Box local = {0, 0, 0, made(process, 5)};
        memcpy(&own->copied, &local.copied, sizeof local.copied);
    }
    std::printf(\"%d %d\\n\", process, (int)getpid());
    std::fflush(stdout);
    _exit(0);
}
void done() {}
int main() {
    std::snprintf(path, sizeof path, \"/sharing-%d\", (int)getpid());
    inherited = (Box *)mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    int fd = shm_open(path, O_RDWR | O_CREAT | O_EXCL, 0600), no_name = memfd_create(\"boxes\", 0), input[2];
    if (ftruncate(fd, 4096) || ftruncate(no_name, 4096) || pipe(input)) return 1;
    named = (Box *)mapped(fd); unnamed = (Box *)mapped(no_name);
    inherited->value = 7; unnamed->value = 8;
    for (int process = 1; process < 3; process++) {
        if ((pids[process] = fork()) == 0) child(process, input[0]);
        long sent = made(0, process);
        if (process == 1 && write(input[1], &sent, 8) != 8) return 2;
        waitpid(pids[process], nullptr, 0);
    }
    named->turn = made(0, 9);
    done();
    shm_unlink(path);
}
";

fn hops(server: &Server, expression: &str) -> Vec<Value> {
    let origin = server.call("rr_origin", json!({"expression": expression, "max_hops": 6}));
    origin["rows"].as_array().unwrap_or_else(|| panic!("{origin}")).clone()
}

#[test]
fn what_is_in_shared_memory_leads_to_the_process_that_stored_it() {
    let program = built_by("g++", "cc", "sharing", SHARED, &["-g", "-O0", "-lrt"]);
    let server = Server::start();
    let trace = record(&program, &[], scratch()).trace;
    server.replay(&trace);
    server.run_to("done");
    let pid = |process: usize| server.evaluate(&format!("pids[{process}]"));
    // Who wrote last, the value, and what the memory is.
    let expected = [
        ("inherited->value", 2, 201, "shared memory: "),
        ("named->value", 2, 202, "shared memory, /dev/shm/sharing-"),
        ("unnamed->turn", 2, 203, "shared memory, /memfd:boxes"),
        ("unnamed->value", 1, 104, "shared memory, /memfd:boxes"),
    ];
    for (expression, process, value, what) in expected {
        let hops = hops(&server, expression);
        let kinds: Vec<&str> = hops.iter().filter_map(|hop| hop["kind"].as_str()).collect();
        assert_eq!(kinds, ["shared", "return", "computed"], "{expression}: {hops:?}");
        let from = hops[0]["from"].as_str().unwrap();
        assert!(from.starts_with(what), "{expression}: {from}");
        assert!(from.ends_with(&format!(" of process {}", pid(process))), "{expression}: {from}");
        assert_eq!((&hops[1]["function"], &hops[1]["value"]), (&json!("child(int, int)"), &json!(value.to_string())));
        let written = server.call("rr_last_write", json!({"expression": expression}));
        let write = &written["write"];
        assert_eq!(
            (&write["new"], &write["tid"]),
            (&json!(value.to_string()), &json!(pid(process).parse::<u64>().unwrap()))
        );
        assert!(write["by"].as_str().unwrap().ends_with(&format!(" in process {}", pid(process))), "{written}");
        assert_eq!(write["position"], hops[1]["position"], "{expression}: {written}");
        assert!(!written["notes"].to_string().contains("not as this write has left it"), "{written}");
    }
    // What a process has itself stored needs no other one.
    let own = hops(&server, "named->turn");
    assert_eq!((&own[0]["kind"], &own[0]["function"]), (&json!("return"), &json!("main")), "{own:?}");
    // The kernel wrote it for another process, to which this one had sent it.
    let read = hops(&server, "inherited->read");
    let kinds: Vec<&str> = read.iter().filter_map(|hop| hop["kind"].as_str()).collect();
    assert_eq!(kinds, ["shared", "sent", "return", "computed"], "{read:?}");
    assert!(read[1]["from"].as_str().unwrap().contains("a pipe: sent of process "), "{read:?}");
    assert_eq!((&read[2]["function"], &read[2]["value"]), (&json!("main"), &json!("1")), "{read:?}");
    let copied = hops(&server, "named->copied");
    let kinds: Vec<&str> = copied.iter().filter_map(|hop| hop["kind"].as_str()).collect();
    assert_eq!(kinds, ["shared", "copy", "return", "computed"], "{copied:?}");
    assert_eq!(copied[1]["from"], "local.copied", "{copied:?}");
    let history = server.call("rr_history", json!({"expression": "inherited->value"}));
    let new: Vec<&str> = history["rows"].as_array().unwrap().iter().filter_map(|row| row["new"].as_str()).collect();
    assert_eq!(new, ["7", "101", "201"], "{history}");
    // One question for all processes.
    let calls = server.call("rr_calls", json!({"function": "made", "limit": 50}));
    let of = |process: usize| {
        let rows = calls["rows"].as_array().unwrap().iter();
        let pid: u64 = pid(process).parse().unwrap();
        rows.filter(|row| row["pid"] == pid).map(|row| row["result"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!((of(1).join(" "), of(2).join(" ")), ("101 102 103 104 105".into(), "201 202 203".into()), "{calls}");
    let counts: Vec<u64> =
        calls["processes"].as_array().unwrap().iter().filter_map(|row| row["count"].as_u64()).collect();
    assert_eq!(counts, [5, 3, 3], "{calls}");
    // A shell that runs it has no such function.
    let command = format!("{}; true", program.display());
    let trace = record("/bin/sh".as_ref(), &["-c", &command], scratch()).trace;
    let calls = server.call("rr_calls", json!({"function": "made", "trace_dir": trace, "limit": 0}));
    let notes: Vec<&str> = calls["notes"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    let shell = server.call("rr_ps", json!({"trace_dir": trace}))["result"][0]["pid"].clone();
    let expected = format!("not asked: process {shell}: its executables have no such function");
    assert!(notes.contains(&expected.as_str()), "{calls}\n{expected}");
    assert_eq!(calls["processes"].as_array().unwrap().len(), 3, "{calls}");
}
