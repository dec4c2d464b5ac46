	.file "pascal_part.pas"
# Begin asmlist al_begin

.section .debug_line
	.type	.Ldebug_linesection0,@object
.Ldebug_linesection0:
	.type	.Ldebug_line0,@object
.Ldebug_line0:

.section .debug_abbrev
	.type	.Ldebug_abbrevsection0,@object
.Ldebug_abbrevsection0:
	.type	.Ldebug_abbrev0,@object
.Ldebug_abbrev0:

.section .text.b_DEBUGSTART_$PASCAL_PART
.globl	DEBUGSTART_$PASCAL_PART
	.type	DEBUGSTART_$PASCAL_PART,@object
DEBUGSTART_$PASCAL_PART:
# End asmlist al_begin
# Begin asmlist al_procedures

.section .text.n_pascal_part_$$_addtwo$longint$longint$$longint
	.balign 16,0x90
.globl	PASCAL_PART_$$_ADDTWO$LONGINT$LONGINT$$LONGINT
	.type	PASCAL_PART_$$_ADDTWO$LONGINT$LONGINT$$LONGINT,@function
PASCAL_PART_$$_ADDTWO$LONGINT$LONGINT$$LONGINT:
.globl	pascal_add_two
	.type	pascal_add_two,@function
pascal_add_two:
.Lc1:
.Ll1:
# [pascal_part.pas]
# [10] begin
	pushq	%rbp
.Lc3:
.Lc4:
	movq	%rsp,%rbp
.Lc5:
	leaq	-32(%rsp),%rsp
# Var First located at rbp-8, size=OS_S32
# Var Second located at rbp-16, size=OS_S32
# Var $result located at rbp-20, size=OS_S32
# Var Sum located at rbp-24, size=OS_S32
	movl	%edi,-8(%rbp)
	movl	%esi,-16(%rbp)
.Ll2:
# [11] Sum := First + Second;
	movl	-8(%rbp),%eax
	movl	-16(%rbp),%edx
	leal	(%eax,%edx),%eax
	movl	%eax,-24(%rbp)
.Ll3:
# [12] Total := Total + Sum;
	movl	pascal_total,%eax
	movl	-24(%rbp),%edx
	leal	(%eax,%edx),%eax
	movl	%eax,pascal_total
.Ll4:
# [13] AddTwo := Sum;
	movl	-24(%rbp),%eax
	movl	%eax,-20(%rbp)
.Ll5:
# [14] end;
	movl	-20(%rbp),%eax
	movq	%rbp,%rsp
	popq	%rbp
	ret
.Lc2:
.Lt1:
.Le0:
	.size	PASCAL_PART_$$_ADDTWO$LONGINT$LONGINT$$LONGINT, .Le0 - PASCAL_PART_$$_ADDTWO$LONGINT$LONGINT$$LONGINT
.Ll6:
# End asmlist al_procedures
# Begin asmlist al_globals

.section .bss
	.balign 4
# [4] Total: LongInt; cvar; public name 'pascal_total';
	.globl pascal_total
	.type pascal_total,@object
	.size pascal_total,4
pascal_total:
	.zero 4
# End asmlist al_globals
# Begin asmlist al_dwarf_frame

.section .debug_frame
.Lc6:
	.long	.Lc8-.Lc7
.Lc7:
	.long	-1
	.byte	1
	.byte	0
	.uleb128	1
	.sleb128	-4
	.byte	16
	.byte	12
	.uleb128	7
	.uleb128	8
	.byte	5
	.uleb128	16
	.uleb128	2
	.balign 4,0
.Lc8:
	.long	.Lc10-.Lc9
.Lc9:
	.quad	.Lc6
	.quad	.Lc1
	.quad	.Lc2-.Lc1
	.byte	4
	.long	.Lc3-.Lc1
	.byte	14
	.uleb128	16
	.byte	4
	.long	.Lc4-.Lc3
	.byte	5
	.uleb128	6
	.uleb128	4
	.byte	4
	.long	.Lc5-.Lc4
	.byte	13
	.uleb128	6
	.balign 4,0
.Lc10:
# End asmlist al_dwarf_frame
# Begin asmlist al_dwarf_info

.section .debug_info
	.type	.Ldebug_info0,@object
.Ldebug_info0:
	.long	.Ledebug_info0-.Lf2
.Lf2:
	.short	3
	.long	.Ldebug_abbrev0
	.byte	8
	.uleb128	1
