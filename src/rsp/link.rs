//! Requests out, replies in: the one place where packets pass, are counted, traced and waited for.
//!
//! A link that has failed stays failed. After a time-out the late answer would be taken for the answer to the next
//! request, so there is no way back but a new rr.

use super::Error;
use super::Traffic;
use super::codec::{Decoder, Frame, INTERRUPT, encode};
use super::command::{Command, Spelling};
use super::reply::{Decoded, Fault, excerpt};
use super::transport::{Hangup, Received, Transport};
use base::cancel::Cancel;
use std::io;
use std::time::{Duration, Instant};

/// To abandon an answer is to abandon the connection, which costs more than to wait so long.
pub(super) const SOON: Duration = Duration::from_millis(25);

/// How long an answer may still take that was waited for when the call was cancelled. The connection is worth more than
/// that of a restart: with it goes a place that has been reached.
const GRACE: Duration = Duration::from_millis(100);

/// How many times the time of a request a server gets that is at work, or waits for a processor on a busy machine.
const PATIENCE: u32 = 10;

/// What a packet is waited for as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Awaited {
    /// The answer to a question. A server that is at work gets [`PATIENCE`] times the limit. A question that was asked
    /// after the call was cancelled is about where that has led, and gets the limit once.
    Answer,
    /// The arrival at another moment, which has its own limit, and is given up as soon as the call is cancelled.
    Arrival,
}

/// A framed connection.
pub(super) struct Link {
    transport: Box<dyn Transport>,
    decoder: Decoder,
    traffic: Traffic,
    /// Whether packets are acknowledged, as they are until `QStartNoAckMode` is agreed on.
    pub(super) acknowledge: bool,
    /// Deadline for a request that is not a resume.
    pub(super) request_timeout: Duration,
    /// Whether the server is at work, which is asked before it is given up.
    pub(super) at_work: Option<Box<dyn Fn() -> bool + Send>>,
    /// What cancels the call that packets are sent for.
    pub(super) cancel: Cancel,
    /// When all of the handshake has to be over.
    pub(super) until: Option<Instant>,
    failed: Option<String>,
    buffer: Vec<u8>,
}

impl Link {
    pub(super) fn new(transport: Box<dyn Transport>, request_timeout: Duration) -> Self {
        Self {
            transport,
            decoder: Decoder::default(),
            traffic: Traffic::default(),
            acknowledge: true,
            request_timeout,
            at_work: None,
            cancel: Cancel::default(),
            until: None,
            failed: None,
            buffer: vec![0; 64 << 10],
        }
    }

    pub(super) fn traffic(&self) -> Traffic {
        self.traffic
    }

    /// Sets whether replies may have runs.
    pub(super) fn expect_runs(&mut self, runs: bool) {
        self.decoder.runs = runs;
    }

    /// Returns a handle that ends the connection from another thread.
    pub(super) fn hangup(&self) -> Option<Hangup> {
        self.transport.hangup()
    }

    /// Fails if an earlier failure has made the link useless.
    pub(super) fn usable(&self) -> Result<(), Error> {
        match &self.failed {
            None => Ok(()),
            Some(reason) => Err(Error::Unusable { reason: reason.clone() }),
        }
    }

    /// Declares the link useless because of `error`, which is handed back.
    pub(super) fn fail(&mut self, error: Error) -> Error {
        self.failed.get_or_insert_with(|| error.to_string());
        error
    }

    /// Sends a request, waits for its reply and decodes that. Not for a resume, which may take any time.
    ///
    /// One request at a time, although rr would take several in one write: it leaves Nagle's algorithm on, so every
    /// reply but the first would wait for the kernel's delayed acknowledgement, 40 ms for what takes 0.02 ms.
    pub(super) fn ask<T>(
        &mut self,
        command: &Command<'_>,
        spelling: Spelling,
        decode: impl FnOnce(&[u8]) -> Decoded<T>,
    ) -> Result<T, Error> {
        let request = command.encode(spelling);
        self.send(&request)?;
        let asked = Instant::now();
        let left = self.until.map_or(Duration::MAX, |until| until.saturating_duration_since(asked));
        let reply = self.receive(&request, self.request_timeout.min(left), Awaited::Answer)?;
        self.traffic.waited += asked.elapsed();
        decode(&reply).map_err(|fault| error_of(&request, fault))
    }

    /// Writes a request without waiting for anything.
    pub(super) fn send(&mut self, request: &[u8]) -> Result<(), Error> {
        self.usable()?;
        tracing::trace!(target: "retrograde::rsp", "-> {}", excerpt(request));
        self.traffic.packets += 1;
        let mut wire = Vec::with_capacity(request.len() + 4);
        encode(request, &mut wire);
        self.write(&wire, request)
    }

