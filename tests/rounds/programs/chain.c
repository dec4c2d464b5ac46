/* A chain of processes, each started by the one before it: fork or vfork, then exec of this very program. */
#include "check.h"
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv) {
    CHECK(argc == 3);
    int left = atoi(argv[2]), status;
    printf("%s %d\n", argv[1], left);
    fflush(stdout);
    if (left == 0)
        return 5;
    char next[12];
    snprintf(next, sizeof next, "%d", left - 1);
    pid_t child = strcmp(argv[1], "vfork") ? fork() : vfork();
    if (child == 0) {
        execl("/proc/self/exe", argv[0], argv[1], next, (char *)0);
        _exit(98);
    }
    CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status));
    return WEXITSTATUS(status) + 1;
}
