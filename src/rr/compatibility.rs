//! Whether this machine can execute what was recorded on another one: what rr checks at replay, found out before it and
//! said in words, and what it does not check.

use super::counters::Counters;
use super::cpu_features::{Processor, This, missing};
use super::trace_header::{Architecture, Header};

/// CPUID's answer of which some bits are the family and the model of the processor, and those bits: what rr compares.
const MODEL: u32 = 1;
const MODEL_BITS: u32 = 0xf_0ff0;
/// CPUID's answers on the parts of the processor's state that a program can save at once.
const STATE: u32 = 13;
/// The system makes use of that, in ECX of the first answer.
const OSXSAVE: u32 = 1 << 27;
/// The state can be saved without gaps, in EAX of the second answer about it.
const COMPACT: u32 = 1 << 1;
/// Addresses of programs have so many bits without the means for more of them.
const ADDRESS_BITS: u32 = 47;

impl Processor for Header {
    fn answer(&self, leaf: u32, sub: u32) -> Option<[u32; 4]> {
        Self::answer(self, leaf, sub)
    }

    fn xcr0(&self) -> u64 {
        let all = || self.answer(STATE, 0).map_or(0, |[low, _, _, high]| u64::from(high) << 32 | u64::from(low));
        if self.xcr0 == 0 { all() } else { self.xcr0 }
    }
}

/// What a machine can execute.
pub(super) struct Here<'a> {
    /// As Rust names it.
    pub(super) architecture: &'a str,
    /// Its processor.
    pub(super) processor: &'a dyn Processor,
    /// Its system can make CPUID fault.
    pub(super) cpuid_faulting: bool,
    /// It has addresses of so many bits.
    pub(super) has_addresses: fn(u32) -> bool,
}

impl Here<'_> {
    /// Describes this machine.
    pub(super) fn this() -> Self {
        let cpuinfo = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let cpuid_faulting = can_make_cpuid_fault(&cpuinfo);
        Self { architecture: std::env::consts::ARCH, processor: &This, cpuid_faulting, has_addresses }
    }
}

/// Returns whether the machine can make CPUID fault, by the text of `/proc/cpuinfo`.
fn can_make_cpuid_fault(cpuinfo: &str) -> bool {
    let flags = cpuinfo.lines().find(|line| line.starts_with("flags"));
    flags.is_some_and(|flags| flags.split_whitespace().any(|flag| flag == "cpuid_fault"))
}

/// Returns whether a process has addresses of so many bits. It is tried with a page that is given back at once.
fn has_addresses(bits: u32) -> bool {
    const PAGE: usize = 4096;
    if bits <= ADDRESS_BITS {
        return true;
    }
    let Some(address) = 1usize.checked_shl(bits - 1) else { return false };
    // SAFETY: takes no memory that is in use, which the flag sees to, and makes nothing of the page but give it back.
    unsafe {
        let (flags, at) = (libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_FIXED_NOREPLACE, address as *mut _);
        let page = libc::mmap(at, PAGE, libc::PROT_NONE, flags, -1, 0);
        if page == libc::MAP_FAILED {
            return *libc::__errno_location() == libc::EEXIST;
        }
        libc::munmap(page, PAGE);
        page == at
    }
}

/// Returns why a recording cannot be replayed on this machine with these counters, if it cannot.
pub(super) fn obstacle(header: &Header, here: &Here<'_>, counters: Counters) -> Option<String> {
    let name = match header.architecture {
        Architecture::X86 | Architecture::X86_64 => "x86_64",
        Architecture::Aarch64 => "aarch64",
        Architecture::Unknown => "an architecture that is not known",
    };
    if name != here.architecture {
        return Some(format!("it was recorded on {name}, and this is {}", here.architecture));
    }
    let bits = header.address_bits;
    if !(here.has_addresses)(bits) {
        return Some(format!("its programs use addresses of {bits} bits, which this machine does not have"));
    }
    if here.architecture != "x86_64" {
        return None;
    }
    if header.architecture == Architecture::X86 && counters == Counters::Soft {
        return Some("it was recorded by a 32-bit rr, and soft counters cannot count 32-bit code".to_owned());
    }
    if header.counts_taken_branches && !(counters == Counters::Hardware && counts_taken_branches(here.processor)) {
        let used = counters.description();
        return Some(format!("its ticks are taken branches, and {used} count conditional branches here"));
    }
    different_processor(header, here).or_else(|| different_layout(header, here.processor))
}

