//! What the values of an expression were: how often each, the least, the greatest, how they are spread.

use super::expression::Number;
use std::cmp::Ordering;
use std::collections::HashMap;

/// Most different values that are told apart.
const MOST: usize = 1 << 16;
/// The most frequent ones that are told.
pub(super) const SHOWN: usize = 20;

/// What the values of one expression were.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Summary {
    /// The expression.
    pub expression: String,
    /// How often it had a value.
    pub count: u64,
    /// How often it had none.
    pub without: u64,
    /// How many different values.
    pub distinct: u64,
    /// There were more different ones than are told apart.
    pub more: bool,
    /// The most frequent, and how often each was.
    pub frequent: Vec<(String, u64)>,
    /// Of numbers.
    pub range: Option<Range>,
    /// How numbers are spread: by powers of two.
    pub histogram: Vec<Bucket>,
}

/// The least and the greatest number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Range {
    /// The least.
    pub least: String,
    /// The greatest.
    pub greatest: String,
}

/// Numbers of about the same size.
#[derive(Clone, Debug, PartialEq)]
pub struct Bucket {
    /// From this on, away from zero.
    pub from: f64,
    /// To below this.
    pub to: f64,
    /// How many.
    pub count: u64,
}

/// A summary while it is made.
#[derive(Debug, Default)]
pub(super) struct Summing {
    expression: String,
    count: u64,
    without: u64,
    /// How often each, and what it is as a number.
    texts: HashMap<String, (u64, Option<Number>)>,
    more: bool,
    least: Option<Number>,
    greatest: Option<Number>,
    /// By sign and power of two.
    buckets: HashMap<i32, u64>,
}

impl Summing {
    pub(super) fn new(expression: &str) -> Self {
        Self { expression: expression.to_owned(), ..Self::default() }
    }

    /// Adds a value, as text and, if it is one, as a number.
    pub(super) fn add(&mut self, value: Result<(String, Option<Number>), String>) {
        let Ok((text, number)) = value else {
            self.without += 1;
            return;
        };
        self.count += 1;
        if let Some((known, _)) = self.texts.get_mut(&text) {
            *known += 1;
        } else if self.texts.len() < MOST {
            self.texts.insert(text, (1, number));
        } else {
            self.more = true;
        }
        let Some(number) = number else { return };
        if self.least.is_none_or(|least| is_less(number, least)) {
            self.least = Some(number);
        }
        if self.greatest.is_none_or(|greatest| is_less(greatest, number)) {
            self.greatest = Some(number);
        }
        *self.buckets.entry(bucket(number)).or_default() += 1;
    }

    pub(super) fn finish(self) -> Summary {
        let mut frequent: Vec<(String, (u64, Option<Number>))> = self.texts.into_iter().collect();
        let distinct = frequent.len() as u64;
        frequent.sort_by(|(a, (n, x)), (b, (m, y))| m.cmp(n).then_with(|| in_order(*x, *y)).then_with(|| a.cmp(b)));
        frequent.truncate(SHOWN);
        let frequent = frequent.into_iter().map(|(text, (count, _))| (text, count)).collect();
        let range = self.least.zip(self.greatest).map(|(a, b)| Range { least: text(a), greatest: text(b) });
        let mut buckets: Vec<(i32, u64)> = self.buckets.into_iter().collect();
        buckets.sort_unstable();
        let histogram = buckets.into_iter().map(|(bucket, count)| {
            let (from, to) = bounds(bucket);
            Bucket { from, to, count }
        });
        Summary {
            expression: self.expression,
            count: self.count,
            without: self.without,
            distinct,
            more: self.more,
            frequent,
            range,
            histogram: histogram.collect(),
        }
    }
}

/// Compares numbers by their size; what is none comes last.
fn in_order(a: Option<Number>, b: Option<Number>) -> Ordering {
    let (Some(a), Some(b)) = (a, b) else { return a.is_none().cmp(&b.is_none()) };
    let exact = |number| match number {
        Number::Integer(number) => Some(number),
        Number::Float(_) => None,
    };
    float(a).total_cmp(&float(b)).then_with(|| exact(a).cmp(&exact(b)))
}

fn is_less(a: Number, b: Number) -> bool {
    match (a, b) {
        (Number::Integer(a), Number::Integer(b)) => a < b,
        (a, b) => float(a) < float(b),
    }
}

fn float(number: Number) -> f64 {
    match number {
        Number::Integer(number) => number as f64,
        Number::Float(number) => number,
    }
}

fn text(number: Number) -> String {
    match number {
        Number::Integer(number) => number.to_string(),
        Number::Float(number) => number.to_string(),
    }
}

/// Returns the power of two of a number's size, from 1 on, negative for numbers below zero; 0: nearer to zero than 1.
fn bucket(number: Number) -> i32 {
    let power = match number {
        Number::Integer(number) => number.unsigned_abs().checked_ilog2().map_or(0, |power| power as i32 + 1),
        Number::Float(number) if !number.is_finite() => 1025,
        Number::Float(number) if number.abs() < 1.0 => 0,
        Number::Float(number) => number.abs().log2().floor() as i32 + 1,
    };
    if is_less(number, Number::Integer(0)) { -power } else { power }
}

fn bounds(bucket: i32) -> (f64, f64) {
    match bucket {
        0 => (0.0, 1.0),
        positive @ 1.. => (2f64.powi(positive - 1), 2f64.powi(positive)),
        negative => (-2f64.powi(-negative - 1), -2f64.powi(-negative)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_ordered_by_their_size() {
        let mut summing = Summing::new("x");
        for n in [9i128, 10, 100, -1] {
            summing.add(Ok((n.to_string(), Some(Number::Integer(n)))));
        }
        summing.add(Ok(("<none>".to_owned(), None)));
        let frequent = summing.finish().frequent;
        let values: Vec<&str> = frequent.iter().map(|(value, _)| value.as_str()).collect();
        assert_eq!(values, ["-1", "9", "10", "100", "<none>"]);
    }

    #[test]
    fn values_are_counted_and_ordered() {
        let mut summing = Summing::new("x");
        for n in [3i128, -5, 3, 8, 0, 3] {
            summing.add(Ok((n.to_string(), Some(Number::Integer(n)))));
        }
        summing.add(Err("not collected".to_owned()));
        let summary = summing.finish();
        assert_eq!((summary.count, summary.without, summary.distinct), (6, 1, 4));
        assert_eq!(summary.frequent[0], ("3".to_owned(), 3));
        assert_eq!(summary.range, Some(Range { least: "-5".to_owned(), greatest: "8".to_owned() }));
        let values: Vec<&str> = summary.frequent.iter().map(|(value, _)| value.as_str()).collect();
        assert_eq!(values, ["3", "-5", "0", "8"], "of those that are equally frequent, the least first");
        let buckets: Vec<_> = summary.histogram.iter().map(|b| (b.from, b.to, b.count)).collect();
        assert_eq!(buckets, [(-4.0, -8.0, 1), (0.0, 1.0, 1), (2.0, 4.0, 3), (8.0, 16.0, 1)]);
    }
}
