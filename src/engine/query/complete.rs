//! Names that begin as somebody has typed: for completions.

use crate::engine::api::error::Error;
use crate::engine::modules::loaded::Role;
use crate::engine::session::engine::Engine;
use std::collections::BTreeSet;

impl Engine {
    /// Lists the functions of the program and its libraries, as breakpoints take them: those with line information,
    /// which is what somebody debugs, then the others, each in order. All of them if nothing is typed.
    pub fn functions_beginning(&mut self, typed: &str) -> Result<Vec<String>, Error> {
        self.with(|s| {
            s.debuggee.catch_up()?;
            let (mut lined, mut bare) = (BTreeSet::new(), BTreeSet::new());
            for module in s.debuggee.inferior.modules.user().filter(|module| module.role != Role::Interpreter) {
                let found = module.image.functions_called(&mut |name| name.starts_with(typed));
                for function in found {
                    let has_lines = module.image.line_at(function.entry).is_some_and(|row| row.line != 0);
                    if has_lines { &mut lined } else { &mut bare }.insert(function.name);
                }
            }
            bare.retain(|name| !lined.contains(name));
            Ok(lined.into_iter().chain(bare).collect())
        })
    }

    /// Lists the source files, without their directories, in order.
    pub fn files_beginning(&mut self, typed: &str) -> Result<Vec<String>, Error> {
        self.with(|s| {
            s.debuggee.catch_up()?;
            let names: BTreeSet<String> =
                s.debuggee.inferior.modules.user().flat_map(|module| module.image.files_beginning(typed)).collect();
            Ok(names.into_iter().collect())
        })
    }
}
