//! The names of types: specifiers and abstract declarators (C17 6.7.7).

use super::ast::{Builtin, Derivation, Tag, TypeBase, TypeName};
use super::{Error, ErrorKind, Parser, Token};
use crate::types::is_rust_primitive;
use base::qualified::name_in_file;
use ctype::arith::{IntegerType, Rank};
use ctype::float::FloatFormat;
use ctype::{Dialect, PointerKind, Qualifier};

/// Tokens that the arguments of a template may have.
const MAX_TEMPLATE_TOKENS: usize = 64;

/// What no operand begins with, so that a `>` before it does not compare.
const NO_OPERAND: [&str; 14] = [")", "]", "[", ",", ".", "->", "==", "!=", "/", "%", "?", ":", "|", "="];

fn qualifier(word: &str) -> Option<Qualifier> {
    Some(match word {
        "const" | "__const" => Qualifier::Const,
        "volatile" | "__volatile__" => Qualifier::Volatile,
        "restrict" | "__restrict" | "__restrict__" => Qualifier::Restrict,
        "_Atomic" => Qualifier::Atomic,
        _ => return None,
    })
}

fn tag(word: &str) -> Option<Tag> {
    Some(match word {
        "struct" => Tag::Struct,
        "union" => Tag::Union,
        "enum" => Tag::Enum,
        "class" => Tag::Class,
        _ => return None,
    })
}

fn is_type_word(word: &str) -> bool {
    matches!(
        word,
        "void"
            | "char"
            | "short"
            | "int"
            | "long"
            | "float"
            | "double"
            | "signed"
            | "unsigned"
            | "_Bool"
            | "bool"
            | "_Complex"
            | "__int128"
            | "_Float16"
            | "_Float128"
            | "__float128"
    )
}

/// Returns whether a word begins the name of a type of C or C++.
pub(super) fn is_word_of_types(word: &str) -> bool {
    is_type_word(word) || qualifier(word).is_some() || tag(word).is_some()
}

/// Returns the type that a combination of words means.
fn builtin(words: &[&str]) -> Option<Builtin> {
    let count = |word: &str| words.iter().filter(|w| **w == word).count();
    let longs = count("long");
    let (unsigned, signed) = (count("unsigned"), count("signed"));
    let mut core: Vec<&str> = words.iter().copied().filter(|w| !matches!(*w, "long" | "unsigned" | "signed")).collect();
    core.sort_unstable();
    let plain = unsigned + signed == 0;
    let integer =
        |rank| (unsigned + signed <= 1).then_some(Builtin::Integer(IntegerType { rank, signed: unsigned == 0 }));
    match (core.as_slice(), longs) {
        (["void"], 0) if plain => Some(Builtin::Void),
        (["_Bool"] | ["bool"], 0) if plain => Some(Builtin::Bool),
        (["char"], 0) if plain => Some(Builtin::Char),
        (["char"], 0) => integer(Rank::Char),
        (["short"] | ["int", "short"], 0) => integer(Rank::Short),
        (["__int128"], 0) => integer(Rank::Int128),
        ([] | ["int"], 0) => integer(Rank::Int),
        ([] | ["int"], 1) => integer(Rank::Long),
        ([] | ["int"], 2) => integer(Rank::LongLong),
        (["float"], 0) if plain => Some(Builtin::Float(FloatFormat::Single)),
        (["double"], 0) if plain => Some(Builtin::Float(FloatFormat::Double)),
        (["double"], 1) if plain => Some(Builtin::LongDouble),
        (["_Float16"], 0) if plain => Some(Builtin::Float(FloatFormat::Half)),
        (["_Float128"] | ["__float128"], 0) if plain => Some(Builtin::Float(FloatFormat::Quad)),
        (["_Complex", "float"], 0) if plain => Some(Builtin::Complex(FloatFormat::Single)),
        (["_Complex", "double"] | ["_Complex"], 0) if plain => Some(Builtin::Complex(FloatFormat::Double)),
        (["_Complex", "double"], 1) if plain => Some(Builtin::ComplexLongDouble),
        _ => None,
    }
}

