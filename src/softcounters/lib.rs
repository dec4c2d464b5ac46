//! Soft counters: rr on machines without performance counters.
//!
//! rr needs one hardware performance counter, retired conditional branches, to say *when* something happened. Most
//! virtual machines and containers offer none, and an unmodified rr then refuses to run. This module carries a small
//! shared object that is preloaded into the rr process (`LD_PRELOAD`) and supplies that counter in software. rr itself
//! is not changed, but for one number in its memory, nor are the programs it records.
//!
//! ```text
//! inspect()       says whether this rr can be served at all
//! install()       writes the object to a private directory, once
//! environment()   says what to put into rr's environment
//! arrival()       says what rr is told so that it need not single-step to where it wants to be
//! shook_hands()   says whether the object was loaded, from what a trial run printed
//! rr record …  and rr replay … then run as on a machine with a counter
//! ```
//!
//! # What a tick is
//!
//! One tick is one execution to completion of a conditional jump: `Jcc` in its short and near form, `LOOP`, `LOOPE`,
//! `LOOPNE` and `JRCXZ`, taken or not. Unconditional jumps, calls, returns, system calls, iterations of `REP`
//! instructions and instructions that faulted do not count; neither does what rr runs in a program for its own
//! purposes.
//!
//! # Why record and replay agree
//!
//! A tracee runs translations of its own code, which count their branches, from a code cache in its address space;
//! where there is none it is single-stepped, and counted by looking at the instruction before the step. Either way the
//! number of ticks depends on the sequence of instructions the program executed and on nothing else: not on time, not
//! on interrupts, not on how often or why the tracee was stopped, not on which of the two ways it went. That sequence
//! is a function of the program and of the inputs rr recorded. If both sides agree up to one event, they execute the
//! same instructions up to the next, count the same ticks, and agree there. `shim/cache/mod.rs` has the details.
//!
//! Overflow is exact, too. A hardware counter interrupts a few branches late; this one stops right after the branch
//! asked for, or a fixed number of branches later.
//!
//! # Exact arrival
//!
//! A hardware counter interrupts late, by up to a *skid* that rr has in a table of processors: 100 to 125 branches on
//! Intel, 10,000 on AMD Zen. So a replaying rr that wants to be at branch T, for an event that was asynchronous when it
//! was recorded or on the way back to an earlier point, asks for an overflow at T - skid and goes the rest by
//! breakpoints and single steps, some 20 microseconds and a dozen system calls each. If it has twice its skid or less
//! to go (or, on the way back, one skid), it asks for no overflow at all. Our counter has no skid, but rr does not
//! know. Three things make it arrive:
//!
//! - *It is told a kind of processor* by its global option `--microarch`: one with the smallest skid, of those whose
//!   name is in the rr program's file ([`arrival()`]). The kind has no other effect: rr's events are answered by us
//!   whatever their numbers, and so are the tests that it makes on a processor of that kind, but for one. That one
//!   makes its system calls itself and needs a software event, so the kind is told only where one can be opened. A
//!   recording does not say what kind of processor rr believed in. The user's own `--microarch` comes later on the
//!   command line and counts.
//! - *It is made to believe in a skid of one branch*, or of the least period of a counter if it adds that
//!   (`shim/belief.rs`). rr keeps the number from its table in a word of its own, which its function
//!   `rr::PerfCounters::skid_size()` reads (rr 5.6 to 5.10 export it), and all code in which that is inlined. The
//!   object finds the word by trying, in a forked child, which one the function's answer follows, to two other numbers,
//!   and changes it in rr. Where there is no such word rr goes on believing in its skid.
//! - *Overflows come late* by just the skid rr believes in (`shim/skid.rs`), so at T itself. Later than that rr has
//!   overshot, and the replay ends with an assertion; so the number is what rr's function says, and is not taken from a
//!   table of ours. It is asked when the first counter is opened, before which rr's table is not filled in, and in a
//!   forked child: if a future rr needs more for it than it is given, that child dies, and overflows come when they are
//!   asked for, as they do if there is no such function. That is right, and slow.
//!
//! The rule is that an overflow may come at any branch from the one asked for up to `skid_size()` after it: nothing
//! that rr compares depends on where in that range it is. A position of T ticks is never before the end of branch T, so
//! the end of branch T is not too late for any. An rr that is told no kind keeps its beliefs, and is asked for the skid
//! of its first processor. On AMD that is the skid of all. Intel's may be of two kinds, for each of which rr believes
//! in another: overflows are then late by the smallest, 100. While it records, rr has nothing to arrive at, and
//! overflows come when they are asked for.
//!
//! The branch that makes a counter overflow is evaluated, not executed (`shim/cache/branch.rs`): a single step costs
//! ten times as much as another stop where the processor is virtual, since the hypervisor takes its trap. The thread,
//! in the cache's exit by then, is brought to a stop of its own (`shim/overflow.rs`).
//!
//! What remains to be walked are two branches before an event, and in a reverse movement the instructions of the last
//! two ticks, which rr marks one by one; some of them may be before a target that is in the same tick as hundreds of
//! instructions. Each step takes 60 microseconds or more where the processor is virtual: 27 the step itself, the rest a
//! dozen system calls and what rr makes of them.
//!
//! Traps met: rr's function is inlined where rr itself needs it (at least in one package), so that a skid of zero
//! cannot be told by putting another function in its place; called, it reads the same table. The option's bare name
//! ends another text in rr's file, so the text of its help is looked for. The period of a counter comes with its
//! opening as well as by an `ioctl`. A period that stands for "never" gets the lateness, too, without harm. After a
//! single step for rr, its registers and its signal mask are known: rr's `PTRACE_GETREGS` and our own two questions at
//! its next step are answered from there, until a request comes that may change them.
//!
//! # What is interposed, and why
//!
//! rr calls these functions through libc, and the object's definitions come first:
//!
//! | function | why |
//! |---|---|
//! | `syscall` | `perf_event_open`: hardware events become counters of ours |
//! | `ioctl`, `fcntl`, `fcntl64` | start, stop, reset and period of a counter; its overflow signal |
//! | `read`, `poll`, `close` | the value of a counter; rr's check whether counters honour a new period; its end |
//! | `poll`, `close` | which descriptor is the debugger's, which is heard within long loops, too (`shim/interrupt.rs`) |
//! | `ptrace` | resumes of a tracee whose counter runs are carried out in the cache or as single steps; writes to code |
//! | `waitid`, `waitpid` | the stops in between are not shown to rr |
//! | `pwrite`, `pwrite64`, and `process_vm_writev` through `syscall` | writes to tracees' code, of breakpoints above all |
//! | `setitimer` | rr bounds a wait by a timer, whose signal may come while no wait is in progress |
//! | `fork` | children of rr start with a working CPUID instruction, see below |
//!
//! Everything else rr does goes to the kernel as it is. The counters rr opens on itself at start-up, to look for bugs
//! of the hardware, answer what a sound counter would.
//!
//! # What happens at each kind of stop
//!
//! The cache's own stops are described there; those of single steps are:
//!
//! | stop of a tracee being stepped | action |
//! |---|---|
//! | trap after a step | count; step on, unless rr asked for one step, a watchpoint matched, or the counter overflowed |
//! | overflow | the trap becomes the signal a hardware counter would have sent |
//! | breakpoint instruction, fault, any other signal, ptrace event | shown to rr unchanged |
//! | answer to `PTRACE_INTERRUPT` | shown to rr; if it came before the trap of a completed step, that is counted first |
//! | system call | entered by rr's own request, so that rr sees the stops it expects |
//! | step that only left the kernel or entered a signal handler | nothing is counted; shown if rr asked for a step |
//!
//! Before rr sees a stop, the traces of stepping are removed: the single-step bit in DR6, the trap flag in a word
//! stored by `PUSHF`, the unblocked `SIGTRAP`.
//!
//! rr makes CPUID fault in tracees. Under a hypervisor, switching that setting at every change between rr and tracee
//! can cost as much as everything else in a stop, so the object turns it on in rr's own main thread as well. A CPUID
//! instruction that rr executes faults, and the handler of that signal lifts the setting up to the next resume.
//!
//! # Cost
//!
//! A loop of a few instructions takes about its own time, other code two to four times as long. A program's start costs
//! what rr costs anyhow (each system call that is not buffered is two stops) and a stop for each page of code that is
//! new to the cache; translations are kept for other processes of the same run, and where those that were run begin is
//! kept for later runs, in a file beside the object. Code in memory that is writable is compared with what was
//! translated each time it is come to, five instructions for eight bytes, and again behind each store: a loop without
//! stores takes its own time, other code of just-in-time compilers some five times as long. What cannot be translated
//! is stepped, some 50,000 instructions per second: where the processor is virtual, a step costs ten times as much as
//! another stop.
//!
//! # System-call buffering
//!
//! rr's buffering lets frequent system calls run without a stop: a library of rr's in the program makes them from a
//! page of rr's own, where rr's seccomp filter lets them pass by their address, and writes down their results. So the
//! page's own instructions must be executed. The translation of a function there (`syscall` and `ret`) jumps to it,
//! with an address of the cache in the place of the return address, which is put back behind the call
//! (`shim/cache/rr_page.rs`). Nothing of the program's runs in between, and what the address is on is a stack of rr's
//! library. A thread that is stopped on the way, by a signal, an interrupt, a stop of the filter or its end, is shown
//! to rr with its own return address in place; it goes on from there as any other, since nothing is remembered.
//!
//! The cache is left by a stop of rr's filter then (`PTRACE_CONT`). That is sure to come: rr makes all that a program's
//! own filters deny stop as well, and filters that rr itself has been started under are asked whether they let the
//! cache's call pass. If the program has filters, they might judge the cache's call differently from the program's, so
//! that calls outside rr's page are made by the program itself, as without a buffer. Calls that change mappings or code
//! (`mprotect` and `madvise` are buffered, too) are left to the tracer, which must see them; that is two stops more
//! than one that is not buffered, and less work for rr. Branches are those of the library's code, the same in a replay,
//! which makes no call.
//!
//! A call that may block is guarded by an event for threads that lose the processor (`desched`). Any stop is such a
//! loss, so that a stop of ours between its begin and its end looks like a call that blocks, at which rr looks in vain:
//! that is slow, not wrong, and happens where code is new to the cache. Calls that do block cost several stops more
//! than without a buffer, with any counter: two processes that wait for each other at each byte are recorded with 2.5
//! times, and replayed with 1.7 times the processor time.
//!
//! A loop of 40,000 `getpid` and as many `read` takes 0.16 s of processor time to record and 0.06 s to replay; without
//! the buffer 4.2 and 1.7 s. `true`, `git --version`, `python3 -c 'print(1)'` and `gcc -c` take the same with and
//! without.
//!
//! A signal that comes within a buffered call is kept by rr until that is over, with all other signals blocked. In rr
//! 5.10 the end of a time slice that comes meanwhile is kept beside it, and the signal is then delivered with rr's mask
//! in place, with which the program goes on. So an overflow waits while rr keeps a signal (`shim/tracee.rs`): only a
//! mask of rr's own has the bits of `SIGKILL` and `SIGSTOP`. (Hardware's overflows do not wait: chaos mode with many
//! signals and the buffer is better not used with it.)
//!
//! What guards a call is either a count of context switches, which takes privileges where `kernel.perf_event_paranoid`
//! is above 1, or a record of them, which takes none but Linux 6.10 and rr 5.9. An rr with privileges would have the
//! former, and what it records ends where it gives them up and begins a thread: it is told to have the latter
//! (`shim/privileges.rs`).
//!
//! The buffer is not used if that is not wanted ([`BUFFER`]), where neither guard can be had, and where the kernel does
//! not tell how many filters a thread has, before Linux 5.9 ([`record_options`]).
//!
//! # Other machines
//!
//! The header of a trace (`traceinfo`) says what kind of event was counted, `rcb`, which is the same for hardware and
//! soft counters on x86-64; it does not say who counted, and need not: what the processor counts is what we count.
//! Recordings of hardware counters (rr 5.9 on AMD Zen, with system-call buffering and in chaos mode: threads, timers,
//! shells, compilers, Python) replayed under soft counters with equal output, 20 of 20, and 8 of 8 the other way round;
//! `tests/rounds/crossing.rs` does that as often as is wanted. So a recording can be made where there is a counter, at
//! full speed, and be looked at anywhere. Which counters replay it is decided in `rr/replay_counters.rs`: those it was
//! made with, which a file in it names; but a recording of hardware, or of an rr without us, is replayed with soft
//! counters where hardware's cannot be had, and on AMD, where they arrive sooner (all that is said above holds, as a
//! position of hardware's is one of ours), and one of soft counters with hardware's where soft ones cannot be had.
//!
//! What else rr checks at replay is looked at before (`rr/compatibility.rs`), and said in words: that CPUID can be made
//! to fault if it was so at recording (else that the model of the processor is the same), the layout of the XSAVE area,
//! the size of addresses. Nothing says what instructions a program has used, only what its processor offered; what this
//! one lacks of that is told, and named again if the replay fails. A recording made with `-F` in spite of what rr had
//! found wrong with the processor's counters is replayed with `-F`. Where an rr is told that, it waits for a debugger
//! when it fails; ours are ended instead.
//!
//! # Probes
//!
//! What runs translated can be looked at as it goes by: the module [`probes`] tells of every execution of an
//! instruction, at the price of one replay.
//!
//! # Limits
//!
//! - x86-64 Linux 5.3 or later, glibc, 64-bit tracees. A 32-bit program ends rr with a message when it is started.
//! - The rr program must be dynamically linked.
//! - A recording of hardware counters in which a 32-bit program runs cannot be replayed with soft ones. One made where
//!   CPUID was made to fault (most Intel processors, if no hypervisor is in between) needs a machine that can do it.
//! - rr's own check `--check-cached-mmaps` ends with an assertion: it does not know of the cache's mapping.
//! - A program that *ignores* `SIGTRAP` finds it set to its default action: the kernel resets it at the first step, of
//!   which there are few. Blocking and handling it work.
//! - A program sees the cache in its own `/proc/self/maps`, 48 MiB at 0x5c000000, and against its limit of address
//!   space. One that maps something there gets the place, also by `MAP_FIXED_NOREPLACE`, and is stepped from then on;
//!   so is one that leaves no room.
//! - An instruction that overwrites the one after it by a push, or relative to the stack pointer, goes unnoticed, and
//!   so does a private mapping of a file that is rewritten underneath. A watchpoint for reads of code in writable
//!   memory is hit by the looks at it.
//! - System calls that rr 5.10 does not know are answered `ENOSYS` while a program is recorded, as an older kernel does
//!   (`shim/refused.rs`): `cachestat`, `futex_wait`, `vmsplice`, `mseal` and others.
//! - A program that sets the trap flag, by `POPF` or in the frame of a signal, ends rr with a message. The vsyscall
//!   page is not supported.
//! - `perf_event_open` must be permitted for a software event; where it is not, rr needs its option `-F` on Intel
//!   processors. rr must know the processor model where it is not told one. rr 5.6.0 passes its own checks of
//!   the counters and runs no program on kernels from 6.13 on, with or without us: it does not know their
//!   `[vvar_vclock]`.
//!
//! # Diagnosis
//!
//! In rr's environment: `RETROGRADE_SOFT_LOG=1` (unusual events), `2` (also resumes and stops as rr sees them) or `3`
//! (also each resume of ours) writes to standard error; `RETROGRADE_SOFT_STATS=1` prints totals when rr ends;
//! `RETROGRADE_SOFT_CPUID=0` leaves CPUID in rr alone; `RETROGRADE_SOFT_MODE=step` steps everything,
//! `branch` has each branch counted by itself, not where a block of translated code is left;
//! `RETROGRADE_SOFT_BATCH` is the number of blocks translated at once; `RETROGRADE_SOFT_REGION` limits the cache, in
//! bytes with its tables, to force it to begin anew; `RETROGRADE_SOFT_LEND` limits the branches that are run at a time,
//! to force exits for more; `RETROGRADE_SOFT_STORE=0` keeps nothing for later runs; `RETROGRADE_SOFT_SHARE=0` has what
//! probes tell copied out of the program; `RETROGRADE_SOFT_REFUSED` lists the numbers of the system calls that a
//! recording answers `ENOSYS`; `RETROGRADE_SOFT_LATE` is how late overflows come at most when retrograde
//! replays: a number, or `most` for what rr believes by itself; with `0` rr is not told a kind of processor, either
//! (the statistics' `lateness` is what came of it).

