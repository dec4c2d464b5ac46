//! Bytecode computes what evaluation computes, and fails where evaluation fails.

use super::*;
use ctype::arith::{Arithmetic, IntegerType, Number, Rank};
use ctype::layout::{array_of, pointer_to, strip};
use ctype::{
    Bits, Enumeration, Link, Member, Memory, Place, Record, RecordKind, Target, Type, TypeRef, Unavailable, Value,
};
use std::sync::Arc;

/// A variable that is not at one place throughout, and an enumerator.
const HIDING: &str = "hiding";

mod bounds;
mod random;

const BASE: u64 = 0x7fff_0000_1000;
const SIZE: usize = 256;
const FRAME: u16 = 6;

/// What a frame might look like: variables in memory, two in registers, pointers to some of them.
#[derive(Clone, Debug)]
struct Machine {
    memory: Vec<u8>,
    /// Registers 0 and 1 hold variables; [`FRAME`] points to the memory.
    registers: [u64; 8],
}

fn integer(rank: Rank, signed: bool) -> TypeRef {
    Arithmetic::Integer(IntegerType { rank, signed }).base_type()
}

fn int() -> TypeRef {
    integer(Rank::Int, true)
}

fn record() -> TypeRef {
    let member = |name: &str, ty: TypeRef, offset, bits: Option<(u8, u8)>| Member {
        name: Some(name.to_owned()),
        ty: Link::ready(ty),
        offset,
        bits: bits.map(|(offset, size)| Bits::new(offset, size)),
        is_base: false,
        alignment: None,
    };
    let members = vec![
        member("a", int(), 0, Some((0, 3))),
        member("b", integer(Rank::Int, false), 0, Some((3, 7))),
        member("c", integer(Rank::Long, false), 2, Some((1, 33))),
        member("d", integer(Rank::Long, true), 7, Some((0, 24))),
        member("f", integer(Rank::Bool, false), 1, Some((5, 1))),
        member("w", integer(Rank::Int, false), 12, Some((0, 32))),
        member("g", array_of(int(), 2), 16, None),
        member("h", integer(Rank::Char, true), 24, None),
    ];
    let record =
        Record { kind: RecordKind::Struct, name: Some("s".to_owned()), size: Some(32), members, ..Record::default() };
    Arc::new(Type::Record(record))
}

fn color() -> TypeRef {
    let enumerators = vec![("RED".to_owned(), -1), ("GREEN".to_owned(), 7)];
    Arc::new(Type::Enumeration(Enumeration {
        name: Some("color".to_owned()),
        size: 4,
        signed: true,
        enumerators,
        ..Enumeration::default()
    }))
}

/// Name, type, offset in memory.
fn variables() -> Vec<(&'static str, TypeRef, u64)> {
    vec![
        ("c", integer(Rank::Char, true), 0),
        ("uc", integer(Rank::Char, false), 1),
        ("h", integer(Rank::Short, true), 2),
        ("uh", integer(Rank::Short, false), 4),
        ("i", int(), 8),
        ("u", integer(Rank::Int, false), 12),
        ("l", integer(Rank::Long, true), 16),
        ("ul", integer(Rank::Long, false), 24),
        ("ll", integer(Rank::LongLong, true), 32),
        ("b", integer(Rank::Bool, false), 40),
        ("e", color(), 44),
        ("arr", array_of(int(), 4), 48),
        ("p", pointer_to(int(), 8), 64),
        ("pp", pointer_to(pointer_to(int(), 8), 8), 72),
        ("s", record(), 80),
        ("ps", pointer_to(record(), 8), 112),
        ("np", pointer_to(int(), 8), 120),
    ]
}

impl Machine {
    fn new(random: &[u8], registers: [u64; 2]) -> Self {
        let mut memory = random.to_vec();
        memory.resize(SIZE, 0);
        for (at, value) in [(64, BASE + 52), (72, BASE + 64), (112, BASE + 80), (120, 0)] {
            memory[at..at + 8].copy_from_slice(&u64::to_le_bytes(value));
        }
        let mut all = [0; 8];
        all[..2].copy_from_slice(&registers);
        all[usize::from(FRAME)] = BASE + 128;
        Self { memory, registers: all }
    }

