	.file	"compiled.9952f60ab3be74a0-cgu.0"
	.section	".text._ZN102_$LT$core..iter..adapters..map..Map$LT$I$C$F$GT$$u20$as$u20$core..iter..traits..iterator..Iterator$GT$4fold17h80324ae015c9ea00E","ax",@progbits
	.globl	_ZN102_$LT$core..iter..adapters..map..Map$LT$I$C$F$GT$$u20$as$u20$core..iter..traits..iterator..Iterator$GT$4fold17h80324ae015c9ea00E
	.p2align	4
	.type	_ZN102_$LT$core..iter..adapters..map..Map$LT$I$C$F$GT$$u20$as$u20$core..iter..traits..iterator..Iterator$GT$4fold17h80324ae015c9ea00E,@function
_ZN102_$LT$core..iter..adapters..map..Map$LT$I$C$F$GT$$u20$as$u20$core..iter..traits..iterator..Iterator$GT$4fold17h80324ae015c9ea00E:
	.cfi_startproc
	pushq	%rax
	.cfi_def_cfa_offset 16
	callq	*_ZN91_$LT$core..slice..iter..Iter$LT$T$GT$$u20$as$u20$core..iter..traits..iterator..Iterator$GT$4fold17hb4604877514104e0E@GOTPCREL(%rip)
	popq	%rax
	.cfi_def_cfa_offset 8
	retq
.Lfunc_end0:
	.size	_ZN102_$LT$core..iter..adapters..map..Map$LT$I$C$F$GT$$u20$as$u20$core..iter..traits..iterator..Iterator$GT$4fold17h80324ae015c9ea00E, .Lfunc_end0-_ZN102_$LT$core..iter..adapters..map..Map$LT$I$C$F$GT$$u20$as$u20$core..iter..traits..iterator..Iterator$GT$4fold17h80324ae015c9ea00E
	.cfi_endproc

	.section	".text._ZN106_$LT$core..ops..range..Range$LT$usize$GT$$u20$as$u20$core..slice..index..SliceIndex$LT$$u5b$T$u5d$$GT$$GT$13get_unchecked18precondition_check17h47f57a9af39c682dE","ax",@progbits
	.p2align	4
	.type	_ZN106_$LT$core..ops..range..Range$LT$usize$GT$$u20$as$u20$core..slice..index..SliceIndex$LT$$u5b$T$u5d$$GT$$GT$13get_unchecked18precondition_check17h47f57a9af39c682dE,@function
_ZN106_$LT$core..ops..range..Range$LT$usize$GT$$u20$as$u20$core..slice..index..SliceIndex$LT$$u5b$T$u5d$$GT$$GT$13get_unchecked18precondition_check17h47f57a9af39c682dE:
	.cfi_startproc
	subq	$24, %rsp
	.cfi_def_cfa_offset 32
	movq	%rsi, (%rsp)
	movq	%rdx, 8(%rsp)
	movq	%rcx, 16(%rsp)
	cmpq	%rdi, %rsi
	jae	.LBB1_2
.LBB1_1:
	movq	16(%rsp), %rcx
	leaq	.Lanon.60bed5dcf488807794e55d614a93ec96.3(%rip), %rdi
	movl	$429, %esi
	xorl	%edx, %edx
	callq	*_RNvNtCsgEmfK2I1SDS_4core9panicking18panic_nounwind_fmt@GOTPCREL(%rip)
.LBB1_2:
	movq	(%rsp), %rax
	movq	8(%rsp), %rcx
	cmpq	%rcx, %rax
	ja	.LBB1_1
	addq	$24, %rsp
	.cfi_def_cfa_offset 8
	retq
.Lfunc_end1:
	.size	_ZN106_$LT$core..ops..range..Range$LT$usize$GT$$u20$as$u20$core..slice..index..SliceIndex$LT$$u5b$T$u5d$$GT$$GT$13get_unchecked18precondition_check17h47f57a9af39c682dE, .Lfunc_end1-_ZN106_$LT$core..ops..range..Range$LT$usize$GT$$u20$as$u20$core..slice..index..SliceIndex$LT$$u5b$T$u5d$$GT$$GT$13get_unchecked18precondition_check17h47f57a9af39c682dE
	.cfi_endproc

	.section	".text._ZN106_$LT$core..ops..range..Range$LT$usize$GT$$u20$as$u20$core..slice..index..SliceIndex$LT$$u5b$T$u5d$$GT$$GT$17get_unchecked_mut18precondition_check17h5c5d94aab162fa79E","ax",@progbits
	.p2align	4
	.type	_ZN106_$LT$core..ops..range..Range$LT$usize$GT$$u20$as$u20$core..slice..index..SliceIndex$LT$$u5b$T$u5d$$GT$$GT$17get_unchecked_mut18precondition_check17h5c5d94aab162fa79E,@function
_ZN106_$LT$core..ops..range..Range$LT$usize$GT$$u20$as$u20$core..slice..index..SliceIndex$LT$$u5b$T$u5d$$GT$$GT$17get_unchecked_mut18precondition_check17h5c5d94aab162fa79E:
	.cfi_startproc
	subq	$24, %rsp
	.cfi_def_cfa_offset 32
	movq	%rsi, (%rsp)
	movq	%rdx, 8(%rsp)
	movq	%rcx, 16(%rsp)
	cmpq	%rdi, %rsi
	jae	.LBB2_2
.LBB2_1:
	movq	16(%rsp), %rcx
	leaq	.Lanon.60bed5dcf488807794e55d614a93ec96.4(%rip), %rdi
	movl	$437, %esi
	xorl	%edx, %edx
	callq	*_RNvNtCsgEmfK2I1SDS_4core9panicking18panic_nounwind_fmt@GOTPCREL(%rip)
.LBB2_2:
	movq	(%rsp), %rax
	movq	8(%rsp), %rcx
	cmpq	%rcx, %rax
	ja	.LBB2_1
	addq	$24, %rsp
	.cfi_def_cfa_offset 8
	retq
.Lfunc_end2:
	.size	_ZN106_$LT$core..ops..range..Range$LT$usize$GT$$u20$as$u20$core..slice..index..SliceIndex$LT$$u5b$T$u5d$$GT$$GT$17get_unchecked_mut18precondition_check17h5c5d94aab162fa79E, .Lfunc_end2-_ZN106_$LT$core..ops..range..Range$LT$usize$GT$$u20$as$u20$core..slice..index..SliceIndex$LT$$u5b$T$u5d$$GT$$GT$17get_unchecked_mut18precondition_check17h5c5d94aab162fa79E
	.cfi_endproc

	.section	".text._ZN107_$LT$core..ops..range..RangeInclusive$LT$T$GT$$u20$as$u20$core..iter..range..RangeInclusiveIteratorImpl$GT$9spec_next17h7aecb9dd2f56aeecE","ax",@progbits
	.globl	_ZN107_$LT$core..ops..range..RangeInclusive$LT$T$GT$$u20$as$u20$core..iter..range..RangeInclusiveIteratorImpl$GT$9spec_next17h7aecb9dd2f56aeecE
	.p2align	4
	.type	_ZN107_$LT$core..ops..range..RangeInclusive$LT$T$GT$$u20$as$u20$core..iter..range..RangeInclusiveIteratorImpl$GT$9spec_next17h7aecb9dd2f56aeecE,@function
_ZN107_$LT$core..ops..range..RangeInclusive$LT$T$GT$$u20$as$u20$core..iter..range..RangeInclusiveIteratorImpl$GT$9spec_next17h7aecb9dd2f56aeecE:
	.cfi_startproc
	subq	$40, %rsp
	.cfi_def_cfa_offset 48
	movq	%rdi, 8(%rsp)
	testb	$1, 16(%rdi)
	jne	.LBB3_2
	movq	8(%rsp), %rcx
	movq	(%rcx), %rax
	cmpq	8(%rcx), %rax
	setbe	%al
	xorb	$-1, %al
	testb	$1, %al
	jne	.LBB3_4
	jmp	.LBB3_3
.LBB3_2:
	jmp	.LBB3_4
.LBB3_3:
	movq	8(%rsp), %rcx
	movq	(%rcx), %rax
	cmpq	8(%rcx), %rax
	jb	.LBB3_6
	jmp	.LBB3_5
.LBB3_4:
	movq	$0, 16(%rsp)
	jmp	.LBB3_8
.LBB3_5:
	movq	8(%rsp), %rax
	movb	$1, 16(%rax)
	movq	(%rax), %rax
	movq	%rax, 32(%rsp)
	jmp	.LBB3_7
.LBB3_6:
	movq	8(%rsp), %rax
	movq	(%rax), %rdi
	movl	$1, %esi
	callq	_ZN49_$LT$usize$u20$as$u20$core..iter..range..Step$GT$17forward_unchecked17h5250ebfe1258c12aE
	movq	%rax, %rcx
	movq	8(%rsp), %rax
	movq	(%rax), %rdx
	movq	%rdx, 32(%rsp)
	movq	%rcx, (%rax)
.LBB3_7:
	movq	32(%rsp), %rax
	movq	%rax, 24(%rsp)
	movq	$1, 16(%rsp)
.LBB3_8:
	movq	16(%rsp), %rax
	movq	24(%rsp), %rdx
	addq	$40, %rsp
	.cfi_def_cfa_offset 8
	retq
.Lfunc_end3:
	.size	_ZN107_$LT$core..ops..range..RangeInclusive$LT$T$GT$$u20$as$u20$core..iter..range..RangeInclusiveIteratorImpl$GT$9spec_next17h7aecb9dd2f56aeecE, .Lfunc_end3-_ZN107_$LT$core..ops..range..RangeInclusive$LT$T$GT$$u20$as$u20$core..iter..range..RangeInclusiveIteratorImpl$GT$9spec_next17h7aecb9dd2f56aeecE
	.cfi_endproc

	.section	".text._ZN110_$LT$core..iter..adapters..enumerate..Enumerate$LT$I$GT$$u20$as$u20$core..iter..traits..iterator..Iterator$GT$4next17hf4161890d0f7b876E","ax",@progbits
	.globl	_ZN110_$LT$core..iter..adapters..enumerate..Enumerate$LT$I$GT$$u20$as$u20$core..iter..traits..iterator..Iterator$GT$4next17hf4161890d0f7b876E
	.p2align	4
	.type	_ZN110_$LT$core..iter..adapters..enumerate..Enumerate$LT$I$GT$$u20$as$u20$core..iter..traits..iterator..Iterator$GT$4next17hf4161890d0f7b876E,@function
_ZN110_$LT$core..iter..adapters..enumerate..Enumerate$LT$I$GT$$u20$as$u20$core..iter..traits..iterator..Iterator$GT$4next17hf4161890d0f7b876E:
.Lfunc_begin0:
	.cfi_startproc
	.cfi_personality 155, DW.ref.rust_eh_personality
	.cfi_lsda 27, .Lexception0
	subq	$88, %rsp
	.cfi_def_cfa_offset 96
	movq	%rdi, 32(%rsp)
	callq	*_ZN91_$LT$core..slice..iter..Iter$LT$T$GT$$u20$as$u20$core..iter..traits..iterator..Iterator$GT$4next17hee7a8c14aadb5f61E@GOTPCREL(%rip)
	movq	%rax, 64(%rsp)
	movq	64(%rsp), %rdx
	movl	$1, %eax
	xorl	%ecx, %ecx
	cmpq	$0, %rdx
	cmoveq	%rcx, %rax
	testq	$1, %rax
	je	.LBB4_2
	movq	32(%rsp), %rax
	movq	64(%rsp), %rcx
	movq	%rcx, 56(%rsp)
	movq	56(%rsp), %rcx
	movq	%rcx, 8(%rsp)
	movq	16(%rax), %rcx
	movq	%rcx, 16(%rsp)
	movq	16(%rax), %rcx
	movq	%rcx, %rax
	addq	$1, %rax
	movq	%rax, 24(%rsp)
	cmpq	%rcx, %rax
	jb	.LBB4_5
	jmp	.LBB4_4
.LBB4_2:
	movq	$0, 48(%rsp)
.LBB4_3:
	movq	40(%rsp), %rax
	movq	48(%rsp), %rdx
	addq	$88, %rsp
	.cfi_def_cfa_offset 8
	retq
.LBB4_4:
	.cfi_def_cfa_offset 96
	movq	8(%rsp), %rax
	movq	16(%rsp), %rcx
	movq	32(%rsp), %rdx
	movq	24(%rsp), %rsi
	movq	%rsi, 16(%rdx)
	movq	%rcx, 40(%rsp)
	movq	%rax, 48(%rsp)
	jmp	.LBB4_3
.LBB4_5:
.Ltmp0:
	leaq	.Lanon.60bed5dcf488807794e55d614a93ec96.6(%rip), %rdi
	movq	_RNvNtNtCsgEmfK2I1SDS_4core9panicking11panic_const24panic_const_add_overflow@GOTPCREL(%rip), %rax
	callq	*%rax
.Ltmp1:
	jmp	.LBB4_8
.LBB4_6:
	movq	72(%rsp), %rdi
	callq	_Unwind_Resume@PLT
.LBB4_7:
.Ltmp2:
	movq	%rax, %rcx
	movl	%edx, %eax
	movq	%rcx, 72(%rsp)
	movl	%eax, 80(%rsp)
	jmp	.LBB4_6
.LBB4_8:
	ud2
.Lfunc_end4:
	.size	_ZN110_$LT$core..iter..adapters..enumerate..Enumerate$LT$I$GT$$u20$as$u20$core..iter..traits..iterator..Iterator$GT$4next17hf4161890d0f7b876E, .Lfunc_end4-_ZN110_$LT$core..iter..adapters..enumerate..Enumerate$LT$I$GT$$u20$as$u20$core..iter..traits..iterator..Iterator$GT$4next17hf4161890d0f7b876E
	.cfi_endproc
	.section	".gcc_except_table._ZN110_$LT$core..iter..adapters..enumerate..Enumerate$LT$I$GT$$u20$as$u20$core..iter..traits..iterator..Iterator$GT$4next17hf4161890d0f7b876E","a",@progbits
	.p2align	2, 0x0
GCC_except_table4:
.Lexception0:
	.byte	255
	.byte	255
	.byte	1
	.uleb128 .Lcst_end0-.Lcst_begin0
.Lcst_begin0:
	.uleb128 .Lfunc_begin0-.Lfunc_begin0
	.uleb128 .Ltmp0-.Lfunc_begin0
	.byte	0
	.byte	0
	.uleb128 .Ltmp0-.Lfunc_begin0
	.uleb128 .Ltmp1-.Ltmp0
	.uleb128 .Ltmp2-.Lfunc_begin0
	.byte	0
	.uleb128 .Ltmp1-.Lfunc_begin0
	.uleb128 .Lfunc_end4-.Ltmp1
	.byte	0
	.byte	0
.Lcst_end0:
	.p2align	2, 0x0

	.section	".text._ZN174_$LT$$LT$alloc..collections..btree..map..IntoIter$LT$K$C$V$C$A$GT$$u20$as$u20$core..ops..drop..Drop$GT$..drop..DropGuard$LT$K$C$V$C$A$GT$$u20$as$u20$core..ops..drop..Drop$GT$4drop17h492e709e949ffab9E","ax",@progbits
	.globl	_ZN174_$LT$$LT$alloc..collections..btree..map..IntoIter$LT$K$C$V$C$A$GT$$u20$as$u20$core..ops..drop..Drop$GT$..drop..DropGuard$LT$K$C$V$C$A$GT$$u20$as$u20$core..ops..drop..Drop$GT$4drop17h492e709e949ffab9E
	.p2align	4
	.type	_ZN174_$LT$$LT$alloc..collections..btree..map..IntoIter$LT$K$C$V$C$A$GT$$u20$as$u20$core..ops..drop..Drop$GT$..drop..DropGuard$LT$K$C$V$C$A$GT$$u20$as$u20$core..ops..drop..Drop$GT$4drop17h492e709e949ffab9E,@function
_ZN174_$LT$$LT$alloc..collections..btree..map..IntoIter$LT$K$C$V$C$A$GT$$u20$as$u20$core..ops..drop..Drop$GT$..drop..DropGuard$LT$K$C$V$C$A$GT$$u20$as$u20$core..ops..drop..Drop$GT$4drop17h492e709e949ffab9E:
	.cfi_startproc
	subq	$56, %rsp
	.cfi_def_cfa_offset 64
	movq	%rdi, (%rsp)
.LBB5_1:
	movq	(%rsp), %rax
	movq	(%rax), %rsi
	leaq	8(%rsp), %rdi
	callq	*_ZN5alloc11collections5btree3map25IntoIter$LT$K$C$V$C$A$GT$10dying_next17h3fbb71a804f2d9dcE@GOTPCREL(%rip)
	movq	8(%rsp), %rdx
	movl	$1, %eax
	xorl	%ecx, %ecx
	cmpq	$0, %rdx
	cmoveq	%rcx, %rax
	testq	$1, %rax
	je	.LBB5_3
	movq	8(%rsp), %rax
	movq	%rax, 32(%rsp)
	movq	16(%rsp), %rax
	movq	%rax, 40(%rsp)
	movq	24(%rsp), %rax
	movq	%rax, 48(%rsp)
	leaq	32(%rsp), %rdi
	callq	*_ZN5alloc11collections5btree4node173Handle$LT$alloc..collections..btree..node..NodeRef$LT$alloc..collections..btree..node..marker..Dying$C$K$C$V$C$NodeType$GT$$C$alloc..collections..btree..node..marker..KV$GT$12drop_key_val17h0047d813ceb2d486E@GOTPCREL(%rip)
	jmp	.LBB5_1
.LBB5_3:
	addq	$56, %rsp
	.cfi_def_cfa_offset 8
	retq
.Lfunc_end5:
	.size	_ZN174_$LT$$LT$alloc..collections..btree..map..IntoIter$LT$K$C$V$C$A$GT$$u20$as$u20$core..ops..drop..Drop$GT$..drop..DropGuard$LT$K$C$V$C$A$GT$$u20$as$u20$core..ops..drop..Drop$GT$4drop17h492e709e949ffab9E, .Lfunc_end5-_ZN174_$LT$$LT$alloc..collections..btree..map..IntoIter$LT$K$C$V$C$A$GT$$u20$as$u20$core..ops..drop..Drop$GT$..drop..DropGuard$LT$K$C$V$C$A$GT$$u20$as$u20$core..ops..drop..Drop$GT$4drop17h492e709e949ffab9E
	.cfi_endproc

	.section	".text._ZN185_$LT$core..ops..control_flow..ControlFlow$LT$B$C$C$GT$$u20$as$u20$core..ops..try_trait..FromResidual$LT$core..ops..control_flow..ControlFlow$LT$B$C$core..convert..Infallible$GT$$GT$$GT$13from_residual17h575549b76a042f56E","ax",@progbits
	.globl	_ZN185_$LT$core..ops..control_flow..ControlFlow$LT$B$C$C$GT$$u20$as$u20$core..ops..try_trait..FromResidual$LT$core..ops..control_flow..ControlFlow$LT$B$C$core..convert..Infallible$GT$$GT$$GT$13from_residual17h575549b76a042f56E
	.p2align	4
	.type	_ZN185_$LT$core..ops..control_flow..ControlFlow$LT$B$C$C$GT$$u20$as$u20$core..ops..try_trait..FromResidual$LT$core..ops..control_flow..ControlFlow$LT$B$C$core..convert..Infallible$GT$$GT$$GT$13from_residual17h575549b76a042f56E,@function
_ZN185_$LT$core..ops..control_flow..ControlFlow$LT$B$C$C$GT$$u20$as$u20$core..ops..try_trait..FromResidual$LT$core..ops..control_flow..ControlFlow$LT$B$C$core..convert..Infallible$GT$$GT$$GT$13from_residual17h575549b76a042f56E:
	.cfi_startproc
	movq	%rsi, %rdx
	movq	%rdi, %rax
	retq
.Lfunc_end6:
	.size	_ZN185_$LT$core..ops..control_flow..ControlFlow$LT$B$C$C$GT$$u20$as$u20$core..ops..try_trait..FromResidual$LT$core..ops..control_flow..ControlFlow$LT$B$C$core..convert..Infallible$GT$$GT$$GT$13from_residual17h575549b76a042f56E, .Lfunc_end6-_ZN185_$LT$core..ops..control_flow..ControlFlow$LT$B$C$C$GT$$u20$as$u20$core..ops..try_trait..FromResidual$LT$core..ops..control_flow..ControlFlow$LT$B$C$core..convert..Infallible$GT$$GT$$GT$13from_residual17h575549b76a042f56E
	.cfi_endproc

	.section	".text._ZN280_$LT$alloc..collections..btree..node..Handle$LT$alloc..collections..btree..node..NodeRef$LT$alloc..collections..btree..node..marker..Dying$C$K$C$V$C$NodeType$GT$$C$alloc..collections..btree..node..marker..KV$GT$..drop_key_val..Dropper$LT$T$GT$$u20$as$u20$core..ops..drop..Drop$GT$4drop17h8e8ce08b7c8e0bd3E","ax",@progbits
	.globl	_ZN280_$LT$alloc..collections..btree..node..Handle$LT$alloc..collections..btree..node..NodeRef$LT$alloc..collections..btree..node..marker..Dying$C$K$C$V$C$NodeType$GT$$C$alloc..collections..btree..node..marker..KV$GT$..drop_key_val..Dropper$LT$T$GT$$u20$as$u20$core..ops..drop..Drop$GT$4drop17h8e8ce08b7c8e0bd3E
	.p2align	4
	.type	_ZN280_$LT$alloc..collections..btree..node..Handle$LT$alloc..collections..btree..node..NodeRef$LT$alloc..collections..btree..node..marker..Dying$C$K$C$V$C$NodeType$GT$$C$alloc..collections..btree..node..marker..KV$GT$..drop_key_val..Dropper$LT$T$GT$$u20$as$u20$core..ops..drop..Drop$GT$4drop17h8e8ce08b7c8e0bd3E,@function
_ZN280_$LT$alloc..collections..btree..node..Handle$LT$alloc..collections..btree..node..NodeRef$LT$alloc..collections..btree..node..marker..Dying$C$K$C$V$C$NodeType$GT$$C$alloc..collections..btree..node..marker..KV$GT$..drop_key_val..Dropper$LT$T$GT$$u20$as$u20$core..ops..drop..Drop$GT$4drop17h8e8ce08b7c8e0bd3E:
	.cfi_startproc
	retq
.Lfunc_end7:
	.size	_ZN280_$LT$alloc..collections..btree..node..Handle$LT$alloc..collections..btree..node..NodeRef$LT$alloc..collections..btree..node..marker..Dying$C$K$C$V$C$NodeType$GT$$C$alloc..collections..btree..node..marker..KV$GT$..drop_key_val..Dropper$LT$T$GT$$u20$as$u20$core..ops..drop..Drop$GT$4drop17h8e8ce08b7c8e0bd3E, .Lfunc_end7-_ZN280_$LT$alloc..collections..btree..node..Handle$LT$alloc..collections..btree..node..NodeRef$LT$alloc..collections..btree..node..marker..Dying$C$K$C$V$C$NodeType$GT$$C$alloc..collections..btree..node..marker..KV$GT$..drop_key_val..Dropper$LT$T$GT$$u20$as$u20$core..ops..drop..Drop$GT$4drop17h8e8ce08b7c8e0bd3E
	.cfi_endproc

	.section	".text._ZN49_$LT$usize$u20$as$u20$core..iter..range..Step$GT$17forward_unchecked17h5250ebfe1258c12aE","ax",@progbits
	.p2align	4
	.type	_ZN49_$LT$usize$u20$as$u20$core..iter..range..Step$GT$17forward_unchecked17h5250ebfe1258c12aE,@function
_ZN49_$LT$usize$u20$as$u20$core..iter..range..Step$GT$17forward_unchecked17h5250ebfe1258c12aE:
	.cfi_startproc
	subq	$24, %rsp
	.cfi_def_cfa_offset 32
	movq	%rdi, 8(%rsp)
	movq	%rsi, 16(%rsp)
	jmp	.LBB8_1
.LBB8_1:
	movq	16(%rsp), %rsi
	movq	8(%rsp), %rdi
	leaq	.Lanon.60bed5dcf488807794e55d614a93ec96.8(%rip), %rdx
	callq	_ZN4core3num23_$LT$impl$u20$usize$GT$13unchecked_add18precondition_check17hd2799ff57f36804eE
	movq	16(%rsp), %rcx
	movq	8(%rsp), %rax
	addq	%rcx, %rax
	addq	$24, %rsp
	.cfi_def_cfa_offset 8
	retq
.Lfunc_end8:
	.size	_ZN49_$LT$usize$u20$as$u20$core..iter..range..Step$GT$17forward_unchecked17h5250ebfe1258c12aE, .Lfunc_end8-_ZN49_$LT$usize$u20$as$u20$core..iter..range..Step$GT$17forward_unchecked17h5250ebfe1258c12aE
	.cfi_endproc

	.section	.text._ZN4core10intrinsics9cold_path17h000fb78650bc1899E,"ax",@progbits
	.p2align	4
	.type	_ZN4core10intrinsics9cold_path17h000fb78650bc1899E,@function
_ZN4core10intrinsics9cold_path17h000fb78650bc1899E:
	.cfi_startproc
	retq
.Lfunc_end9:
	.size	_ZN4core10intrinsics9cold_path17h000fb78650bc1899E, .Lfunc_end9-_ZN4core10intrinsics9cold_path17h000fb78650bc1899E
	.cfi_endproc

	.section	".text._ZN4core3cmp5impls50_$LT$impl$u20$core..cmp..Ord$u20$for$u20$$RF$A$GT$3cmp17hb91d03952b2030ddE","ax",@progbits
	.globl	_ZN4core3cmp5impls50_$LT$impl$u20$core..cmp..Ord$u20$for$u20$$RF$A$GT$3cmp17hb91d03952b2030ddE
	.p2align	4
	.type	_ZN4core3cmp5impls50_$LT$impl$u20$core..cmp..Ord$u20$for$u20$$RF$A$GT$3cmp17hb91d03952b2030ddE,@function
_ZN4core3cmp5impls50_$LT$impl$u20$core..cmp..Ord$u20$for$u20$$RF$A$GT$3cmp17hb91d03952b2030ddE:
	.cfi_startproc
	pushq	%rax
	.cfi_def_cfa_offset 16
	movq	%rsi, %rax
	movq	%rdi, %rcx
	movq	(%rcx), %rdi
	movq	8(%rcx), %rsi
	movq	(%rax), %rdx
	movq	8(%rax), %rcx
	callq	_ZN4core3str6traits48_$LT$impl$u20$core..cmp..Ord$u20$for$u20$str$GT$3cmp17h087ca8bc03d0319fE
	popq	%rcx
	.cfi_def_cfa_offset 8
	retq
.Lfunc_end10:
	.size	_ZN4core3cmp5impls50_$LT$impl$u20$core..cmp..Ord$u20$for$u20$$RF$A$GT$3cmp17hb91d03952b2030ddE, .Lfunc_end10-_ZN4core3cmp5impls50_$LT$impl$u20$core..cmp..Ord$u20$for$u20$$RF$A$GT$3cmp17hb91d03952b2030ddE
	.cfi_endproc

	.section	".text._ZN4core3num23_$LT$impl$u20$usize$GT$13unchecked_add18precondition_check17hd2799ff57f36804eE","ax",@progbits
	.p2align	4
	.type	_ZN4core3num23_$LT$impl$u20$usize$GT$13unchecked_add18precondition_check17hd2799ff57f36804eE,@function
_ZN4core3num23_$LT$impl$u20$usize$GT$13unchecked_add18precondition_check17hd2799ff57f36804eE:
	.cfi_startproc
	pushq	%rax
	.cfi_def_cfa_offset 16
	movq	%rdi, %rax
	movq	%rdx, (%rsp)
	movq	%rax, %rdi
	addq	%rsi, %rdi
	cmpq	%rax, %rdi
	jb	.LBB11_2
	popq	%rax
	.cfi_def_cfa_offset 8
	retq
.LBB11_2:
	.cfi_def_cfa_offset 16
	movq	(%rsp), %rcx
	leaq	.Lanon.60bed5dcf488807794e55d614a93ec96.9(%rip), %rdi
	movl	$373, %esi
	xorl	%edx, %edx
	callq	*_RNvNtCsgEmfK2I1SDS_4core9panicking18panic_nounwind_fmt@GOTPCREL(%rip)
.Lfunc_end11:
	.size	_ZN4core3num23_$LT$impl$u20$usize$GT$13unchecked_add18precondition_check17hd2799ff57f36804eE, .Lfunc_end11-_ZN4core3num23_$LT$impl$u20$usize$GT$13unchecked_add18precondition_check17hd2799ff57f36804eE
	.cfi_endproc

	.section	".text._ZN4core3num7nonzero16NonZero$LT$T$GT$13new_unchecked18precondition_check17h51ad5d2fb456d2f0E","ax",@progbits
	.p2align	4
	.type	_ZN4core3num7nonzero16NonZero$LT$T$GT$13new_unchecked18precondition_check17h51ad5d2fb456d2f0E,@function
_ZN4core3num7nonzero16NonZero$LT$T$GT$13new_unchecked18precondition_check17h51ad5d2fb456d2f0E:
	.cfi_startproc
	pushq	%rax
	.cfi_def_cfa_offset 16
	movq	%rdi, %rcx
	leaq	.Lanon.60bed5dcf488807794e55d614a93ec96.10(%rip), %rdi
	movl	$419, %esi
	xorl	%edx, %edx
	callq	*_RNvNtCsgEmfK2I1SDS_4core9panicking18panic_nounwind_fmt@GOTPCREL(%rip)
.Lfunc_end12:
	.size	_ZN4core3num7nonzero16NonZero$LT$T$GT$13new_unchecked18precondition_check17h51ad5d2fb456d2f0E, .Lfunc_end12-_ZN4core3num7nonzero16NonZero$LT$T$GT$13new_unchecked18precondition_check17h51ad5d2fb456d2f0E
	.cfi_endproc

	.section	".text._ZN4core3ops8function5impls79_$LT$impl$u20$core..ops..function..FnMut$LT$A$GT$$u20$for$u20$$RF$mut$u20$F$GT$8call_mut17h83d195ef7061dd8aE","ax",@progbits
	.globl	_ZN4core3ops8function5impls79_$LT$impl$u20$core..ops..function..FnMut$LT$A$GT$$u20$for$u20$$RF$mut$u20$F$GT$8call_mut17h83d195ef7061dd8aE
	.p2align	4
	.type	_ZN4core3ops8function5impls79_$LT$impl$u20$core..ops..function..FnMut$LT$A$GT$$u20$for$u20$$RF$mut$u20$F$GT$8call_mut17h83d195ef7061dd8aE,@function
_ZN4core3ops8function5impls79_$LT$impl$u20$core..ops..function..FnMut$LT$A$GT$$u20$for$u20$$RF$mut$u20$F$GT$8call_mut17h83d195ef7061dd8aE:
	.cfi_startproc
	pushq	%rax
	.cfi_def_cfa_offset 16
	movq	%rsi, (%rsp)
	movq	(%rdi), %rdi
	movq	(%rsp), %rsi
	callq	_ZN98_$LT$core..str..IsNotEmpty$u20$as$u20$core..ops..function..FnMut$LT$$LP$$RF$$RF$str$C$$RP$$GT$$GT$8call_mut17h2824ec1f5ef945abE
	andb	$1, %al
	popq	%rcx
	.cfi_def_cfa_offset 8
	retq
.Lfunc_end13:
	.size	_ZN4core3ops8function5impls79_$LT$impl$u20$core..ops..function..FnMut$LT$A$GT$$u20$for$u20$$RF$mut$u20$F$GT$8call_mut17h83d195ef7061dd8aE, .Lfunc_end13-_ZN4core3ops8function5impls79_$LT$impl$u20$core..ops..function..FnMut$LT$A$GT$$u20$for$u20$$RF$mut$u20$F$GT$8call_mut17h83d195ef7061dd8aE
	.cfi_endproc

	.section	".text._ZN4core3ptr110drop_in_place$LT$alloc..boxed..Box$LT$alloc..collections..btree..node..LeafNode$LT$$RF$str$C$usize$GT$$GT$$GT$17h23e2ea1a996ad292E","ax",@progbits
	.globl	_ZN4core3ptr110drop_in_place$LT$alloc..boxed..Box$LT$alloc..collections..btree..node..LeafNode$LT$$RF$str$C$usize$GT$$GT$$GT$17h23e2ea1a996ad292E
	.p2align	4
	.type	_ZN4core3ptr110drop_in_place$LT$alloc..boxed..Box$LT$alloc..collections..btree..node..LeafNode$LT$$RF$str$C$usize$GT$$GT$$GT$17h23e2ea1a996ad292E,@function
_ZN4core3ptr110drop_in_place$LT$alloc..boxed..Box$LT$alloc..collections..btree..node..LeafNode$LT$$RF$str$C$usize$GT$$GT$$GT$17h23e2ea1a996ad292E:
	.cfi_startproc
	subq	$24, %rsp
	.cfi_def_cfa_offset 32
	movq	%rdi, (%rsp)
	movq	(%rsp), %rdi
	callq	*_ZN72_$LT$alloc..boxed..Box$LT$T$C$A$GT$$u20$as$u20$core..ops..drop..Drop$GT$4drop17h14d0fa44809cd2ffE@GOTPCREL(%rip)
	addq	$24, %rsp
	.cfi_def_cfa_offset 8
	retq
.Lfunc_end14:
	.size	_ZN4core3ptr110drop_in_place$LT$alloc..boxed..Box$LT$alloc..collections..btree..node..LeafNode$LT$$RF$str$C$usize$GT$$GT$$GT$17h23e2ea1a996ad292E, .Lfunc_end14-_ZN4core3ptr110drop_in_place$LT$alloc..boxed..Box$LT$alloc..collections..btree..node..LeafNode$LT$$RF$str$C$usize$GT$$GT$$GT$17h23e2ea1a996ad292E
	.cfi_endproc

	.section	".text._ZN4core3ptr114drop_in_place$LT$alloc..boxed..Box$LT$alloc..collections..btree..node..InternalNode$LT$$RF$str$C$usize$GT$$GT$$GT$17ha35d72ff7ad94174E","ax",@progbits
	.globl	_ZN4core3ptr114drop_in_place$LT$alloc..boxed..Box$LT$alloc..collections..btree..node..InternalNode$LT$$RF$str$C$usize$GT$$GT$$GT$17ha35d72ff7ad94174E
	.p2align	4
	.type	_ZN4core3ptr114drop_in_place$LT$alloc..boxed..Box$LT$alloc..collections..btree..node..InternalNode$LT$$RF$str$C$usize$GT$$GT$$GT$17ha35d72ff7ad94174E,@function
_ZN4core3ptr114drop_in_place$LT$alloc..boxed..Box$LT$alloc..collections..btree..node..InternalNode$LT$$RF$str$C$usize$GT$$GT$$GT$17ha35d72ff7ad94174E:
	.cfi_startproc
	subq	$24, %rsp
	.cfi_def_cfa_offset 32
	movq	%rdi, (%rsp)
	movq	(%rsp), %rdi
	callq	*_ZN72_$LT$alloc..boxed..Box$LT$T$C$A$GT$$u20$as$u20$core..ops..drop..Drop$GT$4drop17h13f6de1fbab85e60E@GOTPCREL(%rip)
	addq	$24, %rsp
	.cfi_def_cfa_offset 8
	retq
.Lfunc_end15:
	.size	_ZN4core3ptr114drop_in_place$LT$alloc..boxed..Box$LT$alloc..collections..btree..node..InternalNode$LT$$RF$str$C$usize$GT$$GT$$GT$17ha35d72ff7ad94174E, .Lfunc_end15-_ZN4core3ptr114drop_in_place$LT$alloc..boxed..Box$LT$alloc..collections..btree..node..InternalNode$LT$$RF$str$C$usize$GT$$GT$$GT$17ha35d72ff7ad94174E
	.cfi_endproc

	.section	".text._ZN4core3ptr182drop_in_place$LT$$LT$alloc..collections..btree..map..IntoIter$LT$K$C$V$C$A$GT$$u20$as$u20$core..ops..drop..Drop$GT$..drop..DropGuard$LT$$RF$str$C$usize$C$alloc..alloc..Global$GT$$GT$17h2b2e7e4c5fc5acc2E","ax",@progbits
	.globl	_ZN4core3ptr182drop_in_place$LT$$LT$alloc..collections..btree..map..IntoIter$LT$K$C$V$C$A$GT$$u20$as$u20$core..ops..drop..Drop$GT$..drop..DropGuard$LT$$RF$str$C$usize$C$alloc..alloc..Global$GT$$GT$17h2b2e7e4c5fc5acc2E
	.p2align	4
	.type	_ZN4core3ptr182drop_in_place$LT$$LT$alloc..collections..btree..map..IntoIter$LT$K$C$V$C$A$GT$$u20$as$u20$core..ops..drop..Drop$GT$..drop..DropGuard$LT$$RF$str$C$usize$C$alloc..alloc..Global$GT$$GT$17h2b2e7e4c5fc5acc2E,@function
_ZN4core3ptr182drop_in_place$LT$$LT$alloc..collections..btree..map..IntoIter$LT$K$C$V$C$A$GT$$u20$as$u20$core..ops..drop..Drop$GT$..drop..DropGuard$LT$$RF$str$C$usize$C$alloc..alloc..Global$GT$$GT$17h2b2e7e4c5fc5acc2E:
	.cfi_startproc
	pushq	%rax
	.cfi_def_cfa_offset 16
	callq	*_ZN174_$LT$$LT$alloc..collections..btree..map..IntoIter$LT$K$C$V$C$A$GT$$u20$as$u20$core..ops..drop..Drop$GT$..drop..DropGuard$LT$K$C$V$C$A$GT$$u20$as$u20$core..ops..drop..Drop$GT$4drop17h492e709e949ffab9E@GOTPCREL(%rip)
	popq	%rax
	.cfi_def_cfa_offset 8
	retq
.Lfunc_end16:
	.size	_ZN4core3ptr182drop_in_place$LT$$LT$alloc..collections..btree..map..IntoIter$LT$K$C$V$C$A$GT$$u20$as$u20$core..ops..drop..Drop$GT$..drop..DropGuard$LT$$RF$str$C$usize$C$alloc..alloc..Global$GT$$GT$17h2b2e7e4c5fc5acc2E, .Lfunc_end16-_ZN4core3ptr182drop_in_place$LT$$LT$alloc..collections..btree..map..IntoIter$LT$K$C$V$C$A$GT$$u20$as$u20$core..ops..drop..Drop$GT$..drop..DropGuard$LT$$RF$str$C$usize$C$alloc..alloc..Global$GT$$GT$17h2b2e7e4c5fc5acc2E
	.cfi_endproc

	.section	.text._ZN4core3ptr19copy_nonoverlapping18precondition_check17h3515000c4290bab4E,"ax",@progbits
	.p2align	4
	.type	_ZN4core3ptr19copy_nonoverlapping18precondition_check17h3515000c4290bab4E,@function
_ZN4core3ptr19copy_nonoverlapping18precondition_check17h3515000c4290bab4E:
.Lfunc_begin1:
	.cfi_startproc
	.cfi_personality 155, DW.ref.rust_eh_personality
	.cfi_lsda 27, .Lexception1
	subq	$72, %rsp
	.cfi_def_cfa_offset 80
	movq	%rdi, 16(%rsp)
	movq	%rsi, 24(%rsp)
	movq	%rdx, 32(%rsp)
	movq	%rcx, 40(%rsp)
	movq	%r8, 48(%rsp)
	movq	%r9, 56(%rsp)
	cmpq	$0, %r8
	jne	.LBB17_2
	movb	$1, 71(%rsp)
	jmp	.LBB17_3
.LBB17_2:
	movq	32(%rsp), %rax
	cmpq	$0, %rax
	sete	%al
	andb	$1, %al
	movb	%al, 71(%rsp)
.LBB17_3:
	movq	40(%rsp), %rsi
	movq	16(%rsp), %rdi
	movb	71(%rsp), %al
	movb	%al, 14(%rsp)
.Ltmp3:
	movq	_ZN4core3ptr9const_ptr33_$LT$impl$u20$$BP$const$u20$T$GT$13is_aligned_to17h48bac51544c7240eE@GOTPCREL(%rip), %rax
	callq	*%rax
.Ltmp4:
	movb	%al, 15(%rsp)
	jmp	.LBB17_5
.LBB17_4:
.Ltmp9:
	callq	*_RNvNtCsgEmfK2I1SDS_4core9panicking19panic_cannot_unwind@GOTPCREL(%rip)
.LBB17_5:
	movb	15(%rsp), %al
	testb	$1, %al
	jne	.LBB17_7
	jmp	.LBB17_6
.LBB17_6:
	jmp	.LBB17_8
.LBB17_7:
	movb	14(%rsp), %al
	testb	$1, %al
	jne	.LBB17_10
	jmp	.LBB17_9
.LBB17_8:
	jmp	.LBB17_12
.LBB17_9:
	movq	16(%rsp), %rax
	cmpq	$0, %rax
	sete	%al
	xorb	$-1, %al
	testb	$1, %al
	jne	.LBB17_11
	jmp	.LBB17_8
.LBB17_10:
	jmp	.LBB17_11
.LBB17_11:
.Ltmp5:
	movq	40(%rsp), %rsi
	movq	24(%rsp), %rdi
	movq	_ZN4core3ptr9const_ptr33_$LT$impl$u20$$BP$const$u20$T$GT$13is_aligned_to17h48bac51544c7240eE@GOTPCREL(%rip), %rax
	callq	*%rax
.Ltmp6:
	movb	%al, 13(%rsp)
	jmp	.LBB17_13
.LBB17_12:
	jmp	.LBB17_20
.LBB17_13:
	movb	13(%rsp), %al
	testb	$1, %al
	jne	.LBB17_15
	jmp	.LBB17_14
.LBB17_14:
	jmp	.LBB17_16
.LBB17_15:
	testb	$1, 71(%rsp)
	jne	.LBB17_18
	jmp	.LBB17_17
.LBB17_16:
	jmp	.LBB17_12
.LBB17_17:
	movq	24(%rsp), %rax
	cmpq	$0, %rax
	sete	%al
	xorb	$-1, %al
	testb	$1, %al
	jne	.LBB17_19
	jmp	.LBB17_16
.LBB17_18:
	jmp	.LBB17_19
.LBB17_19:
.Ltmp7:
	movq	48(%rsp), %rcx
	movq	32(%rsp), %rdx
	movq	24(%rsp), %rsi
	movq	16(%rsp), %rdi
	callq	_ZN4core9ub_checks23maybe_is_nonoverlapping7runtime17h085da5c86fb55443E
.Ltmp8:
	movb	%al, 12(%rsp)
	jmp	.LBB17_21
.LBB17_20:
	movq	56(%rsp), %rcx
	leaq	.Lanon.60bed5dcf488807794e55d614a93ec96.11(%rip), %rdi
	movl	$567, %esi
	xorl	%edx, %edx
	callq	*_RNvNtCsgEmfK2I1SDS_4core9panicking18panic_nounwind_fmt@GOTPCREL(%rip)
.LBB17_21:
	movb	12(%rsp), %al
	testb	$1, %al
	jne	.LBB17_22
	jmp	.LBB17_20
.LBB17_22:
	addq	$72, %rsp
	.cfi_def_cfa_offset 8
	retq
.Lfunc_end17:
	.size	_ZN4core3ptr19copy_nonoverlapping18precondition_check17h3515000c4290bab4E, .Lfunc_end17-_ZN4core3ptr19copy_nonoverlapping18precondition_check17h3515000c4290bab4E
	.cfi_endproc
	.section	.gcc_except_table._ZN4core3ptr19copy_nonoverlapping18precondition_check17h3515000c4290bab4E,"a",@progbits
	.p2align	2, 0x0
GCC_except_table17:
.Lexception1:
	.byte	255
	.byte	155
	.uleb128 .Lttbase0-.Lttbaseref0
.Lttbaseref0:
	.byte	1
	.uleb128 .Lcst_end1-.Lcst_begin1
.Lcst_begin1:
	.uleb128 .Ltmp3-.Lfunc_begin1
	.uleb128 .Ltmp8-.Ltmp3
	.uleb128 .Ltmp9-.Lfunc_begin1
	.byte	1
.Lcst_end1:
	.byte	127
	.byte	0
	.p2align	2, 0x0
.Lttbase0:
	.byte	0
	.p2align	2, 0x0

	.section	".text._ZN4core3ptr263drop_in_place$LT$alloc..collections..btree..node..Handle$LT$alloc..collections..btree..node..NodeRef$LT$alloc..collections..btree..node..marker..Dying$C$K$C$V$C$NodeType$GT$$C$alloc..collections..btree..node..marker..KV$GT$..drop_key_val..Dropper$LT$usize$GT$$GT$17hd37c9b2e9177a031E","ax",@progbits
	.globl	_ZN4core3ptr263drop_in_place$LT$alloc..collections..btree..node..Handle$LT$alloc..collections..btree..node..NodeRef$LT$alloc..collections..btree..node..marker..Dying$C$K$C$V$C$NodeType$GT$$C$alloc..collections..btree..node..marker..KV$GT$..drop_key_val..Dropper$LT$usize$GT$$GT$17hd37c9b2e9177a031E
	.p2align	4
	.type	_ZN4core3ptr263drop_in_place$LT$alloc..collections..btree..node..Handle$LT$alloc..collections..btree..node..NodeRef$LT$alloc..collections..btree..node..marker..Dying$C$K$C$V$C$NodeType$GT$$C$alloc..collections..btree..node..marker..KV$GT$..drop_key_val..Dropper$LT$usize$GT$$GT$17hd37c9b2e9177a031E,@function
_ZN4core3ptr263drop_in_place$LT$alloc..collections..btree..node..Handle$LT$alloc..collections..btree..node..NodeRef$LT$alloc..collections..btree..node..marker..Dying$C$K$C$V$C$NodeType$GT$$C$alloc..collections..btree..node..marker..KV$GT$..drop_key_val..Dropper$LT$usize$GT$$GT$17hd37c9b2e9177a031E:
	.cfi_startproc
	pushq	%rax
	.cfi_def_cfa_offset 16
	callq	*_ZN280_$LT$alloc..collections..btree..node..Handle$LT$alloc..collections..btree..node..NodeRef$LT$alloc..collections..btree..node..marker..Dying$C$K$C$V$C$NodeType$GT$$C$alloc..collections..btree..node..marker..KV$GT$..drop_key_val..Dropper$LT$T$GT$$u20$as$u20$core..ops..drop..Drop$GT$4drop17h8e8ce08b7c8e0bd3E@GOTPCREL(%rip)
	popq	%rax
	.cfi_def_cfa_offset 8
	retq
.Lfunc_end18:
	.size	_ZN4core3ptr263drop_in_place$LT$alloc..collections..btree..node..Handle$LT$alloc..collections..btree..node..NodeRef$LT$alloc..collections..btree..node..marker..Dying$C$K$C$V$C$NodeType$GT$$C$alloc..collections..btree..node..marker..KV$GT$..drop_key_val..Dropper$LT$usize$GT$$GT$17hd37c9b2e9177a031E, .Lfunc_end18-_ZN4core3ptr263drop_in_place$LT$alloc..collections..btree..node..Handle$LT$alloc..collections..btree..node..NodeRef$LT$alloc..collections..btree..node..marker..Dying$C$K$C$V$C$NodeType$GT$$C$alloc..collections..btree..node..marker..KV$GT$..drop_key_val..Dropper$LT$usize$GT$$GT$17hd37c9b2e9177a031E
	.cfi_endproc

	.section	.text._ZN4core3ptr4copy18precondition_check17h4c552203c29d528cE,"ax",@progbits
	.p2align	4
	.type	_ZN4core3ptr4copy18precondition_check17h4c552203c29d528cE,@function
_ZN4core3ptr4copy18precondition_check17h4c552203c29d528cE:
.Lfunc_begin2:
	.cfi_startproc
	.cfi_personality 155, DW.ref.rust_eh_personality
	.cfi_lsda 27, .Lexception2
	subq	$72, %rsp
	.cfi_def_cfa_offset 80
	movq	%r8, 8(%rsp)
	movq	%rdx, 16(%rsp)
	movq	%rsi, %rax
	movq	16(%rsp), %rsi
	movq	%rax, 24(%rsp)
	movq	%rdi, 32(%rsp)
	movb	%cl, %al
	movb	%al, 46(%rsp)
.Ltmp10:
	movq	_ZN4core3ptr9const_ptr33_$LT$impl$u20$$BP$const$u20$T$GT$13is_aligned_to17h48bac51544c7240eE@GOTPCREL(%rip), %rax
	callq	*%rax
.Ltmp11:
	movb	%al, 47(%rsp)
	jmp	.LBB19_2
.LBB19_1:
.Ltmp16:
	callq	*_RNvNtCsgEmfK2I1SDS_4core9panicking19panic_cannot_unwind@GOTPCREL(%rip)
.LBB19_2:
	movb	47(%rsp), %al
	testb	$1, %al
	jne	.LBB19_4
	jmp	.LBB19_3
.LBB19_3:
	jmp	.LBB19_5
.LBB19_4:
	movb	46(%rsp), %al
	testb	$1, %al
	jne	.LBB19_7
	jmp	.LBB19_6
.LBB19_5:
	jmp	.LBB19_9
.LBB19_6:
	movq	32(%rsp), %rax
	cmpq	$0, %rax
	sete	%al
	xorb	$-1, %al
	testb	$1, %al
	jne	.LBB19_8
	jmp	.LBB19_5
.LBB19_7:
	movq	16(%rsp), %rsi
	movq	24(%rsp), %rax
	movq	%rax, 48(%rsp)
	movq	%rsi, 56(%rsp)
	movq	48(%rsp), %rdi
.Ltmp14:
	movq	_ZN4core3ptr9const_ptr33_$LT$impl$u20$$BP$const$u20$T$GT$13is_aligned_to17h48bac51544c7240eE@GOTPCREL(%rip), %rax
	callq	*%rax
.Ltmp15:
	movb	%al, 7(%rsp)
	jmp	.LBB19_15
.LBB19_8:
	movq	16(%rsp), %rsi
	movq	24(%rsp), %rax
	movq	%rax, 48(%rsp)
	movq	%rsi, 56(%rsp)
	movq	48(%rsp), %rdi
.Ltmp12:
	movq	_ZN4core3ptr9const_ptr33_$LT$impl$u20$$BP$const$u20$T$GT$13is_aligned_to17h48bac51544c7240eE@GOTPCREL(%rip), %rax
	callq	*%rax
.Ltmp13:
	movb	%al, 6(%rsp)
	jmp	.LBB19_10
.LBB19_9:
	movq	8(%rsp), %rcx
	leaq	.Lanon.60bed5dcf488807794e55d614a93ec96.12(%rip), %rdi
	movl	$443, %esi
	xorl	%edx, %edx
	callq	*_RNvNtCsgEmfK2I1SDS_4core9panicking18panic_nounwind_fmt@GOTPCREL(%rip)
.LBB19_10:
	movb	6(%rsp), %al
	andb	$1, %al
	movb	%al, 71(%rsp)
	testb	$1, 71(%rsp)
	jne	.LBB19_12
.LBB19_11:
	jmp	.LBB19_13
.LBB19_12:
	movq	24(%rsp), %rax
	cmpq	$0, %rax
	sete	%al
	xorb	$-1, %al
	testb	$1, %al
	jne	.LBB19_14
.LBB19_13:
	jmp	.LBB19_9
.LBB19_14:
	addq	$72, %rsp
	.cfi_def_cfa_offset 8
	retq
.LBB19_15:
	.cfi_def_cfa_offset 80
	movb	7(%rsp), %al
	andb	$1, %al
	movb	%al, 71(%rsp)
	testb	$1, 71(%rsp)
	je	.LBB19_11
	jmp	.LBB19_14
.Lfunc_end19:
	.size	_ZN4core3ptr4copy18precondition_check17h4c552203c29d528cE, .Lfunc_end19-_ZN4core3ptr4copy18precondition_check17h4c552203c29d528cE
	.cfi_endproc
	.section	.gcc_except_table._ZN4core3ptr4copy18precondition_check17h4c552203c29d528cE,"a",@progbits
	.p2align	2, 0x0
GCC_except_table19:
.Lexception2:
	.byte	255
	.byte	155
	.uleb128 .Lttbase1-.Lttbaseref1
.Lttbaseref1:
	.byte	1
	.uleb128 .Lcst_end2-.Lcst_begin2
.Lcst_begin2:
	.uleb128 .Ltmp10-.Lfunc_begin2
	.uleb128 .Ltmp13-.Ltmp10
	.uleb128 .Ltmp16-.Lfunc_begin2
	.byte	1
.Lcst_end2:
	.byte	127
	.byte	0
	.p2align	2, 0x0
.Lttbase1:
	.byte	0
	.p2align	2, 0x0

	.section	".text._ZN4core3ptr72drop_in_place$LT$alloc..collections..btree..mem..replace..PanicGuard$GT$17h588ec0e9d14dfe47E","ax",@progbits
	.globl	_ZN4core3ptr72drop_in_place$LT$alloc..collections..btree..mem..replace..PanicGuard$GT$17h588ec0e9d14dfe47E
	.p2align	4
	.type	_ZN4core3ptr72drop_in_place$LT$alloc..collections..btree..mem..replace..PanicGuard$GT$17h588ec0e9d14dfe47E,@function
_ZN4core3ptr72drop_in_place$LT$alloc..collections..btree..mem..replace..PanicGuard$GT$17h588ec0e9d14dfe47E:
	.cfi_startproc
	pushq	%rax
	.cfi_def_cfa_offset 16
	callq	_ZN93_$LT$alloc..collections..btree..mem..replace..PanicGuard$u20$as$u20$core..ops..drop..Drop$GT$4drop17h0193b8cb1fffbfe2E
	popq	%rax
	.cfi_def_cfa_offset 8
	retq
.Lfunc_end20:
	.size	_ZN4core3ptr72drop_in_place$LT$alloc..collections..btree..mem..replace..PanicGuard$GT$17h588ec0e9d14dfe47E, .Lfunc_end20-_ZN4core3ptr72drop_in_place$LT$alloc..collections..btree..mem..replace..PanicGuard$GT$17h588ec0e9d14dfe47E
	.cfi_endproc

	.section	".text._ZN4core3ptr84drop_in_place$LT$alloc..collections..btree..map..BTreeMap$LT$$RF$str$C$usize$GT$$GT$17h249b58a81af8b337E","ax",@progbits
	.globl	_ZN4core3ptr84drop_in_place$LT$alloc..collections..btree..map..BTreeMap$LT$$RF$str$C$usize$GT$$GT$17h249b58a81af8b337E
	.p2align	4
	.type	_ZN4core3ptr84drop_in_place$LT$alloc..collections..btree..map..BTreeMap$LT$$RF$str$C$usize$GT$$GT$17h249b58a81af8b337E,@function
_ZN4core3ptr84drop_in_place$LT$alloc..collections..btree..map..BTreeMap$LT$$RF$str$C$usize$GT$$GT$17h249b58a81af8b337E:
	.cfi_startproc
	pushq	%rax
	.cfi_def_cfa_offset 16
	callq	*_ZN99_$LT$alloc..collections..btree..map..BTreeMap$LT$K$C$V$C$A$GT$$u20$as$u20$core..ops..drop..Drop$GT$4drop17hf310fff69b47d653E@GOTPCREL(%rip)
	popq	%rax
	.cfi_def_cfa_offset 8
	retq
.Lfunc_end21:
	.size	_ZN4core3ptr84drop_in_place$LT$alloc..collections..btree..map..BTreeMap$LT$$RF$str$C$usize$GT$$GT$17h249b58a81af8b337E, .Lfunc_end21-_ZN4core3ptr84drop_in_place$LT$alloc..collections..btree..map..BTreeMap$LT$$RF$str$C$usize$GT$$GT$17h249b58a81af8b337E
	.cfi_endproc

	.section	".text._ZN4core3ptr84drop_in_place$LT$alloc..collections..btree..map..IntoIter$LT$$RF$str$C$usize$GT$$GT$17h556d401709cb0fecE","ax",@progbits
	.globl	_ZN4core3ptr84drop_in_place$LT$alloc..collections..btree..map..IntoIter$LT$$RF$str$C$usize$GT$$GT$17h556d401709cb0fecE
	.p2align	4
	.type	_ZN4core3ptr84drop_in_place$LT$alloc..collections..btree..map..IntoIter$LT$$RF$str$C$usize$GT$$GT$17h556d401709cb0fecE,@function
_ZN4core3ptr84drop_in_place$LT$alloc..collections..btree..map..IntoIter$LT$$RF$str$C$usize$GT$$GT$17h556d401709cb0fecE:
	.cfi_startproc
	pushq	%rax
	.cfi_def_cfa_offset 16
	callq	*_ZN99_$LT$alloc..collections..btree..map..IntoIter$LT$K$C$V$C$A$GT$$u20$as$u20$core..ops..drop..Drop$GT$4drop17h3b9a8d62ab89c99cE@GOTPCREL(%rip)
	popq	%rax
	.cfi_def_cfa_offset 8
	retq
.Lfunc_end22:
	.size	_ZN4core3ptr84drop_in_place$LT$alloc..collections..btree..map..IntoIter$LT$$RF$str$C$usize$GT$$GT$17h556d401709cb0fecE, .Lfunc_end22-_ZN4core3ptr84drop_in_place$LT$alloc..collections..btree..map..IntoIter$LT$$RF$str$C$usize$GT$$GT$17h556d401709cb0fecE
	.cfi_endproc

	.section	".text._ZN4core3ptr8non_null16NonNull$LT$T$GT$13new_unchecked18precondition_check17h6026ee14bec0b41bE","ax",@progbits
	.p2align	4
	.type	_ZN4core3ptr8non_null16NonNull$LT$T$GT$13new_unchecked18precondition_check17h6026ee14bec0b41bE,@function
_ZN4core3ptr8non_null16NonNull$LT$T$GT$13new_unchecked18precondition_check17h6026ee14bec0b41bE:
	.cfi_startproc
	pushq	%rax
	.cfi_def_cfa_offset 16
	movq	%rsi, (%rsp)
	cmpq	$0, %rdi
	jne	.LBB23_2
	movq	(%rsp), %rcx
	leaq	.Lanon.60bed5dcf488807794e55d614a93ec96.13(%rip), %rdi
	movl	$421, %esi
	xorl	%edx, %edx
	callq	*_RNvNtCsgEmfK2I1SDS_4core9panicking18panic_nounwind_fmt@GOTPCREL(%rip)
.LBB23_2:
	popq	%rax
	.cfi_def_cfa_offset 8
	retq
.Lfunc_end23:
	.size	_ZN4core3ptr8non_null16NonNull$LT$T$GT$13new_unchecked18precondition_check17h6026ee14bec0b41bE, .Lfunc_end23-_ZN4core3ptr8non_null16NonNull$LT$T$GT$13new_unchecked18precondition_check17h6026ee14bec0b41bE
	.cfi_endproc

	.section	.text._ZN4core3ptr9alignment9Alignment13new_unchecked18precondition_check17hd44f83070c40cd11E,"ax",@progbits
	.p2align	4
	.type	_ZN4core3ptr9alignment9Alignment13new_unchecked18precondition_check17hd44f83070c40cd11E,@function
_ZN4core3ptr9alignment9Alignment13new_unchecked18precondition_check17hd44f83070c40cd11E:
	.cfi_startproc
	subq	$24, %rsp
	.cfi_def_cfa_offset 32
	movq	%rdi, %rcx
	movq	%rsi, 8(%rsp)
	movq	%rcx, %rax
	shrq	%rax
	movabsq	$6148914691236517205, %rdx
	andq	%rdx, %rax
	subq	%rax, %rcx
	movabsq	$3689348814741910323, %rdx
	movq	%rcx, %rax
	andq	%rdx, %rax
	shrq	$2, %rcx
	andq	%rdx, %rcx
	addq	%rcx, %rax
	movq	%rax, %rcx
	shrq	$4, %rcx
	addq	%rcx, %rax
	movabsq	$1085102592571150095, %rcx
	andq	%rcx, %rax
	movabsq	$72340172838076673, %rcx
	imulq	%rcx, %rax
	shrq	$56, %rax
	movl	%eax, 20(%rsp)
	cmpl	$1, 20(%rsp)
	jne	.LBB24_2
	addq	$24, %rsp
	.cfi_def_cfa_offset 8
	retq
.LBB24_2:
	.cfi_def_cfa_offset 32
	movq	8(%rsp), %rcx
	leaq	.Lanon.60bed5dcf488807794e55d614a93ec96.14(%rip), %rdi
	movl	$397, %esi
	xorl	%edx, %edx
	callq	*_RNvNtCsgEmfK2I1SDS_4core9panicking18panic_nounwind_fmt@GOTPCREL(%rip)
.Lfunc_end24:
	.size	_ZN4core3ptr9alignment9Alignment13new_unchecked18precondition_check17hd44f83070c40cd11E, .Lfunc_end24-_ZN4core3ptr9alignment9Alignment13new_unchecked18precondition_check17hd44f83070c40cd11E
	.cfi_endproc

	.section	".text._ZN4core3ptr9const_ptr33_$LT$impl$u20$$BP$const$u20$T$GT$13is_aligned_to17h48bac51544c7240eE","ax",@progbits
	.globl	_ZN4core3ptr9const_ptr33_$LT$impl$u20$$BP$const$u20$T$GT$13is_aligned_to17h48bac51544c7240eE
	.p2align	4
	.type	_ZN4core3ptr9const_ptr33_$LT$impl$u20$$BP$const$u20$T$GT$13is_aligned_to17h48bac51544c7240eE,@function
_ZN4core3ptr9const_ptr33_$LT$impl$u20$$BP$const$u20$T$GT$13is_aligned_to17h48bac51544c7240eE:
	.cfi_startproc
	subq	$24, %rsp
	.cfi_def_cfa_offset 32
	movq	%rsi, %rcx
	movq	%rdi, (%rsp)
	movq	%rcx, 8(%rsp)
	movq	%rcx, %rax
	shrq	%rax
	movabsq	$6148914691236517205, %rdx
	andq	%rdx, %rax
	subq	%rax, %rcx
	movabsq	$3689348814741910323, %rdx
	movq	%rcx, %rax
	andq	%rdx, %rax
	shrq	$2, %rcx
	andq	%rdx, %rcx
	addq	%rcx, %rax
	movq	%rax, %rcx
	shrq	$4, %rcx
	addq	%rcx, %rax
	movabsq	$1085102592571150095, %rcx
	andq	%rcx, %rax
	movabsq	$72340172838076673, %rcx
	imulq	%rcx, %rax
	shrq	$56, %rax
	movl	%eax, 20(%rsp)
	cmpl	$1, 20(%rsp)
	jne	.LBB25_2
	movq	(%rsp), %rax
	movq	8(%rsp), %rcx
	subq	$1, %rcx
	andq	%rcx, %rax
	cmpq	$0, %rax
	sete	%al
	andb	$1, %al
	addq	$24, %rsp
	.cfi_def_cfa_offset 8
	retq
.LBB25_2:
	.cfi_def_cfa_offset 32
	leaq	.Lanon.60bed5dcf488807794e55d614a93ec96.15(%rip), %rdi
	movl	$85, %esi
	leaq	.Lanon.60bed5dcf488807794e55d614a93ec96.17(%rip), %rdx
	callq	*_RNvNtCsgEmfK2I1SDS_4core9panicking9panic_fmt@GOTPCREL(%rip)
.Lfunc_end25:
	.size	_ZN4core3ptr9const_ptr33_$LT$impl$u20$$BP$const$u20$T$GT$13is_aligned_to17h48bac51544c7240eE, .Lfunc_end25-_ZN4core3ptr9const_ptr33_$LT$impl$u20$$BP$const$u20$T$GT$13is_aligned_to17h48bac51544c7240eE
	.cfi_endproc

	.section	".text._ZN4core3ptr9const_ptr33_$LT$impl$u20$$BP$const$u20$T$GT$20offset_from_unsigned18precondition_check17hd184f896dbd54bf0E","ax",@progbits
	.p2align	4
	.type	_ZN4core3ptr9const_ptr33_$LT$impl$u20$$BP$const$u20$T$GT$20offset_from_unsigned18precondition_check17hd184f896dbd54bf0E,@function
_ZN4core3ptr9const_ptr33_$LT$impl$u20$$BP$const$u20$T$GT$20offset_from_unsigned18precondition_check17hd184f896dbd54bf0E:
	.cfi_startproc
	pushq	%rax
	.cfi_def_cfa_offset 16
	movq	%rdx, (%rsp)
	cmpq	%rsi, %rdi
	jae	.LBB26_2
	movq	(%rsp), %rcx
	leaq	.Lanon.60bed5dcf488807794e55d614a93ec96.18(%rip), %rdi
	movl	$403, %esi
	xorl	%edx, %edx
	callq	*_RNvNtCsgEmfK2I1SDS_4core9panicking18panic_nounwind_fmt@GOTPCREL(%rip)
.LBB26_2:
	popq	%rax
	.cfi_def_cfa_offset 8
	retq
.Lfunc_end26:
	.size	_ZN4core3ptr9const_ptr33_$LT$impl$u20$$BP$const$u20$T$GT$20offset_from_unsigned18precondition_check17hd184f896dbd54bf0E, .Lfunc_end26-_ZN4core3ptr9const_ptr33_$LT$impl$u20$$BP$const$u20$T$GT$20offset_from_unsigned18precondition_check17hd184f896dbd54bf0E
	.cfi_endproc

	.section	.text._ZN4core3str11validations15next_code_point17h44015bfa6618d475E,"ax",@progbits
	.globl	_ZN4core3str11validations15next_code_point17h44015bfa6618d475E
	.p2align	4
	.type	_ZN4core3str11validations15next_code_point17h44015bfa6618d475E,@function
_ZN4core3str11validations15next_code_point17h44015bfa6618d475E:
	.cfi_startproc
	subq	$88, %rsp
	.cfi_def_cfa_offset 96
	movq	%rdi, 24(%rsp)
	callq	*_ZN91_$LT$core..slice..iter..Iter$LT$T$GT$$u20$as$u20$core..iter..traits..iterator..Iterator$GT$4next17hb24a66dc73e5ab50E@GOTPCREL(%rip)
	movq	%rax, 48(%rsp)
	movq	48(%rsp), %rdx
	movl	$1, %eax
	xorl	%ecx, %ecx
	cmpq	$0, %rdx
	cmoveq	%rcx, %rax
	testq	$1, %rax
	je	.LBB27_2
	movq	48(%rsp), %rax
	movq	%rax, 40(%rsp)
	movq	40(%rsp), %rax
	movb	(%rax), %al
	movb	%al, 23(%rsp)
	cmpb	$-128, %al
	jb	.LBB27_5
	jmp	.LBB27_4
.LBB27_2:
	movl	.Lanon.60bed5dcf488807794e55d614a93ec96.19(%rip), %ecx
	movl	.Lanon.60bed5dcf488807794e55d614a93ec96.19+4(%rip), %eax
	movl	%ecx, 32(%rsp)
	movl	%eax, 36(%rsp)
.LBB27_3:
	movl	32(%rsp), %eax
	movl	36(%rsp), %edx
	addq	$88, %rsp
	.cfi_def_cfa_offset 8
	retq
.LBB27_4:
	.cfi_def_cfa_offset 96
	movq	24(%rsp), %rdi
	movb	23(%rsp), %al
	andb	$31, %al
	movzbl	%al, %eax
	movl	%eax, 16(%rsp)
	callq	*_ZN91_$LT$core..slice..iter..Iter$LT$T$GT$$u20$as$u20$core..iter..traits..iterator..Iterator$GT$4next17hb24a66dc73e5ab50E@GOTPCREL(%rip)
	movq	%rax, 56(%rsp)
	movq	56(%rsp), %rdx
	movl	$1, %eax
	xorl	%ecx, %ecx
	cmpq	$0, %rdx
	cmoveq	%rcx, %rax
	testq	$1, %rax
	jne	.LBB27_6
	jmp	.LBB27_7
.LBB27_5:
	movb	23(%rsp), %al
	movzbl	%al, %eax
	movl	%eax, 36(%rsp)
	movl	$1, 32(%rsp)
	jmp	.LBB27_3
.LBB27_6:
	movb	23(%rsp), %al
	movl	16(%rsp), %ecx
	movq	56(%rsp), %rdx
	movb	(%rdx), %dl
	movb	%dl, 15(%rsp)
	shll	$6, %ecx
	andb	$63, %dl
	movzbl	%dl, %edx
	orl	%edx, %ecx
	movl	%ecx, 68(%rsp)
	cmpb	$-32, %al
	jae	.LBB27_10
	jmp	.LBB27_9
.LBB27_7:
	leaq	.Lanon.60bed5dcf488807794e55d614a93ec96.21(%rip), %rdi
	callq	_ZN4core4hint21unreachable_unchecked18precondition_check17h4a6be2bf84128ac9E
.LBB27_8:
	ud2
.LBB27_9:
	movl	68(%rsp), %eax
	movl	%eax, 36(%rsp)
	movl	$1, 32(%rsp)
	jmp	.LBB27_3
.LBB27_10:
	movq	24(%rsp), %rdi
	callq	*_ZN91_$LT$core..slice..iter..Iter$LT$T$GT$$u20$as$u20$core..iter..traits..iterator..Iterator$GT$4next17hb24a66dc73e5ab50E@GOTPCREL(%rip)
	movq	%rax, 72(%rsp)
	movq	72(%rsp), %rdx
	movl	$1, %eax
	xorl	%ecx, %ecx
	cmpq	$0, %rdx
	cmoveq	%rcx, %rax
	testq	$1, %rax
	je	.LBB27_12
	movb	23(%rsp), %al
	movl	16(%rsp), %ecx
	movb	15(%rsp), %dl
	movq	72(%rsp), %rsi
	movb	(%rsi), %sil
	andb	$63, %dl
	movzbl	%dl, %edx
	shll	$6, %edx
	andb	$63, %sil
	movzbl	%sil, %esi
	orl	%esi, %edx
	movl	%edx, 8(%rsp)
	shll	$12, %ecx
	orl	%edx, %ecx
	movl	%ecx, 68(%rsp)
	cmpb	$-16, %al
	jae	.LBB27_14
	jmp	.LBB27_13
.LBB27_12:
	leaq	.Lanon.60bed5dcf488807794e55d614a93ec96.22(%rip), %rdi
	callq	_ZN4core4hint21unreachable_unchecked18precondition_check17h4a6be2bf84128ac9E
	jmp	.LBB27_8
.LBB27_13:
	jmp	.LBB27_9
.LBB27_14:
	movq	24(%rsp), %rdi
	callq	*_ZN91_$LT$core..slice..iter..Iter$LT$T$GT$$u20$as$u20$core..iter..traits..iterator..Iterator$GT$4next17hb24a66dc73e5ab50E@GOTPCREL(%rip)
	movq	%rax, 80(%rsp)
	movq	80(%rsp), %rdx
	movl	$1, %eax
	xorl	%ecx, %ecx
	cmpq	$0, %rdx
	cmoveq	%rcx, %rax
	testq	$1, %rax
	je	.LBB27_16
	movl	8(%rsp), %ecx
	movl	16(%rsp), %eax
	movq	80(%rsp), %rdx
	movb	(%rdx), %dl
	andl	$7, %eax
	shll	$18, %eax
	shll	$6, %ecx
	andb	$63, %dl
	movzbl	%dl, %edx
	orl	%edx, %ecx
	orl	%ecx, %eax
	movl	%eax, 68(%rsp)
	jmp	.LBB27_13
.LBB27_16:
	leaq	.Lanon.60bed5dcf488807794e55d614a93ec96.23(%rip), %rdi
	callq	_ZN4core4hint21unreachable_unchecked18precondition_check17h4a6be2bf84128ac9E
	jmp	.LBB27_8
.Lfunc_end27:
	.size	_ZN4core3str11validations15next_code_point17h44015bfa6618d475E, .Lfunc_end27-_ZN4core3str11validations15next_code_point17h44015bfa6618d475E
	.cfi_endproc

	.section	".text._ZN4core3str21_$LT$impl$u20$str$GT$16split_whitespace17h7e6dab77ddc2513eE","ax",@progbits
	.p2align	4
	.type	_ZN4core3str21_$LT$impl$u20$str$GT$16split_whitespace17h7e6dab77ddc2513eE,@function
_ZN4core3str21_$LT$impl$u20$str$GT$16split_whitespace17h7e6dab77ddc2513eE:
	.cfi_startproc
	subq	$296, %rsp
	.cfi_def_cfa_offset 304
	movq	%rdx, (%rsp)
	movq	%rdi, 8(%rsp)
	movq	%rdi, 16(%rsp)
	leaq	256(%rsp), %rdi
	callq	*_ZN95_$LT$core..str..pattern..MultiCharEqPattern$LT$C$GT$$u20$as$u20$core..str..pattern..Pattern$GT$13into_searcher17hdcd66d732336c3e2E@GOTPCREL(%rip)
	leaq	216(%rsp), %rdi
	leaq	256(%rsp), %rsi
	movl	$40, %edx
	callq	memcpy@PLT
	movq	(%rsp), %rdx
	movq	$0, 152(%rsp)
	movq	%rdx, 160(%rsp)
	leaq	152(%rsp), %rdi
	addq	$16, %rdi
	leaq	216(%rsp), %rsi
	movl	$40, %edx
	callq	memcpy@PLT
	movb	$1, 208(%rsp)
	movb	$0, 209(%rsp)
	leaq	88(%rsp), %rdi
	leaq	152(%rsp), %rsi
	movl	$64, %edx
	callq	memcpy@PLT
	leaq	24(%rsp), %rdi
	leaq	88(%rsp), %rsi
	movl	$64, %edx
	callq	memcpy@PLT
	movq	8(%rsp), %rdi
	leaq	24(%rsp), %rsi
	movl	$64, %edx
	callq	memcpy@PLT
	movq	16(%rsp), %rax
	addq	$296, %rsp
	.cfi_def_cfa_offset 8
	retq
.Lfunc_end28:
	.size	_ZN4core3str21_$LT$impl$u20$str$GT$16split_whitespace17h7e6dab77ddc2513eE, .Lfunc_end28-_ZN4core3str21_$LT$impl$u20$str$GT$16split_whitespace17h7e6dab77ddc2513eE
	.cfi_endproc

	.section	".text._ZN4core3str21_$LT$impl$u20$str$GT$5chars17haa4db3c77f4cba1bE","ax",@progbits
	.p2align	4
	.type	_ZN4core3str21_$LT$impl$u20$str$GT$5chars17haa4db3c77f4cba1bE,@function
_ZN4core3str21_$LT$impl$u20$str$GT$5chars17haa4db3c77f4cba1bE:
	.cfi_startproc
	movq	%rdi, %rax
	movq	%rax, %rdx
	addq	%rsi, %rdx
	retq
.Lfunc_end29:
	.size	_ZN4core3str21_$LT$impl$u20$str$GT$5chars17haa4db3c77f4cba1bE, .Lfunc_end29-_ZN4core3str21_$LT$impl$u20$str$GT$5chars17haa4db3c77f4cba1bE
	.cfi_endproc

	.section	".text._ZN4core3str4iter22SplitInternal$LT$P$GT$4next17h5fbb668c6afd057aE","ax",@progbits
	.globl	_ZN4core3str4iter22SplitInternal$LT$P$GT$4next17h5fbb668c6afd057aE
	.p2align	4
	.type	_ZN4core3str4iter22SplitInternal$LT$P$GT$4next17h5fbb668c6afd057aE,@function
_ZN4core3str4iter22SplitInternal$LT$P$GT$4next17h5fbb668c6afd057aE:
	.cfi_startproc
	subq	$88, %rsp
	.cfi_def_cfa_offset 96
	movq	%rdi, 40(%rsp)
	testb	$1, 57(%rdi)
	jne	.LBB30_2
	movq	40(%rsp), %rdi
	addq	$16, %rdi
	callq	*_ZN99_$LT$core..str..pattern..CharPredicateSearcher$LT$F$GT$$u20$as$u20$core..str..pattern..Searcher$GT$8haystack17h74dfba9b90fba4b6E@GOTPCREL(%rip)
	movq	40(%rsp), %rsi
	movq	%rax, 24(%rsp)
	movq	%rdx, 32(%rsp)
	addq	$16, %rsi
	leaq	64(%rsp), %rdi
	callq	*_ZN99_$LT$core..str..pattern..CharPredicateSearcher$LT$F$GT$$u20$as$u20$core..str..pattern..Searcher$GT$10next_match17h37ceef45fb04cbbbE@GOTPCREL(%rip)
	testq	$1, 64(%rsp)
	jne	.LBB30_3
	jmp	.LBB30_4
.LBB30_2:
	movq	.Lanon.60bed5dcf488807794e55d614a93ec96.26(%rip), %rcx
	movq	.Lanon.60bed5dcf488807794e55d614a93ec96.26+8(%rip), %rax
	movq	%rcx, 48(%rsp)
	movq	%rax, 56(%rsp)
	jmp	.LBB30_8
.LBB30_3:
	movq	40(%rsp), %rax
	movq	72(%rsp), %rcx
	movq	%rcx, (%rsp)
	movq	80(%rsp), %rcx
	movq	%rcx, 8(%rsp)
	movq	(%rax), %rax
	movq	%rax, 16(%rsp)
	jmp	.LBB30_6
.LBB30_4:
	movq	40(%rsp), %rdi
	callq	*_ZN4core3str4iter22SplitInternal$LT$P$GT$7get_end17ha2989d586b787081E@GOTPCREL(%rip)
	movq	%rax, 48(%rsp)
	movq	%rdx, 56(%rsp)
.LBB30_5:
	jmp	.LBB30_8
.LBB30_6:
	movq	32(%rsp), %rdx
	movq	(%rsp), %rsi
	movq	16(%rsp), %rdi
	leaq	.Lanon.60bed5dcf488807794e55d614a93ec96.25(%rip), %rcx
	callq	_ZN4core3str6traits108_$LT$impl$u20$core..slice..index..SliceIndex$LT$str$GT$$u20$for$u20$core..ops..range..Range$LT$usize$GT$$GT$13get_unchecked18precondition_check17h4f49477e5b8c8febE
	movq	40(%rsp), %rdx
	movq	8(%rsp), %rsi
	movq	16(%rsp), %rdi
	movq	24(%rsp), %rcx
	movq	(%rsp), %rax
	subq	%rdi, %rax
	addq	%rdi, %rcx
	movq	%rsi, (%rdx)
	movq	%rcx, 48(%rsp)
	movq	%rax, 56(%rsp)
	jmp	.LBB30_5
.LBB30_8:
	movq	48(%rsp), %rax
	movq	56(%rsp), %rdx
	addq	$88, %rsp
	.cfi_def_cfa_offset 8
	retq
.Lfunc_end30:
	.size	_ZN4core3str4iter22SplitInternal$LT$P$GT$4next17h5fbb668c6afd057aE, .Lfunc_end30-_ZN4core3str4iter22SplitInternal$LT$P$GT$4next17h5fbb668c6afd057aE
	.cfi_endproc

	.section	".text._ZN4core3str4iter22SplitInternal$LT$P$GT$7get_end17ha2989d586b787081E","ax",@progbits
	.globl	_ZN4core3str4iter22SplitInternal$LT$P$GT$7get_end17ha2989d586b787081E
	.p2align	4
	.type	_ZN4core3str4iter22SplitInternal$LT$P$GT$7get_end17ha2989d586b787081E,@function
_ZN4core3str4iter22SplitInternal$LT$P$GT$7get_end17ha2989d586b787081E:
	.cfi_startproc
	subq	$56, %rsp
	.cfi_def_cfa_offset 64
	movq	%rdi, 32(%rsp)
	testb	$1, 57(%rdi)
	jne	.LBB31_2
	movq	32(%rsp), %rax
	movb	$1, 57(%rax)
	testb	$1, 56(%rax)
	jne	.LBB31_4
	jmp	.LBB31_3
.LBB31_2:
	movq	.Lanon.60bed5dcf488807794e55d614a93ec96.26(%rip), %rcx
	movq	.Lanon.60bed5dcf488807794e55d614a93ec96.26+8(%rip), %rax
	movq	%rcx, 40(%rsp)
	movq	%rax, 48(%rsp)
	jmp	.LBB31_9
.LBB31_3:
	movq	32(%rsp), %rcx
	movq	8(%rcx), %rax
	subq	(%rcx), %rax
	cmpq	$0, %rax
	ja	.LBB31_6
	jmp	.LBB31_5
.LBB31_4:
	movq	32(%rsp), %rdi
	addq	$16, %rdi
	callq	*_ZN99_$LT$core..str..pattern..CharPredicateSearcher$LT$F$GT$$u20$as$u20$core..str..pattern..Searcher$GT$8haystack17h74dfba9b90fba4b6E@GOTPCREL(%rip)
	movq	%rax, %rcx
	movq	32(%rsp), %rax
	movq	%rcx, (%rsp)
	movq	%rdx, 8(%rsp)
	movq	(%rax), %rcx
	movq	%rcx, 16(%rsp)
	movq	8(%rax), %rax
	movq	%rax, 24(%rsp)
	jmp	.LBB31_7
.LBB31_5:
	jmp	.LBB31_2
.LBB31_6:
	jmp	.LBB31_4
.LBB31_7:
	movq	8(%rsp), %rdx
	movq	24(%rsp), %rsi
	movq	16(%rsp), %rdi
	leaq	.Lanon.60bed5dcf488807794e55d614a93ec96.25(%rip), %rcx
	callq	_ZN4core3str6traits108_$LT$impl$u20$core..slice..index..SliceIndex$LT$str$GT$$u20$for$u20$core..ops..range..Range$LT$usize$GT$$GT$13get_unchecked18precondition_check17h4f49477e5b8c8febE
	movq	16(%rsp), %rdx
	movq	(%rsp), %rcx
	movq	24(%rsp), %rax
	subq	%rdx, %rax
	addq	%rdx, %rcx
	movq	%rcx, 40(%rsp)
	movq	%rax, 48(%rsp)
.LBB31_9:
	movq	40(%rsp), %rax
	movq	48(%rsp), %rdx
	addq	$56, %rsp
	.cfi_def_cfa_offset 8
	retq
.Lfunc_end31:
	.size	_ZN4core3str4iter22SplitInternal$LT$P$GT$7get_end17ha2989d586b787081E, .Lfunc_end31-_ZN4core3str4iter22SplitInternal$LT$P$GT$7get_end17ha2989d586b787081E
	.cfi_endproc

	.section	".text._ZN4core3str6traits108_$LT$impl$u20$core..slice..index..SliceIndex$LT$str$GT$$u20$for$u20$core..ops..range..Range$LT$usize$GT$$GT$13get_unchecked18precondition_check17h4f49477e5b8c8febE","ax",@progbits
	.p2align	4
	.type	_ZN4core3str6traits108_$LT$impl$u20$core..slice..index..SliceIndex$LT$str$GT$$u20$for$u20$core..ops..range..Range$LT$usize$GT$$GT$13get_unchecked18precondition_check17h4f49477e5b8c8febE,@function
_ZN4core3str6traits108_$LT$impl$u20$core..slice..index..SliceIndex$LT$str$GT$$u20$for$u20$core..ops..range..Range$LT$usize$GT$$GT$13get_unchecked18precondition_check17h4f49477e5b8c8febE:
	.cfi_startproc
	subq	$24, %rsp
	.cfi_def_cfa_offset 32
	movq	%rsi, (%rsp)
	movq	%rdx, 8(%rsp)
	movq	%rcx, 16(%rsp)
	cmpq	%rdi, %rsi
	jae	.LBB32_2
.LBB32_1:
	movq	16(%rsp), %rcx
	leaq	.Lanon.60bed5dcf488807794e55d614a93ec96.27(%rip), %rdi
	movl	$439, %esi
	xorl	%edx, %edx
	callq	*_RNvNtCsgEmfK2I1SDS_4core9panicking18panic_nounwind_fmt@GOTPCREL(%rip)
.LBB32_2:
	movq	(%rsp), %rax
	movq	8(%rsp), %rcx
	cmpq	%rcx, %rax
	ja	.LBB32_1
	addq	$24, %rsp
	.cfi_def_cfa_offset 8
	retq
.Lfunc_end32:
	.size	_ZN4core3str6traits108_$LT$impl$u20$core..slice..index..SliceIndex$LT$str$GT$$u20$for$u20$core..ops..range..Range$LT$usize$GT$$GT$13get_unchecked18precondition_check17h4f49477e5b8c8febE, .Lfunc_end32-_ZN4core3str6traits108_$LT$impl$u20$core..slice..index..SliceIndex$LT$str$GT$$u20$for$u20$core..ops..range..Range$LT$usize$GT$$GT$13get_unchecked18precondition_check17h4f49477e5b8c8febE
	.cfi_endproc

	.section	".text._ZN4core3str6traits48_$LT$impl$u20$core..cmp..Ord$u20$for$u20$str$GT$3cmp17h087ca8bc03d0319fE","ax",@progbits
	.p2align	4
	.type	_ZN4core3str6traits48_$LT$impl$u20$core..cmp..Ord$u20$for$u20$str$GT$3cmp17h087ca8bc03d0319fE,@function
_ZN4core3str6traits48_$LT$impl$u20$core..cmp..Ord$u20$for$u20$str$GT$3cmp17h087ca8bc03d0319fE:
	.cfi_startproc
	subq	$56, %rsp
	.cfi_def_cfa_offset 64
	movq	%rdi, (%rsp)
	movq	%rdx, 8(%rsp)
	movq	%rcx, 16(%rsp)
	movq	%rsi, 32(%rsp)
	movq	32(%rsp), %rax
	subq	%rcx, %rax
	movq	%rax, 24(%rsp)
	cmpq	%rcx, 32(%rsp)
	jb	.LBB33_2
	movq	16(%rsp), %rax
	movq	%rax, 32(%rsp)
.LBB33_2:
	movq	8(%rsp), %rsi
	movq	(%rsp), %rdi
	movq	32(%rsp), %rdx
	callq	*memcmp@GOTPCREL(%rip)
	movl	%eax, 52(%rsp)
	movslq	52(%rsp), %rax
	movq	%rax, 40(%rsp)
	cmpq	$0, 40(%rsp)
	jne	.LBB33_4
	movq	24(%rsp), %rax
	movq	%rax, 40(%rsp)
	jmp	.LBB33_5
.LBB33_4:
	jmp	.LBB33_5
.LBB33_5:
	movq	40(%rsp), %rax
	testq	%rax, %rax
	sets	%cl
	setg	%al
	subb	%cl, %al
	addq	$56, %rsp
	.cfi_def_cfa_offset 8
	retq
.Lfunc_end33:
	.size	_ZN4core3str6traits48_$LT$impl$u20$core..cmp..Ord$u20$for$u20$str$GT$3cmp17h087ca8bc03d0319fE, .Lfunc_end33-_ZN4core3str6traits48_$LT$impl$u20$core..cmp..Ord$u20$for$u20$str$GT$3cmp17h087ca8bc03d0319fE
	.cfi_endproc

	.section	.text._ZN4core3str7pattern8Searcher10next_match17hf4c3eaab9644d5feE,"ax",@progbits
	.globl	_ZN4core3str7pattern8Searcher10next_match17hf4c3eaab9644d5feE
	.p2align	4
	.type	_ZN4core3str7pattern8Searcher10next_match17hf4c3eaab9644d5feE,@function
_ZN4core3str7pattern8Searcher10next_match17hf4c3eaab9644d5feE:
	.cfi_startproc
	subq	$56, %rsp
	.cfi_def_cfa_offset 64
	movq	%rsi, 8(%rsp)
	movq	%rdi, 16(%rsp)
	movq	%rdi, 24(%rsp)
.LBB34_1:
	movq	8(%rsp), %rsi
	movq	_ZN97_$LT$core..str..pattern..MultiCharEqSearcher$LT$C$GT$$u20$as$u20$core..str..pattern..Searcher$GT$4next17h0c86af1d56a44c54E@GOTPCREL(%rip), %rax
	leaq	32(%rsp), %rdi
	callq	*%rax
	movq	32(%rsp), %rax
	movq	%rax, (%rsp)
	testq	%rax, %rax
	je	.LBB34_3
	jmp	.LBB34_7
.LBB34_7:
	movq	(%rsp), %rax
	subq	$1, %rax
	je	.LBB34_5
	jmp	.LBB34_8
.LBB34_8:
	jmp	.LBB34_4
	.cfi_def_cfa_offset 8
	ud2
.LBB34_3:
	.cfi_def_cfa_offset 64
	movq	16(%rsp), %rax
	movq	40(%rsp), %rdx
	movq	48(%rsp), %rcx
	movq	%rdx, 8(%rax)
	movq	%rcx, 16(%rax)
	movq	$1, (%rax)
	jmp	.LBB34_6
.LBB34_4:
	movq	16(%rsp), %rax
	movq	$0, (%rax)
	jmp	.LBB34_6
.LBB34_5:
	jmp	.LBB34_1
.LBB34_6:
	movq	24(%rsp), %rax
	addq	$56, %rsp
	.cfi_def_cfa_offset 8
	retq
.Lfunc_end34:
	.size	_ZN4core3str7pattern8Searcher10next_match17hf4c3eaab9644d5feE, .Lfunc_end34-_ZN4core3str7pattern8Searcher10next_match17hf4c3eaab9644d5feE
	.cfi_endproc

	.section	.text._ZN4core4char7convert18from_u32_unchecked18precondition_check17h9f859708d377d2b1E,"ax",@progbits
	.p2align	4
	.type	_ZN4core4char7convert18from_u32_unchecked18precondition_check17h9f859708d377d2b1E,@function
_ZN4core4char7convert18from_u32_unchecked18precondition_check17h9f859708d377d2b1E:
	.cfi_startproc
	pushq	%rax
	.cfi_def_cfa_offset 16
	movl	%edi, %eax
	movq	%rsi, (%rsp)
	xorl	$55296, %eax
	subl	$2048, %eax
	cmpl	$1112064, %eax
	jae	.LBB35_2
	popq	%rax
	.cfi_def_cfa_offset 8
	retq
.LBB35_2:
	.cfi_def_cfa_offset 16
	movq	(%rsp), %rcx
	leaq	.Lanon.60bed5dcf488807794e55d614a93ec96.28(%rip), %rdi
	movl	$349, %esi
	xorl	%edx, %edx
	callq	*_RNvNtCsgEmfK2I1SDS_4core9panicking18panic_nounwind_fmt@GOTPCREL(%rip)
.Lfunc_end35:
	.size	_ZN4core4char7convert18from_u32_unchecked18precondition_check17h9f859708d377d2b1E, .Lfunc_end35-_ZN4core4char7convert18from_u32_unchecked18precondition_check17h9f859708d377d2b1E
	.cfi_endproc

	.section	".text._ZN4core4char7methods22_$LT$impl$u20$char$GT$13is_whitespace17hcb5b29d6e50f8ce1E","ax",@progbits
	.p2align	4
	.type	_ZN4core4char7methods22_$LT$impl$u20$char$GT$13is_whitespace17hcb5b29d6e50f8ce1E,@function
_ZN4core4char7methods22_$LT$impl$u20$char$GT$13is_whitespace17hcb5b29d6e50f8ce1E:
	.cfi_startproc
	pushq	%rax
	.cfi_def_cfa_offset 16
	movl	%edi, (%rsp)
	cmpl	$32, %edi
	jne	.LBB36_2
.LBB36_1:
	movb	$1, 7(%rsp)
	jmp	.LBB36_8
.LBB36_2:
	movl	(%rsp), %ecx
	movl	$9, %eax
	cmpl	%ecx, %eax
	jbe	.LBB36_4
.LBB36_3:
	movl	(%rsp), %eax
	cmpl	$127, %eax
	ja	.LBB36_6
	jmp	.LBB36_5
.LBB36_4:
	movl	(%rsp), %eax
	cmpl	$13, %eax
	jbe	.LBB36_1
	jmp	.LBB36_3
.LBB36_5:
	movb	$0, 7(%rsp)
	jmp	.LBB36_7
.LBB36_6:
	movl	(%rsp), %edi
	callq	_ZN4core7unicode12unicode_data11white_space6lookup17ha49d5a7f3565283aE
	andb	$1, %al
	movb	%al, 7(%rsp)
.LBB36_7:
	jmp	.LBB36_8
.LBB36_8:
	movb	7(%rsp), %al
	andb	$1, %al
	popq	%rcx
	.cfi_def_cfa_offset 8
	retq
.Lfunc_end36:
	.size	_ZN4core4char7methods22_$LT$impl$u20$char$GT$13is_whitespace17hcb5b29d6e50f8ce1E, .Lfunc_end36-_ZN4core4char7methods22_$LT$impl$u20$char$GT$13is_whitespace17hcb5b29d6e50f8ce1E
	.cfi_endproc

	.section	.text._ZN4core4hint21unreachable_unchecked18precondition_check17h4a6be2bf84128ac9E,"ax",@progbits
	.p2align	4
	.type	_ZN4core4hint21unreachable_unchecked18precondition_check17h4a6be2bf84128ac9E,@function
_ZN4core4hint21unreachable_unchecked18precondition_check17h4a6be2bf84128ac9E:
	.cfi_startproc
	pushq	%rax
	.cfi_def_cfa_offset 16
	movq	%rdi, %rcx
	leaq	.Lanon.60bed5dcf488807794e55d614a93ec96.29(%rip), %rdi
	movl	$399, %esi
	xorl	%edx, %edx
	callq	*_RNvNtCsgEmfK2I1SDS_4core9panicking18panic_nounwind_fmt@GOTPCREL(%rip)
.Lfunc_end37:
	.size	_ZN4core4hint21unreachable_unchecked18precondition_check17h4a6be2bf84128ac9E, .Lfunc_end37-_ZN4core4hint21unreachable_unchecked18precondition_check17h4a6be2bf84128ac9E
	.cfi_endproc

	.section	".text._ZN4core4iter5range101_$LT$impl$u20$core..iter..traits..iterator..Iterator$u20$for$u20$core..ops..range..Range$LT$A$GT$$GT$4next17hc650005d808d7561E","ax",@progbits
	.globl	_ZN4core4iter5range101_$LT$impl$u20$core..iter..traits..iterator..Iterator$u20$for$u20$core..ops..range..Range$LT$A$GT$$GT$4next17hc650005d808d7561E
	.p2align	4
	.type	_ZN4core4iter5range101_$LT$impl$u20$core..iter..traits..iterator..Iterator$u20$for$u20$core..ops..range..Range$LT$A$GT$$GT$4next17hc650005d808d7561E,@function
_ZN4core4iter5range101_$LT$impl$u20$core..iter..traits..iterator..Iterator$u20$for$u20$core..ops..range..Range$LT$A$GT$$GT$4next17hc650005d808d7561E:
	.cfi_startproc
	pushq	%rax
	.cfi_def_cfa_offset 16
	movq	_ZN89_$LT$core..ops..range..Range$LT$T$GT$$u20$as$u20$core..iter..range..RangeIteratorImpl$GT$9spec_next17h2af7957d203de301E@GOTPCREL(%rip), %rax
	callq	*%rax
	popq	%rcx
	.cfi_def_cfa_offset 8
	retq
.Lfunc_end38:
	.size	_ZN4core4iter5range101_$LT$impl$u20$core..iter..traits..iterator..Iterator$u20$for$u20$core..ops..range..Range$LT$A$GT$$GT$4next17hc650005d808d7561E, .Lfunc_end38-_ZN4core4iter5range101_$LT$impl$u20$core..iter..traits..iterator..Iterator$u20$for$u20$core..ops..range..Range$LT$A$GT$$GT$4next17hc650005d808d7561E
	.cfi_endproc

	.section	".text._ZN4core4iter5range110_$LT$impl$u20$core..iter..traits..iterator..Iterator$u20$for$u20$core..ops..range..RangeInclusive$LT$A$GT$$GT$4next17h375a4cab0537736bE","ax",@progbits
	.globl	_ZN4core4iter5range110_$LT$impl$u20$core..iter..traits..iterator..Iterator$u20$for$u20$core..ops..range..RangeInclusive$LT$A$GT$$GT$4next17h375a4cab0537736bE
	.p2align	4
	.type	_ZN4core4iter5range110_$LT$impl$u20$core..iter..traits..iterator..Iterator$u20$for$u20$core..ops..range..RangeInclusive$LT$A$GT$$GT$4next17h375a4cab0537736bE,@function
_ZN4core4iter5range110_$LT$impl$u20$core..iter..traits..iterator..Iterator$u20$for$u20$core..ops..range..RangeInclusive$LT$A$GT$$GT$4next17h375a4cab0537736bE:
	.cfi_startproc
	pushq	%rax
	.cfi_def_cfa_offset 16
	movq	_ZN107_$LT$core..ops..range..RangeInclusive$LT$T$GT$$u20$as$u20$core..iter..range..RangeInclusiveIteratorImpl$GT$9spec_next17h7aecb9dd2f56aeecE@GOTPCREL(%rip), %rax
	callq	*%rax
	popq	%rcx
	.cfi_def_cfa_offset 8
	retq
.Lfunc_end39:
	.size	_ZN4core4iter5range110_$LT$impl$u20$core..iter..traits..iterator..Iterator$u20$for$u20$core..ops..range..RangeInclusive$LT$A$GT$$GT$4next17h375a4cab0537736bE, .Lfunc_end39-_ZN4core4iter5range110_$LT$impl$u20$core..iter..traits..iterator..Iterator$u20$for$u20$core..ops..range..RangeInclusive$LT$A$GT$$GT$4next17h375a4cab0537736bE
	.cfi_endproc

	.section	.text._ZN4core4iter6traits8iterator8Iterator3map17hd1c9914c947fc84dE,"ax",@progbits
	.globl	_ZN4core4iter6traits8iterator8Iterator3map17hd1c9914c947fc84dE
	.p2align	4
	.type	_ZN4core4iter6traits8iterator8Iterator3map17hd1c9914c947fc84dE,@function
_ZN4core4iter6traits8iterator8Iterator3map17hd1c9914c947fc84dE:
	.cfi_startproc
	movq	%rsi, %rdx
	movq	%rdi, %rax
	retq
.Lfunc_end40:
	.size	_ZN4core4iter6traits8iterator8Iterator3map17hd1c9914c947fc84dE, .Lfunc_end40-_ZN4core4iter6traits8iterator8Iterator3map17hd1c9914c947fc84dE
	.cfi_endproc

	.section	.text._ZN4core4iter6traits8iterator8Iterator3sum17hc2c07833d9ced386E,"ax",@progbits
	.globl	_ZN4core4iter6traits8iterator8Iterator3sum17hc2c07833d9ced386E
	.p2align	4
	.type	_ZN4core4iter6traits8iterator8Iterator3sum17hc2c07833d9ced386E,@function
_ZN4core4iter6traits8iterator8Iterator3sum17hc2c07833d9ced386E:
	.cfi_startproc
	pushq	%rax
	.cfi_def_cfa_offset 16
	callq	*_ZN54_$LT$f64$u20$as$u20$core..iter..traits..accum..Sum$GT$3sum17h8091c1fe1db2fe2cE@GOTPCREL(%rip)
	popq	%rax
	.cfi_def_cfa_offset 8
	retq
.Lfunc_end41:
	.size	_ZN4core4iter6traits8iterator8Iterator3sum17hc2c07833d9ced386E, .Lfunc_end41-_ZN4core4iter6traits8iterator8Iterator3sum17hc2c07833d9ced386E
	.cfi_endproc

	.section	.text._ZN4core4iter6traits8iterator8Iterator4find17haaff6a71f7dcbe43E,"ax",@progbits
	.globl	_ZN4core4iter6traits8iterator8Iterator4find17haaff6a71f7dcbe43E
	.p2align	4
	.type	_ZN4core4iter6traits8iterator8Iterator4find17haaff6a71f7dcbe43E,@function
_ZN4core4iter6traits8iterator8Iterator4find17haaff6a71f7dcbe43E:
	.cfi_startproc
	subq	$40, %rsp
	.cfi_def_cfa_offset 48
	callq	*_ZN4core4iter6traits8iterator8Iterator8try_fold17haac581ee2a8e7677E@GOTPCREL(%rip)
	movq	%rax, 24(%rsp)
	movq	%rdx, 32(%rsp)
	movq	24(%rsp), %rdx
	movl	$1, %eax
	xorl	%ecx, %ecx
	cmpq	$0, %rdx
	cmoveq	%rcx, %rax
	testq	$1, %rax
	je	.LBB42_2
	movq	24(%rsp), %rcx
	movq	32(%rsp), %rax
	movq	%rcx, 8(%rsp)
	movq	%rax, 16(%rsp)
	jmp	.LBB42_3
.LBB42_2:
	movq	$0, 8(%rsp)
.LBB42_3:
	movq	24(%rsp), %rdx
	movl	$1, %eax
	xorl	%ecx, %ecx
	cmpq	$0, %rdx
	cmoveq	%rcx, %rax
	testq	$1, %rax
	je	.LBB42_5
.LBB42_4:
	movq	8(%rsp), %rax
	movq	16(%rsp), %rdx
	addq	$40, %rsp
	.cfi_def_cfa_offset 8
	retq
.LBB42_5:
	.cfi_def_cfa_offset 48
	jmp	.LBB42_4
.Lfunc_end42:
	.size	_ZN4core4iter6traits8iterator8Iterator4find17haaff6a71f7dcbe43E, .Lfunc_end42-_ZN4core4iter6traits8iterator8Iterator4find17haaff6a71f7dcbe43E
	.cfi_endproc

	.section	".text._ZN4core4iter6traits8iterator8Iterator4find5check28_$u7b$$u7b$closure$u7d$$u7d$17h63acfed04050d1e1E","ax",@progbits
	.globl	_ZN4core4iter6traits8iterator8Iterator4find5check28_$u7b$$u7b$closure$u7d$$u7d$17h63acfed04050d1e1E
	.p2align	4
	.type	_ZN4core4iter6traits8iterator8Iterator4find5check28_$u7b$$u7b$closure$u7d$$u7d$17h63acfed04050d1e1E,@function
_ZN4core4iter6traits8iterator8Iterator4find5check28_$u7b$$u7b$closure$u7d$$u7d$17h63acfed04050d1e1E:
.Lfunc_begin3:
	.cfi_startproc
	.cfi_personality 155, DW.ref.rust_eh_personality
	.cfi_lsda 27, .Lexception3
	subq	$56, %rsp
	.cfi_def_cfa_offset 64
	movq	%rsi, 8(%rsp)
	movq	%rdx, 16(%rsp)
.Ltmp17:
	movq	_ZN4core3ops8function5impls79_$LT$impl$u20$core..ops..function..FnMut$LT$A$GT$$u20$for$u20$$RF$mut$u20$F$GT$8call_mut17h83d195ef7061dd8aE@GOTPCREL(%rip), %rax
	leaq	8(%rsp), %rsi
	callq	*%rax
.Ltmp18:
	movb	%al, 7(%rsp)
	jmp	.LBB43_3
.LBB43_1:
	movq	40(%rsp), %rdi
	callq	_Unwind_Resume@PLT
.LBB43_2:
.Ltmp19:
	movq	%rax, %rcx
	movl	%edx, %eax
	movq	%rcx, 40(%rsp)
	movl	%eax, 48(%rsp)
	jmp	.LBB43_1
.LBB43_3:
	movb	7(%rsp), %al
	testb	$1, %al
	jne	.LBB43_5
	jmp	.LBB43_4
.LBB43_4:
	movq	$0, 24(%rsp)
	jmp	.LBB43_6
.LBB43_5:
	movq	8(%rsp), %rcx
	movq	16(%rsp), %rax
	movq	%rcx, 24(%rsp)
	movq	%rax, 32(%rsp)
.LBB43_6:
	movq	24(%rsp), %rax
	movq	32(%rsp), %rdx
	addq	$56, %rsp
	.cfi_def_cfa_offset 8
	retq
.Lfunc_end43:
	.size	_ZN4core4iter6traits8iterator8Iterator4find5check28_$u7b$$u7b$closure$u7d$$u7d$17h63acfed04050d1e1E, .Lfunc_end43-_ZN4core4iter6traits8iterator8Iterator4find5check28_$u7b$$u7b$closure$u7d$$u7d$17h63acfed04050d1e1E
	.cfi_endproc
	.section	".gcc_except_table._ZN4core4iter6traits8iterator8Iterator4find5check28_$u7b$$u7b$closure$u7d$$u7d$17h63acfed04050d1e1E","a",@progbits
	.p2align	2, 0x0
GCC_except_table43:
.Lexception3:
	.byte	255
	.byte	255
	.byte	1
	.uleb128 .Lcst_end3-.Lcst_begin3
.Lcst_begin3:
	.uleb128 .Ltmp17-.Lfunc_begin3
	.uleb128 .Ltmp18-.Ltmp17
	.uleb128 .Ltmp19-.Lfunc_begin3
	.byte	0
	.uleb128 .Ltmp18-.Lfunc_begin3
	.uleb128 .Lfunc_end43-.Ltmp18
	.byte	0
	.byte	0
.Lcst_end3:
	.p2align	2, 0x0

	.section	.text._ZN4core4iter6traits8iterator8Iterator8try_fold17haac581ee2a8e7677E,"ax",@progbits
	.globl	_ZN4core4iter6traits8iterator8Iterator8try_fold17haac581ee2a8e7677E
	.p2align	4
	.type	_ZN4core4iter6traits8iterator8Iterator8try_fold17haac581ee2a8e7677E,@function
_ZN4core4iter6traits8iterator8Iterator8try_fold17haac581ee2a8e7677E:
.Lfunc_begin4:
	.cfi_startproc
	.cfi_personality 155, DW.ref.rust_eh_personality
	.cfi_lsda 27, .Lexception4
	subq	$168, %rsp
	.cfi_def_cfa_offset 176
	movq	%rdi, 80(%rsp)
	movq	%rsi, 88(%rsp)
	movb	$1, 151(%rsp)
.LBB44_1:
.Ltmp20:
	movq	80(%rsp), %rdi
	movq	_ZN90_$LT$core..str..iter..Split$LT$P$GT$$u20$as$u20$core..iter..traits..iterator..Iterator$GT$4next17h951e90bf38c3efafE@GOTPCREL(%rip), %rax
	callq	*%rax
.Ltmp21:
	movq	%rdx, 64(%rsp)
	movq	%rax, 72(%rsp)
	jmp	.LBB44_4
.LBB44_2:
	testb	$1, 151(%rsp)
	jne	.LBB44_15
	jmp	.LBB44_14
.LBB44_3:
.Ltmp30:
	movq	%rax, %rcx
	movl	%edx, %eax
	movq	%rcx, 152(%rsp)
	movl	%eax, 160(%rsp)
	jmp	.LBB44_2
.LBB44_4:
	movq	64(%rsp), %rax
	movq	72(%rsp), %rcx
	movq	%rcx, 112(%rsp)
	movq	%rax, 120(%rsp)
	movq	112(%rsp), %rdx
	movl	$1, %eax
	xorl	%ecx, %ecx
	cmpq	$0, %rdx
	cmoveq	%rcx, %rax
	testq	$1, %rax
	je	.LBB44_6
	movq	112(%rsp), %rsi
	movq	120(%rsp), %rdx
	movb	$0, 151(%rsp)
.Ltmp24:
	movq	_ZN4core4iter6traits8iterator8Iterator4find5check28_$u7b$$u7b$closure$u7d$$u7d$17h63acfed04050d1e1E@GOTPCREL(%rip), %rax
	leaq	88(%rsp), %rdi
	callq	*%rax
.Ltmp25:
	movq	%rdx, 48(%rsp)
	movq	%rax, 56(%rsp)
	jmp	.LBB44_7
.LBB44_6:
	movb	$0, 151(%rsp)
.Ltmp22:
	movq	_ZN95_$LT$core..ops..control_flow..ControlFlow$LT$B$C$C$GT$$u20$as$u20$core..ops..try_trait..Try$GT$11from_output17he080b0f2f69b649cE@GOTPCREL(%rip), %rax
	callq	*%rax
.Ltmp23:
	movq	%rdx, 32(%rsp)
	movq	%rax, 40(%rsp)
	jmp	.LBB44_13
.LBB44_7:
.Ltmp26:
	movq	48(%rsp), %rsi
	movq	56(%rsp), %rdi
	movq	_ZN95_$LT$core..ops..control_flow..ControlFlow$LT$B$C$C$GT$$u20$as$u20$core..ops..try_trait..Try$GT$6branch17h129f6da5142f9fb1E@GOTPCREL(%rip), %rax
	callq	*%rax
.Ltmp27:
	movq	%rdx, 16(%rsp)
	movq	%rax, 24(%rsp)
	jmp	.LBB44_8
.LBB44_8:
	movq	16(%rsp), %rax
	movq	24(%rsp), %rcx
	movq	%rcx, 128(%rsp)
	movq	%rax, 136(%rsp)
	movq	128(%rsp), %rdx
	movl	$1, %eax
	xorl	%ecx, %ecx
	cmpq	$0, %rdx
	cmoveq	%rcx, %rax
	testq	$1, %rax
	je	.LBB44_10
	movq	128(%rsp), %rdi
	movq	136(%rsp), %rsi
.Ltmp28:
	movq	_ZN185_$LT$core..ops..control_flow..ControlFlow$LT$B$C$C$GT$$u20$as$u20$core..ops..try_trait..FromResidual$LT$core..ops..control_flow..ControlFlow$LT$B$C$core..convert..Infallible$GT$$GT$$GT$13from_residual17h575549b76a042f56E@GOTPCREL(%rip), %rax
	callq	*%rax
.Ltmp29:
	movq	%rdx, (%rsp)
	movq	%rax, 8(%rsp)
	jmp	.LBB44_11
.LBB44_10:
	movb	$1, 151(%rsp)
	jmp	.LBB44_1
.LBB44_11:
	movq	(%rsp), %rax
	movq	8(%rsp), %rcx
	movq	%rcx, 96(%rsp)
	movq	%rax, 104(%rsp)
.LBB44_12:
	movq	96(%rsp), %rax
	movq	104(%rsp), %rdx
	addq	$168, %rsp
	.cfi_def_cfa_offset 8
	retq
.LBB44_13:
	.cfi_def_cfa_offset 176
	movq	32(%rsp), %rax
	movq	40(%rsp), %rcx
	movq	%rcx, 96(%rsp)
	movq	%rax, 104(%rsp)
	jmp	.LBB44_12
.LBB44_14:
	movq	152(%rsp), %rdi
	callq	_Unwind_Resume@PLT
.LBB44_15:
	jmp	.LBB44_14
.Lfunc_end44:
	.size	_ZN4core4iter6traits8iterator8Iterator8try_fold17haac581ee2a8e7677E, .Lfunc_end44-_ZN4core4iter6traits8iterator8Iterator8try_fold17haac581ee2a8e7677E
	.cfi_endproc
	.section	.gcc_except_table._ZN4core4iter6traits8iterator8Iterator8try_fold17haac581ee2a8e7677E,"a",@progbits
	.p2align	2, 0x0
GCC_except_table44:
.Lexception4:
	.byte	255
	.byte	255
	.byte	1
	.uleb128 .Lcst_end4-.Lcst_begin4
.Lcst_begin4:
	.uleb128 .Ltmp20-.Lfunc_begin4
	.uleb128 .Ltmp29-.Ltmp20
	.uleb128 .Ltmp30-.Lfunc_begin4
	.byte	0
	.uleb128 .Ltmp29-.Lfunc_begin4
	.uleb128 .Lfunc_end44-.Ltmp29
	.byte	0
	.byte	0
.Lcst_end4:
	.p2align	2, 0x0

	.section	".text._ZN4core4iter8adapters3map8map_fold28_$u7b$$u7b$closure$u7d$$u7d$17hec66a297b2b81a05E","ax",@progbits
	.globl	_ZN4core4iter8adapters3map8map_fold28_$u7b$$u7b$closure$u7d$$u7d$17hec66a297b2b81a05E
	.p2align	4
	.type	_ZN4core4iter8adapters3map8map_fold28_$u7b$$u7b$closure$u7d$$u7d$17hec66a297b2b81a05E,@function
_ZN4core4iter8adapters3map8map_fold28_$u7b$$u7b$closure$u7d$$u7d$17hec66a297b2b81a05E:
.Lfunc_begin5:
	.cfi_startproc
	.cfi_personality 155, DW.ref.rust_eh_personality
	.cfi_lsda 27, .Lexception5
	subq	$56, %rsp
	.cfi_def_cfa_offset 64
	movq	%rdi, 8(%rsp)
	movsd	%xmm0, 16(%rsp)
	movb	$1, 39(%rsp)
.Ltmp31:
	callq	_ZN8compiled5total28_$u7b$$u7b$closure$u7d$$u7d$17h0a7042f16b418ed6E
.Ltmp32:
	movsd	%xmm0, 24(%rsp)
	jmp	.LBB45_3
.LBB45_1:
	testb	$1, 39(%rsp)
	jne	.LBB45_6
	jmp	.LBB45_5
.LBB45_2:
.Ltmp35:
	movq	%rax, %rcx
	movl	%edx, %eax
	movq	%rcx, 40(%rsp)
	movl	%eax, 48(%rsp)
	jmp	.LBB45_1
.LBB45_3:
	movsd	24(%rsp), %xmm1
	movsd	16(%rsp), %xmm0
	movq	8(%rsp), %rdi
	movb	$0, 39(%rsp)
.Ltmp33:
	movq	_ZN54_$LT$f64$u20$as$u20$core..iter..traits..accum..Sum$GT$3sum28_$u7b$$u7b$closure$u7d$$u7d$17h30dc0d20c449d32bE@GOTPCREL(%rip), %rax
	callq	*%rax
.Ltmp34:
	movsd	%xmm0, (%rsp)
	jmp	.LBB45_4
.LBB45_4:
	movsd	(%rsp), %xmm0
	addq	$56, %rsp
	.cfi_def_cfa_offset 8
	retq
.LBB45_5:
	.cfi_def_cfa_offset 64
	movq	40(%rsp), %rdi
	callq	_Unwind_Resume@PLT
.LBB45_6:
	jmp	.LBB45_5
.Lfunc_end45:
	.size	_ZN4core4iter8adapters3map8map_fold28_$u7b$$u7b$closure$u7d$$u7d$17hec66a297b2b81a05E, .Lfunc_end45-_ZN4core4iter8adapters3map8map_fold28_$u7b$$u7b$closure$u7d$$u7d$17hec66a297b2b81a05E
	.cfi_endproc
	.section	".gcc_except_table._ZN4core4iter8adapters3map8map_fold28_$u7b$$u7b$closure$u7d$$u7d$17hec66a297b2b81a05E","a",@progbits
	.p2align	2, 0x0
GCC_except_table45:
.Lexception5:
	.byte	255
	.byte	255
	.byte	1
	.uleb128 .Lcst_end5-.Lcst_begin5
.Lcst_begin5:
	.uleb128 .Ltmp31-.Lfunc_begin5
	.uleb128 .Ltmp34-.Ltmp31
	.uleb128 .Ltmp35-.Lfunc_begin5
	.byte	0
	.uleb128 .Ltmp34-.Lfunc_begin5
	.uleb128 .Lfunc_end45-.Ltmp34
	.byte	0
	.byte	0
.Lcst_end5:
	.p2align	2, 0x0

	.section	.text._ZN4core5alloc6layout6Layout29from_size_alignment_unchecked18precondition_check17hd15920bb5e33b4e0E,"ax",@progbits
	.p2align	4
	.type	_ZN4core5alloc6layout6Layout29from_size_alignment_unchecked18precondition_check17hd15920bb5e33b4e0E,@function
_ZN4core5alloc6layout6Layout29from_size_alignment_unchecked18precondition_check17hd15920bb5e33b4e0E:
	.cfi_startproc
	pushq	%rax
	.cfi_def_cfa_offset 16
	movq	%rdx, (%rsp)
	movabsq	$-9223372036854775808, %rax
	subq	%rsi, %rax
	cmpq	%rax, %rdi
	jbe	.LBB46_2
	movq	(%rsp), %rcx
	leaq	.Lanon.60bed5dcf488807794e55d614a93ec96.30(%rip), %rdi
	movl	$519, %esi
	xorl	%edx, %edx
	callq	*_RNvNtCsgEmfK2I1SDS_4core9panicking18panic_nounwind_fmt@GOTPCREL(%rip)
.LBB46_2:
	popq	%rax
	.cfi_def_cfa_offset 8
	retq
.Lfunc_end46:
	.size	_ZN4core5alloc6layout6Layout29from_size_alignment_unchecked18precondition_check17hd15920bb5e33b4e0E, .Lfunc_end46-_ZN4core5alloc6layout6Layout29from_size_alignment_unchecked18precondition_check17hd15920bb5e33b4e0E
	.cfi_endproc

	.section	".text._ZN4core5slice29_$LT$impl$u20$$u5b$T$u5d$$GT$4iter17h322f22e9f00d4f69E","ax",@progbits
	.globl	_ZN4core5slice29_$LT$impl$u20$$u5b$T$u5d$$GT$4iter17h322f22e9f00d4f69E
	.p2align	4
	.type	_ZN4core5slice29_$LT$impl$u20$$u5b$T$u5d$$GT$4iter17h322f22e9f00d4f69E,@function
_ZN4core5slice29_$LT$impl$u20$$u5b$T$u5d$$GT$4iter17h322f22e9f00d4f69E:
	.cfi_startproc
	pushq	%rax
	.cfi_def_cfa_offset 16
	movq	_ZN4core5slice4iter13Iter$LT$T$GT$3new17h6311bb2c4a0f6675E@GOTPCREL(%rip), %rax
	callq	*%rax
	popq	%rcx
	.cfi_def_cfa_offset 8
	retq
.Lfunc_end47:
	.size	_ZN4core5slice29_$LT$impl$u20$$u5b$T$u5d$$GT$4iter17h322f22e9f00d4f69E, .Lfunc_end47-_ZN4core5slice29_$LT$impl$u20$$u5b$T$u5d$$GT$4iter17h322f22e9f00d4f69E
	.cfi_endproc

	.section	".text._ZN4core5slice4iter13Iter$LT$T$GT$3new17h6311bb2c4a0f6675E","ax",@progbits
	.globl	_ZN4core5slice4iter13Iter$LT$T$GT$3new17h6311bb2c4a0f6675E
	.p2align	4
	.type	_ZN4core5slice4iter13Iter$LT$T$GT$3new17h6311bb2c4a0f6675E,@function
_ZN4core5slice4iter13Iter$LT$T$GT$3new17h6311bb2c4a0f6675E:
	.cfi_startproc
	movq	%rdi, -24(%rsp)
	movq	%rsi, -16(%rsp)
	movq	-24(%rsp), %rax
	movq	-16(%rsp), %rcx
	shlq	$4, %rcx
	addq	%rcx, %rax
	movq	%rax, -8(%rsp)
	movq	-24(%rsp), %rax
	movq	-8(%rsp), %rdx
	retq
.Lfunc_end48:
	.size	_ZN4core5slice4iter13Iter$LT$T$GT$3new17h6311bb2c4a0f6675E, .Lfunc_end48-_ZN4core5slice4iter13Iter$LT$T$GT$3new17h6311bb2c4a0f6675E
	.cfi_endproc

	.section	.text._ZN4core7unicode12unicode_data11white_space6lookup17ha49d5a7f3565283aE,"ax",@progbits
	.p2align	4
	.type	_ZN4core7unicode12unicode_data11white_space6lookup17ha49d5a7f3565283aE,@function
_ZN4core7unicode12unicode_data11white_space6lookup17ha49d5a7f3565283aE:
	.cfi_startproc
	subq	$40, %rsp
	.cfi_def_cfa_offset 48
	movl	%edi, 28(%rsp)
	shrl	$8, %edi
	movl	%edi, 32(%rsp)
	testl	%edi, %edi
	je	.LBB49_2
	jmp	.LBB49_11
.LBB49_11:
	movl	32(%rsp), %eax
	subl	$22, %eax
	je	.LBB49_3
	jmp	.LBB49_12
.LBB49_12:
	movl	32(%rsp), %eax
	subl	$32, %eax
	je	.LBB49_4
	jmp	.LBB49_13
.LBB49_13:
	movl	32(%rsp), %eax
	subl	$48, %eax
	je	.LBB49_5
	jmp	.LBB49_1
.LBB49_1:
	movb	$0, 39(%rsp)
	jmp	.LBB49_8
.LBB49_2:
	movl	28(%rsp), %eax
	movl	%eax, %eax
	andq	$255, %rax
	movq	%rax, 16(%rsp)
	cmpq	$256, %rax
	jb	.LBB49_6
	jmp	.LBB49_7
.LBB49_3:
	movl	28(%rsp), %eax
	cmpl	$5760, %eax
	sete	%al
	andb	$1, %al
	movb	%al, 39(%rsp)
	jmp	.LBB49_8
.LBB49_4:
	movl	28(%rsp), %eax
	movl	%eax, %eax
	andq	$255, %rax
	movq	%rax, 8(%rsp)
	cmpq	$256, %rax
	jb	.LBB49_9
	jmp	.LBB49_10
.LBB49_5:
	movl	28(%rsp), %eax
	cmpl	$12288, %eax
	sete	%al
	andb	$1, %al
	movb	%al, 39(%rsp)
	jmp	.LBB49_8
.LBB49_6:
	movq	16(%rsp), %rcx
	movq	_RNvNtNtNtCsgEmfK2I1SDS_4core7unicode12unicode_data11white_space14WHITESPACE_MAP@GOTPCREL(%rip), %rax
	movb	(%rax,%rcx), %al
	andb	$1, %al
	cmpb	$0, %al
	setne	%al
	andb	$1, %al
	movb	%al, 39(%rsp)
	jmp	.LBB49_8
.LBB49_7:
	movq	16(%rsp), %rdi
	movl	$256, %esi
	leaq	.Lanon.60bed5dcf488807794e55d614a93ec96.32(%rip), %rdx
	callq	*_RNvNtCsgEmfK2I1SDS_4core9panicking18panic_bounds_check@GOTPCREL(%rip)
.LBB49_8:
	movb	39(%rsp), %al
	andb	$1, %al
	addq	$40, %rsp
	.cfi_def_cfa_offset 8
	retq
.LBB49_9:
	.cfi_def_cfa_offset 48
	movq	8(%rsp), %rcx
	movq	_RNvNtNtNtCsgEmfK2I1SDS_4core7unicode12unicode_data11white_space14WHITESPACE_MAP@GOTPCREL(%rip), %rax
	movb	(%rax,%rcx), %al
	andb	$2, %al
	cmpb	$0, %al
	setne	%al
	andb	$1, %al
	movb	%al, 39(%rsp)
	jmp	.LBB49_8
.LBB49_10:
	movq	8(%rsp), %rdi
	movl	$256, %esi
	leaq	.Lanon.60bed5dcf488807794e55d614a93ec96.33(%rip), %rdx
	callq	*_RNvNtCsgEmfK2I1SDS_4core9panicking18panic_bounds_check@GOTPCREL(%rip)
.Lfunc_end49:
	.size	_ZN4core7unicode12unicode_data11white_space6lookup17ha49d5a7f3565283aE, .Lfunc_end49-_ZN4core7unicode12unicode_data11white_space6lookup17ha49d5a7f3565283aE
	.cfi_endproc

	.section	.text._ZN4core9ub_checks23maybe_is_nonoverlapping7runtime17h085da5c86fb55443E,"ax",@progbits
	.p2align	4
	.type	_ZN4core9ub_checks23maybe_is_nonoverlapping7runtime17h085da5c86fb55443E,@function
_ZN4core9ub_checks23maybe_is_nonoverlapping7runtime17h085da5c86fb55443E:
	.cfi_startproc
	subq	$56, %rsp
	.cfi_def_cfa_offset 64
	movq	%rdx, %rax
	movq	%rdi, 8(%rsp)
	movq	%rsi, 16(%rsp)
	mulq	%rcx
	movq	%rax, 24(%rsp)
	seto	%al
	jo	.LBB50_2
	movq	8(%rsp), %rax
	movq	16(%rsp), %rcx
	movq	24(%rsp), %rdx
	movq	%rdx, 40(%rsp)
	movq	$1, 32(%rsp)
	movq	40(%rsp), %rdx
	movq	%rdx, (%rsp)
	cmpq	%rcx, %rax
	jb	.LBB50_4
	jmp	.LBB50_3
.LBB50_2:
	leaq	.Lanon.60bed5dcf488807794e55d614a93ec96.34(%rip), %rdi
	movl	$61, %esi
	callq	*_RNvNtCsgEmfK2I1SDS_4core9panicking14panic_nounwind@GOTPCREL(%rip)
.LBB50_3:
	movq	16(%rsp), %rcx
	movq	8(%rsp), %rax
	subq	%rcx, %rax
	movq	%rax, 48(%rsp)
	jmp	.LBB50_5
.LBB50_4:
	movq	8(%rsp), %rcx
	movq	16(%rsp), %rax
	subq	%rcx, %rax
	movq	%rax, 48(%rsp)
.LBB50_5:
	movq	(%rsp), %rax
	cmpq	%rax, 48(%rsp)
	setae	%al
	andb	$1, %al
	addq	$56, %rsp
	.cfi_def_cfa_offset 8
	retq
.Lfunc_end50:
	.size	_ZN4core9ub_checks23maybe_is_nonoverlapping7runtime17h085da5c86fb55443E, .Lfunc_end50-_ZN4core9ub_checks23maybe_is_nonoverlapping7runtime17h085da5c86fb55443E
	.cfi_endproc

	.section	".text._ZN51_$LT$T$u20$as$u20$core..borrow..Borrow$LT$T$GT$$GT$6borrow17hb9f2310b025d44c3E","ax",@progbits
	.globl	_ZN51_$LT$T$u20$as$u20$core..borrow..Borrow$LT$T$GT$$GT$6borrow17hb9f2310b025d44c3E
	.p2align	4
	.type	_ZN51_$LT$T$u20$as$u20$core..borrow..Borrow$LT$T$GT$$GT$6borrow17hb9f2310b025d44c3E,@function
_ZN51_$LT$T$u20$as$u20$core..borrow..Borrow$LT$T$GT$$GT$6borrow17hb9f2310b025d44c3E:
	.cfi_startproc
	movq	%rdi, %rax
	retq
.Lfunc_end51:
	.size	_ZN51_$LT$T$u20$as$u20$core..borrow..Borrow$LT$T$GT$$GT$6borrow17hb9f2310b025d44c3E, .Lfunc_end51-_ZN51_$LT$T$u20$as$u20$core..borrow..Borrow$LT$T$GT$$GT$6borrow17hb9f2310b025d44c3E
	.cfi_endproc

	.section	".text._ZN52_$LT$compiled..Square$u20$as$u20$compiled..Shape$GT$4area17h6cd3aef34be9a0d3E","ax",@progbits
	.globl	_ZN52_$LT$compiled..Square$u20$as$u20$compiled..Shape$GT$4area17h6cd3aef34be9a0d3E
	.p2align	4
	.type	_ZN52_$LT$compiled..Square$u20$as$u20$compiled..Shape$GT$4area17h6cd3aef34be9a0d3E,@function
_ZN52_$LT$compiled..Square$u20$as$u20$compiled..Shape$GT$4area17h6cd3aef34be9a0d3E:
	.cfi_startproc
	movsd	(%rdi), %xmm0
	mulsd	(%rdi), %xmm0
	retq
.Lfunc_end52:
	.size	_ZN52_$LT$compiled..Square$u20$as$u20$compiled..Shape$GT$4area17h6cd3aef34be9a0d3E, .Lfunc_end52-_ZN52_$LT$compiled..Square$u20$as$u20$compiled..Shape$GT$4area17h6cd3aef34be9a0d3E
	.cfi_endproc

	.section	".text._ZN53_$LT$F$u20$as$u20$core..str..pattern..MultiCharEq$GT$7matches17hbcb8d0e630ee5f0cE","ax",@progbits
	.globl	_ZN53_$LT$F$u20$as$u20$core..str..pattern..MultiCharEq$GT$7matches17hbcb8d0e630ee5f0cE
	.p2align	4
	.type	_ZN53_$LT$F$u20$as$u20$core..str..pattern..MultiCharEq$GT$7matches17hbcb8d0e630ee5f0cE,@function
_ZN53_$LT$F$u20$as$u20$core..str..pattern..MultiCharEq$GT$7matches17hbcb8d0e630ee5f0cE:
	.cfi_startproc
	pushq	%rax
	.cfi_def_cfa_offset 16
	callq	_ZN93_$LT$core..str..IsWhitespace$u20$as$u20$core..ops..function..FnMut$LT$$LP$char$C$$RP$$GT$$GT$8call_mut17h1fa5a0a893fd72b8E
	andb	$1, %al
	popq	%rcx
	.cfi_def_cfa_offset 8
	retq
.Lfunc_end53:
	.size	_ZN53_$LT$F$u20$as$u20$core..str..pattern..MultiCharEq$GT$7matches17hbcb8d0e630ee5f0cE, .Lfunc_end53-_ZN53_$LT$F$u20$as$u20$core..str..pattern..MultiCharEq$GT$7matches17hbcb8d0e630ee5f0cE
	.cfi_endproc

	.section	.rodata.cst8,"aM",@progbits,8
	.p2align	3, 0x0
.LCPI54_0:
	.quad	0x8000000000000000
	.section	".text._ZN54_$LT$f64$u20$as$u20$core..iter..traits..accum..Sum$GT$3sum17h8091c1fe1db2fe2cE","ax",@progbits
	.globl	_ZN54_$LT$f64$u20$as$u20$core..iter..traits..accum..Sum$GT$3sum17h8091c1fe1db2fe2cE
	.p2align	4
	.type	_ZN54_$LT$f64$u20$as$u20$core..iter..traits..accum..Sum$GT$3sum17h8091c1fe1db2fe2cE,@function
_ZN54_$LT$f64$u20$as$u20$core..iter..traits..accum..Sum$GT$3sum17h8091c1fe1db2fe2cE:
	.cfi_startproc
	pushq	%rax
	.cfi_def_cfa_offset 16
	movsd	.LCPI54_0(%rip), %xmm0
	callq	*_ZN102_$LT$core..iter..adapters..map..Map$LT$I$C$F$GT$$u20$as$u20$core..iter..traits..iterator..Iterator$GT$4fold17h80324ae015c9ea00E@GOTPCREL(%rip)
	popq	%rax
	.cfi_def_cfa_offset 8
	retq
.Lfunc_end54:
	.size	_ZN54_$LT$f64$u20$as$u20$core..iter..traits..accum..Sum$GT$3sum17h8091c1fe1db2fe2cE, .Lfunc_end54-_ZN54_$LT$f64$u20$as$u20$core..iter..traits..accum..Sum$GT$3sum17h8091c1fe1db2fe2cE
	.cfi_endproc

	.section	".text._ZN54_$LT$f64$u20$as$u20$core..iter..traits..accum..Sum$GT$3sum28_$u7b$$u7b$closure$u7d$$u7d$17h30dc0d20c449d32bE","ax",@progbits
	.globl	_ZN54_$LT$f64$u20$as$u20$core..iter..traits..accum..Sum$GT$3sum28_$u7b$$u7b$closure$u7d$$u7d$17h30dc0d20c449d32bE
	.p2align	4
	.type	_ZN54_$LT$f64$u20$as$u20$core..iter..traits..accum..Sum$GT$3sum28_$u7b$$u7b$closure$u7d$$u7d$17h30dc0d20c449d32bE,@function
_ZN54_$LT$f64$u20$as$u20$core..iter..traits..accum..Sum$GT$3sum28_$u7b$$u7b$closure$u7d$$u7d$17h30dc0d20c449d32bE:
	.cfi_startproc
	addsd	%xmm1, %xmm0
	retq
.Lfunc_end55:
	.size	_ZN54_$LT$f64$u20$as$u20$core..iter..traits..accum..Sum$GT$3sum28_$u7b$$u7b$closure$u7d$$u7d$17h30dc0d20c449d32bE, .Lfunc_end55-_ZN54_$LT$f64$u20$as$u20$core..iter..traits..accum..Sum$GT$3sum28_$u7b$$u7b$closure$u7d$$u7d$17h30dc0d20c449d32bE
	.cfi_endproc

	.section	".text._ZN59_$LT$alloc..alloc..Global$u20$as$u20$core..clone..Clone$GT$5clone17h720c7a222124ffffE","ax",@progbits
	.p2align	4
	.type	_ZN59_$LT$alloc..alloc..Global$u20$as$u20$core..clone..Clone$GT$5clone17h720c7a222124ffffE,@function
_ZN59_$LT$alloc..alloc..Global$u20$as$u20$core..clone..Clone$GT$5clone17h720c7a222124ffffE:
	.cfi_startproc
	retq
.Lfunc_end56:
	.size	_ZN59_$LT$alloc..alloc..Global$u20$as$u20$core..clone..Clone$GT$5clone17h720c7a222124ffffE, .Lfunc_end56-_ZN59_$LT$alloc..alloc..Global$u20$as$u20$core..clone..Clone$GT$5clone17h720c7a222124ffffE
	.cfi_endproc

	.section	".text._ZN5alloc11collections5btree3map21BTreeMap$LT$K$C$V$GT$3new17h9486ded67ef165b3E","ax",@progbits
	.globl	_ZN5alloc11collections5btree3map21BTreeMap$LT$K$C$V$GT$3new17h9486ded67ef165b3E
	.p2align	4
	.type	_ZN5alloc11collections5btree3map21BTreeMap$LT$K$C$V$GT$3new17h9486ded67ef165b3E,@function
_ZN5alloc11collections5btree3map21BTreeMap$LT$K$C$V$GT$3new17h9486ded67ef165b3E:
	.cfi_startproc
	movq	%rdi, %rax
	movq	.Lanon.60bed5dcf488807794e55d614a93ec96.26(%rip), %rdx
	movq	.Lanon.60bed5dcf488807794e55d614a93ec96.26+8(%rip), %rcx
	movq	%rdx, (%rdi)
	movq	%rcx, 8(%rdi)
	movq	$0, 16(%rdi)
	retq
.Lfunc_end57:
	.size	_ZN5alloc11collections5btree3map21BTreeMap$LT$K$C$V$GT$3new17h9486ded67ef165b3E, .Lfunc_end57-_ZN5alloc11collections5btree3map21BTreeMap$LT$K$C$V$GT$3new17h9486ded67ef165b3E
	.cfi_endproc

	.section	".text._ZN5alloc11collections5btree3map25BTreeMap$LT$K$C$V$C$A$GT$5entry17h7be85de10cc99178E","ax",@progbits
	.globl	_ZN5alloc11collections5btree3map25BTreeMap$LT$K$C$V$C$A$GT$5entry17h7be85de10cc99178E
	.p2align	4
	.type	_ZN5alloc11collections5btree3map25BTreeMap$LT$K$C$V$C$A$GT$5entry17h7be85de10cc99178E,@function
_ZN5alloc11collections5btree3map25BTreeMap$LT$K$C$V$C$A$GT$5entry17h7be85de10cc99178E:
.Lfunc_begin6:
	.cfi_startproc
	.cfi_personality 155, DW.ref.rust_eh_personality
	.cfi_lsda 27, .Lexception6
	subq	$376, %rsp
	.cfi_def_cfa_offset 384
	movq	%rsi, 32(%rsp)
	movq	%rdi, 40(%rsp)
	movq	%rdi, 48(%rsp)
	movq	%rdx, 56(%rsp)
	movq	%rcx, 64(%rsp)
	movb	$1, 359(%rsp)
	movq	(%rsi), %rdx
	movl	$1, %eax
	xorl	%ecx, %ecx
	cmpq	$0, %rdx
	cmoveq	%rcx, %rax
	testq	$1, %rax
	je	.LBB58_2
	movq	32(%rsp), %rax
	movq	(%rax), %rsi
	movq	8(%rax), %rdx
.Ltmp39:
	movq	_ZN5alloc11collections5btree6search142_$LT$impl$u20$alloc..collections..btree..node..NodeRef$LT$BorrowType$C$K$C$V$C$alloc..collections..btree..node..marker..LeafOrInternal$GT$$GT$11search_tree17h38294a3199b9a4b9E@GOTPCREL(%rip), %rax
	leaq	144(%rsp), %rdi
	leaq	56(%rsp), %rcx
	callq	*%rax
.Ltmp40:
	jmp	.LBB58_9
.LBB58_2:
	movq	32(%rsp), %rdi
	movb	$0, 359(%rsp)
	movq	56(%rsp), %rax
	movq	%rax, 16(%rsp)
	movq	64(%rsp), %rax
	movq	%rax, 24(%rsp)
	movq	$0, 120(%rsp)
	addq	$24, %rdi
.Ltmp36:
	callq	_ZN59_$LT$alloc..alloc..Global$u20$as$u20$core..clone..Clone$GT$5clone17h720c7a222124ffffE
.Ltmp37:
	jmp	.LBB58_5
.LBB58_3:
	jmp	.LBB58_7
.LBB58_4:
.Ltmp38:
	movq	%rax, %rcx
	movl	%edx, %eax
	movq	%rcx, 360(%rsp)
	movl	%eax, 368(%rsp)
	jmp	.LBB58_3
.LBB58_5:
	movq	40(%rsp), %rdi
	movq	32(%rsp), %rax
	movq	24(%rsp), %rcx
	movq	16(%rsp), %rdx
	movq	%rdx, 72(%rsp)
	movq	%rcx, 80(%rsp)
	movq	120(%rsp), %rcx
	movq	%rcx, 96(%rsp)
	movq	128(%rsp), %rcx
	movq	%rcx, 104(%rsp)
	movq	136(%rsp), %rcx
	movq	%rcx, 112(%rsp)
	movq	%rax, 88(%rsp)
	leaq	72(%rsp), %rsi
	movl	$48, %edx
	callq	memcpy@PLT
.LBB58_6:
	jmp	.LBB58_13
.LBB58_7:
	testb	$1, 359(%rsp)
	jne	.LBB58_18
	jmp	.LBB58_17
.LBB58_8:
.Ltmp43:
	movq	%rax, %rcx
	movl	%edx, %eax
	movq	%rcx, 360(%rsp)
	movl	%eax, 368(%rsp)
	jmp	.LBB58_7
.LBB58_9:
	testq	$1, 144(%rsp)
	je	.LBB58_11
	movq	32(%rsp), %rdi
	movq	168(%rsp), %rax
	movq	%rax, 256(%rsp)
	movups	152(%rsp), %xmm0
	movaps	%xmm0, 240(%rsp)
	movb	$0, 359(%rsp)
	movq	56(%rsp), %rax
	movq	%rax, (%rsp)
	movq	64(%rsp), %rax
	movq	%rax, 8(%rsp)
	movq	256(%rsp), %rax
	movq	%rax, 336(%rsp)
	movaps	240(%rsp), %xmm0
	movaps	%xmm0, 320(%rsp)
	addq	$24, %rdi
.Ltmp44:
	callq	_ZN59_$LT$alloc..alloc..Global$u20$as$u20$core..clone..Clone$GT$5clone17h720c7a222124ffffE
.Ltmp45:
	jmp	.LBB58_16
.LBB58_11:
	movq	32(%rsp), %rdi
	movq	168(%rsp), %rax
	movq	%rax, 192(%rsp)
	movups	152(%rsp), %xmm0
	movaps	%xmm0, 176(%rsp)
	addq	$24, %rdi
.Ltmp41:
	callq	_ZN59_$LT$alloc..alloc..Global$u20$as$u20$core..clone..Clone$GT$5clone17h720c7a222124ffffE
.Ltmp42:
	jmp	.LBB58_12
.LBB58_12:
	movq	40(%rsp), %rax
	movq	32(%rsp), %rcx
	movq	176(%rsp), %rdx
	movq	%rdx, 208(%rsp)
	movq	184(%rsp), %rdx
	movq	%rdx, 216(%rsp)
	movq	192(%rsp), %rdx
	movq	%rdx, 224(%rsp)
	movq	%rcx, 232(%rsp)
	movq	208(%rsp), %rcx
	movq	%rcx, 8(%rax)
	movq	216(%rsp), %rcx
	movq	%rcx, 16(%rax)
	movq	224(%rsp), %rcx
	movq	%rcx, 24(%rax)
	movq	232(%rsp), %rcx
	movq	%rcx, 32(%rax)
	movq	$0, (%rax)
.LBB58_13:
	movq	48(%rsp), %rax
	addq	$376, %rsp
	.cfi_def_cfa_offset 8
	retq
.LBB58_14:
	.cfi_def_cfa_offset 384
	jmp	.LBB58_7
.LBB58_15:
.Ltmp46:
	movq	%rax, %rcx
	movl	%edx, %eax
	movq	%rcx, 360(%rsp)
	movl	%eax, 368(%rsp)
	jmp	.LBB58_14
.LBB58_16:
	movq	40(%rsp), %rdi
	movq	32(%rsp), %rax
	movq	8(%rsp), %rcx
	movq	(%rsp), %rdx
	movq	%rdx, 272(%rsp)
	movq	%rcx, 280(%rsp)
	movq	320(%rsp), %rcx
	movq	%rcx, 296(%rsp)
	movq	328(%rsp), %rcx
	movq	%rcx, 304(%rsp)
	movq	336(%rsp), %rcx
	movq	%rcx, 312(%rsp)
	movq	%rax, 288(%rsp)
	leaq	272(%rsp), %rsi
	movl	$48, %edx
	callq	memcpy@PLT
	jmp	.LBB58_6
.LBB58_17:
	movq	360(%rsp), %rdi
	callq	_Unwind_Resume@PLT
.LBB58_18:
	jmp	.LBB58_17
.Lfunc_end58:
	.size	_ZN5alloc11collections5btree3map25BTreeMap$LT$K$C$V$C$A$GT$5entry17h7be85de10cc99178E, .Lfunc_end58-_ZN5alloc11collections5btree3map25BTreeMap$LT$K$C$V$C$A$GT$5entry17h7be85de10cc99178E
	.cfi_endproc
	.section	".gcc_except_table._ZN5alloc11collections5btree3map25BTreeMap$LT$K$C$V$C$A$GT$5entry17h7be85de10cc99178E","a",@progbits
	.p2align	2, 0x0
GCC_except_table58:
.Lexception6:
	.byte	255
	.byte	255
	.byte	1
	.uleb128 .Lcst_end6-.Lcst_begin6
.Lcst_begin6:
	.uleb128 .Ltmp39-.Lfunc_begin6
	.uleb128 .Ltmp40-.Ltmp39
	.uleb128 .Ltmp43-.Lfunc_begin6
	.byte	0
	.uleb128 .Ltmp36-.Lfunc_begin6
	.uleb128 .Ltmp37-.Ltmp36
	.uleb128 .Ltmp38-.Lfunc_begin6
	.byte	0
	.uleb128 .Ltmp37-.Lfunc_begin6
	.uleb128 .Ltmp44-.Ltmp37
	.byte	0
	.byte	0
	.uleb128 .Ltmp44-.Lfunc_begin6
	.uleb128 .Ltmp45-.Ltmp44
	.uleb128 .Ltmp46-.Lfunc_begin6
	.byte	0
	.uleb128 .Ltmp41-.Lfunc_begin6
	.uleb128 .Ltmp42-.Ltmp41
	.uleb128 .Ltmp43-.Lfunc_begin6
	.byte	0
	.uleb128 .Ltmp42-.Lfunc_begin6
	.uleb128 .Lfunc_end58-.Ltmp42
	.byte	0
	.byte	0
.Lcst_end6:
	.p2align	2, 0x0

	.section	".text._ZN5alloc11collections5btree3map25IntoIter$LT$K$C$V$C$A$GT$10dying_next17h3fbb71a804f2d9dcE","ax",@progbits
	.globl	_ZN5alloc11collections5btree3map25IntoIter$LT$K$C$V$C$A$GT$10dying_next17h3fbb71a804f2d9dcE
	.p2align	4
	.type	_ZN5alloc11collections5btree3map25IntoIter$LT$K$C$V$C$A$GT$10dying_next17h3fbb71a804f2d9dcE,@function
_ZN5alloc11collections5btree3map25IntoIter$LT$K$C$V$C$A$GT$10dying_next17h3fbb71a804f2d9dcE:
	.cfi_startproc
	subq	$56, %rsp
	.cfi_def_cfa_offset 64
	movq	%rsi, 8(%rsp)
	movq	%rdi, 16(%rsp)
	movq	%rdi, 24(%rsp)
	cmpq	$0, 64(%rsi)
	jne	.LBB59_2
	movq	8(%rsp), %rdi
	addq	$72, %rdi
	callq	_ZN59_$LT$alloc..alloc..Global$u20$as$u20$core..clone..Clone$GT$5clone17h720c7a222124ffffE
	movq	8(%rsp), %rdi
	callq	*_ZN5alloc11collections5btree8navigate75LazyLeafRange$LT$alloc..collections..btree..node..marker..Dying$C$K$C$V$GT$16deallocating_end17heb6d5e900c6ab634E@GOTPCREL(%rip)
	movq	16(%rsp), %rax
	movq	$0, (%rax)
	jmp	.LBB59_3
.LBB59_2:
	movq	8(%rsp), %rdi
	movq	64(%rdi), %rax
	subq	$1, %rax
	movq	%rax, 64(%rdi)
	addq	$72, %rdi
	callq	_ZN59_$LT$alloc..alloc..Global$u20$as$u20$core..clone..Clone$GT$5clone17h720c7a222124ffffE
	movq	8(%rsp), %rsi
	leaq	32(%rsp), %rdi
	callq	*_ZN5alloc11collections5btree8navigate75LazyLeafRange$LT$alloc..collections..btree..node..marker..Dying$C$K$C$V$GT$27deallocating_next_unchecked17hce68bddc166a79d2E@GOTPCREL(%rip)
	movq	16(%rsp), %rax
	movq	32(%rsp), %rcx
	movq	%rcx, (%rax)
	movq	40(%rsp), %rcx
	movq	%rcx, 8(%rax)
	movq	48(%rsp), %rcx
	movq	%rcx, 16(%rax)
.LBB59_3:
	movq	24(%rsp), %rax
	addq	$56, %rsp
	.cfi_def_cfa_offset 8
	retq
.Lfunc_end59:
	.size	_ZN5alloc11collections5btree3map25IntoIter$LT$K$C$V$C$A$GT$10dying_next17h3fbb71a804f2d9dcE, .Lfunc_end59-_ZN5alloc11collections5btree3map25IntoIter$LT$K$C$V$C$A$GT$10dying_next17h3fbb71a804f2d9dcE
	.cfi_endproc

	.section	".text._ZN5alloc11collections5btree3map5entry22Entry$LT$K$C$V$C$A$GT$10or_default17h99a5946c5bcc65e8E","ax",@progbits
	.globl	_ZN5alloc11collections5btree3map5entry22Entry$LT$K$C$V$C$A$GT$10or_default17h99a5946c5bcc65e8E
	.p2align	4
	.type	_ZN5alloc11collections5btree3map5entry22Entry$LT$K$C$V$C$A$GT$10or_default17h99a5946c5bcc65e8E,@function
_ZN5alloc11collections5btree3map5entry22Entry$LT$K$C$V$C$A$GT$10or_default17h99a5946c5bcc65e8E:
.Lfunc_begin7:
	.cfi_startproc
	.cfi_personality 155, DW.ref.rust_eh_personality
	.cfi_lsda 27, .Lexception7
	subq	$216, %rsp
	.cfi_def_cfa_offset 224
	movq	%rdi, 16(%rsp)
	movq	(%rdi), %rdx
	xorl	%eax, %eax
	movl	$1, %ecx
	cmpq	$0, %rdx
	cmoveq	%rcx, %rax
	testq	$1, %rax
	je	.LBB60_2
	movq	16(%rsp), %rax
	movq	8(%rax), %rcx
	movq	%rcx, 32(%rsp)
	movq	16(%rax), %rcx
	movq	%rcx, 40(%rsp)
	movq	24(%rax), %rcx
	movq	%rcx, 48(%rsp)
	movq	32(%rax), %rax
	movq	%rax, 56(%rsp)
	leaq	32(%rsp), %rdi
	callq	*_ZN5alloc11collections5btree3map5entry30OccupiedEntry$LT$K$C$V$C$A$GT$8into_mut17h4919447440d7d373E@GOTPCREL(%rip)
	movq	%rax, 24(%rsp)
	jmp	.LBB60_8
.LBB60_2:
	movq	16(%rsp), %rsi
	leaq	64(%rsp), %rdi
	movl	$48, %edx
	callq	memcpy@PLT
	movb	$1, 167(%rsp)
	leaq	112(%rsp), %rdi
	leaq	64(%rsp), %rsi
	movl	$48, %edx
	callq	memcpy@PLT
	jmp	.LBB60_5
.LBB60_3:
	testb	$1, 167(%rsp)
	jne	.LBB60_10
	jmp	.LBB60_9
.LBB60_4:
.Ltmp51:
	movq	%rax, %rcx
	movl	%edx, %eax
	movq	%rcx, 200(%rsp)
	movl	%eax, 208(%rsp)
	jmp	.LBB60_3
.LBB60_5:
	movb	$0, 167(%rsp)
.Ltmp47:
	movq	_ZN5alloc11collections5btree3map5entry28VacantEntry$LT$K$C$V$C$A$GT$12insert_entry17h735804e133584b31E@GOTPCREL(%rip), %rax
	xorl	%ecx, %ecx
	movl	%ecx, %edx
	leaq	168(%rsp), %rdi
	leaq	112(%rsp), %rsi
	callq	*%rax
.Ltmp48:
	jmp	.LBB60_6
.LBB60_6:
.Ltmp49:
	movq	_ZN5alloc11collections5btree3map5entry30OccupiedEntry$LT$K$C$V$C$A$GT$8into_mut17h4919447440d7d373E@GOTPCREL(%rip), %rax
	leaq	168(%rsp), %rdi
	callq	*%rax
.Ltmp50:
	movq	%rax, 8(%rsp)
	jmp	.LBB60_7
.LBB60_7:
	movq	8(%rsp), %rax
	movq	%rax, 24(%rsp)
.LBB60_8:
	movq	24(%rsp), %rax
	addq	$216, %rsp
	.cfi_def_cfa_offset 8
	retq
.LBB60_9:
	.cfi_def_cfa_offset 224
	movq	200(%rsp), %rdi
	callq	_Unwind_Resume@PLT
.LBB60_10:
	jmp	.LBB60_9
.Lfunc_end60:
	.size	_ZN5alloc11collections5btree3map5entry22Entry$LT$K$C$V$C$A$GT$10or_default17h99a5946c5bcc65e8E, .Lfunc_end60-_ZN5alloc11collections5btree3map5entry22Entry$LT$K$C$V$C$A$GT$10or_default17h99a5946c5bcc65e8E
	.cfi_endproc
	.section	".gcc_except_table._ZN5alloc11collections5btree3map5entry22Entry$LT$K$C$V$C$A$GT$10or_default17h99a5946c5bcc65e8E","a",@progbits
	.p2align	2, 0x0
GCC_except_table60:
.Lexception7:
	.byte	255
	.byte	255
	.byte	1
	.uleb128 .Lcst_end7-.Lcst_begin7
.Lcst_begin7:
	.uleb128 .Lfunc_begin7-.Lfunc_begin7
	.uleb128 .Ltmp47-.Lfunc_begin7
	.byte	0
	.byte	0
	.uleb128 .Ltmp47-.Lfunc_begin7
	.uleb128 .Ltmp50-.Ltmp47
	.uleb128 .Ltmp51-.Lfunc_begin7
	.byte	0
	.uleb128 .Ltmp50-.Lfunc_begin7
	.uleb128 .Lfunc_end60-.Ltmp50
	.byte	0
	.byte	0
.Lcst_end7:
	.p2align	2, 0x0

	.section	".text._ZN5alloc11collections5btree3map5entry28VacantEntry$LT$K$C$V$C$A$GT$12insert_entry17h735804e133584b31E","ax",@progbits
	.globl	_ZN5alloc11collections5btree3map5entry28VacantEntry$LT$K$C$V$C$A$GT$12insert_entry17h735804e133584b31E
	.p2align	4
	.type	_ZN5alloc11collections5btree3map5entry28VacantEntry$LT$K$C$V$C$A$GT$12insert_entry17h735804e133584b31E,@function
_ZN5alloc11collections5btree3map5entry28VacantEntry$LT$K$C$V$C$A$GT$12insert_entry17h735804e133584b31E:
.Lfunc_begin8:
	.cfi_startproc
	.cfi_personality 155, DW.ref.rust_eh_personality
	.cfi_lsda 27, .Lexception8
	subq	$216, %rsp
	.cfi_def_cfa_offset 224
	movq	%rdx, 56(%rsp)
	movq	%rsi, 64(%rsp)
	movq	%rdi, 72(%rsp)
	movq	%rdi, 80(%rsp)
	movb	$1, 191(%rsp)
	movb	$1, 190(%rsp)
	movq	24(%rsi), %rdx
	movl	$1, %eax
	xorl	%ecx, %ecx
	cmpq	$0, %rdx
	cmoveq	%rcx, %rax
	testq	$1, %rax
	je	.LBB61_2
	movq	64(%rsp), %rdi
	movq	40(%rdi), %rax
	movq	%rax, 144(%rsp)
	movups	24(%rdi), %xmm0
	movaps	%xmm0, 128(%rsp)
	movb	$0, 191(%rsp)
	movb	$1, 189(%rsp)
	movq	(%rdi), %rax
	movq	%rax, 40(%rsp)
	movq	8(%rdi), %rax
	movq	%rax, 48(%rsp)
	movb	$0, 190(%rsp)
	movb	$1, 188(%rsp)
	addq	$48, %rdi
.Ltmp59:
	callq	_ZN59_$LT$alloc..alloc..Global$u20$as$u20$core..clone..Clone$GT$5clone17h720c7a222124ffffE
.Ltmp60:
	jmp	.LBB61_14
.LBB61_2:
	movq	64(%rsp), %rdi
	movq	16(%rdi), %rax
	movq	%rax, 32(%rsp)
	addq	$48, %rdi
.Ltmp52:
	callq	_ZN59_$LT$alloc..alloc..Global$u20$as$u20$core..clone..Clone$GT$5clone17h720c7a222124ffffE
.Ltmp53:
	jmp	.LBB61_5
.LBB61_3:
	testb	$1, 190(%rsp)
	jne	.LBB61_20
	jmp	.LBB61_19
.LBB61_4:
.Ltmp58:
	movq	%rax, %rcx
	movl	%edx, %eax
	movq	%rcx, 200(%rsp)
	movl	%eax, 208(%rsp)
	jmp	.LBB61_3
.LBB61_5:
.Ltmp54:
	movq	_ZN5alloc11collections5btree4node117NodeRef$LT$alloc..collections..btree..node..marker..Owned$C$K$C$V$C$alloc..collections..btree..node..marker..Leaf$GT$8new_leaf17h3816dcf883f0d9c0E@GOTPCREL(%rip), %rax
	callq	*%rax
.Ltmp55:
	movq	%rdx, 16(%rsp)
	movq	%rax, 24(%rsp)
	jmp	.LBB61_6
.LBB61_6:
	movq	32(%rsp), %rax
	movq	16(%rsp), %rcx
	movq	24(%rsp), %rdx
	movq	%rdx, (%rax)
	movq	%rcx, 8(%rax)
	movq	(%rax), %rdx
	movl	$1, %eax
	xorl	%ecx, %ecx
	cmpq	$0, %rdx
	cmoveq	%rcx, %rax
	testq	$1, %rax
	je	.LBB61_8
	movq	56(%rsp), %r8
	movq	64(%rsp), %rax
	movq	32(%rsp), %rcx
	movq	%rcx, 192(%rsp)
	movq	192(%rsp), %rdx
	movq	(%rdx), %rcx
	movq	8(%rdx), %rdx
	movq	%rdx, 120(%rsp)
	movq	%rcx, 112(%rsp)
	movb	$0, 191(%rsp)
	movq	(%rax), %rdx
	movq	8(%rax), %rcx
	movb	$0, 190(%rsp)
.Ltmp56:
	movq	_ZN5alloc11collections5btree4node115NodeRef$LT$alloc..collections..btree..node..marker..Mut$C$K$C$V$C$alloc..collections..btree..node..marker..Leaf$GT$16push_with_handle17hca76c1d65a513c61E@GOTPCREL(%rip), %rax
	leaq	88(%rsp), %rdi
	leaq	112(%rsp), %rsi
	callq	*%rax
.Ltmp57:
	jmp	.LBB61_10
.LBB61_8:
	movq	$0, 192(%rsp)
	leaq	.Lanon.60bed5dcf488807794e55d614a93ec96.36(%rip), %rdi
	callq	_ZN4core4hint21unreachable_unchecked18precondition_check17h4a6be2bf84128ac9E
	ud2
.LBB61_10:
	jmp	.LBB61_11
.LBB61_11:
	movq	80(%rsp), %rax
	movq	72(%rsp), %rcx
	movq	64(%rsp), %rdx
	movq	16(%rdx), %rsi
	movq	16(%rsi), %rdi
	addq	$1, %rdi
	movq	%rdi, 16(%rsi)
	movq	96(%rsp), %rdi
	movq	88(%rsp), %r8
	movq	104(%rsp), %rsi
	movq	%r8, 160(%rsp)
	movq	%rdi, 168(%rsp)
	movq	%rsi, 176(%rsp)
	movq	16(%rdx), %rdx
	movq	160(%rsp), %rsi
	movq	%rsi, (%rcx)
	movq	168(%rsp), %rsi
	movq	%rsi, 8(%rcx)
	movq	176(%rsp), %rsi
	movq	%rsi, 16(%rcx)
	movq	%rdx, 24(%rcx)
	addq	$216, %rsp
	.cfi_def_cfa_offset 8
	retq
.LBB61_12:
	.cfi_def_cfa_offset 224
	testb	$1, 188(%rsp)
	jne	.LBB61_17
	jmp	.LBB61_16
.LBB61_13:
.Ltmp63:
	movq	%rax, %rcx
	movl	%edx, %eax
	movq	%rcx, 200(%rsp)
	movl	%eax, 208(%rsp)
	jmp	.LBB61_12
.LBB61_14:
	movq	56(%rsp), %r8
	movq	48(%rsp), %rcx
	movq	40(%rsp), %rdx
	movq	64(%rsp), %rsi
	movq	%rsi, %r9
	addq	$16, %r9
	addq	$48, %rsi
	movb	$0, 189(%rsp)
	movb	$0, 188(%rsp)
.Ltmp61:
	movq	%rsp, %rax
	movq	%rsi, (%rax)
	movq	_ZN5alloc11collections5btree4node210Handle$LT$alloc..collections..btree..node..NodeRef$LT$alloc..collections..btree..node..marker..Mut$C$K$C$V$C$alloc..collections..btree..node..marker..Leaf$GT$$C$alloc..collections..btree..node..marker..Edge$GT$16insert_recursing17h437bd768b2d65439E@GOTPCREL(%rip), %rax
	leaq	88(%rsp), %rdi
	leaq	128(%rsp), %rsi
	callq	*%rax
.Ltmp62:
	jmp	.LBB61_15
.LBB61_15:
	jmp	.LBB61_11
.LBB61_16:
	testb	$1, 189(%rsp)
	jne	.LBB61_18
	jmp	.LBB61_3
.LBB61_17:
	jmp	.LBB61_16
.LBB61_18:
	jmp	.LBB61_3
.LBB61_19:
	testb	$1, 191(%rsp)
	jne	.LBB61_22
	jmp	.LBB61_21
.LBB61_20:
	jmp	.LBB61_19
.LBB61_21:
	movq	200(%rsp), %rdi
	callq	_Unwind_Resume@PLT
.LBB61_22:
	jmp	.LBB61_21
.Lfunc_end61:
	.size	_ZN5alloc11collections5btree3map5entry28VacantEntry$LT$K$C$V$C$A$GT$12insert_entry17h735804e133584b31E, .Lfunc_end61-_ZN5alloc11collections5btree3map5entry28VacantEntry$LT$K$C$V$C$A$GT$12insert_entry17h735804e133584b31E
	.cfi_endproc
	.section	".gcc_except_table._ZN5alloc11collections5btree3map5entry28VacantEntry$LT$K$C$V$C$A$GT$12insert_entry17h735804e133584b31E","a",@progbits
	.p2align	2, 0x0
GCC_except_table61:
.Lexception8:
	.byte	255
	.byte	255
	.byte	1
	.uleb128 .Lcst_end8-.Lcst_begin8
.Lcst_begin8:
	.uleb128 .Ltmp59-.Lfunc_begin8
	.uleb128 .Ltmp60-.Ltmp59
	.uleb128 .Ltmp63-.Lfunc_begin8
	.byte	0
	.uleb128 .Ltmp52-.Lfunc_begin8
	.uleb128 .Ltmp57-.Ltmp52
	.uleb128 .Ltmp58-.Lfunc_begin8
	.byte	0
	.uleb128 .Ltmp61-.Lfunc_begin8
	.uleb128 .Ltmp62-.Ltmp61
	.uleb128 .Ltmp63-.Lfunc_begin8
	.byte	0
	.uleb128 .Ltmp62-.Lfunc_begin8
	.uleb128 .Lfunc_end61-.Ltmp62
	.byte	0
	.byte	0
.Lcst_end8:
	.p2align	2, 0x0

	.section	".text._ZN5alloc11collections5btree3map5entry28VacantEntry$LT$K$C$V$C$A$GT$12insert_entry28_$u7b$$u7b$closure$u7d$$u7d$17h1256eb13b6faf9ccE","ax",@progbits
	.globl	_ZN5alloc11collections5btree3map5entry28VacantEntry$LT$K$C$V$C$A$GT$12insert_entry28_$u7b$$u7b$closure$u7d$$u7d$17h1256eb13b6faf9ccE
	.p2align	4
	.type	_ZN5alloc11collections5btree3map5entry28VacantEntry$LT$K$C$V$C$A$GT$12insert_entry28_$u7b$$u7b$closure$u7d$$u7d$17h1256eb13b6faf9ccE,@function
_ZN5alloc11collections5btree3map5entry28VacantEntry$LT$K$C$V$C$A$GT$12insert_entry28_$u7b$$u7b$closure$u7d$$u7d$17h1256eb13b6faf9ccE:
.Lfunc_begin9:
	.cfi_startproc
	.cfi_personality 155, DW.ref.rust_eh_personality
	.cfi_lsda 27, .Lexception9
	subq	$88, %rsp
	.cfi_def_cfa_offset 96
	movq	%rsi, 16(%rsp)
	movq	%rdx, 24(%rsp)
	movb	$1, 70(%rsp)
	movb	$1, 71(%rsp)
	movq	(%rdi), %rax
	movq	%rax, 32(%rsp)
	movq	(%rax), %rdx
	movl	$1, %eax
	xorl	%ecx, %ecx
	cmpq	$0, %rdx
	cmoveq	%rcx, %rax
	testq	$1, %rax
	je	.LBB62_2
	movq	16(%rsp), %rdi
	movq	32(%rsp), %rax
	movq	%rax, 40(%rsp)
	movq	40(%rsp), %rax
	movq	%rax, 8(%rsp)
.Ltmp66:
	callq	_ZN59_$LT$alloc..alloc..Global$u20$as$u20$core..clone..Clone$GT$5clone17h720c7a222124ffffE
.Ltmp67:
	jmp	.LBB62_6
.LBB62_2:
	movq	$0, 40(%rsp)
.Ltmp64:
	leaq	.Lanon.60bed5dcf488807794e55d614a93ec96.38(%rip), %rdi
	movq	_RNvNtCsgEmfK2I1SDS_4core6option13unwrap_failed@GOTPCREL(%rip), %rax
	callq	*%rax
.Ltmp65:
	jmp	.LBB62_5
.LBB62_3:
	testb	$1, 71(%rsp)
	jne	.LBB62_10
	jmp	.LBB62_9
.LBB62_4:
.Ltmp72:
	movq	%rax, %rcx
	movl	%edx, %eax
	movq	%rcx, 72(%rsp)
	movl	%eax, 80(%rsp)
	jmp	.LBB62_3
.LBB62_5:
	ud2
.LBB62_6:
.Ltmp68:
	movq	8(%rsp), %rdi
	movq	_ZN5alloc11collections5btree3mem7replace17h12263a3794de90cdE@GOTPCREL(%rip), %rax
	callq	*%rax
.Ltmp69:
	jmp	.LBB62_7
.LBB62_7:
	movq	24(%rsp), %rax
	movq	8(%rsp), %rdx
	movq	(%rdx), %rcx
	movq	8(%rdx), %rdx
	movq	%rdx, 56(%rsp)
	movq	%rcx, 48(%rsp)
	movb	$0, 71(%rsp)
	movq	16(%rax), %rsi
	movq	24(%rax), %rdx
	movb	$0, 70(%rsp)
	movq	32(%rax), %rcx
	movq	40(%rax), %r8
	movq	48(%rax), %r9
.Ltmp70:
	movq	_ZN5alloc11collections5btree4node119NodeRef$LT$alloc..collections..btree..node..marker..Mut$C$K$C$V$C$alloc..collections..btree..node..marker..Internal$GT$4push17h6328120fc1bc95bcE@GOTPCREL(%rip), %rax
	leaq	48(%rsp), %rdi
	callq	*%rax
.Ltmp71:
	jmp	.LBB62_8
.LBB62_8:
	addq	$88, %rsp
	.cfi_def_cfa_offset 8
	retq
.LBB62_9:
	.cfi_def_cfa_offset 96
	testb	$1, 70(%rsp)
	jne	.LBB62_12
	jmp	.LBB62_11
.LBB62_10:
	jmp	.LBB62_9
.LBB62_11:
	movq	72(%rsp), %rdi
	callq	_Unwind_Resume@PLT
.LBB62_12:
	jmp	.LBB62_11
.Lfunc_end62:
	.size	_ZN5alloc11collections5btree3map5entry28VacantEntry$LT$K$C$V$C$A$GT$12insert_entry28_$u7b$$u7b$closure$u7d$$u7d$17h1256eb13b6faf9ccE, .Lfunc_end62-_ZN5alloc11collections5btree3map5entry28VacantEntry$LT$K$C$V$C$A$GT$12insert_entry28_$u7b$$u7b$closure$u7d$$u7d$17h1256eb13b6faf9ccE
	.cfi_endproc
	.section	".gcc_except_table._ZN5alloc11collections5btree3map5entry28VacantEntry$LT$K$C$V$C$A$GT$12insert_entry28_$u7b$$u7b$closure$u7d$$u7d$17h1256eb13b6faf9ccE","a",@progbits
	.p2align	2, 0x0
GCC_except_table62:
.Lexception9:
	.byte	255
	.byte	255
	.byte	1
	.uleb128 .Lcst_end9-.Lcst_begin9
.Lcst_begin9:
	.uleb128 .Ltmp66-.Lfunc_begin9
	.uleb128 .Ltmp71-.Ltmp66
	.uleb128 .Ltmp72-.Lfunc_begin9
	.byte	0
	.uleb128 .Ltmp71-.Lfunc_begin9
	.uleb128 .Lfunc_end62-.Ltmp71
	.byte	0
	.byte	0
.Lcst_end9:
	.p2align	2, 0x0

	.section	".text._ZN5alloc11collections5btree3map5entry30OccupiedEntry$LT$K$C$V$C$A$GT$8into_mut17h4919447440d7d373E","ax",@progbits
	.globl	_ZN5alloc11collections5btree3map5entry30OccupiedEntry$LT$K$C$V$C$A$GT$8into_mut17h4919447440d7d373E
	.p2align	4
	.type	_ZN5alloc11collections5btree3map5entry30OccupiedEntry$LT$K$C$V$C$A$GT$8into_mut17h4919447440d7d373E,@function
_ZN5alloc11collections5btree3map5entry30OccupiedEntry$LT$K$C$V$C$A$GT$8into_mut17h4919447440d7d373E:
.Lfunc_begin10:
	.cfi_startproc
	.cfi_personality 155, DW.ref.rust_eh_personality
	.cfi_lsda 27, .Lexception10
	subq	$56, %rsp
	.cfi_def_cfa_offset 64
	movq	16(%rdi), %rax
	movq	%rax, 32(%rsp)
	movups	(%rdi), %xmm0
	movaps	%xmm0, 16(%rsp)
.Ltmp73:
	movq	_ZN5alloc11collections5btree4node171Handle$LT$alloc..collections..btree..node..NodeRef$LT$alloc..collections..btree..node..marker..Mut$C$K$C$V$C$NodeType$GT$$C$alloc..collections..btree..node..marker..KV$GT$12into_val_mut17hbd836940336c9c55E@GOTPCREL(%rip), %rax
	leaq	16(%rsp), %rdi
	callq	*%rax
.Ltmp74:
	movq	%rax, 8(%rsp)
	jmp	.LBB63_3
.LBB63_1:
	movq	40(%rsp), %rdi
	callq	_Unwind_Resume@PLT
.LBB63_2:
.Ltmp75:
	movq	%rax, %rcx
	movl	%edx, %eax
	movq	%rcx, 40(%rsp)
	movl	%eax, 48(%rsp)
	jmp	.LBB63_1
.LBB63_3:
	movq	8(%rsp), %rax
	addq	$56, %rsp
	.cfi_def_cfa_offset 8
	retq
.Lfunc_end63:
	.size	_ZN5alloc11collections5btree3map5entry30OccupiedEntry$LT$K$C$V$C$A$GT$8into_mut17h4919447440d7d373E, .Lfunc_end63-_ZN5alloc11collections5btree3map5entry30OccupiedEntry$LT$K$C$V$C$A$GT$8into_mut17h4919447440d7d373E
	.cfi_endproc
	.section	".gcc_except_table._ZN5alloc11collections5btree3map5entry30OccupiedEntry$LT$K$C$V$C$A$GT$8into_mut17h4919447440d7d373E","a",@progbits
	.p2align	2, 0x0
GCC_except_table63:
.Lexception10:
	.byte	255
	.byte	255
	.byte	1
	.uleb128 .Lcst_end10-.Lcst_begin10
.Lcst_begin10:
	.uleb128 .Ltmp73-.Lfunc_begin10
	.uleb128 .Ltmp74-.Ltmp73
	.uleb128 .Ltmp75-.Lfunc_begin10
	.byte	0
	.uleb128 .Ltmp74-.Lfunc_begin10
	.uleb128 .Lfunc_end63-.Ltmp74
	.byte	0
	.byte	0
.Lcst_end10:
	.p2align	2, 0x0

	.section	.text._ZN5alloc11collections5btree3mem7replace17h12263a3794de90cdE,"ax",@progbits
	.globl	_ZN5alloc11collections5btree3mem7replace17h12263a3794de90cdE
	.p2align	4
	.type	_ZN5alloc11collections5btree3mem7replace17h12263a3794de90cdE,@function
_ZN5alloc11collections5btree3mem7replace17h12263a3794de90cdE:
.Lfunc_begin11:
	.cfi_startproc
	.cfi_personality 155, DW.ref.rust_eh_personality
	.cfi_lsda 27, .Lexception11
	subq	$56, %rsp
	.cfi_def_cfa_offset 64
	movq	%rdi, %rax
	movq	%rax, 8(%rsp)
	movq	(%rax), %rdi
	movq	8(%rax), %rsi
.Ltmp76:
	movq	_ZN5alloc11collections5btree3mem8take_mut28_$u7b$$u7b$closure$u7d$$u7d$17h60988ba7b7844627E@GOTPCREL(%rip), %rax
	callq	*%rax
.Ltmp77:
	movq	%rdx, 16(%rsp)
	movq	%rax, 24(%rsp)
	jmp	.LBB64_3
.LBB64_1:
.Ltmp79:
	movq	_ZN4core3ptr72drop_in_place$LT$alloc..collections..btree..mem..replace..PanicGuard$GT$17h588ec0e9d14dfe47E@GOTPCREL(%rip), %rax
	leaq	39(%rsp), %rdi
	callq	*%rax
.Ltmp80:
	jmp	.LBB64_5
.LBB64_2:
.Ltmp78:
	movq	%rax, %rcx
	movl	%edx, %eax
	movq	%rcx, 40(%rsp)
	movl	%eax, 48(%rsp)
	jmp	.LBB64_1
.LBB64_3:
	movq	8(%rsp), %rax
	movq	16(%rsp), %rcx
	movq	24(%rsp), %rdx
	movq	%rdx, (%rax)
	movq	%rcx, 8(%rax)
	addq	$56, %rsp
	.cfi_def_cfa_offset 8
	retq
.LBB64_4:
	.cfi_def_cfa_offset 64
.Ltmp81:
	callq	*_RNvNtCsgEmfK2I1SDS_4core9panicking16panic_in_cleanup@GOTPCREL(%rip)
.LBB64_5:
	movq	40(%rsp), %rdi
	callq	_Unwind_Resume@PLT
.Lfunc_end64:
	.size	_ZN5alloc11collections5btree3mem7replace17h12263a3794de90cdE, .Lfunc_end64-_ZN5alloc11collections5btree3mem7replace17h12263a3794de90cdE
	.cfi_endproc
	.section	.gcc_except_table._ZN5alloc11collections5btree3mem7replace17h12263a3794de90cdE,"a",@progbits
	.p2align	2, 0x0
GCC_except_table64:
.Lexception11:
	.byte	255
	.byte	155
	.uleb128 .Lttbase2-.Lttbaseref2
.Lttbaseref2:
	.byte	1
	.uleb128 .Lcst_end11-.Lcst_begin11
.Lcst_begin11:
	.uleb128 .Ltmp76-.Lfunc_begin11
	.uleb128 .Ltmp77-.Ltmp76
	.uleb128 .Ltmp78-.Lfunc_begin11
	.byte	0
	.uleb128 .Ltmp79-.Lfunc_begin11
	.uleb128 .Ltmp80-.Ltmp79
	.uleb128 .Ltmp81-.Lfunc_begin11
	.byte	1
	.uleb128 .Ltmp80-.Lfunc_begin11
	.uleb128 .Lfunc_end64-.Ltmp80
	.byte	0
	.byte	0
.Lcst_end11:
	.byte	127
	.byte	0
	.p2align	2, 0x0
.Lttbase2:
	.byte	0
	.p2align	2, 0x0

	.section	.text._ZN5alloc11collections5btree3mem7replace17h3967a7e7d599da8aE,"ax",@progbits
	.globl	_ZN5alloc11collections5btree3mem7replace17h3967a7e7d599da8aE
	.p2align	4
	.type	_ZN5alloc11collections5btree3mem7replace17h3967a7e7d599da8aE,@function
_ZN5alloc11collections5btree3mem7replace17h3967a7e7d599da8aE:
.Lfunc_begin12:
	.cfi_startproc
	.cfi_personality 155, DW.ref.rust_eh_personality
	.cfi_lsda 27, .Lexception12
	subq	$168, %rsp
	.cfi_def_cfa_offset 176
	movq	%rsi, (%rsp)
	movq	%rdi, 8(%rsp)
	movq	%rdi, 16(%rsp)
	movq	16(%rsi), %rax
	movq	%rax, 48(%rsp)
	movups	(%rsi), %xmm0
	movaps	%xmm0, 32(%rsp)
	movq	48(%rsp), %rax
	movq	%rax, 144(%rsp)
	movaps	32(%rsp), %xmm0
	movaps	%xmm0, 128(%rsp)
.Ltmp82:
	movq	_ZN5alloc11collections5btree8navigate263_$LT$impl$u20$alloc..collections..btree..node..Handle$LT$alloc..collections..btree..node..NodeRef$LT$alloc..collections..btree..node..marker..Dying$C$K$C$V$C$alloc..collections..btree..node..marker..Leaf$GT$$C$alloc..collections..btree..node..marker..Edge$GT$$GT$27deallocating_next_unchecked28_$u7b$$u7b$closure$u7d$$u7d$17h819da613b4cf0315E@GOTPCREL(%rip), %rax
	leaq	80(%rsp), %rdi
	leaq	128(%rsp), %rsi
	callq	*%rax
.Ltmp83:
	jmp	.LBB65_3
.LBB65_1:
.Ltmp85:
	movq	_ZN4core3ptr72drop_in_place$LT$alloc..collections..btree..mem..replace..PanicGuard$GT$17h588ec0e9d14dfe47E@GOTPCREL(%rip), %rax
	leaq	31(%rsp), %rdi
	callq	*%rax
.Ltmp86:
	jmp	.LBB65_5
.LBB65_2:
.Ltmp84:
	movq	%rax, %rcx
	movl	%edx, %eax
	movq	%rcx, 152(%rsp)
	movl	%eax, 160(%rsp)
	jmp	.LBB65_1
.LBB65_3:
	movq	16(%rsp), %rax
	movq	(%rsp), %rcx
	movq	8(%rsp), %rdx
	movq	80(%rsp), %rsi
	movq	%rsi, 56(%rsp)
	movq	88(%rsp), %rsi
	movq	%rsi, 64(%rsp)
	movq	96(%rsp), %rsi
	movq	%rsi, 72(%rsp)
	movq	104(%rsp), %rsi
	movq	%rsi, (%rdx)
	movq	112(%rsp), %rsi
	movq	%rsi, 8(%rdx)
	movq	120(%rsp), %rsi
	movq	%rsi, 16(%rdx)
	movq	56(%rsp), %rdx
	movq	%rdx, (%rcx)
	movq	64(%rsp), %rdx
	movq	%rdx, 8(%rcx)
	movq	72(%rsp), %rdx
	movq	%rdx, 16(%rcx)
	addq	$168, %rsp
	.cfi_def_cfa_offset 8
	retq
.LBB65_4:
	.cfi_def_cfa_offset 176
.Ltmp87:
	callq	*_RNvNtCsgEmfK2I1SDS_4core9panicking16panic_in_cleanup@GOTPCREL(%rip)
.LBB65_5:
	movq	152(%rsp), %rdi
	callq	_Unwind_Resume@PLT
.Lfunc_end65:
	.size	_ZN5alloc11collections5btree3mem7replace17h3967a7e7d599da8aE, .Lfunc_end65-_ZN5alloc11collections5btree3mem7replace17h3967a7e7d599da8aE
	.cfi_endproc
	.section	.gcc_except_table._ZN5alloc11collections5btree3mem7replace17h3967a7e7d599da8aE,"a",@progbits
	.p2align	2, 0x0
GCC_except_table65:
.Lexception12:
	.byte	255
	.byte	155
	.uleb128 .Lttbase3-.Lttbaseref3
.Lttbaseref3:
	.byte	1
	.uleb128 .Lcst_end12-.Lcst_begin12
.Lcst_begin12:
	.uleb128 .Ltmp82-.Lfunc_begin12
	.uleb128 .Ltmp83-.Ltmp82
	.uleb128 .Ltmp84-.Lfunc_begin12
	.byte	0
	.uleb128 .Ltmp85-.Lfunc_begin12
	.uleb128 .Ltmp86-.Ltmp85
	.uleb128 .Ltmp87-.Lfunc_begin12
	.byte	1
	.uleb128 .Ltmp86-.Lfunc_begin12
	.uleb128 .Lfunc_end65-.Ltmp86
	.byte	0
	.byte	0
.Lcst_end12:
	.byte	127
	.byte	0
	.p2align	2, 0x0
.Lttbase3:
	.byte	0
	.p2align	2, 0x0

	.section	".text._ZN5alloc11collections5btree3mem8take_mut28_$u7b$$u7b$closure$u7d$$u7d$17h60988ba7b7844627E","ax",@progbits
	.globl	_ZN5alloc11collections5btree3mem8take_mut28_$u7b$$u7b$closure$u7d$$u7d$17h60988ba7b7844627E
	.p2align	4
	.type	_ZN5alloc11collections5btree3mem8take_mut28_$u7b$$u7b$closure$u7d$$u7d$17h60988ba7b7844627E,@function
_ZN5alloc11collections5btree3mem8take_mut28_$u7b$$u7b$closure$u7d$$u7d$17h60988ba7b7844627E:
	.cfi_startproc
	pushq	%rax
	.cfi_def_cfa_offset 16
	movq	_ZN5alloc11collections5btree4node127NodeRef$LT$alloc..collections..btree..node..marker..Owned$C$K$C$V$C$alloc..collections..btree..node..marker..LeafOrInternal$GT$19push_internal_level28_$u7b$$u7b$closure$u7d$$u7d$17h7c8172d9d3a453eaE@GOTPCREL(%rip), %rax
	callq	*%rax
	popq	%rcx
	.cfi_def_cfa_offset 8
	retq
.Lfunc_end66:
	.size	_ZN5alloc11collections5btree3mem8take_mut28_$u7b$$u7b$closure$u7d$$u7d$17h60988ba7b7844627E, .Lfunc_end66-_ZN5alloc11collections5btree3mem8take_mut28_$u7b$$u7b$closure$u7d$$u7d$17h60988ba7b7844627E
	.cfi_endproc

	.section	".text._ZN5alloc11collections5btree4node115NodeRef$LT$alloc..collections..btree..node..marker..Mut$C$K$C$V$C$alloc..collections..btree..node..marker..Leaf$GT$16push_with_handle17hca76c1d65a513c61E","ax",@progbits
	.globl	_ZN5alloc11collections5btree4node115NodeRef$LT$alloc..collections..btree..node..marker..Mut$C$K$C$V$C$alloc..collections..btree..node..marker..Leaf$GT$16push_with_handle17hca76c1d65a513c61E
	.p2align	4
	.type	_ZN5alloc11collections5btree4node115NodeRef$LT$alloc..collections..btree..node..marker..Mut$C$K$C$V$C$alloc..collections..btree..node..marker..Leaf$GT$16push_with_handle17hca76c1d65a513c61E,@function
_ZN5alloc11collections5btree4node115NodeRef$LT$alloc..collections..btree..node..marker..Mut$C$K$C$V$C$alloc..collections..btree..node..marker..Leaf$GT$16push_with_handle17hca76c1d65a513c61E:
.Lfunc_begin13:
	.cfi_startproc
	.cfi_personality 155, DW.ref.rust_eh_personality
	.cfi_lsda 27, .Lexception13
	subq	$104, %rsp
	.cfi_def_cfa_offset 112
	movq	%r8, 24(%rsp)
	movq	%rcx, 32(%rsp)
	movq	%rdx, 40(%rsp)
	movq	%rsi, 48(%rsp)
	movq	%rdi, 56(%rsp)
	movq	%rdi, 64(%rsp)
	movq	(%rsi), %rax
	movq	%rax, 72(%rsp)
	movzwl	274(%rax), %eax
	movq	%rax, 80(%rsp)
	cmpq	$11, %rax
	jb	.LBB67_2
.Ltmp88:
	leaq	.Lanon.60bed5dcf488807794e55d614a93ec96.39(%rip), %rdi
	leaq	.Lanon.60bed5dcf488807794e55d614a93ec96.41(%rip), %rdx
	movq	_RNvNtCsgEmfK2I1SDS_4core9panicking5panic@GOTPCREL(%rip), %rax
	movl	$32, %esi
	callq	*%rax
.Ltmp89:
	jmp	.LBB67_5
.LBB67_2:
	movq	48(%rsp), %rax
	movq	72(%rsp), %rcx
	movw	274(%rcx), %dx
	addw	$1, %dx
	movw	%dx, 274(%rcx)
	movq	(%rax), %rax
	movq	%rax, 16(%rsp)
	jmp	.LBB67_6
.LBB67_3:
	movq	88(%rsp), %rdi
	callq	_Unwind_Resume@PLT
.LBB67_4:
.Ltmp90:
	movq	%rax, %rcx
	movl	%edx, %eax
	movq	%rcx, 88(%rsp)
	movl	%eax, 96(%rsp)
	jmp	.LBB67_3
.LBB67_5:
	ud2
.LBB67_6:
	movq	80(%rsp), %rdi
	movl	$11, %esi
	leaq	.Lanon.60bed5dcf488807794e55d614a93ec96.42(%rip), %rdx
	callq	_ZN75_$LT$usize$u20$as$u20$core..slice..index..SliceIndex$LT$$u5b$T$u5d$$GT$$GT$17get_unchecked_mut18precondition_check17hff4d7700b6d4cc41E
	movq	48(%rsp), %rax
	movq	32(%rsp), %rdx
	movq	40(%rsp), %rsi
	movq	16(%rsp), %rcx
	movq	80(%rsp), %rdi
	shlq	$4, %rdi
	addq	%rdi, %rcx
	movq	%rsi, (%rcx)
	movq	%rdx, 8(%rcx)
	movq	(%rax), %rax
	addq	$184, %rax
	movq	%rax, 8(%rsp)
	movq	80(%rsp), %rdi
	movl	$11, %esi
	leaq	.Lanon.60bed5dcf488807794e55d614a93ec96.43(%rip), %rdx
	callq	_ZN75_$LT$usize$u20$as$u20$core..slice..index..SliceIndex$LT$$u5b$T$u5d$$GT$$GT$17get_unchecked_mut18precondition_check17hff4d7700b6d4cc41E
	movq	64(%rsp), %rax
	movq	56(%rsp), %rcx
	movq	80(%rsp), %rdx
	movq	48(%rsp), %rdi
	movq	8(%rsp), %rsi
	movq	24(%rsp), %r8
	movq	%r8, (%rsi,%rdx,8)
	movq	8(%rdi), %rsi
	movq	(%rdi), %rdi
	movq	%rdi, (%rcx)
	movq	%rsi, 8(%rcx)
	movq	%rdx, 16(%rcx)
	addq	$104, %rsp
	.cfi_def_cfa_offset 8
	retq
.Lfunc_end67:
	.size	_ZN5alloc11collections5btree4node115NodeRef$LT$alloc..collections..btree..node..marker..Mut$C$K$C$V$C$alloc..collections..btree..node..marker..Leaf$GT$16push_with_handle17hca76c1d65a513c61E, .Lfunc_end67-_ZN5alloc11collections5btree4node115NodeRef$LT$alloc..collections..btree..node..marker..Mut$C$K$C$V$C$alloc..collections..btree..node..marker..Leaf$GT$16push_with_handle17hca76c1d65a513c61E
	.cfi_endproc
	.section	".gcc_except_table._ZN5alloc11collections5btree4node115NodeRef$LT$alloc..collections..btree..node..marker..Mut$C$K$C$V$C$alloc..collections..btree..node..marker..Leaf$GT$16push_with_handle17hca76c1d65a513c61E","a",@progbits
	.p2align	2, 0x0
GCC_except_table67:
.Lexception13:
	.byte	255
	.byte	255
	.byte	1
	.uleb128 .Lcst_end13-.Lcst_begin13
.Lcst_begin13:
	.uleb128 .Ltmp88-.Lfunc_begin13
	.uleb128 .Ltmp89-.Ltmp88
	.uleb128 .Ltmp90-.Lfunc_begin13
	.byte	0
	.uleb128 .Ltmp89-.Lfunc_begin13
	.uleb128 .Lfunc_end67-.Ltmp89
	.byte	0
	.byte	0
.Lcst_end13:
	.p2align	2, 0x0

	.section	".text._ZN5alloc11collections5btree4node117NodeRef$LT$alloc..collections..btree..node..marker..Owned$C$K$C$V$C$alloc..collections..btree..node..marker..Leaf$GT$13from_new_leaf17h9f32e19e1fb8b9e9E","ax",@progbits
	.globl	_ZN5alloc11collections5btree4node117NodeRef$LT$alloc..collections..btree..node..marker..Owned$C$K$C$V$C$alloc..collections..btree..node..marker..Leaf$GT$13from_new_leaf17h9f32e19e1fb8b9e9E
	.p2align	4
	.type	_ZN5alloc11collections5btree4node117NodeRef$LT$alloc..collections..btree..node..marker..Owned$C$K$C$V$C$alloc..collections..btree..node..marker..Leaf$GT$13from_new_leaf17h9f32e19e1fb8b9e9E,@function
_ZN5alloc11collections5btree4node117NodeRef$LT$alloc..collections..btree..node..marker..Owned$C$K$C$V$C$alloc..collections..btree..node..marker..Leaf$GT$13from_new_leaf17h9f32e19e1fb8b9e9E:
	.cfi_startproc
	pushq	%rax
	.cfi_def_cfa_offset 16
	movq	%rdi, (%rsp)
	jmp	.LBB68_1
.LBB68_1:
	movq	(%rsp), %rdi
	leaq	.Lanon.60bed5dcf488807794e55d614a93ec96.45(%rip), %rsi
	callq	_ZN4core3ptr8non_null16NonNull$LT$T$GT$13new_unchecked18precondition_check17h6026ee14bec0b41bE
	movq	(%rsp), %rax
	xorl	%ecx, %ecx
	movl	%ecx, %edx
	popq	%rcx
	.cfi_def_cfa_offset 8
	retq
.Lfunc_end68:
	.size	_ZN5alloc11collections5btree4node117NodeRef$LT$alloc..collections..btree..node..marker..Owned$C$K$C$V$C$alloc..collections..btree..node..marker..Leaf$GT$13from_new_leaf17h9f32e19e1fb8b9e9E, .Lfunc_end68-_ZN5alloc11collections5btree4node117NodeRef$LT$alloc..collections..btree..node..marker..Owned$C$K$C$V$C$alloc..collections..btree..node..marker..Leaf$GT$13from_new_leaf17h9f32e19e1fb8b9e9E
	.cfi_endproc

	.section	".text._ZN5alloc11collections5btree4node117NodeRef$LT$alloc..collections..btree..node..marker..Owned$C$K$C$V$C$alloc..collections..btree..node..marker..Leaf$GT$8new_leaf17h3816dcf883f0d9c0E","ax",@progbits
	.globl	_ZN5alloc11collections5btree4node117NodeRef$LT$alloc..collections..btree..node..marker..Owned$C$K$C$V$C$alloc..collections..btree..node..marker..Leaf$GT$8new_leaf17h3816dcf883f0d9c0E
	.p2align	4
	.type	_ZN5alloc11collections5btree4node117NodeRef$LT$alloc..collections..btree..node..marker..Owned$C$K$C$V$C$alloc..collections..btree..node..marker..Leaf$GT$8new_leaf17h3816dcf883f0d9c0E,@function
_ZN5alloc11collections5btree4node117NodeRef$LT$alloc..collections..btree..node..marker..Owned$C$K$C$V$C$alloc..collections..btree..node..marker..Leaf$GT$8new_leaf17h3816dcf883f0d9c0E:
	.cfi_startproc
	pushq	%rax
	.cfi_def_cfa_offset 16
	movq	_ZN5alloc5boxed16Box$LT$T$C$A$GT$13new_uninit_in17h4834a355cfd4a848E@GOTPCREL(%rip), %rax
	callq	*%rax
	movq	%rax, %rdi
	movq	$0, 176(%rdi)
	movw	$0, 274(%rdi)
	movq	_ZN5alloc11collections5btree4node117NodeRef$LT$alloc..collections..btree..node..marker..Owned$C$K$C$V$C$alloc..collections..btree..node..marker..Leaf$GT$13from_new_leaf17h9f32e19e1fb8b9e9E@GOTPCREL(%rip), %rax
	callq	*%rax
	popq	%rcx
	.cfi_def_cfa_offset 8
	retq
.Lfunc_end69:
	.size	_ZN5alloc11collections5btree4node117NodeRef$LT$alloc..collections..btree..node..marker..Owned$C$K$C$V$C$alloc..collections..btree..node..marker..Leaf$GT$8new_leaf17h3816dcf883f0d9c0E, .Lfunc_end69-_ZN5alloc11collections5btree4node117NodeRef$LT$alloc..collections..btree..node..marker..Owned$C$K$C$V$C$alloc..collections..btree..node..marker..Leaf$GT$8new_leaf17h3816dcf883f0d9c0E
	.cfi_endproc

	.section	".text._ZN5alloc11collections5btree4node119NodeRef$LT$alloc..collections..btree..node..marker..Mut$C$K$C$V$C$alloc..collections..btree..node..marker..Internal$GT$30correct_childrens_parent_links17h00a95d0b32401de1E","ax",@progbits
	.globl	_ZN5alloc11collections5btree4node119NodeRef$LT$alloc..collections..btree..node..marker..Mut$C$K$C$V$C$alloc..collections..btree..node..marker..Internal$GT$30correct_childrens_parent_links17h00a95d0b32401de1E
	.p2align	4
	.type	_ZN5alloc11collections5btree4node119NodeRef$LT$alloc..collections..btree..node..marker..Mut$C$K$C$V$C$alloc..collections..btree..node..marker..Internal$GT$30correct_childrens_parent_links17h00a95d0b32401de1E,@function
_ZN5alloc11collections5btree4node119NodeRef$LT$alloc..collections..btree..node..marker..Mut$C$K$C$V$C$alloc..collections..btree..node..marker..Internal$GT$30correct_childrens_parent_links17h00a95d0b32401de1E:
.Lfunc_begin14:
	.cfi_startproc
	.cfi_personality 155, DW.ref.rust_eh_personality
	.cfi_lsda 27, .Lexception14
	subq	$104, %rsp
	.cfi_def_cfa_offset 112
	movq	%rdi, 24(%rsp)
	movq	%rsi, 32(%rsp)
	movq	%rdx, 40(%rsp)
.LBB70_1:
.Ltmp91:
	movq	_ZN4core4iter5range101_$LT$impl$u20$core..iter..traits..iterator..Iterator$u20$for$u20$core..ops..range..Range$LT$A$GT$$GT$4next17hc650005d808d7561E@GOTPCREL(%rip), %rax
	leaq	32(%rsp), %rdi
	callq	*%rax
.Ltmp92:
	movq	%rdx, 8(%rsp)
	movq	%rax, 16(%rsp)
	jmp	.LBB70_4
.LBB70_2:
	movq	88(%rsp), %rdi
	callq	_Unwind_Resume@PLT
.LBB70_3:
.Ltmp95:
	movq	%rax, %rcx
	movl	%edx, %eax
	movq	%rcx, 88(%rsp)
	movl	%eax, 96(%rsp)
	jmp	.LBB70_2
.LBB70_4:
	movq	8(%rsp), %rax
	movq	16(%rsp), %rcx
	movq	%rcx, 48(%rsp)
	movq	%rax, 56(%rsp)
	testq	$1, 48(%rsp)
	je	.LBB70_6
	movq	24(%rsp), %rcx
	movq	56(%rsp), %rax
	movq	(%rcx), %rdx
	movq	8(%rcx), %rcx
	movq	%rdx, 64(%rsp)
	movq	%rcx, 72(%rsp)
	movq	%rax, 80(%rsp)
.Ltmp93:
	movq	_ZN5alloc11collections5btree4node214Handle$LT$alloc..collections..btree..node..NodeRef$LT$alloc..collections..btree..node..marker..Mut$C$K$C$V$C$alloc..collections..btree..node..marker..Internal$GT$$C$alloc..collections..btree..node..marker..Edge$GT$19correct_parent_link17h2bc326e1387c0831E@GOTPCREL(%rip), %rax
	leaq	64(%rsp), %rdi
	callq	*%rax
.Ltmp94:
	jmp	.LBB70_7
.LBB70_6:
	addq	$104, %rsp
	.cfi_def_cfa_offset 8
	retq
.LBB70_7:
	.cfi_def_cfa_offset 112
	jmp	.LBB70_1
.Lfunc_end70:
	.size	_ZN5alloc11collections5btree4node119NodeRef$LT$alloc..collections..btree..node..marker..Mut$C$K$C$V$C$alloc..collections..btree..node..marker..Internal$GT$30correct_childrens_parent_links17h00a95d0b32401de1E, .Lfunc_end70-_ZN5alloc11collections5btree4node119NodeRef$LT$alloc..collections..btree..node..marker..Mut$C$K$C$V$C$alloc..collections..btree..node..marker..Internal$GT$30correct_childrens_parent_links17h00a95d0b32401de1E
	.cfi_endproc
	.section	".gcc_except_table._ZN5alloc11collections5btree4node119NodeRef$LT$alloc..collections..btree..node..marker..Mut$C$K$C$V$C$alloc..collections..btree..node..marker..Internal$GT$30correct_childrens_parent_links17h00a95d0b32401de1E","a",@progbits
	.p2align	2, 0x0
GCC_except_table70:
.Lexception14:
	.byte	255
	.byte	255
	.byte	1
	.uleb128 .Lcst_end14-.Lcst_begin14
.Lcst_begin14:
	.uleb128 .Ltmp91-.Lfunc_begin14
	.uleb128 .Ltmp92-.Ltmp91
	.uleb128 .Ltmp95-.Lfunc_begin14
	.byte	0
	.uleb128 .Ltmp92-.Lfunc_begin14
	.uleb128 .Ltmp93-.Ltmp92
	.byte	0
	.byte	0
	.uleb128 .Ltmp93-.Lfunc_begin14
	.uleb128 .Ltmp94-.Ltmp93
	.uleb128 .Ltmp95-.Lfunc_begin14
	.byte	0
.Lcst_end14:
	.p2align	2, 0x0

	.section	".text._ZN5alloc11collections5btree4node119NodeRef$LT$alloc..collections..btree..node..marker..Mut$C$K$C$V$C$alloc..collections..btree..node..marker..Internal$GT$30correct_childrens_parent_links17hb23186cbd7bd0585E","ax",@progbits
	.globl	_ZN5alloc11collections5btree4node119NodeRef$LT$alloc..collections..btree..node..marker..Mut$C$K$C$V$C$alloc..collections..btree..node..marker..Internal$GT$30correct_childrens_parent_links17hb23186cbd7bd0585E
	.p2align	4
	.type	_ZN5alloc11collections5btree4node119NodeRef$LT$alloc..collections..btree..node..marker..Mut$C$K$C$V$C$alloc..collections..btree..node..marker..Internal$GT$30correct_childrens_parent_links17hb23186cbd7bd0585E,@function
_ZN5alloc11collections5btree4node119NodeRef$LT$alloc..collections..btree..node..marker..Mut$C$K$C$V$C$alloc..collections..btree..node..marker..Internal$GT$30correct_childrens_parent_links17hb23186cbd7bd0585E:
.Lfunc_begin15:
	.cfi_startproc
	.cfi_personality 155, DW.ref.rust_eh_personality
	.cfi_lsda 27, .Lexception15
	subq	$104, %rsp
	.cfi_def_cfa_offset 112
	movq	%rdi, 16(%rsp)
	movq	(%rsi), %rax
	movq	%rax, 24(%rsp)
	movq	8(%rsi), %rax
	movq	%rax, 32(%rsp)
	movq	16(%rsi), %rax
	movq	%rax, 40(%rsp)
.LBB71_1:
.Ltmp96:
	movq	_ZN4core4iter5range110_$LT$impl$u20$core..iter..traits..iterator..Iterator$u20$for$u20$core..ops..range..RangeInclusive$LT$A$GT$$GT$4next17h375a4cab0537736bE@GOTPCREL(%rip), %rax
	leaq	24(%rsp), %rdi
	callq	*%rax
.Ltmp97:
	movq	%rdx, (%rsp)
	movq	%rax, 8(%rsp)
	jmp	.LBB71_4
.LBB71_2:
	movq	88(%rsp), %rdi
	callq	_Unwind_Resume@PLT
.LBB71_3:
.Ltmp100:
	movq	%rax, %rcx
	movl	%edx, %eax
	movq	%rcx, 88(%rsp)
	movl	%eax, 96(%rsp)
	jmp	.LBB71_2
.LBB71_4:
	movq	(%rsp), %rax
	movq	8(%rsp), %rcx
	movq	%rcx, 48(%rsp)
	movq	%rax, 56(%rsp)
	testq	$1, 48(%rsp)
	je	.LBB71_6
	movq	16(%rsp), %rcx
	movq	56(%rsp), %rax
	movq	(%rcx), %rdx
	movq	8(%rcx), %rcx
	movq	%rdx, 64(%rsp)
	movq	%rcx, 72(%rsp)
	movq	%rax, 80(%rsp)
.Ltmp98:
	movq	_ZN5alloc11collections5btree4node214Handle$LT$alloc..collections..btree..node..NodeRef$LT$alloc..collections..btree..node..marker..Mut$C$K$C$V$C$alloc..collections..btree..node..marker..Internal$GT$$C$alloc..collections..btree..node..marker..Edge$GT$19correct_parent_link17h2bc326e1387c0831E@GOTPCREL(%rip), %rax
	leaq	64(%rsp), %rdi
	callq	*%rax
.Ltmp99:
	jmp	.LBB71_7
.LBB71_6:
	addq	$104, %rsp
	.cfi_def_cfa_offset 8
	retq
.LBB71_7:
	.cfi_def_cfa_offset 112
	jmp	.LBB71_1
.Lfunc_end71:
	.size	_ZN5alloc11collections5btree4node119NodeRef$LT$alloc..collections..btree..node..marker..Mut$C$K$C$V$C$alloc..collections..btree..node..marker..Internal$GT$30correct_childrens_parent_links17hb23186cbd7bd0585E, .Lfunc_end71-_ZN5alloc11collections5btree4node119NodeRef$LT$alloc..collections..btree..node..marker..Mut$C$K$C$V$C$alloc..collections..btree..node..marker..Internal$GT$30correct_childrens_parent_links17hb23186cbd7bd0585E
	.cfi_endproc
	.section	".gcc_except_table._ZN5alloc11collections5btree4node119NodeRef$LT$alloc..collections..btree..node..marker..Mut$C$K$C$V$C$alloc..collections..btree..node..marker..Internal$GT$30correct_childrens_parent_links17hb23186cbd7bd0585E","a",@progbits
	.p2align	2, 0x0
GCC_except_table71:
.Lexception15:
	.byte	255
	.byte	255
	.byte	1
	.uleb128 .Lcst_end15-.Lcst_begin15
.Lcst_begin15:
	.uleb128 .Ltmp96-.Lfunc_begin15
	.uleb128 .Ltmp97-.Ltmp96
	.uleb128 .Ltmp100-.Lfunc_begin15
	.byte	0
	.uleb128 .Ltmp97-.Lfunc_begin15
	.uleb128 .Ltmp98-.Ltmp97
	.byte	0
	.byte	0
	.uleb128 .Ltmp98-.Lfunc_begin15
	.uleb128 .Ltmp99-.Ltmp98
	.uleb128 .Ltmp100-.Lfunc_begin15
	.byte	0
.Lcst_end15:
	.p2align	2, 0x0

	.section	".text._ZN5alloc11collections5btree4node119NodeRef$LT$alloc..collections..btree..node..marker..Mut$C$K$C$V$C$alloc..collections..btree..node..marker..Internal$GT$4push17h6328120fc1bc95bcE","ax",@progbits
	.globl	_ZN5alloc11collections5btree4node119NodeRef$LT$alloc..collections..btree..node..marker..Mut$C$K$C$V$C$alloc..collections..btree..node..marker..Internal$GT$4push17h6328120fc1bc95bcE
	.p2align	4
	.type	_ZN5alloc11collections5btree4node119NodeRef$LT$alloc..collections..btree..node..marker..Mut$C$K$C$V$C$alloc..collections..btree..node..marker..Internal$GT$4push17h6328120fc1bc95bcE,@function
_ZN5alloc11collections5btree4node119NodeRef$LT$alloc..collections..btree..node..marker..Mut$C$K$C$V$C$alloc..collections..btree..node..marker..Internal$GT$4push17h6328120fc1bc95bcE:
.Lfunc_begin16:
	.cfi_startproc
	.cfi_personality 155, DW.ref.rust_eh_personality
	.cfi_lsda 27, .Lexception16
	subq	$136, %rsp
	.cfi_def_cfa_offset 144
	movq	%rdi, 48(%rsp)
	movq	%rsi, 56(%rsp)
	movq	%rdx, 64(%rsp)
	movq	%rcx, 72(%rsp)
	movq	%r8, 80(%rsp)
	movb	$1, 119(%rsp)
	movb	$1, 118(%rsp)
	movq	8(%rdi), %rax
	subq	$1, %rax
	cmpq	%rax, %r9
	je	.LBB72_2
.Ltmp101:
	leaq	.Lanon.60bed5dcf488807794e55d614a93ec96.46(%rip), %rdi
	leaq	.Lanon.60bed5dcf488807794e55d614a93ec96.47(%rip), %rdx
	movq	_RNvNtCsgEmfK2I1SDS_4core9panicking5panic@GOTPCREL(%rip), %rax
	movl	$48, %esi
	callq	*%rax
.Ltmp102:
	jmp	.LBB72_5
.LBB72_2:
	movq	48(%rsp), %rax
	movq	(%rax), %rax
	movq	%rax, 32(%rsp)
	movzwl	274(%rax), %eax
	movq	%rax, 40(%rsp)
	cmpq	$11, %rax
	jb	.LBB72_7
	jmp	.LBB72_6
.LBB72_3:
	testb	$1, 118(%rsp)
	jne	.LBB72_16
	jmp	.LBB72_15
.LBB72_4:
.Ltmp107:
	movq	%rax, %rcx
	movl	%edx, %eax
	movq	%rcx, 120(%rsp)
	movl	%eax, 128(%rsp)
	jmp	.LBB72_3
.LBB72_5:
	ud2
.LBB72_6:
.Ltmp103:
	leaq	.Lanon.60bed5dcf488807794e55d614a93ec96.39(%rip), %rdi
	leaq	.Lanon.60bed5dcf488807794e55d614a93ec96.48(%rip), %rdx
	movq	_RNvNtCsgEmfK2I1SDS_4core9panicking5panic@GOTPCREL(%rip), %rax
	movl	$32, %esi
	callq	*%rax
.Ltmp104:
	jmp	.LBB72_5
.LBB72_7:
	movq	48(%rsp), %rax
	movq	32(%rsp), %rcx
	movw	274(%rcx), %dx
	addw	$1, %dx
	movw	%dx, 274(%rcx)
	movq	(%rax), %rax
	movq	%rax, 24(%rsp)
	movq	40(%rsp), %rdi
	movl	$11, %esi
	leaq	.Lanon.60bed5dcf488807794e55d614a93ec96.42(%rip), %rdx
	callq	_ZN75_$LT$usize$u20$as$u20$core..slice..index..SliceIndex$LT$$u5b$T$u5d$$GT$$GT$17get_unchecked_mut18precondition_check17hff4d7700b6d4cc41E
	movq	48(%rsp), %rax
	movq	64(%rsp), %rdx
	movq	56(%rsp), %rsi
	movq	24(%rsp), %rcx
	movq	40(%rsp), %rdi
	shlq	$4, %rdi
	addq	%rdi, %rcx
	movb	$0, 119(%rsp)
	movq	%rsi, (%rcx)
	movq	%rdx, 8(%rcx)
	movq	(%rax), %rax
	addq	$184, %rax
	movq	%rax, 16(%rsp)
	movq	40(%rsp), %rdi
	movl	$11, %esi
	leaq	.Lanon.60bed5dcf488807794e55d614a93ec96.43(%rip), %rdx
	callq	_ZN75_$LT$usize$u20$as$u20$core..slice..index..SliceIndex$LT$$u5b$T$u5d$$GT$$GT$17get_unchecked_mut18precondition_check17hff4d7700b6d4cc41E
	movq	48(%rsp), %rax
	movq	40(%rsp), %rcx
	movq	16(%rsp), %rdx
	movq	72(%rsp), %rsi
	movb	$0, 118(%rsp)
	movq	%rsi, (%rdx,%rcx,8)
	addq	$1, %rcx
	movq	%rcx, (%rsp)
	movq	(%rax), %rax
	addq	$280, %rax
	movq	%rax, 8(%rsp)
	movq	(%rsp), %rdi
	movl	$12, %esi
	leaq	.Lanon.60bed5dcf488807794e55d614a93ec96.49(%rip), %rdx
	callq	_ZN75_$LT$usize$u20$as$u20$core..slice..index..SliceIndex$LT$$u5b$T$u5d$$GT$$GT$17get_unchecked_mut18precondition_check17hff4d7700b6d4cc41E
	movq	(%rsp), %rax
	movq	48(%rsp), %rcx
	movq	8(%rsp), %rdx
	movq	80(%rsp), %rsi
	movq	%rsi, (%rdx,%rax,8)
	movq	(%rcx), %rdx
	movq	8(%rcx), %rcx
	movq	%rdx, 88(%rsp)
	movq	%rcx, 96(%rsp)
	movq	%rax, 104(%rsp)
.Ltmp105:
	movq	_ZN5alloc11collections5btree4node214Handle$LT$alloc..collections..btree..node..NodeRef$LT$alloc..collections..btree..node..marker..Mut$C$K$C$V$C$alloc..collections..btree..node..marker..Internal$GT$$C$alloc..collections..btree..node..marker..Edge$GT$19correct_parent_link17h2bc326e1387c0831E@GOTPCREL(%rip), %rax
	leaq	88(%rsp), %rdi
	callq	*%rax
.Ltmp106:
	jmp	.LBB72_14
.LBB72_14:
	addq	$136, %rsp
	.cfi_def_cfa_offset 8
	retq
.LBB72_15:
	.cfi_def_cfa_offset 144
	testb	$1, 119(%rsp)
	jne	.LBB72_18
	jmp	.LBB72_17
.LBB72_16:
	jmp	.LBB72_15
.LBB72_17:
	movq	120(%rsp), %rdi
	callq	_Unwind_Resume@PLT
.LBB72_18:
	jmp	.LBB72_17
.Lfunc_end72:
	.size	_ZN5alloc11collections5btree4node119NodeRef$LT$alloc..collections..btree..node..marker..Mut$C$K$C$V$C$alloc..collections..btree..node..marker..Internal$GT$4push17h6328120fc1bc95bcE, .Lfunc_end72-_ZN5alloc11collections5btree4node119NodeRef$LT$alloc..collections..btree..node..marker..Mut$C$K$C$V$C$alloc..collections..btree..node..marker..Internal$GT$4push17h6328120fc1bc95bcE
	.cfi_endproc
	.section	".gcc_except_table._ZN5alloc11collections5btree4node119NodeRef$LT$alloc..collections..btree..node..marker..Mut$C$K$C$V$C$alloc..collections..btree..node..marker..Internal$GT$4push17h6328120fc1bc95bcE","a",@progbits
	.p2align	2, 0x0
GCC_except_table72:
.Lexception16:
	.byte	255
	.byte	255
	.byte	1
	.uleb128 .Lcst_end16-.Lcst_begin16
.Lcst_begin16:
	.uleb128 .Ltmp101-.Lfunc_begin16
	.uleb128 .Ltmp106-.Ltmp101
	.uleb128 .Ltmp107-.Lfunc_begin16
	.byte	0
	.uleb128 .Ltmp106-.Lfunc_begin16
	.uleb128 .Lfunc_end72-.Ltmp106
	.byte	0
	.byte	0
.Lcst_end16:
	.p2align	2, 0x0

	.section	".text._ZN5alloc11collections5btree4node121NodeRef$LT$alloc..collections..btree..node..marker..Owned$C$K$C$V$C$alloc..collections..btree..node..marker..Internal$GT$12new_internal17hf1706f9da823c393E","ax",@progbits
	.globl	_ZN5alloc11collections5btree4node121NodeRef$LT$alloc..collections..btree..node..marker..Owned$C$K$C$V$C$alloc..collections..btree..node..marker..Internal$GT$12new_internal17hf1706f9da823c393E
	.p2align	4
	.type	_ZN5alloc11collections5btree4node121NodeRef$LT$alloc..collections..btree..node..marker..Owned$C$K$C$V$C$alloc..collections..btree..node..marker..Internal$GT$12new_internal17hf1706f9da823c393E,@function
_ZN5alloc11collections5btree4node121NodeRef$LT$alloc..collections..btree..node..marker..Owned$C$K$C$V$C$alloc..collections..btree..node..marker..Internal$GT$12new_internal17hf1706f9da823c393E:
.Lfunc_begin17:
	.cfi_startproc
	.cfi_personality 155, DW.ref.rust_eh_personality
	.cfi_lsda 27, .Lexception17
	subq	$88, %rsp
	.cfi_def_cfa_offset 96
	movq	%rdi, 24(%rsp)
	movq	%rsi, 32(%rsp)
	callq	*_ZN5alloc5boxed16Box$LT$T$C$A$GT$13new_uninit_in17h6d00a0e05895f2f0E@GOTPCREL(%rip)
	movq	24(%rsp), %rdi
	movq	32(%rsp), %rsi
	movq	$0, 176(%rax)
	movw	$0, 274(%rax)
	movq	%rax, 40(%rsp)
	movq	40(%rsp), %rax
	movq	%rdi, 280(%rax)
	movb	$1, 71(%rsp)
	movq	40(%rsp), %rax
	movq	%rax, 48(%rsp)
	addq	$1, %rsi
	movq	%rsi, 56(%rsp)
	movl	$1, %eax
	xorl	%ecx, %ecx
	cmpq	$0, 56(%rsp)
	cmoveq	%rcx, %rax
	testq	$1, %rax
	je	.LBB73_2
	movq	56(%rsp), %rsi
	movb	$0, 71(%rsp)
	movq	48(%rsp), %rdi
.Ltmp110:
	movq	_ZN5alloc11collections5btree4node121NodeRef$LT$alloc..collections..btree..node..marker..Owned$C$K$C$V$C$alloc..collections..btree..node..marker..Internal$GT$17from_new_internal17he8d8a7aca07cb2a8E@GOTPCREL(%rip), %rax
	callq	*%rax
.Ltmp111:
	movq	%rdx, 8(%rsp)
	movq	%rax, 16(%rsp)
	jmp	.LBB73_6
.LBB73_2:
.Ltmp108:
	leaq	.Lanon.60bed5dcf488807794e55d614a93ec96.50(%rip), %rdi
	movq	_RNvNtCsgEmfK2I1SDS_4core6option13unwrap_failed@GOTPCREL(%rip), %rax
	callq	*%rax
.Ltmp109:
	jmp	.LBB73_5
.LBB73_3:
	testb	$1, 71(%rsp)
	jne	.LBB73_8
	jmp	.LBB73_7
.LBB73_4:
.Ltmp112:
	movq	%rax, %rcx
	movl	%edx, %eax
	movq	%rcx, 72(%rsp)
	movl	%eax, 80(%rsp)
	jmp	.LBB73_3
.LBB73_5:
	ud2
.LBB73_6:
	movq	8(%rsp), %rdx
	movq	16(%rsp), %rax
	addq	$88, %rsp
	.cfi_def_cfa_offset 8
	retq
.LBB73_7:
	.cfi_def_cfa_offset 96
	jmp	.LBB73_10
.LBB73_8:
.Ltmp113:
	movq	_ZN4core3ptr114drop_in_place$LT$alloc..boxed..Box$LT$alloc..collections..btree..node..InternalNode$LT$$RF$str$C$usize$GT$$GT$$GT$17ha35d72ff7ad94174E@GOTPCREL(%rip), %rax
	leaq	48(%rsp), %rdi
	callq	*%rax
.Ltmp114:
	jmp	.LBB73_7
.LBB73_9:
.Ltmp115:
	callq	*_RNvNtCsgEmfK2I1SDS_4core9panicking16panic_in_cleanup@GOTPCREL(%rip)
.LBB73_10:
	movq	72(%rsp), %rdi
	callq	_Unwind_Resume@PLT
.Lfunc_end73:
	.size	_ZN5alloc11collections5btree4node121NodeRef$LT$alloc..collections..btree..node..marker..Owned$C$K$C$V$C$alloc..collections..btree..node..marker..Internal$GT$12new_internal17hf1706f9da823c393E, .Lfunc_end73-_ZN5alloc11collections5btree4node121NodeRef$LT$alloc..collections..btree..node..marker..Owned$C$K$C$V$C$alloc..collections..btree..node..marker..Internal$GT$12new_internal17hf1706f9da823c393E
	.cfi_endproc
	.section	".gcc_except_table._ZN5alloc11collections5btree4node121NodeRef$LT$alloc..collections..btree..node..marker..Owned$C$K$C$V$C$alloc..collections..btree..node..marker..Internal$GT$12new_internal17hf1706f9da823c393E","a",@progbits
	.p2align	2, 0x0
GCC_except_table73:
.Lexception17:
	.byte	255
	.byte	155
	.uleb128 .Lttbase4-.Lttbaseref4
.Lttbaseref4:
	.byte	1
	.uleb128 .Lcst_end17-.Lcst_begin17
.Lcst_begin17:
	.uleb128 .Lfunc_begin17-.Lfunc_begin17
	.uleb128 .Ltmp110-.Lfunc_begin17
	.byte	0
	.byte	0
	.uleb128 .Ltmp110-.Lfunc_begin17
	.uleb128 .Ltmp109-.Ltmp110
	.uleb128 .Ltmp112-.Lfunc_begin17
	.byte	0
	.uleb128 .Ltmp113-.Lfunc_begin17
	.uleb128 .Ltmp114-.Ltmp113
	.uleb128 .Ltmp115-.Lfunc_begin17
	.byte	1
	.uleb128 .Ltmp114-.Lfunc_begin17
	.uleb128 .Lfunc_end73-.Ltmp114
	.byte	0
	.byte	0
.Lcst_end17:
	.byte	127
	.byte	0
	.p2align	2, 0x0
.Lttbase4:
	.byte	0
	.p2align	2, 0x0

	.section	".text._ZN5alloc11collections5btree4node121NodeRef$LT$alloc..collections..btree..node..marker..Owned$C$K$C$V$C$alloc..collections..btree..node..marker..Internal$GT$17from_new_internal17he8d8a7aca07cb2a8E","ax",@progbits
	.globl	_ZN5alloc11collections5btree4node121NodeRef$LT$alloc..collections..btree..node..marker..Owned$C$K$C$V$C$alloc..collections..btree..node..marker..Internal$GT$17from_new_internal17he8d8a7aca07cb2a8E
	.p2align	4
	.type	_ZN5alloc11collections5btree4node121NodeRef$LT$alloc..collections..btree..node..marker..Owned$C$K$C$V$C$alloc..collections..btree..node..marker..Internal$GT$17from_new_internal17he8d8a7aca07cb2a8E,@function
_ZN5alloc11collections5btree4node121NodeRef$LT$alloc..collections..btree..node..marker..Owned$C$K$C$V$C$alloc..collections..btree..node..marker..Internal$GT$17from_new_internal17he8d8a7aca07cb2a8E:
.Lfunc_begin18:
	.cfi_startproc
	.cfi_personality 155, DW.ref.rust_eh_personality
	.cfi_lsda 27, .Lexception18
	subq	$72, %rsp
	.cfi_def_cfa_offset 80
	movq	%rdi, (%rsp)
	movq	%rsi, 8(%rsp)
	movq	(%rsp), %rdi
	leaq	.Lanon.60bed5dcf488807794e55d614a93ec96.45(%rip), %rsi
	callq	_ZN4core3ptr8non_null16NonNull$LT$T$GT$13new_unchecked18precondition_check17h6026ee14bec0b41bE
	movq	(%rsp), %rax
	movq	8(%rsp), %rcx
	movq	%rcx, 24(%rsp)
	movq	%rax, 16(%rsp)
	movq	16(%rsp), %rax
	movzwl	274(%rax), %eax
	movq	$0, 32(%rsp)
	movq	%rax, 40(%rsp)
	movb	$0, 48(%rsp)
.Ltmp116:
	movq	_ZN5alloc11collections5btree4node119NodeRef$LT$alloc..collections..btree..node..marker..Mut$C$K$C$V$C$alloc..collections..btree..node..marker..Internal$GT$30correct_childrens_parent_links17hb23186cbd7bd0585E@GOTPCREL(%rip), %rax
	leaq	16(%rsp), %rdi
	leaq	32(%rsp), %rsi
	callq	*%rax
.Ltmp117:
	jmp	.LBB74_5
.LBB74_3:
	movq	56(%rsp), %rdi
	callq	_Unwind_Resume@PLT
.LBB74_4:
.Ltmp118:
	movq	%rax, %rcx
	movl	%edx, %eax
	movq	%rcx, 56(%rsp)
	movl	%eax, 64(%rsp)
	jmp	.LBB74_3
.LBB74_5:
	movq	8(%rsp), %rdx
	movq	(%rsp), %rax
	addq	$72, %rsp
	.cfi_def_cfa_offset 8
	retq
.Lfunc_end74:
	.size	_ZN5alloc11collections5btree4node121NodeRef$LT$alloc..collections..btree..node..marker..Owned$C$K$C$V$C$alloc..collections..btree..node..marker..Internal$GT$17from_new_internal17he8d8a7aca07cb2a8E, .Lfunc_end74-_ZN5alloc11collections5btree4node121NodeRef$LT$alloc..collections..btree..node..marker..Owned$C$K$C$V$C$alloc..collections..btree..node..marker..Internal$GT$17from_new_internal17he8d8a7aca07cb2a8E
	.cfi_endproc
	.section	".gcc_except_table._ZN5alloc11collections5btree4node121NodeRef$LT$alloc..collections..btree..node..marker..Owned$C$K$C$V$C$alloc..collections..btree..node..marker..Internal$GT$17from_new_internal17he8d8a7aca07cb2a8E","a",@progbits
	.p2align	2, 0x0
GCC_except_table74:
.Lexception18:
	.byte	255
	.byte	255
	.byte	1
	.uleb128 .Lcst_end18-.Lcst_begin18
.Lcst_begin18:
	.uleb128 .Ltmp116-.Lfunc_begin18
	.uleb128 .Ltmp117-.Ltmp116
	.uleb128 .Ltmp118-.Lfunc_begin18
	.byte	0
	.uleb128 .Ltmp117-.Lfunc_begin18
	.uleb128 .Lfunc_end74-.Ltmp117
	.byte	0
	.byte	0
.Lcst_end18:
	.p2align	2, 0x0

	.section	".text._ZN5alloc11collections5btree4node127NodeRef$LT$alloc..collections..btree..node..marker..Dying$C$K$C$V$C$alloc..collections..btree..node..marker..LeafOrInternal$GT$21deallocate_and_ascend17h94fdbe679ef355feE","ax",@progbits
	.globl	_ZN5alloc11collections5btree4node127NodeRef$LT$alloc..collections..btree..node..marker..Dying$C$K$C$V$C$alloc..collections..btree..node..marker..LeafOrInternal$GT$21deallocate_and_ascend17h94fdbe679ef355feE
	.p2align	4
	.type	_ZN5alloc11collections5btree4node127NodeRef$LT$alloc..collections..btree..node..marker..Dying$C$K$C$V$C$alloc..collections..btree..node..marker..LeafOrInternal$GT$21deallocate_and_ascend17h94fdbe679ef355feE,@function
_ZN5alloc11collections5btree4node127NodeRef$LT$alloc..collections..btree..node..marker..Dying$C$K$C$V$C$alloc..collections..btree..node..marker..LeafOrInternal$GT$21deallocate_and_ascend17h94fdbe679ef355feE:
.Lfunc_begin19:
	.cfi_startproc
	.cfi_personality 155, DW.ref.rust_eh_personality
	.cfi_lsda 27, .Lexception19
	subq	$120, %rsp
	.cfi_def_cfa_offset 128
	movq	%rdx, (%rsp)
	movq	%rsi, 8(%rsp)
	movq	%rdi, 16(%rsp)
	movq	%rdi, 24(%rsp)
.Ltmp119:
	movq	_ZN5alloc11collections5btree4node40NodeRef$LT$BorrowType$C$K$C$V$C$Type$GT$6ascend17hacdfb1a6d1b77ec6E@GOTPCREL(%rip), %rax
	leaq	40(%rsp), %rdi
	callq	*%rax
.Ltmp120:
	jmp	.LBB75_3
.LBB75_1:
	movq	104(%rsp), %rdi
	callq	_Unwind_Resume@PLT
.LBB75_2:
.Ltmp123:
	movq	%rax, %rcx
	movl	%edx, %eax
	movq	%rcx, 104(%rsp)
	movl	%eax, 112(%rsp)
	jmp	.LBB75_1
.LBB75_3:
	movq	40(%rsp), %rdx
	xorl	%eax, %eax
	movl	$1, %ecx
	cmpq	$0, %rdx
	cmoveq	%rcx, %rax
	testq	$1, %rax
	je	.LBB75_5
	movq	16(%rsp), %rax
	movq	$0, (%rax)
	jmp	.LBB75_6
.LBB75_5:
	movq	16(%rsp), %rax
	movq	40(%rsp), %rcx
	movq	%rcx, 80(%rsp)
	movq	48(%rsp), %rcx
	movq	%rcx, 88(%rsp)
	movq	56(%rsp), %rcx
	movq	%rcx, 96(%rsp)
	movq	80(%rsp), %rcx
	movq	%rcx, (%rax)
	movq	88(%rsp), %rcx
	movq	%rcx, 8(%rax)
	movq	96(%rsp), %rcx
	movq	%rcx, 16(%rax)
.LBB75_6:
	movq	(%rsp), %rax
	cmpq	$0, %rax
	ja	.LBB75_8
	movq	$8, 64(%rsp)
	movq	$280, 72(%rsp)
	jmp	.LBB75_9
.LBB75_8:
	movq	$8, 64(%rsp)
	movq	$376, 72(%rsp)
.LBB75_9:
	movq	8(%rsp), %rsi
	movq	64(%rsp), %rdx
	movq	72(%rsp), %rcx
.Ltmp121:
	leaq	39(%rsp), %rdi
	callq	_ZN63_$LT$alloc..alloc..Global$u20$as$u20$core..alloc..Allocator$GT$10deallocate17h0a91bb97ac857f8fE
.Ltmp122:
	jmp	.LBB75_10
.LBB75_10:
	movq	24(%rsp), %rax
	addq	$120, %rsp
	.cfi_def_cfa_offset 8
	retq
.Lfunc_end75:
	.size	_ZN5alloc11collections5btree4node127NodeRef$LT$alloc..collections..btree..node..marker..Dying$C$K$C$V$C$alloc..collections..btree..node..marker..LeafOrInternal$GT$21deallocate_and_ascend17h94fdbe679ef355feE, .Lfunc_end75-_ZN5alloc11collections5btree4node127NodeRef$LT$alloc..collections..btree..node..marker..Dying$C$K$C$V$C$alloc..collections..btree..node..marker..LeafOrInternal$GT$21deallocate_and_ascend17h94fdbe679ef355feE
	.cfi_endproc
	.section	".gcc_except_table._ZN5alloc11collections5btree4node127NodeRef$LT$alloc..collections..btree..node..marker..Dying$C$K$C$V$C$alloc..collections..btree..node..marker..LeafOrInternal$GT$21deallocate_and_ascend17h94fdbe679ef355feE","a",@progbits
	.p2align	2, 0x0
GCC_except_table75:
.Lexception19:
	.byte	255
	.byte	255
	.byte	1
	.uleb128 .Lcst_end19-.Lcst_begin19
.Lcst_begin19:
	.uleb128 .Ltmp119-.Lfunc_begin19
	.uleb128 .Ltmp120-.Ltmp119
	.uleb128 .Ltmp123-.Lfunc_begin19
	.byte	0
	.uleb128 .Ltmp120-.Lfunc_begin19
	.uleb128 .Ltmp121-.Ltmp120
	.byte	0
	.byte	0
	.uleb128 .Ltmp121-.Lfunc_begin19
	.uleb128 .Ltmp122-.Ltmp121
	.uleb128 .Ltmp123-.Lfunc_begin19
	.byte	0
.Lcst_end19:
	.p2align	2, 0x0

	.section	".text._ZN5alloc11collections5btree4node127NodeRef$LT$alloc..collections..btree..node..marker..Owned$C$K$C$V$C$alloc..collections..btree..node..marker..LeafOrInternal$GT$19push_internal_level28_$u7b$$u7b$closure$u7d$$u7d$17h7c8172d9d3a453eaE","ax",@progbits
	.globl	_ZN5alloc11collections5btree4node127NodeRef$LT$alloc..collections..btree..node..marker..Owned$C$K$C$V$C$alloc..collections..btree..node..marker..LeafOrInternal$GT$19push_internal_level28_$u7b$$u7b$closure$u7d$$u7d$17h7c8172d9d3a453eaE
	.p2align	4
	.type	_ZN5alloc11collections5btree4node127NodeRef$LT$alloc..collections..btree..node..marker..Owned$C$K$C$V$C$alloc..collections..btree..node..marker..LeafOrInternal$GT$19push_internal_level28_$u7b$$u7b$closure$u7d$$u7d$17h7c8172d9d3a453eaE,@function
_ZN5alloc11collections5btree4node127NodeRef$LT$alloc..collections..btree..node..marker..Owned$C$K$C$V$C$alloc..collections..btree..node..marker..LeafOrInternal$GT$19push_internal_level28_$u7b$$u7b$closure$u7d$$u7d$17h7c8172d9d3a453eaE:
	.cfi_startproc
	pushq	%rax
	.cfi_def_cfa_offset 16
	movq	_ZN5alloc11collections5btree4node121NodeRef$LT$alloc..collections..btree..node..marker..Owned$C$K$C$V$C$alloc..collections..btree..node..marker..Internal$GT$12new_internal17hf1706f9da823c393E@GOTPCREL(%rip), %rax
	callq	*%rax
	popq	%rcx
	.cfi_def_cfa_offset 8
	retq
.Lfunc_end76:
	.size	_ZN5alloc11collections5btree4node127NodeRef$LT$alloc..collections..btree..node..marker..Owned$C$K$C$V$C$alloc..collections..btree..node..marker..LeafOrInternal$GT$19push_internal_level28_$u7b$$u7b$closure$u7d$$u7d$17h7c8172d9d3a453eaE, .Lfunc_end76-_ZN5alloc11collections5btree4node127NodeRef$LT$alloc..collections..btree..node..marker..Owned$C$K$C$V$C$alloc..collections..btree..node..marker..LeafOrInternal$GT$19push_internal_level28_$u7b$$u7b$closure$u7d$$u7d$17h7c8172d9d3a453eaE
	.cfi_endproc

	.section	.text._ZN5alloc11collections5btree4node12slice_insert17h5f9e7990344b9d36E,"ax",@progbits
	.globl	_ZN5alloc11collections5btree4node12slice_insert17h5f9e7990344b9d36E
	.p2align	4
	.type	_ZN5alloc11collections5btree4node12slice_insert17h5f9e7990344b9d36E,@function
_ZN5alloc11collections5btree4node12slice_insert17h5f9e7990344b9d36E:
	.cfi_startproc
	subq	$72, %rsp
	.cfi_def_cfa_offset 80
	movq	%rdi, 24(%rsp)
	movq	%rsi, 32(%rsp)
	movq	%rdx, 40(%rsp)
	movq	%rcx, 48(%rsp)
	addq	$1, %rdx
	movq	%rdx, 56(%rsp)
	cmpq	%rdx, %rsi
	ja	.LBB77_2
.LBB77_1:
	movq	24(%rsp), %rax
	movq	40(%rsp), %rcx
	movq	48(%rsp), %rdx
	movq	%rdx, (%rax,%rcx,8)
	addq	$72, %rsp
	.cfi_def_cfa_offset 8
	retq
.LBB77_2:
	.cfi_def_cfa_offset 80
	movq	40(%rsp), %rcx
	movq	32(%rsp), %rax
	movq	24(%rsp), %rdx
	movq	56(%rsp), %rsi
	movq	%rcx, %r8
	shlq	$3, %r8
	movq	%rdx, %rdi
	addq	%r8, %rdi
	movq	%rdi, (%rsp)
	shlq	$3, %rsi
	addq	%rsi, %rdx
	movq	%rdx, 8(%rsp)
	subq	%rcx, %rax
	subq	$1, %rax
	movq	%rax, 16(%rsp)
	jmp	.LBB77_4
.LBB77_4:
	movq	16(%rsp), %rax
	cmpq	$0, %rax
	sete	%al
	andb	$1, %al
	movb	%al, 71(%rsp)
	movq	8(%rsp), %rsi
	movq	(%rsp), %rdi
	movb	71(%rsp), %al
	movl	$8, %edx
	leaq	.Lanon.60bed5dcf488807794e55d614a93ec96.52(%rip), %r8
	andb	$1, %al
	movzbl	%al, %ecx
	callq	_ZN4core3ptr4copy18precondition_check17h4c552203c29d528cE
	movq	(%rsp), %rsi
	movq	8(%rsp), %rdi
	movq	16(%rsp), %rdx
	shlq	$3, %rdx
	movq	memmove@GOTPCREL(%rip), %rax
	callq	*%rax
	jmp	.LBB77_1
.Lfunc_end77:
	.size	_ZN5alloc11collections5btree4node12slice_insert17h5f9e7990344b9d36E, .Lfunc_end77-_ZN5alloc11collections5btree4node12slice_insert17h5f9e7990344b9d36E
	.cfi_endproc

	.section	.text._ZN5alloc11collections5btree4node12slice_insert17h8739e6f88c8a7915E,"ax",@progbits
	.globl	_ZN5alloc11collections5btree4node12slice_insert17h8739e6f88c8a7915E
	.p2align	4
	.type	_ZN5alloc11collections5btree4node12slice_insert17h8739e6f88c8a7915E,@function
_ZN5alloc11collections5btree4node12slice_insert17h8739e6f88c8a7915E:
	.cfi_startproc
	subq	$72, %rsp
	.cfi_def_cfa_offset 80
	movq	%rdi, 24(%rsp)
	movq	%rsi, 32(%rsp)
	movq	%rdx, 40(%rsp)
	movq	%rcx, 48(%rsp)
	addq	$1, %rdx
	movq	%rdx, 56(%rsp)
	cmpq	%rdx, %rsi
	ja	.LBB78_2
.LBB78_1:
	movq	24(%rsp), %rax
	movq	40(%rsp), %rcx
	movq	48(%rsp), %rdx
	movq	%rdx, (%rax,%rcx,8)
	addq	$72, %rsp
	.cfi_def_cfa_offset 8
	retq
.LBB78_2:
	.cfi_def_cfa_offset 80
	movq	40(%rsp), %rcx
	movq	32(%rsp), %rax
	movq	24(%rsp), %rdx
	movq	56(%rsp), %rsi
	movq	%rcx, %r8
	shlq	$3, %r8
	movq	%rdx, %rdi
	addq	%r8, %rdi
	movq	%rdi, (%rsp)
	shlq	$3, %rsi
	addq	%rsi, %rdx
	movq	%rdx, 8(%rsp)
	subq	%rcx, %rax
	subq	$1, %rax
	movq	%rax, 16(%rsp)
	jmp	.LBB78_4
.LBB78_4:
	movq	16(%rsp), %rax
	cmpq	$0, %rax
	sete	%al
	andb	$1, %al
	movb	%al, 71(%rsp)
	movq	8(%rsp), %rsi
	movq	(%rsp), %rdi
	movb	71(%rsp), %al
	movl	$8, %edx
	leaq	.Lanon.60bed5dcf488807794e55d614a93ec96.52(%rip), %r8
	andb	$1, %al
	movzbl	%al, %ecx
	callq	_ZN4core3ptr4copy18precondition_check17h4c552203c29d528cE
	movq	(%rsp), %rsi
	movq	8(%rsp), %rdi
	movq	16(%rsp), %rdx
	shlq	$3, %rdx
	movq	memmove@GOTPCREL(%rip), %rax
	callq	*%rax
	jmp	.LBB78_1
.Lfunc_end78:
	.size	_ZN5alloc11collections5btree4node12slice_insert17h8739e6f88c8a7915E, .Lfunc_end78-_ZN5alloc11collections5btree4node12slice_insert17h8739e6f88c8a7915E
	.cfi_endproc

	.section	.text._ZN5alloc11collections5btree4node12slice_insert17h955b5dd5e619a605E,"ax",@progbits
	.globl	_ZN5alloc11collections5btree4node12slice_insert17h955b5dd5e619a605E
	.p2align	4
	.type	_ZN5alloc11collections5btree4node12slice_insert17h955b5dd5e619a605E,@function
_ZN5alloc11collections5btree4node12slice_insert17h955b5dd5e619a605E:
	.cfi_startproc
	subq	$88, %rsp
	.cfi_def_cfa_offset 96
	movq	%rdi, 32(%rsp)
	movq	%rsi, 40(%rsp)
	movq	%rdx, 48(%rsp)
	movq	%rcx, 56(%rsp)
	movq	%r8, 64(%rsp)
	addq	$1, %rdx
	movq	%rdx, 72(%rsp)
	cmpq	%rdx, %rsi
	ja	.LBB79_2
.LBB79_1:
	movq	64(%rsp), %rcx
	movq	56(%rsp), %rdx
	movq	32(%rsp), %rax
	movq	48(%rsp), %rsi
	shlq	$4, %rsi
	addq	%rsi, %rax
	movq	%rdx, (%rax)
	movq	%rcx, 8(%rax)
	addq	$88, %rsp
	.cfi_def_cfa_offset 8
	retq
.LBB79_2:
	.cfi_def_cfa_offset 96
	movq	48(%rsp), %rcx
	movq	40(%rsp), %rax
	movq	32(%rsp), %rdx
	movq	72(%rsp), %rsi
	movq	%rcx, %r8
	shlq	$4, %r8
	movq	%rdx, %rdi
	addq	%r8, %rdi
	movq	%rdi, 8(%rsp)
	shlq	$4, %rsi
	addq	%rsi, %rdx
	movq	%rdx, 16(%rsp)
	subq	%rcx, %rax
	subq	$1, %rax
	movq	%rax, 24(%rsp)
	jmp	.LBB79_4
.LBB79_4:
	movq	24(%rsp), %rax
	cmpq	$0, %rax
	sete	%al
	andb	$1, %al
	movb	%al, 87(%rsp)
	movq	16(%rsp), %rsi
	movq	8(%rsp), %rdi
	movb	87(%rsp), %al
	movl	$8, %edx
	leaq	.Lanon.60bed5dcf488807794e55d614a93ec96.52(%rip), %r8
	andb	$1, %al
	movzbl	%al, %ecx
	callq	_ZN4core3ptr4copy18precondition_check17h4c552203c29d528cE
	movq	8(%rsp), %rsi
	movq	16(%rsp), %rdi
	movq	24(%rsp), %rdx
	shlq	$4, %rdx
	movq	memmove@GOTPCREL(%rip), %rax
	callq	*%rax
	jmp	.LBB79_1
.Lfunc_end79:
	.size	_ZN5alloc11collections5btree4node12slice_insert17h955b5dd5e619a605E, .Lfunc_end79-_ZN5alloc11collections5btree4node12slice_insert17h955b5dd5e619a605E
	.cfi_endproc

	.section	.text._ZN5alloc11collections5btree4node13move_to_slice17h203da1aba4c515d6E,"ax",@progbits
	.globl	_ZN5alloc11collections5btree4node13move_to_slice17h203da1aba4c515d6E
	.p2align	4
	.type	_ZN5alloc11collections5btree4node13move_to_slice17h203da1aba4c515d6E,@function
_ZN5alloc11collections5btree4node13move_to_slice17h203da1aba4c515d6E:
	.cfi_startproc
	subq	$24, %rsp
	.cfi_def_cfa_offset 32
	movq	%rdi, (%rsp)
	movq	%rsi, 8(%rsp)
	movq	%rdx, 16(%rsp)
	cmpq	%rcx, %rsi
	je	.LBB80_2
	leaq	.Lanon.60bed5dcf488807794e55d614a93ec96.53(%rip), %rdi
	movl	$40, %esi
	leaq	.Lanon.60bed5dcf488807794e55d614a93ec96.54(%rip), %rdx
	callq	*_RNvNtCsgEmfK2I1SDS_4core9panicking5panic@GOTPCREL(%rip)
.LBB80_2:
	jmp	.LBB80_3
.LBB80_3:
	movq	8(%rsp), %r8
	movq	16(%rsp), %rsi
	movq	(%rsp), %rdi
	movl	$8, %ecx
	leaq	.Lanon.60bed5dcf488807794e55d614a93ec96.55(%rip), %r9
	movq	%rcx, %rdx
	callq	_ZN4core3ptr19copy_nonoverlapping18precondition_check17h3515000c4290bab4E
	movq	(%rsp), %rsi
	movq	16(%rsp), %rdi
	movq	8(%rsp), %rdx
	shlq	$3, %rdx
	callq	memcpy@PLT
	addq	$24, %rsp
	.cfi_def_cfa_offset 8
	retq
.Lfunc_end80:
	.size	_ZN5alloc11collections5btree4node13move_to_slice17h203da1aba4c515d6E, .Lfunc_end80-_ZN5alloc11collections5btree4node13move_to_slice17h203da1aba4c515d6E
	.cfi_endproc

	.section	.text._ZN5alloc11collections5btree4node13move_to_slice17h5e02755f9396bc1cE,"ax",@progbits
	.globl	_ZN5alloc11collections5btree4node13move_to_slice17h5e02755f9396bc1cE
	.p2align	4
	.type	_ZN5alloc11collections5btree4node13move_to_slice17h5e02755f9396bc1cE,@function
_ZN5alloc11collections5btree4node13move_to_slice17h5e02755f9396bc1cE:
	.cfi_startproc
	subq	$24, %rsp
	.cfi_def_cfa_offset 32
	movq	%rdi, (%rsp)
	movq	%rsi, 8(%rsp)
	movq	%rdx, 16(%rsp)
	cmpq	%rcx, %rsi
	je	.LBB81_2
	leaq	.Lanon.60bed5dcf488807794e55d614a93ec96.53(%rip), %rdi
	movl	$40, %esi
	leaq	.Lanon.60bed5dcf488807794e55d614a93ec96.54(%rip), %rdx
	callq	*_RNvNtCsgEmfK2I1SDS_4core9panicking5panic@GOTPCREL(%rip)
.LBB81_2:
	jmp	.LBB81_3
.LBB81_3:
	movq	8(%rsp), %r8
	movq	16(%rsp), %rsi
	movq	(%rsp), %rdi
	movl	$8, %ecx
	leaq	.Lanon.60bed5dcf488807794e55d614a93ec96.55(%rip), %r9
	movq	%rcx, %rdx
	callq	_ZN4core3ptr19copy_nonoverlapping18precondition_check17h3515000c4290bab4E
	movq	(%rsp), %rsi
	movq	16(%rsp), %rdi
	movq	8(%rsp), %rdx
	shlq	$3, %rdx
	callq	memcpy@PLT
	addq	$24, %rsp
	.cfi_def_cfa_offset 8
	retq
.Lfunc_end81:
	.size	_ZN5alloc11collections5btree4node13move_to_slice17h5e02755f9396bc1cE, .Lfunc_end81-_ZN5alloc11collections5btree4node13move_to_slice17h5e02755f9396bc1cE
	.cfi_endproc

	.section	.text._ZN5alloc11collections5btree4node13move_to_slice17h654f5054515e38a1E,"ax",@progbits
	.globl	_ZN5alloc11collections5btree4node13move_to_slice17h654f5054515e38a1E
	.p2align	4
	.type	_ZN5alloc11collections5btree4node13move_to_slice17h654f5054515e38a1E,@function
_ZN5alloc11collections5btree4node13move_to_slice17h654f5054515e38a1E:
	.cfi_startproc
	subq	$24, %rsp
	.cfi_def_cfa_offset 32
	movq	%rdi, (%rsp)
	movq	%rsi, 8(%rsp)
	movq	%rdx, 16(%rsp)
	cmpq	%rcx, %rsi
	je	.LBB82_2
	leaq	.Lanon.60bed5dcf488807794e55d614a93ec96.53(%rip), %rdi
	movl	$40, %esi
	leaq	.Lanon.60bed5dcf488807794e55d614a93ec96.54(%rip), %rdx
	callq	*_RNvNtCsgEmfK2I1SDS_4core9panicking5panic@GOTPCREL(%rip)
.LBB82_2:
	jmp	.LBB82_3
.LBB82_3:
	movq	8(%rsp), %r8
	movq	16(%rsp), %rsi
	movq	(%rsp), %rdi
	movl	$16, %edx
	movl	$8, %ecx
	leaq	.Lanon.60bed5dcf488807794e55d614a93ec96.55(%rip), %r9
	callq	_ZN4core3ptr19copy_nonoverlapping18precondition_check17h3515000c4290bab4E
	movq	(%rsp), %rsi
	movq	16(%rsp), %rdi
	movq	8(%rsp), %rdx
	shlq	$4, %rdx
	callq	memcpy@PLT
	addq	$24, %rsp
	.cfi_def_cfa_offset 8
	retq
.Lfunc_end82:
	.size	_ZN5alloc11collections5btree4node13move_to_slice17h654f5054515e38a1E, .Lfunc_end82-_ZN5alloc11collections5btree4node13move_to_slice17h654f5054515e38a1E
	.cfi_endproc

	.section	".text._ZN5alloc11collections5btree4node171Handle$LT$alloc..collections..btree..node..NodeRef$LT$alloc..collections..btree..node..marker..Mut$C$K$C$V$C$NodeType$GT$$C$alloc..collections..btree..node..marker..KV$GT$12into_val_mut17hbd836940336c9c55E","ax",@progbits
	.globl	_ZN5alloc11collections5btree4node171Handle$LT$alloc..collections..btree..node..NodeRef$LT$alloc..collections..btree..node..marker..Mut$C$K$C$V$C$NodeType$GT$$C$alloc..collections..btree..node..marker..KV$GT$12into_val_mut17hbd836940336c9c55E
	.p2align	4
	.type	_ZN5alloc11collections5btree4node171Handle$LT$alloc..collections..btree..node..NodeRef$LT$alloc..collections..btree..node..marker..Mut$C$K$C$V$C$NodeType$GT$$C$alloc..collections..btree..node..marker..KV$GT$12into_val_mut17hbd836940336c9c55E,@function
_ZN5alloc11collections5btree4node171Handle$LT$alloc..collections..btree..node..NodeRef$LT$alloc..collections..btree..node..marker..Mut$C$K$C$V$C$NodeType$GT$$C$alloc..collections..btree..node..marker..KV$GT$12into_val_mut17hbd836940336c9c55E:
	.cfi_startproc
	subq	$24, %rsp
	.cfi_def_cfa_offset 32
	movq	(%rdi), %rax
	addq	$184, %rax
	movq	%rax, 8(%rsp)
	movq	16(%rdi), %rax
	movq	%rax, 16(%rsp)
	movq	16(%rsp), %rdi
	movl	$11, %esi
	leaq	.Lanon.60bed5dcf488807794e55d614a93ec96.56(%rip), %rdx
	callq	_ZN75_$LT$usize$u20$as$u20$core..slice..index..SliceIndex$LT$$u5b$T$u5d$$GT$$GT$17get_unchecked_mut18precondition_check17hff4d7700b6d4cc41E
	movq	8(%rsp), %rax
	movq	16(%rsp), %rcx
	shlq	$3, %rcx
	addq	%rcx, %rax
	addq	$24, %rsp
	.cfi_def_cfa_offset 8
	retq
.Lfunc_end83:
	.size	_ZN5alloc11collections5btree4node171Handle$LT$alloc..collections..btree..node..NodeRef$LT$alloc..collections..btree..node..marker..Mut$C$K$C$V$C$NodeType$GT$$C$alloc..collections..btree..node..marker..KV$GT$12into_val_mut17hbd836940336c9c55E, .Lfunc_end83-_ZN5alloc11collections5btree4node171Handle$LT$alloc..collections..btree..node..NodeRef$LT$alloc..collections..btree..node..marker..Mut$C$K$C$V$C$NodeType$GT$$C$alloc..collections..btree..node..marker..KV$GT$12into_val_mut17hbd836940336c9c55E
	.cfi_endproc

	.section	".text._ZN5alloc11collections5btree4node171Handle$LT$alloc..collections..btree..node..NodeRef$LT$alloc..collections..btree..node..marker..Mut$C$K$C$V$C$NodeType$GT$$C$alloc..collections..btree..node..marker..KV$GT$15split_leaf_data17h193a0b7d789acfc1E","ax",@progbits
	.globl	_ZN5alloc11collections5btree4node171Handle$LT$alloc..collections..btree..node..NodeRef$LT$alloc..collections..btree..node..marker..Mut$C$K$C$V$C$NodeType$GT$$C$alloc..collections..btree..node..marker..KV$GT$15split_leaf_data17h193a0b7d789acfc1E
	.p2align	4
	.type	_ZN5alloc11collections5btree4node171Handle$LT$alloc..collections..btree..node..NodeRef$LT$alloc..collections..btree..node..marker..Mut$C$K$C$V$C$NodeType$GT$$C$alloc..collections..btree..node..marker..KV$GT$15split_leaf_data17h193a0b7d789acfc1E,@function
_ZN5alloc11collections5btree4node171Handle$LT$alloc..collections..btree..node..NodeRef$LT$alloc..collections..btree..node..marker..Mut$C$K$C$V$C$NodeType$GT$$C$alloc..collections..btree..node..marker..KV$GT$15split_leaf_data17h193a0b7d789acfc1E:
.Lfunc_begin20:
	.cfi_startproc
	.cfi_personality 155, DW.ref.rust_eh_personality
	.cfi_lsda 27, .Lexception20
	subq	$168, %rsp
	.cfi_def_cfa_offset 176
	movq	%rdx, 88(%rsp)
	movq	%rsi, 96(%rsp)
	movq	%rdi, 104(%rsp)
	movq	%rdi, 112(%rsp)
	movq	(%rsi), %rax
	movzwl	274(%rax), %eax
	movq	%rax, 120(%rsp)
	subq	16(%rsi), %rax
	subq	$1, %rax
	movq	%rax, 128(%rsp)
	movw	%ax, 274(%rdx)
	movq	16(%rsi), %rax
	movq	%rax, 136(%rsp)
	movq	(%rsi), %rax
	movq	%rax, 144(%rsp)
	movq	136(%rsp), %rdi
	movl	$11, %esi
	leaq	.Lanon.60bed5dcf488807794e55d614a93ec96.42(%rip), %rdx
	callq	_ZN75_$LT$usize$u20$as$u20$core..slice..index..SliceIndex$LT$$u5b$T$u5d$$GT$$GT$17get_unchecked_mut18precondition_check17hff4d7700b6d4cc41E
	movq	96(%rsp), %rax
	movq	144(%rsp), %rcx
	movq	136(%rsp), %rdx
	shlq	$4, %rdx
	addq	%rdx, %rcx
	movq	(%rcx), %rdx
	movq	%rdx, 56(%rsp)
	movq	8(%rcx), %rcx
	movq	%rcx, 64(%rsp)
	movq	16(%rax), %rcx
	movq	%rcx, 72(%rsp)
	movq	(%rax), %rax
	addq	$184, %rax
	movq	%rax, 80(%rsp)
	movq	72(%rsp), %rdi
	movl	$11, %esi
	leaq	.Lanon.60bed5dcf488807794e55d614a93ec96.43(%rip), %rdx
	callq	_ZN75_$LT$usize$u20$as$u20$core..slice..index..SliceIndex$LT$$u5b$T$u5d$$GT$$GT$17get_unchecked_mut18precondition_check17hff4d7700b6d4cc41E
	movq	96(%rsp), %rax
	movq	80(%rsp), %rcx
	movq	72(%rsp), %rdx
	movq	(%rcx,%rdx,8), %rcx
	movq	%rcx, 32(%rsp)
	movq	16(%rax), %rcx
	addq	$1, %rcx
	movq	%rcx, 40(%rsp)
	movq	(%rax), %rax
	movq	%rax, 48(%rsp)
	movq	120(%rsp), %rsi
	movq	40(%rsp), %rdi
	movl	$11, %edx
	leaq	.Lanon.60bed5dcf488807794e55d614a93ec96.42(%rip), %rcx
	callq	_ZN106_$LT$core..ops..range..Range$LT$usize$GT$$u20$as$u20$core..slice..index..SliceIndex$LT$$u5b$T$u5d$$GT$$GT$17get_unchecked_mut18precondition_check17h5c5d94aab162fa79E
	movq	128(%rsp), %rax
	movq	48(%rsp), %rcx
	movq	40(%rsp), %rdx
	movq	120(%rsp), %rsi
	subq	%rdx, %rsi
	movq	%rsi, 16(%rsp)
	shlq	$4, %rdx
	addq	%rdx, %rcx
	movq	%rcx, 24(%rsp)
	cmpq	$0, %rax
	jb	.LBB84_8
	movq	128(%rsp), %rax
	cmpq	$11, %rax
	jbe	.LBB84_9
.LBB84_8:
.Ltmp128:
	movq	128(%rsp), %rsi
	leaq	.Lanon.60bed5dcf488807794e55d614a93ec96.57(%rip), %rcx
	movq	_RNvNtNtCsgEmfK2I1SDS_4core5slice5index16slice_index_fail@GOTPCREL(%rip), %rax
	xorl	%edx, %edx
	movl	%edx, %edi
	movl	$11, %edx
	callq	*%rax
.Ltmp129:
	jmp	.LBB84_16
.LBB84_9:
.Ltmp124:
	movq	128(%rsp), %rcx
	movq	88(%rsp), %rdx
	movq	16(%rsp), %rsi
	movq	24(%rsp), %rdi
	movq	_ZN5alloc11collections5btree4node13move_to_slice17h654f5054515e38a1E@GOTPCREL(%rip), %rax
	callq	*%rax
.Ltmp125:
	jmp	.LBB84_12
.LBB84_10:
	movq	152(%rsp), %rdi
	callq	_Unwind_Resume@PLT
.LBB84_11:
.Ltmp130:
	movq	%rax, %rcx
	movl	%edx, %eax
	movq	%rcx, 152(%rsp)
	movl	%eax, 160(%rsp)
	jmp	.LBB84_10
.LBB84_12:
	movq	96(%rsp), %rax
	movq	16(%rax), %rcx
	addq	$1, %rcx
	movq	%rcx, (%rsp)
	movq	(%rax), %rax
	addq	$184, %rax
	movq	%rax, 8(%rsp)
	movq	120(%rsp), %rsi
	movq	(%rsp), %rdi
	movl	$11, %edx
	leaq	.Lanon.60bed5dcf488807794e55d614a93ec96.43(%rip), %rcx
	callq	_ZN106_$LT$core..ops..range..Range$LT$usize$GT$$u20$as$u20$core..slice..index..SliceIndex$LT$$u5b$T$u5d$$GT$$GT$17get_unchecked_mut18precondition_check17h5c5d94aab162fa79E
	movq	128(%rsp), %rcx
	movq	88(%rsp), %rdx
	movq	8(%rsp), %rax
	movq	(%rsp), %rdi
	movq	120(%rsp), %rsi
	subq	%rdi, %rsi
	leaq	(%rax,%rdi,8), %rdi
	addq	$184, %rdx
.Ltmp126:
	movq	_ZN5alloc11collections5btree4node13move_to_slice17h203da1aba4c515d6E@GOTPCREL(%rip), %rax
	callq	*%rax
.Ltmp127:
	jmp	.LBB84_15
.LBB84_15:
	movq	112(%rsp), %rax
	movq	104(%rsp), %rcx
	movq	32(%rsp), %rdx
	movq	64(%rsp), %rsi
	movq	56(%rsp), %rdi
	movq	96(%rsp), %r8
	movq	16(%r8), %r9
	movq	(%r8), %r8
	movw	%r9w, 274(%r8)
	movq	%rdi, (%rcx)
	movq	%rsi, 8(%rcx)
	movq	%rdx, 16(%rcx)
	addq	$168, %rsp
	.cfi_def_cfa_offset 8
	retq
.LBB84_16:
	.cfi_def_cfa_offset 176
	ud2
.Lfunc_end84:
	.size	_ZN5alloc11collections5btree4node171Handle$LT$alloc..collections..btree..node..NodeRef$LT$alloc..collections..btree..node..marker..Mut$C$K$C$V$C$NodeType$GT$$C$alloc..collections..btree..node..marker..KV$GT$15split_leaf_data17h193a0b7d789acfc1E, .Lfunc_end84-_ZN5alloc11collections5btree4node171Handle$LT$alloc..collections..btree..node..NodeRef$LT$alloc..collections..btree..node..marker..Mut$C$K$C$V$C$NodeType$GT$$C$alloc..collections..btree..node..marker..KV$GT$15split_leaf_data17h193a0b7d789acfc1E
	.cfi_endproc
	.section	".gcc_except_table._ZN5alloc11collections5btree4node171Handle$LT$alloc..collections..btree..node..NodeRef$LT$alloc..collections..btree..node..marker..Mut$C$K$C$V$C$NodeType$GT$$C$alloc..collections..btree..node..marker..KV$GT$15split_leaf_data17h193a0b7d789acfc1E","a",@progbits
	.p2align	2, 0x0
GCC_except_table84:
.Lexception20:
	.byte	255
	.byte	255
	.byte	1
	.uleb128 .Lcst_end20-.Lcst_begin20
.Lcst_begin20:
	.uleb128 .Ltmp128-.Lfunc_begin20
	.uleb128 .Ltmp125-.Ltmp128
	.uleb128 .Ltmp130-.Lfunc_begin20
	.byte	0
	.uleb128 .Ltmp125-.Lfunc_begin20
	.uleb128 .Ltmp126-.Ltmp125
	.byte	0
	.byte	0
	.uleb128 .Ltmp126-.Lfunc_begin20
	.uleb128 .Ltmp127-.Ltmp126
	.uleb128 .Ltmp130-.Lfunc_begin20
	.byte	0
.Lcst_end20:
	.p2align	2, 0x0

	.section	".text._ZN5alloc11collections5btree4node171Handle$LT$alloc..collections..btree..node..NodeRef$LT$alloc..collections..btree..node..marker..Mut$C$K$C$V$C$NodeType$GT$$C$alloc..collections..btree..node..marker..KV$GT$15split_leaf_data17hde1d6359a0bb1d9aE","ax",@progbits
	.globl	_ZN5alloc11collections5btree4node171Handle$LT$alloc..collections..btree..node..NodeRef$LT$alloc..collections..btree..node..marker..Mut$C$K$C$V$C$NodeType$GT$$C$alloc..collections..btree..node..marker..KV$GT$15split_leaf_data17hde1d6359a0bb1d9aE
	.p2align	4
	.type	_ZN5alloc11collections5btree4node171Handle$LT$alloc..collections..btree..node..NodeRef$LT$alloc..collections..btree..node..marker..Mut$C$K$C$V$C$NodeType$GT$$C$alloc..collections..btree..node..marker..KV$GT$15split_leaf_data17hde1d6359a0bb1d9aE,@function
_ZN5alloc11collections5btree4node171Handle$LT$alloc..collections..btree..node..NodeRef$LT$alloc..collections..btree..node..marker..Mut$C$K$C$V$C$NodeType$GT$$C$alloc..collections..btree..node..marker..KV$GT$15split_leaf_data17hde1d6359a0bb1d9aE:
.Lfunc_begin21:
	.cfi_startproc
	.cfi_personality 155, DW.ref.rust_eh_personality
	.cfi_lsda 27, .Lexception21
	subq	$168, %rsp
	.cfi_def_cfa_offset 176
	movq	%rdx, 88(%rsp)
	movq	%rsi, 96(%rsp)
	movq	%rdi, 104(%rsp)
	movq	%rdi, 112(%rsp)
	movq	(%rsi), %rax
	movzwl	274(%rax), %eax
	movq	%rax, 120(%rsp)
	subq	16(%rsi), %rax
	subq	$1, %rax
	movq	%rax, 128(%rsp)
	movw	%ax, 274(%rdx)
	movq	16(%rsi), %rax
	movq	%rax, 136(%rsp)
	movq	(%rsi), %rax
	movq	%rax, 144(%rsp)
	movq	136(%rsp), %rdi
	movl	$11, %esi
	leaq	.Lanon.60bed5dcf488807794e55d614a93ec96.42(%rip), %rdx
	callq	_ZN75_$LT$usize$u20$as$u20$core..slice..index..SliceIndex$LT$$u5b$T$u5d$$GT$$GT$17get_unchecked_mut18precondition_check17hff4d7700b6d4cc41E
	movq	96(%rsp), %rax
	movq	144(%rsp), %rcx
	movq	136(%rsp), %rdx
	shlq	$4, %rdx
	addq	%rdx, %rcx
	movq	(%rcx), %rdx
	movq	%rdx, 56(%rsp)
	movq	8(%rcx), %rcx
	movq	%rcx, 64(%rsp)
	movq	16(%rax), %rcx
	movq	%rcx, 72(%rsp)
	movq	(%rax), %rax
	addq	$184, %rax
	movq	%rax, 80(%rsp)
	movq	72(%rsp), %rdi
	movl	$11, %esi
	leaq	.Lanon.60bed5dcf488807794e55d614a93ec96.43(%rip), %rdx
	callq	_ZN75_$LT$usize$u20$as$u20$core..slice..index..SliceIndex$LT$$u5b$T$u5d$$GT$$GT$17get_unchecked_mut18precondition_check17hff4d7700b6d4cc41E
	movq	96(%rsp), %rax
	movq	80(%rsp), %rcx
	movq	72(%rsp), %rdx
	movq	(%rcx,%rdx,8), %rcx
	movq	%rcx, 32(%rsp)
	movq	16(%rax), %rcx
	addq	$1, %rcx
	movq	%rcx, 40(%rsp)
	movq	(%rax), %rax
	movq	%rax, 48(%rsp)
	movq	120(%rsp), %rsi
	movq	40(%rsp), %rdi
	movl	$11, %edx
	leaq	.Lanon.60bed5dcf488807794e55d614a93ec96.42(%rip), %rcx
	callq	_ZN106_$LT$core..ops..range..Range$LT$usize$GT$$u20$as$u20$core..slice..index..SliceIndex$LT$$u5b$T$u5d$$GT$$GT$17get_unchecked_mut18precondition_check17h5c5d94aab162fa79E
	movq	128(%rsp), %rax
	movq	48(%rsp), %rcx
	movq	40(%rsp), %rdx
	movq	120(%rsp), %rsi
	subq	%rdx, %rsi
	movq	%rsi, 16(%rsp)
	shlq	$4, %rdx
	addq	%rdx, %rcx
	movq	%rcx, 24(%rsp)
	cmpq	$0, %rax
	jb	.LBB85_8
	movq	128(%rsp), %rax
	cmpq	$11, %rax
	jbe	.LBB85_9
.LBB85_8:
.Ltmp135:
	movq	128(%rsp), %rsi
	leaq	.Lanon.60bed5dcf488807794e55d614a93ec96.57(%rip), %rcx
	movq	_RNvNtNtCsgEmfK2I1SDS_4core5slice5index16slice_index_fail@GOTPCREL(%rip), %rax
	xorl	%edx, %edx
	movl	%edx, %edi
	movl	$11, %edx
	callq	*%rax
.Ltmp136:
	jmp	.LBB85_16
.LBB85_9:
.Ltmp131:
	movq	128(%rsp), %rcx
	movq	88(%rsp), %rdx
	movq	16(%rsp), %rsi
	movq	24(%rsp), %rdi
	movq	_ZN5alloc11collections5btree4node13move_to_slice17h654f5054515e38a1E@GOTPCREL(%rip), %rax
	callq	*%rax
.Ltmp132:
	jmp	.LBB85_12
.LBB85_10:
	movq	152(%rsp), %rdi
	callq	_Unwind_Resume@PLT
.LBB85_11:
.Ltmp137:
	movq	%rax, %rcx
	movl	%edx, %eax
	movq	%rcx, 152(%rsp)
	movl	%eax, 160(%rsp)
	jmp	.LBB85_10
.LBB85_12:
	movq	96(%rsp), %rax
	movq	16(%rax), %rcx
	addq	$1, %rcx
	movq	%rcx, (%rsp)
	movq	(%rax), %rax
	addq	$184, %rax
	movq	%rax, 8(%rsp)
	movq	120(%rsp), %rsi
	movq	(%rsp), %rdi
	movl	$11, %edx
	leaq	.Lanon.60bed5dcf488807794e55d614a93ec96.43(%rip), %rcx
	callq	_ZN106_$LT$core..ops..range..Range$LT$usize$GT$$u20$as$u20$core..slice..index..SliceIndex$LT$$u5b$T$u5d$$GT$$GT$17get_unchecked_mut18precondition_check17h5c5d94aab162fa79E
	movq	128(%rsp), %rcx
	movq	88(%rsp), %rdx
	movq	8(%rsp), %rax
	movq	(%rsp), %rdi
	movq	120(%rsp), %rsi
	subq	%rdi, %rsi
	leaq	(%rax,%rdi,8), %rdi
	addq	$184, %rdx
.Ltmp133:
	movq	_ZN5alloc11collections5btree4node13move_to_slice17h203da1aba4c515d6E@GOTPCREL(%rip), %rax
	callq	*%rax
.Ltmp134:
	jmp	.LBB85_15
.LBB85_15:
	movq	112(%rsp), %rax
	movq	104(%rsp), %rcx
	movq	32(%rsp), %rdx
	movq	64(%rsp), %rsi
	movq	56(%rsp), %rdi
	movq	96(%rsp), %r8
	movq	16(%r8), %r9
	movq	(%r8), %r8
	movw	%r9w, 274(%r8)
	movq	%rdi, (%rcx)
	movq	%rsi, 8(%rcx)
	movq	%rdx, 16(%rcx)
	addq	$168, %rsp
	.cfi_def_cfa_offset 8
	retq
.LBB85_16:
	.cfi_def_cfa_offset 176
	ud2
.Lfunc_end85:
	.size	_ZN5alloc11collections5btree4node171Handle$LT$alloc..collections..btree..node..NodeRef$LT$alloc..collections..btree..node..marker..Mut$C$K$C$V$C$NodeType$GT$$C$alloc..collections..btree..node..marker..KV$GT$15split_leaf_data17hde1d6359a0bb1d9aE, .Lfunc_end85-_ZN5alloc11collections5btree4node171Handle$LT$alloc..collections..btree..node..NodeRef$LT$alloc..collections..btree..node..marker..Mut$C$K$C$V$C$NodeType$GT$$C$alloc..collections..btree..node..marker..KV$GT$15split_leaf_data17hde1d6359a0bb1d9aE
	.cfi_endproc
	.section	".gcc_except_table._ZN5alloc11collections5btree4node171Handle$LT$alloc..collections..btree..node..NodeRef$LT$alloc..collections..btree..node..marker..Mut$C$K$C$V$C$NodeType$GT$$C$alloc..collections..btree..node..marker..KV$GT$15split_leaf_data17hde1d6359a0bb1d9aE","a",@progbits
	.p2align	2, 0x0
GCC_except_table85:
.Lexception21:
	.byte	255
	.byte	255
	.byte	1
	.uleb128 .Lcst_end21-.Lcst_begin21
.Lcst_begin21:
	.uleb128 .Ltmp135-.Lfunc_begin21
	.uleb128 .Ltmp132-.Ltmp135
	.uleb128 .Ltmp137-.Lfunc_begin21
	.byte	0
	.uleb128 .Ltmp132-.Lfunc_begin21
	.uleb128 .Ltmp133-.Ltmp132
	.byte	0
	.byte	0
	.uleb128 .Ltmp133-.Lfunc_begin21
	.uleb128 .Ltmp134-.Ltmp133
	.uleb128 .Ltmp137-.Lfunc_begin21
	.byte	0
.Lcst_end21:
	.p2align	2, 0x0

	.section	".text._ZN5alloc11collections5btree4node173Handle$LT$alloc..collections..btree..node..NodeRef$LT$alloc..collections..btree..node..marker..Dying$C$K$C$V$C$NodeType$GT$$C$alloc..collections..btree..node..marker..KV$GT$12drop_key_val17h0047d813ceb2d486E","ax",@progbits
	.globl	_ZN5alloc11collections5btree4node173Handle$LT$alloc..collections..btree..node..NodeRef$LT$alloc..collections..btree..node..marker..Dying$C$K$C$V$C$NodeType$GT$$C$alloc..collections..btree..node..marker..KV$GT$12drop_key_val17h0047d813ceb2d486E
	.p2align	4
	.type	_ZN5alloc11collections5btree4node173Handle$LT$alloc..collections..btree..node..NodeRef$LT$alloc..collections..btree..node..marker..Dying$C$K$C$V$C$NodeType$GT$$C$alloc..collections..btree..node..marker..KV$GT$12drop_key_val17h0047d813ceb2d486E,@function
_ZN5alloc11collections5btree4node173Handle$LT$alloc..collections..btree..node..NodeRef$LT$alloc..collections..btree..node..marker..Dying$C$K$C$V$C$NodeType$GT$$C$alloc..collections..btree..node..marker..KV$GT$12drop_key_val17h0047d813ceb2d486E:
	.cfi_startproc
	subq	$56, %rsp
	.cfi_def_cfa_offset 64
	movq	(%rdi), %rax
	movq	%rax, 16(%rsp)
	movq	16(%rdi), %rax
	movq	%rax, 24(%rsp)
	movq	24(%rsp), %rdi
	movl	$11, %esi
	leaq	.Lanon.60bed5dcf488807794e55d614a93ec96.58(%rip), %rdx
	callq	_ZN75_$LT$usize$u20$as$u20$core..slice..index..SliceIndex$LT$$u5b$T$u5d$$GT$$GT$17get_unchecked_mut18precondition_check17hff4d7700b6d4cc41E
	movq	16(%rsp), %rax
	addq	$184, %rax
	movq	%rax, 8(%rsp)
	movq	24(%rsp), %rdi
	movl	$11, %esi
	leaq	.Lanon.60bed5dcf488807794e55d614a93ec96.59(%rip), %rdx
	callq	_ZN75_$LT$usize$u20$as$u20$core..slice..index..SliceIndex$LT$$u5b$T$u5d$$GT$$GT$17get_unchecked_mut18precondition_check17hff4d7700b6d4cc41E
	movq	8(%rsp), %rax
	movq	24(%rsp), %rcx
	shlq	$3, %rcx
	addq	%rcx, %rax
	movq	%rax, 32(%rsp)
	leaq	32(%rsp), %rdi
	callq	*_ZN4core3ptr263drop_in_place$LT$alloc..collections..btree..node..Handle$LT$alloc..collections..btree..node..NodeRef$LT$alloc..collections..btree..node..marker..Dying$C$K$C$V$C$NodeType$GT$$C$alloc..collections..btree..node..marker..KV$GT$..drop_key_val..Dropper$LT$usize$GT$$GT$17hd37c9b2e9177a031E@GOTPCREL(%rip)
	addq	$56, %rsp
	.cfi_def_cfa_offset 8
	retq
.Lfunc_end86:
	.size	_ZN5alloc11collections5btree4node173Handle$LT$alloc..collections..btree..node..NodeRef$LT$alloc..collections..btree..node..marker..Dying$C$K$C$V$C$NodeType$GT$$C$alloc..collections..btree..node..marker..KV$GT$12drop_key_val17h0047d813ceb2d486E, .Lfunc_end86-_ZN5alloc11collections5btree4node173Handle$LT$alloc..collections..btree..node..NodeRef$LT$alloc..collections..btree..node..marker..Dying$C$K$C$V$C$NodeType$GT$$C$alloc..collections..btree..node..marker..KV$GT$12drop_key_val17h0047d813ceb2d486E
	.cfi_endproc

	.section	".text._ZN5alloc11collections5btree4node208Handle$LT$alloc..collections..btree..node..NodeRef$LT$alloc..collections..btree..node..marker..Mut$C$K$C$V$C$alloc..collections..btree..node..marker..Leaf$GT$$C$alloc..collections..btree..node..marker..KV$GT$5split17ha90902f7e557e017E","ax",@progbits
	.globl	_ZN5alloc11collections5btree4node208Handle$LT$alloc..collections..btree..node..NodeRef$LT$alloc..collections..btree..node..marker..Mut$C$K$C$V$C$alloc..collections..btree..node..marker..Leaf$GT$$C$alloc..collections..btree..node..marker..KV$GT$5split17ha90902f7e557e017E
	.p2align	4
	.type	_ZN5alloc11collections5btree4node208Handle$LT$alloc..collections..btree..node..NodeRef$LT$alloc..collections..btree..node..marker..Mut$C$K$C$V$C$alloc..collections..btree..node..marker..Leaf$GT$$C$alloc..collections..btree..node..marker..KV$GT$5split17ha90902f7e557e017E,@function
_ZN5alloc11collections5btree4node208Handle$LT$alloc..collections..btree..node..NodeRef$LT$alloc..collections..btree..node..marker..Mut$C$K$C$V$C$alloc..collections..btree..node..marker..Leaf$GT$$C$alloc..collections..btree..node..marker..KV$GT$5split17ha90902f7e557e017E:
.Lfunc_begin22:
	.cfi_startproc
	.cfi_personality 155, DW.ref.rust_eh_personality
	.cfi_lsda 27, .Lexception22
	subq	$120, %rsp
	.cfi_def_cfa_offset 128
	movq	%rsi, 32(%rsp)
	movq	%rdi, 16(%rsp)
	movq	%rdi, 24(%rsp)
	movq	_ZN5alloc5boxed16Box$LT$T$C$A$GT$13new_uninit_in17h4834a355cfd4a848E@GOTPCREL(%rip), %rax
	callq	*%rax
	movq	32(%rsp), %rsi
	movq	$0, 176(%rax)
	movw	$0, 274(%rax)
	movq	%rax, 40(%rsp)
	movb	$1, 103(%rsp)
	movq	40(%rsp), %rdx
.Ltmp138:
	movq	_ZN5alloc11collections5btree4node171Handle$LT$alloc..collections..btree..node..NodeRef$LT$alloc..collections..btree..node..marker..Mut$C$K$C$V$C$NodeType$GT$$C$alloc..collections..btree..node..marker..KV$GT$15split_leaf_data17hde1d6359a0bb1d9aE@GOTPCREL(%rip), %rax
	leaq	48(%rsp), %rdi
	callq	*%rax
.Ltmp139:
	jmp	.LBB87_3
.LBB87_1:
	testb	$1, 103(%rsp)
	jne	.LBB87_8
	jmp	.LBB87_7
.LBB87_2:
.Ltmp140:
	movq	%rax, %rcx
	movl	%edx, %eax
	movq	%rcx, 104(%rsp)
	movl	%eax, 112(%rsp)
	jmp	.LBB87_1
.LBB87_3:
	movb	$0, 103(%rsp)
	movq	40(%rsp), %rdi
.Ltmp141:
	movq	_ZN5alloc11collections5btree4node117NodeRef$LT$alloc..collections..btree..node..marker..Owned$C$K$C$V$C$alloc..collections..btree..node..marker..Leaf$GT$13from_new_leaf17h9f32e19e1fb8b9e9E@GOTPCREL(%rip), %rax
	callq	*%rax
.Ltmp142:
	movq	%rdx, (%rsp)
	movq	%rax, 8(%rsp)
	jmp	.LBB87_6
.LBB87_4:
	jmp	.LBB87_1
.LBB87_5:
.Ltmp143:
	movq	%rax, %rcx
	movl	%edx, %eax
	movq	%rcx, 104(%rsp)
	movl	%eax, 112(%rsp)
	jmp	.LBB87_4
.LBB87_6:
	movq	24(%rsp), %rax
	movq	16(%rsp), %rcx
	movq	(%rsp), %rdx
	movq	8(%rsp), %rsi
	movq	32(%rsp), %rdi
	movq	(%rdi), %r8
	movq	8(%rdi), %rdi
	movq	48(%rsp), %r9
	movq	%r9, 72(%rsp)
	movq	56(%rsp), %r9
	movq	%r9, 80(%rsp)
	movq	64(%rsp), %r9
	movq	%r9, 88(%rsp)
	movq	%r8, (%rcx)
	movq	%rdi, 8(%rcx)
	movq	72(%rsp), %rdi
	movq	%rdi, 16(%rcx)
	movq	80(%rsp), %rdi
	movq	%rdi, 24(%rcx)
	movq	88(%rsp), %rdi
	movq	%rdi, 32(%rcx)
	movq	%rsi, 40(%rcx)
	movq	%rdx, 48(%rcx)
	addq	$120, %rsp
	.cfi_def_cfa_offset 8
	retq
.LBB87_7:
	.cfi_def_cfa_offset 128
	movq	104(%rsp), %rdi
	callq	_Unwind_Resume@PLT
.LBB87_8:
.Ltmp144:
	movq	_ZN4core3ptr110drop_in_place$LT$alloc..boxed..Box$LT$alloc..collections..btree..node..LeafNode$LT$$RF$str$C$usize$GT$$GT$$GT$17h23e2ea1a996ad292E@GOTPCREL(%rip), %rax
	leaq	40(%rsp), %rdi
	callq	*%rax
.Ltmp145:
	jmp	.LBB87_7
.LBB87_9:
.Ltmp146:
	callq	*_RNvNtCsgEmfK2I1SDS_4core9panicking16panic_in_cleanup@GOTPCREL(%rip)
.Lfunc_end87:
	.size	_ZN5alloc11collections5btree4node208Handle$LT$alloc..collections..btree..node..NodeRef$LT$alloc..collections..btree..node..marker..Mut$C$K$C$V$C$alloc..collections..btree..node..marker..Leaf$GT$$C$alloc..collections..btree..node..marker..KV$GT$5split17ha90902f7e557e017E, .Lfunc_end87-_ZN5alloc11collections5btree4node208Handle$LT$alloc..collections..btree..node..NodeRef$LT$alloc..collections..btree..node..marker..Mut$C$K$C$V$C$alloc..collections..btree..node..marker..Leaf$GT$$C$alloc..collections..btree..node..marker..KV$GT$5split17ha90902f7e557e017E
	.cfi_endproc
	.section	".gcc_except_table._ZN5alloc11collections5btree4node208Handle$LT$alloc..collections..btree..node..NodeRef$LT$alloc..collections..btree..node..marker..Mut$C$K$C$V$C$alloc..collections..btree..node..marker..Leaf$GT$$C$alloc..collections..btree..node..marker..KV$GT$5split17ha90902f7e557e017E","a",@progbits
	.p2align	2, 0x0
GCC_except_table87:
.Lexception22:
	.byte	255
	.byte	155
	.uleb128 .Lttbase5-.Lttbaseref5
.Lttbaseref5:
	.byte	1
	.uleb128 .Lcst_end22-.Lcst_begin22
.Lcst_begin22:
	.uleb128 .Lfunc_begin22-.Lfunc_begin22
	.uleb128 .Ltmp138-.Lfunc_begin22
	.byte	0
	.byte	0
	.uleb128 .Ltmp138-.Lfunc_begin22
	.uleb128 .Ltmp139-.Ltmp138
	.uleb128 .Ltmp140-.Lfunc_begin22
	.byte	0
	.uleb128 .Ltmp141-.Lfunc_begin22
	.uleb128 .Ltmp142-.Ltmp141
	.uleb128 .Ltmp143-.Lfunc_begin22
	.byte	0
	.uleb128 .Ltmp142-.Lfunc_begin22
	.uleb128 .Ltmp144-.Ltmp142
	.byte	0
	.byte	0
	.uleb128 .Ltmp144-.Lfunc_begin22
	.uleb128 .Ltmp145-.Ltmp144
	.uleb128 .Ltmp146-.Lfunc_begin22
	.byte	1
.Lcst_end22:
	.byte	127
	.byte	0
	.p2align	2, 0x0
.Lttbase5:
	.byte	0
	.p2align	2, 0x0

	.section	".text._ZN5alloc11collections5btree4node210Handle$LT$alloc..collections..btree..node..NodeRef$LT$alloc..collections..btree..node..marker..Mut$C$K$C$V$C$alloc..collections..btree..node..marker..Leaf$GT$$C$alloc..collections..btree..node..marker..Edge$GT$10insert_fit17h68d3f307d6d6988bE","ax",@progbits
	.globl	_ZN5alloc11collections5btree4node210Handle$LT$alloc..collections..btree..node..NodeRef$LT$alloc..collections..btree..node..marker..Mut$C$K$C$V$C$alloc..collections..btree..node..marker..Leaf$GT$$C$alloc..collections..btree..node..marker..Edge$GT$10insert_fit17h68d3f307d6d6988bE
	.p2align	4
	.type	_ZN5alloc11collections5btree4node210Handle$LT$alloc..collections..btree..node..NodeRef$LT$alloc..collections..btree..node..marker..Mut$C$K$C$V$C$alloc..collections..btree..node..marker..Leaf$GT$$C$alloc..collections..btree..node..marker..Edge$GT$10insert_fit17h68d3f307d6d6988bE,@function
_ZN5alloc11collections5btree4node210Handle$LT$alloc..collections..btree..node..NodeRef$LT$alloc..collections..btree..node..marker..Mut$C$K$C$V$C$alloc..collections..btree..node..marker..Leaf$GT$$C$alloc..collections..btree..node..marker..Edge$GT$10insert_fit17h68d3f307d6d6988bE:
.Lfunc_begin23:
	.cfi_startproc
	.cfi_personality 155, DW.ref.rust_eh_personality
	.cfi_lsda 27, .Lexception23
	subq	$104, %rsp
	.cfi_def_cfa_offset 112
	movq	%r8, 16(%rsp)
	movq	%rcx, 24(%rsp)
	movq	%rdx, 32(%rsp)
	movq	%rsi, 40(%rsp)
	movq	%rdi, 48(%rsp)
	movq	%rdi, 56(%rsp)
	movb	$1, 87(%rsp)
	movq	(%rsi), %rax
	movq	%rax, 64(%rsp)
	movzwl	274(%rax), %eax
	addq	$1, %rax
	movq	%rax, 72(%rsp)
	movq	72(%rsp), %rsi
	xorl	%eax, %eax
	movl	%eax, %edi
	movl	$11, %edx
	leaq	.Lanon.60bed5dcf488807794e55d614a93ec96.61(%rip), %rcx
	callq	_ZN106_$LT$core..ops..range..Range$LT$usize$GT$$u20$as$u20$core..slice..index..SliceIndex$LT$$u5b$T$u5d$$GT$$GT$17get_unchecked_mut18precondition_check17h5c5d94aab162fa79E
	movq	24(%rsp), %r8
	movq	32(%rsp), %rcx
	movq	72(%rsp), %rsi
	movq	64(%rsp), %rdi
	movq	40(%rsp), %rax
	movq	16(%rax), %rdx
	movq	%rdx, 8(%rsp)
.Ltmp147:
	movq	_ZN5alloc11collections5btree4node12slice_insert17h955b5dd5e619a605E@GOTPCREL(%rip), %rax
	callq	*%rax
.Ltmp148:
	jmp	.LBB88_5
.LBB88_3:
	testb	$1, 87(%rsp)
	jne	.LBB88_10
	jmp	.LBB88_9
.LBB88_4:
.Ltmp151:
	movq	%rax, %rcx
	movl	%edx, %eax
	movq	%rcx, 88(%rsp)
	movl	%eax, 96(%rsp)
	jmp	.LBB88_3
.LBB88_5:
	movq	64(%rsp), %rax
	addq	$184, %rax
	movq	%rax, (%rsp)
	movq	72(%rsp), %rsi
	xorl	%eax, %eax
	movl	%eax, %edi
	movl	$11, %edx
	leaq	.Lanon.60bed5dcf488807794e55d614a93ec96.61(%rip), %rcx
	callq	_ZN106_$LT$core..ops..range..Range$LT$usize$GT$$u20$as$u20$core..slice..index..SliceIndex$LT$$u5b$T$u5d$$GT$$GT$17get_unchecked_mut18precondition_check17h5c5d94aab162fa79E
	movq	16(%rsp), %rcx
	movq	8(%rsp), %rdx
	movq	72(%rsp), %rsi
	movq	(%rsp), %rdi
	movb	$0, 87(%rsp)
.Ltmp149:
	movq	_ZN5alloc11collections5btree4node12slice_insert17h8739e6f88c8a7915E@GOTPCREL(%rip), %rax
	callq	*%rax
.Ltmp150:
	jmp	.LBB88_8
.LBB88_8:
	movq	56(%rsp), %rax
	movq	48(%rsp), %rcx
	movq	8(%rsp), %rdx
	movq	40(%rsp), %rsi
	movq	64(%rsp), %rdi
	movq	72(%rsp), %r8
	movw	%r8w, 274(%rdi)
	movq	(%rsi), %rdi
	movq	8(%rsi), %rsi
	movq	%rdi, (%rcx)
	movq	%rsi, 8(%rcx)
	movq	%rdx, 16(%rcx)
	addq	$104, %rsp
	.cfi_def_cfa_offset 8
	retq
.LBB88_9:
	.cfi_def_cfa_offset 112
	movq	88(%rsp), %rdi
	callq	_Unwind_Resume@PLT
.LBB88_10:
	jmp	.LBB88_9
.Lfunc_end88:
	.size	_ZN5alloc11collections5btree4node210Handle$LT$alloc..collections..btree..node..NodeRef$LT$alloc..collections..btree..node..marker..Mut$C$K$C$V$C$alloc..collections..btree..node..marker..Leaf$GT$$C$alloc..collections..btree..node..marker..Edge$GT$10insert_fit17h68d3f307d6d6988bE, .Lfunc_end88-_ZN5alloc11collections5btree4node210Handle$LT$alloc..collections..btree..node..NodeRef$LT$alloc..collections..btree..node..marker..Mut$C$K$C$V$C$alloc..collections..btree..node..marker..Leaf$GT$$C$alloc..collections..btree..node..marker..Edge$GT$10insert_fit17h68d3f307d6d6988bE
	.cfi_endproc
	.section	".gcc_except_table._ZN5alloc11collections5btree4node210Handle$LT$alloc..collections..btree..node..NodeRef$LT$alloc..collections..btree..node..marker..Mut$C$K$C$V$C$alloc..collections..btree..node..marker..Leaf$GT$$C$alloc..collections..btree..node..marker..Edge$GT$10insert_fit17h68d3f307d6d6988bE","a",@progbits
	.p2align	2, 0x0
GCC_except_table88:
.Lexception23:
	.byte	255
	.byte	255
	.byte	1
	.uleb128 .Lcst_end23-.Lcst_begin23
.Lcst_begin23:
	.uleb128 .Ltmp147-.Lfunc_begin23
	.uleb128 .Ltmp150-.Ltmp147
	.uleb128 .Ltmp151-.Lfunc_begin23
	.byte	0
	.uleb128 .Ltmp150-.Lfunc_begin23
	.uleb128 .Lfunc_end88-.Ltmp150
	.byte	0
	.byte	0
.Lcst_end23:
	.p2align	2, 0x0

	.section	".text._ZN5alloc11collections5btree4node210Handle$LT$alloc..collections..btree..node..NodeRef$LT$alloc..collections..btree..node..marker..Mut$C$K$C$V$C$alloc..collections..btree..node..marker..Leaf$GT$$C$alloc..collections..btree..node..marker..Edge$GT$16insert_recursing17h437bd768b2d65439E","ax",@progbits
	.globl	_ZN5alloc11collections5btree4node210Handle$LT$alloc..collections..btree..node..NodeRef$LT$alloc..collections..btree..node..marker..Mut$C$K$C$V$C$alloc..collections..btree..node..marker..Leaf$GT$$C$alloc..collections..btree..node..marker..Edge$GT$16insert_recursing17h437bd768b2d65439E
	.p2align	4
	.type	_ZN5alloc11collections5btree4node210Handle$LT$alloc..collections..btree..node..NodeRef$LT$alloc..collections..btree..node..marker..Mut$C$K$C$V$C$alloc..collections..btree..node..marker..Leaf$GT$$C$alloc..collections..btree..node..marker..Edge$GT$16insert_recursing17h437bd768b2d65439E,@function
_ZN5alloc11collections5btree4node210Handle$LT$alloc..collections..btree..node..NodeRef$LT$alloc..collections..btree..node..marker..Mut$C$K$C$V$C$alloc..collections..btree..node..marker..Leaf$GT$$C$alloc..collections..btree..node..marker..Edge$GT$16insert_recursing17h437bd768b2d65439E:
.Lfunc_begin24:
	.cfi_startproc
	.cfi_personality 155, DW.ref.rust_eh_personality
	.cfi_lsda 27, .Lexception24
	subq	$680, %rsp
	.cfi_def_cfa_offset 688
	movq	%r9, 72(%rsp)
	movq	%r8, 80(%rsp)
	movq	%rcx, 88(%rsp)
	movq	%rdx, 96(%rsp)
	movq	%rsi, 104(%rsp)
	movq	%rdi, 112(%rsp)
	movq	%rdi, 120(%rsp)
	movq	688(%rsp), %rax
	movq	%rax, 128(%rsp)
	movb	$1, 609(%rsp)
	movb	$1, 615(%rsp)
	movb	$1, 614(%rsp)
.Ltmp152:
	leaq	143(%rsp), %rdi
	callq	_ZN59_$LT$alloc..alloc..Global$u20$as$u20$core..clone..Clone$GT$5clone17h720c7a222124ffffE
.Ltmp153:
	jmp	.LBB89_3
.LBB89_1:
	testb	$1, 614(%rsp)
	jne	.LBB89_30
	jmp	.LBB89_29
.LBB89_2:
.Ltmp156:
	movq	%rax, %rcx
	movl	%edx, %eax
	movq	%rcx, 664(%rsp)
	movl	%eax, 672(%rsp)
	jmp	.LBB89_1
.LBB89_3:
	movq	80(%rsp), %r8
	movq	88(%rsp), %rcx
	movq	96(%rsp), %rdx
	movq	104(%rsp), %rsi
	movb	$0, 615(%rsp)
	movb	$0, 614(%rsp)
.Ltmp154:
	movq	_ZN5alloc11collections5btree4node210Handle$LT$alloc..collections..btree..node..NodeRef$LT$alloc..collections..btree..node..marker..Mut$C$K$C$V$C$alloc..collections..btree..node..marker..Leaf$GT$$C$alloc..collections..btree..node..marker..Edge$GT$6insert17hb201f28090bd8477E@GOTPCREL(%rip), %rax
	leaq	200(%rsp), %rdi
	callq	*%rax
.Ltmp155:
	jmp	.LBB89_4
.LBB89_4:
	movq	200(%rsp), %rdx
	movl	$1, %eax
	xorl	%ecx, %ecx
	cmpq	$0, %rdx
	cmoveq	%rcx, %rax
	testq	$1, %rax
	je	.LBB89_6
	movq	208(%rsp), %rdx
	movq	200(%rsp), %rsi
	movq	216(%rsp), %rax
	movq	%rax, 616(%rsp)
	movq	224(%rsp), %rax
	movq	%rax, 624(%rsp)
	movq	232(%rsp), %rax
	movq	%rax, 632(%rsp)
	movq	248(%rsp), %rax
	movq	240(%rsp), %rcx
	movq	264(%rsp), %rdi
	movq	%rdi, 48(%rsp)
	movq	256(%rsp), %rdi
	movq	%rdi, 56(%rsp)
	movq	272(%rsp), %rdi
	movq	%rdi, 64(%rsp)
	movq	%rsi, 280(%rsp)
	movq	%rdx, 288(%rsp)
	movq	616(%rsp), %rdx
	movq	%rdx, 296(%rsp)
	movq	624(%rsp), %rdx
	movq	%rdx, 304(%rsp)
	movq	632(%rsp), %rdx
	movq	%rdx, 312(%rsp)
	movq	%rcx, 320(%rsp)
	movq	%rax, 328(%rsp)
	movb	$1, 612(%rsp)
	movb	$1, 613(%rsp)
	leaq	144(%rsp), %rdi
	leaq	280(%rsp), %rsi
	movl	$56, %edx
	callq	memcpy@PLT
	jmp	.LBB89_8
.LBB89_6:
	movq	112(%rsp), %rax
	movq	264(%rsp), %rdx
	movq	256(%rsp), %rsi
	movq	272(%rsp), %rcx
	movq	%rsi, (%rax)
	movq	%rdx, 8(%rax)
	movq	%rcx, 16(%rax)
.LBB89_7:
	jmp	.LBB89_20
.LBB89_8:
	movq	144(%rsp), %rsi
	movq	152(%rsp), %rdx
.Ltmp157:
	movq	_ZN5alloc11collections5btree4node40NodeRef$LT$BorrowType$C$K$C$V$C$Type$GT$6ascend17hb47f97ecbe6f0c7dE@GOTPCREL(%rip), %rax
	leaq	392(%rsp), %rdi
	callq	*%rax
.Ltmp158:
	jmp	.LBB89_11
.LBB89_9:
	testb	$1, 613(%rsp)
	jne	.LBB89_26
	jmp	.LBB89_25
.LBB89_10:
.Ltmp166:
	movq	%rax, %rcx
	movl	%edx, %eax
	movq	%rcx, 664(%rsp)
	movl	%eax, 672(%rsp)
	jmp	.LBB89_9
.LBB89_11:
	movq	392(%rsp), %rdx
	xorl	%eax, %eax
	movl	$1, %ecx
	cmpq	$0, %rdx
	cmoveq	%rcx, %rax
	testq	$1, %rax
	je	.LBB89_13
	movq	128(%rsp), %rsi
	movq	72(%rsp), %rdi
	movq	400(%rsp), %rcx
	movq	408(%rsp), %rax
	movb	$0, 609(%rsp)
	movb	$0, 612(%rsp)
	movb	$0, 613(%rsp)
	movq	%rcx, 552(%rsp)
	movq	%rax, 560(%rsp)
	movq	176(%rsp), %rax
	movq	%rax, 584(%rsp)
	movups	160(%rsp), %xmm0
	movups	%xmm0, 568(%rsp)
	movq	184(%rsp), %rcx
	movq	192(%rsp), %rax
	movq	%rcx, 592(%rsp)
	movq	%rax, 600(%rsp)
	movq	600(%rsp), %rax
	movq	%rax, 544(%rsp)
	movups	552(%rsp), %xmm0
	movups	568(%rsp), %xmm1
	movups	584(%rsp), %xmm2
	movaps	%xmm2, 528(%rsp)
	movaps	%xmm1, 512(%rsp)
	movaps	%xmm0, 496(%rsp)
.Ltmp164:
	movq	_ZN5alloc11collections5btree3map5entry28VacantEntry$LT$K$C$V$C$A$GT$12insert_entry28_$u7b$$u7b$closure$u7d$$u7d$17h1256eb13b6faf9ccE@GOTPCREL(%rip), %rax
	leaq	496(%rsp), %rdx
	callq	*%rax
.Ltmp165:
	jmp	.LBB89_24
.LBB89_13:
	movq	408(%rsp), %rax
	movq	%rax, 432(%rsp)
	movups	392(%rsp), %xmm0
	movaps	%xmm0, 416(%rsp)
	movb	$0, 613(%rsp)
	movb	$1, 611(%rsp)
	movq	160(%rsp), %rax
	movq	%rax, 8(%rsp)
	movq	168(%rsp), %rax
	movq	%rax, 16(%rsp)
	movb	$0, 612(%rsp)
	movb	$1, 610(%rsp)
	movq	176(%rsp), %rax
	movq	%rax, 24(%rsp)
	movq	184(%rsp), %rax
	movq	%rax, 32(%rsp)
	movq	192(%rsp), %rax
	movq	%rax, 40(%rsp)
.Ltmp159:
	leaq	143(%rsp), %rdi
	callq	_ZN59_$LT$alloc..alloc..Global$u20$as$u20$core..clone..Clone$GT$5clone17h720c7a222124ffffE
.Ltmp160:
	jmp	.LBB89_16
.LBB89_14:
	testb	$1, 610(%rsp)
	jne	.LBB89_22
	jmp	.LBB89_21
.LBB89_15:
.Ltmp163:
	movq	%rax, %rcx
	movl	%edx, %eax
	movq	%rcx, 664(%rsp)
	movl	%eax, 672(%rsp)
	jmp	.LBB89_14
.LBB89_16:
	movq	32(%rsp), %r9
	movq	24(%rsp), %r8
	movq	16(%rsp), %rcx
	movq	8(%rsp), %rdx
	movq	40(%rsp), %rsi
	movb	$0, 611(%rsp)
	movb	$0, 610(%rsp)
.Ltmp161:
	movq	%rsp, %rax
	movq	%rsi, (%rax)
	movq	_ZN5alloc11collections5btree4node214Handle$LT$alloc..collections..btree..node..NodeRef$LT$alloc..collections..btree..node..marker..Mut$C$K$C$V$C$alloc..collections..btree..node..marker..Internal$GT$$C$alloc..collections..btree..node..marker..Edge$GT$6insert17hb3f00facb8622714E@GOTPCREL(%rip), %rax
	leaq	440(%rsp), %rdi
	leaq	416(%rsp), %rsi
	callq	*%rax
.Ltmp162:
	jmp	.LBB89_17
.LBB89_17:
	movq	440(%rsp), %rdx
	movl	$1, %eax
	xorl	%ecx, %ecx
	cmpq	$0, %rdx
	cmoveq	%rcx, %rax
	testq	$1, %rax
	je	.LBB89_19
	movq	448(%rsp), %rdx
	movq	440(%rsp), %rsi
	movq	456(%rsp), %rax
	movq	%rax, 640(%rsp)
	movq	464(%rsp), %rax
	movq	%rax, 648(%rsp)
	movq	472(%rsp), %rax
	movq	%rax, 656(%rsp)
	movq	488(%rsp), %rax
	movq	480(%rsp), %rcx
	movq	%rsi, 336(%rsp)
	movq	%rdx, 344(%rsp)
	movq	640(%rsp), %rdx
	movq	%rdx, 352(%rsp)
	movq	648(%rsp), %rdx
	movq	%rdx, 360(%rsp)
	movq	656(%rsp), %rdx
	movq	%rdx, 368(%rsp)
	movq	%rcx, 376(%rsp)
	movq	%rax, 384(%rsp)
	movb	$1, 612(%rsp)
	movb	$1, 613(%rsp)
	leaq	144(%rsp), %rdi
	leaq	336(%rsp), %rsi
	movl	$56, %edx
	callq	memcpy@PLT
	jmp	.LBB89_8
.LBB89_19:
	movq	112(%rsp), %rax
	movq	64(%rsp), %rcx
	movq	48(%rsp), %rdx
	movq	56(%rsp), %rsi
	movq	%rsi, (%rax)
	movq	%rdx, 8(%rax)
	movq	%rcx, 16(%rax)
	testb	$1, 609(%rsp)
	jne	.LBB89_7
.LBB89_20:
	movq	120(%rsp), %rax
	addq	$680, %rsp
	.cfi_def_cfa_offset 8
	retq
.LBB89_21:
	.cfi_def_cfa_offset 688
	testb	$1, 611(%rsp)
	jne	.LBB89_23
	jmp	.LBB89_9
.LBB89_22:
	jmp	.LBB89_21
.LBB89_23:
	jmp	.LBB89_9
.LBB89_24:
	movq	112(%rsp), %rax
	movq	64(%rsp), %rcx
	movq	48(%rsp), %rdx
	movq	56(%rsp), %rsi
	movq	%rsi, (%rax)
	movq	%rdx, 8(%rax)
	movq	%rcx, 16(%rax)
	jmp	.LBB89_20
.LBB89_25:
	testb	$1, 612(%rsp)
	jne	.LBB89_28
	jmp	.LBB89_27
.LBB89_26:
	jmp	.LBB89_25
.LBB89_27:
	testb	$1, 609(%rsp)
	jne	.LBB89_33
	jmp	.LBB89_32
.LBB89_28:
	jmp	.LBB89_27
.LBB89_29:
	testb	$1, 615(%rsp)
	jne	.LBB89_31
	jmp	.LBB89_27
.LBB89_30:
	jmp	.LBB89_29
.LBB89_31:
	jmp	.LBB89_27
.LBB89_32:
	movq	664(%rsp), %rdi
	callq	_Unwind_Resume@PLT
.LBB89_33:
	jmp	.LBB89_32
.Lfunc_end89:
	.size	_ZN5alloc11collections5btree4node210Handle$LT$alloc..collections..btree..node..NodeRef$LT$alloc..collections..btree..node..marker..Mut$C$K$C$V$C$alloc..collections..btree..node..marker..Leaf$GT$$C$alloc..collections..btree..node..marker..Edge$GT$16insert_recursing17h437bd768b2d65439E, .Lfunc_end89-_ZN5alloc11collections5btree4node210Handle$LT$alloc..collections..btree..node..NodeRef$LT$alloc..collections..btree..node..marker..Mut$C$K$C$V$C$alloc..collections..btree..node..marker..Leaf$GT$$C$alloc..collections..btree..node..marker..Edge$GT$16insert_recursing17h437bd768b2d65439E
	.cfi_endproc
	.section	".gcc_except_table._ZN5alloc11collections5btree4node210Handle$LT$alloc..collections..btree..node..NodeRef$LT$alloc..collections..btree..node..marker..Mut$C$K$C$V$C$alloc..collections..btree..node..marker..Leaf$GT$$C$alloc..collections..btree..node..marker..Edge$GT$16insert_recursing17h437bd768b2d65439E","a",@progbits
	.p2align	2, 0x0
GCC_except_table89:
.Lexception24:
	.byte	255
	.byte	255
	.byte	1
	.uleb128 .Lcst_end24-.Lcst_begin24
.Lcst_begin24:
	.uleb128 .Ltmp152-.Lfunc_begin24
	.uleb128 .Ltmp155-.Ltmp152
	.uleb128 .Ltmp156-.Lfunc_begin24
	.byte	0
	.uleb128 .Ltmp155-.Lfunc_begin24
	.uleb128 .Ltmp157-.Ltmp155
	.byte	0
	.byte	0
	.uleb128 .Ltmp157-.Lfunc_begin24
	.uleb128 .Ltmp165-.Ltmp157
	.uleb128 .Ltmp166-.Lfunc_begin24
	.byte	0
	.uleb128 .Ltmp159-.Lfunc_begin24
	.uleb128 .Ltmp162-.Ltmp159
	.uleb128 .Ltmp163-.Lfunc_begin24
	.byte	0
	.uleb128 .Ltmp162-.Lfunc_begin24
	.uleb128 .Lfunc_end89-.Ltmp162
	.byte	0
	.byte	0
.Lcst_end24:
	.p2align	2, 0x0

	.section	".text._ZN5alloc11collections5btree4node210Handle$LT$alloc..collections..btree..node..NodeRef$LT$alloc..collections..btree..node..marker..Mut$C$K$C$V$C$alloc..collections..btree..node..marker..Leaf$GT$$C$alloc..collections..btree..node..marker..Edge$GT$6insert17hb201f28090bd8477E","ax",@progbits
	.globl	_ZN5alloc11collections5btree4node210Handle$LT$alloc..collections..btree..node..NodeRef$LT$alloc..collections..btree..node..marker..Mut$C$K$C$V$C$alloc..collections..btree..node..marker..Leaf$GT$$C$alloc..collections..btree..node..marker..Edge$GT$6insert17hb201f28090bd8477E
	.p2align	4
	.type	_ZN5alloc11collections5btree4node210Handle$LT$alloc..collections..btree..node..NodeRef$LT$alloc..collections..btree..node..marker..Mut$C$K$C$V$C$alloc..collections..btree..node..marker..Leaf$GT$$C$alloc..collections..btree..node..marker..Edge$GT$6insert17hb201f28090bd8477E,@function
_ZN5alloc11collections5btree4node210Handle$LT$alloc..collections..btree..node..NodeRef$LT$alloc..collections..btree..node..marker..Mut$C$K$C$V$C$alloc..collections..btree..node..marker..Leaf$GT$$C$alloc..collections..btree..node..marker..Edge$GT$6insert17hb201f28090bd8477E:
.Lfunc_begin25:
	.cfi_startproc
	.cfi_personality 155, DW.ref.rust_eh_personality
	.cfi_lsda 27, .Lexception25
	subq	$472, %rsp
	.cfi_def_cfa_offset 480
	movq	%r8, 8(%rsp)
	movq	%rcx, 16(%rsp)
	movq	%rdx, 24(%rsp)
	movq	%rsi, 32(%rsp)
	movq	%rdi, 40(%rsp)
	movq	%rdi, 48(%rsp)
	movb	$1, 431(%rsp)
	movb	$1, 430(%rsp)
	movb	$1, 429(%rsp)
	movq	(%rsi), %rax
	movzwl	274(%rax), %eax
	cmpq	$11, %rax
	jb	.LBB90_2
	movq	32(%rsp), %rax
	movq	16(%rax), %rcx
	movq	%rcx, (%rsp)
	xorl	%eax, %eax
	cmpq	%rcx, %rax
	jbe	.LBB90_4
	jmp	.LBB90_3
.LBB90_2:
	movq	8(%rsp), %r8
	movq	16(%rsp), %rcx
	movq	24(%rsp), %rdx
	movq	32(%rsp), %rsi
	movb	$0, 431(%rsp)
	movb	$0, 430(%rsp)
.Ltmp172:
	movq	_ZN5alloc11collections5btree4node210Handle$LT$alloc..collections..btree..node..NodeRef$LT$alloc..collections..btree..node..marker..Mut$C$K$C$V$C$alloc..collections..btree..node..marker..Leaf$GT$$C$alloc..collections..btree..node..marker..Edge$GT$10insert_fit17h68d3f307d6d6988bE@GOTPCREL(%rip), %rax
	leaq	56(%rsp), %rdi
	callq	*%rax
.Ltmp173:
	jmp	.LBB90_20
.LBB90_3:
	movq	(%rsp), %rax
	subq	$5, %rax
	je	.LBB90_7
	jmp	.LBB90_27
.LBB90_27:
	movq	(%rsp), %rax
	subq	$6, %rax
	je	.LBB90_8
	jmp	.LBB90_6
.LBB90_4:
	movq	(%rsp), %rax
	cmpq	$5, %rax
	jae	.LBB90_3
	movq	(%rsp), %rax
	movq	%rax, 440(%rsp)
	movq	$0, 432(%rsp)
	movq	$4, 448(%rsp)
	jmp	.LBB90_9
.LBB90_6:
	movq	(%rsp), %rax
	subq	$7, %rax
	movq	%rax, 440(%rsp)
	movq	$1, 432(%rsp)
	movq	$6, 448(%rsp)
	jmp	.LBB90_9
.LBB90_7:
	movq	$5, 448(%rsp)
	movq	$0, 432(%rsp)
	movq	$5, 440(%rsp)
	jmp	.LBB90_9
.LBB90_8:
	movq	$5, 448(%rsp)
	movq	$1, 432(%rsp)
	movq	$0, 440(%rsp)
.LBB90_9:
	movq	32(%rsp), %rax
	movq	(%rax), %rcx
	movq	8(%rax), %rax
	movq	%rcx, 160(%rsp)
	movq	%rax, 168(%rsp)
	movq	448(%rsp), %rax
	movq	%rax, 176(%rsp)
	movb	$0, 429(%rsp)
.Ltmp167:
	movq	_ZN5alloc11collections5btree4node208Handle$LT$alloc..collections..btree..node..NodeRef$LT$alloc..collections..btree..node..marker..Mut$C$K$C$V$C$alloc..collections..btree..node..marker..Leaf$GT$$C$alloc..collections..btree..node..marker..KV$GT$5split17ha90902f7e557e017E@GOTPCREL(%rip), %rax
	leaq	184(%rsp), %rdi
	leaq	160(%rsp), %rsi
	callq	*%rax
.Ltmp168:
	jmp	.LBB90_12
.LBB90_10:
	testb	$1, 429(%rsp)
	jne	.LBB90_22
	jmp	.LBB90_21
.LBB90_11:
.Ltmp174:
	movq	%rax, %rcx
	movl	%edx, %eax
	movq	%rcx, 456(%rsp)
	movl	%eax, 464(%rsp)
	jmp	.LBB90_10
.LBB90_12:
	testq	$1, 432(%rsp)
	je	.LBB90_14
	movq	440(%rsp), %rax
	movq	232(%rsp), %rcx
	movq	224(%rsp), %rdx
	movq	%rdx, 240(%rsp)
	movq	%rcx, 248(%rsp)
	movq	%rax, 256(%rsp)
	jmp	.LBB90_15
.LBB90_14:
	movq	440(%rsp), %rax
	movq	192(%rsp), %rcx
	movq	184(%rsp), %rdx
	movq	%rdx, 240(%rsp)
	movq	%rcx, 248(%rsp)
	movq	%rax, 256(%rsp)
.LBB90_15:
	movq	8(%rsp), %r8
	movq	16(%rsp), %rcx
	movq	24(%rsp), %rdx
	movb	$0, 431(%rsp)
	movb	$0, 430(%rsp)
.Ltmp169:
	movq	_ZN5alloc11collections5btree4node210Handle$LT$alloc..collections..btree..node..NodeRef$LT$alloc..collections..btree..node..marker..Mut$C$K$C$V$C$alloc..collections..btree..node..marker..Leaf$GT$$C$alloc..collections..btree..node..marker..Edge$GT$10insert_fit17h68d3f307d6d6988bE@GOTPCREL(%rip), %rax
	leaq	288(%rsp), %rdi
	leaq	240(%rsp), %rsi
	callq	*%rax
.Ltmp170:
	jmp	.LBB90_18
.LBB90_16:
	jmp	.LBB90_10
.LBB90_17:
.Ltmp171:
	movq	%rax, %rcx
	movl	%edx, %eax
	movq	%rcx, 456(%rsp)
	movl	%eax, 464(%rsp)
	jmp	.LBB90_16
.LBB90_18:
	movq	296(%rsp), %rcx
	movq	288(%rsp), %rdx
	movq	304(%rsp), %rax
	movq	%rdx, 264(%rsp)
	movq	%rcx, 272(%rsp)
	movq	%rax, 280(%rsp)
	leaq	368(%rsp), %rdi
	leaq	184(%rsp), %rsi
	movl	$56, %edx
	callq	memcpy@PLT
	leaq	312(%rsp), %rdi
	leaq	368(%rsp), %rsi
	movl	$56, %edx
	callq	memcpy@PLT
	movq	40(%rsp), %rdi
	leaq	312(%rsp), %rsi
	movl	$56, %edx
	callq	memcpy@PLT
	movq	40(%rsp), %rax
	movq	264(%rsp), %rcx
	movq	%rcx, 56(%rax)
	movq	272(%rsp), %rcx
	movq	%rcx, 64(%rax)
	movq	280(%rsp), %rcx
	movq	%rcx, 72(%rax)
.LBB90_19:
	movq	48(%rsp), %rax
	addq	$472, %rsp
	.cfi_def_cfa_offset 8
	retq
.LBB90_20:
	.cfi_def_cfa_offset 480
	movq	40(%rsp), %rdi
	movq	$0, 80(%rsp)
	movq	64(%rsp), %rcx
	movq	56(%rsp), %rdx
	movq	72(%rsp), %rax
	movq	%rdx, 136(%rsp)
	movq	%rcx, 144(%rsp)
	movq	%rax, 152(%rsp)
	leaq	80(%rsp), %rsi
	movl	$56, %edx
	callq	memcpy@PLT
	movq	40(%rsp), %rax
	movq	136(%rsp), %rcx
	movq	%rcx, 56(%rax)
	movq	144(%rsp), %rcx
	movq	%rcx, 64(%rax)
	movq	152(%rsp), %rcx
	movq	%rcx, 72(%rax)
	jmp	.LBB90_19
.LBB90_21:
	testb	$1, 430(%rsp)
	jne	.LBB90_24
	jmp	.LBB90_23
.LBB90_22:
	jmp	.LBB90_21
.LBB90_23:
	testb	$1, 431(%rsp)
	jne	.LBB90_26
	jmp	.LBB90_25
.LBB90_24:
	jmp	.LBB90_23
.LBB90_25:
	movq	456(%rsp), %rdi
	callq	_Unwind_Resume@PLT
.LBB90_26:
	jmp	.LBB90_25
.Lfunc_end90:
	.size	_ZN5alloc11collections5btree4node210Handle$LT$alloc..collections..btree..node..NodeRef$LT$alloc..collections..btree..node..marker..Mut$C$K$C$V$C$alloc..collections..btree..node..marker..Leaf$GT$$C$alloc..collections..btree..node..marker..Edge$GT$6insert17hb201f28090bd8477E, .Lfunc_end90-_ZN5alloc11collections5btree4node210Handle$LT$alloc..collections..btree..node..NodeRef$LT$alloc..collections..btree..node..marker..Mut$C$K$C$V$C$alloc..collections..btree..node..marker..Leaf$GT$$C$alloc..collections..btree..node..marker..Edge$GT$6insert17hb201f28090bd8477E
	.cfi_endproc
	.section	".gcc_except_table._ZN5alloc11collections5btree4node210Handle$LT$alloc..collections..btree..node..NodeRef$LT$alloc..collections..btree..node..marker..Mut$C$K$C$V$C$alloc..collections..btree..node..marker..Leaf$GT$$C$alloc..collections..btree..node..marker..Edge$GT$6insert17hb201f28090bd8477E","a",@progbits
	.p2align	2, 0x0
GCC_except_table90:
.Lexception25:
	.byte	255
	.byte	255
	.byte	1
	.uleb128 .Lcst_end25-.Lcst_begin25
.Lcst_begin25:
	.uleb128 .Ltmp172-.Lfunc_begin25
	.uleb128 .Ltmp168-.Ltmp172
	.uleb128 .Ltmp174-.Lfunc_begin25
	.byte	0
	.uleb128 .Ltmp169-.Lfunc_begin25
	.uleb128 .Ltmp170-.Ltmp169
	.uleb128 .Ltmp171-.Lfunc_begin25
	.byte	0
	.uleb128 .Ltmp170-.Lfunc_begin25
	.uleb128 .Lfunc_end90-.Ltmp170
	.byte	0
	.byte	0
.Lcst_end25:
	.p2align	2, 0x0

	.section	".text._ZN5alloc11collections5btree4node212Handle$LT$alloc..collections..btree..node..NodeRef$LT$alloc..collections..btree..node..marker..Mut$C$K$C$V$C$alloc..collections..btree..node..marker..Internal$GT$$C$alloc..collections..btree..node..marker..KV$GT$5split17h2ea417d329680f2dE","ax",@progbits
	.globl	_ZN5alloc11collections5btree4node212Handle$LT$alloc..collections..btree..node..NodeRef$LT$alloc..collections..btree..node..marker..Mut$C$K$C$V$C$alloc..collections..btree..node..marker..Internal$GT$$C$alloc..collections..btree..node..marker..KV$GT$5split17h2ea417d329680f2dE
	.p2align	4
	.type	_ZN5alloc11collections5btree4node212Handle$LT$alloc..collections..btree..node..NodeRef$LT$alloc..collections..btree..node..marker..Mut$C$K$C$V$C$alloc..collections..btree..node..marker..Internal$GT$$C$alloc..collections..btree..node..marker..KV$GT$5split17h2ea417d329680f2dE,@function
_ZN5alloc11collections5btree4node212Handle$LT$alloc..collections..btree..node..NodeRef$LT$alloc..collections..btree..node..marker..Mut$C$K$C$V$C$alloc..collections..btree..node..marker..Internal$GT$$C$alloc..collections..btree..node..marker..KV$GT$5split17h2ea417d329680f2dE:
.Lfunc_begin26:
	.cfi_startproc
	.cfi_personality 155, DW.ref.rust_eh_personality
	.cfi_lsda 27, .Lexception26
	subq	$200, %rsp
	.cfi_def_cfa_offset 208
	movq	%rsi, 104(%rsp)
	movq	%rdi, 80(%rsp)
	movq	%rdi, 88(%rsp)
	movq	(%rsi), %rax
	movzwl	274(%rax), %eax
	movq	%rax, 96(%rsp)
	movq	_ZN5alloc5boxed16Box$LT$T$C$A$GT$13new_uninit_in17h6d00a0e05895f2f0E@GOTPCREL(%rip), %rax
	callq	*%rax
	movq	104(%rsp), %rsi
	movq	$0, 176(%rax)
	movw	$0, 274(%rax)
	movq	%rax, 112(%rsp)
	movb	$1, 175(%rsp)
	movq	112(%rsp), %rdx
.Ltmp175:
	movq	_ZN5alloc11collections5btree4node171Handle$LT$alloc..collections..btree..node..NodeRef$LT$alloc..collections..btree..node..marker..Mut$C$K$C$V$C$NodeType$GT$$C$alloc..collections..btree..node..marker..KV$GT$15split_leaf_data17h193a0b7d789acfc1E@GOTPCREL(%rip), %rax
	leaq	120(%rsp), %rdi
	callq	*%rax
.Ltmp176:
	jmp	.LBB91_3
.LBB91_1:
	testb	$1, 175(%rsp)
	jne	.LBB91_19
	jmp	.LBB91_18
.LBB91_2:
.Ltmp177:
	movq	%rax, %rcx
	movl	%edx, %eax
	movq	%rcx, 184(%rsp)
	movl	%eax, 192(%rsp)
	jmp	.LBB91_1
.LBB91_3:
	movq	104(%rsp), %rax
	movq	96(%rsp), %rcx
	movq	112(%rsp), %rdx
	movzwl	274(%rdx), %edx
	movq	%rdx, 48(%rsp)
	movq	16(%rax), %rdx
	addq	$1, %rdx
	movq	%rdx, 56(%rsp)
	addq	$1, %rcx
	movq	%rcx, 64(%rsp)
	movq	(%rax), %rax
	addq	$280, %rax
	movq	%rax, 72(%rsp)
	movq	64(%rsp), %rsi
	movq	56(%rsp), %rdi
	movl	$12, %edx
	leaq	.Lanon.60bed5dcf488807794e55d614a93ec96.49(%rip), %rcx
	callq	_ZN106_$LT$core..ops..range..Range$LT$usize$GT$$u20$as$u20$core..slice..index..SliceIndex$LT$$u5b$T$u5d$$GT$$GT$17get_unchecked_mut18precondition_check17h5c5d94aab162fa79E
	movq	48(%rsp), %rax
	movq	72(%rsp), %rcx
	movq	56(%rsp), %rdx
	movq	64(%rsp), %rsi
	subq	%rdx, %rsi
	movq	%rsi, 16(%rsp)
	shlq	$3, %rdx
	addq	%rdx, %rcx
	movq	%rcx, 24(%rsp)
	movq	112(%rsp), %rcx
	addq	$280, %rcx
	movq	%rcx, 32(%rsp)
	addq	$1, %rax
	movq	%rax, 40(%rsp)
	cmpq	$0, %rax
	jb	.LBB91_7
	movq	40(%rsp), %rax
	cmpq	$12, %rax
	jbe	.LBB91_9
	jmp	.LBB91_8
.LBB91_7:
	jmp	.LBB91_8
.LBB91_8:
.Ltmp182:
	movq	40(%rsp), %rsi
	leaq	.Lanon.60bed5dcf488807794e55d614a93ec96.63(%rip), %rcx
	movq	_RNvNtNtCsgEmfK2I1SDS_4core5slice5index16slice_index_fail@GOTPCREL(%rip), %rax
	xorl	%edx, %edx
	movl	%edx, %edi
	movl	$12, %edx
	callq	*%rax
.Ltmp183:
	jmp	.LBB91_17
.LBB91_9:
.Ltmp178:
	movq	40(%rsp), %rcx
	movq	32(%rsp), %rdx
	movq	16(%rsp), %rsi
	movq	24(%rsp), %rdi
	movq	_ZN5alloc11collections5btree4node13move_to_slice17h5e02755f9396bc1cE@GOTPCREL(%rip), %rax
	callq	*%rax
.Ltmp179:
	jmp	.LBB91_12
.LBB91_10:
	jmp	.LBB91_1
.LBB91_11:
.Ltmp184:
	movq	%rax, %rcx
	movl	%edx, %eax
	movq	%rcx, 184(%rsp)
	movl	%eax, 192(%rsp)
	jmp	.LBB91_10
.LBB91_12:
	movq	104(%rsp), %rax
	movq	8(%rax), %rax
	movq	%rax, 176(%rsp)
	movl	$1, %eax
	xorl	%ecx, %ecx
	cmpq	$0, 176(%rsp)
	cmoveq	%rcx, %rax
	testq	$1, %rax
	je	.LBB91_14
	movq	176(%rsp), %rsi
	movb	$0, 175(%rsp)
	movq	112(%rsp), %rdi
.Ltmp180:
	movq	_ZN5alloc11collections5btree4node121NodeRef$LT$alloc..collections..btree..node..marker..Owned$C$K$C$V$C$alloc..collections..btree..node..marker..Internal$GT$17from_new_internal17he8d8a7aca07cb2a8E@GOTPCREL(%rip), %rax
	callq	*%rax
.Ltmp181:
	movq	%rdx, (%rsp)
	movq	%rax, 8(%rsp)
	jmp	.LBB91_16
.LBB91_14:
	leaq	.Lanon.60bed5dcf488807794e55d614a93ec96.62(%rip), %rdi
	callq	_ZN4core3num7nonzero16NonZero$LT$T$GT$13new_unchecked18precondition_check17h51ad5d2fb456d2f0E
	ud2
.LBB91_16:
	movq	88(%rsp), %rax
	movq	80(%rsp), %rcx
	movq	(%rsp), %rdx
	movq	8(%rsp), %rsi
	movq	104(%rsp), %rdi
	movq	(%rdi), %r8
	movq	8(%rdi), %rdi
	movq	120(%rsp), %r9
	movq	%r9, 144(%rsp)
	movq	128(%rsp), %r9
	movq	%r9, 152(%rsp)
	movq	136(%rsp), %r9
	movq	%r9, 160(%rsp)
	movq	%r8, (%rcx)
	movq	%rdi, 8(%rcx)
	movq	144(%rsp), %rdi
	movq	%rdi, 16(%rcx)
	movq	152(%rsp), %rdi
	movq	%rdi, 24(%rcx)
	movq	160(%rsp), %rdi
	movq	%rdi, 32(%rcx)
	movq	%rsi, 40(%rcx)
	movq	%rdx, 48(%rcx)
	addq	$200, %rsp
	.cfi_def_cfa_offset 8
	retq
.LBB91_17:
	.cfi_def_cfa_offset 208
	ud2
.LBB91_18:
	movq	184(%rsp), %rdi
	callq	_Unwind_Resume@PLT
.LBB91_19:
.Ltmp185:
	movq	_ZN4core3ptr114drop_in_place$LT$alloc..boxed..Box$LT$alloc..collections..btree..node..InternalNode$LT$$RF$str$C$usize$GT$$GT$$GT$17ha35d72ff7ad94174E@GOTPCREL(%rip), %rax
	leaq	112(%rsp), %rdi
	callq	*%rax
.Ltmp186:
	jmp	.LBB91_18
.LBB91_20:
.Ltmp187:
	callq	*_RNvNtCsgEmfK2I1SDS_4core9panicking16panic_in_cleanup@GOTPCREL(%rip)
.Lfunc_end91:
	.size	_ZN5alloc11collections5btree4node212Handle$LT$alloc..collections..btree..node..NodeRef$LT$alloc..collections..btree..node..marker..Mut$C$K$C$V$C$alloc..collections..btree..node..marker..Internal$GT$$C$alloc..collections..btree..node..marker..KV$GT$5split17h2ea417d329680f2dE, .Lfunc_end91-_ZN5alloc11collections5btree4node212Handle$LT$alloc..collections..btree..node..NodeRef$LT$alloc..collections..btree..node..marker..Mut$C$K$C$V$C$alloc..collections..btree..node..marker..Internal$GT$$C$alloc..collections..btree..node..marker..KV$GT$5split17h2ea417d329680f2dE
	.cfi_endproc
	.section	".gcc_except_table._ZN5alloc11collections5btree4node212Handle$LT$alloc..collections..btree..node..NodeRef$LT$alloc..collections..btree..node..marker..Mut$C$K$C$V$C$alloc..collections..btree..node..marker..Internal$GT$$C$alloc..collections..btree..node..marker..KV$GT$5split17h2ea417d329680f2dE","a",@progbits
	.p2align	2, 0x0
GCC_except_table91:
.Lexception26:
	.byte	255
	.byte	155
	.uleb128 .Lttbase6-.Lttbaseref6
.Lttbaseref6:
	.byte	1
	.uleb128 .Lcst_end26-.Lcst_begin26
.Lcst_begin26:
	.uleb128 .Lfunc_begin26-.Lfunc_begin26
	.uleb128 .Ltmp175-.Lfunc_begin26
	.byte	0
	.byte	0
	.uleb128 .Ltmp175-.Lfunc_begin26
	.uleb128 .Ltmp176-.Ltmp175
	.uleb128 .Ltmp177-.Lfunc_begin26
	.byte	0
	.uleb128 .Ltmp182-.Lfunc_begin26
	.uleb128 .Ltmp181-.Ltmp182
	.uleb128 .Ltmp184-.Lfunc_begin26
	.byte	0
	.uleb128 .Ltmp181-.Lfunc_begin26
	.uleb128 .Ltmp185-.Ltmp181
	.byte	0
	.byte	0
	.uleb128 .Ltmp185-.Lfunc_begin26
	.uleb128 .Ltmp186-.Ltmp185
	.uleb128 .Ltmp187-.Lfunc_begin26
	.byte	1
.Lcst_end26:
	.byte	127
	.byte	0
	.p2align	2, 0x0
.Lttbase6:
	.byte	0
	.p2align	2, 0x0

	.section	".text._ZN5alloc11collections5btree4node214Handle$LT$alloc..collections..btree..node..NodeRef$LT$alloc..collections..btree..node..marker..Mut$C$K$C$V$C$alloc..collections..btree..node..marker..Internal$GT$$C$alloc..collections..btree..node..marker..Edge$GT$10insert_fit17hc829060ee125ae10E","ax",@progbits
	.globl	_ZN5alloc11collections5btree4node214Handle$LT$alloc..collections..btree..node..NodeRef$LT$alloc..collections..btree..node..marker..Mut$C$K$C$V$C$alloc..collections..btree..node..marker..Internal$GT$$C$alloc..collections..btree..node..marker..Edge$GT$10insert_fit17hc829060ee125ae10E
	.p2align	4
	.type	_ZN5alloc11collections5btree4node214Handle$LT$alloc..collections..btree..node..NodeRef$LT$alloc..collections..btree..node..marker..Mut$C$K$C$V$C$alloc..collections..btree..node..marker..Internal$GT$$C$alloc..collections..btree..node..marker..Edge$GT$10insert_fit17hc829060ee125ae10E,@function
_ZN5alloc11collections5btree4node214Handle$LT$alloc..collections..btree..node..NodeRef$LT$alloc..collections..btree..node..marker..Mut$C$K$C$V$C$alloc..collections..btree..node..marker..Internal$GT$$C$alloc..collections..btree..node..marker..Edge$GT$10insert_fit17hc829060ee125ae10E:
.Lfunc_begin27:
	.cfi_startproc
	.cfi_personality 155, DW.ref.rust_eh_personality
	.cfi_lsda 27, .Lexception27
	subq	$104, %rsp
	.cfi_def_cfa_offset 112
	movq	%rdi, 24(%rsp)
	movq	%rsi, 32(%rsp)
	movq	%rdx, 40(%rsp)
	movq	%rcx, 48(%rsp)
	movq	%r8, 56(%rsp)
	movb	$1, 87(%rsp)
	movq	(%rdi), %rax
	movzwl	274(%rax), %eax
	addq	$1, %rax
	movq	%rax, 64(%rsp)
	movq	(%rdi), %rax
	movq	%rax, 72(%rsp)
	movq	64(%rsp), %rsi
	xorl	%eax, %eax
	movl	%eax, %edi
	movl	$11, %edx
	leaq	.Lanon.60bed5dcf488807794e55d614a93ec96.61(%rip), %rcx
	callq	_ZN106_$LT$core..ops..range..Range$LT$usize$GT$$u20$as$u20$core..slice..index..SliceIndex$LT$$u5b$T$u5d$$GT$$GT$17get_unchecked_mut18precondition_check17h5c5d94aab162fa79E
	movq	40(%rsp), %r8
	movq	32(%rsp), %rcx
	movq	64(%rsp), %rsi
	movq	72(%rsp), %rdi
	movq	24(%rsp), %rax
	movq	16(%rax), %rdx
.Ltmp188:
	movq	_ZN5alloc11collections5btree4node12slice_insert17h955b5dd5e619a605E@GOTPCREL(%rip), %rax
	callq	*%rax
.Ltmp189:
	jmp	.LBB92_5
.LBB92_3:
	testb	$1, 87(%rsp)
	jne	.LBB92_14
	jmp	.LBB92_13
.LBB92_4:
.Ltmp196:
	movq	%rax, %rcx
	movl	%edx, %eax
	movq	%rcx, 88(%rsp)
	movl	%eax, 96(%rsp)
	jmp	.LBB92_3
.LBB92_5:
	movq	24(%rsp), %rax
	movq	(%rax), %rax
	addq	$184, %rax
	movq	%rax, 16(%rsp)
	movq	64(%rsp), %rsi
	xorl	%eax, %eax
	movl	%eax, %edi
	movl	$11, %edx
	leaq	.Lanon.60bed5dcf488807794e55d614a93ec96.61(%rip), %rcx
	callq	_ZN106_$LT$core..ops..range..Range$LT$usize$GT$$u20$as$u20$core..slice..index..SliceIndex$LT$$u5b$T$u5d$$GT$$GT$17get_unchecked_mut18precondition_check17h5c5d94aab162fa79E
	movq	48(%rsp), %rcx
	movq	64(%rsp), %rsi
	movq	16(%rsp), %rdi
	movq	24(%rsp), %rax
	movq	16(%rax), %rdx
	movb	$0, 87(%rsp)
.Ltmp190:
	movq	_ZN5alloc11collections5btree4node12slice_insert17h8739e6f88c8a7915E@GOTPCREL(%rip), %rax
	callq	*%rax
.Ltmp191:
	jmp	.LBB92_8
.LBB92_8:
	movq	24(%rsp), %rax
	movq	64(%rsp), %rcx
	addq	$1, %rcx
	movq	%rcx, (%rsp)
	movq	(%rax), %rax
	addq	$280, %rax
	movq	%rax, 8(%rsp)
	movq	(%rsp), %rsi
	xorl	%eax, %eax
	movl	%eax, %edi
	movl	$12, %edx
	leaq	.Lanon.60bed5dcf488807794e55d614a93ec96.61(%rip), %rcx
	callq	_ZN106_$LT$core..ops..range..Range$LT$usize$GT$$u20$as$u20$core..slice..index..SliceIndex$LT$$u5b$T$u5d$$GT$$GT$17get_unchecked_mut18precondition_check17h5c5d94aab162fa79E
	movq	56(%rsp), %rcx
	movq	(%rsp), %rsi
	movq	8(%rsp), %rdi
	movq	24(%rsp), %rax
	movq	16(%rax), %rdx
	incq	%rdx
.Ltmp192:
	movq	_ZN5alloc11collections5btree4node12slice_insert17h5f9e7990344b9d36E@GOTPCREL(%rip), %rax
	callq	*%rax
.Ltmp193:
	jmp	.LBB92_11
.LBB92_11:
	movq	(%rsp), %rdx
	movq	24(%rsp), %rdi
	movq	64(%rsp), %rcx
	movq	(%rdi), %rax
	movw	%cx, 274(%rax)
	movq	16(%rdi), %rsi
	incq	%rsi
.Ltmp194:
	movq	_ZN5alloc11collections5btree4node119NodeRef$LT$alloc..collections..btree..node..marker..Mut$C$K$C$V$C$alloc..collections..btree..node..marker..Internal$GT$30correct_childrens_parent_links17h00a95d0b32401de1E@GOTPCREL(%rip), %rax
	callq	*%rax
.Ltmp195:
	jmp	.LBB92_12
.LBB92_12:
	addq	$104, %rsp
	.cfi_def_cfa_offset 8
	retq
.LBB92_13:
	.cfi_def_cfa_offset 112
	movq	88(%rsp), %rdi
	callq	_Unwind_Resume@PLT
.LBB92_14:
	jmp	.LBB92_13
.Lfunc_end92:
	.size	_ZN5alloc11collections5btree4node214Handle$LT$alloc..collections..btree..node..NodeRef$LT$alloc..collections..btree..node..marker..Mut$C$K$C$V$C$alloc..collections..btree..node..marker..Internal$GT$$C$alloc..collections..btree..node..marker..Edge$GT$10insert_fit17hc829060ee125ae10E, .Lfunc_end92-_ZN5alloc11collections5btree4node214Handle$LT$alloc..collections..btree..node..NodeRef$LT$alloc..collections..btree..node..marker..Mut$C$K$C$V$C$alloc..collections..btree..node..marker..Internal$GT$$C$alloc..collections..btree..node..marker..Edge$GT$10insert_fit17hc829060ee125ae10E
	.cfi_endproc
	.section	".gcc_except_table._ZN5alloc11collections5btree4node214Handle$LT$alloc..collections..btree..node..NodeRef$LT$alloc..collections..btree..node..marker..Mut$C$K$C$V$C$alloc..collections..btree..node..marker..Internal$GT$$C$alloc..collections..btree..node..marker..Edge$GT$10insert_fit17hc829060ee125ae10E","a",@progbits
	.p2align	2, 0x0
GCC_except_table92:
.Lexception27:
	.byte	255
	.byte	255
	.byte	1
	.uleb128 .Lcst_end27-.Lcst_begin27
.Lcst_begin27:
	.uleb128 .Ltmp188-.Lfunc_begin27
	.uleb128 .Ltmp195-.Ltmp188
	.uleb128 .Ltmp196-.Lfunc_begin27
	.byte	0
	.uleb128 .Ltmp195-.Lfunc_begin27
	.uleb128 .Lfunc_end92-.Ltmp195
	.byte	0
	.byte	0
.Lcst_end27:
	.p2align	2, 0x0

	.section	".text._ZN5alloc11collections5btree4node214Handle$LT$alloc..collections..btree..node..NodeRef$LT$alloc..collections..btree..node..marker..Mut$C$K$C$V$C$alloc..collections..btree..node..marker..Internal$GT$$C$alloc..collections..btree..node..marker..Edge$GT$19correct_parent_link17h2bc326e1387c0831E","ax",@progbits
	.globl	_ZN5alloc11collections5btree4node214Handle$LT$alloc..collections..btree..node..NodeRef$LT$alloc..collections..btree..node..marker..Mut$C$K$C$V$C$alloc..collections..btree..node..marker..Internal$GT$$C$alloc..collections..btree..node..marker..Edge$GT$19correct_parent_link17h2bc326e1387c0831E
	.p2align	4
	.type	_ZN5alloc11collections5btree4node214Handle$LT$alloc..collections..btree..node..NodeRef$LT$alloc..collections..btree..node..marker..Mut$C$K$C$V$C$alloc..collections..btree..node..marker..Internal$GT$$C$alloc..collections..btree..node..marker..Edge$GT$19correct_parent_link17h2bc326e1387c0831E,@function
_ZN5alloc11collections5btree4node214Handle$LT$alloc..collections..btree..node..NodeRef$LT$alloc..collections..btree..node..marker..Mut$C$K$C$V$C$alloc..collections..btree..node..marker..Internal$GT$$C$alloc..collections..btree..node..marker..Edge$GT$19correct_parent_link17h2bc326e1387c0831E:
	.cfi_startproc
	subq	$40, %rsp
	.cfi_def_cfa_offset 48
	movq	%rdi, 24(%rsp)
	movq	(%rdi), %rax
	movq	%rax, 32(%rsp)
	movq	32(%rsp), %rdi
	leaq	.Lanon.60bed5dcf488807794e55d614a93ec96.64(%rip), %rsi
	callq	_ZN4core3ptr8non_null16NonNull$LT$T$GT$13new_unchecked18precondition_check17h6026ee14bec0b41bE
	movq	32(%rsp), %rax
	movq	24(%rsp), %rcx
	movq	16(%rcx), %rdx
	movq	%rdx, 8(%rsp)
	movq	8(%rcx), %rcx
	addq	$280, %rax
	movq	%rax, 16(%rsp)
	movq	8(%rsp), %rdi
	movl	$12, %esi
	leaq	.Lanon.60bed5dcf488807794e55d614a93ec96.65(%rip), %rdx
	callq	_ZN75_$LT$usize$u20$as$u20$core..slice..index..SliceIndex$LT$$u5b$T$u5d$$GT$$GT$13get_unchecked18precondition_check17ha424f3ab1cd7f8a7E
	movq	8(%rsp), %rcx
	movq	32(%rsp), %rdx
	movq	16(%rsp), %rax
	movq	(%rax,%rcx,8), %rax
	movq	%rdx, 176(%rax)
	movw	%cx, 272(%rax)
	addq	$40, %rsp
	.cfi_def_cfa_offset 8
	retq
.Lfunc_end93:
	.size	_ZN5alloc11collections5btree4node214Handle$LT$alloc..collections..btree..node..NodeRef$LT$alloc..collections..btree..node..marker..Mut$C$K$C$V$C$alloc..collections..btree..node..marker..Internal$GT$$C$alloc..collections..btree..node..marker..Edge$GT$19correct_parent_link17h2bc326e1387c0831E, .Lfunc_end93-_ZN5alloc11collections5btree4node214Handle$LT$alloc..collections..btree..node..NodeRef$LT$alloc..collections..btree..node..marker..Mut$C$K$C$V$C$alloc..collections..btree..node..marker..Internal$GT$$C$alloc..collections..btree..node..marker..Edge$GT$19correct_parent_link17h2bc326e1387c0831E
	.cfi_endproc

	.section	".text._ZN5alloc11collections5btree4node214Handle$LT$alloc..collections..btree..node..NodeRef$LT$alloc..collections..btree..node..marker..Mut$C$K$C$V$C$alloc..collections..btree..node..marker..Internal$GT$$C$alloc..collections..btree..node..marker..Edge$GT$6insert17hb3f00facb8622714E","ax",@progbits
	.globl	_ZN5alloc11collections5btree4node214Handle$LT$alloc..collections..btree..node..NodeRef$LT$alloc..collections..btree..node..marker..Mut$C$K$C$V$C$alloc..collections..btree..node..marker..Internal$GT$$C$alloc..collections..btree..node..marker..Edge$GT$6insert17hb3f00facb8622714E
	.p2align	4
	.type	_ZN5alloc11collections5btree4node214Handle$LT$alloc..collections..btree..node..NodeRef$LT$alloc..collections..btree..node..marker..Mut$C$K$C$V$C$alloc..collections..btree..node..marker..Internal$GT$$C$alloc..collections..btree..node..marker..Edge$GT$6insert17hb3f00facb8622714E,@function
_ZN5alloc11collections5btree4node214Handle$LT$alloc..collections..btree..node..NodeRef$LT$alloc..collections..btree..node..marker..Mut$C$K$C$V$C$alloc..collections..btree..node..marker..Internal$GT$$C$alloc..collections..btree..node..marker..Edge$GT$6insert17hb3f00facb8622714E:
.Lfunc_begin28:
	.cfi_startproc
	.cfi_personality 155, DW.ref.rust_eh_personality
	.cfi_lsda 27, .Lexception28
	subq	$280, %rsp
	.cfi_def_cfa_offset 288
	movq	%r9, 8(%rsp)
	movq	%r8, 16(%rsp)
	movq	%rcx, 24(%rsp)
	movq	%rdx, 32(%rsp)
	movq	%rsi, 40(%rsp)
	movq	%rdi, 48(%rsp)
	movq	%rdi, 56(%rsp)
	movq	288(%rsp), %rax
	movq	%rax, 64(%rsp)
	movb	$1, 239(%rsp)
	movb	$1, 238(%rsp)
	movb	$1, 237(%rsp)
	movq	8(%rsi), %rcx
	subq	$1, %rcx
	cmpq	%rcx, %rax
	je	.LBB94_2
.Ltmp197:
	leaq	.Lanon.60bed5dcf488807794e55d614a93ec96.66(%rip), %rdi
	leaq	.Lanon.60bed5dcf488807794e55d614a93ec96.67(%rip), %rdx
	movq	_RNvNtCsgEmfK2I1SDS_4core9panicking5panic@GOTPCREL(%rip), %rax
	movl	$53, %esi
	callq	*%rax
.Ltmp198:
	jmp	.LBB94_5
.LBB94_2:
	movq	40(%rsp), %rax
	movq	(%rax), %rax
	movzwl	274(%rax), %eax
	cmpq	$11, %rax
	jb	.LBB94_7
	jmp	.LBB94_6
.LBB94_3:
	testb	$1, 237(%rsp)
	jne	.LBB94_25
	jmp	.LBB94_24
.LBB94_4:
.Ltmp206:
	movq	%rax, %rcx
	movl	%edx, %eax
	movq	%rcx, 264(%rsp)
	movl	%eax, 272(%rsp)
	jmp	.LBB94_3
.LBB94_5:
	ud2
.LBB94_6:
	movq	40(%rsp), %rax
	movq	16(%rax), %rcx
	movq	%rcx, (%rsp)
	xorl	%eax, %eax
	cmpq	%rcx, %rax
	jbe	.LBB94_9
	jmp	.LBB94_8
.LBB94_7:
	movq	64(%rsp), %r9
	movq	8(%rsp), %r8
	movq	16(%rsp), %rcx
	movq	24(%rsp), %rdx
	movq	32(%rsp), %rsi
	movq	40(%rsp), %rdi
	movb	$0, 239(%rsp)
	movb	$0, 238(%rsp)
.Ltmp204:
	movq	_ZN5alloc11collections5btree4node214Handle$LT$alloc..collections..btree..node..NodeRef$LT$alloc..collections..btree..node..marker..Mut$C$K$C$V$C$alloc..collections..btree..node..marker..Internal$GT$$C$alloc..collections..btree..node..marker..Edge$GT$10insert_fit17hc829060ee125ae10E@GOTPCREL(%rip), %rax
	callq	*%rax
.Ltmp205:
	jmp	.LBB94_23
.LBB94_8:
	movq	(%rsp), %rax
	subq	$5, %rax
	je	.LBB94_12
	jmp	.LBB94_30
.LBB94_30:
	movq	(%rsp), %rax
	subq	$6, %rax
	je	.LBB94_13
	jmp	.LBB94_11
.LBB94_9:
	movq	(%rsp), %rax
	cmpq	$5, %rax
	jae	.LBB94_8
	movq	(%rsp), %rax
	movq	%rax, 248(%rsp)
	movq	$0, 240(%rsp)
	movq	$4, 256(%rsp)
	jmp	.LBB94_14
.LBB94_11:
	movq	(%rsp), %rax
	subq	$7, %rax
	movq	%rax, 248(%rsp)
	movq	$1, 240(%rsp)
	movq	$6, 256(%rsp)
	jmp	.LBB94_14
.LBB94_12:
	movq	$5, 256(%rsp)
	movq	$0, 240(%rsp)
	movq	$5, 248(%rsp)
	jmp	.LBB94_14
.LBB94_13:
	movq	$5, 256(%rsp)
	movq	$1, 240(%rsp)
	movq	$0, 248(%rsp)
.LBB94_14:
	movq	40(%rsp), %rax
	movq	(%rax), %rcx
	movq	8(%rax), %rax
	movq	%rcx, 72(%rsp)
	movq	%rax, 80(%rsp)
	movq	256(%rsp), %rax
	movq	%rax, 88(%rsp)
	movb	$0, 237(%rsp)
.Ltmp199:
	movq	_ZN5alloc11collections5btree4node212Handle$LT$alloc..collections..btree..node..NodeRef$LT$alloc..collections..btree..node..marker..Mut$C$K$C$V$C$alloc..collections..btree..node..marker..Internal$GT$$C$alloc..collections..btree..node..marker..KV$GT$5split17h2ea417d329680f2dE@GOTPCREL(%rip), %rax
	leaq	96(%rsp), %rdi
	leaq	72(%rsp), %rsi
	callq	*%rax
.Ltmp200:
	jmp	.LBB94_15
.LBB94_15:
	testq	$1, 240(%rsp)
	je	.LBB94_17
	movq	248(%rsp), %rax
	movq	144(%rsp), %rcx
	movq	136(%rsp), %rdx
	movq	%rdx, 152(%rsp)
	movq	%rcx, 160(%rsp)
	movq	%rax, 168(%rsp)
	jmp	.LBB94_18
.LBB94_17:
	movq	248(%rsp), %rax
	movq	104(%rsp), %rcx
	movq	96(%rsp), %rdx
	movq	%rdx, 152(%rsp)
	movq	%rcx, 160(%rsp)
	movq	%rax, 168(%rsp)
.LBB94_18:
	movq	64(%rsp), %r9
	movq	8(%rsp), %r8
	movq	16(%rsp), %rcx
	movq	24(%rsp), %rdx
	movq	32(%rsp), %rsi
	movb	$0, 239(%rsp)
	movb	$0, 238(%rsp)
.Ltmp201:
	movq	_ZN5alloc11collections5btree4node214Handle$LT$alloc..collections..btree..node..NodeRef$LT$alloc..collections..btree..node..marker..Mut$C$K$C$V$C$alloc..collections..btree..node..marker..Internal$GT$$C$alloc..collections..btree..node..marker..Edge$GT$10insert_fit17hc829060ee125ae10E@GOTPCREL(%rip), %rax
	leaq	152(%rsp), %rdi
	callq	*%rax
.Ltmp202:
	jmp	.LBB94_21
.LBB94_19:
	jmp	.LBB94_3
.LBB94_20:
.Ltmp203:
	movq	%rax, %rcx
	movl	%edx, %eax
	movq	%rcx, 264(%rsp)
	movl	%eax, 272(%rsp)
	jmp	.LBB94_19
.LBB94_21:
	leaq	176(%rsp), %rdi
	leaq	96(%rsp), %rsi
	movl	$56, %edx
	callq	memcpy@PLT
	movq	48(%rsp), %rdi
	leaq	176(%rsp), %rsi
	movl	$56, %edx
	callq	memcpy@PLT
.LBB94_22:
	movq	56(%rsp), %rax
	addq	$280, %rsp
	.cfi_def_cfa_offset 8
	retq
.LBB94_23:
	.cfi_def_cfa_offset 288
	movq	48(%rsp), %rax
	movq	$0, (%rax)
	jmp	.LBB94_22
.LBB94_24:
	testb	$1, 238(%rsp)
	jne	.LBB94_27
	jmp	.LBB94_26
.LBB94_25:
	jmp	.LBB94_24
.LBB94_26:
	testb	$1, 239(%rsp)
	jne	.LBB94_29
	jmp	.LBB94_28
.LBB94_27:
	jmp	.LBB94_26
.LBB94_28:
	movq	264(%rsp), %rdi
	callq	_Unwind_Resume@PLT
.LBB94_29:
	jmp	.LBB94_28
.Lfunc_end94:
	.size	_ZN5alloc11collections5btree4node214Handle$LT$alloc..collections..btree..node..NodeRef$LT$alloc..collections..btree..node..marker..Mut$C$K$C$V$C$alloc..collections..btree..node..marker..Internal$GT$$C$alloc..collections..btree..node..marker..Edge$GT$6insert17hb3f00facb8622714E, .Lfunc_end94-_ZN5alloc11collections5btree4node214Handle$LT$alloc..collections..btree..node..NodeRef$LT$alloc..collections..btree..node..marker..Mut$C$K$C$V$C$alloc..collections..btree..node..marker..Internal$GT$$C$alloc..collections..btree..node..marker..Edge$GT$6insert17hb3f00facb8622714E
	.cfi_endproc
	.section	".gcc_except_table._ZN5alloc11collections5btree4node214Handle$LT$alloc..collections..btree..node..NodeRef$LT$alloc..collections..btree..node..marker..Mut$C$K$C$V$C$alloc..collections..btree..node..marker..Internal$GT$$C$alloc..collections..btree..node..marker..Edge$GT$6insert17hb3f00facb8622714E","a",@progbits
	.p2align	2, 0x0
GCC_except_table94:
.Lexception28:
	.byte	255
	.byte	255
	.byte	1
	.uleb128 .Lcst_end28-.Lcst_begin28
.Lcst_begin28:
	.uleb128 .Ltmp197-.Lfunc_begin28
	.uleb128 .Ltmp200-.Ltmp197
	.uleb128 .Ltmp206-.Lfunc_begin28
	.byte	0
	.uleb128 .Ltmp201-.Lfunc_begin28
	.uleb128 .Ltmp202-.Ltmp201
	.uleb128 .Ltmp203-.Lfunc_begin28
	.byte	0
	.uleb128 .Ltmp202-.Lfunc_begin28
	.uleb128 .Lfunc_end94-.Ltmp202
	.byte	0
	.byte	0
.Lcst_end28:
	.p2align	2, 0x0

	.section	".text._ZN5alloc11collections5btree4node40NodeRef$LT$BorrowType$C$K$C$V$C$Type$GT$6ascend17hacdfb1a6d1b77ec6E","ax",@progbits
	.globl	_ZN5alloc11collections5btree4node40NodeRef$LT$BorrowType$C$K$C$V$C$Type$GT$6ascend17hacdfb1a6d1b77ec6E
	.p2align	4
	.type	_ZN5alloc11collections5btree4node40NodeRef$LT$BorrowType$C$K$C$V$C$Type$GT$6ascend17hacdfb1a6d1b77ec6E,@function
_ZN5alloc11collections5btree4node40NodeRef$LT$BorrowType$C$K$C$V$C$Type$GT$6ascend17hacdfb1a6d1b77ec6E:
	.cfi_startproc
	subq	$56, %rsp
	.cfi_def_cfa_offset 64
	movq	%rdi, -128(%rsp)
	movq	%rdi, -120(%rsp)
	movq	%rsi, -112(%rsp)
	movq	%rdx, -104(%rsp)
	movq	-112(%rsp), %rax
	movq	%rax, -96(%rsp)
	movq	-96(%rsp), %rax
	movq	176(%rax), %rax
	movq	%rax, -56(%rsp)
	movq	-56(%rsp), %rdx
	movl	$1, %eax
	xorl	%ecx, %ecx
	cmpq	$0, %rdx
	cmoveq	%rcx, %rax
	testq	$1, %rax
	je	.LBB95_2
	movq	-128(%rsp), %rax
	leaq	-56(%rsp), %rcx
	movq	%rcx, -64(%rsp)
	leaq	-112(%rsp), %rcx
	addq	$8, %rcx
	movq	%rcx, -48(%rsp)
	leaq	-96(%rsp), %rcx
	movq	%rcx, -40(%rsp)
	movq	-48(%rsp), %rcx
	movq	%rcx, 40(%rsp)
	movq	-40(%rsp), %rcx
	movq	%rcx, 48(%rsp)
	movq	-64(%rsp), %rcx
	movq	(%rcx), %rsi
	movq	-104(%rsp), %rdx
	addq	$1, %rdx
	movq	-96(%rsp), %rcx
	movw	272(%rcx), %cx
	movw	%cx, 14(%rsp)
	movzwl	14(%rsp), %ecx
	movq	%rsi, -16(%rsp)
	movq	%rdx, -8(%rsp)
	movq	%rcx, (%rsp)
	movq	-16(%rsp), %rcx
	movq	%rcx, -88(%rsp)
	movq	-8(%rsp), %rcx
	movq	%rcx, -80(%rsp)
	movq	(%rsp), %rcx
	movq	%rcx, -72(%rsp)
	movq	-112(%rsp), %rdx
	movq	-104(%rsp), %rcx
	movq	%rdx, -32(%rsp)
	movq	%rcx, -24(%rsp)
	movq	-88(%rsp), %rcx
	movq	%rcx, 16(%rsp)
	movq	-80(%rsp), %rcx
	movq	%rcx, 24(%rsp)
	movq	-72(%rsp), %rcx
	movq	%rcx, 32(%rsp)
	movq	16(%rsp), %rcx
	movq	%rcx, (%rax)
	movq	24(%rsp), %rcx
	movq	%rcx, 8(%rax)
	movq	32(%rsp), %rcx
	movq	%rcx, 16(%rax)
	jmp	.LBB95_3
.LBB95_2:
	movq	-128(%rsp), %rax
	movq	$0, -64(%rsp)
	leaq	-112(%rsp), %rcx
	addq	$8, %rcx
	movq	%rcx, -48(%rsp)
	leaq	-96(%rsp), %rcx
	movq	%rcx, -40(%rsp)
	movq	-48(%rsp), %rcx
	movq	%rcx, 40(%rsp)
	movq	-40(%rsp), %rcx
	movq	%rcx, 48(%rsp)
	movq	$0, -88(%rsp)
	movq	-112(%rsp), %rdx
	movq	-104(%rsp), %rcx
	movq	%rdx, -32(%rsp)
	movq	%rcx, -24(%rsp)
	movq	-112(%rsp), %rdx
	movq	-104(%rsp), %rcx
	movq	%rdx, 8(%rax)
	movq	%rcx, 16(%rax)
	movq	$0, (%rax)
.LBB95_3:
	movq	-120(%rsp), %rax
	addq	$56, %rsp
	.cfi_def_cfa_offset 8
	retq
.Lfunc_end95:
	.size	_ZN5alloc11collections5btree4node40NodeRef$LT$BorrowType$C$K$C$V$C$Type$GT$6ascend17hacdfb1a6d1b77ec6E, .Lfunc_end95-_ZN5alloc11collections5btree4node40NodeRef$LT$BorrowType$C$K$C$V$C$Type$GT$6ascend17hacdfb1a6d1b77ec6E
	.cfi_endproc

	.section	".text._ZN5alloc11collections5btree4node40NodeRef$LT$BorrowType$C$K$C$V$C$Type$GT$6ascend17hb47f97ecbe6f0c7dE","ax",@progbits
	.globl	_ZN5alloc11collections5btree4node40NodeRef$LT$BorrowType$C$K$C$V$C$Type$GT$6ascend17hb47f97ecbe6f0c7dE
	.p2align	4
	.type	_ZN5alloc11collections5btree4node40NodeRef$LT$BorrowType$C$K$C$V$C$Type$GT$6ascend17hb47f97ecbe6f0c7dE,@function
_ZN5alloc11collections5btree4node40NodeRef$LT$BorrowType$C$K$C$V$C$Type$GT$6ascend17hb47f97ecbe6f0c7dE:
	.cfi_startproc
	subq	$56, %rsp
	.cfi_def_cfa_offset 64
	movq	%rdi, -128(%rsp)
	movq	%rdi, -120(%rsp)
	movq	%rsi, -112(%rsp)
	movq	%rdx, -104(%rsp)
	movq	-112(%rsp), %rax
	movq	%rax, -96(%rsp)
	movq	-96(%rsp), %rax
	movq	176(%rax), %rax
	movq	%rax, -56(%rsp)
	movq	-56(%rsp), %rdx
	movl	$1, %eax
	xorl	%ecx, %ecx
	cmpq	$0, %rdx
	cmoveq	%rcx, %rax
	testq	$1, %rax
	je	.LBB96_2
	movq	-128(%rsp), %rax
	leaq	-56(%rsp), %rcx
	movq	%rcx, -64(%rsp)
	leaq	-112(%rsp), %rcx
	addq	$8, %rcx
	movq	%rcx, -48(%rsp)
	leaq	-96(%rsp), %rcx
	movq	%rcx, -40(%rsp)
	movq	-48(%rsp), %rcx
	movq	%rcx, 40(%rsp)
	movq	-40(%rsp), %rcx
	movq	%rcx, 48(%rsp)
	movq	-64(%rsp), %rcx
	movq	(%rcx), %rsi
	movq	-104(%rsp), %rdx
	addq	$1, %rdx
	movq	-96(%rsp), %rcx
	movw	272(%rcx), %cx
	movw	%cx, 14(%rsp)
	movzwl	14(%rsp), %ecx
	movq	%rsi, -16(%rsp)
	movq	%rdx, -8(%rsp)
	movq	%rcx, (%rsp)
	movq	-16(%rsp), %rcx
	movq	%rcx, -88(%rsp)
	movq	-8(%rsp), %rcx
	movq	%rcx, -80(%rsp)
	movq	(%rsp), %rcx
	movq	%rcx, -72(%rsp)
	movq	-112(%rsp), %rdx
	movq	-104(%rsp), %rcx
	movq	%rdx, -32(%rsp)
	movq	%rcx, -24(%rsp)
	movq	-88(%rsp), %rcx
	movq	%rcx, 16(%rsp)
	movq	-80(%rsp), %rcx
	movq	%rcx, 24(%rsp)
	movq	-72(%rsp), %rcx
	movq	%rcx, 32(%rsp)
	movq	16(%rsp), %rcx
	movq	%rcx, (%rax)
	movq	24(%rsp), %rcx
	movq	%rcx, 8(%rax)
	movq	32(%rsp), %rcx
	movq	%rcx, 16(%rax)
	jmp	.LBB96_3
.LBB96_2:
	movq	-128(%rsp), %rax
	movq	$0, -64(%rsp)
	leaq	-112(%rsp), %rcx
	addq	$8, %rcx
	movq	%rcx, -48(%rsp)
	leaq	-96(%rsp), %rcx
	movq	%rcx, -40(%rsp)
	movq	-48(%rsp), %rcx
	movq	%rcx, 40(%rsp)
	movq	-40(%rsp), %rcx
	movq	%rcx, 48(%rsp)
	movq	$0, -88(%rsp)
	movq	-112(%rsp), %rdx
	movq	-104(%rsp), %rcx
	movq	%rdx, -32(%rsp)
	movq	%rcx, -24(%rsp)
	movq	-112(%rsp), %rdx
	movq	-104(%rsp), %rcx
	movq	%rdx, 8(%rax)
	movq	%rcx, 16(%rax)
	movq	$0, (%rax)
.LBB96_3:
	movq	-120(%rsp), %rax
	addq	$56, %rsp
	.cfi_def_cfa_offset 8
	retq
.Lfunc_end96:
	.size	_ZN5alloc11collections5btree4node40NodeRef$LT$BorrowType$C$K$C$V$C$Type$GT$6ascend17hb47f97ecbe6f0c7dE, .Lfunc_end96-_ZN5alloc11collections5btree4node40NodeRef$LT$BorrowType$C$K$C$V$C$Type$GT$6ascend17hb47f97ecbe6f0c7dE
	.cfi_endproc

	.section	".text._ZN5alloc11collections5btree6search142_$LT$impl$u20$alloc..collections..btree..node..NodeRef$LT$BorrowType$C$K$C$V$C$alloc..collections..btree..node..marker..LeafOrInternal$GT$$GT$11search_tree17h38294a3199b9a4b9E","ax",@progbits
	.globl	_ZN5alloc11collections5btree6search142_$LT$impl$u20$alloc..collections..btree..node..NodeRef$LT$BorrowType$C$K$C$V$C$alloc..collections..btree..node..marker..LeafOrInternal$GT$$GT$11search_tree17h38294a3199b9a4b9E
	.p2align	4
	.type	_ZN5alloc11collections5btree6search142_$LT$impl$u20$alloc..collections..btree..node..NodeRef$LT$BorrowType$C$K$C$V$C$alloc..collections..btree..node..marker..LeafOrInternal$GT$$GT$11search_tree17h38294a3199b9a4b9E,@function
_ZN5alloc11collections5btree6search142_$LT$impl$u20$alloc..collections..btree..node..NodeRef$LT$BorrowType$C$K$C$V$C$alloc..collections..btree..node..marker..LeafOrInternal$GT$$GT$11search_tree17h38294a3199b9a4b9E:
	.cfi_startproc
	subq	$360, %rsp
	.cfi_def_cfa_offset 368
	movq	%rcx, 56(%rsp)
	movq	%rdi, 64(%rsp)
	movq	%rdi, 72(%rsp)
	movq	%rsi, 80(%rsp)
	movq	%rdx, 88(%rsp)
.LBB97_1:
	movq	56(%rsp), %rsi
	movq	80(%rsp), %rcx
	movq	88(%rsp), %rax
	movq	%rcx, 128(%rsp)
	movq	%rax, 136(%rsp)
	leaq	128(%rsp), %rdi
	xorl	%eax, %eax
	movl	%eax, %edx
	callq	*_ZN5alloc11collections5btree6search91_$LT$impl$u20$alloc..collections..btree..node..NodeRef$LT$BorrowType$C$K$C$V$C$Type$GT$$GT$14find_key_index17h08cc1740c2dcadecE@GOTPCREL(%rip)
	movq	%rax, 224(%rsp)
	movq	%rdx, 232(%rsp)
	testq	$1, 224(%rsp)
	je	.LBB97_3
	movq	232(%rsp), %rax
	movq	128(%rsp), %rdx
	movq	136(%rsp), %rcx
	movq	%rdx, 264(%rsp)
	movq	%rcx, 272(%rsp)
	movq	%rax, 280(%rsp)
	movq	264(%rsp), %rax
	movq	%rax, 104(%rsp)
	movq	272(%rsp), %rax
	movq	%rax, 112(%rsp)
	movq	280(%rsp), %rax
	movq	%rax, 120(%rsp)
	movq	$1, 96(%rsp)
	movq	112(%rsp), %rax
	movq	%rax, 32(%rsp)
	movq	104(%rsp), %rcx
	movq	%rcx, 40(%rsp)
	movq	120(%rsp), %rcx
	movq	%rcx, 48(%rsp)
	cmpq	$0, %rax
	je	.LBB97_5
	jmp	.LBB97_6
.LBB97_3:
	movq	64(%rsp), %rax
	movq	232(%rsp), %rcx
	movq	128(%rsp), %rsi
	movq	136(%rsp), %rdx
	movq	%rsi, 240(%rsp)
	movq	%rdx, 248(%rsp)
	movq	%rcx, 256(%rsp)
	movq	240(%rsp), %rcx
	movq	%rcx, 104(%rsp)
	movq	248(%rsp), %rcx
	movq	%rcx, 112(%rsp)
	movq	256(%rsp), %rcx
	movq	%rcx, 120(%rsp)
	movq	$0, 96(%rsp)
	movq	104(%rsp), %rcx
	movq	%rcx, 144(%rsp)
	movq	112(%rsp), %rcx
	movq	%rcx, 152(%rsp)
	movq	120(%rsp), %rcx
	movq	%rcx, 160(%rsp)
	movq	144(%rsp), %rcx
	movq	%rcx, 8(%rax)
	movq	152(%rsp), %rcx
	movq	%rcx, 16(%rax)
	movq	160(%rsp), %rcx
	movq	%rcx, 24(%rax)
	movq	$0, (%rax)
.LBB97_4:
	movq	72(%rsp), %rax
	addq	$360, %rsp
	.cfi_def_cfa_offset 8
	retq
.LBB97_5:
	.cfi_def_cfa_offset 368
	movq	64(%rsp), %rax
	movq	48(%rsp), %rcx
	movq	40(%rsp), %rdx
	movq	%rdx, 296(%rsp)
	movq	$0, 304(%rsp)
	movq	$0, 288(%rsp)
	movq	296(%rsp), %rsi
	movq	304(%rsp), %rdx
	movq	%rsi, 312(%rsp)
	movq	%rdx, 320(%rsp)
	movq	%rcx, 328(%rsp)
	movq	312(%rsp), %rcx
	movq	%rcx, 176(%rsp)
	movq	320(%rsp), %rcx
	movq	%rcx, 184(%rsp)
	movq	328(%rsp), %rcx
	movq	%rcx, 192(%rsp)
	movq	$0, 168(%rsp)
	movq	176(%rsp), %rcx
	movq	%rcx, 200(%rsp)
	movq	184(%rsp), %rcx
	movq	%rcx, 208(%rsp)
	movq	192(%rsp), %rcx
	movq	%rcx, 216(%rsp)
	movq	200(%rsp), %rcx
	movq	%rcx, 8(%rax)
	movq	208(%rsp), %rcx
	movq	%rcx, 16(%rax)
	movq	216(%rsp), %rcx
	movq	%rcx, 24(%rax)
	movq	$1, (%rax)
	jmp	.LBB97_4
.LBB97_6:
	movq	48(%rsp), %rax
	movq	32(%rsp), %rcx
	movq	40(%rsp), %rdx
	movq	%rdx, 296(%rsp)
	movq	%rcx, 304(%rsp)
	movq	$1, 288(%rsp)
	movq	296(%rsp), %rdx
	movq	304(%rsp), %rcx
	movq	%rdx, 336(%rsp)
	movq	%rcx, 344(%rsp)
	movq	%rax, 352(%rsp)
	movq	336(%rsp), %rax
	movq	%rax, 176(%rsp)
	movq	344(%rsp), %rax
	movq	%rax, 184(%rsp)
	movq	352(%rsp), %rax
	movq	%rax, 192(%rsp)
	movq	$1, 168(%rsp)
	movq	184(%rsp), %rax
	movq	%rax, 8(%rsp)
	movq	176(%rsp), %rax
	movq	192(%rsp), %rcx
	movq	%rcx, 16(%rsp)
	addq	$280, %rax
	movq	%rax, 24(%rsp)
	movq	16(%rsp), %rdi
	movl	$12, %esi
	leaq	.Lanon.60bed5dcf488807794e55d614a93ec96.65(%rip), %rdx
	callq	_ZN75_$LT$usize$u20$as$u20$core..slice..index..SliceIndex$LT$$u5b$T$u5d$$GT$$GT$13get_unchecked18precondition_check17ha424f3ab1cd7f8a7E
	movq	8(%rsp), %rcx
	movq	24(%rsp), %rax
	movq	16(%rsp), %rdx
	movq	(%rax,%rdx,8), %rax
	subq	$1, %rcx
	movq	%rcx, 88(%rsp)
	movq	%rax, 80(%rsp)
	jmp	.LBB97_1
.Lfunc_end97:
	.size	_ZN5alloc11collections5btree6search142_$LT$impl$u20$alloc..collections..btree..node..NodeRef$LT$BorrowType$C$K$C$V$C$alloc..collections..btree..node..marker..LeafOrInternal$GT$$GT$11search_tree17h38294a3199b9a4b9E, .Lfunc_end97-_ZN5alloc11collections5btree6search142_$LT$impl$u20$alloc..collections..btree..node..NodeRef$LT$BorrowType$C$K$C$V$C$alloc..collections..btree..node..marker..LeafOrInternal$GT$$GT$11search_tree17h38294a3199b9a4b9E
	.cfi_endproc

	.section	".text._ZN5alloc11collections5btree6search91_$LT$impl$u20$alloc..collections..btree..node..NodeRef$LT$BorrowType$C$K$C$V$C$Type$GT$$GT$14find_key_index17h08cc1740c2dcadecE","ax",@progbits
	.globl	_ZN5alloc11collections5btree6search91_$LT$impl$u20$alloc..collections..btree..node..NodeRef$LT$BorrowType$C$K$C$V$C$Type$GT$$GT$14find_key_index17h08cc1740c2dcadecE
	.p2align	4
	.type	_ZN5alloc11collections5btree6search91_$LT$impl$u20$alloc..collections..btree..node..NodeRef$LT$BorrowType$C$K$C$V$C$Type$GT$$GT$14find_key_index17h08cc1740c2dcadecE,@function
_ZN5alloc11collections5btree6search91_$LT$impl$u20$alloc..collections..btree..node..NodeRef$LT$BorrowType$C$K$C$V$C$Type$GT$$GT$14find_key_index17h08cc1740c2dcadecE:
	.cfi_startproc
	subq	$152, %rsp
	.cfi_def_cfa_offset 160
	movq	%rsi, 32(%rsp)
	movq	%rdx, 40(%rsp)
	movq	(%rdi), %rax
	movq	%rax, 48(%rsp)
	movzwl	274(%rax), %eax
	movq	%rax, 56(%rsp)
	movq	56(%rsp), %rsi
	xorl	%eax, %eax
	movl	%eax, %edi
	movl	$11, %edx
	leaq	.Lanon.60bed5dcf488807794e55d614a93ec96.68(%rip), %rcx
	callq	_ZN106_$LT$core..ops..range..Range$LT$usize$GT$$u20$as$u20$core..slice..index..SliceIndex$LT$$u5b$T$u5d$$GT$$GT$13get_unchecked18precondition_check17h47f57a9af39c682dE
	jmp	.LBB98_3
.LBB98_3:
	movq	56(%rsp), %rdx
	movq	40(%rsp), %rdi
	leaq	.Lanon.60bed5dcf488807794e55d614a93ec96.69(%rip), %rcx
	movq	%rdx, %rsi
	callq	_ZN106_$LT$core..ops..range..Range$LT$usize$GT$$u20$as$u20$core..slice..index..SliceIndex$LT$$u5b$T$u5d$$GT$$GT$13get_unchecked18precondition_check17h47f57a9af39c682dE
	movq	48(%rsp), %rax
	movq	40(%rsp), %rcx
	movq	56(%rsp), %rdx
	subq	%rcx, %rdx
	movq	%rdx, 16(%rsp)
	shlq	$4, %rcx
	addq	%rcx, %rax
	movq	%rax, 24(%rsp)
	movq	24(%rsp), %rax
	movq	16(%rsp), %rcx
	shlq	$4, %rcx
	addq	%rcx, %rax
	movq	%rax, 144(%rsp)
	movq	24(%rsp), %rcx
	movq	144(%rsp), %rax
	movq	%rcx, 80(%rsp)
	movq	%rax, 88(%rsp)
	movq	$0, 96(%rsp)
	movq	80(%rsp), %rax
	movq	%rax, 104(%rsp)
	movq	88(%rsp), %rax
	movq	%rax, 112(%rsp)
	movq	96(%rsp), %rax
	movq	%rax, 120(%rsp)
.LBB98_7:
	leaq	104(%rsp), %rdi
	callq	*_ZN110_$LT$core..iter..adapters..enumerate..Enumerate$LT$I$GT$$u20$as$u20$core..iter..traits..iterator..Iterator$GT$4next17hf4161890d0f7b876E@GOTPCREL(%rip)
	movq	%rax, 128(%rsp)
	movq	%rdx, 136(%rsp)
	movq	136(%rsp), %rdx
	movl	$1, %eax
	xorl	%ecx, %ecx
	cmpq	$0, %rdx
	cmoveq	%rcx, %rax
	testq	$1, %rax
	je	.LBB98_9
	movq	128(%rsp), %rax
	movq	%rax, (%rsp)
	movq	136(%rsp), %rdi
	movq	_ZN51_$LT$T$u20$as$u20$core..borrow..Borrow$LT$T$GT$$GT$6borrow17hb9f2310b025d44c3E@GOTPCREL(%rip), %rax
	callq	*%rax
	movq	32(%rsp), %rdi
	movq	%rax, %rsi
	movq	_ZN4core3cmp5impls50_$LT$impl$u20$core..cmp..Ord$u20$for$u20$$RF$A$GT$3cmp17hb91d03952b2030ddE@GOTPCREL(%rip), %rax
	callq	*%rax
	movb	%al, %cl
	movb	%cl, 15(%rsp)
	subb	$-1, %al
	je	.LBB98_12
	jmp	.LBB98_16
.LBB98_16:
	movb	15(%rsp), %al
	testb	%al, %al
	je	.LBB98_13
	jmp	.LBB98_17
.LBB98_17:
	jmp	.LBB98_14
.LBB98_9:
	movq	56(%rsp), %rax
	movq	%rax, 72(%rsp)
	movq	$1, 64(%rsp)
.LBB98_10:
	movq	64(%rsp), %rax
	movq	72(%rsp), %rdx
	addq	$152, %rsp
	.cfi_def_cfa_offset 8
	retq
	ud2
.LBB98_12:
	.cfi_def_cfa_offset 160
	movq	(%rsp), %rcx
	movq	40(%rsp), %rax
	addq	%rcx, %rax
	movq	%rax, 72(%rsp)
	movq	$1, 64(%rsp)
	jmp	.LBB98_15
.LBB98_13:
	movq	(%rsp), %rcx
	movq	40(%rsp), %rax
	addq	%rcx, %rax
	movq	%rax, 72(%rsp)
	movq	$0, 64(%rsp)
	jmp	.LBB98_15
.LBB98_14:
	jmp	.LBB98_7
.LBB98_15:
	jmp	.LBB98_10
.Lfunc_end98:
	.size	_ZN5alloc11collections5btree6search91_$LT$impl$u20$alloc..collections..btree..node..NodeRef$LT$BorrowType$C$K$C$V$C$Type$GT$$GT$14find_key_index17h08cc1740c2dcadecE, .Lfunc_end98-_ZN5alloc11collections5btree6search91_$LT$impl$u20$alloc..collections..btree..node..NodeRef$LT$BorrowType$C$K$C$V$C$Type$GT$$GT$14find_key_index17h08cc1740c2dcadecE
	.cfi_endproc

	.section	".text._ZN5alloc11collections5btree8navigate235_$LT$impl$u20$alloc..collections..btree..node..Handle$LT$alloc..collections..btree..node..NodeRef$LT$BorrowType$C$K$C$V$C$alloc..collections..btree..node..marker..LeafOrInternal$GT$$C$alloc..collections..btree..node..marker..KV$GT$$GT$14next_leaf_edge17he1b89f26306cc7e2E","ax",@progbits
	.globl	_ZN5alloc11collections5btree8navigate235_$LT$impl$u20$alloc..collections..btree..node..Handle$LT$alloc..collections..btree..node..NodeRef$LT$BorrowType$C$K$C$V$C$alloc..collections..btree..node..marker..LeafOrInternal$GT$$C$alloc..collections..btree..node..marker..KV$GT$$GT$14next_leaf_edge17he1b89f26306cc7e2E
	.p2align	4
	.type	_ZN5alloc11collections5btree8navigate235_$LT$impl$u20$alloc..collections..btree..node..Handle$LT$alloc..collections..btree..node..NodeRef$LT$BorrowType$C$K$C$V$C$alloc..collections..btree..node..marker..LeafOrInternal$GT$$C$alloc..collections..btree..node..marker..KV$GT$$GT$14next_leaf_edge17he1b89f26306cc7e2E,@function
_ZN5alloc11collections5btree8navigate235_$LT$impl$u20$alloc..collections..btree..node..Handle$LT$alloc..collections..btree..node..NodeRef$LT$BorrowType$C$K$C$V$C$alloc..collections..btree..node..marker..LeafOrInternal$GT$$C$alloc..collections..btree..node..marker..KV$GT$$GT$14next_leaf_edge17he1b89f26306cc7e2E:
	.cfi_startproc
	subq	$232, %rsp
	.cfi_def_cfa_offset 240
	movq	%rdi, 48(%rsp)
	movq	%rdi, 56(%rsp)
	movq	8(%rsi), %rax
	movq	%rax, 64(%rsp)
	movq	(%rsi), %rcx
	movq	%rcx, 72(%rsp)
	movq	16(%rsi), %rcx
	movq	%rcx, 80(%rsp)
	cmpq	$0, %rax
	jne	.LBB99_2
	movq	48(%rsp), %rax
	movq	80(%rsp), %rcx
	movq	72(%rsp), %rdx
	movq	%rdx, 128(%rsp)
	movq	$0, 136(%rsp)
	movq	$0, 120(%rsp)
	movq	128(%rsp), %rsi
	movq	136(%rsp), %rdx
	movq	%rsi, 144(%rsp)
	movq	%rdx, 152(%rsp)
	movq	%rcx, 160(%rsp)
	movq	144(%rsp), %rcx
	movq	%rcx, 96(%rsp)
	movq	152(%rsp), %rcx
	movq	%rcx, 104(%rsp)
	movq	160(%rsp), %rcx
	movq	%rcx, 112(%rsp)
	movq	$0, 88(%rsp)
	movq	96(%rsp), %rsi
	movq	104(%rsp), %rdx
	movq	112(%rsp), %rcx
	addq	$1, %rcx
	movq	%rsi, (%rax)
	movq	%rdx, 8(%rax)
	movq	%rcx, 16(%rax)
	jmp	.LBB99_3
.LBB99_2:
	movq	80(%rsp), %rax
	movq	64(%rsp), %rcx
	movq	72(%rsp), %rdx
	movq	%rdx, 128(%rsp)
	movq	%rcx, 136(%rsp)
	movq	$1, 120(%rsp)
	movq	128(%rsp), %rdx
	movq	136(%rsp), %rcx
	movq	%rdx, 168(%rsp)
	movq	%rcx, 176(%rsp)
	movq	%rax, 184(%rsp)
	movq	168(%rsp), %rax
	movq	%rax, 96(%rsp)
	movq	176(%rsp), %rax
	movq	%rax, 104(%rsp)
	movq	184(%rsp), %rax
	movq	%rax, 112(%rsp)
	movq	$1, 88(%rsp)
	movq	104(%rsp), %rax
	movq	%rax, 24(%rsp)
	movq	96(%rsp), %rax
	movq	112(%rsp), %rcx
	addq	$1, %rcx
	movq	%rcx, 32(%rsp)
	addq	$280, %rax
	movq	%rax, 40(%rsp)
	jmp	.LBB99_4
.LBB99_3:
	movq	56(%rsp), %rax
	addq	$232, %rsp
	.cfi_def_cfa_offset 8
	retq
.LBB99_4:
	.cfi_def_cfa_offset 240
	movq	32(%rsp), %rdi
	movl	$12, %esi
	leaq	.Lanon.60bed5dcf488807794e55d614a93ec96.65(%rip), %rdx
	callq	_ZN75_$LT$usize$u20$as$u20$core..slice..index..SliceIndex$LT$$u5b$T$u5d$$GT$$GT$13get_unchecked18precondition_check17ha424f3ab1cd7f8a7E
	movq	24(%rsp), %rax
	movq	40(%rsp), %rcx
	movq	32(%rsp), %rdx
	movq	(%rcx,%rdx,8), %rcx
	movq	%rcx, 192(%rsp)
	subq	$1, %rax
	movq	%rax, 200(%rsp)
.LBB99_6:
	cmpq	$0, 200(%rsp)
	jne	.LBB99_8
	movq	48(%rsp), %rax
	movq	192(%rsp), %rcx
	movq	%rcx, 216(%rsp)
	movq	$0, 224(%rsp)
	movq	$0, 208(%rsp)
	movq	216(%rsp), %rdx
	movq	224(%rsp), %rcx
	movq	%rdx, (%rax)
	movq	%rcx, 8(%rax)
	movq	$0, 16(%rax)
	jmp	.LBB99_3
.LBB99_8:
	movq	200(%rsp), %rax
	movq	192(%rsp), %rcx
	movq	%rcx, 216(%rsp)
	movq	%rax, 224(%rsp)
	movq	$1, 208(%rsp)
	movq	224(%rsp), %rax
	movq	%rax, 8(%rsp)
	movq	216(%rsp), %rax
	addq	$280, %rax
	movq	%rax, 16(%rsp)
	xorl	%eax, %eax
	movl	%eax, %edi
	movl	$12, %esi
	leaq	.Lanon.60bed5dcf488807794e55d614a93ec96.65(%rip), %rdx
	callq	_ZN75_$LT$usize$u20$as$u20$core..slice..index..SliceIndex$LT$$u5b$T$u5d$$GT$$GT$13get_unchecked18precondition_check17ha424f3ab1cd7f8a7E
	movq	8(%rsp), %rax
	movq	16(%rsp), %rcx
	movq	(%rcx), %rcx
	movq	%rcx, 192(%rsp)
	subq	$1, %rax
	movq	%rax, 200(%rsp)
	jmp	.LBB99_6
.Lfunc_end99:
	.size	_ZN5alloc11collections5btree8navigate235_$LT$impl$u20$alloc..collections..btree..node..Handle$LT$alloc..collections..btree..node..NodeRef$LT$BorrowType$C$K$C$V$C$alloc..collections..btree..node..marker..LeafOrInternal$GT$$C$alloc..collections..btree..node..marker..KV$GT$$GT$14next_leaf_edge17he1b89f26306cc7e2E, .Lfunc_end99-_ZN5alloc11collections5btree8navigate235_$LT$impl$u20$alloc..collections..btree..node..Handle$LT$alloc..collections..btree..node..NodeRef$LT$BorrowType$C$K$C$V$C$alloc..collections..btree..node..marker..LeafOrInternal$GT$$C$alloc..collections..btree..node..marker..KV$GT$$GT$14next_leaf_edge17he1b89f26306cc7e2E
	.cfi_endproc

	.section	".text._ZN5alloc11collections5btree8navigate263_$LT$impl$u20$alloc..collections..btree..node..Handle$LT$alloc..collections..btree..node..NodeRef$LT$alloc..collections..btree..node..marker..Dying$C$K$C$V$C$alloc..collections..btree..node..marker..Leaf$GT$$C$alloc..collections..btree..node..marker..Edge$GT$$GT$16deallocating_end17hf7f61d5657b39c40E","ax",@progbits
	.globl	_ZN5alloc11collections5btree8navigate263_$LT$impl$u20$alloc..collections..btree..node..Handle$LT$alloc..collections..btree..node..NodeRef$LT$alloc..collections..btree..node..marker..Dying$C$K$C$V$C$alloc..collections..btree..node..marker..Leaf$GT$$C$alloc..collections..btree..node..marker..Edge$GT$$GT$16deallocating_end17hf7f61d5657b39c40E
	.p2align	4
	.type	_ZN5alloc11collections5btree8navigate263_$LT$impl$u20$alloc..collections..btree..node..Handle$LT$alloc..collections..btree..node..NodeRef$LT$alloc..collections..btree..node..marker..Dying$C$K$C$V$C$alloc..collections..btree..node..marker..Leaf$GT$$C$alloc..collections..btree..node..marker..Edge$GT$$GT$16deallocating_end17hf7f61d5657b39c40E,@function
_ZN5alloc11collections5btree8navigate263_$LT$impl$u20$alloc..collections..btree..node..Handle$LT$alloc..collections..btree..node..NodeRef$LT$alloc..collections..btree..node..marker..Dying$C$K$C$V$C$alloc..collections..btree..node..marker..Leaf$GT$$C$alloc..collections..btree..node..marker..Edge$GT$$GT$16deallocating_end17hf7f61d5657b39c40E:
.Lfunc_begin29:
	.cfi_startproc
	.cfi_personality 155, DW.ref.rust_eh_personality
	.cfi_lsda 27, .Lexception29
	subq	$72, %rsp
	.cfi_def_cfa_offset 80
	movq	8(%rdi), %rcx
	movq	(%rdi), %rax
	movq	16(%rdi), %rdx
	movq	%rdx, 48(%rsp)
	movq	%rcx, 40(%rsp)
	movq	%rax, 32(%rsp)
.LBB100_1:
.Ltmp207:
	leaq	7(%rsp), %rdi
	callq	_ZN59_$LT$alloc..alloc..Global$u20$as$u20$core..clone..Clone$GT$5clone17h720c7a222124ffffE
.Ltmp208:
	jmp	.LBB100_4
.LBB100_2:
	movq	56(%rsp), %rdi
	callq	_Unwind_Resume@PLT
.LBB100_3:
.Ltmp211:
	movq	%rax, %rcx
	movl	%edx, %eax
	movq	%rcx, 56(%rsp)
	movl	%eax, 64(%rsp)
	jmp	.LBB100_2
.LBB100_4:
	movq	32(%rsp), %rsi
	movq	40(%rsp), %rdx
.Ltmp209:
	movq	_ZN5alloc11collections5btree4node127NodeRef$LT$alloc..collections..btree..node..marker..Dying$C$K$C$V$C$alloc..collections..btree..node..marker..LeafOrInternal$GT$21deallocate_and_ascend17h94fdbe679ef355feE@GOTPCREL(%rip), %rax
	leaq	8(%rsp), %rdi
	callq	*%rax
.Ltmp210:
	jmp	.LBB100_5
.LBB100_5:
	movq	8(%rsp), %rdx
	movl	$1, %eax
	xorl	%ecx, %ecx
	cmpq	$0, %rdx
	cmoveq	%rcx, %rax
	testq	$1, %rax
	je	.LBB100_7
	movq	16(%rsp), %rcx
	movq	8(%rsp), %rax
	movq	24(%rsp), %rdx
	movq	%rdx, 48(%rsp)
	movq	%rcx, 40(%rsp)
	movq	%rax, 32(%rsp)
	jmp	.LBB100_1
.LBB100_7:
	addq	$72, %rsp
	.cfi_def_cfa_offset 8
	retq
.Lfunc_end100:
	.size	_ZN5alloc11collections5btree8navigate263_$LT$impl$u20$alloc..collections..btree..node..Handle$LT$alloc..collections..btree..node..NodeRef$LT$alloc..collections..btree..node..marker..Dying$C$K$C$V$C$alloc..collections..btree..node..marker..Leaf$GT$$C$alloc..collections..btree..node..marker..Edge$GT$$GT$16deallocating_end17hf7f61d5657b39c40E, .Lfunc_end100-_ZN5alloc11collections5btree8navigate263_$LT$impl$u20$alloc..collections..btree..node..Handle$LT$alloc..collections..btree..node..NodeRef$LT$alloc..collections..btree..node..marker..Dying$C$K$C$V$C$alloc..collections..btree..node..marker..Leaf$GT$$C$alloc..collections..btree..node..marker..Edge$GT$$GT$16deallocating_end17hf7f61d5657b39c40E
	.cfi_endproc
	.section	".gcc_except_table._ZN5alloc11collections5btree8navigate263_$LT$impl$u20$alloc..collections..btree..node..Handle$LT$alloc..collections..btree..node..NodeRef$LT$alloc..collections..btree..node..marker..Dying$C$K$C$V$C$alloc..collections..btree..node..marker..Leaf$GT$$C$alloc..collections..btree..node..marker..Edge$GT$$GT$16deallocating_end17hf7f61d5657b39c40E","a",@progbits
	.p2align	2, 0x0
GCC_except_table100:
.Lexception29:
	.byte	255
	.byte	255
	.byte	1
	.uleb128 .Lcst_end29-.Lcst_begin29
.Lcst_begin29:
	.uleb128 .Ltmp207-.Lfunc_begin29
	.uleb128 .Ltmp208-.Ltmp207
	.uleb128 .Ltmp211-.Lfunc_begin29
	.byte	0
	.uleb128 .Ltmp208-.Lfunc_begin29
	.uleb128 .Ltmp209-.Ltmp208
	.byte	0
	.byte	0
	.uleb128 .Ltmp209-.Lfunc_begin29
	.uleb128 .Ltmp210-.Ltmp209
	.uleb128 .Ltmp211-.Lfunc_begin29
	.byte	0
.Lcst_end29:
	.p2align	2, 0x0

	.section	".text._ZN5alloc11collections5btree8navigate263_$LT$impl$u20$alloc..collections..btree..node..Handle$LT$alloc..collections..btree..node..NodeRef$LT$alloc..collections..btree..node..marker..Dying$C$K$C$V$C$alloc..collections..btree..node..marker..Leaf$GT$$C$alloc..collections..btree..node..marker..Edge$GT$$GT$17deallocating_next17hc80c65312d7b9c68E","ax",@progbits
	.globl	_ZN5alloc11collections5btree8navigate263_$LT$impl$u20$alloc..collections..btree..node..Handle$LT$alloc..collections..btree..node..NodeRef$LT$alloc..collections..btree..node..marker..Dying$C$K$C$V$C$alloc..collections..btree..node..marker..Leaf$GT$$C$alloc..collections..btree..node..marker..Edge$GT$$GT$17deallocating_next17hc80c65312d7b9c68E
	.p2align	4
	.type	_ZN5alloc11collections5btree8navigate263_$LT$impl$u20$alloc..collections..btree..node..Handle$LT$alloc..collections..btree..node..NodeRef$LT$alloc..collections..btree..node..marker..Dying$C$K$C$V$C$alloc..collections..btree..node..marker..Leaf$GT$$C$alloc..collections..btree..node..marker..Edge$GT$$GT$17deallocating_next17hc80c65312d7b9c68E,@function
_ZN5alloc11collections5btree8navigate263_$LT$impl$u20$alloc..collections..btree..node..Handle$LT$alloc..collections..btree..node..NodeRef$LT$alloc..collections..btree..node..marker..Dying$C$K$C$V$C$alloc..collections..btree..node..marker..Leaf$GT$$C$alloc..collections..btree..node..marker..Edge$GT$$GT$17deallocating_next17hc80c65312d7b9c68E:
.Lfunc_begin30:
	.cfi_startproc
	.cfi_personality 155, DW.ref.rust_eh_personality
	.cfi_lsda 27, .Lexception30
	subq	$328, %rsp
	.cfi_def_cfa_offset 336
	movq	%rdi, 32(%rsp)
	movq	%rdi, 40(%rsp)
	movq	8(%rsi), %rcx
	movq	(%rsi), %rdx
	movq	16(%rsi), %rax
	movq	%rdx, 56(%rsp)
	movq	%rcx, 64(%rsp)
	movq	%rax, 72(%rsp)
.LBB101_1:
	movq	72(%rsp), %rax
	movq	%rax, 24(%rsp)
	movq	56(%rsp), %rcx
	movzwl	274(%rcx), %ecx
	cmpq	%rcx, %rax
	jb	.LBB101_3
	movq	72(%rsp), %rax
	movq	%rax, 104(%rsp)
	movups	56(%rsp), %xmm0
	movups	%xmm0, 88(%rsp)
	movq	$1, 80(%rsp)
	movq	88(%rsp), %rax
	movq	%rax, 8(%rsp)
	movq	96(%rsp), %rax
	movq	%rax, 16(%rsp)
.Ltmp212:
	leaq	55(%rsp), %rdi
	callq	_ZN59_$LT$alloc..alloc..Global$u20$as$u20$core..clone..Clone$GT$5clone17h720c7a222124ffffE
.Ltmp213:
	jmp	.LBB101_6
.LBB101_3:
	movq	24(%rsp), %rax
	movq	56(%rsp), %rdx
	movq	64(%rsp), %rcx
	movq	%rdx, 288(%rsp)
	movq	%rcx, 296(%rsp)
	movq	%rax, 304(%rsp)
	movq	304(%rsp), %rax
	movq	%rax, 104(%rsp)
	movups	288(%rsp), %xmm0
	movups	%xmm0, 88(%rsp)
	movq	$0, 80(%rsp)
	movq	104(%rsp), %rax
	movq	%rax, 128(%rsp)
	movups	88(%rsp), %xmm0
	movaps	%xmm0, 112(%rsp)
	movq	128(%rsp), %rax
	movq	%rax, 224(%rsp)
	movaps	112(%rsp), %xmm0
	movaps	%xmm0, 208(%rsp)
.Ltmp216:
	movq	_ZN5alloc11collections5btree8navigate235_$LT$impl$u20$alloc..collections..btree..node..Handle$LT$alloc..collections..btree..node..NodeRef$LT$BorrowType$C$K$C$V$C$alloc..collections..btree..node..marker..LeafOrInternal$GT$$C$alloc..collections..btree..node..marker..KV$GT$$GT$14next_leaf_edge17he1b89f26306cc7e2E@GOTPCREL(%rip), %rax
	leaq	184(%rsp), %rdi
	leaq	208(%rsp), %rsi
	callq	*%rax
.Ltmp217:
	jmp	.LBB101_11
.LBB101_4:
	movq	312(%rsp), %rdi
	callq	_Unwind_Resume@PLT
.LBB101_5:
.Ltmp218:
	movq	%rax, %rcx
	movl	%edx, %eax
	movq	%rcx, 312(%rsp)
	movl	%eax, 320(%rsp)
	jmp	.LBB101_4
.LBB101_6:
.Ltmp214:
	movq	16(%rsp), %rdx
	movq	8(%rsp), %rsi
	movq	_ZN5alloc11collections5btree4node127NodeRef$LT$alloc..collections..btree..node..marker..Dying$C$K$C$V$C$alloc..collections..btree..node..marker..LeafOrInternal$GT$21deallocate_and_ascend17h94fdbe679ef355feE@GOTPCREL(%rip), %rax
	leaq	264(%rsp), %rdi
	callq	*%rax
.Ltmp215:
	jmp	.LBB101_7
.LBB101_7:
	movq	264(%rsp), %rdx
	movl	$1, %eax
	xorl	%ecx, %ecx
	cmpq	$0, %rdx
	cmoveq	%rcx, %rax
	testq	$1, %rax
	je	.LBB101_9
	movq	272(%rsp), %rcx
	movq	264(%rsp), %rdx
	movq	280(%rsp), %rax
	movq	%rdx, 56(%rsp)
	movq	%rcx, 64(%rsp)
	movq	%rax, 72(%rsp)
	jmp	.LBB101_1
.LBB101_9:
	movq	32(%rsp), %rax
	movq	$0, (%rax)
.LBB101_10:
	movq	40(%rsp), %rax
	addq	$328, %rsp
	.cfi_def_cfa_offset 8
	retq
.LBB101_11:
	.cfi_def_cfa_offset 336
	movq	32(%rsp), %rdi
	movq	112(%rsp), %rax
	movq	%rax, 240(%rsp)
	movq	120(%rsp), %rax
	movq	%rax, 248(%rsp)
	movq	128(%rsp), %rax
	movq	%rax, 256(%rsp)
	movq	184(%rsp), %rax
	movq	%rax, 136(%rsp)
	movq	192(%rsp), %rax
	movq	%rax, 144(%rsp)
	movq	200(%rsp), %rax
	movq	%rax, 152(%rsp)
	movq	240(%rsp), %rax
	movq	%rax, 160(%rsp)
	movq	248(%rsp), %rax
	movq	%rax, 168(%rsp)
	movq	256(%rsp), %rax
	movq	%rax, 176(%rsp)
	leaq	136(%rsp), %rsi
	movl	$48, %edx
	callq	memcpy@PLT
	jmp	.LBB101_10
.Lfunc_end101:
	.size	_ZN5alloc11collections5btree8navigate263_$LT$impl$u20$alloc..collections..btree..node..Handle$LT$alloc..collections..btree..node..NodeRef$LT$alloc..collections..btree..node..marker..Dying$C$K$C$V$C$alloc..collections..btree..node..marker..Leaf$GT$$C$alloc..collections..btree..node..marker..Edge$GT$$GT$17deallocating_next17hc80c65312d7b9c68E, .Lfunc_end101-_ZN5alloc11collections5btree8navigate263_$LT$impl$u20$alloc..collections..btree..node..Handle$LT$alloc..collections..btree..node..NodeRef$LT$alloc..collections..btree..node..marker..Dying$C$K$C$V$C$alloc..collections..btree..node..marker..Leaf$GT$$C$alloc..collections..btree..node..marker..Edge$GT$$GT$17deallocating_next17hc80c65312d7b9c68E
	.cfi_endproc
	.section	".gcc_except_table._ZN5alloc11collections5btree8navigate263_$LT$impl$u20$alloc..collections..btree..node..Handle$LT$alloc..collections..btree..node..NodeRef$LT$alloc..collections..btree..node..marker..Dying$C$K$C$V$C$alloc..collections..btree..node..marker..Leaf$GT$$C$alloc..collections..btree..node..marker..Edge$GT$$GT$17deallocating_next17hc80c65312d7b9c68E","a",@progbits
	.p2align	2, 0x0
GCC_except_table101:
.Lexception30:
	.byte	255
	.byte	255
	.byte	1
	.uleb128 .Lcst_end30-.Lcst_begin30
.Lcst_begin30:
	.uleb128 .Ltmp212-.Lfunc_begin30
	.uleb128 .Ltmp217-.Ltmp212
	.uleb128 .Ltmp218-.Lfunc_begin30
	.byte	0
	.uleb128 .Ltmp217-.Lfunc_begin30
	.uleb128 .Ltmp214-.Ltmp217
	.byte	0
	.byte	0
	.uleb128 .Ltmp214-.Lfunc_begin30
	.uleb128 .Ltmp215-.Ltmp214
	.uleb128 .Ltmp218-.Lfunc_begin30
	.byte	0
	.uleb128 .Ltmp215-.Lfunc_begin30
	.uleb128 .Lfunc_end101-.Ltmp215
	.byte	0
	.byte	0
.Lcst_end30:
	.p2align	2, 0x0

	.section	".text._ZN5alloc11collections5btree8navigate263_$LT$impl$u20$alloc..collections..btree..node..Handle$LT$alloc..collections..btree..node..NodeRef$LT$alloc..collections..btree..node..marker..Dying$C$K$C$V$C$alloc..collections..btree..node..marker..Leaf$GT$$C$alloc..collections..btree..node..marker..Edge$GT$$GT$27deallocating_next_unchecked28_$u7b$$u7b$closure$u7d$$u7d$17h819da613b4cf0315E","ax",@progbits
	.globl	_ZN5alloc11collections5btree8navigate263_$LT$impl$u20$alloc..collections..btree..node..Handle$LT$alloc..collections..btree..node..NodeRef$LT$alloc..collections..btree..node..marker..Dying$C$K$C$V$C$alloc..collections..btree..node..marker..Leaf$GT$$C$alloc..collections..btree..node..marker..Edge$GT$$GT$27deallocating_next_unchecked28_$u7b$$u7b$closure$u7d$$u7d$17h819da613b4cf0315E
	.p2align	4
	.type	_ZN5alloc11collections5btree8navigate263_$LT$impl$u20$alloc..collections..btree..node..Handle$LT$alloc..collections..btree..node..NodeRef$LT$alloc..collections..btree..node..marker..Dying$C$K$C$V$C$alloc..collections..btree..node..marker..Leaf$GT$$C$alloc..collections..btree..node..marker..Edge$GT$$GT$27deallocating_next_unchecked28_$u7b$$u7b$closure$u7d$$u7d$17h819da613b4cf0315E,@function
_ZN5alloc11collections5btree8navigate263_$LT$impl$u20$alloc..collections..btree..node..Handle$LT$alloc..collections..btree..node..NodeRef$LT$alloc..collections..btree..node..marker..Dying$C$K$C$V$C$alloc..collections..btree..node..marker..Leaf$GT$$C$alloc..collections..btree..node..marker..Edge$GT$$GT$27deallocating_next_unchecked28_$u7b$$u7b$closure$u7d$$u7d$17h819da613b4cf0315E:
	.cfi_startproc
	subq	$72, %rsp
	.cfi_def_cfa_offset 80
	movq	%rdi, 8(%rsp)
	movq	%rdi, 16(%rsp)
	leaq	24(%rsp), %rdi
	callq	*_ZN5alloc11collections5btree8navigate263_$LT$impl$u20$alloc..collections..btree..node..Handle$LT$alloc..collections..btree..node..NodeRef$LT$alloc..collections..btree..node..marker..Dying$C$K$C$V$C$alloc..collections..btree..node..marker..Leaf$GT$$C$alloc..collections..btree..node..marker..Edge$GT$$GT$17deallocating_next17hc80c65312d7b9c68E@GOTPCREL(%rip)
	movq	24(%rsp), %rdx
	movl	$1, %eax
	xorl	%ecx, %ecx
	cmpq	$0, %rdx
	cmoveq	%rcx, %rax
	testq	$1, %rax
	je	.LBB102_2
	movq	8(%rsp), %rdi
	leaq	24(%rsp), %rsi
	movl	$48, %edx
	callq	memcpy@PLT
	movq	16(%rsp), %rax
	addq	$72, %rsp
	.cfi_def_cfa_offset 8
	retq
.LBB102_2:
	.cfi_def_cfa_offset 80
	leaq	.Lanon.60bed5dcf488807794e55d614a93ec96.71(%rip), %rdi
	callq	*_RNvNtCsgEmfK2I1SDS_4core6option13unwrap_failed@GOTPCREL(%rip)
.Lfunc_end102:
	.size	_ZN5alloc11collections5btree8navigate263_$LT$impl$u20$alloc..collections..btree..node..Handle$LT$alloc..collections..btree..node..NodeRef$LT$alloc..collections..btree..node..marker..Dying$C$K$C$V$C$alloc..collections..btree..node..marker..Leaf$GT$$C$alloc..collections..btree..node..marker..Edge$GT$$GT$27deallocating_next_unchecked28_$u7b$$u7b$closure$u7d$$u7d$17h819da613b4cf0315E, .Lfunc_end102-_ZN5alloc11collections5btree8navigate263_$LT$impl$u20$alloc..collections..btree..node..Handle$LT$alloc..collections..btree..node..NodeRef$LT$alloc..collections..btree..node..marker..Dying$C$K$C$V$C$alloc..collections..btree..node..marker..Leaf$GT$$C$alloc..collections..btree..node..marker..Edge$GT$$GT$27deallocating_next_unchecked28_$u7b$$u7b$closure$u7d$$u7d$17h819da613b4cf0315E
	.cfi_endproc

	.section	".text._ZN5alloc11collections5btree8navigate39LazyLeafRange$LT$BorrowType$C$K$C$V$GT$10init_front17h99c9fc5614f23849E","ax",@progbits
	.globl	_ZN5alloc11collections5btree8navigate39LazyLeafRange$LT$BorrowType$C$K$C$V$GT$10init_front17h99c9fc5614f23849E
	.p2align	4
	.type	_ZN5alloc11collections5btree8navigate39LazyLeafRange$LT$BorrowType$C$K$C$V$GT$10init_front17h99c9fc5614f23849E,@function
_ZN5alloc11collections5btree8navigate39LazyLeafRange$LT$BorrowType$C$K$C$V$GT$10init_front17h99c9fc5614f23849E:
	.cfi_startproc
	subq	$152, %rsp
	.cfi_def_cfa_offset 160
	movq	%rdi, 16(%rsp)
	testq	$1, (%rdi)
	je	.LBB103_2
	movq	16(%rsp), %rax
	movq	8(%rax), %rdx
	movl	$1, %eax
	xorl	%ecx, %ecx
	cmpq	$0, %rdx
	cmoveq	%rcx, %rax
	testq	$1, %rax
	je	.LBB103_3
.LBB103_2:
	movq	16(%rsp), %rax
	testq	$1, (%rax)
	jne	.LBB103_9
	jmp	.LBB103_10
.LBB103_3:
	movq	16(%rsp), %rax
	movq	24(%rax), %rcx
	movq	%rcx, 136(%rsp)
	movq	16(%rax), %rax
	movq	%rax, 144(%rsp)
.LBB103_4:
	cmpq	$0, 136(%rsp)
	jne	.LBB103_6
	movq	16(%rsp), %rax
	movq	144(%rsp), %rcx
	movq	%rcx, 120(%rsp)
	movq	$0, 128(%rsp)
	movq	$0, 112(%rsp)
	movq	120(%rsp), %rdx
	movq	128(%rsp), %rcx
	movq	%rdx, 88(%rsp)
	movq	%rcx, 96(%rsp)
	movq	$0, 104(%rsp)
	movq	88(%rsp), %rcx
	movq	%rcx, 64(%rsp)
	movq	96(%rsp), %rcx
	movq	%rcx, 72(%rsp)
	movq	104(%rsp), %rcx
	movq	%rcx, 80(%rsp)
	movq	64(%rsp), %rcx
	movq	%rcx, 40(%rsp)
	movq	72(%rsp), %rcx
	movq	%rcx, 48(%rsp)
	movq	80(%rsp), %rcx
	movq	%rcx, 56(%rsp)
	movq	$1, 32(%rsp)
	movq	32(%rsp), %rcx
	movq	%rcx, (%rax)
	movq	40(%rsp), %rcx
	movq	%rcx, 8(%rax)
	movq	48(%rsp), %rcx
	movq	%rcx, 16(%rax)
	movq	56(%rsp), %rcx
	movq	%rcx, 24(%rax)
	jmp	.LBB103_2
.LBB103_6:
	movq	136(%rsp), %rax
	movq	144(%rsp), %rcx
	movq	%rcx, 120(%rsp)
	movq	%rax, 128(%rsp)
	movq	$1, 112(%rsp)
	movq	128(%rsp), %rax
	movq	%rax, (%rsp)
	movq	120(%rsp), %rax
	addq	$280, %rax
	movq	%rax, 8(%rsp)
	xorl	%eax, %eax
	movl	%eax, %edi
	movl	$12, %esi
	leaq	.Lanon.60bed5dcf488807794e55d614a93ec96.65(%rip), %rdx
	callq	_ZN75_$LT$usize$u20$as$u20$core..slice..index..SliceIndex$LT$$u5b$T$u5d$$GT$$GT$13get_unchecked18precondition_check17ha424f3ab1cd7f8a7E
	movq	(%rsp), %rax
	movq	8(%rsp), %rcx
	movq	(%rcx), %rcx
	movq	%rcx, 144(%rsp)
	subq	$1, %rax
	movq	%rax, 136(%rsp)
	jmp	.LBB103_4
.LBB103_9:
	movq	16(%rsp), %rax
	movq	8(%rax), %rdx
	movl	$1, %eax
	xorl	%ecx, %ecx
	cmpq	$0, %rdx
	cmoveq	%rcx, %rax
	testq	$1, %rax
	jne	.LBB103_12
	jmp	.LBB103_13
.LBB103_10:
	movq	$0, 24(%rsp)
.LBB103_11:
	movq	24(%rsp), %rax
	addq	$152, %rsp
	.cfi_def_cfa_offset 8
	retq
.LBB103_12:
	.cfi_def_cfa_offset 160
	movq	16(%rsp), %rax
	addq	$8, %rax
	movq	%rax, 24(%rsp)
	jmp	.LBB103_11
.LBB103_13:
	leaq	.Lanon.60bed5dcf488807794e55d614a93ec96.72(%rip), %rdi
	callq	_ZN4core4hint21unreachable_unchecked18precondition_check17h4a6be2bf84128ac9E
	ud2
.Lfunc_end103:
	.size	_ZN5alloc11collections5btree8navigate39LazyLeafRange$LT$BorrowType$C$K$C$V$GT$10init_front17h99c9fc5614f23849E, .Lfunc_end103-_ZN5alloc11collections5btree8navigate39LazyLeafRange$LT$BorrowType$C$K$C$V$GT$10init_front17h99c9fc5614f23849E
	.cfi_endproc

	.section	".text._ZN5alloc11collections5btree8navigate75LazyLeafRange$LT$alloc..collections..btree..node..marker..Dying$C$K$C$V$GT$10take_front17ha3dce4ff612e6d4fE","ax",@progbits
	.globl	_ZN5alloc11collections5btree8navigate75LazyLeafRange$LT$alloc..collections..btree..node..marker..Dying$C$K$C$V$GT$10take_front17ha3dce4ff612e6d4fE
	.p2align	4
	.type	_ZN5alloc11collections5btree8navigate75LazyLeafRange$LT$alloc..collections..btree..node..marker..Dying$C$K$C$V$GT$10take_front17ha3dce4ff612e6d4fE,@function
_ZN5alloc11collections5btree8navigate75LazyLeafRange$LT$alloc..collections..btree..node..marker..Dying$C$K$C$V$GT$10take_front17ha3dce4ff612e6d4fE:
	.cfi_startproc
	subq	$280, %rsp
	.cfi_def_cfa_offset 288
	movq	%rsi, 24(%rsp)
	movq	%rdi, 32(%rsp)
	movq	%rdi, 40(%rsp)
	movq	$0, 184(%rsp)
	movq	(%rsi), %rax
	movq	%rax, 80(%rsp)
	movq	8(%rsi), %rax
	movq	%rax, 88(%rsp)
	movq	16(%rsi), %rax
	movq	%rax, 96(%rsp)
	movq	24(%rsi), %rax
	movq	%rax, 104(%rsp)
	movq	184(%rsp), %rax
	movq	%rax, (%rsi)
	movq	192(%rsp), %rax
	movq	%rax, 8(%rsi)
	movq	200(%rsp), %rax
	movq	%rax, 16(%rsi)
	movq	208(%rsp), %rax
	movq	%rax, 24(%rsi)
	testq	$1, 80(%rsp)
	je	.LBB104_2
	movq	88(%rsp), %rax
	movq	%rax, 216(%rsp)
	movq	96(%rsp), %rax
	movq	%rax, 224(%rsp)
	movq	104(%rsp), %rax
	movq	%rax, 232(%rsp)
	movq	216(%rsp), %rax
	movq	%rax, 56(%rsp)
	movq	224(%rsp), %rax
	movq	%rax, 64(%rsp)
	movq	232(%rsp), %rax
	movq	%rax, 72(%rsp)
	movq	$0, 48(%rsp)
	movq	56(%rsp), %rax
	movq	%rax, 112(%rsp)
	movq	64(%rsp), %rax
	movq	%rax, 120(%rsp)
	movq	72(%rsp), %rax
	movq	%rax, 128(%rsp)
	movq	112(%rsp), %rdx
	movl	$1, %eax
	xorl	%ecx, %ecx
	cmpq	$0, %rdx
	cmoveq	%rcx, %rax
	testq	$1, %rax
	jne	.LBB104_4
	jmp	.LBB104_5
.LBB104_2:
	movq	32(%rsp), %rax
	movq	$0, (%rax)
.LBB104_3:
	movq	40(%rsp), %rax
	addq	$280, %rsp
	.cfi_def_cfa_offset 8
	retq
.LBB104_4:
	.cfi_def_cfa_offset 288
	movq	32(%rsp), %rax
	movq	112(%rsp), %rcx
	movq	%rcx, 160(%rsp)
	movq	120(%rsp), %rcx
	movq	%rcx, 168(%rsp)
	movq	128(%rsp), %rcx
	movq	%rcx, 176(%rsp)
	movq	160(%rsp), %rcx
	movq	%rcx, (%rax)
	movq	168(%rsp), %rcx
	movq	%rcx, 8(%rax)
	movq	176(%rsp), %rcx
	movq	%rcx, 16(%rax)
	jmp	.LBB104_9
.LBB104_5:
	movq	128(%rsp), %rax
	movq	%rax, 264(%rsp)
	movq	120(%rsp), %rax
	movq	%rax, 272(%rsp)
.LBB104_6:
	cmpq	$0, 264(%rsp)
	jne	.LBB104_8
	movq	32(%rsp), %rax
	movq	272(%rsp), %rcx
	movq	%rcx, 248(%rsp)
	movq	$0, 256(%rsp)
	movq	$0, 240(%rsp)
	movq	248(%rsp), %rdx
	movq	256(%rsp), %rcx
	movq	%rdx, 136(%rsp)
	movq	%rcx, 144(%rsp)
	movq	$0, 152(%rsp)
	movq	136(%rsp), %rcx
	movq	%rcx, (%rax)
	movq	144(%rsp), %rcx
	movq	%rcx, 8(%rax)
	movq	152(%rsp), %rcx
	movq	%rcx, 16(%rax)
	jmp	.LBB104_9
.LBB104_8:
	movq	264(%rsp), %rax
	movq	272(%rsp), %rcx
	movq	%rcx, 248(%rsp)
	movq	%rax, 256(%rsp)
	movq	$1, 240(%rsp)
	movq	256(%rsp), %rax
	movq	%rax, 8(%rsp)
	movq	248(%rsp), %rax
	addq	$280, %rax
	movq	%rax, 16(%rsp)
	jmp	.LBB104_10
.LBB104_9:
	jmp	.LBB104_3
.LBB104_10:
	xorl	%eax, %eax
	movl	%eax, %edi
	movl	$12, %esi
	leaq	.Lanon.60bed5dcf488807794e55d614a93ec96.65(%rip), %rdx
	callq	_ZN75_$LT$usize$u20$as$u20$core..slice..index..SliceIndex$LT$$u5b$T$u5d$$GT$$GT$13get_unchecked18precondition_check17ha424f3ab1cd7f8a7E
	movq	8(%rsp), %rax
	movq	16(%rsp), %rcx
	movq	(%rcx), %rcx
	movq	%rcx, 272(%rsp)
	subq	$1, %rax
	movq	%rax, 264(%rsp)
	jmp	.LBB104_6
.Lfunc_end104:
	.size	_ZN5alloc11collections5btree8navigate75LazyLeafRange$LT$alloc..collections..btree..node..marker..Dying$C$K$C$V$GT$10take_front17ha3dce4ff612e6d4fE, .Lfunc_end104-_ZN5alloc11collections5btree8navigate75LazyLeafRange$LT$alloc..collections..btree..node..marker..Dying$C$K$C$V$GT$10take_front17ha3dce4ff612e6d4fE
	.cfi_endproc

	.section	".text._ZN5alloc11collections5btree8navigate75LazyLeafRange$LT$alloc..collections..btree..node..marker..Dying$C$K$C$V$GT$16deallocating_end17heb6d5e900c6ab634E","ax",@progbits
	.globl	_ZN5alloc11collections5btree8navigate75LazyLeafRange$LT$alloc..collections..btree..node..marker..Dying$C$K$C$V$GT$16deallocating_end17heb6d5e900c6ab634E
	.p2align	4
	.type	_ZN5alloc11collections5btree8navigate75LazyLeafRange$LT$alloc..collections..btree..node..marker..Dying$C$K$C$V$GT$16deallocating_end17heb6d5e900c6ab634E,@function
_ZN5alloc11collections5btree8navigate75LazyLeafRange$LT$alloc..collections..btree..node..marker..Dying$C$K$C$V$GT$16deallocating_end17heb6d5e900c6ab634E:
.Lfunc_begin31:
	.cfi_startproc
	.cfi_personality 155, DW.ref.rust_eh_personality
	.cfi_lsda 27, .Lexception31
	subq	$88, %rsp
	.cfi_def_cfa_offset 96
	movq	%rdi, %rsi
	movb	$1, 71(%rsp)
.Ltmp219:
	movq	_ZN5alloc11collections5btree8navigate75LazyLeafRange$LT$alloc..collections..btree..node..marker..Dying$C$K$C$V$GT$10take_front17ha3dce4ff612e6d4fE@GOTPCREL(%rip), %rax
	leaq	8(%rsp), %rdi
	callq	*%rax
.Ltmp220:
	jmp	.LBB105_3
.LBB105_1:
	testb	$1, 71(%rsp)
	jne	.LBB105_9
	jmp	.LBB105_8
.LBB105_2:
.Ltmp223:
	movq	%rax, %rcx
	movl	%edx, %eax
	movq	%rcx, 72(%rsp)
	movl	%eax, 80(%rsp)
	jmp	.LBB105_1
.LBB105_3:
	movq	8(%rsp), %rdx
	movl	$1, %eax
	xorl	%ecx, %ecx
	cmpq	$0, %rdx
	cmoveq	%rcx, %rax
	testq	$1, %rax
	je	.LBB105_5
	movq	24(%rsp), %rax
	movq	%rax, 48(%rsp)
	movups	8(%rsp), %xmm0
	movaps	%xmm0, 32(%rsp)
	movb	$0, 71(%rsp)
.Ltmp221:
	movq	_ZN5alloc11collections5btree8navigate263_$LT$impl$u20$alloc..collections..btree..node..Handle$LT$alloc..collections..btree..node..NodeRef$LT$alloc..collections..btree..node..marker..Dying$C$K$C$V$C$alloc..collections..btree..node..marker..Leaf$GT$$C$alloc..collections..btree..node..marker..Edge$GT$$GT$16deallocating_end17hf7f61d5657b39c40E@GOTPCREL(%rip), %rax
	leaq	32(%rsp), %rdi
	callq	*%rax
.Ltmp222:
	jmp	.LBB105_6
.LBB105_5:
	jmp	.LBB105_7
.LBB105_6:
	jmp	.LBB105_7
.LBB105_7:
	addq	$88, %rsp
	.cfi_def_cfa_offset 8
	retq
.LBB105_8:
	.cfi_def_cfa_offset 96
	movq	72(%rsp), %rdi
	callq	_Unwind_Resume@PLT
.LBB105_9:
	jmp	.LBB105_8
.Lfunc_end105:
	.size	_ZN5alloc11collections5btree8navigate75LazyLeafRange$LT$alloc..collections..btree..node..marker..Dying$C$K$C$V$GT$16deallocating_end17heb6d5e900c6ab634E, .Lfunc_end105-_ZN5alloc11collections5btree8navigate75LazyLeafRange$LT$alloc..collections..btree..node..marker..Dying$C$K$C$V$GT$16deallocating_end17heb6d5e900c6ab634E
	.cfi_endproc
	.section	".gcc_except_table._ZN5alloc11collections5btree8navigate75LazyLeafRange$LT$alloc..collections..btree..node..marker..Dying$C$K$C$V$GT$16deallocating_end17heb6d5e900c6ab634E","a",@progbits
	.p2align	2, 0x0
GCC_except_table105:
.Lexception31:
	.byte	255
	.byte	255
	.byte	1
	.uleb128 .Lcst_end31-.Lcst_begin31
.Lcst_begin31:
	.uleb128 .Ltmp219-.Lfunc_begin31
	.uleb128 .Ltmp222-.Ltmp219
	.uleb128 .Ltmp223-.Lfunc_begin31
	.byte	0
	.uleb128 .Ltmp222-.Lfunc_begin31
	.uleb128 .Lfunc_end105-.Ltmp222
	.byte	0
	.byte	0
.Lcst_end31:
	.p2align	2, 0x0

	.section	".text._ZN5alloc11collections5btree8navigate75LazyLeafRange$LT$alloc..collections..btree..node..marker..Dying$C$K$C$V$GT$27deallocating_next_unchecked17hce68bddc166a79d2E","ax",@progbits
	.globl	_ZN5alloc11collections5btree8navigate75LazyLeafRange$LT$alloc..collections..btree..node..marker..Dying$C$K$C$V$GT$27deallocating_next_unchecked17hce68bddc166a79d2E
	.p2align	4
	.type	_ZN5alloc11collections5btree8navigate75LazyLeafRange$LT$alloc..collections..btree..node..marker..Dying$C$K$C$V$GT$27deallocating_next_unchecked17hce68bddc166a79d2E,@function
_ZN5alloc11collections5btree8navigate75LazyLeafRange$LT$alloc..collections..btree..node..marker..Dying$C$K$C$V$GT$27deallocating_next_unchecked17hce68bddc166a79d2E:
.Lfunc_begin32:
	.cfi_startproc
	.cfi_personality 155, DW.ref.rust_eh_personality
	.cfi_lsda 27, .Lexception32
	subq	$72, %rsp
	.cfi_def_cfa_offset 80
	movq	%rsi, 8(%rsp)
	movq	%rdi, %rax
	movq	8(%rsp), %rdi
	movq	%rax, 16(%rsp)
	movq	%rax, 24(%rsp)
	movb	$1, 55(%rsp)
.Ltmp224:
	movq	_ZN5alloc11collections5btree8navigate39LazyLeafRange$LT$BorrowType$C$K$C$V$GT$10init_front17h99c9fc5614f23849E@GOTPCREL(%rip), %rax
	callq	*%rax
.Ltmp225:
	movq	%rax, 32(%rsp)
	jmp	.LBB106_3
.LBB106_1:
	testb	$1, 55(%rsp)
	jne	.LBB106_9
	jmp	.LBB106_8
.LBB106_2:
.Ltmp230:
	movq	%rax, %rcx
	movl	%edx, %eax
	movq	%rcx, 56(%rsp)
	movl	%eax, 64(%rsp)
	jmp	.LBB106_1
.LBB106_3:
	movq	32(%rsp), %rax
	movq	%rax, 40(%rsp)
	movq	40(%rsp), %rdx
	movl	$1, %eax
	xorl	%ecx, %ecx
	cmpq	$0, %rdx
	cmoveq	%rcx, %rax
	testq	$1, %rax
	je	.LBB106_5
	movq	16(%rsp), %rdi
	movq	40(%rsp), %rsi
	movb	$0, 55(%rsp)
.Ltmp228:
	movq	_ZN5alloc11collections5btree3mem7replace17h3967a7e7d599da8aE@GOTPCREL(%rip), %rax
	callq	*%rax
.Ltmp229:
	jmp	.LBB106_7
.LBB106_5:
.Ltmp226:
	leaq	.Lanon.60bed5dcf488807794e55d614a93ec96.73(%rip), %rdi
	movq	_RNvNtCsgEmfK2I1SDS_4core6option13unwrap_failed@GOTPCREL(%rip), %rax
	callq	*%rax
.Ltmp227:
	jmp	.LBB106_6
.LBB106_6:
	ud2
.LBB106_7:
	movq	24(%rsp), %rax
	addq	$72, %rsp
	.cfi_def_cfa_offset 8
	retq
.LBB106_8:
	.cfi_def_cfa_offset 80
	movq	56(%rsp), %rdi
	callq	_Unwind_Resume@PLT
.LBB106_9:
	jmp	.LBB106_8
.Lfunc_end106:
	.size	_ZN5alloc11collections5btree8navigate75LazyLeafRange$LT$alloc..collections..btree..node..marker..Dying$C$K$C$V$GT$27deallocating_next_unchecked17hce68bddc166a79d2E, .Lfunc_end106-_ZN5alloc11collections5btree8navigate75LazyLeafRange$LT$alloc..collections..btree..node..marker..Dying$C$K$C$V$GT$27deallocating_next_unchecked17hce68bddc166a79d2E
	.cfi_endproc
	.section	".gcc_except_table._ZN5alloc11collections5btree8navigate75LazyLeafRange$LT$alloc..collections..btree..node..marker..Dying$C$K$C$V$GT$27deallocating_next_unchecked17hce68bddc166a79d2E","a",@progbits
	.p2align	2, 0x0
GCC_except_table106:
.Lexception32:
	.byte	255
	.byte	255
	.byte	1
	.uleb128 .Lcst_end32-.Lcst_begin32
.Lcst_begin32:
	.uleb128 .Ltmp224-.Lfunc_begin32
	.uleb128 .Ltmp227-.Ltmp224
	.uleb128 .Ltmp230-.Lfunc_begin32
	.byte	0
	.uleb128 .Ltmp227-.Lfunc_begin32
	.uleb128 .Lfunc_end106-.Ltmp227
	.byte	0
	.byte	0
.Lcst_end32:
	.p2align	2, 0x0

	.section	.text._ZN5alloc5alloc6Global18alloc_impl_runtime17h9a56b02f05498839E,"ax",@progbits
	.p2align	4
	.type	_ZN5alloc5alloc6Global18alloc_impl_runtime17h9a56b02f05498839E,@function
_ZN5alloc5alloc6Global18alloc_impl_runtime17h9a56b02f05498839E:
	.cfi_startproc
	subq	$88, %rsp
	.cfi_def_cfa_offset 96
	movq	%rsi, 16(%rsp)
	movq	%rdi, 24(%rsp)
	movb	%dl, %al
	movb	%al, 39(%rsp)
	cmpq	$0, %rsi
	jne	.LBB107_2
	jmp	.LBB107_3
.LBB107_2:
	movb	39(%rsp), %al
	testb	$1, %al
	jne	.LBB107_7
	jmp	.LBB107_6
.LBB107_3:
	movq	24(%rsp), %rdi
	leaq	.Lanon.60bed5dcf488807794e55d614a93ec96.74(%rip), %rsi
	callq	_ZN4core3ptr8non_null16NonNull$LT$T$GT$13new_unchecked18precondition_check17h6026ee14bec0b41bE
	movq	24(%rsp), %rax
	movq	%rax, 40(%rsp)
	movq	$0, 48(%rsp)
.LBB107_5:
	movq	40(%rsp), %rax
	movq	48(%rsp), %rdx
	addq	$88, %rsp
	.cfi_def_cfa_offset 8
	retq
.LBB107_6:
	.cfi_def_cfa_offset 96
	callq	*_RNvCsfLfy6EI15iL_7___rustc35___rust_no_alloc_shim_is_unstable_v2@GOTPCREL(%rip)
	movq	16(%rsp), %rdi
	movq	24(%rsp), %rsi
	callq	*_RNvCsfLfy6EI15iL_7___rustc12___rust_alloc@GOTPCREL(%rip)
	movq	%rax, 56(%rsp)
	jmp	.LBB107_8
.LBB107_7:
	callq	*_RNvCsfLfy6EI15iL_7___rustc35___rust_no_alloc_shim_is_unstable_v2@GOTPCREL(%rip)
	movq	16(%rsp), %rdi
	movq	24(%rsp), %rsi
	callq	*_RNvCsfLfy6EI15iL_7___rustc19___rust_alloc_zeroed@GOTPCREL(%rip)
	movq	%rax, 56(%rsp)
.LBB107_8:
	movq	56(%rsp), %rax
	cmpq	$0, %rax
	jne	.LBB107_10
	movq	$0, 80(%rsp)
	movq	$0, 72(%rsp)
	movq	.Lanon.60bed5dcf488807794e55d614a93ec96.26(%rip), %rcx
	movq	.Lanon.60bed5dcf488807794e55d614a93ec96.26+8(%rip), %rax
	movq	%rcx, 40(%rsp)
	movq	%rax, 48(%rsp)
	jmp	.LBB107_5
.LBB107_10:
	jmp	.LBB107_11
.LBB107_11:
	movq	56(%rsp), %rdi
	leaq	.Lanon.60bed5dcf488807794e55d614a93ec96.75(%rip), %rsi
	callq	_ZN4core3ptr8non_null16NonNull$LT$T$GT$13new_unchecked18precondition_check17h6026ee14bec0b41bE
	movq	56(%rsp), %rax
	movq	%rax, 80(%rsp)
	movq	80(%rsp), %rax
	movq	%rax, 72(%rsp)
	movq	72(%rsp), %rax
	movq	%rax, 64(%rsp)
	movq	64(%rsp), %rax
	movq	%rax, 8(%rsp)
	movq	8(%rsp), %rdi
	leaq	.Lanon.60bed5dcf488807794e55d614a93ec96.74(%rip), %rsi
	callq	_ZN4core3ptr8non_null16NonNull$LT$T$GT$13new_unchecked18precondition_check17h6026ee14bec0b41bE
	movq	16(%rsp), %rax
	movq	8(%rsp), %rcx
	movq	%rcx, 40(%rsp)
	movq	%rax, 48(%rsp)
	jmp	.LBB107_5
.Lfunc_end107:
	.size	_ZN5alloc5alloc6Global18alloc_impl_runtime17h9a56b02f05498839E, .Lfunc_end107-_ZN5alloc5alloc6Global18alloc_impl_runtime17h9a56b02f05498839E
	.cfi_endproc

	.section	".text._ZN5alloc5boxed16Box$LT$T$C$A$GT$13new_uninit_in17h4834a355cfd4a848E","ax",@progbits
	.globl	_ZN5alloc5boxed16Box$LT$T$C$A$GT$13new_uninit_in17h4834a355cfd4a848E
	.p2align	4
	.type	_ZN5alloc5boxed16Box$LT$T$C$A$GT$13new_uninit_in17h4834a355cfd4a848E,@function
_ZN5alloc5boxed16Box$LT$T$C$A$GT$13new_uninit_in17h4834a355cfd4a848E:
	.cfi_startproc
	pushq	%rax
	.cfi_def_cfa_offset 16
	callq	*_ZN5alloc5boxed16Box$LT$T$C$A$GT$17try_new_uninit_in17hfc0793ffce7d5290E@GOTPCREL(%rip)
	movq	%rax, (%rsp)
	movq	(%rsp), %rdx
	xorl	%eax, %eax
	movl	$1, %ecx
	cmpq	$0, %rdx
	cmoveq	%rcx, %rax
	testq	$1, %rax
	je	.LBB108_2
	movl	$8, %edi
	movl	$280, %esi
	callq	*_RNvNtCslNYArtu3iFV_5alloc5alloc18handle_alloc_error@GOTPCREL(%rip)
.LBB108_2:
	movq	(%rsp), %rax
	popq	%rcx
	.cfi_def_cfa_offset 8
	retq
.Lfunc_end108:
	.size	_ZN5alloc5boxed16Box$LT$T$C$A$GT$13new_uninit_in17h4834a355cfd4a848E, .Lfunc_end108-_ZN5alloc5boxed16Box$LT$T$C$A$GT$13new_uninit_in17h4834a355cfd4a848E
	.cfi_endproc

	.section	".text._ZN5alloc5boxed16Box$LT$T$C$A$GT$13new_uninit_in17h6d00a0e05895f2f0E","ax",@progbits
	.globl	_ZN5alloc5boxed16Box$LT$T$C$A$GT$13new_uninit_in17h6d00a0e05895f2f0E
	.p2align	4
	.type	_ZN5alloc5boxed16Box$LT$T$C$A$GT$13new_uninit_in17h6d00a0e05895f2f0E,@function
_ZN5alloc5boxed16Box$LT$T$C$A$GT$13new_uninit_in17h6d00a0e05895f2f0E:
	.cfi_startproc
	pushq	%rax
	.cfi_def_cfa_offset 16
	callq	*_ZN5alloc5boxed16Box$LT$T$C$A$GT$17try_new_uninit_in17he9c2dd0c928b08e0E@GOTPCREL(%rip)
	movq	%rax, (%rsp)
	movq	(%rsp), %rdx
	xorl	%eax, %eax
	movl	$1, %ecx
	cmpq	$0, %rdx
	cmoveq	%rcx, %rax
	testq	$1, %rax
	je	.LBB109_2
	movl	$8, %edi
	movl	$376, %esi
	callq	*_RNvNtCslNYArtu3iFV_5alloc5alloc18handle_alloc_error@GOTPCREL(%rip)
.LBB109_2:
	movq	(%rsp), %rax
	popq	%rcx
	.cfi_def_cfa_offset 8
	retq
.Lfunc_end109:
	.size	_ZN5alloc5boxed16Box$LT$T$C$A$GT$13new_uninit_in17h6d00a0e05895f2f0E, .Lfunc_end109-_ZN5alloc5boxed16Box$LT$T$C$A$GT$13new_uninit_in17h6d00a0e05895f2f0E
	.cfi_endproc

	.section	".text._ZN5alloc5boxed16Box$LT$T$C$A$GT$17try_new_uninit_in17he9c2dd0c928b08e0E","ax",@progbits
	.globl	_ZN5alloc5boxed16Box$LT$T$C$A$GT$17try_new_uninit_in17he9c2dd0c928b08e0E
	.p2align	4
	.type	_ZN5alloc5boxed16Box$LT$T$C$A$GT$17try_new_uninit_in17he9c2dd0c928b08e0E,@function
_ZN5alloc5boxed16Box$LT$T$C$A$GT$17try_new_uninit_in17he9c2dd0c928b08e0E:
.Lfunc_begin33:
	.cfi_startproc
	.cfi_personality 155, DW.ref.rust_eh_personality
	.cfi_lsda 27, .Lexception33
	subq	$88, %rsp
	.cfi_def_cfa_offset 96
.Ltmp231:
	leaq	23(%rsp), %rdi
	movl	$8, %esi
	movl	$376, %edx
	callq	_ZN63_$LT$alloc..alloc..Global$u20$as$u20$core..alloc..Allocator$GT$8allocate17he9fae2bef004f14aE
.Ltmp232:
	movq	%rdx, (%rsp)
	movq	%rax, 8(%rsp)
	jmp	.LBB110_4
.LBB110_2:
	movq	72(%rsp), %rdi
	callq	_Unwind_Resume@PLT
.LBB110_3:
.Ltmp233:
	movq	%rax, %rcx
	movl	%edx, %eax
	movq	%rcx, 72(%rsp)
	movl	%eax, 80(%rsp)
	jmp	.LBB110_2
.LBB110_4:
	movq	(%rsp), %rax
	movq	8(%rsp), %rcx
	movq	%rcx, 56(%rsp)
	movq	%rax, 64(%rsp)
	movq	56(%rsp), %rdx
	xorl	%eax, %eax
	movl	$1, %ecx
	cmpq	$0, %rdx
	cmoveq	%rcx, %rax
	testq	$1, %rax
	je	.LBB110_6
	movq	$0, 24(%rsp)
	jmp	.LBB110_10
.LBB110_6:
	movq	56(%rsp), %rcx
	movq	64(%rsp), %rax
	movq	%rcx, 40(%rsp)
	movq	%rax, 48(%rsp)
	movq	40(%rsp), %rax
	movq	%rax, 32(%rsp)
	movq	32(%rsp), %rdi
	leaq	.Lanon.60bed5dcf488807794e55d614a93ec96.77(%rip), %rsi
	callq	_ZN4core3ptr8non_null16NonNull$LT$T$GT$13new_unchecked18precondition_check17h6026ee14bec0b41bE
	movq	32(%rsp), %rax
	movq	%rax, 24(%rsp)
.LBB110_10:
	movq	24(%rsp), %rax
	addq	$88, %rsp
	.cfi_def_cfa_offset 8
	retq
.Lfunc_end110:
	.size	_ZN5alloc5boxed16Box$LT$T$C$A$GT$17try_new_uninit_in17he9c2dd0c928b08e0E, .Lfunc_end110-_ZN5alloc5boxed16Box$LT$T$C$A$GT$17try_new_uninit_in17he9c2dd0c928b08e0E
	.cfi_endproc
	.section	".gcc_except_table._ZN5alloc5boxed16Box$LT$T$C$A$GT$17try_new_uninit_in17he9c2dd0c928b08e0E","a",@progbits
	.p2align	2, 0x0
GCC_except_table110:
.Lexception33:
	.byte	255
	.byte	255
	.byte	1
	.uleb128 .Lcst_end33-.Lcst_begin33
.Lcst_begin33:
	.uleb128 .Ltmp231-.Lfunc_begin33
	.uleb128 .Ltmp232-.Ltmp231
	.uleb128 .Ltmp233-.Lfunc_begin33
	.byte	0
	.uleb128 .Ltmp232-.Lfunc_begin33
	.uleb128 .Lfunc_end110-.Ltmp232
	.byte	0
	.byte	0
.Lcst_end33:
	.p2align	2, 0x0

	.section	".text._ZN5alloc5boxed16Box$LT$T$C$A$GT$17try_new_uninit_in17hfc0793ffce7d5290E","ax",@progbits
	.globl	_ZN5alloc5boxed16Box$LT$T$C$A$GT$17try_new_uninit_in17hfc0793ffce7d5290E
	.p2align	4
	.type	_ZN5alloc5boxed16Box$LT$T$C$A$GT$17try_new_uninit_in17hfc0793ffce7d5290E,@function
_ZN5alloc5boxed16Box$LT$T$C$A$GT$17try_new_uninit_in17hfc0793ffce7d5290E:
.Lfunc_begin34:
	.cfi_startproc
	.cfi_personality 155, DW.ref.rust_eh_personality
	.cfi_lsda 27, .Lexception34
	subq	$88, %rsp
	.cfi_def_cfa_offset 96
.Ltmp234:
	leaq	23(%rsp), %rdi
	movl	$8, %esi
	movl	$280, %edx
	callq	_ZN63_$LT$alloc..alloc..Global$u20$as$u20$core..alloc..Allocator$GT$8allocate17he9fae2bef004f14aE
.Ltmp235:
	movq	%rdx, (%rsp)
	movq	%rax, 8(%rsp)
	jmp	.LBB111_4
.LBB111_2:
	movq	72(%rsp), %rdi
	callq	_Unwind_Resume@PLT
.LBB111_3:
.Ltmp236:
	movq	%rax, %rcx
	movl	%edx, %eax
	movq	%rcx, 72(%rsp)
	movl	%eax, 80(%rsp)
	jmp	.LBB111_2
.LBB111_4:
	movq	(%rsp), %rax
	movq	8(%rsp), %rcx
	movq	%rcx, 56(%rsp)
	movq	%rax, 64(%rsp)
	movq	56(%rsp), %rdx
	xorl	%eax, %eax
	movl	$1, %ecx
	cmpq	$0, %rdx
	cmoveq	%rcx, %rax
	testq	$1, %rax
	je	.LBB111_6
	movq	$0, 24(%rsp)
	jmp	.LBB111_10
.LBB111_6:
	movq	56(%rsp), %rcx
	movq	64(%rsp), %rax
	movq	%rcx, 40(%rsp)
	movq	%rax, 48(%rsp)
	movq	40(%rsp), %rax
	movq	%rax, 32(%rsp)
	movq	32(%rsp), %rdi
	leaq	.Lanon.60bed5dcf488807794e55d614a93ec96.77(%rip), %rsi
	callq	_ZN4core3ptr8non_null16NonNull$LT$T$GT$13new_unchecked18precondition_check17h6026ee14bec0b41bE
	movq	32(%rsp), %rax
	movq	%rax, 24(%rsp)
.LBB111_10:
	movq	24(%rsp), %rax
	addq	$88, %rsp
	.cfi_def_cfa_offset 8
	retq
.Lfunc_end111:
	.size	_ZN5alloc5boxed16Box$LT$T$C$A$GT$17try_new_uninit_in17hfc0793ffce7d5290E, .Lfunc_end111-_ZN5alloc5boxed16Box$LT$T$C$A$GT$17try_new_uninit_in17hfc0793ffce7d5290E
	.cfi_endproc
	.section	".gcc_except_table._ZN5alloc5boxed16Box$LT$T$C$A$GT$17try_new_uninit_in17hfc0793ffce7d5290E","a",@progbits
	.p2align	2, 0x0
GCC_except_table111:
.Lexception34:
	.byte	255
	.byte	255
	.byte	1
	.uleb128 .Lcst_end34-.Lcst_begin34
.Lcst_begin34:
	.uleb128 .Ltmp234-.Lfunc_begin34
	.uleb128 .Ltmp235-.Ltmp234
	.uleb128 .Ltmp236-.Lfunc_begin34
	.byte	0
	.uleb128 .Ltmp235-.Lfunc_begin34
	.uleb128 .Lfunc_end111-.Ltmp235
	.byte	0
	.byte	0
.Lcst_end34:
	.p2align	2, 0x0

	.section	".text._ZN63_$LT$I$u20$as$u20$core..iter..traits..collect..IntoIterator$GT$9into_iter17hb1db970849703ab0E","ax",@progbits
	.globl	_ZN63_$LT$I$u20$as$u20$core..iter..traits..collect..IntoIterator$GT$9into_iter17hb1db970849703ab0E
	.p2align	4
	.type	_ZN63_$LT$I$u20$as$u20$core..iter..traits..collect..IntoIterator$GT$9into_iter17hb1db970849703ab0E,@function
_ZN63_$LT$I$u20$as$u20$core..iter..traits..collect..IntoIterator$GT$9into_iter17hb1db970849703ab0E:
	.cfi_startproc
	pushq	%rax
	.cfi_def_cfa_offset 16
	movq	%rdi, %rax
	movq	%rax, (%rsp)
	movl	$64, %edx
	callq	memcpy@PLT
	movq	(%rsp), %rax
	popq	%rcx
	.cfi_def_cfa_offset 8
	retq
.Lfunc_end112:
	.size	_ZN63_$LT$I$u20$as$u20$core..iter..traits..collect..IntoIterator$GT$9into_iter17hb1db970849703ab0E, .Lfunc_end112-_ZN63_$LT$I$u20$as$u20$core..iter..traits..collect..IntoIterator$GT$9into_iter17hb1db970849703ab0E
	.cfi_endproc

	.section	".text._ZN63_$LT$alloc..alloc..Global$u20$as$u20$core..alloc..Allocator$GT$10deallocate17h0a91bb97ac857f8fE","ax",@progbits
	.p2align	4
	.type	_ZN63_$LT$alloc..alloc..Global$u20$as$u20$core..alloc..Allocator$GT$10deallocate17h0a91bb97ac857f8fE,@function
_ZN63_$LT$alloc..alloc..Global$u20$as$u20$core..alloc..Allocator$GT$10deallocate17h0a91bb97ac857f8fE:
	.cfi_startproc
	subq	$24, %rsp
	.cfi_def_cfa_offset 32
	movq	%rsi, (%rsp)
	movq	%rdx, 8(%rsp)
	movq	%rcx, 16(%rsp)
	cmpq	$0, %rcx
	jne	.LBB113_2
.LBB113_1:
	addq	$24, %rsp
	.cfi_def_cfa_offset 8
	retq
.LBB113_2:
	.cfi_def_cfa_offset 32
	movq	8(%rsp), %rdx
	movq	16(%rsp), %rsi
	movq	(%rsp), %rdi
	callq	*_RNvCsfLfy6EI15iL_7___rustc14___rust_dealloc@GOTPCREL(%rip)
	jmp	.LBB113_1
.Lfunc_end113:
	.size	_ZN63_$LT$alloc..alloc..Global$u20$as$u20$core..alloc..Allocator$GT$10deallocate17h0a91bb97ac857f8fE, .Lfunc_end113-_ZN63_$LT$alloc..alloc..Global$u20$as$u20$core..alloc..Allocator$GT$10deallocate17h0a91bb97ac857f8fE
	.cfi_endproc

	.section	".text._ZN63_$LT$alloc..alloc..Global$u20$as$u20$core..alloc..Allocator$GT$8allocate17he9fae2bef004f14aE","ax",@progbits
	.p2align	4
	.type	_ZN63_$LT$alloc..alloc..Global$u20$as$u20$core..alloc..Allocator$GT$8allocate17he9fae2bef004f14aE,@function
_ZN63_$LT$alloc..alloc..Global$u20$as$u20$core..alloc..Allocator$GT$8allocate17he9fae2bef004f14aE:
	.cfi_startproc
	subq	$24, %rsp
	.cfi_def_cfa_offset 32
	movq	%rdx, 8(%rsp)
	movq	%rsi, %rax
	movq	8(%rsp), %rsi
	movq	%rax, 16(%rsp)
	movq	%rdi, %rax
	movq	16(%rsp), %rdi
	xorl	%edx, %edx
	callq	_ZN5alloc5alloc6Global18alloc_impl_runtime17h9a56b02f05498839E
	addq	$24, %rsp
	.cfi_def_cfa_offset 8
	retq
.Lfunc_end114:
	.size	_ZN63_$LT$alloc..alloc..Global$u20$as$u20$core..alloc..Allocator$GT$8allocate17he9fae2bef004f14aE, .Lfunc_end114-_ZN63_$LT$alloc..alloc..Global$u20$as$u20$core..alloc..Allocator$GT$8allocate17he9fae2bef004f14aE
	.cfi_endproc

	.section	".text._ZN72_$LT$alloc..boxed..Box$LT$T$C$A$GT$$u20$as$u20$core..ops..drop..Drop$GT$4drop17h13f6de1fbab85e60E","ax",@progbits
	.globl	_ZN72_$LT$alloc..boxed..Box$LT$T$C$A$GT$$u20$as$u20$core..ops..drop..Drop$GT$4drop17h13f6de1fbab85e60E
	.p2align	4
	.type	_ZN72_$LT$alloc..boxed..Box$LT$T$C$A$GT$$u20$as$u20$core..ops..drop..Drop$GT$4drop17h13f6de1fbab85e60E,@function
_ZN72_$LT$alloc..boxed..Box$LT$T$C$A$GT$$u20$as$u20$core..ops..drop..Drop$GT$4drop17h13f6de1fbab85e60E:
	.cfi_startproc
	subq	$56, %rsp
	.cfi_def_cfa_offset 64
	movq	%rdi, 8(%rsp)
	movq	(%rdi), %rax
	movq	%rax, 16(%rsp)
	movq	$376, 40(%rsp)
	movq	40(%rsp), %rax
	movq	%rax, 24(%rsp)
	movq	$8, 48(%rsp)
	movq	48(%rsp), %rax
	movq	%rax, 32(%rsp)
	movq	32(%rsp), %rdi
	leaq	.Lanon.60bed5dcf488807794e55d614a93ec96.79(%rip), %rsi
	callq	_ZN4core3ptr9alignment9Alignment13new_unchecked18precondition_check17hd44f83070c40cd11E
	jmp	.LBB115_3
.LBB115_3:
	movq	32(%rsp), %rsi
	movq	24(%rsp), %rdi
	leaq	.Lanon.60bed5dcf488807794e55d614a93ec96.81(%rip), %rdx
	callq	_ZN4core5alloc6layout6Layout29from_size_alignment_unchecked18precondition_check17hd15920bb5e33b4e0E
	movq	24(%rsp), %rax
	cmpq	$0, %rax
	jne	.LBB115_6
.LBB115_5:
	addq	$56, %rsp
	.cfi_def_cfa_offset 8
	retq
.LBB115_6:
	.cfi_def_cfa_offset 64
	movq	24(%rsp), %rcx
	movq	32(%rsp), %rdx
	movq	16(%rsp), %rsi
	movq	8(%rsp), %rdi
	addq	$8, %rdi
	callq	_ZN63_$LT$alloc..alloc..Global$u20$as$u20$core..alloc..Allocator$GT$10deallocate17h0a91bb97ac857f8fE
	jmp	.LBB115_5
.Lfunc_end115:
	.size	_ZN72_$LT$alloc..boxed..Box$LT$T$C$A$GT$$u20$as$u20$core..ops..drop..Drop$GT$4drop17h13f6de1fbab85e60E, .Lfunc_end115-_ZN72_$LT$alloc..boxed..Box$LT$T$C$A$GT$$u20$as$u20$core..ops..drop..Drop$GT$4drop17h13f6de1fbab85e60E
	.cfi_endproc

	.section	".text._ZN72_$LT$alloc..boxed..Box$LT$T$C$A$GT$$u20$as$u20$core..ops..drop..Drop$GT$4drop17h14d0fa44809cd2ffE","ax",@progbits
	.globl	_ZN72_$LT$alloc..boxed..Box$LT$T$C$A$GT$$u20$as$u20$core..ops..drop..Drop$GT$4drop17h14d0fa44809cd2ffE
	.p2align	4
	.type	_ZN72_$LT$alloc..boxed..Box$LT$T$C$A$GT$$u20$as$u20$core..ops..drop..Drop$GT$4drop17h14d0fa44809cd2ffE,@function
_ZN72_$LT$alloc..boxed..Box$LT$T$C$A$GT$$u20$as$u20$core..ops..drop..Drop$GT$4drop17h14d0fa44809cd2ffE:
	.cfi_startproc
	subq	$56, %rsp
	.cfi_def_cfa_offset 64
	movq	%rdi, 8(%rsp)
	movq	(%rdi), %rax
	movq	%rax, 16(%rsp)
	movq	$280, 40(%rsp)
	movq	40(%rsp), %rax
	movq	%rax, 24(%rsp)
	movq	$8, 48(%rsp)
	movq	48(%rsp), %rax
	movq	%rax, 32(%rsp)
	movq	32(%rsp), %rdi
	leaq	.Lanon.60bed5dcf488807794e55d614a93ec96.79(%rip), %rsi
	callq	_ZN4core3ptr9alignment9Alignment13new_unchecked18precondition_check17hd44f83070c40cd11E
	jmp	.LBB116_3
.LBB116_3:
	movq	32(%rsp), %rsi
	movq	24(%rsp), %rdi
	leaq	.Lanon.60bed5dcf488807794e55d614a93ec96.81(%rip), %rdx
	callq	_ZN4core5alloc6layout6Layout29from_size_alignment_unchecked18precondition_check17hd15920bb5e33b4e0E
	movq	24(%rsp), %rax
	cmpq	$0, %rax
	jne	.LBB116_6
.LBB116_5:
	addq	$56, %rsp
	.cfi_def_cfa_offset 8
	retq
.LBB116_6:
	.cfi_def_cfa_offset 64
	movq	24(%rsp), %rcx
	movq	32(%rsp), %rdx
	movq	16(%rsp), %rsi
	movq	8(%rsp), %rdi
	addq	$8, %rdi
	callq	_ZN63_$LT$alloc..alloc..Global$u20$as$u20$core..alloc..Allocator$GT$10deallocate17h0a91bb97ac857f8fE
	jmp	.LBB116_5
.Lfunc_end116:
	.size	_ZN72_$LT$alloc..boxed..Box$LT$T$C$A$GT$$u20$as$u20$core..ops..drop..Drop$GT$4drop17h14d0fa44809cd2ffE, .Lfunc_end116-_ZN72_$LT$alloc..boxed..Box$LT$T$C$A$GT$$u20$as$u20$core..ops..drop..Drop$GT$4drop17h14d0fa44809cd2ffE
	.cfi_endproc

	.section	".text._ZN75_$LT$usize$u20$as$u20$core..slice..index..SliceIndex$LT$$u5b$T$u5d$$GT$$GT$13get_unchecked18precondition_check17ha424f3ab1cd7f8a7E","ax",@progbits
	.p2align	4
	.type	_ZN75_$LT$usize$u20$as$u20$core..slice..index..SliceIndex$LT$$u5b$T$u5d$$GT$$GT$13get_unchecked18precondition_check17ha424f3ab1cd7f8a7E,@function
_ZN75_$LT$usize$u20$as$u20$core..slice..index..SliceIndex$LT$$u5b$T$u5d$$GT$$GT$13get_unchecked18precondition_check17ha424f3ab1cd7f8a7E:
	.cfi_startproc
	pushq	%rax
	.cfi_def_cfa_offset 16
	movq	%rdx, (%rsp)
	cmpq	%rsi, %rdi
	jb	.LBB117_2
	movq	(%rsp), %rcx
	leaq	.Lanon.60bed5dcf488807794e55d614a93ec96.82(%rip), %rdi
	movl	$429, %esi
	xorl	%edx, %edx
	callq	*_RNvNtCsgEmfK2I1SDS_4core9panicking18panic_nounwind_fmt@GOTPCREL(%rip)
.LBB117_2:
	popq	%rax
	.cfi_def_cfa_offset 8
	retq
.Lfunc_end117:
	.size	_ZN75_$LT$usize$u20$as$u20$core..slice..index..SliceIndex$LT$$u5b$T$u5d$$GT$$GT$13get_unchecked18precondition_check17ha424f3ab1cd7f8a7E, .Lfunc_end117-_ZN75_$LT$usize$u20$as$u20$core..slice..index..SliceIndex$LT$$u5b$T$u5d$$GT$$GT$13get_unchecked18precondition_check17ha424f3ab1cd7f8a7E
	.cfi_endproc

	.section	".text._ZN75_$LT$usize$u20$as$u20$core..slice..index..SliceIndex$LT$$u5b$T$u5d$$GT$$GT$17get_unchecked_mut18precondition_check17hff4d7700b6d4cc41E","ax",@progbits
	.p2align	4
	.type	_ZN75_$LT$usize$u20$as$u20$core..slice..index..SliceIndex$LT$$u5b$T$u5d$$GT$$GT$17get_unchecked_mut18precondition_check17hff4d7700b6d4cc41E,@function
_ZN75_$LT$usize$u20$as$u20$core..slice..index..SliceIndex$LT$$u5b$T$u5d$$GT$$GT$17get_unchecked_mut18precondition_check17hff4d7700b6d4cc41E:
	.cfi_startproc
	pushq	%rax
	.cfi_def_cfa_offset 16
	movq	%rdx, (%rsp)
	cmpq	%rsi, %rdi
	jb	.LBB118_2
	movq	(%rsp), %rcx
	leaq	.Lanon.60bed5dcf488807794e55d614a93ec96.83(%rip), %rdi
	movl	$437, %esi
	xorl	%edx, %edx
	callq	*_RNvNtCsgEmfK2I1SDS_4core9panicking18panic_nounwind_fmt@GOTPCREL(%rip)
.LBB118_2:
	popq	%rax
	.cfi_def_cfa_offset 8
	retq
.Lfunc_end118:
	.size	_ZN75_$LT$usize$u20$as$u20$core..slice..index..SliceIndex$LT$$u5b$T$u5d$$GT$$GT$17get_unchecked_mut18precondition_check17hff4d7700b6d4cc41E, .Lfunc_end118-_ZN75_$LT$usize$u20$as$u20$core..slice..index..SliceIndex$LT$$u5b$T$u5d$$GT$$GT$17get_unchecked_mut18precondition_check17hff4d7700b6d4cc41E
	.cfi_endproc

	.section	".text._ZN87_$LT$core..str..iter..CharIndices$u20$as$u20$core..iter..traits..iterator..Iterator$GT$4next17h5cfd90e280329ff9E","ax",@progbits
	.p2align	4
	.type	_ZN87_$LT$core..str..iter..CharIndices$u20$as$u20$core..iter..traits..iterator..Iterator$GT$4next17h5cfd90e280329ff9E,@function
_ZN87_$LT$core..str..iter..CharIndices$u20$as$u20$core..iter..traits..iterator..Iterator$GT$4next17h5cfd90e280329ff9E:
	.cfi_startproc
	subq	$120, %rsp
	.cfi_def_cfa_offset 128
	movq	%rdi, %rax
	movq	%rax, 56(%rsp)
	movq	8(%rax), %rdi
	movq	%rdi, 40(%rsp)
	movq	(%rax), %rsi
	movq	%rsi, 48(%rsp)
	leaq	.Lanon.60bed5dcf488807794e55d614a93ec96.1(%rip), %rdx
	callq	_ZN4core3ptr9const_ptr33_$LT$impl$u20$$BP$const$u20$T$GT$20offset_from_unsigned18precondition_check17hd184f896dbd54bf0E
	movq	40(%rsp), %rax
	movq	48(%rsp), %rcx
	movq	56(%rsp), %rdi
	subq	%rcx, %rax
	movq	%rax, 112(%rsp)
	movq	112(%rsp), %rax
	movq	%rax, 64(%rsp)
	callq	*_ZN4core3str11validations15next_code_point17h44015bfa6618d475E@GOTPCREL(%rip)
	movl	%eax, 96(%rsp)
	movl	%edx, 100(%rsp)
	movl	96(%rsp), %eax
	testq	$1, %rax
	je	.LBB119_2
	movl	100(%rsp), %eax
	movl	%eax, 36(%rsp)
	jmp	.LBB119_4
.LBB119_2:
	movq	.Lanon.60bed5dcf488807794e55d614a93ec96.84(%rip), %rcx
	movl	.Lanon.60bed5dcf488807794e55d614a93ec96.84+8(%rip), %eax
	movq	%rcx, 72(%rsp)
	movl	%eax, 80(%rsp)
.LBB119_3:
	movq	72(%rsp), %rax
	movl	80(%rsp), %edx
	addq	$120, %rsp
	.cfi_def_cfa_offset 8
	retq
.LBB119_4:
	.cfi_def_cfa_offset 128
	movl	36(%rsp), %edi
	leaq	.Lanon.60bed5dcf488807794e55d614a93ec96.86(%rip), %rsi
	callq	_ZN4core4char7convert18from_u32_unchecked18precondition_check17h9f859708d377d2b1E
	movq	56(%rsp), %rax
	movl	36(%rsp), %ecx
	movl	%ecx, 92(%rsp)
	movl	92(%rsp), %ecx
	movl	%ecx, 32(%rsp)
	movq	16(%rax), %rcx
	movq	%rcx, 24(%rsp)
	movq	8(%rax), %rdi
	movq	%rdi, 8(%rsp)
	movq	(%rax), %rsi
	movq	%rsi, 16(%rsp)
	leaq	.Lanon.60bed5dcf488807794e55d614a93ec96.1(%rip), %rdx
	callq	_ZN4core3ptr9const_ptr33_$LT$impl$u20$$BP$const$u20$T$GT$20offset_from_unsigned18precondition_check17hd184f896dbd54bf0E
	movq	8(%rsp), %rdi
	movq	16(%rsp), %r8
	movq	64(%rsp), %rsi
	movq	56(%rsp), %rdx
	movq	24(%rsp), %rcx
	movl	32(%rsp), %eax
	subq	%r8, %rdi
	movq	%rdi, 104(%rsp)
	subq	104(%rsp), %rsi
	addq	16(%rdx), %rsi
	movq	%rsi, 16(%rdx)
	movq	%rcx, 72(%rsp)
	movl	%eax, 80(%rsp)
	jmp	.LBB119_3
.Lfunc_end119:
	.size	_ZN87_$LT$core..str..iter..CharIndices$u20$as$u20$core..iter..traits..iterator..Iterator$GT$4next17h5cfd90e280329ff9E, .Lfunc_end119-_ZN87_$LT$core..str..iter..CharIndices$u20$as$u20$core..iter..traits..iterator..Iterator$GT$4next17h5cfd90e280329ff9E
	.cfi_endproc

	.section	".text._ZN89_$LT$core..ops..range..Range$LT$T$GT$$u20$as$u20$core..iter..range..RangeIteratorImpl$GT$9spec_next17h2af7957d203de301E","ax",@progbits
	.globl	_ZN89_$LT$core..ops..range..Range$LT$T$GT$$u20$as$u20$core..iter..range..RangeIteratorImpl$GT$9spec_next17h2af7957d203de301E
	.p2align	4
	.type	_ZN89_$LT$core..ops..range..Range$LT$T$GT$$u20$as$u20$core..iter..range..RangeIteratorImpl$GT$9spec_next17h2af7957d203de301E,@function
_ZN89_$LT$core..ops..range..Range$LT$T$GT$$u20$as$u20$core..iter..range..RangeIteratorImpl$GT$9spec_next17h2af7957d203de301E:
	.cfi_startproc
	subq	$40, %rsp
	.cfi_def_cfa_offset 48
	movq	%rdi, 16(%rsp)
	movq	(%rdi), %rax
	cmpq	8(%rdi), %rax
	jb	.LBB120_2
	movq	$0, 24(%rsp)
	jmp	.LBB120_3
.LBB120_2:
	movq	16(%rsp), %rax
	movq	(%rax), %rdi
	movq	%rdi, 8(%rsp)
	movl	$1, %esi
	callq	_ZN49_$LT$usize$u20$as$u20$core..iter..range..Step$GT$17forward_unchecked17h5250ebfe1258c12aE
	movq	16(%rsp), %rcx
	movq	%rax, %rdx
	movq	8(%rsp), %rax
	movq	%rdx, (%rcx)
	movq	%rax, 32(%rsp)
	movq	$1, 24(%rsp)
.LBB120_3:
	movq	24(%rsp), %rax
	movq	32(%rsp), %rdx
	addq	$40, %rsp
	.cfi_def_cfa_offset 8
	retq
.Lfunc_end120:
	.size	_ZN89_$LT$core..ops..range..Range$LT$T$GT$$u20$as$u20$core..iter..range..RangeIteratorImpl$GT$9spec_next17h2af7957d203de301E, .Lfunc_end120-_ZN89_$LT$core..ops..range..Range$LT$T$GT$$u20$as$u20$core..iter..range..RangeIteratorImpl$GT$9spec_next17h2af7957d203de301E
	.cfi_endproc

	.section	.text._ZN8compiled5total17h318a5d10780a406bE,"ax",@progbits
	.globl	_ZN8compiled5total17h318a5d10780a406bE
	.p2align	4
	.type	_ZN8compiled5total17h318a5d10780a406bE,@function
_ZN8compiled5total17h318a5d10780a406bE:
	.cfi_startproc
	pushq	%rax
	.cfi_def_cfa_offset 16
	callq	*_ZN4core5slice29_$LT$impl$u20$$u5b$T$u5d$$GT$4iter17h322f22e9f00d4f69E@GOTPCREL(%rip)
	movq	%rax, %rdi
	movq	%rdx, %rsi
	callq	*_ZN4core4iter6traits8iterator8Iterator3map17hd1c9914c947fc84dE@GOTPCREL(%rip)
	movq	%rax, %rdi
	movq	%rdx, %rsi
	callq	*_ZN4core4iter6traits8iterator8Iterator3sum17hc2c07833d9ced386E@GOTPCREL(%rip)
	popq	%rax
	.cfi_def_cfa_offset 8
	retq
.Lfunc_end121:
	.size	_ZN8compiled5total17h318a5d10780a406bE, .Lfunc_end121-_ZN8compiled5total17h318a5d10780a406bE
	.cfi_endproc

	.section	".text._ZN8compiled5total28_$u7b$$u7b$closure$u7d$$u7d$17h0a7042f16b418ed6E","ax",@progbits
	.p2align	4
	.type	_ZN8compiled5total28_$u7b$$u7b$closure$u7d$$u7d$17h0a7042f16b418ed6E,@function
_ZN8compiled5total28_$u7b$$u7b$closure$u7d$$u7d$17h0a7042f16b418ed6E:
	.cfi_startproc
	pushq	%rax
	.cfi_def_cfa_offset 16
	movq	(%rsi), %rdi
	movq	8(%rsi), %rax
	callq	*24(%rax)
	popq	%rax
	.cfi_def_cfa_offset 8
	retq
.Lfunc_end122:
	.size	_ZN8compiled5total28_$u7b$$u7b$closure$u7d$$u7d$17h0a7042f16b418ed6E, .Lfunc_end122-_ZN8compiled5total28_$u7b$$u7b$closure$u7d$$u7d$17h0a7042f16b418ed6E
	.cfi_endproc

	.section	.text._ZN8compiled5words17h0e144c69187d2243E,"ax",@progbits
	.globl	_ZN8compiled5words17h0e144c69187d2243E
	.p2align	4
	.type	_ZN8compiled5words17h0e144c69187d2243E,@function
_ZN8compiled5words17h0e144c69187d2243E:
.Lfunc_begin35:
	.cfi_startproc
	.cfi_personality 155, DW.ref.rust_eh_personality
	.cfi_lsda 27, .Lexception35
	subq	$360, %rsp
	.cfi_def_cfa_offset 368
	movq	%rdx, 56(%rsp)
	movq	%rsi, 48(%rsp)
	movq	%rdi, 32(%rsp)
	movq	%rdi, 40(%rsp)
	movq	_ZN5alloc11collections5btree3map21BTreeMap$LT$K$C$V$GT$3new17h9486ded67ef165b3E@GOTPCREL(%rip), %rax
	leaq	64(%rsp), %rdi
	callq	*%rax
	movq	48(%rsp), %rsi
	movq	56(%rsp), %rdx
.Ltmp237:
	leaq	152(%rsp), %rdi
	callq	_ZN4core3str21_$LT$impl$u20$str$GT$16split_whitespace17h7e6dab77ddc2513eE
.Ltmp238:
	jmp	.LBB123_3
.LBB123_1:
.Ltmp250:
	movq	_ZN4core3ptr84drop_in_place$LT$alloc..collections..btree..map..BTreeMap$LT$$RF$str$C$usize$GT$$GT$17h249b58a81af8b337E@GOTPCREL(%rip), %rax
	leaq	64(%rsp), %rdi
	callq	*%rax
.Ltmp251:
	jmp	.LBB123_15
.LBB123_2:
.Ltmp249:
	movq	%rax, %rcx
	movl	%edx, %eax
	movq	%rcx, 344(%rsp)
	movl	%eax, 352(%rsp)
	jmp	.LBB123_1
.LBB123_3:
.Ltmp239:
	movq	_ZN63_$LT$I$u20$as$u20$core..iter..traits..collect..IntoIterator$GT$9into_iter17hb1db970849703ab0E@GOTPCREL(%rip), %rax
	leaq	88(%rsp), %rdi
	leaq	152(%rsp), %rsi
	callq	*%rax
.Ltmp240:
	jmp	.LBB123_4
.LBB123_4:
	leaq	216(%rsp), %rdi
	leaq	88(%rsp), %rsi
	movl	$64, %edx
	callq	memcpy@PLT
.LBB123_5:
.Ltmp241:
	leaq	216(%rsp), %rdi
	callq	_ZN91_$LT$core..str..iter..SplitWhitespace$u20$as$u20$core..iter..traits..iterator..Iterator$GT$4next17h0c8c87d7fa3335e6E
.Ltmp242:
	movq	%rdx, 16(%rsp)
	movq	%rax, 24(%rsp)
	jmp	.LBB123_6
.LBB123_6:
	movq	16(%rsp), %rax
	movq	24(%rsp), %rcx
	movq	%rcx, 280(%rsp)
	movq	%rax, 288(%rsp)
	movq	280(%rsp), %rdx
	movl	$1, %eax
	xorl	%ecx, %ecx
	cmpq	$0, %rdx
	cmoveq	%rcx, %rax
	testq	$1, %rax
	je	.LBB123_8
	movq	280(%rsp), %rdx
	movq	288(%rsp), %rcx
.Ltmp243:
	movq	_ZN5alloc11collections5btree3map25BTreeMap$LT$K$C$V$C$A$GT$5entry17h7be85de10cc99178E@GOTPCREL(%rip), %rax
	leaq	296(%rsp), %rdi
	leaq	64(%rsp), %rsi
	callq	*%rax
.Ltmp244:
	jmp	.LBB123_9
.LBB123_8:
	movq	40(%rsp), %rax
	movq	32(%rsp), %rcx
	movq	64(%rsp), %rdx
	movq	%rdx, (%rcx)
	movq	72(%rsp), %rdx
	movq	%rdx, 8(%rcx)
	movq	80(%rsp), %rdx
	movq	%rdx, 16(%rcx)
	addq	$360, %rsp
	.cfi_def_cfa_offset 8
	retq
.LBB123_9:
	.cfi_def_cfa_offset 368
.Ltmp245:
	movq	_ZN5alloc11collections5btree3map5entry22Entry$LT$K$C$V$C$A$GT$10or_default17h99a5946c5bcc65e8E@GOTPCREL(%rip), %rax
	leaq	296(%rsp), %rdi
	callq	*%rax
.Ltmp246:
	movq	%rax, 8(%rsp)
	jmp	.LBB123_10
.LBB123_10:
	movq	8(%rsp), %rax
	movq	(%rax), %rcx
	movq	%rcx, %rax
	addq	$1, %rax
	movq	%rax, (%rsp)
	cmpq	%rcx, %rax
	jb	.LBB123_12
	movq	8(%rsp), %rax
	movq	(%rsp), %rcx
	movq	%rcx, (%rax)
	jmp	.LBB123_5
.LBB123_12:
.Ltmp247:
	leaq	.Lanon.60bed5dcf488807794e55d614a93ec96.88(%rip), %rdi
	movq	_RNvNtNtCsgEmfK2I1SDS_4core9panicking11panic_const24panic_const_add_overflow@GOTPCREL(%rip), %rax
	callq	*%rax
.Ltmp248:
	jmp	.LBB123_13
.LBB123_13:
	ud2
.LBB123_14:
.Ltmp252:
	callq	*_RNvNtCsgEmfK2I1SDS_4core9panicking16panic_in_cleanup@GOTPCREL(%rip)
.LBB123_15:
	movq	344(%rsp), %rdi
	callq	_Unwind_Resume@PLT
.Lfunc_end123:
	.size	_ZN8compiled5words17h0e144c69187d2243E, .Lfunc_end123-_ZN8compiled5words17h0e144c69187d2243E
	.cfi_endproc
	.section	.gcc_except_table._ZN8compiled5words17h0e144c69187d2243E,"a",@progbits
	.p2align	2, 0x0
GCC_except_table123:
.Lexception35:
	.byte	255
	.byte	155
	.uleb128 .Lttbase7-.Lttbaseref7
.Lttbaseref7:
	.byte	1
	.uleb128 .Lcst_end35-.Lcst_begin35
.Lcst_begin35:
	.uleb128 .Lfunc_begin35-.Lfunc_begin35
	.uleb128 .Ltmp237-.Lfunc_begin35
	.byte	0
	.byte	0
	.uleb128 .Ltmp237-.Lfunc_begin35
	.uleb128 .Ltmp238-.Ltmp237
	.uleb128 .Ltmp249-.Lfunc_begin35
	.byte	0
	.uleb128 .Ltmp250-.Lfunc_begin35
	.uleb128 .Ltmp251-.Ltmp250
	.uleb128 .Ltmp252-.Lfunc_begin35
	.byte	1
	.uleb128 .Ltmp239-.Lfunc_begin35
	.uleb128 .Ltmp240-.Ltmp239
	.uleb128 .Ltmp249-.Lfunc_begin35
	.byte	0
	.uleb128 .Ltmp240-.Lfunc_begin35
	.uleb128 .Ltmp241-.Ltmp240
	.byte	0
	.byte	0
	.uleb128 .Ltmp241-.Lfunc_begin35
	.uleb128 .Ltmp248-.Ltmp241
	.uleb128 .Ltmp249-.Lfunc_begin35
	.byte	0
	.uleb128 .Ltmp248-.Lfunc_begin35
	.uleb128 .Lfunc_end123-.Ltmp248
	.byte	0
	.byte	0
.Lcst_end35:
	.byte	127
	.byte	0
	.p2align	2, 0x0
.Lttbase7:
	.byte	0
	.p2align	2, 0x0

	.section	".text._ZN90_$LT$core..str..iter..Split$LT$P$GT$$u20$as$u20$core..iter..traits..iterator..Iterator$GT$4next17h951e90bf38c3efafE","ax",@progbits
	.globl	_ZN90_$LT$core..str..iter..Split$LT$P$GT$$u20$as$u20$core..iter..traits..iterator..Iterator$GT$4next17h951e90bf38c3efafE
	.p2align	4
	.type	_ZN90_$LT$core..str..iter..Split$LT$P$GT$$u20$as$u20$core..iter..traits..iterator..Iterator$GT$4next17h951e90bf38c3efafE,@function
_ZN90_$LT$core..str..iter..Split$LT$P$GT$$u20$as$u20$core..iter..traits..iterator..Iterator$GT$4next17h951e90bf38c3efafE:
	.cfi_startproc
	pushq	%rax
	.cfi_def_cfa_offset 16
	movq	_ZN4core3str4iter22SplitInternal$LT$P$GT$4next17h5fbb668c6afd057aE@GOTPCREL(%rip), %rax
	callq	*%rax
	popq	%rcx
	.cfi_def_cfa_offset 8
	retq
.Lfunc_end124:
	.size	_ZN90_$LT$core..str..iter..Split$LT$P$GT$$u20$as$u20$core..iter..traits..iterator..Iterator$GT$4next17h951e90bf38c3efafE, .Lfunc_end124-_ZN90_$LT$core..str..iter..Split$LT$P$GT$$u20$as$u20$core..iter..traits..iterator..Iterator$GT$4next17h951e90bf38c3efafE
	.cfi_endproc

	.section	".text._ZN91_$LT$core..slice..iter..Iter$LT$T$GT$$u20$as$u20$core..iter..traits..iterator..Iterator$GT$4fold17hb4604877514104e0E","ax",@progbits
	.globl	_ZN91_$LT$core..slice..iter..Iter$LT$T$GT$$u20$as$u20$core..iter..traits..iterator..Iterator$GT$4fold17hb4604877514104e0E
	.p2align	4
	.type	_ZN91_$LT$core..slice..iter..Iter$LT$T$GT$$u20$as$u20$core..iter..traits..iterator..Iterator$GT$4fold17hb4604877514104e0E,@function
_ZN91_$LT$core..slice..iter..Iter$LT$T$GT$$u20$as$u20$core..iter..traits..iterator..Iterator$GT$4fold17hb4604877514104e0E:
.Lfunc_begin36:
	.cfi_startproc
	.cfi_personality 155, DW.ref.rust_eh_personality
	.cfi_lsda 27, .Lexception36
	subq	$104, %rsp
	.cfi_def_cfa_offset 112
	movq	%rdi, 8(%rsp)
	movq	%rsi, 16(%rsp)
	movsd	%xmm0, 24(%rsp)
	movq	8(%rsp), %rax
	movq	16(%rsp), %rcx
	cmpq	%rcx, %rax
	sete	%al
	andb	$1, %al
	movb	%al, 55(%rsp)
	testb	$1, 55(%rsp)
	jne	.LBB125_4
	movsd	24(%rsp), %xmm0
	movb	$0, 87(%rsp)
	movb	$1, 86(%rsp)
	movsd	%xmm0, 56(%rsp)
	movq	$0, 64(%rsp)
	jmp	.LBB125_5
.LBB125_4:
	movsd	24(%rsp), %xmm0
	movb	$0, 87(%rsp)
	movsd	%xmm0, 40(%rsp)
	jmp	.LBB125_18
.LBB125_5:
	jmp	.LBB125_6
.LBB125_6:
	movq	8(%rsp), %rsi
	movq	16(%rsp), %rdi
	leaq	.Lanon.60bed5dcf488807794e55d614a93ec96.1(%rip), %rdx
	callq	_ZN4core3ptr9const_ptr33_$LT$impl$u20$$BP$const$u20$T$GT$20offset_from_unsigned18precondition_check17hd184f896dbd54bf0E
	jmp	.LBB125_8
.LBB125_8:
	jmp	.LBB125_9
.LBB125_9:
	movq	8(%rsp), %rcx
	movq	16(%rsp), %rax
	subq	%rcx, %rax
	shrq	$4, %rax
	movq	%rax, 72(%rsp)
	jmp	.LBB125_12
.LBB125_10:
	testb	$1, 86(%rsp)
	jne	.LBB125_20
	jmp	.LBB125_19
.LBB125_11:
.Ltmp255:
	movq	%rax, %rcx
	movl	%edx, %eax
	movq	%rcx, 88(%rsp)
	movl	%eax, 96(%rsp)
	jmp	.LBB125_10
.LBB125_12:
	movq	8(%rsp), %rsi
	movb	$0, 86(%rsp)
	movsd	56(%rsp), %xmm0
	movq	64(%rsp), %rax
	shlq	$4, %rax
	addq	%rax, %rsi
.Ltmp253:
	movq	_ZN4core4iter8adapters3map8map_fold28_$u7b$$u7b$closure$u7d$$u7d$17hec66a297b2b81a05E@GOTPCREL(%rip), %rax
	leaq	39(%rsp), %rdi
	callq	*%rax
.Ltmp254:
	movsd	%xmm0, (%rsp)
	jmp	.LBB125_13
.LBB125_13:
	movsd	(%rsp), %xmm0
	movsd	%xmm0, 56(%rsp)
	movq	64(%rsp), %rdi
	movl	$1, %esi
	leaq	.Lanon.60bed5dcf488807794e55d614a93ec96.90(%rip), %rdx
	callq	_ZN4core3num23_$LT$impl$u20$usize$GT$13unchecked_add18precondition_check17hd2799ff57f36804eE
	movq	64(%rsp), %rax
	addq	$1, %rax
	movq	%rax, 64(%rsp)
	movq	64(%rsp), %rax
	cmpq	72(%rsp), %rax
	je	.LBB125_17
	jmp	.LBB125_12
.LBB125_17:
	movsd	56(%rsp), %xmm0
	movsd	%xmm0, 40(%rsp)
.LBB125_18:
	movsd	40(%rsp), %xmm0
	addq	$104, %rsp
	.cfi_def_cfa_offset 8
	retq
.LBB125_19:
	.cfi_def_cfa_offset 112
	jmp	.LBB125_21
.LBB125_20:
	jmp	.LBB125_19
.LBB125_21:
	testb	$1, 87(%rsp)
	jne	.LBB125_23
.LBB125_22:
	movq	88(%rsp), %rdi
	callq	_Unwind_Resume@PLT
.LBB125_23:
	jmp	.LBB125_22
.Lfunc_end125:
	.size	_ZN91_$LT$core..slice..iter..Iter$LT$T$GT$$u20$as$u20$core..iter..traits..iterator..Iterator$GT$4fold17hb4604877514104e0E, .Lfunc_end125-_ZN91_$LT$core..slice..iter..Iter$LT$T$GT$$u20$as$u20$core..iter..traits..iterator..Iterator$GT$4fold17hb4604877514104e0E
	.cfi_endproc
	.section	".gcc_except_table._ZN91_$LT$core..slice..iter..Iter$LT$T$GT$$u20$as$u20$core..iter..traits..iterator..Iterator$GT$4fold17hb4604877514104e0E","a",@progbits
	.p2align	2, 0x0
GCC_except_table125:
.Lexception36:
	.byte	255
	.byte	255
	.byte	1
	.uleb128 .Lcst_end36-.Lcst_begin36
.Lcst_begin36:
	.uleb128 .Ltmp253-.Lfunc_begin36
	.uleb128 .Ltmp254-.Ltmp253
	.uleb128 .Ltmp255-.Lfunc_begin36
	.byte	0
	.uleb128 .Ltmp254-.Lfunc_begin36
	.uleb128 .Lfunc_end125-.Ltmp254
	.byte	0
	.byte	0
.Lcst_end36:
	.p2align	2, 0x0

	.section	".text._ZN91_$LT$core..slice..iter..Iter$LT$T$GT$$u20$as$u20$core..iter..traits..iterator..Iterator$GT$4next17hb24a66dc73e5ab50E","ax",@progbits
	.globl	_ZN91_$LT$core..slice..iter..Iter$LT$T$GT$$u20$as$u20$core..iter..traits..iterator..Iterator$GT$4next17hb24a66dc73e5ab50E
	.p2align	4
	.type	_ZN91_$LT$core..slice..iter..Iter$LT$T$GT$$u20$as$u20$core..iter..traits..iterator..Iterator$GT$4next17hb24a66dc73e5ab50E,@function
_ZN91_$LT$core..slice..iter..Iter$LT$T$GT$$u20$as$u20$core..iter..traits..iterator..Iterator$GT$4next17hb24a66dc73e5ab50E:
	.cfi_startproc
	movq	%rdi, -32(%rsp)
	movq	(%rdi), %rax
	movq	%rax, -24(%rsp)
	movq	8(%rdi), %rax
	movq	%rax, -16(%rsp)
	movq	-24(%rsp), %rax
	movq	-16(%rsp), %rcx
	cmpq	%rcx, %rax
	je	.LBB126_3
	movq	-32(%rsp), %rax
	movq	-24(%rsp), %rcx
	addq	$1, %rcx
	movq	%rcx, (%rax)
	jmp	.LBB126_4
.LBB126_3:
	movq	$0, -8(%rsp)
	jmp	.LBB126_5
.LBB126_4:
	movq	-24(%rsp), %rax
	movq	%rax, -8(%rsp)
.LBB126_5:
	movq	-8(%rsp), %rax
	retq
.Lfunc_end126:
	.size	_ZN91_$LT$core..slice..iter..Iter$LT$T$GT$$u20$as$u20$core..iter..traits..iterator..Iterator$GT$4next17hb24a66dc73e5ab50E, .Lfunc_end126-_ZN91_$LT$core..slice..iter..Iter$LT$T$GT$$u20$as$u20$core..iter..traits..iterator..Iterator$GT$4next17hb24a66dc73e5ab50E
	.cfi_endproc

	.section	".text._ZN91_$LT$core..slice..iter..Iter$LT$T$GT$$u20$as$u20$core..iter..traits..iterator..Iterator$GT$4next17hee7a8c14aadb5f61E","ax",@progbits
	.globl	_ZN91_$LT$core..slice..iter..Iter$LT$T$GT$$u20$as$u20$core..iter..traits..iterator..Iterator$GT$4next17hee7a8c14aadb5f61E
	.p2align	4
	.type	_ZN91_$LT$core..slice..iter..Iter$LT$T$GT$$u20$as$u20$core..iter..traits..iterator..Iterator$GT$4next17hee7a8c14aadb5f61E,@function
_ZN91_$LT$core..slice..iter..Iter$LT$T$GT$$u20$as$u20$core..iter..traits..iterator..Iterator$GT$4next17hee7a8c14aadb5f61E:
	.cfi_startproc
	movq	%rdi, -32(%rsp)
	movq	(%rdi), %rax
	movq	%rax, -24(%rsp)
	movq	8(%rdi), %rax
	movq	%rax, -16(%rsp)
	movq	-24(%rsp), %rax
	movq	-16(%rsp), %rcx
	cmpq	%rcx, %rax
	je	.LBB127_3
	movq	-32(%rsp), %rax
	movq	-24(%rsp), %rcx
	addq	$16, %rcx
	movq	%rcx, (%rax)
	jmp	.LBB127_4
.LBB127_3:
	movq	$0, -8(%rsp)
	jmp	.LBB127_5
.LBB127_4:
	movq	-24(%rsp), %rax
	movq	%rax, -8(%rsp)
.LBB127_5:
	movq	-8(%rsp), %rax
	retq
.Lfunc_end127:
	.size	_ZN91_$LT$core..slice..iter..Iter$LT$T$GT$$u20$as$u20$core..iter..traits..iterator..Iterator$GT$4next17hee7a8c14aadb5f61E, .Lfunc_end127-_ZN91_$LT$core..slice..iter..Iter$LT$T$GT$$u20$as$u20$core..iter..traits..iterator..Iterator$GT$4next17hee7a8c14aadb5f61E
	.cfi_endproc

	.section	".text._ZN91_$LT$core..str..iter..SplitWhitespace$u20$as$u20$core..iter..traits..iterator..Iterator$GT$4next17h0c8c87d7fa3335e6E","ax",@progbits
	.p2align	4
	.type	_ZN91_$LT$core..str..iter..SplitWhitespace$u20$as$u20$core..iter..traits..iterator..Iterator$GT$4next17h0c8c87d7fa3335e6E,@function
_ZN91_$LT$core..str..iter..SplitWhitespace$u20$as$u20$core..iter..traits..iterator..Iterator$GT$4next17h0c8c87d7fa3335e6E:
	.cfi_startproc
	pushq	%rax
	.cfi_def_cfa_offset 16
	movq	%rdi, %rsi
	addq	$64, %rsi
	movq	_ZN4core4iter6traits8iterator8Iterator4find17haaff6a71f7dcbe43E@GOTPCREL(%rip), %rax
	callq	*%rax
	popq	%rcx
	.cfi_def_cfa_offset 8
	retq
.Lfunc_end128:
	.size	_ZN91_$LT$core..str..iter..SplitWhitespace$u20$as$u20$core..iter..traits..iterator..Iterator$GT$4next17h0c8c87d7fa3335e6E, .Lfunc_end128-_ZN91_$LT$core..str..iter..SplitWhitespace$u20$as$u20$core..iter..traits..iterator..Iterator$GT$4next17h0c8c87d7fa3335e6E
	.cfi_endproc

	.section	".text._ZN93_$LT$alloc..collections..btree..mem..replace..PanicGuard$u20$as$u20$core..ops..drop..Drop$GT$4drop17h0193b8cb1fffbfe2E","ax",@progbits
	.p2align	4
	.type	_ZN93_$LT$alloc..collections..btree..mem..replace..PanicGuard$u20$as$u20$core..ops..drop..Drop$GT$4drop17h0193b8cb1fffbfe2E,@function
_ZN93_$LT$alloc..collections..btree..mem..replace..PanicGuard$u20$as$u20$core..ops..drop..Drop$GT$4drop17h0193b8cb1fffbfe2E:
	.cfi_startproc
	ud2
.Lfunc_end129:
	.size	_ZN93_$LT$alloc..collections..btree..mem..replace..PanicGuard$u20$as$u20$core..ops..drop..Drop$GT$4drop17h0193b8cb1fffbfe2E, .Lfunc_end129-_ZN93_$LT$alloc..collections..btree..mem..replace..PanicGuard$u20$as$u20$core..ops..drop..Drop$GT$4drop17h0193b8cb1fffbfe2E
	.cfi_endproc

	.section	".text._ZN93_$LT$core..str..IsWhitespace$u20$as$u20$core..ops..function..FnMut$LT$$LP$char$C$$RP$$GT$$GT$8call_mut17h1fa5a0a893fd72b8E","ax",@progbits
	.p2align	4
	.type	_ZN93_$LT$core..str..IsWhitespace$u20$as$u20$core..ops..function..FnMut$LT$$LP$char$C$$RP$$GT$$GT$8call_mut17h1fa5a0a893fd72b8E,@function
_ZN93_$LT$core..str..IsWhitespace$u20$as$u20$core..ops..function..FnMut$LT$$LP$char$C$$RP$$GT$$GT$8call_mut17h1fa5a0a893fd72b8E:
	.cfi_startproc
	pushq	%rax
	.cfi_def_cfa_offset 16
	movl	%esi, 4(%rsp)
	movl	4(%rsp), %edi
	callq	_ZN4core4char7methods22_$LT$impl$u20$char$GT$13is_whitespace17hcb5b29d6e50f8ce1E
	andb	$1, %al
	popq	%rcx
	.cfi_def_cfa_offset 8
	retq
.Lfunc_end130:
	.size	_ZN93_$LT$core..str..IsWhitespace$u20$as$u20$core..ops..function..FnMut$LT$$LP$char$C$$RP$$GT$$GT$8call_mut17h1fa5a0a893fd72b8E, .Lfunc_end130-_ZN93_$LT$core..str..IsWhitespace$u20$as$u20$core..ops..function..FnMut$LT$$LP$char$C$$RP$$GT$$GT$8call_mut17h1fa5a0a893fd72b8E
	.cfi_endproc

	.section	".text._ZN95_$LT$core..ops..control_flow..ControlFlow$LT$B$C$C$GT$$u20$as$u20$core..ops..try_trait..Try$GT$11from_output17he080b0f2f69b649cE","ax",@progbits
	.globl	_ZN95_$LT$core..ops..control_flow..ControlFlow$LT$B$C$C$GT$$u20$as$u20$core..ops..try_trait..Try$GT$11from_output17he080b0f2f69b649cE
	.p2align	4
	.type	_ZN95_$LT$core..ops..control_flow..ControlFlow$LT$B$C$C$GT$$u20$as$u20$core..ops..try_trait..Try$GT$11from_output17he080b0f2f69b649cE,@function
_ZN95_$LT$core..ops..control_flow..ControlFlow$LT$B$C$C$GT$$u20$as$u20$core..ops..try_trait..Try$GT$11from_output17he080b0f2f69b649cE:
	.cfi_startproc
	xorl	%eax, %eax
	retq
.Lfunc_end131:
	.size	_ZN95_$LT$core..ops..control_flow..ControlFlow$LT$B$C$C$GT$$u20$as$u20$core..ops..try_trait..Try$GT$11from_output17he080b0f2f69b649cE, .Lfunc_end131-_ZN95_$LT$core..ops..control_flow..ControlFlow$LT$B$C$C$GT$$u20$as$u20$core..ops..try_trait..Try$GT$11from_output17he080b0f2f69b649cE
	.cfi_endproc

	.section	".text._ZN95_$LT$core..ops..control_flow..ControlFlow$LT$B$C$C$GT$$u20$as$u20$core..ops..try_trait..Try$GT$6branch17h129f6da5142f9fb1E","ax",@progbits
	.globl	_ZN95_$LT$core..ops..control_flow..ControlFlow$LT$B$C$C$GT$$u20$as$u20$core..ops..try_trait..Try$GT$6branch17h129f6da5142f9fb1E
	.p2align	4
	.type	_ZN95_$LT$core..ops..control_flow..ControlFlow$LT$B$C$C$GT$$u20$as$u20$core..ops..try_trait..Try$GT$6branch17h129f6da5142f9fb1E,@function
_ZN95_$LT$core..ops..control_flow..ControlFlow$LT$B$C$C$GT$$u20$as$u20$core..ops..try_trait..Try$GT$6branch17h129f6da5142f9fb1E:
	.cfi_startproc
	movq	%rdi, -32(%rsp)
	movq	%rsi, -24(%rsp)
	movq	-32(%rsp), %rdx
	movl	$1, %eax
	xorl	%ecx, %ecx
	cmpq	$0, %rdx
	cmoveq	%rcx, %rax
	testq	$1, %rax
	je	.LBB132_2
	movq	-32(%rsp), %rcx
	movq	-24(%rsp), %rax
	movq	%rcx, -16(%rsp)
	movq	%rax, -8(%rsp)
	jmp	.LBB132_3
.LBB132_2:
	movq	$0, -16(%rsp)
.LBB132_3:
	movq	-16(%rsp), %rax
	movq	-8(%rsp), %rdx
	retq
.Lfunc_end132:
	.size	_ZN95_$LT$core..ops..control_flow..ControlFlow$LT$B$C$C$GT$$u20$as$u20$core..ops..try_trait..Try$GT$6branch17h129f6da5142f9fb1E, .Lfunc_end132-_ZN95_$LT$core..ops..control_flow..ControlFlow$LT$B$C$C$GT$$u20$as$u20$core..ops..try_trait..Try$GT$6branch17h129f6da5142f9fb1E
	.cfi_endproc

	.section	".text._ZN95_$LT$core..str..pattern..MultiCharEqPattern$LT$C$GT$$u20$as$u20$core..str..pattern..Pattern$GT$13into_searcher17hdcd66d732336c3e2E","ax",@progbits
	.globl	_ZN95_$LT$core..str..pattern..MultiCharEqPattern$LT$C$GT$$u20$as$u20$core..str..pattern..Pattern$GT$13into_searcher17hdcd66d732336c3e2E
	.p2align	4
	.type	_ZN95_$LT$core..str..pattern..MultiCharEqPattern$LT$C$GT$$u20$as$u20$core..str..pattern..Pattern$GT$13into_searcher17hdcd66d732336c3e2E,@function
_ZN95_$LT$core..str..pattern..MultiCharEqPattern$LT$C$GT$$u20$as$u20$core..str..pattern..Pattern$GT$13into_searcher17hdcd66d732336c3e2E:
.Lfunc_begin37:
	.cfi_startproc
	.cfi_personality 155, DW.ref.rust_eh_personality
	.cfi_lsda 27, .Lexception37
	subq	$88, %rsp
	.cfi_def_cfa_offset 96
	movq	%rdx, (%rsp)
	movq	%rsi, %rax
	movq	(%rsp), %rsi
	movq	%rax, 8(%rsp)
	movq	%rdi, %rax
	movq	8(%rsp), %rdi
	movq	%rax, 16(%rsp)
	movq	%rax, 24(%rsp)
.Ltmp256:
	callq	_ZN4core3str21_$LT$impl$u20$str$GT$5chars17haa4db3c77f4cba1bE
.Ltmp257:
	movq	%rdx, 32(%rsp)
	movq	%rax, 40(%rsp)
	jmp	.LBB133_3
.LBB133_1:
	movq	72(%rsp), %rdi
	callq	_Unwind_Resume@PLT
.LBB133_2:
.Ltmp258:
	movq	%rax, %rcx
	movl	%edx, %eax
	movq	%rcx, 72(%rsp)
	movl	%eax, 80(%rsp)
	jmp	.LBB133_1
.LBB133_3:
	movq	24(%rsp), %rax
	movq	16(%rsp), %rcx
	movq	(%rsp), %rdx
	movq	8(%rsp), %rsi
	movq	32(%rsp), %rdi
	movq	40(%rsp), %r8
	movq	$0, 64(%rsp)
	movq	%r8, 48(%rsp)
	movq	%rdi, 56(%rsp)
	movq	%rsi, (%rcx)
	movq	%rdx, 8(%rcx)
	movq	48(%rsp), %rdx
	movq	%rdx, 16(%rcx)
	movq	56(%rsp), %rdx
	movq	%rdx, 24(%rcx)
	movq	64(%rsp), %rdx
	movq	%rdx, 32(%rcx)
	addq	$88, %rsp
	.cfi_def_cfa_offset 8
	retq
.Lfunc_end133:
	.size	_ZN95_$LT$core..str..pattern..MultiCharEqPattern$LT$C$GT$$u20$as$u20$core..str..pattern..Pattern$GT$13into_searcher17hdcd66d732336c3e2E, .Lfunc_end133-_ZN95_$LT$core..str..pattern..MultiCharEqPattern$LT$C$GT$$u20$as$u20$core..str..pattern..Pattern$GT$13into_searcher17hdcd66d732336c3e2E
	.cfi_endproc
	.section	".gcc_except_table._ZN95_$LT$core..str..pattern..MultiCharEqPattern$LT$C$GT$$u20$as$u20$core..str..pattern..Pattern$GT$13into_searcher17hdcd66d732336c3e2E","a",@progbits
	.p2align	2, 0x0
GCC_except_table133:
.Lexception37:
	.byte	255
	.byte	255
	.byte	1
	.uleb128 .Lcst_end37-.Lcst_begin37
.Lcst_begin37:
	.uleb128 .Ltmp256-.Lfunc_begin37
	.uleb128 .Ltmp257-.Ltmp256
	.uleb128 .Ltmp258-.Lfunc_begin37
	.byte	0
	.uleb128 .Ltmp257-.Lfunc_begin37
	.uleb128 .Lfunc_end133-.Ltmp257
	.byte	0
	.byte	0
.Lcst_end37:
	.p2align	2, 0x0

	.section	".text._ZN97_$LT$core..str..pattern..MultiCharEqSearcher$LT$C$GT$$u20$as$u20$core..str..pattern..Searcher$GT$4next17h0c86af1d56a44c54E","ax",@progbits
	.globl	_ZN97_$LT$core..str..pattern..MultiCharEqSearcher$LT$C$GT$$u20$as$u20$core..str..pattern..Searcher$GT$4next17h0c86af1d56a44c54E
	.p2align	4
	.type	_ZN97_$LT$core..str..pattern..MultiCharEqSearcher$LT$C$GT$$u20$as$u20$core..str..pattern..Searcher$GT$4next17h0c86af1d56a44c54E,@function
_ZN97_$LT$core..str..pattern..MultiCharEqSearcher$LT$C$GT$$u20$as$u20$core..str..pattern..Searcher$GT$4next17h0c86af1d56a44c54E:
	.cfi_startproc
	subq	$136, %rsp
	.cfi_def_cfa_offset 144
	movq	%rsi, 48(%rsp)
	movq	%rdi, 56(%rsp)
	movq	%rdi, 64(%rsp)
	movq	%rsi, %rax
	addq	$16, %rax
	movq	%rax, 88(%rsp)
	movq	24(%rsi), %rdi
	movq	%rdi, 72(%rsp)
	movq	16(%rsi), %rsi
	movq	%rsi, 80(%rsp)
	leaq	.Lanon.60bed5dcf488807794e55d614a93ec96.1(%rip), %rdx
	callq	_ZN4core3ptr9const_ptr33_$LT$impl$u20$$BP$const$u20$T$GT$20offset_from_unsigned18precondition_check17hd184f896dbd54bf0E
	movq	72(%rsp), %rax
	movq	80(%rsp), %rcx
	movq	88(%rsp), %rdi
	subq	%rcx, %rax
	movq	%rax, 128(%rsp)
	movq	128(%rsp), %rax
	movq	%rax, 96(%rsp)
	callq	_ZN87_$LT$core..str..iter..CharIndices$u20$as$u20$core..iter..traits..iterator..Iterator$GT$4next17h5cfd90e280329ff9E
	movq	%rax, 104(%rsp)
	movl	%edx, 112(%rsp)
	movl	$1, %eax
	xorl	%ecx, %ecx
	cmpl	$1114112, 112(%rsp)
	cmoveq	%rcx, %rax
	testq	$1, %rax
	je	.LBB134_2
	movq	88(%rsp), %rax
	movq	104(%rsp), %rcx
	movq	%rcx, 8(%rsp)
	movl	112(%rsp), %ecx
	movl	%ecx, 36(%rsp)
	movq	8(%rax), %rdi
	movq	%rdi, 16(%rsp)
	movq	(%rax), %rsi
	movq	%rsi, 24(%rsp)
	leaq	.Lanon.60bed5dcf488807794e55d614a93ec96.1(%rip), %rdx
	callq	_ZN4core3ptr9const_ptr33_$LT$impl$u20$$BP$const$u20$T$GT$20offset_from_unsigned18precondition_check17hd184f896dbd54bf0E
	movq	16(%rsp), %rcx
	movq	24(%rsp), %rdx
	movq	96(%rsp), %rax
	movq	48(%rsp), %rdi
	movl	36(%rsp), %esi
	subq	%rdx, %rcx
	movq	%rcx, 120(%rsp)
	subq	120(%rsp), %rax
	movq	%rax, 40(%rsp)
	addq	$40, %rdi
	callq	*_ZN53_$LT$F$u20$as$u20$core..str..pattern..MultiCharEq$GT$7matches17hbcb8d0e630ee5f0cE@GOTPCREL(%rip)
	testb	$1, %al
	jne	.LBB134_4
	jmp	.LBB134_3
.LBB134_2:
	movq	56(%rsp), %rax
	movq	$2, (%rax)
	jmp	.LBB134_6
.LBB134_3:
	movq	56(%rsp), %rax
	movq	8(%rsp), %rdx
	movq	40(%rsp), %rsi
	movq	%rdx, %rcx
	addq	%rsi, %rcx
	movq	%rdx, 8(%rax)
	movq	%rcx, 16(%rax)
	movq	$1, (%rax)
	jmp	.LBB134_5
.LBB134_4:
	movq	56(%rsp), %rax
	movq	8(%rsp), %rdx
	movq	40(%rsp), %rsi
	movq	%rdx, %rcx
	addq	%rsi, %rcx
	movq	%rdx, 8(%rax)
	movq	%rcx, 16(%rax)
	movq	$0, (%rax)
.LBB134_5:
	jmp	.LBB134_6
.LBB134_6:
	movq	64(%rsp), %rax
	addq	$136, %rsp
	.cfi_def_cfa_offset 8
	retq
.Lfunc_end134:
	.size	_ZN97_$LT$core..str..pattern..MultiCharEqSearcher$LT$C$GT$$u20$as$u20$core..str..pattern..Searcher$GT$4next17h0c86af1d56a44c54E, .Lfunc_end134-_ZN97_$LT$core..str..pattern..MultiCharEqSearcher$LT$C$GT$$u20$as$u20$core..str..pattern..Searcher$GT$4next17h0c86af1d56a44c54E
	.cfi_endproc

	.section	".text._ZN98_$LT$core..str..IsNotEmpty$u20$as$u20$core..ops..function..FnMut$LT$$LP$$RF$$RF$str$C$$RP$$GT$$GT$8call_mut17h2824ec1f5ef945abE","ax",@progbits
	.p2align	4
	.type	_ZN98_$LT$core..str..IsNotEmpty$u20$as$u20$core..ops..function..FnMut$LT$$LP$$RF$$RF$str$C$$RP$$GT$$GT$8call_mut17h2824ec1f5ef945abE,@function
_ZN98_$LT$core..str..IsNotEmpty$u20$as$u20$core..ops..function..FnMut$LT$$LP$$RF$$RF$str$C$$RP$$GT$$GT$8call_mut17h2824ec1f5ef945abE:
	.cfi_startproc
	movq	%rsi, -8(%rsp)
	movq	-8(%rsp), %rax
	cmpq	$0, 8(%rax)
	sete	%al
	xorb	$-1, %al
	andb	$1, %al
	retq
.Lfunc_end135:
	.size	_ZN98_$LT$core..str..IsNotEmpty$u20$as$u20$core..ops..function..FnMut$LT$$LP$$RF$$RF$str$C$$RP$$GT$$GT$8call_mut17h2824ec1f5ef945abE, .Lfunc_end135-_ZN98_$LT$core..str..IsNotEmpty$u20$as$u20$core..ops..function..FnMut$LT$$LP$$RF$$RF$str$C$$RP$$GT$$GT$8call_mut17h2824ec1f5ef945abE
	.cfi_endproc

	.section	".text._ZN99_$LT$alloc..collections..btree..map..BTreeMap$LT$K$C$V$C$A$GT$$u20$as$u20$core..ops..drop..Drop$GT$4drop17hf310fff69b47d653E","ax",@progbits
	.globl	_ZN99_$LT$alloc..collections..btree..map..BTreeMap$LT$K$C$V$C$A$GT$$u20$as$u20$core..ops..drop..Drop$GT$4drop17hf310fff69b47d653E
	.p2align	4
	.type	_ZN99_$LT$alloc..collections..btree..map..BTreeMap$LT$K$C$V$C$A$GT$$u20$as$u20$core..ops..drop..Drop$GT$4drop17hf310fff69b47d653E,@function
_ZN99_$LT$alloc..collections..btree..map..BTreeMap$LT$K$C$V$C$A$GT$$u20$as$u20$core..ops..drop..Drop$GT$4drop17hf310fff69b47d653E:
	.cfi_startproc
	subq	$392, %rsp
	.cfi_def_cfa_offset 400
	movq	(%rdi), %rax
	movq	%rax, 88(%rsp)
	movq	8(%rdi), %rax
	movq	%rax, 96(%rsp)
	movq	16(%rdi), %rax
	movq	%rax, 104(%rsp)
	movq	88(%rsp), %rax
	movq	%rax, 280(%rsp)
	movq	96(%rsp), %rax
	movq	%rax, 288(%rsp)
	movq	104(%rsp), %rax
	movq	%rax, 296(%rsp)
	movq	280(%rsp), %rax
	movq	%rax, 112(%rsp)
	movq	288(%rsp), %rax
	movq	%rax, 120(%rsp)
	movq	296(%rsp), %rax
	movq	%rax, 128(%rsp)
	movq	112(%rsp), %rcx
	movq	120(%rsp), %rax
	movq	%rcx, 136(%rsp)
	movq	%rax, 144(%rsp)
	movq	.Lanon.60bed5dcf488807794e55d614a93ec96.26(%rip), %rcx
	movq	.Lanon.60bed5dcf488807794e55d614a93ec96.26+8(%rip), %rax
	movq	%rcx, 112(%rsp)
	movq	%rax, 120(%rsp)
	movq	136(%rsp), %rdx
	movl	$1, %eax
	xorl	%ecx, %ecx
	cmpq	$0, %rdx
	cmoveq	%rcx, %rax
	testq	$1, %rax
	je	.LBB136_2
	movq	144(%rsp), %rax
	movq	136(%rsp), %rcx
	movq	%rcx, 344(%rsp)
	movq	%rax, 352(%rsp)
	movq	$0, 336(%rsp)
	movq	336(%rsp), %rax
	movq	%rax, 312(%rsp)
	movq	344(%rsp), %rax
	movq	%rax, 320(%rsp)
	movq	352(%rsp), %rax
	movq	%rax, 328(%rsp)
	movq	$1, 304(%rsp)
	movq	304(%rsp), %rax
	movq	%rax, 152(%rsp)
	movq	312(%rsp), %rax
	movq	%rax, 160(%rsp)
	movq	320(%rsp), %rax
	movq	%rax, 168(%rsp)
	movq	328(%rsp), %rax
	movq	%rax, 176(%rsp)
	movq	304(%rsp), %rax
	movq	%rax, 184(%rsp)
	movq	312(%rsp), %rax
	movq	%rax, 192(%rsp)
	movq	320(%rsp), %rax
	movq	%rax, 200(%rsp)
	movq	328(%rsp), %rax
	movq	%rax, 208(%rsp)
	movq	128(%rsp), %rax
	movq	%rax, 8(%rsp)
	leaq	16(%rsp), %rdi
	leaq	152(%rsp), %rsi
	movl	$64, %edx
	callq	memcpy@PLT
	movq	8(%rsp), %rax
	movq	%rax, 80(%rsp)
	jmp	.LBB136_3
.LBB136_2:
	movq	$0, 360(%rsp)
	movq	360(%rsp), %rax
	movq	%rax, 216(%rsp)
	movq	368(%rsp), %rax
	movq	%rax, 224(%rsp)
	movq	376(%rsp), %rax
	movq	%rax, 232(%rsp)
	movq	384(%rsp), %rax
	movq	%rax, 240(%rsp)
	movq	360(%rsp), %rax
	movq	%rax, 248(%rsp)
	movq	368(%rsp), %rax
	movq	%rax, 256(%rsp)
	movq	376(%rsp), %rax
	movq	%rax, 264(%rsp)
	movq	384(%rsp), %rax
	movq	%rax, 272(%rsp)
	leaq	16(%rsp), %rdi
	leaq	216(%rsp), %rsi
	movl	$64, %edx
	callq	memcpy@PLT
	movq	$0, 80(%rsp)
.LBB136_3:
	leaq	16(%rsp), %rdi
	callq	*_ZN4core3ptr84drop_in_place$LT$alloc..collections..btree..map..IntoIter$LT$$RF$str$C$usize$GT$$GT$17h556d401709cb0fecE@GOTPCREL(%rip)
	addq	$392, %rsp
	.cfi_def_cfa_offset 8
	retq
.Lfunc_end136:
	.size	_ZN99_$LT$alloc..collections..btree..map..BTreeMap$LT$K$C$V$C$A$GT$$u20$as$u20$core..ops..drop..Drop$GT$4drop17hf310fff69b47d653E, .Lfunc_end136-_ZN99_$LT$alloc..collections..btree..map..BTreeMap$LT$K$C$V$C$A$GT$$u20$as$u20$core..ops..drop..Drop$GT$4drop17hf310fff69b47d653E
	.cfi_endproc

	.section	".text._ZN99_$LT$alloc..collections..btree..map..IntoIter$LT$K$C$V$C$A$GT$$u20$as$u20$core..ops..drop..Drop$GT$4drop17h3b9a8d62ab89c99cE","ax",@progbits
	.globl	_ZN99_$LT$alloc..collections..btree..map..IntoIter$LT$K$C$V$C$A$GT$$u20$as$u20$core..ops..drop..Drop$GT$4drop17h3b9a8d62ab89c99cE
	.p2align	4
	.type	_ZN99_$LT$alloc..collections..btree..map..IntoIter$LT$K$C$V$C$A$GT$$u20$as$u20$core..ops..drop..Drop$GT$4drop17h3b9a8d62ab89c99cE,@function
_ZN99_$LT$alloc..collections..btree..map..IntoIter$LT$K$C$V$C$A$GT$$u20$as$u20$core..ops..drop..Drop$GT$4drop17h3b9a8d62ab89c99cE:
.Lfunc_begin38:
	.cfi_startproc
	.cfi_personality 155, DW.ref.rust_eh_personality
	.cfi_lsda 27, .Lexception38
	subq	$88, %rsp
	.cfi_def_cfa_offset 96
	movq	%rdi, (%rsp)
.LBB137_1:
	movq	(%rsp), %rsi
	leaq	8(%rsp), %rdi
	callq	*_ZN5alloc11collections5btree3map25IntoIter$LT$K$C$V$C$A$GT$10dying_next17h3fbb71a804f2d9dcE@GOTPCREL(%rip)
	movq	8(%rsp), %rdx
	movl	$1, %eax
	xorl	%ecx, %ecx
	cmpq	$0, %rdx
	cmoveq	%rcx, %rax
	testq	$1, %rax
	je	.LBB137_3
	movq	(%rsp), %rax
	movq	24(%rsp), %rcx
	movq	%rcx, 48(%rsp)
	movups	8(%rsp), %xmm0
	movaps	%xmm0, 32(%rsp)
	movq	%rax, 64(%rsp)
.Ltmp259:
	movq	_ZN5alloc11collections5btree4node173Handle$LT$alloc..collections..btree..node..NodeRef$LT$alloc..collections..btree..node..marker..Dying$C$K$C$V$C$NodeType$GT$$C$alloc..collections..btree..node..marker..KV$GT$12drop_key_val17h0047d813ceb2d486E@GOTPCREL(%rip), %rax
	leaq	32(%rsp), %rdi
	callq	*%rax
.Ltmp260:
	jmp	.LBB137_6
.LBB137_3:
	addq	$88, %rsp
	.cfi_def_cfa_offset 8
	retq
.LBB137_4:
	.cfi_def_cfa_offset 96
.Ltmp262:
	movq	_ZN4core3ptr182drop_in_place$LT$$LT$alloc..collections..btree..map..IntoIter$LT$K$C$V$C$A$GT$$u20$as$u20$core..ops..drop..Drop$GT$..drop..DropGuard$LT$$RF$str$C$usize$C$alloc..alloc..Global$GT$$GT$17h2b2e7e4c5fc5acc2E@GOTPCREL(%rip), %rax
	leaq	64(%rsp), %rdi
	callq	*%rax
.Ltmp263:
	jmp	.LBB137_8
.LBB137_5:
.Ltmp261:
	movq	%rax, %rcx
	movl	%edx, %eax
	movq	%rcx, 72(%rsp)
	movl	%eax, 80(%rsp)
	jmp	.LBB137_4
.LBB137_6:
	jmp	.LBB137_1
.LBB137_7:
.Ltmp264:
	callq	*_RNvNtCsgEmfK2I1SDS_4core9panicking16panic_in_cleanup@GOTPCREL(%rip)
.LBB137_8:
	movq	72(%rsp), %rdi
	callq	_Unwind_Resume@PLT
.Lfunc_end137:
	.size	_ZN99_$LT$alloc..collections..btree..map..IntoIter$LT$K$C$V$C$A$GT$$u20$as$u20$core..ops..drop..Drop$GT$4drop17h3b9a8d62ab89c99cE, .Lfunc_end137-_ZN99_$LT$alloc..collections..btree..map..IntoIter$LT$K$C$V$C$A$GT$$u20$as$u20$core..ops..drop..Drop$GT$4drop17h3b9a8d62ab89c99cE
	.cfi_endproc
	.section	".gcc_except_table._ZN99_$LT$alloc..collections..btree..map..IntoIter$LT$K$C$V$C$A$GT$$u20$as$u20$core..ops..drop..Drop$GT$4drop17h3b9a8d62ab89c99cE","a",@progbits
	.p2align	2, 0x0
GCC_except_table137:
.Lexception38:
	.byte	255
	.byte	155
	.uleb128 .Lttbase8-.Lttbaseref8
.Lttbaseref8:
	.byte	1
	.uleb128 .Lcst_end38-.Lcst_begin38
.Lcst_begin38:
	.uleb128 .Lfunc_begin38-.Lfunc_begin38
	.uleb128 .Ltmp259-.Lfunc_begin38
	.byte	0
	.byte	0
	.uleb128 .Ltmp259-.Lfunc_begin38
	.uleb128 .Ltmp260-.Ltmp259
	.uleb128 .Ltmp261-.Lfunc_begin38
	.byte	0
	.uleb128 .Ltmp262-.Lfunc_begin38
	.uleb128 .Ltmp263-.Ltmp262
	.uleb128 .Ltmp264-.Lfunc_begin38
	.byte	1
	.uleb128 .Ltmp263-.Lfunc_begin38
	.uleb128 .Lfunc_end137-.Ltmp263
	.byte	0
	.byte	0
.Lcst_end38:
	.byte	127
	.byte	0
	.p2align	2, 0x0
.Lttbase8:
	.byte	0
	.p2align	2, 0x0

	.section	".text._ZN99_$LT$core..str..pattern..CharPredicateSearcher$LT$F$GT$$u20$as$u20$core..str..pattern..Searcher$GT$10next_match17h37ceef45fb04cbbbE","ax",@progbits
	.globl	_ZN99_$LT$core..str..pattern..CharPredicateSearcher$LT$F$GT$$u20$as$u20$core..str..pattern..Searcher$GT$10next_match17h37ceef45fb04cbbbE
	.p2align	4
	.type	_ZN99_$LT$core..str..pattern..CharPredicateSearcher$LT$F$GT$$u20$as$u20$core..str..pattern..Searcher$GT$10next_match17h37ceef45fb04cbbbE,@function
_ZN99_$LT$core..str..pattern..CharPredicateSearcher$LT$F$GT$$u20$as$u20$core..str..pattern..Searcher$GT$10next_match17h37ceef45fb04cbbbE:
	.cfi_startproc
	pushq	%rax
	.cfi_def_cfa_offset 16
	movq	%rdi, %rax
	movq	%rax, (%rsp)
	callq	*_ZN4core3str7pattern8Searcher10next_match17hf4c3eaab9644d5feE@GOTPCREL(%rip)
	movq	(%rsp), %rax
	popq	%rcx
	.cfi_def_cfa_offset 8
	retq
.Lfunc_end138:
	.size	_ZN99_$LT$core..str..pattern..CharPredicateSearcher$LT$F$GT$$u20$as$u20$core..str..pattern..Searcher$GT$10next_match17h37ceef45fb04cbbbE, .Lfunc_end138-_ZN99_$LT$core..str..pattern..CharPredicateSearcher$LT$F$GT$$u20$as$u20$core..str..pattern..Searcher$GT$10next_match17h37ceef45fb04cbbbE
	.cfi_endproc

	.section	".text._ZN99_$LT$core..str..pattern..CharPredicateSearcher$LT$F$GT$$u20$as$u20$core..str..pattern..Searcher$GT$8haystack17h74dfba9b90fba4b6E","ax",@progbits
	.globl	_ZN99_$LT$core..str..pattern..CharPredicateSearcher$LT$F$GT$$u20$as$u20$core..str..pattern..Searcher$GT$8haystack17h74dfba9b90fba4b6E
	.p2align	4
	.type	_ZN99_$LT$core..str..pattern..CharPredicateSearcher$LT$F$GT$$u20$as$u20$core..str..pattern..Searcher$GT$8haystack17h74dfba9b90fba4b6E,@function
_ZN99_$LT$core..str..pattern..CharPredicateSearcher$LT$F$GT$$u20$as$u20$core..str..pattern..Searcher$GT$8haystack17h74dfba9b90fba4b6E:
	.cfi_startproc
	movq	(%rdi), %rax
	movq	8(%rdi), %rdx
	retq
.Lfunc_end139:
	.size	_ZN99_$LT$core..str..pattern..CharPredicateSearcher$LT$F$GT$$u20$as$u20$core..str..pattern..Searcher$GT$8haystack17h74dfba9b90fba4b6E, .Lfunc_end139-_ZN99_$LT$core..str..pattern..CharPredicateSearcher$LT$F$GT$$u20$as$u20$core..str..pattern..Searcher$GT$8haystack17h74dfba9b90fba4b6E
	.cfi_endproc

	.type	.Lanon.60bed5dcf488807794e55d614a93ec96.0,@object
	.section	.rodata.str1.1,"aMS",@progbits,1
.Lanon.60bed5dcf488807794e55d614a93ec96.0:
	.asciz	"/rustc/59807616e1fa2540724bfbac14d7976d7e4a3860/library/core/src/ptr/non_null.rs"
	.size	.Lanon.60bed5dcf488807794e55d614a93ec96.0, 81

	.type	.Lanon.60bed5dcf488807794e55d614a93ec96.1,@object
	.section	.data.rel.ro..Lanon.60bed5dcf488807794e55d614a93ec96.1,"aw",@progbits
	.p2align	3, 0x0
.Lanon.60bed5dcf488807794e55d614a93ec96.1:
	.quad	.Lanon.60bed5dcf488807794e55d614a93ec96.0
	.asciz	"P\000\000\000\000\000\000\000\271\003\000\000 \000\000"
	.size	.Lanon.60bed5dcf488807794e55d614a93ec96.1, 24

	.type	.Lanon.60bed5dcf488807794e55d614a93ec96.2,@object
	.section	.rodata..Lanon.60bed5dcf488807794e55d614a93ec96.2,"a",@progbits
.Lanon.60bed5dcf488807794e55d614a93ec96.2:
	.ascii	"assertion failed: 0 < pointee_size && pointee_size <= isize::MAX as usize"
	.size	.Lanon.60bed5dcf488807794e55d614a93ec96.2, 73

	.type	.Lanon.60bed5dcf488807794e55d614a93ec96.3,@object
	.section	.rodata..Lanon.60bed5dcf488807794e55d614a93ec96.3,"a",@progbits
.Lanon.60bed5dcf488807794e55d614a93ec96.3:
	.ascii	"unsafe precondition(s) violated: slice::get_unchecked requires that the range is within the slice\n\nThis indicates a bug in the program. This Undefined Behavior check is optional, and cannot be relied on for safety."
	.size	.Lanon.60bed5dcf488807794e55d614a93ec96.3, 214

	.type	.Lanon.60bed5dcf488807794e55d614a93ec96.4,@object
	.section	.rodata..Lanon.60bed5dcf488807794e55d614a93ec96.4,"a",@progbits
.Lanon.60bed5dcf488807794e55d614a93ec96.4:
	.ascii	"unsafe precondition(s) violated: slice::get_unchecked_mut requires that the range is within the slice\n\nThis indicates a bug in the program. This Undefined Behavior check is optional, and cannot be relied on for safety."
	.size	.Lanon.60bed5dcf488807794e55d614a93ec96.4, 218

	.type	.Lanon.60bed5dcf488807794e55d614a93ec96.5,@object
	.section	.rodata.str1.1,"aMS",@progbits,1
.Lanon.60bed5dcf488807794e55d614a93ec96.5:
	.asciz	"/rustc/59807616e1fa2540724bfbac14d7976d7e4a3860/library/core/src/iter/adapters/enumerate.rs"
	.size	.Lanon.60bed5dcf488807794e55d614a93ec96.5, 92

	.type	.Lanon.60bed5dcf488807794e55d614a93ec96.6,@object
	.section	.data.rel.ro..Lanon.60bed5dcf488807794e55d614a93ec96.6,"aw",@progbits
	.p2align	3, 0x0
.Lanon.60bed5dcf488807794e55d614a93ec96.6:
	.quad	.Lanon.60bed5dcf488807794e55d614a93ec96.5
	.asciz	"[\000\000\000\000\000\000\000R\000\000\000\t\000\000"
	.size	.Lanon.60bed5dcf488807794e55d614a93ec96.6, 24

	.type	.Lanon.60bed5dcf488807794e55d614a93ec96.7,@object
	.section	.rodata.str1.1,"aMS",@progbits,1
.Lanon.60bed5dcf488807794e55d614a93ec96.7:
	.asciz	"/rustc/59807616e1fa2540724bfbac14d7976d7e4a3860/library/core/src/iter/range.rs"
	.size	.Lanon.60bed5dcf488807794e55d614a93ec96.7, 79

	.type	.Lanon.60bed5dcf488807794e55d614a93ec96.8,@object
	.section	.data.rel.ro..Lanon.60bed5dcf488807794e55d614a93ec96.8,"aw",@progbits
	.p2align	3, 0x0
.Lanon.60bed5dcf488807794e55d614a93ec96.8:
	.quad	.Lanon.60bed5dcf488807794e55d614a93ec96.7
	.asciz	"N\000\000\000\000\000\000\000\262\001\000\000\001\000\000"
	.size	.Lanon.60bed5dcf488807794e55d614a93ec96.8, 24

	.type	.Lanon.60bed5dcf488807794e55d614a93ec96.9,@object
	.section	.rodata..Lanon.60bed5dcf488807794e55d614a93ec96.9,"a",@progbits
.Lanon.60bed5dcf488807794e55d614a93ec96.9:
	.ascii	"unsafe precondition(s) violated: usize::unchecked_add cannot overflow\n\nThis indicates a bug in the program. This Undefined Behavior check is optional, and cannot be relied on for safety."
	.size	.Lanon.60bed5dcf488807794e55d614a93ec96.9, 186

	.type	.Lanon.60bed5dcf488807794e55d614a93ec96.10,@object
	.section	.rodata..Lanon.60bed5dcf488807794e55d614a93ec96.10,"a",@progbits
.Lanon.60bed5dcf488807794e55d614a93ec96.10:
	.ascii	"unsafe precondition(s) violated: NonZero::new_unchecked requires the argument to be non-zero\n\nThis indicates a bug in the program. This Undefined Behavior check is optional, and cannot be relied on for safety."
	.size	.Lanon.60bed5dcf488807794e55d614a93ec96.10, 209

	.type	.Lanon.60bed5dcf488807794e55d614a93ec96.11,@object
	.section	.rodata..Lanon.60bed5dcf488807794e55d614a93ec96.11,"a",@progbits
.Lanon.60bed5dcf488807794e55d614a93ec96.11:
	.ascii	"unsafe precondition(s) violated: ptr::copy_nonoverlapping requires that both pointer arguments are aligned and non-null and the specified memory ranges do not overlap\n\nThis indicates a bug in the program. This Undefined Behavior check is optional, and cannot be relied on for safety."
	.size	.Lanon.60bed5dcf488807794e55d614a93ec96.11, 283

	.type	.Lanon.60bed5dcf488807794e55d614a93ec96.12,@object
	.section	.rodata..Lanon.60bed5dcf488807794e55d614a93ec96.12,"a",@progbits
.Lanon.60bed5dcf488807794e55d614a93ec96.12:
	.ascii	"unsafe precondition(s) violated: ptr::copy requires that both pointer arguments are aligned and non-null\n\nThis indicates a bug in the program. This Undefined Behavior check is optional, and cannot be relied on for safety."
	.size	.Lanon.60bed5dcf488807794e55d614a93ec96.12, 221

	.type	.Lanon.60bed5dcf488807794e55d614a93ec96.13,@object
	.section	.rodata..Lanon.60bed5dcf488807794e55d614a93ec96.13,"a",@progbits
.Lanon.60bed5dcf488807794e55d614a93ec96.13:
	.ascii	"unsafe precondition(s) violated: NonNull::new_unchecked requires that the pointer is non-null\n\nThis indicates a bug in the program. This Undefined Behavior check is optional, and cannot be relied on for safety."
	.size	.Lanon.60bed5dcf488807794e55d614a93ec96.13, 210

	.type	.Lanon.60bed5dcf488807794e55d614a93ec96.14,@object
	.section	.rodata..Lanon.60bed5dcf488807794e55d614a93ec96.14,"a",@progbits
.Lanon.60bed5dcf488807794e55d614a93ec96.14:
	.ascii	"unsafe precondition(s) violated: Alignment::new_unchecked requires a power of two\n\nThis indicates a bug in the program. This Undefined Behavior check is optional, and cannot be relied on for safety."
	.size	.Lanon.60bed5dcf488807794e55d614a93ec96.14, 198

	.type	.Lanon.60bed5dcf488807794e55d614a93ec96.15,@object
	.section	.rodata..Lanon.60bed5dcf488807794e55d614a93ec96.15,"a",@progbits
.Lanon.60bed5dcf488807794e55d614a93ec96.15:
	.ascii	"is_aligned_to: align is not a power-of-two"
	.size	.Lanon.60bed5dcf488807794e55d614a93ec96.15, 42

	.type	.Lanon.60bed5dcf488807794e55d614a93ec96.16,@object
	.section	.rodata.str1.1,"aMS",@progbits,1
.Lanon.60bed5dcf488807794e55d614a93ec96.16:
	.asciz	"/rustc/59807616e1fa2540724bfbac14d7976d7e4a3860/library/core/src/ptr/const_ptr.rs"
	.size	.Lanon.60bed5dcf488807794e55d614a93ec96.16, 82

	.type	.Lanon.60bed5dcf488807794e55d614a93ec96.17,@object
	.section	.data.rel.ro..Lanon.60bed5dcf488807794e55d614a93ec96.17,"aw",@progbits
	.p2align	3, 0x0
.Lanon.60bed5dcf488807794e55d614a93ec96.17:
	.quad	.Lanon.60bed5dcf488807794e55d614a93ec96.16
	.asciz	"Q\000\000\000\000\000\000\000^\005\000\000\r\000\000"
	.size	.Lanon.60bed5dcf488807794e55d614a93ec96.17, 24

	.type	.Lanon.60bed5dcf488807794e55d614a93ec96.18,@object
	.section	.rodata..Lanon.60bed5dcf488807794e55d614a93ec96.18,"a",@progbits
.Lanon.60bed5dcf488807794e55d614a93ec96.18:
	.ascii	"unsafe precondition(s) violated: ptr::offset_from_unsigned requires `self >= origin`\n\nThis indicates a bug in the program. This Undefined Behavior check is optional, and cannot be relied on for safety."
	.size	.Lanon.60bed5dcf488807794e55d614a93ec96.18, 201

	.type	.Lanon.60bed5dcf488807794e55d614a93ec96.19,@object
	.section	.rodata.cst8,"aM",@progbits,8
	.p2align	2, 0x0
.Lanon.60bed5dcf488807794e55d614a93ec96.19:
	.zero	4
	.zero	4
	.size	.Lanon.60bed5dcf488807794e55d614a93ec96.19, 8

	.type	.Lanon.60bed5dcf488807794e55d614a93ec96.20,@object
	.section	.rodata.str1.1,"aMS",@progbits,1
.Lanon.60bed5dcf488807794e55d614a93ec96.20:
	.asciz	"/rustc/59807616e1fa2540724bfbac14d7976d7e4a3860/library/core/src/str/validations.rs"
	.size	.Lanon.60bed5dcf488807794e55d614a93ec96.20, 84

	.type	.Lanon.60bed5dcf488807794e55d614a93ec96.21,@object
	.section	.data.rel.ro..Lanon.60bed5dcf488807794e55d614a93ec96.21,"aw",@progbits
	.p2align	3, 0x0
.Lanon.60bed5dcf488807794e55d614a93ec96.21:
	.quad	.Lanon.60bed5dcf488807794e55d614a93ec96.20
	.asciz	"S\000\000\000\000\000\000\0000\000\000\000$\000\000"
	.size	.Lanon.60bed5dcf488807794e55d614a93ec96.21, 24

	.type	.Lanon.60bed5dcf488807794e55d614a93ec96.22,@object
	.section	.data.rel.ro..Lanon.60bed5dcf488807794e55d614a93ec96.22,"aw",@progbits
	.p2align	3, 0x0
.Lanon.60bed5dcf488807794e55d614a93ec96.22:
	.quad	.Lanon.60bed5dcf488807794e55d614a93ec96.20
	.asciz	"S\000\000\000\000\000\000\0007\000\000\000(\000\000"
	.size	.Lanon.60bed5dcf488807794e55d614a93ec96.22, 24

	.type	.Lanon.60bed5dcf488807794e55d614a93ec96.23,@object
	.section	.data.rel.ro..Lanon.60bed5dcf488807794e55d614a93ec96.23,"aw",@progbits
	.p2align	3, 0x0
.Lanon.60bed5dcf488807794e55d614a93ec96.23:
	.quad	.Lanon.60bed5dcf488807794e55d614a93ec96.20
	.asciz	"S\000\000\000\000\000\000\000?\000\000\000,\000\000"
	.size	.Lanon.60bed5dcf488807794e55d614a93ec96.23, 24

	.type	.Lanon.60bed5dcf488807794e55d614a93ec96.24,@object
	.section	.rodata.str1.1,"aMS",@progbits,1
.Lanon.60bed5dcf488807794e55d614a93ec96.24:
	.asciz	"/rustc/59807616e1fa2540724bfbac14d7976d7e4a3860/library/core/src/str/mod.rs"
	.size	.Lanon.60bed5dcf488807794e55d614a93ec96.24, 76

	.type	.Lanon.60bed5dcf488807794e55d614a93ec96.25,@object
	.section	.data.rel.ro..Lanon.60bed5dcf488807794e55d614a93ec96.25,"aw",@progbits
	.p2align	3, 0x0
.Lanon.60bed5dcf488807794e55d614a93ec96.25:
	.quad	.Lanon.60bed5dcf488807794e55d614a93ec96.24
	.asciz	"K\000\000\000\000\000\000\000\263\002\000\000\026\000\000"
	.size	.Lanon.60bed5dcf488807794e55d614a93ec96.25, 24

	.type	.Lanon.60bed5dcf488807794e55d614a93ec96.26,@object
	.section	.rodata.cst16,"aM",@progbits,16
	.p2align	3, 0x0
.Lanon.60bed5dcf488807794e55d614a93ec96.26:
	.zero	8
	.zero	8
	.size	.Lanon.60bed5dcf488807794e55d614a93ec96.26, 16

	.type	.Lanon.60bed5dcf488807794e55d614a93ec96.27,@object
	.section	.rodata..Lanon.60bed5dcf488807794e55d614a93ec96.27,"a",@progbits
.Lanon.60bed5dcf488807794e55d614a93ec96.27:
	.ascii	"unsafe precondition(s) violated: str::get_unchecked requires that the range is within the string slice\n\nThis indicates a bug in the program. This Undefined Behavior check is optional, and cannot be relied on for safety."
	.size	.Lanon.60bed5dcf488807794e55d614a93ec96.27, 219

	.type	.Lanon.60bed5dcf488807794e55d614a93ec96.28,@object
	.section	.rodata..Lanon.60bed5dcf488807794e55d614a93ec96.28,"a",@progbits
.Lanon.60bed5dcf488807794e55d614a93ec96.28:
	.ascii	"unsafe precondition(s) violated: invalid value for `char`\n\nThis indicates a bug in the program. This Undefined Behavior check is optional, and cannot be relied on for safety."
	.size	.Lanon.60bed5dcf488807794e55d614a93ec96.28, 174

	.type	.Lanon.60bed5dcf488807794e55d614a93ec96.29,@object
	.section	.rodata..Lanon.60bed5dcf488807794e55d614a93ec96.29,"a",@progbits
.Lanon.60bed5dcf488807794e55d614a93ec96.29:
	.ascii	"unsafe precondition(s) violated: hint::unreachable_unchecked must never be reached\n\nThis indicates a bug in the program. This Undefined Behavior check is optional, and cannot be relied on for safety."
	.size	.Lanon.60bed5dcf488807794e55d614a93ec96.29, 199

	.type	.Lanon.60bed5dcf488807794e55d614a93ec96.30,@object
	.section	.rodata..Lanon.60bed5dcf488807794e55d614a93ec96.30,"a",@progbits
.Lanon.60bed5dcf488807794e55d614a93ec96.30:
	.ascii	"unsafe precondition(s) violated: Layout::from_size_alignment_unchecked requires that the rounded-up allocation size does not exceed isize::MAX\n\nThis indicates a bug in the program. This Undefined Behavior check is optional, and cannot be relied on for safety."
	.size	.Lanon.60bed5dcf488807794e55d614a93ec96.30, 259

	.type	.Lanon.60bed5dcf488807794e55d614a93ec96.31,@object
	.section	.rodata.str1.1,"aMS",@progbits,1
.Lanon.60bed5dcf488807794e55d614a93ec96.31:
	.asciz	"/rustc/59807616e1fa2540724bfbac14d7976d7e4a3860/library/core/src/unicode/unicode_data.rs"
	.size	.Lanon.60bed5dcf488807794e55d614a93ec96.31, 89

	.type	.Lanon.60bed5dcf488807794e55d614a93ec96.32,@object
	.section	.data.rel.ro..Lanon.60bed5dcf488807794e55d614a93ec96.32,"aw",@progbits
	.p2align	3, 0x0
.Lanon.60bed5dcf488807794e55d614a93ec96.32:
	.quad	.Lanon.60bed5dcf488807794e55d614a93ec96.31
	.asciz	"X\000\000\000\000\000\000\000\356\002\000\000\022\000\000"
	.size	.Lanon.60bed5dcf488807794e55d614a93ec96.32, 24

	.type	.Lanon.60bed5dcf488807794e55d614a93ec96.33,@object
	.section	.data.rel.ro..Lanon.60bed5dcf488807794e55d614a93ec96.33,"aw",@progbits
	.p2align	3, 0x0
.Lanon.60bed5dcf488807794e55d614a93ec96.33:
	.quad	.Lanon.60bed5dcf488807794e55d614a93ec96.31
	.asciz	"X\000\000\000\000\000\000\000\360\002\000\000\023\000\000"
	.size	.Lanon.60bed5dcf488807794e55d614a93ec96.33, 24

	.type	.Lanon.60bed5dcf488807794e55d614a93ec96.34,@object
	.section	.rodata..Lanon.60bed5dcf488807794e55d614a93ec96.34,"a",@progbits
.Lanon.60bed5dcf488807794e55d614a93ec96.34:
	.ascii	"is_nonoverlapping: `size_of::<T>() * count` overflows a usize"
	.size	.Lanon.60bed5dcf488807794e55d614a93ec96.34, 61

	.type	.Lanon.60bed5dcf488807794e55d614a93ec96.35,@object
	.section	.rodata.str1.1,"aMS",@progbits,1
.Lanon.60bed5dcf488807794e55d614a93ec96.35:
	.asciz	"/rustc/59807616e1fa2540724bfbac14d7976d7e4a3860/library/core/src/option.rs"
	.size	.Lanon.60bed5dcf488807794e55d614a93ec96.35, 75

	.type	.Lanon.60bed5dcf488807794e55d614a93ec96.36,@object
	.section	.data.rel.ro..Lanon.60bed5dcf488807794e55d614a93ec96.36,"aw",@progbits
	.p2align	3, 0x0
.Lanon.60bed5dcf488807794e55d614a93ec96.36:
	.quad	.Lanon.60bed5dcf488807794e55d614a93ec96.35
	.asciz	"J\000\000\000\000\000\000\000\301\006\000\000 \000\000"
	.size	.Lanon.60bed5dcf488807794e55d614a93ec96.36, 24

	.type	.Lanon.60bed5dcf488807794e55d614a93ec96.37,@object
	.section	.rodata.str1.1,"aMS",@progbits,1
.Lanon.60bed5dcf488807794e55d614a93ec96.37:
	.asciz	"/rustc/59807616e1fa2540724bfbac14d7976d7e4a3860/library/alloc/src/collections/btree/map/entry.rs"
	.size	.Lanon.60bed5dcf488807794e55d614a93ec96.37, 97

	.type	.Lanon.60bed5dcf488807794e55d614a93ec96.38,@object
	.section	.data.rel.ro..Lanon.60bed5dcf488807794e55d614a93ec96.38,"aw",@progbits
	.p2align	3, 0x0
.Lanon.60bed5dcf488807794e55d614a93ec96.38:
	.quad	.Lanon.60bed5dcf488807794e55d614a93ec96.37
	.asciz	"`\000\000\000\000\000\000\000\240\001\000\000.\000\000"
	.size	.Lanon.60bed5dcf488807794e55d614a93ec96.38, 24

	.type	.Lanon.60bed5dcf488807794e55d614a93ec96.39,@object
	.section	.rodata.cst32,"aM",@progbits,32
.Lanon.60bed5dcf488807794e55d614a93ec96.39:
	.ascii	"assertion failed: idx < CAPACITY"
	.size	.Lanon.60bed5dcf488807794e55d614a93ec96.39, 32

	.type	.Lanon.60bed5dcf488807794e55d614a93ec96.40,@object
	.section	.rodata.str1.1,"aMS",@progbits,1
.Lanon.60bed5dcf488807794e55d614a93ec96.40:
	.asciz	"/rustc/59807616e1fa2540724bfbac14d7976d7e4a3860/library/alloc/src/collections/btree/node.rs"
	.size	.Lanon.60bed5dcf488807794e55d614a93ec96.40, 92

	.type	.Lanon.60bed5dcf488807794e55d614a93ec96.41,@object
	.section	.data.rel.ro..Lanon.60bed5dcf488807794e55d614a93ec96.41,"aw",@progbits
	.p2align	3, 0x0
.Lanon.60bed5dcf488807794e55d614a93ec96.41:
	.quad	.Lanon.60bed5dcf488807794e55d614a93ec96.40
	.asciz	"[\000\000\000\000\000\000\000\236\002\000\000\t\000\000"
	.size	.Lanon.60bed5dcf488807794e55d614a93ec96.41, 24

	.type	.Lanon.60bed5dcf488807794e55d614a93ec96.42,@object
	.section	.data.rel.ro..Lanon.60bed5dcf488807794e55d614a93ec96.42,"aw",@progbits
	.p2align	3, 0x0
.Lanon.60bed5dcf488807794e55d614a93ec96.42:
	.quad	.Lanon.60bed5dcf488807794e55d614a93ec96.40
	.asciz	"[\000\000\000\000\000\000\000\356\001\000\0009\000\000"
	.size	.Lanon.60bed5dcf488807794e55d614a93ec96.42, 24

	.type	.Lanon.60bed5dcf488807794e55d614a93ec96.43,@object
	.section	.data.rel.ro..Lanon.60bed5dcf488807794e55d614a93ec96.43,"aw",@progbits
	.p2align	3, 0x0
.Lanon.60bed5dcf488807794e55d614a93ec96.43:
	.quad	.Lanon.60bed5dcf488807794e55d614a93ec96.40
	.asciz	"[\000\000\000\000\000\000\000\374\001\000\0009\000\000"
	.size	.Lanon.60bed5dcf488807794e55d614a93ec96.43, 24

	.type	.Lanon.60bed5dcf488807794e55d614a93ec96.44,@object
	.section	.rodata.str1.1,"aMS",@progbits,1
.Lanon.60bed5dcf488807794e55d614a93ec96.44:
	.asciz	"/rustc/59807616e1fa2540724bfbac14d7976d7e4a3860/library/alloc/src/boxed.rs"
	.size	.Lanon.60bed5dcf488807794e55d614a93ec96.44, 75

	.type	.Lanon.60bed5dcf488807794e55d614a93ec96.45,@object
	.section	.data.rel.ro..Lanon.60bed5dcf488807794e55d614a93ec96.45,"aw",@progbits
	.p2align	3, 0x0
.Lanon.60bed5dcf488807794e55d614a93ec96.45:
	.quad	.Lanon.60bed5dcf488807794e55d614a93ec96.44
	.asciz	"J\000\000\000\000\000\000\000\241\006\000\000\023\000\000"
	.size	.Lanon.60bed5dcf488807794e55d614a93ec96.45, 24

	.type	.Lanon.60bed5dcf488807794e55d614a93ec96.46,@object
	.section	.rodata..Lanon.60bed5dcf488807794e55d614a93ec96.46,"a",@progbits
.Lanon.60bed5dcf488807794e55d614a93ec96.46:
	.ascii	"assertion failed: edge.height == self.height - 1"
	.size	.Lanon.60bed5dcf488807794e55d614a93ec96.46, 48

	.type	.Lanon.60bed5dcf488807794e55d614a93ec96.47,@object
	.section	.data.rel.ro..Lanon.60bed5dcf488807794e55d614a93ec96.47,"aw",@progbits
	.p2align	3, 0x0
.Lanon.60bed5dcf488807794e55d614a93ec96.47:
	.quad	.Lanon.60bed5dcf488807794e55d614a93ec96.40
	.asciz	"[\000\000\000\000\000\000\000\266\002\000\000\t\000\000"
	.size	.Lanon.60bed5dcf488807794e55d614a93ec96.47, 24

	.type	.Lanon.60bed5dcf488807794e55d614a93ec96.48,@object
	.section	.data.rel.ro..Lanon.60bed5dcf488807794e55d614a93ec96.48,"aw",@progbits
	.p2align	3, 0x0
.Lanon.60bed5dcf488807794e55d614a93ec96.48:
	.quad	.Lanon.60bed5dcf488807794e55d614a93ec96.40
	.asciz	"[\000\000\000\000\000\000\000\272\002\000\000\t\000\000"
	.size	.Lanon.60bed5dcf488807794e55d614a93ec96.48, 24

	.type	.Lanon.60bed5dcf488807794e55d614a93ec96.49,@object
	.section	.data.rel.ro..Lanon.60bed5dcf488807794e55d614a93ec96.49,"aw",@progbits
	.p2align	3, 0x0
.Lanon.60bed5dcf488807794e55d614a93ec96.49:
	.quad	.Lanon.60bed5dcf488807794e55d614a93ec96.40
	.asciz	"[\000\000\000\000\000\000\000\f\002\000\000>\000\000"
	.size	.Lanon.60bed5dcf488807794e55d614a93ec96.49, 24

	.type	.Lanon.60bed5dcf488807794e55d614a93ec96.50,@object
	.section	.data.rel.ro..Lanon.60bed5dcf488807794e55d614a93ec96.50,"aw",@progbits
	.p2align	3, 0x0
.Lanon.60bed5dcf488807794e55d614a93ec96.50:
	.quad	.Lanon.60bed5dcf488807794e55d614a93ec96.40
	.asciz	"[\000\000\000\000\000\000\000\360\000\000\000M\000\000"
	.size	.Lanon.60bed5dcf488807794e55d614a93ec96.50, 24

	.type	.Lanon.60bed5dcf488807794e55d614a93ec96.51,@object
	.section	.rodata.str1.1,"aMS",@progbits,1
.Lanon.60bed5dcf488807794e55d614a93ec96.51:
	.asciz	"/rustc/59807616e1fa2540724bfbac14d7976d7e4a3860/library/core/src/ptr/mod.rs"
	.size	.Lanon.60bed5dcf488807794e55d614a93ec96.51, 76

	.type	.Lanon.60bed5dcf488807794e55d614a93ec96.52,@object
	.section	.data.rel.ro..Lanon.60bed5dcf488807794e55d614a93ec96.52,"aw",@progbits
	.p2align	3, 0x0
.Lanon.60bed5dcf488807794e55d614a93ec96.52:
	.quad	.Lanon.60bed5dcf488807794e55d614a93ec96.51
	.asciz	"K\000\000\000\000\000\000\000r\002\000\000\t\000\000"
	.size	.Lanon.60bed5dcf488807794e55d614a93ec96.52, 24

	.type	.Lanon.60bed5dcf488807794e55d614a93ec96.53,@object
	.section	.rodata..Lanon.60bed5dcf488807794e55d614a93ec96.53,"a",@progbits
.Lanon.60bed5dcf488807794e55d614a93ec96.53:
	.ascii	"assertion failed: src.len() == dst.len()"
	.size	.Lanon.60bed5dcf488807794e55d614a93ec96.53, 40

	.type	.Lanon.60bed5dcf488807794e55d614a93ec96.54,@object
	.section	.data.rel.ro..Lanon.60bed5dcf488807794e55d614a93ec96.54,"aw",@progbits
	.p2align	3, 0x0
.Lanon.60bed5dcf488807794e55d614a93ec96.54:
	.quad	.Lanon.60bed5dcf488807794e55d614a93ec96.40
	.asciz	"[\000\000\000\000\000\000\000T\007\000\000\005\000\000"
	.size	.Lanon.60bed5dcf488807794e55d614a93ec96.54, 24

	.type	.Lanon.60bed5dcf488807794e55d614a93ec96.55,@object
	.section	.data.rel.ro..Lanon.60bed5dcf488807794e55d614a93ec96.55,"aw",@progbits
	.p2align	3, 0x0
.Lanon.60bed5dcf488807794e55d614a93ec96.55:
	.quad	.Lanon.60bed5dcf488807794e55d614a93ec96.51
	.asciz	"K\000\000\000\000\000\000\000\017\002\000\000\005\000\000"
	.size	.Lanon.60bed5dcf488807794e55d614a93ec96.55, 24

	.type	.Lanon.60bed5dcf488807794e55d614a93ec96.56,@object
	.section	.data.rel.ro..Lanon.60bed5dcf488807794e55d614a93ec96.56,"aw",@progbits
	.p2align	3, 0x0
.Lanon.60bed5dcf488807794e55d614a93ec96.56:
	.quad	.Lanon.60bed5dcf488807794e55d614a93ec96.40
	.asciz	"[\000\000\000\000\000\000\000r\004\000\000\034\000\000"
	.size	.Lanon.60bed5dcf488807794e55d614a93ec96.56, 24

	.type	.Lanon.60bed5dcf488807794e55d614a93ec96.57,@object
	.section	.data.rel.ro..Lanon.60bed5dcf488807794e55d614a93ec96.57,"aw",@progbits
	.p2align	3, 0x0
.Lanon.60bed5dcf488807794e55d614a93ec96.57:
	.quad	.Lanon.60bed5dcf488807794e55d614a93ec96.40
	.asciz	"[\000\000\000\000\000\000\000\320\004\000\000#\000\000"
	.size	.Lanon.60bed5dcf488807794e55d614a93ec96.57, 24

	.type	.Lanon.60bed5dcf488807794e55d614a93ec96.58,@object
	.section	.data.rel.ro..Lanon.60bed5dcf488807794e55d614a93ec96.58,"aw",@progbits
	.p2align	3, 0x0
.Lanon.60bed5dcf488807794e55d614a93ec96.58:
	.quad	.Lanon.60bed5dcf488807794e55d614a93ec96.40
	.asciz	"[\000\000\000\000\000\000\000\271\004\000\000!\000\000"
	.size	.Lanon.60bed5dcf488807794e55d614a93ec96.58, 24

	.type	.Lanon.60bed5dcf488807794e55d614a93ec96.59,@object
	.section	.data.rel.ro..Lanon.60bed5dcf488807794e55d614a93ec96.59,"aw",@progbits
	.p2align	3, 0x0
.Lanon.60bed5dcf488807794e55d614a93ec96.59:
	.quad	.Lanon.60bed5dcf488807794e55d614a93ec96.40
	.asciz	"[\000\000\000\000\000\000\000\272\004\000\000!\000\000"
	.size	.Lanon.60bed5dcf488807794e55d614a93ec96.59, 24

	.type	.Lanon.60bed5dcf488807794e55d614a93ec96.60,@object
	.section	.rodata.str1.1,"aMS",@progbits,1
.Lanon.60bed5dcf488807794e55d614a93ec96.60:
	.asciz	"/rustc/59807616e1fa2540724bfbac14d7976d7e4a3860/library/core/src/slice/index.rs"
	.size	.Lanon.60bed5dcf488807794e55d614a93ec96.60, 80

	.type	.Lanon.60bed5dcf488807794e55d614a93ec96.61,@object
	.section	.data.rel.ro..Lanon.60bed5dcf488807794e55d614a93ec96.61,"aw",@progbits
	.p2align	3, 0x0
.Lanon.60bed5dcf488807794e55d614a93ec96.61:
	.quad	.Lanon.60bed5dcf488807794e55d614a93ec96.60
	.asciz	"O\000\000\000\000\000\000\000\f\002\000\000 \000\000"
	.size	.Lanon.60bed5dcf488807794e55d614a93ec96.61, 24

	.type	.Lanon.60bed5dcf488807794e55d614a93ec96.62,@object
	.section	.data.rel.ro..Lanon.60bed5dcf488807794e55d614a93ec96.62,"aw",@progbits
	.p2align	3, 0x0
.Lanon.60bed5dcf488807794e55d614a93ec96.62:
	.quad	.Lanon.60bed5dcf488807794e55d614a93ec96.40
	.asciz	"[\000\000\000\000\000\000\000\027\005\000\000\032\000\000"
	.size	.Lanon.60bed5dcf488807794e55d614a93ec96.62, 24

	.type	.Lanon.60bed5dcf488807794e55d614a93ec96.63,@object
	.section	.data.rel.ro..Lanon.60bed5dcf488807794e55d614a93ec96.63,"aw",@progbits
	.p2align	3, 0x0
.Lanon.60bed5dcf488807794e55d614a93ec96.63:
	.quad	.Lanon.60bed5dcf488807794e55d614a93ec96.40
	.asciz	"[\000\000\000\000\000\000\000\023\005\000\000$\000\000"
	.size	.Lanon.60bed5dcf488807794e55d614a93ec96.63, 24

	.type	.Lanon.60bed5dcf488807794e55d614a93ec96.64,@object
	.section	.data.rel.ro..Lanon.60bed5dcf488807794e55d614a93ec96.64,"aw",@progbits
	.p2align	3, 0x0
.Lanon.60bed5dcf488807794e55d614a93ec96.64:
	.quad	.Lanon.60bed5dcf488807794e55d614a93ec96.40
	.asciz	"[\000\000\000\000\000\000\000\337\003\000\000\034\000\000"
	.size	.Lanon.60bed5dcf488807794e55d614a93ec96.64, 24

	.type	.Lanon.60bed5dcf488807794e55d614a93ec96.65,@object
	.section	.data.rel.ro..Lanon.60bed5dcf488807794e55d614a93ec96.65,"aw",@progbits
	.p2align	3, 0x0
.Lanon.60bed5dcf488807794e55d614a93ec96.65:
	.quad	.Lanon.60bed5dcf488807794e55d614a93ec96.40
	.asciz	"[\000\000\000\000\000\000\000[\004\000\0001\000\000"
	.size	.Lanon.60bed5dcf488807794e55d614a93ec96.65, 24

	.type	.Lanon.60bed5dcf488807794e55d614a93ec96.66,@object
	.section	.rodata..Lanon.60bed5dcf488807794e55d614a93ec96.66,"a",@progbits
.Lanon.60bed5dcf488807794e55d614a93ec96.66:
	.ascii	"assertion failed: edge.height == self.node.height - 1"
	.size	.Lanon.60bed5dcf488807794e55d614a93ec96.66, 53

	.type	.Lanon.60bed5dcf488807794e55d614a93ec96.67,@object
	.section	.data.rel.ro..Lanon.60bed5dcf488807794e55d614a93ec96.67,"aw",@progbits
	.p2align	3, 0x0
.Lanon.60bed5dcf488807794e55d614a93ec96.67:
	.quad	.Lanon.60bed5dcf488807794e55d614a93ec96.40
	.asciz	"[\000\000\000\000\000\000\000\003\004\000\000\t\000\000"
	.size	.Lanon.60bed5dcf488807794e55d614a93ec96.67, 24

	.type	.Lanon.60bed5dcf488807794e55d614a93ec96.68,@object
	.section	.data.rel.ro..Lanon.60bed5dcf488807794e55d614a93ec96.68,"aw",@progbits
	.p2align	3, 0x0
.Lanon.60bed5dcf488807794e55d614a93ec96.68:
	.quad	.Lanon.60bed5dcf488807794e55d614a93ec96.60
	.asciz	"O\000\000\000\000\000\000\000\006\002\000\000 \000\000"
	.size	.Lanon.60bed5dcf488807794e55d614a93ec96.68, 24

	.type	.Lanon.60bed5dcf488807794e55d614a93ec96.69,@object
	.section	.data.rel.ro..Lanon.60bed5dcf488807794e55d614a93ec96.69,"aw",@progbits
	.p2align	3, 0x0
.Lanon.60bed5dcf488807794e55d614a93ec96.69:
	.quad	.Lanon.60bed5dcf488807794e55d614a93ec96.60
	.asciz	"O\000\000\000\000\000\000\000-\002\000\000,\000\000"
	.size	.Lanon.60bed5dcf488807794e55d614a93ec96.69, 24

	.type	.Lanon.60bed5dcf488807794e55d614a93ec96.70,@object
	.section	.rodata.str1.1,"aMS",@progbits,1
.Lanon.60bed5dcf488807794e55d614a93ec96.70:
	.asciz	"/rustc/59807616e1fa2540724bfbac14d7976d7e4a3860/library/alloc/src/collections/btree/navigate.rs"
	.size	.Lanon.60bed5dcf488807794e55d614a93ec96.70, 96

	.type	.Lanon.60bed5dcf488807794e55d614a93ec96.71,@object
	.section	.data.rel.ro..Lanon.60bed5dcf488807794e55d614a93ec96.71,"aw",@progbits
	.p2align	3, 0x0
.Lanon.60bed5dcf488807794e55d614a93ec96.71:
	.quad	.Lanon.60bed5dcf488807794e55d614a93ec96.70
	.asciz	"_\000\000\000\000\000\000\000X\002\000\0000\000\000"
	.size	.Lanon.60bed5dcf488807794e55d614a93ec96.71, 24

	.type	.Lanon.60bed5dcf488807794e55d614a93ec96.72,@object
	.section	.data.rel.ro..Lanon.60bed5dcf488807794e55d614a93ec96.72,"aw",@progbits
	.p2align	3, 0x0
.Lanon.60bed5dcf488807794e55d614a93ec96.72:
	.quad	.Lanon.60bed5dcf488807794e55d614a93ec96.70
	.asciz	"_\000\000\000\000\000\000\000\347\000\000\0007\000\000"
	.size	.Lanon.60bed5dcf488807794e55d614a93ec96.72, 24

	.type	.Lanon.60bed5dcf488807794e55d614a93ec96.73,@object
	.section	.data.rel.ro..Lanon.60bed5dcf488807794e55d614a93ec96.73,"aw",@progbits
	.p2align	3, 0x0
.Lanon.60bed5dcf488807794e55d614a93ec96.73:
	.quad	.Lanon.60bed5dcf488807794e55d614a93ec96.70
	.asciz	"_\000\000\000\000\000\000\000\306\000\000\000'\000\000"
	.size	.Lanon.60bed5dcf488807794e55d614a93ec96.73, 24

	.type	.Lanon.60bed5dcf488807794e55d614a93ec96.74,@object
	.section	.data.rel.ro..Lanon.60bed5dcf488807794e55d614a93ec96.74,"aw",@progbits
	.p2align	3, 0x0
.Lanon.60bed5dcf488807794e55d614a93ec96.74:
	.quad	.Lanon.60bed5dcf488807794e55d614a93ec96.0
	.asciz	"P\000\000\000\000\000\000\000\252\005\000\000\022\000\000"
	.size	.Lanon.60bed5dcf488807794e55d614a93ec96.74, 24

	.type	.Lanon.60bed5dcf488807794e55d614a93ec96.75,@object
	.section	.data.rel.ro..Lanon.60bed5dcf488807794e55d614a93ec96.75,"aw",@progbits
	.p2align	3, 0x0
.Lanon.60bed5dcf488807794e55d614a93ec96.75:
	.quad	.Lanon.60bed5dcf488807794e55d614a93ec96.0
	.asciz	"P\000\000\000\000\000\000\000\020\001\000\000\033\000\000"
	.size	.Lanon.60bed5dcf488807794e55d614a93ec96.75, 24

	.type	.Lanon.60bed5dcf488807794e55d614a93ec96.76,@object
	.section	.rodata.str1.1,"aMS",@progbits,1
.Lanon.60bed5dcf488807794e55d614a93ec96.76:
	.asciz	"/rustc/59807616e1fa2540724bfbac14d7976d7e4a3860/library/core/src/ptr/unique.rs"
	.size	.Lanon.60bed5dcf488807794e55d614a93ec96.76, 79

	.type	.Lanon.60bed5dcf488807794e55d614a93ec96.77,@object
	.section	.data.rel.ro..Lanon.60bed5dcf488807794e55d614a93ec96.77,"aw",@progbits
	.p2align	3, 0x0
.Lanon.60bed5dcf488807794e55d614a93ec96.77:
	.quad	.Lanon.60bed5dcf488807794e55d614a93ec96.76
	.asciz	"N\000\000\000\000\000\000\000Y\000\000\000$\000\000"
	.size	.Lanon.60bed5dcf488807794e55d614a93ec96.77, 24

	.type	.Lanon.60bed5dcf488807794e55d614a93ec96.78,@object
	.section	.rodata.str1.1,"aMS",@progbits,1
.Lanon.60bed5dcf488807794e55d614a93ec96.78:
	.asciz	"/rustc/59807616e1fa2540724bfbac14d7976d7e4a3860/library/core/src/ptr/alignment.rs"
	.size	.Lanon.60bed5dcf488807794e55d614a93ec96.78, 82

	.type	.Lanon.60bed5dcf488807794e55d614a93ec96.79,@object
	.section	.data.rel.ro..Lanon.60bed5dcf488807794e55d614a93ec96.79,"aw",@progbits
	.p2align	3, 0x0
.Lanon.60bed5dcf488807794e55d614a93ec96.79:
	.quad	.Lanon.60bed5dcf488807794e55d614a93ec96.78
	.asciz	"Q\000\000\000\000\000\000\000\177\000\000\000\022\000\000"
	.size	.Lanon.60bed5dcf488807794e55d614a93ec96.79, 24

	.type	.Lanon.60bed5dcf488807794e55d614a93ec96.80,@object
	.section	.rodata.str1.1,"aMS",@progbits,1
.Lanon.60bed5dcf488807794e55d614a93ec96.80:
	.asciz	"/rustc/59807616e1fa2540724bfbac14d7976d7e4a3860/library/core/src/alloc/layout.rs"
	.size	.Lanon.60bed5dcf488807794e55d614a93ec96.80, 81

	.type	.Lanon.60bed5dcf488807794e55d614a93ec96.81,@object
	.section	.data.rel.ro..Lanon.60bed5dcf488807794e55d614a93ec96.81,"aw",@progbits
	.p2align	3, 0x0
.Lanon.60bed5dcf488807794e55d614a93ec96.81:
	.quad	.Lanon.60bed5dcf488807794e55d614a93ec96.80
	.asciz	"P\000\000\000\000\000\000\000\001\001\000\000\022\000\000"
	.size	.Lanon.60bed5dcf488807794e55d614a93ec96.81, 24

	.type	.Lanon.60bed5dcf488807794e55d614a93ec96.82,@object
	.section	.rodata..Lanon.60bed5dcf488807794e55d614a93ec96.82,"a",@progbits
.Lanon.60bed5dcf488807794e55d614a93ec96.82:
	.ascii	"unsafe precondition(s) violated: slice::get_unchecked requires that the index is within the slice\n\nThis indicates a bug in the program. This Undefined Behavior check is optional, and cannot be relied on for safety."
	.size	.Lanon.60bed5dcf488807794e55d614a93ec96.82, 214

	.type	.Lanon.60bed5dcf488807794e55d614a93ec96.83,@object
	.section	.rodata..Lanon.60bed5dcf488807794e55d614a93ec96.83,"a",@progbits
.Lanon.60bed5dcf488807794e55d614a93ec96.83:
	.ascii	"unsafe precondition(s) violated: slice::get_unchecked_mut requires that the index is within the slice\n\nThis indicates a bug in the program. This Undefined Behavior check is optional, and cannot be relied on for safety."
	.size	.Lanon.60bed5dcf488807794e55d614a93ec96.83, 218

	.type	.Lanon.60bed5dcf488807794e55d614a93ec96.84,@object
	.section	.rodata.cst16,"aM",@progbits,16
	.p2align	3, 0x0
.Lanon.60bed5dcf488807794e55d614a93ec96.84:
	.zero	8
	.asciz	"\000\000\021"
	.zero	4
	.size	.Lanon.60bed5dcf488807794e55d614a93ec96.84, 16

	.type	.Lanon.60bed5dcf488807794e55d614a93ec96.85,@object
	.section	.rodata.str1.1,"aMS",@progbits,1
.Lanon.60bed5dcf488807794e55d614a93ec96.85:
	.asciz	"/rustc/59807616e1fa2540724bfbac14d7976d7e4a3860/library/core/src/char/methods.rs"
	.size	.Lanon.60bed5dcf488807794e55d614a93ec96.85, 81

	.type	.Lanon.60bed5dcf488807794e55d614a93ec96.86,@object
	.section	.data.rel.ro..Lanon.60bed5dcf488807794e55d614a93ec96.86,"aw",@progbits
	.p2align	3, 0x0
.Lanon.60bed5dcf488807794e55d614a93ec96.86:
	.quad	.Lanon.60bed5dcf488807794e55d614a93ec96.85
	.asciz	"P\000\000\000\000\000\000\000\357\000\000\000\022\000\000"
	.size	.Lanon.60bed5dcf488807794e55d614a93ec96.86, 24

	.type	.Lanon.60bed5dcf488807794e55d614a93ec96.87,@object
	.section	.rodata.str1.1,"aMS",@progbits,1
.Lanon.60bed5dcf488807794e55d614a93ec96.87:
	.asciz	"compiled.rs"
	.size	.Lanon.60bed5dcf488807794e55d614a93ec96.87, 12

	.type	.Lanon.60bed5dcf488807794e55d614a93ec96.88,@object
	.section	.data.rel.ro..Lanon.60bed5dcf488807794e55d614a93ec96.88,"aw",@progbits
	.p2align	3, 0x0
.Lanon.60bed5dcf488807794e55d614a93ec96.88:
	.quad	.Lanon.60bed5dcf488807794e55d614a93ec96.87
	.asciz	"\013\000\000\000\000\000\000\000\b\000\000\000\t\000\000"
	.size	.Lanon.60bed5dcf488807794e55d614a93ec96.88, 24

	.type	.Lanon.60bed5dcf488807794e55d614a93ec96.89,@object
	.section	.rodata.str1.1,"aMS",@progbits,1
.Lanon.60bed5dcf488807794e55d614a93ec96.89:
	.asciz	"/rustc/59807616e1fa2540724bfbac14d7976d7e4a3860/library/core/src/slice/iter.rs"
	.size	.Lanon.60bed5dcf488807794e55d614a93ec96.89, 79

	.type	.Lanon.60bed5dcf488807794e55d614a93ec96.90,@object
	.section	.data.rel.ro..Lanon.60bed5dcf488807794e55d614a93ec96.90,"aw",@progbits
	.p2align	3, 0x0
.Lanon.60bed5dcf488807794e55d614a93ec96.90:
	.quad	.Lanon.60bed5dcf488807794e55d614a93ec96.89
	.asciz	"N\000\000\000\000\000\000\000\216\000\000\000\001\000\000"
	.size	.Lanon.60bed5dcf488807794e55d614a93ec96.90, 24

	.hidden	DW.ref.rust_eh_personality
	.weak	DW.ref.rust_eh_personality
	.section	.data.DW.ref.rust_eh_personality,"awG",@progbits,DW.ref.rust_eh_personality,comdat
	.p2align	3, 0x0
	.type	DW.ref.rust_eh_personality,@object
	.size	DW.ref.rust_eh_personality, 8
DW.ref.rust_eh_personality:
	.quad	rust_eh_personality
	.ident	"rustc version 1.95.0 (59807616e 2026-04-14)"
	.section	".note.GNU-stack","",@progbits
