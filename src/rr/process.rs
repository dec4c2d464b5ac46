//! Child processes that cannot outlive us, each with a process group of its own.

use super::child_output::Drain;
use super::echo::Echo;
use super::error::Error;
use super::orphans;
use super::signals::signal_name;
use base::cancel::Cancel;
use base::untrusted::TerminalFilter;
use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, ChildStderr, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, mpsc};
use std::thread;
use std::time::{Duration, Instant};

/// How long a killed process may take to be gone. It is only ever longer if the kernel is stuck.
const DEATH: Duration = Duration::from_secs(5);
/// How often it is asked whether something is cancelled.
const ASKING: Duration = Duration::from_millis(50);
/// How much of a helper command's output is kept.
const ANSWER: usize = 16 << 20;
/// How much of what rr says on stderr is kept.
const WORDS: usize = 64 << 10;

/// A child that leads a process group. Dropped, the whole group is killed.
#[derive(Debug)]
pub(super) struct Group(Arc<Mutex<Member>>);

/// Kills a running rr with all of its process group, from any thread, whatever the owner of the rr waits for.
#[derive(Clone, Debug)]
pub struct Killer(Arc<Mutex<Member>>);

/// The leader. Who reaps it does so under the lock, so that its number is never used after it has become somebody
/// else's.
#[derive(Debug)]
struct Member {
    child: Child,
    ended: Option<ExitStatus>,
}

impl Group {
    /// Starts `command`. When this process dies, however it does, the kernel kills the child.
    pub(super) fn start(mut command: Command) -> io::Result<Self> {
        command.process_group(0);
        let ours = std::process::id();
        // SAFETY: between fork and exec only async-signal-safe calls are made, and nothing is allocated.
        unsafe { command.pre_exec(move || die_with_parent(ours)) };
        let child = start_on_lasting_thread(command)?;
        Ok(Self(Arc::new(Mutex::new(Member { child, ended: None }))))
    }

    /// Takes the child's ends of its output pipes, once.
    pub(super) fn take_pipes(&self) -> (Option<ChildStdout>, Option<ChildStderr>) {
        let mut member = locked(&self.0);
        (member.child.stdout.take(), member.child.stderr.take())
    }

    /// Returns the leader's process id.
    pub(super) fn pid(&self) -> u32 {
        locked(&self.0).child.id()
    }

    /// Returns a handle for ending it from elsewhere.
    pub(super) fn killer(&self) -> Killer {
        Killer(Arc::clone(&self.0))
    }

    /// Looks whether the child has ended, and returns how, if it did. What is left of its group is killed then: a dead
    /// rr leaves nothing of use.
    pub(super) fn poll(&self) -> io::Result<Option<ExitStatus>> {
        locked(&self.0).poll()
    }

    /// Waits for its end until the deadline.
    pub(super) fn wait(&self, deadline: Instant) -> io::Result<Option<ExitStatus>> {
        wait(&self.0, deadline)
    }

    /// Waits for its end until the deadline, unless it is cancelled.
    pub(super) fn wait_unless(&self, deadline: Instant, cancel: &Cancel) -> io::Result<Option<ExitStatus>> {
        loop {
            let status = self.wait(deadline.min(Instant::now() + ASKING))?;
            if status.is_some() || Instant::now() >= deadline || cancel.is_cancelled() {
                return Ok(status);
            }
        }
    }

    /// Asks the child, but not the rest of its group, to end. Does nothing once it has been seen to end.
    pub(super) fn terminate(&self) {
        let member = locked(&self.0);
        if let (None, Ok(pid)) = (member.ended, i32::try_from(member.child.id())) {
            // SAFETY: a plain system call. The child has not been reaped, so the number is still its own.
            unsafe { libc::kill(pid, libc::SIGTERM) };
        }
    }

    /// Does as a terminal does at `^C`: sends SIGINT to the whole group. Does nothing once the child has been seen to
    /// end.
    pub(super) fn interrupt_group(&self) {
        let member = locked(&self.0);
        if member.ended.is_none() {
            member.signal_group(libc::SIGINT);
        }
    }

    /// Returns whether the child itself ignores SIGINT, as `rr record` does once it has begun.
    pub(super) fn ignores_interrupts(&self) -> bool {
        let status = std::fs::read_to_string(format!("/proc/{}/status", locked(&self.0).child.id()));
        let mask = status.ok().and_then(|text| {
            let mask = text.lines().find_map(|line| line.strip_prefix("SigIgn:"))?;
            u64::from_str_radix(mask.trim(), 16).ok()
        });
        mask.is_some_and(|mask| mask & (1 << (libc::SIGINT - 1)) != 0)
    }