mod arrival;
#[path = "shim/kernel.rs"]
mod kernel;
pub mod probes;
mod refused;
#[expect(unsafe_code, reason = "whether a file has capabilities is asked of the system")]
mod selftest;
#[expect(unsafe_code, reason = "whose a directory is, is asked of the system")]
mod store;

pub use arrival::{Arrival, LATENESS, arrival};
pub use kernel::records_switches;
pub use refused::{REFUSED, is_refused, refused_calls};
pub use selftest::{Obstacle, ProgramFacts, handshake, inspect, shook_hands};

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};

/// The object, compiled by the build script; empty where it is not available.
const OBJECT: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/softcounters.so"));

/// Where soft counters keep their code cache in each recorded process (`shim/cache/layout.rs`).
pub const CODE_CACHE: std::ops::Range<u64> = 0x5c00_0000..0x5f00_0000;

/// Name of the facility, for messages.
pub const NAME: &str = "soft counters";

/// By `0` in this environment variable recordings are made without rr's system-call buffer.
pub const BUFFER: &str = "RETROGRADE_SOFT_BUFFER";

/// Returns what `rr record` must be given besides the usual: no system-call buffer, if that is not `wanted` (what [`BUFFER`]
/// is), if the kernel does not let this user `guard` calls that block, or on kernels before 5.9, where it would make
/// recording slower (see the [module](self)). `rr replay` needs nothing.
pub fn record_options(wanted: Option<&OsStr>, guard: bool) -> &'static [&'static str] {
    let tells_filters = |status: String| status.lines().any(|line| line.starts_with("Seccomp_filters:"));
    let is_wanted = guard && wanted.is_none_or(|wanted| wanted != "0");
    match is_wanted && std::fs::read_to_string("/proc/self/status").is_ok_and(tells_filters) {
        true => &[],
        false => &["-n"],
    }
}

