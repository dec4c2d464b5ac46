//! The environment of a recorded program, which is not that of the rr that records it.
//!
//! rr, its libraries and the loader read variables of their own: where a log is written, where recordings are, what is
//! preloaded. What a client wants for the program must not choose that. So rr runs in our own environment, and its
//! option `--env` sets the variables of the program alone.
//!
//! Other users of the machine can read the command line of rr, and not its environment. A variable whose name says that
//! its value is a secret is therefore set in rr's environment, from which the program inherits it: rr, its libraries
//! and the loader read no variable of such a name.

use std::collections::BTreeMap;
use std::process::Command;

/// Parts of names whose values are secrets.
const SECRET: [&str; 6] = ["TOKEN", "SECRET", "PASSWORD", "PASSWD", "CREDENTIAL", "API_KEY"];
/// Beginnings of names that rr, soft counters, the loader and the libraries may read.
const STEERING: [&str; 7] = ["RR_", "_RR_", "RETROGRADE_", "LD_", "GLIBC", "MALLOC_", "RUNNING_UNDER_"];
/// Where rr finds a program whose name has no slash: it has to be the one that the program's `PATH` has. rr itself
/// starts nothing else by it.
const PATH: &str = "PATH";

/// Adds these variables to the environment of the program that a command `rr record` is to run. Options of rr only may
/// stand before, and the program not yet.
pub(super) fn set(command: &mut Command, env: &BTreeMap<String, String>) {
    for (name, value) in env {
        if name == PATH || is_secret(name) {
            command.env(name, value);
        } else {
            command.arg(format!("--env={name}={value}"));
        }
    }
}

/// Returns whether the value of a variable of this name is a secret, and nothing that rr reads.
fn is_secret(name: &str) -> bool {
    let name = name.to_ascii_uppercase();
    let steers = STEERING.iter().any(|beginning| name.starts_with(beginning));
    !steers && SECRET.iter().any(|part| name.contains(part))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ffi::OsStr;

    /// The options, and the variables of rr itself.
    fn shared_out(env: &[(&str, &str)]) -> (Vec<String>, Vec<String>) {
        let mut command = Command::new("rr");
        set(&mut command, &env.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect());
        let text = |text: &OsStr| text.to_string_lossy().into_owned();
        let variables = command.get_envs().map(|(name, value)| format!("{}={}", text(name), text(value.unwrap())));
        (command.get_args().map(text).collect(), variables.collect())
    }

    #[test]
    fn what_steers_rr_is_an_option_for_the_program() {
        for name in [
            "RR_LOG",
            "RR_LOG_FILE",
            "_RR_TRACE_DIR",
            "RR_TMPDIR",
            "TMPDIR",
            "HOME",
            "XDG_DATA_HOME",
            "XDG_CACHE_HOME",
            "LD_PRELOAD",
            "LD_LIBRARY_PATH",
            "LD_AUDIT",
            "GLIBC_TUNABLES",
            "GCONV_PATH",
            "RETROGRADE_SOFT_HITS",
            "RETROGRADE_SOFT_TOKEN",
            "RR_SECRET_LOG",
            "RUNNING_UNDER_TEST_MONITOR",
            "-x",
        ] {
            assert_eq!(shared_out(&[(name, "/any=file")]), (vec![format!("--env={name}=/any=file")], vec![]), "{name}");
        }
    }

    #[test]
    fn secrets_are_not_on_a_command_line_that_others_can_read() {
        let (options, variables) =
            shared_out(&[("A", "1"), ("GITHUB_TOKEN", "t"), ("db_password", "p"), ("PATH", "/x")]);
        assert_eq!(options, ["--env=A=1"]);
        assert_eq!(variables, ["GITHUB_TOKEN=t", "PATH=/x", "db_password=p"]);
    }
}
