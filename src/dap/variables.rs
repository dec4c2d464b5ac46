//! Variables and what they are made of, read when they are opened, a page at a time.

use super::arguments::{Filter, Format, Variables};
use super::bodies::{PresentationHint, Variable};
use super::handles::{Look, Looks, Part};
use super::message::{Refusal, body_of};
use super::session::Session;
use crate::replay::{Kind, Replay, Value};
use base::cancel::Cancel;
use serde_json::json;

/// Most variables in one answer.
const MOST: u64 = 1000;
/// Longest text of a variable in a list.
const LONGEST: usize = 500;
/// Longest text of a key.
const LONGEST_KEY: usize = 60;

/// Which part of what is inside is wanted.
pub(super) struct Page {
    filter: Option<Filter>,
    start: u64,
    count: u64,
}

impl Page {
    /// Returns the page that begins with the first, and is as long as pages are.
    pub(super) fn all() -> Self {
        Self { filter: None, start: 0, count: MOST }
    }

    fn has(&self, filter: Filter) -> bool {
        self.filter.is_none_or(|wanted| wanted == filter)
    }
}

/// A variable, or a part of one.
pub(super) struct Inside<'r> {
    pub(super) name: String,
    pub(super) value: Value<'r>,
    /// What it is called in an expression.
    pub(super) expression: Option<String>,
    kind: Option<&'static str>,
}

impl<'r> Inside<'r> {
    fn new(name: impl Into<String>, value: Value<'r>, expression: Option<String>) -> Self {
        Self { name: name.into(), value, expression, kind: None }
    }
}

/// Lists what is inside of a scope, the frame of which is selected, or of a value.
pub(super) fn parts<'r>(
    replay: &'r Replay,
    look: &Look,
    page: &Page,
    cancel: &Cancel,
) -> Result<Vec<Inside<'r>>, Refusal> {
    let (start, count) = (usize::try_from(page.start).unwrap_or(usize::MAX), page.count.min(MOST));
    let all = match look {
        Look::Value(kept, expression) => {
            return inside(&replay.revived(kept.clone()), expression.as_deref(), page, cancel);
        }
        _ if !page.has(Filter::Named) => return Ok(Vec::new()),
        Look::Scope(_, Part::Registers) => registers(replay)?,
        Look::Scope(_, Part::Globals) => globals(replay)?,
        Look::Scope(_, Part::Arguments) => variables(replay, Some(true))?,
        Look::Scope(_, Part::Locals) => variables(replay, Some(false))?,
        Look::Frame(_) => variables(replay, None)?,
    };
    Ok(all.into_iter().skip(start).take(usize::try_from(count).unwrap_or(usize::MAX)).collect())
}

fn registers(replay: &Replay) -> Result<Vec<Inside<'_>>, Refusal> {
    let registers = replay.registers()?.into_iter();
    Ok(registers
        .map(|register| Inside::new(&register.name, register.value, Some(format!("${}", register.name))))
        .collect())
}

fn globals(replay: &Replay) -> Result<Vec<Inside<'_>>, Refusal> {
    let mut globals = replay.globals()?;
    // What the C++ library's templates have brought into the unit comes last.
    globals.sort_by_key(|global| ["std::", "__gnu_cxx::"].iter().any(|library| global.name.starts_with(library)));
    let is_plain = |name: &&String| name.chars().all(|c| c.is_alphanumeric() || "_:".contains(c));
    let named = globals.into_iter().map(|global| {
        let expression = Some(&global.name).filter(is_plain).cloned();
        Inside::new(&global.name, global.value, expression)
    });
    Ok(named.collect())
}

fn variables(replay: &Replay, arguments: Option<bool>) -> Result<Vec<Inside<'_>>, Refusal> {
    let wanted = replay.variables()?.into_iter();
    let wanted = wanted.filter(|variable| arguments.is_none_or(|arguments| variable.is_argument == arguments));
    let named = wanted.map(|variable| match (variable.is_shadowed, variable.line) {
        (false, _) => Inside::new(&variable.name, variable.value, Some(variable.name.clone())),
        // Its name means the inner one.
        (true, Some(line)) => Inside::new(format!("{} (line {line})", variable.name), variable.value, None),
        (true, None) => Inside::new(format!("{} (shadowed)", variable.name), variable.value, None),
    });
    Ok(named.collect())
}

