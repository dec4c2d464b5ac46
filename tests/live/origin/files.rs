//! Values that come by files and named pipes: the call that wrote them last before is the one that the program itself names.

use crate::support::fixtures::{built_by, built_from, scratch};
use crate::support::mcp::Server;
use crate::support::recordings::record;
use serde_json::{Value, json};
use std::path::Path;

fn stopped(program: &Path, place: &str) -> Server {
    let server = Server::start();
    server.replay(&record(program, &[], scratch()).trace);
    server.run_to(place);
    server
}

fn hops(server: &Server, expression: &str) -> Vec<Value> {
    let origin = server.call("rr_origin", json!({"expression": expression, "max_hops": 5}));
    origin["rows"].as_array().unwrap_or_else(|| panic!("{origin}")).clone()
}

fn text(hop: &Value, field: &str) -> String {
    hop[field].as_str().unwrap_or_else(|| panic!("{hop}")).to_owned()
}

/// Processes that write numbers to a file, by a descriptor that they share and by their own: a number says which process
/// wrote it, with its how many-th call, of how many numbers, by which function, and which of them it is.
const KEPT: &str = "#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>
enum { WRITERS = 4, SLOTS = 24 };
long name(long writer, long call, long count, long how, long part) {
    return writer << 40 | call << 32 | count << 16 | how << 8 | part << 4 | 1;
}
long got[SLOTS], by_stdio[4], of_map[2], from_pipe[2], again[2], stored, torn; pid_t pids[WRITERS + 2];
char directory[] = \"/tmp/kept-XXXXXX\";
static int call;
void all_read(void) {}
static void put(int fd, int writer, int count, int how, off_t at) {
    long out[8];
    for (int i = 0; i < count; i++) out[i] = name(writer, call, count, how, i);
    call++;
    struct iovec parts[2] = {{out, 8}, {out + 1, (count - 1) * 8}};
    ssize_t done = how == 0 ? write(fd, out, count * 8) : how == 1 ? pwrite(fd, out, count * 8, at) : writev(fd, parts, 2);
    if (done != count * 8) _exit(1);
}
static void child(int number, int fd) {
    if (number == 0) { put(fd, 0, 4, 0, 0); put(fd, 0, 3, 2, 0); }
    if (number == 1) {
        put(dup(fd), 1, 2, 0, 0);
        int own = open(\"data.old\", O_WRONLY);
        lseek(own, 8 * 12, SEEK_SET);
        put(own, 1, 3, 0, 0);
        put(own, 1, 2, 1, 8 * 5);
    }
    if (number == 2) put(openat(AT_FDCWD, \"./data.old\", O_WRONLY | O_APPEND), 2, 3, 0, 0);
    if (number == 3) { FILE *f = fopen(\"data.old\", \"r+\"); fseek(f, 8 * 18, SEEK_SET); long one = name(3, 0, 1, 0, 0); fwrite(&one, 8, 1, f); fclose(f); }
    _exit(0);
}
int main(void) {
    if (!mkdtemp(directory) || chdir(directory)) return 1;
    int fd = open(\"data.old\", O_RDWR | O_CREAT | O_TRUNC, 0600);
    for (int i = 0; i < WRITERS; i++) {
        if ((pids[i] = fork()) == 0) child(i, fd);
        waitpid(pids[i], 0, 0);
    }
    if (rename(\"data.old\", \"data\")) return 2;
    close(fd);
    fd = open(\"data\", O_RDONLY);
    if (read(fd, got, 8 * 7) != 56 || pread(fd, got + 7, 8 * (SLOTS - 7), 56) < 8) return 3;
    FILE *f = fopen(\"data\", \"r\"); fseek(f, 8 * 4, SEEK_SET); if (fread(by_stdio, 8, 4, f) != 4) return 4;
    fclose(f);
    long *map = mmap(0, 4096, PROT_READ, MAP_PRIVATE, fd, 0);
    memcpy(of_map, map + 1, sizeof of_map);
    int both = open(\"data\", O_RDWR);
    long *shared = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, both, 0);
    shared[2] = 1234567;
    if (pread(fd, &stored, 8, 16) != 8) return 5;
    pwrite(both, &stored, 4, 8 * 15); pwrite(both, (char *)&stored + 4, 4, 8 * 15 + 4);
    if (pread(fd, &torn, 8, 8 * 15) != 8) return 6;
    /* Another file by the same path, of another process: this one keeps the first. */
    unlink(\"data\");
    if ((pids[WRITERS] = fork()) == 0) { put(open(\"data\", O_WRONLY | O_CREAT, 0600), WRITERS, 2, 0, 0); _exit(0); }
    waitpid(pids[WRITERS], 0, 0);
    int new = open(\"data\", O_RDONLY);
    if (read(new, again, 8) != 8 || pread(fd, again + 1, 8, 0) != 8) return 7;
    if (mkfifo(\"fifo\", 0600)) return 8;
    if ((pids[WRITERS + 1] = fork()) == 0) { put(open(\"fifo\", O_WRONLY), WRITERS + 1, 2, 0, 0); _exit(0); }
    int in = open(\"fifo\", O_RDONLY);
    if (read(in, from_pipe, 16) != 16) return 9;
    all_read();
    while (wait(0) > 0) {}
    unlink(\"data\"); unlink(\"fifo\"); if (chdir(\"/\")) return 10; rmdir(directory);
    return 0;
}
";

/// Checks that an expression leads to the call that its number names; `of`: what it was read from. Returns the hop.
fn leads(server: &Server, expression: &str, of: &str) -> Value {
    let number: i64 = server.evaluate(expression).parse().unwrap();
    let (writer, count, how, part) = (number >> 40, number >> 16 & 0xff, number >> 8 & 0xff, number >> 4 & 0xf);
    let pid = server.evaluate(&format!("pids[{writer}]"));
    let hops = hops(server, expression);
    let at = hops.iter().position(|hop| hop["kind"] == "sent").unwrap_or_else(|| panic!("{expression}: {hops:?}"));
    let function = ["write", "pwrite", "writev"][usize::try_from(how).unwrap()];
    let expected = format!(
        "{of}: out[{part}] of process {pid}, bytes {} on of {} that {function} wrote to its descriptor ",
        8 * part,
        8 * count
    );
    assert!(text(&hops[at], "from").contains(&expected), "{expression}: {hops:?}\n{expected}");
    let made = &hops[at + 1];
    assert_eq!((text(made, "kind"), text(made, "function")), ("return".into(), "put".into()), "{expression}: {made}");
    assert_eq!(text(made, "value"), number.to_string(), "{expression}: {made}");
    hops[at].clone()
}

#[test]
fn what_is_read_of_a_file_leads_to_the_call_that_wrote_it() {
    let program = built_from("kept-in-a-file", KEPT, &["-g", "-O0"]);
    let server = stopped(&program, "all_read");
    let directory = server.evaluate("directory").trim_matches('"').to_owned();
    let file = |slot: i64| format!("the file {directory}/data at byte {}", 8 * slot);
    for slot in [3, 5, 7, 13, 16] {
        leads(&server, &format!("got[{slot}]"), &file(slot));
    }
    leads(&server, "by_stdio[0]", &file(4));
    leads(&server, "of_map[0]", &file(1));
    // The same path was another file before.
    leads(&server, "again[0]", &file(0));
    leads(&server, "again[1]", &file(0));
    leads(&server, "from_pipe[1]", &format!("the pipe {directory}/fifo"));
    // What the C library has buffered was copied to its buffer before.
    let buffered = hops(&server, "got[18]");
    assert!(text(&buffered[0], "from").contains(&file(18)), "{buffered:?}");
    let by = format!("of process {}, bytes 0 on of 8 that write wrote to its descriptor ", server.evaluate("pids[3]"));
    assert!(text(&buffered[0], "from").contains(&by), "{buffered:?}");
    assert!(buffered.iter().any(|hop| hop["function"] == "child"), "{buffered:?}");
    // Nobody wrote there.
    let hole = hops(&server, "got[10]");
    assert_eq!((hole.len(), text(&hole[0], "kind")), (1, "input".to_owned()), "{hole:?}");
    assert!(hole[0]["remarks"].as_array().is_none_or(Vec::is_empty), "{hole:?}");
    // By a mapping.
    let stored = hops(&server, "stored");
    assert_eq!(
        (text(&stored[0], "kind"), text(&stored[1], "kind")),
        ("shared".into(), "constant".into()),
        "{stored:?}"
    );
    assert!(text(&stored[0], "from").contains(&file(2)), "{stored:?}");
    assert_eq!((text(&stored[1], "function"), text(&stored[1], "value")), ("main".into(), "1234567".into()));
    let torn = hops(&server, "torn");
    assert_eq!((torn.len(), text(&torn[0], "kind")), (1, "input".to_owned()), "{torn:?}");
    let remark = torn[0]["remarks"][0].as_str().unwrap();
    assert!(remark.ends_with("is not certain: it was written by more than one call"), "{remark}");
    server.call("rr_select_frame", json!({"frame_level": 1}));
    leads(&server, "map[1]", &file(1));
    leads(&server, "shared[1]", &file(1));
}

/// A child of the same program that keeps its answers in a file.
const LOGGED: &str = "use std::fs::{File, OpenOptions};
use std::io::{BufWriter, Read, Seek, SeekFrom, Write};
use std::process::Command;
#[inline(never)]
fn weigh(length: u64) -> u64 { length * 3 + 41 }
fn child(path: &str, first: u64) {
    let mut log = BufWriter::new(OpenOptions::new().append(true).create(true).open(path).unwrap());
    for length in first..first + 4 { log.write_all(&weigh(length).to_le_bytes()).unwrap(); }
    log.flush().unwrap();
}
#[inline(never)]
fn shown(weight: u64, last: u64) { println!(\"{weight} {last}\"); }
fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    if arguments.len() > 1 { return child(&arguments[1], arguments[2].parse().unwrap()); }
    let path = std::env::temp_dir().join(format!(\"weights-{}\", std::process::id()));
    std::fs::write(&path, []).unwrap();
    for first in [\"10\", \"20\"] {
        let program = std::env::current_exe().unwrap();
        assert!(Command::new(program).arg(&path).arg(first).status().unwrap().success());
    }
    let mut file = File::open(&path).unwrap();
    let (mut one, mut rest) = ([0u8; 8], Vec::new());
    file.seek(SeekFrom::Start(48)).unwrap();
    file.read_exact(&mut one).unwrap();
    file.read_to_end(&mut rest).unwrap();
    let mut two = [0u8; 8];
    two.copy_from_slice(&rest[..8]);
    shown(u64::from_le_bytes(one), u64::from_le_bytes(two));
    std::fs::remove_file(&path).unwrap();
}
";

#[test]
fn a_line_of_a_log_leads_to_the_process_that_appended_it() {
    let program = built_by("rustc", "rs", "logged-weights", LOGGED, &["-g"]);
    let server = stopped(&program, "logged_weights::shown");
    for (name, at, value) in [("weight", 48, "107"), ("last", 56, "110")] {
        let query = json!({"expression": name, "max_hops": 60});
        let origin = server.call("rr_origin", query);
        let hops = origin["rows"].as_array().unwrap();
        let sent: Vec<&Value> = hops.iter().filter(|hop| hop["kind"] == "sent").collect();
        let [sent] = sent.as_slice() else { panic!("one file: {origin}") };
        assert!(text(sent, "from").contains(&format!(" at byte {at}: ")), "{sent}");
        assert!(text(sent, "from").contains("on of 32 that write wrote to its descriptor "), "{sent}");
        let last = hops.last().unwrap();
        assert_eq!((text(last, "kind"), text(last, "value")), ("computed".into(), value.into()), "{origin}");
        assert_eq!(text(last, "function"), "logged_weights::weigh", "{origin}");
        assert_ne!(last["tid"], hops[0]["tid"], "{origin}");
    }
}
