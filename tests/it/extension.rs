//! The extension for VS Code: what its files say about each other and about the program.

use retrograde::mcp::topics;
use serde_json::Value;
use std::fs;
use std::path::Path;

fn manifest() -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(".vscode-extension/package.json");
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

#[test]
fn the_extension_is_of_this_version_and_its_files_are_there() {
    let manifest = manifest();
    assert_eq!(manifest["version"], env!("CARGO_PKG_VERSION"));
    let files = manifest["files"].as_array().unwrap();
    assert_eq!(manifest["main"], format!("./{}", files[0].as_str().unwrap()));
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join(".vscode-extension").join(files[0].as_str().unwrap());
    let script = fs::read_to_string(script).unwrap();
    for command in manifest["contributes"]["commands"].as_array().unwrap() {
        let command = command["command"].as_str().unwrap();
        assert!(script.contains(&format!("'{command}'")), "{command}");
    }
}

#[test]
fn what_can_be_configured_is_what_the_documentation_tells() {
    let editors = topics().find(|topic| topic.name == "editors").unwrap().text;
    let debugger = &manifest()["contributes"]["debuggers"][0];
    assert_eq!(debugger["type"], "retrograde");
    for request in ["launch", "attach"] {
        let properties = debugger["configurationAttributes"][request]["properties"].as_object().unwrap();
        for name in properties.keys() {
            assert!(editors.contains(&format!("`{name}`")), "{name}");
        }
    }
}
