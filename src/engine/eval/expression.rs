//! Expressions in the scope of a frame, or, without values, in the scope of some code.

use crate::api::error::Error;
use crate::api::{Evaluated, Show};
use crate::eval::condition_names::MeantLocals;
use crate::eval::fortran_ada;
use crate::eval::inferior::Inferior;
use crate::eval::locals::spelled;
use crate::eval::macros::MacroPlace;
use crate::eval::siginfo;
use crate::modules::loaded::Module;
use crate::stack::physical::{FrameFunction, Level};
use arch::{RunAddr, ThreadId};
use ctype::{Dialect, Format, Meaning, Memory, Place, Record, Target, TypeRef, Unavailable, Value, render};
use dwarf::DieId;
use expr::{Env, LookupError, Name, Tag, Types};
use program::macros::macro_text;
use program::names::enclosing_scopes::scopes_around;
use program::names::{
    Named, captured_this, code_value, ignores_case, is_this, local_named, may_be_member, member_of_this, simple,
};
use program::place::place;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Where names are looked up.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Scope {
    /// In a frame of a stopped thread: variables have values.
    Frame(ThreadId, Level),
    /// At an instruction, in one of the functions inlined there, the innermost being 0: variables have types only.
    Code(RunAddr, usize),
}

/// The program as an expression sees it.
pub(crate) struct ScopeEnv<'a> {
    pub(crate) inferior: &'a mut Inferior,
    scope: Scope,
    target: Target,
    /// The module whose names come first.
    pub(crate) home: Option<Arc<Module>>,
    pc: RunAddr,
    /// Where names are looked for first, once that has been asked.
    scopes: Option<Arc<[String]>>,
    /// The unit that the code was compiled in, once that has been asked.
    unit: Option<Option<DieId>>,
    /// The only locals that names mean; `None`: those that are visible.
    meant: Option<Arc<MeantLocals>>,
    /// Where macros are looked up, once that has been asked.
    macros: Option<Option<MacroPlace>>,
    /// Whether an expression may say that a function is called, though that is not done here.
    takes_calls: bool,
}

impl<'a> ScopeEnv<'a> {
    pub(crate) fn new(inferior: &'a mut Inferior, scope: Scope) -> Result<Self, Error> {
        let pc = match scope {
            Scope::Frame(thread, level) => inferior.physical(thread, level.physical)?.address.for_lookup(),
            Scope::Code(at, _) => at,
        };
        let target = inferior.target_at(pc);
        let home = inferior.modules.at(pc).cloned();
        let (scopes, unit, meant, macros) = (None, None, None, None);
        Ok(Self { inferior, scope, target, home, pc, scopes, unit, meant, macros, takes_calls: false })
    }

    /// Has names mean these locals only, if that is said.
    pub(crate) fn with_meant(self, meant: Option<&Arc<MeantLocals>>) -> Self {
        Self { meant: meant.cloned(), ..self }
    }

    /// Has expressions say that a function is called, or not.
    pub(crate) fn with_calls(self, takes_calls: bool) -> Self {
        Self { takes_calls, ..self }
    }

    /// Returns the address of the code that names are looked up for.
    pub(crate) fn pc(&self) -> RunAddr {
        self.pc
    }

    /// Returns the place from where macros are looked at: of C and C++ only.
    pub(crate) fn macro_place(&mut self) -> Option<MacroPlace> {
        if let Some(known) = &self.macros {
            return known.clone();
        }
        let found = match &self.meant {
            Some(meant) => meant.macros.clone(),
            None => self.home.clone().filter(|_| self.target.dialect != Dialect::Rust).and_then(|module| {
                let scope = module.image.macro_scope(module.link(self.pc), self.inline())?;
                Some(MacroPlace { module, scope })
            }),
        };
        self.macros = Some(found.clone());
        found
    }

    /// Returns which of the functions there it is, the innermost being 0.
    pub(crate) fn inline(&self) -> usize {
        match self.scope {
            Scope::Frame(_, level) => level.inline,
            Scope::Code(_, inline) => inline,
        }
    }

    /// Returns the language family of the code.
    pub(crate) fn dialect(&self) -> Dialect {
        self.target.dialect
    }

