//! What can be wrong with an expression, and where.

use super::lexer::MAX_LENGTH;
use ctype::Unavailable;
use ctype::arith::ArithmeticError;
use std::ops::Range;
use std::sync::Arc;

/// A part of the text of an expression, in bytes.
pub type Span = Range<usize>;

/// An expression that has no value.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{kind}")]
pub struct Error {
    /// The part that is to blame.
    pub span: Span,
    /// What is wrong with it.
    pub kind: ErrorKind,
    /// What the text became by the expansion of macros: `span` is a part of that. `None` if there were none in it.
    pub expansion: Option<Arc<str>>,
}

/// What an expression asked for that a recording cannot give.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// `=`, `+=` …
    Assignment,
    /// `++`, `--`
    Increment,
    /// `f(x)`
    Call,
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Assignment => {
                "recordings are immutable: a replay cannot assign; use == to compare, or an expression without effects"
            }
            Self::Increment => "recordings are immutable: a replay cannot change a variable; write x + 1 or x - 1",
            Self::Call => "cannot call a function in a replay; read the variables and memory that it would look at",
        })
    }
}

/// What is wrong with an expression.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ErrorKind {
    /// Nothing but space.
    #[error("empty expression")]
    Empty,
    /// The text is too long to be looked at.
    #[error("expression of {length} bytes is too long (at most {limit})")]
    TooLong {
        /// Its length.
        length: usize,
        /// The limit.
        limit: usize,
    },
    /// A macro that takes another number of arguments.
    #[error("wrong number of arguments to macro `{name}' (expected {expected}, got {given})")]
    MacroArguments {
        /// The macro.
        name: String,
        /// How many it takes; a variadic one takes one less, or more.
        expected: usize,
        /// How many there are.
        given: usize,
    },
    /// A macro's arguments have no end.
    #[error("malformed argument list for macro `{0}'")]
    MacroUnclosed(String),
    /// A macro that makes too much of an expression.
    #[error(
        "the expression is too long after the expansion of macro `{0}' (at most {limit} bytes)",
        limit = MAX_LENGTH
    )]
    MacroTooLarge(String),
    /// A macro of which debug info does not say which definition is in effect.
    #[error("it is not clear which definition of the macro `{name}' is in effect: {why}")]
    MacroAmbiguous {
        /// The macro.
        name: String,
        /// Which there are.
        why: String,
    },
    /// Parentheses or operators are nested too deeply.
    #[error("expression is nested too deeply (at most {0} levels)")]
    TooDeep(u32),
    /// A character that no token starts with.
    #[error("invalid character {0:?} in expression")]
    InvalidCharacter(char),
    /// A literal that is not one.
    #[error("invalid number \"{0}\"")]
    InvalidNumber(String),
    /// An integer that no type holds.
    #[error("number \"{0}\" does not fit 64 bits")]
    NumberTooLarge(String),
    /// Rust's `300u8`.
    #[error("number \"{0}\" does not fit its type")]
    NumberOutOfType(String),
    /// A result of Rust's arithmetic that its type does not hold.
    #[error("the result overflows {0}; cast an operand to a larger type")]
    Overflow(String),
    /// Rust's `(1, 2)`.
    #[error("tuples cannot be written in expressions; use their fields: pair.0 == 1 && pair.1 == 2")]
    Tuple,
    /// `Some(1, 2)`
    #[error("{variant} has {has} fields, not {given}")]
    FieldCount {
        /// A variant of an enum.
        variant: String,
        /// How many fields it has.
        has: usize,
        /// How many there are in the expression.
        given: usize,
    },
    /// A quote that is not closed.
    #[error("unterminated {0}")]
    Unterminated(&'static str),
    /// `''`
    #[error("empty character literal")]
    EmptyCharacter,
    /// A backslash followed by something unknown.
    #[error("invalid escape sequence in literal")]
    InvalidEscape,
    /// The grammar allows something else here.
    #[error("expected {expected}, found {found}")]
    Expected {
        /// What the grammar allows.
        expected: &'static str,
        /// What is there.
        found: String,
    },
    /// An effect.
    #[error("{0}")]
    Refused(Refusal),
    /// Words like `unsigned float`.
    #[error("invalid combination of type words \"{0}\"")]
    InvalidType(String),
    /// A type where a value is needed.
    #[error("\"{0}\" is a type, not an expression; cast something to it, or take its sizeof")]
    IsType(String),
    /// An unknown name.
    #[error("no symbol \"{0}\" in current context")]
    NoSymbol(String),
    /// A known name whose value cannot be had.
    #[error("{0}")]
    Lookup(String),
    /// An unknown register.
    #[error("no register or convenience variable \"${0}\"; registers are written $rip, $pc, $sp, $fp, $rax …")]
    NoRegister(String),
    /// `$_nosuch(1)`
    #[error("no convenience function \"${0}\"; there are {1}")]
    NoConvenienceFunction(String, String),
    /// Other arguments than a convenience function takes.
    #[error("it is called as {0}")]
    ConvenienceArguments(&'static str),
    /// Why a text is not a usable regular expression.
    #[error("the pattern {0}")]
    Pattern(String),
    /// An unknown type.
    #[error("no type named \"{0}\"")]
    NoType(String),
    /// A member that the record does not have.
    #[error("there is no member named \"{name}\" in {record}{}", candidates(.members))]
    NoMember {
        /// What was asked for.
        name: String,
        /// The type that was asked.
        record: String,
        /// What it has instead (not necessarily all of it).
        members: Vec<String>,
    },
    /// A member that is a function, where an object's data is asked for.
    #[error("\"{name}\" is a member function of {record}: no object stores it")]
    MemberFunction {
        /// What was asked for.
        name: String,
        /// The class that has it.
        record: String,
    },
    /// A static member that no debug info says the place or the value of.
    #[error("\"{name}\" is a static member of {record}, which is only declared")]
    DeclaredOnly {
        /// What was asked for.
        name: String,
        /// The class that has it.
        record: String,
    },
    /// A member that several bases have.
    #[error("{record} has \"{name}\" of {}: name the base, as in {}::{name}", .bases.join(" and of "), .bases.first().map_or("base", String::as_str))]
    AmbiguousMember {
        /// What was asked for.
        name: String,
        /// The type that was asked.
        record: String,
        /// The classes that have it.
        bases: Vec<String>,
    },
    /// `.` on something that has no members.
    #[error("{0} is not a structure or union")]
    NotARecord(String),
    /// A type whose definition is not in the debug info.
    #[error("{0} is an incomplete type")]
    Incomplete(String),
    /// A structure whose size depends on the frame, or on the object, in a way that the debug info does not tell.
    #[error(
        "the size of {0} is unavailable: it has members of variable length, and the debug info does not tell it here"
    )]
    NoSize(String),
    /// An operator that does not work on that type.
    #[error("operator {operator} does not apply to {operand}; it needs {needs}")]
    Operand {
        /// The operator.
        operator: &'static str,
        /// The type it was given.
        operand: String,
        /// What it works on.
        needs: &'static str,
    },
    /// `*` on a `void *`.
    #[error("cannot dereference {0}: the type of its target is unknown; cast it first: *(type *)p")]
    GenericPointer(String),
    /// `p - q` of different kinds.
    #[error("cannot subtract {1} from {0}: their targets have different sizes")]
    PointerDifference(String, String),
    /// `&` of something that is not in memory.
    #[error("cannot take the address of {0}")]
    NoAddress(String),
    /// `@` on something that is not in memory.
    #[error("only values in memory can be extended with '@'")]
    NotRepeatable,
    /// `@` with a silly count.
    #[error("invalid number {0} of repetitions; it must be in 1..={limit}", limit = i32::MAX)]
    Repetitions(i128),
    /// An index beyond a value that is not in memory.
    #[error("index {0} is outside the value, which has no neighbours in memory")]
    Index(i128),
    /// A conversion that C does not have.
    #[error("cannot cast {from} to {to}{hint}")]
    Cast {
        /// Type of the operand.
        from: String,
        /// Type wanted.
        to: String,
        /// What to write instead, if anything.
        hint: &'static str,
    },
    /// A member function that is not computed here.
    #[error("{}", not_computed(.name, .object, .known))]
    NoMethod {
        /// Its name.
        name: String,
        /// The type that it was asked of.
        object: String,
        /// What can be asked of it.
        known: Vec<String>,
    },
    /// A function that was called, or was to be, has no result.
    #[error("{0}")]
    Call(String),
    /// A container has no such element.
    #[error("{0}")]
    NoElement(String),
    /// `decltype(x)`, `typeid(x)` and the like.
    #[error("expressions over types are not evaluated here; use whatis x and ptype x for the type of x")]
    OfTypes,
    /// What it is depends on memory, which is not looked at.
    #[error("its type depends on memory")]
    Deferred,
    /// The value of an operand is not there.
    #[error("{}", unavailable(.0))]
    Unavailable(Unavailable),
    /// Arithmetic has no result.
    #[error("{0}")]
    Arithmetic(#[from] ArithmeticError),
    /// A format that does not exist.
    #[error("{0}")]
    Format(String),
}

