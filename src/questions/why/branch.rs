//! A place where an execution turned away from some code, or toward it: what is collected there, and what it comes to.

use super::callers::called;
use super::condition::{shown, variables};
use super::flow::{Edge, Flow, Turn};
use crate::biases::Biases;
use crate::error::Error;
use crate::expression::{Expression, scope_at, short, where_is};
use crate::frame::{XMM0, register_name};
use crate::hits::Moment;
use crate::place::Spot;
use crate::plan::{Plan, PlanBuilder};
use crate::program::{ARCH, Program};
use arch::{Bias, Comparison, LinkAddr, Onward, Operand, RunAddr, accesses, comparison};
use base::cancel::Cancel;
use program::sources::source_line;
use rr::{HitAt, ProbePass};
use softcounters::probes::{CollectedValue, Place, Probe, Register, Value};

/// Most branches that share the flags of one comparison.
const SHARING: usize = 2;
/// Values in front of those of the expressions: the stack pointer, and the operands of the comparison.
const RESERVED: usize = 3;

/// An edge of the control flow with what is looked at there.
pub(super) struct Branch {
    pub(super) module: usize,
    pub(super) edge: Edge,
    /// Where it is looked at: the comparison, or the branch itself.
    pub(super) spot: Spot,
    pub(super) place: String,
    /// The file and line.
    pub(super) line: Option<(String, u32)>,
    /// The function that is called there.
    pub(super) callee: Option<String>,
    /// The source line.
    pub(super) text: Option<String>,
    pub(super) plan: Plan,
    pub(super) values: Vec<Expression>,
    compared: Option<Compared>,
    before_plan: Vec<Value>,
}

/// What a branch was once.
#[derive(Clone, Debug)]
pub(super) struct Seen {
    pub(super) at: Moment,
    pub(super) compared: Option<String>,
    pub(super) values: Vec<(String, Result<String, String>)>,
    /// Where the call returns to, at the entry of a function.
    pub(super) back: Option<u64>,
}

/// A hit of a branch.
pub(super) struct BranchHit<'a> {
    pub(super) pass: &'a ProbePass,
    pub(super) at: &'a HitAt,
    /// What was collected.
    pub(super) values: &'a [CollectedValue],
    /// Where the module is, if the hit says it.
    pub(super) bias: Option<Bias>,
    /// Which time in its tick it is.
    pub(super) visit: Option<u32>,
}

/// What is compared, and where that is among the values.
struct Compared {
    comparison: Comparison,
    sides: [Side; 2],
}

/// One side of a comparison.
#[derive(Clone, Copy)]
enum Side {
    Constant(u64),
    /// Bytes of the value of this number.
    Value {
        number: usize,
        offset: usize,
        size: usize,
    },
}

impl Branch {
    /// Finds out what can be looked at where an execution turns.
    pub(super) fn new(program: &Program, module: usize, flow: &Flow, edge: Edge) -> Result<Self, Error> {
        let mut before_plan: Vec<Value> = Register::named("rsp").map(Value::Register).into_iter().collect();
        let mut at = edge.from;
        let mut compared = None;
        if edge.turn == Turn::Branch
            && let Some((address, comparison)) = compared_before(program, module, flow, edge.from)
        {
            compared = Compared::new(program, module, flow, address, comparison, &mut before_plan);
            at = if compared.is_some() { address } else { at };
        }
        let spot = Spot::new(program, module, LinkAddr(at), |_| true)?;
        let found = program.module(module).and_then(|found| found.line(LinkAddr(edge.from)));
        let text = found.as_ref().and_then(|(path, _, line)| source_line(path, *line));
        let code = program.code_at(module, spot.address);
        let mut wanted = PlanBuilder::new(RESERVED, code);
        let mut values = Vec::new();
        for name in text.as_deref().map(variables).unwrap_or_default() {
            // What the line names may be a type, a macro, or nothing that can be collected.
            match Expression::new(program, &spot, &mut wanted, &name, None) {
                Ok(value) => values.push(value),
                Err(Error::Cancelled) => return Err(Error::Cancelled),
                Err(_) => {}
            }
        }
        let call = flow.at(edge.from).filter(|_| edge.turn == Turn::Call);
        Ok(Self {
            callee: program.module(module).zip(call).and_then(|(module, call)| called(module, call)),
            module,
            edge,
            place: where_is(program, &spot),
            line: found.map(|(_, name, line)| (name, line)),
            text: text.as_deref().map(shown).filter(|text| !text.is_empty()),
            plan: wanted.plan(),
            values,
            compared,
            before_plan,
            spot,
        })
    }

