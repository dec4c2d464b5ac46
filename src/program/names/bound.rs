//! Which definition a variable's name is bound to, where several files have one, and what only the code around declares:
//! variables that are defined elsewhere, parameters of templates.
//!
//! A file that is loaded does not use its own definition of what it exports: the dynamic linker gives all of them the
//! first one, in the order in which files were loaded. A program often has a copy of a library's variable, and the
//! library's own is not used any more.

use super::{Named, Names, Outside, Standing, simple};
use crate::module::Loaded;
use crate::needed::needed_by;
use ctype::{Dialect, TypeRef};
use dwarf::{Elsewhere, TemplateParameter};
use expr::Name;

impl<M: Loaded> Names<M> {
    /// Returns a variable or function where the dynamic linker has it; what it does not move stays as it is.
    pub(super) fn bound(&self, name: &Name, found: Outside<M>) -> Outside<M> {
        let elsewhere = match &found.named {
            Named::Function(function) => self.function_elsewhere(name, function, &found),
            _ => self.elsewhere(name, &found),
        };
        match elsewhere {
            Some((named, module)) => Outside { named, module, standing: found.standing },
            None => found,
        }
    }

    fn elsewhere(&self, name: &Name, found: &Outside<M>) -> Option<(Named, M)> {
        let Named::Variable(variable) = &found.named else { return None };
        let image = found.module.image();
        if variable.of_function || !image.is_external(variable.die) {
            return None;
        }
        let linkage = image.linkage_name(variable.die)?;
        let at = |elsewhere| Named::Variable(dwarf::Variable { elsewhere: Some(elsewhere), ..variable.clone() });
        // What the code itself uses is what it means.
        let home = self.home.as_ref().map(|(home, _)| home).filter(|home| !home.is_same(&found.module));
        let by_home =
            home.filter(|_| name.file.is_none() && matches!(found.standing, Standing::Program | Standing::Library));
        if let Some((home, elsewhere)) = by_home.and_then(|home| Some((home, home.image().bound_variable(&linkage)?))) {
            return Some((at(elsewhere), home.clone()));
        }
        // What the code's own file exports and binds to itself (`-Bsymbolic`, protected), its code uses; it may be an
        // alias, which debug info does not have.
        let own = by_home.and_then(|home| Some((home, home.image().exported_data(&linkage)?)));
        if let Some((home, exported)) = own.filter(|(_, exported)| exported.is_own && !exported.is_thread_local) {
            return Some((at(Elsewhere::At(exported.address)), home.clone()));
        }
        // What the code's own file hides from others, that file uses. (`_ZL` begins the name of what a unit has for
        // itself.)
        let is_mangled = linkage.starts_with("_Z") && !linkage.starts_with("_ZL");
        let hidden =
            home.filter(|home| is_mangled && name.file.is_none() && home.image().exported_data(&linkage).is_none());
        let hidden = hidden.and_then(|home| {
            let symbols = home.image().symbols_spelled(&linkage);
            let own = symbols.iter().find(|symbol| !symbol.is_code && symbol.address.0 != 0)?;
            Some((at(Elsewhere::At(own.address)), home.clone()))
        });
        if hidden.is_some() {
            return hidden;
        }
        // The dynamic linker finds the variable for a descriptor by its name, too.
        let has_descriptor = |module: &M| module.image().has_descriptor(&linkage);
        let first = |module: &M| Some((module.clone(), module.image().exported_data(&linkage)?));
        let first_of = |is_thread_local: bool| {
            let all = self.shared.iter().filter_map(first);
            all.into_iter().find(|(_, exported)| exported.is_thread_local == is_thread_local)
        };
        if let Some((module, exported)) = by_home.filter(|home| has_descriptor(home)).and_then(|_| first_of(true)) {
            return Some((at(Elsewhere::Thread(exported.address)), module));
        }
        let exported = image.exported_data(&linkage);
        if exported.is_some_and(|exported| exported.is_own) {
            return None;
        }
        if let Some(elsewhere) = image.bound_variable(&linkage) {
            return Some((at(elsewhere), found.module.clone()));
        }
        // Of what is hidden, nobody else has a definition.
        let is_here = || image.symbols_spelled(&linkage).iter().any(|s| !s.is_code && s.address.0 != 0);
        if exported.is_none() && (is_here() || !image.is_only_declared(variable.die)) {
            return None;
        }
        let by_descriptor = has_descriptor(&found.module);
        let (module, exported) = first_of(by_descriptor).filter(|(module, _)| !module.is_same(&found.module))?;
        let place = if by_descriptor { Elsewhere::Thread } else { Elsewhere::At };
        Some((at(place(exported.address)), module))
    }

