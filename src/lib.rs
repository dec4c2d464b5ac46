//! # retrograde
//!
//! Reverse debugging of [rr](https://rr-project.org) recordings, with no GDB process: a failing run is recorded once,
//! and then looked at and moved through in both directions of time. This library is what the program `retrograde` (an
//! MCP server for AI agents, and a prompt) is made of, for tools of your own.
//!
//! ```
//! use retrograde::Replay;
//!
//! fn main() -> retrograde::Result<()> {
//! #   include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/example.rs"));
//!     let mut replay = Replay::open("app-0")?; // Replay::latest() is what was recorded last
//!     println!("{}", replay.run()?); // forward to the crash
//!     if let Some(write) = replay.last_write("station->calibration")? {
//!         println!("{write}"); // the values before and after, and who wrote
//!         replay.goto(&write.at)?;
//!         let slot: u64 = replay.eval("slot")?.try_into()?;
//!         println!("slot {slot} of {:?}", replay.eval("station->readings")?.length());
//! #       assert_eq!((slot, replay.eval("station->readings")?.length()), (8, Some(8)));
//!     }
//!     Ok(())
//! }
//! ```
//!
//! # A tour
//!
//! **Recordings.** [`Recording::of`] records a program, [`Recording::list`] finds what was recorded before, also by
//! plain `rr record`. It needs the program rr; tick counters, which many virtual machines lack, are supplied in
//! software where there are none (*soft counters*). Everything is for x86-64 Linux.
//!
//! **A replay.** [`Replay::open`] begins one, at the start of the recorded process; [`Replay::options`] has what there
//! is to choose: another process, time limits, where the sources are, a [`Cancel`] handle. It is a debugger that is
//! stopped somewhere, with a thread and a frame selected.
//!
//! **Movements** are methods that give a [`Stop`]: [`run`](Replay::run) and [`reverse_run`](Replay::reverse_run),
//! [`next`](Replay::next), [`step`](Replay::step), [`finish`](Replay::finish) and their `reverse_` twins. A stop has a
//! [reason](StopReason), a [`Frame`] and a [`Position`], which can be kept, compared, written down and
//! [gone to](Replay::goto), to the instruction. If a movement fails, the replay is where it was.
//!
//! **Breakpoints.** [`Replay::breakpoint`], [`watchpoint`](Replay::watchpoint) and
//! [`catchpoint`](Replay::catchpoint) build a [`Breakpoint`], with a condition, a thread, a text to log. They work
//! in both directions. [`Replay::each_hit`] has a closure look at each hit.
//!
//! **Values.** [`Replay::eval`] evaluates an expression of C, C++ or Rust, [`Replay::variables`] has what is in scope.
//! A [`Value`] is structured: it has a [`Kind`], fields, elements, entries, something that it points to; it becomes a
//! number, a truth value or a text with `try_into`, and is shown as GDB would show it. Containers of the C++ and Rust
//! libraries show what they hold. Values are read when they are looked at, and borrow the replay: none can be looked
//! at in another moment than its own; [`Value::detach`] makes a copy. What is optimised out or cannot be read is a
//! value that [says so](Value::unknown), never a guess.
//!
//! **The whole execution.** [`Replay::origin`] follows a value back to where it was made, [`Replay::last_write`] finds
//! who changed it last, [`Replay::output`] what the program has printed, and when. [`Replay::history`] has all writes and
//! reads, [`Replay::races`] the unsynchronised ones; [`Replay::explain`] and [`Replay::threads_report`] say what a
//! stop is about. They all leave the replay where it was. [`Questions`] need no replay, and any thread can ask them:
//! [`calls`](Questions::calls) lists the calls of functions with arguments and results, [`trace`](Questions::trace) the
//! hits of a place with values, [`coverage`](Questions::coverage) and [`profile`](Questions::profile) what ran,
//! [`timeline`](Questions::timeline) what rr has recorded, [`diff`](Questions::diff) where two recordings part. Calls
//! and hits have a total, notes, and [rows](Rows) that are read as one comes to them.
//!
//! **Errors** have a [kind](ErrorKind) to decide by, and words to show, which say what would have been valid. Nothing
//! panics, whatever is in a recording, a program or an expression.
//!
//! | to | there is |
//! | --- | --- |
//! | record, find recordings | [`Recording`], [`Recorder`], [`Recorded`] |
//! | open one | [`Replay`], [`Options`], [`Cancel`] |
//! | know where one is | [`Stop`], [`StopReason`], [`Position`], [`Checkpoint`], [`Frame`], [`FrameView`], [`Backtrace`], [`Thread`], [`Location`] |
//! | wait for something | [`Breakpoint`], [`BreakpointKind`], [`Access`], [`Catch`] |
//! | look at something | [`Value`], [`Kind`], [`Unknown`], [`Variable`], [`Register`], [`Instruction`], [`Module`], [`SourceLine`] |
//! | ask about everything | [`Questions`], [`Calls`], [`Call`], [`Trace`], [`Traced`], [`History`], [`Rows`], [`Origin`], [`Hop`], [`Write`], [`Output`], [`LogLine`] |
//! | handle failure | [`Error`], [`ErrorKind`], [`Result`] |
//!
//! Numbers of lines and columns begin at 1, of frames and elements at 0. Addresses and sizes are in bytes. Texts are
//! UTF-8; what is not, in names of files and output, is shown with replacement characters, or given as bytes.

