	.file	"ada_part.adb"
	.text
.Ltext0:
	.file 0 "." "ada_part.adb"
	.align 2
	.globl	_ada_ada_part
	.type	_ada_ada_part, @function
_ada_ada_part:
.LFB1:
	.file 1 "ada_part.adb"
	.loc 1 3 1
	.cfi_startproc
	pushq	%rbp
	.cfi_def_cfa_offset 16
	.cfi_offset 6, -16
	movq	%rsp, %rbp
	.cfi_def_cfa_register 6
	pushq	%rbx
	subq	$104, %rsp
	.cfi_offset 3, -24
	.loc 1 3 1
	leaq	16(%rbp), %rax
	movq	%rax, -104(%rbp)
	.loc 1 28 4
	movl	$11, -48(%rbp)
	movl	$22, -44(%rbp)
	movl	$33, -40(%rbp)
	.loc 1 29 4
	movl	$4, -64(%rbp)
	movl	$5, -60(%rbp)
	movl	$6, -56(%rbp)
	.loc 1 33 4
	movb	$1, -80(%rbp)
	movl	$1, -76(%rbp)
	movl	$25, -72(%rbp)
	.loc 1 34 4
	movb	$0, -96(%rbp)
	movl	$2, -92(%rbp)
	movl	$3, -88(%rbp)
	movl	$4, -84(%rbp)
	.loc 1 35 4
	movb	$2, -17(%rbp)
	.loc 1 36 4
	movb	$2, -18(%rbp)
	.loc 1 38 4
	call	ada_stop@PLT
	.loc 1 39 31
	movl	-44(%rbp), %eax
	leal	2(%rax), %ebx
	.loc 1 39 48
	leaq	-104(%rbp), %rax
	movq	%rax, %r10
	movl	$1, %edi
	call	ada_part__doubled.0
	.loc 1 39 46
	addl	%ebx, %eax
	.loc 1 39 16
	movl	%eax, -44(%rbp)
	.loc 1 40 4
	movzbl	-80(%rbp), %eax
	testb	%al, %al
	je	.L4
	.loc 1 41 20
	movl	-92(%rbp), %eax
	movl	%eax, -64(%rbp)
.L4:
	.loc 1 43 5
	nop
	movq	-8(%rbp), %rbx
	leave
	.cfi_def_cfa 7, 8
	ret
	.cfi_endproc
.LFE1:
	.size	_ada_ada_part, .-_ada_ada_part
	.align 2
	.type	ada_part__doubled.0, @function
ada_part__doubled.0:
.LFB6:
	.loc 1 26 4
	.cfi_startproc
	pushq	%rbp
	.cfi_def_cfa_offset 16
	.cfi_offset 6, -16
	movq	%rsp, %rbp
	.cfi_def_cfa_register 6
	movl	%edi, -4(%rbp)
	movq	%r10, -16(%rbp)
	.loc 1 26 56
	movl	-4(%rbp), %eax
	addl	%eax, %eax
	.loc 1 26 4
	popq	%rbp
	.cfi_def_cfa 7, 8
	ret
	.cfi_endproc
.LFE6:
	.size	ada_part__doubled.0, .-ada_part__doubled.0
	.section	.rodata
	.align 16
	.type	grid.3, @object
	.size	grid.3, 24
grid.3:
	.long	1
	.long	2
	.long	3
	.long	4
	.long	5
	.long	6
	.align 2
	.type	packed.2, @object
	.size	packed.2, 2
packed.2:
	.value	20257
	.type	flags.1, @object
	.size	flags.1, 1
flags.1:
	.byte	41
	.text
.Letext0:
	.section	.debug_info,"",@progbits
