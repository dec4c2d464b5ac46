//! What a caller passed: values of registers at the entry of a function, from the caller's call site (DWARF 5
//! section 3.4; before that, GNU extensions with the same content).

use crate::expressions::evaluate::Failure;
use crate::model::die::DieId;
use crate::model::frame::FrameContext;
use crate::names::lookup::Names;
use crate::sections::slice::{Die, UnitRef};
use crate::units::attributes::{for_each_child, inherited, is_flag_set};
use crate::units::entry::UnitEntry;
use crate::units::ranges::entry_address;
use arch::{LinkAddr, RunAddr};
use gimli::{AttributeValue, Operation};
use std::collections::{HashMap, HashSet};

/// Functions that are looked at to follow chains of tail calls.
const MAX_TAIL_CALLED: usize = 256;

/// Which function a call site calls, as far as the debug info tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CallTarget {
    /// A function of this image.
    Entry(LinkAddr),
    /// A function that this image only declares; what the linker calls it.
    Symbol(String),
    /// An indirect call, to this address of the process.
    Computed(RunAddr),
}

/// Where a function has jumped to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TailCallSite {
    /// The jump begins here (DW_AT_call_pc).
    BeginsAt(LinkAddr),
    /// The jump ends here (DW_AT_call_return_pc, although nothing returns).
    EndsAt(LinkAddr),
}

/// A jump to another function.
#[derive(Clone, Copy, Debug)]
struct TailCall {
    site: TailCallSite,
    target: LinkAddr,
}

/// The place of a tail call, and what is called, as far as they are known.
type TailCallee = (Option<TailCallSite>, Option<CallTarget>);

