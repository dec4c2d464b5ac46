//! One run of a command: its output, and the time it took.

use std::io::{self, Read};
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// What a run took.
#[derive(Clone, Copy, Debug)]
pub struct Time {
    /// From the start of the process to its end.
    pub wall: Duration,
    /// Processor time of the process and all it waited for, in the kernel too; none if it was not measured.
    pub cpu: Option<Duration>,
}

/// How a run ended and what it wrote to stdout.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The exit status.
    pub status: ExitStatus,
    /// What it wrote. Lines that start with `~ ` are left out: a program marks by that what differs from run to run.
    pub output: String,
}

/// Runs the command to its end, in our process group and without stdin. A run that exceeds `deadline` ends the bench.
#[expect(clippy::zombie_processes, reason = "waited for below, by the call that also tells the processor time")]
pub fn run(command: &mut Command, deadline: Duration) -> (Outcome, Time) {
    let start = Instant::now();
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap_or_else(|e| panic!("{command:?}: {e}"));
    let mut stdout = child.stdout.take().expect("a pipe was asked for");
    let mut stderr = child.stderr.take().expect("a pipe was asked for");
    let reader = std::thread::spawn(move || {
        let mut bytes = Vec::new();
        stdout.read_to_end(&mut bytes).map(|_| bytes)
    });
    let errors = std::thread::spawn(move || {
        let mut bytes = Vec::new();
        stderr.read_to_end(&mut bytes).map(|_| bytes)
    });
    let (status, time) = wait(&child, start, deadline).unwrap_or_else(|e| panic!("{command:?}: {e}"));
    let text = |bytes: std::thread::Result<io::Result<Vec<u8>>>| {
        String::from_utf8_lossy(&bytes.expect("reading does not panic").expect("a pipe can be read")).into_owned()
    };
    let (output, errors) = (text(reader.join()), text(errors.join()));
    assert!(!errors.contains("[FATAL"), "{command:?}: {errors}");
    let output = output.lines().filter(|line| !line.starts_with("~ ")).map(|line| format!("{line}\n")).collect();
    (Outcome { status, output }, time)
}

/// Waits as [`Child::wait`] does, and learns the processor time.
fn wait(child: &Child, start: Instant, deadline: Duration) -> io::Result<(ExitStatus, Time)> {
    let pid = libc::pid_t::try_from(child.id()).map_err(io::Error::other)?;
    let (ended, watched) = channel::<()>();
    let watchdog = std::thread::spawn(move || {
        let late = watched.recv_timeout(deadline) == Err(RecvTimeoutError::Timeout);
        if late {
            // SAFETY: a plain system call. The child has not been reaped: that is done after this thread has ended.
            unsafe { libc::kill(pid, libc::SIGKILL) };
        }
        late
    });
    // SAFETY: all zeros is a valid siginfo_t and a valid rusage, and both are ours to write to.
    let (result, wall) = unsafe {
        let mut info: libc::siginfo_t = std::mem::zeroed();
        let result = libc::waitid(libc::P_PID, child.id(), &raw mut info, libc::WEXITED | libc::WNOWAIT);
        (result, start.elapsed())
    };
    drop(ended);
    let late = watchdog.join().expect("the watchdog does not panic");
    if result != 0 {
        return Err(io::Error::last_os_error());
    }
    let mut status = 0;
    // SAFETY: as above.
    let usage = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        if libc::wait4(pid, &raw mut status, 0, &raw mut usage) != pid {
            return Err(io::Error::last_os_error());
        }
        usage
    };
    if late {
        return Err(io::Error::other(format!("not done after {deadline:?}")));
    }
    let time = |t: libc::timeval| {
        Duration::from_secs(u64::try_from(t.tv_sec).unwrap_or(0))
            + Duration::from_micros(u64::try_from(t.tv_usec).unwrap_or(0))
    };
    let cpu = Some(time(usage.ru_utime) + time(usage.ru_stime));
    Ok((ExitStatus::from_raw(status), Time { wall, cpu }))
}
