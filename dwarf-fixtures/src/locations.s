# One function whose variables are in all kinds of places: hand-written, because compilers use most of these
# operations only when they feel like it. No instruction of any machine is in here.

    .text
    .globl function
    .type function, %function
function:
    .skip 64, 0x90
.Lend:
    .size function, .Lend - function

    .data
    .globl object
object:
    .quad 0

# begins a variable: its name, its type, and the start of its location
.macro variable name, type
    .uleb128 4
    .asciz "\name"
    .long \type - .Lunit
    .uleb128 .Lafter_\name - .Lbefore_\name
.Lbefore_\name:
.endm

.macro done name
.Lafter_\name:
.endm

    .section .debug_info,"",%progbits
.Lunit:
    .long .Lunit_end - .Lunit_start
.Lunit_start:
    .short 5                        # version
    .byte 1                         # DW_UT_compile
    .byte 8                         # address size
    .long .Labbreviations
    .uleb128 1                      # DW_TAG_compile_unit
    .asciz "locations.s"
    .byte 0x0c                      # DW_LANG_C99
    .quad function
    .quad .Lend - function
    .long .Laddresses
    .long .Llists
.Lint:
    .uleb128 2                      # DW_TAG_base_type
    .asciz "int"
    .byte 5                         # DW_ATE_signed
    .byte 4
.Llong:
    .uleb128 2
    .asciz "long"
    .byte 5
    .byte 8
.Ldouble:
    .uleb128 2
    .asciz "double"
    .byte 4                         # DW_ATE_float
    .byte 8
.Lbool:
    .uleb128 2
    .asciz "bool"
    .byte 2                         # DW_ATE_boolean
    .byte 1
.Lhuge:
    .uleb128 2
    .asciz "huge"
    .byte 5
    .byte 16
    .uleb128 3                      # DW_TAG_subprogram
    .asciz "function"
    .quad function
    .quad .Lend - function
    .uleb128 1
    .byte 0x9c                      # frame base: DW_OP_call_frame_cfa

    variable on_the_stack, .Lint
    .byte 0x91                      # DW_OP_fbreg -20
    .sleb128 -20
    done on_the_stack

    variable below_a_register, .Lint
    .byte 0x77                      # DW_OP_breg7 8
    .sleb128 8
    done below_a_register

    variable not_assigned_to, .Lint
    .byte 0x77                      # DW_OP_breg7 16
    .sleb128 16
    .byte 0xf0                      # DW_OP_GNU_uninit
    done not_assigned_to

    variable far_on_the_stack, .Lint
    .byte 0x0c                      # DW_OP_const4u 0xf0000000: ends like an expression with a remark
    .long 0xf0000000
    done far_on_the_stack

    variable in_a_register, .Llong
    .byte 0x53                      # DW_OP_reg3
    done in_a_register

    variable in_a_far_register, .Ldouble
    .byte 0x90                      # DW_OP_regx 17
    .uleb128 17
    done in_a_far_register

    variable at_an_address, .Llong
    .byte 0x03                      # DW_OP_addr
    .quad object
    done at_an_address

    variable at_an_indexed_address, .Llong
    .byte 0xa1                      # DW_OP_addrx 0
    .uleb128 0
    done at_an_indexed_address

    variable indexed_constant, .Llong
    .byte 0xa2, 1, 0x9f             # DW_OP_constx 1, DW_OP_stack_value
    done indexed_constant

    variable computed, .Lint
    .byte 0x73, 1, 0x32, 0x1e, 0x9f # DW_OP_breg3 1, DW_OP_lit2, DW_OP_mul, DW_OP_stack_value
    done computed

    variable wider_than_the_stack, .Lhuge
    .byte 0x35, 0x9f                # DW_OP_lit5, DW_OP_stack_value
    done wider_than_the_stack

    variable implicit, .Lint
    .byte 0x9e, 4, 1, 2, 3, 4       # DW_OP_implicit_value
    done implicit

    variable half_there, .Llong
    .byte 0x53, 0x93, 4             # DW_OP_reg3, DW_OP_piece 4
    .byte 0x93, 4                   # DW_OP_piece 4
    done half_there

    variable in_two_registers, .Llong
    .byte 0x53, 0x93, 4             # DW_OP_reg3, DW_OP_piece 4
    .byte 0x31, 0x9f, 0x93, 4       # DW_OP_lit1, DW_OP_stack_value, DW_OP_piece 4
    done in_two_registers

    variable in_bits, .Lint
    .byte 0x53, 0x9d, 12, 4         # DW_OP_reg3, DW_OP_bit_piece 12 4
    .byte 0x30, 0x9f, 0x9d, 20, 0   # DW_OP_lit0, DW_OP_stack_value, DW_OP_bit_piece 20 0
    done in_bits

    variable in_adjacent_pieces, .Llong
    .byte 0x91, 0x60, 0x93, 4       # DW_OP_fbreg -32, DW_OP_piece 4
    .byte 0x91, 0x64, 0x93, 4       # DW_OP_fbreg -28, DW_OP_piece 4
    done in_adjacent_pieces

    variable in_scattered_memory, .Llong
    .byte 0x91, 0x60, 0x93, 4       # DW_OP_fbreg -32, DW_OP_piece 4
    .byte 0x91, 0x70, 0x93, 4       # DW_OP_fbreg -16, DW_OP_piece 4
    done in_scattered_memory

    variable all_pieces_missing, .Llong
    .byte 0x93, 8                   # DW_OP_piece 8
    done all_pieces_missing

    variable on_entry, .Llong
    .byte 0xa3, 1, 0x55, 0x9f       # DW_OP_entry_value (DW_OP_reg5), DW_OP_stack_value
    done on_entry

    variable on_entry_gnu, .Llong
    .byte 0xf3, 1, 0x55, 0x23, 1, 0x9f # DW_OP_GNU_entry_value (DW_OP_reg5), DW_OP_plus_uconst 1, DW_OP_stack_value
    done on_entry_gnu

    variable on_entry_unknown, .Llong
    .byte 0xa3, 1, 0x54, 0x9f       # DW_OP_entry_value (DW_OP_reg4), DW_OP_stack_value
    done on_entry_unknown

    variable memory_on_entry, .Llong
    .byte 0xa3, 3, 0x75, 0, 0x06, 0x9f # DW_OP_entry_value (DW_OP_breg5 0, DW_OP_deref), DW_OP_stack_value
    done memory_on_entry

    variable pointer_to_nothing, .Llong
    .byte 0xa0                      # DW_OP_implicit_pointer
    .long .Lint - .Lunit
    .sleb128 0
    done pointer_to_nothing

    variable pointer_to_constant, .Llong
    .byte 0xf2                      # DW_OP_GNU_implicit_pointer
    .long .Lconstant - .Lunit
    .sleb128 2
    done pointer_to_constant

    variable thread_local, .Lint
    .byte 0x0e                      # DW_OP_const8u 16
    .quad 16
    .byte 0x9b                      # DW_OP_form_tls_address
    done thread_local

    variable thread_local_gnu, .Lint
    .byte 0x40, 0xe0                # DW_OP_lit16, DW_OP_GNU_push_tls_address
    done thread_local_gnu

    variable called, .Lint
    .byte 0x99                      # DW_OP_call4
    .long .Lcallee - .Lunit
    .byte 0x23, 4                   # DW_OP_plus_uconst 4
    done called

