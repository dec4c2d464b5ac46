//! GDB with libstdc++'s printers, attached to the same program: the same text.

use std::collections::BTreeMap;
use std::process::Command;

/// What GDB prints for each expression, in a process that waits.
pub fn print(pid: u32, expressions: &[&str]) -> BTreeMap<String, String> {
    let mut command = Command::new("gdb");
    let mut run = |what: String| {
        command.arg("-ex").arg(what);
    };
    run(format!("python {PRINTERS}"));
    run("set width 0".to_owned());
    run(format!("attach {pid}"));
    for expression in expressions {
        run(format!("echo \\n@@{}\\n", expression.replace('"', "\\\"")));
        let slash = if expression.starts_with('/') { "" } else { " " };
        run(format!("print{slash}{expression}"));
    }
    run("echo \\n@@end\\n".to_owned());
    let output = command.args(["-q", "-batch", "-nx"]).output();
    let output = output.expect("this test needs gdb: tests/run.sh installs it");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let mut found = BTreeMap::new();
    for part in text.split("\n@@").skip(1) {
        let (expression, answer) = part.split_once('\n').unwrap_or((part, ""));
        let value = answer.trim().split_once(" = ").map_or(answer.trim(), |(_, value)| value);
        found.insert(expression.to_owned(), value.to_owned());
    }
    assert!(found.contains_key("end"), "gdb: {text}{}", String::from_utf8_lossy(&output.stderr));
    found
}

/// A static program names no library whose printers GDB would load.
const PRINTERS: &str = "import sys, glob; sys.path[:0] = glob.glob('/usr/share/gcc*/python'); \
    from libstdcxx.v6.printers import register_libstdcxx_printers; register_libstdcxx_printers(None)";
