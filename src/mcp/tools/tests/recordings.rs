//! Recordings, their processes, and the host.

use super::*;

#[test]
fn a_recording_tells_exit_output_and_counters() {
    let recorded = Recorded {
        trace_dir: Some("/tmp/t-0".into()),
        incomplete: None,
        exit_code: Some(139),
        signal: Some("SIGSEGV".to_owned()),
        stdout: "hello\n".to_owned(),
        stdout_truncated: false,
        stderr: String::new(),
        stderr_truncated: false,
        cut: None,
        duration: Duration::from_millis(1250),
        trace_size: Some(2049),
        events: Some(111),
        counters: Counters::Soft,
        notes: Vec::new(),
    };
    let view = RecordView::from(recorded.clone());
    let expected = json!({
        "trace_dir": "/tmp/t-0", "exit_code": 139, "signal": "SIGSEGV", "seconds": 1.25, "trace_size": 2049, "events": 111,
        "stdout": "hello\n", "stderr": "", "counters": "soft"
    });
    assert_eq!(json_of(&view).to_string(), expected.to_string());
    let counters = "counters: soft (rr_doctor measures what they cost)";
    let text = format!(
        "recorded /tmp/t-0\nexit code 139 (SIGSEGV)\n1.2 s, trace of 3 KiB, 111 events\n{counters}\nstdout:\nout| hello"
    );
    assert_eq!(text_of(&view), text);
    let hardware = RecordView::from(Recorded { counters: Counters::Hardware, ..recorded.clone() });
    assert!(text_of(&hardware).contains("\ncounters: hardware\n"));
    let view = RecordView::from(Recorded { trace_dir: None, stdout_truncated: true, ..recorded.clone() });
    assert_eq!(json_of(&view)["trace_dir"], Value::Null);
    assert!(text_of(&view).starts_with("no trace was made\n"));
    assert!(text_of(&view).ends_with("stdout (only the end):\nout| hello"));
    let notes = vec!["cannot write".to_owned()];
    let view =
        RecordView::from(Recorded { trace_dir: None, incomplete: Some("/tmp/t-1".into()), notes, ..recorded.clone() });
    assert_eq!(json_of(&view)["incomplete_trace_dir"], "/tmp/t-1");
    assert_eq!(json_of(&view)["notes"], json!(["cannot write"]));
    assert!(text_of(&view).starts_with("rr had to be killed; /tmp/t-1 is incomplete and cannot be replayed"));
    assert!(text_of(&view).contains("\nnote: cannot write\n"));
    for (cut, word) in
        [(CutShort::Time, "timeout"), (CutShort::Size, "max_trace_bytes"), (CutShort::Cancelled, "cancelled")]
    {
        let view = RecordView::from(Recorded { cut: Some(cut), ..recorded.clone() });
        assert_eq!(json_of(&view)["ended_by"], word);
        assert!(text_of(&view).contains(&format!("\nended by the server: {word}\n")));
    }
    let view = RecordView::of_job("j1");
    let expected = json!({"job": "j1", "trace_dir": null, "exit_code": null, "stdout": "", "stderr": ""});
    assert_eq!(json_of(&view), expected);
    assert_eq!(text_of(&view), "job j1 records; rr_job_status shows its output, rr_job_result how it ended");
}

