//! System calls of rr's page, which rr's filter lets pass without a stop.
//!
//! rr's library in the program makes the calls that it writes into a buffer from a page of rr's: `call` of a function
//! there that is `syscall` and `ret`. The kernel sees where a call is made, so that the page's own instructions must be
//! executed, and the `ret` there must lead back into the cache. So the return address on the stack is changed for the
//! time of the call, and put back by [`returned`](super::stubs::returned); wherever else the thread is stopped
//! meanwhile, by the tracer ([`roll`](super::roll)), so that neither rr nor the program can find it. Nothing but the
//! kernel acts in between, and what the address is on is a stack of rr's library.
//!
//! Whether that may be done depends on how the cache was entered, and on what the call does: those that change code or
//! mappings the tracer must see.

use super::super::sys::{PR_SET_SECCOMP, SYS_PRCTL};
use super::asm::RCX;
use super::block::{Exit, Indirect, Spill};
use super::layout::{CALLS, REGION, REPLAY_ASSIST, RETURNED, RR_PAGE, UNTRACED, slot};
use super::translate::{Block, Stub};

/// `syscall`; `ret`.
const FUNCTION: [u8; 3] = [0x0f, 0x05, 0xc3];

impl Block {
    /// Translates a function of rr's page, if `code` is one, and returns its length.
    pub fn rr_page(&mut self, code: &[u8], address: u64) -> Option<u32> {
        if !RR_PAGE.contains(&address) || address == REPLAY_ASSIST || !code.starts_with(&FUNCTION) {
            return None;
        }
        self.is_bound = true;
        self.point(address, Some(Spill::Rcx));
        self.asm.store(slot::RCX, RCX);
        self.asm.load(RCX, slot::PASS);
        // jrcxz over a short jump over a jump
        self.asm.bytes(&[0xe3, 2, 0xeb, 5]);
        let field = self.asm.jump();
        self.stub(field, Stub::Step(address));
        if address >= UNTRACED {
            // movzx ecx, ax; movzx ecx, byte [CALLS + rcx]; jrcxz over all that follows
            self.asm.bytes(&[0x0f, 0xb7, 0xc8, 0x0f, 0xb6, 0x89]);
            self.asm.imm32((REGION + CALLS) as u32);
            self.asm.bytes(&[0xe3, 29]);
            // Of `prctl`, which rr's library makes twice for each `rdtsc`, what sets a filter matters:
            // lea rcx, [rax - SYS_PRCTL]; jrcxz over the jump; jmp
            self.asm.bytes(&[0x48, 0x8d, 0x88]);
            self.asm.imm32((SYS_PRCTL as u32).wrapping_neg());
            self.asm.bytes(&[0xe3, 5]);
            let field = self.asm.jump();
            self.stub(field, Stub::Step(address));
            // lea ecx, [rdi - PR_SET_SECCOMP]; jrcxz over a short jump over a jump
            self.asm.bytes(&[0x8d, 0x8f]);
            self.asm.imm32((PR_SET_SECCOMP as u32).wrapping_neg());
            self.asm.bytes(&[0xe3, 2, 0xeb, 5]);
            let field = self.asm.jump();
            self.stub(field, Stub::Step(address));
        }
        let end = address + FUNCTION.len() as u64;
        self.number(Exit::Indirect { address: end - 1, kind: Indirect::Return { popped: 8 } });
        // mov rcx, [rsp]
        self.asm.bytes(&[0x48, 0x8b, 0x0c, 0x24]);
        self.asm.store(slot::RETURN, RCX);
        self.asm.load(RCX, slot::RCX);
        // mov qword [rsp], RETURNED
        self.asm.bytes(&[0x48, 0xc7, 0x04, 0x24]);
        self.asm.imm32((REGION + RETURNED) as u32);
        // jmp [constant]
        self.asm.bytes(&[0xff, 0x25]);
        self.constants.push((self.asm.here(), address));
        self.asm.imm32(0);
        Some(FUNCTION.len() as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::super::translate::translate;
    use super::*;

    #[test]
    fn a_function_of_the_page_is_left_by_its_own_return() {
        let at = UNTRACED + 6;
        let block = translate(&[0x0f, 0x05, 0xc3, 0x31, 0xc0], at, false).unwrap();
        assert_eq!((block.source, block.source_length, block.is_bound), (at, 3, true));
        // A breakpoint in its place must not be passed by.
        assert!(!block.exits.iter().any(|exit| matches!(exit, Exit::Native { .. })));
        let back = Exit::Indirect { address: at + 2, kind: Indirect::Return { popped: 8 } };
        assert!(block.exits.contains(&back) && block.exits.contains(&Exit::Step { address: at }));
        // Calls that rr is shown anyhow need not be told apart.
        let traced = translate(&FUNCTION, RR_PAGE.start, false).unwrap();
        assert!(traced.code.len() < block.code.len());
    }

    #[test]
    fn other_code_is_translated_as_everywhere() {
        assert!(translate(&FUNCTION, RR_PAGE.start, true).is_none());
        assert!(translate(&FUNCTION, RR_PAGE.end, false).is_none());
        // Its writes may be to code.
        assert!(translate(&FUNCTION, REPLAY_ASSIST, false).is_none());
        // The page of a replay: xor eax, eax; ret
        let replay = translate(&[0x31, 0xc0, 0xc3], UNTRACED + 6, false).unwrap();
        assert!(!replay.is_bound);
    }
}
