//! The parsed debug information of an image, together with the bytes it borrows.

use crate::macros::lookup::Macros;
use crate::names::lookup::Names;
use crate::sections::store::Sections;
use crate::symbols::lookup::Symbols;
use crate::types::by_die::Types;
use crate::units::collection::Units;
use ctype::TypeLoader;
use std::ops::Deref;
use std::sync::{Arc, Weak};

/// All that is read of the debug sections of an image.
pub(crate) struct Debug<'a> {
    types: Types<'a>,
    pub(super) macros: Macros<'a>,
}

impl<'a> Deref for Debug<'a> {
    type Target = Types<'a>;

    fn deref(&self) -> &Types<'a> {
        &self.types
    }
}

self_cell::self_cell!(
    /// Its caches make it invariant.
    struct Loaded {
        owner: Sections,
        #[not_covariant]
        dependent: Debug,
    }
);

/// What is read, with its sections.
pub(super) struct LoadedDebug(Loaded);

impl LoadedDebug {
    /// Parses what is needed to begin with.
    pub(super) fn of(sections: Sections, symbols: &Arc<Symbols>, loader: Weak<dyn TypeLoader>) -> Self {
        Self(Loaded::new(sections, |sections| Debug {
            types: Types::new(Names::new(Units::new(sections), symbols.clone()), loader),
            macros: Macros::default(),
        }))
    }

    /// Runs `f` over it.
    pub(super) fn with<R>(&self, f: impl FnOnce(&Debug<'_>) -> R) -> R {
        self.0.with_dependent(|_, debug| f(debug))
    }

    /// Returns the sections themselves.
    pub(super) fn sections(&self) -> &Sections {
        self.0.borrow_owner()
    }
}
