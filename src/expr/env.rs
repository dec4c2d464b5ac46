//! What an expression needs to know about the program: implemented by whoever knows the frame.

use super::ast::{Name, Tag};
use ctype::{Memory, Target, TypeRef, Value};

/// The names that tell types from variables: `(a) - 1` is a cast or a subtraction.
pub trait Names {
    /// Returns whether `name` (`size_t`, `ns::Class`, `ns::Template<int>`) means a type where the expression stands:
    /// there is a type of that name and no variable hides it. Never asked about keywords.
    fn is_type(&mut self, name: &str) -> bool;

    /// Returns whether a variable has that name where the expression stands. Asked about words that are keywords of
    /// other languages only.
    fn is_variable(&mut self, name: &str) -> bool {
        let _ = name;
        false
    }

    /// Returns whether functions may be called.
    fn may_call(&mut self) -> bool {
        false
    }
}

/// The program's types.
pub trait Types {
    /// Returns the target.
    fn target(&self) -> Target;

    /// Looks up the type of that name: with a tag, `struct name` and so on; without, a typedef, base type or C++ class.
    /// Never asked for C's own base types, which work without debug info.
    fn type_named(&mut self, tag: Option<Tag>, name: &str) -> Option<TypeRef>;

    /// Returns why none of several types of that name is meant, if that is so (lower case, no full stop).
    fn unclear_type(&mut self, tag: Option<Tag>, name: &str) -> Option<String> {
        let _ = (tag, name);
        None
    }

    /// Looks up the enumeration type and value of an enumerator, `A` or `ns::Enum::A`.
    fn enumerator(&mut self, name: &str) -> Option<(TypeRef, i128)>;

    /// Returns whether the program has a function for an operator and operands of these types: `operator|` of C++,
    /// `PartialEq::eq` of Rust. What Rust's compiler has written counts for none.
    fn has_operator(&mut self, name: &str, operands: &[TypeRef]) -> bool {
        let _ = (name, operands);
        false
    }
}

/// What is passed to a function.
#[derive(Clone, Debug)]
pub enum Passed {
    /// A number or pointer of at most eight bytes.
    Scalar(TypeRef, Vec<u8>),
    /// A pointer with what belongs to it, each in a register of its own: how Rust passes `&str` and `&dyn Trait`.
    Words(Vec<u64>),
    /// The address of a copy of these bytes, and perhaps a word behind it.
    Copy(Vec<u8>, Option<u64>),
}

/// Why a variable has no value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LookupError {
    /// There is no variable or function of that name in scope.
    NotFound,
    /// There is, but it cannot be had, for this reason (lower case, no full stop). Not for variables that are
    /// optimized out: those are values that say so.
    Failed(String),
}

/// The program at one moment, seen from one frame.
pub trait Env: Types + Memory {
    /// Looks up a local, argument, global or function. A function is a value of function type at [`Place::Memory`] (its
    /// entry); types must have concrete array bounds.
    ///
    /// [`Place::Memory`]: ctype::Place::Memory
    fn variable(&mut self, name: &Name) -> Result<Value, LookupError>;

    /// Returns whether names of variables begin with the package that they are in: Go's `main.count`.
    fn has_packages(&mut self) -> bool {
        false
    }

    /// Looks up a register by the target's name, without `$`; `pc`, `sp` and `fp` are asked for under these names.
    fn register(&mut self, name: &str) -> Option<Value>;

    /// Returns whether functions may be called: in a copy of the process that is thrown away.
    fn may_call(&mut self) -> bool {
        false
    }

    /// Returns whether an expression may say that a function is called. What does so is evaluated later, where that
    /// [may](Self::may_call) be done.
    fn takes_calls(&mut self) -> bool {
        self.may_call()
    }

    /// Looks up all functions that a name means, as [`variable`](Self::variable) gives one.
    fn functions(&mut self, name: &Name) -> Vec<Value> {
        let _ = name;
        Vec::new()
    }

    /// Returns whether a function is written in Rust, which passes arguments in ways of its own.
    fn is_rust_function(&mut self, address: u64) -> bool {
        let _ = address;
        false
    }

    /// Returns whether nothing tells what a function takes and returns, though its debug info looks as if it took
    /// nothing: it is written in assembler.
    fn is_untyped_function(&mut self, address: u64) -> bool {
        let _ = address;
        false
    }

    /// Calls the function at an address. The error says in words (lower case, no full stop) why it has no result.
    fn call(&mut self, address: u64, result: &TypeRef, passed: &[Passed]) -> Result<Value, String> {
        let _ = (address, result, passed);
        Err("functions are not called here".to_owned())
    }

    /// Returns whether there are macros at all.
    fn has_macros(&mut self) -> bool {
        false
    }

    /// Looks up what a name is defined as by `#define`, without that word: `NAME body`, `NAME(a,b) body`.
    ///
    /// # Errors
    /// Why it is not clear which of several definitions is in effect.
    fn macro_named(&mut self, name: &str) -> Result<Option<String>, String> {
        let _ = name;
        Ok(None)
    }
}