    fn bytes(&self, address: u64, size: usize) -> Option<&[u8]> {
        let start = usize::try_from(address.checked_sub(BASE)?).ok()?;
        self.memory.get(start..start.checked_add(size)?)
    }

    /// Runs bytecode as rr does; `None` if an instruction fails.
    fn run(&self, code: &[u8]) -> Option<u64> {
        let mut stack: Vec<i64> = Vec::new();
        let mut pc = 0;
        for _ in 0..10_000 {
            let opcode = code[pc];
            let operand = |size: usize| {
                code[pc + 1..pc + 1 + size].iter().fold(0u64, |value, byte| value << 8 | u64::from(*byte))
            };
            let mut next = pc + 1;
            macro_rules! pop {
                () => {
                    stack.pop().expect("stack underflow")
                };
            }
            match opcode {
                0x02..=0x0b | 0x0f..=0x11 | 0x13..=0x15 => {
                    let (b, a) = (pop!(), pop!());
                    let (ua, ub) = (a as u64, b as u64);
                    stack.push(match opcode {
                        0x02 => a.wrapping_add(b),
                        0x03 => a.wrapping_sub(b),
                        0x04 => a.wrapping_mul(b),
                        0x05..=0x08 if b == 0 => return None,
                        // rr divides as the processor does: a trap here would be its end.
                        0x05 => a.checked_div(b).expect("division that kills rr"),
                        0x06 => (ua / ub) as i64,
                        0x07 => a.checked_rem(b).expect("division that kills rr"),
                        0x08 => (ua % ub) as i64,
                        0x09..=0x0b if ub > 63 => panic!("shift by {ub}"),
                        0x09 => a << b,
                        0x0a => a >> b,
                        0x0b => (ua >> ub) as i64,
                        0x0f => a & b,
                        0x10 => a | b,
                        0x11 => a ^ b,
                        0x13 => i64::from(a == b),
                        0x14 => i64::from(a < b),
                        _ => i64::from(ua < ub),
                    });
                }
                0x0e => {
                    let a = pop!();
                    stack.push(i64::from(a == 0));
                }
                0x12 => {
                    let a = pop!();
                    stack.push(!a);
                }
                0x17..=0x1a => {
                    let address = pop!() as u64;
                    let bytes = self.bytes(address, 1 << (opcode - 0x17))?;
                    stack.push(bytes.iter().rev().fold(0u64, |value, byte| value << 8 | u64::from(*byte)) as i64);
                }
                0x20 => next = if pop!() != 0 { operand(2) as usize } else { pc + 3 },
                0x21 => next = operand(2) as usize,
                0x22..=0x25 => {
                    let size = 1 << (opcode - 0x22);
                    stack.push(operand(size) as i64);
                    next += size;
                }
                0x26 => {
                    stack.push(self.registers[operand(2) as usize] as i64);
                    next += 2;
                }
                0x27 => {
                    assert_eq!(stack.len(), 1, "what is left at the end");
                    return Some(stack[0] as u64);
                }
                0x28 => stack.push(*stack.last().expect("stack underflow")),
                0x29 => {
                    pop!();
                }
                0x2b => {
                    let top = stack.len();
                    stack.swap(top - 1, top - 2);
                }
                0x32 => {
                    stack.push(stack[stack.len() - 1 - operand(1) as usize]);
                    next += 1;
                }
                other => panic!("instruction {other:#x}"),
            }
            pc = next;
        }
        panic!("endless");
    }
}

impl super::Machine for Machine {
    fn register(&self, number: u16) -> Option<u64> {
        self.registers.get(usize::from(number)).copied()
    }

    fn memory(&self, address: u64, bytes: usize) -> Option<u64> {
        let bytes = self.bytes(address, bytes)?;
        Some(bytes.iter().rev().fold(0, |value, byte| value << 8 | u64::from(*byte)))
    }
}

