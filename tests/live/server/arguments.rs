//! Any arguments to any tool: numbers at their limits, texts of all sorts and lengths, lists for texts.
//!
//! `RETROGRADE_ARGUMENTS=100 cargo test --test live arguments -- --nocapture` calls each tool as many times;
//! `RETROGRADE_ARGUMENTS_SEED` repeats a run's choices.

use crate::server::chaos::{Dice, wanted};
use crate::server::wire::Wire;
use crate::support::recordings::{recording, rr};
use serde_json::{Value, json};

/// Calls of each tool if nothing else is said.
const CALLS: u64 = 3;
/// The longest that an error may be, in characters: it may quote what was wrong.
const LONGEST_ERROR: usize = 2500;
/// Tools that do something to the machine, or close the session.
const LEFT_OUT: [&str; 5] = ["rr_record", "rr_rm", "rr_attach", "rr_replay_stop", "rr_replay_start"];

fn any_text(dice: &mut Dice) -> String {
    let length = [0, 1, 7, 60, 5000][usize::try_from(dice.roll(5)).unwrap()];
    let alphabets = ["abcxyz_0189", "()[]{}<>*&.->:;,+-/%$@!'\" ", "\u{0}\u{1}\n\u{7f}\u{e9}\u{1f600}\u{fffd}\\"];
    let alphabet: Vec<char> = dice.pick(&alphabets).chars().collect();
    (0..length).map(|_| alphabet[usize::try_from(dice.roll(alphabet.len() as u64)).unwrap()]).collect()
}

fn any_value(dice: &mut Dice, depth: u64) -> Value {
    match dice.roll(14) {
        0 => json!(0),
        1 => json!(-1),
        2 => json!(u64::MAX),
        3 => json!(i64::MIN),
        4 => json!(dice.roll(100)),
        5 => json!(1e300),
        6 => json!(dice.one_in(2)),
        7 => json!(null),
        8 if depth < 3 => json!({any_text(dice): any_value(dice, depth + 1)}),
        9 if depth < 3 => json!([any_value(dice, depth + 1), any_value(dice, depth + 1)]),
        10 => json!(dice.pick(&["main", "value", "*0x10", "stepping.c:20", "stepping.c:99999", "$pc", "1", "-f"])),
        _ => json!(any_text(dice)),
    }
}

/// A value of the kind that the tool wants, mostly.
fn value_for(dice: &mut Dice, schema: &Value) -> Value {
    let wanted = schema.to_string();
    match dice.roll(4) {
        0 => any_value(dice, 0),
        _ if wanted.contains("\"integer\"") => {
            json!([0, 1, 2, 1 << 31, u64::MAX][usize::try_from(dice.roll(5)).unwrap()])
        }
        _ if wanted.contains("\"boolean\"") => json!(dice.one_in(2)),
        _ => json!(if dice.one_in(2) {
            dice.pick(&["main", "i", "value", "half", "s1", "signal"]).to_owned()
        } else {
            any_text(dice)
        }),
    }
}

#[test]
fn whatever_the_arguments_are_there_is_an_answer() {
    let (calls, seed) = wanted("RETROGRADE_ARGUMENTS", CALLS);
    let mut dice = Dice(seed);
    let limits = [("RR_MCP_TIMEOUT_FORWARD", "5"), ("RR_MCP_TIMEOUT_REVERSE", "5"), ("RETROGRADE_LOG", "off")];
    let mut wire = Wire::open(rr().program(), &limits);
    let session = wire.call("rr_replay_start", json!({"trace_dir": recording("stepping").trace}));
    let session = session["structuredContent"]["session"].as_str().expect("a session").to_owned();
    let tools = wire.server.request(1 << 40, "tools/list", json!({}))["result"]["tools"].take();
    let (mut answers, mut errors) = (0, 0);
    for tool in tools.as_array().expect("tools") {
        let name = tool["name"].as_str().unwrap();
        if LEFT_OUT.contains(&name) {
            continue;
        }
        for _ in 0..calls {
            let mut arguments = json!({});
            for (parameter, schema) in tool["inputSchema"]["properties"].as_object().into_iter().flatten() {
                if parameter == "session" && !dice.one_in(4) {
                    arguments["session"] = json!(session);
                } else if !dice.one_in(3) {
                    arguments[parameter] = value_for(&mut dice, schema);
                }
            }
            if dice.one_in(10) {
                arguments[any_text(&mut dice)] = any_value(&mut dice, 0);
            }
            let result = wire.call(name, arguments.clone());
            let shown: String = arguments.to_string().chars().take(500).collect();
            let text = result["content"][0]["text"].as_str();
            let is_empty_list = || result["structuredContent"]["result"] == json!([]);
            assert!(text.is_some() || is_empty_list(), "{name} {shown}: {result}");
            let text = text.unwrap_or_default();
            assert!(!text.contains("internal error"), "{name} {shown}: {text}");
            if result["isError"] == true {
                let count = text.chars().count();
                assert!(count <= LONGEST_ERROR, "{name} {shown}: {count} characters: {text}");
                errors += 1;
            } else {
                answers += 1;
            }
        }
    }
    println!("{answers} answers, {errors} errors");
    let value = wire.call("rr_evaluate", json!({"expression": "1 + 1", "session": session}));
    assert_eq!(value["structuredContent"]["value"], "2");
}
