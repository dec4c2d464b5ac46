//! Messages as lines of JSON, and the answers to lines that are not messages.
//!
//! Each line is [checked](super::message) before rmcp sees it: a client that has sent half a message would wait for ever
//! without an answer. (An answer is well-formed, so that a peer that sends back what it receives is not answered again.)

use super::message::{self, Refusal};
use rmcp::model::ServerJsonRpcMessage;
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use rmcp::transport::async_rw::AsyncRwTransport;
use std::collections::VecDeque;
use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, ready};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::sync::Notify;
use tokio::task::JoinHandle;

/// Longest line that is taken. (It is rmcp's limit, too, beyond which it would be silent.)
const LONGEST: usize = 16 << 20;
/// Bytes read at once.
const CHUNK: usize = 16 << 10;
/// What rmcp lets stand before a message.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Answers to lines that are not messages, in their order, until they are sent.
type Complaints = Arc<Mutex<VecDeque<Refusal>>>;

/// A transport over lines, which answers those that are no messages.
pub(super) struct LineTransport<R: AsyncRead + Unpin, W: AsyncWrite> {
    inner: AsyncRwTransport<rmcp::RoleServer, Lines<R>, W>,
    complaints: Complaints,
    sending: Option<JoinHandle<()>>,
}

impl<R, W> LineTransport<R, W>
where
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    /// Creates the transport. `ended` is told when the input has ended: rmcp would first wait for the calls that are
    /// still running.
    pub(super) fn new(input: R, output: W, ended: Arc<Notify>) -> Self {
        let complaints = Complaints::default();
        let lines = Lines {
            input,
            ended,
            complaints: complaints.clone(),
            line: Vec::new(),
            state: LinePart::Line,
            good: Good::default(),
        };
        Self { inner: AsyncRwTransport::new_server(lines, output), complaints, sending: None }
    }

    /// Sends what there is to complain about. May be dropped and called again: nothing is lost or said twice.
    async fn complain(&mut self) {
        loop {
            if let Some(sending) = &mut self.sending {
                // It cannot be cancelled, and a panic in it is reported by the runtime.
                let _ = sending.await;
                self.sending = None;
            }
            let Some(Refusal { id, error }) = pop(&self.complaints) else { return };
            let sent = self.inner.send(ServerJsonRpcMessage::error(error, id));
            self.sending = Some(tokio::spawn(async {
                if let Err(error) = sent.await {
                    tracing::debug!("an answer to a bad line was not sent: {error}");
                }
            }));
        }
    }
}

fn pop(complaints: &Complaints) -> Option<Refusal> {
    complaints.lock().unwrap_or_else(PoisonError::into_inner).pop_front()
}

impl<R, W> Transport<rmcp::RoleServer> for LineTransport<R, W>
where
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    type Error = io::Error;

    fn send(
        &mut self,
        item: TxJsonRpcMessage<rmcp::RoleServer>,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        self.inner.send(item)
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<rmcp::RoleServer>> {
        loop {
            self.complain().await;
            let complaints = self.complaints.clone();
            // The reader wakes this task when it has a complaint, see below.
            let complained = std::future::poll_fn(|_| match complaints.lock() {
                Ok(complaints) if complaints.is_empty() => Poll::Pending,
                _ => Poll::Ready(()),
            });
            tokio::select! {
                biased;
                () = complained => {}
                message = self.inner.receive() => {
                    self.complain().await;
                    return message;
                }
            }
        }
    }

    async fn close(&mut self) -> Result<(), Self::Error> {
        self.inner.close().await
    }
}

/// Input without the lines that are not messages.
struct Lines<R> {
    input: R,
    ended: Arc<Notify>,
    complaints: Complaints,
    /// What there is of the present line.
    line: Vec<u8>,
    state: LinePart,
    good: Good,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum LinePart {
    /// In a line.
    Line,
    /// In the rest of a line that is too long.
    Excess,
    /// Behind the end.
    End,
}

/// Lines that are messages, on their way to rmcp.
#[derive(Default)]
struct Good {
    bytes: Vec<u8>,
    taken: usize,
}

impl<R> Lines<R> {
    fn feed(&mut self, mut bytes: &[u8]) {
        while let Some(newline) = memchr::memchr(b'\n', bytes) {
            self.extend(&bytes[..newline]);
            self.end_line();
            bytes = &bytes[newline + 1..];
        }
        self.extend(bytes);
    }

    fn extend(&mut self, part: &[u8]) {
        if self.state == LinePart::Line && self.line.len() + part.len() > LONGEST {
            self.complain(Refusal::invalid(None, format!("a message is longer than {LONGEST} bytes")));
            self.line = Vec::new();
            self.state = LinePart::Excess;
        }
        if self.state == LinePart::Line {
            self.line.extend_from_slice(part);
        }
    }

    fn end_line(&mut self) {
        self.state = LinePart::Line;
        if !self.line.trim_ascii().is_empty() {
            match message::check(self.line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&self.line)) {
                Ok(_) => {
                    self.good.bytes.append(&mut self.line);
                    self.good.bytes.push(b'\n');
                }
                Err(refusal) => self.complain(refusal),
            }
        }
        self.line.clear();
    }

    fn complain(&mut self, complaint: Refusal) {
        self.complaints.lock().unwrap_or_else(PoisonError::into_inner).push_back(complaint);
    }

    fn is_complaining(&self) -> bool {
        !self.complaints.lock().unwrap_or_else(PoisonError::into_inner).is_empty()
    }
}

