//! The library: movements, positions, what is waited for, questions about the whole execution.

use crate::support::fixtures::line;
use crate::support::recordings::{fresh_recording, recording, recording_of, rr};
use retrograde::{
    BreakpointKind, Call, Cancel, ErrorKind, Options, Position, Recording, Replay, StopReason, Stream, Value,
};
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

fn options() -> Options {
    Replay::options().rr(rr().program())
}

fn replaying(fixture: &str) -> Replay {
    options().open(recording(fixture).trace).unwrap()
}

#[test]
fn each_position_of_a_walk_is_found_again_from_anywhere() {
    let mut replay = replaying("stepping");
    let start = replay.position().clone();
    replay.breakpoint("main").temporary().set().unwrap();
    replay.run().unwrap();
    // Straight code that calls one function several times within a tick.
    let mut walk = vec![replay.stop().clone()];
    for _ in 0..60 {
        walk.push(replay.step_instruction().unwrap());
    }
    let ticks: Vec<_> = walk.iter().map(|stop| (stop.position.event(), stop.position.ticks())).collect();
    assert!(ticks.windows(2).filter(|pair| pair[0] == pair[1]).count() > 40, "{ticks:?}");
    let pcs: Vec<u64> = walk.iter().map(|stop| stop.position.pc()).collect();
    assert!((0..pcs.len()).any(|i| pcs[i + 1..].contains(&pcs[i])), "an instruction is visited twice");
    for at in [60, 3, 31, 30, 59, 0, 44] {
        let kept: Position = walk[at].position.to_string().parse().unwrap();
        let stop = replay.goto(&kept).unwrap();
        assert!(matches!(stop.reason, StopReason::Arrived), "{stop}");
        assert_eq!((stop.position, stop.frame.pc), (walk[at].position.clone(), walk[at].frame.pc), "{at}");
        assert_eq!(stop.frame.location, walk[at].frame.location);
    }
    assert_eq!(replay.goto(&start).unwrap().position, start);
    assert_eq!(replay.goto_start().unwrap().position, start);
    let end = replay.run().unwrap();
    assert!(matches!(end.reason, StopReason::End { exit_code: Some(0), .. }), "{end}");
    assert!(end.position.is_end() && start < end.position && walk[0].position < end.position);
    replay.goto(&walk[17].position).unwrap();
    let again = replay.goto(&end.position).unwrap();
    assert_eq!((again.position, again.reason.to_string()), (end.position.clone(), end.reason.to_string()));
    assert_eq!(replay.goto_end().unwrap().position, end.position);
    // In another replay of the same recording, too.
    let mut other = replaying("stepping");
    assert_eq!(other.goto(&walk[31].position).unwrap().position, walk[31].position);
}

#[test]
fn a_movement_that_fails_leaves_the_replay_where_it_was() {
    let mut replay = replaying("stepping");
    replay.breakpoint("twice").set().unwrap();
    let here = replay.run().unwrap();
    let hits = |replay: &Replay| replay.breakpoints().iter().map(|breakpoint| breakpoint.hits).collect::<Vec<_>>();
    let before = hits(&replay);
    let same = |replay: &Replay, what: &str| {
        assert_eq!((replay.position(), hits(replay)), (&here.position, before.clone()), "{what}");
        assert_eq!(replay.eval("n").unwrap().as_i128(), Some(21), "{what}");
    };
    // Of a place that there is not, and of another process.
    let text = here.position.to_string();
    let elsewhere: Position = text.replace(&format!("{:#x}", here.position.pc()), "0x1234").parse().unwrap();
    assert_eq!(replay.goto(&elsewhere).unwrap_err().kind(), ErrorKind::NoPosition);
    same(&replay, "goto");
    let number = here.position.process();
    let stranger: Position = text.replacen(&format!("{number}."), &format!("{}.", number + 1), 1).parse().unwrap();
    assert_eq!(replay.goto(&stranger).unwrap_err().kind(), ErrorKind::NoPosition);
    same(&replay, "goto another process");
    assert_eq!(replay.advance("nothing").unwrap_err().kind(), ErrorKind::NoLocation);
    same(&replay, "advance");
    assert_eq!(replay.breakpoint("nothing").set().unwrap_err().kind(), ErrorKind::NoLocation);
    replay.select_frame(1).unwrap();
    assert_eq!(replay.finish().unwrap_err().kind(), ErrorKind::CannotMove);
    assert_eq!(replay.position(), &here.position);
    // It goes on from there.
    replay.select_frame(0).unwrap();
    let StopReason::Returned { value: Some(value), .. } = replay.finish().unwrap().reason else { panic!() };
    assert_eq!((value.as_i128(), value.to_string().as_str()), (Some(42), "42"));
    let next = replay.run().unwrap();
    // No branch lies between them, so that their order is not known without replaying.
    assert_eq!((here.position == next.position, here.position.partial_cmp(&next.position)), (false, None));
    assert_eq!(replay.eval("n").unwrap().as_i128(), Some(2));
}

