//! Debug info from servers (debuginfod): fetched in the background into the cache that debuginfod's own client uses,
//! where it is then found like any other file.
//!
//! Nothing waits for a server. A module is used as it is found; when its debug info has arrived, the session takes it
//! up at its next stop. The transfer is left to `curl`, which has what a small client of our own would lack: TLS,
//! the system's certificates, proxies. It is asked for nothing but a time limit, and what it delivers is counted here.

use base::untrusted::PathText as _;
use dwarf::DebugPaths;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::ffi::OsString;
use std::fmt::Write as _;
use std::fs;
use std::io::{ErrorKind, Read, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Where distributions put separate debug files.
const DEBUG_DIRECTORY: &str = "/usr/lib/debug";

/// A server that delivers less than 100 KiB in this time is abandoned: the client's own default (`DEBUGINFOD_TIMEOUT`).
const DEFAULT_STALL_SECONDS: u64 = 90;
const STALL_BYTES: u64 = 100 << 10;
/// No transfer takes longer (`DEBUGINFOD_MAXTIME`).
const DEFAULT_TOTAL_SECONDS: u64 = 3600;
/// No file is larger (`DEBUGINFOD_MAXSIZE`, in bytes).
const DEFAULT_SIZE: u64 = 4 << 30;
const CHUNK: usize = 64 << 10;

/// Where debug info is looked for: files, and servers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DebugSettings {
    /// The directories of files with debug info.
    pub paths: DebugPaths,
    /// The debuginfod servers; `None` asks none.
    pub servers: Option<Servers>,
}

/// Servers, and what is asked of them at most.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Servers {
    /// `http://` and `https://` only.
    urls: Vec<String>,
    stall_seconds: u64,
    total_seconds: u64,
    size: u64,
}

impl DebugSettings {
    /// Reads what the environment says, read through `get` (normally [`std::env::var_os`]).
    pub fn from_environment(get: impl Fn(&str) -> Option<OsString>) -> Self {
        let set = |name: &str| get(name).filter(|value| !value.is_empty());
        let directories = match set("RETROGRADE_DEBUG_DIRS") {
            Some(list) => std::env::split_paths(&list).filter(|path| path.is_absolute()).collect(),
            None => vec![PathBuf::from(DEBUG_DIRECTORY)],
        };
        let off = set("RETROGRADE_DEBUGINFOD").is_some_and(|value| value == "off");
        let paths = DebugPaths { directories, debuginfod_cache: (!off).then(|| cache(set)).flatten() };
        let number = |name: &str, default: u64| {
            let value = set(name).and_then(|value| value.to_str()?.trim().parse().ok());
            value.filter(|number| *number > 0).unwrap_or(default)
        };
        let listed = set("DEBUGINFOD_URLS").map(|list| list.to_string_lossy().into_owned()).unwrap_or_default();
        let is_server = |word: &&str| word.starts_with("http://") || word.starts_with("https://");
        let urls: Vec<String> = listed.split_whitespace().filter(is_server).map(str::to_owned).collect();
        let servers = (!urls.is_empty() && paths.debuginfod_cache.is_some()).then(|| Servers {
            urls,
            stall_seconds: number("DEBUGINFOD_TIMEOUT", DEFAULT_STALL_SECONDS),
            total_seconds: number("DEBUGINFOD_MAXTIME", DEFAULT_TOTAL_SECONDS),
            size: number("DEBUGINFOD_MAXSIZE", DEFAULT_SIZE),
        });
        Self { paths, servers }
    }
}

impl From<DebugPaths> for DebugSettings {
    fn from(paths: DebugPaths) -> Self {
        Self { paths, servers: None }
    }
}

/// Returns the paths where files with debug info are looked for, as the environment says.
pub fn debug_paths() -> DebugPaths {
    DebugSettings::from_environment(|name| std::env::var_os(name)).paths
}

