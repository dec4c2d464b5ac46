//! Reads one type DIE.

use super::array::padded;
use super::definitions::one_definition;
use crate::model::die::DieId;
use crate::names::entry::NameKind;
use crate::names::lookup::Names;
use crate::sections::slice::{Die, Slice, UnitRef};
use crate::units::attributes::is_flag_set;
use crate::units::entry::UnitEntry;
use crate::units::language::unit_language;
use ctype::layout::UNSPECIFIED;
use ctype::{BIT_PRECISE, Encoding, Enumeration, Link, PointerKind, Qualifier, Type, TypeLoader, TypeRef};
use gimli::AttributeValue;
use std::sync::{Arc, Weak};

/// How many typedefs, qualifiers and array dimensions are looked through.
pub(crate) const MAX_DEPTH: usize = 64;

/// How many DW_AT_specification, DW_AT_abstract_origin and DW_AT_signature references are followed.
const MAX_REFERENCES: usize = 8;

/// Bytes of the largest object that is atomic without a lock, on x86-64 and AArch64.
const MAX_ATOMIC: u64 = 16;

/// A reader that makes types of DIEs.
pub(crate) struct TypeReader<'d, 'a> {
    pub(crate) debug: &'d Names<'a>,
    pub(crate) loader: Weak<dyn TypeLoader>,
}

/// A DIE with the unit it is in.
#[derive(Clone, Copy)]
pub(crate) struct Located<'d, 'a, 'e> {
    pub(crate) id: DieId,
    pub(crate) entry: &'d UnitEntry<'a>,
    pub(crate) unit: UnitRef<'d, 'a>,
    pub(crate) die: &'e Die<'a>,
}

impl<'d, 'a> TypeReader<'d, 'a> {
    pub(crate) fn new(debug: &'d Names<'a>, loader: Weak<dyn TypeLoader>) -> Self {
        Self { debug, loader }
    }

    /// Reads the type of a DIE. A declaration gives the definition, if the image has one.
    pub(crate) fn read(&self, id: DieId) -> TypeRef {
        let mut id = id;
        for _ in 0..MAX_REFERENCES {
            let Some((entry, unit, die)) = self.debug.die(id) else {
                return opaque(format!("unreadable type at {:#x}", id.0));
            };
            let at = Located { id, entry, unit, die: &die };
            match self.elsewhere(at) {
                Some(better) if better != id => id = better,
                _ => return Arc::new(self.read_die(at)),
            }
        }
        opaque(format!("a type that is declared in circles at {:#x}", id.0))
    }

    /// Returns a link to the type of a DIE, which is `void` if it has none.
    pub(crate) fn link(&self, at: Located<'d, 'a, '_>) -> Link {
        match at.die.attr_value(gimli::DW_AT_type) {
            None => Link::ready(Arc::new(Type::Void)),
            Some(value) => match self.debug.reference(at.entry, value) {
                Some(target) => Link::lazy(self.loader.clone(), target.0),
                None => Link::ready(opaque("a type of another file")),
            },
        }
    }