#[test]
fn steps_go_both_ways() {
    let mut replay = replaying("stepping");
    replay.breakpoint("main").set().unwrap();
    let first = replay.run().unwrap();
    let at = |stop: &retrograde::Stop| u64::from(stop.frame.location.as_ref().unwrap().line);
    assert_eq!(at(&first), line("stepping.c", "first"));
    assert_eq!(at(&replay.next().unwrap()), line("stepping.c", "call"));
    assert_eq!(at(&replay.step().unwrap()), line("stepping.c", "twice-body"));
    let returned = replay.finish().unwrap();
    assert!(matches!(&returned.reason, StopReason::Returned { value: Some(value), .. } if value.as_i128() == Some(42)));
    assert_eq!(at(&replay.reverse_step().unwrap()), line("stepping.c", "twice-return") + 1);
    assert_eq!(at(&replay.reverse_finish().unwrap()), line("stepping.c", "call"));
    // First to the beginning of the line that calls.
    assert_eq!(at(&replay.reverse_next().unwrap()), line("stepping.c", "call"));
    assert_eq!(at(&replay.reverse_next().unwrap()), line("stepping.c", "first"));
    let advanced = replay.advance(&format!("stepping.c:{}", line("stepping.c", "half"))).unwrap();
    assert_eq!(at(&advanced), line("stepping.c", "half"));
    let start = replay.reverse_run().unwrap();
    assert_eq!((at(&start), start.position.clone()), (at(&first), first.position.clone()));
    assert!(matches!(replay.reverse_run().unwrap().reason, StopReason::Start));
}

#[test]
fn the_last_write_is_found_and_the_replay_is_where_it_was() {
    let mut replay = replaying("corrupt_table");
    let never = replay.breakpoint("observe").condition("day == 77").set().unwrap();
    let crash = replay.run().unwrap();
    replay.select_frame(1).unwrap();
    let before = replay.breakpoints();
    let write = replay.last_write("station->calibration").unwrap().unwrap();
    assert_eq!(write.old.pointee().unwrap().unknown().map(|why| why.to_string().contains("taken out")), Some(true));
    assert!(write.old.to_string().ends_with("<valley>"), "{write}");
    assert_eq!((write.new.as_pointer(), write.new.to_string().as_str()), (Some(1000), "(struct calibration *) 0x3e8"));
    assert_eq!(write.frame.location.as_ref().map(|l| u64::from(l.line)), Some(33));
    assert_eq!((replay.position(), replay.stop().reason.to_string()), (&crash.position, crash.reason.to_string()));
    assert_eq!(replay.breakpoints(), before);
    // The selected frame is the same.
    assert_eq!(replay.eval("slot + sum").unwrap().as_i128(), Some(0));
    assert!(write.at < crash.position);
    let there = replay.goto(&write.at).unwrap();
    assert_eq!(there.frame.location.map(|l| l.line), Some(33));
    assert_eq!(replay.eval("station->calibration").unwrap().to_string(), write.old.to_string());
    // It is the last one: after it nothing changes it.
    replay.goto(&crash.position).unwrap();
    assert_eq!(replay.last_write("stations[0].calibration").unwrap().map(|write| write.to_string()), None);
    // What is too large to be watched is found as well: by comparison with all writes.
    let history = replay.history("stations").ask().unwrap();
    let accesses: Vec<_> = history.iter().map(Result::unwrap).collect();
    assert_eq!(history.total(), accesses.len() as u64);
    let last = accesses.iter().rev().find(|access| access.old != access.new).unwrap();
    let write = replay.last_write("stations").unwrap().unwrap();
    let instruction = |at: &Position| (at.event(), at.ticks(), at.pc());
    assert_eq!(instruction(&write.at), instruction(last.at.as_ref().unwrap()));
    assert_eq!(
        (write.frame.function.as_deref(), write.frame.location.as_ref().map(|l| l.line)),
        (Some("store"), Some(33))
    );
    let slot = |value: &Value<'_>| format!("{value}").matches(last.new.as_str()).count();
    assert_eq!(slot(&write.new), slot(&write.old) + 1, "{write} {last}");
    assert_eq!(replay.last_write("$rax").unwrap_err().kind(), ErrorKind::Unwatchable);
    assert_eq!(replay.last_write("nothing").unwrap_err().kind(), ErrorKind::NoSymbol);
    assert_eq!(replay.position(), &crash.position);
    // What is met going on is what would have been met anyway: not the signal again.
    assert!(matches!(replay.run().unwrap().reason, StopReason::End { .. }));
    assert!(replay.last_write("stations[1].calibration").unwrap().is_some(), "from the end, too");
    assert!(replay.position().is_end());
    replay.remove(&never).unwrap();
    assert_eq!(replay.remove(&never).unwrap_err().kind(), ErrorKind::NoBreakpoint);
}

