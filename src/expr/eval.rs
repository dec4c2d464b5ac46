//! The value of an expression: C's rules, with GDB's liberties (`.` on pointers, `*` on numbers, `@`).
//!
//! Values stay lazy: memory is read for an operand only when its number is needed.

mod arithmetic;
mod bit_reference;
mod call;
mod chrono;
mod class;
mod convenience_function;
mod convert;
mod decimal;
mod dynamic_cast;
mod function_call;
mod indexing;
mod iterator;
mod meaning;
mod methods;
mod operator;
mod option;
mod optional;
mod own_operators;
mod pointer_to_member;
mod reference_cast;
mod rust;
mod rust_call;
mod rust_constants;
mod rust_methods;
mod rust_reference;
mod rust_text;
mod sequence;
mod sizes;
mod slice;
mod substring;
mod unsized_record;
mod vector;

use super::ast::{Access, BinaryOp, Encoding, Expr, ExprKind, Name, UnaryOp};
use super::env::{Env, LookupError, Names};
use super::error::{Error, ErrorKind, Refusal, Span};
use super::macros::Macro;
use super::types::{
    bool_type, character_type, enumerator_type, is_c_character, is_rust_primitive, resolve_type, rust_primitive,
    truth_type,
};
use base::qualified::{QualifiedName, file_and_name};
use ctype::arith::{self, Arithmetic, Integer, IntegerType, Number, Rank};
use ctype::layout::{
    alignof, array_of, array_parts, member_names, pointer_target, pointer_to, reference_target, size_of, strip,
};
use ctype::{
    Bits, Dialect, Indexing, Place, Record, Stride, Target, Type, TypeRef, Unavailable, Value, completed, indexing,
    size_without_gaps, type_name,
};
use operator::promoted;
use rust_text::rust_text;
use std::cmp::Ordering;
use std::ops::Deref;
use std::sync::Arc;

/// Members that an error message lists.
const MAX_CANDIDATES: usize = 30;

/// An expression, parsed after its macros were expanded.
#[derive(Clone, Debug)]
pub struct Parsed {
    expr: Expr,
    /// What its text became, if there were macros in it.
    expansion: Option<Arc<str>>,
    /// Macros that call a function, for which the variables that they hide were taken.
    passed_over: Vec<String>,
}

impl Parsed {
    /// Returns the macros in the text that were not expanded, since they call a function: the variables of these names
    /// are meant instead.
    pub fn passed_over(&self) -> &[String] {
        &self.passed_over
    }

    /// Returns what in it is evaluated only if something else in it has some value, each by itself.
    pub fn conditional_parts(&self) -> Vec<Self> {
        Self::parts(self.expr.conditional_parts())
    }

    /// Returns what it connects by `&&` and `||`, each by itself.
    pub fn operands(&self) -> Vec<Self> {
        Self::parts(self.expr.operands())
    }

    fn parts(parts: Vec<&Expr>) -> Vec<Self> {
        let part = |expr: &Expr| Self { expr: expr.clone(), expansion: None, passed_over: Vec::new() };
        parts.into_iter().map(part).collect()
    }
}

impl Deref for Parsed {
    type Target = Expr;

    fn deref(&self) -> &Expr {
        &self.expr
    }
}

/// Evaluates an expression.
pub fn evaluate(parsed: &Parsed, env: &mut dyn Env) -> Result<Value, Error> {
    let value =
        Evaluator { env, unevaluated: false, sized: false, depth: 0, compared: 0 }.value(&parsed.expr).map(|value| {
            match completed(&value.ty, env) {
                Some(ty) => Value { ty, ..value },
                None => value,
            }
        });
    value.map_err(|error| error.in_expansion(parsed.expansion.as_ref()))
}

/// Evaluates whether an expression is true; `None` if its value is neither true nor false.
pub fn truth(parsed: &Parsed, env: &mut dyn Env) -> Result<Option<bool>, Error> {
    let mut evaluator = Evaluator { env, unevaluated: false, sized: false, depth: 0, compared: 0 };
    let value = evaluator.value(&parsed.expr).map_err(|error| error.in_expansion(parsed.expansion.as_ref()))?;
    Ok(evaluator.truth(value, "?:", &parsed.expr.span).ok())
}

