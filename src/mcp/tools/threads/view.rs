//! Threads, and the frame that is selected.

use crate::mcp::reply::{FrameView, SurroundingsView, lines};
use engine::model::{Surroundings, Thread};
use rmcp::schemars::{self, JsonSchema};
use serde::Serialize;
use std::fmt;

/// Result of `rr_select_frame`.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct FrameSelectedView {
    pub(crate) result: u32,
    pub(crate) frame: FrameView,
}

impl fmt::Display for FrameSelectedView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.frame)
    }
}

/// A thread.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct ThreadView {
    pub(crate) id: String,
    pub(crate) target_id: String,
    pub(crate) name: Option<String>,
    pub(crate) state: String,
    pub(crate) frame: Option<FrameView>,
    pub(crate) current: bool,
    /// Without source lines: threads are many.
    #[serde(flatten)]
    pub(crate) about: SurroundingsView,
}

impl From<Thread> for ThreadView {
    fn from(thread: Thread) -> Self {
        Self {
            id: thread.number.to_string(),
            target_id: format!("Thread {}", thread.id),
            name: thread.name,
            state: "stopped".to_owned(),
            frame: thread.frame.map(FrameView::from),
            current: thread.current,
            about: SurroundingsView::default(),
        }
    }
}

impl ThreadView {
    /// Adds what the place of the thread is about besides its frame.
    fn about(self, surroundings: Surroundings) -> Self {
        Self { about: SurroundingsView { user_source: None, ..surroundings.into() }, ..self }
    }
}

impl fmt::Display for ThreadView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mark = if self.current { '*' } else { ' ' };
        write!(f, "{mark} {} {}", self.id, self.target_id)?;
        if let Some(name) = &self.name {
            write!(f, " \"{name}\"")?;
        }
        if let Some(frame) = &self.frame {
            write!(f, " {}", frame.place())?;
        }
        if let Some(wait) = &self.about.waits_in {
            write!(f, ", waits in {wait}")?;
        }
        if let Some(frame) = &self.about.user_frame {
            write!(f, "\n      in your code: {frame}")?;
        }
        Ok(())
    }
}

/// Result of `rr_thread_list`.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct ThreadsView {
    pub(crate) result: Vec<ThreadView>,
    /// Which threads these are, if there are more.
    pub(crate) truncated: Option<String>,
}

impl ThreadsView {
    /// Returns so many threads from this place on, which is counted from 1. `about` finds out what is to be said of one
    /// that is shown.
    pub(crate) fn page(
        threads: Vec<Thread>,
        from: usize,
        count: usize,
        mut about: impl FnMut(&Thread) -> Surroundings,
    ) -> Self {
        let (all, before) = (threads.len(), from.saturating_sub(1));
        let shown = threads.into_iter().skip(before).take(count);
        let result: Vec<ThreadView> = shown
            .map(|thread| {
                let surroundings = about(&thread);
                ThreadView::from(thread).about(surroundings)
            })
            .collect();
        let truncated = (result.len() < all).then(|| match (before + 1, before + result.len()) {
            (_, last) if result.is_empty() || last == all => format!("of {all} threads, from place {}", before + 1),
            (first, last) => format!("threads {first} to {last} of {all}; `from`: {} shows what follows", last + 1),
        });
        Self { result, truncated }
    }
}

impl fmt::Display for ThreadsView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        lines(f, &self.result, "no threads")?;
        if let Some(truncated) = &self.truncated {
            write!(f, "\ntruncated: {truncated}")?;
        }
        Ok(())
    }
}

/// Result of `rr_thread_select`.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct ThreadSelectedView {
    pub(crate) result: u32,
    pub(crate) thread: ThreadView,
}

impl From<Thread> for ThreadSelectedView {
    fn from(thread: Thread) -> Self {
        Self { result: thread.number, thread: thread.into() }
    }
}

impl fmt::Display for ThreadSelectedView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.thread)
    }
}
