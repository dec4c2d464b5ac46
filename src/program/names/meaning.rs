//! What a name means where an expression uses it.

use super::{Named, Names, Outside, Reach, label_value, named_function, stub_value, undescribed};
use crate::module::Loaded;
use arch::Bias;
use ctype::layout::{pointer_target, pointer_to};
use ctype::{Dialect, Place, TypeRef, Value};
use dwarf::Visible;
use expr::{LookupError, Name};

impl<M: Loaded> Names<M> {
    /// Finds what a name means that no local has, with the module that has it. `bias`: where a module is, if that is
    /// known.
    ///
    /// # Errors
    /// [`LookupError::NotFound`] if it means nothing, or a type or an enumerator.
    pub fn meaning(&self, name: &Name, bias: impl FnOnce(&M) -> Option<Bias>) -> Result<(Named, M), LookupError> {
        let unclear = || self.unclear_enumerator(name).or_else(|| self.unclear_block(name));
        if let Some(why) = unclear().or_else(|| self.unclear_item(name)) {
            return Err(LookupError::Failed(why));
        }
        match self.outside(name) {
            Some(found) if self.is_nearer_enumerator(name, &found) || self.is_nearer_type(name, &found) => {
                Err(LookupError::NotFound)
            }
            Some(Outside { named: Named::Symbol(symbol), module, .. }) if !symbol.is_label => {
                let better = symbol.is_local.then(|| self.nothing_outside(name));
                Err(match (better, bias(&module)) {
                    (Some(better @ LookupError::Failed(_)), _) => better,
                    (_, Some(bias)) => undescribed(&symbol, bias, name),
                    (_, None) => LookupError::Failed(format!("there is no debug info for `{name}`")),
                })
            }
            Some(Outside { named: Named::Variable(variable), .. }) if variable.visible == Visible::Unclear => {
                let why = "blocks of the function have static variables of that name, and debug info does not say \
                           whether one of them is in scope here, nor which";
                Err(LookupError::Failed(why.to_owned()))
            }
            Some(Outside { named: Named::Variable(variable), .. }) if variable.unclear().is_some() => {
                Err(LookupError::Failed(variable.unclear().unwrap_or_default().to_owned()))
            }
            Some(Outside { named, module, .. }) => Ok((named, module)),
            None if self.is_hidden(name) => Err(LookupError::NotFound),
            None => match self.thread_local(name).or_else(|| self.declared_later(name)) {
                Some((variable, module)) => Ok((Named::Variable(variable), module)),
                None => Err(self.unclear_enumerators(name).unwrap_or_else(|| self.nothing_outside(name))),
            },
        }
    }
}

/// Returns the value of code that a name means, in a module that lies at `bias`; that of a variable depends on where and
/// when it is looked at.
pub fn code_value(code: &Named, module: &impl Loaded, bias: Bias, name: &Name) -> Option<Value> {
    match code {
        Named::Function(function) => Some(named_function(function, module.image(), bias, name)),
        Named::Stub(stub) => Some(stub_value(stub, bias)),
        Named::Symbol(symbol) => label_value(symbol, bias),
        Named::Variable(_) => None,
    }
}

/// Returns whether a name may mean a member of `*this`: in C++, if it does not say where it is.
pub fn may_be_member(name: &Name, dialect: Dialect) -> bool {
    dialect == Dialect::Cxx && !name.global && name.file.is_none()
}

/// Returns whether a name is C++'s `this`.
pub fn is_this(name: &Name, dialect: Dialect) -> bool {
    may_be_member(name, dialect) && name.path == ["this"]
}

/// Returns the member of `*this` that a name means, if it means one: in a lambda a member of the closure, or of the object
/// that it has captured, as far as these are in `reach`.
pub fn member_of_this<E: expr::Env>(this: &Value, name: &Name, reach: Reach, env: &mut E) -> Option<Value> {
    let class = pointer_target(&this.ty)?;
    let object = this.synthetic_target(&class).unwrap_or_else(|| target(this, class, env));
    if let Some(member) = expr::member_of(&object, &name.path, env) {
        return Some(member);
    }
    let captured = captured_this(this, env).filter(|_| reach == Reach::Captured)?;
    let object = target(&captured, pointer_target(&captured.ty)?, env);
    expr::member_of(&object, &name.path, env)
}

/// Returns the `this` that a lambda has captured, of that of the lambda's own function: Clang keeps it, or, as
/// `[*this]` has it, the object itself, in a member of that name, which no other class has.
pub fn captured_this<E: expr::Env>(this: &Value, env: &mut E) -> Option<Value> {
    let class = pointer_target(&this.ty)?;
    let closure = this.synthetic_target(&class).unwrap_or_else(|| target(this, class, env));
    let captured = expr::member_of(&closure, &["this".to_owned()], env)?;
    if pointer_target(&captured.ty).is_some() {
        return Some(captured);
    }
    let address = captured.address()?.to_le_bytes();
    let pointer = pointer_to(captured.ty, address.len() as u64);
    Some(Value::computed(pointer, &address))
}

/// Returns the object of a class that a pointer points to.
fn target<E: expr::Env>(pointer: &Value, class: TypeRef, env: &mut E) -> Value {
    match pointer.word(0, env) {
        Ok(address) => Value::new(class, Place::Memory(address)),
        Err(reason) => Value::new(class, Place::Unavailable(reason)),
    }
}
