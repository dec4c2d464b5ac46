//! Interrupts that cross stops, steps, exits and restarts.

use super::*;

#[test]
fn an_interrupt_that_crosses_a_breakpoint_of_a_server_that_does_not_name_it() {
    let mut client = other_server(
        "> g\n< 00000000000000000020400000000000\n> Z0,401000,1\n< OK\n> vCont;c\n~\n> ^C\n< T05thread:p10.10;\n\
         > qC\n< QCp10.10\n> g\n< 00000000000000000010400000000000\n",
    );
    client.set_breaks(&[software(0x40_1000)]).unwrap();
    let outcome = client.resume(Resume::Continue, &cancelled()).unwrap();
    assert_eq!(outcome, Outcome::Stopped(stopped(5, MAIN, StopCause::SoftwareBreak)));
    finished(client);
}

#[test]
fn an_interrupt_that_crosses_a_signal_may_be_answered_by_the_next_resume_and_the_signal_is_delivered() {
    let mut client = other_server(
        "> vCont;c\n~\n> ^C\n< T0bthread:p10.10;\n> qC\n< QCp10.10\n> Hgp10.11\n< OK\n\
         > vCont;s:p10.11;C0b:p10.10;c:p10.-1\n< T02thread:p10.10;\n> Hgp10.11\n< OK\n\
         > vCont;s:p10.11;c:p10.-1\n< T05thread:p10.11;\n> g\n< xx\n> vCont;c\n< T02thread:p10.11;\n",
    );
    let outcome = client.resume(Resume::Continue, &cancelled()).unwrap();
    assert_eq!(outcome, Outcome::Stopped(stopped(11, MAIN, StopCause::Plain)));
    let stepped = run(&mut client, Resume::Step(OTHER));
    assert!(matches!(stepped, Err(Error::Registers { .. })), "{stepped:?}");
    // Only once: the next one is the program's.
    let stop = run(&mut client, Resume::Continue).unwrap();
    assert_eq!(stop, Outcome::Stopped(stopped(2, OTHER, StopCause::Plain)));
    finished(client);
}

#[test]
fn an_interrupt_that_stops_the_run() {
    let mut client = client(
        Version::V5_9,
        "> vCont;c\n~\n> ^C\n~\n< T00thread:p10.11;\n> qC\n< QCp10.10\n\
         > Hcp10.11\n< OK\n> Hcp10.0\n< OK\n> bc\n< T05thread:p10.11;\n",
    );
    let outcome = client.resume(Resume::Continue, &cancelled()).unwrap();
    assert_eq!(outcome, Outcome::Interrupted(stopped(0, OTHER, StopCause::Plain)));
    // After an interrupt rr may remember a dead thread, for which it would refuse "any".
    run(&mut client, Resume::ReverseContinue(None)).unwrap();
    finished(client);
}

#[test]
fn an_interrupt_that_crosses_a_stop() {
    let mut client = client(
        Version::V5_9,
        "> vCont;c\n~\n> ^C\n< T05thread:p10.10;swbreak:;\n> qC\n< T00thread:p10.10;\n< QCp10.10\n> g\n< xx\n",
    );
    let outcome = client.resume(Resume::Continue, &cancelled()).unwrap();
    assert_eq!(outcome, Outcome::Stopped(stopped(5, MAIN, StopCause::SoftwareBreak)));
    client.registers(MAIN).unwrap();
    finished(client);
}

#[test]
fn an_interrupt_that_crosses_a_backward_stop_may_be_answered_by_the_next_resume() {
    let mut client = client(
        Version::V5_9,
        "> Hcp10.0\n< OK\n> bc\n~\n> ^C\n< T05thread:p10.10;swbreak:;\n> qC\n< QCp10.10\n\
         > bs\n< T00thread:p10.10;\n> Hcp10.10\n< OK\n> Hcp10.0\n< OK\n> bs\n< T05thread:p10.10;\n\
         > Hcp10.0\n< OK\n> bc\n< T00thread:p10.10;\n",
    );
    let outcome = client.resume(Resume::ReverseContinue(None), &cancelled()).unwrap();
    assert_eq!(outcome, Outcome::Stopped(stopped(5, MAIN, StopCause::SoftwareBreak)));
    let stepped = run(&mut client, Resume::ReverseStep(MAIN)).unwrap();
    assert_eq!(stepped, Outcome::Stopped(stopped(5, MAIN, StopCause::Plain)));
    // Only once.
    let stop = run(&mut client, Resume::ReverseContinue(None)).unwrap();
    assert_eq!(stop, Outcome::Stopped(stopped(0, MAIN, StopCause::Plain)));
    finished(client);
}

