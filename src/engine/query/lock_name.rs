//! The name of the lock that a word in memory belongs to.

use super::parts::part_at;
use super::typed::spelled;
use crate::api::error::Error;
use crate::eval::inferior::Inferior;
use crate::stack::context::Context;
use arch::{RunAddr, ThreadId};
use ctype::layout::{pointer_target, reference_target, size_of, strip};
use ctype::{Place, Target, Type, TypeRef, Value};
use program::place::place;

/// How many frames are looked through for a variable that leads to a lock.
const FRAMES: u32 = 12;
/// Members in each other that are looked through for pointers, and bytes of an object that is.
const DEPTH: usize = 4;
const LARGEST: u64 = 64;
/// Typedefs and qualifiers of each other that are followed.
const CHAIN: usize = 16;
/// How the names of types end that are locks as programs name them, in lower case and without `_t`.
const LOCKS: [&str; 9] = [
    "mutex",
    "rwlock",
    "_cond",
    "condvar",
    "condition_variable",
    "condition_variable_any",
    "_sem",
    "semaphore",
    "barrier",
];
/// How the names of types begin that are of a library.
const LIBRARIES: [&str; 6] = ["sem_t", "pthread_", "std::", "core::", "alloc::", "__"];

/// A lock, or what else a word in memory belongs to.
pub(super) struct NamedLock {
    /// The variable, or what leads to it from a variable: `cache.lru_lock`, `mine->lock`, `*guard`.
    pub(super) name: String,
    pub(super) ty: Option<String>,
    /// Where the lock begins. `None`: by its type it is none.
    pub(super) start: Option<u64>,
    /// Where the word of an `RwLock` of Rust's library is that tells who has it.
    pub(super) state: Option<u64>,
}

impl Inferior {
    /// Finds the name of what a word belongs to: a variable of fixed address, or what a variable of a frame contains,
    /// points to or refers to. `near`: the frame that is looked at first, and then those that called it.
    pub(super) fn lock_at(&mut self, thread: ThreadId, word: u64, near: u32) -> Result<Option<NamedLock>, Error> {
        let symbol = Self::symbol(self, RunAddr(word));
        if let Some((name, offset)) = &symbol {
            let target = self.level(thread, near).and_then(|level| self.target_of(thread, level))?;
            let start = word.wrapping_sub(*offset);
            if let Some(found) = self.global_at(name, start).and_then(|ty| within(&ty, start, word, target)) {
                return Ok(Some(found.named(name)));
            }
        }
        // Into an object of unknown type a variable may point that knows more.
        let is_exact = symbol.as_ref().is_some_and(|(_, offset)| *offset == 0);
        for number in (near..near.saturating_add(FRAMES)).chain(0..near).filter(|_| !is_exact) {
            let Some(level) = self.levels(thread, number as usize, 1)?.0.into_iter().next() else { continue };
            let target = self.target_of(thread, level)?;
            for found in self.variables(thread, level)? {
                if !found.shadowed
                    && !found.variable.name.is_empty()
                    && let Some(lock) = self.leads_to(&found.value, &found.variable.name, word, target, 0)
                {
                    return Ok(Some(lock));
                }
            }
        }
        Ok(symbol.map(|(name, offset)| {
            let name = if is_exact { name } else { format!("{name}+{offset}") };
            NamedLock { name, ty: None, start: None, state: None }
        }))
    }

    /// Finds the type of a variable of this name that is at an address.
    fn global_at(&mut self, name: &str, address: u64) -> Option<TypeRef> {
        let module = self.modules.at(RunAddr(address))?.clone();
        let found = module.image.globals_named(None, name).into_iter().find(|variable| {
            let mut context = Context::for_module(&mut self.process, &self.modules, &[], 0, module.clone());
            let location = module.image.variable_location(variable, &mut context);
            matches!(place(location, &module.image, &mut context), Place::Memory(at) if at == address)
        });
        found.map(|variable| variable.ty)
    }

    /// Returns how a value, which is named, leads to what a word belongs to: it contains that, or a pointer in it points
    /// to that.
    fn leads_to(&mut self, value: &Value, name: &str, word: u64, target: Target, depth: usize) -> Option<NamedLock> {
        if let Place::Memory(at) = value.place
            && let Some(found) = within(&value.ty, at, word, target)
        {
            return Some(found.named(name));
        }
        if let Some(referent) = reference_target(&value.ty) {
            return Some(within(&referent, value.word(0, self).ok()?, word, target)?.named(name));
        }
        if let Some(pointee) = pointer_target(&value.ty) {
            return Some(within(&pointee, value.word(0, self).ok()?, word, target)?.pointed_to(name));
        }
        let stripped = strip(&value.ty);
        let Type::Record(record) = &*stripped else { return None };
        if depth == DEPTH || size_of(&stripped).is_none_or(|size| size > LARGEST) {
            return None;
        }
        record.members.iter().find_map(|member| {
            let inner = value.part(member.ty.get(), member.offset, member.bits);
            match &member.name {
                // What a smart pointer is made of has no name that the user has given.
                Some(part) if !member.is_base && !is_of_library(&stripped) => {
                    self.leads_to(&inner, &format!("{name}.{part}"), word, target, depth + 1)
                }
                _ => self.leads_to(&inner, name, word, target, depth + 1),
            }
        })
    }
}

