//! One call of a tool, on its way through the server: its arguments are checked, the tool is given a [`Call`], and that
//! has something done on a session's thread or on one of its own.

mod answer_cache;
mod arguments;
mod context;
mod environments;
mod kept_answers;
mod on_session;
mod open;
mod own_recordings;
mod shared;
mod short_positions;
mod synonyms;
mod without_session;

pub(crate) use self::arguments::checked_arguments;
pub(crate) use self::context::Call;
pub(crate) use self::environments::learn as learn_environment;
pub(crate) use self::kept_answers::{Keeping, kept};
pub(crate) use self::shared::Shared;
pub(crate) use self::without_session::find_rr;
