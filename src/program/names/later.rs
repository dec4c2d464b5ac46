//! Locals that are declared on a later line than the code: until then, their name means what is further out, if anything
//! there has it.

use super::bases::{bases, has_member};
use super::{Names, simple};
use crate::module::Loaded;
use arch::LinkAddr;
use ctype::layout::{find_member, pointer_target, strip};
use ctype::{Dialect, Type, TypeRef};
use dwarf::{Image, Variable};
use expr::Name;

/// Finds the local that a name means at `pc`, of the function at an inline level or of one that it is nested in.
/// `variables`: those that are visible there.
pub fn local_named<M: Loaded>(
    image: &Image,
    variables: &[Variable],
    (pc, level): (LinkAddr, usize),
    name: &str,
    names: impl FnOnce() -> Names<M>,
) -> Option<Variable> {
    let listed = image.meant_local(variables, pc, level, name).and_then(|meant| {
        let variable = variables.get(meant.number)?;
        let is_meant = !meant.is_behind || !names().is_further_out(variables, variable);
        is_meant.then(|| variable.clone())
    });
    listed.or_else(|| image.unlisted_variable(pc, level, name))
}

impl<M: Loaded> Names<M> {
    /// Returns a note on the local that a name does not mean yet, where it means what is further out.
    pub fn passed_over(&self, name: &Name) -> Option<String> {
        let (home, pc) = self.home.as_ref()?;
        let (image, simple) = (home.image(), simple(name)?);
        let variables = image.variables_at(*pc, self.level);
        let meant = image.meant_local(&variables, *pc, self.level, simple)?;
        let line = meant.passed_over?;
        let is_other = !meant.is_behind || self.is_further_out(&variables, variables.get(meant.number)?);
        is_other.then(|| format!("`{name}` is not the local of line {line}, which is declared behind the code"))
    }

    /// Returns whether something around a local, or outside of its function, has its name. What only other units have
    /// does not count, but for variables that all can name.
    fn is_further_out(&self, variables: &[Variable], local: &Variable) -> bool {
        let Some((home, pc)) = self.home.as_ref() else { return false };
        let (image, simple) = (home.image(), local.name.as_str());
        let name = Name { path: vec![simple.to_owned()], ..Name::default() };
        image.is_global_beside(local)
            || image.unlisted_variable(*pc, self.level, simple).is_some()
            || self.dialect == Dialect::Cxx && is_member_of_this(variables, simple)
            || self.is_type_or_enumerator(&name)
            || self.outside(&name).is_some_and(|found| found.is_of_unit())
    }

    /// Returns whether a block or a class around the code, or its unit, has a type or an enumerator of a name that says
    /// nothing else.
    pub(super) fn is_type_or_enumerator(&self, name: &Name) -> bool {
        let Some(simple) = simple(name) else { return false };
        let of_unit = || {
            let (home, unit) = self.unit_first()?;
            home.image().type_of_unit(unit, &self.scopes_for(simple), None, simple)
        };
        self.is_block_enumerator(name)
            || self.is_block_type(name)
            || self.template_type(simple).is_some()
            || self.member_type(None, simple).is_some()
            || self.member_enumerator(simple).is_some()
            || self.type_around_class(None, simple).is_some()
            || self.enumerator_around_class(simple).is_some()
            || self.enumerator_of_unit(simple).is_some()
            || of_unit().is_some()
    }
}

/// Returns whether a member of `*this` has a name, or one of the `this` that a lambda has captured.
fn is_member_of_this(variables: &[Variable], name: &str) -> bool {
    let this = variables.iter().find(|variable| variable.name == "this");
    let Some(class) = this.and_then(|this| pointer_target(&this.ty)) else { return false };
    let has = |class: &TypeRef| has_member(class, name) || bases(class).iter().any(|(_, base)| has_member(base, name));
    let captured = find_member(&class, "this").map(|member| member.ty);
    let captured = captured.map(|ty| pointer_target(&ty).unwrap_or(ty));
    has(&class) || captured.is_some_and(|class| matches!(&*strip(&class), Type::Record(_)) && has(&class))
}
