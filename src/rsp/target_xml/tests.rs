//! Descriptions in the shapes that rr's servers send, and broken ones.

use super::*;
use proptest::prelude::*;

fn registers(names: impl IntoIterator<Item = String>, bits: usize, ty: &str) -> String {
    names.into_iter().map(|n| format!("  <reg name=\"{n}\" bitsize=\"{bits}\" type=\"{ty}\"/>\n")).collect()
}

fn feature(body: &str) -> String {
    format!(
        "<?xml version=\"1.0\"?>\n<!DOCTYPE feature SYSTEM \"gdb-target.dtd\">\n<feature name=\"f\">\n{body}</feature>\n"
    )
}

fn numbered(prefix: &str, range: std::ops::Range<usize>, suffix: &str) -> Vec<String> {
    range.map(|i| format!("{prefix}{i}{suffix}")).collect()
}

fn named(list: &str) -> Vec<String> {
    list.split(' ').map(str::to_owned).collect()
}

fn x86_core() -> String {
    let mut body =
        String::from("<flags id=\"i386_eflags\" size=\"4\"><field name=\"CF\" start=\"0\" end=\"0\"/></flags>\n");
    body += &registers(named("rax rbx rcx rdx rsi rdi"), 64, "int64");
    body += &registers(named("rbp rsp"), 64, "data_ptr");
    body += &registers(numbered("r", 8..16, ""), 64, "int64");
    body += &registers(named("rip"), 64, "code_ptr");
    body += &registers(named("eflags"), 32, "i386_eflags");
    body += &registers(named("cs ss ds es fs gs"), 32, "int32");
    body += &registers(numbered("st", 0..8, ""), 80, "i387_ext");
    body += &registers(named("fctrl fstat ftag fiseg fioff foseg fooff fop"), 32, "int");
    feature(&body)
}

fn x86_sse() -> String {
    let vectors = registers(numbered("xmm", 0..16, ""), 128, "vec128").replacen("type", "regnum=\"40\" type", 1);
    let flags = "<flags id='i386_mxcsr' size='4'></flags><!-- <reg name='no' bitsize='8'/> -->";
    feature(&format!(
        "<vector id=\"v4f\" type=\"ieee_single\" count=\"4\"/>{vectors}{flags}{}",
        registers(named("mxcsr"), 32, "i386_mxcsr")
    ))
}

fn x86_parts() -> BTreeMap<String, String> {
    let avx512 = [
        registers(numbered("xmm", 16..32, ""), 128, "vec128"),
        registers(numbered("ymm", 16..32, "h"), 128, "uint128"),
        registers(numbered("zmm", 0..32, "h"), 256, "v2ui128"),
        registers(numbered("k", 0..8, ""), 64, "uint64"),
    ];
    let parts = [
        ("core", x86_core()),
        ("sse", x86_sse()),
        ("linux", feature("<reg name=\"orig_rax\" bitsize=\"64\" type=\"int\" regnum=\"57\"/>")),
        ("seg", feature(&registers(named("fs_base gs_base"), 64, "data_ptr"))),
        ("avx", feature(&registers(numbered("ymm", 0..16, "h"), 128, "uint128"))),
        ("avx512", feature(&avx512.concat())),
        ("pkeys", feature(&registers(named("pkru"), 32, "uint32"))),
    ];
    parts.into_iter().map(|(name, text)| (format!("64bit-{name}.xml"), text)).collect()
}

fn root(architecture: &str, parts: &[&str]) -> String {
    let list: String = parts.iter().map(|p| format!("  <xi:include href=\"{p}.xml\"/>\n")).collect();
    format!(
        "<?xml version=\"1.0\"?>\n<!DOCTYPE target SYSTEM \"gdb-target.dtd\">\n<target>\n\
         <architecture>{architecture}</architecture>\n<osabi>GNU/Linux</osabi>\n{list}</target>\n"
    )
}

fn x86(parts: &[&str]) -> RegisterLayout {
    let mut files = x86_parts();
    files.insert(ROOT.into(), root("i386:x86-64", parts));
    layout(&files).unwrap()
}

#[track_caller]
fn check(layout: &RegisterLayout, name: &str, number: u32, size: usize, offset: usize, kind: RegisterKind) {
    let expected = Register { name: name.into(), number, size, offset, kind };
    assert_eq!(layout.find(name), Some(&expected));
}

const PLAIN: [&str; 4] = ["64bit-core", "64bit-sse", "64bit-linux", "64bit-seg"];

#[test]
fn plain_x86_64_has_the_offsets_that_every_version_shares() {
    let layout = x86(&PLAIN);
    assert_eq!(layout.arch, Arch::X86_64);
    check(&layout, "rax", 0, 8, 0, RegisterKind::Integer);
    check(&layout, "rsp", 7, 8, 56, RegisterKind::DataPointer);
    check(&layout, "rip", 0x10, 8, 128, RegisterKind::CodePointer);
    check(&layout, "eflags", 0x11, 4, 136, RegisterKind::Flags);
    check(&layout, "st0", 0x18, 10, 164, RegisterKind::Float80);
    check(&layout, "fop", 0x27, 4, 272, RegisterKind::Integer);
    check(&layout, "xmm0", 0x28, 16, 276, RegisterKind::Vector);
    check(&layout, "mxcsr", 0x38, 4, 532, RegisterKind::Flags);
    check(&layout, "orig_rax", 0x39, 8, 536, RegisterKind::Integer);
    check(&layout, "gs_base", 0x3b, 8, 552, RegisterKind::DataPointer);
    assert_eq!(layout.size(), 560);
    assert_eq!(layout.find("no"), None, "a register in a comment");
}

