use super::skip_stack_alignment;
use crate::testing::{build, every_build, marked};
use crate::units::producer::is_gcc_4_5_or_later;
use arch::Arch;

#[test]
fn unoptimised_code_is_entered_on_the_first_line_of_the_body() {
    for compiler in ["gcc", "clang"] {
        for version in [4, 5] {
            let program = build(compiler, &format!("-gdwarf-{version} -O0"), &["lines.c"]);
            let function = &program.image.functions_named("loop")[0];
            let row = program.image.line_at(program.image.after_prologue(function)).unwrap();
            assert_eq!(row.line, marked("lines.c", "body"), "{compiler} {version}");
            assert_eq!(row.start, program.image.after_prologue(function), "{compiler} {version}");
        }
    }
}

#[test]
fn a_function_on_one_line_is_entered_after_its_frame_is_set_up() {
    for compiler in ["gcc", "clang"] {
        let program = build(compiler, "-g -O0", &["lines.c"]);
        let function = &program.image.functions_named("short_one")[0];
        let after = program.image.after_prologue(function);
        assert_eq!(program.image.line_at(after).unwrap().line, marked("lines.c", "short"), "{compiler}");
        assert!(function.entry < after && after < function.ranges[0].1, "{compiler}");
    }
}

#[test]
fn code_of_gcc_with_location_lists_is_entered_at_its_first_instruction() {
    for version in [4, 5] {
        let program = build("gcc", &format!("-gdwarf-{version} -O2"), &["lines.c"]);
        let function = &program.image.functions_named("loop")[0];
        assert_eq!(program.image.after_prologue(function), function.entry);
    }
}

#[test]
#[cfg(target_arch = "x86_64")]
fn code_of_llvm_that_marks_no_end_is_entered_at_its_second_line() {
    let program = build("gcc", "-nostdlib -shared -gdwarf-4", &["prologue.s"]);
    let function = &program.image.functions_named("function")[0];
    let second = program.image.symbols_named("second_line")[0].address;
    assert_ne!(function.entry, second);
    assert_eq!(program.image.after_prologue(function), second);
    assert_eq!(program.image.line_at(second).unwrap().line, 12);
}

#[test]
fn a_breakpoint_never_leaves_its_function() {
    for sources in [&["lines.c"], &["cold_part.c"], &["inline_chain.c"]] {
        for (how, program) in every_build(sources) {
            let function = &program.image.functions_named("main")[0];
            let after = program.image.after_prologue(function);
            assert!(function.ranges.iter().any(|(start, end)| *start <= after && after < *end), "{how}");
        }
    }
}

#[test]
fn a_breakpoint_does_not_go_to_the_function_behind() {
    let program = build("clang", "-g -O2", &["packed.c"]);
    let of = |name| program.image.functions_named(name)[0].clone();
    let (first, second) = (of("first"), of("second"));
    assert_eq!(first.ranges[0].1, second.entry, "the fixture leaves no room");
    let after = program.image.after_prologue(&first);
    assert!((first.entry..second.entry).contains(&after), "{after:?} in {:?}", first.ranges);
}

#[test]
fn without_debug_information_the_frame_set_up_is_recognised() {
    let image = build("gcc", "-O0 -fcf-protection=none", &["symbols.c"]).image;
    let function = &image.functions_named("strong")[0];
    assert_eq!(function.die, None);
    let expected = match image.arch() {
        // push %rbp; mov %rsp,%rbp
        Arch::X86_64 => function.entry.0 + 4,
        Arch::Aarch64 => function.entry.0,
    };
    assert_eq!(image.after_prologue(function).0, expected);
}

#[test]
fn stack_alignment_is_skipped_in_all_its_spellings() {
    // lea 8(%rsp),%r10; and $-32,%rsp; push -8(%r10)
    let r10 = [0x4c, 0x8d, 0x54, 0x24, 0x08, 0x48, 0x83, 0xe4, 0xe0, 0x41, 0xff, 0x72, 0xf8];
    // push %rbx; lea 16(%rsp),%rbx; and $-4096,%rsp; push -8(%rbx)
    let rbx = [0x53, 0x48, 0x8d, 0x5c, 0x24, 0x10, 0x48, 0x81, 0xe4, 0x00, 0xf0, 0xff, 0xff, 0xff, 0x73, 0xf8];
    for code in [&r10[..], &rbx[..]] {
        let with_more = [code, &[0x55]].concat();
        assert_eq!(skip_stack_alignment(&with_more), [0x55]);
        for len in 0..code.len() {
            assert_eq!(skip_stack_alignment(&code[..len]), &code[..len]);
        }
    }
}

#[test]
fn gcc_is_known_by_its_producer_text() {
    assert!(is_gcc_4_5_or_later("GNU C17 12.2.0 -mtune=generic -g -O2"));
    assert!(is_gcc_4_5_or_later("GNU C 4.5.1"));
    assert!(is_gcc_4_5_or_later("GNU GIMPLE 12.2.0 -fltrans"));
    assert!(!is_gcc_4_5_or_later("GNU C++ 4.4.7 20120313 (Red Hat 4.4.7-23)"));
    assert!(!is_gcc_4_5_or_later("Debian clang version 14.0.6"));
    assert!(!is_gcc_4_5_or_later("GNU AS 2.40"));
    assert!(!is_gcc_4_5_or_later(""));
}
