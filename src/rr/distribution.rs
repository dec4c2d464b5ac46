//! Which package of this Linux distribution has rr.

/// Returns how a user of this distribution installs its rr, in words; `/etc/os-release` says which one it is.
pub fn packaged() -> String {
    of(&std::fs::read_to_string("/etc/os-release").unwrap_or_default())
}

fn of(release: &str) -> String {
    let words = |key: &str| {
        let value = release.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix('='));
        value.unwrap_or("").trim_matches(['"', '\'']).to_owned()
    };
    // What it is comes before what it is like.
    let ids = format!("{} {}", words("ID"), words("ID_LIKE"));
    let command = ids.split_whitespace().find_map(|id| match id {
        "debian" | "ubuntu" => Some("`sudo apt-get install rr`"),
        "fedora" | "rhel" | "centos" => Some("`sudo dnf install rr`"),
        "suse" | "opensuse" => Some("`sudo zypper install rr`"),
        "arch" => Some("the package rr of the AUR"),
        _ => None,
    });
    command.unwrap_or("your distribution's package `rr`").to_owned()
}

#[cfg(test)]
mod tests {
    use super::of;

    #[test]
    fn distributions_are_known_by_what_they_are_like() {
        assert_eq!(of("NAME=\"Debian GNU/Linux\"\nID=debian\n"), "`sudo apt-get install rr`");
        assert_eq!(of("ID=linuxmint\nID_LIKE=\"ubuntu debian\"\n"), "`sudo apt-get install rr`");
        assert_eq!(of("ID=\"rocky\"\nID_LIKE=\"rhel centos fedora\"\n"), "`sudo dnf install rr`");
        assert_eq!(of("ID=\"opensuse-leap\"\nID_LIKE=\"suse opensuse\"\n"), "`sudo zypper install rr`");
        assert_eq!(of("ID=alpine\n"), "your distribution's package `rr`");
        assert_eq!(of(""), "your distribution's package `rr`");
    }
}
