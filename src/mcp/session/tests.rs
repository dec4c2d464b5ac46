use super::table::REMEMBERED;
use super::*;
use crate::mcp::policy::Limits;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, mpsc};
use std::thread::ThreadId;
use std::time::{Duration, Instant};

/// A second, and much room for a busy machine; without an end to it the threads would wait for a minute or for ever.
const PROMPT: Duration = Duration::from_secs(20);

/// A debugger that remembers what was asked of it, and says on which thread it was dropped.
struct Fake {
    seen: Vec<u32>,
    dropped: Option<mpsc::Sender<ThreadId>>,
}

impl Drop for Fake {
    fn drop(&mut self) {
        if let Some(dropped) = &self.dropped {
            dropped.send(std::thread::current().id()).unwrap();
        }
    }
}

fn fake() -> Result<Fake, String> {
    Ok(Fake { seen: Vec::new(), dropped: None })
}

/// For a debugger that needs no killing.
fn harmless() -> Kill {
    Arc::new(|| true)
}

fn sessions() -> Arc<Sessions<Fake>> {
    Arc::new(Sessions::new(Limits::default()))
}

/// A session that has started.
fn started(sessions: &Arc<Sessions<Fake>>) -> Arc<Session<Fake>> {
    let session = sessions.open(None, harmless(), fake).unwrap();
    session.submit("start", |_, _, _| ((), After::Stay)).reply.blocking_recv().unwrap();
    session
}

/// Asks the session to remember a number and to say what it remembers.
fn push(session: &Session<Fake>, number: u32) -> Pending<Vec<u32>> {
    session.submit("push", move |fake, _, _| {
        fake.seen.push(number);
        (fake.seen.clone(), After::Stay)
    })
}

/// A job that says when it runs, and ends when it is asked to. Its answer: it was asked to.
fn stuck(session: &Session<Fake>) -> (Pending<bool>, mpsc::Receiver<()>) {
    let (started, start) = mpsc::channel();
    let pending = session.submit("stuck", move |_, cancel, _| {
        started.send(()).unwrap();
        let begin = Instant::now();
        while !cancel.is_cancelled() {
            if begin.elapsed() > Duration::from_secs(60) {
                return (false, After::Stay);
            }
            std::thread::yield_now();
        }
        (true, After::Stay)
    });
    (pending, start)
}

fn block_on<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(future)
}

#[test]
fn jobs_run_in_the_order_of_their_submission_even_while_the_session_starts() {
    let sessions = sessions();
    let (go, gate) = mpsc::channel();
    let start = move || {
        gate.recv().unwrap();
        fake()
    };
    let session = sessions.open(None, harmless(), start).unwrap();
    assert!(matches!(session.status().activity, Activity::Starting(_)));
    let answers: Vec<_> = (0..100).map(|number| push(&session, number)).collect();
    assert!(answers.iter().all(|pending| !pending.call.begun.load(Ordering::Relaxed)));
    go.send(()).unwrap();
    for (number, pending) in (0..).zip(answers) {
        assert_eq!(pending.reply.blocking_recv().unwrap(), (0..=number).collect::<Vec<u32>>());
    }
}

#[test]
fn the_most_recently_used_session_is_the_default() {
    let sessions = sessions();
    for id in ["s1", "s2", "s3"] {
        assert_eq!(started(&sessions).id(), id);
    }
    assert_eq!(sessions.find(None).unwrap().id(), "s3");
    assert_eq!(sessions.find(Some("s1")).unwrap().id(), "s1");
    assert_eq!(sessions.find(None).unwrap().id(), "s1");
    assert_eq!(sessions.take(None).unwrap().unwrap().id(), "s1");
    assert_eq!(sessions.find(None).unwrap().id(), "s3");
    let error = sessions.find(Some("s9")).err().unwrap();
    assert_eq!(error, "unknown session \"s9\"; open sessions: s2, s3");
    let error = sessions.find(Some("s1")).err().unwrap();
    assert_eq!(error, "session s1 has ended: it was stopped; open sessions: s2, s3");
}

