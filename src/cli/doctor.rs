//! `retrograde doctor`: the checks as a list.

use base::cancel::Cancel;
use rr::{Check, Verdict};
use std::fmt::Write;
use std::process::ExitCode;

/// Prints all checks. Fails if one of them is a blocker.
pub(super) fn run() -> ExitCode {
    let checks = rr::doctor(&Cancel::default());
    print!("{}", text(&checks));
    if checks.iter().any(|check| check.verdict == Verdict::Blocker) { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

fn text(checks: &[Check]) -> String {
    let mut text = String::new();
    let width = checks.iter().map(|check| check.name.len()).max().unwrap_or(0);
    for check in checks {
        let verdict = match check.verdict {
            Verdict::Ok => "ok",
            Verdict::Warning => "warning",
            Verdict::Blocker => "BLOCKER",
        };
        let _ = writeln!(text, "{verdict:<7}  {:<width$}  {}", check.name, check.found);
        if let Some(remedy) = &check.remedy {
            let _ = writeln!(text, "{:<7}  {:<width$}  -> {remedy}", "", "");
        }
    }
    let count = |verdict| checks.iter().filter(|check| check.verdict == verdict).count();
    let _ = match (count(Verdict::Blocker), count(Verdict::Warning)) {
        (0, 0) => writeln!(text, "\nAll is well."),
        (0, warnings) => writeln!(text, "\nThis machine can record and replay; warnings: {warnings}."),
        (blockers, _) => writeln!(text, "\nThis machine cannot record and replay yet; blockers: {blockers}."),
    };
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(name: &'static str, verdict: Verdict, remedy: Option<&str>) -> Check {
        Check { name, verdict, found: "found".into(), remedy: remedy.map(str::to_owned) }
    }

    #[test]
    fn each_check_is_a_line_and_a_remedy_another() {
        let checks = [check("rr", Verdict::Ok, None), check("ptrace", Verdict::Blocker, Some("do this"))];
        assert_eq!(
            text(&checks),
            "ok       rr      found\nBLOCKER  ptrace  found\n                 -> do this\n\n\
             This machine cannot record and replay yet; blockers: 1.\n"
        );
    }

    #[test]
    fn warnings_do_not_prevent_anything() {
        let checks = [check("pmu", Verdict::Warning, Some("buy one"))];
        assert!(text(&checks).ends_with("This machine can record and replay; warnings: 1.\n"));
        assert!(text(&[]).ends_with("All is well.\n"));
    }
}