    /// Returns the function that the dynamic linker gives to the code for one that other modules can name, too: the first
    /// one of all modules, if the code reaches it through the dynamic linker.
    fn function_elsewhere(&self, name: &Name, function: &dwarf::Function, found: &Outside<M>) -> Option<(Named, M)> {
        let by = match found.standing {
            Standing::Unit | Standing::Program | Standing::LibraryFunction => self.home.as_ref()?.0.image(),
            _ => return None,
        };
        let die = function.die.filter(|_| name.file.is_none())?;
        let image = found.module.image();
        let linkage = image.linkage_name(die)?;
        if image.is_external(die)
            && let Some(linked) = self.linked_function(name, function, &linkage, image)
        {
            return Some((Named::Function(linked), found.module.clone()));
        }
        let exported = found.module.image().exported_function(&linkage)?;
        if exported.is_own || exported.address != function.entry || !by.imports(&linkage) {
            return None;
        }
        let first = |module: &M| Some((module.clone(), module.image().exported_function(&linkage)?));
        let shared = self.shared.iter().find_map(first).or_else(|| self.own_scope().iter().find_map(first));
        let (module, exported) = shared.filter(|(module, _)| !module.is_same(&found.module))?;
        let function = module.image().function_at(exported.address).filter(|one| one.entry == exported.address)?;
        Some((Named::Function(function), module))
    }

    /// Returns the scope that the dynamic linker gives to code of a file that was loaded later: the file and what it needs,
    /// the nearest first. What was loaded with the program comes before that.
    fn own_scope(&self) -> Vec<M> {
        let home = self.home.as_ref().map(|(home, _)| home);
        let home = home.filter(|home| !self.shared.iter().any(|module| module.is_same(home)));
        let mut scope: Vec<M> = home.cloned().into_iter().collect();
        let mut next = 0;
        while let Some(module) = scope.get(next).cloned() {
            next += 1;
            for name in needed_by(module.image()) {
                // A link of that name leads to `libz.so.1.2`; of several it is not clear to which.
                let leads_to =
                    |module: &&M| module.name().strip_prefix(name.as_str()).is_some_and(|rest| rest.starts_with('.'));
                let mut others = self.modules.iter().filter(leads_to);
                let only = others.next().filter(|_| others.next().is_none());
                let library = self.modules.iter().find(|module| module.name() == name).or(only);
                scope.extend(library.filter(|library| !scope.iter().any(|one| one.is_same(library))).cloned());
            }
        }
        scope
    }

    /// Returns the function that the linker has for a name in a module where another one has it, too: a weak one of
    /// which there is a better one, or one with another version.
    fn linked_function(
        &self,
        name: &Name,
        function: &dwarf::Function,
        linkage: &str,
        image: &dwarf::Image,
    ) -> Option<dwarf::Function> {
        let at = |address| image.function_at(address).filter(|one| one.entry == address);
        if let [simple] = name.path.as_slice()
            && simple != linkage
            && let Some(exported) = image.exported_function(simple).filter(|one| one.address != function.entry)
        {
            // The name is that of the symbol alone, which may have several versions.
            let is_version = image.symbols_spelled(simple).iter().any(|symbol| symbol.address == function.entry);
            return is_version.then(|| at(exported.address)).flatten();
        }
        let symbols = image.symbols_spelled(linkage);
        let mut shared = symbols.iter().filter(|symbol| symbol.is_code && !symbol.is_local && symbol.address.0 != 0);
        let first = shared.next()?;
        let is_replaced = symbols.iter().all(|symbol| symbol.address != function.entry);
        (is_replaced && shared.next().is_none()).then(|| at(first.address)).flatten()
    }

