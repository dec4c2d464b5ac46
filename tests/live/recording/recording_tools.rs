//! Recording, listing, describing and removing.

use crate::server::stdio;
use crate::server::wire::Wire;
use crate::support::fixtures::{program, scratch};
use crate::support::mcp::Server;
use crate::support::processes::rr_of;
use crate::support::recordings::{fresh_recording, recording, rr};
use serde_json::{Value, json};

#[test]
fn record_reports_output_exit_code_and_the_right_trace() {
    let base = scratch().join("traces-of-record");
    let server = Server::start_with(&[("_RR_TRACE_DIR", base.to_str().unwrap())]);
    let recorded = server.call(
        "rr_record",
        json!({"command": [program("exit_code"), "two words"], "env": {"FIXTURE_WORD": "a 'quoted' word"}, "working_directory": scratch()}),
    );
    assert_eq!(recorded["exit_code"], 42, "{recorded}");
    assert_eq!(recorded["stdout"], "two words a 'quoted' word\n");
    assert!(recorded["stderr"].as_str().unwrap().contains("to stderr\n"), "{recorded}");
    assert!(recorded["counters"].is_string(), "{recorded}");
    let trace = recorded["trace_dir"].as_str().unwrap();
    assert!(trace.starts_with(base.to_str().unwrap()), "{trace}");
    let listed = server.call("rr_list_recordings", json!({}));
    assert_eq!(listed["result"], json!([trace]), "{listed}");
    server.call("rr_replay_start", json!({}));
    let stop = server.run_to("main");
    assert_eq!(stop["function"], "main");
    let said = server.fail("rr_rm", json!({"trace_dir": trace}));
    assert!(said.contains("session"), "{said}");
    server.call("rr_replay_stop", json!({}));
    assert_eq!(server.call("rr_rm", json!({"trace_dir": trace}))["result"], format!("Trace removed: {trace}"));
    assert_eq!(server.call("rr_list_recordings", json!({}))["result"], json!([]));
}

#[test]
fn a_crash_is_a_result_not_an_error() {
    let server = Server::start();
    let trace = scratch().join("crash-recorded-by-tool");
    let recorded = server.call("rr_record", json!({"command": [program("crash")], "trace_dir": trace}));
    assert_eq!(recorded["trace_dir"], trace.to_str().unwrap());
    assert_eq!(recorded["exit_code"], 139, "{recorded}");
    assert_eq!(recorded["signal"], "SIGSEGV", "{recorded}");
    let said = server.fail("rr_record", json!({"command": ["/no/such/program"]}));
    assert!(said.contains("/no/such/program"), "{said}");
    let said = server.fail("rr_record", json!({"command": []}));
    assert!(said.contains("command"), "{said}");
}

#[test]
fn traceinfo_is_the_header() {
    let server = Server::start();
    let info = server.call("rr_traceinfo", json!({"trace_dir": recording("stepping").trace}));
    assert!(info["result"].as_str().unwrap().contains("uuid"), "{info}");
}

#[test]
fn doctor_judges_this_machine() {
    let server = Server::start();
    let report = server.call("rr_doctor", json!({}));
    let checks = report["checks"].as_array().unwrap();
    assert!(checks.len() >= 6, "{report}");
    for check in checks {
        assert!(["ok", "warning", "blocker"].contains(&check["verdict"].as_str().unwrap()), "{check}");
        assert!(check["verdict"] == "ok" || check["remedy"].is_string(), "{check}");
    }
    assert!(!checks.iter().any(|c| c["verdict"] == "blocker"), "this machine can record: {report}");
}

