//! What is larger, longer or more than a reader wants is cut short, at once, and says how to see the rest.

use crate::support::fixtures::line;
use crate::support::mcp::Server;
use crate::support::recordings::recording_of;
use serde_json::json;

#[test]
fn a_gigabyte_an_endless_list_and_hundreds_of_threads() {
    let server = Server::start();
    server.replay(&recording_of("limits", &["500"]).trace);
    let stop = server.run_to("here");
    assert_eq!((&stop["function"], stop["line"].as_u64()), (&json!("here"), Some(line("limits.c", "here"))));
    let huge = server.call("rr_evaluate", json!({"expression": "huge"}));
    assert_eq!(huge["value"], r#""a", '\000' <repeats 65535 times>..."#);
    assert_eq!(huge["type"], "char [1073741824]");
    assert_eq!(huge["truncated"], "the value is cut short; \"from\": 65536 shows what follows");
    let end = server.call("rr_evaluate", json!({"expression": "huge", "from": (1 << 30) - 3}));
    assert_eq!((&end["value"], &end["truncated"]), (&json!(r#""\000\000z""#), &json!(null)));
    let last = server.evaluate("ring.next->next->next->next->value");
    assert_eq!(last, "7");
    let threads = server.call("rr_thread_list", json!({}));
    assert_eq!(threads["result"].as_array().map(Vec::len), Some(100));
    assert_eq!(threads["result"][0]["frame"]["function"], "here");
    assert_eq!(threads["truncated"], "threads 1 to 100 of 501; `from`: 101 shows what follows");
    let last = server.call("rr_thread_list", json!({"from": 402, "count": 1000}));
    assert_eq!((last["result"].as_array().map(Vec::len), &last["result"][99]["id"]), (Some(100), &json!("501")));
    assert_eq!(last["truncated"], "of 501 threads, from place 402");
}
