//! How the servers of rr 5.6 to 5.10 differ, found out by asking and not by version number.

use super::command::RrSpelling;
use super::reply::{self, Decoded, Fault};

/// How memory is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MemoryForm {
    /// 5.7 and earlier: no `x` packet, so `m`.
    Hex,
    /// 5.8: `x`, answered with bare data. Three bytes that start with `E` may be an error.
    BareBinary,
    /// 5.9 and later: `x`, answered with `b` and data.
    Binary,
}

/// What sets this server apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Dialect {
    /// The form of `qRRCmd`.
    pub(super) rr_command: RrSpelling,
    /// How memory is read.
    pub(super) memory: MemoryForm,
    /// Bytes of memory that are asked for at a time.
    pub(super) piece: usize,
}

/// Tells the form of `x` from the reply to `x0,0`.
pub(super) fn memory_form(reply: &[u8]) -> Decoded<MemoryForm> {
    match reply {
        b"b" => Ok(MemoryForm::Binary),
        b"OK" => Ok(MemoryForm::BareBinary),
        b"" => Ok(MemoryForm::Hex),
        _ => Err(Fault::Malformed(format!("`{}`", reply::excerpt(reply)))),
    }
}

/// Tells, from the reply to the new form of `when`, whether the server knows it. An old one decodes the name as hex,
/// finds no such command and says so; the opposite mistake would be fatal to rr, so the new form is tried first, and
/// the old one is used only after that very complaint.
pub(super) fn rr_spelling(reply: &[u8]) -> Decoded<RrSpelling> {
    if reply.is_empty() {
        return Err(Fault::Unknown);
    }
    let text = reply::text(reply)?;
    if event(&text).is_some() {
        Ok(RrSpelling::NameAndThread)
    } else if text.starts_with("Command '") && text.ends_with("' not found.") {
        Ok(RrSpelling::HexName)
    } else {
        Err(Fault::Malformed(format!("`{}`", text.escape_default())))
    }
}

impl Dialect {
    /// Returns whether a backward run that reaches the beginning says `replaylog:begin`. Older servers send a bare
    /// `T00`. (This and the `b` of the `x` reply came with the same release, 5.9.)
    pub(super) fn names_the_beginning(self) -> bool {
        self.memory == MemoryForm::Binary
    }

    /// Returns whether a refused watchpoint gives its debug registers back. Before 5.9 they stay taken, so such a
    /// server must not be asked for what cannot fit.
    pub(super) fn refuses_watchpoints_cleanly(self) -> bool {
        self.memory == MemoryForm::Binary
    }
}

/// Returns the number of completed events in the answer to `when`: `Completed event: N` since 5.8, before that `Current
/// event: N+1`.
pub(super) fn event(text: &str) -> Option<u64> {
    match labelled(text, "Completed event") {
        Some(n) => Some(n),
        None => labelled(text, "Current event")?.checked_sub(1),
    }
}

/// Returns the tick count in the answer to `when-ticks`.
pub(super) fn ticks(text: &str) -> Option<u64> {
    labelled(text, "Current tick")
}

/// Returns the number in `Checkpoint K at …`.
pub(super) fn checkpoint_made(text: &str) -> Option<u64> {
    text.strip_prefix("Checkpoint ")?.split(' ').next()?.parse().ok()
}

/// Returns whether this is `Deleted checkpoint K.`.
pub(super) fn checkpoint_deleted(text: &str) -> bool {
    text.starts_with("Deleted checkpoint")
}

fn labelled(text: &str, label: &str) -> Option<u64> {
    text.strip_prefix(label)?.strip_prefix(':')?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hex;

    #[test]
    fn when_counts_completed_events_in_every_version() {
        assert_eq!(event("Completed event: 15"), Some(15));
        assert_eq!(event("Current event: 16"), Some(15));
        assert_eq!(event("Current event: 0"), None);
        assert_eq!(event("Command '' not found."), None);
        assert_eq!(event("Completed event: 15x"), None);
    }

    #[test]
    fn the_spelling_is_known_from_the_answer_to_the_new_form() {
        let hexed = |text: &str| hex::encode(text.as_bytes());
        assert_eq!(rr_spelling(hexed("Completed event: 15\n").as_bytes()), Ok(RrSpelling::NameAndThread));
        assert_eq!(rr_spelling(hexed("Command '' not found.\n").as_bytes()), Ok(RrSpelling::HexName));
        assert_eq!(rr_spelling(b"E10"), Err(Fault::Refused(0x10)));
        assert!(rr_spelling(hexed("Current event: x\n").as_bytes()).is_err());
        assert_eq!(rr_spelling(b""), Err(Fault::Unknown));
    }

    #[test]
    fn the_form_of_x_is_known_from_an_empty_read() {
        assert_eq!(memory_form(b"b"), Ok(MemoryForm::Binary));
        assert_eq!(memory_form(b"OK"), Ok(MemoryForm::BareBinary));
        assert_eq!(memory_form(b""), Ok(MemoryForm::Hex));
        assert!(memory_form(b"E01").is_err());
    }

    #[test]
    fn the_other_answers() {
        assert_eq!(ticks("Current tick: 4711"), Some(4711));
        assert_eq!(checkpoint_made("Checkpoint 3 at main () at a.c:3"), Some(3));
        assert_eq!(checkpoint_made("The program is not being run."), None);
        assert!(checkpoint_deleted("Deleted checkpoint 3."));
        assert!(!checkpoint_deleted("No checkpoint number 3."));
    }
}