#[test]
fn only_traces_are_removed() {
    let server = Server::start();
    let innocent = scratch().join("not-a-trace");
    std::fs::create_dir_all(&innocent).unwrap();
    std::fs::write(innocent.join("precious"), "data").unwrap();
    let said = server.fail("rr_rm", json!({"trace_dir": innocent}));
    assert!(said.contains("not"), "{said}");
    assert!(innocent.join("precious").exists());
    let mine = fresh_recording("exit_code", &[]);
    // It is neither where recordings are kept nor made by this server.
    let said = server.fail("rr_rm", json!({"trace_dir": mine.trace}));
    assert!(said.contains("with force"), "{said}");
    // Nor is a link followed, even by force.
    let link = scratch().join("link-to-a-trace");
    std::os::unix::fs::symlink(&mine.trace, &link).unwrap();
    let said = server.fail("rr_rm", json!({"trace_dir": link, "force": true}));
    assert!(said.ends_with(&format!("its real path is `{}`", mine.trace.display())), "{said}");
    // Nor what somebody else replays.
    let other = Server::start();
    other.replay(&mine.trace);
    let said = server.fail("rr_rm", json!({"trace_dir": mine.trace, "force": true}));
    let user = rr_of(&mine.trace).unwrap();
    assert_eq!(said, format!("`{}` is not removed: process {user} is using it", mine.trace.display()));
    other.call("rr_replay_stop", json!({}));
    server.call("rr_rm", json!({"trace_dir": mine.trace, "force": true}));
    assert!(!mine.trace.exists());
    // What this server has recorded it may remove wherever it is.
    let own = scratch().join("recorded-here");
    server.call("rr_record", json!({"command": ["true"], "trace_dir": own}));
    server.call("rr_rm", json!({"trace_dir": own}));
    assert!(!own.exists());
}

/// Records a command that does not end by itself for a second.
fn cut_after_a_second(server: &Server, command: &[&str]) -> Value {
    let recorded = server.call("rr_record", json!({"command": command, "timeout": 1}));
    assert_eq!(recorded["ended_by"], "timeout", "{recorded}");
    assert!(recorded["seconds"].as_f64().unwrap() >= 1.0, "{recorded}");
    recorded
}

#[test]
fn what_does_not_end_in_time_is_ended_ever_less_gently_and_its_trace_is_whole() {
    let base = scratch().join("traces-cut-short");
    let server = Server::start_with(&[("_RR_TRACE_DIR", base.to_str().unwrap())]);
    let ends = [
        ("exec sleep 1000", "SIGINT", 130),
        ("trap '' INT; exec sleep 1000", "SIGTERM", 143),
        ("trap '' INT TERM; exec sleep 1000", "SIGKILL", 137),
    ];
    for (script, signal, exit_code) in ends {
        let recorded = cut_after_a_second(&server, &["sh", "-c", script]);
        assert_eq!((&recorded["signal"], &recorded["exit_code"]), (&json!(signal), &json!(exit_code)), "{recorded}");
        let end = recorded["events"].as_u64().unwrap();
        server.call("rr_replay_start", json!({"trace_dir": recorded["trace_dir"]}));
        let stop = server.call("rr_run_to_event", json!({"event_number": end}));
        assert!(stop["event"].as_u64().is_some_and(|event| event > 1 && event <= end), "{stop}");
        server.call("rr_replay_stop", json!({}));
    }
}

#[test]
fn a_trace_that_has_grown_too_large_is_finished() {
    let server = Server::start();
    let most = 8 << 20;
    let command = ["dd", "if=/dev/urandom", "of=/dev/null", "bs=64K"];
    let trace = scratch().join("large.trace");
    let recorded = server
        .call("rr_record", json!({"command": command, "trace_dir": trace, "max_trace_bytes": most, "timeout": 600}));
    assert_eq!(recorded["ended_by"], "max_trace_bytes", "{recorded}");
    let size = recorded["trace_size"].as_u64().unwrap();
    assert!((most..4 * most).contains(&size), "{recorded}");
    server.replay(&trace);
}

