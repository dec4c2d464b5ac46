//! Rust's types that begin with a sign: `&T`, `*const T`, `[T; 3]`; and of what has no size, `&str`, `&[T]`, `&dyn T`.

use super::ast::Derivation;
use super::*;
use ctype::PointerKind;

impl Parser<'_> {
    /// Returns whether what is so far ahead is such a type and can be no operand, where an operand may stand, too.
    pub(super) fn starts_rust_type(&mut self, ahead: usize) -> bool {
        if !self.is_rust() {
            return false;
        }
        let mut at = ahead;
        for _ in 0..MAX_DEPTH {
            match self.peek_at(at) {
                Token::Punctuator("&" | "&&") => at += 1,
                Token::Identifier(word) if word == "mut" && at > ahead => at += 1,
                _ => break,
            }
        }
        match self.peek_at(at) {
            Token::Punctuator("[") => true,
            Token::Identifier(word) if at > ahead && (word == "str" || word == "dyn") => true,
            _ => at > ahead && self.starts_type(at),
        }
    }

    /// Parses a type of Rust behind which operators may stand: `x as u32 * y` multiplies.
    pub(super) fn rust_operand_type(&mut self) -> Result<TypeName, Error> {
        self.descend()?;
        let result = self.rust_operand_type_inner();
        self.depth -= 1;
        result
    }

    fn rust_operand_type_inner(&mut self) -> Result<TypeName, Error> {
        if let Some(ty) = self.rust_type()? {
            return Ok(ty);
        }
        let (base, qualifiers) = self.specifiers()?;
        Ok(TypeName { base, qualifiers, derivations: Vec::new() })
    }

    /// Parses a type that begins with a sign; `None` for any other, and outside of Rust.
    pub(super) fn rust_type(&mut self) -> Result<Option<TypeName>, Error> {
        if !self.is_rust() {
            return Ok(None);
        }
        let start = self.span().start;
        let (sign, kind) = match (self.peek(), self.peek_at(1)) {
            (Token::Punctuator("*"), Token::Identifier(word)) if word == "const" => ("*const ", 2),
            (Token::Punctuator("*"), Token::Identifier(word)) if word == "mut" => ("*mut ", 2),
            (Token::Punctuator("&"), Token::Identifier(word)) if word == "mut" => ("&mut ", 2),
            (Token::Punctuator("&"), _) => ("&", 1),
            (Token::Punctuator("&&"), _) => {
                // One behind the other.
                self.part_signs();
                ("&", 1)
            }
            (Token::Punctuator("["), _) => return self.rust_array().map(Some),
            _ => return Ok(None),
        };
        (0..kind).for_each(|_| self.advance());
        if let Some(target) = self.without_size()? {
            let base = TypeBase::Named(format!("{sign}{target}"));
            return Ok(Some(TypeName { base, qualifiers: Vec::new(), derivations: Vec::new() }));
        }
        let mut target = self.rust_operand_type()?;
        if target.derivations.len() >= MAX_DEPTH as usize {
            return Err(Error::new(&(start..self.previous_end()), ErrorKind::TooDeep(MAX_DEPTH)));
        }
        self.grow(&mut target.derivations, Derivation::Pointer(PointerKind::Pointer, Vec::new()))?;
        Ok(Some(target))
    }

    /// Splits the `&&` that is next.
    fn part_signs(&mut self) {
        let (start, end) = (self.span().start, self.span().end);
        let halves = [start..start + 1, start + 1..end].map(|half| (Token::Punctuator("&"), half));
        self.tokens.splice(self.at..=self.at, halves);
    }

    /// Parses `[T; 3]`.
    fn rust_array(&mut self) -> Result<TypeName, Error> {
        self.advance();
        let mut element = self.type_name()?;
        self.require(";", "\";\" and the number of elements")?;
        let count = match self.peek() {
            Token::Integer(_, count) => *count,
            _ => return Err(self.expected("the number of elements")),
        };
        self.advance();
        self.require("]", "\"]\" after the number of elements")?;
        self.grow(&mut element.derivations, Derivation::Array(Some(count)))?;
        Ok(element)
    }

    /// Takes `str`, `[T]` or `dyn Trait`, which only pointers lead to, and returns its text.
    fn without_size(&mut self) -> Result<Option<String>, Error> {
        let (start, at) = (self.span().start, self.at);
        match self.peek() {
            Token::Identifier(word) if word == "str" => self.advance(),
            Token::Identifier(word) if word == "dyn" => {
                let mut open = 0usize;
                loop {
                    match self.peek() {
                        Token::Punctuator("<") => open += 1,
                        Token::Punctuator(">") if open > 0 => open -= 1,
                        Token::Punctuator(">" | ")" | "]" | "," | ";") if open == 0 => break,
                        Token::End => break,
                        _ => {}
                    }
                    self.advance();
                }
            }
            Token::Punctuator("[") => {
                self.advance();
                self.type_name()?;
                if self.is(";") {
                    self.at = at;
                    return Ok(None);
                }
                self.require("]", "\"]\" or \";\" after the type of the elements")?;
            }
            _ => return Ok(None),
        }
        Ok(self.text.get(start..self.previous_end()).map(str::to_owned))
    }
}