/// Returns one sentence on the cost, for people.
pub fn slowdown_estimate() -> &'static str {
    "soft counters run programs at a half to a quarter of their speed, and code in writable memory (just-in-time compilers) at \
     a fifth of it, or at its own in small loops; time spent waiting costs nothing"
}

/// Returns whether this build carries the object: on x86-64 Linux with glibc.
pub fn available() -> bool {
    cfg!(soft_counters)
}

/// Makes the object available as a file and returns its path, which is suitable for `LD_PRELOAD`.
///
/// The file lies in a directory only this user can enter: `$XDG_CACHE_HOME/retrograde/soft-counters`, else the same
/// below `~/.cache`, else one in the directory for temporary files. Its name depends on its content, so that several
/// versions live side by side; content already there is compared before it is used.
///
/// # Errors
/// [`io::ErrorKind::Unsupported`] if the object is not [`available`]; else the reason why the last of these directories
/// was unsuitable.
pub fn install() -> io::Result<PathBuf> {
    if !available() {
        let why = format!("{NAME} are not available on this architecture (they need x86-64 Linux with glibc)");
        return Err(io::Error::new(io::ErrorKind::Unsupported, why));
    }
    store::install(OBJECT, &store::candidates(|name| std::env::var_os(name)))
}

/// Returns the environment variables that make rr load `object`, a path from [`install`].
///
/// `inherited_ld_preload` is the value rr would have without soft counters. The object removes itself from the variable
/// in rr, so that recorded programs get exactly that value.
pub fn environment(object: &Path, inherited_ld_preload: Option<OsString>) -> Vec<(OsString, OsString)> {
    let mut value = object.as_os_str().to_owned();
    if let Some(inherited) = inherited_ld_preload.filter(|inherited| !inherited.is_empty()) {
        value.push(OsStr::new(":"));
        value.push(inherited);
    }
    vec![(OsString::from("LD_PRELOAD"), value)]
}

