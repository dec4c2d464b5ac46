//! What the running kernel can do, told by its name: the same for the object and for whoever prepares its rr.

/// The first Linux whose recorded context switches raise a signal.
const RECORDS_SWITCHES: (u32, u32) = (6, 10);

/// Returns whether recorded context switches raise signals, in a kernel of this name (`/proc/sys/kernel/osrelease`).
pub fn records_switches(release: &str) -> bool {
    let mut numbers = release.split(|c: char| !c.is_ascii_digit()).map_while(|number| number.parse::<u32>().ok());
    numbers.next().zip(numbers.next()).is_some_and(|version| version >= RECORDS_SWITCHES)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kernels_whose_records_of_switches_raise_signals() {
        let raising = ["6.10.0", "6.18.44-fc-v669\n", "7.0-rc1"];
        assert_eq!(raising.map(records_switches), [true; 3]);
        assert_eq!(["6.9.12", "5.19.0-generic", "6", ""].map(records_switches), [false; 4]);
    }
}
