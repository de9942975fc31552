/* Products of integer matrices on the CPU, modulo the width of the dtype, in blocks that stay in
 * cache. Signed and unsigned are the same arithmetic, so there is one loop a width. */
#include "runtime/kernels/matmul_cpu.h"

#include <string.h>

enum {
    WIDTH = 128, /* columns of a block: their sums fit the first-level cache */
    HEIGHT = 4,  /* rows of a block: each element of b that is loaded is used so often */
};

struct job {
    const struct gemm *g;
    const char *b; /* rows of unit step */
    int64_t b_step;
};

/* A block of c, rows [i, i + rows), columns [j, j + cols). Narrow factors are multiplied as 32
 * bits: C would widen them to int, where a product of 16-bit ones can overflow. */
#define BLOCK(name, type, wide)                                                                    \
    static void name(const struct job *job, int64_t i, int64_t rows, int64_t j, int64_t cols)      \
    {                                                                                              \
        const struct gemm *g = job->g;                                                             \
        const type *a = (const type *)g->a.data;                                                   \
        type sums[HEIGHT][WIDTH] = {{0}};                                                          \
        for (int64_t k = 0; k < g->a.cols; k++) {                                                  \
            const type *b = (const type *)job->b + k * job->b_step + j;                            \
            for (int64_t r = 0; r < rows; r++) {                                                   \
                type factor = a[(i + r) * g->a.row_step + k * g->a.col_step];                      \
                for (int64_t n = 0; n < cols; n++)                                                 \
                    sums[r][n] = (type)(sums[r][n] + (wide)factor * b[n]);                         \
            }                                                                                      \
        }                                                                                          \
        type alpha = (type)g->alpha.as.i, beta = (type)g->beta.as.i;                               \
        for (int64_t r = 0; r < rows; r++) {                                                       \
            type *c = (type *)g->c.data + (i + r) * g->c.row_step + j;                             \
            for (int64_t n = 0; n < cols; n++)                                                     \
                c[n] = (type)((wide)alpha * sums[r][n] + (beta ? (wide)beta * c[n] : 0));          \
        }                                                                                          \
    }

BLOCK(block_8, uint8_t, uint32_t)
BLOCK(block_16, uint16_t, uint32_t)
BLOCK(block_32, uint32_t, uint32_t)
BLOCK(block_64, uint64_t, uint64_t)

/* Copies b into rows of unit step. */
#define PACK(name, type)                                                                           \
    static void name(const struct matrix *b, char *to)                                             \
    {                                                                                              \
        type *dense = (type *)to;                                                                  \
        const type *from = (const type *)b->data;                                                  \
        for (int64_t i = 0; i < b->rows; i++)                                                      \
            for (int64_t j = 0; j < b->cols; j++)                                                  \
                *dense++ = from[i * b->row_step + j * b->col_step];                                \
    }

PACK(pack_8, uint8_t)
PACK(pack_16, uint16_t)
PACK(pack_32, uint32_t)
PACK(pack_64, uint64_t)

/* By the width in bytes. */
static const struct {
    void (*block)(const struct job *job, int64_t i, int64_t rows, int64_t j, int64_t cols);
    void (*pack)(const struct matrix *b, char *to);
} widths[9] = {
    [1] = {block_8, pack_8},
    [2] = {block_16, pack_16},
    [4] = {block_32, pack_32},
    [8] = {block_64, pack_64},
};

static void run_rows(int64_t begin, int64_t end, void *ctx)
{
    const struct job *job = ctx;
    const struct matrix *c = &job->g->c;
    size_t size = dtype_size(c->dtype);
    for (int64_t j = 0; j < c->cols; j += WIDTH)
        for (int64_t i = begin; i < end; i += HEIGHT)
            widths[size].block(job, i, least(HEIGHT, end - i), j, least(WIDTH, c->cols - j));
}

bool gemm_integer(const struct gemm *g)
{
    struct job job = {.g = g, .b = g->b.data, .b_step = g->b.row_step};
    size_t size = dtype_size(g->c.dtype);
    struct room room = {0};
    if (g->b.col_step != 1 && g->b.cols > 1) {
        if (!room_take(&room, g->b.rows * g->b.cols, size))
            return false;
        if (room.bytes)
            widths[size].pack(&g->b, room.bytes);
        job.b = room.bytes;
        job.b_step = g->b.cols;
    }
    double row_work = (double)g->a.cols * (double)g->c.cols;
    parallel_for(g->c.rows, matmul_grain(row_work), run_rows, &job);
    room_give(&room);
    return true;
}
