//! What an image says of data: variables, where they are, and types.

use super::debug::Debug;
use super::facade::Image;
use crate::location::availability::Availability;
use crate::location::entry_places::EntryParameter;
use crate::location::parameter_slots::KeptParameter;
use crate::model::die::{DieId, LikeType, NameSort, TypeTag};
use crate::model::frame::FrameContext;
use crate::model::variable::{AroundClass, Imported, Location, MeantLocal, TemplateParameter, Variable};
use arch::LinkAddr;
use ctype::TypeRef;
use std::collections::BTreeSet;

impl Image {
    /// Returns the variables visible at `pc` in inline level `level` (index into `inline_chain`): arguments, then
    /// locals, inner blocks last; includes function-scope statics.
    ///
    /// Also those that the compiler kept nowhere, which an inlined copy of a function does not mention: they are
    /// optimized out. Not those that the compiler made up.
    pub fn variables_at(&self, pc: LinkAddr, level: usize) -> Vec<Variable> {
        self.ask(|debug| debug.variables_at(pc, level))
    }

    /// Returns which of the variables that are visible at `pc`, at an inline level, a name means. One that is declared on a
    /// later line than the code is not meant where something outside of the function has the name.
    pub fn meant_local(&self, variables: &[Variable], pc: LinkAddr, level: usize, name: &str) -> Option<MeantLocal> {
        self.ask(|debug| debug.meant_local(variables, pc, level, name))
    }

    /// Returns whether a variable of a namespace is declared on a later line of its file than code, of the function at an
    /// inline level; `None` if it is defined there, and may be declared before.
    pub fn is_declared_later(&self, variable: DieId, pc: LinkAddr, level: usize) -> Option<bool> {
        self.ask(|debug| debug.is_declared_later(variable, pc, level))
    }

    /// Returns whether a variable outside of functions has the name of one of a function.
    pub fn is_global_beside(&self, variable: &Variable) -> bool {
        self.ask(|debug| debug.is_global_beside(variable))
    }

    /// Finds globals and file-scope statics with this (qualified or last-component) name; `function::name` finds a
    /// function's static; `'file.c'::name` is split by the caller into (`Some(file)`, name).
    ///
    /// A variable that is only declared counts if the image has a symbol for it. Those that have just
    /// this name come before those in scopes that it leaves out, then globals before statics; what the linker has
    /// removed comes behind.
    pub fn globals_named(&self, file: Option<&str>, name: &str) -> Vec<Variable> {
        self.ask(|debug| debug.globals_named(file, name))
    }

    /// Lists the globals and file-scope statics, with their qualified names, that the unit with the code at an address
    /// defines; not those of functions.
    pub fn globals_of_unit(&self, a: LinkAddr) -> Vec<Variable> {
        self.ask(|debug| debug.globals_of_unit(a))
    }

    /// Lists the names of a sort: each by itself, and with the scopes around it. None of a large file, whose names are
    /// not in memory.
    pub fn names_of(&self, sort: NameSort) -> BTreeSet<(String, String)> {
        self.ask(|debug| debug.names_of(sort))
    }

    /// Finds where a variable is in a frame of a function that it is visible in; any frame for a global.
    pub fn variable_location(&self, v: &Variable, frame: &mut dyn FrameContext) -> Location {
        let location = self.ask(|debug| debug.variable_location(v, frame));
        self.lasting_parameter(v, location, frame)
    }

    /// Finds where the object is that an implicit pointer of the frame points to.
    pub fn object_location(&self, object: DieId, frame: &mut dyn FrameContext) -> Location {
        self.ask(|debug| debug.object_location(object, frame))
    }

    /// Returns where in the code a variable has a location of its own, or a constant value.
    pub fn availability(&self, variable: DieId) -> Availability {
        self.ask(|debug| debug.availability(variable))
    }

    /// Returns up to `most` of the parameters that the functions of the unit at an address keep on the stack: numbers
    /// and pointers, of functions that are in one part.
    pub fn kept_parameters(&self, a: LinkAddr, most: usize) -> Vec<KeptParameter> {
        self.ask(|debug| debug.kept_parameters(a, most))
    }

