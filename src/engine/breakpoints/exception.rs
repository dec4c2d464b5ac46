//! What a C++ program throws.

use crate::arch::{RunAddr, ThreadId};
use crate::ctype::layout::size_of;
use crate::engine::api::{Caught, Show};
use crate::engine::breakpoints::debuggee::Debuggee;
use crate::engine::eval::expression::Scope;

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

impl Debuggee {
    /// Describes the object that is about to be thrown, by a thread at the entry of `__cxa_throw`: its text or its
    /// members, and the expression for it. `None` if neither can be read, as if no debug info describes its type.
    pub(in crate::engine) fn thrown_object(&mut self, thread: ThreadId, caught: &Caught) -> Option<String> {
        let Caught::Exception { thrown: true, ty: Some(ty) } = caught else { return None };
        let [Some(object), Some(info)] = self.first_arguments(thread).ok()? else { return None };
        let value = match self.text_of(object, info) {
            Some(text) => format!("{text:?}"),
            None => self.members_of(thread, object, ty)?,
        };
        Some(format!("thrown: {value}, which is *({ty} *){object:#x}"))
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

    fn members_of(&mut self, thread: ThreadId, object: u64, ty: &str) -> Option<String> {
        let level = self.inferior.level(thread, 0).ok()?;
        let text = format!("*({ty} *){object:#x}");
        let value = self.inferior.value(Scope::Frame(thread, level), &text).ok()?;
        size_of(&value.ty)?;
        let show = Show { count: Some(ELEMENTS), ..Show::default() };
        self.inferior.evaluate(thread, level, &text, show).ok().map(|shown| shown.value)
    }
}
