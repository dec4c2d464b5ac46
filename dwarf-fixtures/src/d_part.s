	.file	"d_part.d"
	.text
.Ltext0:
	.file 0 "." "d_part.d"
	.weak	_D4part5Entry6__initZ
	.section	.rodata
	.align 32
	.type	_D4part5Entry6__initZ, @object
	.size	_D4part5Entry6__initZ, 32
_D4part5Entry6__initZ:
	.zero	32
.LC0:
	.ascii	"text"
	.zero	1
	.align 2
.LC1:
	.string	"w"
	.string	"i"
	.string	"d"
	.string	"e"
	.zero	10
.LC2:
	.ascii	"first"
	.zero	1
.LC3:
	.ascii	"second"
	.zero	1
	.text
	.globl	d_part
	.type	d_part, @function
d_part:
.LFB0:
	.file 1 "d_part.d"
	.loc 1 13 17
	.cfi_startproc
	pushq	%rbp
	.cfi_def_cfa_offset 16
	.cfi_offset 6, -16
	movq	%rsp, %rbp
	.cfi_def_cfa_register 6
	subq	$272, %rsp
	movl	%edi, -260(%rbp)
	.loc 1 15 12
	leaq	-256(%rbp), %rax
	pxor	%xmm0, %xmm0
	movaps	%xmm0, (%rax)
.LBB2:
	.loc 1 16 5
	movl	$0, -4(%rbp)
	movl	$4, -8(%rbp)
.L3:
.LBB3:
	.loc 1 16 5 is_stmt 0 discriminator 3
	movl	-4(%rbp), %eax
	cmpl	-8(%rbp), %eax
	jge	.L4
	.loc 1 16 5 discriminator 2
	movl	-4(%rbp), %eax
	movl	%eax, -12(%rbp)
	.loc 1 17 18 is_stmt 1 discriminator 2
	movl	-12(%rbp), %eax
	cltq
	leaq	0(,%rax,4), %rdx
	leaq	-256(%rbp), %rax
	addq	%rax, %rdx
	movl	-260(%rbp), %eax
	imull	-12(%rbp), %eax
	movl	%eax, (%rdx)
	.loc 1 16 5 discriminator 2
	addl	$1, -4(%rbp)
.LBE3:
	jmp	.L3
.L4:
	.loc 1 16 5 is_stmt 0
	nop
.LBE2:
	.loc 1 18 11 is_stmt 1
	movq	$4, -240(%rbp)
	leaq	-256(%rbp), %rax
	movq	%rax, -232(%rbp)
	.loc 1 19 11
	movq	$2, -224(%rbp)
	leaq	-256(%rbp), %rax
	addq	$4, %rax
	movq	%rax, -216(%rbp)
	.loc 1 20 11
	movq	$0, -208(%rbp)
	movq	$0, -200(%rbp)
	.loc 1 21 12
	movq	$4, -192(%rbp)
	leaq	.LC0(%rip), %rax
	movq	%rax, -184(%rbp)
	.loc 1 22 13
	movq	$4, -176(%rbp)
	leaq	.LC1(%rip), %rax
	movq	%rax, -168(%rbp)
	.loc 1 23 14
	pxor	%xmm0, %xmm0
	movaps	%xmm0, -80(%rbp)
	movaps	%xmm0, -64(%rbp)
	movaps	%xmm0, -48(%rbp)
	movaps	%xmm0, -32(%rbp)
	movq	-80(%rbp), %rax
	movq	-72(%rbp), %rdx
	movq	%rax, -160(%rbp)
	movq	%rdx, -152(%rbp)
	movq	-64(%rbp), %rax
	movq	-56(%rbp), %rdx
	movq	%rax, -144(%rbp)
	movq	%rdx, -136(%rbp)
	movq	-48(%rbp), %rax
	movq	-40(%rbp), %rdx
	movq	%rax, -128(%rbp)
	movq	%rdx, -120(%rbp)
	movq	-32(%rbp), %rax
	movq	-24(%rbp), %rdx
	movq	%rax, -112(%rbp)
	movq	%rdx, -104(%rbp)
	.loc 1 24 16
	movq	$5, -160(%rbp)
	leaq	.LC2(%rip), %rax
	movq	%rax, -152(%rbp)
	movq	-240(%rbp), %rax
	movq	-232(%rbp), %rdx
	movq	%rax, -144(%rbp)
	movq	%rdx, -136(%rbp)
	.loc 1 25 16
	movq	$6, -128(%rbp)
	leaq	.LC3(%rip), %rax
	movq	%rax, -120(%rbp)
	movq	-224(%rbp), %rax
	movq	-216(%rbp), %rdx
	movq	%rax, -112(%rbp)
	movq	%rdx, -104(%rbp)
	.loc 1 26 13
	movq	$2, -96(%rbp)
	leaq	-160(%rbp), %rax
	movq	%rax, -88(%rbp)
	.loc 1 27 11
	call	d_stop@PLT
	.loc 1 28 1
	nop
	leave
	.cfi_def_cfa 7, 8
	ret
	.cfi_endproc
