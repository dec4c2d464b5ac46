//! What a caller passed: values of registers at the entry of a function, from the caller's call site (DWARF 5
//! section 3.4; before that, GNU extensions with the same content).

use super::expression::Failure;
use super::image::Image;
use super::location::inherited;
use super::units::{Debug, Die};
use super::variables::for_each_child;
use super::{DieId, FrameContext};
use crate::arch::{LinkAddr, RunAddr};
use gimli::{AttributeValue, Operation};

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

impl Image {
    /// DW_TAG_call_site_parameter: what the call that returns to `ret` put into `register`, evaluated in the caller.
    ///
    /// That is what the function *that the caller called* was given. It is what the callee's frame was given only if
    /// the called function has not gone on into another by a tail call: compare [`Image::call_site_target`] with the
    /// callee first.
    pub fn call_site_value(&self, ret: LinkAddr, register: u16, caller: &mut dyn FrameContext) -> Option<u64> {
        self.with_debug(|debug| {
            let site = call_site(debug, ret)?;
            let mut value = None;
            for_each_child(debug, site, |_, id, die| {
                let is_parameter =
                    matches!(die.tag(), gimli::DW_TAG_call_site_parameter | gimli::DW_TAG_GNU_call_site_parameter);
                if is_parameter && value.is_none() && is_in_register(debug, id, die, register) {
                    value = die
                        .attr_value(gimli::DW_AT_call_value)
                        .or_else(|| die.attr_value(gimli::DW_AT_GNU_call_site_value))
                        .and_then(|value| Some((id, value.exprloc_value()?)));
                }
            });
            let (parameter, expression) = value?;
            self.number(debug, parameter, expression, caller).ok()
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
            let callee = debug
                .referenced(entry, &die, gimli::DW_AT_call_origin)
                .or_else(|| debug.referenced(entry, &die, gimli::DW_AT_abstract_origin))?;
            called_function(debug, callee)
        })
    }
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
    // The call itself: the return address may already belong to the next function.
    let (entry, function) = debug.function_die_at(LinkAddr(ret.0.checked_sub(1)?))?;
    let unit = entry.unit(debug)?;
    let mut entries = unit.entries_at_offset(function).ok()?;
    let top = entries.next_dfs().ok()??.depth();
    while let Ok(Some(die)) = entries.next_dfs() {
        if die.depth() <= top {
            return None;
        }
        // DW_AT_low_pc of the GNU extension is the return address, not the address of the call.
        let returns_to = match die.tag() {
            gimli::DW_TAG_call_site => die.attr_value(gimli::DW_AT_call_return_pc),
            gimli::DW_TAG_GNU_call_site => die.attr_value(gimli::DW_AT_low_pc),
            _ => None,
        };
        if returns_to.and_then(|value| unit.attr_address(value).ok().flatten()) == Some(ret.0) {
            return entry.id_of(die.offset());
        }
    }
    None
}

/// Whether a parameter's DW_AT_location is exactly this register.
fn is_in_register(debug: &Debug<'_>, id: DieId, die: &Die<'_>, register: u16) -> bool {
    let Some(AttributeValue::Exprloc(expression)) = die.attr_value(gimli::DW_AT_location) else {
        return false;
    };
    let Some((_, unit, _)) = debug.die(id) else {
        return false;
    };
    let mut operations = expression.operations(unit.encoding());
    let first = operations.next();
    matches!(first, Ok(Some(Operation::Register { register: found })) if found.0 == register)
        && matches!(operations.next(), Ok(None))
}

#[cfg(test)]
mod tests;
