//! Expressions as GDB agent-expression bytecode, which rr evaluates by itself at a breakpoint or watchpoint.
//!
//! The machine has a stack of 64-bit integers. Each value is kept as its type extends it to 64 bits, by sign or by
//! zeros, so that operations need to wrap only what is narrower. A failing instruction (unreadable memory, division
//! by zero) makes rr stop, so whatever [`evaluate`](super::evaluate) reports as an error is made to fail here too.
//! The instructions `ext` and `zero_ext` are never used: rr evaluates each of them in several readings.

mod bounds;
mod code;
mod lower;
mod machine;

pub use bounds::{Bound, Bounded, bounds};
pub use machine::{Machine, run};

use super::ast::{Access, BinaryOp, Encoding, Expr, ExprKind, Name, TypeName, UnaryOp};
use super::env::Types;
use super::types::{enumerator_type, is_c_character, resolve_type, truth_type};
use code::{Code, Op};
use ctype::arith::{Arithmetic, IntegerType, Rank, common_type};
use ctype::layout::{
    alignof, array_parts, base_offset, find_member, is_big_endian, pointer_target, pointer_to, reference_target,
    size_of, strip,
};
use ctype::{Bits, Dialect, FieldWidth, Type, TypeRef, bit_precise_width, size_without_gaps, type_name};
use std::sync::Arc;

/// A summand of an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Term {
    /// A register plus a constant; the number is that of the `p` packet.
    Register {
        /// Number of the register.
        number: u16,
        /// What to add to it.
        offset: i64,
    },
    /// A number.
    Constant(u64),
}

/// Where a variable is, as long as the condition is in force.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Home {
    /// In memory, at the sum of these; an empty list is address 0.
    Address(Vec<Term>),
    /// In the register of that number, 1 to 8 bytes.
    Register(u16),
}

/// A variable as bytecode can get at it.
#[derive(Clone, Debug)]
pub struct Located {
    /// Its type, with concrete array bounds.
    pub ty: TypeRef,
    /// Where it is.
    pub home: Home,
}

/// What a name means, for a condition that is evaluated again and again.
#[derive(Clone, Debug)]
pub enum Placement {
    /// A variable or function (a function: at its entry), at one place throughout.
    Fixed(Located),
    /// There is one, but it is not at one place throughout, or that is not known.
    Varying,
    /// There is no variable or function of that name.
    Unknown,
}

/// Where variables are, in a way that holds whenever the condition is evaluated, not just in today's frame.
pub trait Locator: Types {
    /// Locates a variable or function.
    fn locate(&mut self, name: &Name) -> Placement;

    /// Locates a register by the target's name, without `$`, or `pc`, `sp`, `fp`.
    fn register(&mut self, name: &str) -> Option<Located>;
}

/// Why an expression has to be evaluated on our side.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("cannot be evaluated inside rr: {reason}")]
pub struct NotCompilable {
    /// In words.
    pub reason: String,
}

impl NotCompilable {
    fn because(reason: impl Into<String>) -> Self {
        Self { reason: reason.into() }
    }
}

/// Compiles an expression. The bytecode leaves the value of the expression, extended to 64 bits, on the stack: not
/// zero means true. At most 4096 bytes long.
pub fn compile(expr: &Expr, locator: &mut dyn Locator) -> Result<Vec<u8>, NotCompilable> {
    let mut compiler = Compiler { locator, labels: 0 };
    let operand = compiler.operand(expr)?;
    let value = compiler.operand_value(operand)?;
    code::assemble(&value.code)
}

/// The type of a value on the stack.
#[derive(Clone, Debug)]
enum Kind {
    Integer(IntegerType),
    /// What it points to.
    Pointer(TypeRef),
}

/// Code that pushes a value.
struct Pushed {
    code: Code,
    kind: Kind,
}

/// What a subexpression is.
enum Operand {
    Value(Pushed),
    /// Something in memory; the code pushes its address.
    Place {
        code: Code,
        ty: TypeRef,
        bits: Option<Bits>,
    },
    /// Something in a register.
    Register {
        number: u16,
        ty: TypeRef,
    },
}

