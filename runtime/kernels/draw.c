/* Random draws whose elements depend on each other: permutations, and categories by weight. */
#include "runtime/core/core.h"
#include "runtime/kernels/random.h"

#include <math.h>

enum { BUFFER = 512 }; /* 64-bit numbers made at a time */

/* A stream of 64-bit numbers, element i being the same wherever it is read from. */
struct stream {
    struct rng rng;
    int64_t from, to; /* what the buffer holds */
    uint32_t numbers[2 * BUFFER];
};

static uint64_t stream_at(struct stream *s, int64_t i)
{
    if (i < s->from || i >= s->to) {
        s->from = i / BUFFER * BUFFER;
        s->to = s->from + BUFFER;
        philox_fill(s->rng.seed, s->rng.counter + (uint64_t)s->from / 2, s->numbers, BUFFER / 2);
    }
    i -= s->from;
    return (uint64_t)s->numbers[2 * i + 1] << 32 | s->numbers[2 * i];
}

static double stream_unit(struct stream *s, int64_t i)
{
    return (double)(stream_at(s, i) >> 11) * 0x1p-53;
}

/* ---- a random order ----------------------------------------------------------------------- */

/* Fisher-Yates, from the front: element i is put anywhere among the first i + 1. */
void cpu_permutation(const struct view *out, struct rng rng)
{
    struct stream s = {.rng = rng};
    int64_t *order = (int64_t *)out->data;
    for (int64_t i = 0; i < out->numel; i++) {
        int64_t to = (int64_t)(stream_at(&s, i) % (uint64_t)(i + 1));
        order[i] = order[to];
        order[to] = i;
    }
}

/* ---- categories --------------------------------------------------------------------------- */

static const char *check_weights(const double *w, int64_t categories, int64_t needed)
{
    double sum = 0;
    int64_t positive = 0;
    for (int64_t c = 0; c < categories; c++) {
        if (!(w[c] >= 0) || isinf(w[c]))
            return "a weight is negative, infinite or NaN";
        sum += w[c];
        positive += w[c] > 0;
    }
    if (!(sum > 0) || isinf(sum))
        return "the weights of a row sum up to 0 or to infinity";
    return positive < needed ? "fewer weights of a row are positive than samples are wanted" : NULL;
}

/* With replacement: the weights become running sums; a sample is the first that exceeds its number.
 */
static void draw_row(int64_t *out, int64_t samples, double *w, int64_t categories, struct stream *s,
                     int64_t first)
{
    int64_t last = 0; /* the last category that can be drawn */
    for (int64_t c = 0; c < categories; c++) {
        last = w[c] > 0 ? c : last;
        w[c] += c ? w[c - 1] : 0;
    }
    for (int64_t i = 0; i < samples; i++) {
        double r = stream_unit(s, first + i) * w[categories - 1];
        int64_t low = 0, high = last;
        while (low < high) {
            int64_t middle = low + (high - low) / 2;
            if (w[middle] > r)
                high = middle;
            else
                low = middle + 1;
        }
        out[i] = low;
    }
}

/* Ties go to the earlier category. */
static bool later(const double *keys, int64_t a, int64_t b)
{
    return keys[a] > keys[b] || (keys[a] == keys[b] && a > b);
}

/* heap[0 … n) has the latest on top; heap[at] may be too high in it. */
static void sift_down(int64_t *heap, int64_t n, int64_t at, const double *keys)
{
    for (int64_t child = 2 * at + 1; child < n; at = child, child = 2 * at + 1) {
        if (child + 1 < n && later(keys, heap[child + 1], heap[child]))
            child++;
        if (!later(keys, heap[child], heap[at]))
            return;
        int64_t swap = heap[at];
        heap[at] = heap[child];
        heap[child] = swap;
    }
}

/* Without replacement: each category waits an exponential time, the shorter the heavier it is, and
 * the earliest are drawn, in that order. out serves as the heap. */
static void draw_row_once(int64_t *out, int64_t samples, double *w, int64_t categories,
                          struct stream *s, int64_t first)
{
    for (int64_t c = 0; c < categories; c++)
        w[c] = w[c] > 0 ? -random_log(1 - stream_unit(s, first + c)) / w[c] : INFINITY;
    for (int64_t i = 0; i < samples; i++)
        out[i] = i;
    for (int64_t i = samples / 2; i >= 0; i--)
        sift_down(out, samples, i, w);
    for (int64_t c = samples; c < categories; c++)
        if (later(w, out[0], c)) {
            out[0] = c;
            sift_down(out, samples, 0, w);
        }
    for (int64_t n = samples - 1; n > 0; n--) {
        int64_t latest = out[0];
        out[0] = out[n];
        out[n] = latest;
        sift_down(out, n, 0, w);
    }
}

const char *cpu_multinomial(const struct view *out, const struct view *weights, bool replacement,
                            struct rng rng)
{
    int64_t rows = weights->shape[0], categories = weights->shape[1], samples = out->shape[1];
    int64_t numbers = replacement ? samples : categories; /* to a row */
    struct stream s = {.rng = rng};
    for (int64_t r = 0; r < rows; r++) {
        double *w = (double *)weights->data + r * categories;
        const char *wrong = check_weights(w, categories, replacement ? 1 : samples);
        if (wrong)
            return wrong;
        (replacement ? draw_row : draw_row_once)((int64_t *)out->data + r * samples, samples, w,
                                                 categories, &s, r * numbers);
    }
    return NULL;
}
