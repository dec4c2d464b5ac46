//! Constructors and conversions that are templates, whose mangled names have no return type (Itanium C++ ABI, section
//! 5.1.5.3): the demangler takes their first parameter for it and leaves that out.

use base::qualified::QualifiedName;

/// Longest name that is looked at, in bytes: it is parsed once for each `E` in it.
const LONGEST: usize = 4096;
/// How a constructor's name is mangled in front of arguments of its template.
const CONSTRUCTORS: [&str; 5] = ["C1I", "C2I", "C3I", "C4I", "C5I"];

/// Returns the mangled name with a return type; `None` if it needs none.
pub(super) fn with_return_type(mangled: &str) -> Option<String> {
    if mangled.len() > LONGEST || !CONSTRUCTORS.iter().any(|of| mangled.contains(of)) {
        return None;
    }
    let rest = mangled.trim_start_matches('_').strip_prefix('Z')?;
    // What is local to a function begins with that.
    let own = rest.trim_start_matches('Z').strip_prefix('N')?;
    let begin = mangled.len() - own.len() - 1;
    // The name of a function without its parameters is one of a variable: the first that is complete.
    let ends = mangled.get(begin..)?.match_indices('E').map(|(at, _)| begin + at + 1);
    let is_whole = |end: &usize| {
        let name = mangled.get(begin..*end).map(|name| format!("_Z{name}"));
        name.is_some_and(|name| cpp_demangle::Symbol::new(name.as_bytes()).is_ok())
    };
    let end = ends.into_iter().find(is_whole)?;
    let name = format!("_Z{}vv", mangled.get(begin..end)?);
    let options = cpp_demangle::DemangleOptions::new().no_return_type().no_params();
    let readable = cpp_demangle::Symbol::new(name.as_bytes()).ok()?.demangle_with_options(&options).ok()?;
    let split = QualifiedName::split(&readable);
    let bare = |text: &str| text.split('<').next().unwrap_or_default().to_owned();
    let is_constructor = match split.components() {
        [.., class, own] => own.text.contains('<') && bare(class.text) == bare(own.text),
        _ => false,
    };
    is_constructor.then(|| format!("{}v{}", &mangled[..end], &mangled[end..]))
}
