//! Words that one language has for itself, and another lets a variable be called: `class` in C, `long` in Rust.

use super::type_name::is_word_of_types;
use super::{Parser, Token};
use crate::types::is_rust_primitive;
use ctype::Dialect;

/// Returns whether the language lets a variable have the name, though the parser takes it for a word of its own.
fn may_be_name(word: &str, dialect: Dialect) -> bool {
    match dialect {
        Dialect::C => {
            matches!(
                word,
                "bool" | "class" | "alignof" | "static_cast" | "reinterpret_cast" | "const_cast" | "dynamic_cast"
            )
        }
        Dialect::Cxx => word == "restrict",
        Dialect::Rust => {
            let is_own = matches!(word, "struct" | "enum" | "const");
            let is_operator = matches!(
                word,
                "sizeof"
                    | "alignof"
                    | "_Alignof"
                    | "__alignof__"
                    | "static_cast"
                    | "reinterpret_cast"
                    | "const_cast"
                    | "dynamic_cast"
            );
            !is_own && (is_operator || is_word_of_types(word) || is_rust_primitive(word))
        }
    }
}

impl Parser<'_> {
    /// Returns whether the word so far ahead is the name of a variable, whatever it is in other languages.
    pub(super) fn is_variable(&mut self, ahead: usize) -> bool {
        let (Token::Identifier(word), next) = (self.peek_at(ahead), self.peek_at(ahead + 1)) else { return false };
        if !may_be_name(word, self.target.dialect) || matches!(next, Token::Punctuator("::")) {
            return false;
        }
        let word = word.clone();
        self.names.is_variable(&word)
    }
}
