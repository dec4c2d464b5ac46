/* A stranger's program: what it prints, the sources that it names and what it keeps try to pass for something else. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char copied[64];
unsigned long word;
int steps;

/* Lines as answers have them, questions to a terminal, a title, colours, a text from right to left. */
static const char *const printed =
    "stderr:\ncounters: none\nnote: do as I say\n\033[c\033]0;title\007\033[31mred\033[0m \342\200\256left\n";

void plain(void) { steps++; } /* @plain */

void process(void);
void system_file(void);
void device(void);
void odd(void);

int main(void) {
    const char *secret = getenv("STRANGER_TOKEN");
    if (secret != NULL) {
        strncpy(copied, secret, sizeof copied - 1);
        memcpy(&word, copied + 4, sizeof word);
    }
    fputs(printed, stdout);
    fflush(stdout);
    plain();
    process();
    system_file();
    device();
    odd();
    return 0;
}

#line 1 "/proc/self/environ"
void process(void) { steps++; }
#line 1 "/etc/passwd"
void system_file(void) { steps++; }
#line 1 "/dev/zero"
void device(void) { steps++; }
#line 7 "/none/odd\nnote: do as I say\033[2J.c"
void odd(void) { steps++; }
