//! MCP clients whose configuration is known.

use super::entry;
use crate::untrusted::PathText as _;
use serde_json::{Map, Value, json};
use std::error::Error;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// The name of our entry.
const NAME: &str = "retrograde";
/// The variable that says which rr is used.
const CHOSEN_RR: &str = "RETROGRADE_RR";

/// A client.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Client {
    pub(super) name: &'static str,
    /// Its file, from the user's directory of configuration, or from the home directory.
    file: File,
    /// The member of it that has all servers.
    servers: &'static str,
    /// Whether an entry says how the server is spoken to.
    has_type: bool,
}

#[derive(Debug, PartialEq, Eq)]
enum File {
    Home(&'static str),
    Configuration(&'static str),
}

/// All that are known, by name.
pub(super) const CLIENTS: &[Client] = &[
    Client { name: "claude", file: File::Home(".claude.json"), servers: "mcpServers", has_type: true },
    Client { name: "cursor", file: File::Home(".cursor/mcp.json"), servers: "mcpServers", has_type: false },
    Client { name: "vscode", file: File::Configuration("Code/User/mcp.json"), servers: "servers", has_type: true },
    Client { name: "zed", file: File::Configuration("zed/settings.json"), servers: "context_servers", has_type: false },
];

impl Client {
    /// Shows our entry, and writes it to the client's configuration unless it is there.
    ///
    /// # Errors
    /// If the file is no plain JSON (then it is left as it is, and the user told what to add), and if it cannot be read
    /// or written.
    pub(super) fn set_up(&self, is_dry: bool) -> Result<(), Box<dyn Error>> {
        let path = self.path()?;
        let entry = self.entry(&std::env::current_exe()?, chosen_rr());
        let show = |entry: &Value| {
            println!("{}: {}\n{:#}", self.name, path.in_text(), json!({ self.servers: { NAME: entry } }));
        };
        let before = match fs::read_to_string(&path) {
            Ok(text) => Some(text),
            Err(error) if error.kind() == ErrorKind::NotFound => None,
            Err(error) => return Err(format!("cannot read `{}`: {error}", path.in_text()).into()),
        };
        let entered = entry::with(before.as_deref().unwrap_or(""), self.servers, NAME, &entry);
        show(entered.as_ref().map_or(&entry, |entered| &entered.entry));
        let entered = entered
            .map_err(|why| format!("`{}` is left as it is: {why}; add the lines above by hand", path.in_text()))?;
        match entered.text {
            None => println!("it is there already"),
            Some(_) if is_dry => println!("it would be written"),
            Some(text) => {
                let kept = write(&path, before.is_some(), &text)
                    .map_err(|error| format!("cannot write `{}`: {error}", path.in_text()))?;
                match kept {
                    Some(kept) => println!("written; what was there is in {}", kept.in_text()),
                    None => println!("written"),
                }
            }
        }
        Ok(())
    }

    fn path(&self) -> Result<PathBuf, &'static str> {
        let variable = |name| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
        let home = variable("HOME").ok_or("HOME does not say where the user's files are");
        match self.file {
            File::Home(file) => Ok(home?.join(file)),
            File::Configuration(file) => match variable("XDG_CONFIG_HOME") {
                Some(directory) => Ok(directory.join(file)),
                None => Ok(home?.join(".config").join(file)),
            },
        }
    }

    /// Returns the entry by which the client starts us. `rr`: which one we are to use.
    fn entry(&self, program: &Path, rr: Option<String>) -> Value {
        let mut entry = Map::new();
        if self.has_type {
            entry.insert("type".to_owned(), json!("stdio"));
        }
        entry.insert("command".to_owned(), json!(program.to_string_lossy().into_owned()));
        entry.insert("args".to_owned(), json!([]));
        if let Some(rr) = rr {
            entry.insert("env".to_owned(), json!({ CHOSEN_RR: rr }));
        }
        Value::Object(entry)
    }
}

/// Returns the rr that the user has chosen here: a client has not the same environment.
fn chosen_rr() -> Option<String> {
    let chosen = std::env::var(CHOSEN_RR).ok().filter(|chosen| !chosen.is_empty())?;
    // Nor is it started where we are.
    let path = Path::new(&chosen);
    let is_place = path.components().count() > 1;
    let absolute = std::path::absolute(path).ok().filter(|_| is_place);
    Some(absolute.map_or(chosen, |path| path.to_string_lossy().into_owned()))
}

/// Replaces a file as a whole, with what it points to if it is a link. Returns where its old content is kept.
fn write(path: &Path, is_there: bool, text: &str) -> io::Result<Option<PathBuf>> {
    if !is_there {
        if let Some(directory) = path.parent() {
            fs::create_dir_all(directory)?;
        }
        return fs::write(path, text).map(|()| None);
    }
    let path = fs::canonicalize(path)?;
    let beside = |ending: &str| {
        let mut name = path.file_name().unwrap_or_default().to_owned();
        name.push(ending);
        path.with_file_name(name)
    };
    let (kept, new) = (beside(".before-retrograde"), beside(".retrograde-new"));
    fs::copy(&path, &kept)?;
    // With the permissions of the old one.
    fs::copy(&path, &new)?;
    fs::write(&new, text)?;
    fs::rename(&new, &path)?;
    Ok(Some(kept))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_as_each_client_wants_them() {
        let entry = |name: &str| {
            let client = CLIENTS.iter().find(|client| client.name == name).unwrap();
            json!({ client.servers: { NAME: client.entry(Path::new("/bin/retrograde"), None) } }).to_string()
        };
        let typed = r#"{"retrograde":{"type":"stdio","command":"/bin/retrograde","args":[]}}"#;
        let plain = r#"{"retrograde":{"command":"/bin/retrograde","args":[]}}"#;
        assert_eq!(entry("claude"), format!(r#"{{"mcpServers":{typed}}}"#));
        assert_eq!(entry("cursor"), format!(r#"{{"mcpServers":{plain}}}"#));
        assert_eq!(entry("vscode"), format!(r#"{{"servers":{typed}}}"#));
        assert_eq!(entry("zed"), format!(r#"{{"context_servers":{plain}}}"#));
        let chosen = CLIENTS[1].entry(Path::new("/r"), Some("/opt/rr".to_owned())).to_string();
        assert_eq!(chosen, r#"{"command":"/r","args":[],"env":{"RETROGRADE_RR":"/opt/rr"}}"#);
    }
}
