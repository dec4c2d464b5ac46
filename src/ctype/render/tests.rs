use super::*;
use crate::layout::{Target, array_of, pointer_to};
use crate::{Bits, Count, Enumeration, Indexing, Limits, Link, Member, RecordKind, Stride};
use std::sync::Arc;

/// Memory of `self.1` bytes, each the low byte of its address, from `self.0` on.
struct Stretch(u64, u64);

impl Memory for Stretch {
    fn read(&mut self, address: u64, buffer: &mut [u8]) -> Result<(), Unavailable> {
        for (i, byte) in buffer.iter_mut().enumerate() {
            let at = address.wrapping_add(i as u64);
            if at.wrapping_sub(self.0) >= self.1 {
                return Err(Unavailable::Memory(at));
            }
            *byte = at as u8;
        }
        Ok(())
    }

    fn symbol(&mut self, address: u64) -> Option<String> {
        (address == 0x1000).then(|| "<start>".to_owned())
    }
}

fn base(name: &str, encoding: Encoding, size: u64) -> TypeRef {
    Arc::new(Type::Base { name: name.to_owned(), encoding, size })
}

fn int() -> TypeRef {
    base("int", Encoding::Signed, 4)
}

fn char_() -> TypeRef {
    base("char", Encoding::SignedChar, 1)
}

fn member(name: &str, ty: TypeRef, offset: u64) -> Member {
    Member { name: Some(name.to_owned()), ty: Link::ready(ty), offset, bits: None, is_base: false, alignment: None }
}

fn record(size: Option<u64>, members: Vec<Member>) -> TypeRef {
    Arc::new(Type::Record(Record {
        kind: RecordKind::Struct,
        name: Some("s".to_owned()),
        size,
        members,
        ..Record::default()
    }))
}

fn options() -> Options {
    Options::new(Target::X86_64)
}

fn shown(value: &Value) -> Rendered {
    render(value, &mut Stretch(0x1000, 0x2000), &options())
}

fn limited(value: &Value, limits: Limits) -> (String, bool) {
    let rendered = render(value, &mut Stretch(0x1000, 0x2000), &Options { limits, ..options() });
    (rendered.text, rendered.truncated)
}

#[test]
fn absent_values_say_why() {
    for (reason, text) in [
        (Unavailable::OptimizedOut, "<optimized out>"),
        (Unavailable::Memory(16), "<error: Cannot access memory at address 0x10>"),
        (Unavailable::Register("rbx".to_owned()), "<not saved: rbx>"),
        (Unavailable::Other("no frame".to_owned()), "<unavailable: no frame>"),
    ] {
        let rendered = shown(&Value::new(int(), Place::Unavailable(reason.clone())));
        assert_eq!((rendered.text.as_str(), rendered.unavailable), (text, Some(reason)));
    }
    let rendered = shown(&Value::new(int(), Place::Memory(8)));
    assert_eq!(rendered.unavailable, Some(Unavailable::Memory(8)));
    let rendered = shown(&Value::new(pointer_to(int(), 8), Place::Unavailable(Unavailable::OptimizedOut)));
    assert_eq!(rendered.text, "<optimized out>");
    let rendered = shown(&Value::new(int(), Place::Bytes(vec![None; 4])));
    assert_eq!(rendered.unavailable, Some(Unavailable::OptimizedOut));
}

#[test]
fn what_is_there_in_part_is_shown_in_part() {
    let pair = record(Some(8), vec![member("a", int(), 0), member("b", int(), 4)]);
    let mut bytes = vec![Some(1), Some(0), Some(0), Some(0)];
    bytes.extend([None; 4]);
    let rendered = shown(&Value::new(pair.clone(), Place::Bytes(bytes.clone())));
    assert_eq!((rendered.text.as_str(), rendered.unavailable), ("{a = 1, b = <optimized out>}", None));
    let rendered = shown(&Value::new(array_of(int(), 2), Place::Bytes(bytes)));
    assert_eq!(rendered.text, "{1, <optimized out>}");
    let text = Place::Bytes(vec![Some(b'a'), None, Some(0)]);
    assert_eq!(shown(&Value::new(array_of(char_(), 3), text)).text, "{97 'a', <optimized out>, 0 '\\000'}");
    // The last structure ends where memory does.
    let rendered = shown(&Value::new(pair, Place::Memory(0x2ffc)));
    assert_eq!(rendered.text, "{a = -66052, b = <error: Cannot access memory at address 0x3000>}");
    let rendered = shown(&Value::new(array_of(int(), 100), Place::Memory(0x2ff4)));
    let text = "{-134810124, -67438088, -66052, <error: Cannot access memory at address 0x3000>...}";
    assert_eq!((rendered.text.as_str(), rendered.truncated), (text, true));
}

