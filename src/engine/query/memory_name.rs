//! Names a piece of memory by the variables of a frame: a variable, a member of one, or the target of one.

use super::parts::part_at;
use super::typed::TypedVariable;
use crate::api::error::Error;
use crate::session::engine::Engine;
use ctype::Type;
use ctype::layout::{pointer_target, reference_target, size_of, strip};

impl Engine {
    /// Returns the expression by which the selected frame names the `size` bytes at an address. `None` if nothing does, or
    /// several things do: which of them the code meant is not known by their place.
    pub(super) fn memory_name(&mut self, address: u64, size: u64) -> Result<Option<String>, Error> {
        let mut names = Vec::new();
        for variable in self.typed_variables()? {
            if !variable.is_shadowed {
                names.extend(self.name_within(&variable, address, size)?);
            }
        }
        names.sort();
        names.dedup();
        Ok(<[String; 1]>::try_from(names).ok().map(|[name]| name))
    }

    fn name_within(&mut self, variable: &TypedVariable, address: u64, size: u64) -> Result<Option<String>, Error> {
        let (value, name) = (variable.value.value.clone(), &variable.name);
        let (begins, ty, path) = match (reference_target(&value.ty), pointer_target(&value.ty)) {
            (Some(target), _) => (self.with_memory(|memory| value.word(0, memory).ok())?, target, name.clone()),
            // One that points to the first of many is not told from others.
            (None, Some(target)) if matches!(&*strip(&target), Type::Record(_)) => {
                (self.with_memory(|memory| value.word(0, memory).ok())?, target, format!("{name}->"))
            }
            _ => (value.address(), value.ty.clone(), name.clone()),
        };
        let part = begins.and_then(|begins| address.checked_sub(begins)).and_then(|offset| {
            let part = part_at(&ty, offset, &|_| false)?;
            (part.start == offset && size_of(&part.ty) == Some(size)).then_some(part.path)
        });
        Ok(part.map(|part| match path.strip_suffix("->") {
            Some(pointer) => format!("{pointer}->{}", part.trim_start_matches('.')),
            None => format!("{path}{part}"),
        }))
    }
}
