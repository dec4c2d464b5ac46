//! Whether objects of C++ classes may be copied byte by byte: what their special member functions are, and those of
//! their parts, decides (C++20 [class.copy.ctor], [class.dtor], [class.prop]; Itanium C++ ABI, "non-trivial for the
//! purposes of calls").

use super::layout::{size_of, strip};
use super::{Manner, Parts, Passing, PointerKind, Qualifier, Record, RecordKind, Role, Type, TypeRef, type_name};
use crate::Dialect;

/// How deep classes may be nested in each other.
const MAX_DEPTH: usize = 32;
/// Classes that are looked at on behalf of one.
const MAX_CLASSES: usize = 2000;

/// What a special member function does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Triviality {
    /// Copies bytes, or does nothing.
    Trivial,
    NonTrivial,
    Unknown,
    /// It cannot be called.
    Deleted,
}

/// The special member functions of a type; `None`: it has none that moves, and is copied instead.
#[derive(Clone, Copy, Debug)]
struct Specials {
    copy: Triviality,
    moving: Option<Triviality>,
    copy_assignment: Triviality,
    move_assignment: Option<Triviality>,
    destructor: Triviality,
}

impl Specials {
    const fn all(state: Triviality) -> Self {
        Self {
            copy: state,
            moving: Some(state),
            copy_assignment: state,
            move_assignment: Some(state),
            destructor: state,
        }
    }

    /// Returns the triviality of what does the work of a role.
    fn of(&self, role: Role) -> Triviality {
        match role {
            Role::Copy => self.copy,
            Role::Move => self.moving.unwrap_or(self.copy),
            Role::CopyAssignment => self.copy_assignment,
            Role::MoveAssignment => self.move_assignment.unwrap_or(self.copy_assignment),
            Role::Destructor => self.destructor,
        }
    }
}

/// Returns whether a class is passed and returned by address although it would fit into registers; the error says in
/// words why that is not known.
pub fn is_returned_by_address(ty: &TypeRef) -> Result<bool, String> {
    let stripped = strip(ty);
    let Type::Record(record) = &*stripped else { return Ok(false) };
    if let Some(passing) = record.passing {
        return Ok(passing == Passing::Address);
    }
    let own = specials(ty, MAX_DEPTH, &mut { MAX_CLASSES });
    let called = [Some(own.copy), own.moving, Some(own.destructor)];
    if called.contains(&Some(Triviality::NonTrivial)) || own.destructor == Triviality::Deleted {
        return Ok(true);
    }
    if called.contains(&Some(Triviality::Unknown)) {
        let name = type_name(ty, Dialect::Cxx);
        return Err(format!("whether {name} is trivial to copy and to destroy is not known"));
    }
    Ok(own.copy == Triviality::Deleted && own.moving.is_none_or(|moving| moving == Triviality::Deleted))
}

/// Returns whether the bytes of an object are all there is to a copy of it; `None` if that is not known.
pub fn is_trivially_copyable(ty: &TypeRef) -> Option<bool> {
    let own = specials(ty, MAX_DEPTH, &mut { MAX_CLASSES });
    let copying = [Some(own.copy), own.moving, Some(own.copy_assignment), own.move_assignment];
    let all = || copying.iter().flatten().chain([&own.destructor]);
    if all().any(|state| *state == Triviality::NonTrivial) || own.destructor == Triviality::Deleted {
        return Some(false);
    }
    if all().any(|state| *state == Triviality::Unknown) {
        return None;
    }
    Some(copying.iter().flatten().any(|state| *state == Triviality::Trivial))
}

fn specials(ty: &TypeRef, depth: usize, budget: &mut usize) -> Specials {
    let left = depth.checked_sub(1).zip(budget.checked_sub(1));
    let Some((depth, fewer)) = left else { return Specials::all(Triviality::Unknown) };
    *budget = fewer;
    let stripped = strip(ty);
    let mut specials = match &*stripped {
        Type::Record(record) => of_class(record, depth, budget),
        Type::Array { element, .. } => specials(&element.get(), depth, budget),
        Type::Pointer { kind: PointerKind::Reference | PointerKind::RvalueReference, .. } => Specials {
            copy_assignment: Triviality::Deleted,
            move_assignment: None,
            ..Specials::all(Triviality::Trivial)
        },
        _ if size_of(&stripped).is_none() => Specials::all(Triviality::Unknown),
        _ => Specials::all(Triviality::Trivial),
    };
    if is_const(ty) {
        specials.copy_assignment = Triviality::Deleted;
        specials.move_assignment = None;
        // A constant is copied where others are moved.
        specials.moving = None;
    }
    specials
}

