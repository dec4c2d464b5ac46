//! From tokens to a tree: precedence climbing over the operators of the language, with GDB's `@` between shifts and
//! sums.

mod call;
mod keywords;
mod precedence;
mod rust_type;
mod sizes;
mod type_name;

use super::ast::{self, Access, BinaryOp, Expr, ExprKind, Name, TypeBase, TypeName, UnaryOp};
use super::env::Names;
use super::error::{Error, ErrorKind, Refusal, Span};
use super::lexer::{Token, tokenize};
use base::qualified::is_file;
use ctype::arith::IntegerType;
use ctype::{Dialect, Target};
use precedence::{COMMA, CONDITIONAL, alternative, binary_operator, is_assignment, is_comparison};

/// How deep expressions may be nested, in the text and in the tree: what is recursive stays well within a thread's
/// stack.
pub(super) const MAX_DEPTH: u32 = 64;
/// Calls of the parser to itself: parentheses take two a level.
const MAX_CALLS: u32 = 2 * MAX_DEPTH;

/// Parses an expression, or a type by itself. `names` decides what is a type.
pub fn parse(text: &str, names: &mut dyn Names, target: Target) -> Result<Expr, Error> {
    let tokens = tokenize(text, target)?;
    let mut parser = Parser { text, tokens, at: 0, depth: 0, sizes: 0, names, target };
    if *parser.peek() == Token::End {
        return Err(Error::new(&(0..text.len()), ErrorKind::Empty));
    }
    let expr = if parser.starts_type(0) && !parser.starts_conversion(0) {
        parser.type_or_variant()?
    } else {
        parser.expression(0)?
    };
    match parser.peek() {
        Token::End => Ok(expr),
        _ => Err(parser.expected("an operator or the end")),
    }
}

struct Parser<'a> {
    text: &'a str,
    /// Never empty: the last one is [`Token::End`].
    tokens: Vec<(Token, Span)>,
    at: usize,
    depth: u32,
    /// How many operands of `sizeof` are open, in which no calls are made.
    sizes: u32,
    names: &'a mut dyn Names,
    target: Target,
}

/// No function that can be computed takes more.
const MAX_ARGUMENTS: usize = 3;
/// Arguments of a function that is called.
const MAX_CALLED: usize = 32;

fn unary_operator(punctuator: &str) -> Option<UnaryOp> {
    Some(match punctuator {
        "+" => UnaryOp::Plus,
        "-" => UnaryOp::Minus,
        "!" => UnaryOp::Not,
        "~" => UnaryOp::Complement,
        "*" => UnaryOp::Dereference,
        "&" => UnaryOp::AddressOf,
        _ => return None,
    })
}

