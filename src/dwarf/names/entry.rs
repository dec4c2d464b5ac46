//! What is indexed of a DIE: its name, what it means, and the scopes around it.

use crate::model::die::DieId;
use base::qualified::ANONYMOUS_NAMESPACE;

/// In a large unit, each time that so many bytes have been read, it is looked whether the rest is wanted.
pub(crate) const LOOK: usize = 1 << 18;

/// Most names, scopes and copies of one unit that are kept; the largest units of link-time optimisation have some
/// hundreds of thousands.
pub(crate) const MOST_OF_UNIT: usize = 1 << 21;

/// What one unit contributes.
#[derive(Default)]
pub(crate) struct UnitNames<'a> {
    /// By rising DIE.
    pub(crate) entries: Vec<NameEntry<'a>>,
    pub(crate) scopes: Vec<ParentEntry<'a>>,
    /// DW_AT_specification and DW_AT_abstract_origin: from, to.
    pub(crate) references: Vec<(DieId, DieId)>,
    /// The DIE of the function, the DIE of the inlined copy.
    pub(crate) inlined: Vec<(DieId, DieId)>,
    /// Parameters of templates whose names may be without arguments.
    pub(crate) parameters: Vec<ParameterEntry>,
    /// DW_TAG_imported_unit: root DIEs of units that belong to this one as well.
    pub(crate) imports: Vec<DieId>,
    /// There are more than are kept.
    pub(crate) is_cut: bool,
}

impl UnitNames<'_> {
    /// Returns how much is kept.
    pub(crate) fn amount(&self) -> usize {
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
pub(crate) enum NameKind {
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
pub(crate) const NO_SCOPE: u32 = u32::MAX;

/// Chains of scopes and of references between DIEs are followed no further than this.
pub(crate) const MAX_HOPS: usize = 64;

/// A named DIE.
#[derive(Clone, Copy)]
pub(crate) struct NameEntry<'a> {
    /// DW_AT_name, if necessary of the DIE that this one completes; empty if that one is not known.
    pub(crate) name: &'a str,
    pub(crate) die: DieId,
    /// Index into the scopes, or [`NO_SCOPE`].
    pub(crate) scope: u32,
    pub(crate) kind: NameKind,
    /// DW_AT_declaration: somewhere else it may be defined.
    pub(crate) declaration: bool,
    /// Inside a function.
    pub(crate) local: bool,
    /// Has code of its own.
    pub(crate) code: bool,
}

/// A namespace, type or function around names.
pub(crate) struct ParentEntry<'a> {
    /// `None`: anonymous.
    pub(crate) name: Option<&'a str>,
    pub(crate) parent: u32,
    /// Names in it need not be qualified with it: anonymous and inline namespaces, C enumerations.
    pub(crate) transparent: bool,
    pub(crate) is_namespace: bool,
    /// The DIE, if its name has to be taken from the one that it refers to.
    pub(crate) unresolved: Option<DieId>,
}

impl ParentEntry<'_> {
    /// Returns the name as debug info has it.
    pub(crate) fn shown(&self) -> Option<&str> {
        self.name.or(self.is_namespace.then_some(ANONYMOUS_NAMESPACE))
    }
}

/// Finds the entry of a DIE among some that are sorted by their DIEs.
pub(crate) fn entry_of<'e, 'a>(entries: &'e [NameEntry<'a>], die: DieId) -> Option<&'e NameEntry<'a>> {
    entries.get(entries.binary_search_by_key(&die, |entry| entry.die).ok()?)
}

/// A parameter of a template, or a pack of them.
#[derive(Clone, Copy)]
pub(crate) struct ParameterEntry {
    pub(crate) die: DieId,
    /// The instance of the template.
    pub(crate) of: DieId,
    /// The scope that it is around its names.
    pub(crate) scope: u32,
}

/// What is done with a DIE.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    Named(NameKind),
    Namespace,
    InlinedCopy,
    Import,
    Parameter,
}

/// Returns what is done with DIEs of a tag; `None`: nothing.
pub(crate) fn role(tag: gimli::DwTag) -> Option<Role> {
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
pub(crate) fn is_static_location(bytes: &[u8]) -> bool {
    let op = |byte: Option<&u8>| byte.map(|b| gimli::DwOp(*b));
    let addresses = [gimli::DW_OP_addr, gimli::DW_OP_addrx, gimli::DW_OP_GNU_addr_index];
    let thread_local = [gimli::DW_OP_form_tls_address, gimli::DW_OP_GNU_push_tls_address];
    op(bytes.first()).is_some_and(|o| addresses.contains(&o))
        || op(bytes.last()).is_some_and(|o| thread_local.contains(&o))
}

/// Hashes a name of a kind: 32-bit FNV-1a.
pub(crate) fn hash(kind: NameKind, name: &str) -> u64 {
    let step = |hash: u32, byte: u8| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193);
    u64::from(name.bytes().fold(step(0x811c_9dc5, kind as u8), step))
}
