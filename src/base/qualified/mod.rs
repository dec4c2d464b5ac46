//! Qualified names of C++ and Rust, as debug info, demanglers and people write them: `a::b<c::D>::f(int) const`,
//! `(anonymous namespace)::S::operator()`, `<a::T as b::Trait>::f`, `a::f::{closure#0}`.
//!
//! Layer 0. One scanner finds the components of a name, and whatever is asked of a name is an answer of it. It cuts
//! where GDB cuts: at each `::` outside of brackets, where the signs of an operator are none.

mod bounded;
mod in_file;
mod integer_types;
mod meant;
mod near;
mod scanner;
mod spelling;

pub use bounded::{bounded, bounded_in_line};
pub use in_file::{file_and_name, is_file, name_in_file};
pub use integer_types::integer_spellings;
pub use meant::{question, question_about};
pub use near::{near, nearest};
use scanner::Scanner;
pub use spelling::{canonical_name, same_name, same_types};
use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

/// What stands for a namespace without a name.
pub const ANONYMOUS_NAMESPACE: &str = "(anonymous namespace)";

/// A name, cut into its components. Any text is a name; its components, joined with `::`, are that text again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QualifiedName<'n> {
    text: &'n str,
    /// It starts with `::`: nothing may be around the first component.
    pub is_absolute: bool,
    /// At least one, though it may be empty; outermost first.
    components: Vec<Component<'n>>,
}

/// What stands between two `::` of a name: `f<int>(int) const`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Component<'n> {
    /// All of it.
    pub text: &'n str,
    /// Where it ends in the whole name.
    end: usize,
    /// Where its name ends: before its parameters, or before a demangler's ` [clone .cold]`.
    name_end: usize,
    /// Where the arguments of a template begin, or ABI tags in front of them.
    arguments: Option<usize>,
    /// Between the parentheses of its parameter list.
    parameters: Option<Range<usize>>,
}

impl<'n> QualifiedName<'n> {
    /// Splits a name.
    pub fn split(text: &'n str) -> Self {
        let is_absolute = text.starts_with("::");
        let components = Scanner::new(text, if is_absolute { 2 } else { 0 }).collect();
        Self { text, is_absolute, components }
    }

    /// Returns all of its components, outermost first.
    pub fn components(&self) -> &[Component<'n>] {
        &self.components
    }

    /// Returns its last component: the name itself.
    pub fn last(&self) -> Option<&Component<'n>> {
        self.components.last()
    }

    /// Returns what is around the last component, outermost first.
    pub fn scopes(&self) -> &[Component<'n>] {
        self.components.split_last().map(|(_, scopes)| scopes).unwrap_or_default()
    }

    /// Returns the text without the parameters of the last component, and without what is behind them.
    pub fn path(&self) -> &'n str {
        let behind = self.last().map_or(0, |last| last.text.len() - last.name_end);
        self.text.get(..self.text.len() - behind).unwrap_or(self.text)
    }

    /// Returns the text of the scopes around the last component; `None` if there are none.
    pub fn scope(&self) -> Option<&'n str> {
        self.text.get(..self.scopes().last()?.end)
    }

    /// Returns the text up to the end of each component but the last, outermost first; as [`Self::path`] for that.
    pub fn prefixes(&self) -> impl DoubleEndedIterator<Item = &'n str> + '_ {
        let scopes = self.scopes().iter().filter_map(|scope| self.text.get(..scope.end));
        scopes.chain([self.path()])
    }

    /// Returns whether it is that of a class's constructor: `Class::Class`, `Class<int>::Class(int)`.
    pub fn is_constructor(&self) -> bool {
        let [.., class, own] = &*self.components else { return false };
        !own.bare().is_empty() && class.bare() == own.bare()
    }

    /// Returns whether the components of a path are its last ones, written the same.
    pub fn ends_with(&self, path: &str) -> bool {
        let path = QualifiedName::split(path);
        let (tail, all) = (path.components.iter(), self.components.iter());
        (!path.is_absolute || tail.len() == all.len())
            && tail.len() <= all.len()
            && tail.rev().zip(all.rev()).all(|(a, b)| a.text == b.text)
    }
}

