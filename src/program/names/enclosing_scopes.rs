//! The scopes around a function, in which a name is looked for before it is looked for everywhere: in `a::b::f` the
//! name `x` means `a::b::x` or `a::x` rather than a global `x`.

use arch::LinkAddr;
use base::qualified::{ANONYMOUS_NAMESPACE, Component, QualifiedName, bare};
use dwarf::Image;
use std::sync::Arc;

/// Named scopes that are looked into, the innermost ones.
const MAX_SCOPES: usize = 16;

/// Returns the scopes in which names are looked for in the code of a function, the innermost first. C has none; the
/// modules of Fortran are some.
pub fn scopes_around(image: &Image, at: LinkAddr, level: usize) -> Arc<[String]> {
    let language = image.language_at(at);
    if !matches!(language, Some("c++" | "rust" | "fortran")) {
        return Arc::default();
    }
    let chain = image.inline_chain(at);
    let Some(function) = chain.get(level) else { return Arc::default() };
    let mut shown = scopes_of(&function.name);
    if language == Some("c++") {
        // GCC says of lambdas and of classes without a name only what function they are in.
        if let Some((die, outer)) = function.die.and_then(|die| Some((die, image.function_around_class(die)?))) {
            let around = scopes_of(&outer);
            // Of an inlined method of a class of a function it says just the class, and not that.
            let is_bare = around.first().is_some_and(|outer| !shown.contains(outer));
            let path = image.path_of(die).filter(|path| is_bare && path.ends_with(&format!("::{}", function.name)));
            if let Some(path) = path {
                shown = scopes_of(&path);
            }
            let missing: Vec<String> = around.into_iter().filter(|scope| !shown.contains(scope)).collect();
            shown.extend(missing);
        }
        let inline = function.die.and_then(|die| image.unit_of(die)).map(|unit| image.inline_namespaces(unit));
        return with_inline(shown, &inline.unwrap_or_default()).into();
    }
    // What a method of Rust declares is in `{impl#0}`, and no linkage name has that.
    let path = function.die.and_then(|die| image.path_of(die)).unwrap_or_default();
    let path: Vec<&str> = QualifiedName::split(&path).components().iter().map(|part| bare(part.text)).collect();
    let path = scopes_of(&path.join("::"));
    let mut scopes = shown;
    scopes.retain(|scope| !path.contains(scope));
    scopes.extend(path);
    scopes.into()
}

/// Adds inline namespaces to scopes: behind each, those that are in it, and at last those that are in no other.
fn with_inline(scopes: Vec<String>, inline: &[String]) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    let add = |scope: &str, all: &mut Vec<String>| {
        if !all.iter().any(|known| known == scope) {
            all.push(scope.to_owned());
        }
    };
    for scope in &scopes {
        add(scope, &mut all);
        for inside in inline.iter().filter(|one| is_reached(one, scope, inline)) {
            add(inside, &mut all);
        }
    }
    for one in inline.iter().filter(|one| is_reached(one, "", inline)) {
        add(one, &mut all);
    }
    all
}

/// Returns whether what is in a namespace is in a scope around it, too, as all between them are inline.
fn is_reached(namespace: &str, scope: &str, inline: &[String]) -> bool {
    let mut around = QualifiedName::split(namespace).scope().map(str::to_owned).unwrap_or_default();
    for _ in 0..MAX_SCOPES {
        if around == scope {
            return true;
        }
        if !inline.contains(&around) {
            return false;
        }
        around = QualifiedName::split(&around).scope().map(str::to_owned).unwrap_or_default();
    }
    false
}

/// Returns the scopes around the code of a function, innermost first: itself, its class, namespaces or modules, and
/// what these hold without a name.
fn scopes_of(function: &str) -> Vec<String> {
    let components = QualifiedName::split(function);
    // As debug info has them: without the parameters of the functions that lambdas are in.
    let names: Vec<&str> = components.components().iter().map(Component::name).collect();
    let mut scopes = Vec::new();
    for count in (1..=names.len()).rev().take(MAX_SCOPES) {
        let scope = names.get(..count).unwrap_or_default().join("::");
        if scope.is_empty() {
            continue;
        }
        let inside = format!("{scope}::{ANONYMOUS_NAMESPACE}");
        let is_anonymous = scope.ends_with(ANONYMOUS_NAMESPACE);
        scopes.push(scope);
        scopes.extend((!is_anonymous).then_some(inside));
    }
    scopes
}

#[cfg(test)]
mod tests {
    use super::{ANONYMOUS_NAMESPACE, scopes_of};

    #[test]
    fn from_the_inside_out() {
        let of = |name: &str| -> Vec<String> {
            scopes_of(name).into_iter().filter(|scope| !scope.ends_with(&format!("::{ANONYMOUS_NAMESPACE}"))).collect()
        };
        assert_eq!(of("main"), ["main"]);
        assert_eq!(of("a::b::f"), ["a::b::f", "a::b", "a"]);
        assert_eq!(of("a::T<b::U, (c::V)1>::f(d::W)"), ["a::T<b::U, (c::V)1>::f", "a::T<b::U, (c::V)1>", "a"]);
        assert_eq!(of("(anonymous namespace)::f"), ["(anonymous namespace)::f", "(anonymous namespace)"]);
        assert_eq!(of("a::operator<(a::T, a::T)"), ["a::operator<", "a"]);
        assert_eq!(of("a::f(int)::{lambda()#1}::operator()() const"), {
            ["a::f::{lambda()#1}::operator()", "a::f::{lambda()#1}", "a::f", "a"]
        });
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