impl<R: AsyncRead + Unpin> AsyncRead for Lines<R> {
    fn poll_read(self: Pin<&mut Self>, context: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        loop {
            let rest = this.good.bytes.get(this.good.taken..).unwrap_or_default();
            if !rest.is_empty() {
                let part = &rest[..rest.len().min(buffer.remaining())];
                buffer.put_slice(part);
                this.good.taken += part.len();
                return Poll::Ready(Ok(()));
            }
            this.good = Good::default();
            if this.is_complaining() {
                // Has the transport answer before anything more is read, so that the queue cannot grow without bound.
                context.waker().wake_by_ref();
                return Poll::Pending;
            }
            if this.state == LinePart::End {
                return Poll::Ready(Ok(()));
            }
            let mut chunk = [0; CHUNK];
            let mut chunk = ReadBuf::new(&mut chunk);
            ready!(Pin::new(&mut this.input).poll_read(context, &mut chunk))?;
            if chunk.filled().is_empty() {
                this.ended.notify_one();
                // The last line may lack its end.
                this.end_line();
                this.state = LinePart::End;
            } else {
                this.feed(chunk.filled());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};
    use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, duplex, split};

    const PING: &str = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;

    /// Receives from `input` until its end: the messages, and what was answered.
    fn exchange(input: Vec<u8>) -> (Vec<Value>, Vec<Value>) {
        tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
            let (ours, theirs) = duplex(1 << 16);
            let (read, mut write) = split(ours);
            let writer = tokio::spawn(async move {
                write.write_all(&input).await.unwrap();
                write.shutdown().await.unwrap();
            });
            let answers = tokio::spawn(async move {
                let (mut lines, mut answers) = (BufReader::new(read).lines(), Vec::new());
                while let Some(line) = lines.next_line().await.unwrap() {
                    answers.push(serde_json::from_str(&line).unwrap());
                }
                answers
            });
            let ended = Arc::new(Notify::new());
            let (input, output) = split(theirs);
            let mut transport = LineTransport::new(input, output, ended.clone());
            let mut messages = Vec::new();
            while let Some(message) = transport.receive().await {
                messages.push(serde_json::to_value(message).unwrap());
            }
            ended.notified().await;
            writer.await.unwrap();
            transport.close().await.unwrap();
            drop(transport);
            (messages, answers.await.unwrap())
        })
    }

    fn codes(answers: &[Value]) -> Vec<i64> {
        answers.iter().map(|answer| answer["error"]["code"].as_i64().unwrap()).collect()
    }

    #[test]
    fn messages_pass_and_blank_lines_are_nothing() {
        let (messages, answers) = exchange(format!("\n{PING}\r\n  \n\u{feff}{PING}\n").into_bytes());
        assert_eq!((messages.len(), answers.len()), (2, 0));
    }

    #[test]
    fn a_line_that_is_no_json_is_answered_and_the_next_one_works() {
        let (messages, answers) = exchange(format!("this is not JSON\n{PING}\n{{\"half\": \n{PING}\n").into_bytes());
        assert_eq!(messages.len(), 2);
        assert_eq!(codes(&answers), [-32700, -32700]);
        assert_eq!(answers[0]["jsonrpc"], "2.0");
        assert_eq!(answers[0]["id"], Value::Null);
        let message = answers[0]["error"]["message"].as_str().unwrap();
        assert!(message.starts_with("this is not JSON: expected ident at line 1"), "{message}");
    }

    #[test]
    fn what_is_json_and_not_a_message_is_answered_with_its_id() {
        let (messages, answers) = exchange(format!("{{\"is\": \"no message\", \"id\": 7}}\n{PING}\n").into_bytes());
        assert_eq!((messages.len(), codes(&answers)), (1, vec![-32600]));
        assert_eq!(answers[0]["id"], 7);
    }

    #[test]
    fn bytes_that_are_no_text_are_answered() {
        let (messages, answers) = exchange([b"\"\xff\"\n", PING.as_bytes(), b"\n"].concat());
        assert_eq!((messages.len(), codes(&answers)), (1, vec![-32700]));
    }

    #[test]
    fn the_last_line_may_lack_its_end() {
        let (messages, answers) = exchange(PING.into());
        assert_eq!((messages.len(), answers.len()), (1, 0));
        let (messages, answers) = exchange(b"{\"half\"".to_vec());
        assert_eq!((messages.len(), codes(&answers)), (0, vec![-32700]));
    }

    #[test]
    fn a_line_that_is_too_long_is_answered_once_and_passed_over() {
        let long = format!("\"{}\"\n{PING}\n", "x".repeat(LONGEST + CHUNK));
        let (messages, answers) = exchange(long.into_bytes());
        assert_eq!((messages.len(), codes(&answers)), (1, vec![-32600]));
    }

    #[test]
    fn a_flood_of_bad_lines_is_answered_line_by_line() {
        let (messages, answers) = exchange(format!("{}{PING}\n", "x\n".repeat(20_000)).into_bytes());
        assert_eq!((messages.len(), answers.len()), (1, 20_000));
        assert_eq!(answers[19_999]["error"]["code"], json!(-32700));
    }

    #[test]
    fn deeply_nested_json_is_refused_without_a_crash() {
        let (messages, answers) = exchange(format!("{}\n{PING}\n", "[".repeat(1_000_000)).into_bytes());
        assert_eq!((messages.len(), codes(&answers)), (1, vec![-32700]));
        let deep = format!("{{\"id\": 7, \"params\": {}{}}}\n", "[".repeat(1_000_000), "]".repeat(1_000_000));
        let (messages, answers) = exchange(format!("{deep}{PING}\n").into_bytes());
        assert_eq!((messages.len(), codes(&answers)), (1, vec![-32600]));
        assert_eq!(answers[0]["id"], 7);
    }
}
