//! Whose memory something is, against what the program itself tells of its allocations.

use crate::names::whose::replay_of;
use crate::support::fixtures::{built_by, built_from, scratch};
use crate::support::mcp::Server;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::path::Path;

/// Random allocations by all of the C library's functions, a line of text for each. Half of the slots keep a pointer that
/// is freed. Each function of this file has its name from what it does.
const RANDOM: &str = r#"
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#define SLOTS 24
struct slot { char *at; unsigned long size; int live; } slots[SLOTS];
static unsigned state = SEED;
static unsigned next(unsigned below) { state = state * 1103515245u + 12345u; return (state >> 16) % below; }
static void set(int i, char *at, unsigned long size) { slots[i].at = at; slots[i].size = size; slots[i].live = 1; }
__attribute__((noinline)) void by_malloc(int i, unsigned long n) { set(i, malloc(n), n); }
__attribute__((noinline)) void by_calloc(int i, unsigned long n) { set(i, calloc(3, n), 3 * n); }
__attribute__((noinline)) void by_aligned(int i, unsigned long n) { n = (n + 63) & ~63ul; set(i, aligned_alloc(64, n), n); }
__attribute__((noinline)) void by_realloc(int i, unsigned long n) { set(i, realloc(slots[i].live ? slots[i].at : 0, n), n); }
__attribute__((noinline)) void by_free(int i) { free(slots[i].at); slots[i].live = 0; }
int main(int count, char **arguments) {
    FILE *log = fopen(arguments[count - 1], "w");
    for (int turn = 0; turn < 400; turn++) {
        int i = next(SLOTS);
        unsigned long n = 1 + next(next(8) ? 120 : 5000);
        const char *how = "-";
        if (slots[i].live && next(3)) { by_free(i); how = "by_free"; }
        else if (slots[i].live) { by_realloc(i, n); how = "by_realloc"; }
        else switch (next(4)) {
            case 0: by_malloc(i, n); how = "by_malloc"; break;
            case 1: by_calloc(i, n); how = "by_calloc"; break;
            case 2: by_aligned(i, n); how = "by_aligned"; break;
            default: by_realloc(i, n); how = "by_realloc";
        }
        fprintf(log, "%s %d %p %lu\n", how, i, (void *)slots[i].at, slots[i].size);
    }
    fclose(log);
    abort();
}
"#;

/// At the failure of a program that is recorded.
fn at_failure(server: &Server, command: &[&Path], name: &str) -> Value {
    let trace = scratch().join(name);
    server.call("rr_record", json!({"command": command, "trace_dir": trace}));
    server.call("rr_explain", json!({"trace_dir": trace}))
}

/// Who called, without the file and line.
fn callers(call: &Value) -> Vec<&str> {
    let callers = call["callers"].as_array().map(Vec::as_slice).unwrap_or_default();
    callers.iter().filter_map(|caller| caller.as_str()?.split(' ').next()).collect()
}

/// A block as the program's log tells of it.
#[derive(Debug, PartialEq)]
struct Block {
    base: u64,
    size: u64,
    made_by: String,
    freed_by: Option<String>,
}

fn shown(block: &Value) -> Block {
    let base = block["base"].as_str().unwrap().trim_start_matches("0x");
    let by = |call: &Value| callers(call).first().map(|by| (*by).to_owned());
    Block {
        base: u64::from_str_radix(base, 16).unwrap(),
        size: block["size"].as_u64().unwrap(),
        made_by: by(&block["allocated"]).unwrap(),
        freed_by: by(&block["freed"]),
    }
}

/// Reads the log of [`RANDOM`]: for each slot the last block that it pointed to, and how many blocks each address was
/// the start of.
fn read_log(text: &str) -> (HashMap<usize, Block>, HashMap<u64, usize>) {
    let (mut slots, mut starts): (HashMap<usize, Block>, HashMap<u64, usize>) = (HashMap::new(), HashMap::new());
    for line in text.lines() {
        let parts: Vec<&str> = line.split(' ').collect();
        let [how, slot, base, size] = parts[..] else { panic!("{line}") };
        let (slot, size) = (slot.parse().unwrap(), size.parse().unwrap());
        let base = u64::from_str_radix(base.trim_start_matches("0x"), 16).unwrap();
        if how == "by_free" {
            slots.get_mut(&slot).unwrap().freed_by = Some(how.to_owned());
            continue;
        }
        *starts.entry(base).or_default() += 1;
        slots.insert(slot, Block { base, size, made_by: how.to_owned(), freed_by: None });
    }
    (slots, starts)
}

