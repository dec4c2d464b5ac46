//! Calls that can be computed: `std::get<1>(x)`, and Rust's `Some(x)`, which makes a value of an enum.

use super::*;
use crate::TemplateArgument;

/// Methods of Rust that are asked about a type.
const BY_TYPE: [&str; 3] = ["downcast_ref", "downcast_mut", "is"];
/// Types of Rust's library of which functions are called with the value first, as `Rc::strong_count(&rc)` is.
const OWNERS: [&str; 18] = [
    "Rc", "Arc", "Weak", "Box", "Vec", "VecDeque", "String", "str", "Option", "Result", "RefCell", "Cell", "Mutex",
    "HashMap", "HashSet", "BTreeMap", "BTreeSet", "Iterator",
];

/// Functions of `std` that take template arguments, and that are computed.
const KNOWN: [&str; 4] = ["get", "get_if", "holds_alternative", "any_cast"];

impl Parser<'_> {
    /// Takes such a call, if one is next.
    pub(super) fn known_call(&mut self) -> Result<Option<Expr>, Error> {
        match self.target.dialect {
            Dialect::C => Ok(None),
            Dialect::Cxx => self.std_call(),
            Dialect::Rust => self.variant_call(),
        }
    }

    /// Parses `std::get<1>(x)`.
    fn std_call(&mut self) -> Result<Option<Expr>, Error> {
        let (start, at) = (self.span().start, self.at);
        let is_std = self.identifier() == Some("std") && matches!(self.peek_at(1), Token::Punctuator("::"));
        let name = match self.peek_at(2) {
            Token::Identifier(name) if is_std && KNOWN.contains(&name.as_str()) => format!("std::{name}"),
            _ => return Ok(None),
        };
        self.at += 3;
        if !self.is("<") {
            self.at = at;
            return Ok(None);
        }
        self.part_shifts();
        self.advance();
        let mut templates = Vec::new();
        while !self.accept(">") {
            if !templates.is_empty() {
                self.require(",", "\",\" or \">\" after a template argument")?;
            }
            templates.push(match self.peek() {
                Token::Integer(_, number) => {
                    let number = *number;
                    self.advance();
                    TemplateArgument::Number(number)
                }
                _ => TemplateArgument::Type(self.type_name()?),
            });
        }
        self.require("(", "\"(\" and an argument")?;
        let arguments = self.arguments(start)?;
        self.node(start, ExprKind::Call(name, templates, arguments)).map(Some)
    }

    /// Splits each `>>` up to the list of arguments, which closes two lists of template arguments.
    fn part_shifts(&mut self) {
        let mut at = self.at;
        while let Some((token, span)) = self.tokens.get(at) {
            match token {
                Token::Punctuator("(") => break,
                Token::Punctuator(">>") => {
                    let (start, end) = (span.start, span.end);
                    let halves = [start..start + 1, start + 1..end].map(|half| (Token::Punctuator(">"), half));
                    self.tokens.splice(at..=at, halves);
                    at += 2;
                }
                _ => at += 1,
            }
        }
    }

    /// Parses `Some(x)`, `Shape::Circle(1.5)`: the name of a variant begins with a capital; and `Rc::strong_count(&rc)`.
    fn variant_call(&mut self) -> Result<Option<Expr>, Error> {
        let (start, at) = (self.span().start, self.at);
        let mut path = String::new();
        while let Some(part) = self.identifier().map(str::to_owned) {
            self.advance();
            path.push_str(&part);
            if self.is("(") && part.starts_with(char::is_uppercase) {
                self.advance();
                let arguments = self.arguments(start)?;
                return self.node(start, ExprKind::Call(path, Vec::new(), arguments)).map(Some);
            }
            let owner = path.rsplit("::").nth(1);
            if self.is("(") && owner.is_some_and(|owner| OWNERS.contains(&owner)) {
                self.advance();
                let mut arguments = self.arguments(start)?;
                if arguments.is_empty() {
                    break;
                }
                let object = Box::new(arguments.remove(0));
                return self.node(start, ExprKind::Method(object, Access::Dot, part, arguments)).map(Some);
            }
            if !self.accept("::") {
                break;
            }
            path.push_str("::");
        }
        self.at = at;
        Ok(None)
    }

    /// Parses the rest of `x.name::<T>(arguments)`. What the type is matters to few methods: it is their first argument.
    pub(super) fn turbofish(&mut self, object: Expr, access: Access, name: String) -> Result<Expr, Error> {
        let start = object.span.start;
        self.advance();
        self.part_shifts();
        self.advance();
        let mut arguments = Vec::new();
        if BY_TYPE.contains(&name.as_str()) {
            let from = self.span().start;
            let ty = self.type_name()?;
            arguments.push(self.node(from, ExprKind::Type(ty))?);
            self.require(">", "\">\" after the type")?;
        } else {
            let mut open = 1usize;
            while open > 0 {
                match self.peek() {
                    Token::Punctuator("<") => open += 1,
                    Token::Punctuator(">") => open -= 1,
                    Token::End => return Err(self.expected("\">\" after the type")),
                    _ => {}
                }
                self.advance();
            }
        }
        self.require("(", "\"(\" and arguments")?;
        arguments.extend(self.arguments(start)?);
        self.node(start, ExprKind::Method(Box::new(object), access, name, arguments))
    }

    /// Parses what stands between parentheses, the first of which has been taken.
    pub(super) fn arguments(&mut self, start: usize) -> Result<Vec<Expr>, Error> {
        let mut arguments = Vec::new();
        while !self.accept(")") {
            if !arguments.is_empty() {
                self.require(",", "\",\" or \")\" in the list of arguments")?;
            }
            let most = if self.names.may_call() { MAX_CALLED } else { MAX_ARGUMENTS };
            if arguments.len() >= most {
                return Err(Error::new(&(start..self.span().end), ErrorKind::Refused(Refusal::Call)));
            }
            arguments.push(self.expression(COMMA)?);
        }
        Ok(arguments)
    }
}
