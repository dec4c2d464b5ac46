//! Numbers as C's `printf` writes them.

/// Returns the type that an integer is converted to before it is written: by its own type first, as an argument in C
/// is, then to what the length modifiers and the letter of the conversion say.
pub(super) fn integer_type(modifiers: &str, letter: char) -> &'static str {
    let is_signed = matches!(letter, 'd' | 'i');
    match (modifiers, is_signed) {
        ("hh", true) => "signed char",
        ("hh", false) => "unsigned char",
        ("h", true) => "short",
        ("h", false) => "unsigned short",
        ("", true) => "int",
        ("", false) => "unsigned int",
        (_, true) => "long",
        (_, false) => "unsigned long",
    }
}

/// Returns whether a conversion writes an integer.
pub(super) fn is_integer(letter: char) -> bool {
    "diuoxX".contains(letter)
}

/// Puts zeros before the digits of an integer, up to as many as a precision says; other text stays as it is.
pub(super) fn with_digits(text: String, precision: Option<usize>) -> String {
    let (sign, digits) = text.split_at(usize::from(text.starts_with('-')));
    match precision {
        Some(0) if digits == "0" => String::new(),
        Some(precision) if digits.chars().all(|c| c.is_ascii_hexdigit()) => format!("{sign}{digits:0>precision$}"),
        _ => text,
    }
}

/// Digits behind the point that C's `printf` shows if it is not told.
const DIGITS: usize = 6;

/// Formats a number as `%f`.
pub(super) fn fixed(number: f64, precision: Option<usize>) -> String {
    format!("{number:.*}", precision.unwrap_or(DIGITS))
}

/// Formats a number as `%e`: with a sign and at least two digits of exponent.
pub(super) fn exponential(number: f64, precision: Option<usize>) -> String {
    let text = format!("{number:.*e}", precision.unwrap_or(DIGITS));
    match text.split_once('e') {
        Some((digits, exponent)) => match exponent.strip_prefix('-') {
            Some(exponent) => format!("{digits}e-{exponent:0>2}"),
            None => format!("{digits}e+{exponent:0>2}"),
        },
        None => text,
    }
}

/// Formats a number as `%g`: so many significant digits, without zeros at the end, by the rule of ISO C 7.21.6.1.
pub(super) fn shorter(number: f64, precision: Option<usize>) -> String {
    let digits = precision.unwrap_or(DIGITS).max(1);
    let long = exponential(number, Some(digits - 1));
    let Some((mantissa, exponent)) = long.split_once('e') else { return long };
    let without_zeros = |text: &str| match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text.to_owned(),
    };
    let behind = exponent.parse().ok().and_then(|exponent: isize| {
        let behind = digits.checked_add_signed(exponent.checked_neg()?)?.checked_sub(1)?;
        (exponent >= -4).then_some(behind)
    });
    match behind {
        Some(behind) => without_zeros(&fixed(number, Some(behind))),
        None => format!("{}e{exponent}", without_zeros(mantissa)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floating_point_as_in_c() {
        for (number, precision, expected) in [
            (1.5, None, ["1.500000", "1.500000e+00", "1.5"]),
            (0.0, None, ["0.000000", "0.000000e+00", "0"]),
            (-1234567.0, None, ["-1234567.000000", "-1.234567e+06", "-1.23457e+06"]),
            (999999.5, None, ["999999.500000", "9.999995e+05", "1e+06"]),
            (100000.0, None, ["100000.000000", "1.000000e+05", "100000"]),
            (0.0001, None, ["0.000100", "1.000000e-04", "0.0001"]),
            (0.00001, None, ["0.000010", "1.000000e-05", "1e-05"]),
            (2.5e-300, Some(1), ["0.0", "2.5e-300", "2e-300"]),
            (123.456, Some(0), ["123", "1e+02", "1e+02"]),
            (f64::INFINITY, None, ["inf", "inf", "inf"]),
        ] {
            let found = [fixed, exponential, shorter].map(|shown| shown(number, precision));
            assert_eq!(found, expected, "{number} {precision:?}");
        }
    }

    #[test]
    fn a_precision_of_an_integer_is_a_number_of_digits() {
        for (text, precision, expected) in [
            ("-1", Some(3), "-001"),
            ("5", Some(3), "005"),
            ("1234", Some(3), "1234"),
            ("ff", Some(4), "00ff"),
            ("0", Some(0), ""),
            ("0", None, "0"),
            ("<unavailable>", Some(20), "<unavailable>"),
        ] {
            assert_eq!(with_digits(text.to_owned(), precision), expected, "{text} {precision:?}");
        }
    }
}