    /// Writes the interrupt byte.
    pub(super) fn interrupt(&mut self, request: &[u8]) -> Result<(), Error> {
        self.usable()?;
        tracing::trace!(target: "retrograde::rsp", "-> interrupt");
        self.write(&[INTERRUPT], request)
    }

    /// Waits for one packet, for `limit` at most, and until the call is cancelled.
    pub(super) fn receive(&mut self, request: &[u8], limit: Duration, awaited: Awaited) -> Result<Vec<u8>, Error> {
        let (asked, was_cancelled) = (Instant::now(), self.cancel.is_cancelled());
        let (mut begun, mut spans, mut cancelled) = (asked, 1, None);
        loop {
            if let Some(packet) = self.poll(request)? {
                return Ok(packet);
            }
            let is_late = begun.elapsed() >= limit;
            if self.cancel.is_cancelled() {
                let since: Instant = *cancelled.get_or_insert_with(Instant::now);
                let is_over = match awaited {
                    Awaited::Arrival => asked.elapsed() >= SOON,
                    Awaited::Answer => is_late || !was_cancelled && since.elapsed() >= self.grace(limit),
                };
                if is_over {
                    return Err(self.fail(Error::Cancelled { request: excerpt(request) }));
                }
            }
            if is_late {
                if awaited == Awaited::Arrival || spans == PATIENCE || !self.is_at_work() {
                    return Err(self.fail(Error::Timeout { request: excerpt(request), after: limit * spans }));
                }
                (begun, spans) = (Instant::now(), spans + 1);
            }
        }
    }

    /// Returns how long an answer is waited for after the call was cancelled. Who is not waited for loses the
    /// connection: an rr of our own is replaced by another one then, a server of somebody else's is not.
    fn grace(&self, limit: Duration) -> Duration {
        if self.at_work.is_some() { GRACE } else { limit }
    }

    fn is_at_work(&self) -> bool {
        self.at_work.as_ref().is_some_and(|at_work| at_work())
    }

    /// Waits for one packet, for at most the short time that the transport waits. Looks at the wire once: bytes that
    /// make no packet may come without end.
    pub(super) fn poll(&mut self, request: &[u8]) -> Result<Option<Vec<u8>>, Error> {
        self.usable()?;
        if let Some(packet) = self.buffered(request)? {
            return Ok(Some(packet));
        }
        match self.transport.read(&mut self.buffer) {
            Ok(Received::Bytes(n)) => {
                self.traffic.bytes += n as u64;
                self.decoder.feed(self.buffer.get(..n).unwrap_or_default());
                self.buffered(request)
            }
            Ok(Received::Nothing) => Ok(None),
            Ok(Received::End) => Err(self.fail(Error::Closed { request: excerpt(request) })),
            Err(source) => Err(self.fail(Error::Io { request: excerpt(request), source })),
        }
    }

    /// Takes a packet from among the bytes that have already come.
    fn buffered(&mut self, request: &[u8]) -> Result<Option<Vec<u8>>, Error> {
        loop {
            match self.decoder.next_frame() {
                None => return Ok(None),
                // rr neither waits for acknowledgements nor resends, so neither byte has a consequence.
                Some(Ok(Frame::Ack | Frame::Nack)) => {}
                Some(Ok(Frame::Packet(payload))) => {
                    tracing::trace!(target: "retrograde::rsp", "<- {}", excerpt(&payload));
                    if self.acknowledge {
                        self.write(b"+", request)?;
                    }
                    return Ok(Some(payload));
                }
                Some(Err(error)) => {
                    let error = Error::Malformed { request: excerpt(request), what: error.to_string() };
                    return Err(self.fail(error));
                }
            }
        }
    }

    fn write(&mut self, bytes: &[u8], request: &[u8]) -> Result<(), Error> {
        self.traffic.bytes += bytes.len() as u64;
        let request = || excerpt(request);
        match self.transport.write(bytes) {
            Ok(()) => Ok(()),
            Err(e) if matches!(e.kind(), io::ErrorKind::BrokenPipe | io::ErrorKind::ConnectionReset) => {
                Err(self.fail(Error::Closed { request: request() }))
            }
            Err(source) => Err(self.fail(Error::Io { request: request(), source })),
        }
    }

    /// Adds waiting time that was spent outside [`Link::ask`].
    pub(super) fn waited(&mut self, time: Duration) {
        self.traffic.waited += time;
    }
}

/// Returns the error that a fault in the reply to `request` is.
pub(super) fn error_of(request: &[u8], fault: Fault) -> Error {
    let request = excerpt(request);
    match fault {
        Fault::Refused(code) => Error::Remote { request, code },
        Fault::Unknown => Error::Unsupported { request },
        Fault::Malformed(what) => Error::Malformed { request, what },
    }
}
