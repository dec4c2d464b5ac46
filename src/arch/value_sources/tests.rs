use super::*;
use proptest::prelude::*;

const RAX: u16 = 0;
const RDX: u16 = 1;
const RDI: u16 = 5;

fn register(number: u16, offset: usize, size: usize) -> Operand {
    Operand::Register { number, offset, size }
}

fn memory(offset: usize, size: usize) -> Operand {
    Operand::Memory { offset, size }
}

fn to_memory(code: &[u8], offset: usize, length: usize) -> Source {
    source(Arch::X86_64, code, RunAddr(0x1000), Written::Memory, offset, length)
}

fn to(number: u16, code: &[u8], offset: usize, length: usize) -> Source {
    source(Arch::X86_64, code, RunAddr(0x1000), Written::Register(number), offset, length)
}

#[test]
fn stores_and_loads_are_copies() {
    // mov %eax,-4(%rbp); mov -4(%rbp),%eax; mov %rdi,%rax; push %rdi; pop %rax; movsd -8(%rbp),%xmm0
    assert_eq!(to_memory(&[0x89, 0x45, 0xfc], 0, 4), Source::Copied(register(RAX, 0, 4)));
    assert_eq!(to_memory(&[0x89, 0x45, 0xfc], 2, 2), Source::Copied(register(RAX, 2, 2)));
    assert_eq!(to(RAX, &[0x8b, 0x45, 0xfc], 0, 4), Source::Copied(memory(0, 4)));
    assert_eq!(to(RAX, &[0x48, 0x89, 0xf8], 0, 8), Source::Copied(register(RDI, 0, 8)));
    assert_eq!(to_memory(&[0x57], 0, 8), Source::Copied(register(RDI, 0, 8)));
    assert_eq!(to(RAX, &[0x58], 0, 8), Source::Copied(memory(0, 8)));
    assert_eq!(to(XMM0, &[0xf2, 0x0f, 0x10, 0x45, 0xf8], 0, 8), Source::Copied(memory(0, 8)));
    // mov %ah,-1(%rbp); mov %al,%ah
    assert_eq!(to_memory(&[0x88, 0x65, 0xff], 0, 1), Source::Copied(register(RAX, 1, 1)));
    assert_eq!(to(RAX, &[0x88, 0xc4], 1, 1), Source::Copied(register(RAX, 0, 1)));
    assert_eq!(to(RAX, &[0x88, 0xc4], 0, 1), Source::Kept);
    // mov %al,%dl does not write the rest of edx.
    assert_eq!(to(RDX, &[0x88, 0xc2], 2, 2), Source::Kept);
    assert!(matches!(to(RDX, &[0x88, 0xc2], 0, 4), Source::Unknown(_)));
}

#[test]
fn widths_are_extended_as_the_instruction_says() {
    // mov -4(%rbp),%eax, asked for all of rax.
    assert_eq!(to(RAX, &[0x8b, 0x45, 0xfc], 0, 8), Source::ZeroExtended(4));
    assert_eq!(to(RAX, &[0x8b, 0x45, 0xfc], 4, 4), Source::Constant(0));
    // movslq -4(%rbp),%rax; cltq; movzbl %al,%eax; movsbl %al,%eax
    assert_eq!(to(RAX, &[0x48, 0x63, 0x45, 0xfc], 0, 8), Source::SignExtended(memory(0, 4), 4));
    assert_eq!(to(RAX, &[0x48, 0x98], 0, 8), Source::SignExtended(register(RAX, 0, 4), 4));
    assert_eq!(to(RAX, &[0x48, 0x98], 0, 4), Source::Copied(register(RAX, 0, 4)));
    assert_eq!(to(RAX, &[0x0f, 0xb6, 0xc0], 0, 4), Source::ZeroExtended(1));
    assert_eq!(to(RAX, &[0x0f, 0xbe, 0xc0], 0, 4), Source::SignExtended(register(RAX, 0, 1), 1));
    assert_eq!(to(RAX, &[0x0f, 0xbe, 0xc0], 0, 8), Source::ZeroExtended(4));
}

