//! Names and memory as an expression sees them at a hit.

use super::frame::{Frame, RBP, RSP, State, XMM0, register_number};
use super::global::Elsewhere;
use super::made_up::{LONGEST, MadeUp};
use super::place::Spot;
use super::program::Program;
use arch::{Bias, RegisterKind, RunAddr};
use ctype::layout::{pointer_target, reference_target, size_of, strip};
use ctype::{
    Dialect, Encoding, Meaning, Memory, Place, PointerKind, Record, Target, Type, TypeRef, Unavailable, Value,
};
use dwarf::{Location, MacroScope, Variable};
use expr::{Env, LookupError, Name, Tag, Types};
use program::completion::defined_type;
use program::macros::macro_text;
use program::names::{Named, captured_this, ignores_case, is_this, local_named, may_be_member, member_of_this, simple};
use program::place::place;
use program::registers::{part_of, register_type};

/// Characters of a string that are collected: some more than are shown.
pub(super) const STRING: usize = 208;
/// Strings and containers of one value.
const MOST_LEADING: usize = 8;
/// Bytes of the elements of a container that are collected.
const ELEMENTS: usize = 256;
/// Structures in each other that are looked through for strings.
const DEPTH: u32 = 10;
/// Members that are looked at.
const MOST_MEMBERS: u32 = 200;
/// Objects of libraries that one expression looks into.
const MOST_OBJECTS: usize = 8;

/// When and where a hit was.
#[derive(Clone, Copy, Debug)]
pub(super) struct At {
    pub(super) pid: u32,
    pub(super) event: u64,
    pub(super) bias: Option<Bias>,
}

/// What a name means.
pub(super) enum NameMeaning {
    Variable(Variable),
    /// A member of `this`, or one of several variables: it is there, and not by itself.
    Other,
    /// No variable.
    Nothing,
}

/// What an expression may name.
pub(super) struct Scope<'a> {
    pub(super) program: &'a Program,
    pub(super) spot: &'a Spot,
    pub(super) state: &'a mut dyn State,
    /// `None`: what is evaluated is made up.
    pub(super) at: Option<At>,
    /// What `$return` is.
    pub(super) returned: Option<Value>,
    /// Objects of library types that were asked what they mean, where their memory is made up.
    objects: Vec<Value>,
    /// Whether something was read that was not collected.
    pub(super) lacks: bool,
}

impl<'a> Scope<'a> {
    pub(super) fn new(program: &'a Program, spot: &'a Spot, state: &'a mut dyn State, at: Option<At>) -> Self {
        Self { program, spot, state, at, returned: None, objects: Vec::new(), lacks: false }
    }

    /// Returns the value of a variable of this place.
    pub(super) fn value_of(&mut self, variable: &Variable) -> Value {
        let Some(module) = self.program.module(self.spot.module) else {
            return Value::new(variable.ty.clone(), Place::Unavailable(Unavailable::OptimizedOut));
        };
        let image = &module.image;
        let bias = self.at.and_then(|at| at.bias);
        let mut frame = Frame::in_module(self.state, module, self.spot.address, bias);
        // What a pointer points to may have a size that only the frame tells.
        let is_fixed = size_of(&variable.ty).is_some() && pointer_target(&variable.ty).is_none();
        let ty = match is_fixed {
            true => variable.ty.clone(),
            false => image.type_of(variable, &mut frame),
        };
        let location = image.variable_location(variable, &mut frame);
        if frame.lacks_bias() {
            let why = "where its module was is not known".to_owned();
            return Value::new(ty, Place::Unavailable(Unavailable::Other(why)));
        }
        let is_lost = matches!(location, Location::OptimizedOut | Location::Unavailable(_));
        if is_lost && frame.asked_callers {
            let why = "only its callers' frames tell it, and these are not collected".to_owned();
            return Value::new(ty, Place::Unavailable(Unavailable::Other(why)));
        }
        let place = place(location, image, &mut frame);
        let value = Value { ty, place, bits: None };
        value.described(self).unwrap_or(value)
    }

    /// Finds the variable of the function, or of one that it is nested in, that a name means.
    fn local(&self, name: &Name) -> Option<Variable> {
        let simple = simple(name)?;
        let module = self.program.module(self.spot.module).filter(|_| self.spot.generated.is_none())?;
        let at = (self.spot.address, self.spot.level);
        local_named(&module.image, &self.spot.variables, at, simple, || self.names())
    }

