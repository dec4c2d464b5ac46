//! Telling whether this process is the tracer.
//!
//! A wrapper (`timeout`, `env`, a shell) that starts rr loads the object too and must hand it on. A program that does
//! not import `ptrace` is no tracer.

use std::ffi::{CStr, c_char, c_int, c_void};

/// The fields of glibc's `struct dl_phdr_info` used here.
#[repr(C)]
struct ProgramInfo {
    base: u64,
    name: *const c_char,
    headers: *const ProgramHeader,
    header_count: u16,
}

/// `Elf64_Phdr`.
#[repr(C)]
struct ProgramHeader {
    kind: u32,
    flags: u32,
    offset: u64,
    address: u64,
    physical: u64,
    file_size: u64,
    memory_size: u64,
    align: u64,
}

/// `Elf64_Sym`.
#[repr(C)]
struct Symbol {
    name: u32,
    info: u8,
    other: u8,
    section: u16,
    value: u64,
    size: u64,
}

/// `Elf64_Rela`.
#[repr(C)]
struct Relocation {
    offset: u64,
    info: u64,
    addend: i64,
}

unsafe extern "C" {
    fn dl_iterate_phdr(
        callback: unsafe extern "C" fn(*const ProgramInfo, usize, *mut c_void) -> c_int,
        data: *mut c_void,
    ) -> c_int;
}

/// Returns whether the main program calls `ptrace` through its dynamic symbol table.
pub fn is_tracer() -> bool {
    let mut found = false;
    // SAFETY: the callback fits, and `found` outlives the call.
    unsafe { dl_iterate_phdr(inspect, (&raw mut found).cast()) };
    found
}

/// Looks at the first object, the main program, and ends the iteration.
unsafe extern "C" fn inspect(info: *const ProgramInfo, _size: usize, data: *mut c_void) -> c_int {
    const PT_DYNAMIC: u32 = 2;
    // SAFETY: the dynamic linker describes a loaded object whose tables it has used itself; `data` is our bool.
    unsafe {
        let info = &*info;
        let headers = std::slice::from_raw_parts(info.headers, usize::from(info.header_count));
        if let Some(dynamic) = headers.iter().find(|header| header.kind == PT_DYNAMIC) {
            let section = (info.base + dynamic.address) as *const [u64; 2];
            *data.cast::<bool>() = imports(info.base, section, c"ptrace");
        }
    }
    1
}

/// Returns whether a relocation of the object whose dynamic section this is names `symbol`.
unsafe fn imports(base: u64, section: *const [u64; 2], symbol: &CStr) -> bool {
    const PLT_SIZE: u64 = 2;
    const STRINGS: u64 = 5;
    const SYMBOLS: u64 = 6;
    const RELA: u64 = 7;
    const RELA_SIZE: u64 = 8;
    const PLT_RELA: u64 = 23;
    let value = |wanted: u64| {
        let mut entry = section;
        // SAFETY: a dynamic section ends with an entry whose tag is 0.
        unsafe {
            while (*entry)[0] != 0 {
                if (*entry)[0] == wanted {
                    return (*entry)[1];
                }
                entry = entry.add(1);
            }
        }
        0
    };
    // The dynamic linker may have turned the offsets in the section into addresses already.
    let address = |tag: u64| match value(tag) {
        offset if offset < base => offset + base,
        address => address,
    };
    let (strings, symbols) = (address(STRINGS), address(SYMBOLS));
    if strings == 0 || symbols == 0 {
        return false;
    }
    [(RELA, RELA_SIZE), (PLT_RELA, PLT_SIZE)].into_iter().any(|(table, size)| {
        let relocations = address(table) as *const Relocation;
        let count = value(size) as usize / size_of::<Relocation>();
        // SAFETY: tables of a loaded object, with the sizes it states.
        (0..if relocations.is_null() { 0 } else { count }).any(|index| unsafe {
            let index = ((*relocations.add(index)).info >> 32) as usize;
            let name = (*(symbols as *const Symbol).add(index)).name;
            index != 0 && CStr::from_ptr((strings + u64::from(name)) as *const c_char) == symbol
        })
    })
}
