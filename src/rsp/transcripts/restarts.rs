//! Restarts: what they revive, what they make the server forget.

use super::*;

#[test]
fn nothing_is_resumed_after_the_exit_and_a_restart_revives() {
    let mut client = client(
        Version::V5_9,
        "> vCont;c\n< T09thread:p10.10;\n> vCont;c\n< W00\n\
         > vRun;;35\n< T09thread:p10.10;\n> vCont;c\n< T00thread:p10.10;\n> qXfer:auxv:read::0,100000\n< l\n\
         > vCont;c\n< T05thread:p10.10;\n",
    );
    assert_eq!(run(&mut client, Resume::Continue).unwrap(), Outcome::Stopped(stopped(9, MAIN, StopCause::Plain)));
    assert_eq!(run(&mut client, Resume::Continue).unwrap(), Outcome::Stopped(StopReply::Exited(0)));
    for how in [Resume::Continue, Resume::Step(MAIN), Resume::ReverseContinue(None), Resume::ReverseStep(MAIN)] {
        assert!(matches!(run(&mut client, how), Err(Error::Gone)));
    }
    client.restart(Restart::Event(5), Duration::MAX).unwrap();
    run(&mut client, Resume::Continue).unwrap();
    finished(client);
}

#[test]
fn a_restart_makes_the_server_forget_its_breakpoints_so_none_is_removed() {
    let mut client = client(
        Version::V5_9,
        "> Z2,1000,8\n< OK\n> vCont;c\n< T05thread:p10.10;watch:1000;\n\
         > qRRCmd:checkpoint:-1:68657265\n<= Checkpoint 1 at here\n\
         > vRun;;6331\n< T05thread:p10.10;\n> vCont;c\n< T00thread:p10.10;\n> qXfer:auxv:read::0,100000\n< l\n\
         > Z2,2000,8\n< OK\n> vCont;c\n< T05thread:p10.10;watch:2000;\n\
         > qRRCmd:delete checkpoint:-1:31\n<= Deleted checkpoint 1.\n",
    );
    client.set_breaks(&[watch(0x1000)]).unwrap();
    run(&mut client, Resume::Continue).unwrap();
    assert_eq!(client.checkpoint("here").unwrap(), 1);
    client.restart(Restart::Checkpoint(1), Duration::from_secs(5)).unwrap();
    client.set_breaks(&[watch(0x2000)]).unwrap();
    run(&mut client, Resume::Continue).unwrap();
    client.delete_checkpoint(1).unwrap();
    assert!(matches!(client.restart(Restart::Checkpoint(1), Duration::ZERO), Err(Error::NoCheckpoint { id: 1, .. })));
    finished(client);
}

#[test]
fn a_tick_that_does_not_exist_leaves_the_position_as_it_was() {
    let mut client = client(
        Version::V5_9,
        "> qRRCmd:checkpoint:-1:6265666f726520676f696e6720746f2061207469636b\n<= Checkpoint 4 at before\n\
         > vRun;;7439\n< E01\n\
         > vRun;;6334\n< T05thread:p10.10;\n> vCont;c\n< T00thread:p10.10;\n> qXfer:auxv:read::0,100000\n< l\n\
         > qRRCmd:delete checkpoint:-1:34\n<= Deleted checkpoint 4.\n",
    );
    assert!(matches!(client.restart(Restart::Ticks(9), Duration::from_secs(5)), Err(Error::NoSuchTick { ticks: 9 })));
    finished(client);
}

#[test]
fn an_event_past_the_end_is_cut_to_the_end_where_rr_would_search_for_ever() {
    let mut client = client(
        Version::V5_9,
        "> vCont;c\n< T09thread:p10.10;\n> qRRCmd:when:-1\n<= Completed event: 80\n\
         > vRun;;3830\n< T09thread:p10.10;\n> vCont;c\n< T09thread:p10.10;\n> qXfer:auxv:read::0,100000\n< l\n",
    );
    run(&mut client, Resume::Continue).unwrap();
    let end = client.restart(Restart::Event(1000), Duration::from_secs(5)).unwrap();
    assert_eq!(end, stopped(9, MAIN, StopCause::Plain));
    finished(client);
}

#[test]
fn a_restart_after_a_backward_exit_first_shows_rr_the_end_again() {
    let script = format!(
        "> Hcp10.0\n< OK\n> bs\n< W00\n{TO_90}> vCont;c\n< T0bthread:p10.10;\n> vCont;c\n< T09thread:p10.10;\n\
         > vCont;c\n< W00\n{TO_90}{TO_90}"
    );
    let mut client = client(Version::V5_9, &script);
    client.state.stopped(&stopped(5, MAIN, StopCause::Plain), arch::Direction::Forward);
    run(&mut client, Resume::ReverseStep(MAIN)).unwrap();
    client.restart(Restart::Event(90), Duration::from_secs(5)).unwrap();
    client.restart(Restart::Event(90), Duration::from_secs(5)).unwrap();
    finished(client);
}
