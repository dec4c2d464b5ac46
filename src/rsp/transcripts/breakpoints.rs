//! Breakpoints: when they are sent, and how a run leaves one.

use super::*;

#[test]
fn breakpoints_are_sent_once_and_by_difference() {
    let mut client = client(
        Version::V5_9,
        "> p10\n< 0050000000000000\n> Z0,1000,1\n< OK\n> Z2,2000,8\n< OK\n> vCont;c\n< T05thread:p10.10;swbreak:;\n\
         > p10\n< 0050000000000000\n> vCont;c\n< T05thread:p10.10;swbreak:;\n\
         > p10\n< 0050000000000000\n> z2,2000,8\n< OK\n> Z0,3000,1\n< OK\n> vCont;c\n< T05thread:p10.10;swbreak:;\n",
    );
    client.set_breaks(&[software(0x1000), watch(0x2000)]).unwrap();
    run(&mut client, Resume::Continue).unwrap();
    run(&mut client, Resume::Continue).unwrap();
    client.set_breaks(&[software(0x1000), software(0x3000)]).unwrap();
    run(&mut client, Resume::Continue).unwrap();
    finished(client);
}

#[test]
fn a_refused_watchpoint_is_named_and_nothing_runs() {
    let mut client = client(
        Version::V5_9,
        "> Z2,1000,8\n< OK\n> Z2,2000,8\n< E01\n> z2,1000,8\n< OK\n> vCont;c\n< T05thread:p10.10;\n",
    );
    client.set_breaks(&[watch(0x1000), watch(0x2000)]).unwrap();
    match run(&mut client, Resume::Continue) {
        Err(Error::Rejected { refused, .. }) => assert_eq!(refused, watch(0x2000)),
        other => panic!("{other:?}"),
    }
    client.set_breaks(&[]).unwrap();
    run(&mut client, Resume::Continue).unwrap();
    finished(client);
}

#[test]
fn an_old_rr_is_not_asked_for_more_debug_registers_than_there_are() {
    let mut client = client(Version::V5_8, "");
    let list: Vec<Break> = (0..5).map(|i| watch(0x1000 + 8 * i)).collect();
    client.set_breaks(&list).unwrap();
    assert!(matches!(client.insert_breaks(), Err(Error::Rejected { refused, .. }) if refused == list[4]));
    finished(client);
}

#[test]
fn a_run_steps_off_the_breakpoint_under_the_pc() {
    let mut client = client(
        Version::V5_9,
        "> g\n< 00000000000000000010000000000000\n\
         > Z0,2000,1\n< OK\n> vCont;s:p10.10;c:p10.-1\n< T05thread:p10.10;\n> Z0,1000,1\n< OK\n\
         > vCont;c\n< T05thread:p10.10;swbreak:;\n\
         > p10\n< 0010000000000000\n> z0,1000,1\n< OK\n> vCont;s:p10.10;c:p10.-1\n< T05thread:p10.10;\n",
    );
    client.set_breaks(&[software(0x1000), software(0x2000)]).unwrap();
    assert_eq!(client.registers(MAIN).unwrap().pc(), Some(RunAddr(0x1000)));
    let hit = Outcome::Stopped(stopped(5, MAIN, StopCause::SoftwareBreak));
    assert_eq!(run(&mut client, Resume::Continue).unwrap(), hit);
    let done = Outcome::Stopped(stopped(5, MAIN, StopCause::Plain));
    assert_eq!(run(&mut client, Resume::Step(MAIN)).unwrap(), done);
    finished(client);
}

