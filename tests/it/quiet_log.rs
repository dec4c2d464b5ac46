//! What a client does wrong is answered, and says nothing to who reads the server's log.

use std::io::Write as _;
use std::process::{Command, Stdio};

#[test]
fn errors_of_a_client_are_not_logged() {
    let mut server = Command::new(env!("CARGO_BIN_EXE_retrograde"))
        .arg("serve")
        .env_remove("RETROGRADE_LOG")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let client = r#"{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}"#;
    let requests = [
        format!(r#"{{"jsonrpc":"2.0","id":1,"method":"initialize","params":{client}}}"#),
        r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#.to_owned(),
        r#"{"jsonrpc":"2.0","id":2,"method":"no/such"}"#.to_owned(),
        r#"{"jsonrpc":"2.0","id":3,"method":"resources/read","params":{"uri":"x://y"}}"#.to_owned(),
        r#"{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"nope","arguments":{}}}"#.to_owned(),
        "no JSON".to_owned(),
    ];
    server.stdin.take().unwrap().write_all((requests.join("\n") + "\n").as_bytes()).unwrap();
    let output = server.wait_with_output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert_eq!(String::from_utf8_lossy(&output.stdout).lines().count(), 5, "{output:?}");
}
