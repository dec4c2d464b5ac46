//! Containers in traces: what they hold is shown where it was collected, and can be asked there as at a stop.

use crate::names::whose::replay_of;
use crate::support::fixtures::built_by;
use serde_json::json;
use std::path::Path;

const CXX: &str = "#include <map>
#include <memory>
#include <string>
#include <vector>
struct Node { int key; };
int work(std::vector<int> &v, std::string &s, std::unique_ptr<Node> &n, std::vector<int> &large, std::map<int, int> &m) {
 return v[0] + (int)s.size() + n->key + large[999] + m[7]; }
std::map<int, int> m{{7, 0}};
int main() { std::vector<int> v{3, 4, 5}, large(1000, 7); std::string s(\"a text that needs memory of its own\");
 auto n = std::make_unique<Node>(); int sum = 0;
 for (int i = 0; i < 2; i++) { n->key = i; v.push_back(10 + i); sum += work(v, s, n, large, m); }
 return sum - 89; }
";

#[test]
fn containers_of_cxx_are_shown_and_asked_in_a_trace() {
    for (compiler, whole) in [("g++", "-g"), ("clang++", "-fstandalone-debug")] {
        let name = format!("traced_containers_{compiler}");
        let server = replay_of(&built_by(compiler, "cc", &name, CXX, &["-g", whole, "-std=c++17"]));
        let asked = [
            "v",
            "v[1]",
            "v[3]",
            "v.size()",
            "s",
            "s.size()",
            "n->key",
            "large.size()",
            "large[999]",
            "m.count(7)",
            "m[7]",
        ];
        let place = format!("{name}.cc:7");
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
        assert_eq!(first[8..], ["not collected"; 3], "{compiler}");
        let filtered = json!({"locations": [place], "values": ["v.size()"], "where": "v.size() == 5"});
        let answer = server.call("rr_trace", filtered);
        assert_eq!(answer["rows"].as_array().unwrap().len(), 1, "{compiler}");
    }
}

const RUST: &str = "use std::collections::*;
fn work(v: &Vec<i64>, s: &String, t: &[u16], h: &HashSet<u8>, m: &HashMap<String, i32>, b: &BTreeMap<i32, i32>) -> usize {
    v.len() + s.len() + t.len() + h.len() + m.len() + b.len()
}
fn main() {
    let (h, m, b) = ([42].into(), [(String::from(\"k\"), 7)].into(), [(5, 6)].into());
    let (mut v, s, t) = (vec![1i64, 2], String::from(\"some text\"), [7u16, 8, 9]);
    let first = work(&v, &s, &t, &h, &m, &b);
    v.push(30);
    std::process::exit((first + work(&v, &s, &t, &h, &m, &b)) as i32 - 35);
}
";

#[test]
fn containers_of_rust_are_shown_and_asked_in_a_trace() {
    let program = built_by("rustc", "rs", "traced_containers_rust", RUST, &["-g"]);
    let server = replay_of(Path::new(&program));
    let asked =
        ["*v", "v.len()", "v[1]", "s", "t", "h.contains(&42)", "h.get(&42)", "m[\"k\"]", "b.get(&5)", "h.len()"];
    let answer = server.call("rr_trace", json!({"locations": ["traced_containers_rust.rs:3"], "values": asked}));
    let row = |number: usize| -> Vec<String> {
        let values = answer["rows"][number]["values"].as_array().unwrap();
        let either = |value: &serde_json::Value| {
            value["value"].as_str().or(value["unknown"].as_str()).unwrap_or_default().to_owned()
        };
        values.iter().map(either).collect()
    };
    assert_eq!(row(0)[..5], ["vec![1, 2]", "2", "2", "&\"some text\"", "&[7, 8, 9]"]);
    assert_eq!(row(1)[..5], ["vec![1, 2, 30]", "3", "2", "&\"some text\"", "&[7, 8, 9]"]);
    // Where the elements are was not known in advance: that does not mean that one is not there.
    assert_eq!(row(0)[5..8], ["not collected"; 3]);
    assert!(["not collected", "Some(&6)"].contains(&row(0)[8].as_str()));
    assert_eq!(row(0)[9], "1");
}
