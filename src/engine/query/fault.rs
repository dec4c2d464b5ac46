//! What a faulting instruction did: which operand, what is at its address, and what that is in the program's words.

use crate::api::error::Error;
use crate::api::{Fault, Mapping, OVERFLOWED};
use crate::query::parts::part_at;
use crate::query::typed::spelled;
use crate::session::engine::Engine;
use arch::{Divisor, MemoryAccess, RunAddr, Syntax, ThreadId, accesses, divisor};
use ctype::layout::pointer_target;

/// Below this nothing is mapped (`vm.mmap_min_addr`).
const NULL_PAGES: u64 = 0x1_0000;
/// How far below the stack an overflow is found: what one frame has at most, as a rule.
const BELOW_STACK: u64 = 16 << 20;
/// Bytes of a stack of rr's library.
const RR_STACK: u64 = 2 << 20;
const ABOVE_RR_STACK: &str = "not mapped; right above a stack of rr's system-call buffer, on which a signal handler runs that interrupts a \
                              buffered call. A program that takes that stack for its own (conservative garbage collection) fails only \
                              under rr; record it with `syscall_buffer: false` (rr record -n)";
/// How far from the stack pointer a function accesses its frame.
const NEAR_SP: u64 = 1 << 20;

/// A `siginfo_t` of a fault, or of a signal that was sent (`<asm-generic/siginfo.h>`).
pub(super) struct SignalInfo {
    signal: i32,
    code: i32,
    address: u64,
}

impl SignalInfo {
    fn parse(bytes: &[u8]) -> Option<Self> {
        let word = |at: usize| bytes.get(at..at + 4)?.try_into().ok().map(i32::from_le_bytes);
        let address = bytes.get(16..24)?.try_into().ok().map(u64::from_le_bytes)?;
        Some(Self { signal: word(0)?, code: word(8)?, address })
    }

    /// Returns how it was sent, and by which process, which `own` may be; `None` if the kernel has made it, as of a
    /// fault.
    pub(super) fn sender(&self, own: u32) -> Option<String> {
        let how = match self.code {
            0 => "kill",
            -1 => "sigqueue",
            -6 => "raise, tgkill or pthread_kill",
            -2 => return Some("sent by a timer".to_owned()),
            code if code < 0 => return Some(format!("sent, by no instruction's fault (si_code {code})")),
            _ => return None,
        };
        // The process is where a fault has its address.
        let pid = self.address & u64::from(u32::MAX);
        Some(format!("sent with {how} by process {pid}{}", if pid == u64::from(own) { " (itself)" } else { "" }))
    }

    /// Returns the name of its code; `None` where the kernel tells nothing of an address (`SI_KERNEL`, or a signal that
    /// was sent).
    fn cause(&self) -> Option<&'static str> {
        Some(match (self.signal, self.code) {
            (11, 1) => "SEGV_MAPERR",
            (11, 2) => "SEGV_ACCERR",
            (11, 3) => "SEGV_BNDERR",
            (11, 4) => "SEGV_PKUERR",
            (7, 1) => "BUS_ADRALN",
            (7, 2) => "BUS_ADRERR",
            (7, 3) => "BUS_OBJERR",
            (8, 1) => "FPE_INTDIV",
            (8, 2) => "FPE_INTOVF",
            (8, 3) => "FPE_FLTDIV",
            (4, 1) => "ILL_ILLOPC",
            (4, 2) => "ILL_ILLOPN",
            (5, 1) => "TRAP_BRKPT",
            _ => return None,
        })
    }
}

/// Returns whether an address has the form of those of x86-64 with 48 bits.
fn is_canonical(address: u64) -> bool {
    matches!(address >> 47, 0 | 0x1_ffff)
}

/// Says what there is at an address that is no place to execute anything from.
fn not_executable(address: u64, mappings: &[Mapping]) -> Option<String> {
    let here = mappings.iter().find(|mapping| mapping.contains(address) && !mapping.allows('x'))?;
    Some(format!("not executable: {here}"))
}

