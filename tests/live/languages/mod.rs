//! Library types and languages.

pub mod cxx_objects;
pub mod macros;
pub mod other_languages;
pub mod rust_values;