    /// Finds what a name means here, as [`Env::variable`] does.
    pub(super) fn meant(&mut self, name: &Name) -> NameMeaning {
        if let Some(variable) = self.local(name) {
            return NameMeaning::Variable(variable);
        }
        if self.implicit_member(name).is_some() {
            return NameMeaning::Other;
        }
        match self.outside(name) {
            Ok(Elsewhere { module, meant: Named::Variable(variable) }) if module == self.spot.module => {
                NameMeaning::Variable(variable)
            }
            Err(LookupError::NotFound) => NameMeaning::Nothing,
            Ok(_) | Err(LookupError::Failed(_)) => NameMeaning::Other,
        }
    }

    /// Returns which of several a name means that is no local and no member, if that has to be said.
    pub(super) fn choice(&mut self, name: &Name) -> Option<String> {
        if self.spot.generated.is_some() {
            return None;
        }
        let is_own = self.local(name).is_some() || self.implicit_member(name).is_some();
        let names = self.names();
        names.passed_over(name).or_else(|| names.choice(name).filter(|_| !is_own))
    }

    /// Returns the place from where macros are looked at: of C and C++ only.
    fn macro_scope(&self) -> Option<MacroScope> {
        let is_told = self.spot.generated.is_none() && self.spot.target.dialect != Dialect::Rust;
        let module = self.program.module(self.spot.module).filter(|_| is_told)?;
        module.image.macro_scope(self.spot.address, self.spot.level)
    }

    /// Iterates over the modules, that of the code first.
    fn images(&self) -> impl Iterator<Item = &'a dwarf::Image> + use<'a> {
        let program = self.program;
        let home = program.module(self.spot.module);
        let others = program.user().map(|(_, m)| m).filter(move |m| home.is_none_or(|home| !std::ptr::eq(home, *m)));
        home.into_iter().chain(others).map(|module| &*module.image)
    }

    fn implicit_member(&mut self, name: &Name) -> Option<Value> {
        if !may_be_member(name, self.spot.target.dialect) {
            return None;
        }
        let this = self.spot.variables.iter().find(|variable| variable.is_meant_by("this"))?.clone();
        let reach = self.names().reach(name, &this)?;
        let this = self.value_of(&this);
        member_of_this(&this, name, reach, self)
    }

    /// Returns a name as the compilers of languages that ignore case write it, if it is written otherwise.
    fn without_case(&self, name: &Name) -> Option<Name> {
        if !ignores_case(self.spot.language) {
            return None;
        }
        let locals = || self.spot.variables.iter().map(|local| local.name.clone()).collect();
        self.names().without_case(name, locals)
    }

    fn variable_spelled(&mut self, name: &Name) -> Result<Value, LookupError> {
        if let Some(variable) = self.local(name) {
            return match variable.unclear() {
                Some(why) => Err(LookupError::Failed(why.to_owned())),
                None => {
                    let value = self.value_of(&variable);
                    let is_this = is_this(name, self.spot.target.dialect);
                    Ok(is_this.then(|| captured_this(&value, self)).flatten().unwrap_or(value))
                }
            };
        }
        if let Some(member) = self.implicit_member(name) {
            return Ok(member);
        }
        self.value_outside(name)
    }
}

impl Memory for Scope<'_> {
    fn read(&mut self, address: u64, buffer: &mut [u8]) -> Result<(), Unavailable> {
        let read = self.state.read(address, buffer);
        self.lacks |= read == Err(Unavailable::NotCollected);
        read
    }

    fn symbol(&mut self, address: u64) -> Option<String> {
        let At { pid, event, .. } = self.at?;
        self.program.symbol(pid, event, address)
    }

    fn named_type(&mut self, name: &str) -> Option<TypeRef> {
        self.images().find_map(|image| image.type_named(None, name))
    }

    fn defined_type(&mut self, declared: &Record) -> Option<TypeRef> {
        defined_type(declared, self.images())
    }

    fn static_member(&mut self, name: &str, declared: u64) -> Option<Value> {
        self.static_member_named(name, declared)
    }

    fn class_of_function(&mut self, address: u64) -> Option<TypeRef> {
        let At { pid, event, .. } = self.at?;
        let (module, bias) = self.program.at(pid, event, address)?;
        module.image.class_of_function(RunAddr(address).linked(bias))
    }

    fn vtable_owner(&mut self, table: u64) -> Option<TypeRef> {
        let At { pid, event, .. } = self.at?;
        let (module, bias) = self.program.at(pid, event, table)?;
        module.image.vtable_owner(RunAddr(table).linked(bias))
    }

    fn meaning(&mut self, value: &Value) -> Option<Meaning> {
        if self.at.is_none() {
            if readers::is_of_library(&value.ty) && self.objects.len() < MOST_OBJECTS {
                self.objects.push(value.clone());
            }
            return None;
        }
        readers::meaning(value, self)
    }
}