.LFE0:
	.size	d_part, .-d_part
	.weak	_D6object__T10RTInfoImplVAmA2i32i10ZQyyG2m
	.data
	.align 16
	.type	_D6object__T10RTInfoImplVAmA2i32i10ZQyyG2m, @object
	.size	_D6object__T10RTInfoImplVAmA2i32i10ZQyyG2m, 16
_D6object__T10RTInfoImplVAmA2i32i10ZQyyG2m:
	.quad	32
	.quad	10
	.text
.Letext0:
	.file 2 "/usr/lib/gcc/x86_64-linux-gnu/12/include/d/object.d"
	.file 3 "<built-in>"
	.file 4 "<no_file>"
	.section	.debug_info,"",@progbits
.Ldebug_info0:
	.long	0x2c0
	.value	0x5
	.byte	0x1
	.byte	0x8
	.long	.Ldebug_abbrev0
	.uleb128 0xc
	.long	.LASF23
	.byte	0x13
	.long	.LASF0
	.long	.LASF1
	.quad	.Ltext0
	.quad	.Letext0-.Ltext0
	.long	.Ldebug_line0
	.uleb128 0xd
	.long	.LASF24
	.byte	0x1
	.byte	0x3
	.byte	0x1
	.long	0x6f
	.uleb128 0xe
	.byte	0x4
	.byte	0x1
	.long	0x6f
	.uleb128 0xf
	.long	.LASF25
	.byte	0x20
	.byte	0x1
	.byte	0x5
	.byte	0x1
	.long	0x69
	.uleb128 0x10
	.string	"key"
	.byte	0x1
	.byte	0x5
	.byte	0x1
	.long	0xc0
	.byte	0
	.uleb128 0x11
	.long	.LASF2
	.byte	0x1
	.byte	0x5
	.byte	0x1
	.long	0xf4
	.byte	0x10
	.byte	0
	.uleb128 0x2
	.long	0x41
	.byte	0
	.uleb128 0x12
	.long	.LASF26
	.long	0xc0
	.uleb128 0x13
	.long	.LASF3
	.byte	0x2
	.value	0xe71
	.byte	0xa
	.long	0x143
	.byte	0x10
	.byte	0x20
	.byte	0
	.byte	0
	.byte	0
	.byte	0
	.byte	0
	.byte	0
	.byte	0
	.byte	0xa
	.byte	0
	.byte	0
	.byte	0
	.byte	0
	.byte	0
	.byte	0
	.byte	0
	.uleb128 0x14
	.long	.LASF4
	.byte	0x2
	.value	0xe6c
	.byte	0x14
	.long	0x158
	.byte	0
	.uleb128 0x15
	.long	.LASF27
	.byte	0x2
	.value	0xe67
	.byte	0x2c
	.long	.LASF28
	.long	0x15d
	.uleb128 0x9
	.byte	0x3
	.quad	_D6object__T10RTInfoImplVAmA2i32i10ZQyyG2m
	.byte	0
	.uleb128 0x4
	.long	.LASF8
	.long	0xdc
	.uleb128 0x5
	.long	.LASF5
	.long	0xdc
	.uleb128 0x6
	.string	"ptr"
	.long	0xe3
	.byte	0
	.uleb128 0x9
	.byte	0x8
	.byte	0x7
	.long	.LASF6
	.uleb128 0x7
	.long	0xef
	.uleb128 0x9
	.byte	0x1
	.byte	0x8
	.long	.LASF7
	.uleb128 0x2
	.long	0xe8
	.uleb128 0x4
	.long	.LASF9
	.long	0x110
	.uleb128 0x5
	.long	.LASF5
	.long	0xdc
	.uleb128 0x6
	.string	"ptr"
	.long	0x110
	.byte	0
	.uleb128 0x7
	.long	0x115
	.uleb128 0x16
	.byte	0x4
	.byte	0x5
	.string	"int"
	.uleb128 0x17
	.long	.LASF10
	.long	.LASF29
	.long	0x69
	.uleb128 0x9
	.byte	0x3
	.quad	_D4part5Entry6__initZ
	.uleb128 0x8
	.long	0xdc
	.long	0x143
	.uleb128 0x3
	.long	0xdc
	.byte	0x1
	.byte	0
	.uleb128 0x2
	.long	0x133
	.uleb128 0x8
	.long	0xdc
	.long	0x158
	.uleb128 0x3
	.long	0xdc
	.byte	0
	.byte	0
	.uleb128 0x2
	.long	0x148
	.uleb128 0x8
	.long	0xdc
	.long	0x16d
	.uleb128 0x3
	.long	0xdc
	.byte	0x1
	.byte	0
	.uleb128 0x18
	.long	.LASF30
	.byte	0x1
	.byte	0xd
	.byte	0x11
	.quad	.LFB0
	.quad	.LFE0-.LFB0
	.uleb128 0x1
	.byte	0x9c
	.long	0x259
	.uleb128 0x19
	.string	"n"
	.byte	0x1
	.byte	0xd
	.byte	0x11
	.long	0x115
	.uleb128 0x3
	.byte	0x91
	.sleb128 -276
	.uleb128 0x1
	.long	.LASF11
	.byte	0x1a
	.byte	0xd
	.long	0x259
	.uleb128 0x3
	.byte	0x91
	.sleb128 -112
	.uleb128 0x1
	.long	.LASF12
	.byte	0x17
	.byte	0xe
	.long	0x27a
	.uleb128 0x3
	.byte	0x91
	.sleb128 -176
	.uleb128 0x1
	.long	.LASF13
	.byte	0x16
	.byte	0xd
	.long	0x28a
	.uleb128 0x3
	.byte	0x91
	.sleb128 -192
	.uleb128 0x1
	.long	.LASF14
	.byte	0x15
	.byte	0xc
	.long	0xc0
	.uleb128 0x3
	.byte	0x91
	.sleb128 -208
	.uleb128 0x1
	.long	.LASF15
	.byte	0x14
	.byte	0xb
	.long	0xf4
	.uleb128 0x3
	.byte	0x91
	.sleb128 -224
	.uleb128 0x1
	.long	.LASF16
	.byte	0x13
	.byte	0xb
	.long	0xf4
	.uleb128 0x3
	.byte	0x91
	.sleb128 -240
	.uleb128 0x1a
	.string	"all"
	.byte	0x1
	.byte	0x12
	.byte	0xb
	.long	0xf4
	.uleb128 0x3
	.byte	0x91
	.sleb128 -256
	.uleb128 0x1
	.long	.LASF17
	.byte	0xf
	.byte	0xc
	.long	0x2b7
	.uleb128 0x3
	.byte	0x91
	.sleb128 -272
	.uleb128 0xa
	.quad	.LBB2
	.quad	.LBE2-.LBB2
	.uleb128 0xb
	.long	.LASF18
	.long	0x115
	.uleb128 0x2
	.byte	0x91
	.sleb128 -24
	.uleb128 0xb
	.long	.LASF19
	.long	0x115
	.uleb128 0x2
	.byte	0x91
	.sleb128 -20
	.uleb128 0xa
	.quad	.LBB3
	.quad	.LBE3-.LBB3
	.uleb128 0x1b
	.string	"i"
	.long	0x115
	.uleb128 0x2
	.byte	0x91
	.sleb128 -28
	.byte	0
	.byte	0
	.byte	0
	.uleb128 0x4
	.long	.LASF20
	.long	0x275
	.uleb128 0x5
	.long	.LASF5
	.long	0xdc
	.uleb128 0x6
	.string	"ptr"
	.long	0x275
	.byte	0
	.uleb128 0x7
	.long	0x41
	.uleb128 0x8
	.long	0x41
	.long	0x28a
	.uleb128 0x3
	.long	0xdc
	.byte	0x1
	.byte	0
	.uleb128 0x4
	.long	.LASF21
	.long	0x2a6
	.uleb128 0x5
	.long	.LASF5
	.long	0xdc
	.uleb128 0x6
	.string	"ptr"
	.long	0x2a6
	.byte	0
	.uleb128 0x7
	.long	0x2b2
	.uleb128 0x9
	.byte	0x2
	.byte	0x8
	.long	.LASF22
	.uleb128 0x2
	.long	0x2ab
	.uleb128 0x1c
	.long	0x115
	.uleb128 0x3
	.long	0xdc
	.byte	0x3
	.byte	0
	.byte	0
	.section	.debug_abbrev,"",@progbits
