//! A proxy between a GDB and rr that counts packets and tells rr's time from the debugger's.

use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// What came by so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Passed {
    /// Requests, by their `$` (an interrupt byte is none).
    pub packets: u64,
    /// Bytes both ways.
    pub bytes: u64,
    /// Time in which a request had gone to rr and no reply had come back.
    pub waited: Duration,
}

#[derive(Default)]
struct Traffic {
    passed: Passed,
    asked: Option<Instant>,
}

/// A proxy for one connection.
pub(super) struct Proxy {
    /// Where the debugger is to connect.
    pub address: SocketAddr,
    state: Arc<Mutex<Traffic>>,
}

impl Proxy {
    /// Listens on a loopback port and passes what comes on to `server`.
    pub(super) fn start(server: SocketAddr) -> io::Result<Self> {
        let listener = TcpListener::bind(("127.0.0.1", 0))?;
        let address = listener.local_addr()?;
        let state = Arc::new(Mutex::new(Traffic::default()));
        let shared = state.clone();
        thread::spawn(move || {
            let serve = || -> io::Result<()> {
                let (client, _) = listener.accept()?;
                let server = TcpStream::connect(server)?;
                client.set_nodelay(true)?;
                server.set_nodelay(true)?;
                let (from_client, to_server) = (client.try_clone()?, server.try_clone()?);
                let requests = shared.clone();
                thread::spawn(move || pass(from_client, to_server, |bytes| request(&requests, bytes)));
                pass(server, client, |bytes| reply(&shared, bytes));
                Ok(())
            };
            // A debugger or an rr that went away ends the proxy; whoever measures sees it on its own side.
            let _ = serve();
        });
        Ok(Self { address, state })
    }

    /// Returns what came by so far.
    pub(super) fn passed(&self) -> Passed {
        lock(&self.state).passed
    }
}

fn lock(state: &Mutex<Traffic>) -> MutexGuard<'_, Traffic> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

fn pass(mut from: TcpStream, mut to: TcpStream, mut note: impl FnMut(&[u8])) {
    let mut buffer = vec![0; 1 << 16];
    while let Ok(count @ 1..) = from.read(&mut buffer) {
        note(&buffer[..count]);
        if to.write_all(&buffer[..count]).is_err() {
            break;
        }
    }
    let _ = to.shutdown(std::net::Shutdown::Both);
}

fn request(state: &Mutex<Traffic>, bytes: &[u8]) {
    let mut state = lock(state);
    let packets = bytes.iter().filter(|b| **b == b'$').count() as u64;
    state.passed.packets += packets;
    state.passed.bytes += bytes.len() as u64;
    if packets > 0 {
        state.asked.get_or_insert_with(Instant::now);
    }
}

fn reply(state: &Mutex<Traffic>, bytes: &[u8]) {
    let mut state = lock(state);
    state.passed.bytes += bytes.len() as u64;
    // An acknowledgement alone is not yet the reply.
    if bytes.iter().any(|b| *b != b'+')
        && let Some(asked) = state.asked.take()
    {
        state.passed.waited += asked.elapsed();
    }
}