.Lcallee:
    variable callee, .Lint
    .byte 0x91                      # DW_OP_fbreg -40
    .sleb128 -40
    done callee

    variable calls_the_recursive_one, .Lint
    .byte 0x99                      # DW_OP_call4
    .long .Lrecursive - .Lunit
    done calls_the_recursive_one

.Lrecursive:
    variable recursive, .Lint
    .byte 0x99                      # DW_OP_call4
    .long .Lrecursive - .Lunit
    done recursive

    variable for_ever, .Lint
    .byte 0x2f                      # DW_OP_skip -3
    .short -3
    done for_ever

    variable dereferenced, .Lint
    .byte 0x91                      # DW_OP_fbreg -16
    .sleb128 -16
    .byte 0x06, 0x23, 4             # DW_OP_deref, DW_OP_plus_uconst 4
    done dereferenced

    variable narrowly_dereferenced, .Lint
    .byte 0x91                      # DW_OP_fbreg -16
    .sleb128 -16
    .byte 0x94, 1, 0x9f             # DW_OP_deref_size 1, DW_OP_stack_value
    done narrowly_dereferenced

    variable unreadable, .Lint
    .byte 0x30, 0x06                # DW_OP_lit0, DW_OP_deref
    done unreadable

    variable typed, .Lint
    .byte 0xa5                      # DW_OP_regval_type 17 double
    .uleb128 17
    .uleb128 .Ldouble - .Lunit
    .byte 0xa8                      # DW_OP_convert int
    .uleb128 .Lint - .Lunit
    .byte 0x9f                      # DW_OP_stack_value
    done typed

    variable typed_sum, .Ldouble
    .byte 0xa5                      # DW_OP_regval_type 17 double
    .uleb128 17
    .uleb128 .Ldouble - .Lunit
    .byte 0xa4                      # DW_OP_const_type double
    .uleb128 .Ldouble - .Lunit
    .byte 8
    .double 0.5
    .byte 0x22, 0x9f                # DW_OP_plus, DW_OP_stack_value
    done typed_sum

    variable truth, .Lbool
    .byte 0x73, 0                   # DW_OP_breg3 0
    .byte 0xa8                      # DW_OP_convert bool
    .uleb128 .Lbool - .Lunit
    .byte 0xa8, 0                   # DW_OP_convert to the generic type
    .byte 0x9f                      # DW_OP_stack_value
    done truth

    variable lost_register, .Lint
    .byte 0x70                      # DW_OP_breg0 0
    .sleb128 0
    done lost_register

    variable empty, .Lint
    done empty

    variable malformed, .Lint
    .byte 0x22                      # DW_OP_plus, of nothing
    done malformed

    .uleb128 5                      # a variable with a location list
    .asciz "moving"
    .long .Lint - .Lunit
    .uleb128 0
    .uleb128 6                      # a variable with neither
    .asciz "nowhere"
    .long .Lint - .Lunit
