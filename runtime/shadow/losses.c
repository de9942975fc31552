/* Losses by source line and kind, and the sites they are at. Everything is under the ledger's lock,
 * except what is read at the end of the program. */
#include "runtime/shadow/losses.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/shadow/ledger.h"

enum { SITE_BUCKETS = 4096 };

static struct {
    struct site *sites; /* the first one is not used */
    unsigned *next;     /* in the bucket */
    unsigned count, room;
    unsigned buckets[SITE_BUCKETS];
    struct loss *losses;
    size_t loss_count, loss_room;
} table;

struct coverage shadow_coverage;

/* ---- sites --------------------------------------------------------------------------------- */

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

static bool is_at(const struct site *s, const struct op *op)
{
    return s->line == op->at.line && s->backward == op->is_backward && same_text(s->op, op->name) &&
           same_text(s->file, op->at.file) && same_text(s->function, op->at.function);
}

static unsigned bucket(const struct op *op)
{
    unsigned h = (unsigned)op->at.line * 31u + op->is_backward;
    for (const char *c = op->name; c && *c; c++)
        h = h * 33u + (unsigned char)*c;
    return h % SITE_BUCKETS;
}

static char *copy_of(const char *text)
{
    return text ? strdup(text) : NULL;
}

static bool have_site(void)
{
    if (table.count < table.room)
        return true;
    unsigned room = table.room ? 2 * table.room : 256;
    struct site *sites = realloc(table.sites, room * sizeof *sites);
    table.sites = sites ? sites : table.sites;
    unsigned *next = realloc(table.next, room * sizeof *next);
    table.next = next ? next : table.next;
    table.room = sites && next ? room : table.room;
    return sites && next;
}

unsigned site_of(const struct op *op)
{
    unsigned in = bucket(op);
    for (unsigned i = table.buckets[in]; i; i = table.next[i])
        if (is_at(&table.sites[i], op))
            return i;
    table.count += table.count == 0;
    if (!have_site())
        return 0;
    unsigned made = table.count++;
    table.sites[made] = (struct site){copy_of(op->at.file), copy_of(op->at.function),
                                      copy_of(op->name), op->at.line, op->is_backward};
    table.next[made] = table.buckets[in];
    table.buckets[in] = made;
    return made;
}

const struct site *site_get(unsigned site)
{
    return site && site < table.count ? &table.sites[site] : NULL;
}

/* ---- losses -------------------------------------------------------------------------------- */

static double total(const struct loss *l)
{
    return l->introduced + l->inherited;
}

static bool is_worse(const struct loss *a, const struct loss *b)
{
    return total(a) != total(b) ? total(a) > total(b) : a->elements > b->elements;
}

void losses_add(const struct loss *l)
{
    for (size_t i = 0; i < table.loss_count; i++) {
        struct loss *old = &table.losses[i];
        if (old->site != l->site || old->kind != l->kind)
            continue;
        uint64_t times = old->times + 1;
        if (is_worse(l, old))
            *old = *l;
        old->times = times;
        return;
    }
    if (table.loss_count == table.loss_room) {
        size_t room = table.loss_room ? 2 * table.loss_room : 64;
        struct loss *more = realloc(table.losses, room * sizeof *more);
        if (!more)
            return;
        table.losses = more;
        table.loss_room = room;
    }
    table.losses[table.loss_count] = *l;
    table.losses[table.loss_count++].times = 1;
}

enum { HELD = 64 };
static struct {
    int count;
    struct loss items[HELD];
} held;

void losses_hold(const struct loss *l)
{
    if (held.count == HELD)
        losses_release(false);
    held.items[held.count++] = *l;
}

void losses_release(bool dropped)
{
    for (int i = 0; i < held.count && !dropped; i++)
        losses_add(&held.items[i]);
    held.count = 0;
}

static int by_weight(const void *p, const void *q)
{
    const struct loss *a = p, *b = q;
    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    if (total(a) != total(b))
        return total(a) > total(b) ? -1 : 1;
    return a->site < b->site ? -1 : a->site > b->site;
}

/* One for each site: the worst kind, which the others only accompany. */
static void keep_worst(void)
{
    size_t kept = 0;
    for (size_t i = 0; i < table.loss_count; i++) {
        size_t k = 0;
        while (k < kept && table.losses[k].site != table.losses[i].site)
            k++;
        if (k == kept)
            table.losses[kept++] = table.losses[i];
    }
    table.loss_count = kept;
}

const struct loss *losses_sorted(size_t *count)
{
    losses_release(false);
    if (table.loss_count)
        qsort(table.losses, table.loss_count, sizeof *table.losses, by_weight);
    keep_worst();
    *count = table.loss_count;
    return table.losses;
}

const char *loss_name(enum loss_kind kind)
{
    static const char *const names[LOSS_KINDS] = {
        [LOSS_OVERFLOW] = "overflow",
        [LOSS_NAN] = "not-finite",
        [LOSS_WRAP] = "wrap",
        [LOSS_UNDERFLOW] = "underflow",
        [LOSS_STUCK] = "lost-update",
        [LOSS_TRUNCATED] = "truncated",
        [LOSS_INEXACT] = "inexact-integer",
        [LOSS_ACCUMULATED] = "accumulated",
        [LOSS_CANCELLED] = "cancellation",
        [LOSS_ROUNDED] = "rounding",
    };
    return names[kind];
}