/// Expands the macros in the text of an expression; `None` if there are none in it.
pub fn expand_in(text: &str, env: &mut dyn Env) -> Result<Option<String>, Error> {
    match env.has_macros() {
        true => super::macros::expand(text, &mut |name| env.macro_named(name)),
        false => Ok(None),
    }
}

/// Parses an expression where it is to be evaluated: macros are expanded, and a type is what
/// [`Types::type_named`](super::Types::type_named) knows and no variable hides. A macro that calls a function, as
/// `errno` is one, gives way to a variable of its name.
pub fn parse_in(text: &str, env: &mut dyn Env) -> Result<Parsed, Error> {
    let expansion = expand_in(text, env)?;
    let refused = match parse_expanded(text, expansion, env) {
        Err(error) if error.kind == ErrorKind::Refused(Refusal::Call) && error.expansion.is_some() => error,
        parsed => return parsed,
    };
    let mut passed_over = Vec::new();
    let expansion = super::macros::expand(text, &mut |name| {
        let Some(definition) = env.macro_named(name)? else { return Ok(None) };
        let gives_way =
            Macro::parse(&definition).is_some_and(|found| found.is_object_like()) && hides_variable(name, env);
        match gives_way {
            true => {
                passed_over.push(name.to_owned());
                Ok(None)
            }
            false => Ok(Some(definition)),
        }
    })?;
    match passed_over.is_empty() {
        true => Err(refused),
        false => Ok(Parsed { passed_over, ..parse_expanded(text, expansion, env)? }),
    }
}

/// Parses the expansion of a text.
fn parse_expanded(text: &str, expansion: Option<String>, env: &mut dyn Env) -> Result<Parsed, Error> {
    let expansion: Option<Arc<str>> = expansion.map(Arc::from);
    let target = env.target();
    let parsed = super::parser::parse(expansion.as_deref().unwrap_or(text), &mut EnvNames(env), target);
    match parsed {
        Ok(expr) => Ok(Parsed { expr, expansion, passed_over: Vec::new() }),
        Err(error) => Err(error.in_expansion(expansion.as_ref())),
    }
}

/// Returns whether a macro is nothing but a call, and there is a variable of its name.
fn hides_variable(name: &str, env: &mut dyn Env) -> bool {
    let plain = Name { file: None, global: false, path: vec![name.to_owned()] };
    let is_variable = env.variable(&plain).is_ok_and(|value| !matches!(*strip(&value.ty), Type::Function { .. }));
    let is_call = |env: &mut dyn Env| {
        let expansion = expand_in(name, env).ok()?;
        Some(parse_expanded(name, expansion, env).err()?.kind == ErrorKind::Refused(Refusal::Call))
    };
    is_variable && is_call(env).unwrap_or(false)
}

/// Parses and evaluates an expression.
pub fn evaluate_text(text: &str, env: &mut dyn Env) -> Result<Value, Error> {
    let parsed = parse_in(text, env)?;
    evaluate(&parsed, env)
}

/// Finds the type of an expression, or the type that it is, without reading anything but names.
pub fn type_of(parsed: &Parsed, env: &mut dyn Env) -> Result<TypeRef, Error> {
    let expr = &parsed.expr;
    let ty = match &expr.kind {
        ExprKind::Type(name) => resolve_type(name, env, &expr.span),
        _ => {
            Evaluator { env, unevaluated: true, sized: false, depth: 0, compared: 0 }.value(expr).map(|value| value.ty)
        }
    };
    ty.map_err(|error| error.in_expansion(parsed.expansion.as_ref()))
}

/// Finds the member of an object's class that a name means in the methods of that class: its own, one of a base class,
/// or a static one; the path may begin with the class. `None` if there is none.
pub fn member_of(object: &Value, path: &[String], env: &mut dyn Env) -> Option<Value> {
    let (name, class) = path.split_last()?;
    let ty = completed(&object.ty, env);
    let object = &ty.map_or_else(|| object.clone(), |ty| Value { ty, ..object.clone() });
    let mut evaluator = Evaluator { env, unevaluated: false, sized: false, depth: 0, compared: 0 };
    let object = match class {
        [] => object.clone(),
        class => evaluator.part_named(object, &class.join("::"))?,
    };
    object.member(name).or_else(|| evaluator.member_of_class(&object, name))
}