type Result<T, E = NotCompilable> = std::result::Result<T, E>;

struct Compiler<'a> {
    locator: &'a mut dyn Locator,
    labels: usize,
}

impl Compiler<'_> {
    fn label(&mut self) -> usize {
        self.labels += 1;
        self.labels
    }

    fn name_of(&self, ty: &TypeRef) -> String {
        type_name(ty, self.locator.target().dialect)
    }

    fn is_rust(&self) -> bool {
        self.locator.target().dialect == Dialect::Rust
    }

    /// Compiles the value of an operand that is computed with. Rust looks through references where C compares
    /// addresses: which of the two a pointer is, is not known here.
    fn operand_value(&mut self, operand: Operand) -> Result<Pushed> {
        let value = self.value(operand)?;
        match value.kind {
            Kind::Pointer(_) if self.is_rust() => Err(NotCompilable::because("Rust looks through references")),
            _ => Ok(value),
        }
    }

    fn resolve(&mut self, ty: &TypeName) -> Result<TypeRef> {
        resolve_type(ty, self.locator, &(0..0)).map_err(|e| NotCompilable::because(e.to_string()))
    }

    /// Makes code a value of C's truth type: 0 or 1 is on the stack.
    fn truth(&self, code: Code) -> Operand {
        let (_, ty) = truth_type(self.locator.target());
        Operand::Value(Pushed { code, kind: Kind::Integer(ty) })
    }

    fn constant(value: u64, ty: IntegerType) -> Operand {
        Operand::Value(Pushed { code: vec![Op::Constant(value)], kind: Kind::Integer(ty) })
    }

    fn operand(&mut self, expr: &Expr) -> Result<Operand> {
        match &expr.kind {
            ExprKind::Integer(ty, value) => {
                Ok(Self::constant(ctype::arith::Integer::new(*ty, u128::from(*value)).bits() as u64, *ty))
            }
            ExprKind::Char(Encoding::Utf8, _) => Err(NotCompilable::because("the type of u8 literals varies")),
            ExprKind::Char(encoding, code) => Ok(self.character(*encoding, *code)),
            ExprKind::Name(name) => self.name(name),
            ExprKind::Register(name) => match self.locator.register(name) {
                Some(located) => Ok(Self::located(located)),
                None => Err(NotCompilable::because(format!("register ${name} is not known to rr"))),
            },
            ExprKind::Unary(op, operand) => self.unary(*op, operand),
            ExprKind::Binary(op, a, b) => self.binary(*op, a, b),
            ExprKind::Conditional(condition, yes, no) => self.conditional(condition, yes, no),
            ExprKind::Cast(ty, operand) => {
                let to = self.resolve(ty)?;
                let operand = self.operand(operand)?;
                self.cast(operand, to)
            }
            ExprKind::SizeofExpr(operand) => {
                let ty = match self.operand(operand)? {
                    // C has no literals of type `char`.
                    Operand::Value(_) if is_c_character(operand, self.locator.target()) => {
                        Arithmetic::Integer(IntegerType::INT).base_type()
                    }
                    Operand::Value(Pushed { kind: Kind::Integer(ty), .. }) => Arithmetic::Integer(ty).base_type(),
                    Operand::Value(Pushed { kind: Kind::Pointer(target), .. }) => pointer_to(target, 8),
                    Operand::Place { ty, .. } | Operand::Register { ty, .. } => ty,
                };
                self.sizeof(&ty)
            }
            ExprKind::SizeofType(ty) => {
                let ty = self.resolve(ty)?;
                self.sizeof(&ty)
            }
            ExprKind::AlignofType(ty) => {
                let ty = self.resolve(ty)?;
                let align = alignof(&ty).ok_or_else(|| NotCompilable::because("incomplete type"))?;
                Ok(Self::constant(align, IntegerType::UNSIGNED_LONG))
            }
            ExprKind::Member(object, access, name) => self.member(object, *access, name),
            ExprKind::Index(array, index) => self.index(array, index),
            ExprKind::Typed(ty, address) => {
                let ty = self.resolve(ty)?;
                let address = self.operand(address)?;
                let Pushed { code, .. } = self.value(address)?;
                Ok(Operand::Place { code, ty, bits: None })
            }
            ExprKind::NamedCast(..) => Err(NotCompilable::because("rr does not know what objects are")),
            ExprKind::Method(..) | ExprKind::Call(..) | ExprKind::Duration(..) => {
                Err(NotCompilable::because("rr does not know what objects mean"))
            }
            ExprKind::Apply(..) => Err(NotCompilable::because("rr does not call functions in conditions")),
            ExprKind::Slice(..) => Err(NotCompilable::because("rr does not know what containers are")),
            ExprKind::Float(_) => Err(NotCompilable::because("rr computes with integers only")),
            ExprKind::String(..) => Err(NotCompilable::because("a string literal has no address in the recording")),
            ExprKind::Type(_) => Err(NotCompilable::because("a type is not a value")),
        }
    }

    fn character(&self, encoding: Encoding, code: u32) -> Operand {
        let (rank, signed) = match encoding {
            Encoding::Narrow | Encoding::Utf8 => {
                (Rank::Char, self.locator.target().char_encoding() == ctype::Encoding::SignedChar)
            }
            Encoding::Wide => (Rank::Int, true),
            Encoding::Utf16 => (Rank::Short, false),
            Encoding::Utf32 => (Rank::Int, false),
        };
        let ty = IntegerType { rank, signed };
        Self::constant(ctype::arith::Integer::new(ty, u128::from(code)).bits() as u64, ty)
    }

    fn located(located: Located) -> Operand {
        match located.home {
            Home::Register(number) => Operand::Register { number, ty: located.ty },
            Home::Address(terms) => {
                let mut code = Vec::new();
                for (i, term) in terms.iter().enumerate() {
                    match term {
                        Term::Constant(value) => code.push(Op::Constant(*value)),
                        Term::Register { number, offset } => {
                            code.push(Op::Register(*number));
                            if *offset != 0 {
                                code.extend([Op::Constant(*offset as u64), Op::Plain(code::ADD)]);
                            }
                        }
                    }
                    if i > 0 {
                        code.push(Op::Plain(code::ADD));
                    }
                }
                if code.is_empty() {
                    code.push(Op::Constant(0));
                }
                Operand::Place { code, ty: located.ty, bits: None }
            }
        }
    }

    fn name(&mut self, name: &Name) -> Result<Operand> {
        let text = name.qualified();
        match self.locator.locate(name) {
            Placement::Fixed(located) => return Ok(Self::located(located)),
            // It hides what else has that name.
            Placement::Varying => return Err(NotCompilable::because(format!("\"{name}\" has no fixed place"))),
            Placement::Unknown => {}
        }
        if let Some((ty, value)) = self.locator.enumerator(&name.with_file()) {
            let ty = self.integer_type(&enumerator_type(ty, value, self.locator.target()))?;
            return Ok(Self::constant(ctype::arith::Integer::new(ty, value as u128).bits() as u64, ty));
        }
        let boolean = IntegerType { rank: Rank::Bool, signed: false };
        match text.as_str() {
            "true" | "false" => Ok(Self::constant(u64::from(text == "true"), boolean)),
            "NULL" | "nullptr" => {
                let kind = Kind::Pointer(Arc::new(Type::Void));
                Ok(Operand::Value(Pushed { code: vec![Op::Constant(0)], kind }))
            }
            _ => Err(NotCompilable::because(format!("\"{name}\" has no fixed place"))),
        }
    }

    /// Returns the integer type that values of a type compute as, if the machine can hold them.
    fn integer_type(&self, ty: &TypeRef) -> Result<IntegerType> {
        let declared = self.declared_type(ty)?;
        Ok(Arithmetic::promotion(ty, None, self.locator.target()).unwrap_or(declared))
    }

    /// Returns the integer type that values of a type are stored as, if the machine can hold them.
    fn declared_type(&self, ty: &TypeRef) -> Result<IntegerType> {
        if is_big_endian(ty) {
            return Err(NotCompilable::because("its bytes are in the other order"));
        }
        if bit_precise_width(ty) != Ok(None) {
            return Err(NotCompilable::because("not all of its bits are the number's"));
        }
        match Arithmetic::of(ty, self.locator.target()) {
            Some(Arithmetic::Integer(integer)) if matches!(size_of(ty), Some(1 | 2 | 4 | 8)) => Ok(integer),
            _ => Err(NotCompilable::because(format!("{} is not an integer of at most 64 bits", self.name_of(ty)))),
        }
    }

    fn sizeof(&self, ty: &TypeRef) -> Result<Operand> {
        let ty = reference_target(ty).unwrap_or_else(|| ty.clone());
        let size = match size_without_gaps(&ty) {
            Some(size) => size,
            None => self.step(&ty)?,
        };
        Ok(Self::constant(size, IntegerType::UNSIGNED_LONG))
    }

    /// Returns the size of a type in GNU C's pointer arithmetic.
    fn step(&self, ty: &TypeRef) -> Result<u64> {
        match &*strip(ty) {
            Type::Void | Type::Function { .. } => Ok(1),
            _ => size_of(ty).ok_or_else(|| NotCompilable::because(format!("{} is incomplete", self.name_of(ty)))),
        }
    }

    fn member(&mut self, object: &Expr, access: Access, name: &str) -> Result<Operand> {
        let object = self.operand(object)?;
        let (code, ty) = self.record_place(object, access)?;
        if matches!(&*strip(&ty), Type::Record(record) if record.variants.is_some()) {
            return Err(NotCompilable::because("a member that may be of a variant"));
        }
        let found = find_member(&ty, name)
            .ok_or_else(|| NotCompilable::because(format!("{} has no member {name}", self.name_of(&ty))))?;
        let code = offset(code, found.offset);
        Ok(Operand::Place { code, ty: found.ty, bits: found.bits })
    }

    /// Compiles the address of the structure that a member is taken of.
    fn record_place(&mut self, object: Operand, access: Access) -> Result<(Code, TypeRef)> {
        if let Operand::Place { code, ty, bits: None } = object {
            let is_array = array_parts(&ty).is_some();
            if matches!(&*strip(&ty), Type::Record(_)) {
                return match access {
                    Access::Dot => Ok((code, ty)),
                    Access::Arrow => Err(NotCompilable::because("-> of an object may lead elsewhere")),
                };
            }
            if !is_array || access == Access::Arrow {
                let pushed = self.value(Operand::Place { code, ty, bits: None })?;
                return Self::pointed_to(pushed);
            }
            return Err(NotCompilable::because("member of an array"));
        }
        let pushed = self.value(object)?;
        Self::pointed_to(pushed)
    }

    fn pointed_to(pushed: Pushed) -> Result<(Code, TypeRef)> {
        match pushed.kind {
            Kind::Pointer(target) if matches!(&*strip(&target), Type::Record(_)) => Ok((pushed.code, target)),
            _ => Err(NotCompilable::because("member of a value that is not a structure in memory")),
        }
    }

    fn index(&mut self, array: &Expr, index: &Expr) -> Result<Operand> {
        let array = self.operand(array)?;
        if let Operand::Place { ty, .. } = &array
            && self.is_rust()
            && array_parts(ty).is_some()
        {
            return Err(NotCompilable::because("Rust's indices are checked"));
        }
        let index = self.operand(index)?;
        let (mut base, mut at) = (self.value(array)?, self.value(index)?);
        if matches!(at.kind, Kind::Pointer(_)) {
            std::mem::swap(&mut base, &mut at);
        }
        match (base.kind, at.kind) {
            (Kind::Pointer(target), Kind::Integer(_)) => {
                let code = self.moved(base.code, at.code, &target, code::ADD)?;
                self.dereferenced(code, target)
            }
            _ => Err(NotCompilable::because("[] needs a pointer and an integer")),
        }
    }

    /// Compiles a pointer moved by so many elements.
    fn moved(&self, mut pointer: Code, distance: Code, target: &TypeRef, direction: u8) -> Result<Code> {
        let step = self.step(target)?;
        pointer.extend(distance);
        if step != 1 {
            pointer.extend([Op::Constant(step), Op::Plain(code::MUL)]);
        }
        pointer.push(Op::Plain(direction));
        Ok(pointer)
    }

    fn dereferenced(&self, code: Code, target: TypeRef) -> Result<Operand> {
        match &*strip(&target) {
            Type::Void => Err(NotCompilable::because("dereferences a void pointer")),
            _ => Ok(Operand::Place { code, ty: target, bits: None }),
        }
    }

    fn unary(&mut self, op: UnaryOp, operand: &Expr) -> Result<Operand> {
        if op == UnaryOp::Minus && self.is_rust() && !matches!(operand.kind, ExprKind::Integer(..)) {
            return Err(NotCompilable::because("Rust's arithmetic is checked"));
        }
        let operand = self.operand(operand)?;
        self.no_own_unary(op, &operand)?;
        if op == UnaryOp::AddressOf {
            return match self.referent(operand)? {
                Operand::Place { code, ty, bits: None } => Ok(Operand::Value(Pushed { code, kind: Kind::Pointer(ty) })),
                _ => Err(NotCompilable::because("takes the address of something that is not in memory")),
            };
        }
        if let (UnaryOp::Minus | UnaryOp::Complement, Operand::Place { bits: Some(bits), .. }) = (op, &operand)
            && bits.computes == FieldWidth::OwnAfterSigns
        {
            return Err(NotCompilable::because("a sign of a wide bit-field, which is cut to its width"));
        }
        let Pushed { mut code, kind } = self.value(operand)?;
        match (op, kind) {
            (UnaryOp::Not, Kind::Integer(ty)) if self.is_rust() && ty.rank != Rank::Bool => {
                Err(NotCompilable::because("of a number, Rust's ! is the complement"))
            }
            (UnaryOp::Not, Kind::Pointer(_)) if self.is_rust() => {
                Err(NotCompilable::because("Rust looks through references"))
            }
            (UnaryOp::Not, _) => {
                code.push(Op::Plain(code::LOG_NOT));
                Ok(self.truth(code))
            }
            (UnaryOp::Dereference, Kind::Pointer(target)) => self.dereferenced(code, target),
            (UnaryOp::Dereference, Kind::Integer(_)) => {
                Ok(Operand::Place { code, ty: Arithmetic::Integer(IntegerType::LONG).base_type(), bits: None })
            }
            (_, Kind::Integer(ty)) => {
                let ty = ty.promoted();
                match op {
                    UnaryOp::Minus => {
                        code.extend([Op::Constant(0), Op::Plain(code::SWAP), Op::Plain(code::SUB)]);
                        lower::wrap(&mut code, ty);
                    }
                    UnaryOp::Complement => {
                        code.push(Op::Plain(code::BIT_NOT));
                        lower::wrap(&mut code, ty);
                    }
                    _ => {}
                }
                Ok(Operand::Value(Pushed { code, kind: Kind::Integer(ty) }))
            }
            _ => Err(NotCompilable::because(format!("operator {} on a pointer", op.symbol()))),
        }
    }

    fn conditional(&mut self, condition: &Expr, yes: &Expr, no: &Expr) -> Result<Operand> {
        let condition = self.operand(condition)?;
        let Pushed { mut code, .. } = self.operand_value(condition)?;
        let yes = self.operand(yes)?;
        let mut yes = self.value(yes)?;
        let no = self.operand(no)?;
        let mut no = self.value(no)?;
        let kind = match (yes.kind, no.kind) {
            (Kind::Integer(a), Kind::Integer(b)) => {
                let is_c = self.locator.target().dialect == Dialect::C;
                let common = match a == b {
                    true if a == a.promoted() || (a.rank == Rank::Bool && !is_c) => a,
                    // C++ promotes them if they are of two types, as `char` and `signed char` are.
                    true if !is_c => return Err(NotCompilable::because("branches of ?: that may be of one type")),
                    _ => common_integer(a, b)?,
                };
                lower::convert(&mut yes.code, a, common);
                lower::convert(&mut no.code, b, common);
                Kind::Integer(common)
            }
            (Kind::Pointer(a), Kind::Pointer(b)) if self.name_of(&a) == self.name_of(&b) => Kind::Pointer(a),
            _ => return Err(NotCompilable::because("branches of ?: have different types")),
        };
        let (on_true, end) = (self.label(), self.label());
        code.push(Op::IfGoto(on_true));
        code.extend(no.code);
        code.extend([Op::Goto(end), Op::Label(on_true)]);
        code.extend(yes.code);
        code.push(Op::Label(end));
        Ok(Operand::Value(Pushed { code, kind }))
    }

    fn cast(&mut self, operand: Operand, to: TypeRef) -> Result<Operand> {
        if matches!(&*strip(&to), Type::Enumeration(_)) && self.locator.target().dialect != Dialect::C {
            return Err(NotCompilable::because("an enumeration may have operators of its own"));
        }
        let Pushed { mut code, kind } = self.value(operand)?;
        if let Some(target) = pointer_target(&to) {
            if let Kind::Pointer(from) = &kind {
                same_address(from, &target)?;
            }
            return Ok(Operand::Value(Pushed { code, kind: Kind::Pointer(target) }));
        }
        let to = self.integer_type(&to)?;
        let from = match kind {
            Kind::Integer(from) => from,
            Kind::Pointer(_) => IntegerType::UNSIGNED_LONG,
        };
        lower::convert(&mut code, from, to);
        Ok(Operand::Value(Pushed { code, kind: Kind::Integer(to) }))
    }
}

