//! Programs that hang: who has what is waited for, since when, and who could wake those that wait.

use crate::support::fixtures::{built_by, built_from, scratch};
use crate::support::mcp::Server;
use serde_json::{Value, json};
use std::path::Path;

/// Ways to hang in C: a lock that another thread has for reading, a condition that was signalled too early, and one that
/// was never signalled.
const C: &str = r#"#include <pthread.h>
#include <stdlib.h>
static pthread_rwlock_t table = PTHREAD_RWLOCK_INITIALIZER;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static void *reads(void *p) {
    pthread_rwlock_rdlock(&table); /* left */
    pthread_rwlock_unlock(&table);
    return p;
}
static void *writes(void *p) {
    pthread_rwlock_wrlock(&table); /* writer */
    return p;
}
static void *waits(void *p) {
    pthread_mutex_lock(&mutex);
    pthread_cond_wait(&ready, &mutex); /* waits */
    return p;
}
int main(int argc, char **argv) {
    pthread_t thread;
    if (atoi(argv[1]) == 0) {
        pthread_create(&thread, 0, reads, 0);
        pthread_join(thread, 0);
        pthread_rwlock_rdlock(&table); /* reader */
        pthread_create(&thread, 0, writes, 0);
    } else {
        if (atoi(argv[1]) == 1) {
            pthread_cond_broadcast(&ready);
            pthread_cond_signal(&ready); /* early */
        }
        pthread_create(&thread, 0, waits, 0);
    }
    return pthread_join(thread, 0); /* joins */
}
"#;

/// The same in Rust, and a channel whose sender is never dropped.
const RUST: &str = r#"use std::sync::{Arc, Condvar, Mutex, RwLock, mpsc};
fn main() {
    let way = std::env::args().nth(1).unwrap();
    let lock = Arc::new(RwLock::new(7));
    let pair = Arc::new((Mutex::new(false), Condvar::new()));
    let (sender, receiver) = mpsc::channel::<i32>();
    if way == "0" {
        drop(lock.read().unwrap());
        let guard = lock.read().unwrap(); // reader
        let other = lock.clone();
        std::thread::spawn(move || *other.write().unwrap() += 1).join().unwrap(); // writer
        drop(guard);
    } else if way == "1" {
        pair.1.notify_one(); // early
        let other = pair.clone();
        std::thread::spawn(move || drop(other.1.wait(other.0.lock().unwrap()).unwrap())).join().unwrap(); // waits
    } else {
        std::thread::spawn(move || receiver.recv().unwrap()).join().unwrap(); // channel
    }
    drop(sender);
}
"#;

/// Futures and shared mutexes of C++.
const CXX: &str = r#"#include <future>
#include <mutex>
#include <shared_mutex>
#include <cstdlib>
#include <condition_variable>
std::mutex one;
std::shared_mutex many;
class Semaphore {
    std::mutex own;
    std::condition_variable more;
    int count = 0;
public:
    void put() { more.notify_one(); /* put */ }
    void take() { std::unique_lock<std::mutex> lock(own); more.wait(lock, [this] { return count > 0; }); }
} gate;
int main(int argc, char **argv) {
    std::promise<int> promise;
    switch (atoi(argv[1])) {
    case 0:
        many.lock_shared(); // reader
        std::thread([] { many.lock(); }).join(); // writer
        break;
    case 1:
        one.lock(); // first
        one.lock(); // again
        break;
    case 3:
        gate.put();
        gate.take();
        break;
    default:
        return promise.get_future().get(); // future
    }
}
"#;

/// The line of a source that has a mark.
fn marked(text: &str, mark: &str) -> u64 {
    let is_it = |line: &str| line.contains(&format!("/* {mark} */")) || line.ends_with(&format!("// {mark}"));
    text.lines().position(is_it).unwrap() as u64 + 1
}

