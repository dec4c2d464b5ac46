//! The parser: what it makes of text, and that it survives any.

use super::*;
use arch::Arch;
use ctype::arith::{IntegerType, Rank};
use ctype::float::{Float, FloatFormat};
use ctype::{Dialect, PointerKind, Qualifier, Target};
use proptest::prelude::*;

/// Everything that ends in `_t` is a type, and the template `box<int>` is.
struct Conventions;

impl Names for Conventions {
    fn is_type(&mut self, name: &str) -> bool {
        name.ends_with("_t") || name == "box<int>"
    }
}

const TARGET: Target = Target { arch: Arch::X86_64, dialect: Dialect::C };

fn parsed(text: &str) -> Result<Expr, Error> {
    parse(text, &mut Conventions, TARGET)
}

/// The same in each dialect.
fn parsed_in_all(text: &str) -> [Result<Expr, Error>; 3] {
    let dialects = [Dialect::C, Dialect::Cxx, Dialect::Rust];
    dialects.map(|dialect| parse(text, &mut Conventions, Target { dialect, ..TARGET }))
}

#[test]
fn literals_and_casts_of_rust() {
    let rust = |text: &str| parse(text, &mut Conventions, Target { dialect: Dialect::Rust, ..TARGET });
    for (text, same) in [
        ("a as u8", "(u8)a"),
        ("-a as u8 + b", "((u8)(-a)) + b"),
        ("a as u8 as i32 << 2", "((i32)((u8)a)) << 2"),
        ("a as *const u8", "(*const u8)a"),
        ("5u8", "5 as u8"),
        ("1_000", "1000"),
        ("0b11", "3"),
        ("t.0.1", "(t.0).1"),
        ("'ß'", "'\\u{df}'"),
    ] {
        let (found, wanted) = (rust(text).unwrap(), rust(same).unwrap());
        // (Of a literal with a type the number itself is a `long`.)
        let tree = |expr: &Expr| expr.to_string().replace('L', "");
        assert_eq!(tree(&found), tree(&wanted), "{text}");
    }
    for (text, kind) in [
        ("1u7", ErrorKind::InvalidNumber("1u7".to_owned())),
        ("0x", ErrorKind::InvalidNumber("0x".to_owned())),
        ("99999999999999999999", ErrorKind::NumberTooLarge("99999999999999999999".to_owned())),
    ] {
        assert_eq!(rust(text).unwrap_err().kind, kind, "{text}");
    }
}

#[test]
fn known_functions_of_std_are_calls() {
    let cxx = |text: &str| parse(text, &mut Conventions, Target { dialect: Dialect::Cxx, ..TARGET });
    for text in ["std::get<1>(a)", "std::get<box<int>>(a.b)", "std::any_cast<size_t>(a) + 1", "std::get_if<0>(&a)"] {
        let found = cxx(text).unwrap();
        assert_eq!(cxx(&found.to_string()).unwrap(), found, "{text}");
    }
    assert_eq!(cxx("std::sort(a)").unwrap_err().kind, ErrorKind::Refused(Refusal::Call));
}

#[test]
fn a_type_in_angle_brackets_makes_a_name_of_a_template_of_functions() {
    let cxx = |text: &str| parse(text, &mut Conventions, Target { dialect: Dialect::Cxx, ..TARGET });
    for (text, path) in [
        ("twice<int>", vec!["twice<int>"]),
        ("ns::twice<size_t, int>", vec!["ns", "twice<size_t, int>"]),
        ("twice<box<int> >", vec!["twice<box<int> >"]),
        ("twice<1>::count", vec!["twice<1>", "count"]),
        ("ns::twice<'x', 2>::count", vec!["ns", "twice<'x', 2>", "count"]),
    ] {
        let ExprKind::Name(name) = cxx(text).unwrap().kind else { panic!("{text}") };
        assert_eq!(name.path, path, "{text}");
    }
    assert_eq!(cxx("twice<int>(4)").unwrap_err().kind, ErrorKind::Refused(Refusal::Call));
    for text in ["a < b", "a < (int_t)b", "a < b > c", "a < b << c", "a < b > ::c"] {
        assert!(matches!(cxx(text).unwrap().kind, ExprKind::Binary(..)), "{text}");
    }
    for text in ["size_t<int>::v", "1 + size_t<int>::v"] {
        assert_eq!(cxx(text).unwrap_err().kind, ErrorKind::NoSymbol("size_t<int>".to_owned()), "{text}");
    }
    // C has no templates.
    assert!(parsed("twice<int>").is_err());
}