#[test]
fn without_sessions_the_error_says_what_to_call() {
    let sessions = sessions();
    assert_eq!(sessions.find(None).err().unwrap(), "no replay session: call rr_replay_start first");
    assert!(sessions.take(None).unwrap().is_none());
    started(&sessions);
    let session = sessions.take(None).unwrap().unwrap();
    assert!(block_on(session.end()));
    assert_eq!(sessions.find(None).err().unwrap(), "no replay session: call rr_replay_start first");
}

#[test]
fn a_start_that_fails_ends_the_session_and_answers_what_was_queued() {
    let sessions = sessions();
    let (go, gate) = mpsc::channel::<()>();
    let start = move || {
        gate.recv().unwrap();
        Err("no such trace".to_owned())
    };
    let session = sessions.open(None, harmless(), start).unwrap();
    let pending = push(&session, 1);
    go.send(()).unwrap();
    assert!(pending.reply.blocking_recv().is_err());
    block_on(session.gone());
    assert_eq!(session.end_reason().to_string(), "no such trace");
    assert_eq!(sessions.find(None).err().unwrap(), "no replay session: call rr_replay_start first");
    let error = sessions.find(Some("s1")).err().unwrap();
    assert_eq!(error, "unknown session \"s1\"; no session is open: call rr_replay_start first");
    assert_eq!(sessions.list().1, [], "it never was a session");
    assert_eq!(started(&sessions).id(), "s1", "so its number is not used up");
}

#[test]
fn a_debugger_that_died_closes_its_session_and_no_other() {
    let sessions = sessions();
    let (dying, other) = (started(&sessions), started(&sessions));
    let last: Pending<u32> = dying.submit("die", |_, _, _| (7, After::End("rr was killed".to_owned())));
    let behind = push(&dying, 1);
    assert_eq!(last.reply.blocking_recv().unwrap(), 7);
    assert!(behind.reply.blocking_recv().is_err());
    block_on(dying.gone());
    let error = "session s1 has ended: rr was killed; open sessions: s2";
    assert_eq!(sessions.find(Some("s1")).err().unwrap(), error);
    let (_, ended) = sessions.list();
    assert_eq!(ended.iter().map(|ended| ended.id.as_str()).collect::<Vec<_>>(), ["s1"]);
    assert!(push(&dying, 2).reply.blocking_recv().is_err(), "a job for a session that is gone is dropped");
    assert_eq!(push(&other, 3).reply.blocking_recv().unwrap(), [3]);
    assert!(block_on(sessions.take(None).unwrap().unwrap().end()));
    assert_eq!(sessions.find(None).err().unwrap(), "no replay session: call rr_replay_start first");
}

#[test]
fn the_default_session_is_missed_with_the_reason_of_its_loss() {
    let sessions = sessions();
    let session = started(&sessions);
    let last: Pending<()> = session.submit("die", |_, _, _| ((), After::End("rr was killed".to_owned())));
    last.reply.blocking_recv().unwrap();
    block_on(session.gone());
    let error = "no replay session: call rr_replay_start first (session s1 has ended: rr was killed)";
    assert_eq!(sessions.find(None).err().unwrap(), error);
}

