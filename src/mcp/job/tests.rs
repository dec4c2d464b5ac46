use super::*;
use crate::mcp::reply::TextView;
use crate::mcp::session::Threads;
use std::sync::mpsc;

fn jobs() -> (Jobs, Cancel) {
    let closing = Cancel::default();
    (Jobs::new(closing.clone(), Feed::default()), closing)
}

fn text(result: &str) -> Result<TextView, ToolError> {
    Ok(TextView { result: result.to_owned() })
}

fn block_on<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(future)
}

/// A job that ends when its gate is dropped, or says that it was cancelled.
fn gated(jobs: &Jobs) -> (Result<Arc<Job>, ToolError>, mpsc::Sender<()>) {
    let (gate, wait) = mpsc::channel::<()>();
    let job = jobs.start("rr_record", "prog".to_owned(), Threads::new().token(), move |cancel, listener| {
        listener(Stream::Out, b"begun\n");
        loop {
            if wait.recv_timeout(Duration::from_millis(1)) == Err(mpsc::RecvTimeoutError::Disconnected) {
                return text("over");
            }
            if cancel.is_cancelled() {
                return text("cut short");
            }
        }
    });
    (job, gate)
}

#[test]
fn a_job_runs_prints_and_keeps_its_result() {
    let (jobs, _) = jobs();
    let (job, gate) = gated(&jobs);
    let job = job.unwrap();
    assert_eq!((job.id.as_str(), job.state().word), ("j1", "running"));
    drop(gate);
    block_on(job.over());
    let state = jobs.find("j1").unwrap().state();
    assert_eq!(state.word, "done");
    let (text, value) = state.done.unwrap().answer.clone().unwrap();
    assert_eq!((text.as_str(), value), ("over", serde_json::json!({"result": "over"})));
    assert_eq!(locked(job.output()).read(0, 9).lines[0].text, "begun");
}

#[test]
fn a_cancelled_job_keeps_what_it_could_still_say() {
    let (jobs, closing) = jobs();
    let ((job, _gate), (other, _other_gate)) = (gated(&jobs), gated(&jobs));
    let (job, other) = (job.unwrap(), other.unwrap());
    job.cancel();
    block_on(job.over());
    assert_eq!((job.state().word, other.state().word), ("cancelled", "running"));
    assert_eq!(job.state().done.unwrap().answer.clone().unwrap().0, "cut short");
    closing.cancel();
    block_on(other.over());
}

#[test]
fn failures_and_panics_are_results_too() {
    let (jobs, _) = jobs();
    let fails = |_: &Cancel, _: &Listener| Err::<TextView, _>(ToolError("no".to_owned()));
    let failed = jobs.start("t", String::new(), Threads::new().token(), fails).unwrap();
    let panics = |_: &Cancel, _: &Listener| -> Result<TextView, ToolError> { panic!("as the test wants") };
    let panicked = jobs.start("t", String::new(), Threads::new().token(), panics).unwrap();
    block_on(failed.over());
    block_on(panicked.over());
    let said = |job: &Job| job.state().done.unwrap().answer.clone().unwrap_err().0;
    assert_eq!((failed.state().word, said(&failed).as_str()), ("failed", "no"));
    assert_eq!((panicked.state().word, said(&panicked).as_str()), ("failed", PANICKED));
}

#[test]
fn jobs_are_limited_and_the_oldest_results_forgotten() {
    let (jobs, _) = jobs();
    let gates: Vec<_> = (0..RUNNING).map(|_| gated(&jobs)).collect();
    let expected =
        "8 jobs are running, which is the most: j1, j2, j3, j4, j5, j6, j7, j8; cancel one with rr_job_cancel";
    assert_eq!(gated(&jobs).0.unwrap_err().0, expected);
    for (job, gate) in gates {
        drop(gate);
        block_on(job.unwrap().over());
    }
    for _ in 0..REMEMBERED {
        let (job, gate) = gated(&jobs);
        drop(gate);
        block_on(job.unwrap().over());
    }
    let last = gated(&jobs).0.unwrap();
    let ids: Vec<String> = jobs.list().iter().map(|job| job.id.clone()).collect();
    assert_eq!((ids.len(), ids[0].as_str(), last.id.as_str()), (REMEMBERED + 1, "j9", "j25"));
    let said = jobs.find("j8").unwrap_err().0;
    assert!(said.starts_with("unknown job \"j8\"; jobs: j9, j10, "), "{said}");
}
