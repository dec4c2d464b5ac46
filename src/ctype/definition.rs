//! Types with what they are made of, as GDB's `ptype` shows them.

mod class;
mod offsets;

use super::layout::{Dialect, strip};
use super::spelling::{base_name, canonical_base_name, declaration, declare, declare_unnamed};
use super::{Enumeration, Record, Type, TypeRef, type_name};
pub use offsets::is_record;
use std::fmt::Write;

/// Members and enumerators that are listed, in all; what comes after is `...`.
const MAX_LISTED: usize = 5000;
/// Typedefs of typedefs that are looked through.
const MAX_TYPEDEFS: usize = 64;
/// Columns by which members are indented.
const INDENT: usize = 4;

/// What is listed of a class besides its data: all, unless GDB's `ptype/mt` leaves it out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contents {
    /// Member functions.
    pub methods: bool,
    /// Types that are given a name in it.
    pub typedefs: bool,
    /// Where the members are, how large they are, and what is between them: GDB's `ptype/o`.
    pub offsets: bool,
}

/// Writes the definition of a type: a structure, union or enumeration with its members, whatever pointers, arrays and
/// functions are around it; any other type by its name, without typedefs.
pub fn definition(ty: &TypeRef, dialect: Dialect, listed: Contents) -> String {
    let mut listing = Listing { dialect, listed, left: MAX_LISTED, begins: 0, depth: 0 };
    listing.declare(&unnamed(ty), "", Detail::Members, 0)
}

/// Returns the type that stands behind typedefs, with the qualifiers that are outside of them.
fn unnamed(ty: &TypeRef) -> TypeRef {
    let mut behind = ty.clone();
    for _ in 0..MAX_TYPEDEFS {
        let next = match &*behind {
            Type::Typedef { target, .. } => target.get(),
            _ => return behind,
        };
        behind = next;
    }
    strip(ty)
}

/// How much of a type is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Detail {
    /// The members of everything.
    Members,
    /// The members of what has no name.
    Unnamed,
    /// Names only.
    Names,
}

impl Detail {
    fn inside(self) -> Self {
        match self {
            Self::Members => Self::Unnamed,
            Self::Unnamed | Self::Names => Self::Names,
        }
    }

    fn lists(self, named: bool) -> bool {
        self == Self::Members || (self == Self::Unnamed && !named)
    }
}

struct Listing {
    dialect: Dialect,
    listed: Contents,
    /// How many more members may be listed.
    left: usize,
    /// Where the record begins that is listed, in bits from the start of the outermost.
    begins: u64,
    /// How many records are around it that are listed.
    depth: usize,
}

impl Listing {
    fn declare(&mut self, ty: &TypeRef, name: &str, detail: Detail, indent: usize) -> String {
        let dialect = self.dialect;
        let declare = if detail == Detail::Members { declare_unnamed } else { declare };
        declare(ty, name, dialect, &mut |base| self.base(base, detail, indent))
    }

    fn base(&mut self, ty: &TypeRef, detail: Detail, indent: usize) -> String {
        match &**ty {
            Type::Typedef { .. } if detail == Detail::Members => {
                let behind = strip(ty);
                match &*behind {
                    Type::Record(_) | Type::Enumeration(_) => self.base(&behind, detail, indent),
                    _ => type_name(&unnamed(ty), self.dialect),
                }
            }
            Type::Record(record) if detail.lists(record.name.is_some()) => self.record(ty, record, detail, indent),
            Type::Enumeration(e) if detail.lists(e.name.is_some()) => self.enumeration(ty, e),
            _ => base_name(ty, self.dialect),
        }
    }

    /// Returns `struct name`, or the keyword alone. In a definition C++ says what it is, too.
    fn head(ty: &TypeRef, named: bool) -> String {
        let spelled = match &**ty {
            Type::Record(record) if record.kind == super::RecordKind::Class => {
                format!("class {}", record.name.as_deref().unwrap_or_default())
            }
            _ => base_name(ty, Dialect::C),
        };
        match named {
            true => spelled,
            false => spelled.split_whitespace().next().unwrap_or_default().to_owned(),
        }
    }

    fn record(&mut self, ty: &TypeRef, record: &Record, detail: Detail, indent: usize) -> String {
        if self.dialect == Dialect::Rust {
            return self.rust(record, indent);
        }
        self.class(Self::head(ty, record.name.is_some()), record, detail, indent)
    }

