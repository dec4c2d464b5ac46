//! A running `rr replay`, which waits for one client on a TCP port of this machine.

use super::child_output::Drain;
use super::error::Error;
use super::process::Killer;
use super::process::{Group, ending, last_words, said, start_heard, start_shown};
use super::process_activity::{Activity, Pulse};
use super::program::Rr;
use super::ps::{Choice, choice, processes_of};
use super::replay_counters::Means;
use super::trace;
use base::cancel::Cancel;
use base::untrusted::PathText as _;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How much of what rr prints is kept.
const WORDS: usize = 64 << 10;
/// How often to look whether rr has died without closing its stderr.
const GLANCE: Duration = Duration::from_millis(20);
/// How long the last words of a dead rr may take to arrive.
const LINGER: Duration = Duration::from_millis(500);
/// How often to look whether rr is at work.
const LOOK: Duration = Duration::from_millis(250);
/// How long is waited at a time for an rr to fail.
const WATCH: Duration = Duration::from_secs(3600);
/// What stands before the address in the command that rr proposes to its user.
const BEFORE_ADDRESS: &str = "target extended-remote ";

/// A running `rr replay`. Dropped, it is killed with its whole process group; it also dies with this process.
#[derive(Debug)]
pub struct Replay {
    group: Group,
    stderr: Drain,
    /// What it and the copies of the process print; nothing if that is shown to the user right away.
    stdout: Drain,
    is_heard: bool,
    address: SocketAddr,
    trace: PathBuf,
    pid: u32,
    means: Means,
    took: Duration,
}

/// How much longer an rr that works may take than one that does nothing.
const WORKING: u32 = 10;

/// How long rr may take until it listens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patience {
    /// Without doing anything; ten times that in all, if the first process is to be debugged, to which it has
    /// not far to go (a gigabyte of static memory takes it seconds).
    pub idle: Duration,
    /// In all, if it has to replay up to another process.
    pub reach: Duration,
}

impl Rr {
    /// Starts `rr replay` with counters that there are for the recording, and waits until it listens.
    ///
    /// `trace`: a directory, or the name of one among rr's recordings; `None` is the latest. `pid`: a recorded process;
    /// `None` is the first one. rr accepts one connection only, and ends when it is closed.
    ///
    /// Given up when it is [cancelled](Rr::with_cancel); what has started is not affected by that.
    pub fn replay(&self, trace: Option<&Path>, pid: Option<u32>, patience: Patience) -> Result<Replay, Error> {
        let begun = Instant::now();
        let trace = trace::resolve(trace)?;
        trace::check(&trace)?;
        let means = self.means_of(&trace)?;
        let processes = processes_of(&trace)?;
        let first = processes.first().map(|process| process.pid).unwrap_or_default();
        let pid = pid.unwrap_or(first);
        let Some(choice) = choice(&processes, pid) else {
            let numbers: Vec<_> = processes.iter().take(20).map(|process| process.pid.to_string()).collect();
            let more = if processes.len() > numbers.len() { ", …" } else { "" };
            return Err(Error::NoSuchProcess { pid, trace, valid: format!("{}{more}", numbers.join(", ")) });
        };

        let choice = match choice {
            Choice::Executed if self.from_fork => Choice::Forked,
            other => other,
        };
        let mut command = self.replaying_command(&means)?;
        command.args(["-s", "0"]);
        if self.echo.is_none() {
            // The recorded program's output is not printed again.
            command.arg("-q");
        }
        match choice {
            Choice::Default => {}
            Choice::Executed => drop(command.args(["-p", &pid.to_string()])),
            Choice::Forked => drop(command.args(["-f", &pid.to_string()])),
        }
        command.arg(&trace);

        let started = match &self.echo {
            Some(echo) => start_shown(command, WORDS, echo),
            None => start_heard(command, WORDS, WORDS),
        };
        let (group, stdout, stderr) =
            started.map_err(Error::io(format!("run `{} replay`", self.program().in_text())))?;
        if means.force {
            let failed = Error::io("start a thread that watches rr replay");
            end_in_emergency(means.clone(), stderr.clone(), group.killer()).map_err(failed)?;
        }
        let way = match choice {
            Choice::Default => None,
            Choice::Executed | Choice::Forked => Some(pid),
        };
        let work = || Activity::of(group.pid());
        let address = match wait_for_port(&group, &stderr, patience, way, &work, &self.cancel) {
            Err(Error::Replay { ended, words }) if is_reading_failure(&words) => {
                let reason = format!("rr cannot read it ({ended}): {words}");
                return Err(Error::Damaged { path: trace, reason });
            }
            Err(Error::Replay { ended, words }) => {
                return Err(Error::Replay { ended, words: means.explained(words) });
            }
            waited => waited?,
        };
        let took = begun.elapsed();
        Ok(Replay { group, stderr, stdout, is_heard: self.echo.is_none(), address, trace, pid, means, took })
    }
}

