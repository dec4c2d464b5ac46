//! `substr` of C++'s texts: a view of a part of one.

use super::meaning::no_element;
use super::*;
use ctype::{Argument, Body, Link, Meaning, Member, Record};

impl Evaluator<'_> {
    /// Evaluates `text.substr(start, count)` to a view of that part; `None` if the object is no text in memory.
    pub(super) fn substring(
        &mut self,
        value: &Value,
        start: &Expr,
        count: Option<&Expr>,
        span: &Span,
    ) -> Result<Option<Value>, Error> {
        let Some(Meaning { body: Body::Text(characters), length: Some(length), rust: false, .. }) =
            self.meaning(value, span)?
        else {
            return Ok(None);
        };
        let Some(((element, _), address)) = array_parts(&characters.ty).zip(characters.address()) else {
            return Ok(None);
        };
        let at = self.value(start)?;
        let at = self.place(at, start, span)?;
        let rest = length.checked_sub(at).filter(|_| !self.unevaluated);
        let rest = match rest {
            Some(rest) => rest,
            None if self.unevaluated => 0,
            None => {
                return Err(no_element(
                    span,
                    &format!("position {at} is past the end: the text has {length} characters"),
                ));
            }
        };
        let count = match count {
            Some(expr) => {
                let count = self.value(expr)?;
                let ty = count.ty.clone();
                match self.number(count, "substr", "a number of characters", &expr.span)? {
                    // -1 is `npos`.
                    Number::Integer(count) => (count.bits() as u64).min(rest),
                    _ => return Err(self.wrong_operand("substr", &ty, "a number of characters", &expr.span)),
                }
            }
            None => rest,
        };
        let offset = at.wrapping_mul(size_of(&element).unwrap_or(1));
        Ok(Some(self.view(element, address.wrapping_add(offset), count)))
    }

    /// Makes a view of characters in memory, as GNU's library has it.
    fn view(&self, element: TypeRef, address: u64, count: u64) -> Value {
        let member = |name, ty: TypeRef, offset| Member::new(Some(name), ty, offset);
        let name = self.name_of(&strip(&element));
        let members = vec![
            member("_M_len", Arithmetic::Integer(IntegerType::UNSIGNED_LONG).base_type(), 0),
            member("_M_str", pointer_to(element.clone(), 8), 8),
        ];
        let view = Record {
            name: Some(format!("std::basic_string_view<{name}, std::char_traits<{name}> >")),
            size: Some(16),
            members,
            arguments: vec![Argument::Type(Link::ready(element))],
            ..Record::default()
        };
        let bytes: Vec<u8> = [count, address].iter().flat_map(|word| word.to_le_bytes()).collect();
        Value::computed(Arc::new(Type::Record(view)), &bytes)
    }
}