/// Records a program that hangs until that is noticed, and has it explained.
fn explained(program: &Path, way: &str) -> (Server, Value, String) {
    let server = Server::start();
    let trace = scratch().join(format!("{} {way}.hang", program.file_name().unwrap().to_str().unwrap()));
    let recorded = server.call("rr_record", json!({"command": [program, way], "trace_dir": trace}));
    assert_eq!(recorded["ended_by"], "deadlock", "{recorded}");
    let found = server.call("rr_explain", json!({"trace_dir": trace}));
    let text = server.text("rr_threads_report", json!({}));
    assert_eq!(found["kind"], "blocked", "{found}");
    (server, found, text)
}

/// What the thread waits for that does not wait for another one's end.
fn waits_for(found: &Value) -> Value {
    let threads = found["waits"]["threads"].as_array().unwrap();
    let all: Vec<&Value> = threads.iter().map(|thread| &thread["waits_for"]).collect();
    let other = all.iter().find(|wait| wait["kind"] != "join").unwrap_or_else(|| panic!("{found:#}"));
    (*other).clone()
}

#[test]
fn who_reads_is_found_by_what_became_of_the_lock() {
    let c = [("gcc", "-O0"), ("gcc", "-O2"), ("clang", "-O0")].map(|(compiler, level)| {
        let name = format!("hangs-{compiler}{level}");
        (built_by(compiler, "c", &name, C, &["-g", level, "-pthread"]), C, "rwlock")
    });
    let rust = ["0", "2"].map(|level| {
        let options = ["-g", "-C", &format!("opt-level={level}")];
        (built_by("rustc", "rs", &format!("hangs-rust{level}"), RUST, &options), RUST, "rust-rwlock")
    });
    let cxx = built_by("g++", "cpp", "hangs-cxx", CXX, &["-g", "-std=c++17", "-pthread"]);
    for (program, text, kind) in c.into_iter().chain(rust).chain([(cxx, CXX, "rwlock")]) {
        let (server, found, report) = explained(&program, "0");
        let wait = waits_for(&found);
        assert_eq!(wait["kind"], kind, "{wait:#}");
        let readers = wait["readers"].as_array().unwrap_or_else(|| panic!("{program:?} {wait:#}"));
        assert_eq!(readers.len(), 1, "{wait:#}");
        assert_eq!(readers[0]["since"]["line"].as_u64(), Some(marked(text, "reader")), "{program:?} {wait:#}");
        // The main thread is one that has it, and waits for the other one's end.
        let result = found["result"].as_str().unwrap();
        assert!(result.starts_with("deadlock: ") && result.contains(" took for reading in "), "{result}");
        assert!(report.starts_with("deadlock: ") && report.contains("read by "), "{report}");
        server.call("rr_goto", json!({"position": readers[0]["since"]["position"]}));
        let stack = server.text("rr_backtrace", json!({}));
        assert!(stack.contains(&format!(":{}", marked(text, "reader"))), "{stack}");
    }
}

#[test]
fn a_condition_says_how_often_it_was_signalled() {
    let c = built_from("hangs-condition", C, &["-g", "-pthread"]);
    let rust = built_by("rustc", "rs", "hangs-condvar", RUST, &["-g"]);
    for (program, text, kind, count) in [(&c, C, "condition", 2), (&rust, RUST, "rust-condvar", 1)] {
        let (_server, found, report) = explained(program, "1");
        let wait = waits_for(&found);
        assert_eq!((&wait["kind"], &wait["wakes"]["count"]), (&json!(kind), &json!(count)), "{wait:#}");
        assert_eq!(wait["wakes"]["last"]["line"].as_u64(), Some(marked(text, "early")), "{wait:#}");
        assert!(report.contains("signalled "), "{report}");
        assert_eq!(wait["wakes"]["before_this_wait"] == true, kind == "condition", "{wait:#}");
        assert_eq!(found["result"], "no thread runs: each waits to be woken by another one");
    }
    let (_server, found, report) = explained(&c, "2");
    let wait = waits_for(&found);
    assert_eq!((&wait["name"], &wait["wakes"]["count"]), (&json!("ready"), &json!(0)), "{wait:#}");
    assert_eq!(wait["asked_at"]["line"].as_u64(), Some(marked(C, "waits")), "{wait:#}");
    assert!(report.contains("nobody in this process has signalled it"), "{report}");
}

