//! Whole expressions, against what GDB says and against the rules of C.

mod bytecode;
mod fuzzing;
mod grammar;
mod macros;
mod oracle;
mod results;

use super::*;
use ctype::{Options, render, type_name};
use oracle::Oracle;

/// What is shown for an expression as GDB's `print` takes it.
fn print(oracle: &mut Oracle, text: &str) -> String {
    let (format, expression) = match split_format(text) {
        Ok(parts) => parts,
        Err(e) => return e.render(text),
    };
    let target = oracle.target();
    match evaluate_text(expression, oracle) {
        Ok(value) => render(&value, oracle, &Options::new(target).with_format(format)).text,
        Err(e) => e.render(expression),
    }
}

fn whatis(oracle: &mut Oracle, text: &str) -> String {
    let target = oracle.target();
    match parse_in(text, oracle).and_then(|expr| type_of(&expr, oracle)) {
        Ok(ty) => type_name(&ty, target.dialect),
        Err(e) => e.render(text),
    }
}

/// Where we say something else than GDB on purpose, and why.
fn compare_with_gdb(mut oracle: Oracle, different: &[(&str, &str)]) {
    let mut wrong = Vec::new();
    let prints = oracle.prints.clone();
    assert!(prints.len() > 50);
    for (text, gdb) in prints {
        let ours = match text.strip_prefix("whatis ") {
            Some(expression) => whatis(&mut oracle, expression),
            None => print(&mut oracle, &text),
        };
        let expected = different.iter().find(|(t, _)| *t == text).map_or(gdb.as_str(), |(_, ours)| *ours);
        if ours != expected {
            wrong.push(format!("{text}\n   gdb: {expected}\n  ours: {ours}"));
        }
    }
    assert!(wrong.is_empty(), "{} differences:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn values_of_a_c_program_are_printed_as_gdb_prints_them() {
    compare_with_gdb(
        Oracle::load(include_str!("tests/oracle/values.txt")),
        &[
            // GDB 13 loses the character before an incomplete sequence.
            ("cut8", "\"ab\", <incomplete sequence \\344\\270>"),
            // In C, sizeof is a size_t.
            ("whatis sizeof(first)", "unsigned long"),
            // In C, _Bool operands are promoted to int.
            ("yes & no", "0"),
            // In C, enumerators are of type int.
            ("whatis FLAG_A|FLAG_B", "int"),
            // GDB takes the two halves of a complex number for one number.
            ("/f cd", "1 + 2i"),
            // As with cut8.
            ("*p16@2", "u\"h\", <incomplete sequence \\xd83d>"),
        ],
    );
}

#[test]
fn values_of_a_cxx_program_are_printed_as_gdb_prints_them() {
    let mut oracle = Oracle::load(include_str!("tests/oracle/classes.txt"));
    oracle.target.dialect = ctype::Dialect::Cxx;
    compare_with_gdb(
        oracle,
        &[
            // How a symbol is spelled is up to whoever looks it up.
            ("main", "{int (void)} 0x401106 <main>"),
            ("&main", "(int (*)(void)) 0x401106 <main>"),
        ],
    );
}

fn c_program() -> Oracle {
    Oracle::load(include_str!("tests/oracle/values.txt"))
}

fn check(oracle: &mut Oracle, table: &[(&str, &str)]) {
    for (text, expected) in table {
        assert_eq!(print(oracle, text), *expected, "{text}");
    }
}

#[test]
fn literals_can_be_cast_to_pointers_to_characters() {
    check(
        &mut c_program(),
        &[
            ("(char *)\"x y\"", "\"x y\""),
            ("(const char *)\"a\\\"b\"", "\"a\\\"b\""),
            ("*(char *)\"x y\"", "120 'x'"),
            ("((unsigned char *)\"x y\")[2]", "121 'y'"),
            ("sizeof *(char *)\"x y\"", "1"),
        ],
    );
}

#[test]
fn literals_and_operators_are_those_of_newer_standards_too() {
    let both = [
        ("0x1p3", "8"),
        ("0x1.8p1f", "3"),
        ("-0X.8P+1", "-1"),
        ("0x1p-1080L * 0x1p1080L", "1"),
        ("0x0p9", "0"),
        ("0x1.8", "invalid number \"0x1.8\"\n  0x1.8\n  ^^^^^"),
        ("1'000'000 + 0xff'ff", "1065535"),
        ("0b1'01 + 0x1'0p0", "21"),
        ("1 bitand 3 xor 4 bitor 8", "13"),
        ("compl 0", "-1"),
    ];
    check(&mut c_program(), &both);
    check(&mut c_program(), &[("1 and 0", "0"), ("0 or not 0", "1"), ("1 not_eq 1", "0"), ("sizeof 'a'", "4")]);
    let mut cxx = c_program();
    cxx.target.dialect = ctype::Dialect::Cxx;
    check(&mut cxx, &both);
    check(
        &mut cxx,
        &[
            ("true and not false", "true"),
            ("not (true or false)", "false"),
            ("sizeof 'a'", "1"),
            ("int(2.9) + 1", "3"),
            ("(int(2.9)) * 2", "4"),
            ("sizeof(short(2.9))", "2"),
            ("unsigned(-1) > 0", "true"),
        ],
    );
    for text in ["decltype(first)", "(decltype(first))1", "sizeof(decltype(first))", "typeid(first)"] {
        assert!(print(&mut cxx, text).starts_with("expressions over types are not evaluated here"), "{text}");
    }
}

#[test]
fn the_conditional_operator_promotes_as_c_does() {
    check(
        &mut c_program(),
        &[
            ("sizeof(1 ? (char)1 : (char)2)", "4"),
            ("sizeof(__float128)", "16"),
            ("sizeof(_Float16 *) + sizeof(_Float16)", "10"),
            ("(__float128)1 / 2", "0.5"),
            ("sizeof(1 ? (short)1 : 2)", "4"),
            ("1 ? (char)65 : 0", "65"),
            ("1 ? -1 : 0u", "4294967295"),
        ],
    );
    let mut cxx = c_program();
    cxx.target.dialect = ctype::Dialect::Cxx;
    check(&mut cxx, &[("sizeof(1 ? (char)1 : (char)2)", "1"), ("1 ? (char)65 : (signed char)66", "65")]);
}

#[test]
fn characters_are_compared_with_literals_as_texts() {
    check(
        &mut c_program(),
        &[
            ("names[0] == \"one\"", "1"),
            ("names[2] == \"two\"", "0"),
            ("\"three\" == names[2]", "1"),
            ("names[0] != \"one\"", "0"),
            ("names[0] < \"two\"", "1"),
            ("(char *)names[1] == \"two\"", "1"),
            ("null_str == \"\"", "0"),
            ("null_str != \"one\"", "1"),
            ("(char *)16 == \"x\"", "Cannot access memory at address 0x10\n  (char *)16 == \"x\"\n  ^^^^^^^^^^"),
            ("names[0] == names[0]", "1"),
        ],
    );
}

#[test]
fn convenience_functions_are_those_of_gdb() {
    check(
        &mut c_program(),
        &[
            ("$_streq(names[0], \"one\")", "1"),
            ("$_streq(\"three\", names[1])", "0"),
            ("$_streq(names[0], names[0]) && !$_streq(names[0], names[1])", "1"),
            ("$_strlen(names[2])", "5"),
            ("$_strlen(\"\") + sizeof $_strlen(names[0])", "4"),
            ("$_strlen(\"h\\303\\251llo\")", "5"),
            ("$_regex(names[0], \"x|o\") && !$_regex(names[0], \"n|e\")", "1"),
            ("$_regex(names[0], \"(?x) o n # no more\")", "1"),
            ("$_regex(names[2], \"th.+e\")", "1"),
            ("$_regex(names[2], \"hree\")", "0"),
            ("$_memeq(names[1], \"tx\", 1)", "1"),
            ("$_memeq(names[1], \"two\", 4)", "1"),
            (
                "$_memeq(names[1], \"two\", 5)",
                "it has 4 bytes, not 5\n  $_memeq(names[1], \"two\", 5)\n                    ^^^^^",
            ),
            ("$_memeq(names[0], (char *)names[0], 4)", "1"),
            ("$_memeq(names[0], names[1], 3)", "0"),
            ("$_memeq(names[0], names[1], 0)", "1"),
            ("$_memeq(16, 32, 1)", "Cannot access memory at address 0x10\n  $_memeq(16, 32, 1)\n          ^^"),
            (
                "$_memeq(names[0], names[1], -1)",
                "it is called as $_memeq(ADDRESS, ADDRESS, BYTES)\n  $_memeq(names[0], names[1], -1)\n  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^",
            ),
            (
                "$_streq((char *)16, \"x\")",
                "Cannot access memory at address 0x10\n  $_streq((char *)16, \"x\")\n          ^^^^^^^^^^",
            ),
            ("$_streq(names[0])", "it is called as $_streq(TEXT, TEXT)\n  $_streq(names[0])\n  ^^^^^^^^^^^^^^^^^"),
            (
                "$_strlen(1)",
                "operator $_strlen(TEXT) does not apply to int; it needs a text\n  $_strlen(1)\n           ^",
            ),
            (
                "$_thread_of(1)",
                "no convenience function \"$_thread_of\"; there are $_streq(TEXT, TEXT), $_strlen(TEXT), \
                 $_regex(TEXT, \"PATTERN\"), $_memeq(ADDRESS, ADDRESS, BYTES)\n  $_thread_of(1)\n  ^^^^^^^^^^^",
            ),
        ],
    );
    for (pattern, why) in [
        ("(", "not a regular expression: "),
        ("h)|(?:x", "not a regular expression: "),
        ("(a{0,200}){190}b", "too large for a regular expression"),
        (&"(o)".repeat(100), "a regular expression with 100 groups, at most 31 are possible"),
    ] {
        let refused = print(&mut c_program(), &format!("$_regex(names[0], \"{pattern}\")"));
        assert!(refused.starts_with(&format!("the pattern is {why}")), "{refused}");
    }
}

#[test]
fn errors_say_what_is_wrong_and_where() {
    check(
        &mut c_program(),
        &[
            ("fo + 1", "no symbol \"fo\" in current context\n  fo + 1\n  ^^"),
            ("1 + fo", "no symbol \"fo\" in current context\n  1 + fo\n      ^^"),
            ("", "empty expression\n  \n  ^"),
            ("1 +", "expected an expression, found the end\n  1 +\n     ^"),
            ("1 2", "expected an operator or the end, found \"2\"\n  1 2\n    ^"),
            ("(1", "expected an operator or \")\", found the end\n  (1\n    ^"),
            ("arr[1", "expected an operator or \"]\", found the end\n  arr[1\n       ^"),
            (")", "expected an expression, found \")\"\n  )\n  ^"),
            ("first.", "expected the name of a member, found the end\n  first.\n        ^"),
            ("1 ? 2", "expected \":\" of the conditional operator, found the end\n  1 ? 2\n       ^"),
            ("1 # 2", "invalid character '#' in expression\n  1 # 2\n    ^"),
            ("0x", "invalid number \"0x\"\n  0x\n  ^^"),
            ("08", "invalid number \"08\"\n  08\n  ^^"),
            ("1.2.3", "invalid number \"1.2.3\"\n  1.2.3\n  ^^^^^"),
            (
                "18446744073709551616",
                "number \"18446744073709551616\" does not fit 64 bits\n  18446744073709551616\n  ^^^^^^^^^^^^^^^^^^^^",
            ),
            ("'", "unterminated single quote\n  '\n  ^"),
            ("\"abc", "unterminated string\n  \"abc\n  ^^^^"),
            ("''", "empty character literal\n  ''\n  ^^"),
            ("'\\q'", "invalid escape sequence in literal\n  '\\q'\n  ^^^^"),
            ("first.zz", "there is no member named \"zz\" in struct node; it has: v, next\n  first.zz\n        ^^"),
            (
                "anon.zz",
                "there is no member named \"zz\" in struct anon; it has: x, y, z, w, named\n  anon.zz\n       ^^",
            ),
            ("arr.x", "int [5] is not a structure or union\n  arr.x\n  ^^^"),
            (
                "*vp",
                "cannot dereference void *: the type of its target is unknown; cast it first: *(type *)p\n  *vp\n  ^^^",
            ),
            ("*1.5", "operator * does not apply to double; it needs a pointer\n  *1.5\n  ^^^^"),
            ("5[3]", "operator [] does not apply to int; it needs an array, a pointer or a container\n  5[3]\n  ^"),
            ("&1", "cannot take the address of a value that is not in memory\n  &1\n   ^"),
            ("&bits.a", "cannot take the address of a bit-field\n  &bits.a\n   ^^^^^^"),
            ("1@2", "only values in memory can be extended with '@'\n  1@2\n  ^"),
            ("mi@0", "invalid number 0 of repetitions; it must be in 1..=2147483647\n  mi@0\n     ^"),
            ("5/0", "division by zero\n  5/0\n  ^^^"),
            ("5 % (1 - 1)", "division by zero\n  5 % (1 - 1)\n  ^^^^^^^^^^^"),
            ("1<<32", "shift count 32 is not in 0..=31, the bits of int\n  1<<32\n  ^^^^^"),
            ("1l<<-1", "shift count -1 is not in 0..=63, the bits of long\n  1l<<-1\n  ^^^^^^"),
            ("5 & 3.0", "operator & needs integers\n  5 & 3.0\n  ^^^^^^^"),
            ("~1.5", "operator ~ needs integers\n  ~1.5\n  ^^^^"),
            ("first + 1", "operator + does not apply to struct node; it needs numbers\n  first + 1\n  ^^^^^"),
            (
                "first == first",
                "operator == does not apply to struct node; it needs numbers or pointers\n  first == first\n  ^^^^^",
            ),
            ("arr * 2", "operator * does not apply to int *; it needs numbers\n  arr * 2\n  ^^^"),
            ("-arr", "operator - does not apply to int [5]; it needs a number\n  -arr\n  ^^^^"),
            (
                "&arr[5] - (char *)arr",
                "cannot subtract char * from int *: their targets have different sizes\n  &arr[5] - (char *)arr\n  ^^^^^^^^^^^^^^^^^^^^^",
            ),
            ("cd < cd", "complex numbers have no order; compare them with == or !=\n  cd < cd\n  ^^^^^^^"),
            (
                "(struct node)arr",
                "cannot cast int [5] to struct node; reinterpret memory with *(type *)&x or {type} address\n  (struct node)arr\n  ^^^^^^^^^^^^^^^^",
            ),
            ("(int *)1.5", "cannot cast double to int *\n  (int *)1.5\n  ^^^^^^^^^^"),
            ("(int)d_nan", "nan(0x8000000000000) cannot be converted to an integer\n  (int)d_nan\n  ^^^^^^^^^^"),
            ("(struct nosuch *)0", "no type named \"struct nosuch\"\n  (struct nosuch *)0\n  ^^^^^^^^^^^^^^^^^^"),
            ("(nosuch)1", "expected an operator or the end, found \"1\"\n  (nosuch)1\n          ^"),
            ("int", "\"int\" is a type, not an expression; cast something to it, or take its sizeof\n  int\n  ^^^"),
            (
                "(unsigned float)1",
                "invalid combination of type words \"unsigned float\"\n  (unsigned float)1\n   ^^^^^^^^^^^^^^",
            ),
            (
                "$nosuch",
                "no register or convenience variable \"$nosuch\"; registers are written $rip, $pc, $sp, $fp, $rax …\n  $nosuch\n  ^^^^^^^",
            ),
            (
                "first_ptr->next->next->v + 1",
                "Cannot access memory at address 0x0\n  first_ptr->next->next->v + 1\n  ^^^^^^^^^^^^^^^^^^^^^^^^",
            ),
            ("\"abc\" == arr", "cannot take the address of an array that is not in memory\n  \"abc\" == arr\n  ^^^^^"),
            ("\"abc\"[4]", "index 4 is outside the value, which has no neighbours in memory\n  \"abc\"[4]\n  ^^^^^^^^"),
            (
                "sizeof(struct nosuch)",
                "no type named \"struct nosuch\"\n  sizeof(struct nosuch)\n  ^^^^^^^^^^^^^^^^^^^^^",
            ),
            ("0 && nosuch", "no symbol \"nosuch\" in current context\n  0 && nosuch\n       ^^^^^^"),
            (
                "mi = 5",
                "recordings are immutable: a replay cannot assign; use == to compare, or an expression without effects\n  mi = 5\n     ^",
            ),
            (
                "mi <<= 5",
                "recordings are immutable: a replay cannot assign; use == to compare, or an expression without effects\n  mi <<= 5\n     ^^^",
            ),
            (
                "mi++",
                "recordings are immutable: a replay cannot change a variable; write x + 1 or x - 1\n  mi++\n    ^^",
            ),
            ("--mi", "recordings are immutable: a replay cannot change a variable; write x + 1 or x - 1\n  --mi\n  ^^"),
            (
                "handler(1)",
                "cannot call a function in a replay; read the variables and memory that it would look at\n  handler(1)\n  ^^^^^^^^",
            ),
            (
                "record.b(1)",
                "cannot call b() of struct record in a replay; what containers say of themselves is computed\n  record.b(1)\n  ^^^^^^^^^^^",
            ),
            ("/q 5", "undefined output format \"q\"; formats are /x /d /u /o /t /z /a /c /f /s /r\n  /q 5\n  ^^"),
            (
                "/3x 5",
                "a count is meaningless here; write an array as *pointer@count; formats are /x /d /u /o /t /z /a /c /f /s /r\n  /3x 5\n  ^^^",
            ),
            (
                "/xb 5",
                "one format letter must follow the slash, no size; formats are /x /d /u /o /t /z /a /c /f /s /r\n  /xb 5\n  ^^^",
            ),
            ("/ 5", "a format letter must follow the slash; formats are /x /d /u /o /t /z /a /c /f /s /r\n  / 5\n  ^"),
        ],
    );
}

#[test]
fn unreadable_values_are_shown_as_such() {
    check(
        &mut c_program(),
        &[
            ("*null_int", "<error: Cannot access memory at address 0x0>"),
            ("*(struct node *)16", "<error: Cannot access memory at address 0x10>"),
            ("*(char **)0", "<error: Cannot access memory at address 0x0>"),
            ("first_ptr->next->next->next", "<error: Cannot access memory at address 0x8>"),
            ("first.next->next->v", "<error: Cannot access memory at address 0x0>"),
        ],
    );
}

#[test]
fn what_gdb_has_no_say_in_follows_c() {
    check(
        &mut c_program(),
        &[
            // GDB 13 has no arithmetic on 128 bits.
            ("i128_mix + 1", "24197857203266734863481549203041157138"),
            ("i128_mix >> 64", "1311768467463790320"),
            ("-i128", "-1267650600228229401496703205376"),
            ("u128 / 3", "113427455640312821154458202477256070485"),
            ("u128 == -1", "1"),
            ("i128_neg < 0", "1"),
            ("(long)i128_mix", "17"),
            ("(double)i128", "1.2676506002282294e+30"),
            // Bit-fields promote by width.
            ("bits.b - 18", "-1"),
            ("sizeof(int) - 5", "18446744073709551615"),
            ("(1 ? -1 : 0u) > 0", "1"),
            ("(0 ? 1 : 2.5)", "2.5"),
            ("yes + yes", "2"),
            // Not evaluated, so not read.
            ("sizeof *null_int", "4"),
            ("sizeof(null_int[7])", "4"),
            ("sizeof(first_ptr->next->next->next->v)", "4"),
            ("0 && *null_int", "0"),
            ("1 || *null_int", "1"),
            ("1 ? 2 : *null_int", "2"),
            ("1[arr]", "2"),
            ("NULL", "(void *) 0x0"),
            ("null_int == NULL", "1"),
            ("yes == true", "1"),
            ("true + false", "1"),
            ("$sp", "(void *) 0x7ffe1230"),
            ("$sp + 8", "(void *) 0x7ffe1238"),
            ("/x (long)$sp & 0xfff", "0x230"),
            ("static_cast<char>(97)", "97 'a'"),
            ("_Alignof(struct record)", "8"),
            ("L'\\x20ac'", "8364 L'€'"),
            ("(const volatile int)5", "5"),
            ("sizeof(int *[3])", "24"),
            ("sizeof(int (*)[3])", "8"),
            ("sizeof(char[10])", "10"),
        ],
    );
}

/// As Go writes them: the variable's whole name is `main.arr`.
#[test]
fn a_package_is_a_part_of_a_variables_name() {
    let mut oracle = c_program();
    let arr = oracle.variables["arr"];
    oracle.variables.insert("main.arr".to_owned(), arr);
    assert!(print(&mut oracle, "main.arr[0]").contains("is not a structure or union"));
    oracle.packages = true;
    let plain = print(&mut oracle, "arr[0]");
    for written in ["main.arr[0]", "'main.arr'[0]", "*&main.arr[0]"] {
        assert_eq!(print(&mut oracle, written), plain, "{written}");
    }
    // A variable of that name comes first.
    oracle.variables.insert("arr.v".to_owned(), arr);
    assert!(print(&mut oracle, "arr.v").contains("is not a structure or union"));
    assert!(print(&mut oracle, "other.arr").contains("no symbol \"other\""));
}

#[test]
fn what_rust_computes_of_literals_is_of_the_other_operands_type() {
    let mut oracle = c_program();
    oracle.target.dialect = ctype::Dialect::Rust;
    check(
        &mut oracle,
        &[
            ("(0usize ^ 5usize) <= (!1)", "true"),
            ("!1 >= 5u64", "true"),
            ("9u16 & (!7)", "8"),
            ("(!7) & 1u128", "0"),
            ("200u8 == !55", "true"),
            ("((-1) << 7u32) * (3 as i16)", "-384"),
            ("5i64 + (1 << 40)", "1099511627781"),
            ("-128 + 0i8", "-128"),
            ("3u32 == -1", "false"),
            ("(!7) as char as u32", "248"),
            ("!7", "-8"),
            ("1.1f32 == 1.1", "true"),
            ("-1.1 == -1.1f32", "true"),
            ("1.1f32 > 1.1", "false"),
            ("1.1f32 * 3.0 == 3.3000002", "true"),
            ("1.1 == 1.1f64", "true"),
            ("1u8 << !-4", "8"),
            ("1u8 & !300", "the result overflows u8; cast an operand to a larger type\n  1u8 & !300\n        ^^^^"),
            ("(1 / 0) + 1u8", "division by zero\n  (1 / 0) + 1u8\n  ^^^^^^^"),
        ],
    );
    assert_eq!(whatis(&mut oracle, "((-1) << 7u32) * (3 as i16)"), "i16");
}

#[test]
fn the_type_of_a_repetition_has_the_count_that_the_program_has() {
    let mut oracle = c_program();
    for (text, ty) in [("arr[0]@3", "int [3]"), ("arr[0]@first.next->v", "int [2]"), ("arr[0]@*null_int", "int []")] {
        assert_eq!(whatis(&mut oracle, text), ty, "{text}");
    }
    check(&mut oracle, &[("sizeof(arr[0]@(1 + 1))", "8"), ("0 && arr[0]@*null_int", "0")]);
}

#[test]
fn literals_of_rust_are_of_rusts_types() {
    let mut oracle = c_program();
    oracle.target.dialect = ctype::Dialect::Rust;
    check(
        &mut oracle,
        &[
            ("\"abc\"", "\"abc\""),
            ("\"abc\".len()", "3"),
            ("\"h\u{e9}\".len()", "3"),
            ("\"h\u{e9}\".chars().count()", "2"),
            ("\"\".is_empty()", "true"),
            ("\"a\\0b\".len()", "3"),
            ("\"abc\" == \"abc\"", "true"),
            ("\"abc\".starts_with(\"ab\")", "true"),
            ("b\"abc\".len()", "3"),
            ("b\"abc\"[1]", "98"),
            ("names[1] == \"two\"", "true"),
            ("$_memeq(names[1], \"two\", 4)", "true"),
            ("1.1f32 == 1.0 + 0.1", "true"),
            ("1.1f32 == -(0.4 - 1.5)", "true"),
        ],
    );
    assert_eq!(whatis(&mut oracle, "\"abc\""), "&str");
    assert_eq!(whatis(&mut oracle, "b\"ab\""), "&[u8; 2]");
}
