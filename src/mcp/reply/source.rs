//! Source lines.

use engine::model::SourceLine;

/// Returns the path and the line, where they are known. The first path that there is is shown.
pub(crate) fn source_line(paths: [&Option<String>; 2], line: Option<u32>) -> Option<(&str, u32)> {
    Some((paths.into_iter().find_map(Option::as_deref)?, line?))
}

/// Formats lines with their numbers, an arrow at the current one.
pub(crate) fn source_text(lines: &[SourceLine]) -> Option<String> {
    let width = lines.iter().map(|line| line.number.to_string().len()).max()?;
    let text: Vec<String> = lines
        .iter()
        .map(|line| {
            let mark = if line.current { "=>" } else { "  " };
            format!("{mark} {:>width$}  {}", line.number, line.text).trim_end().to_owned()
        })
        .collect();
    Some(text.join("\n"))
}
