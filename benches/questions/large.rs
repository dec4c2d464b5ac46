//! Programs of others: the compiler, and Python.

use crate::asked::{last_write, the_end};
use crate::support::fixtures::scratch;
use crate::support::recordings::{record, rr};
use crate::{Goal, Rounds, question, traces};
use base::cancel::Cancel;
use questions::{Calls, CallsQuery, Execution, Functions};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// How often Python writes to an element of an array, and in a run of some seconds.
const TIMES: [u64; 2] = [10_000_000, 30_000_000];
/// Functions of a source that keeps the compiler busy for some seconds.
const FUNCTIONS: u32 = 150;

/// What a program prints.
fn printed(program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program).args(arguments).output().unwrap_or_else(|error| panic!("{program}: {error}"));
    assert!(output.status.success(), "{program}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text").trim().to_owned()
}

/// Questions about the compiler proper with a short source.
pub fn compiler(rounds: &Rounds) {
    compile(rounds, &Path::new(env!("CARGO_MANIFEST_DIR")).join("dwarf-fixtures/src/optimised.c"));
}

/// The same about runs of some seconds.
pub fn long(rounds: &Rounds) {
    let source = scratch().join("questions-long.c");
    std::fs::write(&source, functions_in_c()).expect("a source");
    compile(rounds, &source);
    interpret(rounds, TIMES[1]);
}

/// A source of many functions, none of which is short.
fn functions_in_c() -> String {
    let function = |number: u32| {
        let before = number.saturating_sub(1);
        format!(
            "int work_{number}(int *table, int count, const struct part *parts) {{\n\
             \tint sum = {number}, last = 0;\n\
             \tfor (int i = 0; i < count; i++) switch ((table[i] + {number}) % 7) {{\n\
             \tcase 0: sum += parts[i].a * {}; break;\n\
             \tcase 1: sum ^= parts[i].b << {}; break;\n\
             \tcase 2: table[i] = sum - last; break;\n\
             \tcase 3: for (int j = i; j > 0 && table[j - 1] > table[j]; j--) {{\n\
             \t\tint t = table[j]; table[j] = table[j - 1]; table[j - 1] = t; }} break;\n\
             \tcase 4: last = parts[i].c ? sum / parts[i].c : {number}; break;\n\
             \tdefault: sum += work_{before}(table + i, count - i - 1, parts);\n\
             \t}}\n\treturn sum + last;\n}}\n",
            number % 13 + 1,
            number % 5
        )
    };
    let all: String = (0..FUNCTIONS).map(function).collect();
    format!("struct part {{ int a, b, c; }};\n{all}")
}

/// All calls of `malloc` in the compiler proper, as many as the count pass counts.
fn compile(rounds: &Rounds, source: &Path) {
    let compiler = PathBuf::from(printed("gcc", &["-print-prog-name=cc1"]));
    let output = scratch().join("questions.s");
    // Its driver tells it where the headers of this architecture are.
    let headers = printed("gcc", &["-print-multiarch"]);
    let (source, output) = (source.to_str().expect("text"), output.to_str().expect("text"));
    let mut arguments = vec!["-quiet", "-O2", "-g", source, "-o", output];
    if !headers.is_empty() {
        arguments.extend(["-imultiarch", &headers]);
    }
    let begun = Instant::now();
    assert!(Command::new(&compiler).args(&arguments).status().expect("cc1 runs").success());
    let native = begun.elapsed();
    let recording = record(&compiler, &arguments, &traces());
    assert_eq!(recording.exit_code, 0, "{}", recording.stderr);
    let trace = recording.trace;
    let counted = functions(&trace);
    let calls = || {
        let query = CallsQuery { function: "malloc".to_owned(), ..CallsQuery::default() };
        let calls = Calls::ask(rr(), &trace, &query, &Cancel::new()).expect("an answer");
        let named = |name: &str| calls.functions.iter().any(|function| function.name == name);
        let all: u64 = calls.functions.iter().map(|function| function.count).sum();
        let expected: u64 = counted.rows.iter().filter(|row| named(&row.name)).map(|row| row.calls).sum();
        assert!(all == expected && all > 1000, "{all} of {expected}");
        assert_eq!(calls.page(all - 1, 1, &Cancel::new()).expect("rows").len(), 1);
    };
    let name = format!("cc1, {:.1} s without rr", native.as_secs_f64());
    rounds.of(&name, &trace, vec![question("calls of malloc", Goal::Replays(4.0), calls)]);
}

fn functions(trace: &Path) -> Functions {
    let execution = Execution::ask(rr(), trace, &Cancel::new()).expect("an answer");
    execution.functions(None, &Cancel::new()).expect("functions")
}

/// Questions about a short run of Python.
pub fn python(rounds: &Rounds) {
    interpret(rounds, TIMES[0]);
}

/// An element of an array in a block of Python's heap that is written so often, and all that Python executes.
fn interpret(rounds: &Rounds, times: u64) {
    // What is on the path may be a script.
    let python = PathBuf::from(printed("python3", &["-c", "import sys; print(sys.executable)"]));
    let place = scratch().join("questions.address");
    let script = format!(
        "from array import array\na = array('Q', [0] * 512)\nfor i in range({times}): a[8] = i\n\
         print(a.buffer_info()[0] + 64, file=open('{}', 'w'))",
        place.display()
    );
    let arguments = ["-S", "-c", &script];
    let begun = Instant::now();
    assert!(Command::new(&python).args(arguments).status().expect("python runs").success());
    let native = begun.elapsed();
    let recording = record(&python, &arguments, &traces());
    assert_eq!(recording.exit_code, 0, "{}", recording.stderr);
    let trace = recording.trace;
    let address = std::fs::read_to_string(&place).expect("an address").trim().parse().expect("a number");
    let (pid, end) = the_end(&trace);
    let left = (times - 1).to_le_bytes();
    let profile = || {
        let found = functions(&trace);
        let most = found.rows.iter().map(|row| row.ticks).max().expect("functions");
        assert!(found.ticks > times && most > 0 && found.rows.len() > 500, "{} of {}", found.rows.len(), found.ticks);
    };
    let questions = vec![
        question("last write of an element of an array", Goal::Replays(2.0), || {
            last_write(&trace, (address, 8), pid, &end, times, &left);
        }),
        question("coverage and profile: all functions", Goal::Replays(4.0), profile),
    ];
    rounds.of(&format!("python, {:.1} s without rr", native.as_secs_f64()), &trace, questions);
}
