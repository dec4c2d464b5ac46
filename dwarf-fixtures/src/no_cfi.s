# Functions that no call frame information describes: a leaf, one with a frame pointer, one without, and one that its code
# may not reach the end of. And one whose stack is aligned, which only CFI expressions can describe.
        .text
        .globl leaf, framed, frameless, aligned
        .type leaf, @function
leaf:
        lea 1(%rdi), %rax
        nop
        ret
        .size leaf, . - leaf

        .type framed, @function
framed:
        push %rbp
        mov %rsp, %rbp
        push %rbx
        sub $24, %rsp
        mov %rdi, %rbx
        call marker
        mov %rbx, %rax
        add $24, %rsp
        pop %rbx
        pop %rbp
        ret
        .size framed, . - framed

        .type frameless, @function
frameless:
        push %rbx
        push %r12
        sub $40, %rsp
        mov %rdi, %rbx
        mov $99, %r12d
        call marker
        test %rbx, %rbx
        jne 1f
        ud2
1:      lea 2(%rbx), %rax
        add $40, %rsp
        pop %r12
        pop %rbx
        ret
        .size frameless, . - frameless

        .type aligned, @function
aligned:
        .cfi_startproc
        mov %rsp, %r11
        .cfi_def_cfa %r11, 8
        and $-64, %rsp
        push %r11
        .cfi_escape 0x0f, 5, 0x77, 0, 0x06, 0x23, 8     # DW_CFA_def_cfa_expression: *(rsp) + 8
        push %rbx
        .cfi_escape 0x0f, 5, 0x77, 8, 0x06, 0x23, 8
        .cfi_escape 0x10, 3, 2, 0x77, 0                 # DW_CFA_expression: rbx at rsp + 0
        mov %rdi, %rbx
        sub $16, %rsp
        .cfi_escape 0x0f, 5, 0x77, 24, 0x06, 0x23, 8
        .cfi_escape 0x10, 3, 2, 0x77, 16
        call marker
        lea 3(%rbx), %rax
        mov 16(%rsp), %rbx
        mov 24(%rsp), %rsp
        .cfi_def_cfa %rsp, 8
        .cfi_same_value %rbx
        ret
        .cfi_endproc
        .size aligned, . - aligned
        .section .note.GNU-stack, "", @progbits
