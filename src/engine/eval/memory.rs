//! The stopped process as values are read from it, with what its modules know besides.

use crate::eval::inferior::Inferior;
use crate::modules::loaded::Module;
use crate::stack::context::Context;
use arch::RunAddr;
use ctype::{Meaning, Memory, Place, Record, TypeRef, Unavailable, Value, layout};
use program::completion::defined_type;
use program::names::by_whole_name::by_whole_name;
use program::place::place;
use std::sync::Arc;

impl Memory for Inferior {
    fn read(&mut self, address: u64, buffer: &mut [u8]) -> Result<(), Unavailable> {
        self.process.read(address, buffer)
    }

    fn symbol(&mut self, address: u64) -> Option<String> {
        let (name, offset) = Self::symbol(self, RunAddr(address))?;
        Some(match offset {
            0 => format!("<{name}>"),
            n => format!("<{name}+{n}>"),
        })
    }

    fn class_of_function(&mut self, address: u64) -> Option<TypeRef> {
        let module = self.modules.at(RunAddr(address))?;
        module.image.class_of_function(module.link(RunAddr(address)))
    }

    fn named_type(&mut self, name: &str) -> Option<TypeRef> {
        self.modules.user().find_map(|module| module.image.type_named(None, name))
    }

    fn defined_type(&mut self, declared: &Record) -> Option<TypeRef> {
        defined_type(declared, self.modules.user().map(|module| &*module.image))
    }

    fn static_member(&mut self, name: &str, declared: u64) -> Option<Value> {
        let modules: Vec<Arc<Module>> = self.modules.user().cloned().collect();
        let (module, variable) = modules.into_iter().find_map(|module| {
            let variable = by_whole_name(&module.image, None, name, declared)?;
            Some((module, variable))
        })?;
        // A variable of fixed address needs no frame.
        let mut context = Context::for_module(&mut self.process, &self.modules, &[], 0, module.clone());
        let location = module.image.variable_location(&variable, &mut context);
        Some(Value::new(variable.ty, place(location, &module.image, &mut context)))
    }

    fn vtable_owner(&mut self, table: u64) -> Option<TypeRef> {
        let module = self.modules.at(RunAddr(table))?;
        module.image.vtable_owner(module.link(RunAddr(table)))
    }

    fn is_cancelled(&mut self) -> bool {
        self.work().is_cancelled()
    }

    fn whole_object(&mut self, value: &Value) -> Option<Value> {
        readers::whole_object(value, self)
    }

    fn meaning(&mut self, value: &Value) -> Option<Meaning> {
        readers::meaning(value, self)
    }
}

impl Inferior {
    /// Returns the object that a C++ reference refers to, as `&` takes its address: a reference has none of its own.
    /// Anything else, and a reference that cannot be followed, stays as it is.
    pub(crate) fn object_of(&mut self, value: &Value) -> Value {
        value.referent(self).unwrap_or_else(|| value.clone())
    }

    /// Returns the class of the object that a value is, points to or refers to, if it is another one than its type
    /// says.
    pub(crate) fn dynamic_type(&mut self, value: &Value) -> Option<String> {
        let target = layout::pointer_target(&value.ty).or_else(|| layout::reference_target(&value.ty));
        let object = match target {
            Some(target) => {
                let address = value.word(0, self).ok().filter(|address| *address != 0)?;
                Value::new(target, Place::Memory(address))
            }
            // What a smart pointer points to; otherwise the object itself.
            None => self.meaning(value).and_then(|meaning| meaning.target).unwrap_or_else(|| value.clone()),
        };
        let whole = readers::whole_object(&object, self)?;
        let name = |value: &Value| ctype::type_name(&layout::strip(&value.ty), ctype::Dialect::Cxx);
        let (ours, its) = (name(&object), name(&whole));
        (ours != its).then(|| readers::shortened(&its))
    }
}
