//! The pieces that programs are made of, as `pieces.txt`, `ends.txt` and `lasts.txt` have them.

use std::sync::LazyLock;

/// A piece of a program, an end, or a last system call.
#[derive(Debug, Default)]
pub struct Piece {
    /// Its name in the text of a program.
    pub name: &'static str,
    /// Whether it is C++.
    pub is_cxx: bool,
    /// Of an end: the exit code, or 128 and the signal.
    pub exit_code: i32,
    /// Declarations and functions.
    pub code: String,
    /// Statements that are executed once.
    pub body: String,
    /// Expressions that count, and can be watched.
    pub counters: Vec<&'static str>,
    /// Functions to stop in, each with the expression that counts its calls.
    pub functions: Vec<(&'static str, &'static str)>,
}

/// What programs do.
pub static PIECES: LazyLock<Vec<Piece>> = LazyLock::new(|| parse(include_str!("pieces.txt")));
/// How they end.
pub static ENDS: LazyLock<Vec<Piece>> = LazyLock::new(|| parse(include_str!("ends.txt")));
/// Their last system calls.
pub static LASTS: LazyLock<Vec<Piece>> = LazyLock::new(|| parse(include_str!("lasts.txt")));

/// Returns the index of the piece of this name.
pub fn named(all: &[Piece], name: &str) -> usize {
    all.iter().position(|piece| piece.name == name).unwrap_or_else(|| panic!("there is no piece {name:?}"))
}

fn parse(text: &'static str) -> Vec<Piece> {
    text.split("\n== ").skip(1).map(piece).collect()
}

fn piece(text: &'static str) -> Piece {
    let mut lines = text.lines();
    let mut title = lines.next().unwrap().split_whitespace();
    let mut piece = Piece { name: title.next().unwrap(), ..Piece::default() };
    for word in title {
        match word.parse() {
            Ok(code) => piece.exit_code = code,
            Err(_) => piece.is_cxx = word == "c++",
        }
    }
    let mut is_body = false;
    for line in lines {
        match line.strip_prefix("--") {
            Some("") => is_body = true,
            Some(facts) => piece.fact(facts),
            None if is_body => piece.body += &format!("    {line}\n"),
            None => piece.code += &format!("{line}\n"),
        }
    }
    assert!(is_body, "{} has statements", piece.name);
    piece
}

impl Piece {
    fn fact(&mut self, text: &'static str) {
        let words: Vec<_> = text.split_whitespace().collect();
        match words[..] {
            ["counts", ref counters @ ..] => self.counters.extend(counters),
            ["called", function, counter] => self.functions.push((function, counter)),
            _ => panic!("{}: {text:?}", self.name),
        }
    }
}
