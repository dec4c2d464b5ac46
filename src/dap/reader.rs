//! The thread that reads requests: it answers at once what cannot wait for its turn, and queues the rest.

use super::arguments::CancelRequest;
use super::calls::{Call, Calls, Kind, Taken};
use super::frames::{Frame, Frames};
use super::message::{Client, Refusal, Request};
use super::progress;
use serde_json::Value;
use std::io::BufRead;
use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::time::Duration;

/// How long what is being done may take to notice that the session ends, before its rr is killed.
const PATIENCE: Duration = Duration::from_secs(1);

/// What the session is told.
pub(super) enum Order {
    /// A request is to be carried out.
    Carry(Request, Call),
    /// The editor has gone.
    Gone,
}

/// Reads to the end.
pub(super) struct Reader {
    pub(super) client: Client,
    pub(super) calls: Arc<Calls>,
    pub(super) orders: Sender<Order>,
}

impl Reader {
    /// Reads requests until there are no more.
    pub(super) fn run(self, input: impl BufRead) {
        let mut frames = Frames::new(input);
        loop {
            match frames.next() {
                Ok(Some(Frame::Message(bytes))) => match Request::parse(&bytes) {
                    Ok(Some(request)) => self.take(request),
                    Ok(None) => {}
                    Err((seq, why)) => self.client.complain(seq, &why),
                },
                Ok(Some(Frame::Malformed(why))) => self.client.complain(0, &why),
                Ok(Some(Frame::Foreign(why))) => {
                    self.client.complain(0, &why);
                    break;
                }
                Ok(None) => break,
                Err(error) => {
                    tracing::debug!("the editor cannot be read from: {error}");
                    break;
                }
            }
        }
        self.leave(None);
        self.order(Order::Gone);
    }

    fn take(&self, request: Request) {
        tracing::trace!("from the editor: {} {} {}", request.seq, request.command, request.arguments);
        match request.command.as_str() {
            "cancel" => {
                let answer = request.arguments().map(|arguments| self.cancel(&arguments));
                return self.client.respond(&request, answer);
            }
            // Where nothing moves, it is the session that says so.
            "restart" => {
                self.calls.pause();
            }
            "pause" if self.calls.pause() => return self.client.respond(&request, Ok(Value::Null)),
            _ => {}
        }
        match self.calls.take(&request) {
            Taken::Queued(call) => self.queue(request, call),
            Taken::Moving if Kind::of(&request) == Kind::Threads => {
                self.client.respond(&request, Ok(self.calls.last_threads()));
            }
            Taken::Moving => self.client.respond(&request, Err(Refusal::not_stopped())),
            Taken::TooMany => {
                self.client.respond(&request, Err(Refusal::new("too many requests are waiting")));
            }
        }
    }

    fn queue(&self, request: Request, call: Call) {
        let kind = Kind::of(&request);
        self.order(Order::Carry(request, call.clone()));
        match kind {
            Kind::Configuration => self.calls.interrupt(),
            Kind::Leaving => self.leave(Some(call)),
            _ => {}
        }
    }

    fn order(&self, order: Order) {
        if self.orders.send(order).is_err() {
            tracing::debug!("a request came after the session's end");
        }
    }

    fn cancel(&self, arguments: &CancelRequest) -> Value {
        let of_progress = arguments.progress_id.as_deref().and_then(progress::request_of);
        arguments.request_id.into_iter().chain(of_progress).for_each(|seq| self.calls.cancel(seq));
        Value::Null
    }

    /// Has whatever is being done come to an end, for a request or because the editor has gone.
    fn leave(&self, call: Option<Call>) {
        self.calls.cancel_all();
        let calls = self.calls.clone();
        let pull = move || {
            if !calls.is_done_within(call.as_ref(), PATIENCE) {
                calls.pull_switch();
            }
        };
        // Without it, what is being done is waited for longer.
        if let Err(error) = std::thread::Builder::new().spawn(pull) {
            tracing::warn!("no thread for the end: {error}");
        }
    }
}