/// Fails unless a pointer to one class is the same number as one to the other: it does for classes that are related,
/// unless the one begins with the other.
fn same_address(a: &TypeRef, b: &TypeRef) -> Result<()> {
    let has_bases = |ty: &TypeRef| match &*strip(ty) {
        Type::Record(record) => !record.virtual_bases.is_empty() || record.members.iter().any(|member| member.is_base),
        _ => false,
    };
    let name = |ty: &TypeRef| match &*strip(ty) {
        Type::Record(record) => record.name.clone(),
        _ => None,
    };
    let (Some(x), Some(y)) = (name(a), name(b)) else { return Ok(()) };
    let begins = base_offset(a, b) == Some(0) || base_offset(b, a) == Some(0);
    match x == y || begins || !(has_bases(a) || has_bases(b)) {
        true => Ok(()),
        false => Err(NotCompilable::because("a class and its base may be at different addresses")),
    }
}

/// Adds a constant to the number on the stack.
fn offset(mut code: Code, offset: u64) -> Code {
    if offset != 0 {
        code.extend([Op::Constant(offset), Op::Plain(code::ADD)]);
    }
    code
}

fn common_integer(a: IntegerType, b: IntegerType) -> Result<IntegerType> {
    match common_type(Arithmetic::Integer(a), Arithmetic::Integer(b)) {
        Arithmetic::Integer(ty) if ty.bits() <= 64 => Ok(ty),
        _ => Err(NotCompilable::because("rr computes with 64 bits only")),
    }
}

#[cfg(test)]
mod tests {
    use super::same_address;
    use ctype::{Member, Record, Type, TypeRef};
    use std::sync::Arc;

    fn class(name: &str, bases: &[(u64, &TypeRef)]) -> TypeRef {
        let base = |(offset, ty): &(u64, &TypeRef)| Member {
            name: None,
            ty: (*ty).clone().into(),
            offset: *offset,
            bits: None,
            is_base: true,
            alignment: None,
        };
        let members = bases.iter().map(base).collect();
        Arc::new(Type::Record(Record { name: Some(name.to_owned()), size: Some(16), members, ..Record::default() }))
    }

    #[test]
    fn only_the_first_base_has_its_objects_address() {
        let (first, second) = (class("First", &[]), class("Second", &[]));
        let both = class("Both", &[(0, &first), (8, &second)]);
        for (a, b, is_same) in
            [(&both, &first, true), (&both, &second, false), (&first, &second, true), (&both, &both, true)]
        {
            assert_eq!(same_address(a, b).is_ok(), is_same, "{a:?} {b:?}");
            assert_eq!(same_address(b, a).is_ok(), is_same, "{a:?} {b:?}");
        }
    }
}
