//! What is computed in general registers: of which numbers, and addresses among them.

use super::{Asked, Operand, Source, dwarf_number, is_high};
use iced_x86::{InstructionInfoFactory, OpAccess, OpKind, Register, UsedRegister};

impl Asked {
    pub(super) fn address(&self) -> Source {
        let is_object = |register| matches!(register, Register::RIP | Register::EIP | Register::RSP);
        let base = self.i.memory_base();
        if is_object(base) || base == Register::None && self.i.memory_index() == Register::None {
            return Source::Address;
        }
        let mut inputs = Vec::new();
        let index = self.i.memory_index();
        for register in [base, index] {
            if let Some(number) = dwarf_number(register).filter(|_| register != Register::None) {
                let operand = Operand::Register { number, offset: 0, size: register.size() };
                if !inputs.contains(&operand) {
                    inputs.push(operand);
                }
            }
        }
        if self.i.memory_displacement64() != 0 {
            inputs.push(Operand::Constant(self.i.memory_displacement64()));
        }
        let scale = self.i.memory_index_scale();
        let mnemonic = match (base, index) {
            (_, Register::None) => "lea".to_owned(),
            (Register::None, _) => format!("lea (times {scale})"),
            _ if base == index => format!("lea (times {})", scale + 1),
            _ if scale == 1 => "lea".to_owned(),
            _ => format!("lea (the second times {scale})"),
        };
        match base {
            Register::RBP => Source::NearFrame { mnemonic, inputs },
            _ => Source::Computed { mnemonic, inputs, of_floats: false },
        }
    }

    /// Returns the source of what is computed, from all that the instruction reads but for addresses.
    pub(super) fn computed(&self) -> Source {
        let mut info = InstructionInfoFactory::new();
        let read: Vec<Register> = info
            .info(&self.i)
            .used_registers()
            .iter()
            .filter(|used| is_read(used))
            .map(UsedRegister::register)
            .collect();
        let mut inputs: Vec<Operand> = Vec::new();
        for n in 0..self.i.op_count() {
            let is_input = match self.i.op_kind(n) {
                OpKind::Register => {
                    let register = self.i.op_register(n);
                    read.iter().any(|used| used.full_register() == register.full_register())
                }
                OpKind::Memory => info.info(&self.i).used_memory().iter().any(|used| {
                    matches!(
                        used.access(),
                        OpAccess::Read | OpAccess::ReadWrite | OpAccess::ReadCondWrite | OpAccess::CondRead
                    )
                }),
                _ => true,
            };
            if let Some(operand) = self.operand(n).filter(|operand| is_input && !inputs.contains(operand)) {
                inputs.push(operand);
            }
        }
        // Division and the like read what they do not name.
        for register in read {
            let is_address = [self.i.memory_base(), self.i.memory_index()]
                .iter()
                .any(|of| *of != Register::None && of.full_register() == register.full_register());
            let Some(number) = dwarf_number(register).filter(|number| !is_address && *number != 7) else { continue };
            let is_known =
                |operand: &Operand| matches!(operand, Operand::Register { number: known, .. } if *known == number);
            if !inputs.iter().any(is_known) {
                inputs.push(Operand::Register {
                    number,
                    offset: usize::from(is_high(register)),
                    size: register.size(),
                });
            }
        }
        Source::Computed { mnemonic: self.mnemonic(), inputs, of_floats: false }
    }
}

fn is_read(used: &UsedRegister) -> bool {
    matches!(used.access(), OpAccess::Read | OpAccess::CondRead | OpAccess::ReadWrite | OpAccess::ReadCondWrite)
}