    /// Writes fields, or variants with theirs, as Rust declares them.
    fn rust(&mut self, record: &Record, indent: usize) -> String {
        let keyword = if record.variants.is_some() { "enum" } else { "struct" };
        let mut text = format!("{keyword} {} {{\n", record.name.as_deref().unwrap_or_default());
        let inner = " ".repeat(indent + INDENT);
        let field = |m: &super::Member| {
            format!("{}: {}", m.name.as_deref().unwrap_or_default(), type_name(&m.ty.get(), Dialect::Rust))
        };
        for member in &record.members {
            let Some(left) = self.left.checked_sub(1) else { break };
            self.left = left;
            let _ = writeln!(text, "{inner}{},", field(member));
        }
        for variant in record.variants.iter().flat_map(|v| &v.list) {
            let Some(left) = self.left.checked_sub(1) else { break };
            self.left = left;
            let name = variant.member.name.as_deref().unwrap_or_default();
            let fields: Vec<String> = match &*strip(&variant.member.ty.get()) {
                Type::Record(held) => held.members.iter().take(left).map(field).collect(),
                _ => Vec::new(),
            };
            let held = if fields.is_empty() { String::new() } else { format!(" {{ {} }}", fields.join(", ")) };
            let _ = writeln!(text, "{inner}{name}{held},");
        }
        let _ = write!(text, "{}}}", " ".repeat(indent));
        text
    }

    fn enumeration(&mut self, ty: &TypeRef, e: &Enumeration) -> String {
        let mut listed = Vec::new();
        let mut next = 0;
        for (name, value) in &e.enumerators {
            let Some(left) = self.left.checked_sub(1) else {
                listed.push("...".to_owned());
                break;
            };
            self.left = left;
            let name = format!("{}{name}", e.scope);
            listed.push(if *value == next { name } else { format!("{name} = {value}") });
            next = value.wrapping_add(1);
        }
        let head = Self::head(ty, e.name.is_some());
        let head = if e.is_class { head.replacen("enum", "enum class", 1) } else { head };
        // Whether the program says so cannot be known; GDB shows it in C++, where it can.
        let base = e.base.as_ref().filter(|_| self.dialect == Dialect::Cxx);
        let base = base.map(|base| format!(": {} ", canonical_base_name(base))).unwrap_or_default();
        format!("{head} {base}{{{}}}", listed.join(", "))
    }
}

