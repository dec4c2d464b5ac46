//! Code of real programs, executed from random states.
//!
//! `RETROGRADE_TEST_INSTRUCTIONS=1000000 cargo test --lib translations_do` executes a million instructions both ways,
//! which takes some minutes; without the variable it is a sample.

use super::image::{self, Image};
use super::pair::{Difference, LOWERINGS, Mode, Pair};
use super::random::Random;
use super::state;
use crate::shim::cache::insn::decode;
use crate::shim::cache::translate::translate;

/// Instructions to be executed both ways, unless the variable names another number.
const INSTRUCTIONS: u64 = 20_000;
const VARIABLE: &str = "RETROGRADE_TEST_INSTRUCTIONS";
/// Where images are placed: far from everything, and where addresses fit into a displacement.
pub const BASES: [u64; 2] = [0x3000_0000_0000, 0x2000_0000];

/// Addresses of instructions, as a disassembler that starts somewhere finds them.
pub fn addresses(image: &Image, random: &mut Random) -> Vec<u64> {
    let mut addresses = Vec::new();
    let executable: Vec<_> = image.executable().collect();
    while addresses.len() < 2000 {
        let (area, content) = executable[random.below(executable.len() as u64) as usize];
        let mut at = random.below(content.len() as u64) as usize;
        for _ in 0..20 {
            let Some(insn) = decode(&content[at..]) else { break };
            addresses.push(area.address + at as u64);
            at += usize::from(insn.length);
        }
    }
    addresses
}

#[test]
fn translations_do_what_the_program_does() {
    let wanted = std::env::var(VARIABLE).map_or(INSTRUCTIONS, |count| count.parse().unwrap());
    let files = image::files();
    let share = wanted / (files.len() * BASES.len()) as u64 + 1;
    let mut random = Random(1);
    for path in &files {
        for base in BASES {
            let image = Image::load(path, base);
            execute(&mut Pair::new(image), share, &mut random).unwrap_or_else(|difference| {
                panic!("{} at {base:#x}: {difference}", path.display());
            });
        }
    }
}

/// Executes so many instructions of a program both ways.
fn execute(pair: &mut Pair, instructions: u64, random: &mut Random) -> Result<(), Difference> {
    const MODES: [Mode; 4] = [Mode::Alone, Mode::Rolled, Mode::Linked, Mode::Guarded];
    let mut extended = pair.extended_state();
    let mut code = Vec::new();
    for round in 0.. {
        if round % 256 == 0 {
            code = addresses(pair.image(), random);
            pair.set_data(&state::data(random, &code));
            pair.lower(LOWERINGS[round / 256 % LOWERINGS.len()]);
        }
        state::randomise(&mut extended, random);
        let rip = code[random.below(code.len() as u64) as usize];
        let registers = state::registers(random, &code, rip);
        // Few enough for a loop to come to its end.
        let limit = if random.once_in(4) { 4 } else { 100 };
        let remaining = random.below(limit) + 1;
        pair.run(&registers, &extended, remaining, MODES[round / 64 % MODES.len()], 8)?;
        if pair.instructions >= instructions {
            break;
        }
    }
    Ok(())
}

#[test]
fn a_translation_serves_for_the_same_code_elsewhere() {
    const NEAR: u64 = 0x5555_5555_0000;
    const FAR: u64 = 0x7ffd_dead_8000;
    let mut random = Random(6);
    let here = Image::load(&image::files()[0], NEAR);
    let mut movable = 0;
    for address in addresses(&here, &mut random) {
        let code = here.code(address);
        let Some(mut first) = translate(code, address, false) else { continue };
        let second = translate(code, address - NEAR + FAR, false).unwrap();
        assert_eq!((&first.fixups, first.is_bound), (&second.fixups, second.is_bound));
        for &field in &first.addresses {
            let field = &mut first.code[field as usize..field as usize + 8];
            // Samples that begin within an instruction may refer to anything.
            let moved = u64::from_le_bytes(field.try_into().unwrap()).wrapping_sub(NEAR).wrapping_add(FAR);
            field.copy_from_slice(&moved.to_le_bytes());
        }
        if !first.is_bound {
            assert_eq!(first.code, second.code, "{address:#x}");
            movable += 1;
        }
    }
    assert!(movable > 1000, "{movable} translations can be moved");
}

#[test]
fn code_that_has_changed_is_noticed_before_it_is_executed() {
    let mut random = Random(8);
    let mut pair = Pair::new(Image::load(&image::files()[0], BASES[0]));
    let code = addresses(pair.image(), &mut random);
    let mut noticed = 0;
    for &rip in &code {
        let registers = state::registers(&mut random, &code, rip);
        let length = u64::from(decode(pair.image().code(rip)).unwrap().length);
        let Some(is_noticed) = pair.notices(&registers, rip + random.below(length)) else { continue };
        assert!(is_noticed, "{rip:#x}");
        noticed += 1;
    }
    assert!(noticed > 1000, "{noticed}");
}
