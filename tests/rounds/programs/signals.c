/* Handlers: with siginfo, on an alternate stack, nested, masked, one-shot; what the kernel saves and restores around them. */
#include "check.h"
#include <signal.h>
#include <string.h>
#include <unistd.h>

static char alternate[64 * 1024];
static volatile int depth, deepest, on_alternate, in_order[8], count, value;

static void note(int number) { in_order[count++] = number; }

static void on_first(int number, siginfo_t *info, void *context) {
    (void)context;
    char here;
    on_alternate += &here >= alternate && &here < alternate + sizeof alternate;
    value = info->si_value.sival_int;
    note(number);
    /* Masked while this handler runs: it comes when the handler has returned. */
    raise(SIGUSR2);
    note(-number);
}

static void on_second(int number) { note(number); }

static void on_nested(int number) {
    depth++;
    if (depth > deepest)
        deepest = depth;
    if (depth < 4)
        raise(number);
    depth--;
}

static void install(int number, void (*handler)(int), void (*action_handler)(int, siginfo_t *, void *), int flags, int mask) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    if (action_handler)
        action.sa_sigaction = action_handler;
    else
        action.sa_handler = handler;
    action.sa_flags = flags;
    if (mask)
        sigaddset(&action.sa_mask, mask);
    CHECK(sigaction(number, &action, 0) == 0);
}

int main(void) {
    stack_t stack = {.ss_sp = alternate, .ss_size = sizeof alternate};
    CHECK(sigaltstack(&stack, 0) == 0);
    install(SIGUSR1, 0, on_first, SA_SIGINFO | SA_ONSTACK, SIGUSR2);
    install(SIGUSR2, on_second, 0, 0, 0);
    install(SIGHUP, on_nested, 0, SA_NODEFER, 0);
    install(SIGINT, on_second, 0, SA_RESETHAND, 0);
    CHECK(sigqueue(getpid(), SIGUSR1, (union sigval){.sival_int = 4711}) == 0);
    raise(SIGHUP);
    raise(SIGINT);
    struct sigaction now;
    CHECK(sigaction(SIGINT, 0, &now) == 0 && now.sa_handler == SIG_DFL);
    printf("value %d, on the alternate stack %d, deepest %d, order", value, on_alternate, deepest);
    for (int i = 0; i < count; i++) printf(" %d", in_order[i]);
    puts("");
    return 0;
}
