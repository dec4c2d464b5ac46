//! What a name means that no local has: what it would at a stop there, as far as it is known where that is.

use super::frame::Frame;
use super::program::Module;
use super::scope::Scope;
use arch::Bias;
use ctype::{Place, Unavailable, Value};
use dwarf::{Image, Variable};
use expr::{LookupError, Name};
use program::module::{Loaded, Role};
use program::names::{Named, Names, code_value, named_function};
use program::place::place;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// What names mean at a place that no local has there, once that was asked: it is the same at each hit.
pub(super) type Lookups = Arc<Mutex<HashMap<Name, Result<Elsewhere, LookupError>>>>;

/// Something that a name means, and the number of its module.
#[derive(Clone, Debug)]
pub(super) struct Elsewhere {
    pub(super) module: usize,
    pub(super) meant: Named,
}

/// A module by its number.
#[derive(Clone, Copy)]
pub(super) struct Numbered<'a>(usize, &'a Module);

impl Loaded for Numbered<'_> {
    fn image(&self) -> &Image {
        &self.1.image
    }

    fn role(&self) -> Role {
        self.1.role()
    }

    fn name(&self) -> &str {
        &self.1.name
    }
}

impl<'a> Scope<'a> {
    /// Returns where names are looked for that no local has. Of several programs, one after the other, only that of the
    /// code is asked.
    pub(super) fn names(&self) -> Names<Numbered<'a>> {
        let home = self.program.module(self.spot.module).map(|module| Numbered(self.spot.module, module));
        let other = |number: usize, module: &Module| {
            number != self.spot.module && !(self.is_of_program() && module.is_program())
        };
        let others = self.program.user().filter(|(number, module)| other(*number, module));
        let mut others: Vec<_> = others.map(|(number, module)| Numbered(number, module)).collect();
        // As the process has them in its list: the dynamic linker is there before it maps anything.
        others.sort_by_key(|Numbered(_, module)| (!module.is_program(), !module.is_interpreter, module.mapped));
        let modules = home.into_iter().chain(others).collect();
        let home = home.map(|home| (home, self.spot.address));
        let (dialect, scopes, unit) = (self.spot.target.dialect, self.spot.scopes.clone(), self.spot.unit);
        let is_mine = |number: usize, module: &Module| number == self.spot.module || other(number, module);
        let shared = self.program.shared().filter(|(number, module)| is_mine(*number, module));
        let shared = shared.map(|(number, module)| Numbered(number, module)).collect();
        Names { modules, home, dialect, scopes, unit, function: self.spot.die, level: self.spot.level, shared }
    }

    fn is_of_program(&self) -> bool {
        self.program.module(self.spot.module).is_some_and(Module::is_program)
    }

    /// Finds what a name means that no local has.
    pub(super) fn outside(&mut self, name: &Name) -> Result<Elsewhere, LookupError> {
        let known =
            |spot: &super::place::Spot| spot.known.lock().unwrap_or_else(PoisonError::into_inner).get(name).cloned();
        if let Some(known) = known(self.spot) {
            return known;
        }
        let found = self.outside_found(name);
        if !self.program.is_cancelled() {
            let mut known = self.spot.known.lock().unwrap_or_else(PoisonError::into_inner);
            known.insert(name.clone(), found.clone());
        }
        found
    }

    fn outside_found(&mut self, name: &Name) -> Result<Elsewhere, LookupError> {
        // Where the globals of generated code are, the code does not say.
        let names = self.names();
        if self.spot.generated.is_some() {
            return Err(match names.enumerator(&name.qualified()) {
                Some(_) => LookupError::NotFound,
                None => {
                    LookupError::Failed("code that the program has generated does not say where globals are".to_owned())
                }
            });
        }
        let bias = |module: &Numbered<'_>| match self.at {
            Some(_) => self.bias_of(module.0),
            None => self.program.bias_everywhere(module.0),
        };
        let (meant, module) = names.meaning(name, bias)?;
        Ok(Elsewhere { module: module.0, meant })
    }

    /// Returns the value of what a name means that no local has.
    pub(super) fn value_outside(&mut self, name: &Name) -> Result<Value, LookupError> {
        let Elsewhere { module: number, meant } = self.outside(name)?;
        if let (Named::Variable(variable), true) = (&meant, number == self.spot.module) {
            return Ok(self.value_of(variable));
        }
        let Some(module) = self.program.module(number) else { return Err(LookupError::NotFound) };
        let Some(bias) = self.bias_of(number) else {
            let where_it_is = match self.at {
                Some(_) => "which is not mapped there",
                None => "which is not at one place in all processes",
            };
            return Err(LookupError::Failed(format!("it is in {}, {where_it_is}", module.name)));
        };
        match meant {
            Named::Variable(variable) => Ok(self.value_in(module, bias, &variable)),
            code => code_value(&code, &module, bias, name).ok_or(LookupError::NotFound),
        }
    }

    /// Returns all functions that a name means, where the nearest is.
    pub(super) fn all_functions(&mut self, name: &Name) -> Vec<Value> {
        let Some((functions, module)) = self.names().all_functions(name) else { return Vec::new() };
        let Some(bias) = self.bias_of(module.0) else { return Vec::new() };
        functions.iter().map(|function| named_function(function, module.image(), bias, name)).collect()
    }

    /// Returns the value of a static member by its whole name.
    pub(super) fn static_member_named(&mut self, name: &str, declared: u64) -> Option<Value> {
        let (variable, module) = self.names().static_member(name, declared)?;
        if module.0 == self.spot.module {
            return Some(self.value_of(&variable));
        }
        let Some(bias) = self.bias_of(module.0) else {
            let why = Unavailable::Other("it is in another module, which is not at one place".to_owned());
            return Some(Value { ty: variable.ty, place: Place::Unavailable(why), bits: None });
        };
        Some(self.value_in(self.program.module(module.0)?, bias, &variable))
    }

    /// Returns the value of a variable of another module than that of the code.
    fn value_in(&mut self, module: &Module, bias: Bias, variable: &Variable) -> Value {
        let image = &module.image;
        let mut frame = Frame::in_module(self.state, module, super::place::NOWHERE, Some(bias));
        let ty = image.concrete_type(&variable.ty, &mut frame);
        let place = place(image.variable_location(variable, &mut frame), image, &mut frame);
        let value = Value { ty, place, bits: None };
        value.described(self).unwrap_or(value)
    }

    /// Returns how far a module is from where its file has it.
    fn bias_of(&mut self, number: usize) -> Option<Bias> {
        match self.at {
            Some(at) if number == self.spot.module => at.bias,
            Some(at) => self.program.bias(number, at.pid, at.event),
            None if number == self.spot.module => {
                Some(Bias(self.state.instruction()?.wrapping_sub(self.spot.address.0)))
            }
            None => self.program.bias_everywhere(number),
        }
    }
}
