//! What the environment decides: time limits, how many sessions there may be and for how long, what may be recorded,
//! and what is masked.

use super::allow_record::Allowed;
use super::redact::Redaction;
use base::untrusted::one_line;
use engine::model::Timeouts;
use std::ffi::OsString;
use std::time::Duration;

/// How many sessions there may be, and for how long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Limits {
    /// Most that are open at the same time.
    pub(crate) most: usize,
    /// How long a session may be idle until it is closed. `None`: for ever.
    pub(crate) idle: Option<Duration>,
}

impl Default for Limits {
    fn default() -> Self {
        Self { most: 8, idle: Some(Duration::from_secs(30 * 60)) }
    }
}

/// What the environment decides about a server.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    pub(crate) timeouts: Timeouts,
    pub(crate) sessions: Limits,
    pub(crate) allowed: Allowed,
    pub(crate) redaction: Redaction,
    /// Functions of the recorded program may be called, in copies of it.
    pub(crate) calls: bool,
}

impl From<Timeouts> for Settings {
    /// Returns the defaults, with these time limits.
    fn from(timeouts: Timeouts) -> Self {
        Self { timeouts, ..Self::default() }
    }
}

/// Reads the `RR_MCP_*` variables through `get` (normally [`std::env::var_os`]).
///
/// A value that cannot be understood is logged and the default stays; but what cannot be understood permits nothing: no
/// program may be recorded then, and what is usually masked is.
pub(crate) fn settings(get: impl Fn(&str) -> Option<OsString>) -> Settings {
    let listed = "on, off, or names and absolute paths of programs, separated by colons";
    let allowed = parsed(&get, "RR_MCP_ALLOW_RECORD", listed, "off", Allowed::parse);
    let patterns = "on, off, or names of variables like *TOKEN*, separated by commas";
    let redaction = parsed(&get, "RR_MCP_REDACT", patterns, "on", Redaction::parse);
    let is_set = |name| get(name).is_some();
    Settings {
        timeouts: timeouts(&get),
        sessions: limits(&get),
        allowed: allowed.unwrap_or(if is_set("RR_MCP_ALLOW_RECORD") { Allowed::Nothing } else { Allowed::Any }),
        calls: parsed(&get, "RR_MCP_ALLOW_CALLS", "on or off", "off", switch).unwrap_or_default(),
        redaction: redaction.or_else(|| is_set("RR_MCP_REDACT").then(|| Redaction::parse("on"))?).unwrap_or_default(),
    }
}

/// Reads `on` or `off`, or as much as that.
fn switch(text: &str) -> Option<bool> {
    match text.trim() {
        "on" | "1" => Some(true),
        "off" | "0" => Some(false),
        _ => None,
    }
}

/// Reads seven `RR_MCP_TIMEOUT_*` variables, each a whole number of seconds, at least 1.
fn timeouts(get: impl Fn(&str) -> Option<OsString>) -> Timeouts {
    let defaults = Timeouts::default();
    let read = |name: &str, default: Duration| {
        let shown = default.as_secs().to_string();
        parsed(&get, name, "a whole number of seconds from 1", &shown, seconds).unwrap_or(default)
    };
    Timeouts {
        startup: read("RR_MCP_TIMEOUT_STARTUP", defaults.startup),
        reach: read("RR_MCP_TIMEOUT_REACH", defaults.reach),
        connect: read("RR_MCP_TIMEOUT_CONNECT", defaults.connect),
        forward: read("RR_MCP_TIMEOUT_FORWARD", defaults.forward),
        reverse: read("RR_MCP_TIMEOUT_REVERSE", defaults.reverse),
        breakpoint: read("RR_MCP_TIMEOUT_BREAKPOINT", defaults.breakpoint),
        eval: read("RR_MCP_TIMEOUT_EVAL", defaults.eval),
        interrupt: defaults.interrupt,
    }
}

/// Reads `RR_MCP_MAX_SESSIONS`, a number from 1, and `RR_MCP_SESSION_IDLE`, a time such as `90`, `30m` or `2h`, or
/// `off`.
fn limits(get: impl Fn(&str) -> Option<OsString>) -> Limits {
    let defaults = Limits::default();
    let most = |text: &str| text.parse().ok().filter(|most| (1..=MAX_SESSIONS).contains(most));
    let idle = |text: &str| match text {
        "off" => Some(None),
        text => time(text).map(Some),
    };
    let wanted = format!("a whole number from 1 to {MAX_SESSIONS}");
    let times = "a time like 90 (seconds), 30m or 2h, nor `off`";
    Limits {
        most: parsed(&get, "RR_MCP_MAX_SESSIONS", &wanted, &defaults.most.to_string(), most).unwrap_or(defaults.most),
        idle: parsed(&get, "RR_MCP_SESSION_IDLE", times, "30m", idle).unwrap_or(defaults.idle),
    }
}

