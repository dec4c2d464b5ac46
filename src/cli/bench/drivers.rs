//! The debuggers that play a scenario.

use super::Options;
use super::client::{self, Client};
use super::mi::{self, Gdb};
use super::proxy::Proxy;
use super::scenario::Operation;
use super::stand_in::StandIn;
use arch::Direction;
use engine::model::Show;
use engine::{Engine, model};
use rr::{Patience, Replay, Rr};
use serde_json::{Value, json};
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// All drivers, in the order of the report.
pub(super) const NAMES: [&str; 4] = ["library", "mcp", "gdb", "karellen"];

/// Returns whether a driver is another debugger's.
pub(super) fn is_other(name: &str) -> bool {
    matches!(name, "gdb" | "karellen")
}

/// Returns the drivers that this machine has.
pub(super) fn names(only_ours: bool) -> Vec<&'static str> {
    let found = |program: &str| {
        let path = std::env::var_os("PATH").unwrap_or_default();
        std::env::split_paths(&path).any(|directory| directory.join(program).is_file())
    };
    let is_there = |name: &&str| match *name {
        "gdb" => found("gdb"),
        "karellen" => found("karellen-rr-mcp"),
        _ => true,
    };
    NAMES.into_iter().filter(|name| !(only_ours && is_other(name))).filter(is_there).collect()
}

/// What went over the wire to rr.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    /// Requests.
    pub packets: u64,
    /// Bytes both ways.
    pub bytes: u64,
    /// Time between a request and its reply.
    pub waited: Duration,
}

impl Cost {
    /// Returns the cost on top of an earlier cost.
    pub fn since(self, before: Self) -> Self {
        Self {
            packets: self.packets.saturating_sub(before.packets),
            bytes: self.bytes.saturating_sub(before.bytes),
            waited: self.waited.saturating_sub(before.waited),
        }
    }
}