#[test]
fn no_other_session_answers_for_the_default_one_that_was_lost() {
    let sessions = sessions();
    let (_older, other, dying) = (started(&sessions), started(&sessions), started(&sessions));
    let last: Pending<()> = dying.submit("die", |_, _, _| ((), After::End("its trace is gone".to_owned())));
    last.reply.blocking_recv().unwrap();
    block_on(dying.gone());
    let error = "session s3 has ended: its trace is gone; it was the one used last, so name another one: open sessions: \
                 s1, s2";
    for _ in 0..3 {
        assert_eq!(sessions.find(None).err().unwrap(), error);
        assert_eq!(sessions.look(None).err().unwrap(), error);
        assert_eq!(sessions.take(None).err().unwrap(), error, "nor is another one stopped");
    }
    // A start that fails opens nothing.
    let failed = sessions.open(None, harmless(), || Err("no such trace".to_owned())).unwrap();
    block_on(failed.gone());
    assert_eq!(sessions.find(None).err().unwrap(), error);
    let SessionById::Open { current, .. } = sessions.look(Some("s2")).unwrap() else { panic!("it is open") };
    assert!(!current, "looking at it does not make it the default");
    assert_eq!(sessions.find(Some("s1")).unwrap().id(), "s1");
    assert_eq!(sessions.find(None).unwrap().id(), "s1", "it was named");
    let new = started(&sessions);
    assert_eq!(sessions.find(None).unwrap().id(), new.id(), "it was opened");
    // One that is not the default may go without changing what calls mean.
    let last: Pending<()> = other.submit("die", |_, _, _| ((), After::End("rr was killed".to_owned())));
    last.reply.blocking_recv().unwrap();
    block_on(other.gone());
    assert_eq!(sessions.find(None).unwrap().id(), new.id());
}

#[test]
fn a_panic_closes_its_session_and_no_other() {
    let sessions = sessions();
    let (dying, other) = (started(&sessions), started(&sessions));
    let last: Pending<()> = dying.submit("die", |_, _, _| panic!("as the test wants"));
    assert!(last.reply.blocking_recv().is_err());
    block_on(dying.gone());
    let reason = "session s1 has ended: an internal error (a panic; see the server's standard error)";
    assert_eq!(dying.end_reason().to_string(), reason);
    assert_eq!(push(&other, 3).reply.blocking_recv().unwrap(), [3]);
}

#[test]
fn a_cancelled_job_comes_to_an_end_and_the_next_one_runs() {
    let sessions = sessions();
    let session = started(&sessions);
    let (running, start) = stuck(&session);
    let (skipped, next) = (push(&session, 1), push(&session, 2));
    start.recv().unwrap();
    assert!(matches!(session.status().activity, Activity::Running(Running { tool: "stuck", .. })));
    skipped.call.cancel.cancel();
    running.call.cancel.cancel();
    assert!(running.reply.blocking_recv().unwrap(), "it was asked to end");
    assert!(skipped.reply.blocking_recv().is_err(), "a job cancelled in the queue is not run");
    assert_eq!(next.reply.blocking_recv().unwrap(), [2]);
}

#[test]
fn a_stop_lets_earlier_calls_finish() {
    let sessions = sessions();
    let (dropped, drops) = mpsc::channel();
    let session = sessions.open(None, harmless(), || Ok(Fake { seen: Vec::new(), dropped: Some(dropped) })).unwrap();
    let thread: Pending<ThreadId> = session.submit("thread", |_, _, _| (std::thread::current().id(), After::Stay));
    let answers: Vec<_> = (0..50).map(|number| push(&session, number)).collect();
    assert!(block_on(session.end()));
    assert_eq!(answers.into_iter().map(|pending| pending.reply.blocking_recv().unwrap().len()).max(), Some(50));
    assert_eq!(thread.reply.blocking_recv().unwrap(), drops.recv().unwrap(), "it is dropped where it lived");
}

#[test]
fn a_stop_interrupts_what_does_not_finish() {
    let sessions = sessions();
    let session = started(&sessions);
    let (running, start) = stuck(&session);
    start.recv().unwrap();
    assert!(block_on(session.end()));
    assert!(running.reply.blocking_recv().is_err(), "it failed, whatever it would have answered");
    block_on(session.gone());
    assert_eq!(session.end_reason().to_string(), "session s1 has ended: it was stopped");
}

