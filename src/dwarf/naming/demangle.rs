//! Linker names as people read them.

use super::template_constructor::with_return_type;
use base::qualified::QualifiedName;
use std::fmt::{self, Write as _};

/// Longer names are not demangled: their readable form would help nobody.
const MAX_MANGLED: usize = 1 << 14;
/// Most bytes of a readable form: a short name may refer to its parts so that each of them doubles it.
const MAX_READABLE: usize = 1 << 16;

/// Text that does not become longer than [`MAX_READABLE`]: writing more fails, and so ends the demangling.
struct Bounded(String);

impl fmt::Write for Bounded {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        if self.0.len() + text.len() > MAX_READABLE {
            return Err(fmt::Error);
        }
        self.0.push_str(text);
        Ok(())
    }
}

/// Demangles a C++ or Rust name: `ns::f(int)`, `krate::module::function`; `None` if it is neither.
///
/// Rust names come without the hash that only tells versions of a crate apart.
pub(crate) fn demangle(name: &str) -> Option<String> {
    if name.len() > MAX_MANGLED {
        return None;
    }
    // Legacy Rust names are well-formed C++ names, too, and end in a hash that tells them apart.
    if (name.starts_with("_R") || has_hash(name))
        && let Ok(rust) = rustc_demangle::try_demangle(name)
    {
        let mut readable = Bounded(String::new());
        return write!(readable, "{rust:#}").ok().map(|()| inherent(readable.0));
    }
    if !name.starts_with("_Z") && !name.starts_with("__Z") {
        return None;
    }
    let typed = with_return_type(name);
    let symbol = cpp_demangle::Symbol::new(typed.as_deref().unwrap_or(name)).ok()?;
    // Only the names of templates have a return type: it is no part of what people call them.
    let options = cpp_demangle::DemangleOptions::new().no_return_type();
    let mut readable = Bounded(String::new());
    symbol.structured_demangle(&mut readable, &options).ok()?;
    let linkage = name;
    let name = readable.0;
    let thunk = || thunk(linkage, &name);
    Some(with_literals(with_suffixes(without_empty_packs(thunk().or_else(|| special(&name)).unwrap_or(name)))))
}

/// Returns `operator""_km(unsigned long long)` for `operator_km::operator ""(unsigned long long)`: what makes something
/// of a literal is called as in the source, and in debug info.
fn with_literals(name: String) -> String {
    const BEHIND: &str = "::operator \"\"";
    let mut out = String::new();
    let mut rest = name.as_str();
    while let Some((before, behind)) = rest.split_once(BEHIND) {
        let start = before.rfind(|c: char| !c.is_alphanumeric() && c != '_').map_or(0, |at| at + 1);
        let is_char = |at: &usize| before.is_char_boundary(*at);
        let start = (start..=before.len()).find(is_char).unwrap_or(before.len());
        let (scope, own) = before.split_at(start);
        match own.strip_prefix("operator") {
            Some(suffix) => out.extend([scope, "operator\"\"", suffix]),
            None => out.extend([before, BEHIND]),
        }
        rest = behind;
    }
    out + rest
}

/// Returns whether a name has what legacy Rust names end in: `17h`, and 16 hexadecimal digits.
fn has_hash(name: &str) -> bool {
    let behind = name.rfind("17h").and_then(|at| name.as_bytes().get(at + 3..at + 19));
    behind.is_some_and(|hash| hash.iter().all(u8::is_ascii_hexdigit))
}

/// Returns `krate::Type::method` for `<krate::Type>::method`, which Rust's newer mangling (RFC 2603) makes of it: the
/// older one, and people, put brackets around a type only if it says for which trait.
fn inherent(name: String) -> String {
    let within = || {
        let bracketed = QualifiedName::split(&name).components().first()?.text;
        let ty = bracketed.strip_prefix('<')?.strip_suffix('>')?;
        let path = ty.split('<').next().filter(|path| path.contains("::"))?;
        let is_path = path.chars().all(|c| c.is_alphanumeric() || "_:".contains(c));
        (is_path && !ty.contains(" as ")).then(|| format!("{ty}{}", &name[bracketed.len()..]))
    };
    within().unwrap_or(name)
}

