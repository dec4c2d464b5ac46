//! What is asked: a location and expressions.

use crate::fixture::Fixture;
use crate::random::Random;
use serde_json::Value;

/// Names that are in no source of a fixture: registers, parts of them, and what the C library has.
const ANYWHERE: [&str; 40] = [
    "$pc",
    "$sp",
    "$rip",
    "$rax",
    "$rdi",
    "$eax",
    "$al",
    "$r12d",
    "$fp",
    "$eflags",
    "$cs",
    "$fs_base",
    "$xmm0",
    "$xmm1.v4_float",
    "$xmm2.uint128",
    "$xmm3.v2_int64[1]",
    "$ymm0",
    "$ymm0.v8_int32[1]",
    "$st0",
    "$mxcsr",
    "*$sp",
    "*$pc",
    "*(long *)$sp",
    "*(char (*)[8])$sp",
    "(char)$rdi",
    "(int)$rsi + 1",
    "$sp + 8",
    "$sp - $fp",
    "/x $rax",
    "/d $xmm0",
    "sizeof(int)",
    "sizeof($xmm0)",
    "main",
    "&main",
    "(long)main",
    "environ",
    "stdout",
    "errno",
    "program_invocation_name",
    "$nothing",
];

/// What is asked of a program.
pub struct Question {
    pub fixture: Fixture,
    pub location: String,
    /// The expressions; `None`: some are drawn at the first stop.
    pub expressions: Option<Vec<String>>,
}

impl Question {
    /// Reads what a failure has printed.
    pub fn pasted(text: &str) -> Self {
        let mut parts = text.split(" | ").map(|part| part.trim().to_owned());
        let fixture = Fixture::named(&parts.next().unwrap());
        let location = parts.next().expect("a fixture, a location and expressions, with ` | ` between them");
        Self { fixture, location, expressions: Some(parts.collect()).filter(|all: &Vec<_>| !all.is_empty()) }
    }

    /// Picks a location of a program.
    pub fn random(fixture: &Fixture, random: &mut Random) -> Self {
        let source = random.below(fixture.sources.len());
        let (file, lines) = &fixture.sources[source];
        let number = random.below(lines.len()) + 1;
        let functions = fixture.functions(source);
        let function = match functions.is_empty() {
            true => "main".to_owned(),
            false => random.pick(&functions).clone(),
        };
        let location = match random.below(9) {
            0 | 1 => format!("{file}:{number}"),
            2 | 3 => function,
            4 => format!("{file}:{function}"),
            5 => format!("{file}: {}", lines[number - 1].trim()),
            6 => number.to_string(),
            7 => format!("*&{function}"),
            _ => format!("*{function}"),
        };
        Self { fixture: Fixture::named(&fixture.name), location, expressions: None }
    }

    /// Draws expressions for a place with these variables, as `rr_locals` tells them.
    pub fn draw(&self, locals: &[Value], random: &mut Random) -> Vec<String> {
        let mut drawn = Vec::new();
        for local in locals {
            let name = local["name"].as_str().unwrap();
            drawn.push(name.to_owned());
            drawn.push(self.made_of(name, local, random));
        }
        let words = self.fixture.words();
        for _ in 0..8 {
            let word = random.pick(&words);
            let (file, _) = random.pick(&self.fixture.sources);
            drawn.push(match random.below(9) {
                0 => format!("&{word}"),
                1 => format!("sizeof({word})"),
                2 => format!("'{file}'::{word}"),
                3 => format!("*({word} *)$sp"),
                4 => format!("*{word}"),
                _ => word.clone(),
            });
        }
        drawn.extend((0..6).map(|_| (*random.pick(&ANYWHERE)).to_owned()));
        drawn.sort_unstable();
        drawn.dedup();
        drawn
    }

    /// Makes an expression of a variable.
    fn made_of(&self, name: &str, local: &Value, random: &mut Random) -> String {
        let shown = local["value"].as_str().unwrap_or_default();
        let members = |from: &str| {
            let named = from.split([',', '{']).filter_map(|part| part.split_once([':', '=']));
            named
                .map(|(name, _)| name.trim().to_owned())
                .filter(|name| !name.contains([' ', '<', '"']))
                .collect::<Vec<_>>()
        };
        let members = members(shown);
        let ty = local["type"].as_str().unwrap_or("int");
        if !members.is_empty() && random.one_in(2) {
            return format!("{name}.{}", random.pick(&members));
        }
        match random.below(12) {
            0 => format!("&{name}"),
            1 => format!("sizeof({name})"),
            2 => format!("(long){name}"),
            3 => format!("/x {name}"),
            4 => format!("{name} + 1"),
            5 => format!("{name} == 0 || {name}"),
            6 => format!("*(({ty} *)&{name})"),
            7 => format!("{name}[0]"),
            8 => format!("{name}[1]"),
            9 => format!("({ty}){name}"),
            10 => format!("sizeof({ty})"),
            _ => format!("*{name}"),
        }
    }
}