#[test]
fn a_program_reads_what_it_is_given_and_is_scheduled_as_asked() {
    let server = Server::start();
    let (plain, chaos) = (scratch().join("stdin.trace"), scratch().join("chaos.trace"));
    let recorded = server.call("rr_record", json!({"command": ["cat"], "trace_dir": plain, "stdin": "one\ntwo"}));
    assert_eq!((&recorded["stdout"], &recorded["exit_code"]), (&json!("one\ntwo"), &json!(0)));
    let recorded = server.call("rr_record", json!({"command": ["cat"], "trace_dir": chaos, "chaos": true}));
    assert_eq!((&recorded["stdout"], &recorded["exit_code"]), (&json!(""), &json!(0)), "{recorded}");
    let header = |trace| {
        let info = server.call("rr_traceinfo", json!({"trace_dir": trace}));
        serde_json::from_str::<Value>(info["result"].as_str().unwrap()).unwrap()["chaosMode"].clone()
    };
    assert_eq!([header(plain), header(chaos)], [json!(false), json!(true)]);
}

#[test]
fn a_full_disk_ends_a_recording_with_words() {
    // No file may become larger than this: to rr that is a full disk.
    let limit = || {
        let most = libc::rlimit { rlim_cur: 4 << 20, rlim_max: 4 << 20 };
        // SAFETY: plain system calls. Ignored, the signal is an error of the write.
        let set = unsafe {
            libc::signal(libc::SIGXFSZ, libc::SIG_IGN) != libc::SIG_ERR
                && libc::setrlimit(libc::RLIMIT_FSIZE, &raw const most) == 0
        };
        if set { Ok(()) } else { Err(std::io::Error::last_os_error()) }
    };
    let server = stdio::Server::prepared(limit, &[("RETROGRADE_RR", rr().program().to_str().unwrap())]);
    let mut wire = Wire::over(server);
    let trace = scratch().join("full-disk.trace");
    let script = "head -c 20000000 /dev/urandom | wc -c";
    let recorded = wire.call("rr_record", json!({"command": ["sh", "-c", script], "trace_dir": trace}));
    assert_eq!(recorded["isError"], true, "{recorded}");
    let said = recorded["content"][0]["text"].as_str().unwrap();
    assert!(said.starts_with("rr failed to record (SIGABRT): [FATAL ") && said.contains("EFBIG"), "{said}");
    let remedy =
        "; there is no room for the recording: free some, record into another directory (trace_dir), or record less";
    assert!(said.ends_with(remedy), "{said}");
    // The server itself goes on.
    let again = wire.call("rr_record", json!({"command": ["true"], "trace_dir": scratch().join("small.trace")}));
    assert_eq!(again["structuredContent"]["exit_code"], 0, "{again}");
}

#[test]
fn a_recording_can_be_removed_as_soon_as_its_session_is_stopped() {
    let server = Server::start();
    for _ in 0..5 {
        let trace = fresh_recording("stepping", &[]).trace;
        server.replay(&trace);
        server.run_to("twice");
        server.call("rr_checkpoint_save", json!({}));
        server.call("rr_replay_stop", json!({}));
        server.call("rr_rm", json!({"trace_dir": trace, "force": true}));
        assert!(!trace.exists());
    }
}

#[test]
fn a_child_that_died_of_a_fault_is_told_of() {
    let server = Server::start();
    let trace = scratch().join("faulty-child.trace");
    let command = ["sh", "-c", "sh -c 'kill -SEGV $$'; exit 1"];
    let recorded = server.call("rr_record", json!({"command": command, "trace_dir": trace}));
    assert_eq!(recorded["exit_code"], 1, "{recorded}");
    let first = server.call("rr_ps", json!({"trace_dir": trace}))["debug_first"].take();
    let note = format!("process {first} died of SIGSEGV; a replay can be started with its pid");
    assert!(recorded["notes"].as_array().is_some_and(|notes| notes.contains(&json!(note))), "{recorded}");
}

#[test]
fn a_directory_that_is_not_there_has_no_list() {
    let missing = scratch().join("nowhere");
    let said = Server::start().fail("rr_list_recordings", json!({"trace_base_dir": missing}));
    assert_eq!(said, format!("cannot list `{}`: No such file or directory (os error 2)", missing.display()));
}

