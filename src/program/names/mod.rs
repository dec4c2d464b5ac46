//! What a name means that no local has: a variable or function of the program or of one of its libraries.
//!
//! First comes what is around the code, then what its unit has for itself, then what all units can name. Only then come
//! the variables that other units have for themselves, the program's before those of libraries: in a frame of C's
//! library, `state` is the program's `state`. That is so at a stop, and at moments that were collected without one.

mod around;
mod bases;
mod blocks;
mod bound;
pub mod by_whole_name;
mod choice;
pub mod enclosing_scopes;
mod imported;
mod later;
mod left_out;
mod letter_case;
mod meaning;
mod members;
mod operators;
mod other_units;
mod rust_items;
mod rust_paths;
pub mod similar;
mod standing;
mod values;

use around::Around;
pub use around::Reach;
use bases::is_named;
pub use later::local_named;
use left_out::Shortened;
pub use letter_case::ignores_case;
pub use meaning::{captured_this, code_value, is_this, may_be_member, member_of_this};
use rust_items::is_of_body;
pub use standing::Standing;
use standing::{exports_better, is_data_exported, is_exported, is_perhaps_a_copy, standing};
pub use values::{function_value, named_function};
use values::{label_value, stub_value, undescribed};

use crate::module::{Loaded, is_in_file};
use arch::LinkAddr;
use base::qualified::{QualifiedName, bare, canonical_name, file_and_name, same_name};
use ctype::{Dialect, Type, TypeRef};
use dwarf::{DieId, SourcePath, TypeTag};
use expr::{LookupError, Name, Tag};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Where names are looked for.
pub struct Names<M> {
    /// The user's modules, that of the code first.
    pub modules: Vec<M>,
    /// That of the code, and the address there.
    pub home: Option<(M, LinkAddr)>,
    /// The language of the code.
    pub dialect: Dialect,
    /// The scopes around the code, innermost first.
    pub scopes: Arc<[String]>,
    /// The unit that the code was compiled in.
    pub unit: Option<DieId>,
    /// The function of the code.
    pub function: Option<DieId>,
    /// Which of the functions there it is, the innermost being 0.
    pub level: usize,
    /// The modules whose definitions stand for those of others: what was loaded with the program, in this order.
    pub shared: Vec<M>,
}

/// What Rust's library calls what a `thread_local!` is kept in.
const THREAD_LOCAL: &str = "__RUST_STD_INTERNAL_VAL";

/// What a name may mean.
#[derive(Clone, Debug)]
pub enum Named {
    /// A variable of debug info.
    Variable(dwarf::Variable),
    /// A function of debug info.
    Function(dwarf::Function),
    /// A variable or label that there is no debug info for.
    Symbol(dwarf::Symbol),
    /// Code through which a function of another module is called.
    Stub(dwarf::Stub),
}

/// What a name means, or may mean.
#[derive(Clone)]
pub struct Outside<M> {
    /// The definition.
    pub named: Named,
    /// The module that has it.
    pub module: M,
    /// By what rule the name leads to it.
    pub standing: Standing,
}

impl<M: Loaded> Names<M> {
    /// Looks up what a name means that is no local.
    pub fn outside(&self, name: &Name) -> Option<Outside<M>> {
        let whole = self.whole(name);
        self.all_outside(whole.as_ref().unwrap_or(name)).into_iter().next().map(|found| self.bound(name, found))
    }

    /// Returns whether a name is an enumerator of the unit of the code, or of the program where only a library has
    /// something else of that name.
    pub fn is_nearer_enumerator(&self, name: &Name, found: &Outside<M>) -> bool {
        if self.is_block_enumerator(name) {
            return true;
        }
        let text = name.qualified();
        // Nothing is around what `::name` means, if the unit has such a thing.
        let is_inside = || matches!(&found.named, Named::Variable(v) if !same_name(&v.name, &text));
        if name.global && is_inside() && self.has_exactly(&text) {
            return true;
        }
        if name.file.is_some() || found.is_of_unit() {
            return false;
        }
        if self.enumerator_of_unit(&text).is_some() {
            return true;
        }
        let program = self.modules.iter().find(|module| module.is_program());
        !found.is_program()
            && program.is_some_and(|program| program.image().enumerator_in(&self.scopes, &text).is_some())
    }