#[test]
fn the_calls_of_a_function_are_told_with_arguments_and_results() {
    let mut replay = replaying("recursion");
    replay.breakpoint("main").set().unwrap();
    let here = replay.run().unwrap();
    let answer = replay.calls("down").ask().unwrap();
    let calls: Vec<Call> = answer.iter().take(7).map(Result::unwrap).collect();
    let number = |value: &Value<'_>| value.as_i128().unwrap();
    let result = |call: &Call| number(call.result.as_ref().unwrap().as_ref().unwrap());
    let shown: Vec<(i128, i128)> =
        calls.iter().map(|call| (number(call.argument("n").unwrap()), result(call))).collect();
    assert_eq!(shown, [(4, 10), (3, 6), (2, 3), (1, 1), (0, 0), (200, 20100), (199, 19900)]);
    assert_eq!(calls[0].to_string(), "down (n=4) = 10");
    assert!(calls.windows(2).all(|pair| pair[0].at.as_ref().unwrap() < pair[1].at.as_ref().unwrap()));
    assert_eq!((answer.total(), answer.unfinished(), answer.iter().count()), (206, 0, 206));
    assert_eq!(answer.iter().nth(205).unwrap().unwrap().argument("n").unwrap().as_i128(), Some(0));
    assert_eq!(answer.callers().collect::<Vec<_>>().len(), 3, "{:?}", answer.callers().collect::<Vec<_>>());
    let deep = replay.calls("down").when("n > 150").value("n * 2").ask().unwrap();
    let doubled = deep.iter().next().unwrap().unwrap().argument("n * 2").unwrap().as_i128();
    assert_eq!((deep.total(), doubled), (50, Some(400)));
    let callers: Vec<_> = calls.iter().map(|call| call.caller.function.clone().unwrap()).collect();
    assert_eq!(callers, ["main", "down", "down", "down", "down", "main", "down"]);
    assert_eq!((replay.position(), replay.breakpoints().len()), (&here.position, 1));
    assert_eq!(replay.breakpoints()[0].hits, 1);
    assert!(matches!(replay.stop().reason, StopReason::Breakpoint { number: 1, .. }));
    let begins = calls[3].at.as_ref().unwrap();
    let instruction = |at: &Position| (at.event(), at.ticks(), at.pc());
    assert_eq!(instruction(&replay.goto(begins).unwrap().position), instruction(begins));
    assert_eq!(replay.stop().frame.function.as_deref(), Some("down"));
    // The function's first instructions have not stored its argument yet.
    let early = replay.eval("n").unwrap();
    assert!(early.unknown().is_some_and(|why| why.to_string().contains("prologue")), "{early}");
    replay.step().unwrap();
    assert_eq!(replay.eval("n").unwrap().as_i128(), Some(1));
    replay.goto(begins).unwrap();
    assert_eq!(replay.calls("nothing").ask().unwrap_err().kind(), ErrorKind::NoLocation);
    assert_eq!(replay.calls("main").ask().unwrap().total(), 1);
    assert_eq!(instruction(replay.position()), instruction(begins));
}

#[test]
fn closures_look_at_each_hit() {
    let mut replay = replaying("stepping");
    let body = replay.breakpoint(format!("stepping.c:{}", line("stepping.c", "body"))).set().unwrap();
    assert_eq!((body.kind, body.locations.len(), body.hits), (BreakpointKind::Code, 1, 0));
    let mut seen = Vec::new();
    let done = replay.each_hit(&body, |replay, stop| {
        assert!(body.is_hit(stop));
        seen.push(replay.eval("i").unwrap().as_i128());
        ControlFlow::<()>::Continue(())
    });
    assert_eq!((done.unwrap(), seen), (None, vec![Some(0), Some(1), Some(2)]));
    assert!(replay.position().is_end());
    replay.goto_start().unwrap();
    let found = replay.each_hit(&body, |replay, _| match replay.eval("i").unwrap().as_i128() {
        Some(1) => ControlFlow::Break("second"),
        _ => ControlFlow::Continue(()),
    });
    assert_eq!(found.unwrap(), Some("second"));
    assert_eq!(replay.eval("i").unwrap().as_i128(), Some(1), "it stays where it broke");
}