impl Names<'_> {
    /// Evaluates a DW_TAG_call_site_parameter: what the call that returns to `ret` put into `register`, evaluated in
    /// the caller.
    ///
    /// That is what the function that the *caller called* was given. A frame was given the same only if it is a frame
    /// of that function ([`Self::call_site_target`]), which moreover has not come back to its start by tail calls
    /// ([`Self::tail_called`]): check both before.
    pub(crate) fn call_site_value(&self, ret: LinkAddr, register: u16, caller: &mut dyn FrameContext) -> Option<u64> {
        self.passed(ret, caller, Passed::InRegister(register))
    }

    /// Evaluates what the call that returns to `ret` would have passed as a parameter that the called copy of the
    /// function does without (DW_AT_call_parameter). `parameter` is the abstract parameter's DIE. The same has to be
    /// checked before.
    pub(crate) fn call_site_parameter(
        &self,
        ret: LinkAddr,
        parameter: DieId,
        caller: &mut dyn FrameContext,
    ) -> Option<u64> {
        self.passed(ret, caller, Passed::As(parameter))
    }

    fn passed(&self, ret: LinkAddr, caller: &mut dyn FrameContext, wanted: Passed) -> Option<u64> {
        let site = call_site(self, ret)?;
        let mut value = None;
        for_each_child(self, site, |entry, id, die| {
            let is_parameter =
                matches!(die.tag(), gimli::DW_TAG_call_site_parameter | gimli::DW_TAG_GNU_call_site_parameter);
            if is_parameter && value.is_none() && wanted.is(self, entry, die) {
                value = die
                    .attr_value(gimli::DW_AT_call_value)
                    .or_else(|| die.attr_value(gimli::DW_AT_GNU_call_site_value))
                    .and_then(|value| Some((id, value.exprloc_value()?)));
            }
        });
        let (parameter, expression) = value?;
        self.bits(parameter, expression, caller).ok()
    }

    /// Finds the function that is called by the call that returns to `ret`. `None` if the debug info does not say, or
    /// not in a way that can be evaluated in the caller's frame any more.
    pub(crate) fn call_site_target(&self, ret: LinkAddr, caller: &mut dyn FrameContext) -> Option<CallTarget> {
        let site = call_site(self, ret)?;
        let (entry, _, die) = self.die(site)?;
        let target = die
            .attr_value(gimli::DW_AT_call_target)
            .or_else(|| die.attr_value(gimli::DW_AT_GNU_call_site_target))
            .and_then(|value| value.exprloc_value());
        if let Some(expression) = target {
            let address: Result<u64, Failure> = self.number(site, expression, caller);
            return address.ok().map(|address| CallTarget::Computed(RunAddr(address)));
        }
        called_function(self, callee_of(self, entry, &die)?)
    }

    /// Finds the functions that the one at `entry` may go on in by a tail call, of this image and of others. `None` if
    /// the debug info does not tell them all.
    ///
    /// What they lead to in turn matters to whoever wants to know what a frame was called with: a function that may
    /// have gone on, by a chain of tail calls, in itself has other parameters, and the same return address.
    pub(crate) fn tail_called(&self, entry: LinkAddr) -> Option<Vec<CallTarget>> {
        let mut known = HashSet::from([entry]);
        let mut unread = vec![entry];
        let mut elsewhere = Vec::new();
        let mut again = false;
        while let Some(function) = unread.pop() {
            for (_, target) in self.tail_call_sites(function)? {
                match target? {
                    CallTarget::Entry(target) => {
                        again |= target == entry;
                        if known.insert(target) {
                            unread.push(target);
                        }
                    }
                    other => elsewhere.push(other),
                }
            }
            if known.len() + elsewhere.len() > MAX_TAIL_CALLED {
                return None;
            }
        }
        if !again {
            known.remove(&entry);
        }
        Some(known.into_iter().map(CallTarget::Entry).chain(elsewhere).collect())
    }

    /// Finds the tail calls that have led from the function at `from`, which was called, to the one at `to`, which
    /// returns in its place: the outermost first. Of several ways that may have been taken, what all have in common at
    /// both ends.
    ///
    /// None if there may be more than the debug info tells: a target that is not known, or too many.
    pub(crate) fn tail_call_chain(&self, from: LinkAddr, to: LinkAddr) -> Vec<TailCallSite> {
        let ways = self.tail_call_ways(from, to).unwrap_or_default();
        let Some((first, others)) = ways.split_first() else { return Vec::new() };
        if others.is_empty() {
            return first.clone();
        }
        let alike = |a: &TailCallSite, b: Option<&TailCallSite>| b == Some(a);
        let common = |at: fn(&[TailCallSite], usize) -> Option<&TailCallSite>| {
            let is_common =
                |n: usize| at(first, n).is_some_and(|call| others.iter().all(|way| alike(call, at(way, n))));
            (0..first.len()).take_while(|n| is_common(*n)).count()
        };
        let outer = common(|way, n| way.get(n));
        let inner = common(|way, n| way.get(way.len().checked_sub(n + 1)?));
        let shortest = ways.iter().map(Vec::len).min().unwrap_or(0);
        let inner = inner.min(shortest.saturating_sub(outer));
        [&first[..outer], &first[first.len() - inner..]].concat()
    }

    fn tail_call_ways(&self, from: LinkAddr, to: LinkAddr) -> Option<Vec<Vec<TailCallSite>>> {
        let mut ways = Vec::new();
        let mut calls: HashMap<LinkAddr, Vec<TailCall>> = HashMap::new();
        let mut way: Vec<TailCall> = Vec::new();
        // For each function on the way, itself the last: the calls in it that are still to be followed.
        let mut open = vec![self.tail_calls(from)?];
        let mut steps = 0;
        while let Some(next) = open.last_mut() {
            let Some(call) = next.pop() else {
                open.pop();
                way.pop();
                continue;
            };
            steps += 1;
            if steps > MAX_TAIL_CALLED {
                return None;
            }
            if call.target == to {
                ways.push(way.iter().chain([&call]).map(|call| call.site).collect());
            } else if call.target != from && way.iter().all(|earlier| earlier.target != call.target) {
                let inside = match calls.get(&call.target) {
                    Some(known) => known.clone(),
                    None => self.tail_calls(call.target)?,
                };
                calls.insert(call.target, inside.clone());
                way.push(call);
                open.push(inside);
            }
        }
        Some(ways)
    }

    /// Finds the calls that a function may end by; `None` if their targets are not all known, and in this image.
    fn tail_calls(&self, function: LinkAddr) -> Option<Vec<TailCall>> {
        let sites = self.tail_call_sites(function)?.into_iter();
        sites
            .map(|(site, target)| match target? {
                CallTarget::Entry(target) => Some(TailCall { site: site?, target }),
                CallTarget::Symbol(_) | CallTarget::Computed(_) => None,
            })
            .collect()
    }

    /// Finds the calls that a function may end by: where, and what is called; `None` if no such function is known, or
    /// not all of its tail calls are described.
    fn tail_call_sites(&self, function: LinkAddr) -> Option<Vec<TailCallee>> {
        if !describes_tail_calls(self, function)? {
            return None;
        }
        let mut calls = Vec::new();
        for_each_call_site(self, function, |entry, unit, die| {
            let is_tail_call =
                is_flag_set(die, gimli::DW_AT_call_tail_call) || is_flag_set(die, gimli::DW_AT_GNU_tail_call);
            if is_tail_call {
                let callee = callee_of(self, entry, die).and_then(|callee| called_function(self, callee));
                let target = callee.map(|callee| match callee {
                    CallTarget::Symbol(name) => {
                        self.code_symbol(&name).map_or(CallTarget::Symbol(name), CallTarget::Entry)
                    }
                    other => other,
                });
                let address = |name| unit.attr_address(die.attr_value(name)?).ok().flatten().map(LinkAddr);
                let after = [gimli::DW_AT_call_return_pc, gimli::DW_AT_low_pc].into_iter().find_map(address);
                let before = || address(gimli::DW_AT_call_pc).map(TailCallSite::BeginsAt);
                calls.push((after.map(TailCallSite::EndsAt).or_else(before), target));
            }
            calls.len() <= MAX_TAIL_CALLED
        })?;
        (calls.len() <= MAX_TAIL_CALLED).then_some(calls)
    }

    fn code_symbol(&self, name: &str) -> Option<LinkAddr> {
        // One at 0 is defined elsewhere.
        let symbol =
            self.symbols.symbols_spelled(name).into_iter().find(|symbol| symbol.is_code && symbol.address.0 != 0)?;
        (!symbol.is_indirect).then_some(symbol.address)
    }
}

