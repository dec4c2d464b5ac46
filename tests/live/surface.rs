//! What the server offers, and what README.md says it does.

use crate::support::mcp::Server;

#[test]
fn readme_describes_exactly_the_tools_there_are() {
    let readme = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/README.md")).unwrap();
    let table = readme.split("\n## Tools\n").nth(1).unwrap().split("\n### ").next().unwrap();
    let rows = table.lines().filter(|line| line.starts_with("| `rr_"));
    let mut described: Vec<&str> = rows
        .flat_map(|row| row.split('|').nth(1).unwrap().split(',').map(|cell| cell.trim().trim_matches('`')))
        .collect();
    described.sort_unstable();
    let tools = Server::start().tools();
    let mut offered: Vec<&str> = tools.iter().map(|tool| tool.name.as_ref()).collect();
    offered.sort_unstable();
    assert_eq!(described, offered);
    assert_eq!(offered.len(), 45);
}