fn is_const(ty: &TypeRef) -> bool {
    let mut ty = ty.clone();
    for _ in 0..MAX_DEPTH {
        let next = match &*ty {
            Type::Qualified { qualifier: Qualifier::Const, .. } => return true,
            Type::Qualified { target, .. } | Type::Typedef { target, .. } => target.get(),
            _ => return false,
        };
        ty = next;
    }
    false
}

/// What a class declares, and what its parts have.
struct Class<'a> {
    record: &'a Record,
    parts: &'a Parts,
    inside: Vec<Specials>,
    /// Objects of it have a virtual table.
    is_dynamic: bool,
}

fn of_class(record: &Record, depth: usize, budget: &mut usize) -> Specials {
    let Some(parts) = record.known_parts().filter(|_| record.size.is_some()) else {
        return Specials::all(Triviality::Unknown);
    };
    let shared = record.virtual_bases.iter().map(|base| &base.ty);
    let mut inside = Vec::new();
    for link in record.members.iter().map(|member| &member.ty).chain(shared) {
        inside.push(specials(&link.get(), depth, budget));
    }
    let is_dynamic = !record.virtual_bases.is_empty() || parts.methods.iter().any(|method| method.is_virtual);
    let class = Class { record, parts: &parts, inside, is_dynamic };
    let declares = |roles: &[Role]| parts.specials.iter().any(|special| roles.contains(&special.role));
    let moves = declares(&[Role::Move, Role::MoveAssignment]);
    let copies = declares(&[Role::Copy, Role::CopyAssignment, Role::Destructor]);
    Specials {
        copy: class.copying(Role::Copy, moves),
        moving: class.moving(Role::Move, moves || copies),
        copy_assignment: class.copying(Role::CopyAssignment, moves),
        move_assignment: class.moving(Role::MoveAssignment, moves || copies),
        destructor: class.declared(Role::Destructor).unwrap_or_else(|| class.implicit(Role::Destructor)),
    }
}

impl Class<'_> {
    /// Returns the triviality of a member that copies. It is always there; if nobody declares it, one that moves
    /// deletes it.
    fn copying(&self, role: Role, moves: bool) -> Triviality {
        let implicit = || if moves { Triviality::Deleted } else { self.implicit(role) };
        self.declared(role).unwrap_or_else(implicit)
    }

    /// Returns the triviality of a member that moves. It is there only if nothing else is declared; one that cannot be
    /// is not there either.
    fn moving(&self, role: Role, is_kept_away: bool) -> Option<Triviality> {
        let is_defaulted = self.manners(role).all(|manner| manner == Manner::Defaulted);
        match self.declared(role) {
            Some(Triviality::Deleted) if is_defaulted => None,
            Some(declared) => Some(declared),
            None if is_kept_away => None,
            None => Some(self.implicit(role)).filter(|state| *state != Triviality::Deleted),
        }
    }

    fn manners(&self, role: Role) -> impl Iterator<Item = Manner> {
        self.parts.specials.iter().filter(move |special| special.role == role).map(|special| special.manner)
    }

    /// Returns what the class says of a role; of several, what counts most.
    fn declared(&self, role: Role) -> Option<Triviality> {
        let state = |manner| match (manner, self.record.passing) {
            (Manner::Deleted, _) => Triviality::Deleted,
            (Manner::Defaulted, _) => self.implicit(role),
            // The compiler says that these are.
            (_, Some(Passing::Value)) if !matches!(role, Role::CopyAssignment | Role::MoveAssignment) => {
                Triviality::Trivial
            }
            (Manner::Provided, _) => Triviality::NonTrivial,
            (Manner::Unknown, _) => Triviality::Unknown,
        };
        let weight = |state: &Triviality| match state {
            Triviality::Deleted => 0,
            Triviality::Trivial => 1,
            Triviality::Unknown => 2,
            Triviality::NonTrivial => 3,
        };
        self.manners(role).map(state).max_by_key(weight)
    }

    /// Returns the triviality of what the compiler makes of the parts.
    fn implicit(&self, role: Role) -> Triviality {
        let worst = self.inside.iter().map(|part| part.of(role)).max().unwrap_or(Triviality::Trivial);
        match worst {
            // Nobody knows which of a union's members is there.
            Triviality::NonTrivial if self.record.kind == RecordKind::Union => Triviality::Deleted,
            Triviality::Trivial if self.is_dynamic && role != Role::Destructor => Triviality::NonTrivial,
            worst => worst,
        }
    }
}