    /// Returns where the parameters of a function are at its first instruction, in their order.
    pub fn entry_parameters(&self, function: DieId, entry: LinkAddr) -> Vec<EntryParameter> {
        self.ask(|debug| debug.entry_parameters(function, entry))
    }

    /// Reads DW_AT_type of a function and its parameters as a `Type::Function`; `None` if the DIE is no function.
    pub fn function_type(&self, die: DieId) -> Option<TypeRef> {
        self.ask(|debug| debug.function_type(die))
    }

    /// Looks up the enumerator that a name means in these scopes, innermost first, or, if none of them has it,
    /// anywhere: its enumeration type and value. One that has just this name comes before those in scopes that it
    /// leaves out.
    pub fn enumerator_in(&self, scopes: &[String], name: &str) -> Option<(TypeRef, i128)> {
        self.ask(|debug| debug.enumerator_in(scopes, name))
    }

    /// Looks up the definition of a type in one unit, by its root, in these scopes, innermost first: a name means that
    /// of the unit of the code, before others that have the name.
    pub fn type_of_unit(&self, unit: DieId, scopes: &[String], tag: Option<TypeTag>, name: &str) -> Option<TypeRef> {
        self.ask(|debug| debug.type_of_unit(unit, scopes, tag, name))
    }

    /// Lists the types that have a name when scopes are left out, or the arguments of a template; each whole name once.
    /// `::name` leaves out only what is inline.
    pub fn types_like(&self, tag: Option<TypeTag>, name: &str) -> Vec<LikeType> {
        self.ask(|debug| debug.types_like(tag, name))
    }

    /// Lists the whole names of the enumerators that have a name when scopes are left out.
    pub fn enumerators_like(&self, name: &str) -> Vec<String> {
        self.ask(|debug| debug.enumerators_like(name))
    }

    /// Lists the types that units define by a whole name, each with the unit's file; of so many units.
    pub fn types_of_units(&self, tag: Option<TypeTag>, name: &str) -> Vec<(String, TypeRef)> {
        self.ask(|debug| debug.types_of_units(tag, name))
    }

    /// Lists the types and values of the enumerators of a whole name, each with the unit's file; of so many units.
    pub fn enumerators_of_units(&self, name: &str) -> Vec<(String, (TypeRef, i128))> {
        self.ask(|debug| debug.enumerators_of_units(name))
    }

    /// Looks up the type that a name means in the units of a source file.
    pub fn type_of_file(&self, file: &str, tag: Option<TypeTag>, name: &str) -> Option<TypeRef> {
        self.ask(|debug| debug.type_of_file(file, tag, name))
    }

    /// Looks up the type and value of an enumerator of the units of a source file.
    pub fn enumerator_of_file(&self, file: &str, name: &str) -> Option<(TypeRef, i128)> {
        self.ask(|debug| debug.enumerator_of_file(file, name))
    }

    /// Looks up the type and value of an enumerator of one unit, in these scopes, innermost first.
    pub fn enumerator_of_unit(&self, unit: DieId, scopes: &[String], name: &str) -> Option<(TypeRef, i128)> {
        self.ask(|debug| debug.enumerator_of_unit(unit, scopes, name))
    }

    /// Returns which of these whole names, nearest first, is the first that a unit has a type or an enumerator of.
    pub fn nearest_of_unit(&self, unit: DieId, names: &[&str]) -> Option<usize> {
        self.ask(|debug| debug.nearest_of_unit(unit, names))
    }

    /// Finds the enumerator that a name means in the blocks around `pc`, of the function at an inline level: its type and
    /// value. Several, if it is not known which is in scope there.
    pub fn block_enumerators(&self, pc: LinkAddr, level: usize, name: &str) -> Vec<(TypeRef, i128)> {
        self.ask(|debug| debug.block_enumerators(pc, level, name))
    }

