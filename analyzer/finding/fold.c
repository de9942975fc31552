/* Findings with the same cause: after a call that fails, every call with the same operands fails as
 * well. Of findings with one cause only the first is reported, with the number of the others. */
#include "analyzer/finding/finding.h"

#include <string.h>

static uint64_t hash_place(const struct span *s, uint64_t seed)
{
    const int at[] = {s->line, s->column};
    return hash_bytes(at, sizeof at, hash_bytes(s->file, strlen(s->file) + 1, seed));
}

/* A hash of its rule, its verdict and the places where its operands were decided; 0: not known. */
static uint64_t cause_of(const struct finding *f)
{
    uint64_t h = hash_bytes(f->rule, strlen(f->rule) + 1, (uint64_t)f->verdict.kind);
    for (int i = 0; i < f->origins.count; i++) {
        if (!f->origins.items[i].span.line)
            return 0;
        if (!f->origins.items[i].passed)
            h = hash_place(&f->origins.items[i].span, h);
    }
    return f->origins.count ? h : 0;
}

struct cause {
    struct finding *first;
    int more;
};

static struct cause *cause_at(struct arena *a, struct map *causes, struct finding *f)
{
    uint64_t key = cause_of(f);
    struct cause *c = key ? map_get(causes, key) : NULL;
    if (key && !c) {
        c = arena_one(a, struct cause);
        c->first = f;
        map_put(causes, key, c);
    }
    return c;
}

void findings_fold(struct arena *a, finding_list *l)
{
    struct map *causes = map_new(a);
    int kept = 0;
    for (int i = 0; i < l->count; i++) /* findings that a run reaches come first */
        if (!l->items[i]->past)
            cause_at(a, causes, l->items[i]);
    for (int i = 0; i < l->count; i++) {
        struct cause *c = l->items[i]->past ? cause_at(a, causes, l->items[i]) : NULL;
        if (c && c->first != l->items[i])
            c->more++;
        else
            l->items[kept++] = l->items[i];
    }
    l->count = kept;
    for (int i = 0; i < l->count; i++) {
        struct finding *f = l->items[i];
        const struct cause *c = cause_at(a, causes, f);
        if (c && c->first == f && c->more)
            f->message = arena_printf(a, "%s; after it, %d more call%s for the same reason",
                                      f->message, c->more, c->more == 1 ? " fails" : "s fail");
    }
}

struct finding_root finding_root_of(const struct finding *f)
{
    if (!f->failure)
        return f->root;
    const struct ir_function *root = f->failure->function;
    for (const struct frame_place *at = f->failure->called; at; at = at->outer)
        root = at->caller;
    return (struct finding_root){root->name, root->span};
}