#[test]
fn recordings_are_paths_with_details_beside_them() {
    let recording = |name: &str, latest| Recording {
        path: name.into(),
        created: Some(std::time::UNIX_EPOCH),
        size: 1025,
        command: Some("./t x".to_owned()),
        exit_code: Some(1),
        latest,
        complete: !latest,
    };
    let view = RecordingsView::from(Recordings {
        newest: vec![recording("/r/t-1", true), recording("/r/t-0", false)],
        total: 2,
    });
    let expected = json!({
        "result": ["/r/t-1", "/r/t-0"],
        "recordings": [
            {
                "path": "/r/t-1", "created": "1970-01-01T00:00:00Z", "size": 1025, "command": "./t x", "exit_code": 1,
                "latest": true, "incomplete": true
            },
            {"path": "/r/t-0", "created": "1970-01-01T00:00:00Z", "size": 1025, "command": "./t x", "exit_code": 1}
        ]
    });
    assert_eq!(json_of(&view), expected);
    let text = "\
/r/t-1  (1970-01-01T00:00:00Z, 2 KiB, `./t x`, exit 1, latest, incomplete)
/r/t-0  (1970-01-01T00:00:00Z, 2 KiB, `./t x`, exit 1)";
    assert_eq!(text_of(&view), text);
    let view = RecordingsView::from(Recordings { newest: vec![recording("/r/t-1", true)], total: 2 });
    assert_eq!(json_of(&view)["result"], json!(["/r/t-1"]));
    assert_eq!(json_of(&view)["truncated"], "the newest 1 of 2; for more, a larger limit");
    assert_eq!(text_of(&RecordingsView::from(Recordings::default())), "no recordings");
}

#[test]
fn processes_read_like_rr_ps() {
    let process = |pid, ppid, exit_code, command: Option<&str>, forked_without_exec| Process {
        pid,
        ppid,
        exit_code,
        command: command.map(str::to_owned),
        forked_without_exec,
    };
    let view = ProcessesView::from(vec![
        process(100, None, Some(-11), Some("./t x"), false),
        process(101, Some(100), None, None, true),
    ]);
    let expected = json!({"result": [
        {"pid": 100, "exit_code": -11, "status": "SIGSEGV", "cmd": "./t x"},
        {"pid": 101, "ppid": 100, "cmd": "(forked without exec)"}
    ], "debug_first": 100});
    assert_eq!(json_of(&view), expected);
    let text = "PID\tPPID\tEXIT\tCMD\n100\t--\tSIGSEGV\t./t x\n101\t100\t--\t  (forked without exec)\ndebug first: 100";
    assert_eq!(text_of(&view), text);
}

#[test]
fn the_trace_header_comes_without_its_bulk_unless_asked_for() {
    let json = r#"{"uuid": [1], "cpuidRecords": [[0]], "environ": ["A=B"], "program": "t"}"#.to_owned();
    let view = TraceinfoView::new(json.clone(), false);
    assert_eq!(view.result, r#"{"uuid":[1],"program":"t"}"#);
    assert_eq!(view.truncated.as_deref(), Some("without cpuidRecords and environ; for all, full=true"));
    assert_eq!(json_of(&TraceinfoView::new(json.clone(), true)), json!({"result": json}));
    assert_eq!(json_of(&TraceinfoView::new("no JSON".to_owned(), false)), json!({"result": "no JSON"}));
}

#[test]
fn the_doctors_verdict_is_the_worst() {
    let check = |verdict, remedy: Option<&str>| Check {
        name: "rr",
        verdict,
        found: "5.9.0".to_owned(),
        remedy: remedy.map(str::to_owned),
    };
    let view = DoctorView::from(vec![check(Verdict::Ok, None), check(Verdict::Warning, Some("update"))]);
    let expected = json!({"verdict": "warning", "checks": [
        {"name": "rr", "verdict": "ok", "found": "5.9.0"},
        {"name": "rr", "verdict": "warning", "found": "5.9.0", "remedy": "update"}
    ]});
    assert_eq!(json_of(&view), expected);
    assert_eq!(text_of(&view), "warning\nok      rr: 5.9.0\nwarning rr: 5.9.0\n        remedy: update");
    let all = [Verdict::Blocker, Verdict::Warning, Verdict::Ok].map(|verdict| check(verdict, None));
    assert_eq!(DoctorView::from(all.to_vec()).verdict, "blocker");
    assert_eq!(DoctorView::from(Vec::new()).verdict, "ok");
}
