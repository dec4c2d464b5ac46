//! Debug info that it takes long to read: how far it is can be seen, and whoever asked may change their mind.

use crate::server::wire::Wire;
use crate::support::fixtures::scratch;
use crate::support::recordings::{record, rr};
use arch::Direction;
use base::cancel::Cancel;
use engine::model::{BreakpointSpec, Motion, Reason, ReplayOptions, Show, Timeouts};
use engine::{Engine, Error, Progress};
use serde_json::{Value, json};
use std::fmt::Write;
use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

/// How many units there are, and how many structures each of them describes.
const UNITS: usize = 300;
const STRUCTURES: usize = 600;

/// A tenth of a second, and much room for a busy machine.
const AT_ONCE: Duration = Duration::from_secs(20);

/// A program in a directory of its own, with tens of megabytes of debug info: that of one unit, many times over.
fn program(directory: &str) -> PathBuf {
    let directory = scratch().join(directory);
    std::fs::create_dir_all(&directory).unwrap();
    let mut unit = String::new();
    for number in 0..STRUCTURES {
        let _ = writeln!(
            unit,
            "struct s{number} {{ int a, b[{}]; struct s{number} *next; struct {{ char x, y; double z; }} c; \
             union {{ long d; void *e; }} u; int (*f)(struct s{number} *, int); }};",
            number + 1
        );
    }
    std::fs::write(directory.join("structures.c"), unit).unwrap();
    std::fs::write(directory.join("main.c"), "int main(void)\n{\n    return 0;\n}\n").unwrap();
    let gcc = |arguments: &[&str], objects: &[&str]| {
        let done = Command::new("gcc").args(arguments).args(objects).current_dir(&directory).output().unwrap();
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    };
    gcc(&["-g", "-fno-eliminate-unused-debug-types", "-c", "structures.c"], &[]);
    // Without a build-id, no cache keeps what is read.
    gcc(&["-g", "-Wl,--build-id=none", "-o", "many", "main.c"], &["structures.o"; UNITS]);
    directory.join("many")
}

/// A program that loads a library with tens of megabytes of debug info, and then goes on.
fn loader() -> PathBuf {
    let many = program("long-reading-library");
    let directory = many.parent().unwrap();
    let main = "#include <dlfcn.h>\nint main(void)\n{\n    void *many = dlopen(\"./libmany.so\", RTLD_NOW);\n    \
                return many == 0;\n}\n";
    std::fs::write(directory.join("loader.c"), main).unwrap();
    let gcc = |arguments: &[&str]| {
        let done = Command::new("gcc").args(arguments).current_dir(directory).output().unwrap();
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    };
    let mut library = vec!["-shared", "-Wl,--build-id=none", "-o", "libmany.so"];
    library.extend(["structures.o"; UNITS]);
    gcc(&library);
    gcc(&["-g", "-o", "loader", "loader.c"]);
    directory.join("loader")
}

/// What a session says of the debug info that it reads, if that is all of it: megabytes done, of so many.
fn reading(wire: &mut Wire) -> Option<(u64, u64)> {
    let listed = wire.call("rr_session_list", json!({}))["structuredContent"]["result"][0].take();
    let text = listed["reading"].as_str()?.strip_prefix("reading debug info of many: ")?.strip_suffix(" MB")?;
    let (done, total) = text.split_once(" of ").unwrap();
    Some((done.parse().unwrap(), total.parse().unwrap()))
}

/// Waits until the session does so.
fn until_reading(wire: &mut Wire) -> (u64, u64) {
    let begin = Instant::now();
    loop {
        if let Some(found) = reading(wire) {
            return found;
        }
        assert!(begin.elapsed() < Duration::from_secs(120), "nothing is read");
    }
}

fn is_stopped(wire: &mut Wire) -> bool {
    wire.call("rr_session_list", json!({}))["structuredContent"]["result"][0]["state"] == "stopped"
}

fn words(result: &Value) -> &str {
    result["content"][0]["text"].as_str().unwrap()
}

