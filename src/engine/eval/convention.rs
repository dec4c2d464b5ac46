//! Whether a function takes its arguments as its type says. An optimiser that knows all callers of a function leaves
//! some of them out, and takes parts of others: then the debug info has its parameters elsewhere, or nowhere.

use crate::modules::loaded::Module;
use arch::LinkAddr;
use dwarf::{EntryParameter, EntryPlace, Function};

/// Parts of the names that GCC gives to copies of functions with other parameters.
pub(super) const CHANGED: [&str; 4] = [".isra.", ".constprop.", ".part.", ".cold"];

/// Where a caller puts an argument, or a part of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Arrival {
    /// In the register with this DWARF number.
    Register(u16),
    /// So many bytes above where the stack pointer is before the call.
    Stack(u64),
}

/// What a caller does.
pub(super) struct Passing<'p> {
    /// Where it puts each argument.
    pub(super) arguments: &'p [Vec<Arrival>],
    /// How many registers for integers and pointers it uses.
    pub(super) general: usize,
}

/// Why a function is not called.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Mismatch {
    /// The debug info has a parameter, at this index, elsewhere.
    Elsewhere(usize),
    /// It has it nowhere.
    Nowhere(usize),
}

/// Returns whether other files can name a function.
pub(super) fn is_exported(module: &Module, function: &Function, entry: LinkAddr) -> bool {
    let name = function.linkage_name.as_deref().unwrap_or(&function.name);
    module.image.symbols_spelled(name).iter().any(|symbol| symbol.address == entry && !symbol.is_local)
}

/// Compares where the debug info has the parameters with where the arguments are put. `declared`: how many its type has.
pub(super) fn mismatch(parameters: &[EntryParameter], declared: usize, arguments: &[Vec<Arrival>]) -> Option<Mismatch> {
    for (n, argument) in arguments.iter().enumerate().take(declared.max(parameters.len())) {
        let Some(parameter) = parameters.get(n) else { return Some(Mismatch::Nowhere(n)) };
        let is_there = match (&parameter.place, argument.as_slice()) {
            (EntryPlace::Nowhere, _) => return Some(Mismatch::Nowhere(n)),
            (EntryPlace::Elsewhere, _) => false,
            // The code puts it there: it looks at it as it was passed.
            (EntryPlace::Frame, _) => true,
            (EntryPlace::Stack(at), [Arrival::Stack(put), ..]) => u64::try_from(*at) == Ok(*put),
            (EntryPlace::Stack(_), _) => false,
            (EntryPlace::Registers(at), put) => {
                at.iter().map(|number| Arrival::Register(*number)).eq(put.iter().copied())
            }
        };
        if !is_there {
            return Some(Mismatch::Elsewhere(n));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    const RDI: u16 = 5;
    const RSI: u16 = 4;

    fn parameters(places: &[EntryPlace]) -> Vec<EntryParameter> {
        places.iter().map(|place| EntryParameter { name: None, place: place.clone() }).collect()
    }

    fn registers(numbers: &[u16]) -> EntryPlace {
        EntryPlace::Registers(numbers.to_vec())
    }

    /// Two integers, a text, and something on the stack.
    fn passed() -> Vec<Vec<Arrival>> {
        vec![
            vec![Arrival::Register(RDI)],
            vec![Arrival::Register(RSI)],
            vec![Arrival::Register(1), Arrival::Register(2)],
            vec![Arrival::Stack(8)],
        ]
    }

    #[test]
    fn parameters_that_are_where_they_are_passed_are_right() {
        let there = [registers(&[RDI]), registers(&[RSI]), registers(&[1, 2]), EntryPlace::Stack(8)];
        assert_eq!(mismatch(&parameters(&there), 4, &passed()), None);
        assert_eq!(mismatch(&parameters(&[const { EntryPlace::Frame }; 4]), 4, &passed()), None);
        // `...` takes the rest; of assembler code there is no type.
        assert_eq!(mismatch(&parameters(&there[..1]), 1, &passed()), None);
        assert_eq!(mismatch(&[], 0, &passed()), None);
    }

    #[test]
    fn parameters_that_the_compiler_has_moved_or_left_out_are_not() {
        // `static int second(int unused, int b)`, of which b comes in edi.
        let second = [EntryPlace::Nowhere, registers(&[RDI])];
        assert_eq!(mismatch(&parameters(&second), 2, &passed()), Some(Mismatch::Nowhere(0)));
        let moved = [registers(&[RSI]), registers(&[RDI])];
        assert_eq!(mismatch(&parameters(&moved), 2, &passed()), Some(Mismatch::Elsewhere(0)));
        // `fn norm(p: &Point)`, which takes p.x and p.y.
        assert_eq!(mismatch(&parameters(&[EntryPlace::Nowhere]), 1, &passed()), Some(Mismatch::Nowhere(0)));
        assert_eq!(mismatch(&[], 1, &passed()), Some(Mismatch::Nowhere(0)));
        // Half of a text.
        let half = [registers(&[RDI]), registers(&[RSI]), registers(&[1])];
        assert_eq!(mismatch(&parameters(&half), 3, &passed()), Some(Mismatch::Elsewhere(2)));
        let stack = [registers(&[RDI]), registers(&[RSI]), registers(&[1, 2]), EntryPlace::Stack(0)];
        assert_eq!(mismatch(&parameters(&stack), 4, &passed()), Some(Mismatch::Elsewhere(3)));
        let elsewhere = [EntryPlace::Elsewhere];
        assert_eq!(mismatch(&parameters(&elsewhere), 1, &passed()), Some(Mismatch::Elsewhere(0)));
    }
}