    /// Returns what collects it.
    pub(super) fn probe(&self, program: &Program) -> Option<Probe> {
        let module = program.module(self.module)?.identity.clone();
        let values = self.before_plan.iter().chain(&self.plan.values).cloned().collect();
        Some(Probe::new(Place::Module { module, address: self.spot.address.0 }, values))
    }

    /// Evaluates what the branch was at a hit.
    pub(super) fn seen(
        &self,
        program: &Program,
        hit: &BranchHit<'_>,
        biases: &mut Biases,
        cancel: &Cancel,
    ) -> Result<Seen, Error> {
        let (compared, rest) = self.split(hit.values);
        let mut moment = self.plan.moment(rest);
        let (at, when) = biases.at(program, hit.pass, hit.at, &self.spot, hit.bias);
        let mut scope = scope_at(program, &self.spot, &mut moment, at);
        let values = program.ask_with(cancel, || {
            let mut shown = |value: &Expression| {
                let found = value.value(&mut scope).map(|found| short(&found, &mut scope).text);
                (value.text.clone(), found)
            };
            // A name that stands for itself says nothing: an enumerator.
            let says_something = |(name, value): &(String, Result<String, String>)| value.as_ref() != Ok(name);
            self.values.iter().map(&mut shown).filter(says_something).collect()
        })?;
        Ok(Seen { at: Moment { visit: hit.visit, ..when }, compared, values, back: None })
    }

    /// Splits what was collected at a hit: what was compared, in words, and the values of the expressions.
    pub(super) fn split<'a>(&self, found: &'a [CollectedValue]) -> (Option<String>, &'a [CollectedValue]) {
        let (own, rest) = found.split_at_checked(self.before_plan.len()).unwrap_or((found, &[]));
        (self.compared.as_ref().and_then(|compared| compared.shown(own)), rest)
    }
}

/// Returns the comparison whose flags a branch looks at.
fn compared_before(program: &Program, module: usize, flow: &Flow, branch: u64) -> Option<(u64, Comparison)> {
    let mut at = branch;
    for _ in 0..=SHARING {
        let before = flow.right_before(at)?;
        let code = program.module(module)?.code((LinkAddr(before.at), LinkAddr(before.next)))?;
        if let Some(comparison) = comparison(ARCH, code, RunAddr(before.at)) {
            return Some((before.at, comparison));
        }
        matches!(before.onward, Onward::Branch(_)).then_some(())?;
        at = before.at;
    }
    None
}

impl Compared {
    /// Finds where both sides are collected; `None` if one cannot be.
    fn new(
        program: &Program,
        module: usize,
        flow: &Flow,
        at: u64,
        comparison: Comparison,
        values: &mut Vec<Value>,
    ) -> Option<Self> {
        let listed = flow.at(at)?;
        let code = program.module(module)?.code((LinkAddr(listed.at), LinkAddr(listed.next)))?;
        let mut own = values.clone();
        let mut side = |operand: Operand| {
            let (value, offset, size) = match operand {
                Operand::Constant(constant) => return Some(Side::Constant(constant)),
                Operand::Register { number, offset, size } if number >= XMM0 => {
                    (Value::Vector(u8::try_from(number - XMM0).ok().filter(|number| *number < 16)?), offset, size)
                }
                Operand::Register { number, offset, size } => {
                    (Value::Register(Register::named(register_name(number))?), offset, size)
                }
                Operand::Memory { offset, size } => (memory(code, at, size)?, offset, size),
            };
            own.push(value);
            Some(Side::Value { number: own.len() - 1, offset, size })
        };
        let [first, second] = comparison.operands;
        let sides = [side(first)?, side(second)?];
        *values = own;
        Some(Self { comparison, sides })
    }