/// Says what there is at an address. `sp`: the thread's stack pointer.
fn memory_at(address: u64, sp: Option<u64>, mappings: &[Mapping]) -> String {
    let here = mappings.iter().find(|mapping| mapping.contains(address));
    let stack = sp.and_then(|sp| {
        let above = mappings.iter().filter(|mapping| mapping.end.0 > address && mapping.allows('w'));
        let above = above.min_by_key(|mapping| mapping.start)?;
        let is_near = sp.abs_diff(address) < NEAR_SP && address < above.start.0 && sp < above.start.0 + NEAR_SP;
        (is_near && above.start.0 - address < BELOW_STACK).then_some((sp, above))
    });
    let accessible = here.filter(|mapping| ['r', 'w', 'x'].iter().any(|letter| mapping.allows(*letter)));
    match (accessible, stack, here) {
        (None, Some((sp, stack)), _) => format!(
            "{} below the stack {stack}: rsp is {sp:#x}, {}; {OVERFLOWED}",
            if here.is_some() { "in a guard page" } else { "not mapped," },
            match stack.start.0.checked_sub(sp) {
                Some(below) => format!("{below} bytes below its lowest address"),
                None => format!("{} bytes above its lowest address", sp - stack.start.0),
            }
        ),
        (Some(mapping), ..) => {
            let kind = match (mapping.allows('w'), mapping.allows('x')) {
                (true, _) => "mapped",
                (false, true) => "code, which is not writable",
                (false, false) => "read-only memory",
            };
            format!("{kind}: {mapping}")
        }
        (None, None, Some(mapping)) => format!("mapped without any access: {mapping}"),
        (None, None, None) if !is_canonical(address) => "no address that can exist (it is not canonical)".to_owned(),
        (None, None, None) if address < NULL_PAGES => "not mapped; nothing is, so low".to_owned(),
        (None, None, None) if mappings.iter().any(|mapping| is_rr_stack_below(mapping, address)) => {
            ABOVE_RR_STACK.to_owned()
        }
        (None, None, None) => "not mapped".to_owned(),
    }
}

/// Returns whether a mapping looks like a stack that rr's library makes its system calls on, and ends at an address.
fn is_rr_stack_below(mapping: &Mapping, address: u64) -> bool {
    let length = mapping.end.0.saturating_sub(mapping.start.0);
    mapping.end.0 == address && length == RR_STACK && mapping.name.is_empty() && mapping.permissions == "rwxp"
}

fn word(access: &MemoryAccess) -> &'static str {
    match (access.reads, access.writes) {
        (true, true) => "read and write",
        (_, true) => "write",
        _ => "read",
    }
}

impl Engine {
    /// Reads what the kernel has told the selected thread with the signal that it has stopped for. What a server does
    /// not tell is left out.
    pub(super) fn signal_info(&mut self) -> Result<Option<SignalInfo>, Error> {
        let bytes = self.with(|s| s.debuggee.inferior.signal_info(s.debuggee.thread))?;
        Ok(bytes.and_then(|bytes| SignalInfo::parse(&bytes)))
    }

