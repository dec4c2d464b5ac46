/* Writes to the same addresses by a program, by the one that it executes in its place (itself), and by a process that this one makes. */
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

int first, second, both;

__attribute__((noinline)) static void in_child(void) {
    abort();
}

__attribute__((noinline)) static int in_parent(void) {
    return first - 11;
}

int main(int argc, char **argv) {
    if (argc == 1) {
        first = 1; /* @old-program */
        execl("/proc/self/exe", argv[0], "again", (char *)0);
        return 1;
    }
    first = 10; /* @first */
    both = 20;  /* @both */
    pid_t child = fork();
    if (child == 0) {
        second = 30; /* @second */
        both = 21;   /* @child */
        in_child();
    }
    waitpid(child, NULL, 0);
    first = 11; /* @behind */
    both = 22;  /* @parent */
    return in_parent();
}
