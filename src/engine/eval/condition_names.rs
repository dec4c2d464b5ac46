//! What the names in a condition mean, and conditions that were parsed.

use crate::eval::macros::MacroPlace;
use crate::stack::physical::FrameFunction;
use arch::RunAddr;
use dwarf::DieId;
use expr::Parsed;
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

/// The locals and macros that the names in a watchpoint's condition meant where it was set. Wherever the watched
/// object is touched, they mean these or nothing.
#[derive(Clone, Debug, Default)]
pub(crate) struct MeantLocals {
    /// Whose they are; `None` if the condition names no locals.
    pub(crate) function: Option<FrameFunction>,
    pub(crate) variables: BTreeMap<String, DieId>,
    /// From where it looks at macros.
    pub(crate) macros: Option<MacroPlace>,
}

/// Most conditions that are kept.
const MAX_KEPT: usize = 64;

/// An instruction, and which of the functions inlined there is meant.
type ConditionSite = (RunAddr, usize);

/// Conditions as they were parsed where they were evaluated: names of types and macros mean something else elsewhere.
#[derive(Default)]
pub(crate) struct ParsedConditions {
    list: VecDeque<CachedNames>,
}

struct CachedNames {
    text: String,
    place: ConditionSite,
    meant: Option<Arc<MeantLocals>>,
    parsed: Arc<Parsed>,
}

impl CachedNames {
    fn is(&self, text: &str, place: ConditionSite, meant: Option<&Arc<MeantLocals>>) -> bool {
        let is_meant = match (&self.meant, meant) {
            (Some(one), Some(other)) => Arc::ptr_eq(one, other),
            (one, other) => one.is_none() && other.is_none(),
        };
        self.place == place && is_meant && self.text == text
    }
}

impl ParsedConditions {
    /// Returns the condition, if it was parsed there before.
    pub(crate) fn get(
        &self,
        text: &str,
        place: ConditionSite,
        meant: Option<&Arc<MeantLocals>>,
    ) -> Option<Arc<Parsed>> {
        self.list.iter().find(|kept| kept.is(text, place, meant)).map(|kept| kept.parsed.clone())
    }

    /// Keeps one; the oldest go first.
    pub(crate) fn keep(
        &mut self,
        text: &str,
        place: ConditionSite,
        meant: Option<&Arc<MeantLocals>>,
        parsed: Arc<Parsed>,
    ) {
        if self.list.len() >= MAX_KEPT {
            self.list.pop_front();
        }
        self.list.push_back(CachedNames { text: text.to_owned(), place, meant: meant.cloned(), parsed });
    }

    /// Forgets all: the modules are others now, or there is more debug info.
    pub(crate) fn clear(&mut self) {
        self.list.clear();
    }
}
