//! The places of lines.

use super::levels::level_on_line;
use super::{CodePlace, CodePlaces, Collected};
use crate::module::{self, Loaded};
use std::collections::BTreeSet;

/// Finds where the code of a line begins, or that of the first line behind it that has code.
pub(super) fn of_line<M: Loaded>(modules: &[M], file: &str, line: u32) -> CodePlaces {
    let all = module::user(modules).flat_map(|(number, module)| {
        module.image().addresses_of_line(file, line).into_iter().map(move |found| (number, module, found))
    });
    let matches: Vec<_> = all.filter(|(_, _, found)| !found.addresses.is_empty()).collect();
    let Some(first) = matches.iter().map(|(_, _, found)| found.line).filter(|l| *l >= line).min() else {
        return CodePlaces::default();
    };
    let mut found = Collected::default();
    for (number, module, lines) in matches.iter().filter(|(_, _, found)| found.line == first) {
        for address in &lines.addresses {
            let level = level_on_line(module.image(), *address, first, &lines.file);
            found.0.insert((*number, *address), level);
        }
    }
    let all = found.places();
    let shown = |place: &CodePlace| place.line(modules.get(place.module)?.image());
    let is_behind_prologue = |place: &CodePlace| {
        modules.get(place.module).is_some_and(|module| {
            let function = module.image().function_at(place.address);
            function.is_some_and(|function| module.image().after_prologue(&function) == place.address)
        })
    };
    let shared = all.iter().any(|place| shown(place) != Some(line) && !is_behind_prologue(place));
    let note = line_note(line, first, &all.iter().filter_map(shown).collect(), shared);
    CodePlaces { all, note }
}

/// Returns what to say if the places are not in the line that was asked for. `bound`: the first line from there on
/// with code. `lines`: those that the places are shown in. `shared`: they are not where the prologue of a function has
/// ended, but belong to several lines at once.
fn line_note(asked: u32, bound: u32, lines: &BTreeSet<u32>, shared: bool) -> Option<String> {
    let lines: Vec<String> = lines.iter().filter(|line| **line != asked).map(|line| line.to_string()).collect();
    let bound_to = match lines.as_slice() {
        [] => return None,
        [one] => format!("resolved to line {one}"),
        many => format!("resolved to lines {}", many.join(", ")),
    };
    Some(if bound == asked && shared {
        format!(
            "the instruction where line {asked} begins is that of another line, too, and is executed as often as that: \
             {bound_to}"
        )
    } else if bound == asked {
        format!("line {asked} begins a function, {bound_to}, behind its prologue")
    } else {
        format!("line {asked} has no place to stop at, {bound_to}")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_names_the_lines_that_are_shown() {
        let note = |asked, bound, lines: &[u32]| line_note(asked, bound, &lines.iter().copied().collect(), false);
        assert_eq!(note(5, 5, &[5, 5]), None);
        let note = |asked, bound, lines: &[u32]| note(asked, bound, lines).unwrap();
        assert_eq!(note(3, 5, &[5]), "line 3 has no place to stop at, resolved to line 5");
        assert_eq!(note(3, 5, &[6]), "line 3 has no place to stop at, resolved to line 6");
        assert_eq!(note(3, 5, &[6, 5]), "line 3 has no place to stop at, resolved to lines 5, 6");
        assert_eq!(note(5, 5, &[6]), "line 5 begins a function, resolved to line 6, behind its prologue");
    }
}
