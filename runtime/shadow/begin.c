/* Turns the shadow on: the backends get its kernels, and its functions for memory. */
#include "runtime/shadow/shadow.h"

#include "runtime/backends/backends.h"
#include "runtime/core/watch.h"
#include "runtime/shadow/judge.h"
#include "runtime/shadow/kernels.h"
#include "runtime/shadow/ledger.h"

enum { BACKENDS = 4 };

/* What a backend has instead of its own tables. Set up once, before the first storage. */
struct tables {
    struct kernels kernels;
    struct matmul_kernels matmul;
    struct layer_kernels layer;
};

static struct tables tables[BACKENDS];

/* ---- memory -------------------------------------------------------------------------------- */

static bool shadow_alloc(struct storage *s)
{
    if (!backend_itself(s->backend)->alloc(s))
        return false;
    ledger_lock();
    bool added = ledger_add(s, s->backend);
    ledger_unlock();
    if (!added)
        backend_itself(s->backend)->free(s);
    return added;
}

static void shadow_free(struct storage *s)
{
    ledger_lock();
    ledger_remove(s);
    ledger_unlock();
    backend_itself(s->backend)->free(s);
}

/* The program writes to borrowed memory as it likes. */
static void shadow_lend(struct storage *s)
{
    ledger_lock();
    if (s->nbytes && ledger_add(s, s->backend))
        shadow_expose(ledger_find(s->bytes));
    ledger_unlock();
}

static void shadow_return(struct storage *s)
{
    ledger_lock();
    if (s->nbytes)
        ledger_remove(s);
    ledger_unlock();
}

static bool shadow_upload(struct storage *to, size_t offset, const void *from, size_t n)
{
    ledger_lock();
    struct shadow *source = ledger_find(from), *s = ledger_find(to->bytes);
    ledger_unlock();
    if (!backend_itself(to->backend)->upload(to, offset, from, n))
        return false;
    ledger_lock();
    shadow_copied(s, to->bytes + offset, source, from, n);
    ledger_unlock();
    return true;
}

static bool shadow_download(void *to, const struct storage *from, size_t offset, size_t n)
{
    ledger_lock();
    struct shadow *s = ledger_find(to), *source = ledger_find(from->bytes);
    ledger_unlock();
    if (!backend_itself(from->backend)->download(to, from, offset, n))
        return false;
    ledger_lock();
    shadow_copied(s, to, source, from->bytes + offset, n);
    ledger_unlock();
    return true;
}

static bool shadow_across(struct storage *to, size_t at, const struct storage *from, size_t offset,
                          size_t n)
{
    if (!backend_itself(to->backend)->across(to, at, from, offset, n))
        return false;
    ledger_lock();
    shadow_copied(ledger_find(to->bytes), to->bytes + at, ledger_find(from->bytes),
                  from->bytes + offset, n);
    ledger_unlock();
    return true;
}

/* ---- on ------------------------------------------------------------------------------------ */

static void fill(struct tables *t, const struct kernels *own)
{
    t->matmul = shadow_matmul;
    if (!own->matmul->attention_back)
        t->matmul.attention_back = NULL;
    t->layer = shadow_layer;
    t->layer.norm_takes_own = own->layer->norm_takes_own;
    t->kernels = (struct kernels){
        .elementwise = &shadow_elementwise,
        .reduce = &shadow_reduce,
        .matmul = &t->matmul,
        .index = &shadow_index,
        .layer = &t->layer,
        .linalg = &shadow_linalg,
        .random = &shadow_random,
        .optim = &shadow_optim,
    };
}

static void change(struct backend *b)
{
    int i = backend_keep(b);
    if (i >= BACKENDS)
        BUG("more than %d backends", BACKENDS);
    fill(&tables[i], b->kernels);
    b->kernels = &tables[i].kernels;
    b->alloc = shadow_alloc;
    b->free = shadow_free;
    b->upload = shadow_upload;
    b->download = shadow_download;
    b->across = b->across ? shadow_across : NULL;
    b->lend = shadow_lend;
    b->give_back = shadow_return;
}

/* Storages in their own header would not pass through alloc. */
void shadow_begin(double threshold)
{
    judge_set_threshold(threshold);
    watch_decide();
    atomic_store(&storage_inline_limit, 0);
    backends_change(change);
}
