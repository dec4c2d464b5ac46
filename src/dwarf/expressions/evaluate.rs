//! Runs DWARF expressions (DWARF 5 section 2.5) against a frame.
//!
//! gimli has the stack machine; it stops whenever it needs something that is not in the expression. What comes from
//! the frame is asked of [`FrameContext`], what comes from elsewhere in the debug info of [`Referents`].

use crate::model::die::DieId;
use crate::model::frame::{FrameContext, NoTls};
use crate::sections::slice::{Slice, is_tombstone};
use arch::{Arch, LinkAddr};
use ctype::arith::{Arithmetic, IntegerType};
use ctype::float::FloatFormat;
use gimli::{DieReference, EvaluationResult, Expression, Operation, Reader, UnitOffset, Value, ValueType};

/// How many operations one expression may execute. Real ones have a few dozen; a branch backwards can make a loop.
const MAX_OPERATIONS: u32 = 1_000;

/// Why an expression has no result.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Failure {
    /// A register of the frame is not known; its DWARF number.
    #[error("register {0} is not preserved in this frame")]
    Register(u16),
    /// Memory is not readable.
    #[error("cannot read {size} bytes of memory at {address:#x}")]
    Memory {
        /// From here.
        address: u64,
        /// So many bytes.
        size: u8,
    },
    /// DW_OP_entry_value: the caller does not say.
    #[error("the value at the entry of the function is not known")]
    EntryValue,
    /// DW_OP_call_frame_cfa, and the frame has none.
    #[error("the frame has no canonical frame address")]
    Cfa,
    /// The same of a frame that has no place on the stack any more.
    #[error("the function has left by a tail call")]
    TailCall,
    /// DW_OP_form_tls_address, and the module has no storage in the thread.
    #[error(transparent)]
    Tls(#[from] NoTls),
    /// DW_OP_fbreg, and the function does not say what its frame base is.
    #[error("the function has no frame base")]
    FrameBase,
    /// DW_OP_addr, where the linker put that nothing is there.
    #[error("it is computed from what the linker removed or left undefined")]
    Removed,
    /// Something that the expression refers to is missing, or of no use.
    #[error("{0}")]
    Referent(&'static str),
    /// It cannot be decoded, or does not follow the rules of the stack machine.
    #[error("malformed DWARF expression: {0}")]
    Malformed(gimli::Error),
    /// DW_OP_div or DW_OP_mod, with the values of this moment.
    #[error("{DIVIDES_BY_ZERO}")]
    Division,
}

/// Returns the canonical frame address of a frame, or why it has none.
pub(crate) fn cfa(frame: &mut dyn FrameContext) -> Result<u64, Failure> {
    let why = if frame.has_left() { Failure::TailCall } else { Failure::Cfa };
    frame.cfa().ok_or(why)
}

/// Why a location has no value that computes with other types than those of the stack machine.
pub(crate) const UNSUPPORTED_TYPE: &str = "the expression computes with a type that is not supported";

/// Why a location has no value that divides by zero.
pub const DIVIDES_BY_ZERO: &str = "its location divides by zero";

impl From<gimli::Error> for Failure {
    fn from(error: gimli::Error) -> Self {
        match error {
            gimli::Error::DivisionByZero => Self::Division,
            // As of GCC's `long double`.
            gimli::Error::InvalidDerefSize(_) => Self::Referent(UNSUPPORTED_TYPE),
            error => Self::Malformed(error),
        }
    }
}

/// What an expression may refer to in the debug info around it.
pub(crate) trait Referents<'a> {
    /// Returns the run-time address that DW_OP_fbreg counts from.
    fn frame_base(&self, frame: &mut dyn FrameContext) -> Result<u64, Failure>;
    /// Returns the DW_TAG_base_type at an offset of the unit.
    fn base_type(&self, at: UnitOffset) -> Result<ValueType, Failure>;
    /// Returns the number that the DW_TAG_base_type at an offset of the unit is, also of those that the stack machine
    /// does not have.
    fn number_type(&self, at: UnitOffset) -> Option<Arithmetic> {
        let _ = at;
        None
    }
    /// Returns the DW_TAG_base_type of the parameter at an offset of the unit, if it is a float of the stack machine.
    fn float_of(&self, parameter: UnitOffset) -> Option<UnitOffset> {
        let _ = parameter;
        None
    }
    /// Returns the machine that the code is for.
    fn arch(&self) -> Arch;
    /// Returns the DIE at an offset of the unit.
    fn die_id(&self, at: UnitOffset) -> Option<DieId>;
    /// Returns an entry of `.debug_addr`, as the file has it.
    fn indexed_address(&self, index: gimli::DebugAddrIndex) -> Result<u64, Failure>;
    /// Returns the DW_AT_location of a DIE, for DW_OP_call2, DW_OP_call4 and DW_OP_call_ref. Empty if it has none.
    fn location_of(&self, die: DieReference) -> Result<Slice<'a>, Failure>;
    /// Returns the address of the object that an expression is about, for DW_OP_push_object_address.
    fn object(&self) -> Option<u64> {
        None
    }
}

