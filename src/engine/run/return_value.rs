//! Where a function that is to be called will return its value.

use crate::eval::call::ReturnedIn;
use crate::eval::inferior::Inferior;
use crate::stack::guess::{is_as_written, returns_in};
use arch::{Registers, RunAddr};
use ctype::layout::size_of;
use ctype::{Dialect, Place, TypeRef};
use program::returns::{Evidence, return_place, return_place_unless_removed, rust_return_place, used_results};

/// Finds where the function at an address returns a value, for whoever calls it: as
/// [`ResultPlace`](crate::eval::call::ResultPlace) says.
pub(crate) fn result_place(
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
    let module = inferior.modules.at(function);
    let may_lack = module.is_some_and(|module| module.image.may_lack_result(module.link(function)));
    let rules = module.map(|module| module.image.return_rules(module.link(function))).unwrap_or_default();
    let mut code = CalledCode { inferior, function };
    let place = match is_rust {
        true => rust_return_place(ty, registers, &mut code)?,
        false if may_lack => return_place_unless_removed(ty, &rules, registers, &mut code)?,
        false => return_place(ty, &rules, registers)?,
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
        let run = |address: arch::LinkAddr| address.at(module.bias);
        let is_own = |at: RunAddr| function.ranges.iter().any(|(start, end)| (run(*start)..run(*end)).contains(&at));
        let Inferior { process, modules, .. } = &mut *self.inferior;
        returns_in(registers, self.function, &is_own, process, modules)
            || is_as_written(&module, self.function, process, modules)
    }

    fn used_in(&mut self) -> Vec<&'static str> {
        let Some(module) = self.inferior.modules.at(self.function).cloned() else { return Vec::new() };
        let arch = self.inferior.process.arch();
        used_results(&module.image, arch, module.link(self.function))
    }
}
