//! What the process executes.

use crate::api::error::Error;
use crate::session::engine::Engine;
use rr::CommandLine;

impl Engine {
    /// Reads what the process executes at this moment: the file, and the words of its command line. `None`: the
    /// recording does not have it.
    pub fn command_line(&mut self) -> Result<Option<CommandLine>, Error> {
        let (event, pid) = (self.event()?, self.pid());
        Ok(rr::command_line(self.recording()?, pid, event)?)
    }
}