pub use replay::{
    Access, Backtrace, Breakpoint, BreakpointBuilder, BreakpointKind, BreakpointLocation, Call, CallEnd, Caller, Calls,
    CallsBuilder, Cancel, Catch, CatchpointBuilder, Checkpoint, DiffBuilder, Difference, DifferenceKind, Elements,
    Entries, Error, ErrorKind, Explanation, Frame, FrameView, FunctionCount, Happening, History, HistoryBuilder, Hop,
    HopKind, Instruction, Kind, LineCount, Location, LogLine, MemoryAccess, Module, Options, Origin, OriginBuilder,
    Output, ParsePositionError, Position, Questions, Race, Races, Recorded, Recorder, Recording, Register, Replay,
    Result, Rows, SourceLine, Stop, StopReason, Stream, Thread, ThreadWait, ThreadsReport, Trace, TraceBuilder, Traced,
    Unknown, Value, Variable, WatchpointBuilder, Write,
};

// What the program, its tests and its benchmarks use. It changes from version to version.
#[doc(hidden)]
pub mod cli;
#[doc(hidden)]
pub mod console;
#[doc(hidden)]
pub mod dap;
#[doc(hidden)]
pub mod mcp;
#[doc(hidden)]
pub mod replay;
#[doc(hidden)]
pub mod report;
#[doc(hidden)]
pub mod story;

#[cfg(test)]
#[expect(clippy::print_stdout, reason = "what came of a longer run")]
#[allow(dead_code, reason = "each crate uses a part of it")]
#[path = "../tests/support/fuzz.rs"]
mod fuzz;