#[test]
fn precedence_is_that_of_c_with_repetition_between_shifts_and_sums() {
    for (text, explicit) in [
        ("a + b * c", "a + (b * c)"),
        ("a - b - c", "(a - b) - c"),
        ("a = b", "refused"),
        ("a << b + c", "a << (b + c)"),
        ("a < b == c < d", "(a < b) == (c < d)"),
        ("a & b == c", "a & (b == c)"),
        ("a | b ^ c & d", "a | (b ^ (c & d))"),
        ("a || b && c", "a || (b && c)"),
        ("a ? b : c ? d : e", "a ? b : (c ? d : e)"),
        ("a ? b, c : d", "a ? (b, c) : d"),
        ("a || b ? c : d", "(a || b) ? c : d"),
        ("a, b ? c : d", "a, (b ? c : d)"),
        ("*p@n", "(*p)@n"),
        ("a[0]@n + 1", "(a[0])@(n + 1)"),
        ("a@n << 1", "(a@n) << 1"),
        ("-a * b", "(-a) * b"),
        ("*p.x", "*(p.x)"),
        ("&a->b[c]", "&((a->b)[c])"),
        ("!a == b", "(!a) == b"),
        ("sizeof a + b", "(sizeof a) + b"),
        ("sizeof(int_t) * a", "(sizeof(int_t)) * a"),
        ("(int_t)a.b", "(int_t)(a.b)"),
        ("(int_t)a + b", "((int_t)a) + b"),
        ("(int_t)-a", "(int_t)(-a)"),
        ("(a)-b", "a - b"),
        ("(int_t*)a->b", "(int_t*)(a->b)"),
        ("{int_t}a + b", "({int_t}a) + b"),
        ("{int_t *}&a", "{int_t *}(&a)"),
        ("box<int> + 1", "refused"),
        ("a < b", "a < b"),
        ("(box<int> *)a", "(box<int>*)(a)"),
    ] {
        match explicit {
            "refused" => assert!(parsed(text).is_err(), "{text}"),
            _ => assert_eq!(parsed(text), parsed(explicit), "{text}"),
        }
    }
}

/// The operators of each language, those that bind least first.
const LEVELS_OF_C: [&[&str]; 12] = [
    &[","],
    &["||"],
    &["&&"],
    &["|"],
    &["^"],
    &["&"],
    &["==", "!="],
    &["<", "<=", ">", ">="],
    &["<<", ">>"],
    &["@"],
    &["+", "-"],
    &["*", "/", "%"],
];
const COMPARISONS: &[&str] = &["==", "!=", "<", "<=", ">", ">="];
const LEVELS_OF_RUST: [&[&str]; 10] =
    [&["||"], &["&&"], COMPARISONS, &["|"], &["^"], &["&"], &["<<", ">>"], &["@"], &["+", "-"], &["*", "/", "%"]];

#[test]
fn any_two_operators_bind_as_the_language_has_it() {
    for (dialect, levels) in [
        (Dialect::C, LEVELS_OF_C.as_slice()),
        (Dialect::Cxx, LEVELS_OF_C.as_slice()),
        (Dialect::Rust, LEVELS_OF_RUST.as_slice()),
    ] {
        let parsed = |text: &str| parse(text, &mut Conventions, Target { dialect, ..TARGET });
        let operators =
            || levels.iter().enumerate().flat_map(|(level, signs)| signs.iter().map(move |sign| (level, *sign)));
        for (x, first) in operators() {
            for (y, second) in operators() {
                let text = format!("a {first} b {second} c");
                if dialect == Dialect::Rust && x == y && COMPARISONS.contains(&first) {
                    let error = parsed(&text).unwrap_err();
                    assert!(error.to_string().contains("parentheses"), "{text}: {error}");
                    continue;
                }
                let explicit =
                    if x >= y { format!("(a {first} b) {second} c") } else { format!("a {first} (b {second} c)") };
                assert_eq!(parsed(&text).unwrap(), parsed(&explicit).unwrap(), "{dialect:?}: {text}");
            }
        }
    }
}