#[test]
fn an_interrupt_that_crosses_the_step_off_a_breakpoint_ends_the_run_there() {
    let mut client = client(
        Version::V5_9,
        "> g\n< 00000000000000000010000000000000\n> vCont;s:p10.10;c:p10.-1\n~\n> ^C\n< T05thread:p10.10;\n> qC\n< QCp10.10\n\
         > p10\n< 0110000000000000\n> Z0,1000,1\n< OK\n> vCont;c\n< T00thread:p10.10;\n\
         > p10\n< 0110000000000000\n> vCont;c\n< T05thread:p10.10;swbreak:;\n",
    );
    client.set_breaks(&[software(0x1000)]).unwrap();
    client.registers(MAIN).unwrap();
    let outcome = client.resume(Resume::Continue, &cancelled()).unwrap();
    assert_eq!(outcome, Outcome::Interrupted(stopped(5, MAIN, StopCause::Plain)));
    // The answer to the interrupt is not taken for the stop before an exec.
    let stop = run(&mut client, Resume::Continue).unwrap();
    assert_eq!(stop, Outcome::Stopped(stopped(5, MAIN, StopCause::SoftwareBreak)));
    finished(client);
}

#[test]
fn a_restart_takes_the_place_of_an_interrupt_that_was_not_answered() {
    let script = format!(
        "> vCont;c\n~\n> ^C\n< T05thread:p10.10;swbreak:;\n> qC\n< QCp10.10\n{TO_90}> vCont;c\n< T00thread:p10.10;\n"
    );
    let mut client = client(Version::V5_9, &script);
    client.resume(Resume::Continue, &cancelled()).unwrap();
    client.restart(Restart::Event(90), Duration::from_secs(5)).unwrap();
    let stop = run(&mut client, Resume::Continue).unwrap();
    assert_eq!(stop, Outcome::Stopped(stopped(0, MAIN, StopCause::Plain)), "the stop before an exec");
    finished(client);
}

#[test]
fn an_interrupt_that_crosses_the_exit_gets_no_stop_of_its_own() {
    let mut client = client(Version::V5_9, "> vCont;c\n~\n> ^C\n< W00\n> qC\n< QCp10.10\n");
    let outcome = client.resume(Resume::Continue, &cancelled()).unwrap();
    assert_eq!(outcome, Outcome::Stopped(StopReply::Exited(0)));
    assert!(matches!(run(&mut client, Resume::Continue), Err(Error::Gone)));
    finished(client);
}

#[test]
fn an_interrupt_backward_is_not_the_beginning_of_an_old_rr() {
    let mut client = client(Version::V5_7, "> Hcp10.0\n< OK\n> bc\n~\n> ^C\n< T00thread:p10.10;\n> qC\n< QCp10.10\n");
    let outcome = client.resume(Resume::ReverseContinue(None), &cancelled()).unwrap();
    assert_eq!(outcome, Outcome::Interrupted(stopped(0, MAIN, StopCause::Plain)));
    finished(client);
}

/// Interrupts a run from the end of the recording, at an event of rr's choice.
fn interrupted_from_the_end(event: &str, then: &str) {
    let mut client = client(
        Version::V5_7,
        &format!(
            "> vCont;c\n< T09thread:p10.10;\n> qRRCmd:7768656e\n<= Current event: 16\n\
             > Hcp10.0\n< OK\n> bc\n~\n> ^C\n< T00thread:p10.10;\n> qC\n< QCp10.10\n\
             > qRRCmd:7768656e\n<= Current event: {event}\n{then}"
        ),
    );
    assert_eq!(run(&mut client, Resume::Continue).unwrap(), Outcome::Stopped(stopped(9, MAIN, StopCause::Plain)));
    let outcome = client.resume(Resume::ReverseContinue(None), &cancelled()).unwrap();
    assert_eq!(outcome, Outcome::Interrupted(stopped(0, MAIN, StopCause::Plain)));
    finished(client);
}

#[test]
fn an_interrupt_backward_at_the_end_leads_to_where_one_can_go_on() {
    interrupted_from_the_end(
        "16",
        "> vRun;;3135\n< T00thread:p10.10;\n> vCont;c\n< T00thread:p10.10;\n> qXfer:auxv:read::0,100000\n< l\n",
    );
}

#[test]
fn an_interrupt_backward_does_not_skip_what_is_left_of_its_event() {
    interrupted_from_the_end("15", "");
}

#[test]
fn an_interrupt_that_is_answered_before_the_end_comes_is_no_exec() {
    let script = "> vCont;c\n~\n> ^C\n< T00thread:p10.10;\n> qC\n< T09thread:p10.10;\n< QCp10.10\n";
    let mut client = client(Version::V5_9, script);
    let outcome = client.resume(Resume::Continue, &cancelled()).unwrap();
    assert_eq!(outcome, Outcome::Interrupted(stopped(9, MAIN, StopCause::Plain)));
    finished(client);
}

#[test]
fn a_run_that_ignores_the_interrupt_is_given_up() {
    let mut client =
        client(Version::V5_9, "> Hcp10.10\n< OK\n> Hcp10.0\n< OK\n> bs\n~\n> ^C\n~\n~\n~\n< T05thread:p10.10;\n");
    client.state.stopped(&stopped(5, OTHER, StopCause::Plain), arch::Direction::Forward);
    client.set_interrupt_timeout(Duration::ZERO);
    let error = client.resume(Resume::ReverseStep(MAIN), &cancelled()).unwrap_err();
    assert_eq!(error.to_string(), "rr did not answer `bs` within 0ns");
    assert!(matches!(client.threads(), Err(Error::Unusable { .. })));
}
