//! Readers over memory that makes no sense: each answers within bounds, whatever it finds.

use crate::program::Program;
use ctype::{Body, Dialect, Limits, Meaning, Memory, Options, Place, TypeRef, Unavailable, Value, render};
use proptest::test_runner::Config as ProptestConfig;

/// Reads that one value may cost: its limits allow some hundred elements, each of which may be a container.
const MAX_READS: u64 = 1_000_000;
/// Text that one value may make.
const LIMITS: Limits = Limits {
    elements: 20,
    pairs: 20,
    string: 50,
    depth: 5,
    repeats: 10,
    text: 4096,
    array_bytes: 4096,
    first: 0,
    own: None,
};

/// Reproducible numbers (splitmix64).
fn mix(seed: u64) -> u64 {
    let mut z = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// How memory is damaged.
#[derive(Clone, Copy, Debug)]
enum Damage {
    /// Nothing is as it was: every word is a small number, a number, or an address of memory that is there.
    Invented,
    /// One word in so many is another one.
    Words(u64),
    /// One word in so many points somewhere within the object itself: chains become rings.
    Rings(u64),
}

struct Damaged<'p> {
    program: &'p mut Program,
    damage: Damage,
    seed: u64,
    /// Around here memory is there.
    home: u64,
    reads: u64,
}

impl Damaged<'_> {
    fn invented(&self, address: u64) -> u64 {
        let random = mix(self.seed ^ address);
        match random % 8 {
            0 => 0,
            1 | 2 => random >> 8 & 0xf,
            3 => random >> 8 & 0xffff,
            4 => random,
            _ => self.home.wrapping_add((random >> 8) % 4096) & !7,
        }
    }

    fn word(&mut self, address: u64) -> Result<u64, Unavailable> {
        let mut bytes = [0; 8];
        let random = mix(self.seed ^ address.rotate_left(7));
        match self.damage {
            Damage::Invented if address.abs_diff(self.home) < 1 << 16 => Ok(self.invented(address)),
            Damage::Invented => Err(Unavailable::Memory(address)),
            Damage::Words(n) if random.is_multiple_of(n) => Ok(self.invented(address)),
            Damage::Rings(n) if random.is_multiple_of(n) => Ok(self.home.wrapping_add((random >> 8) % 128) & !7),
            _ => {
                self.program.read(address, &mut bytes)?;
                Ok(u64::from_le_bytes(bytes))
            }
        }
    }
}

impl Memory for Damaged<'_> {
    fn read(&mut self, address: u64, buffer: &mut [u8]) -> Result<(), Unavailable> {
        self.reads += 1;
        assert!(self.reads < MAX_READS, "too many reads");
        assert!(buffer.len() <= 1 << 20, "a read of {} bytes", buffer.len());
        for (i, byte) in buffer.iter_mut().enumerate() {
            let at = address.wrapping_add(i as u64);
            *byte = (self.word(at & !7)? >> (at % 8 * 8)) as u8;
        }
        Ok(())
    }

    fn symbol(&mut self, address: u64) -> Option<String> {
        self.program.symbol(address)
    }

    fn class_of_function(&mut self, address: u64) -> Option<TypeRef> {
        self.program.class_of_function(address)
    }

    fn named_type(&mut self, name: &str) -> Option<TypeRef> {
        self.program.named_type(name)
    }

    fn vtable_owner(&mut self, table: u64) -> Option<TypeRef> {
        self.program.vtable_owner(table)
    }

    fn whole_object(&mut self, value: &Value) -> Option<Value> {
        readers::whole_object(value, self)
    }

    fn meaning(&mut self, value: &Value) -> Option<Meaning> {
        readers::meaning(value, self)
    }
}

/// Looks at a value as the debugger does.
fn look(value: &Value, memory: &mut Damaged<'_>) {
    let options = Options { limits: LIMITS, ..Options::new(memory.program.target()) };
    let shown = render(value, memory, &options);
    assert!(shown.text.len() <= LIMITS.text + 256, "{} bytes", shown.text.len());
    let options = Options { limits: Limits { first: 7, ..LIMITS }, ..options };
    render(value, memory, &options);
    let _ = readers::whole_object(value, memory);
    if let Some(Meaning { body: Body::Items(_, mut items), .. }) = readers::meaning(value, memory) {
        let _ = items.nth(1 << 30, memory);
        let _ = items.next(memory);
    }
}

fn survive(fixture: &str, dialect: Dialect, objects: &[&str], seeds: u64) {
    let mut program = Program::start(fixture, dialect);
    let values: Vec<Value> = objects.iter().map(|name| program.value(name)).collect();
    // `PROPTEST_CASES`, 256 if it is not set, makes this longer, too.
    for seed in 0..seeds * u64::from(ProptestConfig::default().cases) / 256 {
        for (value, name) in values.iter().zip(objects) {
            let Place::Memory(home) = value.place else { panic!("{name} is not in memory") };
            for damage in [Damage::Invented, Damage::Words(3), Damage::Words(20), Damage::Rings(3), Damage::Rings(10)] {
                let seed = mix(seed ^ home);
                let mut memory = Damaged { program: &mut program, damage, seed, home, reads: 0 };
                look(value, &mut memory);
            }
        }
    }
}

fn cxx_objects() -> Vec<&'static str> {
    crate::cxx::VALUES.iter().map(|(name, _)| *name).chain(["deck", "thousand", "many"]).collect()
}

#[test]
fn of_gnu_library() {
    survive("library_types", Dialect::Cxx, &cxx_objects(), 6);
}

#[test]
fn of_llvm_library() {
    survive("library_types-libcxx", Dialect::Cxx, &cxx_objects(), 6);
}

#[test]
fn of_rust() {
    let members = crate::rust::VALUES.iter().map(|(name, _)| *name).chain(["many", "big"]);
    let objects: Vec<String> = members.map(|name| format!("(*HELD.p.value).{name}")).collect();
    let objects: Vec<&str> = objects.iter().map(String::as_str).collect();
    survive("library_types-rust", Dialect::Rust, &objects, 6);
}

#[test]
fn of_classes() {
    survive("objects", Dialect::Cxx, &["derived", "diamond", "itself", "bases", "owned", "refs", "base"], 40);
}
