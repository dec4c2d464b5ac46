//! Names as users write them: `f`, `b::f`, `::a::b::f(int)`, `<crate::T as Trait>::f`.

use super::components::component_means;
use base::qualified::{Component, QualifiedName, same_types};

/// What a member function says of the object that it is called for: `const`, `volatile`, `&`, `&&`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Qualifiers {
    is_const: bool,
    is_volatile: bool,
    /// How many `&`.
    references: usize,
}

impl Qualifiers {
    /// Reads what is behind a parameter list, where a demangler may have added ` [clone .cold]`.
    fn of(behind: &str) -> Self {
        let own = behind.split('[').next().unwrap_or_default();
        let has = |word: &str| own.split(|c: char| c.is_whitespace() || c == '&').any(|part| part == word);
        let references = own.matches('&').count();
        Self { is_const: has("const"), is_volatile: has("volatile"), references }
    }
}

/// A name that something is looked for by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NameQuery<'q> {
    /// All of it.
    pub(crate) text: &'q str,
    components: Vec<&'q str>,
    /// The parameter lists of the scopes that are functions.
    lists: Vec<Option<&'q str>>,
    /// The text between the parentheses of its own parameter list.
    pub(crate) parameters: Option<&'q str>,
    /// What is behind that list.
    qualifiers: Qualifiers,
    /// It starts with `::`: nothing may be around the first component.
    pub(crate) absolute: bool,
}

impl<'q> NameQuery<'q> {
    /// Splits a name. Any text is one.
    pub(crate) fn parse(text: &'q str) -> Self {
        let name = QualifiedName::split(text.trim());
        Self {
            text,
            components: name.components().iter().map(untagged).collect(),
            lists: name.scopes().iter().map(Component::parameters).collect(),
            parameters: name.last().and_then(Component::parameters),
            qualifiers: name.last().map(|last| Qualifiers::of(last.behind())).unwrap_or_default(),
            absolute: name.is_absolute,
        }
    }

    /// Returns the name itself.
    pub(crate) fn last(&self) -> &'q str {
        self.components.last().copied().unwrap_or_default()
    }

    /// Returns the scopes around it, outermost first.
    pub(crate) fn scopes(&self) -> &[&'q str] {
        self.components.split_last().map(|(_, scopes)| scopes).unwrap_or_default()
    }

    /// Returns the whole name without parameters: `a::b::f`.
    pub(crate) fn whole(&self) -> String {
        self.components.join("::")
    }

    /// Returns whether a name for people, such as a demangler makes, is one that this query means: the whole of it, or
    /// its last components; with the same parameters if the query has some.
    pub(crate) fn matches_shown(&self, shown: &str) -> bool {
        let other = NameQuery::parse(shown);
        let (ours, theirs) = (&self.components, &other.components);
        if ours.len() > theirs.len() || (self.absolute && ours.len() != theirs.len()) {
            return false;
        }
        self.means_overload(shown)
            && ours.iter().rev().zip(theirs.iter().rev()).all(|(a, b)| component_means(a, Some(b)))
    }

    /// Returns whether the function of a name for people has the parameters and the qualifiers that this query has, and
    /// the functions around it have.
    pub(crate) fn means_overload(&self, shown: &str) -> bool {
        let other = NameQuery::parse(shown);
        // Debug info does not have the parameters of what a name is in.
        let mut lists = self.lists.iter().rev().zip(other.lists.iter().rev());
        lists.all(|(ours, theirs)| theirs.is_none() || same_parameters(*ours, *theirs))
            && same_parameters(self.parameters, other.parameters)
            && self.allows_qualifiers_of(shown)
    }

    /// Returns whether the function of a name for people has the qualifiers that this query has, if it has some.
    pub(crate) fn allows_qualifiers_of(&self, shown: &str) -> bool {
        self.qualifiers == Qualifiers::default() || self.qualifiers == NameQuery::parse(shown).qualifiers
    }

    /// Returns whether the function of a name for people has no other qualifiers than this query: `f()` is first of all
    /// `f()`, and only where there is none may it be `f() const`.
    pub(crate) fn has_qualifiers_of(&self, shown: &str) -> bool {
        self.parameters.is_none() || self.qualifiers == NameQuery::parse(shown).qualifiers
    }
}

/// Removes the ABI tags that demanglers show, `f[abi:cxx11]`: debug information does not have them.
fn untagged<'q>(component: &Component<'q>) -> &'q str {
    let name = component.name();
    name.find("[abi:").and_then(|at| name.get(..at)).unwrap_or(name).trim()
}

/// Returns whether a function with these parameters is one that was asked for.
fn same_parameters(asked: Option<&str>, has: Option<&str>) -> bool {
    let Some(asked) = asked else { return true };
    same_letters(asked, has.unwrap_or_default())
        || (same_letters(asked, "void") && has == Some(""))
        || has.is_some_and(|has| same_types(asked, has))
}

/// Returns whether two texts are the same but for white space.
pub(crate) fn same_letters(a: &str, b: &str) -> bool {
    a.chars().filter(|c| !c.is_whitespace()).eq(b.chars().filter(|c| !c.is_whitespace()))
}

#[cfg(test)]
mod tests {
    use super::NameQuery;

    fn matches(asked: &str, shown: &str) -> bool {
        NameQuery::parse(asked).matches_shown(shown)
    }

    #[test]
    fn what_is_inside_a_function_does_not_go_by_its_name() {
        let lambda = "a::f(int)::{lambda()#1}::operator()() const";
        assert!(!matches("a::f", lambda));
        assert!(!matches("f", lambda));
        assert!(matches(lambda, lambda));
        assert!(matches("a::f::{lambda()#1}::operator()", lambda));
        assert!(!matches("a::f(char)::{lambda()#1}::operator()", lambda));
        assert!(matches("a::f", "a::f(int (*)(char), (anonymous namespace)::s) const"));
        assert!(matches("f", "a::f() [clone .isra.0]"));
    }

    #[test]
    fn parameters_may_be_written_as_in_the_source() {
        let shown = "parse(std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> > const&)";
        assert!(matches("parse(const std::string &)", shown) && matches("parse(std::string const&)", shown));
        assert!(!matches("parse(std::string &)", shown) && !matches("parse(const std::wstring &)", shown));
    }

    #[test]
    fn qualifiers_of_the_object_are_those_asked_for() {
        for own in [" const", " volatile", " const volatile", " &", " &&", " const &", " const &&", ""] {
            let shown = format!("S::f(){own}");
            assert!(matches(&shown, &shown) && matches("S::f", &shown) && matches("S::f()", &shown), "{shown}");
            assert!(matches(&shown, &format!("{shown} [clone .cold]")), "{shown}");
            for other in [" const", " &", " &&", " const &"].into_iter().filter(|other| *other != own) {
                assert!(!matches(&format!("f(){other}"), &shown), "{shown}, {other}");
                assert!(!NameQuery::parse("f()").has_qualifiers_of(&format!("S::f(){other}")));
            }
        }
        assert!(matches("f()const&", "S::f() const &") && NameQuery::parse("f()").has_qualifiers_of("S::f()"));
    }

    #[test]
    fn arguments_that_rust_gives_to_a_function_may_be_left_out() {
        assert!(matches("a::f", "a::f::<b::C>") && matches("f", "a::f::<b::C>"));
        assert!(!matches("C", "a::f::<b::C>"));
    }
}