# [7] function AddTwo(First, Second: LongInt): LongInt; cdecl;
	.ascii	"pascal_part.pas\000"
	.ascii	"Free Pascal 3.2.2\000"
	.ascii	".\000"
	.byte	9
	.byte	3
	.long	.Ldebug_line0
	.quad	DEBUGSTART_$PASCAL_PART
	.quad	DEBUGEND_$PASCAL_PART
# Syms - Begin unit PASCAL_PART has index 0
# Symbol PASCAL_PART
# Symbol SYSTEM
# Symbol TOTAL
	.uleb128	2
	.ascii	"Total\000"
	.byte	1
	.byte	9
	.byte	3
	.quad	pascal_total
	.long	_$PASCAL_PART$_Ld1
# Symbol ADDTWO
# Syms - End unit PASCAL_PART has index 0
# Syms - Begin Staticsymtable
# Symbol PASCAL_PART_$$_init$
# Syms - End Staticsymtable
# Procdef AddTwo(LongInt;LongInt):LongInt; CDecl;
	.uleb128	3
	.ascii	"AddTwo\000"
	.byte	1
	.byte	1
	.long	_$PASCAL_PART$_Ld1
	.quad	PASCAL_PART_$$_ADDTWO$LONGINT$LONGINT$$LONGINT
	.quad	.Lt1
# Symbol FIRST
	.uleb128	4
	.ascii	"First\000"
	.byte	2
	.byte	118
	.sleb128	-8
	.long	_$PASCAL_PART$_Ld1
# Symbol SECOND
	.uleb128	4
	.ascii	"Second\000"
	.byte	2
	.byte	118
	.sleb128	-16
	.long	_$PASCAL_PART$_Ld1
# Symbol result
	.uleb128	5
	.ascii	"$result\000"
	.byte	2
	.byte	118
	.sleb128	-20
	.long	_$PASCAL_PART$_Ld1
# Symbol ADDTWO
	.uleb128	5
	.ascii	"ADDTWO\000"
	.byte	2
	.byte	118
	.sleb128	-20
	.long	_$PASCAL_PART$_Ld1
# Symbol SUM
	.uleb128	5
	.ascii	"Sum\000"
	.byte	2
	.byte	118
	.sleb128	-24
	.long	_$PASCAL_PART$_Ld1
	.byte	0
# Defs - Begin unit SYSTEM has index 1
# Definition LongInt
.globl	_$PASCAL_PART$_Ld1
	.type	_$PASCAL_PART$_Ld1,@object
_$PASCAL_PART$_Ld1:
	.uleb128	6
	.ascii	"LongInt\000"
	.long	.La1
	.type	.La1,@object
.La1:
	.uleb128	7
	.ascii	"LongInt\000"
	.byte	5
	.byte	4
.globl	_$PASCAL_PART$_Ld2
	.type	_$PASCAL_PART$_Ld2,@object
_$PASCAL_PART$_Ld2:
	.uleb128	8
	.long	_$PASCAL_PART$_Ld1
# Defs - End unit SYSTEM has index 1
# Defs - Begin unit PASCAL_PART has index 0
# Defs - End unit PASCAL_PART has index 0
# Defs - Begin Staticsymtable
# Defs - End Staticsymtable
	.byte	0
	.type	.Ledebug_info0,@object
.Ledebug_info0:
# End asmlist al_dwarf_info
# Begin asmlist al_dwarf_abbrev

.section .debug_abbrev
# Abbrev 1
	.uleb128	1
	.uleb128	17
	.byte	1
	.uleb128	3
	.uleb128	8
	.uleb128	37
	.uleb128	8
	.uleb128	27
	.uleb128	8
	.uleb128	19
	.uleb128	11
	.uleb128	66
	.uleb128	11
	.uleb128	16
	.uleb128	6
	.uleb128	17
	.uleb128	1
	.uleb128	18
	.uleb128	1
	.byte	0
	.byte	0
# Abbrev 2
	.uleb128	2
	.uleb128	52
	.byte	0
	.uleb128	3
	.uleb128	8
	.uleb128	63
	.uleb128	12
	.uleb128	2
	.uleb128	10
	.uleb128	73
	.uleb128	16
	.byte	0
	.byte	0
