// Leaves a process behind that goes on when it has ended.
#include <stdio.h>
#include <unistd.h>

int main(void) {
    pid_t first = getpid();
    if (fork() == 0) {
        while (getppid() == first) usleep(1000);
        for (int i = 0; i < 20; i++) usleep(1000);
        _exit(9);
    }
    puts("the first one leaves");
    return 0;
}
