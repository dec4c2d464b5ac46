/* Numbers that lose bytes on their way, or mean another number afterwards; and floating-point numbers. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct pair { int a, b; };

int from_long, from_result, from_parameter, from_sum;
unsigned long from_negative;
long from_unsigned;
char from_int;
int kept;
struct pair one, other;
double halved, passed_on, given, root, negated;
float shorter;
int whole;
long *cleared;
int *element;

__attribute__((noinline)) static long triples(long value)
{
    return value * 3; /* @triples */
}

__attribute__((noinline)) static int low(long value)
{
    return (int)value; /* @low */
}

__attribute__((noinline)) static double halves(double value)
{
    return value / 2; /* @halves */
}

__attribute__((noinline)) static double second(double first, double value)
{
    (void)first;
    return value; /* @second */
}

__attribute__((noinline)) static void keeps(double first, int number, double value)
{
    (void)first;
    (void)number;
    given = value; /* @keeps */
}

__attribute__((noinline)) static int *points_into(int *list, long from)
{
    return list + from + 1; /* @points_into */
}

int main(int count, char **arguments)
{
    static int list[8];
    (void)arguments;
    volatile long wide = 0x100000007L * count; /* @wide */
    volatile long small = 5;
    from_long = (int)wide; /* @from_long */
    kept = (int)small; /* @kept */
    from_result = (int)triples(0x200000001L * count); /* @from_result */
    from_parameter = low(0x300000005L * count); /* @from_parameter */
    from_sum = (int)(wide + 1); /* @from_sum */
    volatile int negative = -2 * count; /* @negative */
    from_negative = (unsigned long)negative; /* @from_negative */
    volatile unsigned large = (unsigned)negative; /* @large */
    from_unsigned = large; /* @from_unsigned */
    volatile int code = 300 * count; /* @code */
    from_int = (char)code; /* @from_int */
    one.a = count; /* @first */
    one.b = 7;
    other = one; /* @pair */
    volatile double ten = 10.5; /* @ten */
    halved = halves(ten); /* @halved */
    passed_on = second(1.5, ten); /* @passed_on */
    keeps(1.0, 3, ten); /* @given */
    negated = -ten; /* @negated */
    shorter = (float)ten; /* @shorter */
    whole = (int)ten; /* @whole */
    root = sqrt(ten + count); /* @root */
    cleared = calloc(4, 8 * (size_t)count); /* @calloc */
    cleared[1] = count;
    element = points_into(list, 2 * count); /* @element */
    printf("%d %d %d %d %d %lu %ld %d %d %g %g %g %g %g %d %g %ld %d\n", from_long, kept, from_result, from_parameter,
           from_sum, from_negative, from_unsigned, from_int, other.a, halved, passed_on, given, negated, shorter, whole,
           root, cleared[1], *element);
    fflush(stdout);
    abort(); /* @end */
}
