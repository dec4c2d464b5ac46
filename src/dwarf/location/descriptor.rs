//! Arrays that a descriptor in memory describes (DWARF 5 section 5.18): Fortran's allocatable arrays, its pointers to
//! arrays and its parameters of assumed shape.

use super::die_references::InUnit;
use crate::expressions::evaluate::{Failure, Referents};
use crate::expressions::run;
use crate::model::die::DieId;
use crate::model::frame::{FrameContext, NoTls};
use crate::sections::slice::Slice;
use crate::types::array::{Bound, Limit, STRIDES, elements, limit};
use crate::types::by_die::Types;
use crate::types::reader::MAX_DEPTH;
use crate::types::reader::{Located, TypeReader, opaque};
use crate::units::language::first_index;
use arch::{Arch, Bias, LinkAddr};
use ctype::arith::Arithmetic;
use ctype::layout::size_of;
use ctype::{Count, Indexing, Memory, Place, Stride, TypeRef, Unavailable, Value, nested};
use gimli::{AttributeValue, DieReference, Expression, Operation, UnitOffset, ValueType};

/// The object that an expression is about: all that is known where a value is looked into.
struct Object<'m>(&'m mut dyn Memory);

impl FrameContext for Object<'_> {
    fn register(&mut self, _number: u16) -> Option<u64> {
        None
    }

    fn register_bytes(&mut self, _number: u16) -> Option<Vec<u8>> {
        None
    }

    fn read(&mut self, address: u64, buffer: &mut [u8]) -> bool {
        self.0.read(address, buffer).is_ok()
    }

    fn cfa(&mut self) -> Option<u64> {
        None
    }

    fn tls(&mut self, _offset: u64) -> Result<u64, NoTls> {
        Err(NoTls::Unknown)
    }

    fn entry_value(&mut self, _register: u16) -> Option<u64> {
        None
    }

    fn pc(&self) -> LinkAddr {
        LinkAddr::default()
    }

    fn bias(&self) -> Bias {
        Bias::default()
    }
}

/// What an expression about an object refers to.
struct OfObject<'d, 'a> {
    unit: InUnit<'d, 'a>,
    address: u64,
}

impl<'a> Referents<'a> for OfObject<'_, 'a> {
    fn frame_base(&self, _frame: &mut dyn FrameContext) -> Result<u64, Failure> {
        Err(Failure::FrameBase)
    }

    fn base_type(&self, at: UnitOffset) -> Result<ValueType, Failure> {
        self.unit.base_type(at)
    }

    fn number_type(&self, at: UnitOffset) -> Option<Arithmetic> {
        self.unit.number_type(at)
    }

    fn float_of(&self, parameter: UnitOffset) -> Option<UnitOffset> {
        self.unit.float_of(parameter)
    }

    fn arch(&self) -> Arch {
        self.unit.arch()
    }

    fn die_id(&self, at: UnitOffset) -> Option<DieId> {
        self.unit.die_id(at)
    }

    fn indexed_address(&self, _index: gimli::DebugAddrIndex) -> Result<u64, Failure> {
        Err(Failure::Referent("the expression is not about the object alone"))
    }

    fn location_of(&self, die: DieReference) -> Result<Slice<'a>, Failure> {
        self.unit.location_of(die)
    }

    fn object(&self) -> Option<u64> {
        Some(self.address)
    }
}

impl Types<'_> {
    /// Reads the array that the descriptor at an address describes, of which `array` is the DW_TAG_array_type.
    pub(crate) fn described_array(
        &self,
        array: DieId,
        address: u64,
        memory: &mut dyn Memory,
    ) -> Result<Value, Unavailable> {
        let (entry, unit, die) = self.die(array).ok_or_else(|| unknown("its type is unreadable"))?;
        let at = Located { id: array, entry, unit, die: &die };
        let mut reading =
            Reading { debug: self, reader: TypeReader::new(self, self.loader.clone()), at, address, memory };
        reading.array()
    }
}

/// A descriptor that is being read.
struct Reading<'r, 'd, 'a> {
    debug: &'d Types<'a>,
    reader: TypeReader<'d, 'a>,
    at: Located<'d, 'a, 'r>,
    address: u64,
    memory: &'r mut dyn Memory,
}

