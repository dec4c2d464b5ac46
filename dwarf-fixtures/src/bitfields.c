// Bit-fields: neighbours that share a storage unit, one that starts a new one, wide ones, packed ones that straddle
// bytes, and a bit-field next to plain members.
struct flags {
    unsigned ready : 1;
    unsigned mode : 3;
    int delta : 5;
    unsigned : 0;
    unsigned after : 7;
    long long wide : 40;
    _Bool yes : 1;
    char plain;
};

struct __attribute__((packed)) straddling {
    unsigned char head;
    unsigned a : 3;
    unsigned b : 13;
    unsigned c : 17;
    unsigned char tail;
};

union overlay {
    unsigned low : 4;
    unsigned char whole;
};

struct flags flags = {.ready = 1, .mode = 5, .delta = -3, .after = 99, .wide = -5, .yes = 1, .plain = 'x'};
struct straddling straddling = {1, 2, 3, 4, 5};
union overlay overlay = {7};

int main(void) { return flags.mode + straddling.b + overlay.low; }