    /// Finds the type that a name means in the blocks around `pc`, of the function at an inline level. Several, if it is
    /// not known which is in scope there.
    pub fn block_types(&self, pc: LinkAddr, level: usize, tag: Option<TypeTag>, name: &str) -> Vec<TypeRef> {
        self.ask(|debug| debug.block_types(pc, level, tag, name))
    }

    /// Returns whether the type or the enumerator that a name means in the blocks around `pc` may be of a block that has
    /// been left there.
    pub fn block_name_may_be_left(&self, pc: LinkAddr, level: usize, name: &str) -> bool {
        self.ask(|debug| debug.block_name_may_be_left(pc, level, name))
    }

    /// Finds the member with a whole name of a union without one that a unit has outside of functions and classes, as a
    /// variable. The name need not say that a namespace has none.
    pub fn union_member(&self, unit: DieId, whole: &str) -> Option<Variable> {
        self.ask(|debug| debug.union_member(unit, whole))
    }

    /// Finds the variable that a unit declares by this qualified name and does not define.
    pub fn declared_by(&self, unit: DieId, name: &str) -> Option<Variable> {
        self.ask(|debug| debug.declared_by(unit, name))
    }

    /// Returns what the linker calls a variable that other units can name.
    pub fn linkage_name(&self, die: DieId) -> Option<String> {
        self.ask(|debug| debug.linkage_name(die))
    }

    /// Returns the name of a function with the scopes that its declaration is in.
    pub fn path_of(&self, function: DieId) -> Option<String> {
        self.ask(|debug| debug.path_of(function))
    }

    /// Returns the path that the linkage name of a variable has.
    pub fn linkage_path(&self, variable: DieId) -> Option<String> {
        self.ask(|debug| debug.linkage_path(variable))
    }

    /// Returns whether two units describe one variable, which is always at one place.
    pub fn is_one_static(&self, a: DieId, b: DieId) -> bool {
        let place = |debug: &Debug<'_>, die| debug.address_of_static(die);
        self.ask(|debug| place(debug, a).is_some_and(|a| Some(a) == place(debug, b)))
    }

    /// Returns whether a variable is a static one of a function that debug info does not name.
    pub fn is_of_nameless_function(&self, die: DieId) -> bool {
        self.ask(|debug| debug.is_of_nameless_function(die))
    }

    /// Finds the template parameter of a function, or of the class that it belongs to, that a name means.
    pub fn template_parameter(&self, function: DieId, scopes: &[String], name: &str) -> Option<TemplateParameter> {
        self.ask(|debug| debug.template_parameter(function, scopes, name))
    }

    /// Returns whether a parameter of a name is one of the template that a function itself is made of; for a lambda, of
    /// that of the function that it is in.
    pub fn is_own_parameter(&self, function: DieId, name: &str) -> bool {
        self.ask(|debug| debug.is_own_parameter(function, name))
    }

    /// Writes a name that begins with an alias of a namespace with the namespace itself: as it is understood in the code
    /// of a unit, in these scopes, innermost first. `None` if it begins with none.
    pub fn without_alias(&self, unit: DieId, pc: LinkAddr, scopes: &[String], name: &[String]) -> Option<Vec<String>> {
        self.ask(|debug| debug.without_alias(unit, Some(pc), scopes, name))
    }

    /// Writes a qualified name that begins with the alias of a namespace with the namespace itself, as it is understood
    /// outside of all scopes: each that some unit has given the alias. Nothing of a large file.
    pub fn without_aliases(&self, name: &str) -> BTreeSet<String> {
        self.ask(|debug| debug.without_aliases(name))
    }

    /// Returns what else a name may mean through the using-directives and using-declarations of a unit, in the code of a
    /// function, in these scopes, innermost first.
    pub fn imported(
        &self,
        unit: DieId,
        function: Option<DieId>,
        pc: LinkAddr,
        scopes: &[String],
        name: &[String],
    ) -> Vec<Imported> {
        self.ask(|debug| debug.imported(unit, function, pc, scopes, name))
    }

