/* The shadow values of storages, and how they stay what they should be while the program writes to
 * memory itself. Entries are sorted by address. */
#include "runtime/shadow/ledger.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/kernels/kernels.h"

static struct {
    pthread_mutex_t lock;
    struct shadow **entries;
    size_t count, room;
    uint64_t serials;
} ledger = {.lock = PTHREAD_MUTEX_INITIALIZER};

void ledger_lock(void)
{
    pthread_mutex_lock(&ledger.lock);
}

bool ledger_try_lock(void)
{
    return pthread_mutex_trylock(&ledger.lock) == 0;
}

void ledger_unlock(void)
{
    pthread_mutex_unlock(&ledger.lock);
}

uint64_t ledger_serial(void)
{
    return ledger.serials;
}

/* ---- conversion ---------------------------------------------------------------------------- */

static struct loop flat(char *to, mc_dtype wide, const char *from, mc_dtype dtype, int64_t count)
{
    struct loop l = {.count = 2, .ndim = 1, .numel = count, .shape = {count}};
    l.data[0] = to;
    l.data[1] = (char *)(uintptr_t)from;
    l.stride[0][0] = (int64_t)dtype_size(wide);
    l.stride[1][0] = (int64_t)dtype_size(dtype);
    return l;
}

static bool from_device(const struct backend *b, const char *from, size_t n, char *to)
{
    struct storage at = {.backend = b, .nbytes = n, .bytes = (char *)(uintptr_t)from};
    return backend_itself(b)->download(to, &at, 0, n);
}

bool widen(const struct backend *b, const char *from, mc_dtype dtype, int64_t count, char *to)
{
    size_t n = (size_t)count * dtype_size(dtype);
    char *here = b && b->is_apart ? malloc(n + 1) : NULL;
    if (b && b->is_apart && (!here || !from_device(b, from, n, here))) {
        free(here);
        return false;
    }
    mc_dtype wide = dtype_widest(dtype);
    struct loop l = flat(to, wide, here ? here : from, dtype, count);
    if (wide == dtype)
        memcpy(to, here ? here : from, n);
    else
        cpu_elementwise.cast(wide, dtype, &l, false);
    free(here);
    return true;
}

/* ---- entries ------------------------------------------------------------------------------- */

/* How many entries start at or before the address. */
static size_t rank(const char *address)
{
    size_t low = 0, high = ledger.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if ((uintptr_t)ledger.entries[middle]->start <= (uintptr_t)address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool have_slot(void)
{
    if (ledger.count < ledger.room)
        return true;
    size_t room = ledger.room ? 2 * ledger.room : 256;
    struct shadow **more = realloc(ledger.entries, room * sizeof *more);
    if (!more)
        return false;
    ledger.entries = more;
    ledger.room = room;
    return true;
}

bool ledger_add(const struct storage *s, const struct backend *backend)
{
    struct shadow *e = have_slot() ? calloc(1, sizeof *e) : NULL;
    if (!e)
        return false;
    size_t at = rank(s->bytes);
    memmove(ledger.entries + at + 1, ledger.entries + at,
            (ledger.count++ - at) * sizeof *ledger.entries);
    ledger.entries[at] = e;
    *e = (struct shadow){
        .start = s->bytes, .nbytes = s->nbytes, .backend = backend, .serial = ledger.serials++};
    return true;
}

static void values_free(struct shadow *s)
{
    if (s->values)
        memory_free(s->values, s->capacity);
    s->values = NULL;
}

void ledger_remove(const struct storage *s)
{
    size_t at = rank(s->bytes);
    if (!at || ledger.entries[at - 1]->start != s->bytes)
        return;
    struct shadow *e = ledger.entries[at - 1];
    values_free(e);
    free(e->copy);
    free(e);
    memmove(ledger.entries + at - 1, ledger.entries + at,
            (ledger.count-- - at) * sizeof *ledger.entries);
}

/* ---- writes of the program ----------------------------------------------------------------- */

/* The elements that differ from what the runtime left there have their real values now. */
static void notice(struct shadow *s)
{
    if (memcmp(s->copy, s->start, s->nbytes) == 0)
        return;
    size_t size = s->values ? dtype_size(s->dtype) : s->nbytes;
    for (size_t i = 0; s->values && i + size <= s->nbytes; i += size)
        if (memcmp(s->copy + i, s->start + i, size) != 0)
            widen(NULL, s->start + i, s->dtype, 1, shadow_at(s, s->start + i));
    memcpy(s->copy, s->start, s->nbytes);
    s->broken = false;
    s->unchanged = 0;
}

struct shadow *ledger_find(const void *address)
{
    size_t at = rank(address);
    struct shadow *s = at ? ledger.entries[at - 1] : NULL;
    if (!s || (uintptr_t)address - (uintptr_t)s->start >= s->nbytes)
        return NULL;
    if (s->copy)
        notice(s);
    return s;
}

void shadow_expose(struct shadow *s)
{
    if (s->copy || s->backend->is_apart)
        return;
    s->copy = malloc(s->nbytes);
    shadow_written(s);
}

void shadow_written(struct shadow *s)
{
    if (s->copy)
        memcpy(s->copy, s->start, s->nbytes);
}

/* ---- values -------------------------------------------------------------------------------- */

bool shadow_have_room(struct shadow *s, mc_dtype dtype)
{
    if (s->values && dtype_size(s->dtype) == dtype_size(dtype)) {
        s->dtype = dtype;
        return true;
    }
    values_free(s);
    s->dtype = dtype;
    s->values = memory_alloc(s->nbytes / dtype_size(dtype) * 8, &s->capacity);
    return s->values != NULL;
}

bool shadow_have_values(struct shadow *s, mc_dtype dtype)
{
    if (s->values && s->dtype == dtype)
        return true;
    int64_t count = (int64_t)(s->nbytes / dtype_size(dtype));
    if (shadow_have_room(s, dtype) && widen(s->backend, s->start, dtype, count, s->values))
        return true;
    values_free(s);
    return false;
}

void shadow_forget(struct shadow *s)
{
    values_free(s);
    s->error = 0;
    s->broken = false;
    s->unchanged = 0;
    memset(s->grown, 0, sizeof s->grown);
    shadow_written(s);
}

void shadow_forget_part(struct shadow *s, const char *from, size_t nbytes)
{
    if (nbytes >= s->nbytes) {
        shadow_forget(s);
        return;
    }
    int64_t count = s->values ? (int64_t)(nbytes / dtype_size(s->dtype)) : 0;
    if (count)
        widen(s->backend, from, s->dtype, count, shadow_at(s, from));
    shadow_written(s);
}

void shadow_copied(struct shadow *to, char *at, const struct shadow *from, const char *start,
                   size_t n)
{
    if (!to)
        return;
    bool whole = n >= to->nbytes, same = to->values && from && to->dtype == from->dtype;
    if (!from || !from->values || !(whole || same) ||
        !(whole ? shadow_have_room(to, from->dtype) : true)) {
        shadow_forget_part(to, at, n);
        return;
    }
    memcpy(shadow_at(to, at), shadow_at(from, start), n / dtype_size(to->dtype) * 8);
    to->error = from->error;
    to->scale = from->scale;
    to->broken = from->broken;
    to->writer = from->writer;
    to->since = from->since;
    memcpy(to->grown, from->grown, sizeof to->grown);
    shadow_written(to);
}
