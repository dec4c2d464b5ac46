//! The Debug Adapter Protocol: a recording in an editor, on standard input and output or on a port.
//!
//! Layer 4, beside `mcp`. A request's arguments are read, one method of the [library](crate::replay) is called, or a
//! line is given to the [`console`](crate::console), and the answer becomes JSON. It contains no debugging.
//!
//! ```text
//! frames ── reader ──▶ queue ──▶ session ──▶ Replay
//!              │                    │
//!              └── calls ◀──────────┘ what is waiting or being carried out, and what ends it
//!    message ◀──────────────────────  responses and events
//! ```
//!
//! * Two threads: `reader` takes requests off the stream, and answers at once what cannot wait (`pause`, `cancel`, and
//!   that nothing can be looked at while the replay moves); the `session` owns the replay and does one thing after the
//!   other. What the reader may do to it is to cancel what it does, and to pull the engine's kill switch.
//! * `start` opens, `movement` moves and `stops` tells where that led; `breakpoints`, `data_breakpoints` and `exceptions` say what is
//!   waited for; `stack`, `variables`, `evaluate`, `completions`, `code` and `step_in` look. What the editor holds of a
//!   stop (frames, variables) are numbers in `handles`, which mean nothing any more after the next movement.
//! * `arguments` and `bodies` are the protocol's own types, of what is used here. The crates that have all of them
//!   (`dap`, `dap-types`, `dapts` and their forks) are early versions that nobody has kept: a request that they do not
//!   know, or one wrong argument, is an error of the whole message, without the number that its answer needs.
//!
//! A recording has no future of its own: the process's end is a stop like others (the event `exited` tells the exit
//! code), from which one can go back. `terminated` is sent when the editor has asked for it, or nothing can be asked of
//! the replay any more.

mod arguments;
mod bodies;
mod breakpoints;
mod calls;
mod code;
mod completions;
mod data_breakpoints;
mod evaluate;
mod exceptions;
mod frames;
mod handles;
mod message;
mod movement;
mod program_output;
mod progress;
mod reader;
mod session;
mod source_paths;
mod stack;
mod start;
mod step_in;
mod stops;
mod variables;

use calls::Calls;
use message::Client;
use reader::Reader;
use session::Session;
use std::io::{self, BufRead, BufReader, Write};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener};
use std::sync::{Arc, mpsc};

/// Serves one editor on standard input and output, until it leaves.
///
/// # Errors
/// A thread cannot be started.
pub fn serve() -> io::Result<()> {
    converse(BufReader::new(io::stdin()), Box::new(io::stdout()))
}

/// Waits for one editor on a port of this machine (0: any), and serves it until it leaves. `listening` is told where.
///
/// # Errors
/// The port cannot be used.
pub fn serve_on_port(port: u16, listening: impl FnOnce(SocketAddr)) -> io::Result<()> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
    listening(listener.local_addr()?);
    let (stream, _) = listener.accept()?;
    drop(listener);
    stream.set_nodelay(true)?;
    let served = converse(BufReader::new(stream.try_clone()?), Box::new(stream.try_clone()?));
    // Who has gone already need not be told.
    let _ = stream.shutdown(Shutdown::Both);
    served
}

/// Holds a conversation with an editor until it leaves. What it has had started is gone then.
fn converse(input: impl BufRead + Send + 'static, output: Box<dyn Write + Send>) -> io::Result<()> {
    let (client, calls) = (Client::new(output), Arc::<Calls>::default());
    let (orders, queue) = mpsc::channel();
    let reader = Reader { client: client.clone(), calls: calls.clone(), orders };
    // It is not joined: it may wait for an editor that has nothing more to say.
    std::thread::Builder::new().name("editor".to_owned()).spawn(move || reader.run(input))?;
    Session::new(client, calls.clone(), queue).run();
    calls.set_over();
    Ok(())
}
