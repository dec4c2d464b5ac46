//! Lines and inline frames of this very test program, by us and by `addr2line`.

use arch::LinkAddr;
use dwarf::{DebugPaths, Image};
use std::path::PathBuf;

/// Addresses looked up. They are spread over all functions of the program.
const PROBES: usize = 400;

#[test]
fn addr2line_sees_the_same_lines_and_inline_frames() {
    let program = std::env::current_exe().unwrap();
    let image = Image::open(&program, &DebugPaths::default()).unwrap();
    let theirs = addr2line::Loader::new(&program).unwrap();
    let text = image.segments().iter().find(|s| s.executable).unwrap();
    let mut compared = 0;
    for i in 0..PROBES as u64 {
        let address = text.address.0 + text.size / PROBES as u64 * i;
        let ours: Vec<(Option<PathBuf>, Option<u32>)> = image
            .inline_chain(LinkAddr(address))
            .into_iter()
            .map(|f| (f.file.map(|f| f.path.clone()), f.line))
            .collect();
        let mut frames = theirs.find_frames(address).unwrap();
        let mut expected = Vec::new();
        while let Some(frame) = frames.next().unwrap() {
            let place = frame.location;
            expected
                .push((place.as_ref().and_then(|l| l.file).map(PathBuf::from), place.as_ref().and_then(|l| l.line)));
        }
        // Code without debug info (the C library's start files) is known to neither. Code that the compiler gave no
        // line has one here, as in GDB: that of the row before it.
        if expected.is_empty() || expected.iter().any(|(file, line)| file.is_none() || line.is_none()) {
            continue;
        }
        assert_eq!(ours, expected, "at {address:#x}");
        compared += 1;
    }
    assert!(compared > PROBES / 2, "only {compared} addresses have lines");
}
