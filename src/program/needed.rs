//! The libraries that a file needs: entries of its dynamic section.

use super::base_name::base_name;
use arch::LinkAddr;
use dwarf::Image;

/// More entries than any linker makes.
const MAX_DYNAMIC_ENTRIES: u64 = 1024;
/// Longest file name (`NAME_MAX`), with its NUL.
const MAX_NAME: usize = 256;

/// `d_tag`s of entries of the dynamic section (`<elf.h>`).
const DT_NULL: u64 = 0;
const DT_NEEDED: u64 = 1;
const DT_STRTAB: u64 = 5;

/// Returns the `DT_NEEDED` entries of a file's dynamic section.
pub fn needed_by(image: &Image) -> Vec<String> {
    let Some(dynamic) = image.dynamic() else {
        return Vec::new();
    };
    let mut strings = None;
    let mut offsets = Vec::new();
    for i in 0..MAX_DYNAMIC_ENTRIES {
        let at = LinkAddr(dynamic.0.wrapping_add(i * 16));
        let Some((tag, value)) = image.file_bytes(at, 16).and_then(|entry| entry.split_first_chunk::<8>()) else {
            break;
        };
        let value = value.try_into().map(u64::from_le_bytes).unwrap_or(0);
        match u64::from_le_bytes(*tag) {
            DT_NULL => break,
            DT_NEEDED => offsets.push(value),
            DT_STRTAB => strings = Some(LinkAddr(value)),
            _ => {}
        }
    }
    let name = |offset: u64| {
        let start = LinkAddr(strings?.0.wrapping_add(offset));
        // The table goes on behind the last name, but perhaps not for this long.
        let text = [MAX_NAME, 64, 32, 16, 8].iter().find_map(|len| image.file_bytes(start, *len))?;
        let end = memchr::memchr(0, text)?;
        Some(base_name(&String::from_utf8_lossy(&text[..end])).to_owned())
    };
    offsets.into_iter().filter_map(name).collect()
}
