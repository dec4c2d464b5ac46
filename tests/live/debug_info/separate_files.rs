//! Debug info that is not in the program's own file: found, missing, or fetched.

use crate::support::fixtures::{line, program, scratch};
use crate::support::mcp::Server;
use crate::support::recordings::{Recording, record};
use serde_json::{Value, json};
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

fn run(directory: &Path, program: &str, arguments: &[&str]) {
    let output = Command::new(program).args(arguments).current_dir(directory).output().unwrap();
    assert!(output.status.success(), "{program} {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
}

/// A directory of a test's own, by its whole path.
fn directory(name: &str) -> PathBuf {
    let directory = scratch().join(name);
    fs::create_dir_all(&directory).unwrap();
    directory.canonicalize().unwrap()
}

/// A program without debug info in a directory, with its debug info in `program.debug` beside it.
fn stripped(directory: &Path) {
    fs::copy(program("stepping-id"), directory.join("program")).unwrap();
    run(directory, "objcopy", &["--only-keep-debug", "program", "program.debug"]);
    run(directory, "strip", &["program"]);
}

/// The program, as `rr_modules` lists it.
fn module(server: &Server) -> Value {
    let modules = server.call("rr_modules", json!({}));
    let modules = modules["result"].as_array().unwrap();
    modules.iter().find(|m| m["role"] == "program").unwrap_or_else(|| panic!("{modules:?}")).clone()
}

fn assert_debugs(server: &Server) {
    let stop = server.run_to("twice");
    assert_eq!(stop["line"].as_u64(), Some(line("stepping.c", "twice-body")), "{stop}");
    assert_eq!(server.evaluate("n * 2"), "42");
}

#[test]
fn a_debug_file_beside_a_program_that_was_run_by_a_relative_path() {
    let directory = directory("linked");
    stripped(&directory);
    run(&directory, "objcopy", &["--add-gnu-debuglink=program.debug", "program"]);
    let Recording { trace, .. } = record(Path::new("./program"), &[], &directory);
    let server = Server::start();
    server.replay(&trace);
    let module = module(&server);
    assert_eq!(module["debug_info"], "separate", "{module}");
    assert_eq!(module["debug_file"], directory.join("program.debug").to_str().unwrap());
    assert_eq!(module["symbols"], ".symtab");
    assert!(module["file"].as_str().unwrap().starts_with(trace.to_str().unwrap()), "{module}");
    assert_eq!(module["build_id"].as_str().unwrap().len(), 40);
    assert_debugs(&server);
}

#[test]
fn a_debug_file_in_a_directory_of_the_users() {
    let directory = directory("by-id");
    stripped(&directory);
    let Recording { trace, .. } = record(&directory.join("program"), &[], &directory);
    let server = Server::start_with(&[("RETROGRADE_DEBUG_DIRS", "/usr/lib/debug")]);
    server.replay(&trace);
    let without = module(&server);
    let id = without["build_id"].as_str().unwrap();
    assert_eq!(without["debug_info"], "none");
    let place = format!("not at /usr/lib/debug/.build-id/{}/{}.debug", &id[..2], &id[2..]);
    assert!(without["why"].as_str().unwrap().starts_with(&place), "{without}");

    let by_id = directory.join("debug/.build-id").join(&id[..2]);
    fs::create_dir_all(&by_id).unwrap();
    fs::rename(directory.join("program.debug"), by_id.join(format!("{}.debug", &id[2..]))).unwrap();
    let server = Server::start_with(&[("RETROGRADE_DEBUG_DIRS", directory.join("debug").to_str().unwrap())]);
    server.replay(&trace);
    assert_eq!(module(&server)["debug_info"], "separate");
    assert_debugs(&server);
}

#[test]
fn a_missing_split_unit_is_told_once() {
    let directory = directory("split");
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/dwarf-fixtures/src/stepping.c");
    run(&directory, "gcc", &["-g", "-gsplit-dwarf", "-O0", "-c", "-o", "stepping.o", source]);
    run(&directory, "gcc", &["-static", "-o", "program", "stepping.o"]);
    let Recording { trace, .. } = record(&directory.join("program"), &[], &directory);
    let server = Server::start();
    server.replay(&trace);
    assert_debugs(&server);
    let complete = module(&server);
    assert_eq!((&complete["debug_info"], &complete["missing"]), (&json!("own"), &Value::Null), "{complete}");

    fs::rename(directory.join("stepping.dwo"), directory.join("away.dwo")).unwrap();
    let server = Server::start();
    server.replay(&trace);
    let stop = server.run_to("twice");
    assert_eq!(stop["function"], "twice");
    let text = format!(
        "program: the debug info of a unit is in stepping.dwo, which was not found: no stepping.dwo in {}, ",
        directory.display()
    );
    // Setting the breakpoint looked into the unit, and said so.
    assert_eq!(stop.get("notes"), None, "{stop}");
    let missing = module(&server)["missing"].as_str().unwrap().to_owned();
    assert!(format!("program: {missing}").starts_with(&text), "{missing}");

    let server = Server::start();
    server.replay(&trace);
    let set = server.call("rr_breakpoint_set", json!({"location": "twice"}));
    assert!(set["notes"][0].as_str().unwrap().starts_with(&text), "{set}");
    let said = server.call("rr_continue", json!({}));
    assert_eq!((&said["reason"], said.get("notes")), (&json!("breakpoint-hit"), None), "{said}");
}

/// A server of debug info that has this one file for whatever it is asked.
fn serve(file: PathBuf) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        while let Ok((mut stream, _)) = listener.accept() {
            let mut lines = BufReader::new(stream.try_clone().unwrap()).lines();
            while lines.next().unwrap().is_ok_and(|line| !line.is_empty()) {}
            let body = fs::read(&file).unwrap();
            let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\nConnection: close\r\n\r\n", body.len());
            stream.write_all(head.as_bytes()).unwrap();
            stream.write_all(&body).unwrap();
        }
    });
    url
}

#[test]
fn debug_info_from_a_server_is_taken_up_when_it_has_arrived() {
    let directory = directory("fetched");
    stripped(&directory);
    let Recording { trace, .. } = record(&directory.join("program"), &[], &directory);
    fs::rename(directory.join("program.debug"), directory.join("served")).unwrap();
    let (url, cache) = (serve(directory.join("served")), directory.join("cache"));
    let environment = [("DEBUGINFOD_URLS", url.as_str()), ("DEBUGINFOD_CACHE_PATH", cache.to_str().unwrap())];

    let off = Server::start_with(&[&environment[..], &[("RETROGRADE_DEBUGINFOD", "off")]].concat());
    off.replay(&trace);
    assert_eq!(module(&off)["debug_info"], "none");

    let server = Server::start_with(&environment);
    server.replay(&trace);
    let since = Instant::now();
    let module = loop {
        let module = module(&server);
        if module["debug_info"] != "fetching" {
            break module;
        }
        assert!(since.elapsed() < Duration::from_secs(180), "{module}");
    };
    assert_eq!(module["debug_info"], "separate", "{module}");
    let fetched = cache.join(module["build_id"].as_str().unwrap()).join("debuginfo");
    assert_eq!(module["debug_file"], fetched.to_str().unwrap());
    assert_debugs(&server);
}