.Ldebug_abbrev0:
	.uleb128 0x1
	.uleb128 0x34
	.byte	0
	.uleb128 0x3
	.uleb128 0xe
	.uleb128 0x3a
	.uleb128 0x21
	.sleb128 1
	.uleb128 0x3b
	.uleb128 0xb
	.uleb128 0x39
	.uleb128 0xb
	.uleb128 0x49
	.uleb128 0x13
	.uleb128 0x2
	.uleb128 0x18
	.byte	0
	.byte	0
	.uleb128 0x2
	.uleb128 0x26
	.byte	0
	.uleb128 0x49
	.uleb128 0x13
	.byte	0
	.byte	0
	.uleb128 0x3
	.uleb128 0x21
	.byte	0
	.uleb128 0x49
	.uleb128 0x13
	.uleb128 0x2f
	.uleb128 0xb
	.byte	0
	.byte	0
	.uleb128 0x4
	.uleb128 0x13
	.byte	0x1
	.uleb128 0x3
	.uleb128 0xe
	.uleb128 0xb
	.uleb128 0x21
	.sleb128 16
	.uleb128 0x3a
	.uleb128 0x21
	.sleb128 3
	.uleb128 0x3b
	.uleb128 0x21
	.sleb128 0
	.uleb128 0x1
	.uleb128 0x13
	.byte	0
	.byte	0
	.uleb128 0x5
	.uleb128 0xd
	.byte	0
	.uleb128 0x3
	.uleb128 0xe
	.uleb128 0x3a
	.uleb128 0x21
	.sleb128 3
	.uleb128 0x3b
	.uleb128 0x21
	.sleb128 0
	.uleb128 0x49
	.uleb128 0x13
	.uleb128 0x38
	.uleb128 0x21
	.sleb128 0
	.byte	0
	.byte	0
	.uleb128 0x6
	.uleb128 0xd
	.byte	0
	.uleb128 0x3
	.uleb128 0x8
	.uleb128 0x3a
	.uleb128 0x21
	.sleb128 3
	.uleb128 0x3b
	.uleb128 0x21
	.sleb128 0
	.uleb128 0x49
	.uleb128 0x13
	.uleb128 0x38
	.uleb128 0x21
	.sleb128 8
	.byte	0
	.byte	0
	.uleb128 0x7
	.uleb128 0xf
	.byte	0
	.uleb128 0xb
	.uleb128 0x21
	.sleb128 8
	.uleb128 0x49
	.uleb128 0x13
	.byte	0
	.byte	0
	.uleb128 0x8
	.uleb128 0x1
	.byte	0x1
	.uleb128 0x49
	.uleb128 0x13
	.uleb128 0x1
	.uleb128 0x13
	.byte	0
	.byte	0
	.uleb128 0x9
	.uleb128 0x24
	.byte	0
	.uleb128 0xb
	.uleb128 0xb
	.uleb128 0x3e
	.uleb128 0xb
	.uleb128 0x3
	.uleb128 0xe
	.byte	0
	.byte	0
	.uleb128 0xa
	.uleb128 0xb
	.byte	0x1
	.uleb128 0x11
	.uleb128 0x1
	.uleb128 0x12
	.uleb128 0x7
	.byte	0
	.byte	0
	.uleb128 0xb
	.uleb128 0x34
	.byte	0
	.uleb128 0x3
	.uleb128 0xe
	.uleb128 0x49
	.uleb128 0x13
	.uleb128 0x34
	.uleb128 0x19
	.uleb128 0x2
	.uleb128 0x18
	.byte	0
	.byte	0
	.uleb128 0xc
	.uleb128 0x11
	.byte	0x1
	.uleb128 0x25
	.uleb128 0xe
	.uleb128 0x13
	.uleb128 0xb
	.uleb128 0x3
	.uleb128 0x1f
	.uleb128 0x1b
	.uleb128 0x1f
	.uleb128 0x11
	.uleb128 0x1
	.uleb128 0x12
	.uleb128 0x7
	.uleb128 0x10
	.uleb128 0x17
	.byte	0
	.byte	0
	.uleb128 0xd
	.uleb128 0x1e
	.byte	0x1
	.uleb128 0x3
	.uleb128 0xe
	.uleb128 0x3a
	.uleb128 0xb
	.uleb128 0x3b
	.uleb128 0xb
	.uleb128 0x39
	.uleb128 0xb
	.uleb128 0x1
	.uleb128 0x13
	.byte	0
	.byte	0
	.uleb128 0xe
	.uleb128 0x3a
	.byte	0
	.uleb128 0x3a
	.uleb128 0xb
	.uleb128 0x3b
	.uleb128 0xb
	.uleb128 0x18
	.uleb128 0x13
	.byte	0
	.byte	0
	.uleb128 0xf
	.uleb128 0x13
	.byte	0x1
	.uleb128 0x3
	.uleb128 0xe
	.uleb128 0xb
	.uleb128 0xb
	.uleb128 0x3a
	.uleb128 0xb
	.uleb128 0x3b
	.uleb128 0xb
	.uleb128 0x39
	.uleb128 0xb
	.uleb128 0x1
	.uleb128 0x13
	.byte	0
	.byte	0
	.uleb128 0x10
	.uleb128 0xd
	.byte	0
	.uleb128 0x3
	.uleb128 0x8
	.uleb128 0x3a
	.uleb128 0xb
	.uleb128 0x3b
	.uleb128 0xb
	.uleb128 0x39
	.uleb128 0xb
	.uleb128 0x49
	.uleb128 0x13
	.uleb128 0x38
	.uleb128 0xb
	.byte	0
	.byte	0
	.uleb128 0x11
	.uleb128 0xd
	.byte	0
	.uleb128 0x3
	.uleb128 0xe
	.uleb128 0x3a
	.uleb128 0xb
	.uleb128 0x3b
	.uleb128 0xb
	.uleb128 0x39
	.uleb128 0xb
	.uleb128 0x49
	.uleb128 0x13
	.uleb128 0x38
	.uleb128 0xb
	.byte	0
	.byte	0
	.uleb128 0x12
	.uleb128 0x1e
	.byte	0x1
	.uleb128 0x3
	.uleb128 0xe
	.uleb128 0x3c
	.uleb128 0x19
	.uleb128 0x1
	.uleb128 0x13
	.byte	0
	.byte	0
	.uleb128 0x13
	.uleb128 0x27
	.byte	0
	.uleb128 0x3
	.uleb128 0xe
	.uleb128 0x3a
	.uleb128 0xb
	.uleb128 0x3b
	.uleb128 0x5
	.uleb128 0x39
	.uleb128 0xb
	.uleb128 0x49
	.uleb128 0x13
	.uleb128 0x1c
	.uleb128 0xa
	.byte	0
	.byte	0
	.uleb128 0x14
	.uleb128 0x27
	.byte	0
	.uleb128 0x3
	.uleb128 0xe
	.uleb128 0x3a
	.uleb128 0xb
	.uleb128 0x3b
	.uleb128 0x5
	.uleb128 0x39
	.uleb128 0xb
	.uleb128 0x49
	.uleb128 0x13
	.uleb128 0x1c
	.uleb128 0xb
	.byte	0
	.byte	0
	.uleb128 0x15
	.uleb128 0x34
	.byte	0
	.uleb128 0x3
	.uleb128 0xe
	.uleb128 0x3a
	.uleb128 0xb
	.uleb128 0x3b
	.uleb128 0x5
	.uleb128 0x39
	.uleb128 0xb
	.uleb128 0x6e
	.uleb128 0xe
	.uleb128 0x49
	.uleb128 0x13
	.uleb128 0x3f
	.uleb128 0x19
	.uleb128 0x2
	.uleb128 0x18
	.byte	0
	.byte	0
	.uleb128 0x16
	.uleb128 0x24
	.byte	0
	.uleb128 0xb
	.uleb128 0xb
	.uleb128 0x3e
	.uleb128 0xb
	.uleb128 0x3
	.uleb128 0x8
	.byte	0
	.byte	0
	.uleb128 0x17
	.uleb128 0x34
	.byte	0
	.uleb128 0x3
	.uleb128 0xe
	.uleb128 0x6e
	.uleb128 0xe
	.uleb128 0x49
	.uleb128 0x13
	.uleb128 0x3f
	.uleb128 0x19
	.uleb128 0x34
	.uleb128 0x19
	.uleb128 0x2
	.uleb128 0x18
	.byte	0
	.byte	0
	.uleb128 0x18
	.uleb128 0x2e
	.byte	0x1
	.uleb128 0x3f
	.uleb128 0x19
	.uleb128 0x3
	.uleb128 0xe
	.uleb128 0x3a
	.uleb128 0xb
	.uleb128 0x3b
	.uleb128 0xb
	.uleb128 0x39
	.uleb128 0xb
	.uleb128 0x11
	.uleb128 0x1
	.uleb128 0x12
	.uleb128 0x7
	.uleb128 0x40
	.uleb128 0x18
	.uleb128 0x7c
	.uleb128 0x19
	.uleb128 0x1
	.uleb128 0x13
	.byte	0
	.byte	0
	.uleb128 0x19
	.uleb128 0x5
	.byte	0
	.uleb128 0x3
	.uleb128 0x8
	.uleb128 0x3a
	.uleb128 0xb
	.uleb128 0x3b
	.uleb128 0xb
	.uleb128 0x39
	.uleb128 0xb
	.uleb128 0x49
	.uleb128 0x13
	.uleb128 0x2
	.uleb128 0x18
	.byte	0
	.byte	0
	.uleb128 0x1a
	.uleb128 0x34
	.byte	0
	.uleb128 0x3
	.uleb128 0x8
	.uleb128 0x3a
	.uleb128 0xb
	.uleb128 0x3b
	.uleb128 0xb
	.uleb128 0x39
	.uleb128 0xb
	.uleb128 0x49
	.uleb128 0x13
	.uleb128 0x2
	.uleb128 0x18
	.byte	0
	.byte	0
	.uleb128 0x1b
	.uleb128 0x34
	.byte	0
	.uleb128 0x3
	.uleb128 0x8
	.uleb128 0x49
	.uleb128 0x13
	.uleb128 0x34
	.uleb128 0x19
	.uleb128 0x2
	.uleb128 0x18
	.byte	0
	.byte	0
	.uleb128 0x1c
	.uleb128 0x1
	.byte	0x1
	.uleb128 0x49
	.uleb128 0x13
	.byte	0
	.byte	0
	.byte	0
	.section	.debug_aranges,"",@progbits
	.long	0x2c
	.value	0x2
	.long	.Ldebug_info0
	.byte	0x8
	.byte	0
	.value	0
	.value	0
	.quad	.Ltext0
	.quad	.Letext0-.Ltext0
	.quad	0
	.quad	0
	.section	.debug_line,"",@progbits
