//! Programs from a seed: which pieces they have, how they are built and recorded, and how they end.

mod build;
pub mod pieces;

use crate::random::Random;
pub use build::Built;
use pieces::{ENDS, LASTS, PIECES, Piece, named};
use std::fmt;
use std::str::FromStr;

/// A program. Its text says all about it: `gcc O1 static plain:3 threads:2 last:lseek end:segv chaos`.
#[derive(Clone, Debug, PartialEq)]
pub struct Program {
    is_clang: bool,
    level: char,
    is_static: bool,
    is_cxx: bool,
    /// Each with how much it does.
    parts: Vec<(usize, u32)>,
    last: usize,
    end: usize,
    how: Recorded,
}

/// How the program is recorded.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Recorded {
    Buffered,
    Unbuffered,
    Chaos,
}

impl Recorded {
    fn options(self) -> &'static [&'static str] {
        match self {
            Self::Buffered => &[],
            Self::Unbuffered => &["-n"],
            Self::Chaos => &["-h"],
        }
    }
}

/// Returns the words for what is left out of programs and journeys.
pub fn left_out() -> Vec<String> {
    let words = std::env::var("RETROGRADE_JOURNEY_WITHOUT").unwrap_or_default();
    words.split([' ', ',']).filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

impl Program {
    /// Draws a program.
    pub fn random(random: &mut Random) -> Self {
        let without = left_out();
        loop {
            let program = Self::draw(random);
            let text = program.to_string();
            let has = |word: &String| text.split([' ', ':']).any(|own| own == word);
            if !without.iter().any(has) {
                return program;
            }
        }
    }

    fn draw(random: &mut Random) -> Self {
        let mut parts = Vec::new();
        for _ in 0..1 + random.below(4) {
            parts.push((random.below(PIECES.len()), 1 + u32::try_from(random.below(5)).unwrap()));
        }
        let end = random.below(ENDS.len());
        let needs_cxx = ENDS[end].is_cxx || parts.iter().any(|(part, _)| PIECES[*part].is_cxx);
        Self {
            is_clang: random.one_in(3),
            level: *random.pick(&['0', '1', '2']),
            is_static: random.one_in(2),
            is_cxx: needs_cxx || random.one_in(4),
            parts,
            last: random.below(LASTS.len()),
            end,
            how: *random.pick(&[Recorded::Buffered, Recorded::Buffered, Recorded::Unbuffered, Recorded::Chaos]),
        }
    }

    /// Returns programs with a little less in them, those with least first.
    pub fn smaller(&self) -> Vec<Self> {
        let mut all = Vec::new();
        let mut add = |change: &dyn Fn(&mut Self)| {
            let mut program = self.clone();
            change(&mut program);
            let needs_cxx = program.pieces().any(|piece| piece.is_cxx);
            program.is_cxx |= needs_cxx;
            if program != *self {
                all.push(program);
            }
        };
        for index in 0..self.parts.len() {
            if self.parts.len() > 1 {
                add(&|program| {
                    program.parts.remove(index);
                });
            }
        }
        add(&|program| program.end = named(&ENDS, "return"));
        add(&|program| program.last = named(&LASTS, "none"));
        add(&|program| program.how = Recorded::Buffered);
        add(&|program| program.is_cxx = false);
        add(&|program| program.is_clang = false);
        add(&|program| program.is_static = true);
        add(&|program| program.level = '0');
        for index in 0..self.parts.len() {
            add(&|program| program.parts[index].1 = 1);
        }
        all
    }

    fn pieces(&self) -> impl Iterator<Item = &'static Piece> {
        let parts = self.parts.iter().map(|(part, _)| &PIECES[*part]);
        parts.chain([&LASTS[self.last], &ENDS[self.end]])
    }

    /// Returns the expressions that count.
    pub fn counters(&self) -> Vec<String> {
        self.of_parts(|piece| piece.counters.iter().map(|counter| (*counter).to_owned()).collect())
    }

    /// Returns the functions whose calls are counted, each with the expression that does.
    pub fn functions(&self) -> Vec<(String, String)> {
        let pairs = self.of_parts(|piece| piece.functions.iter().map(|(name, by)| format!("{name} {by}")).collect());
        let pair = |text: String| text.split_once(' ').map(|(name, by)| (name.to_owned(), by.to_owned())).unwrap();
        pairs.into_iter().map(pair).collect()
    }

    fn of_parts(&self, list: impl Fn(&Piece) -> Vec<String>) -> Vec<String> {
        let parts = self.parts.iter().enumerate();
        parts
            .flat_map(|(number, (part, _))| {
                list(&PIECES[*part]).into_iter().map(move |text| numbered(&text, number, 0))
            })
            .collect()
    }

    /// Returns how the program ends: its exit code, or 128 and the signal.
    pub fn exit_code(&self) -> i32 {
        ENDS[self.end].exit_code
    }

    /// Returns the source.
    pub fn source(&self) -> String {
        let mut text = include_str!("prelude.txt").to_owned();
        for (number, (part, much)) in self.parts.iter().enumerate() {
            let Piece { name, code, body, .. } = &PIECES[*part];
            let code = format!("\n/* {name} */\n{code}static void part@(void) {{\n{body}}}\n");
            text += &numbered(&code, number, *much);
        }
        text += "\nstatic void report(void) {\n    char text[8192];\n    int length = 0;\n";
        for counter in self.counters() {
            text += &format!("    length += sprintf(text + length, \"{counter} %lld\\n\", (long long){counter});\n");
        }
        text += "    int counts = open(\"counts\", O_CREAT | O_WRONLY | O_TRUNC, 0600);\n";
        text += "    sink += write(counts, text, (size_t)length);\n    close(counts);\n}\n\n";
        let (last, end) = (&LASTS[self.last], &ENDS[self.end]);
        text += &end.code;
        text += "\nint main(void) {\n";
        for number in 0..self.parts.len() {
            text += &format!("    part{number}();\n");
        }
        text + "    report();\n" + &last.body + &end.body + "    return 0;\n}\n"
    }
}

