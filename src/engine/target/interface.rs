//! What the engine asks of a replay, as a trait: [`rsp::Client`] in earnest, a scripted machine in tests.

use arch::{RegisterLayout, Registers, RunAddr, ThreadId};
use base::cancel::Cancel;
use rsp::{Abilities, Break, Moment, Outcome, Restart, Resume, StopReply, Traffic};
use std::sync::Arc;
use std::time::Duration;

type Result<T> = std::result::Result<T, rsp::Error>;

/// A replayed process, one request at a time. The meaning of each method is that of [`rsp::Client`]'s.
pub(crate) trait RemoteTarget: Send {
    fn layout(&self) -> Arc<RegisterLayout>;
    fn set_request_timeout(&mut self, after: Duration);
    fn last_stop(&mut self) -> Result<StopReply>;
    fn threads(&mut self) -> Result<Vec<ThreadId>>;
    fn thread_name(&mut self, thread: ThreadId) -> Result<Option<String>>;
    fn registers(&mut self, thread: ThreadId) -> Result<Registers>;
    fn read_memory(&mut self, at: RunAddr, len: usize) -> Result<Vec<u8>>;
    fn pass_signals(&mut self, numbers: &[u8]) -> Result<()>;
    fn set_breaks(&mut self, wanted: &[Break]) -> Result<()>;
    fn insert_breaks(&mut self) -> Result<()>;
    fn resume(&mut self, how: Resume, cancel: &Cancel) -> Result<Outcome>;
    fn restart(&mut self, to: Restart, deadline: Duration) -> Result<StopReply>;
    fn moment(&mut self, thread: ThreadId) -> Result<Moment>;
    fn checkpoint(&mut self, place: &str) -> Result<u64>;
    fn delete_checkpoint(&mut self, id: u64) -> Result<()>;
    fn auxv(&mut self) -> Result<Vec<u8>>;
    fn exec_file(&mut self) -> Result<String>;
    fn mappings(&mut self) -> Result<String> {
        Err(rsp::Error::Unsupported { request: "vFile".to_owned() })
    }
    fn signal_info(&mut self, _thread: ThreadId) -> Result<Vec<u8>> {
        Err(rsp::Error::Unsupported { request: "qXfer:siginfo".to_owned() })
    }
    fn begin_diversion(&mut self, _thread: ThreadId) -> Result<()> {
        Err(rsp::Error::Unsupported { request: "qXfer:siginfo".to_owned() })
    }
    fn write_memory(&mut self, _at: RunAddr, _bytes: &[u8]) -> Result<()> {
        Err(rsp::Error::Unsupported { request: "M".to_owned() })
    }
    fn write_register(&mut self, _thread: ThreadId, _number: u32, _bytes: &[u8]) -> Result<()> {
        Err(rsp::Error::Unsupported { request: "P".to_owned() })
    }
    fn run_diverted(&mut self, _: ThreadId, _until: RunAddr, _patience: Duration, _: &Cancel) -> Result<Outcome> {
        Err(rsp::Error::Unsupported { request: "vCont".to_owned() })
    }
    fn end_diversion(&mut self) -> Result<()> {
        Ok(())
    }
    fn traffic(&self) -> Traffic;
    fn set_cancel(&mut self, _cancel: &Cancel) {}
    fn abilities(&self) -> Abilities {
        Abilities { reverse: true, time: true }
    }
}

impl RemoteTarget for rsp::Client {
    fn layout(&self) -> Arc<RegisterLayout> {
        Self::layout(self).clone()
    }
    fn set_request_timeout(&mut self, after: Duration) {
        Self::set_request_timeout(self, after);
    }
    fn last_stop(&mut self) -> Result<StopReply> {
        Self::last_stop(self)
    }
    fn threads(&mut self) -> Result<Vec<ThreadId>> {
        Self::threads(self)
    }
    fn thread_name(&mut self, thread: ThreadId) -> Result<Option<String>> {
        Self::thread_name(self, thread)
    }
    fn registers(&mut self, thread: ThreadId) -> Result<Registers> {
        Self::registers(self, thread)
    }
    fn read_memory(&mut self, at: RunAddr, len: usize) -> Result<Vec<u8>> {
        Self::read_memory(self, at, len)
    }
    fn pass_signals(&mut self, numbers: &[u8]) -> Result<()> {
        Self::pass_signals(self, numbers)
    }
    fn set_breaks(&mut self, wanted: &[Break]) -> Result<()> {
        Self::set_breaks(self, wanted)
    }
    fn insert_breaks(&mut self) -> Result<()> {
        Self::insert_breaks(self)
    }
    fn resume(&mut self, how: Resume, cancel: &Cancel) -> Result<Outcome> {
        Self::resume(self, how, cancel)
    }
    fn restart(&mut self, to: Restart, deadline: Duration) -> Result<StopReply> {
        Self::restart(self, to, deadline)
    }
    fn moment(&mut self, thread: ThreadId) -> Result<Moment> {
        Self::moment(self, thread)
    }
    fn checkpoint(&mut self, place: &str) -> Result<u64> {
        Self::checkpoint(self, place)
    }
    fn delete_checkpoint(&mut self, id: u64) -> Result<()> {
        Self::delete_checkpoint(self, id)
    }
    fn auxv(&mut self) -> Result<Vec<u8>> {
        Self::auxv(self)
    }
    fn exec_file(&mut self) -> Result<String> {
        Self::exec_file(self)
    }
    fn mappings(&mut self) -> Result<String> {
        Self::mappings(self)
    }
    fn signal_info(&mut self, thread: ThreadId) -> Result<Vec<u8>> {
        Self::signal_info(self, thread)
    }
    fn begin_diversion(&mut self, thread: ThreadId) -> Result<()> {
        Self::begin_diversion(self, thread)
    }
    fn write_memory(&mut self, at: RunAddr, bytes: &[u8]) -> Result<()> {
        Self::write_memory(self, at, bytes)
    }
    fn write_register(&mut self, thread: ThreadId, number: u32, bytes: &[u8]) -> Result<()> {
        Self::write_register(self, thread, number, bytes)
    }
    fn run_diverted(
        &mut self,
        thread: ThreadId,
        until: RunAddr,
        patience: Duration,
        cancel: &Cancel,
    ) -> Result<Outcome> {
        Self::run_diverted(self, thread, until, patience, cancel)
    }
    fn end_diversion(&mut self) -> Result<()> {
        Self::end_diversion(self)
    }
    fn traffic(&self) -> Traffic {
        Self::traffic(self)
    }
    fn set_cancel(&mut self, cancel: &Cancel) {
        Self::set_cancel(self, cancel);
    }
    fn abilities(&self) -> Abilities {
        Self::abilities(self)
    }
}
