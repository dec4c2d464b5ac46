//! Operators that a program has of its own.

use super::Names;
use crate::module::Loaded;
use ctype::TypeRef;

impl<M: Loaded> Names<M> {
    /// Returns whether there is a function of the program for an operator and operands of these types.
    pub fn has_operator(&self, name: &str, operands: &[TypeRef]) -> bool {
        self.modules.iter().any(|module| module.image().has_operator(name, operands))
    }
}
