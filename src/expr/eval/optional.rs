//! C++'s `std::optional` in comparisons: with another, with a value, and with `std::nullopt`.

use super::*;
use base::qualified::{bare_path, last};

impl Evaluator<'_> {
    /// Evaluates `optional == std::nullopt`; `None` if neither side is that.
    pub(super) fn compare_nullopt(&mut self, op: BinaryOp, a: &Expr, b: &Expr) -> Result<Option<Value>, Error> {
        if self.env.target().dialect != Dialect::Cxx || !matches!(op, BinaryOp::Equal | BinaryOp::NotEqual) {
            return Ok(None);
        }
        let other = match (is_nullopt(a), is_nullopt(b)) {
            (true, false) => b,
            (false, true) => a,
            _ => return Ok(None),
        };
        let value = self.value(other)?;
        let value = self.referent(value, &other.span)?;
        let Some(content) = self.content(&value, &other.span)? else { return Ok(None) };
        Ok(Some(self.truth_value(content.is_none() == (op == BinaryOp::Equal))))
    }

    /// Evaluates `function == nullptr`: whether an object of the library is one that counts as false; `None` of anything
    /// else.
    pub(super) fn compare_null(
        &mut self,
        op: BinaryOp,
        (left, a): (&Value, &Expr),
        (right, b): (&Value, &Expr),
    ) -> Result<Option<Value>, Error> {
        let is_null = |value: &Value| matches!(&*value.ty, Type::Typedef { name, .. } if name == "std::nullptr_t");
        // Other objects count as false, too, and are not compared with it: `std::error_code`.
        let is_wrapper = |name: &str| name.starts_with("std::") && last(bare_path(name)).ends_with("function");
        let is_object = |value: &Value| matches!(&*strip(&value.ty), Type::Record(record) if record.name.as_deref().is_some_and(is_wrapper));
        let (object, expr) = match op {
            BinaryOp::Equal | BinaryOp::NotEqual if is_null(right) && is_object(left) => (left, a),
            BinaryOp::Equal | BinaryOp::NotEqual if is_null(left) && is_object(right) => (right, b),
            _ => return Ok(None),
        };
        let Some(meaning) = self.meaning(object, &expr.span)? else { return Ok(None) };
        let truth = meaning.facts.into_iter().find(|(name, _)| *name == "operator bool").map(|(_, truth)| truth);
        let Some(truth) = truth else { return Ok(None) };
        let truth = self.truth(truth, op.symbol(), &expr.span)?;
        Ok(Some(self.truth_value(truth != (op == BinaryOp::Equal))))
    }

    /// Compares an optional with another, or with a value; `None` if neither is one. An empty one comes first.
    pub(super) fn compare_optionals(
        &mut self,
        op: BinaryOp,
        (left, a): (&Value, &Expr),
        (right, b): (&Value, &Expr),
        span: &Span,
    ) -> Result<Option<Value>, Error> {
        if self.env.target().dialect != Dialect::Cxx {
            return Ok(None);
        }
        let contents = (self.content(left, &a.span)?, self.content(right, &b.span)?);
        let (x, y) = match contents {
            (None, None) => return Ok(None),
            (x, y) => (x.unwrap_or_else(|| Some(left.clone())), y.unwrap_or_else(|| Some(right.clone()))),
        };
        let order = match (x, y) {
            (Some(x), Some(y)) => return self.binary_values(op, (x, a), (y, b), span).map(Some),
            (x, y) => x.is_some().cmp(&y.is_some()),
        };
        Ok(Some(self.truth_value(operator::holds(op, Some(order)))))
    }

    /// Returns what an optional holds, if it is not empty; `None` for everything else.
    fn content(&mut self, value: &Value, span: &Span) -> Result<Option<Option<Value>>, Error> {
        let is_optional = |name: &str| name.starts_with("std::") && last(bare_path(name)) == "optional";
        if !matches!(&*strip(&value.ty), Type::Record(record) if record.name.as_deref().is_some_and(is_optional)) {
            return Ok(None);
        }
        let Some(meaning) = self.meaning(value, span)? else { return Ok(None) };
        let is_empty = matches!(meaning.target, Some(Value { place: Place::Unavailable(_), .. }) | None);
        Ok(Some(meaning.target.filter(|_| !is_empty)))
    }
}

fn is_nullopt(expr: &Expr) -> bool {
    let ExprKind::Name(name) = &expr.kind else { return false };
    matches!(name.path.iter().map(String::as_str).collect::<Vec<_>>().as_slice(), ["nullopt"] | ["std", "nullopt"])
}
