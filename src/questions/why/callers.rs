//! Code that was never executed: where executions turned away on the ways to it, through the callers of functions that
//! nobody called.

use super::flow::{Edge, Flow, leaving};
use super::target::{Target, target};
use super::{Counts, Decision, Turned};
use crate::error::Error;
use crate::program::{Module, Program};
use arch::{LinkAddr, Listed};
use base::cancel::Cancel;
use dwarf::Function;
use std::collections::{BTreeSet, VecDeque};
use std::rc::Rc;

/// Most functions that were never called, one by the other, that are gone through.
const MOST_FUNCTIONS: usize = 64;
/// Most code that is searched for callers, in bytes.
const MOST_CODE: u64 = 32 << 20;
/// Most places of calls that are told of one function.
const MOST_CALLS: usize = 5;

/// What lies between executions and code that was never executed.
#[derive(Default)]
pub(super) struct Met {
    /// Where executions turned away.
    pub(super) edges: Vec<(usize, Rc<Flow>, Edge)>,
    /// What else is in between: the nearest to the code first.
    pub(super) others: Vec<Decision>,
}

/// A call or jump to a function.
struct Site {
    module: usize,
    at: u64,
    place: String,
}

/// Goes back from code of a module that was never executed.
pub(super) fn frontier(
    program: &Program,
    counts: &Counts<'_>,
    module: usize,
    address: u64,
    cancel: &Cancel,
) -> Result<Met, Error> {
    let mut met = Met::default();
    let mut seen = BTreeSet::new();
    let mut queue = VecDeque::from([(module, address)]);
    while let Some((number, address)) = queue.pop_front() {
        if cancel.is_cancelled() {
            return Err(Error::Cancelled);
        }
        let Some(module) = program.module(number) else { continue };
        let found = program.ask_with(cancel, || {
            let function = module.image.function_at(LinkAddr(address))?;
            Some((Flow::of(module, &function)?, function))
        })?;
        let Some((flow, function)) = found else { continue };
        let ways = flow.frontier(address, &|at| counts.of(number, at));
        if ways.edges.is_empty() && ways.begins_nowhere && !ways.never_entered {
            met.others.push(bare(Turned::Handler, place(module, address, &function)));
        }
        let is_new = ways.never_entered && seen.insert((number, function.entry));
        if is_new && seen.len() <= MOST_FUNCTIONS {
            let sites = program.ask_with(cancel, || sites(program, number, &function))?;
            let calls = sites.iter().take(MOST_CALLS).map(|site| site.place.clone()).collect();
            let turned = Turned::NeverCalled(function.name.clone(), calls);
            met.others.push(bare(turned, place(module, function.entry.0, &function)));
            for site in sites {
                // A call that was executed leads there: then it was called after all, in part of what was counted.
                if counts.of(site.module, site.at) == 0 {
                    queue.push_back((site.module, site.at));
                }
            }
        }
        let flow = Rc::new(flow);
        met.edges.extend(ways.edges.into_iter().map(|edge| (number, flow.clone(), edge)));
    }
    Ok(met)
}

/// Returns the name of the function that an instruction calls, if it says which.
pub(super) fn called(module: &Module, call: &Listed) -> Option<String> {
    let image = &module.image;
    match target(module, call)? {
        Target::Named(name) => Some(name),
        Target::Own(to) => {
            let function = image.function_at(to).filter(|function| function.entry == to);
            function.map(|function| function.name).or_else(|| image.symbol_at(to).map(|symbol| symbol.display))
        }
    }
}

/// Finds the calls and jumps to a function in the program and its own libraries.
fn sites(program: &Program, own: usize, function: &Function) -> Vec<Site> {
    let mut all = Vec::new();
    let mut left = MOST_CODE;
    let symbol = function.linkage_name.as_deref().unwrap_or(&function.name);
    for (number, module) in program.user() {
        let is_own = number == own;
        if !is_own && (module.is_of_system() || !module.image.imports(symbol)) {
            continue;
        }
        let leads = |listed: &Listed| match target(module, listed) {
            Some(Target::Own(to)) => is_own && to == function.entry,
            Some(Target::Named(name)) => name == symbol,
            None => false,
        };
        for caller in module.image.functions_called(&mut |_| true) {
            let size: u64 = caller.ranges.iter().map(|(start, end)| end.0.saturating_sub(start.0)).sum();
            let Some(rest) = left.checked_sub(size) else { return all };
            left = rest;
            for Listed { at, .. } in leaving(module, &caller).into_iter().filter(leads) {
                all.push(Site { module: number, at, place: place(module, at, &caller) });
            }
        }
    }
    all
}

fn place(module: &Module, at: u64, function: &Function) -> String {
    match module.line(LinkAddr(at)) {
        Some((_, name, line)) => format!("{name}:{line} ({})", function.name),
        None => function.name.clone(),
    }
}

/// Returns what was never executed, so that nothing is known of it but where it is.
fn bare(turned: Turned, place: String) -> Decision {
    Decision {
        turned,
        place,
        text: None,
        executed: 0,
        toward: Some(0),
        at: None,
        compared: None,
        values: Vec::new(),
        summaries: Vec::new(),
    }
}
