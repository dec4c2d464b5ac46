//! # retrograde
//!
//! Reverse debugging of [rr](https://rr-project.org) recordings, for AI agents (an MCP server on stdio) and for Rust
//! tools (this library), with no GDB process: retrograde speaks the GDB remote serial protocol to `rr replay` itself,
//! and reads symbols, lines, frames, variables and types itself.
//!
//! ## Bird's-eye view
//!
//! It runs **rr** (with **softcounters** where the machine has no performance counters), speaks **rsp** to it,
//! understands **dwarf** and C **expr**essions over **ctype**s on an **arch**, joins them in an **engine**, speaks
//! GDB's language about that in a **console**, offers both over **mcp**, and starts from a **cli**. `ls src` says the
//! same.
//!
//! ```text
//!  5  cli                                    subcommands, the demo, the bench; the only place that prints
//!       │
//!  4  mcp                                    tools: arguments in, one engine call, a result out
//!       │
//!  3  console                                GDB's commands: a line in, engine calls, GDB's words out
//!       │
//!  2  engine                                 one replay: breakpoints, stepping, frames, values; waits for rr
//!       │
//!  1  rsp     rr        dwarf  expr  readers five siblings; none knows another
//!       │      │          │     │      │
//!  0  arch  softcounters  qualified  ctype   vocabulary, and the object that counts ticks without a PMU
//! ```
//!
//! | module | what it is |
//! | --- | --- |
//! | [`arch`] | addresses as newtypes, threads, directions, registers and their DWARF numbers |
//! | [`qualified`] | qualified names of C++ and Rust: their components, parameters and arguments |
//! | [`ctype`] | the C type and value model: layout, arithmetic, rendering in GDB's notation |
//! | [`softcounters`] | the object preloaded into rr that supplies its tick counter in software |
//! | [`rsp`] | the wire: framing, typed packets, rr's dialects, a client that cannot send what kills rr |
//! | [`rr`] | the rr program: finding it, recording, traces, starting a replay, the host check |
//! | [`dwarf`] | ELF files and their debug info, wherever it is: symbols, lines, functions, variables, types, unwinding |
//! | [`expr`] | C expressions: parsing, evaluation, compilation to agent-expression bytecode |
//! | [`readers`] | objects of the libraries of C++ and Rust, read as what they mean |
//! | [`engine`] | one replay session; the facade that everything above uses |
//! | [`console`] | GDB's command language: for the command tool, and for the prompt |
//! | [`mcp`] | the MCP server |
//! | [`cli`] | the command line |
//!
//! ## The way of a call
//!
//! Read this first: `rr_next {"reverse": true}` from the wire to rr and back, with the file of each station. A layer that
//! has rooms (`engine`, `dwarf`, `mcp`) says in its own documentation what each room is, and which way the call takes
//! through it in detail.
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
//! engine/run/step/backward/    the rules of stepping back, in terms of a `Machine`; dwarf's lines and frames answer them
//! engine/run/machine.rs        the replay as such a machine
//! engine/breakpoints/insert.rs which breakpoints rr is told
//! engine/target/process.rs     drops what was cached, and resumes:
//! rsp/run.rs                   `bs` or `bc` to rr, and its stop reply
//! engine/run/settle.rs         what that stop comes to
//! engine/run/session.rs        the stop as the caller sees it
//! mcp/reply/stop.rs            the same as JSON and as text
//! ```
//!
//! ## Invariants
//!
//! * **A layer names only layers below it; siblings never name each other.** `dwarf` makes `ctype` types, `expr`
//!   computes with them, and `readers` find a meaning in them; `engine` introduces them to each other. A test reads the
//!   sources and enforces this.
//! * **The bottom asks, the engine answers.** `dwarf` asks about a frame through
//!   [`dwarf::FrameContext`], `expr` about a program through `expr::Env`, `ctype` and `readers` about
//!   memory, and what it means, through [`ctype::Memory`]. Tests answer with hash maps.
//! * **One layer waits for rr.** Everything under `engine` is a function of its arguments, files and one socket; each
//!   wait on that socket has a deadline. `engine` is synchronous and one thread owns it: variable locations, unwind
//!   rules and expressions read memory in mid-recursion, and rr answers one request at a time anyway. What other
//!   threads may hold of an engine is its kill switch, which ends rr whatever that thread does.
//! * **Nothing waits for the network.** `dwarf` reads files: an image's own, and those that its debug info refers to.
//!   What only a server has, `engine` has fetched in the background into a directory where `dwarf` finds it later.
//! * **Resuming invalidates caches, and nothing else does.** One function in `engine` resumes the target; it is the one
//!   that drops memory, registers and frames.
//! * **What kills rr cannot be said.** The deadly requests of rr's server are not representable in `rsp::command`, and
//!   its states (running, exited, restarted) are types or checked in one place.
//! * **One layer knows JSON.** `mcp` converts by hand; no type below it derives a serialisation. `cli` stands above it
//!   and reads JSON only where its bench plays an MCP client.
//! * **stdout is the protocol** while serving. Only `cli` prints; rr and the programs it replays get captured streams.
//! * **A partial answer is an answer.** `<optimized out>`, `truncated`, a guessed frame marked as guessed are values;
//!   an error means that the question could not be asked. A value that is not known is never guessed.
//! * **Nothing from outside panics, hangs or exhausts memory**: packets, ELF and DWARF bytes, expressions, arguments, a
//!   dead rr.
//!
//! ## Where this differs from a textbook layout
//!
//! `mcp` may name `rr` beside `engine`: listing, making and removing recordings needs no replay, and a facade that only
//! passed such calls on would be a layer without a thought of its own. `softcounters` is on the ground floor because
//! its object runs inside rr, not inside us: the module only embeds it and writes it out. In `engine`, `query` stands
//! above `session`, as questions are asked of the engine that goes on in another replay; and the stopped process
//! (`eval::inferior`) is where values are computed, as it has their history.

pub mod arch;
#[expect(clippy::print_stdout, clippy::print_stderr, reason = "the one layer that talks to a person")]
pub mod cli;
pub mod console;
pub mod ctype;
pub mod dwarf;
pub mod engine;
pub mod expr;
pub mod mcp;
pub mod qualified;
pub mod readers;
pub mod rr;
pub mod rsp;
pub mod softcounters;
