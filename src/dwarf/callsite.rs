//! What a caller passed: values of registers at the entry of a function, from the caller's call site (DWARF 5
//! section 3.4; before that, GNU extensions with the same content).

use super::expression::Failure;
use super::image::Image;
use super::location::inherited;
use super::types::is_flag_set;
use super::units::{Debug, Die, UnitEntry, UnitRef};
use super::variables::for_each_child;
use super::{DieId, FrameContext};
use crate::arch::{LinkAddr, RunAddr};
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

impl Image {
    /// DW_TAG_call_site_parameter: what the call that returns to `ret` put into `register`, evaluated in the caller.
    ///
    /// That is what the function that the *caller called* was given. A frame was given the same only if it is a frame
    /// of that function ([`Image::call_site_target`]), which moreover has not come back to its start by tail calls
    /// ([`Image::entry_values_hold`]): check both before.
    pub fn call_site_value(&self, ret: LinkAddr, register: u16, caller: &mut dyn FrameContext) -> Option<u64> {
        self.passed(ret, caller, Passed::InRegister(register))
    }

    /// What the call that returns to `ret` would have passed as a parameter that the called copy of the function does
    /// without (DW_AT_call_parameter). `parameter` is the abstract parameter's DIE. The same has to be checked before.
    pub fn call_site_parameter(&self, ret: LinkAddr, parameter: DieId, caller: &mut dyn FrameContext) -> Option<u64> {
        self.passed(ret, caller, Passed::As(parameter))
    }

    fn passed(&self, ret: LinkAddr, caller: &mut dyn FrameContext, wanted: Passed) -> Option<u64> {
        self.with_debug(|debug| {
            let site = call_site(debug, ret)?;
            let mut value = None;
            for_each_child(debug, site, |entry, id, die| {
                let is_parameter =
                    matches!(die.tag(), gimli::DW_TAG_call_site_parameter | gimli::DW_TAG_GNU_call_site_parameter);
                if is_parameter && value.is_none() && wanted.is(debug, entry, die) {
                    value = die
                        .attr_value(gimli::DW_AT_call_value)
                        .or_else(|| die.attr_value(gimli::DW_AT_GNU_call_site_value))
                        .and_then(|value| Some((id, value.exprloc_value()?)));
                }
            });
            let (parameter, expression) = value?;
            self.bits(debug, parameter, expression, caller).ok()
        })
    }

    /// The function that is called by the call that returns to `ret`. `None` if the debug info does not say, or not
    /// in a way that can be evaluated in the caller's frame any more.
    pub fn call_site_target(&self, ret: LinkAddr, caller: &mut dyn FrameContext) -> Option<CallTarget> {
        self.with_debug(|debug| {
            let site = call_site(debug, ret)?;
            let (entry, _, die) = debug.die(site)?;
            let target = die
                .attr_value(gimli::DW_AT_call_target)
                .or_else(|| die.attr_value(gimli::DW_AT_GNU_call_site_target))
                .and_then(|value| value.exprloc_value());
            if let Some(expression) = target {
                let address: Result<u64, Failure> = self.number(debug, site, expression, caller);
                return address.ok().map(|address| CallTarget::Computed(RunAddr(address)));
            }
            called_function(debug, callee_of(debug, entry, &die)?)
        })
    }

    /// Whether a frame of the function that starts at `entry` is sure to have the parameters that its caller passed.
    ///
    /// It is not if the function may have gone on, by a chain of tail calls, into itself: then the frame has other
    /// parameters, and the same return address. A tail call of which the debug info does not tell the target, or of
    /// a function outside of this image, may lead anywhere.
    pub fn entry_values_hold(&self, entry: LinkAddr) -> bool {
        self.with_debug(|debug| {
            let mut known = HashSet::from([entry]);
            let mut unread = vec![entry];
            while let Some(function) = unread.pop() {
                let Some(calls) = self.tail_calls(debug, function) else {
                    return false;
                };
                if calls.iter().any(|call| call.target == entry) || known.len() > MAX_TAIL_CALLED {
                    return false;
                }
                unread.extend(calls.into_iter().map(|call| call.target).filter(|target| known.insert(*target)));
            }
            true
        })
    }

