//! Where a type is defined that a module only declares.

use base::qualified::ANONYMOUS_NAMESPACE;
use ctype::layout::size_of;
use ctype::{Record, RecordKind, TypeRef};
use dwarf::{Image, TypeTag};

/// Finds the type that modules define by the name of one that is only declared. Where several define different ones, none
/// is meant.
pub fn defined_type<'i>(record: &Record, images: impl Iterator<Item = &'i Image>) -> Option<TypeRef> {
    let name = record.name.as_deref()?;
    // Nobody else can define what a unit or a function has for itself.
    if name.contains(ANONYMOUS_NAMESPACE) || name.contains('(') {
        return None;
    }
    let tag = match record.kind {
        RecordKind::Union => TypeTag::Union,
        RecordKind::Struct | RecordKind::Class => TypeTag::Struct,
    };
    let mut all = images.filter_map(|image| image.defined_type(tag, name));
    let first = all.next()?;
    all.all(|other| size_of(&other) == size_of(&first)).then_some(first)
}
