//! What the functions around a local class declare, for the code of its methods: those of lambdas are methods, too. The
//! static variables, types, enumerators and using-declarations that come before the class are in scope there; other
//! variables are in a frame that the code does not know, and have a copy in the class if a lambda captures them.

use super::block_names::{InBlock, declared_line};
use crate::model::die::{DieId, TypeTag};
use crate::model::variable::{AroundClass, Variable, Visible};
use crate::types::by_die::Types;
use crate::units::attributes::{for_each_child, inherited, inherited_name};
use ctype::{Type, TypeRef};

/// Blocks that are looked through.
const MOST_BLOCKS: usize = 64;

/// A block around a local class, with what is directly in it.
#[derive(Default)]
struct Around {
    children: Vec<DieId>,
    /// The static variables of the blocks in it that the class is in, the innermost first, where GCC has it directly in
    /// the function: a lambda is where there is a variable of its type.
    nearer_statics: Vec<DieId>,
    /// The static variables of the other blocks in it, where the class may be in one of them: GCC has all classes of a
    /// function directly in that.
    inner_statics: Vec<DieId>,
    /// The line of the class, if it is known: what comes behind it is not in scope.
    line: Option<u32>,
}

impl Types<'_> {
    /// Finds what the functions around the class that a function is a method of declare by a name, the innermost block
    /// first.
    pub(crate) fn declared_around_class(&self, function: DieId, name: &str) -> Option<AroundClass> {
        self.blocks_around_class(function).iter().find_map(|block| {
            let variable = self.variable_before(block, name).map(|found| AroundClass::Variable(Box::new(found)));
            variable
                .or_else(|| self.imported_before(block, name).map(AroundClass::Imported))
                .or_else(|| self.types_before(block).any(|ty| self.has_name(&ty, name)).then_some(AroundClass::Type))
        })
    }

    /// Finds the type that the functions around the class of a method have by a name.
    pub(crate) fn type_around_class(&self, function: DieId, tag: Option<TypeTag>, name: &str) -> Option<TypeRef> {
        let is_it = |one: &InBlock| one.is_tagged(tag) && inherited_name(self, one.die) == Some(name);
        let blocks = self.blocks_around_class(function);
        blocks.iter().find_map(|block| self.types_before(block).find(is_it)).map(|one| self.type_at(one.die))
    }

    /// Finds the enumerator that the functions around the class of a method have by a name: its type and value.
    pub(crate) fn enumerator_around_class(&self, function: DieId, name: &str) -> Option<(TypeRef, i128)> {
        let blocks = self.blocks_around_class(function);
        let is_it = |one: &InBlock| self.has_plain_enumerator(one, name);
        let ty =
            blocks.iter().find_map(|block| self.types_before(block).find(is_it)).map(|one| self.type_at(one.die))?;
        let Type::Enumeration(enumeration) = &*ty else { return None };
        let value = enumeration.enumerators.iter().find(|(own, _)| own == name)?.1;
        Some((ty, value))
    }

    /// Returns the path of the innermost function around the class that a function is a method of.
    pub(crate) fn function_around_class(&self, function: DieId) -> Option<String> {
        let around = self.dies_around_method(function);
        let mut outer = around.iter().skip_while(|die| !self.is_class(**die));
        self.path_of(*outer.find(|die| self.tag_of(**die) == Some(gimli::DW_TAG_subprogram))?)
    }

    /// Returns the blocks around the classes that a function is in, the innermost first.
    fn blocks_around_class(&self, function: DieId) -> Vec<Around> {
        let mut line = None;
        let mut is_in_class = false;
        let mut inner = None;
        let mut found = Vec::new();
        for die in self.dies_around_method(function).iter().copied() {
            if self.is_class(die) {
                (is_in_class, line) = (true, self.die(die).and_then(|(_, _, read)| declared_line(&read)));
            }
            let is_block = matches!(self.tag_of(die), Some(gimli::DW_TAG_subprogram | gimli::DW_TAG_lexical_block));
            if is_block && is_in_class && found.len() < MOST_BLOCKS {
                let mut children = Vec::new();
                for_each_child(self, die, |_, id, _| children.push(id));
                let mut around = Around { children, line, ..Around::default() };
                // Where there is a variable of the type of a lambda, there the lambda is, and in no block inside.
                let is_here = |class: DieId| around.children.iter().any(|die| self.is_variable_of(*die, class));
                if let Some(class) = inner.filter(|inner| self.is_class(*inner) && !is_here(*inner)) {
                    let children = std::mem::take(&mut around.children);
                    self.statics_in_blocks(&children, class, &mut { MOST_BLOCKS }, &mut around);
                    around.children = children;
                }
                found.push(around);
            }
            inner = Some(die);
        }
        found
    }

    /// Finds the static variables in the blocks that are directly in a block, and in those in them. Returns whether one of
    /// them is surely around a class.
    fn statics_in_blocks(&self, children: &[DieId], class: DieId, left: &mut usize, found: &mut Around) -> bool {
        let mut is_inside = false;
        for block in children.iter().filter(|die| self.tag_of(**die) == Some(gimli::DW_TAG_lexical_block)) {
            let Some(fewer) = left.checked_sub(1) else { return is_inside };
            *left = fewer;
            let mut inner = Vec::new();
            for_each_child(self, *block, |_, id, _| inner.push(id));
            let is_around = inner.iter().any(|die| self.is_variable_of(*die, class))
                || self.statics_in_blocks(&inner, class, left, found);
            let is_static = |die: &&DieId| self.tag_of(**die) == Some(gimli::DW_TAG_variable) && self.is_static(**die);
            let statics = inner.iter().filter(is_static);
            match is_around {
                true => found.nearer_statics.extend(statics),
                false => found.inner_statics.extend(statics),
            }
            is_inside |= is_around;
        }
        is_inside
    }

    /// Returns whether a DIE is a variable of a class without a name, as that of a lambda is.
    fn is_variable_of(&self, die: DieId, class: DieId) -> bool {
        self.tag_of(die) == Some(gimli::DW_TAG_variable)
            && inherited_name(self, class).is_none()
            && inherited(self, die, gimli::DW_AT_type)
                .is_some_and(|ty| self.reference(ty.entry, ty.value) == Some(class))
    }

    /// Finds the variable that a name means in a block around a class.
    fn variable_before(&self, block: &Around, name: &str) -> Option<Variable> {
        let is_variable =
            |die: &DieId| matches!(self.tag_of(*die), Some(gimli::DW_TAG_variable | gimli::DW_TAG_formal_parameter));
        let own = block.children.iter().filter(|die| is_variable(die));
        let all = block.nearer_statics.iter().chain(own).chain(&block.inner_statics);
        let named = all.filter(|die| inherited_name(self, **die) == Some(name));
        let mut all = named.filter_map(|die| self.variable(*die, 0)).filter(|variable| block.is_before(variable.line));
        let variable = all.next()?;
        // Clang has those of inner blocks in the function, too.
        let is_nearer = block.nearer_statics.contains(&variable.die);
        let is_rival = |other: Variable| !is_nearer || block.inner_statics.contains(&other.die);
        let is_one = !all.any(is_rival) && !block.inner_statics.contains(&variable.die);
        let has_value = self.die(variable.die).is_some_and(|(_, _, die)| die.has_attr(gimli::DW_AT_const_value));
        let is_external = self.is_external(variable.die);
        let visible = match is_external || has_value || self.is_static(variable.die) {
            true if is_one && self.is_of_clang(variable.die) && self.is_global_beside(&variable) => {
                Visible::PerhapsLeft
            }
            true if is_one => Visible::Yes,
            true => Visible::Unclear,
            false => Visible::NotCaptured,
        };
        Some(Variable { visible, ..variable })
    }

    /// Returns the whole name of what a using-declaration in a block around a class declares.
    fn imported_before(&self, block: &Around, name: &str) -> Option<String> {
        let found = self.using_declarations_in(std::slice::from_ref(&block.children));
        let found = found.into_iter().find(|one| one.name == name && block.is_before(one.line))?;
        self.qualified(found.target)
    }

    /// Iterates over the types that a block around a class declares.
    fn types_before<'b>(&'b self, block: &'b Around) -> impl Iterator<Item = InBlock> + 'b {
        let all = self.types_in(std::slice::from_ref(&block.children)).into_iter();
        all.filter(|one| block.is_before(one.line))
    }

    fn has_name(&self, one: &InBlock, name: &str) -> bool {
        inherited_name(self, one.die) == Some(name) || self.has_plain_enumerator(one, name)
    }

    fn tag_of(&self, die: DieId) -> Option<gimli::DwTag> {
        self.die(die).map(|(_, _, die)| die.tag())
    }

    fn is_class(&self, die: DieId) -> bool {
        let tag = self.tag_of(die);
        matches!(tag, Some(gimli::DW_TAG_structure_type | gimli::DW_TAG_class_type | gimli::DW_TAG_union_type))
    }
}

impl Around {
    fn is_before(&self, line: Option<u32>) -> bool {
        line.zip(self.line).is_none_or(|(line, class)| line <= class)
    }
}
