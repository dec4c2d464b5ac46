//! Two threads that wait for each other's locks; who has what, and who wants what, is written down.

use std::fs::{self, File};
use std::io::Write;
use std::sync::atomic::{AtomicI32, AtomicU32, Ordering::SeqCst};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread;

static FIRST: Mutex<i32> = Mutex::new(0);
static READY: AtomicU32 = AtomicU32::new(0);
static IDS: [AtomicI32; 2] = [AtomicI32::new(0), AtomicI32::new(0)];

fn own_id() -> i32 {
    let link = fs::read_link("/proc/thread-self").unwrap();
    link.file_name().unwrap().to_str().unwrap().parse().unwrap()
}

fn both() {
    READY.fetch_add(1, SeqCst);
    while READY.load(SeqCst) < 2 {
        thread::yield_now();
    }
}

#[inline(never)]
fn taken<'a>(log: &mut File, lock: &'a Mutex<i32>, name: &str) -> MutexGuard<'a, i32> {
    writeln!(log, "wants {} {name}", own_id()).unwrap();
    let guard = lock.lock().unwrap();
    writeln!(log, "has {} {name}", own_id()).unwrap();
    guard
}

fn sleeps(id: i32) -> bool {
    let text = fs::read_to_string(format!("/proc/self/task/{id}/stat")).unwrap_or_default();
    text.rsplit_once(')').is_some_and(|(_, rest)| rest.starts_with(" S"))
}

fn main() {
    let path = std::env::args().next_back().unwrap();
    let log = File::create(path).unwrap();
    let second = Arc::new(Mutex::new(1));
    for forth in [true, false] {
        let (second, mut log) = (second.clone(), log.try_clone().unwrap());
        thread::spawn(move || {
            let own = own_id();
            let (held, wanted) = if forth { (&FIRST, &*second) } else { (&*second, &FIRST) };
            let names = if forth { ["FIRST", "second"] } else { ["second", "FIRST"] };
            let _held = taken(&mut log, held, names[0]);
            both();
            IDS[usize::from(!forth)].store(own, SeqCst);
            let _wanted = taken(&mut log, wanted, names[1]);
        });
    }
    while IDS.iter().any(|id| id.load(SeqCst) == 0 || !sleeps(id.load(SeqCst))) {
        thread::yield_now();
    }
    std::process::abort();
}
