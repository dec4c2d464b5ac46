//! Functions of Rust's own library, which a bare name means only where nothing else has it.

use super::Collected;
use crate::module::{self, Loaded};
use arch::LinkAddr;
use base::qualified::QualifiedName;
use dwarf::{Image, SourcePath};
use std::collections::{BTreeMap, BTreeSet};

/// Where functions of Rust's own library are, and whether they are there by themselves: neither inlined nor instances
/// of generic ones.
pub(super) type OfRust = BTreeMap<(usize, LinkAddr), bool>;

/// Returns whether the code at an address, of this source file, is of Rust's own library.
pub(super) fn is_of_rusts_library(image: &Image, address: LinkAddr, file: Option<&SourcePath>) -> bool {
    file.is_some_and(|file| is_source_of_rusts_library(&file.path.to_string_lossy()))
        && image.language_at(address) == Some("rust")
}

/// Returns whether a path is one of the sources of Rust's own library, as it is built and as its sources are installed,
/// or of the crates that are built into it.
fn is_source_of_rusts_library(path: &str) -> bool {
    let built = path.strip_prefix("/rustc/").and_then(|rest| rest.split_once('/'));
    built.is_some_and(|(_, rest)| rest.starts_with("library/"))
        || path.contains("/rustlib/src/rust/library/")
        || path.starts_with("/rust/deps/")
}

/// Leaves those of Rust's own library out that only go by the last part of their name, where anything else has that
/// name: `write` is the function of C, not `core::ptr::write` and hundreds of others. Where that is still to be loaded,
/// the few stay that are there by themselves, as in GDB. Returns what is to be said.
pub(super) fn leave_out<M: Loaded>(
    found: &mut Collected,
    of_rust: &OfRust,
    modules: &[M],
    name: &str,
) -> Option<String> {
    if !QualifiedName::split(name).scopes().is_empty() {
        return None;
    }
    let has_others = of_rust.len() < found.0.len();
    let is_expected = || module::user(modules).any(|(_, module)| module.image().imports(name));
    let is_told = has_others || of_rust.values().any(|is_plain| *is_plain) && is_expected();
    if !is_told {
        return None;
    }
    let left: BTreeSet<(usize, LinkAddr)> =
        of_rust.iter().filter(|(_, is_plain)| has_others || !**is_plain).map(|(at, _)| *at).collect();
    let function = |at: &(usize, LinkAddr)| {
        let (level, image) = (*found.0.get(at)?, modules.get(at.0)?.image());
        image.inline_chain(at.1).into_iter().nth(level).map(|function| function.name)
    };
    let example = left.iter().find_map(function)?;
    found.0.retain(|at, _| !left.contains(at));
    let (many, s) = (left.len(), if left.len() == 1 { "" } else { "s" });
    let later =
        if has_others { String::new() } else { format!("; `{name}` of a library is found once that is loaded") };
    Some(format!(
        "{many} place{s} in functions of Rust's library are left out, such as {example}: name their scope{later}"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_of_rusts_library() {
        for of_rust in [
            "/rustc/90b35a6239c3d8bdabc530a6a0816f7ff89a0aaf/library/core/src/ptr/mod.rs",
            "/root/.rustup/toolchains/stable/lib/rustlib/src/rust/library/std/src/rt.rs",
            "/rust/deps/hashbrown-0.15.2/src/raw/mod.rs",
        ] {
            assert!(is_source_of_rusts_library(of_rust), "{of_rust}");
        }
        for other in [
            "/home/u/library/core/src/main/cpp/io.cc",
            "/home/u/library/alloc/src/lib.rs",
            "/rustc/90b35a6239c3d8bdabc530a6a0816f7ff89a0aaf/compiler/rustc_span/src/lib.rs",
            "/home/u/rustc/1/library/core/src/lib.rs",
        ] {
            assert!(!is_source_of_rusts_library(other), "{other}");
        }
    }
}
