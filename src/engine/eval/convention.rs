//! Whether a function takes its arguments as its type says. An optimiser that knows all callers of a function leaves
//! some of them out, and takes parts of others: then the debug info has its parameters elsewhere, or nowhere.

use crate::arch::{LinkAddr, RunAddr, reads_unpassed};
use crate::ctype::{Dialect, Type};
use crate::dwarf::{EntryParameter, EntryPlace, Function};
use crate::engine::eval::inferior::Inferior;
use crate::engine::modules::loaded::Module;
use crate::engine::stack::guess::{Code, is_as_written};

/// Parts of the names that GCC gives to copies of functions with other parameters.
const CHANGED: [&str; 4] = [".isra.", ".constprop.", ".part.", ".cold"];

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
enum Mismatch {
    /// The debug info has a parameter, at this index, elsewhere.
    Elsewhere(usize),
    /// It has it nowhere.
    Nowhere(usize),
}

impl Inferior {
    /// Fails if a function is known not to take its arguments where its type says, or if that is not known of one whose
    /// callers the compiler may all have known.
    pub(super) fn check_convention(&mut self, address: RunAddr, passing: &Passing<'_>) -> Result<(), String> {
        let Some(module) = self.modules.at(address).cloned() else { return Ok(()) };
        let link = module.link(address);
        let why = |what: &str| Err(format!("the compiler has changed how it takes its arguments ({what})"));
        let symbol = module.image.symbol_at(link).filter(|symbol| symbol.address == link);
        if let Some(symbol) = &symbol
            && let Some(part) = CHANGED.iter().find(|part| symbol.name.contains(*part))
        {
            return why(&format!("{}, {part}", symbol.name));
        }
        let Some(function) = module.image.function_at(link).filter(|function| function.entry == link) else {
            return Ok(());
        };
        let Some(die) = function.die else { return Ok(()) };
        if module.image.is_called_otherwise(die) {
            return why("DW_CC_nocall");
        }
        if self.target_at(address).dialect == Dialect::Rust
            && let Some(register) = self.reads_unpassed(&module, &function, passing.general)
        {
            return Err(format!(
                "it takes more than its parameters: it reads register {register}, as functions with #[track_caller] do"
            ));
        }
        // Of what others can call, the convention is the platform's.
        let is_exported = symbol.is_some_and(|symbol| !symbol.is_local) || is_exported(&module, &function, link);
        if is_exported && matches!(module.image.language_at(link), Some("c" | "c++")) {
            return Ok(());
        }
        let parameters = module.image.entry_parameters(die, link);
        let declared = match module.image.function_type(die).as_deref() {
            Some(Type::Function { parameters, .. }) => parameters.len(),
            _ => 0,
        };
        let name = |n: usize| match parameters.get(n).and_then(|parameter| parameter.name.as_deref()) {
            Some(name) => format!("`{name}`"),
            None => format!("parameter {}", n + 1),
        };
        match mismatch(&parameters, declared, passing.arguments) {
            None => Ok(()),
            Some(Mismatch::Elsewhere(n)) => why(&format!("{} is elsewhere", name(n))),
            Some(Mismatch::Nowhere(_)) if is_as_written(&module, address, &mut self.process, &self.modules) => Ok(()),
            Some(Mismatch::Nowhere(n)) => Err(format!(
                "it is not known how it takes its arguments: the compiler may have changed that, and the debug info \
                 does not tell where {} is at its start",
                name(n)
            )),
        }
    }

    fn reads_unpassed(&mut self, module: &Module, function: &Function, passed: usize) -> Option<&'static str> {
        let run = |address: LinkAddr| address.at(module.bias);
        let is_own = |at: RunAddr| function.ranges.iter().any(|(start, end)| (run(*start)..run(*end)).contains(&at));
        let arch = self.process.arch();
        let mut program = Code { process: &mut self.process, modules: &self.modules };
        reads_unpassed(arch, run(function.entry), passed, &is_own, &mut program)
    }
}

/// Returns whether other files can name a function.
fn is_exported(module: &Module, function: &Function, entry: LinkAddr) -> bool {
    let name = function.linkage_name.as_deref().unwrap_or(&function.name);
    module.image.symbols_spelled(name).iter().any(|symbol| symbol.address == entry && !symbol.is_local)
}

/// Compares where the debug info has the parameters with where the arguments are put. `declared`: how many its type has.
fn mismatch(parameters: &[EntryParameter], declared: usize, arguments: &[Vec<Arrival>]) -> Option<Mismatch> {
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