    /// Returns whether a name is a type of the program, and only a library has something else of that name for itself.
    pub fn is_nearer_type(&self, name: &Name, found: &Outside<M>) -> bool {
        if self.is_block_type(name) {
            return true;
        }
        if name.file.is_none() && self.template_type(&name.qualified()).is_some() {
            return true;
        }
        if name.file.is_some() || !found.is_of_library_alone() {
            return false;
        }
        let program = self.modules.iter().find(|module| module.is_program());
        program.is_some_and(|program| program.image().type_named_in(&self.scopes, None, &name.qualified()).is_some())
    }

    /// Returns the modules for the names of types, of which none is visible in other units: the program comes first,
    /// unless there are scopes around the code.
    fn modules_for(&self, scopes: &[String]) -> Vec<&M> {
        let mut modules: Vec<&M> = self.modules.iter().collect();
        if scopes.is_empty() {
            modules.sort_by_key(|module| !module.is_program());
        }
        modules
    }

    /// Returns the module and unit of the code, in which the names of types are looked for first.
    fn unit_first(&self) -> Option<(&M, DieId)> {
        let (home, _) = self.home.as_ref()?;
        Some((home, self.unit?))
    }

    /// Finds the type that a name means; `::name` is not looked for in scopes, `'file'::name` in no other units.
    pub fn type_named(&self, tag: Option<Tag>, name: &str) -> Option<TypeRef> {
        self.type_of_name(tag.map(type_tag), name).map(|(ty, _)| ty)
    }

    /// Finds the type that a name means, and whether it has just this name where it is.
    fn type_of_name(&self, tag: Option<TypeTag>, name: &str) -> Option<(TypeRef, bool)> {
        if let (Some(file), name) = file_and_name(name) {
            let of_file = self.modules_for(&[]).iter().find_map(|m| m.image().type_of_file(file, tag, name));
            return of_file.map(|ty| (ty, true));
        }
        match self.types_of_blocks(tag, name).as_slice() {
            [] => {}
            [only] => return Some((only.clone(), true)),
            // Which of several is meant is not to be guessed.
            _ => return None,
        }
        if let Some(member) = self.member_type(tag, name) {
            return Some((member, true));
        }
        if let Some(found) = self.type_around_class(tag, name) {
            return Some((found, true));
        }
        if self.is_of_block(name) {
            return None;
        }
        let whole = self.whole_text(name);
        let asked = name;
        let inside;
        let (name, scopes) = match whole.as_deref().or_else(|| name.strip_prefix("::")) {
            Some(whole) => (whole, &[][..]),
            None => {
                inside = self.scopes_for(name);
                (name, &*inside)
            }
        };
        if let Some(found) = self.template_type(name).filter(|_| tag.is_none() && !scopes.is_empty()) {
            return Some((found, true));
        }
        let of_unit = |(home, unit): (&M, DieId)| home.image().type_of_unit(unit, scopes, tag, name);
        let around = if scopes.is_empty() { &[][..] } else { &*self.scopes };
        let anywhere = |name: &str| {
            let modules = self.modules_for(around);
            modules.iter().find_map(|m| m.image().type_named_in(scopes, tag, name))
        };
        let found = self.unit_first().and_then(of_unit).or_else(|| anywhere(name));
        let is_it =
            |ty: &TypeRef| is_named(ty, name) || scopes.iter().any(|scope| is_named(ty, &format!("{scope}::{name}")));
        // A class that leaves scopes out comes after what the one that is meant has of its bases.
        if let Some(exact) = found.as_ref().filter(|ty| is_it(ty)) {
            let is_unclear = self.has_namesakes_in_blocks(tag, name);
            return (!is_unclear).then(|| (exact.clone(), true));
        }
        let has_name = |ty: &TypeRef| !matches!(&**ty, Type::Base { .. } | Type::Void | Type::Opaque(_));
        let is_shortened = self.dialect == Dialect::Cxx && found.as_ref().is_some_and(has_name);
        let found = self.inherited_type(tag, name).or_else(|| {
            let asked = if whole.is_some() { name } else { asked };
            match is_shortened.then(|| self.shortened_type(tag, asked)) {
                Some(Shortened::One(_, ty)) => Some(ty),
                Some(Shortened::Several(_) | Shortened::Nothing) => None,
                None => found,
            }
        });
        let found =
            found.or_else(|| self.imported_into_others(name).iter().find_map(|whole| anywhere(whole))).or_else(|| {
                // Compilers leave a typedef out that only others are made of, such as `std::string`.
                let meant = canonical_name(name);
                (meant != name && !name.contains('<')).then(|| anywhere(&meant)).flatten()
            });
        found.filter(|_| !self.has_namesakes_in_blocks(tag, name)).map(|ty| (ty, false))
    }

