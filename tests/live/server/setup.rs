//! `retrograde setup`: an rr where there is none, and the configuration of clients.

use crate::support::fixtures::scratch;
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The program, of a user who has nothing but what is in this home directory, and no rr.
fn retrograde(home: &Path, words: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_retrograde"));
    command.args(words).current_dir("/").env("HOME", home).env("PATH", path_without_rr());
    for name in ["RETROGRADE_RR", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"] {
        command.env_remove(name);
    }
    command.output().unwrap()
}

fn path_without_rr() -> std::ffi::OsString {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let has_none = |directory: &PathBuf| !directory.join("rr").exists();
    std::env::join_paths(std::env::split_paths(&path).filter(has_none)).unwrap()
}

fn home(name: &str) -> PathBuf {
    let home = scratch().join(name);
    let _ = fs::remove_dir_all(&home);
    fs::create_dir_all(&home).unwrap();
    home
}

fn said(output: &Output) -> String {
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout.clone()).unwrap()
}

#[test]
fn an_rr_is_installed_once_and_found() {
    let home = home("setup-rr");
    let before = retrograde(&home, &["doctor"]);
    let before = String::from_utf8_lossy(&before.stdout).into_owned();
    assert!(before.contains("`retrograde setup` installs one"), "{before}");
    let dry = said(&retrograde(&home, &["setup", "--dry-run"]));
    assert!(dry.contains("would install karellen-rr=="), "{dry}");
    let program = home.join(".local/share/retrograde/rr/bin/rr");
    assert!(!program.exists());
    let first = retrograde(&home, &["setup"]);
    let expected = format!("rr 5.10.0: {}\n", program.display());
    assert!(said(&first).starts_with(&expected), "{first:?}");
    let again = retrograde(&home, &["setup"]);
    assert!(said(&again).starts_with(&expected) && again.stderr.is_empty(), "{again:?}");
    let recorded = retrograde(&home, &["rr", "record", "-o", home.join("trace").to_str().unwrap(), "/bin/true"]);
    assert!(recorded.status.success() && home.join("trace").is_dir(), "{recorded:?}");
}

#[test]
fn clients_are_told_once_and_keep_what_they_had() {
    let home = home("setup-clients");
    let own = json!({"theme": "dark", "mcpServers": {"other": {"command": "x"}}});
    fs::write(home.join(".claude.json"), own.to_string()).unwrap();
    let program = fs::canonicalize(env!("CARGO_BIN_EXE_retrograde")).unwrap();
    let dry = said(&retrograde(&home, &["setup", "claude", "--dry-run"]));
    assert!(dry.ends_with("it would be written\n") && !home.join(".claude.json.before-retrograde").exists(), "{dry}");
    let all = ["setup", "claude", "cursor", "vscode", "zed"];
    said(&retrograde(&home, &all));
    let read = |file: &str| -> Value { serde_json::from_str(&fs::read_to_string(home.join(file)).unwrap()).unwrap() };
    let claude = read(".claude.json");
    assert_eq!((&claude["theme"], &claude["mcpServers"]["other"]["command"]), (&json!("dark"), &json!("x")));
    let plain = json!({"command": program, "args": []});
    let typed = json!({"type": "stdio", "command": program, "args": []});
    assert_eq!(claude["mcpServers"]["retrograde"], typed);
    assert_eq!(read(".claude.json.before-retrograde"), own);
    assert_eq!(read(".cursor/mcp.json"), json!({"mcpServers": {"retrograde": plain}}));
    assert_eq!(read(".config/Code/User/mcp.json"), json!({"servers": {"retrograde": typed}}));
    assert_eq!(read(".config/zed/settings.json"), json!({"context_servers": {"retrograde": plain}}));
    let files = || fs::read(home.join(".claude.json")).unwrap();
    let written = files();
    let again = said(&retrograde(&home, &all));
    assert_eq!((again.matches("it is there already").count(), files()), (4, written), "{again}");
}