#[test]
fn what_was_recorded_last_is_opened_at_the_process_to_look_at_first() {
    let base = scratch().join("traces-of-nothing-named");
    let server = Server::start_with(&[("_RR_TRACE_DIR", base.to_str().unwrap())]);
    let said = server.fail("rr_replay_start", json!({}));
    assert!(said.contains("no recording yet: ") && said.contains("record a program first"), "{said}");
    let program = program("crash");
    let script = format!("{}; exit 0", program.display());
    let trace = scratch().join("of-its-own");
    server.call("rr_record", json!({"command": ["/bin/sh", "-c", script], "trace_dir": trace}));
    let listed = server.call("rr_ps", json!({"trace_dir": trace}));
    let (first, crashed) = (listed["result"][0]["pid"].clone(), listed["debug_first"].clone());
    assert_ne!(first, crashed, "{listed}");
    let cut = |text: &str| {
        if text.chars().count() > 40 { text.chars().take(40).chain(['…']).collect() } else { text.to_owned() }
    };
    let [shell, child] = [format!("/bin/sh -c {script}"), program.display().to_string()].map(|text| cut(&text));
    let opened = server.call("rr_replay_start", json!({}));
    assert_eq!((&opened["trace_dir"], &opened["pid"]), (&json!(trace.canonicalize().unwrap()), &crashed));
    let unnamed = "no trace_dir was given: this is the latest recording of this server";
    let notes = json!([format!(
        "{unnamed}, at the process to look at first ({child}: SIGSEGV); the first is {first} ({shell}: exit 0)"
    )]);
    assert_eq!(opened["notes"], notes);
    assert_eq!(server.call("rr_continue", json!({}))["signal_name"], "SIGSEGV");
    let opened = server.call("rr_replay_start", json!({"pid": first}));
    assert_eq!((&opened["pid"], &opened["notes"]), (&first, &json!([unnamed])));
    // Of a recording that is named it is the first process, and the other one is pointed out.
    let opened = server.call("rr_replay_start", json!({"trace_dir": trace}));
    let notes = json!([format!("this is the first process; the one to look at first is {crashed} ({child}: SIGSEGV)")]);
    assert_eq!((&opened["pid"], &opened["notes"]), (&first, &notes));
    let opened = server.call("rr_replay_start", json!({"trace_dir": trace, "pid": crashed}));
    assert_eq!((&opened["pid"], opened.get("notes")), (&crashed, None));
    // One that went well, where rr keeps its recordings: to another server it is rr's latest.
    let recorded = server.call("rr_record", json!({"command": ["/bin/true"]}));
    let opened = server.call("rr_replay_start", json!({}));
    assert_eq!((&opened["trace_dir"], &opened["notes"]), (&recorded["trace_dir"], &json!([unnamed])));
    let other = Server::start_with(&[("_RR_TRACE_DIR", base.to_str().unwrap())]);
    let opened = other.call("rr_replay_start", json!({}));
    let notes = json!(["no trace_dir was given: this is rr's latest recording"]);
    assert_eq!((&opened["trace_dir"], &opened["notes"]), (&recorded["trace_dir"], &notes));
    let said = other.fail("rr_replay_start", json!({"trace_dir": base}));
    assert!(said.contains("contains recordings, but is not one: name one of its directories"), "{said}");
    let empty = scratch().join("empty");
    std::fs::create_dir_all(&empty).unwrap();
    let said = other.fail("rr_replay_start", json!({"trace_dir": empty}));
    assert!(said.contains("is empty: nothing was recorded there; name the directory"), "{said}");
}

/// A shell that counts its runs in a file, and what it does in the one with this number.
fn counting(name: &str, at: u32, then: &str) -> Vec<String> {
    let count = scratch().join(format!("{name}.count"));
    let script = format!(
        "read n < {file} || n=0; n=$((n+1)); echo $n > {file}; echo run $n; if [ $n = {at} ]; then {then}; fi; exit 0",
        file = count.display()
    );
    std::fs::write(count, "").unwrap();
    ["/bin/sh", "-c", &script].map(str::to_owned).to_vec()
}

