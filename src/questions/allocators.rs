//! The functions that allocate memory and free it: what they are given, and what they give.

use super::copies::Copies;
use super::error::Error;
use super::place::{Asked, Functions};
use super::program::Program;

/// How many bytes a call allocates, by the arguments in registers, from 0 on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Size {
    /// So many as this argument says.
    Argument(usize),
    /// So many as the product of both.
    Product(usize, usize),
}

impl Size {
    /// Returns the number of bytes; `None` if it is none.
    pub(super) fn of(self, arguments: &[u64]) -> Option<u64> {
        let argument = |number: usize| arguments.get(number).copied();
        match self {
            Self::Argument(number) => argument(number),
            Self::Product(one, other) => argument(one)?.checked_mul(argument(other)?),
        }
    }
}

/// The effect of an allocator's function on blocks of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// It returns a new one.
    Allocates(Size),
    /// It returns one with the content of that at this argument, which is freed: possibly at the same address.
    Resizes(usize, Size),
    /// It frees the one at its first argument.
    Frees,
}

impl Role {
    /// Returns how many bytes a call allocates.
    pub(super) fn size(self, arguments: &[u64]) -> Option<u64> {
        match self {
            Self::Allocates(size) | Self::Resizes(_, size) => size.of(arguments),
            Self::Frees => None,
        }
    }

    /// Returns the block that a call frees; `None` if it frees none.
    pub(super) fn freed(self, arguments: &[u64]) -> Option<u64> {
        let block = match self {
            Self::Allocates(_) => None,
            Self::Resizes(number, _) => arguments.get(number).copied(),
            Self::Frees => arguments.first().copied(),
        };
        block.filter(|block| *block != 0)
    }
}

const FIRST: Size = Size::Argument(0);
const SECOND: Size = Size::Argument(1);

/// The functions of the C and C++ libraries, as the linker spells them (Itanium C++ ABI, section 5.1.5: `nw`, `na`,
/// `dl`, `da`).
const OF_LIBRARIES: [(&str, Role); 37] = [
    ("malloc", Role::Allocates(FIRST)),
    ("calloc", Role::Allocates(Size::Product(0, 1))),
    ("realloc", Role::Resizes(0, SECOND)),
    ("reallocarray", Role::Resizes(0, Size::Product(1, 2))),
    ("aligned_alloc", Role::Allocates(SECOND)),
    ("memalign", Role::Allocates(SECOND)),
    ("valloc", Role::Allocates(FIRST)),
    ("pvalloc", Role::Allocates(FIRST)),
    ("free", Role::Frees),
    ("cfree", Role::Frees),
    ("free_sized", Role::Frees),
    ("free_aligned_sized", Role::Frees),
    ("mmap", Role::Allocates(SECOND)),
    ("mmap64", Role::Allocates(SECOND)),
    ("munmap", Role::Frees),
    ("_Znwm", Role::Allocates(FIRST)),
    ("_Znam", Role::Allocates(FIRST)),
    ("_ZnwmSt11align_val_t", Role::Allocates(FIRST)),
    ("_ZnamSt11align_val_t", Role::Allocates(FIRST)),
    ("_ZnwmRKSt9nothrow_t", Role::Allocates(FIRST)),
    ("_ZnamRKSt9nothrow_t", Role::Allocates(FIRST)),
    ("_ZnwmSt11align_val_tRKSt9nothrow_t", Role::Allocates(FIRST)),
    ("_ZnamSt11align_val_tRKSt9nothrow_t", Role::Allocates(FIRST)),
    ("_ZdlPv", Role::Frees),
    ("_ZdaPv", Role::Frees),
    ("_ZdlPvm", Role::Frees),
    ("_ZdaPvm", Role::Frees),
    ("_ZdlPvSt11align_val_t", Role::Frees),
    ("_ZdaPvSt11align_val_t", Role::Frees),
    ("_ZdlPvmSt11align_val_t", Role::Frees),
    ("_ZdaPvmSt11align_val_t", Role::Frees),
    ("_ZdlPvRKSt9nothrow_t", Role::Frees),
    ("_ZdaPvRKSt9nothrow_t", Role::Frees),
    ("_ZdlPvSt11align_val_tRKSt9nothrow_t", Role::Frees),
    ("_ZdaPvSt11align_val_tRKSt9nothrow_t", Role::Frees),
    ("sbrk", Role::Allocates(FIRST)),
    ("__libc_memalign", Role::Allocates(SECOND)),
];

