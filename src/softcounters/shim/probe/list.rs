//! The list of probes, as the crate writes it.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::super::cache::requirement::{Operand, Requirement};
use super::super::cache::site::{self, Item, Piece, Probe};
use super::hits::Bound;
use super::packed::MOST_TOGETHER;
use super::watches::Watches;

/// What the file begins with.
const HEAD: &str = "retrograde-probes 1";
/// Bounds of what is asked for; the crate's module of the format has them, too.
const MOST_PROBES: usize = 4096;
const MOST_ITEMS: usize = 32;
const MOST_REQUIREMENTS: usize = 8;
const MOST_STEPS: usize = 8;
const MOST_BYTES: u16 = 512;
const FARTHEST: i32 = 1 << 30;
const MOST_BOUNDS: usize = 1 << 16;
const MOST_THREADS: u32 = 1 << 20;

/// How a module is known again in memory.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Identity {
    /// The note of its linker.
    BuildId(Vec<u8>),
    /// The checksum of its headers, see [`modules`](super::modules).
    Headers(u64),
}

/// Where a probe is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// At an address of a module, as its file has it.
    Module { module: usize, address: u64 },
    /// At an address, in the address space of this number or, if there is none, in all.
    Absolute { address: u64, space: Option<u32> },
}

/// What is asked for.
#[derive(Debug, PartialEq, Eq)]
pub struct List {
    /// Most bytes of hits.
    pub limit: u64,
    /// What is executed counts.
    pub counts: bool,
    pub modules: Vec<Identity>,
    pub probes: Vec<(Place, Arc<Probe>)>,
    /// Of each probe, the bytes of an entry, and what of it is told.
    pub entries: Vec<(u32, Vec<Piece>)>,
    /// Memory that is watched.
    pub writes: Watches,
    /// What is wanted of threads, by their numbers. The pass ends when one is behind that.
    pub until: Vec<(u32, Bound)>,
    /// Hits of probes are wanted of this thread alone, from so many branches on.
    pub since: Option<(u32, u64)>,
}

impl List {
    /// Reads a list.
    pub fn parse(text: &str) -> Result<List, &'static str> {
        let mut lines = text.lines();
        if lines.next() != Some(HEAD) {
            return Err("its first line is not that of this version");
        }
        let mut list = List {
            limit: u64::MAX,
            counts: false,
            modules: Vec::new(),
            probes: Vec::new(),
            entries: Vec::new(),
            writes: Watches::default(),
            until: Vec::new(),
            since: None,
        };
        for line in lines.by_ref() {
            let mut words = line.split(' ');
            match words.next() {
                Some("limit") => list.limit = only(&mut words)?.parse().map_err(|_| "a limit is not a number")?,
                Some("counts") if words.next().is_none() => list.counts = true,
                Some("module") => {
                    let identity = identity(&mut words).ok_or("a module is not named as it should be")?;
                    if list.modules.contains(&identity) {
                        return Err("a module is named twice");
                    }
                    list.modules.push(identity);
                }
                Some("at") => list.add(&mut words)?,
                Some("write") => list.writes.add(&mut words, list.modules.len(), (true, false))?,
                Some("read") => list.writes.add(&mut words, list.modules.len(), (false, true))?,
                Some("access") => list.writes.add(&mut words, list.modules.len(), (true, true))?,
                Some("until") if list.until.len() < MOST_BOUNDS => {
                    list.until.push(until(&mut words).ok_or("where the pass ends is not clear")?);
                }
                Some("since") => list.since = Some(since(&mut words).ok_or("where the hits begin is not clear")?),
                Some("end") if lines.next().is_none() => return list.checked(),
                _ => return Err("a line is of no known kind"),
            }
        }
        Err("it has no end")
    }

    fn add<'a>(&mut self, words: &mut impl Iterator<Item = &'a str>) -> Result<(), &'static str> {
        let place = place(words, self.modules.len())?;
        let items: Option<Vec<Item>> = words.by_ref().take_while(|word| *word != "if").map(item).collect();
        let requires: Option<Vec<Requirement>> = words.map(requirement).collect();
        let requires = requires.filter(|requires| requires.len() <= MOST_REQUIREMENTS);
        let requires = requires.ok_or("what a probe requires is not clear")?;
        let items = items.filter(|items| items.len() <= MOST_ITEMS).ok_or("what a probe is to tell is not clear")?;
        if self.probes.len() == MOST_PROBES {
            return Err("there are too many probes");
        }
        let number = self.probes.len() as u32;
        let probe = Probe { number, items, requires };
        self.entries.push((probe.room(), site::pieces(probe.places())));
        self.probes.push((place, Arc::new(probe)));
        Ok(())
    }

    fn checked(self) -> Result<List, &'static str> {
        let mut together: BTreeMap<Place, usize> = BTreeMap::new();
        for (place, _) in &self.probes {
            *together.entry(*place).or_default() += 1;
        }
        if together.values().any(|&count| count > MOST_TOGETHER) {
            return Err("there are too many probes at one place");
        }
        if self.counts && !self.until.is_empty() {
            return Err("a pass that counts has no end of its own");
        }
        Ok(self)
    }
}

