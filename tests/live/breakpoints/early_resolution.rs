//! A breakpoint that is set before the names of a large program have been read is where the symbol table has the
//! function; where it is inlined is found before the program runs on.

use crate::server::wire::Wire;
use crate::support::fixtures::scratch;
use crate::support::recordings::record;
use serde_json::{Value, json};
use std::fmt::Write;
use std::path::PathBuf;
use std::process::Command;

const UNITS: usize = 600;
const STRUCTURES: usize = 600;

const MAIN: &str = "volatile int sink = 3;

int twice(int value)
{
    return value * 2 + sink;
}

int (*volatile pointer)(int) = twice;

int main(void)
{
    sink = twice(sink);
    sink = pointer(sink);
    return sink == 0;
}
";

/// A program in a directory of its own, with tens of megabytes of debug info that no cache keeps, packed in some way.
fn program(packing: &str) -> PathBuf {
    let directory = scratch().join("early-binding").join(packing);
    std::fs::create_dir_all(&directory).unwrap();
    let mut unit = String::new();
    for number in 0..STRUCTURES {
        let _ = writeln!(unit, "struct s{number} {{ int a, b[{}]; struct s{number} *next; double z; }};", number + 1);
    }
    std::fs::write(directory.join("structures.c"), unit).unwrap();
    std::fs::write(directory.join("main.c"), MAIN).unwrap();
    let gcc = |arguments: &[&str], objects: &[&str]| {
        let done = Command::new("gcc").args(arguments).args(objects).current_dir(&directory).output().unwrap();
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    };
    gcc(&["-g", "-fno-eliminate-unused-debug-types", "-c", "structures.c"], &[]);
    let packing = format!("-Wl,--compress-debug-sections={packing}");
    gcc(&["-g", "-O2", "-Wl,--build-id=none", &packing, "-o", "large", "main.c"], &["structures.o"; UNITS]);
    directory.join("large")
}

/// The lines of a breakpoint's places, which are listed if there are several.
fn lines(breakpoint: &Value) -> Vec<u64> {
    let places = breakpoint["places"].as_array().cloned().unwrap_or_else(|| vec![breakpoint.clone()]);
    places.iter().map(|place| place["line"].as_u64().unwrap()).collect()
}

#[test]
fn a_place_where_a_function_is_inlined_is_bound_before_the_program_runs_on() {
    ["zlib", "none"].into_iter().for_each(is_bound_in_time);
}

fn is_bound_in_time(packing: &str) {
    let trace = record(&program(packing), &[], scratch()).trace;
    let (mut wire, _) = Wire::replaying(&trace, &[]);
    let set = wire.call("rr_breakpoint_set", json!({"location": "twice"}))["structuredContent"].take();
    // The names may have been read by then.
    match set["note"].as_str() {
        Some(note) => {
            assert_eq!(note, "large: where it is inlined is still being looked for", "{set}");
            assert_eq!(lines(&set), [5], "{set}");
        }
        None => assert_eq!(lines(&set), [5, 5], "{set}"),
    }
    let mut hits = Vec::new();
    for _ in 0..2 {
        let hit = wire.call("rr_continue", json!({}))["structuredContent"].take();
        assert_eq!(hit["reason"], "breakpoint-hit", "{hit}");
        hits.push((hit["function"].as_str().unwrap().to_owned(), hit["line"].as_u64().unwrap()));
        let list = wire.call("rr_breakpoint_list", json!({}))["structuredContent"].take();
        let breakpoint = &list["result"][0];
        assert_eq!((lines(breakpoint), &breakpoint["note"]), (vec![5, 5], &Value::Null), "{list}");
    }
    assert_eq!(hits, [("twice".to_owned(), 5), ("twice".to_owned(), 5)]);
}
