//! Calls that are cancelled while an answer is waited for.

use super::*;

#[test]
fn a_restart_is_not_waited_for_once_it_is_cancelled() {
    let silence = "~~\n".repeat(5);
    let mut client = client(Version::V5_9, &format!("> vRun;;3930\n{silence}< T00thread:p10.10;\n"));
    client.set_cancel(&cancelled());
    let error = client.restart(Restart::Event(90), Duration::from_secs(5)).unwrap_err();
    assert_eq!(error.to_string(), "cancelled before rr answered `vRun;;3930`");
    assert!(matches!(client.threads(), Err(Error::Unusable { .. })));
}

#[test]
fn a_late_answer_is_not_waited_for_once_the_call_is_cancelled() {
    let silence = "~~\n".repeat(40);
    let mut client = client(Version::V5_9, &format!("> qfThreadInfo\n{silence}< mp10.10\n"));
    client.set_at_work(|| true);
    client.set_cancel(&Cancel::default().with_deadline(2 * transport::POLL));
    let error = client.threads().unwrap_err();
    assert_eq!(error.to_string(), "cancelled before rr answered `qfThreadInfo`");
    assert!(matches!(client.threads(), Err(Error::Unusable { .. })));
}

#[test]
fn a_server_that_cannot_be_replaced_is_waited_for() {
    let silence = "~~\n".repeat(40);
    let mut client = client(Version::V5_9, &format!("> qfThreadInfo\n{silence}< mp10.10\n> qsThreadInfo\n< l\n"));
    client.set_cancel(&Cancel::default().with_deadline(2 * transport::POLL));
    assert_eq!(client.threads().unwrap(), [MAIN]);
    finished(client);
}

#[test]
fn what_is_asked_after_the_call_was_cancelled_is_answered() {
    let silence = "~~\n".repeat(40);
    let script = format!("> qfThreadInfo\n{silence}< mp10.10\n> qsThreadInfo\n< l\n");
    let mut client = client(Version::V5_9, &script);
    client.set_cancel(&cancelled());
    assert_eq!(client.threads().unwrap(), [MAIN]);
    finished(client);
}
