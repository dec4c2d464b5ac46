//! Tools by names that clients guess: `rr_reverse_step` is `rr_step` with `reverse: true`.

use crate::mcp::tools;
use rmcp::model::JsonObject;
use serde_json::Value;

/// Earlier names, and those of a step by instructions.
const OTHERS: &[(&str, &str, Option<&str>)] = &[
    ("rr_explain_stop", "rr_explain", None),
    ("rr_stepi", "rr_step", Some("instruction")),
    ("rr_nexti", "rr_next", Some("instruction")),
    ("rr_step_instruction", "rr_step", Some("instruction")),
    ("rr_next_instruction", "rr_next", Some("instruction")),
    ("rr_run", "rr_continue", None),
];
/// What other names are guessed for, where the parameters differ or several tools could be meant.
const GUESSED: &[(&str, &str)] = &[
    ("rr_bt", "rr_backtrace"),
    ("rr_break", "rr_breakpoint_set"),
    ("rr_disassemble", "rr_command {\"command\": \"disassemble /s\"}"),
    ("rr_examine", "rr_read_memory"),
    ("rr_gdb", "rr_command"),
    ("rr_info", "rr_session_info"),
    ("rr_open", "rr_replay_start"),
    ("rr_print", "rr_evaluate"),
    ("rr_quit", "rr_replay_stop"),
    ("rr_replay", "rr_replay_start"),
    ("rr_stack", "rr_backtrace"),
    ("rr_start", "rr_replay_start; in a session, rr_goto {\"position\": \"start\"} goes to the start"),
    ("rr_status", "rr_session_info, or rr_job_status for a job"),
    ("rr_stop", "rr_replay_stop"),
    ("rr_threads", "rr_thread_list"),
    ("rr_watch", "rr_watchpoint_set"),
    ("rr_where", "rr_backtrace"),
];
/// How a name says that a movement is backward.
const BACKWARD: [&str; 3] = ["reverse", "backward", "back"];

/// Returns the tool that a name means, and the switches that it sets. `None`: no tool is meant.
pub(super) fn meant(name: &str) -> Option<(&'static str, Vec<&'static str>)> {
    let name = if name.starts_with("rr_") { name.to_owned() } else { format!("rr_{name}") };
    let named = |name: &str| {
        let other = OTHERS.iter().find(|(other, ..)| *other == name);
        match other {
            Some((_, tool, switch)) => tools::known(tool).map(|tool| (tool, switch.iter().copied().collect())),
            None => tools::known(name).map(|tool| (tool, Vec::new())),
        }
    };
    if let Some(meant) = named(&name) {
        return Some(meant);
    }
    let forward = BACKWARD.iter().find_map(|word| {
        let rest = name.strip_prefix("rr_")?;
        rest.strip_prefix(&format!("{word}_")).or_else(|| rest.strip_suffix(&format!("_{word}")))
    })?;
    let (tool, mut switches): (_, Vec<_>) = named(&format!("rr_{forward}"))?;
    switches.push("reverse");
    ["rr_continue", "rr_step", "rr_next", "rr_finish"].contains(&tool).then_some((tool, switches))
}

/// Returns what is to be called in place of a tool that does not exist, if that can be guessed.
pub(super) fn instead_of(name: &str) -> Option<&'static str> {
    let name = name.strip_prefix("rr_").unwrap_or(name);
    GUESSED.iter().find(|(guess, _)| guess.strip_prefix("rr_") == Some(name)).map(|(_, instead)| *instead)
}

/// Sets the switches that are not given.
pub(super) fn set(switches: Vec<&str>, given: &mut JsonObject) {
    for switch in switches {
        given.entry(switch).or_insert(Value::Bool(true));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_are_guessed() {
        assert_eq!(meant("rr_step"), Some(("rr_step", vec![])));
        assert_eq!(meant("step"), Some(("rr_step", vec![])));
        assert_eq!(meant("rr_explain_stop"), Some(("rr_explain", vec![])));
        assert_eq!(meant("rr_reverse_continue"), Some(("rr_continue", vec!["reverse"])));
        assert_eq!(meant("rr_reverse_stepi"), Some(("rr_step", vec!["instruction", "reverse"])));
        assert_eq!(meant("rr_step_back"), Some(("rr_step", vec!["reverse"])));
        assert_eq!(meant("rr_reverse_locals"), None);
        assert_eq!(meant("rr_fly"), None);
    }

    #[test]
    fn guesses_that_are_no_tools_lead_to_tools() {
        for (guess, instead) in GUESSED {
            assert_eq!(meant(guess), None, "{guess}");
            let tool = instead.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).next().unwrap();
            assert!(tools::known(tool).is_some(), "{guess}: {instead}");
        }
        assert_eq!(instead_of("where"), Some("rr_backtrace"));
        assert!(instead_of("rr_disassemble").unwrap().starts_with("rr_command"));
        assert_eq!(instead_of("rr_fly"), None);
    }
}
