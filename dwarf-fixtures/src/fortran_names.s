	.file	"fortran_names.f90"
	.text
.Ltext0:
	.file 0 "." "fortran_names.f90"
	.globl	__first_MOD_x
	.data
	.align 4
	.type	__first_MOD_x, @object
	.size	__first_MOD_x, 4
__first_MOD_x:
	.long	11
	.globl	__first_MOD_y
	.align 4
	.type	__first_MOD_y, @object
	.size	__first_MOD_y, 4
__first_MOD_y:
	.long	12
	.globl	__second_MOD_z
	.align 4
	.type	__second_MOD_z, @object
	.size	__second_MOD_z, 4
__second_MOD_z:
	.long	23
	.globl	__third_MOD_x
	.align 4
	.type	__third_MOD_x, @object
	.size	__third_MOD_x, 4
__third_MOD_x:
	.long	31
	.globl	__third_MOD_y
	.align 4
	.type	__third_MOD_y, @object
	.size	__third_MOD_y, 4
__third_MOD_y:
	.long	32
	.text
	.type	inner.0, @function
inner.0:
.LFB1:
	.file 1 "fortran_names.f90"
	.loc 1 37 18
	.cfi_startproc
	pushq	%rbp
	.cfi_def_cfa_offset 16
	.cfi_offset 6, -16
	movq	%rsp, %rbp
	.cfi_def_cfa_register 6
	subq	$32, %rsp
	movq	%r10, %rcx
	movq	%r10, -24(%rbp)
	.loc 1 40 26
	movl	__third_MOD_x(%rip), %edx
	movl	__third_MOD_y(%rip), %eax
	addl	%eax, %edx
	movl	(%rcx), %eax
	addl	%eax, %edx
	movl	__second_MOD_z(%rip), %eax
	addl	%edx, %eax
	movl	%eax, -4(%rbp)
	.loc 1 41 21
	movl	$0, %eax
	call	names_stop_@PLT
	.loc 1 42 22
	nop
	leave
	.cfi_def_cfa 7, 8
	ret
	.cfi_endproc
.LFE1:
	.size	inner.0, .-inner.0
	.globl	fortran_renamed_
	.type	fortran_renamed_, @function
fortran_renamed_:
.LFB0:
	.loc 1 29 26
	.cfi_startproc
	pushq	%rbp
	.cfi_def_cfa_offset 16
	.cfi_offset 6, -16
	movq	%rsp, %rbp
	.cfi_def_cfa_register 6
	subq	$16, %rsp
	.loc 1 29 26
	movq	$0, -8(%rbp)
	.loc 1 33 17
	movl	__first_MOD_x(%rip), %edx
	movl	__first_MOD_y(%rip), %eax
	addl	%eax, %edx
	movl	__second_MOD_z(%rip), %eax
	addl	%edx, %eax
	movl	%eax, -16(%rbp)
	.loc 1 34 19
	movl	$0, %eax
	call	names_stop_@PLT
	.loc 1 35 14
	leaq	-16(%rbp), %rax
	movq	%rax, %r10
	call	inner.0
	leave
	.cfi_def_cfa 7, 8
	ret
	.cfi_endproc
.LFE0:
	.size	fortran_renamed_, .-fortran_renamed_
	.globl	fortran_only_
	.type	fortran_only_, @function
fortran_only_:
.LFB2:
	.loc 1 20 23
	.cfi_startproc
	pushq	%rbp
	.cfi_def_cfa_offset 16
	.cfi_offset 6, -16
	movq	%rsp, %rbp
	.cfi_def_cfa_register 6
	subq	$16, %rsp
	.loc 1 25 13
	movl	__first_MOD_x(%rip), %edx
	movl	__third_MOD_y(%rip), %eax
	addl	%edx, %eax
	movl	%eax, -4(%rbp)
	.loc 1 26 19
	movl	$0, %eax
	call	names_stop_@PLT
	.loc 1 27 27
	nop
	leave
	.cfi_def_cfa 7, 8
	ret
	.cfi_endproc
.LFE2:
	.size	fortran_only_, .-fortran_only_
	.globl	fortran_names_
	.type	fortran_names_, @function
fortran_names_:
.LFB3:
	.loc 1 45 24
	.cfi_startproc
	pushq	%rbp
	.cfi_def_cfa_offset 16
	.cfi_offset 6, -16
	movq	%rsp, %rbp
	.cfi_def_cfa_register 6
	.loc 1 47 21
	call	fortran_only_
	.loc 1 48 24
	call	fortran_renamed_
	.loc 1 49 28
	nop
	popq	%rbp
	.cfi_def_cfa 7, 8
	ret
	.cfi_endproc
.LFE3:
	.size	fortran_names_, .-fortran_names_
.Letext0:
	.section	.debug_info,"",@progbits