/// Returns an expression in such a form that something can be appended to it.
fn operand(expression: &str) -> String {
    if is_postfix(expression) { expression.to_owned() } else { format!("({expression})") }
}

/// Returns whether an expression is a name, or something in brackets, with nothing but `.`, `::`, indexes and arguments
/// behind it.
fn is_postfix(expression: &str) -> bool {
    let (mut depth, mut closed) = (0_u32, false);
    for c in expression.chars() {
        let is_inside = depth > 0;
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            _ if is_inside => {}
            // What stands behind a bracket makes it a cast.
            '.' | ':' => {}
            _ if closed || !(c.is_alphanumeric() || c == '_' || c == '$') => return false,
            _ => {}
        }
        closed = depth == 0 && matches!(c, ')' | ']');
    }
    depth == 0
}

fn inside<'r>(
    value: &Value<'r>,
    expression: Option<&str>,
    page: &Page,
    cancel: &Cancel,
) -> Result<Vec<Inside<'r>>, Refusal> {
    let start = usize::try_from(page.start).unwrap_or(usize::MAX);
    let count = usize::try_from(page.count.min(MOST)).unwrap_or(usize::MAX);
    let end = page.start.saturating_add(count as u64);
    let indexed = |index: i128| expression.map(|expression| format!("{}[{index}]", operand(expression)));
    let first = i128::from(value.first_index());
    let mut found = Vec::new();
    let go_on = || match cancel.is_cancelled() {
        true => Err(Refusal::new("cancelled")),
        false => Ok(()),
    };
    match value.kind() {
        Kind::Array if page.has(Filter::Indexed) => {
            for index in page.start..end.min(value.length().unwrap_or(0)) {
                go_on()?;
                let named = first + i128::from(index);
                found.push(Inside::new(format!("[{named}]"), value.element(index)?, indexed(named)));
            }
        }
        Kind::Sequence if page.has(Filter::Indexed) => {
            for (index, element) in (0..end).zip(value.elements()?) {
                go_on()?;
                if index >= page.start {
                    found.push(Inside::new(format!("[{index}]"), element, indexed(index.into())));
                }
            }
        }
        Kind::Map if page.has(Filter::Indexed) => {
            for (index, (key, element)) in (0..end).zip(value.entries()?) {
                go_on()?;
                if index >= page.start {
                    found.push(Inside::new(format!("[{}]", shortened(&key.to_string(), LONGEST_KEY)), element, None));
                }
            }
        }
        Kind::Structure | Kind::Union | Kind::Variant if page.has(Filter::Named) => {
            let fields = value.fields().into_iter().skip(start).take(count);
            found.extend(fields.map(|(name, field)| {
                let is_name = name.chars().all(|c| c.is_alphanumeric() || c == '_');
                let named = expression.filter(|_| is_name).map(|of| format!("{}.{name}", operand(of)));
                Inside::new(name, field, named)
            }));
        }
        Kind::Pointer => {
            let object = value.pointee()?;
            let through = expression.map(|expression| format!("(*{})", operand(expression)));
            return match object.kind() {
                Kind::Structure | Kind::Union | Kind::Variant | Kind::Sequence | Kind::Map => {
                    inside(&object, through.as_deref(), page, cancel)
                }
                _ if page.has(Filter::Named) && start == 0 => {
                    let name = expression.map_or("*".to_owned(), |expression| format!("*{}", operand(expression)));
                    Ok(vec![Inside::new(name, object, through)])
                }
                _ => Ok(Vec::new()),
            };
        }
        _ => {}
    }
    Ok(found)
}

/// How many parts a value has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Size {
    Named(u64),
    Indexed(u64),
}

fn size(value: &Value<'_>) -> Size {
    let of_object = |value: &Value<'_>| match value.kind() {
        Kind::Array | Kind::Sequence | Kind::Map => Size::Indexed(value.length().unwrap_or(0)),
        Kind::Structure | Kind::Union | Kind::Variant => Size::Named(value.fields().len() as u64),
        _ => Size::Named(0),
    };
    if value.unknown().is_some() {
        return Size::Named(0);
    }
    if value.kind() != Kind::Pointer {
        return of_object(value);
    }
    // A text is shown already.
    if value.as_pointer().is_none_or(|address| address == 0) || value.as_str().is_some() {
        return Size::Named(0);
    }
    match value.pointee() {
        Ok(object) => match object.kind() {
            Kind::Void | Kind::Function | Kind::Opaque => Size::Named(0),
            Kind::Structure | Kind::Union | Kind::Variant | Kind::Sequence | Kind::Map => of_object(&object),
            _ => Size::Named(1),
        },
        Err(_) => Size::Named(0),
    }
}