    /// Finds out what the instruction did that the selected thread has stopped for. `info`: what the kernel has told of
    /// that.
    pub(super) fn fault(&mut self, info: Option<&SignalInfo>) -> Result<Fault, Error> {
        let pc =
            self.with(|s| Ok(s.debuggee.inferior.process.registers(s.debuggee.thread)?.pc().unwrap_or_default()))?;
        let instruction = self.disassemble(pc, None, 1, Syntax::Intel).ok().and_then(|lines| lines.into_iter().next());
        let found = self.with(|s| {
            let thread: ThreadId = s.debuggee.thread;
            let inferior = &mut s.debuggee.inferior;
            let registers = inferior.process.registers(thread)?;
            let code = inferior.modules.code(&mut inferior.process, pc);
            let all = accesses(inferior.process.arch(), &code, pc, &|name| registers.value(name));
            let mappings = inferior.process.mappings().unwrap_or_default();
            let divisor = divisor(inferior.process.arch(), &code, pc, &|name| registers.value(name));
            let division = divisor.and_then(|divisor| {
                let value = match divisor.value {
                    Ok(value) => value,
                    Err(address) => {
                        let mut bytes = [0; 8];
                        inferior.process.read(address, bytes.get_mut(..divisor.size)?).ok()?;
                        u64::from_le_bytes(bytes)
                    }
                };
                Some((divisor, value))
            });
            Ok((all, mappings, registers.sp(), division))
        })?;
        let (all, mappings, sp, division) = found;
        // What the kernel says is the same for both.
        let division = match division.filter(|_| info.is_none_or(|info| info.signal == libc::SIGFPE)) {
            None => None,
            Some((divisor, value)) => {
                let name = match divisor.value {
                    Ok(_) => None,
                    Err(address) => self.memory_name(address, divisor.size as u64)?,
                };
                Some((divisor, value, name))
            }
        };
        let cause = info.and_then(SignalInfo::cause);
        let told = info.filter(|_| cause.is_some_and(|cause| cause.starts_with("SEGV") || cause.starts_with("BUS")));
        let told = told.map(|info| info.address);
        let is_at = |access: &&MemoryAccess, address: u64| {
            let size = access.size.max(1);
            address.wrapping_sub(access.address) < size
        };
        let letters = |access: &MemoryAccess| [(access.reads, 'r'), (access.writes, 'w')];
        let is_refused = |access: &&MemoryAccess| {
            let here = mappings.iter().find(|mapping| mapping.contains(access.address));
            let refuses = |(done, letter)| done && here.is_none_or(|mapping| !mapping.allows(letter));
            letters(access).into_iter().any(refuses)
        };
        let refused: Vec<&MemoryAccess> = all.iter().filter(is_refused).collect();
        let is_executed = told.is_some_and(|address| {
            address == pc.0 && !mappings.iter().any(|mapping| mapping.contains(address) && mapping.allows('x'))
        });
        let operand = match (told, refused.as_slice()) {
            _ if is_executed => None,
            (Some(address), _) => all.iter().find(|access| is_at(access, address)),
            // The kernel tells nothing of addresses that cannot exist; and it may not have been asked.
            (None, [only]) if cause.is_none() && !mappings.is_empty() => Some(*only),
            _ => None,
        };
        let address = told.or_else(|| operand.map(|access| access.address));
        let access = match operand {
            Some(access) => Some(word(access)),
            None => is_executed.then_some("execute"),
        };
        let in_words = operand.map(|access| {
            let parts = access.registers.iter().map(|(name, value)| format!("{name} = {value:#x}"));
            format!("{}, {}", access.operand, parts.collect::<Vec<_>>().join(", "))
        });
        let memory = match mappings.is_empty() {
            true => None,
            // That a pointer is null is seen in the register; a small number may be anything.
            false => address.map(|address| match operand.and_then(|access| access.base) {
                Some(0) if address < NULL_PAGES => match address {
                    0 => "not mapped: a null pointer".to_owned(),
                    offset => format!("not mapped: {offset} bytes from a null pointer"),
                },
                _ => {
                    let refused = if is_executed { not_executable(address, &mappings) } else { None };
                    refused.unwrap_or_else(|| memory_at(address, sp, &mappings))
                }
            }),
        };
        let member = match operand.and_then(|access| Some((access.base?, access.address))) {
            Some((0, address)) => self.null_followed_to(address)?,
            Some((base, address)) => self.member_at(base, address)?,
            None => None,
        };
        Ok(Fault {
            at: pc,
            instruction: instruction.map(|line| line.text.split_whitespace().collect::<Vec<_>>().join(" ")),
            address: address.map(RunAddr),
            access,
            operand: in_words.map(|words| words.trim_end_matches(", ").to_owned()),
            memory,
            member,
            code: cause.map(str::to_owned),
            division: division.as_ref().map(|(divisor, value, name)| divided_by(divisor, *value, name.as_deref())),
            divisor: division.map(|(divisor, _, name)| name.unwrap_or_else(|| expression_of(&divisor))),
        })
    }

    /// Finds the variable of the innermost frame that points to `base`, with the member at `address`. `None` if there
    /// is none, or several: which of them was followed is not known by their value.
    fn member_at(&mut self, base: u64, address: u64) -> Result<Option<String>, Error> {
        let Some(offset) = address.checked_sub(base) else { return Ok(None) };
        let mut found = Vec::new();
        for variable in self.typed_variables()? {
            let (value, target) = (variable.value.value.clone(), variable.value.target);
            let Some(pointee) = pointer_target(&value.ty) else { continue };
            if self.with_memory(|memory| value.word(0, memory).ok())? == Some(base) {
                found.push((variable.name, pointee, spelled(&value.ty, target), variable.is_shadowed));
            }
        }
        let [(name, pointee, ty, false)] = found.as_slice() else { return Ok(None) };
        Ok(part_at(pointee, offset, &|_| false).map(|part| {
            let path = part.path.trim_start_matches('.');
            let at = if path.is_empty() { "is its target".to_owned() } else { format!("is its member {path}") };
            format!("{name} is {base:#x} ({ty}); +{offset} {at}")
        }))
    }
}

/// Returns an expression for what a division divides by.
fn expression_of(divisor: &Divisor) -> String {
    match divisor.value {
        Ok(_) => format!("${}", divisor.operand),
        Err(address) => match divisor.size {
            1 => format!("*(char *){address:#x}"),
            2 => format!("*(short *){address:#x}"),
            4 => format!("*(int *){address:#x}"),
            _ => format!("*(long *){address:#x}"),
        },
    }
}

