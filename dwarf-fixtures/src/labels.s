# A function with labels in it, which are symbols without a type.
    .text
    .globl main
    .type main, @function
main:
    mov $3, %ecx
again:
    dec %ecx
    jnz again
done:
    xor %eax, %eax
    ret
    .size main, . - main
    .section .note.GNU-stack, "", %progbits