/// Returns whether a processor's ticks are taken branches: it is of the family of AMD that is the only one on x86-64 of
/// which rr counts those.
fn counts_taken_branches(processor: &dyn Processor) -> bool {
    const FAMILY: u32 = 0xff0_0f00;
    processor.answer(MODEL, 0).is_some_and(|[eax, ..]| eax & FAMILY == 0x060_0f00)
}

/// Returns why a recording cannot be replayed on another processor, if it cannot. What CPUID answers must be what it
/// was, which rr can only see to where it can make it fault.
fn different_processor(header: &Header, here: &Here<'_>) -> Option<String> {
    if here.cpuid_faulting {
        return None;
    }
    if header.cpuid_faulting {
        return Some(
            "it was recorded where CPUID can be made to fault, and rr needs that to replay it, too: the processor here, \
             or the hypervisor, cannot do it (/proc/cpuinfo has no flag cpuid_fault)"
                .to_owned(),
        );
    }
    let signature = |processor: &dyn Processor| processor.answer(MODEL, 0).map(|[eax, ..]| eax);
    let (there, this) = (signature(header)?, signature(here.processor)?);
    (there & MODEL_BITS != this & MODEL_BITS).then(|| {
        format!(
            "it was recorded on another processor ({}) than this one ({}), and where CPUID could not be made to fault; \
             rr replays it on the same model, or where that can be done (flag cpuid_fault in /proc/cpuinfo)",
            model(there),
            model(this)
        )
    })
}

/// Returns family and model as `/proc/cpuinfo` counts them.
fn model(signature: u32) -> String {
    let family = match signature >> 8 & 0xf {
        0xf => 0xf + (signature >> 20 & 0xff),
        family => family,
    };
    format!("family {family}, model {}", signature >> 12 & 0xf0 | signature >> 4 & 0xf)
}

/// Returns why a recording cannot be replayed for its parts of the state: those that both processors have must be saved
/// at the same places.
fn different_layout(header: &Header, here: &dyn Processor) -> Option<String> {
    let has_state = |processor: &dyn Processor| processor.answer(1, 0).is_some_and(|[_, _, ecx, _]| ecx & OSXSAVE != 0);
    if !has_state(header) || !has_state(here) {
        return None;
    }
    let is_compact = |processor: &dyn Processor| processor.answer(STATE, 1).is_some_and(|[eax, ..]| eax & COMPACT != 0);
    let compact = is_compact(header) && is_compact(here);
    let both = Processor::xcr0(header) & here.xcr0();
    let layout = |processor: &dyn Processor, part: u32| {
        let [size, offset, flags, _] = processor.answer(STATE, part)?;
        Some((size, offset, if compact { flags & 2 } else { 0 }))
    };
    let part = (2..64).find(|part| both >> part & 1 != 0 && layout(header, *part) != layout(here, *part))?;
    let name = match part {
        2 => "avx",
        3 | 4 => "mpx",
        5..=7 => "avx512",
        9 => "pku",
        17 | 18 => "amx",
        _ => "unnamed",
    };
    Some(format!(
        "the processor that it was recorded on saves a part of its state elsewhere (XSAVE, part {part}: {name})"
    ))
}

