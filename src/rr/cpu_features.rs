//! What processors can do, as far as programs make use of it, by the names that `/proc/cpuinfo` has for it.

/// A processor, as its instruction CPUID describes it: this one, or the one of a recording.
pub(super) trait Processor {
    /// Returns what the processor answers in EAX, EBX, ECX and EDX to this question in EAX and ECX.
    fn answer(&self, leaf: u32, sub: u32) -> Option<[u32; 4]>;

    /// Returns the parts of its state that the system makes use of, by their bits; zero if that is not known.
    fn xcr0(&self) -> u64;
}

/// Where a register of an answer is.
struct CpuidRegister {
    leaf: u32,
    sub: u32,
    register: usize,
}

const fn cpuid_register(leaf: u32, sub: u32, register: usize) -> CpuidRegister {
    CpuidRegister { leaf, sub, register }
}

const EAX: usize = 0;
const EBX: usize = 1;
const ECX: usize = 2;
const EDX: usize = 3;

/// Instructions that a program can execute without asking the system, and the bits that say so.
const FEATURES: [(CpuidRegister, &[(u32, &str)]); 9] = [
    (
        cpuid_register(1, 0, ECX),
        &[
            (0, "pni"),
            (1, "pclmulqdq"),
            (9, "ssse3"),
            (12, "fma"),
            (13, "cx16"),
            (19, "sse4_1"),
            (20, "sse4_2"),
            (22, "movbe"),
            (23, "popcnt"),
            (25, "aes"),
            (26, "xsave"),
            (28, "avx"),
            (29, "f16c"),
            (30, "rdrand"),
        ],
    ),
    (
        cpuid_register(7, 0, EBX),
        &[
            (0, "fsgsbase"),
            (3, "bmi1"),
            (5, "avx2"),
            (8, "bmi2"),
            (11, "rtm"),
            (14, "mpx"),
            (16, "avx512f"),
            (17, "avx512dq"),
            (18, "rdseed"),
            (19, "adx"),
            (21, "avx512ifma"),
            (23, "clflushopt"),
            (24, "clwb"),
            (26, "avx512pf"),
            (27, "avx512er"),
            (28, "avx512cd"),
            (29, "sha_ni"),
            (30, "avx512bw"),
            (31, "avx512vl"),
        ],
    ),
    (
        cpuid_register(7, 0, ECX),
        &[
            (1, "avx512vbmi"),
            (4, "ospke"),
            (5, "waitpkg"),
            (6, "avx512_vbmi2"),
            (7, "shstk"),
            (8, "gfni"),
            (9, "vaes"),
            (10, "vpclmulqdq"),
            (11, "avx512_vnni"),
            (12, "avx512_bitalg"),
            (14, "avx512_vpopcntdq"),
            (22, "rdpid"),
            (25, "cldemote"),
            (27, "movdiri"),
            (28, "movdir64b"),
        ],
    ),
    (
        cpuid_register(7, 0, EDX),
        &[
            (2, "avx512_4vnniw"),
            (3, "avx512_4fmaps"),
            (8, "avx512_vp2intersect"),
            (14, "serialize"),
            (22, "amx_bf16"),
            (23, "avx512_fp16"),
            (24, "amx_tile"),
            (25, "amx_int8"),
        ],
    ),
    (
        cpuid_register(7, 1, EAX),
        &[
            (0, "sha512"),
            (1, "sm3"),
            (2, "sm4"),
            (4, "avx_vnni"),
            (5, "avx512_bf16"),
            (21, "amx_fp16"),
            (23, "avx_ifma"),
        ],
    ),
    (cpuid_register(7, 1, EDX), &[(4, "avx_vnni_int8"), (5, "avx_ne_convert"), (10, "avx_vnni_int16"), (19, "avx10")]),
    (cpuid_register(13, 1, EAX), &[(0, "xsaveopt"), (1, "xsavec"), (2, "xgetbv1")]),
    (
        cpuid_register(0x8000_0001, 0, ECX),
        &[
            (0, "lahf_lm"),
            (5, "abm"),
            (6, "sse4a"),
            (8, "3dnowprefetch"),
            (11, "xop"),
            (15, "lwp"),
            (16, "fma4"),
            (21, "tbm"),
            (29, "mwaitx"),
        ],
    ),
    (cpuid_register(0x8000_0001, 0, EDX), &[(22, "mmxext"), (27, "rdtscp"), (30, "3dnowext"), (31, "3dnow")]),
];

