//! A module as names and locations see it.

use arch::LinkAddr;
use dwarf::{Function, Image, SourcePath};
use std::sync::Arc;

/// Functions of libraries that rr's preloaded library has in their place, and does not go on from to the original
/// (`overrides.c` of rr 5.x). Its locks and `dlopen` do: there the original is met.
const REPLACED: [&str; 4] = ["sched_yield", "geteuid", "XShmQueryExtension", "XShmCreateImage"];

/// What a module is to the process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The program itself.
    Program,
    /// The dynamic linker.
    Interpreter,
    /// A shared library.
    Library,
    /// Code that rr put into the process, which the user's program does not contain.
    Rr,
}

/// A module in which names and locations are looked up.
pub trait Loaded: Clone {
    /// Returns its debug info and symbols.
    fn image(&self) -> &Image;

    /// Returns what it is to the process.
    fn role(&self) -> Role;

    /// Returns its file name, for people: `libc.so.6`.
    fn name(&self) -> &str;

    /// Returns whether it is the program, and no library.
    fn is_program(&self) -> bool {
        self.role() == Role::Program
    }

    /// Returns whether both are one file.
    fn is_same(&self, other: &Self) -> bool {
        std::ptr::eq(self.image(), other.image())
    }
}

impl<L: Loaded> Loaded for Arc<L> {
    fn image(&self) -> &Image {
        L::image(self)
    }

    fn role(&self) -> Role {
        L::role(self)
    }

    fn name(&self) -> &str {
        L::name(self)
    }
}

/// Iterates over the modules that the user's program consists of, with their numbers.
pub fn user<M: Loaded>(modules: &[M]) -> impl Iterator<Item = (usize, &M)> {
    modules.iter().enumerate().filter(|(_, module)| module.role() != Role::Rr)
}

/// Returns whether the program calls a function of rr's under this name.
pub fn is_replaced(name: &str) -> bool {
    REPLACED.contains(&name)
}

/// Finds rr's own versions of a function of the C library, which the program calls instead of that: the numbers of
/// modules and addresses there.
pub fn replacing<M: Loaded>(modules: &[M], name: &str) -> Vec<(usize, LinkAddr)> {
    if !is_replaced(name) {
        return Vec::new();
    }
    let of_rr = modules.iter().enumerate().filter(|(_, module)| module.role() == Role::Rr);
    let symbols = of_rr.flat_map(|(number, m)| m.image().symbols_named(name).into_iter().map(move |s| (number, s)));
    symbols.filter(|(_, symbol)| symbol.is_code && symbol.address.0 != 0).map(|(n, s)| (n, s.address)).collect()
}

/// Returns the file that a function's code comes from.
pub fn file_of(image: &Image, function: &Function) -> Option<Arc<SourcePath>> {
    image.line_at(function.entry).map(|row| row.file).or_else(|| function.file.clone())
}

/// Returns the source file of a program's `main`, by its absolute path.
pub fn file_of_main(program: &Image) -> Option<String> {
    // Not worth waiting for any other of that name.
    let early = program.functions_by_symbol("main").filter(|found| !found.is_empty());
    let main = early.unwrap_or_else(|| program.functions_named("main"));
    Some(file_of(program, main.first()?)?.path.to_string_lossy().into_owned())
}

/// Returns whether a function's code comes from a file of this name, compared from its last component on.
pub fn is_in_file(image: &Image, function: &Function, name: &str) -> bool {
    file_of(image, function).is_some_and(|f| f.path.ends_with(name) || f.name == name)
}
