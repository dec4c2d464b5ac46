//! MCP clients whose configuration is known.

use super::edit::Language;
use super::entry::{CHOSEN_RR, Shape, Start};
use base::untrusted::PathText as _;
use serde_json::{Map, Value, json};
use std::error::Error;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// The name of our entry.
const NAME: &str = "retrograde";

/// A client.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Client {
    /// How the user names it.
    pub(super) name: &'static str,
    /// Its name in full.
    pub(super) title: &'static str,
    /// Its file, from the user's directory of configuration, or from the home directory.
    file: File,
    language: Language,
    /// The member of it that has all servers.
    servers: &'static str,
    shape: Shape,
}

#[derive(Debug, PartialEq, Eq)]
enum File {
    Home(&'static str),
    Configuration(&'static str),
}

const fn json(name: &'static str, title: &'static str, file: File, servers: &'static str, shape: Shape) -> Client {
    Client { name, title, file, language: Language::Json, servers, shape }
}

/// All that can be set up.
pub(super) const CLIENTS: &[Client] = &[
    json("claude", "Claude Code", File::Home(".claude.json"), "mcpServers", Shape::Typed),
    json(
        "claude-desktop",
        "Claude Desktop",
        File::Configuration("Claude/claude_desktop_config.json"),
        "mcpServers",
        Shape::Plain,
    ),
    Client {
        name: "codex",
        title: "Codex",
        file: File::Home(".codex/config.toml"),
        language: Language::Toml,
        servers: "mcp_servers",
        shape: Shape::Plain,
    },
    json("cursor", "Cursor", File::Home(".cursor/mcp.json"), "mcpServers", Shape::Plain),
    json("gemini", "Gemini CLI", File::Home(".gemini/settings.json"), "mcpServers", Shape::Plain),
    json("opencode", "opencode", File::Configuration("opencode/opencode.json"), "mcp", Shape::Local),
    json("vscode", "VS Code", File::Configuration("Code/User/mcp.json"), "servers", Shape::Typed),
    json("zed", "Zed", File::Configuration("zed/settings.json"), "context_servers", Shape::Plain),
];

impl Client {
    /// Shows our entry, and writes it to the client's configuration unless it is there. `tools`: which ones are to be
    /// shown, if the user has said so.
    ///
    /// # Errors
    /// If the file cannot be edited (then it is left as it is, and the message says what to add), read or written.
    pub(super) fn set_up(&self, tools: Option<&str>, is_dry: bool) -> Result<(), Box<dyn Error>> {
        let path = self.path()?;
        let tools = tools.map(str::to_owned);
        let start = Start { tools, rr: chosen_rr(), ..Start::of(&std::env::current_exe()?) };
        let before = match fs::read_to_string(&path) {
            Ok(text) => Some(text),
            Err(error) if error.kind() == ErrorKind::NotFound => None,
            Err(error) => return Err(format!("cannot read `{}`: {error}", path.in_text()).into()),
        };
        let entered = self.entered(before.as_deref().unwrap_or(""), &start);
        let shown = match &entered {
            Ok((entry, _)) => entry.clone(),
            Err(_) => self.shape.entry(&start, None),
        };
        println!("{}: {}\n{}", self.title, path.in_text(), self.alone(shown));
        let (_, text) = entered
            .map_err(|why| format!("`{}` is left as it is: {why}; add the lines above by hand", path.in_text()))?;
        match text {
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

    /// Enters how we are started. Returns the entry, and the new text unless it is there already.
    fn entered(&self, text: &str, start: &Start) -> Result<(Map<String, Value>, Option<String>), String> {
        self.language.enter(text, (self.servers, NAME), |own| self.shape.entry(start, own))
    }

    /// Returns the text of a configuration that has nothing but our entry.
    fn alone(&self, entry: Map<String, Value>) -> String {
        match self.language {
            Language::Json => format!("{:#}", json!({ self.servers: { NAME: entry } })),
            Language::Toml => {
                let text = self.language.enter("", (self.servers, NAME), |_| entry).ok().and_then(|(_, text)| text);
                text.unwrap_or_default().trim_end().to_owned()
            }
        }
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

    /// The entry alone, as each client's documentation shows it.
    #[test]
    fn each_client_gets_the_configuration_that_it_reads() {
        let start = Start::of(Path::new("/bin/retrograde"));
        let text = |name: &str| {
            let client = CLIENTS.iter().find(|client| client.name == name).unwrap();
            client.entered("", &start).unwrap().1.unwrap()
        };
        let read = |name: &str| serde_json::from_str::<Value>(&text(name)).unwrap();
        let plain = json!({"retrograde": {"command": "/bin/retrograde", "args": []}});
        let typed = json!({"retrograde": {"type": "stdio", "command": "/bin/retrograde", "args": []}});
        let local = json!({"retrograde": {"type": "local", "command": ["/bin/retrograde"], "enabled": true}});
        assert_eq!(read("claude"), json!({"mcpServers": typed}));
        assert_eq!(read("claude-desktop"), json!({"mcpServers": plain}));
        assert_eq!(read("cursor"), json!({"mcpServers": plain}));
        assert_eq!(read("gemini"), json!({"mcpServers": plain}));
        assert_eq!(read("opencode"), json!({"mcp": local}));
        assert_eq!(read("vscode"), json!({"servers": typed}));
        assert_eq!(read("zed"), json!({"context_servers": plain}));
        assert_eq!(text("codex"), "[mcp_servers.retrograde]\ncommand = \"/bin/retrograde\"\nargs = []\n");
        assert_eq!(CLIENTS.len(), 8);
    }
}