/// Kills an rr that was told to wait for a debugger if it fails, once it has failed: as it ends by itself if it is not
/// told so.
fn end_in_emergency(means: Means, stderr: Drain, killer: Killer) -> std::io::Result<()> {
    let watch = move || loop {
        let seen = stderr.wait(Instant::now() + WATCH, |heard| match means.is_emergency(&heard.tail.text()) {
            true => Some(true),
            false => heard.closed.then_some(false),
        });
        if seen == Some(true) {
            killer.kill();
        }
        if seen.is_some() {
            return;
        }
    };
    std::thread::Builder::new().name("rr-emergency".into()).spawn(watch).map(drop)
}

/// Waits until rr tells its port, dies, or the time is up, which is short for an rr that does nothing. `way`: the
/// process that it has to replay up to first. `work`: what it does. Its time begins here, whatever was done before it
/// was started.
fn wait_for_port(
    group: &Group,
    stderr: &Drain,
    patience: Patience,
    way: Option<u32>,
    work: &dyn Fn() -> Activity,
    cancel: &Cancel,
) -> Result<SocketAddr, Error> {
    let begun = Instant::now();
    let (mut working, mut looked, mut before) = (begun, begun, Activity::default());
    let most = if way.is_some() { patience.reach } else { patience.idle * WORKING };
    loop {
        if let Some(address) = stderr.wait(Instant::now() + GLANCE, |heard| address(&heard.tail.text())) {
            return Ok(address);
        }
        let words = || last_words(&stderr.finish(LINGER).0);
        if let Some(status) = group.poll().map_err(Error::io("wait for rr replay"))? {
            return Err(Error::Replay { ended: ending(status), words: words() });
        }
        if cancel.is_cancelled() {
            return Err(Error::Cancelled { command: "replay" });
        }
        let now = Instant::now();
        if now.duration_since(looked) >= LOOK {
            let activity = work();
            if activity.is_runnable || activity != before {
                (working, before) = (now, activity);
            }
            looked = now;
        }
        if now.duration_since(working) >= patience.idle {
            group.kill();
            return Err(Error::ReplayTimeout { after: patience.idle, words: words() });
        }
        if now.duration_since(begun) >= most {
            group.kill();
            let (after, words) = (most, words());
            return Err(match way {
                Some(pid) => Error::OnTheWay { pid, after, words },
                None => Error::ReplayTimeout { after, words },
            });
        }
    }
}

/// Returns whether the words are what rr says before it aborts because a file of the trace is cut off or corrupt: its
/// own exception, or that of the library for its data format.
fn is_reading_failure(words: &str) -> bool {
    words.contains("rr::IOException") || words.contains("kj::Exception")
}

/// Finds the address in rr's launch text, of rr 5.8 and later
/// (`'gdb' … '-ex' 'target extended-remote 127.0.0.1:20065' '/path' `, or `tcp6:[::1]:20097`), and of rr 5.6 and 5.7
/// (`gdb … '-ex' 'target extended-remote 127.0.0.1:20065' /path`).
fn address(said: &str) -> Option<SocketAddr> {
    let after = said.rsplit(BEFORE_ADDRESS).next().filter(|rest| rest.len() < said.len())?;
    // Without the closing quote the number may still be arriving.
    let word = after.split_once('\'')?.0;
    let (host, port) = word.rsplit_once(':')?;
    let host = host.strip_prefix("tcp6:").or(host.strip_prefix("tcp:")).unwrap_or(host);
    let host = host.trim_start_matches('[').trim_end_matches(']');
    let ip = if host.is_empty() { IpAddr::V4(Ipv4Addr::LOCALHOST) } else { host.parse().ok()? };
    Some(SocketAddr::new(ip, port.parse().ok()?))
}

/// Finds the program in rr's launch text: the last word of the command, quoted since rr 5.8.
fn program(said: &str) -> Option<PathBuf> {
    let (_, after) = said.rsplit_once(BEFORE_ADDRESS)?;
    let (_, rest) = after.split_once('\'')?;
    let word = rest.lines().next()?.trim().trim_matches('\'');
    (!word.is_empty()).then(|| PathBuf::from(word))
}

impl Replay {
    /// Returns the image that the debuggee executes, as rr tells debuggers to load it: most often rr's copy in the
    /// trace.
    pub fn program(&self) -> Option<PathBuf> {
        self.stderr.wait(Instant::now(), |heard| program(&heard.tail.text()))
    }

