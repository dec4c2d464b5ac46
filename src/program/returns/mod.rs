//! Where a function's value is when it has just returned.
//!
//! Procedure Call Standard for the Arm 64-bit Architecture, section 6.9; what the System V ABI for AMD64 says is in
//! `sysv`, what Rust's compiler does in `rust`.

mod rust;
mod sysv;

pub(crate) use rust::{Evidence, rust_return_place};

use crate::arch::{Arch, Registers};
use crate::ctype::layout::{is_vector, size_of, strip};
use crate::ctype::{Encoding, Place, Type, TypeRef};

/// Returns where the value of type `ty` is, now that a function has just returned it; the error says why that is not
/// known.
pub(crate) fn return_place(ty: &TypeRef, registers: &Registers) -> Result<Place, String> {
    let size = size_of(ty).ok_or("the size of its type is not known")?;
    match registers.layout().arch {
        Arch::X86_64 => sysv::return_place(ty, size, registers),
        Arch::Aarch64 => aarch64(ty, size, registers),
    }
}

/// Returns the same for a function of which an optimiser may have removed the result, as no caller looks at it: the error
/// says so if its code does not prove that it returns one.
pub(crate) fn return_place_unless_removed(
    ty: &TypeRef,
    registers: &Registers,
    evidence: &mut dyn Evidence,
) -> Result<Place, String> {
    let place = return_place(ty, registers)?;
    let size = size_of(ty).unwrap_or(0);
    let mut count = |names: &[&str]| names.iter().filter(|name| evidence.returns_in(&[name])).count();
    let is_returned = match &*strip(ty) {
        _ if matches!(place, Place::Memory(_)) => evidence.gives_address(),
        Type::Base { encoding: Encoding::Float, .. } => count(&["xmm0"]) == 1,
        _ if is_vector(ty) => count(&["xmm0"]) == 1,
        // Some of each kind.
        Type::Base { encoding: Encoding::ComplexFloat, .. } | Type::Record(_) | Type::Array { .. } => {
            size == 0 || count(&["rax", "rdx", "xmm0", "xmm1"]) >= if size > 8 { 2 } else { 1 }
        }
        _ if size <= 8 => count(&["rax"]) == 1,
        _ => count(&["rax", "rdx"]) == 2,
    };
    let why = "the compiler knows all callers of the function, and may have removed a result that none of them uses: its \
               code does not show that it returns one";
    is_returned.then_some(place).ok_or(why.to_owned())
}

/// Finds the value on AArch64: integers and pointers in x0 and x1, floating-point numbers and vectors in v0. Other
/// kinds are not known to be anywhere: the register that told where a large value goes need not be preserved.
fn aarch64(ty: &TypeRef, size: u64, registers: &Registers) -> Result<Place, String> {
    let stripped = strip(ty);
    let names: &[&str] = match &*stripped {
        Type::Base { encoding: Encoding::Float, .. } => &["v0"],
        _ if is_vector(ty) && matches!(size, 8 | 16) => &["v0"],
        Type::Base { encoding: Encoding::ComplexFloat, .. } | Type::Record(_) | Type::Array { .. } => {
            return Err("the registers of its type are not known".to_owned());
        }
        _ if size <= 16 => &["x0", "x1"],
        _ => return Err("its place is not known after the return".to_owned()),
    };
    let mut bytes = Vec::new();
    for name in names {
        bytes.extend(registers.bytes(name).ok_or_else(|| format!("{name} is not known"))?.iter().copied().map(Some));
    }
    bytes.truncate(usize::try_from(size).unwrap_or(0));
    Ok(Place::Bytes(bytes))
}
