/* From the units of a project to a summary: each with its text, or its error, and its dependencies.
 * Files that several depend on are in it once. */
#include "frontends/driver/shards/summary.h"

#include <string.h>

struct gathering {
    struct project *p;
    const struct tree *tree;
    struct summary *s;
    struct map *seen; /* files: their index, plus one */
};

static const char *portable(void *tree, struct arena *a, const char *file)
{
    return tree_portable(tree, a, file);
}

/* A file may change while units are read: then it is in it twice. */
static int file_of(struct gathering *g, const struct store_read *r)
{
    uint64_t key =
        hash_words(hash_bytes(r->path, strlen(r->path), 0), r->digest.low, r->digest.high);
    uintptr_t known = (uintptr_t)map_get(g->seen, key);
    if (known)
        return (int)known - 1;
    struct store_read f = {tree_portable(g->tree, g->p->arena, r->path), r->digest};
    LIST_ADD(g->p->arena, &g->s->files, f);
    map_put(g->seen, key, (void *)(uintptr_t)g->s->files.count);
    return g->s->files.count - 1;
}

static void take_text(struct gathering *g, const struct input *in, struct summary_unit *u)
{
    struct tree t = *g->tree;
    struct ir_naming naming = {portable, &t};
    struct text text = {0};
    ir_print_naming(in->unit, &naming, &text);
    u->ir = text_keep(g->p->arena, &text);
}

static void take_error(struct gathering *g, const struct input *in, struct summary_unit *u)
{
    const struct error *e = &in->error;
    u->error = arena_printf(g->p->arena, "%s", e->message);
    if (e->file[0] && strcmp(e->file, in->file) != 0)
        u->error_file = tree_portable(g->tree, g->p->arena, e->file);
}

static void take_unit(struct gathering *g, const struct input *in)
{
    struct arena *a = g->p->arena;
    struct summary_unit u = {.file = tree_portable(g->tree, a, in->file),
                             .flags_left_out = in->flags_left_out};
    if (in->unit)
        take_text(g, in, &u);
    else
        take_error(g, in, &u);
    read_list reads = {0};
    reads_of(g->p, in, &reads);
    for (int i = 0; i < reads.count; i++)
        LIST_ADD(a, &u.reads, file_of(g, &reads.items[i]));
    LIST_ADD(a, &g->s->units, u);
}

void summary_collect(struct project *p, const struct tree *t, struct summary *s)
{
    struct gathering g = {p, t, s, map_new(p->arena)};
    for (int i = 0; i < p->inputs.count; i++)
        take_unit(&g, &p->inputs.items[i]);
}
