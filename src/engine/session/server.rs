//! Who answers an engine: an rr that it has started, or a server that was there before.

use crate::api::error::Error;
use rr::Replay;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};

/// Who answers.
pub(crate) enum Server {
    /// Started here, and ended here.
    Ours(Replay),
    /// Somebody's `rr replay`, or another server. It is left, never killed; what it does without its client is its
    /// owner's choice.
    Theirs {
        /// Where it listens.
        address: SocketAddr,
        /// What it replays, if it does.
        trace: Option<PathBuf>,
        /// The process that it debugs.
        pid: u32,
    },
}

impl Server {
    pub(crate) fn trace(&self) -> Option<&Path> {
        match self {
            Self::Ours(replay) => Some(replay.trace()),
            Self::Theirs { trace, .. } => trace.as_deref(),
        }
    }

    pub(crate) fn address(&self) -> SocketAddr {
        match self {
            Self::Ours(replay) => replay.address(),
            Self::Theirs { address, .. } => *address,
        }
    }

    pub(crate) fn pid(&self) -> u32 {
        match self {
            Self::Ours(replay) => replay.pid(),
            Self::Theirs { pid, .. } => *pid,
        }
    }

    /// Returns the last words of an rr of ours that has ended.
    pub(crate) fn ended(&self) -> Option<String> {
        match self {
            Self::Ours(replay) => replay.ended(),
            Self::Theirs { .. } => None,
        }
    }

    /// Returns what it prints that functions were called in, if that is heard here.
    pub(crate) fn heard(&self) -> Option<&Replay> {
        match self {
            Self::Ours(replay) => Some(replay).filter(|replay| replay.is_heard()),
            Self::Theirs { .. } => None,
        }
    }

    /// Ends it, if it is ours.
    pub(crate) fn end(&self) {
        if let Self::Ours(replay) = self {
            replay.killer().kill();
        }
    }
}

/// Parses the address in `127.0.0.1:9999`, `localhost:9999`, `[::1]:9999`, `:9999` or `9999`. Another machine's only if
/// `remote`; names are not looked up.
pub(crate) fn address(text: &str, remote: bool) -> Result<SocketAddr, Error> {
    let bad = |reason: &str| Error::BadAddress { text: text.to_owned(), reason: reason.to_owned() };
    let trimmed = text.trim();
    let port = trimmed.strip_prefix("localhost:").or_else(|| trimmed.strip_prefix(':')).unwrap_or(trimmed);
    let found = match port.parse::<u16>() {
        Ok(port) => SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), port),
        Err(_) => trimmed.parse().map_err(|_| bad("it must be IP:PORT, localhost:PORT or PORT"))?,
    };
    if found.port() == 0 {
        return Err(bad("there is no port 0"));
    }
    if !remote && !found.ip().is_loopback() {
        return Err(bad("it is not on this machine; to permit it, set `remote`"));
    }
    Ok(found)
}

/// What going back needs.
pub(crate) const REVERSE: &str = "reverse execution (ReverseContinue+ and ReverseStep+ in its answer to qSupported)";

/// Returns what a server has to be able to do, if that is what an error of the first requests is about.
pub(crate) fn lacking(address: SocketAddr, error: rsp::Error) -> Error {
    let feature = match &error {
        rsp::Error::Unsupported { request } if request == "bc" => REVERSE,
        rsp::Error::Unsupported { request } if request.starts_with("qXfer:exec-file") => {
            "path of its program's file (qXfer:exec-file:read; `program` can say it)"
        }
        rsp::Error::Unsupported { request } if request.starts_with("qXfer:features") => {
            "a description of its registers (qXfer:features:read)"
        }
        rsp::Error::Unsupported { request } if request.starts_with("qXfer:auxv") => {
            "the auxiliary vector of the process (qXfer:auxv:read)"
        }
        _ if error.is_fatal() => return Error::NoServer { address, words: in_words(&error) },
        _ => return Error::Server(in_words(&error)),
    };
    Error::Lacks { address, feature }
}

/// Says what went wrong in the conversation with a server that need not be an rr.
pub(crate) fn in_words(error: &rsp::Error) -> String {
    use rsp::Error as E;
    match error {
        E::Connect { address, source } => format!("cannot connect to {address}: {source}"),
        E::Io { request, source } => format!("the connection to the server failed at `{request}`: {source}"),
        E::Closed { request } => format!("the server closed the connection at `{request}`"),
        E::Timeout { request, after } => format!("the server did not answer `{request}` within {after:?}"),
        E::Malformed { request, what } => format!("the server answered `{request}` with {what}"),
        E::Remote { request, code } => format!("the server refused `{request}` with error {code:02x}"),
        E::Unsupported { request } => format!("the server does not support `{request}`"),
        E::Unusable { reason } => format!("the connection to the server is unusable: {reason}"),
        E::Gone => "the program has ended".to_owned(),
        E::NoThread { thread } => format!("thread {thread} does not exist any more"),
        other => other.to_string(),
    }
}

/// Finds the recording that a program's file is kept in.
pub(crate) fn trace_of(program: &str) -> Option<PathBuf> {
    let directory = Path::new(program).parent()?;
    directory.join("version").is_file().then(|| directory.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_this_machine_are_taken() {
        for (text, expected) in [
            ("127.0.0.1:9999", "127.0.0.1:9999"),
            ("localhost:1", "127.0.0.1:1"),
            (":77", "127.0.0.1:77"),
            (" 77 ", "127.0.0.1:77"),
            ("[::1]:77", "[::1]:77"),
            ("127.8.8.8:7", "127.8.8.8:7"),
        ] {
            assert_eq!(address(text, false).unwrap().to_string(), expected, "{text}");
        }
        assert_eq!(address("192.0.2.1:7", true).unwrap().to_string(), "192.0.2.1:7");
        for (text, reason) in [
            ("192.0.2.1:7", "it is not on this machine"),
            ("0.0.0.0:7", "it is not on this machine"),
            ("example.org:7", "it must be IP:PORT"),
            ("0", "there is no port 0"),
            ("70000", "it must be IP:PORT"),
            ("", "it must be IP:PORT"),
        ] {
            let message = address(text, false).unwrap_err().to_string();
            assert!(message.contains(reason), "{text}: {message}");
        }
    }
}
