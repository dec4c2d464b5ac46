/* A program that reads its own memory map: whatever it finds there, it finds again in a replay. */
#include "check.h"
#include <string.h>

int main(void) {
    FILE *maps = fopen("/proc/self/maps", "r");
    CHECK(maps);
    char line[512];
    unsigned long before = 0;
    int code = 0, data = 0, stack = 0;
    unsigned sum = 0, lines = 0;
    static int variable;
    while (fgets(line, sizeof line, maps)) {
        unsigned long from, to;
        char access[5];
        CHECK(sscanf(line, "%lx-%lx %4s", &from, &to, access) == 3);
        CHECK(from >= before && to > from);
        before = to;
        unsigned long mine[] = {(unsigned long)main, (unsigned long)&variable, (unsigned long)line};
        code += mine[0] >= from && mine[0] < to && !strcmp(access, "r-xp");
        data += mine[1] >= from && mine[1] < to && !strcmp(access, "rw-p");
        stack += mine[2] >= from && mine[2] < to && !strcmp(access, "rw-p");
        for (char *c = line; *c; c++) sum = mix(sum, (unsigned char)*c);
        lines++;
    }
    fclose(maps);
    printf("code %d data %d stack %d\n" VARYING "%u lines, %u\n", code, data, stack, lines, sum);
    return 0;
}