struct EnvNames<'a>(&'a mut dyn Env);

impl Names for EnvNames<'_> {
    fn is_type(&mut self, name: &str) -> bool {
        let (file, bare) = file_and_name(name);
        let path = QualifiedName::split(bare).components().iter().map(|component| component.text.to_owned()).collect();
        let as_variable = Name { file: file.map(str::to_owned), global: false, path };
        let is_hidden = match self.0.variable(&as_variable) {
            Err(LookupError::NotFound) => false,
            // A class and its constructor share a name, which means the class.
            Ok(value) => !matches!(*strip(&value.ty), Type::Function { .. }),
            Err(LookupError::Failed(_)) => true,
        };
        let is_type =
            |env: &mut dyn Env| env.type_named(None, name).is_some() || env.unclear_type(None, name).is_some();
        !is_hidden && is_type(self.0)
    }

    fn is_variable(&mut self, name: &str) -> bool {
        match self.0.variable(&Name::simple(name)) {
            Ok(value) => !value.is_function(),
            Err(LookupError::Failed(_)) => true,
            Err(LookupError::NotFound) => false,
        }
    }

    fn may_call(&mut self) -> bool {
        self.0.takes_calls()
    }
}

struct Evaluator<'a> {
    env: &'a mut dyn Env,
    /// Only types matter: operands are not read, so that `sizeof *p` works whatever `p` is.
    unevaluated: bool,
    /// Nothing of it is ever evaluated: it is what `sizeof` is asked about, so a call in it is none.
    sized: bool,
    /// Values whose parts are being compared, one in the other.
    depth: u32,
    /// Parts that have been compared.
    compared: u32,
}

