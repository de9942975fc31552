/* The backends as they were before the shadow replaced their functions. */
#include "runtime/shadow/ledger.h"

enum { BACKENDS = 4 };

/* Set up once, before the first storage. */
static struct {
    int count;
    const struct backend *now[BACKENDS];
    struct backend own[BACKENDS];
} kept;

int backend_keep(const struct backend *b)
{
    if (kept.count == BACKENDS)
        BUG("more than %d backends", BACKENDS);
    kept.now[kept.count] = b;
    kept.own[kept.count] = *b;
    return kept.count++;
}

const struct backend *backend_itself(const struct backend *b)
{
    for (int i = 0; i < kept.count; i++)
        if (kept.now[i] == b)
            return &kept.own[i];
    return b;
}
