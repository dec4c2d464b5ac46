//! Values that a line of source names.

/// Returns the variable that a path begins with.
pub(crate) fn variable_of(path: &str) -> &str {
    path.split(['.', '-']).next().unwrap_or_default()
}

/// Lists the names in a line of source, each with the members that are named of it: `b.style`, `node->next`.
pub(crate) fn paths(line: &str) -> Vec<&str> {
    let is_letter = |c: char| c.is_alphanumeric() || c == '_';
    let mut found = Vec::new();
    let mut rest = line;
    while let Some(start) = rest.find(is_letter) {
        let path = rest.get(start..).unwrap_or_default();
        let name = |text: &str| text.find(|c| !is_letter(c)).unwrap_or(text.len());
        let mut end = name(path);
        loop {
            let behind = path.get(end..).unwrap_or_default();
            let Some(member) = behind.strip_prefix('.').or_else(|| behind.strip_prefix("->")) else { break };
            let length = name(member);
            // What is called is no value.
            if length == 0 || member.get(length..).is_some_and(|next| next.starts_with('(')) {
                break;
            }
            end += behind.len() - member.len() + length;
        }
        found.extend(path.get(..end));
        rest = path.get(end..).unwrap_or_default();
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_end_in_front_of_what_is_called() {
        assert_eq!(paths("=> int pad = styles_.at(b.style);"), ["int", "pad", "styles_", "at", "b.style"]);
        assert_eq!(paths("if (n->next.key < x)"), ["if", "n->next.key", "x"]);
        assert_eq!(paths("a.b.c()"), ["a.b", "c"]);
        assert_eq!(paths(""), [""; 0]);
    }
}
