//! The `retrograde` program; see [`retrograde::cli`].

use std::process::ExitCode;

fn main() -> ExitCode {
    retrograde::cli::main()
}