    fn read_die(&self, at: Located<'d, 'a, '_>) -> Type {
        let pointer = |kind| Type::Pointer {
            kind,
            target: self.pointed(at),
            size: self.byte_size(at).unwrap_or(u64::from(at.unit.header.address_size())),
        };
        let qualified = |qualifier| Type::Qualified { qualifier, target: self.link(at) };
        match at.die.tag() {
            gimli::DW_TAG_base_type => self.base(at),
            gimli::DW_TAG_unspecified_type => match self.debug.name(at.unit, at.die) {
                Some("void") => Type::Void,
                // The type of `nullptr` is as large as a pointer.
                Some(name @ "decltype(nullptr)") => Type::Base {
                    name: name.to_owned(),
                    encoding: Encoding::Unsigned,
                    size: u64::from(at.unit.header.address_size()),
                },
                name => Type::Opaque(name.unwrap_or(UNSPECIFIED).to_owned()),
            },
            gimli::DW_TAG_pointer_type => match self.debug.name(at.unit, at.die) {
                // Rust's `&T`, `*const T` and `Box<T>` are pointers with names.
                Some(name) if !name.is_empty() => Type::Typedef {
                    name: name.to_owned(),
                    target: Link::ready(Arc::new(pointer(PointerKind::Pointer))),
                    alignment: None,
                },
                _ => pointer(PointerKind::Pointer),
            },
            gimli::DW_TAG_reference_type => pointer(PointerKind::Reference),
            gimli::DW_TAG_rvalue_reference_type => pointer(PointerKind::RvalueReference),
            gimli::DW_TAG_ptr_to_member_type => self.pointer_to_member(at),
            gimli::DW_TAG_const_type => qualified(Qualifier::Const),
            gimli::DW_TAG_volatile_type => qualified(Qualifier::Volatile),
            gimli::DW_TAG_restrict_type => qualified(Qualifier::Restrict),
            gimli::DW_TAG_atomic_type => match self.atomic_size(at) {
                Some(size) => padded(qualified(Qualifier::Atomic), size),
                None => qualified(Qualifier::Atomic),
            },
            gimli::DW_TAG_typedef | gimli::DW_TAG_template_alias => {
                let alignment = alignment(at.die);
                Type::Typedef { name: self.name(at).unwrap_or_default(), target: self.link(at), alignment }
            }
            gimli::DW_TAG_array_type => self.array(at),
            gimli::DW_TAG_string_type => self.string(at),
            gimli::DW_TAG_subrange_type => self.subrange(at),
            gimli::DW_TAG_structure_type
            | gimli::DW_TAG_union_type
            | gimli::DW_TAG_class_type
            | gimli::DW_TAG_interface_type => self.record(at),
            gimli::DW_TAG_enumeration_type => Type::Enumeration(self.enumeration(at)),
            gimli::DW_TAG_subroutine_type | gimli::DW_TAG_subprogram => self.function(at),
            other => Type::Opaque(format!("a type of the unknown kind {other}")),
        }
    }

    /// Returns the name that a type is shown by: in C the tag itself, in other languages with the scopes around it.
    pub(crate) fn name(&self, at: Located<'d, 'a, '_>) -> Option<String> {
        let bare = self.debug.name(at.unit, at.die).filter(|name| !name.is_empty());
        if unit_language(self.debug, at.entry) != Some("c")
            && (bare.is_some() || at.die.has_attr(gimli::DW_AT_specification))
            && let Some(qualified) = self.debug.qualified(at.id)
        {
            return Some(qualified);
        }
        bare.map(str::to_owned)
    }

    /// Returns the name of a type that is described here or elsewhere.
    pub(crate) fn name_of_definition(&self, id: DieId) -> Option<String> {
        let mut id = id;
        for _ in 0..MAX_REFERENCES {
            let (entry, unit, die) = self.debug.die(id)?;
            let at = Located { id, entry, unit, die: &die };
            match self.elsewhere(at) {
                Some(better) if better != id => id = better,
                _ => return self.name(at),
            }
        }
        None
    }

    pub(crate) fn byte_size(&self, at: Located<'d, 'a, '_>) -> Option<u64> {
        at.die.attr_value(gimli::DW_AT_byte_size)?.udata_value()
    }

    /// Finds the DIE to read instead of a declaration: the type unit that it names, or a definition of the same name.
    fn elsewhere(&self, at: Located<'d, 'a, '_>) -> Option<DieId> {
        if let Some(target) = self.debug.referenced(at.entry, at.die, gimli::DW_AT_signature) {
            return Some(target);
        }
        if !is_flag_set(at.die, gimli::DW_AT_declaration) {
            return None;
        }
        let kinds: &[NameKind] = match at.die.tag() {
            gimli::DW_TAG_structure_type | gimli::DW_TAG_class_type => &[NameKind::Struct, NameKind::Class],
            gimli::DW_TAG_union_type => &[NameKind::Union],
            gimli::DW_TAG_enumeration_type => &[NameKind::Enum],
            _ => return None,
        };
        let name = self.name(at)?;
        if unit_language(self.debug, at.entry) == Some("c") {
            return one_definition(self.debug, kinds, &name);
        }
        let definition = |id: &DieId| {
            self.debug.die(*id).is_some_and(|(entry, unit, die)| {
                let found = Located { id: *id, entry, unit, die: &die };
                // `find` also answers with longer names: `b::s` for `s`.
                !is_flag_set(&die, gimli::DW_AT_declaration) && self.name(found).as_deref() == Some(&name)
            })
        };
        let tabled = self.debug.tabled_type(kinds, &name).filter(definition);
        tabled.or_else(|| kinds.iter().find_map(|kind| self.debug.find(*kind, &name).find(definition)))
    }