#[test]
fn operators_follow_the_type_of_a_cast_of_rust() {
    let rust = |text: &str| parse(text, &mut Conventions, Target { dialect: Dialect::Rust, ..TARGET });
    for sign in LEVELS_OF_RUST.into_iter().flatten() {
        for ty in ["u8", "size_t", "*const u8", "*mut size_t", "&u8"] {
            let text = format!("a as {ty} {sign} b");
            let explicit = format!("(a as {ty}) {sign} b");
            assert_eq!(rust(&text).unwrap(), rust(&explicit).unwrap(), "{text}");
        }
    }
    for (text, explicit) in [
        ("a as u8 * *b", "(a as u8) * (*b)"),
        ("a as u8 & &b", "(a as u8) & (&b)"),
        ("a * b as u8 * c", "(a * (b as u8)) * c"),
        ("*a as u8 * b as u8", "((*a) as u8) * (b as u8)"),
    ] {
        assert_eq!(rust(text).unwrap(), rust(explicit).unwrap(), "{text}");
    }
}

/// Names in which each word that may be one is a variable.
struct Named;

impl Names for Named {
    fn is_type(&mut self, _name: &str) -> bool {
        false
    }

    fn is_variable(&mut self, _name: &str) -> bool {
        true
    }
}

#[test]
fn a_keyword_of_another_language_may_be_a_variable() {
    let of_c = ["bool", "class", "alignof", "static_cast", "const_cast", "dynamic_cast"];
    let of_rust =
        ["long", "int", "double", "void", "unsigned", "class", "union", "sizeof", "alignof", "u8", "volatile"];
    for (dialect, words) in [(Dialect::C, of_c.as_slice()), (Dialect::Cxx, &["restrict"]), (Dialect::Rust, &of_rust)] {
        let target = Target { dialect, ..TARGET };
        for word in words {
            for text in ["#", "# + 1", "(#)", "(#) + 1", "-#", "a * #", "#.b", "#[1]"] {
                let plain = parse(&text.replace('#', "x"), &mut Named, target).unwrap().to_string();
                let found = parse(&text.replace('#', word), &mut Named, target);
                let found = found.unwrap_or_else(|error| panic!("{dialect:?}: {word}: {error}"));
                assert_eq!(
                    found.to_string(),
                    plain.replace("0x", "0#").replace('x', word).replace("0#", "0x"),
                    "{dialect:?}: {text}"
                );
            }
        }
    }
    for (dialect, text) in [
        (Dialect::C, "(int)a"),
        (Dialect::C, "sizeof(struct s)"),
        (Dialect::C, "sizeof a"),
        (Dialect::Cxx, "static_cast<bool>(a)"),
        (Dialect::Rust, "a as long"),
        (Dialect::Rust, "a as u8"),
    ] {
        let own = parse(text, &mut Named, Target { dialect, ..TARGET }).unwrap();
        assert!(!matches!(own.kind, ExprKind::Name(_) | ExprKind::Binary(..)), "{dialect:?}: {text}");
    }
}

#[test]
fn names_keep_their_scope() {
    for (text, file, global, path) in [
        ("a", None, false, vec!["a"]),
        ("::a", None, true, vec!["a"]),
        ("f::a", None, false, vec!["f", "a"]),
        ("a::b::c", None, false, vec!["a", "b", "c"]),
        ("'file.c'::a", Some("file.c"), false, vec!["a"]),
        ("'dir/file.c'::f::a", Some("dir/file.c"), false, vec!["f", "a"]),
        ("'f(int)'::a", None, false, vec!["f(int)", "a"]),
        ("'ns::f(int)'", None, false, vec!["ns::f(int)"]),
        ("box<int>::count", None, false, vec!["box<int>", "count"]),
    ] {
        let name = Name { file: file.map(str::to_owned), global, path: path.into_iter().map(str::to_owned).collect() };
        assert_eq!(parsed(text).unwrap().kind, ExprKind::Name(name.clone()), "{text}");
        assert_eq!(parsed(&name.to_string()).unwrap().kind, ExprKind::Name(name), "{text}");
    }
}