/// Returns whether the function at an address is said to have call sites for all of its tail calls (DWARF 5 section
/// 3.3.1.6). Assemblers and some compilers write none at all.
fn describes_tail_calls(debug: &Names<'_>, address: LinkAddr) -> Option<bool> {
    const ALL_DESCRIBED: [gimli::DwAt; 6] = [
        gimli::DW_AT_call_all_calls,
        gimli::DW_AT_call_all_tail_calls,
        gimli::DW_AT_call_all_source_calls,
        gimli::DW_AT_GNU_all_call_sites,
        gimli::DW_AT_GNU_all_tail_call_sites,
        gimli::DW_AT_GNU_all_source_call_sites,
    ];
    let (entry, function) = debug.function_die_at(address)?;
    let die = entry.unit(debug)?.entry(function).ok()?;
    Some(ALL_DESCRIBED.iter().any(|attribute| is_flag_set(&die, *attribute)))
}

/// Returns the DIE of the function that a call site calls directly.
fn callee_of<'a>(debug: &Names<'a>, entry: &UnitEntry<'a>, site: &Die<'a>) -> Option<DieId> {
    debug
        .referenced(entry, site, gimli::DW_AT_call_origin)
        .or_else(|| debug.referenced(entry, site, gimli::DW_AT_abstract_origin))
}

fn called_function(debug: &Names<'_>, callee: DieId) -> Option<CallTarget> {
    let (_, unit, die) = debug.die(callee)?;
    if let Some(entry) = entry_address(unit, &die) {
        return Some(CallTarget::Entry(entry));
    }
    let name =
        inherited(debug, callee, gimli::DW_AT_linkage_name).or_else(|| inherited(debug, callee, gimli::DW_AT_name))?;
    debug.string(name.unit, name.value).map(|name| CallTarget::Symbol(name.to_owned()))
}

/// Finds the call site whose call returns to an address.
fn call_site(debug: &Names<'_>, ret: LinkAddr) -> Option<DieId> {
    let mut found = None;
    // The call itself: the return address may already belong to the next function.
    for_each_call_site(debug, LinkAddr(ret.0.checked_sub(1)?), |entry, unit, die| {
        // DW_AT_low_pc of the GNU extension is the return address, not the address of the call.
        let returns_to = match die.tag() {
            gimli::DW_TAG_call_site => die.attr_value(gimli::DW_AT_call_return_pc),
            _ => die.attr_value(gimli::DW_AT_low_pc),
        };
        if returns_to.and_then(|value| unit.attr_address(value).ok().flatten()) == Some(ret.0) {
            found = entry.id_of(die.offset());
        }
        found.is_none()
    })?;
    found
}

/// Calls `f` with the call sites of the function at an address, those in its inlined copies of others included, until
/// it returns false. `None`: no such function is known.
fn for_each_call_site<'a>(
    debug: &Names<'a>,
    address: LinkAddr,
    mut f: impl FnMut(&UnitEntry<'a>, UnitRef<'_, 'a>, &Die<'a>) -> bool,
) -> Option<()> {
    let (entry, function) = debug.function_die_at(address)?;
    let unit = entry.unit(debug)?;
    let mut entries = unit.entries_at_offset(function).ok()?;
    let top = entries.next_dfs().ok()??.depth();
    while let Ok(Some(die)) = entries.next_dfs() {
        let is_site = matches!(die.tag(), gimli::DW_TAG_call_site | gimli::DW_TAG_GNU_call_site);
        if die.depth() <= top || is_site && !f(entry, unit, die) {
            break;
        }
    }
    Some(())
}

/// Which parameter of a call site is wanted.
#[derive(Clone, Copy)]
enum Passed {
    /// The one whose DW_AT_location is exactly this register.
    InRegister(u16),
    /// The one that stands for this abstract parameter.
    As(DieId),
}

impl Passed {
    fn is<'a>(self, debug: &Names<'a>, entry: &UnitEntry<'a>, die: &Die<'a>) -> bool {
        match self {
            Self::InRegister(register) => is_in_register(debug, entry, die, register),
            // Before DWARF 5, GCC used the attribute for references to abstract DIEs.
            Self::As(parameter) => {
                let named = debug
                    .referenced(entry, die, gimli::DW_AT_call_parameter)
                    .or_else(|| debug.referenced(entry, die, gimli::DW_AT_abstract_origin));
                named == Some(parameter)
            }
        }
    }
}

fn is_in_register<'a>(debug: &Names<'a>, entry: &UnitEntry<'a>, die: &Die<'a>, register: u16) -> bool {
    let Some(AttributeValue::Exprloc(expression)) = die.attr_value(gimli::DW_AT_location) else {
        return false;
    };
    let Some(unit) = entry.unit(debug) else { return false };
    let mut operations = expression.operations(unit.encoding());
    let first = operations.next();
    matches!(first, Ok(Some(Operation::Register { register: found })) if found.0 == register)
        && matches!(operations.next(), Ok(None))
}

#[cfg(test)]
mod tests;
