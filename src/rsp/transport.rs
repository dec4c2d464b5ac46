//! Moving bytes. The only file of this module that touches the outside world.

use std::io::{self, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::time::{Duration, Instant};

/// How long one [`Transport::read`] waits. Short, so that the caller can look at its deadline and its interrupt flag.
pub(super) const POLL: Duration = Duration::from_millis(10);

/// How long the first read after a request looks again and again before it waits. What rr has in memory it answers
/// sooner, and waking up takes as long as that again, several times as long where the processor is virtual.
const AWAKE: Duration = Duration::from_micros(200);

/// How long a write may block. Requests are small: if the kernel does not take one, rr is stuck.
const WRITE_LIMIT: Duration = Duration::from_secs(10);

/// What one look at the wire gave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Received {
    /// This many bytes (at least one).
    Bytes(usize),
    /// Nothing yet.
    Nothing,
    /// Nothing ever again.
    End,
}

/// A way to reach a server.
pub trait Transport: Send {
    /// Sends all of `bytes`.
    fn write(&mut self, bytes: &[u8]) -> io::Result<()>;
    /// Receives what is there, waiting at most some 10 ms for it.
    fn read(&mut self, into: &mut [u8]) -> io::Result<Received>;
    /// Returns a handle that ends the connection from another thread, if there can be one.
    fn hangup(&self) -> Option<Hangup> {
        None
    }
}

/// A handle that ends a connection from any thread, whatever the connection's owner does: its present and all its later
/// requests fail as if rr had gone.
#[derive(Debug)]
pub struct Hangup(TcpStream);

impl Hangup {
    /// Does it. Again, it does nothing.
    pub fn now(&self) {
        // It fails only if there is no connection any more.
        let _ = self.0.shutdown(Shutdown::Both);
    }
}

/// A TCP connection.
#[derive(Debug)]
pub(super) struct Tcp {
    stream: TcpStream,
    /// Something has been sent, and no answer was looked for since.
    has_asked: bool,
}

impl Tcp {
    /// Connects once. rr accepts a single connection and treats its loss as the end of the session, so there is no
    /// second try.
    pub(super) fn connect(to: SocketAddr, limit: Duration) -> io::Result<Self> {
        let stream = TcpStream::connect_timeout(&to, limit)?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(POLL))?;
        stream.set_write_timeout(Some(WRITE_LIMIT))?;
        Ok(Self { stream, has_asked: false })
    }

    /// Reads what comes within [`AWAKE`] after a request; `None` if nothing does. The processor is left to whoever else
    /// wants it.
    fn read_awake(&mut self, into: &mut [u8]) -> Option<io::Result<usize>> {
        if !std::mem::take(&mut self.has_asked) {
            return None;
        }
        self.stream.set_nonblocking(true).ok()?;
        let until = Instant::now() + AWAKE;
        let read = loop {
            match self.stream.read(into) {
                Err(e) if e.kind() == io::ErrorKind::WouldBlock => {}
                done => break Some(done),
            }
            if Instant::now() >= until {
                break None;
            }
            std::thread::yield_now();
        };
        match self.stream.set_nonblocking(false) {
            Ok(()) => read,
            Err(e) => Some(Err(e)),
        }
    }
}

impl Transport for Tcp {
    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.has_asked = true;
        self.stream.write_all(bytes)
    }

    fn read(&mut self, into: &mut [u8]) -> io::Result<Received> {
        use io::ErrorKind::{ConnectionAborted, ConnectionReset, Interrupted, TimedOut, WouldBlock};
        match self.read_awake(into).unwrap_or_else(|| self.stream.read(into)) {
            Ok(0) => Ok(Received::End),
            Ok(n) => Ok(Received::Bytes(n)),
            Err(e) if matches!(e.kind(), WouldBlock | TimedOut | Interrupted) => Ok(Received::Nothing),
            // An rr that dies with unread requests in its socket resets the connection.
            Err(e) if matches!(e.kind(), ConnectionReset | ConnectionAborted) => Ok(Received::End),
            Err(e) => Err(e),
        }
    }

    fn hangup(&self) -> Option<Hangup> {
        self.stream.try_clone().map(Hangup).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::TcpListener;

    #[test]
    fn tells_silence_bytes_and_the_end_apart() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let mut tcp = Tcp::connect(listener.local_addr().unwrap(), Duration::from_secs(5)).unwrap();
        let (mut peer, _) = listener.accept().unwrap();
        let mut buffer = [0; 8];
        assert_eq!(tcp.read(&mut buffer).unwrap(), Received::Nothing);
        peer.write_all(b"$OK").unwrap();
        assert_eq!(tcp.read(&mut buffer).unwrap(), Received::Bytes(3));
        tcp.write(b"+").unwrap();
        assert_eq!(peer.read(&mut buffer).unwrap(), 1);
        drop(peer);
        assert_eq!(tcp.read(&mut buffer).unwrap(), Received::End);
    }

    #[test]
    fn what_is_asked_for_is_waited_for() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let mut tcp = Tcp::connect(listener.local_addr().unwrap(), Duration::from_secs(5)).unwrap();
        let (mut peer, _) = listener.accept().unwrap();
        let mut buffer = [0; 8];
        tcp.write(b"$g#67").unwrap();
        peer.write_all(b"$0#30").unwrap();
        assert_eq!(tcp.read(&mut buffer).unwrap(), Received::Bytes(5), "it comes while the thread is awake");
        tcp.write(b"$c#63").unwrap();
        let begun = Instant::now();
        assert_eq!(tcp.read(&mut buffer).unwrap(), Received::Nothing);
        assert_eq!(tcp.read(&mut buffer).unwrap(), Received::Nothing);
        assert!(begun.elapsed() > POLL, "each of them waits");
        peer.write_all(b"$S05#b8").unwrap();
        assert_eq!(tcp.read(&mut buffer).unwrap(), Received::Bytes(7));
    }

    #[test]
    fn hanging_up_ends_both_sides() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let mut tcp = Tcp::connect(listener.local_addr().unwrap(), Duration::from_secs(5)).unwrap();
        let (mut peer, _) = listener.accept().unwrap();
        let hangup = tcp.hangup().unwrap();
        let reader = std::thread::spawn(move || {
            let mut buffer = [0; 8];
            while tcp.read(&mut buffer).unwrap() == Received::Nothing {}
            tcp.read(&mut buffer).unwrap()
        });
        hangup.now();
        assert_eq!(reader.join().unwrap(), Received::End);
        assert_eq!(peer.read(&mut [0; 8]).unwrap(), 0);
        hangup.now();
    }
}
