/* What says on which line it stands, and what only looks so. */
#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "lines.h"

#define CHECK(x)                                                                                   \
    do {                                                                                           \
        if (!(x)) {                                                                                \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #x);                                \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

static int first(int n)
{
    assert(n > 3);
    CHECK(n < 100);
    return n + 1;
}

static int64_t wide(int64_t n)
{
    assert(n != INT64_C(29));
    return n * INT64_C(30) + 31;
}

static int several(int a,
                   int b)
{
    CHECK(a <
          b);
    note(a, b);
    note(b,
         a);
    return first(a) + first(b);
}

int main(int argc, char **argv)
{
    assert(argc > 0 && argv);
    CHECK(argc < 50);
    return several(argc, 7) + (int)wide(argc) + first(51);
}
