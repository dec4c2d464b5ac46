/* Gives its privileges up, if it has any, and goes on in a new process and new threads, with calls that block. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static int there[2], back[2];

static void *echo(void *unused) {
    char byte;
    while (read(there[0], &byte, 1) == 1) {
        byte++;
        if (write(back[1], &byte, 1) != 1) exit(4);
        if (byte == 'z' + 1) break;
    }
    return unused;
}

int main(void) {
    if (geteuid() == 0 && (setgid(65534) || setuid(65534))) return 2;
    pid_t child = fork();
    if (child == 0) {
        pthread_t thread;
        if (pipe(there) || pipe(back) || pthread_create(&thread, NULL, echo, NULL)) _exit(3);
        int sum = 0;
        for (char c = 'a'; c <= 'z'; c++) {
            char byte;
            if (write(there[1], &c, 1) != 1 || read(back[0], &byte, 1) != 1) _exit(5);
            sum += byte - c;
        }
        pthread_join(thread, NULL);
        printf("answered %d\n", sum); /* @answered */
        return 0;
    }
    int status;
    waitpid(child, &status, 0);
    printf("child %x\n", status);
    return status != 0;
}