    /// Returns the values of both sides, in words.
    fn shown(&self, found: &[CollectedValue]) -> Option<String> {
        let size = self.sides.iter().find_map(|side| match side {
            Side::Value { size, .. } => Some(*size),
            Side::Constant(_) => None,
        })?;
        let bytes = |side: &Side| match *side {
            Side::Constant(value) => value.to_le_bytes().get(..size.min(8)).map(<[u8]>::to_vec),
            Side::Value { number, offset, size } => {
                let all = match found.get(number)? {
                    CollectedValue::Register(value) => value.to_le_bytes().to_vec(),
                    CollectedValue::Vector(bytes) => bytes.to_vec(),
                    CollectedValue::Memory(bytes) => bytes.clone(),
                };
                all.get(offset..offset.checked_add(size)?).map(<[u8]>::to_vec)
            }
        };
        let [first, second] = &self.sides;
        let (one, other) = (bytes(first)?, bytes(second)?);
        let number = |bytes: &[u8]| if self.comparison.of_floats { float(bytes) } else { integer(bytes) };
        Some(match self.comparison.mnemonic.as_str() {
            "test" if one == other => format!("{} with 0", number(&one)?),
            "test" => format!("{} & {} with 0", number(&one)?, number(&other)?),
            _ => format!("{} with {}", number(&one)?, number(&other)?),
        })
    }
}

/// Returns what collects the operand in memory of an instruction, if it is at a constant distance from a register.
fn memory(code: &[u8], at: u64, size: usize) -> Option<Value> {
    let with = |value: u64| {
        let all = accesses(ARCH, code, RunAddr(at), &|name| (!name.ends_with("_base")).then_some(value));
        all.into_iter().find(|access| access.reads)
    };
    let (zero, one) = (with(0)?, with(1)?);
    let distance = |from: u64| i32::try_from(zero.address.wrapping_sub(from).cast_signed()).ok();
    let length = u16::try_from(size).ok()?;
    match zero.registers.as_slice() {
        [(name, _)] if name != "rip" && one.address.wrapping_sub(zero.address) == 1 => {
            Some(Value::Memory { base: Register::named(name)?, steps: vec![distance(0)?], length })
        }
        [] => Some(Value::Memory { base: Register::named("rip")?, steps: vec![distance(at)?], length }),
        _ => None,
    }
}

/// Returns a number with its sign.
fn integer(bytes: &[u8]) -> Option<String> {
    let last = bytes.last()?;
    let mut wide = [if last & 0x80 == 0 { 0 } else { 0xff }; 8];
    wide.get_mut(..bytes.len())?.copy_from_slice(bytes);
    let value = i64::from_le_bytes(wide);
    Some(if value.unsigned_abs() < 1 << 40 { value.to_string() } else { format!("{value:#x}") })
}

fn float(bytes: &[u8]) -> Option<String> {
    match bytes {
        [a, b, c, d] => Some(f32::from_le_bytes([*a, *b, *c, *d]).to_string()),
        _ => Some(f64::from_le_bytes(bytes.try_into().ok()?).to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operands_near_a_register_are_collected() {
        let base = |name| Register::named(name).unwrap();
        // cmpl $7,-4(%rbp); cmpl $7,(%rax,%rcx,4); cmpl $7,0x10(%rip); cmpl $7,0x20(,%rax,4)
        let found = memory(&[0x83, 0x7d, 0xfc, 7], 0x1000, 4);
        assert_eq!(found, Some(Value::Memory { base: base("rbp"), steps: vec![-4], length: 4 }));
        assert_eq!(memory(&[0x83, 0x3c, 0x88, 7], 0x1000, 4), None);
        let found = memory(&[0x83, 0x3d, 0x10, 0, 0, 0, 7], 0x1000, 4);
        assert_eq!(found, Some(Value::Memory { base: base("rip"), steps: vec![0x17], length: 4 }));
        assert_eq!(memory(&[0x83, 0x3c, 0x85, 0x20, 0, 0, 0, 7], 0x1000, 4), None);
        // cmpl $7,%fs:0x10
        assert_eq!(memory(&[0x64, 0x83, 0x3c, 0x25, 0x10, 0, 0, 0, 7], 0x1000, 4), None);
    }

    #[test]
    fn numbers_have_their_sign() {
        assert_eq!(integer(&[0xff, 0xff]).as_deref(), Some("-1"));
        assert_eq!(integer(&0x7fff_1234_5678_u64.to_le_bytes()).as_deref(), Some("0x7fff12345678"));
        assert_eq!(integer(&[]), None);
        assert_eq!(float(&1.5_f64.to_le_bytes()).as_deref(), Some("1.5"));
    }
}
