//! `std::coroutine_handle`: which coroutine it resumes, whether that has ended, and its promise.

use super::Object;
use crate::chain::word;
use crate::contiguous::Few;
use crate::object::{at, bool_value, first_member, is_readable, number};
use base::qualified::QualifiedName;
use ctype::layout::{align_of, size_of, strip};
use ctype::{Meaning, Memory, Style, Type};

/// Bytes of a frame before the promise: pointers to the functions that resume and destroy it. All compilers agree.
const HEADER: u64 = 16;

pub(super) fn handle(object: &Object<'_>, memory: &mut dyn Memory) -> Option<Meaning> {
    let title = object.title_with(1);
    let pointer = first_member(object.value, &["_M_fr_ptr", "__handle_"])?;
    let frame = number(&pointer, memory)?;
    if frame == 0 {
        return Some(Meaning::empty(false).says(format!("{title} [no coroutine]")).fact("address", pointer));
    }
    let (resume, destroy) = (word(frame, memory).ok()?, word(frame.checked_add(8)?, memory).ok()?);
    let function = function_at(destroy, memory)?;
    // Without a function to go on with it is suspended for good.
    if resume != 0 {
        function_at(resume, memory)?;
    }
    let state = if resume == 0 { "ended" } else { "not ended" };
    let meaning = Meaning::empty(false)
        .says(format!("{title} of {function}, {state}"))
        .fact("done", bool_value(resume == 0))
        .fact("address", pointer);
    let promise = object.argument(0, memory).filter(|ty| !matches!(&*strip(ty), Type::Void));
    let Some(promise) = promise.and_then(|ty| Some(at(ty.clone(), frame.checked_add(place_of(align_of(&ty)?)?)?)))
    else {
        return Some(meaning);
    };
    if !is_readable(promise.address()?, size_of(&promise.ty)?, memory) {
        return None;
    }
    let meaning = meaning.fact("promise", promise.clone());
    Some(meaning.holds(Style::Fields, Few::named([("promise()", promise)])))
}

/// Returns where in a frame a promise of this alignment is.
fn place_of(align: u64) -> Option<u64> {
    HEADER.checked_next_multiple_of(align.max(1))
}

/// Finds the name of the coroutine that one of a frame's functions is a part of, without parameters.
fn function_at(address: u64, memory: &mut dyn Memory) -> Option<String> {
    let symbol = memory.symbol(address)?;
    let name = symbol.strip_prefix('<')?.strip_suffix('>')?;
    // `<f(int) [clone .resume]>`, `<f(f(int)::_Z1fi.Frame*) [clone .actor]>`; in the middle of a function it is none.
    let (name, part) = name.rsplit_once(" [clone .")?;
    ["resume]", "destroy]", "cleanup]", "actor]"].contains(&part).then_some(())?;
    Some(QualifiedName::split(name).path().to_owned())
}