/// Why a driver could not do its part.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// rr did not replay.
    #[error(transparent)]
    Rr(#[from] rr::Error),
    /// Our engine.
    #[error(transparent)]
    Engine(#[from] engine::Error),
    /// An MCP server.
    #[error(transparent)]
    Mcp(#[from] client::Error),
    /// GDB.
    #[error(transparent)]
    Gdb(#[from] mi::Error),
    /// The proxy before GDB.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// The answer lacks what every answer has.
    #[error("unexpected answer: {0}")]
    Unexpected(Value),
}

/// A debugger with a replay under way.
pub(super) trait Driver {
    /// Does one operation and returns the answer in the common form.
    fn perform(&mut self, operation: &Operation) -> Result<String, Failure>;

    /// Returns what has gone over the wire so far, if that can be seen. Not part of any measurement.
    fn cost(&mut self) -> Result<Option<Cost>, Failure>;
}

/// Starts a driver on a recording: the scenario's first operation.
pub(super) fn start(name: &str, options: &Options) -> Result<Box<dyn Driver>, Failure> {
    let trace = &options.trace;
    Ok(match name {
        "library" => Box::new(Library::start(&options.rr, trace)?),
        "gdb" => Box::new(GdbDriver::start(options.rr_of_gdb.as_ref().unwrap_or(&options.rr), trace)?),
        "karellen" => {
            let mut server = Command::new("karellen-rr-mcp");
            let stand_in = StandIn::new()?;
            stand_in.lead(&mut server, &options.server, &options.rr)?;
            Box::new(McpDriver::start(server, trace, Some(stand_in))?)
        }
        _ => {
            let mut server = Command::new(&options.server);
            server.env("RETROGRADE_RR", &options.rr);
            Box::new(McpDriver::start(server, trace, None)?)
        }
    })
}

/// Formats a place as `function:line`.
fn place(function: Option<&str>, line: Option<u64>) -> String {
    let function = function.and_then(|f| f.split('(').next()).unwrap_or("?");
    line.map_or_else(|| function.to_owned(), |line| format!("{function}:{line}"))
}

/// Removes the type before a pointer, which GDB's machine interface leaves out.
fn bare(value: &str) -> String {
    match value.split_once(") 0x") {
        Some((kind, rest)) if kind.starts_with('(') => format!("0x{rest}"),
        _ => value.to_owned(),
    }
}

fn variables(all: impl Iterator<Item = (String, String)>) -> String {
    let mut all: Vec<String> = all.map(|(name, value)| format!("{name}={}", bare(&value))).collect();
    all.sort_unstable();
    all.join(" ")
}

/// The engine, called directly.
struct Library {
    engine: Engine,
    last: u32,
}

impl Library {
    fn start(rr: &Path, trace: &Path) -> Result<Self, Failure> {
        let options = model::ReplayOptions { trace: Some(trace.to_owned()), pid: None };
        Ok(Self { engine: Engine::start(&Rr::at(rr)?, &options, model::Timeouts::default())?, last: 0 })
    }
}

impl Driver for Library {
    fn perform(&mut self, operation: &Operation) -> Result<String, Failure> {
        use Direction::{Forward, Reverse};
        use model::Motion;
        let motion = match operation {
            Operation::Start => return Ok(String::new()),
            Operation::Break(function) => {
                let spec = model::BreakpointSpec { location: function.clone(), ..Default::default() };
                self.last = self.engine.set_breakpoint(&spec)?.number;
                return Ok(String::new());
            }
            Operation::Watch(expression) => {
                self.last = self.engine.set_watchpoint(expression, model::Access::Write, None, None)?.number;
                return Ok(String::new());
            }
            Operation::Unset => {
                self.engine.remove_breakpoint(self.last)?;
                return Ok(String::new());
            }
            Operation::Backtrace => {
                let stack = self.engine.backtrace(0, u32::MAX, false)?;
                let places = stack.frames.iter().map(|f| place(f.function.as_deref(), f.line.map(u64::from)));
                return Ok(places.collect::<Vec<_>>().join(" "));
            }
            Operation::Locals => {
                return Ok(variables(self.engine.locals()?.into_iter().map(|v| (v.name, v.value))));
            }
            Operation::Evaluate(expression) => {
                return Ok(bare(&self.engine.evaluate(expression, Show::default())?.value));
            }
            Operation::Continue => Motion::Continue(Forward),
            Operation::ReverseContinue => Motion::Continue(Reverse),
            Operation::Step => Motion::Step(Forward, 1),
            Operation::ReverseStep => Motion::Step(Reverse, 1),
            Operation::Next => Motion::Next(Forward, 1),
            Operation::ReverseNext => Motion::Next(Reverse, 1),
            Operation::Finish => Motion::Finish(Forward),
            Operation::ReverseFinish => Motion::Finish(Reverse),
        };
        let stop = self.engine.go(motion)?;
        Ok(place(stop.frame.function.as_deref(), stop.frame.line.map(u64::from)))
    }

    fn cost(&mut self) -> Result<Option<Cost>, Failure> {
        let t = self.engine.traffic();
        Ok(Some(Cost { packets: t.packets, bytes: t.bytes, waited: t.waited }))
    }
}

/// An MCP server with the `rr_*` tools: ours, or karellen-rr-mcp. Fields drop in order: the server before its rr.
struct McpDriver {
    client: Client,
    last: Value,
    /// The rr of karellen-rr-mcp; ours needs none.
    stand_in: Option<StandIn>,
}

impl McpDriver {
    fn start(mut command: Command, trace: &Path, stand_in: Option<StandIn>) -> Result<Self, Failure> {
        let mut client = Client::start(&mut command)?;
        client.call("rr_replay_start", json!({"trace_dir": trace}))?;
        Ok(Self { client, last: Value::Null, stand_in })
    }

    fn set(&mut self, tool: &str, arguments: Value) -> Result<String, Failure> {
        self.last = self.client.call(tool, arguments)?["number"].take();
        Ok(String::new())
    }
}

impl Driver for McpDriver {
    fn perform(&mut self, operation: &Operation) -> Result<String, Failure> {
        let text = |v: &Value| v.as_str().unwrap_or_default().to_owned();
        let at = |frame: &Value| place(frame["function"].as_str(), frame["line"].as_u64());
        let rows = |answer: Value| match answer["result"].as_array() {
            Some(rows) => Ok(rows.clone()),
            None => Err(Failure::Unexpected(answer)),
        };
        let (tool, reverse) = match operation {
            Operation::Start => return Ok(String::new()),
            Operation::Break(function) => return self.set("rr_breakpoint_set", json!({"location": function})),
            Operation::Watch(expression) => return self.set("rr_watchpoint_set", json!({"expression": expression})),
            Operation::Unset => {
                self.client.call("rr_breakpoint_remove", json!({"breakpoint_number": self.last}))?;
                return Ok(String::new());
            }
            Operation::Backtrace => {
                let frames = rows(self.client.call("rr_backtrace", json!({"max_depth": 0}))?)?;
                return Ok(frames.iter().map(at).collect::<Vec<_>>().join(" "));
            }
            Operation::Locals => {
                let all = rows(self.client.call("rr_locals", json!({}))?)?;
                return Ok(variables(all.iter().map(|v| (text(&v["name"]), text(&v["value"])))));
            }
            Operation::Evaluate(expression) => {
                return Ok(bare(&text(&self.client.call("rr_evaluate", json!({"expression": expression}))?["value"])));
            }
            Operation::Continue => ("rr_continue", false),
            Operation::ReverseContinue => ("rr_continue", true),
            Operation::Step => ("rr_step", false),
            Operation::ReverseStep => ("rr_step", true),
            Operation::Next => ("rr_next", false),
            Operation::ReverseNext => ("rr_next", true),
            Operation::Finish => ("rr_finish", false),
            Operation::ReverseFinish => ("rr_finish", true),
        };
        let stop = self.client.call(tool, json!({"reverse": reverse}))?;
        Ok(at(&stop["frame"]))
    }

    fn cost(&mut self) -> Result<Option<Cost>, Failure> {
        if self.stand_in.is_some() {
            return Ok(None);
        }
        let list = self.client.call("rr_session_list", json!({}))?;
        let traffic = &list["result"][0]["traffic"];
        match (traffic["packets"].as_u64(), traffic["bytes"].as_u64(), traffic["rr_seconds"].as_f64()) {
            (Some(packets), Some(bytes), Some(seconds)) => {
                Ok(Some(Cost { packets, bytes, waited: Duration::from_secs_f64(seconds.max(0.0)) }))
            }
            _ => Err(Failure::Unexpected(list)),
        }
    }
}

/// GDB on an rr of its own, through a counting proxy. Fields drop in order: GDB before rr.
struct GdbDriver {
    gdb: Gdb,
    proxy: Proxy,
    _replay: Replay,
    last: String,
}

impl GdbDriver {
    fn start(rr: &Path, trace: &Path) -> Result<Self, Failure> {
        let minute = Duration::from_secs(60);
        let replay = Rr::at(rr)?.replay(Some(trace), None, Patience { idle: minute, reach: minute })?;
        let proxy = Proxy::start(replay.address())?;
        let program = replay.program().unwrap_or_default();
        let gdb = Gdb::connect(&program, &proxy.address.to_string())?;
        Ok(Self { gdb, proxy, _replay: replay, last: String::new() })
    }

    fn set(&mut self, command: &str) -> Result<String, Failure> {
        let answer = self.gdb.command(command)?;
        let number = [&answer["bkpt"]["number"], &answer["wpt"]["number"]].into_iter().find_map(Value::as_str);
        self.last = number.ok_or_else(|| Failure::Unexpected(answer.clone()))?.to_owned();
        Ok(String::new())
    }
}

/// Formats a frame as the machine interface describes it.
fn mi_place(frame: &Value) -> String {
    place(frame["func"].as_str(), frame["line"].as_str().and_then(|l| l.parse().ok()))
}

impl Driver for GdbDriver {
    fn perform(&mut self, operation: &Operation) -> Result<String, Failure> {
        let text = |v: &Value| v.as_str().unwrap_or_default().to_owned();
        let command = match operation {
            Operation::Start => return Ok(String::new()),
            Operation::Break(function) => return self.set(&format!("-break-insert {function}")),
            Operation::Watch(expression) => return self.set(&format!("-break-watch {expression}")),
            Operation::Unset => {
                self.gdb.command(&format!("-break-delete {}", self.last))?;
                return Ok(String::new());
            }
            Operation::Backtrace => {
                let answer = self.gdb.command("-stack-list-frames")?;
                let frames = answer["stack"].as_array().into_iter().flatten();
                return Ok(frames.map(mi_place).collect::<Vec<_>>().join(" "));
            }
            Operation::Locals => {
                let answer = self.gdb.command("-stack-list-variables --all-values")?;
                let all = answer["variables"].as_array().into_iter().flatten();
                return Ok(variables(all.map(|v| (text(&v["name"]), text(&v["value"])))));
            }
            Operation::Evaluate(expression) => {
                let printed = self.gdb.console(&format!("print {expression}"))?;
                return Ok(bare(printed.trim_end().split_once(" = ").map_or("", |(_, value)| value)));
            }
            Operation::Continue => "-exec-continue",
            Operation::ReverseContinue => "-exec-continue --reverse",
            Operation::Step => "-exec-step",
            Operation::ReverseStep => "-exec-step --reverse",
            Operation::Next => "-exec-next",
            Operation::ReverseNext => "-exec-next --reverse",
            Operation::Finish => "-exec-finish",
            Operation::ReverseFinish => "-exec-finish --reverse",
        };
        let stop = self.gdb.run(command)?;
        Ok(mi_place(&stop["frame"]))
    }

    fn cost(&mut self) -> Result<Option<Cost>, Failure> {
        let passed = self.proxy.passed();
        Ok(Some(Cost { packets: passed.packets, bytes: passed.bytes, waited: passed.waited }))
    }
}
