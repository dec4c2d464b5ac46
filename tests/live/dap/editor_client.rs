//! The debug adapter, driven by the client that VS Code's own adapters are tested with (an npm package).

use crate::support::fixtures::{program, scratch};
use crate::support::recordings::rr;
use std::path::Path;
use std::process::Command;

#[test]
#[ignore = "needs node and npm, and installs @vscode/debugadapter-testsupport in a directory of its own"]
fn an_independent_client_gets_along_with_it() {
    let place = scratch().join("editor-client");
    std::fs::create_dir_all(&place).unwrap();
    let installed = Command::new("npm")
        .args(["install", "--no-audit", "--no-fund", "--prefix"])
        .arg(&place)
        .arg("@vscode/debugadapter-testsupport@1.68.0")
        .status()
        .unwrap();
    assert!(installed.success());
    for fixture in ["stepping", "corrupt_table", "exit_code"] {
        program(fixture);
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let ended = Command::new("node")
        .arg(root.join("tests/live/dap/editor_client.js"))
        .arg(env!("CARGO_BIN_EXE_retrograde"))
        .arg(root.join("dwarf-fixtures/src"))
        .arg(scratch())
        .env("NODE_PATH", place.join("node_modules"))
        .env("RETROGRADE_RR", rr().program())
        .env("_RR_TRACE_DIR", scratch().join("editor-client/traces"))
        .status()
        .unwrap();
    assert!(ended.success());
}
