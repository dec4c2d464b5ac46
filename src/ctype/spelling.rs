//! Types in C's notation, spelled and spaced as GDB's `whatis` does: `int (*)(char *, ...)`, `const char * const`.

use super::layout::{Dialect, UNDESCRIBED, UNSPECIFIED, strip};
use super::{Count, Link, PointerKind, Qualifier, RecordKind, Type, TypeRef};
use base::qualified::bounded;

/// Levels of declarators (pointers, arrays, functions) in one name.
const MAX_LEVELS: usize = 64;
/// How deep parameter lists may be nested in parameter lists.
const MAX_PARAMETER_DEPTH: usize = 8;
/// Parameters that are spelled out, in all lists together.
const MAX_PARAMETERS: usize = 64;

/// Spells the name of a type.
pub fn type_name(ty: &TypeRef, dialect: Dialect) -> String {
    declaration(ty, "", dialect)
}

/// Spells the declaration of something of a type: `int (*action)(int)`.
pub fn declaration(ty: &TypeRef, name: &str, dialect: Dialect) -> String {
    declare(ty, name, dialect, &mut |base| base_name(base, dialect))
}

/// Spells a declaration with another text for what the declarators are around.
pub(super) fn declare(ty: &TypeRef, name: &str, dialect: Dialect, base: &mut dyn FnMut(&TypeRef) -> String) -> String {
    let mut speller = Speller { dialect, parameters: MAX_PARAMETERS, looks_through: false };
    speller.spell(ty, name.to_owned(), MAX_PARAMETER_DEPTH, base)
}

/// Spells a declaration as [`declare`] does, with what stands behind the names of pointers, arrays and functions.
pub(super) fn declare_unnamed(
    ty: &TypeRef,
    name: &str,
    dialect: Dialect,
    base: &mut dyn FnMut(&TypeRef) -> String,
) -> String {
    let mut speller = Speller { dialect, parameters: MAX_PARAMETERS, looks_through: true };
    speller.spell(ty, name.to_owned(), MAX_PARAMETER_DEPTH, base)
}

struct Speller {
    dialect: Dialect,
    /// How many more parameters may be spelled out.
    parameters: usize,
    /// Whether names of pointers, arrays and functions are replaced by what they stand for.
    looks_through: bool,
}

/// Qualifiers that were met and not yet placed.
#[derive(Default)]
struct Qualifiers([bool; 4]);

impl Qualifiers {
    const WORDS: [&str; 4] = ["_Atomic", "const", "volatile", "restrict"];

    fn add(&mut self, qualifier: Qualifier) {
        let index = match qualifier {
            Qualifier::Atomic => 0,
            Qualifier::Const => 1,
            Qualifier::Volatile => 2,
            Qualifier::Restrict => 3,
            // Stands with the element type.
            Qualifier::Vector => return,
            // It is the structure that is declared so.
            Qualifier::BigEndian => return,
            // It follows from what is qualified.
            Qualifier::Padded(_) => return,
        };
        self.0[index] = true;
    }

    fn take(&mut self) -> Vec<&'static str> {
        let words = Self::WORDS.iter().zip(self.0).filter(|(_, set)| *set).map(|(word, _)| *word).collect();
        self.0 = [false; 4];
        words
    }
}

