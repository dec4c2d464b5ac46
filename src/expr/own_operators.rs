//! Operators that a program has of its own for its enumerations: what they give, only their functions can say.

use super::ast::{BinaryOp, UnaryOp};
use super::env::Types;
use ctype::layout::strip;
use ctype::{Dialect, Record, Type, TypeRef};

/// Returns the function of the program that a binary operator calls for operands of these types, if it does.
pub(super) fn own_binary<T: Types + ?Sized>(op: BinaryOp, operands: [&TypeRef; 2], types: &mut T) -> Option<String> {
    let functions: &[&str] = match (types.target().dialect, op) {
        (Dialect::C, _) => return None,
        (Dialect::Rust, op) => match op {
            BinaryOp::Equal | BinaryOp::NotEqual => &["PartialEq::eq"],
            BinaryOp::Less | BinaryOp::LessEqual | BinaryOp::Greater | BinaryOp::GreaterEqual => {
                &["PartialOrd::partial_cmp"]
            }
            BinaryOp::Add => &["Add::add"],
            BinaryOp::Subtract => &["Sub::sub"],
            BinaryOp::Multiply => &["Mul::mul"],
            BinaryOp::Divide => &["Div::div"],
            BinaryOp::Remainder => &["Rem::rem"],
            BinaryOp::ShiftLeft => &["Shl::shl"],
            BinaryOp::ShiftRight => &["Shr::shr"],
            BinaryOp::BitAnd => &["BitAnd::bitand"],
            BinaryOp::BitOr => &["BitOr::bitor"],
            BinaryOp::BitXor => &["BitXor::bitxor"],
            _ => return None,
        },
        (Dialect::Cxx, op) => match op {
            BinaryOp::Equal => &["operator=="],
            BinaryOp::NotEqual => &["operator!=", "operator=="],
            BinaryOp::Less => &["operator<", "operator<=>"],
            BinaryOp::LessEqual => &["operator<=", "operator<=>"],
            BinaryOp::Greater => &["operator>", "operator<=>"],
            BinaryOp::GreaterEqual => &["operator>=", "operator<=>"],
            BinaryOp::Add => &["operator+"],
            BinaryOp::Subtract => &["operator-"],
            BinaryOp::Multiply => &["operator*"],
            BinaryOp::Divide => &["operator/"],
            BinaryOp::Remainder => &["operator%"],
            BinaryOp::ShiftLeft => &["operator<<"],
            BinaryOp::ShiftRight => &["operator>>"],
            BinaryOp::BitAnd => &["operator&"],
            BinaryOp::BitOr => &["operator|"],
            BinaryOp::BitXor => &["operator^"],
            BinaryOp::And => &["operator&&"],
            BinaryOp::Or => &["operator||"],
            _ => return None,
        },
    };
    own(functions, &operands, types)
}

/// Returns the function of the program that a unary operator calls for an operand of this type, if it does.
pub(super) fn own_unary<T: Types + ?Sized>(op: UnaryOp, operand: &TypeRef, types: &mut T) -> Option<String> {
    let function = match (types.target().dialect, op) {
        (Dialect::Cxx, UnaryOp::Not) => "operator!",
        (Dialect::Cxx, UnaryOp::Complement) => "operator~",
        (Dialect::Cxx, UnaryOp::Minus) => "operator-",
        (Dialect::Cxx, UnaryOp::Plus) => "operator+",
        (Dialect::Cxx, UnaryOp::Dereference) => "operator*",
        (Dialect::Rust, UnaryOp::Not) => "Not::not",
        (Dialect::Rust, UnaryOp::Minus) => "Neg::neg",
        _ => return None,
    };
    own(&[function], &[operand], types)
}

fn own<T: Types + ?Sized>(functions: &[&str], operands: &[&TypeRef], types: &mut T) -> Option<String> {
    if !operands.iter().any(|ty| may_have_own(ty)) {
        return None;
    }
    let operands: Vec<TypeRef> = operands.iter().map(|ty| strip(ty)).collect();
    let found = functions.iter().find(|function| types.has_operator(function, &operands))?;
    Some((*found).to_owned())
}

/// Returns whether a type is an enumeration, or an enum of Rust, of the program: those of Rust's library compare as one
/// expects. One of a single variant without fields has only one value.
fn may_have_own(ty: &TypeRef) -> bool {
    let is_of_library = |name: &str| ["core::", "alloc::", "std::"].iter().any(|root| name.starts_with(root));
    match &*strip(ty) {
        Type::Enumeration(enumeration) => {
            enumeration.name.as_deref().is_some_and(|name| !is_of_library(name)) && enumeration.enumerators.len() != 1
        }
        Type::Record(Record { variants: Some(variants), name: Some(name), .. }) => {
            let has_fields = |ty: &TypeRef| matches!(&*strip(ty), Type::Record(record) if !record.members.is_empty());
            let is_one = variants.list.len() == 1 && !variants.list.iter().any(|v| has_fields(&v.member.ty.get()));
            !is_of_library(name) && !is_one
        }
        _ => false,
    }
}