    pub(super) fn base(&self, at: Located<'d, 'a, '_>) -> Type {
        let size = self.byte_size(at).or_else(|| {
            let bits = at.die.attr_value(gimli::DW_AT_bit_size)?.udata_value()?;
            Some(bits.div_ceil(8))
        });
        let mut name = self.debug.name(at.unit, at.die).unwrap_or_default().to_owned();
        if name.ends_with(BIT_PRECISE)
            && let Some(bits) = at.die.attr_value(gimli::DW_AT_bit_size).and_then(|bits| bits.udata_value())
        {
            name.push_str(&format!("({bits})"));
        }
        // No encoding of DWARF is of such a pair: GCC has one of its own, for those of all types of integers, and names
        // only this.
        let is_user = at.die.attr_value(gimli::DW_AT_encoding) == Some(AttributeValue::Encoding(gimli::DW_ATE_lo_user));
        let encoding = if is_user && name == "complex int" { Encoding::ComplexSigned } else { encoding(at.die) };
        let base = Type::Base { name, encoding, size: size.unwrap_or(0) };
        match is_big_endian(at.die) {
            true => Type::Qualified { qualifier: Qualifier::BigEndian, target: Link::ready(Arc::new(base)) },
            false => base,
        }
    }

    /// Returns the type of what has fewer bits than its type: of a range without negative numbers, none is for the
    /// sign.
    pub(crate) fn part_link(&self, at: Located<'d, 'a, '_>) -> Link {
        let unsigned = || {
            let (entry, unit, die) = self.debug.die(self.debug.referenced(at.entry, at.die, gimli::DW_AT_type)?)?;
            let lower =
                (die.tag() == gimli::DW_TAG_subrange_type).then(|| die.attr_value(gimli::DW_AT_lower_bound))??;
            let is_negative = matches!(lower, AttributeValue::Sdata(..0)) || lower.udata_value().is_none();
            let (size, whole) = self.underlying(self.debug.referenced(entry, &die, gimli::DW_AT_type)?)?;
            let name = self.debug.name(unit, &die).unwrap_or_default().to_owned();
            let is_signed = encoding(&whole) == Encoding::Signed && !is_negative;
            is_signed.then_some(Type::Base { name, encoding: Encoding::Unsigned, size: size? })
        };
        unsigned().map_or_else(|| self.link(at), |ty| Link::ready(Arc::new(ty)))
    }

    /// Reads a DW_TAG_subrange_type as a type of its own: what it is a part of.
    fn subrange(&self, at: Located<'d, 'a, '_>) -> Type {
        let name = self.name(at).unwrap_or_default();
        if at.die.has_attr(gimli::DW_AT_GNU_bias) {
            return Type::Opaque(format!("a number of {name}, stored less an offset"));
        }
        let underlying = self.debug.referenced(at.entry, at.die, gimli::DW_AT_type).and_then(|id| self.underlying(id));
        match (self.byte_size(at), underlying) {
            // It may be stored in less than what it is a part of.
            (Some(size), Some((whole, die))) if whole != Some(size) => {
                Type::Base { name, encoding: encoding(&die), size }
            }
            _ => Type::Typedef { name, target: self.link(at), alignment: None },
        }
    }

    /// Reads a DW_TAG_ptr_to_member_type. One to a member function is a pair (Itanium C++ ABI 2.3).
    fn pointer_to_member(&self, at: Located<'d, 'a, '_>) -> Type {
        let class = self.debug.referenced(at.entry, at.die, gimli::DW_AT_containing_type);
        let class = match class {
            Some(class) => Link::lazy(self.loader.clone(), class.0),
            None => Link::ready(opaque("?")),
        };
        let target = self.debug.referenced(at.entry, at.die, gimli::DW_AT_type).and_then(|id| self.debug.die(id));
        let is_function = target.is_some_and(|(_, _, die)| die.tag() == gimli::DW_TAG_subroutine_type);
        let word = u64::from(at.unit.header.address_size());
        let size = self.byte_size(at).unwrap_or(if is_function { 2 * word } else { word });
        Type::MemberPointer { class, target: self.link(at), size }
    }