#[test]
fn what_is_made_up_is_a_constant_or_an_address() {
    // movl $5,-4(%rbp); mov $0,%eax; xor %eax,%eax; lea 0x10(%rip),%rax; lea -8(%rbp),%rax
    assert_eq!(to_memory(&[0xc7, 0x45, 0xfc, 5, 0, 0, 0], 0, 4), Source::Constant(5));
    assert_eq!(to(RAX, &[0xb8, 7, 0, 0, 0], 0, 4), Source::Constant(7));
    assert_eq!(to(RAX, &[0x31, 0xc0], 0, 4), Source::Constant(0));
    assert_eq!(to(RAX, &[0x48, 0x8d, 0x05, 0x10, 0, 0, 0], 0, 8), Source::Address);
    let near = vec![register(6, 0, 8), Operand::Constant(8u64.wrapping_neg())];
    let near = Source::NearFrame { mnemonic: "lea".to_owned(), inputs: near };
    assert_eq!(to(RAX, &[0x48, 0x8d, 0x45, 0xf8], 0, 8), near);
    assert_eq!(to_memory(&[0xe8, 0, 0, 0, 0], 0, 8), Source::ReturnAddress);
}

#[test]
fn arithmetic_names_what_it_reads() {
    let computed = |mnemonic: &str, inputs: Vec<Operand>| Source::Computed {
        mnemonic: mnemonic.to_owned(),
        inputs,
        of_floats: false,
    };
    // add $1,%eax; addl $1,-4(%rbp); add %edx,%eax; lea 1(%rdi),%eax; imul -4(%rbp),%eax; neg %eax
    assert_eq!(to(RAX, &[0x83, 0xc0, 1], 0, 4), computed("add", vec![register(RAX, 0, 4), Operand::Constant(1)]));
    assert_eq!(to_memory(&[0x83, 0x45, 0xfc, 1], 0, 4), computed("add", vec![memory(0, 4), Operand::Constant(1)]));
    assert_eq!(to(RAX, &[0x01, 0xd0], 0, 4), computed("add", vec![register(RAX, 0, 4), register(RDX, 0, 4)]));
    assert_eq!(to(RAX, &[0x8d, 0x47, 1], 0, 4), computed("lea", vec![register(RDI, 0, 8), Operand::Constant(1)]));
    assert_eq!(to(RAX, &[0x0f, 0xaf, 0x45, 0xfc], 0, 4), computed("imul", vec![register(RAX, 0, 4), memory(0, 4)]));
    assert_eq!(to(RAX, &[0xf7, 0xd8], 0, 4), computed("neg", vec![register(RAX, 0, 4)]));
    // lea (%rdx,%rdx),%eax; lea (%rdi,%rdx,4),%rax; lea 0(,%rdx,8),%rax
    assert_eq!(to(RAX, &[0x8d, 0x04, 0x12], 0, 4), computed("lea (times 2)", vec![register(RDX, 0, 8)]));
    let both = vec![register(RDI, 0, 8), register(RDX, 0, 8)];
    assert_eq!(to(RAX, &[0x48, 0x8d, 0x04, 0x97], 0, 8), computed("lea (the second times 4)", both));
    let scaled = to(RAX, &[0x48, 0x8d, 0x04, 0xd5, 0, 0, 0, 0], 0, 8);
    assert_eq!(scaled, computed("lea (times 8)", vec![register(RDX, 0, 8)]));
    // cmovne %edx,%eax
    assert_eq!(to(RAX, &[0x0f, 0x45, 0xc2], 0, 4), Source::Either(register(RAX, 0, 4), register(RDX, 0, 4)));
}