impl Speller {
    fn spell(
        &mut self,
        ty: &TypeRef,
        mut declarator: String,
        depth: usize,
        base: &mut dyn FnMut(&TypeRef) -> String,
    ) -> String {
        // C's declarators are read from the inside out: walking from the type to what it is made of, each level is put
        // around what is there.
        let mut qualifiers = Qualifiers::default();
        let mut ty = ty.clone();
        for _ in 0..MAX_LEVELS {
            let next = match &*ty {
                Type::Qualified { qualifier: Qualifier::Vector, target } if self.dialect != Dialect::Rust => {
                    let Type::Array { element, count: Count::Known(count), .. } = &*target.get() else {
                        return join(qualifiers.take(), "...", &declarator);
                    };
                    parenthesize(&mut declarator);
                    let space = if declarator.is_empty() { "" } else { " " };
                    declarator.push_str(&format!("{space}__attribute__ ((vector_size({count})))"));
                    element.get()
                }
                Type::Qualified { qualifier, target } => {
                    qualifiers.add(*qualifier);
                    target.get()
                }
                // A pointer that debug info has no name for: one that an expression has made.
                Type::Pointer { target, .. }
                    if self.dialect == Dialect::Rust
                        && !matches!(&*target.get(), Type::Function { .. } | Type::Void) =>
                {
                    let target = match depth.checked_sub(1) {
                        Some(depth) => self.spell(&target.get(), String::new(), depth, base),
                        None => "...".to_owned(),
                    };
                    return join(qualifiers.take(), &format!("*mut {target}"), &declarator);
                }
                Type::Pointer { kind, target, .. } => {
                    declarator = pointer_declarator(*kind, &qualifiers.take(), &declarator);
                    target.get()
                }
                Type::MemberPointer { class, target, .. } => {
                    let class = base_name(&class.get(), Dialect::Cxx);
                    let words = qualifiers.take();
                    declarator = format!("{class}::{}", pointer_declarator(PointerKind::Pointer, &words, &declarator));
                    let target = target.get();
                    if matches!(&*target, Type::Function { .. } | Type::Array { .. }) {
                        declarator = format!("({declarator})");
                    }
                    target
                }
                Type::Array { element, count, .. } if self.dialect == Dialect::Rust => {
                    let element = match depth.checked_sub(1) {
                        Some(depth) => self.spell(&element.get(), String::new(), depth, base),
                        None => "...".to_owned(),
                    };
                    let array = match count {
                        Count::Known(n) => format!("[{element}; {n}]"),
                        Count::Unknown | Count::Dynamic(_) => format!("[{element}]"),
                    };
                    return join(qualifiers.take(), &array, &declarator);
                }
                Type::Array { element, count, .. } => {
                    parenthesize(&mut declarator);
                    match count {
                        Count::Known(n) => declarator.push_str(&format!("[{n}]")),
                        Count::Unknown | Count::Dynamic(_) => declarator.push_str("[]"),
                    }
                    element.get()
                }
                Type::Described { element, rank, .. } => {
                    parenthesize(&mut declarator);
                    declarator.push_str(&"[]".repeat((*rank).min(MAX_LEVELS)));
                    element.get()
                }
                Type::Function { result, .. } if matches!(&*result.get(), Type::Opaque(text) if text == UNDESCRIBED) => {
                    // As GDB spells it, which is no syntax of any language.
                    return join(qualifiers.take(), &format!("<{UNDESCRIBED}>"), &declarator);
                }
                Type::Function { result, parameters, variadic, prototyped } => {
                    parenthesize(&mut declarator);
                    let list = self.parameter_list(parameters, *variadic, *prototyped, depth);
                    declarator.push_str(&list);
                    result.get()
                }
                Type::Typedef { target, .. } if self.looks_through && (has_declarator(&ty) || hides_qualifier(&ty)) => {
                    target.get()
                }
                _ => return join(qualifiers.take(), &base(&ty), &declarator),
            };
            ty = next;
        }
        join(qualifiers.take(), "...", &declarator)
    }

    fn parameter_list(&mut self, parameters: &[Link], variadic: bool, prototyped: bool, depth: usize) -> String {
        let Some(depth) = depth.checked_sub(1) else {
            return "(...)".to_owned();
        };
        let looks_through = std::mem::take(&mut self.looks_through);
        let mut names = Vec::new();
        for parameter in parameters {
            let Some(left) = self.parameters.checked_sub(1) else {
                break;
            };
            self.parameters = left;
            let dialect = self.dialect;
            names.push(self.spell(&parameter.get(), String::new(), depth, &mut |base| base_name(base, dialect)));
        }
        self.looks_through = looks_through;
        if variadic || names.len() < parameters.len() {
            names.push("...".to_owned());
        }
        if names.is_empty() && (prototyped || self.dialect != Dialect::C) {
            names.push("void".to_owned());
        }
        format!("({})", names.join(", "))
    }
}