fn numbered(text: &str, number: usize, much: u32) -> String {
    text.replace('@', &number.to_string()).replace('$', &much.to_string())
}

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let compiler = if self.is_clang { "clang" } else { "gcc" };
        let (linked, language) =
            (if self.is_static { "static" } else { "dynamic" }, if self.is_cxx { "c++" } else { "c" });
        write!(f, "{compiler} O{} {linked} {language}", self.level)?;
        for (part, much) in &self.parts {
            write!(f, " {}:{much}", PIECES[*part].name)?;
        }
        write!(f, " last:{} end:{}", LASTS[self.last].name, ENDS[self.end].name)?;
        match self.how {
            Recorded::Buffered => Ok(()),
            Recorded::Unbuffered => f.write_str(" unbuffered"),
            Recorded::Chaos => f.write_str(" chaos"),
        }
    }
}

impl FromStr for Program {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut program = Self {
            is_clang: false,
            level: '0',
            is_static: false,
            is_cxx: false,
            parts: Vec::new(),
            last: named(&LASTS, "none"),
            end: named(&ENDS, "return"),
            how: Recorded::Buffered,
        };
        for word in text.split_whitespace() {
            match word.split_once(':') {
                Some(("last", name)) => program.last = named(&LASTS, name),
                Some(("end", name)) => program.end = named(&ENDS, name),
                Some((name, much)) => {
                    program
                        .parts
                        .push((named(&PIECES, name), much.parse().map_err(|_| format!("{word:?} has no number"))?));
                }
                None => program.word(word)?,
            }
        }
        Ok(program)
    }
}

impl Program {
    fn word(&mut self, word: &str) -> Result<(), String> {
        match word {
            "gcc" | "clang" => self.is_clang = word == "clang",
            "static" | "dynamic" => self.is_static = word == "static",
            "c" | "c++" => self.is_cxx = word == "c++",
            "O0" | "O1" | "O2" => self.level = word.chars().last().unwrap(),
            "unbuffered" => self.how = Recorded::Unbuffered,
            "chaos" => self.how = Recorded::Chaos,
            _ => return Err(format!("{word:?} says nothing about a program")),
        }
        Ok(())
    }
}

#[test]
fn a_program_is_what_its_text_says() {
    for nth in 0..200 {
        let program = Program::draw(&mut Random::of(1, nth));
        assert_eq!(program.to_string().parse().as_ref(), Ok(&program));
    }
}