#[test]
fn what_vectors_do_is_not_guessed() {
    // movups (%rsi),%xmm0; movups %xmm0,(%rdi); pabsd %xmm0,%xmm0; addsd %xmm1,%xmm0
    assert_eq!(to(XMM0, &[0x0f, 0x10, 0x06], 4, 4), Source::Copied(memory(4, 4)));
    assert_eq!(to_memory(&[0x0f, 0x11, 0x07], 8, 8), Source::Copied(register(XMM0, 8, 8)));
    assert_eq!(to(XMM0, &[0x66, 0x0f, 0x38, 0x1e, 0xc0], 0, 4), Source::Unknown("pabsd".to_owned()));
    let computed = |mnemonic: &str, inputs: Vec<Operand>, of_floats| Source::Computed {
        mnemonic: mnemonic.to_owned(),
        inputs,
        of_floats,
    };
    let both = |from, size| vec![register(XMM0, from, size), register(XMM0 + 1, from, size)];
    assert_eq!(to(XMM0, &[0xf2, 0x0f, 0x58, 0xc1], 0, 8), computed("addsd", both(0, 8), true));
    assert_eq!(to(XMM0, &[0xf2, 0x0f, 0x58, 0xc1], 8, 8), Source::Copied(register(XMM0, 8, 8)));
    // addps %xmm1,%xmm0; xorps %xmm1,%xmm0; cvtsi2sd %eax,%xmm0; cvttsd2si %xmm1,%eax; fldl (%rax)
    assert_eq!(to(XMM0, &[0x0f, 0x58, 0xc1], 4, 4), computed("addps", both(4, 4), true));
    assert_eq!(to(XMM0, &[0x0f, 0x57, 0xc1], 2, 3), computed("xorps", both(2, 3), true));
    let converted = computed("cvtsi2sd", vec![register(RAX, 0, 4)], false);
    assert_eq!(to(XMM0, &[0xf2, 0x0f, 0x2a, 0xc0], 0, 8), converted);
    let converted = computed("cvttsd2si", vec![register(XMM0 + 1, 0, 8)], true);
    assert_eq!(to(RAX, &[0xf2, 0x0f, 0x2c, 0xc1], 0, 4), converted);
}

#[test]
fn bytes_are_followed_through_shuffles() {
    let one = XMM0 + 1;
    // movq %rax,%xmm0; movq %xmm0,%rax; movd %xmm1,%eax
    assert_eq!(to(XMM0, &[0x66, 0x48, 0x0f, 0x6e, 0xc0], 0, 8), Source::Copied(register(RAX, 0, 8)));
    assert_eq!(to(XMM0, &[0x66, 0x48, 0x0f, 0x6e, 0xc0], 0, 16), Source::ZeroExtended(8));
    assert_eq!(to(RAX, &[0x66, 0x48, 0x0f, 0x7e, 0xc0], 0, 8), Source::Copied(register(XMM0, 0, 8)));
    assert_eq!(to(RAX, &[0x66, 0x0f, 0x7e, 0xc8], 0, 4), Source::Copied(register(one, 0, 4)));
    // movsd %xmm1,%xmm0; movss (%rax),%xmm0; punpcklqdq %xmm1,%xmm0; movhps (%rax),%xmm0; movhps %xmm0,(%rax)
    assert_eq!(to(XMM0, &[0xf2, 0x0f, 0x10, 0xc1], 0, 8), Source::Copied(register(one, 0, 8)));
    assert_eq!(to(XMM0, &[0xf2, 0x0f, 0x10, 0xc1], 8, 8), Source::Copied(register(XMM0, 8, 8)));
    assert_eq!(to(XMM0, &[0xf3, 0x0f, 0x10, 0x00], 0, 8), Source::ZeroExtended(4));
    assert_eq!(to(XMM0, &[0x66, 0x0f, 0x6c, 0xc1], 8, 8), Source::Copied(register(one, 0, 8)));
    assert_eq!(to(XMM0, &[0x66, 0x0f, 0x6c, 0xc1], 0, 8), Source::Copied(register(XMM0, 0, 8)));
    assert!(matches!(to(XMM0, &[0x66, 0x0f, 0x6c, 0xc1], 4, 8), Source::Unknown(_)));
    assert_eq!(to(XMM0, &[0x0f, 0x16, 0x00], 12, 4), Source::Copied(memory(4, 4)));
    assert_eq!(to_memory(&[0x0f, 0x17, 0x00], 0, 8), Source::Copied(register(XMM0, 8, 8)));
    // pshufd $0x4e,%xmm1,%xmm0; unpcklps %xmm1,%xmm0; pinsrd $1,%eax,%xmm0; pextrd $2,%xmm1,%eax
    assert_eq!(to(XMM0, &[0x66, 0x0f, 0x70, 0xc1, 0x4e], 0, 8), Source::Copied(register(one, 8, 8)));
    assert_eq!(to(XMM0, &[0x0f, 0x14, 0xc1], 4, 4), Source::Copied(register(one, 0, 4)));
    assert_eq!(to(XMM0, &[0x66, 0x0f, 0x3a, 0x22, 0xc0, 1], 4, 4), Source::Copied(register(RAX, 0, 4)));
    assert_eq!(to(XMM0, &[0x66, 0x0f, 0x3a, 0x22, 0xc0, 1], 0, 4), Source::Copied(register(XMM0, 0, 4)));
    assert_eq!(to(RAX, &[0x66, 0x0f, 0x3a, 0x16, 0xc8, 2], 0, 4), Source::Copied(register(one, 8, 4)));
    // vunpcklpd %xmm2,%xmm1,%xmm0; vmovss %xmm2,%xmm1,%xmm0; vaddsd %xmm2,%xmm1,%xmm0
    assert_eq!(to(XMM0, &[0xc5, 0xf1, 0x14, 0xc2], 8, 8), Source::Copied(register(one + 1, 0, 8)));
    assert_eq!(to(XMM0, &[0xc5, 0xf2, 0x10, 0xc2], 4, 4), Source::Copied(register(one, 4, 4)));
    let added = to(XMM0, &[0xc5, 0xf3, 0x58, 0xc2], 0, 8);
    let inputs = vec![register(one, 0, 8), register(one + 1, 0, 8)];
    assert_eq!(added, Source::Computed { mnemonic: "vaddsd".to_owned(), inputs, of_floats: true });
}