#[test]
fn all_extensions_of_x86_64() {
    let layout = x86(&[&PLAIN[..], &["64bit-avx", "64bit-avx512", "64bit-pkeys"]].concat());
    check(&layout, "ymm0h", 0x3c, 16, 560, RegisterKind::Vector);
    check(&layout, "xmm16", 0x4c, 16, 816, RegisterKind::Vector);
    check(&layout, "ymm16h", 0x5c, 16, 1072, RegisterKind::Vector);
    check(&layout, "zmm0h", 0x6c, 32, 1328, RegisterKind::Vector);
    check(&layout, "k0", 0x8c, 8, 2352, RegisterKind::Integer);
    check(&layout, "pkru", 0x94, 4, 2416, RegisterKind::Integer);
    assert_eq!(layout.size(), 2420);
}

#[test]
fn protection_keys_without_avx512_follow_avx() {
    let layout = x86(&[&PLAIN[..], &["64bit-avx", "64bit-pkeys"]].concat());
    check(&layout, "pkru", 0x4c, 4, 816, RegisterKind::Integer);
}

#[test]
fn a_whole_file_description_may_be_included_by_the_root() {
    let mut files = x86_parts();
    files.insert(ROOT.into(), "<target><xi:include href='amd64-avx-linux.xml'/></target>".into());
    let parts = [&PLAIN[..], &["64bit-avx"]].concat();
    files.insert("amd64-avx-linux.xml".into(), root("i386:x86-64", &parts));
    assert_eq!(layout(&files).unwrap(), x86(&parts));
}

#[test]
fn aarch64() {
    let mut core = registers(numbered("x", 0..31, ""), 64, "int");
    core += "<reg name=\"sp\" bitsize=\"64\" type=\"data_ptr\"/><reg name=\"pc\" bitsize=\"64\" type=\"code_ptr\"/>";
    core += "<flags id=\"cpsr_flags\" size=\"4\"/><reg name=\"cpsr\" bitsize=\"32\" type=\"cpsr_flags\"/>";
    let fpu = registers(numbered("v", 0..32, ""), 128, "aarch64v").replacen("type", "regnum=\"34\" type", 1)
        + &registers(named("fpsr fpcr"), 32, "int");
    let files = BTreeMap::from([
        (ROOT.to_owned(), root("aarch64", &["aarch64-core", "aarch64-fpu"])),
        ("aarch64-core.xml".to_owned(), feature(&core)),
        ("aarch64-fpu.xml".to_owned(), feature(&fpu)),
    ]);
    let layout = layout(&files).unwrap();
    assert_eq!(layout.arch, Arch::Aarch64);
    check(&layout, "x30", 30, 8, 240, RegisterKind::Integer);
    check(&layout, "pc", 0x20, 8, 256, RegisterKind::CodePointer);
    check(&layout, "cpsr", 0x21, 4, 264, RegisterKind::Flags);
    check(&layout, "v0", 0x22, 16, 268, RegisterKind::Vector);
    check(&layout, "fpcr", 0x43, 4, 784, RegisterKind::Integer);
}

#[test]
fn a_missing_architecture_is_told_from_the_registers() {
    let files = BTreeMap::from([(ROOT.to_owned(), x86_core())]);
    assert_eq!(layout(&files).unwrap().arch, Arch::X86_64);
}

#[test]
fn only_plain_file_names_are_asked_for() {
    let text = "<a><xi:include href=\"64bit-core.xml\"/><xi:include href='../x.xml'/><xi:include href='/etc/x.xml'/>\
                <!-- <xi:include href='c.xml'/> --><xi:include href='x'/><xi:include/></a>";
    assert_eq!(includes(text), ["64bit-core.xml"]);
}

#[test]
fn what_cannot_be_used_is_named() {
    let of = |text: &str| layout(&BTreeMap::from([(ROOT.to_owned(), text.to_owned())])).unwrap_err();
    assert_eq!(of("<target/>"), "no <architecture>");
    assert_eq!(of("<architecture>i386</architecture>"), "architecture `i386`; known are i386:x86-64 and aarch64");
    assert_eq!(of("<architecture>aarch64</architecture>"), "no register `pc`");
    assert_eq!(of("<reg name='rip' bitsize='7'/>"), "register `rip` without a whole number of bytes");
    assert_eq!(of("<reg name='rip' bitsize='64' regnum='x'/>"), "register `rip` with number `x`");
    assert_eq!(of("<xi:include href='a.xml'/>"), "no file `a.xml`");
    assert_eq!(of("<xi:include href='target.xml'/>"), "inclusion deeper than 4");
}

proptest! {
    #[test]
    fn no_text_panics(text in "(<|>|/|!--|-->|reg|xi:include| |name=|bitsize=|href=|\"|'|8|target.xml|é|architecture|aarch64){0,40}") {
        let _ = includes(&text);
        let _ = layout(&BTreeMap::from([(ROOT.to_owned(), text)]));
    }
}
