//! Signals as stops, as things skipped, and as ends.

use crate::support::fixtures::{line, scratch};
use crate::support::mcp::{Server, replaying};
use serde_json::json;

#[test]
fn a_signal_is_one_stop_in_each_direction() {
    let server = replaying("signal_handler");
    let stop = server.call("rr_continue", json!({}));
    assert_eq!(stop["reason"], "signal-received", "SIGCHLD passes by: {stop}");
    assert_eq!(stop["signal_name"], "SIGUSR1");
    assert_eq!(stop["signal_meaning"], "User defined signal 1");
    assert_eq!(server.call("rr_continue", json!({}))["reason"], "end-of-recording");
    let back = server.call("rr_continue", json!({"reverse": true}));
    assert_eq!(back["signal_name"], "SIGUSR1", "{back}");
    let begin = server.call("rr_continue", json!({"reverse": true}));
    assert_eq!(begin["reason"], "start-of-recording", "{begin}");
}

#[test]
fn a_signal_that_interrupts_a_system_call_is_one_stop() {
    let server = Server::start();
    let trace = scratch().join("interrupted-call.trace");
    let command = json!({"command": ["sleep", "1000"], "timeout": 2, "trace_dir": trace});
    assert_eq!(server.call("rr_record", command)["signal"], "SIGINT");
    server.call("rr_replay_start", json!({"trace_dir": trace}));
    let stop = server.call("rr_continue", json!({}));
    assert_eq!(stop["signal_name"], "SIGINT", "{stop}");
    let begin = server.call("rr_continue", json!({"reverse": true}));
    assert_eq!(begin["reason"], "start-of-recording", "{begin}");
    let again = server.call("rr_continue", json!({}));
    assert_eq!((&again["signal_name"], &again["event"]), (&stop["signal_name"], &stop["event"]), "{again}");
    assert_eq!(server.call("rr_continue", json!({}))["reason"], "end-of-recording");
    assert_eq!(server.call("rr_continue", json!({"reverse": true}))["signal_name"], "SIGINT");
}

/// Two threads that wait for each other; the program is ended by a timeout.
const DEADLOCK: &str = "#include <pthread.h>
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t both;
static void *one(void *p) { pthread_mutex_lock(&a); pthread_barrier_wait(&both); pthread_mutex_lock(&b); return p; }
static void *two(void *p) { pthread_mutex_lock(&b); pthread_barrier_wait(&both); pthread_mutex_lock(&a); return p; }
int main(void) {
    pthread_t x, y;
    pthread_barrier_init(&both, 0, 2);
    pthread_create(&x, 0, one, 0);
    pthread_create(&y, 0, two, 0);
    pthread_join(x, 0);
    return pthread_join(y, 0);
}
";

#[test]
fn a_hang_is_looked_at_from_its_end_backward() {
    let directory = scratch().join("deadlock");
    std::fs::create_dir_all(&directory).unwrap();
    std::fs::write(directory.join("deadlock.c"), DEADLOCK).unwrap();
    let gcc = ["-g", "-pthread", "-o", "deadlock", "deadlock.c"];
    assert!(std::process::Command::new("gcc").args(gcc).current_dir(&directory).status().unwrap().success());
    let server = Server::start();
    let trace = directory.join("trace");
    let command = json!({"command": [directory.join("deadlock")], "timeout": 3, "trace_dir": trace});
    assert_eq!(server.call("rr_record", command)["signal"], "SIGINT");
    server.call("rr_replay_start", json!({"trace_dir": trace}));
    let stop = server.call("rr_continue", json!({}));
    assert_eq!(stop["signal_name"], "SIGINT", "{stop}");
    let owners = || ["a", "b"].map(|name| server.evaluate(&format!("{name}.__data.__owner")));
    let held = owners();
    assert!(!held.contains(&"0".to_owned()), "{held:?}");
    assert_eq!(server.call("rr_continue", json!({}))["reason"], "end-of-recording");
    // The main thread has waited since before the others began: its signal is after all that they have done.
    let back = server.call("rr_continue", json!({"reverse": true}));
    assert_eq!((&back["signal_name"], &back["event"]), (&stop["signal_name"], &stop["event"]), "{back}");
    assert_eq!(owners(), held);
    server.call("rr_watchpoint_set", json!({"expression": "b.__data.__owner"}));
    let locked = server.call("rr_continue", json!({"reverse": true}));
    assert_eq!((&locked["old_value"], &locked["new_value"]), (&json!("0"), &json!(held[1])), "{locked}");
    let frames = server.call("rr_backtrace", json!({}));
    let names: Vec<_> = frames["result"].as_array().unwrap().iter().filter_map(|f| f["function"].as_str()).collect();
    assert!(names.contains(&"two"), "{names:?}");
}

#[test]
fn next_from_a_signal_goes_into_its_handler() {
    let server = replaying("signal_handler");
    server.run_to("work");
    server.call("rr_next", json!({}));
    let stop = server.call("rr_next", json!({}));
    assert_eq!(stop["reason"], "signal-received", "{stop}");
    assert_eq!(stop["signal_name"], "SIGUSR1");
    let stop = server.call("rr_next", json!({}));
    // As in GDB, a step from a signal goes into its handler.
    assert_eq!(stop["function"], "on_usr1", "{stop}");
    assert_eq!(stop["line"].as_u64(), Some(line("signal_handler.c", "handler")));
    server.run_to(&format!("signal_handler.c:{}", line("signal_handler.c", "after")));
    assert_eq!(server.evaluate("handled"), "10");
}

