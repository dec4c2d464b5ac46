//! What is told of a recording that was made: what rr did to the program, and how it can be avoided.

use super::counters::Counters;
use super::events::Survey;
use super::fatal::Fatal;
use super::record_limits::CutShort;
use softcounters::CODE_CACHE;

/// Told of a recording whose program has no end.
pub(super) const NO_END: &str =
    "the recording ends before its program did: rr gave up there, which is not a failure of the program";
/// How long threads must have done nothing but yield before that is told, in seconds and in events.
const YIELDING: (f64, u64) = (2.0, 1000);
/// Most processes, or programs, that are named.
const MOST_NAMED: usize = 5;

/// Tells that rr gave up, and why. `last`: the last event of the recording.
pub(super) fn why_it_gave_up(fatal: Option<&Fatal>, last: u64) -> String {
    let event = fatal.and_then(|fatal| fatal.event).unwrap_or(last);
    let reason = fatal.map_or("it did not say why", |fatal| fatal.reason.as_str());
    format!(
        "rr gave up at event {event}: {reason}; this is not a failure of the program, and what happened before can be \
         replayed"
    )
}

/// Tells that the program was recorded again, after rr gave up.
pub(super) fn again(fatal: &Fatal) -> String {
    let event = fatal.event.map(|event| format!(" at event {event}")).unwrap_or_default();
    format!(
        "rr gave up{event} of a first recording: {}; so the program was run again, and recorded without rr's \
         system-call buffer",
        fatal.reason
    )
}

/// Tells that a program is recorded without rr's preload library.
pub(super) fn of_musl(program: &str) -> String {
    format!(
        "`{program}` is linked with musl, which cannot load rr's preload library: recorded without it, so that each \
         system call stops the program"
    )
}

/// Tells that rr gave up, where its words went elsewhere.
pub(super) fn gave_up(last: u64) -> String {
    format!(
        "rr gave up at event {last}, as it says above; this is not a failure of the program, and what happened before \
         can be replayed; a recording without rr's system-call buffer (-n) may come further"
    )
}

/// Tells what was found in a recording. `cut`: why it ended before its program.
pub(super) fn of(survey: &Survey, counters: Counters, cut: Option<CutShort>) -> Vec<String> {
    let mut notes = Vec::new();
    if !survey.of_musl.is_empty() {
        notes.push(format!(
            "{}, linked with musl, exited with 127 before the first instruction of its own, as its linker cannot load \
             rr's preload library; `syscall_buffer: false` (rr record --no-preload) records without that",
            listed(survey.of_musl.iter().map(|program| format!("`{program}`")))
        ));
    }
    if let Some(event) = survey.cache_taken.filter(|_| counters == Counters::Soft) {
        notes.push(format!(
            "at event {event} the program mapped memory where soft counters keep their code cache ({:#x} to \
             {:#x}): it has got the place, and was single-stepped from then on, which is slow",
            CODE_CACHE.start, CODE_CACHE.end
        ));
    }
    if cut == Some(CutShort::Deadlock) {
        notes.push(
            "each thread of the recording waited for another one without a time limit, and for two seconds nothing \
             happened: it was ended; rr_threads_report tells who waits for whom"
                .to_owned(),
        );
    }
    let stands_still = matches!(cut, Some(CutShort::Time | CutShort::Size | CutShort::Cancelled));
    let tail = &survey.tail;
    let (seconds, events) = YIELDING;
    // Threads that compute between the yields make fewer of them.
    if stands_still && tail.seconds() >= seconds && tail.events >= events && tail.yields >= tail.events / 8 {
        notes.push(format!(
            "in the last {:.0} s, from event {}, {} threads did little but yield and wait for locks: one may yield while \
             it holds a lock that another one needs, which rr's scheduler does not get out of; `chaos: true` (rr record \
             --chaos) schedules otherwise, and often does",
            tail.seconds(),
            tail.first,
            tail.threads()
        ));
    }
    if !survey.refused.is_empty() {
        let times = |count: u64| if count == 1 { "once".to_owned() } else { format!("{count} times") };
        let calls: Vec<String> =
            survey.refused.iter().map(|(name, count)| format!("{name} ({})", times(*count))).collect();
        notes.push(format!(
            "rr cannot record {}: answered ENOSYS, as by an older kernel, so that the program may have gone another \
             way than without rr",
            calls.join(", ")
        ));
    }
    let count: u64 = survey.handlers.values().map(|(count, _)| count).sum();
    if let Some(first) = survey.handlers.values().map(|(_, first)| *first).min() {
        let handlers = if count == 1 { "a signal handler".to_owned() } else { format!("{count} signal handlers") };
        notes.push(format!(
            "{handlers} ran on a stack of rr's, first at event {first}: the signal came within a system call that rr's \
             buffer made. A program that looks at its own stack there (conservative garbage collection) may fail only \
             under rr; record that with `syscall_buffer: false` (rr record -n)"
        ));
    }
    if let Some((count, first)) = survey.overlaid {
        let (handlers, frames) = match count {
            1 => ("a signal handler".to_owned(), "the frame of another one"),
            _ => (format!("{count} signal handlers"), "frames of others"),
        };
        notes.push(format!(
            "{handlers} began over {frames} on the alternate stack, first at event {first}: the signal came within a \
             system call that rr's buffer made, on a stack of rr's. What the program does when the first handler returns \
             (a crash, mostly) happens only under rr; record it with `syscall_buffer: false` (rr record -n)"
        ));
    }
    if !survey.left.is_empty() {
        let (what, were) = if survey.left.len() == 1 { ("process", "was") } else { ("processes", "were") };
        notes.push(format!(
            "{what} {} outlived the first process, with whose end the recording ends, and {were} killed by rr; \
             `wait: true` (rr record -w) records until all have ended",
            listed(survey.left.iter().map(u32::to_string))
        ));
    }
    notes
}

