//! Calls of the program's own functions, where they are allowed: which function is meant, and what is passed to it.

use super::*;
use crate::env::Passed;
use ctype::{Link, Record};

/// Functions of one name that an error lists.
const MAX_LISTED: usize = 8;

/// A function that can be called.
struct Callee {
    address: u64,
    result: TypeRef,
    parameters: Vec<TypeRef>,
    /// Whether there may be more arguments than parameters.
    is_open: bool,
    /// Whether its code returns the address of the one that is called for it.
    is_indirect: bool,
}

impl Evaluator<'_> {
    /// Evaluates `function(arguments)` by calling it. `known`: what it returns, if the debug info does not say so.
    pub(super) fn apply(
        &mut self,
        function: &Expr,
        arguments: &[Expr],
        known: Option<&TypeRef>,
        span: &Span,
    ) -> Result<Value, Error> {
        if let Some(value) = self.convenience_function(function, arguments, span)? {
            return Ok(value);
        }
        self.check_calls(span)?;
        let candidates = match &function.kind {
            ExprKind::Name(name) => self.env.functions(name),
            _ => Vec::new(),
        };
        let candidates = match candidates.is_empty() {
            true => vec![self.value(function)?],
            false => candidates,
        };
        let mut callees = Vec::new();
        for candidate in candidates {
            callees.push(self.callee(candidate, known, &function.span)?);
        }
        let callee = self.chosen(callees, None, arguments, span)?;
        self.enter(callee, None, arguments, span)
    }

    /// Evaluates `object.function(arguments)` by calling the member function that the object's class has, or one of its
    /// bases; `None` if none has it.
    pub(super) fn call_method(
        &mut self,
        object: &Value,
        name: &str,
        arguments: &[Expr],
        span: &Span,
    ) -> Result<Option<Value>, Error> {
        if !self.takes_calls() {
            return Ok(None);
        }
        let object = &self.peeled(object.clone(), span)?;
        // `Base::f` is that of this class, virtual or not.
        let (owner, name) = match name.rsplit_once("::").filter(|_| !self.is_rust()) {
            Some((owner, name)) => (Some(owner), name),
            None => (None, name),
        };
        // A virtual function is that of the class that the object really is of.
        let whole = self.env.whole_object(object).filter(|_| owner.is_none());
        let mut objects: Vec<Value> = whole.into_iter().collect();
        objects.push(object.clone());
        let bases: Vec<Value> = objects.iter().flat_map(|object| self.bases_of(object)).collect();
        objects.extend(bases);
        for object in objects {
            let class = match &*strip(&object.ty) {
                Type::Record(Record { name: Some(class), .. }) => class.clone(),
                _ => continue,
            };
            if owner.is_some_and(|owner| class != owner && !class.ends_with(&format!("::{owner}"))) {
                continue;
            }
            let mut path: Vec<String> =
                QualifiedName::split(&class).components().iter().map(|part| part.text.to_owned()).collect();
            path.push(name.to_owned());
            let functions = self.env.functions(&Name { path, ..Name::default() });
            if functions.is_empty() {
                continue;
            }
            self.check_calls(span)?;
            let Some(address) = object.address() else {
                let what = "an object that is not in memory".to_owned();
                return Err(Error::new(span, ErrorKind::NoAddress(what)));
            };
            let mut callees = Vec::new();
            for function in functions {
                callees.push(self.callee(function, None, span)?);
            }
            let this = pointer_to(object.ty, self.env.target().pointer_size());
            let callee = self.chosen(callees, Some(&this), arguments, span)?;
            return self.enter(callee, Some((this, address)), arguments, span).map(Some);
        }
        Ok(None)
    }

    /// Returns whether functions may be called here; where only types matter, whether they may be later, if at all.
    pub(super) fn takes_calls(&mut self) -> bool {
        if self.unevaluated { self.sized || self.env.takes_calls() } else { self.env.may_call() }
    }

    fn check_calls(&mut self, span: &Span) -> Result<(), Error> {
        match self.takes_calls() {
            true => Ok(()),
            false => Err(Error::new(span, ErrorKind::Refused(Refusal::Call))),
        }
    }

    fn callee(&mut self, value: Value, known: Option<&TypeRef>, span: &Span) -> Result<Callee, Error> {
        let value = self.referent(value, span)?;
        let pointed = pointer_target(&value.ty);
        let ty = pointed.clone().unwrap_or_else(|| value.ty.clone());
        let Type::Function { result, parameters, variadic, prototyped } = &*strip(&ty) else {
            return Err(self.wrong_operand("()", &value.ty, "a function", span));
        };
        let mut result = result.get();
        let is_indirect = is_indirect(&ty);
        let address = match &pointed {
            Some(_) => self.pointer_bits(&value, span)?,
            None => value.address().ok_or_else(|| self.wrong_operand("()", &value.ty, "a function", span))?,
        };
        let is_untyped = pointed.is_none() && self.env.is_untyped_function(address);
        if is_untyped || matches!(&*strip(&result), Type::Opaque(_) | Type::Indirect) {
            result = known.cloned().ok_or_else(|| {
                let why = "it is not known what the function returns; cast the call to that: (int)f(x)";
                Error::new(span, ErrorKind::Call(why.to_owned()))
            })?;
        }
        let parameters = parameters.iter().map(Link::get).collect();
        Ok(Callee { address, result, parameters, is_open: is_untyped || *variadic || !*prototyped, is_indirect })
    }

    /// Chooses of the functions of one name the one that takes these arguments. `this`: what comes before them.
    fn chosen(
        &mut self,
        callees: Vec<Callee>,
        this: Option<&TypeRef>,
        arguments: &[Expr],
        span: &Span,
    ) -> Result<Callee, Error> {
        let given = arguments.len() + usize::from(this.is_some());
        // A static member function takes no object.
        let counts = [given, arguments.len()];
        let total = callees.len();
        let lists: Vec<String> = callees.iter().take(MAX_LISTED).map(|callee| self.listed(callee)).collect();
        let takes = |callee: &Callee| {
            counts.contains(&callee.parameters.len()) || (callee.is_open && callee.parameters.len() <= given)
        };
        let mut fitting: Vec<Callee> = callees.into_iter().filter(takes).collect();
        let mut seen = Vec::new();
        fitting.retain(|callee| {
            !seen.contains(&callee.address) && {
                seen.push(callee.address);
                true
            }
        });
        if fitting.len() > 1 {
            let mut exact = Vec::new();
            for callee in fitting {
                if self.takes_exactly(&callee, arguments)? {
                    exact.push(callee);
                }
            }
            fitting = exact;
        }
        match <[Callee; 1]>::try_from(fitting) {
            Ok([callee]) => Ok(callee),
            Err(_) if total == 1 => {
                let why = format!("it takes {}, not {} arguments", lists.join(""), arguments.len());
                Err(Error::new(span, ErrorKind::Call(why)))
            }
            Err(_) => {
                let why = format!("the call is ambiguous: cast the arguments; candidates are {}", lists.join(", "));
                Err(Error::new(span, ErrorKind::Call(why)))
            }
        }
    }

    fn listed(&self, callee: &Callee) -> String {
        let names: Vec<String> = callee.parameters.iter().map(|parameter| self.name_of(parameter)).collect();
        format!("({})", names.join(", "))
    }

    /// Returns whether the types of the arguments are those of the parameters.
    fn takes_exactly(&mut self, callee: &Callee, arguments: &[Expr]) -> Result<bool, Error> {
        let skipped = callee.parameters.len().saturating_sub(arguments.len());
        for (parameter, argument) in callee.parameters.iter().skip(skipped).zip(arguments) {
            let wanted = reference_target(parameter).unwrap_or_else(|| parameter.clone());
            let given = self.only_type(argument)?;
            let given = reference_target(&given).unwrap_or(given);
            let given = match array_parts(&given) {
                Some((element, _)) => pointer_to(element, 8),
                None => given,
            };
            if !self.is_alike(&wanted, &given) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn is_alike(&self, a: &TypeRef, b: &TypeRef) -> bool {
        match (pointer_target(a), pointer_target(b)) {
            (Some(a), Some(b)) => self.name_of(&strip(&a)) == self.name_of(&strip(&b)),
            (None, None) => self.name_of(&strip(a)) == self.name_of(&strip(b)),
            _ => false,
        }
    }

    /// Calls a function.
    fn enter(
        &mut self,
        callee: Callee,
        this: Option<(TypeRef, u64)>,
        arguments: &[Expr],
        span: &Span,
    ) -> Result<Value, Error> {
        if self.unevaluated {
            let reason = Unavailable::Other("it was not called".to_owned());
            return Ok(Value::new(callee.result, Place::Unavailable(reason)));
        }
        let is_rust = self.env.is_rust_function(callee.address);
        let mut parameters = callee.parameters.iter();
        let mut passed = Vec::new();
        if let Some((ty, address)) = this
            && callee.parameters.len() > arguments.len()
        {
            let taken = parameters.next().and_then(pointer_target);
            let is_it = |taken: &TypeRef| pointer_target(&ty).is_some_and(|given| self.is_alike(taken, &given));
            if is_rust && !taken.as_ref().is_some_and(is_it) {
                let why = "it takes the object by value, and how Rust does that is not laid down".to_owned();
                return Err(Error::new(span, ErrorKind::Call(why)));
            }
            passed.push(Passed::Scalar(ty, address.to_le_bytes().to_vec()));
        }
        for argument in arguments {
            passed.push(match parameters.next() {
                Some(parameter) if is_rust => self.passed_to_rust(parameter, argument)?,
                parameter => self.passed(parameter, argument)?,
            });
        }
        let address = match callee.is_indirect {
            true => self.choice_of(callee.address, span)?,
            false => callee.address,
        };
        let value = self.env.call(address, &callee.result, &passed);
        value.map_err(|why| Error::new(span, ErrorKind::Call(why)))
    }

    /// Converts an indirect function, or a pointer to one, to a pointer to the function that is called for it, where a
    /// pointer to a function of another type is wanted.
    pub(super) fn chosen_for(&mut self, value: Value, to: &TypeRef, span: &Span) -> Result<Value, Error> {
        let is_function = |ty: &TypeRef| matches!(&*strip(ty), Type::Function { .. });
        let pointed = pointer_target(&value.ty);
        let takes_function = pointer_target(to).as_ref().is_some_and(is_function);
        if self.unevaluated || !takes_function || !is_indirect(pointed.as_ref().unwrap_or(&value.ty)) {
            return Ok(value);
        }
        self.check_calls(span)?;
        let address = self.address_operand(value, span)?;
        let chosen = self.choice_of(address, span)?;
        Ok(Value::computed(to.clone(), &chosen.to_le_bytes()))
    }

    /// Asks an indirect function for the address of the one that is called for it.
    fn choice_of(&mut self, address: u64, span: &Span) -> Result<u64, Error> {
        let failed = |why: String| Error::new(span, ErrorKind::Call(why));
        let long = Arithmetic::Integer(IntegerType::LONG).base_type();
        let chosen = self.env.call(address, &long, &[]).map_err(failed)?;
        let bytes = chosen.scalar_bytes(self.env).map_err(|why| Error::new(span, ErrorKind::Unavailable(why)))?;
        let chosen = bytes.and_then(|bytes| Some(u64::from_le_bytes(bytes.try_into().ok()?))).filter(|at| *at != 0);
        chosen.ok_or_else(|| failed("it is not known which function is called by this name".to_owned()))
    }

    /// Evaluates what is passed for a parameter; for an argument behind the last of them, what C makes of it.
    fn passed(&mut self, parameter: Option<&TypeRef>, argument: &Expr) -> Result<Passed, Error> {
        let span = &argument.span;
        let value = self.c_argument(argument)?;
        let value = self.referent(value, span)?;
        if let Some(target) = parameter.and_then(reference_target) {
            return self.by_reference(value, parameter, target, span);
        }
        let is_literal = array_parts(&value.ty).is_some() && matches!(value.place, Place::Bytes(_));
        let takes_pointer = parameter.is_none_or(|parameter| pointer_target(parameter).is_some());
        if is_literal && takes_pointer {
            let size = size_of(&value.ty).and_then(|size| usize::try_from(size).ok()).unwrap_or(0);
            let bytes = value.read(self.env, 0, size);
            return bytes
                .map(|bytes| Passed::Copy(bytes, None))
                .map_err(|why| Error::new(span, ErrorKind::Unavailable(why)));
        }
        let value = match parameter {
            Some(parameter) => self.cast(value, parameter.clone(), span)?,
            None if Self::is_address(&value) => self.decayed(value, span)?,
            None => {
                let number = self.number(value, "()", "a number or a pointer", span)?;
                let number = match number {
                    Number::Float(_) => number.convert(Arithmetic::Float(ctype::float::FloatFormat::Double)),
                    _ => Ok(number.promoted()),
                };
                Value::from_number(number.map_err(|e| Error::new(span, e))?)
            }
        };
        let bytes = value.scalar_bytes(self.env).map_err(|why| Error::new(span, ErrorKind::Unavailable(why)))?;
        match bytes {
            Some(bytes) if bytes.len() <= 8 => Ok(Passed::Scalar(value.ty, bytes)),
            _ => {
                let why =
                    format!("{} cannot be passed by value here, only numbers and pointers", self.name_of(&value.ty));
                Err(Error::new(span, ErrorKind::Call(why)))
            }
        }
    }

    /// Passes the address of an object; of a number that has none, that of a copy.
    fn by_reference(
        &mut self,
        value: Value,
        parameter: Option<&TypeRef>,
        target: TypeRef,
        span: &Span,
    ) -> Result<Passed, Error> {
        let is_number = Arithmetic::of(&target, self.env.target()).is_some();
        let is_same = self.name_of(&strip(&target)) == self.name_of(&strip(&value.ty));
        if let Some(part) = self.part_of_class(&value, &target).or_else(|| is_same.then(|| value.clone()))
            && let (Some(address), None) = (part.address(), part.bits)
        {
            let ty = parameter.cloned().unwrap_or(target);
            return Ok(Passed::Scalar(ty, address.to_le_bytes().to_vec()));
        }
        if !is_number {
            let why = format!("{} is not of type {} in memory", self.name_of(&value.ty), self.name_of(&target));
            return Err(Error::new(span, ErrorKind::Call(why)));
        }
        let value = self.cast(value, target, span)?;
        let bytes = value.scalar_bytes(self.env).map_err(|why| Error::new(span, ErrorKind::Unavailable(why)))?;
        Ok(Passed::Copy(bytes.unwrap_or_default(), None))
    }
}

/// Returns whether a type is that of an indirect function.
fn is_indirect(ty: &TypeRef) -> bool {
    matches!(&*strip(ty), Type::Function { result, .. } if matches!(*result.get(), Type::Indirect))
}
