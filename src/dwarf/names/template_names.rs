//! Names of templates' instances that debug info names without arguments (`clang -gsimple-template-names`): the
//! arguments are those that the parameters of the template say (DWARF 5 section 2.23).

use super::entry::{MAX_HOPS, NameEntry, ParameterEntry, ParentEntry, entry_of};
use crate::model::die::DieId;
use crate::units::attributes::{for_each_child, is_flag_set};
use crate::units::collection::Units;
use base::qualified::bare;
use gimli::AttributeValue;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// Arguments are in each other no further than this.
const DEEPEST: usize = 32;
/// No name is longer than this, in bytes.
const LONGEST: usize = 1 << 14;
/// Bytes of all names together: what is in each other may be written with few DIEs.
const MOST_BYTES: usize = 128 << 20;
/// Types that are spelled for each parameter on average, and how many at least.
const STEPS: usize = 64;
const FEWEST_STEPS: usize = 1 << 20;

/// The whole names of what debug info names without arguments.
#[derive(Default)]
pub(crate) struct TemplateNames {
    of_entries: HashMap<DieId, Arc<str>>,
    of_scopes: HashMap<u32, Arc<str>>,
}

impl TemplateNames {
    pub(crate) fn of_entry(&self, die: DieId) -> Option<&str> {
        self.of_entries.get(&die).map(|name| &**name)
    }

    pub(crate) fn of_scope(&self, scope: u32) -> Option<&str> {
        self.of_scopes.get(&scope).map(|name| &**name)
    }
}

/// Returns whether this is the name of a template's instance without its arguments, if it is that of an instance.
/// Functions that convert have no arguments in their names.
pub(crate) fn may_lack_arguments(name: &str) -> bool {
    bare(name) == name && !name.starts_with("operator ")
}

/// Finds the whole names. `references`: what completes what, sorted.
pub(crate) fn spell<'a>(
    units: &Units<'a>,
    (entries, around): (&[NameEntry<'a>], &[ParentEntry<'a>]),
    references: &[(DieId, DieId)],
    parameters: &[ParameterEntry],
) -> TemplateNames {
    let mut names = TemplateNames::default();
    if parameters.is_empty() {
        return names;
    }
    let steps = STEPS * (parameters.len() + references.len()) + FEWEST_STEPS;
    let (instances, scopes, known) = (BTreeMap::new(), BTreeMap::new(), HashMap::new());
    let mut speller =
        Speller { units, entries, around, references, parameters: instances, scopes, known, left: MOST_BYTES, steps };
    for parameter in parameters {
        speller.parameters.entry(parameter.of).or_default().push(parameter.die);
        speller.scopes.insert(parameter.scope, parameter.of);
    }
    // The stand-in of a class in a type unit has no parameters, but what it stands for has.
    for (scope, stand_in) in (0..).zip(around) {
        if let Some(die) = stand_in.unresolved {
            speller.scopes.entry(scope).or_insert(die);
        }
    }
    for (scope, of) in speller.scopes.clone() {
        names.of_scopes.extend(speller.instance(of, 0).map(|name| (scope, name)));
    }
    let completing = references.iter().map(|(from, _)| *from);
    for die in speller.parameters.keys().copied().chain(completing).collect::<Vec<_>>() {
        names.of_entries.extend(speller.instance(die, 0).map(|name| (die, name)));
    }
    names
}

struct Speller<'d, 'a> {
    units: &'d Units<'a>,
    /// Sorted by DIE.
    entries: &'d [NameEntry<'a>],
    /// The scopes around the entries.
    around: &'d [ParentEntry<'a>],
    references: &'d [(DieId, DieId)],
    /// Of each instance.
    parameters: BTreeMap<DieId, Vec<DieId>>,
    /// The instances that are scopes.
    scopes: BTreeMap<u32, DieId>,
    /// The names that are spelled already.
    known: HashMap<DieId, Option<Arc<str>>>,
    /// Bytes that further names may have.
    left: usize,
    /// Types that are spelled yet at most: those that are in each other many times would take for ever.
    steps: usize,
}

/// A type in two parts: what is before and what is behind the name of a thing of that type.
struct Spelled(String, String);

impl Spelled {
    fn plain(name: impl Into<String>) -> Self {
        Self(name.into(), String::new())
    }

