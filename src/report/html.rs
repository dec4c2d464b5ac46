//! A page while it is written: markup is what stands in this program, all else is text.

use base::untrusted::is_escaped;

/// A page, or a part of one.
#[derive(Debug, Default)]
pub(super) struct Html(String);

impl Html {
    /// Adds markup.
    pub(super) fn raw(&mut self, markup: &'static str) -> &mut Self {
        self.0.push_str(markup);
        self
    }

    /// Adds text, between tags or within the quotes of an attribute.
    pub(super) fn text(&mut self, text: &str) -> &mut Self {
        for letter in text.chars() {
            match letter {
                '&' => self.0.push_str("&amp;"),
                '<' => self.0.push_str("&lt;"),
                '>' => self.0.push_str("&gt;"),
                '"' => self.0.push_str("&quot;"),
                '\'' => self.0.push_str("&#39;"),
                _ => self.0.push(shown(letter)),
            }
        }
        self
    }

    /// Adds text in markup.
    pub(super) fn within(&mut self, open: &'static str, text: &str, close: &'static str) -> &mut Self {
        self.raw(open).text(text).raw(close)
    }

    /// Adds a part of a whole in percent, for a style.
    pub(super) fn percent(&mut self, part: f64, of: f64) -> &mut Self {
        let percent = if of > 0.0 { (part / of * 100.0).clamp(0.0, 100.0) } else { 0.0 };
        self.0.push_str(&format!("{percent:.3}%"));
        self
    }

    pub(super) fn finish(self) -> String {
        self.0
    }
}

/// Returns what stands for a letter: none can do anything but be seen, as those that end a line of a terminal, turn
/// the direction of what follows or take no room.
fn shown(letter: char) -> char {
    match letter {
        '\n' | '\t' => letter,
        '\0'..='\u{1f}' => char::from_u32(0x2400 + u32::from(letter)).unwrap_or('\u{fffd}'),
        '\u{7f}' => '\u{2421}',
        '\u{fdd0}'..='\u{fdef}' => '\u{fffd}',
        letter if is_escaped(letter) => '\u{fffd}',
        letter if u32::from(letter) & 0xfffe == 0xfffe => '\u{fffd}',
        _ => letter,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Returns what a reader of HTML makes of text without tags.
    fn read(html: &str) -> String {
        let all = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")];
        all.iter().fold(html.to_owned(), |text, (entity, letter)| text.replace(entity, letter))
    }

    proptest! {
        #[test]
        fn text_stays_text(text in prop_oneof![any::<String>(), "[<>&\"'a-z/!;#0-9=\\-]{0,80}"]) {
            let mut html = Html::default();
            html.text(&text);
            let html = html.finish();
            prop_assert!(!html.contains(['<', '>', '"', '\'']), "{html}");
            // Each ampersand begins one of ours.
            let rest = ["&lt;", "&gt;", "&quot;", "&#39;", "&amp;"].iter().fold(html.clone(), |h, e| h.replace(e, ""));
            prop_assert!(!rest.contains('&'), "{html}");
            prop_assert!(html.chars().all(|c| !c.is_control() || c == '\n' || c == '\t'));
            prop_assert_eq!(read(&html), text.chars().map(shown).collect::<String>());
        }
    }

    #[test]
    fn parts_are_within_the_whole() {
        let mut html = Html::default();
        html.percent(1.0, 4.0).raw(" ").percent(9.0, 4.0).raw(" ").percent(-1.0, 4.0).raw(" ").percent(1.0, 0.0);
        assert_eq!(html.finish(), "25.000% 100.000% 0.000% 0.000%");
    }
}
