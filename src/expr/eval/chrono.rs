//! C++'s `std::chrono`: durations, and points in time, in operations. Each duration counts units of its own; two of them
//! are brought to the unit that both are whole numbers of, as C++ does.

use super::operator::{holds, number_op};
use super::*;
use base::qualified::{bare_path, last};
use ctype::arith::NumberOp;
use ctype::{Argument, Link, Member};

const NEEDS: &str = "two durations, or points in time of one clock; count() is the number of a duration";

/// What literals of durations end with, the types that they have, and seconds in a unit, as a fraction.
const LITERALS: [(&str, &str, (i128, i128)); 6] = [
    ("h", "hours", (3600, 1)),
    ("min", "minutes", (60, 1)),
    ("s", "seconds", (1, 1)),
    ("ms", "milliseconds", (1, 1000)),
    ("us", "microseconds", (1, 1_000_000)),
    ("ns", "nanoseconds", (1, 1_000_000_000)),
];
/// Where libraries declare these types.
const NAMESPACES: [&str; 2] = ["std::chrono::", "std::__1::chrono::"];

/// A duration: its number, and what that counts.
struct Duration {
    ty: TypeRef,
    count: Value,
    /// Seconds in a unit, as a fraction.
    unit: (i128, i128),
    computes: Arithmetic,
}

enum Chrono {
    Duration(Duration),
    /// How long after the epoch of a clock, by the clock's name.
    Point {
        ty: TypeRef,
        clock: String,
        since: Duration,
    },
}

