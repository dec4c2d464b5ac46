//! Records fixtures with the real rr, once per test process.

use super::fixtures::{program, scratch};
use retrograde::rr::{RecordOptions, Recorded, Rr};
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, LazyLock, Mutex, OnceLock};

/// The rr under test: `RETROGRADE_RR`, else one on `PATH`, else the pinned wheel in a private directory.
pub fn rr() -> &'static Rr {
    static RR: LazyLock<Rr> = LazyLock::new(|| {
        Rr::find().unwrap_or_else(|_| {
            use retrograde::cli::install::{ensure_rr, private_directory};
            ensure_rr(&private_directory("rr")).unwrap_or_else(|e| panic!("the live tests need rr: {e}"))
        })
    });
    &RR
}

/// A recording of a fixture.
#[derive(Clone)]
pub struct Recording {
    /// The trace directory.
    pub trace: PathBuf,
    /// What `record` said.
    pub recorded: Recorded,
}

/// The recording of a fixture run without arguments.
pub fn recording(name: &str) -> Recording {
    recording_of(name, &[])
}

/// The recording of a fixture run with these arguments.
pub fn recording_of(name: &str, arguments: &[&str]) -> Recording {
    type Slots = HashMap<String, Arc<OnceLock<Recording>>>;
    static MADE: LazyLock<Mutex<Slots>> = LazyLock::new(Mutex::default);
    let key = format!("{name} {}", arguments.join(" "));
    let slot = MADE.lock().unwrap().entry(key).or_default().clone();
    slot.get_or_init(|| fresh_recording(name, arguments)).clone()
}

/// A recording that no other test sees.
pub fn fresh_recording(name: &str, arguments: &[&str]) -> Recording {
    static NEXT: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
    let n = NEXT.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    let trace = scratch().join(format!("{name}.trace-{n}"));
    let mut command = vec![program(name).to_str().unwrap().to_owned()];
    command.extend(arguments.iter().map(|a| (*a).to_owned()));
    let options = RecordOptions { command, trace_dir: Some(trace.clone()), ..RecordOptions::default() };
    let recorded = rr().record(&options).unwrap_or_else(|e| panic!("recording {name}: {e}"));
    assert_eq!(recorded.trace_dir.as_deref(), Some(&*trace));
    Recording { trace, recorded }
}
