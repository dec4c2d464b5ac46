//! The types of what is computed of values whose types few programs have.

use super::*;
use ctype::Dialect;

/// Compares the types of expressions with what they have to be.
fn check_types(oracle: &mut Oracle, table: &[(&str, &str)]) {
    for (text, expected) in table {
        assert_eq!(whatis(oracle, text), *expected, "{text}");
    }
}

fn cxx(program: &str) -> Oracle {
    let mut oracle = Oracle::load(program);
    oracle.target.dialect = Dialect::Cxx;
    oracle
}

#[test]
fn numbers_in_half_precision_are_promoted_if_their_type_is_for_storage_only() {
    let mut oracle = Oracle::load(
        "type 1 base 2 float __fp16\ntype 2 base 2 float _Float16\nvariable h 0x1000 1\nvariable f 0x1000 2\n\
         memory 0x1000 537b\nrange 0x1000 0x1002",
    );
    check(&mut oracle, &[("h", "60000"), ("h * 2", "120000"), ("-h", "-60000"), ("f * 2", "inf")]);
    check(&mut oracle, &[("sizeof(h * 2)", "4"), ("sizeof(-h)", "4"), ("sizeof(f * 2)", "2")]);
    let types = [("h", "__fp16"), ("h * 2", "float"), ("+h", "float"), ("h + f", "float")];
    check_types(&mut oracle, &types);
    check_types(&mut oracle, &[("f * 2", "_Float16"), ("-f", "_Float16")]);
}

#[test]
fn what_is_computed_of_a_type_with_a_name_of_its_own_has_that_type() {
    let mut oracle = Oracle::load(
        "type 1 base 16 float __float128\ntype 2 base 16 float _Float128\ntype 3 base 8 float double\n\
         variable q 0x1000 1\nvariable f 0x1000 2\nvariable d 0x1000 3\nrange 0x1000 0x1010",
    );
    check_types(&mut oracle, &[("q + 1", "__float128"), ("d * q", "__float128"), ("-q", "__float128")]);
    check_types(&mut oracle, &[("f + 1", "_Float128"), ("d + 1", "double")]);
}

#[test]
fn the_type_of_a_member_of_a_virtual_base_does_not_depend_on_the_object() {
    let mut oracle = cxx("type 1 base 4 signed int\ntype 2 struct 4 V\nmember 2 v 1 0 0 0\ntype 3 struct 4 W\n\
         member 3 w 1 0 0 0\ntype 4 struct 16 L\nvirtual 4 2 24\nvirtual 4 3 32\ntype 5 pointer 4\ntype 6 reference 4\n\
         variable pl 0x1000 5\nvariable rl 0x1000 6\nrange 0x1000 0x1008");
    let int = ["pl->v", "pl->w", "rl.v", "rl.w", "pl->v + rl.w"].map(|text| (text, "int"));
    check_types(&mut oracle, &int);
    check_types(&mut oracle, &[("&pl->v", "int *"), ("&pl->v == &rl.v", "bool")]);
}

#[test]
fn null_pointers_have_a_type_of_their_own_and_pointers_to_members_compare_with_them() {
    let mut oracle = cxx(include_str!("oracle/classes.txt"));
    let types = [("nullptr", "std::nullptr_t"), ("NULL", "void *"), ("(int *)nullptr", "int *")];
    check_types(&mut oracle, &types);
    let bool = ["&ns::S::a == 0", "0 != &ns::S::a", "&ns::S::a == nullptr", "sp == nullptr"].map(|text| (text, "bool"));
    check_types(&mut oracle, &bool);
    check(&mut oracle, &[("&ns::S::a == 0", "false"), ("sp == nullptr", "false"), ("dp == nullptr", "true")]);
    let refused = "it needs a pointer to a member, or a null pointer";
    for text in ["&ns::S::a == 5", "5 == &ns::S::a"] {
        let (printed, typed) = (print(&mut oracle, text), whatis(&mut oracle, text));
        assert!(printed.contains(refused) && typed == printed, "{printed}\n{typed}");
    }
}