    fn whole(self) -> String {
        let separator = if self.1.starts_with('(') && !self.0.ends_with('*') { " " } else { "" };
        self.0 + separator + &self.1
    }

    /// Returns what points to a thing of the type.
    fn pointed(self, mark: &str) -> Self {
        if self.1.starts_with(['(', '[']) {
            return Self(format!("{} ({mark}", self.0), format!("){}", self.1));
        }
        let separator = if self.0.ends_with(['*', '&']) && !mark.ends_with(":*") { "" } else { " " };
        Self(self.0 + separator + mark, self.1)
    }

    fn qualified(self, word: &str) -> Self {
        match self.0.ends_with(['*', '&']) {
            true => Self(self.0 + word, self.1),
            false => Self(format!("{word} {}", self.0), self.1),
        }
    }
}

impl<'d, 'a> Speller<'d, 'a> {
    fn entry(&self, die: DieId) -> Option<&'d NameEntry<'a>> {
        entry_of(self.entries, die)
    }

    /// Returns the name of an instance with its arguments, without the scopes around it. `None` if that is not what the
    /// DIE is, or if an argument cannot be spelled.
    fn instance(&mut self, die: DieId, depth: usize) -> Option<Arc<str>> {
        if let Some(known) = self.known.get(&die) {
            return known.clone();
        }
        let name = self.make_instance(die, depth);
        self.known.insert(die, name.clone());
        name
    }

    fn make_instance(&mut self, die: DieId, depth: usize) -> Option<Arc<str>> {
        if depth > DEEPEST {
            return None;
        }
        let Some(parameters) = self.parameters.get(&die).cloned() else {
            // What completes an instance has its name.
            let at = self.references.binary_search_by_key(&die, |(from, _)| *from).ok()?;
            return self.instance(self.references.get(at)?.1, depth + 1);
        };
        let name = self.entry(die).map(|entry| entry.name).filter(|name| !name.is_empty())?;
        let mut arguments = String::new();
        for parameter in parameters {
            self.add_arguments(parameter, depth + 1, &mut arguments)?;
        }
        let space = if arguments.ends_with('>') { " " } else { "" };
        // `operator<` and `<int>` would be read as one.
        let gap = if name.ends_with('<') { " " } else { "" };
        let whole = format!("{name}{gap}<{arguments}{space}>");
        let is_kept = may_lack_arguments(name) && whole.len() <= LONGEST.min(self.left);
        is_kept.then(|| {
            self.left -= whole.len();
            whole.into()
        })
    }

    /// Adds what a parameter stands for: of a pack, any number of arguments.
    fn add_arguments(&mut self, parameter: DieId, depth: usize, arguments: &mut String) -> Option<()> {
        let (entry, unit, die) = self.units.die(parameter)?;
        let ty = self.units.referenced(entry, &die, gimli::DW_AT_type);
        let argument = match die.tag() {
            gimli::DW_TAG_template_type_parameter => self.type_name(ty, depth)?.whole(),
            gimli::DW_TAG_template_value_parameter => {
                self.value(ty?, die.attr_value(gimli::DW_AT_const_value)?, depth)?
            }
            gimli::DW_TAG_GNU_template_template_param => {
                let name = die.attr_value(gimli::DW_AT_GNU_template_name)?;
                short(self.units.string(unit, name)?)?.to_owned()
            }
            _ => {
                let mut inside = Vec::new();
                for_each_child(self.units, parameter, |_, id, _| inside.push(id));
                for one in inside {
                    self.add_arguments(one, depth.checked_add(1).filter(|depth| *depth <= DEEPEST)?, arguments)?;
                }
                return Some(());
            }
        };
        let separator = if arguments.is_empty() { "" } else { ", " };
        *arguments += separator;
        *arguments += &argument;
        short(arguments).map(drop)
    }