/// Returns what may make a replay fail, as its programs may have used it: what the processor of the recording could do,
/// and this one cannot.
pub(super) fn doubt(header: &Header, here: &Here<'_>) -> Option<String> {
    let lost = missing(header, here.processor);
    if !lost.is_empty() {
        let lost = lost.join(", ");
        return Some(format!("this processor lacks what the recording's has, and its programs may use: {lost}"));
    }
    let (there, this) = (Processor::xcr0(header), here.processor.xcr0());
    (there != this && there != 0).then(|| {
        format!(
            "the system here makes use of other parts of the processor's state than the recording's (XCR0 {this:#x}, \
             there {there:#x}), and its programs may look at that"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace_header::tests::example;

    /// A machine like that of the example, with this processor.
    fn here(processor: &Header) -> Here<'_> {
        Here { architecture: "x86_64", processor, cpuid_faulting: false, has_addresses: |bits| bits <= 47 }
    }

    fn refusal(header: &Header, here: &Here<'_>) -> Option<String> {
        obstacle(header, here, Counters::Soft)
    }

    #[test]
    fn the_same_machine_can_replay() {
        let header = example();
        assert_eq!((refusal(&header, &here(&header)), doubt(&header, &here(&header))), (None, None));
    }

    #[test]
    fn another_architecture_is_named() {
        let header = Header { architecture: Architecture::Aarch64, ..example() };
        let expected = "it was recorded on aarch64, and this is x86_64";
        assert_eq!(refusal(&header, &here(&example())).as_deref(), Some(expected));
        let arm = Here { architecture: "aarch64", ..here(&header) };
        assert_eq!(obstacle(&header, &arm, Counters::Hardware), None);
        let x86 = Header { architecture: Architecture::X86, ..example() };
        assert!(refusal(&x86, &here(&x86)).unwrap().contains("soft counters cannot count 32-bit code"));
        assert_eq!(obstacle(&x86, &here(&x86), Counters::Hardware), None);
    }

    #[test]
    fn cpuid_that_cannot_be_answered_for_the_recording_is_an_obstacle() {
        let faulting = Header { cpuid_faulting: true, ..example() };
        assert!(refusal(&faulting, &here(&example())).unwrap().contains("no flag cpuid_fault"));
        let able = Here { cpuid_faulting: true, ..here(&faulting) };
        assert_eq!(refusal(&faulting, &able), None);
        let mut zen = example();
        zen.cpuid[0][2] = 0xa0_0f11;
        let said = refusal(&zen, &here(&faulting)).unwrap();
        assert!(said.contains("(family 25, model 1) than this one (family 6, model 85)"), "{said}");
        assert_eq!(refusal(&zen, &able), None);
        // rr compares no steppings.
        let mut later = example();
        later.cpuid[0][2] += 3;
        assert_eq!(refusal(&later, &here(&example())), None);
    }

    #[test]
    fn a_part_of_the_state_in_another_place_is_an_obstacle_if_both_have_it() {
        let mut other = example();
        other.cpuid[2][3] = 640;
        assert!(refusal(&other, &here(&example())).unwrap().ends_with("(XSAVE, part 2: avx)"));
        other.xcr0 = 3;
        assert_eq!(refusal(&other, &here(&example())), None);
        let said = doubt(&other, &here(&example())).unwrap();
        assert!(said.contains("(XCR0 0x7, there 0x3)"), "{said}");
    }

    #[test]
    fn other_ticks_and_wider_addresses_are_obstacles() {
        let header = Header { counts_taken_branches: true, ..example() };
        assert!(
            refusal(&header, &here(&header)).unwrap().starts_with("its ticks are taken branches, and soft counters")
        );
        assert!(obstacle(&header, &here(&header), Counters::Hardware).is_some());
        let mut bulldozer = header;
        bulldozer.cpuid[0][2] = 0x60_0f12;
        assert_eq!(obstacle(&bulldozer, &here(&bulldozer), Counters::Hardware), None);
        let header = Header { address_bits: 57, ..example() };
        assert!(refusal(&header, &here(&header)).unwrap().contains("addresses of 57 bits"));
        assert!(has_addresses(0) && has_addresses(47) && !has_addresses(200));
    }

    #[test]
    fn what_this_processor_lacks_is_a_doubt_and_no_obstacle() {
        let mut small = example();
        small.cpuid[1][3] = 0;
        assert_eq!(refusal(&example(), &here(&small)), None);
        let said = doubt(&example(), &here(&small)).unwrap();
        assert_eq!(said, "this processor lacks what the recording's has, and its programs may use: avx512f");
        assert_eq!(doubt(&small, &here(&example())), None);
    }

    #[test]
    fn the_flag_is_a_word_of_its_own() {
        assert!(can_make_cpuid_fault("processor\t: 0\nflags\t\t: fpu cpuid_fault vme\n"));
        assert!(!can_make_cpuid_fault("flags\t\t: fpu cpuid_faulty\n") && !can_make_cpuid_fault(""));
    }
}
