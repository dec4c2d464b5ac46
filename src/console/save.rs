//! Writing down what was set, as lines that set it again: `save breakpoints`.

use super::error::Error;
use super::execution::Execution;
use engine::model::{Access, BreakpointInfo};

impl Execution<'_> {
    pub(super) fn save_breakpoints(&mut self, path: &str) -> Result<(), Error> {
        let all = self.engine.breakpoints();
        if all.is_empty() {
            self.say("Nothing to save.");
            return Ok(());
        }
        let mut text = String::new();
        for breakpoint in &all {
            text.push_str(&self.saved(breakpoint));
        }
        self.write("save breakpoints", path, &text)?;
        self.say(format!("Saved to file '{path}'."));
        Ok(())
    }

    /// Returns the lines that set a breakpoint again.
    fn saved(&self, breakpoint: &BreakpointInfo) -> String {
        let hint = self.state.hints.get(&breakpoint.number).cloned().unwrap_or_default();
        let location = &breakpoint.location;
        let mut text = match breakpoint.watch {
            Some(access) => {
                let command = match access {
                    Access::Write => "watch",
                    Access::Read => "rwatch",
                    Access::Access => "awatch",
                };
                format!("{command}{} {location}", if hint.pinned { " -location" } else { "" })
            }
            None if breakpoint.catch.is_some() => {
                format!("{} {location}", if breakpoint.temporary { "tcatch" } else { "catch" })
            }
            None if hint.prints.is_some() => {
                format!("dprintf {location},{}", hint.prints.as_deref().unwrap_or_default())
            }
            None => match (breakpoint.temporary, hint.hardware) {
                (false, false) => format!("break {location}"),
                (true, false) => format!("tbreak {location}"),
                (false, true) => format!("hbreak {location}"),
                (true, true) => format!("thbreak {location}"),
            },
        };
        if let Some(condition) = &breakpoint.condition {
            text.push_str(&format!("\n  condition $bpnum {condition}"));
        }
        if breakpoint.ignore_count > 0 {
            text.push_str(&format!("\n  ignore $bpnum {}", breakpoint.ignore_count));
        }
        if !hint.commands.is_empty() {
            text.push_str("\n  commands");
            hint.commands.iter().for_each(|line| text.push_str(&format!("\n    {line}")));
            text.push_str("\n  end");
        }
        text.push('\n');
        if !breakpoint.enabled {
            text.push_str("disable $bpnum\n");
        }
        text
    }
}