impl Memory for Machine {
    fn read(&mut self, address: u64, buffer: &mut [u8]) -> Result<(), Unavailable> {
        let bytes = self.bytes(address, buffer.len()).ok_or(Unavailable::Memory(address))?;
        buffer.copy_from_slice(bytes);
        Ok(())
    }

    fn symbol(&mut self, _: u64) -> Option<String> {
        None
    }
}

impl Names for Machine {
    fn is_type(&mut self, name: &str) -> bool {
        name == "color_t"
    }
}

impl Types for Machine {
    fn target(&self) -> Target {
        Target::X86_64
    }

    fn type_named(&mut self, tag: Option<Tag>, name: &str) -> Option<TypeRef> {
        match (tag, name) {
            (None, "color_t") | (Some(Tag::Enum), "color") => Some(color()),
            (Some(Tag::Struct), "s") => Some(record()),
            _ => None,
        }
    }

    fn enumerator(&mut self, name: &str) -> Option<(TypeRef, i128)> {
        match name {
            "RED" => Some((color(), -1)),
            "GREEN" | HIDING => Some((color(), 7)),
            _ => None,
        }
    }
}

impl Env for Machine {
    fn variable(&mut self, name: &Name) -> Result<Value, LookupError> {
        let Placement::Fixed(located) = self.locate(name) else { return Err(LookupError::NotFound) };
        let place = match located.home {
            Home::Register(n) => {
                let bytes = self.registers[usize::from(n)].to_le_bytes().to_vec();
                Place::Register { name: format!("r{n}"), bytes }
            }
            Home::Address(terms) => Place::Memory(terms.iter().fold(0u64, |sum, term| {
                sum.wrapping_add(match term {
                    Term::Constant(value) => *value,
                    Term::Register { number, offset } => {
                        self.registers[usize::from(*number)].wrapping_add_signed(*offset)
                    }
                })
            })),
        };
        Ok(Value::new(located.ty, place))
    }

    fn register(&mut self, _: &str) -> Option<Value> {
        Some(Value::computed(integer(Rank::Long, true), &self.registers[0].to_le_bytes()))
    }
}

impl Locator for Machine {
    fn locate(&mut self, name: &Name) -> Placement {
        let name = name.qualified();
        match name.as_str() {
            "ri" => {
                return Placement::Fixed(Located { ty: int(), home: Home::Register(0) });
            }
            "rul" => {
                return Placement::Fixed(Located { ty: integer(Rank::Long, false), home: Home::Register(1) });
            }
            "rb" => {
                return Placement::Fixed(Located { ty: integer(Rank::Bool, false), home: Home::Register(1) });
            }
            _ => {}
        }
        let Some((_, ty, offset)) = variables().into_iter().find(|(n, ..)| *n == name) else {
            return if name == HIDING { Placement::Varying } else { Placement::Unknown };
        };
        // As globals are found, and as locals are.
        let terms = match offset % 16 {
            0 => vec![Term::Constant(BASE + offset)],
            _ => vec![Term::Register { number: FRAME, offset: offset as i64 - 128 }],
        };
        Placement::Fixed(Located { ty, home: Home::Address(terms) })
    }

    fn register(&mut self, _: &str) -> Option<Located> {
        Some(Located { ty: integer(Rank::Long, true), home: Home::Register(0) })
    }
}

/// What both sides make of an expression: `Ok(None)` where there is an error at run time.
fn evaluated(machine: &mut Machine, expr: &Parsed) -> Result<Option<u64>, Error> {
    let value = match evaluate(expr, machine) {
        Ok(value) => value,
        Err(Error { kind: ErrorKind::Arithmetic(_) | ErrorKind::Unavailable(_), .. }) => return Ok(None),
        Err(e) => return Err(e),
    };
    if let Type::Pointer { .. } | Type::Array { .. } | Type::Function { .. } = &*strip(&value.ty) {
        let address = match value.address() {
            Some(address) if matches!(&*strip(&value.ty), Type::Array { .. }) => address,
            _ => match value.scalar_bytes(machine) {
                Ok(Some(bytes)) => u64::from_le_bytes(bytes.try_into().unwrap()),
                _ => return Ok(None),
            },
        };
        return Ok(Some(address));
    }
    match value.number(machine, Target::X86_64) {
        Ok(Number::Integer(i)) => Ok(Some(i.bits() as u64)),
        _ => Ok(None),
    }
}

