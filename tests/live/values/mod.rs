//! Values: where they are stored, and what expressions over them yield.

pub mod class_members;
pub mod in_pieces;
pub mod inspection;
pub mod language_rules;
pub mod member_pointers;
pub mod operators;
pub mod optimised;
pub mod prologues;
pub mod promotions;
pub mod sizes;
pub mod storage;
pub mod unwinding;
pub mod user_comparisons;
