	.file	"fortran.f90"
	.text
.Ltext0:
	.file 0 "." "fortran.f90"
	.globl	__sky_MOD___def_init_sky_Star
	.section	.rodata
	.align 32
	.type	__sky_MOD___def_init_sky_Star, @object
	.size	__sky_MOD___def_init_sky_Star, 96
__sky_MOD___def_init_sky_Star:
	.zero	96
	.globl	__sky_MOD___vtab_sky_Star
	.section	.data.rel.local,"aw"
	.align 32
	.type	__sky_MOD___vtab_sky_Star, @object
	.size	__sky_MOD___vtab_sky_Star, 56
__sky_MOD___vtab_sky_Star:
	.long	84897168
	.zero	4
	.quad	96
	.quad	0
	.quad	__sky_MOD___def_init_sky_Star
	.quad	__sky_MOD___copy_sky_Star
	.quad	__sky_MOD___final_sky_Star
	.quad	0
	.globl	__sky_MOD_grid
	.bss
	.align 32
	.type	__sky_MOD_grid, @object
	.size	__sky_MOD_grid, 88
__sky_MOD_grid:
	.zero	88
	.globl	__sky_MOD_unused
	.align 32
	.type	__sky_MOD_unused, @object
	.size	__sky_MOD_unused, 64
__sky_MOD_unused:
	.zero	64
	.text
	.globl	__sky_MOD___final_sky_Star
	.type	__sky_MOD___final_sky_Star, @function
__sky_MOD___final_sky_Star:
.LFB0:
	.file 1 "fortran.f90"
	.loc 1 18 14
	.cfi_startproc
	pushq	%rbp
	.cfi_def_cfa_offset 16
	.cfi_offset 6, -16
	movq	%rsp, %rbp
	.cfi_def_cfa_register 6
	pushq	%r13
	pushq	%r12
	pushq	%rbx
	subq	$152, %rsp
	.cfi_offset 13, -24
	.cfi_offset 12, -32
	.cfi_offset 3, -40
	movq	%rdi, -152(%rbp)
	movq	%rsi, -160(%rbp)
	movb	%dl, -161(%rbp)
	.loc 1 18 14
	movq	-152(%rbp), %rax
	movzbl	28(%rax), %eax
	movsbq	%al, %rax
	movq	%rax, -64(%rbp)
	movq	-64(%rbp), %rax
	addq	$1, %rax
	movl	$0, %edx
	testq	%rax, %rax
	cmovs	%rdx, %rax
	movq	%rax, %rdx
	movq	%rdx, %rcx
	movl	$0, %ebx
	salq	$3, %rax
	movl	$1, %edx
	testq	%rax, %rax
	cmove	%rdx, %rax
	movq	%rax, %rdi
	call	malloc@PLT
	movq	%rax, -72(%rbp)
	movq	-152(%rbp), %rax
	movzbl	28(%rax), %eax
	movsbq	%al, %rax
	movq	%rax, -80(%rbp)
	movq	-80(%rbp), %rax
	movl	$0, %edx
	testq	%rax, %rax
	cmovs	%rdx, %rax
	movq	%rax, %rdx
	movq	%rdx, %r12
	movl	$0, %r13d
	salq	$3, %rax
	movl	$1, %edx
	testq	%rax, %rax
	cmove	%rdx, %rax
	movq	%rax, %rdi
	call	malloc@PLT
	movq	%rax, -88(%rbp)
	movl	$0, -120(%rbp)
	movl	$1, -92(%rbp)
	movq	-72(%rbp), %rax
	movq	$1, (%rax)
.LBB2:
	movq	-152(%rbp), %rax
	movzbl	28(%rax), %eax
	movsbq	%al, %rcx
	movq	$1, -40(%rbp)
.L6:
.LBB3:
	.loc 1 18 14 is_stmt 0 discriminator 11
	cmpq	%rcx, -40(%rbp)
	setg	%al
	movzbl	%al, %eax
	testl	%eax, %eax
	jne	.L15
	.loc 1 18 14 discriminator 3
	movq	-40(%rbp), %rax
	leaq	-1(%rax), %rdx
	movq	-40(%rbp), %rax
	leaq	-1(%rax), %rsi
	movq	-152(%rbp), %rdi
	movq	%rdx, %rax
	addq	%rax, %rax
	addq	%rdx, %rax
	salq	$3, %rax
	addq	%rdi, %rax
	addq	$40, %rax
	movq	(%rax), %rdx
	movq	-88(%rbp), %rax
	movq	%rdx, (%rax,%rsi,8)
	movq	-40(%rbp), %rax
	leaq	-1(%rax), %rdx
	movq	-72(%rbp), %rax
	movq	(%rax,%rdx,8), %rsi
	movq	-40(%rbp), %rax
	subq	$1, %rax
	movl	%eax, %edx
	movq	-152(%rbp), %rax
	movzbl	28(%rax), %eax
	subl	$1, %eax
	cmpb	%al, %dl
	sete	%r8b
	movq	-40(%rbp), %rax
	leaq	-1(%rax), %rdx
	movq	-152(%rbp), %rdi
	movq	%rdx, %rax
	addq	%rax, %rax
	addq	%rdx, %rax
	salq	$3, %rax
	addq	%rdi, %rax
	addq	$56, %rax
	movq	(%rax), %rax
	cmpq	$-1, %rax
	sete	%al
	andl	%r8d, %eax
	testb	%al, %al
	je	.L3
	.loc 1 18 14 discriminator 4
	movq	$-1, %rax
	jmp	.L4
.L3:
	.loc 1 18 14 discriminator 5
	movq	-40(%rbp), %rax
	leaq	-1(%rax), %rdx
	movq	-152(%rbp), %rdi
	movq	%rdx, %rax
	addq	%rax, %rax
	addq	%rdx, %rax
	salq	$3, %rax
	addq	%rdi, %rax
	addq	$56, %rax
	movq	(%rax), %rdi
	movq	-40(%rbp), %rax
	leaq	-1(%rax), %rdx
	movq	-152(%rbp), %r8
	movq	%rdx, %rax
	addq	%rax, %rax
	addq	%rdx, %rax
	salq	$3, %rax
	addq	%r8, %rax
	addq	$48, %rax
	movq	(%rax), %rax
	subq	%rax, %rdi
	movq	%rdi, %rdx
	leaq	1(%rdx), %rax
	movl	$0, %edx
	testq	%rax, %rax
	cmovs	%rdx, %rax
.L4:
	.loc 1 18 14 discriminator 7
	imulq	%rax, %rsi
	movq	-72(%rbp), %rax
	movq	-40(%rbp), %rdx
	movq	%rsi, (%rax,%rdx,8)
	movq	-40(%rbp), %rax
	leaq	-1(%rax), %rdx
	movq	-88(%rbp), %rax
	movq	(%rax,%rdx,8), %rdx
	movq	-40(%rbp), %rax
	leaq	-1(%rax), %rsi
	movq	-72(%rbp), %rax
	movq	(%rax,%rsi,8), %rax
	cmpq	%rax, %rdx
	je	.L5
	.loc 1 18 14 discriminator 8
	movl	$0, -92(%rbp)
.L5:
	.loc 1 18 14 discriminator 10
	addq	$1, -40(%rbp)
.LBE3:
	jmp	.L6
.L15:
	.loc 1 18 14
	nop
.LBE2:
	movq	-152(%rbp), %rax
	movzbl	28(%rax), %eax
	movsbq	%al, %rdx
	movq	-72(%rbp), %rax
	movq	(%rax,%rdx,8), %rax
	subq	$1, %rax
	movq	%rax, -104(%rbp)
.LBB4:
	movq	-104(%rbp), %rbx
	movq	$0, -40(%rbp)
.L13:
.LBB5:
	.loc 1 18 14 discriminator 12
	cmpq	%rbx, -40(%rbp)
	setg	%al
	movzbl	%al, %eax
	testl	%eax, %eax
	jne	.L16
.LBB6:
	.loc 1 18 14 discriminator 14
	movq	$0, -56(%rbp)
.LBB7:
	movq	-152(%rbp), %rax
	movzbl	28(%rax), %eax
	movsbq	%al, %rcx
	movq	$1, -48(%rbp)
.L9:
.LBB8:
	.loc 1 18 14 discriminator 19
	cmpq	%rcx, -48(%rbp)
	setg	%al
	movzbl	%al, %eax
	testl	%eax, %eax
	jne	.L17
	.loc 1 18 14 discriminator 17
	movq	-72(%rbp), %rax
	movq	-48(%rbp), %rdx
	movq	(%rax,%rdx,8), %rsi
	movq	-40(%rbp), %rax
	cqto
	idivq	%rsi
	movq	%rdx, %rsi
	movq	-48(%rbp), %rax
	leaq	-1(%rax), %rdx
	movq	-72(%rbp), %rax
	movq	(%rax,%rdx,8), %rdi
	movq	%rsi, %rax
	cqto
	idivq	%rdi
	movq	%rax, %rsi
	movq	-48(%rbp), %rax
	leaq	-1(%rax), %rdx
	movq	-88(%rbp), %rax
	movq	(%rax,%rdx,8), %rax
	imulq	%rsi, %rax
	addq	%rax, -56(%rbp)
	addq	$1, -48(%rbp)
.LBE8:
	jmp	.L9
.L17:
	.loc 1 18 14
	nop
.LBE7:
	movq	-56(%rbp), %rax
	imulq	-160(%rbp), %rax
	movq	%rax, -56(%rbp)
	movq	-152(%rbp), %rax
	movq	(%rax), %rax
	movq	%rax, -128(%rbp)
	movl	$8, %eax
	movl	$8, %edx
	cmpq	%rax, %rdx
	cmovle	%rdx, %rax
	movl	$0, %edx
	testq	%rax, %rax
	cmovs	%rdx, %rax
	movq	%rax, %rsi
	leaq	-136(%rbp), %rdx
	leaq	-128(%rbp), %rax
	movq	%rdx, %rcx
	movq	%rsi, %rdx
	movq	%rax, %rsi
	movq	%rcx, %rdi
	call	memcpy@PLT
	movq	-136(%rbp), %rdx
	movq	-56(%rbp), %rax
	addq	%rdx, %rax
	movq	%rax, -112(%rbp)
	cmpq	$0, -112(%rbp)
	je	.L10