impl Types for Scope<'_> {
    fn target(&self) -> Target {
        self.spot.target
    }

    fn type_named(&mut self, tag: Option<Tag>, name: &str) -> Option<TypeRef> {
        self.names().type_named(tag, name)
    }

    fn unclear_type(&mut self, tag: Option<Tag>, name: &str) -> Option<String> {
        self.names().unclear_type(tag, name)
    }

    fn enumerator(&mut self, name: &str) -> Option<(TypeRef, i128)> {
        self.names().enumerator(name)
    }

    fn has_operator(&mut self, name: &str, operands: &[TypeRef]) -> bool {
        self.names().has_operator(name, operands)
    }
}

impl Env for Scope<'_> {
    fn variable(&mut self, name: &Name) -> Result<Value, LookupError> {
        let Some(lower) = self.without_case(name) else { return self.variable_spelled(name) };
        if let Some(variable) = self.local(name).or_else(|| self.local(&lower)) {
            return Ok(self.value_of(&variable));
        }
        match self.variable_spelled(name) {
            Err(LookupError::NotFound) => self.variable_spelled(&lower),
            found => found,
        }
    }

    fn has_packages(&mut self) -> bool {
        self.spot.language == Some("go")
    }

    fn functions(&mut self, name: &Name) -> Vec<Value> {
        match self.local(name) {
            Some(_) => Vec::new(),
            None => self.all_functions(name),
        }
    }

    fn has_macros(&mut self) -> bool {
        self.macro_scope().is_some()
    }

    fn macro_named(&mut self, name: &str) -> Result<Option<String>, String> {
        let image = self.program.module(self.spot.module).map(|module| &module.image);
        let Some((scope, image)) = self.macro_scope().zip(image) else { return Ok(None) };
        macro_text(image, &scope, name)
    }

    fn register(&mut self, name: &str) -> Option<Value> {
        if name == "return" {
            return self.returned.clone();
        }
        if let Some(part) = self.spot.target.arch.register_part(name) {
            return Some(part_of(self.register(part.whole)?, part));
        }
        let real = self.spot.target.arch.register_alias(name);
        if real == self.spot.target.arch.pc_name() {
            let ty = register_type(real, RegisterKind::CodePointer, 8);
            let address = self.spot.in_process(self.at.and_then(|at| at.bias)).map(|address| address.0);
            return Some(match address {
                Some(address) => {
                    Value::new(ty, Place::Register { name: real.to_owned(), bytes: address.to_le_bytes().to_vec() })
                }
                None => Value::new(ty, Place::Bytes(vec![Some(0); 8])),
            });
        }
        if real == "fs_base" {
            let ty = register_type(real, RegisterKind::DataPointer, 8);
            let place = match self.state.thread() {
                Some(base) => Place::Register { name: real.to_owned(), bytes: base.to_le_bytes().to_vec() },
                None => Place::Unavailable(Unavailable::Register(real.to_owned())),
            };
            return Some(Value::new(ty, place));
        }
        let Some(number) = register_number(real) else {
            let (kind, size) = uncollected(real)?;
            let why = format!("the register {real} is not collected");
            return Some(Value::new(register_type(real, kind, size), Place::Unavailable(Unavailable::Other(why))));
        };
        let (kind, bytes) = match number {
            XMM0.. => (RegisterKind::Vector, self.state.vector(number).map(Vec::from)),
            _ => (
                if matches!(number, RSP | RBP) { RegisterKind::DataPointer } else { RegisterKind::Integer },
                self.state.register(number).map(|value| value.to_le_bytes().to_vec()),
            ),
        };
        let ty = register_type(real, kind, if kind == RegisterKind::Vector { 16 } else { 8 });
        let place = match bytes {
            Some(bytes) => Place::Register { name: real.to_owned(), bytes },
            None => Place::Unavailable(Unavailable::Register(real.to_owned())),
        };
        Some(Value::new(ty, place))
    }
}

/// Returns how to read a register that hits do not tell, and its size, if there is one of that name.
fn uncollected(name: &str) -> Option<(RegisterKind, usize)> {
    let is_numbered = |start: &str, most: u32| {
        name.strip_prefix(start).and_then(|number| number.parse::<u32>().ok()).is_some_and(|number| number < most)
    };
    match name {
        "eflags" | "mxcsr" => Some((RegisterKind::Flags, 4)),
        "cs" | "ss" | "ds" | "es" | "fs" | "gs" => Some((RegisterKind::Integer, 4)),
        "gs_base" => Some((RegisterKind::DataPointer, 8)),
        "orig_rax" => Some((RegisterKind::Integer, 8)),
        _ if is_numbered("st", 8) => Some((RegisterKind::Float80, 10)),
        _ if is_numbered("xmm", 32) => Some((RegisterKind::Vector, 16)),
        _ if is_numbered("ymm", 32) => Some((RegisterKind::Vector, 32)),
        _ if is_numbered("zmm", 32) => Some((RegisterKind::Vector, 64)),
        _ => None,
    }
}