impl Evaluator<'_> {
    fn name_of(&self, ty: &TypeRef) -> String {
        type_name(ty, self.env.target().dialect)
    }

    fn value(&mut self, expr: &Expr) -> Result<Value, Error> {
        let value = self.written(expr)?;
        // Nobody means the descriptor of an array.
        Ok(value.described(self.env).unwrap_or(value))
    }

    fn written(&mut self, expr: &Expr) -> Result<Value, Error> {
        match &expr.kind {
            ExprKind::Integer(ty, value) => {
                Ok(self.number_value(Number::Integer(Integer::new(*ty, u128::from(*value)))))
            }
            ExprKind::Float(float) => Ok(self.number_value(Number::Float(*float))),
            ExprKind::Duration(unit, count) => self.duration_literal(unit, *count, &expr.span),
            ExprKind::Char(encoding, code) => {
                let ty = character_type(*encoding, self.env);
                Ok(Value::computed(ty, &code.to_le_bytes()[..encoding.width()]))
            }
            ExprKind::String(encoding, units) if self.is_rust() => Ok(rust_text(*encoding, units)),
            ExprKind::String(encoding, units) => Ok(self.string(*encoding, units)),
            ExprKind::Name(name) => self.name(name, &expr.span),
            ExprKind::Register(name) => {
                self.env.register(name).ok_or_else(|| Error::new(&expr.span, ErrorKind::NoRegister(name.clone())))
            }
            ExprKind::Unary(op, operand) => self.unary(*op, operand, &expr.span),
            ExprKind::Binary(op, a, b) => self.binary(*op, a, b, &expr.span),
            ExprKind::Conditional(condition, yes, no) => self.conditional(condition, yes, no),
            ExprKind::Cast(ty, operand) => self.cast_written(ty, operand, &expr.span),
            ExprKind::NamedCast(cast, ty, operand) => self.named_cast(*cast, ty, operand, &expr.span),
            ExprKind::SizeofExpr(operand) => self.size_of_operand(operand),
            ExprKind::SizeofType(ty) => {
                let ty = resolve_type(ty, self.env, &expr.span)?;
                self.size(&ty, &expr.span).map(|size| self.size_value(size))
            }
            ExprKind::AlignofType(ty) => self.alignment(ty, &expr.span),
            ExprKind::Member(object, access, name) => self.member(object, *access, name, &expr.span),
            ExprKind::Index(array, index) => self.index(array, index, &expr.span),
            ExprKind::Slice(array, start, end, inclusive) => {
                self.slice(array, (start.as_deref(), end.as_deref()), *inclusive, &expr.span)
            }
            ExprKind::Method(object, access, name, arguments) => {
                self.method(object, *access, name, arguments, &expr.span)
            }
            ExprKind::Apply(function, arguments) => self.apply(function, arguments, None, &expr.span),
            ExprKind::Call(name, templates, arguments) => self.call(name, templates, arguments, &expr.span),
            ExprKind::Typed(ty, address) => self.typed(ty, address, &expr.span),
            ExprKind::Type(ty) => Err(Error::new(&expr.span, ErrorKind::IsType(ty.to_string()))),
        }
    }

    /// Finds the type of an operand that C does not evaluate.
    fn only_type(&mut self, expr: &Expr) -> Result<TypeRef, Error> {
        let sized = self.sized;
        Evaluator { env: self.env, unevaluated: true, sized, depth: 0, compared: 0 }.value(expr).map(|value| value.ty)
    }

    fn string(&mut self, encoding: Encoding, units: &[u32]) -> Value {
        let element = character_type(encoding, self.env);
        let bytes: Vec<u8> =
            units.iter().chain(&[0]).flat_map(|unit| unit.to_le_bytes().into_iter().take(encoding.width())).collect();
        Value::computed(array_of(element, units.len() as u64 + 1), &bytes)
    }

    /// Evaluates what is passed to a function of C: of a literal its characters up to a NUL, whatever it is otherwise.
    fn c_argument(&mut self, argument: &Expr) -> Result<Value, Error> {
        match &argument.kind {
            ExprKind::String(encoding, units) => Ok(self.string(*encoding, units)),
            _ => self.value(argument),
        }
    }

    fn name(&mut self, name: &Name, span: &Span) -> Result<Value, Error> {
        match self.env.variable(name) {
            Ok(value) => return Ok(value),
            Err(LookupError::Failed(reason)) => return Err(Error::new(span, ErrorKind::Lookup(reason))),
            Err(LookupError::NotFound) => {}
        }
        let text = name.qualified();
        if let Some((ty, value)) = self.env.enumerator(&name.with_file()) {
            return Ok(self.enumerator_value(ty, value));
        }
        if let Some(found) = self.static_named(name) {
            return Ok(found);
        }
        if self.is_rust()
            && let Some(constant) = rust_constants::constant(&name.path)
        {
            return Ok(constant);
        }
        // Everybody writes these, and macros are seldom in debug info.
        let target = self.env.target();
        match text.as_str() {
            "true" | "false" if name.path.len() == 1 => {
                Ok(Value::computed(bool_type(target), &[u8::from(text == "true")]))
            }
            "NULL" | "nullptr" if name.path.len() == 1 => {
                let pointer = pointer_to(Arc::new(Type::Void), target.pointer_size());
                let ty = match text == "nullptr" && target.dialect == Dialect::Cxx {
                    true => Arc::new(Type::Typedef {
                        name: "std::nullptr_t".to_owned(),
                        target: pointer.into(),
                        alignment: None,
                    }),
                    false => pointer,
                };
                Ok(Value::computed(ty, &0u64.to_le_bytes()))
            }
            // So it is defined, and debug info often leaves it out.
            _ if target.dialect == Dialect::Cxx && text.starts_with("std::") && text.ends_with("::npos") => {
                Ok(self.size_value(u64::MAX))
            }
            "None" if self.is_rust() => {
                let why = "None alone has no type; == and != compare a value with it";
                Err(meaning::no_element(span, why))
            }
            _ if self.is_rust() && self.env.type_named(None, &text).is_some() => {
                Err(Error::new(span, ErrorKind::IsType(text)))
            }
            _ if name.file.is_some() || name.global => Err(Error::new(span, ErrorKind::NoSymbol(name.to_string()))),
            // Quotes are no part of it.
            _ => Err(Error::new(span, ErrorKind::NoSymbol(text))),
        }
    }

    fn enumerator_value(&self, ty: TypeRef, value: i128) -> Value {
        let ty = enumerator_type(ty, value, self.env.target());
        let size = size_of(&ty).unwrap_or(4).min(16) as usize;
        Value::computed(ty, &value.to_le_bytes()[..size])
    }

    fn truth_value(&self, truth: bool) -> Value {
        let (ty, integer) = truth_type(self.env.target());
        Value::computed(ty, &Number::Integer(Integer::new(integer, u128::from(truth))).to_bytes())
    }

    fn unary(&mut self, op: UnaryOp, operand: &Expr, span: &Span) -> Result<Value, Error> {
        match (op, &operand.kind) {
            // What it makes is a reference already.
            (UnaryOp::AddressOf, ExprKind::Slice(..)) => return self.value(operand),
            (UnaryOp::AddressOf, ExprKind::Unary(UnaryOp::AddressOf, _)) if self.is_rust() => {
                let inner = self.value(operand)?;
                return Ok(self.borrowed_again(inner));
            }
            (UnaryOp::AddressOf, ExprKind::Name(name)) => {
                if let Some(pointer) = self.pointer_to_member(name, span)? {
                    return Ok(pointer);
                }
            }
            _ => {}
        }
        let value = self.value(operand)?;
        match op {
            // What a guard leads to is what it is shown as.
            UnaryOp::Dereference if self.is_rust() && option::is_guarded(operand) => Ok(value),
            UnaryOp::Dereference => self.dereference(value, span),
            UnaryOp::AddressOf => self.address_of(value, &operand.span),
            UnaryOp::Not if self.is_rust() => self.rust_not(value, span),
            UnaryOp::Minus if self.is_rust() => self.rust_minus(value, operand, span),
            UnaryOp::Not => {
                let value = self.referent(value, span)?;
                self.no_own_unary(op, &value, span)?;
                self.truth(value, op.symbol(), span).map(|truth| self.truth_value(!truth))
            }
            UnaryOp::Plus | UnaryOp::Minus | UnaryOp::Complement => self.sign(op, value, span),
        }
    }

    fn dereference(&mut self, value: Value, span: &Span) -> Result<Value, Error> {
        let value = self.referent(value, span)?;
        if value.is_function() {
            return Ok(value);
        }
        if array_parts(&value.ty).is_some() {
            return self.element(&value, 0, span);
        }
        if let Some(target) = self.target_of(&value, span)? {
            return Ok(target);
        }
        if let Some(target) = pointer_target(&value.ty) {
            if iterator::is_end(&value.ty) {
                return Err(meaning::no_element(span, "it is past the last element"));
            }
            if matches!(&*strip(&target), Type::Void) {
                return Err(Error::new(span, ErrorKind::GenericPointer(self.name_of(&value.ty))));
            }
            if let Some(object) = value.synthetic_target(&target) {
                return Ok(object);
            }
            let address = self.address_operand(value, span)?;
            return Ok(Value::new(target, Place::Memory(address)));
        }
        if let Some(text) = self.text_behind(&value, span)? {
            return Ok(text);
        }
        self.no_own_unary(UnaryOp::Dereference, &value, span)?;
        let is_integer = matches!(Arithmetic::of(&value.ty, self.env.target()), Some(Arithmetic::Integer(_)));
        if !is_integer {
            return Err(self.wrong_operand("*", &value.ty, "a pointer", span));
        }
        // `*0x7ffe1230`: GDB takes a bare number for the address of a `long`.
        let address = self.address_operand(value, span)?;
        Ok(Value::new(Arithmetic::Integer(IntegerType::LONG).base_type(), Place::Memory(address)))
    }

    fn address_of(&mut self, value: Value, span: &Span) -> Result<Value, Error> {
        let value = self.referent(value, span)?;
        let what = match (&value.place, value.bits) {
            (_, Some(_)) => "a bit-field".to_owned(),
            (Place::Memory(address), None) => {
                let size = self.env.target().pointer_size();
                return Ok(Value::computed(pointer_to(value.ty, size), &address.to_le_bytes()[..size as usize]));
            }
            // Rust's `&3` refers to a temporary: what it is good for, as a key, the value itself is, too.
            (Place::Bytes(_) | Place::Synthetic { .. }, None) if self.is_rust() => return Ok(value),
            (Place::Register { name, .. }, None) => format!("a value in register {name}"),
            (Place::Bytes(_) | Place::Synthetic { .. }, None) => "a value that is not in memory".to_owned(),
            (Place::Unavailable(reason), None) => {
                return Err(Error::new(span, ErrorKind::Unavailable(reason.clone())));
            }
        };
        Err(Error::new(span, ErrorKind::NoAddress(what)))
    }

    /// Follows a reference to what it refers to; anything else stays as it is.
    fn referent(&mut self, value: Value, span: &Span) -> Result<Value, Error> {
        let Some(target) = reference_target(&value.ty) else {
            return Ok(value);
        };
        if let Some(object) = value.synthetic_target(&target) {
            return Ok(object);
        }
        let address = self.pointer_bits(&value, span)?;
        Ok(Value::new(target, Place::Memory(address)))
    }

    /// Looks up Go's `package.variable`, unless a variable is called as the package is.
    fn of_package(&mut self, package: &Expr, name: &str) -> Option<Value> {
        let ExprKind::Name(of) = &package.kind else { return None };
        let [bare] = of.path.as_slice() else { return None };
        if of.file.is_some() || !self.env.has_packages() {
            return None;
        }
        if self.env.variable(of).is_ok_and(|value| !value.is_function()) {
            return None;
        }
        self.env.variable(&Name { path: vec![format!("{bare}.{name}")], ..Name::default() }).ok()
    }

    fn member(&mut self, object: &Expr, access: Access, name: &str, span: &Span) -> Result<Value, Error> {
        if let Some(found) = self.of_package(object, name).filter(|_| access == Access::Dot) {
            return Ok(found);
        }
        // What GCC calls the pointer to a virtual table has a dot in it: `_vptr.Base`.
        if let ExprKind::Member(whole, how, table) = &object.kind
            && table == "_vptr"
            && access == Access::Dot
            && let Ok(pointer) = self.member(whole, *how, &format!("_vptr.{name}"), span)
        {
            return Ok(pointer);
        }
        let value = self.value(object)?;
        let value = self.referent(value, &object.span)?;
        let mut value = self.peeled(value, &object.span)?;
        if pointer_target(&value.ty).is_some() {
            value = self.dereference(value, &object.span)?;
        } else if access == Access::Arrow && array_parts(&value.ty).is_some() {
            value = self.element(&value, 0, &object.span)?;
        } else if access == Access::Arrow
            && let Some(target) = self.target_of(&value, &object.span)?
        {
            value = target;
        } else if access == Access::Arrow {
            self.no_own_arrow(&value.ty, &object.span)?;
        }
        if let Some(ty) = completed(&value.ty, self.env) {
            value.ty = ty;
        }
        let record = strip(&value.ty);
        let Type::Record(record) = &*record else {
            return Err(Error::new(&object.span, ErrorKind::NotARecord(self.name_of(&value.ty))));
        };
        if record.is_incomplete() {
            return Err(Error::new(&object.span, ErrorKind::Incomplete(self.name_of(&value.ty))));
        }
        let path = QualifiedName::split(name);
        if let (Some(class), Some(own)) = (path.scope(), path.last()) {
            let own = own.text;
            let part = self.part_named(&value, class);
            if let Some(part) = &part {
                self.only_one_part(&value.ty, &part.ty, span)?;
                self.only_one_member(part, own, span)?;
            }
            let member = part.and_then(|part| part.member(own).or_else(|| self.member_of_class(&part, own)));
            if let Some(member) = member {
                return Ok(member);
            }
        }
        self.only_one_member(&value, name, span)?;
        if !self.is_rust() && !self.unevaluated {
            let unknown = |reason| Error::new(span, ErrorKind::Unavailable(reason));
            if value.lacks_member(name, self.env).map_err(unknown)? {
                let why = format!("{name} is a member of another variant than the one that the object is");
                return Err(unknown(Unavailable::Other(why)));
            }
        }
        if let Some(enumerator) = self.own_enumerator(&value.ty, name) {
            return Ok(enumerator);
        }
        if let Some(member) = value.member(name).or_else(|| self.distant_member(&value, name)) {
            return Ok(member);
        }
        if let Some(member) = self.member_of_unsized(&value, name) {
            return Ok(member);
        }
        if let Some(enumerator) = self.enumerator_of(&value.ty, name) {
            return Ok(enumerator);
        }
        self.member_inside(&value, name, span)?.ok_or_else(|| {
            if let Some(hint) = option::behind_option(&value, object, name) {
                return Error::new(span, ErrorKind::NoElement(hint));
            }
            let members = member_names(&value.ty, MAX_CANDIDATES);
            let start = span.end.saturating_sub(name.len());
            let no_member = || ErrorKind::NoMember { name: name.to_owned(), record: self.name_of(&value.ty), members };
            let kind = self.without_data(&value.ty, name).unwrap_or_else(no_member);
            Error::new(&(start..span.end), kind)
        })
    }

    fn wrong_operand(&self, operator: &'static str, ty: &TypeRef, needs: &'static str, span: &Span) -> Error {
        Error::new(span, ErrorKind::Operand { operator, operand: self.name_of(ty), needs })
    }

    fn conditional(&mut self, condition: &Expr, yes: &Expr, no: &Expr) -> Result<Value, Error> {
        let value = self.value(condition)?;
        let truth = self.truth(value, "?:", &condition.span)?;
        let (chosen, other) = if truth { (yes, no) } else { (no, yes) };
        let mut typing = Evaluator { env: self.env, unevaluated: true, sized: self.sized, depth: 0, compared: 0 };
        let other_type = match typing.value(other).and_then(|value| typing.number_type(value, &other.span)) {
            Err(Error { kind: ErrorKind::Deferred, .. }) => None,
            other_type => other_type?,
        };
        let value = self.value(chosen)?;
        // Two numbers are brought to their common type, whichever is chosen.
        match (self.number_type(value.clone(), &chosen.span)?, other_type) {
            (Some((a, own)), Some((b, others))) if a != b || !self.stays(&own, &others, a, value.bits) => {
                let number = self.number(value, "?:", "a number", &chosen.span)?;
                let common = arith::common_type(a, b);
                number.convert(common).map(Value::from_number).map_err(|e| Error::new(&chosen.span, e))
            }
            _ => Ok(value),
        }
    }

    /// Returns whether `c ? x : y` has the type of its operands, which compute in the same one: C++ does not promote
    /// what is of one type, and C does, which is the same thing for an `int` or an enumeration of its size.
    fn stays(&self, own: &TypeRef, other: &TypeRef, computes_as: Arithmetic, bits: Option<Bits>) -> bool {
        let is_promoted = arith::common_type(computes_as, computes_as) == computes_as && bits.is_none();
        match self.env.target().dialect {
            Dialect::Rust => true,
            Dialect::Cxx => self.name_of(&strip(own)) == self.name_of(&strip(other)),
            Dialect::C => is_promoted && self.name_of(&strip(own)) == self.name_of(&strip(other)),
        }
    }

    /// Returns what a value computes as, and its type, if it is a number.
    fn number_type(&mut self, value: Value, span: &Span) -> Result<Option<(Arithmetic, TypeRef)>, Error> {
        let mut typing = Evaluator { env: self.env, unevaluated: true, sized: self.sized, depth: 0, compared: 0 };
        let value = typing.referent(value, span)?;
        let ty = value.ty.clone();
        match Arithmetic::of(&ty, typing.env.target()) {
            Some(_) => typing.number(value, "?:", "a number", span).map(|number| Some((number.ty(), ty))),
            None => Ok(None),
        }
    }
}
