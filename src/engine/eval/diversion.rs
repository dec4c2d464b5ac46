//! The copy of the process in which functions are called: beginning and leaving it.

use crate::api::error::Error;
use crate::eval::call::{Calls, ResultPlace};
use crate::eval::inferior::Inferior;
use crate::modules::auxv::Auxv;
use arch::{RunAddr, ThreadId};
use std::time::Duration;

/// How long one call may take, unless the session's limit for expressions is longer.
pub(crate) const LIMIT: Duration = Duration::from_secs(5);

/// GNU's `stdout`.
pub(crate) const STDOUT: &str = "_IO_2_1_stdout_";
/// Where GNU's `FILE` has the address of its lock, which is 0 while nobody holds it.
const FILE_LOCK: u64 = 0x88;
/// Where it has the beginning and the end of what is to be written.
const WRITE_BASE: u64 = 0x20;
const WRITE_POINTER: u64 = 0x28;

impl Inferior {
    /// Begins a copy of the process in which a thread calls functions. `rules`: where these return values.
    pub(crate) fn begin_calls(&mut self, thread: ThreadId, rules: ResultPlace) -> Result<(), Error> {
        let process = &mut self.process;
        let entry = Auxv::parse(&process.auxv()?).entry;
        let unknown = || Error::Expression("it is not known where the program begins, to return to".to_owned());
        let return_to = entry.map(RunAddr).ok_or_else(unknown)?;
        let sp = process.registers(thread)?.sp().unwrap_or_default();
        let stack = process.mappings()?.into_iter().find(|mapping| mapping.contains(sp.wrapping_sub(1)));
        let lowest = stack.map_or(u64::MAX, |stack| stack.start.0);
        let cancel = process.cancel().clone();
        process.begin_diversion(thread)?;
        self.calls = Some(Calls {
            rules,
            return_to,
            thread,
            cancel,
            limit: LIMIT,
            lowest,
            used: None,
            failed: None,
            over: None,
        });
        Ok(())
    }

    /// Leaves the copy: all is as it was.
    ///
    /// # Errors
    /// rr does not answer any more, and is to be replaced.
    pub(crate) fn end_calls(&mut self) -> Result<(), Error> {
        let failed = self.calls.take().and_then(|calls| calls.failed);
        let ended = self.process.end_diversion();
        for error in [failed, ended.err()].into_iter().flatten() {
            if error.ends_replay() {
                self.process.take_failure();
                return Err(error);
            }
        }
        Ok(())
    }

    /// Has the copy forget what its `stdout` holds that the program has yet to write: it is no output of the calls.
    pub(crate) fn forget_unwritten(&mut self) -> Result<(), Error> {
        let Some(stdout) = self.idle_stdout() else { return Ok(()) };
        match self.process.read_u64(stdout.wrapping_add(WRITE_BASE)) {
            Some(base) => self.process.write_memory(RunAddr(stdout.wrapping_add(WRITE_POINTER)), &base.to_le_bytes()),
            None => Ok(()),
        }
    }

    /// Finds GNU's `stdout`, if nobody is at work on it: who waits for that would wait for ever.
    pub(crate) fn idle_stdout(&mut self) -> Option<u64> {
        let found = self.modules.user().find_map(|module| {
            let symbol = module.image.symbols_named(STDOUT).into_iter().find(|symbol| symbol.address.0 != 0)?;
            Some(symbol.address.at(module.bias).0)
        })?;
        let lock = self.process.read_u64(found.checked_add(FILE_LOCK)?)?;
        (self.process.read_u64(lock)? as u32 == 0).then_some(found)
    }
}