#[test]
fn each_pointer_means_the_block_that_the_program_gave_it() {
    let server = Server::start();
    let (mut live, mut freed, mut again) = (0, 0, 0);
    for (seed, options) in [("7", ["-g", "-O0"]), ("21", ["-g", "-O2"])] {
        let text = RANDOM.replace("SEED", seed);
        let program = built_from(&format!("allocations{seed}"), &text, &options);
        let log = scratch().join(format!("allocations{seed}.log"));
        at_failure(&server, &[program.as_path(), &log], &format!("allocations{seed}.trace"));
        let (slots, starts) = read_log(&std::fs::read_to_string(log).unwrap());
        assert!(slots.len() > 16, "{slots:?}");
        for (slot, expected) in slots {
            let answer = server.call("rr_heap", json!({"expression": format!("slots[{slot}].at")}));
            assert_eq!(shown(&answer["block"]), expected, "slot {slot} of seed {seed}: {answer}");
            let state = if expected.freed_by.is_some() { "freed" } else { "allocated" };
            assert_eq!((&answer["state"], &answer["offset"]), (&json!(state), &json!(0)), "{answer}");
            let others = answer["others"].as_u64().unwrap_or(0) as usize;
            assert!(others + 1 >= starts[&expected.base], "slot {slot}: {answer} {starts:?}");
            live += usize::from(expected.freed_by.is_none());
            freed += usize::from(expected.freed_by.is_some());
            again += usize::from(!answer["there_now"].is_null());
        }
    }
    assert!(live > 4 && freed > 10 && again > 2, "{live} {freed} {again}");
}

#[test]
fn a_block_that_is_freed_twice_is_shown_with_all_three_calls() {
    const TEXT: &str = r#"
#include <stdlib.h>
struct box { char *name; };
static void clear(struct box *b) { free(b->name); }
static void destroy(struct box *b) { clear(b); free(b); }
static struct box *make(void) { struct box *b = malloc(sizeof *b); b->name = calloc(4, 10); return b; }
int main(void) {
    struct box *b = make();
    clear(b);
    destroy(b);
    return 0;
}
"#;
    let server = Server::start();
    let program = built_from("freed_twice", TEXT, &["-g", "-O0"]);
    let story = at_failure(&server, &[&program], "freed_twice.trace");
    assert_eq!(story["kind"], "abort", "{story}");
    let block = &story["blocks"][0];
    assert_eq!((&block["state"], &block["block"]["size"]), (&json!("freed"), &json!(40)), "{story}");
    let calls = [&block["block"]["allocated"], &block["block"]["freed"], &block["freed_again"]];
    let functions: Vec<&str> = calls.iter().map(|call| call["function"].as_str().unwrap()).collect();
    assert_eq!(functions, ["calloc", "free", "free"]);
    assert_eq!(calls.map(callers), [vec!["make", "main"], vec!["clear", "main"], vec!["clear", "destroy", "main"]]);
    assert_eq!((&calls[1]["under_way"], &calls[2]["under_way"]), (&Value::Null, &json!(true)), "{story}");
    // Each is a place to go to: before the call, in its function.
    let moved = server.call("rr_goto", json!({"position": calls[1]["position"]}));
    let frames = server.call("rr_backtrace", json!({}));
    let functions: Vec<&str> =
        frames["result"].as_array().unwrap().iter().filter_map(|frame| frame["function"].as_str()).collect();
    assert_eq!(functions[functions.len() - 2..], ["clear", "main"], "{moved} {frames}");
}

#[test]
fn a_pointer_to_a_freed_block_is_part_of_the_story_of_a_crash() {
    const TEXT: &str = r#"
#include <stdlib.h>
#include <string.h>
struct node { int id; struct node *next; };
static struct node *list;
static struct node *make(int id) { struct node *n = malloc(sizeof *n); n->id = id; n->next = list; return n; }
static void drop(struct node *n) { free(n); }
int main(void) {
    for (int i = 0; i < 3; i++) list = make(i);
    struct node *keep = list->next;
    drop(keep);
    char *text = malloc(16);
    memset(text, 'A', 16);
    return keep->next->id;
}
"#;
    let server = Server::start();
    let program = built_from("freed_node", TEXT, &["-g", "-O0"]);
    let story = at_failure(&server, &[&program], "freed_node.trace");
    assert_eq!(story["kind"], "fault", "{story}");
    let block = &story["blocks"][0];
    assert_eq!((&block["expression"], &block["state"]), (&json!("keep"), &json!("freed")), "{story}");
    assert_eq!(callers(&block["block"]["allocated"]), ["make", "main"], "{story}");
    assert_eq!(callers(&block["block"]["freed"]), ["drop", "main"], "{story}");
    assert_eq!(callers(&block["there_now"]["allocated"]), ["main"], "{story}");
    assert_eq!(story["blocks"].as_array().unwrap().len(), 1, "`text` is allocated: {story}");
    // What is behind a block, and what is no block.
    let behind = server.call("rr_heap", json!({"expression": "text + 20"}));
    assert_eq!((&behind["state"], &behind["offset"]), (&json!("behind"), &json!(20)), "{behind}");
    let local = server.call("rr_heap", json!({"expression": "&keep"}));
    assert_eq!((&local["state"], &local["block"]), (&json!("none"), &Value::Null), "{local}");
    let refused = server.fail("rr_heap", json!({"expression": "*list"}));
    assert!(refused.contains("is not an address"), "{refused}");
}