.Ldebug_info0:
	.long	0x287
	.value	0x5
	.byte	0x1
	.byte	0x8
	.long	.Ldebug_abbrev0
	.uleb128 0xd
	.long	.LASF25
	.byte	0xd
	.long	.LASF0
	.long	.LASF1
	.quad	.Ltext0
	.quad	.Letext0-.Ltext0
	.long	.Ldebug_line0
	.uleb128 0x2
	.byte	0x1
	.byte	0x7
	.long	.LASF2
	.uleb128 0x2
	.byte	0x4
	.byte	0x5
	.long	.LASF3
	.uleb128 0xe
	.uleb128 0xb
	.byte	0x12
	.byte	0x28
	.value	0x4
	.byte	0x38
	.byte	0x2f
	.value	0x1
	.byte	0x34
	.byte	0x16
	.byte	0x13
	.uleb128 0xf
	.long	.LASF26
	.byte	0x1
	.byte	0x3
	.byte	0x1
	.long	.LASF27
	.quad	.LFB1
	.quad	.LFE1-.LFB1
	.uleb128 0x1
	.byte	0x9c
	.long	0x22a
	.uleb128 0x10
	.long	.LASF28
	.byte	0x1
	.byte	0x17
	.byte	0xe
	.long	.LASF29
	.uleb128 0x11
	.long	.LASF30
	.byte	0x1
	.byte	0x1a
	.byte	0x4
	.long	0x22a
	.quad	.LFB6
	.quad	.LFE6-.LFB6
	.uleb128 0x1
	.byte	0x9c
	.uleb128 0x4
	.byte	0x91
	.sleb128 -32
	.byte	0x6
	.byte	0x6
	.long	0xac
	.uleb128 0x12
	.string	"x"
	.byte	0x1
	.byte	0x1a
	.byte	0x16
	.long	0x230
	.uleb128 0x2
	.byte	0x91
	.sleb128 -20
	.byte	0
	.uleb128 0x13
	.sleb128 3
	.long	.LASF31
	.long	0x235
	.uleb128 0x3
	.long	.LASF6
	.byte	0x6
	.long	0x23b
	.uleb128 0x1
	.long	.LASF8
	.byte	0x1c
	.long	0xb6
	.uleb128 0x2
	.byte	0x91
	.sleb128 -64
	.uleb128 0x14
	.long	.LASF32
	.byte	0x7
	.byte	0x1
	.byte	0x1
	.byte	0x5
	.byte	0x9
	.long	0xee
	.uleb128 0x15
	.string	"red"
	.byte	0
	.uleb128 0x8
	.long	.LASF4
	.byte	0x1
	.uleb128 0x8
	.long	.LASF5
	.byte	0x2
	.byte	0
	.uleb128 0x3
	.long	.LASF7
	.byte	0x7
	.long	0x24f
	.uleb128 0x1
	.long	.LASF9
	.byte	0x1d
	.long	0xee
	.uleb128 0x3
	.byte	0x91
	.sleb128 -80
	.uleb128 0x9
	.long	.LASF11
	.byte	0x1
	.long	0x264
	.long	0x11c
	.uleb128 0x4
	.long	0x35
	.sleb128 0
	.sleb128 7
	.byte	0
	.uleb128 0x5
	.long	0x106
	.uleb128 0x1
	.long	.LASF10
	.byte	0x1e
	.long	0x11c
	.uleb128 0x9
	.byte	0x3
	.quad	flags.1
	.uleb128 0x16
	.sleb128 0
	.sleb128 15
	.long	.LASF33
	.long	0x26b
	.uleb128 0x9
	.long	.LASF12
	.byte	0x4
	.long	0x135
	.long	0x155
	.uleb128 0xa
	.long	0x35
	.sleb128 4
	.byte	0
	.uleb128 0x5
	.long	0x140
	.uleb128 0x1
	.long	.LASF13
	.byte	0x1f
	.long	0x155
	.uleb128 0x9
	.byte	0x3
	.quad	packed.2
	.uleb128 0x3
	.long	.LASF14
	.byte	0xd
	.long	0x271
	.uleb128 0x17
	.long	0x16e
	.uleb128 0x1
	.long	.LASF15
	.byte	0x20
	.long	0x178
	.uleb128 0x9
	.byte	0x3
	.quad	grid.3
	.uleb128 0x18
	.long	.LASF34
	.uleb128 0xd
	.byte	0x97
	.byte	0x94
	.byte	0x1
	.byte	0x99
	.long	0x3c
	.byte	0x23
	.uleb128 0xb
	.byte	0x9
	.byte	0xfc
	.byte	0x1a
	.byte	0x1
	.byte	0xf
	.byte	0x9
	.long	0x1f1
	.uleb128 0x6
	.long	.LASF16
	.byte	0xf
	.byte	0x10
	.long	0x264
	.byte	0
	.uleb128 0x6
	.long	.LASF17
	.byte	0x10
	.byte	0x7
	.long	0x22a
	.byte	0x4
	.uleb128 0x19
	.long	0x1ab
	.uleb128 0x1a
	.uleb128 0x1
	.long	0x1db
	.uleb128 0x6
	.long	.LASF18
	.byte	0x12
	.byte	0x18
	.long	0x22a
	.byte	0x8
	.byte	0
	.uleb128 0x1b
	.uleb128 0xb
	.string	"w"
	.byte	0x18
	.long	0x22a
	.byte	0x8
	.uleb128 0xb
	.string	"h"
	.byte	0x1b
	.long	0x22a
	.byte	0xc
	.byte	0
	.byte	0
	.byte	0
	.uleb128 0x1
	.long	.LASF19
	.byte	0x21
	.long	0x191
	.uleb128 0x3
	.byte	0x91
	.sleb128 -96
	.uleb128 0x1c
	.string	"box"
	.byte	0x1
	.byte	0x22
	.byte	0x4
	.long	0x191
	.uleb128 0x3
	.byte	0x91
	.sleb128 -112
	.uleb128 0x1
	.long	.LASF20
	.byte	0x23
	.long	0xac
	.uleb128 0x2
	.byte	0x91
	.sleb128 -33
	.uleb128 0x1
	.long	.LASF21
	.byte	0x24
	.long	0xcd
	.uleb128 0x2
	.byte	0x91
	.sleb128 -34
	.byte	0
	.uleb128 0x7
	.byte	0x4
	.long	.LASF3
	.uleb128 0x5
	.long	0x22a
	.uleb128 0x7
	.byte	0x1
	.long	.LASF22
	.uleb128 0xc
	.long	.LASF6
	.long	0x22a
	.long	0x24f
	.uleb128 0xa
	.long	0x235
	.sleb128 3
	.byte	0
	.uleb128 0xc
	.long	.LASF7
	.long	0x22a
	.long	0x264
	.uleb128 0x1d
	.long	0xcd
	.byte	0
	.byte	0x2
	.byte	0
	.uleb128 0x2
	.byte	0x1
	.byte	0x2
	.long	.LASF23
	.uleb128 0x7
	.byte	0x1
	.long	.LASF24
	.uleb128 0x1e
	.long	.LASF14
	.byte	0
	.long	0x22a
	.uleb128 0x4
	.long	0x35
	.sleb128 -1
	.sleb128 0
	.uleb128 0x4
	.long	0x35
	.sleb128 2
	.sleb128 4
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
	.uleb128 0x21
	.sleb128 4
	.uleb128 0x49
	.uleb128 0x13
	.uleb128 0x2
	.uleb128 0x18
	.byte	0
	.byte	0
	.uleb128 0x2
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
	.uleb128 0x3
	.uleb128 0x16
	.byte	0
	.uleb128 0x3
	.uleb128 0xe
	.uleb128 0x3a
	.uleb128 0x21
	.sleb128 1
	.uleb128 0x3b
	.uleb128 0xb
	.uleb128 0x39
	.uleb128 0x21
	.sleb128 9
	.uleb128 0x49
	.uleb128 0x13
	.byte	0
	.byte	0
	.uleb128 0x4
	.uleb128 0x21
	.byte	0
	.uleb128 0x49
	.uleb128 0x13
	.uleb128 0x22
	.uleb128 0xd
	.uleb128 0x2f
	.uleb128 0xd
	.byte	0
	.byte	0
	.uleb128 0x5
	.uleb128 0x26
	.byte	0
	.uleb128 0x49
	.uleb128 0x13
	.uleb128 0x34
	.uleb128 0x19
	.byte	0
	.byte	0
	.uleb128 0x6
	.uleb128 0xd
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
	.uleb128 0x38
	.uleb128 0xb
	.byte	0
	.byte	0
	.uleb128 0x7
	.uleb128 0x24
	.byte	0
	.uleb128 0xb
	.uleb128 0xb
	.uleb128 0x3e
	.uleb128 0x21
	.sleb128 5
	.uleb128 0x3
	.uleb128 0xe
	.uleb128 0x34
	.uleb128 0x19
	.byte	0
	.byte	0
	.uleb128 0x8
	.uleb128 0x28
	.byte	0
	.uleb128 0x3
	.uleb128 0xe
	.uleb128 0x1c
	.uleb128 0xb
	.byte	0
	.byte	0
	.uleb128 0x9
	.uleb128 0x1
	.byte	0x1
	.uleb128 0x3
	.uleb128 0xe
	.uleb128 0x2e
	.uleb128 0xb
	.uleb128 0x49
	.uleb128 0x13
	.uleb128 0x1
	.uleb128 0x13
	.byte	0
	.byte	0
	.uleb128 0xa
	.uleb128 0x21
	.byte	0
	.uleb128 0x49
	.uleb128 0x13
	.uleb128 0x2f
	.uleb128 0xd
	.byte	0
	.byte	0
	.uleb128 0xb
	.uleb128 0xd
	.byte	0
	.uleb128 0x3
	.uleb128 0x8
	.uleb128 0x3a
	.uleb128 0x21
	.sleb128 1
	.uleb128 0x3b
	.uleb128 0x21
	.sleb128 19
	.uleb128 0x39
	.uleb128 0xb
	.uleb128 0x49
	.uleb128 0x13
	.uleb128 0x38
	.uleb128 0xb
	.byte	0
	.byte	0
	.uleb128 0xc
	.uleb128 0x1
	.byte	0x1
	.uleb128 0x3
	.uleb128 0xe
	.uleb128 0x49
	.uleb128 0x13
	.uleb128 0x1
	.uleb128 0x13
	.byte	0
	.byte	0
	.uleb128 0xd
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
	.uleb128 0xe
	.uleb128 0x36
	.byte	0
	.uleb128 0x2
	.uleb128 0x18
	.byte	0
	.byte	0
	.uleb128 0xf
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
	.uleb128 0x6e
	.uleb128 0xe
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
	.uleb128 0x10
	.uleb128 0x2e
	.byte	0
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
	.uleb128 0x6e
	.uleb128 0xe
	.uleb128 0x3c
	.uleb128 0x19
	.byte	0
	.byte	0
	.uleb128 0x11
	.uleb128 0x2e
	.byte	0x1
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
	.uleb128 0x11
	.uleb128 0x1
	.uleb128 0x12
	.uleb128 0x7
	.uleb128 0x40
	.uleb128 0x18
	.uleb128 0x48
	.uleb128 0x18
	.uleb128 0x7a
	.uleb128 0x19
	.uleb128 0x1
	.uleb128 0x13
	.byte	0
	.byte	0
	.uleb128 0x12
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
	.uleb128 0x13
	.uleb128 0x21
	.byte	0
	.uleb128 0x2f
	.uleb128 0xd
	.uleb128 0x3
	.uleb128 0xe
	.uleb128 0x49
	.uleb128 0x13
	.byte	0
	.byte	0
	.uleb128 0x14
	.uleb128 0x4
	.byte	0x1
	.uleb128 0x3
	.uleb128 0xe
	.uleb128 0x3e
	.uleb128 0xb
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
	.uleb128 0x15
	.uleb128 0x28
	.byte	0
	.uleb128 0x3
	.uleb128 0x8
	.uleb128 0x1c
	.uleb128 0xb
	.byte	0
	.byte	0
	.uleb128 0x16
	.uleb128 0x21
	.byte	0
	.uleb128 0x22
	.uleb128 0xd
	.uleb128 0x2f
	.uleb128 0xd
	.uleb128 0x3
	.uleb128 0xe
	.uleb128 0x49
	.uleb128 0x13
	.byte	0
	.byte	0
	.uleb128 0x17
	.uleb128 0x26
	.byte	0
	.uleb128 0x49
	.uleb128 0x13
	.byte	0
	.byte	0
	.uleb128 0x18
	.uleb128 0x13
	.byte	0x1
	.uleb128 0x3
	.uleb128 0xe
	.uleb128 0xb
	.uleb128 0x18
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
	.uleb128 0x19
	.uleb128 0x33
	.byte	0x1
	.uleb128 0x15
	.uleb128 0x13
	.byte	0
	.byte	0
	.uleb128 0x1a
	.uleb128 0x19
	.byte	0x1
	.uleb128 0x16
	.uleb128 0xf
	.uleb128 0x1
	.uleb128 0x13
	.byte	0
	.byte	0
	.uleb128 0x1b
	.uleb128 0x19
	.byte	0x1
	.byte	0
	.byte	0
	.uleb128 0x1c
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
	.uleb128 0x1d
	.uleb128 0x21
	.byte	0
	.uleb128 0x49
	.uleb128 0x13
	.uleb128 0x22
	.uleb128 0xb
	.uleb128 0x2f
	.uleb128 0xb
	.byte	0
	.byte	0
	.uleb128 0x1e
	.uleb128 0x1
	.byte	0x1
	.uleb128 0x3
	.uleb128 0xe
	.uleb128 0x9
	.uleb128 0xb
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
.LASF15:
	.string	"grid"
