//! Parameters of templates, by the names that they have in their code.

use crate::model::die::DieId;
use crate::model::variable::{TemplateParameter, Variable};
use crate::types::by_code::dies_around;
use crate::types::by_die::Types;
use crate::units::attributes::{for_each_child, inherited, inherited_name, origin};

/// DW_AT_abstract_origin and DW_AT_specification are followed no further than this.
const MAX_HOPS: usize = 8;

impl Types<'_> {
    /// Finds the parameter that a name means of the template that a function is made of, or else what is around it: its
    /// class, and for a lambda, the function that it is in. `scopes`: those around the code.
    pub(crate) fn template_parameter(
        &self,
        function: DieId,
        scopes: &[String],
        name: &str,
    ) -> Option<TemplateParameter> {
        let is_of_template = scopes.iter().skip(1).any(|scope| scope.contains('<'));
        let parameter = |dies: &[DieId]| dies.iter().find_map(|die| self.parameter_of(*die, name));
        let mut next = function;
        for _ in 0..MAX_HOPS {
            let declared = self.with_origins(next);
            let found = parameter(&declared);
            if found.is_some() || !is_of_template {
                return found;
            }
            let around = dies_around(self, *declared.last()?)?;
            // What is around an instance is around what it is an instance of.
            let instance = around.iter().position(|die| self.origin_of(*die).is_some());
            let near = instance.map_or(&*around, |at| around.get(..at).unwrap_or_default());
            if let Some(found) = parameter(near) {
                return Some(found);
            }
            next = *around.get(instance?)?;
        }
        None
    }

    /// Returns whether a parameter of a name is one of the template that a function itself is made of; for a lambda, of
    /// that of the function that it is in.
    pub(crate) fn is_own_parameter(&self, function: DieId, name: &str) -> bool {
        let mut next = Some(function);
        for _ in 0..MAX_HOPS {
            let Some(function) = next else { return false };
            let declared = self.with_origins(function);
            if declared.iter().any(|die| self.parameter_of(*die, name).is_some()) {
                return true;
            }
            next = declared.last().and_then(|die| self.function_of_closure(*die));
        }
        false
    }

    /// Returns the function around the class of a lambda, by the function of that class.
    fn function_of_closure(&self, function: DieId) -> Option<DieId> {
        if inherited_name(self, function) != Some("operator()") {
            return None;
        }
        let around = dies_around(self, function)?;
        // GCC writes something like `<lambda(int)>`.
        let is_closure = |class: &&DieId| inherited_name(self, **class).is_none_or(|name| name.starts_with('<'));
        around.first().filter(is_closure)?;
        let is_function =
            |die: &DieId| self.die(*die).is_some_and(|(_, _, read)| read.tag() == gimli::DW_TAG_subprogram);
        around.into_iter().find(is_function)
    }

    /// Returns a DIE, and those that it is an instance or the completion of, one after the other.
    fn with_origins(&self, die: DieId) -> Vec<DieId> {
        std::iter::successors(Some(die), |die| self.origin_of(*die)).take(MAX_HOPS + 1).collect()
    }

    fn origin_of(&self, die: DieId) -> Option<DieId> {
        let (entry, _, read) = self.die(die)?;
        origin(self, entry, &read)
    }

    /// Finds a parameter of a template's instance; of a class that stands for one in a type unit, that has it.
    fn parameter_of(&self, die: DieId, name: &str) -> Option<TemplateParameter> {
        let whole = || {
            let (entry, _, read) = self.die(die)?;
            self.parameter_in(self.referenced(entry, &read, gimli::DW_AT_signature)?, name)
        };
        self.parameter_in(die, name).or_else(whole)
    }

    fn parameter_in(&self, die: DieId, name: &str) -> Option<TemplateParameter> {
        let mut found = None;
        for_each_child(self, die, |_, id, child| {
            let is_parameter =
                matches!(child.tag(), gimli::DW_TAG_template_type_parameter | gimli::DW_TAG_template_value_parameter);
            if is_parameter && found.is_none() {
                let is_it = inherited_name(self, id) == Some(name);
                found = is_it.then(|| (id, child.tag()));
            }
        });
        let (id, tag) = found?;
        if tag == gimli::DW_TAG_template_type_parameter {
            let ty = inherited(self, id, gimli::DW_AT_type).and_then(|ty| self.reference(ty.entry, ty.value))?;
            return Some(TemplateParameter::Type(self.type_at(ty)));
        }
        let value: Variable = self.variable_as_declared(id, 0)?;
        Some(TemplateParameter::Value(Box::new(value)))
    }
}