fn candidates(members: &[String]) -> String {
    if members.is_empty() { String::new() } else { format!("; it has: {}", members.join(", ")) }
}

fn not_computed(name: &str, object: &str, known: &[String]) -> String {
    let known = if known.is_empty() { String::new() } else { format!("; of this one: {}", known.join(", ")) };
    format!("cannot call {name}() of {object} in a replay; what containers say of themselves is computed{known}")
}

fn unavailable(reason: &Unavailable) -> String {
    match reason {
        Unavailable::Memory(address) => format!("Cannot access memory at address {address:#x}"),
        Unavailable::OptimizedOut => "value has been optimized out".to_owned(),
        Unavailable::SyntheticPointer => {
            "the pointer has no value because the object is not in memory; its target can be shown".to_owned()
        }
        Unavailable::Register(name) => format!("register {name} was not saved in this frame"),
        Unavailable::Absent(what) => format!("the array is not {what}"),
        Unavailable::NotCollected => "not collected".to_owned(),
        Unavailable::Other(reason) => reason.clone(),
    }
}

impl Error {
    pub(super) fn new(span: &Span, kind: impl Into<ErrorKind>) -> Self {
        Self { span: span.clone(), kind: kind.into(), expansion: None }
    }

    /// Makes it an error about a text that macros were expanded to.
    pub(super) fn in_expansion(self, expansion: Option<&Arc<str>>) -> Self {
        Self { expansion: expansion.cloned(), ..self }
    }

