//! Types and enumerators of the blocks around the code, in C and C++: they hide what is declared further out.

use super::{Names, simple, type_tag};
use crate::module::Loaded;
use ctype::{Dialect, TypeRef};
use dwarf::TypeTag;
use expr::{Name, Tag};

impl<M: Loaded> Names<M> {
    /// Returns the enumerator of a block that a name means; several, if it is not known which is in scope.
    pub(super) fn enumerators_of_blocks(&self, name: &str) -> Vec<(TypeRef, i128)> {
        let home = self.home.as_ref().filter(|_| self.has_blocks(name));
        home.map_or_else(Vec::new, |(home, pc)| home.image().block_enumerators(*pc, self.level, name))
    }

    /// Returns the type of a block that a name means; several, if it is not known which is in scope.
    pub(super) fn types_of_blocks(&self, tag: Option<TypeTag>, name: &str) -> Vec<TypeRef> {
        let home = self.home.as_ref().filter(|_| self.has_blocks(name));
        home.map_or_else(Vec::new, |(home, pc)| home.image().block_types(*pc, self.level, tag, name))
    }

    /// Finds the type that a name means of a function around the class of the code.
    pub(super) fn type_around_class(&self, tag: Option<TypeTag>, name: &str) -> Option<TypeRef> {
        let (home, _) = self.home.as_ref().filter(|_| self.dialect == Dialect::Cxx && self.has_blocks(name))?;
        home.image().type_around_class(self.function?, tag, name)
    }

    /// Finds the enumerator that a name means of a function around the class of the code.
    pub(super) fn enumerator_around_class(&self, name: &str) -> Option<(TypeRef, i128)> {
        let (home, _) = self.home.as_ref().filter(|_| self.dialect == Dialect::Cxx && self.has_blocks(name))?;
        home.image().enumerator_around_class(self.function?, name)
    }

    /// Returns whether a name means an enumerator of a block around the code.
    pub fn is_block_enumerator(&self, name: &Name) -> bool {
        simple(name).is_some_and(|simple| !self.enumerators_of_blocks(simple).is_empty())
    }

    /// Returns whether a name means a type of a block around the code.
    pub fn is_block_type(&self, name: &Name) -> bool {
        simple(name).is_some_and(|simple| !self.types_of_blocks(None, simple).is_empty())
    }

    /// Returns whether a name means what a block declares, a parameter of the method's own template, or a type or an
    /// enumerator of a class, and no member of the class that a method is of.
    pub(super) fn hides_members(&self, name: &Name) -> bool {
        self.is_block_enumerator(name)
            || self.is_block_type(name)
            || self.is_imported_into_block(name)
            || self.is_own_parameter(name)
            || self.hides_members_of_bases(name)
    }

    /// Returns why it is not known which enumerator a name means, if that is so.
    pub(super) fn unclear_enumerator(&self, name: &Name) -> Option<String> {
        let several = simple(name).is_some_and(|simple| self.enumerators_of_blocks(simple).len() > 1);
        several.then(|| {
            "several blocks of the function have an enumerator of that name, and debug info does not say \
                         which is in scope here"
                .to_owned()
        })
    }

    /// Returns why it is not known whether a name means a type or an enumerator of a block, or what is outside of the
    /// function: the block may have been left.
    pub(super) fn unclear_block(&self, name: &Name) -> Option<String> {
        let (home, pc) = self.home.as_ref()?;
        let simple = simple(name).filter(|simple| self.has_blocks(simple))?;
        let is_outside = || {
            let has_variable = self.outside(name).is_some_and(|outside| outside.is_of_unit());
            has_variable || self.enumerator_of_unit(simple).is_some()
        };
        (home.image().block_name_may_be_left(*pc, self.level, simple) && is_outside()).then(|| {
            format!(
                "debug info does not say whether the block that declares `{simple}` has been left, and something outside \
                 of the function has the name, too: write ::{simple} for that"
            )
        })
    }

    /// Returns why it is not known which type a name means, if that is so.
    pub fn unclear_type(&self, tag: Option<Tag>, name: &str) -> Option<String> {
        let several = self.types_of_blocks(tag.map(type_tag), name).len() > 1;
        if several {
            let what = "and debug info does not say which is in scope here";
            return Some(format!("several blocks of the function have a type {name}, {what}"));
        }
        self.unclear_shortened(tag.map(type_tag), name)
    }

    /// Returns whether blocks may declare such a name.
    fn has_blocks(&self, name: &str) -> bool {
        self.dialect != Dialect::Rust && !name.contains("::")
    }
}
