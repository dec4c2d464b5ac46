//! The tree of an expression, and its text: what [`Display`](fmt::Display) writes parses to the same tree.

use super::error::Span;
use base::qualified::name_in_file;
use ctype::arith::IntegerType;
use ctype::float::{Float, FloatFormat};
use ctype::{PointerKind, Qualifier, format_float};
use std::fmt::{self, Write};

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Which part of the text it is.
    pub span: Span,
    /// Levels of expressions below, this one included.
    pub(super) height: u32,
}

impl PartialEq for Expr {
    /// Compares trees: they are equal whatever text they came from.
    fn eq(&self, other: &Self) -> bool {
        self.kind == other.kind
    }
}

/// The kinds of expressions.
#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// `42`, `0x2aUL`: a value with the type that C gives the literal.
    Integer(IntegerType, u64),
    /// `1.5f`
    Float(Float),
    /// C++'s `1500ms`: a number of units of `std::chrono`.
    Duration(&'static str, u64),
    /// `'a'`, `L'a'`: a code.
    Char(Encoding, u32),
    /// `"abc"`: code units without the final NUL.
    String(Encoding, Vec<u32>),
    /// A variable, function or enumerator.
    Name(Name),
    /// `$rax`
    Register(String),
    /// `-x`
    Unary(UnaryOp, Box<Expr>),
    /// `x + y`
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `c ? x : y`
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `(type)x`
    Cast(TypeName, Box<Expr>),
    /// `reinterpret_cast<type>(x)` and the like
    NamedCast(NamedCast, TypeName, Box<Expr>),
    /// `sizeof x`
    SizeofExpr(Box<Expr>),
    /// `sizeof(type)`
    SizeofType(TypeName),
    /// `_Alignof(type)`
    AlignofType(TypeName),
    /// `x.name`, `x->name`
    Member(Box<Expr>, Access, String),
    /// `x[i]`
    Index(Box<Expr>, Box<Expr>),
    /// Rust's `x[a..b]`, `x[a..=b]`: an end that is left out is that of the whole.
    Slice(Box<Expr>, Option<Box<Expr>>, Option<Box<Expr>>, bool),
    /// `x.size()`, `p->at(3)`: computed, never called.
    Method(Box<Expr>, Access, String, Vec<Expr>),
    /// `std::get<1>(x)`, and in Rust `Some(x)`: computed, never called.
    Call(String, Vec<TemplateArgument>, Vec<Expr>),
    /// `function(arguments)`: called, where that is allowed.
    Apply(Box<Expr>, Vec<Expr>),
    /// `{type} address`
    Typed(TypeName, Box<Expr>),
    /// A type by itself: of use to [`type_of`](super::type_of) only.
    Type(TypeName),
}

impl Expr {
    /// Returns the names of variables, functions and enumerators in it, as often as they occur.
    pub fn names(&self) -> Vec<&Name> {
        let names = self.all().into_iter().filter_map(|expr| match &expr.kind {
            ExprKind::Name(name) => Some(name),
            _ => None,
        });
        names.collect()
    }

    /// Returns the names of types in it, with `struct` and the like where that is before them, as often as they occur.
    pub fn type_names(&self) -> Vec<(Option<Tag>, &str)> {
        let named = self.all().into_iter().filter_map(|expr| match &expr.kind {
            ExprKind::Cast(ty, _)
            | ExprKind::NamedCast(_, ty, _)
            | ExprKind::SizeofType(ty)
            | ExprKind::AlignofType(ty)
            | ExprKind::Typed(ty, _)
            | ExprKind::Type(ty) => Some(&ty.base),
            _ => None,
        });
        let name = |base| match base {
            &TypeBase::Builtin(_) => None,
            TypeBase::Tagged(tag, name) => Some((Some(*tag), name.as_str())),
            TypeBase::Named(name) => Some((None, name.as_str())),
        };
        named.filter_map(name).collect()
    }

    /// Returns what in it is evaluated only if something else in it has some value: behind `&&`, `||` and `?`.
    pub fn conditional_parts(&self) -> Vec<&Self> {
        let mut parts = Vec::new();
        for expr in self.all() {
            match &expr.kind {
                ExprKind::Binary(BinaryOp::And | BinaryOp::Or, _, right) => parts.push(&**right),
                ExprKind::Conditional(_, yes, no) => parts.extend([&**yes, &**no]),
                _ => {}
            }
        }
        parts
    }