.Ldebug_info0:
	.long	0x1ae
	.value	0x5
	.byte	0x1
	.byte	0x8
	.long	.Ldebug_abbrev0
	.uleb128 0x7
	.long	.LASF15
	.byte	0x23
	.byte	0x2
	.long	.LASF0
	.long	.LASF1
	.quad	.Ltext0
	.quad	.Letext0-.Ltext0
	.long	.Ldebug_line0
	.uleb128 0x2
	.long	.LASF4
	.byte	0x4
	.byte	0xc
	.long	0x69
	.uleb128 0x1
	.string	"x"
	.byte	0x6
	.byte	0xe
	.long	.LASF2
	.long	0x69
	.uleb128 0x9
	.byte	0x3
	.quad	__first_MOD_x
	.uleb128 0x1
	.string	"y"
	.byte	0x6
	.byte	0x16
	.long	.LASF3
	.long	0x69
	.uleb128 0x9
	.byte	0x3
	.quad	__first_MOD_y
	.byte	0
	.uleb128 0x8
	.byte	0x4
	.byte	0x5
	.long	.LASF16
	.uleb128 0x2
	.long	.LASF5
	.byte	0x9
	.byte	0xd
	.long	0x99
	.uleb128 0x1
	.string	"z"
	.byte	0xc
	.byte	0xe
	.long	.LASF6
	.long	0x69
	.uleb128 0x9
	.byte	0x3
	.quad	__second_MOD_z
	.uleb128 0x3
	.byte	0xa
	.long	0x2f
	.byte	0
	.uleb128 0x2
	.long	.LASF7
	.byte	0xf
	.byte	0xc
	.long	0xd3
	.uleb128 0x1
	.string	"x"
	.byte	0x11
	.byte	0xe
	.long	.LASF8
	.long	0x69
	.uleb128 0x9
	.byte	0x3
	.quad	__third_MOD_x
	.uleb128 0x1
	.string	"y"
	.byte	0x11
	.byte	0x16
	.long	.LASF9
	.long	0x69
	.uleb128 0x9
	.byte	0x3
	.quad	__third_MOD_y
	.byte	0
	.uleb128 0x4
	.long	.LASF11
	.byte	0x1d
	.byte	0x1a
	.long	.LASF13
	.quad	.LFB0
	.quad	.LFE0-.LFB0
	.uleb128 0x1
	.byte	0x9c
	.long	0x153
	.uleb128 0x9
	.long	.LASF17
	.byte	0x1
	.byte	0x25
	.byte	0x12
	.quad	.LFB1
	.quad	.LFE1-.LFB1
	.uleb128 0x1
	.byte	0x9c
	.uleb128 0x6
	.byte	0x91
	.sleb128 -40
	.byte	0x6
	.byte	0x23
	.uleb128 0x8
	.byte	0x6
	.long	0x13f
	.uleb128 0xa
	.byte	0x1
	.byte	0x26
	.byte	0x8
	.long	0x99
	.long	0x12f
	.uleb128 0x5
	.byte	0x26
	.byte	0xe
	.string	"w"
	.long	0xa4
	.byte	0
	.uleb128 0xb
	.long	.LASF10
	.byte	0x1
	.byte	0x27
	.byte	0x13
	.long	0x69
	.uleb128 0x2
	.byte	0x91
	.sleb128 -20
	.byte	0
	.uleb128 0x3
	.byte	0x1e
	.long	0x70
	.uleb128 0x6
	.string	"sum"
	.byte	0x20
	.long	0x69
	.uleb128 0x2
	.byte	0x91
	.sleb128 -32
	.byte	0
	.uleb128 0x4
	.long	.LASF12
	.byte	0x14
	.byte	0x17
	.long	.LASF14
	.quad	.LFB2
	.quad	.LFE2-.LFB2
	.uleb128 0x1
	.byte	0x9c
	.long	0x193
	.uleb128 0xc
	.byte	0x1
	.byte	0x16
	.byte	0x12
	.long	0xbb
	.uleb128 0x5
	.byte	0x15
	.byte	0x12
	.string	"q"
	.long	0x3a
	.uleb128 0x6
	.string	"sum"
	.byte	0x18
	.long	0x69
	.uleb128 0x2
	.byte	0x91
	.sleb128 -20
	.byte	0
	.uleb128 0xd
	.long	.LASF18
	.byte	0x1
	.byte	0x2d
	.byte	0x18
	.long	.LASF19
	.quad	.LFB3
	.quad	.LFE3-.LFB3
	.uleb128 0x1
	.byte	0x9c
	.byte	0
	.section	.debug_abbrev,"",@progbits