/// For call frame information, whose expressions cannot refer to DIEs (DWARF 5 section 6.4.2).
pub(crate) struct NoReferents;

impl<'a> Referents<'a> for NoReferents {
    fn frame_base(&self, _frame: &mut dyn FrameContext) -> Result<u64, Failure> {
        Err(Failure::FrameBase)
    }

    fn base_type(&self, _at: UnitOffset) -> Result<ValueType, Failure> {
        Err(Failure::Referent("call frame information has no base types"))
    }

    // Without base types nothing depends on it.
    fn arch(&self) -> Arch {
        Arch::X86_64
    }

    fn die_id(&self, _at: UnitOffset) -> Option<DieId> {
        None
    }

    fn indexed_address(&self, _index: gimli::DebugAddrIndex) -> Result<u64, Failure> {
        Err(Failure::Referent("call frame information has no address table"))
    }

    fn location_of(&self, _die: DieReference) -> Result<Slice<'a>, Failure> {
        Err(Failure::Referent("call frame information cannot call a DIE's location"))
    }
}

/// The pieces of a location; one without a size if it is in one place.
pub(crate) type Pieces<'a> = Vec<gimli::Piece<Slice<'a>>>;

/// Runs an expression on gimli's stack machine.
pub(super) fn pieces<'a>(
    expression: Expression<Slice<'a>>,
    encoding: gimli::Encoding,
    referents: &dyn Referents<'a>,
    frame: &mut dyn FrameContext,
    initial: Option<u64>,
) -> Result<Pieces<'a>, Failure> {
    let mut evaluation = without_uninit(expression, encoding).evaluation(encoding);
    evaluation.set_max_iterations(MAX_OPERATIONS);
    if let Some(value) = initial {
        evaluation.set_initial_value(value);
    }
    if let Some(address) = referents.object() {
        evaluation.set_object_address(address);
    }
    let mut step = evaluation.evaluate()?;
    // Each turn consumes an operation, of which the evaluation counts at most MAX_OPERATIONS.
    loop {
        step = match step {
            EvaluationResult::Complete => return Ok(evaluation.result()),
            EvaluationResult::RequiresMemory { space: Some(_), .. } => {
                return Err(Failure::Referent("the expression uses an address space, which is not supported"));
            }
            EvaluationResult::RequiresMemory { address, size, space: None, base_type } => {
                let value = read_value(address, size, base_type, referents, frame)?;
                evaluation.resume_with_memory(value)?
            }
            EvaluationResult::RequiresRegister { register, base_type } => {
                let value = register_value(register.0, base_type, referents, frame)?;
                evaluation.resume_with_register(value)?
            }
            EvaluationResult::RequiresFrameBase => {
                let base = referents.frame_base(frame)?;
                evaluation.resume_with_frame_base(base)?
            }
            EvaluationResult::RequiresTls(offset) => {
                let address = frame.tls(offset)?;
                evaluation.resume_with_tls(address)?
            }
            EvaluationResult::RequiresCallFrameCfa => {
                let cfa = cfa(frame)?;
                evaluation.resume_with_call_frame_cfa(cfa)?
            }
            EvaluationResult::RequiresAtLocation(die) => {
                let bytes = referents.location_of(die)?;
                evaluation.resume_with_at_location(bytes)?
            }
            EvaluationResult::RequiresEntryValue(of) => {
                let value = entry_value(of, encoding, referents, frame)?;
                evaluation.resume_with_entry_value(value)?
            }
            EvaluationResult::RequiresParameterRef(at) => {
                let parameter = referents.die_id(at).ok_or(Failure::EntryValue)?;
                let value = frame.entry_parameter(parameter).ok_or(Failure::EntryValue)?;
                evaluation.resume_with_parameter_ref(value)?
            }
            EvaluationResult::RequiresRelocatedAddress(address) => {
                evaluation.resume_with_relocated_address(linked(address)?.at(frame.bias()).0)?
            }
            EvaluationResult::RequiresIndexedAddress { index, relocate } => {
                let address = referents.indexed_address(index)?;
                let address = if relocate { linked(address)?.at(frame.bias()).0 } else { address };
                evaluation.resume_with_indexed_address(address)?
            }
            EvaluationResult::RequiresBaseType(at) => {
                let base_type = value_type(at, referents)?;
                evaluation.resume_with_base_type(base_type)?
            }
            EvaluationResult::RequiresWasmLocal { .. }
            | EvaluationResult::RequiresWasmGlobal { .. }
            | EvaluationResult::RequiresWasmStack { .. } => {
                return Err(Failure::Referent("the expression is for WebAssembly"));
            }
        };
    }
}

