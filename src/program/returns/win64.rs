//! Where functions with Microsoft's calling convention for x86-64 return values (`ms_abi`): "x64 calling convention",
//! "Return values".

use arch::Registers;
use ctype::layout::{is_vector, strip};
use ctype::{Encoding, Place, Type, TypeRef, is_returned_by_address};

/// Returns where the value of a type of that size is, now that a function has just returned it; the error says why that
/// is not known.
pub(super) fn return_place(ty: &TypeRef, size: u64, registers: &Registers) -> Result<Place, String> {
    let unclear = || Err("compilers return its type differently by the Microsoft calling convention".to_owned());
    let register = match &*strip(ty) {
        Type::Record(_) if is_returned_by_address(ty)? || !matches!(size, 1 | 2 | 4 | 8) => {
            let address = registers.value("rax").ok_or("rax is not known")?;
            return Ok(Place::Memory(address));
        }
        Type::Base { encoding: Encoding::Float, .. } if size <= 8 => "xmm0",
        _ if is_vector(ty) && size == 16 => "xmm0",
        // Vectors of other sizes among them, and numbers of two parts.
        Type::Array { .. } | Type::Base { encoding: Encoding::ComplexFloat, .. } => return unclear(),
        _ if size > 8 => return unclear(),
        _ => "rax",
    };
    let bytes = registers.bytes(register).ok_or_else(|| format!("{register} is not known"))?;
    Ok(Place::Bytes(bytes.iter().copied().map(Some).take(usize::try_from(size).unwrap_or(0)).collect()))
}