    fn enumeration(&self, at: Located<'d, 'a, '_>) -> Enumeration {
        let underlying = self.debug.referenced(at.entry, at.die, gimli::DW_AT_type).and_then(|id| self.underlying(id));
        let base = self.debug.referenced(at.entry, at.die, gimli::DW_AT_type).and_then(|id| self.base_type(id));
        let base = base.and_then(|(unit, die)| self.debug.name(unit, &die).map(str::to_owned));
        let named = self.debug.referenced(at.entry, at.die, gimli::DW_AT_type).and_then(|id| self.debug.die(id));
        let is_declared = named.is_some_and(|(_, _, die)| die.tag() != gimli::DW_TAG_base_type);
        let declared = match &underlying {
            Some((_, die)) => Some(encoding(die)),
            None => at.die.has_attr(gimli::DW_AT_encoding).then(|| encoding(at.die)),
        };
        let declared = declared.map(|e| matches!(e, Encoding::Signed | Encoding::SignedChar));
        let mut enumerators = Vec::new();
        let mut first = None;
        self.for_each_child(at, |child| {
            if child.die.tag() == gimli::DW_TAG_enumerator
                && let Some(name) = self.debug.name(child.unit, child.die)
                && let Some(value) = enumerator_value(child.die, declared)
            {
                first.get_or_insert(child.id);
                enumerators.push((name.to_owned(), value));
            }
        });
        let size = self.byte_size(at).or_else(|| underlying.and_then(|(size, _)| size));
        let signed = declared.unwrap_or_else(|| enumerators.iter().any(|(_, value)| *value < 0));
        // Rust's own notation has the bare name.
        let qualified = first.filter(|_| unit_language(self.debug, at.entry) == Some("c++"));
        let scope = qualified
            .and_then(|id| self.debug.qualified(id))
            .and_then(|name| Some(name.strip_suffix(enumerators.first()?.0.as_str())?.to_owned()));
        Enumeration {
            name: self.name(at),
            size: size.unwrap_or(0),
            signed,
            enumerators,
            scope: scope.unwrap_or_default(),
            is_class: is_flag_set(at.die, gimli::DW_AT_enum_class),
            base,
            is_declared,
        }
    }

    /// Finds the base type behind typedefs and qualifiers, with its size.
    fn underlying(&self, id: DieId) -> Option<(Option<u64>, Die<'a>)> {
        let (_, die) = self.base_type(id)?;
        Some((die.attr_value(gimli::DW_AT_byte_size).and_then(|v| v.udata_value()), die))
    }

    /// Finds the base type behind typedefs and qualifiers, with the unit that it is in.
    fn base_type(&self, id: DieId) -> Option<(UnitRef<'d, 'a>, Die<'a>)> {
        let mut id = id;
        for _ in 0..MAX_DEPTH {
            let (entry, unit, die) = self.debug.die(id)?;
            if die.tag() == gimli::DW_TAG_base_type {
                return Some((unit, die));
            }
            id = self.debug.referenced(entry, &die, gimli::DW_AT_type)?;
        }
        None
    }

    /// Returns how many bytes an object of the type at `id` takes, where the DIE or what it renames says so.
    pub(crate) fn size_of_die(&self, id: DieId) -> Option<u64> {
        let mut id = id;
        for _ in 0..MAX_DEPTH {
            let (entry, _, die) = self.debug.die(id)?;
            if let Some(size) = die.attr_value(gimli::DW_AT_byte_size).and_then(|v| v.udata_value()) {
                return Some(size);
            }
            id = self.debug.referenced(entry, &die, gimli::DW_AT_type)?;
        }
        None
    }

