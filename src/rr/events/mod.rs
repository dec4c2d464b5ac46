//! What rr wrote down of a recording, read from its trace directory: no rr is needed for that.
//!
//! ```text
//! chunks     a stream of the trace is a file of compressed chunks
//! messages   in which messages follow each other
//! frame      one for each event: which thread, when, what
//! task       and one for whatever happens to a thread as a whole
//! steps      both of them in their order
//! buffered   system calls that have no event of their own
//! kernel_writes
//!            what the kernel has written to some memory
//! threads    which threads there are, and which events each has
//! mapped     which files are mapped where, and for which process
//! survey     what rr did to the program, and whether that came to its end
//! timeline   all of that in its order, as far as it is asked for
//! words      in words
//! clock      when events were
//! delivered  the signals that are delivered
//! shared_memory
//!            children that share the memory of their parent
//! ```

mod buffered;
mod chunks;
mod clock;
mod delivered;
mod description;
mod frame;
#[cfg(test)]
mod fuzzing;
mod handler_stacks;
mod kernel_writes;
mod mapped;
mod messages;
mod shared_memory;
mod steps;
mod survey;
mod task;
mod threads;
mod timeline;

pub use clock::{EventTime, event_time, last_event, process_at};
pub use delivered::{Delivery, deliveries};
pub use frame::{Disposition, Signal};
pub(crate) use kernel_writes::Cause;
pub use mapped::{Mapped, Mappings, executed_files, mappings, original_of, programs_until};
pub use shared_memory::{SharedMemory, shared_memory};
pub(crate) use steps::tasks;
pub(crate) use survey::{Survey, has_ended, survey};
pub(crate) use task::{Change, Task};
pub(crate) use threads::Threads;
pub use threads::UpTo;
#[cfg(test)]
pub(crate) use threads::tests as threads_in_tests;
pub use timeline::{Called, Happening, Row, Timeline, TimelineQuery, Topic, happenings, timeline};
