//! Virtual tables of a C++ object: its own, and those of its bases that are at other places in it.

use crate::api::error::Error;
use crate::run::session::Session;
use crate::session::engine::Engine;
use arch::RunAddr;
use ctype::layout::{pointer_target, strip};
use ctype::{Place, Type, TypeRef, Value};
use std::collections::BTreeSet;

/// Most parts of an object that are looked at.
const MAX_PARTS: usize = 64;
/// Most functions of a table.
const MAX_SLOTS: u64 = 1000;
/// How the symbols of virtual tables begin: of whole objects, and of those that are being made.
const TABLES: [&str; 2] = ["vtable for ", "construction vtable for "];

/// A virtual table that a part of an object leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VirtualTable {
    /// The class of the part, as debug info names it.
    pub class: String,
    /// Where the first function of the table is.
    pub address: u64,
    /// Where the part is.
    pub object: u64,
    /// The functions, with their names.
    pub functions: Vec<(u64, String)>,
}

impl Session {
    /// Reads the table that the part of an object at an address leads to. `None`: it has none.
    fn virtual_table(&mut self, class: String, object: u64) -> Option<VirtualTable> {
        let inferior = &mut self.debuggee.inferior;
        let address = inferior.process.read_u64(object)?;
        let (table, _) = inferior.symbol(RunAddr(address))?;
        if !TABLES.iter().any(|beginning| table.starts_with(beginning)) {
            return None;
        }
        let mut functions = Vec::new();
        for number in 0..MAX_SLOTS {
            let slot = address.checked_add(8 * number)?;
            // Behind the last function there is another table, or the next table of the same symbol, which begins with
            // an offset and a `std::type_info`.
            let is_inside = inferior.symbol(RunAddr(slot)).is_some_and(|(symbol, _)| symbol == table);
            let Some(function) = inferior.process.read_u64(slot).filter(|_| is_inside) else { break };
            match inferior.symbol(RunAddr(function)) {
                Some((name, 0)) if !name.starts_with("typeinfo ") && !name.starts_with("vtable ") => {
                    functions.push((function, name));
                }
                _ => break,
            }
        }
        Some(VirtualTable { class, address, object, functions })
    }
}

impl Engine {
    /// Finds the virtual tables of the object that an expression is or points to; none, if its class has none.
    ///
    /// # Errors
    /// If the expression makes no sense, or names no object in memory.
    pub fn virtual_tables(&mut self, expression: &str) -> Result<Vec<VirtualTable>, Error> {
        let typed = self.typed(expression)?;
        self.ask(|s| {
            let value = s.debuggee.inferior.object_of(&typed.value);
            let (ty, address) = match (pointer_target(&value.ty), &value.place) {
                (Some(target), _) => match value.word(0, &mut s.debuggee.inferior) {
                    Ok(address) => (target, address),
                    Err(why) => return Err(Error::Expression(why.to_string())),
                },
                (None, Place::Memory(address)) => (value.ty.clone(), *address),
                _ => return Ok(Vec::new()),
            };
            let mut parts: Vec<(TypeRef, u64)> = vec![(ty, address)];
            let (mut at, mut seen, mut tables) = (0, BTreeSet::new(), Vec::new());
            while let Some((ty, address)) = parts.get(at).cloned() {
                at += 1;
                let Type::Record(record) = &*strip(&ty) else { continue };
                let bases = record.members.iter().filter(|member| member.is_base);
                let room = MAX_PARTS.saturating_sub(parts.len());
                parts.extend(bases.map(|base| (base.ty.get(), address.wrapping_add(base.offset))).take(room));
                let part = Value::new(ty.clone(), Place::Memory(address));
                for base in record.virtual_bases.iter().take(MAX_PARTS.saturating_sub(parts.len())) {
                    // A damaged table leads nowhere, and is not there itself.
                    if let Ok(base) = part.virtual_base(base, &mut s.debuggee.inferior)
                        && let Some(address) = base.address()
                    {
                        parts.push((base.ty, address));
                    }
                }
                // The first base with virtual functions shares its table with the class.
                if seen.insert(address)
                    && let Some(table) = s.virtual_table(record.name.clone().unwrap_or_default(), address)
                {
                    tables.push(table);
                }
            }
            s.debuggee.inferior.check_answers()?;
            Ok(tables)
        })
    }
}
