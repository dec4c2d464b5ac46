//! The token that a request must have.

use hyper::HeaderMap;
use hyper::header::AUTHORIZATION;
use std::fmt;
use std::fs::File;
use std::io::{self, Read as _};

/// Random bytes in a token: as many as in a key that nobody can guess.
const BYTES: usize = 32;

/// A random token. It is shown where it is printed on purpose, and not by `{:?}`.
pub(super) struct Token(String);

impl Token {
    /// Makes one from the system's random numbers.
    pub(super) fn random() -> io::Result<Self> {
        let mut bytes = [0; BYTES];
        File::open("/dev/urandom")?.read_exact(&mut bytes)?;
        Ok(Self(bytes.iter().map(|byte| format!("{byte:02x}")).collect()))
    }

    /// Returns the token as clients send it.
    pub(super) fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns whether a request has it, in its one `Authorization: Bearer`.
    pub(super) fn is_in(&self, headers: &HeaderMap) -> bool {
        let mut given = headers.get_all(AUTHORIZATION).iter();
        let (Some(only), None) = (given.next(), given.next()) else { return false };
        let Some((scheme, token)) = only.as_bytes().split_at_checked(b"Bearer ".len()) else { return false };
        scheme.eq_ignore_ascii_case(b"Bearer ") && is_same(token.trim_ascii(), self.0.as_bytes())
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(…)")
    }
}

/// Compares without a hint in the time that it takes at where they differ first.
fn is_same(a: &[u8], b: &[u8]) -> bool {
    let differences = a.iter().zip(b).fold(0, |all, (a, b)| std::hint::black_box(all | (a ^ b)));
    a.len() == b.len() && differences == 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use hyper::header::HeaderValue;

    fn headers(values: &[&str]) -> HeaderMap {
        values.iter().map(|value| (AUTHORIZATION, HeaderValue::from_str(value).unwrap())).collect()
    }

    #[test]
    fn only_the_same_token_is_accepted() {
        let token = Token::random().unwrap();
        let text = token.as_str();
        assert_eq!(text.len(), 2 * BYTES);
        assert!(token.is_in(&headers(&[&format!("Bearer {text}")])));
        assert!(token.is_in(&headers(&[&format!("bearer  {text} ")])));
        let other = Token::random().unwrap();
        assert_ne!(other.as_str(), text);
        for values in [
            &[][..],
            &["Bearer"],
            &["Bearer "],
            &[text],
            &[&format!("Basic {text}")],
            &[&format!("Bearer {}", other.as_str())],
            &[&format!("Bearer {}", &text[1..])],
            &[&format!("Bearer {text}0")],
            &[&format!("Bearer {text}"), &format!("Bearer {text}")],
        ] {
            assert!(!token.is_in(&headers(values)), "{values:?}");
        }
        assert_eq!(format!("{token:?}"), "Token(…)");
    }
}
