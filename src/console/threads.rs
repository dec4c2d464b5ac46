//! Threads.

use super::error::Error;
use super::execution::Execution;
use super::flow::Flow;
use super::number_list::Numbers;
use engine::model::Thread;

/// Returns what a thread is called: `Thread 100.101 (name)`.
fn target(thread: &Thread) -> String {
    match &thread.name {
        Some(name) => format!("Thread {} ({name})", thread.id),
        None => format!("Thread {}", thread.id),
    }
}

impl Execution<'_> {
    pub(super) fn info_threads(&mut self, numbers: &Numbers) -> Result<(), Error> {
        self.alive("No threads.")?;
        let mut threads = self.engine.threads()?;
        threads.retain(|t| numbers.is_empty() || numbers.contains(t.number));
        if threads.is_empty() {
            self.say("No threads match the numbers given.");
            return Ok(());
        }
        let width = threads.iter().map(|t| target(t).chars().count()).max().unwrap_or(0).max(9);
        self.say(format!("  Id   {:<width$} Frame ", "Target Id"));
        for thread in &threads {
            let frame = match &thread.frame {
                Some(frame) => self.described(frame, true)?,
                None => "(running)".to_owned(),
            };
            let mark = if thread.current { '*' } else { ' ' };
            self.say(format!("{mark} {:<4} {:<width$} {frame}", thread.number, target(thread)));
            if self.terminal.is_full() {
                break;
            }
        }
        Ok(())
    }

    pub(super) fn thread(&mut self, id: Option<&str>) -> Result<(), Error> {
        self.alive("No thread selected")?;
        match id {
            None => {
                let (number, _) = self.engine.thread_numbers()?;
                let id = self.engine.selected_thread();
                self.say(format!("[Current thread is {number} (Thread {id})]"));
                Ok(())
            }
            Some(id) => {
                let thread = self.engine.select_thread(id)?;
                self.say(format!("[Switching to thread {} (Thread {})]", thread.number, thread.id));
                self.show_selected()
            }
        }
    }

    pub(super) fn thread_apply(
        &mut self,
        numbers: Option<&Numbers>,
        ascending: bool,
        quiet: bool,
        command: &str,
    ) -> Result<Flow, Error> {
        self.alive("No threads.")?;
        let mut threads = self.engine.threads()?;
        threads.retain(|t| numbers.is_none_or(|n| n.contains(t.number)));
        if !ascending {
            threads.reverse();
        }
        let (selected, level) = (self.engine.selected_thread(), self.engine.frame_level());
        let done = self.apply(&threads, quiet, command);
        // A command that moved has selected a thread by itself.
        if self.engine.select_thread(&selected.to_string()).is_ok() {
            let _ = self.engine.select_frame(level);
        }
        done
    }

    fn apply(&mut self, threads: &[Thread], quiet: bool, command: &str) -> Result<Flow, Error> {
        for thread in threads {
            self.engine.select_thread(&thread.id.to_string())?;
            if !quiet {
                self.say(format!("\nThread {} ({}):", thread.number, target(thread)));
            }
            let flow = self.nested(command)?;
            if flow != Flow::GoOn || self.terminal.is_full() {
                return Ok(flow);
            }
        }
        Ok(Flow::GoOn)
    }
}