/// The functions through which Rust's standard library allocates, without the path that compilers put before them.
const OF_RUST: [(&str, Role); 4] = [
    ("__rust_alloc", Role::Allocates(FIRST)),
    ("__rust_alloc_zeroed", Role::Allocates(FIRST)),
    ("__rust_realloc", Role::Resizes(0, Size::Argument(3))),
    ("__rust_dealloc", Role::Frees),
];

/// Returns the functions of a program that allocate and free, in the order of modules and addresses, and what each does.
///
/// # Errors
/// If the program has no function that allocates or frees.
pub(super) fn allocators(program: &Program) -> Result<(Functions, Vec<Role>), Error> {
    let mut all: Vec<(Asked, Role)> = Vec::new();
    let untyped = |module, function| Asked { module, function, is_choice: false, is_untyped: true };
    for (number, module) in program.user().filter(|(_, module)| !module.is_interpreter) {
        for (name, role) in OF_LIBRARIES {
            let symbols = module.image.symbols_named(name).into_iter();
            let code = symbols.filter(|symbol| symbol.is_code && symbol.address.0 != 0);
            let functions = code.filter_map(|symbol| module.image.function_at(symbol.address));
            all.extend(functions.map(|function| (untyped(number, function), role)));
        }
        if module.is_program() {
            let is_it = |name: &str| of_rust(name).is_some();
            for function in module.image.functions_called(&mut |name| is_it(name)) {
                if let Some(role) = of_rust(&function.name) {
                    all.push((untyped(number, function), role));
                }
            }
        }
    }
    if all.is_empty() {
        return Err(Error::question(
            "the recording has no allocator whose functions have symbols: malloc, operator new",
        ));
    }
    all.sort_by_key(|(asked, _)| (asked.module, asked.function.entry));
    all.dedup_by_key(|(asked, _)| (asked.module, asked.function.entry));
    let (all, roles) = all.into_iter().unzip();
    Ok((Functions { all, copies: Copies::default(), note: None }, roles))
}

/// Returns what a function of Rust's standard library does, by its readable name: `__rustc::__rust_alloc`.
fn of_rust(name: &str) -> Option<Role> {
    let bare = name.rsplit("::").next().unwrap_or(name);
    OF_RUST.iter().find(|(name, _)| *name == bare).map(|(_, role)| *role)
}

/// Returns the name by which programs call an allocator: `malloc` of `__libc_malloc`.
pub(super) fn usual_name(name: &str) -> &str {
    let bare = name.strip_prefix("__libc_").or_else(|| name.strip_prefix("__GI_"));
    bare.filter(|bare| OF_LIBRARIES.iter().any(|(name, _)| name == bare)).unwrap_or(name)
}

/// Returns whether the function of this name allocates memory.
pub(super) fn allocates(name: &str) -> bool {
    let name = name.split('(').next().unwrap_or(name);
    let bare = usual_name(name);
    let is_allocator = |(name, role): &(&str, Role)| *name == bare && *role != Role::Frees;
    OF_LIBRARIES.iter().any(is_allocator)
        || ["operator new", "__rust_alloc", "__rust_realloc", "alloc::alloc::alloc"]
            .iter()
            .any(|start| bare.starts_with(start))
        || bare.starts_with("__rustc[") && bare.contains("__rust_alloc")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn allocators_are_recognised_by_their_names() {
        assert!(allocates("malloc") && allocates("operator new(unsigned long)") && allocates("__libc_malloc"));
        assert!(!allocates("mallocs") && !allocates("free") && !allocates("operator delete(void*)"));
        assert_eq!((usual_name("__libc_free"), usual_name("__libc_start_main")), ("free", "__libc_start_main"));
        assert_eq!(of_rust("__rustc::__rust_realloc"), Some(Role::Resizes(0, Size::Argument(3))));
        assert_eq!(of_rust("__rustc::__rust_alloc_error_handler"), None);
    }

    #[test]
    fn calls_say_how_many_bytes_they_allocate_and_what_they_free() {
        let resizes = Role::Resizes(0, Size::Product(1, 2));
        assert_eq!((resizes.size(&[16, 3, 8]), resizes.freed(&[16, 3, 8])), (Some(24), Some(16)));
        assert_eq!((resizes.size(&[16, u64::MAX, 8]), resizes.freed(&[0, 3, 8])), (None, None));
        assert_eq!((Role::Frees.size(&[16]), Role::Frees.freed(&[16])), (None, Some(16)));
    }
}