/// Returns the address of something that the linker has put somewhere.
pub(super) fn linked(address: u64) -> Result<LinkAddr, Failure> {
    if is_tombstone(address) { Err(Failure::Removed) } else { Ok(LinkAddr(address)) }
}

/// Returns the expression without a DW_OP_GNU_uninit at its end: a remark of GCC and clang that the variable may not
/// have been assigned to yet, which changes nothing of where it is. (They write it nowhere else.)
fn without_uninit<'a>(expression: Expression<Slice<'a>>, encoding: gimli::Encoding) -> Expression<Slice<'a>> {
    let Some((&last, rest)) = expression.0.slice().split_last() else { return expression };
    if last != gimli::DW_OP_GNU_uninit.0 {
        return expression;
    }
    // It may be the last byte of an operand.
    let mut operations = expression.operations(encoding);
    let mut is_remark = false;
    while let Ok(Some(operation)) = operations.next() {
        is_remark = matches!(operation, Operation::Uninitialized);
    }
    if is_remark { Expression(Slice::new(rest, gimli::LittleEndian)) } else { expression }
}

/// Referents for expressions that do not live as long.
pub(super) struct Shortened<'r, 'a>(pub(super) &'r dyn Referents<'a>);

impl<'a: 'b, 'b> Referents<'b> for Shortened<'_, 'a> {
    fn frame_base(&self, frame: &mut dyn FrameContext) -> Result<u64, Failure> {
        self.0.frame_base(frame)
    }

    fn base_type(&self, at: UnitOffset) -> Result<ValueType, Failure> {
        self.0.base_type(at)
    }

    fn number_type(&self, at: UnitOffset) -> Option<Arithmetic> {
        self.0.number_type(at)
    }

    fn float_of(&self, parameter: UnitOffset) -> Option<UnitOffset> {
        self.0.float_of(parameter)
    }

    fn arch(&self) -> Arch {
        self.0.arch()
    }

    fn die_id(&self, at: UnitOffset) -> Option<DieId> {
        self.0.die_id(at)
    }

    fn indexed_address(&self, index: gimli::DebugAddrIndex) -> Result<u64, Failure> {
        self.0.indexed_address(index)
    }

    fn location_of(&self, die: DieReference) -> Result<Slice<'b>, Failure> {
        self.0.location_of(die)
    }
}

/// Evaluates DW_OP_entry_value and DW_OP_GNU_entry_value. Only the value of a register can be had from a call site;
/// anything else (memory at the time of the entry) is past.
fn entry_value<'a>(
    of: Expression<Slice<'a>>,
    encoding: gimli::Encoding,
    referents: &dyn Referents<'a>,
    frame: &mut dyn FrameContext,
) -> Result<Value, Failure> {
    let mut operations = of.operations(encoding);
    let first = operations.next()?;
    if operations.next()?.is_some() {
        return Err(Failure::EntryValue);
    }
    let (register, base_type) = match first {
        Some(Operation::Register { register }) => (register, UnitOffset(0)),
        // DW_OP_regval_type: parameters in vector registers.
        Some(Operation::RegisterOffset { register, offset: 0, base_type }) if base_type.0 != 0 => (register, base_type),
        _ => return Err(Failure::EntryValue),
    };
    let bits = frame.entry_value(register.0).ok_or(Failure::EntryValue)?;
    match value_type(base_type, referents)? {
        ValueType::Generic => Ok(Value::Generic(bits)),
        typed => parse(typed, &bits.to_le_bytes()),
    }
}

