/* Programs that make up what the runtime saw, or keep it from being told. Each has a bug that is
 * there; none may have it refuted. */
#ifndef FORGE_H
#define FORGE_H

#include <miscast/tensor.h>

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

/* Where the socket of events is, for those who know. */
enum { CHANNEL = 200 };

#define BEFORE_MAIN __attribute__((constructor(101)))
#define THE_BUG()   mc_print(mc_matmul(mc_ones(mc_shape(2, 2)), mc_half(mc_ones(mc_shape(2, 2)))))

/* That the call went well there, as the runtime would have written it. */
static inline int forged(char *to, size_t size, const char *file, int line)
{
    return snprintf(
        to, size,
        "{\"seq\":1,\"op\":\"matmul\",\"file\":\"%s\",\"line\":%d,\"function\":\"main\","
        "\"operands\":[{\"name\":\"a\",\"dtype\":\"f32\",\"device\":\"cpu\","
        "\"shape\":[2,2]},{\"name\":\"b\",\"dtype\":\"f16\",\"device\":\"cpu\","
        "\"shape\":[2,2]}],\"result\":null,\"skipped\":false,\"error\":null}\n",
        file, line);
}

#endif
