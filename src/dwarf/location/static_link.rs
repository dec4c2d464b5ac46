//! Where the variables of the function around a nested one are: the nested one keeps, or gets, the frame base of the
//! other (DW_AT_static_link, DWARF 5 section 3.3.4).

use super::die_references::{InUnit, expression_at};
use crate::expressions::run;
use crate::model::die::DieId;
use crate::model::frame::{FrameContext, NoTls};
use crate::model::variable::{Location, Variable};
use crate::types::by_die::Types;
use crate::units::attributes::{inherited, inherited_any};
use arch::{Bias, LinkAddr};
use ctype::TypeRef;

impl Types<'_> {
    /// Returns the type of a variable as it is in a frame: see [`concrete_type`](Self::concrete_type).
    pub(crate) fn type_of(&self, variable: &Variable, frame: &mut dyn FrameContext) -> TypeRef {
        match self.base_of(&variable.through, frame) {
            Some(Ok(base)) => self.concrete_type(&variable.ty, &mut Around { frame, base }),
            // Nobody can tell how long it is.
            Some(Err(_)) => variable.ty.clone(),
            None => self.concrete_type(&variable.ty, frame),
        }
    }

    /// Finds where a variable of a function around the one of the frame is.
    pub(super) fn located_around(&self, variable: &Variable, frame: &mut dyn FrameContext) -> Location {
        const LOCATED: [gimli::DwAt; 2] = [gimli::DW_AT_location, gimli::DW_AT_const_value];
        let described = inherited_any(self, variable.die, &LOCATED);
        let is_listed = described.is_some_and(|(kind, found)| {
            kind == gimli::DW_AT_location && !matches!(found.value, gimli::AttributeValue::Exprloc(_))
        });
        if is_listed {
            let why = "it is of the function around, and where it is depends on how far that has run: select its frame";
            return Location::Unavailable(why.to_owned());
        }
        match self.base_of(&variable.through, frame) {
            Some(Ok(base)) => self.locate(variable.die, &variable.ty, &mut Around { frame, base }),
            // A constant needs no frame, nor does what has an address.
            Some(Err(why)) => match self.locate(variable.die, &variable.ty, &mut Around { frame, base: 0 }) {
                Location::Bytes(bytes) => Location::Bytes(bytes),
                _ => Location::Unavailable(why.to_owned()),
            },
            None => self.locate(variable.die, &variable.ty, frame),
        }
    }

    /// Follows the static links of some functions, of which the first is that of the frame, to a frame base; `None`
    /// without such functions.
    fn base_of(&self, through: &[DieId], frame: &mut dyn FrameContext) -> Option<Result<u64, &'static str>> {
        let (first, others) = through.split_first()?;
        let unknown = "it is of the function around, and the code does not keep where the frame of that is: select its \
                       frame";
        let mut base = self.static_link(*first, frame);
        for function in others {
            base = base.and_then(|base| self.static_link(*function, &mut Around { frame, base }));
        }
        Some(base.ok_or(unknown))
    }

    fn static_link(&self, function: DieId, frame: &mut dyn FrameContext) -> Option<u64> {
        let link = inherited(self, function, gimli::DW_AT_static_link)?;
        let expression = expression_at(self, link.unit, link.value, frame.pc()).ok()??;
        let referents =
            InUnit { debug: self, unit: link.unit, entry: link.entry, pc: frame.pc(), is_frame_base: false };
        let base = run::run_for_number(expression, link.unit.encoding(), &referents, frame, None).ok()?;
        // GCC makes room for the frame base of a Fortran program, and never stores it there.
        (base != 0).then_some(base)
    }
}

/// The frame of a function around that of a frame, of which only the frame base is told. GCC, which alone writes static
/// links, has the canonical frame address for it.
struct Around<'a> {
    frame: &'a mut dyn FrameContext,
    base: u64,
}

impl FrameContext for Around<'_> {
    fn register(&mut self, _: u16) -> Option<u64> {
        None
    }

    fn register_bytes(&mut self, _: u16) -> Option<Vec<u8>> {
        None
    }

    fn read(&mut self, address: u64, buffer: &mut [u8]) -> bool {
        self.frame.read(address, buffer)
    }

    fn cfa(&mut self) -> Option<u64> {
        Some(self.base)
    }

    fn tls(&mut self, offset: u64) -> Result<u64, NoTls> {
        self.frame.tls(offset)
    }

    fn entry_value(&mut self, _: u16) -> Option<u64> {
        None
    }

    fn pc(&self) -> LinkAddr {
        self.frame.pc()
    }

    fn bias(&self) -> Bias {
        self.frame.bias()
    }
}