impl Evaluator<'_> {
    /// Evaluates an operation on durations and points in time; `None` if neither operand is one, or if a duration is
    /// compared with a number.
    pub(super) fn chrono_operation(
        &mut self,
        op: BinaryOp,
        (left, a): (&Value, &Expr),
        (right, b): (&Value, &Expr),
        span: &Span,
    ) -> Result<Option<Value>, Error> {
        let (x, y) = (self.chrono_of(left, &a.span)?, self.chrono_of(right, &b.span)?);
        let operation = number_op(op);
        let wrong = |this: &Self, value: &Value, expr: &Expr| {
            Err(this.wrong_operand(op.symbol(), &value.ty, NEEDS, &expr.span))
        };
        match (x, y) {
            (None, None) => Ok(None),
            (Some(Chrono::Duration(x)), Some(Chrono::Duration(y))) => {
                let (p, q, unit) = self.in_one_unit((&x, a), (&y, b), span)?;
                match operation {
                    None => self.chrono_order(op, p, q, span).map(Some),
                    Some(NumberOp::Div) => arith::binary(NumberOp::Div, p, q)
                        .map(|n| Some(Value::from_number(n)))
                        .map_err(|e| Error::new(span, e)),
                    Some(operation @ (NumberOp::Add | NumberOp::Sub | NumberOp::Rem)) => {
                        let number = arith::binary(operation, p, q).map_err(|e| Error::new(span, e))?;
                        self.typed_duration(number, p.ty(), unit, &[(&x.ty, &x), (&y.ty, &y)], span).map(Some)
                    }
                    Some(_) => wrong(self, right, b),
                }
            }
            (Some(Chrono::Point { ty, clock, since }), Some(Chrono::Point { clock: other, since: its, .. })) => {
                if clock != other {
                    let why = format!("one is a time of {clock}, the other of {other}");
                    return Err(meaning::no_element(span, &why));
                }
                let (p, q, unit) = self.in_one_unit((&since, a), (&its, b), span)?;
                match operation {
                    None => self.chrono_order(op, p, q, span).map(Some),
                    Some(NumberOp::Sub) => {
                        let number = arith::binary(NumberOp::Sub, p, q).map_err(|e| Error::new(span, e))?;
                        let types = [(&since.ty, &since), (&its.ty, &its)];
                        self.typed_duration(number, p.ty(), unit, &types, span).map(Some)
                    }
                    Some(_) => Err(self.wrong_operand(op.symbol(), &ty, NEEDS, &a.span)),
                }
            }
            (Some(Chrono::Point { ty, since, .. }), Some(Chrono::Duration(by))) => match operation {
                Some(operation @ (NumberOp::Add | NumberOp::Sub)) => {
                    self.moved_point(operation, (&ty, &since, a), (&by, b), span).map(Some)
                }
                _ => wrong(self, right, b),
            },
            (Some(Chrono::Duration(by)), Some(Chrono::Point { ty, since, .. })) => match operation {
                Some(NumberOp::Add) => self.moved_point(NumberOp::Add, (&ty, &since, b), (&by, a), span).map(Some),
                _ => wrong(self, left, a),
            },
            (Some(Chrono::Duration(x)), None) => {
                let is_number = Arithmetic::of(&right.ty, self.env.target()).is_some();
                match operation {
                    None if is_number => Ok(None),
                    Some(operation @ (NumberOp::Mul | NumberOp::Div | NumberOp::Rem)) if is_number => {
                        self.scaled(operation, &x, (&x.count, a), (right, b), span).map(Some)
                    }
                    _ => wrong(self, right, b),
                }
            }
            (None, Some(Chrono::Duration(y))) => {
                let is_number = Arithmetic::of(&left.ty, self.env.target()).is_some();
                match operation {
                    None if is_number => Ok(None),
                    Some(NumberOp::Mul) if is_number => {
                        self.scaled(NumberOp::Mul, &y, (left, a), (&y.count, b), span).map(Some)
                    }
                    _ => wrong(self, left, a),
                }
            }
            (Some(Chrono::Point { .. }), None) => wrong(self, right, b),
            (None, Some(Chrono::Point { .. })) => wrong(self, left, a),
        }
    }

    /// Evaluates `+x` or `-x` of a duration; `None` if it is none.
    pub(super) fn chrono_sign(&mut self, op: UnaryOp, value: &Value, span: &Span) -> Result<Option<Value>, Error> {
        let Some(Chrono::Duration(duration)) = self.chrono_of(value, span)? else { return Ok(None) };
        match op {
            UnaryOp::Plus => Ok(Some(value.clone())),
            UnaryOp::Minus => {
                let number = self.number(duration.count.clone(), "-", "a number", span)?.negated();
                let types = [(&duration.ty, &duration)];
                self.typed_duration(number, duration.computes, duration.unit, &types, span).map(Some)
            }
            _ => Err(self.wrong_operand(op.symbol(), &value.ty, NEEDS, span)),
        }
    }

    /// Makes the duration that a literal is: of the program's own type for it, if it has that.
    pub(super) fn duration_literal(&mut self, unit: &str, count: u64, span: &Span) -> Result<Value, Error> {
        let Some((suffix, class, unit)) = LITERALS.iter().find(|(suffix, ..)| *suffix == unit) else {
            return Err(Error::new(span, ErrorKind::InvalidNumber(format!("{count}{unit}"))));
        };
        if i64::try_from(count).is_err() {
            return Err(Error::new(span, ErrorKind::InvalidNumber(format!("{count}{}", suffix))));
        }
        let number = count.to_le_bytes();
        for namespace in NAMESPACES {
            let Some(ty) = self.env.type_named(None, &format!("{namespace}{class}")) else { continue };
            let ty = completed(&ty, self.env).unwrap_or(ty);
            let value = Value::computed(ty, &number);
            let is_it = |duration: Duration| duration.unit == *unit && size_of(&value.ty) == Some(number.len() as u64);
            if self.duration_of(value.clone()).is_some_and(is_it) {
                return Ok(value);
            }
        }
        Ok(Value::computed(literal_type(*unit), &number))
    }

    fn chrono_order(&mut self, op: BinaryOp, x: Number, y: Number, span: &Span) -> Result<Value, Error> {
        let order = arith::compare(x, y).map_err(|e| Error::new(span, e))?;
        Ok(self.truth_value(holds(op, order)))
    }

    /// Moves a point in time.
    fn moved_point(
        &mut self,
        operation: NumberOp,
        (ty, since, a): (&TypeRef, &Duration, &Expr),
        (by, b): (&Duration, &Expr),
        span: &Span,
    ) -> Result<Value, Error> {
        let (p, q, unit) = self.in_one_unit((since, a), (by, b), span)?;
        let number = arith::binary(operation, p, q).map_err(|e| Error::new(span, e))?;
        self.typed_duration(number, p.ty(), unit, &[(ty, since)], span)
    }

    /// Multiplies or divides a duration by a number.
    fn scaled(
        &mut self,
        operation: NumberOp,
        of: &Duration,
        (left, a): (&Value, &Expr),
        (right, b): (&Value, &Expr),
        span: &Span,
    ) -> Result<Value, Error> {
        let x = self.number(left.clone(), operation.symbol(), "numbers", &a.span)?;
        let y = self.number(right.clone(), operation.symbol(), "numbers", &b.span)?;
        let number = arith::binary(operation, x, y).map_err(|e| Error::new(span, e))?;
        self.typed_duration(number, number.ty(), of.unit, &[(&of.ty, of)], span)
    }

    /// Returns the numbers that two durations are in the unit that both are whole numbers of, and that unit.
    fn in_one_unit(
        &mut self,
        (x, a): (&Duration, &Expr),
        (y, b): (&Duration, &Expr),
        span: &Span,
    ) -> Result<(Number, Number, (i128, i128)), Error> {
        let unit = common_unit(x.unit, y.unit);
        let unit = unit.ok_or_else(|| meaning::no_element(span, "their units have no supported common unit"))?;
        let computes = if x.computes == y.computes { x.computes } else { arith::common_type(x.computes, y.computes) };
        Ok((self.number_in(x, computes, unit, &a.span)?, self.number_in(y, computes, unit, &b.span)?, unit))
    }

    /// Returns the number that a duration is in another unit, of which its own is a whole number.
    fn number_in(
        &mut self,
        duration: &Duration,
        computes: Arithmetic,
        (num, den): (i128, i128),
        span: &Span,
    ) -> Result<Number, Error> {
        let number = self.number(duration.count.clone(), "+", "a number", span)?;
        let number = number.convert(computes).map_err(|e| Error::new(span, e))?;
        let (own_num, own_den) = duration.unit;
        let overflow = || Error::new(span, ErrorKind::Overflow(self.name_of(&computes.base_type())));
        let (whole, part) = own_num.checked_mul(den).zip(own_den.checked_mul(num)).ok_or_else(overflow)?;
        let factor = whole.checked_div(part).ok_or_else(overflow)?;
        match number {
            _ if factor == 1 || self.unevaluated => Ok(number),
            Number::Integer(count) => {
                let exact = count.value().checked_mul(factor).ok_or_else(overflow)?;
                let result = Integer::new(count.ty(), exact as u128);
                if result.value() == exact { Ok(Number::Integer(result)) } else { Err(overflow()) }
            }
            number => {
                let wide = IntegerType { rank: Rank::Int128, signed: true };
                let factor = Number::Integer(Integer::new(wide, factor as u128));
                let factor = factor.convert(computes).map_err(|e| Error::new(span, e))?;
                arith::binary(NumberOp::Mul, number, factor).map_err(|e| Error::new(span, e))
            }
        }
    }

    /// Makes a number of units a value: of the first of some types that has this unit, and computes so.
    fn typed_duration(
        &mut self,
        number: Number,
        computes: Arithmetic,
        unit: (i128, i128),
        types: &[(&TypeRef, &Duration)],
        span: &Span,
    ) -> Result<Value, Error> {
        let ty = types.iter().find(|(_, of)| of.unit == unit && of.computes == computes).map(|(ty, _)| *ty);
        let ty = ty.ok_or_else(|| {
            let (num, den) = unit;
            let why = format!(
                "the result counts units of {num}/{den} s, in a type that no operand has; take count() of each"
            );
            meaning::no_element(span, &why)
        })?;
        let mut bytes = number.convert(computes).map_err(|e| Error::new(span, e))?.to_bytes();
        bytes.resize(size_of(ty).unwrap_or(0).min(64) as usize, 0);
        Ok(Value::computed(ty.clone(), &bytes))
    }

    /// Returns the duration or the point in time that a value is.
    fn chrono_of(&mut self, value: &Value, span: &Span) -> Result<Option<Chrono>, Error> {
        let Some(kind) = self.chrono_kind(&value.ty) else { return Ok(None) };
        let ty = completed(&value.ty, self.env).unwrap_or_else(|| value.ty.clone());
        let value = Value { ty: ty.clone(), ..value.clone() };
        let unclear = |this: &Self| {
            let why = format!("the debug info does not say what {} counts", this.name_of(&ty));
            Error::new(span, ErrorKind::Lookup(why))
        };
        if kind == "duration" {
            return self.duration_of(value).map(Chrono::Duration).map(Some).ok_or_else(|| unclear(self));
        }
        let member = ["__d", "__d_"].into_iter().find_map(|name| value.member(name));
        let since = member.and_then(|since| self.duration_of(since));
        let clock = type_argument(&ty, 0).map(|clock| self.name_of(&clock));
        let point = since.zip(clock).map(|(since, clock)| Chrono::Point { ty: ty.clone(), clock, since });
        point.map(Some).ok_or_else(|| unclear(self))
    }

    fn duration_of(&self, value: Value) -> Option<Duration> {
        let count = ["__r", "__rep_"].into_iter().find_map(|name| value.member(name))?;
        let unit = type_argument(&value.ty, 1)?;
        let unit = (value_argument(&unit, 0)?, value_argument(&unit, 1)?);
        let computes = Arithmetic::of(&count.ty, self.env.target())?;
        (unit.0 > 0 && unit.1 > 0).then_some(Duration { ty: value.ty, count, unit, computes })
    }

    /// Returns which class of `std::chrono` a type is.
    fn chrono_kind(&self, ty: &TypeRef) -> Option<&'static str> {
        let ty = strip(ty);
        let Type::Record(Record { name: Some(name), .. }) = &*ty else { return None };
        let path = bare_path(name);
        let is_chrono = self.env.target().dialect == Dialect::Cxx && path.starts_with("std::");
        let is_chrono = is_chrono && path.contains("chrono::");
        ["duration", "time_point"].into_iter().find(|kind| is_chrono && last(path) == *kind)
    }
}