    /// Kills the group and waits for the child to be gone.
    pub(super) fn kill(&self) {
        self.killer().kill();
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        self.kill();
    }
}

impl Killer {
    /// Waits so long for the group's leader to end by itself.
    pub fn wait(&self, patience: Duration) -> bool {
        matches!(wait(&self.0, Instant::now() + patience), Ok(Some(_)))
    }

    /// Kills the group, if its leader still runs, and waits until the leader is reaped. False if it is not within
    /// seconds, which can only be if the kernel is stuck.
    pub fn kill(&self) -> bool {
        {
            let mut member = locked(&self.0);
            if let Ok(None) = member.poll() {
                member.signal_group(libc::SIGKILL);
            }
        }
        self.wait(DEATH)
    }
}

impl Member {
    fn poll(&mut self) -> io::Result<Option<ExitStatus>> {
        if self.ended.is_none() && self.has_ended()? {
            // The child is not reaped yet, so the number still belongs to this group.
            self.signal_group(libc::SIGKILL);
            self.ended = self.child.try_wait()?;
            orphans::no_longer_ours(self.child.id());
            orphans::reap();
        }
        Ok(self.ended)
    }

    /// Opens a descriptor that is readable from the child's end on. `None` if it has been reaped, or if the kernel is
    /// older than Linux 5.3.
    fn end(&self) -> Option<OwnedFd> {
        if self.ended.is_some() {
            return None;
        }
        // SAFETY: a plain system call. The child has not been reaped, so the number is its own.
        let descriptor = unsafe { libc::syscall(libc::SYS_pidfd_open, self.child.id(), 0) };
        let descriptor = i32::try_from(descriptor).ok().filter(|descriptor| *descriptor >= 0)?;
        // SAFETY: the kernel has just made this descriptor (closed on exec), and nobody else has it.
        Some(unsafe { OwnedFd::from_raw_fd(descriptor) })
    }

    /// Looks, and leaves the child to be reaped.
    fn has_ended(&self) -> io::Result<bool> {
        // SAFETY: all zeros is a valid `siginfo_t`, which waitid fills in; with WNOHANG and no news it stays zero.
        let (result, info) = unsafe {
            let mut info: libc::siginfo_t = std::mem::zeroed();
            let options = libc::WEXITED | libc::WNOHANG | libc::WNOWAIT;
            (libc::waitid(libc::P_PID, self.child.id(), &raw mut info, options), info)
        };
        if result != 0 {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: waitid has succeeded, so that this field is valid.
        Ok(unsafe { info.si_pid() } != 0)
    }

    fn signal_group(&self, signal: libc::c_int) {
        if let Ok(pid) = i32::try_from(self.child.id()) {
            // SAFETY: a plain system call; a negative number means the group that the child leads. Callers make sure
            // that the child has not been reaped.
            unsafe { libc::kill(-pid, signal) };
        }
    }
}

fn wait(member: &Mutex<Member>, deadline: Instant) -> io::Result<Option<ExitStatus>> {
    let mut pause = Duration::from_micros(200);
    let end = locked(member).end();
    loop {
        if let Some(status) = locked(member).poll()? {
            return Ok(Some(status));
        }
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Ok(None);
        }
        match &end {
            Some(end) => {
                is_readable(end, left);
            }
            None => {
                thread::sleep(pause.min(left));
                pause = (pause * 2).min(Duration::from_millis(10));
            }
        }
    }
}

/// Waits at most so long until the descriptor is readable, or until a signal comes; returns whether it is.
pub(super) fn is_readable(descriptor: &impl AsRawFd, at_most: Duration) -> bool {
    let mut poll = libc::pollfd { fd: descriptor.as_raw_fd(), events: libc::POLLIN, revents: 0 };
    let milliseconds = match at_most.is_zero() {
        true => 0,
        false => i32::try_from(at_most.as_millis()).unwrap_or(i32::MAX).saturating_add(1),
    };
    // SAFETY: one structure, which the kernel fills in.
    unsafe { libc::poll(&raw mut poll, 1, milliseconds) > 0 }
}

/// Takes the lock, also after a panic elsewhere, which cannot leave a child in a state that matters.
fn locked(member: &Mutex<Member>) -> MutexGuard<'_, Member> {
    member.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Runs in the child between fork and exec.
