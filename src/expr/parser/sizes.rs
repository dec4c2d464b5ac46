//! What is known of a type without a value of it: `sizeof x`, `sizeof(type)`, `_Alignof(type)`, `offsetof(type, member)`.

use super::ast::{Builtin, Derivation};
use super::*;
use ctype::PointerKind;

impl Parser<'_> {
    pub(super) fn alignof(&mut self) -> Result<Expr, Error> {
        let start = self.span().start;
        self.advance();
        let ty = self.parenthesized_type()?;
        self.node(start, ExprKind::AlignofType(ty))
    }

    pub(super) fn sizeof(&mut self) -> Result<Expr, Error> {
        let start = self.span().start;
        self.advance();
        if self.is("(") && (self.starts_type(1) || self.starts_rust_type(1)) && !self.starts_conversion(1) {
            let ty = self.parenthesized_type()?;
            return self.node(start, ExprKind::SizeofType(ty));
        }
        // What is only asked for its type is not called.
        self.sizes += 1;
        let operand = self.unary();
        self.sizes -= 1;
        self.node(start, ExprKind::SizeofExpr(Box::new(operand?)))
    }

    pub(super) fn parenthesized_type(&mut self) -> Result<TypeName, Error> {
        self.require("(", "\"(\" and a type")?;
        let start = self.span().start;
        let ty = self.type_name()?;
        self.known_instance(start, &ty)?;
        self.require(")", "\")\" after the type")?;
        Ok(ty)
    }

    /// Parses `offsetof(type, member)`, or a call of a function of that name.
    pub(super) fn offset_or_call(&mut self) -> Result<Expr, Error> {
        if !self.is_rust() && self.starts_type(2) {
            return self.offsetof();
        }
        let primary = self.primary()?;
        self.postfix(primary)
    }

    /// Parses `offsetof(type, member.of.it[3])`, which is the address of that in an object at zero.
    fn offsetof(&mut self) -> Result<Expr, Error> {
        let start = self.span().start;
        self.advance();
        self.require("(", "\"(\" and a type")?;
        let mut pointer = self.type_name()?;
        pointer.derivations.push(Derivation::Pointer(PointerKind::Pointer, Vec::new()));
        self.require(",", "\",\" and a member")?;
        let zero = Box::new(self.node(start, ExprKind::Integer(IntegerType::INT, 0))?);
        let object = Box::new(self.node(start, ExprKind::Cast(pointer, zero))?);
        let name = self.member_name()?;
        let member = self.node(start, ExprKind::Member(object, Access::Arrow, name))?;
        let member = Box::new(self.postfix(member)?);
        self.require(")", "\".\", \"[\" or \")\" after the member")?;
        let address = Box::new(self.node(start, ExprKind::Unary(UnaryOp::AddressOf, member))?);
        let base = TypeBase::Builtin(Builtin::Integer(IntegerType::UNSIGNED_LONG));
        let size = TypeName { base, qualifiers: Vec::new(), derivations: Vec::new() };
        self.node(start, ExprKind::Cast(size, address))
    }
}