#[test]
fn strings_end_where_memory_does() {
    let pointer = |address: u64| Value::computed(pointer_to(char_(), 8), &address.to_le_bytes());
    let text = |address| shown(&pointer(address)).text;
    assert_eq!(text(0x2ffe), "0x2ffe \"\\376\\377\"<error: Cannot access memory at address 0x3000>");
    assert_eq!(text(0x3000), "0x3000 <error: Cannot access memory at address 0x3000>");
    assert_eq!(text(0), "0x0");
    assert_eq!(
        text(0x1061),
        "0x1061 \"abcdefghijklmnopqrstuvwxyz{|}~\\177\\200\\201\\202\\203\\204\\205\\206\\207\\210\
        \\211\\212\\213\\214\\215\\216\\217\\220\\221\\222\\223\\224\\225\\226\\227\\230\\231\\232\\233\\234\\235\\236\
        \\237\\240\\241\\242\\243\\244\\245\\246\\247\\250\\251\\252\\253\\254\\255\\256\\257\\260\\261\\262\\263\\264\
        \\265\\266\\267\\270\\271\\272\\273\\274\\275\\276\\277\\300\\301\\302\\303\\304\\305\\306\\307\\310\\311\\312\
        \\313\\314\\315\\316\\317\\320\\321\\322\\323\\324\\325\\326\\327\\330\\331\\332\\333\\334\\335\\336\\337\\340\
        \\341\\342\\343\\344\\345\\346\\347\\350\\351\\352\\353\\354\\355\\356\\357\\360\\361\\362\\363\\364\\365\\366\
        \\367\\370\\371\\372\\373\\374\\375\\376\\377\""
    );
}

#[test]
fn characters_that_nobody_can_see_are_escaped() {
    let text = |bytes: &[u8]| shown(&Value::computed(array_of(char_(), bytes.len() as u64), bytes)).text;
    for (given, expected) in [
        ("caf\u{e9} \u{4e2d}\u{3000}\u{a0}'\u{1f980}", "\"caf\u{e9} \u{4e2d}\u{3000}\u{a0}'\u{1f980}\""),
        ("e\u{301} \u{301}\\\"", "\"e\u{301} \u{301}\\\\\\\"\""),
        // Unassigned, private, and a mark of direction.
        ("a\u{12bb0}b\u{378}", "\"a\\360\\222\\256\\260b\\315\\270\""),
        ("\u{e000}\u{200f}", "\"\\356\\200\\200\\342\\200\\217\""),
    ] {
        assert_eq!(text(given.as_bytes()), expected);
    }
}

#[test]
fn nothing_prolongs_a_hexadecimal_escape() {
    let wide: TypeRef = Arc::new(Type::Base { name: "wchar_t".to_owned(), encoding: Encoding::Signed, size: 4 });
    let text = |codes: &[u32]| {
        let bytes: Vec<u8> = codes.iter().flat_map(|code| code.to_le_bytes()).collect();
        shown(&Value::computed(array_of(wide.clone(), codes.len() as u64), &bytes)).text
    };
    let code = u32::from;
    assert_eq!(text(&[0x10ffff, code('b'), code('c'), code('d')]), "L\"\\x10ffff\\142cd\"");
    assert_eq!(text(&[0x10ffff, code('1'), code('b')]), "L\"\\x10ffff\\061b\"");
    assert_eq!(text(&[0xd800, code('g'), 0x80, code('1')]), "L\"\\xd800g\\2001\"");
}