.Ldebug_line0:
	.section	.debug_str,"MS",@progbits,1
.LASF30:
	.string	"d_part"
.LASF22:
	.string	"wchar"
.LASF4:
	.string	"NoPointersBitmapPayload"
.LASF23:
	.string	"GNU D 12.2.0 -mtune=generic -march=x86-64 -g -O0 -fno-ident -fno-druntime -fno-bounds-check -fPIC"
.LASF18:
	.string	"__limit3"
.LASF24:
	.string	"part"
.LASF3:
	.string	"pointerBitmap"
.LASF5:
	.string	"length"
.LASF26:
	.string	"object"
.LASF2:
	.string	"counts"
.LASF14:
	.string	"text"
.LASF21:
	.string	"wstring"
.LASF10:
	.string	"part.Entry.__init"
.LASF19:
	.string	"__key2"
.LASF11:
	.string	"seen"
.LASF13:
	.string	"wide"
.LASF25:
	.string	"Entry"
.LASF8:
	.string	"string"
.LASF16:
	.string	"middle"
.LASF9:
	.string	"int[]"
.LASF6:
	.string	"ulong"
.LASF15:
	.string	"none"
.LASF20:
	.string	"Entry[]"
.LASF12:
	.string	"entries"
.LASF17:
	.string	"store"
.LASF28:
	.string	"_D6object__T10RTInfoImplVAmA2i32i10ZQyyG2m"
.LASF29:
	.string	"_D4part5Entry6__initZ"
.LASF27:
	.string	"RTInfoImpl"
.LASF7:
	.string	"char"
	.section	.debug_line_str,"MS",@progbits,1
.LASF1:
	.string	"."
.LASF0:
	.string	"d_part.d"
	.section	.note.GNU-stack,"",@progbits
