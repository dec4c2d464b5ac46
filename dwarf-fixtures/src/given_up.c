// Makes a system call that rr does not know.
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

static int ask(void) {
    char answer[32];
    errno = 0;
    return syscall(SYS_ustat, -1, answer) < 0 ? errno : 0;
}

int main(void) {
    puts("before");
    fputs("told\n", stderr);
    fflush(stdout);
    int error = ask();
    puts(error == ENOSYS ? "not there" : "there");
    return 4;
}
