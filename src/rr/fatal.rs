//! What rr says when it gives up, in a recording or in a replay.

/// Most characters of rr's reason that are shown.
const LONGEST_REASON: usize = 300;

/// What rr says when it gives up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fatal {
    /// The event, if it says so.
    pub(super) event: Option<u64>,
    /// Why, in its words, and where in rr.
    pub(super) reason: String,
    /// The file of rr's source.
    file: String,
}

impl Fatal {
    /// Reads it from what was heard on stderr. `None`: rr says no such thing there.
    pub(super) fn read(stderr: &str) -> Option<Self> {
        let mut lines = stderr.get(start(stderr)?..)?.lines().map(str::trim);
        let (place, rest) = lines.next()?.split_once(']')?;
        let after: Vec<&str> = lines.take_while(|line| !line.starts_with("Tail of trace dump")).take(3).collect();
        let event = after.iter().find_map(|line| line.split_once(" at time ")?.1.split(')').next()?.parse().ok());
        let words = after.iter().find_map(|line| line.strip_prefix("-> ")).unwrap_or(rest);
        let words: String = words.trim().trim_end_matches('.').chars().take(LONGEST_REASON).collect();
        let place = place.trim_start_matches("[FATAL ").trim_start_matches("src/");
        let reason = if words.is_empty() { place.to_owned() } else { format!("{words} ({place})") };
        let file = place.split(':').next().unwrap_or_default().to_owned();
        Some(Self { event, reason, file })
    }

    /// Returns what was heard without it, its dump of the last events and its stack trace.
    pub(super) fn without(stderr: &str) -> String {
        const LAST: &str = "start_emergency_debug";
        let Some(at) = start(stderr) else { return stderr.to_owned() };
        let (before, dump) = stderr.split_at_checked(at).unwrap_or((stderr, ""));
        let behind = dump.find(LAST).and_then(|last| {
            let end = dump.get(last..)?.find('\n')?;
            dump.get(last + end + 1..)
        });
        format!("{before}{}", behind.unwrap_or_default())
    }

    /// Returns whether rr may get on without its system-call buffer: it would not with a call that it does not know.
    pub(super) fn may_be_the_buffer(&self) -> bool {
        !self.reason.contains("unsupported by rr")
    }
}

/// Finds where rr's words begin in what was heard.
fn start(stderr: &str) -> Option<usize> {
    const FATAL: &str = "[FATAL ";
    let is_reason = |at: &usize| {
        let line = stderr.get(*at..).and_then(|rest| rest.lines().next()).unwrap_or_default();
        !line.contains("start_emergency_debug")
    };
    stderr.match_indices(FATAL).map(|(at, _)| at).filter(is_reason).last()
}

/// How the explanation of a divergence begins; the event follows.
const UP_TO: &str = "the recording can be replayed up to event ";

/// Reads the event from an explanation of [`divergence`]. `None` of any other text.
pub fn diverges_at(explanation: &str) -> Option<u64> {
    let after = explanation.strip_prefix(UP_TO)?;
    after.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}

/// Explains in words that a replay went another way than the recording. `None`: that is not what rr says here.
pub fn divergence(words: &str) -> Option<String> {
    let fatal = Fatal::read(words)?;
    let event = fatal.event?;
    let is_replay = ["ReplaySession.cc", "ReplayTask.cc", "replay_syscall.cc"].contains(&fatal.file.as_str());
    is_replay.then(|| {
        format!(
            "{UP_TO}{event}: there the program does something else than when it was recorded. It may have read what the recording does not have (memory that it shares with a program outside, a \
             number that the processor made up), or the recording is damaged; what comes before can be looked at. \
             rr says: {}",
            fatal.reason
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const ASSERTION: &str = "alarm\n[FATAL src/RecordTask.cc:1913:pop_event()] \n (task 13202 (rec:13202) at time 330)\n \
                             -> Assertion `a == b' failed to hold. \nTail of trace dump:\n{\n  rax:0x0\n}\n\
                             [FATAL src/log.cc:526:start_emergency_debug()] (session doesn't look interactive)\nlate\n";

    #[test]
    fn what_rr_says_is_kept_apart_from_what_the_program_says() {
        let fatal = Fatal::read(ASSERTION).unwrap();
        let reason = "Assertion `a == b' failed to hold (RecordTask.cc:1913:pop_event())";
        assert_eq!((fatal.event, fatal.reason.as_str()), (Some(330), reason));
        assert_eq!(Fatal::without(ASSERTION), "alarm\nlate\n");
        let full = "[FATAL src/util.cc:7:write() errno: ENOSPC] Can't write 8 bytes\n";
        assert_eq!(Fatal::read(full).unwrap().reason, "Can't write 8 bytes (util.cc:7:write() errno: ENOSPC)");
        assert_eq!((Fatal::without(full), Fatal::without("x\n")), (String::new(), "x\n".to_owned()));
        assert_eq!((Fatal::read(""), Fatal::read("[FATAL x")), (None, None));
    }

    #[test]
    fn a_call_that_rr_does_not_know_has_nothing_to_do_with_the_buffer() {
        let unknown = "[FATAL src/x.cc:1:f()] \n (task 1 (rec:1) at time 9)\n -> Assertion `x' failed to hold. Expected \
                       ENOSYS for 'cachestat'; execution of syscall unsupported by rr\n";
        assert!(!Fatal::read(unknown).unwrap().may_be_the_buffer());
        assert!(Fatal::read(ASSERTION).unwrap().may_be_the_buffer());
    }

    #[test]
    fn a_replay_that_goes_another_way() {
        let words = "[FATAL src/ReplayTask.cc:139:validate_regs()]\n (task 7 (rec:7) at time 299)\n -> Assertion `x' \
                     failed to hold. Mismatched registers, replay vs rec: rbx 0x13a != 0x140\nTail of trace dump:";
        let explained = divergence(words).unwrap();
        assert!(explained.starts_with("the recording can be replayed up to event 299: "), "{explained}");
        assert!(explained.ends_with("rbx 0x13a != 0x140 (ReplayTask.cc:139:validate_regs())"), "{explained}");
        assert_eq!((divergence(ASSERTION), divergence("rr: no such luck")), (None, None));
    }
}
