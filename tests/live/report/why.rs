//! Why lines were executed or not, against what the program itself has logged of its conditions.

use crate::support::fixtures::{built_by, built_from, scratch};
use crate::support::mcp::Server;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;

/// A condition of a generated program.
struct Condition {
    line: usize,
    variables: Vec<String>,
    /// It is one branch, whose executions are those of the condition.
    is_one_branch: bool,
}

/// A line that is asked about.
struct Mark {
    line: usize,
    /// The conditions around it, the outermost first.
    around: Vec<usize>,
}

/// A program of random nested conditions. Each condition logs its variables, each mark logs itself.
struct Generated {
    text: String,
    lines: usize,
    state: u32,
    conditions: Vec<Condition>,
    marks: Vec<Mark>,
}

const BEGIN: &str = r#"#include <stdio.h>
#include <stdlib.h>
static FILE *out;
static int v0, v1, v2, v3;
static unsigned state = SEED;
static int next(int below) { state = state * 1103515245u + 12345u; return (state >> 16) % below; }
static void mark(int id) { fprintf(out, "m %d\n", id); }
static void note(int id, int a, int b) { fprintf(out, "c %d %d %d\n", id, a, b); }
static void run(void) {
    int k = 0;
"#;
const END: &str = r#"}
int main(int count, char **arguments) {
    out = fopen(arguments[count - 1], "w");
    for (int turn = 0; turn < 12; turn++) {
        v0 = next(10); v1 = next(10); v2 = next(8); v3 = next(4);
        run();
    }
    fclose(out);
    return 0;
}
"#;

impl Generated {
    fn new(seed: u32) -> Self {
        let mut new = Self { text: String::new(), lines: 0, state: seed, conditions: Vec::new(), marks: Vec::new() };
        new.add(BEGIN.replace("SEED", &seed.to_string()).trim_end_matches('\n'));
        for _ in 0..5 {
            new.statement(&mut Vec::new());
        }
        new.add(END.trim_end_matches('\n'));
        new
    }

    fn random(&mut self, below: u32) -> u32 {
        self.state = self.state.wrapping_mul(1_103_515_245).wrapping_add(12345);
        (self.state >> 16) % below
    }

    /// Adds lines and returns the number of the first.
    fn add(&mut self, text: &str) -> usize {
        let first = self.lines + 1;
        self.text += text;
        self.text.push('\n');
        self.lines += text.matches('\n').count() + 1;
        first
    }

    fn mark(&mut self, around: &[usize]) {
        let line = self.add(&format!("mark({});", self.marks.len()));
        self.marks.push(Mark { line, around: around.to_vec() });
    }

    fn block(&mut self, around: &mut Vec<usize>, condition: usize) {
        around.push(condition);
        self.mark(around);
        if around.len() < 4 {
            for _ in 0..self.random(3) {
                self.statement(around);
            }
        }
        around.pop();
    }

    fn statement(&mut self, around: &mut Vec<usize>) {
        let id = self.conditions.len();
        let (a, b) = (self.random(3), self.random(4));
        let (c, d) = (self.random(11), self.random(5));
        let note = format!("note({id}, v{a}, v{b})");
        let kind = self.random(6);
        let head = match kind {
            0 => format!("if ({note}, v{a} > {c}) {{"),
            1 => format!("if ({note}, {c} <= v{a}) {{"),
            2 => format!("if ({note}, v{a} > {c} && v{b} < {d}) {{"),
            3 => format!("if ({note}, v{a} == {c} || !v{b}) {{"),
            4 => format!("for (k = 0; note({id}, k, v{b}), k < v{b}; k++) {{"),
            _ => format!("switch ({note}, v{a}) {{"),
        };
        let line = self.add(&head);
        let variables = match kind {
            4 => vec!["k".to_owned(), format!("v{b}")],
            5 => vec![format!("v{a}")],
            _ => vec![format!("v{a}"), format!("v{b}")],
        };
        self.conditions.push(Condition { line, variables, is_one_branch: matches!(kind, 0 | 1 | 4) });
        match kind {
            4 => {
                // What is inside must leave `k` alone.
                around.push(id);
                self.mark(around);
                around.pop();
            }
            5 => {
                for case in 0..6 {
                    self.add(&format!("case {case}:"));
                    around.push(id);
                    self.mark(around);
                    around.pop();
                    self.add("break;");
                }
            }
            _ => {
                self.block(around, id);
                if self.random(2) == 0 {
                    self.add("} else {");
                    self.block(around, id);
                }
            }
        }
        self.add("}");
    }
}

/// What a program has logged.
#[derive(Default)]
struct Log {
    /// Of each mark, when it was executed: lines of the log.
    marks: BTreeMap<usize, Vec<usize>>,
    /// Of each condition, when it was evaluated, with the values of both of its variables.
    conditions: BTreeMap<usize, Vec<(usize, [i64; 2])>>,
}

impl Log {
    fn read(path: &Path) -> Self {
        let mut log = Self::default();
        for (at, line) in std::fs::read_to_string(path).unwrap().lines().enumerate() {
            let (kind, rest) = line.split_once(' ').unwrap();
            let numbers: Vec<i64> = rest.split(' ').map(|number| number.parse().unwrap()).collect();
            let id = usize::try_from(numbers[0]).unwrap();
            match kind {
                "m" => log.marks.entry(id).or_default().push(at),
                _ => log.conditions.entry(id).or_default().push((at, [numbers[1], numbers[2]])),
            }
        }
        log
    }

    fn evaluated(&self, condition: usize) -> &[(usize, [i64; 2])] {
        self.conditions.get(&condition).map(Vec::as_slice).unwrap_or_default()
    }
}

fn line_of(decision: &Value) -> usize {
    let place = decision["place"].as_str().unwrap();
    place.rsplit_once(':').unwrap().1.split(' ').next().unwrap().parse().unwrap()
}

/// Compares the values of a condition's variables with those that were logged.
fn compare(decision: &Value, condition: &Condition, logged: [i64; 2], context: &str) {
    for (name, value) in condition.variables.iter().zip(logged) {
        assert_eq!(decision["values"][name], json!(value.to_string()), "{name}: {context}");
    }
}

#[test]
fn the_condition_that_decided_is_the_one_that_the_program_has_logged() {
    let server = Server::start();
    let (mut executed, mut never) = (0, 0);
    for (seed, compiler) in [(11, "gcc"), (12, "clang"), (13, "gcc")] {
        let generated = Generated::new(seed);
        let name = format!("nested{seed}");
        let program = built_by(compiler, "c", &name, &generated.text, &["-g", "-O0"]);
        let log = scratch().join(format!("{name}.log"));
        let trace = scratch().join(format!("{name}.trace"));
        server.call("rr_record", json!({"command": [program, log], "trace_dir": trace}));
        let log = Log::read(&log);
        for (number, mark) in generated.marks.iter().enumerate() {
            let location = format!("{name}.c:{}", mark.line);
            let answer = server.call("rr_why", json!({"location": location, "trace_dir": trace}));
            let times = log.marks.get(&number).map(Vec::as_slice).unwrap_or_default();
            let context = format!("{location} of\n{}\n{answer:#}", generated.text);
            assert_eq!(answer["executed"], json!(times.len()), "{context}");
            let decisions = answer["decisions"].as_array().unwrap();
            if let Some(last) = times.last() {
                let expected: Vec<usize> = mark.around.iter().rev().map(|id| generated.conditions[*id].line).collect();
                let lines: Vec<usize> = decisions.iter().map(line_of).collect();
                assert_eq!(lines, expected, "{context}");
                for (decision, id) in decisions.iter().zip(mark.around.iter().rev()) {
                    let before = log.evaluated(*id).iter().rfind(|(at, _)| at < last).unwrap();
                    compare(decision, &generated.conditions[*id], before.1, &context);
                }
                executed += 1;
                continue;
            }
            let id = *mark.around.iter().rev().find(|id| !log.evaluated(**id).is_empty()).unwrap();
            let (condition, all) = (&generated.conditions[id], log.evaluated(id));
            assert_eq!((decisions.len(), line_of(&decisions[0])), (1, condition.line), "{context}");
            if condition.is_one_branch {
                assert_eq!(decisions[0]["executed"], json!(all.len()), "{context}");
                compare(&decisions[0], condition, all.last().unwrap().1, &context);
            }
            assert_eq!(decisions[0]["toward"], json!(0), "{context}");
            never += 1;
        }
    }
    assert!(executed > 30 && never > 10, "{executed} {never}");
}

const CALLS: &str = r#"#include <stdio.h>
#include <stdlib.h>
struct job { int size; const char *name; };
static int limit = 16;
static void report(struct job *j) {
    puts(j->name);
}
static void refuse(struct job *j) {
    report(j);
}
static int check(struct job *j, int depth) {
    if (j->size > limit) {
        refuse(j);
    }
    if (depth > 0)
        return check(j, depth - 1);
    return j->size;
}
static void stop(int status) { exit(status); }
int main(void) {
    struct job jobs[] = {{5, "a"}, {12, "b"}, {16, "c"}};
    int sum = 0;
    for (int i = 0; i < 3; i++)
        sum += check(&jobs[i], i);
    if (sum == 33)
        stop(3);
    puts("end");
    return 0;
}
"#;

#[test]
fn a_function_that_was_never_called_leads_to_the_branch_in_its_caller() {
    let server = Server::start();
    for options in [["-g", "-O0"], ["-g", "-fno-plt"]] {
        let name = format!("callers{}", options[1].len());
        let program = built_from(&name, CALLS, &options);
        let trace = scratch().join(format!("{name}.trace"));
        server.call("rr_record", json!({"command": [program], "trace_dir": trace}));
        let ask = |location: &str| server.call("rr_why", json!({"location": location, "trace_dir": trace}));
        let file = scratch().join(format!("{name}.c")).display().to_string();
        let place = |line: usize, function: &str| json!(format!("{file}:{line} ({function})"));

        let answer = ask("report");
        assert_eq!((&answer["place"], &answer["executed"]), (&place(6, "report"), &json!(0)), "{answer}");
        let [branch, report, refuse] = answer["decisions"].as_array().unwrap().as_slice() else { panic!("{answer}") };
        assert_eq!((&branch["place"], &branch["executed"]), (&place(12, "check"), &json!(6)), "{answer}");
        assert_eq!(branch["text"], json!("if (j->size > limit) {"));
        assert_eq!(branch["values"], json!({"j->size": "16", "limit": "16"}), "{answer}");
        assert_eq!(branch["all_values"], json!(["j->size was 16 (3 times), 12 (2 times), 5"]), "{answer}");
        assert_eq!((&report["kind"], &report["callers"]), (&json!("never_called"), &json!([place(9, "refuse")])));
        assert_eq!((&refuse["function"], &refuse["callers"]), (&json!("refuse"), &json!([place(13, "check")])));

        // A call that has not returned.
        let answer = ask(&format!("{name}.c:27"));
        let decisions = answer["decisions"].as_array().unwrap();
        let kinds: Vec<&Value> = decisions.iter().map(|decision| &decision["kind"]).collect();
        assert_eq!(kinds, ["branch"], "{answer}");
        assert_eq!((&decisions[0]["place"], &decisions[0]["values"]), (&place(25, "main"), &json!({"sum": "33"})));

        // An execution, with who called, in a recursion.
        let answer = ask(&format!("{name}.c:17"));
        assert_eq!((&answer["executed"], &answer["caller"]), (&json!(3), &json!(format!("check at {file}:16"))));
        let decision = &answer["decisions"][0];
        assert_eq!((&decision["place"], &decision["values"]), (&place(15, "check"), &json!({"depth": "0"})));
        assert_eq!((&decision["executed"], &decision["toward"]), (&json!(6), &json!(3)), "{answer}");

        // Up to a moment: the first of three.
        let rows = server.call("rr_trace", json!({"locations": [format!("{name}.c:17")], "trace_dir": trace}));
        let first = &rows["rows"][0]["position"];
        let location = format!("{name}.c:17");
        let arguments = json!({"location": location, "at": first, "trace_dir": trace});
        let answer = server.call("rr_why", arguments);
        assert_eq!((&answer["position"], &answer["caller"]), (first, &json!(format!("main at {file}:24"))));

        // A line of no code, in front of a function.
        let refused = server.fail("rr_why", json!({"location": format!("{name}.c:3"), "trace_dir": trace}));
        assert!(refused.contains("has no code"), "{refused}");
    }
}