fn only<'a>(words: &mut impl Iterator<Item = &'a str>) -> Result<&'a str, &'static str> {
    match (words.next(), words.next()) {
        (Some(word), None) => Ok(word),
        _ => Err("a line has not as many words as it should"),
    }
}

fn identity<'a>(words: &mut impl Iterator<Item = &'a str>) -> Option<Identity> {
    let identity = match (words.next()?, words.next()?) {
        ("build-id", id) => Identity::BuildId(hex_bytes(id)?),
        ("headers", sum) => Identity::Headers(u64::from_str_radix(sum, 16).ok()?),
        _ => return None,
    };
    words.next().is_none().then_some(identity)
}

fn hex_bytes(text: &str) -> Option<Vec<u8>> {
    const LONGEST: usize = 64;
    let is_hex = !text.is_empty() && text.len() <= 2 * LONGEST && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    if !is_hex || !text.len().is_multiple_of(2) {
        return None;
    }
    (0..text.len()).step_by(2).map(|at| u8::from_str_radix(text.get(at..at + 2)?, 16).ok()).collect()
}

fn until<'a>(words: &mut impl Iterator<Item = &'a str>) -> Option<(u32, Bound)> {
    let thread = words.next()?.parse().ok().filter(|thread| (1..=MOST_THREADS).contains(thread))?;
    let bound = Bound { sure: words.next()?.parse().ok()?, most: words.next()?.parse().ok()? };
    words.next().is_none().then_some((thread, bound))
}

fn since<'a>(words: &mut impl Iterator<Item = &'a str>) -> Option<(u32, u64)> {
    let since = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
    words.next().is_none().then_some(since)
}

/// A place, where so many modules are named before.
pub fn place<'a>(words: &mut impl Iterator<Item = &'a str>, modules: usize) -> Result<Place, &'static str> {
    let place = named_place(words).ok_or("a place is not named as it should be")?;
    match place {
        Place::Module { module, .. } if module >= modules => Err("a place is in a module that is not named before"),
        place => Ok(place),
    }
}

fn named_place<'a>(words: &mut impl Iterator<Item = &'a str>) -> Option<Place> {
    let hex = |word: &str| u64::from_str_radix(word, 16).ok();
    let (kind, of) = (words.next()?, words.next()?);
    let address = hex(words.next()?)?;
    match (kind, of) {
        ("module", number) => Some(Place::Module { module: number.parse().ok()?, address }),
        ("space", "all") => Some(Place::Absolute { address, space: None }),
        ("space", number) => Some(Place::Absolute { address, space: Some(number.parse().ok()?) }),
        _ => None,
    }
}

/// General registers, by their numbers in the encoding, the instruction's address, and the base of the segment fs.
pub const REGISTERS: [&str; 18] = [
    "rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15",
    "rip", "fs",
];

fn register(name: &str) -> Option<u8> {
    REGISTERS.iter().position(|known| *known == name).map(|number| number as u8)
}

/// `rdi`, `xmm0`, `16@rdi+8` or `16@rdi+8+-4`.
pub fn item(word: &str) -> Option<Item> {
    if let Some(number) = register(word) {
        return Some(Item::Register(number));
    }
    if let Some(number) = word.strip_prefix("xmm").and_then(|number| number.parse().ok()) {
        return (number < 16).then_some(Item::Vector(number));
    }
    let (length, address) = word.split_once('@')?;
    let length = length.parse().ok().filter(|length| (1..=MOST_BYTES).contains(length))?;
    let (base, steps) = way(address)?;
    Some(Item::Memory { base, steps, length })
}

/// `rdi+8+-4`.
fn way(address: &str) -> Option<(u8, Vec<i32>)> {
    let mut parts = address.split('+');
    let base = register(parts.next()?)?;
    let steps: Option<Vec<i32>> =
        parts.map(|step| step.parse().ok().filter(|step: &i32| step.unsigned_abs() <= FARTHEST as u32)).collect();
    let steps = steps.filter(|steps| (1..=MOST_STEPS).contains(&steps.len()))?;
    Some((base, steps))
}