    /// Spells a constant of a type as Clang does.
    fn value(
        &mut self,
        ty: DieId,
        value: AttributeValue<crate::sections::slice::Slice<'a>>,
        depth: usize,
    ) -> Option<String> {
        let (_, unit, die) = self.units.die(ty)?;
        let signed = value.sdata_value().map(i128::from);
        let unsigned = value.udata_value().map(i128::from);
        if die.tag() == gimli::DW_TAG_enumeration_type {
            return Some(format!("({}){}", self.qualified(ty, depth)?, signed.or(unsigned)?));
        }
        let name = (die.tag() == gimli::DW_TAG_base_type).then(|| self.units.name(unit, &die))??;
        let number = if name.starts_with("unsigned") { unsigned.or(signed)? } else { signed.or(unsigned)? };
        Some(match name {
            "bool" => (if number == 0 { "false" } else { "true" }).to_owned(),
            "int" => number.to_string(),
            "long" => format!("{number}L"),
            "long long" => format!("{number}LL"),
            "unsigned int" => format!("{number}U"),
            "unsigned long" => format!("{number}UL"),
            "unsigned long long" => format!("{number}ULL"),
            "char" => letter(number).unwrap_or_else(|| format!("(char){number}")),
            _ => format!("({name}){number}"),
        })
    }

    /// Spells a type; none is `void`.
    fn type_name(&mut self, ty: Option<DieId>, depth: usize) -> Option<Spelled> {
        let Some(ty) = ty else { return Some(Spelled::plain("void")) };
        let inside = depth.checked_add(1).filter(|depth| *depth <= DEEPEST)?;
        self.steps = self.steps.checked_sub(1)?;
        let (entry, unit, die) = self.units.die(ty)?;
        let target = self.units.referenced(entry, &die, gimli::DW_AT_type);
        Some(match die.tag() {
            gimli::DW_TAG_pointer_type => self.type_name(target, inside)?.pointed("*"),
            gimli::DW_TAG_reference_type => self.type_name(target, inside)?.pointed("&"),
            gimli::DW_TAG_rvalue_reference_type => self.type_name(target, inside)?.pointed("&&"),
            gimli::DW_TAG_const_type => self.type_name(target, inside)?.qualified("const"),
            gimli::DW_TAG_volatile_type => self.type_name(target, inside)?.qualified("volatile"),
            gimli::DW_TAG_ptr_to_member_type => {
                let class = self.units.referenced(entry, &die, gimli::DW_AT_containing_type)?;
                let class = self.qualified(class, inside)?;
                self.type_name(target, inside)?.pointed(&format!("{class}::*"))
            }
            gimli::DW_TAG_subroutine_type => {
                let Spelled(before, behind) = self.type_name(target, inside)?;
                Spelled(before, format!("({}){behind}", self.parameter_types(ty, inside)?))
            }
            gimli::DW_TAG_array_type => {
                let Spelled(before, behind) = self.type_name(target, inside)?;
                Spelled(before, self.dimensions(ty) + &behind)
            }
            gimli::DW_TAG_base_type | gimli::DW_TAG_unspecified_type => {
                Spelled::plain(short(self.units.name(unit, &die)?)?)
            }
            _ => Spelled::plain(self.qualified(ty, depth)?),
        })
    }

    fn parameter_types(&mut self, function: DieId, depth: usize) -> Option<String> {
        let mut parameters = Vec::new();
        for_each_child(self.units, function, |entry, _, die| match die.tag() {
            gimli::DW_TAG_formal_parameter if !is_flag_set(die, gimli::DW_AT_artificial) => {
                parameters.push(Some(self.units.referenced(entry, die, gimli::DW_AT_type)));
            }
            gimli::DW_TAG_unspecified_parameters => parameters.push(None),
            _ => {}
        });
        let mut spelled = String::new();
        for parameter in parameters {
            let ty = match parameter {
                Some(ty) => self.type_name(ty, depth)?.whole(),
                None => "...".to_owned(),
            };
            spelled += if spelled.is_empty() { "" } else { ", " };
            spelled += &ty;
            short(&spelled)?;
        }
        Some(spelled)
    }

    fn dimensions(&self, array: DieId) -> String {
        let mut dimensions = String::new();
        for_each_child(self.units, array, |_, _, die| {
            if die.tag() == gimli::DW_TAG_subrange_type {
                let number = |name| die.attr_value(name).and_then(|value| value.udata_value());
                let bound = || number(gimli::DW_AT_upper_bound)?.checked_add(1);
                let count = number(gimli::DW_AT_count).or_else(bound);
                dimensions += &count.map_or("[]".to_owned(), |count| format!("[{count}]"));
            }
        });
        dimensions
    }

