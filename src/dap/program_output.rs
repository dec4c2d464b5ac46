//! What the recorded program prints, told as the replay comes past it.

use super::message::Client;
use crate::replay::{ErrorKind, Output, Replay, Result, Stream};
use base::cancel::Cancel;
use serde_json::json;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

/// What the program prints: read by a replay of its own beside the session's, and told up to where that is.
#[derive(Default)]
pub(super) struct ProgramOutput {
    state: Arc<Mutex<State>>,
    /// What ends the reading, and its thread.
    reading: Option<(Cancel, JoinHandle<()>)>,
}

#[derive(Default)]
struct State {
    pieces: Vec<Output>,
    /// The event where the replay is.
    here: u64,
    /// How many pieces have been told: what is come past again is not told again.
    told: usize,
    texts: Texts,
}

fn locked(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

impl State {
    fn tell(&mut self, client: &Client) {
        while let Some(piece) = self.pieces.get(self.told).filter(|piece| piece.event <= self.here) {
            self.texts.tell(client, piece.stream, &piece.bytes);
            self.told += 1;
        }
    }
}

impl ProgramOutput {
    /// Begins to read what the program of a replay prints.
    pub(super) fn read(&mut self, replay: &Replay, client: Client) {
        let (cancel, state, read) = (Cancel::new(), self.state.clone(), replay.output_apart());
        let until = cancel.clone();
        let reader = std::thread::spawn(move || keep(&state, read(&until), &client));
        self.reading = Some((cancel, reader));
    }

    /// Tells what was printed before this event, and has not been told.
    pub(super) fn tell_up_to(&self, event: u64, client: &Client) {
        let mut state = locked(&self.state);
        state.here = event;
        state.tell(client);
    }
}

/// Keeps what was read, and says what is missing.
fn keep(state: &Mutex<State>, output: Result<(Vec<Output>, Option<String>)>, client: &Client) {
    match output {
        Ok((pieces, incomplete)) => {
            if let Some(why) = incomplete {
                client.say("console", &format!("not all that the program prints is shown: {why}"));
            }
            let mut state = locked(state);
            state.pieces = pieces;
            state.tell(client);
        }
        Err(error) if error.kind() == ErrorKind::Cancelled => {}
        Err(error) => client.say("console", &format!("what the program prints is not known: {error}")),
    }
}

impl Drop for ProgramOutput {
    fn drop(&mut self) {
        if let Some((cancel, reader)) = self.reading.take() {
            cancel.cancel();
            // It has nothing to say that anybody waits for.
            let _ = reader.join();
        }
    }
}

/// Bytes of two streams as text, where a character may be cut in two.
#[derive(Debug, Default)]
pub(super) struct Texts([Vec<u8>; 2]);

impl Texts {
    /// Tells a piece that was printed.
    pub(super) fn tell(&mut self, client: &Client, stream: Stream, bytes: &[u8]) {
        let (category, kept) = match stream {
            Stream::Out => ("stdout", &mut self.0[0]),
            Stream::Err => ("stderr", &mut self.0[1]),
        };
        let text = text_of(kept, bytes);
        if !text.is_empty() {
            client.event("output", json!({"category": category, "output": text}));
        }
    }
}

/// Returns what was kept and what is new as text. The beginning of a character that is not complete is kept.
fn text_of(kept: &mut Vec<u8>, bytes: &[u8]) -> String {
    kept.extend_from_slice(bytes);
    let incomplete = match std::str::from_utf8(kept) {
        Err(error) if error.error_len().is_none() => kept.split_off(error.valid_up_to()),
        // Behind something that is no UTF-8 at all, the end is looked at alone.
        Err(_) => {
            let start = kept.iter().rposition(|byte| *byte >= 0xc0).filter(|at| kept.len() - at < 4);
            let is_cut = |at: &usize| matches!(std::str::from_utf8(&kept[*at..]), Err(e) if e.error_len().is_none());
            start.filter(is_cut).map(|at| kept.split_off(at)).unwrap_or_default()
        }
        Ok(_) => Vec::new(),
    };
    let text = String::from_utf8_lossy(kept).into_owned();
    *kept = incomplete;
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::io::{self, Write};

    #[test]
    fn what_is_no_text_is_shown_and_a_cut_character_waited_for() {
        let mut kept = Vec::new();
        assert_eq!(text_of(&mut kept, b"a\xff\xc3"), "a\u{fffd}");
        assert_eq!(text_of(&mut kept, b"\xbc"), "ü");
        assert!(kept.is_empty());
    }

    /// A stream that is read later.
    #[derive(Clone, Default)]
    struct Sent(Arc<Mutex<Vec<u8>>>);

    impl Write for Sent {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn why_it_is_not_all_is_said() {
        for why in [None, Some("the replay had not come to its end".to_owned())] {
            let sent = Sent::default();
            let client = Client::new(Box::new(sent.clone()));
            let piece = Output { event: 1, process: 1, stream: Stream::Out, bytes: b"shown".to_vec() };
            let state = Mutex::new(State { here: 1, ..State::default() });
            keep(&state, Ok((vec![piece], why.clone())), &client);
            let text = String::from_utf8(sent.0.lock().unwrap().clone()).unwrap();
            assert!(text.contains(r#""category":"stdout","output":"shown""#), "{text}");
            assert_eq!(text.contains(r#""category":"console""#), why.is_some(), "{text}");
            assert!(text.contains(why.as_deref().unwrap_or_default()), "{text}");
        }
    }

    proptest! {
        #[test]
        fn text_in_pieces_is_the_same_text(text: String, cuts: Vec<usize>) {
            let (mut kept, mut shown, mut at) = (Vec::new(), String::new(), 0);
            for cut in cuts {
                let next = (at + cut % 5).min(text.len());
                shown += &text_of(&mut kept, &text.as_bytes()[at..next]);
                at = next;
            }
            shown += &text_of(&mut kept, &text.as_bytes()[at..]);
            prop_assert_eq!(shown, text);
            prop_assert!(kept.is_empty());
        }

        #[test]
        fn little_is_kept(pieces: Vec<Vec<u8>>) {
            let mut kept = Vec::new();
            for piece in pieces {
                text_of(&mut kept, &piece);
                prop_assert!(kept.len() < 4);
            }
        }
    }
}