/// GCC describes it as a number.
#[test]
fn a_char8_is_a_character() {
    let ty: TypeRef = Arc::new(Type::Base { name: "char8_t".to_owned(), encoding: Encoding::Unsigned, size: 1 });
    assert_eq!(shown(&Value::computed(ty.clone(), &[0xe9])).text, "233 '\\351'");
    assert_eq!(shown(&Value::computed(array_of(ty, 2), b"u8")).text, "\"u8\"");
}

#[test]
fn limits_leave_out_and_say_so() {
    let limits = Limits::default();
    let bytes: Vec<u8> = (0..40u8).flat_map(|i| [i, 0, 0, 0]).collect();
    let array = Value::computed(array_of(int(), 40), &bytes);
    assert_eq!(limited(&array, Limits { elements: 3, ..limits }), ("{0, 1, 2...}".to_owned(), true));
    assert_eq!(limited(&array, Limits { array_bytes: 8, ..limits }), ("{0, 1...}".to_owned(), true));
    assert_eq!(limited(&array, Limits { depth: 0, ..limits }), ("{...}".to_owned(), true));
    assert_eq!(limited(&array, Limits { text: 9, ..limits }), ("{0, 1, 2,...".to_owned(), true));
    // The first digits of a number are another number.
    let large = Value::computed(array_of(int(), 2), &[0x15, 0xcd, 0x5b, 7, 0x15, 0xcd, 0x5b, 7]);
    assert_eq!(limited(&large, Limits { text: 15, ..limits }), ("{123456789, ...".to_owned(), true));
    let text = Value::computed(array_of(char_(), 6), b"abcdef");
    assert_eq!(limited(&text, Limits { string: 3, ..limits }), ("\"abc\"...".to_owned(), true));
    assert_eq!(limited(&text, Limits { depth: 0, ..limits }), ("\"abcdef\"".to_owned(), false));
    let nested = record(Some(4), vec![member("inner", record(Some(4), vec![member("x", int(), 0)]), 0)]);
    let nested = Value::computed(nested, &[7, 0, 0, 0]);
    assert_eq!(limited(&nested, Limits { depth: 1, ..limits }), ("{inner = {...}}".to_owned(), true));
    assert_eq!(limited(&nested, limits), ("{inner = {x = 7}}".to_owned(), false));
}

#[test]
fn enormous_arrays_cost_no_more_than_the_limits() {
    let huge = Value::new(array_of(array_of(int(), u64::MAX), u64::MAX), Place::Memory(0x1000));
    assert_eq!(shown(&huge).text, "0x1000 <start>");
    let wide = Value::new(array_of(int(), 1 << 40), Place::Memory(0x1000));
    assert!(shown(&wide).truncated);
    let text = Value::new(array_of(char_(), 1 << 40), Place::Memory(0x1000));
    assert!(shown(&text).truncated);
}

#[test]
fn odd_types_are_shown_as_far_as_they_are_known() {
    let show = |ty: TypeRef, bytes: &[u8]| shown(&Value::computed(ty, bytes)).text;
    assert_eq!(show(record(None, Vec::new()), &[]), "<incomplete type>");
    assert_eq!(show(record(Some(1), Vec::new()), &[0]), "{<No data fields>}");
    assert_eq!(show(Arc::new(Type::Opaque("decltype(nullptr)".to_owned())), &[0; 8]), "<decltype(nullptr)>");
    assert_eq!(show(Arc::new(Type::Void), &[]), "void");
    let unknown = "<unavailable: the debug info does not say what kind of number 0x04030201 is>";
    assert_eq!(show(base("fixed", Encoding::Other, 4), &[1, 2, 3, 4]), unknown);
    assert_eq!(show(base("_Decimal32", Encoding::Decimal, 4), &[0x7d, 0, 0x80, 0x31]), "1.25");
    assert_eq!(show(base("complex int", Encoding::ComplexSigned, 4), &[3, 0, 0xfe, 0xff]), "3 + -2i");
    assert_eq!(show(base("_Bool", Encoding::Bool, 1), &[7]), "7");
    assert_eq!(show(base("logical(kind=4)", Encoding::Bool, 4), &[7, 1, 0, 0]), "263");
    assert_eq!(show(base("char8_t", Encoding::Utf, 1), b"x"), "120 'x'");
    let unsized_array =
        Arc::new(Type::Array { element: Link::ready(char_()), count: Count::Unknown, indexing: Default::default() });
    assert_eq!(show(unsized_array, &[]), "<optimized out>");
    let empty = Arc::new(Type::Enumeration(Enumeration {
        name: None,
        size: 4,
        signed: false,
        enumerators: Vec::new(),
        ..Enumeration::default()
    }));
    assert_eq!(show(empty, &[5, 0, 0, 0]), "5");
}