#[test]
fn types_are_read_as_c_reads_them() {
    for (text, shown) in [
        ("unsigned", "unsigned int"),
        ("long unsigned int", "unsigned long"),
        ("int long long unsigned", "unsigned long long"),
        ("short int", "short"),
        ("char", "char"),
        ("signed char", "signed char"),
        ("long double", "long double"),
        ("double _Complex", "_Complex double"),
        ("bool", "_Bool"),
        ("int *", "int *"),
        ("int const *", "const int *"),
        ("const char *const", "const char * const"),
        ("char **", "char * *"),
        ("int [2][3]", "int [2][3]"),
        ("int *[3]", "int * [3]"),
        ("int (*)[3]", "int (*)[3]"),
        ("void (*)(int, char *)", "void (*)(int, char *)"),
        ("void (*[2])(void)", "void (* [2])(void)"),
        ("int (*(*)(char *, ...))(void)", "int (* (*)(char *, ...))(void)"),
        ("struct node *", "struct node *"),
        ("enum color", "enum color"),
        ("struct ns::node", "struct ns::node"),
        ("size_t", "size_t"),
        ("ns::size_t *", "ns::size_t *"),
        ("int &", "int &"),
        ("int &&", "int &&"),
    ] {
        let expr = parsed(text).unwrap_or_else(|e| panic!("{}", e.render(text)));
        assert!(matches!(expr.kind, ExprKind::Type(_)), "{text}");
        assert_eq!(expr.to_string(), shown);
        assert_eq!(parsed(shown).unwrap(), expr, "{text}");
    }
}

#[test]
fn literals_have_the_types_of_c() {
    for (text, rank, signed) in [
        ("0", Rank::Int, true),
        ("2147483647", Rank::Int, true),
        ("2147483648", Rank::Long, true),
        ("0x80000000", Rank::Int, false),
        ("0xffffffffff", Rank::Long, true),
        ("0xffffffffffffffff", Rank::Long, false),
        ("9223372036854775808", Rank::Long, false),
        ("1u", Rank::Int, false),
        ("4294967296u", Rank::Long, false),
        ("1l", Rank::Long, true),
        ("1ul", Rank::Long, false),
        ("1LL", Rank::LongLong, true),
        ("1llu", Rank::LongLong, false),
        ("0b101", Rank::Int, true),
        ("0u", Rank::Int, false),
    ] {
        let ExprKind::Integer(ty, _) = parsed(text).unwrap().kind else { panic!("{text}") };
        assert_eq!(ty, IntegerType { rank, signed }, "{text}");
    }
}

#[test]
fn nesting_is_limited_in_every_direction() {
    // On a small stack, so that a deep recursion would show.
    let test = || {
        for (opening, middle, closing) in [
            ("(", "1", ")"),
            ("- ", "1", ""),
            ("*&", "a", ""),
            ("a[", "1", "]"),
            ("(int_t)", "1", ""),
            ("{int_t}", "1", ""),
            ("sizeof ", "1", ""),
            ("1 ? 1 : ", "1", ""),
            ("1 ? ", "1", " : 1"),
            ("", "1", " + 1"),
            ("", "a", ".b"),
            ("", "a", "[0]"),
            ("int (*)(", "int", ")"),
            ("", "(int ", "("),
            ("", "(int ", "*"),
            ("", "(int ", "[1]"),
        ] {
            for count in [130, 1000, 100_000] {
                let text = format!("{}{middle}{}", opening.repeat(count), closing.repeat(count));
                let error = parsed(&text).unwrap_err();
                let limited = matches!(error.kind, ErrorKind::TooDeep(_) | ErrorKind::TooLong { .. });
                assert!(limited, "{opening} {middle} {closing} {count}: {error}");
            }
            let text = format!("{}{middle}{}", opening.repeat(40), closing.repeat(40));
            if let Ok(expr) = parsed(&text) {
                assert_eq!(parsed(&expr.to_string()).unwrap(), expr);
            }
        }
    };
    std::thread::Builder::new().stack_size(1024 * 1024).spawn(test).unwrap().join().unwrap();
}

fn name() -> impl Strategy<Value = Name> {
    let part = || prop::sample::select(vec!["a", "b2", "_c", "node", "größe"]).prop_map(str::to_owned);
    let odd = prop::sample::select(vec!["f(int)", "operator+", "a b"]).prop_map(str::to_owned);
    let file = prop::option::weighted(0.2, prop::sample::select(vec!["f.c", "dir/f.c"]).prop_map(str::to_owned));
    let path = prop::collection::vec(prop_oneof![9 => part(), 1 => odd], 1..3);
    (file, any::<bool>(), path).prop_map(|(file, global, path)| Name { global: global && file.is_none(), file, path })
}

fn qualifiers() -> impl Strategy<Value = Vec<Qualifier>> {
    prop::sample::subsequence(vec![Qualifier::Const, Qualifier::Volatile, Qualifier::Restrict], 0..2)
}

