//! Operators that are functions of the program are not computed.

use super::*;
use crate::own_operators::{own_binary, own_unary};

impl Evaluator<'_> {
    /// Fails if an operator calls a function of the program for values of these types.
    pub(super) fn no_own_binary(&mut self, op: BinaryOp, (a, b): (&Value, &Value), span: &Span) -> Result<(), Error> {
        let found = own_binary(op, [&a.ty, &b.ty], self.env);
        found.map_or(Ok(()), |function| Err(self.own_operator(op.symbol(), &function, span)))
    }

    /// Fails if an operator calls a function of the program for a value of this type.
    pub(super) fn no_own_unary(&mut self, op: UnaryOp, value: &Value, span: &Span) -> Result<(), Error> {
        let found = own_unary(op, &value.ty, self.env);
        found.map_or(Ok(()), |function| Err(self.own_operator(op.symbol(), &function, span)))
    }

    fn own_operator(&self, symbol: &str, function: &str, span: &Span) -> Error {
        let number = if self.is_rust() { "of an enum without fields, `x as i64`" } else { "(long)x" };
        let why = format!(
            "operator {symbol} calls {function} here, a function of the program, which is not computed; {number} is the \
             number of x"
        );
        Error::new(span, ErrorKind::Call(why))
    }
}
