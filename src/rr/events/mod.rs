//! What rr wrote down of a recording, read from its trace directory: no rr is needed for that.
//!
//! ```text
//! chunks     a stream of the trace is a file of compressed chunks
//! messages   in which messages follow each other
//! frame      one for each event: which thread, when, what
//! task       and one for whatever happens to a thread as a whole
//! buffered   system calls that have no event of their own
//! timeline   all of that in its order, as far as it is asked for
//! words      in words
//! ```

mod buffered;
mod chunks;
mod frame;
mod messages;
mod task;
mod timeline;
mod words;

pub use frame::{Disposition, Signal};
pub use timeline::{Called, Happening, Row, Timeline, TimelineQuery, Topic, timeline};