/// Says what has gone wrong with a division by this value, with its name in the program's words.
fn divided_by(divisor: &Divisor, value: u64, name: Option<&str>) -> String {
    let operand = name.unwrap_or(&divisor.operand);
    if value == 0 {
        return format!("division by zero: {operand} = 0");
    }
    let unused = 64 - 8 * divisor.size.clamp(1, 8) as u32;
    let shown = match divisor.is_signed {
        true => ((value << unused).cast_signed() >> unused).to_string(),
        false => value.to_string(),
    };
    format!("the quotient does not fit into {} bytes: divided by {operand} = {shown}", divisor.size)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mapping(line: &str) -> Mapping {
        Mapping::parse(line).unwrap()
    }

    #[test]
    fn what_there_is_at_an_address() {
        let all = [
            mapping("400000-401000 r--p 00000000 00:00 0 /p"),
            mapping("401000-402000 r-xp 00001000 00:00 0 /p"),
            mapping("68000000-68200000 rwxp 00000000 00:00 0"),
            mapping("7f0000000000-7f0000001000 ---p 00000000 00:00 0"),
            mapping("7f0000001000-7f0000801000 rw-p 00000000 00:00 0"),
            mapping("7fff00000000-7fff00021000 rw-p 00000000 00:00 0 [stack]"),
        ];
        let at = |address, sp| memory_at(address, sp, &all);
        assert_eq!(at(0x18, Some(0x7fff_0000_8000)), "not mapped; nothing is, so low");
        assert_eq!(at(0x40_0010, None), "read-only memory: 0x400000-0x401000 r--p /p");
        assert_eq!(at(0x40_1010, None), "code, which is not writable: 0x401000-0x402000 r-xp /p");
        assert_eq!(at(0x4141_4141_4141_4141, None), "no address that can exist (it is not canonical)");
        assert_eq!(at(0x50_0000, Some(0x7fff_0000_8000)), "not mapped");
        assert_eq!(at(0x6820_0000, Some(0x7fff_0000_8000)), ABOVE_RR_STACK);
        assert_eq!(at(0x6820_0008, Some(0x7fff_0000_8000)), "not mapped");
        let overflow = at(0x7ffe_ffff_fff8, Some(0x7fff_0000_0000));
        assert!(overflow.starts_with("not mapped, below the stack 0x7fff00000000"), "{overflow}");
        assert!(overflow.ends_with("the stack has overflowed"), "{overflow}");
        let guard = at(0x7f00_0000_0ff8, Some(0x7f00_0000_0ff0));
        assert!(guard.starts_with("in a guard page below the stack 0x7f0000001000"), "{guard}");
        assert_eq!(
            at(0x7f00_0000_0ff8, Some(0x7fff_0000_0000)),
            "mapped without any access: 0x7f0000000000-0x7f0000001000 ---p"
        );
    }

    #[test]
    fn signal_information_is_read() {
        let mut bytes = [0_u8; 128];
        (bytes[0], bytes[8], bytes[16]) = (11, 1, 0x18);
        let info = SignalInfo::parse(&bytes).unwrap();
        assert_eq!((info.cause(), info.address), (Some("SEGV_MAPERR"), 0x18));
        assert!(SignalInfo::parse(&bytes[..20]).is_none());
        assert_eq!(info.sender(7), None);
        bytes[8] = 0x80;
        let info = SignalInfo::parse(&bytes).unwrap();
        assert_eq!((info.cause(), info.sender(7)), (None, None));
    }

    #[test]
    fn who_has_sent_a_signal() {
        // The user's id is behind that of the process.
        let sent = |code| SignalInfo { signal: 11, code, address: (1000 << 32) | 7 };
        assert_eq!(
            (sent(0).sender(7).as_deref(), sent(0).cause()),
            (Some("sent with kill by process 7 (itself)"), None)
        );
        assert_eq!(sent(-1).sender(8).as_deref(), Some("sent with sigqueue by process 7"));
        let raised = "sent with raise, tgkill or pthread_kill by process 7 (itself)";
        assert_eq!(sent(-6).sender(7).as_deref(), Some(raised));
        assert_eq!(sent(-2).sender(7).as_deref(), Some("sent by a timer"));
        assert_eq!(sent(-4).sender(7).as_deref(), Some("sent, by no instruction's fault (si_code -4)"));
    }

    #[test]
    fn a_division_fails_for_one_of_two_reasons() {
        let by = |size| Divisor { operand: "ecx".to_owned(), value: Ok(0), size, is_signed: true };
        assert_eq!(divided_by(&by(4), 0, None), "division by zero: ecx = 0");
        let said = "the quotient does not fit into 4 bytes: divided by ecx = -1";
        assert_eq!(divided_by(&by(4), 0xffff_ffff, None), said);
        let unsigned = Divisor { is_signed: false, ..by(8) };
        assert!(divided_by(&unsigned, 1, None).ends_with("8 bytes: divided by ecx = 1"));
    }

    #[test]
    fn what_cannot_be_executed() {
        let all =
            [mapping("400000-401000 r--p 00000000 00:00 0 /p"), mapping("401000-402000 r-xp 00001000 00:00 0 /p")];
        assert_eq!(not_executable(0x40_0010, &all).unwrap(), "not executable: 0x400000-0x401000 r--p /p");
        assert_eq!((not_executable(0x40_1010, &all), not_executable(0, &all)), (None, None));
    }
}