/// Takes note of all that is needed to show a value: itself, what it refers to, its strings and the first elements of
/// its containers.
pub(super) fn collect(
    program: &Program,
    spot: &Spot,
    state: &mut MadeUp,
    find: impl FnOnce(&mut Scope<'_>) -> Result<Value, String>,
) -> Result<Collects, String> {
    let mut scope = Scope::new(program, spot, state, None);
    let found = find(&mut scope);
    let objects = std::mem::take(&mut scope.objects);
    match found {
        // Only the hit has what the object holds: there it is evaluated, in what is collected with the object.
        Err(_) if !objects.is_empty() => {
            objects.into_iter().try_for_each(|object| collect_value(program, spot, state, object))?;
            Ok(Collects::Objects)
        }
        found => collect_value(program, spot, state, found?).map(|()| Collects::All),
    }
}

/// What is collected for an expression.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Collects {
    /// All that it needs.
    All,
    /// Objects of libraries, with what they lead to: what else it needs was not found out.
    Objects,
}

fn collect_value(program: &Program, spot: &Spot, state: &mut MadeUp, value: Value) -> Result<(), String> {
    let value = match reference_target(&value.ty) {
        Some(_) => {
            need(&value, state)?;
            value.referent(&mut Scope::new(program, spot, state, None)).unwrap_or(value)
        }
        None => value,
    };
    need(&value, state)?;
    let mut leading = Vec::new();
    // A reference of Rust is shown as what it refers to.
    let target = pointer_target(&value.ty).filter(|_| is_rust_reference(&value.ty));
    if let Some(target) = target.filter(|target| size_of(target).is_some_and(|size| size <= LONGEST as u64))
        && let Ok(address) = value.word(0, &mut Scope::new(program, spot, state, None))
        && state.recognise(address).is_some()
    {
        let target = Value::new(target, Place::Memory(address));
        need(&target, state)?;
        find_leading(&target, 0, &mut { MOST_MEMBERS }, &mut leading);
    }
    find_leading(&value, 0, &mut { MOST_MEMBERS }, &mut leading);
    for (pointer, length) in leading.into_iter().take(MOST_LEADING) {
        if let Ok(address) = pointer.word(0, &mut Scope::new(program, spot, state, None))
            && state.recognise(address).is_some()
        {
            state.need(address, length);
        }
    }
    Ok(())
}

fn is_rust_reference(ty: &TypeRef) -> bool {
    matches!(&**ty, Type::Typedef { name, .. } if name.starts_with('&'))
}

fn need(value: &Value, state: &mut MadeUp) -> Result<(), String> {
    let Place::Memory(address) = value.place else { return Ok(()) };
    // A function, or what is incomplete, has an address, and no content.
    let size = size_of(&value.ty).unwrap_or(0);
    if size > 0 {
        let length = usize::try_from(size).unwrap_or(LONGEST).min(LONGEST);
        let why = || "it is not where a register or a pointer leads to".to_owned();
        state.need(address, length).ok_or_else(why)?;
    }
    Ok(())
}

/// Finds pointers to characters and to the elements of containers, in a value and in its members, and how many bytes
/// there are shown.
fn find_leading(value: &Value, depth: u32, budget: &mut u32, found: &mut Vec<(Value, usize)>) {
    match &*strip(&value.ty) {
        Type::Pointer { kind: PointerKind::Pointer, target, .. } => {
            let is_char = matches!(
                &*strip(&target.get()),
                Type::Base { size: 1, encoding, .. }
                    if matches!(encoding, Encoding::SignedChar | Encoding::UnsignedChar | Encoding::Unsigned | Encoding::Utf)
            );
            if is_char {
                found.push((value.clone(), STRING));
            }
        }
        Type::Record(record) if depth < DEPTH => {
            if let Some(pointer) = readers::first_element(value) {
                found.push((pointer, ELEMENTS));
                return;
            }
            let variants = record.variants.iter().flat_map(|variants| &variants.list).map(|variant| &variant.member);
            for member in record.members.iter().chain(variants).filter(|member| member.bits.is_none()) {
                let Some(left) = budget.checked_sub(1) else { return };
                *budget = left;
                find_leading(&value.part(member.ty.get(), member.offset, None), depth + 1, budget, found);
            }
        }
        _ => {}
    }
}
