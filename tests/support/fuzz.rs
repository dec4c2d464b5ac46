//! Fuzzing: a parser of bytes from outside, on inputs that are made by damaging sound ones. It may answer whatever it
//! likes, but not panic, hang, or take memory without bound.
//!
//! Each target is a test whose name begins with `fuzz_`, and runs for a moment. For longer:
//!
//! ```text
//! RETROGRADE_FUZZ_INPUTS=10000000 cargo test --release --lib fuzz_ -- --nocapture --test-threads=1
//! ```
//!
//! `RETROGRADE_FUZZ_THREADS` (1) run side by side. `RETROGRADE_FUZZ_SEED` (1) is where the random numbers start.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::time::{Duration, Instant};

/// Inputs of each target, if nothing else is asked for.
const INPUTS: u64 = 1000;
/// Longest input: what a parser does with many bytes it does with few.
const LONGEST: usize = 1 << 16;
/// No input may take as long, not even on a machine that is busy with something else.
const PATIENCE: Duration = Duration::from_secs(120);
/// Numbers at which counts and sizes go wrong.
const NUMBERS: [u64; 12] =
    [0, 1, 0x7f, 0x80, 0xff, 0x7fff, 0xffff, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff, i64::MAX as u64, u64::MAX];

/// Random numbers: the same seed makes the same inputs.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// A number below the limit; zero if there is none.
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        ((u128::from(self.next()) * limit as u128) >> 64) as usize
    }

    fn pick<'a, T: ?Sized>(&mut self, list: &[&'a T]) -> Option<&'a T> {
        list.get(self.below(list.len())).copied()
    }
}

/// A parser and what it is fed with.
pub(crate) struct Target<'a> {
    pub(crate) name: &'static str,
    /// Sound inputs.
    pub(crate) seeds: Vec<Vec<u8>>,
    /// What means something to the parser.
    pub(crate) dictionary: &'a [&'a [u8]],
}

impl Target<'_> {
    /// Has inputs parsed. The parser may draw random numbers, too, for what it is asked besides.
    pub(crate) fn run(&self, parse: impl Fn(&[u8], &mut Random) + Sync) {
        let number = |name: &str, default: u64| match std::env::var(name) {
            Ok(text) => text.parse().unwrap_or_else(|_| panic!("{name}={text} is not a number")),
            Err(_) => default,
        };
        let inputs = number("RETROGRADE_FUZZ_INPUTS", INPUTS);
        let (threads, seed) = (number("RETROGRADE_FUZZ_THREADS", 1), number("RETROGRADE_FUZZ_SEED", 1));
        let begun = Instant::now();
        let longest = std::thread::scope(|scope| {
            let share = |thread: u64| {
                let count = inputs / threads + u64::from(thread < inputs % threads);
                let random = Random((seed * 1000 + thread + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
                let parse = &parse;
                // As much stack as a thread of a session has.
                let builder = std::thread::Builder::new().stack_size(2 << 20);
                builder.spawn_scoped(scope, move || self.share(random, count, parse)).unwrap()
            };
            let threads: Vec<_> = (0..threads).map(share).collect();
            threads.into_iter().map(|thread| thread.join().unwrap_or_else(|panic| resume_unwind(panic))).max()
        });
        let (took, longest) = (begun.elapsed(), longest.unwrap_or_default());
        let rate = inputs as f64 / took.as_secs_f64();
        println!("{}: {inputs} inputs in {:.0?}, {rate:.0}/s, the longest took {longest:?}", self.name, took);
    }

    fn share(&self, mut random: Random, count: u64, parse: &(impl Fn(&[u8], &mut Random) + Sync)) -> Duration {
        let (mut longest, mut input) = (Duration::ZERO, Vec::new());
        for _ in 0..count {
            input.clear();
            input.extend_from_slice(self.seeds.get(random.below(self.seeds.len())).map_or(&[], Vec::as_slice));
            for _ in 0..=random.below(6) {
                self.damage(&mut input, &mut random);
            }
            input.truncate(LONGEST);
            let before = Instant::now();
            let parsed = catch_unwind(AssertUnwindSafe(|| parse(&input, &mut random)));
            let took = before.elapsed();
            if let Err(panic) = parsed {
                println!("{}: this input panics: b\"{}\"", self.name, input.escape_ascii());
                resume_unwind(panic);
            }
            if took > longest {
                longest = took;
                assert!(took < PATIENCE, "{}: {took:?} for b\"{}\"", self.name, input.escape_ascii());
            }
        }
        longest
    }

    fn damage(&self, input: &mut Vec<u8>, random: &mut Random) {
        let at = random.below(input.len() + 1);
        let to = (at + random.below(32)).min(input.len());
        match random.below(12) {
            0 => drop(input.drain(at..to)),
            1 => input.truncate(at),
            2 => {
                let doubled = input[at..to].to_vec();
                let times = 1 << random.below(8);
                input.splice(at..at, doubled.repeat(times));
            }
            3 | 4 => {
                let part = random.pick(self.dictionary).unwrap_or(b"");
                let replaced = if random.below(2) == 0 { at..at } else { at..to };
                input.splice(replaced, part.iter().copied());
            }
            5 => {
                let other = &self.seeds[random.below(self.seeds.len())];
                let from = random.below(other.len() + 1);
                let part = other[from..(from + random.below(64)).min(other.len())].to_vec();
                input.splice(at..to, part);
            }
            6 | 7 => {
                let number = NUMBERS[random.below(NUMBERS.len())].wrapping_add(random.below(3) as u64).wrapping_sub(1);
                let size = 1 << random.below(4);
                let bytes = number.to_le_bytes();
                input.iter_mut().skip(at).take(size).zip(bytes).for_each(|(byte, new)| *byte = new);
            }
            8 => {
                let text = NUMBERS[random.below(NUMBERS.len())].to_string();
                input.splice(at..at, text.into_bytes());
            }
            9 => input.iter_mut().skip(at).take(1).for_each(|byte| *byte ^= 1 << random.below(8)),
            _ => input.iter_mut().skip(at).take(1).for_each(|byte| *byte = random.next() as u8),
        }
    }
}

/// Texts as seeds.
pub(crate) fn texts(texts: &[&str]) -> Vec<Vec<u8>> {
    texts.iter().map(|text| text.as_bytes().to_vec()).collect()
}

/// An input as text, for parsers of text.
pub(crate) fn text(input: &[u8]) -> std::borrow::Cow<'_, str> {
    String::from_utf8_lossy(input)
}
