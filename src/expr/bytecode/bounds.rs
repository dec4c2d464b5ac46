//! What a condition needs of single numbers: what can be looked at where nothing can be evaluated.

use super::*;
use std::ops::RangeInclusive;

/// A number that a condition looks at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Bounded {
    /// The low bytes of a register.
    Register(u16),
    /// What is in memory: at a register plus the first step, and for each further step at the eight bytes that are there
    /// plus the step.
    Memory {
        /// Number of the register.
        register: u16,
        /// At least one.
        steps: Vec<i64>,
    },
}

/// What must hold of a number for a condition to hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bound {
    /// Which number.
    pub number: Bounded,
    /// Its bytes: 1, 2, 4 or 8.
    pub size: u8,
    /// Whether it has a sign.
    pub is_signed: bool,
    /// Where it must lie, among the numbers of this size.
    pub range: RangeInclusive<i128>,
    /// The range is of one number, which it must not be.
    pub is_other: bool,
}

/// Returns what a condition needs of single numbers, in the order in which it is evaluated: of `a && b && c` what the
/// first of these compare with constants, up to what is anything else. If one of them does not hold, the condition does
/// not, and evaluating it does not fail before.
pub fn bounds(condition: &Expr, locator: &mut dyn Locator) -> Vec<Bound> {
    let mut compiler = Compiler { locator, labels: 0 };
    let mut bounds = Vec::new();
    compiler.add_bounds(condition, &mut bounds);
    bounds
}

/// Nothing is known to whom computes with constants alone.
struct Nothing;

impl Machine for Nothing {
    fn register(&self, _: u16) -> Option<u64> {
        None
    }

    fn memory(&self, _: u64, _: usize) -> Option<u64> {
        None
    }
}

/// A number in a register or in memory, as it is there.
struct Stored {
    number: Bounded,
    size: u8,
    is_signed: bool,
    kind: Kind,
}

impl Stored {
    fn extent(&self) -> (i128, i128) {
        let bits = 8 * u32::from(self.size);
        if self.is_signed { (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) } else { (0, (1 << bits) - 1) }
    }

    fn is_bool(&self) -> bool {
        matches!(self.kind, Kind::Integer(IntegerType { rank: Rank::Bool, .. }))
    }

    /// Returns the bound that it must be so with regard to a number.
    fn compared(self, op: BinaryOp, with: i128) -> Option<Bound> {
        let (from, to) = self.extent();
        let range = match op {
            BinaryOp::Equal | BinaryOp::NotEqual => with..=with,
            BinaryOp::Less => from..=with - 1,
            BinaryOp::LessEqual => from..=with,
            BinaryOp::Greater => with + 1..=to,
            BinaryOp::GreaterEqual => with..=to,
            _ => return None,
        };
        let range = *range.start().max(&from)..=*range.end().min(&to);
        let Self { number, size, is_signed, .. } = self;
        // Of what is always so, or never, nothing is to be looked at.
        let is_bound = !range.is_empty() && range != (from..=to);
        is_bound.then_some(Bound { number, size, is_signed, range, is_other: op == BinaryOp::NotEqual })
    }
}

