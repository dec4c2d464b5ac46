//! Expressions of Fortran and Ada, said in the notation that is understood here.

/// How deep parentheses are looked into.
const MAX_DEPTH: usize = 32;

/// Operators and constants of Fortran, and what they are called here.
const FORTRAN: [(&str, &str); 14] = [
    (".and.", "&&"),
    (".or.", "||"),
    (".not.", "!"),
    (".eqv.", "=="),
    (".neqv.", "!="),
    (".eq.", "=="),
    (".ne.", "!="),
    (".lt.", "<"),
    (".le.", "<="),
    (".gt.", ">"),
    (".ge.", ">="),
    (".true.", "true"),
    (".false.", "false"),
    ("/=", "!="),
];

/// Returns the expression with its indices in brackets, the one that runs fastest last, `.` for Fortran's `%`, and C's
/// operators for Fortran's.
/// `None` if there is nothing to be said otherwise, or the language is another one.
pub(crate) fn in_brackets(text: &str, language: &str) -> Option<String> {
    let is_fortran = language == "fortran";
    if !is_fortran && language != "ada" {
        return None;
    }
    let characters: Vec<char> = text.chars().collect();
    let rewritten = rewrite(&characters, is_fortran, MAX_DEPTH)?;
    (rewritten != text).then_some(rewritten)
}

fn rewrite(text: &[char], is_fortran: bool, depth: usize) -> Option<String> {
    let depth = depth.checked_sub(1)?;
    let mut out = String::new();
    let mut at = 0;
    while let Some(&c) = text.get(at) {
        let follows_object = out.ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == ']');
        let name = out.trim_end_matches(|c: char| c.is_alphanumeric() || c == '_');
        // `$_streq(a, b)` is a call.
        if c == '(' && follows_object && !name.ends_with('$') {
            let end = at + closing(text.get(at..)?)?;
            let mut indices = separated(text.get(at + 1..end)?);
            if is_fortran {
                indices.reverse();
            }
            for index in indices {
                out.push_str(&format!("[{}]", rewrite(index, is_fortran, depth)?.trim()));
            }
            at = end + 1;
            continue;
        }
        let rest = text.get(at..)?;
        if let Some((word, sign)) = FORTRAN.iter().find(|(word, _)| is_fortran && starts_with(rest, word)) {
            out.push_str(sign);
            at += word.len();
            continue;
        }
        let names_member = text.get(at + 1).is_some_and(|next| next.is_alphabetic());
        out.push(if c == '%' && is_fortran && follows_object && names_member { '.' } else { c });
        at += 1;
    }
    Some(out)
}

/// Returns whether a text begins with a word, in letters of either case.
fn starts_with(text: &[char], word: &str) -> bool {
    text.get(..word.len()).is_some_and(|start| start.iter().zip(word.chars()).all(|(a, b)| a.eq_ignore_ascii_case(&b)))
}

/// Returns the index where the parenthesis closes that the text begins with.
fn closing(text: &[char]) -> Option<usize> {
    let mut open = 0usize;
    text.iter().position(|c| {
        open = match c {
            '(' => open + 1,
            ')' => open.saturating_sub(1),
            _ => open,
        };
        open == 0
    })
}

/// Splits a text into the parts between commas that are in no parentheses.
fn separated(text: &[char]) -> Vec<&[char]> {
    let mut open = 0usize;
    text.split(|c| {
        match c {
            '(' => open += 1,
            ')' => open = open.saturating_sub(1),
            _ => {}
        }
        *c == ',' && open == 0
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::in_brackets;

    #[test]
    fn indices_and_members_are_said_in_the_notation_of_here() {
        let said = |text, language| in_brackets(text, language).unwrap_or_default();
        assert_eq!(said("bins(8)", "fortran"), "bins[8]");
        assert_eq!(said("grid(i, f(2)) + s%where%lat", "fortran"), "grid[f[2]][i] + s.where.lat");
        assert_eq!(said("a(1) .EQ. 2 .and. .not. b /= .true.", "fortran"), "a[1] == 2 && ! b != true");
        assert_eq!(said("m(0, 3) = Books (2).Kind", "ada"), "m[0][3] = Books (2).Kind");
        for (text, language) in [
            ("f(1)", "c"),
            ("$_streq(a, b)", "fortran"),
            ("(a + b) * 2", "fortran"),
            ("n %m", "ada"),
            ("a((1", "fortran"),
        ] {
            assert_eq!(in_brackets(text, language), None, "{text}");
        }
    }
}
