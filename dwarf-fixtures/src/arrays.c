// Arrays: several dimensions, none, an unknown number of elements, at the end of a struct, of pointers.
struct packet {
    int length;
    char payload[];
};

struct old_packet {
    int length;
    char payload[0];
};

int matrix[2][3][4];
char *names[5];
int (*rows)[7];
struct packet packet;
struct old_packet old_packet;
typedef int vector __attribute__((vector_size(16)));
vector lanes;

int main(void) { return matrix[1][2][3] + packet.length + old_packet.length + lanes[0] + (names[0] != 0) + (rows != 0); }
