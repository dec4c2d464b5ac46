//! Telling that something takes long.

use super::message::Client;
use serde_json::json;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// What is shorter is not worth a word; and how often it is told.
const TOLD_EVERY: Duration = Duration::from_secs(1);
const PREFIX: &str = "request-";

/// Tells of something until it is dropped.
pub(super) struct Progress(Option<(Sender<()>, JoinHandle<()>)>);

/// Returns the request that a progress is of.
pub(super) fn request_of(progress: &str) -> Option<i64> {
    progress.strip_prefix(PREFIX)?.parse().ok()
}

impl Progress {
    /// Tells of nothing.
    pub(super) fn untold() -> Self {
        Self(None)
    }

    /// Begins to tell of what is done for a request.
    pub(super) fn begin(client: Client, seq: i64, title: String) -> Self {
        let (ended, end) = mpsc::channel::<()>();
        let (begun, id) = (Instant::now(), format!("{PREFIX}{seq}"));
        let tell = move || {
            let mut is_told = false;
            while end.recv_timeout(TOLD_EVERY) == Err(RecvTimeoutError::Timeout) {
                let message = format!("{} s", begun.elapsed().as_secs());
                if !std::mem::replace(&mut is_told, true) {
                    let body = json!({"progressId": id, "title": title, "requestId": seq, "cancellable": true});
                    client.event("progressStart", body);
                }
                client.event("progressUpdate", json!({"progressId": id, "message": message}));
            }
            if is_told {
                client.event("progressEnd", json!({"progressId": id}));
            }
        };
        Self(Some((ended, std::thread::spawn(tell))))
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some((ended, teller)) = self.0.take() {
            drop(ended);
            // All that it does is tell.
            let _ = teller.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_progress_names_its_request() {
        assert_eq!(request_of("request-12"), Some(12));
        assert_eq!((request_of("request-x"), request_of("12")), (None, None));
    }
}
