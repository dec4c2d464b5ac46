//! What is indexed of a DIE: its name, what it means, and the scopes around it.

use crate::dwarf::model::die::DieId;
use crate::qualified::ANONYMOUS_NAMESPACE;

/// In a large unit, each time that so many bytes have been read, it is looked whether the rest is wanted.
pub(in crate::dwarf) const LOOK: usize = 1 << 18;

/// Most names, scopes and copies of one unit that are kept; the largest units of link-time optimisation have some
/// hundreds of thousands.
pub(in crate::dwarf) const MOST_OF_UNIT: usize = 1 << 21;

/// What one unit contributes.
#[derive(Default)]
pub(in crate::dwarf) struct UnitNames<'a> {
    /// By rising DIE.
    pub(in crate::dwarf) entries: Vec<NameEntry<'a>>,
    pub(in crate::dwarf) scopes: Vec<ParentEntry<'a>>,
    /// DW_AT_specification and DW_AT_abstract_origin: from, to.
    pub(in crate::dwarf) references: Vec<(DieId, DieId)>,
    /// The DIE of the function, the DIE of the inlined copy.
    pub(in crate::dwarf) inlined: Vec<(DieId, DieId)>,
    /// Parameters of templates whose names may be without arguments.
    pub(in crate::dwarf) parameters: Vec<ParameterEntry>,
    /// DW_TAG_imported_unit: root DIEs of units that belong to this one as well.
    pub(in crate::dwarf) imports: Vec<DieId>,
    /// There are more than are kept.
    pub(in crate::dwarf) is_cut: bool,
}

impl UnitNames<'_> {
    /// Returns how much is kept.
    pub(in crate::dwarf) fn amount(&self) -> usize {
        self.entries.len()
            + self.scopes.len()
            + self.references.len()
            + self.inlined.len()
            + self.parameters.len()
            + self.imports.len()
    }
}

/// What a name means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(in crate::dwarf) enum NameKind {
    /// DW_TAG_subprogram: one with code, the abstract one of inlined copies, or a declaration.
    Function,
    /// DW_TAG_variable of a unit or namespace, a static member, or a static variable of a function; DW_TAG_constant, as
    /// parameters of Fortran modules are.
    Variable,
    /// DW_TAG_base_type, DW_TAG_unspecified_type.
    BaseType,
    /// DW_TAG_typedef, DW_TAG_template_alias.
    Typedef,
    /// DW_TAG_structure_type.
    Struct,
    /// DW_TAG_union_type.
    Union,
    /// DW_TAG_class_type.
    Class,
    /// DW_TAG_enumeration_type.
    Enum,
    /// DW_TAG_enumerator.
    Enumerator,
}

/// No scope: the unit itself.
pub(in crate::dwarf) const NO_SCOPE: u32 = u32::MAX;

/// Chains of scopes and of references between DIEs are followed no further than this.
pub(in crate::dwarf) const MAX_HOPS: usize = 64;

/// A named DIE.
#[derive(Clone, Copy)]
pub(in crate::dwarf) struct NameEntry<'a> {
    /// DW_AT_name, if necessary of the DIE that this one completes; empty if that one is not known.
    pub(in crate::dwarf) name: &'a str,
    pub(in crate::dwarf) die: DieId,
    /// Index into the scopes, or [`NO_SCOPE`].
    pub(in crate::dwarf) scope: u32,
    pub(in crate::dwarf) kind: NameKind,
    /// DW_AT_declaration: somewhere else it may be defined.
    pub(in crate::dwarf) declaration: bool,
    /// Inside a function.
    pub(in crate::dwarf) local: bool,
    /// Has code of its own.
    pub(in crate::dwarf) code: bool,
}

/// A namespace, type or function around names.
pub(in crate::dwarf) struct ParentEntry<'a> {
    /// `None`: anonymous.
    pub(in crate::dwarf) name: Option<&'a str>,
    pub(in crate::dwarf) parent: u32,
    /// Names in it need not be qualified with it: anonymous and inline namespaces, C enumerations.
    pub(in crate::dwarf) transparent: bool,
    pub(in crate::dwarf) is_namespace: bool,
    /// The DIE, if its name has to be taken from the one that it refers to.
    pub(in crate::dwarf) unresolved: Option<DieId>,
}

