//! What the instruction did that wrote a value: where what it wrote was before, or that it made it.

use super::HopKind;
use super::code::InBlock;
use super::look::Ask;
use super::names::{float as shown_float, number as shown_number, of_memory};
use super::snapshot::Snapshot;
use super::trace::{MISMATCH, MOST_FRAME, Next, Spot, Tracer, Tracked, Wrote, register_part};
use crate::error::Error;
use crate::frame::{GENERAL, RBP, XMM0, register_name};
use crate::part::part_of;
use crate::program::ARCH;
use arch::{Comparison, Operand, RunAddr, Source, Written, accesses, comparison, source, width_written};
use ctype::layout::{size_of, strip};
use ctype::{Dialect, Encoding, Target, Type, TypeRef};
use softcounters::probes::Value;
use std::collections::HashMap;

/// What operands are called and were; and those that are no constants.
type Inputs = (Vec<String>, Vec<(Operand, Option<Vec<u8>>)>);

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
            self.note(extended("zero", &tracked.bytes, length));
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
            let is_unsigned = self.shown.as_ref().is_some_and(|shown| {
                shown.length == tracked.bytes.len()
                    && matches!(&*strip(&shown.ty), Type::Base { encoding: Encoding::Unsigned, .. })
            });
            self.note(match is_negative && is_unsigned {
                true => extended("sign", &tracked.bytes, length),
                false => format!("sign-extended from {length} bytes"),
            });
            tracked.bytes.truncate(length);
            found = Source::Copied(operand);
        }
        self.narrowed(&mut wrote, &found, &tracked)?;
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
            Source::Address => self.address(&wrote.state, &tracked),
            Source::Repeated => {
                let (Some(from), Some(to), Spot::Memory(address)) =
                    (wrote.state.register(4), wrote.state.register(5), tracked.spot)
                else {
                    return self.stopped("where a repeated instruction has read is not known", &tracked);
                };
                let address = from.wrapping_add(address.wrapping_sub(to));
                self.copied_from(address, wrote.state, tracked)
            }
            Source::Computed { mnemonic, inputs, of_floats } => self.computed(wrote, (&mnemonic, of_floats), &inputs),
            Source::NearFrame { mnemonic, inputs } => match self.is_frame_pointer(&wrote.state) {
                true => self.address(&wrote.state, &tracked),
                false => self.computed(wrote, (&mnemonic, false), &inputs),
            },
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

    /// Ends where the value is an address.
    fn address(&mut self, state: &Snapshot, tracked: &Tracked) -> Result<Next, Error> {
        let address = tracked.bytes.as_slice().try_into().map(u64::from_le_bytes).unwrap_or_default();
        let name = of_memory(self.program(), state, address, 1);
        let symbol = self.program().symbol(tracked.before.pid, tracked.before.mapped(), address);
        let what = match name.part {
            Some(_) => base_of(&name.text).to_owned(),
            None => {
                symbol.unwrap_or_else(|| "something without a name, or a number that is computed as one".to_owned())
            }
        };
        self.close(HopKind::Address, format!("the address of {what}"));
        Ok(Next::End)
    }

    /// Returns whether rbp points into the frame of the function: else it is a register as any other.
    fn is_frame_pointer(&self, state: &Snapshot) -> bool {
        let (Some(sp), Some(value)) = (state.sp(), state.register(RBP)) else { return true };
        let end = state.cfa(self.program()).unwrap_or_else(|| sp.saturating_add(MOST_FRAME));
        (sp..end).contains(&value)
    }

    /// Says so if the value is only a part of the number that was there before it was copied, and that was another
    /// number.
    fn narrowed(&mut self, wrote: &mut Wrote<'_, '_>, found: &Source, tracked: &Tracked) -> Result<(), Error> {
        let (state, length) = (wrote.state.clone(), tracked.bytes.len());
        if wrote.offset != 0 || length >= 8 {
            return Ok(());
        }
        // What the register had in all, where it was read.
        let wide = match wrote.to {
            Written::Register(number) if number < GENERAL => {
                let Some(bytes) = wrote.code.bytes(state.pc) else { return Ok(()) };
                let width = width_written(ARCH, bytes, number).filter(|width| *width > length);
                width.and_then(|width| register_part(&tracked.before, number, 0, width))
            }
            _ => None,
        };
        match *found {
            Source::Copied(Operand::Memory { offset: 0, .. }) => {
                let Some(address) = self.read_address(wrote)? else { return Ok(()) };
                self.narrowed_from(address, wide, tracked, &wrote.state)
            }
            Source::Computed { ref mnemonic, .. } => {
                if let Some(wide) = wide.filter(|wide| !is_same_number(wide, &tracked.bytes)) {
                    self.note(format!(
                        "narrowed: {mnemonic} made {} in {} bytes, of which the low {length} were used",
                        shown_number(&wide),
                        wide.len()
                    ));
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Says so if a value that was read from memory is the low part of a larger number there. `wide`: what was read with
    /// it.
    fn narrowed_from(
        &mut self,
        address: u64,
        wide: Option<Vec<u8>>,
        tracked: &Tracked,
        state: &Snapshot,
    ) -> Result<(), Error> {
        let length = tracked.bytes.len();
        let name = of_memory(self.program(), state, address, length as u64);
        let (what, ty, target) = match &name.part {
            Some((part, target)) => match part.number_around() {
                Some(ty) => (name.text.strip_suffix("+0").unwrap_or(&name.text).to_owned(), Some(ty), *target),
                None => return Ok(()),
            },
            // Two numbers may have been read at once: which of both it was nobody says.
            None => return Ok(()),
        };
        let Some(size) = ty.as_ref().and_then(size_of).and_then(|size| usize::try_from(size).ok()) else {
            return Ok(());
        };
        let whole = match wide.filter(|wide| wide.len() == size) {
            Some(wide) => Some(wide),
            None => self.looker.memory_before(address, size, state)?,
        };
        let whole = whole.filter(|whole| whole.starts_with(&tracked.bytes));
        match (whole, ty) {
            (Some(whole), _) if is_same_number(&whole, &tracked.bytes) => {}
            (Some(whole), Some(ty)) => {
                let shown = part_of(&ty, None, 0, size as u64).shown(&whole, target, &mut |_| None);
                self.note(format!("narrowed: {what} was {shown}, of whose {size} bytes the low {length} went on"));
            }
            _ => self.note(format!("narrowed: of the {size} bytes of {what} the low {length} went on")),
        }
        Ok(())
    }

    /// Says so if a value is the low part of a larger number that a register has.
    pub(super) fn narrowed_in(&mut self, number: u16, what: &str, ty: &TypeRef, state: &Snapshot, bytes: &[u8]) {
        let is_number = match &*strip(ty) {
            Type::Base { encoding, .. } => *encoding != Encoding::Float,
            Type::Pointer { .. } | Type::Enumeration(_) => true,
            _ => false,
        };
        let size =
            size_of(ty).and_then(|size| usize::try_from(size).ok()).filter(|size| is_number && *size > bytes.len());
        let Some(whole) = size.and_then(|size| register_part(state, number, 0, size)) else { return };
        if whole.starts_with(bytes) && !is_same_number(&whole, bytes) {
            let target = Target { arch: ARCH, dialect: Dialect::C };
            let shown = part_of(ty, None, 0, whole.len() as u64).shown(&whole, target, &mut |_| None);
            let (size, low) = (whole.len(), bytes.len());
            self.note(format!("narrowed: {what} was {shown}, of whose {size} bytes the low {low} went on"));
        }
    }

    /// Goes on in other memory, from where the value comes.
    pub(super) fn copied_from(&mut self, address: u64, state: Snapshot, tracked: Tracked) -> Result<Next, Error> {
        let name = of_memory(self.program(), &state, address, tracked.bytes.len() as u64);
        self.close(HopKind::Copy, name.told(tracked.bytes.len()));
        Ok(Next::on(Tracked::at(Spot::Memory(address), tracked.bytes, state)))
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
                Ok(Next::on(Tracked::at(Spot::Register { number, offset }, tracked.bytes, before)))
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

    /// Returns what was in vector registers before an instruction, by their numbers; nothing if that is not known.
    pub(super) fn vectors(&self, state: &Snapshot, numbers: &[u16]) -> Result<HashMap<u16, [u8; 16]>, Error> {
        let asked: Vec<u16> = numbers.iter().copied().filter(|number| (XMM0..XMM0 + 16).contains(number)).collect();
        if asked.is_empty() {
            return Ok(HashMap::new());
        }
        let texts = asked.iter().map(|number| Value::Vector((number - XMM0) as u8)).collect();
        let looked = self.looker.last(&Ask { before: state, at: &[], memory: None, texts }, &|_| false)?;
        let found = looked.reached.map(|reached| reached.vectors).unwrap_or_default();
        Ok(asked.into_iter().zip(found).collect())
    }

    /// Goes on from a value that was computed.
    fn computed(
        &mut self,
        mut wrote: Wrote<'_, '_>,
        (mnemonic, of_floats): (&str, bool),
        inputs: &[Operand],
    ) -> Result<Next, Error> {
        let (mut texts, variable) = self.inputs(&mut wrote, inputs, of_floats)?;
        let is_one = |operand: &Operand| matches!(operand, Operand::Constant(1));
        let constant = inputs.iter().any(is_one);
        match mnemonic {
            "inc" => self.note("incremented"),
            "add" | "lea" if constant => self.note("incremented"),
            "dec" => self.note("decremented"),
            "sub" if constant => self.note("decremented"),
            _ => {}
        }
        if texts.is_empty() {
            let compared = self.compared(&wrote)?;
            texts.push(compared.unwrap_or_else(|| "the flags that an instruction before it has set".to_owned()));
        }
        self.note_other_line(&wrote.state);
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
        Ok(Next::on(Tracked::at(spot, bytes, state)))
    }

    /// Returns what operands are called and were before an instruction; of those that are no constants, the bytes.
    fn inputs(&self, wrote: &mut Wrote<'_, '_>, inputs: &[Operand], of_floats: bool) -> Result<Inputs, Error> {
        let (mut texts, mut variable) = (Vec::new(), Vec::new());
        let registers: Vec<u16> = inputs
            .iter()
            .filter_map(|input| match input {
                Operand::Register { number, .. } => Some(*number),
                _ => None,
            })
            .collect();
        let vectors = self.vectors(&wrote.state, &registers)?;
        for operand in inputs {
            let in_vector = match operand {
                Operand::Register { number, offset, size } => vectors
                    .get(number)
                    .and_then(|bytes| bytes.get(*offset..offset.checked_add(*size)?))
                    .map(<[u8]>::to_vec),
                _ => None,
            };
            let value = match in_vector {
                Some(bytes) => Some(bytes),
                None => self.operand_value(wrote, *operand)?,
            };
            let shown = match value.as_deref() {
                Some(bytes) if of_floats => shown_float(bytes),
                Some(bytes) => shown_number(bytes),
                None => "not known".to_owned(),
            };
            texts.push(match operand {
                Operand::Constant(_) => shown,
                _ => format!("{} = {shown}", self.operand_name(wrote, *operand)?),
            });
            if !matches!(operand, Operand::Constant(_)) {
                variable.push((*operand, value));
            }
        }
        Ok((texts, variable))
    }

    /// Returns what was compared, if an instruction has used nothing but the flags that the one before it has set.
    fn compared(&self, wrote: &Wrote<'_, '_>) -> Result<Option<String>, Error> {
        let code = wrote.code;
        let index = code.right_before(wrote.state.pc);
        let Some(state) = index.and_then(|index| code.earlier(&wrote.state, index, 0)) else { return Ok(None) };
        let found = code.bytes(state.pc).and_then(|bytes| comparison(ARCH, bytes, RunAddr(state.pc)));
        let Some(Comparison { mnemonic, operands, of_floats }) = found else { return Ok(None) };
        let mut at = Wrote { code, state, later: None, to: wrote.to, offset: 0, old: None };
        let (texts, _) = self.inputs(&mut at, &operands, of_floats)?;
        Ok(Some(format!("{mnemonic} {}", texts.join(", "))))
    }

    /// Returns what an operand is called: a register by the variable that it was loaded from.
    fn operand_name(&self, wrote: &mut Wrote<'_, '_>, operand: Operand) -> Result<String, Error> {
        let program = self.program();
        match operand {
            Operand::Memory { offset, size } => Ok(match self.read_address(wrote)? {
                Some(address) => {
                    of_memory(program, &wrote.state, address.wrapping_add(offset as u64), size as u64).told(size)
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
                // What was loaded may be narrower than what is read of the register.
                let size = width_written(ARCH, bytes, number).map_or(size, |width| size.min(width));
                let Source::Copied(Operand::Memory { offset, .. }) =
                    source(ARCH, bytes, RunAddr(state.pc), Written::Register(number), 0, size.min(4))
                else {
                    return Ok(plain);
                };
                let base = self.thread_base(&state);
                let all = accesses(ARCH, bytes, RunAddr(state.pc), &|name| state.named(name, base));
                let address = all.into_iter().find(|access| access.reads).map(|access| access.address);
                Ok(address.map_or(plain, |address| {
                    of_memory(program, &state, address.wrapping_add(offset as u64), size as u64).told(size)
                }))
            }
            Operand::Constant(value) => Ok(value.to_string()),
        }
    }
}

/// Returns in words that a number was extended by so many bytes, and what it was without, if that is another one.
fn extended(by: &str, bytes: &[u8], length: usize) -> String {
    let (kept, _) = bytes.split_at(length.min(bytes.len()));
    let is_high = kept.last().is_some_and(|byte| byte & 0x80 != 0);
    let mut wide = [0; 8];
    match (is_high, wide.get_mut(..bytes.len())) {
        (true, Some(room)) => {
            room.copy_from_slice(bytes);
            let before = shown_number(kept);
            let before = before.split(' ').next().unwrap_or_default();
            format!(
                "{by}-extended from {length} bytes: {before}, if it was signed, became {}",
                u64::from_le_bytes(wide)
            )
        }
        _ => format!("{by}-extended from {length} bytes"),
    }
}

/// Returns whether a number is the same as in fewer bytes, extended by zeros or its sign.
fn is_same_number(wide: &[u8], low: &[u8]) -> bool {
    let is_negative = low.last().is_some_and(|byte| byte & 0x80 != 0);
    let rest = wide.get(low.len()..).unwrap_or_default();
    rest.iter().all(|byte| *byte == 0) || is_negative && rest.iter().all(|byte| *byte == 0xff)
}

/// Returns the object that an address of a part begins with: `table+1` or `table[0].x` is in `table`.
fn base_of(text: &str) -> &str {
    text.strip_suffix("+0").unwrap_or(text)
}