/// Returns `f<int>(int)` for `f<int, >(int, )`: an empty pack of arguments is nothing.
fn without_empty_packs(name: String) -> String {
    let mut out = String::new();
    let mut rest = name.as_str();
    while let Some(at) = rest.find([',', '<', '(']) {
        let (before, found) = rest.split_at(at);
        out += before;
        let is_operator = out.ends_with("operator") || out.ends_with("operator<");
        let starts = |packs: &[&str]| !is_operator && packs.iter().any(|pack| found.starts_with(pack));
        if starts(&[", >", ", )", ", ,"]) {
            // Two brackets have a space between them.
            out += if found.starts_with(", >") && out.ends_with('>') { " " } else { "" };
            rest = &found[2..];
        } else {
            out += &found[..1];
            rest = if starts(&["<, ", "(, "]) { &found[3..] } else { &found[1..] };
        }
    }
    out + rest
}

/// Returns `ratio<1l, 10ul>` for `ratio<(long)1, (unsigned long)10>`: constants as arguments of templates, as every
/// other tool has them.
fn with_suffixes(name: String) -> String {
    /// Of types that constants have suffixes for, besides `int` and `bool`.
    const SUFFIXES: [(&str, &str); 5] = [
        ("unsigned int)", "u"),
        ("long)", "l"),
        ("unsigned long)", "ul"),
        ("long long)", "ll"),
        ("unsigned long long)", "ull"),
    ];
    let mut out = String::new();
    let mut rest = name.as_str();
    while let Some((before, cast)) = rest.split_once('(') {
        out += before;
        let constant = |(ty, suffix): &(&str, &'static str)| {
            let value = cast.strip_prefix(ty)?;
            let digits = value.strip_prefix('-').unwrap_or(value).bytes().take_while(u8::is_ascii_digit).count();
            let end = digits + usize::from(value.starts_with('-'));
            // A function's parameters are followed by no number.
            (digits > 0).then(|| (&value[..end], *suffix, &value[end..]))
        };
        if let Some((number, suffix, behind)) = SUFFIXES.iter().find_map(constant) {
            out += number;
            out += suffix;
            rest = behind;
        } else {
            out.push('(');
            rest = cast;
        }
    }
    out + rest
}

/// Returns the readable form of what `std::type_info::name` gives: `std::runtime_error` for `St13runtime_error`.
pub fn type_name(mangled: &str) -> Option<String> {
    demangle(&format!("_ZTS{mangled}"))?.strip_prefix("typeinfo name for ").map(str::to_owned)
}

/// Names what the compiler makes for a class, in the words of every other tool: `vtable for ns::Class` rather than
/// `{vtable(ns::Class)}`, and of a base class's table while a derived one is constructed, the base class first.
fn special(name: &str) -> Option<String> {
    if let Some(classes) = name.strip_prefix("construction vtable for ") {
        let (derived, base) = classes.split_once("-in-")?;
        return Some(format!("construction vtable for {base}-in-{derived}"));
    }
    let (kind, of) = name.strip_prefix('{')?.strip_suffix(")}")?.split_once('(')?;
    let words = match kind {
        "vtable" => "vtable for",
        "vtt" => "VTT for",
        "typeinfo" => "typeinfo for",
        "typeinfo name" => "typeinfo name for",
        _ => return None,
    };
    Some(format!("{words} {of}"))
}

/// Returns `non-virtual thunk to D::f()` for a function that corrects `this` and goes on in another one (Itanium C++ ABI,
/// section 5.1.4.3).
fn thunk(linkage: &str, name: &str) -> Option<String> {
    let kind = match linkage.trim_start_matches('_').get(..3)? {
        "ZTh" => "non-virtual thunk to",
        "ZTv" => "virtual thunk to",
        "ZTc" => "covariant return thunk to",
        _ => return None,
    };
    let mut to = name.strip_prefix("{virtual override thunk(")?.strip_suffix(")}")?;
    while to.starts_with('{') {
        to = to.split_once("}, ")?.1;
    }
    Some(format!("{kind} {to}"))
}

#[cfg(test)]
mod tests {
    use super::{demangle, inherent, type_name};

    #[test]
    fn a_name_that_doubles_itself_has_no_readable_form() {
        // Each pair is of the pair before, twice: 2^60 names in 729 bytes.
        let digits = |number: usize| {
            let digit = |value: usize| char::from(b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[value]);
            match number {
                0..36 => digit(number).to_string(),
                _ => [digit(number / 36), digit(number % 36)].iter().collect(),
            }
        };
        let pairs: String = (0..60).map(|n| format!("S0_IS{0}_S{0}_E", digits(n + 1))).collect();
        let bomb = format!("_Z1f1ASt4pairIS_S_E{pairs}");
        let start = std::time::Instant::now();
        assert_eq!(demangle(&bomb), None);
        assert!(start.elapsed() < std::time::Duration::from_secs(5), "{:?}", start.elapsed());
        // Less of it has one.
        assert_eq!(demangle("_Z1f1ASt4pairIS_S_E").as_deref(), Some("f(A, std::pair<A, A>)"));
    }