    /// Returns the name of a type with the scopes around it.
    fn qualified(&mut self, ty: DieId, depth: usize) -> Option<String> {
        let inside = depth.checked_add(1).filter(|depth| *depth <= DEEPEST)?;
        let Some(entry) = self.entry(ty).copied() else {
            let (_, unit, die) = self.units.die(ty)?;
            return self.units.name(unit, &die).and_then(short).map(str::to_owned);
        };
        let name = self.instance(ty, inside);
        let own = match &name {
            Some(name) => name,
            None => short(entry.name)?,
        };
        let mut parts = vec![own.to_owned()];
        let mut scope = entry.scope;
        for _ in 0..MAX_HOPS {
            let Some(around) = self.around.get(scope as usize) else { break };
            let (is_shown, parent) = (!around.transparent || around.is_namespace, around.parent);
            let shown = around.shown().and_then(short).map(str::to_owned);
            let instance = self.scopes.get(&scope).copied().and_then(|of| self.instance(of, inside));
            parts.extend(instance.map(|name| name.to_string()).or(shown).filter(|_| is_shown));
            scope = parent;
        }
        parts.reverse();
        let whole = parts.join("::");
        (!entry.name.is_empty() && whole.len() <= LONGEST).then_some(whole)
    }
}

/// Returns a name, unless it is longer than one may be.
fn short(name: &str) -> Option<&str> {
    (name.len() <= LONGEST).then_some(name)
}

/// Writes a character of ASCII.
fn letter(number: i128) -> Option<String> {
    let letter = u8::try_from(number).ok().filter(u8::is_ascii)?;
    Some(match letter {
        b'\\' | b'\'' => format!("'\\{}'", char::from(letter)),
        b' '..=b'~' => format!("'{}'", char::from(letter)),
        0x07 => r"'\a'".to_owned(),
        0x08 => r"'\b'".to_owned(),
        b'\t' => r"'\t'".to_owned(),
        b'\n' => r"'\n'".to_owned(),
        0x0b => r"'\v'".to_owned(),
        0x0c => r"'\f'".to_owned(),
        b'\r' => r"'\r'".to_owned(),
        _ => format!("'\\x{letter:02x}'"),
    })
}

#[cfg(test)]
mod tests {
    use crate::testing::build;
    use ctype::layout::size_of;
    use std::collections::BTreeSet;

    fn names(flags: &str, source: &str) -> BTreeSet<String> {
        let program = build("clang++", flags, &[source]);
        let names = program.image.with_debug(|debug| debug.index().names());
        // Clang writes the enumerator or the number, each version in its own way.
        names.into_iter().filter(|name| !name.starts_with("Painted<") && !name.starts_with("Shaded<")).collect()
    }

    #[test]
    fn names_without_arguments_are_those_with_arguments() {
        for version in ["-gdwarf-5", "-gdwarf-4"] {
            let whole = names(&format!("{version} -std=c++17 -O0"), "template_names.cpp");
            let simple = names(&format!("{version} -std=c++17 -O0 -gsimple-template-names"), "template_names.cpp");
            let missing: Vec<_> = whole.difference(&simple).collect();
            let other: Vec<_> = simple.difference(&whole).collect();
            assert!(missing.is_empty() && other.is_empty(), "{version}: {missing:?} {other:?}");
        }
    }

    #[test]
    fn an_instance_is_found_by_its_arguments() {
        let program = build("clang++", "-g -std=c++17 -O0 -gsimple-template-names", &["template_names.cpp"]);
        let size = |name: &str| program.image.type_named(None, name).and_then(|ty| size_of(&ty));
        assert_eq!(size("Two<int>"), None);
        assert_eq!(size("Two<int, shop::Box<int>>"), Some(8));
        assert_eq!(size("Row<short, 3>"), Some(6));
        assert_eq!(size("Declared<char>"), Some(1));
        // What is only declared is not what another instance defines.
        assert_eq!(size("Declared<long>"), None);
        assert_eq!(program.global("shop::Box<char>::made").name, "shop::Box<char>::made");
        assert_ne!(program.global("shop::Box<int>::made").die, program.global("shop::Box<char>::made").die);
    }
}
