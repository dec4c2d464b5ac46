//! What the environment decides: time limits.

use crate::engine::model::Timeouts;
use std::ffi::OsString;
use std::time::Duration;

/// Reads the six `RR_MCP_TIMEOUT_*` variables through `get` (normally [`std::env::var_os`]).
///
/// A value is a whole number of seconds, at least 1. Anything else is logged and the default stays.
pub(crate) fn timeouts(get: impl Fn(&str) -> Option<OsString>) -> Timeouts {
    let defaults = Timeouts::default();
    let read = |name: &str, default: Duration| match get(name) {
        None => default,
        Some(value) => seconds(&value).unwrap_or_else(|| {
            tracing::warn!(
                "{name}={} is not a whole number of seconds from 1; using {}",
                value.to_string_lossy(),
                default.as_secs()
            );
            default
        }),
    };
    Timeouts {
        startup: read("RR_MCP_TIMEOUT_STARTUP", defaults.startup),
        connect: read("RR_MCP_TIMEOUT_CONNECT", defaults.connect),
        forward: read("RR_MCP_TIMEOUT_FORWARD", defaults.forward),
        reverse: read("RR_MCP_TIMEOUT_REVERSE", defaults.reverse),
        breakpoint: read("RR_MCP_TIMEOUT_BREAKPOINT", defaults.breakpoint),
        eval: read("RR_MCP_TIMEOUT_EVAL", defaults.eval),
        interrupt: defaults.interrupt,
    }
}

/// Longest time limit: a year. Larger values would overflow deadlines computed from them.
const MAX_SECONDS: u64 = 366 * 24 * 3600;

fn seconds(value: &OsString) -> Option<Duration> {
    let seconds: u64 = value.to_str()?.trim().parse().ok()?;
    (1..=MAX_SECONDS).contains(&seconds).then(|| Duration::from_secs(seconds))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(pairs: &[(&str, &str)]) -> Timeouts {
        timeouts(|name| pairs.iter().find(|(n, _)| *n == name).map(|(_, v)| OsString::from(v)))
    }

    #[test]
    fn without_variables_the_documented_defaults_hold() {
        let t = with(&[]);
        let seconds = [t.startup, t.connect, t.forward, t.reverse, t.breakpoint, t.eval].map(|d| d.as_secs());
        assert_eq!(seconds, [30, 60, 120, 300, 30, 30]);
    }

    #[test]
    fn each_variable_sets_its_own_limit() {
        let t = with(&[
            ("RR_MCP_TIMEOUT_STARTUP", "1"),
            ("RR_MCP_TIMEOUT_CONNECT", "2"),
            ("RR_MCP_TIMEOUT_FORWARD", " 3 "),
            ("RR_MCP_TIMEOUT_REVERSE", "4"),
            ("RR_MCP_TIMEOUT_BREAKPOINT", "5"),
            ("RR_MCP_TIMEOUT_EVAL", "6"),
        ]);
        let seconds = [t.startup, t.connect, t.forward, t.reverse, t.breakpoint, t.eval].map(|d| d.as_secs());
        assert_eq!(seconds, [1, 2, 3, 4, 5, 6]);
    }

    #[test]
    fn a_bad_value_leaves_the_default() {
        for bad in ["", "abc", "1.5", "-1", "0", "10s", "99999999999999999999"] {
            assert_eq!(with(&[("RR_MCP_TIMEOUT_EVAL", bad)]), Timeouts::default(), "{bad:?}");
        }
    }
}