    /// Returns the scopes around the code.
    pub(crate) fn scopes(&mut self) -> Arc<[String]> {
        let find = || {
            let module = self.home.as_ref()?;
            Some(scopes_around(&module.image, module.link(self.pc), self.inline()))
        };
        let scopes = self.scopes.clone().unwrap_or_else(|| find().unwrap_or_default());
        self.scopes = Some(scopes.clone());
        scopes
    }

    /// Returns the user's modules: the one at home, the program, and its libraries.
    pub(crate) fn modules(&self) -> Vec<Arc<Module>> {
        let mut modules: Vec<_> = self.home.clone().into_iter().collect();
        let others = self.inferior.modules.user().filter(|m| self.home.as_ref().is_none_or(|h| !Arc::ptr_eq(h, m)));
        modules.extend(others.cloned());
        modules
    }

    /// Returns the modules whose definitions stand for those of others: what was loaded with the program, in this order.
    pub(crate) fn shared_modules(&self) -> Vec<Arc<Module>> {
        self.inferior.modules.user().filter(|module| !module.unloadable).cloned().collect()
    }

    /// Returns the function of the code.
    pub(crate) fn function(&self) -> Option<DieId> {
        let home = self.home.as_ref()?;
        home.image.inline_chain(home.link(self.pc)).get(self.inline())?.die
    }

    /// Returns the unit that the code was compiled in.
    pub(crate) fn unit(&mut self) -> Option<DieId> {
        let find = || self.home.as_ref()?.image.unit_of(self.function()?);
        let unit = self.unit.unwrap_or_else(find);
        self.unit = Some(unit);
        unit
    }

    /// Finds the local or argument that a name means, if it means one.
    pub(crate) fn local_named(&mut self, name: &Name) -> Option<(dwarf::Variable, Arc<Module>)> {
        let simple = simple(name)?;
        match self.meant.clone() {
            None => self.local(simple),
            Some(meant) => {
                let die = meant.variables.get(simple)?;
                let is_it = |variable: &dwarf::Variable| variable.die == *die;
                // Its block may go round: there, it is on a later line than the code.
                self.innermost(simple).or_else(|| self.local(simple)).filter(|(variable, _)| is_it(variable))
            }
        }
    }

    /// Finds the member of `*this` that a name means in a method of C++, if no local hides it.
    pub(crate) fn implicit_member(&mut self, name: &Name) -> Option<Value> {
        if !may_be_member(name, self.target.dialect) {
            return None;
        }
        let this = Name { file: None, global: false, path: vec!["this".to_owned()] };
        let (variable, module) = self.local_named(&this)?;
        let reach = self.names().reach(name, &variable)?;
        let this = self.value_of(&variable, &module).ok()?;
        member_of_this(&this, name, reach, self)
    }

    /// Returns whether a name meant a local that it does not mean here.
    fn has_left_scope(&mut self, name: &Name) -> bool {
        let meant = self.meant.clone().zip(simple(name));
        meant.is_some_and(|(meant, simple)| meant.variables.contains_key(simple)) && self.local_named(name).is_none()
    }

    /// Finds the local of the innermost block that has one of the name, whether it is declared yet or not.
    fn innermost(&self, name: &str) -> Option<(dwarf::Variable, Arc<Module>)> {
        let module = self.home.clone()?;
        let visible = module.image.variables_at(module.link(self.pc), self.inline());
        let named = visible.into_iter().enumerate().filter(|(_, v)| v.is_meant_by(name));
        let (_, found) = named.max_by_key(|(number, v)| (v.depth, *number))?;
        Some((found, module))
    }

    fn local(&mut self, name: &str) -> Option<(dwarf::Variable, Arc<Module>)> {
        let module = self.home.clone()?;
        let at = (module.link(self.pc), self.inline());
        let visible = module.image.variables_at(at.0, at.1);
        let found = local_named(&module.image, &visible, at, name, || self.names())?;
        Some((found, module))
    }