// The map of the sources. Read it first.
pub mod architecture {
    //! # Architecture
    //!
    //! ## Bird's-eye view
    //!
    //! It runs **rr** (with **softcounters** where the machine has no performance counters), speaks **rsp** to it,
    //! understands **dwarf** and C **expr**essions over **ctype**s on an **arch**, joins them to a **program** and an
    //! **engine**, speaks GDB's language about that in a **console**, offers both to agents over **mcp** and to editors
    //! over **dap**, and starts from a **cli**. `ls src` says the same.
    //!
    //! ```text
    //!  5  cli                                         the only place that prints
    //!       │
    //!  4  mcp    dap    report                         arguments in, one call, a result out
    //!       │      │      │
    //!  3  console    replay ─ questions ─ story       GDB's words; the library; questions; a failure explained
    //!       │
    //!  2  engine                                      one replay with a debugger; waits for rr
    //!       │
    //!  1½   │              program                     what names and locations mean, at a stop and in a recording
    //!       │                │
    //!  1  rsp     rr        dwarf  expr  readers      five siblings; none knows another
    //!       │      │          │     │      │
    //!  0  base  arch  ctype  softcounters            shared by everything above
    //! ```
    //!
    //! A line of this is a *layer*. Up to `questions`, what stands in it are *crates*, whose manifests (`src/*/Cargo.toml`)
    //! say what each may name, and which are tested alone: `cargo test -p retrograde-dwarf`. Above, they are *modules* of
    //! the package at the root. The folders in those that have some are *rooms*: layers again. `tests/it/layering.rs`
    //! lists all of them, and checks that their rules are kept.
    //!
    //! | crate or module | what it is |
    //! | --- | --- |
    //! | [`arch`] | addresses as newtypes, threads, directions, registers and their DWARF numbers |
    //! | [`base::cancel`] | one type for cancellation and deadlines, which everything that waits asks |
    //! | [`base::untrusted`] | files that recordings and debug info name, texts and output from outside: what is opened, and how it is shown |
    //! | [`base::qualified`] | qualified names of C++ and Rust: their components, parameters and arguments |
    //! | [`ctype`] | the C type and value model: layout, arithmetic, rendering in GDB's notation |
    //! | [`softcounters`] | the object preloaded into rr that supplies its tick counter in software, and `probes`: what it writes down of a replay besides, for `questions` |
    //! | [`rsp`] | the wire: framing, typed packets, rr's dialects, a client that cannot send what kills rr |
    //! | [`rr`] | the rr program: finding it, recording, traces, starting a replay, the host check |
    //! | [`dwarf`] | ELF files and their debug info, wherever it is: symbols, lines, functions, variables, types, unwinding |
    //! | [`expr`] | C expressions: parsing, evaluation, compilation to agent-expression bytecode |
    //! | [`readers`] | objects of the libraries of C++ and Rust, read as what they mean; `ctype/render` writes that |
    //! | [`program`] | what names, locations, registers and results mean, for `engine` at a stop and for `questions` about a recording |
    //! | [`engine`] | one replay session; the facade that everything above uses |
    //! | [`console`](crate::console) | GDB's command language: for the command tool, and for the prompt |
    //! | [`questions`] | all calls, all values: asked of a whole execution by one replay |
    //! | [`replay`](crate::replay) | the library: what is re-exported at the root |
    //! | [`story`](crate::story) | where a process failed, and where the value that went wrong came from |
    //! | [`report`](crate::report) | a recording as one page of HTML |
    //! | [`mcp`](crate::mcp) | the MCP server |
    //! | [`dap`](crate::dap) | the debug adapter: editors |
    //! | [`cli`](crate::cli) | the command line |
    //!
    //! | to change | look in |
    //! | --- | --- |
    //! | a tool of the MCP server | `mcp/tools/<family>/`: `args.rs`, `mod.rs`, `view.rs` |
    //! | a command of GDB's | `console/command_names.rs`, and the file that it names |
    //! | a request of the Debug Adapter Protocol | `dap/session.rs` |
    //! | which addresses a location means | `program/location/`, `dwarf/breakpoint_addresses/` |
    //! | what a watchpoint stops at and tells | `engine/breakpoints/set_watchpoint.rs`, `engine/run/watch_hit.rs` |
    //! | the rules of stepping | `engine/run/step/` |
    //! | where debug info has a variable | `dwarf/scopes/`, `dwarf/location/` |
    //! | what an expression means | `expr/eval/` |
    //! | how a value is shown | `ctype/render/`; containers: `readers/cxx/`, `readers/rust/` |
    //! | a question about a whole execution | `questions/` |
    //! | what counts branches, and when it stops | `softcounters/shim/cache/`, `softcounters/shim/overflow.rs` |
    //!
    //! ## The way of a call
    //!
    //! Read this first: `rr_next {"reverse": true}` from the wire to rr and back, with the file of each station. A
    //! module that has rooms (`engine`, `dwarf`, `mcp`) says in its own documentation what each room is, and which way
    //! the call takes through it in detail. A call that moves nothing, as `rr_locals`, takes the same way as far as
    //! the engine: `mcp/tools/inspect/mod.rs`, `engine/eval/locals.rs`, and from there to `dwarf`.
    //!
    //! ```text
    //! mcp/serve/json_lines.rs      a line of JSON
    //! mcp/serve/handler.rs         finds the tool; checks its arguments (mcp/call/arguments.rs)
    //! mcp/tools/execution/mod.rs   makes a `Motion` of them
    //! mcp/call/on_session.rs       waits for the session's thread (mcp/session/thread.rs), and tells progress
    //! mcp/session/debugger.rs      has the engine move
    //! engine/facade.rs             `Engine::go`
    //! engine/session/restart.rs    goes on in a new replay if rr ends meanwhile
    //! engine/run/perform.rs        the movement, with its time limit
    //! engine/run/step/backward/    the rules of stepping back, in terms of a `Machine`; dwarf's lines and frames
    //!                              answer them
    //! engine/run/replay_machine.rs the replay as such a machine
    //! engine/breakpoints/table.rs  which breakpoints rr is told (`wanted`), and of what kind (kinds.rs)
    //! engine/target/process.rs     drops what was cached, and resumes:
    //! rsp/run.rs                   `bs` or `bc` to rr, and its stop reply
    //! engine/run/stop_outcome.rs   what that stop comes to
    //! engine/run/session.rs        the stop as the caller sees it
    //! mcp/reply/stop.rs            the same as JSON and as text
    //! ```
    //!
    //! The *time limit* of a movement is in `engine/run/time_limit.rs`: `perform.rs` sets it, the steps ask it between
    //! rr's stops, and `rsp/run.rs` interrupts rr when it is over. `rsp/link.rs` has that of each reply of rr,
    //! `engine/run/debug_info_work.rs` that of other calls.
    //!
    //! A question about the whole execution asks the engine what its expression means, and then has a replay of its
    //! own, to which no debugger is connected. `rr_last_write`:
    //!
    //! ```text
    //! mcp/tools/writes/mod.rs      what memory is meant, at which moment
    //! questions/writes/last.rs     which writes are asked for, and what the rows come to
    //! rr/probe_pass.rs             `rr replay -a` with a list of probes, and the file of what they have found
    //! softcounters/probes/         the formats of both
    //! softcounters/shim/probe/     in rr: where the program writes, as its code is translated
    //! mcp/tools/writes/view.rs     the rows as JSON and as text
    //! ```
    //!
    //! ## Invariants
    //!
    //! * **A layer names only layers below it; siblings never name each other.** `dwarf` makes `ctype` types, `expr`
    //!   computes with them, and `readers` find a meaning in them; `engine` introduces them to each other. A test reads
    //!   the sources and enforces this (`tests/it/layering.rs`).
    //! * **The bottom asks, the engine answers.** `dwarf` asks about a frame through
    //!   [`dwarf::FrameContext`], `expr` about a program through `expr::Env`, `ctype` and
    //!   `readers` about memory, and what it means, through [`ctype::Memory`]. Tests answer with
    //!   hash maps.
    //! * **One layer waits for rr.** Everything under `engine` is a function of its arguments, files and one socket.
    //!   Each wait on that socket has a deadline (`rsp/link.rs` for a reply, `rsp/run.rs` for a stop), and ends a tenth
    //!   of a second after its call was cancelled. `engine` is synchronous and one thread owns it: variable locations,
    //!   unwind rules and expressions read memory in mid-recursion, and rr answers one request at a time anyway. What
    //!   other threads may hold of an engine is its kill switch, which ends rr whatever that thread does.
    //! * **A call is cancelled by one flag.** Whoever begins a call hands in a [`Cancel`](base::cancel::Cancel); what
    //!   works or waits under it asks that, or a child of it with a deadline of its own. Only work in `dwarf`
    //!   is abandoned by a panic, which is caught by the image that was asked.
    //! * **Nothing waits for the network.** `dwarf` reads files: an image's own, and those that its debug info refers
    //!   to. What only a server has, `engine` has fetched in the background into a directory where `dwarf` finds it
    //!   later.
    //! * **Resuming invalidates caches, and nothing else does.** One function in `engine` resumes the target; it is the
    //!   one that drops memory, registers and frames.
    //! * **What kills rr cannot be said.** The deadly requests of rr's server are not representable in `rsp::command`,
    //!   and its states (running, exited, restarted) are types or checked in one place.
    //! * **One layer knows JSON.** `mcp` and `dap` convert by hand; no type below them derives a serialisation. `cli`
    //!   stands above them and reads JSON only where its bench plays an MCP client.
    //! * **stdout is the protocol** while serving. Only `cli` prints; rr and the programs it replays get captured
    //!   streams.
    //! * **A partial answer is an answer.** `<optimized out>`, `truncated`, a guessed frame marked as guessed are
    //!   values; an error means that the question could not be asked. A value that is not known is never guessed.
    //! * **Nothing from outside panics, hangs or exhausts memory**: packets, ELF and DWARF bytes, expressions,
    //!   arguments, a dead rr.
    //!
    //! ## Where this differs from a textbook layout
    //!
    //! `replay` asks `questions`, which knows nothing of it, where a value comes from. `mcp` may name `rr` beside
    //! `engine`: listing, making and removing recordings needs no replay, and a facade that only passed such calls on
    //! would be a layer without a thought of its own. `softcounters` is on the lowest layer because its object runs
    //! inside rr, not inside us: the module only embeds it and writes it out. In `engine`, `query` stands above
    //! `session`, as queries are put to the engine that goes on in another replay; and the stopped process
    //! (`eval::inferior`) is in `eval`, not in `target`, as it keeps the history of values (`$1`).
}

/// The README's example is compiled; the same one is run above.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