impl<'a> Reading<'_, '_, 'a> {
    fn array(&mut self) -> Result<Value, Unavailable> {
        let at = self.at;
        if at.die.has_attr(gimli::DW_AT_rank) {
            return Err(unknown("it may have any number of dimensions, which are not counted here"));
        }
        for (attribute, what) in [(gimli::DW_AT_allocated, "allocated"), (gimli::DW_AT_associated, "associated")] {
            if self.number(at, attribute)? == Some(0) {
                return Err(Unavailable::Absent(what));
            }
        }
        let data = match self.number(at, gimli::DW_AT_data_location)? {
            Some(place) => place as u64,
            None => self.address,
        };
        let mut dimensions = Vec::new();
        let reader = TypeReader::new(self.debug, self.reader.loader.clone());
        reader.for_each_child(at, |child| {
            if child.die.tag() == gimli::DW_TAG_subrange_type && dimensions.len() < MAX_DEPTH {
                dimensions.push(self.dimension(child));
            }
        });
        let mut dimensions = dimensions.into_iter().collect::<Result<Vec<_>, _>>()?;
        if !reader.is_column_major(at) {
            dimensions.reverse();
        }
        let element = reader.link(at).get();
        let stride = reader.stride(at, dimensions.len()).ok_or_else(|| unknown("its elements are parts of bytes"))?;
        Ok(Value::new(shaped(element, stride, dimensions), Place::Memory(data)))
    }

    /// Reads the number of elements of a dimension, how they are counted, and how far apart they are, if it says so.
    fn dimension(&mut self, at: Located<'_, 'a, '_>) -> Result<(Count, i64, Option<i64>), Unavailable> {
        let first = i128::from(first_index(self.debug, at.entry));
        let lower = self.number(at, gimli::DW_AT_lower_bound)?.unwrap_or(first);
        let count = match self.number(at, gimli::DW_AT_count)? {
            Some(count) => u64::try_from(count).ok(),
            None => self.number(at, gimli::DW_AT_upper_bound)?.and_then(|upper| elements(lower, upper)),
        };
        let [bytes, bits] = STRIDES;
        let stride = match (self.number(at, bytes)?, self.number(at, bits)?) {
            (Some(bytes), _) => Some(bytes),
            (None, Some(bits)) if bits % 8 == 0 => Some(bits / 8),
            (None, Some(_)) => return Err(unknown("its elements are parts of bytes")),
            (None, None) => None,
        };
        let number = |value: i128| i64::try_from(value).map_err(|_| unknown("its descriptor holds no bounds"));
        Ok((count.map_or(Count::Unknown, Count::Known), number(lower)?, stride.map(number).transpose()?))
    }

    /// Reads what an attribute says, which may be computed from the descriptor; `None` if it is absent.
    fn number(&mut self, at: Located<'_, 'a, '_>, attribute: gimli::DwAt) -> Result<Option<i128>, Unavailable> {
        if let Some(AttributeValue::Flag(is_set)) = at.die.attr_value(attribute) {
            return Ok(Some(i128::from(is_set)));
        }
        match limit(self.debug, at.entry, at.die, attribute) {
            None if at.die.has_attr(attribute) => Err(unknown(&format!("its {attribute} is of an unknown form"))),
            None => Ok(None),
            Some(Limit::Constant(value)) => Ok(Some(value)),
            Some(Limit::Dynamic(Bound::Expression(expression))) => self.run(at, expression).map(Some),
            Some(Limit::Dynamic(Bound::Variable(_))) => {
                Err(unknown(&format!("its {attribute} is in a variable, which only its frame knows")))
            }
        }
    }

    fn run(&mut self, at: Located<'_, 'a, '_>, expression: Expression<Slice<'a>>) -> Result<i128, Unavailable> {
        let encoding = at.unit.encoding();
        let mut operations = expression.operations(encoding);
        while let Ok(Some(operation)) = operations.next() {
            // Where its module is, is not known here.
            if matches!(operation, Operation::Address { .. } | Operation::AddressIndex { .. }) {
                return Err(unknown("its descriptor refers to other objects"));
            }
        }
        let (debug, pc) = (self.debug, LinkAddr::default());
        let unit = InUnit { debug, unit: at.unit, entry: at.entry, pc, is_frame_base: false };
        let referents = OfObject { unit, address: self.address };
        run::run_for_number(expression, encoding, &referents, &mut Object(self.memory), None)
            .map(|number| i128::from(number.cast_signed()))
            .map_err(|failure| match failure {
                Failure::Memory { address, .. } => Unavailable::Memory(address),
                other => unknown(&other.to_string()),
            })
    }
}

/// Returns the type of an array whose dimensions are given from the one that runs fastest.
fn shaped(element: TypeRef, own: Stride, dimensions: Vec<(Count, i64, Option<i64>)>) -> TypeRef {
    if dimensions.is_empty() {
        return opaque("an array without dimensions");
    }
    let mut array = element;
    for (number, (count, lower, stride)) in dimensions.into_iter().enumerate() {
        let stride = match stride {
            Some(bytes) if size_of(&array).is_some_and(|size| i64::try_from(size) == Ok(bytes)) => Stride::Element,
            Some(bytes) => Stride::Bytes(bytes),
            None if number == 0 => own,
            None => Stride::Element,
        };
        array = nested(array, &[(count, Indexing { lower, stride, bounded: true })]);
    }
    array
}

fn unknown(why: &str) -> Unavailable {
    Unavailable::Other(why.to_owned())
}
