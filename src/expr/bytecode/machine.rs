//! Runs bytecode, where it is not rr that does so.

use super::code::{
    ADD, BIT_AND, BIT_NOT, BIT_OR, BIT_XOR, CONST8, CONST64, DIV_SIGNED, DIV_UNSIGNED, DUP, END, EQUAL, GOTO, IF_GOTO,
    LESS_SIGNED, LESS_UNSIGNED, LOG_NOT, LSH, MUL, PICK, POP, REF8, REF64, REG, REM_SIGNED, REM_UNSIGNED, RSH_SIGNED,
    RSH_UNSIGNED, SUB, SWAP,
};

/// Most instructions of one run.
const MOST: usize = 1 << 16;
/// Most values on the stack.
const DEEPEST: usize = 100;

/// The registers and the memory that bytecode is about.
pub trait Machine {
    /// Returns a register. `None`: it is not known.
    fn register(&self, number: u16) -> Option<u64>;

    /// Returns what is in memory there, 1, 2, 4 or 8 bytes, extended by zeros. `None`: it is not known.
    fn memory(&self, address: u64, bytes: usize) -> Option<u64>;
}

/// Runs what [`compile`](super::compile) has made; `stack` is room for it. `None`: it fails, as evaluation does, or
/// something that it needs is not known.
pub fn run(code: &[u8], machine: &impl Machine, stack: &mut Vec<u64>) -> Option<u64> {
    stack.clear();
    let mut at = 0;
    for _ in 0..MOST {
        let opcode = *code.get(at)?;
        at += 1;
        let mut operand = |bytes: usize| {
            let taken = code.get(at..at + bytes)?;
            at += bytes;
            Some(taken.iter().fold(0, |value: u64, byte| value << 8 | u64::from(*byte)))
        };
        match opcode {
            ADD..=RSH_UNSIGNED | BIT_AND..=BIT_XOR | EQUAL..=LESS_UNSIGNED => {
                let (b, a) = (stack.pop()?, stack.pop()?);
                stack.push(binary(opcode, a, b)?);
            }
            LOG_NOT => {
                let value = stack.pop()?;
                stack.push(u64::from(value == 0));
            }
            BIT_NOT => {
                let value = stack.pop()?;
                stack.push(!value);
            }
            REF8..=REF64 => {
                let address = stack.pop()?;
                stack.push(machine.memory(address, 1 << (opcode - REF8))?);
            }
            IF_GOTO => {
                let to = operand(2)?;
                if stack.pop()? != 0 {
                    at = usize::try_from(to).ok()?;
                }
            }
            GOTO => at = usize::try_from(operand(2)?).ok()?,
            CONST8..=CONST64 => stack.push(operand(1 << (opcode - CONST8))?),
            REG => stack.push(machine.register(u16::try_from(operand(2)?).ok()?)?),
            END => return stack.pop(),
            DUP => stack.push(*stack.last()?),
            POP => drop(stack.pop()?),
            SWAP => {
                let (b, a) = (stack.pop()?, stack.pop()?);
                stack.extend([b, a]);
            }
            PICK => {
                let depth = usize::try_from(operand(1)?).ok()?;
                stack.push(*stack.get(stack.len().checked_sub(1 + depth)?)?);
            }
            _ => return None,
        }
        if stack.len() > DEEPEST {
            return None;
        }
    }
    None
}

fn binary(opcode: u8, a: u64, b: u64) -> Option<u64> {
    let (signed_a, signed_b) = (a.cast_signed(), b.cast_signed());
    let shift = || u32::try_from(b).ok().filter(|shift| *shift < u64::BITS);
    Some(match opcode {
        ADD => a.wrapping_add(b),
        SUB => a.wrapping_sub(b),
        MUL => a.wrapping_mul(b),
        DIV_SIGNED => signed_a.checked_div(signed_b)?.cast_unsigned(),
        DIV_UNSIGNED => a.checked_div(b)?,
        REM_SIGNED => signed_a.checked_rem(signed_b)?.cast_unsigned(),
        REM_UNSIGNED => a.checked_rem(b)?,
        LSH => a << shift()?,
        RSH_SIGNED => (signed_a >> shift()?).cast_unsigned(),
        RSH_UNSIGNED => a >> shift()?,
        BIT_AND => a & b,
        BIT_OR => a | b,
        BIT_XOR => a ^ b,
        EQUAL => u64::from(a == b),
        LESS_SIGNED => u64::from(signed_a < signed_b),
        LESS_UNSIGNED => u64::from(a < b),
        _ => return None,
    })
}
