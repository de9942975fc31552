/* Losses as text, for a machine without `miscast`: MISCAST_RUN=1. What was lost comes in, a line
 * for people goes out, in the words of `miscast run`. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "runtime/trace/losses.h"

/* In the order of enum loss_kind. */
static const char *const begins[LOSS_KINDS] = {
    [LOSS_OVERFLOW] = "overflow",       [LOSS_NAN] = "not finite",
    [LOSS_WRAP] = "wrap-around",        [LOSS_UNDERFLOW] = "underflow",
    [LOSS_STUCK] = "lost update",       [LOSS_TRUNCATED] = "truncated",
    [LOSS_INEXACT] = "inexact integer", [LOSS_ACCUMULATED] = "accumulated rounding",
    [LOSS_CANCELLED] = "cancellation",  [LOSS_ROUNDED] = "rounding",
};

static bool is_plain(double v)
{
    return !isfinite(v) || (v == nearbyint(v) && fabs(v) < 1e15);
}

static void print_values(double got, double expected, char a[40], char b[40])
{
    bool plain = is_plain(got) && is_plain(expected);
    for (int digits = 5; digits <= 17; digits += 2) {
        snprintf(a, 40, plain ? "%.*f" : "%.*g", plain ? 0 : digits, got);
        snprintf(b, 40, plain ? "%.*f" : "%.*g", plain ? 0 : digits, expected);
        if (plain || strcmp(a, b) != 0)
            break;
    }
}

void loss_values(const struct loss *s, char got[40], char expected[40])
{
    if (!s->is_int) {
        print_values(s->real, s->wide, got, expected);
        return;
    }
    snprintf(got, 40, "%" PRId64, s->real_int);
    snprintf(expected, 40, "%" PRId64, s->wide_int);
}

static void put_place_of(struct line *l, const struct site *s)
{
    if (s && s->file)
        put(l, "%s:%d", s->file, s->line);
    else
        put(l, "(unknown place)");
}

static void put_percent(struct line *l, double error)
{
    if (error >= 10)
        put(l, "over 1000%%");
    else if (error == 0 || error >= 1e-4)
        put(l, "%.3g%%", 100 * error);
    else
        put(l, "%.2g", error);
}

static void put_extent(struct line *l, const struct loss *s)
{
    if (s->numel > 1)
        put(l, "%" PRId64 " of %" PRId64 " elements; ", s->elements, s->numel);
    if (s->times > 1)
        put(l, "%" PRIu64 " times; ", s->times);
    put(l, "error introduced here ");
    put_percent(l, s->introduced);
    put(l, ", inherited ");
    put_percent(l, s->inherited);
    put(l, "\n");
}

void put_loss_text(struct line *l, const struct loss *s)
{
    char got[40], expected[40];
    const struct site *at = site_get(s->site), *since = site_get(s->since);
    loss_values(s, got, expected);
    put_place_of(l, at);
    put(l, ": warning: %s: %s%s gave %s instead of %s in %s\n  ", begins[s->kind],
        at ? at->op : "an operation", at && at->backward ? " (backward)" : "", got, expected,
        dtype_name(s->dtype));
    put_extent(l, s);
    if (since) {
        put(l, "  it became %s at ", dtype_name(s->dtype));
        put_place_of(l, since);
        put(l, "\n");
    }
}

void put_coverage_text(struct line *l, size_t count, const struct coverage *c)
{
    put(l, "miscast: %zu finding%s\nmiscast: %" PRIu64 " operation%s ran with shadow values\n",
        count, count == 1 ? "" : "s", c->ops, c->ops == 1 ? "" : "s");
}