    /// Returns the address at which rr waits for its one client.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Returns the real path of the trace directory.
    pub fn trace(&self) -> &Path {
        &self.trace
    }

    /// Returns the recorded process that is debugged.
    pub fn pid(&self) -> u32 {
        self.pid
    }

    /// Returns how long it took until it listened: longer if it had to replay up to its process.
    pub fn took(&self) -> Duration {
        self.took
    }

    /// Tells whether it is at work, from any thread, as long as it runs.
    pub fn pulse(&self) -> Pulse {
        Pulse::of(self.group.pid())
    }

    /// Returns what is to be said of how it is replayed: with other counters than it was recorded with, or on a lesser
    /// processor.
    pub fn notes(&self) -> &[String] {
        &self.means.notes
    }

    /// Returns whether what the process and its copies print is heard here, rather than shown right away.
    pub fn is_heard(&self) -> bool {
        self.is_heard
    }

    /// Waits, at most so long, until it has printed a text that is no other, and returns what was printed before, as
    /// far as it is kept.
    pub fn heard_until(&self, mark: &str, patience: Duration) -> Option<String> {
        self.stdout.wait(Instant::now() + patience, |heard| {
            let text = heard.tail.text();
            text.rfind(mark).and_then(|end| text.get(..end).map(str::to_owned))
        })
    }

    /// Returns how the replay ended and its last words (bounded), `None` while it runs.
    pub fn ended(&self) -> Option<String> {
        match self.group.poll() {
            Ok(None) => None,
            Ok(Some(status)) => {
                let words = self.stderr.finish(LINGER).0;
                // The launch text is no complaint. An rr that has failed by force has another one, after its complaint.
                let after = words.split_once(BEFORE_ADDRESS).and_then(|(_, rest)| rest.split_once('\n'));
                let complaint = after.map_or(words.as_str(), |(_, complaint)| complaint);
                let told = match said(complaint) {
                    words if words.is_empty() => ending(status),
                    words => format!("{}: {words}", ending(status)),
                };
                Some(self.means.explained(told))
            }
            Err(error) => Some(format!("it cannot be waited for: {error}")),
        }
    }

