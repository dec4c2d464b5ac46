//! Special member functions: those that copy, move and destroy objects (DWARF 5 section 5.7.8).

use super::reader::{Located, TypeReader};
use crate::model::die::DieId;
use crate::units::attributes::is_flag_set;
use crate::units::producer::{gcc_version, producer};
use base::qualified::bare;
use ctype::{Manner, Role, Special};
use gimli::AttributeValue;

/// DW_DEFAULTED_in_class
const IN_CLASS: u64 = 1;
/// The first GCC that tells what is defaulted and what is deleted.
const GCC_THAT_TELLS: (u32, u32) = (7, 0);

impl<'d, 'a> TypeReader<'d, 'a> {
    /// Returns what a member function of a class is for, if it is a special one that the programmer has declared.
    pub(crate) fn special(&self, class: Located<'d, 'a, '_>, at: Located<'d, 'a, '_>) -> Option<Special> {
        if is_flag_set(at.die, gimli::DW_AT_artificial) {
            return None;
        }
        let class_name = self.debug.name(class.unit, class.die)?;
        let name = self.debug.name(at.unit, at.die)?;
        let is_constructor = name == bare(class_name);
        if name.starts_with('~') {
            return Some(Special { role: Role::Destructor, manner: self.manner(at) });
        }
        if !is_constructor && name != "operator=" {
            return None;
        }
        let mut parameters = Vec::new();
        let mut is_template = false;
        self.for_each_child(at, |child| match child.die.tag() {
            gimli::DW_TAG_formal_parameter if !is_flag_set(child.die, gimli::DW_AT_artificial) => {
                let ty = self.debug.referenced(child.entry, child.die, gimli::DW_AT_type);
                parameters.push(ty.and_then(|ty| self.takes_own(ty, class)));
            }
            gimli::DW_TAG_template_type_parameter
            | gimli::DW_TAG_template_value_parameter
            | gimli::DW_TAG_GNU_template_parameter_pack => is_template = true,
            _ => {}
        });
        let is_moving = (*parameters.first()?)?;
        // What is made from a template is no special member function, whatever it takes.
        if is_template {
            return None;
        }
        let role = match (is_constructor, is_moving) {
            (true, false) => Role::Copy,
            (true, true) => Role::Move,
            (false, false) => Role::CopyAssignment,
            (false, true) => Role::MoveAssignment,
        };
        // It is one only if all parameters but the first have default arguments.
        let manner = if parameters.len() == 1 { self.manner(at) } else { Manner::Unknown };
        Some(Special { role, manner })
    }

    /// Returns whether a parameter of that type takes an object of the class, and if so, whether it moves it.
    fn takes_own(&self, ty: DieId, class: Located<'d, 'a, '_>) -> Option<bool> {
        let (mut id, mut is_moving) = (ty, false);
        for _ in 0..super::reader::MAX_DEPTH {
            let (entry, unit, die) = self.debug.die(id)?;
            match die.tag() {
                gimli::DW_TAG_reference_type
                | gimli::DW_TAG_const_type
                | gimli::DW_TAG_volatile_type
                | gimli::DW_TAG_typedef => {}
                gimli::DW_TAG_rvalue_reference_type => is_moving = true,
                _ => {
                    let is_it = id == class.id
                        || die.tag() == class.die.tag()
                            && self.debug.name(unit, &die) == self.debug.name(class.unit, class.die)
                            && self.name_of_definition(id) == self.name(class);
                    return is_it.then_some(is_moving);
                }
            }
            id = self.debug.referenced(entry, &die, gimli::DW_AT_type)?;
        }
        None
    }

    fn manner(&self, at: Located<'d, 'a, '_>) -> Manner {
        if is_flag_set(at.die, gimli::DW_AT_deleted) {
            return Manner::Deleted;
        }
        let virtuality = at.die.attr_value(gimli::DW_AT_virtuality);
        if matches!(virtuality, Some(AttributeValue::Virtuality(v)) if v != gimli::DW_VIRTUALITY_none) {
            return Manner::Provided;
        }
        match at.die.attr_value(gimli::DW_AT_defaulted).and_then(|v| v.udata_value()) {
            Some(IN_CLASS) => Manner::Defaulted,
            Some(_) => Manner::Provided,
            None if self.tells_defaulted(at) => Manner::Provided,
            None => Manner::Unknown,
        }
    }

    /// Returns whether the compiler would have said that a member function is defaulted or deleted: clang never does,
    /// and GCC not where the version of DWARF has no words for it and nothing else may be said.
    fn tells_defaulted(&self, at: Located<'d, 'a, '_>) -> bool {
        // A type unit does not say what made it.
        let Some(producer) = producer(self.debug, at.unit) else { return true };
        let is_mute = at.unit.header.version() < 5 && producer.contains("-gstrict-dwarf");
        gcc_version(producer).is_some_and(|version| version >= GCC_THAT_TELLS) && !is_mute
    }
}
