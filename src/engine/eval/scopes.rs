//! The scopes around a function, in which a name is looked for before it is looked for everywhere: in `a::b::f` the
//! name `x` means `a::b::x` or `a::x` rather than a global `x`.

/// Named scopes that are looked into, the innermost ones.
const MAX_SCOPES: usize = 16;
/// What debug info calls a namespace without a name.
const ANONYMOUS: &str = "(anonymous namespace)";

/// The scopes around the code of a function, innermost first: itself, its class, namespaces or modules, and what these
/// hold without a name.
pub(in crate::engine) fn scopes_of(function: &str) -> Vec<String> {
    let mut scopes = Vec::new();
    for end in ends(function).into_iter().rev() {
        let Some(scope) = function.get(..end).filter(|scope| !scope.is_empty()) else { continue };
        scopes.push(scope.to_owned());
        if !scope.ends_with(ANONYMOUS) {
            scopes.push(format!("{scope}::{ANONYMOUS}"));
        }
    }
    scopes.truncate(2 * MAX_SCOPES);
    scopes
}

/// Where the components of a function's name end, the last one without its parameters.
fn ends(function: &str) -> Vec<usize> {
    let mut found = Vec::new();
    let (mut depth, mut at) = (0usize, 0);
    while let Some(rest) = function.get(at..).filter(|rest| !rest.is_empty()) {
        let first = rest.chars().next().map_or(1, char::len_utf8);
        if depth == 0 {
            if rest.starts_with("::") {
                found.push(at);
                at += 2;
                continue;
            }
            if rest.starts_with(ANONYMOUS) {
                at += ANONYMOUS.len();
                continue;
            }
            // In the names of operators brackets mean something else.
            let begins = at == 0 || function.get(..at).is_some_and(|before| before.ends_with("::"));
            if rest.starts_with(['(', ' ']) || (begins && rest.starts_with("operator")) {
                break;
            }
        }
        match rest.as_bytes().first() {
            Some(b'<' | b'{' | b'[' | b'(') => depth += 1,
            Some(b'>' | b'}' | b']' | b')') => depth = depth.saturating_sub(1),
            _ => {}
        }
        at += first;
    }
    if found.last().is_none_or(|last| last + 2 < at) {
        found.push(at);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{ANONYMOUS, scopes_of};

    #[test]
    fn from_the_inside_out() {
        let of = |name: &str| -> Vec<String> {
            scopes_of(name).into_iter().filter(|scope| !scope.ends_with(&format!("::{ANONYMOUS}"))).collect()
        };
        assert_eq!(of("main"), ["main"]);
        assert_eq!(of("a::b::f"), ["a::b::f", "a::b", "a"]);
        assert_eq!(of("a::T<b::U, (c::V)1>::f(d::W)"), ["a::T<b::U, (c::V)1>::f", "a::T<b::U, (c::V)1>", "a"]);
        assert_eq!(of("(anonymous namespace)::f"), ["(anonymous namespace)::f", "(anonymous namespace)"]);
        assert_eq!(of("a::operator<(a::T, a::T)"), ["a"]);
        assert_eq!(of("shop::{impl#0}::total"), ["shop::{impl#0}::total", "shop::{impl#0}", "shop"]);
        assert_eq!(of("f [clone .part.0]"), ["f"]);
        for odd in ["", "::", "<", "(", "operator", "größe::ß", "a::"] {
            assert!(of(odd).len() <= 2, "{odd}");
        }
    }

    #[test]
    fn what_has_no_name_is_looked_into() {
        assert_eq!(scopes_of("a::f")[2..], ["a", "a::(anonymous namespace)"]);
    }
}
