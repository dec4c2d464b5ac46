//! Where a function's value is when it has just returned.
//!
//! Procedure Call Standard for the Arm 64-bit Architecture, section 6.9; what the System V ABI for AMD64 says is in
//! `sysv`.

pub(in crate::engine) mod rust;
mod sysv;

use crate::arch::{Arch, Registers, RunAddr};
use crate::ctype::layout::{is_vector, size_of, strip};
use crate::ctype::{Dialect, Encoding, Place, Type, TypeRef};
use crate::engine::eval::call::ReturnedIn;
use crate::engine::eval::inferior::Inferior;
use crate::engine::stack::guess::{is_as_written, returns_in};
use rust::{Evidence, rust_return_place};

/// Returns where the value of type `ty` is, now that a function has just returned it; the error says why that is not
/// known.
pub(crate) fn return_place(ty: &TypeRef, registers: &Registers) -> Result<Place, String> {
    let size = size_of(ty).ok_or("the size of its type is not known")?;
    match registers.layout().arch {
        Arch::X86_64 => sysv::return_place(ty, size, registers),
        Arch::Aarch64 => aarch64(ty, size, registers),
    }
}

/// Finds where the function at an address returns a value, for whoever calls it: as
/// [`ResultPlace`](crate::engine::eval::call::ResultPlace) says.
pub(in crate::engine) fn result_place(
    inferior: &mut Inferior,
    function: RunAddr,
    ty: &TypeRef,
    registers: &Registers,
) -> Result<ReturnedIn, String> {
    let is_rust = inferior.target_at(function).dialect == Dialect::Rust;
    // Larger values are in memory whatever they are made of, in C and in Rust.
    if is_rust && size_of(ty).is_some_and(|size| size > LARGEST_IN_REGISTERS) {
        return Ok(ReturnedIn::Memory);
    }
    let place = match is_rust {
        true => rust_return_place(ty, registers, &mut CalledCode { inferior, function })?,
        false => return_place(ty, registers)?,
    };
    Ok(match place {
        Place::Memory(_) => ReturnedIn::Memory,
        place => ReturnedIn::Registers(place),
    })
}

/// The largest value of Rust that is returned in registers.
const LARGEST_IN_REGISTERS: u64 = 16;

/// The code of a function that is to be called.
struct CalledCode<'i> {
    inferior: &'i mut Inferior,
    function: RunAddr,
}

impl Evidence for CalledCode<'_> {
    /// A caller knows the address: it has made it.
    fn gives_address(&mut self) -> bool {
        true
    }

    fn returns_in(&mut self, registers: &[&str]) -> bool {
        let Some(module) = self.inferior.modules.at(self.function).cloned() else { return false };
        let Some(function) = module.image.function_at(module.link(self.function)) else { return false };
        let run = |address: crate::arch::LinkAddr| address.at(module.bias);
        let is_own = |at: RunAddr| function.ranges.iter().any(|(start, end)| (run(*start)..run(*end)).contains(&at));
        let Inferior { process, modules, .. } = &mut *self.inferior;
        returns_in(registers, self.function, &is_own, process, modules)
            || is_as_written(&module, self.function, process, modules)
    }
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
