//! What the instruction did that wrote a value: where what it wrote was before, or that it made it.

use super::HopKind;
use super::code::InBlock;
use super::names::{number as shown_number, of_memory};
use super::snapshot::Snapshot;
use super::trace::{MISMATCH, Next, Spot, Tracer, Tracked, Wrote, register_part};
use crate::arch::{Operand, RunAddr, Source, Written, accesses, source};
use crate::questions::error::Error;
use crate::questions::frame::{GENERAL, register_name};
use crate::questions::program::ARCH;

impl Tracer<'_> {
    /// Goes on from an instruction that has written the value.
    pub(super) fn follow(&mut self, mut wrote: Wrote<'_, '_>, mut tracked: Tracked) -> Result<Next, Error> {
        let code = wrote.code;
        let Some(bytes) = code.bytes(wrote.state.pc) else {
            return self.stopped("the instruction that wrote it cannot be read", &tracked);
        };
        let at = RunAddr(wrote.state.pc);
        let mut found = source(ARCH, bytes, at, wrote.to, wrote.offset, tracked.bytes.len());
        while let Source::ZeroExtended(length) = found {
            if length >= tracked.bytes.len() || tracked.bytes.iter().skip(length).any(|byte| *byte != 0) {
                return self.stopped(MISMATCH, &tracked);
            }
            self.note(format!("zero-extended from {length} bytes"));
            tracked.bytes.truncate(length);
            found = source(ARCH, bytes, at, wrote.to, wrote.offset, length);
        }
        if let Source::SignExtended(operand, length) = found {
            let is_negative =
                length.checked_sub(1).and_then(|last| tracked.bytes.get(last)).is_some_and(|byte| byte & 0x80 != 0);
            let fill = if is_negative { 0xff } else { 0 };
            if tracked.bytes.iter().skip(length).any(|byte| *byte != fill) {
                return self.stopped(MISMATCH, &tracked);
            }
            self.note(format!("sign-extended from {length} bytes"));
            tracked.bytes.truncate(length);
            found = Source::Copied(operand);
        }
        match found {
            Source::Copied(operand) => self.operand(&mut wrote, operand, tracked),
            Source::Either(one, other) => {
                let mut equal = Vec::new();
                for operand in [one, other] {
                    let value = self.operand_value(&mut wrote, operand)?;
                    if value.as_ref() == Some(&tracked.bytes) {
                        equal.push(operand);
                    }
                }
                match equal.as_slice() {
                    [only] => self.operand(&mut wrote, *only, tracked),
                    _ => {
                        self.stopped("it was chosen by a condition, and it is not known which of two it was", &tracked)
                    }
                }
            }
            Source::Constant(value) => {
                let wide: Vec<u8> =
                    value.to_le_bytes().into_iter().chain(std::iter::repeat(0)).take(tracked.bytes.len()).collect();
                if wide != tracked.bytes {
                    return self.stopped(MISMATCH, &tracked);
                }
                self.close(HopKind::Constant, format!("the constant {}", shown_number(&tracked.bytes)));
                Ok(Next::End)
            }
            Source::Address => {
                let address = tracked.bytes.as_slice().try_into().map(u64::from_le_bytes).unwrap_or_default();
                let name = of_memory(self.program(), &wrote.state, address, 1);
                let symbol = self.program().symbol(tracked.before.pid, tracked.before.mapped(), address);
                let what = match name.part {
                    Some(_) => base_of(&name.text).to_owned(),
                    None => symbol
                        .unwrap_or_else(|| "something without a name, or a number that is computed as one".to_owned()),
                };
                self.close(HopKind::Address, format!("the address of {what}"));
                Ok(Next::End)
            }
            Source::Repeated => {
                let (Some(from), Some(to), Spot::Memory(address)) =
                    (wrote.state.register(4), wrote.state.register(5), tracked.spot)
                else {
                    return self.stopped("where a repeated instruction has read is not known", &tracked);
                };
                let address = from.wrapping_add(address.wrapping_sub(to));
                self.copied_from(address, wrote.state, tracked)
            }
            Source::Computed { mnemonic, inputs } => self.computed(wrote, &mnemonic, &inputs),
            Source::ReturnAddress => {
                self.close(HopKind::Address, "the address that a call returns to".to_owned());
                Ok(Next::End)
            }
            Source::Kernel => {
                self.close(HopKind::Input, "what a system call has returned".to_owned());
                Ok(Next::End)
            }
            Source::Kept => {
                let state = wrote.state;
                Ok(Next::on(Tracked { before: state, ..tracked }))
            }
            Source::Unknown(what) => {
                self.stopped(format!("what the instruction does is not followed: {what}"), &tracked)
            }
            Source::ZeroExtended(_) | Source::SignExtended(..) => self.stopped(MISMATCH, &tracked),
        }
    }

    /// Goes on in other memory, from where the value comes.
    pub(super) fn copied_from(&mut self, address: u64, state: Snapshot, tracked: Tracked) -> Result<Next, Error> {
        let name = of_memory(self.program(), &state, address, tracked.bytes.len() as u64);
        self.close(HopKind::Copy, name.text);
        Ok(Next::on(Tracked { spot: Spot::Memory(address), bytes: tracked.bytes, before: state }))
    }

    /// Goes on with an operand, whose value it was.
    fn operand(&mut self, wrote: &mut Wrote<'_, '_>, operand: Operand, tracked: Tracked) -> Result<Next, Error> {
        match operand {
            Operand::Register { number: 7, .. } => {
                self.close(HopKind::Address, "the stack pointer".to_owned());
                Ok(Next::End)
            }
            Operand::Register { number, offset, .. } => {
                if let Some(known) = register_part(&wrote.state, number, offset, tracked.bytes.len())
                    && known != tracked.bytes
                {
                    return self.stopped(MISMATCH, &tracked);
                }
                let before = wrote.state.clone();
                Ok(Next::on(Tracked { spot: Spot::Register { number, offset }, bytes: tracked.bytes, before }))
            }
            Operand::Memory { offset, .. } => match self.read_address(wrote)? {
                Some(address) => {
                    let state = wrote.state.clone();
                    self.copied_from(address.wrapping_add(offset as u64), state, tracked)
                }
                None => self.stopped("the address that it was read from is not known", &tracked),
            },
            Operand::Constant(value) => {
                self.close(HopKind::Constant, format!("the constant {value}"));
                Ok(Next::End)
            }
        }
    }

    /// Returns where the instruction reads memory.
    fn read_address(&self, wrote: &mut Wrote<'_, '_>) -> Result<Option<u64>, Error> {
        let Some(bytes) = wrote.code.bytes(wrote.state.pc) else { return Ok(None) };
        let read = |state: &Snapshot| {
            let base = self.thread_base(state);
            let all = accesses(ARCH, bytes, RunAddr(state.pc), &|name| state.named(name, base));
            all.into_iter().find(|access| access.reads).map(|access| access.address)
        };
        if let Some(address) = read(&wrote.state) {
            return Ok(Some(address));
        }
        self.complete(wrote)?;
        Ok(read(&wrote.state))
    }

    /// Finds out what is not known of the state at an instruction.
    fn complete(&self, wrote: &mut Wrote<'_, '_>) -> Result<(), Error> {
        if let Some(later) = wrote.later.take()
            && let Some(state) = self.again(&later, wrote.state.pc)?
        {
            wrote.state = state;
        }
        Ok(())
    }

    /// Returns the bytes of an operand before the instruction.
    fn operand_value(&self, wrote: &mut Wrote<'_, '_>, operand: Operand) -> Result<Option<Vec<u8>>, Error> {
        match operand {
            Operand::Register { number, offset, size } => {
                if number < GENERAL && wrote.state.register(number).is_none() {
                    self.complete(wrote)?;
                }
                Ok(register_part(&wrote.state, number, offset, size))
            }
            Operand::Memory { offset, size } => {
                let Some(address) = self.read_address(wrote)? else { return Ok(None) };
                let address = address.wrapping_add(offset as u64);
                if let Some((start, old)) = &wrote.old
                    && *start == address
                    && old.len() == size
                {
                    return Ok(Some(old.clone()));
                }
                if size > 8 {
                    return Ok(None);
                }
                self.looker.memory_before(address, size, &wrote.state)
            }
            Operand::Constant(value) => Ok(Some(value.to_le_bytes().to_vec())),
        }
    }

    /// Goes on from a value that was computed.
    fn computed(&mut self, mut wrote: Wrote<'_, '_>, mnemonic: &str, inputs: &[Operand]) -> Result<Next, Error> {
        let (mut texts, mut variable) = (Vec::new(), Vec::new());
        for operand in inputs {
            let value = self.operand_value(&mut wrote, *operand)?;
            let shown = value.as_deref().map_or_else(|| "not known".to_owned(), shown_number);
            texts.push(match operand {
                Operand::Constant(_) => shown,
                _ => format!("{} = {shown}", self.operand_name(&mut wrote, *operand)?),
            });
            if !matches!(operand, Operand::Constant(_)) {
                variable.push((*operand, value));
            }
        }
        let is_one = |operand: &Operand| matches!(operand, Operand::Constant(1));
        let constant = inputs.iter().any(is_one);
        match mnemonic {
            "inc" => self.note("incremented"),
            "add" | "lea" if constant => self.note("incremented"),
            "dec" => self.note("decremented"),
            "sub" if constant => self.note("decremented"),
            _ => {}
        }
        self.close(HopKind::Computed, format!("{mnemonic} of {}", texts.join(", ")));
        let (true, [(operand, Some(bytes))]) = (self.query.through_arithmetic, variable.as_slice()) else {
            return Ok(Next::End);
        };
        self.shown = None;
        let (bytes, state) = (bytes.clone(), wrote.state.clone());
        let spot = match *operand {
            Operand::Register { number, offset, .. } => Spot::Register { number, offset },
            Operand::Memory { offset, .. } => match self.read_address(&mut wrote)? {
                Some(address) => Spot::Memory(address.wrapping_add(offset as u64)),
                None => return Ok(Next::End),
            },
            Operand::Constant(_) => return Ok(Next::End),
        };
        if let Spot::Register { number, .. } = spot {
            let name = self.operand_name(&mut wrote, *operand)?;
            let to = if name.is_empty() { register_name(number).to_owned() } else { name };
            self.begin(to, &bytes, &state, None);
        }
        Ok(Next::on(Tracked { spot, bytes, before: state }))
    }

    /// Returns what an operand is called: a register by the variable that it was loaded from.
    fn operand_name(&self, wrote: &mut Wrote<'_, '_>, operand: Operand) -> Result<String, Error> {
        let program = self.program();
        match operand {
            Operand::Memory { offset, size } => Ok(match self.read_address(wrote)? {
                Some(address) => {
                    of_memory(program, &wrote.state, address.wrapping_add(offset as u64), size as u64).text
                }
                None => "memory".to_owned(),
            }),
            Operand::Register { number, size, .. } => {
                let plain = register_name(number).to_owned();
                let InBlock::Written(index, branches) = wrote.code.in_block(wrote.state.pc, number) else {
                    return Ok(plain);
                };
                let Some(state) = wrote.code.earlier(&wrote.state, index, branches) else { return Ok(plain) };
                let Some(bytes) = wrote.code.bytes(state.pc) else { return Ok(plain) };
                let Source::Copied(Operand::Memory { offset, .. }) =
                    source(ARCH, bytes, RunAddr(state.pc), Written::Register(number), 0, size.min(4))
                else {
                    return Ok(plain);
                };
                let base = self.thread_base(&state);
                let all = accesses(ARCH, bytes, RunAddr(state.pc), &|name| state.named(name, base));
                let address = all.into_iter().find(|access| access.reads).map(|access| access.address);
                Ok(address.map_or(plain, |address| {
                    of_memory(program, &state, address.wrapping_add(offset as u64), size as u64).text
                }))
            }
            Operand::Constant(value) => Ok(value.to_string()),
        }
    }
}

/// Returns the object that an address of a part begins with: `table+1` or `table[0].x` is in `table`.
fn base_of(text: &str) -> &str {
    text.strip_suffix("+0").unwrap_or(text)
}