fn register_value<'a>(
    number: u16,
    base_type: UnitOffset,
    referents: &dyn Referents<'a>,
    frame: &mut dyn FrameContext,
) -> Result<Value, Failure> {
    match value_type(base_type, referents)? {
        ValueType::Generic => frame.register(number).map(Value::Generic).ok_or(Failure::Register(number)),
        typed => {
            let bytes = frame.register_bytes(number).ok_or(Failure::Register(number))?;
            parse(typed, &bytes)
        }
    }
}

fn read_value<'a>(
    address: u64,
    size: u8,
    base_type: UnitOffset,
    referents: &dyn Referents<'a>,
    frame: &mut dyn FrameContext,
) -> Result<Value, Failure> {
    let failure = Failure::Memory { address, size };
    let mut word = [0u8; 8];
    let buffer = word.get_mut(..usize::from(size)).ok_or(failure.clone())?;
    if !frame.read(address, buffer) {
        return Err(failure);
    }
    match value_type(base_type, referents)? {
        ValueType::Generic => Ok(Value::Generic(u64::from_le_bytes(word))),
        typed => parse(typed, buffer),
    }
}

/// Returns the type of a typed operation; offset 0 stands for the generic type (DWARF 5 section 2.5.1.4.2).
pub(super) fn value_type<'a>(at: UnitOffset, referents: &dyn Referents<'a>) -> Result<ValueType, Failure> {
    if at.0 == 0 { Ok(ValueType::Generic) } else { referents.base_type(at) }
}

fn parse(ty: ValueType, bytes: &[u8]) -> Result<Value, Failure> {
    Ok(Value::parse(ty, gimli::EndianSlice::new(bytes, gimli::LittleEndian))?)
}

/// Returns the type that the stack machine makes of a base type. It computes with integers of up to 8 bytes and the two
/// common floats; the encodings that only tell how to print an integer are integers to it.
pub(crate) fn machine_type<R: Reader>(entry: &gimli::DebuggingInformationEntry<R>) -> Option<ValueType> {
    if entry.tag() != gimli::DW_TAG_base_type {
        return None;
    }
    let size = entry.attr_value(gimli::DW_AT_byte_size)?.udata_value()?;
    ValueType::from_encoding(plain_encoding(entry)?, size)
}

/// Returns the number that a base type of that name is.
pub(crate) fn number_type<R: Reader>(
    entry: &gimli::DebuggingInformationEntry<R>,
    name: &str,
    arch: Arch,
) -> Option<Arithmetic> {
    if entry.tag() != gimli::DW_TAG_base_type {
        return None;
    }
    let size = entry.attr_value(gimli::DW_AT_byte_size)?.udata_value()?;
    let integer = |signed| IntegerType::of_size(size, signed).filter(|ty| ty.size() == size).map(Arithmetic::Integer);
    match plain_encoding(entry)? {
        gimli::DW_ATE_float => FloatFormat::of(name, size, arch).map(Arithmetic::Float),
        gimli::DW_ATE_signed => integer(true),
        gimli::DW_ATE_unsigned => integer(false),
        _ => None,
    }
}

/// Returns the encoding of a base type; one that only tells how to print an integer is that of an integer.
fn plain_encoding<R: Reader>(entry: &gimli::DebuggingInformationEntry<R>) -> Option<gimli::DwAte> {
    let gimli::AttributeValue::Encoding(encoding) = entry.attr_value(gimli::DW_AT_encoding)? else {
        return None;
    };
    Some(match encoding {
        gimli::DW_ATE_signed_char => gimli::DW_ATE_signed,
        gimli::DW_ATE_unsigned_char | gimli::DW_ATE_boolean | gimli::DW_ATE_UTF | gimli::DW_ATE_address => {
            gimli::DW_ATE_unsigned
        }
        other => other,
    })
}