    /// Returns how large an atomic record is, if that is more than the record. Clang makes it a power of two that one
    /// access may read, which it does not say; GCC leaves it as it is.
    fn atomic_size(&self, at: Located<'d, 'a, '_>) -> Option<u64> {
        if !at.entry.is_llvm(self.debug) {
            return None;
        }
        let mut id = self.debug.referenced(at.entry, at.die, gimli::DW_AT_type)?;
        for _ in 0..MAX_DEPTH {
            let (entry, unit, die) = self.debug.die(id)?;
            match die.tag() {
                gimli::DW_TAG_structure_type | gimli::DW_TAG_class_type | gimli::DW_TAG_union_type => {
                    match self.elsewhere(Located { id, entry, unit, die: &die }).filter(|better| *better != id) {
                        Some(better) => id = better,
                        None => {
                            let size = die.attr_value(gimli::DW_AT_byte_size)?.udata_value()?;
                            let rounded = size.checked_next_power_of_two()?;
                            return (rounded != size && rounded <= MAX_ATOMIC).then_some(rounded);
                        }
                    }
                }
                gimli::DW_TAG_typedef
                | gimli::DW_TAG_const_type
                | gimli::DW_TAG_volatile_type
                | gimli::DW_TAG_restrict_type => id = self.debug.referenced(entry, &die, gimli::DW_AT_type)?,
                _ => return None,
            }
        }
        None
    }

    /// Returns whether a type's numbers have a sign, names and ranges of it as well.
    pub(crate) fn is_signed_die(&self, id: DieId) -> bool {
        let mut next = Some(id);
        for _ in 0..MAX_DEPTH {
            let Some((entry, _, die)) = next.and_then(|id| self.debug.die(id)) else { return false };
            match die.attr_value(gimli::DW_AT_encoding) {
                Some(AttributeValue::Encoding(encoding)) => {
                    return matches!(encoding, gimli::DW_ATE_signed | gimli::DW_ATE_signed_char);
                }
                _ => next = self.debug.referenced(entry, &die, gimli::DW_AT_type),
            }
        }
        false
    }

    /// Reads a DW_TAG_subroutine_type or a DW_TAG_subprogram. A concrete instance of an inlined function has its result
    /// type, and may have its parameters, in the abstract one.
    fn function(&self, at: Located<'d, 'a, '_>) -> Type {
        let mut function = Type::Void;
        let mut deduced = None;
        let mut next = Some(at.id);
        for _ in 0..MAX_REFERENCES {
            let Some((id, (entry, unit, die))) = next.and_then(|id| Some((id, self.debug.die(id)?))) else {
                break;
            };
            let found = Located { id, entry, unit, die: &die };
            next = self
                .debug
                .referenced(entry, &die, gimli::DW_AT_abstract_origin)
                .or_else(|| self.debug.referenced(entry, &die, gimli::DW_AT_specification));
            if self.has_result(found) {
                deduced = Some(self.link(found));
            }
            // The outermost description is complete: it is the declaration that others refer to. But of a class in a type
            // unit, there may be one without parameters.
            let described = self.own_function(found);
            if !has_parameters(&function) || has_parameters(&described) {
                function = described;
            }
            if next.is_none() {
                break;
            }
        }
        // But a declaration only says `auto` of what the definition has deduced.
        if let (Type::Function { result, .. }, Some(deduced)) = (&mut function, deduced) {
            *result = deduced;
        }
        function
    }

    /// Returns whether the description of a function says what it returns, and not that it is to be deduced.
    fn has_result(&self, at: Located<'d, 'a, '_>) -> bool {
        let result = self.debug.referenced(at.entry, at.die, gimli::DW_AT_type).and_then(|id| self.debug.die(id));
        result.is_some_and(|(_, unit, die)| {
            let name = self.debug.name(unit, &die);
            die.tag() != gimli::DW_TAG_unspecified_type || !matches!(name, Some("auto" | "decltype(auto)"))
        })
    }

    fn own_function(&self, at: Located<'d, 'a, '_>) -> Type {
        let mut parameters = Vec::new();
        let mut variadic = false;
        self.for_each_child(at, |child| match child.die.tag() {
            gimli::DW_TAG_formal_parameter => parameters.push(self.parameter(child)),
            gimli::DW_TAG_unspecified_parameters => variadic = true,
            _ => {}
        });
        let prototyped =
            is_flag_set(at.die, gimli::DW_AT_prototyped) || unit_language(self.debug, at.entry) != Some("c");
        // Of `int f()` in C, GCC says that its parameters are unspecified: it takes any, but not any number of them.
        Type::Function { result: self.link(at), parameters, variadic: variadic && prototyped, prototyped }
    }

    /// Returns the type of a parameter. That of `this` is a constant pointer, which compilers do not say.
    fn parameter(&self, at: Located<'d, 'a, '_>) -> Link {
        let link = self.link(at);
        match is_flag_set(at.die, gimli::DW_AT_artificial) && unit_language(self.debug, at.entry) == Some("c++") {
            true => Link::ready(Arc::new(Type::Qualified { qualifier: Qualifier::Const, target: link })),
            false => link,
        }
    }