impl Parser<'_> {
    fn is_rust(&self) -> bool {
        self.target.dialect == Dialect::Rust
    }

    fn peek(&self) -> &Token {
        self.peek_at(0)
    }

    fn peek_at(&self, ahead: usize) -> &Token {
        self.tokens.get(self.at + ahead).map_or(&Token::End, |(token, _)| token)
    }

    fn span(&self) -> Span {
        self.tokens.get(self.at).map_or(self.text.len()..self.text.len(), |(_, span)| span.clone())
    }

    fn advance(&mut self) {
        self.at = (self.at + 1).min(self.tokens.len().saturating_sub(1));
    }

    fn is(&self, punctuator: &str) -> bool {
        matches!(self.peek(), Token::Punctuator(p) if *p == punctuator)
    }

    fn accept(&mut self, punctuator: &str) -> bool {
        let found = self.is(punctuator);
        if found {
            self.advance();
        }
        found
    }

    fn require(&mut self, punctuator: &'static str, expected: &'static str) -> Result<(), Error> {
        if self.accept(punctuator) { Ok(()) } else { Err(self.expected(expected)) }
    }

    fn identifier(&self) -> Option<&str> {
        match self.peek() {
            Token::Identifier(name) => Some(name),
            _ => None,
        }
    }

    /// Creates an error about the token that is next.
    fn expected(&self, expected: &'static str) -> Error {
        let span = self.span();
        let found = self.peek().describe(self.text.get(span.clone()).unwrap_or_default());
        Error::new(&span, ErrorKind::Expected { expected, found })
    }

    /// Goes one level down; the caller takes it back.
    fn descend(&mut self) -> Result<(), Error> {
        self.depth += 1;
        if self.depth > MAX_CALLS {
            return Err(Error::new(&self.span(), ErrorKind::TooDeep(MAX_DEPTH)));
        }
        Ok(())
    }

    fn node(&self, start: usize, kind: ExprKind) -> Result<Expr, Error> {
        let end = self.at.checked_sub(1).and_then(|at| self.tokens.get(at)).map_or(start, |(_, span)| span.end);
        let span = start..end.max(start);
        let height = 1 + match &kind {
            ExprKind::Unary(_, a)
            | ExprKind::Cast(_, a)
            | ExprKind::NamedCast(_, _, a)
            | ExprKind::SizeofExpr(a)
            | ExprKind::Member(a, ..)
            | ExprKind::Typed(_, a) => a.height,
            ExprKind::Binary(_, a, b) | ExprKind::Index(a, b) => a.height.max(b.height),
            ExprKind::Conditional(a, b, c) => a.height.max(b.height).max(c.height),
            ExprKind::Slice(a, start, end, _) => {
                [start, end].into_iter().flatten().fold(a.height, |height, bound| height.max(bound.height))
            }
            ExprKind::Method(a, _, _, list) | ExprKind::Apply(a, list) => {
                list.iter().fold(a.height, |height, b| height.max(b.height))
            }
            ExprKind::Call(_, _, list) => list.iter().fold(0, |height, b| height.max(b.height)),
            _ => 0,
        };
        match height > MAX_DEPTH {
            true => Err(Error::new(&span, ErrorKind::TooDeep(MAX_DEPTH))),
            false => Ok(Expr { kind, span, height }),
        }
    }

    /// Parses a type that is the whole text.
    fn only_type(&mut self) -> Result<Expr, Error> {
        let start = self.span().start;
        let ty = self.type_name()?;
        match self.peek() {
            Token::End => self.node(start, ExprKind::Type(ty)),
            _ => Err(self.no_value(start, &ty)),
        }
    }

    /// Returns the error for a type where a value is needed; it may be a template that has no instance with the arguments
    /// that follow.
    fn no_value(&mut self, start: usize, ty: &TypeName) -> Error {
        let (ty, end) = (ty.to_string(), self.previous_end());
        let kind = match self.function_template_arguments() {
            Some(arguments) => ErrorKind::NoSymbol(format!("{ty}{arguments}")),
            None => ErrorKind::IsType(ty),
        };
        Error::new(&(start..end), kind)
    }

    /// Parses a type that is the whole text, or, in Rust, an expression that begins with a variant: variants are types,
    /// too.
    fn type_or_variant(&mut self) -> Result<Expr, Error> {
        let start = self.at;
        match self.only_type() {
            Err(_) if self.is_rust() => {
                self.at = start;
                self.expression(0)
            }
            only => only,
        }
    }

    /// Parses an expression of operators that bind more than `power`.
    fn expression(&mut self, power: u8) -> Result<Expr, Error> {
        self.descend()?;
        let result = self.expression_inner(power);
        self.depth -= 1;
        result
    }

    fn expression_inner(&mut self, power: u8) -> Result<Expr, Error> {
        let mut left = self.unary()?;
        loop {
            // Rust's `x as T` binds more than any operator between two operands.
            if self.is_rust() && self.identifier() == Some("as") {
                left = self.cast_after(left)?;
                continue;
            }
            let punctuator = match self.peek() {
                Token::Punctuator(punctuator) => *punctuator,
                Token::Identifier(word) if !self.is_rust() => match alternative(word) {
                    Some(punctuator) => punctuator,
                    None => return Ok(left),
                },
                _ => return Ok(left),
            };
            if is_assignment(punctuator) {
                return Err(Error::new(&self.span(), ErrorKind::Refused(Refusal::Assignment)));
            }
            if punctuator == "?" && power < CONDITIONAL {
                left = self.conditional(left)?;
                continue;
            }
            let operator = binary_operator(punctuator, self.target.dialect);
            let Some((op, binding)) = operator.filter(|(_, binding)| *binding > power) else {
                return Ok(left);
            };
            left = self.binary(left, op, binding)?;
        }
    }

    // What follows is cut into small functions also because each is part of the recursion: its locals take stack on
    // every level.

    fn conditional(&mut self, condition: Expr) -> Result<Expr, Error> {
        self.advance();
        let yes = self.expression(0)?;
        self.require(":", "\":\" of the conditional operator")?;
        let no = self.expression(CONDITIONAL - 1)?;
        let start = condition.span.start;
        self.node(start, ExprKind::Conditional(Box::new(condition), Box::new(yes), Box::new(no)))
    }

    fn binary(&mut self, left: Expr, op: BinaryOp, binding: u8) -> Result<Expr, Error> {
        if op == BinaryOp::Comma && self.is_rust() {
            return Err(Error::new(&self.span(), ErrorKind::Tuple));
        }
        self.advance();
        let right = self.expression(binding)?;
        self.joined(left, op, right)
    }

    /// Makes an operation of its operands. Rust does not say which of two comparisons in a row comes first.
    fn joined(&self, left: Expr, op: BinaryOp, right: Expr) -> Result<Expr, Error> {
        if let Token::Punctuator(next) = *self.peek()
            && let Some((next, _)) = binary_operator(next, self.target.dialect)
            && self.is_rust()
            && is_comparison(op)
            && is_comparison(next)
        {
            return Err(self.expected("parentheses around one of two comparisons, as Rust requires,"));
        }
        let start = left.span.start;
        self.node(start, ExprKind::Binary(op, Box::new(left), Box::new(right)))
    }

    fn unary(&mut self) -> Result<Expr, Error> {
        self.descend()?;
        let result = self.unary_inner();
        self.depth -= 1;
        result
    }

    fn unary_inner(&mut self) -> Result<Expr, Error> {
        if let Token::Punctuator(punctuator) = *self.peek() {
            if matches!(punctuator, "++" | "--") {
                return Err(Error::new(&self.span(), ErrorKind::Refused(Refusal::Increment)));
            }
            if punctuator == "&&" && self.is_rust() {
                return self.borrow_twice();
            }
            // (`&&x` would be the address of a label, which is not in debug info.)
            if let Some(op) = unary_operator(punctuator) {
                return self.prefix(op);
            }
            if punctuator == "{" {
                return self.typed();
            }
            if punctuator == "(" && self.starts_type(1) && !self.starts_conversion(1) {
                return self.cast();
            }
        }
        let is_variable = self.is_variable(0);
        match self.identifier().filter(|_| !is_variable) {
            Some(_) if self.is_operator_on_types() => Err(Error::new(&self.span(), ErrorKind::OfTypes)),
            Some("not") if self.negates() => self.prefix(UnaryOp::Not),
            Some("compl") if self.negates() => self.prefix(UnaryOp::Complement),
            Some("sizeof") => self.sizeof(),
            Some("_Alignof" | "alignof" | "__alignof__") => self.alignof(),
            Some("offsetof" | "__builtin_offsetof") if matches!(self.peek_at(1), Token::Punctuator("(")) => {
                self.offset_or_call()
            }
            Some("static_cast" | "reinterpret_cast" | "const_cast" | "dynamic_cast") => self.named_cast(),
            _ => {
                let primary = self.primary()?;
                self.postfix(primary)
            }
        }
    }

    /// Returns whether the word that is next is one of C's and C++'s operators that have to do with types.
    pub(super) fn is_operator_on_types(&self) -> bool {
        let is_one = matches!(self.identifier(), Some("decltype" | "typeof" | "__typeof__" | "typeid" | "noexcept"));
        is_one && !self.is_rust() && matches!(self.peek_at(1), Token::Punctuator("("))
    }

    /// Returns whether the word that is next stands before an operand, and is no name then.
    fn negates(&self) -> bool {
        match self.peek_at(1) {
            Token::Identifier(word) => !self.is_rust() && alternative(word).is_none(),
            Token::Integer(..) | Token::Float(_) | Token::Char(..) | Token::Register(_) => !self.is_rust(),
            Token::Punctuator("(" | "!" | "~") => self.target.dialect == Dialect::Cxx,
            _ => false,
        }
    }

    /// Parses Rust's `&&x`, which is `&(&x)`.
    fn borrow_twice(&mut self) -> Result<Expr, Error> {
        let start = self.span().start;
        let inner = self.prefix(UnaryOp::AddressOf)?;
        self.node(start, ExprKind::Unary(UnaryOp::AddressOf, Box::new(inner)))
    }

    fn prefix(&mut self, op: UnaryOp) -> Result<Expr, Error> {
        let start = self.span().start;
        self.advance();
        // Whether what is borrowed may be changed through it makes no difference to who only looks.
        if op == UnaryOp::AddressOf && self.is_rust() && self.identifier() == Some("mut") {
            self.advance();
        }
        if let (UnaryOp::Minus, Token::Typed(name, value)) = (op, self.peek().clone()) {
            let number = self.typed_number(name, value, true)?;
            self.advance();
            return self.node(start, number);
        }
        let operand = Box::new(self.unary()?);
        self.node(start, ExprKind::Unary(op, operand))
    }

    /// Parses `{type} address`.
    fn typed(&mut self) -> Result<Expr, Error> {
        let start = self.span().start;
        self.advance();
        let ty = self.type_name()?;
        self.require("}", "\"}\" after the type")?;
        let address = Box::new(self.unary()?);
        self.node(start, ExprKind::Typed(ty, address))
    }

    /// Parses `(type)operand`.
    fn cast(&mut self) -> Result<Expr, Error> {
        let start = self.span().start;
        let ty = self.parenthesized_type()?;
        let operand = Box::new(self.unary()?);
        self.node(start, ExprKind::Cast(ty, operand))
    }

    /// Parses C++'s `type(operand)`.
    fn conversion(&mut self) -> Result<Expr, Error> {
        let start = self.span().start;
        let (base, qualifiers) = self.specifiers()?;
        let operand = Box::new(self.parenthesized()?);
        self.node(start, ExprKind::Cast(TypeName { base, qualifiers, derivations: Vec::new() }, operand))
    }

    /// Parses `static_cast<type>(operand)` and its relatives.
    fn named_cast(&mut self) -> Result<Expr, Error> {
        let start = self.span().start;
        let cast = match self.identifier() {
            Some("dynamic_cast") => Some(ast::NamedCast::Dynamic),
            Some("reinterpret_cast") => Some(ast::NamedCast::Reinterpret),
            Some("const_cast") => Some(ast::NamedCast::Const),
            _ => None,
        };
        self.advance();
        self.require("<", "\"<\" and a type")?;
        let ty = self.type_name()?;
        self.require(">", "\">\" after the type")?;
        if !self.is("(") {
            return Err(self.expected("\"(\" and an expression"));
        }
        let operand = Box::new(self.parenthesized()?);
        let kind = match cast {
            Some(cast) => ExprKind::NamedCast(cast, ty, operand),
            None => ExprKind::Cast(ty, operand),
        };
        let cast = self.node(start, kind)?;
        self.postfix(cast)
    }

    /// Parses `operand as type`.
    fn cast_after(&mut self, operand: Expr) -> Result<Expr, Error> {
        self.advance();
        let ty = self.rust_operand_type()?;
        let start = operand.span.start;
        self.node(start, ExprKind::Cast(ty, Box::new(operand)))
    }

    fn primary(&mut self) -> Result<Expr, Error> {
        let start = self.span().start;
        if let Some(call) = self.known_call()? {
            return Ok(call);
        }
        if self.starts_conversion(0) {
            return self.conversion();
        }
        if !self.is_rust() && self.starts_type(0) {
            let ty = self.type_name()?;
            return Err(self.no_value(start, &ty));
        }
        let kind = match self.peek().clone() {
            Token::Integer(ty, value) => ExprKind::Integer(ty, value),
            Token::Typed(name, value) => self.typed_number(name, value, false)?,
            Token::Float(value) => ExprKind::Float(value),
            Token::Duration(unit, count) if self.target.dialect == Dialect::Cxx => ExprKind::Duration(unit, count),
            Token::Duration(unit, count) => {
                return Err(Error::new(&self.span(), ErrorKind::InvalidNumber(format!("{count}{unit}"))));
            }
            Token::Char(encoding, code) => ExprKind::Char(encoding, code),
            Token::Register(name) => ExprKind::Register(name),
            Token::String(..) => return self.strings(),
            Token::Identifier(_) | Token::Quoted(_) | Token::Punctuator("::") => {
                let name = self.name()?;
                return self.node(start, ExprKind::Name(name));
            }
            Token::Punctuator("(") if self.anonymous_namespace().is_some() => {
                let name = self.name()?;
                return self.node(start, ExprKind::Name(name));
            }
            Token::Punctuator("(") => return self.parenthesized(),
            _ => return Err(self.expected("an expression")),
        };
        self.advance();
        self.node(start, kind)
    }

    /// Parses Rust's `5u8` and `-128i8`, whose digits alone would not fit.
    fn typed_number(&self, name: &str, value: u64, negative: bool) -> Result<ExprKind, Error> {
        let bits: u32 = name.trim_start_matches(char::is_alphabetic).parse().unwrap_or(64);
        let all = u128::MAX >> (128 - bits.clamp(1, 128));
        let most = match (name.starts_with('i'), negative) {
            (false, false) => all,
            (false, true) => 0,
            (true, false) => all >> 1,
            (true, true) => (all >> 1) + 1,
        };
        if u128::from(value) > most {
            let sign = if negative { "-" } else { "" };
            return Err(Error::new(&self.span(), ErrorKind::NumberOutOfType(format!("{sign}{value}{name}"))));
        }
        let is_large = value > i64::MAX as u64 + u64::from(negative);
        if negative && is_large {
            return Err(Error::new(&self.span(), ErrorKind::NumberTooLarge(format!("-{value}"))));
        }
        let ty = if is_large { IntegerType::UNSIGNED_LONG } else { IntegerType::LONG };
        let (span, height) = (self.span(), 1);
        let value = if negative { value.wrapping_neg() } else { value };
        let number = Expr { kind: ExprKind::Integer(ty, value), span, height };
        let name = TypeName { base: TypeBase::Named(name.to_owned()), qualifiers: Vec::new(), derivations: Vec::new() };
        Ok(ExprKind::Cast(name, Box::new(number)))
    }

    /// Returns how many tokens `(anonymous namespace)` takes, if that is what comes before `::`.
    fn anonymous_namespace(&self) -> Option<usize> {
        let is_word = |ahead: usize, word: &str| matches!(self.peek_at(ahead), Token::Identifier(i) if i == word);
        let is_sign = |ahead: usize, sign: &str| matches!(self.peek_at(ahead), Token::Punctuator(p) if *p == sign);
        let is_it = is_sign(0, "(") && is_word(1, "anonymous") && is_word(2, "namespace") && is_sign(3, ")");
        (is_it && is_sign(4, "::")).then_some(4)
    }

    fn parenthesized(&mut self) -> Result<Expr, Error> {
        let start = self.span().start;
        self.advance();
        let mut inner = self.expression(0)?;
        self.require(")", "an operator or \")\"")?;
        inner.span = start..self.previous_end();
        Ok(inner)
    }

    fn previous_end(&self) -> usize {
        self.at.checked_sub(1).and_then(|at| self.tokens.get(at)).map_or(0, |(_, span)| span.end)
    }

    /// Joins adjacent string literals; any prefix among them counts for all.
    fn strings(&mut self) -> Result<Expr, Error> {
        let start = self.span().start;
        let mut all = Vec::new();
        let mut common = ast::Encoding::Narrow;
        while let Token::String(encoding, units) = self.peek().clone() {
            if encoding != ast::Encoding::Narrow {
                if common != ast::Encoding::Narrow && common != encoding {
                    return Err(self.expected("a string with the same prefix"));
                }
                common = encoding;
            }
            all.extend(units);
            self.advance();
        }
        self.node(start, ExprKind::String(common, all))
    }

    /// Takes the file that is before a name, and what separates them.
    fn file(&mut self) -> Option<String> {
        match (self.peek(), self.peek_at(1)) {
            (Token::Quoted(file), Token::Punctuator("::")) if is_file(file) => {
                let file = file.clone();
                self.advance();
                self.advance();
                Some(file)
            }
            _ => None,
        }
    }

    fn name(&mut self) -> Result<Name, Error> {
        let mut name = Name { global: self.accept("::"), ..Name::default() };
        if !name.global {
            name.file = self.file();
        }
        loop {
            let part = match self.peek().clone() {
                Token::Punctuator("(") if self.anonymous_namespace().is_some() => {
                    (0..4).for_each(|_| self.advance());
                    "(anonymous namespace)".to_owned()
                }
                Token::Identifier(part) => {
                    self.advance();
                    let so_far = name.path.iter().map(|part| format!("{part}::")).collect::<String>() + &part;
                    let arguments = self.template_arguments(&so_far).or_else(|| self.function_template_arguments());
                    arguments.map_or(part.clone(), |arguments| part + &arguments)
                }
                Token::Quoted(part) => {
                    self.advance();
                    part
                }
                _ => return Err(self.expected("a name")),
            };
            name.path.push(part);
            if !self.accept("::") {
                return Ok(name);
            }
        }
    }

    fn index(&mut self, array: Expr) -> Result<Expr, Error> {
        self.advance();
        if self.is_rust() && (self.is("..") || self.is("..=")) {
            return self.slice(array, None);
        }
        let index = self.expression(0)?;
        if self.is_rust() && (self.is("..") || self.is("..=")) {
            return self.slice(array, Some(Box::new(index)));
        }
        self.require("]", "an operator or \"]\"")?;
        let start = array.span.start;
        self.node(start, ExprKind::Index(Box::new(array), Box::new(index)))
    }

    /// Parses what follows the start of Rust's `x[start..end]`.
    fn slice(&mut self, array: Expr, from: Option<Box<Expr>>) -> Result<Expr, Error> {
        let inclusive = self.is("..=");
        self.advance();
        let until = if self.is("]") { None } else { Some(Box::new(self.expression(0)?)) };
        self.require("]", "an operator or \"]\"")?;
        let start = array.span.start;
        self.node(start, ExprKind::Slice(Box::new(array), from, until, inclusive))
    }

    /// Parses `x.name(arguments)` and `$_name(arguments)`; a call of anything else is refused, unless functions may be
    /// called.
    fn method(&mut self, callee: Expr) -> Result<Expr, Error> {
        let start = callee.span.start;
        let calls_none = match &callee.kind {
            ExprKind::Member(..) => true,
            ExprKind::Register(name) => name.starts_with('_'),
            _ => false,
        };
        if !calls_none && self.sizes == 0 && !self.names.may_call() {
            return Err(Error::new(&(start..self.span().end), ErrorKind::Refused(Refusal::Call)));
        }
        self.advance();
        let arguments = self.arguments(start)?;
        let kind = match callee.kind {
            ExprKind::Member(object, access, name) => ExprKind::Method(object, access, name, arguments),
            _ => ExprKind::Apply(Box::new(callee), arguments),
        };
        self.node(start, kind)
    }

    /// Parses `name`, or C++'s `Base::name`.
    fn member_name(&mut self) -> Result<String, Error> {
        let mut path = String::new();
        loop {
            let Some(part) = self.identifier().map(str::to_owned) else {
                return Err(self.expected("the name of a member"));
            };
            self.advance();
            path.push_str(&part);
            if !self.is_rust() && self.is("<") {
                path.push_str(&self.scope_arguments(&path.clone()).unwrap_or_default());
            }
            let is_turbofish = self.is("::") && matches!(self.peek_at(1), Token::Punctuator("<"));
            if is_turbofish || !self.accept("::") {
                return Ok(path);
            }
            path.push_str("::");
        }
    }

    fn postfix(&mut self, mut left: Expr) -> Result<Expr, Error> {
        loop {
            let start = left.span.start;
            let Token::Punctuator(punctuator) = *self.peek() else {
                return Ok(left);
            };
            match punctuator {
                "[" => left = self.index(left)?,
                "." | "->" => {
                    let access = if punctuator == "." { Access::Dot } else { Access::Arrow };
                    self.advance();
                    let name = self.member_name()?;
                    left = match self.is_rust() && self.is("::") {
                        true => self.turbofish(left, access, name)?,
                        false => self.node(start, ExprKind::Member(Box::new(left), access, name))?,
                    };
                }
                "++" | "--" => return Err(Error::new(&self.span(), ErrorKind::Refused(Refusal::Increment))),
                "(" => left = self.method(left)?,
                _ => return Ok(left),
            }
        }
    }
}
