// Thread-local variables.
__thread int first = 1;
static _Thread_local long second = 2;

int main(void) { return first + (int)second; }