    /// Returns what it connects by `&&` and `||`, in their order; itself, if it is of another kind.
    pub fn operands(&self) -> Vec<&Self> {
        let (mut operands, mut below) = (Vec::new(), vec![self]);
        while let Some(expr) = below.pop() {
            match &expr.kind {
                ExprKind::Binary(BinaryOp::And | BinaryOp::Or, left, right) => below.extend([&**right, &**left]),
                _ => operands.push(expr),
            }
        }
        operands
    }

    /// Returns all expressions in it, itself included.
    fn all(&self) -> Vec<&Self> {
        let mut all = Vec::new();
        let mut below = vec![self];
        while let Some(expr) = below.pop() {
            all.push(expr);
            match &expr.kind {
                ExprKind::Unary(_, x)
                | ExprKind::Cast(_, x)
                | ExprKind::NamedCast(_, _, x)
                | ExprKind::SizeofExpr(x)
                | ExprKind::Member(x, ..)
                | ExprKind::Typed(_, x) => below.push(x),
                ExprKind::Binary(_, x, y) | ExprKind::Index(x, y) => below.extend([&**x, y]),
                ExprKind::Conditional(x, y, z) => below.extend([&**x, y, z]),
                ExprKind::Slice(x, start, end, _) => {
                    below.push(x);
                    below.extend([start, end].into_iter().flatten().map(|bound| &**bound));
                }
                ExprKind::Method(x, _, _, arguments) | ExprKind::Apply(x, arguments) => {
                    below.push(x);
                    below.extend(arguments);
                }
                ExprKind::Call(_, _, arguments) => below.extend(arguments),
                ExprKind::Integer(..)
                | ExprKind::Float(_)
                | ExprKind::Duration(..)
                | ExprKind::Char(..)
                | ExprKind::String(..)
                | ExprKind::Name(_)
                | ExprKind::Register(_)
                | ExprKind::SizeofType(_)
                | ExprKind::AlignofType(_)
                | ExprKind::Type(_) => {}
            }
        }
        all
    }
}

/// How a literal's characters are encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// No prefix: `char`.
    Narrow,
    /// `u8`: `char8_t` where there is such a type, else `char`.
    Utf8,
    /// `L`: `wchar_t`.
    Wide,
    /// `u`: `char16_t`.
    Utf16,
    /// `U`: `char32_t`.
    Utf32,
}

impl Encoding {
    /// Returns the prefix in C.
    pub const fn prefix(self) -> &'static str {
        match self {
            Self::Narrow => "",
            Self::Utf8 => "u8",
            Self::Wide => "L",
            Self::Utf16 => "u",
            Self::Utf32 => "U",
        }
    }

    /// Returns how many bytes a code unit has.
    pub const fn width(self) -> usize {
        match self {
            Self::Narrow | Self::Utf8 => 1,
            Self::Utf16 => 2,
            Self::Wide | Self::Utf32 => 4,
        }
    }
}

/// C++'s casts that are not the same as `(type)operand`; `static_cast` is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NamedCast {
    /// `dynamic_cast`: to another part of the same object.
    Dynamic,
    /// `reinterpret_cast`: the same bits.
    Reinterpret,
    /// `const_cast`: the same type but for its qualifiers.
    Const,
}

impl NamedCast {
    /// Returns the keyword.
    pub const fn keyword(self) -> &'static str {
        match self {
            Self::Dynamic => "dynamic_cast",
            Self::Reinterpret => "reinterpret_cast",
            Self::Const => "const_cast",
        }
    }
}

/// What stands between `<` and `>` after the name of a function.
#[derive(Clone, Debug, PartialEq)]
pub enum TemplateArgument {
    /// A number.
    Number(u64),
    /// A type.
    Type(TypeName),
}

impl fmt::Display for TemplateArgument {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => number.fmt(f),
            Self::Type(ty) => ty.fmt(f),
        }
    }
}

/// `.` or `->`; either works on structures and on pointers to them, as in GDB.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// `.`
    Dot,
    /// `->`
    Arrow,
}

/// A name, perhaps with the place where to look for it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Name {
    /// `'file.c'::name`: a static of that file.
    pub file: Option<String>,
    /// `::name`: not a local.
    pub global: bool,
    /// `function::name`, `ns::Class::name`: the last component is the name itself. Never empty.
    pub path: Vec<String>,
}

impl Name {
    /// Creates a name without scope.
    pub fn simple(name: &str) -> Self {
        Self { file: None, global: false, path: vec![name.to_owned()] }
    }

