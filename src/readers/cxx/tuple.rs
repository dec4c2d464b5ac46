//! `std::pair` and `std::tuple`.

use super::Object;
use crate::contiguous::Few;
use crate::names;
use crate::object::with_record;
use ctype::{Meaning, Style, Value};

/// No tuple has more elements.
const MAX_ELEMENTS: usize = 256;

/// Reads a pair, without the empty base class that it has.
pub(super) fn pair(object: &Object<'_>) -> Option<Meaning> {
    let (first, second) = object.value.member("first").zip(object.value.member("second"))?;
    Some(Meaning::empty(false).holds(Style::Fields, Few::named([("first", first), ("second", second)])))
}

pub(super) fn tuple(object: &Object<'_>) -> Option<Meaning> {
    let elements = match object.value.member("__base_") {
        Some(leaves) => llvm(&leaves)?,
        None => gnu(object.value)?,
    };
    // GCC leaves the arguments of a pack out where it has described them before; the name has them all.
    if elements.len() != object.argument_names().len() {
        return None;
    }
    if elements.is_empty() {
        return Some(Meaning::empty(false).says(format!("empty {}", object.title())));
    }
    let named: Vec<_> = elements.into_iter().enumerate().map(|(i, value)| (format!("[{}]", i + 1), value)).collect();
    let meaning = Meaning::empty(false).says(format!("{} containing", object.title()));
    Some(meaning.holds(Style::Fields, Few::named(named)))
}

/// Reads GNU's tuples, which derive from a tuple of all elements but the first, and from a holder of that one.
fn gnu(tuple: &Value) -> Option<Vec<Value>> {
    let mut elements = Vec::new();
    let mut at = bases(tuple, "_Tuple_impl").pop();
    while let Some(level) = at {
        let Some(head) = bases(&level, "_Head_base").pop() else { break };
        // An element without data may be a base class.
        elements.push(head.member("_M_head_impl").or_else(|| first_base(&head))?);
        if elements.len() > MAX_ELEMENTS {
            return None;
        }
        at = bases(&level, "_Tuple_impl").pop();
    }
    Some(elements)
}

/// Reads LLVM's tuples, which derive from a holder for each element.
fn llvm(leaves: &Value) -> Option<Vec<Value>> {
    let leaves = bases(leaves, "__tuple_leaf");
    leaves.iter().map(|leaf| leaf.member("__value_").or_else(|| first_base(leaf))).collect()
}

/// Returns the direct base classes whose template has this name.
fn bases(value: &Value, template: &str) -> Vec<Value> {
    let found = with_record(&value.ty, |record| {
        let bases = record.members.iter().filter(|member| member.is_base).take(MAX_ELEMENTS + 1);
        let parts = bases.filter_map(|member| {
            let ty = member.ty.get();
            let name = with_record(&ty, |record| names::in_std(record.name.as_deref()?))?;
            (name == template).then(|| value.part(ty, member.offset, None))
        });
        Some(parts.collect())
    });
    found.unwrap_or_default()
}

fn first_base(value: &Value) -> Option<Value> {
    with_record(&value.ty, |record| {
        let member = record.members.iter().find(|member| member.is_base)?;
        Some(value.part(member.ty.get(), member.offset, None))
    })
}