    /// Returns whether a function would have to be called.
    pub fn is_call(&self) -> bool {
        matches!(self.kind, ErrorKind::Refused(Refusal::Call) | ErrorKind::NoMethod { .. })
    }

    /// Renders the message, the text of the expression, with macros expanded, and carets under the part that is to
    /// blame.
    pub fn render(&self, source: &str) -> String {
        const SHOWN: usize = 120;
        let text = self.expansion.as_deref().unwrap_or(source);
        let start = floor(text, self.span.start);
        let end = floor(text, self.span.end).max(start);
        // Of a long text, what surrounds the error.
        let from = floor(text, start.saturating_sub(SHOWN / 2));
        let until = floor(text, start.saturating_add(SHOWN).min(text.len()));
        let shown: String = text[from..until].chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        let indent = text[from..start].chars().count();
        let carets = text[start..end.min(until)].chars().count().max(1);
        let mut message = format!("{self}\n  {shown}\n  {}{}", " ".repeat(indent), "^".repeat(carets));
        if self.expansion.is_some() {
            let cut = floor(source, SHOWN);
            let dots = if cut < source.len() { "…" } else { "" };
            message.push_str(&format!("\n  (macro expansion of {}{dots})", source[..cut].trim()));
        }
        message
    }
}

/// Returns the character boundary at or before a byte offset.
fn floor(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|i| text.is_char_boundary(*i)).unwrap_or(0)
}
