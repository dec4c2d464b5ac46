//! Where the work was, by call paths: which function has called which, and how many ticks that took.
//!
//! All calls of the program's own functions are looked at, with the ticks at which they began and returned. What a
//! function has others do that are not looked at, as those of libraries, is its own work here.

use super::answer::Facts;
use super::calls::{Calls, CallsQuery, Span};
use super::copies::Copies;
use super::diff::{Chosen, Ran};
use super::error::Error;
use super::place::Functions;
use super::program::Program;
use base::cancel::Cancel;
use rr::Rr;
use std::collections::BTreeMap;
use std::path::Path;

/// Most different paths that are told apart; what is deeper counts for what is around it.
const MOST_PATHS: usize = 20_000;
/// Deepest path.
const DEEPEST: usize = 128;

/// A function that was called by way of those around it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PathNode {
    /// Its name. Of the outermost: which thread.
    pub name: String,
    /// How often it was called.
    pub calls: u64,
    /// Ticks from when it began to when it returned.
    pub ticks: u64,
    /// What it has called, the most ticks first.
    pub inner: Vec<PathNode>,
}

/// The answer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Paths {
    /// What was searched.
    pub facts: Facts,
    /// The threads that have called functions, in the order of their beginnings.
    pub threads: Vec<PathNode>,
}

impl Paths {
    /// Asks a recording.
    ///
    /// # Errors
    /// If no function of the program's own was called; if it cannot be replayed; if it is cancelled.
    pub fn ask(rr: &Rr, recording: &Path, cancel: &Cancel) -> Result<Self, Error> {
        let ran = Ran::ask(rr, recording, None, cancel)?;
        let counts = ran.called.iter().map(|(key, calls)| (key.clone(), [*calls, 0])).collect();
        let chosen = Chosen::of(&counts);
        if chosen.keys.is_empty() {
            return Err(Error::question("no function with debug info of the program's own was called"));
        }
        let all = ran.asked_of(&chosen);
        let choose = |_: &Program| Ok(Functions { all: all.clone(), copies: Copies::default(), note: None });
        let calls = Calls::of(rr, recording, &CallsQuery::default(), &choose, cancel)?;
        let (spans, seen) = calls.spans(cancel)?;
        let name = |row: usize| calls.function_of(row).map(|asked| asked.function.name.clone()).unwrap_or_default();
        let mut facts = calls.facts.clone();
        if !chosen.left_out.is_empty() {
            let names: Vec<&str> = chosen.left_out.iter().take(5).map(|key| key.name.as_str()).collect();
            facts.notes.push(format!(
                "{} functions that are called most are not told apart from their callers, as {}",
                chosen.left_out.len(),
                names.join(", ")
            ));
        }
        let unfinished = spans.iter().filter(|span| span.ended.is_none()).count();
        if unfinished > 0 {
            facts.notes.push(format!(
                "{unfinished} calls did not return: they count up to the end of the call around them, or to the last \
                 that was seen of their thread"
            ));
        }
        Ok(Self { facts, threads: tree(&spans, &seen, name) })
    }
}

/// A path while calls are added: its name, calls and ticks, and its parts by their names.
#[derive(Default)]
struct Node {
    name: String,
    calls: u64,
    ticks: u64,
    inner: BTreeMap<String, usize>,
}

/// Adds up the calls of each path. `seen`: up to when each thread was seen.
fn tree(spans: &[Span], seen: &BTreeMap<u32, u64>, name: impl Fn(usize) -> String) -> Vec<PathNode> {
    let mut nodes: Vec<Node> = Vec::new();
    let mut threads: BTreeMap<u32, usize> = BTreeMap::new();
    // The path of each call, how deep it is, and when it ends.
    let mut paths: Vec<(usize, usize, u64)> = Vec::with_capacity(spans.len());
    for (row, span) in spans.iter().enumerate() {
        let last = seen.get(&span.thread).copied().unwrap_or(span.begun);
        let thread = *threads.entry(span.thread).or_insert_with(|| {
            nodes.push(Node { name: format!("thread {}", span.thread), ..Node::default() });
            nodes.len() - 1
        });
        let around = span.around.and_then(|around| paths.get(around).copied());
        // A call that has left another one's place may seem to be around, and be over.
        let around = around.filter(|(.., end)| *end >= span.begun);
        let (parent, depth, limit) = around.unwrap_or((thread, 0, last));
        let end = span.ended.unwrap_or(limit).clamp(span.begun, limit.max(span.begun));
        let own = name(row);
        let known = nodes.get(parent).and_then(|node| node.inner.get(&own).copied());
        let path = match known {
            Some(path) => path,
            None if nodes.len() < MOST_PATHS && depth < DEEPEST => {
                let path = nodes.len();
                nodes.push(Node { name: own.clone(), ..Node::default() });
                if let Some(node) = nodes.get_mut(parent) {
                    node.inner.insert(own, path);
                }
                path
            }
            None => parent,
        };
        if path != parent
            && let Some(node) = nodes.get_mut(path)
        {
            node.calls += 1;
            node.ticks = node.ticks.saturating_add(end - span.begun);
        }
        paths.push((path, depth + 1, end));
    }
    threads.values().map(|root| told(&nodes, *root, 0)).collect()
}

fn told(nodes: &[Node], at: usize, depth: usize) -> PathNode {
    let Some(node) = nodes.get(at).filter(|_| depth <= DEEPEST + 1) else { return PathNode::default() };
    let mut inner: Vec<PathNode> = node.inner.values().map(|part| told(nodes, *part, depth + 1)).collect();
    inner.sort_by(|a, b| b.ticks.cmp(&a.ticks).then_with(|| a.name.cmp(&b.name)));
    let sum = inner.iter().fold(0_u64, |sum, part| sum.saturating_add(part.ticks));
    PathNode { name: node.name.clone(), calls: node.calls, ticks: node.ticks.max(sum), inner }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_add_up_by_paths() {
        let span = |thread, begun, ended, around| Span { thread, begun, ended, around };
        let spans = [
            span(1, 10, None, None),        // main
            span(1, 20, Some(50), Some(0)), // f
            span(1, 30, Some(40), Some(1)), // g
            span(2, 5, Some(9), None),      // g
            span(1, 60, Some(80), Some(0)), // f
            span(1, 90, None, Some(0)),     // f
        ];
        let names = ["main", "f", "g", "g", "f", "f"];
        let seen = BTreeMap::from([(1, 100), (2, 9)]);
        let tree = tree(&spans, &seen, |row| names[row].to_owned());
        let node =
            |name: &str, calls, ticks, inner: Vec<PathNode>| PathNode { name: name.to_owned(), calls, ticks, inner };
        let f = node("f", 3, 60, vec![node("g", 1, 10, vec![])]);
        let expected = [
            node("thread 1", 0, 90, vec![node("main", 1, 90, vec![f])]),
            node("thread 2", 0, 4, vec![node("g", 1, 4, vec![])]),
        ];
        assert_eq!(tree, expected);
    }
}