#[test]
fn what_else_is_waited_for() {
    let rust = built_by("rustc", "rs", "hangs-channel", RUST, &["-g"]);
    let (_server, found, _) = explained(&rust, "2");
    assert_eq!(waits_for(&found)["kind"], "rust-channel", "{found:#}");
    let cxx = built_by("g++", "cpp", "hangs-future", CXX, &["-g", "-std=c++17", "-pthread"]);
    let (_server, found, _) = explained(&cxx, "2");
    assert_eq!(waits_for(&found)["kind"], "future", "{found:#}");
    // The condition within a class that is named as if it were the lock itself.
    let (_server, found, _) = explained(&cxx, "3");
    let wait = waits_for(&found);
    assert_eq!((&wait["kind"], &wait["name"]), (&json!("condition"), &json!("gate.more")), "{wait:#}");
    assert_eq!(wait["wakes"]["count"], 1, "{wait:#}");
    assert_eq!(wait["wakes"]["last"]["line"].as_u64(), Some(marked(CXX, "put")), "{wait:#}");
    // A thread that waits for itself.
    let (_server, found, _) = explained(&cxx, "1");
    let wait = waits_for(&found);
    assert_eq!(wait["owned_since"]["line"].as_u64(), Some(marked(CXX, "first")), "{wait:#}");
    assert_eq!(wait["asked_at"]["line"].as_u64(), Some(marked(CXX, "again")), "{wait:#}");
    assert_eq!(found["waits"]["deadlocks"].as_array().unwrap()[0].as_array().unwrap().len(), 1, "{found:#}");
}

const ENDLESS: &str = r#"#include <sys/time.h>
#include <unistd.h>
struct node { struct node *next; int value; };
static struct node nodes[6];
static volatile int seen;
static void visit(const struct node *from) {
    const struct node *p = from;
    while (p) {
        seen = p->value;
        p = p->next;
    }
}
int main(int argc, char **argv) {
    (void)argv;
    for (int i = 0; i < 5; i++)
        nodes[i].next = &nodes[i + 1];
    nodes[5].next = &nodes[2];
    struct itimerval soon = {.it_value = {.tv_usec = 500000}};
    setitimer(ITIMER_REAL, &soon, 0);
    if (argc > 1)
        pause();
    visit(nodes);
    return 0;
}
"#;

#[test]
fn what_runs_without_end_made_no_system_call_and_runs_in_a_ring() {
    let program = built_from("hangs-endless", ENDLESS, &["-g"]);
    let server = Server::start();
    let trace = scratch().join("endless.hang");
    let recorded = server.call("rr_record", json!({"command": [program], "trace_dir": trace}));
    assert_eq!(recorded["signal"], "SIGALRM", "{recorded}");
    let found = server.call("rr_explain", json!({"trace_dir": trace}));
    assert_eq!(found["kind"], "signal", "{found}");
    let evidence: Vec<&str> = found["evidence"].as_array().unwrap().iter().map(|one| one.as_str().unwrap()).collect();
    let silent = evidence.iter().find_map(|one| one.split_once(" made no system call in its last "));
    let seconds = silent.unwrap_or_else(|| panic!("{evidence:?}")).1.strip_suffix(" s").unwrap();
    assert!((0.2..=0.6).contains(&seconds.parse::<f64>().unwrap()), "{evidence:?}");
    let rings =
        ["from->next leads into a ring of 4 after 2 of them", "p->next leads in a ring: after 4 of them it is p"];
    for ring in rings {
        assert_eq!(evidence.iter().filter(|one| one.starts_with(ring)).count(), 1, "{ring}: {evidence:?}");
    }

    let trace = scratch().join("pausing.hang");
    server.call("rr_record", json!({"command": [program, "1"], "trace_dir": trace}));
    let found = server.call("rr_explain", json!({"trace_dir": trace}));
    assert!(!found.to_string().contains("made no system call"), "it is in one: {found}");
}
