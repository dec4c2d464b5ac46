//! How to read the DIEs of one abbreviation for the directory of names: what is taken of them, and in how few steps the
//! rest is skipped.

use crate::names::entry::NameKind;
use crate::names::entry::{Role, role};
use crate::names::raw_attributes::Input;
use crate::sections::slice::Slice;
use gimli::{AttributeSpecification, DwAt, DwForm};

/// What is known of a kind of DIE.
pub(crate) struct Plan {
    pub(crate) role: Option<Role>,
    pub(crate) has_children: bool,
    pub(crate) steps: Vec<Step>,
    pub(crate) code: bool,
    /// Nothing inside is named: whatever is in it may be skipped.
    pub(crate) closed: bool,
}

pub(crate) enum Step {
    Skip(usize),
    SkipForm(DwForm),
    Take(What, DwForm),
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum What {
    Name,
    Origin,
    Declaration,
    Transparent,
    EnumClass,
    Location,
    Sibling,
}

impl Plan {
    /// Passes over a DIE.
    pub(crate) fn pass(&self, input: &mut Input<'_>) -> Option<()> {
        for step in &self.steps {
            match step {
                Step::Skip(count) => input.skip(*count)?,
                Step::SkipForm(form) | Step::Take(_, form) => input.skip_form(*form)?,
            }
        }
        Some(())
    }

    /// Plans how to read DIEs of an abbreviation. `None` if such DIEs refer to other units, or if there is a form that
    /// is not known.
    pub(crate) fn new<'a>(abbreviation: &gimli::Abbreviation, header: &gimli::UnitHeader<Slice<'a>>) -> Option<Self> {
        let specifications = abbreviation.attributes();
        let has = |name| specifications.iter().any(|s| s.name() == name);
        let tag = abbreviation.tag();
        let elsewhere = [gimli::DW_AT_dwo_name, gimli::DW_AT_GNU_dwo_name, gimli::DW_AT_signature];
        if tag == gimli::DW_TAG_imported_unit || elsewhere.into_iter().any(has) {
            return None;
        }
        // Of members, only static ones are variables.
        let skipped = tag == gimli::DW_TAG_member && !has(gimli::DW_AT_external) && !has(gimli::DW_AT_declaration);
        let role = role(tag).filter(|_| !skipped);
        let closed = role.is_none() && abbreviation.has_children() && is_closed(tag);
        let mut plan = Self {
            role,
            has_children: abbreviation.has_children(),
            steps: Vec::new(),
            code: has(gimli::DW_AT_low_pc) || has(gimli::DW_AT_ranges),
            closed,
        };
        for specification in specifications {
            plan.add(specification, header)?;
        }
        Some(plan)
    }

    fn add<'a>(&mut self, specification: &AttributeSpecification, header: &gimli::UnitHeader<Slice<'a>>) -> Option<()> {
        let form = specification.form();
        match self.what(specification.name()) {
            Some(what) if !what.may_be(form) => return None,
            None if specification.size(header).is_none() && !is_known(form) => return None,
            Some(what) => self.steps.push(Step::Take(what, form)),
            None => match (specification.size(header), self.steps.last_mut()) {
                (Some(size), Some(Step::Skip(before))) => *before += size,
                (Some(size), _) => self.steps.push(Step::Skip(size)),
                (None, _) => self.steps.push(Step::SkipForm(form)),
            },
        }
        Some(())
    }

    fn what(&self, name: DwAt) -> Option<What> {
        let Some(role) = self.role else {
            return (self.closed && name == gimli::DW_AT_sibling).then_some(What::Sibling);
        };
        match (name, role) {
            (gimli::DW_AT_abstract_origin, _) => Some(What::Origin),
            (_, Role::InlinedCopy | Role::Import | Role::Parameter) => None,
            (gimli::DW_AT_name, _) => Some(What::Name),
            (gimli::DW_AT_export_symbols, Role::Namespace) => Some(What::Transparent),
            (_, Role::Namespace) => None,
            (gimli::DW_AT_specification, _) => Some(What::Origin),
            (gimli::DW_AT_declaration, _) => Some(What::Declaration),
            (gimli::DW_AT_enum_class, Role::Named(NameKind::Enum)) => Some(What::EnumClass),
            (gimli::DW_AT_location, Role::Named(NameKind::Variable)) => Some(What::Location),
            _ => None,
        }
    }
}

impl What {
    /// Returns whether such an attribute is read in such a form.
    fn may_be(self, form: DwForm) -> bool {
        use gimli as g;
        match self {
            // Of other forms are references to other units, which are noticed when there is one.
            Self::Origin | Self::Sibling => form != g::DW_FORM_indirect && form != g::DW_FORM_implicit_const,
            Self::Name => matches!(
                form,
                g::DW_FORM_string
                    | g::DW_FORM_strp
                    | g::DW_FORM_line_strp
                    | g::DW_FORM_strx
                    | g::DW_FORM_strx1
                    | g::DW_FORM_strx2
                    | g::DW_FORM_strx3
                    | g::DW_FORM_strx4
                    | g::DW_FORM_GNU_str_index
            ),
            Self::Location => matches!(
                form,
                g::DW_FORM_exprloc
                    | g::DW_FORM_block
                    | g::DW_FORM_block1
                    | g::DW_FORM_block2
                    | g::DW_FORM_block4
                    | g::DW_FORM_sec_offset
                    | g::DW_FORM_data4
                    | g::DW_FORM_loclistx
            ),
            Self::Declaration | Self::Transparent | Self::EnumClass => {
                matches!(form, g::DW_FORM_flag | g::DW_FORM_flag_present)
            }
        }
    }
}

/// Returns whether [`Input::skip_form`] can skip an attribute of this form.
fn is_known(form: DwForm) -> bool {
    use gimli as g;
    matches!(
        form,
        g::DW_FORM_string
            | g::DW_FORM_udata
            | g::DW_FORM_sdata
            | g::DW_FORM_ref_udata
            | g::DW_FORM_strx
            | g::DW_FORM_addrx
            | g::DW_FORM_loclistx
            | g::DW_FORM_rnglistx
            | g::DW_FORM_GNU_addr_index
            | g::DW_FORM_GNU_str_index
            | g::DW_FORM_exprloc
            | g::DW_FORM_block
            | g::DW_FORM_block1
            | g::DW_FORM_block2
            | g::DW_FORM_block4
    )
}

/// Returns whether nothing that has a name of its own is inside of such DIEs.
fn is_closed(tag: gimli::DwTag) -> bool {
    matches!(
        tag,
        gimli::DW_TAG_subroutine_type
            | gimli::DW_TAG_array_type
            | gimli::DW_TAG_call_site
            | gimli::DW_TAG_GNU_call_site
            | gimli::DW_TAG_GNU_formal_parameter_pack
            | gimli::DW_TAG_GNU_template_parameter_pack
    )
}
