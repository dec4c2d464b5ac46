//! What an image answers when the work for the answer was cancelled, or when a file has become shorter: that it knows
//! nothing.

use crate::location::availability::Availability;
use crate::model::returning::ReturnRules;
use crate::model::variable::Location;
use ctype::{Type, TypeRef};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Why there is none when it was cancelled.
pub(super) const CANCELLED: &str = "reading debug info was cancelled";

/// An answer that may be none.
pub(super) trait NoAnswer {
    /// Says that there is none, and why.
    fn no_answer(why: &str) -> Self;
}

impl<T> NoAnswer for Option<T> {
    fn no_answer(_why: &str) -> Self {
        None
    }
}

impl<T> NoAnswer for Vec<T> {
    fn no_answer(_why: &str) -> Self {
        Self::new()
    }
}

impl<T> NoAnswer for BTreeSet<T> {
    fn no_answer(_why: &str) -> Self {
        Self::new()
    }
}

impl<T: NoAnswer, E> NoAnswer for Result<T, E> {
    fn no_answer(why: &str) -> Self {
        Ok(T::no_answer(why))
    }
}

impl NoAnswer for bool {
    fn no_answer(_why: &str) -> Self {
        false
    }
}

impl NoAnswer for ReturnRules {
    fn no_answer(why: &str) -> Self {
        Self { unknown: Some(why.to_owned()), ..Self::default() }
    }
}

impl NoAnswer for TypeRef {
    fn no_answer(why: &str) -> Self {
        Arc::new(Type::Opaque(why.to_owned()))
    }
}

impl NoAnswer for Location {
    fn no_answer(why: &str) -> Self {
        Self::Unavailable(why.to_owned())
    }
}

impl NoAnswer for Availability {
    fn no_answer(_why: &str) -> Self {
        Self::Nowhere
    }
}
