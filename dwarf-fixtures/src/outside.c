// Waits until a program outside changes a file that both have mapped. The file `PATH.ready` says that it waits.
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

static unsigned char look(volatile unsigned char *shared) { return *shared; }

int main(int count, char **words) {
    char ready[4096];
    int file = open(words[1], O_RDONLY);
    volatile unsigned char *shared = mmap(0, 4096, PROT_READ, MAP_SHARED, file, 0);
    if (count < 2 || shared == MAP_FAILED || look(shared)) return 1;
    puts("mapped");
    fflush(stdout);
    snprintf(ready, sizeof ready, "%s.ready", words[1]);
    close(open(ready, O_WRONLY | O_CREAT, 0600));
    for (int i = 0; i < 100000 && !look(shared); i++) usleep(1000);
    printf("changed to %d\n", look(shared));
    return 0;
}