impl fmt::Display for QualifiedName<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, component) in self.components.iter().enumerate() {
            f.write_str(if number > 0 || self.is_absolute { "::" } else { "" })?;
            f.write_str(component.text)?;
        }
        Ok(())
    }
}

impl<'n> Component<'n> {
    /// Returns its name, with the arguments of a template, without parameters: `f<int>`, `operator()`.
    pub fn name(&self) -> &'n str {
        self.text.get(..self.name_end).unwrap_or(self.text)
    }

    /// Returns its name without the arguments of a template, and without ABI tags: `f`, `operator<`.
    pub fn bare(&self) -> &'n str {
        let Some(name) = self.arguments.and_then(|at| self.text.get(..at)) else { return self.name() };
        // `operator< <int>` of compilers, `f::<u8>` of Rust.
        name.strip_suffix("::").unwrap_or(name).trim_end()
    }

    /// Returns what is between the parentheses of its parameter list, if it has one.
    pub fn parameters(&self) -> Option<&'n str> {
        self.text.get(self.parameters.clone()?)
    }

    /// Returns what is behind its parameter list: ` const`, ` [clone .cold]`.
    pub fn behind(&self) -> &'n str {
        let end = self.parameters.as_ref().map_or(self.name_end, |list| list.end + 1);
        self.text.get(end..).unwrap_or_default()
    }
}

/// Returns the last component of a name, without parameters: `f<int>` of `a::f<int>(int)`.
pub fn last(name: &str) -> &str {
    Scanner::new(name, 0).last().map_or(name, |last| last.name())
}

/// Returns the last component of a name, without parameters and arguments: `f` of `a::f<int>(int)`.
pub fn bare_last(name: &str) -> &str {
    Scanner::new(name, 0).last().map_or(name, |last| last.bare())
}

/// Returns one component without the arguments of a template, and without ABI tags: `f` of `f<a::b>`.
pub fn bare(component: &str) -> &str {
    // Nearly all are plain, and an index has millions of them.
    let plain = component.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count();
    match component.split_at_checked(plain) {
        Some((_, "")) => component,
        Some((name, rest)) if rest.starts_with('<') && !matches!(name, "" | "operator") => name,
        _ => bare_path(component),
    }
}

/// Returns a name without the arguments of its last component's template, and without parameters: `a<b>::f` of
/// `a<b>::f<int>(int)`.
pub fn bare_path(name: &str) -> &str {
    let end = |last: Component<'_>| last.end - last.text.len() + last.bare().len();
    Scanner::new(name, 0).last().map_or(name, |last| name.get(..end(last)).unwrap_or(name))
}

/// Returns whether a path is the end of a name, as far as that is written out: `b::C` of `a::b::C`.
pub fn ends_with(name: &str, path: &str) -> bool {
    QualifiedName::split(name).ends_with(path)
}

/// Returns the name of a template and its arguments, cut at the commas between them: `t`, and `int` and `a<b, c>`, of
/// `t<int, a<b, c> >`.
pub fn template_arguments(name: &str) -> Option<(&str, Vec<&str>)> {
    let last = Scanner::new(name, 0).last()?;
    let inside = last.text.get(last.arguments? + 1..)?.strip_suffix('>')?;
    Some((bare_path(name), list(inside)?))
}

/// Returns `operator""_km` for `operator"" _km` and `operator ""_km`, which mean the same.
pub fn with_plain_literal(name: &str) -> Cow<'_, str> {
    match name.split_once("\"\"") {
        Some((before, behind)) if before.trim_end().ends_with("operator") => {
            Cow::Owned(format!("{}\"\"{}", before.trim_end(), behind.trim_start()))
        }
        _ => Cow::Borrowed(name),
    }
}

/// Returns what stands between the commas of a list, outside of brackets; none of an empty one. `None` if a bracket is
/// closed that is not open.
pub fn list(inside: &str) -> Option<Vec<&str>> {
    let commas = scanner::commas(inside)?;
    let starts = [0].into_iter().chain(commas.iter().map(|at| at + 1));
    let ends = commas.iter().copied().chain([inside.len()]);
    let parts: Vec<&str> = starts.zip(ends).filter_map(|(start, end)| Some(inside.get(start..end)?.trim())).collect();
    Some(if parts == [""] { Vec::new() } else { parts })
}

#[cfg(test)]
mod tests;
