//! Operators that a program has of its own: functions that it has for operands of these types.

use super::by_die::Types;
use crate::model::die::DieId;
use crate::names::entry::NameKind;
use crate::naming::query::NameQuery;
use crate::units::attributes::{for_each_child, inherited, inherited_name, is_flag_set, origin};
use base::qualified::{bare_path, last};
use ctype::layout::{pointer_target, reference_target, strip};
use ctype::{Type, TypeRef};
use std::sync::PoisonError;

/// How the variables of a comparison begin that Rust's compiler has written, which compares variants and fields.
const DERIVED: &str = "__self";
/// Blocks in each other that are looked into for such variables.
const MAX_DEPTH: u32 = 16;
/// Units of a large file that are read for an operator. In one that has it in more, nobody waits for all of them: there
/// it is taken to be the language's.
const MOST_UNITS: usize = 1024;
/// DW_AT_abstract_origin and DW_AT_specification are followed no further than this.
const MAX_HOPS: usize = 8;

impl Types<'_> {
    /// Returns whether there is a function for operands of these types: `operator|`, or `PartialEq::eq` of a trait of
    /// Rust, if the program has written that.
    pub(crate) fn has_operator(&self, name: &str, operands: &[TypeRef]) -> bool {
        let types: Option<Vec<String>> = operands.iter().map(key_of).collect();
        let Some(types) = types else { return false };
        let key = format!("{name}({})", types.join(", "));
        let lock = || self.own_operators.lock().unwrap_or_else(PoisonError::into_inner);
        let known = lock().get(&key).copied();
        known.unwrap_or_else(|| {
            let found = self.find_operator(name, operands);
            lock().insert(key, found);
            found
        })
    }

    fn find_operator(&self, name: &str, operands: &[TypeRef]) -> bool {
        let (of_trait, function) = name.split_once("::").map_or((None, name), |(of, function)| (Some(of), function));
        // Names are many, and to read what each function takes takes long.
        let parts: Vec<String> =
            operands.iter().filter_map(|ty| Some(last(bare_path(&own_name(ty)?)).to_owned())).collect();
        let parts: Vec<&str> =
            parts.iter().map(String::as_str).chain(of_trait).filter(|part| part.is_ascii()).collect();
        let query = NameQuery::parse(function);
        if self.units_for(&[NameKind::Function], &query) > MOST_UNITS {
            return false;
        }
        let mut candidates = Vec::new();
        self.with_functions_of_name(&query, |_, function| candidates.push(function.die));
        candidates.into_iter().any(|function| {
            self.may_take(function, &parts)
                && !self.has_own_object(function)
                && self.takes(function, operands)
                && (of_trait.is_none() || self.is_written(function))
        })
    }

    /// Returns whether the mangled name of a function has all these parts, if it has one.
    fn may_take(&self, function: DieId, parts: &[&str]) -> bool {
        let name = inherited(self, function, gimli::DW_AT_linkage_name);
        let name = name.and_then(|name| self.string(name.unit, name.value));
        name.is_none_or(|name| parts.iter().all(|part| name.contains(part)))
    }

    /// Returns whether a function takes an object of its class besides what it is declared with: operands are not given
    /// for that.
    fn has_own_object(&self, function: DieId) -> bool {
        let origin_of = |die: &DieId| self.die(*die).and_then(|(entry, _, read)| origin(self, entry, &read));
        std::iter::successors(Some(function), origin_of).take(MAX_HOPS).any(|die| {
            let mut found = false;
            for_each_child(self, die, |_, _, child| {
                found |= child.tag() == gimli::DW_TAG_formal_parameter && is_flag_set(child, gimli::DW_AT_artificial);
            });
            found
        })
    }

    fn takes(&self, function: DieId, operands: &[TypeRef]) -> bool {
        let declared = self.declared_parameters(function);
        let is_taken = |(parameter, operand): (&Option<TypeRef>, &TypeRef)| {
            parameter.as_ref().is_some_and(|parameter| converts(operand, parameter))
        };
        declared.len() == operands.len() && declared.iter().zip(operands).all(is_taken)
    }

    /// Returns whether a function of Rust is written by the program, and not by the compiler for `#[derive]`. A declaration
    /// does not tell.
    fn is_written(&self, function: DieId) -> bool {
        let origin_of = |die: &DieId| self.die(*die).and_then(|(entry, _, read)| origin(self, entry, &read));
        let is_declared = self.die(function).is_none_or(|(_, _, read)| is_flag_set(&read, gimli::DW_AT_declaration));
        let mut all = std::iter::successors(Some(function), origin_of).take(MAX_HOPS);
        !is_declared && !all.any(|die| self.has_derived_variable(die, 0))
    }

    fn has_derived_variable(&self, block: DieId, depth: u32) -> bool {
        let (mut found, mut blocks) = (false, Vec::new());
        for_each_child(self, block, |_, id, child| match child.tag() {
            gimli::DW_TAG_variable => {
                found |= inherited_name(self, id).is_some_and(|name| name.starts_with(DERIVED));
            }
            gimli::DW_TAG_lexical_block => blocks.push(id),
            _ => {}
        });
        found || depth < MAX_DEPTH && blocks.into_iter().any(|block| self.has_derived_variable(block, depth + 1))
    }
}

/// Returns the name of an enumeration or a structure.
fn own_name(ty: &TypeRef) -> Option<String> {
    match &*strip(ty) {
        Type::Enumeration(enumeration) => enumeration.name.clone(),
        Type::Record(record) => record.name.clone(),
        _ => None,
    }
}

/// Returns what an operand's type is told apart by; `None` if operators are not for such.
fn key_of(ty: &TypeRef) -> Option<String> {
    own_name(ty).or_else(|| matches!(&*strip(ty), Type::Base { .. }).then(|| "0".to_owned()))
}

/// Returns whether an operand can be given for a parameter.
fn converts(operand: &TypeRef, parameter: &TypeRef) -> bool {
    let is_borrow = matches!(&**parameter, Type::Typedef { name, .. } if name.starts_with('&'));
    let referent = reference_target(parameter).or_else(|| pointer_target(parameter).filter(|_| is_borrow));
    let parameter = referent.unwrap_or_else(|| parameter.clone());
    match (own_name(operand), own_name(&parameter)) {
        (operand, Some(parameter)) => operand.is_some_and(|operand| operand == parameter),
        // A number may be the one of an enumeration.
        (_, None) => {
            matches!(&*strip(&parameter), Type::Base { .. })
                && matches!(&*strip(operand), Type::Base { .. } | Type::Enumeration(_))
        }
    }
}
