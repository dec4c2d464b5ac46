//! Loads, conversions and binary operators as instructions.

use super::*;
use crate::own_operators::{own_binary, own_unary};
use ctype::{Indexing, indexing};

/// Makes what is on the stack a value of `ty` again after an operation that may have left its range.
pub(super) fn wrap(code: &mut Code, ty: IntegerType) {
    match (ty.rank, ty.bits()) {
        (Rank::Bool, _) => code.extend([Op::Plain(code::LOG_NOT), Op::Plain(code::LOG_NOT)]),
        (_, 64..) => {}
        (_, bits) if ty.signed => extend_sign(code, u64::from(64 - bits), u64::from(64 - bits)),
        (_, bits) => code.extend([Op::Constant((1 << bits) - 1), Op::Plain(code::BIT_AND)]),
    }
}

/// Shifts left, then right again with the sign.
fn extend_sign(code: &mut Code, left: u64, right: u64) {
    code.extend([Op::Constant(left), Op::Plain(code::LSH), Op::Constant(right), Op::Plain(code::RSH_SIGNED)]);
}

/// Converts a value between integer types.
pub(super) fn convert(code: &mut Code, from: IntegerType, to: IntegerType) {
    let contained = from.bits() < to.bits() && (to.signed || !from.signed);
    let unchanged = to.rank != Rank::Bool && (from == to || to.bits() >= 64 || contained);
    if !unchanged {
        wrap(code, to);
    }
}

/// Replaces an address by the little-endian number of `size` bytes there, zero-extended.
fn load(code: &mut Code, size: u64) {
    let plain = |opcode| Op::Plain(opcode);
    match size {
        1 => code.push(plain(code::REF8)),
        2 => code.push(plain(code::REF16)),
        4 => code.push(plain(code::REF32)),
        8 => code.push(plain(code::REF64)),
        _ => {
            // In pieces, so that no byte is touched that is not part of it.
            code.push(Op::Constant(0));
            let mut at = 0;
            while at < size {
                let (width, opcode) = match size - at {
                    4.. => (4, code::REF32),
                    2.. => (2, code::REF16),
                    _ => (1, code::REF8),
                };
                code.extend([Op::Pick(1), Op::Constant(at), plain(code::ADD), plain(opcode)]);
                code.extend([Op::Constant(8 * at), plain(code::LSH), plain(code::BIT_OR)]);
                at += width;
            }
            code.extend([plain(code::SWAP), plain(code::POP)]);
        }
    }
}

/// Returns the type of what is stored; `None` of what is computed.
fn type_of(operand: &Operand) -> Option<TypeRef> {
    match operand {
        Operand::Value(_) => None,
        Operand::Place { ty, .. } | Operand::Register { ty, .. } => {
            Some(reference_target(ty).unwrap_or_else(|| ty.clone()))
        }
    }
}