    /// Returns what the unit of the code declares by a name and does not define.
    pub(super) fn declared(&self, name: &Name) -> Option<Outside<M>> {
        let (home, _) = self.home.as_ref().filter(|_| name.file.is_none())?;
        let variable = home.image().declared_by(self.unit?, &name.qualified())?;
        Some(Outside { named: Named::Variable(variable), module: home.clone(), standing: Standing::Unit })
    }

    /// Finds the member with a whole name of a union without one that the unit of the code has outside of functions.
    pub(super) fn union_member(&self, whole: &str) -> Option<dwarf::Variable> {
        let (home, unit) = self.unit_first().filter(|_| self.dialect == Dialect::Cxx)?;
        home.image().union_member(unit, whole)
    }

    /// Returns the variable without debug info, of the program or of a library that it uses it of, that all units can name
    /// so: code of a unit that has no variable of that name means this one, and not what another unit has for itself.
    pub(super) fn undescribed_global(&self, name: &Name) -> Option<Outside<M>> {
        let [simple] = name.path.as_slice() else { return None };
        let (home, _) = self.home.as_ref().filter(|(home, _)| home.is_program() && name.file.is_none())?;
        let is_it = |symbol: &dwarf::Symbol| !symbol.is_code && !symbol.is_label && !symbol.is_local;
        let of = |module: &M| {
            let mut symbols = module.image().symbols_spelled(simple).into_iter();
            symbols.find(|symbol| is_it(symbol) && symbol.address.0 != 0)
        };
        let outside =
            |symbol, module: &M, standing| Outside { named: Named::Symbol(symbol), module: module.clone(), standing };
        if let Some(symbol) = of(home) {
            return Some(outside(symbol, home, Standing::Program));
        }
        home.image().bound_variable(simple)?;
        let exporter = self.shared.iter().find(|module| module.image().exported_data(simple).is_some())?;
        of(exporter).map(|symbol| outside(symbol, exporter, Standing::Library))
    }

    /// Returns the type that a parameter of the template stands for that the code is of.
    pub(super) fn template_type(&self, name: &str) -> Option<TypeRef> {
        match self.template_parameter(name)? {
            TemplateParameter::Type(ty) => Some(ty),
            TemplateParameter::Value(_) => None,
        }
    }

    /// Returns the value of a parameter of the template that the code is of.
    pub(super) fn template_value(&self, name: &Name) -> Option<dwarf::Variable> {
        if name.file.is_some() || name.global {
            return None;
        }
        match self.template_parameter(&name.qualified())? {
            TemplateParameter::Value(value) => Some(*value),
            TemplateParameter::Type(_) => None,
        }
    }

    /// Returns whether a name means a parameter of the template that the function of the code is made of, rather than a
    /// member of its class (C++20 13.8.2): in a method, that of the class comes behind the members.
    pub(super) fn is_own_parameter(&self, name: &Name) -> bool {
        let home = self.home.as_ref().zip(simple(name)).zip(self.function);
        home.is_some_and(|(((home, _), name), function)| {
            self.template_parameter(name).is_some() && home.image().is_own_parameter(function, name)
        })
    }

    fn template_parameter(&self, name: &str) -> Option<TemplateParameter> {
        let (home, _) = self.home.as_ref().filter(|_| !name.contains("::"))?;
        home.image().template_parameter(self.function?, &self.scopes, name)
    }
}