/// A session with a job that looks at nothing but its gate, and a kill that opens the gate.
fn deaf(sessions: &Arc<Sessions<Fake>>) -> (Arc<Session<Fake>>, Pending<()>) {
    let (open, gate) = mpsc::channel::<()>();
    let open = Mutex::new(Some(open));
    let kill = Arc::new(move || open.lock().unwrap().take().is_some());
    let session = sessions.open(None, kill, fake).unwrap();
    let (entered, inside) = mpsc::channel();
    let pending = session.submit("deaf", move |_, _, _| {
        entered.send(()).unwrap();
        assert!(gate.recv().is_err());
        ((), After::Stay)
    });
    inside.recv().unwrap();
    (session, pending)
}

#[test]
fn a_stop_does_not_wait_for_a_thread_that_listens_to_nobody() {
    let sessions = sessions();
    let (_, running) = deaf(&sessions);
    let begin = Instant::now();
    let session = sessions.take(None).unwrap().unwrap();
    assert!(block_on(session.end()), "its rr is gone");
    assert!(begin.elapsed() < PROMPT);
    assert!(running.reply.blocking_recv().is_err());
    block_on(session.gone());
}

#[test]
fn closing_does_not_wait_for_a_thread_that_listens_to_nobody() {
    let sessions = sessions();
    let both = [deaf(&sessions), deaf(&sessions)];
    let begin = Instant::now();
    block_on(sessions.close());
    assert!(begin.elapsed() < PROMPT);
    for (_, running) in both {
        assert!(running.reply.blocking_recv().is_err());
    }
}

#[test]
fn what_is_going_on_is_known_without_the_thread() {
    let sessions = sessions();
    let (session, _running) = deaf(&sessions);
    let behind = push(&session, 1);
    let status = session.status();
    assert!(matches!(status.activity, Activity::Running(Running { tool: "deaf", .. })));
    assert_eq!(status.waiting, 1);
    assert!(session.busy("rr_when").starts_with("session s1 is busy: deaf has been running for 0 s; "));
    assert!(block_on(session.end()));
    assert!(behind.reply.blocking_recv().is_err());
}

#[test]
fn an_interrupt_ends_the_running_call_and_no_other() {
    let sessions = sessions();
    let session = started(&sessions);
    assert!(matches!(session.interrupt(), Activity::Idle));
    let (running, start) = stuck(&session);
    let behind = push(&session, 1);
    start.recv().unwrap();
    let Activity::Running(interrupted) = session.interrupt() else { panic!("something runs") };
    block_on(session.over(&interrupted));
    assert!(running.reply.blocking_recv().unwrap(), "it was asked to end");
    assert_eq!(behind.reply.blocking_recv().unwrap(), [1]);
}

#[test]
fn a_refused_call_is_not_carried_out() {
    let sessions = sessions();
    let session = started(&sessions);
    let (running, start) = stuck(&session);
    start.recv().unwrap();
    let late = push(&session, 1);
    // Whether it counts as sent along or not: what is refused is not done.
    let refused = late.call.batch.as_ref().unwrap().refuse();
    running.call.cancel.cancel();
    assert_eq!(late.reply.blocking_recv().is_err(), refused);
    assert_eq!(push(&session, 2).reply.blocking_recv().unwrap().contains(&1), !refused);
}

#[test]
fn closing_interrupts_everything_and_opens_nothing_more() {
    let sessions = sessions();
    let both = [started(&sessions), started(&sessions)];
    let (first, second) = (stuck(&both[0]), stuck(&both[1]));
    let behind = push(&both[0], 1);
    first.1.recv().unwrap();
    second.1.recv().unwrap();
    let begin = Instant::now();
    block_on(sessions.close());
    assert!(begin.elapsed() < PROMPT);
    assert!(first.0.reply.blocking_recv().is_err() && second.0.reply.blocking_recv().is_err());
    assert!(behind.reply.blocking_recv().is_err());
    assert!(sessions.list().0.is_empty());
    assert_eq!(sessions.open(None, harmless(), fake).err().unwrap(), "the server is shutting down");
}