    fn value_of(&mut self, variable: &dwarf::Variable, module: &Arc<Module>) -> Result<Value, LookupError> {
        if let Some(why) = variable.unclear() {
            return Err(LookupError::Failed(why.to_owned()));
        }
        let Scope::Frame(thread, level) = self.scope else {
            let place = Place::Unavailable(Unavailable::Other("no frame".to_owned()));
            return Ok(Value { ty: variable.ty.clone(), place, bits: None });
        };
        let value = self
            .inferior
            .with_frame(thread, level.physical, Some(module), |context| Value {
                ty: module.image.type_of(variable, context),
                place: place(module.image.variable_location(variable, context), &module.image, context),
                bits: None,
            })
            .map_err(|e| LookupError::Failed(e.to_string()))?;
        Ok(value.described(self.inferior).unwrap_or(value))
    }
}

impl Memory for ScopeEnv<'_> {
    fn read(&mut self, address: u64, buffer: &mut [u8]) -> Result<(), Unavailable> {
        Memory::read(self.inferior, address, buffer)
    }

    fn symbol(&mut self, address: u64) -> Option<String> {
        Memory::symbol(self.inferior, address)
    }

    fn class_of_function(&mut self, address: u64) -> Option<TypeRef> {
        self.inferior.class_of_function(address)
    }

    fn named_type(&mut self, name: &str) -> Option<TypeRef> {
        self.inferior.named_type(name)
    }

    fn defined_type(&mut self, declared: &Record) -> Option<TypeRef> {
        self.inferior.defined_type(declared)
    }

    fn static_member(&mut self, name: &str, declared: u64) -> Option<Value> {
        let (variable, module) = self.names().static_member(name, declared)?;
        self.value_of(&variable, &module).ok()
    }

    fn vtable_owner(&mut self, table: u64) -> Option<TypeRef> {
        self.inferior.vtable_owner(table)
    }

    fn is_cancelled(&mut self) -> bool {
        self.inferior.is_cancelled()
    }

    fn whole_object(&mut self, value: &Value) -> Option<Value> {
        self.inferior.whole_object(value)
    }

    fn meaning(&mut self, value: &Value) -> Option<Meaning> {
        self.inferior.meaning(value)
    }
}

impl Types for ScopeEnv<'_> {
    fn target(&self) -> Target {
        self.target
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

impl ScopeEnv<'_> {
    /// Returns the name as the compilers of languages that ignore case write it, if it is written otherwise.
    pub(crate) fn without_case(&mut self, name: &Name) -> Option<Name> {
        let (at, level) = (self.pc, self.inline());
        let home = self.home.clone().filter(|home| ignores_case(home.image.language_at(home.link(at))))?;
        let locals = || home.image.variables_at(home.link(at), level).into_iter().map(|local| local.name).collect();
        self.names().without_case(name, locals)
    }

    fn variable_spelled(&mut self, name: &Name) -> Result<Value, LookupError> {
        if let Some((variable, module)) = self.local_named(name) {
            let value = self.value_of(&variable, &module)?;
            let captured = is_this(name, self.target.dialect).then(|| captured_this(&value, self)).flatten();
            return Ok(captured.unwrap_or(value));
        }
        if self.has_left_scope(name) {
            return Err(LookupError::Failed("its local is not in scope here".to_owned()));
        }
        if let Some(member) = self.implicit_member(name) {
            return Ok(member);
        }
        let (meant, module) = self.names().meaning(name, |module| Some(module.bias))?;
        match meant {
            Named::Variable(variable) => self.value_of(&variable, &module),
            code => code_value(&code, &module, module.bias, name).ok_or(LookupError::NotFound),
        }
    }
}

