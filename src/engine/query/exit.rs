//! How a process has ended in order: by whom `exit` was called, and where `main` has returned.

use super::explain::{is_among, place, plain};
use crate::api::Frame;
use crate::api::error::Error;
use crate::session::engine::Engine;
use arch::{Onward, RunAddr, listing};
use base::qualified::QualifiedName;
use dwarf::Function;

/// Functions of the C library and Rust's that end a process in order.
const EXITS: [&str; 7] =
    ["exit", "_exit", "_Exit", "quick_exit", "__run_exit_handlers", "std::process::exit", "std::sys::exit"];
/// Functions of the C library that call `main`.
const STARTS: [&str; 3] = ["__libc_start_call_main", "__libc_start_main", "__libc_start_main_impl"];
/// How many frames are looked through.
const FRAMES: u32 = 40;
/// Most instructions by which `main` returns; one has a few.
const MOST_RETURNS: usize = 32;

impl Engine {
    /// Lists the instructions by which `main` returns, if the process, which is at its end, has ended because it has
    /// returned. Empty if `main` has no debug info.
    ///
    /// # Errors
    /// If the replay has ended.
    pub fn returns_of_main(&mut self) -> Result<Vec<RunAddr>, Error> {
        let frames = self.backtrace(0, FRAMES, false)?.frames;
        if !is_by_main(&frames) {
            return Ok(Vec::new());
        }
        self.with(|s| {
            let inferior = &s.debuggee.inferior;
            let Some(program) = inferior.modules.program() else { return Ok(Vec::new()) };
            let mut mains = program.image.functions_named("main");
            mains.retain(is_main);
            let [main] = mains.as_slice() else { return Ok(Vec::new()) };
            let mut returns = Vec::new();
            for (start, end) in &main.ranges {
                let (start, end) = (start.at(program.bias), end.at(program.bias));
                let Some(code) = inferior.modules.constant_code(start, end) else { continue };
                let listed = listing(inferior.process.arch(), code, start);
                returns.extend(listed.iter().filter(|i| i.onward == Onward::Return).map(|i| RunAddr(i.at)));
            }
            returns.truncate(MOST_RETURNS);
            Ok(returns)
        })
    }
}

/// Returns whether a function is the user's own `main`: in Rust, that of the crate.
fn is_main(function: &Function) -> bool {
    let name = QualifiedName::split(&function.name);
    function.die.is_some() && name.scopes().len() <= 1
}

/// Says who has ended the process by a call of the C library. `None`: that is not on the stack.
pub(super) fn exited_by(frames: &[Frame]) -> Option<String> {
    let (exit, caller) = exit_and_caller(frames)?;
    Some(match is_by_main(frames) {
        true => "main has returned it".to_owned(),
        false => {
            let function = exit.function.as_deref().map(plain).unwrap_or_default();
            format!("{function} was called by #{} {}", caller.level, place(caller))
        }
    })
}

fn exit_and_caller(frames: &[Frame]) -> Option<(&Frame, &Frame)> {
    let outermost = frames.iter().rposition(|frame| is_among(frame, &EXITS))?;
    Some((frames.get(outermost)?, frames.get(outermost + 1)?))
}

/// Returns whether `exit` was called by what has called `main`. In a stripped C library, the inner of two functions there
/// has no name.
fn is_by_main(frames: &[Frame]) -> bool {
    let Some((_, caller)) = exit_and_caller(frames) else { return false };
    let is_start = |frame: &&Frame| is_among(frame, &STARTS);
    let outer = || frames.iter().skip_while(|frame| frame.level <= caller.level).find(|frame| frame.function.is_some());
    is_start(&caller) || caller.function.is_none() && outer().as_ref().is_some_and(is_start)
}