#[test]
fn what_a_process_allocated_before_a_fork_is_its_childs_too() {
    const TEXT: &str = r#"
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
static char *shared;
static void of_parent(void) { shared = malloc(24); }
static void of_child(void) { free(shared); abort(); }
int main(void) {
    of_parent();
    if (fork() == 0) of_child();
    wait(0);
    shared[0] = 1;
    return 0;
}
"#;
    let server = Server::start();
    let program = built_from("freed_by_child", TEXT, &["-g", "-O0"]);
    at_failure(&server, &[&program], "freed_by_child.trace");
    let child = server.call("rr_heap", json!({"expression": "shared"}));
    assert_eq!(shown(&child["block"]).size, 24, "{child}");
    assert_eq!(callers(&child["block"]["allocated"]), ["of_parent", "main"], "{child}");
    assert_eq!(callers(&child["block"]["freed"]), ["of_child", "main"], "{child}");
    let processes = server.call("rr_ps", json!({"trace_dir": scratch().join("freed_by_child.trace")}));
    let parent = &processes["result"][0]["pid"];
    let trace = scratch().join("freed_by_child.trace");
    server.call("rr_replay_start", json!({"trace_dir": trace, "pid": parent}));
    server.call("rr_continue", json!({}));
    let parent = server.call("rr_heap", json!({"expression": "shared"}));
    assert_eq!(parent["state"], "allocated", "{parent}");
}

const DANGLING: &str = "
#include <stdlib.h>
void *p, *q;
volatile int n;
__attribute__((noinline)) void first(void) { p = malloc(24); }
__attribute__((noinline)) void release(void) { free(p); n = 1; }
__attribute__((noinline)) void second(void) { q = malloc(20); n = 2; }
__attribute__((noinline)) void done(void) { n++; }
int main(void) { first(); release(); second(); done(); return p != q; }
";

/// Between the store and the call of `free` there is no conditional branch: both are in one tick.
#[test]
fn a_pointer_that_was_stored_in_the_tick_of_its_free_means_the_freed_block() {
    let server = replay_of(&built_by("gcc", "c", "dangling", DANGLING, &["-g", "-O1", "-w", "-Wl,-z,now"]));
    server.run_to("done");
    let block = |expression: &str| {
        let answer = server.call("rr_heap", json!({"expression": expression}));
        let block = shown(&answer["block"]);
        (block.size, block.made_by, block.freed_by)
    };
    let text = server.text("rr_heap", json!({"expression": "p"}));
    assert_eq!(block("p"), (24, "first".to_owned(), Some("release".to_owned())), "{text}");
    assert_eq!(block("q"), (20, "second".to_owned(), None));
}

const OVERRUN: &str = r#"
#include <stdlib.h>
#include <string.h>
static void fill(char *text, int count) {
    for (int i = 0; i <= count; i++) text[i] = 'x'; /* @loop */
}
static long *numbers(int count) {
    long *all = malloc(count * sizeof *all);
    for (int i = 0; i <= count; i++) all[i] = 1000 * i; /* @numbers */
    return all;
}
int main(int argc, char **argv) {
    char *a = malloc(40), *b = malloc(40);
    switch (argc) {
        case 1: fill(a, 40); fill(b, 8); free(b); break;
        case 2: memset(a, 7, 48); free(b); break; /* @memset */
        case 3: { long *last = numbers(3); free(malloc(5000)); return last[0] == 1; }
        default: free(a); free(b); free(a);
    }
    return 0;
}
"#;

/// The C library notices a damaged heap when it frees or allocates, long after the write.
#[test]
fn who_wrote_past_the_end_of_a_block_is_part_of_the_story() {
    let server = Server::start();
    let program = built_from("overrun", OVERRUN, &["-g", "-O0"]);
    let line_of = |mark: &str| OVERRUN.lines().position(|line| line.contains(mark)).unwrap() as u64 + 1;
    let x = Path::new("x");
    for (arguments, mark, size, by) in
        [(&[][..], "@loop", 40, "main"), (&[x], "@memset", 40, "main"), (&[x, x], "@numbers", 24, "numbers")]
    {
        let command: Vec<&Path> = [program.as_path()].into_iter().chain(arguments.iter().copied()).collect();
        let story = at_failure(&server, &command, &format!("overrun{}.trace", arguments.len()));
        let hop = &story["origin"]["rows"][0];
        assert_eq!((&story["kind"], hop["line"].as_u64()), (&json!("abort"), Some(line_of(mark))), "{story}");
        let block = &story["blocks"][0]["block"];
        assert_eq!((block["size"].as_u64(), callers(&block["allocated"])[0]), (Some(size), by), "{story}");
    }
    // What is freed twice is damaged by nobody.
    let story = at_failure(&server, &[&program, x, x, x], "freed_again.trace");
    assert_eq!((&story["kind"], &story["origin"]), (&json!("abort"), &Value::Null), "{story}");
}
