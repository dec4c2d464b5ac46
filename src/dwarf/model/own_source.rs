//! Whose a source file is: the program's own, or of a compiler, a package or the system.

/// Where sources are that came with a compiler, a package manager or the system, parts of paths.
const PARTS: [&str; 9] = [
    "/rustc/",
    "/rustlib/",
    "/.rustup/",
    "/.cargo/",
    "/registry/src/index.crates.io-",
    "/go/pkg/mod/",
    "/nix/store/",
    // The C library as distributions build it.
    "/sysdeps/",
    "/glibc-2.",
];
/// Folders of the C library's sources, which Debian's builds name from there.
const OF_C_LIBRARY: [&str; 14] = [
    "csu",
    "debug",
    "elf",
    "io",
    "libio",
    "malloc",
    "misc",
    "nptl",
    "posix",
    "setjmp",
    "signal",
    "stdio-common",
    "stdlib",
    "string",
];
/// What is below it came with the system,
const SYSTEM: &str = "/usr/";
/// but for this, where containers keep the programs that they are for,
const BUILT_HERE: [&str; 2] = ["src/", "local/src/"];
/// and of that the sources that come with a distribution's debug info.
const OF_DISTRIBUTION: &str = "src/debug/";

/// Returns whether a source file is a program's own, by its path: not one of a compiler, a package or the system.
pub fn is_own_source(path: &str) -> bool {
    let is_of_system = path.strip_prefix(SYSTEM).is_some_and(|rest| {
        rest.starts_with(OF_DISTRIBUTION) || !BUILT_HERE.iter().any(|place| rest.starts_with(place))
    });
    let is_of_c = || {
        let folder = path.strip_prefix("./").and_then(|rest| rest.split_once('/'));
        folder.is_some_and(|(folder, _)| OF_C_LIBRARY.contains(&folder))
    };
    !is_of_system && !is_of_c() && !PARTS.iter().any(|part| path.contains(part))
}

#[cfg(test)]
mod tests {
    use super::is_own_source;

    #[test]
    fn sources_of_the_program() {
        for own in
            ["/home/u/app/main.c", "/usr/src/app/main.c", "/usr/local/src/x.c", "src/lib.rs", "./src/io.c", "main.c"]
        {
            assert!(is_own_source(own), "{own}");
        }
    }

    #[test]
    fn sources_of_others() {
        for other in [
            "/usr/include/c++/12/bits/stl_vector.h",
            "/usr/lib/gcc/x86_64-linux-gnu/12/include/adxintrin.h",
            "/usr/local/include/json.hpp",
            "/usr/local/cargo/registry/src/index.crates.io-6f17d22bba15001f/bytes-1.0/src/lib.rs",
            "/usr/src/debug/glibc-2.38/nptl/pthread_mutex_lock.c",
            "/rustc/90b35a6239c3d8bdabc530a6a0816f7ff89a0aaf/library/core/src/panicking.rs",
            "/root/.rustup/toolchains/stable/lib/rustlib/src/rust/library/std/src/rt.rs",
            "/home/u/.cargo/registry/src/index.crates.io-6f17d22bba15001f/tokio-1.0/src/lib.rs",
            "./nptl/./nptl/pthread_mutex_lock.c",
            "./nptl/../sysdeps/unix/sysv/linux/x86/lowlevellock.h",
            "/build/glibc-SzIz7B/glibc-2.31/nptl/../sysdeps/x86_64/start.S",
            "/nix/store/abc-glibc/csu/start.c",
        ] {
            assert!(!is_own_source(other), "{other}");
        }
    }
}