    /// Returns whether the unit of the code has a type or an enumerator of just this whole name.
    fn has_exactly(&self, whole: &str) -> bool {
        self.unit_first().is_some_and(|(home, unit)| home.image().nearest_of_unit(unit, &[whole]).is_some())
    }

    fn enumerator_of_unit(&self, name: &str) -> Option<(TypeRef, i128)> {
        let (home, unit) = self.unit_first()?;
        home.image().enumerator_of_unit(unit, &self.scopes_for(name), name)
    }

    /// Finds the enumerator that a name means; `'file'::name` is looked for in the units of that file.
    pub fn enumerator(&self, name: &str) -> Option<(TypeRef, i128)> {
        if let (Some(file), name) = file_and_name(name) {
            return self.modules_for(&[]).iter().find_map(|m| m.image().enumerator_of_file(file, name));
        }
        if let Some(found) = self.enumerators_of_blocks(name).into_iter().next() {
            return Some(found);
        }
        if let Some(found) = self.member_enumerator(name).or_else(|| self.enumerator_around_class(name)) {
            return Some(found);
        }
        if self.is_of_block(name) {
            return None;
        }
        let whole = self.whole_text(name);
        let asked = whole.as_deref().unwrap_or(name);
        let inside;
        let (name, scopes, around) = match whole.as_deref().or_else(|| name.strip_prefix("::")) {
            Some(global) => (global, &[][..], &[][..]),
            None => {
                inside = self.scopes_for(name);
                (name, &*inside, &*self.scopes)
            }
        };
        let of_unit = |(home, unit): (&M, DieId)| home.image().enumerator_of_unit(unit, scopes, name);
        let is_clear = || {
            let meant = self.enumerators_meant(asked);
            meant.len() == 1 || self.dialect != Dialect::Cxx
        };
        let anywhere = || {
            let modules = self.modules_for(around);
            is_clear().then(|| modules.iter().find_map(|m| m.image().enumerator_in(scopes, name)))?
        };
        self.unit_first().and_then(of_unit).or_else(|| self.inherited_enumerator(name)).or_else(anywhere)
    }

    fn is_home(&self, module: &M) -> bool {
        self.home.as_ref().is_some_and(|(home, _)| home.is_same(module))
    }

    /// Returns, for Rust, whether a variable is another crate's, and the name does not say so.
    pub fn is_foreign(&self, variable: &dwarf::Variable, name: &Name) -> bool {
        if self.dialect != Dialect::Rust || name.path.len() != 1 {
            return false;
        }
        let root = |path: &QualifiedName<'_>| path.scopes().first().map(|root| root.text.to_owned());
        let Some(of) = root(&QualifiedName::split(&variable.name)) else { return false };
        let own = self.scopes.iter().rev().find(|scope| QualifiedName::split(scope).scopes().is_empty());
        own.is_some_and(|own| of != *own)
    }

    /// Returns all functions that a name means, where the nearest is: overloads of one function, if there are several.
    pub fn all_functions(&self, name: &Name) -> Option<(Vec<dwarf::Function>, M)> {
        let whole = self.whole(name);
        let name = whole.as_ref().unwrap_or(name);
        let Some(Outside { named: Named::Function(nearest), module, .. }) = self.outside(name) else { return None };
        let scope = |name: &str| QualifiedName::split(name).path().to_owned();
        let all = module.image().functions_meant(&scope(&nearest.name)).into_iter();
        let is_of_unit =
            |f: &dwarf::Function| f.die.is_some_and(|die| self.is_of_unit(&module, die, f.file.as_deref()));
        let is_shared = |f: &dwarf::Function| f.die.is_none_or(|die| module.image().is_external(die));
        let mut overloads: Vec<_> = all.filter(|function| scope(&function.name) == scope(&nearest.name)).collect();
        // What other units have for themselves, or instead of what this one has, is no overload of it.
        let own: Vec<String> = overloads.iter().filter(|f| is_of_unit(f)).map(|f| f.name.clone()).collect();
        if !own.is_empty() {
            overloads.retain(|f| is_of_unit(f) || is_shared(f) && !own.contains(&f.name));
        }
        let functions = if overloads.is_empty() { vec![nearest] } else { overloads };
        Some((functions, module))
    }

