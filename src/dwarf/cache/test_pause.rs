//! For tests: holds up a thread of the library.

use std::sync::{Condvar, Mutex};

/// What a thread of the library waits for until a test lets it go on.
#[derive(Debug, Default)]
pub(in crate::dwarf) struct Gate {
    is_open: Mutex<bool>,
    opened: Condvar,
}

impl Gate {
    pub(in crate::dwarf) fn wait(&self) {
        drop(self.opened.wait_while(self.is_open.lock().unwrap(), |open| !*open).unwrap());
    }

    pub(in crate::dwarf) fn open(&self) {
        *self.is_open.lock().unwrap() = true;
        self.opened.notify_all();
    }
}
