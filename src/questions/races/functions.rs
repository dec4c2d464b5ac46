//! The functions by which threads exclude and await each other, and where they are looked at.

use crate::calls::MOST_PROBES;
use crate::error::Error;
use crate::frame::{RSP, register_name};
use crate::function::{Draft, Subject, jumped_to};
use crate::place::functions;
use crate::program::Program;
use softcounters::probes::{Place, Probe, Register, Value};

/// What a function does; mostly with its first argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Act {
    /// It takes a lock, alone or with others; it says by zero that it has, or that the one that had it is no more.
    Take { is_shared: bool },
    /// It lets it go.
    Leave,
    /// It awaits the end of a thread.
    Join,
    /// It lets others that await this go on.
    Post,
    /// It awaits that.
    Wait,
    /// It awaits that others have come so far.
    Meet,
    /// The thread that calls it is about to end.
    End,
}

const ALONE: Act = Act::Take { is_shared: false };
const SHARED: Act = Act::Take { is_shared: true };

/// Functions of the C library.
const OF_C: [(&str, Act); 30] = [
    ("pthread_mutex_lock", ALONE),
    ("pthread_mutex_trylock", ALONE),
    ("pthread_mutex_timedlock", ALONE),
    ("pthread_mutex_clocklock", ALONE),
    ("pthread_mutex_unlock", Act::Leave),
    ("pthread_rwlock_wrlock", ALONE),
    ("pthread_rwlock_trywrlock", ALONE),
    ("pthread_rwlock_timedwrlock", ALONE),
    ("pthread_rwlock_clockwrlock", ALONE),
    ("pthread_rwlock_rdlock", SHARED),
    ("pthread_rwlock_tryrdlock", SHARED),
    ("pthread_rwlock_timedrdlock", SHARED),
    ("pthread_rwlock_clockrdlock", SHARED),
    ("pthread_rwlock_unlock", Act::Leave),
    ("pthread_spin_lock", ALONE),
    ("pthread_spin_trylock", ALONE),
    ("pthread_spin_unlock", Act::Leave),
    ("pthread_join", Act::Join),
    ("pthread_tryjoin_np", Act::Join),
    ("pthread_timedjoin_np", Act::Join),
    ("pthread_clockjoin_np", Act::Join),
    ("sem_post", Act::Post),
    ("sem_wait", Act::Wait),
    ("sem_trywait", Act::Wait),
    ("sem_timedwait", Act::Wait),
    ("sem_clockwait", Act::Wait),
    ("pthread_barrier_wait", Act::Meet),
    ("thrd_join", Act::Join),
    ("__call_tls_dtors", Act::End),
    ("pthread_exit", Act::End),
];

/// What a probe is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// A function begins.
    Enter(Act),
    /// One of them returns.
    Return,
}

/// Returns the probes, what each is for, and whether any of them is of a function that takes locks.
pub(super) fn probes(program: &Program) -> Result<(Vec<Probe>, Vec<Role>, bool), Error> {
    let mut subjects: Vec<(Subject, Option<Act>)> = Vec::new();
    for (name, act) in OF_C {
        let found = match functions(program, name, false) {
            Ok(found) => found.all,
            Err(Error::Question(_) | Error::NoPlace(_)) => continue,
            Err(other) => return Err(other),
        };
        for asked in found {
            let key = (asked.module, asked.function.entry);
            if subjects.iter().all(|(subject, _)| (subject.asked.module, subject.asked.function.entry) != key) {
                subjects.push((Draft::hidden(program, asked)?.finish(), Some(act)));
            }
        }
    }
    // What they end with may be others' code.
    let mut looked = 0;
    while let Some((subject, _)) = subjects.get(looked) {
        let module = subject.asked.module;
        let jumps: Vec<_> = subject.exits.tails.iter().map(|tail| tail.to).collect();
        looked += 1;
        for to in jumps {
            let Some(asked) = jumped_to(program, module, to) else { continue };
            let key = (asked.module, asked.function.entry);
            let is_known = subjects.iter().any(|(s, _)| (s.asked.module, s.asked.function.entry) == key);
            if !is_known && subjects.len() < MOST_SUBJECTS {
                subjects.push((Draft::hidden(program, asked)?.finish(), None));
            }
        }
    }
    let named = |name: &str| Register::named(name).map(Value::Register);
    let sp = || named(register_name(RSP));
    let caller = Register::named(register_name(RSP)).map(|base| Value::Memory { base, steps: vec![0], length: 8 });
    let (mut all, mut roles, mut has_locks) = (Vec::new(), Vec::new(), false);
    for (subject, act) in &subjects {
        let Some(module) = program.module(subject.asked.module) else { continue };
        let mut add = |address: u64, values: Vec<Value>, role: Role| {
            all.push(Probe::new(Place::Module { module: module.identity.clone(), address }, values));
            roles.push(role);
        };
        if let Some(act) = act {
            has_locks |= matches!(act, Act::Take { .. });
            let values = [sp(), named("rdi"), named("fs"), caller.clone()];
            add(subject.asked.function.entry.0, values.into_iter().flatten().collect(), Role::Enter(*act));
        }
        for at in &subject.exits.returns {
            add(at.0, [sp(), named("rax")].into_iter().flatten().collect(), Role::Return);
        }
    }
    all.truncate(MOST_PROBES);
    roles.truncate(MOST_PROBES);
    Ok((all, roles, has_locks))
}

/// Most functions that are looked at.
const MOST_SUBJECTS: usize = 200;