/// What a word in an object belongs to, and how that is named behind the object.
struct Within {
    path: String,
    ty: String,
    start: Option<u64>,
    state: Option<u64>,
}

impl Within {
    fn named(self, object: &str) -> NamedLock {
        NamedLock { name: format!("{object}{}", self.path), ty: Some(self.ty), start: self.start, state: self.state }
    }

    fn pointed_to(self, pointer: &str) -> NamedLock {
        let name = match (self.path.strip_prefix('.'), self.path.as_str()) {
            (Some(member), _) => format!("{pointer}->{member}"),
            (None, "") => format!("*{pointer}"),
            (None, element) => format!("(*{pointer}){element}"),
        };
        NamedLock { name, ty: Some(self.ty), start: self.start, state: self.state }
    }
}

/// Finds what a word in an object at `start` belongs to.
fn within(ty: &TypeRef, start: u64, word: u64, target: Target) -> Option<Within> {
    let offset = word.checked_sub(start)?;
    // A lock of a library is what the thread waits for, also within a class that is named as if it were one itself.
    let is_known = |ty: &TypeRef| is_lock(ty) && is_of_library(ty);
    let known = part_at(ty, offset, &is_known).filter(|part| is_known(&part.ty));
    let has_known = known.is_some();
    let is_whole = |ty: &TypeRef| is_of_library(ty) || !has_known && is_lock(ty);
    let shown = part_at(ty, offset, &is_whole)?;
    // In what a library made around it, too.
    let lock = known.or_else(|| part_at(ty, offset, &is_lock).filter(|part| is_lock(&part.ty)));
    let begins = lock.as_ref().map(|lock| start.wrapping_add(lock.start));
    Some(Within {
        path: shown.path,
        ty: spelled(lock.as_ref().map_or(&shown.ty, |lock| &lock.ty), target),
        start: begins,
        state: begins.zip(lock.and_then(|lock| state_in(&lock.ty))).map(|(begins, state)| begins.wrapping_add(state)),
    })
}

/// Returns how far the word that tells who has an `RwLock` of Rust's library is from its beginning.
fn state_in(ty: &TypeRef) -> Option<u64> {
    let member = |ty: &TypeRef, name: &str| match &*strip(ty) {
        Type::Record(record) => {
            let member = record.members.iter().find(|member| member.name.as_deref() == Some(name))?;
            Some((member.offset, member.ty.get()))
        }
        _ => None,
    };
    let (inner, lock) = member(ty, "inner")?;
    let (state, _) = member(&lock, "state")?;
    inner.checked_add(state)
}

/// Returns the names of a type: those of typedefs, the outermost first, and of what they stand for.
fn names_of(ty: &TypeRef) -> Vec<String> {
    let (mut names, mut ty) = (Vec::new(), ty.clone());
    for _ in 0..CHAIN {
        let next = match &*ty {
            Type::Typedef { name, target, .. } => {
                names.push(name.clone());
                target.get()
            }
            Type::Qualified { target, .. } => target.get(),
            Type::Record(record) => {
                names.extend(record.name.clone());
                break;
            }
            _ => break,
        };
        ty = next;
    }
    names
}

/// Returns whether a type is of a library, so that what is in it has no name that the user has given. A library's name
/// for a type of the user is none of these.
fn is_of_library(ty: &TypeRef) -> bool {
    names_of(ty).last().is_some_and(|name| LIBRARIES.iter().any(|start| name.starts_with(start)))
}

/// Returns whether a type is a lock as programs name it.
fn is_lock(ty: &TypeRef) -> bool {
    names_of(ty).iter().any(|name| names_lock(name))
}

fn names_lock(name: &str) -> bool {
    let name = name.split('<').next().unwrap_or(name);
    let own = name.rsplit("::").next().unwrap_or(name).to_lowercase();
    let own = own.strip_suffix("_t").unwrap_or(&own);
    // What libraries make locks of begins with an underscore.
    !own.starts_with('_') && (own == "sem" || LOCKS.iter().any(|lock| own.ends_with(lock)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locks_are_known_by_the_names_of_their_types() {
        for name in [
            "pthread_mutex_t",
            "pthread_cond_t",
            "sem_t",
            "std::shared_timed_mutex",
            "std::condition_variable",
            "std::counting_semaphore<1>",
            "std::sync::poison::mutex::Mutex<std::time::Second>",
            "std::sync::poison::rwlock::RwLock<i32>",
            "std::sync::poison::condvar::Condvar",
        ] {
            assert!(names_lock(name), "{name}");
        }
        for name in [
            "__pthread_mutex_s",
            "std::__mutex_base",
            "alloc::sync::ArcInner<std::sync::poison::mutex::Mutex<i32>>",
            "std::sync::poison::mutex::MutexGuard<i32>",
            "second",
            "assembly_t",
        ] {
            assert!(!names_lock(name), "{name}");
        }
    }
}
