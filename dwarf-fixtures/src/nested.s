# Debug info in which as many things are within each other as symbols say: BLOCKS, INLINED copies, STRUCTS.
    .ifndef BLOCKS
BLOCKS = 0
    .endif
    .ifndef INLINED
INLINED = 0
    .endif
    .ifndef STRUCTS
STRUCTS = 0
    .endif

    .text
    .globl main
    .type main, @function
main:
    xor %eax, %eax
    ret
    .size main, . - main
    .globl deep
    .type deep, @function
deep:
    xor %eax, %eax
    ret
    .size deep, . - deep
.Lend:

    .section .debug_abbrev, "", %progbits
.Labbreviations:
    .byte 1, 0x11, 1                                    # unit: language, name, low_pc, high_pc
    .byte 0x13, 0x0b, 0x03, 0x08, 0x11, 0x01, 0x12, 0x07, 0, 0
    .byte 2, 0x2e, 1                                    # function: name, low_pc, high_pc
    .byte 0x03, 0x08, 0x11, 0x01, 0x12, 0x07, 0, 0
    .byte 3, 0x0b, 1                                    # block: low_pc, high_pc
    .byte 0x11, 0x01, 0x12, 0x07, 0, 0
    .byte 4, 0x34, 0                                    # variable: name, type, const_value
    .byte 0x03, 0x08, 0x49, 0x13, 0x1c, 0x0b, 0, 0
    .byte 5, 0x13, 1                                    # structure: name, byte_size
    .byte 0x03, 0x08, 0x0b, 0x0b, 0, 0
    .byte 6, 0x1d, 1                                    # inlined copy: abstract_origin, low_pc, high_pc
    .byte 0x31, 0x13, 0x11, 0x01, 0x12, 0x07, 0, 0
    .byte 7, 0x2e, 0                                    # abstract function: name, inline
    .byte 0x03, 0x08, 0x20, 0x0b, 0, 0
    .byte 8, 0x24, 0                                    # base type: name, byte_size, encoding
    .byte 0x03, 0x08, 0x0b, 0x0b, 0x3e, 0x0b, 0, 0
    .byte 0

    .section .debug_info, "", %progbits
.Lunit:
    .long .Lunit_end - .Lunit_start
.Lunit_start:
    .short 4
    .long .Labbreviations
    .byte 8
    .byte 1, 4                                          # C++
    .asciz "nested.s"
    .quad main, .Lend - main
.Lint:
    .byte 8
    .asciz "int"
    .byte 4, 5
.Labstract:
    .byte 7
    .asciz "copied"
    .byte 1

    .rept STRUCTS
    .byte 5
    .asciz "n"
    .byte 1
    .endr
    .byte 2
    .asciz "deep"
    .quad deep, .Lend - deep
    .byte 0
    .rept STRUCTS
    .byte 0
    .endr

    .byte 2
    .asciz "main"
    .quad main, deep - main
    .byte 4
    .asciz "outer"
    .long .Lint - .Lunit
    .byte 1
    .rept BLOCKS
    .byte 3
    .quad main, deep - main
    .endr
    .rept INLINED
    .byte 6
    .long .Labstract - .Lunit
    .quad main, deep - main
    .endr
    .byte 4
    .asciz "inner"
    .long .Lint - .Lunit
    .byte 2
    .rept BLOCKS + INLINED
    .byte 0
    .endr
    .byte 0
    .byte 0
.Lunit_end:
    .section .note.GNU-stack, "", %progbits