impl Parser<'_> {
    /// Returns whether the token so far ahead starts the name of a type.
    pub(super) fn starts_type(&mut self, ahead: usize) -> bool {
        if self.is_variable(ahead) {
            return false;
        }
        match self.peek_at(ahead) {
            Token::Punctuator("*") if self.is_rust() => {
                matches!(self.peek_at(ahead + 1), Token::Identifier(word) if word == "const" || word == "mut")
            }
            Token::Identifier(word) if is_word_of_types(word) => true,
            Token::Identifier(_) | Token::Quoted(_) | Token::Punctuator("::") => {
                let start = self.at;
                self.at += ahead;
                let name = self.type_path();
                self.at = start;
                name.is_some()
            }
            _ => false,
        }
    }

    /// Returns whether C++'s `type(operand)` starts so far ahead; what may be the type of a function is one.
    pub(super) fn starts_conversion(&mut self, ahead: usize) -> bool {
        if self.target.dialect != Dialect::Cxx || !self.starts_type(ahead) {
            return false;
        }
        let start = self.at;
        self.at += ahead;
        let has_operand = self.specifiers().is_ok() && self.is("(") && !self.starts_type(1) && self.starts_operand(1);
        self.at = start;
        has_operand
    }

    /// Returns whether what is so far ahead, behind a parenthesis, can be nothing but an operand.
    fn starts_operand(&self, ahead: usize) -> bool {
        match (self.peek_at(ahead), self.peek_at(ahead + 1)) {
            (Token::Punctuator("*" | "&"), Token::Identifier(word)) => qualifier(word).is_none(),
            (Token::Punctuator("("), next) => !matches!(next, Token::Punctuator("*" | "&" | "&&" | "(" | "[" | ")")),
            (Token::Punctuator(")" | "..." | "*" | "&" | "&&" | "["), _) | (Token::End, _) => false,
            _ => true,
        }
    }

    /// Takes a path that names a type; nothing if the one that is next does not.
    fn type_path(&mut self) -> Option<String> {
        if self.is_operator_on_types() {
            return None;
        }
        let start = self.at;
        let mut path = self.file().map(|file| name_in_file(&file, "")).unwrap_or_default();
        if path.is_empty() && self.accept("::") {
            path.push_str("::");
        }
        while let Some(part) = self.identifier().map(str::to_owned) {
            self.advance();
            path.push_str(&part);
            if let Some(arguments) = self.template_arguments(&path) {
                path.push_str(&arguments);
            }
            if !self.is("::") {
                if self.names.is_type(&path) || (self.is_rust() && is_rust_primitive(&path)) {
                    return Some(path);
                }
                break;
            }
            self.advance();
            path.push_str("::");
        }
        self.at = start;
        None
    }

    /// Takes `<…>` after `name` if the two together name a type; otherwise `<` is an operator.
    pub(super) fn template_arguments(&mut self, name: &str) -> Option<String> {
        let (tokens, arguments) = self.in_angle_brackets()?;
        if !self.names.is_type(&format!("{name}{arguments}")) {
            return None;
        }
        self.at += tokens;
        Some(arguments)
    }

    /// Takes `<…>` behind the name of a template if that makes a class of it, and `::` follows.
    pub(super) fn scope_arguments(&mut self, name: &str) -> Option<String> {
        let (tokens, _) = self.in_angle_brackets()?;
        matches!(self.peek_at(tokens), Token::Punctuator("::")).then(|| self.template_arguments(name)).flatten()
    }

    /// Takes `<…>` behind the name of a template of C++ that is not a type: what nothing can be less than is a type,
    /// `>::` is not written of what is greater than a global, and `>` compares with nothing where no operand follows.
    pub(super) fn function_template_arguments(&mut self) -> Option<String> {
        let (tokens, arguments) = self.in_angle_brackets().filter(|_| self.target.dialect == Dialect::Cxx)?;
        let start = self.at;
        let behind = self.tokens.get(start + tokens - 1..=start + tokens);
        if let Some([(_, end), (Token::Punctuator("::"), next)]) = behind
            && end.end == next.start
        {
            self.at += tokens;
            return Some(arguments);
        }
        if matches!(self.peek_at(tokens), Token::End)
            || matches!(self.peek_at(tokens), Token::Punctuator(next) if NO_OPERAND.contains(next))
        {
            self.at += tokens;
            return Some(arguments);
        }
        self.at += 1;
        let is_type = self.starts_type(0)
            && self.type_name().is_ok()
            && matches!(self.peek(), Token::Punctuator("," | ">" | ">>"));
        self.at = if is_type { start + tokens } else { start };
        is_type.then_some(arguments)
    }

    /// Fails if arguments of a template follow a type: there is no instance with them.
    pub(super) fn known_instance(&self, start: usize, ty: &TypeName) -> Result<(), Error> {
        match self.in_angle_brackets().filter(|_| self.target.dialect == Dialect::Cxx) {
            Some((_, arguments)) if ty.derivations.is_empty() => {
                Err(Error::new(&(start..self.span().end), ErrorKind::NoType(format!("{ty}{arguments}"))))
            }
            _ => Ok(()),
        }
    }

    /// Returns how many tokens `<…>` is, if that is next, and its text.
    fn in_angle_brackets(&self) -> Option<(usize, String)> {
        if !self.is("<") {
            return None;
        }
        let start = self.span().start;
        let mut open = 0usize;
        for ahead in 0..MAX_TEMPLATE_TOKENS {
            match self.peek_at(ahead) {
                Token::Punctuator("<") => open += 1,
                Token::Punctuator(">") => open = open.saturating_sub(1),
                Token::Punctuator(">>") => open = open.saturating_sub(2),
                Token::End => return None,
                _ => {}
            }
            if open == 0 {
                let end = self.tokens.get(self.at + ahead)?.1.end;
                return Some((ahead + 1, self.text.get(start..end)?.to_owned()));
            }
        }
        None
    }

    pub(super) fn type_name(&mut self) -> Result<TypeName, Error> {
        self.descend()?;
        let result = self.type_name_inner();
        self.depth -= 1;
        result
    }

    fn type_name_inner(&mut self) -> Result<TypeName, Error> {
        if let Some(ty) = self.rust_type()? {
            return Ok(ty);
        }
        let (base, qualifiers) = self.specifiers()?;
        let derivations = self.abstract_declarator()?;
        Ok(TypeName { base, qualifiers, derivations })
    }

    pub(super) fn specifiers(&mut self) -> Result<(TypeBase, Vec<Qualifier>), Error> {
        let start = self.span().start;
        let mut qualifiers = Vec::new();
        let mut words: Vec<String> = Vec::new();
        let mut base = None;
        loop {
            let word = self.identifier().map(str::to_owned);
            match word.as_deref() {
                Some(word) if qualifier(word).is_some() => {
                    qualifiers.extend(qualifier(word).filter(|q| !qualifiers.contains(q)));
                    self.advance();
                }
                // C's `char` is another one.
                Some("char") if self.is_rust() && words.is_empty() && base.is_none() => {
                    self.advance();
                    base = Some(TypeBase::Named("char".to_owned()));
                }
                Some(word) if is_type_word(word) && base.is_none() => {
                    words.push(word.to_owned());
                    self.advance();
                }
                Some(word) if base.is_none() && words.is_empty() && tag(word).is_some() => {
                    self.advance();
                    let name = self.tagged_path()?;
                    base = tag(word).map(|tag| TypeBase::Tagged(tag, name));
                }
                _ if base.is_none() && words.is_empty() => match self.type_path() {
                    Some(path) => base = Some(TypeBase::Named(path)),
                    None => return Err(self.expected("a type")),
                },
                _ => break,
            }
        }
        if let Some(base) = base {
            return Ok((base, qualifiers));
        }
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        match builtin(&words) {
            Some(builtin) => Ok((TypeBase::Builtin(builtin), qualifiers)),
            None => Err(Error::new(&(start..self.previous_end()), ErrorKind::InvalidType(words.join(" ")))),
        }
    }

    /// Parses the name after `struct` and so on: whether it exists is found out later.
    fn tagged_path(&mut self) -> Result<String, Error> {
        let mut path = self.file().map(|file| name_in_file(&file, "")).unwrap_or_default();
        if path.is_empty() {
            self.accept("::");
        }
        loop {
            let Some(part) = self.identifier().map(str::to_owned) else {
                return Err(self.expected("a tag"));
            };
            self.advance();
            path.push_str(&part);
            if let Some(arguments) = self.template_arguments(&path) {
                path.push_str(&arguments);
            }
            if !self.accept("::") {
                return Ok(path);
            }
            path.push_str("::");
        }
    }

    fn abstract_declarator(&mut self) -> Result<Vec<Derivation>, Error> {
        self.descend()?;
        let result = self.abstract_declarator_inner();
        self.depth -= 1;
        result
    }

    fn abstract_declarator_inner(&mut self) -> Result<Vec<Derivation>, Error> {
        let mut derivations = Vec::new();
        loop {
            let kind = match self.peek() {
                Token::Punctuator("*") => PointerKind::Pointer,
                Token::Punctuator("&") => PointerKind::Reference,
                Token::Punctuator("&&") => PointerKind::RvalueReference,
                _ => break,
            };
            self.advance();
            let mut qualifiers = Vec::new();
            while let Some(qualifier) = self.identifier().and_then(qualifier) {
                if !qualifiers.contains(&qualifier) {
                    qualifiers.push(qualifier);
                }
                self.advance();
            }
            self.grow(&mut derivations, Derivation::Pointer(kind, qualifiers))?;
        }
        let inner = match (self.peek(), self.peek_at(1)) {
            (Token::Punctuator("("), Token::Punctuator("*" | "&" | "&&" | "(" | "[")) => {
                self.advance();
                let inner = self.abstract_declarator()?;
                self.require(")", "\")\" of the declarator")?;
                inner
            }
            _ => Vec::new(),
        };
        let mut suffixes = Vec::new();
        loop {
            let suffix = if self.accept("[") {
                Derivation::Array(self.array_bound()?)
            } else if self.accept("(") {
                self.parameters()?
            } else {
                break;
            };
            self.grow(&mut suffixes, suffix)?;
        }
        // `int [2][3]` is an array of 2 arrays of 3: the last suffix is the first step.
        derivations.extend(suffixes.into_iter().rev());
        derivations.extend(inner);
        Ok(derivations)
    }

    pub(super) fn grow(&self, list: &mut Vec<Derivation>, derivation: Derivation) -> Result<(), Error> {
        if list.len() >= super::MAX_DEPTH as usize {
            return Err(Error::new(&self.span(), ErrorKind::TooDeep(super::MAX_DEPTH)));
        }
        list.push(derivation);
        Ok(())
    }

    fn array_bound(&mut self) -> Result<Option<u64>, Error> {
        let bound = match self.peek() {
            Token::Integer(_, value) => Some(*value),
            _ => None,
        };
        if bound.is_some() {
            self.advance();
        }
        self.require("]", "a number of elements and \"]\"")?;
        Ok(bound)
    }

    fn parameters(&mut self) -> Result<Derivation, Error> {
        let mut parameters = Vec::new();
        if self.accept(")") {
            return Ok(Derivation::Function(parameters, false));
        }
        loop {
            if self.accept("...") {
                self.require(")", "\")\" after \"...\"")?;
                return Ok(Derivation::Function(parameters, true));
            }
            parameters.push(self.type_name()?);
            if self.accept(")") {
                break;
            }
            self.require(",", "\",\" or \")\" in the parameter list")?;
        }
        let is_void = matches!(
            parameters.as_slice(),
            [TypeName { base: TypeBase::Builtin(Builtin::Void), qualifiers, derivations }]
                if qualifiers.is_empty() && derivations.is_empty()
        );
        if is_void {
            parameters.clear();
        }
        Ok(Derivation::Function(parameters, false))
    }
}