#[test]
fn how_much_of_a_register_is_written() {
    let width = |code: &[u8]| width_written(Arch::X86_64, code, RAX);
    // mov -8(%rbp),%rax; mov -8(%rbp),%eax; mov %al,%dl; cltq; mul %rdx
    assert_eq!(width(&[0x48, 0x8b, 0x45, 0xf8]), Some(8));
    assert_eq!(width(&[0x8b, 0x45, 0xf8]), Some(4));
    assert_eq!(width(&[0x88, 0xc2]), None);
    assert_eq!(width(&[0x48, 0x98]), Some(8));
    assert_eq!(width(&[0x48, 0xf7, 0xe2]), Some(8));
}

#[test]
fn a_listing_says_what_is_written_and_where_it_goes_on() {
    // mov %edi,-20(%rbp); je +2; call 1010; mov (%rax),%eax; ret
    let code = [0x89, 0x7d, 0xec, 0x74, 2, 0xe8, 6, 0, 0, 0, 0x8b, 0x00, 0xc3];
    let list = listing(Arch::X86_64, &code, RunAddr(0x1000));
    let onward: Vec<Onward> = list.iter().map(|listed| listed.onward).collect();
    let expected =
        [Onward::Next, Onward::Branch(Some(0x1007)), Onward::Call(Some(0x1010)), Onward::Next, Onward::Return];
    assert_eq!(onward, expected);
    let writes: Vec<bool> = list.iter().map(|listed| listed.writes.contains(RAX)).collect();
    assert_eq!(writes, [false, false, true, true, false]);
    assert!(list[3].addressed_by.contains(RAX) && list[0].addressed_by.contains(6));
    assert!(!list[2].writes.contains(3) && list[2].writes.contains(XMM0));
}

proptest! {
    #[test]
    fn any_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..60), offset in 0usize..16, length in 1usize..16, n in 0u16..33) {
        to_memory(&bytes, offset, length);
        to(n, &bytes, offset, length);
        listing(Arch::X86_64, &bytes, RunAddr(0x1000));
    }
}
