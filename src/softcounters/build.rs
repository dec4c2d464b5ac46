//! Compiles the object that is preloaded into rr, with nothing but the compiler cargo itself uses.
//!
//! The object is a crate of its own (`shim/lib.rs`) without dependencies. It exists on x86-64 Linux with glibc only;
//! elsewhere an empty file takes its place and the cfg `soft_counters` is not set.

use std::env;
use std::error::Error;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

fn main() -> Result<(), Box<dyn Error>> {
    let sources = PathBuf::from(variable("CARGO_MANIFEST_DIR")?).join("shim");
    let object = PathBuf::from(variable("OUT_DIR")?).join("softcounters.so");
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed={}", sources.display());
    println!("cargo::rustc-check-cfg=cfg(soft_counters)");

    if is_supported() {
        compile(&sources, &object)?;
        println!("cargo::rustc-cfg=soft_counters");
    } else {
        std::fs::write(&object, b"")?;
    }
    Ok(())
}

fn variable(name: &str) -> Result<OsString, String> {
    env::var_os(name).ok_or_else(|| format!("cargo did not set {name}"))
}

fn is_supported() -> bool {
    let is = |name, value| env::var(name).is_ok_and(|found| found == value);
    is("CARGO_CFG_TARGET_ARCH", "x86_64")
        && is("CARGO_CFG_TARGET_OS", "linux")
        && is("CARGO_CFG_TARGET_ENV", "gnu")
        && is("CARGO_CFG_TARGET_POINTER_WIDTH", "64")
}

/// Compiles the object, with the same settings in every profile: an unoptimised object would only make every step
/// slower, and flags meant for the crate (sanitizers, coverage, a static libc) would break an object that is loaded
/// into a foreign program.
fn compile(sources: &Path, object: &Path) -> Result<(), Box<dyn Error>> {
    let mut remap = sources.as_os_str().to_owned();
    remap.push("=softcounters");
    let mut command = Command::new(variable("RUSTC")?);
    command.args(["--crate-name", "retrograde_soft_counters", "--crate-type", "cdylib", "--edition", "2024"]);
    command.args(["-O", "-C", "panic=abort", "-C", "codegen-units=1", "-C", "debuginfo=0", "-C", "strip=symbols"]);
    command.arg("--target").arg(variable("TARGET")?);
    command.arg("--remap-path-prefix").arg(remap);
    if let Some(linker) = env::var_os("RUSTC_LINKER") {
        let mut option = OsString::from("linker=");
        option.push(linker);
        command.arg("-C").arg(option);
    }
    command.arg("-o").arg(object).arg(sources.join("lib.rs"));
    // Flags for the crate do not apply, see above.
    command.env_remove("RUSTFLAGS").env_remove("CARGO_ENCODED_RUSTFLAGS");

    let output = command.output().map_err(|error| format!("{command:?}: {error}"))?;
    if !output.status.success() {
        let messages = String::from_utf8_lossy(&output.stderr);
        return Err(format!("{command:?} failed, {}\n{messages}", output.status).into());
    }
    Ok(())
}
