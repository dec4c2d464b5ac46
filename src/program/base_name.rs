//! File names without their directories.

/// Returns the last component of a path of the recorded machine.
pub fn base_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base_names() {
        assert_eq!(base_name("/lib/x86_64-linux-gnu/libc.so.6"), "libc.so.6");
        assert_eq!(base_name("plain"), "plain");
    }
}