/// Returns what `whatis` says of a type that was named: with one level of typedef taken off.
pub fn unrolled(ty: &TypeRef, dialect: Dialect) -> String {
    match &**ty {
        Type::Typedef { target, .. } => declaration(&target.get(), "", dialect),
        _ => type_name(ty, dialect),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::{array_of, pointer_to, qualified};
    use crate::{Bits, Encoding, Link, Member, Qualifier, RecordKind};
    use std::sync::Arc;

    const ALL: Contents = Contents { methods: true, typedefs: true, offsets: false };

    fn int() -> TypeRef {
        Arc::new(Type::Base { name: "int".to_owned(), encoding: Encoding::Signed, size: 4 })
    }

    fn member(name: Option<&str>, ty: TypeRef) -> Member {
        Member::new(name, ty, 0)
    }

    fn record(kind: RecordKind, name: Option<&str>, members: Vec<Member>) -> TypeRef {
        let name = name.map(str::to_owned);
        Arc::new(Type::Record(Record { kind, name, size: Some(4), members, ..Record::default() }))
    }

    fn typedef(name: &str, target: TypeRef) -> TypeRef {
        Arc::new(Type::Typedef { name: name.to_owned(), target: Link::ready(target), alignment: None })
    }

    /// Debug info may have a structure in itself, which is the same without an end.
    #[test]
    fn records_within_records_are_listed_to_a_depth() {
        let mut deep = int();
        for _ in 0..2000 {
            deep = record(RecordKind::Struct, Some("deep"), vec![member(Some("inside"), deep)]);
        }
        let listed = definition(&deep, Dialect::C, Contents { offsets: true, ..ALL });
        assert_eq!(listed.matches("total size").count(), 17, "{listed}");
    }

    /// As GDB 13 shows them.
    #[test]
    fn members_are_listed_as_gdb_lists_them() {
        let pair = record(RecordKind::Struct, None, vec![member(Some("first"), int()), member(Some("second"), int())]);
        let union = record(RecordKind::Union, None, vec![member(Some("as_int"), int()), member(None, pair)]);
        let point = typedef("point", record(RecordKind::Struct, Some("point"), vec![member(Some("x"), int())]));
        let mut low = member(Some("low"), int());
        low.bits = Some(Bits::new(0, 3));
        let action = Arc::new(Type::Function {
            result: Link::ready(int()),
            parameters: vec![Link::ready(int())],
            variadic: false,
            prototyped: true,
        });
        let outer = record(
            RecordKind::Struct,
            Some("outer"),
            vec![
                low,
                member(None, union),
                member(Some("where"), point.clone()),
                member(Some("self"), pointer_to(point.clone(), 8)),
                member(Some("action"), pointer_to(action, 8)),
                member(Some("table"), array_of(array_of(int(), 3), 2)),
            ],
        );
        let text = "struct outer {
    int low : 3;
    union {
        int as_int;
        struct {...};
    };
    point where;
    point *self;
    int (*action)(int);
    int table[2][3];
}";
        assert_eq!(definition(&outer, Dialect::C, ALL), text);
        assert_eq!(definition(&typedef("t", outer.clone()), Dialect::C, ALL), text);
        assert_eq!(definition(&pointer_to(outer, 8), Dialect::C, ALL), format!("{text} *"));
        assert_eq!(definition(&pointer_to(point, 8), Dialect::C, ALL), "struct point {\n    int x;\n} *");
    }

    #[test]
    fn the_rest_is_named() {
        let colours = vec![("RED".to_owned(), 0), ("GREEN".to_owned(), 5), ("BLUE".to_owned(), 6)];
        let colour = |name: Option<&str>| -> TypeRef {
            let name = name.map(str::to_owned);
            Arc::new(Type::Enumeration(Enumeration {
                name,
                size: 4,
                signed: false,
                enumerators: colours.clone(),
                base: Some("unsigned int".to_owned()),
                ..Enumeration::default()
            }))
        };
        let of_class = Enumeration { name: Some("ns::Side".to_owned()), is_class: true, ..Enumeration::default() };
        let of_class = Arc::new(Type::Enumeration(Enumeration { base: Some("char".to_owned()), ..of_class }));
        assert_eq!(definition(&of_class, Dialect::Cxx, ALL), "enum class ns::Side : char {}");
        let listed = "{RED, GREEN = 5, BLUE}";
        assert_eq!(definition(&colour(None), Dialect::Cxx, ALL), format!("enum : unsigned int {listed}"));
        assert_eq!(definition(&colour(Some("colour")), Dialect::C, ALL), "enum colour {RED, GREEN = 5, BLUE}");
        assert_eq!(definition(&colour(None), Dialect::C, ALL), "enum {RED, GREEN = 5, BLUE}");
        assert_eq!(definition(&typedef("number", int()), Dialect::C, ALL), "int");
        assert_eq!(definition(&pointer_to(typedef("number", int()), 8), Dialect::C, ALL), "int *");
        // What a name stands for is written around what is declared.
        let function = |result: TypeRef, parameter: TypeRef| {
            let parameters = vec![Link::ready(parameter)];
            Arc::new(Type::Function { result: Link::ready(result), parameters, variadic: false, prototyped: true })
        };
        let handler = typedef("handler", pointer_to(function(Arc::new(Type::Void), int()), 8));
        let signal = function(handler.clone(), handler.clone());
        assert_eq!(definition(&signal, Dialect::C, ALL), "void (*(handler))(int)");
        assert_eq!(definition(&array_of(handler, 3), Dialect::C, ALL), "void (*[3])(int)");
        let constant = typedef("constant", qualified(Qualifier::Const, int()));
        assert_eq!(
            definition(&qualified(Qualifier::Volatile, constant.clone()), Dialect::C, ALL),
            "const volatile int"
        );
        assert_eq!(definition(&pointer_to(typedef("name", constant), 8), Dialect::C, ALL), "const int *");
        assert_eq!(unrolled(&typedef("a", typedef("b", int())), Dialect::C), "b");
        let incomplete = Record { kind: RecordKind::Struct, name: Some("later".to_owned()), ..Record::default() };
        let incomplete: TypeRef = Arc::new(Type::Record(incomplete));
        assert_eq!(
            definition(&pointer_to(incomplete, 8), Dialect::C, ALL),
            "struct later {\n    <incomplete type>\n} *"
        );
        let base = member(None, record(RecordKind::Struct, Some("shape"), Vec::new()));
        let class = record(RecordKind::Class, Some("circle"), vec![Member { is_base: true, ..base }]);
        assert_eq!(definition(&class, Dialect::Cxx, ALL), "class circle : public shape {\n}");
    }
}
