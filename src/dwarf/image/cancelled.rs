//! What an image answers when the work for the answer was cancelled: that it knows nothing.

use crate::ctype::{Type, TypeRef};
use crate::dwarf::location::availability::Availability;
use crate::dwarf::model::variable::Location;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Why there is none.
pub(super) const CANCELLED: &str = "reading debug info was cancelled";

/// An answer that may be none.
pub(super) trait NoAnswer {
    fn no_answer() -> Self;
}

impl<T> NoAnswer for Option<T> {
    fn no_answer() -> Self {
        None
    }
}

impl<T> NoAnswer for Vec<T> {
    fn no_answer() -> Self {
        Self::new()
    }
}

impl<T> NoAnswer for BTreeSet<T> {
    fn no_answer() -> Self {
        Self::new()
    }
}

impl<T: NoAnswer, E> NoAnswer for Result<T, E> {
    fn no_answer() -> Self {
        Ok(T::no_answer())
    }
}

impl NoAnswer for bool {
    fn no_answer() -> Self {
        false
    }
}

impl NoAnswer for TypeRef {
    fn no_answer() -> Self {
        Arc::new(Type::Opaque(CANCELLED.to_owned()))
    }
}

impl NoAnswer for Location {
    fn no_answer() -> Self {
        Self::Unavailable(CANCELLED.to_owned())
    }
}

impl NoAnswer for Availability {
    fn no_answer() -> Self {
        Self::Nowhere
    }
}