    /// Returns the components joined by `::`, without file.
    pub fn qualified(&self) -> String {
        self.path.join("::")
    }

    /// Returns the components joined by `::`, behind the file or the `::` if there is one: as types and enumerators are
    /// looked up.
    pub(super) fn with_file(&self) -> String {
        let name = self.qualified();
        match &self.file {
            Some(file) => name_in_file(file, &name),
            None if self.global => format!("::{name}"),
            None => name,
        }
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(file) = &self.file {
            write!(f, "'{file}'::")?;
        } else if self.global {
            f.write_str("::")?;
        }
        for (i, part) in self.path.iter().enumerate() {
            if i > 0 {
                f.write_str("::")?;
            }
            let is_identifier = part.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '$');
            if is_identifier { f.write_str(part)? } else { write!(f, "'{part}'")? }
        }
        Ok(())
    }
}

/// A unary operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnaryOp {
    /// `+`
    Plus,
    /// `-`
    Minus,
    /// `!`
    Not,
    /// `~`
    Complement,
    /// `*`
    Dereference,
    /// `&`
    AddressOf,
}

impl UnaryOp {
    /// Returns how it is written.
    pub const fn symbol(self) -> &'static str {
        match self {
            Self::Plus => "+",
            Self::Minus => "-",
            Self::Not => "!",
            Self::Complement => "~",
            Self::Dereference => "*",
            Self::AddressOf => "&",
        }
    }
}