/// `s4%rdi=5..9`, `u8@rdi+8+-4!0..0`.
fn requirement(word: &str) -> Option<Requirement> {
    let is_signed = match word.get(..1)? {
        "s" => true,
        "u" => false,
        _ => return None,
    };
    let (number, range) = word.get(1..)?.split_once(['=', '!'])?;
    let is_other = word.contains('!');
    let (size, operand) = match number.split_once('%') {
        Some((size, name)) => (size, Operand::Register(register(name)?)),
        None => {
            let (size, address) = number.split_once('@')?;
            let (base, steps) = way(address)?;
            (size, Operand::Memory { base, steps })
        }
    };
    let (least, greatest) = range.split_once("..")?;
    let (least, greatest) = (least.parse().ok()?, greatest.parse().ok()?);
    let requirement = Requirement { operand, size: size.parse().ok()?, is_signed, least, greatest, is_other };
    requirement.is_possible().then_some(requirement)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_read() {
        let text = "retrograde-probes 1\nlimit 1000\nmodule build-id 00ff\nmodule headers 1f\nat module 1 1139 rdi xmm7\n\
                    at space all 7f00 3@r8+-8+0\nat space 2 10\nend\n";
        let list = List::parse(text).unwrap();
        assert_eq!((list.limit, list.modules.len()), (1000, 2));
        assert_eq!(list.modules[0], Identity::BuildId(vec![0, 255]));
        let probe = |number, items| Arc::new(Probe { number, items, requires: vec![] });
        let first = (Place::Module { module: 1, address: 0x1139 }, probe(0, vec![Item::Register(7), Item::Vector(7)]));
        let memory = Item::Memory { base: 8, steps: vec![-8, 0], length: 3 };
        let second = (Place::Absolute { address: 0x7f00, space: None }, probe(1, vec![memory]));
        let third = (Place::Absolute { address: 0x10, space: Some(2) }, probe(2, vec![]));
        assert_eq!(list.probes, [first, second, third]);
    }

    #[test]
    fn what_is_required_is_read() {
        let text = format!(
            "{HEAD}\nat space all 10 rdi if s4%rdi=-5..9 u8@rbp+-24+8!0..0\nat space all 10 if u1%rax=0..0\nend\n"
        );
        let list = List::parse(&text).unwrap();
        let number = |operand, (size, is_signed), (least, greatest)| Requirement {
            operand,
            size,
            is_signed,
            least,
            greatest,
            is_other: false,
        };
        let memory = number(Operand::Memory { base: 5, steps: vec![-24, 8] }, (8, false), (0, 0));
        let first = [number(Operand::Register(7), (4, true), (-5, 9)), Requirement { is_other: true, ..memory }];
        assert_eq!(list.probes[0].1.requires, first);
        assert_eq!(list.probes[1].1.requires, [number(Operand::Register(0), (1, false), (0, 0))]);
        assert!(list.probes[1].1.items.is_empty() && list.probes[0].1.names(5) && !list.probes[0].1.names(6));
        let refused = |word: &str| List::parse(&format!("{HEAD}\nat space all 10 if {word}\nend\n")).is_err();
        for word in [
            "rdi",
            "s4%rdi",
            "s4%rdi=5",
            "s4%rdi=6..5",
            "u1%rdi=0..256",
            "s1%rdi=0..128",
            "s3%rdi=0..1",
            "s0%rdi=0..0",
            "s16%rdi=0..0",
            "u255%rdi=0..0",
        ] {
            assert!(refused(word), "{word}");
        }
        assert!(refused("x4%rdi=0..1") && refused("s4%edi=0..1") && refused("s4%rdi!0..1") && refused("u8@rdi=0..1"));
        assert!(refused(&["s4%rdi=5..9"; 9].join(" ")) && !refused(&["s4%rdi=5..9"; 8].join(" ")));
    }

    #[test]
    fn what_is_not_understood_is_refused() {
        let refused = |body: &str| List::parse(&format!("{HEAD}\n{body}")).is_err();
        assert!(List::parse("retrograde-probes 2\nend\n").is_err() && List::parse("").is_err());
        assert!(refused("") && refused("at space all 10\n") && refused("end\nend\n") && refused("on\nend\n"));
        assert!(refused("at module 0 10\nend\n") && refused("at space all 10 eax\nend\n"));
        assert!(refused("at space all 10 0@rdi+0\nend\n") && refused("at space all 10 513@rdi+0\nend\n"));
        assert!(refused("at space all 10 8@rdi\nend\n") && refused("at space all 10 8@rdi+2147483647\nend\n"));
        assert!(refused("write space all 10 8 rip\nend\n") && refused("write space all 10 8 8@fs+0\nend\n"));
        assert!(!refused("at space all 10 rip 8@fs+-8\nend\n"));
        assert!(refused("module build-id f\nend\n") && refused("module build-id ff ff\nend\n"));
        assert!(refused("module headers 1\nmodule headers 1\nend\n") && refused("limit 1 2\nend\n"));
        assert!(refused(&format!("{}end\n", "at space all 10\n".repeat(17))));
        assert!(!refused(&format!("{}end\n", "at space all 10\n".repeat(16))));
    }
}
