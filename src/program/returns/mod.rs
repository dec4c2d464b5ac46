//! Where a function's value is when it has just returned.
//!
//! Procedure Call Standard for the Arm 64-bit Architecture, section 6.9; what the System V ABI for AMD64 says is in
//! `sysv`, what Microsoft's compilers do in `win64`, what Rust's compiler does in `rust`; whether callers look at it,
//! `used` finds out.

mod rust;
mod sysv;
mod used;
mod win64;

pub use rust::{Evidence, rust_return_place};
pub use used::used_results;

use arch::{Arch, Registers};
use ctype::layout::{is_vector, size_of, strip};
use ctype::{Encoding, Place, Type, TypeRef};
use dwarf::{Convention, ReturnRules};

/// Returns where the value of type `ty` is, now that a function has just returned it; the error says why that is not
/// known.
pub fn return_place(ty: &TypeRef, rules: &ReturnRules, registers: &Registers) -> Result<Place, String> {
    let size = size_of(ty).ok_or("the size of its type is not known")?;
    if let Some(why) = &rules.unknown {
        return Err(why.clone());
    }
    match (registers.layout().arch, &rules.convention) {
        (Arch::X86_64, Convention::Platform) => sysv::return_place(ty, size, rules, registers),
        (Arch::X86_64, Convention::Win64) => win64::return_place(ty, size, registers),
        (Arch::X86_64, Convention::Preserving(name)) => match sysv::return_place(ty, size, rules, registers)? {
            Place::Memory(_) => Err(format!(
                "it is in memory, and by the calling convention {name} no register says where: rax is the caller's"
            )),
            place => Ok(place),
        },
        (_, Convention::Other(name)) => Err(format!("where the calling convention {name} returns values is not known")),
        (Arch::Aarch64, Convention::Platform | Convention::Win64 | Convention::Preserving(_)) => {
            aarch64(ty, size, registers)
        }
    }
}

/// Returns the same for a function of which an optimiser may have removed the result, as no caller looks at it: the error
/// says so if none of them does.
pub fn return_place_unless_removed(
    ty: &TypeRef,
    rules: &ReturnRules,
    registers: &Registers,
    evidence: &mut dyn Evidence,
) -> Result<Place, String> {
    let place = return_place(ty, rules, registers)?;
    let size = size_of(ty).unwrap_or(0);
    let is_memory = matches!(place, Place::Memory(_));
    let used = if is_memory { Vec::new() } else { evidence.used_in() };
    let is_used = |name: &str| used.contains(&name);
    let is_returned = match &*strip(ty) {
        _ if is_memory => evidence.gives_address(),
        Type::Base { encoding: Encoding::Float, .. } => is_used("xmm0"),
        _ if is_vector(ty) => is_used("xmm0"),
        // A caller may look at one part of it alone.
        Type::Base { encoding: Encoding::ComplexFloat, .. } | Type::Record(_) | Type::Array { .. } => {
            size == 0 || !used.is_empty()
        }
        _ => is_used("rax"),
    };
    let why = "the compiler may have removed a result that no caller is seen to use";
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
