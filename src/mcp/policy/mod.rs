//! What a server is permitted, and how long and how much: settings of the environment, programs that may be recorded,
//! values that must not be shown.

mod allow_record;
mod redact;
mod settings;

pub(crate) use redact::Redaction;
pub use settings::Settings;
pub(crate) use settings::{Limits, settings};
