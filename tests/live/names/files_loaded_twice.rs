//! Files that take each other's place while a program runs, and files that are loaded twice: whose calls, variables and
//! positions these are.

use crate::support::fixtures::{built_from, scratch};
use crate::support::mcp::Server;
use crate::support::recordings::record;
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};

const FIRST: &str = "static int state = 10;
int work(int x) { state += x; return state; }
";
const SECOND: &str = "#include <string.h>
static char pad[64] = \"pad\"; static double rate = 2.5; static int state = 2000;
static int helper(int x) { return x * 3 + (int)strlen(pad); }
int work(int x) { state += helper(x); rate *= 2; return state + (int)rate; }
";

/// Uses what is at a path, has another file take its place, and uses that.
const RELOADER: &str = "#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
static void use(const char *path) {
  void *h = dlopen(path, RTLD_NOW);
  int (*work)(int) = (int (*)(int))dlsym(h, \"work\");
  for (int i = 1; i <= 3; i++) work(i);
  dlclose(h);
}
int main(int argc, char **argv) {
  use(argv[1]);
  if (argc < 3 || rename(argv[2], argv[1])) return 3;
  use(argv[1]);
  return 0;
}
";

/// Uses two copies of one file in turn.
const TWICE: &str = "#define _GNU_SOURCE
#include <dlfcn.h>
int main(int argc, char **argv) {
  void *a = dlmopen(LM_ID_NEWLM, argv[1], RTLD_NOW), *b = dlmopen(LM_ID_NEWLM, argv[argc - 1], RTLD_NOW);
  if (!a || !b) return 2;
  int (*one)(int) = (int (*)(int))dlsym(a, \"work\"), (*two)(int) = (int (*)(int))dlsym(b, \"work\");
  for (int i = 1; i <= 3; i++) { one(i); two(10 * i); }
  return 0;
}
";

fn library(name: &str, text: &str) -> PathBuf {
    built_from(name, text, &["-g", "-O0", "-shared", "-fPIC"])
}

fn replay(program: &str, text: &str, libraries: &[&Path]) -> Server {
    let program = built_from(program, text, &["-g", "-O0"]);
    let arguments: Vec<&str> = libraries.iter().map(|path| path.to_str().unwrap()).collect();
    let server = Server::start();
    server.replay(&record(&program, &arguments, scratch()).trace);
    server
}

fn number(text: &Value) -> i64 {
    text.as_str().and_then(|text| text.parse().ok()).unwrap_or_else(|| panic!("{text} is no number"))
}

/// The argument, the state before, and the result of each call of `work`; and of the same places in a trace.
#[track_caller]
fn check(server: &Server, expected: &[[i64; 3]]) {
    let answer = server.call("rr_calls", json!({"functions": ["work"], "values": ["state"]}));
    let rows = answer["rows"].as_array().unwrap();
    let value = |row: &Value, name: &str| {
        let lists = ["arguments", "values"].map(|list| row[list].as_array().cloned().unwrap_or_default());
        let found = lists.concat().into_iter().find(|value| value["name"] == name);
        number(&found.unwrap_or_else(|| panic!("no {name} in {row}"))["value"])
    };
    let calls: Vec<[i64; 3]> =
        rows.iter().map(|row| [value(row, "x"), value(row, "state"), number(&row["result"])]).collect();
    assert_eq!(calls, expected, "{answer}");
    let traced = server.call("rr_trace", json!({"locations": ["work"], "values": ["x", "state"]}));
    let traced: Vec<[i64; 2]> =
        traced["rows"].as_array().unwrap().iter().map(|row| [value(row, "x"), value(row, "state")]).collect();
    assert_eq!(traced, expected.iter().map(|[x, state, _]| [*x, *state]).collect::<Vec<_>>());
    for (row, [x, ..]) in rows.iter().zip(expected) {
        server.call("rr_goto", json!({"position": row["position"]}));
        assert_eq!(server.evaluate("$edi"), x.to_string(), "{row}");
    }
}

#[test]
fn a_file_that_takes_the_place_of_another_one() {
    let [first, second] = [("reloaded_first.so", FIRST), ("reloaded_second.so", SECOND)].map(|(n, t)| library(n, t));
    let [path, next] = ["reloaded_plug.so", "reloaded_next.so"].map(|name| scratch().join(name));
    fs::copy(first, &path).unwrap();
    fs::copy(second, &next).unwrap();
    let server = replay("reloader", RELOADER, &[&path, &next]);
    check(&server, &[[1, 10, 11], [2, 11, 13], [3, 13, 16], [1, 2000, 2011], [2, 2006, 2025], [3, 2015, 2047]]);
    let helped = server.call("rr_calls", json!({"functions": ["helper"]}));
    assert_eq!(helped["rows"].as_array().unwrap().len(), 3, "{helped}");
}

#[test]
fn two_copies_of_a_file() {
    let library = library("loaded_twice.so", FIRST);
    let server = replay("loader", TWICE, &[&library]);
    check(&server, &[[1, 10, 11], [10, 10, 20], [2, 11, 13], [20, 20, 40], [3, 13, 16], [30, 40, 70]]);
}

#[test]
fn copies_of_a_file_under_two_paths() {
    let library = library("copied_first.so", FIRST);
    let copy = scratch().join("copied_second.so");
    fs::copy(&library, &copy).unwrap();
    let server = replay("copier", TWICE, &[&library, &copy]);
    check(&server, &[[1, 10, 11], [10, 10, 20], [2, 11, 13], [20, 20, 40], [3, 13, 16], [30, 40, 70]]);
}