/// Lists what one processor can do and another one cannot.
pub(super) fn missing(in_one: &dyn Processor, in_other: &dyn Processor) -> Vec<&'static str> {
    let mut names = Vec::new();
    for (CpuidRegister { leaf, sub, register }, bits) in &FEATURES {
        let word = |processor: &dyn Processor| {
            let answer = processor.answer(*leaf, *sub).unwrap_or_default();
            answer.get(*register).copied().unwrap_or_default()
        };
        let lost = word(in_one) & !word(in_other);
        names.extend(bits.iter().filter(|(bit, _)| lost >> bit & 1 != 0).map(|(_, name)| *name));
    }
    names
}

/// The processor that this runs on.
pub(super) struct This;

#[cfg(target_arch = "x86_64")]
impl Processor for This {
    fn answer(&self, leaf: u32, sub: u32) -> Option<[u32; 4]> {
        use std::arch::x86_64::{__cpuid, __cpuid_count};
        // The first question of each range is answered with the number of the last one.
        if leaf > __cpuid(leaf & 0x8000_0000).eax {
            return None;
        }
        let answer = __cpuid_count(leaf, sub);
        Some([answer.eax, answer.ebx, answer.ecx, answer.edx])
    }

    fn xcr0(&self) -> u64 {
        const OSXSAVE: u32 = 1 << 27;
        if self.answer(1, 0).is_none_or(|[_, _, ecx, _]| ecx & OSXSAVE == 0) {
            return 0;
        }
        let (low, high): (u32, u32);
        // SAFETY: reads a register; that this is possible is what the bit says.
        unsafe { std::arch::asm!("xgetbv", in("ecx") 0, out("eax") low, out("edx") high, options(nomem, nostack)) };
        u64::from(high) << 32 | u64::from(low)
    }
}

#[cfg(not(target_arch = "x86_64"))]
impl Processor for This {
    fn answer(&self, _: u32, _: u32) -> Option<[u32; 4]> {
        None
    }

    fn xcr0(&self) -> u64 {
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Fake(&'static [(u32, u32, [u32; 4])]);

    impl Processor for Fake {
        fn answer(&self, leaf: u32, sub: u32) -> Option<[u32; 4]> {
            self.0.iter().find(|(l, s, _)| (*l, *s) == (leaf, sub)).map(|(_, _, answer)| *answer)
        }

        fn xcr0(&self) -> u64 {
            7
        }
    }

    #[test]
    fn what_a_processor_lacks_is_named_as_cpuinfo_names_it() {
        let server = Fake(&[(1, 0, [0, 0, 1 << 28 | 1 << 31, 0]), (7, 0, [0, 1 << 5 | 1 << 16, 1 << 8, 0])]);
        let small = Fake(&[(1, 0, [0, 0, 1 << 28, 0]), (7, 0, [0, 1 << 5 | 1 << 29, 0, 0])]);
        assert_eq!(missing(&server, &small), ["avx512f", "gfni"]);
        assert_eq!(missing(&small, &server), ["sha_ni"]);
        assert_eq!(missing(&server, &Fake(&[])), ["avx", "avx2", "avx512f", "gfni"]);
    }

    #[test]
    fn the_names_are_those_that_the_kernel_uses() {
        let cpuinfo = std::fs::read_to_string("/proc/cpuinfo").unwrap();
        let Some(flags) = cpuinfo.lines().find(|line| line.starts_with("flags")) else { return };
        let flags: Vec<_> = flags.split(' ').collect();
        // The kernel hides what it makes no use of, or has been told to hide; what it shows, we know the bit of.
        let has = missing(&This, &Fake(&[]));
        let named = FEATURES.iter().flat_map(|(_, bits)| *bits).map(|(_, name)| *name);
        let shown: Vec<_> = named.filter(|name| flags.contains(name)).collect();
        assert!(shown.iter().all(|name| has.contains(name)), "{shown:?} {has:?}");
        assert!(shown.contains(&"cx16"), "{shown:?}");
        assert_eq!(missing(&This, &This), Vec::<&str>::new());
    }
}