impl Compiler<'_> {
    /// Loads what a reference refers to; anything else stays as it is.
    pub(super) fn referent(&mut self, operand: Operand) -> Result<Operand> {
        Ok(match operand {
            Operand::Place { mut code, ty, bits: None } => match reference_target(&ty) {
                Some(target) => {
                    load(&mut code, 8);
                    Operand::Place { code, ty: target, bits: None }
                }
                None => Operand::Place { code, ty, bits: None },
            },
            Operand::Register { number, ty } => match reference_target(&ty) {
                Some(target) => Operand::Place { code: vec![Op::Register(number)], ty: target, bits: None },
                None => Operand::Register { number, ty },
            },
            other => other,
        })
    }

    /// Brings an operand onto the stack.
    pub(super) fn value(&mut self, operand: Operand) -> Result<Pushed> {
        match self.referent(operand)? {
            Operand::Value(pushed) => Ok(pushed),
            Operand::Register { number, ty } => {
                let mut code = vec![Op::Register(number)];
                if let Some(target) = pointer_target(&ty) {
                    return Ok(Pushed { code, kind: Kind::Pointer(target) });
                }
                let integer = self.integer_type(&ty)?;
                // The register may be wider than the variable.
                wrap_storage(&mut code, integer);
                Ok(Pushed { code, kind: Kind::Integer(integer) })
            }
            Operand::Place { code, ty, bits: Some(bits) } => self.load_field(code, &ty, bits),
            Operand::Place { mut code, ty, bits: None } => {
                if let Some((element, _)) = array_parts(&ty) {
                    if indexing(&ty) != Indexing::default() {
                        return Err(NotCompilable::because("an array that is not laid out or counted as one of C"));
                    }
                    return Ok(Pushed { code, kind: Kind::Pointer(element) });
                }
                if matches!(&*strip(&ty), Type::Function { .. }) {
                    return Ok(Pushed { code, kind: Kind::Pointer(ty) });
                }
                if let Some(target) = pointer_target(&ty) {
                    load(&mut code, 8);
                    return Ok(Pushed { code, kind: Kind::Pointer(target) });
                }
                let integer = self.integer_type(&ty)?;
                load(&mut code, integer.size());
                // Loads extend with zeros.
                if integer.signed || integer.rank == Rank::Bool {
                    wrap(&mut code, integer);
                }
                Ok(Pushed { code, kind: Kind::Integer(integer) })
            }
        }
    }

    fn load_field(&mut self, mut code: Code, ty: &TypeRef, bits: Bits) -> Result<Pushed> {
        let integer = self.declared_type(ty)?;
        let (first, size) = (u64::from(bits.offset & 7), u64::from(bits.size.max(1)));
        if first + size > 64 {
            return Err(NotCompilable::because("bit-field that spans more than 8 bytes"));
        }
        load(&mut code, (first + size).div_ceil(8));
        let right = if integer.signed { code::RSH_SIGNED } else { code::RSH_UNSIGNED };
        code.extend([Op::Constant(64 - first - size), Op::Plain(code::LSH), Op::Constant(64 - size), Op::Plain(right)]);
        if integer.rank == Rank::Bool {
            wrap(&mut code, integer);
        }
        let ty = Arithmetic::promotion(ty, Some(bits), self.locator.target()).unwrap_or(integer);
        Ok(Pushed { code, kind: Kind::Integer(ty) })
    }

    pub(super) fn binary(&mut self, op: BinaryOp, a: &Expr, b: &Expr) -> Result<Operand> {
        let may_overflow = matches!(
            op,
            BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Multiply | BinaryOp::ShiftLeft | BinaryOp::ShiftRight
        );
        if may_overflow && self.is_rust() {
            return Err(NotCompilable::because("Rust's arithmetic is checked"));
        }
        if op == BinaryOp::Comma {
            // The left side has no effect, but must make sense.
            let left = self.operand(a)?;
            self.value(left)?;
            return self.operand(b);
        }
        let (left, right) = (self.operand(a)?, self.operand(b)?);
        self.no_own_binary(op, (&left, &right))?;
        let (left, right) = (self.operand_value(left)?, self.operand_value(right)?);
        match op {
            BinaryOp::And | BinaryOp::Or => Ok(self.logical(op, left.code, right.code)),
            BinaryOp::Repeat => Err(NotCompilable::because("an array is not a condition")),
            BinaryOp::MemberAt | BinaryOp::MemberThrough => {
                Err(NotCompilable::because("rr does not know what pointers to members mean"))
            }
            _ => match (left.kind, right.kind) {
                (Kind::Integer(x), Kind::Integer(y)) => self.integers(op, (left.code, x), (right.code, y)),
                (x, y) => self.pointers(op, Pushed { code: left.code, kind: x }, Pushed { code: right.code, kind: y }),
            },
        }
    }

    /// Fails if an operator calls a function of the program. The type of a constant is not known any more: it may be
    /// that of the other side, or a number's.
    fn no_own_binary(&mut self, op: BinaryOp, (left, right): (&Operand, &Operand)) -> Result<()> {
        let types = (type_of(left), type_of(right));
        let number = Arithmetic::Integer(IntegerType::INT).base_type();
        let is_own = match &types {
            (Some(left), Some(right)) => own_binary(op, [left, right], self.locator).is_some(),
            (Some(one), None) => {
                [one, &number].iter().any(|other| own_binary(op, [one, other], self.locator).is_some())
            }
            (None, Some(one)) => {
                [one, &number].iter().any(|other| own_binary(op, [other, one], self.locator).is_some())
            }
            (None, None) => false,
        };
        self.refuse_own(is_own)
    }

    /// Fails if an operator calls a function of the program.
    pub(super) fn no_own_unary(&mut self, op: UnaryOp, operand: &Operand) -> Result<()> {
        let is_own = type_of(operand).is_some_and(|ty| own_unary(op, &ty, self.locator).is_some());
        self.refuse_own(is_own)
    }

    fn refuse_own(&self, is_own: bool) -> Result<()> {
        match is_own {
            true => Err(NotCompilable::because("the operator is a function of the program")),
            false => Ok(()),
        }
    }

    fn logical(&mut self, op: BinaryOp, left: Code, right: Code) -> Operand {
        let (short, end) = (self.label(), self.label());
        let is_or = op == BinaryOp::Or;
        let mut code = left;
        if !is_or {
            code.push(Op::Plain(code::LOG_NOT));
        }
        code.push(Op::IfGoto(short));
        code.extend(right);
        code.extend([Op::Plain(code::LOG_NOT), Op::Plain(code::LOG_NOT), Op::Goto(end)]);
        code.extend([Op::Label(short), Op::Constant(u64::from(is_or)), Op::Label(end)]);
        self.truth(code)
    }

    fn integers(
        &mut self,
        op: BinaryOp,
        (mut left, x): (Code, IntegerType),
        (mut right, y): (Code, IntegerType),
    ) -> Result<Operand> {
        if matches!(op, BinaryOp::ShiftLeft | BinaryOp::ShiftRight) {
            return Ok(self.shift(op, (left, x), right));
        }
        let ty = common_integer(x, y)?;
        let is_other = |code: &Code, own: IntegerType| {
            own.signed && !matches!(code.as_slice(), [Op::Constant(n)] if *n as i64 >= 0)
        };
        if self.is_rust() && !ty.signed && (is_other(&left, x) || is_other(&right, y)) {
            return Err(NotCompilable::because("Rust's numbers keep their signs"));
        }
        convert(&mut left, x, ty);
        convert(&mut right, y, ty);
        let divisor = match right.as_slice() {
            [Op::Constant(value)] => Some(*value),
            _ => None,
        };
        let mut code = left;
        code.extend(right);
        let opcode = match op {
            BinaryOp::Add => code::ADD,
            BinaryOp::Subtract => code::SUB,
            BinaryOp::Multiply => code::MUL,
            BinaryOp::BitAnd => code::BIT_AND,
            BinaryOp::BitOr => code::BIT_OR,
            BinaryOp::BitXor => code::BIT_XOR,
            BinaryOp::Divide | BinaryOp::Remainder => {
                self.divide(&mut code, op, ty, divisor);
                wrap(&mut code, ty);
                return Ok(Operand::Value(Pushed { code, kind: Kind::Integer(ty) }));
            }
            _ => {
                compare(&mut code, op, ty.signed);
                return Ok(self.truth(code));
            }
        };
        code.push(Op::Plain(opcode));
        wrap(&mut code, ty);
        Ok(Operand::Value(Pushed { code, kind: Kind::Integer(ty) }))
    }

    /// Divides what is on the stack. The smallest number divided by -1 would kill rr, so a divisor that may be -1 is
    /// looked at first; 0 makes the instruction fail, as it should.
    fn divide(&mut self, code: &mut Code, op: BinaryOp, ty: IntegerType, divisor: Option<u64>) {
        let is_division = op == BinaryOp::Divide;
        let opcode = match (is_division, ty.signed) {
            (true, true) => code::DIV_SIGNED,
            (true, false) => code::DIV_UNSIGNED,
            (false, true) => code::REM_SIGNED,
            (false, false) => code::REM_UNSIGNED,
        };
        if !ty.signed || divisor.is_some_and(|value| value != u64::MAX) {
            code.push(Op::Plain(opcode));
            return;
        }
        let (by_minus_one, end) = (self.label(), self.label());
        code.extend([Op::Plain(code::DUP), Op::Constant(u64::MAX), Op::Plain(code::EQUAL), Op::IfGoto(by_minus_one)]);
        code.extend([Op::Plain(opcode), Op::Goto(end), Op::Label(by_minus_one)]);
        match is_division {
            // x / -1 is x * -1, which wraps.
            true => code.push(Op::Plain(code::MUL)),
            false => code.extend([Op::Plain(code::POP), Op::Plain(code::POP), Op::Constant(0)]),
        }
        code.push(Op::Label(end));
    }

    fn shift(&mut self, op: BinaryOp, (mut code, ty): (Code, IntegerType), count: Code) -> Operand {
        let promoted = ty.promoted();
        convert(&mut code, ty, promoted);
        let width = u64::from(promoted.bits());
        let in_range = matches!(count.as_slice(), [Op::Constant(value)] if *value < width);
        code.extend(count);
        if !in_range {
            // A count outside of the width is an error: divide by zero to say so.
            let fine = self.label();
            code.extend([Op::Plain(code::DUP), Op::Constant(width), Op::Plain(code::LESS_UNSIGNED), Op::IfGoto(fine)]);
            code.extend([Op::Constant(0), Op::Constant(0), Op::Plain(code::DIV_UNSIGNED), Op::Label(fine)]);
        }
        code.push(Op::Plain(match (op, promoted.signed) {
            (BinaryOp::ShiftLeft, _) => code::LSH,
            (_, true) => code::RSH_SIGNED,
            (_, false) => code::RSH_UNSIGNED,
        }));
        wrap(&mut code, promoted);
        Operand::Value(Pushed { code, kind: Kind::Integer(promoted) })
    }

    fn pointers(&mut self, op: BinaryOp, left: Pushed, right: Pushed) -> Result<Operand> {
        match (op, left.kind, right.kind) {
            (BinaryOp::Add, Kind::Pointer(target), Kind::Integer(_)) => {
                let code = self.moved(left.code, right.code, &target, code::ADD)?;
                Ok(Operand::Value(Pushed { code, kind: Kind::Pointer(target) }))
            }
            (BinaryOp::Add, Kind::Integer(_), Kind::Pointer(target)) => {
                let code = self.moved(right.code, left.code, &target, code::ADD)?;
                Ok(Operand::Value(Pushed { code, kind: Kind::Pointer(target) }))
            }
            (BinaryOp::Subtract, Kind::Pointer(target), Kind::Integer(_)) => {
                let code = self.moved(left.code, right.code, &target, code::SUB)?;
                Ok(Operand::Value(Pushed { code, kind: Kind::Pointer(target) }))
            }
            (BinaryOp::Subtract, Kind::Pointer(x), Kind::Pointer(y)) => {
                let (step, other) = (self.step(&x)?, self.step(&y)?);
                if step != other || step == 0 || i64::try_from(step).is_err() {
                    return Err(NotCompilable::because("subtracts pointers of different types"));
                }
                let mut code = left.code;
                code.extend(right.code);
                code.extend([Op::Plain(code::SUB), Op::Constant(step), Op::Plain(code::DIV_SIGNED)]);
                Ok(Operand::Value(Pushed { code, kind: Kind::Integer(IntegerType::LONG) }))
            }
            (
                BinaryOp::Equal
                | BinaryOp::NotEqual
                | BinaryOp::Less
                | BinaryOp::LessEqual
                | BinaryOp::Greater
                | BinaryOp::GreaterEqual,
                x,
                y,
            ) => {
                if let (Kind::Pointer(x), Kind::Pointer(y)) = (&x, &y) {
                    same_address(x, y)?;
                }
                let mut code = left.code;
                code.extend(right.code);
                compare(&mut code, op, false);
                Ok(self.truth(code))
            }
            _ => Err(NotCompilable::because(format!("operator {} on pointers", op.symbol()))),
        }
    }
}

/// Emits what makes a register's low bytes a value of `ty`.
fn wrap_storage(code: &mut Code, ty: IntegerType) {
    match ty.rank {
        Rank::Bool => {
            code.extend([Op::Constant(0xff), Op::Plain(code::BIT_AND)]);
            wrap(code, ty);
        }
        _ => wrap(code, ty),
    }
}

fn compare(code: &mut Code, op: BinaryOp, signed: bool) {
    let less = Op::Plain(if signed { code::LESS_SIGNED } else { code::LESS_UNSIGNED });
    let (swap, not) = (Op::Plain(code::SWAP), Op::Plain(code::LOG_NOT));
    match op {
        BinaryOp::Equal => code.push(Op::Plain(code::EQUAL)),
        BinaryOp::NotEqual => code.extend([Op::Plain(code::EQUAL), not]),
        BinaryOp::Less => code.push(less),
        BinaryOp::Greater => code.extend([swap, less]),
        BinaryOp::LessEqual => code.extend([swap, less, not]),
        _ => code.extend([less, not]),
    }
}
