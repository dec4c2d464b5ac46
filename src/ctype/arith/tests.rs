use super::*;
use crate::{FieldWidth, Place, Target};
use proptest::prelude::*;

const KINDS: [IntegerType; 12] = [
    IntegerType { rank: Rank::Char, signed: true },
    IntegerType { rank: Rank::Char, signed: false },
    IntegerType { rank: Rank::Short, signed: true },
    IntegerType { rank: Rank::Short, signed: false },
    IntegerType { rank: Rank::Int, signed: true },
    IntegerType { rank: Rank::Int, signed: false },
    IntegerType { rank: Rank::Long, signed: true },
    IntegerType { rank: Rank::Long, signed: false },
    IntegerType { rank: Rank::LongLong, signed: true },
    IntegerType { rank: Rank::LongLong, signed: false },
    IntegerType { rank: Rank::Int128, signed: true },
    IntegerType { rank: Rank::Int128, signed: false },
];

#[test]
fn conversions_are_those_of_c() {
    let ty = |name: &str| *KINDS.iter().find(|k| k.name() == name).unwrap();
    for (a, b, common) in [
        ("signed char", "unsigned short", "int"),
        ("int", "unsigned int", "unsigned int"),
        ("unsigned int", "long", "long"),
        ("long", "unsigned long", "unsigned long"),
        ("unsigned long", "long long", "unsigned long long"),
        ("unsigned int", "long long", "long long"),
        ("unsigned long long", "__int128", "__int128"),
        ("__int128", "unsigned __int128", "unsigned __int128"),
    ] {
        for (x, y) in [(a, b), (b, a)] {
            let ours = common_type(Arithmetic::Integer(ty(x)), Arithmetic::Integer(ty(y)));
            assert_eq!(ours, Arithmetic::Integer(ty(common)), "{x} and {y}");
        }
    }
    let (float, long) = (Arithmetic::Float(FloatFormat::Single), Arithmetic::Integer(IntegerType::LONG));
    assert_eq!(common_type(float, long), float);
    assert_eq!(common_type(Arithmetic::Complex(FloatFormat::Single), Arithmetic::Float(FloatFormat::X87)), {
        Arithmetic::Complex(FloatFormat::X87)
    });
}

#[test]
fn a_wide_bit_field_computes_in_its_own_width_where_it_keeps_it() {
    let field = |size, computes, bits: u64| {
        let ty = Arithmetic::Integer(IntegerType::UNSIGNED_LONG).base_type();
        let bytes = bits.to_le_bytes().map(Some).to_vec();
        Value { bits: Some(Bits { computes, ..Bits::new(0, size) }), ..Value::new(ty, Place::Bytes(bytes)) }
    };
    let promotion = |value: &Value| Arithmetic::promotion(&value.ty, value.bits, Target::X86_64);
    let own = |size| Some(IntegerType { rank: Rank::Field(size), signed: false });
    assert_eq!(promotion(&field(40, FieldWidth::Own, 0)), own(40));
    assert_eq!(promotion(&field(40, FieldWidth::Declared, 0)), None);
    assert_eq!(promotion(&field(64, FieldWidth::Own, 0)), None);
    let ty = own(40).unwrap();
    let top = Number::Integer(Integer::new(ty, 1 << 39));
    let doubled = binary(NumberOp::Mul, top, Number::int(2)).unwrap();
    assert_eq!(doubled, Number::Integer(Integer::new(ty, 0)));
    // What is computed keeps the width, too.
    assert_eq!(promotion(&Value::from_number(doubled)), own(40));
    let wider = common_type(Arithmetic::Integer(ty), Arithmetic::Integer(IntegerType::LONG));
    assert_eq!(wider, Arithmetic::Integer(IntegerType::LONG));
}

#[test]
fn bool_holds_zero_and_one_only() {
    let ty = IntegerType { rank: Rank::Bool, signed: false };
    assert_eq!(Integer::new(ty, 256).bits(), 1);
    assert_eq!(
        Number::Float(Float::from_f64(0.1)).convert(Arithmetic::Integer(ty)),
        Ok(Number::Integer(Integer::new(ty, 1)))
    );
}

#[test]
fn an_integer_of_an_odd_size_has_its_own_sign_bit() {
    struct Nothing;
    impl Memory for Nothing {
        fn read(&mut self, address: u64, _: &mut [u8]) -> Result<(), Unavailable> {
            Err(Unavailable::Memory(address))
        }
        fn symbol(&mut self, _: u64) -> Option<String> {
            None
        }
    }
    let ty = Arc::new(Type::Base { name: "_BitInt(24)".to_owned(), encoding: Encoding::Signed, size: 3 });
    let value = Value::computed(ty, &[0xfe, 0xff, 0xff]);
    assert_eq!(value.number(&mut Nothing, Target::X86_64), Ok(Number::int(-2)));
}