    /// The tail calls that have led from the function at `from`, which was called, to the one at `to`, which returns in
    /// its place: the outermost first. Of several ways that may have been taken, what all have in common at both ends.
    ///
    /// None if there may be more than the debug info tells: a target that is not known, or too many.
    pub fn tail_call_chain(&self, from: LinkAddr, to: LinkAddr) -> Vec<TailCallSite> {
        let ways = self.with_debug(|debug| self.tail_call_ways(debug, from, to)).unwrap_or_default();
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

    fn tail_call_ways(&self, debug: &Debug<'_>, from: LinkAddr, to: LinkAddr) -> Option<Vec<Vec<TailCallSite>>> {
        let mut ways = Vec::new();
        let mut calls: HashMap<LinkAddr, Vec<TailCall>> = HashMap::new();
        let mut way: Vec<TailCall> = Vec::new();
        // For each function on the way, itself the last: the calls in it that are still to be followed.
        let mut open = vec![self.tail_calls(debug, from)?];
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
                    None => self.tail_calls(debug, call.target)?,
                };
                calls.insert(call.target, inside.clone());
                way.push(call);
                open.push(inside);
            }
        }
        Some(ways)
    }

    /// The calls that a function may end by; `None` if their targets are not all known.
    fn tail_calls(&self, debug: &Debug<'_>, function: LinkAddr) -> Option<Vec<TailCall>> {
        let mut calls = Some(Vec::new());
        for_each_call_site(debug, function, |entry, unit, die| {
            let is_tail_call =
                is_flag_set(die, gimli::DW_AT_call_tail_call) || is_flag_set(die, gimli::DW_AT_GNU_tail_call);
            if !is_tail_call {
                return true;
            }
            let target = match callee_of(debug, entry, die).and_then(|callee| called_function(debug, callee)) {
                Some(CallTarget::Entry(target)) => Some(target),
                Some(CallTarget::Symbol(name)) => self.code_symbol(&name),
                Some(CallTarget::Computed(_)) | None => None,
            };
            let address = |name| unit.attr_address(die.attr_value(name)?).ok().flatten().map(LinkAddr);
            let after = [gimli::DW_AT_call_return_pc, gimli::DW_AT_low_pc].into_iter().find_map(address);
            let site =
                after.map(TailCallSite::EndsAt).or_else(|| address(gimli::DW_AT_call_pc).map(TailCallSite::BeginsAt));
            match (target.zip(site), &mut calls) {
                (Some((target, site)), Some(calls)) => calls.push(TailCall { site, target }),
                _ => calls = None,
            }
            calls.is_some()
        })?;
        calls
    }

    fn code_symbol(&self, name: &str) -> Option<LinkAddr> {
        let symbol = self.symbols_named(name).into_iter().find(|symbol| symbol.is_code)?;
        Some(symbol.address)
    }
}

/// The DIE of the function that a call site calls directly.
fn callee_of<'a>(debug: &Debug<'a>, entry: &UnitEntry<'a>, site: &Die<'a>) -> Option<DieId> {
    debug
        .referenced(entry, site, gimli::DW_AT_call_origin)
        .or_else(|| debug.referenced(entry, site, gimli::DW_AT_abstract_origin))
}

fn called_function(debug: &Debug<'_>, callee: DieId) -> Option<CallTarget> {
    let (_, unit, die) = debug.die(callee)?;
    if let Some(entry) = die.attr_value(gimli::DW_AT_low_pc).and_then(|low| unit.attr_address(low).ok().flatten()) {
        return Some(CallTarget::Entry(LinkAddr(entry)));
    }
    let name =
        inherited(debug, callee, gimli::DW_AT_linkage_name).or_else(|| inherited(debug, callee, gimli::DW_AT_name))?;
    debug.string(name.unit, name.value).map(|name| CallTarget::Symbol(name.to_owned()))
}

/// The call site whose call returns to an address.
fn call_site(debug: &Debug<'_>, ret: LinkAddr) -> Option<DieId> {
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
    debug: &Debug<'a>,
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
    fn is<'a>(self, debug: &Debug<'a>, entry: &UnitEntry<'a>, die: &Die<'a>) -> bool {
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

fn is_in_register<'a>(debug: &Debug<'a>, entry: &UnitEntry<'a>, die: &Die<'a>, register: u16) -> bool {
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