fn die_with_parent(parent: u32) -> io::Result<()> {
    // SAFETY: plain system calls without pointers.
    let (refused, now) = unsafe { (libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL) != 0, libc::getppid()) };
    if refused {
        return Err(io::Error::last_os_error());
    }
    // The parent may have died before the request was made; then nobody would send the signal.
    if u32::try_from(now).is_ok_and(|now| now == parent) { Ok(()) } else { Err(io::ErrorKind::BrokenPipe.into()) }
}

/// Starts a child on a thread that lasts. "When the parent dies" means to the kernel: when the *thread* dies that
/// forked. So that it does not matter which thread calls us, all children are forked by one that lasts as long as the
/// process.
fn start_on_lasting_thread(command: Command) -> io::Result<Child> {
    type Job = (Command, mpsc::SyncSender<io::Result<Child>>);
    static STARTER: OnceLock<mpsc::Sender<Job>> = OnceLock::new();

    let starter = match STARTER.get() {
        Some(starter) => starter,
        None => {
            let (sender, jobs) = mpsc::channel::<Job>();
            thread::Builder::new().name("rr-starter".into()).spawn(move || {
                for (mut command, reply) in jobs {
                    // The asker waits below, so that there is always somebody to take the answer.
                    let _ = reply.send(orphans::spawn(&mut command));
                }
            })?;
            // Losing a race drops our sender, which ends our thread, and uses the winner's.
            STARTER.get_or_init(|| sender)
        }
    };
    let (reply, child) = mpsc::sync_channel(1);
    let gone = || io::Error::other("the thread that starts processes is gone");
    starter.send((command, reply)).map_err(|_| gone())?;
    child.recv().map_err(|_| gone())?
}

/// What a finished helper command said.
#[derive(Debug)]
pub(super) struct Answer {
    /// How it ended.
    pub(super) status: ExitStatus,
    /// All that it printed, unless it was absurdly much.
    pub(super) stdout: String,
    /// The end of what it complained about.
    pub(super) stderr: String,
}

/// Runs a command that ends by itself; kills it at the deadline, or when it is cancelled. `name` is rr's
/// subcommand, for the errors.
pub(super) fn ask(command: Command, name: &'static str, patience: Duration, cancel: &Cancel) -> Result<Answer, Error> {
    let failed = || Error::io(format!("run `rr {name}`"));
    if cancel.is_cancelled() {
        return Err(Error::Cancelled { command: name });
    }
    let (group, stdout, stderr) = start_heard(command, ANSWER, WORDS).map_err(failed())?;
    match group.wait_unless(Instant::now() + patience, cancel).map_err(failed())? {
        Some(status) => Ok(Answer { status, stdout: stdout.finish(DEATH).0, stderr: stderr.finish(DEATH).0 }),
        None if cancel.is_cancelled() => Err(Error::Cancelled { command: name }),
        None => Err(Error::CommandTimeout { command: name, after: patience }),
    }
}

/// Starts a command whose output is read all the time, and its last bytes kept.
pub(super) fn start_heard(mut command: Command, out: usize, err: usize) -> io::Result<(Group, Drain, Drain)> {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let group = Group::start(command)?;
    let (stdout, stderr) = group.take_pipes();
    Ok((group, Drain::start(stdout, out)?, Drain::start(stderr, err)?))
}

/// One of the two streams that a program prints on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stream {
    /// Standard output.
    Out,
    /// Standard error.
    Err,
}

/// Starts a command with this stdin, and with somebody who is told all output as it comes.
pub(super) fn start_told(
    mut command: Command,
    stdin: Stdio,
    limit: usize,
    tell: impl Fn(Stream, &[u8]) + Clone + Send + 'static,
) -> io::Result<(Group, Drain, Drain)> {
    command.stdin(stdin).stdout(Stdio::piped()).stderr(Stdio::piped());
    let group = Group::start(command)?;
    let (stdout, stderr) = group.take_pipes();
    let (tell_out, tell_err) = (tell.clone(), tell);
    let stdout = stdout.map(|inner| Tee { inner, tell: move |new: &[u8]| tell_out(Stream::Out, new) });
    let stderr = stderr.map(|inner| Tee { inner, tell: move |new: &[u8]| tell_err(Stream::Err, new) });
    Ok((group, Drain::start(stdout, limit)?, Drain::start(stderr, limit)?))
}