    /// Calls `f` with each child of a DIE.
    pub(crate) fn for_each_child(&self, at: Located<'d, 'a, '_>, mut f: impl FnMut(Located<'d, 'a, '_>)) {
        let Ok(mut tree) = at.unit.entries_tree(Some(at.die.offset())) else {
            return;
        };
        let Ok(root) = tree.root() else { return };
        let mut children = root.children();
        while let Ok(Some(child)) = children.next() {
            let die = child.entry();
            if let Some(id) = at.entry.id_of(die.offset()) {
                f(Located { id, entry: at.entry, unit: at.unit, die });
            }
        }
    }
}

fn has_parameters(function: &Type) -> bool {
    matches!(function, Type::Function { parameters, variadic, .. } if *variadic || !parameters.is_empty())
}

/// Returns whether numbers of a base type are stored with the most significant byte first.
pub(crate) fn is_big_endian(die: &Die<'_>) -> bool {
    matches!(die.attr_value(gimli::DW_AT_endianity), Some(AttributeValue::Endianity(gimli::DW_END_big)))
}

/// Returns the alignment in bytes that a DIE says was asked for (DW_AT_alignment).
pub(super) fn alignment(die: &Die<'_>) -> Option<u64> {
    die.attr_value(gimli::DW_AT_alignment).and_then(|value| value.udata_value()).filter(|n| n.is_power_of_two())
}

fn encoding(die: &Die<'_>) -> Encoding {
    let Some(AttributeValue::Encoding(encoding)) = die.attr_value(gimli::DW_AT_encoding) else {
        return Encoding::Other;
    };
    match encoding {
        gimli::DW_ATE_boolean => Encoding::Bool,
        gimli::DW_ATE_signed => Encoding::Signed,
        gimli::DW_ATE_unsigned | gimli::DW_ATE_address => Encoding::Unsigned,
        gimli::DW_ATE_signed_char => Encoding::SignedChar,
        gimli::DW_ATE_unsigned_char => Encoding::UnsignedChar,
        gimli::DW_ATE_UTF | gimli::DW_ATE_UCS | gimli::DW_ATE_ASCII => Encoding::Utf,
        gimli::DW_ATE_float => Encoding::Float,
        gimli::DW_ATE_complex_float => Encoding::ComplexFloat,
        gimli::DW_ATE_decimal_float => Encoding::Decimal,
        _ => Encoding::Other,
    }
}

/// Reads DW_AT_const_value of an enumerator. GCC writes values that are not negative with the unsigned fixed-size forms
/// whatever the type, so only a form that fills 8 bytes, where nothing is left to extend, depends on the type.
pub(crate) fn enumerator_value(die: &Die<'_>, signed: Option<bool>) -> Option<i128> {
    match die.attr_value(gimli::DW_AT_const_value)? {
        AttributeValue::Data1(v) => Some(i128::from(v)),
        AttributeValue::Data2(v) => Some(i128::from(v)),
        AttributeValue::Data4(v) => Some(i128::from(v)),
        AttributeValue::Data8(v) if signed == Some(true) => Some(i128::from(v as i64)),
        AttributeValue::Data8(v) | AttributeValue::Udata(v) => Some(i128::from(v)),
        AttributeValue::Sdata(v) => Some(i128::from(v)),
        AttributeValue::Data16(v) => Some(v as i128),
        AttributeValue::Block(bytes) => wide_value(bytes, signed == Some(true)),
        _ => None,
    }
}

/// Reads a little-endian number of up to 16 bytes.
fn wide_value(bytes: Slice<'_>, signed: bool) -> Option<i128> {
    let negative = signed && bytes.last().is_some_and(|byte| byte & 0x80 != 0);
    let mut wide = if negative { [0xff; 16] } else { [0; 16] };
    wide.get_mut(..bytes.len())?.copy_from_slice(&bytes);
    Some(i128::from_le_bytes(wide))
}

/// Returns a type that stands for one that cannot be described.
pub(crate) fn opaque(text: impl Into<String>) -> TypeRef {
    Arc::new(Type::Opaque(text.into()))
}
