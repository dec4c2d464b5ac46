//! Whether the callers of a function use what it returns.
//!
//! An optimiser that knows all callers of a function removes a result that none of them uses. What is left in the
//! register is then whatever the function had there: a load that is done for its own sake, an operand of inline assembly.
//! So only a caller proves that there is a result. A function that no instruction calls is called through a pointer, and
//! its result is there.

use crate::transfers::{Transfer, TransferKind, transfers_to};
use arch::{Arch, LinkAddr, MAX_INSTRUCTION, Program, RunAddr, UseOfResult, decode, use_of_result};
use ctype::Type;
use dwarf::{Function, Image};

/// The registers that values are returned in.
const REGISTERS: [&str; 4] = ["rax", "rdx", "xmm0", "xmm1"];
/// Longest chain of functions that return the result of the next.
const MOST_RETURNED: usize = 4;

/// Returns the registers in which some caller of the function at an address uses what it returns; all of them if it is
/// called only through pointers, none if that cannot be told.
pub fn used_results(image: &Image, arch: Arch, entry: LinkAddr) -> Vec<&'static str> {
    match image.function_at(entry).filter(|_| arch == Arch::X86_64) {
        Some(function) => used(image, &function, MOST_RETURNED),
        None => Vec::new(),
    }
}

fn used(image: &Image, function: &Function, depth: usize) -> Vec<&'static str> {
    let Some(transfers) = transfers_to(image, function.entry) else { return Vec::new() };
    let (mut all, mut has_calls) = (Vec::new(), false);
    for Transfer { at, next, kind } in transfers {
        let Some(caller) = image.function_at(at).filter(|caller| is_instruction(image, caller, at)) else { continue };
        has_calls = true;
        let is_own = |at: RunAddr| caller.ranges.iter().any(|(start, end)| (start.0..end.0).contains(&at.0));
        let behind = RunAddr(next.0);
        let use_of = |register: &str| match kind {
            TransferKind::Jump => UseOfResult::Returned,
            TransferKind::Call => use_of_result(Arch::X86_64, behind, register, &is_own, &mut Code(image)),
        };
        // What the caller returns in its turn is used where that is. A function that repeats itself is no caller.
        let is_other = caller.entry != function.entry && returns_something(image, &caller);
        let mut of_caller: Option<Vec<&'static str>> = None;
        let results_of_caller = || match image.may_lack_result(caller.entry) {
            false => REGISTERS.to_vec(),
            true if depth > 0 => used(image, &caller, depth - 1),
            true => Vec::new(),
        };
        for register in REGISTERS {
            let is_used = match use_of(register) {
                UseOfResult::Read => true,
                UseOfResult::Returned if is_other => {
                    of_caller.get_or_insert_with(results_of_caller).contains(&register)
                }
                UseOfResult::Returned | UseOfResult::None => false,
            };
            if is_used && !all.contains(&register) {
                all.push(register);
            }
        }
    }
    if has_calls { all } else { REGISTERS.to_vec() }
}

fn returns_something(image: &Image, function: &Function) -> bool {
    let ty = function.die.and_then(|die| image.function_type(die));
    match ty.as_deref() {
        Some(Type::Function { result, .. }) => !matches!(*result.get(), Type::Void),
        _ => false,
    }
}

/// Returns whether an instruction of a function begins at an address: other instructions may have the same bytes in them.
fn is_instruction(image: &Image, function: &Function, at: LinkAddr) -> bool {
    let range = function.ranges.iter().find(|(start, end)| (start.0..end.0).contains(&at.0));
    let Some((start, end)) = range else { return false };
    let Some(code) = image.file_bytes(*start, usize::try_from(end.0 - start.0).unwrap_or(usize::MAX)) else {
        return false;
    };
    let mut offset = 0;
    let to = at.0 - start.0;
    while offset < to {
        let rest = code.get(offset as usize..).unwrap_or_default();
        let Some(next) = decode(Arch::X86_64, rest, RunAddr(start.0 + offset)).filter(|next| next.length > 0) else {
            return false;
        };
        offset += next.length;
    }
    offset == to
}

/// Code as the file has it.
struct Code<'a>(&'a Image);

impl Program for Code<'_> {
    fn code(&mut self, at: RunAddr) -> Vec<u8> {
        let lengths = (1..=MAX_INSTRUCTION).rev();
        let found = lengths.into_iter().find_map(|length| self.0.file_bytes(LinkAddr(at.0), length));
        found.map(<[u8]>::to_vec).unwrap_or_default()
    }

    fn word(&mut self, _address: u64) -> Option<u64> {
        None
    }

    fn is_return_address(&mut self, _address: u64) -> bool {
        false
    }
}
