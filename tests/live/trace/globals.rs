//! Globals and thread-local variables in answers about the whole execution, against what the program wrote down.

use crate::support::fixtures::{line, scratch};
use crate::support::mcp::Server;
use crate::support::recordings::recording_of;
use serde_json::{Value, json};
use std::fs;

const FIXTURES: [&str; 4] = ["fixed_places", "fixed_places-static", "fixed_places-no-pie", "fixed_places-O2"];
const EXPRESSIONS: [&str; 7] = ["counter", "totals.sum", "current->last[2]", "hidden", "mine", "letters", "add::own"];

#[test]
fn what_they_were_at_each_call_is_told() {
    for fixture in FIXTURES {
        let log = scratch().join(format!("{fixture}.log"));
        let trace = recording_of(fixture, &[log.to_str().unwrap()]).trace;
        let written = fs::read_to_string(&log).unwrap();
        let server = Server::start();
        let is_optimised = fixture.ends_with("-O2");
        // The static of a function is one of its variables, and needs no scope.
        let expressions: Vec<&str> = EXPRESSIONS.iter().map(|e| e.strip_prefix("add::").unwrap_or(e)).collect();
        // Optimised code changes the static before or after the line; before, it is three less.
        let location =
            if is_optimised { "add".to_owned() } else { format!("fixed_places.c:{}", line("fixed_places.c", "told")) };
        let ask = json!({"trace_dir": trace, "locations": [location], "values": expressions, "limit": 100});
        let answer = server.call("rr_trace", ask);
        let told: Vec<Vec<String>> = rows(&answer)
            .iter()
            .map(|row| {
                row["values"].as_array().unwrap().iter().map(|v| v["value"].as_str().unwrap().to_owned()).collect()
            })
            .collect();
        let expected: Vec<Vec<String>> = written
            .lines()
            .map(|line| {
                let mut words: Vec<String> = line.split(' ').map(str::to_owned).collect();
                words[5] = format!("\"{}\\000\\000\\000\\000\"", words[5]);
                if is_optimised {
                    words[6] = (words[6].parse::<u32>().unwrap() - 3).to_string();
                }
                words
            })
            .collect();
        assert_eq!(expected.len(), 10, "{fixture}: {written}");
        assert_eq!(told, expected, "{fixture}: {answer}");
    }
}

#[test]
fn calls_are_chosen_by_them() {
    for fixture in FIXTURES {
        let log = scratch().join(format!("{fixture}.calls.log"));
        let trace = recording_of(fixture, &[log.to_str().unwrap()]).trace;
        let written = fs::read_to_string(&log).unwrap();
        let server = Server::start();
        let ask = json!({"trace_dir": trace, "function": "add", "where": "counter >= 6 && mine < 103", "values": ["counter", "&counter == (int *)0"]});
        let answer = server.call("rr_calls", ask);
        let number = |line: &str, word: usize| line.split(' ').nth(word).unwrap().parse::<i64>().unwrap();
        let expected: Vec<String> = written
            .lines()
            .filter(|line| number(line, 0) >= 6 && number(line, 4) < 103)
            .map(|line| number(line, 0).to_string())
            .collect();
        assert!(!expected.is_empty() && expected.len() < 10, "{fixture}: {written}");
        let told: Vec<String> = rows(&answer).iter().map(|row| value(row, "counter")).collect();
        assert_eq!(told, expected, "{fixture}: {answer}");
        assert_eq!(value(&rows(&answer)[0], "&counter == (int *)0"), "0", "{fixture}: {answer}");
    }
}

fn rows(answer: &Value) -> &Vec<Value> {
    answer["rows"].as_array().unwrap_or_else(|| panic!("no rows: {answer}"))
}

fn value(row: &Value, name: &str) -> String {
    let all = [&row["arguments"], &row["values"]].into_iter().filter_map(Value::as_array).flatten();
    let found = all.into_iter().find(|value| value["name"] == name).unwrap_or_else(|| panic!("no {name} in {row}"));
    found["value"].as_str().unwrap_or_else(|| panic!("no value: {found}")).to_owned()
}