/// A binary operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinaryOp {
    /// `,`
    Comma,
    /// `||`
    Or,
    /// `&&`
    And,
    /// `|`
    BitOr,
    /// `^`
    BitXor,
    /// `&`
    BitAnd,
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
    /// `<<`
    ShiftLeft,
    /// `>>`
    ShiftRight,
    /// `@`: GDB's "so many of them in a row".
    Repeat,
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`
    Divide,
    /// `%`
    Remainder,
    /// `.*`: the member that a pointer to member means.
    MemberAt,
    /// `->*`: the same, of what a pointer leads to.
    MemberThrough,
}

impl BinaryOp {
    /// Returns how it is written.
    pub const fn symbol(self) -> &'static str {
        match self {
            Self::Comma => ",",
            Self::Or => "||",
            Self::And => "&&",
            Self::BitOr => "|",
            Self::BitXor => "^",
            Self::BitAnd => "&",
            Self::Equal => "==",
            Self::NotEqual => "!=",
            Self::Less => "<",
            Self::LessEqual => "<=",
            Self::Greater => ">",
            Self::GreaterEqual => ">=",
            Self::ShiftLeft => "<<",
            Self::ShiftRight => ">>",
            Self::Repeat => "@",
            Self::Add => "+",
            Self::Subtract => "-",
            Self::Multiply => "*",
            Self::Divide => "/",
            Self::Remainder => "%",
            Self::MemberAt => ".*",
            Self::MemberThrough => "->*",
        }
    }
}

/// `struct`, `union`, `enum` or `class` before a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Tag {
    /// `struct`
    Struct,
    /// `union`
    Union,
    /// `enum`
    Enum,
    /// `class`
    Class,
}

impl Tag {
    /// Returns the keyword.
    pub const fn keyword(self) -> &'static str {
        match self {
            Self::Struct => "struct",
            Self::Union => "union",
            Self::Enum => "enum",
            Self::Class => "class",
        }
    }
}

/// One of C's own types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Builtin {
    /// `void`
    Void,
    /// `char`, which is neither `signed char` nor `unsigned char`.
    Char,
    /// `_Bool` or `bool`
    Bool,
    /// Any other integer type.
    Integer(IntegerType),
    /// `float`, `double`
    Float(FloatFormat),
    /// `long double`, whatever the target makes of it.
    LongDouble,
    /// `_Complex float`, `_Complex double`
    Complex(FloatFormat),
    /// `_Complex long double`
    ComplexLongDouble,
}

/// What a type name starts with.
#[derive(Clone, Debug, PartialEq)]
pub enum TypeBase {
    /// `unsigned long`
    Builtin(Builtin),
    /// `struct node`
    Tagged(Tag, String),
    /// `size_t`, `ns::Class`
    Named(String),
}

/// A step from a type to one made of it.
#[derive(Clone, Debug, PartialEq)]
pub enum Derivation {
    /// A pointer or reference to it, with the pointer's own qualifiers.
    Pointer(PointerKind, Vec<Qualifier>),
    /// An array of it.
    Array(Option<u64>),
    /// A function that returns it: parameters, and whether `...` follows.
    Function(Vec<TypeName>, bool),
}

/// The name of a type, as in a cast.
#[derive(Clone, Debug, PartialEq)]
pub struct TypeName {
    /// What it starts with.
    pub base: TypeBase,
    /// Qualifiers of the base.
    pub qualifiers: Vec<Qualifier>,
    /// What is made of it, first step first: `int *[3]` is a pointer, then an array.
    pub derivations: Vec<Derivation>,
}

const fn qualifier_word(qualifier: Qualifier) -> &'static str {
    match qualifier {
        Qualifier::Const => "const",
        Qualifier::Volatile => "volatile",
        Qualifier::Restrict => "restrict",
        Qualifier::Atomic => "_Atomic",
        Qualifier::Vector => "__attribute__((vector_size))",
        Qualifier::BigEndian | Qualifier::Padded(_) => "",
    }
}

impl fmt::Display for TypeName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for qualifier in &self.qualifiers {
            write!(f, "{} ", qualifier_word(*qualifier))?;
        }
        match &self.base {
            TypeBase::Builtin(builtin) => f.write_str(builtin_name(*builtin))?,
            TypeBase::Tagged(tag, name) => write!(f, "{} {name}", tag.keyword())?,
            TypeBase::Named(name) => f.write_str(name)?,
        }
        let mut declarator = String::new();
        for derivation in self.derivations.iter().rev() {
            match derivation {
                Derivation::Pointer(kind, qualifiers) => {
                    let mut text = match kind {
                        PointerKind::Pointer => "*",
                        PointerKind::Reference => "&",
                        PointerKind::RvalueReference => "&&",
                    }
                    .to_owned();
                    for qualifier in qualifiers {
                        write!(text, " {}", qualifier_word(*qualifier))?;
                    }
                    // A space keeps `& &&` from becoming `&&&`.
                    declarator = format!("{text} {declarator}");
                }
                Derivation::Array(count) => {
                    parenthesize(&mut declarator);
                    match count {
                        Some(count) => write!(declarator, "[{count}]")?,
                        None => declarator.push_str("[]"),
                    }
                }
                Derivation::Function(parameters, variadic) => {
                    parenthesize(&mut declarator);
                    let mut list: Vec<String> = parameters.iter().map(ToString::to_string).collect();
                    if *variadic {
                        list.push("...".to_owned());
                    } else if list.is_empty() {
                        list.push("void".to_owned());
                    }
                    write!(declarator, "({})", list.join(", "))?;
                }
            }
        }
        if declarator.is_empty() { Ok(()) } else { write!(f, " {}", declarator.trim_end()) }
    }
}

fn parenthesize(declarator: &mut String) {
    if declarator.starts_with(['*', '&']) {
        *declarator = format!("({})", declarator.trim_end());
    }
}

fn builtin_name(builtin: Builtin) -> &'static str {
    match builtin {
        Builtin::Void => "void",
        Builtin::Char => "char",
        Builtin::Bool => "_Bool",
        Builtin::Integer(ty) => ty.name(),
        Builtin::Float(FloatFormat::Single) => "float",
        Builtin::Float(FloatFormat::Half) => "_Float16",
        Builtin::Float(FloatFormat::Quad) => "_Float128",
        Builtin::Float(_) => "double",
        Builtin::LongDouble => "long double",
        Builtin::Complex(FloatFormat::Single) => "_Complex float",
        Builtin::Complex(_) => "_Complex double",
        Builtin::ComplexLongDouble => "_Complex long double",
    }
}

impl fmt::Display for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            ExprKind::Integer(ty, value) => write!(f, "{value:#x}{}", integer_suffix(*ty)),
            ExprKind::Float(float) => write_float(f, *float),
            ExprKind::Duration(unit, count) => write!(f, "{count}{unit}"),
            ExprKind::Char(encoding, code) => {
                write!(f, "{}'", encoding.prefix())?;
                write_unit(f, *code)?;
                f.write_char('\'')
            }
            ExprKind::String(encoding, units) => {
                write!(f, "{}\"", encoding.prefix())?;
                units.iter().try_for_each(|unit| write_unit(f, *unit))?;
                f.write_char('"')
            }
            ExprKind::Name(name) => name.fmt(f),
            ExprKind::Register(name) => write!(f, "${name}"),
            ExprKind::Unary(op, operand) => write!(f, "{}{}", op.symbol(), Operand(operand)),
            ExprKind::Binary(op, a, b) => write!(f, "{} {} {}", Operand(a), op.symbol(), Operand(b)),
            ExprKind::Conditional(condition, yes, no) => {
                write!(f, "{} ? {} : {}", Operand(condition), Operand(yes), Operand(no))
            }
            ExprKind::Cast(ty, operand) => write!(f, "({ty}){}", Operand(operand)),
            ExprKind::NamedCast(cast, ty, operand) => write!(f, "{}<{ty}>({operand})", cast.keyword()),
            ExprKind::SizeofExpr(operand) => write!(f, "sizeof {}", Operand(operand)),
            ExprKind::SizeofType(ty) => write!(f, "sizeof({ty})"),
            ExprKind::AlignofType(ty) => write!(f, "_Alignof({ty})"),
            ExprKind::Member(object, Access::Dot, name) => write!(f, "{}.{name}", Operand(object)),
            ExprKind::Member(object, Access::Arrow, name) => write!(f, "{}->{name}", Operand(object)),
            ExprKind::Index(array, index) => write!(f, "{}[{index}]", Operand(array)),
            ExprKind::Slice(array, start, end, inclusive) => {
                let bound = |bound: &Option<Box<Expr>>| bound.as_ref().map(ToString::to_string).unwrap_or_default();
                let dots = if *inclusive { "..=" } else { ".." };
                write!(f, "{}[{}{dots}{}]", Operand(array), bound(start), bound(end))
            }
            ExprKind::Method(object, access, name, arguments) => {
                let arrow = if *access == Access::Arrow { "->" } else { "." };
                let list: Vec<String> = arguments.iter().map(|argument| Operand(argument).to_string()).collect();
                write!(f, "{}{arrow}{name}({})", Operand(object), list.join(", "))
            }
            ExprKind::Call(name, templates, arguments) => {
                let list = |parts: Vec<String>| parts.join(", ");
                f.write_str(name)?;
                if !templates.is_empty() {
                    write!(f, "<{} >", list(templates.iter().map(ToString::to_string).collect()))?;
                }
                write!(f, "({})", list(arguments.iter().map(|argument| Operand(argument).to_string()).collect()))
            }
            ExprKind::Apply(function, arguments) => {
                let list: Vec<String> = arguments.iter().map(|argument| Operand(argument).to_string()).collect();
                write!(f, "{}({})", Operand(function), list.join(", "))
            }
            ExprKind::Typed(ty, address) => write!(f, "{{{ty}}}{}", Operand(address)),
            ExprKind::Type(ty) => ty.fmt(f),
        }
    }
}

/// An operand: in parentheses unless nothing could tear it apart.
struct Operand<'a>(&'a Expr);

impl fmt::Display for Operand<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0.kind {
            ExprKind::Char(..)
            | ExprKind::Name(_)
            | ExprKind::Register(_)
            | ExprKind::Member(..)
            | ExprKind::Method(..)
            | ExprKind::Call(..)
            | ExprKind::Slice(..)
            | ExprKind::Index(..) => self.0.fmt(f),
            _ => write!(f, "({})", self.0),
        }
    }
}

fn integer_suffix(ty: IntegerType) -> &'static str {
    use ctype::arith::Rank;
    match (ty.rank, ty.signed) {
        (Rank::Long, true) => "L",
        (Rank::Long, false) => "UL",
        (Rank::LongLong, true) => "LL",
        (Rank::LongLong, false) => "ULL",
        (_, true) => "",
        (_, false) => "U",
    }
}

fn write_float(f: &mut fmt::Formatter<'_>, float: Float) -> fmt::Result {
    let text = match format_float(float) {
        // A literal too large for its type.
        text if text == "inf" => "1e99999".to_owned(),
        text => text,
    };
    let point = if text.contains(['.', 'e']) { "" } else { ".0" };
    let suffix = match float.format {
        FloatFormat::Single => "f",
        FloatFormat::Double => "",
        _ => "L",
    };
    write!(f, "{text}{point}{suffix}")
}

fn write_unit(f: &mut fmt::Formatter<'_>, code: u32) -> fmt::Result {
    match u8::try_from(code) {
        Ok(byte) if byte.is_ascii_graphic() && !matches!(byte, b'\'' | b'"' | b'\\') => f.write_char(char::from(byte)),
        _ if code <= 0o777 => write!(f, "\\{code:03o}"),
        _ => write!(f, "\\U{code:08x}"),
    }
}
