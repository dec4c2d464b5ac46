//! Masking the values of environment variables in answers.
//!
//! A recording has the whole environment of its program, and so have the program's memory and whatever it prints.
//! Masked are, in every text of an answer: what follows `NAME=` where a word begins, for the names that were listed;
//! and, wherever they are, the values that such variables have here, in the recordings that were asked, or were given by
//! a client, and pieces of them ([`pieces`]), also as numbers ([`encoded`]). What a program made of a value (base64, a
//! hash, every second letter) is not known for what it is, nor is a value that it got otherwise.

mod encoded;
mod pieces;

use crate::mcp::lock::locked;
use pieces::{SHORTEST, Secrets};
use rmcp::model::{CallToolResult, ContentBlock};
use serde_json::Value;
use std::borrow::Cow;
use std::sync::{Arc, Mutex};

/// Stands for a value.
const MASK: &str = "***";
/// What `on` means.
const USUAL: [&str; 6] = ["*TOKEN*", "*SECRET*", "*PASSWORD*", "*PASSWD*", "*CREDENTIAL*", "*_KEY"];

/// What `RR_MCP_REDACT` says. Clones share the values.
#[derive(Clone, Debug, Default)]
pub(crate) struct Redaction {
    /// Names in capitals, in which `*` stands for anything.
    patterns: Vec<String>,
    known: Arc<Mutex<Arc<Secrets>>>,
}

impl Redaction {
    /// Reads `off`, `on`, or patterns separated by commas. `None`: one of them is no name.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let patterns: Vec<String> = match text.trim() {
            "off" => Vec::new(),
            "on" => USUAL.map(str::to_owned).into(),
            list => list.split(',').map(|pattern| pattern.trim().to_ascii_uppercase()).collect(),
        };
        let is_good =
            |pattern: &String| pattern.chars().all(|c| is_of_name(c) || c == '*') && pattern.chars().any(is_of_name);
        patterns.iter().all(is_good).then(|| Self { patterns, known: Arc::default() })
    }

    /// Learns a variable that somebody has, so that its value is not shown if its name says so.
    pub(crate) fn learn(&self, name: &str, value: &str) {
        if value.len() >= SHORTEST && self.names(name) {
            // As it is, as a C string shows it, as JSON does, and as HTML does.
            let escaped = value.replace('\\', "\\\\").replace('"', "\\\"");
            let json = Value::from(value).to_string();
            let html = value
                .replace('&', "&amp;")
                .replace('<', "&lt;")
                .replace('>', "&gt;")
                .replace('"', "&quot;")
                .replace('\'', "&#39;");
            let mut known = locked(&self.known);
            let known = Arc::make_mut(&mut known);
            for spelling in [value.to_owned(), escaped, json[1..json.len() - 1].to_owned(), html] {
                known.add(spelling);
            }
        }
    }

    /// Returns whether anything is masked.
    pub(crate) fn is_on(&self) -> bool {
        !self.patterns.is_empty()
    }

    /// Learns our own environment.
    pub(crate) fn learn_own(&self) {
        for (name, value) in std::env::vars_os() {
            self.learn(&name.to_string_lossy(), &value.to_string_lossy());
        }
    }

    /// Learns the environment of a recorded program, as the JSON of `rr traceinfo` has it.
    pub(crate) fn learn_header(&self, header: &str) {
        let header: Value = serde_json::from_str(header).unwrap_or_default();
        let variables = header.get("environ").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
        for (name, value) in variables.filter_map(|variable| variable.split_once('=')) {
            self.learn(name, value);
        }
    }

    /// Masks a page of HTML: its texts, and values also within tags.
    pub(crate) fn mask_page(&self, page: &str) -> String {
        if self.patterns.is_empty() {
            return page.to_owned();
        }
        let known = self.known();
        let mut out = String::with_capacity(page.len());
        for part in page.split_inclusive('>') {
            let (text, tag) = part.split_at(part.find('<').unwrap_or(part.len()));
            out.push_str(&self.masked(text, &known));
            out.push_str(&without(tag, &known));
        }
        out
    }

    /// Masks a text.
    pub(crate) fn mask_text(&self, text: &str) -> String {
        if self.patterns.is_empty() {
            return text.to_owned();
        }
        self.masked(text, &self.known())
    }

    /// Removes the values from a whole answer.
    pub(crate) fn apply_to_result(&self, result: &mut CallToolResult) {
        if self.patterns.is_empty() {
            return;
        }
        let values = self.known();
        for block in &mut result.content {
            if let Some(text) = block.as_text() {
                *block = ContentBlock::text(self.masked(&text.text, &values));
            }
        }
        if let Some(content) = &mut result.structured_content {
            self.mask(content, &values);
        }
    }

    fn known(&self) -> Arc<Secrets> {
        locked(&self.known).clone()
    }

    fn mask(&self, value: &mut Value, values: &Secrets) {
        match value {
            Value::String(text) => *text = self.masked(text, values),
            Value::Array(list) => list.iter_mut().for_each(|item| self.mask(item, values)),
            Value::Object(map) => map.values_mut().for_each(|item| self.mask(item, values)),
            _ => {}
        }
    }

    fn masked(&self, text: &str, values: &Secrets) -> String {
        let text = without(text, values);
        let mut out = String::with_capacity(text.len());
        let mut rest = &*text;
        while let Some(sign) = rest.find('=') {
            let (before, after) = (&rest[..sign], &rest[sign + 1..]);
            out.push_str(before);
            out.push('=');
            let start = before
                .rfind(|c| !is_of_name(c))
                .map_or(0, |at| at + before[at..].chars().next().map_or(1, char::len_utf8));
            let opener = before[..start].chars().next_back();
            // A name behind an escape, as in the environment shown as one array: "A=1\000NAME=…".
            let start = if opener == Some('\\') { start + escape_length(&before[start..]) } else { start };
            let begins = opener.is_none_or(|c| c.is_whitespace() || matches!(c, '"' | '\'' | '\0' | '[' | ',' | '\\'));
            rest = after;
            if begins && self.names(&before[start..]) {
                // In quotes or on a line of its own, a value may contain blanks.
                let ends_at_blank = opener.is_some_and(|c| c != '\n' && c.is_whitespace());
                rest = &after[end_of_value(after, ends_at_blank)..];
                out.push_str(MASK);
            }
        }
        out.push_str(rest);
        out
    }

    fn names(&self, name: &str) -> bool {
        let name = name.to_ascii_uppercase();
        !name.is_empty() && self.patterns.iter().any(|pattern| matches(pattern.as_bytes(), name.as_bytes()))
    }
}