#[test]
fn reading_debug_info_is_given_up_at_once_and_begins_anew() {
    let program = program("long-reading");
    let trace = record(&program, &[], scratch()).trace;
    let (mut wire, _) = Wire::replaying(&trace, &[]);
    let question = json!({"expression": format!("sizeof(struct s{})", STRUCTURES - 1)});

    let asked = wire.start("rr_evaluate", question.clone());
    let (done, total) = until_reading(&mut wire);
    assert!(done <= total && total > 20, "{done} of {total} MB");
    let begin = Instant::now();
    let interrupted = wire.call("rr_interrupt", json!({}))["structuredContent"].take();
    let took = begin.elapsed();
    assert_eq!((&interrupted["stopped"], &interrupted["tool"]), (&json!(true), &json!("rr_evaluate")), "{interrupted}");
    assert!(took < AT_ONCE, "{took:?}");
    let given_up = wire.finish(asked);
    assert_eq!(given_up["isError"], true, "{given_up}");
    let said = words(&given_up);
    assert!(said.starts_with("cancelled: stopped reading debug info of many: "), "{said}");

    let asked = wire.start("rr_breakpoint_set", json!({"location": "main", "condition": "(struct s7 *) 0 != 0"}));
    until_reading(&mut wire);
    let params = json!({"requestId": asked, "reason": "test"});
    let begin = Instant::now();
    wire.server.send(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params}).to_string());
    while !is_stopped(&mut wire) {
        assert!(begin.elapsed() < AT_ONCE, "it goes on");
    }
    let listed = wire.call("rr_breakpoint_list", json!({}));
    assert_eq!(listed["structuredContent"], json!({"result": []}), "{listed}");

    let asked = wire.start("rr_evaluate", question);
    let mut last = 0;
    while !is_stopped(&mut wire) {
        if let Some((done, total)) = reading(&mut wire) {
            assert!(last <= done && done <= total, "{last} MB, then {done} of {total}");
            last = done;
        }
    }
    let answer = wire.finish(asked);
    let size = 4 + 4 * STRUCTURES + 8 + 16 + 8 + 8;
    assert_eq!(answer["structuredContent"]["value"], size.next_multiple_of(8).to_string(), "{answer}");
    let set = wire.call("rr_breakpoint_set", json!({"location": "main", "condition": "(struct s7 *) 0 == 0"}));
    assert_eq!(set["structuredContent"]["verified"], true, "{set}");
    let hit = wire.call("rr_continue", json!({}))["structuredContent"].take();
    assert_eq!((&hit["reason"], &hit["line"]), (&json!("breakpoint-hit"), &json!(3)), "{hit}");
}

#[test]
fn reading_debug_info_takes_no_longer_than_a_call_may() {
    let program = program("long-reading-limited");
    let trace = record(&program, &[], scratch()).trace;
    let options = ReplayOptions { trace: Some(trace), pid: None };
    // Work of some hundredths of a second is done all the same; this is much more, on any machine.
    let limits = Timeouts { eval: Duration::from_millis(1), ..Timeouts::default() };
    let mut engine = Engine::start(rr(), &options, limits).unwrap();
    let error = engine.evaluate("sizeof(struct s1)", Show::default()).unwrap_err();
    let Error::ReadingCancelled { progress, after } = &error else { panic!("{error}") };
    assert_eq!(*after, Some(limits.eval));
    assert!(progress.done <= progress.total, "{error}");
    let said = error.to_string();
    assert!(said.starts_with("the time was up after 0.001 s: stopped "), "{said}");
    // The code around the pc is found first, which a machine with other work to do may not have time for, at first.
    let mut attempts = (0..1000).map(|_| engine.evaluate("1 + 1", Show::default()));
    let answer = attempts.find(|answer| !matches!(answer, Err(Error::ReadingCancelled { .. }))).unwrap();
    assert_eq!(answer.unwrap().value, "2");
}

#[test]
fn a_breakpoint_that_was_not_decided_is_asked_again_by_the_next_movement() {
    let program = loader();
    let trace = record(&program, &[], program.parent().unwrap()).trace;
    let options = ReplayOptions { trace: Some(trace), pid: None };
    let mut engine = Engine::start(rr(), &options, Timeouts::default()).unwrap();
    let run = Motion::Continue(Direction::Forward);
    engine.set_breakpoint(&BreakpointSpec { location: "main".into(), temporary: true, ..Default::default() }).unwrap();
    engine.go(run).unwrap();
    // Whether the library has it takes reading all the library's names.
    let nowhere = BreakpointSpec { location: "no_such_function".into(), pending: true, ..Default::default() };
    engine.set_breakpoint(&nowhere).unwrap();
    // Where the dynamic linker tells of libraries.
    let told = BreakpointSpec { location: "_dl_debug_state".into(), ..Default::default() };
    let number = engine.set_breakpoint(&told).unwrap().number;
    let (cancel, work) = (Cancel::default(), engine.work());
    engine.set_cancel(&cancel);
    let is_library = |progress: Progress| progress.to_string().starts_with("reading debug info of libmany.so: ");
    let canceller = std::thread::spawn(move || {
        while !work.progress().is_some_and(is_library) {
            std::thread::yield_now();
        }
        cancel.cancel();
    });
    let undecided = engine.go(run).unwrap();
    canceller.join().unwrap();
    assert_eq!((&undecided.reason, engine.breakpoint(number).unwrap().hits), (&Reason::Cancelled, 0));
    let notes = &undecided.notes;
    assert!(notes.iter().any(|note| note.starts_with(&format!("breakpoint {number} is here; whether"))), "{notes:?}");
    engine.set_cancel(&Cancel::default());
    let decided = engine.go(run).unwrap();
    assert_eq!(
        (decided.reason, decided.position),
        (Reason::Breakpoint { number, temporary: false }, undecided.position)
    );
    assert_eq!(engine.breakpoint(number).unwrap().hits, 1);
    // It is asked once.
    assert_ne!(engine.go(run).unwrap().position, decided.position);
}
