/* A crash far from its cause: weather stations keep their last readings in a table, and each has a calibration.
 * One write past the end of a table replaces the low half of a pointer; nothing is noticed until the evening report. */
#include <stdio.h>

#define SLOTS 8
#define STATIONS 3
#define DAYS 4

struct calibration {
    int offset;
    int percent;
};

struct station {
    const char *name;
    int readings[SLOTS];
    struct calibration *calibration;
};

static struct calibration coast = {-3, 101}, valley = {0, 100}, summit = {7, 96};

static struct station stations[STATIONS] = {
    {"coast", {0}, &coast},
    {"valley", {0}, &valley},
    {"summit", {0}, &summit},
};

/* Hours come in steps of three: 0, 3, 6 ... 21, and on the long day of the year once more. */
static void store(struct station *station, unsigned hour, int value)
{
    unsigned slot = hour / 3;
    if (slot <= SLOTS)
        station->readings[slot] = value;
}

static int pressure(int number, int day, unsigned hour)
{
    return 1000 + 5 * number + day - (int)hour / 4;
}

static void observe(int day)
{
    for (int number = 0; number < STATIONS; number++) {
        unsigned end = day == 1 && number == 1 ? 24 : 21;
        for (unsigned hour = 0; hour <= end; hour += 3)
            store(&stations[number], hour, pressure(number, day, hour));
    }
}

static int corrected(const struct station *station, int slot)
{
    return station->readings[slot] * station->calibration->percent / 100 + station->calibration->offset;
}

static int mean(const struct station *station)
{
    int sum = 0;
    for (int slot = 0; slot < SLOTS; slot++)
        sum += corrected(station, slot);
    return sum / SLOTS;
}

static int report(void)
{
    int highest = 0;
    for (int number = 0; number < STATIONS; number++) {
        int value = mean(&stations[number]);
        if (value > highest)
            highest = value;
    }
    return highest;
}

int main(void)
{
    puts("observing");
    for (int day = 0; day < DAYS; day++)
        observe(day);
    puts("reporting");
    return report() > 1000 ? 0 : 1;
}