fn agree(machine: &mut Machine, text: &str) -> Result<(), String> {
    let expr = parse_in(text, machine).map_err(|e| e.render(text))?;
    let code = compile(&expr, machine).map_err(|e| e.to_string())?;
    let expected = evaluated(machine, &expr).map_err(|e| e.render(text))?;
    let got = machine.run(&code);
    let here = run(&code, &*machine, &mut Vec::new());
    if here != got {
        return Err(format!("{text}: rr has {got:x?}, it is {here:x?} here"));
    }
    let bounds = bounds(&expr, machine);
    if bounds::fails(machine, &bounds) && expected != Some(0) {
        return Err(format!("{text}: it is {expected:x?}, though not all of {bounds:?} hold"));
    }
    if got == expected { Ok(()) } else { Err(format!("{text}: {got:x?} is not {expected:x?}")) }
}

fn some_machine() -> Machine {
    let random: Vec<u8> = (0..SIZE).map(|i| (i * 151 + 97) as u8).collect();
    Machine::new(&random, [0xffff_ffff_8000_0005, 0x1234_5678_9abc_def0])
}

#[test]
fn expressions_compile_to_what_they_evaluate_to() {
    let mut machine = some_machine();
    for text in [
        "i",
        "c",
        "uc",
        "h",
        "uh",
        "l",
        "ul",
        "ll",
        "b",
        "e",
        "e == RED",
        "e < GREEN",
        "ri",
        "rul",
        "rb",
        "$rax",
        "arr",
        "arr[1]",
        "1[arr]",
        "arr[-1]",
        "*arr",
        "p[1]",
        "*p",
        "**pp",
        "pp[0][1]",
        "*(p + 2)",
        "p - arr",
        "p == arr",
        "p > arr",
        "&arr[2] - p",
        "p == &arr[1]",
        "&p == pp",
        "!p",
        "p && *p",
        "np && *np",
        "np || i",
        "*np",
        "np == NULL",
        "s.a",
        "s.b",
        "s.c",
        "s.d",
        "s.f",
        "s.w",
        "s.g[1]",
        "s.h",
        "ps->a",
        "ps->g[0]",
        "(&s)->h",
        "ps.w",
        "(*ps).b",
        "s.b - 200",
        "s.w - 1 > 0",
        "-s.a",
        "s.c << 40",
        "sizeof s",
        "sizeof(int)",
        "sizeof s.g",
        "sizeof p",
        "sizeof b",
        "_Alignof(long)",
        "'a'",
        "'\\377'",
        "L'a'",
        "true",
        "i ? l : uc",
        "i ? -1 : 0u",
        "np ? p : p + 1",
        "(char)l",
        "(unsigned short)l",
        "(_Bool)l",
        "(long)c",
        "(unsigned long)c",
        "(unsigned)c",
        "(color_t)l",
        "(int *)l",
        "(long)p",
        "*(int *)(long)p",
        "{int}&arr[1]",
        "{unsigned char}(&i)",
        "*&i",
        "i, l",
        "l / 3",
        "l / -3",
        "l % 7",
        "l / c",
        "l % c",
        "ul / uc",
        "ul % 1000",
        "i / (i - i)",
        "i % 0",
        "l / -1",
        "l % -1",
        "1 << h % 8",
        "i << 31",
        "i << 32",
        "l >> 63",
        "ul >> 1",
        "c >> 3",
        "i >> c",
        "(1 - 9223372036854775807l - 2) / (c - c - 1)",
        "(1 - 9223372036854775807l - 2) % (c - c - 1)",
        "(-2147483647 - 1) / (c - c - 1)",
        "i == 5 && l != 3 || !(u < 7)",
        "i < u",
        "l < ul",
        "c < uc",
        "i <= l",
        "ul >= 0",
        "*(long *)16",
        "ri ? ps->g[1] : s.b",
        "ri ? -1 : s.b",
        "b ? s.b : s.a",
        "p[1000000000]",
    ] {
        assert_eq!(agree(&mut machine, text), Ok(()), "{text}");
    }
}