/// A stream of which somebody is told what is read.
struct Tee<R, F> {
    inner: R,
    tell: F,
}

impl<R: io::Read, F: Fn(&[u8])> io::Read for Tee<R, F> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        (self.tell)(buffer.get(..count).unwrap_or_default());
        Ok(count)
    }
}

/// Starts a command that prints on our own stdout, or through the filter of `echo`, so that its output stands in one
/// order with ours. What it says on stderr behind its first lines, which tell how to connect to it, is passed on to
/// ours, only as text where that is a terminal.
pub(super) fn start_shown(mut command: Command, err: usize, echo: &Echo) -> io::Result<(Group, Drain, Drain)> {
    let stdout = if echo.is_filtered() { Stdio::piped() } else { Stdio::inherit() };
    command.stdin(Stdio::null()).stdout(stdout).stderr(Stdio::piped());
    let group = Group::start(command)?;
    let (stdout, stderr) = group.take_pipes();
    stdout.map_or(Ok(()), |pipe| echo.show(pipe))?;
    Ok((group, Drain::start(None::<ChildStdout>, 0)?, Drain::start(stderr.map(PassedOn::new), err)?))
}

/// A stream that is also written to our stderr once the launch text has been read. rr says no more before somebody has
/// connected.
struct PassedOn<R> {
    inner: R,
    begun: bool,
    filter: Option<TerminalFilter>,
}

impl<R> PassedOn<R> {
    fn new(inner: R) -> Self {
        let filter = io::IsTerminal::is_terminal(&io::stderr()).then(TerminalFilter::default);
        Self { inner, begun: false, filter }
    }
}

impl<R: io::Read> io::Read for PassedOn<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        let new = buffer.get(..count).unwrap_or_default();
        if self.begun {
            let shown = self.filter.as_mut().map(|filter| filter.filter(new));
            // If nobody hears us, nobody misses it.
            let _ = io::Write::write_all(&mut io::stderr(), shown.as_deref().unwrap_or(new));
        }
        self.begun |= memchr::memmem::find(new, b"target extended-remote").is_some();
        Ok(count)
    }
}

/// Describes how a process ended: `exit status 1` or `SIGABRT`.
pub(super) fn ending(status: ExitStatus) -> String {
    match (status.code(), status.signal()) {
        (Some(code), _) => format!("exit status {code}"),
        (None, Some(signal)) => signal_name(signal).unwrap_or_else(|| format!("signal {signal}")),
        (None, None) => status.to_string(),
    }
}

/// Returns what rr said, without the parts that only rr's developers can use (stack traces and markers), and without
/// the banner that it prints, between two lines of hyphens, each time a replay has gone to an event.
///
/// At most the last 20 lines, or the first four of a fatal error.
pub(super) fn said(stderr: &str) -> String {
    let mut in_backtrace = false;
    let mut lines = Vec::new();
    for line in stderr.lines().map(str::trim_end) {
        match line {
            "=== Start rr backtrace:" => in_backtrace = true,
            "=== End rr backtrace" => in_backtrace = false,
            _ if in_backtrace || line.is_empty() || line.starts_with("stack: ") => {}
            "\u{7}" => {}
            _ if line.starts_with(" ---> ") || line.bytes().all(|b| b == b'-') => {}
            _ => lines.push(line),
        }
    }
    // A failed assertion is followed by the state of everything, the reason comes first.
    let fatal = lines.iter().position(|line| line.starts_with("[FATAL"));
    let from = fatal.unwrap_or(lines.len().saturating_sub(20));
    let words = lines.iter().skip(from).take(if fatal.is_some() { 4 } else { 20 });
    words.map(|line| line.chars().take(400).collect::<String>()).collect::<Vec<_>>().join("\n")
}

