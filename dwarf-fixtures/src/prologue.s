# A function as LLVM describes it in code that is optimised: no row of the line table says where the prologue ends, so the second line
# tells. Its first instructions are not those that set up a frame pointer.

    .file 1 "prologue.c"
    .text
.Ltext:
    .globl function
    .type function, @function
function:
    .loc 1 10
    push %rbx
    mov %edi, %ebx
    .loc 1 12
second_line:
    nop
    .loc 1 13
    pop %rbx
    ret
.Ltext_end:
    .size function, . - function

    .section .debug_info,"",%progbits
    .long .Lunit_end - .Lunit_start
.Lunit_start:
    .short 4                        # version
    .long .Labbreviations
    .byte 8                         # address size
    .uleb128 1                      # DW_TAG_compile_unit
    .asciz "clang version 14.0.6"
    .asciz "prologue.c"
    .long .Llines
    .quad .Ltext
    .quad .Ltext_end - .Ltext
    .uleb128 2                      # DW_TAG_subprogram
    .asciz "function"
    .quad function
    .quad .Ltext_end - function
    .byte 0
.Lunit_end:

    .section .debug_abbrev,"",%progbits
.Labbreviations:
    .uleb128 1, 0x11                # DW_TAG_compile_unit
    .byte 1                         # with children
    .uleb128 0x25, 0x08             # DW_AT_producer, DW_FORM_string
    .uleb128 0x03, 0x08             # DW_AT_name, DW_FORM_string
    .uleb128 0x10, 0x17             # DW_AT_stmt_list, DW_FORM_sec_offset
    .uleb128 0x11, 0x01             # DW_AT_low_pc, DW_FORM_addr
    .uleb128 0x12, 0x07             # DW_AT_high_pc, DW_FORM_data8
    .uleb128 0, 0
    .uleb128 2, 0x2e                # DW_TAG_subprogram
    .byte 0
    .uleb128 0x03, 0x08             # DW_AT_name, DW_FORM_string
    .uleb128 0x11, 0x01             # DW_AT_low_pc, DW_FORM_addr
    .uleb128 0x12, 0x07             # DW_AT_high_pc, DW_FORM_data8
    .uleb128 0, 0
    .byte 0

    .section .debug_line,"",%progbits
.Llines:

    .section .note.GNU-stack,"",%progbits