    /// Returns a handle that ends it from another thread, whatever this one does.
    pub fn killer(&self) -> Killer {
        self.group.killer()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::counters::Counters;
    use proptest::prelude::*;
    use std::cell::Cell;
    use std::process::Command;

    fn port(said: &str) -> Option<String> {
        address(said).map(|address| address.to_string())
    }

    #[test]
    fn the_launch_text_of_each_version_is_read() {
        let new = "Launch debugger with\n  'gdb' '-l' '10000' '-ex' 'set sysroot /' '-ex' \
                   'target extended-remote 127.0.0.1:20065' '/path/to/exe' \n";
        let six = "Launch debugger with\n  'gdb' '-ex' 'target extended-remote tcp6:[::1]:20097' '/path: x/y' \n";
        let old = "Launch gdb with\n  gdb '-l' '10000' '-ex' 'set sysroot /' '-ex' \
                   'target extended-remote 127.0.0.1:1024' /path:9/to/exe\n";
        let bare = "  gdb '-ex' 'target extended-remote :1234' /x\n";
        assert_eq!(port(new).as_deref(), Some("127.0.0.1:20065"));
        assert_eq!(port(six).as_deref(), Some("[::1]:20097"));
        assert_eq!(port(old).as_deref(), Some("127.0.0.1:1024"));
        assert_eq!(port(bare).as_deref(), Some("127.0.0.1:1234"));
    }

    #[test]
    fn the_program_is_the_last_word() {
        let new = "Launch debugger with\n  'gdb' '-ex' 'target extended-remote 127.0.0.1:20065' '/path/to a/exe' \n";
        let old = "Launch gdb with\n  gdb '-ex' 'target extended-remote 127.0.0.1:1024' /path/to/exe\nmore\n";
        assert_eq!(program(new), Some(PathBuf::from("/path/to a/exe")));
        assert_eq!(program(old), Some(PathBuf::from("/path/to/exe")));
        assert_eq!(program("Launch debugger with\n"), None);
    }

    #[test]
    fn half_a_launch_text_is_no_address() {
        assert_eq!(port("'target extended-remote 127.0.0.1:200"), None);
        assert_eq!(port("'target extended-remote "), None);
        assert_eq!(port("Launch debugger with\n"), None);
        assert_eq!(port("'target extended-remote 127.0.0.1:70000' x"), None);
    }

    #[test]
    fn a_trace_that_rr_cannot_read_is_told_from_other_failures() {
        assert!(is_reading_failure("terminate called after throwing an instance of 'rr::IOException'"));
        assert!(is_reading_failure("terminate called after throwing an instance of 'kj::ExceptionImpl'\n what(): x"));
        assert!(!is_reading_failure("[FATAL src/PerfCounters.cc:425:start_counter()] Unable to open"));
    }

    fn wait_on_way(
        script: &str,
        patience: Patience,
        way: Option<u32>,
        work: &dyn Fn() -> Activity,
    ) -> Result<SocketAddr, Error> {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        let (group, _stdout, stderr) = start_heard(command, WORDS, WORDS).unwrap();
        wait_for_port(&group, &stderr, patience, way, work, &Cancel::default())
    }

    fn wait(script: &str, idle: Duration) -> Result<SocketAddr, Error> {
        wait_on_way(script, Patience { idle, reach: LONG }, None, &Activity::default)
    }

    const LONG: Duration = Duration::from_secs(60);

    #[test]
    fn an_rr_that_would_wait_for_a_debugger_is_ended() {
        let run = |script: &str, force: bool| {
            let mut command = Command::new("sh");
            command.args(["-c", script]);
            let (group, _stdout, stderr) = start_heard(command, WORDS, WORDS).unwrap();
            let means = Means { counters: Counters::Soft, force, notes: vec![], doubt: None };
            end_in_emergency(means, stderr, group.killer()).unwrap();
            ending(group.wait(Instant::now() + LONG).unwrap().unwrap())
        };
        assert_eq!(run("echo 'Tail of trace dump:' >&2; exec sleep 1000", true), "SIGKILL");
        assert_eq!(run("echo 'Tail of trace dump:' >&2; exit 3", false), "exit status 3");
    }

    #[test]
    fn the_port_is_known_as_soon_as_it_is_printed() {
        let script = "echo \"'target extended-remote 127.0.0.1:7777' x\" >&2; sleep 1000";
        assert_eq!(wait(script, LONG).unwrap().port(), 7777);
    }

    #[test]
    fn a_death_is_told_with_the_last_words() {
        let error = wait("echo 'rr: no such luck' >&2; exit 65", LONG).unwrap_err();
        assert_eq!(error.to_string(), "rr replay failed (exit status 65): rr: no such luck");
    }

    #[test]
    fn a_death_is_noticed_although_another_process_keeps_stderr_open() {
        let error = wait("sleep 1000 & kill -ABRT $$", LONG).unwrap_err();
        assert_eq!(error.to_string(), "rr replay failed (SIGABRT): rr said nothing");
    }

    #[test]
    fn silence_ends_at_the_deadline() {
        let error = wait("echo wait >&2; sleep 1000", Duration::from_millis(100)).unwrap_err();
        assert!(matches!(error, Error::ReplayTimeout { .. }), "{error}");
    }

    #[test]
    fn who_works_is_waited_for() {
        let done = Cell::new(0);
        let working = || {
            done.set(done.get() + 1);
            Activity { time: done.get(), is_runnable: false }
        };
        let waiting = || Activity { time: 5, is_runnable: true };
        let idle = || Activity { time: 5, is_runnable: false };
        let patience = Patience { idle: 2 * LOOK, reach: LONG };
        let late = "sleep 2; echo \"'target extended-remote 127.0.0.1:7777' x\" >&2; sleep 1000";
        for way in [Some(7), None] {
            assert_eq!(wait_on_way(late, patience, way, &working).unwrap().port(), 7777);
            assert_eq!(wait_on_way(late, patience, way, &waiting).unwrap().port(), 7777, "no processor is free");
        }
        let error = wait_on_way("sleep 1000", patience, Some(7), &idle).unwrap_err();
        assert!(matches!(error, Error::ReplayTimeout { .. }), "it does not work: {error}");
        let patience = Patience { idle: LONG, reach: Duration::from_secs(1) };
        let error = wait_on_way("sleep 1000", patience, Some(7), &working).unwrap_err();
        assert_eq!(error.to_string(), "rr replay has not reached process 7 within 1s; its last words: rr said nothing");
        let patience = Patience { idle: LOOK, reach: LONG };
        let error = wait_on_way("sleep 1000", patience, None, &working).unwrap_err();
        assert!(matches!(error, Error::ReplayTimeout { after, .. } if after == LOOK * WORKING), "{error}");
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(before in any::<String>(), after in any::<String>()) {
            let _ = address(&before);
            let _ = address(&format!("{before}{BEFORE_ADDRESS}{after}"));
        }

        #[test]
        fn any_port_is_found_among_noise(noise in "[a-z:' \n]{0,50}", port in any::<u16>()) {
            let said = format!("{noise}'{BEFORE_ADDRESS}127.0.0.1:{port}' '/x:1/y'");
            prop_assert_eq!(address(&said), Some(SocketAddr::from(([127, 0, 0, 1], port))));
        }
    }
}