#[test]
fn a_backtrace_crosses_the_signal_frame() {
    let server = replaying("signal_handler");
    server.call("rr_continue", json!({}));
    server.run_to("on_usr1");
    let frames = server.call("rr_backtrace", json!({}));
    let names: Vec<_> =
        frames["result"].as_array().unwrap().iter().map(|f| f["function"].as_str().unwrap_or("?").to_owned()).collect();
    assert_eq!(names[0], "on_usr1");
    assert_eq!(names[1], "<signal handler called>");
    assert!(names.ends_with(&["work".to_owned(), "main".to_owned()]), "{names:?}");
}

#[test]
fn abort_is_traced_to_our_frame() {
    let server = replaying("abort");
    let stop = server.call("rr_continue", json!({}));
    assert_eq!(stop["signal_name"], "SIGABRT", "{stop}");
    let frames = server.call("rr_backtrace", json!({}));
    let ours = frames["result"].as_array().unwrap().iter().find(|f| f["function"] == "give_up").unwrap().clone();
    assert_eq!(ours["line"].as_u64(), Some(line("abort.c", "abort")));
    server.call("rr_select_frame", json!({"frame_level": ours["level"]}));
    assert_eq!(server.evaluate("code"), "7");
    let end = server.call("rr_continue", json!({}));
    assert_eq!(end["reason"], "end-of-recording");
    assert_eq!(end["signal_name"], "SIGABRT", "{end}");
}

#[test]
fn leaving_an_inlined_function_is_not_leaving_it_for_a_signal_handler() {
    let at = |mark: &str| format!("inline_signal.c:{}", line("inline_signal.c", mark));
    let server = replaying("inline_signal");
    server.run_to(&at("before"));
    server.call("rr_step", json!({"instruction": true}));
    let left = server.call("rr_finish", json!({}));
    assert_eq!((&left["reason"], &left["function"]), (&json!("function-finished"), &json!("caller")), "{left}");
    assert_eq!((server.evaluate("after"), server.evaluate("handled")), ("1".to_owned(), "14".to_owned()));

    let server = replaying("inline_signal");
    server.run_to(&at("after"));
    assert_eq!(server.evaluate("handled"), "14");
    let call = server.call("rr_finish", json!({"reverse": true}));
    assert_eq!((&call["reason"], &call["function"]), (&json!("end-stepping-range"), &json!("caller")), "{call}");
    assert_eq!((server.evaluate("before"), server.evaluate("handled")), ("0".to_owned(), "0".to_owned()));
}

/// A library with a function that ends the process.
const DYING: &str = "#include <signal.h>
#include <unistd.h>
static void inner(int signal)
{
    kill(getpid(), signal);
}
void outer(int signal) { inner(signal); }
";

/// The way back is searched from before the library is mapped, if the session has stopped nowhere else.
#[test]
fn the_first_movement_back_in_a_library_is_not_lost() {
    let directory = scratch().join("dying");
    std::fs::create_dir_all(&directory).unwrap();
    std::fs::write(directory.join("dying.c"), DYING).unwrap();
    std::fs::write(directory.join("main.c"), "void outer(int);\nint main(void) { outer(6); }\n").unwrap();
    let library = ["-g", "-shared", "-fPIC", "-o", "libdying.so", "dying.c"];
    let program = ["-g", "-o", "dying", "main.c", "-L.", "-ldying", "-Wl,-rpath,$ORIGIN"];
    for arguments in [library.as_slice(), &program] {
        assert!(std::process::Command::new("gcc").args(arguments).current_dir(&directory).status().unwrap().success());
    }
    let server = Server::start();
    let trace = directory.join("trace");
    server.call("rr_record", json!({"command": [directory.join("dying")], "trace_dir": trace}));
    server.replay(&trace);
    assert_eq!(server.call("rr_continue", json!({}))["signal_name"], "SIGABRT");
    let back = server.call("rr_finish", json!({"reverse": true}));
    let place = (&back["reason"], &back["function"], &back["line"]);
    assert_eq!(place, (&json!("end-stepping-range"), &json!("inner"), &json!(5)), "{back}");
    let back = server.call("rr_finish", json!({"reverse": true}));
    assert_eq!((&back["function"], &back["line"]), (&json!("outer"), &json!(7)), "{back}");
}

/// rr shows the thread behind the `syscall` of the trampoline, where no function is.
#[test]
fn the_return_from_a_handler_has_the_frames_of_what_was_interrupted() {
    let server = replaying("signal_handler");
    let returns = server.call("rr_timeline", json!({"calls": ["rt_sigreturn"]}))["rows"].clone();
    // The first one is of the handler of SIGCHLD.
    let returns: Vec<u64> = returns.as_array().unwrap().iter().map(|row| row["begun"].as_u64().unwrap()).collect();
    assert_eq!(returns.len(), 2);
    for (event, caller) in [(returns[0], "ignored"), (returns[1], "kill")] {
        server.call("rr_run_to_event", json!({"event_number": event}));
        let frames = server.call("rr_backtrace", json!({}))["result"].clone();
        let names: Vec<&str> =
            frames.as_array().unwrap().iter().filter_map(|frame| frame["function"].as_str()).collect();
        assert_eq!(names[..2], ["<signal handler called>", "kill"], "{frames}");
        let marked = line("signal_handler.c", caller);
        assert!(frames.as_array().unwrap().iter().any(|frame| frame["line"] == marked), "{frames}");
        // Nothing there has a line, so a step leads back into the function that was interrupted.
        let stop = server.call("rr_next", json!({}));
        assert_eq!(stop["function"], "kill", "{stop}");
    }
}