#[test]
fn a_watchpoint_and_a_log_point_tell_what_they_have_seen() {
    let mut replay = replaying("stepping");
    replay.breakpoint("main").temporary().set().unwrap();
    replay.run().unwrap();
    let watch = replay.watchpoint("total").condition("total > 100").set().unwrap();
    replay.breakpoint("twice").log("n is {n}").set().unwrap();
    let stop = replay.run().unwrap();
    assert!(watch.is_hit(&stop), "{stop}");
    let StopReason::Watchpoint { old: Some(old), new: Some(new), .. } = &stop.reason else { panic!("{stop}") };
    assert_eq!((old.as_str(), new.as_str()), ("42", "126"));
    let logged: Vec<_> = stop.log.iter().map(|line| line.text.as_str()).collect();
    assert_eq!(logged, ["n is 21", "n is 2", "n is 1"]);
}

#[test]
fn observers_are_told_of_progress_and_output() {
    let mut replay = options().open(recording_of("exit_code", &["word"]).trace).unwrap();
    let heard = Arc::new(Mutex::new(Vec::new()));
    let tell = heard.clone();
    replay.on_output(move |output| tell.lock().unwrap().push((output.stream, output.text())));
    replay.breakpoint(format!("exit_code.c:{}", line("exit_code.c", "return"))).set().unwrap();
    let before = replay.position().event();
    let stop = replay.run().unwrap();
    let whole = [(Stream::Out, "word -\n".to_owned()), (Stream::Err, "to stderr\n".to_owned())];
    assert_eq!(*heard.lock().unwrap(), whole, "{before} {}: {:?}", stop.position, replay.output());
    // Going back, nothing is printed; coming by again, it is told again.
    replay.breakpoint(format!("exit_code.c:{}", line("exit_code.c", "print"))).set().unwrap();
    replay.reverse_run().unwrap();
    assert_eq!(heard.lock().unwrap().len(), 2);
    replay.run().unwrap();
    assert_eq!(heard.lock().unwrap().len(), 4);
    let mut spin = replaying("spin");
    let asked = Arc::new(Mutex::new(0));
    let count = asked.clone();
    spin.on_progress(move |_elapsed| {
        *count.lock().unwrap() += 1;
        ControlFlow::Break(())
    });
    spin.breakpoint("turn").condition("n == -1").set().unwrap();
    let stop = spin.run().unwrap();
    assert!(matches!(stop.reason, StopReason::Cancelled), "{stop}");
    assert!(*asked.lock().unwrap() > 0);
}

#[test]
fn a_replay_is_cancelled_from_another_thread_and_goes_on() {
    let cancel = Cancel::new();
    let mut replay = options().cancel(&cancel).open(fresh_recording("spin", &[]).trace).unwrap();
    replay.breakpoint("turn").condition("n == -1").set().unwrap();
    let begun = Arc::new(std::sync::Barrier::new(2));
    let other = std::thread::spawn({
        let begun = begun.clone();
        move || {
            begun.wait();
            cancel.cancel();
        }
    });
    begun.wait();
    let stop = replay.run().unwrap();
    other.join().unwrap();
    assert!(matches!(stop.reason, StopReason::Cancelled), "{stop}");
    // So does whatever is begun before it is taken back.
    let again = replay.step_instruction().unwrap();
    assert!(matches!(again.reason, StopReason::Cancelled), "{again}");
    assert_eq!(again.position, stop.position);
    assert_eq!(replay.calls("turn").ask().unwrap_err().kind(), ErrorKind::Cancelled);
    // A closure that cancels has the hits end, and the replay is where it was.
    let cancel = Cancel::new();
    replay.set_cancel(&cancel);
    let every = replay.breakpoint("turn").set().unwrap();
    let failed = replay.each_hit(&every, |_, _| {
        cancel.cancel();
        ControlFlow::<()>::Continue(())
    });
    assert_eq!(failed.unwrap_err().kind(), ErrorKind::Cancelled);
    assert_eq!(replay.position(), &stop.position);
    replay.set_cancel(&Cancel::new());
    replay.remove(&every).unwrap();
    assert!(matches!(replay.run().unwrap().reason, StopReason::End { exit_code: Some(0), .. }));
    cancel.cancel();
    let refused = options().cancel(&cancel).open(recording("spin").trace).err().unwrap();
    assert_eq!(refused.kind(), ErrorKind::Cancelled, "{refused}");
    let late = options().deadline(Instant::now()).open(recording("spin").trace).err().unwrap();
    assert_eq!(late.kind(), ErrorKind::Cancelled, "{late}");
}