    /// Looks up what a name may mean: first what it does, then what else it might, as far as one had to look.
    fn all_outside(&self, name: &Name) -> Vec<Outside<M>> {
        match self.around(name) {
            Some(Around::Hidden) => Vec::new(),
            Some(Around::Value(around)) if around.standing == Standing::Around => vec![around],
            // The language takes it to be ambiguous with what is outside of all namespaces itself.
            Some(Around::Value(imported)) => {
                let others = self.beyond(name).into_iter();
                std::iter::once(imported).chain(others.filter(|other| other.standing <= Standing::Program)).collect()
            }
            None => self.beyond(name),
        }
    }

    /// Looks up what a name may mean outside of the scopes around the code.
    fn beyond(&self, name: &Name) -> Vec<Outside<M>> {
        let own = self.union_member(&name.qualified()).filter(|_| name.file.is_none());
        if let Some((own, (module, _))) = own.zip(self.home.clone()) {
            return vec![Outside { named: Named::Variable(own), module, standing: Standing::Unit }];
        }
        let declared = self.declared(name);
        let mut found: Vec<Outside<M>> = Vec::new();
        for module in &self.modules {
            let is_program = module.is_program();
            let is_home = self.is_home(module);
            let best = found.first().map(Outside::standing_to_beat);
            // In the debug info of a library is only looked for what can be better than what is known.
            if is_program || is_home || best.is_none_or(|best| exports_better(module, name, best)) {
                found.extend(self.outside_in(module, name));
            }
            found.sort_by_key(|one| (one.standing, matches!(one.named, Named::Symbol(_))));
            let is_best = |best: &Outside<M>| match best.standing {
                Standing::Around | Standing::Unit => true,
                standing => is_program && standing == Standing::Program,
            };
            if found.first().is_some_and(is_best) {
                break;
            }
        }
        if let Some(declared) = declared.filter(|_| found.first().is_none_or(|best| best.standing > Standing::Unit)) {
            // What others have for themselves is not what is declared here.
            found.retain(|one| matches!(one.named, Named::Variable(_)) && one.standing <= Standing::Library);
            if found.is_empty() {
                found.push(declared);
            }
        }
        if found.first().is_none_or(|best| best.standing >= Standing::ProgramStatic)
            && let Some(symbol) = self.undescribed_global(name)
        {
            found.retain(|one| !matches!(one.named, Named::Symbol(_)));
            found.insert(0, symbol);
        }
        found
    }

    /// Looks up what a name may mean in one module, the nearest first.
    fn outside_in(&self, module: &M, name: &Name) -> Vec<Outside<M>> {
        let qualified = name.qualified();
        // Nothing may be around that but what need not be named: inline namespaces, those without a name.
        let asked = if name.global { format!("::{qualified}") } else { qualified.clone() };
        let mut found = Vec::new();
        for variable in module.image().globals_named(name.file.as_deref(), &asked) {
            if is_out_of_scope(&variable, name) || self.is_foreign(&variable, name) {
                continue;
            }
            let is_whole = name.global || same_name(&without_anonymous(&variable.name), &without_anonymous(&qualified));
            let is_exported =
                is_whole && module.image().is_external(variable.die) && is_data_exported(module, &variable);
            let is_near = is_whole && self.is_of_unit(module, variable.die, variable.file.as_deref());
            let standing = standing(module, is_near, is_exported, Standing::Library);
            found.push(((standing, !is_whole), Named::Variable(variable)));
        }
        if name.global {
            // What is nearest to the outside of all namespaces is meant.
            found.sort_by_cached_key(|(_, named)| match named {
                Named::Variable(variable) => QualifiedName::split(&variable.name).components().len(),
                _ => 0,
            });
        }
        self.own_static_first(module, &mut found);
        if self.dialect == Dialect::Rust && name.path.len() == 1 && found.len() > 1 {
            // What a function has for itself has no bare name elsewhere.
            let is_of_body = |named: &Named| matches!(named, Named::Variable(v) if is_of_body(module.image(), v));
            found.sort_by_cached_key(|(_, named)| is_of_body(named));
        }
        for function in module.image().functions_meant(&qualified) {
            let in_file = name.file.as_deref().is_none_or(|file| is_in_file(module.image(), &function, file));
            if !in_file || is_constructor(&function.name, name) {
                continue;
            }
            let is_near = function.die.is_some_and(|die| self.is_of_unit(module, die, function.file.as_deref()));
            let standing = standing(module, is_near, is_exported(module, &function, name), Standing::LibraryFunction);
            // `int one() asm("two")`: the source's name comes before the linker's.
            let own = QualifiedName::split(&function.name).last().map(|own| own.name().to_owned());
            let is_of_symbol = own.is_none() || own.as_ref() != name.path.last();
            found.push(((standing, is_of_symbol), Named::Function(function)));
        }
        if found.is_empty() && name.file.is_none() {
            let symbol = module.image().symbols_named(&qualified).into_iter().find(|s| s.address.0 != 0);
            found.extend(symbol.filter(|s| s.name == qualified).map(|symbol| {
                let standing = match is_perhaps_a_copy(module, &symbol) {
                    true => Standing::Library,
                    false => standing(module, false, !symbol.is_local, Standing::LibraryFunction),
                };
                ((standing, false), Named::Symbol(symbol))
            }));
            // No symbol table has the names of stubs.
            if found.is_empty() && qualified.ends_with("@plt") {
                let stubs = module.image().stubs_named(&qualified).into_iter().filter(|stub| stub.name == qualified);
                let named =
                    |stub| ((standing(module, false, false, Standing::LibraryFunction), false), Named::Stub(stub));
                found.extend(stubs.map(named));
            }
        }
        found.sort_by_key(|(order, _)| *order);
        let outside = |((standing, _), named)| Outside { named, module: module.clone(), standing };
        found.into_iter().map(outside).collect()
    }