.LBB9:
	.loc 1 18 14 discriminator 20
	movq	-112(%rbp), %rax
	movq	16(%rax), %rax
	testq	%rax, %rax
	jne	.L11
	.loc 1 18 14 discriminator 21
	movl	$1, -140(%rbp)
	jmp	.L12
.L11:
	.loc 1 18 14 discriminator 22
	movq	-112(%rbp), %rax
	movq	16(%rax), %rax
	movq	%rax, %rdi
	call	free@PLT
	movq	-112(%rbp), %rax
	movq	$0, 16(%rax)
	movl	$0, -140(%rbp)
.L12:
	.loc 1 18 14 discriminator 24
	movl	-140(%rbp), %eax
	movl	%eax, -116(%rbp)
.L10:
.LBE9:
.LBE6:
	.loc 1 18 14 discriminator 1
	addq	$1, -40(%rbp)
.LBE5:
	jmp	.L13
.L16:
	.loc 1 18 14
	nop
.LBE4:
	movl	-120(%rbp), %ebx
	movq	-88(%rbp), %rax
	movq	%rax, %rdi
	call	free@PLT
	movq	-72(%rbp), %rax
	movq	%rax, %rdi
	call	free@PLT
	movl	%ebx, %eax
	addq	$152, %rsp
	popq	%rbx
	popq	%r12
	popq	%r13
	popq	%rbp
	.cfi_def_cfa 7, 8
	ret
	.cfi_endproc
.LFE0:
	.size	__sky_MOD___final_sky_Star, .-__sky_MOD___final_sky_Star
	.globl	__sky_MOD___copy_sky_Star
	.type	__sky_MOD___copy_sky_Star, @function
__sky_MOD___copy_sky_Star:
.LFB1:
	.loc 1 18 14 is_stmt 1
	.cfi_startproc
	pushq	%rbp
	.cfi_def_cfa_offset 16
	.cfi_offset 6, -16
	movq	%rsp, %rbp
	.cfi_def_cfa_register 6
	pushq	%rbx
	subq	$24, %rsp
	.cfi_offset 3, -24
	movq	%rdi, -24(%rbp)
	movq	%rsi, -32(%rbp)
.LBB10:
	.loc 1 18 14
	movq	-32(%rbp), %rax
	cmpq	-24(%rbp), %rax
	sete	%al
	movzbl	%al, %esi
	movq	-32(%rbp), %rax
	movq	-24(%rbp), %rdx
	movq	(%rdx), %rcx
	movq	8(%rdx), %rbx
	movq	%rcx, (%rax)
	movq	%rbx, 8(%rax)
	movq	16(%rdx), %rcx
	movq	24(%rdx), %rbx
	movq	%rcx, 16(%rax)
	movq	%rbx, 24(%rax)
	movq	32(%rdx), %rcx
	movq	40(%rdx), %rbx
	movq	%rcx, 32(%rax)
	movq	%rbx, 40(%rax)
	movq	48(%rdx), %rcx
	movq	56(%rdx), %rbx
	movq	%rcx, 48(%rax)
	movq	%rbx, 56(%rax)
	movq	64(%rdx), %rcx
	movq	72(%rdx), %rbx
	movq	%rcx, 64(%rax)
	movq	%rbx, 72(%rax)
	movq	80(%rdx), %rcx
	movq	88(%rdx), %rbx
	movq	%rcx, 80(%rax)
	movq	%rbx, 88(%rax)
	testl	%esi, %esi
	jne	.L21
	.loc 1 18 14 is_stmt 0 discriminator 1
	movq	-24(%rbp), %rax
	movq	16(%rax), %rax
	testq	%rax, %rax
	je	.L20
	.loc 1 18 14 discriminator 2
	movq	-24(%rbp), %rax
	movq	72(%rax), %rdx
	movq	-24(%rbp), %rax
	movq	64(%rax), %rax
	subq	%rax, %rdx
	leaq	1(%rdx), %rbx
	leaq	0(,%rbx,4), %rax
	movl	$1, %edx
	testq	%rax, %rax
	cmove	%rdx, %rax
	movq	%rax, %rdi
	call	malloc@PLT
	movq	%rax, %rdx
	movq	-32(%rbp), %rax
	movq	%rdx, 16(%rax)
	leaq	0(,%rbx,4), %rax
	movq	%rax, %rsi
	movq	-24(%rbp), %rax
	movq	16(%rax), %rdx
	movq	-32(%rbp), %rax
	movq	16(%rax), %rax
	movq	%rdx, %rcx
	movq	%rsi, %rdx
	movq	%rcx, %rsi
	movq	%rax, %rdi
	call	memcpy@PLT
.LBE10:
	jmp	.L21
.L20:
.LBB11:
	.loc 1 18 14 discriminator 3
	movq	-32(%rbp), %rax
	movq	$0, 16(%rax)
.L21:
.LBE11:
	.loc 1 18 14
	nop
	movq	-8(%rbp), %rbx
	leave
	.cfi_def_cfa 7, 8
	ret
	.cfi_endproc
.LFE1:
	.size	__sky_MOD___copy_sky_Star, .-__sky_MOD___copy_sky_Star
	.globl	__sky_MOD_look
	.type	__sky_MOD_look, @function
__sky_MOD_look:
.LFB2:
	.loc 1 13 17 is_stmt 1
	.cfi_startproc
	pushq	%rbp
	.cfi_def_cfa_offset 16
	.cfi_offset 6, -16
	movq	%rsp, %rbp
	.cfi_def_cfa_register 6
	subq	$32, %rsp
	movq	%rdi, -24(%rbp)
.LBB12:
	.loc 1 13 19
	movq	-24(%rbp), %rax
	movq	40(%rax), %rax
	testq	%rax, %rax
	jne	.L24
	.loc 1 13 19 is_stmt 0 discriminator 2
	movl	$1, %eax
.L24:
	.loc 1 13 19 discriminator 4
	movq	-24(%rbp), %rdx
	movq	(%rdx), %rdx
	movq	%rdx, -8(%rbp)
	movq	-24(%rbp), %rdx
	movq	56(%rdx), %rcx
	movq	-24(%rbp), %rdx
	movq	48(%rdx), %rdx
	subq	%rdx, %rcx
	leaq	1(%rcx), %rdx
	movq	%rdx, -16(%rbp)
	movq	%rax, %rcx
	imulq	-16(%rbp), %rcx
	movq	%rax, %rdx
	negq	%rdx
	movq	%rcx, %r8
	movl	$0, %r9d
.LBE12:
	.loc 1 15 19 is_stmt 1 discriminator 4
	leaq	(%rdx,%rax), %rcx
	salq	$2, %rcx
	movq	%rcx, %rsi
	movq	-8(%rbp), %rcx
	addq	%rsi, %rcx
	movl	(%rcx), %ecx
	addq	%rdx, %rax
	salq	$2, %rax
	movq	%rax, %rdx
	movq	-8(%rbp), %rax
	addq	%rdx, %rax
	leal	1(%rcx), %edx
	movl	%edx, (%rax)
	.loc 1 16 23 discriminator 4
	movl	$0, %eax
	call	fortran_stop_@PLT
	.loc 1 17 21 discriminator 4
	nop
	leave
	.cfi_def_cfa 7, 8
	ret
	.cfi_endproc
.LFE2:
	.size	__sky_MOD_look, .-__sky_MOD_look
	.section	.rodata
	.align 8
.LC0:
	.string	"Integer overflow when calculating the amount of memory to allocate"
.LC1:
	.string	"stars"
	.align 8
.LC2:
	.string	"Attempting to allocate already allocated variable '%s'"
	.align 8
.LC3:
	.string	"At line 46 of file fortran.f90"
.LC4:
	.string	"Error allocating %lu bytes"
	.align 8
.LC5:
	.string	"In file 'fortran.f90', around line 47"
.LC6:
	.string	"grid"
	.align 8
.LC7:
	.string	"At line 49 of file fortran.f90"
	.align 8
.LC8:
	.string	"In file 'fortran.f90', around line 50"
	.text
	.globl	fortran_part_
	.type	fortran_part_, @function
fortran_part_:
.LFB3:
	.loc 1 20 23
	.cfi_startproc
	pushq	%rbp
	.cfi_def_cfa_offset 16
	.cfi_offset 6, -16
	movq	%rsp, %rbp
	.cfi_def_cfa_register 6
	pushq	%r13
	pushq	%r12
	pushq	%rbx
	subq	$568, %rsp
	.cfi_offset 13, -24
	.cfi_offset 12, -32
	.cfi_offset 3, -40
	movq	%rdi, -584(%rbp)
	.loc 1 28 40
	movq	$0, -112(%rbp)
	movq	$0, -104(%rbp)
	movq	$4, -112(%rbp)
	movb	$1, -100(%rbp)
	movb	$1, -99(%rbp)
	.loc 1 56 27
	movq	$0, -96(%rbp)
	.loc 1 26 23
	movq	-584(%rbp), %rax
	movl	(%rax), %eax
	cltq
	movq	%rax, -48(%rbp)
	movq	-48(%rbp), %rax
	movl	$0, %edx
	testq	%rax, %rax
	cmovs	%rdx, %rax
	movq	%rax, %rdx
	movq	%rdx, %rcx
	movl	$0, %ebx
	salq	$2, %rax
	movl	$1, %edx
	testq	%rax, %rax
	cmove	%rdx, %rax
	movq	%rax, %rdi
	call	malloc@PLT
	movq	%rax, -56(%rbp)
	.loc 1 28 31
	movq	$0, -176(%rbp)
	movq	$0, -168(%rbp)
	movq	$4, -176(%rbp)
	movb	$1, -164(%rbp)
	movb	$1, -163(%rbp)
	.loc 1 56 27
	movq	$0, -160(%rbp)
	.loc 1 28 52
	movq	$0, -256(%rbp)
	movq	$0, -248(%rbp)
	movq	$4, -256(%rbp)
	movb	$1, -244(%rbp)
	movb	$1, -243(%rbp)
	.loc 1 56 27
	movq	$0, -240(%rbp)
	.loc 1 30 32
	movl	$0, %edx
.L27:
	.loc 1 30 32 is_stmt 0 discriminator 3
	cmpq	$1, %rdx
	jg	.L26
	.loc 1 30 32 discriminator 2
	movq	%rdx, %rax
	addq	%rax, %rax
	addq	%rdx, %rax
	salq	$5, %rax
	movq	%rax, %rcx
	leaq	-464(%rbp), %rax
	addq	%rcx, %rax
	movq	$0, 16(%rax)
	addq	$1, %rdx
	jmp	.L27
