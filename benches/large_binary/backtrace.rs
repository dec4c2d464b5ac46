//! The first backtrace with locals in a replay that has stopped inside the program.

use arch::Direction;
use engine::Engine;
use engine::model::{BreakpointSpec, Motion, ReplayOptions, Timeouts};
use rr::{Patience, Rr};
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// No more levels are compared.
const LEVELS: u32 = 32;

/// Prints the levels, innermost first, and the names of the innermost one's variables.
pub fn answer(trace: &Path, stop: &str) {
    let rr = Rr::find().expect("there is an rr");
    let options = ReplayOptions { trace: Some(trace.to_owned()), pid: None };
    let mut engine = Engine::start(&rr, &options, Timeouts::default()).expect("the replay starts");
    let spec = BreakpointSpec { location: stop.to_owned(), pending: true, ..BreakpointSpec::default() };
    engine.set_breakpoint(&spec).expect("a breakpoint can be set");
    engine.go(Motion::Continue(Direction::Forward)).expect("the replay runs");
    let stack = engine.backtrace(0, LEVELS, false).expect("there is a stack");
    for frame in stack.frames {
        let function = frame.function.as_deref().unwrap_or("?");
        let name = function.split('(').next().unwrap_or(function);
        println!("{} {name} {}", frame.level, frame.line.unwrap_or(0));
    }
    for variable in engine.locals().expect("the innermost frame has variables") {
        println!("has {}", variable.name);
    }
}

/// The command that answers the same: GDB on an rr that serves the same replay.
pub fn gdb(gdb: &Path, binary: &Path, debug_directory: &Path, port: u16, stop: &str) -> Command {
    let mut command = Command::new(gdb);
    command.args(["-nx", "-batch", "-iex"]).arg(format!("set debug-file-directory {}", debug_directory.display()));
    command.args(["-iex", "set sysroot /", "-ex"]).arg(format!("target extended-remote 127.0.0.1:{port}")).arg(binary);
    command.arg("-ex").arg(format!("break {stop}")).args(["-ex", "continue", "-ex"]);
    command.arg(format!(
        "python f, n = gdb.newest_frame(), 0\nwhile f and n < {LEVELS}:\n  s = f.find_sal()\n  \
         print('ANSWER %d %s %d' % (n, (f.name() or '?').split('(')[0], s.line))\n  f, n = f.older(), n + 1\n\
         f = gdb.newest_frame()\nb = f.block()\nwhile b:\n  \
         [print('ANSWER has ' + s.name) for s in b if s.is_variable or s.is_argument]\n  \
         b = None if b.function else b.superblock"
    ));
    command
}

/// Serves a replay for GDB while `f` runs.
pub fn serving<R>(trace: &Path, f: impl FnOnce(u16) -> R) -> R {
    let rr = Rr::find().expect("there is an rr");
    let minute = Duration::from_secs(60);
    let patience = Patience { idle: minute, reach: minute };
    let replay = rr.replay(Some(trace), None, patience).expect("the replay starts");
    f(replay.address().port())
}
