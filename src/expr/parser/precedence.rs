//! How much operators between two operands bind: as C and C++ have it, and as Rust does.

use crate::ast::BinaryOp;
use ctype::Dialect;

/// Binding power of the conditional operator; the comma is below it.
pub(super) const CONDITIONAL: u8 = 3;
/// Binding power of the comma.
pub(super) const COMMA: u8 = 1;

/// Returns the operator between two operands that a sign means, and how much it binds.
pub(super) fn binary_operator(punctuator: &str, dialect: Dialect) -> Option<(BinaryOp, u8)> {
    let op = match punctuator {
        "," => BinaryOp::Comma,
        "||" => BinaryOp::Or,
        "&&" => BinaryOp::And,
        "|" => BinaryOp::BitOr,
        "^" => BinaryOp::BitXor,
        "&" => BinaryOp::BitAnd,
        "==" => BinaryOp::Equal,
        "!=" => BinaryOp::NotEqual,
        "<" => BinaryOp::Less,
        "<=" => BinaryOp::LessEqual,
        ">" => BinaryOp::Greater,
        ">=" => BinaryOp::GreaterEqual,
        "<<" => BinaryOp::ShiftLeft,
        ">>" => BinaryOp::ShiftRight,
        "@" => BinaryOp::Repeat,
        "+" => BinaryOp::Add,
        "-" => BinaryOp::Subtract,
        "*" => BinaryOp::Multiply,
        "/" => BinaryOp::Divide,
        "%" => BinaryOp::Remainder,
        ".*" => BinaryOp::MemberAt,
        "->*" => BinaryOp::MemberThrough,
        _ => return None,
    };
    Some((op, binding(op, dialect)))
}

/// Returns how much an operator binds.
fn binding(op: BinaryOp, dialect: Dialect) -> u8 {
    let of_c = match op {
        BinaryOp::Comma => COMMA,
        BinaryOp::Or => 4,
        BinaryOp::And => 5,
        BinaryOp::BitOr => 6,
        BinaryOp::BitXor => 7,
        BinaryOp::BitAnd => 8,
        BinaryOp::Equal | BinaryOp::NotEqual => 9,
        BinaryOp::Less | BinaryOp::LessEqual | BinaryOp::Greater | BinaryOp::GreaterEqual => 10,
        BinaryOp::ShiftLeft | BinaryOp::ShiftRight => 11,
        BinaryOp::Repeat => 12,
        BinaryOp::Add | BinaryOp::Subtract => 13,
        BinaryOp::Multiply | BinaryOp::Divide | BinaryOp::Remainder => 14,
        BinaryOp::MemberAt | BinaryOp::MemberThrough => 15,
    };
    // Rust's operators on bits bind more than all of its comparisons, which are on one level.
    match (dialect, op) {
        (Dialect::Rust, BinaryOp::BitOr) => 8,
        (Dialect::Rust, BinaryOp::BitXor) => 9,
        (Dialect::Rust, BinaryOp::BitAnd) => 10,
        (Dialect::Rust, op) if is_comparison(op) => 6,
        _ => of_c,
    }
}

/// Returns whether an operator compares.
pub(super) fn is_comparison(op: BinaryOp) -> bool {
    matches!(
        op,
        BinaryOp::Equal
            | BinaryOp::NotEqual
            | BinaryOp::Less
            | BinaryOp::LessEqual
            | BinaryOp::Greater
            | BinaryOp::GreaterEqual
    )
}

/// Returns the operator that a word of C++ is another spelling of: of those between two operands, where nothing else
/// can be.
pub(super) fn alternative(word: &str) -> Option<&'static str> {
    Some(match word {
        "and" => "&&",
        "or" => "||",
        "bitand" => "&",
        "bitor" => "|",
        "xor" => "^",
        "not_eq" => "!=",
        "and_eq" => "&=",
        "or_eq" => "|=",
        "xor_eq" => "^=",
        _ => return None,
    })
}

/// Returns whether a sign is one of those that assign.
pub(super) fn is_assignment(punctuator: &str) -> bool {
    matches!(punctuator, "=" | "+=" | "-=" | "*=" | "/=" | "%=" | "&=" | "|=" | "^=" | "<<=" | ">>=")
}