.Lconstant:
    .uleb128 7                      # one with a constant
    .asciz "constant"
    .long .Lint - .Lunit
    .sleb128 -2
    .byte 0
    .byte 0
.Lunit_end:

    .section .debug_abbrev,"",%progbits
.Labbreviations:
    .uleb128 1, 0x11                # DW_TAG_compile_unit
    .byte 1
    .uleb128 0x03, 0x08             # DW_AT_name string
    .uleb128 0x13, 0x0b             # DW_AT_language data1
    .uleb128 0x11, 0x01             # DW_AT_low_pc addr
    .uleb128 0x12, 0x07             # DW_AT_high_pc data8
    .uleb128 0x73, 0x17             # DW_AT_addr_base sec_offset
    .uleb128 0x8c, 0x17             # DW_AT_loclists_base sec_offset
    .byte 0, 0
    .uleb128 2, 0x24                # DW_TAG_base_type
    .byte 0
    .uleb128 0x03, 0x08
    .uleb128 0x3e, 0x0b             # DW_AT_encoding data1
    .uleb128 0x0b, 0x0b             # DW_AT_byte_size data1
    .byte 0, 0
    .uleb128 3, 0x2e                # DW_TAG_subprogram
    .byte 1
    .uleb128 0x03, 0x08
    .uleb128 0x11, 0x01
    .uleb128 0x12, 0x07
    .uleb128 0x40, 0x18             # DW_AT_frame_base exprloc
    .byte 0, 0
    .uleb128 4, 0x34                # DW_TAG_variable
    .byte 0
    .uleb128 0x03, 0x08
    .uleb128 0x49, 0x13             # DW_AT_type ref4
    .uleb128 0x02, 0x18             # DW_AT_location exprloc
    .byte 0, 0
    .uleb128 5, 0x34
    .byte 0
    .uleb128 0x03, 0x08
    .uleb128 0x49, 0x13
    .uleb128 0x02, 0x22             # DW_AT_location loclistx
    .byte 0, 0
    .uleb128 6, 0x34
    .byte 0
    .uleb128 0x03, 0x08
    .uleb128 0x49, 0x13
    .byte 0, 0
    .uleb128 7, 0x34
    .byte 0
    .uleb128 0x03, 0x08
    .uleb128 0x49, 0x13
    .uleb128 0x1c, 0x0d             # DW_AT_const_value sdata
    .byte 0, 0
    .byte 0

    .section .debug_addr,"",%progbits
    .long .Laddresses_end - .Laddresses_start
.Laddresses_start:
    .short 5
    .byte 8, 0
.Laddresses:
    .quad object
    .quad 77
.Laddresses_end:

    .section .debug_loclists,"",%progbits
    .long .Llists_end - .Llists_start
.Llists_start:
    .short 5
    .byte 8, 0
    .long 1
.Llists:
    .long .Lmoving - .Llists
.Lmoving:
    .byte 4                         # DW_LLE_offset_pair: the first 16 bytes of code
    .uleb128 0
    .uleb128 16
    .uleb128 1
    .byte 0x53                      # DW_OP_reg3
    .byte 4                         # the next 16
    .uleb128 16
    .uleb128 32
    .uleb128 2
    .byte 0x91, 0x60                # DW_OP_fbreg -32
    .byte 0                         # DW_LLE_end_of_list
.Llists_end:

    .section .note.GNU-stack,"",%progbits
