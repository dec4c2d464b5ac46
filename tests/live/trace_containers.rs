//! Containers in traces: what they hold is shown where it was collected, and can be asked there as at a stop.

use crate::support::fixtures::built_by;
use crate::whose::replay_of;
use serde_json::json;
use std::path::Path;

const CXX: &str = "#include <memory>
#include <string>
#include <vector>
struct Node { int key; };
int work(std::vector<int> &v, std::string &s, std::unique_ptr<Node> &n, std::vector<int> &large) {
 return v[0] + (int)s.size() + n->key + large[999]; }
int main() { std::vector<int> v{3, 4, 5}, large(1000, 7); std::string s(\"a text that needs memory of its own\");
 auto n = std::make_unique<Node>(); int sum = 0;
 for (int i = 0; i < 2; i++) { n->key = i; v.push_back(10 + i); sum += work(v, s, n, large); }
 return sum - 89; }
";

#[test]
fn containers_of_cxx_are_shown_and_asked_in_a_trace() {
    for (compiler, whole) in [("g++", "-g"), ("clang++", "-fstandalone-debug")] {
        let name = format!("traced_containers_{compiler}");
        let server = replay_of(&built_by(compiler, "cc", &name, CXX, &["-g", whole, "-std=c++17"]));
        let asked = ["v", "v[1]", "v[3]", "v.size()", "s", "s.size()", "n->key", "large.size()", "large[999]"];
        let place = format!("{name}.cc:6");
        let answer = server.call("rr_trace", json!({"locations": [place], "values": asked}));
        let row = |number: usize| -> Vec<String> {
            let values = answer["rows"][number]["values"].as_array().unwrap();
            let shown = |value: &serde_json::Value| {
                let either = [value["value"].as_str(), value["unknown"].as_str()];
                either.into_iter().flatten().next().unwrap_or_default().to_owned()
            };
            values.iter().map(shown).collect()
        };
        let (first, second) = (row(0), row(1));
        assert!(first[0].contains("of length 4") && first[0].ends_with("{3, 4, 5, 10}"), "{compiler}: {first:?}");
        assert!(
            second[0].contains("of length 5") && second[0].ends_with("{3, 4, 5, 10, 11}"),
            "{compiler}: {second:?}"
        );
        let text = "\"a text that needs memory of its own\"";
        assert_eq!(first[1..8], ["4", "10", "4", text, "35", "0", "1000"], "{compiler}");
        assert_eq!(second[1..8], ["4", "10", "5", text, "35", "1", "1000"], "{compiler}");
        assert!(first[8].contains("not collected"), "{compiler}: {first:?}");
        let filtered = json!({"locations": [place], "values": ["v.size()"], "where": "v.size() == 5"});
        let answer = server.call("rr_trace", filtered);
        assert_eq!(answer["rows"].as_array().unwrap().len(), 1, "{compiler}");
    }
}

const RUST: &str = "fn work(v: &Vec<i64>, s: &String, t: &[u16]) -> usize {
    v.len() + s.len() + t.len()
}
fn main() {
    let (mut v, s, t) = (vec![1i64, 2], String::from(\"some text\"), [7u16, 8, 9]);
    let first = work(&v, &s, &t);
    v.push(30);
    std::process::exit((first + work(&v, &s, &t)) as i32 - 29);
}
";

#[test]
fn containers_of_rust_are_shown_and_asked_in_a_trace() {
    let program = built_by("rustc", "rs", "traced_containers_rust", RUST, &["-g"]);
    let server = replay_of(Path::new(&program));
    let asked = ["*v", "v.len()", "v[1]", "s", "t"];
    let answer = server.call("rr_trace", json!({"locations": ["traced_containers_rust.rs:2"], "values": asked}));
    let row = |number: usize| -> Vec<String> {
        let values = answer["rows"][number]["values"].as_array().unwrap();
        values.iter().map(|value| value["value"].as_str().unwrap_or_default().to_owned()).collect()
    };
    assert_eq!(row(0), ["vec![1, 2]", "2", "2", "&\"some text\"", "&[7, 8, 9]"]);
    assert_eq!(row(1), ["vec![1, 2, 30]", "3", "2", "&\"some text\"", "&[7, 8, 9]"]);
}
