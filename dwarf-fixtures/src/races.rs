//! Variables that two threads access, in order and not. Each line that does so has a mark.

use std::ptr::{addr_of_mut, read_volatile, write_volatile};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, RwLock};
use std::thread;

static LOCK: Mutex<()> = Mutex::new(());
static MANY: RwLock<u32> = RwLock::new(0);
static COUNTED: AtomicU32 = AtomicU32::new(0);
static mut RACY: u32 = 0;
static mut LOCKED: u32 = 0;
static mut SHARED: u32 = 0;
static mut HANDED: u32 = 0;

fn work(number: u32) {
    unsafe {
        let racy = read_volatile(addr_of_mut!(RACY)); // @racy-read
        write_volatile(addr_of_mut!(RACY), racy + number); // @racy-write
    }
    {
        let _guard = LOCK.lock().unwrap();
        unsafe {
            let locked = read_volatile(addr_of_mut!(LOCKED)); // @locked-read
            write_volatile(addr_of_mut!(LOCKED), locked + number); // @locked-write
        }
    }
    {
        let mut many = MANY.write().unwrap();
        *many += number;
        unsafe { write_volatile(addr_of_mut!(SHARED), *many) }; // @shared-write
    }
    {
        let many = MANY.read().unwrap();
        let shared = unsafe { read_volatile(addr_of_mut!(SHARED)) }; // @shared-read
        assert!(shared == *many);
    }
    COUNTED.fetch_add(number, Ordering::SeqCst); // @counted
}

fn main() {
    unsafe { write_volatile(addr_of_mut!(HANDED), 7) }; // @handed-before
    let one = thread::spawn(|| work(1));
    let other = thread::spawn(|| {
        work(2);
        unsafe { write_volatile(addr_of_mut!(HANDED), 8) }; // @handed-thread
    });
    one.join().unwrap();
    other.join().unwrap();
    let (locked, handed) = unsafe { (read_volatile(addr_of_mut!(LOCKED)), read_volatile(addr_of_mut!(HANDED))) }; // @handed-after
    println!("{locked} {handed} {}", COUNTED.load(Ordering::SeqCst));
    std::process::abort();
}