.L26:
.LBB13:
	.loc 1 31 23 is_stmt 1
	movq	A.12.2(%rip), %rax
	movq	%rax, table_(%rip)
	movl	8+A.12.2(%rip), %eax
	movl	%eax, 8+table_(%rip)
	.loc 1 32 12
	movl	$99, 12+table_(%rip)
.LBB14:
	.loc 1 33 13
	movq	-584(%rbp), %rax
	movl	(%rax), %ecx
	.loc 1 33 8
	movl	$1, -36(%rbp)
.L29:
.LBB15:
	.loc 1 33 8 is_stmt 0 discriminator 1
	cmpl	%ecx, -36(%rbp)
	setg	%al
	movzbl	%al, %eax
	testl	%eax, %eax
	jne	.L55
	.loc 1 34 23 is_stmt 1
	movl	-36(%rbp), %eax
	cltq
	leaq	-1(%rax), %rsi
	movl	-36(%rbp), %eax
	imull	%eax, %eax
	movl	%eax, %edx
	movq	-56(%rbp), %rax
	movl	%edx, (%rax,%rsi,4)
	.loc 1 33 8
	addl	$1, -36(%rbp)
.LBE15:
	jmp	.L29
.L55:
	.loc 1 34 23
	nop
.LBE14:
	.loc 1 36 30
	movq	A.13.1(%rip), %rax
	movq	8+A.13.1(%rip), %rdx
	movq	%rax, -496(%rbp)
	movq	%rdx, -488(%rbp)
	movq	16+A.13.1(%rip), %rax
	movq	%rax, -480(%rbp)
	.loc 1 37 24
	movq	$4, -160(%rbp)
	movq	$0, -176(%rbp)
	movq	$0, -168(%rbp)
	movq	$4, -176(%rbp)
	movb	$1, -164(%rbp)
	movb	$1, -163(%rbp)
	movq	$1, -144(%rbp)
	movq	$3, -136(%rbp)
	movq	$2, -152(%rbp)
	leaq	-496(%rbp), %rax
	movq	%rax, -192(%rbp)
	movq	$-2, -184(%rbp)
	.loc 1 38 23
	movq	$4, -96(%rbp)
	movq	$0, -112(%rbp)
	movq	$0, -104(%rbp)
	movq	$4, -112(%rbp)
	movb	$1, -100(%rbp)
	movb	$1, -99(%rbp)
	movq	$1, -80(%rbp)
	movq	$3, -72(%rbp)
	movq	$-2, -88(%rbp)
	leaq	-496(%rbp), %rax
	addq	$20, %rax
	movq	%rax, -128(%rbp)
	movq	$2, -120(%rbp)
	.loc 1 39 18
	movq	$0, -272(%rbp)
	.loc 1 40 20
	movl	$1752198241, -202(%rbp)
	movb	$97, -198(%rbp)
	.loc 1 41 19
	leaq	-202(%rbp), %rax
	addq	$5, %rax
	movl	$1635018082, (%rax)
	leaq	-202(%rbp), %rax
	addq	$5, %rax
	addq	$4, %rax
	movb	$32, (%rax)
	.loc 1 42 8
	movl	$1, -36(%rbp)
.L44:
.LBB16:
	.loc 1 42 8 is_stmt 0 discriminator 1
	cmpl	$2, -36(%rbp)
	setg	%al
	movzbl	%al, %eax
	testl	%eax, %eax
	jne	.L56
.LBB17:
	.loc 1 43 26 is_stmt 1
	movl	-36(%rbp), %eax
	cltq
	leaq	-1(%rax), %rdx
	movl	-36(%rbp), %eax
	leal	100(%rax), %ecx
	movq	%rdx, %rax
	addq	%rax, %rax
	addq	%rdx, %rax
	salq	$5, %rax
	leaq	-32(%rax), %rax
	addq	%rbp, %rax
	subq	$432, %rax
	movl	%ecx, (%rax)
	.loc 1 44 27
	movl	-36(%rbp), %eax
	cltq
	leaq	-1(%rax), %rdx
	leaq	-464(%rbp), %rcx
	movq	%rdx, %rax
	addq	%rax, %rax
	addq	%rdx, %rax
	salq	$5, %rax
	addq	%rcx, %rax
	addq	$4, %rax
	movl	$1634166134, (%rax)
	movl	-36(%rbp), %eax
	cltq
	leaq	-1(%rax), %rdx
	leaq	-464(%rbp), %rcx
	movq	%rdx, %rax
	addq	%rax, %rax
	addq	%rdx, %rax
	salq	$5, %rax
	addq	%rcx, %rax
	addq	$4, %rax
	addq	$4, %rax
	movw	$8224, (%rax)
.LBB18:
	.loc 1 45 34
	movl	-36(%rbp), %eax
	cltq
	leaq	-1(%rax), %rdx
	leaq	-464(%rbp), %rcx
	movq	%rdx, %rax
	addq	%rax, %rax
	addq	%rdx, %rax
	salq	$5, %rax
	addq	$80, %rax
	addq	%rax, %rcx
.LBB19:
	movl	$0, %eax
.L32:
	.loc 1 45 34 is_stmt 0 discriminator 3
	cmpq	$2, %rax
	jg	.L31
	.loc 1 45 34 discriminator 2
	leaq	0(,%rax,4), %rdx
	leaq	A.14.0(%rip), %rsi
	movl	(%rdx,%rsi), %edx
	movl	%edx, (%rcx,%rax,4)
	addq	$1, %rax
	jmp	.L32
.L31:
.LBE19:
.LBE18:
	.loc 1 46 34 is_stmt 1
	movl	-36(%rbp), %eax
	cltq
	subq	$1, %rax
	movq	%rax, %rdx
	addq	%rdx, %rdx
	addq	%rax, %rdx
	salq	$5, %rdx
	leaq	-32(%rdx), %rbx
	leaq	(%rbx,%rbp), %rdx
	subq	$400, %rdx
	movq	$0, (%rdx)
	movq	$0, 8(%rdx)
	movq	%rax, %rdx
	addq	%rdx, %rdx
	addq	%rax, %rdx
	salq	$5, %rdx
	leaq	-32(%rdx), %rbx
	leaq	(%rbx,%rbp), %rdx
	subq	$400, %rdx
	movq	$4, (%rdx)
	movq	%rax, %rdx
	addq	%rdx, %rdx
	addq	%rax, %rdx
	salq	$5, %rdx
	leaq	-32(%rdx), %rbx
	leaq	(%rbx,%rbp), %rdx
	subq	$388, %rdx
	movb	$1, (%rdx)
	movq	%rax, %rdx
	addq	%rdx, %rdx
	addq	%rax, %rdx
	movq	%rdx, %rax
	salq	$5, %rax
	movq	%rax, %rdx
	leaq	-32(%rdx), %rax
	addq	%rbp, %rax
	subq	$387, %rax
	movb	$1, (%rax)
	movl	$0, %ecx
	movl	-36(%rbp), %eax
	cltq
	leaq	-1(%rax), %rdx
	movq	%rdx, %rax
	addq	%rax, %rax
	addq	%rdx, %rax
	salq	$5, %rax
	leaq	-32(%rax), %rax
	addq	%rbp, %rax
	subq	$416, %rax
	movq	(%rax), %rax
	testq	%rax, %rax
	testl	%ecx, %ecx
	je	.L33
	.loc 1 46 34 is_stmt 0 discriminator 1
	leaq	.LC0(%rip), %rax
	movq	%rax, %rdi
	movl	$0, %eax
	call	_gfortran_runtime_error@PLT
.L33:
	.loc 1 46 34 discriminator 2
	movl	-36(%rbp), %eax
	cltq
	leaq	-1(%rax), %rdx
	movq	%rdx, %rax
	addq	%rax, %rax
	addq	%rdx, %rax
	salq	$5, %rax
	leaq	-32(%rax), %rax
	addq	%rbp, %rax
	subq	$416, %rax
	movq	(%rax), %rax
	testq	%rax, %rax
	je	.L34
	.loc 1 46 14 is_stmt 1 discriminator 3
	leaq	.LC1(%rip), %rax
	movq	%rax, %rdx
	leaq	.LC2(%rip), %rax
	movq	%rax, %rsi
	leaq	.LC3(%rip), %rax
	movq	%rax, %rdi
	movl	$0, %eax
	call	_gfortran_runtime_error_at@PLT
.L34:
	.loc 1 46 34 discriminator 4
	movl	-36(%rbp), %eax
	cltq
	leaq	-1(%rax), %rbx
	movl	$12, %edi
	call	malloc@PLT
	movq	%rax, %rdx
	movq	%rbx, %rax
	addq	%rax, %rax
	addq	%rbx, %rax
	salq	$5, %rax
	leaq	-32(%rax), %rax
	addq	%rbp, %rax
	subq	$416, %rax
	movq	%rdx, (%rax)
	movl	-36(%rbp), %eax
	cltq
	leaq	-1(%rax), %rdx
	movq	%rdx, %rax
	addq	%rax, %rax
	addq	%rdx, %rax
	salq	$5, %rax
	leaq	-32(%rax), %rax
	addq	%rbp, %rax
	subq	$416, %rax
	movq	(%rax), %rax
	testq	%rax, %rax
	jne	.L35
	.loc 1 46 34 is_stmt 0 discriminator 5
	movl	$12, %edx
	leaq	.LC4(%rip), %rax
	movq	%rax, %rsi
	leaq	.LC5(%rip), %rax
	movq	%rax, %rdi
	movl	$0, %eax
	call	_gfortran_os_error_at@PLT