#[cfg(test)]
#[expect(unsafe_code, unreachable_pub, reason = "children are traced, and memory is shared with them")]
mod tests;

#[cfg(test)]
#[expect(clippy::print_stdout, reason = "what came of a longer run")]
#[allow(dead_code, reason = "each crate uses a part of it")]
#[path = "../../tests/support/fuzz.rs"]
mod fuzz;

/// The parts of the object that are pure computation, compiled here for their tests only, which do not use all of them.
#[cfg(test)]
#[allow(dead_code, unsafe_code, unreachable_pub, reason = "the object is a crate of its own")]
mod shim {
    use super::kernel;

    mod belief;
    pub mod cache {
        pub mod asm;
        pub mod block;
        pub mod branch;
        pub mod class;
        mod code;
        pub mod count;
        pub mod exits;
        mod guard;
        mod index;
        pub mod insn;
        pub mod layout;
        mod made;
        mod maps;
        pub mod masks;
        pub mod operand;
        mod pages;
        pub mod piece;
        mod placed;
        pub mod reads;
        mod region_changes;
        pub mod requirement;
        mod rr_page;
        mod save;
        pub mod site;
        mod store;
        pub mod stubs;
        pub mod translate;
        pub mod unroll;
        mod vectors;
        pub mod watch;
        pub mod writes;
        pub mod x87;
    }
    mod counter;
    mod decode;
    pub mod extended;
    mod memory;
    mod memory_calls;
    mod numbers;
    mod preload;
    mod privileges;
    pub mod probe {
        pub mod foreign;
        pub mod frame;
        pub mod hits;
        mod last;
        pub mod list;
        mod modules;
        mod newest;
        pub mod packed;
        pub mod tally;
        pub mod watches;
    }
    mod ranges;
    mod skid;
    mod slice;
    mod stop;
    mod sys;
}
