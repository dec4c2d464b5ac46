//! The integer types of C and C++, whose words compilers write in different orders.

/// Lists the ways compilers write a C integer type that a user may write with its words in another order, or with the
/// redundant ones left out or added. `None` if the name is of no such type.
pub fn integer_spellings(name: &str) -> Option<Vec<String>> {
    let mut longs = 0;
    let (mut signed, mut unsigned, mut short, mut int, mut char, mut wide) = (0, 0, 0, 0, 0, 0);
    for word in name.split_whitespace() {
        *match word {
            "long" => &mut longs,
            "signed" => &mut signed,
            "unsigned" => &mut unsigned,
            "short" => &mut short,
            "int" => &mut int,
            "char" => &mut char,
            "__int128" => &mut wide,
            _ => return None,
        } += 1;
    }
    let too_many =
        [signed, unsigned, short, int, char, wide].iter().any(|n| *n > 1) || longs > 2 || signed + unsigned > 1;
    let nothing = longs + signed + unsigned + short + int + char + wide == 0;
    if too_many || nothing || u8::from(longs > 0) + short + char + wide > 1 || char + int + wide > 1 {
        return None;
    }
    let sign = if unsigned == 1 { "unsigned " } else { "" };
    Some(match (char, short, longs) {
        _ if wide == 1 && unsigned == 1 => vec!["__int128 unsigned".to_owned(), "unsigned __int128".to_owned()],
        _ if wide == 1 => vec!["__int128".to_owned()],
        (1, _, _) if signed == 1 => vec!["signed char".to_owned()],
        (1, _, _) => vec![format!("{sign}char")],
        // GCC writes the sign in the middle, Clang in front.
        (_, 1, _) => vec![format!("short {sign}int"), format!("{sign}short")],
        (_, _, 2) => vec![format!("long long {sign}int"), format!("{sign}long long")],
        (_, _, 1) => vec![format!("long {sign}int"), format!("{sign}long")],
        _ => vec![format!("{sign}int")],
    })
}

#[cfg(test)]
mod tests {
    use super::integer_spellings;

    fn spellings(name: &str) -> Vec<String> {
        integer_spellings(name).unwrap_or_default()
    }

    #[test]
    fn words_of_integer_types_come_in_any_order() {
        assert_eq!(spellings("unsigned long"), ["long unsigned int", "unsigned long"]);
        assert_eq!(spellings("long int unsigned"), ["long unsigned int", "unsigned long"]);
        assert_eq!(spellings("signed"), ["int"]);
        assert_eq!(spellings("unsigned"), ["unsigned int"]);
        assert_eq!(spellings("long signed long"), ["long long int", "long long"]);
        assert_eq!(spellings("short"), ["short int", "short"]);
        assert_eq!(spellings("char signed"), ["signed char"]);
        assert_eq!(spellings("unsigned __int128"), ["__int128 unsigned", "unsigned __int128"]);
        assert_eq!(spellings("signed __int128"), ["__int128"]);
    }

    #[test]
    fn other_types_have_no_spellings() {
        let others = ["", "long long long", "unsigned signed", "short long", "char int", "float", "unsigned thing"];
        for name in others.iter().chain(&["long __int128", "__int128 int"]) {
            assert_eq!(integer_spellings(name), None, "{name}");
        }
    }
}