fn type_name() -> impl Strategy<Value = TypeName> {
    let integer = prop::sample::select(vec![
        IntegerType { rank: Rank::Char, signed: true },
        IntegerType { rank: Rank::Short, signed: false },
        IntegerType::INT,
        IntegerType::UNSIGNED_LONG,
        IntegerType { rank: Rank::LongLong, signed: true },
        IntegerType { rank: Rank::Int128, signed: false },
    ]);
    let base = prop_oneof![
        integer.prop_map(|ty| TypeBase::Builtin(Builtin::Integer(ty))),
        prop::sample::select(vec![
            Builtin::Char,
            Builtin::Bool,
            Builtin::Void,
            Builtin::LongDouble,
            Builtin::Float(FloatFormat::Single),
            Builtin::Complex(FloatFormat::Double),
            Builtin::ComplexLongDouble,
        ])
        .prop_map(TypeBase::Builtin),
        Just(TypeBase::Named("size_t".to_owned())),
        Just(TypeBase::Named("box<int>".to_owned())),
        Just(TypeBase::Tagged(Tag::Struct, "ns::node".to_owned())),
        Just(TypeBase::Tagged(Tag::Enum, "color".to_owned())),
    ];
    let leaf = (base.clone(), qualifiers()).prop_map(|(base, qualifiers)| TypeName {
        base,
        qualifiers,
        derivations: Vec::new(),
    });
    leaf.prop_recursive(3, 12, 3, move |inner| {
        let kind =
            prop::sample::select(vec![PointerKind::Pointer, PointerKind::Reference, PointerKind::RvalueReference]);
        let is_void = |ty: &TypeName| ty.base == TypeBase::Builtin(Builtin::Void) && ty.derivations.is_empty();
        let derivation = prop_oneof![
            3 => (kind, qualifiers()).prop_map(|(kind, qualifiers)| Derivation::Pointer(kind, qualifiers)),
            1 => prop::option::of(0u64..100).prop_map(Derivation::Array),
            1 => (prop::collection::vec(inner, 0..3), any::<bool>()).prop_map(move |(parameters, variadic)| {
                let parameters: Vec<_> = parameters.into_iter().filter(|ty| !is_void(ty)).collect();
                Derivation::Function(parameters, variadic)
            }),
        ];
        (base.clone(), qualifiers(), prop::collection::vec(derivation, 0..4))
            .prop_map(|(base, qualifiers, derivations)| TypeName { base, qualifiers, derivations })
    })
}

fn node(kind: ExprKind) -> Expr {
    Expr { kind, span: 0..0, height: 0 }
}

fn leaf() -> impl Strategy<Value = Expr> {
    let integer = (any::<u64>(), any::<bool>(), 0..3).prop_map(|(value, unsigned, rank)| {
        let (rank, limit) = [(Rank::Int, 32), (Rank::Long, 64), (Rank::LongLong, 64)][rank as usize];
        let ty = IntegerType { rank, signed: !unsigned };
        ExprKind::Integer(ty, value >> (64 - limit + u32::from(!unsigned)))
    });
    let float = (any::<u32>(), any::<u64>(), 0..3).prop_map(|(single, double, which)| match which {
        0 => Float { format: FloatFormat::Single, bits: u128::from(single & 0x7f7f_ffff) },
        1 => Float { format: FloatFormat::Double, bits: u128::from(double & 0x7fdf_ffff_ffff_ffff) },
        _ => Float::from_f64(f64::from_bits(double & 0x7fdf_ffff_ffff_ffff)).convert(FloatFormat::X87),
    });
    let encoding = || prop::sample::select(vec![Encoding::Narrow, Encoding::Wide, Encoding::Utf16, Encoding::Utf32]);
    let unit = |(encoding, code): (Encoding, u32)| match encoding {
        Encoding::Narrow => code & 0xff,
        Encoding::Utf16 => code & 0xffff,
        _ => code & 0x1f_ffff,
    };
    let string = (encoding(), prop::collection::vec(any::<u32>(), 0..5)).prop_map(move |(encoding, codes)| {
        ExprKind::String(encoding, codes.into_iter().map(|code| unit((encoding, code))).collect())
    });
    prop_oneof![
        integer,
        float.prop_map(ExprKind::Float),
        (encoding(), any::<u32>()).prop_map(move |(e, code)| ExprKind::Char(e, unit((e, code)))),
        string,
        name().prop_map(ExprKind::Name),
        Just(ExprKind::Register("rax".to_owned())),
        type_name().prop_map(ExprKind::SizeofType),
        type_name().prop_map(ExprKind::AlignofType),
    ]
    .prop_map(node)
}