/// Returns what rr said, as [`said`] does, but never empty, because it ends an error message.
pub(super) fn last_words(stderr: &str) -> String {
    let words = said(stderr);
    if words.is_empty() { "rr said nothing".into() } else { words }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        command
    }

    const LONG: Duration = Duration::from_secs(60);

    fn ask(command: Command, patience: Duration) -> Result<Answer, Error> {
        super::ask(command, "test", patience, &Cancel::default())
    }

    #[test]
    fn an_answer_has_both_streams_and_the_status() {
        let answer = ask(shell("echo out; echo err >&2; exit 3"), LONG).unwrap();
        assert_eq!((answer.stdout.as_str(), answer.stderr.as_str()), ("out\n", "err\n"));
        assert_eq!(ending(answer.status), "exit status 3");
    }

    #[test]
    fn output_larger_than_a_pipe_does_not_block() {
        let answer = ask(shell("head -c 300000 /dev/zero | tr '\\0' x"), LONG).unwrap();
        assert_eq!(answer.stdout.len(), 300_000);
    }

    #[test]
    fn what_does_not_end_is_killed_with_its_children() {
        let started = Instant::now();
        let error = ask(shell("sleep 1000 & sleep 1000"), Duration::from_millis(50)).unwrap_err();
        assert_eq!(error.to_string(), "`rr test` did not end within 50ms");
        assert!(started.elapsed() < LONG);
    }

    #[test]
    fn a_group_is_killed_when_dropped() {
        let (group, stdout, _stderr) = start_heard(shell("echo up; sleep 1000 & wait"), 100, 100).unwrap();
        assert_eq!(stdout.wait(Instant::now() + LONG, |h| (h.tail.text() == "up\n").then_some(())), Some(()));
        drop(group);
        // Both the shell and its child had the pipe: it is closed only when both are gone.
        stdout.wait(Instant::now() + LONG, |_| None::<()>);
        assert_eq!(stdout.wait(Instant::now() + LONG, |h| Some(h.closed)), Some(true));
    }

    #[test]
    fn what_is_cancelled_is_killed() {
        let started = Instant::now();
        let cancel = Cancel::default().with_deadline(2 * ASKING);
        let error = super::ask(shell("sleep 1000 & sleep 1000"), "test", LONG, &cancel).unwrap_err();
        assert_eq!(error.to_string(), "`rr test` was cancelled");
        assert!(started.elapsed() < LONG);
    }

    #[test]
    fn a_group_is_killed_and_reaped_by_whoever_has_its_killer() {
        let (group, stdout, _stderr) = start_heard(shell("echo up; sleep 1000 & wait"), 100, 100).unwrap();
        assert_eq!(stdout.wait(Instant::now() + LONG, |h| (h.tail.text() == "up\n").then_some(())), Some(()));
        let (killer, pid) = (group.killer(), group.pid());
        // The owner waits for it meanwhile, as an engine does.
        let owner = thread::spawn(move || group.wait(Instant::now() + LONG));
        assert!(!killer.wait(Duration::ZERO), "it does not end by itself");
        assert!(killer.kill());
        assert!(!std::path::Path::new(&format!("/proc/{pid}")).exists(), "it is reaped");
        assert_eq!(owner.join().unwrap().unwrap().map(ending).as_deref(), Some("SIGKILL"));
        assert!(killer.kill(), "again it does nothing");
        // Its child had the pipe, too.
        assert_eq!(stdout.wait(Instant::now() + LONG, |h| h.closed.then_some(())), Some(()));
    }

    #[test]
    fn a_signal_is_named() {
        let answer = ask(shell("kill -ABRT $$"), LONG).unwrap();
        assert_eq!(ending(answer.status), "SIGABRT");
    }

    #[test]
    fn last_words_have_no_stack_trace() {
        let said = "[FATAL src/TraceStream.cc:1359:make_trace_dir() errno: ENOENT] Unable to create `x'\n\
                    === Start rr backtrace:\n/usr/bin/rr(+0xe162c)[0x56520e69062c]\n=== End rr backtrace\n";
        assert_eq!(
            last_words(said),
            "[FATAL src/TraceStream.cc:1359:make_trace_dir() errno: ENOENT] Unable to create `x'"
        );
        assert_eq!(
            last_words("terminate called\n  what():  EOF\nstack: 7f16 7f17\n"),
            "terminate called\n  what():  EOF"
        );
        let dump = format!("[FATAL x.cc:1]\n-> Assertion `a' failed.\n{}", "rax:0x0\n".repeat(50));
        assert_eq!(last_words(&dump), "[FATAL x.cc:1]\n-> Assertion `a' failed.\nrax:0x0\nrax:0x0");
        assert_eq!(last_words("\n\n"), "rr said nothing");
        let rule = "-".repeat(50);
        let banner = format!("\u{7}\n{rule}\n ---> Reached target process 26299 at event 14.\n{rule}\n");
        assert_eq!(last_words(&banner), "rr said nothing");
        assert_eq!(last_words(&format!("{banner}[FATAL x.cc:1]\n")), "[FATAL x.cc:1]");
    }
}