/// Parses the value of a variable. `None` if it is not set, or, with a warning, if it is not what is `wanted`.
fn parsed<T>(
    get: impl Fn(&str) -> Option<OsString>,
    name: &str,
    wanted: &str,
    default: &str,
    parse: impl Fn(&str) -> Option<T>,
) -> Option<T> {
    let value = get(name)?;
    let understood = value.to_str().and_then(|text| parse(text.trim()));
    if understood.is_none() {
        let value = value.to_string_lossy();
        tracing::warn!("{name}={} is not {wanted}; using {default}", one_line(&value));
    }
    understood
}

/// Longest time limit: a year. Larger values would overflow deadlines computed from them.
const MAX_SECONDS: u64 = 366 * 24 * 3600;
/// More replays than any machine that we know of bears.
const MAX_SESSIONS: usize = 1000;

fn seconds(text: &str) -> Option<Duration> {
    let seconds: u64 = text.parse().ok()?;
    (1..=MAX_SECONDS).contains(&seconds).then(|| Duration::from_secs(seconds))
}

/// Parses a time: seconds, or a number followed by `s`, `m` or `h`.
fn time(text: &str) -> Option<Duration> {
    let (number, unit) = match text.strip_suffix(['s', 'm', 'h']) {
        Some(number) => (number, text.get(number.len()..)?),
        None => (text, "s"),
    };
    let factor = match unit {
        "h" => 3600,
        "m" => 60,
        _ => 1,
    };
    let number: u64 = number.parse().ok()?;
    seconds(&number.checked_mul(factor)?.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(pairs: &[(&str, &str)]) -> Timeouts {
        timeouts(|name| pairs.iter().find(|(n, _)| *n == name).map(|(_, v)| OsString::from(v)))
    }

    fn limits_with(name: &str, value: &str) -> Limits {
        limits(|asked| (asked == name).then(|| OsString::from(value)))
    }

    #[test]
    fn sessions_are_limited_in_number_and_in_idle_time() {
        let default = Limits { most: 8, idle: Some(Duration::from_secs(1800)) };
        assert_eq!(limits(|_| None), default);
        assert_eq!(limits_with("RR_MCP_MAX_SESSIONS", "2"), Limits { most: 2, ..default });
        for bad in ["0", "1001", "many", ""] {
            assert_eq!(limits_with("RR_MCP_MAX_SESSIONS", bad), default, "{bad:?}");
        }
        for (text, seconds) in [("90", 90), ("5s", 5), (" 30m ", 1800), ("2h", 7200)] {
            let idle = Some(Duration::from_secs(seconds));
            assert_eq!(limits_with("RR_MCP_SESSION_IDLE", text), Limits { idle, ..default }, "{text:?}");
        }
        assert_eq!(limits_with("RR_MCP_SESSION_IDLE", "off"), Limits { idle: None, ..default });
        for bad in ["0", "-1", "m", "1d", "1.5h", "99999999999999999h", "é"] {
            assert_eq!(limits_with("RR_MCP_SESSION_IDLE", bad), default, "{bad:?}");
        }
    }

    #[test]
    fn what_cannot_be_understood_permits_nothing() {
        let allowed = |value: Option<&str>| {
            settings(|name| value.filter(|_| name == "RR_MCP_ALLOW_RECORD").map(OsString::from)).allowed
        };
        assert_eq!([allowed(None), allowed(Some("bin/x"))], [Allowed::Any, Allowed::Nothing]);
        let calls = |value: Option<&str>| {
            settings(|name| value.filter(|_| name == "RR_MCP_ALLOW_CALLS").map(OsString::from)).calls
        };
        let given = [None, Some("on"), Some("1"), Some("off"), Some("yes, please")];
        assert_eq!(given.map(calls), [false, true, true, false, false]);
    }

    #[test]
    fn without_variables_the_documented_defaults_hold() {
        let t = with(&[]);
        let seconds = [t.startup, t.connect, t.forward, t.reverse, t.breakpoint, t.eval, t.reach].map(|d| d.as_secs());
        assert_eq!(seconds, [30, 60, 120, 300, 30, 30, 3600]);
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
            ("RR_MCP_TIMEOUT_REACH", "7"),
        ]);
        let seconds = [t.startup, t.connect, t.forward, t.reverse, t.breakpoint, t.eval, t.reach].map(|d| d.as_secs());
        assert_eq!(seconds, [1, 2, 3, 4, 5, 6, 7]);
    }

    #[test]
    fn a_bad_value_leaves_the_default() {
        for bad in ["", "abc", "1.5", "-1", "0", "10s", "99999999999999999999"] {
            assert_eq!(with(&[("RR_MCP_TIMEOUT_EVAL", bad)]), Timeouts::default(), "{bad:?}");
        }
    }
}