impl ParentEntry<'_> {
    /// Returns the name as debug info has it.
    pub(in crate::dwarf) fn shown(&self) -> Option<&str> {
        self.name.or(self.is_namespace.then_some(ANONYMOUS_NAMESPACE))
    }
}

/// Finds the entry of a DIE among some that are sorted by their DIEs.
pub(in crate::dwarf) fn entry_of<'e, 'a>(entries: &'e [NameEntry<'a>], die: DieId) -> Option<&'e NameEntry<'a>> {
    entries.get(entries.binary_search_by_key(&die, |entry| entry.die).ok()?)
}

/// A parameter of a template, or a pack of them.
#[derive(Clone, Copy)]
pub(in crate::dwarf) struct ParameterEntry {
    pub(in crate::dwarf) die: DieId,
    /// The instance of the template.
    pub(in crate::dwarf) of: DieId,
    /// The scope that it is around its names.
    pub(in crate::dwarf) scope: u32,
}

/// What is done with a DIE.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::dwarf) enum Role {
    Named(NameKind),
    Namespace,
    InlinedCopy,
    Import,
    Parameter,
}

/// Returns what is done with DIEs of a tag; `None`: nothing.
pub(in crate::dwarf) fn role(tag: gimli::DwTag) -> Option<Role> {
    Some(match tag {
        gimli::DW_TAG_subprogram => Role::Named(NameKind::Function),
        gimli::DW_TAG_variable | gimli::DW_TAG_member | gimli::DW_TAG_constant => Role::Named(NameKind::Variable),
        gimli::DW_TAG_base_type | gimli::DW_TAG_unspecified_type => Role::Named(NameKind::BaseType),
        gimli::DW_TAG_typedef | gimli::DW_TAG_template_alias => Role::Named(NameKind::Typedef),
        gimli::DW_TAG_structure_type => Role::Named(NameKind::Struct),
        gimli::DW_TAG_union_type => Role::Named(NameKind::Union),
        gimli::DW_TAG_class_type => Role::Named(NameKind::Class),
        gimli::DW_TAG_enumeration_type => Role::Named(NameKind::Enum),
        gimli::DW_TAG_enumerator => Role::Named(NameKind::Enumerator),
        gimli::DW_TAG_namespace | gimli::DW_TAG_module => Role::Namespace,
        gimli::DW_TAG_inlined_subroutine => Role::InlinedCopy,
        gimli::DW_TAG_imported_unit => Role::Import,
        gimli::DW_TAG_template_type_parameter
        | gimli::DW_TAG_template_value_parameter
        | gimli::DW_TAG_GNU_template_template_param
        | gimli::DW_TAG_GNU_template_parameter_pack => Role::Parameter,
        _ => return None,
    })
}

/// Returns whether a variable's location is one fixed address (or thread-local offset).
pub(in crate::dwarf) fn is_static_location(bytes: &[u8]) -> bool {
    let op = |byte: Option<&u8>| byte.map(|b| gimli::DwOp(*b));
    let addresses = [gimli::DW_OP_addr, gimli::DW_OP_addrx, gimli::DW_OP_GNU_addr_index];
    let thread_local = [gimli::DW_OP_form_tls_address, gimli::DW_OP_GNU_push_tls_address];
    op(bytes.first()).is_some_and(|o| addresses.contains(&o))
        || op(bytes.last()).is_some_and(|o| thread_local.contains(&o))
}

/// Hashes a name of a kind: 32-bit FNV-1a.
pub(in crate::dwarf) fn hash(kind: NameKind, name: &str) -> u64 {
    let step = |hash: u32, byte: u8| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193);
    u64::from(name.bytes().fold(step(0x811c_9dc5, kind as u8), step))
}