.L35:
	.loc 1 46 34 discriminator 6
	movl	-36(%rbp), %eax
	cltq
	leaq	-1(%rax), %rdx
	movq	%rdx, %rax
	addq	%rax, %rax
	addq	%rdx, %rax
	salq	$5, %rax
	leaq	-32(%rax), %rax
	addq	%rbp, %rax
	subq	$368, %rax
	movq	$-1, (%rax)
	movl	-36(%rbp), %eax
	cltq
	leaq	-1(%rax), %rdx
	movq	%rdx, %rax
	addq	%rax, %rax
	addq	%rdx, %rax
	salq	$5, %rax
	leaq	-32(%rax), %rax
	addq	%rbp, %rax
	subq	$360, %rax
	movq	$1, (%rax)
	movl	-36(%rbp), %eax
	cltq
	leaq	-1(%rax), %rdx
	movq	%rdx, %rax
	addq	%rax, %rax
	addq	%rdx, %rax
	salq	$5, %rax
	leaq	-32(%rax), %rax
	addq	%rbp, %rax
	subq	$376, %rax
	movq	$1, (%rax)
	movl	-36(%rbp), %eax
	cltq
	leaq	-1(%rax), %rdx
	movq	%rdx, %rax
	addq	%rax, %rax
	addq	%rdx, %rax
	salq	$5, %rax
	leaq	-32(%rax), %rax
	addq	%rbp, %rax
	subq	$408, %rax
	movq	$1, (%rax)
	movl	-36(%rbp), %eax
	cltq
	leaq	-1(%rax), %rdx
	movq	%rdx, %rax
	addq	%rax, %rax
	addq	%rdx, %rax
	salq	$5, %rax
	leaq	-32(%rax), %rax
	addq	%rbp, %rax
	subq	$384, %rax
	movq	$4, (%rax)
.LBB20:
	.loc 1 47 47 is_stmt 1 discriminator 6
	movl	-36(%rbp), %eax
	cltq
	leaq	-1(%rax), %rdx
	movq	%rdx, %rax
	addq	%rax, %rax
	addq	%rdx, %rax
	salq	$5, %rax
	leaq	-32(%rax), %rax
	addq	%rbp, %rax
	subq	$416, %rax
	movq	(%rax), %rcx
	movl	-36(%rbp), %eax
	cltq
	leaq	-1(%rax), %rdx
	movq	%rdx, %rax
	addq	%rax, %rax
	addq	%rdx, %rax
	salq	$5, %rax
	leaq	-32(%rax), %rax
	addq	%rbp, %rax
	subq	$408, %rax
	movq	(%rax), %rbx
	movl	-36(%rbp), %eax
	cltq
	leaq	-1(%rax), %rdx
	movq	%rdx, %rax
	addq	%rax, %rax
	addq	%rdx, %rax
	salq	$5, %rax
	leaq	-32(%rax), %rax
	addq	%rbp, %rax
	subq	$368, %rax
	movq	(%rax), %r12
	movl	-36(%rbp), %eax
	cltq
	leaq	-1(%rax), %rdx
	movq	%rdx, %rax
	addq	%rax, %rax
	addq	%rdx, %rax
	salq	$5, %rax
	movq	$0, -560(%rbp)
	movq	$0, -552(%rbp)
	movq	$4, -560(%rbp)
	movb	$1, -548(%rbp)
	movb	$1, -547(%rbp)
	movq	$1, -536(%rbp)
	movq	$0, -528(%rbp)
	movq	$2, -520(%rbp)
	movq	$4, -544(%rbp)
	leaq	-508(%rbp), %rax
	movq	%rax, -576(%rbp)
	movq	$0, -568(%rbp)
	movq	-576(%rbp), %rsi
	movl	-36(%rbp), %edx
	movl	%edx, %eax
	sall	$2, %eax
	addl	%edx, %eax
	addl	%eax, %eax
	movl	%eax, (%rsi)
	movq	-576(%rbp), %rax
	leaq	4(%rax), %rsi
	movl	-36(%rbp), %edx
	movl	%edx, %eax
	sall	$2, %eax
	addl	%edx, %eax
	sall	$2, %eax
	movl	%eax, (%rsi)
	movq	-576(%rbp), %rax
	leaq	8(%rax), %rdx
	movl	-36(%rbp), %eax
	imull	$30, %eax, %eax
	movl	%eax, (%rdx)
.LBB21:
.LBB22:
	movl	-36(%rbp), %eax
	cltq
	leaq	-1(%rax), %rdx
	movq	%rdx, %rax
	addq	%rax, %rax
	addq	%rdx, %rax
	salq	$5, %rax
	leaq	-32(%rax), %rax
	addq	%rbp, %rax
	subq	$416, %rax
	movq	(%rax), %rax
	testq	%rax, %rax
	sete	%al
	movzbl	%al, %edx
	testl	%edx, %edx
	jne	.L36
	.loc 1 47 47 is_stmt 0 discriminator 2
	movl	-36(%rbp), %eax
	cltq
	leaq	-1(%rax), %rsi
	movq	%rsi, %rax
	addq	%rax, %rax
	addq	%rsi, %rax
	salq	$5, %rax
	leaq	-32(%rax), %rax
	addq	%rbp, %rax
	subq	$368, %rax
	movq	(%rax), %rax
	leaq	2(%rax), %rdi
	movl	-36(%rbp), %eax
	cltq
	leaq	-1(%rax), %rsi
	movq	%rsi, %rax
	addq	%rax, %rax
	addq	%rsi, %rax
	salq	$5, %rax
	leaq	-32(%rax), %rax
	addq	%rbp, %rax
	subq	$360, %rax
	movq	(%rax), %rax
	cmpq	%rax, %rdi
	je	.L37
.L36:
	.loc 1 47 47 discriminator 3
	testl	%edx, %edx
	je	.L38
	.loc 1 47 47 discriminator 4
	movl	$0, %eax
	jmp	.L39
.L38:
	.loc 1 47 47 discriminator 5
	movl	-36(%rbp), %eax
	cltq
	leaq	-1(%rax), %rcx
	movq	%rcx, %rax
	addq	%rax, %rax
	addq	%rcx, %rax
	salq	$5, %rax
	leaq	-32(%rax), %rax
	addq	%rbp, %rax
	subq	$360, %rax
	movq	(%rax), %rsi
	movl	-36(%rbp), %eax
	cltq
	leaq	-1(%rax), %rcx
	movq	%rcx, %rax
	addq	%rax, %rax
	addq	%rcx, %rax
	salq	$5, %rax
	leaq	-32(%rax), %rax
	addq	%rbp, %rax
	subq	$368, %rax
	movq	(%rax), %rcx
	movq	%rsi, %rax
	subq	%rcx, %rax
	movq	$-1, %rcx
	testq	%rax, %rax
	cmovs	%rcx, %rax
	addq	$1, %rax
.L39:
	.loc 1 47 47 discriminator 7
	cmpq	$3, %rax
	setne	%al
	movzbl	%al, %esi
	movl	-36(%rbp), %eax
	cltq
	leaq	-1(%rax), %rcx
	movq	%rcx, %rax
	addq	%rax, %rax
	addq	%rcx, %rax
	salq	$5, %rax
	leaq	-32(%rax), %rax
	addq	%rbp, %rax
	subq	$368, %rax
	movq	$1, (%rax)
	movl	-36(%rbp), %eax
	cltq
	leaq	-1(%rax), %rcx
	movq	%rcx, %rax
	addq	%rax, %rax
	addq	%rcx, %rax
	salq	$5, %rax
	leaq	-32(%rax), %rax
	addq	%rbp, %rax
	subq	$360, %rax
	movq	$3, (%rax)
	movl	-36(%rbp), %eax
	cltq
	leaq	-1(%rax), %rcx
	movq	%rcx, %rax
	addq	%rax, %rax
	addq	%rcx, %rax
	salq	$5, %rax
	leaq	-32(%rax), %rax
	addq	%rbp, %rax
	subq	$376, %rax
	movq	$1, (%rax)
	movl	-36(%rbp), %eax
	cltq
	leaq	-1(%rax), %rcx
	movq	%rcx, %rax
	addq	%rax, %rax
	addq	%rcx, %rax
	salq	$5, %rax
	leaq	-32(%rax), %rax
	addq	%rbp, %rax
	subq	$368, %rax
	movq	(%rax), %rax
	movl	-36(%rbp), %ecx
	movslq	%ecx, %rcx
	subq	$1, %rcx
	negq	%rax
	movq	%rax, %rdi
	movq	%rcx, %rax
	addq	%rax, %rax
	addq	%rcx, %rax
	salq	$5, %rax
	leaq	-32(%rax), %rax
	addq	%rbp, %rax
	subq	$408, %rax
	movq	%rdi, (%rax)
	movl	-36(%rbp), %eax
	cltq
	leaq	-1(%rax), %rcx
	movq	%rcx, %rax
	addq	%rax, %rax
	addq	%rcx, %rax
	salq	$5, %rax
	leaq	-32(%rax), %rax
	addq	%rbp, %rax
	subq	$408, %rax
	movq	(%rax), %rbx
	movl	-36(%rbp), %eax
	cltq
	leaq	-1(%rax), %rcx
	movq	%rcx, %rax
	addq	%rax, %rax
	addq	%rcx, %rax
	salq	$5, %rax
	leaq	-32(%rax), %rax
	addq	%rbp, %rax
	subq	$368, %rax
	movq	(%rax), %r12
	movl	-36(%rbp), %eax
	cltq
	leaq	-1(%rax), %rcx
	movq	%rcx, %rax
	addq	%rax, %rax
	addq	%rcx, %rax
	salq	$5, %rax
	leaq	-32(%rax), %rax
	addq	%rbp, %rax
	subq	$384, %rax
	movq	$4, (%rax)
	testl	%edx, %edx
	je	.L40
	.loc 1 47 47 discriminator 8
	movl	-36(%rbp), %eax
	cltq
	leaq	-1(%rax), %r13
	movl	$12, %edi
	call	malloc@PLT
	movq	%rax, %rdx
	movq	%r13, %rax
	addq	%rax, %rax
	addq	%r13, %rax
	salq	$5, %rax
	leaq	-32(%rax), %rax
	addq	%rbp, %rax
	subq	$416, %rax
	movq	%rdx, (%rax)
	movl	-36(%rbp), %eax
	cltq
	subq	$1, %rax
	movq	%rax, %rdx
	addq	%rdx, %rdx
	addq	%rax, %rdx
	salq	$5, %rdx
	leaq	-32(%rdx), %rdi
	leaq	(%rdi,%rbp), %rdx
	subq	$400, %rdx
	movq	$0, (%rdx)
	movq	$0, 8(%rdx)
	movq	%rax, %rdx
	addq	%rdx, %rdx
	addq	%rax, %rdx
	salq	$5, %rdx
	leaq	-32(%rdx), %rdi
	leaq	(%rdi,%rbp), %rdx
	subq	$400, %rdx
	movq	$4, (%rdx)
	movq	%rax, %rdx
	addq	%rdx, %rdx
	addq	%rax, %rdx
	salq	$5, %rdx
	leaq	-32(%rdx), %rdi
	leaq	(%rdi,%rbp), %rdx
	subq	$388, %rdx
	movb	$1, (%rdx)
	movq	%rax, %rdx
	addq	%rdx, %rdx
	addq	%rax, %rdx
	movq	%rdx, %rax
	salq	$5, %rax
	movq	%rax, %rdx
	leaq	-32(%rdx), %rax
	addq	%rbp, %rax
	subq	$387, %rax
	movb	$1, (%rax)
	jmp	.L41
