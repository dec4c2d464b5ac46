//! The variables of a frame, and their values.

use crate::api;
use crate::api::error::Error;
use crate::eval::inferior::Inferior;
use crate::modules::loaded::Module;
use crate::stack::physical::Level;
use arch::ThreadId;
use base::qualified::bounded_in_line;
use ctype::{Answer, Options, TypeRef, Value};
use program::place::place;
use std::collections::HashMap;
use std::sync::Arc;

/// A variable of a frame with its value.
pub(crate) struct LocalVariable {
    pub(crate) variable: dwarf::Variable,
    pub(crate) value: Value,
    /// The name means another variable at this place: one of an inner block, or, before the line that that is declared
    /// on, one further out.
    pub(crate) shadowed: bool,
}

/// Returns of each variable whether one behind it, in an inner block, has the same name.
fn shadowed(variables: &[dwarf::Variable]) -> Vec<bool> {
    let mut deepest: HashMap<&str, u32> = HashMap::new();
    let mut shadowed = vec![false; variables.len()];
    for (variable, shadowed) in variables.iter().zip(&mut shadowed).rev() {
        let deepest = deepest.entry(&variable.name).or_insert(variable.depth);
        *shadowed = *deepest > variable.depth || variable.visible == dwarf::Visible::Hidden;
        *deepest = variable.depth.max(*deepest);
    }
    shadowed
}

/// Bytes of an argument where a frame is shown, as at every stop: enough to know it again. Containers have whole pages,
/// which are there for who asks for the variable.
const MAX_ARGUMENT: usize = 200;

impl Inferior {
    /// Finds the arguments and locals that are visible at a level, the innermost block last.
    pub(crate) fn variables(&mut self, thread: ThreadId, level: Level) -> Result<Vec<LocalVariable>, Error> {
        let frame = self.physical(thread, level.physical)?;
        let Some(module) = frame.module.clone() else {
            return Ok(Vec::new());
        };
        let pc = module.link(frame.address.for_lookup());
        let variables = module.image.variables_at(pc, level.inline);
        let mut found = self.with_values(thread, level, &module, variables.clone())?;
        // Of several of a name the deepest may be declared further down.
        for number in 0..found.len() {
            let Some(LocalVariable { variable, shadowed: true, .. }) = found.get(number) else { continue };
            let Some(meant) = module.image.meant_local(&variables, pc, level.inline, &variable.name) else { continue };
            if meant.is_behind {
                continue;
            }
            let (name, meant) = (variable.name.clone(), meant.number);
            for (other, local) in found.iter_mut().enumerate().filter(|(_, local)| local.variable.name == name) {
                local.shadowed = other != meant;
            }
        }
        Ok(found)
    }

    /// Finds the globals and file-scope statics of the unit that the code of a level is in.
    pub(crate) fn globals(&mut self, thread: ThreadId, level: Level) -> Result<Vec<LocalVariable>, Error> {
        let frame = self.physical(thread, level.physical)?;
        let Some(module) = frame.module.clone() else {
            return Ok(Vec::new());
        };
        let variables = module.image.globals_of_unit(module.link(frame.address.for_lookup()));
        self.with_values(thread, level, &module, variables)
    }

    fn with_values(
        &mut self,
        thread: ThreadId,
        level: Level,
        module: &Module,
        variables: Vec<dwarf::Variable>,
    ) -> Result<Vec<LocalVariable>, Error> {
        let mut found = Vec::with_capacity(variables.len());
        for (variable, shadowed) in variables.iter().zip(shadowed(&variables)) {
            let value = self.with_frame(thread, level.physical, None, |context| {
                let ty = module.image.type_of(variable, context);
                let location = module.image.variable_location(variable, context);
                Value { place: place(location, &module.image, context), ty, bits: None }
            })?;
            let value = value.described(self).unwrap_or(value);
            found.push(LocalVariable { variable: variable.clone(), value, shadowed });
        }
        Ok(found)
    }

    /// Renders the variables that [`Self::variables`] finds as text; of arguments only, as that is for a frame, the
    /// beginnings.
    pub(crate) fn rendered_variables(
        &mut self,
        thread: ThreadId,
        level: Level,
        only_arguments: bool,
        answer: &mut Answer,
    ) -> Result<Vec<api::Variable>, Error> {
        let mut options = self.print.options(self.target_of(thread, level)?);
        if only_arguments {
            // They are on one line with their function.
            options.pretty = false;
            options.limits.text = MAX_ARGUMENT;
        }
        let found = self.variables(thread, level)?;
        let wanted: Vec<LocalVariable> = found
            .into_iter()
            .filter(|f| !only_arguments || (f.variable.is_argument && !f.variable.name.is_empty()))
            .collect();
        let mut shown = Vec::new();
        for (i, found) in wanted.iter().enumerate() {
            // Of more frames to come nobody knows; their arguments are short.
            let to_come = if only_arguments { 1 } else { wanted.len() - i };
            let rendered = answer.render_member(&found.value, self, &options, to_come);
            let mut variable = self.described(found, rendered, &options);
            if !only_arguments {
                variable.missing = self.missing(thread, level, &found.variable, &found.value.place)?;
            }
            shown.push(variable);
        }
        Ok(shown)
    }

    fn described(&mut self, found: &LocalVariable, rendered: ctype::Rendered, options: &Options) -> api::Variable {
        api::Variable {
            name: bounded_in_line(&found.variable.name).into_owned(),
            value: rendered.text,
            ty: Some(spelled(&found.value.ty, options)),
            is_argument: found.variable.is_argument,
            line: found.variable.line,
            shadowed: found.shadowed,
            truncated: rendered.truncated,
            dynamic_type: self.dynamic_type(&found.value),
            missing: None,
        }
    }

    /// Returns the language of the code of a frame.
    pub(crate) fn language(&mut self, thread: ThreadId, level: Level) -> Result<Option<&'static str>, Error> {
        let frame = self.physical(thread, level.physical)?;
        let link = |module: &Arc<Module>| module.image.language_at(module.link(frame.address.for_lookup()));
        Ok(frame.module.as_ref().and_then(link))
    }

    pub(crate) fn target_of(&mut self, thread: ThreadId, level: Level) -> Result<ctype::Target, Error> {
        let pc = self.physical(thread, level.physical)?.address.for_lookup();
        Ok(self.target_at(pc))
    }
}

/// Returns the spelling of a type: C's, without what libraries add that nobody writes.
pub(crate) fn spelled(ty: &TypeRef, options: &Options) -> String {
    readers::shortened(&ctype::type_name(ty, options.target.dialect))
}
