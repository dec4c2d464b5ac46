//! What the machine under the tests can do, and the poorer one that it is to be taken for.
//!
//! `RETROGRADE_TEST_MASK=avx512,avx2` has tests take the processor for one that lacks these features, by the names of
//! `/proc/cpuinfo` or the beginnings of several: programs that need them are left out, and the C library of programs
//! that are recorded uses no routines with them.

/// The features that are to be left alone.
fn masked() -> Vec<String> {
    let mask = std::env::var("RETROGRADE_TEST_MASK").unwrap_or_default();
    mask.split(',').map(|word| word.trim().to_lowercase()).filter(|word| !word.is_empty()).collect()
}

/// Whether the processor has this feature, and it is not masked.
pub fn has(feature: &str) -> bool {
    let cpuinfo = std::fs::read_to_string("/proc/cpuinfo").unwrap();
    let is_masked = masked().iter().any(|mask| feature.starts_with(mask.as_str()));
    !is_masked && cpuinfo.split_whitespace().any(|word| word == feature)
}

/// What has the C library of a program respect the mask.
pub fn tunables() -> Option<(String, String)> {
    const NAMES: [&str; 10] =
        ["avx2", "avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl", "bmi1", "bmi2", "erms", "fsrm"];
    let masked = masked();
    let is_masked = |name: &&str| masked.iter().any(|mask| name.starts_with(mask.as_str()));
    let words: Vec<_> =
        NAMES.iter().filter(|name| is_masked(name)).map(|name| format!("-{}", name.to_uppercase())).collect();
    (!words.is_empty()).then(|| ("GLIBC_TUNABLES".to_owned(), format!("glibc.cpu.hwcaps={}", words.join(","))))
}
