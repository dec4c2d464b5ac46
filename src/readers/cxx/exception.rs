//! `std::exception_ptr`: the exception that it keeps.

use super::Object;
use crate::ctype::{Meaning, Memory, Style};
use crate::readers::chain::word;
use crate::readers::contiguous::Few;
use crate::readers::object::{at, first_member, is_readable, number};

/// How far before an exception the pointer to its type's description is (`__cxa_exception::exceptionType`): the same in
/// GNU's and in LLVM's runtime on machines of 64 bits.
const TYPE_INFO: u64 = 0x70;

pub(super) fn exception_pointer(object: &Object<'_>, memory: &mut dyn Memory) -> Option<Meaning> {
    let title = "std::exception_ptr";
    let address = number(&first_member(object.value, &["_M_exception_object", "__ptr_"])?, memory)?;
    if address == 0 {
        return Some(Meaning::empty(false).says(format!("{title} [no exception]")));
    }
    let information = word(address.checked_sub(TYPE_INFO)?, memory).ok()?;
    let symbol = memory.symbol(information)?;
    let information = symbol.strip_prefix("<typeinfo for ")?.strip_suffix('>')?.to_owned();
    let meaning = Meaning::empty(false);
    let Some(ty) = memory.named_type(&information).filter(|_| is_readable(address, 1, memory)) else {
        return Some(meaning.says(format!("{title} containing {information} at {address:#x}")));
    };
    let exception = at(ty, address);
    let meaning =
        Meaning { target: Some(exception.clone()), ..meaning }.says(format!("{title} containing {information}"));
    Some(meaning.holds(Style::Fields, Few::named([("exception", exception)])))
}