/// Returns the text without any of the values, nor pieces of them.
fn without<'t>(text: &'t str, known: &Secrets) -> Cow<'t, str> {
    if known.is_empty() {
        return Cow::Borrowed(text);
    }
    let text = encoded::masked(text, known).map_or(Cow::Borrowed(text), Cow::Owned);
    let places = known.places(&text);
    if places.is_empty() {
        return text;
    }
    let (mut out, mut shown) = (String::new(), 0);
    for place in places {
        out.push_str(&text[shown..place.start]);
        out.push_str(MASK);
        shown = place.end;
    }
    out.push_str(&text[shown..]);
    Cow::Owned(out)
}

/// Returns how much of what follows a backslash belongs to it: three octal digits, or a letter.
fn escape_length(text: &str) -> usize {
    let octal = text.bytes().take(3).take_while(|byte| matches!(byte, b'0'..=b'7')).count();
    if octal == 3 { 3 } else { usize::from(text.starts_with(['a', 'b', 'e', 'f', 'n', 'r', 't', 'v', '0'])) }
}

fn is_of_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// Returns where a value ends: at a quote that no backslash is before, at the end of the line, at a NUL, perhaps at a
/// blank.
fn end_of_value(text: &str, ends_at_blank: bool) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices() {
        match c {
            '\n' | '\0' => return at,
            ' ' | '\t' if ends_at_blank => return at,
            '"' if !escaped => return at,
            _ => {}
        }
        escaped = c == '\\' && !escaped;
    }
    text.len()
}

