//! What the kernel writes in a system call that waits, or for a signal: whose it is, where other threads and processes run
//! meanwhile; and what it moves.

use crate::names::whose::replay_of;
use crate::support::fixtures::built_by;
use crate::support::mcp::Server;
use serde_json::{Value, json};

const WAITS: &str = r#"#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
static int child[2], thread[2];
static int of_child, of_thread;
static volatile int caught;
extern char **environ;
__attribute__((noinline)) void check(int *p) { __asm__ volatile("" : : "r"(p) : "memory"); }
static int forked(int status) { int pid = fork(); if (pid == 0) _exit(status); return pid; }
static void handler(int s, siginfo_t *info, void *u) { check(&info->si_status); caught = 1; }
static void get(int from, int *to) { struct iovec v = {to, 4}; readv(from, &v, 1); }
static void *waiter(void *a) { get(thread[0], &of_thread); return 0; }
int main(void) {
  int status = 1, seven = 7, pid; pthread_t t; struct rusage usage; siginfo_t info;
  for (int turn = 0; turn < 2; turn++) { waitpid(forked(9 + turn), &status, 0); check(&status); }
  wait4(forked(3), &status, 0, &usage); check((int *)&usage.ru_maxrss);
  waitid(P_PID, forked(4), &info, WEXITED); check(&info.si_status);
  char *arguments[] = {"true", 0};
  if (posix_spawn(&pid, "/bin/true", 0, 0, arguments, environ)) return 2;
  status = 1; waitpid(pid, &status, 0); check(&status);
  pipe(child); pid = fork();
  if (pid == 0) { usleep(1000); write(child[1], &seven, 4); _exit(0); }
  get(child[0], &of_child); check(&of_child); waitpid(pid, 0, 0);
  pipe(thread); pthread_create(&t, 0, waiter, 0); usleep(20000); write(thread[1], &seven, 4);
  struct timespec some = {0, 30000000}; syscall(SYS_clock_nanosleep, 0, 0, &some, 0);
  pthread_join(t, 0); check(&of_thread);
  struct sigaction action = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO};
  sigaction(SIGCHLD, &action, 0); forked(13); while (!caught) usleep(1000);
  int *big = malloc(400000); big[1000] = 4711; big = realloc(big, 40000000); check(big + 1000);
  return 0;
}
"#;

/// Who has written what is asked about last, what was there before and what is there now; and where it comes from.
fn last_write(server: &Server, origin: &str) -> (String, String, String) {
    server.call("rr_continue", json!({}));
    let last = server.call("rr_last_write", json!({"expression": "*p"}));
    let text = |key: &str| last["write"][key].as_str().unwrap_or_else(|| panic!("{last}")).to_owned();
    assert_eq!(last["write"]["new"], server.evaluate("*p"), "{last}");
    assert_eq!(last["notes"], json!([]), "{last}");
    let all = server.call("rr_history", json!({"expression": "*p", "limit": 1000}));
    let rows = all["rows"].as_array().unwrap();
    let earlier = last["earlier"].as_u64().unwrap() as usize;
    assert_eq!(rows.get(earlier - 1), Some(&last["write"]), "{all}");
    let answer = server.call("rr_origin", json!({"expression": "*p"})).to_string();
    assert!(answer.contains(origin), "{origin}: {answer}");
    (text("by"), text("old"), text("new"))
}

#[test]
fn what_a_call_that_waits_has_written_is_its_own() {
    let server = replay_of(&built_by("gcc", "c", "waits", WAITS, &["-g", "-O0", "-w", "-pthread"]));
    server.call("rr_breakpoint_set", json!({"location": "check"}));
    let by = |call: &str, old: &str, new: &str| (format!("the system call {call}"), old.to_owned(), new.to_owned());
    let waited = "the system call wait4, event ";
    assert_eq!(last_write(&server, waited), by("wait4", "1", "2304"));
    assert_eq!(last_write(&server, waited), by("wait4", "2304", "2560"));
    assert_eq!(last_write(&server, waited).0, "the system call wait4");
    assert_eq!(last_write(&server, "the system call waitid, event ").0, "the system call waitid");
    assert_eq!(last_write(&server, waited), by("wait4", "1", "0"));
    assert_eq!(last_write(&server, "the system call readv, event "), by("readv", "0", "7"));
    // While one thread waited for it, another one has made calls of its own.
    assert_eq!(last_write(&server, "the system call readv, event "), by("readv", "0", "7"));
    let (by, _, new) = last_write(&server, "a signal's frame");
    assert_eq!((by.as_str(), new.as_str()), ("a system call, or a signal that comes or returns", "13"));
    // Nothing is written by what moves memory.
    server.call("rr_continue", json!({}));
    let last = server.call("rr_last_write", json!({"expression": "*p"}));
    assert_eq!((&last["write"], server.evaluate("*p").as_str()), (&Value::Null, "4711"), "{last}");
    let note = last["notes"][0].as_str().unwrap();
    assert!(
        note.starts_with("the system call mremap, event ") && note.contains("has moved it there from 0x"),
        "{last}"
    );
    let answer = server.call("rr_origin", json!({"expression": "*p"})).to_string();
    assert!(answer.contains("nothing has written it there: the system call mremap, event "), "{answer}");
}
