//! The dynamic linker's list of the modules that have thread-local storage, which says since when a number is that of a
//! module: a thread may still have the storage of the module that had the number before, and that is freed.

use crate::target::process::Process;
use arch::Bias;
use dwarf::Image;

/// No process has a longer list; glibc's first part alone has room for 64 modules.
const MAX_PARTS: usize = 256;

/// Where the list is, and the layout of its parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TlsSlots {
    /// Address of the pointer to the first part.
    list: u64,
    /// Offsets in a part: of the number of its slots, of the pointer to the next part, and of the first slot.
    length: u64,
    next: u64,
    slots: u64,
    /// Size of a slot, and the offset of its generation.
    size: u64,
    generation: u64,
}

impl TlsSlots {
    /// Finds the list by what the C library tells debuggers (`nptl_db` of glibc), among the images of a process and how
    /// far each is from where its file has it. `None` if it does not.
    pub(super) fn of<'a>(images: impl Iterator<Item = (&'a Image, Bias)> + Clone) -> Option<Self> {
        let (c_library, _) = images.clone().find(|(image, _)| offset(image, "dtv_slotinfo_gen").is_some())?;
        let offset = |name: &str| offset(c_library, name);
        let mut all = images;
        let globals = all.find_map(|(image, bias)| Some(image.exported_data("_rtld_global")?.address.at(bias).0))?;
        Some(Self {
            list: globals.checked_add(offset("rtld_global__dl_tls_dtv_slotinfo_list")?)?,
            length: offset("dtv_slotinfo_list_len")?,
            next: offset("dtv_slotinfo_list_next")?,
            slots: offset("dtv_slotinfo_list_slotinfo")?,
            size: u64::from(word(c_library, "sizeof_dtv_slotinfo", 0)?),
            generation: offset("dtv_slotinfo_gen")?,
        })
    }

    /// Returns which generation of the list a module's number is of.
    pub(crate) fn generation(self, process: &mut Process, number: u64) -> Option<u64> {
        let mut part = process.read_u64(self.list)?;
        let mut slot = number;
        for _ in 0..MAX_PARTS {
            let length = process.read_u64(part.checked_add(self.length)?)?;
            if slot < length {
                let at = slot.checked_mul(self.size)?.checked_add(self.slots)?.checked_add(self.generation)?;
                return process.read_u64(part.checked_add(at)?);
            }
            slot -= length;
            part = process.read_u64(part.checked_add(self.next)?)?;
        }
        None
    }
}

/// Returns the offset of a member that is one word of 64 bits or an array: three words of 32 bits describe it, which are
/// the size in bits, the number of elements and the offset.
pub(super) fn offset(image: &Image, member: &str) -> Option<u64> {
    word(image, member, 8).map(u64::from)
}

/// Returns a word of what the C library tells debuggers.
pub(super) fn word(image: &Image, member: &str, at: usize) -> Option<u32> {
    let described = image.exported_data(&format!("_thread_db_{member}"))?;
    let bytes = image.file_bytes(described.address, at.checked_add(4)?)?;
    Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}
