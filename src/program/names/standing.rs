//! How near what a name may mean is to the code.

use super::{Named, Outside};
use crate::module::Loaded;
use expr::Name;

/// How near it is to the code, the nearest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Standing {
    /// In a scope around the code.
    Around,
    /// A using-directive adds it to what is outside of all namespaces.
    Imported,
    /// Of the unit of the code.
    Unit,
    /// Of the program, and all units can name it.
    Program,
    /// A variable of a library that all units can name.
    Library,
    /// Another unit of the program has it for itself, or it is in a scope.
    ProgramStatic,
    /// A function of a library, or something that is not described.
    LibraryFunction,
    /// A unit of a library has it for itself, or it is in a scope.
    LibraryStatic,
}

impl<M: Loaded> Outside<M> {
    /// Returns whether it is nearer to the code than what other units have.
    pub fn is_of_unit(&self) -> bool {
        self.standing <= Standing::Unit
    }

    /// Returns the standing than which another thing of the name has to have a better one. What is described stands before
    /// a symbol, as that of a library's variable that the program has a copy of.
    pub(super) fn standing_to_beat(&self) -> Standing {
        match self.named {
            Named::Symbol(_) if self.standing == Standing::Library => Standing::LibraryFunction,
            _ => self.standing,
        }
    }

    /// Returns whether only a unit of a library can name it so, and not the one of the code.
    pub fn is_of_library_alone(&self) -> bool {
        self.standing == Standing::LibraryStatic
    }

    /// Returns whether the program itself has the definition, not one of its libraries.
    pub fn is_program(&self) -> bool {
        self.module.is_program()
    }
}

/// Returns the standing of what is in a module.
pub(super) fn standing(module: &impl Loaded, is_near: bool, is_exported: bool, of_library: Standing) -> Standing {
    match (module.is_program(), is_exported) {
        _ if is_near => Standing::Unit,
        (true, true) => Standing::Program,
        (true, false) => Standing::ProgramStatic,
        (false, true) => of_library,
        (false, false) => Standing::LibraryStatic,
    }
}

/// Returns whether a variable that all units of its module can name has a name for other modules, if they are what
/// matters.
pub(super) fn is_data_exported(module: &impl Loaded, variable: &dwarf::Variable) -> bool {
    let image = module.image();
    module.is_program() || image.linkage_name(variable.die).is_none_or(|name| image.exported_data(&name).is_some())
}

/// Returns whether a symbol of the program may be its copy of a library's variable: the dynamic linker gives that to all.
pub(super) fn is_perhaps_a_copy(module: &impl Loaded, symbol: &dwarf::Symbol) -> bool {
    module.is_program() && !symbol.is_code && module.image().exported_data(&symbol.name).is_some()
}

/// Returns whether other units can name a function so. (A name may be another symbol for a function that they cannot
/// name.)
pub(super) fn is_exported(module: &impl Loaded, function: &dwarf::Function, name: &Name) -> bool {
    function.die.is_some_and(|die| module.image().is_external(die))
        || module.image().symbols_named(&name.qualified()).iter().any(|s| s.address == function.entry && !s.is_local)
}

/// Returns whether other modules can name something of a library so, and it comes before what stands elsewhere.
pub(super) fn exports_better(module: &impl Loaded, name: &Name, than: Standing) -> bool {
    let of = |is_code| if is_code { Standing::LibraryFunction } else { Standing::Library };
    let symbols = match name.path.as_slice() {
        [simple] => module.image().symbols_spelled(simple),
        _ => module.image().symbols_named(&name.qualified()),
    };
    // What is thread-local has no address, and is none of them.
    let is_data = || matches!(name.path.as_slice(), [simple] if module.image().exported_data(simple).is_some());
    symbols.iter().any(|symbol| !symbol.is_local && of(symbol.is_code) < than) || Standing::Library < than && is_data()
}