.L40:
	.loc 1 47 47 discriminator 9
	testl	%esi, %esi
	je	.L41
	.loc 1 47 47 discriminator 11
	movl	-36(%rbp), %eax
	cltq
	leaq	-1(%rax), %rdx
	movq	%rdx, %rax
	addq	%rax, %rax
	addq	%rdx, %rax
	salq	$5, %rax
	leaq	-32(%rax), %rax
	addq	%rbp, %rax
	subq	$416, %rax
	movq	(%rax), %rax
	movl	-36(%rbp), %edx
	movslq	%edx, %rdx
	leaq	-1(%rdx), %r13
	movl	$12, %esi
	movq	%rax, %rdi
	call	realloc@PLT
	movq	%rax, %rdx
	movq	%r13, %rax
	addq	%rax, %rax
	addq	%r13, %rax
	salq	$5, %rax
	leaq	-32(%rax), %rax
	addq	%rbp, %rax
	subq	$416, %rax
	movq	%rdx, (%rax)
.L41:
	.loc 1 47 47 discriminator 13
	movl	-36(%rbp), %eax
	cltq
	leaq	-1(%rax), %rdx
	movq	%rdx, %rax
	addq	%rax, %rax
	addq	%rdx, %rax
	salq	$5, %rax
	leaq	-32(%rax), %rax
	addq	%rbp, %rax
	subq	$416, %rax
	movq	(%rax), %rcx
.L37:
.LBE22:
	.loc 1 47 47 discriminator 14
	movl	$0, %eax
.L43:
	.loc 1 47 47 discriminator 17
	cmpq	$2, %rax
	jg	.L42
	.loc 1 47 47 discriminator 16
	movq	-576(%rbp), %rdx
	leaq	(%rax,%r12), %rsi
	addq	%rbx, %rsi
	movl	(%rdx,%rax,4), %edx
	movl	%edx, (%rcx,%rsi,4)
	addq	$1, %rax
	jmp	.L43
.L42:
.LBE21:
.LBE20:
.LBE17:
	.loc 1 42 8 is_stmt 1
	addl	$1, -36(%rbp)
.LBE16:
	jmp	.L44
.L56:
	.loc 1 47 47
	nop
	.loc 1 49 26
	movq	$0, 16+__sky_MOD_grid(%rip)
	movq	$0, 24+__sky_MOD_grid(%rip)
	movq	$4, 16+__sky_MOD_grid(%rip)
	movb	$2, 28+__sky_MOD_grid(%rip)
	movb	$1, 29+__sky_MOD_grid(%rip)
	movl	$0, %edx
	movq	__sky_MOD_grid(%rip), %rax
	testq	%rax, %rax
	testl	%edx, %edx
	je	.L45
	.loc 1 49 26 is_stmt 0 discriminator 1
	leaq	.LC0(%rip), %rax
	movq	%rax, %rdi
	movl	$0, %eax
	call	_gfortran_runtime_error@PLT
.L45:
	.loc 1 49 26 discriminator 2
	movq	__sky_MOD_grid(%rip), %rax
	testq	%rax, %rax
	je	.L46
	.loc 1 49 11 is_stmt 1 discriminator 3
	leaq	.LC6(%rip), %rax
	movq	%rax, %rdx
	leaq	.LC2(%rip), %rax
	movq	%rax, %rsi
	leaq	.LC7(%rip), %rax
	movq	%rax, %rdi
	movl	$0, %eax
	call	_gfortran_runtime_error_at@PLT
.L46:
	.loc 1 49 26 discriminator 4
	movl	$24, %edi
	call	malloc@PLT
	movq	%rax, __sky_MOD_grid(%rip)
	movq	__sky_MOD_grid(%rip), %rax
	testq	%rax, %rax
	jne	.L47
	.loc 1 49 26 is_stmt 0 discriminator 5
	movl	$24, %edx
	leaq	.LC4(%rip), %rax
	movq	%rax, %rsi
	leaq	.LC8(%rip), %rax
	movq	%rax, %rdi
	movl	$0, %eax
	call	_gfortran_os_error_at@PLT
.L47:
	.loc 1 49 26 discriminator 6
	movq	$2, 48+__sky_MOD_grid(%rip)
	movq	$3, 56+__sky_MOD_grid(%rip)
	movq	$1, 40+__sky_MOD_grid(%rip)
	movq	$0, 72+__sky_MOD_grid(%rip)
	movq	$2, 80+__sky_MOD_grid(%rip)
	movq	$2, 64+__sky_MOD_grid(%rip)
	movq	$-2, 8+__sky_MOD_grid(%rip)
	movq	$4, 32+__sky_MOD_grid(%rip)
	.loc 1 50 8 is_stmt 1 discriminator 6
	movl	$0, -40(%rbp)
.L51:
.LBB23:
	.loc 1 50 8 is_stmt 0 discriminator 1
	cmpl	$2, -40(%rbp)
	setg	%al
	movzbl	%al, %eax
	testl	%eax, %eax
	jne	.L57
	.loc 1 51 11 is_stmt 1
	movl	$2, -36(%rbp)
.L50:
.LBB24:
	.loc 1 51 11 is_stmt 0 discriminator 1
	cmpl	$3, -36(%rbp)
	setg	%al
	movzbl	%al, %eax
	testl	%eax, %eax
	jne	.L58
	.loc 1 52 31 is_stmt 1
	movl	-36(%rbp), %edx
	movl	%edx, %eax
	sall	$2, %eax
	addl	%edx, %eax
	addl	%eax, %eax
	movl	%eax, %edi
	movq	__sky_MOD_grid(%rip), %rax
	movq	8+__sky_MOD_grid(%rip), %rsi
	movl	-40(%rbp), %edx
	movslq	%edx, %rcx
	movq	64+__sky_MOD_grid(%rip), %rdx
	imulq	%rcx, %rdx
	leaq	(%rsi,%rdx), %rcx
	movl	-36(%rbp), %edx
	movslq	%edx, %rdx
	addq	%rcx, %rdx
	movl	-40(%rbp), %ecx
	addl	%edi, %ecx
	movl	%ecx, (%rax,%rdx,4)
	.loc 1 51 11
	addl	$1, -36(%rbp)
.LBE24:
	jmp	.L50
.L58:
	.loc 1 52 31
	nop
	.loc 1 50 8
	addl	$1, -40(%rbp)
.LBE23:
	jmp	.L51
.L57:
	.loc 1 51 16
	nop
	.loc 1 55 19
	leaq	-192(%rbp), %rax
	movq	%rax, %rdi
	call	__sky_MOD_look
.LBE13:
	.loc 1 30 32
	movl	$0, %ebx
.L54:
	.loc 1 30 32 is_stmt 0 discriminator 9
	cmpq	$1, %rbx
	jg	.L52
	.loc 1 56 27 is_stmt 1
	nop
	.loc 1 30 32
	movq	%rbx, %rax
	addq	%rax, %rax
	addq	%rbx, %rax
	salq	$5, %rax
	movq	%rax, %rdx
	leaq	-464(%rbp), %rax
	addq	%rdx, %rax
	movq	16(%rax), %rax
	testq	%rax, %rax
	je	.L59
	.loc 1 56 27
	nop
	.loc 1 30 32
	movq	%rbx, %rax
	addq	%rax, %rax
	addq	%rbx, %rax
	salq	$5, %rax
	movq	%rax, %rdx
	leaq	-464(%rbp), %rax
	addq	%rdx, %rax
	movq	16(%rax), %rax
	movq	%rax, %rdi
	call	free@PLT
	movq	%rbx, %rax
	addq	%rax, %rax
	addq	%rbx, %rax
	salq	$5, %rax
	movq	%rax, %rdx
	leaq	-464(%rbp), %rax
	addq	%rdx, %rax
	movq	$0, 16(%rax)
.L59:
	.loc 1 56 27
	nop
	.loc 1 30 32
	addq	$1, %rbx
	jmp	.L54
.L52:
	.loc 1 26 23
	movq	-56(%rbp), %rax
	movq	%rax, %rdi
	call	free@PLT
	.loc 1 56 27
	nop
	addq	$568, %rsp
	popq	%rbx
	popq	%r12
	popq	%r13
	popq	%rbp
	.cfi_def_cfa 7, 8
	ret
	.cfi_endproc
.LFE3:
	.size	fortran_part_, .-fortran_part_
	.comm	table_,16,16
	.section	.rodata
	.align 8
	.type	A.12.2, @object
	.size	A.12.2, 12
A.12.2:
	.long	10
	.long	20
	.long	30
	.align 16
	.type	A.13.1, @object
	.size	A.13.1, 24
A.13.1:
	.long	1
	.long	2
	.long	3
	.long	4
	.long	5
	.long	6
	.align 8
	.type	A.14.0, @object
	.size	A.14.0, 12
A.14.0:
	.long	7
	.long	8
	.long	9
	.text
.Letext0:
	.section	.debug_info,"",@progbits
