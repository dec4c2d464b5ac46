//! When events were recorded.

use crate::api::error::Error;
use crate::session::engine::Engine;
use rr::EventTime;

impl Engine {
    /// Reads when the event was recorded that is under way.
    pub fn event_time(&mut self) -> Result<EventTime, Error> {
        let under_way = self.event()?.saturating_add(1);
        let found = rr::event_time(self.recording()?, under_way, self.cancel())?;
        found.ok_or(Error::Incomplete("time of any event: the recording has none"))
    }

    /// Reads the number of the last event of the recording, as rr's `when-end` tells it.
    pub fn last_event(&mut self) -> Result<u64, Error> {
        rr::last_event(self.recording()?)?.ok_or(Error::Incomplete("event: the recording has none"))
    }
}
