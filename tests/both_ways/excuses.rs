//! Differences that are known: what a trace does not collect in advance, and a stop can say.

/// Words of a trace's reason for having no value, and why that is no fault.
const COLLECTED: [(&str, &str); 9] = [
    ("only its callers' frames tell it", "a hit tells of its own frame alone"),
    ("an address that is not a register or pointer plus", "what is followed must be known before the replay"),
    ("what it reads depends on values", "what is followed must be known before the replay"),
    ("bytes at once, and at most", "a hit tells so many bytes of each value"),
    ("follows too many pointers", "a hit tells so many steps"),
    ("uses a register that is not collected", "a hit tells of general and vector registers"),
    ("is not collected", "a hit tells of general and vector registers"),
    ("the thread-local storage of the module cannot be located", "what leads to it in memory is not collected"),
    ("together with the others it needs more", "a hit tells so many values"),
];

/// Returns why it is no fault that a trace has no value where a stop has one, by the trace's reason.
pub fn excused(reason: &str) -> Option<&'static str> {
    COLLECTED.iter().find(|(words, _)| reason.contains(words)).map(|(_, why)| *why)
}

/// Returns why it is no fault that a trace has another value than a stop: a container is shown as its elements at a stop,
/// and as it is made where these were not collected, as how many there are is not known in advance.
pub fn excused_value(stop: &str, traced: &str) -> Option<&'static str> {
    const OF_CONTAINERS: [&str; 3] = ["std::", " of length ", "size="];
    const OF_THEIR_PARTS: [&str; 4] = ["_M_", "__", "RawVec", "NonNull"];
    let is_container = OF_CONTAINERS.iter().any(|words| stop.contains(words));
    let is_raw = OF_THEIR_PARTS.iter().any(|words| traced.contains(words));
    (is_container && is_raw).then_some("elements of a container are not collected, and it is shown as it is made")
}
