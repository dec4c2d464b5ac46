//! What a C++ program throws.

use crate::api::{Caught, Show};
use crate::breakpoints::debuggee::Debuggee;
use crate::eval::expression::Scope;
use arch::{RunAddr, ThreadId};
use ctype::Value;
use ctype::layout::size_of;
use dwarf::type_name;
use std::fmt;

/// The roots of the standard library's exceptions that have a text, as their `std::type_info` names them. In libstdc++
/// (`__cow_string`) and in libc++ (`__libcpp_refstring`) a pointer to it comes behind the pointer to the vtable; both
/// keep that for compatibility. Programs' debug info leaves it to the library's.
const WITH_TEXT: [&str; 2] = ["St13runtime_error", "St11logic_error"];

/// The `std::type_info` of classes with one base, which is at their beginning (Itanium C++ ABI, section 2.9.5).
const ONE_BASE: &str = "vtable for __cxxabiv1::__si_class_type_info";

/// So many bases of bases are looked at.
const MAX_DEPTH: usize = 32;

/// Longest text.
const MAX_TEXT: usize = 4096;

/// Of an object, so many elements are shown.
const ELEMENTS: u32 = 16;

/// The object of an exception.
pub(crate) struct Thrown {
    /// Its type.
    pub(crate) ty: String,
    /// Its text or its members; `None` if neither can be read, as if no debug info describes its type.
    pub(crate) value: Option<String>,
    /// Where it is; `None` if that is not known.
    object: Option<u64>,
}

impl fmt::Display for Thrown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.value {
            Some(value) => write!(f, "{} {value}", self.ty),
            None => f.write_str(&self.ty),
        }
    }
}

impl Debuggee {
    /// Describes the object that is about to be thrown, by a thread at the entry of `__cxa_throw`, with the expression
    /// for it. `None` if neither its text nor its members can be read.
    pub(crate) fn thrown_object(&mut self, thread: ThreadId, caught: &Caught) -> Option<String> {
        let Caught::Exception { thrown: true, .. } = caught else { return None };
        let Thrown { ty, value, object } = self.about_to_be_thrown(thread)?;
        Some(format!("thrown: {}, which is *({ty} *){:#x}", value?, object?))
    }

    /// Returns the object of an exception, with a thread at the entry of `__cxa_throw` or `__cxa_begin_catch`. `None` if
    /// no debug info describes its type.
    pub(crate) fn exception_object(&mut self, thread: ThreadId, caught: &Caught) -> Option<Value> {
        let Caught::Exception { thrown: is_thrown, .. } = caught else { return None };
        let [first, info] = self.first_arguments(thread).ok()?;
        let (object, info) = match is_thrown {
            true => (first, info?),
            false => self.handled(first?)?,
        };
        let (object, mangled) = (object?, self.type_info_name(info)?);
        let ty = type_name(&mangled).unwrap_or(mangled);
        let level = self.inferior.level(thread, 0).ok()?;
        self.inferior.value(Scope::Frame(thread, level), &format!("*({ty} *){object:#x}")).ok()
    }

    /// Describes the exception that is about to be thrown, by a thread at the entry of `__cxa_throw`.
    pub(crate) fn about_to_be_thrown(&mut self, thread: ThreadId) -> Option<Thrown> {
        let [object, info] = self.first_arguments(thread).ok()?;
        self.thrown(thread, 0, object, info?)
    }

    /// Describes the exception with this `_Unwind_Exception`, as a frame knows its type; `None` if it is none of C++.
    pub(crate) fn thrown_by_header(&mut self, thread: ThreadId, level: u32, header: u64) -> Option<Thrown> {
        let (object, info) = self.handled(header)?;
        self.thrown(thread, level, object, info)
    }

    fn thrown(&mut self, thread: ThreadId, level: u32, object: Option<u64>, info: u64) -> Option<Thrown> {
        let mangled = self.type_info_name(info)?;
        let ty = type_name(&mangled).unwrap_or(mangled);
        let value = object.and_then(|object| match self.text_of(object, info) {
            Some(text) => Some(format!("{text:?}")),
            None => self.members_of(thread, level, object, &ty),
        });
        Some(Thrown { ty, value, object })
    }

    /// Reads the text of an exception of the standard library or derived from one, by its `std::type_info`.
    fn text_of(&mut self, object: u64, mut info: u64) -> Option<String> {
        for _ in 0..MAX_DEPTH {
            if WITH_TEXT.contains(&self.type_info_name(info)?.as_str()) {
                let text = self.inferior.process.read_u64(object.wrapping_add(8))?;
                return self.inferior.process.read_c_string(text, MAX_TEXT);
            }
            let kind = self.inferior.process.read_u64(info)?;
            let (vtable, _) = self.inferior.symbol(RunAddr(kind))?;
            if vtable != ONE_BASE {
                return None;
            }
            info = self.inferior.process.read_u64(info.wrapping_add(16))?;
        }
        None
    }

    fn members_of(&mut self, thread: ThreadId, level: u32, object: u64, ty: &str) -> Option<String> {
        let level = self.inferior.level(thread, level).ok()?;
        let text = format!("*({ty} *){object:#x}");
        let value = self.inferior.value(Scope::Frame(thread, level), &text).ok()?;
        size_of(&value.ty)?;
        let show = Show { count: Some(ELEMENTS), ..Show::default() };
        self.inferior.evaluate(thread, level, &text, show).ok().map(|shown| shown.value)
    }
}