.LASF18:
	.string	"radius"
.LASF21:
	.string	"shade"
.LASF2:
	.string	"system__unsigned_types__packed_byte"
.LASF9:
	.string	"colors"
.LASF5:
	.string	"blue"
.LASF33:
	.string	"ada_part__nibble"
.LASF27:
	.string	"_ada_ada_part"
.LASF26:
	.string	"ada_part"
.LASF8:
	.string	"held"
.LASF19:
	.string	"circle"
.LASF13:
	.string	"packed"
.LASF4:
	.string	"green"
.LASF14:
	.string	"ada_part__matrix"
.LASF28:
	.string	"ada_part__ada_stop"
.LASF20:
	.string	"here"
.LASF16:
	.string	"round"
.LASF25:
	.string	"GNU Ada 12.2.0 -O0 -g -gnatp -fno-ident -mtune=generic -march=x86-64"
.LASF10:
	.string	"flags"
.LASF22:
	.string	"ada_part__TslotB"
.LASF24:
	.string	"ada_part__TnibbleB"
.LASF32:
	.string	"ada_part__color"
.LASF34:
	.string	"ada_part__shape"
.LASF17:
	.string	"name"
.LASF11:
	.string	"ada_part__bits"
.LASF31:
	.string	"ada_part__slot"
.LASF30:
	.string	"ada_part__doubled"
.LASF3:
	.string	"integer"
.LASF7:
	.string	"ada_part__per_color"
.LASF29:
	.string	"ada_stop"
.LASF23:
	.string	"boolean"
.LASF12:
	.string	"ada_part__nibbles"
.LASF6:
	.string	"ada_part__amounts"
	.section	.debug_line_str,"MS",@progbits,1
.LASF1:
	.string	"."
.LASF0:
	.string	"ada_part.adb"
	.section	.note.GNU-stack,"",@progbits