/// Returns the directory of the cache of debuginfod's client, as `debuginfod_find_debuginfo(3)` tells.
fn cache(set: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    if let Some(path) = set("DEBUGINFOD_CACHE_PATH") {
        return Some(path.into());
    }
    let home = set("HOME").map(PathBuf::from);
    let old = home.as_ref().map(|home| home.join(".debuginfod_client_cache")).filter(|old| old.is_dir());
    let base = || set("XDG_CACHE_HOME").map(PathBuf::from).or_else(|| Some(home.as_ref()?.join(".cache")));
    old.or_else(|| Some(base()?.join("debuginfod_client")))
}

/// What became of a file that was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fetch {
    /// It waits for others, or is being transferred.
    Underway,
    /// It is in the cache.
    Arrived,
    /// No server has it, or none could be asked.
    Failed(String),
}

/// A fetcher of debug info in the background. Dropping it ends what is under way.
pub struct Fetcher {
    shared: Arc<Shared>,
}

struct Shared {
    servers: Servers,
    paths: DebugPaths,
    state: Mutex<Transfers>,
}

#[derive(Default)]
struct Transfers {
    files: BTreeMap<Vec<u8>, Fetch>,
    queue: VecDeque<Vec<u8>>,
    /// Arrived, and not told yet.
    arrived: BTreeSet<Vec<u8>>,
    working: bool,
    ended: bool,
    transfer: Option<Child>,
}

impl Fetcher {
    /// Makes a fetcher that has asked for nothing yet.
    pub fn new(servers: Servers, paths: DebugPaths) -> Self {
        Self { shared: Arc::new(Shared { servers, paths, state: Mutex::default() }) }
    }

    /// Asks for the debug info of a build, unless it was asked for before.
    pub fn want(&self, build_id: &[u8]) {
        let mut state = self.shared.state();
        if state.files.contains_key(build_id) {
            return;
        }
        state.files.insert(build_id.to_owned(), Fetch::Underway);
        state.queue.push_back(build_id.to_owned());
        if state.working {
            return;
        }
        let shared = self.shared.clone();
        let spawned = std::thread::Builder::new().name("debuginfod".to_owned()).spawn(move || shared.work());
        match spawned {
            Ok(_) => state.working = true,
            Err(error) => {
                state.queue.clear();
                state.files.insert(build_id.to_owned(), Fetch::Failed(format!("no thread for it: {error}")));
            }
        }
    }

    /// Returns what became of a file; `None` if it was not asked for. One that has arrived without [`Fetcher::arrived`]
    /// having told it is under way still: nobody can have looked into it.
    pub fn state(&self, build_id: &[u8]) -> Option<Fetch> {
        let state = self.shared.state();
        let is_untold = state.arrived.contains(build_id);
        state.files.get(build_id).map(|fetch| if is_untold { Fetch::Underway } else { fetch.clone() })
    }

    /// Takes what has arrived since this was asked last.
    pub fn arrived(&self) -> BTreeSet<Vec<u8>> {
        std::mem::take(&mut self.shared.state().arrived)
    }
}

