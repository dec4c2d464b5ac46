//! Bits of C++'s `std::bitset` and `std::vector<bool>`: `x[i]` of one that is not constant is an object that stands for
//! the bit, and has a `~` of its own.

use super::*;
use base::qualified::bare_last;
use ctype::Qualifier;
use ctype::layout::is_qualified;

/// How the name of such an object's class ends.
const REFERENCE: &str = ">::reference";

impl Evaluator<'_> {
    /// Returns the type of an element that a container's `[]` gives, if it is a bit.
    pub(super) fn bit_type(&self, container: &Value) -> Option<TypeRef> {
        let ty = strip(&container.ty);
        let Type::Record(Record { name: Some(own), .. }) = &*ty else { return None };
        let is_bitset = own.starts_with("std::") && bare_last(own) == "bitset";
        // Of GNU's library it has no operators of its own.
        let is_bits = own.starts_with("std::__1::vector<bool");
        if !is_bitset && !is_bits {
            return None;
        }
        let bit = bool_type(self.env.target());
        if is_qualified(&container.ty, Qualifier::Const) {
            return Some(bit);
        }
        let name = format!("{}::reference", self.name_of(&ty));
        Some(Arc::new(Type::Typedef { name, target: bit.into(), alignment: None }))
    }

    /// Evaluates `~` of what stands for a bit; `None` of anything else.
    pub(super) fn bit_flipped(&mut self, op: UnaryOp, value: &Value, span: &Span) -> Result<Option<Value>, Error> {
        let is_bit = matches!(&*value.ty, Type::Typedef { name, .. } if name.starts_with("std::") && name.ends_with(REFERENCE))
            && Arithmetic::of(&value.ty, self.env.target()).is_some_and(is_truth);
        if op != UnaryOp::Complement || !is_bit {
            return Ok(None);
        }
        self.truth(value.clone(), op.symbol(), span).map(|truth| Some(self.truth_value(!truth)))
    }
}

fn is_truth(ty: Arithmetic) -> bool {
    matches!(ty, Arithmetic::Integer(IntegerType { rank: Rank::Bool, .. }))
}