#[test]
fn a_bit_field_may_reach_into_a_seventeenth_byte() {
    let ty = base("__int128", Encoding::Signed, 16);
    let mut bytes = vec![0u8; 17];
    bytes[0] = 0b1111_1000;
    bytes[16] = 0b0000_0111;
    let mut value = Value::computed(ty, &bytes);
    value.bits = Some(Bits::new(3, 128));
    assert_eq!(shown(&value).text, "-42535295865117307932921825928971026401");
}

#[test]
fn members_have_no_type_before_them() {
    let pointer = Value::computed(pointer_to(int(), 8), &0x1000u64.to_le_bytes());
    let memory = &mut Stretch(0x1000, 0x1000);
    assert_eq!(render(&pointer, memory, &options()).text, "(int *) 0x1000 <start>");
    assert_eq!(render_member(&pointer, memory, &options()).text, "0x1000 <start>");
}

/// Memory of an asker who does not wait after so many values.
struct Impatient(usize);

impl Memory for Impatient {
    fn read(&mut self, _: u64, buffer: &mut [u8]) -> Result<(), Unavailable> {
        buffer.fill(7);
        Ok(())
    }

    fn symbol(&mut self, _: u64) -> Option<String> {
        None
    }

    fn is_cancelled(&mut self) -> bool {
        let is_over = self.0 == 0;
        self.0 = self.0.saturating_sub(1);
        is_over
    }
}

#[test]
fn a_value_nobody_waits_for_is_written_no_further() {
    let int: TypeRef = Arc::new(Type::Base { name: "int".into(), encoding: Encoding::Signed, size: 4 });
    let member = |name, offset| Member::new(Some(name), int.clone(), offset);
    let pair = Record {
        kind: RecordKind::Struct,
        name: Some("pair".to_owned()),
        size: Some(8),
        members: vec![member("a", 0), member("b", 4)],
        ..Record::default()
    };
    let value = Value::new(Arc::new(Type::Record(pair)), Place::Memory(0x1000));
    let whole = render(&value, &mut Impatient(100), &options());
    assert_eq!((whole.text.as_str(), whole.truncated), ("{a = 117901063, b = 117901063}", false));
    let cut = render(&value, &mut Impatient(2), &options());
    let text = "{a = 117901063, b = <cut off: the time limit has passed, or the call was cancelled>...";
    assert_eq!((cut.text.as_str(), cut.truncated), (text, true));
}

#[test]
fn an_array_whose_inner_dimension_runs_backwards_is_shown_by_its_elements() {
    let dimension = |count, stride| (Count::Known(count), Indexing { lower: 1, stride, bounded: true });
    let array = |dimensions: &[(Count, Indexing)]| {
        let ty = crate::nested(base("unsigned char", Encoding::Unsigned, 1), dimensions);
        Value::new(ty, Place::Memory(0x1014))
    };
    let shown = |value: &Value| shown(value).text;
    let backwards = array(&[dimension(2, Stride::Bytes(8)), dimension(3, Stride::Bytes(-2))]);
    assert_eq!(shown(&backwards), "{{20, 18, 16}, {28, 26, 24}}");
    // None of the bounds' elements is there: not an address either.
    assert_eq!(shown(&array(&[dimension(0, Stride::Element)])), "{}");
    assert_eq!(shown(&array(&[dimension(0, Stride::Bytes(8)), dimension(3, Stride::Bytes(-2))])), "{}");
}
