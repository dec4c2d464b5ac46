//! Setting watchpoints: what an expression names in memory, and whether it can be watched.

use crate::api::error::Error;
use crate::api::{Access, BreakpointInfo};
use crate::breakpoints::debuggee::Debuggee;
use crate::breakpoints::table::{Entry, Trigger};
use crate::breakpoints::watch::Watch;
use crate::eval::condition_names::MeantLocals;
use crate::eval::expression::Scope;
use arch::DEBUG_REGISTERS;
use ctype::Value;
use ctype::layout::{pointer_target, reference_target, size_of};
use std::sync::Arc;

/// Where a program can have memory at some time: above what the kernel keeps unmapped (`vm.mmap_min_addr`), below its own.
const MAPPABLE: std::ops::Range<u64> = 0x1_0000..0x7fff_ffff_f000;

/// A watchpoint's condition: see the fields of [`Trigger::Data`].
#[derive(Default)]
pub(crate) struct WatchCondition {
    pub(crate) bytecode: Option<Vec<u8>>,
    pub(crate) meant: Arc<MeantLocals>,
}

impl Debuggee {
    pub(crate) fn set_watchpoint(
        &mut self,
        expression: &str,
        access: Access,
        condition: Option<&str>,
        log: Option<&str>,
    ) -> Result<BreakpointInfo, Error> {
        self.catch_up()?;
        let object = self.object_in_memory(expression)?;
        self.watch_object(object, expression, access, condition, log)
    }

    /// Watches a value, where it is in memory. `text`: what it is called.
    pub(crate) fn watch_value(
        &mut self,
        value: &Value,
        text: &str,
        access: Access,
        condition: Option<&str>,
        log: Option<&str>,
    ) -> Result<BreakpointInfo, Error> {
        self.catch_up()?;
        let object = self.place_in_memory(value, text)?;
        self.watch_object(object, text, access, condition, log)
    }

    fn watch_object(
        &mut self,
        object: (Value, u64, u64),
        expression: &str,
        access: Access,
        condition: Option<&str>,
        log: Option<&str>,
    ) -> Result<BreakpointInfo, Error> {
        let log = self.log_text(log)?;
        let watch = self.watch(object, expression, access)?;
        let is_unmapped = watch.last.is_none();
        let note = is_unmapped.then(|| {
            format!("memory at {:#x} is not mapped at this moment: writes are reported once it is", watch.address)
        });
        let condition = condition.map(str::trim).filter(|c| !c.is_empty());
        let WatchCondition { bytecode, meant } = self.watch_condition(condition)?;
        let number = self.breakpoints.add(|number| Entry {
            number,
            what: Trigger::Data { watch, bytecode, meant },
            text: expression.to_owned(),
            condition: condition.map(str::to_owned),
            thread: None,
            enabled: true,
            log,
            catch: None,
            temporary: false,
            ignore_count: 0,
            hits: 0,
            note,
            partly_resolved: false,
            hardware: false,
        });
        self.accepted(number)
    }

    /// Checks a watchpoint's condition in the selected frame.
    pub(crate) fn watch_condition(&mut self, condition: Option<&str>) -> Result<WatchCondition, Error> {
        let Some(condition) = condition else { return Ok(WatchCondition::default()) };
        let level = self.selected()?;
        let frame = self.inferior.physical(self.thread, level.physical)?;
        let scope = Scope::Code(frame.address.for_lookup(), level.inline);
        let parsed = self.inferior.check_condition(scope, condition)?;
        self.inferior.note_choices(scope, condition);
        let bytecode = self.inferior.compile_anywhere(scope, condition);
        let meant = self.inferior.meant_locals(scope, frame.function(level.inline), &parsed)?;
        Ok(WatchCondition { bytecode, meant: Arc::new(meant) })
    }

    /// Finds out what an expression names in memory, now: the value, where it begins, and how many bytes it has.
    pub(crate) fn object_in_memory(&mut self, expression: &str) -> Result<(Value, u64, u64), Error> {
        let level = self.selected()?;
        let scope = Scope::Frame(self.thread, level);
        let value = self.inferior.value(scope, expression).map_err(|e| e.explained(expression))?;
        self.inferior.note_choices(scope, expression);
        self.place_in_memory(&value, expression)
    }

    fn place_in_memory(&mut self, value: &Value, expression: &str) -> Result<(Value, u64, u64), Error> {
        let unwatchable = |reason: String| Error::Unwatchable { expression: expression.to_owned(), reason };
        let value = self.inferior.object_of(value);
        let address = match &value.place {
            ctype::Place::Memory(address) => *address,
            ctype::Place::Register { name, .. } => {
                let text = expression.trim();
                let instead = match pointer_target(&value.ty).or_else(|| reference_target(&value.ty)) {
                    Some(_) => format!("its target can be, as *({text}); "),
                    None => String::new(),
                };
                return Err(unwatchable(format!(
                    "it is in register {name} here; only memory can be watched. {instead}`origin {text}` follows it back \
                     through registers"
                )));
            }
            ctype::Place::Bytes(_) | ctype::Place::Synthetic { .. } => {
                return Err(unwatchable("it is a computed value without a place in memory".into()));
            }
            ctype::Place::Unavailable(why) => return Err(unwatchable(why.to_string())),
        };
        let size = match value.bits {
            Some(bits) => bits.bytes(),
            None => size_of(&value.ty).ok_or_else(|| unwatchable("the size of its type is not known".into()))?,
        };
        if size == 0 {
            return Err(unwatchable("it has no size".into()));
        }
        Ok((value, address, size))
    }

    /// Finds out whether the processor can watch an object.
    fn watch(&mut self, object: (Value, u64, u64), expression: &str, access: Access) -> Result<Watch, Error> {
        let unwatchable = |reason: String| Error::Unwatchable { expression: expression.to_owned(), reason };
        let (value, address, size) = object;
        let owner = self.inferior.owner_of(self.thread, address);
        let mut watch = Watch { address, size, access, ty: value.ty, bits: value.bits, owner, last: None };
        let used = self.breakpoints.watch_registers();
        let (needed, free) = (watch.registers(), DEBUG_REGISTERS.saturating_sub(used));
        if needed > free {
            let verb = if size == 1 { "takes" } else { "take" };
            return Err(unwatchable(format!(
                "its {} {verb} {needed} of the processor's {DEBUG_REGISTERS} debug registers (each is for \
                 an aligned word of at most 8 bytes), {free} are free; watch a smaller part, or remove a watchpoint",
                bytes(size)
            )));
        }
        watch.last = watch.read(&mut self.inferior.process);
        if watch.last.is_none() && !MAPPABLE.contains(&address) {
            return Err(unwatchable(format!(
                "memory at {address:#x} cannot be read, and nothing is ever mapped there"
            )));
        }
        Ok(watch)
    }
}

fn bytes(size: u64) -> String {
    match size {
        1 => "byte".to_owned(),
        n => format!("{n} bytes"),
    }
}