.Ldebug_info0:
	.long	0x5ed
	.value	0x5
	.byte	0x1
	.byte	0x8
	.long	.Ldebug_abbrev0
	.uleb128 0x17
	.long	.LASF54
	.byte	0x23
	.byte	0x2
	.long	.LASF0
	.long	.LASF1
	.quad	.Ltext0
	.quad	.Letext0-.Ltext0
	.long	.Ldebug_line0
	.uleb128 0x18
	.string	"sky"
	.byte	0x1
	.byte	0x3
	.byte	0xa
	.long	0x2ac
	.uleb128 0x10
	.long	.LASF5
	.byte	0x60
	.byte	0x5
	.long	0x71
	.uleb128 0x19
	.string	"id"
	.byte	0x1
	.byte	0x12
	.byte	0xe
	.long	0x2ac
	.byte	0
	.uleb128 0x2
	.long	.LASF2
	.long	0x2b3
	.byte	0x4
	.uleb128 0x2
	.long	.LASF3
	.long	0x2b5
	.byte	0x10
	.uleb128 0x2
	.long	.LASF4
	.long	0x2dc
	.byte	0x50
	.byte	0
	.uleb128 0x11
	.long	0x3b
	.uleb128 0x12
	.long	.LASF14
	.long	.LASF16
	.long	0x71
	.uleb128 0x9
	.byte	0x3
	.quad	__sky_MOD___def_init_sky_Star
	.uleb128 0x10
	.long	.LASF6
	.byte	0x38
	.byte	0x12
	.long	0xdf
	.uleb128 0x2
	.long	.LASF7
	.long	0x2ac
	.byte	0
	.uleb128 0x2
	.long	.LASF8
	.long	0x2ed
	.byte	0x8
	.uleb128 0x2
	.long	.LASF9
	.long	0x300
	.byte	0x10
	.uleb128 0x2
	.long	.LASF10
	.long	0x305
	.byte	0x18
	.uleb128 0x2
	.long	.LASF11
	.long	0x311
	.byte	0x20
	.uleb128 0x2
	.long	.LASF12
	.long	0x311
	.byte	0x28
	.uleb128 0x2
	.long	.LASF13
	.long	0x311
	.byte	0x30
	.byte	0
	.uleb128 0x12
	.long	.LASF15
	.long	.LASF17
	.long	0x8d
	.uleb128 0x9
	.byte	0x3
	.quad	__sky_MOD___vtab_sky_Star
	.uleb128 0x13
	.long	.LASF18
	.byte	0x23
	.long	.LASF20
	.long	0x316
	.uleb128 0x9
	.byte	0x3
	.quad	__sky_MOD_grid
	.uleb128 0x13
	.long	.LASF19
	.byte	0x2e
	.long	.LASF21
	.long	0x353
	.uleb128 0x9
	.byte	0x3
	.quad	__sky_MOD_unused
	.uleb128 0x9
	.long	.LASF22
	.byte	0xd
	.byte	0x11
	.long	.LASF24
	.quad	.LFB2
	.quad	.LFE2-.LFB2
	.uleb128 0x1
	.byte	0x9c
	.long	0x163
	.uleb128 0x1a
	.string	"a"
	.long	0x54a
	.uleb128 0x3
	.byte	0x91
	.sleb128 -40
	.byte	0x6
	.uleb128 0x5
	.long	0x2ed
	.uleb128 0x2
	.byte	0x91
	.sleb128 -32
	.uleb128 0x5
	.long	0x586
	.uleb128 0x2
	.byte	0x91
	.sleb128 -24
	.byte	0
	.uleb128 0x9
	.long	.LASF23
	.byte	0x12
	.byte	0xe
	.long	.LASF25
	.quad	.LFB1
	.quad	.LFE1-.LFB1
	.uleb128 0x1
	.byte	0x9c
	.long	0x1a3
	.uleb128 0xa
	.string	"src"
	.byte	0x12
	.byte	0xe
	.long	0x3b
	.uleb128 0x3
	.byte	0x91
	.sleb128 -40
	.byte	0x6
	.uleb128 0xa
	.string	"dst"
	.byte	0x12
	.byte	0xe
	.long	0x3b
	.uleb128 0x3
	.byte	0x91
	.sleb128 -48
	.byte	0x6
	.byte	0
	.uleb128 0x1b
	.long	.LASF26
	.byte	0x1
	.byte	0x12
	.byte	0xe
	.long	.LASF27
	.long	0x2ac
	.quad	.LFB0
	.quad	.LFE0-.LFB0
	.uleb128 0x1
	.byte	0x9c
	.uleb128 0xb
	.long	.LASF28
	.long	0x58b
	.uleb128 0x4
	.byte	0x91
	.sleb128 -168
	.byte	0x6
	.uleb128 0xb
	.long	.LASF29
	.long	0x2ed
	.uleb128 0x3
	.byte	0x91
	.sleb128 -176
	.uleb128 0xb
	.long	.LASF30
	.long	0x5bf
	.uleb128 0x3
	.byte	0x91
	.sleb128 -177
	.uleb128 0xc
	.string	"idx"
	.byte	0x12
	.byte	0xe
	.long	0x2ed
	.uleb128 0x2
	.byte	0x91
	.sleb128 -56
	.uleb128 0x1
	.long	.LASF31
	.byte	0x12
	.byte	0xe
	.long	0x2ed
	.uleb128 0x2
	.byte	0x91
	.sleb128 -64
	.uleb128 0x1
	.long	.LASF32
	.byte	0x12
	.byte	0xe
	.long	0x2ac
	.uleb128 0x3
	.byte	0x91
	.sleb128 -132
	.uleb128 0x1
	.long	.LASF33
	.byte	0x12
	.byte	0xe
	.long	0x5c6
	.uleb128 0x3
	.byte	0x91
	.sleb128 -108
	.uleb128 0x1
	.long	.LASF34
	.byte	0x12
	.byte	0xe
	.long	0x2ed
	.uleb128 0x3
	.byte	0x91
	.sleb128 -120
	.uleb128 0x1
	.long	.LASF35
	.byte	0x12
	.byte	0xe
	.long	0x2ed
	.uleb128 0x3
	.byte	0x91
	.sleb128 -72
	.uleb128 0x1
	.long	.LASF36
	.byte	0x12
	.byte	0xe
	.long	0x305
	.uleb128 0x3
	.byte	0x91
	.sleb128 -128
	.uleb128 0x5
	.long	0x2ed
	.uleb128 0x3
	.byte	0x91
	.sleb128 -80
	.uleb128 0x1
	.long	.LASF37
	.byte	0x12
	.byte	0xe
	.long	0x5cd
	.uleb128 0x4
	.byte	0x91
	.sleb128 -88
	.byte	0x6
	.uleb128 0x5
	.long	0x2ed
	.uleb128 0x3
	.byte	0x91
	.sleb128 -96
	.uleb128 0x1
	.long	.LASF38
	.byte	0x12
	.byte	0xe
	.long	0x5e1
	.uleb128 0x4
	.byte	0x91
	.sleb128 -104
	.byte	0x6
	.uleb128 0x1c
	.long	.LASF55
	.long	0x2ac
	.uleb128 0x3
	.byte	0x91
	.sleb128 -136
	.uleb128 0x1d
	.quad	.LBB6
	.quad	.LBE6-.LBB6
	.uleb128 0x1e
	.long	0x2f4
	.byte	0
	.byte	0
	.byte	0
	.uleb128 0x6
	.byte	0x4
	.byte	0x5
	.long	.LASF39
	.uleb128 0x14
	.byte	0x6
	.uleb128 0x15
	.uleb128 0x2
	.byte	0x97
	.byte	0x6
	.uleb128 0x4
	.byte	0x97
	.byte	0x6
	.byte	0x30
	.byte	0x2e
	.long	0x2ac
	.long	0x2dc
	.uleb128 0x4
	.uleb128 0x4
	.byte	0x97
	.byte	0x23
	.uleb128 0x30
	.byte	0x6
	.uleb128 0x4
	.byte	0x97
	.byte	0x23
	.uleb128 0x38
	.byte	0x6
	.uleb128 0x9
	.byte	0x97
	.byte	0x23
	.uleb128 0x28
	.byte	0x6
	.byte	0x97
	.byte	0x23
	.uleb128 0x20
	.byte	0x6
	.byte	0x1e
	.byte	0
	.uleb128 0x3
	.long	0x2ac
	.long	0x2ed
	.uleb128 0x1f
	.long	0x2ed
	.sleb128 0
	.sleb128 2
	.byte	0
	.uleb128 0x6
	.byte	0x8
	.byte	0x5
	.long	.LASF40
	.uleb128 0x11
	.long	0x2ed
	.uleb128 0x20
	.byte	0x8
	.uleb128 0xd
	.long	0x2f9
	.uleb128 0x7
	.long	0x8d
	.uleb128 0x7
	.long	0x3b
	.uleb128 0x21
	.long	0x311
	.uleb128 0x22
	.byte	0
	.uleb128 0x7
	.long	0x30a
	.uleb128 0x23
	.byte	0x1
	.uleb128 0x2
	.byte	0x97
	.byte	0x6
	.uleb128 0x4
	.byte	0x97
	.byte	0x6
	.byte	0x30
	.byte	0x2e
	.long	0x2ac
	.long	0x353
	.uleb128 0x4
	.uleb128 0x4
	.byte	0x97
	.byte	0x23
	.uleb128 0x30
	.byte	0x6
	.uleb128 0x4
	.byte	0x97
	.byte	0x23
	.uleb128 0x38
	.byte	0x6
	.uleb128 0x9
	.byte	0x97
	.byte	0x23
	.uleb128 0x28
	.byte	0x6
	.byte	0x97
	.byte	0x23
	.uleb128 0x20
	.byte	0x6
	.byte	0x1e
	.uleb128 0x4
	.uleb128 0x4
	.byte	0x97
	.byte	0x23
	.uleb128 0x48
	.byte	0x6
	.uleb128 0x4
	.byte	0x97
	.byte	0x23
	.uleb128 0x50
	.byte	0x6
	.uleb128 0x9
	.byte	0x97
	.byte	0x23
	.uleb128 0x40
	.byte	0x6
	.byte	0x97
	.byte	0x23
	.uleb128 0x20
	.byte	0x6
	.byte	0x1e
	.byte	0
	.uleb128 0x15
	.uleb128 0x2
	.byte	0x97
	.byte	0x6
	.uleb128 0x4
	.byte	0x97
	.byte	0x6
	.byte	0x30
	.byte	0x2e
	.long	0x2ac
	.long	0x37a
	.uleb128 0x4
	.uleb128 0x4
	.byte	0x97
	.byte	0x23
	.uleb128 0x30
	.byte	0x6
	.uleb128 0x4
	.byte	0x97
	.byte	0x23
	.uleb128 0x38
	.byte	0x6
	.uleb128 0x9
	.byte	0x97
	.byte	0x23
	.uleb128 0x28
	.byte	0x6
	.byte	0x97
	.byte	0x23
	.uleb128 0x20
	.byte	0x6
	.byte	0x1e
	.byte	0
	.uleb128 0x9
	.long	.LASF41
	.byte	0x14
	.byte	0x17
	.long	.LASF42
	.quad	.LFB3
	.quad	.LFE3-.LFB3
	.uleb128 0x1
	.byte	0x9c
	.long	0x475
	.uleb128 0x24
	.byte	0x1
	.byte	0x15
	.byte	0x6
	.long	0x2f
	.uleb128 0xa
	.string	"n"
	.byte	0x14
	.byte	0x17
	.long	0x2ac
	.uleb128 0x4
	.byte	0x91
	.sleb128 -600
	.byte	0x6
	.uleb128 0x25
	.long	.LASF56
	.byte	0x1
	.byte	0x19
	.byte	0x10
	.long	.LASF57
	.long	0x3ea
	.uleb128 0x16
	.long	.LASF43
	.byte	0x14
	.long	0x480
	.uleb128 0x9
	.byte	0x3
	.quad	table_
	.uleb128 0x16
	.long	.LASF44
	.byte	0x1b
	.long	0x2ac
	.uleb128 0x9
	.byte	0x3
	.quad	table_+12
	.byte	0
	.uleb128 0x1
	.long	.LASF45
	.byte	0x1c
	.byte	0x28
	.long	0x490
	.uleb128 0x3
	.byte	0x91
	.sleb128 -144
	.uleb128 0x5
	.long	0x2ed
	.uleb128 0x2
	.byte	0x91
	.sleb128 -64
	.uleb128 0x1
	.long	.LASF46
	.byte	0x1a
	.byte	0x17
	.long	0x4b7
	.uleb128 0x4
	.byte	0x91
	.sleb128 -72
	.byte	0x6
	.uleb128 0x1
	.long	.LASF47
	.byte	0x1c
	.byte	0x1f
	.long	0x4ca
	.uleb128 0x3
	.byte	0x91
	.sleb128 -208
	.uleb128 0xc
	.string	"i"
	.byte	0x18
	.byte	0x1e
	.long	0x2ac
	.uleb128 0x2
	.byte	0x91
	.sleb128 -52
	.uleb128 0xc
	.string	"j"
	.byte	0x18
	.byte	0x21
	.long	0x2ac
	.uleb128 0x2
	.byte	0x91
	.sleb128 -56
	.uleb128 0x1
	.long	.LASF48
	.byte	0x1d
	.byte	0x1e
	.long	0x4f1
	.uleb128 0x3
	.byte	0x91
	.sleb128 -218
	.uleb128 0x1
	.long	.LASF49
	.byte	0x1c
	.byte	0x34
	.long	0x503
	.uleb128 0x3
	.byte	0x91
	.sleb128 -288
	.uleb128 0x1
	.long	.LASF50
	.byte	0x1e
	.byte	0x20
	.long	0x52a
	.uleb128 0x3
	.byte	0x91
	.sleb128 -480
	.uleb128 0x1
	.long	.LASF51
	.byte	0x1b
	.byte	0x1d
	.long	0x53a
	.uleb128 0x3
	.byte	0x91
	.sleb128 -512
	.byte	0
	.uleb128 0x26
	.byte	0x8
	.long	0x2ac
	.uleb128 0xd
	.long	0x475
	.uleb128 0x3
	.long	0x2ac
	.long	0x490
	.uleb128 0x8
	.long	0x2ed
	.sleb128 3
	.byte	0
	.uleb128 0xe
	.uleb128 0x2
	.byte	0x97
	.byte	0x6
	.uleb128 0x4
	.byte	0x97
	.byte	0x6
	.byte	0x30
	.byte	0x2e
	.long	0x2ac
	.long	0x4b7
	.uleb128 0x4
	.uleb128 0x4
	.byte	0x97
	.byte	0x23
	.uleb128 0x30
	.byte	0x6
	.uleb128 0x4
	.byte	0x97
	.byte	0x23
	.uleb128 0x38
	.byte	0x6
	.uleb128 0x9
	.byte	0x97
	.byte	0x23
	.uleb128 0x28
	.byte	0x6
	.byte	0x97
	.byte	0x23
	.uleb128 0x20
	.byte	0x6
	.byte	0x1e
	.byte	0
	.uleb128 0x3
	.long	0x2ac
	.long	0x4ca
	.uleb128 0xf
	.long	0x2ed
	.long	0x3f9
	.byte	0
	.uleb128 0xe
	.uleb128 0x2
	.byte	0x97
	.byte	0x6
	.uleb128 0x4
	.byte	0x97
	.byte	0x6
	.byte	0x30
	.byte	0x2e
	.long	0x2ac
	.long	0x4f1
	.uleb128 0x4
	.uleb128 0x4
	.byte	0x97
	.byte	0x23
	.uleb128 0x30
	.byte	0x6
	.uleb128 0x4
	.byte	0x97
	.byte	0x23
	.uleb128 0x38
	.byte	0x6
	.uleb128 0x9
	.byte	0x97
	.byte	0x23
	.uleb128 0x28
	.byte	0x6
	.byte	0x97
	.byte	0x23
	.uleb128 0x20
	.byte	0x6
	.byte	0x1e
	.byte	0
	.uleb128 0x3
	.long	0x501
	.long	0x501
	.uleb128 0x8
	.long	0x2ed
	.sleb128 2
	.byte	0
	.uleb128 0x14
	.byte	0x5
	.uleb128 0xe
	.uleb128 0x2
	.byte	0x97
	.byte	0x6
	.uleb128 0x4
	.byte	0x97
	.byte	0x6
	.byte	0x30
	.byte	0x2e
	.long	0x2ac
	.long	0x52a
	.uleb128 0x4
	.uleb128 0x4
	.byte	0x97
	.byte	0x23
	.uleb128 0x30
	.byte	0x6
	.uleb128 0x4
	.byte	0x97
	.byte	0x23
	.uleb128 0x38
	.byte	0x6
	.uleb128 0x9
	.byte	0x97
	.byte	0x23
	.uleb128 0x28
	.byte	0x6
	.byte	0x97
	.byte	0x23
	.uleb128 0x20
	.byte	0x6
	.byte	0x1e
	.byte	0
	.uleb128 0x3
	.long	0x3b
	.long	0x53a
	.uleb128 0x8
	.long	0x2ed
	.sleb128 2
	.byte	0
	.uleb128 0x3
	.long	0x2ac
	.long	0x54a
	.uleb128 0x8
	.long	0x2ed
	.sleb128 6
	.byte	0
	.uleb128 0x27
	.uleb128 0x2
	.byte	0x97
	.byte	0x6
	.long	0x2ac
	.long	0x56e
	.uleb128 0x28
	.uleb128 0xb
	.byte	0x31
	.byte	0x97
	.byte	0x23
	.uleb128 0x38
	.byte	0x6
	.byte	0x97
	.byte	0x23
	.uleb128 0x30
	.byte	0x6
	.byte	0x1c
	.byte	0x22
	.uleb128 0x9
	.byte	0x97
	.byte	0x23
	.uleb128 0x28
	.byte	0x6
	.byte	0x97
	.byte	0x23
	.uleb128 0x20
	.byte	0x6
	.byte	0x1e
	.byte	0
	.uleb128 0x3
	.long	0x2ac
	.long	0x581
	.uleb128 0xf
	.long	0x2ed
	.long	0x152
	.byte	0
	.uleb128 0x7
	.long	0x56e
	.uleb128 0xd
	.long	0x581
	.uleb128 0x29
	.uleb128 0x2
	.byte	0x97
	.byte	0x6
	.uleb128 0x5
	.byte	0x97
	.byte	0x23
	.uleb128 0x1c
	.byte	0x94
	.byte	0x1
	.long	0x3b
	.long	0x5bf
	.uleb128 0x2a
	.uleb128 0x8
	.byte	0x97
	.byte	0x14
	.byte	0x48
	.byte	0x1e
	.byte	0x23
	.uleb128 0x30
	.byte	0x22
	.byte	0x6
	.uleb128 0x8
	.byte	0x97
	.byte	0x14
	.byte	0x48
	.byte	0x1e
	.byte	0x23
	.uleb128 0x38
	.byte	0x22
	.byte	0x6
	.uleb128 0xd
	.byte	0x97
	.byte	0x14
	.byte	0x48
	.byte	0x1e
	.byte	0x23
	.uleb128 0x28
	.byte	0x22
	.byte	0x6
	.byte	0x97
	.byte	0x23
	.uleb128 0x20
	.byte	0x6
	.byte	0x1e
	.byte	0
	.uleb128 0x6
	.byte	0x1
	.byte	0x2
	.long	.LASF52
	.uleb128 0x6
	.byte	0x4
	.byte	0x2
	.long	.LASF53
	.uleb128 0x3
	.long	0x2ed
	.long	0x5e1
	.uleb128 0x2b
	.long	0x2ed
	.sleb128 0
	.long	0x254
	.byte	0
	.uleb128 0x2c
	.long	0x2ed
	.uleb128 0xf
	.long	0x2ed
	.long	0x26d
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
	.uleb128 0xd
	.byte	0
	.uleb128 0x3
	.uleb128 0xe
	.uleb128 0x3a
	.uleb128 0x21
	.sleb128 1
	.uleb128 0x3b
	.uleb128 0x21
	.sleb128 18
	.uleb128 0x39
	.uleb128 0x21
	.sleb128 14
	.uleb128 0x49
	.uleb128 0x13
	.uleb128 0x38
	.uleb128 0xb
	.byte	0
	.byte	0
	.uleb128 0x3
	.uleb128 0x1
	.byte	0x1
	.uleb128 0x49
	.uleb128 0x13
	.uleb128 0x1
	.uleb128 0x13
	.byte	0
	.byte	0
	.uleb128 0x4
	.uleb128 0x21
	.byte	0
	.uleb128 0x22
	.uleb128 0x18
	.uleb128 0x2f
	.uleb128 0x18
	.uleb128 0x51
	.uleb128 0x18
	.byte	0
	.byte	0
	.uleb128 0x5
	.uleb128 0x34
	.byte	0
	.uleb128 0x49
	.uleb128 0x13
	.uleb128 0x34
	.uleb128 0x19
	.uleb128 0x2
	.uleb128 0x18
	.byte	0
	.byte	0
	.uleb128 0x6
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
	.uleb128 0x21
	.byte	0
	.uleb128 0x49
	.uleb128 0x13
	.uleb128 0x2f
	.uleb128 0xd
	.byte	0
	.byte	0
	.uleb128 0x9
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
	.uleb128 0xa
	.uleb128 0x5
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
	.uleb128 0x49
	.uleb128 0x13
	.uleb128 0x2
	.uleb128 0x18
	.byte	0
	.byte	0
	.uleb128 0xb
	.uleb128 0x5
	.byte	0
	.uleb128 0x3
	.uleb128 0xe
	.uleb128 0x3a
	.uleb128 0x21
	.sleb128 1
	.uleb128 0x3b
	.uleb128 0x21
	.sleb128 18
	.uleb128 0x39
	.uleb128 0x21
	.sleb128 14
	.uleb128 0x49
	.uleb128 0x13
	.uleb128 0x2
	.uleb128 0x18
	.byte	0
	.byte	0
	.uleb128 0xc
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
	.uleb128 0x49
	.uleb128 0x13
	.uleb128 0x2
	.uleb128 0x18
	.byte	0
	.byte	0
	.uleb128 0xd
	.uleb128 0x37
	.byte	0
	.uleb128 0x49
	.uleb128 0x13
	.byte	0
	.byte	0
	.uleb128 0xe
	.uleb128 0x1
	.byte	0x1
	.uleb128 0x50
	.uleb128 0x18
	.uleb128 0x4f
	.uleb128 0x18
	.uleb128 0x49
	.uleb128 0x13
	.uleb128 0x1
	.uleb128 0x13
	.byte	0
	.byte	0
	.uleb128 0xf
	.uleb128 0x21
	.byte	0
	.uleb128 0x49
	.uleb128 0x13
	.uleb128 0x2f
	.uleb128 0x13
	.byte	0
	.byte	0
	.uleb128 0x10
	.uleb128 0x13
	.byte	0x1
	.uleb128 0x3
	.uleb128 0xe
	.uleb128 0xb
	.uleb128 0xb
	.uleb128 0x3a
	.uleb128 0x21
	.sleb128 1
	.uleb128 0x3b
	.uleb128 0xb
	.uleb128 0x39
	.uleb128 0x21
	.sleb128 14
	.uleb128 0x1
	.uleb128 0x13
	.byte	0
	.byte	0
	.uleb128 0x11
	.uleb128 0x26
	.byte	0
	.uleb128 0x49
	.uleb128 0x13
	.byte	0
	.byte	0
	.uleb128 0x12
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
	.uleb128 0x13
	.uleb128 0x34
	.byte	0
	.uleb128 0x3
	.uleb128 0xe
	.uleb128 0x3a
	.uleb128 0x21
	.sleb128 1
	.uleb128 0x3b
	.uleb128 0x21
	.sleb128 11
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
	.uleb128 0x14
	.uleb128 0x12
	.byte	0
	.uleb128 0xb
	.uleb128 0xb
	.byte	0
	.byte	0
	.uleb128 0x15
	.uleb128 0x1
	.byte	0x1
	.uleb128 0x50
	.uleb128 0x18
	.uleb128 0x4e
	.uleb128 0x18
	.uleb128 0x49
	.uleb128 0x13
	.uleb128 0x1
	.uleb128 0x13
	.byte	0
	.byte	0
	.uleb128 0x16
	.uleb128 0x34
	.byte	0
	.uleb128 0x3
	.uleb128 0xe
	.uleb128 0x3a
	.uleb128 0x21
	.sleb128 1
	.uleb128 0x3b
	.uleb128 0x21
	.sleb128 24
	.uleb128 0x39
	.uleb128 0xb
	.uleb128 0x49
	.uleb128 0x13
	.uleb128 0x3f
	.uleb128 0x19
	.uleb128 0x2
	.uleb128 0x18
	.byte	0
	.byte	0
	.uleb128 0x17
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
	.uleb128 0x18
	.uleb128 0x1e
	.byte	0x1
	.uleb128 0x3
	.uleb128 0x8
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
	.uleb128 0x1a
	.uleb128 0x5
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
	.uleb128 0x1b
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
	.uleb128 0x49
	.uleb128 0x13
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
	.uleb128 0x1c
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
	.uleb128 0x1d
	.uleb128 0xb
	.byte	0x1
	.uleb128 0x11
	.uleb128 0x1
	.uleb128 0x12
	.uleb128 0x7
	.byte	0
	.byte	0
	.uleb128 0x1e
	.uleb128 0x27
	.byte	0
	.uleb128 0x49
	.uleb128 0x13
	.byte	0
	.byte	0
	.uleb128 0x1f
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
	.uleb128 0x20
	.uleb128 0xf
	.byte	0
	.uleb128 0xb
	.uleb128 0xb
	.byte	0
	.byte	0
	.uleb128 0x21
	.uleb128 0x15
	.byte	0x1
	.uleb128 0x1
	.uleb128 0x13
	.byte	0
	.byte	0
	.uleb128 0x22
	.uleb128 0x18
	.byte	0
	.byte	0
	.byte	0
	.uleb128 0x23
	.uleb128 0x1
	.byte	0x1
	.uleb128 0x9
	.uleb128 0xb
	.uleb128 0x50
	.uleb128 0x18
	.uleb128 0x4e
	.uleb128 0x18
	.uleb128 0x49
	.uleb128 0x13
	.uleb128 0x1
	.uleb128 0x13
	.byte	0
	.byte	0
	.uleb128 0x24
	.uleb128 0x3a
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
	.uleb128 0x25
	.uleb128 0x1a
	.byte	0x1
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
	.uleb128 0x1
	.uleb128 0x13
	.byte	0
	.byte	0
	.uleb128 0x26
	.uleb128 0x10
	.byte	0
	.uleb128 0xb
	.uleb128 0xb
	.uleb128 0x49
	.uleb128 0x13
	.byte	0
	.byte	0
	.uleb128 0x27
	.uleb128 0x1
	.byte	0x1
	.uleb128 0x50
	.uleb128 0x18
	.uleb128 0x49
	.uleb128 0x13
	.uleb128 0x1
	.uleb128 0x13
	.byte	0
	.byte	0
	.uleb128 0x28
	.uleb128 0x21
	.byte	0
	.uleb128 0x2f
	.uleb128 0x18
	.uleb128 0x51
	.uleb128 0x18
	.byte	0
	.byte	0
	.uleb128 0x29
	.uleb128 0x1
	.byte	0x1
	.uleb128 0x50
	.uleb128 0x18
	.uleb128 0x71
	.uleb128 0x18
	.uleb128 0x49
	.uleb128 0x13
	.uleb128 0x1
	.uleb128 0x13
	.byte	0
	.byte	0
	.uleb128 0x2a
	.uleb128 0x45
	.byte	0
	.uleb128 0x22
	.uleb128 0x18
	.uleb128 0x2f
	.uleb128 0x18
	.uleb128 0x51
	.uleb128 0x18
	.byte	0
	.byte	0
	.uleb128 0x2b
	.uleb128 0x21
	.byte	0
	.uleb128 0x49
	.uleb128 0x13
	.uleb128 0x22
	.uleb128 0xd
	.uleb128 0x2f
	.uleb128 0x13
	.byte	0
	.byte	0
	.uleb128 0x2c
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
.LASF18:
	.string	"grid"