/// Names the first ones, and counts the others.
fn listed(mut all: impl Iterator<Item = String>) -> String {
    let named: Vec<String> = all.by_ref().take(MOST_NAMED).collect();
    let more = match all.count() {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("{}{more}", named.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::{BTreeMap, BTreeSet};

    #[test]
    fn that_rr_gave_up_is_told_with_the_event() {
        let fatal = Fatal::read("[FATAL src/x.cc:1:f()] \n (task 1 (rec:1) at time 9)\n -> Assertion `x' failed.\n");
        let told = "rr gave up at event 9: Assertion `x' failed (x.cc:1:f()); this is not a failure of the program, and \
                    what happened before can be replayed";
        assert_eq!(why_it_gave_up(fatal.as_ref(), 10), told);
        assert!(why_it_gave_up(None, 10).starts_with("rr gave up at event 10: it did not say why; "));
        assert!(again(&fatal.unwrap()).starts_with("rr gave up at event 9 of a first recording: Assertion `x' failed"));
    }

    #[test]
    fn a_program_that_could_not_be_started() {
        let survey = Survey { of_musl: BTreeSet::from(["/x/sh".to_owned()]), ..Survey::default() };
        let notes = of(&survey, Counters::Soft, None);
        assert!(notes[0].starts_with("`/x/sh`, linked with musl, exited with 127"), "{notes:?}");
    }

    #[test]
    fn that_a_program_is_stepped_is_told_where_it_is() {
        let survey = Survey { cache_taken: Some(7), ..Survey::default() };
        assert!(of(&survey, Counters::Soft, None)[0].starts_with("at event 7 the program mapped memory where"));
        assert_eq!(of(&survey, Counters::Hardware, None), [""; 0]);
    }

    #[test]
    fn each_thing_is_told_with_what_can_be_done() {
        assert_eq!(of(&Survey::default(), Counters::Soft, None), [""; 0]);
        let refused = BTreeMap::from([("cachestat".to_owned(), 1), ("io_uring_setup".to_owned(), 2)]);
        let survey = Survey {
            refused,
            handlers: BTreeMap::from([(5, (1, 50)), (6, (2, 40))]),
            left: BTreeSet::from([7, 8]),
            ..Survey::default()
        };
        let notes = of(&survey, Counters::Soft, None);
        assert!(notes[0].starts_with("rr cannot record cachestat (once), io_uring_setup (2 times): answered ENOSYS"));
        assert!(notes[1].starts_with("3 signal handlers ran on a stack of rr's, first at event 40"), "{notes:?}");
        assert!(notes[2].starts_with("processes 7, 8 outlived the first process"), "{notes:?}");
        assert_eq!(notes.len(), 3);
    }
}
