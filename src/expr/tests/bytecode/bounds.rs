//! What conditions need of single numbers: if that does not hold, they do not.

use super::*;
use proptest::prelude::*;

/// Whether one of these bounds does not hold, as it is looked at in a replay: in their order, until one is of memory that
/// is not there.
pub(super) fn fails(machine: &Machine, bounds: &[Bound]) -> bool {
    for Bound { number, size, is_signed, range, is_other } in bounds {
        let word = match number {
            Bounded::Register(number) => machine.registers[usize::from(*number)],
            Bounded::Memory { register, steps } => {
                let (last, before) = steps.split_last().unwrap();
                let base = before.iter().try_fold(machine.registers[usize::from(*register)], |address, step| {
                    crate::Machine::memory(machine, address.wrapping_add_signed(*step), 8)
                });
                let Some(base) = base else { return false };
                match crate::Machine::memory(machine, base.wrapping_add_signed(*last), usize::from(*size)) {
                    Some(word) => word,
                    None => return false,
                }
            }
        };
        let unused = 128 - 8 * u32::from(*size);
        let wide = u128::from(word) << unused;
        let value = if *is_signed { (wide as i128) >> unused } else { (wide >> unused) as i128 };
        if range.contains(&value) == *is_other {
            return true;
        }
    }
    false
}

/// The bounds of a condition, in words.
fn bounds_of(text: &str) -> Vec<String> {
    let mut machine = some_machine();
    let expr = parse_in(text, &mut machine).unwrap();
    let shown = |Bound { number, size, is_signed, range, is_other }| {
        let number = match number {
            Bounded::Register(number) => format!("r{number}"),
            Bounded::Memory { register, steps } => format!("r{register}{steps:?}"),
        };
        let sign = if is_signed { "s" } else { "u" };
        let (least, greatest) = (range.start(), range.end());
        format!("{sign}{size} {number} {}{least}..{greatest}", if is_other { "not " } else { "" })
    };
    bounds(&expr, &mut machine).into_iter().map(shown).collect()
}

#[test]
fn what_is_compared_with_constants_is_bounded() {
    for (text, expected) in [
        ("i == 5", &["s4 r6[-120] 5..5"][..]),
        ("5 < i", &["s4 r6[-120] 6..2147483647"]),
        ("i != -1", &["s4 r6[-120] not -1..-1"]),
        ("i <= 2 + 3 && u", &["s4 r6[-120] -2147483648..5", "u4 r6[-116] not 0..0"]),
        ("!i && uc == 'a'", &["s4 r6[-120] 0..0", "u1 r6[-127] 97..97"]),
        ("ul > 7", &["u8 r6[-104] 8..18446744073709551615"]),
        ("u == -1", &["u4 r6[-116] 4294967295..4294967295"]),
        ("ri >= 1 && rul < 9", &["s4 r0 1..2147483647", "u8 r1 0..8"]),
        ("rb", &["u1 r1 not 0..0"]),
        ("**pp == 4 && i == 5", &["s4 r6[-56, 0, 0] 4..4", "s4 r6[-120] 5..5"]),
        ("np == 0 && e == GREEN", &["u8 r6[-8] 0..0", "s4 r6[-84] 7..7"]),
        // What comes behind something else is evaluated only if that holds.
        ("i == 5 && (u & 1) && u == 3", &["s4 r6[-120] 5..5"]),
        ("i + 1 == 5 && u == 3", &[]),
        ("i == 5 || u == 3", &[]),
        // Of a comparison without signs a number with one is another, and so is a truth value.
        ("i < 5u", &[]),
        ("rb == 1", &[]),
        ("i < u", &[]),
        ("s.b == 3", &[]),
        // Always, and never.
        ("uc < 256", &[]),
        ("uc == 256", &[]),
        ("uc >= 0 && i == 5", &[]),
        ("i == 5 / 0", &[]),
        // C compares pointers as they are.
        ("pp == 0", &["u8 r6[-56] 0..0"]),
        ("np == (struct s *)16 && i == 5", &["u8 r6[-8] 16..16", "s4 r6[-120] 5..5"]),
    ] {
        assert_eq!(bounds_of(text), expected, "{text}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20 * ProptestConfig::default().cases))]
    #[test]
    fn what_is_not_bounded_so_does_not_hold(
        random: [u8; 32],
        registers: [u64; 2],
        parts in prop::collection::vec((0usize..22, 0usize..8, any::<bool>(), 0usize..13), 1..4),
        is_part: bool,
    ) {
        const NUMBERS: [&str; 22] = [
            "c", "uc", "h", "uh", "i", "u", "l", "ul", "ll", "b", "e", "ri", "rul", "rb", "*p", "p[1]", "**pp", "np", "*np",
            "ps->h", "s.w", "arr[2]",
        ];
        const OPERATORS: [&str; 8] = ["==", "!=", "<", "<=", ">", ">=", "", "!"];
        const CONSTANTS: [&str; 13] = [
            "0", "1", "-1", "5u", "-5L", "127", "128", "255", "-32768", "2147483648", "0xffffffff", "0x8000000000000000",
            "-0x7fffffffffffffff - 1",
        ];
        let part = |(number, operator, is_turned, constant): &(usize, usize, bool, usize)| {
            let (number, operator, constant) = (NUMBERS[*number], OPERATORS[*operator], CONSTANTS[*constant]);
            match operator {
                "" | "!" => format!("{operator}{number}"),
                _ if *is_turned => format!("{constant} {operator} {number}"),
                _ => format!("{number} {operator} {constant}"),
            }
        };
        let text = parts.iter().map(part).collect::<Vec<_>>().join(" && ");
        let mut random = random.to_vec();
        random.extend_from_within(..);
        let mut machine = Machine::new(&random, registers);
        let text = if is_part { format!("{text} && 1.5 > 0") } else { text };
        // Pointers are not compared with all of these.
        let Ok(expr) = parse_in(&text, &mut machine) else { return Ok(()) };
        if let Ok(value) = evaluated(&mut machine, &expr) {
            let bounds = bounds(&expr, &mut machine);
            prop_assert!(!fails(&machine, &bounds) || value == Some(0), "{}: {:?}, though {:?}", text, value, bounds);
        }
    }
}