#[test]
fn the_rr_that_was_chosen_and_the_users_own_words_are_kept() {
    let home = home("setup-chosen");
    let own =
        json!({"mcpServers": {"retrograde": {"command": "/old", "args": ["--tools", "core"], "disabled": false}}});
    fs::create_dir_all(home.join(".cursor")).unwrap();
    fs::write(home.join(".cursor/mcp.json"), own.to_string()).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_retrograde"));
    command
        .args(["setup", "cursor", "claude"])
        .current_dir("/usr")
        .env("HOME", &home)
        .env("RETROGRADE_RR", "bin/my-rr");
    said(&command.output().unwrap());
    let program = fs::canonicalize(env!("CARGO_BIN_EXE_retrograde")).unwrap();
    let read = |file: &str| -> Value { serde_json::from_str(&fs::read_to_string(home.join(file)).unwrap()).unwrap() };
    let env = json!({"RETROGRADE_RR": "/usr/bin/my-rr"});
    let cursor = json!({"command": program, "args": ["--tools", "core"], "disabled": false, "env": env});
    assert_eq!(read(".cursor/mcp.json")["mcpServers"]["retrograde"], cursor);
    let claude = json!({"type": "stdio", "command": program, "args": [], "env": env});
    assert_eq!(read(".claude.json")["mcpServers"]["retrograde"], claude);
    // Without it the entry stays as it is.
    let again = said(&retrograde(&home, &["setup", "cursor", "claude"]));
    assert_eq!(again.matches("it is there already").count(), 2, "{again}");
}

#[test]
fn a_configuration_with_comments_is_edited_in_place() {
    let home = home("setup-comments");
    let file = home.join(".config/zed/settings.json");
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    // As the editor writes it.
    let own = "// Zed settings\n//\n// For information, see the documentation\n{\n  \"vim_mode\": true, // mine\n  \"theme\": {\n    \
               \"mode\": \"system\",\n  },\n}\n";
    fs::write(&file, own).unwrap();
    said(&retrograde(&home, &["setup", "zed", "--tools", "core"]));
    let program = fs::canonicalize(env!("CARGO_BIN_EXE_retrograde")).unwrap();
    let entry = format!(
        "  \"context_servers\": {{\n    \"retrograde\": {{\n      \"command\": \"{}\",\n      \"args\": [\"--tools\", \
         \"core\"]\n    }}\n  }},\n}}\n",
        program.display()
    );
    assert_eq!(fs::read_to_string(&file).unwrap(), format!("{}{entry}", own.strip_suffix("}\n").unwrap()));
    let again = said(&retrograde(&home, &["setup", "zed"]));
    assert!(again.ends_with("it is there already\n"), "{again}");
}

#[test]
fn clients_with_other_formats_are_set_up() {
    let home = home("setup-formats");
    let codex = home.join(".codex/config.toml");
    fs::create_dir_all(codex.parent().unwrap()).unwrap();
    let own = "model = \"x\" # mine\n\n[mcp_servers.other]\ncommand = \"y\"\n";
    fs::write(&codex, own).unwrap();
    said(&retrograde(&home, &["setup", "codex", "opencode", "gemini", "claude-desktop"]));
    let program = fs::canonicalize(env!("CARGO_BIN_EXE_retrograde")).unwrap();
    let expected = format!("{own}\n[mcp_servers.retrograde]\ncommand = \"{}\"\nargs = []\n", program.display());
    assert_eq!(fs::read_to_string(&codex).unwrap(), expected);
    let read = |file: &str| -> Value { serde_json::from_str(&fs::read_to_string(home.join(file)).unwrap()).unwrap() };
    let plain = json!({"mcpServers": {"retrograde": {"command": program, "args": []}}});
    assert_eq!(read(".gemini/settings.json"), plain);
    assert_eq!(read(".config/Claude/claude_desktop_config.json"), plain);
    let local = json!({"type": "local", "command": [program], "enabled": true});
    assert_eq!(read(".config/opencode/opencode.json"), json!({"mcp": {"retrograde": local}}));
}

#[test]
fn a_configuration_that_cannot_be_read_is_left_alone() {
    let home = home("setup-broken");
    let file = home.join(".config/zed/settings.json");
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    let own = "{ \"vim_mode\": true \"theme\": 3 }\n";
    fs::write(&file, own).unwrap();
    let output = retrograde(&home, &["setup", "zed"]);
    let words = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success() && words.contains("is left as it is") && words.contains("by hand"), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stdout).contains("\"context_servers\""), "{output:?}");
    assert_eq!(fs::read_to_string(&file).unwrap(), own);
}