#[test]
fn what_rr_cannot_compute_is_refused() {
    let mut machine = some_machine();
    for (text, reason) in [
        ("1.5", "rr computes with integers only"),
        ("(double)i > 1", "double is not an integer of at most 64 bits"),
        ("(__int128)i", "__int128 is not an integer of at most 64 bits"),
        ("s", "struct s is not an integer of at most 64 bits"),
        ("*p@3", "an array is not a condition"),
        ("\"abc\"", "a string literal has no address in the recording"),
        ("nosuch", "\"nosuch\" has no fixed place"),
        // A variable hides the enumerator of its name.
        (HIDING, "\"hiding\" has no fixed place"),
        ("&ri", "takes the address of something that is not in memory"),
        ("&s.a", "takes the address of something that is not in memory"),
        ("s.nosuch", "struct s has no member nosuch"),
        ("p * 2", "operator * on pointers"),
        ("i ? p : i", "branches of ?: have different types"),
        ("*(void *)p", "dereferences a void pointer"),
        ("p - (char *)p", "subtracts pointers of different types"),
    ] {
        let expr = parse(text, &mut machine, Target::X86_64).unwrap();
        assert_eq!(compile(&expr, &mut machine).unwrap_err().reason, reason, "{text}");
    }
    let long = vec!["i"; 40].join(" + ");
    let long = vec![format!("({long})"); 8].join(" * ");
    let expr = parse(&long, &mut machine, Target::X86_64).unwrap();
    assert_eq!(compile(&expr, &mut machine).unwrap_err().reason, "it is too long");
}

#[test]
fn the_encoding_is_that_of_the_agent_expression_mechanism() {
    let mut machine = some_machine();
    for (text, hex) in [
        ("rul == 7", "260001220713 27"),
        ("ri", "260000 2220 09 2220 0a 27"),
        ("uc == 300", "260006 25ffffffffffffff81 02 17 23012c 13 27"),
        ("l", "2500007fff00001010 1a 27"),
        ("rul && rb", "260001 0e 200014 260001 22ff 0f 0e0e 0e0e 210016 2200 27"),
    ] {
        let expr = parse_in(text, &mut machine).unwrap();
        let code = compile(&expr, &mut machine).unwrap();
        let ours: String = code.iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(ours, hex.replace(' ', ""), "{text}");
    }
}

#[test]
fn deep_expressions_fit_a_small_stack() {
    let test = || {
        let mut machine = some_machine();
        for (opening, middle, closing) in [
            ("- ", "i", ""),
            ("*&", "i", ""),
            ("", "i", " + 1"),
            ("(", "i", ")"),
            ("i ? i : ", "i", ""),
            ("sizeof ", "i", ""),
        ] {
            let deepest = (1..70)
                .map(|count| format!("{}{middle}{}", opening.repeat(count), closing.repeat(count)))
                .rfind(|text| parse(text, &mut some_machine(), Target::X86_64).is_ok())
                .unwrap();
            assert_eq!(agree(&mut machine, &deepest), Ok(()));
        }
    };
    std::thread::Builder::new().stack_size(1024 * 1024).spawn(test).unwrap().join().unwrap();
}

#[test]
fn either_way_of_member_access_compiles() {
    let mut machine = some_machine();
    let object = Expr { kind: ExprKind::Name(Name::simple("ps")), span: 0..2, height: 1 };
    let codes = [Access::Dot, Access::Arrow].map(|access| {
        let kind = ExprKind::Member(Box::new(object.clone()), access, "h".to_owned());
        compile(&Expr { kind, span: 0..5, height: 2 }, &mut machine).unwrap()
    });
    assert_eq!(codes[0], codes[1]);
}
