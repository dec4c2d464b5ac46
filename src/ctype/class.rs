//! What the records of C++ and Rust have besides data members.

use super::layout::{array_parts, strip};
use super::{Link, Member, Record, RecordKind, Type, TypeRef};
use std::ops::RangeInclusive;
use std::sync::Arc;

/// How deep a type is searched for a part without values.
const MAX_DEPTH: usize = 16;
/// How many types are looked at then.
const MAX_VISITED: usize = 500;

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
    /// What tells which variant is there; `None` if only one can be.
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

    /// Lists the variants that a value of the discriminant means. One that no value can be has a number in debug info,
    /// too, which where Rust keeps the discriminant among the values of a field may be that of such a value.
    fn meant(&self, discriminant: u128) -> impl Iterator<Item = &Variant> {
        let is_meant = move |variant: &Variant| {
            variant.values.iter().any(|range| range.contains(&discriminant)) && !variant.is_uninhabited()
        };
        let is_named = self.list.iter().any(is_meant);
        let is_rest = |variant: &Variant| variant.values.is_empty() && !variant.is_uninhabited();
        let chosen = move |variant: &&Variant| if is_named { is_meant(variant) } else { is_rest(variant) };
        self.list.iter().filter(chosen)
    }

    /// Returns the variant that a value of the discriminant means.
    pub fn of(&self, discriminant: u128) -> Option<&Variant> {
        self.meant(discriminant).next()
    }

    /// Lists the variants of which there are values: without a discriminant there is one of these.
    pub fn inhabited(&self) -> impl Iterator<Item = &Variant> {
        self.list.iter().filter(|variant| !variant.is_uninhabited())
    }
}

impl Variant {
    /// Returns whether no value can be this variant: a field of it has a type without values.
    fn is_uninhabited(&self) -> bool {
        is_uninhabited(&self.member.ty.get(), MAX_DEPTH, &mut { MAX_VISITED })
    }
}

/// Returns whether a type of Rust has no values: `!`, an enum without a variant that has some, or what holds one of
/// those. Of what is nested too deep it is taken to have some.
fn is_uninhabited(ty: &TypeRef, depth: usize, budget: &mut usize) -> bool {
    let (Some(depth), Some(left)) = (depth.checked_sub(1), budget.checked_sub(1)) else { return false };
    *budget = left;
    match &*strip(ty) {
        Type::Base { name, size: 0, .. } => name == "!",
        Type::Array { .. } => array_parts(ty).is_some_and(|(element, count)| {
            count.is_some_and(|count| count > 0) && is_uninhabited(&element, depth, budget)
        }),
        // Any bytes are a value of a union.
        Type::Record(record) if record.kind != RecordKind::Union => {
            let has_no_variant = record.variants.as_ref().is_some_and(|variants| {
                variants.discriminant.is_none() && variants.list.is_empty() && record.size == Some(0)
                    || !variants.list.is_empty()
                        && variants.list.iter().all(|variant| is_uninhabited(&variant.member.ty.get(), depth, budget))
            });
            has_no_variant || record.members.iter().any(|member| is_uninhabited(&member.ty.get(), depth, budget))
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::{array_of, pointer_to};
    use crate::{Encoding, Memory, Place, Unavailable, Value};

    struct Nothing;

    impl Memory for Nothing {
        fn read(&mut self, address: u64, _: &mut [u8]) -> Result<(), Unavailable> {
            Err(Unavailable::Memory(address))
        }

        fn symbol(&mut self, _: u64) -> Option<String> {
            None
        }
    }

    fn base(name: &str, size: u64) -> TypeRef {
        Arc::new(Type::Base { name: name.to_owned(), encoding: Encoding::Unsigned, size })
    }

    fn holding(kind: RecordKind, fields: &[TypeRef]) -> TypeRef {
        let members = fields.iter().map(|ty| Member::new(Some("__0"), ty.clone(), 0)).collect();
        Arc::new(Type::Record(Record { kind, members, size: Some(1), ..Record::default() }))
    }

    fn tuple(fields: &[TypeRef]) -> TypeRef {
        holding(RecordKind::Struct, fields)
    }

    /// Makes an enum of one byte of variants with a number each, or none, and its fields; with or without a tag.
    fn enumeration(has_tag: bool, variants: &[(&str, Option<u128>, &[TypeRef])]) -> TypeRef {
        let variant = |(name, value, fields): &(&str, Option<u128>, &[TypeRef])| Variant {
            values: value.iter().map(|value| *value..=*value).collect(),
            member: Member::new(Some(name), tuple(fields), 0),
        };
        let list: Vec<_> = variants.iter().map(variant).collect();
        let discriminant = has_tag.then(|| Box::new(Member::new(None, base("u8", 1), 0)));
        let size = Some(u64::from(!list.is_empty()));
        let variants = Some(Variants { discriminant, list });
        Arc::new(Type::Record(Record { size, variants, ..Record::default() }))
    }

    /// Returns the name of the variant that a byte means.
    fn meant(ty: &TypeRef, byte: u8) -> Option<String> {
        let value = Value::new(ty.clone(), Place::Bytes(vec![Some(byte)]));
        value.variant(&mut Nothing).unwrap().map(|(name, _)| name)
    }

    #[test]
    fn no_value_is_a_variant_that_none_can_be() {
        let (u8, never, void) = (base("u8", 1), base("!", 0), enumeration(false, &[]));
        let nested = tuple(&[u8.clone(), array_of(tuple(std::slice::from_ref(&void)), 2)]);
        let neither =
            enumeration(false, &[("A", None, std::slice::from_ref(&void)), ("B", None, std::slice::from_ref(&never))]);
        for without in [&void, &never, &nested, &neither] {
            let result = enumeration(
                false,
                &[("Ok", None, std::slice::from_ref(without)), ("Err", None, std::slice::from_ref(&u8))],
            );
            assert_eq!(meant(&result, 3).as_deref(), Some("Err"), "{without:?}");
            let result = enumeration(
                false,
                &[("Ok", None, std::slice::from_ref(&u8)), ("Err", None, std::slice::from_ref(without))],
            );
            assert_eq!(meant(&result, 3).as_deref(), Some("Ok"), "{without:?}");
        }
        assert_eq!(meant(&neither, 0), None);
        let (none, union) = (array_of(void.clone(), 0), holding(RecordKind::Union, std::slice::from_ref(&void)));
        let pointer = pointer_to(void.clone(), 8);
        for with in [none, union, pointer, tuple(&[])] {
            let result = enumeration(
                false,
                &[("Ok", None, std::slice::from_ref(&with)), ("Err", None, std::slice::from_ref(&void))],
            );
            assert_eq!(meant(&result, 3).as_deref(), Some("Ok"), "{with:?}");
        }
        // Of those that are left, nothing tells which it is.
        let result =
            enumeration(false, &[("Ok", None, std::slice::from_ref(&u8)), ("Err", None, std::slice::from_ref(&u8))]);
        let value = Value::new(result, Place::Bytes(vec![Some(3)]));
        assert!(matches!(value.variant(&mut Nothing), Err(Unavailable::Other(_))));
    }

    #[test]
    fn a_number_of_a_variant_that_no_value_can_be_is_a_value_of_another() {
        let (bool, void) = (base("bool", 1), enumeration(false, &[]));
        let ty = enumeration(true, &[("B", None, &[bool]), ("V", Some(1), &[void]), ("C", Some(2), &[])]);
        let names = [0, 1, 2].map(|byte| meant(&ty, byte));
        assert_eq!(names.each_ref().map(Option::as_deref), [Some("B"), Some("B"), Some("C")]);
    }
}