/// Cuts a text that is too long for a list.
fn shortened(text: &str, longest: usize) -> String {
    match text.char_indices().nth(longest) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// Returns a value as editors take it. What is inside of it can be asked for until the next movement.
pub(super) fn shown(looks: &mut Looks, part: &Inside<'_>, format: Format, longest: usize) -> Variable {
    let value = &part.value;
    let text = if format.hex { format!("{value:x}") } else { value.to_string() };
    let size = size(value);
    let variables_reference = match size {
        Size::Named(0) | Size::Indexed(0) => 0,
        _ => looks.hold(Look::Value(value.kept(), part.expression.clone())),
    };
    let address = match value.kind() {
        Kind::Pointer => value.as_pointer(),
        _ => value.address(),
    };
    Variable {
        name: part.name.clone(),
        value: shortened(&text, longest),
        ty: Some(value.type_name()),
        presentation_hint: Some(PresentationHint { kind: part.kind, attributes: vec!["readOnly"] }),
        evaluate_name: part.expression.clone(),
        variables_reference,
        named_variables: if let Size::Named(count @ 1..) = size { Some(count) } else { None },
        indexed_variables: if let Size::Indexed(count @ 1..) = size { Some(count) } else { None },
        memory_reference: address.map(|address| format!("{address:#x}")),
    }
}

impl Session {
    pub(super) fn variables(&mut self, arguments: &Variables, cancel: &Cancel) -> Result<serde_json::Value, Refusal> {
        let look = self.looks.get(arguments.variables_reference)?;
        if let Look::Scope(place, _) | Look::Frame(place) = look {
            self.select(place)?;
        }
        let count = if arguments.count == 0 { MOST } else { arguments.count };
        let page = Page { filter: arguments.filter, start: arguments.start, count };
        let Self { replay, looks, returned, .. } = self;
        let replay = replay.as_ref().ok_or_else(super::session::nothing)?;
        let mut found = Vec::new();
        if let (Look::Scope(place, Part::Locals), Some((thread, kept)), 0) = (&look, returned.as_ref(), page.start)
            && (place.thread, place.level) == (*thread, 0)
        {
            let value = Inside::new("(returned)", replay.revived(kept.clone()), None);
            found.push(Inside { kind: Some("virtual"), ..value });
        }
        found.extend(parts(replay, &look, &page, cancel)?);
        let mut variables: Vec<_> = found.iter().map(|part| shown(looks, part, arguments.format, LONGEST)).collect();
        if let (Look::Value(kept, _), 0) = (&look, arguments.count)
            && page.has(Filter::Indexed)
            && let Size::Indexed(all) = size(&replay.revived(kept.clone()))
            && let rest @ 1.. = all.saturating_sub(page.start.saturating_add(variables.len() as u64))
        {
            let value = format!("{rest} more, which are listed in pages (`start`, `count`)");
            variables.push(Variable { name: "…".to_owned(), value, ..Variable::default() });
        }
        Ok(body_of(json!({"variables": variables})))
    }
}

/// Returns a value that an expression has, as the part that it is of nothing.
pub(super) fn of_expression<'r>(expression: &str, value: Value<'r>) -> Inside<'r> {
    Inside::new(expression, value, Some(expression.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_are_put_together_so_that_they_mean_the_part() {
        for postfix in ["a", "$rax", "n::a.b[i + 1]", "(*p)", "(*p).q[2]", "f(1, 2).x"] {
            assert_eq!(operand(postfix), postfix);
        }
        for other in ["a + b", "*p", "(a) + (b)", "(char)a", "-a", "(a"] {
            assert_eq!(operand(other), format!("({other})"));
        }
    }

    #[test]
    fn texts_are_cut_between_characters() {
        assert_eq!((shortened("grün", 3), shortened("grün", 4)), ("grü…".to_owned(), "grün".to_owned()));
    }
}