.Ldebug_abbrev0:
	.uleb128 0x1
	.uleb128 0x34
	.byte	0
	.uleb128 0x3
	.uleb128 0x8
	.uleb128 0x3a
	.uleb128 0x21
	.sleb128 1
	.uleb128 0x3b
	.uleb128 0xb
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
	.uleb128 0x2
	.uleb128 0x1e
	.byte	0x1
	.uleb128 0x3
	.uleb128 0xe
	.uleb128 0x3a
	.uleb128 0x21
	.sleb128 1
	.uleb128 0x3b
	.uleb128 0xb
	.uleb128 0x39
	.uleb128 0xb
	.uleb128 0x1
	.uleb128 0x13
	.byte	0
	.byte	0
	.uleb128 0x3
	.uleb128 0x3a
	.byte	0
	.uleb128 0x3a
	.uleb128 0x21
	.sleb128 1
	.uleb128 0x3b
	.uleb128 0xb
	.uleb128 0x39
	.uleb128 0x21
	.sleb128 6
	.uleb128 0x18
	.uleb128 0x13
	.byte	0
	.byte	0
	.uleb128 0x4
	.uleb128 0x2e
	.byte	0x1
	.uleb128 0x3f
	.uleb128 0x19
	.uleb128 0x3
	.uleb128 0xe
	.uleb128 0x3a
	.uleb128 0x21
	.sleb128 1
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
	.uleb128 0x5
	.uleb128 0x8
	.byte	0
	.uleb128 0x3a
	.uleb128 0x21
	.sleb128 1
	.uleb128 0x3b
	.uleb128 0xb
	.uleb128 0x39
	.uleb128 0xb
	.uleb128 0x3
	.uleb128 0x8
	.uleb128 0x18
	.uleb128 0x13
	.byte	0
	.byte	0
	.uleb128 0x6
	.uleb128 0x34
	.byte	0
	.uleb128 0x3
	.uleb128 0x8
	.uleb128 0x3a
	.uleb128 0x21
	.sleb128 1
	.uleb128 0x3b
	.uleb128 0xb
	.uleb128 0x39
	.uleb128 0x21
	.sleb128 16
	.uleb128 0x49
	.uleb128 0x13
	.uleb128 0x2
	.uleb128 0x18
	.byte	0
	.byte	0
	.uleb128 0x7
	.uleb128 0x11
	.byte	0x1
	.uleb128 0x25
	.uleb128 0xe
	.uleb128 0x13
	.uleb128 0xb
	.uleb128 0x42
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
	.uleb128 0x8
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
	.uleb128 0x9
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
	.uleb128 0x11
	.uleb128 0x1
	.uleb128 0x12
	.uleb128 0x7
	.uleb128 0x40
	.uleb128 0x18
	.uleb128 0x48
	.uleb128 0x18
	.uleb128 0x7c
	.uleb128 0x19
	.uleb128 0x1
	.uleb128 0x13
	.byte	0
	.byte	0
	.uleb128 0xa
	.uleb128 0x3a
	.byte	0x1
	.uleb128 0x3a
	.uleb128 0xb
	.uleb128 0x3b
	.uleb128 0xb
	.uleb128 0x39
	.uleb128 0xb
	.uleb128 0x18
	.uleb128 0x13
	.uleb128 0x1
	.uleb128 0x13
	.byte	0
	.byte	0
	.uleb128 0xb
	.uleb128 0x34
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
	.uleb128 0x2
	.uleb128 0x18
	.byte	0
	.byte	0
	.uleb128 0xc
	.uleb128 0x8
	.byte	0
	.uleb128 0x3a
	.uleb128 0xb
	.uleb128 0x3b
	.uleb128 0xb
	.uleb128 0x39
	.uleb128 0xb
	.uleb128 0x18
	.uleb128 0x13
	.byte	0
	.byte	0
	.uleb128 0xd
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
	.uleb128 0x11
	.uleb128 0x1
	.uleb128 0x12
	.uleb128 0x7
	.uleb128 0x40
	.uleb128 0x18
	.uleb128 0x7c
	.uleb128 0x19
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
.LASF7:
	.string	"third"
.LASF5:
	.string	"second"
.LASF6:
	.string	"__second_MOD_z"
.LASF14:
	.string	"fortran_only_"
.LASF8:
	.string	"__third_MOD_x"
.LASF16:
	.string	"integer(kind=4)"
.LASF17:
	.string	"inner"
.LASF9:
	.string	"__third_MOD_y"
.LASF15:
	.string	"GNU Fortran2008 12.2.0 -mtune=generic -march=x86-64 -g -O0 -fno-ident -fintrinsic-modules-path /usr/lib/gcc/x86_64-linux-gnu/12/finclude -fpre-include=/usr/include/finclude/x86_64-linux-gnu/math-vector-fortran.h"
.LASF10:
	.string	"more"
.LASF13:
	.string	"fortran_renamed_"
.LASF2:
	.string	"__first_MOD_x"
.LASF3:
	.string	"__first_MOD_y"
.LASF4:
	.string	"first"
.LASF11:
	.string	"fortran_renamed"
.LASF19:
	.string	"fortran_names_"
.LASF12:
	.string	"fortran_only"
.LASF18:
	.string	"fortran_names"
	.section	.debug_line_str,"MS",@progbits,1
.LASF1:
	.string	"."
.LASF0:
	.string	"fortran_names.f90"
	.section	.note.GNU-stack,"",@progbits