    #[test]
    fn thunks_are_called_as_elsewhere() {
        for (linkage, readable) in [
            ("_ZThn16_N1D1qEi", "non-virtual thunk to D::q(int)"),
            ("_ZTv0_n24_N1D1fEv", "virtual thunk to D::f()"),
            ("_ZTchn8_h16_N1D1gEv", "covariant return thunk to D::g()"),
            ("_ZTcv0_n24_h16_N1D1gEv", "covariant return thunk to D::g()"),
        ] {
            assert_eq!(demangle(linkage).as_deref(), Some(readable));
        }
    }

    #[test]
    fn names_of_types() {
        for (mangled, name) in [
            ("i", "int"),
            ("PKc", "char const*"),
            ("St13runtime_error", "std::runtime_error"),
            ("N2ns4OopsE", "ns::Oops"),
        ] {
            assert_eq!(type_name(mangled).as_deref(), Some(name));
        }
        assert_eq!(type_name(""), None);
        assert_eq!(type_name("Q"), None);
    }

    #[test]
    fn names_are_what_people_call_the_function() {
        for (mangled, name) in [
            ("_ZN4shop5priceEd", "shop::price(double)"),
            ("_ZN4shop7largestIiEET_S1_S1_", "shop::largest<int>(int, int)"),
            ("_Z1fSt5ratioILl1ELl1000EES_ILl1ELln5EE", "f(std::ratio<1l, 1000l>, std::ratio<1l, -5l>)"),
            ("_ZN3BoxILm10EE3getEv", "Box<10ul>::get()"),
            ("_ZN3BoxILi10ELb1EE3getEl", "Box<10, true>::get(long)"),
            ("_Z2pkIiJEEiDpT0_", "pk<int>()"),
            ("_Z2pkIiJEEiT_DpT0_", "pk<int>(int)"),
            ("_Z2pkISt5tupleIJiEEJEEiDpT0_", "pk<std::tuple<int> >()"),
            ("_ZN2PkIiJEE1gEv", "Pk<int>::g()"),
            ("_Z2p2IJiEEvv", "p2<int>()"),
            ("_Z3pk0IJEEiv", "pk0<>()"),
            ("_ZltRK1AS1_", "operator<(A const&, A const&)"),
            ("_ZN12_GLOBAL__N_15countE", "(anonymous namespace)::count"),
            ("_RNvCskwGfYPst2Cb_3foo16example_function", "foo::example_function"),
            ("_ZN1OC2I1REEPT_i", "O::O<R>(R*, int)"),
            ("_ZN1OC4I1REET_", "O::O<R>(R)"),
            ("_ZN3BoxIiEC1IdEERKS_IT_E", "Box<int>::Box<double>(Box<double> const&)"),
            ("_ZN1OC2Ei", "O::O(int)"),
            ("_ZZN1OC4I1REEPT_iENKUlvE_clEv", "O::O<R>(R*, int)::{lambda()#1}::operator()() const"),
            ("_ZTVN2ns5ClassE", "vtable for ns::Class"),
            ("_Zli3_kmy", "operator\"\"_km(unsigned long long)"),
            ("_ZN2nsli1sEPKcm", "ns::operator\"\"s(char const*, unsigned long)"),
            ("_Zli3_kmIJLc52EEElv", "operator\"\"_km<(char)52>()"),
            ("_ZTI1A", "typeinfo for A"),
            ("_ZTS1A", "typeinfo name for A"),
            ("_ZTT1A", "VTT for A"),
            ("_ZTC7Diamond0_2V1", "construction vtable for V1-in-Diamond"),
        ] {
            assert_eq!(demangle(mangled).as_deref(), Some(name));
        }
        assert_eq!(demangle("main"), None);
        for (bracketed, plain) in [
            ("<a::Square>::doubled", "a::Square::doubled"),
            ("<a::Pair<b::Of<u8>>>::swap::<c::D>", "a::Pair<b::Of<u8>>::swap::<c::D>"),
            ("<a::F<fn(u8) -> u8>>::call", "a::F<fn(u8) -> u8>::call"),
        ] {
            assert_eq!(inherent(bracketed.to_owned()), plain);
        }
        for other in
            ["<a::Square as b::Area>::area", "<u32>::pow", "<[a::B]>::len", "<dyn a::B>::is", "a::f::<b::C>", "<a::B"]
        {
            assert_eq!(inherent(other.to_owned()), other);
        }
    }
}
