/* Calls procedures in Fortran, Ada and D, which have been compiled already, and does what their libraries would do. */
#include <stdlib.h>

void fortran_part_(int *n);
void fortran_names_(void);
void _ada_ada_part(void);
void d_part(int n);

void fortran_stop_(void) { /* @fortran */
}

void ada_stop(void) { /* @ada */
}

void d_stop(void) { /* @d */
}

void _gfortran_runtime_error(const char *text, ...) {
    abort();
}

void _gfortran_runtime_error_at(const char *where, const char *text, ...) {
    abort();
}

void _gfortran_os_error_at(const char *where, const char *text, ...) {
    abort();
}

void *_gfortran_internal_pack(void *array) {
    abort();
}

void _gfortran_internal_unpack(void *array, void *data) {
    abort();
}

void names_stop_(void) { /* @names */
}

int main(void) {
    int n = 4;
    fortran_part_(&n);
    _ada_ada_part();
    d_part(10);
    fortran_names_();
    return 0;
}