#[test]
fn what_happens_while_stepping_off_a_breakpoint_is_the_outcome() {
    for (reply, expected) in [
        ("T0bthread:p10.10;", stopped(0x0b, MAIN, StopCause::Plain)),
        ("T05thread:p10.11;swbreak:;", stopped(5, OTHER, StopCause::SoftwareBreak)),
        ("T05thread:p10.10;watch:30;", stopped(5, MAIN, StopCause::Watch { address: RunAddr(0x30), and_break: false })),
        ("T09thread:p10.10;", stopped(9, MAIN, StopCause::Plain)),
    ] {
        let script = format!("> p10\n< 0010000000000000\n> vCont;s:p10.10;c:p10.-1\n< {reply}\n");
        let mut client = client(Version::V5_9, &script);
        client.set_breaks(&[software(0x1000)]).unwrap();
        assert_eq!(run(&mut client, Resume::Continue).unwrap(), Outcome::Stopped(expected));
        finished(client);
    }
}

#[test]
fn a_step_of_another_thread_first_gets_the_current_one_off_its_breakpoint() {
    let mut client = client(
        Version::V5_9,
        "> Hgp10.11\n< OK\n> Hgp10.10\n< OK\n> p10\n< 0010000000000000\n\
         > vCont;s:p10.10;c:p10.-1\n< T05thread:p10.10;\n> Z0,1000,1\n< OK\n\
         > vCont;s:p10.11;c:p10.-1\n< T05thread:p10.11;\n",
    );
    client.set_breaks(&[software(0x1000)]).unwrap();
    let outcome = run(&mut client, Resume::Step(OTHER)).unwrap();
    assert_eq!(outcome, Outcome::Stopped(stopped(5, OTHER, StopCause::Plain)));
    finished(client);
}

#[test]
fn a_loop_of_backward_steps_sends_nothing_but_steps_and_register_reads() {
    let mut client = client(
        Version::V5_9,
        "> Z2,1000,8\n< OK\n> vCont;c\n< T05thread:p10.10;watch:1000;\n> Hcp10.0\n< OK\n\
         > bs\n< T05thread:p10.10;\n> g\n< xx\n> bs\n< T05thread:p10.10;\n> g\n< xx\n> bs\n< T05thread:p10.10;\n\
         > z2,1000,8\n< OK\n> Z2,1000,8\n< OK\n> vCont;c\n< T05thread:p10.10;watch:1000;\n",
    );
    client.set_breaks(&[watch(0x1000)]).unwrap();
    run(&mut client, Resume::Continue).unwrap();
    run(&mut client, Resume::ReverseStep(MAIN)).unwrap();
    client.registers(MAIN).unwrap();
    run(&mut client, Resume::ReverseStep(MAIN)).unwrap();
    client.registers(MAIN).unwrap();
    run(&mut client, Resume::ReverseStep(MAIN)).unwrap();
    // Only now is what may have been lost set again.
    run(&mut client, Resume::Continue).unwrap();
    finished(client);
}

#[test]
fn breakpoints_of_a_later_image_are_not_removed_in_an_earlier_one() {
    let mut client = client(
        Version::V5_9,
        "> vRun;;3930\n< T05thread:p10.10;\n> vCont;c\n< T00thread:p10.10;\n> qXfer:auxv:read::0,100000\n< lsecond\n\
         > Z2,1000,8\n< OK\n> Hcp10.10\n< OK\n> Hcp10.0\n< OK\n> bc\n< T05thread:p10.10;watch:1000;\n\
         > qXfer:auxv:read::0,100000\n< lsecond\n> z2,1000,8\n< OK\n> Z2,1000,8\n< OK\n\
         > Hcp10.0\n< OK\n> bc\n< T00thread:p10.10;replaylog:begin;\n\
         > qXfer:auxv:read::0,100000\n< l\n> Z2,1000,8\n< OK\n> vCont;c\n< T05thread:p10.10;watch:1000;\n",
    );
    client.restart(Restart::Event(90), Duration::from_secs(5)).unwrap();
    client.set_breaks(&[watch(0x1000)]).unwrap();
    run(&mut client, Resume::ReverseContinue(None)).unwrap();
    run(&mut client, Resume::ReverseContinue(None)).unwrap();
    run(&mut client, Resume::Continue).unwrap();
    finished(client);
}