# Abbrev 3
	.uleb128	3
	.uleb128	46
	.byte	1
	.uleb128	3
	.uleb128	8
	.uleb128	39
	.uleb128	12
	.uleb128	63
	.uleb128	12
	.uleb128	73
	.uleb128	16
	.uleb128	17
	.uleb128	1
	.uleb128	18
	.uleb128	1
	.byte	0
	.byte	0
# Abbrev 4
	.uleb128	4
	.uleb128	5
	.byte	0
	.uleb128	3
	.uleb128	8
	.uleb128	2
	.uleb128	10
	.uleb128	73
	.uleb128	16
	.byte	0
	.byte	0
# Abbrev 5
	.uleb128	5
	.uleb128	52
	.byte	0
	.uleb128	3
	.uleb128	8
	.uleb128	2
	.uleb128	10
	.uleb128	73
	.uleb128	16
	.byte	0
	.byte	0
# Abbrev 6
	.uleb128	6
	.uleb128	22
	.byte	0
	.uleb128	3
	.uleb128	8
	.uleb128	73
	.uleb128	16
	.byte	0
	.byte	0
# Abbrev 7
	.uleb128	7
	.uleb128	36
	.byte	0
	.uleb128	3
	.uleb128	8
	.uleb128	62
	.uleb128	11
	.uleb128	11
	.uleb128	11
	.byte	0
	.byte	0
# Abbrev 8
	.uleb128	8
	.uleb128	16
	.byte	0
	.uleb128	73
	.uleb128	16
	.byte	0
	.byte	0
	.byte	0
# End asmlist al_dwarf_abbrev
# Begin asmlist al_dwarf_line

.section .debug_line
# === header start ===
	.long	.Ledebug_line0-.Lf3
.Lf3:
	.short	3
	.long	.Lehdebug_line0-.Lf4
.Lf4:
	.byte	1
	.byte	1
	.byte	1
	.byte	255
	.byte	13
	.byte	0
	.byte	1
	.byte	1
	.byte	1
	.byte	1
	.byte	0
	.byte	0
	.byte	0
	.byte	1
	.byte	0
	.byte	0
	.byte	1
# include_directories
	.byte	0
# file_names
# [16] 
	.ascii	"pascal_part.pas\000"
	.uleb128	0
	.uleb128	0
	.uleb128	0
	.byte	0
	.type	.Lehdebug_line0,@object
.Lehdebug_line0:
# === header end ===
# function: PASCAL_PART_$$_ADDTWO$LONGINT$LONGINT$$LONGINT
# function: pascal_add_two
# [10:1]
	.byte	0
	.uleb128	9
	.byte	2
	.quad	.Ll1
	.byte	5
	.uleb128	1
	.byte	21
# [11:16]
	.byte	2
	.uleb128	.Ll2-.Ll1
	.byte	5
	.uleb128	16
	.byte	13
# [12:18]
	.byte	2
	.uleb128	.Ll3-.Ll2
	.byte	5
	.uleb128	18
	.byte	13
# [13:3]
	.byte	2
	.uleb128	.Ll4-.Ll3
	.byte	5
	.uleb128	3
	.byte	13
# [14:1]
	.byte	2
	.uleb128	.Ll5-.Ll4
	.byte	5
	.uleb128	1
	.byte	13
	.byte	0
	.uleb128	9
	.byte	2
	.quad	.Ll6
	.byte	0
	.byte	1
	.byte	1
# ###################
	.type	.Ledebug_line0,@object
.Ledebug_line0:
# End asmlist al_dwarf_line
# Begin asmlist al_dwarf_aranges

.section .debug_aranges
	.long	.Learanges0-.Lf1
.Lf1:
	.short	2
	.long	.Ldebug_info0
	.byte	8
	.byte	0
	.long	0
	.quad	PASCAL_PART_$$_ADDTWO$LONGINT$LONGINT$$LONGINT
	.quad	.Lt1-PASCAL_PART_$$_ADDTWO$LONGINT$LONGINT$$LONGINT
	.quad	0
	.quad	0
	.type	.Learanges0,@object
.Learanges0:
# End asmlist al_dwarf_aranges
# Begin asmlist al_dwarf_ranges

.section .debug_ranges
# End asmlist al_dwarf_ranges
# Begin asmlist al_end

.section .text.z_DEBUGEND_$PASCAL_PART
.globl	DEBUGEND_$PASCAL_PART
	.type	DEBUGEND_$PASCAL_PART,@object
DEBUGEND_$PASCAL_PART:
# End asmlist al_end
.section .note.GNU-stack,"",%progbits

