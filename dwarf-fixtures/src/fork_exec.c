/* One child that only forks, one that forks and executes this program again with an argument. */
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static int in_child(int x) {
    int answer = x + 1; /* @fork-child */
    return answer;
}

int main(int argc, char **argv) {
    if (argc > 1)
        return atoi(argv[1]); /* @exec-child */
    int status = 0;
    pid_t forked = fork();    /* @fork */
    if (forked == 0)
        _exit(in_child(4));
    waitpid(forked, &status, 0);
    int first = WEXITSTATUS(status); /* @parent */
    pid_t executed = fork();
    if (executed == 0) {
        execl(argv[0], argv[0], "9", (char *)0); /* @execl */
        _exit(99);
    }
    waitpid(executed, &status, 0);
    return first * 10 + WEXITSTATUS(status); /* @return */
}
