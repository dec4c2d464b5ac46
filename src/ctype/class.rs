//! What the records of C++ and Rust have besides data members.

use super::{Link, Member, Record};
use std::ops::RangeInclusive;
use std::sync::Arc;

/// An argument of a template, or of a generic type (DW_TAG_template_type_parameter and its relatives).
#[derive(Clone, Debug)]
pub enum Argument {
    /// A type.
    Type(Link),
    /// A number.
    Value {
        /// Its type.
        ty: Link,
        /// What it is; `None` if it is no integer.
        value: Option<i128>,
    },
}

/// A static data member: a variable in the scope of its class.
#[derive(Clone, Debug)]
pub struct StaticMember {
    /// Its name, without the class.
    pub name: String,
    /// Its type.
    pub ty: Link,
    /// Bytes of a value that the debug info states (DW_AT_const_value), little-endian, perhaps more than the type has.
    pub constant: Option<Vec<u8>>,
    /// How many of [`Record::members`](super::Record::members) are declared before it.
    pub before: usize,
    /// The DIE that declares it, by its number in the image: several units may have a class of that name in anonymous
    /// namespaces.
    pub declared: u64,
}

/// A virtual base class: where in an object it is, the object's virtual table says (Itanium C++ ABI 2.4).
#[derive(Clone, Debug)]
pub struct VirtualBase {
    /// Its type.
    pub ty: Link,
    /// Where in the table its offset is: bytes before the address that the object's first word holds.
    pub entry: u64,
    /// How many of [`Record::members`](super::Record::members) are declared before it.
    pub before: usize,
}

/// How objects of a class are passed and returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Passing {
    /// As a structure of C is.
    Value,
    /// By their address, however small they are: copying or destroying one is not trivial.
    Address,
}

/// The variants of an enum of Rust or a record of Ada (DW_TAG_variant_part).
#[derive(Clone, Debug)]
pub struct Variants {
    /// What tells which variant is there; `None` if there is only one.
    pub discriminant: Option<Box<Member>>,
    /// All of them, in declaration order.
    pub list: Vec<Variant>,
}

/// One of the variants.
#[derive(Clone, Debug)]
pub struct Variant {
    /// Values of the discriminant that mean this one, as the discriminant's bits; empty: all that mean no other one.
    pub values: Arc<[RangeInclusive<u128>]>,
    /// What it holds: a member with the variant's name, whose type is a record of its fields. In Ada one of its
    /// members; there is one of these for each.
    pub member: Member,
}

impl Record {
    /// Returns whether no more is known than that there is such a type. Of a type of Ada, an object may decide its own
    /// size.
    pub fn is_incomplete(&self) -> bool {
        self.size.is_none() && self.members.is_empty()
    }
}

impl Variants {
    /// Returns the members that are there with a value of the discriminant: in Ada a variant has any number of them.
    pub fn members_of(&self, discriminant: u128) -> impl Iterator<Item = &Member> {
        self.meant(discriminant).map(|variant| &variant.member)
    }

    fn meant(&self, discriminant: u128) -> impl Iterator<Item = &Variant> {
        let is_meant = move |variant: &Variant| variant.values.iter().any(|range| range.contains(&discriminant));
        let is_named = self.list.iter().any(is_meant);
        let chosen = move |variant: &&Variant| if is_named { is_meant(variant) } else { variant.values.is_empty() };
        self.list.iter().filter(chosen)
    }

    /// Returns the variant that a value of the discriminant means.
    pub fn of(&self, discriminant: u128) -> Option<&Variant> {
        self.meant(discriminant).next()
    }
}