impl Env for ScopeEnv<'_> {
    fn variable(&mut self, name: &Name) -> Result<Value, LookupError> {
        let Some(lower) = self.without_case(name) else { return self.variable_spelled(name) };
        if let Some((variable, module)) = self.local_named(name).or_else(|| self.local_named(&lower)) {
            return self.value_of(&variable, &module);
        }
        match self.variable_spelled(name) {
            Err(LookupError::NotFound) => self.variable_spelled(&lower),
            found => found,
        }
    }

    fn has_packages(&mut self) -> bool {
        let home = self.home.as_ref();
        home.is_some_and(|home| home.image.language_at(home.link(self.pc)) == Some("go"))
    }

    fn register(&mut self, name: &str) -> Option<Value> {
        if let Some(kept) = self.inferior.variables.get(name) {
            return Some(kept.clone());
        }
        let frame = match self.scope {
            Scope::Frame(thread, level) => Some((thread, level.physical)),
            Scope::Code(..) => None,
        };
        if let (siginfo::NAME, Some((thread, _))) = (name, frame) {
            return self.inferior.signal_value(thread);
        }
        self.inferior.register_value(frame, name)
    }

    fn may_call(&mut self) -> bool {
        self.inferior.calls.is_some()
    }

    fn takes_calls(&mut self) -> bool {
        self.takes_calls || self.inferior.calls.is_some()
    }

    fn functions(&mut self, name: &Name) -> Vec<Value> {
        self.all_functions(name)
    }

    fn is_rust_function(&mut self, address: u64) -> bool {
        self.inferior.target_at(RunAddr(address)).dialect == Dialect::Rust
    }

    fn is_untyped_function(&mut self, address: u64) -> bool {
        let module = self.inferior.modules.at(RunAddr(address));
        module.is_some_and(|module| module.image.language_at(module.link(RunAddr(address))) == Some("asm"))
    }

    fn call(&mut self, address: u64, result: &TypeRef, passed: &[expr::Passed]) -> Result<Value, String> {
        self.inferior.call_function(address, result, passed)
    }

    fn has_macros(&mut self) -> bool {
        self.macro_place().is_some()
    }

    fn macro_named(&mut self, name: &str) -> Result<Option<String>, String> {
        let Some(MacroPlace { module, scope }) = self.macro_place() else { return Ok(None) };
        macro_text(&module.image, &scope, name)
    }
}

impl Inferior {
    /// Evaluates an expression, which may begin with a format as in `/x`.
    pub(crate) fn evaluate(
        &mut self,
        thread: ThreadId,
        level: Level,
        text: &str,
        show: Show,
    ) -> Result<Evaluated, Error> {
        let failed_in = |e: &expr::Error, text: &str| Error::Expression(e.render(text));
        let failed = |e: &expr::Error| failed_in(e, text);
        let (in_text, rest) = expr::split_format(text).map_err(|e| failed(&e))?;
        let asked = match show.format {
            Some(letter) => Some(
                Format::from_letter(letter)
                    .ok_or_else(|| Error::Expression(format!("no format `{letter}`: there are {}", Format::LETTERS)))?,
            ),
            None => None,
        };
        let value = match self.value(Scope::Frame(thread, level), rest) {
            Ok(value) => value,
            Err(Bad::Scope(e)) => return Err(e),
            Err(Bad::Expression(e)) => {
                let language = self.language(thread, level)?;
                let brackets = language.and_then(|language| fortran_ada::in_brackets(rest, language));
                // What is an element there is no call.
                let mut error = match (&brackets, &e.kind) {
                    (Some(_), expr::ErrorKind::Refused(expr::Refusal::Call)) => failed_in(&e, rest),
                    _ => Error::expression(&e, rest),
                };
                if let Error::Expression(message)
                | Error::NoSymbol { words: message, .. }
                | Error::NeedsCall { words: message } = &mut error
                    && let Some(here) = brackets
                {
                    let line = message.find('\n').unwrap_or(message.len());
                    message.insert_str(line, &format!("; write {here}"));
                }
                if let Error::Expression(message) = &mut error
                    && matches!(e.kind, expr::ErrorKind::Unavailable(_))
                    && let Some((name, missing)) = self.missing_in(thread, level, rest)?
                {
                    message.push_str(&format!("\n{name}: {}", missing.why));
                }
                return Err(error);
            }
        };
        let mut options = self.print.options(self.target_of(thread, level)?).with_format(asked.or(in_text));
        options.limits.first = show.from;
        options.limits.own = show.count.map(|count| count as usize);
        let rendered = render(&value, self, &options);
        // Optimized out is an answer; a place that cannot be read at all is a mistake in the expression, as in GDB.
        if let Some(reason @ Unavailable::Memory(_)) = rendered.unavailable {
            let kind = expr::ErrorKind::Unavailable(reason);
            let error = expr::Error { span: 0..rest.len(), kind, expansion: None };
            return Err(Error::Expression(error.render(rest)));
        }
        let missing = match value.place.is_lost() {
            true => self.missing_in(thread, level, rest)?.map(|(_, missing)| missing),
            false => None,
        };
        let dynamic_type = self.dynamic_type(&value);
        Ok(Evaluated {
            expression: text.to_owned(),
            value: rendered.text,
            ty: spelled(&value.ty, &options),
            address: match self.object_of(&value).place {
                Place::Memory(address) if value.bits.is_none() => Some(RunAddr(address)),
                _ => None,
            },
            truncated: rendered.truncated,
            next: rendered.next,
            dynamic_type,
            missing,
        })
    }

