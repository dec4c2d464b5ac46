//! What clients are told without having asked each time: that a resource has changed, and what happens.
//!
//! Whoever knows of an event puts it into the feed, on any thread. A client of the older protocol says once what it
//! wants to hear (`logging/setLevel`, `resources/subscribe`), and has a task that tells it so. A client of the newer
//! one listens (`subscriptions/listen`) to changes, and hears with a call what happens meanwhile, if the call names a
//! level. A client that says nothing is told nothing.

mod feed;
mod subscriber;

pub(crate) use feed::{Feed, Level, MOST, Reporter};
pub(crate) use subscriber::{Delivery, SetLevel, Subscriber};
