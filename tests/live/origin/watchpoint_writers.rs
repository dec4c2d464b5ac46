//! Which code a watchpoint says has written: none, where another process did, or the memory has two addresses.

use crate::names::whose::replay_of;
use crate::support::fixtures::built_by;
use serde_json::json;

const CHILD: &str = "#include <unistd.h>
#include <sys/wait.h>
volatile long shared = 1;
__attribute__((noipa)) void check(void) { __asm__ volatile(\"\" : : : \"memory\"); }
__attribute__((noipa)) void writer(long v) { shared = v; }
int main(void) { check(); if (vfork() == 0) { writer(7); _exit(0); } wait(0); check(); writer(8); check(); return shared == 0; }
";

#[test]
fn a_write_of_another_process_is_not_blamed_on_this_one() {
    let server = replay_of(&built_by("gcc", "c", "blamed", CHILD, &["-g", "-O0"]));
    server.call("rr_breakpoint_set", json!({"location": "check"}));
    for _ in 0..3 {
        server.call("rr_continue", json!({}));
    }
    server.call("rr_watchpoint_set", json!({"expression": "shared"}));
    let own = server.call("rr_continue", json!({"reverse": true}));
    assert_eq!((own["old_value"].as_str(), own["new_value"].as_str()), (Some("7"), Some("8")), "{own}");
    assert_eq!(own["written_by"]["function"], "writer", "{own}");
    let mut stop = server.call("rr_continue", json!({"reverse": true}));
    while stop["reason"] == "breakpoint-hit" && server.evaluate("shared") == "7" {
        stop = server.call("rr_continue", json!({"reverse": true}));
    }
    assert_eq!((stop["old_value"].as_str(), stop["new_value"].as_str()), (Some("1"), Some("7")), "{stop}");
    assert!(stop["written_by"].is_null(), "{stop}");
    assert!(stop["notes"].to_string().contains("another process that shares the memory"), "{stop}");
}

const ALIAS: &str = "#define _GNU_SOURCE
#include <sys/mman.h>
#include <unistd.h>
volatile long *p, *q;
__attribute__((noipa)) void check(void) { __asm__ volatile(\"\" : : : \"memory\"); }
__attribute__((noipa)) void alias(long v) { *q = v; }
int main(void) { int fd = memfd_create(\"m\", 0); if (ftruncate(fd, 4096)) return 2;
  p = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0); q = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  *p = 5; check(); alias(6); check(); return *p != 6; }
";

#[test]
fn a_store_under_another_address_is_believed() {
    let server = replay_of(&built_by("gcc", "c", "alias", ALIAS, &["-g", "-O1", "-w"]));
    server.call("rr_breakpoint_set", json!({"location": "check"}));
    for _ in 0..2 {
        server.call("rr_continue", json!({}));
    }
    server.call("rr_watchpoint_set", json!({"expression": "*p"}));
    let stop = server.call("rr_continue", json!({"reverse": true}));
    assert_eq!((stop["old_value"].as_str(), stop["new_value"].as_str()), (Some("5"), Some("6")), "{stop}");
    assert!(!stop.to_string().contains("internal check failed"), "{stop}");
}
