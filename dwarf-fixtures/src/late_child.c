/* A child that begins only after its parent has computed for a while. */
#include <sys/wait.h>
#include <unistd.h>

static int in_child(int x) {
    return x + 1; /* @child */
}

int main(void) {
    volatile unsigned long turns = 0;
    while (turns < 4000000000)
        turns++;
    int status = 0;
    pid_t child = fork();
    if (child == 0)
        _exit(in_child(6));
    waitpid(child, &status, 0);
    return WEXITSTATUS(status);
}