    pub(crate) fn value(&mut self, scope: Scope, text: &str) -> Result<Value, Bad> {
        self.refresh().map_err(Bad::Scope)?;
        let mut env = ScopeEnv::new(self, scope).map_err(Bad::Scope)?;
        let value = expr::evaluate_text(text, &mut env);
        env.inferior.check_answers().map_err(Bad::Scope)?;
        value.map_err(Bad::Expression)
    }

    /// Evaluates an expression to the address that it means: its value, or where an array or function is.
    pub(crate) fn address(&mut self, thread: ThreadId, level: Level, text: &str) -> Result<u64, Error> {
        let scope = Scope::Frame(thread, level);
        // First by itself, so that an error points into what the user has written.
        self.value(scope, text).map_err(|e| e.explained(text))?;
        self.note_choices(scope, text);
        let cast = format!("(unsigned long)({text})");
        let not_an_address = || format!("`{text}` is not an address; take one of something in memory with &");
        let value = self.value(scope, &cast).map_err(|_| Error::Expression(not_an_address()))?;
        self.integer(&value).ok_or_else(|| Error::Expression(not_an_address()))
    }

    /// Finds the locals that the names in an expression mean at some code of a function.
    pub(crate) fn meant_locals(
        &mut self,
        scope: Scope,
        function: Option<FrameFunction>,
        parsed: &expr::Expr,
    ) -> Result<MeantLocals, Error> {
        let mut env = ScopeEnv::new(self, scope)?;
        let macros = env.macro_place();
        let mut found = |name: &Name| {
            if env.local_named(name).is_none() && env.implicit_member(name).is_some() {
                let this = "this".to_owned();
                return Some((this.clone(), env.local(&this)?.0.die));
            }
            Some((simple(name)?.to_owned(), env.local_named(name)?.0.die))
        };
        let variables: BTreeMap<_, _> = parsed.names().iter().filter_map(|name| found(name)).collect();
        Ok(MeantLocals { function: function.filter(|_| !variables.is_empty()), variables, macros })
    }

    /// Reads the bits of a scalar of up to eight bytes.
    fn integer(&mut self, value: &Value) -> Option<u64> {
        let size = usize::try_from(ctype::layout::size_of(&value.ty)?).ok().filter(|s| *s <= 8)?;
        let mut wide = [0u8; 8];
        match &value.place {
            Place::Memory(address) => self.process.read(*address, wide.get_mut(..size)?).ok()?,
            Place::Register { bytes, .. } => wide.get_mut(..size)?.copy_from_slice(bytes.get(..size)?),
            Place::Bytes(bytes) | Place::Synthetic { bytes, .. } => {
                for (to, from) in wide.iter_mut().zip(bytes.get(..size)?) {
                    *to = (*from)?;
                }
            }
            Place::Unavailable(_) => return None,
        }
        Some(u64::from_le_bytes(wide))
    }
}

/// Why an expression has no value.
pub(crate) enum Bad {
    /// There is no place to evaluate it in.
    Scope(Error),
    /// Something is wrong with it.
    Expression(expr::Error),
}

impl Bad {
    /// Converts it to the error for `text`.
    pub(crate) fn explained(self, text: &str) -> Error {
        match self {
            Self::Scope(e) => e,
            Self::Expression(e) => Error::expression(&e, text),
        }
    }
}