fn expression() -> impl Strategy<Value = Expr> {
    let unary = prop::sample::select(vec![
        UnaryOp::Plus,
        UnaryOp::Minus,
        UnaryOp::Not,
        UnaryOp::Complement,
        UnaryOp::Dereference,
        UnaryOp::AddressOf,
    ]);
    let binary = prop::sample::select(vec![
        BinaryOp::Comma,
        BinaryOp::Or,
        BinaryOp::And,
        BinaryOp::BitOr,
        BinaryOp::BitXor,
        BinaryOp::BitAnd,
        BinaryOp::Equal,
        BinaryOp::NotEqual,
        BinaryOp::Less,
        BinaryOp::LessEqual,
        BinaryOp::Greater,
        BinaryOp::GreaterEqual,
        BinaryOp::ShiftLeft,
        BinaryOp::ShiftRight,
        BinaryOp::Repeat,
        BinaryOp::Add,
        BinaryOp::Subtract,
        BinaryOp::Multiply,
        BinaryOp::Divide,
        BinaryOp::Remainder,
    ]);
    leaf().prop_recursive(6, 40, 3, move |inner| {
        let boxed = inner.prop_map(Box::new).boxed();
        let access = prop::sample::select(vec![Access::Dot, Access::Arrow]);
        prop_oneof![
            (unary.clone(), boxed.clone()).prop_map(|(op, a)| ExprKind::Unary(op, a)),
            (binary.clone(), boxed.clone(), boxed.clone()).prop_map(|(op, a, b)| ExprKind::Binary(op, a, b)),
            (boxed.clone(), boxed.clone(), boxed.clone()).prop_map(|(a, b, c)| ExprKind::Conditional(a, b, c)),
            (type_name(), boxed.clone()).prop_map(|(ty, a)| ExprKind::Cast(ty, a)),
            boxed.clone().prop_map(ExprKind::SizeofExpr),
            (boxed.clone(), access).prop_map(|(a, access)| ExprKind::Member(a, access, "next".to_owned())),
            (boxed.clone(), boxed.clone()).prop_map(|(a, b)| ExprKind::Index(a, b)),
            (type_name(), boxed).prop_map(|(ty, a)| ExprKind::Typed(ty, a)),
        ]
        .prop_map(node)
    })
}

proptest! {
    #[test]
    fn a_tree_is_what_its_text_parses_to(expr in expression()) {
        let text = expr.to_string();
        match parsed(&text) {
            Ok(again) => prop_assert_eq!(again, expr, "{}", text),
            Err(e) => prop_assert!(matches!(e.kind, ErrorKind::TooDeep(_)), "{}", e.render(&text)),
        }
    }

    #[test]
    fn any_text_parses_or_is_refused_at_a_place(text in "\\PC{0,60}") {
        for e in parsed_in_all(&text).into_iter().filter_map(Result::err) {
            prop_assert!(e.span.start <= text.len());
            e.render(&text);
        }
    }

    #[test]
    fn any_tokens_parse_or_are_refused(parts in prop::collection::vec(prop::sample::select(vec![
        "a", "1", "1.5", "'c'", "\"s\"", "'f.c'", "::", "(", ")", "[", "]", "{", "}", ".", "->", "+", "-", "*", "&",
        "&&", "?", ":", ",", "@", "<", ">", ">>", "==", "sizeof", "int", "unsigned", "struct", "const", "size_t", "box",
        "$rip", "...", "static_cast", "_Alignof", "<=", "!", "~", "std::get", "as", "u8", "5u8", "b'a'", "Some", "mut",
        "1.", "'\u{df}'", "(anonymous namespace)", "0b1", "std::any_cast<int>(",
    ]), 0..25)) {
        let text = parts.join(" ");
        for e in parsed_in_all(&text).into_iter().filter_map(Result::err) {
            e.render(&text);
        }
        if let Ok(expr) = parsed(&text) {
            prop_assert_eq!(parsed(&expr.to_string()).unwrap(), expr);
        }
    }

    #[test]
    fn any_format_splits_or_is_refused(text in "/?[a-z0-9]{0,3} ?\\PC{0,5}") {
        match split_format(&text) {
            Ok((_, rest)) => prop_assert!(text.ends_with(rest)),
            Err(e) => { e.render(&text); }
        }
    }
}