/// The value of `bits` read as `ty`, and whether it fits `i128`.
fn exact(ty: IntegerType, bits: u128) -> Option<i128> {
    let value = Integer::new(ty, bits);
    (ty.signed || value.bits() <= i128::MAX as u128).then(|| value.value())
}

proptest! {
    #[test]
    fn integers_wrap_as_the_true_result_does(
        x in any::<u128>(), y in any::<u128>(), small in any::<bool>(), a in 0..KINDS.len(), b in 0..KINDS.len(),
    ) {
        let y = if small { y % 300 } else { y };
        let (left, right) = (Integer::new(KINDS[a], x), Integer::new(KINDS[b], y));
        let Arithmetic::Integer(common) = common_type(Arithmetic::Integer(KINDS[a]), Arithmetic::Integer(KINDS[b])) else {
            return Err(TestCaseError::fail("integers have an integer in common"));
        };
        let (cx, cy) = (left.convert(common), right.convert(common));
        let all = [NumberOp::Add, NumberOp::Sub, NumberOp::Mul, NumberOp::Div, NumberOp::Rem, NumberOp::And,
            NumberOp::Or, NumberOp::Xor];
        for op in all {
            let ours = binary(op, Number::Integer(left), Number::Integer(right));
            // The true result, where 128 bits hold it, modulo the width.
            let truth = match (op, exact(common, cx.bits()), exact(common, cy.bits())) {
                (NumberOp::Add, Some(p), Some(q)) => p.checked_add(q),
                (NumberOp::Sub, Some(p), Some(q)) => p.checked_sub(q),
                (NumberOp::Mul, Some(p), Some(q)) => p.checked_mul(q),
                (NumberOp::Div, Some(p), Some(q)) if q != 0 => p.checked_div(q),
                (NumberOp::Rem, Some(p), Some(q)) if q != 0 => p.checked_rem(q),
                (NumberOp::And, Some(p), Some(q)) => Some(p & q),
                (NumberOp::Or, Some(p), Some(q)) => Some(p | q),
                (NumberOp::Xor, Some(p), Some(q)) => Some(p ^ q),
                _ => None,
            };
            if let Some(truth) = truth {
                prop_assert_eq!(&ours, &Ok(Number::Integer(Integer::new(common, truth as u128))), "{:?}", op);
            }
            if matches!(op, NumberOp::Div | NumberOp::Rem) && cy.bits() == 0 {
                prop_assert_eq!(ours, Err(ArithmeticError::DivisionByZero));
            }
        }
        if let (Some(p), Some(q)) = (exact(common, cx.bits()), exact(common, cy.bits())) {
            prop_assert_eq!(compare(Number::Integer(left), Number::Integer(right)), Ok(Some(p.cmp(&q))));
        }
    }

    #[test]
    fn shifts_multiply_and_divide_by_powers_of_two(x in any::<u128>(), count in 0u32..140, a in 0..KINDS.len()) {
        let value = Integer::new(KINDS[a], x);
        let ty = KINDS[a].promoted();
        let amount = Number::int(count as i32);
        let (left, right) = (
            binary(NumberOp::Shl, Number::Integer(value), amount),
            binary(NumberOp::Shr, Number::Integer(value), amount),
        );
        if count >= ty.bits() {
            let error = ArithmeticError::ShiftCount { count: i128::from(count), ty };
            prop_assert_eq!(left, Err(error.clone()));
            prop_assert_eq!(right, Err(error));
        } else {
            let factor = 1u128 << count;
            prop_assert_eq!(left, Ok(Number::Integer(Integer::new(ty, value.bits().wrapping_mul(factor)))));
            let quotient = match ty.signed {
                true if count == 127 => if value.is_negative() { u128::MAX } else { 0 },
                true => value.value().div_euclid(factor as i128) as u128,
                false => value.bits() / factor,
            };
            prop_assert_eq!(right, Ok(Number::Integer(Integer::new(ty, quotient))));
        }
    }

    #[test]
    fn stored_bytes_read_back(x in any::<u128>(), a in 0..KINDS.len()) {
        let number = Number::Integer(Integer::new(KINDS[a], x));
        prop_assert_eq!(Number::from_bytes(number.ty(), &number.to_bytes()), number);
        prop_assert_eq!(number.to_bytes().len() as u64, KINDS[a].size());
    }
}