/// Makes the type of a literal, as GNU's library has it.
fn literal_type((num, den): (i128, i128)) -> TypeRef {
    let long = || Link::ready(Arithmetic::Integer(IntegerType::LONG).base_type());
    let number = |value| Argument::Value { ty: long(), value: Some(value) };
    let ratio = format!("std::ratio<{num}, {den}>");
    let name = format!("std::chrono::duration<long, {ratio} >");
    let arguments = vec![number(num), number(den)];
    let ratio = Type::Record(Record { name: Some(ratio), size: Some(1), arguments, ..Record::default() });
    let arguments = vec![Argument::Type(long()), Argument::Type(Link::ready(Arc::new(ratio)))];
    let long = Arithmetic::Integer(IntegerType::LONG).base_type();
    let members = vec![Member::new(Some("__r"), long, 0)];
    Arc::new(Type::Record(Record { name: Some(name), size: Some(8), members, arguments, ..Record::default() }))
}

/// Returns the largest unit that two units are whole numbers of.
fn common_unit(x: (i128, i128), y: (i128, i128)) -> Option<(i128, i128)> {
    let den = (x.1 / divisor(x.1, y.1)).checked_mul(y.1)?;
    Some((divisor(x.0, y.0), den))
}

/// Returns the greatest common divisor of two numbers above zero.
fn divisor(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a, b);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a.max(1)
}

fn argument(ty: &TypeRef, index: usize) -> Option<Argument> {
    match &*strip(ty) {
        Type::Record(record) => record.arguments.get(index).cloned(),
        _ => None,
    }
}

fn type_argument(ty: &TypeRef, index: usize) -> Option<TypeRef> {
    match argument(ty, index)? {
        Argument::Type(link) => Some(link.get()),
        Argument::Value { .. } => None,
    }
}

fn value_argument(ty: &TypeRef, index: usize) -> Option<i128> {
    match argument(ty, index)? {
        Argument::Value { value, .. } => value,
        Argument::Type(_) => None,
    }
}