#[test]
fn a_time_limit_is_a_stop_of_its_own_but_an_error_of_a_question() {
    let limit = Duration::from_millis(1);
    let mut replay = options().time_limit(limit).open(fresh_recording("spin", &[]).trace).unwrap();
    replay.breakpoint("turn").condition("n == -1").set().unwrap();
    let stop = replay.run().unwrap();
    assert!(matches!(stop.reason, StopReason::TimedOut), "{stop}");
    assert_eq!(replay.eval("1 + 1").unwrap().as_i128(), Some(2));
}

#[test]
fn threads_are_listed_and_selected() {
    let mut replay = replaying("threads");
    let add =
        replay.breakpoint(format!("threads.c:{}", line("threads.c", "add"))).condition("by == 100").set().unwrap();
    let stop = replay.run().unwrap();
    assert!(add.is_hit(&stop));
    let threads = replay.threads().unwrap();
    let selected = threads.iter().find(|thread| thread.is_selected).unwrap();
    assert_eq!((selected.process, selected.id), (stop.position.process(), stop.position.thread()));
    let main = threads.iter().find(|thread| thread.number == 1).unwrap();
    assert_eq!(main.id, replay.process());
    replay.select_thread(main).unwrap();
    let outermost = replay.backtrace(50).unwrap().into_iter().find(|frame| frame.function.as_deref() == Some("main"));
    replay.select_frame(outermost.unwrap().level).unwrap();
    assert_eq!(replay.eval("hundred").unwrap().as_i128(), Some(100));
    assert_eq!(replay.position(), &stop.position, "looking around moves nothing");
}

#[test]
fn checkpoints_and_source_and_modules_and_code() {
    let mut replay = replaying("stepping");
    replay.breakpoint("add").set().unwrap();
    let stop = replay.run().unwrap();
    let saved = replay.checkpoint().unwrap();
    assert_eq!((replay.checkpoints(), &saved.position), (vec![saved.clone()], &stop.position));
    replay.goto_end().unwrap();
    assert_eq!(replay.checkpoint().unwrap_err().kind(), ErrorKind::CheckpointRefused);
    assert_eq!(replay.restore(&saved).unwrap().position, stop.position);
    replay.forget(saved.clone()).unwrap();
    assert_eq!(replay.restore(&saved).unwrap_err().kind(), ErrorKind::NoBreakpoint);
    let location = stop.frame.location.clone().unwrap();
    let source = replay.source(&location, 1).unwrap();
    assert_eq!(source.len(), 3);
    assert!(source[1].is_current && source[1].text.contains("@add-body"), "{source:?}");
    let modules = replay.modules().unwrap();
    let program = modules.iter().find(|module| module.range.as_ref().is_some_and(|r| r.contains(&stop.frame.pc)));
    assert_eq!(program.unwrap().no_debug_info, None);
    let code = replay.instructions(stop.frame.pc, 3).unwrap();
    assert!(code.iter().all(|line| line.function.as_ref().is_some_and(|(name, _)| name == "add")), "{code:?}");
    assert_eq!(code[0].location.as_ref().unwrap().line, location.line);
}

#[test]
fn recordings_are_found_by_their_directory() {
    let trace = recording("exit_code").trace;
    let listed = Recording::list_in(trace.parent().unwrap()).unwrap();
    let found = listed.iter().find(|recording| recording.path == trace.canonicalize().unwrap()).unwrap();
    assert!(found.is_complete && found.size > 0);
    assert_eq!(found.exit_code, Some(42));
    assert_eq!(options().open("no-such-recording").err().unwrap().kind(), ErrorKind::NoRecording);
    assert_eq!(options().process(1).open(&trace).err().unwrap().kind(), ErrorKind::NoRecording);
    assert_eq!(Replay::options().rr("/no/rr").open(&trace).err().unwrap().kind(), ErrorKind::NoRr);
}