/// Returns whether a pattern, in which `*` stands for anything, is the name.
fn matches(pattern: &[u8], name: &[u8]) -> bool {
    // Where to go on if what follows the last star does not fit.
    let (mut p, mut n, mut retry) = (0, 0, None);
    while n < name.len() {
        match pattern.get(p) {
            Some(b'*') => {
                retry = Some((p, n));
                p += 1;
            }
            Some(c) if *c == name[n] => (p, n) = (p + 1, n + 1),
            _ => match retry {
                Some((star, from)) => {
                    retry = Some((star, from + 1));
                    (p, n) = (star + 1, from + 1);
                }
                None => return false,
            },
        }
    }
    pattern[p..].iter().all(|c| *c == b'*')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    fn masked(redaction: &Redaction, text: &str) -> String {
        let mut result = CallToolResult::success(vec![ContentBlock::text(text)]);
        result.structured_content = Some(json!({"list": [text], "number": 1}));
        redaction.apply_to_result(&mut result);
        let text = result.content[0].as_text().unwrap().text.clone();
        assert_eq!(result.structured_content, Some(json!({"list": [text], "number": 1})));
        text
    }

    #[test]
    fn what_follows_a_listed_name_is_masked() {
        let redaction = Redaction::parse("*TOKEN*, AWS_*").unwrap();
        let cases = [
            ("API_TOKEN=abc", "API_TOKEN=***"),
            ("a\naws_id=x y\nb=1", "a\naws_id=***\nb=1"),
            (r#"["HOME=/root","API_TOKEN=a \"b\" c","N=1"]"#, r#"["HOME=/root","API_TOKEN=***","N=1"]"#),
            (r#"0x7ffe10 "TOKENS=1 2""#, r#"0x7ffe10 "TOKENS=***""#),
            ("env API_TOKEN=abc ./prog x=y", "env API_TOKEN=*** ./prog x=y"),
            ("(token=0x1234 <t>) at t.c:1", "(token=0x1234 <t>) at t.c:1"),
            ("é=1, a == b", "é=1, a == b"),
            (r#""HOME=/root\000API_TOKEN=abc\000N=1""#, r#""HOME=/root\000API_TOKEN=***""#),
            (r#""x\nAPI_TOKEN=abc""#, r#""x\nAPI_TOKEN=***""#),
        ];
        for (text, expected) in cases {
            assert_eq!(masked(&redaction, text), expected, "{text}");
        }
    }

    #[test]
    fn known_values_are_masked_wherever_they_are() {
        let redaction = Redaction::parse("on").unwrap();
        redaction.learn("DB_PASSWORD", "hunter2hunter2");
        redaction.learn("DB_PASSWORD", "hunter2");
        redaction.learn("API_TOKEN", "short");
        redaction.learn("HOME", "/home/me");
        let text = "login with hunter2hunter2, hunter2 or short in /home/me";
        assert_eq!(masked(&redaction, text), "login with ***, *** or short in /home/me");
    }

    #[test]
    fn known_values_are_masked_when_they_are_escaped_or_cut() {
        let redaction = Redaction::parse("on").unwrap();
        redaction.learn("API_TOKEN", "ab\"cd\\ef-0123456789-\u{e9}t\u{e9}");
        for (text, expected) in [
            (r#"0x10 "x ab\"cd\\ef-01234567"..."#, r#"0x10 "x ***"..."#),
            (r#""ab\"cd\\ef-0123456789-\u{e9}t\u{e9}!""#.replace(r"\u{e9}", "\u{e9}").as_str(), r#""***!""#),
            ("ab\"cd\\ef-0123 and ab\"cd", "*** and ab\"cd"),
        ] {
            assert_eq!(masked(&redaction, text), expected, "{text}");
        }
    }

    #[test]
    fn pieces_of_values_are_masked_and_what_says_nothing_is_not() {
        let redaction = Redaction::parse("on").unwrap();
        redaction.learn("API_TOKEN", "sk-0123456789-abcdef");
        redaction.learn("B_KEY", "-----BEGIN-----xx");
        for (text, expected) in [
            ("the middle 3456789- here", "the middle *** here"),
            ("the end 89-abcdef", "the end ***"),
            ("seven 3456789 is short", "seven 3456789 is short"),
            ("a line: ------------------", "a line: ------------------"),
            ("regs 0x3736353433323130", "regs 0x****************"),
        ] {
            assert_eq!(masked(&redaction, text), expected, "{text}");
        }
    }

    #[test]
    fn the_environment_of_a_recording_is_learnt() {
        let redaction = Redaction::parse("on").unwrap();
        redaction.learn_header(r#"{"environ": ["HOME=/root", "API_TOKEN=only-recorded", "x"], "uuid": []}"#);
        assert_eq!(masked(&redaction, "only-recorded in /root"), "*** in /root");
        for wrong in ["", "[]", r#"{"environ": 1}"#] {
            redaction.learn_header(wrong);
        }
    }

    #[test]
    fn a_page_is_masked_in_its_texts_and_tags() {
        let redaction = Redaction::parse("on").unwrap();
        redaction.learn("API_TOKEN", "a<b>&\"c-secret");
        let page = "<p title=\"a&lt;b&gt;&amp;&quot;c-secret\">API_TOKEN=other</p><pre>a&lt;b&gt;&amp;&quot;c-secret\nX_KEY=k v</pre>";
        let expected = "<p title=\"***\">API_TOKEN=***</p><pre>***\nX_KEY=***</pre>";
        assert_eq!(redaction.mask_page(page), expected);
        assert_eq!(Redaction::default().mask_page(page), page);
    }

    #[test]
    fn values_that_begin_alike_or_overlap_are_masked_wholly() {
        let redaction = Redaction::parse("on").unwrap();
        redaction.learn("A_TOKEN", "eyJhbGciOiJIUzI1NiJ9.first-and-longer");
        redaction.learn("B_TOKEN", "eyJhbGciOiJIUzI1NiJ9.second");
        redaction.learn("C_TOKEN", "0123456789abcdef\"tail-secret");
        redaction.learn("D_TOKEN", "tail-secret-of-another");
        for (text, expected) in [
            ("a eyJhbGciOiJIUzI1NiJ9.second b", "a *** b"),
            ("a eyJhbGciOiJIUzI1NiJ9.first-and-longer b", "a *** b"),
            ("a 0123456789abcdef\"tail-secret b", "a *** b"),
            ("0123456789abcdef\"tail-secret-of-another!", "***!"),
        ] {
            assert_eq!(masked(&redaction, text), expected, "{text}");
        }
    }

    #[test]
    fn it_is_off_on_or_a_list_of_patterns() {
        let off = Redaction::parse("off").unwrap();
        off.learn("API_TOKEN", "long enough");
        assert_eq!(masked(&off, "API_TOKEN=long enough"), "API_TOKEN=long enough");
        for bad in ["", "*", "A,,B", "A=B", "A B"] {
            assert!(Redaction::parse(bad).is_none(), "{bad:?}");
        }
    }

    #[test]
    fn a_star_stands_for_anything() {
        for (pattern, name, expected) in [
            ("A", "A", true),
            ("A", "AB", false),
            ("*_KEY", "SSH_KEY", true),
            ("*_KEY", "SSH_KEY_ID", false),
            ("*A*B*", "XAXBX", true),
            ("*AB", "AAB", true),
            ("A*", "A", true),
        ] {
            assert_eq!(matches(pattern.as_bytes(), name.as_bytes()), expected, "{pattern} {name}");
        }
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text in any::<String>(), name in "[A-Z]{1,3}", value in "[^\"\n\0\\\\]{0,9}") {
            let redaction = Redaction::parse("*TOKEN*").unwrap();
            let _ = masked(&redaction, &text);
            let line = format!("TOKEN_{name}={value}\n");
            prop_assert_eq!(masked(&redaction, &line), format!("TOKEN_{name}=***\n"));
        }
    }
}