impl Compiler<'_> {
    /// Adds the bounds of a condition; returns whether they are all that it needs.
    fn add_bounds(&mut self, condition: &Expr, bounds: &mut Vec<Bound>) -> bool {
        if let ExprKind::Binary(BinaryOp::And, a, b) = &condition.kind {
            return self.add_bounds(a, bounds) && self.add_bounds(b, bounds);
        }
        let bound = self.bound(condition);
        let is_all = bound.is_some();
        bounds.extend(bound);
        is_all
    }

    fn bound(&mut self, condition: &Expr) -> Option<Bound> {
        // What is not compiled may mean something else than the numbers say, as pointers to parts of an object do.
        let operand = self.operand(condition).ok()?;
        self.operand_value(operand).ok()?;
        match &condition.kind {
            ExprKind::Binary(op, a, b) => match self.stored(a) {
                Some(stored) => self.compared(stored, *op, b),
                None => {
                    let stored = self.stored(b)?;
                    self.compared(stored, mirrored(*op)?, a)
                }
            },
            ExprKind::Unary(UnaryOp::Not, operand) => self.truth_of(operand)?.compared(BinaryOp::Equal, 0),
            _ => self.truth_of(condition)?.compared(BinaryOp::NotEqual, 0),
        }
    }

    /// Returns a number that is asked whether it is zero.
    fn truth_of(&mut self, expr: &Expr) -> Option<Stored> {
        let stored = self.stored(expr)?;
        (!self.is_rust() || stored.is_bool()).then_some(stored)
    }

    fn compared(&mut self, stored: Stored, op: BinaryOp, with: &Expr) -> Option<Bound> {
        let operand = self.operand(with).ok()?;
        let Pushed { code, kind } = self.operand_value(operand).ok()?;
        let value = run(&code::assemble(&code).ok()?, &Nothing, &mut Vec::new())?;
        let with = match (&stored.kind, kind) {
            (Kind::Integer(own), Kind::Integer(other)) => {
                let ty = common_integer(*own, other).ok()?;
                let is_kept = match (own.signed, ty.signed) {
                    (true, signed) => signed && ty.bits() >= own.bits(),
                    (false, true) => ty.bits() > own.bits(),
                    (false, false) => ty.bits() >= own.bits(),
                };
                let with = ctype::arith::Integer::new(other, u128::from(value)).convert(ty);
                // Rust's numbers keep their signs; of a truth value other bits than the lowest may be set.
                let is_changed = self.is_rust() && other.signed && !ty.signed && value.cast_signed() < 0;
                (is_kept && !is_changed && !stored.is_bool()).then(|| with.value())?
            }
            (Kind::Pointer(_), _) if matches!(op, BinaryOp::Equal | BinaryOp::NotEqual) => i128::from(value),
            _ => return None,
        };
        stored.compared(op, with)
    }

    /// Returns the number that an expression is, if it is one in a register or in memory whose place is found by registers,
    /// constants and pointers alone.
    fn stored(&mut self, expr: &Expr) -> Option<Stored> {
        let operand = self.operand(expr).ok()?;
        let (number, ty) = match self.referent(operand).ok()? {
            Operand::Register { number, ty } => (Bounded::Register(number), ty),
            Operand::Place { code, ty, bits: None } => (way(&code)?, ty),
            _ => return None,
        };
        let bytes = size_of(&ty)?;
        if array_parts(&ty).is_some() || matches!(&*strip(&ty), Type::Function { .. }) {
            return None;
        }
        if let Some(target) = pointer_target(&ty) {
            let kind = Kind::Pointer(target);
            return (!self.is_rust() && bytes == 8).then_some(Stored { number, size: 8, is_signed: false, kind });
        }
        let integer = self.integer_type(&ty).ok()?;
        // A truth value may be of more bytes than one.
        let size = u8::try_from(bytes).ok().filter(|size| matches!(size, 1 | 2 | 4 | 8) && integer.size() == bytes)?;
        Some(Stored { number, size, is_signed: integer.signed, kind: Kind::Integer(integer) })
    }
}

/// Returns the operator that compares the same the other way round.
fn mirrored(op: BinaryOp) -> Option<BinaryOp> {
    Some(match op {
        BinaryOp::Equal | BinaryOp::NotEqual => op,
        BinaryOp::Less => BinaryOp::Greater,
        BinaryOp::LessEqual => BinaryOp::GreaterEqual,
        BinaryOp::Greater => BinaryOp::Less,
        BinaryOp::GreaterEqual => BinaryOp::LessEqual,
        _ => return None,
    })
}

/// Returns how code finds an address, if that is by a register, constants and pointers.
fn way(code: &[Op]) -> Option<Bounded> {
    let (Op::Register(register), mut rest) = code.split_first()? else { return None };
    let (mut steps, mut step) = (Vec::new(), 0i64);
    loop {
        rest = match rest {
            [] => break,
            [Op::Constant(value), Op::Plain(code::ADD), rest @ ..] => {
                step = step.wrapping_add(value.cast_signed());
                rest
            }
            [Op::Plain(code::REF64), rest @ ..] => {
                steps.push(std::mem::take(&mut step));
                rest
            }
            _ => return None,
        };
    }
    steps.push(step);
    Some(Bounded::Memory { register: *register, steps })
}