#[test]
fn a_program_is_recorded_until_it_happens() {
    let base = scratch().join("traces-until");
    let server = Server::start_with(&[("_RR_TRACE_DIR", base.to_str().unwrap())]);
    for (until, then, code) in
        [("failure", "exit 3", 3), ("exit 4", "exit 4", 4), ("output ^lost \\d+$", "echo lost 12", 0)]
    {
        let command = counting("until", 3, then);
        let found = server.call("rr_record", json!({"command": command, "runs": 5, "until": until, "chaos": true}));
        assert_eq!(found["exit_code"], code, "{found}");
        assert!(found["stdout"].as_str().unwrap().starts_with("run 3\n"), "{found}");
        assert!(found["notes"].to_string().contains("it happened in run 3; in 2 runs before it did not"), "{found}");
        // That recording alone is kept, and can be replayed.
        let kept = server.call("rr_list_recordings", json!({}));
        assert_eq!(kept["result"], json!([found["trace_dir"]]), "{kept}");
        server.call("rr_replay_start", json!({}));
        server.call("rr_replay_stop", json!({}));
        server.call("rr_rm", json!({"trace_dir": found["trace_dir"]}));
    }
    let command = counting("until", 3, "kill -TERM $$");
    let found = server.call("rr_record", json!({"command": command, "until": "signal"}));
    assert_eq!(found["signal"], "SIGTERM", "{found}");
    server.call("rr_rm", json!({"trace_dir": found["trace_dir"]}));
}

#[test]
fn what_does_not_happen_leaves_nothing_behind() {
    let base = scratch().join("traces-until-never");
    let server = Server::start_with(&[("_RR_TRACE_DIR", base.to_str().unwrap())]);
    let command = counting("never", 9, "exit 3");
    let found = server.call("rr_record", json!({"command": command, "runs": 2, "until": "failure"}));
    assert_eq!((&found["trace_dir"], &found["exit_code"]), (&Value::Null, &json!(0)), "{found}");
    assert!(found["notes"].to_string().contains("it did not happen in 2 runs; no recording was kept"), "{found}");
    assert_eq!(server.call("rr_list_recordings", json!({}))["result"], json!([]));
    let said = server.fail("rr_record", json!({"command": ["true"], "until": "tomorrow"}));
    assert!(said.contains("valid are failure, signal, exit N, output REGEX"), "{said}");
}

/// A path is the one that the system has, whatever `..` and `~` are in it.
#[test]
fn a_trace_directory_is_named_by_its_real_path() {
    let home = scratch().join("a home");
    std::fs::create_dir_all(home.join("deep/er")).unwrap();
    let home = home.canonicalize().unwrap();
    std::os::unix::fs::symlink(home.join("deep/er"), home.join("link")).unwrap();
    let server = Server::start_with(&[("HOME", home.to_str().unwrap())]);
    let record = |given: String, real: &str| {
        let recorded = server.call("rr_record", json!({"command": [program("exit_code")], "trace_dir": given}));
        assert_eq!(recorded["trace_dir"], home.join(real).to_str().unwrap(), "{given}");
        assert!(home.join(real).join("version").is_file(), "{given}");
    };
    record("~/one".to_owned(), "one");
    record(format!("{}/new/../two", home.display()), "two");
    assert!(!home.join("new").exists());
    record(format!("{}/link/../three", home.display()), "deep/three");
    let refusal = server.fail("rr_record", json!({"command": ["true"], "trace_dir": "~/one"}));
    assert!(refusal.contains(home.join("one").to_str().unwrap()), "{refusal}");
    // What was made so is found so.
    let started = server.call("rr_replay_start", json!({"trace_dir": "~/one"}));
    assert_eq!(started["trace_dir"], home.join("one").to_str().unwrap(), "{started}");
}
