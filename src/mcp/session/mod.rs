//! The replays that are open, each with a thread of its own.
//!
//! Everything that a session does happens on one thread, in the order in which the calls arrived: the debugger is not
//! asynchronous and belongs to one thread, which starts it, drives it and drops it. What has to work while that thread
//! is busy goes past it: what is written down of the session ([`Status`]), the [`Cancel`](base::cancel::Cancel) of a
//! running call, and the kill switch.
//!
//! ```text
//! call ──submit──▶ queue ──▶ thread { start; job; job; …; end } ──oneshot──▶ call
//! ```
//!
//! Generic over the debugger, so that order, cancellation and ends are tested without a replay; the real one is a
//! [`Debugger`].

mod batch;
mod debugger;
mod ended_sessions;
mod join_threads;
mod pending;
mod status;
mod table;
mod thread;

pub(crate) use self::debugger::{Debugger, Failure, write_stop};
pub(crate) use self::ended_sessions::Ended;
pub(crate) use self::join_threads::{Threads, Token};
pub(crate) use self::pending::{Pending, Underway};
#[cfg(test)]
pub(crate) use self::status::Running;
pub(crate) use self::status::{Activity, Status};
pub(crate) use self::table::{SessionById, Sessions};
#[cfg(test)]
pub(crate) use self::thread::After;
pub(crate) use self::thread::{Kill, Session};

#[cfg(test)]
mod tests;
