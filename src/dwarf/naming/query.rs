//! Names as users write them: `f`, `b::f`, `::a::b::f(int)`, `<crate::T as Trait>::f`.

use super::components::bare;

/// A name, cut into its components.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::dwarf) struct NameQuery<'q> {
    components: Vec<&'q str>,
    /// The text between the parentheses of a parameter list.
    pub(in crate::dwarf) parameters: Option<&'q str>,
    /// It starts with `::`: nothing may be around the first component.
    pub(in crate::dwarf) absolute: bool,
}

impl<'q> NameQuery<'q> {
    /// Cuts a name at each `::` that is not inside brackets. Any text is a name.
    pub(in crate::dwarf) fn parse(text: &'q str) -> Self {
        let text = text.trim();
        let body = text.strip_prefix("::");
        let absolute = body.is_some();
        let text = body.unwrap_or(text);
        let mut query = Self { components: Vec::new(), parameters: None, absolute };
        let bytes = text.as_bytes();
        let (mut start, mut at, mut depth) = (0, 0, 0usize);
        while let Some(&byte) = bytes.get(at) {
            let component = text.get(start..at).unwrap_or_default();
            let operator = component.starts_with("operator");
            match byte {
                // The call operator's own parentheses.
                b'(' if component == "operator" && bytes.get(at + 1) == Some(&b')') => at += 1,
                b'(' if depth == 0 && at > start => {
                    let rest = text.get(at + 1..).unwrap_or_default();
                    query.parameters = Some(rest.rsplit_once(')').map_or(rest, |(inside, _)| inside));
                    break;
                }
                b'<' if operator && depth == 0 => {}
                b'>' if operator && depth == 0 => {}
                // `->` is no bracket.
                b'>' if at > 0 && bytes.get(at - 1) == Some(&b'-') => {}
                b'<' | b'(' | b'[' | b'{' => depth += 1,
                b'>' | b')' | b']' | b'}' => depth = depth.saturating_sub(1),
                b':' if depth == 0 && bytes.get(at + 1) == Some(&b':') => {
                    query.push(component);
                    at += 1;
                    start = at + 1;
                }
                _ => {}
            }
            at += 1;
        }
        query.push(text.get(start..at).unwrap_or_default());
        query
    }

    /// Demanglers show ABI tags, `f[abi:cxx11]`; debug information does not have them.
    fn push(&mut self, component: &'q str) {
        let untagged = component.find("[abi:").and_then(|at| component.get(..at)).unwrap_or(component);
        self.components.push(untagged.trim());
    }

    /// The last component of a name.
    pub(in crate::dwarf) fn last_of(text: &'q str) -> &'q str {
        Self::parse(text).last()
    }

    /// The name itself.
    pub(in crate::dwarf) fn last(&self) -> &'q str {
        self.components.last().copied().unwrap_or_default()
    }

    /// The scopes around it, outermost first.
    pub(in crate::dwarf) fn scopes(&self) -> &[&'q str] {
        self.components.split_last().map(|(_, scopes)| scopes).unwrap_or_default()
    }

    /// Whether a name for people, such as a demangler makes, is one that this query means: the whole of it, or its
    /// last components; with the same parameters if the query has some.
    pub(in crate::dwarf) fn matches_shown(&self, shown: &str) -> bool {
        let other = NameQuery::parse(shown);
        // `f(int)::{lambda()#1}::operator()()` is not `f`.
        if self.parameters.is_none() && other.parameters.is_some_and(|inside| !is_balanced(inside)) {
            return false;
        }
        if let Some(parameters) = self.parameters
            && !same_letters(parameters, other.parameters.unwrap_or_default())
            && !(same_letters(parameters, "void") && other.parameters == Some(""))
        {
            return false;
        }
        let (ours, theirs) = (&self.components, &other.components);
        if ours.len() > theirs.len() || (self.absolute && ours.len() != theirs.len()) {
            return false;
        }
        let pairs = ours.iter().rev().zip(theirs.iter().rev());
        pairs.into_iter().all(|(a, b)| same_letters(a, b) || **a == *bare(b))
    }
}

/// Whether no parenthesis of a text closes one before it.
fn is_balanced(text: &str) -> bool {
    let step = |depth: usize, byte: u8| match byte {
        b'(' => Some(depth + 1),
        b')' => depth.checked_sub(1),
        _ => Some(depth),
    };
    text.bytes().try_fold(0, step).is_some()
}

/// Whether two texts are the same but for white space.
pub(in crate::dwarf) fn same_letters(a: &str, b: &str) -> bool {
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
        assert!(matches("a::f", "a::f(int (*)(char), (anonymous namespace)::s) const"));
        assert!(matches("f", "a::f() [clone .isra.0]"));
    }
}
