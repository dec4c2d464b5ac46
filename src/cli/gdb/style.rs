//! Colours of a terminal: where a frame is, functions, addresses, and why something failed.

const RESET: &str = "\x1b[m";
const FILE: &str = "\x1b[32m";
const FUNCTION: &str = "\x1b[33m";
const ADDRESS: &str = "\x1b[34m";
const VARIABLE: &str = "\x1b[36m";
const ERROR: &str = "\x1b[31m";

/// Returns words about a failure, in their colour.
pub(super) fn error(words: &str) -> String {
    format!("{ERROR}{words}{RESET}")
}

/// Returns output with colours; nothing else in it is changed.
pub(super) fn output(text: &str) -> String {
    text.split_inclusive('\n').map(line).collect()
}

fn colored(color: &str, text: &str) -> String {
    format!("{color}{text}{RESET}")
}

/// Colours a line: `#0  0x… in f (x=1) at a.c:5`, `Breakpoint 1, f (x=1) at a.c:5`, `name = value`.
fn line(line: &str) -> String {
    let end = line.trim_end_matches('\n').len();
    let (line, rest) = line.split_at(end);
    let text = frame(line).or_else(|| variable(line));
    text.unwrap_or_else(|| line.to_owned()) + rest
}

/// Colours what tells a frame. `None`: it is none.
fn frame(line: &str) -> Option<String> {
    let (before, place) = line.rsplit_once(" at ").map_or((line, None), |(before, place)| (before, Some(place)));
    let is_place = |place: &str| {
        place.rsplit_once(':').is_some_and(|(file, line)| {
            !file.is_empty() && !line.is_empty() && line.bytes().all(|b| b.is_ascii_digit())
        })
    };
    let place = place.filter(|place| is_place(place));
    let is_numbered = line.strip_prefix('#').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    let before = match place {
        Some(_) => before,
        None if is_numbered => line,
        None => return None,
    };
    // The function is what stands before the arguments.
    let open = before.find(" (")?;
    let (head, arguments) = before.split_at(open);
    let begin = head.rfind([' ', '\t']).map_or(0, |at| at + 1);
    let (head, function) = head.split_at(begin);
    let head = match head.find("0x") {
        Some(at) => {
            let (before, address) = head.split_at(at);
            let length = address.find(' ').unwrap_or(address.len());
            let (address, behind) = address.split_at(length);
            format!("{before}{}{behind}", colored(ADDRESS, address))
        }
        None => head.to_owned(),
    };
    let mut text = format!("{head}{}{arguments}", colored(FUNCTION, function));
    if let Some((file, number)) = place.and_then(|place| place.rsplit_once(':')) {
        text.push_str(&format!(" at {}:{number}", colored(FILE, file)));
    }
    Some(text)
}

/// Colours the name in `name = value`. `None`: it is none.
fn variable(line: &str) -> Option<String> {
    let (name, value) = line.split_once(" = ")?;
    let is_name = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '$'));
    (is_name && !name.starts_with('$')).then(|| format!("{} = {value}", colored(VARIABLE, name)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(text: &str) -> String {
        let mut plain = String::new();
        let mut rest = text;
        while let Some((before, behind)) = rest.split_once('\x1b') {
            plain.push_str(before);
            rest = behind.split_once('m').map_or("", |(_, behind)| behind);
        }
        plain + rest
    }

    #[test]
    fn colours_change_no_text() {
        for text in [
            "#0  add (a=1, b=2) at a.c:5\n",
            "#1  0x0000000000401136 in main () at /src/a.c:12\n",
            "Breakpoint 1, add (a=1) at a.c:5\n5\t  return a;\n",
            "#2  0x00007f in ?? () from /lib/libc.so.6\n",
            "x = {a = 1, b = 2}\n",
            "$1 = 5\n",
            "at at at:",
            " at :5\n",
            "\n",
        ] {
            assert_eq!(plain(&output(text)), text);
        }
        assert_eq!(output("#0  add (a=1) at a.c:5\n"), "#0  \x1b[33madd\x1b[m (a=1) at \x1b[32ma.c\x1b[m:5\n");
        assert_eq!(output("x = 1\n"), "\x1b[36mx\x1b[m = 1\n");
    }
}