#[test]
fn a_trace_in_use_is_recognised_by_any_of_its_names() {
    let place = tempfile::tempdir().unwrap();
    let trace = place.path().join("trace-0");
    let link = place.path().join("latest-trace");
    std::fs::create_dir(&trace).unwrap();
    std::os::unix::fs::symlink(&trace, &link).unwrap();
    let sessions = sessions();
    assert_eq!(sessions.replaying(&trace), None);
    sessions.open(Some(link.clone()), harmless(), fake).unwrap();
    for name in [&trace, &link, &place.path().join("./trace-0/../trace-0")] {
        assert_eq!(sessions.replaying(name).as_deref(), Some("s1"), "{}", name.display());
    }
    assert_eq!(sessions.replaying(place.path()), None);
}

#[test]
fn a_session_that_is_discarded_gives_its_number_back_unless_a_later_one_is_used() {
    let sessions = sessions();
    let (first, second) = (started(&sessions), started(&sessions));
    block_on(sessions.discard(&first));
    let third = started(&sessions);
    assert_eq!((second.id(), third.id()), ("s2", "s3"));
    block_on(sessions.discard(&third));
    block_on(sessions.discard(&second));
    assert_eq!(started(&sessions).id(), "s1");
}

#[test]
fn only_so_many_ended_sessions_are_remembered() {
    let sessions = sessions();
    for _ in 0..REMEMBERED + 2 {
        let session = started(&sessions);
        let last: Pending<()> = session.submit("die", |_, _, _| ((), After::End("no".to_owned())));
        last.reply.blocking_recv().unwrap();
        block_on(session.gone());
    }
    let (_, ended) = sessions.list();
    assert_eq!(ended.len(), REMEMBERED);
    assert_eq!(ended.first().unwrap().id, "s3");
}

#[test]
fn no_more_sessions_are_open_than_may_be() {
    let sessions = Arc::new(Sessions::new(Limits { most: 2, idle: None }));
    let (first, _second) = (started(&sessions), started(&sessions));
    let (running, start) = stuck(&first);
    start.recv().unwrap();
    let refused = sessions.open(Some("/t".into()), harmless(), fake).err().unwrap();
    let expected = "2 sessions are open, and no more than 2 may be (RR_MCP_MAX_SESSIONS): s1 (running stuck), s2 (idle for \
                    0 s); close one that is not needed any more with rr_replay_stop";
    assert_eq!(refused, expected);
    running.call.cancel.cancel();
    let second = sessions.take(Some("s2")).unwrap().unwrap();
    assert!(block_on(second.end()));
    assert_eq!(started(&sessions).id(), "s3", "what was refused used no number");
}

#[test]
fn a_session_of_which_nothing_is_asked_is_closed_and_whoever_comes_late_is_told() {
    let sessions = Arc::new(Sessions::new(Limits { most: 8, idle: Some(Duration::from_millis(50)) }));
    let session = started(&sessions);
    block_on(session.gone());
    let reason = "it was idle for 0.05 s, so it was closed (RR_MCP_SESSION_IDLE)";
    let SessionById::Ended(ended) = sessions.look(Some("s1")).unwrap() else { panic!("it is closed") };
    assert_eq!(ended.reason, reason);
    let said = sessions.find(Some("s1")).err().unwrap();
    assert_eq!(said, format!("session s1 has ended: {reason}; no session is open: call rr_replay_start first"));
    let said = sessions.find(None).err().unwrap();
    let expected = format!("no replay session: call rr_replay_start first (session s1 has ended: {reason})");
    assert_eq!(said, expected);
}

#[test]
fn looking_at_a_session_is_no_use_of_it() {
    let sessions = sessions();
    let (first, second) = (started(&sessions), started(&sessions));
    let SessionById::Open { session, current } = sessions.look(Some(first.id())).unwrap() else { panic!("it is open") };
    assert_eq!((session.id(), current), ("s1", false));
    assert!(session.status().idle().is_some());
    assert_eq!(sessions.find(None).unwrap().id(), second.id());
    assert!(sessions.look(Some("s9")).err().unwrap().starts_with("unknown session \"s9\"; open sessions: s1, s2"));
}
