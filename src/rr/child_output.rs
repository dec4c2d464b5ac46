//! Reading what a child prints: always, so that it never blocks, and bounded, so that it never fills our memory.

use std::io::{ErrorKind, Read};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// The last bytes of a stream.
#[derive(Debug)]
pub(super) struct Tail {
    bytes: Vec<u8>,
    limit: usize,
    cut: bool,
}

impl Tail {
    /// Keeps at most `limit` bytes to be read, and at most twice that in memory.
    pub(super) fn new(limit: usize) -> Self {
        Self { bytes: Vec::new(), limit, cut: false }
    }

    /// Appends, and forgets from the front.
    pub(super) fn push(&mut self, more: &[u8]) {
        let kept = more.get(more.len().saturating_sub(self.limit)..).unwrap_or(more);
        self.bytes.extend_from_slice(kept);
        self.cut |= kept.len() < more.len() || self.bytes.len() > self.limit;
        if self.bytes.len() >= self.limit.saturating_mul(2) {
            self.bytes.drain(..self.bytes.len() - self.limit);
        }
    }

    /// Returns what is kept, as text; bytes that are not UTF-8 become U+FFFD. A character cut in two at the front is
    /// left out.
    pub(super) fn text(&self) -> String {
        let mut kept = self.bytes.get(self.bytes.len().saturating_sub(self.limit)..).unwrap_or(&self.bytes);
        if self.cut {
            let continuation = kept.iter().take(3).take_while(|b| *b & 0xc0 == 0x80).count();
            kept = kept.get(continuation..).unwrap_or(kept);
        }
        String::from_utf8_lossy(kept).into_owned()
    }

    /// Returns whether something was forgotten.
    pub(super) fn is_cut(&self) -> bool {
        self.cut
    }
}

/// What has been read so far.
#[derive(Debug)]
pub(super) struct Heard {
    /// The end of what was printed.
    pub(super) tail: Tail,
    /// Nothing more will come.
    pub(super) closed: bool,
}

/// A thread that reads a stream to its end.
///
/// It is not joined: it ends when the last process that has the other end of the pipe is gone, which may be a
/// background process of a recorded program.
#[derive(Clone, Debug)]
pub(super) struct Drain {
    shared: Arc<(Mutex<Heard>, Condvar)>,
}

impl Drain {
    /// Starts to read `stream`, keeping its last `limit` bytes. `None` is a stream that is closed from the start.
    pub(super) fn start(stream: Option<impl Read + Send + 'static>, limit: usize) -> std::io::Result<Self> {
        let heard = Heard { tail: Tail::new(limit), closed: stream.is_none() };
        let shared = Arc::new((Mutex::new(heard), Condvar::new()));
        if let Some(stream) = stream {
            let theirs = Arc::clone(&shared);
            thread::Builder::new().name("rr-output".into()).spawn(move || read_to_end(stream, &theirs))?;
        }
        Ok(Self { shared })
    }

    /// Looks at what was read, again after each change, until `look` finds something, the stream ends, or the
    /// deadline passes.
    pub(super) fn wait<T>(&self, deadline: Instant, mut look: impl FnMut(&Heard) -> Option<T>) -> Option<T> {
        let (lock, changed) = &*self.shared;
        let mut heard = relock(lock.lock());
        loop {
            if let Some(found) = look(&heard) {
                return Some(found);
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if heard.closed || left.is_zero() {
                return None;
            }
            heard = changed.wait_timeout(heard, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Waits for the end of the stream, at most so long, and gives what is kept of it and whether it was cut.
    pub(super) fn finish(&self, patience: Duration) -> (String, bool) {
        let ended = self.wait(Instant::now() + patience, |_| None::<()>);
        debug_assert!(ended.is_none());
        let heard = relock(self.shared.0.lock());
        (heard.tail.text(), heard.tail.is_cut())
    }
}

fn read_to_end(mut stream: impl Read, shared: &(Mutex<Heard>, Condvar)) {
    let (lock, changed) = shared;
    let mut buffer = [0; 16 * 1024];
    loop {
        let count = match stream.read(&mut buffer) {
            Ok(count) => count,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(_) => 0,
        };
        let mut heard = relock(lock.lock());
        match buffer.get(..count) {
            Some(more) if count > 0 => heard.tail.push(more),
            _ => heard.closed = true,
        }
        let closed = heard.closed;
        drop(heard);
        changed.notify_all();
        if closed {
            return;
        }
    }
}

/// Takes the lock, also after a panic of the other thread, which cannot leave the bytes in a state that matters.
fn relock<'a, T>(locked: Result<MutexGuard<'a, T>, PoisonError<MutexGuard<'a, T>>>) -> MutexGuard<'a, T> {
    locked.unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::io::Cursor;

    fn soon() -> Instant {
        Instant::now() + Duration::from_secs(20)
    }

    #[test]
    fn a_short_stream_is_kept_whole() {
        let drain = Drain::start(Some(Cursor::new(b"hello".to_vec())), 10).unwrap();
        assert_eq!(drain.finish(Duration::from_secs(20)), ("hello".into(), false));
    }

    #[test]
    fn of_a_long_stream_the_end_is_kept_and_memory_is_bounded() {
        let mut tail = Tail::new(1000);
        for line in 0..100_000 {
            tail.push(format!("line {line}\n").as_bytes());
            assert!(tail.bytes.len() < 2000);
        }
        let text = tail.text();
        assert_eq!(text.len(), 1000);
        assert!(text.ends_with("line 99998\nline 99999\n"));
        assert!(tail.is_cut());
    }

    #[test]
    fn one_piece_longer_than_the_limit_is_cut() {
        let mut tail = Tail::new(4);
        tail.push(b"0123456789");
        assert_eq!((tail.text().as_str(), tail.is_cut()), ("6789", true));
    }

    #[test]
    fn a_character_cut_in_two_is_left_out() {
        let mut tail = Tail::new(3);
        tail.push("aéb".as_bytes());
        assert_eq!((tail.text().as_str(), tail.is_cut()), ("éb", true));
        tail.push(b"c");
        assert_eq!(tail.text(), "bc");
    }

    #[test]
    fn waiting_ends_as_soon_as_the_words_are_there() {
        let (reader, mut writer) = std::io::pipe().unwrap();
        let drain = Drain::start(Some(reader), 100).unwrap();
        std::io::Write::write_all(&mut writer, b"port 5").unwrap();
        let found = drain.wait(soon(), |heard| heard.tail.text().contains("port 5").then_some(5));
        assert_eq!(found, Some(5));
        drop(writer);
        assert_eq!(drain.wait(soon(), |_| None::<()>), None);
    }

    #[test]
    fn waiting_ends_at_the_deadline() {
        let (reader, _writer) = std::io::pipe().unwrap();
        let drain = Drain::start(Some(reader), 100).unwrap();
        assert_eq!(drain.wait(Instant::now() + Duration::from_millis(1), |_| None::<()>), None);
    }

    proptest! {
        #[test]
        fn the_tail_is_the_end_of_the_whole(pieces in prop::collection::vec("[a-z]{0,40}", 0..40), limit in 1usize..60) {
            let mut tail = Tail::new(limit);
            for piece in &pieces {
                tail.push(piece.as_bytes());
            }
            let whole = pieces.concat();
            let expected = &whole[whole.len().saturating_sub(limit)..];
            prop_assert_eq!(tail.text(), expected);
            prop_assert_eq!(tail.is_cut(), whole.len() > limit);
        }
    }
}
