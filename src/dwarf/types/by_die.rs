//! Types by the DIEs that describe them: made when a link to one is followed, and kept.

use super::reader::TypeReader;
use crate::model::die::DieId;
use crate::model::variable::Variable;
use crate::names::lookup::Names;
use arch::LinkAddr;
use ctype::{Parts, Type, TypeLoader, TypeRef};
use std::collections::{HashMap, VecDeque};
use std::ops::Deref;
use std::sync::{Arc, Mutex, OnceLock, PoisonError, RwLock, Weak};

/// Types by addresses of what belongs to them; `None` where nobody knows which, or several share one.
pub(crate) type Owners = HashMap<LinkAddr, Option<DieId>>;

/// Places in code whose variables are cached: an expression asks for those of its frame several times for each name.
const RECENT_PLACES: usize = 8;

/// Code in which variables are visible: its address, and the inline level.
type CodeLevel = (LinkAddr, usize);

/// Types made so far.
#[derive(Default)]
struct TypeCache {
    by_die: RwLock<HashMap<DieId, TypeRef>>,
    vtables: OnceLock<Owners>,
    /// Classes by the addresses of their functions.
    classes: RwLock<Owners>,
    /// The classes that functions are in, by the DIEs of these.
    around: RwLock<HashMap<DieId, Arc<[DieId]>>>,
    /// The units that units refer to, by the roots of these.
    referred: RwLock<HashMap<DieId, Arc<[DieId]>>>,
    /// The variables that are visible at the places that were read last, the latest first.
    variables: Mutex<VecDeque<(CodeLevel, Arc<[Variable]>)>>,
}

impl TypeCache {
    fn get(&self, die: DieId) -> Option<TypeRef> {
        self.by_die.read().unwrap_or_else(|poisoned| poisoned.into_inner()).get(&die).cloned()
    }

    /// Returns the owners of vtables by their addresses, found out when it is first asked for.
    fn vtables(&self, find: impl FnOnce() -> Owners) -> &Owners {
        self.vtables.get_or_init(find)
    }

    /// Returns the class that the function at an address is a member of, found out when it is first asked for.
    fn class_of(&self, at: LinkAddr, find: impl FnOnce() -> Option<DieId>) -> Option<DieId> {
        let known = self.classes.read().unwrap_or_else(|poisoned| poisoned.into_inner()).get(&at).copied();
        known.unwrap_or_else(|| {
            let found = find();
            self.classes.write().unwrap_or_else(|poisoned| poisoned.into_inner()).insert(at, found);
            found
        })
    }

    /// Returns the classes that a function is in, found out when it is first asked for.
    fn around(&self, function: DieId, find: impl FnOnce() -> Vec<DieId>) -> Arc<[DieId]> {
        found_once(&self.around, function, find)
    }

    /// Returns the variables that are visible at a place, read when it is not among those read last.
    fn variables(&self, place: CodeLevel, read: impl FnOnce() -> Vec<Variable>) -> Arc<[Variable]> {
        let recent = || self.variables.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, cached)) = recent().iter().find(|(of, _)| *of == place) {
            return cached.clone();
        }
        let variables: Arc<[Variable]> = read().into();
        let mut recent = recent();
        recent.push_front((place, variables.clone()));
        recent.truncate(RECENT_PLACES);
        variables
    }

    /// Keeps a type, or returns the one that another thread was faster to make.
    fn insert(&self, die: DieId, ty: TypeRef) -> TypeRef {
        let mut by_die = self.by_die.write().unwrap_or_else(|poisoned| poisoned.into_inner());
        by_die.entry(die).or_insert(ty).clone()
    }
}

/// Returns the DIEs that belong to one, found out when it is first asked for.
fn found_once(
    known: &RwLock<HashMap<DieId, Arc<[DieId]>>>,
    die: DieId,
    find: impl FnOnce() -> Vec<DieId>,
) -> Arc<[DieId]> {
    let before = known.read().unwrap_or_else(|poisoned| poisoned.into_inner()).get(&die).cloned();
    before.unwrap_or_else(|| {
        let found: Arc<[DieId]> = find().into();
        known.write().unwrap_or_else(|poisoned| poisoned.into_inner()).insert(die, found.clone());
        found
    })
}

/// The types of an image.
pub(crate) struct Types<'a> {
    names: Names<'a>,
    cache: TypeCache,
    /// What resolves lazy links of the types made here.
    pub(crate) loader: Weak<dyn TypeLoader>,
}

impl<'a> Deref for Types<'a> {
    type Target = Names<'a>;

    fn deref(&self) -> &Names<'a> {
        &self.names
    }
}

impl<'a> Types<'a> {
    /// Creates the `Types` of an image with these names, whose links `loader` resolves.
    pub(crate) fn new(names: Names<'a>, loader: Weak<dyn TypeLoader>) -> Self {
        Self { names, cache: TypeCache::default(), loader }
    }

    /// Returns the type that a DIE describes.
    pub(crate) fn type_at(&self, die: DieId) -> TypeRef {
        if let Some(known) = self.cache.get(die) {
            return known;
        }
        self.cache.insert(die, self.reader().read(die))
    }

    /// Returns what the class that a DIE defines declares besides its data.
    pub(crate) fn parts_of(&self, die: DieId) -> Option<Parts> {
        self.reader().parts(die)
    }

    fn reader(&self) -> TypeReader<'_, 'a> {
        TypeReader::new(self, self.loader.clone())
    }

    /// Reads DW_AT_type of a function and its parameters as a `Type::Function`; `None` if the DIE is no function.
    pub(crate) fn function_type(&self, die: DieId) -> Option<TypeRef> {
        let ty = self.type_at(die);
        matches!(*ty, Type::Function { .. }).then_some(ty)
    }

    /// Returns the owners of vtables by their addresses, found out when it is first asked for.
    pub(super) fn vtables_by(&self, find: impl FnOnce() -> Owners) -> &Owners {
        self.cache.vtables(find)
    }

    /// Returns the class that the function at an address is a member of, found out when it is first asked for.
    pub(super) fn class_by(&self, at: LinkAddr, find: impl FnOnce() -> Option<DieId>) -> Option<DieId> {
        self.cache.class_of(at, find)
    }

    /// Returns the units that a unit refers to, found out when it is first asked for.
    pub(super) fn referred_by(&self, unit: DieId, find: impl FnOnce() -> Vec<DieId>) -> Arc<[DieId]> {
        found_once(&self.cache.referred, unit, find)
    }

    /// Returns what is around a function, found out when it is first asked for.
    pub(super) fn around_by(&self, function: DieId, find: impl FnOnce() -> Vec<DieId>) -> Arc<[DieId]> {
        self.cache.around(function, find)
    }

    /// Returns the variables that are visible at an address in an inline level, read when they are not cached.
    pub(crate) fn cached_variables(&self, place: CodeLevel, read: impl FnOnce() -> Vec<Variable>) -> Arc<[Variable]> {
        self.cache.variables(place, read)
    }
}
