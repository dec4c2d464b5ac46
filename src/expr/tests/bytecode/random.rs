//! Random expressions over random memory.

use super::*;
use proptest::prelude::*;

fn number() -> impl Strategy<Value = String> {
    let names = [
        "c",
        "uc",
        "h",
        "uh",
        "i",
        "u",
        "l",
        "ul",
        "ll",
        "b",
        "e",
        "ri",
        "rul",
        "rb",
        "arr[1]",
        "*p",
        "p[-1]",
        "**pp",
        "s.a",
        "s.b",
        "s.c",
        "s.d",
        "s.f",
        "s.w",
        "ps->g[1]",
        "ps->h",
        "RED",
        "GREEN",
        "$rax",
        "(p - arr)",
        "(p == arr)",
        "*np",
        "'x'",
        "sizeof s",
    ];
    prop_oneof![
        4 => prop::sample::select(names.to_vec()).prop_map(str::to_owned),
        1 => any::<u8>().prop_map(|n| (n % 70).to_string()),
        1 => any::<u64>().prop_map(|n| n.to_string()),
        1 => any::<u32>().prop_map(|n| format!("{n:#x}")),
    ]
}

fn formula() -> impl Strategy<Value = String> {
    number().prop_recursive(5, 40, 3, |inner| {
        let unary = prop::sample::select(vec!["-", "~", "!", "+"]);
        let cast = prop::sample::select(vec![
            "char",
            "unsigned char",
            "short",
            "unsigned short",
            "int",
            "unsigned",
            "long",
            "unsigned long",
            "_Bool",
            "color_t",
        ]);
        let binary = prop::sample::select(vec![
            "+", "-", "*", "/", "%", "<<", ">>", "&", "|", "^", "==", "!=", "<", "<=", ">", ">=", "&&", "||", ",",
        ]);
        prop_oneof![
            1 => (unary, inner.clone()).prop_map(|(op, a)| format!("({op} {a})")),
            1 => (cast, inner.clone()).prop_map(|(ty, a)| format!("(({ty}){a})")),
            6 => (inner.clone(), binary, inner.clone()).prop_map(|(a, op, b)| format!("({a} {op} {b})")),
            1 => (inner.clone(), inner.clone(), inner).prop_map(|(a, b, c)| format!("({a} ? {b} : {c})")),
        ]
    })
}

/// Numbers at the edges are as likely as all others together.
fn edgy() -> impl Strategy<Value = u64> {
    prop_oneof![
        any::<u64>(),
        prop::sample::select(vec![
            0,
            1,
            u64::MAX,
            1 << 63,
            (1 << 63) - 1,
            1 << 31,
            (1 << 31) - 1,
            0xffff_ffff,
            0x80,
            0xff
        ]),
    ]
}

/// Parts of expressions over the variables, apart from casts with blanks in them.
const TOKENS: &str = "i c uh ul ps ri rb h RED $rip 0 1 -1 0x7fffffffffffffff 1.5 'c' ( ) [ ] . -> + - * / % & | ^ && ? : , \
    @ < >> << == ! ~ sizeof (int) (char*) (_Bool) color_t int {int}";

/// Parts in any order.
fn tokens() -> impl Strategy<Value = String> {
    let parts: Vec<&str> = TOKENS.split_whitespace().chain(["(struct s *)", "(unsigned char)"]).collect();
    prop::collection::vec(prop::sample::select(parts), 1..12).prop_map(|parts| parts.join(" "))
}

proptest! {
    // Few of them mean anything.
    #![proptest_config(ProptestConfig::with_cases(40 * ProptestConfig::default().cases))]

    #[test]
    fn random_tokens_are_refused_or_mean_the_same(text in tokens(), words in prop::collection::vec(edgy(), SIZE / 8)) {
        let random: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let mut machine = Machine::new(&random, [words[0], words[1]]);
        if let Ok(expr) = parse_in(&text, &mut machine) {
            let code = compile(&expr, &mut machine);
            let value = evaluated(&mut machine, &expr);
            if let (Ok(code), Ok(value)) = (code, value) {
                prop_assert_eq!(machine.run(&code), value, "{}", text);
                prop_assert_eq!(run(&code, &machine, &mut Vec::new()), value, "{}", text);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(234 * ProptestConfig::default().cases))]

    #[test]
    fn random_formulas_agree(
        text in formula(),
        words in prop::collection::vec(edgy(), SIZE / 8),
        registers in (edgy(), edgy()),
    ) {
        let random: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let mut machine = Machine::new(&random, [registers.0, registers.1]);
        match agree(&mut machine, &text) {
            Ok(()) => {}
            Err(e) if e.ends_with("it is too long") => {}
            Err(e) => prop_assert!(false, "{}", e),
        }
    }
}