.LASF5:
	.string	"star"
.LASF8:
	.string	"_size"
.LASF17:
	.string	"__sky_MOD___vtab_sky_Star"
.LASF20:
	.string	"__sky_MOD_grid"
.LASF35:
	.string	"offset"
.LASF25:
	.string	"__sky_MOD___copy_sky_Star"
.LASF50:
	.string	"stars"
.LASF46:
	.string	"counted"
.LASF56:
	.string	"table"
.LASF26:
	.string	"__final_sky_Star"
.LASF32:
	.string	"ignore"
.LASF43:
	.string	"bins"
.LASF7:
	.string	"_hash"
.LASF22:
	.string	"look"
.LASF13:
	.string	"_deallocate"
.LASF21:
	.string	"__sky_MOD_unused"
.LASF29:
	.string	"byte_stride"
.LASF40:
	.string	"integer(kind=8)"
.LASF24:
	.string	"__sky_MOD_look"
.LASF54:
	.string	"GNU Fortran2008 12.2.0 -mtune=generic -march=x86-64 -g -O0 -fno-ident -fintrinsic-modules-path /usr/lib/gcc/x86_64-linux-gnu/12/finclude -fpre-include=/usr/include/finclude/x86_64-linux-gnu/math-vector-fortran.h"
.LASF33:
	.string	"is_contiguous"