impl Drop for Fetcher {
    fn drop(&mut self) {
        let mut state = self.shared.state();
        state.ended = true;
        state.queue.clear();
        if let Some(transfer) = &mut state.transfer {
            // The thread reaps it; a process that has ended already needs no killing.
            let _ = transfer.kill();
        }
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, Transfers> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Fetches what is queued, one after the other.
    fn work(&self) {
        loop {
            let build_id = {
                let mut state = self.state();
                match state.queue.pop_front() {
                    Some(build_id) => build_id,
                    None => {
                        state.working = false;
                        return;
                    }
                }
            };
            let outcome = self.fetch(&build_id);
            tracing::debug!(?outcome, "debuginfod: {}", hex(&build_id));
            let mut state = self.state();
            if outcome == Fetch::Arrived {
                state.arrived.insert(build_id.clone());
            }
            state.files.insert(build_id, outcome);
        }
    }

    fn fetch(&self, build_id: &[u8]) -> Fetch {
        let Some(destination) = self.paths.fetched(build_id) else {
            return Fetch::Failed("there is no cache directory for it".to_owned());
        };
        let mut reasons = Vec::new();
        for url in &self.servers.urls {
            let from = format!("{}/buildid/{}/debuginfo", url.trim_end_matches('/'), hex(build_id));
            match self.transfer(&from, &destination) {
                Ok(()) => return Fetch::Arrived,
                Err(reason) => reasons.push(format!("{url}: {reason}")),
            }
        }
        Fetch::Failed(reasons.join("; "))
    }

    /// Transfers one file. It appears in the cache as a whole or not at all.
    fn transfer(&self, from: &str, destination: &Path) -> Result<(), String> {
        let directory = destination.parent().ok_or("there is no place for it")?;
        let cannot = |error: std::io::Error| format!("cannot write {}: {error}", directory.in_text());
        fs::create_dir_all(directory).map_err(cannot)?;
        static TRANSFERS: AtomicU64 = AtomicU64::new(0);
        let number = TRANSFERS.fetch_add(1, Ordering::Relaxed);
        let partial = directory.join(format!(".retrograde-{}-{number}", std::process::id()));
        let result = fs::File::create(&partial).map_err(cannot).and_then(|file| self.receive(from, file));
        let moved = result.and_then(|()| fs::rename(&partial, destination).map_err(cannot));
        if moved.is_err() {
            // The error is the one to report; this only tidies up.
            let _ = fs::remove_file(&partial);
            let _ = fs::remove_dir(directory);
        }
        moved
    }

    fn receive(&self, from: &str, mut file: fs::File) -> Result<(), String> {
        let Servers { stall_seconds, total_seconds, size, .. } = &self.servers;
        let mut curl = Command::new("curl");
        // `-q`, first: without the user's settings. `-g`: no patterns in the address.
        curl.args(["-q", "-g", "--silent", "--show-error", "--fail", "--location", "--proto", "=http,https"])
            .args(["--user-agent", concat!("retrograde/", env!("CARGO_PKG_VERSION"))])
            .args(["--connect-timeout", &stall_seconds.to_string(), "--max-time", &total_seconds.to_string()])
            .args(["--speed-time", &stall_seconds.to_string()])
            .args(["--speed-limit", &(STALL_BYTES / stall_seconds).max(1).to_string()])
            .arg(from)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = curl.spawn().map_err(|error| match error.kind() {
            ErrorKind::NotFound => "curl, which it is fetched with, is not installed".to_owned(),
            _ => format!("curl cannot be started: {error}"),
        })?;
        let (output, errors) = (child.stdout.take(), child.stderr.take());
        {
            let mut state = self.state();
            if state.ended {
                // Nobody waits any more.
                let _ = child.kill();
            }
            state.transfer = Some(child);
        }
        let copied = output.map_or(Ok(()), |output| copy(output, &mut file, *size));
        let child = self.state().transfer.take();
        let Some(mut child) = child else { return Err("it was cancelled".to_owned()) };
        if copied.is_err() {
            let _ = child.kill();
        }
        let mut said = String::new();
        // What it says on failure is one line; nothing depends on it.
        let _ = errors.map(|errors| errors.take(4096).read_to_string(&mut said));
        let status = child.wait().map_err(|error| error.to_string())?;
        copied?;
        match status.success() {
            true => Ok(()),
            false => Err(said.trim().to_owned()),
        }
    }
}

/// Copies at most so many bytes; more are an error.
fn copy(mut from: impl Read, to: &mut fs::File, limit: u64) -> Result<(), String> {
    let mut chunk = vec![0; CHUNK];
    let mut copied = 0;
    loop {
        let n = match from.read(&mut chunk) {
            Ok(0) => return Ok(()),
            Ok(n) => n,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => return Err(error.to_string()),
        };
        copied += n as u64;
        if copied > limit {
            return Err(format!("it has more than {limit} bytes"));
        }
        to.write_all(chunk.get(..n).unwrap_or_default()).map_err(|error| error.to_string())?;
    }
}

/// Formats bytes as lower-case hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests;
