//! What a name means, as a value.

use arch::Bias;
use ctype::layout::UNDESCRIBED;
use ctype::{Link, Place, Type, TypeRef, Value};
use dwarf::Image;
use expr::{LookupError, Name};
use std::sync::Arc;

/// Returns what a name means that a function has, as a value. By the name of an indirect function another one is called;
/// by another name of its code, that itself.
pub fn named_function(function: &dwarf::Function, image: &Image, bias: Bias, name: &Name) -> Value {
    let symbols = image.symbols_named(&name.qualified());
    let value = function_value(function, image, bias);
    match symbols.iter().any(|symbol| symbol.is_indirect && symbol.address == function.entry) {
        true => Value { ty: function_of(Type::Indirect), ..value },
        false => value,
    }
}

/// Returns the function as a value.
pub fn function_value(function: &dwarf::Function, image: &Image, bias: Bias) -> Value {
    let ty = function.die.and_then(|die| image.function_type(die)).unwrap_or_else(unknown_function);
    Value { ty, place: Place::Memory(function.entry.at(bias).0), bits: None }
}

/// Returns the value of a label of assembler code: its address, which is used as a function is.
pub(crate) fn label_value(symbol: &dwarf::Symbol, bias: Bias) -> Option<Value> {
    let place = Place::Memory(symbol.address.at(bias).0);
    symbol.is_label.then(|| Value { ty: unknown_function(), place, bits: None })
}

/// Returns the value of a stub: a function of which nothing is known.
pub(crate) fn stub_value(stub: &dwarf::Stub, bias: Bias) -> Value {
    Value { ty: unknown_function(), place: Place::Memory(stub.start.at(bias).0), bits: None }
}

/// Returns the error for a variable that there is no debug info for: it is an address only.
pub(crate) fn undescribed(symbol: &dwarf::Symbol, bias: Bias, name: &Name) -> LookupError {
    let (name, address) = (name.qualified(), symbol.address.at(bias).0);
    LookupError::Failed(format!(
        "there is no debug info for `{name}`; it is at {address:#x}: cast, as in *(int *){address:#x}"
    ))
}

/// Returns the type that a function without debug info is taken for.
fn unknown_function() -> TypeRef {
    function_of(Type::Opaque(UNDESCRIBED.to_owned()))
}

/// Returns the type of a function that gives this, of which nothing else is known.
fn function_of(result: Type) -> TypeRef {
    let result = Link::ready(Arc::new(result));
    Arc::new(Type::Function { result, parameters: Vec::new(), variadic: false, prototyped: false })
}
