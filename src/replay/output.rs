//! What the recorded program prints.

use super::error::Result;
use super::session::Replay;
use base::cancel::Cancel;
use engine::Engine;
use engine::model::Timeouts;

/// Is told of pieces of output.
pub(super) type Listener = Box<dyn FnMut(&Output) + Send>;

/// A piece of what the recorded program has printed: one write, or a part of a long one.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Output {
    /// The number of the event of the recording that the write is. [`Replay::goto_event`] goes there.
    pub event: u64,
    /// The process that wrote it.
    pub process: u32,
    /// Where to.
    pub stream: Stream,
    /// As it was written, at most 4096 bytes.
    pub bytes: Vec<u8>,
}

/// One of the two streams that a program prints on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Stream {
    /// Standard output.
    Out,
    /// Standard error.
    Err,
}

impl From<rr::Stream> for Stream {
    fn from(stream: rr::Stream) -> Self {
        match stream {
            rr::Stream::Out => Self::Out,
            rr::Stream::Err => Self::Err,
        }
    }
}

impl Output {
    /// Returns the bytes as text, with replacement characters for what is not UTF-8.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.bytes).into_owned()
    }

    fn of(written: &rr::Written) -> Self {
        let (event, process, stream) = (written.event, written.pid, written.stream.into());
        Self { event, process, stream, bytes: written.bytes.clone() }
    }
}

impl Replay {
    /// Reads what the recorded program prints from its start to its end, in the order of time, at most the last
    /// 16 MiB. It does not depend on where the replay is, and moves nothing.
    ///
    /// The first time this replays the whole recording beside this replay. What was redirected into files and pipes
    /// after the recording began is not among it.
    ///
    /// ```
    /// # fn main() -> retrograde::Result<()> {
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/example.rs"));
    /// # use retrograde::{Replay, Stream};
    /// let mut replay = Replay::open("exit_code-0")?;
    /// let output = replay.output()?;
    /// let shown: Vec<_> = output.iter().map(|piece| (piece.stream, piece.text())).collect();
    /// assert_eq!(shown, [(Stream::Out, "- -\n".to_owned()), (Stream::Err, "to stderr\n".to_owned())]);
    /// assert!(output[0].event < output[1].event);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// rr fails, or it is cancelled.
    pub fn output(&mut self) -> Result<Vec<Output>> {
        let output = self.told(Engine::output)?;
        Ok(output.pieces.iter().map(Output::of).collect())
    }

    /// Returns what reads the program's output as [`Self::output`] does, on any thread and beside the replay; with it,
    /// why that is not all of it, if it is not.
    pub(crate) fn output_apart(
        &self,
    ) -> impl FnOnce(&Cancel) -> Result<(Vec<Output>, Option<String>)> + Send + 'static + use<> {
        let (rr, trace, limit) = (self.rr.clone(), self.recording().to_owned(), Timeouts::default().reach);
        move |cancel| {
            let output = rr.with_cancel(cancel).output(&trace, limit)?;
            Ok((output.pieces.iter().map(Output::of).collect(), output.incomplete))
        }
    }

    /// Tells of what was printed between an event and where the replay is.
    pub(super) fn tell_output(&mut self, after: u64) {
        let Some(mut listener) = self.listener.take() else { return };
        let here = self.stop.position.event();
        if here > after {
            match self.output() {
                Ok(output) => {
                    let passed = |piece: &&Output| piece.event > after && piece.event <= here;
                    output.iter().filter(passed).for_each(&mut listener);
                }
                Err(error) => self.stop.notes.push(format!("what the program printed is not known: {error}")),
            }
        }
        self.listener = Some(listener);
    }
}