/// Returns whether a type is one that is written around the name of what is declared.
fn has_declarator(ty: &TypeRef) -> bool {
    matches!(
        &*strip(ty),
        Type::Pointer { .. } | Type::MemberPointer { .. } | Type::Array { .. } | Type::Function { .. }
    )
}

/// Returns whether there is a qualifier behind the names of a type.
fn hides_qualifier(ty: &TypeRef) -> bool {
    let mut ty = ty.clone();
    for _ in 0..MAX_LEVELS {
        let next = match &*ty {
            Type::Typedef { target, .. } => target.get(),
            other => return matches!(other, Type::Qualified { .. }),
        };
        ty = next;
    }
    false
}

fn pointer_declarator(kind: PointerKind, qualifiers: &[&str], inner: &str) -> String {
    let mut text = match kind {
        PointerKind::Pointer => "*",
        PointerKind::Reference => "&",
        PointerKind::RvalueReference => "&&",
    }
    .to_owned();
    for word in qualifiers {
        text.push(' ');
        text.push_str(word);
    }
    if !qualifiers.is_empty() && !inner.is_empty() {
        text.push(' ');
    }
    text + inner
}

/// Adds parentheses: `*` binds less than `[]` and `()`.
fn parenthesize(declarator: &mut String) {
    if declarator.starts_with(['*', '&']) {
        *declarator = format!("({declarator})");
    }
}

pub(super) fn base_name(ty: &Type, dialect: Dialect) -> String {
    let tagged = |keyword: &str, name: &Option<String>| match (name, dialect) {
        (Some(name), Dialect::C) => format!("{keyword} {}", bounded(name)),
        (Some(name), Dialect::Cxx | Dialect::Rust) => bounded(name).into_owned(),
        (None, _) => format!("{keyword} {{...}}"),
    };
    match ty {
        Type::Void => "void".to_owned(),
        Type::Base { name, .. } => canonical_base_name(&bounded(name)).to_owned(),
        Type::Record(record) => match record.kind {
            RecordKind::Struct => tagged("struct", &record.name),
            RecordKind::Union => tagged("union", &record.name),
            // No C program has a class: whoever says so means C++.
            RecordKind::Class => {
                record.name.as_deref().map_or_else(|| "class {...}".to_owned(), |name| bounded(name).into_owned())
            }
        },
        Type::Enumeration(e) => tagged("enum", &e.name),
        Type::Typedef { name, .. } => bounded(name).into_owned(),
        // As GDB, of functions in assembler.
        Type::Opaque(text) if text == UNSPECIFIED => "void".to_owned(),
        Type::Opaque(text) => bounded(text).into_owned(),
        // As GDB names it.
        Type::Indirect => "<text gnu-indirect-function variable, no debug info>".to_owned(),
        Type::Described { .. } => "...".to_owned(),
        Type::Pointer { .. }
        | Type::MemberPointer { .. }
        | Type::Array { .. }
        | Type::Qualified { .. }
        | Type::Function { .. } => "...".to_owned(),
    }
}

/// Returns the name as people write it: compilers write `long unsigned int` into debug info; people, and GDB, write
/// `unsigned long`.
pub fn canonical_base_name(name: &str) -> &str {
    match name {
        "long int" => "long",
        "long unsigned int" => "unsigned long",
        "long long int" => "long long",
        "long long unsigned int" => "unsigned long long",
        "short int" => "short",
        "short unsigned int" => "unsigned short",
        _ => name,
    }
}

fn join(qualifiers: Vec<&str>, base: &str, declarator: &str) -> String {
    let mut words = qualifiers;
    words.push(base);
    if !declarator.is_empty() {
        words.push(declarator);
    }
    words.join(" ")
}
