//! How a location is written: a function, a line, an address.

use super::Location;
use base::qualified::file_and_name;

/// The spellings that are understood, for messages.
const SPELLINGS: &str = "valid are a function, FILE:LINE, LINE, FILE:FUNCTION, FILE: TEXT OF A LINE and *ADDRESS";

/// Reads a location as a user writes it.
///
/// # Errors
/// The reason why the text makes no sense.
pub(super) fn parse(text: &str) -> Result<Location, String> {
    let trimmed = unquoted(text.trim());
    if trimmed.is_empty() {
        return Err(format!("it is empty; {SPELLINGS}"));
    }
    if let Some(address) = trimmed.strip_prefix('*') {
        let address = address.trim();
        if address.is_empty() {
            return Err("an expression must follow the `*`".to_owned());
        }
        return Ok(Location::Address(address.to_owned()));
    }
    if trimmed.bytes().all(|b| b.is_ascii_digit()) {
        return Ok(Location::Line(line_number(trimmed)?));
    }
    if let (Some(file), function) = file_and_name(trimmed)
        && !function.is_empty()
    {
        return Ok(Location::FileFunction(file.to_owned(), function.to_owned()));
    }
    if let Some((file, rest)) = split_file(trimmed) {
        if rest.is_empty() {
            return Err(format!("nothing follows the `:`; {SPELLINGS}"));
        }
        return Ok(match rest.bytes().all(|b| b.is_ascii_digit()) {
            true => Location::FileLine(file, line_number(rest)?),
            false if trimmed.starts_with('\'') => Location::FileFunction(file, unquoted(rest).to_owned()),
            false => Location::FileFunction(file, rest.to_owned()),
        });
    }
    Ok(Location::Function(trimmed.to_owned()))
}

fn line_number(digits: &str) -> Result<u32, String> {
    match digits.parse() {
        Ok(0) => Err("lines are counted from 1".to_owned()),
        Ok(line) => Ok(line),
        Err(_) => Err(format!("`{digits}` is not a line number")),
    }
}

/// Removes the quotes around all of it.
fn unquoted(text: &str) -> &str {
    let inside = |quote: char| text.strip_prefix(quote).and_then(|rest| rest.strip_suffix(quote));
    // Of `'a.c':'f'`, each is quoted by itself.
    let whole = || inside('\'').filter(|inner| !inner.contains('\''));
    inside('"').or_else(whole).map_or(text, str::trim)
}

/// Splits at the colon between a file and what is in it, which is not one of a `::`: before a line number the last one,
/// else the first one behind what looks like a file, as the text of a line may have colons, too.
fn split_file(text: &str) -> Option<(String, &str)> {
    let unquoted = |s: &str| s.trim().trim_matches(|c| c == '"' || c == '\'').to_owned();
    let colons: Vec<usize> = text.match_indices(':').map(|(at, _)| at).collect();
    let is_part_of_pair = |at: usize| text[..at].ends_with(':') || text[at + 1..].starts_with(':');
    let mut single = colons.into_iter().filter(|at| !is_part_of_pair(*at) && !text[..*at].trim().is_empty());
    let first_of_file = single.clone().find(|at| looks_like_file(&text[..*at]));
    let is_number = |at: &usize| text[at + 1..].trim().bytes().all(|b| b.is_ascii_digit());
    // `a.c: x ? y : 3` is a text.
    let is_before_text = first_of_file.is_some_and(|at| !is_number(&at) && text[at + 1..].starts_with(' '));
    let before_number = single.next_back().filter(|at| is_number(at) && !is_before_text);
    let colon = before_number.or(first_of_file)?;
    Some((unquoted(&text[..colon]), text[colon + 1..].trim()))
}

fn looks_like_file(text: &str) -> bool {
    text.contains('/') || text.contains('.')
}
