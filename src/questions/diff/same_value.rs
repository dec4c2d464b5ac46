//! When two values are told to be the same.

/// Below this nothing is mapped (`vm.mmap_min_addr`): such a number is not an address.
const NULL_PAGES: u64 = 0x1_0000;

/// From here on a number is large: more than 32 bits.
const LARGE: u128 = 1 << 32;

/// Returns whether two values, as they are shown, are the same but for addresses: those of the stack and the heap say
/// nothing of a program, since they depend on its environment and on what else it has allocated. What an address is
/// shown to lead to is compared: text, a symbol.
pub(super) fn is_same(a: &str, b: &str) -> bool {
    a == b || without_addresses(a) == without_addresses(b)
}

/// Returns whether two values, as they are shown, are the same but for addresses and large numbers: of what differs so,
/// hashes, random numbers and times are the most.
pub(super) fn is_same_but_for_large_numbers(a: &str, b: &str) -> bool {
    without(a, true) == without(b, true)
}

fn without_addresses(value: &str) -> String {
    without(value, false)
}

/// Replaces addresses outside of quoted text; decimal numbers, too, that are larger than what a program counts.
fn without(value: &str, is_without_large: bool) -> String {
    let (mut text, mut rest) = (String::with_capacity(value.len()), value);
    let mut quote: Option<char> = None;
    while let Some(letter) = rest.chars().next() {
        let number = if quote.is_none() && !ends_in_word(&text) { rest.strip_prefix("0x") } else { None };
        if let Some(digits) = number {
            let end = digits.find(|c: char| !c.is_ascii_hexdigit()).unwrap_or(digits.len());
            let (digits, behind) = digits.split_at(end);
            match u64::from_str_radix(digits, 16) {
                Ok(address) if address >= NULL_PAGES => text.push_str("0x…"),
                _ => text.extend(["0x", digits]),
            }
            rest = behind;
            continue;
        }
        let is_number = quote.is_none() && letter.is_ascii_digit() && !ends_in_word(&text);
        if is_number && is_without_large {
            let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
            let (digits, behind) = rest.split_at(end);
            match digits.parse::<u128>() {
                Ok(number) if number < LARGE => text.push_str(digits),
                _ => {
                    // Of hashes half are negative.
                    if text.ends_with('-') {
                        text.pop();
                    }
                    text.push('…');
                }
            }
            rest = behind;
            continue;
        }
        let mut letters = rest.chars();
        letters.next();
        text.push(letter);
        match quote {
            Some(_) if letter == '\\' => text.extend(letters.next()),
            Some(open) if open == letter => quote = None,
            None if letter == '"' => quote = Some(letter),
            _ => {}
        }
        rest = letters.as_str();
    }
    text
}

fn ends_in_word(text: &str) -> bool {
    text.chars().next_back().is_some_and(|c| c.is_alphanumeric() || c == '_')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn addresses_are_told_from_values() {
        assert!(is_same("(struct p *) 0x7ffe10", "(struct p *) 0x5551238"));
        assert!(is_same("0x4052a0 \"ab\"", "0x7fff0001 \"ab\""));
        assert!(!is_same("0x4052a0 \"ab\"", "0x4052a0 \"ac\""));
        assert!(!is_same("0x401136 <f>", "0x401156 <g>"));
        assert!(!is_same("(struct p *) 0x0", "(struct p *) 0x5551238"));
        // No address is so low: it is a value gone wrong.
        assert!(!is_same("(struct p *) 0x3e8", "(struct p *) 0x5551238"));
        assert!(!is_same("\"0x123456\"", "\"0x123457\""));
        assert!(!is_same("\"a\\\"0x123456\"", "\"a\\\"0x123457\""));
        assert!(!is_same("-1", "1"));
        assert!(!is_same("a0x123456", "a0x123457"));
    }

    #[test]
    fn large_numbers_are_told_from_small_ones() {
        assert!(is_same_but_for_large_numbers("{k0 = 15512341234123412341, n = 3}", "{k0 = 7777777777777, n = 3}"));
        assert!(is_same_but_for_large_numbers("-8123412341234123412", "5123412341234123412"));
        assert!(!is_same_but_for_large_numbers("{k0 = 15512341234123412341, n = 3}", "{k0 = 7777777777777, n = 4}"));
        assert!(!is_same_but_for_large_numbers("3", "4294967296"));
        assert!(!is_same_but_for_large_numbers("4294967295", "4294967294"));
        assert!(!is_same_but_for_large_numbers("\"5000000000\"", "\"6000000000\""));
        assert!(!is_same_but_for_large_numbers("a5000000000", "a6000000000"));
    }

    proptest! {
        #[test]
        fn a_value_is_the_same_as_itself_and_no_text_is_too_strange(a in ".{0,60}", b in ".{0,60}") {
            prop_assert!(is_same(&a, &a));
            prop_assert_eq!(is_same(&a, &b), is_same(&b, &a));
        }
    }
}