    /// Puts the static variable of the function of the code before those of overloads.
    fn own_static_first<K>(&self, module: &M, found: &mut [(K, Named)]) {
        let of_functions = found.iter().filter(|(_, named)| matches!(named, Named::Variable(v) if v.of_function));
        let Some((home, pc)) = self.home.as_ref().filter(|(home, _)| home.is_same(module)) else { return };
        if of_functions.count() < 2 {
            return;
        }
        let own: BTreeSet<DieId> = home.image().variables_at(*pc, self.level).into_iter().map(|v| v.die).collect();
        found.sort_by_key(|(_, named)| !matches!(named, Named::Variable(v) if own.contains(&v.die)));
    }

    /// Returns whether something is of the unit of the code. A file says nothing of units in C and C++: each unit that
    /// includes a header has its own statics of it. Rust has the code of a file in several units, and one static for all.
    fn is_of_unit(&self, module: &M, die: DieId, file: Option<&SourcePath>) -> bool {
        let Some((home, _)) = self.home.as_ref().filter(|(home, _)| home.is_same(module)) else { return false };
        let is_own = self.unit.is_some() && home.image().unit_of(die) == self.unit;
        let units_are_files = self.dialect == Dialect::Rust || self.unit.is_none();
        is_own || units_are_files && self.is_of_file(module, file)
    }

    /// Returns whether a file is the source file of the code.
    fn is_of_file(&self, module: &M, file: Option<&SourcePath>) -> bool {
        let Some((home, at)) = self.home.as_ref().filter(|(home, _)| home.is_same(module)) else { return false };
        let here = home.image().line_at(*at).map(|row| row.file);
        file.is_some() && here.as_deref() == file
    }

    /// Looks up the variable that Rust's `thread_local!` makes of a name: it is in a closure in a constant of that name.
    pub fn thread_local(&self, name: &Name) -> Option<(dwarf::Variable, M)> {
        if self.dialect != Dialect::Rust || name.file.is_some() {
            return None;
        }
        let is_it = |variable: &dwarf::Variable| {
            let split = QualifiedName::split(&variable.name);
            let scopes: Vec<_> =
                split.scopes().iter().map(|scope| scope.text).filter(|s| !s.starts_with('{')).collect();
            let is_inside = scopes.len() < split.scopes().len();
            is_inside && scopes.ends_with(&name.path.iter().map(String::as_str).collect::<Vec<_>>())
        };
        for module in &self.modules {
            let found: Vec<_> = module.image().globals_named(None, THREAD_LOCAL).into_iter().filter(is_it).collect();
            match <[dwarf::Variable; 1]>::try_from(found) {
                Ok([only]) => return Some((only, module.clone())),
                Err(found) if found.is_empty() => {}
                // Which of several is meant is not to be guessed.
                Err(_) => return None,
            }
        }
        None
    }