    /// Looks up the type that a name means in these scopes, innermost first, or, if none of them has it, anywhere.
    pub fn type_named_in(&self, scopes: &[String], tag: Option<TypeTag>, name: &str) -> Option<TypeRef> {
        self.ask(|debug| debug.type_named_in(scopes, tag, name))
    }

    /// Finds a type by name. `None` tag: base types, typedefs, and (C++/Rust) records and enumerations by bare name.
    /// Declarations resolve to definitions. C's integer types are found by any order of their words.
    ///
    /// While the names of a large file are still being read, a C++ class is taken from a unit that has code of it.
    pub fn type_named(&self, tag: Option<TypeTag>, name: &str) -> Option<TypeRef> {
        self.ask(|debug| debug.type_named(tag, name))
    }

    /// Finds the definition of a structure, class or union by its whole name; `None` where units define different ones.
    pub fn defined_type(&self, tag: TypeTag, name: &str) -> Option<TypeRef> {
        self.ask(|debug| debug.defined_type(tag, name))
    }

    /// Replaces `Count::Dynamic` bounds (VLAs) by what they are in this frame; by `Count::Unknown` where the frame
    /// cannot tell.
    pub fn concrete_type(&self, ty: &TypeRef, frame: &mut dyn FrameContext) -> TypeRef {
        self.ask(|debug| debug.concrete_type(ty, frame))
    }

    /// Returns the type of a variable with such bounds as they are in this frame.
    pub fn type_of(&self, variable: &Variable, frame: &mut dyn FrameContext) -> TypeRef {
        self.ask(|debug| debug.type_of(variable, frame))
    }

    /// Finds the variable that a name means at an inline level of `pc` and that is none of those visible there: one of a
    /// function around a nested one, or one that the compiler made up.
    pub fn unlisted_variable(&self, pc: LinkAddr, level: usize, name: &str) -> Option<Variable> {
        self.ask(|debug| {
            debug.enclosing_variable(pc, level, name).or_else(|| debug.compilers_variable(pc, level, name))
        })
    }

    /// Finds the class that the function whose code is at an address is a member of.
    pub fn class_of_function(&self, at: LinkAddr) -> Option<TypeRef> {
        self.ask(|debug| debug.class_of_function(at))
    }

    /// Finds what the functions around the local class that a function is a method of declare by a name.
    pub fn declared_around_class(&self, function: DieId, name: &str) -> Option<AroundClass> {
        self.ask(|debug| debug.declared_around_class(function, name))
    }

    /// Finds the type that these functions have by a name.
    pub fn type_around_class(&self, function: DieId, tag: Option<TypeTag>, name: &str) -> Option<TypeRef> {
        self.ask(|debug| debug.type_around_class(function, tag, name))
    }

    /// Finds the enumerator that these functions have by a name: its type and value.
    pub fn enumerator_around_class(&self, function: DieId, name: &str) -> Option<(TypeRef, i128)> {
        self.ask(|debug| debug.enumerator_around_class(function, name))
    }

    /// Returns the path of the innermost of these functions.
    pub fn function_around_class(&self, function: DieId) -> Option<String> {
        self.ask(|debug| debug.function_around_class(function))
    }

    /// Returns the inline namespaces that a unit has, and those without a name, by their whole names.
    pub fn inline_namespaces(&self, unit: DieId) -> Vec<String> {
        self.ask(|debug| debug.inline_namespaces(unit))
    }

    /// Finds the classes that a function is in, the innermost first, each with its whole name.
    pub fn classes_around(&self, function: DieId) -> Vec<(String, TypeRef)> {
        self.ask(|debug| debug.classes_around(function))
    }

    /// Finds the Rust type whose vtable for some trait starts at an address. rustc describes each as a variable whose
    /// type names the implementing one (DW_AT_containing_type). `None` also where the linker has merged those of
    /// several types.
    pub fn vtable_owner(&self, at: LinkAddr) -> Option<TypeRef> {
        self.ask(|debug| debug.vtable_owner(at))
    }
}