.LASF27:
	.string	"__sky_MOD___final_sky_Star"
.LASF39:
	.string	"integer(kind=4)"
.LASF49:
	.string	"nowhere"
.LASF12:
	.string	"_final"
.LASF37:
	.string	"sizes"
.LASF15:
	.string	"__vtab_sky_Star"
.LASF52:
	.string	"logical(kind=1)"
.LASF23:
	.string	"__copy_sky_Star"
.LASF6:
	.string	"__vtype_sky_Star"
.LASF44:
	.string	"limit"
.LASF42:
	.string	"fortran_part_"
.LASF19:
	.string	"unused"
.LASF10:
	.string	"_def_init"
.LASF53:
	.string	"logical(kind=4)"
.LASF16:
	.string	"__sky_MOD___def_init_sky_Star"
.LASF14:
	.string	"__def_init_sky_Star"
.LASF41:
	.string	"fortran_part"
.LASF2:
	.string	"name"
.LASF34:
	.string	"nelem"
.LASF48:
	.string	"names"
.LASF57:
	.string	"table_"
.LASF30:
	.string	"fini_coarray"
.LASF28:
	.string	"array"
.LASF11:
	.string	"_copy"
.LASF4:
	.string	"counts"
.LASF38:
	.string	"strides"
.LASF51:
	.string	"store"
.LASF9:
	.string	"_extends"
.LASF3:
	.string	"seen"
.LASF55:
	.string	"__result___final_sky_Star"
.LASF45:
	.string	"back"
.LASF31:
	.string	"idx2"
.LASF36:
	.string	"ptr2"
.LASF47:
	.string	"every2"
	.section	.debug_line_str,"MS",@progbits,1
.LASF0:
	.string	"fortran.f90"
.LASF1:
	.string	"."
	.section	.note.GNU-stack,"",@progbits
