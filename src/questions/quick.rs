//! Conditions that are judged at millions of hits, without a value being made: compiled, over what was collected.
//!
//! What can be compiled is what rr can be told at a breakpoint: integers, pointers and what they point to, members,
//! elements, comparisons, `&&` and `||`. All else is evaluated, and so is a condition at a hit where it cannot be judged,
//! since evaluation says why.

use super::frame::{BASES, Frame, GENERAL, base_name, register_number};
use super::made_up::MadeUp;
use super::place::Spot;
use super::plan::Plan;
use super::scope::{NameMeaning, Scope};
use ctype::layout::size_of;
use ctype::{Target, TypeRef};
use dwarf::{Location, Variable};
use expr::{Bound, Bounded, Env, Home, Located, Locator, Machine, Name, Parsed, Placement, Tag, Term, Types};
use program::made_up::LOOKS;
use softcounters::probes::{BriefHit, MOST_REQUIREMENTS, Operand, Register, Requirement};

/// A compiled condition.
#[derive(Clone, Debug)]
pub(super) struct Quick(Vec<u8>);

impl Quick {
    /// Compiles a condition for a place. `None`: it has to be evaluated.
    pub(super) fn new(scope: &mut Scope<'_>, condition: &Parsed) -> Option<Self> {
        expr::compile(condition, &mut Fixed(scope)).ok().map(Self)
    }

    /// Returns whether it holds at a hit, of which the values of a plan begin with that of this number. `None`: it has
    /// to be evaluated.
    pub(super) fn holds(&self, plan: &Plan, hit: &BriefHit<'_>, first: usize, stack: &mut Vec<u64>) -> Option<bool> {
        expr::run(&self.0, &AtHit { plan, hit, first }, stack).map(|value| value != 0)
    }
}

/// Returns what a condition at a place requires that can be looked at in the replay itself: hits of which that does not hold
/// are not even told.
pub(super) fn requirements(scope: &mut Scope<'_>, condition: &Parsed) -> Vec<Requirement> {
    let bounds = expr::bounds(condition, &mut Fixed(scope));
    bounds.into_iter().map_while(requirement).take(MOST_REQUIREMENTS).collect()
}

fn requirement(bound: Bound) -> Option<Requirement> {
    let Bound { number, size, is_signed, range, is_other } = bound;
    let operand = match number {
        Bounded::Register(number) => Operand::Register(Register::named(base_name(number))?),
        Bounded::Memory { register, steps } => {
            let steps = steps.into_iter().map(|step| i32::try_from(step).ok()).collect::<Option<Vec<i32>>>()?;
            Operand::Memory { base: Register::named(base_name(register))?, steps }
        }
    };
    Some(Requirement { operand, size, is_signed, range, is_other }).filter(Requirement::is_possible)
}

/// What was collected at a hit.
struct AtHit<'a> {
    plan: &'a Plan,
    hit: &'a BriefHit<'a>,
    first: usize,
}

impl Machine for AtHit<'_> {
    fn register(&self, number: u16) -> Option<u64> {
        self.plan.register_in(self.hit, self.first, number)
    }

    fn memory(&self, address: u64, bytes: usize) -> Option<u64> {
        self.plan.memory_in(self.hit, self.first, address, bytes)
    }
}

/// Where variables are at a place, as far as that is a register, or so many bytes behind what one has.
struct Fixed<'a, 'b>(&'a mut Scope<'b>);

impl Fixed<'_, '_> {
    fn spot(&self) -> &Spot {
        self.0.spot
    }

    fn home(&self, variable: &Variable) -> Option<Home> {
        let module = self.0.program.module(self.spot().module)?;
        let ask = |look| {
            let mut state = MadeUp::new(look);
            let mut frame = Frame::in_module(&mut state, module, self.spot().address, None);
            let location = module.image.variable_location(variable, &mut frame);
            let is_fixed = !frame.asked_callers && state.needs.is_empty() && state.refused.is_none();
            let home = match location {
                Location::Register(number) if number < GENERAL => Home::Register(number),
                Location::Memory(address) => {
                    let (number, offset) = state.recognise(address)?;
                    let number = u16::try_from(number).ok().filter(|number| *number < BASES)?;
                    Home::Address(vec![Term::Register { number, offset }])
                }
                _ => return None,
            };
            is_fixed.then_some(home)
        };
        let [first, second] = LOOKS.map(ask);
        first.filter(|first| Some(first) == second.as_ref())
    }
}

impl Types for Fixed<'_, '_> {
    fn target(&self) -> Target {
        self.spot().target
    }

    fn type_named(&mut self, tag: Option<Tag>, name: &str) -> Option<TypeRef> {
        self.0.type_named(tag, name)
    }

    fn unclear_type(&mut self, tag: Option<Tag>, name: &str) -> Option<String> {
        self.0.unclear_type(tag, name)
    }

    fn enumerator(&mut self, name: &str) -> Option<(TypeRef, i128)> {
        self.0.enumerator(name)
    }

    fn has_operator(&mut self, name: &str, operands: &[TypeRef]) -> bool {
        self.0.has_operator(name, operands)
    }
}

impl Locator for Fixed<'_, '_> {
    fn locate(&mut self, name: &Name) -> Placement {
        let variable = match self.0.meant(name) {
            NameMeaning::Variable(variable) => variable,
            NameMeaning::Other => return Placement::Varying,
            NameMeaning::Nothing => return Placement::Unknown,
        };
        // An array whose size is only known in a frame has none here.
        let home = size_of(&variable.ty).and_then(|_| self.home(&variable));
        home.map_or(Placement::Varying, |home| Placement::Fixed(Located { home, ty: variable.ty }))
    }

    fn register(&mut self, name: &str) -> Option<Located> {
        let number = register_number(self.target().arch.register_alias(name)).filter(|number| *number < GENERAL)?;
        let value = Env::register(self.0, name)?;
        Some(Located { ty: value.ty, home: Home::Register(number) })
    }
}
