//! GDB through its machine interface (GDB manual, "GDB/MI Output Syntax"), for side-by-side measurements and as the
//! oracle of the differential tests. The product itself needs no GDB.

use serde_json::{Map, Value};
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

/// No answer of GDB takes longer than this.
const PATIENCE: Duration = Duration::from_secs(120);

/// Why GDB did not do as asked.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// GDB answered `^error`.
    #[error("GDB: {0}")]
    Refused(String),
    /// GDB ended or said nothing for too long.
    #[error("GDB does not answer")]
    Silent,
    /// GDB could not be started or written to.
    #[error("GDB: {0}")]
    Io(#[from] io::Error),
}

/// A running GDB.
pub struct Gdb {
    child: Child,
    stdin: ChildStdin,
    lines: Receiver<String>,
}

impl Gdb {
    /// Starts GDB on a program and connects it to a server at `host:port`.
    pub fn connect(program: &Path, target: &str) -> Result<Self, Error> {
        let mut child = Command::new("gdb")
            .args(["--nx", "--quiet", "-l", "10000", "--interpreter=mi3"])
            .arg(program)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let (sender, lines) = channel();
        let (Some(stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else { return Err(Error::Silent) };
        std::thread::spawn(move || {
            for line in BufReader::new(stdout).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        let mut gdb = Self { child, stdin, lines };
        for setting in ["set sysroot /", "set debuginfod enabled off", "set width 0", "set confirm off"] {
            gdb.console(setting)?;
        }
        gdb.command(&format!("-target-select extended-remote {target}"))?;
        Ok(gdb)
    }

    fn line(&mut self) -> Result<String, Error> {
        self.lines.recv_timeout(PATIENCE).map_err(|_| Error::Silent)
    }

    /// Sends a machine-interface command and returns the body of its result record.
    pub fn command(&mut self, command: &str) -> Result<Value, Error> {
        writeln!(self.stdin, "{command}")?;
        loop {
            let line = self.line()?;
            if let Some(said) = error(&line) {
                return Err(Error::Refused(said));
            }
            if let Some(body) = ["^done", "^running", "^connected"].iter().find_map(|c| line.strip_prefix(c)) {
                return Ok(results(body.trim_start_matches(',')));
            }
        }
    }

    /// Sends a console command and returns what it printed.
    pub fn console(&mut self, command: &str) -> Result<String, Error> {
        let quoted = command.replace('\\', "\\\\").replace('"', "\\\"");
        writeln!(self.stdin, "-interpreter-exec console \"{quoted}\"")?;
        let mut printed = String::new();
        loop {
            let line = self.line()?;
            if let Some(text) = line.strip_prefix('~') {
                printed.push_str(&string(&mut text.as_bytes().iter().copied().peekable()));
            } else if let Some(said) = error(&line) {
                return Err(Error::Refused(said));
            } else if line.starts_with("^done") {
                return Ok(printed);
            }
        }
    }

    /// Sends an execution command and returns the body of the `*stopped` record that ends it.
    pub fn run(&mut self, command: &str) -> Result<Value, Error> {
        self.command(command)?;
        loop {
            let line = self.line()?;
            if let Some(body) = line.strip_prefix("*stopped") {
                return Ok(results(body.trim_start_matches(',')));
            }
            if let Some(said) = error(&line) {
                return Err(Error::Refused(said));
            }
        }
    }
}

impl Drop for Gdb {
    fn drop(&mut self) {
        // Nothing can be done about a GDB that is gone already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn error(line: &str) -> Option<String> {
    let body = line.strip_prefix("^error,msg=")?;
    Some(string(&mut body.as_bytes().iter().copied().peekable()))
}

type Bytes<'a> = std::iter::Peekable<std::iter::Copied<std::slice::Iter<'a, u8>>>;

/// Parses `name=value,name=value`.
fn results(text: &str) -> Value {
    Value::Object(pairs(&mut text.as_bytes().iter().copied().peekable()))
}

fn name(bytes: &mut Bytes<'_>) -> String {
    let mut name = Vec::new();
    while let Some(b) = bytes.next_if(|b| *b != b'=') {
        name.push(b);
    }
    bytes.next();
    String::from_utf8_lossy(&name).into_owned()
}

fn pairs(bytes: &mut Bytes<'_>) -> Map<String, Value> {
    let mut map = Map::new();
    while bytes.peek().is_some_and(|b| !matches!(b, b'}' | b']')) {
        let key = name(bytes);
        map.insert(key, value(bytes));
        bytes.next_if_eq(&b',');
    }
    map
}

fn value(bytes: &mut Bytes<'_>) -> Value {
    match bytes.peek() {
        Some(b'"') => Value::String(string(bytes)),
        Some(b'{') => {
            bytes.next();
            let map = pairs(bytes);
            bytes.next();
            Value::Object(map)
        }
        Some(b'[') => {
            bytes.next();
            let mut list = Vec::new();
            while let Some(&b) = bytes.peek().filter(|b| **b != b']') {
                if !matches!(b, b'"' | b'{' | b'[') {
                    // `[frame={…},frame={…}]`: the names only repeat what the list is of.
                    name(bytes);
                }
                list.push(value(bytes));
                bytes.next_if_eq(&b',');
            }
            bytes.next();
            Value::Array(list)
        }
        _ => Value::Null,
    }
}

/// Parses a C string with GDB's escapes.
fn string(bytes: &mut Bytes<'_>) -> String {
    bytes.next_if_eq(&b'"');
    let mut text = Vec::new();
    while let Some(b) = bytes.next() {
        match b {
            b'"' => break,
            b'\\' => match bytes.next() {
                Some(b'n') => text.push(b'\n'),
                Some(b't') => text.push(b'\t'),
                Some(digit @ b'0'..=b'7') => {
                    let mut code = digit - b'0';
                    for _ in 0..2 {
                        let Some(digit) = bytes.next_if(|b| (b'0'..=b'7').contains(b)) else { break };
                        code = code.wrapping_mul(8).wrapping_add(digit - b'0');
                    }
                    text.push(code);
                }
                Some(other) => text.push(other),
                None => break,
            },
            other => text.push(other),
        }
    }
    String::from_utf8_lossy(&text).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn records_become_json() {
        let text = r#"reason="breakpoint-hit",frame={func="main",args=[{name="n",value="1"}],line="3"},l=[frame={a="1"},frame={a="2"}],s=["x","y\"z\n\101"],e=[]"#;
        assert_eq!(
            results(text),
            json!({
                "reason": "breakpoint-hit",
                "frame": {"func": "main", "args": [{"name": "n", "value": "1"}], "line": "3"},
                "l": [{"a": "1"}, {"a": "2"}],
                "s": ["x", "y\"z\nA"],
                "e": [],
            })
        );
    }

    #[test]
    fn torn_records_end() {
        for text in ["", "a", "a=", "a=[", "a={b", "a=\"\\", "=[=[", "a=[b"] {
            results(text);
        }
    }
}