    /// Looks up the static variable of the code's own function that is declared behind the code, where nothing else has
    /// the name.
    pub fn declared_later(&self, name: &Name) -> Option<(dwarf::Variable, M)> {
        let (home, pc) = self.home.as_ref()?;
        let simple = simple(name)?;
        if self.is_type_or_enumerator(name) {
            return None;
        }
        let locals = home.image().variables_at(*pc, self.level);
        let hidden: BTreeSet<DieId> =
            locals.iter().filter(|v| v.name == simple && v.visible == dwarf::Visible::Hidden).map(|v| v.die).collect();
        if hidden.is_empty() {
            return None;
        }
        let mut found = home.image().globals_named(None, simple);
        found.retain(|v| v.of_function && hidden.contains(&v.die));
        // Which of several is meant is not to be guessed.
        let [only] = <[dwarf::Variable; 1]>::try_from(found).ok()?;
        Some((only, home.clone()))
    }

    /// Returns the error for a name that means nothing, with what it would mean if it said more: statics of functions,
    /// which are not in scope here.
    pub fn nothing_outside(&self, name: &Name) -> LookupError {
        match self.statics_of_functions(name).as_slice() {
            [] => {}
            found => return LookupError::Failed(format!("it belongs to a function; write {}", found.join(" or "))),
        }
        let qualified = name.qualified();
        let is_removed = name.file.is_none() && self.modules.iter().any(|m| m.image().has_removed_function(&qualified));
        match is_removed {
            true => LookupError::Failed("it was removed by the linker".to_owned()),
            false => LookupError::NotFound,
        }
    }

    /// Returns the qualified names of static variables that are just not in scope here.
    fn statics_of_functions(&self, name: &Name) -> Vec<String> {
        let qualified = name.qualified();
        // Those of libraries are nobody's business elsewhere.
        let modules = self.modules.iter().filter(|m| m.is_program() || self.is_home(m));
        let all: Vec<_> = modules.flat_map(|m| m.image().globals_named(name.file.as_deref(), &qualified)).collect();
        let hidden = all.into_iter().filter(|v| is_out_of_scope(v, name) || self.is_foreign(v, name));
        let names: BTreeSet<String> = hidden.map(|v| v.name).filter(|whole| *whole != qualified).collect();
        names.into_iter().collect()
    }
}

/// Returns the tag of debug info for one that an expression spells.
fn type_tag(tag: Tag) -> TypeTag {
    match tag {
        Tag::Struct | Tag::Class => TypeTag::Struct,
        Tag::Union => TypeTag::Union,
        Tag::Enum => TypeTag::Enum,
    }
}

/// Returns the name, if it may mean a local.
pub fn simple(name: &Name) -> Option<&str> {
    match (name.path.as_slice(), &name.file, name.global) {
        ([simple], None, false) => Some(simple),
        _ => None,
    }
}

/// Returns whether a variable is a function's own, and only the bare name was given.
pub fn is_out_of_scope(variable: &dwarf::Variable, name: &Name) -> bool {
    variable.of_function && name.path.len() == 1
}

/// Returns a name without what need not be written of it.
fn without_anonymous(name: &str) -> String {
    name.replace("(anonymous namespace)::", "")
}

/// Returns whether a function is a class's constructor, and the name means the class: `Class` rather than
/// `Class::Class`.
fn is_constructor(function: &str, name: &Name) -> bool {
    let names_both = matches!(name.path.as_slice(), [.., a, b] if bare(a) == bare(b));
    !names_both && QualifiedName::split(function).is_constructor()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_a_class_does_not_mean_its_constructor() {
        let is_hidden = |function: &str, path: &[&str]| {
            let path = path.iter().map(|part| (*part).to_owned()).collect();
            is_constructor(function, &Name { file: None, global: false, path })
        };
        assert!(is_hidden("Gauge::Gauge(int)", &["Gauge"]));
        assert!(is_hidden("(anonymous namespace)::Gauge::Gauge(int)", &["Gauge"]));
        assert!(is_hidden("shop::Box<shop::Price>::Box(shop::Price)", &["shop", "Box"]));
        assert!(!is_hidden("(anonymous namespace)::Gauge::Gauge(int)", &["Gauge", "Gauge"]));
        assert!(!is_hidden("(anonymous namespace)::Gauge::read()", &["read"]));
        assert!(!is_hidden("read(Gauge::Gauge)", &["read"]));
    }
}
